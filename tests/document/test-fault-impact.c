/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sample.h"

#include "document/fault-impact.h"
#include "engine/evaluate.h"
#include "engine/report/redaction.h"
#include "plan/edit.h"
#include "plan/quantity.h"

#include <string.h>

static PlgReport *
evaluate (const PlgPlan *plan)
{
  PlgReport *report = plg_evaluate (plan, PLG_EVALUATE_TOTALS, NULL);

  g_assert_nonnull (report);
  return report;
}

/* Describes the impact of FAULT on the default plan. */
static char *
describe (const PlgFault *fault)
{
  g_autoptr (PlgPlan) plan = sample_plan ();
  g_autoptr (PlgReport) before = evaluate (plan);
  g_autoptr (PlgReport) after = NULL;

  g_assert_true (plg_edit_set_fault (plan, fault, NULL));
  after = evaluate (plan);
  return plg_fault_impact_describe (plan, fault, before, after);
}

/* A slow GPU delays its stage, a slow link delays its collectives, and an unused spine delays
 * nothing. */
static void
test_delayed_parts (void)
{
  g_autofree char *gpu = describe (&(PlgFault) { PLG_FAULT_GPU, 17, 0, 0.5 });
  g_autofree char *port = describe (&(PlgFault) { PLG_FAULT_PORT, 17, 0, 0.5 });
  g_autofree char *uplink = describe (&(PlgFault) { PLG_FAULT_UPLINK, 0, 0, 0.5 });

  g_assert_true (g_str_has_prefix (gpu, "GPU 17 runs at 50 %: step +"));
  g_assert_nonnull (strstr (gpu, ", it delays stage 2 of replica 0"));
  g_assert_true (g_str_has_prefix (port, "The NVLink port of GPU 17 runs at 50 %: step +"));
  g_assert_nonnull (strstr (port, ", TP "));
  g_assert_nonnull (strstr (port, " → "));
  g_assert_cmpstr (uplink, ==,
                   "The uplink of leaf 0 to spine 0 runs at 50 %: the step time does not change");
}

/* While a lesson asks for times, the change is described without its effects. */
static void
test_hidden (void)
{
  static const PlgFault faults[] = { { PLG_FAULT_GPU, 17, 0, 0.5 }, { PLG_FAULT_NIC, 0, 3, 0 } };

  for (gsize i = 0; i < G_N_ELEMENTS (faults); i++)
    {
      g_autoptr (PlgPlan) plan = sample_plan ();
      g_autoptr (PlgReport) before = evaluate (plan), after = NULL;
      g_autoptr (PlgReport) hidden_before = plg_report_redact (before, PLG_REDACT_TIME);
      g_autoptr (PlgReport) hidden_after = NULL;
      g_autofree char *text = NULL, *change = NULL;

      g_assert_true (plg_edit_set_fault (plan, &faults[i], NULL));
      after = evaluate (plan);
      hidden_after = plg_report_redact (after, PLG_REDACT_TIME);
      text = plg_fault_impact_describe (plan, &faults[i], hidden_before, hidden_after);
      g_assert_null (strstr (text, "step"));
      g_assert_null (strchr (text, ':'));
      change = plg_fault_impact_describe_change ("Repaired", hidden_before, hidden_after);
      g_assert_cmpstr (change, ==, "Repaired");
    }
}

/* Describes the impact of FAULT with the links of the report; LINK gets the link whose groups
 * are slow. */
static char *
describe_with_link (const PlgFault *fault, PlgLink *link)
{
  g_autoptr (PlgPlan) plan = sample_plan ();
  g_autoptr (PlgReport) before = plg_evaluate (plan, PLG_EVALUATE_LINKS, NULL), after = NULL;
  int index;

  g_assert_true (plg_edit_set_fault (plan, fault, NULL));
  after = plg_evaluate (plan, PLG_EVALUATE_LINKS, NULL);
  index = plg_fault_impact_link (plan, fault, after);
  g_assert_cmpint (index, >=, 0);
  *link = g_array_index (after->links, PlgLink, index);
  g_assert_cmpfloat (link->bytes_out, >, 0);
  return plg_fault_impact_describe (plan, fault, before, after);
}

/* The traffic of a failed NIC moves to the neighbouring NIC: the groups of both NICs are named
 * with their losses. */
