/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "formats/gpu-ids.h"
#include "formats/nccl-private.h"

#include <glib/gi18n-lib.h>
#include <string.h>

/* NCCL's file into a topology, in the order of src/graph/topo.cc: the PCIe trees below each NUMA
 * node, then NVLinks and C2C, then the links from CPU to CPU. */

#define MAX_HOSTS 256
#define MAX_GPUS 4096
#define MAX_NETS 16384
/* Of one element (src/graph/xml.h, MAX_SUBS). */
#define MAX_CHILDREN 640
/* What NCCL takes for a NIC that does not say its speed (topo.cc, ncclTopoAddNet). */
#define USUAL_NET 1.25e9

typedef enum
{
  DEVICE_BRIDGE,
  DEVICE_GPU,
  DEVICE_NIC,
  DEVICE_OTHER,
} DeviceKind;

xmlNode *
plg_nccl_child (const xmlNode *node, const char *name)
{
  xmlNode *found = xmlFirstElementChild ((xmlNode *) node);

  while (found != NULL && !plg_xml_is (found, name))
    found = xmlNextElementSibling (found);
  return found;
}

/* NCCL's own classes, and AMD's accelerators (RCCL, src/graph/topo.cc). */
static DeviceKind
kind_of_device (const xmlNode *node)
{
  g_autofree char *class = plg_xml_attribute (node, "class");

  if (plg_nccl_child (node, "gpu") != NULL)
    return DEVICE_GPU;
  if (plg_nccl_child (node, "nic") != NULL)
    return DEVICE_NIC;
  if (class == NULL || g_str_has_prefix (class, "0x0604"))
    return DEVICE_BRIDGE;
  if (g_str_has_prefix (class, "0x03") || g_str_has_prefix (class, "0x12"))
    return DEVICE_GPU;
  if (g_str_has_prefix (class, "0x02"))
    return DEVICE_NIC;
  return g_str_has_prefix (class, "0x0680") ? DEVICE_OTHER : DEVICE_BRIDGE;
}

/* GPUs */

static gpointer
gpu_key (int host, guint64 busid)
{
  return GSIZE_TO_POINTER ((gsize) host << 52 | (gsize) busid);
}

PlgNcclGpu *
plg_nccl_gpu_of (const PlgNcclLoad *load, int host, guint64 busid)
{
  guint index = GPOINTER_TO_UINT (g_hash_table_lookup (load->gpu_at, gpu_key (host, busid)));

  return index > 0 ? &g_array_index (load->nccl->gpus, PlgNcclGpu, index - 1) : NULL;
}

static gboolean
read_gpu_facts (PlgNcclLoad *load, const xmlNode *node, PlgNcclGpu *gpu, GError **error)
{
  g_autofree char *gcn = plg_xml_attribute (node, "gcn");

  gpu->is_known = TRUE;
  g_strlcpy (gpu->gcn, gcn != NULL ? gcn : "", sizeof gpu->gcn);
  if (!plg_nccl_read_int (load, node, "dev", -1, &gpu->dev, error) ||
      !plg_nccl_read_int (load, node, "rank", -1, &gpu->rank, error) ||
      !plg_nccl_read_int (load, node, "sm", 0, &gpu->sm, error))
    return FALSE;
  load->has_ranks |= gpu->rank >= 0;
  return TRUE;
}

