/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "drawing/cluster/cluster-layout.h"
#include "drawing/figure/activity.h"
#include "drawing/figure/legend.h"
#include "engine/network/fabric.h"

G_BEGIN_DECLS

/* The picture of the cluster while it is made; only the files grid-*.c use this. */
typedef struct
{
  const PlgPlan *plan;
  const PlgReport *report;
  const PlgTheme *theme;
  const PlgPictureOptions *options;
  PlgFigure *figure;
  PlgClusterLayout layout;
  int gpus;
  int *rank_of_gpu; /* -1 where a GPU has no rank */
  /* For which axes a GPU is lit (1 << PlgAxis), 0 where it fades. NULL: nothing is focused. */
  guint8 *highlighted_gpu;
  guint8 *highlighted_link; /* as many as the report's links, or NULL */
  PlgSnapshot *moment;      /* or NULL: the whole step */
  guint8 *active_link;      /* with a moment: as many as the report's links */
  PlgLinkScale scale;
  PlgLinkWidths widths;
  GArray *
      tabs; /* PlgClusterGroupTab: the names of groups, so that nothing is drawn on them; or NULL */
} PlgClusterDrawing;

typedef struct
{
  PlgEntity entity;
  PlgRect rect;
} PlgClusterGroupTab;

/* grid-figure.c: what all its parts need; cleared by plg_cluster_drawing_clear(), its figure is the caller's.
 */
void plg_cluster_drawing_init (PlgClusterDrawing *drawing,
                               const PlgPlan *plan,
                               const PlgReport *report,
                               const PlgTheme *theme,
                               const PlgPictureOptions *options);
void plg_cluster_drawing_clear (PlgClusterDrawing *drawing);

/* grid-legend.c: below the cluster or beside it */
void plg_cluster_add_legend (PlgClusterDrawing *drawing);

/* grid-focus.c: what belongs to the focused thing. */
void plg_cluster_highlight (PlgClusterDrawing *drawing);
/* What people are at does not fade. */
void plg_cluster_highlight_selected (PlgClusterDrawing *drawing);
/* Whether what is not lit fades. Pins alone do not make it: a step that is played is looked at
 * whole.
 */
gboolean plg_cluster_has_dimmed (const PlgClusterDrawing *drawing);
gboolean plg_cluster_is_gpu_highlighted (const PlgClusterDrawing *drawing, int gpu);
gboolean plg_cluster_is_link_undimmed (const PlgClusterDrawing *drawing, int link);
/* Whether all of the group of AXIS around RANK is lit for that axis. */
gboolean
plg_cluster_is_group_highlighted (const PlgClusterDrawing *drawing, PlgAxis axis, int rank);
/* COLOR as it is where nothing is focused, or close to the background where IS_LIT is FALSE. */
PlgColor plg_cluster_dim (const PlgClusterDrawing *drawing, PlgColor color, gboolean is_lit);
/* The lowest rank of a group, or -1. */
int plg_cluster_first_rank (const PlgClusterDrawing *drawing, PlgAxis axis, int group);
/* The rank that THING is about, or -1: of a GPU, a handle, a group. */
int plg_cluster_rank_of (const PlgClusterDrawing *drawing, PlgEntity entity);
/* The GPUs at which LINK ends or whose NIC it is: FIRST .. LAST, FALSE where it has none. */
gboolean plg_cluster_link_end_gpus (const PlgClusterDrawing *drawing,
                                    const PlgLink *link,
                                    int *first,
                                    int *last);
/* The GPUs of the group of AXIS around RANK, in the order of the axis. Array of int. */
GArray *plg_cluster_group_gpus (const PlgClusterDrawing *drawing, PlgAxis axis, int rank);

/* grid-moment.c: what is different at one second of the step; all is as ever without one. */
void plg_cluster_set_snapshot (PlgClusterDrawing *drawing);
const PlgStageSnapshot *plg_cluster_stage_snapshot (const PlgClusterDrawing *drawing,
                                                    int stage); /* NULL: none */
gboolean plg_cluster_is_axis_active (const PlgClusterDrawing *drawing, PlgAxis axis, int rank);
gboolean plg_cluster_is_link_active (const PlgClusterDrawing *drawing, int link);
char *plg_cluster_activity_text (const PlgClusterDrawing *drawing,
                                 const PlgStageSnapshot *moment); /* g_free() */