static void
test_groups (void)
{
  PlgLink link;
  g_autofree char *nic = describe_with_link (&(PlgFault) { PLG_FAULT_NIC, 2, 3, 0 }, &link);
  g_autofree char *port = NULL;

  g_assert_cmpint (link.tier, ==, PLG_TIER_NIC);
  g_assert_cmpint (link.node, ==, 2);
  g_assert_cmpint (link.local, ==, 2);
  g_assert_nonnull (strstr (nic, "NIC 3 of node 2 has failed: step +"));
  g_assert_nonnull (strstr (nic, "DP 18–19 reduce-scatter "));
  g_assert_nonnull (strstr (nic, " → "));
  port = describe_with_link (&(PlgFault) { PLG_FAULT_PORT, 17, 0, 0.5 }, &link);
  g_assert_cmpint (link.node * 8 + link.local, ==, 17);
  g_assert_nonnull (strstr (port, ", TP 2 "));
}

/* In the plain order no traffic crosses the spines: the highlighted link is the cut uplink, not
 * another uplink without more traffic. */
static void
test_unused_uplink (void)
{
  g_autoptr (PlgPlan) plan = sample_plan ();
  const PlgFault fault = { PLG_FAULT_UPLINK, 1, 0, 0 };
  g_autoptr (PlgReport) after = NULL;
  const PlgLink *link;
  g_autofree char *id = NULL;
  int index;

  g_assert_true (plg_edit_set_fault (plan, &fault, NULL));
  after = plg_evaluate (plan, PLG_EVALUATE_LINKS, NULL);
  index = plg_fault_impact_link (plan, &fault, after);
  g_assert_cmpint (index, >=, 0);
  link = &g_array_index (after->links, PlgLink, index);
  id = plg_link_id (link);
  g_assert_cmpstr (id, ==, "leaf-1-spine-0");
}

/* Slow gradients of a stage are described with the times of this stage, not with the times of
 * the slowest stage. */
static void
test_gradients_of_stage (void)
{
  g_autoptr (PlgPlan) plan = sample_plan ();
  const PlgFault fault = { PLG_FAULT_NIC, 1, 1, 0.5 };
  g_autoptr (PlgReport) before = plg_evaluate (plan, PLG_EVALUATE_LINKS, NULL), after = NULL;
  int row = plg_report_find_collective (before, "dp:reduce-scatter");
  g_autofree char *from = plg_format_time (plg_report_stage_calls (before, row, 1)->time);
  g_autofree char *said = NULL, *times = NULL, *to = NULL;

  g_assert_true (plg_edit_set_fault (plan, &fault, NULL));
  after = plg_evaluate (plan, PLG_EVALUATE_LINKS, NULL);
  to = plg_format_time (plg_report_stage_calls (after, row, 1)->time);
  times = g_strdup_printf (" reduce-scatter %s → %s", from, to);
  said = plg_fault_impact_describe (plan, &fault, before, after);
  g_assert_cmpstr (from, !=, to);
  g_assert_nonnull (strstr (said, times));
}

static void
test_repair (void)
{
  g_autoptr (PlgPlan) plan = sample_plan ();
  g_autoptr (PlgReport) before = NULL;
  g_autoptr (PlgReport) after = NULL;
  g_autofree char *text = NULL;

  g_assert_true (plg_edit_set_fault (plan, &(PlgFault) { PLG_FAULT_GPU, 17, 0, 0.5 }, NULL));
  before = evaluate (plan);
  g_assert_true (plg_edit_set_fault (plan, &(PlgFault) { PLG_FAULT_GPU, 17, 0, 1.0 }, NULL));
  g_assert_cmpint (plan->cluster.n_faults, ==, 0);
  after = evaluate (plan);
  text = plg_fault_impact_describe (plan, &(PlgFault) { PLG_FAULT_GPU, 17, 0, 1.0 }, before, after);
  g_assert_true (g_str_has_prefix (text, "GPU 17 is repaired: step −"));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/fault-impact/delayed-parts", test_delayed_parts);
  g_test_add_func ("/fault-impact/hidden", test_hidden);
  g_test_add_func ("/fault-impact/groups", test_groups);
  g_test_add_func ("/fault-impact/unused-uplink", test_unused_uplink);
  g_test_add_func ("/fault-impact/gradients-of-stage", test_gradients_of_stage);
  g_test_add_func ("/fault-impact/repair", test_repair);
  return g_test_run ();
}
