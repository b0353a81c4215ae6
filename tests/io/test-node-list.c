/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "import-case.h"

static const ImportCase files[] = {
  { "one host per line",
    "dgx-01\ndgx-02\n\n  dgx-03  \n# spare\n",
    { "cluster.nodes=3", "cluster.node-names=0=dgx-01,1=dgx-02,2=dgx-03",
      "cluster.gpus-per-node=8" },
    { "f:1: Nodes: 3", "f:1: Node names: dgx-[01-03]" } },
  { "comments after hosts",
    "dgx001\ndgx002 # spare\n  dgx[003-004]\t# training, 2 of them\n#dgx005\n",
    { "cluster.nodes=4", "cluster.node-names=0=dgx001,1=dgx002,2=dgx003,3=dgx004" },
    { "f:1: Nodes: 4" } },
  { "lists of partitions", "gpu05,gpu06\ngpu[07-09],gpu11\n", { "cluster.nodes=6" }, { NULL } },
  { "one line and a comment", "dgx[1-3] # training\n", { "cluster.nodes=3" }, { NULL } },
  { "a list of Slurm",
    "node[00-07,9],gpu-a\n",
    { "cluster.nodes=10" },
    { "Node names: node[00-07,9],gpu-a" } },
  { "commas", "a1,b1,c2\n", { "cluster.nodes=3", "cluster.node-names=0=a1,1=b1,2=c2" }, { NULL } },
  { "brackets, one per line", "r1[0-1,5]\nr2[0-1]\n", { "cluster.nodes=5" }, { NULL } },
  { "default names are numbers",
    "node0\nnode1\nnode2\nnode3\n",
    { "cluster.nodes=4", "cluster.node-names=" },
    { "Node names: node[0-3]" } },
  { "addresses",
    "10.0.0.1\n10.0.0.2\n",
    { "cluster.nodes=2", "cluster.node-names=0=10.0.0.1,1=10.0.0.2" },
    { NULL } },
  { "sinfo -N: a line for each partition",
    "NODELIST   NODES PARTITION STATE \n"
    "gpu01          1      gpu* idle  \n"
    "gpu01          1      long idle  \n"
    "gpu01          1     debug idle  \n"
    "gpu02          1      gpu* down* \n"
    "gpu02          1      long down* \n",
    { "cluster.nodes=2", "cluster.node-names=0=gpu01,1=gpu02" },
    { "f:2: Nodes: 2", "f:5: Nodes that are down or drained: 1." } },
  { "sinfo: the last column",
    "PARTITION AVAIL  TIMELIMIT  NODES  STATE NODELIST\n"
    "debug*       up   infinite      2  drain down[0-1]\n"
    "empty        up   infinite      0    n/a \n"
    "debug*       up   infinite      2   idle down[2-3]\n",
    { "cluster.nodes=4" },
    { "down or drained: 2." } },
};

static void
test_files (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (files); i++)
    run_import (&files[i], "node-list", NULL);
}

static const BrokenCase broken[] = {
  { "twice", "n0\nn1\nn0\n", "3: “n0” is listed twice" },
  { "hostile", "n0\n$(reboot)\n", "2: “$(reboot)” is not a valid" },
  { "path", "../../x\n", "1: “../../x” is not a valid" },
  { "brackets", "n0\nn1\nn[2-\n", "3: “n[2-” is not a list" },
  { "a range that goes down", "n0\nn[5-2]\n",
    "2: The range in “n[5-2]” runs backwards, from 5 to 2; write the lower number first." },
  { "characters that reverse the line", "n0\na\u202eb\n", "2: “a<U+202E>b” is not a valid" },
  { "the same in brackets", "n0\nn\u2066[2-\n", "2: “n<U+2066>[2-” is not a list" },
  { "control characters of a terminal", "n0\nn\x07x\n", "2: “n<U+0007>x” is not a valid" },
  { "nested", "n[1[2-3]]\n", "1: “n[1[2-3]]” is not a list" },
  { "too many", "n[0-99999]\n", "1: There are more than 16384" },
  { "nothing", "# n0\n\n", " No host is listed" },
  { "binary", "n0\n\x80\n", "2: Byte 0x80" },
  { "words", "n0\nDear reader,\n", "2: “Dear reader” is not a valid" },
  { "option", "-oProxyCommand=reboot\n", "1: “-oProxyCommand=reboot” is not a valid" },
};

static void
test_broken (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (broken); i++)
    run_broken (&broken[i], "node-list");
}

