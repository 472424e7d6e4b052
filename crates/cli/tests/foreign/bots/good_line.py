"""Plays the first legal move."""
from reversi import answer, questions

for _, moves in questions():
    answer(moves[0])