const char *plg_cluster_activity_title (const PlgClusterDrawing *drawing,
                                        const PlgStageSnapshot *moment);

/* grid-cells.c */
/* TRUE when SHOW is about one axis alone; AXIS is then that one, else PP, whose stages are shown.
 */
gboolean plg_cluster_single_axis (PlgShow show, PlgAxis *axis);
/* What the letters of coordinates mean: "t p d: place on TP, PP, DP"; NULL where there are none. */
const char *plg_cluster_coordinate_note (const PlgClusterDrawing *drawing);
/* Whether texts must be so large that a cell has room for its rank alone. */
gboolean plg_cluster_has_large_texts (const PlgClusterDrawing *drawing);
/* Whether coordinates stand below the rank, where there is no room beside it. */
gboolean plg_cluster_has_stacked_texts (PlgClusterDrawing *drawing);
void plg_cluster_add_gpus (PlgClusterDrawing *drawing);
/* With what the cells of a picture are filled, made once for all of them. */
typedef struct _PlgClusterCells PlgClusterCells;
PlgClusterCells *plg_cluster_cells_new (PlgClusterDrawing *drawing);
void plg_cluster_cells_free (PlgClusterCells *cells);
PlgColor plg_cluster_cells_fill (const PlgClusterCells *cells, int gpu);
/* grid-rows.c: what the rows of NODE say whose GPUs are too small for texts. */
void plg_cluster_cells_add_row_texts (const PlgClusterCells *cells, int node);
/* Whether each run of GPUs that are filled alike says there what they do, with its number. */
gboolean plg_cluster_rows_have_tags (PlgClusterDrawing *drawing);
/* How far their letters reach below their GPUs; 0 where GPUs have texts of their own. */
double plg_cluster_tag_depth (const PlgClusterDrawing *drawing);

/* grid-nodes.c: cards with labels; and where a node is one tile, that */
void plg_cluster_add_nodes (PlgClusterDrawing *drawing);
void plg_cluster_add_node_tiles (PlgClusterDrawing *drawing);
/* Whether nodes have their numbers beside them when they are seen from afar. */
gboolean plg_cluster_has_node_numbers (const PlgClusterDrawing *drawing);
/* Opens the group of shapes of NODE. */
void plg_cluster_open_node (const PlgClusterDrawing *drawing, int node);
PlgSwatch plg_cluster_memory_swatch (const PlgTheme *theme, double share);

/* Which link of the report belongs to which place of the picture; -1 where there is none. */
typedef struct
{
  PlgFabric fabric;
  int nics;        /* of a node; 0 where there is one node, which needs none */
  int *port_link;  /* of each GPU to its switch */
  int *pcie_link;  /* of each GPU */
  int *nic_link;   /* of each NIC, node by node */
  GArray *pairs;   /* int: direct links between two GPUs of a node */
  GArray *uplinks; /* int: from a leaf to a spine */
} PlgClusterLinkMap;

/* grid-wires.c */
PlgClusterLinkMap *plg_cluster_link_map_new (const PlgClusterDrawing *drawing);
void plg_cluster_link_map_free (PlgClusterLinkMap *link_map);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (PlgClusterLinkMap, plg_cluster_link_map_free)
/* How the link with this index looks; INDEX -1 is a place without one. */
typedef struct
{
  PlgColor color;
  double width;
} PlgClusterLinkStyle;
PlgClusterLinkStyle plg_cluster_link_style (const PlgClusterDrawing *drawing, int index);
const PlgLink *plg_cluster_link (const PlgClusterDrawing *drawing, int index);
/* The busier of two links, either of which may be -1; a lit one before a faded one. */
int plg_cluster_busier_link (const PlgClusterDrawing *drawing, int a, int b);
/* Opens the group of shapes of one link; FALSE and nothing to close for -1. */
gboolean plg_cluster_open_link (PlgClusterDrawing *drawing, int index);
/* Dashed where the link is slow or has failed. NULL where it is not drawn. */
PlgShape *plg_cluster_add_link_path (PlgClusterDrawing *drawing,
                                     const PlgPoint *points,
                                     int n,
                                     int index,
                                     PlgClusterLinkStyle style);
