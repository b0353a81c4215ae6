/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "formats/plan-yaml.h"

#include <yaml.h>

G_BEGIN_DECLS

#define PLG_YAML_SHOWN_CHARACTERS 40 /* of a wrong value */

/* The keys that are read. The file may have others: they are somebody else's, or misspelt, and told
 * as not known. */
typedef enum
{
  PLG_YAML_WORLD_SIZE,
  PLG_YAML_NODE_SHAPE,
  PLG_YAML_PARALLELISM,
  PLG_YAML_READING_NOTE,
  PLG_YAML_TITLE,
  PLG_YAML_TP,
  PLG_YAML_CP,
  PLG_YAML_EP,
  PLG_YAML_PP,
  PLG_YAML_DP,
  PLG_YAML_ORDER,
} PlgYamlKey;
#define PLG_N_YAML_KEYS 11

typedef struct
{
  char *text; /* NULL when the file does not have the key */
  yaml_mark_t mark;
  int merged; /* how many blocks that are merged into others it stands in */
} PlgYamlValue;

/* What a file says, before it is asked what it means. */
typedef struct
{
  PlgYamlValue value[PLG_N_YAML_KEYS];
  GString *unknown; /* a line "LINE: …" for each of the first keys that are not read */
  int n_unknown;
} PlgYamlValues;

/* FALSE with an error "LINE:COLUMN: …" for what is no text, no YAML or no block of these keys. To
 * be cleared in any case. */
gboolean plg_yaml_values_read (PlgYamlValues *values, const char *data, gsize size, GError **error);
void plg_yaml_values_clear (PlgYamlValues *values);
/* The lines on keys that are not known, or NULL. g_free(). */
char *plg_yaml_values_notice (const PlgYamlValues *values);

/* "parallelism.tp_size" */
const char *plg_yaml_key_name (PlgYamlKey key);

/* FALSE with ERROR "LINE:COLUMN: MESSAGE". */
gboolean
plg_yaml_fail (PlgFormatError code, yaml_mark_t mark, GError **error, const char *format, ...)
    G_GNUC_PRINTF (4, 5);
void plg_yaml_prefix_place (yaml_mark_t mark, GError **error);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (PlgYamlValues, plg_yaml_values_clear)

G_END_DECLS
