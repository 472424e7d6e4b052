# attack: replaces what the harness uses
# kind: py
# options: --time 1s
# expect: plays, crash, protocol, timeout, illegal
# vary: HOW json os builtins modules threading signal trace audit
import builtins
import json
import os
import signal
import sys
import threading

HOW = "json"


def nothing(*_, **__):
    return None


if HOW == "json":
    json.dumps = json.loads = lambda *_: "{}"
if HOW == "os":
    os.write = os.read = os.dup = nothing
if HOW == "builtins":
    builtins.len = builtins.list = builtins.isinstance = nothing
if HOW == "modules":
    sys.modules.clear()
if HOW == "threading":
    threading.Thread.run = threading.Lock = threading.RLock = nothing
if HOW == "signal":
    for number in range(1, 32):
        try:
            signal.signal(number, signal.SIG_IGN)
        except (OSError, ValueError):
            pass
    signal.signal = signal.pthread_kill = signal.setitimer = nothing
if HOW == "trace":
    sys.settrace(lambda *_: nothing)
    threading.settrace(lambda *_: nothing)
if HOW == "audit":
    sys.addaudithook(lambda name, _: (_ for _ in ()).throw(RuntimeError(name)) if name == "open" else None)

WAYS = [(r, c) for r in (-1, 0, 1) for c in (-1, 0, 1) if (r, c) != (0, 0)]


def flips(board, color, row, column, down, right):
    steps = 0
    while True:
        row, column = row + down, column + right
        if not (0 <= row < 8 and 0 <= column < 8) or board[row][column] == 0:
            return 0
        if board[row][column] == color:
            return steps
        steps += 1


def legal(board, color):
    cells = [(r, c) for r in range(8) for c in range(8) if board[r][c] == 0]
    return [cell for cell in cells if any(flips(board, color, *cell, *way) for way in WAYS)]


class AI:
    def __init__(self, chessboard_size, color, time_out):
        self.color = color
        self.candidate_list = []

    def go(self, chessboard):
        self.candidate_list.clear()
        self.candidate_list.extend(legal(chessboard, self.color))
