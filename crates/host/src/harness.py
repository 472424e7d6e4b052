"""Hosts the course's class AI: orders come in on standard input, reports go out on standard output.

The class runs on the main thread, since signal handlers do; a second thread watches the clock. When the time is
up it reports the list as it then stands and interrupts the class until that has come to its end. What the class
prints goes to standard error. Nothing of this is the class's business: it is loaded as it is.
"""

import json
import os
import signal
import sys
import threading
import time
import traceback

ORDERS = os.fdopen(os.dup(0), "rb")
REPORTS = os.dup(1)
os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
os.dup2(2, 1)

PATH = sys.argv[1]
MOST_SO_FAR = 500


class Interrupted(BaseException):
    """Raised in the class when its time is up."""


class Desk:
    """What the two threads share."""

    def __init__(self):
        self.lock = threading.RLock()
        self.wake = threading.Condition(self.lock)
        self.deadline = None
        self.running = False
        self.turn = 0
        self.answered = False
        self.saying = False
        self.reported = 0
        self.player = None


DESK = Desk()


def say(report):
    """Writes one report; an interruption waits until it is written."""
    data = (json.dumps(report) + "\n").encode()
    with DESK.lock:
        DESK.saying = True
        try:
            while data:
                data = data[os.write(REPORTS, data):]
        finally:
            DESK.saying = False


# No board reaches so far.
FAR = 1 << 31


def whole(number):
    """A whole number of whatever kind, but no truth value."""
    if isinstance(number, bool) or not hasattr(number, "__index__"):
        raise TypeError
    number = number.__index__()
    if not -FAR < number < FAR:
        raise ValueError
    return number


def described(element):
    """What an element is, for people; not every object can be written."""
    kind = type(element).__name__
    try:
        return "%s %.40r" % (kind, element)
    except Exception:
        return kind


def item(element):
    """An element of the list as JSON."""
    try:
        row, column = element
        point = [whole(row), whole(column)]
    except Exception:
        return {"kind": described(element)}
    if type(element) is tuple:
        return point
    return {"kind": type(element).__name__, "point": point}


def items():
    """The list as it stands."""
    found = list(DESK.player.candidate_list)
    return [item(element) for element in found[:1001]]


class Candidates(list):
    """A list that reports every change, so that its state is known also when nothing else can be asked."""

    def note(self):
        if DESK.running and not DESK.answered and DESK.reported < MOST_SO_FAR:
            if getattr(DESK.player, "candidate_list", None) is self:
                DESK.reported += 1
                say({"list": {"items": items(), "state": "so-far"}})

    def append(self, element):
        super().append(element)
        self.note()

    def extend(self, elements):
        super().extend(elements)
        self.note()

    def insert(self, place, element):
        super().insert(place, element)
        self.note()

    def clear(self):
        super().clear()
        self.note()

    def __iadd__(self, elements):
        super().extend(elements)
        self.note()
        return self

    def __reduce__(self):
        return list, (list(self),)


def interrupt(*_):
    """The signal of the watch: only the class is interrupted, and not while a report is written."""
    if DESK.running and DESK.answered and not DESK.saying:
        raise Interrupted


def watch():
    """The second thread: looks at the clock."""
    main = threading.main_thread().ident
    while True:
        with DESK.lock:
            while not DESK.running or DESK.deadline is None:
                DESK.wake.wait()
            left = DESK.deadline - time.monotonic()
            if left > 0:
                DESK.wake.wait(left)
                continue
            if not DESK.answered:
                try:
                    say({"list": {"items": items(), "state": "interrupted"}})
                    DESK.answered = True
                except Exception:
                    # The list was changed while it was read; the next look will do.
                    continue
            turn = DESK.turn
        while DESK.running and DESK.turn == turn:
            signal.pthread_kill(main, signal.SIGUSR1)
            time.sleep(0.01)


def failed(stage, error):
    """Reports what Python says."""
    traceback.print_exception(type(error), error, error.__traceback__)
    sys.stderr.flush()
    text = traceback.format_exception_only(type(error), error)[-1].strip()[:500]
    line = line_of(error)
    if line:
        text += " (line %d)" % line
    say({"failed": {"stage": stage, "text": text}})


def line_of(error):
    """The line of the file in which it went wrong, if it is one of the file."""
    if isinstance(error, SyntaxError):
        return error.lineno if error.filename == PATH else None
    lines = [frame.lineno for frame in traceback.extract_tb(error.__traceback__) if frame.filename == PATH]
    return lines[-1] if lines else None


def load():
    """Loads the file as the module of a player."""
    import types

    module = types.ModuleType("ai")
    module.__file__ = PATH
    sys.modules["ai"] = module
    sys.path.insert(0, os.path.dirname(os.path.abspath(PATH)))
    with open(PATH, "rb") as file:
        source = file.read()
    exec(compile(source, PATH, "exec"), module.__dict__)
    if not hasattr(module, "AI"):
        raise AttributeError("the file has no class AI")
    return module.AI


def wrap():
    """Sees to it that changes of the list are reported."""
    if type(getattr(DESK.player, "candidate_list", None)) is list:
        DESK.player.candidate_list = Candidates(DESK.player.candidate_list)


def go(board, limit):
    """Calls the class once."""
    import numpy

    wrap()
    error = None
    with DESK.lock:
        DESK.turn += 1
        DESK.reported = 0
        DESK.answered = False
        DESK.deadline = None if limit is None else time.monotonic() + limit
        DESK.running = True
        DESK.wake.notify()
    try:
        DESK.player.go(numpy.array(board, dtype=int))
    except Interrupted:
        pass
    except BaseException as caught:
        error = caught
    finish(error)


def finish(error):
    """After the class has come to its end. Interruptions may still be on the way; they are let go by."""
    while True:
        try:
            with DESK.lock:
                answered, DESK.running = DESK.answered, False
            break
        except Interrupted:
            continue
    signal.setitimer(signal.ITIMER_REAL, 0)
    if answered:
        say({"stopped": {}})
    elif error is not None:
        failed("go", error)
    else:
        try:
            list_ = items()
        except Exception as caught:
            failed("go", caught)
            return
        say({"list": {"items": list_, "state": "done"}})


def main():
    try:
        import numpy  # noqa: F401
    except ImportError:
        say({"missing": {"text": "numpy"}})
        return
    sys.setswitchinterval(0.001)
    signal.signal(signal.SIGUSR1, interrupt)
    threading.Thread(target=watch, daemon=True).start()
    try:
        player = load()
    except BaseException as error:
        failed("load", error)
        return
    say({"ready": {"python": sys.version.split()[0]}})
    for line in ORDERS:
        order = json.loads(line)
        if "begin" in order:
            begin = order["begin"]
            try:
                DESK.player = player(begin["size"], begin["color"], begin["time_out"])
            except BaseException as error:
                failed("begin", error)
                continue
            say({"begun": {}})
        else:
            go(order["go"]["board"], order["go"]["limit"])


main()
os._exit(0)
