"""Plays well, and breaks at its 20th move."""
from reversi import answer, questions

for number, (_, moves) in enumerate(questions(), 1):
    if number == 20:
        raise ZeroDivisionError("the twentieth")
    answer(moves[0])
