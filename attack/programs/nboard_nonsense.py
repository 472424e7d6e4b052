# attack: breaks the rules of NBoard
# kind: nboard
# options: --time 2s
# expect: protocol, illegal, timeout, crash
# vary: HOW silent endless wrong-pong binary huge move-early learn
import sys

HOW = "silent"
out = sys.stdout.buffer
if HOW == "move-early":
    out.write(b"=== d3\n" * 50)
    out.flush()
for line in sys.stdin:
    words = line.split()
    try:
        while HOW == "endless":
            out.write(b"nodestats 1 1\n" * 1000)
        if HOW == "binary":
            out.write(b"\xff\xfe\n")
        if HOW == "huge":
            out.write(b"search " + b"9" * 200000 + b"\n")
        if HOW == "learn":
            out.write(b"learn\nbook d3\nstatus \x1b[2J\n")
        if words[:1] == ["ping"] and HOW not in ("silent", "endless"):
            out.write(b"pong %d\n" % (int(words[1]) + (HOW == "wrong-pong")))
        if words[:1] == ["go"]:
            out.write(b"=== zz\n")
        out.flush()
    except BrokenPipeError:
        break
