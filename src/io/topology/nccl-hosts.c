/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "io/topology/nccl-hosts.h"

#include "io/import/format.h"
#include "plan/fault.h"

#include <glib/gi18n-lib.h>

/* Hosts that are equal except for the names of their NICs. */
typedef struct
{
  PlgNodeTopology map;
  int host; /* the first host of the class */
  int hosts;
} HostClass;

static void
class_clear (gpointer data)
{
  plg_node_topology_clear (&((HostClass *) data)->map);
}

static void
add_host_to_classes (GArray *classes, const PlgNcclTopology *nccl, int host)
{
  HostClass new = { .host = host, .hosts = 1 };

  plg_nccl_topology_to_node (nccl, host, &new.map);
  for (int i = 0; i < new.map.nics; i++)
    *new.map.card[i].name = '\0';
  for (guint i = 0; i < classes->len; i++)
    {
      HostClass *class = &g_array_index (classes, HostClass, i);

      if (plg_node_topology_equal (&class->map, &new.map))
        {
          class->hosts++;
          plg_node_topology_clear (&new.map);
          return;
        }
    }
  g_array_append_val (classes, new);
}

static double
sum_nic_bandwidth (const PlgNodeTopology *map)
{
  double sum = 0.0;

  for (int i = 0; i < map->nics; i++)
    sum += map->card[i].bandwidth;
  return sum;
}

gboolean
plg_nccl_find_majority_host (PlgImportContext *context,
                             const PlgNcclTopology *nccl,
                             int *reference,
                             GError **error)
{
  g_autoptr (GArray) classes = g_array_new (FALSE, FALSE, sizeof (HostClass));
  const HostClass *best;

  g_array_set_clear_func (classes, class_clear);
  for (int i = 0; i < nccl->hosts; i++)
    {
      PlgNcclHost host = plg_nccl_topology_get_host (nccl, i);

      if (host.gpus > PLG_MAX_GPUS_PER_NODE)
        return plg_format_fail (host.line, PLG_FORMAT_ERROR_CONTENT, error,
                                _ ("The node has %d GPUs; a plan allows at most %d per node."),
                                host.gpus, PLG_MAX_GPUS_PER_NODE);
      if (host.nets > PLG_MAX_NODE_NICS)
        return plg_format_fail (host.line, PLG_FORMAT_ERROR_CONTENT, error,
                                _ ("The node has %d NICs; a plan allows at most %d per node."),
                                host.nets, PLG_MAX_NODE_NICS);
      if (host.gpus > 0)
        add_host_to_classes (classes, nccl, i);
    }
  /* Choose the most common class. Among equally common classes, choose the one with the most
   * GPUs, then the most NICs, then the highest NIC bandwidth. */
  best = &g_array_index (classes, HostClass, 0);
  for (guint i = 1; i < classes->len; i++)
    {
      const HostClass *class = &g_array_index (classes, HostClass, i);

      if (class->hosts != best->hosts         ? class->hosts > best->hosts
          : class->map.gpus != best->map.gpus ? class->map.gpus > best->map.gpus
          : class->map.nics != best->map.nics
              ? class->map.nics > best->map.nics
              : sum_nic_bandwidth (&class->map) > sum_nic_bandwidth (&best->map))
        best = class;
    }
  *reference = best->host;
  for (int host = 0; host < nccl->hosts; host++)
    {
      /* A host can have fewer GPUs than the reference host, but not more, and must have at least
       * one. */
      PlgNcclHost there = plg_nccl_topology_get_host (nccl, host);
      int gpus = there.gpus, wanted = plg_nccl_topology_get_host (nccl, *reference).gpus;

      if (gpus == 0)
        return plg_format_fail (0, PLG_FORMAT_ERROR_CONTENT, error,
                                _ ("Host %d in the file has no GPU, but host %d has %d. Remove "
                                   "the host without a GPU from the file."),
                                host, *reference, wanted);
      if (gpus > wanted)
        return plg_format_fail (there.line, PLG_FORMAT_ERROR_CONTENT, error,
                                _ ("Host %d in the file has %d GPUs, more than host %d and most "
                                   "others, which have %d. All nodes in a plan have the same "
                                   "number of GPUs. Remove the host with more GPUs from the file."),
                                host, gpus, *reference, wanted);
    }
  return TRUE;
}

