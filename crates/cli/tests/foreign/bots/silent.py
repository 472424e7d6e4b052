"""Reads, and says nothing."""
import sys

for _ in sys.stdin:
    pass
