/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "document/drag.h"

#include "document/drag-layers.h"
#include "plan/quantity.h"
#include "plan/settings/setting.h"

#include <glib/gi18n-lib.h>
#include <string.h>

/* The largest number of divisors of a number up to PLG_MAX_GPUS is smaller. */
#define MAX_CHOICES 256

struct _PlgDrag
{
  PlgDragKind kind;
  PlgAxis axis;
  int rank;
  int gpu; /* the GPU where the drag began */
  PlgPlan *before;
  PlgReport *report; /* the report of BEFORE, which is the plan at the start of the drag */
  PlgPlan *after;    /* the last valid plan */
  const PlgEditPolicy *policy; /* borrowed; NULL if all edits are allowed */
  gboolean is_refused;         /* whether the pointer's position is not valid */
  PlgDragLimit limit;          /* why the drag goes no further; empty if it follows the pointer */
  int target;                  /* the GPU under the pointer */
  int beside_node;             /* see plg_drag_set_beside_node() */
  gboolean nowhere;            /* whether the pointer is outside every node */
  gboolean outermost; /* whether the dragged axis becomes the outermost axis of the nesting order */
  PlgLayerMove layers; /* the movement of PLG_DRAG_LAYERS */
};

PlgDrag *
plg_drag_begin (PlgDragKind kind, const PlgPlan *plan, PlgReport *before, PlgAxis axis, int rank)
{
  PlgDrag *drag = g_new0 (PlgDrag, 1);

  drag->kind = kind;
  drag->axis = axis;
  drag->rank = rank;
  drag->gpu = plg_placement_gpu (&plan->placement, rank);
  drag->target = drag->gpu;
  drag->before = plg_plan_copy (plan);
  drag->report = plg_report_ref (before);
  drag->after = plg_plan_copy (plan);
  return drag;
}

PlgDrag *
plg_drag_begin_layers (const PlgPlan *plan, PlgReport *before, int stage, int chunk)
{
  PlgDrag *drag = plg_drag_begin (PLG_DRAG_LAYERS, plan, before, PLG_AXIS_PP, 0);

  drag->layers = (PlgLayerMove) { .stage = stage, .chunk = chunk };
  return drag;
}

void
plg_drag_free (PlgDrag *drag)
{
  if (drag == NULL)
    return;
  plg_plan_free (drag->before);
  plg_plan_free (drag->after);
  plg_report_unref (drag->report);
  plg_drag_limit_clear (&drag->limit);
  g_free (drag);
}

void
plg_drag_set_policy (PlgDrag *drag, const PlgEditPolicy *policy)
{
  drag->policy = policy;
}

/* Stores the number of shard groups whose first block ends nearest to GPU, in the plan of the drag.
 * If two are equally near, the smaller change wins. */
static gboolean
drag_shard (const PlgDrag *drag, PlgPlan *plan, int gpu, GError **error)
{
  const PlgParallelism *parallelism = &drag->before->parallelism;
  int dp = parallelism->degree[PLG_AXIS_DP], stride = plg_axis_stride (parallelism, PLG_AXIS_DP);
  int block = plg_shard_block (parallelism), first = 0;
  int choices[MAX_CHOICES], now = MAX (parallelism->replicate, 1), nearest = now;
  int n = MIN (plg_edit_replicate_choices (drag->before, choices, MAX_CHOICES), MAX_CHOICES);

  plg_placement_block (&drag->before->placement, drag->rank / block * block, block, &first);
  for (int i = 0; i < n; i++)
    {
      int wanted = MAX (1, gpu - first + 1);
      int distance = ABS (stride * (dp / choices[i]) - wanted);
      int least = ABS (stride * (dp / nearest) - wanted);

      if (distance < least || (distance == least && ABS (choices[i] - now) < ABS (nearest - now)))
        nearest = choices[i];
    }
  return nearest == now || plg_edit_set_replicate (plan, nearest, error);
}

/* Drag targets */

