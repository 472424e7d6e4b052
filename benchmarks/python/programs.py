"""Two nodes of Ray against one, with programs of 10 ms a move: `cargo xtask bench cluster [ROUNDS]`.

The machine is shared, so one node and two are measured in turns, and beside the time on the wall stands how many chunks
were at work.
"""

from __future__ import annotations

import os
import statistics
import sys
import tempfile
import time
from pathlib import Path

import ray
from ray.cluster_utils import Cluster
from turncoat.cluster import Pool, tournament
from turncoat.lab import Tournament

# Any legal move after some milliseconds that are slept, so that a busy core takes none of them.
PROGRAM = """
import time


class AI(object):
    def __init__(self, chessboard_size, color, time_out):
        self.size, self.color, self.candidate_list = chessboard_size, color, []

    def go(self, board):
        end = time.perf_counter() + 0.01
        cells = [(row, column) for row in range(self.size) for column in range(self.size) if board[row][column] == 0]
        moves = [cell for cell in cells if self.turns(board, *cell)]
        self.candidate_list = moves + moves[NUMBER % len(moves):][:1] if moves else []
        time.sleep(max(0, end - time.perf_counter()))

    def turns(self, board, row, column):
        for down in (-1, 0, 1):
            for right in (-1, 0, 1):
                r, c, seen = row + down, column + right, 0
                while (down or right) and 0 <= r < self.size and 0 <= c < self.size and board[r][c] == -self.color:
                    r, c, seen = r + down, c + right, seen + 1
                if seen and 0 <= r < self.size and 0 <= c < self.size and board[r][c] == self.color:
                    return True
        return False
"""

STORE = 100 * 1024 * 1024


def main() -> None:
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 3
    os.environ["RAY_USAGE_STATS_ENABLED"] = "0"
    load = ", ".join(f"{each:.1f}" for each in os.getloadavg())
    print(f"{os.cpu_count()} cores, load {load}; {rounds} rounds")
    with tempfile.TemporaryDirectory() as folder:
        players = []
        for number in range(4):
            file = Path(folder) / f"p{number}.py"
            file.write_text(PROGRAM.replace("NUMBER", str(number)))
            players.append(f"py:{file}")
        head = {"num_cpus": 1, "object_store_memory": STORE, "include_dashboard": False}
        cluster = Cluster(initialize_head=True, head_node_args=head)
        ray.init(address=cluster.address, log_to_driver=False)
        try:
            measure(cluster, players, rounds)
        finally:
            ray.shutdown()
            cluster.shutdown()


def measure(cluster: Cluster, players: list[str], rounds: int) -> None:
    play(players)
    walls: dict[int, list[float]] = {1: [], 2: []}
    work: dict[int, list[float]] = {1: [], 2: []}
    for _ in range(rounds):
        for nodes in (1, 2):
            added = cluster.add_node(num_cpus=1, object_store_memory=STORE) if nodes == 2 else None
            cluster.wait_for_nodes()
            if added is not None:
                # Its first workers are started, and programs travel there.
                play(players)
            seconds, busy = play(players)
            walls[nodes].append(seconds)
            work[nodes].append(busy / seconds)
            if added is not None:
                cluster.remove_node(added)
    print("| nodes | best s | median s | chunks at work |\n|---|---|---|---|")
    for nodes in (1, 2):
        cells = f"{min(walls[nodes]):.1f} | {statistics.median(walls[nodes]):.1f} | {statistics.median(work[nodes]):.2f}"
        print(f"| {nodes} | {cells} |")
    ratios = [one / two for one, two in zip(walls[1], walls[2], strict=True)]
    print(f"Two nodes: {statistics.median(ratios):.2f} times as many games a second ({min(ratios):.2f} to {max(ratios):.2f}).")


def play(players: list[str]) -> tuple[float, float]:
    """Seconds on the wall, and seconds that chunks were at work."""
    run = Tournament(players, games=4, time=1.0)
    pool = Pool()
    began = time.perf_counter()
    tournament(run, pool)
    faults = sum(row["faults"] for row in run.summary()["table"])
    if faults:
        print(f"{faults} games were lost by faults")
    return time.perf_counter() - began, pool.busy


if __name__ == "__main__":
    main()
