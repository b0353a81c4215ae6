/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "drawing/figure/pictures.h"

#include "drawing/cluster/cluster-layout.h"
#include "drawing/cluster/cluster-marks.h"
#include "drawing/figure/activity.h"
#include "engine/model/flops.h"
#include "engine/model/memory.h"
#include "engine/network/fabric.h"
#include "engine/network/groups.h"
#include "engine/network/traffic.h"
#include "engine/report/metric.h"
#include "engine/report/redaction.h"
#include "plan/fault.h"
#include "plan/quantity.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <stdlib.h>

/* The maximum number of runs of consecutive ranks that a description lists. */
#define MAX_RUNS 6
/* The maximum number of chunks that the description of a stage lists. */
#define MAX_LISTED_CHUNKS 8

char *
plg_describe_calls (double calls)
{
  g_autofree char *count = plg_format_count (calls);

  return g_strdup_printf (g_dngettext (GETTEXT_PACKAGE, "%s call", "%s calls", calls == 1 ? 1 : 2),
                          count);
}

static void G_GNUC_PRINTF (2, 3) add_line (GString *text, const char *format, ...)
{
  va_list arguments;

  if (text->len > 0)
    g_string_append_c (text, '\n');
  va_start (arguments, format);
  g_string_append_vprintf (text, format, arguments);
  va_end (arguments);
}

/* Returns the name of LEAF, which is the switch that a NIC or an uplink connects to. */
static char *
leaf_describe (const PlgPlan *plan, int leaf)
{
  PlgFabric fabric;
  int rail, unit;

  plg_fabric_of_plan (&fabric, plan);
  switch (fabric.network)
    {
    case PLG_NETWORK_RAIL:
      rail = plg_fabric_rail (&fabric, leaf, &unit);
      if (fabric.units == 1)
        return g_strdup_printf (_ ("rail %d"), rail);
      return g_strdup_printf (_ ("rail %d of unit %d"), rail, unit);
    case PLG_NETWORK_TREE:
      return g_strdup_printf (_ ("leaf %d"), leaf);
    case PLG_NETWORK_FLAT:
    default:
      return g_strdup (_ ("the network switch"));
    }
}

char *
plg_describe_link (const PlgPlan *plan, const PlgLink *link)
{
  g_autofree char *node = link->node >= 0 ? plg_plan_node_title (plan, link->node) : NULL;
  g_autofree char *leaf = NULL;

  if (plg_link_is_pair (link))
    return g_strdup_printf (_ ("%s between GPU %d and GPU %d of %s"),
                            plg_tier_title (&plan->cluster, link->tier), link->local, link->other,
                            node);
  switch (link->tier)
    {
    case PLG_TIER_NVLINK:
      return g_strdup_printf (_ ("%s from GPU %d of %s to its switch"),
                              plg_tier_title (&plan->cluster, link->tier), link->local, node);
    case PLG_TIER_PCIE:
      return g_strdup_printf (_ ("%s of GPU %d of %s"), plg_tier_title (&plan->cluster, link->tier),
                              link->local, node);
    case PLG_TIER_NIC:
      leaf = leaf_describe (plan, link->other >= 0 ? link->other : link->local);
      return g_strdup_printf (_ ("NIC %d of %s to %s"), link->local, node, leaf);
    case PLG_TIER_LEAF:
    case PLG_TIER_SPINE:
    default:
      leaf = leaf_describe (plan, link->local);
      return g_strdup_printf (_ ("%s to spine %d"), leaf, MAX (link->other, 0));
    }
}

char *
plg_describe_link_ends (const PlgPlan *plan, const PlgLink *link)
{
  g_autofree char *node = link->node >= 0 ? plg_plan_node_title (plan, link->node) : NULL;
  g_autofree char *leaf = NULL;

  switch (link->tier)
    {
    case PLG_TIER_NVLINK:
    case PLG_TIER_PCIE:
      if (link->other >= 0)
        return g_strdup_printf (_ ("%s GPU %d – %d"), node, link->local, link->other);
      return g_strdup_printf (_ ("%s GPU %d"), node, link->local);
    case PLG_TIER_NIC:
      leaf = leaf_describe (plan, link->other >= 0 ? link->other : link->local);
      return g_strdup_printf (_ ("%s NIC %d → %s"), node, link->local, leaf);
    case PLG_TIER_LEAF:
    case PLG_TIER_SPINE:
    default:
      leaf = leaf_describe (plan, link->local);
      return g_strdup_printf (_ ("%s → spine %d"), leaf, MAX (link->other, 0));
    }
}

