/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "io/import/import-context.h"
#include "io/plan/plan-yaml.h"

#include <yaml.h>

G_BEGIN_DECLS

/* wrong values longer than this are cut in messages [characters] */
#define PLG_PLAN_YAML_SHOWN_CHARACTERS 40
/* maximum number of unknown keys that get a note each; further unknown keys are only counted */
#define PLG_PLAN_YAML_SHOWN_UNKNOWN 8

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
  PLG_PLAN_YAML_REPLICATE,
  PLG_PLAN_YAML_ORDER,
} PlgPlanYamlKey;
#define PLG_N_PLAN_YAML_KEYS 12

typedef struct
{
  char *text; /* NULL if the file does not have the key */
  yaml_mark_t mark;
  int merged; /* nesting depth of YAML merges (<<) around the value; 0 if the value was not
                 merged */
} PlgPlanYamlValue;

/* The values of all keys in a file, as uninterpreted text. */
typedef struct
{
  PlgPlanYamlValue value[PLG_N_PLAN_YAML_KEYS];
  GPtrArray *notes; /* owned; element-type PlgNote; about ignored keys */
  int n_unknown;    /* number of unknown keys; only the first PLG_PLAN_YAML_SHOWN_UNKNOWN have a
                       note */
} PlgPlanYamlValues;

/* Reads VALUES, which the caller must clear even after an error. Returns FALSE with an error
 * "LINE:COLUMN: …" if DATA is too large, is not UTF-8, or is not a single YAML document with a
 * block of keys. */
gboolean
plg_plan_yaml_values_read (PlgPlanYamlValues *values, const char *data, gsize size, GError **error);
void plg_plan_yaml_values_clear (PlgPlanYamlValues *values);
/* Adds a note about the ignored key at MARK. */
void plg_plan_yaml_note (PlgPlanYamlValues *values, yaml_mark_t mark, const char *format, ...)
    G_GNUC_PRINTF (3, 4);

/* Returns the key with its block, such as "parallelism.tp_size". */
const char *plg_plan_yaml_key_name (PlgPlanYamlKey key);

/* Sets ERROR "LINE:COLUMN: MESSAGE". Returns FALSE. */
gboolean
plg_plan_yaml_fail (PlgFormatError code, yaml_mark_t mark, GError **error, const char *format, ...)
    G_GNUC_PRINTF (4, 5);
/* Adds the position MARK to ERROR. */
void plg_plan_yaml_add_position (yaml_mark_t mark, GError **error);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (PlgPlanYamlValues, plg_plan_yaml_values_clear)

G_END_DECLS