/* An invalid name among hosts gives an error with its line; the format is still detected. */
static void
test_error_names_line (void)
{
  static const BrokenCase errors[] = {
    { "command", "n0\nn1\n$(reboot)\n", "3: “$(reboot)” is not a valid" },
    { "path", "../../x\nn1\n", "1: “../../x” is not a valid" },
    { "of ranks", "n0\nn0\n`id`\n`id`\n", "3: “`id`” is not a valid" },
  };
  g_autoptr (PlgCatalogue) catalogue = plg_catalogue_load (NULL);

  for (guint i = 0; i < G_N_ELEMENTS (errors); i++)
    {
      g_autoptr (GBytes) bytes = g_bytes_new (errors[i].text, strlen (errors[i].text));
      g_autoptr (GError) error = NULL;
      g_autofree char *begins = g_strconcat ("f:", errors[i].begins, NULL);

      g_assert_null (plg_format_read (bytes, "f", NULL, catalogue, &error));
      if (!g_str_has_prefix (error->message, begins))
        g_error ("%s: “%s”", errors[i].name, error->message);
    }
}

/* Rows that repeat the same nodes are refused quickly. */
static void
test_large (void)
{
  g_autofree char *rows = repeat_text ("n[0-9999]\n", 1000000);
  g_autofree char *text = g_strconcat ("NODELIST\n", rows, NULL);

  run_broken (&(BrokenCase) { "rows", text,
                              "28: The table lists more than the limit of 262144 nodes" },
              "node-list");
}

/* If the plan's nodes are racks of trays, hosts are trays. */
static void
test_racks (void)
{
  static const ImportCase lists[] = {
    { "names of trays",
      "gpu[001-036]\n",
      { "cluster.nodes=2", "cluster.node-names=0=gpu[001-018],1=gpu[019-036]",
        "cluster.gpus-per-node=72" },
      { "f:1: Hosts in the file: 36. They form nodes of 18 hosts, as in the open plan.",
        "f:1: Host names: gpu[001-036]" } },
    { "names out of order",
      "z[1-9],a9,a8,y[3-9],m[1-17],n.lab\n",
      { "cluster.nodes=2", "cluster.node-names=0=z[1-9],a[9,8],y[3-9],1=m[1-17],n.lab" },
      { "f:1: Nodes: 2. This follows from the hosts in the file." } },
    { "default names",
      "b-tray[0-17].x,a-tray[0-17]\n",
      { "cluster.nodes=2", "cluster.node-names=0=b.x,1=a", "cluster.gpus-per-host=4" },
      { "Host names: b-tray0.x" } },
  };
  static const BrokenCase part = { "part", "gpu[001-007]\n", "1: There are 7 hosts, but a node" };
  g_autoptr (PlgImportResult) read = NULL;
  g_autoptr (PlgCatalogue) catalogue = plg_catalogue_load (NULL);
  g_autoptr (PlgPlan) racks = plg_catalogue_default_plan (catalogue);
  g_autoptr (GError) error = NULL;

  g_assert_true (plg_settings_apply (racks, catalogue,
                                     (const char *const[]) {
                                         "cluster.node=gb200-nvl72", "cluster.nodes=2",
                                         "parallelism.tp=4", "parallelism.pp=2",
                                         "parallelism.dp=18", "training.global-batch=36", NULL },
                                     &error));
  for (guint i = 0; i < G_N_ELEMENTS (lists); i++)
    run_import (&lists[i], "node-list", racks);
  g_assert_null (import_text (part.text, "node-list", racks, &error));
  g_assert_nonnull (strstr (error->message, part.begins));
  /* Nodes of another size have one host each. */
  read = import_text ("rank,node,local_gpu\n0,0,0\n1,0,1\n2,0,2\n3,0,3\n4,0,4\n5,0,5\n6,0,6\n7,0,"
                      "7\n",
                      "ranks", racks, NULL);
  g_assert_cmpint (read->plan->cluster.gpus_per_node, ==, 8);
  g_assert_cmpint (plg_cluster_hosts (&read->plan->cluster), ==, 1);
}

/* Texts that are not lists of nodes: one word, numbers, tables with commas, ranks with hosts. */
static const char *const others[] = { "hello\n",          "1\n2\n3\n",      "rank,node\n0,n0\n",
                                      "n0\nn0\nn1\nn1\n", "n0 slots=8\n",   "Dear reader,\n",
                                      "[section]\na=1\n", "a1: b\n",        "1.5\n2.5\n",
                                      "{\"a1\": 2}\n",    "#!/bin/sh\nls\n" };

static void
test_others (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (others); i++)
    {
      g_test_message ("%s", others[i]);
      g_assert_false (plg_format_find ("node-list")->is (others[i], strlen (others[i])));
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/node-list/files", test_files);
  g_test_add_func ("/node-list/broken", test_broken);
  g_test_add_func ("/node-list/error-names-line", test_error_names_line);
  g_test_add_func ("/node-list/large", test_large);
  g_test_add_func ("/node-list/racks", test_racks);
  g_test_add_func ("/node-list/others", test_others);
  return g_test_run ();
}
