"""Does adapting pay? Measures the player `adaptive` beside its base.

    python3 experiments/adapting/measure.py --games 60 --out runs/adapting

Evolves twenty parameter sets for each game, then lets the base and the adapting player meet each opponent in the same
openings, one game after the other. What is there is not played again, so a stopped run continues. Prints the tables of
docs/benchmarks/adapting.md.
"""

import argparse
import json
import math
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).parent
SETS = 20
CLASSICS = {
    "reversed": [
        "gene45:depth=3",
        "nine-weights",
        "top-six",
        "top-six:set=static",
        "top-six:set=genetic",
        "shifting-weights",
        "shifting-weights:form=greedy",
        "linear:depth=3",
    ],
    "reversi": ["six-stage", "linear:depth=3"],
}
GAMES = {
    "reversed": ("gene45:depth=3", "adaptive:base=gene45,depth=3", "gene45:depth=5"),
    "reversi": ("six-stage", "adaptive:base=six-stage", "six-stage:depth=6"),
}
STRONG = "turncoat:level=10"
# The sequential test of the mean difference in points: none, or that of 10 Elo between equals; 5 % errors.
ELO, BOUND = 10, math.log(0.95 / 0.05)


def run(turncoat, *words):
    """The standard output of a command."""
    done = subprocess.run([turncoat, *map(str, words)], stdout=subprocess.PIPE, text=True)
    if done.returncode:
        sys.exit(f"measure.py: turncoat {' '.join(map(str, words))} has failed")
    return done.stdout


def evolve(options, variant):
    """The players of the evolved parameter sets."""
    experiment = {"reversed": "gene45", "reversi": "six-stage"}[variant]
    for seed in range(options.first_seed, options.first_seed + SETS):
        folder = options.out / f"{variant}-{seed}"
        champion = folder / "champion.toml"
        if not champion.exists():
            begun = ["--resume", folder] if folder.exists() else [
                HERE / f"{experiment}.toml", "--seed", seed, "--out", folder]
            run(options.turncoat, "train", "genetic", *begun, "--quiet")
        depth = ",depth=3" if variant == "reversed" else ""
        yield f"{experiment}:weights={champion}{depth}"


def play(options, variant, player, opponent, games, name):
    """The points of a player, pair by pair."""
    file = options.out / f"{name}.jsonl"
    if not file.exists():
        # One game after the other: what was learnt in one is there in the next.
        words = ["match", player, opponent, "--variant", variant, "--games", games, "--seed", options.seed]
        words += ["--openings", "random:8", "--concurrency", 1, "--json", "--quiet"]
        part = file.with_suffix(".part")
        part.write_text(run(options.turncoat, *words))
        part.replace(file)
    rows = [json.loads(line) for line in file.read_text().splitlines()]
    points = {"black": (1.0, 0.0), "white": (0.0, 1.0)}
    games = [points.get(row["winner"], (0.5, 0.5))[(row["game"] + 1) % 2] for row in rows if "game" in row]
    return [(a + b) / 2 for a, b in zip(games[::2], games[1::2])]


def mean_and_error(numbers):
    """The mean, and half the width of its 95 % interval."""
    mean = sum(numbers) / len(numbers)
    variance = sum((number - mean) ** 2 for number in numbers) / max(len(numbers) - 1, 1)
    return mean, 1.96 * math.sqrt(variance / len(numbers))


def decide(differences):
    """After how many pairs the sequential test decides, and for what (Wald's test, normal approximation)."""
    gain = 1 / (1 + 10 ** (-ELO / 400)) - 0.5
    total = squares = 0.0
    for count, difference in enumerate(differences, 1):
        total, squares = total + difference, squares + difference * difference
        # Before some pairs nobody knows the variance.
        variance = squares / count - (total / count) ** 2
        if count < 20 or variance <= 0:
            continue
        ratio = gain * (total - count * gain / 2) / variance
        if abs(ratio) >= BOUND:
            return f"{'better' if ratio > 0 else 'not better'} after {count} pairs"
    return f"open after {len(differences)} pairs"


def row(name, base, own, deeper):
    """A line of the table, and the differences."""
    differences = [b - a for a, b in zip(base, own)]
    mean, error = mean_and_error(differences)
    scores = " | ".join(f"{100 * sum(p) / len(p):.1f}" if p else "–" for p in (base, own, deeper))
    print(f"| {name} | {scores} | {100 * mean:+.1f} ± {100 * error:.1f} |", flush=True)
    return differences


def measure(options, variant):
    """One game's table."""
    base, adaptive, deeper = GAMES[variant]
    evolved = list(evolve(options, variant))
    groups = {"classics": CLASSICS[variant], "evolved": evolved}
    print(f"\n{variant}, {options.games} games with each; points in %:\n")
    print(f"| opponent | `{base}` | `{adaptive}` | `{deeper}` | difference |\n|---|---:|---:|---:|---:|")
    sums = {}
    for group, opponents in groups.items():
        pairs = []
        for number, opponent in enumerate(opponents, 1):
            arms = [play(options, variant, player, opponent, options.games, f"{variant}-{group}-{number}-{arm}")
                    for arm, player in enumerate((base, adaptive, deeper))]
            label = f"`{opponent}`" if group == "classics" else f"evolved, seed {options.first_seed + number - 1}"
            pairs.append(row(label, *arms))
        # Round by round, as if all matches were under way at the same time.
        sums[group] = [difference for round_ in zip(*pairs) for difference in round_]
    arms = [play(options, variant, player, STRONG, options.strong_games, f"{variant}-strong-{arm}")
            for arm, player in enumerate((base, adaptive))]
    row(f"`{STRONG}` ({options.strong_games} games)", *arms, [])
    for group, differences in sums.items():
        mean, error = mean_and_error(differences)
        late = differences[len(differences) // 2:]
        print(f"\n{variant}, {group}: {100 * mean:+.1f} ± {100 * error:.1f} points in 100 games, "
              f"{100 * mean_and_error(late)[0]:+.1f} in the second half; {decide(differences)}.")


def main():
    """Reads the options and measures."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--turncoat", default="target/release/turncoat", help="the program")
    parser.add_argument("--games", type=int, default=60, help="games with each opponent")
    parser.add_argument("--strong-games", type=int, default=400, help=f"games with {STRONG}")
    parser.add_argument("--seed", type=int, default=1, help="seed of the openings")
    parser.add_argument("--first-seed", type=int, default=1, help="seed of the first evolution")
    parser.add_argument("--variant", choices=sorted(GAMES), help="one game alone")
    parser.add_argument("--out", type=Path, default=Path("runs/adapting"), help="where all is kept")
    options = parser.parse_args()
    if options.games < 4 or options.games % 2 or options.strong_games < 4 or options.strong_games % 2:
        parser.error("games come in pairs, at least two")
    options.out.mkdir(parents=True, exist_ok=True)
    for variant in [options.variant] if options.variant else sorted(GAMES):
        measure(options, variant)


if __name__ == "__main__":
    main()
