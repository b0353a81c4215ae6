/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "formats/plan-yaml-private.h"

#include "formats/format-private.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#define MAX_DEPTH 32
#define MAX_EVENTS 200000
#define SHOWN_UNKNOWN 8 /* keys; the others are counted */
#define SIMILAR 2       /* letters that a misspelt key may be off */

static const char *const key_names[PLG_N_YAML_KEYS] = {
  "world_size",
  "node_shape",
  "parallelism",
  "reading_note",
  "title",
  "parallelism.tp_size",
  "parallelism.cp_size",
  "parallelism.ep_size",
  "parallelism.pp_size",
  "parallelism.dp_size",
  "parallelism.order",
};

typedef struct
{
  yaml_parser_t parser;
  const char *data;
  gsize size;
  int events;
  PlgYamlValues *values;
} Reading;

const char *
plg_yaml_key_name (PlgYamlKey key)
{
  return key_names[key];
}

gboolean
plg_yaml_fail (PlgFormatError code, yaml_mark_t mark, GError **error, const char *format, ...)
{
  g_autofree char *message = NULL;
  va_list args;

  va_start (args, format);
  message = g_strdup_vprintf (format, args);
  va_end (args);
  g_set_error (error, PLG_FORMAT_ERROR, code, "%d:%d: %s", (int) mark.line + 1,
               (int) mark.column + 1, message);
  return FALSE;
}

void
plg_yaml_prefix_place (yaml_mark_t mark, GError **error)
{
  g_prefix_error (error, "%d:%d: ", (int) mark.line + 1, (int) mark.column + 1);
}

static yaml_mark_t
mark_at (const char *data, gsize offset)
{
  yaml_mark_t mark = { 0 };

  for (const char *p = data; p < data + offset; p++)
    {
      mark.column = *p == '\n' ? 0 : mark.column + 1;
      mark.line += *p == '\n';
    }
  return mark;
}

static gboolean
fail_syntax (Reading *reading, GError **error)
{
  const yaml_parser_t *parser = &reading->parser;
  yaml_mark_t mark = parser->problem_mark;
  const char *problem = parser->problem != NULL ? parser->problem : "?";

  /* Characters that YAML does not know are told by their offset alone. */
  if (parser->error == YAML_READER_ERROR)
    mark = mark_at (reading->data, MIN (parser->problem_offset, reading->size));
  else if (mark.index < reading->size && reading->data[mark.index] == '\t')
    return plg_yaml_fail (PLG_FORMAT_ERROR_SYNTAX, mark, error,
                          _ ("YAML does not allow a tab here; indent with spaces."));
  return plg_yaml_fail (PLG_FORMAT_ERROR_SYNTAX, mark, error, _ ("This is not YAML: %s."), problem);
}

/* The next event, to be freed with yaml_event_delete(). */
static gboolean
next_event (Reading *reading, yaml_event_t *event, GError **error)
{
  if (!yaml_parser_parse (&reading->parser, event))
    return fail_syntax (reading, error);
  if (event->type == YAML_ALIAS_EVENT || ++reading->events > MAX_EVENTS)
    {
      yaml_mark_t mark = event->start_mark;
      gboolean alias = event->type == YAML_ALIAS_EVENT;
      yaml_event_delete (event);
      return plg_yaml_fail (PLG_FORMAT_ERROR_UNSAFE, mark, error, "%s",
                            alias ? _ ("Aliases (*name) are not read; write the value itself.")
                                  : _ ("The file has more entries than any plan needs; it is not "
                                       "read."));
    }
  return TRUE;
}

static gboolean
expect_event (Reading *reading, yaml_event_type_t type, const char *message, GError **error)
{
  yaml_event_t event;
  yaml_mark_t mark;
  gboolean as_expected;

  if (!next_event (reading, &event, error))
    return FALSE;
  mark = event.start_mark;
  as_expected = event.type == type;
  yaml_event_delete (&event);
  return as_expected || plg_yaml_fail (PLG_FORMAT_ERROR_CONTENT, mark, error, "%s", message);
}

static int
nesting (yaml_event_type_t type)
{
  if (type == YAML_MAPPING_START_EVENT || type == YAML_SEQUENCE_START_EVENT)
    return 1;
  if (type == YAML_MAPPING_END_EVENT || type == YAML_SEQUENCE_END_EVENT)
    return -1;
  return 0;
}

