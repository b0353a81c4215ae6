/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "io/reports/plan-sentences.h"

#include "engine/evaluate.h"
#include "plan/quantity.h"

#include <glib/gi18n-lib.h>
#include <string.h>

/* maximum number of ranks in the description of a group whose ranks are not consecutive */
#define SHOWN_RANKS 8
#define SHOWN_NODES 4

PlgAxisLoad
plg_axis_load (const PlgReport *report, PlgAxis axis)
{
  PlgAxisLoad load = { 0 };

  for (guint i = 0; i < report->collectives->len; i++)
    {
      const PlgCollective *collective = &g_array_index (report->collectives, PlgCollective, i);

      if (collective->axis != axis)
        continue;
      load.kinds++;
      load.calls += collective->calls;
      load.bytes_sent += collective->bytes_sent;
      load.time += collective->time;
      load.exposed += collective->exposed;
      load.tier = MAX (load.tier, collective->tier);
    }
  return load;
}

char *
plg_batch_describe_sequences (const PlgPlan *plan)
{
  int n = plan->training.global_batch;
  g_autofree char *sequences = plg_format_count (n);
  g_autofree char *tokens = plg_format_count (plan->training.sequence);

  return g_strdup_printf (g_dngettext (GETTEXT_PACKAGE, "%s sequence of %s tokens",
                                       "%s sequences of %s tokens", n),
                          sequences, tokens);
}

char *
plg_batch_describe_micro_batches (const PlgPlan *plan, const PlgReport *report)
{
  int n = report->micro_batches;
  g_autofree char *micro_batches = plg_format_count (n);

  return g_strdup_printf (g_dngettext (GETTEXT_PACKAGE, "%s micro-batch of %d",
                                       "%s micro-batches of %d", n),
                          micro_batches, plan->training.micro_batch);
}

char *
plg_degrees_describe (const int *degree, const int *beside)
{
  GString *text = g_string_new (NULL);

  for (PlgAxis axis = 0; axis < PLG_N_AXES; axis++)
    if (degree[axis] > 1 || (beside != NULL && beside[axis] > 1))
      g_string_append_printf (text, "%s%s %d", text->len > 0 ? ", " : "", plg_axis_label (axis),
                              degree[axis]);
  if (text->len == 0)
    g_string_append (text, "TP 1");
  return g_string_free (text, FALSE);
}

/* Placement */

/* Fills NODES with the nodes that the N RANKS are on, each node once, in the order of the ranks.
 * Returns the number of nodes. */
static int
find_nodes (const PlgPlan *plan, const int *ranks, int n, GArray *nodes)
{
  g_autoptr (GHashTable) seen = g_hash_table_new (NULL, NULL);

  g_array_set_size (nodes, 0);
  for (int i = 0; i < n; i++)
    {
      int node = plg_plan_node_of_rank (plan, ranks[i]);

      if (g_hash_table_add (seen, GINT_TO_POINTER (node)))
        g_array_append_val (nodes, node);
    }
  return (int) nodes->len;
}

/* Sets *WIDEST to the number of nodes that the widest group of AXIS spans, and *LEAVING to the
 * number of groups on more than one node. */
static void
measure_groups (const PlgPlan *plan, PlgAxis axis, int *widest, int *leaving)
{
  int degree = plan->parallelism.degree[axis], world = plg_plan_world (plan);
  g_autofree int *ranks = g_new (int, degree);
  g_autoptr (GArray) nodes = g_array_new (FALSE, FALSE, sizeof (int));

  *widest = *leaving = 0;
  for (int rank = 0; rank < world; rank++)
    {
      int n;

      plg_axis_group_members (&plan->parallelism, axis, rank, ranks);
      if (ranks[0] != rank)
        continue;
      n = find_nodes (plan, ranks, degree, nodes);
      *widest = MAX (*widest, n);
      *leaving += n > 1;
    }
}

