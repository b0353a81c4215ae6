/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine/network/collective.h"
#include "import-case.h"

/* Sizes in bytes and busbw in GB/s. */
typedef struct
{
  double bytes;
  double bus;
} Point;

typedef struct
{
  const char *name;
  const char *program;
  PlgCollectiveKind kind;
  const char *device;
  int nodes;
  int per_node;
  double smallest; /* time for 8 bytes [µs] */
  Point points[4];
  const char *becomes[8];
  const char *notes[8];
  gboolean is_predicted; /* the engine must predict the first and the last row */
} Measured;

#define H100 "NVIDIA H100 80GB HBM3"
#define H200 "NVIDIA H200"
#define A100 "NVIDIA A100-SXM4-80GB"
#define GB_ (1024.0 * 1024 * 1024)

/* Published plateaus: 8 H200 481 GB/s with NVLink SHARP, all-gather 361; four nodes of H100 with 8
 * x 400 Gb/s 365.8 (github.com/NVIDIA/nccl-tests, issue 309); DGX A100 235 (its PERFORMANCE.md);
 * two nodes of H100 about 470, more than their NICs. */
static const Measured measured[] = {
  { "a node, all-reduce",
    "all_reduce_perf",
    PLG_COLLECTIVE_ALL_REDUCE,
    H200,
    1,
    8,
    33.0,
    { { 32768, 1.4 }, { 1048576, 40 }, { 8 * GB_, 481 } },
    { "cluster.gpu=h200-sxm-141", "cluster.node=hgx-h200", "cluster.nodes=8",
      "cluster.gpus-per-node=8", "cluster.inter-latency=14" },
    { "f:1: Node type: HGX H200. The test ran on “NVIDIA H200”.", "The test ran on one node",
      "Measured: all-reduce of 8.59\u00a0GB over 8 GPUs (nodes: 1), with a bus "
      "bandwidth of 481\u00a0GB/s" },
    TRUE },
  { "a node, all-gather",
    "all_gather_perf",
    PLG_COLLECTIVE_ALL_GATHER,
    H100,
    1,
    8,
    28.0,
    { { 8 * GB_, 361 } },
    { "cluster.gpu=h100-sxm-80", "cluster.node=hgx-h100" },
    { "!Node type", "all-gather of 8.59\u00a0GB" },
    TRUE },
  { "a node of A100",
    "all_reduce_perf",
    PLG_COLLECTIVE_ALL_REDUCE,
    A100,
    1,
    8,
    29.0,
    { { 512.0 * 1048576, 223 }, { 8 * GB_, 235 } },
    { "cluster.node=dgx-a100", "cluster.gpu=a100-sxm-80" },
    { NULL },
    TRUE },
  { "four nodes",
    "all_reduce_perf",
    PLG_COLLECTIVE_ALL_REDUCE,
    H100,
    4,
    8,
    60.0,
    { { 1048576, 5 }, { 16 * GB_, 365.8 } },
    { "cluster.nodes=8", "cluster.intra-efficiency=0.815" },
    { "!Nodes: ", "!is left unchanged" },
    TRUE },
  { "more nodes than the plan has",
    "reduce_scatter_perf",
    PLG_COLLECTIVE_REDUCE_SCATTER,
    H100,
    16,
    8,
    180.0,
    { { 16 * GB_, 350 } },
    { "cluster.nodes=16" },
    { "f:1: Nodes: 16. The test ran on this many hosts." },
    TRUE },
  { "all-to-all",
    "alltoall_perf",
    PLG_COLLECTIVE_ALL_TO_ALL,
    H100,
    4,
    8,
    70.0,
    { { 8 * GB_, 58 } },
    { "cluster.gpu=h100-sxm-80" },
    { "all-to-all of 8.59\u00a0GB" },
    TRUE },
  { "send and receive, one GPU per node",
    "sendrecv_perf",
    PLG_COLLECTIVE_SEND_RECV,
    H100,
    2,
    1,
    25.0,
    { { 1 * GB_, 43 } },
    { "cluster.gpus-per-node=8" },
    { "Two nodes reach a higher bandwidth than many nodes do, so a test with more nodes is more "
      "reliable." },
    TRUE },
  { "two nodes: faster than the NICs",
    "all_reduce_perf",
    PLG_COLLECTIVE_ALL_REDUCE,
    H100,
    2,
    8,
    45.0,
    { { 16 * GB_, 470 } },
    { "cluster.inter-efficiency=0.913" },
    { "470\u00a0GB/s is more than the NICs of a node provide (400\u00a0GB/s), because between "
      "two nodes NCCL’s trees send only half of the data that busbw counts. The value does not "
      "apply to more nodes; measure with NCCL_ALGO=Ring.",
      "NCCL_ALGO=Ring" },
    FALSE },
  { "faster than the plan's links",
    "all_gather_perf",
    PLG_COLLECTIVE_ALL_GATHER,
    H100,
    1,
    8,
    28.0,
    { { 8 * GB_, 700 } },
    { "cluster.intra-efficiency=0.815" },
    { "700\u00a0GB/s does not fit the plan’s links (450\u00a0GB/s" },
    FALSE },
  { "sizes too small",
    "all_gather_perf",
    PLG_COLLECTIVE_ALL_GATHER,
    H100,
    1,
    8,
    28.0,
    { { 1048576, 30 } },
    { "cluster.intra-efficiency=0.815" },
    { "too small to measure" },
    FALSE },
  { "slow at the end",
    "all_gather_perf",
    PLG_COLLECTIVE_ALL_GATHER,
    H100,
    1,
    8,
    28.0,
    { { 1 * GB_, 361 }, { 8 * GB_, 200 } },
    { NULL },
    { "A smaller size reached 361\u00a0GB/s" },
    TRUE },
  { "an unknown GPU",
    "all_gather_perf",
    PLG_COLLECTIVE_ALL_GATHER,
    "NVIDIA T4",
    1,
    8,
    28.0,
    { { 8 * GB_, 361 } },
    { "cluster.gpu=h100-sxm-80" },
    { "“NVIDIA T4” is not in the catalogue" },
    TRUE },
};

