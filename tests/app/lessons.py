#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Plays lessons to their end in the real program, by keyboard and through accessible objects.

Usage: lessons.py right|wrong PROGRAM CLI LESSON..., inside its own X server and session bus.

While a question is open, no accessible name, description or text contains a number that the question
hides. After right answers, or with “wrong” after wrong answers, each explanation appears and the
lesson ends."""
import os
import re
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ElementTree

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "support"))
import atspi  # noqa: E402

# The metrics that a question can hide, as conditions of the command line that always hold.
SECRETS = {
    "memory": ["memory>=0GiB", "activations>=0GiB"],
    "bubble": ["bubble>=0%", "bubble-over-ideal>=0%"],
    "time": ["mfu>=0%", "hfu>=0%", "step-time>=0s"],
    "calls": ["tp-calls>=0", "pp-calls>=0", "dp-calls>=0"],
    "bytes": ["tp-bytes>=0B", "pp-bytes>=0B", "dp-bytes>=0B"],
    "busy": ["tp-time>=0s", "pp-time>=0s", "dp-time>=0s"],
    "hops": ["tp-hops-between-nodes>=0", "pp-hops-between-nodes>=0", "dp-hops-between-nodes>=0"],
}
# The accessible texts of faults, which are not numbers.
SIGNS = ["slow GPU", "Slow GPU", "slow link", "failed link", " runs at ", "Repair"]
SECRETS["faults"] = []
SECRETS["communication"] = SECRETS["calls"] + SECRETS["bytes"] + SECRETS["busy"]


NEXT = "^(Go to _?Question|_?Next|_?Finish)$"
GIVEN = "^The previous goal was not reached"
CAPACITY = "capacity>=0GiB"


def skip(reason):
    print("1..0 # SKIP " + reason)
    sys.exit(0)


class Lesson:
    """A lesson file, and the initial settings of each step without changes by the learner."""

    def __init__(self, path):
        self.path = path
        self.root = ElementTree.parse(path).getroot()
        self.steps = self.root.findall("step")

    def settings(self, step, choice=None):
        """With CHOICE, the settings of the plan that shows the evidence."""
        made = {}
        for before in [*self.steps[:self.steps.index(step) + 1], *([] if choice is None else [choice])]:
            plan = before.find("plan")
            if plan is None:
                continue
            if plan.get("from") == "default":
                made = {}
            # Earlier settings can restrict later ones, so the order is kept.
            for one in plan.findall("set"):
                made.pop(one.get("key"), None)
                made[one.get("key")] = one.get("value")
        return ["--set=%s=%s" % pair for pair in made.items()]


def secrets(cli, lesson, step):
    """The texts that the step's question hides, for its plan and the plan of each choice. Short texts
    are skipped, since they can have other meanings."""
    plans = {tuple(lesson.settings(step, choice)) for choice in [None, *step.findall("question/choice")]}
    signs = SIGNS if "faults" in step.find("question").get("hides", "").split() else []
    return set(signs).union(*(secrets_of(cli, plan, step) for plan in plans))


def secrets_of(cli, settings, step):
    metrics = [m for word in step.find("question").get("hides", "").split() for m in SECRETS[word]]
    arguments = ["--assert=" + metric for metric in [*metrics, CAPACITY]]
    output = subprocess.run([cli, "check", *settings, *arguments], capture_output=True,
                            text=True, check=False).stdout.replace("\u00a0", " ")
    rows = {metric: re.search(r"^%s\s\s+(.+?)\s\s+" % re.escape(metric), output, re.MULTILINE)
            for metric in [*metrics, CAPACITY]}
    texts = {metric: row.group(1).strip() for metric, row in rows.items() if row}
    # A full GPU is described by its capacity.
    return {text for metric, text in texts.items()
            if "." in text and len(text) > 5 and text != texts.get(CAPACITY)}


def heard(program):
    """Returns all accessible texts of the program in one query, since a cluster has thousands of
    parts."""
    parts = []
    for (name, path), _, _, _, _, interfaces, label, _, description, _ in program.items():
        parts += [label, description]
        if "org.a11y.atspi.Text" in interfaces:
            try:
                parts.append(atspi.Node(program.bus, name, path).call(
                    "Text", "GetText", atspi.GLib.Variant("(ii)", (0, -1)))[0])
            except atspi.GLib.Error:  # the object has disappeared
                pass
    return "\n".join(parts).replace("\u00a0", " ").replace("\u202f", " ")


class Player:
    def __init__(self, program, lesson):
        self.home = tempfile.TemporaryDirectory()
        self.first = lesson.steps[0].find("title").text
        environment = dict(os.environ, GSETTINGS_BACKEND="memory", ADW_DISABLE_PORTAL="1", GDK_BACKEND="x11",
                           XDG_STATE_HOME=self.home.name, XDG_DATA_HOME=self.home.name,
                           XDG_CONFIG_HOME=self.home.name, LC_ALL="C.UTF-8")
        environment.pop("GTK_A11Y", None)
        self.process = subprocess.Popen([program, lesson.path], env=environment)
        self.application = atspi.application(atspi.connect(), self.process.pid)
        self.window = atspi.wait(lambda: self.application.find(None, "."), what="the window")
        self.pointer = atspi.Pointer(self.window.find("window", ".") or self.window)
        self.pane = atspi.wait(self.find_pane, what="the lesson")

    def close(self):
        self.process.terminate()
        self.process.wait(10)
        self.home.cleanup()

    def find_pane(self):
        """Returns the container of the step and its buttons, to avoid a search of the cluster."""
        node = self.application.find("button", NEXT)
        while node is not None and node.find("label", "^%s$" % re.escape(self.first)) is None:
            node = node.parent
        return node

    def ledger(self):
        """Returns the recorded answers of the lesson."""
        paths = [os.path.join(folder, name) for folder, _, names in os.walk(self.home.name) for name in names
                 if os.path.basename(folder) == "learners" and name.endswith(".xml")]
        return ElementTree.parse(paths[0]).getroot() if paths else None

    def is_finished(self):
        ledger = self.ledger()
        return ledger is not None and any(one.get("finished") == "true" for one in ledger.iter("lesson"))

    def press(self, label, key="Tab"):
        """Activates the button with this name by keyboard."""
        button = atspi.wait(lambda: self.pane.find("button", label), what=label)
        for _ in range(200):
            if "focused" in button.states:
                self.pointer.key("space")
                return
            self.pointer.key(key)
        raise TimeoutError("the focus does not come to “%s”" % label)


def go_on(player, is_there, what):
    """Goes to the next step or the end. A key during the layout of the last step is lost."""
    for _ in range(4):
        player.press(NEXT)
        try:
            return atspi.wait(is_there, 10, what)
        except TimeoutError as error:
            late = error
    raise late


def check_secrets(player, cli, lesson, step):
    hidden = secrets(cli, lesson, step)
    text = heard(player.application)
    assert step.find("title").text in text, "the step is not heard"
    for secret in hidden:
        assert secret not in text, "“%s” is shown before the answer: …%s…" % (
            secret, text[max(text.index(secret) - 60, 0):][:130])
    return len(hidden)


def answer(player, question, rightly):
    ids = [choice.get("id") for choice in question.findall("choice")]
    right = ids.index(question.get("answer"))
    choice = right if rightly else (right + 1) % len(ids)
    # A step starts with the focus on its heading, above the choices.
    player.press("^%d  " % (choice + 1))
    for index, words in ((right, "the right answer"), (choice, "the right answer" if rightly else
                                                       "your answer, wrong")):
        atspi.wait(lambda i=index, w=words: player.pane.find("button", "^%d  " % (i + 1)).description == w,
                   what=words)


def play(player, cli, lesson, rightly):
    answered = sought = 0
    for step, after in zip(lesson.steps, [*lesson.steps[1:], None]):
        question = step.find("question")
        if question is not None:
            if rightly:
                sought += check_secrets(player, cli, lesson, step)
            answer(player, question, rightly)
            answered += 1
        if after is not None:
            title = after.find("title").text
            go_on(player, lambda t=title: player.pane.find("label", "^%s$" % re.escape(t)), "the step “%s”" % title)
            # The goal is not reached here, but the next step uses a plan that reaches the goal.
            if step.find("goal/plan") is not None:
                assert player.pane.find("label", GIVEN), "it is not said whose plan “%s” has" % title
    player.press(NEXT)
    atspi.wait(player.is_finished, what="the end")
    right = sum(one.get("right") == "true" for one in player.ledger().iter("answer"))
    assert right == (answered if rightly else 0), "%d of %d predictions are kept as right" % (right, answered)
    assert sought > 0 or not rightly, "nothing was looked for"


def main():
    how, program, cli, *paths = sys.argv[1:]
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
            play(player, cli, lesson, how == "right")
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
