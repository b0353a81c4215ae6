/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "drawing/figure/pictures.h"
#include "engine/search/plan-changes.h"

G_BEGIN_DECLS

/* The changes that lead from one plan to another, and the loss against the best plan. */
typedef struct
{
  const GArray *changes; /* PlgPlanChange; borrowed; not empty */
  const char *from;      /* name of the first plan; borrowed */
  const char *to;        /* name of the last plan; borrowed */
  double slower;         /* time by which the last plan is slower than the best plan [s] */
  const char *lost;      /* the change that costs the last plan most; borrowed; NULL for none */
} PlgChangesPicture;

/* plg_changes_figure:
 * @options: the width [points] and whether the figure is embedded; other options have no effect
 *
 * Draws @picture as a bar chart. Each bar leads from the step time before a change to the step
 * time after it, so the bars add up to the difference between the two plans. The axis begins at
 * the shortest step time, not at 0.
 *
 * Returns: (transfer full): the figure; its description is the text of plg_changes_text() */
PlgFigure *plg_changes_figure (const PlgChangesPicture *picture,
                               const PlgTheme *theme,
                               const PlgPictureOptions *options) G_GNUC_WARN_UNUSED_RESULT;
/* Returns PICTURE as text: a heading, the rows of plg_plan_changes_text(), and the loss against the
 * best plan. Free with g_free(). */
char *plg_changes_text (const PlgChangesPicture *picture) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
