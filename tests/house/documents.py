#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""documents.py ROOT: the files and the verbs of ./dev that documents name exist."""
import pathlib
import re
import subprocess
import sys

import tap

ROOT = pathlib.Path(sys.argv[1]).resolve()
LINK = re.compile(r'\]\(([^)#\s]+)')
PATH = re.compile(r'`(?:\./)?((?:src|ui|data|docs|tests|po|icons)/[\w./-]+)`')
FILE_OF_ROOM = re.compile(r'`((?:plan|engine|syntax|lessons|io|drawing|document|widgets|app|cli)/[a-z/-]+\.[ch])`')
VERB = re.compile(r'\./dev ([a-z0-9]+)')


def documents():
    for path in sorted([*ROOT.glob('*.md'), *ROOT.glob('docs/**/*.md')]):
        yield path, path.read_text(encoding='utf-8')


def missing(text, folder):
    for target in LINK.findall(text):
        if '://' not in target and not (folder / target).exists():
            yield target
    for target in PATH.findall(text):
        if target == target.lower() and not (ROOT / target).exists():
            yield target
    for target in FILE_OF_ROOM.findall(text):
        if not (ROOT / 'src' / target).exists():
            yield f'src/{target}'


def files_in_documents_exist():
    for path, text in documents():
        for target in missing(text, path.parent):
            yield f'{path.relative_to(ROOT)}: there is no {target}'


def the_accuracy_stands_between_markers():
    text = (ROOT / 'docs/model.md').read_text(encoding='utf-8')
    for name in ('accuracy in short', 'accuracy'):
        begin, end = f'<!-- {name}: made by bench-accuracy -->\n', f'<!-- end of {name} -->'
        if not text.partition(begin)[2].partition(end)[0].strip() or text.count(begin) != 1:
            yield f'docs/model.md: lacks one text between {begin.strip()} and {end}'


def verbs():
    listed = subprocess.run([ROOT / 'dev'], capture_output=True, text=True, check=True).stdout
    return set(VERB.findall(listed))


def verbs_in_documents_and_workflows_exist():
    workflows = [(path, path.read_text(encoding='utf-8')) for path in (ROOT / '.github').rglob('*.yml')]
    for path, text in [*documents(), *workflows]:
        for verb in sorted(set(VERB.findall(text)) - verbs()):
            yield f'{path.relative_to(ROOT)}: ./dev has no verb “{verb}”'


def an_unknown_verb_is_refused():
    done = subprocess.run([ROOT / 'dev', 'nonsense'], capture_output=True, text=True, check=False)
    if done.returncode != 2 or 'nonsense' not in done.stderr:
        yield f'status {done.returncode}: {done.stderr.strip()}'


tap.run(files_in_documents_exist,
        the_accuracy_stands_between_markers,
        verbs_in_documents_and_workflows_exist,
        an_unknown_verb_is_refused)
