#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""servers.py ROOT: what a window test runs with is its own, however many run at once."""
import pathlib
import subprocess
import sys

import tap

XT = pathlib.Path(sys.argv[1]).resolve() / 'tests' / 'support' / 'xt'
# What the command has, and what the bus has that starts its services: dbus-run-session becomes
# the command's parent.
TELL = r'''echo "$DISPLAY $XDG_RUNTIME_DIR $DBUS_SESSION_BUS_ADDRESS"
tr '\0' '\n' <"/proc/$PPID/environ" | sed -n 's/^DISPLAY=//p'
'''


def within(*command):
    done = subprocess.run([XT, *command], capture_output=True, text=True, check=True, timeout=60)
    return done.stdout.splitlines()


def servers_are_not_shared():
    outer, _, inner, _ = within('sh', '-c', TELL + '"$0" sh -c "$1"', XT, TELL)
    for of_outer, of_inner in zip(outer.split(), inner.split()):
        if of_outer == of_inner:
            yield f'{of_inner} is shared'


def services_are_started_at_the_server_of_their_command():
    """A service at a server that others use too may wait for them and never answer."""
    own, of_bus = within('sh', '-c', TELL)
    if own.split()[0] != of_bus:
        yield f'the command has {own.split()[0]}, its services {of_bus or "none"}'


tap.run(servers_are_not_shared, services_are_started_at_the_server_of_their_command)
