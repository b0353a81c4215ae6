/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "io/topology/gpu-device-ids.h"
#include "io/topology/nccl-private.h"

#include <glib/gi18n-lib.h>
#include <string.h>

/* Builds a topology from NCCL's file in the same order as NCCL (src/graph/topo.cc): first the
 * PCIe trees below each NUMA node, then the NVLink and C2C links, then the links between CPUs. */

#define MAX_GPUS 4096
#define MAX_NETS 16384
/* NCCL's limit for the children of one element (src/graph/xml.h, MAX_SUBS). */
#define MAX_CHILDREN 640
/* NCCL's rate for a NIC without a speed [bytes/s] (topo.cc, ncclTopoAddNet). */
#define DEFAULT_NET_BANDWIDTH 1.25e9

typedef enum
{
  DEVICE_BRIDGE,
  DEVICE_GPU,
  DEVICE_NIC,
  DEVICE_OTHER,
} DeviceKind;

/* Classifies a PCI device by NCCL's device classes and by the class of AMD's accelerators (RCCL,
 * src/graph/topo.cc). */
static DeviceKind
classify_device (const xmlNode *node)
{
  g_autofree char *class = plg_xml_attribute (node, "class");

  if (plg_nccl_find_child (node, "gpu") != NULL)
    return DEVICE_GPU;
  if (plg_nccl_find_child (node, "nic") != NULL)
    return DEVICE_NIC;
  if (class == NULL || g_str_has_prefix (class, "0x0604"))
    return DEVICE_BRIDGE;
  if (g_str_has_prefix (class, "0x03") || g_str_has_prefix (class, "0x12"))
    return DEVICE_GPU;
  if (g_str_has_prefix (class, "0x02"))
    return DEVICE_NIC;
  return g_str_has_prefix (class, "0x0680") ? DEVICE_OTHER : DEVICE_BRIDGE;
}

static gboolean
add_nets (PlgNcclGraphBuilder *builder,
          const xmlNode *nic,
          int host,
          int card,
          guint64 busid,
          GError **error)
{
  PlgNcclTopology *nccl = builder->nccl;

  for (xmlNode *node = xmlFirstElementChild ((xmlNode *) nic); node != NULL;
       node = xmlNextElementSibling (node))
    {
      PlgNcclNet net = { .host = host, .busid = busid };
      g_autofree char *name = plg_xml_attribute (node, "name");
      g_autofree char *guid = plg_xml_attribute (node, "guid");
      int used, speed, gdr, port;

      if (!plg_xml_is (node, "net"))
        continue;
      net.line = plg_xml_position (builder->xml, node, NULL).line;
      if (!plg_nccl_read_int (builder, node, "dev", -1, &net.dev, error) ||
          !plg_nccl_read_int (builder, node, "net", 1, &used, error))
        return FALSE;
      if (net.dev < 0 || used == 0 ||
          plg_topology_graph_find_vertex (nccl->topology, PLG_VERTEX_NIC_PORT, host, net.dev) >= 0)
        {
          plg_import_note (builder->context, PLG_NOTE_IGNORED, net.line,
                           _ ("NCCL does not use this <net>: it has no “dev”, is part of another "
                              "<net>, or appears twice."));
          continue;
        }
      if (nccl->nets->len == MAX_NETS)
        return plg_xml_fail (builder->xml, node, NULL, error,
                             _ ("The file has more than %d NICs, which no real dump has."),
                             MAX_NETS);
      if (!plg_nccl_read_int (builder, node, "speed", 0, &speed, error) ||
          !plg_nccl_read_int (builder, node, "gdr", 0, &gdr, error) ||
          !plg_nccl_read_int (builder, node, "port", 0, &port, error))
        return FALSE;
      net.bandwidth = speed > 0 ? speed / 8000.0 * 1e9 : 0.0;
      /* Treat a NIC with GPUDirect, a port or a guid as an RDMA NIC. NCCL's socket transport
       * sets the port to 0 (src/transport/net_socket.cc). */
      net.is_rdma = gdr > 0 || port > 0 || (guid != NULL && g_ascii_strtoull (guid, NULL, 16) > 0);
      if (name != NULL && plg_nic_name_check (name))
        g_strlcpy (net.name, name, sizeof net.name);
      else if (name != NULL)
        plg_import_note (
            builder->context, PLG_NOTE_IGNORED, net.line,
            _ ("The name of the NIC is ignored, because it can have only letters, digits and "
               "“-._:+/”."));

      PlgTopologyBandwidth rate = { net.bandwidth > 0 ? net.bandwidth : DEFAULT_NET_BANDWIDTH,
                                    net.bandwidth };

      net.vertex = plg_topology_graph_add_vertex (nccl->topology, PLG_VERTEX_NIC_PORT, host,
                                                  net.dev);
      plg_topology_graph_add_edge_pair (nccl->topology, card, net.vertex, PLG_EDGE_NIC_PORT, 0,
                                        rate);
      g_array_append_val (nccl->nets, net);
    }
  return TRUE;
}

