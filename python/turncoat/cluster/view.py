"""Output of a run: results on standard output, progress on standard error."""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, TextIO

from .._engine import BookRun, GeneticRun, LadderRun, LoopRun, Replicates, SelfplayRun, Sweep, Tournament

# Seconds between two lines of progress.
_BETWEEN = 10.0


@contextlib.contextmanager
def results(*, quiet: bool) -> Iterator[TextIO]:
    """Reserves standard output for results.

    Ray and its processes write anywhere; their output goes to standard error, or nowhere if `quiet`.
    """
    sys.stdout.flush()
    sys.stderr.flush()
    kept = [os.dup(1), os.dup(2)]
    if quiet:
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, 1)
        os.dup2(nowhere, 2)
        os.close(nowhere)
    else:
        os.dup2(2, 1)
    try:
        with os.fdopen(os.dup(kept[0]), "w", encoding="utf-8") as stream:
            yield stream
    finally:
        with contextlib.suppress(OSError):
            sys.stdout.flush()
            sys.stderr.flush()
        for number, old in enumerate(kept, 1):
            os.dup2(old, number)
            os.close(old)


class View:
    """Progress and results of a run."""

    def __init__(
        self,
        options: argparse.Namespace,
        run: BookRun | GeneticRun | LadderRun | LoopRun | Replicates | SelfplayRun | Sweep | Tournament | Path,
        stream: TextIO,
    ):
        self.options = options
        self.run = run
        self.stream = stream
        self.played = 0
        self.rows: list[dict[str, Any]] = []
        self.began = time.monotonic()
        self.last = self.began
        shown = str(run) if isinstance(run, Path) else repr(run)
        self.tell(f"{run.title}: {shown}" if isinstance(run, GeneticRun) else shown)

    @property
    def seconds(self) -> float:
        return time.monotonic() - self.began

    @property
    def what(self) -> str:
        return "searches" if isinstance(self.run, BookRun) else "games"

    def tell(self, text: str) -> None:
        if not self.options.quiet:
            print(text, file=sys.stderr, flush=True)

    def games(self, count: int) -> None:
        self.played += count
        if time.monotonic() - self.last >= _BETWEEN:
            self.last = time.monotonic()
            place = ""
            if isinstance(self.run, GeneticRun):
                place = f"{self.run.done} of {self.run.generations} generations, "
            self.tell(f"{place}{self.played} {self.what}, {self.played / self.seconds:.0f} {self.what}/s")

    def generation(self, record: dict[str, Any]) -> None:
        if self.options.json:
            self._line(json.dumps(record))

    def round(self, record: dict[str, Any]) -> None:
        verdict = "accepted" if record["accepted"] else "refused"
        met = [*record["yardsticks"], record["test"]]
        points = ", ".join(f"{share(each['result']):.1%} against {each['opponent']}" for each in met)
        text = f"round {record['round']}: {record['games']} games at depth {record['depth']}; {points}: {verdict}"
        if self.options.json or not self.options.quiet:
            self._print(record, text)

    def end(self, chunks: int, lost: int) -> None:
        again = f", {lost} replayed" if lost else ""
        self.tell(f"{self.played} {self.what} in {chunks} chunks{again}, {self.seconds:.1f} s")

    def genetic(self, run: GeneticRun, result: dict[str, Any]) -> None:
        champion = result["standings"][0]
        weights = Path(run.folder) / "champion.toml"
        summary = {
            "summary": True,
            "generations": run.done,
            "champion": champion,
            "weights": str(weights),
            "report": str(Path(run.folder) / "report.html"),
        }
        text = (
            f"champion: individual {champion['id']} of generation {champion['generation']}, "
            f"{champion['points']} points\nweights:  {weights}"
        )
        self._print(summary, text)

    def selfplay(self, run: SelfplayRun, played: int) -> None:
        summary = {"summary": True, "games": run.games, "played": played, "seconds": self.seconds}
        self._print(summary, f"{played} games in {run.folder}")

    def book(self, summary: dict[str, Any]) -> None:
        summary |= {"seconds": self.seconds}
        worth = "" if summary["score"] is None else f", {summary['score']:+.2f} for black at the start"
        end = "; complete" if summary["complete"] else ""
        text = f"{summary['searched']} positions searched, {summary['nodes']} nodes in {self.seconds:.1f} s; "
        self._print(summary, f"{text}{summary['positions']} in {self.options.file.name}{worth}{end}")

    def several(self, run: Replicates | Sweep, found: list[dict[str, Any]]) -> None:
        for point in found:
            estimates = zip(point["measures"], point["estimates"], strict=True)
            told = [f"{label}: {estimate_of(value)}" for label, value in estimates]
            self._print(point, "\n".join([f"{point.get('settings', 'all')}, {point['runs']} runs", *told]))
        self._print({"summary": True, "folder": str(run.folder)}, f"table and curves: {run.folder}")

    def rated(self, run: Path, rates: list[dict[str, Any]]) -> None:
        for rate in rates:
            won, games = rate["black_wins"] + rate["white_wins"], rate["draws"] + rate["losses"]
            text = f"generation {rate['generation']}: {won} of {games + won} games won, {rate['draws']} drawn"
            self._print(rate, text)
        self._print({"summary": True, "generations": len(rates)}, f"table and curve: {run / 'rates'}")

    def loop(self, run: LoopRun, result: dict[str, Any]) -> None:
        summary = {"summary": True, "rounds": run.rounds}
        summary |= {"weights": result["weights"], "report": result["report"]}
        weights = result["weights"] or "no round was better than the hand-made evaluation"
        self._print(summary, f"weights:  {weights}\nreport:   {result['report']}")

    def tournament(self, summary: dict[str, Any]) -> None:
        self._print(summary, table(summary))

    def event(self, event: dict[str, Any]) -> None:
        """What has happened on a ladder."""
        if event["event"] == "table":
            self.rows = event["rows"]
        elif self.options.json:
            self._line(json.dumps(event))
        elif event["event"] != "game":
            self.tell(happened(event))
        if event["event"] == "game":
            self.games(1)

    def ladder(self) -> None:
        summary = {"summary": True, "games": self.played, "table": self.rows}
        self._print(summary, ranking(self.rows))

    def _print(self, summary: dict[str, Any], text: str) -> None:
        self._line(json.dumps(summary) if self.options.json else text)

    def _line(self, text: str) -> None:
        print(text, file=self.stream, flush=True)


