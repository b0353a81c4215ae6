/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine/advice/advice.h"

#include "engine/report/metric.h"
#include "plans.h"

typedef struct
{
  const char *id;
  PlgSeverity severity;
  const PlgTransformer *model; /* NULL for the teaching case */
  const char *edits;
  gboolean has_edits;
} Case;

static const Case cases[] = {
  { "out-of-memory", PLG_SEVERITY_ERROR, NULL, "training.micro-batch=4 parallelism.zero=0", TRUE },
  { "positions-too-few", PLG_SEVERITY_ERROR, &gpt3_175b, "parallelism.pp=8", TRUE },
  { "positions-too-few", PLG_SEVERITY_ERROR, NULL, "model.positions=8 parallelism.tp=8", FALSE },
  { "host-memory-exceeded", PLG_SEVERITY_ERROR, NULL,
    "training.offload-optimizer=1 training.offload-layers=10 cluster.host-memory=10", FALSE },
  { "host-memory-exceeded", PLG_SEVERITY_ERROR, NULL,
    "training.offload-layers=10 cluster.host-memory=1", FALSE },
  { "memory-tight", PLG_SEVERITY_WARNING, NULL, "cluster.memory=54", TRUE },
  { "tp-crosses-node", PLG_SEVERITY_WARNING, NULL, "parallelism.order=pp-tp-dp", TRUE },
  { "tp-crosses-node", PLG_SEVERITY_WARNING, NULL, "parallelism.tp=16", TRUE },
  { "cp-crosses-node", PLG_SEVERITY_HINT, NULL, "parallelism.cp=2 parallelism.cp-type=all-gather",
    FALSE },
  { "ep-crosses-node", PLG_SEVERITY_WARNING, &mixtral_8x7b,
    "parallelism.tp=1 parallelism.ep=8 training.global-batch=128", TRUE },
  { "bubble-high", PLG_SEVERITY_WARNING, NULL, "training.global-batch=16", TRUE },
  { "batch-small", PLG_SEVERITY_WARNING, NULL, "training.global-batch=4", FALSE },
  { "recompute-unneeded", PLG_SEVERITY_WARNING, NULL, "training.recompute=full", TRUE },
  { "dp-exposed", PLG_SEVERITY_WARNING, NULL,
    "parallelism.overlap-dp=false training.global-batch=8", TRUE },
  { "tp-exposed", PLG_SEVERITY_HINT, NULL, "", TRUE },
  { "sequence-parallel-off", PLG_SEVERITY_WARNING, NULL, "parallelism.sequence=false", TRUE },
  { "tp-too-wide", PLG_SEVERITY_HINT, NULL, "cluster.memory=160", TRUE },
  { "kv-heads-copied", PLG_SEVERITY_WARNING, NULL, "model.kv-heads=4", TRUE },
  { "kv-heads-copied", PLG_SEVERITY_WARNING, NULL, "model.kv-heads=1 cluster.memory=40", FALSE },
  { "pp-order", PLG_SEVERITY_WARNING, NULL,
    "cluster.network=tree cluster.oversubscription=8 parallelism.overlap-dp=false", TRUE },
  { "uneven-stages", PLG_SEVERITY_WARNING, NULL,
    "model.layers=18 parallelism.pp=8 training.global-batch=256", FALSE },
  { "uneven-stages", PLG_SEVERITY_HINT, NULL, "model.layers=82", FALSE },
  { "out-of-memory", PLG_SEVERITY_ERROR, &mixtral_8x7b,
    "parallelism.tp=1 parallelism.pp=2 training.global-batch=256 cluster.memory=40 "
    "parallelism.ep=1",
    TRUE },
  { "oversubscribed", PLG_SEVERITY_WARNING, NULL, "cluster.network=tree cluster.oversubscription=4",
    FALSE },
  { "tcp", PLG_SEVERITY_WARNING, NULL, "cluster.rdma=false", TRUE },
  { "optimizer-not-sharded", PLG_SEVERITY_HINT, NULL, "parallelism.zero=0", TRUE },
  { "host-bound", PLG_SEVERITY_HINT, &mixtral_8x7b, "parallelism.ep=8 training.sequence=2048",
    TRUE },
  { "flash-attention-off", PLG_SEVERITY_HINT, NULL, "training.flash-attention=false", TRUE },
};

