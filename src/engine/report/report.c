/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "engine/report/report.h"

#include "engine/network/fabric.h"
#include "engine/network/groups.h"
#include "engine/report/redaction.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

static void
clear_finding (gpointer data)
{
  PlgFinding *finding = data;

  g_free (finding->text);
  g_free (finding->remedy);
  g_free (finding->edits);
}

PlgReport *
plg_report_new (void)
{
  PlgReport *report = g_new0 (PlgReport, 1);

  g_atomic_ref_count_init (&report->ref_count);
  report->stages = g_array_new (FALSE, TRUE, sizeof (PlgStageMemory));
  report->collectives = g_array_new (FALSE, TRUE, sizeof (PlgCollective));
  report->links = g_array_new (FALSE, FALSE, sizeof (PlgLink));
  report->link_shares = g_array_new (FALSE, FALSE, sizeof (PlgLinkShare));
  report->stage_calls = g_array_new (FALSE, TRUE, sizeof (PlgStageCalls));
  report->work = g_array_new (FALSE, FALSE, sizeof (double));
  report->blocks = g_array_new (FALSE, TRUE, sizeof (PlgBlock));
  report->findings = g_array_new (FALSE, TRUE, sizeof (PlgFinding));
  g_array_set_clear_func (report->findings, clear_finding);
  return report;
}

PlgReport *
plg_report_ref (PlgReport *report)
{
  g_return_val_if_fail (report != NULL, NULL);
  g_atomic_ref_count_inc (&report->ref_count);
  return report;
}

void
plg_report_shrink (PlgReport *report)
{
  GArray *shares = report->link_shares;

  report->link_shares = g_array_sized_new (FALSE, TRUE, sizeof (PlgLinkShare), shares->len);
  g_array_append_vals (report->link_shares, shares->data, shares->len);
  g_array_unref (shares);
  g_array_unref (report->work);
  report->work = g_array_new (FALSE, FALSE, sizeof (double));
}

const char *
plg_fit_describe (PlgFit fit)
{
  switch (fit)
    {
    case PLG_FIT_NO:
      return _ ("does not fit");
    case PLG_FIT_YES:
      return _ ("fits");
    case PLG_FIT_HIDDEN:
    default:
      return "–";
    }
}

double
plg_report_bubble (const PlgReport *report)
{
  g_return_val_if_fail (report != NULL, 0);
  return report->profile == PLG_PROFILE_NOTEBOOK ? report->bubble.notebook
                                                 : report->bubble.simulated;
}

void
plg_report_unref (PlgReport *report)
{
  g_return_if_fail (report != NULL);
  if (!g_atomic_ref_count_dec (&report->ref_count))
    return;
  g_array_unref (report->stages);
  g_array_unref (report->collectives);
  g_array_unref (report->links);
  g_array_unref (report->link_shares);
  g_array_unref (report->stage_calls);
  g_array_unref (report->work);
  g_array_unref (report->blocks);
  g_array_unref (report->findings);
  g_free (report);
}

const char *
plg_part_name (PlgPart part)
{
  static const char *const names[PLG_N_PARTS] = {
    [PLG_PART_COMPUTE] = "compute", [PLG_PART_RECOMPUTE] = "recompute",
    [PLG_PART_HOST] = "host",       [PLG_PART_BUBBLE] = "bubble",
    [PLG_PART_TP] = "tp",           [PLG_PART_CP] = "cp",
    [PLG_PART_EP] = "ep",           [PLG_PART_PP] = "pp",
    [PLG_PART_DP] = "dp",           [PLG_PART_OPTIMIZER] = "optimizer",
  };

  g_return_val_if_fail ((guint) part < PLG_N_PARTS, NULL);
  return names[part];
}

const char *
plg_part_title (PlgPart part)
{
  static const char *const titles[PLG_N_PARTS] = {
    [PLG_PART_COMPUTE] = N_ ("Compute"),        [PLG_PART_RECOMPUTE] = N_ ("Recompute"),
    [PLG_PART_HOST] = N_ ("Wait for the host"), [PLG_PART_BUBBLE] = N_ ("Bubble of the step"),
    [PLG_PART_TP] = N_ ("TP communication"),    [PLG_PART_CP] = N_ ("CP communication"),
    [PLG_PART_EP] = N_ ("EP communication"),    [PLG_PART_PP] = N_ ("PP communication"),
    [PLG_PART_DP] = N_ ("DP communication"),    [PLG_PART_OPTIMIZER] = N_ ("Optimizer"),
  };

  g_return_val_if_fail ((guint) part < PLG_N_PARTS, NULL);
  return _ (titles[part]);
}

