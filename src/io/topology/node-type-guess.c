/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "io/topology/node-type-guess.h"

#include "plan/settings/setting.h"

#include <glib/gi18n-lib.h>
#include <string.h>

/* The largest number of NVLinks per GPU (18 on H100 and B200; NVIDIA's data sheets). */
#define MAX_LINKS 18
/* The rate of one NVLink of a Blackwell GPU [bytes/s]. */
#define FAST_LINK (2.0 * PLG_NVLINK_BANDWIDTH)

/* Returns the number of links per pair if it is the same for all pairs; otherwise 0. */
static int
links_per_pair (const PlgNodeTopology *map)
{
  const PlgPath *first = map->gpus > 1 ? plg_node_topology_to_gpu (map, 0, 1) : NULL;

  for (int a = 0; a < map->gpus; a++)
    for (int b = 0; b < map->gpus; b++)
      if (a != b && (plg_node_topology_to_gpu (map, a, b)->type != PLG_PATH_NVLINK ||
                     plg_node_topology_to_gpu (map, a, b)->links != first->links))
        return 0;
  return first != NULL ? first->links : 0;
}

/* Returns whether a switch connects the GPUs. With a switch, the file lists all links of a GPU
 * for each pair, so their sum over the pairs exceeds the number of links that a GPU can have. */
static gboolean
is_switched (const PlgNodeTopology *map)
{
  return links_per_pair (map) * (map->gpus - 1) > MAX_LINKS;
}

int
plg_node_topology_max_links (const PlgNodeTopology *map)
{
  int most = 0;

  if (is_switched (map))
    return links_per_pair (map);
  for (int gpu = 0; gpu < map->gpus; gpu++)
    {
      int links = 0;

      for (int other = 0; other < map->gpus; other++)
        if (plg_node_topology_to_gpu (map, gpu, other)->type == PLG_PATH_NVLINK)
          links += plg_node_topology_to_gpu (map, gpu, other)->links;
      most = MAX (most, links);
    }
  return most;
}

gboolean
plg_node_topology_is_connected (const PlgNodeTopology *map)
{
  int queue[PLG_MAX_GPUS_PER_NODE] = { 0 }, n = 1;
  gboolean seen[PLG_MAX_GPUS_PER_NODE] = { TRUE };

  for (int i = 0; i < n; i++)
    for (int other = 0; other < map->gpus; other++)
      if (!seen[other] && plg_node_topology_to_gpu (map, queue[i], other)->type == PLG_PATH_NVLINK)
        {
          seen[other] = TRUE;
          queue[n++] = other;
        }
  return n == map->gpus && n > 1;
}

PlgIntra
plg_node_topology_guess_intra (const PlgNodeTopology *map, gboolean xgmi)
{
  if (!xgmi && is_switched (map))
    return PLG_INTRA_NVSWITCH;
  return plg_node_topology_is_connected (map) ? PLG_INTRA_MESH : PLG_INTRA_PCIE;
}


static gboolean
is_amd (const PlgGpu *gpu)
{
  return *gpu->link_title != '\0';
}

typedef struct
{
  PlgIntra intra;
  int gpus;
  int links;              /* the number of NVLinks per GPU */
  gboolean xgmi;          /* whether the GPUs are from AMD and have xGMI links */
  gboolean has_multi_hop; /* whether some paths pass through other GPUs */
} NodeType;

static gboolean
gpu_fits (const PlgGpu *gpu, const NodeType *kind)
{
  gboolean fast = *gpu->name == 'b' || g_str_has_prefix (gpu->name, "gb");
  double links = gpu->link_bandwidth / (fast ? FAST_LINK : PLG_NVLINK_BANDWIDTH);

  if (kind->xgmi || is_amd (gpu))
    return kind->xgmi && is_amd (gpu);
  if (kind->intra == PLG_INTRA_PCIE)
    return gpu->link_bandwidth <= 0.0;
  return (int) (links + 0.5) == kind->links;
}

/* Returns whether INTRA, the type of the links in a catalogue node, matches the link type of
 * KIND. Two GPUs that are connected through a switch look like a mesh of two GPUs, so such a
 * mesh in KIND also matches a node with a switch. */
