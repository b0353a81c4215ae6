/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "document/lesson-run.h"

G_BEGIN_DECLS

/* The single number that a presentation shows. */
typedef struct
{
  char *title;        /* the metric, for example "MFU" or "Memory, of 80 GiB" */
  char *text;         /* the value, for example "37.5 %"; while a prediction hides the number, a
                         text that states when the number will appear */
  double share;       /* the value as a fraction, possibly above 1; NaN if the value is not a
                         fraction or is hidden */
  gboolean is_hidden; /* whether an open question hides the number */
  char *verdict;      /* a text such as "does not fit: 93.2 GiB of 79.6 GiB" if the plan does not
                         fit; "fits" if it does and the metric is memory; otherwise NULL */
  gboolean fails;     /* whether the verdict is that the plan does not fit */
} PlgKeyFigure;

/* Returns the key figure: the metric of the open goal, otherwise the metric of the step's
 * question, otherwise the metric that colours the cluster. RUN is NULL if no lesson runs. Free
 * with plg_key_figure_clear(). */
PlgKeyFigure plg_key_figure (PlgDocument *document, PlgLessonRun *run);
void plg_key_figure_clear (PlgKeyFigure *headline);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (PlgKeyFigure, plg_key_figure_clear)

G_END_DECLS
