/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine/evaluate.h"
#include "io/plan/catalogue-xml.h"
#include "io/registry/registry.h"

#include <string.h>

/* The paths of all pairs by NCCL's rules (src/graph/paths.cc, topo.cc, topo.h) in eight machines
 * with public topologies. The files here have only the data that the rules read; the tables were
 * computed from the published topologies. */

#define PCIE3 "link_speed='8 GT/s' link_width='16'"
#define PCIE4 "link_speed='16 GT/s' link_width='16'"
#define PCIE5 "link_speed='32.0 GT/s PCIe' link_width='16'"
#define UNSAID "link_speed='' link_width='0'"
#define INTEL(model) "vendor='GenuineIntel' familyid='6' modelid='" #model "'"
#define AMD(model) "vendor='AuthenticAMD' familyid='23' modelid='" #model "'"
#define MOST 8

/* The element inside the device of a GPU. */
typedef enum
{
  PARTIAL, /* empty, as in files from clouds */
  BARE,    /* a <gpu> without links */
  SWITCHED,
  MESHED,
  LINKED_TO_ITSELF,
} Links;

typedef struct
{
  const char *name, *cpu, *speed;
  Links links;
  /* The devices below each CPU: "[" and "]" enclose the devices below a switch, "G" is a GPU, "N" a
   * NIC without a <net>, "M" and "F" NICs of 400 and 100 Gb/s, "E" a network without a device, 10
   * Gb/s. "F" without a switch has no device either. */
  const char *layout[MOST];
  /* The paths from each GPU to all GPUs and to all NICs, with GB/s. */
  const char *paths[MOST + 1];
} Machine;

