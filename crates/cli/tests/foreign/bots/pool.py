"""Keeps twelve idle workers, which share its memory."""
import os
import signal

from reversi import answer, questions

TABLE = bytearray(60 << 20)
TABLE[::4096] = bytes(60 << 8)
for number, (_, moves) in enumerate(questions()):
    if number == 0:
        for _ in range(12):
            if os.fork() == 0:
                signal.pause()
    answer(moves[0])
