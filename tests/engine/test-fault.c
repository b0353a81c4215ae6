/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine/network/fabric.h"

#include "plans.h"

#include <string.h>

static PlgReport *
with_faults (const char *edits, const char *faults)
{
  g_autofree char *all = g_strdup_printf ("%s%scluster.faults=%s", edits, *edits != '\0' ? " " : "",
                                          faults);

  return report_with (all);
}

static const PlgLink *
find_link (const PlgReport *report, const char *id)
{
  for (guint i = 0; i < report->links->len; i++)
    {
      const PlgLink *link = &g_array_index (report->links, PlgLink, i);
      g_autofree char *name = plg_link_id (link);

      if (g_str_equal (name, id))
        return link;
    }
  g_assert_not_reached ();
}

/* The lower the rate, the longer the step; full rate changes nothing. Each row has edits, a
 * fault of a part in use, and whether the fault matters there. */
static void
test_monotone (void)
{
  static const struct
  {
    const char *edits, *entity;
    gboolean matters;
  } rows[] = {
    { "", "gpu:17", TRUE },
    { "", "port:17", TRUE },
    { "", "nic:2.1", TRUE },
    { "", "uplink:0.1", FALSE }, /* nothing crosses a spine */
    { "parallelism.zero=0", "nic:7.7", TRUE },
    { "parallelism.tp=1 parallelism.cp=4 parallelism.order=dp-cp-tp-pp", "port:3", TRUE },
    { "parallelism.tp=1 parallelism.pp=8 parallelism.order=pp-dp-tp-cp", "nic:0.0", TRUE },
    { "cluster.intra=mesh", "port:60", TRUE },
    { "cluster.intra=pcie", "port:60", TRUE },
    { "cluster.network=tree cluster.oversubscription=4 parallelism.order=tp-dp-pp", "uplink:0.0",
      TRUE },
    { "cluster.network=flat", "nic:3.3", TRUE },
    { "parallelism.tp=1 parallelism.pp=1 cluster.nodes=1 training.recompute=full "
      "training.micro-batch=1",
      "gpu:7", TRUE },
  };
  static const double rates[] = { 1.0, 0.9, 0.7, 0.4, 0.1 };

  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_autoptr (PlgReport) sound = report_with (rows[i].edits);
      double before = sound->step.time;

      for (guint j = 0; j < G_N_ELEMENTS (rates); j++)
        {
          g_autofree char *fault = g_strdup_printf ("%s=%g", rows[i].entity, rates[j]);
          g_autoptr (PlgReport) report = with_faults (rows[i].edits, fault);

          if (rates[j] == 1.0)
            assert_near (report->step.time, before, 1e-12);
          g_assert_cmpfloat (report->step.time, >=, before * (1 - 1e-12));
          before = report->step.time;
        }
      g_test_message ("%s: %g to %g", rows[i].entity, sound->step.time, before);
      if (rows[i].matters)
        g_assert_cmpfloat (before, >, sound->step.time * 1.001);
      else
        assert_near (before, sound->step.time, 1e-12);
    }
}

/* A GPU at half speed doubles the computation time of its stage and changes nothing else there. */
static void
test_slow_gpu (void)
{
  g_autoptr (PlgReport) sound = report_with ("parallelism.pp=1");
  g_autoptr (PlgReport) slow = with_faults ("parallelism.pp=1", "gpu:63=0.5");
  g_autoptr (PlgReport) piped = with_faults ("", "gpu:63=0.5");
  g_autoptr (PlgReport) as_piped = report_with ("");

  assert_near (slow->step.part[PLG_PART_COMPUTE], 2.0 * sound->step.part[PLG_PART_COMPUTE], 1e-9);
  g_assert_cmpfloat (slow->step.part[PLG_PART_TP], ==, sound->step.part[PLG_PART_TP]);
  /* The stages before it wait. */
  g_assert_cmpfloat (piped->bubble.simulated, >, as_piped->bubble.simulated);
  g_assert_cmpfloat (piped->step.time, >, as_piped->step.time);
  g_assert_cmpfloat (piped->step.time, <, 2.0 * as_piped->step.time);
}

/* With another placement, the slow GPU belongs to another stage. */
static void
test_slow_gpu_follows_placement (void)
{
  g_autoptr (PlgPlan) plan = teaching_plan ();
  g_autoptr (PlgReport) ordered = NULL;
  g_autoptr (PlgReport) placed = NULL;

  change (plan, "cluster.faults=gpu:0=0.5");
  ordered = report_of (plan);
  plg_placement_expand (&plan->placement, plg_plan_world (plan));
  for (int i = 0; i < 8; i++) /* stage 3 of replica 0 in place of its stage 0 */
    {
      plan->placement.gpu_of_rank[i] = 24 + i;
      plan->placement.gpu_of_rank[24 + i] = i;
    }
  placed = report_of (plan);
  g_assert_cmpfloat (fabs (placed->step.time / ordered->step.time - 1.0), >, 0.001);
}

