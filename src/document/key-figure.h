/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "document/lesson-run.h"

G_BEGIN_DECLS

/* The one number that matters, as a presentation shows it. */
typedef struct
{
  char *title;        /* "MFU", "Memory, of 80 GiB" */
  char *text;         /* "37.5 %"; while a prediction hides it, when it will be shown */
  double share;       /* of a whole, may be more than 1; NaN where it is none, or hidden */
  gboolean is_hidden; /* a question is open that hides it */
  char *verdict;  /* "does not fit: 93.2 GiB of 79.6 GiB"; "fits" of the memory alone, or NULL */
  gboolean fails; /* the verdict is that it does not fit */
} PlgKeyFigure;

/* What is to be reached where a goal is open, what the question of the step asks for, or what the
 * cluster is coloured for. RUN may be NULL: no lesson. plg_key_figure_clear(). */
PlgKeyFigure plg_key_figure (PlgDocument *document, PlgLessonRun *run);
void plg_key_figure_clear (PlgKeyFigure *headline);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (PlgKeyFigure, plg_key_figure_clear)

G_END_DECLS
