"""Plays the first legal move after a second and a half."""
import time

from reversi import answer, questions

for _, moves in questions():
    time.sleep(1.5)
    answer(moves[0])
