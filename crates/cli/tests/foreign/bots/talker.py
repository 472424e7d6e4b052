"""Prints 150 MB in each game, which is allowed."""
import sys

from reversi import answer, questions

for text, moves in questions():
    if text.count("-") == 60:
        for _ in range(150):
            sys.stderr.write("x" * 999_999 + "\n")
    answer(moves[0])
