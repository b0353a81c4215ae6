/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "engine/advice/advisor.h"

#include "engine/network/fabric.h"
#include "engine/search/search-space.h"
#include "plan/order-preset.h"
#include "plan/quantity.h"

#include <glib/gi18n-lib.h>
#include <string.h>

/* Returns the slowest collective of AXIS, or NULL. */
static const PlgCollective *
longest_row (const PlgAdvisor *self, PlgAxis axis)
{
  const PlgCollective *longest = NULL;

  for (guint i = 0; i < self->report->collectives->len; i++)
    {
      const PlgCollective *row = &g_array_index (self->report->collectives, PlgCollective, i);

      if (row->axis == axis && (longest == NULL || row->time > longest->time))
        longest = row;
    }
  return longest;
}

/* Tries all other nesting orders of the axes and stores the best one in CHANGE. */
static void
consider_orders (PlgAdvisor *self, PlgTrialChange *change, double limit)
{
  const PlgParallelism *parallelism = &self->plan->parallelism;
  PlgParallelism other = *parallelism;

  for (int i = 0; i < PLG_N_ORDERS; i++)
    {
      g_autofree char *order = NULL;
      gboolean is_new = !plg_order_is_used (plg_search_order (i), parallelism);

      memcpy (other.order, plg_search_order (i), sizeof other.order);
      for (int j = 0; j < i && is_new; j++)
        is_new = !plg_order_is_used (plg_search_order (j), &other);
      if (!is_new)
        continue;
      order = plg_order_to_string (&other);
      plg_advisor_consider (self, change, limit, "parallelism.order=%s", order);
    }
}

static char *
crossing_text (const PlgAdvisor *self, PlgAxis axis, const PlgCollective *row)
{
  g_autofree char *time = plg_format_time (row->time);
  g_autofree char *calls = NULL;
  double n_calls = 0.0;

  for (guint i = 0; i < self->report->collectives->len; i++)
    {
      const PlgCollective *other = &g_array_index (self->report->collectives, PlgCollective, i);

      if (other->axis == axis)
        n_calls += other->calls;
    }
  calls = plg_format_count (n_calls);
  return g_strdup_printf (_ ("%s groups of %d span %d nodes: their %s calls per step leave "
                             "the node, and the slowest collective takes %s."),
                          plg_axis_label (axis), row->group_size, row->nodes_spanned, calls, time);
}

void
plg_advise_tp_crossing (PlgAdvisor *self)
{
  const PlgCollective *row = longest_row (self, PLG_AXIS_TP);
  int gpus = self->plan->cluster.gpus_per_node, tp = plg_advisor_degree (self, PLG_AXIS_TP);
  g_autofree char *how = NULL;
  PlgTrialChange change = { 0 };
  char *remedy;

  if (row == NULL || row->nodes_spanned < 2)
    return;
  consider_orders (self, &change, plg_advisor_memory_limit (self));
  for (int narrower = tp / 2; narrower >= 1; narrower /= 2)
    if (tp % narrower == 0 && narrower <= gpus)
      {
        plg_advisor_consider (self, &change, plg_advisor_memory_limit (self),
                              "parallelism.tp=%d parallelism.order=tp-cp-pp-dp", narrower);
        plg_advisor_consider (self, &change, plg_advisor_memory_limit (self),
                              "parallelism.tp=%d parallelism.pp=%d", narrower,
                              plg_advisor_degree (self, PLG_AXIS_PP) * (tp / narrower));
        plg_advisor_consider (self, &change, plg_advisor_memory_limit (self),
                              "parallelism.tp=%d parallelism.cp=%d", narrower,
                              plg_advisor_degree (self, PLG_AXIS_CP) * (tp / narrower));
      }
  if (!plg_advisor_is_worthwhile (self, &change))
    g_clear_pointer (&change.edits, g_free);
  if (change.edits != NULL)
    how = plg_advisor_describe_edits (change.edits);
  remedy = how != NULL
               ? g_strdup_printf (_ ("Keep each TP group inside a node of %d GPUs: %s."), gpus, how)
               : g_strdup_printf (_ ("Keep each TP group inside a node of %d GPUs: make TP "
                                     "the innermost axis, and place ranks in order."),
                                  gpus);
  plg_advisor_add (self, "tp-crosses-node", PLG_SEVERITY_WARNING,
                   crossing_text (self, PLG_AXIS_TP, row), row->nodes_spanned, 1.0, "nodes", remedy,
                   &change);
}

/* Reports groups of CP or EP that cross nodes. The finding is a warning only if the groups could
 * fit inside a node, because groups larger than a node must cross nodes. */
