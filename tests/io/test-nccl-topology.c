/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "io/topology/nccl-topology.h"
#include "nccl-files.h"
#include "plan/plan-check.h"
#include "plan/fault.h"
#include "plan/settings/setting.h"

/* The expected paths follow NCCL's src/graph/paths.cc, topo.cc and topo.h. */

static PlgNcclTopology *
load (const char *text)
{
  g_autoptr (PlgCatalogue) catalogue = plg_catalogue_load (NULL);
  g_autoptr (GError) error = NULL;
  g_auto (PlgImportContext) context = { 0 };
  PlgNcclTopology *nccl;

  plg_import_init (&context, text, strlen (text), NULL, catalogue);
  nccl = plg_nccl_topology_read (&context, 1, &error);
  g_assert_no_error (error);
  return nccl;
}

static const struct
{
  const char *name, *text;
  int from, to; /* GPU to GPU, or to NIC 100 + n */
  PlgPathType type;
  double planned, stated; /* GB/s */
} paths[] = {
  /* NCCL plans with 20 GB/s of an NVLink 3, 24 of PCIe 4 x16, 12 of PCIe 3, 10 from CPU to CPU. */
  { "two links", mixed, 0, 1, PLG_PATH_NVLINK, 40, 50 },
  { "through a GPU", mixed, 0, 2, PLG_PATH_NVB, 20, 25 },
  { "no path beyond two GPUs", mixed, 0, 3, PLG_PATH_SYS, 10, 0 },
  { "one link", mixed, 1, 2, PLG_PATH_NVLINK, 20, 25 },
  { "switch before CPUs", mixed, 2, 3, PLG_PATH_PIX, 12, 0 },
  { "same switch", mixed, 0, 100, PLG_PATH_PIX, 24, 31.5 },
  { "other CPU", mixed, 0, 101, PLG_PATH_SYS, 10, 10 },
  { "two switches", mixed, 2, 101, PLG_PATH_PXB, 12, 15.75 },
  /* 18 x 20.6; C2C of 447 GB/s, and the NIC's PCIe 5 x16. */
  { "over switches", grace, 0, 1, PLG_PATH_NVLINK, 370.8, 450 },
  { "over C2C", grace, 0, 100, PLG_PATH_P2C, 25, 63 },
  { "over C2C and CPUs", grace, 1, 100, PLG_PATH_SYS, 6, 6 },
  { "xGMI", fabric, 0, 1, PLG_PATH_NVLINK, 48, 64 },
};

static void
test_path (gconstpointer data)
{
  guint i = GPOINTER_TO_UINT (data);
  g_autoptr (PlgNcclTopology) nccl = load (paths[i].text);
  g_autofree PlgTopologyPath *found = g_new (PlgTopologyPath, nccl->topology->vertices->len);
  gboolean net = paths[i].to >= 100;
  int to = net ? g_array_index (nccl->nets, PlgNcclNet, paths[i].to - 100).vertex
               : g_array_index (nccl->gpus, PlgNcclGpu, paths[i].to).vertex;
  double planned;

  plg_topology_graph_find_paths (nccl->topology,
                                 g_array_index (nccl->gpus, PlgNcclGpu, paths[i].from).vertex,
                                 found);
  g_assert_cmpstr (plg_path_code (found[to].type), ==, plg_path_code (paths[i].type));
  /* NCCL's path includes the NIC, here with 25 GB/s. */
  planned = net ? MIN (paths[i].planned, 25) : paths[i].planned;
  g_assert_cmpfloat_with_epsilon (found[to].rate.planned / 1e9, planned, 1e-9);
  if (!net)
    g_assert_cmpfloat_with_epsilon (found[to].rate.stated / 1e9, paths[i].stated, 1e-9);
}

