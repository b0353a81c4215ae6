/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "plan/parallelism.h"

#include "plan/order-preset.h"

#include <string.h>

gint64
plg_greatest_common_divisor (gint64 a, gint64 b)
{
  while (b != 0)
    {
      gint64 rest = a % b;

      a = b;
      b = rest;
    }
  return a;
}

gint64
plg_least_common_multiple (gint64 a, gint64 b)
{
  return a / plg_greatest_common_divisor (a, b) * b;
}

gint64
plg_parallelism_world (const PlgParallelism *parallelism)
{
  gint64 world = 1;

  for (int i = 0; i < PLG_N_NESTED_AXES; i++)
    {
      gint64 degree = MAX (1, parallelism->degree[parallelism->order[i]]);

      /* Cap the product at a value larger than any cluster, because the product of four degrees
       * of 65 536 overflows a gint64. */
      if (world > G_MAXINT64 / degree)
        return G_MAXINT64;
      world *= degree;
    }
  return world;
}

int
plg_axis_stride (const PlgParallelism *parallelism, PlgAxis axis)
{
  int stride = 1;

  for (int i = 0; i < PLG_N_NESTED_AXES && parallelism->order[i] != axis; i++)
    stride *= parallelism->degree[parallelism->order[i]];
  return stride;
}

int
plg_axis_block (const PlgParallelism *parallelism, PlgAxis axis)
{
  if (axis == PLG_AXIS_EP)
    return parallelism->etp * parallelism->degree[PLG_AXIS_EP];
  return plg_axis_stride (parallelism, axis) * parallelism->degree[axis];
}

int
plg_axis_bounded_block (const PlgParallelism *parallelism, PlgAxis axis)
{
  if (parallelism->order[PLG_N_NESTED_AXES - 1] == axis)
    return plg_axis_stride (parallelism, axis);
  return plg_axis_block (parallelism, axis);
}

/* Returns the index of RANK among the ranks of its stage, in rank order. */
static int
index_in_stage (const PlgParallelism *parallelism, int rank)
{
  int stride = plg_axis_stride (parallelism, PLG_AXIS_PP);
  int stages = parallelism->degree[PLG_AXIS_PP];

  return rank / (stride * stages) * stride + rank % stride;
}

PlgCoordinate
plg_rank_coordinate (const PlgParallelism *parallelism, int rank)
{
  PlgCoordinate coordinate;
  int rest = rank;

  for (int i = 0; i < PLG_N_NESTED_AXES; i++)
    {
      PlgAxis axis = parallelism->order[i];

      coordinate.index[axis] = rest % parallelism->degree[axis];
      rest /= parallelism->degree[axis];
    }
  coordinate.index[PLG_AXIS_EP] = index_in_stage (parallelism, rank) / parallelism->etp %
                                  parallelism->degree[PLG_AXIS_EP];
  return coordinate;
}

int
plg_coordinate_rank (const PlgParallelism *parallelism, const PlgCoordinate *coordinate)
{
  int rank = 0;
  int stride = 1;

  for (int i = 0; i < PLG_N_NESTED_AXES; i++)
    {
      PlgAxis axis = parallelism->order[i];

      rank += coordinate->index[axis] * stride;
      stride *= parallelism->degree[axis];
    }
  return rank;
}

int
plg_axis_groups (const PlgParallelism *parallelism, PlgAxis axis)
{
  return (int) (plg_parallelism_world (parallelism) / parallelism->degree[axis]);
}

/* Returns how many of the first N ranks of a stage are the lowest in their expert group. */
static int
expert_groups_before (const PlgParallelism *parallelism, int n)
{
  int block = parallelism->etp * parallelism->degree[PLG_AXIS_EP];

  return n / block * parallelism->etp + MIN (n % block, parallelism->etp);
}

/* Returns the index, within the stage, of the lowest member of RANK's expert group. */
static int
expert_group_start (const PlgParallelism *parallelism, int rank)
{
  int block = parallelism->etp * parallelism->degree[PLG_AXIS_EP];
  int index = index_in_stage (parallelism, rank);

  return index / block * block + index % parallelism->etp;
}

/* Returns the number of expert groups whose lowest rank is lower than that of RANK's group. A
 * rank has three indices: outer, which varies slowest, then stage, then inner, which varies
 * fastest. Its index in the stage is outer x stride + inner. */
