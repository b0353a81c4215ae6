#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""measure.py ROOT: measures how the sources below ROOT/src are built, as a table with aims."""
import collections
import pathlib
import re
import sys

import csource

PROTOTYPE = re.compile(r'^\w[\w \n]*[ *\n]\w+ \([^;{}]*\)[^;{}()]*;', re.MULTILINE)
# The forms of names that a macro such as G_DEFINE_TYPE defines.
PASTED = re.compile(r'(?:_(?:class_|interface_|iface_)?init|_private_(?:init|copy|clear))$')


def comments(sources):
    """Comments of four words or more, without licenses."""
    for source in sources:
        for _, text in source.comments:
            if len(text.split()) > 3 and 'SPDX' not in text:
                yield text


def dead_functions(sources, root):
    """Functions that no file names, except where they are defined or declared."""
    everywhere = collections.Counter()
    for path in [*root.glob('ui/**/*.ui'), *root.glob('tests/**/*.c'), *root.glob('tests/**/*.h')]:
        everywhere.update(csource.NAME.findall(path.read_text(encoding='utf-8')))
    local = {source.path: collections.Counter(csource.NAME.findall(PROTOTYPE.sub('', source.code)))
             for source in sources}
    for names in local.values():
        everywhere.update(names)
    for source in sources:
        for function in source.functions:
            is_local = function.is_static and source.path.suffix == '.c'
            uses = local[source.path] if is_local else everywhere
            if uses[function.name] < 2 and not PASTED.search(function.name):
                yield function.name


def rows(root):
    """Yields each measure with its value and its aim."""
    folder = root / 'src' if (root / 'src').is_dir() else root
    sources = csource.read_all(folder)
    yield 'lines in src', sum(s.text.count('\n') for s in sources), '≤ 105,000'
    yield 'files (.c, .h)', len(sources), ''
    yield 'files of more than 1,000 lines', sum(s.text.count('\n') > 1000 for s in sources), ''

    functions = [f for s in sources for f in s.functions]
    statics = [f for f in functions if f.is_static]
    callers = [csource.callers_of_statics(s) for s in sources]
    once = sum(map(len, callers))
    depths = [depth for c in callers for depth in csource.depths(c)]
    lines = sorted(f.body.count('\n') - 1 for f in functions)
    yield 'functions', len(functions), ''
    yield 'lines of a function: median, longest', f'{lines[len(lines) // 2]}, {lines[-1]}', ''
    yield 'static functions', len(statics), ''
    yield '  called from one place only', f'{once} = {100 * once / max(len(statics), 1):.0f} %', '≤ 25 %'
    yield '  that are the fourth or later in a chain of these', sum(depth >= 4 for depth in depths), '≤ 10'
    yield '  deepest chain', max(depths, default=0), ''

    texts = list(comments(sources))
    yield 'comments of 4 words or more', len(texts), ''
    for word in ('What', 'What, Who, Which, Of, Nor, As'):
        begun = sum(bool(re.match(rf"(?:{word.replace(', ', '|')})\b", text)) for text in texts)
        yield f'  begin with {word}, of 1,000', f'{1000 * begun / max(len(texts), 1):.0f}', '≤ 2'

    circles = csource.circles(sources, folder)
    c_files = sum(s.path.suffix == '.c' for s in sources)
    yield '.c files in a circle of calls', f'{sum(map(len, circles))} of {c_files}', '≤ 40'
    yield '  circles; files in the largest', f'{len(circles)}; {max(map(len, circles), default=0)}', ''
    folders = collections.Counter(s.path.parent.relative_to(folder).as_posix() for s in sources)
    largest, count = folders.most_common(1)[0]
    yield 'files in the largest folder', f'{count} ({largest})', '≤ 40'
    code = '\n'.join(s.code for s in sources)
    yield 'g_assert', len(re.findall(r'\bg_assert\w*\s*\(', code)), 'at each precondition'
    dead = sorted(dead_functions(sources, root))
    yield 'functions without a use', f"{len(dead)} {' '.join(dead[:5])}".strip(), '0'
    notes = sum(len(re.findall(r'\b(?:TODO|FIXME|XXX)\b', text)) for s in sources for _, text in s.comments)
    yield 'TODO, FIXME, XXX', notes, '0'


def main():
    sys.setrecursionlimit(10000)
    print(f"{'measured':53} {'value':>18}  aim")
    for name, value, aim in rows(pathlib.Path(sys.argv[1]).resolve()):
        print(f'{name:46} {value if isinstance(value, str) else format(value, ","):>18}  {aim}'.rstrip())


if __name__ == '__main__':
    main()
