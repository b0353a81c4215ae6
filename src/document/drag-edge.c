/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "document/drag-edge.h"

#include "plan/edit.h"
#include "plan/settings/setting-name.h"
#include "plan/settings/setting.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

/* Divisors of a number up to PLG_MAX_GPUS: at most 128. */
#define MAX_CHOICES 128

/* The outcome of an EdgeMove, without a sentence for the user. */
typedef struct
{
  int start;                  /* the degree from which the edge moves */
  int degree;                 /* the degree reached; with ERROR, the degree that is refused */
  int direction;              /* 1 if the move asks for a higher degree, -1 for a lower one, or 0 */
  gboolean is_last;           /* whether the move asks for more than the last possible degree */
  gboolean is_at_cluster_end; /* whether the block would end after the last GPU of the cluster */
  GError *error;              /* the reason why DEGREE is refused, or NULL */
} EdgeResult;

void
plg_drag_limit_clear (PlgDragLimit *limit)
{
  g_clear_pointer (&limit->text, g_free);
  g_clear_pointer (&limit->assignments, g_strfreev);
  limit->remedy = PLG_DRAG_REMEDY_NONE;
  limit->degree = 0;
}

/* Moving the edge ------------------------------------------------------------------------------ */

/* Returns the number of ranks in the outlined block if AXIS has DEGREE. For the outermost axis,
 * the block contains the ranks at one index of the axis, so it shrinks when DEGREE grows. */
static double
edge_block_size (const PlgPlan *plan, PlgAxis axis, double degree)
{
  double block = plg_axis_bounded_block (&plan->parallelism, axis);
  int now = plan->parallelism.degree[axis];

  if (plan->parallelism.order[PLG_N_NESTED_AXES - 1] == axis)
    return block * now / degree;
  return block / now * degree;
}

/* Sets the degree of AFTER, an unchanged copy of BEFORE. */
static gboolean
edge_set_degree (const PlgPlan *before,
                 const PlgEditPolicy *policy,
                 const PlgEdgeMove *move,
                 int degree,
                 PlgPlan *after,
                 GError **error)
{
  PlgAxis compensating_axis = plg_edit_compensating_axis (move->axis, move->shift);

  if (!plg_edit_set_degree (after, move->axis, degree, compensating_axis, error))
    return FALSE;
  if (policy == NULL || plg_edit_policy_check (policy, before, after, error))
    return TRUE;
  plg_plan_assign (after, before);
  return FALSE;
}

static void
edge_move_by_step (const PlgPlan *before,
                   const PlgEditPolicy *policy,
                   const PlgEdgeMove *move,
                   const int *choices,
                   int n,
                   PlgPlan *after,
                   EdgeResult *result)
{
  int now = before->parallelism.degree[move->axis];

  *result = (EdgeResult) { .start = now, .degree = now, .direction = move->step, .is_last = TRUE };
  for (int i = move->step > 0 ? 0 : n - 1; i >= 0 && i < n; i += move->step)
    {
      g_autoptr (GError) error = NULL;

      if ((choices[i] - now) * move->step <= 0)
        continue;
      result->is_last = FALSE;
      if (edge_set_degree (before, policy, move, choices[i], after, &error))
        {
          g_clear_error (&result->error);
          result->degree = choices[i];
          return;
        }
      /* Remember why the nearest degree is refused; a later one may be legal. */
      if (result->error == NULL)
        {
          result->error = g_steal_pointer (&error);
          result->degree = choices[i];
        }
    }
}

