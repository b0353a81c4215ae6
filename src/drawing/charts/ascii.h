/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "drawing/figure/monospace.h"
#include "drawing/figure/pictures.h"

G_BEGIN_DECLS

/* What a figure is of, and how it was asked for. All borrowed. */
typedef struct
{
  PlgPicture picture;
  const PlgPlan *plan;
  const PlgReport *report;
  const PlgPictureOptions *options;
} PlgAsciiSubject;

/* A picture in letters of one width, for a ticket. The picture of the cluster becomes a table of
 * its nodes with each GPU's rank and what the options show of it, after the numbers that matter;
 * the timeline a line of letters a stage; memory, MFU, ledgers, pairs, orders and the sweep become
 * tables, and so do one collective and the split. Of the rest, or where SUBJECT is NULL or a part
 * was cut out, the texts stand about where they stand in the figure. The same input gives the same
 * bytes. g_free(). */
char *plg_ascii_write (const PlgFigure *figure, const PlgAsciiSubject *subject);

/* textual-cluster.c: the nodes that are SHOWN, one a node. */
void plg_ascii_add_cluster (GString *out,
                            const PlgPlan *plan,
                            const PlgReport *report,
                            const PlgPictureOptions *options,
                            const gboolean *shown);
/* textual-timeline.c: FALSE, and nothing added, where the plan has too many micro-batches for a
 * schedule. */
gboolean plg_ascii_add_timeline (GString *out,
                                 const PlgPlan *plan,
                                 const PlgReport *report,
                                 const PlgPictureOptions *options);
/* "F forward, B backward …": the letters of what a step of REPORT has. */
void plg_ascii_add_activities (GString *out, const PlgReport *report);
/* textual-matrix.c, textual-compare.c; the others are in NAME-figure.c. */
void plg_ascii_add_matrix (GString *out,
                           const PlgPlan *plan,
                           const PlgReport *report,
                           const PlgPictureOptions *options);
void plg_ascii_add_compare (GString *out,
                            const PlgPlan *plan,
                            const PlgReport *report,
                            const PlgPictureOptions *options);
void plg_ascii_add_memory (GString *out,
                           const PlgPlan *plan,
                           const PlgReport *report,
                           const PlgPictureOptions *options);
void plg_ascii_add_mfu (GString *out,
                        const PlgPlan *plan,
                        const PlgReport *report,
                        const PlgPictureOptions *options);
void plg_ascii_add_ledger (GString *out,
                           const PlgPlan *plan,
                           const PlgReport *report,
                           const PlgPictureOptions *options);
void plg_ascii_add_collective (GString *out,
                               const PlgPlan *plan,
                               const PlgReport *report,
                               const PlgPictureOptions *options);
void plg_ascii_add_split (GString *out,
                          const PlgPlan *plan,
                          const PlgReport *report,
                          const PlgPictureOptions *options);
void plg_ascii_add_sweep (GString *out,
                          const PlgPlan *plan,
                          const PlgReport *report,
                          const PlgPictureOptions *options);

G_END_DECLS
