/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "io/registry/registry.h"

G_BEGIN_DECLS

/* Plans for what takes a placement out and in again. */
typedef struct
{
  const char *name;
  const char *settings[8];
  const char *moves[8]; /* "4-12" two ranks, "n0-n3" two nodes exchange places */
} PlacedPlan;

extern const PlacedPlan placed_plans[];
extern const int n_placed_plans;

PlgPlan *placed_plan (const PlacedPlan *placed, const PlgCatalogue *catalogue);
/* The same design without the placement and the names of nodes: what a file is read over that says
 * nothing of degrees. */
PlgPlan *placed_plan_base (const PlgPlan *plan);

/* The PLAN in the words of the FORMAT; NULL with ERROR. */
char *placed_plan_write (const PlgPlan *plan, const char *format, GError **error);
/* TEXT as FORMAT, which must be what it is taken for, reads it over BASE; NULL with ERROR. */
PlgImportResult *placed_plan_read (const char *text,
                                   const char *format,
                                   const PlgPlan *base,
                                   const PlgCatalogue *catalogue,
                                   GError **error);

/* Whether both have the same nodes, degrees, groups and placement: an axis of degree 1 may stand
 * anywhere in the order. */
gboolean placed_plan_same (const PlgPlan *a, const PlgPlan *b);

/* Files that are not right, and what is said of each. */
typedef struct
{
  const char *name;
  const char *text;
  const char *says; /* the message begins so, or NULL: it is read */
} BrokenFile;

void
assert_broken (const BrokenFile *files, int n, const char *format, const PlgCatalogue *catalogue);

G_END_DECLS