static const struct
{
  const char *name, *text;
  const char *becomes[8];
  const char *notes[3];
} plans[] = {
  { "mixed",
    mixed,
    { "cluster.gpu=a100-sxm-80", "cluster.gpus-per-node=4", "cluster.nics-per-node=2",
      "cluster.intra=pcie", "cluster.inter-bandwidth=12.5", "cluster.rdma=true" },
    { "ignores this GPU", "the most common GPU with this architecture", "only some of the GPUs" } },
  { "grace",
    grace,
    { "cluster.gpus-per-node=2", "cluster.intra=nvswitch", "cluster.intra-bandwidth=450",
      "cluster.multicast=true", "cluster.nics-per-node=1" },
    { "NCCL assumes a lower rate" } },
  { "fabric",
    fabric,
    { "cluster.gpu=mi300x-192", "cluster.intra=mesh", "cluster.intra-bandwidth=64",
      "cluster.multicast=false" },
    { "PCI ids", "Direct links", "lists no NICs" } },
  { "cloud",
    "<system version='1'><cpu numaid='0' arch='x86_64' vendor='AuthenticAMD' familyid='143'>"
    "<pci busid='ffff:ff:01.0' class='0x060400'><pci busid='0001:00:00.0' class='0x030200'/>"
    "<pci busid='0101:00:00.0' class='0x020700'/></pci></cpu></system>",
    { "cluster.gpus-per-node=1", "cluster.nics-per-node=1", "cluster.intra=nvswitch",
      "cluster.inter-bandwidth=50" },
    { "does not identify the GPU", "lists no NVLinks; NCCL detects them",
      "does not give the rate of the NICs" } },
  /* clang-format off */
  { "two hosts",
  "<system version='1'>"
    "<cpu host_hash='0xa' numaid='0' arch='x86_64'>"
      DEVICE ("0000:01:00.0", "32.0 GT/s PCIe")
        "<gpu dev='0' sm='90' rank='0'>"
          JOINED ("18") "</gpu></pci></cpu>"
    "<cpu host_hash='0xb' numaid='0' arch='x86_64'>"
      DEVICE ("0000:01:00.0", "16.0 GT/s PCIe")
        "<gpu dev='0' sm='90' rank='1'>"
          JOINED ("18") "</gpu></pci></cpu></system>",
    { "cluster.nodes=2", "cluster.gpus-per-node=1" },
    { "lists no NICs" } },
  { "sockets, and one NIC too far",
  "<system version='1'>"
    CPU ("0")
      "<pci busid='0000:01:00.0' class='0x030000' vendor='0x10de' device='0x26b9' link_speed='16 GT/s' link_width='16'>"
        "<gpu dev='0' sm='89' rank='0'/></pci>"
      "<nic>"
        "<net name='eth0' dev='0' speed='-1'/></nic></cpu>"
    CPU ("1")
      "<nic>"
        "<net name='eth1' dev='1' speed='100000'/></nic></cpu></system>",
    { "cluster.gpu=l40s-48", "cluster.nics-per-node=1", "cluster.rdma=false",
      "cluster.intra=pcie" },
    { "not the nearest NIC of any GPU: 1.", "sockets", "the rate of the NICs" } },
  /* clang-format on */
};

static void
test_plan (gconstpointer data)
{
  guint i = GPOINTER_TO_UINT (data);
  g_autoptr (GError) error = NULL;
  g_autoptr (PlgImportResult) read = import_nccl (plans[i].text, &error);
  g_autofree char *notes = NULL;

  g_assert_no_error (error);
  g_assert_cmpstr (read->format->name, ==, "nccl-topology");
  notes = plg_import_result_text (read, ~0u);
  for (int j = 0; j < 8 && plans[i].becomes[j] != NULL; j++)
    {
      g_auto (GStrv) pair = g_strsplit (plans[i].becomes[j], "=", 2);
      g_autofree char *value = plg_setting_get (plg_setting_find (pair[0]), read->plan);

      if (!g_str_equal (value, pair[1]))
        g_error ("%s is %s, not %s\n%s", pair[0], value, pair[1], notes);
    }
  for (int j = 0; j < 3 && plans[i].notes[j] != NULL; j++)
    if (strstr (notes, plans[i].notes[j]) == NULL)
      g_error ("“%s” is not in\n%s", plans[i].notes[j], notes);
}

static void
test_map (void)
{
  g_autoptr (PlgImportResult) read = import_nccl (mixed, NULL);
  const PlgNodeTopology *map = &read->plan->node_topology;

  g_assert_cmpint (map->gpus, ==, 4);
  g_assert_cmpint (map->nics, ==, 2);
  g_assert_cmpint (plg_node_topology_to_gpu (map, 0, 1)->links, ==, 2);
  g_assert_cmpint (plg_node_topology_to_gpu (map, 0, 3)->type, ==, PLG_PATH_SYS);
  g_assert_cmpint (map->numa[3], ==, 1);
  g_assert_cmpstr (map->card[1].name, ==, "mlx5_1");
  g_assert_cmpfloat (map->card[1].bandwidth, ==, 25e9);
  g_assert_cmpfloat (plg_node_topology_to_nic (map, 0, 0)->bandwidth, ==, 31.5e9);
}

