/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "document/lesson-run.h"

G_BEGIN_DECLS

/* The one number that a presentation shows. */
typedef struct
{
  char *title;        /* "MFU", "Memory, of 80 GiB" */
  char *text;         /* "37.5 %"; while a prediction hides the number, a text that says when it
                         appears */
  double share;       /* the share of a whole, possibly above 1; NaN without a whole, or when
                         hidden */
  gboolean is_hidden; /* an open question hides the number */
  char *verdict;      /* "does not fit: 93.2 GiB of 79.6 GiB"; "fits" for memory alone; or NULL */
  gboolean fails;     /* the verdict says that the plan does not fit */
} PlgKeyFigure;

/* Returns the metric of the open goal, the metric of the step's question, or the metric that
 * colours the cluster, in this order. RUN may be NULL without a lesson. Free with
 * plg_key_figure_clear(). */
PlgKeyFigure plg_key_figure (PlgDocument *document, PlgLessonRun *run);
void plg_key_figure_clear (PlgKeyFigure *headline);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (PlgKeyFigure, plg_key_figure_clear)

G_END_DECLS
