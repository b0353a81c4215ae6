/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine/report/assertion.h"
#include "engine/advice/advice.h"
#include "io/plan/catalogue-xml.h"
#include "io/plan/plan-xml.h"

#include <string.h>

/* The plans of data/examples/misunderstandings: each fails as its notes state. */

static const struct
{
  const char *name;
  const char *finding; /* its id, or NULL */
  const char *holds[3];
} plans[] = {
  { "data-parallel-only", "out-of-memory", { "memory>1TiB" } },
  { "pipeline-is-free", "bubble-high", { "bubble>40%", "pp-share<1%", "mfu<25%" } },
  { "degrees-are-a-plan", "tp-crosses-node", { "mfu<15%", "tp-share>60%" } },
  { "tensor-parallel-scales", "tp-crosses-node", { "step-time>12s", "mfu<30%" } },
  { "only-flops-count", "dp-exposed", { "step-time>10.5s", "dp-share>50%", "dp-share<65%" } },
  { "all-pairs-are-equal", "tp-crosses-node", { "mfu<30%" } },
  { "data-parallel-scales-for-ever", "dp-exposed", { "dp-share>70%", "mfu<12%" } },
  { "zero-3-has-no-peak", "out-of-memory", { "activations>150GiB", "weights<3GiB" } },
  { "tensor-parallel-across-nodes", "tp-crosses-node", { "tp-share>70%", "mfu<11%" } },
  { "pipeline-needs-the-fast-links", "tp-crosses-node", { "pp-share<0.1%", "mfu<25%" } },
  { "sequence-or-tensor-parallel", "sequence-parallel-off", { "memory>80GiB" } },
  { "experts-are-compute",
    "ep-crosses-node",
    { "ep-share>35%", "compute-share<35%", "recompute-share==0" } },
  { "any-order-will-do", "tp-crosses-node", { "mfu<10%" } },
  { "ethernet-is-enough", "tcp", { "dp-share>85%", "mfu<5%" } },
  { "everything-is-data-parallel",
    "out-of-memory",
    { "dp-calls==0", "bubble>60%", "memory>190GiB" } },
  { "gradients-go-to-a-master", "bubble-high", { "dp-share<4%", "bubble>60%", "mfu<14.8%" } },
  { "the-plan-is-all", "fault", { "mfu<21%" } },
};

static char *
folder (void)
{
  return g_test_build_filename (G_TEST_DIST, "..", "data", "examples", "misunderstandings", NULL);
}

static gboolean
finds (const PlgReport *report, const char *id)
{
  for (guint i = 0; i < report->findings->len; i++)
    if (g_str_equal (g_array_index (report->findings, PlgFinding, i).id, id))
      return TRUE;
  return FALSE;
}

static void
assert_holds (const char *name, const PlgReport *report, const char *text)
{
  PlgAssertion assertion = { 0 };
  g_autofree char *wrong = plg_assertion_read (&assertion, text);
  g_autofree char *value = NULL;

  g_assert_null (wrong);
  value = plg_assertion_value (&assertion, report);
  if (!plg_assertion_holds (&assertion, report))
    g_error ("%s: %s, but it is %s", name, text, value);
}

static PlgPlan *
read_plan (const char *name, PlgCatalogue *catalogue)
{
  g_autofree char *directory = folder ();
  g_autofree char *path = g_strdup_printf ("%s/%s.plan.xml", directory, name);
  g_autofree char *text = NULL;
  g_autoptr (PlgPlanSource) source = NULL;
  g_autoptr (GError) error = NULL;
  PlgPlan *plan;
  gsize size;

  g_file_get_contents (path, &text, &size, &error);
  g_assert_no_error (error);
  plan = plg_plan_xml_read (text, size, catalogue, &source, &error);
  g_assert_no_error (error);
  g_assert_null (plg_plan_source_notice (source));
  return plan;
}

static void
test_fail_as_stated (void)
{
  g_autoptr (PlgCatalogue) catalogue = plg_catalogue_load (NULL);

  for (guint i = 0; i < G_N_ELEMENTS (plans); i++)
    {
      g_autoptr (PlgPlan) plan = read_plan (plans[i].name, catalogue);
      g_autoptr (PlgReport) report = plg_evaluate_with_advice (plan, NULL);

      g_assert_cmpstr (plan->title, !=, "");
      g_assert_true (g_str_has_prefix (plan->notes, "Belief: "));
      g_assert_nonnull (strstr (plan->notes, "\n\nIn fact: "));
      if (!finds (report, plans[i].finding))
        g_error ("%s: “%s” is not found", plans[i].name, plans[i].finding);
      for (int j = 0; j < 3 && plans[i].holds[j] != NULL; j++)
        assert_holds (plans[i].name, report, plans[i].holds[j]);
    }
}

/* Two replicas instead of 64 save no master weights: the same GPUs would be three times as fast. */
static void
test_gradients_to_master (void)
{
  g_autoptr (PlgCatalogue) catalogue = plg_catalogue_load (NULL);
  g_autoptr (PlgPlan) plan = read_plan ("gradients-go-to-a-master", catalogue);
  g_autoptr (PlgReport) few = plg_evaluate_with_advice (plan, NULL);
  g_autoptr (PlgReport) many = NULL;

  plan->parallelism.degree[PLG_AXIS_PP] = 1;
  plan->parallelism.degree[PLG_AXIS_DP] = 64;
  many = plg_evaluate_with_advice (plan, NULL);
  g_assert_cmpint (many->fits, ==, PLG_FIT_YES);
  g_assert_cmpfloat (few->step.time, >, 3 * many->step.time);
}

/* Each file of the folder is in the table. */
static void
test_every_file (void)
{
  g_autofree char *directory = folder ();
  g_autoptr (GDir) dir = g_dir_open (directory, 0, NULL);
  const char *name;
  guint n = 0;

  while ((name = g_dir_read_name (dir)) != NULL)
    n += g_str_has_suffix (name, ".plan.xml");
  g_assert_cmpint (n, ==, G_N_ELEMENTS (plans));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/misunderstandings/fail-as-stated", test_fail_as_stated);
  g_test_add_func ("/misunderstandings/gradients-to-master", test_gradients_to_master);
  g_test_add_func ("/misunderstandings/every-file", test_every_file);
  return g_test_run ();
}
