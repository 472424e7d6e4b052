# attack: thinks about the moves it is told before it confirms them, when no clock should run
# kind: gtp
# options: --variant reversi --time 1s --openings random:2
# expect: timeout
import sys
import time

for line in sys.stdin:
    word = line.split()[0]
    if word == "play":
        time.sleep(5)
    if word == "genmove":
        print("BREACH it thought for 5 s of its second", file=sys.stderr)
    print({"list_commands": "= play\nset_game\ngenmove\n"}.get(word, "= pass\n"), flush=True)
