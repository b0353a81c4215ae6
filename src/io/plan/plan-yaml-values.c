/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "io/plan/plan-yaml-private.h"
#include "io/import/error-position.h"

#include "io/import/format.h"
#include "plan/text/similar-names.h"
#include "syntax/format-error.h"
#include "syntax/yaml-events.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#define MAX_DEPTH 32
#define MERGE "<<"
/* maximum edit distance [letters] between an unknown key and the known key that a note suggests */
#define MAX_DISTANCE 2

static const char *const key_names[PLG_N_PLAN_YAML_KEYS] = {
  [PLG_PLAN_YAML_WORLD_SIZE] = "world_size",
  [PLG_PLAN_YAML_NODE_SHAPE] = "node_shape",
  [PLG_PLAN_YAML_PARALLELISM] = "parallelism",
  [PLG_PLAN_YAML_READING_NOTE] = "reading_note",
  [PLG_PLAN_YAML_TITLE] = "title",
  [PLG_PLAN_YAML_TP] = "parallelism.tp_size",
  [PLG_PLAN_YAML_CP] = "parallelism.cp_size",
  [PLG_PLAN_YAML_EP] = "parallelism.ep_size",
  [PLG_PLAN_YAML_PP] = "parallelism.pp_size",
  [PLG_PLAN_YAML_DP] = "parallelism.dp_size",
  [PLG_PLAN_YAML_REPLICATE] = "parallelism.dp_replicate_size",
  [PLG_PLAN_YAML_ORDER] = "parallelism.order",
};
G_STATIC_ASSERT (PLG_PLAN_YAML_ORDER + 1 == PLG_N_PLAN_YAML_KEYS);

typedef struct
{
  PlgYamlEvents *events;
  PlgPlanYamlValues *values;
  int merged; /* nesting depth of YAML merges (<<) at the current position */
} ValuesReader;

/* The number for the key “<<”, which is not a PlgPlanYamlKey. */
#define KEY_MERGE (-1)

const char *
plg_plan_yaml_key_name (PlgPlanYamlKey key)
{
  return key_names[key];
}

static PlgFilePosition
position_of (yaml_mark_t mark)
{
  return (PlgFilePosition) { (int) mark.line + 1, (int) mark.column + 1 };
}

gboolean
plg_plan_yaml_fail (PlgFormatError code, yaml_mark_t mark, GError **error, const char *format, ...)
{
  va_list args;

  va_start (args, format);
  plg_format_fail_valist (position_of (mark), code, error, format, args);
  va_end (args);
  return FALSE;
}

void
plg_plan_yaml_add_position (yaml_mark_t mark, GError **error)
{
  plg_error_add_position (error, position_of (mark));
}

void
plg_plan_yaml_note (PlgPlanYamlValues *values, yaml_mark_t mark, const char *format, ...)
{
  va_list args;

  va_start (args, format);
  g_ptr_array_add (values->notes, plg_note_new (PLG_NOTE_IGNORED, (int) mark.line + 1,
                                                g_strdup_vprintf (format, args)));
  va_end (args);
}

static const PlgYamlEvent *
next_event (ValuesReader *reader, GError **error)
{
  yaml_mark_t where;
  const PlgYamlEvent *event = plg_yaml_events_next (reader->events, &where, error);

  if (event == NULL)
    plg_plan_yaml_add_position (where, error);
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
                             _ ("The file is nested more than %d levels deep, so it was not read."),
                             MAX_DEPTH);
}

/* Skips the rest of a value whose first event has type TYPE. */
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

/* Returns only the letters of NAME, in lower case; free with g_free(). */
static char *
letters_of (const char *name)
{
  GString *letters = g_string_new (NULL);

  for (const char *p = name; *p != '\0'; p++)
    if (g_ascii_isalpha (*p))
      g_string_append_c (letters, g_ascii_tolower (*p));
  return g_string_free (letters, FALSE);
}

/* Adds a note on the unknown key in EVENT and suggests the most similar known key. PREFIX is the
 * block of the unknown key. If the suggested key is in a different block, the note names this
 * block. */
