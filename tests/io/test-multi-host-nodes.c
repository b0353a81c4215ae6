/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "io/plan/catalogue-xml.h"
#include "io/placement/launch-placement.h"
#include "placed-plan.h"
#include "plan/edit.h"
#include "plan/settings/setting.h"

#include <stdlib.h>
#include <string.h>

/* Racks of trays in launcher files, written and read back: a launcher knows hosts, a plan knows
 * nodes. */

#define RACK "cluster.node=gb200-nvl72", "parallelism.tp=4", "parallelism.pp=2"
#define RACKS RACK, "cluster.nodes=4", "parallelism.dp=36", "training.global-batch=72"
/* Names whose alphabetical order is not the order of the racks. */
#define LISTS \
  "cluster.node-names=0=zeta[01-18],1=b[3-20].lab,2=q7,q[1-6],x.lab,aa[1-10],3=gb[100-117]"

static const PlacedPlan plans[] = {
  { "64 GPUs", { NULL }, { NULL } },
  { "64 GPUs, moved", { NULL }, { "4-12", "n1-n4", "60-1" } },
  { "64 GPUs, nodes exchanged", { NULL }, { "n1-n4", "n0-n7" } },
  { "one rack",
    { RACK, "parallelism.dp=9", "cluster.nodes=1", "training.global-batch=36" },
    { NULL } },
  { "four racks", { RACKS }, { NULL } },
  { "four racks, moved", { RACKS }, { "4-150", "n1-n3", "60-1" } },
  { "four racks, exchanged", { RACKS }, { "n1-n3", "n0-n2" } },
  { "four racks, named",
    { RACKS, "cluster.node-names=0=zeta,1=rack-b.lab,2=node0,3=a" },
    { NULL } },
  { "four racks, hosts named", { RACKS, LISTS }, { NULL } },
  { "four racks, hosts named, moved", { RACKS, LISTS }, { "4-150", "n1-n3", "60-1" } },
  { "four racks, hosts named, exchanged", { RACKS, LISTS }, { "n1-n3", "n0-n2" } },
  { "four racks, one with names of hosts",
    { RACKS, "cluster.node-names=1=gb[001-018],2=rack" },
    { "n0-n1" } },
};

/* Returns whether the format stores the placement of ranks on hosts and can be read back;
 * scripts are read by their table. A DeviceMesh has only ranks. */
static gboolean
comes_back (const PlgFormat *format)
{
  return format->subject == PLG_SUBJECT_PLACEMENT && format->write != NULL &&
         !g_str_equal (format->name, "device-mesh");
}

static char *
names_of (const PlgPlan *plan)
{
  return plg_node_names_to_string (&plan->node_names);
}

static void
assert_same (const PlgPlan *read, const PlgPlan *plan, const char *what, const char *format)
{
  g_autofree char *now = names_of (read), *was = names_of (plan);

  if (!placed_plan_same (read, plan) ||
      plg_cluster_hosts (&read->cluster) != plg_cluster_hosts (&plan->cluster))
    g_error ("%s, %s: another plan", what, format);
  if (!g_str_equal (now, was))
    g_error ("%s, %s: the nodes have the names %s", what, format, now);
}

static PlgImportResult *
read_text (const char *text, const PlgPlan *base, const PlgCatalogue *catalogue, const char *what)
{
  g_autoptr (GBytes) bytes = g_bytes_new_static (text, strlen (text));
  g_autoptr (GError) error = NULL;
  PlgImportResult *import = plg_format_read (bytes, "FILE", base, catalogue, &error);

  if (import == NULL)
    g_error ("%s: %s", what, error->message);
  return import;
}

/* Reads files over a plan with the same nodes, and over a plan with the same number of nodes of
 * one host. */
