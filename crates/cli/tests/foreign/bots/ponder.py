"""Keeps a CPU busy all the time, and says how much it got while the other side thought."""
import sys
import threading
import time

from reversi import answer, questions


def count():
    while True:
        pass


threading.Thread(target=count, daemon=True).start()
last = None
for _, moves in questions():
    if last:
        gap, used = time.monotonic() - last[0], time.process_time() - last[1]
        print("waited" if gap > 1 else "asked at once", "%.3f" % used, file=sys.stderr, flush=True)
        if used > 1:
            print("BREACH %.3f s of CPU in %.3f s" % (used, gap), file=sys.stderr, flush=True)
    # Before the answer: whoever is frozen at once reads its clock only when it runs again.
    last = time.monotonic(), time.process_time()
    answer(moves[0])