static void
describe_link (GString *text, const PlgPlan *plan, const PlgReport *report, PlgEntity entity)
{
  int index = entity.index;
  g_autofree char *name = NULL, *calls = NULL, *bytes = NULL, *time = NULL, *users = NULL;
  g_autofree char *percent = NULL, *bandwidth = NULL, *network = NULL;
  const PlgLink *link;
  PlgFabric fabric;
  double rate;

  if (index < 0 || index >= (int) report->links->len)
    return;
  link = &g_array_index (report->links, PlgLink, index);
  name = plg_describe_link (plan, link);
  add_line (text, "%s", name);

  plg_fabric_of_plan (&fabric, plan);
  rate = plg_fabric_link_rate (&fabric, link);
  percent = plg_format_number (100.0 * rate, 3);
  if (rate <= 0.0)
    add_line (text, _ ("It has failed"));
  else if (rate < 1.0)
    add_line (text, _ ("It runs at %s %% of its normal bandwidth"), percent);

  bandwidth = plg_format_bandwidth (link->bandwidth);
  network = plg_format_network (link->bandwidth);
  if (isfinite (link->bandwidth))
    {
      if (link->tier >= PLG_TIER_NIC)
        add_line (text, _ ("%s (%s) per direction"), bandwidth, network);
      else
        add_line (text, _ ("%s per direction"), bandwidth);
    }

  for (int i = 0; i < link->n_shares; i++)
    if (link->first_share + i < (int) report->link_shares->len)
      {
        /* For each collective that uses the link, add a line with its number of calls, its
         * traffic and its time. */
        const PlgLinkShare *share = &g_array_index (report->link_shares, PlgLinkShare,
                                                    link->first_share + i);
        const PlgCollective *collective;
        g_autofree char *share_calls = plg_describe_calls (share->calls);
        g_autofree char *share_bytes = plg_measure_text (PLG_MEASURE_VOLUME,
                                                         MAX (share->bytes_out, share->bytes_in));
        g_autofree char *share_time = plg_measure_text (PLG_MEASURE_SECONDS, share->time);

        if (share->collective < 0 || share->collective >= (int) report->collectives->len)
          continue;
        collective = &g_array_index (report->collectives, PlgCollective, share->collective);
        add_line (text, _ ("%s %s: %s, %s, %s"), plg_axis_label (collective->axis),
                  plg_collective_kind_title (collective), share_calls, share_bytes, share_time);
      }
  if (plg_report_hides (report, PLG_REDACT_CALLS))
    add_line (text, "%s",
              plg_redaction_is_later (report->redaction, PLG_REDACT_CALLS)
                  ? _ ("Its traffic is shown after a later question")
                  : _ ("Its traffic is shown after you answer"));
  else if (link->n_shares == 0 && !(link->calls > 0))
    add_line (text, _ ("It carries no traffic"));
  users = plg_describe_link_groups (plan, report, index);
  if (*users != '\0')
    add_line (text, _ ("Groups that use it: %s"), users);
  if (link->n_shares == 1)
    return;
  calls = plg_describe_calls (link->calls);
  bytes = plg_measure_text (PLG_MEASURE_VOLUME, plg_link_bytes (link));
  time = plg_measure_text (PLG_MEASURE_SECONDS, link->time);
  if (link->calls > 0)
    add_line (text, _ ("In total: %s, %s, busy %s per step"), calls, bytes, time);
}

/* The maximum number of groups that a description lists one by one. */
#define MAX_NAMED 4

/* Returns the groups of AXIS that contain at least one of RANKS, for example "TP 3", "DP 0, 4"
 * or "PP 0–7"; NULL if there is no such group. */
