/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "io/import/import-context.h"

G_BEGIN_DECLS

/* A value of a YAML file and what is below it. */
typedef struct _PlgYaml PlgYaml;
struct _PlgYaml
{
  char *key;         /* what it is called in its mapping; NULL in lists and at the top */
  char *text;        /* of a single value; NULL of a list or mapping */
  gboolean plain;    /* a single value without quotes, which may be a number, truth value or null */
  gboolean anchored; /* it has a name, by which it is said elsewhere, too */
  gboolean mapping;  /* whether what is below has keys */
  GPtrArray *below;  /* of PlgYaml, in the order of the file; NULL of a single value */
  int line;          /* of the key where it has one */
  gboolean seen;     /* for the reader, who must say of everything what became of it */
};

/* The first document of the file, of which there may be only one. NULL with ERROR, which has the
 * line, for what is no YAML, for keys that are there twice, and what is deeper or larger than any
 * plan needs. What aliases stand for and “<<” merges is in its place, with the line where it is
 * written. */
PlgYaml *plg_yaml_read (const PlgImportContext *context, GError **error);
void plg_yaml_free (PlgYaml *value);

/* What PATH ("trainer.strategy") leads to from VALUE; NULL: there is no such thing. */
PlgYaml *plg_yaml_find (const PlgYaml *value, const char *path);
/* A plain null or nothing at all. */
gboolean plg_yaml_is_null (const PlgYaml *value);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PlgYaml, plg_yaml_free)

G_END_DECLS
