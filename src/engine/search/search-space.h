/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "plan/catalogue.h"
#include "plan/plan.h"

G_BEGIN_DECLS

/* The set of plans that a search tries. A space starts as all legal values of the keys below,
 * with every other setting as in one plan. People then hold keys fixed or list their values. */

/* The keys that every space varies. DP always follows from the world size and the other degrees. */
typedef enum
{
  PLG_SEARCH_TP,
  PLG_SEARCH_CP,
  PLG_SEARCH_EP,
  PLG_SEARCH_ETP,
  PLG_SEARCH_PP,
  PLG_SEARCH_DP,
  PLG_SEARCH_ORDER,
  PLG_SEARCH_MICRO_BATCH,
  PLG_SEARCH_SCHEDULE,
  PLG_SEARCH_CHUNKS,
  PLG_SEARCH_RECOMPUTE,
  PLG_SEARCH_ZERO,
  PLG_SEARCH_SEQUENCE,
  PLG_SEARCH_REPLICATE,
} PlgSearchKey;
#define PLG_N_SEARCH_KEYS 14

/* The number of nesting orders: permutations of TP, CP, PP and DP. */
#define PLG_N_ORDERS 24

/* The largest number of base plans, which are the combinations of all other varied keys. */
#define PLG_MAX_SEARCH_BASES 4096

/* The values that distinguish the plans of a space with the same base plan. */
typedef struct
{
  int base; /* index in the base plans of the space */
  int tp;
  int cp;
  int ep;
  int etp;
  int pp;
  int replicate;
  int chunks;
  int micro_batch;
  guint8 order; /* index for plg_search_order() */
  guint8 schedule;
  guint8 recompute;
  guint8 zero;
  guint8 sequence;
} PlgSearchPoint;

typedef struct
{
  GPtrArray *bases;      /* PlgPlan, owned; one for each combination of the other varied keys. Each
                       passes plg_plan_check_values(). */
  GPtrArray *other_keys; /* const PlgSetting, the varied keys besides PlgSearchKey */
  GArray *allowed[PLG_N_SEARCH_KEYS]; /* ints; NULL for all legal values */
} PlgSearchSpace;

/* plg_search_space_new:
 * @plan: a plan that passes plg_plan_check_values(); its degrees, batch and schedule need not be
 *   legal
 *
 * Creates the space of all plans that differ from @plan only in the keys of PlgSearchKey. A
 * placement by hand is reset to the nesting order, and layers that were set by hand are kept only
 * with the same PP. All plans of the space run the kernels of @plan, so that no plan seems faster
 * merely because its ZeRO stage implies another program.
 *
 * Returns: (transfer full): the space */
PlgSearchSpace *plg_search_space_new (const PlgPlan *plan) G_GNUC_WARN_UNUSED_RESULT;
/* Frees SPACE, which may be NULL. */
void plg_search_space_free (PlgSearchSpace *space);

/* plg_search_space_vary:
 * @catalogue: (nullable): the catalogue, required if a key is the name of a GPU, node or model
 * @text: "KEY" for all legal values, or "KEY=V1,V2,…"; a value "A..B" stands for all integers from
 *   A to B, and at most %PLG_MAX_SEARCH_BASES of them
 *
 * Sets the values of a key of PlgSearchKey, or varies any other setting.
 *
 * Returns: %FALSE with @error, an error of %PLG_PLAN_ERROR, if the key is unknown, a value is out
 *   of its range or gives no valid plan with any combination of the other values, or there are more
 *   than %PLG_MAX_SEARCH_BASES combinations; @space is then unchanged */
gboolean plg_search_space_vary (PlgSearchSpace *space,
                                const PlgCatalogue *catalogue,
                                const char *text,
                                GError **error);
/* Holds KEY at the value of the plan. Returns FALSE with ERROR, an error of PLG_PLAN_ERROR, if a
 * search does not vary KEY. */
gboolean plg_search_space_keep (PlgSearchSpace *space, const char *key, GError **error);

/* plg_search_space_explain:
 *
 * Explains why no plan of @space is legal: names a key whose listed values all fail with any values
 * of the other keys, or otherwise a combination of listed values that fails.
 *
 * Returns: (transfer full): an error of %PLG_PLAN_ERROR with the reason and the remedy */
GError *plg_search_space_explain (const PlgSearchSpace *space) G_GNUC_WARN_UNUSED_RESULT;

/* Returns TRUE if VALUE is among the values of KEY. */
gboolean plg_search_space_allows (const PlgSearchSpace *space, PlgSearchKey key, int value);
/* Stores the values to try for KEY in VALUES, an array of int: the listed values, or the divisors
 * of N in ascending order. */
void plg_search_space_list (const PlgSearchSpace *space, PlgSearchKey key, int n, GArray *values);
/* Returns the setting of KEY, for example "parallelism.tp". */
const char *plg_search_key_setting (PlgSearchKey key);

/* Returns the nesting order with this index, 0 .. PLG_N_ORDERS - 1. */
const PlgAxis *plg_search_order (int index);
/* Returns the index of ORDER, which contains all nested axes. */
int plg_search_order_index (const PlgAxis *order);

/* Sets PLAN, a copy of the base plan of POINT, to POINT. Skips the settings that all plans of the
 * base have in common, so it is fast enough for the inner loop of a search. */
void plg_search_space_set (const PlgSearchSpace *space, const PlgSearchPoint *point, PlgPlan *plan);
/* Returns the plan at POINT for people to open. Free with plg_plan_free(). */
PlgPlan *plg_search_space_plan (const PlgSearchSpace *space,
                                const PlgSearchPoint *point) G_GNUC_WARN_UNUSED_RESULT;

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PlgSearchSpace, plg_search_space_free)

G_END_DECLS
