# attack: looks for a network
# kind: py
# options:
# expect: plays
# vary: WHEN import init go
import os
import socket
import sys

WHEN = "import"


def strike():
    for family, address in (
        (socket.AF_INET, ("127.0.0.1", 22)), (socket.AF_INET, ("10.0.0.1", 80)), (socket.AF_INET6, ("::1", 80)),
        (socket.AF_UNIX, "/run/dbus/system_bus_socket"), (socket.AF_UNIX, "/var/run/docker.sock"), (socket.AF_UNIX, "\0/tmp/.X11-unix/X0"),
    ):
        try:
            caller = socket.socket(family, socket.SOCK_STREAM)
            caller.settimeout(0.2)
            caller.connect(address)
            print("BREACH: reached", address, file=sys.stderr)
        except OSError:
            pass
    try:
        names = [name for _, name in socket.if_nameindex() if name != "lo"]
        if names:
            print("BREACH: sees", names, file=sys.stderr)
    except OSError:
        pass


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
