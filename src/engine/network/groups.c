/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "engine/network/groups.h"

static void
add (PlgDimension *dimensions, int *n, int degree, int stride)
{
  if (degree > 1)
    dimensions[(*n)++] = (PlgDimension) { .degree = degree, .stride = stride };
}

/* The bit of the outer level of DP (HSDP) in a set of axes. The bit of DP is its inner level. */
#define REPLICATE_BIT (1u << PLG_N_AXES)

/* Adds a dimension of two levels of DEGREE members, split in OUTER outer members. IN_INNER and
 * IN_OUTER say whether the members of a group differ in the inner and in the outer level. */
static void
add_levels (PlgGroups *groups,
            int degree,
            int outer,
            int stride,
            gboolean in_inner,
            gboolean in_outer)
{
  int inner = MAX (degree / outer, 1);

  if (in_inner == in_outer)
    {
      if (in_inner)
        add (groups->inner, &groups->n_inner, degree, stride);
      else
        add (groups->outer, &groups->n_outer, degree, stride);
      return;
    }
  add (in_inner ? groups->inner : groups->outer, in_inner ? &groups->n_inner : &groups->n_outer,
       inner, stride);
  add (in_outer ? groups->inner : groups->outer, in_outer ? &groups->n_inner : &groups->n_outer,
       outer, stride * inner);
}

/* Sets the dimensions of the groups over the axes in MEMBERS. The members of a group differ in
 * these axes, and the groups of a stage differ in all other axes except PP. Strides are in ranks
 * of one stage. */
static void
init_nested (PlgGroups *groups, const PlgParallelism *parallelism, guint members)
{
  int stride = 1;

  for (int i = 0; i < PLG_N_NESTED_AXES; i++)
    {
      PlgAxis axis = parallelism->order[i];
      int degree = parallelism->degree[axis];

      if (axis == PLG_AXIS_PP)
        continue;
      add_levels (groups, degree, axis == PLG_AXIS_DP ? MAX (parallelism->replicate, 1) : 1, stride,
                  (members & (1u << axis)) != 0,
                  (members & (axis == PLG_AXIS_DP ? REPLICATE_BIT : 1u << axis)) != 0);
      stride *= degree;
    }
}

static int
volume (const PlgDimension *dimensions, int n)
{
  int product = 1;

  for (int i = 0; i < n; i++)
    product *= dimensions[i].degree;
  return product;
}

static gboolean
is_chain (const PlgGroups *groups)
{
  return groups->kind == PLG_GROUP_PP || groups->kind == PLG_GROUP_EMBEDDING;
}

void
plg_groups_init (PlgGroups *groups, const PlgParallelism *parallelism, PlgGroupKind kind)
{
  *groups = (PlgGroups) { .kind = kind };
  groups->stages = parallelism->degree[PLG_AXIS_PP];
  groups->copy_stage = plg_parallelism_copy_stage (parallelism);
  groups->stage_stride = plg_axis_stride (parallelism, PLG_AXIS_PP);
  switch (groups->kind)
    {
    case PLG_GROUP_TP:
      init_nested (groups, parallelism, 1u << PLG_AXIS_TP);
      break;
    case PLG_GROUP_CP:
      init_nested (groups, parallelism, 1u << PLG_AXIS_CP);
      break;
    case PLG_GROUP_DATA:
      init_nested (groups, parallelism, 1u << PLG_AXIS_CP | 1u << PLG_AXIS_DP | REPLICATE_BIT);
      break;
    case PLG_GROUP_SHARD:
      init_nested (groups, parallelism, 1u << PLG_AXIS_CP | 1u << PLG_AXIS_DP);
      break;
    case PLG_GROUP_REPLICATE:
      init_nested (groups, parallelism, REPLICATE_BIT);
      break;
    case PLG_GROUP_EP:
    case PLG_GROUP_ETP:
    case PLG_GROUP_EXPERT_DATA:
    case PLG_GROUP_EXPERT_SHARD:
    case PLG_GROUP_EXPERT_REPLICATE:
      {
        /* Number the ranks of one stage so that ETP is the innermost dimension, followed by EP
         * and then by the replicas. */
        static const PlgGroupKind kinds[] = { PLG_GROUP_ETP, PLG_GROUP_EP, PLG_GROUP_EXPERT_SHARD };
        int stage = parallelism->degree[PLG_AXIS_TP] * parallelism->degree[PLG_AXIS_CP] *
                    parallelism->degree[PLG_AXIS_DP];
        int degrees[] = { MAX (parallelism->etp, 1), MAX (parallelism->degree[PLG_AXIS_EP], 1), 1 };
        int stride = 1;

        degrees[2] = MAX (stage / (degrees[0] * degrees[1]), 1);
        for (int i = 0; i < 3; i++)
          {
            gboolean are_copies = i == 2;

            add_levels (groups, degrees[i], are_copies ? MAX (parallelism->replicate, 1) : 1,
                        stride, kinds[i] == kind || (are_copies && kind == PLG_GROUP_EXPERT_DATA),
                        are_copies
                            ? kind == PLG_GROUP_EXPERT_DATA || kind == PLG_GROUP_EXPERT_REPLICATE
                            : kinds[i] == kind);
            stride *= degrees[i];
          }
      }
      break;
    case PLG_GROUP_PP:
    case PLG_GROUP_EMBEDDING:
    default:
      init_nested (groups, parallelism, 0);
      break;
    }
  groups->size = volume (groups->inner, groups->n_inner);
  groups->count = volume (groups->outer, groups->n_outer);
  if (kind == PLG_GROUP_PP)
    groups->size = groups->stages;
  else if (kind == PLG_GROUP_EMBEDDING)
    groups->size = MIN (groups->stages, 2);
  else
    groups->count *= groups->stages;
}

static int
spread (const PlgDimension *dimensions, int n, int number)
{
  int index = 0;

  for (int i = 0; i < n; i++)
    {
      index += number % dimensions[i].degree * dimensions[i].stride;
      number /= dimensions[i].degree;
    }
  return index;
}

static int
rank_in_stage (const PlgGroups *groups, int stage, int index)
{
  int stride = groups->stage_stride;

  return index / stride * (stride * groups->stages) + stage * stride + index % stride;
}

int
plg_groups_rank (const PlgGroups *groups, int group, int i)
{
  int in_stage = is_chain (groups) ? group : group / groups->stages;
  int index = spread (groups->outer, groups->n_outer, in_stage);

  if (groups->kind == PLG_GROUP_PP)
    return rank_in_stage (groups, i, index);
  if (groups->kind == PLG_GROUP_EMBEDDING)
    return rank_in_stage (groups, i == 0 ? 0 : groups->copy_stage, index);
  index += spread (groups->inner, groups->n_inner, i);
  return rank_in_stage (groups, group % groups->stages, index);
}

int
plg_groups_stage (const PlgGroups *groups, int group)
{
  return is_chain (groups) ? 0 : group % groups->stages;
}

/* The number of a group within its stage is a mixed-radix number with one digit per outer
 * dimension. */
int
plg_groups_find (const PlgGroups *groups, int rank)
{
  int stride = groups->stage_stride;
  int index = rank / (stride * groups->stages) * stride + rank % stride;
  int group = 0, unit = 1;

  for (int i = 0; i < groups->n_outer; i++)
    {
      const PlgDimension *dimension = &groups->outer[i];

      group += index / dimension->stride % dimension->degree * unit;
      unit *= dimension->degree;
    }
  return is_chain (groups) ? group : group * groups->stages + rank / stride % groups->stages;
}
