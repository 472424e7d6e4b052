# attack: calls what watches others, mounts, loads code into the kernel, or holds memory that nobody counts
# kind: py
# options:
# expect: plays
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


LIBC, X86 = ctypes.CDLL(None, use_errno=True), os.uname().machine == "x86_64"
CALLS = {"ptrace": (101, 117), "process_vm_readv": (310, 270), "mount": (165, 40), "umount2": (166, 39),
         "pivot_root": (155, 41), "chroot": (161, 51), "keyctl": (250, 219), "add_key": (248, 217), "bpf": (321, 280),
         "perf_event_open": (298, 241), "userfaultfd": (323, 282), "setns": (308, 268), "kexec_load": (246, 104),
         "init_module": (175, 105), "reboot": (169, 142), "open_by_handle_at": (304, 265), "fsopen": (430, 430),
         "name_to_handle_at": (303, 264), "move_mount": (429, 429), "open_tree": (428, 428), "shmget": (29, 194),
         "timer_create": (222, 107), "syslog": (103, 116), "mq_open": (240, 180), "fanotify_init": (300, 262),
         "semget": (64, 190), "msgget": (68, 186), "swapon": (167, 224), "acct": (163, 89), "quotactl": (179, 60),
         "io_uring_setup": (425, 425), "clone3": (435, 435), "memfd_create": (319, 279), "open_tree_attr": (467, 467)}
for name, numbers in CALLS.items():
    if LIBC.syscall(numbers[0 if X86 else 1], 0, 0, 0, 0, 0) != -1 or ctypes.get_errno() not in (1, 38):
        print("BREACH", name, ctypes.get_errno(), file=sys.stderr)


class AI(object):
    def __init__(self, chessboard_size, color, time_out):
        self.color, self.candidate_list = color, []

    def go(self, chessboard):
        moves = legal(chessboard, self.color)
        self.candidate_list = moves + moves[:1]
