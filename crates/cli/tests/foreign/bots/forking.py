"""Makes more processes than it may: 64 that only sleep. None of them makes another, and none lives long."""
import os
import sys
import time

sys.stdin.readline()
for _ in range(64):
    if os.fork() == 0:
        time.sleep(30)
        os._exit(0)
time.sleep(30)
