/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "nccl-files.h"
#include "plan/fault.h"
#include "plan/settings/setting.h"

/* What is written for NCCL reads as the same map; what is not known may become known. */

static void
assert_same_ways (const PlgPath *wanted, const PlgPath *read, int n)
{
  for (int i = 0; i < n; i++)
    if (wanted[i].type != PLG_PATH_UNKNOWN)
      {
        g_assert_cmpstr (plg_path_code (read[i].type), ==, plg_path_code (wanted[i].type));
        if (wanted[i].bandwidth > 0 && read[i].bandwidth > 0)
          g_assert_cmpfloat_with_epsilon (read[i].bandwidth, wanted[i].bandwidth,
                                          1e-3 * wanted[i].bandwidth);
      }
}

static GBytes *
write_plan (const PlgPlan *plan, GError **error)
{
  const PlgExportContext export = { .plan = plan };

  return plg_format_write (plg_format_find ("nccl-topology"), &export, error);
}

static void
assert_round_trip (const PlgPlan *plan)
{
  g_autoptr (PlgCatalogue) catalogue = plg_catalogue_load (NULL);
  g_autoptr (GError) error = NULL;
  g_autoptr (GBytes) bytes = write_plan (plan, &error);
  g_autoptr (PlgImportResult) read = NULL;
  const PlgNodeTopology *map = &plan->node_topology, *again;

  g_assert_no_error (error);
  read = plg_format_read (bytes, "out.xml", plan, catalogue, &error);
  g_assert_no_error (error);
  again = &read->plan->node_topology;
  g_assert_cmpint (again->gpus, ==, plan->cluster.gpus_per_node);
  g_assert_cmpint (again->nics, ==, plan->cluster.nics_per_node);
  g_assert_cmpint (read->plan->cluster.intra, ==, plan->cluster.intra);
  g_assert_cmpstr (read->plan->cluster.gpu.name, ==, plan->cluster.gpu.name);
  g_assert_cmpfloat_with_epsilon (read->plan->cluster.intra_bandwidth,
                                  plan->cluster.intra_bandwidth,
                                  1e-3 * plan->cluster.intra_bandwidth);
  g_assert_cmpfloat_with_epsilon (read->plan->cluster.inter_bandwidth,
                                  plan->cluster.inter_bandwidth,
                                  1e-3 * plan->cluster.inter_bandwidth);
  assert_same_ways (map->gpu, again->gpu, map->gpus * map->gpus);
  assert_same_ways (map->nic, again->nic, map->gpus * map->nics);
  for (int i = 0; i < map->nics; i++)
    g_assert_true (*map->card[i].name == '\0' ||
                   g_str_equal (map->card[i].name, again->card[i].name));
}

static void
test_round_trip_of_nodes (void)
{
  static const char *const nodes[] = { "hgx-h100", "hgx-h200", "hgx-b200",      "dgx-a100",
                                       "hgx-h800", "dgx-2",    "h100-pcie-box", "pcie-box" };
  g_autoptr (PlgCatalogue) catalogue = plg_catalogue_load (NULL);

  for (guint i = 0; i < G_N_ELEMENTS (nodes); i++)
    {
      g_autoptr (PlgPlan) plan = plg_catalogue_default_plan (catalogue);
      g_autofree char *node = g_strdup_printf ("cluster.node=%s", nodes[i]);
      const char *const settings[] = { node, "training.precision=fp16", NULL };

      g_assert_true (plg_settings_apply (plan, catalogue, settings, NULL));
      assert_round_trip (plan);
    }
}

/* The node of the catalogue, whose GPUs are not all joined, is written as it is; ways through other
 * GPUs are what NCCL finds where the driver says none. */
static void
test_cube_mesh (void)
{
  g_autoptr (PlgCatalogue) catalogue = plg_catalogue_load (NULL);
  g_autoptr (PlgPlan) plan = plg_catalogue_default_plan (catalogue);
  const char *const settings[] = { "cluster.node=dgx-1-v100", "training.precision=fp16", NULL };
  g_autoptr (PlgImportResult) read = NULL;
  g_autoptr (GBytes) bytes = NULL;
  const PlgNodeTopology *map = &plan->node_topology;
  int joined = 0;

  g_assert_true (plg_settings_apply (plan, catalogue, settings, NULL));
  bytes = write_plan (plan, NULL);
  read = plg_format_read (bytes, "out.xml", plan, catalogue, NULL);
  g_assert_nonnull (read);
  for (int a = 0; a < 8; a++)
    for (int b = a + 1; b < 8; b++)
      {
        const PlgPath *wanted = plg_node_topology_to_gpu (map, a, b);
        const PlgPath *again = plg_node_topology_to_gpu (&read->plan->node_topology, a, b);

        g_assert_cmpint (again->type, ==, wanted->links > 0 ? PLG_PATH_NVLINK : PLG_PATH_NVB);
        if (wanted->links > 0)
          g_assert_cmpint (again->links, ==, wanted->links);
        joined += wanted->links > 0;
      }
  g_assert_cmpint (joined, ==, 16);
  assert_same_ways (map->nic, read->plan->node_topology.nic, map->gpus * map->nics);
}

