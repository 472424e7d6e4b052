# attack: calls the kernel by the numbers of another interface, which filters forget
# kind: py
# options:
# expect: plays crash
import ctypes
import os
import sys


def legal(board, color):
    def flips(r, c, a, b):
        n, on = 1, lambda n: 0 <= r + n * a < 8 and 0 <= c + n * b < 8
        while on(n) and board[r + n * a][c + n * b] == -color:
            n += 1
        return n > 1 and on(n) and board[r + n * a][c + n * b] == color
    free = [(r, c) for r in range(8) for c in range(8) if board[r][c] == 0]
    return [(r, c) for r, c in free if any(flips(r, c, a, b) for a in (-1, 0, 1) for b in (-1, 0, 1))]


LIBC = ctypes.CDLL(None, use_errno=True)
for number in (39, 101, 272, 520, 521):
    if LIBC.syscall(0x40000000 | number, 0, 0, 0) != -1:
        print("BREACH", number, file=sys.stderr)
if os.uname().machine == "x86_64":
    # getpid by the 32-bit interface: mov eax, 20; int 0x80; ret
    import mmap
    code = mmap.mmap(-1, 4096, prot=mmap.PROT_READ | mmap.PROT_WRITE | mmap.PROT_EXEC)
    code.write(bytes.fromhex("b814000000cd80c3"))
    if ctypes.CFUNCTYPE(ctypes.c_int)(ctypes.addressof(ctypes.c_char.from_buffer(code)))() > 0:
        print("BREACH 32-bit", file=sys.stderr)


class AI(object):
    def __init__(self, chessboard_size, color, time_out):
        self.color, self.candidate_list = color, []

    def go(self, chessboard):
        moves = legal(chessboard, self.color)
        self.candidate_list = moves + moves[:1]
