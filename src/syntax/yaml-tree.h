/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* A value of a YAML file with its content. */
typedef struct _PlgYaml PlgYaml;
struct _PlgYaml
{
  char *key;         /* the key in its mapping; NULL in lists and at the top */
  char *text;        /* text of a single value; NULL for a list or mapping */
  gboolean plain;    /* a single value without quotes, which may be a number, a boolean or null */
  gboolean anchored; /* the value has a name and may appear elsewhere as an alias */
  gboolean mapping;  /* the content has keys */
  GPtrArray *below;  /* array of PlgYaml in the order of the file; NULL for a single value */
  int line;          /* line of the key, or of the value without a key */
  gboolean seen;     /* set by a reader, which must account for every value */
};

/* Reads the only document of the file. Returns NULL with ERROR, which has the line, for invalid
 * YAML, for duplicate keys, and for files that are deeper or larger than any plan needs. Aliases
 * and “<<” are replaced by their values, with the lines where those are written. */
PlgYaml *plg_yaml_read (const char *data, gsize size, GError **error);
void plg_yaml_free (PlgYaml *value);

/* Returns the value at PATH ("trainer.strategy") below VALUE, or NULL. */
PlgYaml *plg_yaml_find (const PlgYaml *value, const char *path);
/* Returns whether VALUE is a plain null or empty. */
gboolean plg_yaml_is_null (const PlgYaml *value);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PlgYaml, plg_yaml_free)

G_END_DECLS
