/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "io/plan/plan-yaml.h"

#include <yaml.h>

G_BEGIN_DECLS

#define PLG_PLAN_YAML_SHOWN_CHARACTERS 40 /* maximum number of characters shown of a wrong value */

/* The known keys. Readers report all other keys in the file as unknown. */
typedef enum
{
  PLG_PLAN_YAML_WORLD_SIZE,
  PLG_PLAN_YAML_NODE_SHAPE,
  PLG_PLAN_YAML_PARALLELISM,
  PLG_PLAN_YAML_READING_NOTE,
  PLG_PLAN_YAML_TITLE,
  PLG_PLAN_YAML_TP,
  PLG_PLAN_YAML_CP,
  PLG_PLAN_YAML_EP,
  PLG_PLAN_YAML_PP,
  PLG_PLAN_YAML_DP,
  PLG_PLAN_YAML_ORDER,
} PlgPlanYamlKey;
#define PLG_N_PLAN_YAML_KEYS 11

typedef struct
{
  char *text; /* NULL if the file does not have the key */
  yaml_mark_t mark;
  int merged; /* number of YAML merges (<<) around the value */
} PlgPlanYamlValue;

/* The values of all keys in a file, as uninterpreted text. */
typedef struct
{
  PlgPlanYamlValue value[PLG_N_PLAN_YAML_KEYS];
  GString *unknown; /* one line "LINE: …" for each of the first unknown keys */
  int n_unknown;
} PlgPlanYamlValues;

/* Reads VALUES, which the caller clears in any case. Returns FALSE with an error "LINE:COLUMN:
 * …" if DATA is not text, not YAML, or not a block with these keys. */
gboolean
plg_plan_yaml_values_read (PlgPlanYamlValues *values, const char *data, gsize size, GError **error);
void plg_plan_yaml_values_clear (PlgPlanYamlValues *values);
/* Returns one line per unknown key, or NULL; free with g_free(). */
char *plg_plan_yaml_values_notice (const PlgPlanYamlValues *values);

/* Returns the key with its block, such as "parallelism.tp_size". */
const char *plg_plan_yaml_key_name (PlgPlanYamlKey key);

/* Sets ERROR "LINE:COLUMN: MESSAGE". Returns FALSE. */
gboolean
plg_plan_yaml_fail (PlgFormatError code, yaml_mark_t mark, GError **error, const char *format, ...)
    G_GNUC_PRINTF (4, 5);
void plg_plan_yaml_prefix_position (yaml_mark_t mark, GError **error);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (PlgPlanYamlValues, plg_plan_yaml_values_clear)

G_END_DECLS
