"""Hosts the course's class AI: orders come in on standard input, reports go out on standard output.

Nothing here looks at a clock: every change of the candidate list is reported as it happens, and the referee takes the
last report that reaches it in time. The class runs on the main thread, since signal handlers do. A second thread reads
the orders and interrupts the class when the referee says so; a third reports what the list's own methods do not see.
What the class prints goes to standard error. Nothing of this is the class's business: it is loaded as it is.
"""

import sys

# The first entry is the folder where Python was started, which is the program's: its files must not replace Python's.
sys.path[:] = [place for place in sys.path if place]

import json
import os
import queue
import signal
import threading
import traceback
import types
from itertools import islice
from operator import is_
from time import sleep

ORDERS = os.fdopen(os.dup(0), "rb")
REPORTS = os.dup(1)
os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
os.dup2(2, 1)

PATH = sys.argv[1]
FOLDER = os.path.dirname(os.path.abspath(PATH))
PROCESS = os.getpid()
# So many elements of a list are reported; the last one always is.
MOST = 1001
# So many changes of a move are reported at once. Beyond that one more is with every look of the third thread.
BURST = 300
LOOK = 0.01


class Interrupted(BaseException):
    """Raised in the class when the referee stops it."""


class Desk:
    """What the threads share."""

    def __init__(self):
        self.lock = threading.RLock()
        self.orders = queue.SimpleQueue()
        self.running = False
        self.stopping = False
        self.player = None
        # The list as it was last seen, whether the referee knows it, whether it must be told, and how often it may be.
        self.seen, self.known, self.missed, self.left = [], False, False, 0


DESK = Desk()
# Held while a list and its twin change. Others who find it taken do not wait: a change may take as long as the class likes.
TWINS = threading.RLock()


def say(report):
    """Writes one report."""
    data = (json.dumps(report) + "\n").encode()
    with DESK.lock:
        while data:
            data = data[os.write(REPORTS, data):]


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
    kind = type(element).__name__[:20]
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
    return {"kind": type(element).__name__[:20], "point": point}


def elements():
    """The list as it stands, in a list of its own. What can be read only once is not read before the class returns."""
    found = DESK.player.candidate_list
    if isinstance(found, list):
        return list(found)
    if DESK.running and hasattr(found, "__next__"):
        raise TypeError
    return list(islice(found, 10**6))


def tell(state):
    """Reports the list as it stands."""
    found = elements()
    shown = found if len(found) <= MOST else found[:MOST - 1] + found[-1:]
    say({"list": {"items": [item(element) for element in shown], "length": len(found), "state": state}})
    DESK.seen, DESK.known, DESK.missed = found, True, False


def changed(added=()):
    """Reports a change of the list: these elements were added, or anything may have happened."""
    if not DESK.running or DESK.stopping or os.getpid() != PROCESS:
        return
    with DESK.lock:
        if DESK.left <= 0:
            DESK.known, DESK.missed = False, True
            return
        DESK.left -= 1
        try:
            if not added or not DESK.known:
                tell("so-far")
                return
            for element in added:
                say({"add": {"item": item(element)}})
                DESK.seen.append(element)
        except Exception:
            DESK.known, DESK.missed = False, True


def same(one, other):
    """Whether two lists hold the same objects."""
    return len(one) == len(other) and all(map(is_, one, other))


class Candidates(list):
    """The class's list, which reports its changes. The class may also keep the plain list that it was made from, its
    twin: each follows the other."""

    twin = None

    def follow(self):
        """Takes over what happened to the twin; whether anything did."""
        if not TWINS.acquire(blocking=False):
            return False
        try:
            twin = self.twin
            if twin is None or len(twin) == len(self) and (not twin or twin[-1] is self[-1]):
                return False
            list.__setitem__(self, slice(None), twin)
            return True
        finally:
            TWINS.release()

    def append(self, element):
        with TWINS:
            followed = self.follow()
            list.append(self, element)
            if self.twin is not None:
                self.twin.append(element)
        if getattr(DESK.player, "candidate_list", None) is self:
            changed(() if followed else (element,))

    def __reduce__(self):
        return list, (list(self),)