char *
plg_axis_describe_placement (const PlgPlan *plan, PlgAxis axis)
{
  int degree = plan->parallelism.degree[axis], groups, widest, leaving;
  g_autofree int *members = g_new (int, MAX (degree, 1));
  g_autoptr (GArray) nodes = g_array_new (FALSE, FALSE, sizeof (int));
  g_autoptr (GString) ranks = g_string_new (NULL);
  g_autoptr (GString) titles = g_string_new (NULL);
  g_autofree char *spread = NULL;
  gboolean is_consecutive = TRUE;

  if (degree == 1)
    return g_strdup (_ ("Each rank is its own group."));
  plg_axis_group_members (&plan->parallelism, axis, 0, members);
  find_nodes (plan, members, degree, nodes);
  groups = plg_axis_groups (&plan->parallelism, axis);
  measure_groups (plan, axis, &widest, &leaving);

  /* Format the ranks as "0–7", "0, 8, 16, 24" or "0, 8, 16, …, 504". */
  for (int i = 1; i < degree; i++)
    is_consecutive = is_consecutive && members[i] == members[i - 1] + 1;
  if (is_consecutive)
    g_string_append_printf (ranks, "%d–%d", members[0], members[degree - 1]);
  else
    for (int i = 0; i < degree; i++)
      {
        if (degree > SHOWN_RANKS && i >= SHOWN_RANKS - 1 && i < degree - 1)
          continue;
        g_string_append_printf (ranks, "%s%s%d", i > 0 ? ", " : "",
                                degree > SHOWN_RANKS && i == degree - 1 ? "…, " : "", members[i]);
      }
  for (guint i = 0; i < MIN (nodes->len, SHOWN_NODES); i++)
    {
      g_autofree char *title = plg_plan_node_title (plan, g_array_index (nodes, int, i));

      g_string_append_printf (titles, "%s%s", i > 0 ? ", " : "", title);
    }
  if (nodes->len > SHOWN_NODES)
    g_string_append_printf (titles, _ (" and %d more"), (int) nodes->len - SHOWN_NODES);
  spread = leaving == 0 ? g_strdup (_ ("No group leaves its node."))
           : leaving == groups
               ? g_strdup_printf (_ ("Every group spans several nodes, at most %d."), widest)
               : g_strdup_printf (_ ("%d of the groups span several nodes, at most %d."), leaving,
                                  widest);
  if (nodes->len == 1)
    return g_strdup_printf (g_dngettext (GETTEXT_PACKAGE,
                                         "%d group of %d. The first: ranks %s, inside %s. %s",
                                         "%d groups of %d. The first: ranks %s, inside %s. %s",
                                         groups),
                            groups, degree, ranks->str, titles->str, spread);
  return g_strdup_printf (g_dngettext (GETTEXT_PACKAGE,
                                       "%d group of %d. The first: ranks %s, on %s. %s",
                                       "%d groups of %d. The first: ranks %s, on %s. %s", groups),
                          groups, degree, ranks->str, titles->str, spread);
}

/* Reasons */

/* Returns a sentence that compares how many groups of AXIS span several nodes before and after
 * ranks were moved by hand. Returns NULL if the moves change neither this number nor how many
 * nodes the widest group spans. Free with g_free(). */
static char *
describe_moved (const PlgPlan *plan, PlgAxis axis)
{
  int moved = plg_placement_moved (&plan->placement);
  g_autoptr (PlgPlan) ordered = NULL;
  int widest, leaving, ordered_widest, ordered_leaving;

  if (moved == 0)
    return NULL;
  ordered = plg_plan_copy (plan);
  plg_placement_clear (&ordered->placement);
  measure_groups (plan, axis, &widest, &leaving);
  measure_groups (ordered, axis, &ordered_widest, &ordered_leaving);
  if (widest == ordered_widest && leaving == ordered_leaving)
    return NULL;
  return g_strdup_printf (_ ("%d ranks were moved by hand. %d of the groups leave their node, "
                             "compared with %d without these moves."),
                          moved, leaving, ordered_leaving);
}