static char *
groups_describe (const PlgPlan *plan, PlgAxis axis, const guint8 *ranks)
{
  int count = plg_axis_groups (&plan->parallelism, axis), n = 0, first = -1, last = -1;
  g_autofree guint8 *has = g_new0 (guint8, count);
  GString *text;

  for (int rank = 0; rank < plg_plan_world (plan); rank++)
    if (ranks[rank])
      has[plg_axis_group_of (&plan->parallelism, axis, rank)] = TRUE;
  text = g_string_new (plg_axis_label (axis));
  for (int group = 0; group < count; group++)
    if (has[group])
      {
        first = n == 0 ? group : first;
        last = group;
        if (n++ < MAX_NAMED)
          g_string_append_printf (text, "%s %d", n > 1 ? "," : "", group);
      }
  if (n > 1 && last - first == n - 1)
    g_string_printf (text, "%s %d–%d", plg_axis_label (axis), first, last);
  else if (n > MAX_NAMED)
    g_string_append (text, ", …");
  return g_string_free (text, n == 0);
}

char *
plg_describe_link_groups (const PlgPlan *plan, const PlgReport *report, int link)
{
  GString *users = g_string_new (NULL);

  for (PlgAxis axis = 0; plg_traffic_is_traceable (plan, report) && axis < PLG_N_AXES; axis++)
    {
      const PlgLink *row = &g_array_index (report->links, PlgLink, link);
      g_autofree guint8 *ranks = g_new0 (guint8, plg_plan_world (plan));
      g_autofree char *groups = NULL;

      for (int i = row->first_share; i < row->first_share + row->n_shares; i++)
        {
          int collective = g_array_index (report->link_shares, PlgLinkShare, i).collective;

          if (g_array_index (report->collectives, PlgCollective, collective).axis == axis)
            plg_traffic_ranks_on (plan, report, collective, link, ranks);
        }
      groups = groups_describe (plan, axis, ranks);
      if (groups != NULL)
        g_string_append_printf (users, "%s%s", users->len > 0 ? " · " : "", groups);
    }
  return g_string_free (users, FALSE);
}

char *
plg_describe_collective_groups (const PlgPlan *plan,
                                const PlgReport *report,
                                int collective,
                                int link)
{
  g_autofree guint8 *ranks = NULL;

  if (!plg_traffic_is_traceable (plan, report))
    return NULL;
  ranks = g_new0 (guint8, plg_plan_world (plan));
  plg_traffic_ranks_on (plan, report, collective, link, ranks);
  return groups_describe (plan, g_array_index (report->collectives, PlgCollective, collective).axis,
                          ranks);
}

/* Returns ascending numbers in a short form, for example "0–7", "5, 13, 21, 29" or "0, 4, 8 …
 * 60". */
static char *
ranks_describe (const int *ranks, int n)
{
  GString *text = g_string_new (NULL);
  int step = n > 1 ? ranks[1] - ranks[0] : 0, runs = 0;

  for (int i = 2; i < n; i++)
    if (ranks[i] - ranks[i - 1] != step)
      step = 0;
  if (step > 1 && n > MAX_RUNS)
    {
      g_string_append_printf (text, "%d, %d, %d … %d", ranks[0], ranks[1], ranks[2], ranks[n - 1]);
      return g_string_free (text, FALSE);
    }
  for (int i = 0, last; i < n; i = last + 1)
    {
      last = i;
      while (last + 1 < n && ranks[last + 1] == ranks[last] + 1)
        last++;
      if (++runs > MAX_RUNS)
        {
          g_string_append_printf (text, ", … %d", ranks[n - 1]);
          break;
        }
      g_string_append_printf (text, last > i ? "%s%d–%d" : "%s%d", i > 0 ? ", " : "", ranks[i],
                              ranks[last]);
    }
  return g_string_free (text, FALSE);
}

static int
compare_ints (gconstpointer a, gconstpointer b)
{
  return *(const int *) a - *(const int *) b;
}

static char *
members_describe (const PlgPlan *plan, PlgAxis axis, int rank)
{
  int n = plan->parallelism.degree[axis];
  g_autofree int *ranks = g_new (int, n);

  plg_axis_group_members (&plan->parallelism, axis, rank, ranks);
  qsort (ranks, n, sizeof (int), compare_ints);
  return ranks_describe (ranks, n);
}

