/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "io/topology/node-facts.h"

#include "io/topology/node-type-guess.h"
#include "plan/quantity.h"

#include <glib/gi18n-lib.h>

typedef struct
{
  PlgImportContext *context;
  const PlgNodeFacts *facts;
  PlgNodeTopology *map;
} Node;

static gboolean
infer (const Node *node, const char *key, const char *value, const char *why, GError **error)
{
  return plg_import_infer (node->context, node->facts->line, key, value, why, error);
}

static gboolean
infer_rate (const Node *node, const char *key, double rate, const char *why, GError **error)
{
  g_autofree char *text = plg_format_exact_shifted (rate, 9);

  return infer (node, key, text, why, error);
}

static gboolean
set_gpu (const Node *node, GError **error)
{
  const PlgNodeFacts *facts = node->facts;

  if (facts->gpu == NULL)
    plg_import_note (node->context, PLG_NOTE_INFERRED, facts->line,
                     _ ("The file does not identify the GPU, so the open plan's %s is kept."),
                     node->context->plan->cluster.gpu.title);
  else if (facts->gpu_why != NULL)
    return infer (node, "cluster.gpu", facts->gpu, facts->gpu_why, error);
  else
    return plg_import_set (node->context, facts->line, "cluster.gpu", facts->gpu, error);
  return TRUE;
}

static gboolean
set_counts (const Node *node, GError **error)
{
  int line = node->facts->line, host_gpus = node->facts->host_gpus;
  int n_unused_nics = plg_node_topology_drop_far_nics (node->map);

  if (n_unused_nics > 0)
    plg_import_note (node->context, PLG_NOTE_IGNORED, line,
                     _ ("NICs that are not the nearest NIC of any GPU: %d. Collectives do not "
                        "use these NICs."),
                     n_unused_nics);
  if (!plg_import_set_host_gpus (node->context, line, host_gpus, error) ||
      !plg_import_set_node_int (node->context, line, "cluster.gpus-per-node", node->map->gpus,
                                host_gpus, error))
    return FALSE;
  if (node->map->nics > 0)
    return plg_import_set_node_int (node->context, line, "cluster.nics-per-node", node->map->nics,
                                    host_gpus, error);
  plg_import_note (node->context, PLG_NOTE_INFERRED, line,
                   _ ("The file lists no NICs, so the open plan's NICs are kept."));
  return TRUE;
}


static gboolean
set_no_multicast (const Node *node, GError **error)
{
  return infer (node, "cluster.multicast", "false", _ ("NVLink SHARP needs NVSwitches."), error);
}

static gboolean
set_link_rate (const Node *node, GError **error)
{
  return node->facts->links_bandwidth <= 0.0 ||
         infer_rate (node, "cluster.intra-bandwidth", node->facts->links_bandwidth,
                     _ ("This is the stated rate of all links of one GPU; NCCL assumes a lower "
                        "rate."),
                     error);
}

/* Returns the GPU that the file names, or else the open plan's GPU. */
static const PlgGpu *
find_gpu (const Node *node)
{
  const PlgGpu *named = node->facts->gpu != NULL
                            ? plg_catalogue_gpu (node->context->catalogue, node->facts->gpu)
                            : NULL;

  return named != NULL ? named : &node->context->plan->cluster.gpu;
}

static gboolean
set_pcie (const Node *node, GError **error)
{
  const char *why = plg_node_topology_has_links (node->map)
                        ? _ ("NVLinks connect only some of the GPUs.")
                        : _ ("No NVLinks connect the GPUs.");
  /* Use the PCIe rate of the slowest GPU. An older PCIe switch above a GPU can limit the GPU to
   * a lower rate than that of its own link. */
  double rate = node->facts->pcie > 0.0 ? node->facts->pcie : find_gpu (node)->pcie_bandwidth;

  for (int gpu = 0; gpu < node->map->gpus; gpu++)
    {
      const PlgNodeTopology *map = node->map;
      double widest = 0.0;

      for (int other = 0; other < map->gpus; other++)
        {
          const PlgPath *path = plg_node_topology_to_gpu (map, gpu, other);

          if (path->type >= PLG_PATH_PIX && path->type <= PLG_PATH_PHB)
            widest = MAX (widest, path->bandwidth);
        }

      if (widest > 0.0)
        rate = MIN (rate, widest);
    }

  return infer (node, "cluster.intra", "pcie", why, error) && set_no_multicast (node, error) &&
         (rate <= 0.0 ||
          infer_rate (node, "cluster.intra-bandwidth", rate,
                      _ ("This is the stated rate of a GPU's path over PCIe."), error));
}

/* Sets the links inside the node. A cloud provider's file may list no links, because NCCL
 * detects them itself. In that case, the plan uses the GPU's own links. */
