/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* The GPU of each rank. GPU g is GPU g % gpus_per_node of node g / gpus_per_node. If SIZE is 0,
 * rank r is on GPU r. Otherwise gpu_of_rank is a permutation of all GPUs. */
typedef struct
{
  int size;
  int *gpu_of_rank; /* owned, SIZE entries; NULL if SIZE is 0 */
} PlgPlacement;

void plg_placement_clear (PlgPlacement *placement);
void plg_placement_copy (PlgPlacement *to, const PlgPlacement *from);
gboolean plg_placement_equal (const PlgPlacement *a, const PlgPlacement *b);
/* Changes an empty placement to the identity with SIZE ranks. */
void plg_placement_expand (PlgPlacement *placement, int size);
/* Clears the placement if it is the identity. */
void plg_placement_simplify (PlgPlacement *placement);
int plg_placement_gpu (const PlgPlacement *placement, int rank);
/* Returns the rank on GPU. The search takes time proportional to the number of ranks, so use
 * plg_placement_invert() for many look-ups. */
int plg_placement_rank (const PlgPlacement *placement, int gpu);
/* Sets *FIRST to the lowest number among the GPUs of ranks START .. START + N - 1. Returns TRUE
 * if these ranks fill N consecutive GPUs, in any order. */
gboolean plg_placement_block (const PlgPlacement *placement, int start, int n, int *first);
/* Returns the number of ranks r that are not on GPU r. */
int plg_placement_moved (const PlgPlacement *placement);
/* Fills rank_of_gpu[0 .. size-1] with the rank on each GPU. */
void plg_placement_invert (const PlgPlacement *placement, int size, int *rank_of_gpu);

G_END_DECLS