static gboolean
drag_group (const PlgDrag *drag, PlgPlan *plan, int gpu, GError **error)
{
  int other = plg_placement_rank (&drag->before->placement, gpu);

  switch (drag->axis)
    {
    case PLG_AXIS_PP:
      return plg_edit_swap_stages (plan, drag->rank, other, error);
    case PLG_AXIS_DP:
      return plg_edit_swap_replicas (plan, drag->rank, other, error);
    case PLG_AXIS_TP:
    case PLG_AXIS_CP:
    case PLG_AXIS_EP:
    default:
      return plg_edit_swap_groups (plan, drag->axis, drag->rank, other, error);
    }
}

/* Moves ranks or an axis of PLAN to GPU, which is inside the cluster. */
static gboolean
make_plan (const PlgDrag *drag, PlgPlan *plan, int gpu, gboolean shift, GError **error)
{
  int other = plg_placement_rank (&drag->before->placement, gpu);
  int per_node = drag->before->cluster.gpus_per_node;
  int from = drag->gpu / per_node, to = gpu / per_node;

  switch (drag->kind)
    {
    case PLG_DRAG_SHARD:
      return drag_shard (drag, plan, gpu, error);
    case PLG_DRAG_GROUP:
      return drag_group (drag, plan, gpu, error);
    case PLG_DRAG_NODE:
      return from == to || plg_edit_swap_nodes (plan, from, to, error);
    case PLG_DRAG_AXIS:
      return plg_edit_move_axis (plan, drag->axis, shift ? PLG_N_NESTED_AXES - 1 : 0, error);
    case PLG_DRAG_EDGE:
    case PLG_DRAG_LAYERS:
    case PLG_DRAG_RANK:
    default:
      return other == drag->rank || plg_edit_swap_ranks (plan, drag->rank, other, error);
    }
}

/* Returns why shard groups cannot become larger (STEP 1) or smaller (STEP -1). Free with
 * g_free(). */
static char *
describe_last_shard (const PlgDrag *drag, int step)
{
  const PlgParallelism *parallelism = &drag->before->parallelism;

  if (parallelism->zero == 0)
    return g_strdup (
        _ ("ZeRO 0 shards nothing, so there are no shard groups; set ZeRO to 1, 2 or 3"));
  if (step > 0)
    return g_strdup_printf (
        _ ("The shard group already has all %d replicas of DP; raise DP for larger groups"),
        parallelism->degree[PLG_AXIS_DP]);
  return g_strdup_printf (
      _ ("%d is the largest possible number of shard groups: it must divide DP %d and, "
         "with experts, the copies of each expert"),
      plg_parallelism_replicate_limit (parallelism), parallelism->degree[PLG_AXIS_DP]);
}

/* Says that REASON leaves nothing to swap with, and names KEY=VALUE as the remedy if the plan
 * stays valid with it. */
static void
limit_swap (PlgDrag *drag, char *reason, const char *key, int value)
{
  g_autoptr (PlgPlan) plan = plg_plan_copy (drag->before);
  g_autofree char *assignment = g_strdup_printf ("%s=%d", key, value);
  const char *const assignments[] = { assignment, NULL };

  if (plg_settings_apply (plan, NULL, assignments, NULL) &&
      (drag->policy == NULL || plg_edit_policy_check (drag->policy, drag->before, plan, NULL)))
    plg_drag_limit_set_settings (&drag->limit, reason, assignments);
  else
    drag->limit.text = reason;
}

/* Says why a swap, a move of an axis or of a shard edge to AFTER goes no further, although the
 * position is valid. */