static const Machine machines[] = {
  /* Amazon p4d.24xlarge, topology of aws/aws-ofi-nccl. */
  { "p4d",
    INTEL (85),
    PCIE3,
    PARTIAL,
    { "[GGN][GGN]", "[GGN][GGN]" },
    {
        "X PIX:12 PHB:12 PHB:12 SYS:10 SYS:10 SYS:10 SYS:10 | PIX:12 PHB:12 SYS:10 SYS:10",
        "PIX:12 X PHB:12 PHB:12 SYS:10 SYS:10 SYS:10 SYS:10 | PIX:12 PHB:12 SYS:10 SYS:10",
        "PHB:12 PHB:12 X PIX:12 SYS:10 SYS:10 SYS:10 SYS:10 | PHB:12 PIX:12 SYS:10 SYS:10",
        "PHB:12 PHB:12 PIX:12 X SYS:10 SYS:10 SYS:10 SYS:10 | PHB:12 PIX:12 SYS:10 SYS:10",
        "SYS:10 SYS:10 SYS:10 SYS:10 X PIX:12 PHB:12 PHB:12 | SYS:10 SYS:10 PIX:12 PHB:12",
        "SYS:10 SYS:10 SYS:10 SYS:10 PIX:12 X PHB:12 PHB:12 | SYS:10 SYS:10 PIX:12 PHB:12",
        "SYS:10 SYS:10 SYS:10 SYS:10 PHB:12 PHB:12 X PIX:12 | SYS:10 SYS:10 PHB:12 PIX:12",
        "SYS:10 SYS:10 SYS:10 SYS:10 PHB:12 PHB:12 PIX:12 X | SYS:10 SYS:10 PHB:12 PIX:12",
    } },
  /* HGX H200, a dump of NCCL. */
  { "hgx-h200",
    INTEL (207),
    PCIE5,
    SWITCHED,
    { "[G]E[G][G][G]", "[G]E[G][G][G]" },
    {
        "X NV:370.8 NV:370.8 NV:370.8 NV:370.8 NV:370.8 NV:370.8 NV:370.8 | PHB:1.25",
        "NV:370.8 X NV:370.8 NV:370.8 NV:370.8 NV:370.8 NV:370.8 NV:370.8 | PHB:1.25",
        "NV:370.8 NV:370.8 X NV:370.8 NV:370.8 NV:370.8 NV:370.8 NV:370.8 | PHB:1.25",
        "NV:370.8 NV:370.8 NV:370.8 X NV:370.8 NV:370.8 NV:370.8 NV:370.8 | PHB:1.25",
        "NV:370.8 NV:370.8 NV:370.8 NV:370.8 X NV:370.8 NV:370.8 NV:370.8 | SYS:1.25",
        "NV:370.8 NV:370.8 NV:370.8 NV:370.8 NV:370.8 X NV:370.8 NV:370.8 | SYS:1.25",
        "NV:370.8 NV:370.8 NV:370.8 NV:370.8 NV:370.8 NV:370.8 X NV:370.8 | SYS:1.25",
        "NV:370.8 NV:370.8 NV:370.8 NV:370.8 NV:370.8 NV:370.8 NV:370.8 X | SYS:1.25",
    } },
  /* Azure NC A100 v4, topology of Azure/azhpc-images. */
  { "ncv4",
    AMD (175),
    UNSAID,
    LINKED_TO_ITSELF,
    { "GF", "G", "G", "G" },
    {
        "X SYS:12 SYS:12 SYS:12 | PHB:12",
        "SYS:12 X SYS:12 SYS:12 | SYS:12",
        "SYS:12 SYS:12 X SYS:12 | SYS:12",
        "SYS:12 SYS:12 SYS:12 X | SYS:12",
    } },
  /* Azure NDv2, the same. */
  { "ndv2",
    INTEL (85),
    PCIE4,
    PARTIAL,
    { "GGGGN", "GGGG" },
    {
        "X PHB:24 PHB:24 PHB:24 SYS:10 SYS:10 SYS:10 SYS:10 | PHB:24",
        "PHB:24 X PHB:24 PHB:24 SYS:10 SYS:10 SYS:10 SYS:10 | PHB:24",
        "PHB:24 PHB:24 X PHB:24 SYS:10 SYS:10 SYS:10 SYS:10 | PHB:24",
        "PHB:24 PHB:24 PHB:24 X SYS:10 SYS:10 SYS:10 SYS:10 | PHB:24",
        "SYS:10 SYS:10 SYS:10 SYS:10 X PHB:24 PHB:24 PHB:24 | SYS:10",
        "SYS:10 SYS:10 SYS:10 SYS:10 PHB:24 X PHB:24 PHB:24 | SYS:10",
        "SYS:10 SYS:10 SYS:10 SYS:10 PHB:24 PHB:24 X PHB:24 | SYS:10",
        "SYS:10 SYS:10 SYS:10 SYS:10 PHB:24 PHB:24 PHB:24 X | SYS:10",
    } },
  /* Azure ND A100 v4, the same. */
  { "ndv4",
    AMD (49),
    PCIE4,
    PARTIAL,
    { "[GNGN]", "[GNGN]", "[GNGN]", "[GNGN]" },
    {
        "X PIX:24 SYS:16 SYS:16 SYS:16 SYS:16 SYS:16 SYS:16 | PIX:24 PIX:24 SYS:16 SYS:16 SYS:16 "
        "SYS:16 SYS:16 SYS:16",
        "PIX:24 X SYS:16 SYS:16 SYS:16 SYS:16 SYS:16 SYS:16 | PIX:24 PIX:24 SYS:16 SYS:16 SYS:16 "
        "SYS:16 SYS:16 SYS:16",
        "SYS:16 SYS:16 X PIX:24 SYS:16 SYS:16 SYS:16 SYS:16 | SYS:16 SYS:16 PIX:24 PIX:24 SYS:16 "
        "SYS:16 SYS:16 SYS:16",
        "SYS:16 SYS:16 PIX:24 X SYS:16 SYS:16 SYS:16 SYS:16 | SYS:16 SYS:16 PIX:24 PIX:24 SYS:16 "
        "SYS:16 SYS:16 SYS:16",
        "SYS:16 SYS:16 SYS:16 SYS:16 X PIX:24 SYS:16 SYS:16 | SYS:16 SYS:16 SYS:16 SYS:16 PIX:24 "
        "PIX:24 SYS:16 SYS:16",
        "SYS:16 SYS:16 SYS:16 SYS:16 PIX:24 X SYS:16 SYS:16 | SYS:16 SYS:16 SYS:16 SYS:16 PIX:24 "
        "PIX:24 SYS:16 SYS:16",
        "SYS:16 SYS:16 SYS:16 SYS:16 SYS:16 SYS:16 X PIX:24 | SYS:16 SYS:16 SYS:16 SYS:16 SYS:16 "
        "SYS:16 PIX:24 PIX:24",
        "SYS:16 SYS:16 SYS:16 SYS:16 SYS:16 SYS:16 PIX:24 X | SYS:16 SYS:16 SYS:16 SYS:16 SYS:16 "
        "SYS:16 PIX:24 PIX:24",
    } },
  /* Azure ND H100 v5, the same. */
  { "ndv5",
    INTEL (143),
    PCIE5,
    PARTIAL,
    { "[GN][GN][GN][GN]", "[GN][GN][GN][GN]" },
    {
        "X PHB:48 PHB:48 PHB:48 SYS:22 SYS:22 SYS:22 SYS:22 | PIX:48 PHB:48 PHB:48 PHB:48 SYS:22 "
        "SYS:22 SYS:22 SYS:22",
        "PHB:48 X PHB:48 PHB:48 SYS:22 SYS:22 SYS:22 SYS:22 | PHB:48 PIX:48 PHB:48 PHB:48 SYS:22 "
        "SYS:22 SYS:22 SYS:22",
        "PHB:48 PHB:48 X PHB:48 SYS:22 SYS:22 SYS:22 SYS:22 | PHB:48 PHB:48 PIX:48 PHB:48 SYS:22 "
        "SYS:22 SYS:22 SYS:22",
        "PHB:48 PHB:48 PHB:48 X SYS:22 SYS:22 SYS:22 SYS:22 | PHB:48 PHB:48 PHB:48 PIX:48 SYS:22 "
        "SYS:22 SYS:22 SYS:22",
        "SYS:22 SYS:22 SYS:22 SYS:22 X PHB:48 PHB:48 PHB:48 | SYS:22 SYS:22 SYS:22 SYS:22 PIX:48 "
        "PHB:48 PHB:48 PHB:48",
        "SYS:22 SYS:22 SYS:22 SYS:22 PHB:48 X PHB:48 PHB:48 | SYS:22 SYS:22 SYS:22 SYS:22 PHB:48 "
        "PIX:48 PHB:48 PHB:48",
        "SYS:22 SYS:22 SYS:22 SYS:22 PHB:48 PHB:48 X PHB:48 | SYS:22 SYS:22 SYS:22 SYS:22 PHB:48 "
        "PHB:48 PIX:48 PHB:48",
        "SYS:22 SYS:22 SYS:22 SYS:22 PHB:48 PHB:48 PHB:48 X | SYS:22 SYS:22 SYS:22 SYS:22 PHB:48 "
        "PHB:48 PHB:48 PIX:48",
    } },
  /* Eight MI300X, ROCm/rccl, tools/topo_expl/models. */
  { "mi300x",
    INTEL (143),
    PCIE5,
    MESHED,
    { "[[[G]]M][[[G]]M][[[G]]M][[[G]]M]", "[[[G]]M][[[G]]M][[[G]]M][[[G]]M]" },
    {
        "X NV:48 NV:48 NV:48 NV:48 NV:48 NV:48 NV:48 | PXB:48 PHB:48 PHB:48 PHB:48 SYS:22 SYS:22 "
        "SYS:22 SYS:22",
        "NV:48 X NV:48 NV:48 NV:48 NV:48 NV:48 NV:48 | PHB:48 PXB:48 PHB:48 PHB:48 SYS:22 SYS:22 "
        "SYS:22 SYS:22",
        "NV:48 NV:48 X NV:48 NV:48 NV:48 NV:48 NV:48 | PHB:48 PHB:48 PXB:48 PHB:48 SYS:22 SYS:22 "
        "SYS:22 SYS:22",
        "NV:48 NV:48 NV:48 X NV:48 NV:48 NV:48 NV:48 | PHB:48 PHB:48 PHB:48 PXB:48 SYS:22 SYS:22 "
        "SYS:22 SYS:22",
        "NV:48 NV:48 NV:48 NV:48 X NV:48 NV:48 NV:48 | SYS:22 SYS:22 SYS:22 SYS:22 PXB:48 PHB:48 "
        "PHB:48 PHB:48",
        "NV:48 NV:48 NV:48 NV:48 NV:48 X NV:48 NV:48 | SYS:22 SYS:22 SYS:22 SYS:22 PHB:48 PXB:48 "
        "PHB:48 PHB:48",
        "NV:48 NV:48 NV:48 NV:48 NV:48 NV:48 X NV:48 | SYS:22 SYS:22 SYS:22 SYS:22 PHB:48 PHB:48 "
        "PXB:48 PHB:48",
        "NV:48 NV:48 NV:48 NV:48 NV:48 NV:48 NV:48 X | SYS:22 SYS:22 SYS:22 SYS:22 PHB:48 PHB:48 "
        "PHB:48 PXB:48",
    } },
  /* Eight GPUs over PCIe, the same. */
  { "8-pcie",
    INTEL (85),
    PCIE3,
    BARE,
    { "[[G][G][G][G]F][[G][G][G][G]]" },
    {
        "X PXB:12 PXB:12 PXB:12 PHB:12 PHB:12 PHB:12 PHB:12 | PXB:12",
        "PXB:12 X PXB:12 PXB:12 PHB:12 PHB:12 PHB:12 PHB:12 | PXB:12",
        "PXB:12 PXB:12 X PXB:12 PHB:12 PHB:12 PHB:12 PHB:12 | PXB:12",
        "PXB:12 PXB:12 PXB:12 X PHB:12 PHB:12 PHB:12 PHB:12 | PXB:12",
        "PHB:12 PHB:12 PHB:12 PHB:12 X PXB:12 PXB:12 PXB:12 | PHB:12",
        "PHB:12 PHB:12 PHB:12 PHB:12 PXB:12 X PXB:12 PXB:12 | PHB:12",
        "PHB:12 PHB:12 PHB:12 PHB:12 PXB:12 PXB:12 X PXB:12 | PHB:12",
        "PHB:12 PHB:12 PHB:12 PHB:12 PXB:12 PXB:12 PXB:12 X | PHB:12",
    } },
};