static gboolean
set_intra (const Node *node, GError **error)
{
  const PlgNodeFacts *facts = node->facts;

  if (!facts->has_links && find_gpu (node)->link_bandwidth > 0.0)
    {
      plg_import_note (node->context, PLG_NOTE_INFERRED, facts->line,
                       _ ("The file has no <gpu>, so it lists no NVLinks; NCCL detects them "
                          "itself. The plan therefore uses the GPU's own links inside the node, "
                          "in addition to the paths between GPUs in the file."));

      /* The file omits the GPUs' own links, and its paths describe only other connections. Clear
       * the types of these paths, so that the plan uses the GPU's own links. Keep the rates that
       * NCCL assumes. */
      PlgNodeTopology *map = node->map;

      for (int i = 0; i < map->gpus * map->gpus; i++)
        if (map->gpu[i].type != PLG_PATH_SELF)
          map->gpu[i] = (PlgPath) { .type = PLG_PATH_UNKNOWN, .planned = map->gpu[i].planned };

      return TRUE;
    }
  if (facts->is_joined)
    {
      if (!infer (node, "cluster.intra", "nvswitch", _ ("NVSwitches connect the GPUs."), error) ||
          !infer (node, "cluster.multicast", facts->multicast ? "true" : "false",
                  _ ("NVSwitches for Hopper and later GPUs can reduce data themselves."), error))
        return FALSE;
      return set_link_rate (node, error);
    }
  if (node->map->gpus == 1 && find_gpu (node)->link_bandwidth > 0.0)
    {
      plg_import_note (node->context, PLG_NOTE_INFERRED, facts->line,
                       _ ("The file has a single GPU and so no links between GPUs. The links are "
                          "taken from the usual node with this GPU."));
      return TRUE;
    }
  if (!plg_node_topology_is_connected (node->map))
    return set_pcie (node, error);
  return infer (node, "cluster.intra", "mesh",
                _ ("Direct links connect the GPUs without a "
                   "switch."),
                error) &&
         set_no_multicast (node, error) && set_link_rate (node, error);
}


static gboolean
set_inter (const Node *node, GError **error)
{
  const PlgNodeTopology *map = node->map;
  double sum = 0.0;
  gboolean known = map->nics > 0;

  for (int i = 0; i < map->nics; i++)
    {
      known = known && map->card[i].bandwidth > 0.0;
      sum += map->card[i].bandwidth;
    }
  if (map->nics == 0)
    return TRUE;
  if (!known)
    plg_import_note (node->context, PLG_NOTE_INFERRED, node->facts->line,
                     _ ("The file does not give the rate of the NICs, so the open plan's "
                        "bandwidth between nodes is kept."));
  else if (!infer_rate (node, "cluster.inter-bandwidth", sum / map->gpus,
                        _ ("This is each GPU's share of the bandwidth of the NICs."), error))
    return FALSE;
  return node->facts->is_rdma ||
         infer (node, "cluster.rdma", "false",
                _ ("The NIC has neither a port nor an RDMA address, so NCCL uses sockets."), error);
}


/* Returns a list of the paths that NCCL assumes for PATHS. Equal paths are listed once with
 * their count, such as "8 × PIX 12 GB/s, 32 × SYS 10 GB/s" (transfer full). */
static char *
describe_nccl_paths (const PlgPath *paths, int n)
{
  GString *text = g_string_new (NULL);

  for (int i = 0; i < n; i++)
    {
      g_autofree char *way = plg_path_describe_planned (&paths[i]);
      int same = 0, before = 0;

      for (int j = 0; j < n; j++)
        if (plg_path_plans_same (&paths[i], &paths[j]))
          {
            same++;
            before += j < i;
          }
      if (way != NULL && before == 0)
        g_string_append_printf (text, "%s%d × %s", text->len > 0 ? ", " : "", same, way);
    }
  return g_string_free (text, FALSE);
}

gboolean
plg_node_facts_apply (PlgImportContext *context,
                      const PlgNodeFacts *facts,
                      PlgNodeTopology *map,
                      GError **error)
{
  static gboolean (*const setters[]) (const Node *node, GError **error) = { set_gpu, set_counts,
                                                                            set_intra, set_inter };
  Node node = { context, facts, map };
  gboolean is_set = TRUE;

  for (guint i = 0; is_set && i < G_N_ELEMENTS (setters); i++)
    is_set = setters[i](&node, error);
  if (is_set)
    {
      g_autofree char *gpus = describe_nccl_paths (map->gpu, map->gpus * map->gpus);
      g_autofree char *nics = describe_nccl_paths (map->nic, map->gpus * map->nics);

      if (*gpus != '\0')
        plg_import_note (context, PLG_NOTE_INFERRED, facts->line,
                         _ ("NCCL assumes these paths between GPUs: %s."), gpus);
      if (*nics != '\0')
        plg_import_note (context, PLG_NOTE_INFERRED, facts->line,
                         _ ("NCCL assumes these paths between GPUs and NICs: %s."), nics);

      plg_import_take_node_map (context, map);
    }
  plg_node_topology_clear (map);
  return is_set;
}
