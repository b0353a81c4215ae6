/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "drawing/cluster/cluster-drawing.h"
#include "drawing/cluster/cluster-highlight.h"
#include "drawing/cluster/cluster-marks.h"

#include "engine/model/flops.h"
#include "engine/model/memory.h"
#include "plan/quantity.h"

#include <glib/gi18n-lib.h>

/* With uneven experts, one rank of each EP group receives the most tokens, and all others wait for
 * this rank. A plan does not name the rank, so the pictures mark the first one of each group. */

#define SWATCH_SIDE 12.0
/* The width of a bar in files [points], and its minimum on the screen [pixels]. */
#define BAR_WIDTH 4.5
#define MIN_PIXELS 3.0
/* Smaller loads would be shown as 1. */
#define LEAST_LOAD 1.005

static gboolean
stage_has_experts (const PlgPlan *plan, int stage)
{
  const PlgTransformer *model = &plan->model;
  PlgStageParts parts = plg_stage_parts (plan, stage);

  /* MTP layers are like the last layer of the model. */
  return parts.moe_layers > 0 ||
         (parts.mtp_layers > 0 && plg_transformer_moe_layers_before (model, model->layers) >
                                      plg_transformer_moe_layers_before (model, model->layers - 1));
}

gboolean
plg_cluster_has_fullest_ranks (const PlgPlan *plan)
{
  return plg_transformer_moe_layers (&plan->model) > 0 && plg_expert_load (plan) >= LEAST_LOAD;
}

gboolean
plg_cluster_is_rank_fullest (const PlgPlan *plan, int rank)
{
  PlgCoordinate at;

  if (rank < 0 || !plg_cluster_has_fullest_ranks (plan))
    return FALSE;
  at = plg_rank_coordinate (&plan->parallelism, rank);
  return at.index[PLG_AXIS_EP] == 0 && stage_has_experts (plan, at.index[PLG_AXIS_PP]);
}

char *
plg_cluster_load_describe (const PlgPlan *plan)
{
  g_autofree char *load = plg_format_number (plg_expert_load (plan), 3);

  return g_strdup_printf (_ ("fullest EP rank: %s times the average number of tokens"), load);
}

/* Returns the width of the bar on TILE: at least MIN_PIXELS on the screen, but at the highest level of
 * detail not as far as the rank on the tile. */
static double
bar_width (const PlgClusterDrawing *drawing, PlgRect tile)
{
  double zoom = drawing->options->zoom, width = BAR_WIDTH;

  if (zoom > 0 && drawing->layout.detail != PLG_CLUSTER_DETAIL_FULL)
    width = MAX (width, MIN_PIXELS / MIN (plg_cluster_layout_zoom_step (zoom),
                                          PLG_CLUSTER_FULL_DETAIL_ZOOM));
  return MIN (width, tile.width * 0.25);
}

/* Adds a bar along the left edge of TILE, where it does not cross the texts. */
static void
add_bar (PlgFigure *figure, PlgRect tile, double width, PlgColor fill, PlgColor edge)
{
  PlgShape *bar = plg_figure_rect (figure, tile.x, tile.y, width, tile.height, width / 3, fill);

  bar->stroke = edge;
  bar->stroke_width = MIN (1.0, width / 4);
}

void
plg_cluster_add_load_mark (PlgClusterDrawing *drawing, int gpu, gboolean highlighted)
{
  const PlgColor *role = drawing->theme->role;
  PlgRect tile = plg_cluster_layout_gpu (&drawing->layout, gpu);

  if (!plg_cluster_is_rank_fullest (drawing->plan, drawing->rank_of_gpu[gpu]))
    return;
  add_bar (drawing->figure, tile, bar_width (drawing, tile),
           plg_cluster_dim (drawing, role[PLG_ROLE_WARNING], highlighted),
           plg_cluster_dim (drawing, role[PLG_ROLE_TEXT], highlighted));
}

void
plg_cluster_add_load_legend (PlgClusterDrawing *drawing, PlgLegend *legend)
{
  const PlgColor *role = drawing->theme->role;
  g_autofree char *whole = plg_cluster_load_describe (drawing->plan);
  g_autofree char *load = plg_format_number (plg_expert_load (drawing->plan), 3);
  g_autofree char *terse = g_strdup_printf ("%s\u00a0×", load);
  const char *words = legend->brevity >= PLG_LEGEND_BREVITY_SCALE_TITLES ? terse : whole;
  PlgRect tile;

  /* Single GPUs are marked only where they are drawn. On the screen, the legend must be the same at
   * every zoom. */
  if (!plg_cluster_has_fullest_ranks (drawing->plan) || legend->brevity >= PLG_LEGEND_BREVITY_MAX ||
      (!(drawing->options->zoom > 0) && drawing->layout.detail >= PLG_CLUSTER_DETAIL_NODES))
    return;
  plg_legend_space (legend);
  plg_legend_keep (legend, SWATCH_SIDE * 1.4 + plg_text_width (words, legend->font_size, FALSE));
  tile = (PlgRect) { legend->x, legend->y - SWATCH_SIDE / 2, SWATCH_SIDE, SWATCH_SIDE };
  plg_figure_rect (drawing->figure, tile.x, tile.y, tile.width, tile.height, 2, role[PLG_ROLE_GRID])
      ->stroke = role[PLG_ROLE_TEXT_DIM];
  add_bar (drawing->figure, tile, 4.0, role[PLG_ROLE_WARNING], role[PLG_ROLE_TEXT]);
  legend->x += SWATCH_SIDE * 1.4;
  legend->has_entries = TRUE;
  plg_legend_note (legend, words);
}
