/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "formats/format.h"
#include "formats/gpu-ids.h"
#include "formats/nccl-topology.h"
#include "formats/xml-reader.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

/* NCCL's file into a topology, in the order of src/graph/topo.cc: the PCIe trees below each NUMA
 * node, then NVLinks and C2C, then the links from CPU to CPU. */

#define SHOWN_CHARACTERS 40
#define MAX_HOSTS 256
#define MAX_GPUS 4096
#define MAX_NETS 16384
/* Of one element (src/graph/xml.h, MAX_SUBS). */
#define MAX_CHILDREN 640
/* What NCCL takes for a NIC that does not say its speed (topo.cc, ncclTopoAddNet). */
#define USUAL_NET 1.25e9

typedef struct
{
  PlgReading *reading;
  PlgXml *xml;
  PlgNccl *nccl;
  GHashTable *gpu_at; /* host and bus id: index in gpus, plus 1 */
  GArray *hashes;     /* guint64, one a host */
  GArray *cards;      /* of PlgNcclNet: devices without a <net> */
  GArray *cpus;       /* of Cpu */
  gboolean has_ranks; /* any <gpu> says its rank */
  int switch_spot;    /* -1: none yet */
} Load;

typedef struct
{
  int spot;
  int host;
  double bandwidth; /* to another CPU; 0: not known */
} Cpu;

/* Attributes */

static gboolean
fail (const Load *load, const xmlNode *node, const char *attribute, GError **error, const char *why)
{
  g_autofree char *value = plg_xml_attribute (node, attribute);
  g_autofree char *shown = plg_format_excerpt (value != NULL ? value : "", SHOWN_CHARACTERS);

  return plg_xml_fail (load->xml, node, attribute, error, _ ("%s of <%s> is “%s”; %s."), attribute,
                       (const char *) node->name, shown, why);
}

/* A whole number; OTHERWISE where there is none. */
static gboolean
read_int (const Load *load,
          const xmlNode *node,
          const char *attribute,
          int otherwise,
          int *value,
          GError **error)
{
  g_autofree char *text = plg_xml_attribute (node, attribute);
  gint64 number;

  *value = otherwise;
  if (text == NULL || *text == '\0')
    return TRUE;
  if (!g_ascii_string_to_signed (g_strstrip (text), 10, -1, G_MAXINT, &number, NULL))
    return fail (load, node, attribute, error, _ ("write a whole number"));
  *value = (int) number;
  return TRUE;
}

/* Hexadecimal numbers with or without 0x; 0 where there is none or another thing. */
static guint
read_hex (const xmlNode *node, const char *attribute)
{
  g_autofree char *text = plg_xml_attribute (node, attribute);

  return text != NULL ? (guint) g_ascii_strtoull (text, NULL, 16) : 0;
}

/* "0000:83:00.0" as the number of its digits. */
static gboolean
bus_id_from_string (const char *text, guint64 *id)
{
  int digits = 0;

  *id = 0;
  for (; *text != '\0'; text++)
    {
      if (*text == ':' || *text == '.')
        continue;
      if (!g_ascii_isxdigit (*text) || ++digits > 13)
        return FALSE;
      *id = *id << 4 | (guint) g_ascii_xdigit_value (*text);
    }
  return digits > 0;
}

static gboolean
read_bus_id (const Load *load, const xmlNode *node, guint64 *id, GError **error)
{
  g_autofree char *text = plg_xml_attribute (node, "busid");

  if (text != NULL && bus_id_from_string (text, id))
    return TRUE;
  return fail (load, node, "busid", error, _ ("write it as 0000:83:00.0"));
}

/* PCIe */

/* Hundreds of Mb/s that NCCL counts for a lane, and bytes/s of sixteen as they are stated (PCI-SIG:
 * 8b/10b up to 5 GT/s, 128b/130b up to 32, then flits of 242 in 256 bytes). */
static const struct
{
  const char *begins;
  double planned, stated;
} speeds[] = {
  { "2.5 GT/s", 15, 4e9 },      { "5 GT/s", 30, 8e9 },       { "5.0 GT/s", 30, 8e9 },
  { "8 GT/s", 60, 15.75e9 },    { "8.0 GT/s", 60, 15.75e9 }, { "16 GT/s", 120, 31.5e9 },
  { "16.0 GT/s", 120, 31.5e9 }, { "32 GT/s", 240, 63e9 },    { "32.0 GT/s", 240, 63e9 },
  { "64 GT/s", 480, 121e9 },    { "64.0 GT/s", 480, 121e9 },
};
#define UNKNOWN_SPEED 60