/* A file being written. */
typedef struct
{
  const Machine *machine;
  GString *out;
  int gpus, nets, bridges, depth;
} File;

static int
count_gpus (const Machine *machine)
{
  int gpus = 0;

  for (int i = 0; i < MOST && machine->layout[i] != NULL; i++)
    for (const char *p = machine->layout[i]; *p != '\0'; p++)
      gpus += *p == 'G';
  return gpus;
}

static void
append_links (File *file, int gpu)
{
  const Machine *machine = file->machine;

  if (machine->links == SWITCHED)
    g_string_append (file->out, "<nvlink target='0000:c5:00.0' count='10' tclass='0x068000'/>"
                                "<nvlink target='0000:c4:00.0' count='8' tclass='0x068000'/>");
  else if (machine->links == LINKED_TO_ITSELF)
    g_string_append_printf (file->out,
                            "<nvlink target='0000:%02x:00.0' count='12' tclass='0x030200'/>",
                            gpu + 1);
  for (int other = 0; machine->links == MESHED && other < count_gpus (machine); other++)
    if (other != gpu)
      g_string_append_printf (file->out,
                              "<xgmi target='0000:%02x:00.0' count='1' tclass='0x120000'/>",
                              other + 1);
}

static void
append_gpu (File *file)
{
  static const char *const kinds[] = { [BARE] = "sm='64' gcn='906'",
                                       [SWITCHED] = "sm='90'",
                                       [MESHED] = "sm='304' gcn='gfx942'",
                                       [LINKED_TO_ITSELF] = "sm='80'" };
  Links links = file->machine->links;
  int gpu = file->gpus++;

  g_string_append_printf (file->out, "<pci busid='0000:%02x:00.0' class='0x030200' %s>", gpu + 1,
                          file->machine->speed);
  if (links != PARTIAL)
    {
      g_string_append_printf (file->out, "<gpu dev='%d' rank='%d' %s>", gpu, gpu, kinds[links]);
      append_links (file, gpu);
      g_string_append (file->out, "</gpu>");
    }
  g_string_append (file->out, "</pci>\n");
}