const char *
plg_collective_kind_name (PlgCollectiveKind kind)
{
  static const char *const names[] = {
    [PLG_COLLECTIVE_ALL_REDUCE] = "all-reduce",         [PLG_COLLECTIVE_ALL_GATHER] = "all-gather",
    [PLG_COLLECTIVE_REDUCE_SCATTER] = "reduce-scatter", [PLG_COLLECTIVE_ALL_TO_ALL] = "all-to-all",
    [PLG_COLLECTIVE_SEND_RECV] = "send-recv",           [PLG_COLLECTIVE_BROADCAST] = "broadcast",
  };
  G_STATIC_ASSERT (G_N_ELEMENTS (names) == PLG_N_COLLECTIVE_KINDS);

  g_return_val_if_fail ((guint) kind < G_N_ELEMENTS (names), NULL);
  return names[kind];
}

const char *
plg_collective_kind_title (const PlgCollective *collective)
{
  static const char *const titles[PLG_N_COLLECTIVE_SUBJECTS][PLG_N_COLLECTIVE_KINDS] = {
    [PLG_COLLECTIVE_SUBJECT_EXPERTS] = { [PLG_COLLECTIVE_ALL_REDUCE] = N_ ("all-reduce (experts)"),
                                         [PLG_COLLECTIVE_ALL_GATHER] = N_ ("all-gather (experts)"),
                                         [PLG_COLLECTIVE_REDUCE_SCATTER] =
                                             N_ ("reduce-scatter (experts)"),
                                         [PLG_COLLECTIVE_BROADCAST] = N_ ("broadcast (experts)") },
    [PLG_COLLECTIVE_SUBJECT_LOSS] = { [PLG_COLLECTIVE_ALL_REDUCE] = N_ ("all-reduce (loss)"),
                                      [PLG_COLLECTIVE_ALL_GATHER] = N_ ("all-gather (loss)") },
    [PLG_COLLECTIVE_SUBJECT_KV] = { [PLG_COLLECTIVE_ALL_TO_ALL] = N_ ("all-to-all (KV)") },
    [PLG_COLLECTIVE_SUBJECT_REPLICAS] = { [PLG_COLLECTIVE_ALL_REDUCE] =
                                              N_ ("all-reduce (shard groups)") },
    [PLG_COLLECTIVE_SUBJECT_EXPERT_REPLICAS] = { [PLG_COLLECTIVE_ALL_REDUCE] =
                                                     N_ ("all-reduce (experts, shard groups)") },
    [PLG_COLLECTIVE_SUBJECT_MIXER] = { [PLG_COLLECTIVE_ALL_TO_ALL] = N_ ("all-to-all (mixer)") },
    [PLG_COLLECTIVE_SUBJECT_MOMENTUM] = { [PLG_COLLECTIVE_ALL_REDUCE] = N_ ("all-reduce (Muon)"),
                                          [PLG_COLLECTIVE_ALL_GATHER] = N_ ("all-gather (Muon)"),
                                          [PLG_COLLECTIVE_ALL_TO_ALL] = N_ ("all-to-all (Muon)") },
    [PLG_COLLECTIVE_SUBJECT_EXPERT_MOMENTUM] = { [PLG_COLLECTIVE_ALL_REDUCE] =
                                                     N_ ("all-reduce (experts, Muon)"),
                                                 [PLG_COLLECTIVE_ALL_GATHER] =
                                                     N_ ("all-gather (experts, Muon)"),
                                                 [PLG_COLLECTIVE_ALL_TO_ALL] =
                                                     N_ ("all-to-all (experts, Muon)") },
  };
  const char *title = titles[collective->collective_subject][collective->kind];

  return title != NULL ? _ (title) : plg_collective_kind_name (collective->kind);
}

