# SPDX-License-Identifier: GPL-3.0-or-later
"""Reads C sources in GNU style, as far as counting functions, calls and comments needs it.

A function begins with its name in the first column, and its body ends with a brace there.
"""
import collections
import dataclasses
import functools
import pathlib
import re

TOKEN = re.compile(r'/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'', re.DOTALL)
FUNCTION = re.compile(r'^(\w+) \((?:[^;{}\n]|\n(?!\n))*\)\n\{$(.*?)^\}', re.MULTILINE | re.DOTALL)
NAME = re.compile(r'[A-Za-z_]\w*')
MACRO = re.compile(r'^[ \t]*#(?:[^\n]*\\\n)*[^\n]*', re.MULTILINE)


@dataclasses.dataclass
class Function:
    """One function: its file, name, first line and the code of its body."""
    path: pathlib.Path
    name: str
    line: int
    body: str
    is_static: bool


@dataclasses.dataclass
class Source:
    """One file: its code without comments and strings, its comments and its functions."""
    path: pathlib.Path
    text: str
    code: str
    comments: list  # pairs of a line number and a text
    functions: list

    @functools.cached_property
    def names(self):
        return set(NAME.findall(self.code))


def text_of_comment(comment):
    """The words of COMMENT, without its stars; an empty line separates two paragraphs."""
    inner = comment[2:-2] if comment.startswith('/*') else comment[2:]
    lines = [re.sub(r'^\s*\*? ?', '', line.lstrip('*<')).rstrip() for line in inner.split('\n')]
    return re.sub(r'\n{3,}', '\n\n', '\n'.join(lines)).strip()


def read(path):
    text = path.read_text(encoding='utf-8', errors='replace')
    comments = []

    def blank(match):
        token = match[0]
        if token.startswith('/'):
            comments.append((text.count('\n', 0, match.start()) + 1, text_of_comment(token)))
            return re.sub(r'[^\n]', ' ', token)
        return token[0] + re.sub(r'[^\n]', ' ', token[1:-1]) + token[-1]

    code = TOKEN.sub(blank, text)
    functions = [Function(path, match[1], code.count('\n', 0, match.start()) + 1, match[2],
                          bool(re.search(r'\bstatic\b[^;{}]*\Z', code[:match.start()])))
                 for match in FUNCTION.finditer(code)]
    return Source(path, text, code, comments, functions)


def read_all(folder):
    return [read(path) for path in sorted(folder.rglob('*')) if path.suffix in ('.c', '.h')]


def callers_of_statics(source):
    """Maps each static function of SOURCE that one call alone uses to the function that calls it."""
    statics = {function.name for function in source.functions if function.is_static}
    calls, others = collections.defaultdict(list), collections.Counter()
    for function in source.functions:
        for match in NAME.finditer(function.body):
            if match[0] in statics and re.match(r'\s*\(', function.body[match.end():]):
                calls[match[0]].append(function.name)
            elif match[0] in statics:
                others[match[0]] += 1
    outside = FUNCTION.sub('', source.code)
    others.update(match[1] for match in re.finditer(r'\b(\w+)\b(?!\s*\()', outside))
    for macro in MACRO.findall(outside):
        others.update(NAME.findall(macro))
    return {name: found[0] for name, found in calls.items()
            if len(found) == 1 and not others[name] and found[0] != name}


def depths(callers):
    """Maps each function of CALLERS to the length of the chain of calls that ends with it."""
    for name in callers:
        depth = 0
        while name in callers and depth < len(callers):
            name, depth = callers[name], depth + 1
        yield depth


def circles(sources, root):
    """The circles of calls among .c files, each as a sorted list of paths below ROOT."""
    files = [source for source in sources if source.path.suffix == '.c']
    home = {function.name: source.path for source in files for function in source.functions
            if not function.is_static}
    uses = {}
    for source in files:
        own = {function.name for function in source.functions}
        uses[source.path] = {home[name] for name in source.names - own if name in home}
    return sorted(sorted(path.relative_to(root).as_posix() for path in circle)
                  for circle in components(uses) if len(circle) > 1)


def components(uses):
    """The strongly connected components of the graph USES, by Tarjan's algorithm."""
    index, low, stack, found = {}, {}, [], []

    def visit(node):
        index[node] = low[node] = len(index)
        stack.append(node)
        for other in uses[node]:
            if other not in index:
                visit(other)
                low[node] = min(low[node], low[other])
            elif other in stack:
                low[node] = min(low[node], index[other])
        if low[node] == index[node]:
            component = set()
            while node not in component:
                component.add(stack.pop())
            found.append(component)

    for node in uses:
        if node not in index:
            visit(node)
    return found
