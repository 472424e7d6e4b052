"""Places its disc where nobody can."""
from reversi import questions

for _ in questions():
    print("d4", flush=True)
