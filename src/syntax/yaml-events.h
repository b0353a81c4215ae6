/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>
#include <yaml.h>

G_BEGIN_DECLS

/* The events of a YAML text. Each alias (*name) is replaced by the events of its value. The
 * total number of events is limited, because a short file can repeat a value many times. */
typedef struct _PlgYamlEvents PlgYamlEvents;

typedef struct
{
  yaml_event_type_t type;
  char *text;        /* text of a single value */
  gboolean plain;    /* whether the value is written without quotes */
  gboolean anchored; /* whether the value has a name (&name) for aliases */
  yaml_mark_t mark;
  guint first, end; /* for an alias: the indices of the first event of its value and of the event
                       after its value */
} PlgYamlEvent;

/* Starts reading DATA, which is borrowed. */
PlgYamlEvents *plg_yaml_events_new (const char *data, gsize size);
void plg_yaml_events_free (PlgYamlEvents *self);

/* Returns the next event, owned by SELF. Returns NULL with a PLG_FORMAT_ERROR if the YAML is
 * invalid, if an alias has no value or occurs inside its own value, or if the text has more
 * events than any plan needs. *WHERE is then the position of the error. */
const PlgYamlEvent *plg_yaml_events_next (PlgYamlEvents *self, yaml_mark_t *where, GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PlgYamlEvents, plg_yaml_events_free)

/* Returns the line and the column, both from 0, of the byte at OFFSET in DATA. */
yaml_mark_t plg_yaml_mark_at (const char *data, gsize offset);

G_END_DECLS
