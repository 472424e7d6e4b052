"""Runs on a real Ray cluster of two nodes, one of which is killed: the same files as on one machine, bit for bit."""

from __future__ import annotations

import dataclasses
import importlib
import json
import os
import socket
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import ray
from command import turncoat_ray
from course_program import write_program
from ray.cluster_utils import Cluster
from ray.util.scheduling_strategies import NodeAffinitySchedulingStrategy
from turncoat import Evaluator, InputError, PlayerError, RunError, batch
from turncoat.cluster import (
    Pool,
    book,
    evaluate_on,
    genetic,
    ladder,
    replicate,
    selfplay,
    sweep,
    tournament,
    training_loop,
)
from turncoat.cluster.tasks import genetic_chunk, shared
from turncoat.lab import (
    Batch,
    BookRun,
    GeneticRun,
    LadderRun,
    LoopRun,
    Replicates,
    SelfplayRun,
    Sweep,
    Tournament,
    evolve,
    play_loop,
    play_selfplay,
    play_tournament,
    rate,
)

EXPERIMENT = """
title = "A small one"
player = "gene45:depth=3,final=0"
seed = 7
generations = 5

[genome]
kind = "real"
groups = ["board", "action"]
start = [-64, 63]

[algorithm]
kind = "real"
population = 8
elite = 2
tournament = 2

[fitness]
score = "margin"
plies = 6
openings = 2

[champion]
games = 10

[[yardstick]]
player = "random"
games = 20
"""

SELFPLAY = """
variant = "reversed"
evaluation = "hand"
games = 60
seed = 5
depth = 2
solve = 8
enumerate_every = 3
enumerated_plies = 2
shard = 16
random = [{ plies = [6, 20], share = 1.0 }]
"""

STORE = 100 * 1024 * 1024


def turncoat(folder: Path, *words: str) -> str:
    """The program on one machine."""
    program = os.environ.get("TURNCOAT")
    assert program, "TURNCOAT is the program to compare with; cargo xtask test sets it"
    # Course programs need a Python with numpy.
    own = {**os.environ, "TURNCOAT_PYTHON": sys.executable}
    done = subprocess.run([program, *words], cwd=folder, env=own, check=True, capture_output=True, text=True)
    return done.stdout


def files(folder: Path) -> dict[str, bytes]:
    # The lock is there only while a run works, and no two runs take the same time.
    own = ("lock", "seconds.csv")
    found = (path for path in sorted(folder.iterdir()) if path.is_file() and path.name not in own)
    return {path.name: path.read_bytes() for path in found}


@pytest.fixture(scope="module")
def cluster() -> Iterator[Cluster]:
    """A head that plays too; tests add the second node."""
    os.environ["RAY_USAGE_STATS_ENABLED"] = "0"
    node = {"num_cpus": 1, "object_store_memory": STORE, "include_dashboard": False}
    made = Cluster(initialize_head=True, head_node_args=node)
    ray.init(address=made.address, log_to_driver=False)
    yield made
    ray.shutdown()
    made.shutdown()


