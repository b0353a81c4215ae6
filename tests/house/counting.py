#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""counting.py ROOT: the last line of ./dev test has the right numbers of test cases."""
import json
import pathlib
import subprocess
import sys
import tempfile

import tap

COUNT = pathlib.Path(sys.argv[1]).resolve() / 'tests' / 'support' / 'count'
TWO_GOOD = 'TAP version 13\nok 1 /a\nok 2 /b\n1..2\n'

# The (result, standard output) of each program, the expected line, and the exit status.
CASES = (
    ([], '0 passed, 0 failed', 1),
    ([('OK', TWO_GOOD)], '2 passed, 0 failed', 0),
    ([('OK', TWO_GOOD), ('OK', 'no TAP, one program')], '3 passed, 0 failed', 0),
    ([('FAIL', '1..2\nok 1 /a\nnot ok 2 /b\n')], '1 passed, 1 failed', 1),
    ([('ERROR', '1..3\nok 1 /a\nBail out! a crash\n')], '1 passed, 1 failed', 1),
    ([('TIMEOUT', '1..3\nok 1 /a\nnot ok 2 /b\n')], '1 passed, 1 failed', 1),
    ([('FAIL', None)], '0 passed, 1 failed', 1),
    ([('OK', '1..2\nok 1 /a\nok 2 /b # SKIP no display\n')], '1 passed, 0 failed, 1 skipped', 0),
    ([('OK', TWO_GOOD), ('SKIP', '1..0 # SKIP no display\n')], '2 passed, 0 failed, 1 skipped', 0),
    ([('SKIP', '1..0 # SKIP no display\n')], '0 passed, 0 failed, 1 skipped', 1),
    ([('OK', '1..1\n# Subtest: a\n    ok 1 inner\nok 1 - a\n')], '1 passed, 0 failed', 0),
)


def count(runs):
    with tempfile.NamedTemporaryFile('w', suffix='.json', encoding='utf-8') as log:
        for result, output in runs:
            log.write(json.dumps({'result': result, 'stdout': output}) + '\n')
        log.flush()
        return subprocess.run([COUNT, log.name], capture_output=True, text=True, check=False)


def cases_are_counted():
    for runs, expected, status in CASES:
        done = count(runs)
        if (done.stdout, done.returncode) != (expected + '\n', status):
            yield f'{runs}: “{done.stdout.strip()}” with status {done.returncode}, expected “{expected}” with {status}'


def a_missing_log_fails():
    done = subprocess.run([COUNT, '/nowhere.json'], capture_output=True, text=True, check=False)
    if (done.stdout, done.returncode) != ('0 passed, 0 failed\n', 1):
        yield f'“{done.stdout.strip()}” with status {done.returncode}'


tap.run(cases_are_counted, a_missing_log_fails)
