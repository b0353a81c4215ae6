/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "import-case.h"

#define HEAD "\tGPU0\tGPU1\tGPU2\tGPU3\tNIC0\tNIC1\tCPU Affinity\tNUMA Affinity\tGPU NUMA ID\n"
#define LEGEND \
  "\nLegend:\n\n  X    = Self\n  NV#  = Connection traversing a bonded set of # NVLinks\n"

/* The program's output, with the empty cell before the last column. */
static const char board[] = HEAD "GPU0\t X \tNV18\tNV18\tNV18\tPIX\tSYS\t0-95\t0\t\tN/A\n"
                                 "GPU1\tNV18\t X \tNV18\tNV18\tNODE\tSYS\t0-95\t0\t\tN/A\n"
                                 "GPU2\tNV18\tNV18\t X \tNV18\tSYS\tNODE\t96-191\t1\t\tN/A\n"
                                 "GPU3\tNV18\tNV18\tNV18\t X \tSYS\tPIX\t96-191\t1\t\tN/A\n"
                                 "NIC0\tPIX\tNODE\tSYS\tSYS\t X \tSYS\t\t\t\t\n"
                                 "NIC1\tSYS\tSYS\tNODE\tPIX\tSYS\t X \t\t\t\t\n" LEGEND
                                 "\nNIC Legend:\n\n  NIC0: mlx5_3\n  NIC1: mlx5_10\n";

static const char *const board_paths[] = {
  "X NV18 NV18 NV18 PIX SYS 0",
  "NV18 X NV18 NV18 NODE SYS 0",
  "NV18 NV18 X NV18 SYS NODE 1",
  "NV18 NV18 NV18 X SYS PIX 1",
  NULL,
};

/* Returns the paths and the NUMA node of GPU, such as "X NV18 PIX 0". */
static char *
row_of (const PlgNodeTopology *map, int gpu)
{
  GString *row = g_string_new (NULL);

  for (int i = 0; i < map->gpus; i++)
    {
      g_autofree char *path = plg_path_to_string (plg_node_topology_to_gpu (map, gpu, i));
      g_string_append_printf (row, "%s ", path);
    }
  for (int i = 0; i < map->nics; i++)
    g_string_append_printf (row, "%s ",
                            plg_path_code (plg_node_topology_to_nic (map, gpu, i)->type));
  g_string_append_printf (row, "%d", map->numa[gpu]);
  return g_string_free (row, FALSE);
}

/* With EXACT, the NUMA nodes must match, too. */
static void
assert_paths_only (const char *text, const char *const *paths, gboolean exact)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (PlgImportResult) import = import_text (text, "nvidia-smi", NULL, &error);
  const PlgNodeTopology *map;

  g_assert_no_error (error);
  map = &import->plan->node_topology;
  g_assert_cmpint (map->gpus, ==, g_strv_length ((char **) paths));
  for (int i = 0; paths[i] != NULL; i++)
    {
      g_autofree char *row = row_of (map, i);

      if (!exact)
        *strrchr (row, ' ') = '\0';
      g_assert_true (g_str_has_prefix (paths[i], row));
    }
}

static void
assert_paths (const char *text, const char *const *paths)
{
  assert_paths_only (text, paths, TRUE);
}

/* The same table in several forms. */

static void
test_tabs (void)
{
  g_autoptr (PlgImportResult) import = import_text (board, "nvidia-smi", NULL, NULL);

  g_assert_true (import->is_one_node);
  assert_paths (board, board_paths);
  g_assert_cmpstr (import->plan->node_topology.card[0].name, ==, "mlx5_3");
  g_assert_cmpstr (import->plan->node_topology.card[1].name, ==, "mlx5_10");
}

/* Returns TEXT with each FROM replaced by TO; g_free(). */
static char *
replace (const char *text, const char *from, const char *to)
{
  g_auto (GStrv) parts = g_strsplit (text, from, -1);

  return g_strjoinv (to, parts);
}

