/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "drawing/figure/figure.h"
#include "engine/network/collective-steps.h"

G_BEGIN_DECLS

/* The pictures: plan and report become figures. Each is pure. */

typedef enum
{
  PLG_PICTURE_CLUSTER,
  PLG_PICTURE_MEMORY,
  PLG_PICTURE_TIMELINE,
  PLG_PICTURE_MFU,
  PLG_PICTURE_LEDGER, /* of the links that are lit, or of the busiest */
  PLG_PICTURE_MATRIX, /* the bandwidth between each two GPUs */
  PLG_PICTURE_COLLECTIVE,
  PLG_PICTURE_SPLIT,
  PLG_PICTURE_COMPARE, /* the cluster in two nesting orders, side by side */
  PLG_PICTURE_SWEEP,   /* MFU against the number of GPUs */
} PlgPicture;
#define PLG_N_PICTURES 10

const char *plg_picture_name (PlgPicture picture);  /* "cluster", "memory", "timeline", "mfu",
                                                       "ledger", "matrix" */
const char *plg_picture_title (PlgPicture picture); /* translated */
/* Also the aliases that people may know: "grid", "links" for cluster, "gantt" for timeline. */
gboolean plg_picture_from_name (const char *name, PlgPicture *picture);

typedef enum
{
  PLG_LEGEND_OFF,
  PLG_LEGEND_BELOW,
  PLG_LEGEND_RIGHT, /* of the cluster; of other pictures below too */
} PlgLegendPlace;
#define PLG_N_LEGEND_PLACES 3

const char *plg_legend_place_name (PlgLegendPlace place); /* "off", "on", "right" */

typedef struct
{
  PlgShow show;
  PlgLinkColor link_color;
  gboolean rings;
  PlgMatrixQuantity pairs; /* of the matrix */
  PlgLegendPlace legend;   /* TRUE is below */
  gboolean handles;        /* on screen only */
  double width;            /* to fill, 0: natural size */
  double height;
  /* Of the cluster, only the part with these nodes; 0 nodes: all. Of the matrix they are the rows
   * and, where COLUMNS are none, the columns too. */
  PlgRange nodes;
  PlgRange columns;
  /* What is lit up, while the rest fades: N_LIT things, borrowed. A group with a negative index
   * means all groups of its axis and the links that their collectives cross. The first N_PINS are
   * pinned to be compared, and are marked with numbers from 1. */
  const PlgEntity *highlighted;
  int n_highlighted;
  int n_pins;
  PlgEntity selected; /* whose group outlines and handles are drawn strong */
  /* Cluster, on the screen: pixels a point. All lies where it does at any zoom, and as much is
   * drawn of it as can be read. 0: the natural size, with the detail that the number of GPUs
   * allows. */
  double zoom;
  /* With ZOOM: what is seen, in points; outside of it nodes may be left out. Width 0: all. */
  PlgRect visible;
  /* Cluster and timeline without ids, classes and titles, which files want and the screen does not:
   * to make them takes longer than to draw. */
  gboolean without_ids;
  /* With ZOOM, in pixels: what is to be read from the back of a room. Ranks, nodes and the legend
   * are as large, and texts that have no room for that are left out. 0: the usual sizes. */
  double min_text_size;
  /* In a panel that has its own title, big number and background: the picture alone, without
   * title, margins as small as they can be. */
  gboolean embedded;
  /* Timeline: the seconds of the step to show. Both 0: the whole step, or as much of its start as
   * can be read in WIDTH. */
  double from;
  double to;
  /* Cluster and timeline: the second of the step at which it is drawn. GPUs then show what they do
   * and links light up while something runs on them; the timeline has a cursor. */
  gboolean has_moment;
  double moment;
  /* One collective: which of the report's, whose group of it, and how many of its steps are done.
   * All are clamped to what there is. */
  int collective;
  int rank;
  int frame;
  /* Two orders: the one to hold against the plan's own; without it, the one with PP and DP
   * exchanged. */
  gboolean has_other_order;
  PlgAxis other_order[PLG_N_NESTED_AXES];
  /* Cluster: the scales of its links hold those of this report too, so that two pictures can be
   * compared. Borrowed; NULL: none. */
  const PlgReport *same_scale;
  gboolean legend_alone; /* set by plg_cluster_legend_figure() */
  /* That legend: entries become shorter, and the least of them go, until it has one line; and it
   * is as high whatever is shown and whether or not the step is played. */
  gboolean shorten_legend;
} PlgPictureOptions;

void plg_picture_options_init (PlgPictureOptions *options, const PlgPlan *plan);

PlgFigure *plg_picture_figure (PlgPicture picture,
                               const PlgPlan *plan,
                               const PlgReport *report,
                               const PlgTheme *theme,
                               const PlgPictureOptions *options);

/* The single ones (grid-figure.c, memory-figure.c …). */
PlgFigure *plg_cluster_figure (const PlgPlan *plan,
                               const PlgReport *report,
                               const PlgTheme *theme,
                               const PlgPictureOptions *options);
/* Adds the legend that OPTIONS want, below or beside it, to a part of the cluster that was drawn
 * without one. */
void plg_cluster_figure_add_legend (PlgFigure *figure,
                                    const PlgPlan *plan,
                                    const PlgReport *report,
                                    const PlgTheme *theme,
                                    const PlgPictureOptions *options);
/* The legend of the cluster alone, for the screen: in pixels, WIDTH wide and as high as it must be,
 * with texts that can be read whatever the zoom in OPTIONS is. */
PlgFigure *plg_cluster_legend_figure (const PlgPlan *plan,
                                      const PlgReport *report,
                                      const PlgTheme *theme,
                                      const PlgPictureOptions *options,
                                      double width);