static void
limit_unchanged (PlgDrag *drag, const PlgPlan *after, gboolean shift)
{
  const PlgPlan *before = drag->before;
  const char *label = plg_axis_label (drag->axis);
  int nodes = before->cluster.nodes, degree = before->parallelism.degree[drag->axis];

  if (drag->kind == PLG_DRAG_AXIS && before->parallelism.order[shift ? 3 : 0] == drag->axis)
    {
      drag->limit.remedy = PLG_DRAG_REMEDY_SHIFT;
      drag->limit.text = g_strdup_printf (
          shift ? _ ("%s is the outermost axis already: move the pointer over a node to make it "
                     "the innermost")
                : _ ("%s is the innermost axis already: move the pointer outside the nodes to "
                     "make it the outermost"),
          label);
    }
  else if (drag->kind == PLG_DRAG_SHARD && drag->beside_node > 0)
    {
      if (MAX (after->parallelism.replicate, 1) == 1)
        drag->limit.text = describe_last_shard (drag, 1);
    }
  else if (drag->kind == PLG_DRAG_AXIS || drag->kind == PLG_DRAG_SHARD)
    return;
  else if (drag->nowhere)
    drag->limit.text = g_strdup (_ ("A drop needs a node: move the pointer over a node"));
  else if (plg_cluster_gpus (&before->cluster) == 1)
    limit_swap (drag, g_strdup (_ ("The cluster has one GPU")), "cluster.nodes", 2);
  else if (drag->kind == PLG_DRAG_NODE && nodes == 1)
    limit_swap (drag, g_strdup (_ ("The cluster has one node")), "cluster.nodes", 2);
  else if (drag->kind == PLG_DRAG_GROUP && plg_axis_groups (&before->parallelism, drag->axis) == 1)
    {
      g_autofree char *key = g_strconcat ("parallelism.", plg_axis_name (drag->axis), NULL);
      int factor = 2;

      while (degree % factor != 0)
        factor++;
      limit_swap (drag, g_strdup_printf (_ ("All %d ranks are in one %s group"), degree, label),
                  key, degree / factor);
    }
}

/* Takes PLAN as the plan that a drop applies, or ERROR as the reason of a refusal. Returns
 * whether the plan of the drop has changed. */
static gboolean
take_plan (PlgDrag *drag, const PlgPlan *plan, GError *error)
{
  g_autoptr (GError) owned_error = error;

  if (error == NULL && drag->policy != NULL)
    plg_edit_policy_check (drag->policy, drag->before, plan, &owned_error);
  drag->is_refused = owned_error != NULL;
  if (drag->is_refused)
    {
      plg_drag_limit_clear (&drag->limit);
      drag->limit.text = g_strdup (owned_error->message);
    }
  if (drag->is_refused || plg_plan_equal (plan, drag->after))
    return FALSE;
  plg_plan_assign (drag->after, plan);
  return TRUE;
}

static gboolean
move_edge (PlgDrag *drag, int gpu, int step, gboolean shift)
{
  g_autoptr (PlgPlan) plan = plg_plan_copy (drag->before);
  PlgEdgeMove move = { .axis = drag->axis,
                       .rank = drag->rank,
                       .gpu = gpu,
                       .beside_node = drag->beside_node,
                       .step = step,
                       .shift = shift };

  drag->is_refused = !plg_drag_edge_move (drag->before, drag->policy, &move, plan, &drag->limit);
  if (drag->is_refused || plg_plan_equal (plan, drag->after))
    return FALSE;
  plg_plan_assign (drag->after, plan);
  return TRUE;
}

/* Updates the drag. Applies each pointer position to the initial plan and not to the last
 * preview, because the result must not depend on the path of the pointer. */
gboolean
plg_drag_update (PlgDrag *drag, int gpu, gboolean shift)
{
  g_autoptr (PlgPlan) plan = NULL;
  int gpus = plg_cluster_gpus (&drag->before->cluster);
  GError *error = NULL;

  drag->outermost = shift;
  if (drag->kind == PLG_DRAG_EDGE)
    return move_edge (drag, gpu, 0, shift);

  plg_drag_limit_clear (&drag->limit);
  drag->nowhere = gpu == PLG_DRAG_NO_GPU;
  drag->target = drag->nowhere ? drag->gpu : CLAMP (gpu, 0, gpus - 1);
  plan = plg_plan_copy (drag->before);
  if (make_plan (drag, plan, drag->target, shift, &error))
    limit_unchanged (drag, plan, shift);
  return take_plan (drag, plan, error);
}

