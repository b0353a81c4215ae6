/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "io/import/format.h"
#include "io/topology/gpu-device-ids.h"
#include "io/topology/hwloc-private.h"
#include "io/topology/node-type-guess.h"
#include "io/topology/node-facts.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

/* Reads the output of `lstopo --of xml` from hwloc 2 and 3: NUMA nodes, PCIe trees with GPUs and
 * NICs, and matrices of bandwidths between GPUs (hwloc2.dtd; hwloc/topology-nvml.c,
 * topology-rsmi.c). */

/* The pattern also matches the DOCTYPE of hwloc 1, so that a file from hwloc 1 gets its own
 * error message. */
#define DOCTYPES "<!DOCTYPE topology SYSTEM \"hwloc2?\\.dtd\">"
/* NCCL's rate for a PCIe link of unknown speed [bytes/s]. */
#define DEFAULT_PCIE_BANDWIDTH 12e9

typedef struct
{
  int vertex;
  guint64 busid;
  char name[PLG_NAME_SIZE];
  gboolean is_rdma_device;
} NetworkCard;

static gint64
read_number (const xmlNode *node, const char *attribute, gint64 otherwise)
{
  g_autofree char *text = plg_xml_attribute (node, attribute);
  gint64 value;

  if (text != NULL && g_ascii_string_to_signed (text, 10, 0, G_MAXINT32, &value, NULL))
    return value;
  return otherwise;
}

/* Returns the value of <info name="NAME">, or NULL (transfer full). */
static char *
read_info (const xmlNode *object, const char *name)
{
  for (xmlNode *node = xmlFirstElementChild ((xmlNode *) object); node != NULL;
       node = xmlNextElementSibling (node))
    if (plg_xml_is (node, "info") && plg_hwloc_attribute_equals (node, "name", name))
      return plg_xml_attribute (node, "value");
  return NULL;
}

static gboolean
is_object (const xmlNode *node, const char *type)
{
  return plg_xml_is (node, "object") && plg_hwloc_attribute_equals (node, "type", type);
}

/* Reads the rate of a PCIe link. If the rate is almost that of a whole number of lanes at
 * 15.75/16 GB/s each, rounds it to the exact rate, because hwloc writes 15.753846 for 15.75
 * GB/s. */
static PlgTopologyBandwidth
read_rate (const xmlNode *node)
{
  g_autofree char *text = plg_xml_attribute (node, "pci_link_speed");
  double speed = text != NULL ? g_ascii_strtod (text, NULL) : 0.0;
  double lanes = speed * 8.0 / (8.0 * 128.0 / 130.0);

  if (!(speed > 0.0 && speed < 1e4))
    return (PlgTopologyBandwidth) { DEFAULT_PCIE_BANDWIDTH, 0.0 };
  if (fabs (lanes - round (lanes)) < 1e-3)
    speed = round (lanes) * 15.75 / 16.0;
  return (PlgTopologyBandwidth) { speed * 1e9, speed * 1e9 };
}

/* Returns the number in a name such as "cuda3", "nvml3" or "rsmi3"; -1 for other devices. */
static int
gpu_number (const xmlNode *device)
{
  static const char *const prefixes[] = { "nvml", "cuda", "rsmi" };
  g_autofree char *name = plg_xml_attribute (device, "name");
  gint64 number;

  for (guint i = 0; name != NULL && i < G_N_ELEMENTS (prefixes); i++)
    if (g_str_has_prefix (name, prefixes[i]) &&
        g_ascii_string_to_signed (name + 4, 10, 0, 1023, &number, NULL))
      return (int) number;
  return -1;
}

typedef struct
{
  guint class, vendor, device;
} PciType;

static const xmlNode *
next_device (const xmlNode *node)
{
  while (node != NULL && !is_object (node, "OSDev"))
    node = xmlNextElementSibling ((xmlNode *) node);
  return node;
}

#define FOR_EACH_DEVICE(device, node)                                                   \
  for (const xmlNode *device = next_device (xmlFirstElementChild ((xmlNode *) (node))); \
       device != NULL; device = next_device (xmlNextElementSibling ((xmlNode *) device)))

static void
record_index (PlgHwloc *hwloc, const xmlNode *node, int value)
{
  g_hash_table_insert (hwloc->by_index, GINT_TO_POINTER (read_number (node, "gp_index", -1)),
                       GINT_TO_POINTER (value));
}

