#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""A lesson played to its end in the real program, with a keyboard, as a screen reader hears it.

Usage: lessons.py PROGRAM CLI LESSON..., inside an X server and a session bus of its own.

While a question is open, no number that it hides is in any name, description or text. Questions are
answered in turn right and wrong; then each explanation comes, and at last the lesson ends."""
import os
import re
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ElementTree

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "support"))
import atspi  # noqa: E402

# What a question may hide, as metrics of the command line with a limit that anything keeps.
SECRETS = {
    "memory": ["memory>=0GiB", "activations>=0GiB"],
    "bubble": ["bubble>=0%", "bubble-over-ideal>=0%"],
    "time": ["mfu>=0%", "hfu>=0%", "step-time>=0s"],
    "communication": ["tp-time>=0s", "pp-time>=0s", "dp-time>=0s"],
}


def skip(reason):
    print("1..0 # SKIP " + reason)
    sys.exit(0)


class Lesson:
    """A lesson file, and the settings with which each step begins for who changes nothing."""

    def __init__(self, path):
        self.path = path
        self.root = ElementTree.parse(path).getroot()
        self.steps = self.root.findall("step")

    def settings(self, step):
        made = {}
        for before in self.steps[:self.steps.index(step) + 1]:
            plan = before.find("plan")
            if plan is None:
                continue
            if plan.get("from") == "default":
                made = {}
            # What was set first may decide what can be set next, so the order stays.
            for one in plan.findall("set"):
                made.pop(one.get("key"), None)
                made[one.get("key")] = one.get("value")
        return ["--set=%s=%s" % pair for pair in made.items()]


def secrets(cli, lesson, step):
    """The texts of what the step's question hides; short ones stand for other things as well."""
    metrics = [m for word in step.find("question").get("hides", "").split() for m in SECRETS[word]]
    arguments = ["--assert=" + metric for metric in metrics]
    output = subprocess.run([cli, "check", *lesson.settings(step), *arguments], capture_output=True,
                            text=True, check=False).stdout.replace("\u00a0", " ")
    found = set()
    for metric in metrics:
        row = re.search(r"^%s\s\s+(.+?)\s\s+" % re.escape(metric), output, re.MULTILINE)
        if row and "." in row.group(1) and len(row.group(1)) > 5:
            found.add(row.group(1).strip())
    return found


def heard(program):
    """All that assistive technology can say of the program."""
    parts = []
    for node in program.walk():
        try:
            parts += [node.label, node.description]
            if node.role in ("text", "label"):
                parts.append(node.call("Text", "GetText", atspi.GLib.Variant("(ii)", (0, -1)))[0])
        except atspi.GLib.Error:  # it went away, or has no text
            pass
    return "\n".join(parts).replace("\u00a0", " ").replace("\u202f", " ")


class Player:
    def __init__(self, program, lesson):
        self.home = tempfile.TemporaryDirectory()
        environment = dict(os.environ, GSETTINGS_BACKEND="memory", ADW_DISABLE_PORTAL="1", GDK_BACKEND="x11",
                           XDG_STATE_HOME=self.home.name, XDG_DATA_HOME=self.home.name,
                           XDG_CONFIG_HOME=self.home.name, LC_ALL="C.UTF-8")
        environment.pop("GTK_A11Y", None)
        self.process = subprocess.Popen([program, lesson.path], env=environment)
        self.application = atspi.application(atspi.connect(), self.process.pid)
        self.window = atspi.wait(lambda: self.application.find(None, "."), what="the window")
        self.pointer = atspi.Pointer(self.window.find("window", ".") or self.window)

    def close(self):
        self.process.terminate()
        self.process.wait(10)
        self.home.cleanup()

    def press(self, label):
        """The button with this name, by keyboard alone."""
        button = atspi.wait(lambda: self.application.find("button", label), what=label)
        for _ in range(200):
            if "focused" in button.states:
                self.pointer.key("space")
                return
            self.pointer.key("Tab")
        raise TimeoutError("the focus does not come to “%s”" % label)


def play(player, cli, lesson):
    answered = sought = 0
    for step in lesson.steps:
        title = step.find("title").text
        atspi.wait(lambda: player.application.find("label", "^%s$" % re.escape(title)), what="the step “%s”" % title)
        question = step.find("question")
        if question is not None:
            hidden = secrets(cli, lesson, step)
            sought += len(hidden)
            text = heard(player.application)
            for secret in hidden:
                assert secret not in text, "“%s” is told before the answer: …%s…" % (
                    secret, text[max(text.index(secret) - 60, 0):][:130])
            ids = [choice.get("id") for choice in question.findall("choice")]
            right = ids.index(question.get("answer"))
            choice = right if answered % 2 == 0 else (right + 1) % len(ids)
            answered += 1
            player.press("^%s  " % "ABCDEFGH"[choice])
            atspi.wait(lambda: player.application.find("button", "^%s  " % "ABCDEFGH"[right]).description
                       == "the right answer", what="the right answer")
        player.press("^_?(Next|Finish)$")
    atspi.wait(lambda: player.application.find(None, "is finished: %d of %d predictions right"
                                               % ((answered + 1) // 2, answered)), what="the end")
    assert sought > 0, "nothing was looked for"


def main():
    program, cli, *paths = sys.argv[1:]
    try:
        atspi.connect()
    except atspi.GLib.Error as error:
        skip("no accessibility bus: %s" % error.message)
    print("1..%d" % len(paths))
    failed = 0
    for number, path in enumerate(paths, 1):
        lesson = Lesson(path)
        player = Player(program, lesson)
        try:
            play(player, cli, lesson)
            print("ok %d %s" % (number, lesson.root.get("id")))
        except Exception as error:  # noqa: BLE001
            failed += 1
            print("not ok %d %s" % (number, lesson.root.get("id")))
            print("# %s: %s" % (type(error).__name__, error))
        finally:
            player.close()
        sys.stdout.flush()
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