def happened(event: dict[str, Any]) -> str:
    """What has happened on a ladder, in words.

    >>> happened({"event": "enters", "player": "li", "version": 2})
    'li: version 2 plays'
    """
    player, version = event.get("player", ""), event.get("version", "")
    if event["event"] == "tested":
        verb = "passes" if event["passed"] else "fails"
        return f"{player}: version {version} {verb} the test: {event['report']['words']}"
    return {
        "refused": f"{player}: not a player: {event.get('words')}",
        "arrived": f"{player}: version {version} is tested ...",
        "enters": f"{player}: version {version} plays",
        "left": f"{player}: left the folder",
    }.get(event["event"], f"trouble: {event.get('words')}")


def ranking(rows: list[dict[str, Any]]) -> str:
    """The table of a ladder, as text.

    >>> print(ranking([{"rank": 1, "title": "li", "rating": 12.4, "rating_error": 80.0, "games": 10, "state": "playing"}]))
       1  li  +12 ±80, 10 games
    """
    lines = []
    for row in rows:
        rank = "   –" if row["rank"] is None else f"{row['rank']:4}"
        what = f"{row['rating']:+.0f} ±{row['rating_error']:.0f}, {row['games']} games"
        lines.append(f"{rank}  {row['title']}  {what if row['state'] == 'playing' else row['state']}")
    return "\n".join(lines)


def estimate_of(value: dict[str, Any] | None) -> str:
    """A mean with its standard error.

    >>> estimate_of({"mean": 1.5, "error": 0.25})
    '1.500 ± 0.250'
    """
    if value is None:
        return "–"
    return f"{value['mean']:.3f}" + (f" ± {value['error']:.3f}" if value.get("error") is not None else "")


def share(result: dict[str, Any]) -> float:
    """Points of a match, for each game.

    >>> share({"won": 2, "drawn": 1, "lost": 1})
    0.625
    """
    games = result["won"] + result["drawn"] + result["lost"]
    return float((result["won"] + result["drawn"] / 2) / max(1, games))


def table(summary: dict[str, Any]) -> str:
    """The table of a tournament, as text.

    >>> row = {"rank": 1, "player": "greedy", "points": 1.5, "games": 2, "wins": 1, "draws": 1, "losses": 0,
    ...        "faults": 0, "margin": 3.0, "rating": 12.4, "rating_error": 250.0}
    >>> print(table({"table": [row]}))
    rank  player  points  games  won  drawn  lost  faults  margin  rating  95 %
       1  greedy     1.5      2    1      1     0       0   +3.00     +12  ±250
    """
    head = ["rank", "player", "points", "games", "won", "drawn", "lost", "faults", "margin"]
    rows = [[*head, "rating", "95 %"]]
    for row in summary["table"]:
        counts = [str(row[key]) for key in ("games", "wins", "draws", "losses", "faults")]
        begin = [str(row["rank"]), str(row["player"]), f"{row['points']:.1f}"]
        forms = (("margin", "{:+.2f}"), ("rating", "{:+.0f}"), ("rating_error", "±{:.0f}"))
        ends = ["-" if row[key] is None else form.format(row[key]) for key, form in forms]
        rows.append([*begin, *counts, *ends])
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    lines = []
    for row in rows:
        cells = [
            cell.ljust(width) if column == 1 else cell.rjust(width)
            for column, (cell, width) in enumerate(zip(row, widths, strict=True))
        ]
        lines.append("  ".join(cells).rstrip())
    return "\n".join(lines)