/* Adds the ranks of N GPUs, starting at GPU FIRST. Adds nothing if GPUs have no ranks. */
static void
add_ranks (GString *text, const PlgPlan *plan, int first, int n)
{
  g_autofree int *ranks = g_new (int, n);
  g_autofree char *words = NULL;

  if (!plg_cluster_layout_is_ranked (plan))
    return;
  for (int i = 0; i < n; i++)
    ranks[i] = plg_placement_rank (&plan->placement, first + i);
  qsort (ranks, n, sizeof (int), compare_ints);
  words = ranks_describe (ranks, n);
  add_line (text, _ ("Ranks %s"), words);
}

static void
add_stage_memory (GString *text, const PlgReport *report, int stage)
{
  const PlgStageMemory *memory;
  g_autofree char *used = NULL, *capacity = NULL;

  if (stage < 0 || stage >= (int) report->stages->len)
    return;
  memory = &g_array_index (report->stages, PlgStageMemory, stage);
  used = plg_format_memory_distinct (memory->total, report->memory_capacity);
  capacity = plg_format_memory_distinct (report->memory_capacity, memory->total);
  if (memory->total > report->memory_capacity)
    add_line (text, _ ("Memory: %s of %s, does not fit"), used, capacity);
  else
    add_line (text, _ ("Memory: %s of %s"), used, capacity);
}

/* Adds the parts of the model in one chunk of a stage, for example "Chunk 1: layers 8–11, loss". */
static void
add_chunk_parts (GString *text, const PlgPlan *plan, int stage, int chunk)
{
  PlgLayerRun run = plg_chunk_layers (plan, stage, chunk);
  PlgStageParts parts = plg_stage_parts (plan, stage);
  int chunks = plg_stage_chunks (plan);
  gboolean is_last = chunk == chunks - 1;
  g_autoptr (GPtrArray) names = g_ptr_array_new_with_free_func (g_free);
  g_autofree char *list = NULL;

  if (parts.embedding && chunk == 0)
    g_ptr_array_add (names, g_strdup (_ ("embedding")));
  if (run.layers == 1)
    g_ptr_array_add (names, g_strdup_printf (_ ("layer %d"), run.first));
  else if (run.layers > 1)
    g_ptr_array_add (names,
                     g_strdup_printf (_ ("layers %d–%d"), run.first, run.first + run.layers - 1));
  else
    g_ptr_array_add (names, g_strdup (_ ("no layer")));
  if (is_last && parts.mtp_layers > 0)
    g_ptr_array_add (names, g_strdup_printf (g_dngettext (GETTEXT_PACKAGE, "%d MTP layer",
                                                          "%d MTP layers", parts.mtp_layers),
                                             parts.mtp_layers));
  if (is_last && parts.output)
    g_ptr_array_add (names, g_strdup (_ ("loss")));
  g_ptr_array_add (names, NULL);
  list = g_strjoinv (", ", (char **) names->pdata);
  if (chunks > 1)
    /* Translators: the parts of the model in a chunk, as in "Chunk 0: embedding, layers 0–3". */
    add_line (text, _ ("Chunk %d: %s"), chunk, list);
  else
    /* Translators: the parts of the model on a stage, as in "Holds embedding, layers 0–3". */
    add_line (text, _ ("Holds %s"), list);
}

/* Adds the parts of the model in CHUNK of a stage, or in all chunks if CHUNK is not one of them. */
static void
add_stage_parts (GString *text, const PlgPlan *plan, int stage, int chunk)
{
  int stages = plan->parallelism.degree[PLG_AXIS_PP], chunks = plg_stage_chunks (plan);

  if (stages < 2 || stage < 0 || stage >= stages)
    return;
  if (chunk >= 0 && chunk < chunks)
    add_chunk_parts (text, plan, stage, chunk);
  else if (chunks <= MAX_LISTED_CHUNKS)
    for (int i = 0; i < chunks; i++)
      add_chunk_parts (text, plan, stage, i);
}

static void
add_stage_layers (GString *text, const PlgReport *report, int stage)
{
  int layers;

  if (stage < 0 || stage >= (int) report->stages->len)
    return;
  layers = g_array_index (report->stages, PlgStageMemory, stage).layers;
  add_line (text,
            g_dngettext (GETTEXT_PACKAGE, "Stage %d: %d layer", "Stage %d: %d layers", layers),
            stage, layers);
}

