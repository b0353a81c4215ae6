/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "formats/yaml-tree.h"

#include "formats/format.h"

#include <glib/gi18n-lib.h>
#include <string.h>
#include <yaml.h>

#define MAX_DEPTH 32
#define MAX_EVENTS 200000
#define SHOWN_CHARACTERS 40

typedef struct
{
  const PlgReading *reading;
  yaml_parser_t parser;
  int events;
} Parsing;

static PlgYaml *read_value (Parsing *parsing, yaml_event_t *event, int depth, GError **error);

static int
line_of (const yaml_event_t *event)
{
  return (int) event->start_mark.line + 1;
}

/* An end that comes too early is told of the last line that there is. */
static int
clamp_line (const PlgReading *reading, int line)
{
  int lines = 1;

  for (gsize i = 0; i + 1 < reading->size; i++)
    lines += reading->data[i] == '\n';
  return MIN (line, lines);
}

static gboolean
fail_syntax (const Parsing *parsing, GError **error)
{
  const yaml_parser_t *parser = &parsing->parser;
  const PlgReading *reading = parsing->reading;
  gsize at = parser->problem_mark.index;
  int line = (int) parser->problem_mark.line + 1;

  /* Characters that YAML does not know are told by their offset alone. */
  if (parser->error == YAML_READER_ERROR)
    {
      line = 1;
      for (gsize i = 0; i < MIN (parser->problem_offset, reading->size); i++)
        line += reading->data[i] == '\n';
    }
  else if (at < reading->size && reading->data[at] == '\t')
    return plg_reading_fail (reading, line, PLG_FORMAT_ERROR_SYNTAX, error,
                             _ ("YAML does not allow a tab here; indent with spaces."));
  return plg_reading_fail (reading, clamp_line (reading, line), PLG_FORMAT_ERROR_SYNTAX, error,
                           _ ("This is not YAML: %s."),
                           parser->problem != NULL ? parser->problem : "?");
}

/* The next event, to be freed with yaml_event_delete() when there is no error. */
static gboolean
next_event (Parsing *parsing, yaml_event_t *event, GError **error)
{
  gboolean alias;
  int line;

  if (!yaml_parser_parse (&parsing->parser, event))
    return fail_syntax (parsing, error);
  alias = event->type == YAML_ALIAS_EVENT;
  if (!alias && ++parsing->events <= MAX_EVENTS)
    return TRUE;
  line = line_of (event);
  yaml_event_delete (event);
  return plg_reading_fail (parsing->reading, line, PLG_FORMAT_ERROR_UNSAFE, error, "%s",
                           alias ? _ ("Aliases (*name) are not read; write the value itself.")
                                 : _ ("The file has more entries than any plan needs; it is not "
                                      "read."));
}

static PlgYaml *
value_new (const yaml_event_t *event)
{
  PlgYaml *value = g_new0 (PlgYaml, 1);

  value->line = line_of (event);
  if (event->type == YAML_SCALAR_EVENT)
    {
      value->text = g_strdup ((const char *) event->data.scalar.value);
      value->plain = event->data.scalar.style == YAML_PLAIN_SCALAR_STYLE;
    }
  else
    value->below = g_ptr_array_new_with_free_func ((GDestroyNotify) plg_yaml_free);
  value->mapping = event->type == YAML_MAPPING_START_EVENT;
  return value;
}

/* Takes the event of a key; *KEY is NULL where it is more than a word. */
static gboolean
read_key (Parsing *parsing, yaml_event_t *event, char **key, int depth, GError **error)
{
  PlgYaml *value;

  if (event->type == YAML_SCALAR_EVENT)
    {
      *key = g_strdup ((const char *) event->data.scalar.value);
      yaml_event_delete (event);
      return TRUE;
    }
  value = read_value (parsing, event, depth, error);
  if (value == NULL)
    return FALSE;
  plg_yaml_free (value);
  return TRUE;
}

static gboolean
add_below (Parsing *parsing, PlgYaml *value, PlgYaml *item, GHashTable *keys, GError **error)
{
  const PlgYaml *first;
  g_autofree char *shown = NULL;

  g_ptr_array_add (value->below, item);
  first = item->key != NULL ? g_hash_table_lookup (keys, item->key) : NULL;
  if (item->key != NULL && first == NULL)
    g_hash_table_insert (keys, item->key, item);
  if (first == NULL)
    return TRUE;
  shown = plg_format_excerpt (item->key, SHOWN_CHARACTERS);
  return plg_reading_fail (parsing->reading, item->line, PLG_FORMAT_ERROR_CONTENT, error,
                           _ ("%s is there twice, first in line %d; remove one."), shown,
                           first->line);
}

