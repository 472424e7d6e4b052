"""The notebook of the documentation, run from its first cell to its last."""

from __future__ import annotations

import os
from pathlib import Path

import nbformat
from nbclient import NotebookClient


def test_the_tour(tmp_path: Path) -> None:
    root = Path(os.environ.get("TURNCOAT_ROOT", Path(__file__).parents[2]))
    tour = nbformat.read(root / "docs" / "tour.ipynb", as_version=4)
    client = NotebookClient(tour, timeout=300, resources={"metadata": {"path": str(tmp_path)}})
    client.execute()
    pictures = [
        output
        for cell in tour.cells
        for output in cell.get("outputs", [])
        if {"image/png", "image/svg+xml"} & set(output.get("data", {}))
    ]
    assert len(pictures) == 4