/* A failed NIC carries nothing; the other NIC of its pair carries the traffic of both on its own
 * rail, so traffic to the first rail of other nodes crosses a spine. */
static void
test_failed_nic (void)
{
  g_autoptr (PlgReport) sound = report_with ("");
  g_autoptr (PlgReport) failed = with_faults ("", "nic:2.3=0");
  g_autoptr (PlgReport) half = with_faults ("", "nic:2.3=0.5");
  double each = find_link (sound, "nic-2-3")->bytes_out;

  g_assert_cmpfloat (find_link (failed, "nic-2-3")->bandwidth, ==, 0.0);
  g_assert_cmpfloat (find_link (failed, "nic-2-3")->bytes_out, ==, 0.0);
  g_assert_cmpfloat (find_link (failed, "nic-2-3")->time, ==, 0.0);
  assert_near (find_link (failed, "nic-2-2")->bytes_out, 2.0 * each, 1e-9);
  assert_near (find_link (failed, "nic-2-4")->bytes_out, each, 1e-9);
  assert_near (find_link (failed, "nic-3-3")->bytes_out, find_link (sound, "nic-3-3")->bytes_out,
               1e-9);
  g_assert_cmpfloat (find_link (sound, "leaf-2-spine-0")->bytes_out, ==, 0.0);
  g_assert_cmpfloat (find_link (failed, "leaf-2-spine-0")->bytes_out, >, 0.0);
  g_assert_cmpfloat (find_link (failed, "leaf-3-spine-0")->bytes_out, >, 0.0);
  g_assert_cmpfloat (find_link (failed, "leaf-4-spine-0")->bytes_out, ==, 0.0);
  /* Two GPUs on a shared NIC are as slow as one GPU with half a NIC. */
  assert_near (failed->step.time, half->step.time, 1e-9);
  assert_near (find_link (half, "nic-2-3")->bandwidth, 25e9, 1e-12);
  assert_near (find_link (half, "nic-2-3")->time, 2.0 * find_link (sound, "nic-2-3")->time, 1e-9);
}

/* Uplinks share the load by their rate: the other uplinks of a leaf carry the lost traffic. */
static void
test_uplinks (void)
{
  const char *edits = "cluster.network=tree parallelism.order=tp-dp-pp cluster.nodes=32 "
                      "training.global-batch=256";
  g_autoptr (PlgReport) many = report_with (edits);
  g_autoptr (PlgReport) failed = with_faults (edits, "uplink:0.1=0");
  double leaf = 0.0;

  for (int spine = 0; spine < 4; spine++)
    {
      g_autofree char *id = g_strdup_printf ("leaf-0-spine-%d", spine);
      const PlgLink *link = find_link (failed, id);

      leaf += link->bytes_out;
      if (spine == 1)
        g_assert_cmpfloat (link->bytes_out, ==, 0.0);
      else
        assert_near (link->bytes_out, find_link (many, id)->bytes_out * 4.0 / 3.0, 1e-9);
    }
  assert_near (leaf, 4.0 * find_link (many, "leaf-0-spine-0")->bytes_out, 1e-9);
}

/* The advice names the fault and its cost; undoing the fault restores the step. */
static void
test_advice (void)
{
  g_autoptr (PlgReport) sound = report_with ("");
  g_autoptr (PlgReport) slow = with_faults ("", "gpu:17=0.8");
  g_autoptr (PlgReport) idle = with_faults ("", "uplink:0.1=0.5");
  const PlgFinding *finding = find_finding (slow, "fault");

  g_assert_nonnull (finding);
  g_assert_nonnull (strstr (finding->text, "GPU 17 runs at 80 %"));
  assert_near (finding->value, 100.0 * (slow->step.time / sound->step.time - 1.0), 1e-9);
  assert_near (finding->gain, slow->step.time - sound->step.time, 1e-9);
  g_assert_cmpstr (finding->edits, ==, "cluster.faults=");
  g_assert_null (find_finding (sound, "fault"));
  finding = find_finding (idle, "fault");
  g_assert_cmpint (finding->severity, ==, PLG_SEVERITY_HINT);
  g_assert_cmpfloat (finding->value, ==, 0.0);
}

/* Slow links delay only the stage whose groups use them: two slow stages take as long as the
 * slower one, apart from the idle time in the schedule. */
