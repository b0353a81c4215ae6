/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "syntax/yaml-tree.h"

#include "syntax/format-error.h"
#include "syntax/yaml-events.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#define MAX_DEPTH 32
#define SHOWN_CHARACTERS 40
#define MERGE "<<"

typedef struct
{
  const char *data;
  gsize size;
  PlgYamlEvents *events;
} Parsing;

static PlgYaml *read_value (Parsing *parsing, const PlgYamlEvent *event, int depth, GError **error);

static int
line_of (const PlgYamlEvent *event)
{
  return (int) event->mark.line + 1;
}

static const PlgYamlEvent *
next_event (Parsing *parsing, GError **error)
{
  yaml_mark_t where;
  const PlgYamlEvent *event = plg_yaml_events_next (parsing->events, &where, error);

  if (event == NULL)
    {
      /* Report an unexpected end on the last line of the file. libyaml may report it on the line
       * after the last one. */
      int line = (int) where.line + 1;
      int lines = 1;

      for (gsize i = 0; i + 1 < parsing->size; i++)
        lines += parsing->data[i] == '\n';
      plg_format_error_add_position (error, (PlgFilePosition) { MIN (line, lines), 0 });
    }
  return event;
}

static PlgYaml *
value_new (const PlgYamlEvent *event)
{
  PlgYaml *value = g_new0 (PlgYaml, 1);

  value->line = line_of (event);
  value->text = g_strdup (event->text);
  value->plain = event->plain;
  value->anchored = event->anchored;
  if (event->type != YAML_SCALAR_EVENT)
    value->below = g_ptr_array_new_with_free_func ((GDestroyNotify) plg_yaml_free);
  value->mapping = event->type == YAML_MAPPING_START_EVENT;
  return value;
}

/* Reads a key. Sets *KEY to NULL if the key is a list or a mapping instead of a single value. */
static gboolean
read_key (Parsing *parsing, const PlgYamlEvent *event, char **key, int depth, GError **error)
{
  PlgYaml *value;

  *key = g_strdup (event->text);
  if (event->type == YAML_SCALAR_EVENT)
    return TRUE;
  value = read_value (parsing, event, depth, error);
  if (value == NULL)
    return FALSE;
  plg_yaml_free (value);
  return TRUE;
}

/* Moves keys from SOURCE to VALUE, except for keys that VALUE already has. */
static gboolean
merge_block (Parsing *parsing, PlgYaml *value, PlgYaml *source, GHashTable *keys, GError **error)
{
  if (!source->mapping)
    return plg_format_fail (source->line, PLG_FORMAT_ERROR_CONTENT, error,
                            _ ("<< needs a mapping, or a list of mappings."));
  for (guint i = 0; i < source->below->len; i++)
    {
      PlgYaml *item = source->below->pdata[i];

      if (item->key == NULL || g_hash_table_contains (keys, item->key))
        continue;
      source->below->pdata[i] = g_new0 (PlgYaml, 1);
      g_hash_table_insert (keys, item->key, item);
      g_ptr_array_add (value->below, item);
    }
  return TRUE;
}

/* Merges the mappings in “<<” into VALUE. Keys in VALUE take precedence, then keys in earlier
 * mappings (yaml.org/type/merge.html). */
static gboolean
merge (Parsing *parsing, PlgYaml *value, GHashTable *keys, GError **error)
{
  PlgYaml *source = g_hash_table_lookup (keys, MERGE);
  gboolean ok = TRUE;
  guint at;

  if (source == NULL || !g_ptr_array_find (value->below, source, &at))
    return TRUE;
  g_hash_table_remove (keys, MERGE);
  g_ptr_array_steal_index (value->below, at);
  if (source->below == NULL || source->mapping)
    ok = merge_block (parsing, value, source, keys, error);
  else
    for (guint i = 0; ok && i < source->below->len; i++)
      ok = merge_block (parsing, value, source->below->pdata[i], keys, error);
  plg_yaml_free (source);
  return ok;
}

