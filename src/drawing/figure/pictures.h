/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "drawing/figure/compared-plan.h"
#include "drawing/figure/figure.h"
#include "drawing/figure/search-picture.h"
#include "engine/network/collective-steps.h"
#include "engine/sweep.h"

G_BEGIN_DECLS

/* Functions that turn a plan and its report into figures. None of these functions has side
 * effects. */

typedef enum
{
  PLG_PICTURE_CLUSTER,
  PLG_PICTURE_MEMORY,
  PLG_PICTURE_TIMELINE,
  PLG_PICTURE_MFU,
  PLG_PICTURE_LEDGER, /* the traffic of the highlighted links, or of the busiest link if no link
                         is highlighted */
  PLG_PICTURE_MATRIX, /* the bandwidth between each pair of GPUs */
  PLG_PICTURE_COLLECTIVE,
  PLG_PICTURE_SPLIT,
  PLG_PICTURE_COMPARE, /* the plan and another plan, or another nesting order, side by side */
  PLG_PICTURE_SWEEP,   /* a metric against one or two settings */
  PLG_PICTURE_SEARCH,  /* the plans that a search has found */
} PlgPicture;
#define PLG_N_PICTURES 11

/* Returns the name of PICTURE, for example "cluster", "memory", "timeline", "mfu", "ledger" or
 * "matrix". */
const char *plg_picture_name (PlgPicture picture);
const char *plg_picture_title (PlgPicture picture); /* Returns the translated title. */
/* Finds the picture with NAME. The aliases "grid" and "links" mean "cluster", and "gantt" means
 * "timeline". */
gboolean plg_picture_from_name (const char *name, PlgPicture *picture);

typedef enum
{
  PLG_LEGEND_OFF,
  PLG_LEGEND_BELOW,
  PLG_LEGEND_RIGHT, /* legend to the right of the cluster; other pictures have it below */
} PlgLegendPlace;
#define PLG_N_LEGEND_PLACES 3

const char *plg_legend_place_name (PlgLegendPlace place); /* Returns "off", "on" or "right". */