static gboolean
add_gpu (PlgNcclLoad *load,
         const xmlNode *node,
         int host,
         int parent,
         guint64 busid,
         PlgRate rate,
         GError **error)
{
  const xmlNode *facts = plg_nccl_child (node, "gpu");
  PlgNcclGpu gpu = { .host = host, .busid = busid, .dev = -1, .rank = -1, .pcie = rate.stated };
  const PlgNcclGpu *twin = plg_nccl_gpu_of (load, host, busid);

  plg_xml_place (load->xml, node, NULL, &gpu.line, &(int) { 0 });
  if (twin != NULL)
    return plg_xml_fail (load->xml, node, "busid", error,
                         _ ("Line %d has a GPU with the same busid already; each of a host has one "
                            "of its own."),
                         twin->line);
  if (load->nccl->gpus->len == MAX_GPUS)
    return plg_xml_fail (load->xml, node, NULL, error,
                         _ ("The file has more than %d GPUs, which no dump has."), MAX_GPUS);
  gpu.vendor = plg_nccl_read_hex (node, "vendor");
  gpu.device = plg_nccl_read_hex (node, "device");
  if (facts != NULL && !read_gpu_facts (load, facts, &gpu, error))
    return FALSE;
  gpu.link = plg_gpu_link_rate (gpu.sm, gpu.gcn);
  gpu.spot = plg_topology_add (load->nccl->topology, PLG_SPOT_GPU, host, busid);
  plg_topology_connect (load->nccl->topology, gpu.spot, parent, PLG_JOINT_PCI, 0, rate);
  g_array_append_val (load->nccl->gpus, gpu);
  g_hash_table_insert (load->gpu_at, gpu_key (host, busid),
                       GUINT_TO_POINTER (load->nccl->gpus->len));
  return TRUE;
}

/* NICs */

static void
set_net_name (PlgNcclLoad *load, const xmlNode *node, PlgNcclNet *net)
{
  g_autofree char *name = plg_xml_attribute (node, "name");

  if (name == NULL)
    return;
  if (plg_nic_name_check (name))
    g_strlcpy (net->name, name, sizeof net->name);
  else
    plg_reading_note (load->reading, PLG_NOTE_IGNORED, net->line,
                      _ ("The name of the NIC, which has other characters than letters, digits and "
                         "“-._:+/”."));
}

static gboolean
read_net_facts (PlgNcclLoad *load, const xmlNode *node, PlgNcclNet *net, GError **error)
{
  int speed, gdr, port;
  g_autofree char *guid = plg_xml_attribute (node, "guid");

  if (!plg_nccl_read_int (load, node, "speed", 0, &speed, error) ||
      !plg_nccl_read_int (load, node, "gdr", 0, &gdr, error) ||
      !plg_nccl_read_int (load, node, "port", 0, &port, error))
    return FALSE;
  net->bandwidth = speed > 0 ? speed / 8000.0 * 1e9 : 0.0;
  /* Sockets have neither a port nor a guid (src/transport/net_socket.cc). */
  net->is_rdma = gdr > 0 || port > 0 || (guid != NULL && g_ascii_strtoull (guid, NULL, 16) > 0);
  set_net_name (load, node, net);
  return TRUE;
}

/* The same socket is told below each NUMA node in old dumps. */
static gboolean
has_net (const PlgNcclLoad *load, int host, int dev)
{
  return plg_topology_find (load->nccl->topology, PLG_SPOT_NET, host, dev) >= 0;
}

static gboolean
add_net (PlgNcclLoad *load, const xmlNode *node, int host, int card, guint64 busid, GError **error)
{
  PlgNcclNet net = { .host = host, .busid = busid };
  PlgTopology *topology = load->nccl->topology;
  PlgRate rate;
  int used;

  plg_xml_place (load->xml, node, NULL, &net.line, &(int) { 0 });
  if (!plg_nccl_read_int (load, node, "dev", -1, &net.dev, error) ||
      !plg_nccl_read_int (load, node, "net", 1, &used, error))
    return FALSE;
  if (net.dev < 0 || used == 0 || has_net (load, host, net.dev))
    {
      plg_reading_note (load->reading, PLG_NOTE_IGNORED, net.line,
                        _ ("A <net> that NCCL does not use: it has no “dev”, is a part of another "
                           "one, or stands there twice."));
      return TRUE;
    }
  if (load->nccl->nets->len == MAX_NETS)
    return plg_xml_fail (load->xml, node, NULL, error,
                         _ ("The file has more than %d NICs, which no dump has."), MAX_NETS);
  if (!read_net_facts (load, node, &net, error))
    return FALSE;
  rate = (PlgRate) { net.bandwidth > 0 ? net.bandwidth : USUAL_NET, net.bandwidth };
  net.spot = plg_topology_add (topology, PLG_SPOT_NET, host, net.dev);
  plg_topology_connect (topology, card, net.spot, PLG_JOINT_NET, 0, rate);
  g_array_append_val (load->nccl->nets, net);
  return TRUE;
}

