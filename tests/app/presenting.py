#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Controls a presentation in the real program from the focused window with the notes.

Usage: presenting.py PROGRAM LESSON, inside its own X server and session bus."""
import sys

import lessons  # noqa: I001
from lessons import atspi


def notes(player):
    """Returns the presenter's window, or None."""
    return player.application.find(None, "^Presenter$")


def is_presented(player):
    return player.window.find("button", "^Export") is None


def is_answered(player):
    return player.ledger() is not None and player.ledger().find(".//answer") is not None


def test_keys(player):
    player.pointer.key("shift+F5")
    atspi.wait(lambda: is_presented(player), what="the show")
    pointer = atspi.Pointer(atspi.wait(lambda: notes(player), what="the notes"))
    # Tab moves from the focused cluster to the choices; one more Tab would open a definition.
    for _ in range(6):
        pointer.key("Tab", "space")
        try:
            atspi.wait(lambda: is_answered(player), 5, "the answer that the notes' keys gave")
            break
        except TimeoutError as error:
            late = error
    else:
        raise late
    pointer.key("F5")
    atspi.wait(lambda: notes(player) is None and not is_presented(player), what="the end of the show")


def main():
    program, path = sys.argv[1:]
    try:
        atspi.connect()
    except atspi.GLib.Error as error:
        lessons.skip("no accessibility bus: %s" % error.message)
    tests = [test_keys]
    print("1..%d" % len(tests))
    player = lessons.Player(program, lessons.Lesson(path))
    failed = 0
    for number, test in enumerate(tests, 1):
        try:
            test(player)
            print("ok %d %s" % (number, test.__name__))
        except Exception as error:  # noqa: BLE001
            failed += 1
            print("not ok %d %s\n# %s: %s" % (number, test.__name__, type(error).__name__, error))
        sys.stdout.flush()
    player.close()
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
