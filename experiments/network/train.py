#!/usr/bin/env python3
"""Trains a network from self-play games: needs PyTorch and numpy, a GPU or a core.

    python experiments/network/train.py runs/games --out small.net --minutes 10
    python experiments/network/train.py runs/games-3 runs/games-4 --out large.net --parts all --units 32 --device cuda

The games are replayed on the device; one in 25 is held out, and errors are those of its positions against the results.
Every minute the network is written as it is, so that it may be stopped at any time, and so is OUT.pt, from which
`--resume` continues. `turncoat train probcut --eval OUT.net --out OUT.probcut.toml` comes next.
"""

from __future__ import annotations

import argparse
import math
import signal
import sys
import time
from pathlib import Path
from typing import Any

import netfile
import numpy as np
import torch
from positions import Positions, Rows, count, read_games, read_parts, replay
from torch import nn
from torch.nn import functional

HELD_OUT = 25
"""One game in this many."""
DISCS = 16.0
"""The output in discs for an output of one, so that all parameters are of like size."""
SHAPES_OF_TEN = {1, 2, 3, 5, 13}
"""The shapes of ten squares without the edge: without them a network is small."""


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("games", nargs="+", type=Path, help="folders of `turncoat train selfplay`")
    parser.add_argument("--out", type=Path, required=True, help="the network to write, as in small.net")
    parser.add_argument("--minutes", type=float, default=10.0, help="time for training, reading games not included")
    parser.add_argument("--epochs", type=float, default=math.inf, help="most passes over the positions")
    parser.add_argument("--device", default="cuda" if torch.cuda.is_available() else "cpu")
    parser.add_argument("--parts", default="small", help="small, all, or the numbers of parts.json's shapes and counts")
    parser.add_argument("--units", type=int, default=16, help="of the accumulator: 16 to 128 by 16")
    parser.add_argument("--hidden", type=int, nargs="+", default=[16], help="of one or two hidden layers: 16 to 64 by 16")
    parser.add_argument("--stages", type=int, default=10, help="heads, by empties")
    parser.add_argument("--trust", type=float, default=0.7, help="share of the result in a label, rather than the score")
    parser.add_argument("--batch", type=int, default=0, help="positions of a step (16384 on a GPU, 8192 otherwise)")
    parser.add_argument("--rate", type=float, default=2e-3, help="the learning rate at its highest")
    parser.add_argument("--decay", type=float, default=0.05, help="how strongly vectors are pulled to zero")
    parser.add_argument(
        "--factors",
        type=int,
        default=0,
        choices=[0, 1, 2],
        help="vectors share parts with others of their shape: those of a square's contents (1), of a pair's too (2)",
    )
    parser.add_argument("--most-games", type=int, default=None)
    parser.add_argument("--resume", action="store_true", help="continue from OUT.pt")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--log", type=Path, default=None, help="a file that gets a copy of what is printed")
    args = parser.parse_args()
    args.batch = args.batch or (16384 if args.device.startswith("cuda") else 8192)
    if args.out.suffix != ".net":
        parser.error("--out: networks are called NAME.net")
    if args.resume and not args.out.with_suffix(".pt").exists():
        parser.error(f"--resume: there is no {args.out.with_suffix('.pt')}")
    return args


def say(args: argparse.Namespace, line: str) -> None:
    print(line, flush=True)
    if args.log is not None:
        with args.log.open("a") as log:
            print(line, file=log)


def chosen_parts(text: str) -> list[int]:
    described = read_parts()
    shapes, counts = len(described["shapes"]), len(described["counts"])
    every = list(range(shapes + counts))
    if text == "all":
        return every
    if text == "small":
        return [part for part in every if part not in SHAPES_OF_TEN]
    return sorted({int(word) for word in text.split(",")} & set(every))