static void
edge_move_to_pointer (const PlgPlan *before,
                      const PlgEditPolicy *policy,
                      const PlgEdgeMove *move,
                      const int *choices,
                      int n,
                      PlgPlan *after,
                      EdgeResult *result)
{
  PlgAxis axis = move->axis;
  int now = before->parallelism.degree[axis], degree = now;
  int block = plg_axis_bounded_block (&before->parallelism, axis);
  int gpus = plg_cluster_gpus (&before->cluster);
  gboolean grows_with_degree = before->parallelism.order[PLG_N_NESTED_AXES - 1] != axis;
  int first = 0;

  plg_placement_block (&before->placement, move->rank / block * block, block, &first);

  /* Choose the degree whose block ends nearest to the pointer. If two degrees are equally near,
   * choose the smaller change. */
  int past_first = CLAMP (move->gpu, -1, gpus) - first + 1;
  double wanted = MAX (1, past_first);

  for (int i = 0; i < n; i++)
    {
      double distance = ABS (edge_block_size (before, axis, choices[i]) - wanted);
      double least = ABS (edge_block_size (before, axis, degree) - wanted);

      if (distance < least || (distance == least && ABS (choices[i] - now) < ABS (degree - now)))
        degree = choices[i];
    }
  *result = (EdgeResult) { .start = now,
                           .degree = degree,
                           .direction = (degree > now) - (degree < now) };

  /* The edge stops if the next degree after the last possible one would be nearer still, or if
   * the pointer has left the cluster or the block on the side of the last possible degree. */
  double size = edge_block_size (before, axis, degree), distance = ABS (size - wanted);
  double double_size = edge_block_size (before, axis, 2.0 * degree);
  double half_size = edge_block_size (before, axis, 0.5 * degree);
  gboolean is_after_end = move->gpu >= gpus;
  gboolean is_before_start = past_first <= 0 || move->beside_node < 0;
  gboolean wants_larger = is_after_end, wants_smaller = is_before_start;

  if (degree == choices[n - 1] &&
      (ABS (double_size - wanted) < distance || (grows_with_degree ? wants_larger : wants_smaller)))
    {
      result->is_last = TRUE;
      result->direction = 1;
    }
  else if (degree == choices[0] && (ABS (half_size - wanted) < distance ||
                                    (grows_with_degree ? wants_smaller : wants_larger)))
    {
      result->is_last = TRUE;
      result->direction = -1;
    }
  else if (is_after_end)
    {
      result->is_at_cluster_end = TRUE;
      result->direction = grows_with_degree ? 1 : -1;
    }
  if (degree != now)
    edge_set_degree (before, policy, move, degree, after, &result->error);
}

/* Moves the edge. AFTER is an unchanged copy of BEFORE. Free RESULT->error. */
static void
edge_move (const PlgPlan *before,
           const PlgEditPolicy *policy,
           const PlgEdgeMove *move,
           PlgPlan *after,
           EdgeResult *result)
{
  int choices[MAX_CHOICES];
  int n = plg_edit_degree_choices (before, move->axis,
                                   plg_edit_compensating_axis (move->axis, move->shift), choices,
                                   MAX_CHOICES);

  g_assert (n >= 1);
  n = MIN (n, MAX_CHOICES);
  if (move->step != 0)
    edge_move_by_step (before, policy, move, choices, n, after, result);
  else
    edge_move_to_pointer (before, policy, move, choices, n, after, result);
}

/* Remedies ------------------------------------------------------------------------------------- */

/* Returns whether MOVE, applied to PLAN, goes further than RESULT did. */
static gboolean
edge_goes_further (const PlgPlan *plan,
                   const PlgEditPolicy *policy,
                   const PlgEdgeMove *move,
                   const EdgeResult *result)
{
  g_autoptr (PlgPlan) after = plg_plan_copy (plan);
  g_autoptr (GError) error = NULL;
  EdgeResult other;
  int difference;

  edge_move (plan, policy, move, after, &other);
  error = other.error;
  difference = (other.degree - result->degree) * result->direction;
  return error == NULL && (result->error != NULL ? difference >= 0 : difference > 0);
}

void
plg_drag_limit_set_settings (PlgDragLimit *limit, char *reason, const char *const *assignments)
{
  g_autofree char *owned_reason = reason;
  const char *name[2] = { NULL }, *value[2] = { NULL };

  g_return_if_fail (assignments[0] != NULL);

  limit->remedy = PLG_DRAG_REMEDY_SETTINGS;
  limit->assignments = g_strdupv ((char **) assignments);
  for (int i = 0; i < 2 && assignments[i] != NULL; i++)
    {
      const char *equals = strchr (assignments[i], '=');
      g_autofree char *key = g_strndup (assignments[i], equals - assignments[i]);
      const char *static_key = plg_setting_find (key)->key;

      name[i] = plg_setting_name (static_key);
      value[i] = plg_setting_value_name (static_key, equals + 1);
    }
  /* Translators: why a drag goes no further and what to change first, as in "The cluster has one
   * node: set “Nodes” to 2 first". */
  limit->text = name[1] == NULL
                    ? g_strdup_printf (_ ("%s: set %s to %s first"), reason, name[0], value[0])
                    : g_strdup_printf (_ ("%s: set %s to %s and %s to %s first"), reason, name[0],
                                       value[0], name[1], value[1]);
}