static gboolean
check_children (const PlgNcclGraphBuilder *builder, const xmlNode *node, GError **error)
{
  if (xmlChildElementCount ((xmlNode *) node) <= MAX_CHILDREN)
    return TRUE;
  return plg_xml_fail (builder->xml, node, NULL, error,
                       _ ("<%s> has more than %d elements, the maximum that NCCL reads."),
                       (const char *) node->name, MAX_CHILDREN);
}

static gboolean
add_gpu (PlgNcclGraphBuilder *builder,
         const xmlNode *node,
         int host,
         int parent,
         guint64 busid,
         PlgTopologyBandwidth rate,
         GError **error)
{
  PlgNcclTopology *nccl = builder->nccl;
  const xmlNode *facts = plg_nccl_find_child (node, "gpu");
  const PlgNcclGpu *duplicate = plg_nccl_find_gpu (builder, host, busid);
  PlgNcclGpu gpu = { .host = host, .busid = busid, .dev = -1, .rank = -1, .pcie = rate.stated };

  gpu.line = plg_xml_position (builder->xml, node, NULL).line;
  if (duplicate != NULL)
    return plg_xml_fail (
        builder->xml, node, "busid", error,
        _ ("Line %d already has a GPU with the same busid; each GPU on a host needs its own "
           "busid."),
        duplicate->line);
  if (nccl->gpus->len == MAX_GPUS)
    return plg_xml_fail (builder->xml, node, NULL, error,
                         _ ("The file has more than %d GPUs, which no real dump has."), MAX_GPUS);
  gpu.vendor = plg_nccl_read_hex (node, "vendor");
  gpu.device = plg_nccl_read_hex (node, "device");
  if (facts != NULL)
    {
      g_autofree char *gcn = plg_xml_attribute (facts, "gcn");

      gpu.is_known = TRUE;
      g_strlcpy (gpu.gcn, gcn != NULL ? gcn : "", sizeof gpu.gcn);
      if (!plg_nccl_read_int (builder, facts, "dev", -1, &gpu.dev, error) ||
          !plg_nccl_read_int (builder, facts, "rank", -1, &gpu.rank, error) ||
          !plg_nccl_read_int (builder, facts, "sm", 0, &gpu.sm, error))
        return FALSE;
      builder->has_ranks |= gpu.rank >= 0;
    }
  gpu.link = plg_gpu_link_rate (gpu.sm, gpu.gcn);
  gpu.vertex = plg_topology_graph_add_vertex (nccl->topology, PLG_VERTEX_GPU, host, busid);
  plg_topology_graph_add_edge_pair (nccl->topology, gpu.vertex, parent, PLG_EDGE_PCIE, 0, rate);
  g_array_append_val (nccl->gpus, gpu);
  g_hash_table_insert (builder->gpu_at, plg_nccl_gpu_key (host, busid),
                       GUINT_TO_POINTER (nccl->gpus->len));
  return TRUE;
}