typedef struct
{
  PlgImportContext *context;
  const PlgNcclTopology *nccl;
  int reference;
  const PlgNodeTopology *map; /* the map of the reference host */
  /* for each NIC of the reference host, its number in the plan; -1 if the plan omits the NIC */
  const int *number;
  PlgNcclHost here;  /* the reference host */
  PlgNcclHost there; /* the compared host */
  int host;          /* the number of the compared host */
  const PlgNodeTopology *other;
  int *nic; /* for each NIC of the reference host, the index of the matching NIC on the compared
               host; -1 if none matches */
  int *gpu; /* for each GPU of the reference host, the index of the matching GPU on the compared
               host; -1 if none matches */
  PlgCluster *faults;
  int fault_line; /* the line number of the last fault */
} Comparison;

/* Returns the line of a NIC on the compared host, or the line of the host itself if NIC is -1. */
static int
line_of_nic (const Comparison *comparison, int nic)
{
  return nic >= 0 ? comparison->there.net[nic].line : comparison->there.line;
}

static void
add_fault (Comparison *comparison, int line, PlgFault fault, const char *name)
{
  PlgImportContext *context = comparison->context;
  g_autofree char *percent = g_strdup_printf ("%.0f", fault.rate * 100.0);

  comparison->fault_line = line;
  if (!plg_faults_set (comparison->faults, &fault, NULL))
    plg_import_note (context, PLG_NOTE_IGNORED, line,
                     _ ("Host %d: %s has %s %% of the rate that it has on host %d. This fault is "
                        "ignored, because the plan already has the largest possible number of "
                        "faults."),
                     comparison->host, name, percent, comparison->reference);
  else if (fault.rate > 0.0)
    plg_import_note (context, PLG_NOTE_UNDERSTOOD, line,
                     _ ("Host %d: %s has %s %% of the rate that it has on host %d."),
                     comparison->host, name, percent, comparison->reference);
  else
    plg_import_note (context, PLG_NOTE_UNDERSTOOD, line,
                     _ ("Host %d: %s is missing, but host %d has it."), comparison->host, name,
                     comparison->reference);
}

static void
note_difference (Comparison *comparison,
                 int line,
                 const char *name,
                 const char *there,
                 const char *reference)
{
  plg_import_note (comparison->context, PLG_NOTE_IGNORED, line,
                   _ ("Host %d: %s is %s, but %s on host %d. The difference is ignored, because "
                      "all nodes in a plan are alike."),
                   comparison->host, name, there, reference, comparison->reference);
}

/* Compares a rate with that of the reference host. A lower rate becomes a fault; a higher rate
 * gets only a note, because a plan cannot express it. */
static void
compare_rates (Comparison *comparison,
               int line,
               PlgFault fault,
               const char *name,
               double there,
               double reference)
{
  if (there < reference)
    {
      fault.rate = there / reference;
      add_fault (comparison, line, fault, name);
    }
  else if (there > reference)
    {
      g_autofree char *fast = g_strdup_printf ("%.4g GB/s", there / 1e9);
      g_autofree char *slow = g_strdup_printf ("%.4g GB/s", reference / 1e9);

      note_difference (comparison, line, name, fast, slow);
    }
}

static char *
nic_name (const PlgNodeTopology *map, int nic)
{
  return *map->card[nic].name != '\0'
             ? g_strdup_printf (_ ("NIC %d (%s)"), nic, map->card[nic].name)
             : g_strdup_printf (_ ("NIC %d"), nic);
}

static void
compare_nics (Comparison *comparison)
{
  const PlgNodeTopology *map = comparison->map;
  gboolean has_nic = map->nics == 0;

  /* If the host has none of the reference host's NICs, assume that it has all of them, because a
   * plan cannot have a node that other nodes cannot reach. */
  for (int i = 0; i < map->nics; i++)
    has_nic = has_nic || (comparison->number[i] >= 0 && comparison->nic[i] >= 0);
  if (!has_nic)
    {
      plg_import_note (comparison->context, PLG_NOTE_IGNORED, line_of_nic (comparison, -1),
                       _ ("The file lists no NICs for host %d that match those of host %d. No "
                          "other node could reach a host without NICs, so it is assumed to have "
                          "the same NICs."),
                       comparison->host, comparison->reference);
      return;
    }
  for (int i = 0; i < map->nics; i++)
    {
      g_autofree char *name = nic_name (map, i);
      PlgFault fault = { PLG_FAULT_NIC, comparison->host, comparison->number[i], 0.0 };
      int j = comparison->nic[i];

      if (comparison->number[i] < 0)
        continue;
      if (j < 0)
        add_fault (comparison, line_of_nic (comparison, j), fault, name);
      else if (comparison->other->card[j].bandwidth > 0.0 && map->card[i].bandwidth > 0.0)
        compare_rates (comparison, line_of_nic (comparison, j), fault, name,
                       comparison->other->card[j].bandwidth, map->card[i].bandwidth);
    }
}

