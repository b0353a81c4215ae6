/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "syntax/yaml-events.h"

#include "syntax/format-error.h"

#include <glib/gi18n-lib.h>

#define MAX_EVENTS 200000
#define SHOWN_CHARACTERS 40

/* A range of stored events that are replayed in place of an alias: from the index NEXT up to but
 * not including the index END. */
typedef struct
{
  guint next, end;
} AliasReplay;

struct _PlgYamlEvents
{
  yaml_parser_t parser;
  const char *data;
  gsize size;
  GPtrArray *read;     /* array of PlgYamlEvent in the order of the file */
  GHashTable *anchors; /* map from an anchor's name to the index of its event */
  GArray *replays;     /* array of AliasReplay, the innermost one last */
  int n_returned;
};

static void
event_free (PlgYamlEvent *event)
{
  g_free (event->text);
  g_free (event);
}

PlgYamlEvents *
plg_yaml_events_new (const char *data, gsize size)
{
  PlgYamlEvents *self = g_new0 (PlgYamlEvents, 1);

  if (!yaml_parser_initialize (&self->parser))
    g_error ("Out of memory for a YAML parser");
  yaml_parser_set_input_string (&self->parser, (const guchar *) data, size);
  self->data = data;
  self->size = size;
  self->read = g_ptr_array_new_with_free_func ((GDestroyNotify) event_free);
  self->anchors = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  self->replays = g_array_new (FALSE, FALSE, sizeof (AliasReplay));
  return self;
}

void
plg_yaml_events_free (PlgYamlEvents *self)
{
  yaml_parser_delete (&self->parser);
  g_ptr_array_unref (self->read);
  g_hash_table_unref (self->anchors);
  g_array_unref (self->replays);
  g_free (self);
}

/* Returns the index of the first event after the value that begins with the event FIRST, or 0 if
 * the value has not ended yet. */
static guint
end_of_value (const PlgYamlEvents *self, guint first)
{
  int depth = 0;

  for (guint i = first; i < self->read->len; i++)
    {
      const PlgYamlEvent *event = self->read->pdata[i];
      yaml_event_type_t type = event->type;
      int nesting;

      if (type == YAML_MAPPING_START_EVENT || type == YAML_SEQUENCE_START_EVENT)
        nesting = 1;
      else
        nesting = type == YAML_MAPPING_END_EVENT || type == YAML_SEQUENCE_END_EVENT ? -1 : 0;

      depth += nesting;
      if (depth == 0)
        return i + 1;
    }
  return 0;
}

static const char *
anchor_of (const yaml_event_t *event)
{
  const yaml_char_t *anchor = NULL;

  if (event->type == YAML_SCALAR_EVENT)
    anchor = event->data.scalar.anchor;
  else if (event->type == YAML_MAPPING_START_EVENT)
    anchor = event->data.mapping_start.anchor;
  else if (event->type == YAML_SEQUENCE_START_EVENT)
    anchor = event->data.sequence_start.anchor;
  return (const char *) anchor;
}

