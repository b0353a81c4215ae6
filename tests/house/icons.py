#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""icons.py ROOT: the icons follow the desktop's rules, and each named icon exists."""
import pathlib
import re
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ElementTree

import tap

ROOT = pathlib.Path(sys.argv[1]).resolve()
ICONS = ROOT / 'icons' / 'hicolor'
APP = 'org.parallelogram.Parallelogram'
SVG = '{http://www.w3.org/2000/svg}'
# Icons of the theme that GTK needs, which the program may use.
THEME = pathlib.Path('/usr/share/icons/Adwaita')
NAMED = re.compile(r'"([a-z0-9]+(?:-[a-z0-9]+)+-symbolic)"|>([a-z0-9]+(?:-[a-z0-9]+)+-symbolic)<')


def drawings(folder):
    for path in sorted((ICONS / folder).rglob('*.svg')):
        yield path.relative_to(ROOT), ElementTree.parse(path).getroot()


def the_application_has_its_icons():
    for path in (f'scalable/apps/{APP}.svg', f'symbolic/apps/{APP}-symbolic.svg',
                 'scalable/mimetypes/application-x-parallelogram-plan+xml.svg'):
        if not (ICONS / path).is_file():
            yield f'icons/hicolor/{path} is missing'


def icons_have_their_size():
    for folder, size in (('scalable', '128'), ('symbolic', '16')):
        for name, svg in drawings(folder):
            if (svg.get('width'), svg.get('height'), svg.get('viewBox')) != (size, size, f'0 0 {size} {size}'):
                yield f'{name}: is not {size} × {size}'


def icons_contain_only_shapes():
    for name, svg in drawings('.'):
        for element in svg.iter():
            if element.tag in (f'{SVG}text', f'{SVG}image', f'{SVG}style', f'{SVG}script'):
                yield f'{name}: holds a <{element.tag.removeprefix(SVG)}>'


def symbolic_icons_can_be_recoloured():
    """GTK 4.8 recolours only the fill of rect, circle and path."""
    for name, svg in drawings('symbolic'):
        for element in svg.iter():
            tag = element.tag.removeprefix(SVG)
            if tag not in ('svg', 'g', 'rect', 'circle', 'path'):
                yield f'{name}: a <{tag}> keeps its colour'
            if element.get('stroke') or element.get('fill') == 'none':
                yield f'{name}: a stroke keeps its colour, and an empty fill gets one'
        if not name.stem.endswith('-symbolic'):
            yield f'{name}: is not called “-symbolic”'


def icons_can_be_drawn():
    with tempfile.TemporaryDirectory() as folder:
        for name, _svg in drawings('.'):
            command = ['rsvg-convert', ROOT / name, '-o', f'{folder}/icon.png']
            done = subprocess.run(command, capture_output=True, text=True, check=False)
            if done.returncode != 0:
                yield f'{name}: {done.stderr}'


def each_named_icon_exists():
    there = {path.stem for path in ICONS.rglob('*.svg')} | {path.stem for path in THEME.rglob('*-symbolic*')}
    sources = [*(ROOT / 'src').rglob('*.c'), *(ROOT / 'ui').rglob('*.ui')]
    for path in sorted(sources):
        for literal, content in NAMED.findall(path.read_text(encoding='utf-8')):
            if (literal or content) not in there:
                yield f'{path.relative_to(ROOT)}: there is no icon “{literal or content}”'


tap.run(the_application_has_its_icons,
        icons_have_their_size,
        icons_contain_only_shapes,
        symbolic_icons_can_be_recoloured,
        icons_can_be_drawn,
        each_named_icon_exists)