/* One GPU has no other to be joined to, and its links stay what they are. */
static void
test_one_gpu (void)
{
  static const char *const nodes[] = { "cluster.node=hgx-h100", "cluster.node=mi300x-node" };
  g_autoptr (PlgCatalogue) catalogue = plg_catalogue_load (NULL);

  for (guint i = 0; i < G_N_ELEMENTS (nodes); i++)
    {
      g_autoptr (PlgPlan) plan = plg_catalogue_default_plan (catalogue);
      g_autoptr (PlgPlan) other = plg_catalogue_default_plan (catalogue);
      const char *const settings[] = { nodes[i], "cluster.gpus-per-node=1", "parallelism.tp=1",
                                       "parallelism.pp=1", NULL };
      g_autoptr (GBytes) bytes = NULL;
      g_autoptr (PlgImportResult) read = NULL;

      g_assert_true (plg_settings_apply (plan, catalogue, settings, NULL));
      assert_round_trip (plan);
      bytes = write_plan (plan, NULL);
      read = plg_format_read (bytes, "out.xml", other, catalogue, NULL);
      g_assert_cmpint (read->plan->cluster.intra, ==, plan->cluster.intra);
      g_assert_cmpfloat (read->plan->cluster.intra_bandwidth, ==, plan->cluster.intra_bandwidth);
      g_assert_cmpint (read->plan->cluster.multicast, ==, plan->cluster.multicast);
    }
}

/* NCCL reads what is in a host: of a rack, a tray. */
static void
test_one_tray (void)
{
  g_autoptr (PlgCatalogue) catalogue = plg_catalogue_load (NULL);
  g_autoptr (PlgPlan) plan = plg_catalogue_default_plan (catalogue);
  g_autoptr (PlgPlan) tray = plg_catalogue_default_plan (catalogue);
  g_autoptr (GBytes) bytes = NULL, same = NULL;

  g_assert_true (plg_settings_apply (plan, catalogue,
                                     (const char *const[]) { "cluster.node=gb200-nvl72",
                                                             "parallelism.tp=4", "parallelism.pp=1",
                                                             "training.global-batch=144", NULL },
                                     NULL));
  g_assert_true (plg_settings_apply (tray, catalogue,
                                     (const char *const[]) { "cluster.node=gb200-nvl72-tray",
                                                             "parallelism.tp=4", NULL },
                                     NULL));
  bytes = write_plan (plan, NULL);
  same = write_plan (tray, NULL);
  g_assert_nonnull (bytes);
  g_assert_true (g_bytes_equal (bytes, same));
}

/* The file of a tray, read into the plan that it is of, leaves its racks; another one's does not.
 */
static void
test_racks_again (void)
{
  static const struct
  {
    const char *node, *file;
    int nodes, gpus, of_host;
  } rows[] = { { "gb200-nvl72", "gb200-nvl72", 2, 72, 4 },
               { "gb300-nvl72", "gb300-nvl72", 2, 72, 4 },
               { "gb200-nvl72", "gb300-nvl72", 2, 4, 0 } };
  g_autoptr (PlgCatalogue) catalogue = plg_catalogue_load (NULL);

  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_autoptr (PlgPlan) plan = plg_catalogue_default_plan (catalogue);
      g_autoptr (PlgPlan) from = plg_catalogue_default_plan (catalogue);
      g_autofree char *node = g_strconcat ("cluster.node=", rows[i].node, NULL);
      g_autofree char *file = g_strconcat ("cluster.node=", rows[i].file, NULL);
      const char *settings[] = { node,
                                 "cluster.nodes=2",
                                 "parallelism.tp=8",
                                 "parallelism.pp=2",
                                 "parallelism.dp=9",
                                 "training.global-batch=144",
                                 NULL };
      g_autoptr (GBytes) bytes = NULL, again = NULL;
      g_autoptr (PlgImportResult) read = NULL;
      g_autoptr (GError) error = NULL;
      const char *text;
      gsize size;

      g_assert_true (plg_settings_apply (plan, catalogue, settings, &error));
      settings[0] = file;
      g_assert_true (plg_settings_apply (from, catalogue, settings, &error));
      bytes = write_plan (from, NULL);
      text = g_bytes_get_data (bytes, &size);
      g_assert_nonnull (g_strstr_len (text, size, " arch=\"arm64\">"));
      g_assert_null (g_strstr_len (text, size, "x86_64"));
      read = plg_format_read (bytes, "f", plan, catalogue, &error);
      g_assert_no_error (error);
      g_assert_cmpint (read->plan->cluster.nodes, ==, rows[i].nodes);
      g_assert_cmpint (read->plan->cluster.gpus_per_node, ==, rows[i].gpus);
      g_assert_cmpint (read->plan->cluster.gpus_per_host, ==, rows[i].of_host);
      if (rows[i].of_host == 0)
        continue;
      g_assert_cmpint (read->plan->parallelism.degree[PLG_AXIS_TP], ==, 8);
      g_assert_cmpint (read->plan->parallelism.degree[PLG_AXIS_DP], ==, 9);
      again = write_plan (read->plan, NULL);
      g_assert_true (g_bytes_equal (bytes, again));
    }
}