char *
plg_axis_describe_reason (const PlgPlan *plan, const PlgReport *report, PlgAxis axis)
{
  const char *const reasons[] = {
    [PLG_AXIS_TP] = _ ("Collectives inside each layer are the most frequent, so they need the "
                       "fastest links."),
    [PLG_AXIS_CP] = _ ("Keys and values travel in each layer."),
    [PLG_AXIS_EP] = _ ("Tokens travel to their experts and back in each layer with experts."),
    [PLG_AXIS_PP] = _ ("Activations travel only between neighbouring stages, which may be on "
                       "different nodes."),
    [PLG_AXIS_DP] = _ ("Gradients travel once per step and can overlap with the backward pass."),
  };
  PlgAxisLoad load = plg_axis_load (report, axis);
  g_autofree char *calls = plg_format_number (load.calls, 6);
  g_autofree char *bytes = plg_format_volume (load.bytes_sent);
  g_autofree char *exposed = plg_format_time (load.exposed);
  g_autofree char *sent = NULL;
  g_autofree char *moved = NULL;

  G_STATIC_ASSERT (G_N_ELEMENTS (reasons) == PLG_N_AXES);
  if (load.kinds == 0)
    return g_strdup (_ ("Not used: nothing is sent."));
  sent = g_strdup_printf (_ ("%s calls and %s per GPU per step, over %s in the worst case; %s of "
                             "the step is spent waiting for them."),
                          calls, bytes, plg_tier_title (&plan->cluster, load.tier), exposed);
  moved = describe_moved (plan, axis);
  return g_strdup_printf ("%s %s", moved != NULL ? moved : reasons[axis], sent);
}

/* Returns whether ZeRO shards anything. */
static gboolean
zero_is_used (const PlgPlan *plan)
{
  return plan->parallelism.zero > 0 && plg_parallelism_shards (&plan->parallelism) > 1;
}

char *
plg_zero_describe_placement (const PlgPlan *plan)
{
  int stage = plan->parallelism.zero;
  int replicate = plg_parallelism_replicate (&plan->parallelism);
  const char *const sharded[] = {
    _ ("Nothing is sharded, so each replica keeps everything."),
    _ ("The optimizer's state is sharded over the replicas (DP × CP)."),
    _ ("The optimizer's state and gradients are sharded over the replicas (DP × CP)."),
    _ ("Weights, gradients and the optimizer's state are sharded over the replicas (DP × CP)."),
  };

  if (stage > 0 && !zero_is_used (plan))
    return g_strdup (replicate > 1 ? _ ("Each shard group is a single GPU, so nothing is sharded.")
                                   : _ ("There is only one replica, so nothing is sharded."));
  if (replicate > 1)
    return g_strdup_printf (_ ("%s %d shard groups of %d GPUs hold the same shards (HSDP)."),
                            sharded[CLAMP (stage, 0, 3)], replicate,
                            plg_parallelism_shards (&plan->parallelism));
  return g_strdup (sharded[CLAMP (stage, 0, 3)]);
}

char *
plg_zero_describe_reason (const PlgPlan *plan, const PlgReport *report)
{
  g_autofree char *with = plg_format_memory_distinct (report->memory_peak, report->memory_capacity);
  g_autofree char *capacity = plg_format_memory_distinct (report->memory_capacity,
                                                          report->memory_peak);
  g_autoptr (PlgPlan) other = plg_plan_copy (plan);
  g_autoptr (PlgReport) other_report = NULL;
  g_autofree char *without = NULL;

  if (!zero_is_used (plan))
    return g_strdup_printf (_ ("Peak: %s of %s per GPU."), with, capacity);
  other->parallelism.zero = 0;
  other_report = plg_evaluate (other, PLG_EVALUATE_TOTALS, NULL);
  without = plg_format_memory (other_report != NULL ? other_report->memory_peak : 0.0);
  return g_strdup_printf (_ ("Peak: %s of %s per GPU; %s without ZeRO."), with, capacity, without);
}

char *
plg_axis_describe_risk (const PlgReport *report,
                        PlgAxis axis,
                        gboolean used,
                        const char *const *ids)
{
  GString *text = g_string_new (NULL);
  PlgAxisLoad load = plg_axis_load (report, axis);

  for (guint i = 0; i < report->findings->len; i++)
    {
      const PlgFinding *finding = &g_array_index (report->findings, PlgFinding, i);

      if (g_strv_contains (ids, finding->id))
        g_string_append_printf (text, "%s%s", text->len > 0 ? " " : "", finding->text);
    }
  if (text->len == 0 && (load.kinds == 0 || !used))
    g_string_append (text, _ ("None: not used."));
  else if (text->len == 0)
    {
      g_autofree char *share = plg_format_share (load.exposed / report->step.time);

      g_string_append_printf (text,
                              _ ("No findings; %s of the step is spent waiting for its "
                                 "collectives."),
                              share);
    }
  return g_string_free (text, FALSE);
}
