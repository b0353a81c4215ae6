/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "plan/catalogue.h"
#include "plan/plan-check.h"

G_BEGIN_DECLS

/* One table of all keys ("training.micro-batch"): the command line's --set, the attributes of the
 * plan file, the ranges of the inspector and the messages are made from it. */
typedef enum
{
  PLG_SETTING_INTEGER,
  PLG_SETTING_NUMBER,
  PLG_SETTING_BOOLEAN,
  PLG_SETTING_CHOICE,
  PLG_SETTING_NAME, /* of the catalogue: sets other keys as well */
  PLG_SETTING_ORDER,
  PLG_SETTING_FAULTS,
  PLG_SETTING_NODE_NAMES,
} PlgSettingKind;

typedef struct
{
  const char *key; /* "cluster.nodes" */
  PlgSettingKind kind;
  gsize offset;   /* in PlgPlan */
  double minimum; /* in UNIT */
  double maximum;
  double scale;               /* member value = UNIT value x scale */
  const char *unit;           /* "GB/s", "GiB", "TFLOP/s", NULL */
  const char *const *choices; /* names in the order of the enum, NULL-terminated */
  const char *title;          /* N_(): the row in the inspector */
  const char *help;           /* N_(): one sentence */
  const int *values;          /* the enum's value of each choice; NULL: 0, 1, 2, … */
} PlgSetting;

const PlgSetting *plg_settings (int *n);
const PlgSetting *plg_setting_find (const char *key);
/* Whether KEY is one of KEYS, of which "training.*" is all of training. */
gboolean plg_setting_is_among (const char *key, const char *const *keys);

/* The value as text, as --set takes it and the plan file keeps it; numbers print so that reading
 * them gives the same value. Free with g_free(). */
char *plg_setting_get (const PlgSetting *setting, const PlgPlan *plan);
/* In the setting's unit; 0 or 1 of a boolean, the place in CHOICES of a choice (-1: none of them),
 * 0 of names and orders. */
double plg_setting_get_number (const PlgSetting *setting, const PlgPlan *plan);

/* Sets one key from text, checking its own range only; the plan as a whole may be inconsistent
 * afterwards (call plg_plan_check()). CATALOGUE may be NULL unless the kind is NAME. An unknown
 * key or a value out of range is an error that names the allowed ones.
 *
 * A name sets all that the catalogue says of it; "custom" changes only the name. Keys after it
 * change single values and leave the name, which then says what the plan is based on. A GPU that
 * the node is not sold with makes the node "custom"; its fabric comes along. */
gboolean plg_setting_set (PlgPlan *plan,
                          const PlgCatalogue *catalogue,
                          const char *key,
                          const char *value,
                          GError **error);
/* The same of ASSIGNMENT, "KEY=VALUE". */
gboolean plg_setting_assign (PlgPlan *plan,
                             const PlgCatalogue *catalogue,
                             const char *assignment,
                             GError **error);

/* Whether KEY is among ASSIGNMENTS, "KEY=VALUE" each; NULL are none. */
gboolean plg_settings_have_key (const char *const *assignments, const char *key);

/* Several "KEY=VALUE" in order. The plan as a whole may be inconsistent afterwards, as above; it
 * stays as it was when this fails.
 *
 * What would contradict the keys given follows them, unless it is given too: schedule and chunks
 * (chunks above 1 make 1F1B interleaved, interleaved alone has 2 chunks, another schedule 1), the
 * precision where another GPU cannot compute in the plan's (FP8, BF16, FP16, FP32, in this order),
 * EP and ETP where another model is dense, layers counted by hand (none any more) where PP or the
 * number of layers changes, the faults of what is no longer there, and the map of a node where the
 * nodes become others. */
gboolean plg_settings_assign (PlgPlan *plan,
                              const PlgCatalogue *catalogue,
                              const char *const *assignments,
                              GError **error);
/* The same, then DP from the world size unless parallelism.dp was among them, then
 * plg_plan_check(). A change of the world size, the degrees or how ranks are numbered puts a
 * hand-made placement back to the order. */
gboolean plg_settings_apply (PlgPlan *plan,
                             const PlgCatalogue *catalogue,
                             const char *const *assignments,
                             GError **error);

G_END_DECLS