/* What is below VALUE, up to the event of TYPE that ends it. */
static gboolean
read_below (Parsing *parsing, PlgYaml *value, yaml_event_type_t end, int depth, GError **error)
{
  g_autoptr (GHashTable) keys = g_hash_table_new (g_str_hash, g_str_equal);
  yaml_event_t event;

  while (next_event (parsing, &event, error))
    {
      g_autofree char *key = NULL;
      int line = line_of (&event);
      PlgYaml *item;

      if (event.type == end)
        {
          yaml_event_delete (&event);
          return TRUE;
        }
      if (value->mapping &&
          (!read_key (parsing, &event, &key, depth, error) || !next_event (parsing, &event, error)))
        return FALSE;
      item = read_value (parsing, &event, depth, error);
      if (item == NULL)
        return FALSE;
      item->key = g_steal_pointer (&key);
      item->line = value->mapping ? line : item->line;
      if (!add_below (parsing, value, item, keys, error))
        return FALSE;
    }
  return FALSE;
}

static gboolean
check_depth (const Parsing *parsing, const PlgYaml *value, int depth, GError **error)
{
  return depth < MAX_DEPTH ||
         plg_reading_fail (parsing->reading, value->line, PLG_FORMAT_ERROR_UNSAFE, error,
                           _ ("The file is nested more than %d levels deep; it is not read."),
                           MAX_DEPTH);
}

/* Takes EVENT, the first of the value. */
static PlgYaml *
read_value (Parsing *parsing, yaml_event_t *event, int depth, GError **error)
{
  PlgYaml *value = value_new (event);
  yaml_event_type_t end = event->type == YAML_MAPPING_START_EVENT ? YAML_MAPPING_END_EVENT
                                                                  : YAML_SEQUENCE_END_EVENT;

  yaml_event_delete (event);
  if (check_depth (parsing, value, depth, error) &&
      (value->below == NULL || read_below (parsing, value, end, depth + 1, error)))
    return value;
  plg_yaml_free (value);
  return NULL;
}

static gboolean
expect (Parsing *parsing, yaml_event_type_t type, const char *message, GError **error)
{
  yaml_event_t event;
  gboolean as_expected;
  int line;

  if (!next_event (parsing, &event, error))
    return FALSE;
  line = line_of (&event);
  as_expected = event.type == type;
  yaml_event_delete (&event);
  return as_expected ||
         plg_reading_fail (parsing->reading, line, PLG_FORMAT_ERROR_CONTENT, error, "%s", message);
}

static PlgYaml *
read_document (Parsing *parsing, GError **error)
{
  const char *empty = _ ("The file holds no values.");
  PlgYaml *value;
  yaml_event_t event;

  if (!expect (parsing, YAML_STREAM_START_EVENT, empty, error) ||
      !expect (parsing, YAML_DOCUMENT_START_EVENT, empty, error) ||
      !next_event (parsing, &event, error))
    return NULL;
  value = read_value (parsing, &event, 0, error);
  if (value == NULL || (expect (parsing, YAML_DOCUMENT_END_EVENT, empty, error) &&
                        expect (parsing, YAML_STREAM_END_EVENT,
                                _ ("The file has a second document (---); keep one."), error)))
    return value;
  plg_yaml_free (value);
  return NULL;
}

PlgYaml *
plg_yaml_read (const PlgReading *reading, GError **error)
{
  Parsing parsing = { .reading = reading };
  PlgYaml *value;

  if (!yaml_parser_initialize (&parsing.parser))
    g_error ("Out of memory for a YAML parser");
  yaml_parser_set_input_string (&parsing.parser, (const guchar *) reading->data, reading->size);
  value = read_document (&parsing, error);
  yaml_parser_delete (&parsing.parser);
  return value;
}

void
plg_yaml_free (PlgYaml *value)
{
  g_free (value->key);
  g_free (value->text);
  g_clear_pointer (&value->below, g_ptr_array_unref);
  g_free (value);
}

static PlgYaml *
find_below (const PlgYaml *value, const char *key, gsize n)
{
  for (guint i = 0; value->below != NULL && i < value->below->len; i++)
    {
      PlgYaml *item = value->below->pdata[i];

      if (item->key != NULL && strlen (item->key) == n && strncmp (item->key, key, n) == 0)
        return item;
    }
  return NULL;
}

PlgYaml *
plg_yaml_find (const PlgYaml *value, const char *path)
{
  PlgYaml *found = NULL;

  for (;;)
    {
      gsize n = strcspn (path, ".");

      found = find_below (value, path, n);
      if (found == NULL || path[n] == '\0')
        return found;
      value = found;
      path += n + 1;
    }
}

gboolean
plg_yaml_is_null (const PlgYaml *value)
{
  static const char *const nulls[] = { "", "~", "null", "Null", "NULL", NULL };

  return value == NULL ||
         (value->text != NULL && value->plain && g_strv_contains (nulls, value->text));
}