/* Returns whether MOVE goes further than RESULT after ASSIGNMENTS. If so, writes LIMIT. */
static gboolean
edge_try_settings (const PlgPlan *before,
                   const PlgEditPolicy *policy,
                   const PlgEdgeMove *move,
                   const EdgeResult *result,
                   const char *reason,
                   const char *const *assignments,
                   PlgDragLimit *limit)
{
  g_autoptr (PlgPlan) plan = plg_plan_copy (before);

  if (!plg_settings_apply (plan, NULL, assignments, NULL) ||
      (policy != NULL && !plg_edit_policy_check (policy, before, plan, NULL)) ||
      !edge_goes_further (plan, policy, move, result))
    return FALSE;
  plg_drag_limit_set_settings (limit, g_strdup (reason), assignments);
  return TRUE;
}

static int
smallest_prime_factor (int n)
{
  for (int factor = 2; factor * factor <= n; factor++)
    if (n % factor == 0)
      return factor;
  return n;
}

/* Returns the number that the global batch must be a multiple of. */
static gint64
batch_unit (const PlgPlan *plan, int dp, int pp)
{
  gint64 samples = (gint64) plan->training.micro_batch * dp;

  if (plan->training.schedule == PLG_SCHEDULE_INTERLEAVED)
    return samples * pp;
  return plan->training.schedule == PLG_SCHEDULE_DUALPIPE ? samples * 2 : samples;
}

/* Returns the smallest global batch, not below the present one, that suits PLAN before the drag
 * and with the refused degree of RESULT. */
static gint64
suitable_batch (const PlgPlan *plan, const PlgEdgeMove *move, const EdgeResult *result)
{
  PlgAxis compensating_axis = plg_edit_compensating_axis (move->axis, move->shift);
  const int *now = plan->parallelism.degree;
  int degree[PLG_N_AXES];
  gint64 unit, least = plan->training.global_batch;

  memcpy (degree, now, sizeof degree);
  degree[move->axis] = result->degree;
  if (move->axis != PLG_AXIS_EP)
    degree[compensating_axis] = now[move->axis] * now[compensating_axis] / result->degree;
  unit = plg_least_common_multiple (batch_unit (plan, now[PLG_AXIS_DP], now[PLG_AXIS_PP]),
                                    batch_unit (plan, degree[PLG_AXIS_DP], degree[PLG_AXIS_PP]));
  if (plan->training.schedule == PLG_SCHEDULE_DUALPIPE)
    least = MAX (least, 2 * (gint64) plan->training.micro_batch * degree[PLG_AXIS_DP] *
                            degree[PLG_AXIS_PP]);
  return (least + unit - 1) / unit * unit;
}

/* Finds settings that lift the limit. A change of the schedule, the chunks or the batch lifts a
 * refusal; a lower degree of a third axis or more nodes lift a lack of GPUs. */
