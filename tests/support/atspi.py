# SPDX-License-Identifier: GPL-3.0-or-later
"""Reads the accessible tree of a running program, with Gio only."""
import re
import subprocess
import time

import gi

gi.require_version("Gio", "2.0")
from gi.repository import Gio, GLib  # noqa: E402

STATES = {1: "active", 7: "editable", 8: "enabled", 11: "focusable", 12: "focused", 23: "selected",
          24: "sensitive", 25: "showing", 30: "visible"}


def connect():
    """Connects to the accessibility bus of this session."""
    session = Gio.bus_get_sync(Gio.BusType.SESSION, None)
    address = session.call_sync("org.a11y.Bus", "/org/a11y/bus", "org.a11y.Bus", "GetAddress", None,
                                GLib.VariantType("(s)"), 0, -1, None).unpack()[0]
    flags = (Gio.DBusConnectionFlags.AUTHENTICATION_CLIENT
             | Gio.DBusConnectionFlags.MESSAGE_BUS_CONNECTION)
    return Gio.DBusConnection.new_for_address_sync(address, flags, None, None)


class Node:
    """One accessible object."""

    def __init__(self, bus, name, path):
        self.bus, self.name, self.path = bus, name, path

    def call(self, interface, method, arguments=None):
        return self.bus.call_sync(self.name, self.path, "org.a11y.atspi." + interface, method, arguments,
                                  None, 0, 5000, None).unpack()

    def get(self, interface, name):
        return self.bus.call_sync(self.name, self.path, "org.freedesktop.DBus.Properties", "Get",
                                  GLib.Variant("(ss)", ("org.a11y.atspi." + interface, name)), None, 0,
                                  5000, None).unpack()[0]

    @property
    def role(self):
        return self.call("Accessible", "GetRoleName")[0]

    @property
    def label(self):
        return self.get("Accessible", "Name")

    @property
    def description(self):
        return self.get("Accessible", "Description")

    @property
    def value(self):
        return self.get("Value", "CurrentValue")

    @property
    def interfaces(self):
        return [name.rsplit(".", 1)[1] for name in self.call("Accessible", "GetInterfaces")[0]]

    @property
    def children(self):
        return [Node(self.bus, name, path) for name, path in self.call("Accessible", "GetChildren")[0]]

    @property
    def parent(self):
        return Node(self.bus, *self.get("Accessible", "Parent"))

    def items(self):
        """Returns all objects of a program at once: (bus name, path), program, parent, index, children,
        interfaces, name, role, description, states."""
        return self.bus.call_sync(self.name, "/org/a11y/atspi/cache", "org.a11y.atspi.Cache", "GetItems", None,
                                  None, 0, 20000, None).unpack()[0]

    @property
    def states(self):
        low, high = self.call("Accessible", "GetState")[0]
        bits = low | high << 32
        return {STATES.get(i, str(i)) for i in range(64) if bits >> i & 1}

    @property
    def extents(self):
        """x, y, width, height in the window."""
        return self.call("Component", "GetExtents", GLib.Variant("(u)", (1,)))[0]

    def actions(self):
        return [action[0] for action in self.call("Action", "GetActions")[0]]

    def act(self, action):
        return self.call("Action", "DoAction", GLib.Variant("(i)", (self.actions().index(action),)))[0]

    def walk(self):
        yield self
        for child in self.children:
            yield from child.walk()

    def find(self, role=None, label=None):
        """Returns the first object with the role ROLE and a name that matches the pattern LABEL."""
        deadline = time.monotonic() + 20
        while True:
            try:
                for node in self.walk():
                    if (role is None or node.role == role) and (label is None or re.search(label, node.label)):
                        return node
                return None
            except GLib.Error:  # an object, such as a tooltip, has disappeared
                if time.monotonic() > deadline:
                    raise


def process_of(bus, node):
    return bus.call_sync("org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus",
                         "GetConnectionUnixProcessID", GLib.Variant("(s)", (node.name,)), None, 0, 5000,
                         None).unpack()[0]


def application(bus, process, timeout=30):
    """Returns the program that runs as PROCESS; a program that has just ended may still be on the bus."""
    root = Node(bus, "org.a11y.atspi.Registry", "/org/a11y/atspi/accessible/root")

    def find():
        for child in root.children:
            try:
                if process_of(bus, child) == process and child.children:
                    return child
            except GLib.Error:
                pass
        return None

    return wait(find, timeout, "the program on the accessibility bus")


def wait(condition, timeout=20, what="a condition"):
    """Waits until CONDITION is true and returns its value; raises an error after TIMEOUT seconds."""
    end = time.monotonic() + timeout
    while True:
        try:
            result = condition()
        except GLib.Error:
            result = None
        if result:
            return result
        if time.monotonic() > end:
            raise TimeoutError("waited %g s for %s" % (timeout, what))
        time.sleep(0.03)


class Pointer:
    """The real pointer and keyboard of the X server."""

    def __init__(self, window):
        """WINDOW is the accessible object of the program's window."""
        self.window = window
        self.id = wait(self._find, what="the window on the X server")
        run("xdotool", "windowfocus", "--sync", self.id)

    def _find(self):
        ids = run("xdotool", "search", "--onlyvisible", "--name", "^%s$" % re.escape(self.window.label)).split()
        return ids[-1] if ids else None

    def at(self, x, y):
        """Returns screen coordinates of a point of the window, which has a frame around it."""
        lines = run("xdotool", "getwindowgeometry", "--shell", self.id).split()
        geometry = dict(line.split("=") for line in lines)
        width = self.window.extents[2]
        inset = (int(geometry["WIDTH"]) - width) // 2
        return int(geometry["X"]) + inset + round(x), int(geometry["Y"]) + inset + round(y)

    def middle(self, node):
        x, y, width, height = node.extents
        return self.at(x + width / 2, y + height / 2)

    def move(self, start, end, steps=12):
        for i in range(1, steps + 1):
            point = [str(round(a + (b - a) * i / steps)) for a, b in zip(start, end)]
            run("xdotool", "mousemove", *point)
            time.sleep(0.02)

    def drag(self, start, end, steps=12, drop=True):
        run("xdotool", "mousemove", *map(str, start), "mousedown", "1")
        self.move(start, end, steps)
        if drop:
            self.release()

    def release(self):
        run("xdotool", "mouseup", "1")

    def click(self, point):
        run("xdotool", "mousemove", *map(str, point), "click", "1")

    def resize(self, width, height):
        run("xdotool", "windowsize", "--sync", self.id, str(width), str(height))
        wait(lambda: self.window.extents[2] <= width, what="a window %d wide" % width)

    def key(self, *keys):
        run("xdotool", "key", *keys)


def run(*command):
    return subprocess.run(command, capture_output=True, text=True, check=False).stdout
