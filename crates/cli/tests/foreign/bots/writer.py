"""Writes where it may not: beside itself."""
import os
from reversi import answer, questions

for _, moves in questions():
    with open(os.path.join(os.environ.get("PLACE", os.path.dirname(os.path.abspath(__file__))), "was-here"), "w") as file:
        file.write("hello")
    answer(moves[0])