PlgFigure *plg_memory_figure (const PlgPlan *plan,
                              const PlgReport *report,
                              const PlgTheme *theme,
                              const PlgPictureOptions *options);
PlgFigure *plg_timeline_figure (const PlgPlan *plan,
                                const PlgReport *report,
                                const PlgTheme *theme,
                                const PlgPictureOptions *options);
PlgFigure *plg_mfu_figure (const PlgPlan *plan,
                           const PlgReport *report,
                           const PlgTheme *theme,
                           const PlgPictureOptions *options);

PlgFigure *plg_ledger_figure (const PlgPlan *plan,
                              const PlgReport *report,
                              const PlgTheme *theme,
                              const PlgPictureOptions *options);

PlgFigure *plg_matrix_figure (const PlgPlan *plan,
                              const PlgReport *report,
                              const PlgTheme *theme,
                              const PlgPictureOptions *options);

PlgFigure *plg_collective_figure (const PlgPlan *plan,
                                  const PlgReport *report,
                                  const PlgTheme *theme,
                                  const PlgPictureOptions *options);

/* What TP does to the products of an MLP, in steps 0 .. PLG_SPLIT_STEPS (the options' frame). */
#define PLG_SPLIT_STEPS 4
PlgFigure *plg_split_figure (const PlgPlan *plan,
                             const PlgReport *report,
                             const PlgTheme *theme,
                             const PlgPictureOptions *options);
char *plg_split_describe (int step); /* g_free() */

PlgFigure *plg_compare_figure (const PlgPlan *plan,
                               const PlgReport *report,
                               const PlgTheme *theme,
                               const PlgPictureOptions *options);

/* Evaluates about twenty plans, so it is not for a panel that follows the pointer. */
PlgFigure *plg_sweep_figure (const PlgPlan *plan,
                             const PlgReport *report,
                             const PlgTheme *theme,
                             const PlgPictureOptions *options);

/* "step 3 of 14, all-gather: whole sums are handed on". g_free(). */
char *plg_collective_steps_describe (const PlgCollectiveSteps *collective_steps, int step);
/* "A member sends 2·(n − 1) · S/n = 14 · 16.8 MB = 235 MB, …": g_free(). */
char *plg_collective_steps_formula (const PlgCollectiveSteps *collective_steps);

/* What the timeline shows, and where: the second FROM lies at x LEFT, TO at RIGHT; stages lie
 * between TOP and BOTTOM. */
typedef struct
{
  double from, to;
  double left, right;
  double top, bottom;
} PlgTimelineSpan;
PlgTimelineSpan plg_timeline_span (const PlgPlan *plan,
                                   const PlgReport *report,
                                   const PlgTheme *theme,
                                   const PlgPictureOptions *options);

/* Where GPUs are on the screen, for gestures: the GPU whose cell, with the gap around it, holds
 * (x, y), clamped to the nearest when outside. To 512 GPUs they are there in files, too. */
int plg_cluster_gpu_near (const PlgPlan *plan, double x, double y);
PlgRect plg_cluster_gpu_rect (const PlgPlan *plan, int gpu);
PlgRect plg_cluster_node_rect (const PlgPlan *plan, int node);
/* Whether PART of the screen has a GPU that what is lit lights up; TRUE, too, where it lights none:
 * no GPU fades then, or only links between leaf and spine are lit. */
gboolean plg_cluster_is_highlighted_in (const PlgPlan *plan,
                                        const PlgReport *report,
                                        const PlgPictureOptions *options,
                                        PlgRect part);

/* The colour scale of the links: position 0..1 of VALUE between the smallest and largest, on a
 * logarithmic scale for calls and bytes, and the ends for the legend. */
typedef struct
{
  PlgLinkColor meaning;
  double minimum;
  double maximum;
} PlgLinkScale;
PlgLinkScale plg_link_scale (const PlgReport *report, PlgLinkColor meaning);
/* Whether LINK carries something that is known in what the scale is of. */
gboolean plg_link_scale_has_value (const PlgLinkScale *scale, const PlgLink *link);
double plg_link_scale_share (const PlgLinkScale *scale, const PlgLink *link);

/* "1 call", "13 184 calls". g_free(). */
char *plg_describe_calls (double calls);

/* "NVLink from GPU 5 of node 2 to its switch": what a link joins, in words. g_free(). */
char *plg_describe_link (const PlgPlan *plan, const PlgLink *link);

/* Which groups cross the link with this number in REPORT: "TP 3 · DP 0, 4"; empty for none, and
 * where REPORT does not tell. g_free(). */
char *plg_describe_link_groups (const PlgPlan *plan, const PlgReport *report, int link);

/* Of these only those that call COLLECTIVE: "DP 0, 4"; NULL for none. g_free(). */
char *plg_describe_collective_groups (const PlgPlan *plan,
                                      const PlgReport *report,
                                      int collective,
                                      int link);

/* The link in a table that has a column for the tier: "node 2 GPU 5", "node 2 NIC 5 → rail 5". */
char *plg_describe_link_ends (const PlgPlan *plan, const PlgLink *link);

/* "GPU 3 of node 0 to GPU 3 of node 2", how, and how much a step: a cell of the matrix of the part
 * that OPTIONS choose; NULL: of all. g_free(). */
char *plg_describe_pair (const PlgPlan *plan,
                         const PlgReport *report,
                         const PlgPictureOptions *options,
                         int index);

/* What a GPU, link or group is, in one or more lines for tooltips and panels. A pair is one of the
 * whole matrix. g_free(). */
char *plg_describe_entity (const PlgPlan *plan, const PlgReport *report, PlgEntity entity);

G_END_DECLS