static gboolean
add_device (PlgNcclGraphBuilder *builder, const xmlNode *node, int host, int parent, GError **error)
{
  PlgTopologyGraph *topology = builder->nccl->topology;
  const xmlNode *nic = plg_nccl_find_child (node, "nic");
  PlgNcclNet card = { .host = host, .dev = -1, .is_rdma = TRUE };
  PlgTopologyBandwidth rate;
  int bridge;

  if (!check_children (builder, node, error) ||
      !plg_nccl_read_bus_id (builder, node, &card.busid, error) ||
      !plg_nccl_read_rate (builder, node, &rate, error))
    return FALSE;
  switch (classify_device (node))
    {
    case DEVICE_GPU:
      return add_gpu (builder, node, host, parent, card.busid, rate, error);
    case DEVICE_NIC:
      card.vertex = plg_topology_graph_add_vertex (topology, PLG_VERTEX_NIC, host, card.busid);
      plg_topology_graph_add_edge_pair (topology, card.vertex, parent, PLG_EDGE_PCIE, 0, rate);
      if (nic != NULL)
        return add_nets (builder, nic, host, card.vertex, card.busid, error);
      /* Record the NIC although it has no <nic>. The recorded NICs are used only if the file has
       * no <net> at all. */
      card.line = plg_xml_position (builder->xml, node, NULL).line;
      g_array_append_val (builder->cards, card);
      return TRUE;
    case DEVICE_OTHER:
      return TRUE;
    case DEVICE_BRIDGE:
    default:
      break;
    }
  bridge = plg_topology_graph_add_vertex (topology, PLG_VERTEX_PCIE_BRIDGE, host, card.busid);
  for (xmlNode *below = xmlFirstElementChild ((xmlNode *) node); below != NULL;
       below = xmlNextElementSibling (below))
    if (plg_xml_is (below, "pci") && !add_device (builder, below, host, bridge, error))
      return FALSE;
  plg_topology_graph_add_edge_pair (topology, bridge, parent, PLG_EDGE_PCIE, 0, rate);
  return TRUE;
}

static gboolean
add_cpu (PlgNcclGraphBuilder *builder, const xmlNode *node, GError **error)
{
  g_autofree char *arch = plg_xml_attribute (node, "arch");
  g_autofree char *vendor = plg_xml_attribute (node, "vendor");
  PlgTopologyGraph *topology = builder->nccl->topology;
  int numa, family, model, sockets = 0;
  PlgNcclCpu cpu;

  if (!check_children (builder, node, error) ||
      !plg_nccl_read_int (builder, node, "numaid", builder->cpus->len, &numa, error) ||
      !plg_nccl_read_int (builder, node, "familyid", 0, &family, error) ||
      !plg_nccl_read_int (builder, node, "modelid", 0, &model, error) ||
      !plg_nccl_find_host (builder, node, &cpu.host, error))
    return FALSE;
  cpu.bandwidth = plg_cpu_link_rate (arch, vendor, family, model);
  cpu.vertex = plg_topology_graph_add_vertex (topology, PLG_VERTEX_CPU, cpu.host, MAX (numa, 0));
  g_array_append_val (builder->cpus, cpu);
  for (xmlNode *below = xmlFirstElementChild ((xmlNode *) node); below != NULL;
       below = xmlNextElementSibling (below))
    if (plg_xml_is (below, "pci"))
      {
        if (!add_device (builder, below, cpu.host, cpu.vertex, error))
          return FALSE;
      }
    else if (plg_xml_is (below, "nic"))
      {
        /* A NIC without a PCI device connects to its CPU. */
        guint64 id = (guint64) 1 << 60 | (guint64) cpu.vertex << 16 | (guint) sockets++;
        int card = plg_topology_graph_add_vertex (topology, PLG_VERTEX_NIC, cpu.host, id);

        plg_topology_graph_add_edge_pair (topology, cpu.vertex, card, PLG_EDGE_PCIE, 0,
                                          PLG_BANDWIDTH_LOCAL);
        if (!add_nets (builder, below, cpu.host, card, 0, error))
          return FALSE;
      }
  return TRUE;
}

static int
compare_gpus (gconstpointer a, gconstpointer b)
{
  const PlgNcclGpu *x = a, *y = b;

  if (x->host != y->host)
    return x->host - y->host;
  if (x->dev != y->dev && x->dev >= 0 && y->dev >= 0)
    return x->dev - y->dev;
  return (x->busid > y->busid) - (x->busid < y->busid);
}

