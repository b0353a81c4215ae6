#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""english.py ROOT [PATH...]: comments, messages, lessons and documents are in plain English.

With a PATH (a file or folder below ROOT) the program only prints each problem there as FILE:LINE.
"""
import dataclasses
import pathlib
import re
import sys
import tokenize
import xml.parsers.expat

import csource
import tap
from calls import calls, without_comments

ROOT = pathlib.Path(sys.argv[1]).resolve()

# Plain texts that a rule matches by mistake: a part of each text, and the reason.
ALLOWED = (
    ('tests/house/english.py', 'This file names the words that it looks for.'),
)


@dataclasses.dataclass
class Rule:
    """A pattern, the advice for its matches, the kinds of texts that it checks, and a pattern of exceptions."""
    pattern: str
    advice: str
    kinds: tuple = ('comment', 'message', 'lesson', 'document')
    spared: str = r'(?!)'


UNITS = (r'bytes|bits|[KMGT]i?B|[Mµ]?s|seconds|calls|tokens|FLOPs?|times|points|lines?|rows?|columns|frames|messages'
         r'|micro-batches|parameters|hops|samples|links|NICs|GPUs|layers|one|two|three|four|eight|several|\d+')
WHOLES = (r'step|GPU|node|second|frame|line|token|rank|link|row|column|stage|parameter|micro-batch|replica|layer'
          r'|collective|pair|operation|group|direction|lane')
VERBS = r'has|is|can|gets|of|that|holds|sends|needs|does|takes|works|reads|writes|carries'
PEOPLE = (r'you|us|me|him|her|them|people|someone|somebody|everyone|everybody|each other|(?:the|a|your|its) (?:reader'
          r'|user|teacher|class|student|learner|group|neighbour)s?')

RULES = (
    Rule(r'(?i)\A(?:what|who|which|of|nor|as)\b(?! far| follows| long)(?![^.]*\?)',
         'begin a comment with a verb or with the noun that it is about', ('comment',)),
    Rule(r'(?:\A|(?<=[.;:] ))(?:What|Who|Whose|Nor)\b[^.?!]*[.:]',
         'begin the sentence with its subject, a noun', ('message', 'lesson', 'document')),
    Rule(r'(?<=[.;:] )(?:What|Who|Whose|Nor)\b[^.?!]*[.:]',
         'begin the sentence with its subject, a noun', ('comment',)),
    Rule(r'\b(?:for|to|than|by) who\b', 'write “for people who”, “for users that”'),
    Rule(r'\b(?:tells?|told|telling)\b', 'write report, show, warn, announce, distinguish',
         spared=rf'\b(?:tells?|told|telling) (?:{PEOPLE})\b|\b(?:tells?|told|telling)\b[^.;:]* apart\b'
                r'|\btell (?:the difference|which|whether)\b|\b(?:[Yy]ou|[Tt]hey|[Pp]eople|[Ss]tudents) (?:are|were) told\b'
                r'|\btold (?:by|to)\b'),
    Rule(r'\bbehind\b', 'write after (in an order), for the cause, or name the place',
         spared=r'\b(?:hid(?:e|es|den|ing)|le(?:ft|ave|aves|aving)|fall(?:s|en)?|fell|lags?|lagging'
                r'|draw[ns]?|drawing|paint(?:s|ed)?|lies?|placed?|stays?)\b[^.;:]{0,30} behind\b'
                r'|\bquestion behind\b|\bbehind (?:(?:the|a|an|its|their|this|that|other|each|one|every|some) )?'
                r'(?:\w+ )?(?:text|letters?|cells?|windows?|figure|picture|pointer|background|dialog|bars?|label'
                r'|compute|computation|communication|switch|bridge|port|root|PCIe|CPU|firewall|popover|host)s?\b'),
    Rule(r'\bbeside(?: (?:what|who|those|that|all|this one|its own|their own)\b|[.;:)])',
         'write besides or “in addition to”; for a place, “next to”'),
    Rule(rf'\b(?:{UNITS}),? an? (?:{WHOLES})\b(?! (?:{VERBS})\b)', 'write “per step”, “per GPU”'),
    Rule(r'\b(?:is|are|was|were) none\b|\bof none\b',
         'write “there is no …” with the noun', spared=r'\b[Tt]here (?:is|are|was|were) none\b|\bnone of the\b'),
    Rule(r'\b(?:Have|Has|Had) (?:they|it|both|all|the \w+|an? \w+) (?:the|a|an|no|any|its|their|enough)\b',
         'ask with do: “Do they have the same plan?”'),
    Rule(r'(?:\A|(?<=[.;:] ))(?:Were|Should|Had) (?:it|they|there|the \w+|an? \w+) [^?]*[.;]', 'begin with “if”'),
)
QUOTED = re.compile(r'“[^”]*”|"[^"\n]*"|`[^`]*`|‘[^’]*’')


@dataclasses.dataclass
class Text:
    """A piece of English: its kind, its file and line, and its words."""
    kind: str
    path: str
    line: int
    words: str


def name(path):
    return path.relative_to(ROOT).as_posix()


def is_prose(text):
    return len(text.split()) > 1 and 'SPDX' not in text and 'clang-format' not in text


def paragraphs(text):
    """The paragraphs of a comment, without the names at the start of documentation comments."""
    for part in re.split(r'\n\s*\n|\n(?=@\w+:|Returns:)', text):
        part = re.sub(r'\s+', ' ', part).strip()
        yield re.sub(r'\A(?:@?[\w.]+|Returns):\s*(?:\([^)]*\):?\s*)*', '', part)


def c_literal(argument):
    return ''.join(re.findall(r'"((?:\\.|[^"\\])*)"', argument)).replace('\\n', ' ').replace('\\"', '"')


def texts_of_c(path):
    source = csource.read(path)
    for line, comment in source.comments:
        for words in paragraphs(comment):
            yield Text('comment', name(path), line, words)
    for line, function, found in calls(re.sub(r'\b(N?C?)_ \(', r'tr\1 (', without_comments(source.text))):
        if function in ('tr', 'ngettext', 'g_dngettext') or function in ('trN', 'trC', 'trNC'):
            for argument in found:
                if argument.startswith('"'):
                    yield Text('message', name(path), line, ' '.join(c_literal(argument).split()))


def texts_of_python(path):
    with tokenize.open(path) as file:
        before = None
        for token in tokenize.generate_tokens(file.readline):
            if token.type == tokenize.COMMENT:
                yield Text('comment', name(path), token.start[0], token.string.lstrip('#! '))
            elif token.type == tokenize.STRING and token.string.startswith('"""') and before in (None, ':'):
                for words in paragraphs(token.string.strip('"')):
                    yield Text('comment', name(path), token.start[0], words)
            if token.type not in (tokenize.NL, tokenize.COMMENT, tokenize.NEWLINE, tokenize.INDENT):
                before = token.string