/* Stores a copy of EVENT in self->read, because later aliases may replay it. */
static gboolean
keep (PlgYamlEvents *self, const yaml_event_t *event, yaml_mark_t *where, GError **error)
{
  PlgYamlEvent *kept = g_new0 (PlgYamlEvent, 1);
  const char *anchor = anchor_of (event);

  kept->type = event->type;
  kept->anchored = anchor != NULL;
  *where = kept->mark = event->start_mark;
  if (event->type == YAML_SCALAR_EVENT)
    {
      kept->text = g_strdup ((const char *) event->data.scalar.value);
      kept->plain = event->data.scalar.style == YAML_PLAIN_SCALAR_STYLE;
    }
  g_ptr_array_add (self->read, kept);
  if (anchor != NULL)
    g_hash_table_replace (self->anchors, g_strdup (anchor), GUINT_TO_POINTER (self->read->len - 1));
  if (event->type != YAML_ALIAS_EVENT)
    return TRUE;

  const char *name = (const char *) event->data.alias.anchor;
  g_autofree char *shown = plg_text_excerpt (name, SHOWN_CHARACTERS);
  gpointer first;

  if (!g_hash_table_lookup_extended (self->anchors, name, NULL, &first))
    {
      g_set_error (error, PLG_FORMAT_ERROR, PLG_FORMAT_ERROR_CONTENT,
                   _ ("*%s has no value: there is no &%s before it."), shown, shown);
      return FALSE;
    }
  kept->first = GPOINTER_TO_UINT (first);
  kept->end = end_of_value (self, kept->first);
  if (kept->end == 0)
    g_set_error (
        error, PLG_FORMAT_ERROR, PLG_FORMAT_ERROR_UNSAFE,
        _ ("The alias *%s refers to a value that contains it; replace the alias with a value."),
        shown);
  return kept->end > 0;
}

static gboolean
read_event (PlgYamlEvents *self, yaml_mark_t *where, GError **error)
{
  yaml_event_t event;
  gboolean kept;

  if (!yaml_parser_parse (&self->parser, &event))
    {
      const yaml_parser_t *parser = &self->parser;
      gsize at = parser->problem_mark.index;

      *where = parser->problem_mark;
      /* For a character that YAML does not allow, libyaml reports only the byte offset, so
       * compute the line and the column. */
      if (parser->error == YAML_READER_ERROR)
        *where = plg_yaml_mark_at (self->data, MIN (parser->problem_offset, self->size));
      else if (at < self->size && self->data[at] == '\t')
        {
          g_set_error_literal (error, PLG_FORMAT_ERROR, PLG_FORMAT_ERROR_SYNTAX,
                               _ ("YAML does not allow a tab here; indent with spaces."));
          return FALSE;
        }
      g_set_error (error, PLG_FORMAT_ERROR, PLG_FORMAT_ERROR_SYNTAX, _ ("This is not YAML: %s."),
                   parser->problem != NULL ? parser->problem : "?");
      return FALSE;
    }
  kept = keep (self, &event, where, error);
  yaml_event_delete (&event);
  return kept;
}

/* Returns the next event to replay or, if there is none, the next event in the file. The event
 * may be an alias. */
static const PlgYamlEvent *
next_or_replayed (PlgYamlEvents *self, yaml_mark_t *where, GError **error)
{
  while (self->replays->len > 0)
    {
      AliasReplay *replays = &g_array_index (self->replays, AliasReplay, self->replays->len - 1);

      if (replays->next < replays->end)
        return self->read->pdata[replays->next++];
      g_array_set_size (self->replays, self->replays->len - 1);
    }
  return read_event (self, where, error) ? self->read->pdata[self->read->len - 1] : NULL;
}

yaml_mark_t
plg_yaml_mark_at (const char *data, gsize offset)
{
  yaml_mark_t mark = { 0 };

  for (const char *p = data; p < data + offset; p++)
    {
      mark.column = *p == '\n' ? 0 : mark.column + 1;
      mark.line += *p == '\n';
    }
  return mark;
}

const PlgYamlEvent *
plg_yaml_events_next (PlgYamlEvents *self, yaml_mark_t *where, GError **error)
{
  const PlgYamlEvent *event;

  while ((event = next_or_replayed (self, where, error)) != NULL && event->type == YAML_ALIAS_EVENT)
    {
      const AliasReplay replays = { event->first, event->end };

      g_array_append_val (self->replays, replays);
    }
  if (event == NULL || ++self->n_returned <= MAX_EVENTS)
    return event;
  *where = ((const PlgYamlEvent *) self->read->pdata[self->read->len - 1])->mark;
  g_set_error_literal (error, PLG_FORMAT_ERROR, PLG_FORMAT_ERROR_UNSAFE,
                       _ ("The file has more entries than any plan needs, so it was not read."));
  return NULL;
}