static int
compare_nets (gconstpointer a, gconstpointer b)
{
  const PlgNcclNet *x = a, *y = b;

  if (x->host != y->host)
    return x->host - y->host;
  if (x->dev != y->dev)
    return x->dev - y->dev;
  return (x->busid > y->busid) - (x->busid < y->busid);
}

/* Connects the CPUs and sorts the GPUs and the NICs. Adds an import note if two GPUs of a host
 * have the same number in the file, or if a GPU's number differs from its index on its host. */
static gboolean
finish (PlgNcclGraphBuilder *builder, GError **error)
{
  PlgNcclTopology *nccl = builder->nccl;
  const PlgNcclGpu *gpus, *duplicate = NULL, *misnumbered = NULL;
  int place = 0, misnumbered_place = 0;

  plg_nccl_connect_cpus (builder);

  /* If the file has ranks, remove the GPUs that have none, because NCCL ignores them. */
  for (guint i = 0; builder->has_ranks && i < nccl->gpus->len;)
    {
      const PlgNcclGpu *gpu = &g_array_index (nccl->gpus, PlgNcclGpu, i);

      if (gpu->rank >= 0 || !gpu->is_known)
        {
          i++;
          continue;
        }
      plg_import_note (builder->context, PLG_NOTE_IGNORED, gpu->line,
                       _ ("NCCL ignores this GPU, because it has no rank."));
      g_array_remove_index (nccl->gpus, i);
    }
  if (nccl->nets->len == 0)
    g_array_append_vals (nccl->nets, builder->cards->data, builder->cards->len);
  g_array_sort (nccl->gpus, compare_gpus);
  g_array_sort (nccl->nets, compare_nets);
  nccl->hosts = (int) builder->hashes->len + builder->tray;

  gpus = (const PlgNcclGpu *) nccl->gpus->data;
  for (guint i = 0; i < nccl->gpus->len; i++)
    {
      gboolean is_first = i == 0 || gpus[i].host != gpus[i - 1].host;

      place = is_first ? 0 : place + 1;
      if (gpus[i].dev < 0)
        continue;
      if (duplicate == NULL && !is_first && gpus[i].dev == gpus[i - 1].dev)
        duplicate = &gpus[i];
      if (misnumbered == NULL && gpus[i].dev != place)
        {
          misnumbered = &gpus[i];
          misnumbered_place = place;
        }
    }
  if (duplicate != NULL)
    plg_import_note (builder->context, PLG_NOTE_INFERRED, duplicate->line,
                     _ ("Line %d also has a GPU with number %d, so the GPUs are ordered by busid."),
                     duplicate[-1].line, duplicate->dev);
  else if (misnumbered != NULL)
    plg_import_note (builder->context, PLG_NOTE_INFERRED, misnumbered->line,
                     _ ("GPU %d in the file becomes GPU %d here, because numbers start at 0 and "
                        "have no gaps."),
                     misnumbered->dev, misnumbered_place);
  if (nccl->gpus->len > 0)
    return TRUE;
  return plg_xml_fail (builder->xml, plg_xml_root (builder->xml), NULL, error,
                       _ ("The topology has no GPU: neither a <gpu> nor a <pci> of class 0x03."));
}

/* Adds the hosts in the file once for each tray. */
static gboolean
add_hosts (PlgNcclGraphBuilder *builder, int trays, GError **error)
{
  const xmlNode *root = plg_xml_root (builder->xml);
  int version;

  if (!plg_nccl_read_int (builder, root, "version", 1, &version, error) ||
      !check_children (builder, root, error))
    return FALSE;
  if (version != 1 && version != 2)
    return plg_nccl_fail (builder, root, "version", error, _ ("write 1 for NCCL or 2 for RCCL"));
  for (builder->tray = 0;; builder->tray++)
    {
      for (xmlNode *node = xmlFirstElementChild ((xmlNode *) root); node != NULL;
           node = xmlNextElementSibling (node))
        if (plg_xml_is (node, "cpu") && !add_cpu (builder, node, error))
          return FALSE;
      if (builder->cpus->len == 0)
        return plg_xml_fail (builder->xml, root, NULL, error,
                             _ ("The topology has no <cpu>; an NCCL dump has one per NUMA node."));
      if (!plg_nccl_add_links (builder, FALSE, error) || !plg_nccl_add_links (builder, TRUE, error))
        return FALSE;
      if (builder->tray == trays - 1)
        return TRUE;
    }
}

