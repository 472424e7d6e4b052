# attack: answers with blank lines without end
# kind: botzone
# options: --variant reversi --time 60s
# expect: protocol
import sys

sys.stdin.readline()
while True:
    sys.stdout.write(" " * 1000 + "\n")
