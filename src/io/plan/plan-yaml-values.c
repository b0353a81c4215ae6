/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "io/plan/plan-yaml-private.h"

#include "io/registry/format-private.h"
#include "io/registry/detect-error.h"
#include "syntax/yaml-events.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#define MAX_DEPTH 32
#define SHOWN_UNKNOWN 8 /* keys; the others are counted */
#define MERGE "<<"
#define SIMILAR 2 /* letters that a misspelt key may be off */

static const char *const key_names[PLG_N_PLAN_YAML_KEYS] = {
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
  PlgYamlEvents *events;
  PlgPlanYamlValues *values;
  int merged; /* blocks that are merged into others, and read just now */
} ValuesReader;

/* What a key is that is none of ours. */
enum
{
  KEY_UNKNOWN = -1,
  KEY_MERGE = -2,
};

const char *
plg_plan_yaml_key_name (PlgPlanYamlKey key)
{
  return key_names[key];
}

gboolean
plg_plan_yaml_fail (PlgFormatError code, yaml_mark_t mark, GError **error, const char *format, ...)
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
plg_plan_yaml_prefix_position (yaml_mark_t mark, GError **error)
{
  g_prefix_error (error, "%d:%d: ", (int) mark.line + 1, (int) mark.column + 1);
}

static const PlgYamlEvent *
next_event (ValuesReader *reader, GError **error)
{
  yaml_mark_t where;
  const PlgYamlEvent *event = plg_yaml_events_next (reader->events, &where, error);

  if (event == NULL)
    plg_plan_yaml_prefix_position (where, error);
  return event;
}

