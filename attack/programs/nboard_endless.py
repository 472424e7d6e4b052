# attack: tells its status without end instead of a move
# kind: nboard
# options: --variant reversi --time 60s
# expect: protocol
import sys

for line in sys.stdin:
    if line.startswith("ping"):
        print("pong", line.split()[1], flush=True)
    while line.startswith("go"):
        sys.stdout.write("status thinking " + "." * 1000 + "\n")
