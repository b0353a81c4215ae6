#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""option-scanner-scripts.py CLI [SCRIPTS [SEED]]: compares the option scanner with bash on random scripts.

For each script the scanner must find the value with which bash starts the program, or report that
the value depends on the run.
"""
import os
import random
import re
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'house'))
import tap  # noqa: E402

CLI = sys.argv[1]
SCRIPTS = int(sys.argv[2]) if len(sys.argv) > 2 else 150
RUN = 'run --tensor-model-parallel-size'
REMARKS = ('depend on a condition', 'cannot follow what this line does', 'repeats this option', 'cannot be resolved from this file', 'running shell')


class Author:
    """Writes scripts that set T to 1, 2, 4 or 8 under conditions on A, B and C, which are 0 or 1."""

    def __init__(self, seed):
        self.random = random.Random(seed)

    def one_of(self, *choices):
        return self.random.choice(choices)

    def value(self):
        return self.one_of('1', '2', '4', '8')

    def test(self):
        v, x = self.one_of('A', 'B', 'C'), self.one_of('0', '1')
        return self.one_of(
            f'[ ${v} = {x} ]', f'[[ ${v} == {x} ]]', f'(( {v} == {x} ))', f'! [ "${v}" = {x} ]',
            f'[[ ! ${v} == {x} ]]', f'[[ ${v} == {x} || $A == 1 && $B == 1 ]]', 'true', 'false',
            f'[[ $C == 1 && ${v} != {x} || $B == 0 ]]', '[ -f /nope ]', f'[ ${v} -lt {x} ]', ':',
            f'(( {v} ))', '[ -z "$T" ]', '[ "$T" -gt 2 ]')

    def change(self):
        """A change of a variable other than an assignment."""
        n, v = self.value(), self.one_of('A', 'B', 'C')
        return self.one_of(
            f'(( {v}++ ))', f'(( T = {n} ))', f'let T={n}', f'let "T = {n}"', f'read T <<< {n}', 'unset T', f'unset {v}',
            f': ${{T:={n}}}', f'T=${{T:-{n}}}', f'T={n} true', f'eval T={n}', f'eval "T={n}"', f'printf -v T %s {n}', f'T[0]={n}',
            f'for T in {n}; do :; done', f'set -- {n}; T=${{1:-4}}', f'export T={n}', f'declare T={n}',
            f'(( {v} = 1 - {v} ))', f'T=$(( {n} ))', f'{v}=$(( {v}++ ))', f'T=$(echo {n})', f'env T={n} true',
            f'source /dev/stdin <<< T={n}', f'for (( {v} = 0; {v} < 1; {v}++ )); do :; done', f'mapfile -t T <<< {n}', 'exit')

    def document(self):
        end = self.one_of('END', "'END'", '-END')
        body = self.one_of(f'T={self.value()}', f'{RUN} {self.value()}', 'let us go', "it's a text", f'x --y {self.value()}\nT=2')
        return f'{self.one_of("cat", "bash", ":")} <<{end} > /dev/null\n{body}\nEND\n:'

    def simple(self):
        return self.one_of(f'T={self.value()}', f'T={self.value()}', f'{self.one_of("A", "B", "C")}={self.one_of("0", "1")}',
                           self.test(), self.test(), f'{RUN} $T', self.change(), self.change(), self.document())

    def joined(self, depth):
        text = self.command(depth)
        for _ in range(self.one_of(0, 0, 1, 1, 2)):
            text += self.one_of(' && ', ' || ', ' &&\n ') + self.command(depth)
        return text

    def command(self, depth):
        chance = self.random.random()
        if depth <= 0 or chance < 0.6:
            return self.simple()
        if chance < 0.7:
            return '{ ' + self.block(depth - 1) + '\n}'
        if chance < 0.78:
            return '( ' + self.block(depth - 1) + '\n)'
        if chance < 0.88:
            return self.branch(depth)
        if chance < 0.95:
            return self.choice(depth)
        return 'for i in 1 2; do ' + self.block(depth - 1) + '\ndone'

    def branch(self, depth):
        text = f'if {self.joined(0)}\nthen\n' + self.block(depth - 1)
        if self.random.random() < 0.4:
            text += f'\nelif {self.joined(0)}\nthen ' + self.block(depth - 1)
        if self.random.random() < 0.5:
            text += '\nelse ' + self.block(depth - 1)
        return text + '\nfi'

    def pattern(self):
        return self.one_of('0', '1', '2', '2|4', '1 | 8', '*', '?', '[01]', '"1"', "'*'", '$A', '${B}|0', '\\1', '1*', '0|*')

    def choice(self, depth):
        text = f'case {self.one_of("$A", "$B", "$C", "$T", "${T}", "x$A", "$1", "1")} in'
        for _ in range(self.one_of(1, 2, 3)):
            text += self.one_of('\n', ' ', ' (') + self.pattern() + self.one_of(')', ' )', ')\n') + ' ' + self.block(depth - 1)
            text += self.one_of(';;', '\n;;', ' ;;', ';;', ';;', ';&', ';;&')
        return text + '\nesac'

    def block(self, depth):
        return '\n'.join(self.joined(depth) for _ in range(self.one_of(1, 2, 3)))

    def function(self, name):
        body = self.block(1) + self.one_of('', '\nreturn\nT=2', '\nreturn 1')
        return f'{name}() {{\n{body}\n}}\n' + self.one_of('', name + '\n')

    def script(self):
        text = ''.join(f'{v}={self.one_of("0", "1")}\n' for v in 'ABC') + 'T=4\n'
        for i in range(3):
            if self.random.random() < 0.2:
                text += self.function(f'f{i}')
            text += self.joined(2) + '\n'
        return text + f'{RUN} $T\n'


def started(script, folder):
    """The TP of each program that bash starts; None if SCRIPT has a syntax error."""
    path = os.path.join(folder, 'started')
    open(path, 'w').close()
    function = f'() {{ echo "$2" >> {path}; }}'
    done = subprocess.run(['bash', '-s'], input=script, text=True, capture_output=True, timeout=20,
                          env={'PATH': os.environ['PATH'], 'BASH_FUNC_run%%': function})
    with open(path) as file:
        words = file.read().split('\n')[:-1]
    return None if 'syntax' in done.stderr else words


def read(script, folder):
    path = os.path.join(folder, 'x.sh')
    with open(path, 'w') as file:
        file.write('NNODES=1\nGPUS_PER_NODE=8\n' + script)
    done = subprocess.run([CLI, 'convert', '--account', '-t', 'yaml', path], text=True, capture_output=True, timeout=20)
    found = re.search(r'tp_size: (\d+)', done.stdout)
    return found.group(1) if found else None, done.stderr


def different_values_are_reported():
    first = int(sys.argv[3]) if len(sys.argv) > 3 else 1
    counts = {'same': 0, 'remarked': 0, 'refused': 0, 'not started': 0}
    with tempfile.TemporaryDirectory() as folder:
        for seed in range(first, first + SCRIPTS):
            script = Author(seed).script()
            words = started(script, folder)
            if not words:
                counts['not started'] += 1
                continue
            tp, messages = read(script, folder)
            if tp is None:
                counts['refused'] += 1
            elif tp == words[-1]:
                counts['same'] += 1
            elif any(remark in messages for remark in REMARKS):
                counts['remarked'] += 1
            else:
                yield f'seed {seed}: {tp} instead of {words}\n{script}\n{messages}'
    print('#', counts)


tap.run(different_values_are_reported)
