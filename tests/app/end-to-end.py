#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Tests the real program with a real pointer, through accessible objects.

Usage: end-to-end.py PROGRAM PLAN.yaml DRAG-SOURCE, inside its own X server and session bus."""
import os
import re
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "support"))
import atspi  # noqa: E402


class Program:
    """Runs PROGRAM with empty settings and finds its window."""

    def __init__(self, program, *arguments):
        self.home = tempfile.TemporaryDirectory()
        environment = dict(os.environ, GSETTINGS_BACKEND="memory", ADW_DISABLE_PORTAL="1", GDK_BACKEND="x11",
                           XDG_STATE_HOME=self.home.name, XDG_DATA_HOME=self.home.name,
                           XDG_CONFIG_HOME=self.home.name, LC_ALL="C.UTF-8")
        environment.pop("GTK_A11Y", None)
        self.process = subprocess.Popen([program, *arguments], env=environment)
        self.application = atspi.application(atspi.connect(), self.process.pid)
        self.window = atspi.wait(lambda: self.application.find("window", "."), what="the window")
        self.pointer = atspi.Pointer(self.window)

    def find(self, role, label):
        return atspi.wait(lambda: self.application.find(role, label), what="%s %s" % (role, label))

    def degree(self, name):
        return round(self.find("spin button", "^%s$" % name).value)

    def mfu(self):
        return float(re.search(r"MFU ([\d.]+)", self.find(None, r"^MFU [\d.]+").label).group(1))

    def gpu(self, node, number):
        return self.find(None, "^Node %d GPU %d, " % (node, number))

    def close(self):
        self.process.terminate()
        self.process.wait(timeout=20)
        self.home.cleanup()


def edge_to(program, gpu):
    """Returns the path from the TP handle to the right edge of the GPU's tile."""
    start = program.pointer.middle(program.find(None, "^TP edge"))
    x, y, width, height = gpu.extents
    return start, program.pointer.at(x + width - 2, y + height / 2)


def test_drag(program):
    before = program.mfu()
    assert program.degree("Tensor.*") == 8, "the default plan has TP 8"
    start, end = edge_to(program, program.gpu(0, 3))
    program.pointer.drag(start, end)
    atspi.wait(lambda: program.degree("Tensor.*") == 4, what="TP 4")
    assert program.degree("Data.*") == 4, "DP takes the freed factor"
    assert program.degree("Pipeline.*") == 4, "PP stays"
    after = atspi.wait(lambda: program.mfu() != before and program.mfu(), what="another MFU")
    assert 0 < after < 100, "MFU %g" % after
    program.find(None, "^TP edge, degree 4")


def test_undo(program):
    program.pointer.key("ctrl+z")
    atspi.wait(lambda: program.degree("Tensor.*") == 8, what="TP 8 again")
    program.pointer.key("ctrl+shift+z")
    atspi.wait(lambda: program.degree("Tensor.*") == 4, what="TP 4 again")
    program.pointer.key("ctrl+z")
    atspi.wait(lambda: program.degree("Tensor.*") == 8, what="TP 8 at last")


def test_cancel(program):
    start, end = edge_to(program, program.gpu(0, 3))
    program.pointer.drag(start, end, drop=False)
    atspi.wait(lambda: program.degree("Tensor.*") == 4, what="a preview with TP 4")
    program.pointer.key("Escape")
    atspi.wait(lambda: program.degree("Tensor.*") == 8, what="TP 8 after Escape")
    # The button is still pressed, but motion until the release has no effect.
    away = program.pointer.middle(program.gpu(3, 5))
    program.pointer.move(end, away)
    text = program.gpu(0, 3).description
    program.pointer.release()
    program.pointer.move(away, program.pointer.middle(program.gpu(4, 5)))
    assert program.degree("Tensor.*") == 8, "the release does not commit"
    assert program.gpu(0, 3).label.endswith("rank 3") and program.gpu(3, 5).label.endswith("rank 29")
    assert program.gpu(0, 3).description == text
    program.pointer.key("ctrl+z")
    assert program.degree("Tensor.*") == 8, "there is nothing to undo"