def texts_of_script(path):
    """Comments of shell scripts and of meson; consecutive lines are one comment."""
    found, start = [], 0
    for number, line in enumerate(path.read_text(encoding='utf-8').splitlines() + [''], 1):
        if re.match(r'\s*#(?!!)', line) and 'SPDX' not in line:
            start = start or number
            found.append(line.strip().lstrip('# '))
        elif found:
            yield Text('comment', name(path), start, ' '.join(found))
            found, start = [], 0


# XML elements within a sentence, whose words belong to the text around them.
INLINE = {'n', 'term', 'em', 'b', 'i', 'code', 'q'}


def texts_of_xml(path):
    """Comments and texts of an XML file; only translated texts of a UI template."""
    found, parser = [], xml.parsers.expat.ParserCreate()
    kind = 'lesson' if 'lessons' in path.parts else 'message'
    pieces, start, translated = [], 0, []

    def flush():
        nonlocal pieces
        words = re.sub(r'\s+', ' ', ''.join(pieces)).strip()
        if is_prose(words):
            found.append(Text(kind, name(path), start, words))
        pieces = []

    def opened(tag, attributes):
        nonlocal start
        if tag in INLINE:
            pieces.append('“”')
            return
        flush()
        start = parser.CurrentLineNumber
        translated.append(path.suffix != '.ui' or attributes.get('translatable') == 'yes')

    def closed(tag):
        if tag not in INLINE:
            flush()
            translated.pop()

    def data(text):
        if translated and translated[-1]:
            pieces.append(text)

    def comment(text):
        for words in paragraphs(text.strip()):
            found.append(Text('comment', name(path), parser.CurrentLineNumber, words))

    parser.StartElementHandler, parser.EndElementHandler = opened, closed
    parser.CharacterDataHandler, parser.CommentHandler = data, comment
    parser.Parse(path.read_bytes(), True)
    return found


def texts_of_document(path):
    text = path.read_text(encoding='utf-8')
    text = re.sub(r'^```.*?^```|<!--.*?-->', lambda match: '\n' * match[0].count('\n'), text,
                  flags=re.MULTILINE | re.DOTALL)
    line = 1
    for block in re.split(r'(\n\s*\n|\n(?=[-*|#\d])|\|)', text):
        words = re.sub(r'\s+', ' ', block).strip(' -*|#')
        if is_prose(words):
            yield Text('document', name(path), line, words)
        line += block.count('\n')


