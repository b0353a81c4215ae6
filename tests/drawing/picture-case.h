/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "drawing/figure/pictures.h"
#include "sample.h"

/* A plan, its report and the drawing options. */
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
/* Adds WHAT to the highlighted entities. */
void highlight (Case *c, PlgEntity what);

/* Return the places of a GPU and of a node in files. */
PlgRect natural_gpu (const PlgPlan *plan, int gpu);
PlgRect natural_node (const PlgPlan *plan, int node);
/* Returns the nearest GPU. */
int natural_near (const PlgPlan *plan, double x, double y);

PlgEntity entity (PlgEntityKind kind, int index);
PlgEntity axis_entity (PlgEntityKind kind, PlgAxis axis, int index);

/* Return the first shape for WHAT, never NULL, and the first text equal to TEXT, or NULL. */
const PlgShape *shape_of (const PlgFigure *figure, PlgEntity what);
const PlgShape *find_text (const PlgFigure *figure, const char *text);

/* Returns the area of the letters of a text, without the space for accents above and descenders
 * below. */
PlgRect ink (const PlgShape *text);
gboolean same_color (PlgColor a, PlgColor b);
