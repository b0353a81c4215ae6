/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "drawing/grid.h"

#include "plan/quantity.h"

#include <glib/gi18n-lib.h>

void
plg_grid_add_fault_mark (PlgGrid *grid, double x, double y, double size, double rate)
{
  PlgColor color = grid->theme->role[PLG_ROLE_TEXT];
  const PlgPoint up[] = { { x - size, y + size }, { x + size, y - size } };
  const PlgPoint down[] = { { x - size, y - size }, { x + size, y + size } };

  plg_figure_path (grid->figure, up, 2, color, 1.4);
  if (rate <= 0.0)
    plg_figure_path (grid->figure, down, 2, color, 1.4);
}

static void
add_entry (PlgGrid *grid, PlgLegend *legend, double rate, const char *name)
{
  PlgRect line;

  plg_legend_line (legend, grid->theme->role[PLG_ROLE_TEXT_DIM], 2, TRUE, FALSE, name);
  /* Behind the line there is its name. */
  line = plg_figure_shape (grid->figure, plg_figure_n_shapes (grid->figure) - 2)->rect;
  plg_grid_add_fault_mark (grid, line.x + line.width / 2, line.y + line.height / 2, 3.5, rate);
}

/* "slow link, at 50 %", or from the slowest to the fastest of them. */
static char *
slow_in_words (double least, double most)
{
  g_autofree char *from = plg_format_number (100.0 * least, 3);
  g_autofree char *to = plg_format_number (100.0 * most, 3);

  return least < most ? g_strdup_printf (_ ("slow link, at %s to %s %%"), from, to)
                      : g_strdup_printf (_ ("slow link, at %s %%"), from);
}

void
plg_grid_add_fault_legend (PlgGrid *grid, PlgLegend *legend)
{
  const PlgCluster *cluster = &grid->plan->cluster;
  double least = 1.0, most = 0.0;
  gboolean has_failed = FALSE;

  for (int i = 0; i < cluster->n_faults; i++)
    {
      double rate = cluster->faults[i].rate;

      if (cluster->faults[i].kind == PLG_FAULT_GPU || rate >= 1.0)
        continue;
      has_failed |= rate <= 0.0;
      least = rate > 0.0 ? MIN (least, rate) : least;
      most = MAX (most, rate);
    }
  if (has_failed || most > 0.0)
    plg_legend_space (legend);
  if (has_failed)
    add_entry (grid, legend, 0.0, _ ("failed link"));
  if (most > 0.0)
    {
      g_autofree char *words = slow_in_words (least, most);

      add_entry (grid, legend, most, words);
    }
}
