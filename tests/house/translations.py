#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""translations.py ROOT: every visible text can be translated, and each language is complete."""
import pathlib
import re
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ElementTree

import tap
from calls import calls, without_comments

ROOT = pathlib.Path(sys.argv[1]).resolve()
PO = ROOT / 'po'

# Properties of widgets and of accessible objects that people see or hear.
SHOWN = {'label', 'title', 'subtitle', 'description', 'heading', 'body', 'text', 'tooltip-text',
         'placeholder-text', 'comments', 'help-text', 'value-text', 'button-label', 'name-label'}
LETTERS = re.compile(r'[^\W\d_]{2}')

# Functions that show or store visible texts, and the indices of the text arguments.
SHOWING = (
    (re.compile(r'(gtk|adw)_\w+_set_(text|label|markup|title|subtitle|description|heading|body|comments'
                r'|tooltip_text|tooltip_markup|placeholder_text)'), (1,)),
    (re.compile(r'gtk_(label|check_button|button|toggle_button)_new(_with_label|_with_mnemonic)?'), (0,)),
    (re.compile(r'adw_toast_new'), (0,)),
    (re.compile(r'adw_message_dialog_new'), (1, 2)),
    (re.compile(r'adw_message_dialog_(format_body|format_heading)'), (1,)),
    (re.compile(r'adw_message_dialog_add_response'), (2,)),
    (re.compile(r'gtk_file_chooser_native_new'), (0, 3, 4)),
    (re.compile(r'gtk_file_filter_set_name'), (1,)),
    (re.compile(r'g_menu_(append|prepend|append_submenu|append_section)'), (1,)),
    (re.compile(r'g_menu_item_new'), (0,)),
    (re.compile(r'g_set_error(_literal)?'), (3,)),
    (re.compile(r'g_error_new(_literal)?'), (2,)),
    (re.compile(r'g_option_context_(set_summary|set_description)'), (1,)),
)
# Pairs of a property and its value, and the description in an entry of a command line's options.
PAIR = re.compile(r'(?:"(?:%s)"|GTK_ACCESSIBLE_PROPERTY_(?:LABEL|DESCRIPTION|PLACEHOLDER|HELP_TEXT)),\s*("[^"]*")'
                  % '|'.join(sorted(SHOWN - {'text'})))
OPTION = re.compile(r'G_OPTION_ARG_\w+,\s*[^,{}]+,\s*("[^"]*")')


def name(path):
    return path.relative_to(ROOT).as_posix()


def output_of(*command):
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


def lines_of(path):
    lines = path.read_text(encoding='utf-8').splitlines()
    return [line for line in lines if line and not line.startswith('#')]


def languages():
    return lines_of(PO / 'LINGUAS')


def messages_of(language):
    """Pairs of a message and its translation; each plural form counts as one message."""
    text = output_of('msgcat', '--no-wrap', PO / f'{language}.po')
    for entry in text.split('\n\n')[1:]:
        message = re.search(r'^msgid "(.*)"$', entry, re.MULTILINE)
        for translation in re.findall(r'^msgstr(?:\[\d+\])? "(.*)"$', entry, re.MULTILINE):
            if message:
                yield message[1], translation


def the_list_of_files_is_complete():
    listed, found = lines_of(PO / 'POTFILES.in'), output_of(PO / 'strings', 'files').splitlines()
    yield from (f'{path} has translatable strings: run ./dev i18n' for path in found if path not in listed)
    yield from (f'{path} has no translatable strings: run ./dev i18n' for path in listed if path not in found)


def strings_can_be_extracted():
    """A macro inside a string, such as G_GINT64_FORMAT, would cut off the message."""
    done = subprocess.run([PO / 'strings', 'pot'], capture_output=True, text=True, check=False)
    yield from done.stderr.splitlines()


def languages_and_files_match():
    files = sorted(path.stem for path in PO.glob('*.po'))
    if sorted(languages()) != files:
        yield f'LINGUAS names {languages()}, there are {files}'


def each_language_is_well_formed():
    for language in languages():
        command = ['msgfmt', '--check', '--output-file=/dev/null', PO / f'{language}.po']
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode != 0:
            yield from done.stderr.splitlines()


def each_language_is_complete():
    """Each string of the present sources has a translation that is not fuzzy."""
    with tempfile.NamedTemporaryFile('w', suffix='.pot', encoding='utf-8') as template:
        template.write(output_of(PO / 'strings', 'pot'))
        template.flush()
        for language in languages():
            command = ['msgcmp', PO / f'{language}.po', template.name]
            done = subprocess.run(command, capture_output=True, text=True, check=False)
            if done.returncode != 0:
                lacking = list(dict.fromkeys(re.findall(r'.*: this message .*', done.stderr)))
                yield f'{language}: {len(lacking)} messages to translate: run ./dev i18n, then edit its file'
                yield from lacking[:5]


def translations_keep_ellipses_and_ends():
    for language in languages():
        for message, translation in messages_of(language):
            for end in ('…', ':', '\\n'):
                if translation and message.endswith(end) != translation.endswith(end):
                    yield f'{language}: “{message}” and “{translation}” differ in their last “{end}”'


def is_text(string):
    return bool(LETTERS.search(re.sub(r'%[-+ 0#\']*[\d.*]*[a-z]+|<[^>]*>|&\w+;|\\n', '', string or '')))


def interface_files():
    for path in sorted((ROOT / 'ui').rglob('*.ui')):
        yield path, ElementTree.parse(path).getroot()


def interface_strings_are_translatable():
    for path, root in interface_files():
        shown = [e for e in root.iter('property') if e.get('name', '').replace('_', '-') in SHOWN]
        shown += [e for e in root.iter('attribute') if e.get('name') == 'label']
        shown += list(root.iter('item'))
        for element in shown:
            if is_text(element.text) and element.get('translatable') is None:
                yield f'{name(path)}: “{element.text}” says neither translatable="yes" nor "no"'


def bare(argument):
    """Returns whether an argument is a text without _() or a similar call."""
    return argument.startswith('"') and is_text(argument)


def shown_arguments(function, found):
    for pattern, places in SHOWING:
        if pattern.fullmatch(function):
            yield from (found[place] for place in places if place < len(found))


def sources():
    for path in sorted((ROOT / 'src').rglob('*.c')):
        yield path, without_comments(path.read_text(encoding='utf-8'))


def strings_in_calls_are_translatable():
    for path, source in sources():
        for line, function, found in calls(source):
            for argument in shown_arguments(function, found):
                if bare(argument):
                    yield f'{name(path)}:{line}: {function} is given {argument} without _()'


def strings_in_tables_are_translatable():
    for path, source in sources():
        has_widgets = path.parent.name in ('widgets', 'app')
        for pattern in (PAIR, OPTION) if has_widgets else (OPTION,):
            for match in pattern.finditer(source):
                if bare(match[1]):
                    line = source.count('\n', 0, match.start()) + 1
                    yield f'{name(path)}:{line}: {match[1]} stands without _() or N_()'


tap.run(the_list_of_files_is_complete,
        strings_can_be_extracted,
        languages_and_files_match,
        each_language_is_well_formed,
        each_language_is_complete,
        translations_keep_ellipses_and_ends,
        interface_strings_are_translatable,
        strings_in_calls_are_translatable,
        strings_in_tables_are_translatable)
