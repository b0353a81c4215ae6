/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>
#include <yaml.h>

G_BEGIN_DECLS

/* The events of a YAML text, with what an alias (*name) stands for in its place. What the whole
 * file comes to is limited, however often it says the same. */
typedef struct _PlgYamlEvents PlgYamlEvents;

typedef struct
{
  yaml_event_type_t type;
  char *text;        /* of a single value */
  gboolean plain;    /* it has no quotes */
  gboolean anchored; /* it has a name (&name) for aliases */
  yaml_mark_t mark;
  guint first, end; /* of an alias: the events that it stands for */
} PlgYamlEvent;

/* DATA is borrowed. */
PlgYamlEvents *plg_yaml_events_new (const char *data, gsize size);
void plg_yaml_events_free (PlgYamlEvents *self);

/* The next one, which is owned by SELF and stays as long. NULL with a PLG_FORMAT_ERROR without its
 * place, which is *WHERE, for what is no YAML, aliases of nothing and of what they stand in, and
 * more than any plan needs. */
const PlgYamlEvent *plg_yaml_events_next (PlgYamlEvents *self, yaml_mark_t *where, GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PlgYamlEvents, plg_yaml_events_free)

/* The line and column of the byte at OFFSET of DATA, both from 0. */
yaml_mark_t plg_yaml_mark_at (const char *data, gsize offset);

G_END_DECLS