/* Makes the shard groups larger (STEP 1) or smaller (STEP -1) by one step. */
static gboolean
step_shard (PlgDrag *drag, int step)
{
  g_autoptr (PlgPlan) plan = plg_plan_copy (drag->before);
  const PlgParallelism *parallelism = &drag->before->parallelism;
  int now = MAX (parallelism->replicate, 1), wanted = -1;
  int choices[MAX_CHOICES];
  int n = MIN (plg_edit_replicate_choices (plan, choices, MAX_CHOICES), MAX_CHOICES);
  GError *error = NULL;

  plg_drag_limit_clear (&drag->limit);
  for (int i = 0; i < n; i++)
    if (step > 0 ? choices[i] < now : choices[i] > now && wanted < 0)
      wanted = choices[i];
  if (wanted > 0)
    plg_edit_set_replicate (plan, wanted, &error);
  else
    {
      g_autofree char *reason = describe_last_shard (drag, step);

      g_set_error_literal (&error, PLG_PLAN_ERROR, PLG_PLAN_ERROR_RANGE, reason);
    }
  return take_plan (drag, plan, error);
}

void
plg_drag_set_beside_node (PlgDrag *drag, int beside_node)
{
  drag->beside_node = beside_node;
}

gboolean
plg_drag_step_degree (PlgDrag *drag, int step, gboolean shift)
{
  if (drag->kind == PLG_DRAG_SHARD)
    return step_shard (drag, step);
  g_return_val_if_fail (drag->kind == PLG_DRAG_EDGE && step != 0, FALSE);
  return move_edge (drag, drag->gpu, step > 0 ? 1 : -1, shift);
}

gboolean
plg_drag_move_axis (PlgDrag *drag, int place)
{
  g_autoptr (PlgPlan) plan = plg_plan_copy (drag->before);
  GError *error = NULL;

  g_return_val_if_fail (drag->kind == PLG_DRAG_AXIS, FALSE);

  plg_drag_limit_clear (&drag->limit);
  if (place < 0)
    g_set_error (&error, PLG_PLAN_ERROR, PLG_PLAN_ERROR_RANGE,
                 _ ("%s is the innermost axis already: it can only move outwards"),
                 plg_axis_label (drag->axis));
  else if (place >= PLG_N_NESTED_AXES)
    g_set_error (&error, PLG_PLAN_ERROR, PLG_PLAN_ERROR_RANGE,
                 _ ("%s is the outermost axis already: it can only move inwards"),
                 plg_axis_label (drag->axis));
  else
    plg_edit_move_axis (plan, drag->axis, place, &error);
  return take_plan (drag, plan, error);
}

gboolean
plg_drag_move_layers (PlgDrag *drag, int layers)
{
  g_autoptr (PlgPlan) plan = plg_plan_copy (drag->before);

  g_return_val_if_fail (drag->kind == PLG_DRAG_LAYERS, FALSE);

  plg_drag_limit_clear (&drag->limit);
  drag->layers.layers = layers;
  plg_drag_layers_move (plan, &drag->layers, &drag->limit.text);
  return take_plan (drag, plan, NULL);
}

/* Plan and texts of a drag */

const PlgPlan *
plg_drag_plan (const PlgDrag *drag)
{
  return drag->after;
}

gboolean
plg_drag_is_legal (const PlgDrag *drag)
{
  return !drag->is_refused;
}

gboolean
plg_drag_changes (const PlgDrag *drag)
{
  return !plg_plan_equal (drag->before, drag->after);
}

PlgDragKind
plg_drag_kind (const PlgDrag *drag)
{
  return drag->kind;
}

gboolean
plg_drag_is_off_nodes (const PlgDrag *drag)
{
  return drag->nowhere;
}

const PlgDragLimit *
plg_drag_limit (const PlgDrag *drag)
{
  return &drag->limit;
}

static char *
describe_rank (const PlgDrag *drag)
{
  int other = plg_placement_rank (&drag->before->placement, drag->target);
  int per_node = drag->before->cluster.gpus_per_node;
  int gpu = other == drag->rank ? drag->gpu : drag->target;
  g_autofree char *node = plg_plan_node_title (drag->before, gpu / per_node);

  if (other == drag->rank)
    return g_strdup_printf (_ ("Rank %d on %s GPU %d"), drag->rank, node, gpu % per_node);
  return g_strdup_printf (_ ("Rank %d ↔ rank %d on %s GPU %d"), drag->rank, other, node,
                          gpu % per_node);
}