/* Reads over the rest of a value that began with an event of TYPE. */
static gboolean
skip_value (Reading *reading, yaml_event_type_t type, GError **error)
{
  int depth = nesting (type);

  while (depth > 0)
    {
      yaml_event_t event;
      yaml_mark_t mark;

      if (!next_event (reading, &event, error))
        return FALSE;
      mark = event.start_mark;
      depth += nesting (event.type);
      yaml_event_delete (&event);
      if (depth > MAX_DEPTH)
        return plg_yaml_fail (PLG_FORMAT_ERROR_UNSAFE, mark, error,
                              _ ("The file is nested more than %d levels deep; it is not read."),
                              MAX_DEPTH);
    }
  return TRUE;
}

static int
find_key (const char *prefix, const char *name)
{
  g_autofree char *path = g_strconcat (prefix, name, NULL);

  for (int i = 0; i < PLG_N_YAML_KEYS; i++)
    if (g_str_equal (key_names[i], path))
      return i;
  return -1;
}

/* How many letters must be inserted, dropped or changed to make A into B. */
static int
edit_distance (const char *a, const char *b)
{
  int row[PLG_YAML_SHOWN_CHARACTERS + 1];
  int n = (int) strlen (b);

  for (int j = 0; j <= n; j++)
    row[j] = j;
  for (int i = 1; a[i - 1] != '\0'; i++)
    {
      int diagonal = row[0];

      row[0] = i;
      for (int j = 1; j <= n; j++)
        {
          int change = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);

          diagonal = row[j];
          row[j] = MIN (change, 1 + MIN (row[j], row[j - 1]));
        }
    }
  return row[n];
}

/* NAME in lower case, without what is no letter. g_free(). */
static char *
letters_of (const char *name)
{
  GString *letters = g_string_new (NULL);

  for (const char *p = name; *p != '\0'; p++)
    if (g_ascii_isalpha (*p))
      g_string_append_c (letters, g_ascii_tolower (*p));
  return g_string_free (letters, FALSE);
}

/* The key that was perhaps meant, as it is written in its block, or NULL. */
static const char *
similar_key (const char *prefix, const char *name)
{
  g_autofree char *letters = letters_of (name);
  const char *best = NULL;
  int closest = SIMILAR + 1;

  for (int i = 0; i < PLG_N_YAML_KEYS; i++)
    {
      const char *dot = strchr (key_names[i], '.');
      const char *key = dot != NULL ? dot + 1 : key_names[i];
      g_autofree char *expected = letters_of (key);
      g_autofree char *longer = g_strconcat (letters, "size", NULL);
      int distance = MIN (edit_distance (letters, expected),
                          g_str_equal (longer, expected) ? 0 : SIMILAR + 1);

      /* A degree beside the block instead of in it is told with its block. */
      if (distance < closest)
        {
          closest = distance;
          best = (dot == NULL) == (*prefix == '\0') ? key : key_names[i];
        }
    }
  return best;
}

static void
note_unknown (Reading *reading, const char *prefix, const yaml_event_t *event)
{
  const char *name = (const char *) event->data.scalar.value;
  int line = (int) event->start_mark.line + 1;
  g_autofree char *shown = NULL;
  const char *similar;

  if (reading->values->n_unknown++ >= SHOWN_UNKNOWN)
    return;
  shown = plg_format_excerpt (name, PLG_YAML_SHOWN_CHARACTERS);
  similar = similar_key (prefix, name);
  g_string_append_printf (reading->values->unknown, "%d: ", line);
  if (similar != NULL)
    g_string_append_printf (reading->values->unknown,
                            _ ("“%s” is not known here and is ignored; did you mean %s?\n"), shown,
                            similar);
  else
    g_string_append_printf (reading->values->unknown,
                            _ ("“%s” is not known here and is ignored.\n"), shown);
}

static gboolean read_mapping (Reading *reading, const char *prefix, GError **error);

/* The value of KEY, whose first event is EVENT. */
static gboolean
read_value (Reading *reading, PlgYamlKey key, const yaml_event_t *event, GError **error)
{
  PlgYamlValue *value = &reading->values->value[key];
  gboolean scalar = event->type == YAML_SCALAR_EVENT;

  if (value->text != NULL)
    return plg_yaml_fail (PLG_FORMAT_ERROR_CONTENT, event->start_mark, error,
                          _ ("%s is there twice, first in line %d; remove one."), key_names[key],
                          (int) value->mark.line + 1);
  value->mark = event->start_mark;
  value->text = g_strdup (scalar ? (const char *) event->data.scalar.value : "");
  if (key == PLG_YAML_PARALLELISM && event->type == YAML_MAPPING_START_EVENT)
    return read_mapping (reading, "parallelism.", error);
  if (key == PLG_YAML_PARALLELISM)
    return plg_yaml_fail (PLG_FORMAT_ERROR_CONTENT, event->start_mark, error,
                          _ ("parallelism needs tp_size, pp_size and dp_size below it."));
  return scalar ||
         plg_yaml_fail (PLG_FORMAT_ERROR_CONTENT, event->start_mark, error,
                        _ ("%s needs a single value, not a list or a block."), key_names[key]);
}

