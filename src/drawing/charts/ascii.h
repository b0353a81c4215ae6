/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "drawing/figure/monospace.h"
#include "drawing/figure/pictures.h"

G_BEGIN_DECLS

/* The data and the options from which a figure was made. All pointers are borrowed. */
typedef struct
{
  PlgPicture picture;
  const PlgPlan *plan;
  const PlgReport *report;
  const PlgPictureOptions *options;
} PlgAsciiSubject;

/* plg_ascii_write:
 * @figure: the figure
 * @subject: (nullable): the data of the figure; %NULL if a part was cut out of the figure
 *
 * Writes a picture as monospace text that can be pasted into a ticket. The cluster becomes the
 * key figures and a table of nodes with the rank of each GPU; the timeline becomes a line of
 * letters per stage; the other charts become tables. Without @subject, each text is placed
 * roughly where it is in the figure. The same input always gives the same text.
 *
 * Returns: (transfer full): the text */
char *plg_ascii_write (const PlgFigure *figure, const PlgAsciiSubject *subject);

/* Adds the key figures of the plan, a table of the nodes whose entries in SHOWN are TRUE, and
 * descriptions of the stages, collectives, links, and selected or highlighted entities. SHOWN
 * has one entry per node. Defined in ascii-cluster.c. */
void plg_ascii_add_cluster (GString *out,
                            const PlgPlan *plan,
                            const PlgReport *report,
                            const PlgPictureOptions *options,
                            const gboolean *shown);
/* Adds the timeline. Returns FALSE and adds nothing if REPORT contains no blocks because the
 * schedule has too many of them, or if the time span in OPTIONS starts after the end of the
 * step. Defined in ascii-timeline.c. */
gboolean plg_ascii_add_timeline (GString *out,
                                 const PlgPlan *plan,
                                 const PlgReport *report,
                                 const PlgPictureOptions *options);
/* Adds a line that explains the letters of the activities in a step of REPORT, for example "F
 * forward, B backward …". */
void plg_ascii_add_activities (GString *out, const PlgReport *report);
/* plg_ascii_add_matrix(), plg_ascii_add_compare() and plg_ascii_add_ledger() are defined in
 * ascii-PICTURE.c. The functions for the other pictures are defined in PICTURE-figure.c. */
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
void plg_ascii_add_search (GString *out,
                           const PlgPlan *plan,
                           const PlgReport *report,
                           const PlgPictureOptions *options);

G_END_DECLS
