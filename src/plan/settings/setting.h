/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "plan/catalogue.h"
#include "plan/plan-check.h"

G_BEGIN_DECLS

/* The table of all keys ("training.micro-batch"), from which the option --set, the attributes of
 * the plan file, the ranges of the inspector and the messages are made. */
typedef enum
{
  PLG_SETTING_INTEGER,
  PLG_SETTING_NUMBER,
  PLG_SETTING_BOOLEAN,
  PLG_SETTING_CHOICE,
  PLG_SETTING_NAME, /* name of the catalogue; sets other keys too */
  PLG_SETTING_ORDER,
  PLG_SETTING_FAULTS,
  PLG_SETTING_NODE_NAMES,
} PlgSettingKind;

typedef struct
{
  const char *key; /* "cluster.nodes" */
  PlgSettingKind kind;
  gsize offset;   /* offset in PlgPlan */
  double minimum; /* in UNIT */
  double maximum;
  double scale;               /* member value = UNIT value x scale */
  const char *unit;           /* "GB/s", "GiB", "TFLOP/s", NULL */
  const char *const *choices; /* names in the order of the enum, NULL-terminated */
  const char *title;          /* N_(): title of the row in the inspector */
  const char *help;           /* N_(): one sentence */
  const int *values;          /* value of the enum for each choice; NULL: 0, 1, 2, … */
} PlgSetting;

const PlgSetting *plg_settings (int *n);
const PlgSetting *plg_setting_find (const char *key);
/* Whether KEY is one of KEYS; "training.*" stands for all keys of training. */
gboolean plg_setting_is_among (const char *key, const char *const *keys);

/* The value as text for --set and the plan file; reading a number back gives the same value.
 * g_free(). */
char *plg_setting_get (const PlgSetting *setting, const PlgPlan *plan);
/* The value in the setting's unit; 0 or 1 for a boolean, the index in CHOICES for a choice (-1:
 * not a choice), 0 for names and orders. */
double plg_setting_get_number (const PlgSetting *setting, const PlgPlan *plan);

/* plg_setting_set:
 * @plan: the plan
 * @catalogue: (nullable): the catalogue, required for settings of kind %PLG_SETTING_NAME
 * @key: the key
 * @value: the value as text
 *
 * Sets one key and checks its range only; call plg_plan_check() to check the whole plan. An unknown
 * key or a value out of range is an error that names the allowed ones.
 *
 * A name sets all values that the catalogue has for it; "custom" changes only the name. Later keys
 * change single values and keep the name. A GPU that is not sold with the node makes the node
 * "custom" and brings its own links.
 *
 * Returns: FALSE with @error on failure
 */
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

/* Whether ASSIGNMENTS ("KEY=VALUE" each; may be NULL) contain KEY. */
gboolean plg_settings_have_key (const char *const *assignments, const char *key);

/* plg_settings_assign:
 * @plan: the plan, which stays unchanged on failure
 * @catalogue: (nullable): the catalogue
 * @assignments: "KEY=VALUE" in order
 *
 * Sets several keys; the whole plan may be inconsistent afterwards. Settings that would contradict
 * the given keys follow, unless they are given too:
 * - schedule and chunks: chunks above 1 make 1F1B interleaved, interleaved alone has 2 chunks,
 *   another schedule has 1;
 * - the precision, if another GPU cannot compute in it (FP8, BF16, FP16, FP32, in this order);
 * - EP and ETP, if another model is dense;
 * - layers set by hand, which are removed if PP or the number of layers changes;
 * - the faults of removed parts, and the topology of a node if the nodes change.
 */
gboolean plg_settings_assign (PlgPlan *plan,
                              const PlgCatalogue *catalogue,
                              const char *const *assignments,
                              GError **error);
/* Sets the keys as plg_settings_assign() does, then DP from the world size unless parallelism.dp
 * is given, then calls plg_plan_check(). If the world size, the degrees or the rank order
 * change, a placement by hand is reset to the order. */
gboolean plg_settings_apply (PlgPlan *plan,
                             const PlgCatalogue *catalogue,
                             const char *const *assignments,
                             GError **error);

G_END_DECLS