static void
test_copies (void)
{
  g_autofree char *spaces = replace (board, "\t", "     ");
  g_autofree char *crlf = replace (board, "\n", "\r\n");
  g_autofree char *ansi = replace (board, "GPU0\tGPU1", "\033[4mGPU0\tGPU1\033[0m");
  g_autofree char *all_ansi = g_strconcat ("\033[4m", board, "\033[0m", NULL);
  g_autofree char *prompt = g_strconcat ("user@dgx:~$ nvidia-smi topo -m\n\n", board,
                                         "user@dgx:~$ exit\n", NULL);
  g_autofree char *no_cpus = replace (board, "0-95\t0", "\t0");
  g_autofree char *no_self = replace (spaces, "  X  ", " ");
  g_autofree char *hard = replace (spaces, "  ", "\u00a0 ");
  g_autofree char *all_hard = replace (spaces, " ", "\u00a0");
  g_autofree char *blank = replace (board, "\nGPU", "\n\nGPU");
  g_autofree char *lines = replace (board, "\n", "\n> ");
  g_autofree char *quoted = g_strconcat ("> ", lines, NULL);

  assert_paths (spaces, board_paths);
  assert_paths (crlf, board_paths);
  assert_paths (ansi, board_paths);
  assert_paths (all_ansi, board_paths);
  assert_paths (prompt, board_paths);
  assert_paths (no_cpus, board_paths);
  assert_paths (no_self, board_paths);
  assert_paths (hard, board_paths);
  assert_paths (all_hard, board_paths);
  assert_paths (blank, board_paths);
  assert_paths (quoted, board_paths);
}

/* Returns TEXT as a terminal of WIDTH columns shows it: with spaces instead of tabs and with
 * lines broken anywhere; with TRIM, without trailing spaces. */
static char *
wrap (const char *text, int width, gboolean trim)
{
  GString *out = g_string_new (NULL);
  int column = 0;

  for (const char *p = text; *p != '\0'; p++)
    for (gboolean more = TRUE; more;)
      {
        gboolean end = *p == '\n' || column == width;

        while (end && trim && out->len > 0 && out->str[out->len - 1] == ' ')
          g_string_truncate (out, out->len - 1);
        if (end)
          g_string_append_c (out, '\n');
        column = end ? 0 : column;
        if (*p == '\n')
          break;
        g_string_append_c (out, *p == '\t' ? ' ' : *p);
        column++;
        more = *p == '\t' && column % 8 != 0;
      }
  return g_string_free (out, FALSE);
}

static void
test_wrapped (void)
{
  for (int width = 20; width <= 110; width++)
    for (int trim = 0; trim < 2; trim++)
      {
        g_autofree char *text = wrap (board, width, trim);

        g_test_message ("%d columns, %s", width, trim ? "trimmed" : "whole");
        /* “0-95” at the end of a line and “0” in the next one can be “0-950”. */
        assert_paths_only (text, board_paths, !trim);
      }
}

/* Cuts line AT (from 1; 0: all lines) of a text after WIDTH characters (transfer full). */
static char *
cut (const char *text, int width, int at)
{
  g_auto (GStrv) lines = g_strsplit (text, "\n", -1);

  for (int i = 0; lines[i] != NULL; i++)
    if ((at == 0 || at == i + 1) && strlen (lines[i]) > (gsize) width)
      lines[i][width] = '\0';
  return g_strjoinv ("\n", lines);
}

/* A cut table gives the same map, or the same map without NUMA nodes, or an error with the line. */
static void
assert_cut (const char *text, int width, int at)
{
  g_autofree char *some = cut (text, width, at);
  g_autoptr (GError) error = NULL;
  g_autoptr (PlgImportResult) import = import_text (some, "nvidia-smi", NULL, &error);

  g_test_message ("line %d, %d characters: %s", at, width,
                  import != NULL ? "read" : error->message);
  if (import != NULL)
    {
      g_autofree char *notes = plg_notes_text (import->notes, 1 << PLG_NOTE_INFERRED, NULL);

      assert_paths_only (some, board_paths, strstr (notes, "does not list the NUMA") == NULL);
    }
  else
    g_assert_true (g_regex_match_simple ("^f:\\d+: .*(cut off|is not here)", error->message, 0, 0));
}

static void
test_cut (void)
{
  g_autofree char *spaces = wrap (board, 1000, FALSE);

  for (int width = 31; width <= 110; width += 7)
    for (int at = 0; at <= 2; at++)
      {
        assert_cut (board, width, at);
        assert_cut (spaces, width, at);
      }
}

