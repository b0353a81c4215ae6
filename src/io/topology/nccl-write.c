/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "io/topology/nccl-write.h"

#include "io/registry/format-private.h"
#include "io/topology/gpu-device-ids.h"
#include "io/topology/nccl-check.h"
#include "io/topology/nccl-topology.h"
#include "io/topology/nccl-defaults.h"
#include "io/topology/pcie-link.h"

#include <glib/gi18n-lib.h>
#include <math.h>

/* A tree of CPUs, switches, GPUs and NICs is found in which each way is what the map says: those of
 * one CPU (NUMA node) are nearer than SYS, those below one upper switch nearer than PHB, those
 * below one lower switch nearer than PXB. What came out is read again and compared. */

#define MAX_GPUS PLG_MAX_GPUS_PER_NODE
#define MAX_THINGS (MAX_GPUS + PLG_MAX_NODE_NICS)
/* A CPU of 2023, Sapphire Rapids, where the map says nothing (src/graph/topo.h). */
#define USUAL_SYS 22e9

typedef struct
{
  const PlgCluster *cluster;
  PlgNodeTopology map; /* with nothing unknown but bandwidths */
  gboolean bare_gpus;  /* it came from a file that left NVLinks to what NCCL finds in the machine */
  gboolean bare_nics;  /* and the ports of NICs */
  guint vendor, device;
  int sm;
  const char *gcn;
  int entities;        /* GPUs, then NICs */
  int cpu[MAX_THINGS]; /* which of those that stand together, by the first of them */
  int upper[MAX_THINGS];
  int lower[MAX_THINGS];
  int bridges; /* written so far */
  GString *out;
} Tree;

/* Groups */

static const PlgPath *
path_between (const Tree *tree, int a, int b)
{
  int gpus = tree->map.gpus;

  if (a >= gpus && b >= gpus)
    return NULL;
  if (a >= gpus)
    return plg_node_topology_to_nic (&tree->map, b, a - gpus);
  return b >= gpus ? plg_node_topology_to_nic (&tree->map, a, b - gpus)
                   : plg_node_topology_to_gpu (&tree->map, a, b);
}

static gboolean
is_over_pcie (const PlgPath *path)
{
  return path != NULL && path->type >= PLG_PATH_PIX && path->type <= PLG_PATH_SYS;
}

static void
merge (int *group, int n, int a, int b)
{
  int from = MAX (group[a], group[b]), to = MIN (group[a], group[b]);

  for (int i = 0; i < n && from != to; i++)
    if (group[i] == from)
      group[i] = to;
}

/* Puts together what is no farther than TYPE. */
static void
group_by (const Tree *tree, PlgPathType type, int *group)
{
  for (int i = 0; i < tree->entities; i++)
    group[i] = i;
  for (int a = 0; a < tree->entities; a++)
    for (int b = a + 1; b < tree->entities; b++)
      {
        const PlgPath *path = path_between (tree, a, b);

        if (is_over_pcie (path) && path->type <= type)
          merge (group, tree->entities, a, b);
      }
}

/* NVLinks do not tell where GPUs are plugged in; their NUMA nodes do. */
static void
group_cpus (Tree *tree)
{
  const int *numa = tree->map.numa;

  group_by (tree, PLG_PATH_PHB, tree->cpu);
  for (int a = 0; a < tree->map.gpus; a++)
    for (int b = a + 1; b < tree->map.gpus; b++)
      if (numa[a] == numa[b] && !is_over_pcie (path_between (tree, a, b)))
        merge (tree->cpu, tree->entities, a, b);
}

static gboolean
is_alone (const int *group, int n, int entity)
{
  int members = 0;

  for (int i = 0; i < n; i++)
    members += group[i] == group[entity];
  return members < 2;
}

/* Bandwidths */

/* The widest way from MEMBER's GROUP (or MEMBER alone, with NULL) over PCIe and no farther than
 * TYPE: its link upwards is as wide. 0: not known. */
static double
widest (const Tree *tree, const int *group, int member, PlgPathType type)
{
  double most = 0.0;

  for (int a = 0; a < tree->entities; a++)
    {
      if (group != NULL ? group[a] != group[member] : a != member)
        continue;
      for (int b = 0; b < tree->entities; b++)
        {
          const PlgPath *path = a != b ? path_between (tree, a, b) : NULL;

          if (is_over_pcie (path) && path->type <= type && path->type != PLG_PATH_P2C &&
              (group == NULL || group[b] != group[member]))
            most = MAX (most, path->bandwidth);
        }
    }
  return most;
}