static void
test_round_trip_of_files (void)
{
  static const char *const files[] = { mixed, grace, fabric };

  for (guint i = 0; i < G_N_ELEMENTS (files); i++)
    {
      g_autoptr (PlgImportResult) read = import_nccl (files[i], NULL);

      assert_round_trip (read->plan);
    }
}

/* What a file leaves open stays open: the plan is the same for who has none yet. */
static void
test_same_plan (void)
{
  static const char *const files[] = { mixed, grace, slow_switches, older_nic, cloud, virtual };
  g_autoptr (PlgCatalogue) catalogue = plg_catalogue_load (NULL);

  for (guint i = 0; i < G_N_ELEMENTS (files); i++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (PlgImportResult) first = import_nccl (files[i], &error), second = NULL;
      g_autoptr (GBytes) bytes = NULL;

      g_assert_no_error (error);
      bytes = write_plan (first->plan, &error);
      g_assert_no_error (error);
      second = plg_format_read (bytes, "out.xml", NULL, catalogue, &error);
      g_assert_no_error (error);
      if (!plg_plan_same_design (first->plan, second->plan))
        g_error ("file %u: not the same plan, of %s", i,
                 (const char *) g_bytes_get_data (bytes, NULL));
    }
}

/* GPUs of one CPU, of which the driver does not print the number, and the NICs of the plan. */
static void
test_driver_without_numbers (void)
{
  static const char driver[] = "\tGPU0\tGPU1\tCPU Affinity\n"
                               "GPU0\t X \tPHB\t0-7\n"
                               "GPU1\tPHB\t X \t0-7\n";
  g_autoptr (PlgCatalogue) catalogue = plg_catalogue_load (NULL);
  g_autoptr (GBytes) text = g_bytes_new_static (driver, strlen (driver)), bytes = NULL;
  g_autoptr (GError) error = NULL;
  g_autoptr (PlgImportResult) smi = plg_format_read (text, "topo.txt", NULL, catalogue, &error);

  g_assert_no_error (error);
  bytes = write_plan (smi->plan, &error);
  g_assert_no_error (error);
}