/* Kinds of nodes */

static const ImportCase files[] = {
  { "a board with a switch: the plan's H100 can be it",
    board,
    { "cluster.gpus-per-node=4", "cluster.nics-per-node=2", "cluster.intra=nvswitch",
      "cluster.gpu=h100-sxm-80", "cluster.inter-bandwidth=25", "cluster.nodes=8" },
    { "f:1: Bonded links between each pair of GPUs: 18.", "H100 SXM is kept",
      "f:1: Paths between a GPU and its nearest NIC: from PIX to NODE.", "!left out" } },
  { "without NVLink: never called so",
    "        GPU0    GPU1    CPU Affinity    NUMA Affinity\n"
    "GPU0     X      PHB     0-11            N/A\n"
    "GPU1    PHB      X      0-11            N/A\n",
    { "cluster.gpus-per-node=2", "cluster.intra=pcie", "cluster.gpu=h100-pcie-80",
      "cluster.multicast=false" },
    { "only over PCIe", "The GPUs have no direct links." } },
  { "old names: NICs as columns, SOC, no NUMA column",
    "\tGPU0\tGPU1\tmlx5_0\tmlx5_2\tCPU Affinity\n"
    "GPU0\t X \tNV2\tPIX\tSOC\t0-19,40-59\n"
    "GPU1\tNV2\t X \tSOC\tPIX\t20-39,60-79\n"
    "mlx5_0\tPIX\tSOC\t X \tSOC\t\n"
    "mlx5_2\tSOC\tPIX\tSOC\t X \t\n",
    { "cluster.gpus-per-node=2", "cluster.nics-per-node=2", "cluster.intra=mesh",
      "cluster.intra-bandwidth=50" },
    { "f:1: Bandwidth inside a node: 50 GB/s. This is 25 GB/s for each", "NIC: PIX." } },
  { "four A100 joined directly",
    "\tGPU0\tGPU1\tGPU2\tGPU3\n"
    "GPU0\t X \tNV4\tNV4\tNV4\nGPU1\tNV4\t X \tNV4\tNV4\n"
    "GPU2\tNV4\tNV4\t X \tNV4\nGPU3\tNV4\tNV4\tNV4\t X \n",
    { "cluster.node=perlmutter", "cluster.gpu=a100-sxm-40", "cluster.intra=mesh" },
    { "as many NVLinks as those in the file" } },
  { "eight GPUs with eight links to a switch",
    "\tGPU0\tGPU1\tGPU2\tGPU3\n"
    "GPU0\t X \tNV8\tNV8\tNV8\nGPU1\tNV8\t X \tNV8\tNV8\n"
    "GPU2\tNV8\tNV8\t X \tNV8\nGPU3\tNV8\tNV8\tNV8\t X \n",
    { "cluster.node=hgx-h800", "cluster.gpu=h800-sxm-80", "cluster.intra=nvswitch" },
    { NULL } },
  { "bridges join pairs only: the rest is PCIe",
    "\tGPU0\tGPU1\tGPU2\tGPU3\n"
    "GPU0\t X \tNV4\tSYS\tSYS\nGPU1\tNV4\t X \tSYS\tSYS\n"
    "GPU2\tSYS\tSYS\t X \tNV4\nGPU3\tSYS\tSYS\tNV4\t X \n",
    { "cluster.intra=pcie", "cluster.gpus-per-node=4" },
    { "Some pairs of GPUs have direct links: at most 4" } },
  { "a NIC that no GPU is near to",
    "\tGPU0\tGPU1\tNIC0\tNIC1\tNIC2\n"
    "GPU0\t X \tNV18\tPIX\tNODE\tSYS\nGPU1\tNV18\t X \tNODE\tPIX\tSYS\n",
    { "cluster.nics-per-node=2", "cluster.intra=nvswitch" },
    { "1 of 3 NICs are left out" } },
  { "one GPU",
    "\tGPU0\tNIC0\tCPU Affinity\tNUMA Affinity\nGPU0\t X \tPHB\t0-3\t0\nNIC0\tPHB\t X \n",
    { "cluster.gpus-per-node=1", "cluster.nics-per-node=1" },
    { NULL } },
  { "another node after the table",
    "\tGPU0\tGPU1\nGPU0\t X \tNV18\nGPU1\tNV18\t X \n\n\tGPU0\tGPU1\nGPU0\t X \tSYS\n",
    { "cluster.gpus-per-node=2", "cluster.intra=nvswitch" },
    { "f:5: The second table is ignored" } },
  { "short or missing rows of NICs",
    "\tGPU0\tGPU1\tNIC0\tNIC1\nGPU0\t X \tSYS\tPIX\tSYS\nGPU1\tSYS\t X \tSYS\tPIX\nNIC0\tPIX\n",
    { "cluster.nics-per-node=2", "cluster.intra=pcie" },
    { "f:4: The output is cut off: NIC0 has no complete row. Its paths are taken from "
      "the rows of the GPUs." } },
  { "a row of an unknown NIC",
    "\tGPU0\tmlx5_0\tmlx5_1\nGPU0\t X \tPIX\tSYS\nmlx5_0\tPIX\t X \tSYS\n",
    { "cluster.nics-per-node=1" },
    { "f: The output is cut off: mlx5_1 has no complete row", "!legend" } },
  { "no legend",
    "\tGPU0\tNIC0\nGPU0\t X \tPIX\nNIC0\tPIX\t X \n",
    { "cluster.nics-per-node=1" },
    { "f: The output is cut off, so no legend names the NICs. The NICs are identified by their "
      "numbers." } },
  { "part of a legend",
    "\tGPU0\tNIC0\tNIC1\nGPU0\t X \tPIX\tSYS\nNIC0\tPIX\t X \tSYS\nNIC1\tSYS\tSYS\t X \n\n"
    "NIC Legend:\n\n  NIC0: mlx5_0\n",
    { "cluster.nics-per-node=1" },
    { "f: The output is cut off, so no legend names the NICs. The NICs are identified by their "
      "numbers." } },
  { "all rows end after their CPUs",
    "\tGPU0\tGPU1\tCPU Affinity\tNUMA Affinity\n"
    "GPU0\t X \tSYS\t0-95\nGPU1\tSYS\t X \t96-191\n",
    { "cluster.gpus-per-node=2" },
    { "f:1: The table does not list the NUMA nodes" } },
  { "cells that are empty, as in a virtual machine",
    "        GPU0    GPU1    CPU Affinity    NUMA Affinity   GPU NUMA ID\n"
    "GPU0     X      SYS                                     N/A\n"
    "GPU1    SYS      X                                      N/A\n",
    { "cluster.gpus-per-node=2" },
    { "!does not list the NUMA nodes" } },
  { "no row is cut", board, { "cluster.nics-per-node=2" }, { "!cut off" } },
  { "old names need no legend",
    "\tGPU0\tmlx5_0\nGPU0\t X \tPIX\nmlx5_0\tPIX\t X \n",
    { "cluster.nics-per-node=1" },
    { "!cut off" } },
};