static gboolean
add_gpu (PlgHwloc *hwloc,
         const xmlNode *node,
         const PciType *type,
         int parent,
         guint64 busid,
         GError **error)
{
  PlgTopologyBandwidth rate = read_rate (node);
  PlgHwlocGpu gpu = { .busid = busid,
                      .vendor = type->vendor,
                      .device = type->device,
                      .number = -1,
                      .pcie = rate.stated };

  if (hwloc->gpus->len == PLG_MAX_GPUS_PER_NODE)
    return plg_xml_fail (hwloc->xml, node, NULL, error,
                         _ ("The node has more than %d GPUs, the limit in a plan."),
                         PLG_MAX_GPUS_PER_NODE);
  gpu.line = plg_xml_position (hwloc->xml, node, NULL).line;
  gpu.vertex = plg_topology_graph_add_vertex (hwloc->topology, PLG_VERTEX_GPU, 0, busid);
  plg_topology_graph_add_edge_pair (hwloc->topology, gpu.vertex, parent, PLG_EDGE_PCIE, 0, rate);
  record_index (hwloc, node, (int) hwloc->gpus->len + 1);
  FOR_EACH_DEVICE (device, node)
  {
    gpu.number = MAX (gpu.number, gpu_number (device));
    record_index (hwloc, device, (int) hwloc->gpus->len + 1);
  }
  g_array_append_val (hwloc->gpus, gpu);
  return TRUE;
}

/* Adds a NIC. Its name is that of the adapter's RDMA device, or that of the network interface if
 * the adapter has no RDMA device. The type of <object type="OSDev"> is a number in hwloc 2 and a
 * set of bits in hwloc 3 (include/hwloc.h, hwloc_obj_osdev_type_e). */
static gboolean
add_card (PlgHwloc *hwloc, const xmlNode *node, int parent, guint64 busid, GError **error)
{
  NetworkCard card = { .busid = busid };
  gboolean found = FALSE;
  int vertex;

  FOR_EACH_DEVICE (device, node)
  {
    g_autofree char *name = plg_xml_attribute (device, "name");
    gint64 type = read_number (device, "osdev_type", -1);
    gboolean bits = hwloc->version >= 3 && type >= 0;
    gboolean is_rdma_device = plg_hwloc_attribute_equals (device, "subtype", "OpenFabrics") ||
                              (bits ? (type & 32) != 0 : type == 3);
    gboolean is_network = is_rdma_device || (bits ? (type & 16) != 0 : type == 2);

    if (!is_network || (found && !is_rdma_device))
      continue;
    found = TRUE;
    card.is_rdma_device = is_rdma_device;
    if (name != NULL && plg_nic_name_check (name))
      g_strlcpy (card.name, name, sizeof card.name);
  }
  if (!found)
    return TRUE;
  if (hwloc->cards->len == PLG_MAX_NODE_NICS)
    return plg_xml_fail (hwloc->xml, node, NULL, error,
                         _ ("The node has more than %d NICs, the limit in a plan."),
                         PLG_MAX_NODE_NICS);
  vertex = plg_topology_graph_add_vertex (hwloc->topology, PLG_VERTEX_NIC, 0, busid);
  plg_topology_graph_add_edge_pair (hwloc->topology, vertex, parent, PLG_EDGE_PCIE, 0,
                                    read_rate (node));
  card.vertex = plg_topology_graph_add_vertex (hwloc->topology, PLG_VERTEX_NIC_PORT, 0,
                                               hwloc->cards->len);
  plg_topology_graph_add_edge_pair (hwloc->topology, vertex, card.vertex, PLG_EDGE_NIC_PORT, 0,
                                    PLG_BANDWIDTH_LOCAL);
  g_array_append_val (hwloc->cards, card);
  return TRUE;
}

