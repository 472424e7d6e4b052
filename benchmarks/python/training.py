"""A short training on a core, from games to a network that plays: `cargo xtask bench training [MINUTES [GAMES]]`."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from turncoat.lab import SelfplayRun, Tournament, play, play_selfplay, read_positions

NETWORKS = Path(__file__).parents[2] / "experiments" / "network"
OPPONENTS = ["greedy", "gene45", "turncoat:eval=hand", "turncoat"]


def main() -> None:
    minutes = float(sys.argv[1]) if len(sys.argv) > 1 else 1.0
    games = int(sys.argv[2]) if len(sys.argv) > 2 else 5000
    print(f"{os.cpu_count()} cores, load {', '.join(f'{each:.1f}' for each in os.getloadavg())}\n", flush=True)
    with tempfile.TemporaryDirectory() as place:
        folder, network = Path(place) / "games", Path(place) / "quick.net"
        began = time.perf_counter()
        play_games(games, folder)
        print(f"{games} games in {time.perf_counter() - began:.0f} s", flush=True)
        for threads in (1, 2):
            seconds = min(read(folder, threads) for _ in range(10))
            count = len(read_positions(folder).boards)
            print(f"{count:,} positions read with {threads} threads: {count / seconds / 1e6:.1f} million/s", flush=True)
        words = [str(NETWORKS / "quick.py"), str(folder), "--out", str(network), "--minutes", str(minutes)]
        subprocess.run([sys.executable, *words], check=True)
        for opponent in OPPONENTS:
            run = Tournament([f"turncoat:eval={network}", opponent], games=20, depth=4, format="match")
            play(run)
            print(f"four plies deep against {opponent}: {share(run):.0f} % of {run.played} games", flush=True)


def play_games(games: int, folder: Path) -> None:
    """Plays the games of the network's settings, or fewer."""
    text = (NETWORKS / "selfplay.toml").read_text().replace("games = 200_000", f"games = {games}\nshard = 500")
    settings = folder.with_suffix(".toml")
    settings.write_text(text)
    run = SelfplayRun.create(settings, folder)
    plan = run.plan()
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        played = {pool.submit(play_selfplay, plan, first, end): shard for shard, first, end in run.missing()}
        for chunk, shard in played.items():
            run.keep(shard, [chunk.result()])


def read(folder: Path, threads: int) -> float:
    began = time.perf_counter()
    read_positions(folder, threads=threads)
    return time.perf_counter() - began


def share(run: Tournament) -> float:
    """The first player's share of the points, in percent."""
    points = 0.0
    for game in run.games():
        own = "black" if game["black"] == 0 else "white"
        points += {own: 1.0, "draw": 0.5}.get(game["winner"], 0.0)
    return 100 * points / max(1, run.played)


if __name__ == "__main__":
    main()
