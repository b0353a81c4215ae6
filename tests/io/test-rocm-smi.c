/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "import-case.h"

#define WEIGHTS "=========== Weight between two GPUs ===========\n"
#define HOPS "\n=========== Hops between two GPUs ===========\n"
#define TYPES "\n=========== Link Type between two GPUs ===========\n"
#define NUMA "\n=========== Numa Nodes ===========\n"
#define HEAD_2 "       GPU0         GPU1         \n"
#define HEAD_3 "       GPU0         GPU1         GPU2         \n"

static const char
    mesh[] = "\n======= ROCm System Management Interface =======\n" WEIGHTS HEAD_3
             "GPU0   0            15           15           \n"
             "GPU1   15           0            15           \n"
             "GPU2   15           15           0            \n" HOPS HEAD_3
             "GPU0   0            1            1            \n"
             "GPU1   1            0            1            \n"
             "GPU2   1            1            0            \n" TYPES HEAD_3
             "GPU0   0            XGMI         XGMI         \n"
             "GPU1   XGMI         0            XGMI         \n"
             "GPU2   XGMI         XGMI         0            \n" NUMA
             "GPU[0]\t\t: (Topology) Numa Node: 0\nGPU[0]\t\t: (Topology) Numa Affinity: 0\n"
             "GPU[1]\t\t: (Topology) Numa Node: 0\nGPU[2]\t\t: (Topology) Numa Node: 1\n"
             "======= End of ROCm SMI Log =======\n";

static const ImportCase files[] = {
  { "joined directly",
    mesh,
    { "cluster.gpus-per-node=3", "cluster.intra=mesh", "cluster.gpu=mi300x-192",
      "cluster.intra-bandwidth=128", "cluster.nics-per-node=3" },
    { "This is the rate of 2 of the 7 links",
      "NICs per node: 3. The file lists no NICs, so each GPU keeps "
      "its share of the plan's NICs.",
      "Node type: MI300X, eight to a node. The GPUs of this node type are connected as in the "
      "file. The file does not name the GPU model; if this node type is wrong, choose another.",
      "f:4: Bonded links between each pair of GPUs: 1." } },
  { "through another GPU",
    WEIGHTS HEAD_3 "GPU0 0 15 30\nGPU1 15 0 15\nGPU2 30 15 0\n" TYPES HEAD_3
                   "GPU0 0 XGMI XGMI\nGPU1 XGMI 0 XGMI\nGPU2 XGMI XGMI 0\n",
    { "cluster.intra=mesh", "cluster.gpu=mi250x-64", "cluster.gpus-per-node=3" },
    { NULL } },
  { "over PCIe",
    HOPS HEAD_2 "GPU0 0 3\nGPU1 3 0\n" TYPES HEAD_2 "GPU0 0 PCIE\nGPU1 PCIE 0\n",
    { "cluster.intra=pcie", "cluster.gpus-per-node=2", "cluster.gpu=mi300x-192",
      "cluster.intra-bandwidth=63", "cluster.multicast=false" },
    { "only over PCIe", "These are AMD GPUs, but xGMI does not connect all of them. The file "
                        "does not name the GPU model; choose the right one." } },
  { "without a switch",
    TYPES HEAD_3 "GPU0 0 XGMI PCIE\nGPU1 XGMI 0 PCIE\nGPU2 PCIE PCIE 0\n",
    { "cluster.intra=pcie", "cluster.gpus-per-node=3", "cluster.gpu=mi300x-192",
      "cluster.intra-bandwidth=63" },
    { "These are AMD GPUs, but xGMI does not connect all of them. The file does not name the GPU "
      "model; choose the right one." } },
};

static void
test_files (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (files); i++)
    run_import (&files[i], "rocm-smi", NULL);
}

static void
test_paths (void)
{
  g_autoptr (PlgImportResult) import = import_text (mesh, "rocm-smi", NULL, NULL);
  g_autoptr (PlgImportResult) far = import_text (files[1].text, "rocm-smi", NULL, NULL);
  g_autoptr (PlgImportResult) pcie = import_text (files[2].text, "rocm-smi", NULL, NULL);
  const PlgNodeTopology *map = &import->plan->node_topology;

  g_assert_cmpint (plg_node_topology_to_gpu (map, 0, 2)->type, ==, PLG_PATH_NVLINK);
  g_assert_cmpint (map->numa[1], ==, 0);
  g_assert_cmpint (map->numa[2], ==, 1);
  g_assert_cmpint (plg_node_topology_to_gpu (&far->plan->node_topology, 0, 2)->type, ==,
                   PLG_PATH_NVB);
  g_assert_cmpint (plg_node_topology_to_gpu (&pcie->plan->node_topology, 0, 1)->type, ==,
                   PLG_PATH_SYS);
}

static const BrokenCase broken[] = {
  { "no table", WEIGHTS, " The output has no table of GPUs" },
  { "no kinds", WEIGHTS HEAD_2 "GPU0 0 15\nGPU1 15 0\n", "2: GPU0 has no row in “Link Type" },
  { "a row is cut off", TYPES HEAD_2 "GPU0 0 XGMI\nGPU1 XGMI\n",
    "5: The row of GPU1 has 1 values" },
  { "a row is missing", TYPES HEAD_2 "GPU0 0 XGMI\n", "3: GPU1 has no row" },
  { "a row without a heading", TYPES "GPU0 0 XGMI\n", "3: The row of GPU0 has 2 values" },
  { "another kind of table", TYPES HEAD_2 "GPU0 0 WIFI\n", "4: “WIFI” in the row of GPU0" },
  { "a name in a table of numbers", HOPS HEAD_2 "GPU0 0 XGMI\n", "4: “XGMI” in the row" },
  { "another size", WEIGHTS HEAD_3 TYPES HEAD_2,
    "5: This table has 2 GPUs, but the first table has 3" },
  { "columns", TYPES "GPU1 GPU0\n", "3: The columns must be GPU0" },
  { "different in the other direction", TYPES HEAD_2 "GPU0 0 XGMI\nGPU1 PCIE 0\n",
    "5: The path from GPU1 to GPU0 differs" },
  { "a huge number", TYPES HEAD_2 "GPU0 0 99999999999\n", "4: “99999999999” in the row" },
  { "binary", TYPES "\xFE", "3: Byte 0xFE" },
};

static void
test_broken (void)
{
  g_autofree char *columns = repeat_text ("GPU0 ", 200000);
  g_autofree char *many = g_strconcat (TYPES, columns, "\n", NULL);

  for (guint i = 0; i < G_N_ELEMENTS (broken); i++)
    run_broken (&broken[i], "rocm-smi");
  run_broken (&(BrokenCase) { "many", many, "3: The table has 200000 GPUs" }, "rocm-smi");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/rocm-smi/files", test_files);
  g_test_add_func ("/rocm-smi/paths", test_paths);
  g_test_add_func ("/rocm-smi/broken", test_broken);
  return g_test_run ();
}