static void
note_unknown (ValuesReader *reader, const char *prefix, const PlgYamlEvent *event)
{
  g_autofree char *shown = plg_text_excerpt (event->text, PLG_PLAN_YAML_SHOWN_CHARACTERS);
  g_autofree char *letters = letters_of (event->text);
  g_autofree char *longer = g_strconcat (letters, "size", NULL);
  const char *similar = NULL;
  int closest = MAX_DISTANCE + 1;

  for (int i = 0; i < PLG_N_PLAN_YAML_KEYS; i++)
    {
      const char *dot = strchr (key_names[i], '.');
      const char *key = dot != NULL ? dot + 1 : key_names[i];
      g_autofree char *expected = letters_of (key);
      int distance = g_str_equal (longer, expected) ? 0 : plg_edit_distance (letters, expected);

      if (distance < closest)
        {
          closest = distance;
          similar = (dot == NULL) == (*prefix == '\0') ? key : key_names[i];
        }
    }
  if (similar != NULL)
    plg_plan_yaml_note (reader->values, event->mark,
                        _ ("“%s” is not recognised here and is ignored; did you mean %s?"), shown,
                        similar);
  else
    plg_plan_yaml_note (reader->values, event->mark,
                        _ ("“%s” is not recognised here and is ignored."), shown);
}

static gboolean read_mapping (ValuesReader *reader, const char *prefix, GError **error);

/* Reads the value of KEY. EVENT is the first event of the value. A key of the block itself
 * overrides a merged key. */
static gboolean
read_value (ValuesReader *reader, PlgPlanYamlKey key, const PlgYamlEvent *event, GError **error)
{
  PlgPlanYamlValue *value = &reader->values->value[key];
  gboolean is_scalar = event->type == YAML_SCALAR_EVENT;

  if (value->text != NULL)
    {
      if (reader->merged > 0 && reader->merged >= value->merged)
        return skip_value (reader, event->type, error);
      if (value->merged == 0)
        return plg_plan_yaml_fail (PLG_FORMAT_ERROR_CONTENT, event->mark, error,
                                   _ ("%s occurs twice, first on line %d; remove one."),
                                   key_names[key], (int) value->mark.line + 1);
      for (int i = 0; i < PLG_N_PLAN_YAML_KEYS; i++)
        if (i == (int) key ||
            (key == PLG_PLAN_YAML_PARALLELISM && strchr (key_names[i], '.') != NULL))
          g_clear_pointer (&reader->values->value[i].text, g_free);
    }
  *value = (PlgPlanYamlValue) { g_strdup (is_scalar ? event->text : ""), event->mark,
                                reader->merged };
  if (key == PLG_PLAN_YAML_PARALLELISM && event->type == YAML_MAPPING_START_EVENT)
    return read_mapping (reader, "parallelism.", error);
  if (key == PLG_PLAN_YAML_PARALLELISM)
    return plg_plan_yaml_fail (PLG_FORMAT_ERROR_CONTENT, event->mark, error,
                               _ ("parallelism needs tp_size, pp_size and dp_size below it."));
  return is_scalar ||
         plg_plan_yaml_fail (PLG_FORMAT_ERROR_CONTENT, event->mark, error,
                             _ ("%s needs a single value, not a list or a block."), key_names[key]);
}

/* Reads the value of “<<”, which is a block or a list of blocks. If several blocks have the same
 * key, uses the first one. */
static gboolean
read_merged (ValuesReader *reader, const char *prefix, const PlgYamlEvent *event, GError **error)
{
  gboolean is_list = event->type == YAML_SEQUENCE_START_EVENT;

  if (reader->merged == MAX_DEPTH)
    return fail_depth (event, error);
  if (is_list)
    event = next_event (reader, error);
  while (event != NULL && event->type == YAML_MAPPING_START_EVENT)
    {
      reader->merged++;
      if (!read_mapping (reader, prefix, error))
        return FALSE;

      /* From here on, treat keys that were merged into this block as keys of the block itself. */
      for (int i = 0; i < PLG_N_PLAN_YAML_KEYS; i++)
        reader->values->value[i].merged = MIN (reader->values->value[i].merged, reader->merged);
      reader->merged--;
      if (!is_list)
        return TRUE;
      event = next_event (reader, error);
    }
  return event != NULL &&
         ((is_list && event->type == YAML_SEQUENCE_END_EVENT) ||
          plg_plan_yaml_fail (PLG_FORMAT_ERROR_CONTENT, event->mark, error,
                              _ ("<< needs a block with keys, or a list of such blocks.")));
}

