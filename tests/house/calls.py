# SPDX-License-Identifier: GPL-3.0-or-later
"""Finds calls and their arguments in C source, as far as a check of string literals needs it."""
import re

TOKEN = re.compile(r'/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'|[(){}\[\],]', re.DOTALL)
CALL = re.compile(r'\b([a-z]\w*) ?\(')


def without_comments(source):
    """Returns SOURCE with blanks instead of comments; lines keep their numbers."""
    def blank(match):
        text = match[0]
        return re.sub(r'[^\n]', ' ', text) if text.startswith('/') else text
    return TOKEN.sub(blank, source)


def arguments(source, start):
    """Returns the arguments of the call whose parenthesis opens just before START."""
    depth, begin, found = 0, start, []
    for token in TOKEN.finditer(source, start):
        text = token[0]
        if text in '([{':
            depth += 1
        elif text in ')]}':
            depth -= 1
        if depth < 0 or (depth == 0 and text == ','):
            found.append(source[begin:token.start()].strip())
            begin = token.end()
        if depth < 0:
            break
    return found


def calls(source):
    """Yields the line, name and arguments of each call in SOURCE, which has no comments."""
    for match in CALL.finditer(source):
        yield source.count('\n', 0, match.start()) + 1, match[1], arguments(source, match.end())
