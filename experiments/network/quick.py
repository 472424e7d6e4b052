#!/usr/bin/env python3
"""From self-play games to a network that plays, the short way: needs the package turncoat, PyTorch and numpy.

    turncoat train selfplay experiments/network/selfplay.toml --out runs/games
    python experiments/network/quick.py runs/games --out runs/quick.net --minutes 1
    turncoat match turncoat:eval=runs/quick.net turncoat:eval=hand --depth 4

Model and file are those of train.py, which has more settings, checkpoints and shared parts. Ctrl-C ends the training
early, with a network.
"""

from __future__ import annotations

import argparse
import math
import signal
import sys
import time
from pathlib import Path

import netfile
import numpy as np
import torch
from positions import Rows, count
from train import HELD_OUT, Net, chosen_parts
from turncoat import batch
from turncoat.lab import read_positions

STAGES, UNITS, HIDDEN = 10, 16, [16]
BATCH, RATE, DECAY = 8192, 2e-3, 0.05
RESULT = 0.7
"""Share of the result in a label; the rest is what the mover thought."""
SAY = 10.0
"""Seconds between two lines of progress."""


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("games", nargs="+", type=Path, help="folders of `turncoat train selfplay`")
    parser.add_argument("--out", type=Path, required=True, help="the network to write, as in quick.net")
    parser.add_argument("--minutes", type=float, default=1.0)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    if args.out.suffix != ".net":
        parser.error("--out: networks are called NAME.net")
    if args.out.exists():
        parser.error(f"--out: {args.out} exists")
    return args


class Data:
    """Positions with their labels; what the network reads of them is computed batch by batch."""

    def __init__(self, rows: Rows, boards: np.ndarray, labels: np.ndarray) -> None:
        self.rows, self.boards = rows, boards.view(np.int64)
        self.labels = torch.from_numpy(labels.astype(np.float32))

    def __len__(self) -> int:
        return len(self.labels)

    def inputs(self, chosen: np.ndarray | slice) -> tuple[torch.Tensor, torch.Tensor]:
        """The rows of the network's table, and the stage, of each position."""
        mover, other = self.boards[chosen].T
        stage = (60 - count(~(mover | other)).clip(0, 60)) * STAGES // 61
        return torch.from_numpy(self.rows.of(mover, other)), torch.from_numpy(stage)


@torch.no_grad()
def error(net: Net, data: Data) -> float:
    """The mean absolute error in discs on at most 50,000 positions."""
    some = np.arange(0, len(data), len(data) // 50_000 + 1)
    parts = np.array_split(some, len(some) // BATCH + 1)
    errors = [(net(*data.inputs(part)) - data.labels[part]).abs().sum().item() for part in parts]
    return sum(errors) / max(1, len(some))


def train(net: Net, training: Data, held_out: Data, minutes: float) -> None:
    optimiser = torch.optim.AdamW(net.parameters(), weight_decay=DECAY)
    stopped: list[int] = []
    signal.signal(signal.SIGINT, lambda number, _: stopped.append(number))
    random = np.random.default_rng(1)
    began = said = time.monotonic()
    order, seen, progress = random.permutation(len(training)), 0, 0.0
    while progress < 1 and not stopped:
        at = seen % len(training)
        chosen = order[at : at + BATCH]
        if at + len(chosen) == len(training):
            order = random.permutation(len(training))
        # Up within the first twentieth, then down along a cosine.
        progress = (time.monotonic() - began) / 60 / minutes
        rate = RATE * min(20 * progress + 0.01, 0.5 + 0.5 * math.cos(math.pi * min(progress, 1.0)))
        for group in optimiser.param_groups:
            group["lr"] = rate
        loss = ((net(*training.inputs(chosen)) - training.labels[chosen]) ** 2).mean()
        optimiser.zero_grad(set_to_none=True)
        loss.backward()
        optimiser.step()
        net.keep_in_bounds()
        seen += len(chosen)
        if time.monotonic() - said > SAY or progress >= 1:
            said = time.monotonic()
            speed = seen / (said - began)
            print(f"{said - began:4.0f} s, {speed:,.0f} positions/s: {error(net, held_out):.2f} discs off", flush=True)


def main() -> int:
    args = arguments()
    torch.manual_seed(args.seed)
    began = time.monotonic()
    found = read_positions(*args.games, threads=torch.get_num_threads())
    print(f"{len(found.boards):,} positions of {found.variant} in {time.monotonic() - began:.2f} s")
    parts = chosen_parts("small")
    rows, apart = Rows(parts), found.games % HELD_OUT == 0
    labels = RESULT * found.results + (1 - RESULT) * found.scores
    held_out = Data(rows, found.boards[apart], found.results[apart])
    net = Net(rows, 0, UNITS, HIDDEN, STAGES)
    train(net, Data(rows, found.boards[~apart], labels[~apart]), held_out, args.minutes)
    size = netfile.write(args.out, net.quantised(found.variant, parts))
    # As the engine computes it, in integers.
    values = batch.estimate(found.boards[apart], evaluation=str(args.out), variant=found.variant)
    off = np.abs(values - found.results[apart]).mean()
    print(f"{args.out}: {size:,} bytes, {off:.2f} discs off on {apart.sum():,} positions held out")
    return 0


if __name__ == "__main__":
    sys.exit(main())
