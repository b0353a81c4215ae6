/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "io/registry/registry.h"

G_BEGIN_DECLS

/* Plans for tests that write a placement and read it back. */
typedef struct
{
  const char *name;
  const char *settings[8];
  const char *moves[8]; /* "4-12": two ranks, "n0-n3": two nodes exchange places */
} PlacedPlan;

extern const PlacedPlan placed_plans[];
extern const int n_placed_plans;

PlgPlan *placed_plan (const PlacedPlan *placed, const PlgCatalogue *catalogue);
/* Returns the same design without the placement and the names of nodes, as a base for files
 * without degrees. */
PlgPlan *placed_plan_base (const PlgPlan *plan);

/* Writes PLAN in FORMAT; returns NULL with ERROR. */
char *placed_plan_write (const PlgPlan *plan, const char *format, GError **error);
/* Reads TEXT over BASE; the format that is detected must be FORMAT. Returns NULL with ERROR. */
PlgImportResult *placed_plan_read (const char *text,
                                   const char *format,
                                   const PlgPlan *base,
                                   const PlgCatalogue *catalogue,
                                   GError **error);

/* Returns whether both plans have the same nodes, degrees, groups and placement; an axis of
 * degree 1 may have any place in the order. */
gboolean placed_plan_same (const PlgPlan *a, const PlgPlan *b);

/* Invalid files and their messages. */
typedef struct
{
  const char *name;
  const char *text;
  const char *says; /* the start of the message, or NULL: the file is read */
} BrokenFile;

void
assert_broken (const BrokenFile *files, int n, const char *format, const PlgCatalogue *catalogue);

G_END_DECLS