PlgShape *plg_cluster_add_link_line (PlgClusterDrawing *drawing,
                                     double x1,
                                     double y1,
                                     double x2,
                                     double y2,
                                     int index,
                                     PlgClusterLinkStyle style);
/* The same for what stands for other links, too: whole, whatever is wrong with this one. */
void plg_cluster_add_link_bar (PlgClusterDrawing *drawing,
                               double x1,
                               double y1,
                               double x2,
                               double y2,
                               int index,
                               PlgClusterLinkStyle style);
/* What faults leave of the rate of a link, or of the computing of a GPU; 1 where all is well. */
double plg_cluster_link_rate (const PlgClusterDrawing *drawing, int index);
double plg_cluster_gpu_rate (const PlgClusterDrawing *drawing, int gpu);
/* "at 50 %" or "failed"; g_free(). */
char *plg_cluster_rate_describe (double rate);
/* grid-faults.c: signs on what has failed or is slow, SIZE points to each side of X, Y */
void plg_cluster_add_fault_mark (PlgClusterDrawing *drawing,
                                 double x,
                                 double y,
                                 double size,
                                 double rate);
void plg_cluster_add_faults (PlgClusterDrawing *drawing, const PlgClusterLinkMap *link_map);
/* What the signs mean, where there are any. */
void plg_cluster_add_fault_legend (PlgClusterDrawing *drawing, PlgLegend *legend);
/* Lines and boxes are drawn smaller where GPUs are. */
gboolean plg_cluster_is_small (const PlgClusterDrawing *drawing);
/* Whether it is seen from afar, on the screen, and drawn with less. */
gboolean plg_cluster_has_low_detail (const PlgClusterDrawing *drawing);
/* On the screen nothing has ids, classes and titles: to make them takes longer than to draw. A file
 * has them at any zoom. */
gboolean plg_cluster_is_without_ids (const PlgClusterDrawing *drawing);
/* So long a length as looks like POINTS at natural size, however far one has zoomed out, but MOST
 * points at most. */
double plg_cluster_legible_length (const PlgClusterDrawing *drawing, double points, double most);
/* The size in points that every text must have, 0 where there is none. */
double plg_cluster_min_text_size (const PlgClusterDrawing *drawing);
/* Whether NODE lies in what is seen. */
gboolean plg_cluster_shows_node (const PlgClusterDrawing *drawing, int node);

/* Whether the link with this index, or -1, is lit: pinned, chosen, or on the way of what is. */
gboolean plg_cluster_is_link_highlighted (const PlgClusterDrawing *drawing, int index);
/* Whether the link with this index, or -1, is drawn: beside rings only what is lit, so that both
 * views are seen of the same thing. */
gboolean plg_cluster_draws_link (const PlgClusterDrawing *drawing, int index);
/* Whether any link of the report is. */
gboolean plg_cluster_draws_links (const PlgClusterDrawing *drawing);

/* grid-links.c: inside the nodes */
void plg_cluster_add_node_links (PlgClusterDrawing *drawing, const PlgClusterLinkMap *link_map);
/* grid-network.c: between the nodes; the boxes and the rails, which run over their cards */
void plg_cluster_add_network (PlgClusterDrawing *drawing, const PlgClusterLinkMap *link_map);
/* The middle of the uplink of LEAF to SPINE. */
PlgPoint plg_cluster_uplink_point (const PlgClusterDrawing *drawing,
                                   const PlgClusterLinkMap *link_map,
                                   int leaf,
                                   int spine);

/* From the nodes to the boxes to their right in a tree network. */
#define PLG_CLUSTER_LEAF_GAP 10.0
/* grid-nics.c: what lies on cards and rails */
void plg_cluster_add_nics (PlgClusterDrawing *drawing, const PlgClusterLinkMap *link_map);
/* The column of tiles beside which NIC of a node stands, and the middle of its dot. */
int plg_cluster_nic_column (const PlgClusterDrawing *drawing,
                            const PlgClusterLinkMap *link_map,
                            int nic);
PlgPoint plg_cluster_nic_point (const PlgClusterDrawing *drawing,
                                const PlgClusterLinkMap *link_map,
                                int node,
                                int nic);

/* grid-racks.c: whole racks, and what leaves them */
void plg_cluster_add_racks (PlgClusterDrawing *drawing);
void plg_cluster_add_rack_links (PlgClusterDrawing *drawing, const PlgClusterLinkMap *link_map);