static gboolean
intra_fits (PlgIntra intra, const NodeType *kind)
{
  return intra == kind->intra ||
         (kind->gpus == 2 && kind->intra == PLG_INTRA_MESH && intra == PLG_INTRA_NVSWITCH);
}

/* Returns the first node in the catalogue that matches KIND. If no node matches exactly, returns
 * the first one that differs only in the number of GPUs, or else NULL. */
static const PlgNode *
find_node (const PlgCatalogue *catalogue, const NodeType *kind)
{
  const PlgNode *other = NULL;

  for (int i = 0; i < plg_catalogue_n_nodes (catalogue); i++)
    {
      const PlgNode *node = plg_catalogue_nth_node (catalogue, i);
      const PlgGpu *gpu = plg_catalogue_gpu (catalogue, node->gpu);

      if (gpu == NULL || !intra_fits (node->intra, kind) || !gpu_fits (gpu, kind))
        continue;
      /* Among the catalogue's AMD nodes, only those with the MI250X have pairs of GPUs without a
       * direct link. */
      if (kind->xgmi && g_str_has_prefix (gpu->name, "mi250") != kind->has_multi_hop)
        continue;

      if (node->gpus == kind->gpus)
        return node;
      other = other == NULL ? node : other;
    }
  return other;
}

static const char *
explain_node (const NodeType *kind)
{
  if (kind->intra == PLG_INTRA_PCIE && kind->xgmi)
    return _ ("These are AMD GPUs, but xGMI does not connect all of them. The file does not name "
              "the GPU model; choose the right one.");
  if (kind->intra == PLG_INTRA_PCIE && kind->links > 0)
    return _ ("NVLink connects only some of the GPUs. The file does not name the GPU model; "
              "choose the right one.");
  if (kind->intra == PLG_INTRA_PCIE)
    return _ ("The GPUs have no direct links. The file does not name the GPU model; choose the "
              "right one.");
  if (kind->xgmi)
    return _ ("The GPUs of this node type are connected as in the file. The file does not name the "
              "GPU model; if this node type is wrong, choose another.");
  if (kind->gpus == 2)
    return _ (
        "The GPUs of this node type have as many NVLinks as those in the file. Two PCIe cards "
        "with a bridge would look the same there; choose the right GPU.");
  return _ (
      "The GPUs of this node type have as many NVLinks as those in the file. The file does not "
      "name the GPU model; if this node type is wrong, choose another.");
}

static gboolean
infer_node (PlgImportContext *context, int line, const NodeType *kind, GError **error)
{
  const PlgCluster *cluster = &context->plan->cluster;
  const PlgNode *node = find_node (context->catalogue, kind);
  NodeType joined = *kind;

  if (gpu_fits (&cluster->gpu, kind) && intra_fits (cluster->intra, kind))
    {
      plg_import_note (context, PLG_NOTE_INFERRED, line,
                       _ ("GPU: %s is kept. The file does not name the GPU model, but the links "
                          "match this one."),
                       cluster->gpu.title);
      return TRUE;
    }
  /* Every AMD node in the catalogue has a mesh. If no AMD node matches, search again as if KIND
   * had a mesh, so that the plan at least gets AMD GPUs. */
  joined.intra = PLG_INTRA_MESH;
  if (node == NULL && kind->xgmi)
    node = find_node (context->catalogue, &joined);
  if (node != NULL)
    return plg_import_infer (context, line, "cluster.node", node->name, explain_node (kind), error);
  plg_import_note (context, PLG_NOTE_INFERRED, line,
                   _ ("GPU: %s is kept, because no GPU in the catalogue has %d NVLinks. If yours "
                      "is a different model, set cluster.memory, cluster.memory-bandwidth and "
                      "cluster.peak."),
                   cluster->gpu.title, kind->links);
  return TRUE;
}

