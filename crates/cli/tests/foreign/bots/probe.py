"""Tries the walls of the sandbox, says BREACH where one gives way, then plays the first legal move."""
import ctypes
import glob
import os
import sys

from reversi import answer, questions

LIBC = ctypes.CDLL(None, use_errno=True)
HERE = os.path.dirname(os.path.abspath(__file__))


def breach(*words):
    print("BREACH", *words, file=sys.stderr)


def environment():
    for path in glob.glob("/proc/[0-9]*/environ") + glob.glob("/proc/[0-9]*/cmdline"):
        try:
            with open(path, "rb") as file:
                text = file.read()
        except OSError:
            continue
        if b"SECRET" in text or path == "/proc/1/environ" and text:
            breach(path, text)


def namespaces():
    for flags in (0x10020000, 0x10000000, 0x00020000):
        if LIBC.unshare(flags) == 0:
            breach("unshare", flags)
    if hasattr(os, "memfd_create"):
        try:
            os.memfd_create("x")
            breach("memfd")
        except OSError:
            pass
    if LIBC.shmget(0, 1 << 20, 0o1600) >= 0:
        breach("shared memory")
    if LIBC.ptrace(0, 0, 0, 0) == 0:
        breach("ptrace")


def folders():
    for folder in ("/", "/dev", "/etc", "/proc", "/usr", HERE, os.path.dirname(HERE)):
        try:
            with open(os.path.join(folder, "breach"), "w") as file:
                file.write("x")
            if os.stat(folder).st_dev != os.stat("/tmp").st_dev:
                breach("wrote to", folder)
        except OSError:
            pass
    shown = sorted(os.listdir(HERE))
    if [name for name in shown if name not in ("probe.py", "reversi.py", "__pycache__", "breach")]:
        breach("shown", *shown)


def descriptors():
    for name in os.listdir("/proc/self/fd"):
        try:
            target = os.readlink("/proc/self/fd/" + name)
        except OSError:
            continue
        if int(name) > 2:
            breach("descriptor", name, target)


def affinity():
    try:
        os.sched_setaffinity(0, range(os.cpu_count()))
    except OSError:
        pass
    if len(os.sched_getaffinity(0)) > 1:
        breach("CPUs", os.sched_getaffinity(0))


environment()
namespaces()
folders()
descriptors()
affinity()
print("probed", file=sys.stderr, flush=True)
for _, moves in questions():
    answer(moves[0])