#define SYSTEM(content) "<system version='1'>\n" CPU ("0") "\n" content "\n</cpu></system>"

static const struct
{
  const char *name, *text, *says;
} wrong[] = {
  { "version", "<system version='3'/>", "1:9: version of <system> is “3”" },
  { "version is not a number", "<system version='one'/>", "write a whole number" },
  { "empty", "<system version='1'/>", "1:1: The topology has no <cpu>" },
  { "no GPU", SYSTEM (""), "1:1: The topology has no GPU" },
  { "cut off", "<system version='1'><cpu numaid='0'>", "topo.xml:1:" },
  { "no bus id", SYSTEM ("<pci class='0x030200'/>"), "3:1: busid of <pci> is “”" },
  { "bus id is not a number", SYSTEM ("<pci busid='first'/>"), "3:6: busid of <pci> is “first”" },
  { "bus id too long", SYSTEM ("<pci busid='00000000:00000:000.0'/>"), "3:6: busid" },
  { "bus id twice",
    SYSTEM ("<pci busid='0000:01:00.0' class='0x030200'/>\n"
            "<pci busid='0000:01:00.0' class='0x030200'/>"),
    "4:6: Line 3 already has a GPU with the same busid" },
  { "lanes", SYSTEM ("<pci busid='0000:01:00.0' class='0x030200' link_width='999'/>"),
    "link_width of <pci> is “999”" },
  { "lanes are not a number", SYSTEM ("<pci busid='0000:01:00.0' link_width='wide'/>"), "“wide”" },
  { "10^30", SYSTEM ("<pci busid='0000:01:00.0'><gpu sm='1000000000000000000000000000000'/></pci>"),
    "sm of <gpu>" },
  { "no links",
    SYSTEM ("<pci busid='0000:01:00.0'><gpu sm='90'><nvlink target='0:0' count='0'/></gpu></pci>"),
    "count of <nvlink> is “0”" },
  { "links to nowhere",
    SYSTEM ("<pci busid='0000:01:00.0'><gpu sm='90'><nvlink count='1'/></gpu></pci>"),
    "target of <nvlink> is “”" },
  { "a host without GPUs",
    "<system version='1'><cpu host_hash='1' numaid='0'><pci busid='0:1:0.0' class='0x03'/></cpu>\n"
    "<cpu host_hash='2' numaid='0'></cpu></system>",
    "Host 1 in the file has no GPU, but host 0 has 1. Remove the host without a GPU" },
  { "entities", "<!DOCTYPE system [<!ENTITY a 'b'>]><system version='1'/>", "DOCTYPE" },
  { "binary", "<system version='1'>\x01\x02</system>", "topo.xml:1:" },
};

static void
test_wrong (gconstpointer data)
{
  guint i = GPOINTER_TO_UINT (data);
  g_autoptr (GError) error = NULL;
  g_autoptr (PlgImportResult) read = import_nccl (wrong[i].text, &error);

  g_assert_null (read);
  g_assert_nonnull (error);
  if (strstr (error->message, wrong[i].says) == NULL)
    g_error ("“%s” does not contain “%s”", error->message, wrong[i].says);
}

/* Files with several hosts; the nodes of the plan follow most of them. */

#define GPU_OF(busid, dev, count)                                                            \
  "<pci busid='" busid "' class='0x030200' link_speed='32.0 GT/s PCIe' link_width='16'>"     \
  "<gpu dev='" dev "' sm='90' rank='" dev "'><nvlink target='fffffff:ffff:ff' count='" count \
  "' tclass='0x068000'/></gpu></pci>"
#define NIC_OF(busid, dev, speed)                                                        \
  "<pci busid='" busid "' class='0x020700' link_speed='32.0 GT/s PCIe' link_width='16'>" \
  "<nic><net name='mlx5_" dev "' dev='" dev "' speed='" speed                            \
  "' port='1' guid='0x1' maxconn='131072' gdr='1'/></nic></pci>"
#define BELOW(busid, inside) "<pci busid='" busid "' class='0x060400'>" inside "</pci>"
#define HOST(first, second)                                                           \
  "<cpu host_hash='%d' numaid='0' affinity='ff' arch='x86_64' vendor='GenuineIntel' " \
  "familyid='6' modelid='143'>" BELOW ("0000:01:00.0", first)                         \
      BELOW ("0000:05:00.0", second) "</cpu>\n"
