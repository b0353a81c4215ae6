/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>
#include <yaml.h>

G_BEGIN_DECLS

/* The events of a YAML text, with each alias (*name) replaced by its value. The total number of
 * events is limited, however often the file repeats a value. */
typedef struct _PlgYamlEvents PlgYamlEvents;

typedef struct
{
  yaml_event_type_t type;
  char *text;        /* text of a single value */
  gboolean plain;    /* the value has no quotes */
  gboolean anchored; /* the value has a name (&name) for aliases */
  yaml_mark_t mark;
  guint first, end; /* for an alias: its events */
} PlgYamlEvent;

/* DATA is borrowed. */
PlgYamlEvents *plg_yaml_events_new (const char *data, gsize size);
void plg_yaml_events_free (PlgYamlEvents *self);

/* Returns the next event, owned by SELF. Returns NULL with a PLG_FORMAT_ERROR, whose place is in
 * *WHERE, for invalid YAML, for an alias without a value or inside its own value, and for more
 * events than any plan needs. */
const PlgYamlEvent *plg_yaml_events_next (PlgYamlEvents *self, yaml_mark_t *where, GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PlgYamlEvents, plg_yaml_events_free)

/* Returns line and column, both from 0, of the byte at OFFSET of DATA. */
yaml_mark_t plg_yaml_mark_at (const char *data, gsize offset);

G_END_DECLS