/* Reads the content of VALUE, including the event of type END that ends it, and merges the
 * mappings in “<<” into it. */
static gboolean
read_below (Parsing *parsing, PlgYaml *value, yaml_event_type_t end, int depth, GError **error)
{
  g_autoptr (GHashTable) keys = g_hash_table_new (g_str_hash, g_str_equal);
  const PlgYamlEvent *event;

  while ((event = next_event (parsing, error)) != NULL && event->type != end)
    {
      g_autofree char *key = NULL;
      int line = line_of (event);
      PlgYaml *item;

      if (value->mapping && (!read_key (parsing, event, &key, depth, error) ||
                             (event = next_event (parsing, error)) == NULL))
        return FALSE;
      item = read_value (parsing, event, depth, error);
      if (item == NULL)
        return FALSE;
      item->key = g_steal_pointer (&key);
      item->line = value->mapping ? line : item->line;

      const PlgYaml *first;
      g_autofree char *shown = NULL;

      g_ptr_array_add (value->below, item);
      first = item->key != NULL ? g_hash_table_lookup (keys, item->key) : NULL;
      if (item->key != NULL && first == NULL)
        g_hash_table_insert (keys, item->key, item);
      if (first != NULL)
        {
          shown = plg_text_excerpt (item->key, SHOWN_CHARACTERS);
          if (!plg_format_fail (item->line, PLG_FORMAT_ERROR_CONTENT, error,
                                _ ("%s occurs twice, first on line %d; remove one of them."), shown,
                                first->line))
            return FALSE;
        }
    }
  return event != NULL && merge (parsing, value, keys, error);
}

static gboolean
check_depth (const Parsing *parsing, const PlgYaml *value, int depth, GError **error)
{
  return depth < MAX_DEPTH ||
         plg_format_fail (value->line, PLG_FORMAT_ERROR_UNSAFE, error,
                          _ ("The file is nested more than %d levels deep, so it was not read."),
                          MAX_DEPTH);
}

/* Reads the value that begins with EVENT. */
static PlgYaml *
read_value (Parsing *parsing, const PlgYamlEvent *event, int depth, GError **error)
{
  PlgYaml *value = value_new (event);
  yaml_event_type_t end = value->mapping ? YAML_MAPPING_END_EVENT : YAML_SEQUENCE_END_EVENT;

  if (check_depth (parsing, value, depth, error) &&
      (value->below == NULL || read_below (parsing, value, end, depth + 1, error)))
    return value;
  plg_yaml_free (value);
  return NULL;
}

static gboolean
expect (Parsing *parsing, yaml_event_type_t type, const char *message, GError **error)
{
  const PlgYamlEvent *event = next_event (parsing, error);

  return event != NULL &&
         (event->type == type ||
          plg_format_fail (line_of (event), PLG_FORMAT_ERROR_CONTENT, error, "%s", message));
}

PlgYaml *
plg_yaml_read (const char *data, gsize size, GError **error)
{
  g_autoptr (PlgYamlEvents) events = plg_yaml_events_new (data, size);
  Parsing parsing = { data, size, events };
  const char *empty = _ ("The file has no values.");
  const PlgYamlEvent *event = NULL;
  PlgYaml *value;

  if (expect (&parsing, YAML_STREAM_START_EVENT, empty, error) &&
      expect (&parsing, YAML_DOCUMENT_START_EVENT, empty, error))
    event = next_event (&parsing, error);
  value = event != NULL ? read_value (&parsing, event, 0, error) : NULL;
  if (value == NULL ||
      (expect (&parsing, YAML_DOCUMENT_END_EVENT, empty, error) &&
       expect (&parsing, YAML_STREAM_END_EVENT,
               _ ("The file has a second document (---); keep one of them."), error)))
    return value;
  plg_yaml_free (value);
  return NULL;
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