static gboolean
edge_find_settings (const PlgPlan *before,
                    const PlgEditPolicy *policy,
                    const PlgEdgeMove *move,
                    const EdgeResult *result,
                    const char *reason,
                    PlgDragLimit *limit)
{
  g_autoptr (GPtrArray) candidates = g_ptr_array_new_with_free_func ((GDestroyNotify) g_strfreev);
  PlgAxis compensating_axis = plg_edit_compensating_axis (move->axis, move->shift);
  const int *degree = before->parallelism.degree;
  const char *one_chunk = "parallelism.chunks=1";

#define ADD(...) g_ptr_array_add (candidates, g_strdupv ((char *[]) { __VA_ARGS__, NULL }))
#define ADD_NUMBER(key, number)                                                 \
  G_STMT_START                                                                  \
  {                                                                             \
    g_autofree char *assignment = g_strdup_printf ("%s=%" G_GINT64_FORMAT, key, \
                                                   (gint64) (number));          \
                                                                                \
    ADD (assignment);                                                           \
  }                                                                             \
  G_STMT_END

  if (result->error == NULL)
    {
      static const PlgAxis givers[] = { PLG_AXIS_PP, PLG_AXIS_CP, PLG_AXIS_TP };

      for (guint i = 0; i < G_N_ELEMENTS (givers); i++)
        if (givers[i] != move->axis && degree[givers[i]] > 1)
          {
            g_autofree char *key = g_strconcat ("parallelism.", plg_axis_name (givers[i]), NULL);
            int factor = smallest_prime_factor (degree[givers[i]]);

            ADD_NUMBER (key, degree[givers[i]] / factor);
            if (compensating_axis != PLG_AXIS_DP && compensating_axis != givers[i])
              {
                g_autofree char *taken = g_strdup_printf ("%s=%d", key, degree[givers[i]] / factor);
                g_autofree char *given = g_strdup_printf ("parallelism.%s=%d",
                                                          plg_axis_name (compensating_axis),
                                                          degree[compensating_axis] * factor);

                ADD (taken, given);
              }
          }
      ADD_NUMBER ("parallelism.etp", 1);
      ADD_NUMBER ("cluster.nodes", 2 * (gint64) before->cluster.nodes);
    }
  else
    switch ((PlgPlanError) result->error->code)
      {
      case PLG_PLAN_ERROR_BATCH:
        ADD_NUMBER ("training.global-batch", suitable_batch (before, move, result));
        break;
      case PLG_PLAN_ERROR_SCHEDULE:
        ADD_NUMBER ("training.global-batch", suitable_batch (before, move, result));
        ADD ((char *) "training.schedule=1f1b", (char *) one_chunk);
        break;
      case PLG_PLAN_ERROR_LAYERS:
        for (int chunks = before->parallelism.chunks - 1; chunks > 1; chunks--)
          ADD_NUMBER ("parallelism.chunks", chunks);
        ADD ((char *) "training.schedule=1f1b", (char *) one_chunk);
        break;
      case PLG_PLAN_ERROR_SEQUENCE:
        ADD ((char *) "parallelism.sequence=false");
        break;
      case PLG_PLAN_ERROR_HEADS:
        ADD ((char *) "parallelism.cp-type=ring");
        break;
      case PLG_PLAN_ERROR_EXPERTS:
        for (int ep = degree[PLG_AXIS_EP] / 2; ep >= 1; ep--)
          if (degree[PLG_AXIS_EP] % ep == 0)
            ADD_NUMBER ("parallelism.ep", ep);
        ADD_NUMBER ("parallelism.etp", 1);
        break;
      case PLG_PLAN_ERROR_RANGE:
      case PLG_PLAN_ERROR_WORLD:
      case PLG_PLAN_ERROR_WIDTH:
      case PLG_PLAN_ERROR_PLACEMENT:
      case PLG_PLAN_ERROR_PRECISION:
      case PLG_PLAN_ERROR_KEY:
      default:
        break;
      }
#undef ADD_NUMBER
#undef ADD

  for (guint i = 0; i < candidates->len; i++)
    if (edge_try_settings (before, policy, move, result, reason, candidates->pdata[i], limit))
      return TRUE;
  return FALSE;
}

/* Returns the legal degree that is nearest to the refused degree of RESULT and lies in the
 * direction of the move from the present degree, or 0 if there is none. */
static int
edge_nearest_degree (const PlgPlan *before,
                     const PlgEditPolicy *policy,
                     const PlgEdgeMove *move,
                     const EdgeResult *result)
{
  int choices[MAX_CHOICES], nearest = 0;
  int n = plg_edit_degree_choices (before, move->axis,
                                   plg_edit_compensating_axis (move->axis, move->shift), choices,
                                   MAX_CHOICES);

  for (int i = 0; i < MIN (n, MAX_CHOICES); i++)
    {
      g_autoptr (PlgPlan) plan = plg_plan_copy (before);
      gboolean is_ahead = (choices[i] - result->start) * result->direction > 0;

      if (is_ahead && choices[i] != result->degree &&
          (nearest == 0 || ABS (choices[i] - result->degree) < ABS (nearest - result->degree)) &&
          edge_set_degree (before, policy, move, choices[i], plan, NULL))
        nearest = choices[i];
    }
  return nearest;
}

/* The sentence --------------------------------------------------------------------------------- */

