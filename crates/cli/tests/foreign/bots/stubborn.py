"""Ignores every polite wish to end, and so does its grandchild, which has left it."""
import os
import signal
import time

for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP, signal.SIGPIPE):
    signal.signal(number, signal.SIG_IGN)
if os.fork() == 0:
    os.setsid()
    if os.fork() > 0:
        os._exit(0)
for _ in range(120):
    time.sleep(1)
