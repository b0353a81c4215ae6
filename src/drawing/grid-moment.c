/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "drawing/grid.h"

/* The picture at one second of the step, where the options ask for one. */
void
plg_grid_set_moment (PlgGrid *grid)
{
  if (!grid->options->has_moment || !plg_grid_is_ranked (grid->plan))
    return;
  grid->moment = plg_moment_new (grid->plan, grid->report, grid->options->moment);
  if (grid->moment == NULL)
    return;
  grid->running_link = g_new0 (guint8, grid->report->links->len);
  plg_moment_links (grid->moment, grid->plan, grid->report, grid->running_link);
}

const PlgStageMoment *
plg_grid_moment_of (const PlgGrid *grid, int stage)
{
  if (grid->moment == NULL || stage < 0 || stage >= grid->moment->n_stages)
    return NULL;
  return &grid->moment->stages[stage];
}

gboolean
plg_grid_axis_runs (const PlgGrid *grid, PlgAxis axis, int rank)
{
  PlgCoordinate at = plg_rank_coordinate (&grid->plan->parallelism, rank);
  const PlgStageMoment *moment = plg_grid_moment_of (grid, at.index[PLG_AXIS_PP]);

  if (moment == NULL)
    return TRUE;
  for (guint i = 0; i < grid->report->collectives->len && i < 32; i++)
    if ((moment->running & (1u << i)) != 0 &&
        g_array_index (grid->report->collectives, PlgCollective, i).axis == axis)
      return TRUE;
  return FALSE;
}

gboolean
plg_grid_link_runs (const PlgGrid *grid, int link)
{
  return grid->running_link == NULL || (link >= 0 && grid->running_link[link]);
}

/* "F 12", "S", "–": the letter, and the micro-batch where there is one. */
char *
plg_grid_activity_text (const PlgGrid *grid, const PlgStageMoment *moment)
{
  const char *letter = plg_activity_letter (moment->activity);

  if (moment->block < 0)
    return g_strdup (letter);
  return g_strdup_printf ("%s\u00a0%d", letter,
                          g_array_index (grid->report->blocks, PlgBlock, moment->block)
                              .micro_batch);
}

const char *
plg_grid_activity_title (const PlgGrid *grid, const PlgStageMoment *moment)
{
  const char *title = plg_activity_title (moment->activity);

  if (moment->block < 0)
    return title;
  return plg_figure_string (grid->figure, "%s %d", title,
                            g_array_index (grid->report->blocks, PlgBlock, moment->block)
                                .micro_batch);
}