static gboolean
add_device (PlgHwloc *hwloc, const xmlNode *node, int parent, GError **error)
{
  g_autofree char *text = plg_xml_attribute (node, "pci_busid");
  g_autofree char *pci_type = plg_xml_attribute (node, "pci_type");
  PciType type = { 0 };
  guint domain, bus, device_number, function;
  guint64 busid;
  gboolean is_gpu;
  char end;

  if (text == NULL ||
      sscanf (text, "%8x:%2x:%2x.%1x%c", &domain, &bus, &device_number, &function, &end) != 4)
    return plg_xml_fail (hwloc->xml, node, "pci_busid", error,
                         _ ("A PCI device needs a pci_busid such as 0000:34:00.0."));
  busid = (guint64) domain << 20 | bus << 12 | device_number << 4 | function;
  if (plg_hwloc_attribute_equals (node, "subtype", "NVSwitch"))
    {
      record_index (hwloc, node, -1);
      return TRUE;
    }

  /* The type has the form "0302 [10de:1db8] [10de:131d] a1 00". */
  if (pci_type != NULL)
    sscanf (pci_type, "%4x [%4x:%4x]", &type.class, &type.vendor, &type.device);
  is_gpu = (type.class >> 8 == 0x03 || type.class >> 8 == 0x12) &&
           (type.vendor == PLG_HWLOC_NVIDIA || type.vendor == PLG_HWLOC_AMD);
  FOR_EACH_DEVICE (device, node)
  is_gpu = is_gpu || gpu_number (device) >= 0;
  return is_gpu ? add_gpu (hwloc, node, &type, parent, busid, error)
                : add_card (hwloc, node, parent, busid, error);
}

/* Adds the devices below a bridge. A PCIe switch is a bridge that contains one bridge per port.
 * The ports of switches and the CPU's root ports get no vertex, because NCCL also skips them by
 * going up two levels at a time (src/graph/xml.cc, ncclTopoGetXmlFromSys). */
static gboolean
add_below (PlgHwloc *hwloc, const xmlNode *bridge, int parent, gboolean is_port, GError **error)
{
  for (xmlNode *node = xmlFirstElementChild ((xmlNode *) bridge); node != NULL;
       node = xmlNextElementSibling (node))
    {
      int below = parent;

      if (is_object (node, "PCIDev") && !add_device (hwloc, node, parent, error))
        return FALSE;
      if (!is_object (node, "Bridge"))
        continue;
      if (!is_port)
        {
          below = plg_topology_graph_add_vertex (hwloc->topology, PLG_VERTEX_PCIE_BRIDGE, 0,
                                                 hwloc->topology->vertices->len);
          plg_topology_graph_add_edge_pair (hwloc->topology, below, parent, PLG_EDGE_PCIE, 0,
                                            read_rate (node));
        }
      if (!add_below (hwloc, node, below, !is_port, error))
        return FALSE;
    }
  return TRUE;
}

/* Adds the objects below OBJECT. An I/O device directly below OBJECT connects to the first NUMA
 * node in the nodeset of OBJECT. */
static gboolean
add_objects (PlgHwloc *hwloc, const xmlNode *object, GError **error)
{
  for (xmlNode *node = xmlFirstElementChild ((xmlNode *) object); node != NULL;
       node = xmlNextElementSibling (node))
    {
      if (!plg_xml_is (node, "object"))
        continue;
      if (is_object (node, "Package"))
        {
          g_autofree char *vendor = read_info (node, "CPUVendor");
          g_autofree char *family = read_info (node, "CPUFamilyNumber");
          g_autofree char *model = read_info (node, "CPUModelNumber");

          hwloc->cpu_rate = plg_cpu_link_rate ("x86_64", vendor, family != NULL ? atoi (family) : 0,
                                               model != NULL ? atoi (model) : 0);
        }
      if (is_object (node, "Bridge") || is_object (node, "PCIDev"))
        {
          g_autofree char *nodeset = plg_xml_attribute (object, "nodeset");
          g_auto (GStrv) words = g_strsplit (nodeset != NULL ? nodeset : "", ",", -1);
          int n = (int) g_strv_length (words), numa = 0, *cpu;

          /* Take the lowest bit that is set in a mask such as "0x00000001,0x0", in which the
           * highest word comes first. The index of this bit is the NUMA node. */
          for (int i = 0; i < n; i++)
            {
              guint64 word = g_ascii_strtoull (words[i], NULL, 16);

              if (word != 0)
                numa = (n - 1 - i) * 32 + g_bit_nth_lsf ((gulong) word, -1);
            }
          cpu = &hwloc->cpu_vertex[numa < PLG_HWLOC_MAX_CPUS ? numa : 0];
          if (*cpu < 0)
            *cpu = plg_topology_graph_add_vertex (hwloc->topology, PLG_VERTEX_CPU, 0,
                                                  cpu - hwloc->cpu_vertex);
          if (is_object (node, "PCIDev") ? !add_device (hwloc, node, *cpu, error)
                                         : !add_below (hwloc, node, *cpu, TRUE, error))
            return FALSE;
        }
      else if (!add_objects (hwloc, node, error))
        return FALSE;
    }
  return TRUE;
}