static void
add_node_name (GString *text, const PlgPlan *plan, int node)
{
  const char *name = plg_node_names_get (&plan->node_names, node);

  if (name != NULL)
    add_line (text, _ ("Node %d is called %s"), node, name);
}

static void
add_nics (GString *text, const PlgPlan *plan, int local)
{
  const PlgNodeTopology *map = &plan->node_topology;
  int nics[MAX_RUNS];
  int n = plg_node_topology_is_empty (map) ? 0
                                           : plg_node_topology_nics_of (map, local, nics, MAX_RUNS);

  for (int i = 0; i < n; i++)
    {
      /* Show the path to a NIC in the node topology, for example "NIC 3 (mlx5_3), PIX, 63 GB/s". */
      int nic = nics[i];
      const PlgPath *path = plg_node_topology_to_nic (map, local, nic);
      g_autofree char *actual = plg_path_describe (path, "");
      g_autofree char *planned = plg_path_describe_planned (path);
      const char *name = map->card[nic].name;

      if (*name != '\0')
        add_line (text, _ ("NIC %d (%s), %s"), nic, name, actual);
      else
        add_line (text, _ ("NIC %d, %s"), nic, actual);
      if (planned != NULL)
        add_line (text, _ ("NCCL assumes %s"), planned);
    }
}

static void
describe_gpu (GString *text, const PlgPlan *plan, const PlgReport *report, PlgEntity entity)
{
  int gpu = entity.index;
  int per_node = MAX (plan->cluster.gpus_per_node, 1), rank = -1;
  g_autofree char *node = NULL;
  g_autoptr (GString) place = g_string_new (NULL);
  PlgCoordinate at;

  if (gpu < 0 || gpu >= plg_cluster_gpus (&plan->cluster))
    return;
  node = plg_plan_node_title (plan, gpu / per_node);
  if (plg_cluster_layout_is_ranked (plan))
    rank = plg_placement_rank (&plan->placement, gpu);
  if (rank < 0)
    {
      add_line (text, _ ("GPU %d of %s, without a rank"), gpu % per_node, node);
      return;
    }
  add_line (text, _ ("Rank %d on GPU %d of %s"), rank, gpu % per_node, node);
  add_node_name (text, plan, gpu / per_node);
  if (rank != gpu)
    {
      g_autofree char *home = plg_plan_node_title (plan, rank / per_node);

      add_line (text, _ ("Moved from GPU %d of %s"), rank % per_node, home);
    }

  /* Show the coordinate on each axis whose degree is above 1, for example "TP 1, PP 2, DP 0". */
  at = plg_rank_coordinate (&plan->parallelism, rank);
  for (int axis = 0; axis < PLG_N_AXES; axis++)
    if (plan->parallelism.degree[axis] > 1)
      g_string_append_printf (place, "%s%s %d", place->len > 0 ? ", " : "", plg_axis_label (axis),
                              at.index[axis]);
  if (place->len > 0)
    add_line (text, "%s", place->str);
  for (int i = 0; i < plan->cluster.n_faults; i++)
    if (plan->cluster.faults[i].kind == PLG_FAULT_GPU && plan->cluster.faults[i].first == gpu)
      {
        g_autofree char *words = plg_fault_describe (&plan->cluster, &plan->node_names,
                                                     &plan->cluster.faults[i]);

        add_line (text, "%s", words);
      }
  if (plg_cluster_is_rank_fullest (plan, rank))
    {
      g_autofree char *load = plg_format_number (plg_expert_load (plan), 3);

      add_line (
          text,
          _ ("This GPU receives %s times the average number of tokens, and its EP group waits for it. The plan does not say which rank is fullest, so the first rank is marked."),
          load);
    }
  add_nics (text, plan, gpu % per_node);
  for (int axis = 0; axis < PLG_N_AXES; axis++)
    {
      g_autofree char *members = NULL;

      if (plan->parallelism.degree[axis] <= 1)
        continue;
      members = members_describe (plan, axis, rank);
      add_line (text, _ ("%s group %d: ranks %s"), plg_axis_label (axis),
                plg_axis_group_of (&plan->parallelism, axis, rank), members);
    }
  if (plg_parallelism_replicate (&plan->parallelism) > 1)
    {
      int groups = plg_parallelism_replicate (&plan->parallelism);
      int replicas = plan->parallelism.degree[PLG_AXIS_DP] / groups;

      add_line (text,
                g_dngettext (GETTEXT_PACKAGE, "Shard group %d of %d (HSDP): %d replica",
                             "Shard group %d of %d (HSDP): %d replicas", replicas),
                at.index[PLG_AXIS_DP] / replicas, groups, replicas);
    }
  add_stage_layers (text, report, at.index[PLG_AXIS_PP]);
  add_stage_memory (text, report, at.index[PLG_AXIS_PP]);
}