/* *KEY is -1 for a key of somebody else's; *END is TRUE when the mapping ends instead. */
static gboolean
read_key (Reading *reading, const char *prefix, int *key, gboolean *end, GError **error)
{
  yaml_event_t event;
  gboolean ok;

  *key = -1;
  if (!next_event (reading, &event, error))
    return FALSE;
  *end = event.type == YAML_MAPPING_END_EVENT;
  if (event.type == YAML_SCALAR_EVENT)
    *key = find_key (prefix, (const char *) event.data.scalar.value);
  if (event.type == YAML_SCALAR_EVENT && *key < 0)
    note_unknown (reading, prefix, &event);
  ok = *end || skip_value (reading, event.type, error);
  yaml_event_delete (&event);
  return ok;
}

static gboolean
read_mapping (Reading *reading, const char *prefix, GError **error)
{
  for (;;)
    {
      yaml_event_t event;
      gboolean ok, end;
      int key;

      if (!read_key (reading, prefix, &key, &end, error))
        return FALSE;
      if (end)
        return TRUE;
      if (!next_event (reading, &event, error))
        return FALSE;
      ok = key >= 0 ? read_value (reading, key, &event, error)
                    : skip_value (reading, event.type, error);
      yaml_event_delete (&event);
      if (!ok)
        return FALSE;
    }
}

static gboolean
read_document (Reading *reading, GError **error)
{
  const char *what = _ ("A plan in YAML is a block with the keys world_size, node_shape and "
                        "parallelism.");

  return expect_event (reading, YAML_STREAM_START_EVENT, what, error) &&
         expect_event (reading, YAML_DOCUMENT_START_EVENT, what, error) &&
         expect_event (reading, YAML_MAPPING_START_EVENT, what, error) &&
         read_mapping (reading, "", error) &&
         expect_event (reading, YAML_DOCUMENT_END_EVENT, what, error) &&
         expect_event (reading, YAML_STREAM_END_EVENT,
                       _ ("The file has a second document (---); keep one."), error);
}

static gboolean
read_events (Reading *reading, GError **error)
{
  gboolean ok;

  if (!yaml_parser_initialize (&reading->parser))
    g_error ("Out of memory for a YAML parser");
  yaml_parser_set_input_string (&reading->parser, (const guchar *) reading->data, reading->size);
  ok = read_document (reading, error);
  yaml_parser_delete (&reading->parser);
  return ok;
}

static gboolean
check_text (const char *data, gsize size, GError **error)
{
  const char *invalid;

  if (size > PLG_MAX_FILE_BYTES)
    return plg_yaml_fail (PLG_FORMAT_ERROR_UNSAFE, mark_at (data, 0), error,
                          _ ("The file has more than %d MiB, which no file of ours needs; it is "
                             "not read."),
                          PLG_MAX_FILE_BYTES >> 20);
  return g_utf8_validate (data, size, &invalid) ||
         plg_yaml_fail (PLG_FORMAT_ERROR_SYNTAX, mark_at (data, invalid - data), error,
                        _ ("Byte 0x%02X is not UTF-8; the file is damaged, or must be saved as "
                           "UTF-8."),
                        (guchar) *invalid);
}

gboolean
plg_yaml_values_read (PlgYamlValues *values, const char *data, gsize size, GError **error)
{
  Reading reading = { .data = data, .size = size, .values = values };

  *values = (PlgYamlValues) { .unknown = g_string_new (NULL) };
  return check_text (data, size, error) && read_events (&reading, error);
}

void
plg_yaml_values_clear (PlgYamlValues *values)
{
  for (int i = 0; i < PLG_N_YAML_KEYS; i++)
    g_clear_pointer (&values->value[i].text, g_free);
  if (values->unknown != NULL)
    g_string_free (g_steal_pointer (&values->unknown), TRUE);
}

char *
plg_yaml_values_notice (const PlgYamlValues *values)
{
  const char *text = values->unknown->str;
  int more = values->n_unknown - SHOWN_UNKNOWN;

  if (more > 0)
    return g_strdup_printf (g_dngettext (GETTEXT_PACKAGE, "%s%d more key is ignored.",
                                         "%s%d more keys are ignored.", more),
                            text, more);
  return *text != '\0' ? g_strchomp (g_strdup (text)) : NULL;
}
