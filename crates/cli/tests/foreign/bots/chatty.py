"""Talks before it answers."""
from reversi import answer, questions

for _, moves in questions():
    print("let me think about this ...", flush=True)
    answer(moves[0])
