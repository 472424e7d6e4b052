# attack: answers the first command without end
# kind: gtp
# options: --variant reversi
# expect: protocol
import sys

sys.stdin.readline()
sys.stdout.write("= list_commands\n")
while True:
    sys.stdout.write("x" * 1000 + "\n")
