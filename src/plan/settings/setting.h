/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "plan/catalogue.h"
#include "plan/plan-check.h"

G_BEGIN_DECLS

/* The table of all keys, such as "training.micro-batch". The option --set, the attributes of the
 * plan file, the ranges of the inspector and the messages all use this table. */
typedef enum
{
  PLG_SETTING_INTEGER,
  PLG_SETTING_NUMBER,
  PLG_SETTING_BOOLEAN,
  PLG_SETTING_CHOICE,
  PLG_SETTING_NAME, /* name in the catalogue; sets other keys too */
  PLG_SETTING_ORDER,
  PLG_SETTING_FAULTS,
  PLG_SETTING_NODE_NAMES,
  PLG_SETTING_LAYOUT,
  PLG_SETTING_MODULES,
} PlgSettingKind;

typedef struct
{
  const char *key; /* "cluster.nodes" */
  PlgSettingKind kind;
  gsize offset;   /* offset of the field in PlgPlan */
  double minimum; /* smallest value, in UNIT */
  double maximum;
  double scale;               /* factor that converts a value in UNIT to the value of the field */
  const char *unit;           /* "GB/s", "GiB", "TFLOP/s", NULL */
  const char *const *choices; /* names in enum order, NULL-terminated */
  const char *title;          /* title of the row in the inspector, marked with N_() */
  const char *help;           /* one sentence, marked with N_() */
  const int *values;          /* enum value of each choice; NULL if the values are 0, 1, 2, … */
  double least; /* smallest value above 0, in UNIT, if 0 stands for another value; otherwise 0 */
} PlgSetting;

const PlgSetting *plg_settings (int *n);
const PlgSetting *plg_setting_find (const char *key);
/* Returns at most three keys that resemble the unknown key TYPED, for example "parallelism.tp" for
 * "tp"; free with g_free(). Returns NULL if no key is similar. */
char *plg_setting_suggest (const char *typed) G_GNUC_WARN_UNUSED_RESULT;
/* Sets ERROR, an error of PLG_PLAN_ERROR: TYPED is not a key. The message names similar keys or, if
 * there are none, the keys in ALLOWED, which ends with NULL. Returns FALSE. */
gboolean plg_setting_refuse_key (const char *typed, const char *const *allowed, GError **error);
/* Returns TRUE if KEY is one of KEYS; "training.*" matches all keys of training. */
gboolean plg_setting_is_among (const char *key, const char *const *keys);

/* Returns the value as text for --set and the plan file. Reading a number back gives the same
 * value. Free with g_free(). */
char *plg_setting_get (const PlgSetting *setting, const PlgPlan *plan);
/* Returns the value in the setting's unit; 0 or 1 for a boolean, the index in CHOICES for a
 * choice (-1 if the value is not in CHOICES), 0 for all other kinds of settings. */
double plg_setting_get_number (const PlgSetting *setting, const PlgPlan *plan);

/* plg_setting_set:
 * @plan: the plan
 * @catalogue: (nullable): the catalogue, required for settings of kind %PLG_SETTING_NAME
 * @key: the key
 * @value: the value as text
 *
 * Sets one key and checks only its range; call plg_plan_check() to check the whole plan. An
 * unknown key or a value out of range is an error whose message names the allowed values.
 *
 * A name sets all values that the catalogue has for it; "custom" changes only the name. Keys set
 * later change single values and keep the name. If a GPU is not sold with the node, the node
 * becomes "custom" and gets the links of this GPU.
 *
 * Returns: FALSE with @error on failure */
gboolean plg_setting_set (PlgPlan *plan,
                          const PlgCatalogue *catalogue,
                          const char *key,
                          const char *value,
                          GError **error);
/* Sets one key from ASSIGNMENT, "KEY=VALUE". */
gboolean plg_setting_assign (PlgPlan *plan,
                             const PlgCatalogue *catalogue,
                             const char *assignment,
                             GError **error);

/* Returns TRUE if ASSIGNMENTS ("KEY=VALUE" each; may be NULL) contain KEY. */
gboolean plg_settings_have_key (const char *const *assignments, const char *key);
/* Returns TRUE if ASSIGNMENTS, which changed BEFORE to AFTER, removed the layout of BEFORE although
 * they do not name it, because it does not fit AFTER. */
gboolean plg_settings_lost_layout (const PlgPlan *before,
                                   const PlgPlan *after,
                                   const char *const *assignments);

/* plg_settings_assign:
 * @plan: the plan, which is unchanged on failure
 * @catalogue: (nullable): the catalogue
 * @assignments: "KEY=VALUE" in order
 *
 * Sets several keys; the whole plan may be inconsistent afterwards. Settings that would
 * contradict the given keys are adjusted, unless they are given too:
 * - the schedule, if only the chunks are given: more than 1 chunk changes 1F1B to interleaved,
 *   and 1 chunk changes interleaved to 1F1B;
 * - the chunks, if only the schedule is given: interleaved gets at least 2 chunks, any other
 *   schedule gets 1;
 * - the precision, if the new GPU does not support it; the plan then gets the next precision
 *   that the GPU supports in the order FP8, BF16, FP16, FP32;
 * - EP and ETP, if the new model is dense;
 * - the first and the last stage's layers set by hand, which are removed if PP or the number of
 *   layers changes;
 * - a layout by hand, which is removed if it does not fit the new stages or the new model, or if
 *   a setting that it replaces is given; a given layout resets those settings, and decides the
 *   number of chunks and whether the schedule is interleaved;
 * - the topology of a node, if the nodes change, and faults of parts that the cluster no longer
 *   has, which are removed. */
gboolean plg_settings_assign (PlgPlan *plan,
                              const PlgCatalogue *catalogue,
                              const char *const *assignments,
                              GError **error);
/* Sets the keys as plg_settings_assign() does, adjusts DP to the world size unless
 * parallelism.dp is given, reduces parallelism.replicate to a divisor of the new DP unless it is
 * given, and calls plg_plan_check(). If the world size, the degrees or the
 * rank order change, a placement by hand is reset to the nesting order. */
gboolean plg_settings_apply (PlgPlan *plan,
                             const PlgCatalogue *catalogue,
                             const char *const *assignments,
                             GError **error);

G_END_DECLS
