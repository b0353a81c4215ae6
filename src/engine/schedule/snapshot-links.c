/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "engine/schedule/snapshot.h"

#include "engine/network/fabric.h"


/* The collectives that run on each GPU, NIC and leaf switch, as bit masks: bit 1 << i marks
 * collective i of the report. These devices are the ends of the links. */
typedef struct
{
  PlgFabric fabric;
  guint *gpu;
  guint *nic;
  guint *leaf;
} LinkEndActivity;

static void
link_ends_init (LinkEndActivity *ends, const PlgSnapshot *snapshot, const PlgPlan *plan)
{
  int gpus = plg_cluster_gpus (&plan->cluster);

  plg_fabric_of_plan (&ends->fabric, plan);
  ends->gpu = g_new0 (guint, gpus);
  ends->nic = g_new0 (guint, (gsize) ends->fabric.nodes * MAX (ends->fabric.nics, 1));
  ends->leaf = g_new0 (guint, MAX (ends->fabric.leaves, 1));
  for (int rank = 0; rank < plg_plan_world (plan); rank++)
    {
      int stage = plg_rank_coordinate (&plan->parallelism, rank).index[PLG_AXIS_PP];

      if (stage < snapshot->n_stages)
        {
          int gpu = plg_placement_gpu (&plan->placement, rank);
          guint running = snapshot->stages[stage].running;
          const PlgFabric *fabric = &ends->fabric;
          int node = gpu / fabric->gpus, first, last;

          ends->gpu[gpu] = running;
          if (fabric->leaves == 0 || running == 0)
            continue;
          plg_fabric_nics_of (fabric, gpu % fabric->gpus, &first, &last);
          for (int nic_path = first; nic_path <= last; nic_path++)
            {
              int nic = plg_fabric_nic_at (fabric, gpu % fabric->gpus, nic_path);
              int working = plg_fabric_working_nic (fabric, node, nic);

              ends->nic[node * fabric->nics + working] |= running;
              ends->leaf[plg_fabric_leaf (fabric, node, working)] |= running;
            }
        }
    }
}

static guint
running_at (const LinkEndActivity *ends, const PlgLink *link)
{
  const PlgFabric *fabric = &ends->fabric;
  int base = link->node * fabric->gpus;

  switch (link->tier)
    {
    case PLG_TIER_NIC:
      return ends->nic[link->node * fabric->nics + link->local];
    case PLG_TIER_LEAF:
    case PLG_TIER_SPINE:
      return ends->leaf[link->local];
    case PLG_TIER_NVLINK:
    case PLG_TIER_PCIE:
    default:
      if (plg_link_is_pair (link))
        return ends->gpu[base + link->local] & ends->gpu[base + link->other];
      return ends->gpu[base + link->local];
    }
}

void
plg_snapshot_links (const PlgSnapshot *snapshot,
                    const PlgPlan *plan,
                    const PlgReport *report,
                    guint8 *running)
{
  LinkEndActivity ends;

  link_ends_init (&ends, snapshot, plan);
  for (guint i = 0; i < report->links->len; i++)
    {
      const PlgLink *link = &g_array_index (report->links, PlgLink, i);
      guint rows = 0;

      for (int j = 0; j < link->n_shares; j++)
        rows |= 1u << g_array_index (report->link_shares, PlgLinkShare, link->first_share + j)
                          .collective;
      running[i] = (rows & running_at (&ends, link)) != 0;
    }
  g_free (ends.gpu);
  g_free (ends.nic);
  g_free (ends.leaf);
}