/* What the plan says of a GPU's PCIe link. */
static double
usual_link (const PlgCluster *cluster)
{
  return cluster->intra == PLG_INTRA_PCIE ? cluster->intra_bandwidth : cluster->gpu.pcie_bandwidth;
}

/* Whether NCCL planned with ways of MEMBER's over PCIe, or of its GROUP's: they came from a file of
 * NCCL, and what that did not tell of them stays open. */
static gboolean
is_planned (const Tree *tree, const int *group, int member)
{
  for (int a = 0; a < tree->entities; a++)
    for (int b = 0; b < tree->entities; b++)
      {
        const PlgPath *path = a != b ? path_between (tree, a, b) : NULL;

        if ((group != NULL ? group[a] == group[member] : a == member) && is_over_pcie (path) &&
            path->planned.bandwidth > 0.0)
          return TRUE;
      }
  return FALSE;
}

/* The link of a device or switch upwards; 0: not known. Where no way to others of its CPU tells it,
 * that of the plan, and what ways to other CPUs need. */
static double
upward (const Tree *tree, const int *group, int member)
{
  double most = widest (tree, group, member, PLG_PATH_PHB), far;

  if (most > 0.0)
    return most;
  far = widest (tree, group, member, PLG_PATH_SYS);
  if (!(far > 0.0) && is_planned (tree, group, member))
    return 0.0;
  return MAX (far, usual_link (tree->cluster));
}

/* In a node without NVLinks a way to a NIC alone does not tell it: the NIC can be the slower one.
 */
static double
upward_of_gpu (const Tree *tree, int gpu)
{
  double most = upward (tree, NULL, gpu);

  for (int other = 0; other < tree->map.gpus; other++)
    {
      const PlgPath *path = plg_node_topology_to_gpu (&tree->map, gpu, other);

      if (is_over_pcie (path) && path->type <= PLG_PATH_PHB && path->bandwidth > 0.0)
        return most;
    }
  return most > 0.0 && tree->cluster->intra == PLG_INTRA_PCIE
             ? MAX (most, tree->cluster->intra_bandwidth)
             : most;
}

/* From CPU to CPU, as the map has it; 0: it does not say. */
static double
sys_bandwidth (const Tree *tree)
{
  double most = 0.0;

  for (int a = 0; a < tree->entities; a++)
    for (int b = a + 1; b < tree->entities; b++)
      {
        const PlgPath *path = path_between (tree, a, b);

        if (path != NULL && path->type == PLG_PATH_SYS)
          most = MAX (most, path->bandwidth);
      }
  return most;
}

/* Writing */

static void
indent (Tree *tree, int depth)
{
  g_string_append_printf (tree->out, "%*s", 2 * depth, "");
}

/* NCCL's words for an unknown one. */
static void
append_link (Tree *tree, double bandwidth)
{
  const char *speed = "";
  int width = 0;

  plg_pcie_link_from_stated_rate (bandwidth, &speed, &width);
  g_string_append_printf (tree->out, " link_speed=\"%s\" link_width=\"%d\"", speed, width);
}

static void
append_bridge (Tree *tree, int depth, double bandwidth)
{
  int number = tree->bridges++;

  indent (tree, depth);
  g_string_append_printf (tree->out,
                          "<pci busid=\"ffff:%02x:%02x.0\" class=\"0x060400\" vendor=\"0xffff\" "
                          "device=\"0xffff\" subsystem_vendor=\"0xffff\" "
                          "subsystem_device=\"0xffff\"",
                          number / 32, number % 32);
  append_link (tree, bandwidth);
  g_string_append (tree->out, ">\n");
}

static void
append_end (Tree *tree, int depth)
{
  indent (tree, depth);
  g_string_append (tree->out, "</pci>\n");
}

static gboolean
is_amd (const Tree *tree)
{
  return *tree->gcn != '\0';
}

static int
links_between (const Tree *tree, int a, int b)
{
  const PlgPath *path = plg_node_topology_to_gpu (&tree->map, a, b);
  double link = plg_gpu_link_rate (tree->sm, tree->gcn);

  if (path->links > 0 || !(link > 0.0))
    return path->links;
  return MAX (1, (int) round (path->bandwidth / link));
}