/* Adds notes about missing GPUs, because a plan cannot express a missing GPU. */
static void
compare_gpus (Comparison *comparison)
{
  const PlgNcclGpu *reference = comparison->here.gpu;
  int line = comparison->there.line;
  int missing = comparison->map->gpus - comparison->other->gpus, unmatched = 0;

  for (int gpu = 0; gpu < comparison->map->gpus; gpu++)
    unmatched += comparison->gpu[gpu] < 0;
  if (missing > 0 && unmatched != missing)
    plg_import_note (comparison->context, PLG_NOTE_IGNORED, line,
                     _ ("Host %d lacks %d of the %d GPUs of host %d. All nodes in a plan have "
                        "the same number of GPUs, so the missing GPUs are assumed to be present."),
                     comparison->host, missing, comparison->map->gpus, comparison->reference);
  for (int gpu = 0; gpu < comparison->map->gpus && unmatched == missing; gpu++)
    if (comparison->gpu[gpu] < 0)
      plg_import_note (comparison->context, PLG_NOTE_IGNORED, line,
                       _ ("Host %d: GPU %d (bus id %04x:%02x:%02x.%x), which host %d has, is "
                          "missing. All nodes in a plan have the same number of GPUs, so this "
                          "GPU is assumed to be present."),
                       comparison->host, gpu, (guint) (reference[gpu].busid >> 20) & 0xffff,
                       (guint) (reference[gpu].busid >> 12) & 0xff,
                       (guint) (reference[gpu].busid >> 4) & 0xff,
                       (guint) reference[gpu].busid & 0xf, comparison->reference);
}

/* Compares the total rate of each GPU's links inside the node with that of the matching GPU on
 * the reference host. */
static void
compare_ports (Comparison *comparison)
{
  const PlgNcclGpu *there = comparison->there.gpu;
  const PlgNcclGpu *reference = comparison->here.gpu;
  int gpus = comparison->map->gpus;

  for (int gpu = 0; gpu < gpus; gpu++)
    {
      g_autofree char *name = g_strdup_printf (_ ("the port of GPU %d"), gpu);
      PlgFault fault = { PLG_FAULT_PORT, comparison->host * gpus + gpu, 0, 0.0 };
      int j = comparison->gpu[gpu];

      if (j >= 0)
        compare_rates (comparison, there[j].line, fault, name, there[j].links * there[j].link,
                       reference[gpu].links * reference[gpu].link);
    }
}

static gboolean
compare_path (Comparison *comparison,
              const char *name,
              const PlgPath *there,
              const PlgPath *reference)
{
  if (there->type == reference->type)
    return TRUE;
  note_difference (comparison, line_of_nic (comparison, -1), name, plg_path_code (there->type),
                   plg_path_code (reference->type));
  return FALSE;
}

/* Adds a note about the first path that differs between the two hosts. One note is enough to
 * show that the nodes are of different types. Skips hosts that lack GPUs, because their paths
 * differ anyway. */
static void
compare_paths (Comparison *comparison)
{
  const PlgNodeTopology *map = comparison->map, *other = comparison->other;

  if (map->gpus != other->gpus)
    return;

  for (int gpu = 0; gpu < map->gpus; gpu++)
    {
      for (int to = 0; to < gpu; to++)
        {
          g_autofree char *name = g_strdup_printf (_ ("GPU %d to GPU %d"), gpu, to);

          if (!compare_path (comparison, name, plg_node_topology_to_gpu (other, gpu, to),
                             plg_node_topology_to_gpu (map, gpu, to)))
            return;
        }
      for (int nic = 0; nic < map->nics; nic++)
        {
          g_autofree char *name = g_strdup_printf (_ ("GPU %d to NIC %d"), gpu, nic);

          if (comparison->nic[nic] >= 0 &&
              !compare_path (comparison, name,
                             plg_node_topology_to_nic (other, gpu, comparison->nic[nic]),
                             plg_node_topology_to_nic (map, gpu, nic)))
            return;
        }
    }
}