/* grid-groups.c: outlines, and what the thin ones mean, where there are any */
void plg_cluster_add_group_outlines (PlgClusterDrawing *drawing);
/* Of each GPU the axes, bit 1 << axis, of the strong outlines that it is in; NULL where there are
 * none. g_free(). */
guint8 *plg_cluster_gpu_outline_axes (const PlgClusterDrawing *drawing);
void plg_cluster_add_outline_note (const PlgClusterDrawing *drawing, PlgLegend *legend);
/* Where GPUs are too small for it, or have no ranks, nothing is outlined. */
gboolean plg_cluster_can_outline (const PlgClusterDrawing *drawing);

/* grid-arrows.c: arrows from member to member of the group of AXIS around RANK, back to the first
 * where it is a ring. APART keeps the arrows of all groups of AXIS off each other. */
void plg_cluster_add_ring_arrows (PlgClusterDrawing *drawing,
                                  PlgAxis axis,
                                  int rank,
                                  PlgClusterLinkStyle style,
                                  gboolean apart);
/* How these arrows look: in the view of rings as a link that carried what a GPU sends over AXIS,
 * for rings and links are two views of the same; in the colour of the axis where links have no
 * colours, and as a chain over them. */
PlgClusterLinkStyle plg_cluster_ring_style (const PlgClusterDrawing *drawing, PlgAxis axis);
/* The GPUs in the order in which data go round, and how many arrows N of them have. */
GArray *plg_cluster_ring_gpus (const PlgClusterDrawing *drawing, PlgAxis axis, int rank);
int plg_cluster_n_ring_arrows (PlgAxis axis, int n);
/* Whether the ring of GPUS goes to and fro, inside a node as NCCL's may, or from node to node. */
gboolean
plg_cluster_ring_turns_back (const PlgClusterDrawing *drawing, const GArray *gpus, gboolean inside);
/* Where it passes below GPU. */
PlgPoint plg_cluster_ring_point (const PlgClusterDrawing *drawing, int gpu);
/* From box to box, with GAP between those of a row and between rows. */
void plg_cluster_add_arrow (const PlgClusterDrawing *drawing,
                            PlgRect from,
                            PlgRect to,
                            PlgPoint gap,
                            PlgEntity entity,
                            PlgClusterLinkStyle style,
                            int lane);

/* grid-rings.c: the view of rings in the place of links. With one axis alone all its rings, else
 * one of each axis; one of them stands out, the others lie below the GPUs. */
void plg_cluster_add_rings (PlgClusterDrawing *drawing);
void plg_cluster_add_other_rings (PlgClusterDrawing *drawing);
/* Whether a ring of AXIS is drawn; whether all are, and how those look beside the one that stands
 * out. */
gboolean plg_cluster_draws_rings (const PlgClusterDrawing *drawing, PlgAxis axis);
/* Whether any of them is seen: not where each lies within a box that is one tile. */
gboolean plg_cluster_shows_rings (const PlgClusterDrawing *drawing, PlgAxis axis);
gboolean plg_cluster_has_all_rings (const PlgClusterDrawing *drawing, PlgAxis axis);
PlgClusterLinkStyle plg_cluster_pale_ring_style (const PlgClusterDrawing *drawing, PlgAxis axis);

/* grid-moved.c: what does not sit where the order puts it */
gboolean plg_cluster_is_gpu_moved (const PlgClusterDrawing *drawing, int gpu);
void
plg_cluster_add_placement_mark (PlgClusterDrawing *drawing, int gpu, PlgColor ink, PlgColor line);
/* Where a node is one tile. */
void plg_cluster_mark_node_moved (PlgClusterDrawing *drawing, int node, PlgColor color);
void plg_cluster_add_placement_note (const PlgClusterDrawing *drawing, PlgLegend *legend);
/* Where the legend is short: how thick links are, until something is moved; then that, in as much
 * room. */
void plg_cluster_add_widths_or_moved (const PlgClusterDrawing *drawing, PlgLegend *legend);
/* grid-pins.c: after what is pinned, for the marks lie on it */
void plg_cluster_add_pins (PlgClusterDrawing *drawing);

/* grid-handles.c */
void plg_cluster_add_handles (PlgClusterDrawing *drawing);

G_END_DECLS