static double
factor (PlgCollectiveKind kind, int n)
{
  return plg_collective_sent (kind, n, 1.0);
}

static void
append_row (GString *text, const Measured *m, double bytes, double seconds)
{
  double algorithm = bytes / seconds / 1e9,
         bus = algorithm * factor (m->kind, m->nodes * m->per_node);

  g_string_append_printf (text,
                          "%12.0f %12.0f     float     sum      -1 %8.2f %7.2f %7.2f      0 %8.2f "
                          "%7.2f %7.2f      0\n",
                          bytes, bytes / 4, seconds * 1e6, algorithm, bus, seconds * 1e6, algorithm,
                          bus);
}

/* Makes the program's output (transfer full). */
static char *
output_of (const Measured *m)
{
  GString *text = g_string_new (NULL);
  int n = m->nodes * m->per_node;

  g_string_append_printf (text,
                          "# nThread 1 nGpus 1 minBytes 8 maxBytes 17179869184 step: 2(factor) "
                          "warmup iters: 5 iters: 20 agg iters: 1 validation: 1 graph: 0\n"
                          "# Collective test starting: %s\n#\n# Using devices\n",
                          m->program);
  for (int i = 0; i < n; i++)
    g_string_append_printf (text,
                            "#  Rank %2d Group  0 Pid %6d on     node%02d device %2d [0x8d] %s\n",
                            i, 1000 + i, i / m->per_node, i % m->per_node, m->device);
  g_string_append (text, "#       size         count      type   redop    root     time   algbw   "
                         "busbw #wrong     time   algbw   busbw #wrong\n");
  append_row (text, m, 8, m->smallest * 1e-6);
  for (int i = 0; i < 4 && m->points[i].bytes > 0; i++)
    append_row (text, m, m->points[i].bytes,
                m->points[i].bytes * factor (m->kind, n) / m->points[i].bus / 1e9);
  g_string_append (text, "# Out of bounds values : 0 OK\n# Avg bus bandwidth    : 100.1\n#\n");
  return g_string_free (text, FALSE);
}

/* The engine predicts the measured values: the last row within a few percent, and the smallest row.
 * The numbers of members were computed by hand. */
