/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine/report/report.h"

static void
test_references (void)
{
  PlgReport *report = plg_report_new ();
  PlgFinding finding = { .id = "tp-crosses-node",
                         .text = g_strdup ("TP crosses nodes."),
                         .remedy = g_strdup ("Lower TP."),
                         .edits = g_strdup ("parallelism.tp=8") };

  g_array_append_val (report->findings, finding);
  g_assert_true (plg_report_ref (report) == report);
  plg_report_unref (report);
  g_assert_cmpuint (report->findings->len, ==, 1);
  g_array_set_size (report->findings, 0); /* frees the texts */
  g_assert_cmpuint (report->links->len + report->blocks->len + report->link_shares->len, ==, 0);
  plg_report_unref (report);
}

static gpointer
take_and_drop (gpointer data)
{
  for (int i = 0; i < 10000; i++)
    plg_report_unref (plg_report_ref (data));
  return NULL;
}

static void
test_references_in_threads (void)
{
  PlgReport *report = plg_report_new ();
  GThread *threads[4];

  for (guint i = 0; i < G_N_ELEMENTS (threads); i++)
    threads[i] = g_thread_new (NULL, take_and_drop, report);
  for (guint i = 0; i < G_N_ELEMENTS (threads); i++)
    g_thread_join (threads[i]);
  g_assert_true (g_atomic_ref_count_compare (&report->ref_count, 1));
  plg_report_unref (report);
}

/* Scripts parse these names. */
static void
test_names (void)
{
  const PlgCluster cluster = { 0 };
  static const char *const parts[] = { "compute", "recompute", "host", "bubble", "tp",
                                       "cp",      "ep",        "pp",   "dp",     "optimizer" };
  static const char *const kinds[] = { "all-reduce", "all-gather", "reduce-scatter",
                                       "all-to-all", "send-recv",  "broadcast" };
  G_STATIC_ASSERT (G_N_ELEMENTS (kinds) == PLG_N_COLLECTIVE_KINDS);
  static const char *const tiers[] = { "nvlink", "pcie", "nic", "leaf", "spine" };
  static const char *const severities[] = { "hint", "warning", "error" };

  for (guint i = 0; i < PLG_N_PARTS; i++)
    {
      g_assert_cmpstr (plg_part_name (i), ==, parts[i]);
      g_assert_cmpstr (plg_part_title (i), !=, "");
    }
  for (guint i = 0; i < G_N_ELEMENTS (kinds); i++)
    g_assert_cmpstr (plg_collective_kind_name (i), ==, kinds[i]);
  for (guint i = 0; i < G_N_ELEMENTS (tiers); i++)
    {
      g_assert_cmpstr (plg_tier_name (i), ==, tiers[i]);
      g_assert_cmpstr (plg_tier_title (&cluster, i), !=, "");
    }
  for (guint i = 0; i < G_N_ELEMENTS (severities); i++)
    g_assert_cmpstr (plg_severity_name (i), ==, severities[i]);
}

static void
test_link_names (void)
{
  static const struct
  {
    PlgTier tier;
    PlgNetwork network;
    int node, local, other;
    const char *id, *from, *to;
  } rows[] = {
    { PLG_TIER_NVLINK, PLG_NETWORK_RAIL, 2, 5, -1, "nvlink-2-5", "gpu-21", "nvswitch-2" },
    { PLG_TIER_NVLINK, PLG_NETWORK_RAIL, 2, 5, 6, "nvlink-2-5-6", "gpu-21", "gpu-22" },
    { PLG_TIER_PCIE, PLG_NETWORK_RAIL, 2, 5, -1, "pcie-2-5", "gpu-21", "pcie-root-2" },
    { PLG_TIER_NIC, PLG_NETWORK_RAIL, 2, 5, -1, "nic-2-5", "nic-2-5", "rail-5" },
    { PLG_TIER_NIC, PLG_NETWORK_TREE, 2, 5, -1, "nic-2-5", "nic-2-5", "leaf-2" },
    { PLG_TIER_NIC, PLG_NETWORK_TREE, 9, 5, 1, "nic-9-5", "nic-9-5", "leaf-1" },
    { PLG_TIER_NIC, PLG_NETWORK_FLAT, 2, 5, -1, "nic-2-5", "nic-2-5", "leaf-0" },
    { PLG_TIER_LEAF, PLG_NETWORK_TREE, -1, 3, 1, "leaf-3-spine-1", "leaf-3", "spine-1" },
    { PLG_TIER_LEAF, PLG_NETWORK_RAIL, -1, 3, 1, "leaf-3-spine-1", "rail-3", "spine-1" },
  };
  g_autoptr (PlgPlan) plan = plg_plan_new ();

  plan->cluster.gpus_per_node = 8;
  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      PlgLink link = { .tier = rows[i].tier,
                       .node = rows[i].node,
                       .local = rows[i].local,
                       .other = rows[i].other };
      g_autofree char *id = plg_link_id (&link);
      g_autofree char *from = NULL, *to = NULL;

      plan->cluster.network = rows[i].network;
      from = plg_link_from (&link, plan);
      to = plg_link_to (&link, plan);
      g_assert_cmpstr (id, ==, rows[i].id);
      g_assert_cmpstr (from, ==, rows[i].from);
      g_assert_cmpstr (to, ==, rows[i].to);
    }
}

static void
test_link_bytes (void)
{
  PlgLink link = { .bytes_out = 3.0, .bytes_in = 5.0 };

  g_assert_cmpfloat (plg_link_bytes (&link), ==, 5.0);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/report/references", test_references);
  g_test_add_func ("/report/threads", test_references_in_threads);
  g_test_add_func ("/report/names", test_names);
  g_test_add_func ("/report/links/names", test_link_names);
  g_test_add_func ("/report/links/bytes", test_link_bytes);
  return g_test_run ();
}
