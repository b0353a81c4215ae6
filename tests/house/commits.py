#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""commits.py ROOT: the hook for commit messages follows the rules of CONTRIBUTING.md."""
import pathlib
import subprocess
import sys
import tempfile

import tap

HOOK = pathlib.Path(sys.argv[1]).resolve() / 'tests' / 'support' / 'hooks' / 'commit-msg'

ACCEPTED = (
    'engine: Count the gradients of experts once\n\nThe reason.\n',
    'io/launch: Read an array with gaps',
    'drawing, widgets: Move the legend below the cluster',
    '# a comment of git\ntests: Pass the locale to the command line\n',
    'plan: Process each setting once\n',
    'x: ' + 'Add ' + 'a' * 65,
    'Merge branch “canvas”',
    'Revert "engine: Count the gradients of experts once"',
    'fixup! engine: Count the gradients of experts once',
    '',
)
REFUSED = (
    ('engine: Count ' + 'a' * 60, '74 columns'),
    ('Count the gradients', 'room: Verb object'),
    ('engine: count the gradients', 'begins with a capital'),
    ('engine: Counted the gradients', 'imperative'),
    ('engine: Counts the gradients', 'imperative'),
    ('engine: Counting gradients', 'imperative'),
    ('canvas: Who goes elsewhere holds nothing', 'imperative'),
    ('po: Brought up to date', 'imperative'),
    ('engine: Count', 'no object'),
    ('engine: Count the gradients.', 'full stop'),
    ('engine: Count the gradients\nof experts', 'second line'),
)


def check(message):
    with tempfile.NamedTemporaryFile('w', encoding='utf-8') as file:
        file.write(message)
        file.flush()
        return subprocess.run([HOOK, file.name], capture_output=True, text=True, check=False)


def good_subjects_are_accepted():
    for message in ACCEPTED:
        done = check(message)
        if done.returncode != 0:
            yield f'“{message}”: {done.stderr.strip()}'


def bad_subjects_are_refused():
    for message, reason in REFUSED:
        done = check(message)
        if done.returncode != 1 or reason not in done.stderr:
            yield f'“{message}”: “{done.stderr.strip()}” with status {done.returncode}'


tap.run(good_subjects_are_accepted, bad_subjects_are_refused)