static int
expert_group_of (const PlgParallelism *parallelism, int rank)
{
  int stride = plg_axis_stride (parallelism, PLG_AXIS_PP);
  int stages = parallelism->degree[PLG_AXIS_PP];
  int stage = rank / stride % stages;
  int start = expert_group_start (parallelism, rank);
  int outer = start / stride * stride;
  int before_outer = expert_groups_before (parallelism, outer);
  int in_outer = expert_groups_before (parallelism, outer + stride) - before_outer;

  return stages * before_outer + stage * in_outer + expert_groups_before (parallelism, start) -
         before_outer;
}

int
plg_axis_group_of (const PlgParallelism *parallelism, PlgAxis axis, int rank)
{
  int stride;

  if (axis == PLG_AXIS_EP)
    return expert_group_of (parallelism, rank);
  stride = plg_axis_stride (parallelism, axis);
  return rank / (stride * parallelism->degree[axis]) * stride + rank % stride;
}

void
plg_axis_group_members (const PlgParallelism *parallelism, PlgAxis axis, int rank, int *ranks)
{
  int degree = parallelism->degree[axis];
  int stride = axis == PLG_AXIS_EP ? parallelism->etp : plg_axis_stride (parallelism, axis);
  int start = rank - rank / stride % degree * stride;
  int pp_stride = plg_axis_stride (parallelism, PLG_AXIS_PP);
  int stages = parallelism->degree[PLG_AXIS_PP];
  int stage = rank / pp_stride % stages;

  if (axis == PLG_AXIS_EP)
    start = expert_group_start (parallelism, rank);
  for (int i = 0; i < degree; i++)
    {
      int index = start + i * stride;

      /* For EP, convert the index in the stage back to a rank. */
      ranks[i] = axis == PLG_AXIS_EP ? index / pp_stride * (pp_stride * stages) +
                                           stage * pp_stride + index % pp_stride
                                     : index;
    }
}

int
plg_parallelism_replicate (const PlgParallelism *parallelism)
{
  return parallelism->zero == 0 ? 1 : MAX (parallelism->replicate, 1);
}

int
plg_parallelism_shards (const PlgParallelism *parallelism)
{
  int dp = MAX (parallelism->degree[PLG_AXIS_DP], 1);

  return MAX (dp / plg_parallelism_replicate (parallelism), 1) *
         MAX (parallelism->degree[PLG_AXIS_CP], 1);
}

int
plg_parallelism_replicate_limit (const PlgParallelism *parallelism)
{
  const int *degree = parallelism->degree;
  gint64 dp = MAX (degree[PLG_AXIS_DP], 1);
  gint64 stage = dp * MAX (degree[PLG_AXIS_TP], 1) * MAX (degree[PLG_AXIS_CP], 1);
  gint64 expert = (gint64) MAX (degree[PLG_AXIS_EP], 1) * MAX (parallelism->etp, 1);

  return (int) plg_greatest_common_divisor (dp, MAX (stage / expert, 1));
}

/* Returns the replicas of one shard group. */
static int
shard_replicas (const PlgParallelism *parallelism)
{
  return MAX (parallelism->degree[PLG_AXIS_DP] / MAX (parallelism->replicate, 1), 1);
}

int
plg_shard_block (const PlgParallelism *parallelism)
{
  return plg_axis_stride (parallelism, PLG_AXIS_DP) * shard_replicas (parallelism);
}

int
plg_shard_start (const PlgParallelism *parallelism, int index)
{
  return index - index % shard_replicas (parallelism);
}

void
plg_parallelism_fit_replicate (PlgParallelism *parallelism)
{
  parallelism->replicate = (int)
      plg_greatest_common_divisor (plg_parallelism_replicate_limit (parallelism),
                                   MAX (parallelism->replicate, 1));
}

void
plg_parallelism_clear_layers (PlgParallelism *parallelism)
{
  parallelism->first_layers = parallelism->last_layers = 0;
  parallelism->layout.stages = 0;
}

void
plg_parallelism_set_layout (PlgParallelism *parallelism, const PlgStageLayout *layout)
{
  plg_parallelism_clear_layers (parallelism);
  parallelism->embedding_slot = parallelism->loss_slot = FALSE;
  parallelism->layout = *layout;
}