static void
append_nvlink (Tree *tree, const char *target, int count, const char *class)
{
  indent (tree, 6);
  g_string_append_printf (tree->out, "<%s target=\"%s\" count=\"%d\" tclass=\"%s\"/>\n",
                          is_amd (tree) ? "xgmi" : "nvlink", target, count, class);
}

/* The links of a GPU that is alone with its NVSwitches. */
static int
links_of_one (const Tree *tree)
{
  double link = plg_gpu_link_rate (tree->sm, tree->gcn);

  return link > 0.0 ? MAX (1, (int) round (tree->cluster->intra_bandwidth / link)) : 1;
}

static void
append_links (Tree *tree, int gpu)
{
  gboolean joined = tree->cluster->intra == PLG_INTRA_NVSWITCH;

  if (joined && tree->map.gpus == 1)
    append_nvlink (tree, "fffffff:ffff:ff", links_of_one (tree), "0x068000");
  for (int other = 0; other < tree->map.gpus; other++)
    {
      g_autofree char *target = g_strdup_printf ("0000:%02x:00.0", other + 1);

      if (plg_node_topology_to_gpu (&tree->map, gpu, other)->type != PLG_PATH_NVLINK)
        continue;
      if (joined)
        {
          append_nvlink (tree, "fffffff:ffff:ff", links_between (tree, gpu, other), "0x068000");
          return;
        }
      append_nvlink (tree, target, links_between (tree, gpu, other),
                     is_amd (tree) ? "0x120000" : "0x030200");
    }
}

/* Of Grace: 450 GB/s (NVIDIA, Grace Hopper data sheet). */
static void
append_c2c (Tree *tree, int gpu)
{
  gboolean has = FALSE;

  for (int nic = 0; nic < tree->map.nics; nic++)
    has = has || plg_node_topology_to_nic (&tree->map, gpu, nic)->type == PLG_PATH_P2C;
  if (!has)
    return;
  indent (tree, 6);
  g_string_append (tree->out, "<c2c bw=\"45000\" count=\"10\"/>\n");
}

static void
append_gpu_facts (Tree *tree, int gpu, int depth)
{
  indent (tree, depth);
  g_string_append_printf (tree->out, "<gpu dev=\"%d\" sm=\"%d\" rank=\"%d\" gdr=\"1\"", gpu,
                          tree->sm, gpu);
  if (is_amd (tree))
    g_string_append_printf (tree->out, " gcn=\"%s\"", tree->gcn);
  g_string_append (tree->out, ">\n");
  append_links (tree, gpu);
  append_c2c (tree, gpu);
  indent (tree, depth);
  g_string_append (tree->out, "</gpu>\n");
}

static void
append_gpu (Tree *tree, int gpu, int depth)
{
  indent (tree, depth);
  g_string_append_printf (tree->out,
                          "<pci busid=\"0000:%02x:00.0\" class=\"%s\" vendor=\"0x%04x\" "
                          "device=\"0x%04x\" subsystem_vendor=\"0x0000\" "
                          "subsystem_device=\"0x0000\"",
                          gpu + 1, is_amd (tree) ? "0x120000" : "0x030200", tree->vendor,
                          tree->device);
  append_link (tree, upward_of_gpu (tree, gpu));
  g_string_append (tree->out, ">\n");
  if (!tree->bare_gpus)
    append_gpu_facts (tree, gpu, depth + 1);
  append_end (tree, depth);
}

static void
append_net (Tree *tree, int nic, int depth)
{
  const PlgNic *card = &tree->map.card[nic];
  gboolean rdma = tree->cluster->rdma;

  indent (tree, depth);
  g_string_append_printf (tree->out,
                          "<nic><net name=\"%s\" dev=\"%d\" latency=\"0\" speed=\"%.0f\" "
                          "port=\"%d\" guid=\"0x%x\" maxconn=\"65536\" gdr=\"%d\"/></nic>\n",
                          card->name, nic, card->bandwidth * 8.0 / 1e6, rdma ? 1 : 0,
                          rdma ? nic + 1 : 0, rdma ? 1 : 0);
}