def reporting(name):
    """A method of lists that reports what it has done."""
    method = getattr(list, name)

    def change(self, *arguments, **options):
        with TWINS:
            self.follow()
            result = method(self, *arguments, **options)
            if self.twin is not None:
                self.twin[:] = self
        if getattr(DESK.player, "candidate_list", None) is self:
            changed()
        return result

    change.__name__ = name
    return change


for name in "extend insert remove pop clear sort reverse __setitem__ __delitem__ __iadd__ __imul__".split():
    setattr(Candidates, name, reporting(name))


class Attribute:
    """The class's attribute candidate_list: an assignment is a change too."""

    def __init__(self, before):
        # What the class had of this name: a slot, a property, or a value for all players.
        self.before = before
        self.stores = hasattr(type(before), "__set__")

    def __get__(self, player, kind=None):
        if self.stores:
            found = self.before.__get__(player, kind)
        elif player is None or "candidate_list" not in player.__dict__:
            if self.before is None:
                raise AttributeError("candidate_list")
            found = self.before
        else:
            found = player.__dict__["candidate_list"]
        if type(found) is Candidates:
            found.follow()
        return found

    def __set__(self, player, value):
        if type(value) is list:
            plain, value = value, Candidates(value)
            value.twin = plain
        if self.stores:
            self.before.__set__(player, value)
        else:
            player.__dict__["candidate_list"] = value
        if player is DESK.player:
            changed()

    def __delete__(self, player):
        if self.stores:
            self.before.__delete__(player)
        else:
            del player.__dict__["candidate_list"]


def attend(player):
    """Sees to it that changes of the player's list are reported at once. Where the class allows no such thing, the
    third thread reports them."""
    kind = type(player)
    owner = next((base for base in kind.__mro__ if "candidate_list" in vars(base)), None)
    before = vars(owner)["candidate_list"] if owner else None
    try:
        if not isinstance(before, Attribute):
            kind.candidate_list = Attribute(before)
        player.candidate_list = player.candidate_list
    except Exception:
        pass


def look():
    """The third thread: sees changes that no method has reported, and those beyond the burst."""
    while True:
        sleep(LOOK)
        with DESK.lock:
            if not DESK.running or DESK.stopping:
                continue
            DESK.left = min(DESK.left + 1, BURST)
            try:
                found = DESK.player.candidate_list
                if type(found) is Candidates and found.twin is not None and TWINS.acquire(blocking=False):
                    try:
                        if not same(found, found.twin):
                            list.__setitem__(found, slice(None), found.twin)
                    finally:
                        TWINS.release()
                if DESK.missed or not same(elements(), DESK.seen):
                    tell("so-far")
            except Exception:
                # The list was changed while it was read; the next look will do.
                continue


def interrupt(_, frame):
    """The signal of the second thread: only the class is interrupted, and not while it makes a report."""
    while frame is not None and frame.f_code not in (call.__code__, say.__code__):
        frame = frame.f_back
    if DESK.stopping and frame is not None and frame.f_code is call.__code__:
        raise Interrupted


def listen():
    """The second thread: reads the orders."""
    main = threading.main_thread().ident
    for line in ORDERS:
        order = json.loads(line)
        if "stop" not in order:
            DESK.orders.put(order)
            continue
        with DESK.lock:
            DESK.stopping = DESK.running
        while DESK.stopping:
            signal.pthread_kill(main, signal.SIGUSR1)
            sleep(LOOK)
    os._exit(0)


def failed(stage, error):
    """Reports what Python says."""
    traceback.print_exception(type(error), error, error.__traceback__)
    sys.stderr.flush()
    text = traceback.format_exception_only(type(error), error)[-1].strip()[:500]
    line = line_of(error)
    if line:
        text += " (line %d)" % line
    text += shadow(error)
    say({"failed": {"stage": stage, "text": text}})