static void
assert_predicted (const Measured *m, const PlgPlan *plan)
{
  PlgGroupExtent extent = { .size = m->nodes * m->per_node,
                            .nodes = m->nodes,
                            .per_node = m->per_node };
  const Point *last = &m->points[0];
  PlgFabric fabric;
  double time, bus;

  while (last < &m->points[3] && last[1].bytes > 0)
    last++;
  plg_fabric_init (&fabric, &plan->cluster);
  time = plg_collective_time (&fabric, &extent, m->kind, last->bytes);
  bus = plg_collective_bus_bandwidth (m->kind, extent.size, last->bytes, time) / 1e9;
  g_assert_cmpfloat_with_epsilon (bus, last->bus, 0.02 * last->bus);
  time = plg_collective_time (&fabric, &extent, m->kind, 8);
  g_assert_cmpfloat_with_epsilon (time * 1e6, m->smallest, 0.02 * m->smallest);
}

static void
test_measured (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (measured); i++)
    {
      const Measured *m = &measured[i];
      g_autofree char *text = output_of (m);
      g_autoptr (GError) error = NULL;
      g_autoptr (PlgImportResult) import = NULL;

      g_test_message ("%s", m->name);
      import = import_text (text, "nccl-tests", NULL, &error);
      g_assert_no_error (error);
      g_assert_false (import->is_one_node);
      assert_settings (import->plan, m->becomes);
      assert_notes (import, m->notes);
      if (m->is_predicted)
        assert_predicted (m, import->plan);
    }
}

/* Hosts that are trays of a rack are parts of one node: the test measured NVLinks, not the
 * network. */
static void
test_racks (void)
{
  static const int hosts[] = { 18, 4, 36 };
  g_autoptr (PlgCatalogue) catalogue = plg_catalogue_load (NULL);

  for (guint i = 0; i < G_N_ELEMENTS (hosts); i++)
    {
      Measured m = { "racks",
                     "all_reduce_perf",
                     PLG_COLLECTIVE_ALL_REDUCE,
                     "NVIDIA GB200",
                     hosts[i],
                     4,
                     60.0,
                     { { 8 * GB_, hosts[i] > 18 ? 300 : 600 } } };
      g_autofree char *text = output_of (&m);
      g_autoptr (PlgPlan) racks = plg_catalogue_default_plan (catalogue);
      g_autoptr (PlgImportResult) import = NULL;
      g_autoptr (GError) error = NULL;

      g_assert_true (plg_settings_apply (racks, catalogue,
                                         (const char *const[]) {
                                             "cluster.node=gb200-nvl72", "cluster.nodes=2",
                                             "parallelism.tp=4", "parallelism.pp=2",
                                             "parallelism.dp=18", "training.global-batch=36",
                                             NULL },
                                         &error));
      import = import_text (text, "nccl-tests", racks, &error);
      g_assert_no_error (error);
      g_assert_cmpint (import->plan->cluster.nodes, ==, 2);
      g_assert_cmpint (import->plan->cluster.gpus_per_node, ==, 72);
      g_assert_true ((import->plan->cluster.intra_efficiency != racks->cluster.intra_efficiency) ==
                     (hosts[i] <= 18));
      g_assert_true ((import->plan->cluster.inter_efficiency != racks->cluster.inter_efficiency) ==
                     (hosts[i] > 18));
    }
}

#define FIRST \
  "# nThread 1 nGpus 2 minBytes 8 maxBytes 1 step: 2(factor) warmup iters: 5 iters: 20\n"
#define RANK_0 "#  Rank  0 Group  0 Pid  1 on  n0 device  0 [0x1] NVIDIA H100 80GB HBM3\n"
#define RANK_1 "#  Rank  1 Group  0 Pid  1 on  n0 device  1 [0x2] NVIDIA H100 80GB HBM3\n"
#define RANK_2 "#  Rank  2 Group  0 Pid  2 on  n1 device  0 [0x1] NVIDIA H100 80GB HBM3\n"

