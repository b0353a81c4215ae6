/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "engine/evaluation.h"
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
/* Joins the listed classes that place all groups of PLAN alike, on the same faulty parts. Changes
 * the order of PLAN. Begins EVALUATIONS[I] for the I-th class that remains; the array must have
 * PLG_N_ORDERS elements. */
void plg_order_classes_join (GArray *classes, PlgPlan *plan, PlgEvaluation *evaluations);

G_END_DECLS
