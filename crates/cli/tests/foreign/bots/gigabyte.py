"""Prints a gigabyte."""
import sys

sys.stdin.readline()
for _ in range(1000):
    sys.stdout.write("x" * 1_000_000)
sys.stdout.write("\n")
