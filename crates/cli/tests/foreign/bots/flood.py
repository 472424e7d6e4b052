"""Prints a million short lines that nobody asked for."""
import sys
from reversi import answer, questions

for _, moves in questions():
    answer(moves[0])
    sys.stdout.write("hello\n" * 1_000_000)
    sys.stdout.flush()