static char *
describe_node (const PlgDrag *drag)
{
  int per_node = drag->before->cluster.gpus_per_node;
  int from = drag->gpu / per_node, to = drag->target / per_node;

  g_autofree char *own = plg_plan_node_title (drag->before, from);
  g_autofree char *other = plg_plan_node_title (drag->before, to);

  if (from == to)
    return g_strdup_printf (_ ("The ranks of %s"), own);
  return g_strdup_printf (_ ("The ranks of %s ↔ %s"), own, other);
}

/* Describes the new position of the axis in the nesting order and the effect on the groups of
 * the axis. */
static char *
describe_axis (const PlgDrag *drag)
{
  const char *label = plg_axis_label (drag->axis);
  int degree = drag->before->parallelism.degree[drag->axis];
  int per_node = drag->before->cluster.gpus_per_node;

  if (drag->outermost)
    return g_strdup_printf (_ ("%s outermost: its groups span nodes"), label);
  if (degree > per_node)
    return g_strdup_printf (_ ("%s innermost: each group fills %d nodes"), label,
                            (degree + per_node - 1) / per_node);
  return g_strdup_printf (_ ("%s innermost: each group fits in one node"), label);
}

char *
plg_drag_title (const PlgDrag *drag)
{
  if (drag->nowhere)
    return g_strdup (_ ("Outside the nodes: nothing moves"));
  switch (drag->kind)
    {
    case PLG_DRAG_EDGE:
      {
        /* List every degree that changes, starting with the dragged axis, for example "TP 8 → 4
         * · DP 2 → 4". */
        const int *from = drag->before->parallelism.degree;
        const int *to = drag->after->parallelism.degree;
        GString *text = g_string_new (NULL);

        g_string_append_printf (text, "%s %d", plg_axis_label (drag->axis), from[drag->axis]);
        if (to[drag->axis] != from[drag->axis])
          g_string_append_printf (text, " → %d", to[drag->axis]);
        for (PlgAxis axis = 0; axis < PLG_N_AXES; axis++)
          if (axis != drag->axis && from[axis] != to[axis])
            g_string_append_printf (text, " · %s %d → %d", plg_axis_label (axis), from[axis],
                                    to[axis]);
        return g_string_free (text, FALSE);
      }
    case PLG_DRAG_SHARD:
      {
        int dp = drag->before->parallelism.degree[PLG_AXIS_DP];
        int from = MAX (drag->before->parallelism.replicate, 1);
        int to = MAX (drag->after->parallelism.replicate, 1);

        if (from == to)
          return g_strdup_printf (_ ("HSDP: shard groups × replicas %d × %d"), from, dp / from);
        return g_strdup_printf (_ ("HSDP: shard groups × replicas %d × %d → %d × %d"), from,
                                dp / from, to, dp / to);
      }
    case PLG_DRAG_GROUP:
      {
        const PlgParallelism *parallelism = &drag->before->parallelism;
        int other = plg_placement_rank (&drag->before->placement, drag->target);
        PlgCoordinate a = plg_rank_coordinate (parallelism, drag->rank);
        PlgCoordinate b = plg_rank_coordinate (parallelism, other);

        if (!plg_drag_changes (drag))
          {
            /* Until the dragged entity reaches another position, name only this entity. */
            if (drag->axis == PLG_AXIS_PP)
              return g_strdup_printf (_ ("Stage %d of replica %d"), a.index[PLG_AXIS_PP],
                                      a.index[PLG_AXIS_DP]);
            if (drag->axis == PLG_AXIS_DP)
              return g_strdup_printf (_ ("Replica %d"), a.index[PLG_AXIS_DP]);
            return g_strdup_printf (_ ("%s group %d"), plg_axis_label (drag->axis),
                                    plg_axis_group_of (&drag->before->parallelism, drag->axis,
                                                       drag->rank));
          }
        if (drag->axis == PLG_AXIS_PP)
          return g_strdup_printf (_ ("Stage %d of replica %d ↔ stage %d of replica %d"),
                                  a.index[PLG_AXIS_PP], a.index[PLG_AXIS_DP], b.index[PLG_AXIS_PP],
                                  b.index[PLG_AXIS_DP]);
        if (drag->axis == PLG_AXIS_DP)
          return g_strdup_printf (_ ("Replica %d ↔ replica %d"), a.index[PLG_AXIS_DP],
                                  b.index[PLG_AXIS_DP]);
        return g_strdup_printf (_ ("%s group %d ↔ group %d"), plg_axis_label (drag->axis),
                                plg_axis_group_of (parallelism, drag->axis, drag->rank),
                                plg_axis_group_of (parallelism, drag->axis, other));
      }
    case PLG_DRAG_NODE:
      return describe_node (drag);
    case PLG_DRAG_LAYERS:
      return plg_drag_layers_title (drag->after, &drag->layers);
    case PLG_DRAG_AXIS:
      return describe_axis (drag);
    case PLG_DRAG_RANK:
    default:
      return describe_rank (drag);
    }
}

