/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "plan/fault.h"

#include "plan/plan-check.h"

#include "plan/settings/setting.h"
#include "sample.h"

#include <math.h>
#include <string.h>

static void
test_round_trip (void)
{
  static const struct
  {
    const char *text, *kept;
  } rows[] = {
    { "", "" },
    { "  ", "" },
    { "gpu:17=0.8", "gpu:17=0.8" },
    { " gpu:1=1 , nic:2.3=0,uplink:0.1=0.50 ,port:3=0.01", "gpu:1=1,nic:2.3=0,uplink:0.1=0.5,"
                                                           "port:3=0.01" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_autoptr (PlgPlan) plan = sample_plan ();
      g_autoptr (GError) error = NULL;
      g_autofree char *kept = NULL;

      plg_setting_set (plan, NULL, "cluster.faults", rows[i].text, &error);
      g_assert_no_error (error);
      kept = plg_setting_get (plg_setting_find ("cluster.faults"), plan);
      g_assert_cmpstr (kept, ==, rows[i].kept);
    }
}

/* Each text is refused with a sentence that states the syntax, and changes nothing. */
static void
test_hostile (void)
{
  static const char *const texts[] = {
    "gpu",          "gpu:",           "gpu:1",        "gpu:1=",         "gpu:1=2",
    "gpu:1=0",      "gpu:1=0.001",    "gpu:-1=0.5",   "gpu:1.5=0.5",    "gpu:1=nan",
    "gpu:1=1e-1",   "gpu:1=0x1",      "gpu:1=.",      "gpu:1=0.5.5",    "nic:1=0",
    "nic:1.=0",     "nic:1.2.3=0",    "nic:1.2=-0",   "leaf:1=0.5",     ",",
    "gpu:1=0.5,",   ",gpu:1=0.5",     "GPU:1=0.5",    "gpu:1 =0.5",     "gpu:99999999999=0.5",
    "uplink:0=0.5", "gpu:1=0.5;2=.5", "\xff\xfe:1=0", "gpu:1=0.5 \x01",
  };
  g_autoptr (PlgPlan) plan = sample_plan ();
  g_autoptr (GString) many = g_string_new (NULL);
  g_autoptr (GError) error = NULL;

  g_assert_true (plg_faults_from_string (&plan->cluster, "gpu:0=0.5", NULL));
  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    {
      g_autoptr (GError) refused = NULL;

      if (plg_faults_from_string (&plan->cluster, texts[i], &refused))
        g_error ("“%s” is taken", texts[i]);
      g_assert_error (refused, PLG_PLAN_ERROR, PLG_PLAN_ERROR_RANGE);
      g_assert_nonnull (strstr (refused->message, "nic:NODE.NIC=RATE"));
      g_assert_true (g_utf8_validate (refused->message, -1, NULL));
      g_assert_cmpint (plan->cluster.n_faults, ==, 1);
    }
  for (int i = 0; i <= PLG_MAX_FAULTS; i++)
    g_string_append_printf (many, "%sgpu:%d=0.5", i > 0 ? "," : "", i);
  g_assert_false (plg_faults_from_string (&plan->cluster, many->str, &error));
  g_assert_nonnull (strstr (error->message, "32"));
}

/* Parts that a cluster of 2 nodes with 8 GPUs and 8 NICs each does not have. */
static void
test_check (void)
{
  static const struct
  {
    const char *text, *message;
  } rows[] = {
    { "gpu:15=0.5,port:15=0.5,nic:1.7=0,uplink:7.3=0", NULL },
    { "gpu:16=0.5", "gpu:0 to gpu:15" },
    { "port:16=0.5", "port:0 to port:15" },
    { "nic:2.0=0", "nic:0.0 to nic:1.7" },
    { "nic:0.8=0", "nic:0.0 to nic:1.7" },
    { "uplink:8.0=0.5", "uplink:0.0 to uplink:7.3" },
    { "gpu:1=0.5,gpu:1=0.6", "twice" },
    { "nic:1.0=0,nic:1.1=0,nic:1.2=0,nic:1.3=0,nic:1.4=0,nic:1.5=0,nic:1.6=0,nic:1.7=0",
      "node 1 has no working NIC" },
    { "nic:1.0=0,nic:1.1=0,nic:1.2=0,nic:1.3=0,nic:1.4=0,nic:1.5=0,nic:1.6=0,nic:1.7=0.01", NULL },
    { "uplink:2.0=0,uplink:2.1=0,uplink:2.2=0,uplink:2.3=0", "leaf 2 has no working uplink" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      PlgCluster cluster = { .nodes = 2, .gpus_per_node = 8, .nics_per_node = 8 };
      g_autoptr (GError) error = NULL;

      g_assert_true (plg_faults_from_string (&cluster, rows[i].text, NULL));
      g_assert_cmpint (plg_faults_check (&cluster, &error), ==, rows[i].message == NULL);
      if (rows[i].message != NULL)
        g_assert_nonnull (strstr (error->message, rows[i].message));
    }
}

/* A smaller cluster loses the faults of removed parts, unless they are given too. */
static void
test_prune (void)
{
  PlgCluster cluster = { .nodes = 4, .gpus_per_node = 8, .nics_per_node = 8 };
  g_autofree char *kept = NULL;

  g_assert_true (plg_faults_from_string (&cluster, "gpu:31=0.5,gpu:3=0.5,nic:3.0=0", NULL));
  cluster.nodes = 2;
  plg_faults_prune (&cluster);
  kept = plg_faults_to_string (&cluster);
  g_assert_cmpstr (kept, ==, "gpu:3=0.5");
}

/* A decimal comma is answered with the intended number. */
static void
test_decimal_comma (void)
{
  static const char *const texts[] = { "gpu:1=0,8", "nic:2.3=0,8", "port:3=0.5,gpu:1=0, 8" };

  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    {
      g_autoptr (PlgPlan) plan = sample_plan ();
      g_autoptr (GError) error = NULL;

      g_assert_false (plg_faults_from_string (&plan->cluster, texts[i], &error));
      g_assert_nonnull (strstr (error->message, "point"));
      g_assert_nonnull (strstr (error->message, "=0.8"));
    }
}

/* A part has at most one fault; a rate of 1 is not a fault. */
static void
test_set (void)
{
  g_autoptr (PlgPlan) plan = sample_plan ();
  g_autofree char *text = NULL;

  g_assert_true (plg_faults_set (&plan->cluster, &(PlgFault) { PLG_FAULT_GPU, 17, 0, 0.8 }, NULL));
  g_assert_true (plg_faults_set (&plan->cluster, &(PlgFault) { PLG_FAULT_NIC, 2, 3, 0.0 }, NULL));
  g_assert_true (plg_faults_set (&plan->cluster, &(PlgFault) { PLG_FAULT_GPU, 17, 0, 0.5 }, NULL));
  g_assert_true (plg_faults_set (&plan->cluster, &(PlgFault) { PLG_FAULT_GPU, 5, 0, 1.0 }, NULL));
  text = plg_faults_to_string (&plan->cluster);
  g_assert_cmpstr (text, ==, "gpu:17=0.5,nic:2.3=0");
  g_assert_cmpfloat (plg_faults_rate (&plan->cluster, PLG_FAULT_GPU, 17, 0), ==, 0.5);
  g_assert_cmpfloat (plg_faults_rate (&plan->cluster, PLG_FAULT_GPU, 16, 0), ==, 1.0);
  g_assert_true (plg_faults_set (&plan->cluster, &(PlgFault) { PLG_FAULT_GPU, 17, 0, 1.0 }, NULL));
  g_assert_cmpint (plan->cluster.n_faults, ==, 1);
  g_assert_cmpint (plan->cluster.faults[0].kind, ==, PLG_FAULT_NIC);
}

static void
test_set_refused (void)
{
  static const double rates[] = { -0.1, 0.0, 0.009, 1.01, NAN, INFINITY };
  g_autoptr (PlgPlan) plan = sample_plan ();

  for (guint i = 0; i < G_N_ELEMENTS (rates); i++)
    {
      g_autoptr (GError) error = NULL;
      PlgFault fault = { PLG_FAULT_GPU, 1, 0, rates[i] };

      g_assert_false (plg_faults_set (&plan->cluster, &fault, &error));
      g_assert_true (g_str_has_prefix (error->message, "GPU 1 cannot run at "));
      g_assert_cmpint (plan->cluster.n_faults, ==, 0);
    }
  for (int i = 0; i < PLG_MAX_FAULTS; i++)
    g_assert_true (plg_faults_set (&plan->cluster, &(PlgFault) { PLG_FAULT_GPU, i, 0, 0.5 }, NULL));
  g_assert_false (plg_faults_set (&plan->cluster, &(PlgFault) { PLG_FAULT_GPU, 60, 0, 0.5 }, NULL));
  g_assert_true (plg_faults_set (&plan->cluster, &(PlgFault) { PLG_FAULT_GPU, 3, 0, 0.6 }, NULL));
}

/* A cut NVLink port leaves PCIe: 64 of 450 GB/s of an H100. A node with PCIe only has no other
 * links. */
static void
test_cut (void)
{
  PlgCluster cluster = { .intra = PLG_INTRA_NVSWITCH, .intra_bandwidth = 450e9 };

  cluster.gpu.pcie_bandwidth = 64e9;
  g_assert_cmpfloat (plg_fault_cut_rate (&cluster, PLG_FAULT_PORT), ==, 0.142);
  g_assert_cmpfloat (plg_fault_cut_rate (&cluster, PLG_FAULT_NIC), ==, 0);
  g_assert_cmpfloat (plg_fault_cut_rate (&cluster, PLG_FAULT_UPLINK), ==, 0);
  g_assert_cmpfloat (plg_fault_cut_rate (&cluster, PLG_FAULT_GPU), ==, 1);
  cluster.gpu.pcie_bandwidth = 0;
  g_assert_cmpfloat (plg_fault_cut_rate (&cluster, PLG_FAULT_PORT), ==, 1);
  cluster.gpu.pcie_bandwidth = 64e9;
  cluster.intra = PLG_INTRA_PCIE;
  g_assert_cmpfloat (plg_fault_cut_rate (&cluster, PLG_FAULT_PORT), ==, 1);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/plan/fault/round-trip", test_round_trip);
  g_test_add_func ("/plan/fault/decimal-comma", test_decimal_comma);
  g_test_add_func ("/plan/fault/hostile", test_hostile);
  g_test_add_func ("/plan/fault/check", test_check);
  g_test_add_func ("/plan/fault/prune", test_prune);
  g_test_add_func ("/plan/fault/set", test_set);
  g_test_add_func ("/plan/fault/cut", test_cut);
  g_test_add_func ("/plan/fault/set-refused", test_set_refused);
  return g_test_run ();
}
