/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "plan/parallelism.h"

G_BEGIN_DECLS

/* The rank orders of well-known programs. parallelism.order accepts the names of these programs,
 * and a menu in the nesting row offers them. */
typedef struct
{
  const char *name;                 /* value of parallelism.order, for example "megatron" */
  const char *title;                /* name of a product or a flag; not translated */
  PlgAxis order[PLG_N_NESTED_AXES]; /* innermost first; CP follows TP if the program has no CP */
  const char *reason;               /* one sentence, marked with N_() */
  const char *source;               /* file or paper that defines the order */
} PlgOrderPreset;

const PlgOrderPreset *plg_order_presets (int *n);
/* Returns the preset with this name, or NULL if there is none. */
const PlgOrderPreset *plg_order_preset_find (const char *name);
/* Returns "megatron, torchtitan, …"; free with g_free(). */
char *plg_order_preset_names (void);
/* Returns TRUE if PARALLELISM has the nesting order of PRESET. The position of an axis with
 * degree 1 does not matter. */
gboolean plg_order_preset_is_used (const PlgOrderPreset *preset, const PlgParallelism *parallelism);
/* Returns TRUE if PARALLELISM has the nesting order ORDER, which contains all nested axes. The
 * position of an axis with degree 1 does not matter. */
gboolean plg_order_is_used (const PlgAxis *order, const PlgParallelism *parallelism);

G_END_DECLS