#define FIRST GPU_OF ("0000:02:00.0", "0", "18") NIC_OF ("0000:03:00.0", "0", "400000")
#define SECOND GPU_OF ("0000:06:00.0", "1", "18") NIC_OF ("0000:07:00.0", "1", "400000")

static const char whole[] = HOST (FIRST, SECOND);
static const char slow_nic[] = HOST (FIRST,
                                     GPU_OF ("0000:06:00.0", "1", "18")
                                         NIC_OF ("0000:07:00.0", "1", "200000"));
static const char no_nic[] = HOST (GPU_OF ("0000:02:00.0", "0", "18"), SECOND);
static const char few_links[] = HOST (FIRST,
                                      GPU_OF ("0000:06:00.0", "1", "9")
                                          NIC_OF ("0000:07:00.0", "1", "400000"));
/* The NIC is on a line of its own and is the third of the host. */
static const char late_nic[] = HOST (FIRST,
                                     "\n" GPU_OF ("0000:06:00.0",
                                                  "1",
                                                  "18") "\n" NIC_OF ("0000:07:00.0",
                                                                     "1",
                                                                     "200000"));
static const char no_gpu[] = HOST (FIRST, NIC_OF ("0000:07:00.0", "1", "400000"));
static const char other_gpu[] = HOST (GPU_OF ("0000:12:00.0", "0", "18")
                                          NIC_OF ("0000:03:00.0", "0", "400000"),
                                      NIC_OF ("0000:07:00.0", "1", "400000"));
static const char fast_nic[] = HOST (FIRST,
                                     GPU_OF ("0000:06:00.0", "1", "18")
                                         NIC_OF ("0000:07:00.0", "1", "800000"));
static const char no_nics[] = HOST (GPU_OF ("0000:02:00.0", "0", "18"),
                                    GPU_OF ("0000:06:00.0", "1", "18"));
static const char far_nic[] = HOST (GPU_OF ("0000:02:00.0", "0", "18"),
                                    SECOND NIC_OF ("0000:08:00.0", "0", "400000"));

static const struct
{
  const char *name;
  const char *hosts[6];
  const char *faults;
  const char *notes[4];
  const char *error;
} fleets[] = {
  { "alike", { whole, whole, whole, whole }, "", { "!Host" }, NULL },
  { "a slow NIC on the third",
    { whole, whole, slow_nic, whole },
    "nic:2.1=0.5",
    { ":4: Host 2: NIC 1 (mlx5_1) has 50 % of the rate that it has on host 0.",
      "Parts that are missing or slower" },
    NULL },
  { "a slow NIC on the first",
    { slow_nic, whole, whole, whole },
    "nic:0.1=0.5",
    { ":2: Host 0: NIC 1 (mlx5_1) has 50 % of the rate that it has on host 1." },
    NULL },
  { "a NIC is missing on the first",
    { no_nic, whole, whole, whole },
    "nic:0.0=0",
    { ":2: Host 0: NIC 0 (mlx5_0) is missing, but host 1 has it." },
    NULL },
  { "one of two hosts lacks a NIC", { no_nic, whole }, "nic:0.0=0", { "Host 0: NIC 0" }, NULL },
  { "two of four hosts lack a device",
    { whole, no_nic, whole, few_links },
    "nic:1.0=0,port:7=0.5",
    { ":3: Host 1: NIC 0", ":5: Host 3: the port of GPU 1 has 50 %" },
    NULL },
  { "a faster NIC",
    { whole, fast_nic, whole },
    "",
    { ":3: Host 1: NIC 1 (mlx5_1) is 100 GB/s, but 50 GB/s on host 0. The difference is ignored" },
    NULL },
  { "no NIC at all", { whole, no_nics }, "", { ":3: The file lists no NICs for host 1" }, NULL },
  { "a NIC in another place",
    { whole, whole, far_nic },
    "",
    { ":4: Host 2: GPU 0 to NIC 0 is P" },
    NULL },
  { "a GPU is missing",
    { no_gpu, whole, whole },
    "",
    { ":2: Host 0: GPU 1 (bus id 0000:06:00.0), which host 1 has, is missing. All nodes in a "
      "plan have the same number of GPUs, so this GPU is assumed to be present." },
    NULL },
  { "a GPU is missing on another kind of board",
    { whole, other_gpu, whole },
    "",
    { ":3: Host 1 lacks 1 of the 2 GPUs of host 0." },
    NULL },
  { "most have fewer GPUs",
    { no_gpu, whole, no_gpu },
    NULL,
    { NULL },
    ":3: Host 1 in the file has 2 GPUs, more than host 0 and most others, which have 1." },
  { "an error has its own line",
    { whole, late_nic, whole },
    "nic:1.1=0.5",
    { ":5: Host 1: NIC 1 (mlx5_1) has 50 %", ":5: Faults: nic:1.1=0.5" },
    NULL },
  { "several errors have no line",
    { whole, late_nic, whole, few_links, whole },
    "nic:1.1=0.5,port:7=0.5",
    { ":5: Host 1: NIC 1", ":7: Host 3: the port of GPU 1",
      "topo.xml: Faults: nic:1.1=0.5,port:7=0.5" },
    NULL },
};

