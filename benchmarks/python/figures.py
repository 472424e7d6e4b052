"""The figures of docs/benchmarks/python.md: `cargo xtask bench python [ROUNDS]`.

Machines are shared and noisy, so alternatives are measured in turns, best and median are told, and beside the time on
the wall stands what does not depend on others' load: processor time, and the cores that were kept at work.
"""

from __future__ import annotations

import os
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import ray
import vectorised
from ray.cluster_utils import Cluster
from turncoat import Board, Evaluator, Player, batch
from turncoat.cluster import Pool
from turncoat.cluster.tasks import genetic_chunk, shared
from turncoat.env import BatchEnv
from turncoat.lab import Batch, GeneticRun, play_selfplay, read_positions

sys.path.append(str(Path(__file__).parents[2] / "python" / "tests"))
import naive  # noqa: E402

COUNT = 100_000
# Quick games, to be read.
PLAN = """{"variant": "reversed", "evaluation": "hand", "games": 400, "seed": 5, "depth": 1, "solve": 4, "shard": 400,
    "enumerate_every": 3, "enumerated_plies": 2, "random": [{"plies": [6, 20], "share": 1.0}]}"""
# The node's memory for objects.
STORE = 100 * 1024 * 1024


def main() -> None:
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 5
    load = ", ".join(f"{each:.1f}" for each in os.getloadavg())
    print(f"{machine()}, {os.cpu_count()} cores, load {load}; {rounds} rounds each\n")
    arrays(rounds)
    driver(rounds)
    generations()


def machine() -> str:
    for line in Path("/proc/cpuinfo").read_text().splitlines():
        if line.startswith("model name"):
            return line.split(":")[1].strip()
    return "an unknown processor"


def sample(count: int) -> np.ndarray[Any, np.dtype[np.uint64]]:
    """Boards of random games."""
    chance = np.random.default_rng(1)
    games = BatchEnv(1000)
    _, mask = games.reset()
    kept = []
    while len(kept) * len(games) < count:
        kept.append(games.boards)
        picked = (mask * chance.random(mask.shape)).argmax(axis=1)
        _, mask, _, _ = games.step(picked)
    return np.concatenate(kept)[:count]


def best_and_median(work: Callable[[], object], rounds: int) -> tuple[float, float]:
    times = []
    for _ in range(rounds):
        began = time.perf_counter()
        work()
        times.append(time.perf_counter() - began)
    return min(times), statistics.median(times)