static void
test_files (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (files); i++)
    run_import (&files[i], "nvidia-smi", NULL);
}

static const BrokenCase broken[] = {
  { "no table", "GPU0 is hot\n", " No line with GPU0" },
  { "a row is cut off", "\tGPU0\tGPU1\tGPU2\nGPU0\t X \tSYS\tSYS\nGPU1\tSYS\t X \n",
    "3: The row of GPU1 has 2 paths, but the table has 3 columns" },
  { "a row is missing", "\tGPU0\tGPU1\nGPU0\t X \tSYS\n\nLegend:\n", "4: The row of GPU1" },
  { "the rest is missing", "\tGPU0\tGPU1\nGPU0\t X \tSYS\n", "2: The row of GPU1 is missing" },
  { "another order", "\tGPU0\tGPU1\nGPU1\tSYS\t X \nGPU0\t X \tSYS\n", "2: The row of GPU0" },
  { "cut in a path", "\tGPU0\tGPU1\tNIC0\nGPU0\t X \tSYS\tNO\nGPU1\tSYS\t X \tNO\n",
    "2: The output is cut off on the right, at “NO”" },
  { "cut in the links", "\tGPU0\tGPU1\nGPU0\t X \tN\nGPU1\tNV18\t X \n",
    "2: The output is cut off on the right, at “N”" },
  { "cut in a title", "\tGPU0\tGPU1\tCPU Affi\nGPU0\t X \tSYS\t0-95\nGPU1\tSYS\t X \t0-95\n",
    "1: The output is cut off on the right, at “Affi”" },
  { "cut between columns", "\tGPU0\tGPU1\nGPU0\t X \tSYS\nGPU1\tSYS\t X \nGPU2\tSYS\tSYS\n",
    "1: The output is cut off on the right, at “GPU1”" },
  { "cut after the columns", "\tGPU0\tGPU1\nGPU0\t X \tSYS\t0-95\t0\nGPU1\tSYS\t X \t0-95\t1\n",
    "1: The output is cut off on the right, at “GPU1”" },
  { "cut in a title of two words",
    "\tGPU0\tGPU1\tCPU Affinity\tNUMA\nGPU0\t X \tSYS\t0-9\t0\nGPU1\tSYS\t X \t0-9\t1\n",
    "1: The output is cut off on the right, at “NUMA”" },
  { "cut in the name of a NIC",
    "\tGPU0\tmlx5_0\tmlx5_\nGPU0\t X \tPIX\tPIX\nmlx5_0\tPIX\t X \tPIX\n",
    "1: The output is cut off on the right, at “mlx5_”" },
  { "a row is cut after its paths",
    "\tGPU0\tGPU1\tCPU Affinity\tNUMA Affinity\n"
    "GPU0\t X \tSYS\t0-95\t0\nGPU1\tSYS\t X \t96\n",
    "3: The output is cut off on the right, at “96”" },
  { "no path", "\tGPU0\tGPU1\nGPU0\t X \tFAST\nGPU1\tSYS\t X \n", "2: “FAST” in the row of GPU0" },
  { "too many links", "\tGPU0\tGPU1\nGPU0\t X \tNV999999999999\nGPU1\tSYS\t X \n",
    "2: “NV999999999999” in the row of GPU0" },
  { "different in the other direction", "\tGPU0\tGPU1\nGPU0\t X \tNV4\nGPU1\tSYS\t X \n",
    "3: GPU1 to GPU0 is SYS here but NV4 on line 2" },
  { "a NIC says something else", "\tGPU0\tNIC0\nGPU0\t X \tPIX\nNIC0\tSYS\t X \n",
    "3: NIC0 to GPU0 is SYS here but PIX" },
  { "X at the wrong place", "\tGPU0\tGPU1\nGPU0\tSYS\t X \nGPU1\tSYS\t X \n",
    "2: The row of GPU0 has SYS in the column of GPU0" },
  { "a column twice", "\tGPU0\tGPU0\nGPU0\t X \tSYS\n", "1: “GPU0” is not a column" },
  { "a GPU after the NICs", "\tGPU0\tNIC0\tGPU1\nGPU0\t X \tSYS\tSYS\n",
    "1: “GPU1” is not a column" },
  { "binary", "\tGPU0\nGPU0\t X \n\xFF", "3: Byte 0xFF" },
  { "a hostile name", "\tGPU0\tNIC0\t$(reboot)0\nGPU0\t X \tSYS\tSYS\n",
    "1: “$(reboot)0” is not a column" },
};