/* NCCL's own limits (src/graph/xml.h): 255 bytes a value, 16 attributes, 640 children. */
static void
test_limits_of_nccl (void)
{
  g_autoptr (PlgCatalogue) catalogue = plg_catalogue_load (NULL);
  g_autoptr (PlgPlan) plan = plg_catalogue_default_plan (catalogue);
  const char *const settings[] = { "cluster.gpus-per-node=128", "cluster.nics-per-node=512",
                                   "cluster.nodes=1",           "parallelism.tp=8",
                                   "parallelism.pp=4",          NULL };
  g_autoptr (GError) error = NULL;
  g_autoptr (GBytes) bytes = NULL;

  g_assert_true (plg_settings_apply (plan, catalogue, settings, &error));
  bytes = write_plan (plan, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (g_bytes_get_size (bytes), <, 1 << 20);
}

/* What such a file cannot say is not written otherwise. */
static void
test_what_nccl_cannot_say (void)
{
  g_autoptr (PlgImportResult) read = import_nccl (mixed, NULL);
  g_autoptr (GError) error = NULL;

  plg_node_topology_set_pair (&read->plan->node_topology, 0, 3, (PlgPath) { .type = PLG_PATH_PIX });
  g_assert_null (write_plan (read->plan, &error));
  g_assert_error (error, PLG_FORMAT_ERROR, PLG_FORMAT_ERROR_CONTENT);
  g_assert_nonnull (strstr (error->message, "would be"));
}

/* A GPU of Frontier has three and a half links for seven others. */
static void
test_part_of_a_link (void)
{
  g_autoptr (PlgCatalogue) catalogue = plg_catalogue_load (NULL);
  g_autoptr (PlgPlan) plan = plg_catalogue_default_plan (catalogue);
  const char *const settings[] = { "cluster.node=frontier", NULL };
  g_autoptr (GError) error = NULL;

  g_assert_true (plg_settings_apply (plan, catalogue, settings, &error));
  g_assert_null (write_plan (plan, &error));
  g_assert_error (error, PLG_FORMAT_ERROR, PLG_FORMAT_ERROR_CONTENT);
  g_assert_nonnull (strstr (error->message, "in the plan, which shares the links"));
  g_assert_nonnull (strstr (error->message, "NCCL's file has whole links"));
}

/* A DGX-1, as its driver prints it: NCCL goes through a third GPU where no link joins two, and the
 * file says so. */
static void
test_roundabout (void)
{
  static const char driver[] = "\tGPU0\tGPU1\tGPU2\tGPU3\tCPU Affinity\n"
                               "GPU0\t X \tNV1\tNV2\tSYS\t0-19\n"
                               "GPU1\tNV1\t X \tSYS\tNV2\t0-19\n"
                               "GPU2\tNV2\tSYS\t X \tNV1\t20-39\n"
                               "GPU3\tSYS\tNV2\tNV1\t X \t20-39\n";
  g_autoptr (PlgCatalogue) catalogue = plg_catalogue_load (NULL);
  g_autoptr (PlgPlan) plan = plg_catalogue_default_plan (catalogue);
  g_autoptr (GBytes) text = g_bytes_new_static (driver, strlen (driver)), bytes = NULL;
  g_autoptr (PlgImportResult) smi = NULL, read = NULL;
  g_autoptr (GError) error = NULL;
  const char *const settings[] = { "cluster.node=dgx-1-v100", "training.precision=fp16", NULL };

  g_assert_true (plg_settings_apply (plan, catalogue, settings, NULL));
  smi = plg_format_read (text, "topo.txt", plan, catalogue, &error);
  g_assert_no_error (error);
  bytes = write_plan (smi->plan, &error);
  g_assert_no_error (error);
  g_assert_true (g_str_has_prefix (g_bytes_get_data (bytes, NULL), "<!-- "));
  g_assert_nonnull (g_strstr_len (g_bytes_get_data (bytes, NULL), 250,
                                  "GPU 0 and GPU 3 and others, 2 in all"));
  read = plg_format_read (bytes, "out.xml", smi->plan, catalogue, &error);
  g_assert_no_error (error);
  g_assert_cmpint (plg_node_topology_to_gpu (&read->plan->node_topology, 0, 2)->links, ==, 2);
  g_assert_cmpint (plg_node_topology_to_gpu (&read->plan->node_topology, 0, 3)->type, ==,
                   PLG_PATH_NVB);
}

/* One node is written for all, so none may be other. */
static void
test_faults (void)
{
  g_autoptr (PlgCatalogue) catalogue = plg_catalogue_load (NULL);
  g_autoptr (PlgPlan) plan = plg_catalogue_default_plan (catalogue);
  const char *const settings[] = { "cluster.faults=nic:2.3=0, port:3=0.5", NULL };
  g_autoptr (GError) error = NULL;

  g_assert_true (plg_settings_apply (plan, catalogue, settings, NULL));
  g_assert_null (write_plan (plan, &error));
  g_assert_error (error, PLG_FORMAT_ERROR, PLG_FORMAT_ERROR_CONTENT);
  g_assert_nonnull (strstr (error->message, "slow or broken (2)"));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/nccl-write/nodes", test_round_trip_of_nodes);
  g_test_add_func ("/nccl-write/cube-mesh", test_cube_mesh);
  g_test_add_func ("/nccl-write/one-gpu", test_one_gpu);
  g_test_add_func ("/nccl-write/one-tray", test_one_tray);
  g_test_add_func ("/nccl-write/racks-again", test_racks_again);
  g_test_add_func ("/nccl-write/files", test_round_trip_of_files);
  g_test_add_func ("/nccl-write/same-plan", test_same_plan);
  g_test_add_func ("/nccl-write/driver-without-numbers", test_driver_without_numbers);
  g_test_add_func ("/nccl-write/limits-of-nccl", test_limits_of_nccl);
  g_test_add_func ("/nccl-write/cannot-say", test_what_nccl_cannot_say);
  g_test_add_func ("/nccl-write/part-of-a-link", test_part_of_a_link);
  g_test_add_func ("/nccl-write/faults", test_faults);
  g_test_add_func ("/nccl-write/roundabout", test_roundabout);
  return g_test_run ();
}