PlgNcclTopology *
plg_nccl_topology_read (PlgImportContext *context, int trays, GError **error)
{
  PlgNcclGraphBuilder builder = { .context = context, .nvswitch_vertex = -1 };
  PlgNcclTopology *nccl = NULL;

  builder.xml = plg_xml_parse (context->data, context->size, error);
  builder.gpu_at = g_hash_table_new (NULL, NULL);
  builder.hashes = g_array_new (FALSE, FALSE, sizeof (guint64));
  builder.cards = g_array_new (FALSE, FALSE, sizeof (PlgNcclNet));
  builder.cpus = g_array_new (FALSE, FALSE, sizeof (PlgNcclCpu));
  builder.nccl = g_new0 (PlgNcclTopology, 1);
  builder.nccl->topology = plg_topology_graph_new ();
  builder.nccl->topology->is_planned = TRUE;
  builder.nccl->gpus = g_array_new (FALSE, FALSE, sizeof (PlgNcclGpu));
  builder.nccl->nets = g_array_new (FALSE, FALSE, sizeof (PlgNcclNet));
  if (builder.xml != NULL && add_hosts (&builder, trays, error) && finish (&builder, error))
    nccl = g_steal_pointer (&builder.nccl);
  g_clear_pointer (&builder.xml, plg_xml_free);
  g_clear_pointer (&builder.nccl, plg_nccl_topology_free);
  g_hash_table_unref (builder.gpu_at);
  g_array_unref (builder.hashes);
  g_array_unref (builder.cards);
  g_array_unref (builder.cpus);
  return nccl;
}

void
plg_nccl_topology_free (PlgNcclTopology *nccl)
{
  plg_topology_graph_free (nccl->topology);
  g_array_unref (nccl->gpus);
  g_array_unref (nccl->nets);
  g_free (nccl);
}

PlgNcclHost
plg_nccl_topology_get_host (const PlgNcclTopology *nccl, int host)
{
  PlgNcclHost found = { NULL };

  for (int i = (int) nccl->gpus->len - 1; i >= 0; i--)
    if (g_array_index (nccl->gpus, PlgNcclGpu, i).host == host)
      {
        found.gpu = &g_array_index (nccl->gpus, PlgNcclGpu, i);
        found.line = found.gpu->line;
        found.gpus++;
      }
  for (int i = (int) nccl->nets->len - 1; i >= 0; i--)
    if (g_array_index (nccl->nets, PlgNcclNet, i).host == host)
      {
        found.net = &g_array_index (nccl->nets, PlgNcclNet, i);
        found.nets++;
      }
  return found;
}

void
plg_nccl_topology_to_node (const PlgNcclTopology *nccl, int host, PlgNodeTopology *map)
{
  PlgNcclHost found = plg_nccl_topology_get_host (nccl, host);
  g_autofree int *gpus = g_new (int, found.gpus);
  g_autofree int *nets = g_new (int, found.nets);

  for (int i = 0; i < found.gpus; i++)
    gpus[i] = found.gpu[i].vertex;
  for (int i = 0; i < found.nets; i++)
    nets[i] = found.net[i].vertex;
  plg_topology_graph_to_node (nccl->topology, gpus, found.gpus, nets, found.nets, map);
  for (int i = 0; i < found.nets; i++)
    {
      /* Keep the name of a NIC only if it is unique, because NICs on different trays can have
       * the same name. */
      gboolean is_unique = TRUE;

      for (int j = 0; j < found.nets; j++)
        is_unique = is_unique && (i == j || !g_str_equal (found.net[i].name, found.net[j].name));
      if (is_unique)
        g_strlcpy (map->card[i].name, found.net[i].name, PLG_NAME_SIZE);
      map->card[i].bandwidth = found.net[i].bandwidth;
    }
}
