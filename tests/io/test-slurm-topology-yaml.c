/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "import-case.h"

#define TREE "- topology: t\n  tree:\n    switches:\n"

static const ImportCase files[] = {
  { "a tree, the root first",
    "---\n# of Slurm\n- topology: default\n  cluster_default: true\n  tree:\n    switches:\n"
    "      - switch: spine\n        children: leaf[0-1]\n"
    "      - switch: leaf1\n        nodes: node[4-7]\n"
    "      - switch: leaf0\n        nodes: \"node[0-3]\"\n",
    { "cluster.nodes=8", "cluster.network=tree", "cluster.node-names=", "cluster.gpus-per-node=8" },
    { "f:11: Nodes: 8", "Node names: node[0-7]", "!ignored", "!not in the catalogue" } },
  { "the default of several, with what it does not use",
    "- topology: cpu\n  flat: true\n- topology: nvl\n  block:\n    blocks:\n    - block: b\n"
    "      nodes: x\n- topology: gpu\n  cluster_default: True\n  color: red\n  tree:\n"
    "    switches:\n    - switch: s\n      nodes: gpu[1-2]\n      speed: 3\n    - switch: empty\n",
    { "cluster.nodes=2", "cluster.network=flat", "cluster.node-names=0=gpu1,1=gpu2" },
    { "f:1: Topology “cpu” is ignored: a plan has only one topology, and “gpu” is used.",
      "f:3: Topology “nvl”", "f:10: color is not part of a plan",
      "f:15: speed is not part of a plan", "f:16: “empty” has nothing below it" } },
  { "none is the default",
    "- topology: flat\n  cluster_default: true\n  flat: true\n" TREE
    "      - switch: a\n        nodes: n[0-3]\n" TREE "      - switch: a\n        nodes: m\n",
    { "cluster.nodes=4" },
    { "f:1: Topology “flat”", "f:9: Topology “t”" } },
  { "blocks, one of them kept free",
    "- topology: nvl\n  block:\n    block_sizes:\n        - 2\n        - 4\n    blocks:\n"
    "        - block: b0\n          nodes: gb[01-02]\n        - block: b1\n"
    "        - block: b2\n          nodes: gb[03-04]\n",
    { "cluster.nodes=4", "cluster.network=rail", "cluster.node-names=0=gb01,1=gb02,2=gb03,3=gb04" },
    { "2 blocks", "f:3: block_sizes is not part of a plan", "f:9: “b1” has nothing below it",
      "!versubscription" } },
  { "leaves of different sizes",
    TREE "      - switch: a\n        nodes: n[0-2]\n      - switch: b\n        nodes: n[3-7]\n"
         "      - switch: c\n        nodes: n[8-9]\n",
    { "cluster.nodes=10", "cluster.network=tree" },
    { "f:6: The leaves have different numbers of nodes: 5 below “b”, but 3 below “a”. "
      "With the NICs of the plan, each leaf has 4",
      "From node 3 (“n3”) on" } },
};

static void
test_files (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (files); i++)
    run_import (&files[i], "slurm-topology-yaml", NULL);
}

static const BrokenCase broken[] = {
  { "no list", "topology: t\n", "1: No topology has “tree:”" },
  { "one value", "- topology\n", "1: No topology has “tree:”" },
  { "flat alone", "- topology: t\n  flat: true\n", "1: No topology has “tree:”" },
  { "nothing below", "- topology: t\n  tree:\n", "2: “tree” needs “switches:”" },
  { "no list below", "- topology: t\n  block:\n    blocks: b0\n", "2: “block” needs “blocks:”" },
  { "a map below", "- topology: t\n  tree:\n    switches:\n      switch: a\n",
    "2: “tree” needs “switches:”" },
  { "both", "- topology: t\n  tree:\n  block:\n", "1: This topology has both" },
  { "no name", "\n- tree:\n    switches: []\n", "2: This topology has no name" },
  { "a switch without a name", TREE "      - nodes: n\n", "4: This entry of “switches” has no" },
  { "a name that is a list", TREE "      - switch: [a]\n", "4: This entry of “switches” has no" },
  { "no nodes", TREE "      - switch: a\n", " No switch has nodes below it" },
  { "cut off", TREE "      - switch: s\n        children: a\n      - swi",
    "6: This entry of “switches” has no name" },
  { "both below", TREE "      - switch: a\n        nodes: n\n        children: b\n",
    "4: “a” has both nodes and switches" },
  { "no such switch", TREE "      - switch: a\n        children: b\n",
    "4: Switch “b” does not exist" },
  { "below itself",
    TREE "      - switch: x\n        nodes: n\n      - switch: a\n        children: b\n"
         "      - switch: b\n        children: a\n",
    "6: “a” is below itself" },
  { "twice", TREE "      - switch: a\n        nodes: n\n      - switch: a\n        nodes: m\n",
    "6: The switch “a” already exists" },
  { "twice the same node",
    TREE "      - switch: a\n        nodes: n\n      - switch: b\n        nodes: n\n",
    "6: “n” is listed twice" },
  { "too many", TREE "      - switch: a\n        nodes: n[0-99999999]\n",
    "4: There are more than 16384 hosts" },
  { "hostile", TREE "      - switch: a\n        nodes: $(reboot)\n",
    "4: “$(reboot)” is not a valid" },
  { "path", TREE "      - switch: a\n        nodes: ../../x\n", "4: “../../x” is not a valid" },
  { "hostile switch", TREE "      - switch: $(reboot)\n        nodes: n\n",
    "4: “$(reboot)” is no" },
  { "alias", TREE "      - switch: &a x\n        nodes: *b\n", "5: *b has no value" },
  { "two documents", TREE "      - switch: a\n        nodes: n\n---\n- topology: u\n",
    "6: The file has a second document" },
  { "binary", TREE "\xFF", "4: This is not YAML" },
  { "no YAML", "- topology: t\n tree: [\n", "2: This is not YAML" },
};

static void
test_broken (void)
{
  g_autofree char *deep = repeat_text ("- ", 5000);
  g_autofree char *nested = g_strconcat (TREE, deep, NULL);

  for (guint i = 0; i < G_N_ELEMENTS (broken); i++)
    run_broken (&broken[i], "slurm-topology-yaml");
  run_broken (&(BrokenCase) { "deep", nested, "4: " }, "slurm-topology-yaml");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/slurm-topology-yaml/files", test_files);
  g_test_add_func ("/slurm-topology-yaml/broken", test_broken);
  return g_test_run ();
}
