"""Fills the disk: with 200 megabytes at most, which is more than its scratch folder holds."""
import sys

sys.stdin.readline()
for number in range(20):
    with open("/tmp/filler-%d" % number, "wb") as file:
        file.write(b"x" * 10_000_000)