static void
test_several_hosts (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (fleets); i++)
    {
      g_autoptr (GString) text = g_string_new ("<system version='1'>\n");
      g_autoptr (GError) error = NULL;
      g_autoptr (PlgImportResult) read = NULL;
      g_autofree char *faults = NULL;
      g_autofree char *notes = NULL;

      g_test_message ("%s", fleets[i].name);
      for (int host = 0; fleets[i].hosts[host] != NULL; host++)
        {
          g_auto (GStrv) halves = g_strsplit (fleets[i].hosts[host], "%d", 2);

          g_string_append_printf (text, "%s%d%s", halves[0], host + 1, halves[1]);
        }
      g_string_append (text, "</system>");
      read = import_nccl (text->str, &error);
      if (fleets[i].error != NULL)
        {
          g_assert_nonnull (strstr (error->message, fleets[i].error));
          continue;
        }
      g_assert_no_error (error);
      g_assert_true (plg_plan_check (read->plan, NULL));
      faults = plg_faults_to_string (&read->plan->cluster);
      g_assert_cmpstr (faults, ==, fleets[i].faults);
      g_assert_cmpint (read->plan->cluster.nics_per_node, ==, 2);
      g_assert_cmpfloat (read->plan->cluster.inter_bandwidth, ==, 50e9);
      notes = plg_import_result_text (read, ~0u);
      for (int j = 0; fleets[i].notes[j] != NULL; j++)
        {
          gboolean wanted = *fleets[i].notes[j] != '!';

          if ((strstr (notes, fleets[i].notes[j] + !wanted) != NULL) != wanted)
            g_error ("“%s”: %s", fleets[i].notes[j], notes);
        }
    }
}

/* The name of a NIC is only text in pictures and files. */
static void
test_hostile_names (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (PlgImportResult)
                 read = import_nccl (SYSTEM ("<pci busid='0000:01:00.0' class='0x030200'/>"
                                             "<nic><net name='$(reboot)' dev='0' "
                                             "speed='100000'/></nic>"),
                                     &error);

  g_assert_no_error (error);
  g_assert_cmpint (read->plan->node_topology.nics, ==, 1);
  g_assert_cmpstr (read->plan->node_topology.card[0].name, ==, "");
}

/* Appends a host with GPUS GPUs of PCI device number DEVICE, joined by NVSwitches outside of the
 * host. */
static void
append_tray (GString *text, int host, const char *device, int gpus)
{
  for (int i = 0; i < gpus; i++)
    g_string_append_printf (
        text,
        "<cpu host_hash='0x%d' numaid='%d' arch='arm64' vendor='ARM'>"
        "<pci busid='000%d:01:00.0' class='0x030200' vendor='0x10de' device='%s' "
        "link_speed='32.0 GT/s PCIe' link_width='16'><gpu dev='%d' sm='100' rank='%d'>"
        "<nvlink target='fffffff:ff:ff.0' count='18' tclass='0x068000'/></gpu></pci>"
        "<pci busid='000%d:03:00.0' class='0x020700' link_speed='32.0 GT/s PCIe' link_width='16'>"
        "<nic><net name='mlx5_%d' dev='%d' speed='400000' guid='0x%d%d'/></nic></pci></cpu>\n",
        host + 1, i, i, device, i, gpus * host + i, i, i, i, host + 1, i);
}