def arrays(rounds: int) -> None:
    boards = sample(COUNT)
    few = boards[:: COUNT // 300]
    grids = batch.to_arrays(few, np.ones(len(few), np.int8))
    assert (batch.features(few) == [naive.features(grid) for grid in grids]).all()
    assert (vectorised.features(boards) == batch.features(boards)[:, :8]).all()
    assert (vectorised.legal_moves(boards[:, 0], boards[:, 1]) == batch.legal_moves(boards)).all()
    single = [Board.from_array(grid, 1) for grid in grids]
    games = BatchEnv(10_000)
    _, mask = games.reset()
    actions = mask.argmax(axis=1)

    def step() -> None:
        games.tables.reset()
        games.step(actions)

    rows: list[tuple[str, int, Callable[[], object]]] = [
        ("`batch.legal_moves`", COUNT, lambda: batch.legal_moves(boards)),
        ("`batch.legal_mask`", COUNT, lambda: batch.legal_mask(boards)),
        ("`Board.legal_moves`, one by one", len(few), lambda: [b.legal_moves() for b in single]),
        ("numpy, whole arrays", COUNT, lambda: vectorised.legal_moves(boards[:, 0], boards[:, 1])),
        ("numpy, cell by cell", len(few), lambda: [naive.moves(grid) for grid in grids]),
        ("`batch.features`, all 28", COUNT, lambda: batch.features(boards)),
        ("numpy, whole arrays, 8 of them", COUNT, lambda: vectorised.features(boards)),
        ("numpy, cell by cell, all 28", len(few), lambda: [naive.features(g) for g in grids]),
        ("`batch.pattern_slots`", COUNT, lambda: batch.pattern_slots(boards)),
        ("`batch.estimate`", COUNT, lambda: batch.estimate(boards)),
        ("`BatchEnv.step`, 10000 games", 10_000, step),
    ]
    print("| per position | best ns | median ns |\n|---|---|---|")
    best = {}
    for name, count, work in rows:
        seconds = [1e9 * each / count for each in best_and_median(work, 5 * rounds)]
        best[name] = seconds[0]
        print(f"| {name} | {seconds[0]:.0f} | {seconds[1]:.0f} |")
    ratio = best["numpy, cell by cell, all 28"] / best["`batch.features`, all 28"]
    print(f"\nFeatures: {ratio:.0f} times as fast as numpy cell by cell.", end=" ")
    ratio = best["numpy, whole arrays, 8 of them"] / best["`batch.features`, all 28"]
    print(f"All 28 in {1 / ratio:.2f} of the time of 8 by whole arrays.")
    player, board = Player("greedy"), Board()
    asked = best_and_median(lambda: [player.choose(board) for _ in range(200)], rounds)[0]
    print(f"Asking a player, with a thread for it: {1e6 * asked / 200:.0f} microseconds.\n")
    positions(rounds)
    evaluators(rounds)


def positions(rounds: int) -> None:
    """How fast games become arrays: those of a file, many times over."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "000000.games"
        file.write_bytes(play_selfplay(PLAN, 0, 400))
        files = [file] * 50
        count = len(read_positions(*files).boards)
        for threads in (1, 2):
            best, median = best_and_median(lambda: read_positions(*files, threads=threads), rounds)
            speeds = f"{count / best / 1e6:.1f} at best, {count / median / 1e6:.1f} in the median"
            print(f"`lab.read_positions`, {threads} threads, {count:,} positions: million/s {speeds}.")
    print()


class Discs(Evaluator):
    """An evaluation that costs next to nothing."""

    def evaluate(self, boards: Any) -> Any:
        discs = np.bitwise_count(boards).astype(float)
        return discs[:, 1] - discs[:, 0]


def evaluators(rounds: int) -> None:
    """What the search above an evaluator costs, by how many boards it evaluates at a time."""
    print("| `batch` | plies | boards | best ms | ns a board |\n|---|---|---|---|---|")
    board = Board("f5d6c3d3c4")
    for size in (1, 64, 1024, 16384):
        evaluator = Discs()
        evaluator.batch = size
        player = Player(evaluator)
        thought = player.choose(board, depth=5)
        seconds, _ = best_and_median(lambda: player.choose(board, depth=5), rounds)
        nodes = thought.nodes if thought else 0
        print(f"| {size} | 5 | {nodes} | {1e3 * seconds:.1f} | {1e9 * seconds / max(1, nodes):.0f} |")
    print()


EXPERIMENT = """
title = "Games for the figures"
player = "gene45:depth=3,final=0"
seed = 1
generations = 1
[genome]
kind = "real"
groups = ["board", "action"]
start = [-64, 63]
[algorithm]
kind = "real"
population = 40
elite = 2
tournament = 2
[fitness]
score = "margin"
plies = 6
openings = 4
"""


class Captured(Exception):
    """Carries a batch out of a run."""


def games(experiment: str) -> Batch:
    """The games of an experiment's first generation."""

    def capture(made: Batch) -> Any:
        raise Captured(made)

    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "experiment.toml"
        file.write_text(experiment)
        run = GeneticRun.create(file, Path(folder) / "run")
        try:
            run.step(capture)
        except Captured as captured:
            made: Batch = captured.args[0]
            return made
    raise AssertionError("the run has asked for no games")


# Games of an experiment that are played to tell how long one takes, in pieces from all over a generation.
PIECES, PIECE = 8, 24


def generations() -> None:
    """How long generations of the experiments are, and so how many cores they can use."""
    folder = Path(os.environ["TURNCOAT_ROOT"]) / "experiments"
    print("\n| experiment | games | KB to share | ms a game | s a generation | cores |")
    print("|---|---|---|---|---|---|")
    for path in sorted(folder.glob("*.toml")):
        made = games(path.read_text())
        began = time.process_time()
        for piece in range(PIECES):
            first = piece * (len(made) - PIECE) // PIECES
            made.play(first, first + PIECE)
        game = (time.process_time() - began) / (PIECES * PIECE)
        whole = game * len(made)
        # Four chunks of a quarter of a second at least, so that all cores end together.
        cores = max(1, int(whole / 1.0))
        size = len(made.dump()) / 1024
        print(f"| `{path.stem}` | {len(made)} | {size:.0f} | {1e3 * game:.2f} | {whole:.2f} | {cores} |")


class Measured:
    """A batch by the driver: time on the wall, time in chunks, processor time of the chunks."""

    def __init__(self, made: Batch, seconds: float, nodes: int = 1) -> None:
        work = ray.put(shared(made.dump()))
        pool = Pool(seconds=seconds)
        # Only the first node has this.
        wanted = {"first": 0.01} if nodes == 1 else {}
        chunk = genetic_chunk.options(resources=wanted)
        before = cpu_of_workers()
        began = time.perf_counter()
        answers = pool.spread(len(made), lambda f, e: chunk.remote(work, f, e))
        self.margins = {first: played for first, _, played in answers}
        self.wall = time.perf_counter() - began
        self.cpu = cpu_of_workers() - before
        self.busy = pool.busy
        self.chunks = pool.chunks

    @property
    def at_work(self) -> float:
        """Chunks under way at a time, on average."""
        return self.busy / self.wall


def cpu_of_workers() -> float:
    """Processor time of all Ray workers so far."""
    total = 0.0
    for process in Path("/proc").glob("[0-9]*"):
        try:
            name = (process / "cmdline").read_bytes()
            if name.startswith(b"ray::"):
                fields = (process / "stat").read_text().rsplit(")", 1)[1].split()
                total += (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
        except (OSError, IndexError):
            continue
    return total


def driver(rounds: int) -> None:
    os.environ["RAY_USAGE_STATS_ENABLED"] = "0"
    made = games(EXPERIMENT)
    head = {"num_cpus": 0, "object_store_memory": STORE, "include_dashboard": False}
    cluster = Cluster(initialize_head=True, head_node_args=head)
    node = {"num_cpus": 1, "object_store_memory": STORE}
    cluster.add_node(**node, resources={"first": 1})
    cluster.add_node(**node)
    cluster.wait_for_nodes()
    ray.init(address=cluster.address, log_to_driver=False)
    print(f"{len(made)} games of gene45 at depth 3.\n")
    try:
        for nodes in (1, 2):
            # Workers start and load the engine.
            assert same(Measured(made, 0.3, nodes), made)
        lengths(made, rounds)
        nodes_in_turns(made, rounds)
    finally:
        ray.shutdown()
        cluster.shutdown()


def lengths(made: Batch, rounds: int) -> None:
    """Chunks of several lengths on one node."""
    alone: list[float] = []
    measured: dict[float, list[Measured]] = {seconds: [] for seconds in (0.1, 0.3, 1.0, 3.0)}
    for _ in range(rounds):
        began = time.perf_counter()
        made.play(0, len(made))
        alone.append(time.perf_counter() - began)
        for seconds, runs in measured.items():
            runs.append(Measured(made, seconds))
    print("One node of one core; the same games in one process took", end=" ")
    print(f"{min(alone):.2f} s at best, {statistics.median(alone):.2f} s in the median.\n")
    print("| chunk length | chunks | best s | median s | driver's share, median |\n|---|---|---|---|---|")
    for seconds, runs in measured.items():
        share = statistics.median(run.wall / run.busy - 1 for run in runs)
        walls = [run.wall for run in runs]
        cells = f"{runs[0].chunks} | {min(walls):.2f} | {statistics.median(walls):.2f}"
        print(f"| {seconds} s | {cells} | {100 * share:.1f} % |")


def nodes_in_turns(made: Batch, rounds: int) -> None:
    """One node and two nodes in turns."""
    pairs = [(Measured(made, 1.0, 1), Measured(made, 1.0, 2)) for _ in range(2 * rounds)]
    print("\n| nodes | best s | median s | chunks at work | processor s |\n|---|---|---|---|---|")
    for name, runs in zip(("one", "two"), zip(*pairs, strict=True), strict=True):
        walls = [run.wall for run in runs]
        work = statistics.median(run.at_work for run in runs)
        cpu = statistics.median(run.cpu for run in runs)
        cells = f"{min(walls):.2f} | {statistics.median(walls):.2f} | {work:.2f} | {cpu:.2f}"
        print(f"| {name} | {cells} |")
    walls = [one.wall / two.wall for one, two in pairs]
    work = statistics.median(two.at_work / one.at_work for one, two in pairs)
    shares = [statistics.median(run.cpu / run.busy for run in runs) for runs in zip(*pairs, strict=True)]
    print(f"\nTwo nodes: {statistics.median(walls):.2f} times as fast in the median of pairs", end=" ")
    print(f"({min(walls):.2f} to {max(walls):.2f}), {work:.2f} times as many chunks at work.", end=" ")
    print(f"A chunk had {100 * shares[0]:.0f} % of a core with one node, {100 * shares[1]:.0f} % with two.")


def same(run: Measured, made: Batch) -> bool:
    """Whether the driver's margins are those of one process."""
    together = b"".join(played for _, played in sorted(run.margins.items()))
    return bool((np.frombuffer(together, np.int8) == made.play(0, len(made))).all())


if __name__ == "__main__":
    main()