static gboolean
read_rate (const Load *load, const xmlNode *node, PlgRate *rate, GError **error)
{
  g_autofree char *text = plg_xml_attribute (node, "link_speed");
  double planned = UNKNOWN_SPEED, stated = 0;
  int width;

  if (!read_int (load, node, "link_width", 0, &width, error))
    return FALSE;
  if (width < 0 || width > 64)
    return fail (load, node, "link_width", error, _ ("a link has 1 to 32 lanes, or 0: not known"));
  for (guint i = 0; text != NULL && i < G_N_ELEMENTS (speeds); i++)
    if (g_str_has_prefix (text, speeds[i].begins))
      {
        planned = speeds[i].planned;
        stated = speeds[i].stated;
      }
  if (width == 0)
    {
      width = 16;
      stated = 0;
    }
  *rate = (PlgRate) { width * planned / 80.0 * 1e9, width * stated / 16.0 };
  return TRUE;
}

typedef enum
{
  DEVICE_BRIDGE,
  DEVICE_GPU,
  DEVICE_NIC,
  DEVICE_OTHER,
} DeviceKind;

static xmlNode *
child (const xmlNode *node, const char *name)
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

  if (child (node, "gpu") != NULL)
    return DEVICE_GPU;
  if (child (node, "nic") != NULL)
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

static PlgNcclGpu *
gpu_of (const Load *load, int host, guint64 busid)
{
  guint index = GPOINTER_TO_UINT (g_hash_table_lookup (load->gpu_at, gpu_key (host, busid)));

  return index > 0 ? &g_array_index (load->nccl->gpus, PlgNcclGpu, index - 1) : NULL;
}

static gboolean
read_gpu_facts (Load *load, const xmlNode *node, PlgNcclGpu *gpu, GError **error)
{
  g_autofree char *gcn = plg_xml_attribute (node, "gcn");

  gpu->is_known = TRUE;
  g_strlcpy (gpu->gcn, gcn != NULL ? gcn : "", sizeof gpu->gcn);
  if (!read_int (load, node, "dev", -1, &gpu->dev, error) ||
      !read_int (load, node, "rank", -1, &gpu->rank, error) ||
      !read_int (load, node, "sm", 0, &gpu->sm, error))
    return FALSE;
  load->has_ranks |= gpu->rank >= 0;
  return TRUE;
}

