"""Needs a file beside it."""
import os

from reversi import answer, questions

with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "data.txt")) as file:
    file.read()
for _, moves in questions():
    answer(moves[0])