static void
append_nic (File *file, char kind)
{
  int mbps = kind == 'M' ? 400000 : kind == 'F' ? 100000 : 10000;
  gboolean device = kind == 'N' || kind == 'M' || (kind == 'F' && file->depth > 0);
  /* A network without a device is listed below each CPU but is one network. */
  int net = kind == 'E' ? 0 : file->nets++;

  if (device)
    g_string_append_printf (file->out, "<pci busid='0001:%02x:00.0' class='0x020700' %s>", net + 1,
                            file->machine->speed);
  if (kind != 'N')
    g_string_append_printf (file->out,
                            "<nic><net name='net%d' dev='%d' speed='%d' port='%d'/></nic>", net,
                            net, mbps, device);
  g_string_append (file->out, device ? "</pci>\n" : "\n");
}

static void
append_sign (File *file, char sign)
{
  switch (sign)
    {
    case '[':
      file->depth++;
      g_string_append_printf (file->out, "<pci busid='ffff:ff:%02x.0' class='0x060400' %s>\n",
                              ++file->bridges, file->machine->speed);
      break;
    case ']':
      file->depth--;
      g_string_append (file->out, "</pci>\n");
      break;
    case 'G':
      append_gpu (file);
      break;
    default:
      append_nic (file, sign);
    }
}

