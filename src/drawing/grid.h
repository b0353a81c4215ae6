/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "drawing/grid-layout.h"
#include "drawing/legend.h"

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
  guint8 *lit_gpu;  /* NULL: nothing is focused, so nothing fades */
  guint8 *lit_link; /* as many as the report's links, or NULL */
  PlgLinkScale scale;
  PlgLinkWidths widths;
} PlgGrid;

/* grid-focus.c: what belongs to the focused thing. */
void plg_grid_light (PlgGrid *grid);
gboolean plg_grid_gpu_lit (const PlgGrid *grid, int gpu);
gboolean plg_grid_link_lit (const PlgGrid *grid, int link);
/* COLOR as it is where nothing is focused, or close to the background where IS_LIT is FALSE. */
PlgColor plg_grid_fade (const PlgGrid *grid, PlgColor color, gboolean is_lit);
/* The lowest rank of a group, or -1. */
int plg_grid_first_rank (const PlgGrid *grid, PlgAxis axis, int group);
/* The rank that THING is about, or -1: of a GPU, a handle, a group. */
int plg_grid_rank_of (const PlgGrid *grid, PlgThing thing);
/* A GPU at which LINK ends, or -1. */
int plg_grid_gpu_of_link (const PlgGrid *grid, const PlgLink *link);
/* The GPUs of the group of AXIS around RANK, in the order of the axis. Array of int. */
GArray *plg_grid_group_gpus (const PlgGrid *grid, PlgAxis axis, int rank);
gboolean plg_grid_has_ranks (const PlgGrid *grid);

/* grid-cells.c */
void plg_grid_add_nodes (PlgGrid *grid);
void plg_grid_add_gpus (PlgGrid *grid);
PlgSwatch plg_grid_memory_swatch (const PlgTheme *theme, double share);

/* grid-links.c: the wires, in the order in which they are painted. */
typedef struct _PlgGridWires PlgGridWires;
PlgGridWires *plg_grid_wires_new (const PlgGrid *grid);
void plg_grid_wires_free (PlgGridWires *wires);
void plg_grid_add_network (PlgGrid *grid, const PlgGridWires *wires); /* behind the nodes */
void plg_grid_add_wiring (PlgGrid *grid, const PlgGridWires *wires);  /* inside the nodes */
G_DEFINE_AUTOPTR_CLEANUP_FUNC (PlgGridWires, plg_grid_wires_free)

/* grid-groups.c: outlines, chains and rings. */
void plg_grid_add_groups (PlgGrid *grid);
void plg_grid_add_rings (PlgGrid *grid);

/* grid-handles.c */
void plg_grid_add_handles (PlgGrid *grid);
/* Where the block of AXIS that holds RANK can be gripped; FALSE where it cannot. */
gboolean plg_grid_block_gpus (const PlgGrid *grid, PlgAxis axis, int rank, int *first, int *n);

G_END_DECLS
