/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Which rank sits on which GPU. GPU g is number g % gpus_per_node of node g / gpus_per_node.
 * Absent (size 0): rank r sits on GPU r, the nesting order decides. Otherwise complete: a
 * permutation of all GPUs. */
typedef struct
{
  int size;
  int *gpu_of_rank; /* owned, SIZE entries, or NULL */
} PlgPlacement;

void plg_placement_clear (PlgPlacement *placement);
void plg_placement_copy (PlgPlacement *to, const PlgPlacement *from);
gboolean plg_placement_equal (const PlgPlacement *a, const PlgPlacement *b);
/* Makes it explicit: the identity of SIZE ranks, unless it is explicit already. */
void plg_placement_expand (PlgPlacement *placement, int size);
/* Makes it absent again when it is the identity. */
void plg_placement_simplify (PlgPlacement *placement);
int plg_placement_gpu (const PlgPlacement *placement, int rank);
/* Linear in the size; fill an inverse table with plg_placement_invert for more. */
int plg_placement_rank (const PlgPlacement *placement, int gpu);
/* The lowest GPU of ranks START .. START + N - 1; TRUE when they fill N GPUs that follow each
 * other, in whatever order. */
gboolean plg_placement_block (const PlgPlacement *placement, int start, int n, int *first);
/* How many ranks sit on another GPU than the order puts them on. */
int plg_placement_moved (const PlgPlacement *placement);
/* rank_of_gpu[0 .. size-1] */
void plg_placement_invert (const PlgPlacement *placement, int size, int *rank_of_gpu);

G_END_DECLS
