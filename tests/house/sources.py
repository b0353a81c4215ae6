#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""sources.py ROOT [circles | includes]: rules that hold for every source file of the tree.

With “circles” or “includes” the program only prints the circles of calls, or how many includes there are
between two wings.
"""
import collections
import pathlib
import re
import sys

import csource
import tap

ROOT = pathlib.Path(sys.argv[1]).resolve()
LICENSE = 'SPDX-License-Identifier: GPL-3.0-or-later'

# Each room, a folder below src/, and the rooms whose headers it may include, which stand before it.
ROOMS = {
    'syntax': (),
    'plan': ('syntax',),
    'engine': ('plan',),
    'io': ('plan', 'engine', 'syntax'),
    'lessons': ('plan', 'engine', 'syntax', 'io'),
    'drawing': ('plan', 'engine', 'lessons'),
    'document': ('plan', 'engine', 'io', 'lessons', 'drawing'),
    'widgets': ('plan', 'engine', 'io', 'lessons', 'drawing', 'document'),
    'app': ('plan', 'engine', 'io', 'lessons', 'drawing', 'document', 'widgets'),
    'cli': ('plan', 'engine', 'syntax', 'io', 'lessons', 'drawing'),
}
# The wings of a room, folders in it, in order: a wing includes only headers of wings before it. The
# name of the room itself stands for the files that lie in no wing.
WINGS = {
    'plan': ('plan/text', 'plan', 'plan/settings'),
    'engine': ('engine/model', 'engine/network', 'engine/schedule', 'engine/report', 'engine', 'engine/search', 'engine/advice'),
    'io': ('io/import', 'io/plan', 'io/runs', 'io/placement', 'io/topology', 'io/launch', 'io/frameworks', 'io/simulators',
           'io/measured', 'io/reports', 'io/registry'),
    'drawing': ('drawing/figure', 'drawing/cluster', 'drawing/charts', 'drawing/plans', 'drawing/export'),
    'widgets': ('widgets/rendering', 'widgets', 'widgets/pictures', 'widgets/canvas', 'widgets/search', 'widgets/tables',
                'widgets/panels', 'widgets/inspector', 'widgets/lesson', 'widgets/variants'),
    'app': ('app', 'app/dialogs', 'app/window'),
}

# Headers that wings include against these orders: the header, the reason, and the wings. A wing that
# needs the header no longer is refused.
UPWARD_INCLUDES = (
    ('engine/report/report.h', 'The report declares the structures that these wings fill.',
     'engine/model', 'engine/network', 'engine/schedule'),
    ('engine/schedule/schedule.h', 'Links carry what the passes of a schedule send.', 'engine/network'),
    ('engine/workload.h', 'The explanation of the compute time shows the parts of the workload.', 'engine/report'),
    ('engine/advice/advice.h', 'A sweep and a solution can count findings.', 'engine'),
    ('plan/settings/setting.h', 'A check and an edit name the setting that they refuse.', 'plan'),
    ('plan/settings/setting-name.h', 'A check and an edit name the value that they refuse.', 'plan'),
    ('app/window/window.h', 'The application opens windows.', 'app'),
    ('app/dialogs/export-dialog.h', 'The actions of a picture open the export dialog.', 'app'),
)

# Circles of calls among .c files that are meant: the reason, and the files. A circle that is not
# part of one of them is refused, and so is one that is listed but is no circle any more.
CIRCLES = (
    ('The application opens windows, and the actions of a window call the window.',
     'app/application.c', 'app/window/window-actions.c', 'app/window/window-balancing.c',
     'app/window/window-files.c', 'app/window/window-importing.c', 'app/window/window-lessons.c',
     'app/window/window-placing.c', 'app/window/window-presentation.c',
     'app/window/window-presenter-view.c', 'app/window/window.c'),
    ('The document is one type in several files.',
     'document/document-autosave.c', 'document/document-file.c', 'document/document.c'),
    ('A plan keeps variants, and a variant is a plan.', 'plan/plan.c', 'plan/variants.c'),
    ('The run of a lesson is one type in several files.',
     'document/lesson-run-numbers.c', 'document/lesson-run-record.c', 'document/lesson-run.c'),
    ('An expansion may change a variable, and a change expands its value.',
     'syntax/option-scanner-changes.c', 'syntax/option-scanner-expansion.c'),
)

LARGEST_FOLDER = 40  # files, .c and .h together
WITH_TOOLKIT = ('widgets', 'app')
TOOLKIT = re.compile(r'#\s*include\s*<(gtk|gdk|gsk|adwaita)')
OWN_INCLUDE = re.compile(r'^\s*#\s*include\s*"([^"]+)"', re.MULTILINE)
SCRIPTS = ('dev', '.ci/run', '.github/workflows/ci.yml', 'docs/Doxyfile', 'docs/header-filter', 'po/strings')
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


def c_files(folder='src'):
    return [path for path in files(folder) if path.suffix in ('.c', '.h')]


def wing_of(path):
    """The wing of a file or an include, PATH below src/; None: it lies in no wing."""
    folder = pathlib.PurePosixPath(path).parent.as_posix()
    room = folder.split('/')[0]
    return folder if folder in WINGS.get(room, (room,)) and room in ROOMS else None


def may_include(wing, other):
    room, other_room = wing.split('/')[0], other.split('/')[0]
    if room != other_room:
        return other_room in ROOMS[room]
    return WINGS[room].index(other) <= WINGS[room].index(wing)


def below_src(path):
    return path.relative_to(ROOT / 'src').as_posix()


def own_includes(path):
    return OWN_INCLUDE.findall(path.read_text(encoding='utf-8'))


def is_generated(include):
    return include == 'config.h' or include.endswith('-resources.h')


def includes_between_wings():
    """Yields each file that includes a header of another wing, the include and both wings."""
    for path in c_files():
        wing = wing_of(below_src(path))
        for include in own_includes(path):
            other = wing_of(include)
            if not is_generated(include) and other != wing and wing and other:
                yield path, include, wing, other


def each_source_lies_in_a_room():
    for path in c_files():
        if wing_of(below_src(path)) is None:
            yield f'{name(path)}: lies in none of the rooms {", ".join(ROOMS)} and their wings'


def rooms_stand_in_order():
    seen = set()
    for room, others in ROOMS.items():
        for other in sorted(set(others) - seen):
            yield f'{room} may include {other}, which is no room before it'
        seen.add(room)


def upward_includes():
    return {(wing, header) for header, _, *wings in UPWARD_INCLUDES for wing in wings}


def includes_point_downwards():
    meant, needed = upward_includes(), set()
    for path, include, wing, other in includes_between_wings():
        if may_include(wing, other) and not include.endswith('-private.h'):
            continue
        needed.add((wing, include))
        if not may_include(wing, other) and (wing, include) not in meant:
            yield f'{name(path)}: includes "{include}", but {wing} may not include {other}'
    for wing, header in sorted(meant - needed):
        yield f'UPWARD_INCLUDES: no file of {wing} needs {header} any more'


def an_include_names_room_and_file():
    for path in c_files():
        for include in own_includes(path):
            if not is_generated(include) and not (ROOT / 'src' / include).is_file():
                yield f'{name(path)}: "{include}" is not a file below src/'


def private_headers_stay_in_their_wing():
    for path, include, wing, other in includes_between_wings():
        if include.endswith('-private.h') and (wing, include) not in upward_includes():
            yield f'{name(path)}: includes "{include}", a private header of {other}, in {wing}'


def folders_are_small():
    for folder, count in sorted(collections.Counter(path.parent for path in c_files()).items()):
        if count > LARGEST_FOLDER:
            yield f'{name(folder)}: has {count} files, more than {LARGEST_FOLDER}'


def circles():
    return csource.circles(csource.read_all(ROOT / 'src'), ROOT / 'src')


def circles_of_calls_have_a_reason():
    listed = [set(paths) for _, *paths in CIRCLES]
    found = [set(circle) for circle in circles()]
    for circle in found:
        if not any(circle <= paths for paths in listed):
            yield f'these files call each other, and no reason is listed: {" ".join(sorted(circle))}'
    for paths in listed:
        for path in sorted(paths - set().union(*(circle for circle in found if circle <= paths))):
            yield f'{path}: is listed in a circle of calls, but lies in none'


def rooms_below_the_widgets_know_no_toolkit():
    for path in c_files():
        below = below_src(path).split('/')[0] not in WITH_TOOLKIT
        if below and TOOLKIT.search(path.read_text(encoding='utf-8')):
            yield f'{name(path)}: includes a header of GTK or libadwaita'


def each_header_is_included_once():
    for path in files('src', 'tests'):
        if path.suffix == '.h' and '#pragma once' not in path.read_text(encoding='utf-8'):
            yield f'{name(path)}: lacks “#pragma once”'


def lines_are_clean():
    for path in files('src', 'tests', 'ui', 'docs'):
        if not is_source(path):
            continue
        text = path.read_text(encoding='utf-8')
        if text and not text.endswith('\n'):
            yield f'{name(path)}: the last line has no end'
        for number, line in enumerate(text.splitlines(), 1):
            if line != line.rstrip() or '\t' in line:
                yield f'{name(path)}:{number}: a tab, or a space at the end of the line'


if sys.argv[2:] == ['circles']:
    print('\n'.join(' '.join(circle) for circle in circles()))
elif sys.argv[2:] == ['includes']:
    for (wing, other), count in sorted(collections.Counter(i[2:] for i in includes_between_wings()).items()):
        print(f'{wing:20} {other:20} {count:4}' + ('' if may_include(wing, other) else '  upwards'))
else:
    tap.run(each_source_names_its_license,
            each_source_lies_in_a_room,
            rooms_stand_in_order,
            includes_point_downwards,
            an_include_names_room_and_file,
            private_headers_stay_in_their_wing,
            folders_are_small,
            circles_of_calls_have_a_reason,
            rooms_below_the_widgets_know_no_toolkit,
            each_header_is_included_once,
            lines_are_clean)