char *
plg_collective_name (const PlgCollective *collective)
{
  static const char *const subjects[PLG_N_COLLECTIVE_SUBJECTS] = {
    [PLG_COLLECTIVE_SUBJECT_LAYERS] = "",
    [PLG_COLLECTIVE_SUBJECT_EXPERTS] = ":experts",
    [PLG_COLLECTIVE_SUBJECT_LOSS] = ":loss",
    [PLG_COLLECTIVE_SUBJECT_KV] = ":kv",
    [PLG_COLLECTIVE_SUBJECT_REPLICAS] = ":replicas",
    [PLG_COLLECTIVE_SUBJECT_EXPERT_REPLICAS] = ":expert-replicas",
    [PLG_COLLECTIVE_SUBJECT_MIXER] = ":mixer",
    [PLG_COLLECTIVE_SUBJECT_MOMENTUM] = ":momentum",
    [PLG_COLLECTIVE_SUBJECT_EXPERT_MOMENTUM] = ":expert-momentum",
  };

  return g_strdup_printf ("%s:%s%s", plg_axis_name (collective->axis),
                          plg_collective_kind_name (collective->kind),
                          subjects[collective->collective_subject]);
}

int
plg_report_find_collective (const PlgReport *report, const char *name)
{
  size_t typed = strlen (name);
  int first = -1;

  for (guint i = 0; i < report->collectives->len; i++)
    {
      g_autofree char *own = plg_collective_name (&g_array_index (report->collectives,
                                                                  PlgCollective, i));

      if (g_str_equal (own, name))
        return (int) i;
      if (first < 0 && g_str_has_prefix (own, name) && own[typed] == ':')
        first = (int) i;
    }
  return first;
}

char *
plg_collective_title (const PlgCollective *collective)
{
  return g_strdup_printf ("%s %s", plg_axis_label (collective->axis),
                          plg_collective_kind_title (collective));
}

const char *
plg_tier_name (PlgTier tier)
{
  static const char *const names[] = {
    [PLG_TIER_NVLINK] = "nvlink", [PLG_TIER_PCIE] = "pcie",   [PLG_TIER_NIC] = "nic",
    [PLG_TIER_LEAF] = "leaf",     [PLG_TIER_SPINE] = "spine",
  };
  G_STATIC_ASSERT (G_N_ELEMENTS (names) == PLG_TIER_SPINE + 1);

  g_return_val_if_fail ((guint) tier < G_N_ELEMENTS (names), NULL);
  return names[tier];
}

double
plg_report_host_memory (const PlgReport *report)
{
  double most = 0.0;

  for (guint i = 0; i < report->stages->len; i++)
    {
      const PlgStageMemory *stage = &g_array_index (report->stages, PlgStageMemory, i);

      if (stage->host > most)
        most = stage->host;
    }
  return most;
}

gboolean
plg_report_fits_cluster (const PlgReport *report, const PlgCluster *cluster)
{
  return report->fits == TRUE && plg_cluster_host_has (cluster, plg_report_host_memory (report));
}

double
plg_report_share_of_step (const PlgReport *report, double seconds)
{
  return report->step.time == 0 ? 0 : seconds / report->step.time;
}

const PlgStageCalls *
plg_report_stage_calls (const PlgReport *report, int collective, int stage)
{
  int stages = report->collectives->len > 0
                   ? (int) (report->stage_calls->len / report->collectives->len)
                   : 0;

  if (collective < 0 || collective >= (int) report->collectives->len || stage < 0 ||
      stage >= stages)
    return NULL;
  return &g_array_index (report->stage_calls, PlgStageCalls, collective * stages + stage);
}

const char *
plg_tier_title (const PlgCluster *cluster, PlgTier tier)
{
  static const char *const titles[] = {
    [PLG_TIER_PCIE] = "PCIe",
    [PLG_TIER_NIC] = "NIC",
    [PLG_TIER_LEAF] = N_ ("Leaf switch"),
    [PLG_TIER_SPINE] = N_ ("Spine switch"),
  };

  g_return_val_if_fail ((guint) tier < G_N_ELEMENTS (titles), NULL);
  if (tier == PLG_TIER_NVLINK)
    return plg_cluster_link_title (cluster);
  return tier >= PLG_TIER_LEAF ? _ (titles[tier]) : titles[tier];
}

char *
plg_tier_describe (const PlgCluster *cluster, PlgTier tier)
{
  switch (tier)
    {
    case PLG_TIER_NIC:
      return g_strdup (_ ("over NICs"));
    case PLG_TIER_LEAF:
      return g_strdup (_ ("over leaf switches"));
    case PLG_TIER_SPINE:
      return g_strdup (_ ("over spine switches"));
    case PLG_TIER_NVLINK:
    case PLG_TIER_PCIE:
    default:
      return g_strdup_printf (_ ("over %s"), plg_tier_title (cluster, tier));
    }
}

