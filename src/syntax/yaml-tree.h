/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* A value in a YAML file, with its content. */
typedef struct _PlgYaml PlgYaml;
struct _PlgYaml
{
  char *key;         /* the key in its mapping; NULL in lists and at the top */
  char *text;        /* text of a single value; NULL for a list or mapping */
  gboolean plain;    /* whether the single value has no quotes, so that it may be a number, a
                        boolean or null */
  gboolean anchored; /* whether the value has a name, so that it may appear elsewhere as an alias */
  gboolean mapping;  /* whether the value is a mapping, so that its content has keys */
  GPtrArray *below;  /* array of PlgYaml in the order of the file; NULL for a single value */
  int line;          /* line of the key, or of the value if there is no key */
  gboolean seen;     /* set when a reader uses the value, so that the reader can report unused
                        values */
};

/* Reads the file, which must contain only one document. Aliases and “<<” are replaced by their
 * values. Each value keeps the number of the line on which it is written in the file. Returns
 * NULL with ERROR, which includes the line number, for invalid YAML, for duplicate keys, and for
 * files that are larger or more deeply nested than any plan needs. */
PlgYaml *plg_yaml_read (const char *data, gsize size, GError **error);
void plg_yaml_free (PlgYaml *value);

/* Returns the value at PATH ("trainer.strategy") inside VALUE, or NULL. */
PlgYaml *plg_yaml_find (const PlgYaml *value, const char *path);
/* Returns whether VALUE is an unquoted null or empty. */
gboolean plg_yaml_is_null (const PlgYaml *value);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PlgYaml, plg_yaml_free)

G_END_DECLS