/* Several outputs in one file, in forms of other versions and launchers. */
static const ImportCase files[] = {
  { "older: no group, no root, “error” instead of “#wrong”, the command above",
    "$ mpirun -np 2 ./build/all_reduce_perf -b 8 -e 1G\n"
    "# nThread 1 nGpus 1 minBytes 8 maxBytes 1 step: 2(factor) warmup iters: 5 iters: 20\n"
    "#   Rank  0 Pid   1320 on a device  0 [0x00] Tesla V100-SXM2-16GB\n"
    "#   Rank  1 Pid   1321 on a device  1 [0x00] Tesla V100-SXM2-16GB\n"
    "           8             2   float     sum    20.0    0.00    0.00  0e+00   20   0.00  0.00  "
    "0e+00\n"
    "  1073741824     268435456   float     sum   12000   89.48   89.48  2e-06   12000   89.48  "
    "89.48  2e-06\n",
    { "cluster.gpu=v100-sxm-16" },
    { "all-reduce of 1.07\u00a0GB over 2 GPUs" } },
  { "lines with the number of the task",
    "0: # nThread 1 nGpus 1 minBytes 8 maxBytes 1\n"
    "0: # Using devices\n"
    "0: #  Rank  0 Group  0 Pid  1 on  n0 device  0 [0x1] NVIDIA H100 80GB HBM3\n"
    "0: #  Rank  1 Group  0 Pid  1 on  n0 device  1 [0x2] NVIDIA H100 80GB HBM3\n"
    "0:  1073741824  268435456  float  sum  -1  3500.0  306.8  306.8  0  3500.0 306.8 306.8 0\n",
    { "cluster.gpu=h100-sxm-80" },
    { "the test measured all-reduce", "307\u00a0GB/s" } },
  { "the command between the ranks and the rows",
    FIRST RANK_0 RANK_1 "$ sendrecv_perf\n"
                        "1073741824 268435456 float sum -1 3500.0 306.8 306.8 0 1 1 1 0\n",
    { NULL },
    { "send/recv of 1.07\u00a0GB", "!The columns show" } },
  /* All programs have the factor (n-1)/n, here a half; nccl-tests does not check all-to-all in
   * place. */
  { "columns of reduce-scatter",
    FIRST RANK_0 RANK_1 "1073741824 134217728 float sum -1 3500.0 306.8 153.4 0 1 1 1 0\n",
    { NULL },
    { "f:1: The columns show that the test measured reduce-scatter." } },
  { "columns of all-gather",
    FIRST RANK_0 RANK_1 "1073741824 134217728 float none -1 3500.0 306.8 153.4 0 1 1 1 0\n",
    { NULL },
    { "f:1: The columns show that the test measured all-gather." } },
  { "columns of all-to-all",
    FIRST RANK_0 RANK_1 "1073741824 134217728 float none -1 3500.0 306.8 153.4 0 1 1 1 N/A\n",
    { NULL },
    { "f:1: The columns show that the test measured all-to-all." } },
  /* 2 (n-1)/n of 306.8 over 2 ranks is 306.8; one note covers both rows. */
  { "a busbw that its algbw contradicts",
    FIRST RANK_0 RANK_1 "$ all_reduce_perf\n"
                        "536870912 134217728 float sum -1 1750.0 306.8 575.2 0 1 1 1 0\n"
                        "1073741824 268435456 float sum -1 3500.0 306.8 575.2 0 1 1 1 0\n",
    { NULL },
    { "f:5: busbw of 575\u00a0GB/s does not match algbw for all-reduce over 2 GPUs. The importer "
      "uses 307\u00a0GB/s, which is computed from algbw. Check that no column was "
      "edited and that no ranks are missing above.",
      "with a bus bandwidth of 307\u00a0GB/s", "!f:6: busbw" } },
  { "rows with wrong results",
    FIRST RANK_0 RANK_1
    "1073741824 268435456 float sum -1 3500.0 306.8 306.8 0 3500.0 306.8 306.8 0\n"
    "2147483648 536870912 float sum -1 1000.0 2147.5 2147.5 7 3500.0 306.8 306.8 0\n",
    { NULL },
    { "f:5: Rows with wrong results", "all-reduce of 1.07\u00a0GB" } },
  { "validation switched off", /* N/A */
    FIRST RANK_0 RANK_1
    "1073741824 268435456 float sum -1 3500.0 306.8 306.8 N/A 3500.0 306.8 306.8 N/A\n",
    { NULL },
    { "all-reduce of 1.07\u00a0GB" } },
};

static void
test_files (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (files); i++)
    run_import (&files[i], "nccl-tests", NULL);
}

/* One test on one node and one on four set both levels; all-gather is preferred to all-reduce. */
static void
test_several (void)
{
  g_autofree char *reduce = output_of (&measured[0]), *four = output_of (&measured[3]);
  g_autofree char *gather = output_of (&measured[1]);
  g_autofree char *text = g_strconcat (four, gather, reduce, NULL);
  g_autoptr (GError) error = NULL;
  g_autoptr (PlgImportResult) import = import_text (text, "nccl-tests", NULL, &error);

  g_assert_no_error (error);
  assert_predicted (&measured[1], import->plan);
  assert_predicted (&measured[3], import->plan);
}

