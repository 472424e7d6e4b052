"""Foreign programs from Python: named and confined as on the command line."""

from __future__ import annotations

import _thread
import os
import pickle
import signal
import sys
import threading
from pathlib import Path

import pytest
from turncoat import Board, Game, InputError, Player, PlayerError, Roster, play_game
from turncoat.lab import GeneticRun, Tournament, play, play_tournament

# Which Python programs run with is asked once in a process.
os.environ.setdefault("TURNCOAT_PYTHON", sys.executable)

PROGRAM = """
class AI(object):
    def __init__(self, chessboard_size, color, time_out):
        self.color = color
        self.candidate_list = []

    def go(self, chessboard):
        # Plays on d3 at first; a stranger's moves are found out by trying.
        self.candidate_list = [(2, 3), (2, 3)]
"""

# The last legal move of a line's position: the board, a space, the mover.
LINES = """
import sys
for line in sys.stdin:
    cells, mover = line.split()[:2]
    other = "O" if mover == "X" else "X"
    steps = [(a, b) for a in (-1, 0, 1) for b in (-1, 0, 1) if a or b]
    found = "pass"
    for row in range(8):
        for column in range(8):
            if cells[8 * row + column] != "-":
                continue
            for a, b in steps:
                r, c, seen = row + a, column + b, 0
                while 0 <= r < 8 and 0 <= c < 8 and cells[8 * r + c] == other:
                    r, c, seen = r + a, c + b, seen + 1
                if seen and 0 <= r < 8 and 0 <= c < 8 and cells[8 * r + c] == mover:
                    found = "abcdefgh"[column] + str(row + 1)
    print(found, flush=True)
"""


@pytest.fixture()
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with programs, where the test works."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mine.py").write_text(PROGRAM)
    (tmp_path / "last.py").write_text(LINES)
    return tmp_path


def test_a_program_is_asked_like_any_player(folder: Path) -> None:
    player = Player("py:mine.py")
    thought = player.choose(Board())
    assert thought is not None and thought.move == "d3"
    assert player.candidate_list(Board())[-1] == (2, 3)
    assert repr(player) == "<Player py:mine.py, reversed 8x8>"
    with pytest.raises(PlayerError, match="illegal move: the last element"):
        player.choose(Board("d3"))
    # After a fault it is started anew.
    assert player.choose(Board(), time=5) is not None
    game = play_game(Player("line:python3 last.py"), Player("greedy"))
    assert game.is_over and game.moves[0] == "e6"


def test_a_program_is_confined_unless_it_is_trusted(folder: Path) -> None:
    (folder / "left.py").write_text(
        "from pathlib import Path\n"
        f"Path({str(folder)!r}, 'left').write_text('here')\n" + PROGRAM
    )
    with pytest.raises(PlayerError, match="crashed"):
        Player("py:left.py").choose(Board())
    assert not (folder / "left").exists()
    trusting = Roster(trust=True, logs=folder / "logs")
    assert Player("py:left.py", roster=trusting).choose(Board()) is not None
    assert (folder / "left").read_text() == "here"
    assert list((folder / "logs").iterdir())


def test_programs_play_tournaments_and_in_the_lab(folder: Path) -> None:
    run = Tournament(["line:python3 last.py", "greedy"], games=2, format="match", time=5)
    assert play(run, threads=2)["games"] == 2
    assert run.complete and all(game["margin"] is not None for game in run.games()), run.games()
    (folder / "pool.toml").write_text(
        'title = "Against a program"\nplayer = "gene45:depth=1"\nseed = 1\ngenerations = 1\n'
        '[genome]\nkind = "real"\ngroups = ["board"]\nstart = [-9, 9]\n'
        '[algorithm]\nkind = "real"\npopulation = 4\nelite = 1\ntournament = 2\n'
        '[fitness]\nscore = "margin"\nplies = 40\nopenings = 1\nopponents = "pool"\n'
        'pool = ["line:python3 last.py"]\n'
    )
    genetic = GeneticRun.create("pool.toml", "run")
    assert genetic.step(threads=2)["generation"] == 1


def test_a_changed_program_is_another_one(folder: Path) -> None:
    run = Tournament(["py:mine.py", "greedy"], games=2)
    (folder / "mine.py").write_text(PROGRAM + "\n# Changed\n")
    with pytest.raises(InputError, match="not the program that the run began with"):
        play_tournament(run.description(), run.fixtures(run.missing()))


def test_what_is_wrong_with_a_program_is_told(folder: Path) -> None:
    with pytest.raises(InputError, match=r"py:nowhere\.py"):
        Player("py:nowhere.py")
    with pytest.raises(InputError, match="no program nowhere is on the path"):
        Tournament(["line:nowhere", "greedy"])
    with pytest.raises(InputError, match=r"as in py:mine\.py"):
        Player("mine.py")
    with pytest.raises(InputError, match="at least 1 megabyte"):
        Roster(memory=0)
    with pytest.raises(InputError, match="another memory"):
        run = Tournament(["py:mine.py", "greedy"], roster=Roster(memory=100))
        play_tournament(run.description(), [])
    with pytest.raises(InputError, match="built for reversed, not for reversi"):
        Player("py:mine.py").choose(Game("reversi"))
    with pytest.raises(TypeError, match="expected a Board or a Game, not 'f5'"):
        Player("greedy").choose("f5")  # type: ignore[arg-type]
    (folder / "broken.py").write_text("import nothing_of_this_name\n")
    with pytest.raises(PlayerError, match="nothing_of_this_name"):
        Player("py:broken.py").choose(Board())


def test_a_roster_travels() -> None:
    sent = pickle.loads(pickle.dumps(Roster(trust=True, memory=7)))
    assert repr(sent) == "<Roster: programs without a sandbox, 7 MB>"


def test_control_c_ends_a_program_s_thought(folder: Path) -> None:
    (folder / "slow.py").write_text("import sys, time\nsys.stdin.readline()\ntime.sleep(600)\n")
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    timer = threading.Timer(0.5, _thread.interrupt_main)
    timer.start()
    try:
        with pytest.raises(KeyboardInterrupt):
            Player("line:python3 slow.py").choose(Board())
    finally:
        timer.join()
        signal.signal(signal.SIGINT, before)