/* Returns why the edge goes no further than AFTER. Free with g_free(). */
static char *
edge_describe_reason (const PlgPlan *after, const PlgEdgeMove *move, const EdgeResult *result)
{
  const int *degree = after->parallelism.degree;
  const char *label = plg_axis_label (move->axis);
  PlgAxis compensating_axis = plg_edit_compensating_axis (move->axis, move->shift);
  int gpus = plg_cluster_gpus (&after->cluster);

  if (result->error != NULL)
    {
      const PlgPlanProblem *problem = plg_plan_problem (result->error);

      return g_strdup (problem != NULL && problem->reason != NULL ? problem->reason
                                                                  : result->error->message);
    }
  if (result->is_at_cluster_end)
    return g_strdup (_ ("The cluster ends here"));
  if (result->direction < 0)
    return g_strdup_printf (_ ("%s is 1 already, the smallest degree"), label);
  if (move->axis == PLG_AXIS_EP && degree[PLG_AXIS_EP] == after->model.experts)
    return g_strdup_printf (_ ("EP is %d already, the number of experts"), degree[PLG_AXIS_EP]);
  if (move->axis == PLG_AXIS_EP)
    return g_strdup_printf (_ ("EP %d × ETP %d takes all %d GPUs of a stage"), degree[PLG_AXIS_EP],
                            after->parallelism.etp, gpus / degree[PLG_AXIS_PP]);
  if (degree[move->axis] == gpus)
    return g_strdup_printf (_ ("%s %d takes all %d GPUs of the cluster"), label, gpus, gpus);
  return g_strdup_printf (_ ("%s is 1 already"), plg_axis_label (compensating_axis));
}

static void
edge_describe_limit (const PlgPlan *before,
                     const PlgEditPolicy *policy,
                     const PlgPlan *after,
                     const PlgEdgeMove *move,
                     const EdgeResult *result,
                     PlgDragLimit *limit)
{
  g_autofree char *reason = edge_describe_reason (after, move, result);
  const char *label = plg_axis_label (move->axis);
  PlgAxis other_axis = plg_edit_compensating_axis (move->axis, !move->shift);
  PlgEdgeMove with_shift = *move, in_first_block = *move;

  /* A lesson's message is complete, and its lock has no remedy. */
  if (result->error != NULL && result->error->code == PLG_PLAN_ERROR_KEY)
    {
      limit->text = g_steal_pointer (&reason);
      return;
    }

  with_shift.shift = !move->shift;
  if (move->axis != PLG_AXIS_EP && edge_goes_further (before, policy, &with_shift, result))
    {
      const char *other = plg_axis_label (other_axis);

      limit->remedy = PLG_DRAG_REMEDY_SHIFT;
      if (result->error != NULL && move->shift)
        limit->text = g_strdup_printf (_ ("%s: release Shift to change %s instead"), reason, other);
      else if (result->error != NULL)
        limit->text = g_strdup_printf (_ ("%s: hold Shift to change %s instead"), reason, other);
      else if (move->shift)
        limit->text = g_strdup_printf (_ ("%s: release Shift to take it from %s"), reason, other);
      else
        /* Translators: "DP is 1 already: hold Shift to take it from PP". "It" stands for the
         * factor by which a degree grows. */
        limit->text = g_strdup_printf (_ ("%s: hold Shift to take it from %s"), reason, other);
      return;
    }

  if (result->is_last && result->direction > 0 && !plg_plan_equal (before, after))
    {
      PlgEdgeMove again = with_shift;

      again.step = 1;
      if (move->axis != PLG_AXIS_EP && edge_goes_further (after, policy, &again, result))
        {
          limit->remedy = PLG_DRAG_REMEDY_DROP;
          limit->text = g_strdup_printf (
              move->shift ? _ ("%s: drop here and drag again without Shift to take it from %s")
                          : _ ("%s: drop here and drag again with Shift to take it from %s"),
              reason, plg_axis_label (other_axis));
          return;
        }
    }

  if (result->is_at_cluster_end)
    {
      int block = plg_axis_bounded_block (&before->parallelism, move->axis), first = 0;

      in_first_block.rank = 0;
      plg_placement_block (&before->placement, 0, block, &first);
      in_first_block.gpu = first - 1 +
                           (int) MAX (edge_block_size (before, move->axis, 2.0 * result->degree),
                                      edge_block_size (before, move->axis, 0.5 * result->degree));
      if (edge_goes_further (before, policy, &in_first_block, result))
        {
          limit->remedy = PLG_DRAG_REMEDY_FIRST_BLOCK;
          limit->text = g_strdup_printf (_ ("%s: drag the edge of the first %s block instead"),
                                         reason, label);
          return;
        }
    }

  if (edge_find_settings (before, policy, move, result, reason, limit))
    return;

  if (result->error != NULL && result->error->code == PLG_PLAN_ERROR_EXPERTS &&
      !plg_transformer_is_moe (&before->model))
    {
      limit->remedy = PLG_DRAG_REMEDY_MODEL;
      limit->text = g_strdup_printf (_ ("%s: choose a model with experts first"), reason);
      return;
    }

  if (result->error != NULL)
    limit->degree = edge_nearest_degree (before, policy, move, result);
  if (limit->degree > 0)
    {
      limit->remedy = PLG_DRAG_REMEDY_DEGREE;
      limit->text = g_strdup_printf (_ ("%s: the nearest possible degree is %s %d"), reason, label,
                                     limit->degree);
    }
  else
    limit->text = g_steal_pointer (&reason);
}