static void
test_broken (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (broken); i++)
    run_broken (&broken[i], "nvidia-smi");
}

/* Many columns, or one word as long as the file, are refused quickly. */
static void
test_large (void)
{
  g_autoptr (GString) head = g_string_new (NULL);
  g_autofree char *word = repeat_text ("GPU0\n12345678", 100000);
  g_autofree char *self = repeat_text ("X ", 1000000);
  g_autofree char *row = g_strconcat ("\tGPU0\tGPU1\nGPU0 ", self, "\n", NULL);

  for (int i = 0; i < 400000; i++)
    g_string_append_printf (head, "\tGPU%d", i);
  g_string_append (head, "\nGPU0\t X \n");
  run_broken (&(BrokenCase) { "head", head->str, "1: The table has 400000 GPUs and 0 NICs" },
              "nvidia-smi");
  run_broken (&(BrokenCase) { "word", word, "" }, "nvidia-smi");
  run_broken (&(BrokenCase) { "row", row, "2: The row of GPU0 has X in the column of GPU1" },
              "nvidia-smi");
}

/* The GPU of the open plan stays if it has the same number of links. */
static void
test_keeps_gpu (void)
{
  g_autoptr (PlgCatalogue) catalogue = plg_catalogue_load (NULL);
  g_autoptr (PlgPlan) plan = plg_catalogue_default_plan (catalogue);
  static const char *const b200[] = { "cluster.node=hgx-b200", NULL };
  static const ImportCase kept = { "B200", board, { "cluster.gpu=b200-sxm-180" }, { "B200" } };

  g_assert_true (plg_settings_apply (plan, catalogue, b200, NULL));
  run_import (&kept, "nvidia-smi", plan);
}