static void
test_round_trip (void)
{
  int n, written = 0;
  const PlgFormat *const *formats = plg_formats (&n);
  g_autoptr (PlgCatalogue) catalogue = plg_catalogue_load (NULL);

  for (guint i = 0; i < G_N_ELEMENTS (plans); i++)
    for (int j = 0; j < n; j++)
      {
        g_autoptr (PlgPlan) plan = placed_plan (&plans[i], catalogue);
        g_autoptr (PlgPlan) base = placed_plan_base (plan), single = placed_plan_base (plan);
        g_autofree char *text = comes_back (formats[j])
                                    ? placed_plan_write (plan, formats[j]->name, NULL)
                                    : NULL;
        g_autoptr (PlgImportResult) read = NULL, other = NULL;

        if (text == NULL)
          continue;
        read = read_text (text, base, catalogue, plans[i].name);
        assert_same (read->plan, plan, plans[i].name, formats[j]->name);
        single->cluster.gpus_per_host = 0;
        other = read_text (text, single, catalogue, plans[i].name);
        assert_same (other->plan, plan, plans[i].name, formats[j]->name);
        written++;
      }
  g_assert_cmpint (written, >, 100);
}

/* A user renames hosts in a text editor, so that the order of the names differs from the order
 * of the hosts. */
static gboolean
rename_cb (const GMatchInfo *match, GString *result, gpointer data)
{
  g_autofree char *node = g_match_info_fetch (match, 1), *tray = g_match_info_fetch (match, 2);

  g_string_append_printf (result, "h%02d-%c", (atoi (tray) * 7 + 3) % 18,
                          'z' - (char) (atoi (node) * 3));
  return FALSE;
}

static char *
rename_all (const char *text)
{
  g_autoptr (GRegex) regex = g_regex_new ("\\bnode(\\d+)(?:-tray(\\d+))?\\b", 0, 0, NULL);

  return g_regex_replace_eval (regex, text, -1, 0, 0, rename_cb, NULL, NULL);
}

static void
test_renamed (void)
{
  int n;
  const PlgFormat *const *formats = plg_formats (&n);
  g_autoptr (PlgCatalogue) catalogue = plg_catalogue_load (NULL);

  for (guint i = 0; i < G_N_ELEMENTS (plans); i++)
    for (int j = 0; j < n; j++)
      {
        g_autoptr (PlgPlan) plan = placed_plan (&plans[i], catalogue);
        g_autoptr (PlgPlan) base = placed_plan_base (plan);
        g_autofree char *text = comes_back (formats[j]) && plan->node_names.size == 0
                                    ? placed_plan_write (plan, formats[j]->name, NULL)
                                    : NULL;
        g_autofree char *renamed = text != NULL ? rename_all (text) : NULL;
        g_autoptr (PlgImportResult) read = NULL;

        if (text == NULL)
          continue;
        read = read_text (renamed, base, catalogue, formats[j]->name);
        if (!placed_plan_same (read->plan, plan))
          g_error ("%s, %s: another plan", plans[i].name, formats[j]->name);
        if (strstr (text, "node0") != NULL && plg_launch_count_unnamed_hosts (read->plan) > 0)
          g_error ("%s, %s: names are lost", plans[i].name, formats[j]->name);
      }
}

/* If the comments are unchanged, hosts are in the order of the ranks. */
static void
test_unchanged_comments (void)
{
  g_autoptr (PlgCatalogue) catalogue = plg_catalogue_load (NULL);
  g_autoptr (PlgPlan) plan = placed_plan (&plans[4], catalogue);
  g_autofree char *text = placed_plan_write (plan, "rankfile", NULL);
  char *ranks = strstr (text, "rank 0=");
  g_autofree char *renamed = rename_all (ranks), *whole = NULL, *notes = NULL;
  g_autoptr (PlgImportResult) read = NULL;

  *ranks = '\0';
  whole = g_strconcat (text, renamed, NULL);
  read = read_text (whole, plan, catalogue, "below");
  g_assert_true (placed_plan_same (read->plan, plan));
  g_assert_cmpint (plg_launch_count_unnamed_hosts (read->plan), ==, 0);
  notes = plg_notes_text (read->notes, 1u << PLG_NOTE_INFERRED, NULL);
  g_assert_nonnull (strstr (notes, "use other names for 72 of the listed hosts"));
}