static void
test_links_of_a_stage (void)
{
  g_autoptr (PlgReport) port = with_faults ("", "port:8=0.3");
  g_autoptr (PlgReport) gpu = with_faults ("", "gpu:8=0.5");
  g_autoptr (PlgReport) apart = with_faults ("", "gpu:8=0.5,port:48=0.3");
  g_autoptr (PlgReport) together = with_faults ("", "gpu:8=0.5,port:8=0.3");
  g_autoptr (PlgReport) sound = report_with ("");

  g_assert_cmpint (port->step.busiest_stage, ==, 1);
  g_assert_cmpfloat (port->step.slowest_gpu_factor, ==, 1.0);
  g_assert_cmpfloat (gpu->step.slowest_gpu_factor, ==, 2.0);
  g_assert_cmpfloat (port->bubble.simulated, >, sound->bubble.simulated + 0.1);
  g_assert_cmpfloat (apart->step.time, >=, gpu->step.time);
  g_assert_cmpfloat (apart->step.time, <, 1.05 * gpu->step.time);
  g_assert_cmpfloat (together->step.time, >, 1.15 * gpu->step.time);
}

/* Replicas of a stage wait only for each other: a NIC at half rate doubles the time of the
 * stage's gradients, except for the start, and delays no other stage. */
static void
test_replicas_of_a_stage (void)
{
  g_autoptr (PlgReport) sound = report_with ("");
  g_autoptr (PlgReport) slow = with_faults ("", "nic:1.1=0.5");
  int row = plg_report_find_collective (sound, "dp:reduce-scatter");

  g_assert_cmpint (row, >=, 0);
  g_assert_cmpint (g_array_index (slow->collectives, PlgCollective, row).stage, ==, 1);
  for (int stage = 0; stage < 4; stage++)
    {
      const PlgStageCalls *before = plg_report_stage_calls (sound, row, stage);
      const PlgStageCalls *after = plg_report_stage_calls (slow, row, stage);

      g_assert_cmpfloat (after->bytes_sent, ==, before->bytes_sent);
      if (stage == 1)
        g_assert_cmpfloat (after->time, >, 1.8 * before->time);
      else
        g_assert_cmpfloat (after->time, ==, before->time);
    }
}

/* With two equal faults, repairing only one gains nothing, but neither repair can wait. */
static void
test_advice_on_two (void)
{
  g_autoptr (PlgReport) sound = report_with ("");
  g_autoptr (PlgReport) both = with_faults ("", "port:8=0.3,port:16=0.3");
  const PlgFinding *finding = find_finding (both, "fault");

  g_assert_nonnull (finding);
  g_assert_cmpint (finding->severity, ==, PLG_SEVERITY_WARNING);
  g_assert_cmpfloat (finding->value, >, 30.0);
  g_assert_cmpstr (finding->edits, ==, "cluster.faults=");
  assert_near (finding->gain, both->step.time - sound->step.time, 1e-9);
}

/* A very slow NIC is worse than none, and the advice says so. */
static void
test_advice_on_very_slow_nic (void)
{
  const char *sharded = "parallelism.zero=3 parallelism.pp=1";
  g_autoptr (PlgReport) crippled = with_faults (sharded, "nic:0.0=0.1");
  g_autoptr (PlgReport) dead = with_faults (sharded, "nic:0.0=0");
  const PlgFinding *finding = find_finding (crippled, "fault");

  g_assert_cmpfloat (crippled->step.time, >, dead->step.time);
  g_assert_nonnull (finding);
  g_assert_cmpstr (finding->edits, ==, "cluster.faults=nic:0.0=0");
  assert_near (finding->gain, crippled->step.time - dead->step.time, 1e-9);
}

/* The stage of a slow GPU does not change the traffic between nodes. */
static void
test_order_is_not_blamed (void)
{
  g_autoptr (PlgReport) slow = with_faults ("", "gpu:24=0.5");

  g_assert_null (find_finding (slow, "pp-order"));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/engine/fault/monotone", test_monotone);
  g_test_add_func ("/engine/fault/slow-gpu", test_slow_gpu);
  g_test_add_func ("/engine/fault/placement", test_slow_gpu_follows_placement);
  g_test_add_func ("/engine/fault/failed-nic", test_failed_nic);
  g_test_add_func ("/engine/fault/uplinks", test_uplinks);
  g_test_add_func ("/engine/fault/links-of-a-stage", test_links_of_a_stage);
  g_test_add_func ("/engine/fault/replicas-of-a-stage", test_replicas_of_a_stage);
  g_test_add_func ("/engine/fault/advice", test_advice);
  g_test_add_func ("/engine/fault/advice-on-two", test_advice_on_two);
  g_test_add_func ("/engine/fault/advice-on-very-slow-nic", test_advice_on_very_slow_nic);
  g_test_add_func ("/engine/fault/order", test_order_is_not_blamed);
  return g_test_run ();
}
