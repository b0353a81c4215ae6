/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "import-case.h"

static const ImportCase files[] = {
  { "two leaves under a spine",
    "# a comment\n"
    "SwitchName=leaf1 Nodes=node[4-7]\n"
    "SwitchName=leaf0 Nodes=node[0-3]\n"
    "SwitchName=spine Switches=leaf[0-1]\n",
    { "cluster.nodes=8", "cluster.network=tree", "cluster.node-names=", "cluster.gpus-per-node=8" },
    { "f:3: Nodes: 8", "Node names: node[0-7]", "is left unchanged", "!odes per leaf" } },
  { "lines that go on, keys in any case, LinkSpeed",
    "switchname=a \\\n nodes=gpu[01-02], LINKSPEED=100\n\nSWITCHNAME=b Nodes=gpu[03-04] "
    "LinkSpeed=100 # b\nSwitchName=top Switches=a,b\n",
    { "cluster.nodes=4", "cluster.node-names=0=gpu01,1=gpu02,2=gpu03,3=gpu04" },
    { "f:1: LinkSpeed is ignored: Slurm",
      "Nodes per leaf in the file: 2. With 8 NICs per node, the plan has 4 per leaf" } },
  { "one switch",
    "SwitchName=s Nodes=a,b\n",
    { "cluster.nodes=2", "cluster.network=flat", "cluster.node-names=0=a,1=b" },
    { NULL } },
  { "more NICs than a switch has ports: units of rails",
    "SwitchName=su0 Nodes=n[0-31]\nSwitchName=su1 Nodes=n[32-63]\nSwitchName=x Switches=su[0-1]\n",
    { "cluster.nodes=64", "cluster.network=rail" },
    { "stands for one leaf per rail", "!odes per leaf" } },
  { "three levels, leaves of different sizes, from the top down",
    "SwitchName=s4 Switches=s[2-3]\nSwitchName=s0 Nodes=c1,c2\nSwitchName=s1 Nodes=c3\n"
    "SwitchName=s5 Nodes=c4,c5,c6\nSwitchName=s2 Switches=s0,s1\nSwitchName=s3 Switches=s5\n",
    { "cluster.nodes=6", "cluster.node-names=0=c1,1=c2,2=c3,3=c4,4=c5,5=c6" },
    { "The file has 3 levels",
      "f:3: The leaves have different numbers of nodes: 1 below “s1”, but 2 below “s0”. "
      "With the NICs of the plan, each leaf has",
      "From node 2 (“c3”)" } },
  { "what scontrol show topology prints",
    "SwitchName=leaf0 Level=0 LinkSpeed=1 Nodes=node[0-3]\n"
    "SwitchName=leaf1 Level=0 LinkSpeed=1 Nodes=node[4-7]\n"
    "SwitchName=spine Level=1 LinkSpeed=1 Nodes=node[0-7] Switches=leaf[0-1]\n",
    { "cluster.nodes=8", "cluster.network=tree", "cluster.node-names=" },
    { "f:1: LinkSpeed is ignored: Slurm", "Node names: node[0-7]", "!Level" } },
  { "leaves without a spine",
    "SwitchName=a Nodes=n[0-3]\nSwitchName=b Nodes=n[4-7]\n",
    { "cluster.nodes=8", "cluster.network=tree" },
    { NULL } },
  { "blocks",
    "BlockName=b0 Nodes=gb[01-18]\nBlockName=b1 Nodes=gb[19-36]\nBlockSizes=18\n",
    { "cluster.nodes=36", "cluster.network=rail" },
    { "2 blocks", "f:3: BlockSizes", "!versubscription" } },
};

static void
test_files (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (files); i++)
    run_import (&files[i], "slurm-topology", NULL);
}

