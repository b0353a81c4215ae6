#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""servers.py ROOT: each window test has its own servers, however many tests run at the same time."""
import pathlib
import subprocess
import sys

import tap

XT = pathlib.Path(sys.argv[1]).resolve() / 'tests' / 'support' / 'xt'
# Prints the servers of the command, and the display of the bus that starts its services: the parent of
# the command is dbus-run-session.
PRINT_SERVERS = r'''echo "$DISPLAY $XDG_RUNTIME_DIR $DBUS_SESSION_BUS_ADDRESS"
tr '\0' '\n' <"/proc/$PPID/environ" | sed -n 's/^DISPLAY=//p'
'''


def within(*command):
    done = subprocess.run([XT, *command], capture_output=True, text=True, check=True, timeout=60)
    return done.stdout.splitlines()


def servers_are_not_shared():
    outer, _, inner, _ = within('sh', '-c', PRINT_SERVERS + '"$0" sh -c "$1"', XT, PRINT_SERVERS)
    for of_outer, of_inner in zip(outer.split(), inner.split()):
        if of_outer == of_inner:
            yield f'{of_inner} is shared'


def services_have_the_display_of_their_command():
    """On a shared server a service may wait for other tests and never answer."""
    own, of_bus = within('sh', '-c', PRINT_SERVERS)
    if own.split()[0] != of_bus:
        yield f'the command has the display {own.split()[0]}, its services have {of_bus or "no display"}'


tap.run(servers_are_not_shared, services_have_the_display_of_their_command)
