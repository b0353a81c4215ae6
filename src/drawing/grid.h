/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "drawing/grid-layout.h"
#include "drawing/activity.h"
#include "drawing/legend.h"
#include "engine/fabric.h"

G_BEGIN_DECLS

/* The picture of the cluster while it is made; only the files grid-*.c use this. */
typedef struct
{
  const PlgPlan *plan;
  const PlgReport *report;
  const PlgTheme *theme;
  const PlgPictureOptions *options;
  PlgFigure *figure;
  PlgGridLayout layout;
  int gpus;
  int *rank_of_gpu; /* -1 where a GPU has no rank */
  /* For which axes a GPU is lit (1 << PlgAxis), 0 where it fades. NULL: nothing is focused. */
  guint8 *lit_gpu;
  guint8 *lit_link;     /* as many as the report's links, or NULL */
  PlgMoment *moment;    /* or NULL: the whole step */
  guint8 *running_link; /* with a moment: as many as the report's links */
  PlgLinkScale scale;
  PlgLinkWidths widths;
  GArray *tabs; /* PlgGridTab: the names of groups, so that nothing is drawn on them; or NULL */
} PlgGrid;

typedef struct
{
  PlgThing thing;
  PlgRect rect;
} PlgGridTab;

/* grid-figure.c: what all its parts need; cleared by plg_grid_clear(), its figure is the caller's.
 */
void plg_grid_init (PlgGrid *grid,
                    const PlgPlan *plan,
                    const PlgReport *report,
                    const PlgTheme *theme,
                    const PlgPictureOptions *options);
void plg_grid_clear (PlgGrid *grid);

/* grid-legend.c: below the cluster or beside it */
void plg_grid_add_legend (PlgGrid *grid);

/* grid-focus.c: what belongs to the focused thing. */
void plg_grid_light (PlgGrid *grid);
/* What people are at does not fade. */
void plg_grid_keep_selected (PlgGrid *grid);
/* Whether what is not lit fades. Pins alone do not make it: a step that is played is looked at
 * whole.
 */
gboolean plg_grid_fades (const PlgGrid *grid);
gboolean plg_grid_gpu_lit (const PlgGrid *grid, int gpu);
gboolean plg_grid_link_lit (const PlgGrid *grid, int link);
/* Whether all of the group of AXIS around RANK is lit for that axis. */
gboolean plg_grid_group_lit (const PlgGrid *grid, PlgAxis axis, int rank);
/* COLOR as it is where nothing is focused, or close to the background where IS_LIT is FALSE. */
PlgColor plg_grid_fade (const PlgGrid *grid, PlgColor color, gboolean is_lit);
/* The lowest rank of a group, or -1. */
int plg_grid_first_rank (const PlgGrid *grid, PlgAxis axis, int group);
/* The rank that THING is about, or -1: of a GPU, a handle, a group. */
int plg_grid_rank_of (const PlgGrid *grid, PlgThing thing);
/* The GPUs at which LINK ends or whose NIC it is: FIRST .. LAST, FALSE where it has none. */
gboolean plg_grid_gpus_of_link (const PlgGrid *grid, const PlgLink *link, int *first, int *last);
/* The GPUs of the group of AXIS around RANK, in the order of the axis. Array of int. */
GArray *plg_grid_group_gpus (const PlgGrid *grid, PlgAxis axis, int rank);

/* grid-moment.c: what is different at one second of the step; all is as ever without one. */
void plg_grid_set_moment (PlgGrid *grid);
const PlgStageMoment *plg_grid_moment_of (const PlgGrid *grid, int stage); /* NULL: none */
gboolean plg_grid_axis_runs (const PlgGrid *grid, PlgAxis axis, int rank);
gboolean plg_grid_link_runs (const PlgGrid *grid, int link);
char *plg_grid_activity_text (const PlgGrid *grid, const PlgStageMoment *moment); /* g_free() */
const char *plg_grid_activity_title (const PlgGrid *grid, const PlgStageMoment *moment);

/* grid-cells.c */
/* TRUE when SHOW is about one axis alone; AXIS is then that one, else PP, whose stages are shown.
 */
gboolean plg_grid_single_axis (PlgShow show, PlgAxis *axis);
/* What the letters of coordinates mean: "t p d: place on TP, PP, DP"; NULL where there are none. */
const char *plg_grid_coordinate_words (const PlgGrid *grid);
/* Whether texts must be so large that a cell has room for its rank alone. */
gboolean plg_grid_has_large_texts (const PlgGrid *grid);
/* Whether coordinates stand below the rank, where there is no room beside it. */
gboolean plg_grid_has_stacked_texts (PlgGrid *grid);
void plg_grid_add_gpus (PlgGrid *grid);
/* With what the cells of a picture are filled, made once for all of them. */
typedef struct _PlgGridCells PlgGridCells;
PlgGridCells *plg_grid_cells_new (PlgGrid *grid);
void plg_grid_cells_free (PlgGridCells *cells);
PlgColor plg_grid_cells_fill (const PlgGridCells *cells, int gpu);
/* grid-rows.c: what the rows of NODE say whose GPUs are too small for texts. */
void plg_grid_cells_add_row_texts (const PlgGridCells *cells, int node);
/* Whether each run of GPUs that are filled alike says there what they do, with its number. */
gboolean plg_grid_rows_have_tags (PlgGrid *grid);
/* How far their letters reach below their GPUs; 0 where GPUs have texts of their own. */
double plg_grid_tag_reach (const PlgGrid *grid);

