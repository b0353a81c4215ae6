#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""benching.py ROOT: ./dev bench runs the named benchmark with the words after its name."""
import json
import pathlib
import subprocess
import sys
import tempfile

import tap

BENCH = pathlib.Path(sys.argv[1]).resolve() / 'tests' / 'support' / 'bench'

# The typed words, and the output of two benchmarks that print their names and words.
CASES = (
    ([], 'engine\nran engine\ncanvas\nran canvas\n'),
    (['canvas'], 'canvas\nran canvas\n'),
    (['canvas', 'play'], 'canvas\nran canvas play\n'),
    (['canvas', 'play, 1,024 GPUs', 'x'], 'canvas\nran canvas play, 1,024 GPUs x\n'),
)


def bench(folder, words):
    intro = pathlib.Path(folder) / 'meson-info' / 'intro-benchmarks.json'
    intro.parent.mkdir(exist_ok=True)
    intro.write_text(json.dumps([{'name': name, 'cmd': ['echo', 'ran', name], 'env': {}, 'workdir': None}
                                 for name in ('engine', 'canvas')]), encoding='utf-8')
    return subprocess.run([BENCH, folder, *words], capture_output=True, text=True, check=False)


def words_reach_the_benchmark():
    for words, expected in CASES:
        with tempfile.TemporaryDirectory() as folder:
            done = bench(folder, words)
        if (done.stdout, done.returncode) != (expected, 0):
            yield f'{words}: “{done.stdout}” with status {done.returncode}'


def an_unknown_name_is_refused():
    with tempfile.TemporaryDirectory() as folder:
        done = bench(folder, ['moon', 'play'])
    if done.returncode != 2 or 'engine, canvas' not in done.stderr:
        yield f'“{done.stderr}” with status {done.returncode}'


tap.run(words_reach_the_benchmark, an_unknown_name_is_refused)
