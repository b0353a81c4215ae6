/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "drawing/figure/figure.h"
#include "engine/network/collective-steps.h"

G_BEGIN_DECLS

/* Functions that turn a plan and its report into figures. None has side effects. */

typedef enum
{
  PLG_PICTURE_CLUSTER,
  PLG_PICTURE_MEMORY,
  PLG_PICTURE_TIMELINE,
  PLG_PICTURE_MFU,
  PLG_PICTURE_LEDGER, /* the traffic of the highlighted links, or of the busiest */
  PLG_PICTURE_MATRIX, /* the bandwidth between each pair of GPUs */
  PLG_PICTURE_COLLECTIVE,
  PLG_PICTURE_SPLIT,
  PLG_PICTURE_COMPARE, /* the cluster in two nesting orders, side by side */
  PLG_PICTURE_SWEEP,   /* MFU against the number of GPUs */
} PlgPicture;
#define PLG_N_PICTURES 10

/* "cluster", "memory", "timeline", "mfu", "ledger", "matrix" … */
const char *plg_picture_name (PlgPicture picture);
const char *plg_picture_title (PlgPicture picture); /* translated */
/* Accepts the aliases "grid" and "links" for cluster and "gantt" for timeline, too. */
gboolean plg_picture_from_name (const char *name, PlgPicture *picture);

typedef enum
{
  PLG_LEGEND_OFF,
  PLG_LEGEND_BELOW,
  PLG_LEGEND_RIGHT, /* for the cluster; below in other pictures */
} PlgLegendPlace;
#define PLG_N_LEGEND_PLACES 3

const char *plg_legend_place_name (PlgLegendPlace place); /* "off", "on", "right" */

typedef struct
{
  PlgShow show;
  PlgLinkColor link_color;
  gboolean rings;          /* rings instead of links in the cluster */
  PlgMatrixQuantity pairs; /* the quantity of the matrix */
  PlgLegendPlace legend;
  gboolean handles; /* on screen only */
  double width;     /* the width to fill; 0: natural size */
  double height;    /* the height to fill; 0: natural size */
  /* The nodes that the cluster shows, or the rows of the matrix; 0 nodes: all. */
  PlgRange nodes;
  int row_gpus; /* the GPUs of a node per row of the cluster; 0: automatic */
  /* The nodes in the columns of the matrix; 0 nodes: the same as the rows. */
  PlgRange columns;
  /* The highlighted entities, borrowed; the rest of the cluster is dimmed. A group with a negative
   * index means all groups of its axis and the links that their collectives cross. The first N_PINS
   * entities are pinned for comparison and marked with numbers from 1. */
  const PlgEntity *highlighted;
  int n_highlighted;
  int n_pins;
  PlgEntity selected; /* the outlines and handles of its groups are drawn strong */
  /* Pixels per point of the cluster on the screen. Places do not depend on the zoom; texts and
   * details do. 0: natural size, with the detail that the number of GPUs allows. */
  double zoom;
  /* The visible part of the cluster with ZOOM [points]; nodes outside of it may be left out. Width
   * 0: all. */
  PlgRect visible;
  /* Leaves out the ids, classes and titles of cluster and timeline. Only files need these, and
   * making them takes longer than drawing. */
  gboolean without_ids;
  /* The least text size with ZOOM [pixels], for an audience at the back of a room. Ranks, nodes and
   * the legend have this size; texts without enough room are left out. 0: the usual sizes. */
  double min_text_size;
  /* Leaves out title, key figure and background and minimizes the margins, for a panel with its
   * own. */
  gboolean embedded;
  /* The part of the step that the timeline shows [s]. Both 0: the whole step, or as much of its
   * start as is legible in WIDTH. */
  double from;
  double to;
  /* The time in the step at which cluster and timeline are drawn [s]. GPUs then show their activity
   * and links their traffic at this time; the timeline has a cursor. */
  gboolean has_moment;
  double moment;
  /* The collective in the report, a rank of the shown group, and the number of finished steps. All
   * three are clamped to their ranges. */
  int collective;
  int rank;
  int frame;
  /* The nesting order to compare with the order of the plan; without one, PP and DP are exchanged.
   */
  gboolean has_other_order;
  PlgAxis other_order[PLG_N_NESTED_AXES];
  /* A second report that the link scales of the cluster must cover, so that two pictures can be
   * compared; borrowed, or NULL. */
  const PlgReport *same_scale;
  gboolean legend_alone; /* set by plg_cluster_legend_figure() */
  /* Shortens the entries of the legend alone and drops the least important until it has one line.
   * The height depends neither on SHOW nor on whether a step is played. */
  gboolean shorten_legend;
} PlgPictureOptions;

