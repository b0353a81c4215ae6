/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "plan/parallelism.h"

G_BEGIN_DECLS

/* The orders in which well-known programs number their ranks, in one table: parallelism.order takes
 * their names, and a menu beside the nesting row offers them. */
typedef struct
{
  const char *name;                 /* as parallelism.order takes it: "megatron" */
  const char *title;                /* a product's or a flag's name, not translated */
  PlgAxis order[PLG_N_NESTED_AXES]; /* innermost first; where a program has no CP, beside TP */
  const char *reason;               /* N_(): one sentence */
  const char *source;               /* where it is written down */
} PlgOrderPreset;

const PlgOrderPreset *plg_order_presets (int *n);
/* NULL where no program has that name. */
const PlgOrderPreset *plg_order_preset_find (const char *name);
/* "megatron, torchtitan, …"; g_free(). */
char *plg_order_preset_names (void);
/* Whether PARALLELISM is nested as PRESET says: axes of degree 1 may stand anywhere. */
gboolean plg_order_preset_is_used (const PlgOrderPreset *preset, const PlgParallelism *parallelism);
/* The same of ORDER, all nested axes. */
gboolean plg_order_is_used (const PlgAxis *order, const PlgParallelism *parallelism);

G_END_DECLS
