# attack: calls what only a superuser or a debugger should
# kind: py
# options:
# expect: plays
# vary: WHEN import init go
import ctypes
import os
import sys

WHEN = "import"


def strike():
    libc = ctypes.CDLL(None, use_errno=True)
    for name, words in (
        ("ptrace", (16, 1, 0, 0)), ("mount", (b"none", b"/tmp", b"tmpfs", 0, 0)), ("umount2", (b"/tmp", 2)), ("chroot", (b"/tmp",)),
        ("unshare", (0x10000000,)), ("unshare", (0x00020000,)), ("setns", (0, 0)), ("sethostname", (b"owned", 5)),
        ("reboot", (0,)), ("swapon", (b"/tmp/x", 0)), ("setuid", (0,)), ("setgid", (0,)), ("acct", (b"/tmp/x",)),
        ("settimeofday", (b"\0" * 16, 0)), ("setpriority", (0, 0, -20)), ("mlockall", (3,)),
    ):
        if getattr(libc, name)(*words) == 0:
            print("BREACH:", name, words, file=sys.stderr)


if WHEN == "import":
    strike()

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
        if WHEN == "init":
            strike()

    def go(self, chessboard):
        self.candidate_list.clear()
        if WHEN == "go":
            strike()
        self.candidate_list.extend(legal(chessboard, self.color))