static gboolean
set_intra (PlgImportContext *context, int line, const NodeType *kind, GError **error)
{
  static const char *const names[] = { [PLG_INTRA_NVSWITCH] = "nvswitch",
                                       [PLG_INTRA_MESH] = "mesh",
                                       [PLG_INTRA_PCIE] = "pcie" };
  char number[G_ASCII_DTOSTR_BUF_SIZE];
  g_autoptr (PlgPlan) plan = plg_import_current_plan (context);
  const PlgCluster *cluster = &plan->cluster;

  if (kind->gpus < 2 || (cluster->intra != kind->intra && intra_fits (cluster->intra, kind) &&
                         gpu_fits (&cluster->gpu, kind)))
    return TRUE;
  if (!plg_import_set (context, line, "cluster.intra", names[kind->intra], error))
    return FALSE;
  if (kind->intra == PLG_INTRA_MESH && kind->xgmi)
    {
      /* An AMD GPU has one link to every other GPU of its node. In a node with fewer GPUs than
       * the catalogue's node, each GPU therefore uses fewer of its links, which reduces its
       * bandwidth. */
      const PlgNode *node = plg_catalogue_node (context->catalogue, cluster->node);
      g_autofree char *why = NULL;

      if (node == NULL || kind->has_multi_hop || kind->links == node->gpus - 1)
        return TRUE;
      g_ascii_formatd (number, sizeof number, "%.10g",
                       cluster->gpu.link_bandwidth / (node->gpus - 1) * kind->links / 1e9);
      why = g_strdup_printf (_ ("This is the rate of %d of the %d links that a GPU has in this "
                                "type of node."),
                             kind->links, node->gpus - 1);
      return plg_import_infer (context, line, "cluster.intra-bandwidth", number, why, error);
    }
  if (kind->intra == PLG_INTRA_PCIE && kind->xgmi)
    {
      if (cluster->intra == PLG_INTRA_PCIE || cluster->gpu.pcie_bandwidth <= 0.0)
        return TRUE;
      g_ascii_formatd (number, sizeof number, "%.10g", cluster->gpu.pcie_bandwidth / 1e9);
      return plg_import_infer (context, line, "cluster.intra-bandwidth", number,
                               _ ("This is the stated rate of a GPU's path over PCIe."), error);
    }
  if (kind->intra == PLG_INTRA_PCIE || gpu_fits (&cluster->gpu, kind))
    return TRUE;
  g_ascii_formatd (number, sizeof number, "%.10g", kind->links * PLG_NVLINK_BANDWIDTH / 1e9);
  return plg_import_infer (context, line, "cluster.intra-bandwidth", number,
                           _ ("This is 25 GB/s for each NVLink of a GPU."), error);
}

/* Sets the number of NICs and, if the number of NICs per GPU changes, the bandwidth between
 * nodes. */
static gboolean
set_nics (PlgImportContext *context,
          int line,
          const PlgNodeTopology *map,
          int host_gpus,
          GError **error)
{
  g_autoptr (PlgPlan) plan = plg_import_current_plan (context);
  const PlgCluster *cluster = &plan->cluster;
  char number[G_ASCII_DTOSTR_BUF_SIZE];
  g_autofree char *why = NULL;
  double nic;

  if (map->nics == 0)
    {
      /* A file that lists no NICs may come from a node that has some, so keep the open plan's
       * number of NICs per GPU. */
      int nics = cluster->nics_per_node * map->gpus / cluster->gpus_per_node;
      g_autofree char *text = g_strdup_printf ("%d", MAX (nics, 1));

      if (MAX (nics, 1) == cluster->nics_per_node)
        return TRUE;
      return plg_import_infer (context, line, "cluster.nics-per-node", text,
                               _ ("The file lists no NICs, so each GPU keeps its share of the "
                                  "plan's NICs."),
                               error);
    }
  if (!plg_import_set_node_int (context, line, "cluster.nics-per-node", map->nics, host_gpus,
                                error))
    return FALSE;
  if (map->nics * cluster->gpus_per_node == cluster->nics_per_node * map->gpus)
    return TRUE;
  nic = cluster->inter_bandwidth * cluster->gpus_per_node / cluster->nics_per_node;
  g_ascii_formatd (number, sizeof number, "%.10g", nic / 1e9);
  why = g_strdup_printf (plg_import_get (context, "cluster.node") != NULL
                             ? _ ("The file does not give the rate of a NIC; the rate is assumed "
                                  "to be %s GB/s, as in this type of node.")
                             : _ ("The file does not give the rate of a NIC; the rate is assumed "
                                  "to be %s GB/s, as in the open plan."),
                         number);
  g_ascii_formatd (number, sizeof number, "%.10g", nic * map->nics / map->gpus / 1e9);
  return plg_import_infer (context, line, "cluster.inter-bandwidth", number, why, error);
}

