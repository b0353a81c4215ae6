#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""sources.py ROOT: what holds for every source file of the tree."""
import pathlib
import re
import sys

import tap

ROOT = pathlib.Path(sys.argv[1]).resolve()
LICENSE = 'SPDX-License-Identifier: GPL-3.0-or-later'

# Each room and the rooms whose headers it may include.
ROOMS = {
    'plan': set(),
    'engine': {'plan'},
    'syntax': {'plan', 'io'},
    'io': {'plan', 'engine', 'syntax'},
    'lessons': {'plan', 'engine', 'syntax', 'io'},
    'drawing': {'plan', 'engine', 'lessons'},
    'document': {'plan', 'engine', 'syntax', 'io', 'lessons', 'drawing'},
    'widgets': {'plan', 'engine', 'syntax', 'io', 'lessons', 'drawing', 'document'},
    'app': {'plan', 'engine', 'syntax', 'io', 'lessons', 'drawing', 'document', 'widgets'},
    'cli': {'plan', 'engine', 'syntax', 'io', 'lessons', 'drawing'},
}
WITHOUT_TOOLKIT = ('plan', 'engine', 'syntax', 'io', 'lessons', 'drawing', 'document', 'cli')
TOOLKIT = re.compile(r'#\s*include\s*<(gtk|gdk|gsk|adwaita)')
OWN_INCLUDE = re.compile(r'^\s*#\s*include\s*"([^"]+)"', re.MULTILINE)
SCRIPTS = ('dev', '.ci/run', 'po/strings')
SOURCE_ENDINGS = {'.c', '.h', '.py', '.ui', '.css', '.sh'}


def files(*folders):
    for folder in folders:
        yield from (path for path in sorted((ROOT / folder).rglob('*'))
                    if path.is_file() and '__pycache__' not in path.parts)


def name(path):
    return path.relative_to(ROOT).as_posix()


def is_source(path):
    if path.suffix in SOURCE_ENDINGS or path.name == 'meson.build':
        return True
    return path.suffix == '' and path.read_bytes()[:2] == b'#!'


def each_source_names_its_license():
    sources = [path for path in files('src', 'tests', 'ui') if is_source(path)]
    for path in sources + [ROOT / script for script in SCRIPTS]:
        head = path.read_text(encoding='utf-8').splitlines()[:5]
        if not any(LICENSE in line for line in head):
            yield f'{name(path)}: its first lines lack “{LICENSE}”'


def each_folder_of_src_is_a_room():
    for path in sorted((ROOT / 'src').iterdir()):
        if path.is_dir() and path.name not in ROOMS:
            yield f'{name(path)}: not one of the rooms {", ".join(ROOMS)}'


def own_includes(room):
    for path in files(f'src/{room}'):
        if path.suffix in ('.c', '.h'):
            for include in OWN_INCLUDE.findall(path.read_text(encoding='utf-8')):
                yield path, include


def a_room_includes_only_rooms_above_it():
    for room, above in ROOMS.items():
        for path, include in own_includes(room):
            other = include.split('/')[0]
            if include != 'config.h' and other != room and other not in above:
                yield f'{name(path)}: includes "{include}", which {room} may not know'


def an_include_names_room_and_file():
    for room in ROOMS:
        for path, include in own_includes(room):
            generated = include == 'config.h' or include.endswith('-resources.h')
            if not generated and not (ROOT / 'src' / include).is_file():
                yield f'{name(path)}: "{include}" is not a file below src/'


def rooms_below_the_widgets_know_no_toolkit():
    for path in files(*(f'src/{room}' for room in WITHOUT_TOOLKIT)):
        if path.suffix in ('.c', '.h') and TOOLKIT.search(path.read_text(encoding='utf-8')):
            yield f'{name(path)}: includes a header of GTK or libadwaita'


def each_header_is_included_once():
    for path in files('src', 'tests'):
        if path.suffix == '.h' and '#pragma once' not in path.read_text(encoding='utf-8'):
            yield f'{name(path)}: lacks “#pragma once”'


def lines_are_clean():
    for path in files('src', 'tests', 'ui'):
        if not is_source(path):
            continue
        text = path.read_text(encoding='utf-8')
        if text and not text.endswith('\n'):
            yield f'{name(path)}: the last line has no end'
        for number, line in enumerate(text.splitlines(), 1):
            if line != line.rstrip() or '\t' in line:
                yield f'{name(path)}:{number}: a tab, or a space at the end of the line'


tap.run(each_source_names_its_license,
        each_folder_of_src_is_a_room,
        a_room_includes_only_rooms_above_it,
        an_include_names_room_and_file,
        rooms_below_the_widgets_know_no_toolkit,
        each_header_is_included_once,
        lines_are_clean)
