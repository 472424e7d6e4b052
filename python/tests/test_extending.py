"""The recipes of docs/extending.md do what they say."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

from turncoat import BLACK, WHITE, Player, play_game

DOCUMENT = Path(__file__).parents[2] / "docs" / "extending.md"


def run(name: str, folder: Path) -> str:
    """Runs the program of this name and returns what it prints."""
    pattern = rf"^```python {name}\n(.*?)^```$"
    block = re.search(pattern, DOCUMENT.read_text(), re.DOTALL | re.MULTILINE)
    assert block is not None
    (folder / name).write_text(block[1])
    words = [sys.executable, name]
    return subprocess.run(words, cwd=folder, check=True, capture_output=True, text=True).stdout


def test_weights_fitted_to_results_play(tmp_path: Path) -> None:
    run("fit.py", tmp_path)
    fitted = Player(f"linear:depth=2,weights={tmp_path / 'fitted.toml'}")
    won = 0
    for number in range(20):
        chance = Player("random", seed=number)
        won += play_game(fitted, chance).winner == BLACK
        won += play_game(chance, fitted).winner == WHITE
    assert won >= 30


def test_a_method_of_ones_own_learns(tmp_path: Path) -> None:
    lines = run("evolve.py", tmp_path).splitlines()
    first, last = (float(re.findall(r"([\d.]+)%", line)[-1]) for line in (lines[0], lines[-1]))
    assert last > first + 10
    assert (tmp_path / "evolved.toml").exists()
