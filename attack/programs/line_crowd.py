# attack: keeps itself from running with twenty processes of its own, to pass for one that the machine held up
# kind: line
# options: --time 1s
# expect: timeout
import os

for _ in range(20):
    if os.fork() == 0:
        while True:
            pass
while True:
    pass