static int
compare_gpus (gconstpointer a, gconstpointer b)
{
  const PlgHwlocGpu *x = a, *y = b;

  if (x->number != y->number && x->number >= 0 && y->number >= 0)
    return x->number - y->number;
  return (x->busid > y->busid) - (x->busid < y->busid);
}

static int
compare_cards (gconstpointer a, gconstpointer b)
{
  const NetworkCard *x = a, *y = b;

  return (x->busid > y->busid) - (x->busid < y->busid);
}

/* Repeats the map for all trays of the node if the file describes one tray of the open plan's
 * racks. */
static void
join_trays (const PlgHwloc *hwloc, PlgNodeFacts *facts, PlgNodeTopology *map)
{
  const PlgCluster *cluster = &hwloc->context->plan->cluster;
  int trays = plg_cluster_hosts_per_node (cluster);

  if (trays < 2 || map->gpus < 2 || map->gpus != plg_cluster_host_gpus (cluster) ||
      (facts->has_links && !facts->is_joined) || cluster->intra != PLG_INTRA_NVSWITCH ||
      map->nics * trays > PLG_MAX_NODE_NICS || g_strcmp0 (facts->gpu, cluster->gpu.name) != 0)
    return;
  plg_import_set_one_host (hwloc->context, facts->line, trays);
  facts->host_gpus = map->gpus;
  plg_node_topology_repeat_host (map, trays);
}

static gboolean
apply_facts (PlgHwloc *hwloc, GError **error)
{
  int n_gpus = (int) hwloc->gpus->len, n_cards;
  g_autofree int *gpu_vertices = g_new (int, n_gpus);
  g_autofree int *card_vertices = g_new (int, hwloc->cards->len);
  const PlgHwlocGpu *gpus;
  const NetworkCard *cards;
  PlgNodeFacts facts = { .gpu_why = _ ("The PCI ids identify this GPU."),
                         .has_links = hwloc->has_links,
                         .is_joined = TRUE };
  PlgNodeTopology map;
  gboolean has_rdma = FALSE;
  guint kept = 0;

  /* If the node has RDMA devices, drop its other network interfaces, because they carry only the
   * host's own traffic. */
  for (guint i = 0; i < hwloc->cards->len; i++)
    has_rdma = has_rdma || g_array_index (hwloc->cards, NetworkCard, i).is_rdma_device;
  for (guint i = 0; has_rdma && i < hwloc->cards->len; i++)
    if (g_array_index (hwloc->cards, NetworkCard, i).is_rdma_device)
      g_array_index (hwloc->cards, NetworkCard, kept++) = g_array_index (hwloc->cards, NetworkCard,
                                                                         i);
  if (has_rdma)
    g_array_set_size (hwloc->cards, kept);
  g_array_sort (hwloc->gpus, compare_gpus);
  g_array_sort (hwloc->cards, compare_cards);
  gpus = (const PlgHwlocGpu *) hwloc->gpus->data;
  cards = (const NetworkCard *) hwloc->cards->data;
  n_cards = (int) hwloc->cards->len;

  facts.is_rdma = has_rdma || n_cards == 0;
  facts.line = gpus[0].line;
  facts.gpu = plg_gpu_from_device_id (gpus[0].vendor, gpus[0].device);
  facts.links_bandwidth = gpus[0].links_bandwidth;
  for (int i = 0; i < n_gpus; i++)
    {
      facts.is_joined = facts.is_joined && gpus[i].is_joined;
      facts.links_bandwidth = MIN (facts.links_bandwidth, gpus[i].links_bandwidth);
      if (gpus[i].pcie > 0.0 && (facts.pcie <= 0.0 || gpus[i].pcie < facts.pcie))
        facts.pcie = gpus[i].pcie;
      gpu_vertices[i] = gpus[i].vertex;
    }
  /* NVLink SHARP needs Hopper or a later GPU. In the catalogue, the names of these GPUs begin
   * with h, b or g. */
  facts.multicast = facts.is_joined && facts.gpu != NULL && strchr ("hbg", *facts.gpu) != NULL;
  for (int i = 0; i < n_cards; i++)
    card_vertices[i] = cards[i].vertex;
  plg_topology_graph_to_node (hwloc->topology, gpu_vertices, n_gpus, card_vertices, n_cards, &map);
  for (int i = 0; i < n_cards; i++)
    g_strlcpy (map.card[i].name, cards[i].name, PLG_NAME_SIZE);
  join_trays (hwloc, &facts, &map);
  return plg_node_facts_apply (hwloc->context, &facts, &map, error);
}