static PlgPlan *
plan_of (const Case *c)
{
  PlgPlan *plan = teaching_plan ();

  if (c->model != NULL)
    plan->model = *c->model;
  change (plan, c->edits);
  return plan;
}

static void
test_found (gconstpointer data)
{
  const Case *c = data;
  g_autoptr (PlgPlan) plan = plan_of (c);
  g_autoptr (PlgReport) report = report_of (plan);
  const PlgFinding *finding = find_finding (report, c->id);

  g_assert_nonnull (finding);
  g_test_message ("%s → %s", finding->text, finding->remedy);
  g_assert_cmpint (finding->severity, ==, c->severity);
  g_assert_nonnull (finding->unit);
  if (c->has_edits)
    g_assert_nonnull (finding->edits);
}

/* Each suggested change is valid and saves the promised time. */
static void
test_edits (gconstpointer data)
{
  const Case *c = data;
  g_autoptr (PlgPlan) plan = plan_of (c);
  g_autoptr (PlgReport) report = report_of (plan);

  for (guint i = 0; i < report->findings->len; i++)
    {
      const PlgFinding *finding = &g_array_index (report->findings, PlgFinding, i);
      g_autoptr (PlgPlan) changed = plg_plan_copy (plan);
      g_autoptr (PlgReport) after = NULL;

      g_assert_cmpfloat (finding->gain, >=, 0.0);
      if (finding->edits == NULL)
        continue;
      change (changed, finding->edits);
      after = report_of (changed);
      /* A step with fewer tokens saves nothing. */
      if (g_str_equal (finding->id, "positions-too-few"))
        {
          g_assert_cmpfloat (finding->gain, ==, 0.0);
          g_assert_null (find_finding (after, "positions-too-few"));
          continue;
        }
      assert_near (MAX (report->step.time - after->step.time, 0.0), finding->gain, 1e-9);
      if (g_str_equal (finding->id, "out-of-memory"))
        g_assert_true (after->fits);
      else if (finding->gain > 0.0 && report->fits)
        g_assert_true (after->fits);
    }
}

/* Errors come first, then the largest savings. */
static void
test_sorted (gconstpointer data)
{
  const Case *c = data;
  g_autoptr (PlgPlan) plan = plan_of (c);
  g_autoptr (PlgReport) report = report_of (plan);

  for (guint i = 1; i < report->findings->len; i++)
    {
      const PlgFinding *before = &g_array_index (report->findings, PlgFinding, i - 1);
      const PlgFinding *after = &g_array_index (report->findings, PlgFinding, i);

      gboolean is_error = before->severity == PLG_SEVERITY_ERROR;

      g_assert_true (is_error || after->severity != PLG_SEVERITY_ERROR);
      if (is_error == (after->severity == PLG_SEVERITY_ERROR))
        g_assert_cmpfloat (before->gain, >=, after->gain);
      g_assert_cmpstr (before->id, !=, after->id);
    }
}

/* A good plan has no warnings. */
static void
test_good_plan (void)
{
  g_autoptr (PlgReport) report = report_with ("training.global-batch=128");

  for (guint i = 0; i < report->findings->len; i++)
    g_assert_cmpint (g_array_index (report->findings, PlgFinding, i).severity, ==,
                     PLG_SEVERITY_HINT);
}

/* Advice never suggests a setting that the plan already has. */
static void
test_new (gconstpointer data)
{
  const Case *c = data;
  g_autoptr (PlgPlan) plan = plan_of (c);
  g_autoptr (PlgReport) report = report_of (plan);

  for (guint i = 0; i < report->findings->len; i++)
    {
      const PlgFinding *finding = &g_array_index (report->findings, PlgFinding, i);
      g_auto (GStrv) edits = finding->edits != NULL ? g_strsplit (finding->edits, " ", -1) : NULL;

      for (int j = 0; edits != NULL && edits[j] != NULL; j++)
        {
          g_auto (GStrv) pair = g_strsplit (edits[j], "=", 2);
          g_autofree char *own = plg_setting_get (plg_setting_find (pair[0]), plan);

          g_assert_cmpstr (pair[1], !=, own);
        }
    }
}