static gboolean
add_nets (PlgNcclLoad *load, const xmlNode *nic, int host, int card, guint64 busid, GError **error)
{
  for (xmlNode *node = xmlFirstElementChild ((xmlNode *) nic); node != NULL;
       node = xmlNextElementSibling (node))
    if (plg_xml_is (node, "net") && !add_net (load, node, host, card, busid, error))
      return FALSE;
  return TRUE;
}

/* Without a <net> the device stands for its NIC. */
static gboolean
add_card (PlgNcclLoad *load,
          const xmlNode *node,
          int host,
          int parent,
          guint64 busid,
          PlgRate rate,
          GError **error)
{
  PlgTopology *topology = load->nccl->topology;
  const xmlNode *nic = plg_nccl_child (node, "nic");
  PlgNcclNet card = { .host = host, .busid = busid, .dev = -1, .is_rdma = TRUE };

  card.spot = plg_topology_add (topology, PLG_SPOT_NIC, host, busid);
  plg_topology_connect (topology, card.spot, parent, PLG_JOINT_PCI, 0, rate);
  if (nic != NULL)
    return add_nets (load, nic, host, card.spot, busid, error);
  plg_xml_place (load->xml, node, NULL, &card.line, &(int) { 0 });
  g_array_append_val (load->cards, card);
  return TRUE;
}

/* The tree */

static gboolean
check_children (const PlgNcclLoad *load, const xmlNode *node, GError **error)
{
  if (xmlChildElementCount ((xmlNode *) node) <= MAX_CHILDREN)
    return TRUE;
  return plg_xml_fail (load->xml, node, NULL, error,
                       _ ("<%s> has more than %d elements, which NCCL does not read either."),
                       (const char *) node->name, MAX_CHILDREN);
}

static gboolean
add_device (PlgNcclLoad *load, const xmlNode *node, int host, int parent, GError **error)
{
  PlgTopology *topology = load->nccl->topology;
  guint64 busid;
  PlgRate rate;
  int bridge;

  if (!check_children (load, node, error) || !plg_nccl_read_bus_id (load, node, &busid, error) ||
      !plg_nccl_read_rate (load, node, &rate, error))
    return FALSE;
  switch (kind_of_device (node))
    {
    case DEVICE_GPU:
      return add_gpu (load, node, host, parent, busid, rate, error);
    case DEVICE_NIC:
      return add_card (load, node, host, parent, busid, rate, error);
    case DEVICE_OTHER:
      return TRUE;
    case DEVICE_BRIDGE:
    default:
      break;
    }
  bridge = plg_topology_add (topology, PLG_SPOT_BRIDGE, host, busid);
  for (xmlNode *below = xmlFirstElementChild ((xmlNode *) node); below != NULL;
       below = xmlNextElementSibling (below))
    if (plg_xml_is (below, "pci") && !add_device (load, below, host, bridge, error))
      return FALSE;
  plg_topology_connect (topology, bridge, parent, PLG_JOINT_PCI, 0, rate);
  return TRUE;
}

gboolean
plg_nccl_find_host (PlgNcclLoad *load, const xmlNode *node, int *host, GError **error)
{
  g_autofree char *text = plg_xml_attribute (node, "host_hash");
  guint64 hash = text != NULL ? g_ascii_strtoull (text, NULL, 16) : 0;

  for (guint i = 0; i < load->hashes->len; i++)
    if (g_array_index (load->hashes, guint64, i) == hash)
      {
        *host = (int) i + load->tray;
        return TRUE;
      }
  if (load->hashes->len == MAX_HOSTS)
    return plg_xml_fail (load->xml, node, "host_hash", error,
                         _ ("The file has more than %d hosts, which no dump has."), MAX_HOSTS);
  *host = (int) load->hashes->len + load->tray;
  g_array_append_val (load->hashes, hash);
  return TRUE;
}