void plg_picture_options_init (PlgPictureOptions *options, const PlgPlan *plan);

PlgFigure *plg_picture_figure (PlgPicture picture,
                               const PlgPlan *plan,
                               const PlgReport *report,
                               const PlgTheme *theme,
                               const PlgPictureOptions *options) G_GNUC_WARN_UNUSED_RESULT;

PlgFigure *plg_cluster_figure (const PlgPlan *plan,
                               const PlgReport *report,
                               const PlgTheme *theme,
                               const PlgPictureOptions *options) G_GNUC_WARN_UNUSED_RESULT;
/* Adds the legend that OPTIONS ask for to a part of the cluster that was drawn without one. */
void plg_cluster_figure_add_legend (PlgFigure *figure,
                                    const PlgPlan *plan,
                                    const PlgReport *report,
                                    const PlgTheme *theme,
                                    const PlgPictureOptions *options);
/* Makes the legend of the cluster alone, for the screen: WIDTH pixels wide, as high as necessary,
 * with texts that are legible at any zoom in OPTIONS. */
PlgFigure *plg_cluster_legend_figure (const PlgPlan *plan,
                                      const PlgReport *report,
                                      const PlgTheme *theme,
                                      const PlgPictureOptions *options,
                                      double width) G_GNUC_WARN_UNUSED_RESULT;
PlgFigure *plg_memory_figure (const PlgPlan *plan,
                              const PlgReport *report,
                              const PlgTheme *theme,
                              const PlgPictureOptions *options) G_GNUC_WARN_UNUSED_RESULT;
PlgFigure *plg_timeline_figure (const PlgPlan *plan,
                                const PlgReport *report,
                                const PlgTheme *theme,
                                const PlgPictureOptions *options) G_GNUC_WARN_UNUSED_RESULT;
PlgFigure *plg_mfu_figure (const PlgPlan *plan,
                           const PlgReport *report,
                           const PlgTheme *theme,
                           const PlgPictureOptions *options) G_GNUC_WARN_UNUSED_RESULT;

PlgFigure *plg_ledger_figure (const PlgPlan *plan,
                              const PlgReport *report,
                              const PlgTheme *theme,
                              const PlgPictureOptions *options) G_GNUC_WARN_UNUSED_RESULT;

PlgFigure *plg_matrix_figure (const PlgPlan *plan,
                              const PlgReport *report,
                              const PlgTheme *theme,
                              const PlgPictureOptions *options) G_GNUC_WARN_UNUSED_RESULT;

PlgFigure *plg_collective_figure (const PlgPlan *plan,
                                  const PlgReport *report,
                                  const PlgTheme *theme,
                                  const PlgPictureOptions *options) G_GNUC_WARN_UNUSED_RESULT;

/* Shows how TP splits the products of an MLP, in steps 0 .. PLG_SPLIT_STEPS (the frame of OPTIONS).
 */
#define PLG_SPLIT_STEPS 4
PlgFigure *plg_split_figure (const PlgPlan *plan,
                             const PlgReport *report,
                             const PlgTheme *theme,
                             const PlgPictureOptions *options) G_GNUC_WARN_UNUSED_RESULT;
char *plg_split_describe (int step) G_GNUC_WARN_UNUSED_RESULT; /* g_free() */

PlgFigure *plg_compare_figure (const PlgPlan *plan,
                               const PlgReport *report,
                               const PlgTheme *theme,
                               const PlgPictureOptions *options) G_GNUC_WARN_UNUSED_RESULT;

/* Evaluates about twenty plans: too slow for a panel that follows the pointer. */
PlgFigure *plg_sweep_figure (const PlgPlan *plan,
                             const PlgReport *report,
                             const PlgTheme *theme,
                             const PlgPictureOptions *options) G_GNUC_WARN_UNUSED_RESULT;

