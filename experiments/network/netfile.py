"""Networks as files (crates/eval/src/network/file.rs describes them), and what they compute, in numpy."""

from __future__ import annotations

import os
import struct
import zlib
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from positions import read_parts

ACCUMULATOR, UNIT, HIDDEN, OUTPUT = 512, 128, 64, 64
"""One in integers: sums of vectors, values of units, weights of hidden layers, weights of the output (in discs)."""


@dataclass
class Network:
    """A network in integers."""

    variant: str
    parts: list[int]
    bias: np.ndarray
    """int16, by unit."""
    vectors: np.ndarray
    """int8, by row and unit."""
    hidden: list[tuple[np.ndarray, np.ndarray]]
    """Of each hidden layer the weights (int8, by stage, unit and input) and the biases (int32, by stage and unit)."""
    output: np.ndarray
    """int16, by stage and unit."""
    output_bias: np.ndarray
    """int32, by stage."""

    def values(self, rows: np.ndarray, empties: np.ndarray) -> np.ndarray:
        """The values of boards in 64ths of a disc, computed as the program computes them."""
        stage = (60 - empties.clip(0, 60)) * len(self.output) // 61
        sums = self.bias + self.vectors[rows].sum(axis=1, dtype=np.int64)
        units = (sums >> 2).clip(-127, 127)
        units = np.concatenate([units.clip(0), (-units).clip(0)], axis=1)
        for weights, biases in self.hidden:
            sums = np.einsum("bi,boi->bo", units, weights[stage].astype(np.int64)) + biases[stage]
            units = (sums >> 6).clip(0, 127)
        values = ((units * self.output[stage]).sum(axis=1) + self.output_bias[stage]) >> 7
        return values.clip(-63 * 64, 63 * 64)


def quantised(
    variant: str,
    parts: list[int],
    bias: np.ndarray,
    vectors: np.ndarray,
    hidden: list[tuple[np.ndarray, np.ndarray]],
    output: np.ndarray,
    output_bias: np.ndarray,
) -> Network:
    """A network of real numbers in integers; the output is in discs. Sums are rounded down, so biases get half a unit."""

    def integers(numbers: np.ndarray, scale: int, kind: type, most: int) -> np.ndarray:
        return np.rint(np.asarray(numbers, dtype=np.float64) * scale).clip(-most, most).astype(kind)

    layers = [
        (
            integers(weights, HIDDEN, np.int8, 127),
            integers(biases, UNIT * HIDDEN, np.int32, (1 << 24) - 64) + np.int32(HIDDEN // 2),
        )
        for weights, biases in hidden
    ]
    return Network(
        variant=variant,
        parts=parts,
        bias=integers(bias, ACCUMULATOR, np.int16, (1 << 14) - 2) + np.int16(2),
        vectors=integers(vectors, ACCUMULATOR, np.int8, 127),
        hidden=layers,
        output=integers(output, OUTPUT, np.int16, 32767),
        output_bias=integers(output_bias, OUTPUT * UNIT, np.int32, (1 << 24) - 64) + np.int32(UNIT // 2),
    )


def fnv1a(data: bytes) -> int:
    checksum = 0xCBF29CE484222325
    for byte in data:
        checksum = (checksum ^ byte) * 0x100000001B3 & 0xFFFFFFFFFFFFFFFF
    return checksum


def write(path: Path, network: Network) -> int:
    """Writes a file, all at once; returns its size."""
    plain = network.bias.astype("<i2").tobytes()
    for stage in range(len(network.output)):
        for weights, biases in network.hidden:
            plain += weights[stage].astype("i1").tobytes() + biases[stage].astype("<i4").tobytes()
        plain += network.output[stage].astype("<i2").tobytes() + network.output_bias[stage].astype("<i4").tobytes()
    plain += np.ascontiguousarray(network.vectors.T).astype("i1").tobytes()
    packer = zlib.compressobj(9, zlib.DEFLATED, -15)
    body = packer.compress(plain) + packer.flush()
    blocks = [biases.shape[1] // 16 for _, biases in network.hidden] + [0]
    head = b"TCNN" + struct.pack(
        "<HBBIBBBBQ",
        1,
        ["reversed", "reversi"].index(network.variant),
        len(network.bias) // 16,
        sum(1 << part for part in network.parts),
        len(network.output),
        blocks[0],
        blocks[1],
        0,
        int(read_parts()["checksum"], 16),
    )
    file = head + struct.pack("<Q", fnv1a(head + body)) + body
    staged = path.with_name(path.name + ".part")
    staged.write_bytes(file)
    os.replace(staged, path)
    return len(file)
