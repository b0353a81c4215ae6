/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "drawing/grid.h"

G_BEGIN_DECLS

/* The cells of GPUs while they are made; only the files grid-cell*.c, grid-rows.c,
 * grid-spans.c and grid-racks.c use this. */

#define PLG_GRID_TILE_PAD 7.0

/* What all cells of a picture share. */
struct _PlgGridCells
{
  PlgGrid *grid;
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
  PlgSwatch *playing; /* of each stage at a moment, else NULL */
  guint8 *outlined;   /* the axes that outline each GPU, where rows have texts; else NULL */
};

/* grid-cells.c: "B", "AC": the letters of GROUP, written to TEXT; the memory of a GPU of STAGE, or
 * NULL. */
const char *plg_grid_group_letters (int group, char *text);
const PlgStageMemory *plg_grid_stage_memory (const PlgGrid *grid, int stage);

/* The colour of texts on GPU. */
PlgColor plg_grid_cells_ink (const PlgGridCells *cells, int gpu);

/* grid-cell-texts.c: how texts are arranged, and then those of a cell. */
gboolean plg_grid_cells_need_two_lines (const PlgGrid *grid);
void plg_grid_cells_size_tags (PlgGridCells *cells);
/* The widest tag of all cells, for texts of 1 point; 0 where there is none. */
double plg_grid_cells_widest_tag (const PlgGridCells *cells, gboolean is_bold);
/* What says without colours for what the cell of RANK is filled: "p3", its stage or its replica;
 * "AC", its group; "F 12", what it does; or its GiB. NULL where that is the same for all. g_free().
 */
char *plg_grid_cells_tag (const PlgGridCells *cells, int rank, const PlgCoordinate *at);
/* grid-spans.c: the same of the N GPUs from FIRST on: "p3" where it is one and the same, else
 * "p0–p3", or where that is too long "p0–", and in TO, where it is not NULL, "p3" for the line
 * below; at a moment "F B". NULL where there is nothing to tell. g_free() both. */
char *
plg_grid_cells_span (const PlgGridCells *cells, int first, int n, gboolean is_brief, char **to);
void plg_grid_cells_stack_texts (PlgGridCells *cells);
void plg_grid_cells_add_texts (const PlgGridCells *cells,
                               PlgRect tile,
                               int rank,
                               const PlgCoordinate *at,
                               PlgColor color);
/* Whether cells have a bar that says how full their memory is: not where a tag is in its place. At
 * one second of the step the fill is what the GPU does, and the peak of its memory would be drawn
 * on that in its own colour. */
gboolean plg_grid_cells_have_bars (const PlgGridCells *cells);

G_END_DECLS