static gboolean
read_hwloc (PlgImportContext *context, GError **error)
{
  g_autofree char *copy = g_strndup (context->data, context->size);
  g_autoptr (GRegex) doctype = g_regex_new (DOCTYPES, G_REGEX_RAW, 0, NULL);
  g_autoptr (GMatchInfo) match = NULL;
  g_autoptr (PlgXml) xml = NULL;
  g_autoptr (PlgTopologyGraph) topology = plg_topology_graph_new ();
  g_autoptr (GArray) gpus = g_array_new (FALSE, FALSE, sizeof (PlgHwlocGpu));
  g_autoptr (GArray) cards = g_array_new (FALSE, FALSE, sizeof (NetworkCard));
  g_autoptr (GHashTable) by_index = g_hash_table_new (NULL, NULL);
  g_autofree char *version = NULL;
  const xmlNode *root;
  PlgHwloc hwloc = { .context = context,
                     .topology = topology,
                     .gpus = gpus,
                     .cards = cards,
                     .by_index = by_index };
  PlgTopologyBandwidth rate;
  int from, to;

  /* Replace hwloc's DOCTYPE with spaces, because the XML parser rejects every DOCTYPE. */
  if (g_regex_match_full (doctype, copy, (gssize) context->size, 0, 0, &match, NULL) &&
      g_match_info_fetch_pos (match, 0, &from, &to))
    memset (copy + from, ' ', to - from);
  hwloc.xml = xml = plg_xml_parse (copy, context->size, error);
  if (xml == NULL)
    return FALSE;
  root = plg_xml_root (xml);
  version = plg_xml_attribute (root, "version");
  hwloc.version = version != NULL && *version >= '3' ? 3 : 2;
  if (version == NULL || *version < '2')
    return plg_xml_fail (xml, root, NULL, error,
                         _ ("This file is from hwloc 1, which does not record the links between "
                            "GPUs. Write the file with lstopo from hwloc 2."));
  for (int i = 0; i < PLG_HWLOC_MAX_CPUS; i++)
    hwloc.cpu_vertex[i] = -1;
  if (!add_objects (&hwloc, root, error) || !plg_hwloc_read_matrices (&hwloc, error))
    return FALSE;

  rate = hwloc.cpu_rate > 0.0 ? (PlgTopologyBandwidth) { hwloc.cpu_rate, hwloc.cpu_rate }
                              : (PlgTopologyBandwidth) { PLG_BANDWIDTH_LOCAL.planned * 0.999, 0.0 };
  for (int a = 0; a < PLG_HWLOC_MAX_CPUS; a++)
    for (int b = 0; b < PLG_HWLOC_MAX_CPUS; b++)
      if (a != b && hwloc.cpu_vertex[a] >= 0 && hwloc.cpu_vertex[b] >= 0)
        plg_topology_graph_add_edge (topology, hwloc.cpu_vertex[a], hwloc.cpu_vertex[b],
                                     PLG_EDGE_SYS, 0, rate);
  if (gpus->len > 0)
    return apply_facts (&hwloc, error);
  return plg_xml_fail (xml, root, NULL, error,
                       _ ("The topology has no GPU. lstopo lists GPUs if hwloc was built with "
                          "CUDA, NVML or RSMI, or if it lists all I/O devices (--whole-io)."));
}

static gboolean
is_hwloc (const char *data, gsize size)
{
  return plg_xml_begins (data, size, "topology");
}

const PlgFormat plg_hwloc_format = {
  .name = "hwloc",
  .suffix = ".xml",
  .title = N_ ("hwloc topology (lstopo, XML)"),
  .subject = PLG_SUBJECT_CLUSTER,
  .syntax = PLG_SYNTAX_XML,
  .sign = "<topology>",
  .is = is_hwloc,
  .read = read_hwloc,
};
