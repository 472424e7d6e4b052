"""What can go wrong. All of it is a `TurncoatError`."""


class TurncoatError(Exception):
    """Anything that this package complains about."""


class InputError(TurncoatError, ValueError):
    """What was given cannot be read, or makes no sense; the message says where."""


class IllegalMoveError(InputError):
    """The rules forbid the move."""


class PlayerError(TurncoatError, RuntimeError):
    """A player, or the engine itself, failed."""


class RunError(TurncoatError, RuntimeError):
    """A run cannot begin or go on; what it had done before is safe."""
