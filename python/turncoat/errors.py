"""The exceptions of this package, all of them `TurncoatError`s."""


class TurncoatError(Exception):
    """The base of all exceptions of this package."""


class InputError(TurncoatError, ValueError):
    """Unreadable or inconsistent input; the message says where."""


class IllegalMoveError(InputError):
    """The rules forbid the move."""


class PlayerError(TurncoatError, RuntimeError):
    """A player, or the engine itself, failed."""


class RunError(TurncoatError, RuntimeError):
    """A run cannot start or continue; what it has already written is safe."""
