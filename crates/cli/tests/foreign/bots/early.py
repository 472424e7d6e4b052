"""Takes three gigabytes before it reads anything."""
TABLE = []
for _ in range(48):
    TABLE.append(bytearray(64 << 20))
    TABLE[-1][::4096] = bytes(64 << 8)
input()