/* Returns a change such as "46.4 % → 42.1 %", or a single value if FROM and TO are equal. */
static char *
describe_change (char *from, char *to)
{
  char *text = strcmp (from, to) == 0 ? g_strdup (from) : g_strdup_printf ("%s → %s", from, to);

  g_free (from);
  g_free (to);
  return text;
}

/* Returns how many TP collective calls per step cross nodes. */
static double
calls_across_nodes (const PlgReport *report)
{
  double calls = 0;

  for (guint i = 0; i < report->collectives->len; i++)
    {
      const PlgCollective *collective = &g_array_index (report->collectives, PlgCollective, i);
      if (collective->axis == PLG_AXIS_TP && collective->nodes_spanned > 1)
        calls += collective->calls;
    }
  return calls;
}

/* Returns the TP collective of REPORT that has the same kind as OTHER and moves the same data
 * (PlgCollectiveSubject), or NULL. */
static const PlgCollective *
same_kind (const PlgReport *report, const PlgCollective *other)
{
  for (guint i = 0; i < report->collectives->len; i++)
    {
      const PlgCollective *collective = &g_array_index (report->collectives, PlgCollective, i);
      if (collective->axis == PLG_AXIS_TP && collective->kind == other->kind &&
          collective->collective_subject == other->collective_subject)
        return collective;
    }
  return NULL;
}

static double
time_of_call (const PlgCollective *collective)
{
  return collective != NULL && collective->calls > 0 ? collective->time / collective->calls : 0;
}

/* Describes how the drag makes TP groups cross nodes, which is the most important consequence of
 * a drag. Returns NULL if no TP group crosses nodes or if a TP group already crossed nodes
 * before the drag. */
static char *
describe_node_crossing (const PlgDrag *drag, const PlgReport *report)
{
  const PlgCluster *cluster = &drag->before->cluster;
  double ratio = cluster->intra_bandwidth / cluster->inter_bandwidth;
  double crossing = calls_across_nodes (report);
  g_autofree char *from = NULL, *to = NULL, *factor = NULL, *calls = NULL, *call = NULL;

  if (crossing <= 0 || calls_across_nodes (drag->report) > 0)
    return NULL;
  from = plg_format_bandwidth (cluster->intra_bandwidth);
  to = plg_format_bandwidth (cluster->inter_bandwidth);
  calls = plg_format_count (crossing);

  /* Among the TP collectives that cross nodes, find the one with the most calls per step. */
  const PlgCollective *after = NULL;

  for (guint i = 0; i < report->collectives->len; i++)
    {
      const PlgCollective *collective = &g_array_index (report->collectives, PlgCollective, i);
      if (collective->axis == PLG_AXIS_TP && collective->nodes_spanned > 1 &&
          (after == NULL || collective->calls > after->calls))
        after = collective;
    }

  const PlgCollective *before = same_kind (drag->report, after);
  g_autofree char *call_from = plg_format_time (time_of_call (before));
  g_autofree char *call_to = plg_format_time (time_of_call (after));

  if (!(time_of_call (before) > 0) || !(time_of_call (after) > 0))
    call = g_strdup ("");
  else
    call = g_strdup_printf (_ ("\n%s: %s → %s per call"), plg_collective_kind_title (after),
                            call_from, call_to);

  if (!(ratio > 1))
    return g_strdup_printf (_ ("TP leaves the node: %s → %s per link, %s calls per step%s"), from,
                            to, calls, call);
  factor = plg_format_number (ratio, 2);
  return g_strdup_printf (_ ("TP leaves the node: %s → %s per link, %s×, %s calls per step%s"),
                          from, to, factor, calls, call);
}

