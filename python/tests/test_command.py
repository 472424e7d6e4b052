"""What `turncoat-ray` refuses, and where its output goes; the command `turncoat` of the package."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from command import python, turncoat_ray

SELFPLAY = """
variant = "reversed"
evaluation = "hand"
games = 6
seed = 5
depth = 1
solve = 4
random = [{ plies = [40, 50], share = 1.0 }]
"""


@pytest.mark.parametrize(
    ("words", "fault"),
    [
        ("genetic", "a file or --resume DIR"),
        ("selfplay", "a file or --resume DIR"),
        ("selfplay x.toml --resume runs/x", "FILE is for a new run"),
        ("genetic --resume runs/x --out runs/y", "--out is for a new run"),
        ("genetic --resume runs/x --seed 3", "--seed is for a new run"),
        ("selfplay --resume runs/nothing", "there is no run in this folder"),
        ("genetic --resume runs/nothing", "there is no run in this folder"),
        ("tournament greedy random --resume", "--store FILE"),
        ("tournament greedy random --gauntlet --ladder", "not allowed with"),
        ("tournament greedy random --cpus 0", "--cpus"),
        ("tournament greedy random --cpus -1", "--cpus"),
        ("tournament greedy random --cpus 2 --address auto", "--cpus is for a cluster of this"),
        ("tournament greedy random --chunk-seconds 0", "a positive number of seconds, not 0"),
        ("tournament greedy random --chunk-seconds nan", "a positive number of seconds, not nan"),
        ("tournament greedy random --chunk-seconds inf", "a positive number of seconds, not inf"),
        ("tournament greedy random --games 0", "--games"),
        ("tournament greedy random --seed -1", "--seed"),
        ("tournament greedy random --depth 0", "--depth"),
        ("tournament greedy random --retries -1", "--retries"),
        ("tournament nobody random", "no player is called"),
        ("book a.book --depth 0", "--depth"),
        ("book a.book --margin -1", "margin, balanced and choices 0 to 64 discs"),
        ("book a.book --eval nothing.weights", "nothing.weights"),
    ],
)
def test_what_makes_no_sense_is_refused(words: str, fault: str, tmp_path: Path) -> None:
    done = turncoat_ray(*words.split(), cwd=tmp_path)
    assert done.returncode == 2 and fault in done.stderr, done.stderr
    assert done.stdout == "" and "Traceback" not in done.stderr
    assert not list(tmp_path.iterdir())


def test_without_a_cluster_nothing_is_begun(tmp_path: Path) -> None:
    (tmp_path / "run.toml").write_text(SELFPLAY)
    # Nothing listens on this port.
    where = ["--address", "127.0.0.1:1"]
    done = turncoat_ray("selfplay", "run.toml", "--out", "run", *where, cwd=tmp_path)
    assert done.returncode == 1 and "no cluster at 127.0.0.1:1" in done.stderr, done.stderr
    assert "--resume" not in done.stderr
    words = ["tournament", "greedy", "random", "--store", "games.db"]
    done = turncoat_ray(*words, *where, cwd=tmp_path)
    assert done.returncode == 1 and "no cluster" in done.stderr, done.stderr
    assert [path.name for path in tmp_path.iterdir()] == ["run.toml"]


WITHOUT = """
import sys

sys.modules["ray"] = None
from turncoat.cluster.command import main
sys.exit(main(sys.argv[1:]))
"""


def test_without_ray() -> None:
    done = python(WITHOUT, "--help")
    assert done.returncode == 0 and "selfplay" in done.stdout
    done = python(WITHOUT, "tournament", "greedy", "random")
    assert done.returncode == 1
    assert done.stderr == "error: Ray is not installed: pip install 'turncoat[cluster]'\n"


DYING = """
import os
import sys

import ray
from turncoat.cluster import command, runs
from turncoat.cluster.tasks import selfplay_chunk

real = selfplay_chunk._function
mark, always = sys.argv[1], sys.argv[2] == "always"

@ray.remote(num_cpus=1, max_retries=0)
def dying(work, first, end):
    try:
        os.mkdir(mark)
    except FileExistsError:
        if not always:
            return real(work, first, end)
    os._exit(1)

runs.selfplay_chunk = dying
sys.exit(command.main(sys.argv[3:]))
"""


def test_results_are_alone_on_standard_output(tmp_path: Path) -> None:
    (tmp_path / "run.toml").write_text(SELFPLAY)
    out = tmp_path / "a run"
    words = ["selfplay", str(tmp_path / "run.toml"), "--out", str(out), "--cpus", "1", "--json"]
    # A worker dies again and again: Ray has something to say, and the run ends.
    done = python(DYING, str(tmp_path / "mark"), "always", *words, "--retries", "1")
    assert done.returncode == 1 and done.stdout == "", done.stdout
    assert "lost their machine 2 times" in done.stderr
    assert f"to resume: turncoat-ray selfplay --resume '{out}'" in done.stderr
    # One dies once, and nobody wants to hear of it.
    words = ["selfplay", "--resume", str(out), "--cpus", "1", "--json", "-q"]
    done = python(DYING, str(tmp_path / "other mark"), "once", *words)
    assert done.returncode == 0 and done.stderr == "", done.stderr
    (line,) = done.stdout.splitlines()
    assert json.loads(line)["played"] == 6


def test_a_terminated_run_says_how_to_resume(tmp_path: Path) -> None:
    (tmp_path / "run.toml").write_text(SELFPLAY.replace("games = 6", "games = 10000000"))
    words = ["selfplay", str(tmp_path / "run.toml"), "--out", str(tmp_path / "run"), "--cpus", "1"]
    program = Path(sys.executable).parent / "turncoat-ray"
    with subprocess.Popen([program, *words], stderr=subprocess.PIPE, text=True) as running:
        assert running.stderr is not None
        for line in running.stderr:
            if "SelfplayRun of" in line:
                break
        running.terminate()
        said = running.stderr.read()
    assert running.returncode == 1 and "--resume" in said and "Traceback" not in said, said


def test_a_tournament_is_a_table() -> None:
    done = turncoat_ray("tournament", "greedy", "random", "--games", "2", "--cpus", "1", "-q")
    assert done.returncode == 0, done.stderr
    head, first, second = done.stdout.splitlines()
    assert head.split()[:4] == ["rank", "player", "points", "games"]
    assert {first.split()[1], second.split()[1]} == {"greedy", "random"}


def turncoat(*words: str) -> subprocess.CompletedProcess[str]:
    """The command as pip installs it."""
    command = Path(sys.executable).with_name("turncoat")
    return subprocess.run([command, *words], capture_output=True, text=True, check=False)


def test_the_package_has_the_command() -> None:
    assert turncoat("move", "f5d6c3", "--player", "greedy").stdout == "d3\n"
    done = turncoat("move", "f5f5")
    assert done.returncode == 2 and "move 2: f5 is already occupied" in done.stderr
    report = json.loads(turncoat("self-check", "--json").stdout)
    assert report["ok"] and report["signature"]["nodes"] == report["signature"]["expected"]
    done = python("from turncoat.__main__ import main; main()", "--version")
    assert done.returncode == 0 and done.stdout.startswith("turncoat ")


def test_ctrl_c_ends_the_page(tmp_path: Path) -> None:
    words = ["serve", "--addr", "127.0.0.1:0", "--json", "--data", str(tmp_path)]
    command = Path(sys.executable).with_name("turncoat")
    with subprocess.Popen([command, *words], stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout is not None
        assert json.loads(server.stdout.readline())["address"].startswith("http://127.0.0.1:")
        server.send_signal(signal.SIGINT)
        assert server.wait() == 0
