/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "import-case.h"

#define HEAD_2 "             0000:0c:00.0 0000:22:00.0\n"
#define HEAD_3 "             0000:0c:00.0 0000:22:00.0 0000:38:00.0\n"
#define KINDS "LINK TYPE TABLE:\n"
#define RATES "NUMA BW TABLE:\n"

static const ImportCase files[] = {
  { "joined directly, all tables, one of them unknown",
    "$ amd-smi topology\n\nACCESS TABLE:\n" HEAD_3
    "0000:0c:00.0 ENABLED      ENABLED      ENABLED\n"
    "0000:22:00.0 ENABLED      ENABLED      ENABLED\n"
    "0000:38:00.0 ENABLED      ENABLED      ENABLED\n\nWEIGHT TABLE:\n" HEAD_3
    "0000:0c:00.0 0            15           15\n0000:22:00.0 15           0            15\n"
    "0000:38:00.0 15           15           0\nHOPS TABLE:\n" HEAD_3
    "0000:0c:00.0 0            1            1\n0000:22:00.0 1            0            1\n"
    "0000:38:00.0 1            1            0\n\n" KINDS HEAD_3
    "0000:0c:00.0 SELF         XGMI         XGMI\n0000:22:00.0 XGMI         SELF         XGMI\n"
    "0000:38:00.0 XGMI         XGMI         SELF\n\n" RATES HEAD_3
    "0000:0c:00.0 N/A          50000-50000  50000-50000\n"
    "0000:22:00.0 50000-50000  N/A          50000-50000\n"
    "0000:38:00.0 50000-50000  50000-50000  N/A\nATOMICS TABLE:\n" HEAD_3
    "0000:0c:00.0 SELF         64,32        64,32\n\n\nLegend:\n  SELF = Current GPU\n",
    { "cluster.gpus-per-node=3", "cluster.intra=mesh", "cluster.gpu=mi300x-192" },
    { "Node type: MI300X, eight to a node. The GPUs of this node type are connected as in the "
      "file. The file does not name the GPU model; if this node type is wrong, choose another.",
      "f:10: Bonded links between each pair of GPUs: 1.",
      "f:3: ACCESS TABLE: A plan does not use this table.",
      "f:31: ATOMICS TABLE:", "f:26: NUMA BW" } },
  { "through another GPU, with several links",
    "WEIGHT TABLE:\n" HEAD_3 "0000:0c:00.0 0 15 30\n0000:22:00.0 15 0 15\n"
    "0000:38:00.0 30 15 0\n" KINDS HEAD_3 "0000:0c:00.0 SELF XGMI XGMI\n"
    "0000:22:00.0 XGMI SELF XGMI\n0000:38:00.0 XGMI XGMI SELF\n" RATES HEAD_3
    "0000:0c:00.0 N/A 50000-200000 50000-50000\n0000:22:00.0 50000-200000 N/A 50000-50000\n"
    "0000:38:00.0 50000-50000 50000-50000 N/A\n",
    { "cluster.intra=mesh", "cluster.gpu=mi250x-64", "cluster.gpus-per-node=3" },
    { "at most 5 links per GPU" } },
  { "a virtual machine, which shows neither weights nor rates",
    "WEIGHT TABLE:\n" HEAD_2 "0000:0c:00.0 0 0\n0000:22:00.0 0 0\n" KINDS HEAD_2
    "0000:0c:00.0 SELF XGMI\n0000:22:00.0 XGMI SELF\n" RATES HEAD_2
    "0000:0c:00.0 N/A 0-0\n0000:22:00.0 0-0 N/A\n",
    { "cluster.intra=mesh", "cluster.gpus-per-node=2" },
    { "Bonded links between each pair of GPUs: 1." } },
  { "over PCIe",
    "HOPS TABLE:\n" HEAD_2 "0000:0c:00.0 0 3\n0000:22:00.0 3 0\n" KINDS HEAD_2
    "0000:0c:00.0 SELF PCIE\n0000:22:00.0 PCIE SELF\nNUMA BW TABLE:\n" HEAD_2
    "0000:0c:00.0 N/A N/A\n0000:22:00.0 N/A N/A\n",
    { "cluster.intra=pcie", "cluster.gpus-per-node=2" },
    { "only over PCIe" } },
};

