/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "drawing/cluster/cluster-drawing.h"

#include "drawing/cluster/cluster-highlight.h"
#include "drawing/cluster/cluster-snapshot.h"

static void
find_ranks (PlgClusterDrawing *drawing)
{
  drawing->rank_of_gpu = g_new (int, drawing->gpus);
  if (plg_cluster_layout_is_ranked (drawing->plan))
    plg_placement_invert (&drawing->plan->placement, drawing->gpus, drawing->rank_of_gpu);
  else
    for (int gpu = 0; gpu < drawing->gpus; gpu++)
      drawing->rank_of_gpu[gpu] = -1;
}

void
plg_cluster_drawing_init (PlgClusterDrawing *drawing,
                          const PlgPlan *plan,
                          const PlgReport *report,
                          const PlgTheme *theme,
                          const PlgPictureOptions *options)
{
  const PlgReport *other = options->same_scale, *kept = options->kept_scale;

  *drawing = (PlgClusterDrawing) {
    .plan = plan,
    .report = report,
    .theme = theme,
    .options = options,
    .layout = plg_cluster_layout_with_rows (plan, options->zoom, options->nodes.first,
                                            options->nodes.n, options->row_gpus),
  };
  drawing->gpus = drawing->layout.nodes * drawing->layout.gpus_per_node;
  drawing->figure = plg_figure_new (drawing->layout.width, drawing->layout.height);
  if (plg_cluster_is_without_ids (drawing))
    plg_figure_disable_groups (drawing->figure);

  /* If two reports are compared, use the scale with the higher maximum for both. Only the maxima
   * are compared, because scales of calls and times have a fixed minimum, and scales of bytes
   * always cover the same number of decades. */
  drawing->scale = kept != NULL ? plg_link_scale_keep (kept, report, options->link_color)
                                : plg_link_scale (report, options->link_color);
  drawing->widths = kept != NULL ? plg_link_widths_keep (kept, report) : plg_link_widths (report);
  if (other != NULL)
    {
      PlgLinkScale scale = plg_link_scale (other, options->link_color);

      if (scale.maximum > drawing->scale.maximum)
        drawing->scale = scale;
      drawing->widths.top = MAX (drawing->widths.top, plg_link_widths (other).top);
    }
  if (plg_cluster_is_small (drawing))
    drawing->widths.scale = 0.6;
  find_ranks (drawing);
  plg_cluster_highlight (drawing);
  plg_cluster_highlight_selected (drawing);
  plg_cluster_set_snapshot (drawing);
}

void
plg_cluster_drawing_clear (PlgClusterDrawing *drawing)
{
  g_free (drawing->rank_of_gpu);
  g_free (drawing->highlighted_gpu);
  g_free (drawing->highlighted_link);
  g_free (drawing->active_link);
  g_clear_pointer (&drawing->tabs, g_array_unref);
  plg_snapshot_free (drawing->moment);
}

gboolean
plg_cluster_is_small (const PlgClusterDrawing *drawing)
{
  return drawing->layout.is_small;
}

gboolean
plg_cluster_has_low_detail (const PlgClusterDrawing *drawing)
{
  return drawing->options->zoom > 0 && drawing->layout.detail != PLG_CLUSTER_DETAIL_FULL;
}

gboolean
plg_cluster_is_without_ids (const PlgClusterDrawing *drawing)
{
  return drawing->options->without_ids;
}

double
plg_cluster_legible_length (const PlgClusterDrawing *drawing, double points, double most)
{
  return MAX (points, MIN (points * drawing->layout.points_per_pixel, most));
}

double
plg_cluster_min_text_size (const PlgClusterDrawing *drawing)
{
  return drawing->options->zoom > 0 ? drawing->options->min_text_size / drawing->options->zoom : 0;
}

gboolean
plg_cluster_shows_node (const PlgClusterDrawing *drawing, int node)
{
  return plg_cluster_layout_shows (&drawing->layout, node, drawing->options->visible);
}

gboolean
plg_cluster_is_highlighted_in (const PlgPlan *plan,
                               const PlgReport *report,
                               const PlgPictureOptions *options,
                               PlgRect part)
{
  PlgClusterDrawing drawing = { .plan = plan,
                                .report = report,
                                .options = options,
                                .layout = plg_cluster_layout_on_screen (plan, 1),
                                .gpus = plg_cluster_gpus (&plan->cluster) };
  gboolean is_any_highlighted = FALSE, is_in_part = FALSE;

  if (options->n_highlighted == 0)
    return TRUE;
  find_ranks (&drawing);
  plg_cluster_highlight (&drawing);
  for (int gpu = 0; drawing.highlighted_gpu != NULL && gpu < drawing.gpus && !is_in_part; gpu++)
    if (drawing.highlighted_gpu[gpu])
      {
        PlgRect tile = plg_cluster_layout_gpu (&drawing.layout, gpu);

        is_any_highlighted = TRUE;
        is_in_part = tile.x < part.x + part.width && part.x < tile.x + tile.width &&
                     tile.y < part.y + part.height && part.y < tile.y + tile.height;
      }
  plg_cluster_drawing_clear (&drawing);
  return is_in_part || !is_any_highlighted;
}