/* "step 3 of 14, all-gather: whole sums are handed on". g_free() */
char *plg_collective_steps_describe (const PlgCollectiveSteps *collective_steps,
                                     int step) G_GNUC_WARN_UNUSED_RESULT;
/* "A member sends 2·(n − 1) · S/n = 14 · 16.8 MB = 235 MB, …". g_free() */
char *
plg_collective_steps_formula (const PlgCollectiveSteps *collective_steps) G_GNUC_WARN_UNUSED_RESULT;

typedef struct
{
  double from, to;    /* the shown part of the step [s] */
  double left, right; /* x of FROM and TO */
  double top, bottom; /* the edges of the stages */
} PlgTimelineSpan;
PlgTimelineSpan plg_timeline_span (const PlgPlan *plan,
                                   const PlgReport *report,
                                   const PlgTheme *theme,
                                   const PlgPictureOptions *options);

/* The places on the screen. Up to 512 GPUs, they are the same in files. */
PlgRect plg_cluster_gpu_rect (const PlgPlan *plan, int gpu);
PlgRect plg_cluster_node_rect (const PlgPlan *plan, int node);
/* Whether PART of the screen shows a highlighted GPU. TRUE if no GPU at all is highlighted: then no
 * GPU is dimmed, or only links between leaf and spine are highlighted. */
gboolean plg_cluster_is_highlighted_in (const PlgPlan *plan,
                                        const PlgReport *report,
                                        const PlgPictureOptions *options,
                                        PlgRect part);

/* The colour scale of the links: logarithmic for calls and bytes, linear for time. */
typedef struct
{
  PlgLinkColor meaning;
  double minimum;
  double maximum;
} PlgLinkScale;
PlgLinkScale plg_link_scale (const PlgReport *report, PlgLinkColor meaning);
/* Whether the quantity of the scale is known and greater than 0 for LINK. */
gboolean plg_link_scale_has_value (const PlgLinkScale *scale, const PlgLink *link);
/* The position 0..1 of LINK on the scale. */
double plg_link_scale_share (const PlgLinkScale *scale, const PlgLink *link);

/* "1 call", "13 184 calls". g_free() */
char *plg_describe_calls (double calls) G_GNUC_WARN_UNUSED_RESULT;

/* "NVLink from GPU 5 of node 2 to its switch". g_free() */
char *plg_describe_link (const PlgPlan *plan, const PlgLink *link) G_GNUC_WARN_UNUSED_RESULT;

/* plg_describe_link_groups:
 * @link: index of the link in @report
 *
 * Returns: (transfer full): the groups that cross @link: "TP 3 · DP 0, 4"; "" if no group does, or
 * if @report does not know
 */
char *plg_describe_link_groups (const PlgPlan *plan,
                                const PlgReport *report,
                                int link) G_GNUC_WARN_UNUSED_RESULT;

/* plg_describe_collective_groups:
 * @collective: index of the collective in @report
 * @link: index of the link in @report
 *
 * Returns: (transfer full) (nullable): the groups whose calls of @collective cross @link: "DP 0,
 * 4"; %NULL if no group does
 */
char *plg_describe_collective_groups (const PlgPlan *plan,
                                      const PlgReport *report,
                                      int collective,
                                      int link) G_GNUC_WARN_UNUSED_RESULT;

/* The ends of a link for a table with a column for the tier: "node 2 GPU 5", "node 2 NIC 5 → rail
 * 5". g_free() */
char *plg_describe_link_ends (const PlgPlan *plan, const PlgLink *link) G_GNUC_WARN_UNUSED_RESULT;

/* plg_describe_pair:
 * @options: (nullable): options that choose a part of the matrix; %NULL for the whole matrix
 * @index: index of the cell in that part
 *
 * Returns: (transfer full): "GPU 3 of node 0 to GPU 3 of node 2", the route and the bytes per step
 */
char *plg_describe_pair (const PlgPlan *plan,
                         const PlgReport *report,
                         const PlgPictureOptions *options,
                         int index) G_GNUC_WARN_UNUSED_RESULT;

/* Describes ENTITY in one or more lines for tooltips and panels. The index of a pair is an index in
 * the whole matrix. g_free() */
char *plg_describe_entity (const PlgPlan *plan,
                           const PlgReport *report,
                           PlgEntity entity) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
