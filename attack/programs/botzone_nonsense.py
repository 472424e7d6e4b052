# attack: answers Botzone with anything but its JSON
# kind: botzone
# options: --time 2s
# expect: protocol, illegal, timeout, crash
# vary: HOW empty brackets float string huge deep nan duplicate binary negative
import sys

HOW = "empty"
SAYS = {
    "empty": b"{}", "brackets": b"[[[[", "float": b'{"response": {"x": 2.5, "y": 3}}', "string": b'{"response": {"x": "2", "y": "3"}}',
    "huge": b'{"response": {"x": 1e400, "y": 3}}', "deep": b"[" * 30000, "nan": b'{"response": {"x": NaN, "y": 3}}',
    "duplicate": b'{"response": {"x": 2, "x": 9, "y": 99999999999999999999}}', "binary": b"\xff\xfe", "negative": b'{"response": {"x": -7, "y": -7}}',
}
sys.stdin.readline()
sys.stdout.buffer.write(SAYS[HOW] + b"\n")
sys.stdout.flush()
