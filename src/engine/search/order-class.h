/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "engine/search/search-space.h"

G_BEGIN_DECLS

/* Nesting orders that place all groups alike, so that all figures are equal. Private to this
 * folder. */
typedef struct
{
  int order; /* the order that stands for the class; index for plg_search_order() */
  int n;
  double shortest; /* lower bound of the step time [s]; 0 until the search computes it */
} PlgOrderClass;

/* Lists the orders of SPACE in CLASSES, one for each group of orders that differ only in the
 * position of axes with degree 1 in PARALLELISM. Starts with the order of BASE, which then stands
 * for its class. */
void plg_order_classes_list (GArray *classes,
                             const PlgSearchSpace *space,
                             const PlgPlan *base,
                             const PlgParallelism *parallelism);
/* Joins the listed classes that place all groups of PLAN alike. A fault slows only the groups that
 * use the faulty part, so no classes are joined in a cluster with faults. Changes the order of
 * PLAN. */
void plg_order_classes_join (GArray *classes, PlgPlan *plan);

G_END_DECLS
