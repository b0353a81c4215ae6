/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "drawing/cluster/cluster-drawing.h"

G_BEGIN_DECLS

/* The fills and the text of GPU cells. A tag such as "p3" expresses the fill of a cell as text.
 * If GPUs are too small for text, the tags are written on whole rows of GPUs. */

#define PLG_CLUSTER_TILE_PAD 7.0
/* The minimum text size of tags and of node numbers [pixels on screen, points in files]. */
#define PLG_CLUSTER_MIN_TAG 5.5
#define PLG_CLUSTER_MIN_NODE_NUMBER 6.5
/* How far the baseline of text on a row of GPUs is below the middle of the row, as a share of
 * the text size. */
#define PLG_CLUSTER_ROW_BASELINE 0.36

/* The properties that all cells of a picture share. */
typedef struct
{
  PlgClusterDrawing *drawing;
  PlgAxis axis;        /* the axis whose groups the fill shows; PP if the fill shows the stages */
  gboolean is_single;  /* whether the picture shows the groups of only one axis */
  gboolean two_lines;  /* whether the coordinates need two lines because they do not fit to the
                          right of the rank */
  gboolean is_stacked; /* whether all coordinates are on one line below the rank because two
                          lines do not fit to its right */
  double rank_size, coordinate_size;
  double lone_size; /* text size of a rank that is alone on its line or has its tag next to it */
  gboolean has_tags_beside, has_tags_below;
  double below_size;    /* text size of a rank and of the tag below it */
  double row_tag_width; /* width of the widest tag of a row, measured at a text size of 1 point */
  int n_swatches;
  PlgSwatch *swatches[2]; /* strong swatches in [0] and pale swatches in [1], one per group of
                             AXIS */
  PlgSwatch neutral;
  PlgSwatch *snapshot_swatches; /* swatch of each stage for its activity at the moment shown;
                                   NULL if the whole step is shown */
  /* for each GPU, the axes that have a strong outline around it, as bits 1 << PlgAxis; NULL if
   * there are no strong outlines or if rows of GPUs have no text */
  guint8 *outlined;
} PlgClusterCells;

void plg_cluster_add_gpus (PlgClusterDrawing *drawing);

PlgClusterCells *plg_cluster_cells_new (PlgClusterDrawing *drawing) G_GNUC_WARN_UNUSED_RESULT;
void plg_cluster_cells_free (PlgClusterCells *cells);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (PlgClusterCells, plg_cluster_cells_free)
/* Returns the colours of GPU before dimming. plg_cluster_cells_fill() returns the fill after
 * dimming. */
PlgSwatch plg_cluster_cells_swatch (const PlgClusterCells *cells, int gpu);
PlgColor plg_cluster_cells_fill (const PlgClusterCells *cells, int gpu);
/* Returns the colour of text on GPU. */
PlgColor plg_cluster_cells_text_color (const PlgClusterCells *cells, int gpu);

/* Returns whether SHOW selects a single axis. Sets AXIS to this axis, or to PP if SHOW selects
 * no single axis. */
gboolean plg_cluster_single_axis (PlgShow show, PlgAxis *axis);
/* Writes the letters of GROUP, for example "B" or "AC", to TEXT, which must have room for 8
 * bytes. Returns a pointer to the first letter, which may be in the middle of TEXT. */
const char *plg_cluster_group_letters (int group, char *text);
/* Returns the memory of a GPU of STAGE, or NULL if the report does not contain STAGE. */
const PlgStageMemory *plg_cluster_stage_memory (const PlgClusterDrawing *drawing, int stage);
/* Returns the share of its memory that a GPU of STAGE uses; 0 if the share is not known. */
double plg_cluster_memory_share (const PlgClusterDrawing *drawing, int stage);
PlgSwatch plg_cluster_memory_swatch (const PlgTheme *theme, double share);
/* Returns an explanation of the letters in coordinates, for example "t p d: index in TP, PP,
 * DP", or NULL if no letters are shown. */
const char *plg_cluster_coordinate_note (const PlgClusterDrawing *drawing);
/* Returns whether text is so large that a cell has room only for its rank. */
gboolean plg_cluster_has_large_texts (const PlgClusterDrawing *drawing);
/* Returns whether coordinates are placed below the rank because they do not fit to its right. */
gboolean plg_cluster_has_stacked_texts (PlgClusterDrawing *drawing);

gboolean plg_cluster_cells_need_two_lines (const PlgClusterDrawing *drawing);
void plg_cluster_cells_size_tags (PlgClusterCells *cells);
/* Returns the width of the widest tag of all cells, measured at a text size of 1 point; 0 if
 * there are no tags. */
double plg_cluster_cells_widest_tag (const PlgClusterCells *cells, gboolean is_bold);
/* plg_cluster_cells_tag:
 * @at: the coordinate of @rank
 *
 * Makes the tag of a cell, which expresses the meaning of the cell's fill without colours: for
 * example "p3" for its stage, "d0" for its replica, "AC" for its group, "F 12" for its activity,
 * or its memory in GiB.
 *
 * Returns: (transfer full) (nullable): the tag, or %NULL if it would be the same for all cells */
char *plg_cluster_cells_tag (const PlgClusterCells *cells, int rank, const PlgCoordinate *at);
/* plg_cluster_cells_tag_range:
 * @first: the first GPU
 * @n: number of GPUs
 * @is_brief: whether a long range is broken into two lines
 * @to: (out) (optional): the second line of a long range, for example "p3"
 *
 * Makes the common tag of a run of GPUs: for example "p3" if all have the same tag, "p0–p3" for
 * a range, "p0–" for the first line of a long range, or "F B" if the cells show activities.
 *
 * Returns: (transfer full) (nullable): the tag, or %NULL if the GPUs have no tags */
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
/* Returns whether cells have a bar that shows their memory. Cells have no bar if a tag takes its
 * place, or if the picture shows one moment of the step, because the bar would then cover the
 * colour of the activity. */
gboolean plg_cluster_cells_have_bars (const PlgClusterCells *cells);

/* Adds text to the rows of NODE if its GPUs are too small for text. */
void plg_cluster_cells_add_row_texts (const PlgClusterCells *cells, int node);
/* Returns whether GPUs are too small for text of their own, but each run of GPUs with the same
 * fill has room for its tag. While the picture shows one moment of the step, the tag contains
 * the micro-batch number, for example "F 12". */
gboolean plg_cluster_rows_have_tags (PlgClusterDrawing *drawing);
/* Returns the text size on rows of small GPUs [points]: the usual size, but at most SHARE times
 * the tile's height. plg_cluster_tag_height() returns the text size of tags [points]. */
double plg_cluster_row_text_size (const PlgClusterDrawing *drawing, double share);
double plg_cluster_tag_height (const PlgClusterDrawing *drawing);
/* Returns how far the text of a row extends below its GPUs [points]; 0 if each GPU has its own
 * text. */
double plg_cluster_tag_depth (const PlgClusterDrawing *drawing);
/* Returns whether the node numbers are placed next to the nodes in a zoomed-out view. */
gboolean plg_cluster_has_node_numbers (const PlgClusterDrawing *drawing);
/* Returns the text size at which the longest node number fits next to the nodes [points]. */
double plg_cluster_node_number_size (const PlgClusterLayout *layout);

G_END_DECLS
