"""Eats memory: a gigabyte at most, which is more than any limit of these tests."""
import sys
import time

sys.stdin.readline()
eaten = []
for _ in range(1000):
    eaten.append(bytearray(b"x" * 1_000_000))
    time.sleep(0.0005)
time.sleep(30)