static void
describe_node (GString *text, const PlgPlan *plan, const PlgReport *report, PlgEntity entity)
{
  int node = entity.index;
  int per_node = plan->cluster.gpus_per_node;
  if (node < 0 || node >= plan->cluster.nodes)
    return;
  add_line (text, _ ("Node %d: %d × %s"), node, per_node, plan->cluster.gpu.title);
  add_node_name (text, plan, node);
  add_ranks (text, plan, node * per_node, per_node);
}

static void
describe_rack (GString *text, const PlgPlan *plan, const PlgReport *report, PlgEntity entity)
{
  PlgClusterLayout layout = plg_cluster_layout_on_screen (plan, 1);
  int per_node = layout.gpus_per_node, n, first;

  if (entity.index < 0 || entity.index >= plg_cluster_layout_n_racks (&layout))
    return;
  first = plg_cluster_layout_rack_first (&layout, entity.index, &n);
  if (n == 1)
    {
      describe_node (text, plan, report, (PlgEntity) { PLG_ENTITY_NODE, 0, first });
      return;
    }
  add_line (text, _ ("Nodes %d–%d, %d GPUs"), first, first + n - 1, n * per_node);
  add_ranks (text, plan, first * per_node, n * per_node);
}

/* Adds the calls that each GPU of STAGE makes for a collective, and the slowest tier that these
 * calls use. The report contains the exposed time of only one stage, so the line for any other
 * stage omits this time. */
static void
add_collective (GString *text,
                const PlgPlan *plan,
                const PlgReport *report,
                int index,
                int stage,
                PlgTier slowest)
{
  const PlgCollective *row = &g_array_index (report->collectives, PlgCollective, index);
  const PlgStageCalls *own = plg_report_stage_calls (report, index, stage);
  double n = own != NULL ? own->calls : row->calls;
  g_autofree char *calls = plg_describe_calls (n);
  g_autofree char *bytes = plg_format_volume (own != NULL ? own->bytes_per_call
                                                          : row->bytes_per_call);
  g_autofree char *time = plg_format_time (own != NULL ? own->time : row->time);
  g_autofree char *exposed = plg_format_time (row->exposed);
  const char *kind = plg_collective_kind_title (row);
  g_autofree char *tier = plg_tier_describe (&plan->cluster, slowest);

  if (own != NULL && !(n > 0))
    return;
  if (own == NULL || stage == row->stage)
    add_line (text, _ ("%s %s: %s of %s, %s, of which %s is exposed"), kind, tier, calls, bytes,
              time, exposed);
  else
    add_line (text, _ ("%s %s: %s of %s, %s"), kind, tier, calls, bytes, time);
}

/* Adds the heading of the lines about STAGE if the plan has several stages. */
static void
add_stage_name (GString *text, const PlgReport *report, int stage)
{
  if (report->stages->len > 1)
    add_line (text, _ ("Per step, for each GPU of stage %d:"), stage);
}

static void
describe_collective (GString *text, const PlgPlan *plan, const PlgReport *report, PlgEntity entity)
{
  int index = entity.index;
  const PlgCollective *collective;
  g_autofree char *size = NULL, *title = NULL;

  if (index < 0 || index >= (int) report->collectives->len)
    return;
  collective = &g_array_index (report->collectives, PlgCollective, index);
  size = plg_format_count (collective->group_size);
  title = plg_collective_title (collective);
  add_line (text, "%s", title);
  add_line (text, _ ("In groups of %s"), size);
  add_stage_name (text, report, collective->stage);
  add_collective (text, plan, report, index, collective->stage, collective->tier);
}