def test_no_ghosts(program):
    """Elements without a handle are hidden from assistive technology."""
    assert program.application.find(None, "^PP edge")
    assert not program.application.find(None, "^(CP|EP|DP) edge")


def is_inner(node):
    """Returns whether NODE is an internal widget of GTK that claims to be focusable."""
    if node.label in ("GtkListBox", "GtkListView", "GtkColumnListView"):
        return True  # the rows get the focus
    if node.label == "GtkListItemWidget":  # in a drop-down's button or a column header
        return node.role == "widget" or node.children[0].role == "column header"
    return False


def controls(root):
    """Returns the visible focusable objects in ROOT. GTK 4.8 never reports the state "showing"."""
    for node in root.walk():
        if "focusable" in node.states and node.extents[2] > 0 and node.extents[3] > 0 and not is_inner(node):
            yield node


def assert_named(root, least):
    """Checks that ROOT has at least LEAST controls with plain names."""
    found = list(controls(root))
    assert len(found) >= least, "%d controls" % len(found)
    for node in found:
        assert re.search(r"\w", node.label) and not re.search(r"(Gtk|Adw|Plg)[A-Z]|\b_", node.label), \
            "a %s is called “%s”" % (node.role, node.label)


def test_names(program):
    """Every control of the window has a name, on each of the pages below the canvas."""
    for page, shown in (("Alt+2", "^Links shown in the list"), ("Alt+3", "^Traffic$"), ("Alt+1", "^Play$")):
        program.pointer.key(page.lower())
        atspi.wait(lambda: program.find("button", shown).extents[2] > 0, what=page)
        assert_named(program.window, 100)


def test_dialogs(program):
    for key, title, least in (("ctrl+shift+o", "Compare", 4), ("ctrl+e", "Export Picture", 9),
                              ("ctrl+t", "For Other Programs", 20), ("ctrl+shift+r", "One Collective", 7),
                              ("ctrl+l", "Lessons", 8), ("shift+F5", "Presenter", 1)):
        program.pointer.key(key)
        dialog = program.find(None, "^%s$" % title)
        atspi.wait(lambda: len(list(controls(dialog))) >= least, what=title)
        assert_named(dialog, least)
        button = atspi.wait(lambda: dialog.find("button", "^(Close|Cancel)$"), what="a button that closes")
        button.act("Click")
        atspi.wait(lambda: title not in [child.label for child in program.application.children],
                   what="the end of %s" % title)


def test_rows(program):
    """Rows name calls, bytes and time with units, and drop-downs name their selection."""
    quantities = r": [\d\s]+\scalls, [\d.]+\s[kMGT]?B\s.*[\d.]+\s(s|ms|µs)$"
    row = program.find("row", "^TP all-gather")
    assert re.search(quantities, row.label), row.label
    program.pointer.key("alt+2")
    row = program.find("row", "^node 3 GPU 0")
    assert re.search(quantities, row.label), row.label
    program.pointer.key("alt+1")
    assert program.find("button", "^Schedule$").description == "1F1B"
    assert program.find("spin button", r"^Memory \(GiB\)$")


def test_arrows(program):
    """The focus moves from GPU to GPU, and the focused cell names its position."""
    program.gpu(0, 0)
    program.pointer.click(program.pointer.middle(program.gpu(0, 0)))
    program.pointer.key("Right")
    atspi.wait(lambda: "focused" in program.gpu(0, 1).states, what="the focus on GPU 1")
    program.pointer.key("Down")
    atspi.wait(lambda: "focused" in program.gpu(1, 1).states, what="the focus on node 1")
    assert "ranks 8–15" in program.gpu(1, 1).description
    program.pointer.key("Escape")


def test_chip_after_click(program):
    """A chip can be dragged after a click."""
    chip = program.find(None, "^Data parallelism, position 3 of 3, ")
    program.pointer.click(program.pointer.middle(chip))
    atspi.wait(lambda: "focused" in chip.states, what="the focus on the chip")
    program.pointer.drag(program.pointer.middle(chip),
                         program.pointer.middle(program.find(None, "^Tensor parallelism, position 1 ")))
    program.find(None, "^Data parallelism, position 1 of 3, ")
    program.pointer.key("ctrl+z")
    program.find(None, "^Data parallelism, position 3 of 3, ")