static void
append_nic (Tree *tree, int nic, int depth)
{
  indent (tree, depth);
  g_string_append_printf (tree->out,
                          "<pci busid=\"%04x:%02x:00.0\" class=\"0x020700\" vendor=\"0x0000\" "
                          "device=\"0x0000\" subsystem_vendor=\"0x0000\" "
                          "subsystem_device=\"0x0000\"",
                          1 + nic / 128, 1 + nic % 128);
  append_link (tree, upward (tree, NULL, tree->map.gpus + nic));
  g_string_append (tree->out, ">\n");
  if (!tree->bare_nics)
    append_net (tree, nic, depth + 1);
  append_end (tree, depth);
}

static void
append_thing (Tree *tree, int entity, int depth)
{
  if (entity < tree->map.gpus)
    append_gpu (tree, entity, depth);
  else
    append_nic (tree, entity - tree->map.gpus, depth);
}

/* The things of GROUP, and of those that its first of LOWER stands for. */
static void
append_lower (Tree *tree, int first, gboolean in_upper)
{
  gboolean bridge = in_upper || !is_alone (tree->lower, tree->entities, first);
  int depth = in_upper ? 3 : 2;

  if (bridge)
    append_bridge (tree, depth++, upward (tree, tree->lower, first));
  for (int i = first; i < tree->entities; i++)
    if (tree->lower[i] == tree->lower[first])
      append_thing (tree, i, depth);
  if (bridge)
    append_end (tree, depth - 1);
}

/* Whether several lower groups are below one upper switch. */
static gboolean
is_parted (const Tree *tree, int first)
{
  for (int i = first; i < tree->entities; i++)
    if (tree->upper[i] == tree->upper[first] && tree->lower[i] != tree->lower[first])
      return TRUE;
  return FALSE;
}

static void
append_upper (Tree *tree, int first)
{
  gboolean parted = is_parted (tree, first);

  if (parted)
    append_bridge (tree, 2, upward (tree, tree->upper, first));
  for (int i = first; i < tree->entities; i++)
    if (tree->upper[i] == tree->upper[first] && tree->lower[i] == i)
      append_lower (tree, i, parted);
  if (parted)
    append_end (tree, 2);
}

/* CPUs whose way to others is as wide as NCCL takes it. */
static const struct
{
  double bandwidth;
  const char *vendor;
  int family, model;
} cpus[] = {
  { 22e9, "GenuineIntel", 6, 143 }, { 10e9, "GenuineIntel", 6, 85 },
  { 40e9, "GenuineIntel", 6, 207 }, { 6e9, "GenuineIntel", 6, 79 },
  { 16e9, "AuthenticAMD", 23, 49 }, { 24e9, "AuthenticAMD", 25, 17 },
  { 32e9, "AuthenticAMD", 26, 2 },  { 9e9, "CentaurHauls", 7, 91 },
};

/* Unless the map is of another machine. */
static gboolean
is_grace (const Tree *tree, double bandwidth)
{
  double usual = plg_cpu_link_rate ("arm64", NULL, 0, 0);

  return plg_gpu_has_grace (tree->cluster->gpu.name) &&
         (!(bandwidth > 0.0) || fabs (bandwidth - usual) < 1e-3 * usual);
}

/* NCCL asks an ARM for nothing else (src/graph/topo.cc, ncclTopoAddCpu). */
static void
append_arch (Tree *tree)
{
  double found = sys_bandwidth (tree), bandwidth = found > 0.0 ? found : USUAL_SYS;
  guint best = 0;

  if (is_grace (tree, found))
    {
      g_string_append (tree->out, "arch=\"arm64\"");
      return;
    }
  for (guint i = 0; i < G_N_ELEMENTS (cpus); i++)
    if (fabs (cpus[i].bandwidth - bandwidth) < fabs (cpus[best].bandwidth - bandwidth))
      best = i;
  g_string_append_printf (tree->out, "arch=\"x86_64\" vendor=\"%s\" familyid=\"%d\" modelid=\"%d\"",
                          cpus[best].vendor, cpus[best].family, cpus[best].model);
}

static void
append_cpu (Tree *tree, int first, int number)
{
  g_string_append_printf (tree->out, "  <cpu numaid=\"%d\" affinity=\"\" ", number);
  append_arch (tree);
  g_string_append (tree->out, ">\n");
  for (int i = first; i < tree->entities; i++)
    if (tree->cpu[i] == tree->cpu[first] && tree->upper[i] == i)
      append_upper (tree, i);
  g_string_append (tree->out, "  </cpu>\n");
}

