# attack: answers a question with anything but a move
# kind: line
# options: --time 2s
# expect: protocol, illegal, timeout, crash
# vary: HOW empty binary null huge escape many number legal-twice carriage unicode pass quit
import sys

HOW = "empty"
SAYS = {
    "empty": b"\n", "binary": b"\xff\xfe\x80\n", "null": b"\0\0\0\n", "huge": b"d3" * 40000 + b"\n", "escape": b"\x1b[2Jd3\n",
    "many": b"d3\n" * 5000, "number": b"19\n", "legal-twice": b"d3 d3\n", "carriage": b"d3\rc4\r\n",
    "unicode": "\uff44\uff13\n".encode(), "pass": b"pass\n", "quit": b"",
}
for _ in sys.stdin:
    sys.stdout.buffer.write(SAYS[HOW])
    sys.stdout.buffer.flush()
    if HOW == "quit":
        break