static gboolean
read_mapping (ValuesReader *reader, const char *prefix, GError **error)
{
  for (;;)
    {
      const PlgYamlEvent *event = next_event (reader, error);
      gboolean is_known = FALSE, is_read;
      int key = 0;

      if (event == NULL)
        return FALSE;
      if (event->type == YAML_MAPPING_END_EVENT)
        return TRUE;
      if (event->type == YAML_SCALAR_EVENT)
        {
          g_autofree char *path = g_strconcat (prefix, event->text, NULL);

          while (key < PLG_N_PLAN_YAML_KEYS && !g_str_equal (key_names[key], path))
            key++;
          if (key == PLG_N_PLAN_YAML_KEYS && g_str_equal (event->text, MERGE))
            key = KEY_MERGE;
          is_known = key != PLG_N_PLAN_YAML_KEYS;
          if (!is_known && reader->values->n_unknown++ < PLG_PLAN_YAML_SHOWN_UNKNOWN)
            note_unknown (reader, prefix, event);
        }
      if (!skip_value (reader, event->type, error))
        return FALSE;

      event = next_event (reader, error);
      if (event == NULL)
        return FALSE;
      if (!is_known)
        is_read = skip_value (reader, event->type, error);
      else if (key == KEY_MERGE)
        is_read = read_merged (reader, prefix, event, error);
      else
        is_read = read_value (reader, key, event, error);
      if (!is_read)
        return FALSE;
    }
}

gboolean
plg_plan_yaml_values_read (PlgPlanYamlValues *values, const char *data, gsize size, GError **error)
{
  g_autoptr (PlgYamlEvents) events = NULL;
  ValuesReader reader = { .values = values };
  g_autofree char *reason = NULL;
  const char *invalid;
  const char *message = _ ("A plan in YAML is a block with the keys world_size, node_shape and "
                           "parallelism.");

  *values = (PlgPlanYamlValues) { .notes = plg_notes_new () };
  if (size > PLG_MAX_FILE_BYTES)
    return plg_plan_yaml_fail (PLG_FORMAT_ERROR_UNSAFE, plg_yaml_mark_at (data, 0), error,
                               _ ("The file is larger than the limit of %d MiB, so it was not "
                                  "read."),
                               PLG_MAX_FILE_BYTES >> 20);
  if (!g_utf8_validate (data, size, &invalid))
    {
      reason = plg_bad_byte_describe (*invalid);
      return plg_plan_yaml_fail (PLG_FORMAT_ERROR_SYNTAX, plg_yaml_mark_at (data, invalid - data),
                                 error, "%s", reason);
    }
  reader.events = events = plg_yaml_events_new (data, size);
  return expect_event (&reader, YAML_STREAM_START_EVENT, message, error) &&
         expect_event (&reader, YAML_DOCUMENT_START_EVENT, message, error) &&
         expect_event (&reader, YAML_MAPPING_START_EVENT, message, error) &&
         read_mapping (&reader, "", error) &&
         expect_event (&reader, YAML_DOCUMENT_END_EVENT, message, error) &&
         expect_event (&reader, YAML_STREAM_END_EVENT,
                       _ ("The file has a second document (---); keep one."), error);
}

void
plg_plan_yaml_values_clear (PlgPlanYamlValues *values)
{
  for (int i = 0; i < PLG_N_PLAN_YAML_KEYS; i++)
    g_clear_pointer (&values->value[i].text, g_free);
  g_clear_pointer (&values->notes, g_ptr_array_unref);
}