static int
number_of_cpu (const Tree *tree, int first, int next)
{
  for (int i = first; i < tree->map.gpus; i++)
    if (tree->cpu[i] == tree->cpu[first] && tree->map.numa[i] >= 0)
      return tree->map.numa[i];
  return next;
}

static void
append_system (Tree *tree)
{
  int number = 0;

  g_string_append_printf (tree->out, "<system version=\"%d\">\n", is_amd (tree) ? 2 : 1);
  for (int i = 0; i < tree->entities; i++)
    if (tree->cpu[i] == i)
      append_cpu (tree, i, number_of_cpu (tree, i, number++));
  g_string_append (tree->out, "</system>\n");
}

/* The file is of one node, and stands for all of them. */
static gboolean
is_healthy (const PlgCluster *cluster, GError **error)
{
  if (cluster->n_faults == 0)
    return TRUE;
  g_set_error (error, PLG_FORMAT_ERROR, PLG_FORMAT_ERROR_CONTENT,
               _ ("NCCL's file is of one node that is like all others, and parts of the plan are "
                  "slow or broken (%d). Clear cluster.faults; a plan file (XML) keeps them."),
               cluster->n_faults);
  return FALSE;
}

static gboolean
find_gpu (Tree *tree, GError **error)
{
  const PlgCluster *cluster = tree->cluster;

  tree->gcn = "";
  tree->sm = 80;
  if (plg_gpu_get_device_ids (cluster->gpu.name, &tree->vendor, &tree->device, &tree->sm,
                              &tree->gcn) ||
      cluster->intra == PLG_INTRA_PCIE)
    return TRUE;
  g_set_error (error, PLG_FORMAT_ERROR, PLG_FORMAT_ERROR_CONTENT,
               _ ("NCCL's file names a GPU's compute capability, and that of %s is not known; "
                  "choose a GPU of the catalogue."),
               cluster->gpu.title);
  return FALSE;
}

/* Of clouds' files, where nobody gave their NICs names or speeds since. */
static void
find_gaps (Tree *tree, const PlgNodeTopology *from)
{
  int open = 0;

  for (int i = 0; i < from->nics; i++)
    open += *from->card[i].name == '\0' && !(from->card[i].bandwidth > 0.0) &&
            plg_node_topology_to_nic (from, 0, i)->planned.bandwidth > 0.0;
  tree->bare_gpus = plg_nccl_overlay_bare (&tree->map, from);
  tree->bare_nics = open > 0 && open == from->nics && tree->cluster->rdma;
}

static void
make_map (Tree *tree, const PlgNodeTopology *from)
{
  plg_nccl_usual_map (&tree->map, tree->cluster, from, plg_gpu_link_rate (tree->sm, tree->gcn));
  if (!plg_node_topology_is_empty (from))
    {
      plg_nccl_overlay_map (&tree->map, from);
      find_gaps (tree, from);
    }
  tree->entities = tree->map.gpus + tree->map.nics;
}

static GBytes *
write_tree (Tree *tree, const PlgNodeTopology *map, GError **error)
{
  gboolean sound;

  if (!is_healthy (tree->cluster, error) || !find_gpu (tree, error))
    return NULL;
  make_map (tree, map);
  tree->out = g_string_new (NULL);
  group_by (tree, PLG_PATH_PIX, tree->lower);
  group_by (tree, PLG_PATH_PXB, tree->upper);
  group_cpus (tree);
  append_system (tree);
  sound = plg_nccl_check_again (tree->out, &tree->map, error);
  plg_node_topology_clear (&tree->map);
  if (sound)
    return g_string_free_to_bytes (tree->out);
  g_string_free (tree->out, TRUE);
  return NULL;
}

GBytes *
plg_nccl_write (const PlgExportContext *export, GError **error)
{
  const PlgPlan *plan = export->plan;
  g_autofree Tree *tree = g_new0 (Tree, 1);
  PlgCluster cluster;
  PlgNodeTopology map;
  GBytes *bytes;

  tree->cluster = &plan->cluster;
  if (plg_cluster_hosts_per_node (&plan->cluster) == 1)
    return write_tree (tree, &plan->node_topology, error);
  plg_nccl_host_of_plan (plan, &cluster, &map);
  tree->cluster = &cluster;
  bytes = write_tree (tree, &map, error);
  plg_node_topology_clear (&map);
  return bytes;
}
