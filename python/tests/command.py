"""`turncoat-ray` as it was installed."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path


def turncoat_ray(*words: str, cwd: Path | None = None) -> subprocess.CompletedProcess[str]:
    program = Path(sys.executable).parent / "turncoat-ray"
    return subprocess.run([program, *words], capture_output=True, text=True, check=False, cwd=cwd)


def python(script: str, *words: str) -> subprocess.CompletedProcess[str]:
    """A program of its own."""
    command = [sys.executable, "-c", script, *words]
    return subprocess.run(command, capture_output=True, text=True, check=False)
