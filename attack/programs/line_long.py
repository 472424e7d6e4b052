# attack: fills the arena's queue with long lines that nobody asked for
# kind: line
# options: --time 60s
# expect: protocol
import sys

while True:
    sys.stdout.write("d" * 60000 + "\n")