static void
compare_host (Comparison *comparison, int host)
{
  static void (*const comparisons[]) (Comparison *) = { compare_gpus, compare_nics, compare_ports,
                                                        compare_paths };
  const PlgNodeTopology *map = comparison->map;
  const PlgNcclGpu *there, *reference = comparison->here.gpu;
  PlgNodeTopology other;
  g_autofree gboolean *taken = NULL;

  plg_nccl_topology_to_node (comparison->nccl, host, &other);
  comparison->host = host;
  comparison->there = plg_nccl_topology_get_host (comparison->nccl, host);
  comparison->other = &other;

  /* Match NICs by name. Match NICs without a name in the order in which each host lists them. */
  taken = g_new0 (gboolean, other.nics);
  for (int i = 0; i < map->nics; i++)
    {
      comparison->nic[i] = -1;
      for (int j = 0; j < other.nics && comparison->nic[i] < 0; j++)
        if (!taken[j] && g_str_equal (map->card[i].name, other.card[j].name))
          {
            comparison->nic[i] = j;
            taken[j] = TRUE;
          }
    }
  for (int j = 0; j < other.nics; j++)
    {
      g_autofree char *name = nic_name (&other, j);

      if (!taken[j])
        plg_import_note (comparison->context, PLG_NOTE_IGNORED, line_of_nic (comparison, j),
                         _ ("Host %d has %s, but host %d does not. This NIC is ignored, because "
                            "all nodes in a plan are alike."),
                         host, name, comparison->reference);
    }

  /* Match GPUs by index if both hosts have the same number of GPUs, otherwise by bus id. */
  there = comparison->there.gpu;
  for (int i = 0; i < map->gpus; i++)
    {
      comparison->gpu[i] = map->gpus == other.gpus ? i : -1;
      for (int j = 0; j < other.gpus && map->gpus != other.gpus; j++)
        if (there[j].busid == reference[i].busid)
          comparison->gpu[i] = j;
    }

  for (guint i = 0; i < G_N_ELEMENTS (comparisons); i++)
    comparisons[i](comparison);
  plg_node_topology_clear (&other);
}

char *
plg_nccl_find_faults (PlgImportContext *context,
                      const PlgNcclTopology *nccl,
                      int reference,
                      int *line)
{
  PlgNodeTopology map, kept = { 0 };
  g_autofree int *number = NULL, *nic = NULL, *gpu = NULL;
  g_autofree PlgCluster *faults = g_new0 (PlgCluster, 1);
  Comparison comparison = { context, nccl, reference, &map, .faults = faults };

  plg_nccl_topology_to_node (nccl, reference, &map);
  comparison.here = plg_nccl_topology_get_host (nccl, reference);
  comparison.number = number = g_new (int, MAX (map.nics, 1));
  comparison.nic = nic = g_new (int, MAX (map.nics, 1));
  comparison.gpu = gpu = g_new (int, map.gpus);

  /* Find the number of each NIC in the plan, which omits the NICs that no GPU uses. In a copy of
   * the map, name each NIC by its original number, because the numbers of the remaining NICs
   * change when the unused NICs are dropped. */
  plg_node_topology_copy (&kept, &map);
  for (int i = 0; i < map.nics; i++)
    {
      g_snprintf (kept.card[i].name, PLG_NAME_SIZE, "%d", i);
      number[i] = -1;
    }
  plg_node_topology_drop_far_nics (&kept);
  for (int i = 0; i < kept.nics; i++)
    number[g_ascii_strtoull (kept.card[i].name, NULL, 10)] = i;
  plg_node_topology_clear (&kept);

  for (int host = 0; host < nccl->hosts; host++)
    if (host != reference)
      compare_host (&comparison, host);
  plg_node_topology_clear (&map);
  *line = faults->n_faults == 1 ? comparison.fault_line : 0;
  return faults->n_faults > 0 ? plg_faults_to_string (faults) : NULL;
}