static gboolean
expect_event (ValuesReader *reader, yaml_event_type_t type, const char *message, GError **error)
{
  const PlgYamlEvent *event = next_event (reader, error);

  return event != NULL &&
         (event->type == type ||
          plg_plan_yaml_fail (PLG_FORMAT_ERROR_CONTENT, event->mark, error, "%s", message));
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

static gboolean
fail_depth (const PlgYamlEvent *event, GError **error)
{
  return plg_plan_yaml_fail (PLG_FORMAT_ERROR_UNSAFE, event->mark, error,
                             _ ("The file is nested more than %d levels deep; it is not read."),
                             MAX_DEPTH);
}

/* Reads over the rest of a value that began with an event of TYPE. */
static gboolean
skip_value (ValuesReader *reader, yaml_event_type_t type, GError **error)
{
  int depth = nesting (type);

  while (depth > 0)
    {
      const PlgYamlEvent *event = next_event (reader, error);

      if (event == NULL)
        return FALSE;
      depth += nesting (event->type);
      if (depth > MAX_DEPTH)
        return fail_depth (event, error);
    }
  return TRUE;
}

static int
find_key (const char *prefix, const char *name)
{
  g_autofree char *path = g_strconcat (prefix, name, NULL);

  for (int i = 0; i < PLG_N_PLAN_YAML_KEYS; i++)
    if (g_str_equal (key_names[i], path))
      return i;
  return g_str_equal (name, MERGE) ? KEY_MERGE : KEY_UNKNOWN;
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

  for (int i = 0; i < PLG_N_PLAN_YAML_KEYS; i++)
    {
      const char *dot = strchr (key_names[i], '.');
      const char *key = dot != NULL ? dot + 1 : key_names[i];
      g_autofree char *expected = letters_of (key);
      g_autofree char *longer = g_strconcat (letters, "size", NULL);
      /* How many letters must be inserted, dropped or changed to make LETTERS into EXPECTED. */
      int row[PLG_PLAN_YAML_SHOWN_CHARACTERS + 1];
      int n = (int) strlen (expected);

      for (int j = 0; j <= n; j++)
        row[j] = j;
      for (int k = 1; letters[k - 1] != '\0'; k++)
        {
          int diagonal = row[0];

          row[0] = k;
          for (int j = 1; j <= n; j++)
            {
              int change = diagonal + (letters[k - 1] == expected[j - 1] ? 0 : 1);

              diagonal = row[j];
              row[j] = MIN (change, 1 + MIN (row[j], row[j - 1]));
            }
        }
      int distance = MIN (row[n], g_str_equal (longer, expected) ? 0 : SIMILAR + 1);

      /* A degree beside the block instead of in it is told with its block. */
      if (distance < closest)
        {
          closest = distance;
          best = (dot == NULL) == (*prefix == '\0') ? key : key_names[i];
        }
    }
  return best;
}

static gboolean read_mapping (ValuesReader *reader, const char *prefix, GError **error);

/* The value of KEY, whose first event is EVENT. */
static gboolean
read_value (ValuesReader *reader, PlgPlanYamlKey key, const PlgYamlEvent *event, GError **error)
{
  PlgPlanYamlValue *value = &reader->values->value[key];
  gboolean scalar = event->type == YAML_SCALAR_EVENT, keep;

  /* Makes room for the value of KEY, which EVENT begins: what is merged gives way to what the block says itself. *KEEP: what is there stays. */
  gboolean *room_keep = &keep;
  PlgPlanYamlValue *room_value = &reader->values->value[key];

  *room_keep = room_value->text != NULL && reader->merged > 0 &&
               reader->merged >= room_value->merged;
  if (room_value->text != NULL && !*room_keep)
    {
      if (room_value->merged == 0)
        {
          if (!plg_plan_yaml_fail (PLG_FORMAT_ERROR_CONTENT, event->mark, error,
                                   _ ("%s occurs twice, first in line %d; remove one."),
                                   key_names[key], (int) room_value->mark.line + 1))
            return FALSE;
        }
      else
        for (int i = 0; i < PLG_N_PLAN_YAML_KEYS; i++)
          if (i == (int) key ||
              (key == PLG_PLAN_YAML_PARALLELISM && strchr (key_names[i], '.') != NULL))
            g_clear_pointer (&reader->values->value[i].text, g_free);
    }

  if (keep)
    return skip_value (reader, event->type, error);
  *value = (PlgPlanYamlValue) { g_strdup (scalar ? event->text : ""), event->mark, reader->merged };
  if (key == PLG_PLAN_YAML_PARALLELISM && event->type == YAML_MAPPING_START_EVENT)
    return read_mapping (reader, "parallelism.", error);
  if (key == PLG_PLAN_YAML_PARALLELISM)
    return plg_plan_yaml_fail (PLG_FORMAT_ERROR_CONTENT, event->mark, error,
                               _ ("parallelism needs tp_size, pp_size and dp_size below it."));
  return scalar ||
         plg_plan_yaml_fail (PLG_FORMAT_ERROR_CONTENT, event->mark, error,
                             _ ("%s needs a single value, not a list or a block."), key_names[key]);
}

/* What “<<” brings: a block, or a list of them, the first of which counts. */
static gboolean
read_merged (ValuesReader *reader, const char *prefix, const PlgYamlEvent *event, GError **error)
{
  gboolean list = event->type == YAML_SEQUENCE_START_EVENT;

  if (reader->merged == MAX_DEPTH)
    return fail_depth (event, error);
  if (list)
    event = next_event (reader, error);
  while (event != NULL && event->type == YAML_MAPPING_START_EVENT)
    {
      reader->merged++;
      if (!read_mapping (reader, prefix, error))
        return FALSE;

      /* A block that was merged has what was merged into it for its own. */
      for (int i = 0; i < PLG_N_PLAN_YAML_KEYS; i++)
        reader->values->value[i].merged = MIN (reader->values->value[i].merged, reader->merged);
      reader->merged--;
      if (!list)
        return TRUE;
      event = next_event (reader, error);
    }
  return event != NULL &&
         ((list && event->type == YAML_SEQUENCE_END_EVENT) ||
          plg_plan_yaml_fail (PLG_FORMAT_ERROR_CONTENT, event->mark, error,
                              _ ("<< needs a block with keys, or a list of such blocks.")));
}

/* *END is TRUE when the mapping ends instead. */
static gboolean
read_key (ValuesReader *reader, const char *prefix, int *key, gboolean *end, GError **error)
{
  const PlgYamlEvent *event = next_event (reader, error);

  *key = KEY_UNKNOWN;
  if (event == NULL)
    return FALSE;
  *end = event->type == YAML_MAPPING_END_EVENT;
  if (event->type == YAML_SCALAR_EVENT)
    *key = find_key (prefix, event->text);
  if (event->type == YAML_SCALAR_EVENT && *key == KEY_UNKNOWN)
    {
      const char *name = event->text;
      int line = (int) event->mark.line + 1;
      g_autofree char *shown = NULL;
      const char *similar;

      if (reader->values->n_unknown++ < SHOWN_UNKNOWN)
        {
          shown = plg_text_excerpt (name, PLG_PLAN_YAML_SHOWN_CHARACTERS);
          similar = similar_key (prefix, name);
          g_string_append_printf (reader->values->unknown, "%d: ", line);
          if (similar != NULL)
            g_string_append_printf (reader->values->unknown,
                                    _ ("“%s” is not known here and is ignored; did you mean %s?\n"),
                                    shown, similar);
          else
            g_string_append_printf (reader->values->unknown,
                                    _ ("“%s” is not known here and is ignored.\n"), shown);
        }
    }
  return *end || skip_value (reader, event->type, error);
}

static gboolean
read_mapping (ValuesReader *reader, const char *prefix, GError **error)
{
  for (;;)
    {
      const PlgYamlEvent *event;
      gboolean ok, end;
      int key;

      if (!read_key (reader, prefix, &key, &end, error))
        return FALSE;
      if (end)
        return TRUE;
      event = next_event (reader, error);
      if (event == NULL)
        return FALSE;
      if (key == KEY_MERGE)
        ok = read_merged (reader, prefix, event, error);
      else
        ok = key >= 0 ? read_value (reader, key, event, error)
                      : skip_value (reader, event->type, error);
      if (!ok)
        return FALSE;
    }
}

gboolean
plg_plan_yaml_values_read (PlgPlanYamlValues *values, const char *data, gsize size, GError **error)
{
  g_autoptr (PlgYamlEvents) events = NULL;
  ValuesReader reader = { .values = values };

  *values = (PlgPlanYamlValues) { .unknown = g_string_new (NULL) };

  g_autofree char *why = NULL;
  const char *invalid;

  if (size > PLG_MAX_FILE_BYTES)
    {
      if (!plg_plan_yaml_fail (
              PLG_FORMAT_ERROR_UNSAFE, plg_yaml_mark_at (data, 0), error,
              _ ("The file is larger than the limit of %d MiB and is not read."),
              PLG_MAX_FILE_BYTES >> 20))
        return FALSE;
    }
  else if (!g_utf8_validate (data, size, &invalid))
    {
      why = plg_bad_byte_describe (*invalid);
      if (!plg_plan_yaml_fail (PLG_FORMAT_ERROR_SYNTAX, plg_yaml_mark_at (data, invalid - data),
                               error, "%s", why))
        return FALSE;
    }

  reader.events = events = plg_yaml_events_new (data, size);

  const char *what = _ ("A plan in YAML is a block with the keys world_size, node_shape and "
                        "parallelism.");

  return expect_event (&reader, YAML_STREAM_START_EVENT, what, error) &&
         expect_event (&reader, YAML_DOCUMENT_START_EVENT, what, error) &&
         expect_event (&reader, YAML_MAPPING_START_EVENT, what, error) &&
         read_mapping (&reader, "", error) &&
         expect_event (&reader, YAML_DOCUMENT_END_EVENT, what, error) &&
         expect_event (&reader, YAML_STREAM_END_EVENT,
                       _ ("The file has a second document (---); keep one."), error);
}

void
plg_plan_yaml_values_clear (PlgPlanYamlValues *values)
{
  for (int i = 0; i < PLG_N_PLAN_YAML_KEYS; i++)
    g_clear_pointer (&values->value[i].text, g_free);
  if (values->unknown != NULL)
    g_string_free (g_steal_pointer (&values->unknown), TRUE);
}

char *
plg_plan_yaml_values_notice (const PlgPlanYamlValues *values)
{
  const char *text = values->unknown->str;
  int more = values->n_unknown - SHOWN_UNKNOWN;

  if (more > 0)
    return g_strdup_printf (g_dngettext (GETTEXT_PACKAGE, "%s%d more key is ignored.",
                                         "%s%d more keys are ignored.", more),
                            text, more);
  return *text != '\0' ? g_strchomp (g_strdup (text)) : NULL;
}