static void
describe_group (GString *text, const PlgPlan *plan, const PlgReport *report, PlgEntity entity)
{
  PlgAxis axis = entity.axis;
  int group = entity.index;
  int n = plan->parallelism.degree[axis];
  int world = plg_cluster_layout_is_ranked (plan) ? plg_plan_world (plan) : 0;
  int rank = MAX (group, 0), stage = -1, shown = -1;
  g_autofree char *members = NULL;
  PlgFabric fabric;

  /* Find the lowest rank of the group. Groups are numbered in the order of their lowest ranks,
   * so this rank cannot be below the group's number. */
  while (group >= 0 && rank < world && plg_axis_group_of (&plan->parallelism, axis, rank) != group)
    rank++;
  if (group < 0 || rank >= world)
    rank = -1;

  if (group < 0)
    add_line (text, _ ("%s: %d groups of %d"), plg_axis_title (axis),
              plg_axis_groups (&plan->parallelism, axis), n);
  else if (rank < 0)
    return;
  else
    {
      members = members_describe (plan, axis, rank);
      add_line (text,
                g_dngettext (GETTEXT_PACKAGE, "%s group %d: %d GPU", "%s group %d: %d GPUs", n),
                plg_axis_label (axis), group, n);
      add_line (text, _ ("Ranks %s"), members);
    }

  /* For one group, use the calls and times of its stage. For all groups, and for PP, use those
   * of the stage that the report describes (PlgCollective.stage). */
  if (rank >= 0 && axis != PLG_AXIS_PP)
    stage = plg_rank_coordinate (&plan->parallelism, rank).index[PLG_AXIS_PP];
  plg_fabric_of_plan (&fabric, plan);
  for (int i = 0; i < (int) report->collectives->len; i++)
    {
      const PlgCollective *row = &g_array_index (report->collectives, PlgCollective, i);
      int row_stage = stage >= 0 ? stage : row->stage;

      if (row->axis != axis)
        continue;
      if (row_stage != shown)
        add_stage_name (text, report, row_stage);
      shown = row_stage;
      add_collective (text, plan, report, i, row_stage,
                      rank >= 0 ? plg_groups_tier (plan, &fabric, row, rank) : row->tier);
    }
}

static void
describe_stage (GString *text, const PlgPlan *plan, const PlgReport *report, PlgEntity entity)
{
  int stage = entity.index;
  const struct
  {
    const char *title;
    gsize offset;
  } parts[] = { { _ ("Weights"), G_STRUCT_OFFSET (PlgStageMemory, weights) },
                { _ ("Gradients"), G_STRUCT_OFFSET (PlgStageMemory, gradients) },
                { _ ("Optimizer"), G_STRUCT_OFFSET (PlgStageMemory, optimizer) },
                { _ ("Activations"), G_STRUCT_OFFSET (PlgStageMemory, activations) },
                { _ ("Buffers"), G_STRUCT_OFFSET (PlgStageMemory, buffers) },
                { _ ("Runtime"), G_STRUCT_OFFSET (PlgStageMemory, runtime) } };
  const PlgStageMemory *memory;

  if (stage < 0 || stage >= (int) report->stages->len)
    return;
  memory = &g_array_index (report->stages, PlgStageMemory, stage);
  add_stage_layers (text, report, stage);
  add_stage_parts (text, plan, stage, -1);
  add_stage_memory (text, report, stage);
  for (int i = 0; i < (int) G_N_ELEMENTS (parts); i++)
    {
      g_autofree char *bytes = plg_format_memory (G_STRUCT_MEMBER (double, memory,
                                                                   parts[i].offset));

      add_line (text, "%s: %s", parts[i].title, bytes);
    }
}

static void
describe_block (GString *text, const PlgPlan *plan, const PlgReport *report, PlgEntity entity)
{
  int index = entity.index;
  const PlgBlock *block;
  g_autofree char *start = NULL, *length = NULL;

  if (index < 0 || index >= (int) report->blocks->len)
    return;
  block = &g_array_index (report->blocks, PlgBlock, index);
  start = plg_format_time (block->start);
  length = plg_format_time (block->end - block->start);
  add_line (text, _ ("Micro-batch %d, %s"), block->micro_batch,
            plg_activity_block_title (block->kind));
  if (plan->parallelism.chunks > 1)
    add_line (text, _ ("Stage %d, chunk %d"), block->stage, block->chunk);
  else
    add_stage_layers (text, report, block->stage);
  add_stage_parts (text, plan, block->stage, block->chunk);
  add_line (text, _ ("%s, starting at %s"), length, start);
}