class SumOnCore(torch.autograd.Function):
    """Sums of rows of a table. PyTorch's own gradient takes twice the time on a core; on a GPU it is the better one."""

    @staticmethod
    def forward(ctx: Any, table: torch.Tensor, rows: torch.Tensor) -> torch.Tensor:
        ctx.save_for_backward(rows)
        ctx.shape = table.shape
        return functional.embedding_bag(rows, table, mode="sum")

    @staticmethod
    def backward(ctx: Any, gradient: torch.Tensor) -> tuple[torch.Tensor, None]:
        (rows,) = ctx.saved_tensors
        each = gradient[:, None, :].expand(-1, rows.shape[1], -1).reshape(-1, gradient.shape[1])
        return gradient.new_zeros(ctx.shape).index_add_(0, rows.reshape(-1), each), None


class Net(nn.Module):
    """The network in real numbers, within the bounds of the integers it will have."""

    def __init__(self, rows: Rows, factors: int, units: int, hidden: list[int], stages: int) -> None:
        super().__init__()
        # Contents that never occur stay at zero.
        self.own = nn.Parameter(torch.zeros(rows.count, units))
        # What vectors have in common: rare contents then have the vectors of their squares.
        tables = rows.factors(factors) if factors else []
        self.shared = nn.ParameterList(torch.zeros(table.shape[1], units) for table in tables)
        self.shares = [torch.as_tensor(table) for table in tables]
        self.bias = nn.Parameter(0.1 * torch.randn(units))
        sizes = [2 * units, *hidden]
        uniform = [(torch.rand(stages, b, a) * 2 - 1) * math.sqrt(3 / a) for a, b in zip(sizes, sizes[1:], strict=False)]
        self.hidden = nn.ParameterList(uniform)
        self.biases = nn.ParameterList(0.25 * torch.rand(stages, size) for size in hidden)
        self.output = nn.Parameter((torch.rand(stages, hidden[-1]) * 2 - 1) / math.sqrt(hidden[-1]))
        self.output_bias = nn.Parameter(torch.zeros(stages))

    def table(self) -> torch.Tensor:
        if not self.shares:
            return self.own
        if self.shares[0].device != self.own.device:
            self.shares = [share.to(self.own.device) for share in self.shares]
        shared = [share @ parts for share, parts in zip(self.shares, self.shared, strict=True)]
        rest = self.own.new_zeros(len(self.own) - sum(map(len, shared)), self.own.shape[1])
        return self.own + torch.cat([*shared, rest])

    def forward(self, rows: torch.Tensor, stage: torch.Tensor, table: torch.Tensor | None = None) -> torch.Tensor:
        full = 127 / netfile.UNIT
        table = self.table() if table is None else table
        sums = functional.embedding_bag(rows, table, mode="sum") if rows.is_cuda else SumOnCore.apply(table, rows)
        units = (sums + self.bias).clamp(-full, full)
        units = torch.cat([units.relu(), (-units).relu()], dim=1)
        for number, (weights, biases) in enumerate(zip(self.hidden, self.biases, strict=True)):
            if number == 0:
                # All stages at once and the right one taken: faster than a matrix of its own for every position.
                stages, size, inputs = weights.shape
                sums = (units @ weights.reshape(stages * size, inputs).T).reshape(-1, stages, size)
                sums = sums.gather(1, stage[:, None, None].expand(-1, 1, size)).squeeze(1)
            else:
                sums = torch.einsum("bi,boi->bo", units, weights[stage])
            units = (sums + biases[stage]).clamp(0, full)
        return DISCS * ((units * self.output[stage]).sum(dim=1) + self.output_bias[stage])

    @torch.no_grad()
    def keep_in_bounds(self) -> None:
        if not self.shares:
            self.own.clamp_(-127 / netfile.ACCUMULATOR, 127 / netfile.ACCUMULATOR)
        for weights in self.hidden:
            weights.clamp_(-127 / netfile.HIDDEN, 127 / netfile.HIDDEN)

    def quantised(self, variant: str, parts: list[int]) -> netfile.Network:
        def numbers(parameter: torch.Tensor) -> np.ndarray:
            return parameter.detach().float().cpu().numpy()

        return netfile.quantised(
            variant,
            parts,
            numbers(self.bias),
            numbers(self.table().clamp(-127 / netfile.ACCUMULATOR, 127 / netfile.ACCUMULATOR)),
            [(numbers(w), numbers(b)) for w, b in zip(self.hidden, self.biases, strict=True)],
            DISCS * numbers(self.output),
            DISCS * numbers(self.output_bias),
        )