static void
test_files (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (files); i++)
    run_import (&files[i], "amd-smi", NULL);
}

static void
test_paths (void)
{
  g_autoptr (PlgImportResult) far = import_text (files[1].text, "amd-smi", NULL, NULL);
  g_autoptr (PlgImportResult) pcie = import_text (files[3].text, "amd-smi", NULL, NULL);
  const PlgNodeTopology *map = &far->plan->node_topology;

  g_assert_cmpint (plg_node_topology_to_gpu (map, 0, 1)->type, ==, PLG_PATH_NVLINK);
  g_assert_cmpint (plg_node_topology_to_gpu (map, 0, 1)->links, ==, 4);
  g_assert_cmpint (plg_node_topology_to_gpu (map, 1, 2)->links, ==, 1);
  g_assert_cmpint (plg_node_topology_to_gpu (map, 0, 2)->type, ==, PLG_PATH_NVB);
  g_assert_cmpint (map->numa[0], ==, -1);
  g_assert_cmpint (plg_node_topology_to_gpu (&pcie->plan->node_topology, 0, 1)->type, ==,
                   PLG_PATH_SYS);
}

static const BrokenCase broken[] = {
  { "no table", "WEIGHT TABLE:\n", " The output has no table of GPUs" },
  { "no kinds", "WEIGHT TABLE:\n" HEAD_2 "0000:0c:00.0 0 15\n0000:22:00.0 15 0\n",
    "2: 0000:0c:00.0 has no row in “LINK TYPE TABLE:”" },
  { "a row is cut off", KINDS HEAD_2 "0000:0c:00.0 SELF XGMI\n0000:22:00.0 XGMI\n",
    "4: The row of 0000:22:00.0 has 1 values" },
  { "a row is missing", KINDS HEAD_2 "0000:0c:00.0 SELF XGMI\n", "2: 0000:22:00.0 has no row" },
  { "a row without a column", KINDS HEAD_2 "0000:0d:00.0 SELF XGMI\n",
    "3: The row of 0000:0d:00.0" },
  { "a row without a heading", KINDS "0000:0c:00.0 SELF XGMI\n", "2: The row of 0000:0c:00.0" },
  { "another kind of table", KINDS HEAD_2 "0000:0c:00.0 SELF WIFI\n",
    "3: “WIFI” in the row of 0000:0c" },
  { "no rate", RATES HEAD_2 "0000:0c:00.0 N/A 50000-\n", "3: “50000-” in the row" },
  { "another size", KINDS HEAD_3 RATES HEAD_2,
    "4: This table has 2 GPUs, but the first table has 3" },
  { "other GPUs", KINDS HEAD_2 RATES "0000:0c:00.0 0000:23:00.0\n", "4: The columns must be" },
  { "the same GPU twice", KINDS "0000:0c:00.0 0000:0c:00.0\n", "2: The columns must be" },
  { "different in the other direction",
    KINDS HEAD_2 "0000:0c:00.0 SELF XGMI\n0000:22:00.0 PCIE SELF\n",
    "4: The path from 0000:22:00.0 to 0000:0c:00.0 differs" },
  { "a hostile name", KINDS "$(reboot) 0000:22:00.0\n0000:0c:00.0 SELF XGMI\n",
    "3: The row of 0000:0c:00.0" },
  { "binary", KINDS "\xFE", "2: Byte 0xFE" },
};

static void
test_broken (void)
{
  g_autofree char *columns = repeat_text ("0000:0c:00.0 ", 200000);
  g_autofree char *many = g_strconcat (KINDS, columns, "\n", NULL);

  for (guint i = 0; i < G_N_ELEMENTS (broken); i++)
    run_broken (&broken[i], "amd-smi");
  run_broken (&(BrokenCase) { "many", many, "2: The table has 200000 GPUs" }, "amd-smi");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/amd-smi/files", test_files);
  g_test_add_func ("/amd-smi/paths", test_paths);
  g_test_add_func ("/amd-smi/broken", test_broken);
  return g_test_run ();
}