gboolean
plg_import_set_host_gpus (PlgImportContext *context, int line, int gpus, GError **error)
{
  g_autoptr (PlgPlan) plan = plg_import_current_plan (context);

  /* Set the number of GPUs per host even if the open plan already has this number, because a
   * change of the node size would otherwise reset it. */
  if (gpus > 0)
    return plg_import_set_int (context, line, "cluster.gpus-per-host", gpus, error);
  if (plan->cluster.gpus_per_host > 0)
    {
      plg_import_note (context, PLG_NOTE_INFERRED, line,
                       _ ("Each node is one host, because the node in the file does not match "
                          "the hosts in the open plan, which have %d GPUs each."),
                       plan->cluster.gpus_per_host);
      plg_import_set_derived (context, "cluster.gpus-per-host", "0");
    }
  return TRUE;
}

gboolean
plg_import_set_node_int (PlgImportContext *context,
                         int line,
                         const char *key,
                         int value,
                         int host_gpus,
                         GError **error)
{
  g_autofree char *text = g_strdup_printf ("%d", value);

  return host_gpus > 0 ? plg_import_infer (context, line, key, text,
                                           _ ("This is the total of all hosts in a node."), error)
                       : plg_import_set (context, line, key, text, error);
}

/* Repeats the map of a host for each tray. The CPUs are renumbered, because each host counts
 * them from 0. Paths inside a host do not change. Switches connect the hosts, so the path from a
 * GPU to another host's GPU equals the path between two GPUs of one host. */
void
plg_node_topology_repeat_host (PlgNodeTopology *map, int trays)
{
  PlgNodeTopology host = *map;
  int cpus = 0;

  g_assert (host.gpus >= 2 && trays >= 1);
  plg_node_topology_init (map, host.gpus * trays, host.nics * trays);
  for (int i = 0; i < host.gpus; i++)
    cpus = MAX (cpus, host.numa[i] + 1);
  for (int i = 0; i < map->gpus; i++)
    {
      int tray = i / host.gpus, own = i % host.gpus, numa = host.numa[own];
      const PlgPath *link = plg_node_topology_to_gpu (&host, own, own == 0 ? 1 : 0);

      for (int other = 0; other < map->gpus; other++)
        *plg_node_topology_to_gpu (map, i, other) = *link;
      for (int j = 0; j < host.gpus; j++)
        *plg_node_topology_to_gpu (map, i, tray * host.gpus + j) = *plg_node_topology_to_gpu (&host,
                                                                                              own,
                                                                                              j);
      for (int j = 0; j < host.nics; j++)
        *plg_node_topology_to_nic (map, i, tray * host.nics + j) = *plg_node_topology_to_nic (&host,
                                                                                              own,
                                                                                              j);
      map->numa[i] = numa < 0 ? numa : numa + tray * cpus;
    }
  for (int i = 0; i < map->nics; i++)
    map->card[i].bandwidth = host.card[i % host.nics].bandwidth;
  plg_node_topology_clear (&host);
}

/* Adds import notes about the links between GPUs and the paths to NICs, such as "Paths between a
 * GPU and its nearest NIC: from PIX to NODE." */