/* Says why the edge does not follow the pointer to the right of a node, although it has reached
 * DEGREE: a larger block ends in another node, or is impossible. */
static void
edge_describe_node_end (const PlgPlan *before,
                        const PlgEditPolicy *policy,
                        const PlgEdgeMove *move,
                        int degree,
                        PlgDragLimit *limit)
{
  g_autoptr (PlgPlan) trial = plg_plan_copy (before);
  g_autofree char *node = NULL, *other_node = NULL;
  g_autoptr (GError) error = NULL;
  EdgeResult result;
  PlgEdgeMove further = *move;
  int choices[MAX_CHOICES], first = 0, per_node = before->cluster.gpus_per_node;
  int block = plg_axis_bounded_block (&before->parallelism, move->axis);
  int n = plg_edit_degree_choices (before, move->axis,
                                   plg_edit_compensating_axis (move->axis, move->shift), choices,
                                   MAX_CHOICES);
  double size = edge_block_size (before, move->axis, degree);
  double next_size = INFINITY;

  for (int i = 0; i < MIN (n, MAX_CHOICES); i++)
    {
      double choice_size = edge_block_size (before, move->axis, choices[i]);

      if (choice_size > size)
        next_size = MIN (next_size, choice_size);
    }
  /* Without a larger block, the edge is moved to where twice the block would end. */
  if (isinf (next_size))
    next_size = 2 * size;
  plg_placement_block (&before->placement, move->rank / block * block, block, &first);
  further.beside_node = 0;
  further.gpu = first - 1 + (int) next_size;
  edge_move (before, policy, &further, trial, &result);
  error = result.error;
  result.start = degree;
  if (error != NULL || result.is_last || result.is_at_cluster_end)
    {
      edge_describe_limit (before, policy, trial, &further, &result, limit);
      return;
    }

  node = plg_plan_node_title (before, move->gpu / per_node);
  other_node = plg_plan_node_title (before, further.gpu / per_node);
  limit->remedy = PLG_DRAG_REMEDY_NODE;
  limit->degree = result.degree;
  /* Translators: for example "This is the end of node 0: drag the edge to node 1 for TP 16". */
  limit->text = g_strdup_printf (_ ("This is the end of %s: drag the edge to %s for %s %d"), node,
                                 other_node, plg_axis_label (move->axis), limit->degree);
}

gboolean
plg_drag_edge_move (const PlgPlan *before,
                    const PlgEditPolicy *policy,
                    const PlgEdgeMove *move,
                    PlgPlan *after,
                    PlgDragLimit *limit)
{
  g_autoptr (GError) error = NULL;
  EdgeResult result;

  plg_drag_limit_clear (limit);
  edge_move (before, policy, move, after, &result);
  error = result.error;
  if (error == NULL && move->beside_node > 0)
    edge_describe_node_end (before, policy, move, result.degree, limit);
  else if (error != NULL || result.is_last || result.is_at_cluster_end)
    edge_describe_limit (before, policy, after, move, &result, limit);
  return error == NULL && (move->step == 0 || !result.is_last);
}
