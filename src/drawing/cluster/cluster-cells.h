/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "drawing/cluster/cluster-drawing.h"

G_BEGIN_DECLS

/* The cells of GPUs while they are made; only the files grid-cell*.c, grid-rows.c,
 * grid-spans.c and grid-racks.c use this. */

#define PLG_CLUSTER_TILE_PAD 7.0

/* What all cells of a picture share. */
struct _PlgClusterCells
{
  PlgClusterDrawing *drawing;
  PlgAxis axis;        /* whose groups the fill shows; PP where it shows stages */
  gboolean is_single;  /* one axis alone */
  gboolean two_lines;  /* the coordinates do not fit beside the rank */
  gboolean is_stacked; /* nor do two lines of them: all but the rank stands below it */
  double rank_size, coordinate_size;
  double lone_size; /* of a rank that has its line to itself, or with its tag */
  gboolean has_tags_beside, has_tags_below;
  double below_size;    /* of a rank and the tag below it */
  double row_tag_width; /* of the widest tag that a row can have, for texts of 1 point */
  int n_swatches;
  PlgSwatch *swatches[2]; /* of each group, strong and pale */
  PlgSwatch neutral;
  PlgSwatch *snapshot_swatches; /* of each stage at a moment, else NULL */
  guint8 *outlined; /* the axes that outline each GPU, where rows have texts; else NULL */
};

/* grid-cells.c: "B", "AC": the letters of GROUP, written to TEXT; the memory of a GPU of STAGE, or
 * NULL. */
const char *plg_cluster_group_letters (int group, char *text);
const PlgStageMemory *plg_cluster_stage_memory (const PlgClusterDrawing *drawing, int stage);

/* The colour of texts on GPU. */
PlgColor plg_cluster_cells_text_color (const PlgClusterCells *cells, int gpu);

/* grid-cell-texts.c: how texts are arranged, and then those of a cell. */
gboolean plg_cluster_cells_need_two_lines (const PlgClusterDrawing *drawing);
void plg_cluster_cells_size_tags (PlgClusterCells *cells);
/* The widest tag of all cells, for texts of 1 point; 0 where there is none. */
double plg_cluster_cells_widest_tag (const PlgClusterCells *cells, gboolean is_bold);
/* What says without colours for what the cell of RANK is filled: "p3", its stage or its replica;
 * "AC", its group; "F 12", what it does; or its GiB. NULL where that is the same for all. g_free().
 */
char *plg_cluster_cells_tag (const PlgClusterCells *cells, int rank, const PlgCoordinate *at);
/* grid-spans.c: the same of the N GPUs from FIRST on: "p3" where it is one and the same, else
 * "p0–p3", or where that is too long "p0–", and in TO, where it is not NULL, "p3" for the line
 * below; at a moment "F B". NULL where there is nothing to tell. g_free() both. */
char *plg_cluster_cells_tag_range (const PlgClusterCells *cells,
                                   int first,
                                   int n,
                                   gboolean is_brief,
                                   char **to);
void plg_cluster_cells_set_stacked (PlgClusterCells *cells);
void plg_cluster_cells_add_texts (const PlgClusterCells *cells,
                                  PlgRect tile,
                                  int rank,
                                  const PlgCoordinate *at,
                                  PlgColor color);
/* Whether cells have a bar that says how full their memory is: not where a tag is in its place. At
 * one second of the step the fill is what the GPU does, and the peak of its memory would be drawn
 * on that in its own colour. */
gboolean plg_cluster_cells_have_bars (const PlgClusterCells *cells);

G_END_DECLS
