# attack: breaks the rules of GTP
# kind: gtp
# options: --time 2s
# expect: protocol, illegal, timeout, crash
# vary: HOW silent endless wrong-id error empty binary huge blank prompt
import sys

HOW = "silent"
while True:
    line = sys.stdin.readline()
    if not line:
        break
    number = line.split()[0] if line[:1].isdigit() else ""
    out = sys.stdout.buffer
    try:
        if HOW == "endless":
            while True:
                out.write(b"= and so on\n" * 1000)
        says = {
            "silent": b"", "wrong-id": b"=999999 d3\n\n", "error": b"? no\n\n", "empty": b"=\n\n", "binary": b"= \xff\xfe\n\n",
            "huge": b"= " + b"x" * 200000 + b"\n\n", "blank": b"\n" * 100, "prompt": b"> what?\n",
        }[HOW]
        out.write(says.replace(b"=", b"=" + number.encode(), 1) if HOW in ("empty", "binary") else says)
        out.flush()
    except BrokenPipeError:
        break