/* The plan's file has the whole map. */
static void
assert_kept (const PlgPlan *plan)
{
  g_autoptr (PlgCatalogue) catalogue = plg_catalogue_load (NULL);
  g_autoptr (GError) error = NULL;
  g_autoptr (GBytes) bytes = plg_format_write (plg_format_find ("xml"),
                                               &(PlgExportContext) { .plan = plan }, &error);
  g_autoptr (PlgImportResult) read = NULL;

  g_assert_no_error (error);
  read = plg_format_read (bytes, "f", NULL, catalogue, &error);
  g_assert_no_error (error);
  g_assert_true (plg_node_topology_equal (&read->plan->node_topology, &plan->node_topology));
  g_assert_true (plg_cluster_equal (&read->plan->cluster, &plan->cluster));
}

/* NCCL has one NVSwitch per file: trays of a rack become one node, and hosts with their own
 * switches stay nodes. */
static void
test_trays (void)
{
  static const struct
  {
    const char *device;
    int trays, gpus, last; /* numbers of trays, of GPUs per tray, and of GPUs of the last tray */
    int gpus_per_node, gpus_per_host;
    const char *note;
  } rows[] = { { "0x2941", 2, 4, 4, 8, 4, "the plan has 8 nodes" },
               { "0x2941", 18, 4, 4, 72, 4, "trays of one rack" },
               { "0x2941", 3, 2, 2, 6, 2, "trays of one rack" },
               { "0x2941", 2, 4, 3, 7, 0, "The trays have 3 to 4 GPUs," },
               { "0x2941", 19, 4, 4, 4, 0, "The catalogue has no rack with such trays" },
               { "0x2330", 2, 4, 4, 4, 0, "The catalogue has no rack with such trays" } };

  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_autoptr (GString) text = g_string_new ("<system version='1'>");
      g_autoptr (PlgImportResult) read = NULL;
      g_autoptr (GError) error = NULL;
      const PlgNodeTopology *map;
      gboolean joined = rows[i].gpus_per_node > rows[i].gpus;
      g_autofree char *notes = NULL;

      for (int j = 0; j < rows[i].trays; j++)
        append_tray (text, j, rows[i].device, j + 1 < rows[i].trays ? rows[i].gpus : rows[i].last);
      g_string_append (text, "</system>");
      read = import_nccl (text->str, &error);
      g_assert_no_error (error);
      notes = plg_import_result_text (read, ~0u);
      map = &read->plan->node_topology;
      g_assert_cmpint (read->plan->cluster.gpus_per_node, ==, rows[i].gpus_per_node);
      g_assert_cmpint (read->plan->cluster.gpus_per_host, ==, rows[i].gpus_per_host);
      g_assert_nonnull (strstr (notes, rows[i].note));
      g_assert_cmpint (map->gpus, ==, rows[i].gpus_per_node);
      g_assert_cmpstr (plg_path_code (plg_node_topology_to_gpu (map, 0, map->gpus - 1)->type), ==,
                       "NV");
      g_assert_true ((strstr (notes, "trays of one rack") != NULL) == joined);
      assert_kept (read->plan);
    }
}

/* The file of one tray keeps the racks of an open plan with the same GPUs, and replaces the node of
 * any other plan. */
static void
test_tray_of_open_rack (void)
{
  static const struct
  {
    const char *node, *device;
    int gpus_per_node, gpus_per_host;
  } rows[] = { { "cluster.node=gb200-nvl72", "0x2941", 72, 4 },
               { "cluster.node=gb300-nvl72", "0x31c2", 72, 4 },
               { "cluster.node=gb200-nvl72", "0x31c2", 4, 0 } };
  g_autoptr (PlgCatalogue) catalogue = plg_catalogue_load (NULL);

  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      const char *const settings[] = { rows[i].node,
                                       "cluster.nodes=2",
                                       "parallelism.tp=8",
                                       "parallelism.pp=2",
                                       "parallelism.dp=9",
                                       "training.global-batch=144",
                                       NULL };
      g_autoptr (PlgPlan) plan = plg_catalogue_default_plan (catalogue);
      g_autoptr (GString) text = g_string_new ("<system version='1'>");
      g_autoptr (GBytes) bytes = NULL;
      g_autoptr (PlgImportResult) read = NULL;
      g_autoptr (GError) error = NULL;

      plg_settings_apply (plan, catalogue, settings, &error);
      g_assert_no_error (error);
      append_tray (text, 0, rows[i].device, 4);
      g_string_append (text, "</system>");
      bytes = g_bytes_new (text->str, text->len);
      read = plg_format_read (bytes, "topo.xml", plan, catalogue, &error);
      g_assert_no_error (error);
      g_assert_cmpint (read->plan->cluster.nodes, ==, 2);
      g_assert_cmpint (read->plan->cluster.gpus_per_node, ==, rows[i].gpus_per_node);
      g_assert_cmpint (read->plan->cluster.gpus_per_host, ==, rows[i].gpus_per_host);
      if (rows[i].gpus_per_host > 0)
        g_assert_cmpint (read->plan->parallelism.degree[PLG_AXIS_TP], ==, 8);
    }
}