char *
plg_drag_warning (const PlgDrag *drag, const PlgReport *report)
{
  g_autofree char *crossing = describe_node_crossing (drag, report);
  g_autofree char *overflow = NULL;
  g_autofree char *needed = NULL;
  g_autofree char *there = NULL;

  if (report->fits == PLG_FIT_NO)
    {
      needed = plg_format_memory_distinct (report->memory_peak, drag->before->cluster.memory);
      there = plg_format_memory_distinct (drag->before->cluster.memory, report->memory_peak);
      overflow = g_strdup_printf (_ ("Out of memory: the fullest GPU needs %s but has %s"), needed,
                                  there);
    }

  const PlgParallelism *before = &drag->before->parallelism, *after = &drag->after->parallelism;
  const char *lines[5] = { NULL };
  int n = 0;

  if (crossing != NULL)
    lines[n++] = crossing;
  if (overflow != NULL)
    lines[n++] = overflow;
  if ((drag->kind == PLG_DRAG_EDGE || drag->kind == PLG_DRAG_AXIS) &&
      drag->before->placement.size > 0 && drag->after->placement.size == 0)
    lines[n++] = _ ("The placement by hand is reset to the nesting order; undo restores it");
  if (before->first_layers + before->last_layers + before->layout.stages > 0 &&
      after->first_layers + after->last_layers + after->layout.stages == 0)
    lines[n++] = _ ("The layers set by hand are divided evenly again; undo restores them");
  return n > 0 ? g_strjoinv ("\n", (char **) lines) : NULL;
}

char *
plg_drag_consequence (const PlgDrag *drag, const PlgReport *report)
{
  if (drag->kind != PLG_DRAG_EDGE && drag->kind != PLG_DRAG_SHARD)
    {
      /* Give the step time with its difference in percent, because moving ranks often changes
       * MFU too little to be visible. */
      double before = drag->report->step.time, after = report->step.time;
      g_autofree char *time = describe_change (plg_format_time (before), plg_format_time (after));
      g_autofree char *change = plg_format_change (before, after);
      g_autofree char *mfu = describe_change (plg_format_share (drag->report->step.mfu),
                                              plg_format_share (report->step.mfu));

      if (*change == '0')
        return g_strdup_printf (_ ("Step %s, as before"), time);
      return g_strdup_printf (_ ("Step %s (%s), MFU %s"), time, change, mfu);
    }

  g_autofree char *mfu = describe_change (plg_format_share (drag->report->step.mfu),
                                          plg_format_share (report->step.mfu));
  g_autofree char *memory = describe_change (plg_format_memory (drag->report->memory_peak),
                                             plg_format_memory (report->memory_peak));

  return g_strdup_printf (_ ("MFU %s, memory %s"), mfu, memory);
}

char *
plg_drag_describe_cost (const PlgDrag *drag, const PlgReport *report)
{
  g_autofree char *consequence = plg_drag_consequence (drag, report);
  g_autofree char *warning = plg_drag_warning (drag, report);
  g_auto (GStrv) warnings = g_strsplit (warning != NULL ? warning : "", "\n", -1);
  g_autofree char *joined = g_strjoinv ("; ", warnings);

  return g_strjoin ("; ", consequence, warning != NULL ? joined : NULL, NULL);
}

char *
plg_drag_describe (const PlgDrag *drag, const PlgReport *report)
{
  g_autofree char *headline = plg_drag_title (drag);
  g_autofree char *cost = plg_drag_describe_cost (drag, report);

  if (!plg_drag_is_legal (drag))
    return g_strjoin ("; ", headline, drag->limit.text, NULL);
  return g_strjoin ("; ", headline, cost, drag->limit.text, NULL);
}

char *
plg_drag_label (const PlgDrag *drag)
{
  return plg_drag_title (drag);
}
