/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "drawing/figure/pictures.h"
#include "sample.h"

/* A plan, its report and how they are to be drawn. */
typedef struct
{
  PlgPlan *plan;
  PlgReport *report;
  PlgTheme theme;
  PlgPictureOptions options;
  PlgEntity highlighted[4];
} Case;

void case_init (Case *c, const Sample *sample);
void case_clear (Case *c);
PlgFigure *draw (const Case *c, PlgPicture picture);
/* Adds WHAT to what is lit. */
void highlight (Case *c, PlgEntity what);

/* Where things lie in files. */
PlgRect natural_gpu (const PlgPlan *plan, int gpu);
PlgRect natural_node (const PlgPlan *plan, int node);
/* The GPU that is nearest. */
int natural_near (const PlgPlan *plan, double x, double y);

PlgEntity entity (PlgEntityKind kind, int index);
PlgEntity axis_entity (PlgEntityKind kind, PlgAxis axis, int index);

/* The first shape that stands for WHAT, never NULL, and the first text that is TEXT, or NULL. */
const PlgShape *shape_of (const PlgFigure *figure, PlgEntity what);
const PlgShape *find_text (const PlgFigure *figure, const char *text);

/* Ink, without the room for accents above and tails below that lines of text leave. */
PlgRect ink (const PlgShape *text);
gboolean same_color (PlgColor a, PlgColor b);
