"""Examples of all docstrings, types, and stubs that fit the engine."""

from __future__ import annotations

import doctest
import importlib
import inspect
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest
import turncoat
from turncoat import _engine

HERE = Path(__file__).parent
MODULES = [
    "turncoat",
    "turncoat.batch",
    "turncoat.batch_env",
    "turncoat.cluster.view",
    "turncoat.course",
    "turncoat.env",
    "turncoat.evaluator",
    "turncoat.lab",
    "turncoat.pettingzoo_env",
]


def engine_examples() -> Iterator[doctest.DocTest]:
    """Python's finder does not look into extension modules' properties, so they are walked here."""
    parser = doctest.DocTestParser()
    for name, thing in vars(_engine).items():
        if not (inspect.isclass(thing) or callable(thing)):
            continue
        texts = [thing.__doc__ or ""]
        if inspect.isclass(thing):
            own = [member for member in vars(thing) if not member.startswith("__")]
            texts += [getattr(thing, member).__doc__ or "" for member in own]
        text = "\n\n".join(inspect.cleandoc(each) for each in texts)
        yield parser.get_doctest(text, {}, f"_engine.{name}", None, None)


def python_examples(module: ModuleType) -> list[doctest.DocTest]:
    return doctest.DocTestFinder(exclude_empty=True).find(module, globs=vars(module).copy())


def names() -> dict[str, object]:
    """What every example may use without a word."""
    import numpy as np

    boards = turncoat.batch.stack([turncoat.Board(), turncoat.Board("f5")])
    return {"np": np, "boards": boards, "Tables": turncoat.batch.Tables, **vars(turncoat)}


def check(tests: list[doctest.DocTest]) -> int:
    runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS)
    for test in tests:
        test.globs = {**names(), **test.globs}
        runner.run(test)
    assert runner.failures == 0
    return int(runner.tries)


def test_examples_of_the_engine() -> None:
    assert check(list(engine_examples())) > 40


@pytest.mark.parametrize("name", MODULES)
def test_examples_of_the_package(name: str) -> None:
    check(python_examples(importlib.import_module(name)))


def test_everything_public_is_documented() -> None:
    for name in MODULES:
        module = importlib.import_module(name)
        for public in getattr(module, "__all__", []):
            thing = getattr(module, public)
            if inspect.isclass(thing) or callable(thing):
                assert thing.__doc__, f"{name}.{public}"


def test_types() -> None:
    config = ["--config-file", str(HERE.parent / "pyproject.toml")]
    mypy = [sys.executable, "-m", "mypy", *config]
    subprocess.run(mypy, check=True, cwd=HERE)
    stubtest = [sys.executable, "-m", "mypy.stubtest", "turncoat._engine"]
    subprocess.run([*stubtest, "--ignore-missing-stub"], check=True, cwd=HERE)
