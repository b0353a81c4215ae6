/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "io/plan/plan-yaml.h"

#include <yaml.h>

G_BEGIN_DECLS

#define PLG_PLAN_YAML_SHOWN_CHARACTERS 40 /* of a wrong value */

/* The keys that are read. The file may have others: they are somebody else's, or misspelt, and told
 * as not known. */
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
  char *text; /* NULL when the file does not have the key */
  yaml_mark_t mark;
  int merged; /* how many blocks that are merged into others it stands in */
} PlgPlanYamlValue;

/* What a file says, before it is asked what it means. */
typedef struct
{
  PlgPlanYamlValue value[PLG_N_PLAN_YAML_KEYS];
  GString *unknown; /* a line "LINE: …" for each of the first keys that are not read */
  int n_unknown;
} PlgPlanYamlValues;

/* FALSE with an error "LINE:COLUMN: …" for what is no text, no YAML or no block of these keys. To
 * be cleared in any case. */
gboolean
plg_plan_yaml_values_read (PlgPlanYamlValues *values, const char *data, gsize size, GError **error);
void plg_plan_yaml_values_clear (PlgPlanYamlValues *values);
/* The lines on keys that are not known, or NULL. g_free(). */
char *plg_plan_yaml_values_notice (const PlgPlanYamlValues *values);

/* "parallelism.tp_size" */
const char *plg_plan_yaml_key_name (PlgPlanYamlKey key);

/* FALSE with ERROR "LINE:COLUMN: MESSAGE". */
gboolean
plg_plan_yaml_fail (PlgFormatError code, yaml_mark_t mark, GError **error, const char *format, ...)
    G_GNUC_PRINTF (4, 5);
void plg_plan_yaml_prefix_position (yaml_mark_t mark, GError **error);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (PlgPlanYamlValues, plg_plan_yaml_values_clear)

G_END_DECLS
