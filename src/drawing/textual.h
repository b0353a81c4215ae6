/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "drawing/figure.h"

G_BEGIN_DECLS

/* Lines are no longer than this, for tickets and mail. */
#define PLG_TEXTUAL_WIDTH 100

/* A picture in letters of one width, for a ticket. The picture of the cluster becomes a table of
 * its nodes with each GPU's rank and place on the axes, after the numbers that matter; of other
 * pictures, or where PLAN or REPORT is NULL, the texts stand about where they stand in the figure.
 * The same input gives the same bytes. g_free(). */
char *plg_textual_write (const PlgFigure *figure, const PlgPlan *plan, const PlgReport *report);

G_END_DECLS
