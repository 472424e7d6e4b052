# attack: sends blank lines without end before its answer
# kind: gtp
# options: --variant reversi
# expect: protocol
import sys

sys.stdin.readline()
while True:
    sys.stdout.write("\n" * 1000)