static void
describe_part (GString *text, const PlgPlan *plan, const PlgReport *report, PlgEntity entity)
{
  int part = entity.index;
  g_autofree char *time = NULL, *share = NULL;
  const char *meaning;

  if (part < 0 || part >= PLG_N_PARTS)
    return;
  time = plg_format_time (report->step.part[part]);
  share = plg_format_share (plg_report_share_of_step (report, report->step.part[part]));
  switch (part)
    {
    case PLG_PART_COMPUTE:
      meaning = _ ("Time in kernels. The kernel efficiency is the share of the peak that they "
                   "reach.");
      break;
    case PLG_PART_RECOMPUTE:
      meaning = _ ("Activations computed a second time to save memory.");
      break;
    case PLG_PART_HOST:
      meaning = _ ("The GPU waits until the host has launched kernels or moved activations.");
      break;
    case PLG_PART_BUBBLE:
      meaning = _ ("Stages waiting for the pipeline to fill or drain.");
      break;
    case PLG_PART_TP:
    case PLG_PART_CP:
    case PLG_PART_EP:
    case PLG_PART_PP:
    case PLG_PART_DP:
      meaning = _ ("Communication that computation does not hide.");
      break;
    case PLG_PART_OPTIMIZER:
    default:
      meaning = _ ("The optimizer's update of the weights.");
      break;
    }
  add_line (text, _ ("%s: %s, %s of the step"), plg_part_title (part), time, share);
  add_line (text, "%s", meaning);
}

static void
describe_handle (GString *text, const PlgPlan *plan, const PlgReport *report, PlgEntity entity)
{
  const char *axis = plg_axis_label (entity.axis);

  add_line (text, _ ("Edge of a %s group: drag it to change %s (now %d)"), axis, axis,
            plan->parallelism.degree[entity.axis]);
}

static void
describe_shard (GString *text, const PlgPlan *plan, const PlgReport *report, PlgEntity entity)
{
  int replicate = MAX (plan->parallelism.replicate, 1);
  int replicas = plan->parallelism.degree[PLG_AXIS_DP] / replicate;

  add_line (
      text,
      g_dngettext (GETTEXT_PACKAGE,
                   "Edge of a shard group: drag it to change how many groups hold the same shards "
                   "(now %d × %d replica)",
                   "Edge of a shard group: drag it to change how many groups hold the same shards "
                   "(now %d × %d replicas)",
                   replicas),
      replicate, replicas);
}

static void
describe_pair (GString *text, const PlgPlan *plan, const PlgReport *report, PlgEntity entity)
{
  g_autofree char *words = plg_describe_pair (plan, report, NULL, entity.index);

  add_line (text, "%s", words);
}

typedef void (*Describe) (GString *text,
                          const PlgPlan *plan,
                          const PlgReport *report,
                          PlgEntity entity);

char *
plg_describe_entity (const PlgPlan *plan, const PlgReport *report, PlgEntity entity)
{
  static const Describe describe[PLG_N_ENTITY_KINDS] = {
    [PLG_ENTITY_GPU] = describe_gpu,
    [PLG_ENTITY_NODE] = describe_node,
    [PLG_ENTITY_LINK] = describe_link,
    [PLG_ENTITY_GROUP] = describe_group,
    [PLG_ENTITY_HANDLE] = describe_handle,
    [PLG_ENTITY_STAGE] = describe_stage,
    [PLG_ENTITY_BLOCK] = describe_block,
    [PLG_ENTITY_PART] = describe_part,
    [PLG_ENTITY_COLLECTIVE] = describe_collective,
    [PLG_ENTITY_PAIR] = describe_pair,
    [PLG_ENTITY_RACK] = describe_rack,
    [PLG_ENTITY_SHARD] = describe_shard,
  };
  GString *text = g_string_new (NULL);

  if (entity.kind < PLG_N_ENTITY_KINDS && describe[entity.kind] != NULL)
    describe[entity.kind](text, plan, report, entity);
  return g_string_free (text, FALSE);
}