static const BrokenCase broken[] = {
  { "no value", "SwitchName=a Nodes\n", "1: “Nodes” must have the form KEY=VALUE" },
  { "cut off", "SwitchName=a Nodes=n[0-3]\nSwitchName=b Nodes=\n",
    "2: “Nodes=” must have the form KEY=VALUE" },
  { "nothing below", "SwitchName=a\n", "1: “a” has nothing below it" },
  { "both below", "SwitchName=a Nodes=n0 Switches=b\n", "1: “a” has both" },
  { "both below a leaf", "SwitchName=a Level=0 Nodes=n0 Switches=b\n", "1: “a” has both" },
  { "a node of no leaf",
    "SwitchName=a Level=0 Nodes=n0\nSwitchName=b Level=1 Nodes=n[0-1] Switches=a\n",
    "2: “b” has the node “n1”, but no switch below it has" },
  { "a node that a spine leaves out",
    "SwitchName=b Level=1 Nodes=n0 Switches=a\nSwitchName=a Level=0 Nodes=n[0-1]\n",
    "1: “b” does not list the node “n1”, which is below one of its switches" },
  { "hostile above", "SwitchName=b Level=1 Nodes=$(reboot) Switches=a\n",
    "1: “$(reboot)” is not a valid" },
  { "twice the same switch", "SwitchName=a Nodes=n0\nSwitchName=a Nodes=n1\n",
    "2: The switch “a” already exists" },
  { "twice the same node", "SwitchName=a Nodes=n0\nSwitchName=b Nodes=n[0-1]\n",
    "2: “n0” is listed twice" },
  { "no such switch", "SwitchName=a Nodes=n0\nSwitchName=b Switches=c\n",
    "2: Switch “c” does not exist" },
  { "below two", "SwitchName=a Nodes=n0\nSwitchName=b Switches=a\n\nSwitchName=c Switches=a\n",
    "4: “a” is below two" },
  { "below itself", "SwitchName=x Nodes=n\nSwitchName=a Switches=b\nSwitchName=b Switches=a\n",
    "2: “a” is below itself" },
  { "no node", "LinkSpeed=3\n", " No switch has nodes" },
  { "nodes of no switch", "SwitchName=a Nodes=n0\nNodes=n1\n", "2: These nodes have no switch" },
  { "reversed", "SwitchName=a Nodes=n[3-1]\n", "1: The range in “n[3-1]” runs backwards" },
  { "open bracket", "\n\nSwitchName=a Nodes=n[0-3\n", "3: “n[0-3” is not a list" },
  { "too many", "SwitchName=a Nodes=n[0-99999999]\n", "1: There are more than 16384 hosts" },
  { "hostile", "SwitchName=a Nodes=$(reboot)\n", "1: “$(reboot)” is not a valid" },
  { "path", "SwitchName=a Nodes=../../x\n", "1: “../../x” is not a valid" },
  { "binary", "SwitchName=a Nodes=n0\n\xFF\xFE\n", "2: Byte 0xFF" },
  { "content after the end", "SwitchName=a Nodes=n[0-\\", "1: “n[0-” is not a list" },
};

static void
test_broken (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (broken); i++)
    run_broken (&broken[i], "slurm-topology");
}

/* A long chain of switches does not exhaust the stack, and a large file is refused quickly. */
static void
test_large (void)
{
  g_autoptr (GString) chain = g_string_new ("SwitchName=s0 Nodes=n\n");
  g_autofree char *many = repeat_text ("SwitchName=a Nodes=n[0-9999]\n", 300000);

  for (int i = 1; i < 16000; i++)
    g_string_append_printf (chain, "SwitchName=s%d Switches=s%d\n", i, i - 1);
  run_broken (&(BrokenCase) { "chain", chain->str, "15984: “s15983” is more than 16 levels" },
              "slurm-topology");
  run_broken (&(BrokenCase) { "many", many, "2: The switch “a” already exists" }, "slurm-topology");
}

/* Hosts are below a leaf; each node of a rack plan has 18 hosts. */
static void
test_racks (void)
{
  static const char leaf[] = "SwitchName=a Nodes=nid[1000-1017]\n"
                             "SwitchName=b Nodes=nid[1018-1035]\nSwitchName=s Switches=a,b\n";
  static const char odd[] = "SwitchName=a Nodes=nid[1000-1008]\n"
                            "SwitchName=b Nodes=nid[1009-1035]\nSwitchName=s Switches=a,b\n";
  static const char uneven[] = "SwitchName=a Nodes=nid[1000-1017]\n"
                               "SwitchName=b Nodes=nid[1018-1053]\nSwitchName=s Switches=a,b\n";
  static const ImportCase cases[] = {
    { "whole racks",
      leaf,
      { "cluster.nodes=2" },
      { "Nodes per leaf in the file: 1. With 72 NICs "
        "per node, the plan has" } },
    { "parts of racks",
      odd,
      { "cluster.nodes=2" },
      { "f:1: Node 0, which has 18 hosts, is split between the leaves “a” and “b” at the host "
        "“nid1009”. In a plan, all hosts of a node have the same leaf, so the network is left "
        "unchanged.",
        "!odes per leaf" } },
    { "one rack, then two",
      uneven,
      { "cluster.nodes=3" },
      { "2 below “b”, but 1 below “a”", "node 2 (“nid1036”)", "!is split between" } },
  };
  g_autoptr (PlgCatalogue) catalogue = plg_catalogue_load (NULL);
  g_autoptr (PlgPlan) plan = plg_catalogue_default_plan (catalogue);

  g_assert_true (plg_settings_apply (plan, catalogue,
                                     (const char *const[]) { "cluster.node=gb200-nvl72",
                                                             "cluster.nodes=2", "parallelism.tp=8",
                                                             "parallelism.pp=2", "parallelism.dp=9",
                                                             "training.global-batch=144", NULL },
                                     NULL));
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    run_import (&cases[i], "slurm-topology", plan);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/slurm-topology/files", test_files);
  g_test_add_func ("/slurm-topology/broken", test_broken);
  g_test_add_func ("/slurm-topology/racks", test_racks);
  g_test_add_func ("/slurm-topology/large", test_large);
  return g_test_run ();
}
