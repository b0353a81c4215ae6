#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""desktop.py ROOT BUILD: the program's desktop entry, its description, its settings and its file type
are valid."""
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ElementTree

import tap

ROOT, BUILD = (pathlib.Path(argument).resolve() for argument in sys.argv[1:3])
APP = 'org.parallelogram.Parallelogram'
PLAN_TYPE = 'application/x-parallelogram-plan+xml'
SCHEMA = ROOT / 'data' / f'{APP}.gschema.xml'


def complaints(*command):
    """The output of COMMAND if it fails."""
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        yield from (done.stdout + done.stderr).splitlines() or [f'{command[0]} failed']


def built(ending):
    return BUILD / 'data' / f'{APP}.{ending}'


def desktop_entry():
    lines = built('desktop').read_text(encoding='utf-8').splitlines()
    return dict(line.split('=', 1) for line in lines if '=' in line)


def the_desktop_entry_is_valid():
    yield from complaints('desktop-file-validate', '--warn-kde', built('desktop'))


def the_desktop_entry_opens_plans():
    entry = desktop_entry()
    if PLAN_TYPE not in entry['MimeType'].split(';'):
        yield f'MimeType lacks {PLAN_TYPE}'
    if not entry['Exec'].startswith('parallelogram %'):
        yield f"Exec does not take files: {entry['Exec']}"


def the_desktop_entry_is_translated():
    entry = desktop_entry()
    for language in (ROOT / 'po' / 'LINGUAS').read_text(encoding='utf-8').split('\n'):
        if language and not language.startswith('#') and f'Comment[{language}]' not in entry:
            yield f'Comment[{language}] is missing'


def the_description_is_valid():
    yield from complaints('appstreamcli', 'validate', '--no-net', '--no-color', built('metainfo.xml'))


def the_description_and_the_entry_agree():
    component = ElementTree.parse(built('metainfo.xml')).getroot()
    expected = {'id': APP, 'launchable': f'{APP}.desktop', 'provides/mediatype': PLAN_TYPE,
                'name': desktop_entry()['Name']}
    for path, text in expected.items():
        if component.findtext(path) != text:
            yield f'{path} is “{component.findtext(path)}”, not “{text}”'


def the_description_has_this_version():
    meson = (ROOT / 'meson.build').read_text(encoding='utf-8')
    version = re.search(r"version: '([^']+)'", meson)[1]
    latest = ElementTree.parse(built('metainfo.xml')).find('releases/release')
    if latest.get('version') != version:
        yield f"the newest release is {latest.get('version')}, the program is {version}"


def the_settings_are_valid():
    yield from complaints('glib-compile-schemas', '--strict', '--dry-run', SCHEMA.parent)


def settings_keys():
    return {key.get('name') for key in ElementTree.parse(SCHEMA).iter('key')}


def the_program_reads_only_existing_settings():
    asked = re.compile(r'g_settings_(?:get|set|bind|reset|create|delay)\w*\s*\(\s*[^,"]+,\s*"([^"]+)"')
    for path in sorted((ROOT / 'src').rglob('*.c')):
        for key in asked.findall(path.read_text(encoding='utf-8')):
            if key not in settings_keys():
                yield f'{path.relative_to(ROOT)}: there is no setting “{key}”'


def each_setting_is_used():
    code = '\n'.join(path.read_text(encoding='utf-8') for path in (ROOT / 'src').rglob('*.c'))
    for key in sorted(settings_keys()):
        if f'"{key}"' not in code:
            yield f'nothing reads the setting “{key}”'


def mime_database(folder):
    """Makes a database with the system's file types and the program's, for this process only."""
    packages = pathlib.Path(folder) / 'mime' / 'packages'
    packages.mkdir(parents=True)
    shutil.copy(built('xml'), packages)
    shutil.copy('/usr/share/mime/packages/freedesktop.org.xml', packages)
    done = subprocess.run(['update-mime-database', packages.parent], capture_output=True, text=True,
                          check=True)
    os.environ['XDG_DATA_HOME'] = os.environ['XDG_DATA_DIRS'] = str(folder)
    return (line for line in done.stderr.splitlines() if APP in line)


def the_file_type_is_valid_and_matches_only_plans():
    plan = b'<?xml version="1.0" encoding="UTF-8"?>\n<plan version="1">\n  <cluster nodes="8"/>\n</plan>\n'
    example = (ROOT / 'data' / 'examples' / 'default.plan.xml').read_bytes()
    with tempfile.TemporaryDirectory() as folder:
        yield from mime_database(folder)
        from gi.repository import Gio  # Gio reads the folders above at its first use
        cases = [
            ('a.plan.xml', plan, PLAN_TYPE),
            ('A.PLAN.XML', plan, PLAN_TYPE),
            ('empty.plan.xml', b'', PLAN_TYPE),
            (None, plan, PLAN_TYPE),
            (None, example, PLAN_TYPE),
            ('a.xml', b'<?xml version="1.0"?>\n<a/>\n', 'application/xml'),
            (None, b'<?xml version="1.0"?>\n<plans><cluster/></plans>\n', 'application/xml'),
            (None, b'<?xml version="1.0"?>\n<plan name="meals"><day/></plan>\n', 'application/xml'),
            ('floor.plan', b'a plan', 'text/plain'),
        ]
        for path, content, expected in cases:
            guess, _uncertain = Gio.content_type_guess(path, content)
            if guess != expected:
                yield f'{path or content!r} is detected as {guess}, not as {expected}'


tap.run(the_desktop_entry_is_valid,
        the_desktop_entry_opens_plans,
        the_desktop_entry_is_translated,
        the_description_is_valid,
        the_description_and_the_entry_agree,
        the_description_has_this_version,
        the_settings_are_valid,
        the_program_reads_only_existing_settings,
        each_setting_is_used,
        the_file_type_is_valid_and_matches_only_plans)