/* A tray of the open plan's racks describes all trays; a tray of another rack does not. */
static void
test_trays (void)
{
  static const char tray[] = "\tGPU0\tGPU1\tGPU2\tGPU3\tNIC0\tNIC1\tCPU Affinity\tNUMA Affinity\n"
                             "GPU0\t X \tNV18\tNV18\tNV18\tNODE\tSYS\t0-71\t0\n"
                             "GPU1\tNV18\t X \tNV18\tNV18\tNODE\tSYS\t0-71\t0\n"
                             "GPU2\tNV18\tNV18\t X \tNV18\tSYS\tNODE\t72-143\t1\n"
                             "GPU3\tNV18\tNV18\tNV18\t X \tSYS\tNODE\t72-143\t1\n"
                             "NIC0\tNODE\tNODE\tSYS\tSYS\t X \tSYS\n"
                             "NIC1\tSYS\tSYS\tNODE\tNODE\tSYS\t X \n";
  static const char *const racks[] = { "cluster.node=gb200-nvl72",
                                       "cluster.nodes=2",
                                       "parallelism.tp=8",
                                       "parallelism.pp=2",
                                       "parallelism.dp=9",
                                       "training.global-batch=144",
                                       NULL };
  static const ImportCase kept = {
    "a tray",
    tray,
    { "cluster.gpus-per-node=72", "cluster.gpus-per-host=4", "cluster.nics-per-node=36",
      "cluster.nodes=2", "parallelism.tp=8", "parallelism.dp=9" },
    { "A node of the open plan has 18 hosts", "f:1: GPUs per host: 4",
      "GPUs per node: 72. This is the total of all hosts in a node.",
      "NICs per node: 36. This is the total of all "
      "hosts in a node.",
      "!The file describes one node", "one host, but the plan has 2" }
  };
  g_autoptr (PlgCatalogue) catalogue = plg_catalogue_load (NULL);
  g_autoptr (PlgPlan) plan = plg_catalogue_default_plan (catalogue);
  g_autoptr (PlgImportResult) read = NULL;
  const PlgNodeTopology *map;

  g_assert_true (plg_settings_apply (plan, catalogue, racks, NULL));
  run_import (&kept, "nvidia-smi", plan);
  read = import_text (tray, "nvidia-smi", plan, NULL);
  map = &read->plan->node_topology;
  g_assert_cmpint (plg_node_topology_to_gpu (map, 3, 71)->links, ==, 18);
  g_assert_cmpint (plg_node_topology_to_nic (map, 71, 35)->type, ==, PLG_PATH_NODE);
  g_assert_cmpint (plg_node_topology_to_nic (map, 71, 0)->type, ==, PLG_PATH_UNKNOWN);
  g_assert_cmpint (map->numa[71], ==, 35);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/nvidia-smi/tabs", test_tabs);
  g_test_add_func ("/nvidia-smi/trays", test_trays);
  g_test_add_func ("/nvidia-smi/copies", test_copies);
  g_test_add_func ("/nvidia-smi/wrapped", test_wrapped);
  g_test_add_func ("/nvidia-smi/cut", test_cut);
  g_test_add_func ("/nvidia-smi/files", test_files);
  g_test_add_func ("/nvidia-smi/broken", test_broken);
  g_test_add_func ("/nvidia-smi/large", test_large);
  g_test_add_func ("/nvidia-smi/keeps-gpu", test_keeps_gpu);
  return g_test_run ();
}
