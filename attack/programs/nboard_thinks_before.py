# attack: thinks about the game before it says that it is ready, when no clock should run
# kind: nboard
# options: --variant reversi --time 1s
# expect: timeout
import sys
import time

shown = False
for line in sys.stdin:
    if line.startswith("ping"):
        time.sleep(5 if shown else 0)
        print("pong", line.split()[1], flush=True)
    shown = shown or line.startswith("set game")
    if line.startswith("go"):
        print("BREACH it thought for 5 s of its second", file=sys.stderr)
        print("=== PA", flush=True)