/* A NIC of no PCI device hangs on its CPU. */
static gboolean
add_socket (PlgNcclLoad *load, const xmlNode *node, int host, int cpu, int number, GError **error)
{
  PlgTopology *topology = load->nccl->topology;
  int card = plg_topology_add (topology, PLG_SPOT_NIC, host,
                               (guint64) 1 << 60 | (guint64) cpu << 16 | (guint) number);

  plg_topology_connect (topology, cpu, card, PLG_JOINT_PCI, 0, PLG_RATE_LOCAL);
  return add_nets (load, node, host, card, 0, error);
}

static gboolean
add_cpu (PlgNcclLoad *load, const xmlNode *node, GError **error)
{
  g_autofree char *arch = plg_xml_attribute (node, "arch");
  g_autofree char *vendor = plg_xml_attribute (node, "vendor");
  int numa, family, model, sockets = 0;
  PlgNcclCpu cpu;

  if (!check_children (load, node, error) ||
      !plg_nccl_read_int (load, node, "numaid", load->cpus->len, &numa, error) ||
      !plg_nccl_read_int (load, node, "familyid", 0, &family, error) ||
      !plg_nccl_read_int (load, node, "modelid", 0, &model, error) ||
      !plg_nccl_find_host (load, node, &cpu.host, error))
    return FALSE;
  cpu.bandwidth = plg_cpu_link_rate (arch, vendor, family, model);
  cpu.spot = plg_topology_add (load->nccl->topology, PLG_SPOT_CPU, cpu.host, MAX (numa, 0));
  g_array_append_val (load->cpus, cpu);
  for (xmlNode *below = xmlFirstElementChild ((xmlNode *) node); below != NULL;
       below = xmlNextElementSibling (below))
    if ((plg_xml_is (below, "pci") && !add_device (load, below, cpu.host, cpu.spot, error)) ||
        (plg_xml_is (below, "nic") &&
         !add_socket (load, below, cpu.host, cpu.spot, sockets++, error)))
      return FALSE;
  return TRUE;
}

/* The whole */

static gboolean
check_root (const PlgNcclLoad *load, GError **error)
{
  const xmlNode *root = plg_xml_root (load->xml);
  int version;

  if (!plg_nccl_read_int (load, root, "version", 1, &version, error) ||
      !check_children (load, root, error))
    return FALSE;
  if (version != 1 && version != 2)
    return plg_nccl_fail (load, root, "version", error, _ ("1 is NCCL's and 2 is RCCL's"));
  return TRUE;
}

static gboolean
add_cpus (PlgNcclLoad *load, GError **error)
{
  for (xmlNode *node = xmlFirstElementChild (plg_xml_root (load->xml)); node != NULL;
       node = xmlNextElementSibling (node))
    if (plg_xml_is (node, "cpu") && !add_cpu (load, node, error))
      return FALSE;
  if (load->cpus->len > 0)
    return TRUE;
  return plg_xml_fail (load->xml, plg_xml_root (load->xml), NULL, error,
                       _ ("The topology has no <cpu>; a dump of NCCL has one for each NUMA node."));
}

