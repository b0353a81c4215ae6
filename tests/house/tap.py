# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs checks and says the outcome in TAP.

A check is a function that yields what is wrong, one line each; nothing yielded means all is well.
"""
import sys
import traceback


def run(*checks):
    print(f'1..{len(checks)}')
    failed = False
    for number, check in enumerate(checks, 1):
        try:
            problems = list(check())
        except Exception:  # a check that breaks is a case that fails, not the end of the others
            problems = traceback.format_exc().splitlines()
        name = check.__name__.replace('_', ' ')
        print(f"{'not ok' if problems else 'ok'} {number} {name}")
        for problem in problems:
            print(f'# {name}: {problem}', file=sys.stderr)  # where meson shows it
        failed = failed or bool(problems)
    sys.exit(1 if failed else 0)