int
plg_parallelism_copy_stage (const PlgParallelism *parallelism)
{
  const PlgStageLayout *layout = &parallelism->layout;
  int stages = parallelism->degree[PLG_AXIS_PP];

  return layout->mtp_layers > 0 && layout->stages > 0 ? layout->mtp % stages : stages - 1;
}

char *
plg_order_to_string (const PlgParallelism *parallelism)
{
  const PlgAxis *order = parallelism->order;

  return g_strdup_printf ("%s-%s-%s-%s", plg_axis_name (order[0]), plg_axis_name (order[1]),
                          plg_axis_name (order[2]), plg_axis_name (order[3]));
}

char *
plg_order_title (const PlgAxis order[PLG_N_NESTED_AXES], const int *degree)
{
  GString *title = g_string_new (NULL);

  for (int i = 0; i < PLG_N_NESTED_AXES; i++)
    if (degree == NULL || degree[order[i]] > 1)
      g_string_append_printf (title, "%s%s", title->len > 0 ? " → " : "",
                              plg_axis_label (order[i]));
  return g_string_free (title, FALSE);
}

static gboolean
contains (const PlgAxis *order, int n, PlgAxis axis)
{
  for (int i = 0; i < n; i++)
    if (order[i] == axis)
      return TRUE;
  return FALSE;
}

/* Stores the axes that NAMES lists, except EP, in ORDER and returns their number. Returns -1 if
 * a name is unknown or repeated. */
static int
named_axes (char **names, PlgAxis order[PLG_N_NESTED_AXES])
{
  guint seen = 0;
  int n = 0;

  for (int i = 0; names[i] != NULL; i++)
    {
      PlgAxis axis;

      if (!plg_axis_from_name (names[i], &axis) || (seen & (1u << axis)) != 0)
        return -1;
      seen |= 1u << axis;
      if (axis != PLG_AXIS_EP)
        order[n++] = axis;
    }
  return n;
}

gboolean
plg_order_from_string (const char *text, PlgAxis order[PLG_N_NESTED_AXES])
{
  static const PlgAxis rest[] = { PLG_AXIS_TP, PLG_AXIS_PP, PLG_AXIS_DP };
  g_auto (GStrv) names = g_strsplit (text, "-", PLG_N_AXES + 1);
  const PlgOrderPreset *preset = plg_order_preset_find (text);
  PlgAxis read[PLG_N_NESTED_AXES];
  int n = named_axes (names, read);

  if (preset != NULL)
    {
      memcpy (order, preset->order, sizeof preset->order);
      return TRUE;
    }
  if (n <= 0)
    return FALSE;
  for (guint i = 0; i < G_N_ELEMENTS (rest); i++)
    if (!contains (read, n, rest[i]))
      read[n++] = rest[i];
  if (!contains (read, n, PLG_AXIS_CP))
    {
      int at = n;

      while (at > 0 && read[at - 1] != PLG_AXIS_TP)
        {
          read[at] = read[at - 1];
          at--;
        }
      read[at] = PLG_AXIS_CP;
    }
  for (int i = 0; i < PLG_N_NESTED_AXES; i++)
    order[i] = read[i];
  return TRUE;
}

gboolean
plg_parallelism_equal (const PlgParallelism *a, const PlgParallelism *b)
{
  for (int i = 0; i < PLG_N_AXES; i++)
    if (a->degree[i] != b->degree[i])
      return FALSE;
  for (int i = 0; i < PLG_N_NESTED_AXES; i++)
    if (a->order[i] != b->order[i])
      return FALSE;
  if (a->first_layers != b->first_layers || a->last_layers != b->last_layers ||
      !a->embedding_slot != !b->embedding_slot || !a->loss_slot != !b->loss_slot ||
      !plg_stage_layout_equal (&a->layout, &b->layout))
    return FALSE;
  return a->etp == b->etp && a->cp_type == b->cp_type && a->chunks == b->chunks &&
         a->zero == b->zero && MAX (a->replicate, 1) == MAX (b->replicate, 1) &&
         !a->sequence == !b->sequence && !a->overlap_dp == !b->overlap_dp &&
         !a->overlap_tp == !b->overlap_tp && !a->overlap_pp == !b->overlap_pp &&
         !a->overlap_ep == !b->overlap_ep && a->dispatcher == b->dispatcher;
}