#define ROW "1073741824 268435456 float sum -1 3500.0 306.8 306.8 0 3500.0 306.8 306.8 0\n"

static const BrokenCase broken[] = {
  { "all rows with wrong results",
    FIRST RANK_0 RANK_1 "\n1048576 262144 float sum -1 10.0 104.9 104.9 3 10.0 104.9 104.9 0\n"
                        "1073741824 268435456 float sum -1 3500.0 306.8 306.8 7 3500.0 306.8 306.8 "
                        "0\n",
    "5: All rows have wrong results" },
  { "no row", FIRST RANK_0 RANK_1, " Nothing was measured" },
  { "one rank", FIRST RANK_0 ROW, " Nothing was measured" },
  { "no ranks", FIRST ROW, "2: The lines “# Rank 0 … on HOST" },
  { "a rank twice", FIRST RANK_0 RANK_0 ROW, "3: Rank 0 appears twice" },
  { "a rank that is cut off", FIRST "# Rank 0 Group 0 Pid 1 on\n",
    "2: This line is cut off; a rank's line "
    "reads “Rank 0 … on HOST device 0 … "
    "NAME”." },
  { "a row that is cut off", FIRST RANK_0 RANK_1 "1073741824 268435456 float sum -1 3500.0\n",
    "4: This row is cut off" },
  { "a row that is cut off in its second half",
    FIRST RANK_0 RANK_1 ROW "1048576 262144 float sum -1 38.12 27.51 48.14 0 37.65 27.85\n",
    "5: This row is cut off after column 11; remove the row, or run the test again." },
  { "a rate that is not a number",
    FIRST RANK_0 RANK_1 "1073741824 268435456 float sum -1 3500.0 306.78 nan 0\n",
    "4: busbw in this row is “nan”" },
  { "a time that is not a number",
    FIRST RANK_0 RANK_1 "1073741824 268435456 float sum -1 inf 306.78 306.78 0\n",
    "4: time in this row is “inf”" },
  { "columns that contradict",
    FIRST RANK_0 RANK_1 "1073741824 268435456 float sum -1 3500.0 9999 9999 0 1 1 1 0\n",
    "4: The size and time of this row do not match" },
  { "hosts that differ", FIRST RANK_0 RANK_1 RANK_2 "$ all_reduce_perf\n" ROW,
    "1: The 2 hosts do not have the same" },
  { "groups", FIRST "# Rank 0 Group 1 Pid 1 on n0 device 0 [0x1] NVIDIA H100\n",
    "2: Several groups ran" },
  { "an unnamed collective",
    FIRST RANK_0 RANK_1 "1073741824 134217728 float none -1 3500.0 306.8 153.4 N/A 1 1 1 N/A\n",
    "1: The output does not name the collective" },
  { "a root",
    FIRST RANK_0 RANK_1 "1073741824 268435456 float none 0 3500.0 306.8 306.8 0 1 1 1 0\n",
    "1: This test has a root" },
  { "binary", FIRST "\xFF\n", "2: Byte 0xFF" },
  { "a huge rank", FIRST "# Rank 99999999999 Group 0 Pid 1 on n0 device 0 [0x1] X\n",
    "2: This line is cut off; a rank's line reads “Rank 0 … on HOST device 0 … NAME”." },
};

static void
test_broken (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (broken); i++)
    run_broken (&broken[i], "nccl-tests");
}

static void
test_large (void)
{
  g_autofree char *rows = repeat_text (ROW, 100000);
  g_autofree char *text = g_strconcat (FIRST RANK_0 RANK_1, rows, NULL);
  g_autofree char *words = repeat_text ("float 1 ", 1000000);
  g_autofree char *line = g_strconcat (FIRST RANK_0 RANK_1 ROW, words, NULL);
  const ImportCase many = { "many rows", text, { NULL }, { "all-reduce" } };

  run_import (&many, "nccl-tests", NULL);
  run_broken (&(BrokenCase) { "a long row", line, "5: This row" }, "nccl-tests");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/nccl-tests/measured", test_measured);
  g_test_add_func ("/nccl-tests/racks", test_racks);
  g_test_add_func ("/nccl-tests/files", test_files);
  g_test_add_func ("/nccl-tests/several", test_several);
  g_test_add_func ("/nccl-tests/broken", test_broken);
  g_test_add_func ("/nccl-tests/large", test_large);
  return g_test_run ();
}