static GBytes *
write_file (const Machine *machine)
{
  File file = { machine, g_string_new (NULL), 0, 0, 0, 0 };

  g_string_append_printf (file.out, "<system version='%d'>\n", machine->links == MESHED ? 2 : 1);
  for (int cpu = 0; cpu < MOST && machine->layout[cpu] != NULL; cpu++)
    {
      g_string_append_printf (file.out, "<cpu numaid='%d' arch='x86_64' %s>\n", cpu, machine->cpu);
      for (const char *p = machine->layout[cpu]; *p != '\0'; p++)
        append_sign (&file, *p);
      g_string_append (file.out, "</cpu>\n");
    }
  g_string_append (file.out, "</system>\n");
  return g_string_free_to_bytes (file.out);
}

static PlgImportResult *
read_file (const Machine *machine)
{
  g_autoptr (PlgCatalogue) catalogue = plg_catalogue_load (NULL);
  g_autoptr (GBytes) bytes = write_file (machine);
  g_autoptr (GError) error = NULL;
  PlgImportResult *read = plg_format_read (bytes, "topo.xml", NULL, catalogue, &error);

  g_assert_no_error (error);
  return read;
}

/* Asserts that PATHS equal WANTED, such as "PIX:48 SYS:22". */
static void
assert_row (const PlgPath *paths, int n, const char *wanted)
{
  g_auto (GStrv) words = g_strsplit (wanted, " ", -1);

  g_assert_cmpint (n, ==, g_strv_length (words));
  for (int i = 0; i < n; i++)
    {
      PlgPath path;

      g_assert_true (plg_path_from_string (&path, words[i]));
      g_assert_cmpstr (plg_path_code (paths[i].planned.type), ==, plg_path_code (path.type));
      g_assert_cmpfloat_with_epsilon (paths[i].planned.bandwidth, path.bandwidth, 1.0);
    }
}