const char *
plg_severity_name (PlgSeverity severity)
{
  static const char *const names[] = {
    [PLG_SEVERITY_HINT] = "hint",
    [PLG_SEVERITY_WARNING] = "warning",
    [PLG_SEVERITY_ERROR] = "error",
  };
  G_STATIC_ASSERT (G_N_ELEMENTS (names) == PLG_SEVERITY_ERROR + 1);

  g_return_val_if_fail ((guint) severity < G_N_ELEMENTS (names), NULL);
  return names[severity];
}

char *
plg_link_id (const PlgLink *link)
{
  switch (link->tier)
    {
    case PLG_TIER_NVLINK:
    case PLG_TIER_PCIE:
    case PLG_TIER_NIC:
      if (plg_link_is_pair (link))
        return g_strdup_printf ("%s-%d-%d-%d", plg_tier_name (link->tier), link->node, link->local,
                                link->other);
      return g_strdup_printf ("%s-%d-%d", plg_tier_name (link->tier), link->node, link->local);
    case PLG_TIER_LEAF:
    case PLG_TIER_SPINE:
      return g_strdup_printf ("leaf-%d-spine-%d", link->local, MAX (link->other, 0));
    default:
      g_return_val_if_reached (NULL);
    }
}

/* Returns "rail-N" in a rail network with a single unit of nodes, because each leaf then
 * connects one rail. Otherwise returns "leaf-N". */
static char *
leaf_name (const PlgPlan *plan, int number)
{
  PlgFabric fabric;

  plg_fabric_of_plan (&fabric, plan);
  if (fabric.network == PLG_NETWORK_RAIL && fabric.units == 1)
    return g_strdup_printf ("rail-%d", number);
  return g_strdup_printf ("leaf-%d", number);
}

static char *
gpu_name (const PlgLink *link, const PlgPlan *plan, int local)
{
  return g_strdup_printf ("gpu-%d", link->node * plan->cluster.gpus_per_node + local);
}

char *
plg_link_from (const PlgLink *link, const PlgPlan *plan)
{
  switch (link->tier)
    {
    case PLG_TIER_NVLINK:
    case PLG_TIER_PCIE:
      return gpu_name (link, plan, link->local);
    case PLG_TIER_NIC:
      return g_strdup_printf ("nic-%d-%d", link->node, link->local);
    case PLG_TIER_LEAF:
    case PLG_TIER_SPINE:
      return leaf_name (plan, link->local);
    default:
      g_return_val_if_reached (NULL);
    }
}

char *
plg_link_to (const PlgLink *link, const PlgPlan *plan)
{
  if (plg_link_is_pair (link))
    return gpu_name (link, plan, link->other);
  switch (link->tier)
    {
    case PLG_TIER_NVLINK:
      return g_strdup_printf ("nvswitch-%d", link->node);
    case PLG_TIER_PCIE:
      return g_strdup_printf ("pcie-root-%d", link->node);
    case PLG_TIER_NIC:
      if (link->other >= 0)
        return leaf_name (plan, link->other);
      if (plan->cluster.network == PLG_NETWORK_FLAT)
        return leaf_name (plan, 0);
      return leaf_name (plan, plan->cluster.network == PLG_NETWORK_RAIL ? link->local : link->node);
    case PLG_TIER_LEAF:
    case PLG_TIER_SPINE:
      return g_strdup_printf ("spine-%d", MAX (link->other, 0));
    default:
      g_return_val_if_reached (NULL);
    }
}

double
plg_link_bytes (const PlgLink *link)
{
  return MAX (link->bytes_out, link->bytes_in);
}

double
plg_report_link_time (const PlgReport *report, PlgAxis axis)
{
  double most = 0;

  if ((report->parts & PLG_EVALUATE_LINKS) == 0 ||
      (report->redaction & (PLG_REDACT_CALLS | PLG_REDACT_BUSY)) != 0)
    return NAN;
  for (guint i = 0; i < report->links->len; i++)
    {
      const PlgLink *link = &g_array_index (report->links, PlgLink, i);
      double time = 0;

      for (int k = 0; k < link->n_shares; k++)
        {
          const PlgLinkShare *share = &g_array_index (report->link_shares, PlgLinkShare,
                                                      link->first_share + k);

          if (g_array_index (report->collectives, PlgCollective, share->collective).axis == axis)
            time += share->time;
        }
      most = MAX (most, time);
    }
  return most;
}
