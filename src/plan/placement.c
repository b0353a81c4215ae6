/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "plan/placement.h"

#include <string.h>

void
plg_placement_clear (PlgPlacement *placement)
{
  placement->size = 0;
  g_clear_pointer (&placement->gpu_of_rank, g_free);
}

void
plg_placement_copy (PlgPlacement *to, const PlgPlacement *from)
{
  if (to == from)
    return;
  /* A drag copies the plan in each frame, so reuse the memory if the size is unchanged. */
  if (to->size != from->size)
    {
      plg_placement_clear (to);
      to->gpu_of_rank = from->size > 0 ? g_new (int, from->size) : NULL;
      to->size = from->size;
    }
  if (from->size > 0)
    memcpy (to->gpu_of_rank, from->gpu_of_rank, sizeof (int) * from->size);
}

gboolean
plg_placement_equal (const PlgPlacement *a, const PlgPlacement *b)
{
  return a->size == b->size &&
         (a->size == 0 || memcmp (a->gpu_of_rank, b->gpu_of_rank, sizeof (int) * a->size) == 0);
}

void
plg_placement_expand (PlgPlacement *placement, int size)
{
  if (placement->size > 0 || size <= 0)
    return;
  placement->gpu_of_rank = g_new (int, size);
  placement->size = size;
  for (int i = 0; i < size; i++)
    placement->gpu_of_rank[i] = i;
}

void
plg_placement_simplify (PlgPlacement *placement)
{
  for (int i = 0; i < placement->size; i++)
    if (placement->gpu_of_rank[i] != i)
      return;
  plg_placement_clear (placement);
}

int
plg_placement_gpu (const PlgPlacement *placement, int rank)
{
  if (rank < 0 || rank >= placement->size)
    return rank;
  return placement->gpu_of_rank[rank];
}

int
plg_placement_rank (const PlgPlacement *placement, int gpu)
{
  for (int i = 0; i < placement->size; i++)
    if (placement->gpu_of_rank[i] == gpu)
      return i;
  return gpu;
}

gboolean
plg_placement_block (const PlgPlacement *placement, int start, int n, int *first)
{
  int low = G_MAXINT, high = -1;

  for (int rank = start; rank < start + n; rank++)
    {
      int gpu = plg_placement_gpu (placement, rank);

      low = MIN (low, gpu);
      high = MAX (high, gpu);
    }
  *first = low;
  return high - low + 1 == n;
}

int
plg_placement_moved (const PlgPlacement *placement)
{
  int moved = 0;

  for (int rank = 0; rank < placement->size; rank++)
    moved += placement->gpu_of_rank[rank] != rank;
  return moved;
}

void
plg_placement_invert (const PlgPlacement *placement, int size, int *rank_of_gpu)
{
  for (int i = 0; i < size; i++)
    rank_of_gpu[i] = i;
  for (int i = 0; i < MIN (size, placement->size); i++)
    if (placement->gpu_of_rank[i] >= 0 && placement->gpu_of_rank[i] < size)
      rank_of_gpu[placement->gpu_of_rank[i]] = i;
}