static void
note_paths (PlgImportContext *context, int line, const PlgNodeTopology *map)
{
  PlgPathType nearest = PLG_PATH_UNKNOWN, farthest = PLG_PATH_SELF;
  int links = links_per_pair (map);

  if (links > 0)
    plg_import_note (context, PLG_NOTE_UNDERSTOOD, line,
                     _ ("Bonded links between each pair of GPUs: %d."), links);
  else if (plg_node_topology_has_links (map))
    plg_import_note (context, PLG_NOTE_UNDERSTOOD, line,
                     _ ("Some pairs of GPUs have direct links: at most %d links per GPU."),
                     plg_node_topology_max_links (map));
  else if (map->gpus > 1)
    plg_import_note (context, PLG_NOTE_UNDERSTOOD, line,
                     _ ("The GPUs reach each other only over PCIe."));

  if (map->nics == 0)
    return;
  for (int gpu = 0; gpu < map->gpus; gpu++)
    {
      PlgPathType best = PLG_PATH_UNKNOWN;

      for (int nic = 0; nic < map->nics; nic++)
        best = MIN (best, plg_node_topology_to_nic (map, gpu, nic)->type);
      nearest = MIN (nearest, best);
      farthest = MAX (farthest, best);
    }
  if (nearest == farthest)
    plg_import_note (context, PLG_NOTE_UNDERSTOOD, line,
                     _ ("Path between a GPU and its nearest NIC: "
                        "%s."),
                     plg_path_code (nearest));
  else
    plg_import_note (context, PLG_NOTE_UNDERSTOOD, line,
                     _ ("Paths between a GPU and its nearest NIC: from %s to %s."),
                     plg_path_code (nearest), plg_path_code (farthest));
}

gboolean
plg_import_set_node_topology (PlgImportContext *context,
                              int line,
                              PlgNodeTopology *map,
                              gboolean xgmi,
                              GError **error)
{
  NodeType kind = { plg_node_topology_guess_intra (map, xgmi), map->gpus,
                    plg_node_topology_max_links (map), xgmi, FALSE };
  const PlgCluster *cluster = &context->plan->cluster;
  int trays = plg_cluster_hosts_per_node (cluster), host_gpus;
  int dropped = map->nics > 0 ? plg_node_topology_drop_far_nics (map) : 0;

  for (int i = 0; i < map->gpus * map->gpus; i++)
    kind.has_multi_hop = kind.has_multi_hop || map->gpu[i].type == PLG_PATH_NVB;
  if (dropped > 0)
    plg_import_note (
        context, PLG_NOTE_INFERRED, line,
        _ ("%d of %d NICs are left out, because all GPUs have nearer NICs. The NICs that are "
           "left out serve storage or administration."),
        dropped, dropped + map->nics);

  /* Check whether the map describes one host of the open plan's nodes. Switches must connect the
   * hosts of such a node. */
  if (map->gpus < 2 || map->gpus != plg_cluster_host_gpus (cluster) ||
      map->nics * trays > PLG_MAX_NODE_NICS || kind.intra != PLG_INTRA_NVSWITCH ||
      cluster->intra != kind.intra || !gpu_fits (&cluster->gpu, &kind))
    trays = 1;
  if (trays > 1)
    {
      plg_import_set_one_host (context, line, trays);
      plg_node_topology_repeat_host (map, trays);
    }
  host_gpus = trays > 1 ? kind.gpus : 0;
  if ((map->gpus > 1 && !infer_node (context, line, &kind, error)) ||
      !set_nics (context, line, map, host_gpus, error) ||
      !plg_import_set_host_gpus (context, line, host_gpus, error) ||
      !plg_import_set_node_int (context, line, "cluster.gpus-per-node", map->gpus, host_gpus,
                                error) ||
      !set_intra (context, line, &kind, error))
    return FALSE;
  note_paths (context, line, map);
  plg_import_take_node_map (context, map);
  return TRUE;
}

gboolean
plg_import_infer_gpu (PlgImportContext *context,
                      int line,
                      const char *name,
                      int gpus,
                      const char *why,
                      GError **error)
{
  const PlgCatalogue *catalogue = context->catalogue;

  if (g_str_equal (context->plan->cluster.gpu.name, name))
    return TRUE;
  for (int i = 0; i < plg_catalogue_n_nodes (catalogue); i++)
    {
      const PlgNode *node = plg_catalogue_nth_node (catalogue, i);

      if (g_str_equal (node->gpu, name) && node->gpus == gpus)
        return plg_import_infer (context, line, "cluster.node", node->name, why, error);
    }
  return plg_import_infer (context, line, "cluster.gpu", name, why, error);
}
