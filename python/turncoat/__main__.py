"""The command `turncoat`, also as `python -m turncoat`."""

from __future__ import annotations

import signal
import sys

from ._engine import run_command


def main() -> None:
    """Run the command line of this process and end it."""
    # Python would only note the signal, and see it when the command is over.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    sys.exit(run_command(["turncoat", *sys.argv[1:]]))


if __name__ == "__main__":
    main()