/* 640 GPUs exceed a plan's node, and as many children exceed NCCL's limit. */
static void
test_large (void)
{
  static const struct
  {
    int devices;
    const char *says;
  } rows[] = { { 600, "a plan allows at most 128 per node" }, { 700, "more than 640 elements" } };

  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      GString *text = g_string_new ("<system version='1'><cpu numaid='0'>");
      g_autoptr (GError) error = NULL;

      for (int j = 0; j < rows[i].devices; j++)
        g_string_append_printf (text, "<pci busid='%04x:00:00.0' class='0x030200'/>", j);
      g_string_append (text, "</cpu></system>");
      g_assert_null (import_nccl (text->str, &error));
      g_assert_nonnull (strstr (error->message, rows[i].says));
      g_string_free (text, TRUE);
    }
}

/* A note reports numbers of GPUs that differ from those in the plan. */
static void
test_numbers (void)
{
  static const char gpu[] = "<pci busid='0000:%02x:00.0' class='0x030200'><gpu dev='%d' sm='90' "
                            "rank='%d'/></pci>\n";
  static const struct
  {
    int devs[3];
    const char *says;
  } rows[] = {
    { { 0, 1, 2 }, NULL },
    { { 2, 1, 0 }, NULL },
    { { 1, 3, 5 },
      "2: GPU 1 in the file becomes GPU 0 here, because numbers start at 0 and have "
      "no gaps." },
    { { 0, 1, 1 }, "4: Line 3 also has a GPU with number 1" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      GString *text = g_string_new ("<system version='1'><cpu numaid='0' arch='x86_64'>\n");
      g_autoptr (GError) error = NULL;
      g_autoptr (PlgImportResult) read = NULL;
      g_autofree char *notes = NULL;

      for (int j = 0; j < 3; j++)
        g_string_append_printf (text, gpu, j + 1, rows[i].devs[j], j);
      g_string_append (text, "</cpu></system>");
      read = import_nccl (text->str, &error);
      g_assert_no_error (error);
      notes = plg_import_result_text (read, ~0u);
      if (rows[i].says != NULL)
        g_assert_nonnull (strstr (notes, rows[i].says));
      else
        g_assert_null (strstr (notes, " in the file becomes GPU "));
      g_string_free (text, TRUE);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/nccl-topology/several-hosts", test_several_hosts);
  for (guint i = 0; i < G_N_ELEMENTS (paths); i++)
    {
      g_autofree char *path = g_strdup_printf ("/nccl-topology/path/%s", paths[i].name);

      g_test_add_data_func (path, GUINT_TO_POINTER (i), test_path);
    }
  for (guint i = 0; i < G_N_ELEMENTS (plans); i++)
    {
      g_autofree char *path = g_strdup_printf ("/nccl-topology/plan/%s", plans[i].name);

      g_test_add_data_func (path, GUINT_TO_POINTER (i), test_plan);
    }
  for (guint i = 0; i < G_N_ELEMENTS (wrong); i++)
    {
      g_autofree char *path = g_strdup_printf ("/nccl-topology/wrong/%s", wrong[i].name);

      g_test_add_data_func (path, GUINT_TO_POINTER (i), test_wrong);
    }
  g_test_add_func ("/nccl-topology/map", test_map);
  g_test_add_func ("/nccl-topology/numbers", test_numbers);
  g_test_add_func ("/nccl-topology/hostile-names", test_hostile_names);
  g_test_add_func ("/nccl-topology/trays", test_trays);
  g_test_add_func ("/nccl-topology/tray-of-open-rack", test_tray_of_open_rack);
  g_test_add_func ("/nccl-topology/large", test_large);
  return g_test_run ();
}