XML = {'.xml', '.ui', '.rng', '.in'}
FOLDERS = ('src', 'tests', 'ui', 'data', 'docs', 'po')


def texts_of(path):
    if path.suffix in ('.c', '.h'):
        yield from texts_of_c(path)
    elif path.suffix == '.py':
        yield from texts_of_python(path)
    elif path.suffix == '.md' or path.name == 'NEWS':
        yield from texts_of_document(path)
    elif path.suffix in XML and path.read_bytes().lstrip()[:1] == b'<':
        yield from texts_of_xml(path)
    elif path.name == 'meson.build' or (path.suffix == '' and path.read_bytes()[:2] == b'#!'):
        if b'python' in path.read_bytes()[:40]:
            yield from texts_of_python(path)
        else:
            yield from texts_of_script(path)


def files():
    yield from (path for path in sorted(ROOT.iterdir())
                if path.suffix == '.md' or path.name in ('dev', 'NEWS', 'meson.build'))
    for folder in FOLDERS:
        for path in sorted((ROOT / folder).rglob('*')):
            parts = path.relative_to(ROOT).parts
            # Test data from other programs stays unchanged.
            is_foreign = parts[0] == 'tests' and ({'seeds', 'data', 'good', 'bad', 'golden'} & set(parts)
                                                  or path.suffix in XML)
            if path.is_file() and '__pycache__' not in parts and not is_foreign:
                yield path


def within(path, places):
    return any(place in ('', path) or path.startswith(place + '/') for place in places)


def problems_of(text):
    words = QUOTED.sub('“”', text.words)
    for rule in RULES:
        if text.kind in rule.kinds:
            spared = [match.span() for match in re.finditer(rule.spared, words)]
            for match in re.finditer(rule.pattern, words):
                if not any(start <= match.start() < end for start, end in spared):
                    yield f'“{words[max(0, match.start() - 30):match.end() + 30].strip()}”: {rule.advice}'


def problems(places=('',)):
    """Yields the problems of the files and folders PLACES, or of the whole tree."""
    for path in files():
        if not within(name(path), places):
            continue
        for text in texts_of(path):
            for problem in problems_of(text) if is_prose(text.words) else ():
                if not any(part in f'{text.path}: {text.words}' for part, _ in ALLOWED):
                    yield f'{text.path}:{text.line}: {problem}'


def texts_are_plain_english():
    yield from problems()


# Texts and their numbers of problems.
EXAMPLES = (
    ('comment', 'What a link carries, in bytes.', 1), ('comment', 'Returns the bytes that a link carries.', 0),
    ('comment', 'of its last block', 1), ('comment', 'As far as the legend needs it.', 0),
    ('comment', 'Who goes elsewhere holds nothing.', 1), ('comment', 'Which of them is faster?', 0),
    ('message', 'What is ignored: %s', 1), ('message', 'What does the network cost?', 0),
    ('message', 'The file tells nothing of hosts.', 1), ('message', 'Colours alone do not tell them apart.', 0),
    ('message', 'The line does not tell you the cause.', 0), ('comment', 'The columns behind the first six.', 1),
    ('comment', 'Time of collectives hidden behind compute.', 0), ('comment', 'A label behind the bars.', 0),
    ('comment', 'Tokens that buffers hold beside.', 1), ('comment', 'The GPU lies beside its NIC.', 0),
    ('message', '%d bytes a step', 1), ('message', '8 GPUs a node', 1), ('message', '8 GPUs per node', 0),
    ('comment', 'Link index, or -1 if it has none.', 0),
    ('comment', 'The value 1 is none.', 1), ('comment', 'The list is empty if there are none.', 0),
    ('comment', 'Have they the same plan?', 1), ('comment', 'Has the plan changed?', 0),
    ('lesson', 'Nor does the step get longer.', 1), ('lesson', 'What data parallelism costs', 0),
    ('document', 'The word “tell” is not used.', 0), ('comment', 'This is the one a GPU has.', 0),
)


def rules_match_only_problems():
    for kind, words, expected in EXAMPLES:
        found = list(problems_of(Text(kind, 'example', 1, words)))
        if len(found) != expected:
            yield f'“{words}” has {len(found)} problems, not {expected}: {found}'


if __name__ == '__main__' and len(sys.argv) > 2:
    PLACES = [name(pathlib.Path(place).resolve()) for place in sys.argv[2:]]
    FOUND = list(problems(PLACES))
    print('\n'.join(FOUND))
    sys.exit(1 if FOUND else 0)
tap.run(texts_are_plain_english, rules_match_only_problems)