/* grid-nodes.c: cards with labels; and where a node is one tile, that */
void plg_grid_add_nodes (PlgGrid *grid);
void plg_grid_add_node_tiles (PlgGrid *grid);
/* Whether nodes have their numbers beside them when they are seen from afar. */
gboolean plg_grid_has_node_numbers (const PlgGrid *grid);
/* Opens the group of shapes of NODE. */
void plg_grid_open_node (const PlgGrid *grid, int node);
PlgSwatch plg_grid_memory_swatch (const PlgTheme *theme, double share);

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
} PlgGridWires;

/* grid-wires.c */
PlgGridWires *plg_grid_wires_new (const PlgGrid *grid);
void plg_grid_wires_free (PlgGridWires *wires);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (PlgGridWires, plg_grid_wires_free)
/* How the link with this index looks; INDEX -1 is a place without one. */
typedef struct
{
  PlgColor color;
  double width;
} PlgGridLook;
PlgGridLook plg_grid_look (const PlgGrid *grid, int index);
const PlgLink *plg_grid_link (const PlgGrid *grid, int index);
/* The busier of two links, either of which may be -1; a lit one before a faded one. */
int plg_grid_busier (const PlgGrid *grid, int a, int b);
/* Opens the group of shapes of one link; FALSE and nothing to close for -1. */
gboolean plg_grid_open_link (PlgGrid *grid, int index);
/* Dashed where the link is slow or has failed. NULL where it is not drawn. */
PlgShape *
plg_grid_add_wire (PlgGrid *grid, const PlgPoint *points, int n, int index, PlgGridLook look);
PlgShape *plg_grid_add_straight (PlgGrid *grid,
                                 double x1,
                                 double y1,
                                 double x2,
                                 double y2,
                                 int index,
                                 PlgGridLook look);
/* The same for what stands for other links, too: whole, whatever is wrong with this one. */
void plg_grid_add_bar (PlgGrid *grid,
                       double x1,
                       double y1,
                       double x2,
                       double y2,
                       int index,
                       PlgGridLook look);
/* What faults leave of the rate of a link, or of the computing of a GPU; 1 where all is well. */
double plg_grid_link_rate (const PlgGrid *grid, int index);
double plg_grid_gpu_rate (const PlgGrid *grid, int gpu);
/* "at 50 %" or "failed"; g_free(). */
char *plg_grid_rate_in_words (double rate);
/* grid-faults.c: signs on what has failed or is slow, SIZE points to each side of X, Y */
void plg_grid_add_fault_mark (PlgGrid *grid, double x, double y, double size, double rate);
void plg_grid_add_faults (PlgGrid *grid, const PlgGridWires *wires);
/* What the signs mean, where there are any. */
void plg_grid_add_fault_legend (PlgGrid *grid, PlgLegend *legend);
/* Lines and boxes are drawn smaller where GPUs are. */
gboolean plg_grid_is_small (const PlgGrid *grid);
/* Whether it is seen from afar, on the screen, and drawn with less. */
gboolean plg_grid_is_terse (const PlgGrid *grid);
/* On the screen nothing has ids, classes and titles: to make them takes longer than to draw. A file
 * has them at any zoom. */
gboolean plg_grid_is_nameless (const PlgGrid *grid);
/* So long a length as looks like POINTS at natural size, however far one has zoomed out, but MOST
 * points at most. */
double plg_grid_legible (const PlgGrid *grid, double points, double most);
/* The size in points that every text must have, 0 where there is none. */
double plg_grid_least_text (const PlgGrid *grid);
/* Whether NODE lies in what is seen. */
gboolean plg_grid_shows_node (const PlgGrid *grid, int node);

/* Whether the link with this index, or -1, is lit: pinned, chosen, or on the way of what is. */
gboolean plg_grid_lights (const PlgGrid *grid, int index);
/* Whether the link with this index, or -1, is drawn: beside rings only what is lit, so that both
 * views are seen of the same thing. */
gboolean plg_grid_draws_link (const PlgGrid *grid, int index);
/* Whether any link of the report is. */
gboolean plg_grid_draws_links (const PlgGrid *grid);