static gboolean
add_gpu (Load *load,
         const xmlNode *node,
         int host,
         int parent,
         guint64 busid,
         PlgRate rate,
         GError **error)
{
  const xmlNode *facts = child (node, "gpu");
  PlgNcclGpu gpu = { .host = host, .busid = busid, .dev = -1, .rank = -1, .pcie = rate.stated };
  const PlgNcclGpu *twin = gpu_of (load, host, busid);

  plg_xml_place (load->xml, node, NULL, &gpu.line, &(int) { 0 });
  if (twin != NULL)
    return plg_xml_fail (load->xml, node, "busid", error,
                         _ ("Line %d has a GPU with the same busid already; each of a host has one "
                            "of its own."),
                         twin->line);
  if (load->nccl->gpus->len == MAX_GPUS)
    return plg_xml_fail (load->xml, node, NULL, error,
                         _ ("The file has more than %d GPUs, which no dump has."), MAX_GPUS);
  gpu.vendor = read_hex (node, "vendor");
  gpu.device = read_hex (node, "device");
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
set_net_name (Load *load, const xmlNode *node, PlgNcclNet *net)
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
read_net_facts (Load *load, const xmlNode *node, PlgNcclNet *net, GError **error)
{
  int speed, gdr, port;
  g_autofree char *guid = plg_xml_attribute (node, "guid");

  if (!read_int (load, node, "speed", 0, &speed, error) ||
      !read_int (load, node, "gdr", 0, &gdr, error) ||
      !read_int (load, node, "port", 0, &port, error))
    return FALSE;
  net->bandwidth = speed > 0 ? speed / 8000.0 * 1e9 : 0.0;
  /* Sockets have neither a port nor a guid (src/transport/net_socket.cc). */
  net->is_rdma = gdr > 0 || port > 0 || (guid != NULL && g_ascii_strtoull (guid, NULL, 16) > 0);
  set_net_name (load, node, net);
  return TRUE;
}

/* The same socket is told below each NUMA node in old dumps. */
static gboolean
has_net (const Load *load, int host, int dev)
{
  return plg_topology_find (load->nccl->topology, PLG_SPOT_NET, host, dev) >= 0;
}

static gboolean
add_net (Load *load, const xmlNode *node, int host, int card, guint64 busid, GError **error)
{
  PlgNcclNet net = { .host = host, .busid = busid };
  PlgTopology *topology = load->nccl->topology;
  PlgRate rate;
  int used;

  plg_xml_place (load->xml, node, NULL, &net.line, &(int) { 0 });
  if (!read_int (load, node, "dev", -1, &net.dev, error) ||
      !read_int (load, node, "net", 1, &used, error))
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
add_nets (Load *load, const xmlNode *nic, int host, int card, guint64 busid, GError **error)
{
  for (xmlNode *node = xmlFirstElementChild ((xmlNode *) nic); node != NULL;
       node = xmlNextElementSibling (node))
    if (plg_xml_is (node, "net") && !add_net (load, node, host, card, busid, error))
      return FALSE;
  return TRUE;
}

/* Without a <net> the device stands for its NIC. */
static gboolean
add_card (Load *load,
          const xmlNode *node,
          int host,
          int parent,
          guint64 busid,
          PlgRate rate,
          GError **error)
{
  PlgTopology *topology = load->nccl->topology;
  const xmlNode *nic = child (node, "nic");
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
check_children (const Load *load, const xmlNode *node, GError **error)
{
  if (xmlChildElementCount ((xmlNode *) node) <= MAX_CHILDREN)
    return TRUE;
  return plg_xml_fail (load->xml, node, NULL, error,
                       _ ("<%s> has more than %d elements, which NCCL does not read either."),
                       (const char *) node->name, MAX_CHILDREN);
}

static gboolean
add_device (Load *load, const xmlNode *node, int host, int parent, GError **error)
{
  PlgTopology *topology = load->nccl->topology;
  guint64 busid;
  PlgRate rate;
  int bridge;

  if (!check_children (load, node, error) || !read_bus_id (load, node, &busid, error) ||
      !read_rate (load, node, &rate, error))
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

static gboolean
find_host (Load *load, const xmlNode *node, int *host, GError **error)
{
  g_autofree char *text = plg_xml_attribute (node, "host_hash");
  guint64 hash = text != NULL ? g_ascii_strtoull (text, NULL, 16) : 0;

  for (guint i = 0; i < load->hashes->len; i++)
    if (g_array_index (load->hashes, guint64, i) == hash)
      {
        *host = (int) i;
        return TRUE;
      }
  if (load->hashes->len == MAX_HOSTS)
    return plg_xml_fail (load->xml, node, "host_hash", error,
                         _ ("The file has more than %d hosts, which no dump has."), MAX_HOSTS);
  *host = (int) load->hashes->len;
  g_array_append_val (load->hashes, hash);
  return TRUE;
}

/* A NIC of no PCI device hangs on its CPU. */
static gboolean
add_socket (Load *load, const xmlNode *node, int host, int cpu, int number, GError **error)
{
  PlgTopology *topology = load->nccl->topology;
  int card = plg_topology_add (topology, PLG_SPOT_NIC, host,
                               (guint64) 1 << 60 | (guint64) cpu << 16 | (guint) number);

  plg_topology_connect (topology, cpu, card, PLG_JOINT_PCI, 0, PLG_RATE_LOCAL);
  return add_nets (load, node, host, card, 0, error);
}

static gboolean
add_cpu (Load *load, const xmlNode *node, GError **error)
{
  g_autofree char *arch = plg_xml_attribute (node, "arch");
  g_autofree char *vendor = plg_xml_attribute (node, "vendor");
  int numa, family, model, sockets = 0;
  Cpu cpu;

  if (!check_children (load, node, error) ||
      !read_int (load, node, "numaid", load->cpus->len, &numa, error) ||
      !read_int (load, node, "familyid", 0, &family, error) ||
      !read_int (load, node, "modelid", 0, &model, error) ||
      !find_host (load, node, &cpu.host, error))
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

/* Links of GPUs */

static int
nvswitch (Load *load)
{
  if (load->switch_spot < 0)
    load->switch_spot = plg_topology_add (load->nccl->topology, PLG_SPOT_NVSWITCH, 0, 0);
  return load->switch_spot;
}

/* The CPU up the tree from SPOT. */
static int
cpu_above (const PlgTopology *topology, int spot)
{
  g_autofree PlgTopologyPath *paths = g_new (PlgTopologyPath, topology->spots->len);
  int best = -1;

  plg_topology_search (topology, spot, paths);
  for (guint i = 0; i < topology->spots->len; i++)
    if (plg_topology_spot (topology, i)->kind == PLG_SPOT_CPU && paths[i].hops > 0 &&
        (best < 0 || paths[i].hops < paths[best].hops))
      best = (int) i;
  return best;
}

static gboolean
add_link (Load *load, const xmlNode *node, PlgNcclGpu *gpu, GError **error)
{
  PlgTopology *topology = load->nccl->topology;
  g_autofree char *target = plg_xml_attribute (node, "target");
  g_autofree char *class = plg_xml_attribute (node, "tclass");
  double planned = plg_gpu_planned_link_rate (gpu->sm, gpu->gcn);
  const PlgNcclGpu *other;
  guint64 busid;
  int count;

  if (!read_int (load, node, "count", 1, &count, error))
    return FALSE;
  if (count < 1 || count > 1024)
    return fail (load, node, "count", error, _ ("a GPU has 1 or more links to another"));
  if (target == NULL || !bus_id_from_string (target, &busid))
    return fail (load, node, "target", error, _ ("write a busid as 0000:83:00.0"));
  other = gpu_of (load, gpu->host, busid);
  if (other == gpu)
    return TRUE;
  gpu->links += count;
  if (other != NULL)
    plg_topology_join (topology, gpu->spot, other->spot, PLG_JOINT_NVLINK, count,
                       (PlgRate) { count * planned, count * gpu->link });
  else if (class == NULL || g_str_has_prefix (class, "0x068000"))
    {
      gpu->is_joined = TRUE;
      plg_topology_connect (topology, gpu->spot, nvswitch (load), PLG_JOINT_NVLINK, count,
                            (PlgRate) { count * planned, count * gpu->link });
    }
  return TRUE;
}

static gboolean
add_c2c (Load *load, const xmlNode *node, const PlgNcclGpu *gpu, GError **error)
{
  int cpu = cpu_above (load->nccl->topology, gpu->spot), bandwidth, count;
  double rate;

  if (!read_int (load, node, "bw", 0, &bandwidth, error) ||
      !read_int (load, node, "count", 1, &count, error))
    return FALSE;
  rate = (double) bandwidth * count / 1000.0 * 1e9;
  if (cpu >= 0 && rate > 0.0)
    plg_topology_connect (load->nccl->topology, gpu->spot, cpu, PLG_JOINT_C2C, 0,
                          (PlgRate) { rate, rate });
  return TRUE;
}

static gboolean
add_links_of (Load *load, const xmlNode *facts, PlgNcclGpu *gpu, gboolean c2c, GError **error)
{
  for (xmlNode *node = xmlFirstElementChild ((xmlNode *) facts); node != NULL;
       node = xmlNextElementSibling (node))
    if (c2c ? plg_xml_is (node, "c2c") && !add_c2c (load, node, gpu, error)
            : (plg_xml_is (node, "nvlink") || plg_xml_is (node, "xgmi")) &&
                  !add_link (load, node, gpu, error))
      return FALSE;
  return TRUE;
}

static gboolean
add_links_below (Load *load, const xmlNode *parent, int host, gboolean c2c, GError **error)
{
  for (xmlNode *node = xmlFirstElementChild ((xmlNode *) parent); node != NULL;
       node = xmlNextElementSibling (node))
    {
      const xmlNode *facts = child (node, "gpu");
      guint64 busid = 0;
      PlgNcclGpu *gpu = NULL;

      if (!plg_xml_is (node, "pci"))
        continue;
      if (facts != NULL && read_bus_id (load, node, &busid, NULL))
        gpu = gpu_of (load, host, busid);
      if ((gpu != NULL && !add_links_of (load, facts, gpu, c2c, error)) ||
          !add_links_below (load, node, host, c2c, error))
        return FALSE;
    }
  return TRUE;
}

static gboolean
add_links (Load *load, gboolean c2c, GError **error)
{
  for (xmlNode *node = xmlFirstElementChild (plg_xml_root (load->xml)); node != NULL;
       node = xmlNextElementSibling (node))
    {
      int host;

      if (plg_xml_is (node, "cpu") && (!find_host (load, node, &host, error) ||
                                       !add_links_below (load, node, host, c2c, error)))
        return FALSE;
    }
  return TRUE;
}

static void
connect_cpus (Load *load)
{
  for (guint a = 0; a < load->cpus->len; a++)
    for (guint b = 0; b < load->cpus->len; b++)
      {
        const Cpu *from = &g_array_index (load->cpus, Cpu, a);
        const Cpu *to = &g_array_index (load->cpus, Cpu, b);
        PlgRate rate = { from->bandwidth, from->bandwidth };

        if (from->bandwidth <= 0.0)
          rate = (PlgRate) { PLG_RATE_LOCAL.planned * 0.999, 0.0 };
        if (a != b && from->host == to->host)
          plg_topology_join (load->nccl->topology, from->spot, to->spot, PLG_JOINT_SYS, 0, rate);
      }
}

/* The whole */

static gboolean
check_root (const Load *load, GError **error)
{
  const xmlNode *root = plg_xml_root (load->xml);
  int version;

  if (!read_int (load, root, "version", 1, &version, error) || !check_children (load, root, error))
    return FALSE;
  if (version != 1 && version != 2)
    return fail (load, root, "version", error, _ ("1 is NCCL's and 2 is RCCL's"));
  return TRUE;
}

static gboolean
add_cpus (Load *load, GError **error)
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
drop_strangers (Load *load)
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

static gboolean
finish (Load *load, GError **error)
{
  PlgNccl *nccl = load->nccl;

  if (!add_links (load, FALSE, error) || !add_links (load, TRUE, error))
    return FALSE;
  connect_cpus (load);
  drop_strangers (load);
  if (nccl->nets->len == 0)
    g_array_append_vals (nccl->nets, load->cards->data, load->cards->len);
  g_array_sort (nccl->gpus, compare_gpus);
  g_array_sort (nccl->nets, compare_nets);
  nccl->hosts = (int) load->hashes->len;
  if (nccl->gpus->len > 0)
    return TRUE;
  return plg_xml_fail (load->xml, plg_xml_root (load->xml), NULL, error,
                       _ ("The topology has no GPU: neither a <gpu> nor a <pci> of class 0x03."));
}

static void
load_clear (Load *load)
{
  g_clear_pointer (&load->xml, plg_xml_free);
  g_clear_pointer (&load->nccl, plg_nccl_free);
  g_hash_table_unref (load->gpu_at);
  g_array_unref (load->hashes);
  g_array_unref (load->cards);
  g_array_unref (load->cpus);
}

PlgNccl *
plg_nccl_load (PlgReading *reading, GError **error)
{
  Load load = { .reading = reading, .switch_spot = -1 };
  PlgNccl *nccl = NULL;

  load.xml = plg_xml_parse (reading->data, reading->size, error);
  load.gpu_at = g_hash_table_new (NULL, NULL);
  load.hashes = g_array_new (FALSE, FALSE, sizeof (guint64));
  load.cards = g_array_new (FALSE, FALSE, sizeof (PlgNcclNet));
  load.cpus = g_array_new (FALSE, FALSE, sizeof (Cpu));
  load.nccl = g_new0 (PlgNccl, 1);
  load.nccl->topology = plg_topology_new ();
  load.nccl->gpus = g_array_new (FALSE, FALSE, sizeof (PlgNcclGpu));
  load.nccl->nets = g_array_new (FALSE, FALSE, sizeof (PlgNcclNet));
  if (load.xml != NULL && check_root (&load, error) && add_cpus (&load, error) &&
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