/* Comments and titles of users are not read as our comments. */
static void
test_user_comments (void)
{
  static const char *const titles[] = {
    "node 0: zeta",
    "host 1: node2",
    "node 0: node7",
    "A node is 4 hosts, which are called a to b and so on here",
    "A node of the plan is 2 hosts, and these are counted here.",
    "on 3 nodes of 5 GPUs",
    "Hosts of a node: 4"
  };
  int n;
  const PlgFormat *const *formats = plg_formats (&n);
  g_autoptr (PlgCatalogue) catalogue = plg_catalogue_load (NULL);

  for (guint i = 0; i < G_N_ELEMENTS (titles); i++)
    for (int j = 0; j < n; j++)
      {
        g_autoptr (PlgPlan) plan = placed_plan (&plans[i % 2 == 0 ? 0 : 2], catalogue);
        g_autoptr (PlgPlan) base = placed_plan_base (plan);
        g_autofree char *text = NULL;
        g_autoptr (PlgImportResult) read = NULL;

        g_free (plan->title);
        plan->title = g_strdup (titles[i]);
        if (!comes_back (formats[j]) && !g_str_equal (formats[j]->name, "megatron"))
          continue;
        text = placed_plan_write (plan, formats[j]->name, NULL);
        if (text == NULL)
          continue;
        read = read_text (text, base, catalogue, formats[j]->name);
        if (comes_back (formats[j]))
          assert_same (read->plan, plan, titles[i], formats[j]->name);
        g_assert_cmpint (read->plan->cluster.nodes, ==, 8);
      }
}

static void
test_comments (void)
{
  static const char *const comments[] = {
    "# node 0: zeta\n",       "# node 0: $(reboot)\n", "# host 7: see the wiki\n# node 0: c\n",
    "# Hosts of a node: 4\n", "# A node is 2 hosts\n", "# A node is 8 H100 GPUs\n"
  };
  g_autoptr (PlgCatalogue) catalogue = plg_catalogue_load (NULL);

  for (guint i = 0; i < G_N_ELEMENTS (comments); i++)
    {
      g_autofree char *text = g_strconcat (comments[i],
                                           "a slots=2\nb slots=2\nd slots=2\ne slots=2\n", NULL);
      g_autoptr (PlgImportResult) read = read_text (text, NULL, catalogue, comments[i]);
      g_autofree char *names = names_of (read->plan);

      g_assert_cmpstr (names, ==, "0=a,1=b,2=d,3=e");
      g_assert_cmpint (read->plan->cluster.nodes, ==, 4);
      g_assert_cmpint (read->plan->cluster.gpus_per_node, ==, 2);
    }
}

/* Hosts of another size than the hosts of the open plan's racks become nodes and keep all ranks. */
static void
test_other_hosts (void)
{
  g_autoptr (PlgCatalogue) catalogue = plg_catalogue_load (NULL);
  g_autoptr (PlgPlan) racks = placed_plan (&plans[8], catalogue);
  g_autoptr (GString) text = g_string_new (NULL);
  g_autoptr (PlgImportResult) read = NULL;
  g_autofree char *notes = NULL, *names = NULL;

  for (int i = 0; i < 18; i++)
    g_string_append_printf (text, "h%02d slots=8\n", i);
  read = read_text (text->str, racks, catalogue, "of eight");
  g_assert_cmpint (read->plan->cluster.nodes, ==, 18);
  g_assert_cmpint (read->plan->cluster.gpus_per_node, ==, 8);
  g_assert_cmpint (plg_cluster_hosts (&read->plan->cluster), ==, 18);
  names = names_of (read->plan);
  g_assert_true (g_str_has_prefix (names, "0=h00,1=h01,"));
  notes = plg_notes_text (read->notes, 1u << PLG_NOTE_UNDERSTOOD, NULL);
  g_assert_null (strstr (notes, "GPUs per host"));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/multi-host-nodes/round-trip", test_round_trip);
  g_test_add_func ("/multi-host-nodes/renamed", test_renamed);
  g_test_add_func ("/multi-host-nodes/unchanged-comments", test_unchanged_comments);
  g_test_add_func ("/multi-host-nodes/user-comments", test_user_comments);
  g_test_add_func ("/multi-host-nodes/comments", test_comments);
  g_test_add_func ("/multi-host-nodes/other-hosts", test_other_hosts);
  return g_test_run ();
}