/* grid-links.c: inside the nodes */
void plg_grid_add_wiring (PlgGrid *grid, const PlgGridWires *wires);
/* grid-network.c: between the nodes; the boxes and the rails, which run over their cards */
void plg_grid_add_network (PlgGrid *grid, const PlgGridWires *wires);
/* The middle of the uplink of LEAF to SPINE. */
PlgPoint
plg_grid_uplink_point (const PlgGrid *grid, const PlgGridWires *wires, int leaf, int spine);

/* From the nodes to the boxes to their right in a tree network. */
#define PLG_GRID_LEAF_GAP 10.0
/* grid-nics.c: what lies on cards and rails */
void plg_grid_add_nics (PlgGrid *grid, const PlgGridWires *wires);
/* The column of tiles beside which NIC of a node stands, and the middle of its dot. */
int plg_grid_nic_column (const PlgGrid *grid, const PlgGridWires *wires, int nic);
PlgPoint plg_grid_nic_point (const PlgGrid *grid, const PlgGridWires *wires, int node, int nic);

/* grid-racks.c: whole racks, and what leaves them */
void plg_grid_add_racks (PlgGrid *grid);
void plg_grid_add_links_of_racks (PlgGrid *grid, const PlgGridWires *wires);

/* grid-groups.c: outlines, and what the thin ones mean, where there are any */
void plg_grid_add_groups (PlgGrid *grid);
/* Of each GPU the axes, bit 1 << axis, of the strong outlines that it is in; NULL where there are
 * none. g_free(). */
guint8 *plg_grid_outlined_gpus (const PlgGrid *grid);
void plg_grid_add_outline_note (const PlgGrid *grid, PlgLegend *legend);
/* Where GPUs are too small for it, or have no ranks, nothing is outlined. */
gboolean plg_grid_can_outline (const PlgGrid *grid);

/* grid-arrows.c: arrows from member to member of the group of AXIS around RANK, back to the first
 * where it is a ring. APART keeps the arrows of all groups of AXIS off each other. */
void plg_grid_add_chain (PlgGrid *grid, PlgAxis axis, int rank, PlgGridLook look, gboolean apart);
/* How these arrows look: in the view of rings as a link that carried what a GPU sends over AXIS,
 * for rings and links are two views of the same; in the colour of the axis where links have no
 * colours, and as a chain over them. */
PlgGridLook plg_grid_ring_look (const PlgGrid *grid, PlgAxis axis);
/* The GPUs in the order in which data go round, and how many arrows N of them have. */
GArray *plg_grid_ring_gpus (const PlgGrid *grid, PlgAxis axis, int rank);
int plg_grid_ring_arrows (PlgAxis axis, int n);
/* Whether the ring of GPUS goes to and fro, inside a node as NCCL's may, or from node to node. */
gboolean plg_grid_ring_jumps (const PlgGrid *grid, const GArray *gpus, gboolean inside);
/* Where it passes below GPU. */
PlgPoint plg_grid_ring_stop (const PlgGrid *grid, int gpu);
/* From box to box, with GAP between those of a row and between rows. */
void plg_grid_add_arrow (const PlgGrid *grid,
                         PlgRect from,
                         PlgRect to,
                         PlgPoint gap,
                         PlgThing thing,
                         PlgGridLook look,
                         int lane);

/* grid-rings.c: the view of rings in the place of links. With one axis alone all its rings, else
 * one of each axis; one of them stands out, the others lie below the GPUs. */
void plg_grid_add_rings (PlgGrid *grid);
void plg_grid_add_other_rings (PlgGrid *grid);
/* Whether a ring of AXIS is drawn; whether all are, and how those look beside the one that stands
 * out. */
gboolean plg_grid_draws_rings (const PlgGrid *grid, PlgAxis axis);
/* Whether any of them is seen: not where each lies within a box that is one tile. */
gboolean plg_grid_shows_rings (const PlgGrid *grid, PlgAxis axis);
gboolean plg_grid_has_all_rings (const PlgGrid *grid, PlgAxis axis);
PlgGridLook plg_grid_pale_ring_look (const PlgGrid *grid, PlgAxis axis);

/* grid-moved.c: what does not sit where the order puts it */
gboolean plg_grid_is_moved (const PlgGrid *grid, int gpu);
void plg_grid_add_moved_mark (PlgGrid *grid, int gpu, PlgColor ink, PlgColor line);
/* Where a node is one tile. */
void plg_grid_add_moved_node (PlgGrid *grid, int node, PlgColor color);
void plg_grid_add_moved_note (const PlgGrid *grid, PlgLegend *legend);
/* Where the legend is short: how thick links are, until something is moved; then that, in as much
 * room. */
void plg_grid_add_widths_or_moved (const PlgGrid *grid, PlgLegend *legend);
/* grid-pins.c: after what is pinned, for the marks lie on it */
void plg_grid_add_pins (PlgGrid *grid);

/* grid-handles.c */
void plg_grid_add_handles (PlgGrid *grid);

G_END_DECLS
