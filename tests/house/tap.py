# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs checks and prints the results in TAP.

A check is a function that yields one line for each problem; a check without problems passes.
"""
import sys
import traceback


def run(*checks):
    print(f'1..{len(checks)}')
    failed = False
    for number, check in enumerate(checks, 1):
        try:
            problems = list(check())
        except Exception:  # an exception fails this check only
            problems = traceback.format_exc().splitlines()
        name = check.__name__.replace('_', ' ')
        print(f"{'not ok' if problems else 'ok'} {number} {name}")
        for problem in problems:
            print(f'# {name}: {problem}', file=sys.stderr)  # meson shows the standard error
        failed = failed or bool(problems)
    sys.exit(1 if failed else 0)
