# attack: ends the first thread of a child, so that the child looks dead, and lets another one take memory
# kind: line
# options: --memory 100 --time 10s
# expect: memory crash
import ctypes
import os
import sys
import threading
import time


def hold():
    time.sleep(0.3)
    held = bytearray(900 << 20)
    held[::4096] = b"x" * len(held[::4096])
    time.sleep(5)
    print("BREACH a process without its first thread held 900 MB", file=sys.stderr, flush=True)


for _ in sys.stdin:
    if os.fork() == 0:
        threading.Thread(target=hold).start()
        ctypes.CDLL(None).syscall(60, 0)
    time.sleep(8)
    print("a1", flush=True)