/* Layers that do not divide evenly have a finding with the even number, even if they cost
 * little. */
static void
test_indivisible (void)
{
  g_autoptr (PlgReport) report = report_with ("model.layers=82");
  const PlgFinding *finding = find_finding (report, "uneven-stages");

  g_assert_nonnull (finding);
  g_assert_cmpfloat (finding->value, ==, 21.0);
  g_assert_cmpfloat (finding->limit, ==, 20.5);
  g_assert_cmpstr (finding->unit, ==, "layers");
  g_assert_nonnull (finding->remedy);
}

/* With equal layers on all stages, the text has no range. */
static void
test_even_layers (void)
{
  g_autoptr (PlgReport) report = report_with ("parallelism.tp=4 parallelism.pp=16 "
                                              "parallelism.dp=1");
  const PlgFinding *finding = find_finding (report, "uneven-stages");

  g_assert_nonnull (finding);
  g_assert_true (g_str_has_prefix (finding->text, "Each stage has 5 layers, and the last"));
  g_assert_true (g_str_has_prefix (finding->edits, "parallelism.layout=E"));
}

/* The finding names the cause of unequal stages: layers set by hand can be redistributed; a slow
 * GPU does not concern layers. */
static void
test_uneven_causes (void)
{
  g_autoptr (PlgReport) counted = report_with ("parallelism.first-layers=40");
  g_autoptr (PlgReport) slow = report_with ("cluster.faults=gpu:17=0.5");
  const PlgFinding *finding = find_finding (counted, "uneven-stages");

  g_assert_nonnull (finding);
  g_assert_cmpstr (finding->edits, ==, "parallelism.first-layers=0");
  g_assert_null (find_finding (slow, "uneven-stages"));
}

/* A sequence may have as many tokens as the model has learned positions; rotary positions have no
 * limit. The suggested sequence is one that CP and TP divide. */
static void
test_positions (void)
{
  g_autoptr (PlgReport) enough = report_with ("model.positions=8192");
  g_autoptr (PlgReport) rotary = report_with ("model.positions=0 training.sequence=65536");
  g_autoptr (PlgReport) few = report_with ("model.positions=2050 parallelism.tp=8");
  g_autoptr (PlgReport) none = report_with ("model.positions=8 parallelism.tp=8");
  g_autoptr (PlgReport) notebook = report_with ("model.positions=2048 engine.profile=notebook");
  const PlgFinding *finding = find_finding (few, "positions-too-few");

  g_assert_null (find_finding (enough, "positions-too-few"));
  g_assert_null (find_finding (rotary, "positions-too-few"));
  g_assert_nonnull (find_finding (notebook, "positions-too-few"));
  g_assert_nonnull (finding);
  g_assert_cmpstr (finding->edits, ==, "training.sequence=2048");
  g_assert_nonnull (strstr (finding->text,
                            "has 2050 learned positions, but a sequence has 8192 tokens."));
  g_assert_true (g_str_has_suffix (finding->remedy, " Or set model.positions to 8192."));
  finding = find_finding (none, "positions-too-few");
  g_assert_nonnull (finding);
  g_assert_cmpstr (finding->remedy, ==,
                   "Set training.sequence to at most 8, or model.positions to 8192.");
}

/* Without memory in the notebook profile, advice changes the notebook's own parameters. */
static void
test_notebook (void)
{
  g_autoptr (PlgReport) report = report_with ("engine.profile=notebook parallelism.tp=8 "
                                              "parallelism.pp=2 parallelism.zero=0");
  const PlgFinding *finding = find_finding (report, "out-of-memory");

  g_assert_nonnull (finding);
  g_assert_cmpstr (finding->unit, ==, "GB");
  assert_near (finding->limit, 80.0, 1e-9);
  g_assert_nonnull (finding->edits);
  g_assert_null (strstr (finding->edits, "zero"));
  g_assert_null (strstr (finding->edits, "recompute"));
}