typedef struct
{
  PlgShow show;
  PlgLinkColor link_color;
  gboolean rings;          /* whether the cluster shows rings instead of links */
  PlgMatrixQuantity pairs; /* quantity that the matrix shows */
  PlgLegendPlace legend;
  gboolean handles; /* whether handles are drawn; on screen only */
  double width;     /* width to fill; 0 for the natural size */
  double height;    /* height to fill; 0 for the natural size */
  /* The nodes that the cluster shows, or the nodes in the rows of the matrix. A range of 0 nodes
   * means all nodes. */
  PlgRange nodes;
  int row_gpus; /* number of GPUs per row in the box of a node; 0 chooses the number
                   automatically */
  /* The nodes in the columns of the matrix. A range of 0 nodes means the same nodes as in the
   * rows. */
  PlgRange columns;
  /* The highlighted entities; borrowed. The rest of the cluster is dimmed. A group with a
   * negative index means all groups of its axis and the links that their collectives cross. The
   * first N_PINS entities are pinned for comparison and marked with numbers, starting at 1. */
  const PlgEntity *highlighted;
  int n_highlighted;
  int n_pins;
  PlgEntity selected; /* the selected entity, whose groups get strong outlines and handles */
  /* Pixels per point of the cluster on the screen. Text and details depend on the zoom;
   * positions do not. 0 means natural size, with the detail that the number of GPUs allows. */
  double zoom;
  /* The visible part of the cluster; used only with ZOOM [points]. Nodes outside this part may
   * be left out. A width of 0 means that everything is visible. */
  PlgRect visible;
  /* Whether the ids, classes and titles of cluster and timeline are left out. Only exports need
   * these, and making them takes longer than drawing. */
  gboolean without_ids;
  /* The minimum text size; used only with ZOOM [pixels]. A large value keeps text legible from
   * the back of a room: ranks, names of nodes and the legend then have this size, and text that
   * does not fit is left out. 0 means the usual sizes. */
  double min_text_size;
  /* Whether the title, the key figure and the background are left out and the margins are
   * minimized. This is for a panel that has its own title and background. */
  gboolean embedded;
  /* The part of the step that the timeline shows [s]. If FROM and TO are 0, the timeline shows
   * the whole step, or as much of its start as is legible in WIDTH. */
  double from;
  double to;
  /* The time in the step that the cluster and the timeline show if HAS_MOMENT is set [s]. GPUs
   * then show their activity and links show their traffic at this time, and the timeline has a
   * cursor. */
  gboolean has_moment;
  double moment;
  /* For the picture of a collective: the index of the collective in the report, a rank of the
   * group that is shown, and the number of finished steps. The picture of split matrix products
   * also uses FRAME. Each value is clamped to its range. */
  int collective;
  int rank;
  int frame;
  /* The nesting order that is compared with the plan's order. If HAS_OTHER_ORDER is FALSE, the
   * plan's order with PP and DP exchanged is used instead. */
  gboolean has_other_order;
  PlgAxis other_order[PLG_N_NESTED_AXES];
  /* The sweep that the picture of a sweep shows; borrowed. NULL means MFU against the number of
   * GPUs, in weak and strong scaling. */
  const PlgSweep *sweep;
  /* The found plans that the picture of a search shows; borrowed. With NULL, the picture says that
   * no plans have been searched. */
  const PlgSearchPicture *search;
  /* The plan that is compared with the open plan; borrowed, or NULL to compare nesting orders. */
  const PlgComparedPlan *compared;
  /* A second report whose values the link scales of the cluster, the time axis and the memory
   * scale must also cover, so that two pictures can be compared; borrowed, or NULL. */
  const PlgReport *same_scale;
  /* The report whose link scales the cluster keeps, so that a colour means the same number from
   * the start to the end of a drag; borrowed, or NULL for the scales of the drawn report. */
  const PlgReport *kept_scale;
  gboolean legend_alone; /* set by plg_cluster_legend_figure() */
  /* Whether a legend that is drawn alone is shortened: entries become shorter, and the least
   * important entries are dropped. The legend then has at most three lines, or two with large
   * text or while a step is played, unless the window is too narrow. The height depends neither
   * on SHOW nor on whether a step is played. */
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
/* Adds to FIGURE the legend that OPTIONS request. FIGURE shows a part of the cluster and was
 * drawn without a legend. */
void plg_cluster_figure_add_legend (PlgFigure *figure,
                                    const PlgPlan *plan,
                                    const PlgReport *report,
                                    const PlgTheme *theme,
                                    const PlgPictureOptions *options);
/* Makes the legend of the cluster as a separate figure for the screen. The legend is WIDTH
 * pixels wide and as high as necessary. Its text is legible at every value of OPTIONS->zoom. */
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

/* Draws how TP splits the matrix products of an MLP. OPTIONS->frame is the number of finished
 * steps, 0 .. PLG_SPLIT_STEPS. */
#define PLG_SPLIT_STEPS 4
PlgFigure *plg_split_figure (const PlgPlan *plan,
                             const PlgReport *report,
                             const PlgTheme *theme,
                             const PlgPictureOptions *options) G_GNUC_WARN_UNUSED_RESULT;
/* Returns a description of STEP. Free with g_free(). */
char *plg_split_describe (int step) G_GNUC_WARN_UNUSED_RESULT;

PlgFigure *plg_compare_figure (const PlgPlan *plan,
                               const PlgReport *report,
                               const PlgTheme *theme,
                               const PlgPictureOptions *options) G_GNUC_WARN_UNUSED_RESULT;

/* Draws OPTIONS->sweep. If it is NULL, the function evaluates about twenty plans, which is too
 * slow for a panel that follows the pointer. */
PlgFigure *plg_sweep_figure (const PlgPlan *plan,
                             const PlgReport *report,
                             const PlgTheme *theme,
                             const PlgPictureOptions *options) G_GNUC_WARN_UNUSED_RESULT;

/* Draws OPTIONS->search (drawing/plans/search-figure.c). */
PlgFigure *plg_search_view_figure (const PlgPlan *plan,
                                   const PlgReport *report,
                                   const PlgTheme *theme,
                                   const PlgPictureOptions *options) G_GNUC_WARN_UNUSED_RESULT;

/* Returns a description of a point of SWEEP, for example "Pipeline (PP) 4: 45.9 %", with the reason
 * if the plan is not possible. Free with g_free(). */
char *
plg_sweep_describe_point (const PlgSweep *sweep, int column, int row) G_GNUC_WARN_UNUSED_RESULT;

/* Returns a description of STEP, for example "step 3 of 14, all-gather: full sums are passed
 * on". Free with g_free(). */
char *plg_collective_steps_describe (const PlgCollectiveSteps *collective_steps,
                                     int step) G_GNUC_WARN_UNUSED_RESULT;
/* Returns the formula for the traffic, with the values filled in, for example "A member sends
 * 2·(n − 1) · S/n = 14 · 16.8 MB = 235 MB, …". Free with g_free(). */
char *
plg_collective_steps_formula (const PlgCollectiveSteps *collective_steps) G_GNUC_WARN_UNUSED_RESULT;

typedef struct
{
  double from, to;    /* part of the step that is shown [s] */
  double left, right; /* x coordinates of the times FROM and TO */
  double top, bottom; /* upper edge of the first stage and lower edge of the last stage */
} PlgTimelineSpan;
PlgTimelineSpan plg_timeline_span (const PlgPlan *plan,
                                   const PlgReport *report,
                                   const PlgTheme *theme,
                                   const PlgPictureOptions *options);

/* Return the area of a GPU or a node in the on-screen picture of the whole cluster. For clusters
 * of up to 512 GPUs, the areas in an exported picture are the same. */
PlgRect plg_cluster_gpu_rect (const PlgPlan *plan, int gpu);
PlgRect plg_cluster_node_rect (const PlgPlan *plan, int node);
/* Returns whether PART of the on-screen picture shows a highlighted GPU. Also returns TRUE if no
 * GPU is highlighted, which is the case if nothing is highlighted or if only links between leaf
 * and spine are highlighted. */
gboolean plg_cluster_is_highlighted_in (const PlgPlan *plan,
                                        const PlgReport *report,
                                        const PlgPictureOptions *options,
                                        PlgRect part);

/* The colour scale of the links. The scale is logarithmic for calls and bytes, and linear for
 * time. */
typedef struct
{
  PlgLinkColor meaning;
  double minimum;
  double maximum;
  gboolean is_exceeded; /* whether a link has more than MAXIMUM; the legend then says "≥" */
} PlgLinkScale;
PlgLinkScale plg_link_scale (const PlgReport *report, PlgLinkColor meaning);
/* Returns the scale of KEPT for the links of REPORT, or the scale of REPORT if no link of KEPT has
 * a value. A link beyond an end of the scale has the
 * colour of this end. */
PlgLinkScale
plg_link_scale_keep (const PlgReport *kept, const PlgReport *report, PlgLinkColor meaning);
/* Returns whether the quantity that SCALE shows is known and greater than 0 for LINK. */
gboolean plg_link_scale_has_value (const PlgLinkScale *scale, const PlgLink *link);
/* Returns the position 0..1 of LINK on the scale. */
double plg_link_scale_share (const PlgLinkScale *scale, const PlgLink *link);

/* Returns the number of calls as text, for example "1 call" or "13 184 calls". Free with
 * g_free(). */
char *plg_describe_calls (double calls) G_GNUC_WARN_UNUSED_RESULT;

/* Returns a description of LINK, for example "NVLink from GPU 5 of node 2 to its switch". Free
 * with g_free(). */
char *plg_describe_link (const PlgPlan *plan, const PlgLink *link) G_GNUC_WARN_UNUSED_RESULT;

/* plg_describe_link_groups:
 * @link: index of the link in @report
 *
 * Returns: (transfer full): the groups that cross @link, for example "TP 3 · DP 0, 4"; "" if no
 *   group crosses it, or if @report does not contain the groups */
char *plg_describe_link_groups (const PlgPlan *plan,
                                const PlgReport *report,
                                int link) G_GNUC_WARN_UNUSED_RESULT;

/* plg_describe_collective_groups:
 * @collective: index of the collective in @report
 * @link: index of the link in @report
 *
 * Returns: (transfer full) (nullable): the groups whose calls of @collective cross @link, for
 *   example "DP 0, 4"; %NULL if no such calls cross it */
char *plg_describe_collective_groups (const PlgPlan *plan,
                                      const PlgReport *report,
                                      int collective,
                                      int link) G_GNUC_WARN_UNUSED_RESULT;

/* Returns the ends of a link for a table that has a separate column for the tier, for example
 * "node 2 GPU 5" or "node 2 NIC 5 → rail 5". Free with g_free(). */
char *plg_describe_link_ends (const PlgPlan *plan, const PlgLink *link) G_GNUC_WARN_UNUSED_RESULT;

/* plg_describe_pair:
 * @options: (nullable): options that choose a part of the matrix; %NULL for the whole matrix
 * @index: index of the cell in that part
 *
 * Returns: (transfer full): a description of the pair, for example "GPU 3 of node 0 to GPU 3 of
 *   node 2", followed by the route and the bytes per step */
char *plg_describe_pair (const PlgPlan *plan,
                         const PlgReport *report,
                         const PlgPictureOptions *options,
                         int index) G_GNUC_WARN_UNUSED_RESULT;

/* Describes ENTITY in one or more lines for tooltips and panels. The index of a pair is an index
 * in the whole matrix. Free with g_free(). */
char *plg_describe_entity (const PlgPlan *plan,
                           const PlgReport *report,
                           PlgEntity entity) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