@pytest.fixture(scope="module")
def one_machine(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the experiment and its run on one machine."""
    folder = tmp_path_factory.mktemp("genetic")
    (folder / "small.toml").write_text(EXPERIMENT)
    turncoat(folder, "train", "genetic", "small.toml", "--out", "alone")
    return folder


def add_node(cluster: Cluster) -> Any:
    node = cluster.add_node(num_cpus=1, object_store_memory=STORE)
    cluster.wait_for_nodes()
    # A node takes seconds to start its first worker; until then it has no part in the games.
    here = NodeAffinitySchedulingStrategy(node.node_id, soft=False)
    ray.get(awake.options(scheduling_strategy=here).remote())
    return node


@ray.remote(num_cpus=1)
def awake() -> None:
    """Done as soon as a worker runs."""


def test_a_killed_node_does_not_change_the_champion(cluster: Cluster, tmp_path: Path) -> None:
    # Deeper, so that chunks are long enough to be caught in the middle.
    (tmp_path / "deep.toml").write_text(EXPERIMENT.replace("depth=3", "depth=4"))
    turncoat(tmp_path, "train", "genetic", "deep.toml", "--out", "alone")
    node = add_node(cluster)
    played, killed = 0, 0

    def progress(games: int) -> None:
        nonlocal played, killed, node
        played += games
        # In the middle of a generation; again in the next one should the node have been idle just then.
        if pool.lost == 0 and played > 160 + 132 * killed:
            time.sleep(0.05)
            cluster.remove_node(node, allow_graceful=False)
            killed += 1
            node = add_node(cluster)

    run = GeneticRun.create(tmp_path / "deep.toml", tmp_path / "together")
    pool = Pool(seconds=0.3, progress=progress)
    result = genetic(run, pool)
    cluster.remove_node(node)
    assert killed > 0 and pool.lost > 0
    assert result["standings"][0] == json.loads(files(tmp_path / "alone")["standings.json"])[0]
    assert files(tmp_path / "together") == files(tmp_path / "alone")


def test_a_run_goes_on_in_another_place(cluster: Cluster, one_machine: Path) -> None:
    def told(record: dict[str, Any]) -> None:
        if record["generation"] == 2:
            raise KeyboardInterrupt

    folder = one_machine / "moved"
    run = GeneticRun.create(one_machine / "small.toml", folder)
    with pytest.raises(KeyboardInterrupt):
        genetic(run, Pool(seconds=0.2), told)
    assert run.done == 2 and len(run.log()) == 2
    del run
    # One generation by Python's own threads, the rest by the program.
    run = GeneticRun.resume(folder)
    assert run.step(threads=2)["generation"] == 3
    del run
    turncoat(one_machine, "train", "genetic", "--resume", "moved")
    assert files(folder) == files(one_machine / "alone")


def tree(folder: Path) -> dict[str, bytes]:
    """All files below a folder that do not depend on time."""
    own = ("lock", "seconds.csv")
    found = (path for path in folder.rglob("*") if path.is_file() and path.name not in own)
    return {str(path.relative_to(folder)): path.read_bytes() for path in found}


def test_several_runs_and_ratings_have_the_same_files(cluster: Cluster, tmp_path: Path) -> None:
    file = tmp_path / "small.toml"
    file.write_text(EXPERIMENT.replace("depth=3", "depth=1").replace("seed = 7\n", ""))
    few = ["--set", "generations=2", "--set", "algorithm.population=4"]
    pool = Pool(seconds=0.1)
    turncoat(tmp_path, "train", "replicate", str(file), *few, "--seeds", "1,3", "--out", "alone/seeds")
    settings = ["generations=2", "algorithm.population=4"]
    runs = Replicates.create(file, tmp_path / "together/seeds", [1, 3], settings=settings)
    found = replicate(runs, pool)
    assert found["runs"] == 2 and found["estimates"][0]["error"] is not None
    values = "fitness.plies=4,6"
    turncoat(tmp_path, "train", "sweep", str(file), *few, "--set", values, "--out", "alone/sweep")
    points = sweep(Sweep.create(file, tmp_path / "together/sweep", [*settings, values]), pool)
    assert [point["settings"] for point in points] == ["fitness.plies=4", "fitness.plies=6"]
    # A run of it is prolonged and rated.
    turncoat(tmp_path, "train", "genetic", "--resume", "alone/seeds/seed-3", "--generations", "3")
    words = ["--against", "greedy", "--games", "6", "--from", "all"]
    turncoat(tmp_path, "train", "rate", "alone/seeds/seed-3", *words)
    del runs
    folder = tmp_path / "together/seeds/seed-3"
    genetic(GeneticRun.resume(folder, settings=["generations=3"]), pool)
    rates = rate(folder, "greedy", evaluate_on(pool), games=6, who="all")
    assert [each["generation"] for each in rates] == [1, 2, 3]
    assert tree(tmp_path / "together") == tree(tmp_path / "alone")
    with pytest.raises(InputError, match="saved, all or a rank"):
        rate(folder, "greedy", who="0")
    done = turncoat_ray("replicate", str(file), "--seeds", "3..1")
    assert done.returncode == 2 and "from a number to a larger one" in done.stderr


def test_one_call_runs_it_all(one_machine: Path) -> None:
    result = evolve(one_machine / "small.toml", one_machine / "called", threads=2)
    assert result["complete"]
    assert files(one_machine / "called") == files(one_machine / "alone")


def test_selfplay_makes_the_same_files(cluster: Cluster, tmp_path: Path) -> None:
    (tmp_path / "run.toml").write_text(SELFPLAY)
    turncoat(tmp_path, "train", "selfplay", "run.toml", "--out", "alone")
    run = SelfplayRun.create(tmp_path / "run.toml", tmp_path / "together")
    assert selfplay(run, Pool(seconds=0.2)) == 60
    assert files(tmp_path / "together") == files(tmp_path / "alone")
    (tmp_path / "together" / "000002.games").unlink()
    with pytest.raises(RunError, match="another run is at work"):
        SelfplayRun.resume(tmp_path / "together")
    del run
    again = SelfplayRun.resume(tmp_path / "together")
    assert selfplay(again, Pool(seconds=0.2)) == 16
    assert files(tmp_path / "together") == files(tmp_path / "alone")
    with pytest.raises(InputError, match="it has a run, which --resume"):
        SelfplayRun.create(tmp_path / "run.toml", tmp_path / "together")


def test_selfplay_goes_on_with_what_it_began_with(tmp_path: Path) -> None:
    (tmp_path / "run.toml").write_text(SELFPLAY)
    folder = tmp_path / "run"
    run = SelfplayRun.create(tmp_path / "run.toml", folder)
    for wrong in (99, 2**64 - 1):
        with pytest.raises(InputError, match="there is no shard"):
            run.keep(wrong, [])
    with pytest.raises(RunError, match="0 games came back for the 16"):
        run.keep(0, [])
    del run
    kept = (folder / "settings.toml").read_text()
    (folder / "settings.toml").write_text(kept.replace("seed = 5", "seed = 6"))
    with pytest.raises(RunError, match="not the settings"):
        SelfplayRun.resume(folder)
    done = turncoat_ray("selfplay", "--resume", str(folder))
    assert done.returncode == 1 and "not the settings" in done.stderr
    (folder / "settings.toml").write_text(kept)
    assert len(SelfplayRun.resume(folder).missing()) == 4
    with pytest.raises(InputError, match="no run in this folder"):
        SelfplayRun.resume(tmp_path / "nothing")


def test_selfplay_takes_its_weights_along(cluster: Cluster, tmp_path: Path) -> None:
    weights = Path(__file__).parents[2] / "weights" / "patterns-reversed.weights"
    text = SELFPLAY.replace('"hand"', f'"{weights}"').replace("games = 60", "games = 6")
    (tmp_path / "run.toml").write_text(text)
    run = SelfplayRun.create(tmp_path / "run.toml", tmp_path / "together")
    lying = set(Path(tempfile.gettempdir()).glob("turncoat-*"))
    selfplay(run, Pool(seconds=0.2))
    # Once on a machine, in what Ray keeps of the session.
    session = Path(ray.get_runtime_context().worker.node.get_session_dir_path())
    assert [path.read_bytes() for path in (session / "turncoat").iterdir()] == [weights.read_bytes()]
    assert set(Path(tempfile.gettempdir()).glob("turncoat-*")) <= lying
    turncoat(tmp_path, "train", "selfplay", "run.toml", "--out", "alone")
    assert files(tmp_path / "together") == files(tmp_path / "alone")


def test_a_training_loop_has_the_same_weights(cluster: Cluster, tmp_path: Path) -> None:
    quick = ["--quick", "--games", "96", "--rounds", "2", "--seed", "3"]
    turncoat(tmp_path, "train", "loop", *quick, "--out", "alone")
    node: Any = add_node(cluster)

    def progress(games: int) -> None:
        nonlocal node
        if node is not None:
            node = cluster.remove_node(node, allow_graceful=False)

    def interrupt(record: dict[str, Any]) -> None:
        raise KeyboardInterrupt

    folder = tmp_path / "together"
    run = LoopRun.create(folder, quick=True, games=96, rounds=2, seed=3)
    with pytest.raises(KeyboardInterrupt):
        training_loop(run, Pool(seconds=0.1, progress=progress), interrupt)
    assert node is None and [record["round"] for record in run.log()] == [1]
    del run
    # The rest by the command, on a cluster of its own.
    done = turncoat_ray("loop", "--resume", str(folder), "--cpus", "2", "--address", "local", "--json")
    assert done.returncode == 0, done.stderr
    lines = [json.loads(line) for line in done.stdout.splitlines()]
    assert lines[0]["round"] == 2 and lines[-1]["report"] == str(folder / "report.html")
    for name in ("log.jsonl", "rounds.csv", "elo.svg", "best.weights", "round-2/weights/patterns.weights"):
        files = [place / name for place in (folder, tmp_path / "alone")]
        assert files[0].exists() == files[1].exists(), name
        assert not files[0].exists() or files[0].read_bytes() == files[1].read_bytes(), name


def test_a_training_loop_that_makes_no_sense_is_refused(tmp_path: Path) -> None:
    out = str(tmp_path / "loop")
    for words, fault in (
        ([], "--minutes or --games is required"),
        (["--games", "9", "--minutes", "1"], "not allowed with"),
        (["--minutes", "-1"], "minutes: above 0"),
        (["--resume", out, "--games", "9"], "--out is for a new loop"),
    ):
        done = turncoat_ray("loop", "--out", out, *words)
        assert done.returncode == 2 and fault in done.stderr, (words, done.stderr)
    assert not (tmp_path / "loop").exists()
    with pytest.raises(InputError, match="either minutes or games"):
        LoopRun.check(out, minutes=1, games=5)
    with pytest.raises(InputError):
        play_loop("{}", 0, 1)


def stored(path: Path) -> list[tuple[object, ...]]:
    """The games of a store without thinking times."""
    with sqlite3.connect(path) as store:
        rows = store.execute("SELECT * FROM games ORDER BY number").fetchall()
    return [row[:10] for row in rows]


@pytest.mark.parametrize("form", [[], ["--gauntlet"], ["--ladder"]])
def test_tournaments_have_the_same_games(cluster: Cluster, tmp_path: Path, form: list[str]) -> None:
    (tmp_path / "openings.txt").write_text("f5d6c3\nf5f6e6f4\nf5d6c5\n")
    players = ["greedy", "random", "gene45:depth=1", "turncoat:level=1"]
    words = [*players, "--games", "6", "--openings", "openings.txt", "--seed", "3", *form]
    turncoat(tmp_path, "tournament", *words, "--store", "alone.db", "--json")
    run = Tournament(
        players,
        games=6,
        openings=str(tmp_path / "openings.txt"),
        seed=3,
        format=form[0][2:] if form else "round-robin",
        store=tmp_path / "together.db",
    )
    summary = tournament(run, Pool(seconds=0.1))
    del run
    assert stored(tmp_path / "together.db") == stored(tmp_path / "alone.db")
    shown = turncoat(tmp_path, "tournament", "--show", "--store", "together.db", "--json")
    assert json.loads(shown.splitlines()[-1]) == summary
    # One machine can go on with it, and finds nothing left to do.
    turncoat(tmp_path, "tournament", *words, "--store", "together.db", "--resume")


def test_programs_play_on_a_cluster(
    cluster: Cluster, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "corner.py").write_text("for _ in open(0):\n    print('a1', flush=True)\n")
    run = Tournament(["line:python3 corner.py", "greedy"], games=2, time=20)
    tournament(run, Pool(seconds=0.1))
    assert [game["reason"] for game in run.games()] == ["illegal-move", "illegal-move"], run.games()


def test_programs_travel_once_and_a_lost_node_costs_time_only(cluster: Cluster, tmp_path: Path) -> None:
    players = [f"py:{write_program(tmp_path / name, number)}" for number, name in enumerate(["a", "b"])]
    players.append(f"py:{write_program(tmp_path / 'c', 7)},folder={tmp_path / 'c'}")
    words = [*players, "--games", "6", "--seed", "3", "--time", "20s"]
    turncoat(tmp_path, "tournament", *words, "--store", "alone.db", "--json")
    run = Tournament(players, games=6, seed=3, time=20, store=tmp_path / "together.db")
    node: Any = add_node(cluster)

    def progress(games: int) -> None:
        nonlocal node
        if node is not None:
            # From now on there are no programs but those that have travelled.
            for name in "abc":
                (tmp_path / name).rename(tmp_path / f"moved {name}")
            node = cluster.remove_node(node, allow_graceful=False)

    tournament(run, Pool(seconds=0.1, progress=progress))
    assert node is None
    assert stored(tmp_path / "together.db") == stored(tmp_path / "alone.db")
    session = Path(ray.get_runtime_context().worker.node.get_session_dir_path()) / "turncoat"
    copies = [path.parent for path in session.glob("*/ai.py")]
    assert len(copies) == 3 and all((copy / "helper.py").exists() for copy in copies)


def test_a_book_is_the_one_of_one_machine(cluster: Cluster, tmp_path: Path) -> None:
    words = "--plies 3 --line-plies 6 --depth 6 --variant reversi".split()
    settings: dict[str, Any] = {"plies": 3, "line_plies": 6, "depth": 6, "variant": "reversi"}
    node = add_node(cluster)
    # The book goes on from limit to limit.
    for limit, value in (("positions", 40), ("nodes", 20000), ("positions", 30)):
        turncoat(tmp_path, "book", "grow", "alone.book", *words, f"--{limit}", str(value), "-q")
        summary = book(BookRun(tmp_path / "many.book", **settings, **{limit: value}), Pool(seconds=0.1))
        assert (tmp_path / "many.book").read_bytes() == (tmp_path / "alone.book").read_bytes()
        assert summary["searched"] > 0 and not summary["complete"]
    # So does an exact one.
    turncoat(tmp_path, "book", "solve", "alone4.book", "--size", "4", "--plies", "4", "--answers", "6", "-q")
    solved = BookRun(tmp_path / "many4.book", size=4, plies=4, exact=True, answers=6, hash=1)
    assert book(solved, Pool(seconds=0.1))["complete"]
    alone, many = (
        {entry["position"]: (entry["score"], entry["exact"]) for entry in map(json.loads, lines.splitlines())}
        for lines in (turncoat(tmp_path, "book", "export", f"{name}4.book", "--to", "json") for name in ("alone", "many"))
    )
    # Where several moves are best, either may be the answer.
    common = alone.keys() & many.keys()
    assert len(common) > 20 and all(alone[position] == many[position] for position in common)
    cluster.remove_node(node)
    # A file of weights travels; the book keeps the name that it was given here.
    fault = turncoat_ray("book", "many.book", "--eval", "hand", cwd=tmp_path)
    assert fault.returncode == 2 and "another evaluation (patterns)" in fault.stderr


def test_a_ladder_is_played_on_a_cluster(cluster: Cluster, tmp_path: Path) -> None:
    folder = tmp_path / "class"
    for number, name in enumerate(["li", "huang"]):
        write_program(folder / name, 3 * number)
    (folder / "notes.txt").write_text("")
    events: list[dict[str, Any]] = []
    node: Any = add_node(cluster)

    def told(event: dict[str, Any]) -> None:
        nonlocal node
        events.append(event)
        if event["event"] == "game" and node is not None:
            node = cluster.remove_node(node, allow_graceful=False)

    run = LadderRun(folder, time=20, games=4, yardsticks=["random"])
    ladder(run, Pool(), told)
    kinds = [event["event"] for event in events]
    assert node is None and kinds.count("tested") == 2 and kinds.count("refused") == 1
    assert all(event["passed"] for event in events if event["event"] == "tested"), events
    with sqlite3.connect(run.store) as store:
        games = store.execute("SELECT number, black, white, reason, times FROM games ORDER BY number").fetchall()
        pairs = store.execute("SELECT count(*) FROM pairs").fetchone()[0]
    assert len(games) == 2 * pairs and [game[0] for game in games] == list(range(2 * pairs))
    assert all(game[3] == "finished" and len(json.loads(game[4])) > 5 for game in games), games
    # One machine goes on with it, and finds nothing left to do.
    words = ["--games", "4", "--time", "20s", "--yardstick", "random", "--no-page", "--json"]
    lines = [json.loads(line) for line in turncoat(tmp_path, "ladder", "class", *words).splitlines()]
    assert [line.get("event") for line in lines] == ["refused", None] and lines[-1]["games"] == len(games), lines
    nowhere = turncoat_ray("ladder", str(tmp_path / "nowhere"))
    assert nowhere.returncode == 2 and "nowhere" in nowhere.stderr


def test_evaluators_play_on_a_cluster(cluster: Cluster, tmp_path: Path) -> None:
    # A class of this function travels as a whole; the module of this test is nowhere else.
    class Moves(Evaluator):
        broken = False

        def evaluate(self, boards: Any) -> Any:
            if self.broken:
                raise ValueError("no idea")
            return batch.legal_mask(boards).sum(axis=1)

    moves = Moves()
    run = Tournament([moves, "greedy"], games=4, depth=2)
    alone = Tournament([moves, "greedy"], games=4, depth=2)
    tournament(run, Pool(seconds=0.1))
    alone.keep(play_tournament(alone.description(), alone.fixtures(alone.missing()), roster=alone.roster))
    games = [[game["moves"] for game in each.games()] for each in (run, alone)]
    assert run.complete and games[0] == games[1]
    moves.broken = True
    with pytest.raises(RunError, match="ValueError: no idea") as raised:
        tournament(Tournament([moves, "greedy"], games=2), Pool())
    assert "in evaluate" in str(raised.value.__cause__)


def test_a_fault_of_a_chunk_ends_the_run(cluster: Cluster) -> None:
    work = ray.put(shared(b'{"no": "batch"}'))
    pool = Pool()
    with pytest.raises(InputError, match="missing field"):
        list(pool.spread(10, lambda first, end: genetic_chunk.remote(work, first, end)))
    with pytest.raises(TypeError):
        GeneticRun.step()  # type: ignore[call-arg]


def test_who_loses_every_machine_gives_up(cluster: Cluster) -> None:
    @ray.remote(num_cpus=1, max_retries=0)
    def die() -> None:
        os._exit(1)

    with pytest.raises(RunError, match="lost their machine 3 times"):
        list(Pool(retries=2).spread(1, lambda first, end: die.remote()))


def test_an_exception_of_the_player_of_games_leaves_the_run_as_it_was(
    one_machine: Path, tmp_path: Path
) -> None:
    run = GeneticRun.create(one_machine / "small.toml", tmp_path / "run")

    def broken(batch: object) -> Any:
        assert run.done == 0
        with pytest.raises(RunError, match="under way"):
            run.log()
        raise PlayerError("no luck")

    with pytest.raises(PlayerError, match="no luck"):
        run.step(broken)
    with pytest.raises(TypeError):
        run.step(lambda batch: [1, 2])  # type: ignore[arg-type, return-value]
    assert run.done == 0 and run.step(threads=2)["generation"] == 1


@pytest.mark.parametrize("text", ["", "[]", "{}", '"plan"', "[{}, []]", "[1, 2, 3]"])
def test_chunks_that_make_no_sense_are_refused(text: str) -> None:
    with pytest.raises(InputError):
        Batch.load(text.encode())
    with pytest.raises(InputError):
        play_selfplay(text, 0, 1)
    with pytest.raises(InputError):
        play_tournament(text, [])
    run = Tournament(["greedy", "random"], games=2)
    for fixture in [(0, 0, 0, 2), (0, 0, 1, 1)]:
        with pytest.raises(InputError, match="not between two players"):
            play_tournament(run.description(), [fixture])
    with pytest.raises(RunError, match="another one with this number"):
        run.keep(play_tournament(run.description(), [(7, 0, 0, 1)]))
    assert run.played == 0


def test_another_version_is_named(cluster: Cluster) -> None:
    work = ray.put(dataclasses.replace(shared(b"{}"), version="0.0.1"))
    with pytest.raises(RunError, match=f"^{socket.gethostname()} has turncoat .*, the driver 0.0.1"):
        list(Pool().spread(1, lambda first, end: genetic_chunk.remote(work, first, end)))


ELSEWHERE = """
import ray

def work():
    return 1, 1.0

@ray.remote(max_retries=0)
def play():
    return work()
"""


def test_a_machine_without_the_package_is_named(
    cluster: Cluster, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = tmp_path / "nowhere_else.py"
    source.write_text(ELSEWHERE)
    monkeypatch.syspath_prepend(str(tmp_path))
    module = importlib.import_module("nowhere_else")
    source.unlink()
    with pytest.raises(RunError, match=r"^[0-9.]+ has no package nowhere_else: all machines need"):
        list(Pool().spread(1, lambda first, end: module.play.remote()))


def test_the_command(one_machine: Path, tmp_path: Path) -> None:
    """On a cluster of its own."""
    out = str(tmp_path / "run")
    words = ["genetic", str(one_machine / "small.toml"), "--out", out, "--json"]
    done = turncoat_ray(*words, "--cpus", "2", "--address", "local")
    assert done.returncode == 0, done.stderr
    lines = [json.loads(line) for line in done.stdout.splitlines()]
    assert len(lines) == 6 and lines[-1]["summary"] and lines[-1]["generations"] == 5
    assert files(tmp_path / "run") == files(one_machine / "alone")
    # Misuse is told before a cluster is asked for.
    again = turncoat_ray(*words)
    assert again.returncode == 2 and "is not empty" in again.stderr
    assert turncoat_ray("genetic").returncode == 2
    nobody = turncoat_ray("tournament", "nobody", "random")
    assert nobody.returncode == 2 and "no player is called" in nobody.stderr
    assert "Ray" not in nobody.stderr