/* GPUs outside the communicator do not exist for NCCL; in a file without any rank they all do. */
static void
drop_strangers (PlgNcclLoad *load)
{
  GArray *gpus = load->nccl->gpus;

  for (guint i = 0; load->has_ranks && i < gpus->len;)
    {
      const PlgNcclGpu *gpu = &g_array_index (gpus, PlgNcclGpu, i);

      if (gpu->rank >= 0 || !gpu->is_known)
        {
          i++;
          continue;
        }
      plg_reading_note (load->reading, PLG_NOTE_IGNORED, gpu->line,
                        _ ("A GPU without a rank, which NCCL leaves out."));
      g_array_remove_index (gpus, i);
    }
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

/* Says of the first GPU of which it is so that its number is another's as well, or is not its place
 * on its host. */
static void
tell_numbers (const PlgNcclLoad *load)
{
  const PlgNcclGpu *gpus = (const PlgNcclGpu *) load->nccl->gpus->data, *twin = NULL, *odd = NULL;
  int place = 0, odd_place = 0;

  for (guint i = 0; i < load->nccl->gpus->len; i++)
    {
      gboolean first = i == 0 || gpus[i].host != gpus[i - 1].host;

      place = first ? 0 : place + 1;
      if (gpus[i].dev < 0)
        continue;
      if (twin == NULL && !first && gpus[i].dev == gpus[i - 1].dev)
        twin = &gpus[i];
      if (odd == NULL && gpus[i].dev != place)
        {
          odd = &gpus[i];
          odd_place = place;
        }
    }
  if (twin != NULL)
    plg_reading_note (load->reading, PLG_NOTE_INFERRED, twin->line,
                      _ ("Line %d has a GPU of number %d too; such go by their busid."),
                      twin[-1].line, twin->dev);
  if (odd != NULL && twin == NULL)
    plg_reading_note (load->reading, PLG_NOTE_INFERRED, odd->line,
                      _ ("GPU %d of the file is GPU %d of the node here: they count from 0 without "
                         "gaps."),
                      odd->dev, odd_place);
}

static gboolean
finish (PlgNcclLoad *load, GError **error)
{
  PlgNccl *nccl = load->nccl;

  plg_nccl_connect_cpus (load);
  drop_strangers (load);
  if (nccl->nets->len == 0)
    g_array_append_vals (nccl->nets, load->cards->data, load->cards->len);
  g_array_sort (nccl->gpus, compare_gpus);
  g_array_sort (nccl->nets, compare_nets);
  nccl->hosts = (int) load->hashes->len + load->tray;
  tell_numbers (load);
  if (nccl->gpus->len > 0)
    return TRUE;
  return plg_xml_fail (load->xml, plg_xml_root (load->xml), NULL, error,
                       _ ("The topology has no GPU: neither a <gpu> nor a <pci> of class 0x03."));
}

/* All hosts of the file, as often as there are TRAYS. */
static gboolean
add_hosts (PlgNcclLoad *load, int trays, GError **error)
{
  for (load->tray = 0;; load->tray++)
    {
      if (!add_cpus (load, error) || !plg_nccl_add_links (load, FALSE, error) ||
          !plg_nccl_add_links (load, TRUE, error))
        return FALSE;
      if (load->tray == trays - 1)
        return TRUE;
    }
}

static void
load_clear (PlgNcclLoad *load)
{
  g_clear_pointer (&load->xml, plg_xml_free);
  g_clear_pointer (&load->nccl, plg_nccl_free);
  g_hash_table_unref (load->gpu_at);
  g_array_unref (load->hashes);
  g_array_unref (load->cards);
  g_array_unref (load->cpus);
}

PlgNccl *
plg_nccl_load (PlgReading *reading, int trays, GError **error)
{
  PlgNcclLoad load = { .reading = reading, .switch_spot = -1 };
  PlgNccl *nccl = NULL;

  load.xml = plg_xml_parse (reading->data, reading->size, error);
  load.gpu_at = g_hash_table_new (NULL, NULL);
  load.hashes = g_array_new (FALSE, FALSE, sizeof (guint64));
  load.cards = g_array_new (FALSE, FALSE, sizeof (PlgNcclNet));
  load.cpus = g_array_new (FALSE, FALSE, sizeof (PlgNcclCpu));
  load.nccl = g_new0 (PlgNccl, 1);
  load.nccl->topology = plg_topology_new ();
  load.nccl->topology->is_planned = TRUE;
  load.nccl->gpus = g_array_new (FALSE, FALSE, sizeof (PlgNcclGpu));
  load.nccl->nets = g_array_new (FALSE, FALSE, sizeof (PlgNcclNet));
  if (load.xml != NULL && check_root (&load, error) && add_hosts (&load, trays, error) &&
      finish (&load, error))
    nccl = g_steal_pointer (&load.nccl);
  load_clear (&load);
  return nccl;
}

void
plg_nccl_free (PlgNccl *nccl)
{
  plg_topology_free (nccl->topology);
  g_array_unref (nccl->gpus);
  g_array_unref (nccl->nets);
  g_free (nccl);
}