void
plg_advise_crossing (PlgAdvisor *self, PlgAxis axis, const char *id)
{
  const PlgCollective *row = longest_row (self, axis);
  int beside = axis == PLG_AXIS_CP ? plg_advisor_degree (self, PLG_AXIS_TP) : 1;
  gboolean could_fit = row != NULL && row->group_size * beside <= self->plan->cluster.gpus_per_node;
  double exposed = plg_advisor_share (self, axis == PLG_AXIS_CP ? PLG_PART_CP : PLG_PART_EP);
  PlgTrialChange change = { 0 };

  if (row == NULL || row->nodes_spanned < 2)
    return;
  consider_orders (self, &change, plg_advisor_memory_limit (self));
  if (axis == PLG_AXIS_EP)
    plg_advisor_consider (self, &change, plg_advisor_memory_limit (self),
                          "parallelism.overlap-ep=true");
  if (axis == PLG_AXIS_EP && self->plan->parallelism.dispatcher == PLG_DISPATCHER_ALL_TO_ALL)
    plg_advisor_consider (self, &change, plg_advisor_memory_limit (self),
                          "parallelism.dispatcher=deepep");
  if (!plg_advisor_is_worthwhile (self, &change))
    g_clear_pointer (&change.edits, g_free);
  plg_advisor_add (self, id,
                   could_fit && exposed > PLG_MIN_GAIN_SHARE ? PLG_SEVERITY_WARNING
                                                             : PLG_SEVERITY_HINT,
                   crossing_text (self, axis, row), row->nodes_spanned, 1.0, "nodes",
                   change.edits != NULL ? plg_advisor_describe (self, &change)
                   : could_fit          ? g_strdup (_ ("Move the axis further inwards in the "
                                                                "nesting order, next to TP."))
                                        : g_strdup (_ ("The groups are larger than a node: "
                                                                "lower the degree, or overlap the "
                                                                "communication with computation.")),
                   &change);
}

static gboolean
has_finding (const PlgAdvisor *self, const char *id)
{
  for (guint i = 0; i < self->report->findings->len; i++)
    if (g_str_equal (g_array_index (self->report->findings, PlgFinding, i).id, id))
      return TRUE;
  return FALSE;
}

/* Returns whether the order OTHER is faster than the plan's order even without faults. With
 * faults, an order may be faster only because it moves a slow GPU to another stage, not because
 * it causes less traffic. */
static gboolean
order_matters (PlgAdvisor *self, const char *other)
{
  g_autofree char *edits = g_strconcat ("cluster.faults= parallelism.order=", other, NULL);
  double now;

  if (self->plan->cluster.n_faults == 0)
    return TRUE;
  if (!plg_advisor_try (self, "cluster.faults="))
    return FALSE;
  now = self->outcome->step.time;
  return plg_advisor_try (self, edits) && now - self->outcome->step.time > PLG_MIN_GAIN_SHARE * now;
}

/* Returns the order in the edits of CHANGE; free with g_free(). */
static char *
changed_order (const PlgTrialChange *change)
{
  const char *order = strstr (change->edits, "parallelism.order=") + strlen ("parallelism.order=");

  return g_strndup (order, strcspn (order, " "));
}

/* Reports the nesting order only if another order makes the step faster. Reports nothing if groups
 * of TP, CP or EP already have a finding for crossing nodes, because that finding considers the
 * nesting order too. */
void
plg_advise_order (PlgAdvisor *self)
{
  g_autofree char *order = plg_order_to_string (&self->plan->parallelism);
  g_autofree char *other = NULL;
  PlgTrialChange change = { 0 };

  if (self->plan->cluster.nodes < 2 || self->plan->placement.size > 0 ||
      has_finding (self, "tp-crosses-node") || has_finding (self, "ep-crosses-node") ||
      has_finding (self, "cp-crosses-node"))
    return;
  consider_orders (self, &change, G_MAXDOUBLE);
  if (change.edits == NULL || !plg_advisor_is_worthwhile (self, &change))
    {
      g_free (change.edits);
      return;
    }
  other = changed_order (&change);
  if (order_matters (self, other))
    plg_advisor_add (self, "pp-order", PLG_SEVERITY_WARNING,
                     g_strdup_printf (_ ("The order %s sends more traffic between "
                                         "nodes than %s."),
                                      order, other),
                     self->report->step.time, change.time, "s",
                     plg_advisor_describe (self, &change), &change);
  g_free (change.edits);
}

void
plg_advise_network (PlgAdvisor *self)
{
  const PlgCluster *cluster = &self->plan->cluster;
  gboolean spine = FALSE;

  if (cluster->nodes < 2)
    return;
  for (guint i = 0; i < self->report->collectives->len; i++)
    spine |= g_array_index (self->report->collectives, PlgCollective, i).tier == PLG_TIER_SPINE;
  if (spine && cluster->oversubscription > 1.0)
    plg_advisor_add (
        self, "oversubscribed", PLG_SEVERITY_WARNING,
        g_strdup_printf (_ ("Collectives cross spine switches, whose uplinks are "
                            "oversubscribed %.3g to 1."),
                         cluster->oversubscription),
        cluster->oversubscription, 1.0, "1",
        g_strdup (_ ("Keep groups on one rail or under one leaf, or use uplinks with full "
                     "bandwidth.")),
        NULL);
  if (!cluster->rdma)
    {
      PlgTrialChange change = { 0 };

      PlgFabric fabric;
      g_autofree char *reached = NULL;
      g_autofree char *latency = NULL;

      plg_fabric_init (&fabric, cluster);
      reached = plg_format_share (fabric.inter_efficiency);
      latency = plg_format_time (fabric.inter_latency);
      plg_advisor_consider (self, &change, G_MAXDOUBLE, "cluster.rdma=true");
      plg_advisor_add (self, "tcp", PLG_SEVERITY_WARNING,
                       g_strdup_printf (_ ("The network uses TCP through the host, so it reaches "
                                           "only %s of its bandwidth, and each message has a "
                                           "latency of %s."),
                                        reached, latency),
                       0.0, 1.0, "on",
                       g_strdup (_ ("Use RDMA (InfiniBand or RoCE) between nodes.")), &change);
      g_free (change.edits);
    }
}