/* A rank on another node makes TP cross nodes, and no order can help. */
static void
test_moved_rank (void)
{
  g_autoptr (PlgPlan) plan = teaching_plan ();
  g_autoptr (PlgReport) report = NULL;
  const PlgFinding *finding;

  plg_placement_expand (&plan->placement, 64);
  plan->placement.gpu_of_rank[0] = 8;
  plan->placement.gpu_of_rank[8] = 0;
  report = report_of (plan);
  finding = find_finding (report, "tp-crosses-node");
  g_assert_nonnull (finding);
  g_assert_cmpfloat (finding->value, ==, 2.0);
}

/* The bubble is one number: the metric, the finding and the simulated idle share are equal for
 * every schedule, with equal and with unequal stages. */
static void
test_one_bubble (void)
{
  static const struct
  {
    const char *edits;
    gboolean is_high;
  } rows[] = {
    { "training.global-batch=16", TRUE },
    { "training.global-batch=512", FALSE },
    { "model.layers=18 parallelism.pp=8 training.global-batch=256", TRUE },
    { "cluster.faults=gpu:17=0.5", TRUE },
    { "training.global-batch=16 training.schedule=zb-h1", TRUE },
    { "training.schedule=zb-v training.global-batch=16", FALSE },
    { "training.global-batch=16 training.schedule=gpipe cluster.memory=320", TRUE },
  };

  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_autoptr (PlgReport) report = report_with (rows[i].edits);
      const PlgFinding *finding = find_finding (report, "bubble-high");
      double bubble = plg_report_bubble (report);

      g_test_message ("%s: %g", rows[i].edits, bubble);
      g_assert_cmpfloat (bubble, ==, report->bubble.simulated);
      g_assert_cmpfloat (bubble, ==, plg_metric_value (plg_metric_find ("bubble"), report));
      g_assert_cmpint (finding != NULL, ==, rows[i].is_high);
      g_assert_cmpint (bubble > 0.1, ==, rows[i].is_high);
      if (finding != NULL)
        assert_near (finding->value, 100.0 * bubble, 1e-12);
    }
}

/* With almost no output layer and free messages, only the embedding makes a stage unequal, and the
 * simulated bubble is the closed form but for this small difference. */
static void
test_bubble_of_equal_stages (void)
{
  static const char *const edits[] = { "", "training.schedule=gpipe",
                                       "training.schedule=interleaved parallelism.chunks=2" };

  for (guint i = 0; i < G_N_ELEMENTS (edits); i++)
    {
      g_autofree char *all = g_strconcat ("model.vocabulary=8 cluster.inter-bandwidth=1e6 "
                                          "cluster.inter-latency=0 ",
                                          edits[i], NULL);
      g_autoptr (PlgReport) report = report_with (g_strchomp (all));

      g_assert_cmpfloat (plg_report_bubble (report), >=, report->bubble.share_of_step - 1e-9);
      g_assert_cmpfloat (plg_report_bubble (report), <=, report->bubble.share_of_step + 0.004);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/engine/advice/good-plan", test_good_plan);
  g_test_add_func ("/engine/advice/one-bubble", test_one_bubble);
  g_test_add_func ("/engine/advice/bubble-of-equal-stages", test_bubble_of_equal_stages);
  g_test_add_func ("/engine/advice/moved-rank", test_moved_rank);
  g_test_add_func ("/engine/advice/indivisible", test_indivisible);
  g_test_add_func ("/engine/advice/positions", test_positions);
  g_test_add_func ("/engine/advice/notebook", test_notebook);
  g_test_add_func ("/engine/advice/even-layers", test_even_layers);
  g_test_add_func ("/engine/advice/uneven-causes", test_uneven_causes);
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      static const struct
      {
        const char *name;
        GTestDataFunc function;
      } tests[] = { { "found", test_found },
                    { "edits", test_edits },
                    { "sorted", test_sorted },
                    { "new", test_new } };

      for (guint j = 0; j < G_N_ELEMENTS (tests); j++)
        {
          g_autofree char *path = g_strdup_printf ("/engine/advice/%s/%s-%u", tests[j].name,
                                                   cases[i].id, i);

          g_test_add_data_func (path, &cases[i], tests[j].function);
        }
    }
  return g_test_run ();
}