def test_chip_from_narrow_sidebar(program):
    """In a narrow window the sidebar covers the cluster and hides while an axis is dragged."""
    program.pointer.resize(1024, 768)
    program.pointer.key("F9")
    chip = program.find(None, ", position 3 of 3, counted from the innermost axis")
    axis = chip.label.split(",")[0]
    atspi.wait(lambda: chip.extents[0] > 0, what="the sidebar")
    program.pointer.drag(program.pointer.middle(chip), program.pointer.middle(program.gpu(3, 6)))
    program.find(None, "^%s, position 1 of " % re.escape(axis))


def test_no_driver(program):
    """With the Cairo renderer, no OpenGL driver is loaded."""
    with open("/proc/%d/maps" % program.process.pid, encoding="utf-8") as maps:
        drivers = {line.split()[-1] for line in maps if "_dri.so" in line or "libLLVM" in line}
    assert not drivers, drivers


def drop(program, kind, content):
    """Drags CONTENT of KIND from another program and drops the content onto the canvas."""
    with tempfile.NamedTemporaryFile() as file:
        file.write(content)
        file.flush()
        source = subprocess.Popen([sys.argv[3], kind, file.name])
        try:
            window = atspi.wait(lambda: atspi.run("xdotool", "search", "--onlyvisible", "--name", "^dragged$"),
                                what="the window to drag from").split()[-1]
            atspi.run("xdotool", "windowmove", "--sync", window, "0", "0", "windowraise", window)
            end = program.pointer.middle(program.gpu(3, 6))
            program.pointer.drag((60, 40), end)
            yield
        finally:
            source.terminate()
            source.wait(timeout=20)


def test_dropped(program):
    """Drops valid and invalid text and files; an invalid drop is explained and leaves the plan unchanged."""
    before = program.mfu()
    matrix = b"\tGPU0\tGPU1\nGPU0\t X \tNV12\nGPU1\tNV12\t X \n"
    plain = "text/plain;charset=utf-8"
    for kind, content, said in ((plain, matrix, "^From dropped text$"),
                                (plain, b"\0\1\2\3", "^dropped text:1: The file has a zero byte"),
                                ("text/uri-list", b"file:///\r\n", "This is a folder"),
                                ("text/uri-list", b"http://example.org/a.xml\r\n", "a.xml: Cannot read the file from that location")):
        for _ in drop(program, kind, content):
            program.find(None, said)
            program.pointer.key("Escape")
            atspi.wait(lambda: not program.application.find(None, said), what="the end of %s" % said)
    assert program.mfu() == before, "the plan has changed"


def test_groups(program):
    """The plan file of the teaching material shows its groups."""
    text = program.gpu(0, 1).description
    assert program.degree("Tensor.*") == 8 and program.degree("Pipeline.*") == 4 and program.degree("Data.*") == 2
    assert "ranks 0–7" in text, text


def main():
    program_path, plan_path = sys.argv[1:3]
    tests = [(test_names, ()), (test_rows, ()), (test_drag, ()), (test_undo, ()), (test_cancel, ()),
             (test_no_ghosts, ()), (test_arrows, ()), (test_chip_after_click, ()), (test_dialogs, ()), (test_no_driver, ()),
             (test_dropped, ()),
             (test_groups, (plan_path,)), (test_chip_from_narrow_sidebar, (plan_path,))]
    failed = 0
    print("1..%d" % len(tests))
    program = None
    last_arguments = None
    for number, (test, arguments) in enumerate(tests, 1):
        try:
            if program is None or arguments != last_arguments:
                if program is not None:
                    program.close()
                program = Program(program_path, *arguments)
                last_arguments = arguments
            test(program)
            print("ok %d %s" % (number, test.__name__))
        except Exception as error:  # noqa: BLE001
            failed += 1
            print("not ok %d %s" % (number, test.__name__))
            print("# %s: %s" % (type(error).__name__, error))
        sys.stdout.flush()
    if program is not None:
        program.close()
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