class Data:
    """Positions ready for training, on the device."""

    def __init__(self, positions: Positions, rows: Rows, stages: int, trust: float) -> None:
        chunks = [slice(at, at + 65536) for at in range(0, len(positions.mover), 65536)]
        self.rows = torch.cat([rows.of(positions.mover[chunk], positions.other[chunk]) for chunk in chunks])
        self.empties = count(~(positions.mover | positions.other)).to(torch.int16)
        self.stage = ((60 - self.empties.clamp(0, 60)) * stages // 61).to(torch.uint8)
        self.result = positions.result.to(torch.int8)
        self.label = (trust * positions.result + (1 - trust) * positions.score).to(torch.float32)

    def __len__(self) -> int:
        return len(self.label)


def load(args: argparse.Namespace, rows: Rows) -> tuple[str, Data, Data]:
    games = read_games(args.games, args.most_games)
    positions = replay(games, torch.zeros(1, device=args.device))
    some = Positions(*(field[:: len(positions.game) // 1000 + 1] for field in vars(positions).values()))
    on_core = rows.of(some.mover.cpu().numpy(), some.other.cpu().numpy())
    if (rows.of(some.mover, some.other).cpu().numpy() != on_core).any():
        raise RuntimeError(f"{args.device} computes other indices than numpy")
    held_out = positions.game % HELD_OUT == 0
    # Positions of both kinds tell nothing.
    code = positions.mover * 0x1D8E4E27C47D124F ^ positions.other * 0x62A9D9ED799705F5
    known = held_out & torch.isin(code, code[~held_out])

    def those(which: torch.Tensor) -> Positions:
        return Positions(*(field[which] for field in vars(positions).values()))

    training = Data(those(~held_out), rows, args.stages, args.trust)
    return games.variant, training, Data(those(held_out & ~known), rows, args.stages, 1.0)


@torch.no_grad()
def mean_square(net: Net, data: Data, batch: int) -> float:
    total, table = 0.0, net.table()
    for at in range(0, len(data), batch):
        chunk = slice(at, at + batch)
        value = net(data.rows[chunk], data.stage[chunk].long(), table)
        total += ((value - data.label[chunk]) ** 2).sum().item()
    return total / max(1, len(data))


def by_empties(network: netfile.Network, data: Data) -> list[str]:
    """Errors of the network in integers, on at most 100,000 positions held out."""
    every = max(1, len(data) // 100_000)
    rows, empties, results = (field[::every].cpu().numpy() for field in [data.rows, data.empties, data.result])
    estimates = np.concatenate(
        [network.values(rows[at : at + 4096], empties[at : at + 4096].astype(int)) for at in range(0, len(rows), 4096)]
    )
    error = estimates / 64 - results
    lines = [f"in integers: mean absolute error {np.abs(error).mean():.3f}, root mean square {np.sqrt((error**2).mean()):.3f}"]
    for first in range(0, 60, 10):
        here = error[(empties >= first) & (empties < first + 10)]
        if len(here):
            lines.append(f"  {first:2}-{first + 9} empties: {np.abs(here).mean():.3f}, {np.sqrt((here**2).mean()):.3f}")
    return lines


def main() -> int:
    args = arguments()
    torch.manual_seed(args.seed)
    # The indices of patterns are computed by a product of matrices, which must be exact.
    torch.set_float32_matmul_precision("highest")
    parts = chosen_parts(args.parts)
    rows = Rows(parts)
    began = time.monotonic()
    variant, training, held_out = load(args, rows)
    seconds = time.monotonic() - began
    say(args, f"{variant}: {len(training):,} positions, {len(held_out):,} held out, {seconds:.0f} s")
    net = Net(rows, args.factors, args.units, args.hidden, args.stages).to(args.device)
    size = sum(parameter.numel() for parameter in net.parameters())
    on = torch.cuda.get_device_name() if args.device.startswith("cuda") else args.device
    say(args, f"{len(parts)} parts, {rows.count:,} vectors of {args.units}, {size:,} parameters, on {on}")
    others = [parameter for name, parameter in net.named_parameters() if name != "own"]
    optimiser = torch.optim.AdamW(
        [
            {"params": [net.own], "weight_decay": args.decay},
            {"params": others, "weight_decay": 0.0},
        ],
        fused=args.device.startswith("cuda"),
    )
    checkpoint, done, spent = args.out.with_suffix(".pt"), 0, 0.0
    if args.resume:
        saved = torch.load(checkpoint, map_location=args.device)
        net.load_state_dict(saved["net"])
        optimiser.load_state_dict(saved["optimiser"])
        done, spent = saved["done"], saved["spent"]

    def save(seconds: float) -> int:
        state = {"net": net.state_dict(), "optimiser": optimiser.state_dict(), "done": done, "spent": seconds}
        torch.save(state, checkpoint)
        return netfile.write(args.out, net.quantised(variant, parts))

    stopped: list[int] = []
    signal.signal(signal.SIGINT, lambda number, _: stopped.append(number))
    signal.signal(signal.SIGTERM, lambda number, _: stopped.append(number))
    began = time.monotonic() - spent
    said = saved_at = time.monotonic()
    loss, steps, progress = torch.zeros((), device=args.device), 0, 0.0
    order = torch.randperm(len(training), device=args.device)
    while progress < 1 and not stopped:
        at = done % len(training)
        if at + args.batch > len(training):
            order, done = torch.randperm(len(training), device=args.device), done + len(training) - at
            continue
        chosen = order[at : at + args.batch]
        seconds = time.monotonic() - began
        progress = max(seconds / 60 / args.minutes, done / len(training) / args.epochs)
        # Up within the first twentieth, then down along a cosine.
        rate = args.rate * min(progress * 20 + 0.01, 0.5 + 0.5 * math.cos(math.pi * min(progress, 1.0)))
        for group in optimiser.param_groups:
            group["lr"] = rate
        value = net(training.rows[chosen], training.stage[chosen].long())
        error = ((value - training.label[chosen]) ** 2).mean()
        optimiser.zero_grad(set_to_none=True)
        error.backward()
        optimiser.step()
        net.keep_in_bounds()
        loss, steps, done = loss + error.detach(), steps + 1, done + args.batch
        now = time.monotonic()
        if now - said > 15:
            square = mean_square(net, held_out, args.batch)
            say(
                args,
                f"{now - began:5.0f} s, pass {done / len(training):6.2f}: loss {loss.item() / steps:7.3f}, "
                f"held out {square:7.3f} ({math.sqrt(square):.3f} discs), rate {rate:.5f}",
            )
            loss, steps, said = torch.zeros_like(loss), 0, time.monotonic()
        if now - saved_at > 60:
            save(now - began)
            saved_at = time.monotonic()
    size = save(time.monotonic() - began)
    error = math.sqrt(mean_square(net, held_out, args.batch))
    say(args, f"pass {done / len(training):.2f}: held out {error:.3f} discs; {args.out}: {size:,} bytes")
    for line in by_empties(net.quantised(variant, parts), held_out):
        say(args, line)
    return 0


if __name__ == "__main__":
    sys.exit(main())
