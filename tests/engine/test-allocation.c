/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A reused report allocates no memory. */
#include "allocations.h"

#include "plans.h"

static const char *const kinds[] = {
  "",
  "parallelism.zero=3",
  "parallelism.cp=2",
  "training.schedule=gpipe",
  "training.schedule=interleaved parallelism.chunks=4",
  "training.schedule=zb-h1",
  "training.schedule=zb-v",
  "training.schedule=dualpipe",
  "parallelism.overlap-pp=true",
  "cluster.nodes=128 parallelism.pp=128 parallelism.dp=1 model.layers=128 "
  "training.global-batch=128",
  "training.global-batch=8192",
  "cluster.nodes=2048 parallelism.pp=16 model.layers=128 training.global-batch=2048",
  "cluster.nodes=2048 parallelism.pp=16 model.layers=128 training.global-batch=4096 "
  "training.schedule=interleaved parallelism.chunks=8",
};

static void
test_reused_report (void)
{
  static const PlgEvaluateFlags flags[] = { PLG_EVALUATE_TOTALS, PLG_EVALUATE_LINKS,
                                            PLG_EVALUATE_TIMELINE };

  if (!COUNTS_ALLOCATIONS)
    {
      g_test_skip ("The sanitizer has its own allocator");
      return;
    }
  for (guint i = 0; i < G_N_ELEMENTS (kinds); i++)
    for (guint j = 0; j < G_N_ELEMENTS (flags); j++)
      {
        g_autoptr (PlgPlan) plan = teaching_plan ();
        g_autoptr (PlgReport) report = plg_report_new ();
        int before;

        change (plan, kinds[i]);
        if (i == 0 && j == 0) /* an explicit placement equal to the default */
          plg_placement_expand (&plan->placement, plg_plan_world (plan));
        g_assert_true (plg_evaluate_into (report, plan, flags[j], NULL));
        before = count_allocations ();
        for (int n = 0; n < 3; n++)
          plg_evaluate_into (report, plan, flags[j], NULL);
        if (count_allocations () != before)
          g_error ("“%s” with flags %d: %d allocations per run", kinds[i], (int) flags[j],
                   (count_allocations () - before) / 3);
      }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/engine/allocation/reused-report", test_reused_report);
  return g_test_run ();
}
