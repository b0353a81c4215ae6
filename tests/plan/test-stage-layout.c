/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The layers of each stage, set by hand. */
#include "plan/plan-check.h"
#include "plan/settings/setting.h"
#include "plan/stage-layout.h"

#include "sample.h"

#include <string.h>

/* The example of Megatron-LM's documentation: DeepSeek-V3 with PP 16 and two virtual stages. */
static void
test_reads_the_form_of_megatron (void)
{
  PlgStageLayout layout;

  g_assert_true (plg_stage_layout_from_string (&layout, "Et*3|(tt|)*29,m|L", NULL));
  g_assert_cmpint (layout.stages, ==, 32);
  g_assert_cmpint (layout.layers[0], ==, 3);
  for (int i = 1; i < 30; i++)
    g_assert_cmpint (layout.layers[i], ==, 2);
  g_assert_cmpint (layout.layers[30], ==, 0);
  g_assert_cmpint (layout.mtp, ==, 30);
  g_assert_cmpint (layout.mtp_layers, ==, 1);
  g_assert_cmpint (plg_stage_layout_before (&layout, 32), ==, 61);
}

static const struct
{
  const char *text;
  const char *canonical;
} same[] = {
  { "", "" },
  { "EtL", "EtL" },
  { "E||t|L", "E||t|L" },
  { "Et*3|(tt|)*29,m|L", "Ettt|(tt|)*29m|L" },
  { "Et*2|(tt|)*22t|(tt|)*7mL", "Ett|(tt|)*22t|(tt|)*7mL" },
  { "Et*11|t*11|t*11|t*10mL", "Et*11|(t*11|)*2t*10mL" },
  { " E , (t)*4 | ttttt , L ", "Et*4|t*5L" },
  { "E|*3tL", "E|(|)*2tL" },
};

static void
test_writes_what_it_reads (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (same); i++)
    {
      PlgStageLayout read, again;
      g_autofree char *text = NULL;

      g_assert_true (plg_stage_layout_from_string (&read, same[i].text, NULL));
      text = plg_stage_layout_to_string (&read);
      g_assert_cmpstr (text, ==, same[i].canonical);
      g_assert_true (plg_stage_layout_from_string (&again, text, NULL));
      g_assert_true (plg_stage_layout_equal (&read, &again));
    }
}

static const struct
{
  const char *text;
  const char *message;
} wrong[] = {
  { "tt|L", "must start with E" },
  { "Ett|tE|L", "no other E" },
  { "Ett|tt", "must end with L" },
  { "EL|tL", "no other L" },
  { ",", "must start with E" },
  { "Ett|x|L", "“x” at character 5" },
  { "Ett|ä|L", "“ä” at character 5" },
  { "Et\xff|L", "at character 3" },
  { "E(tt|(t|)*2)*2L", "“(” at character 6" },
  { "E(tt|*2L", "“(” at character 2 has no “)”" },
  { "Ett)|L", "“)” at character 4" },
  { "Et*|L", "“*” at character 3" },
  { "Et*0|L", "from 1 to 10000" },
  { "Et*99999999999999999999|L", "from 1 to 10000" },
  { "E(t*10000|)*10000L", "repetitions" },
  { "Et|(t|)*600L", "more than 512 virtual stages" },
  { "Et*6000t*6000L", "more than 10000 layers" },
  { "Etm|tL", "follows an MTP layer" },
  { "Et|m|mL", "several virtual stages" },
};

static void
test_refuses_with_the_place (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (wrong); i++)
    {
      PlgStageLayout layout = { .stages = 7 };
      g_autoptr (GError) error = NULL;

      g_assert_false (plg_stage_layout_from_string (&layout, wrong[i].text, &error));
      g_assert_nonnull (error);
      if (strstr (error->message, wrong[i].message) == NULL)
        g_error ("%s: %s", wrong[i].text, error->message);
      g_assert_cmpint (layout.stages, ==, 7);
    }
}

/* Any text is read or refused, and what is read is written so that it reads the same. */
static void
test_random_texts (void)
{
  static const char letters[] = "Ettttm|||(),*123 L";
  g_autoptr (GRand) random = g_rand_new_with_seed (20);

  for (int i = 0; i < 50000; i++)
    {
      char text[24];
      int n = g_rand_int_range (random, 1, sizeof text - 1);
      PlgStageLayout read, again;

      for (int j = 0; j < n; j++)
        text[j] = letters[g_rand_int_range (random, 0, sizeof letters - 1)];
      text[0] = 'E';
      text[n - 1] = 'L';
      text[n] = '\0';
      if (plg_stage_layout_from_string (&read, text, NULL))
        {
          g_autofree char *written = plg_stage_layout_to_string (&read);

          g_assert_true (plg_stage_layout_from_string (&again, written, NULL));
          g_assert_true (plg_stage_layout_equal (&read, &again));
        }
    }
}