def shadow(error):
    """Names the file in the program's folder that is mistaken for a module of Python's, or the reverse, if that may be
    why it went wrong."""
    known = getattr(sys, "stdlib_module_names", sys.builtin_module_names)
    through = [frame.filename for frame in traceback.extract_tb(error.__traceback__)]
    for entry in sorted(os.listdir(FOLDER)):
        name, place = entry.split(".")[0], os.path.join(FOLDER, entry)
        if entry not in (name, name + ".py") or name not in known or place == os.path.abspath(PATH):
            continue
        loaded = getattr(sys.modules.get(name), "__file__", None) or ""
        replaces = loaded.startswith(place) and isinstance(error, (ImportError, AttributeError))
        if replaces or any(file.startswith(place) for file in through):
            return "; %s in the program's folder replaces Python's own module %s: rename it" % (entry, name)
        if isinstance(error, ImportError) and error.name == name:
            return "; Python's own module %s comes before %s in the program's folder: rename that" % (name, entry)
    return ""


def line_of(error):
    """The line of the file in which it went wrong, if it is one of the file."""
    if isinstance(error, SyntaxError):
        return error.lineno if error.filename == PATH else None
    lines = [frame.lineno for frame in traceback.extract_tb(error.__traceback__) if frame.filename == PATH]
    return lines[-1] if lines else None


def load():
    """Loads the file as the module of a player."""
    module = types.ModuleType("ai")
    module.__file__ = PATH
    sys.modules["ai"] = module
    # Python's own modules come first, as on the course's platform, which has imported them before.
    packages = [place for place in sys.path if place.endswith(("site-packages", "dist-packages"))]
    sys.path.insert(sys.path.index(packages[0]) if packages else len(sys.path), FOLDER)
    with open(PATH, "rb") as file:
        source = file.read()
    exec(compile(source, PATH, "exec"), module.__dict__)
    if not hasattr(module, "AI"):
        raise AttributeError("the file has no class AI")
    return module.AI


def call(board):
    """Calls the class; this is the only place that is interrupted."""
    DESK.player.go(board)


def go(board):
    """Calls the class once."""
    import numpy

    error = None
    with DESK.lock:
        DESK.running, DESK.seen, DESK.known, DESK.missed, DESK.left = True, [], False, False, BURST
        try:
            # What is left of the last move is no answer to this one, unless the class returns with it.
            DESK.seen = elements()
        except Exception:
            pass
    try:
        call(numpy.array(board, dtype=int))
    except Interrupted:
        pass
    except BaseException as caught:
        error = caught
    with DESK.lock:
        stopped, DESK.running, DESK.stopping = DESK.stopping, False, False
    signal.setitimer(signal.ITIMER_REAL, 0)
    if stopped:
        say({"stopped": {}})
        return
    try:
        if error is not None:
            raise error
        tell("done")
    except BaseException as caught:
        failed("go", caught)


def main():
    try:
        import numpy  # noqa: F401
    except ImportError:
        say({"missing": {"text": "numpy"}})
        return
    sys.setswitchinterval(0.001)
    signal.signal(signal.SIGUSR1, interrupt)
    for work in (listen, look):
        threading.Thread(target=work, daemon=True).start()
    try:
        player = load()
    except BaseException as error:
        failed("load", error)
        return
    say({"ready": {"python": sys.version.split()[0]}})
    while True:
        order = DESK.orders.get()
        if "begin" in order:
            begin = order["begin"]
            try:
                DESK.player = player(begin["size"], begin["color"], begin["time_out"])
                attend(DESK.player)
            except BaseException as error:
                failed("begin", error)
                continue
            say({"begun": {}})
        else:
            go(order["go"]["board"])


main()
os._exit(0)