static void
test_paths (gconstpointer data)
{
  const Machine *machine = data;
  g_autoptr (PlgImportResult) read = read_file (machine);
  const PlgNodeTopology *map = &read->plan->node_topology;

  g_assert_cmpint (map->gpus, ==, count_gpus (machine));
  for (int gpu = 0; gpu < map->gpus; gpu++)
    {
      g_auto (GStrv) halves = g_strsplit (machine->paths[gpu], " | ", 2);

      assert_row (plg_node_topology_to_gpu (map, gpu, 0), map->gpus, halves[0]);
      assert_row (plg_node_topology_to_nic (map, gpu, 0), map->nics, halves[1]);
    }
}

/* Files from clouds omit existing links: the file's paths are added to the links, and the
 * preview shows both. */
static void
test_partial (void)
{
  g_autoptr (PlgImportResult) read = read_file (&machines[0]);
  g_autofree char *notes = plg_import_result_text (read, ~0u);
  const PlgPath *path = plg_node_topology_to_gpu (&read->plan->node_topology, 0, 1);

  g_assert_cmpint (path->type, ==, PLG_PATH_UNKNOWN);
  g_assert_cmpint (read->plan->cluster.intra, ==, PLG_INTRA_NVSWITCH);
  g_assert_nonnull (strstr (notes, "in addition to the paths between GPUs in the file"));
  g_assert_nonnull (strstr (notes, "NCCL assumes these paths between GPUs: 8 × PIX 12\u00a0GB/s, "
                                   "16 × PHB 12\u00a0GB/s, 32 × SYS 10\u00a0GB/s."));
  g_assert_nonnull (strstr (notes, "NCCL assumes these paths between GPUs and NICs: 8 × PIX "
                                   "12\u00a0GB/s, 8 × PHB 12\u00a0GB/s, 16 × SYS 10\u00a0GB/s."));
}

/* The plan stores the paths and writes them for other programs. */
static void
test_kept (void)
{
  g_autoptr (PlgCatalogue) catalogue = plg_catalogue_load (NULL);
  g_autoptr (PlgImportResult) read = read_file (&machines[0]);
  g_autoptr (PlgReport) report = plg_evaluate (read->plan, PLG_EVALUATE_LINKS, NULL);
  PlgExportContext export = { .plan = read->plan, .report = report };
  g_autoptr (GBytes) xml = plg_format_write (plg_format_find ("xml"), &export, NULL);
  g_autoptr (GBytes) json = plg_format_write (plg_format_find ("json"), &export, NULL);
  g_autoptr (PlgImportResult) again = plg_format_read (xml, "a.xml", NULL, catalogue, NULL);

  g_assert_true (plg_node_topology_equal (&again->plan->node_topology, &read->plan->node_topology));
  g_assert_nonnull (g_strstr_len (g_bytes_get_data (json, NULL), g_bytes_get_size (json),
                                  "{\"path\": \"?\", \"links\": null, \"bandwidth\": null, "
                                  "\"nccl_path\": \"PIX\", \"nccl_bandwidth\": 12000000000}"));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (machines); i++)
    {
      g_autofree char *path = g_strdup_printf ("/nccl-paths/%s", machines[i].name);

      g_test_add_data_func (path, &machines[i], test_paths);
    }
  g_test_add_func ("/nccl-paths/partial", test_partial);
  g_test_add_func ("/nccl-paths/kept", test_kept);
  return g_test_run ();
}