/* The plan of sample.h has 80 layers and PP 4. */
static const struct
{
  const char *edits[4];
  const char *message; /* NULL for a valid plan */
} checked[] = {
  { { "parallelism.layout=Et*19|(t*20|)*2t*21L" }, NULL },
  { { "parallelism.layout=E|t*40|t*40|L" }, NULL },
  { { "parallelism.layout=Et*40|t*40L" }, "is 2, but PP 4 × chunks 1 needs 4" },
  { { "parallelism.layout=Et*19|(t*20|)*2t*20L" },
    "has t 79 times, but the model’s number of layers is 80" },
  { { "parallelism.layout=Et*19|(t*20|)*2t*21mL" },
    "has m 1 times, but the model’s number of MTP layers is 0" },
  { { "parallelism.layout=Et*19|(t*20|)*2t*21L", "parallelism.first-layers=19" },
    "already sets the layers" },
  { { "parallelism.layout=Et*9|(t*10|)*6t*11L" }, NULL },
  { { "parallelism.layout=Et*19|(t*20|)*2t*21L", "parallelism.pp=1", "parallelism.dp=8" },
    "no meaning with PP 1" },
  { { "model.mtp-layers=1", "parallelism.layout=Et*20|t*30|t*30m|L" }, NULL },
  { { "model.mtp-layers=1", "parallelism.layout=E|t*40|t*40|mL" }, NULL },
  { { "model.mtp-layers=1", "parallelism.layout=Et*80m|||L" },
    "in virtual stage 0; put m in virtual stage 1 or" },
  { { "model.mtp-layers=1", "training.schedule=zb-v", "parallelism.layout=Et*20|t*30|t*30||||m|L" },
    "must be in the virtual stage of the loss" },
};

static void
test_check (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (checked); i++)
    {
      g_autoptr (PlgPlan) plan = sample_plan ();
      g_autoptr (GError) error = NULL;
      gboolean valid = plg_settings_apply (plan, NULL, checked[i].edits, &error);

      if (checked[i].message == NULL)
        g_assert_no_error (error);
      else if (valid || strstr (error->message, checked[i].message) == NULL)
        g_error ("%s: %s", checked[i].edits[0], valid ? "accepted" : error->message);
    }
}

static void
apply (PlgPlan *plan, const char *assignment)
{
  const char *const assignments[] = { assignment, NULL };
  g_autoptr (GError) error = NULL;

  plg_settings_apply (plan, NULL, assignments, &error);
  g_assert_no_error (error);
}

/* The chunks follow a given layout, and a layout that no longer fits is removed. */
static void
test_settings_follow (void)
{
  g_autoptr (PlgPlan) plan = sample_plan ();

  apply (plan, "parallelism.layout=Et*9|(t*10|)*6t*11L");
  g_assert_cmpint (plan->parallelism.chunks, ==, 2);
  g_assert_cmpint (plan->training.schedule, ==, PLG_SCHEDULE_INTERLEAVED);
  apply (plan, "training.micro-batch=1");
  g_assert_cmpint (plan->parallelism.layout.stages, ==, 8);
  apply (plan, "training.schedule=1f1b");
  g_assert_cmpint (plan->parallelism.layout.stages, ==, 0);

  apply (plan, "parallelism.layout=Et*19|(t*20|)*2t*21L");
  apply (plan, "parallelism.tp=4");
  g_assert_cmpint (plan->parallelism.layout.stages, ==, 4);
  apply (plan, "parallelism.first-layers=17");
  g_assert_cmpint (plan->parallelism.layout.stages, ==, 0);
  apply (plan, "parallelism.layout=Et*19|(t*20|)*2t*21L");
  g_assert_cmpint (plan->parallelism.first_layers, ==, 0);
  apply (plan, "model.layers=60");
  g_assert_cmpint (plan->parallelism.layout.stages, ==, 0);
  apply (plan, "parallelism.layout=E(t*15|)*3t*15L");
  apply (plan, "parallelism.pp=2");
  g_assert_cmpint (plan->parallelism.layout.stages, ==, 0);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/stage-layout/reads-the-form-of-megatron", test_reads_the_form_of_megatron);
  g_test_add_func ("/stage-layout/writes-what-it-reads", test_writes_what_it_reads);
  g_test_add_func ("/stage-layout/refuses-with-the-place", test_refuses_with_the_place);
  g_test_add_func ("/stage-layout/random-texts", test_random_texts);
  g_test_add_func ("/stage-layout/check", test_check);
  g_test_add_func ("/stage-layout/settings-follow", test_settings_follow);
  return g_test_run ();
}
