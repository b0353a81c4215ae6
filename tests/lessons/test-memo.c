/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine/advice/advice.h"
#include "engine/report/metric.h"
#include "io/plan/catalogue-xml.h"
#include "io/registry/registry.h"
#include "lessons/learner-export.h"
#include "lessons/lesson-library.h"
#include "plan/settings/setting.h"

#include <string.h>

/* Writes the memo of a learner with the plan of SETTINGS in STEP of the program's LESSON. */
static char *
make_memo (const char *lesson, const char *step, const char *settings)
{
  g_autoptr (PlgCatalogue) catalogue = plg_catalogue_load (NULL);
  g_autoptr (PlgLearner) learner = plg_learner_new ("Ada");
  g_autoptr (GPtrArray) library = plg_lesson_library ();
  g_autoptr (PlgPlan) plan = plg_catalogue_default_plan (catalogue);
  g_auto (GStrv) words = g_strsplit (settings, " ", -1);
  PlgLearnerLesson *played = NULL;
  g_autoptr (GError) error = NULL;

  for (guint i = 0; i < library->len && played == NULL; i++)
    if (g_str_equal (((const PlgLesson *) library->pdata[i])->id, lesson))
      played = plg_learner_lesson_new (library->pdata[i]);
  g_assert_nonnull (played);
  g_ptr_array_add (learner->lessons, played);
  plg_settings_apply (plan, catalogue, (const char *const *) words, &error);
  g_assert_no_error (error);
  plg_learner_set_design (played, step, TRUE, plan);
  return plg_learner_memo (learner, NULL, catalogue);
}

/* The paragraph below HEADING, or NULL. */
static char *
section (const char *memo, const char *heading)
{
  const char *at = strstr (memo, heading);

  if (at == NULL)
    return NULL;
  at += strlen (heading) + strlen ("\n\n");
  return g_strndup (at, strcspn (at, "\n"));
}

/* The step asks for at most 64 GiB. A faster plan with more memory is not better: the memo
 * rejects it with the reason. */
static void
test_goal (void)
{
  g_autofree char *memo = make_memo ("sixty-four-gpus", "zero", "training.global-batch=128");
  g_autofree char *better = section (memo, "## Better, but not chosen");
  g_autofree char *rejected = section (memo, "## Rejected alternative");

  g_assert_nonnull (strstr (memo, "must be at most 64 GiB (now 53.1 GiB). Reached (PASS)"));
  g_assert_nonnull (rejected);
  g_assert_true (g_str_has_prefix (rejected, "TP 4, CP 2, PP 4, DP 2: "));
  g_assert_nonnull (strstr (rejected, "It breaks a requirement: Memory of the fullest GPU ≤ 64"));
  g_assert_true (better == NULL || strstr (better, "67.2") == NULL);
  g_assert_true (better == NULL || strstr (better, "It breaks") == NULL);
}

/* The step before has no limit of 64 GiB, so the plan is better there, and the memo states its
 * saving. */
static void
test_without_goal (void)
{
  g_autofree char *memo = make_memo ("sixty-four-gpus", "pp", "training.global-batch=128");
  g_autofree char *better = section (memo, "## Better, but not chosen");

  g_assert_nonnull (better);
  g_assert_true (g_str_has_suffix (better, " less."));
}

/* The memo has the order of the design, so that an alternative order can be compared. */
static void
test_design (void)
{
  g_autofree char *memo = make_memo ("sixty-four-gpus", "zero", "training.global-batch=128");
  g_autofree char *chunks = make_memo ("sixty-four-gpus", "zero",
                                       "training.global-batch=128 parallelism.chunks=2");

  g_assert_nonnull (strstr (memo, "| Model | Llama 3 70B |\n"));
  g_assert_nonnull (strstr (memo, "| Cluster | 8 × 8 H100 SXM"));
  g_assert_nonnull (strstr (memo, "| Batch | 128 sequences per step, micro-batches of 1 |\n"));
  g_assert_nonnull (strstr (memo, "| Schedule | 1F1B |\n"));
  g_assert_nonnull (strstr (memo, "| Order | tp-cp-pp-dp, innermost first |\n"));
  g_assert_nonnull (strstr (chunks, ", 2 chunks per stage |\n"));
}

/* The text of ID for a GPU with slightly less memory than the plan needs. */
static char *
write_tight (const char *id)
{
  g_autoptr (PlgCatalogue) catalogue = plg_catalogue_load (NULL);
  g_autoptr (PlgPlan) plan = plg_catalogue_default_plan (catalogue);
  g_autoptr (PlgReport) report = plg_evaluate_with_advice (plan, NULL);
  g_autoptr (GBytes) bytes = NULL;
  g_autoptr (GError) error = NULL;

  report->memory_capacity = report->memory_peak * (1 - 1e-5);
  report->fits = PLG_FIT_NO;
  bytes = plg_format_write (plg_format_find (id),
                            &(PlgExportContext) { .plan = plan, .report = report }, &error);
  g_assert_no_error (error);
  return g_strndup (g_bytes_get_data (bytes, NULL), g_bytes_get_size (bytes));
}

/* "53.1 GiB of 53.1 GiB: FAIL" would not explain the failure. */
static void
test_distinct_from_limit (void)
{
  static const char *const formats[] = { "worksheet", "html", "text" };

  for (guint i = 0; i < G_N_ELEMENTS (formats); i++)
    {
      g_autofree char *text = write_tight (formats[i]);

      g_test_message ("%s", formats[i]);
      g_assert_false (g_regex_match_simple ("([0-9.]+)\u00a0GiB (of|in|fits in) \\1\u00a0GiB", text,
                                            0, 0));
    }
}

/* The memo states the result with the numbers of the window. */
static void
test_hops (void)
{
  g_autofree char *memo = make_memo ("another-placement", "repair",
                                     "parallelism.tp=4 parallelism.pp=4 parallelism.dp=4 "
                                     "parallelism.order=tp-dp-pp");

  g_assert_nonnull (strstr (memo, "must be at most 16 (now 16). Reached (PASS)"));
}

/* A learner record of LESSON with the first N answers, all of them right or all wrong. */
static PlgLearner *
play (const PlgLesson *lesson, guint n, gboolean rightly)
{
  PlgLearner *learner = plg_learner_new ("Ada");
  PlgLearnerLesson *played = plg_learner_lesson_new (lesson);

  g_ptr_array_add (learner->lessons, played);
  for (guint i = 0; i < lesson->steps->len; i++)
    {
      const PlgQuestion *question = ((const PlgLessonStep *) lesson->steps->pdata[i])->question;
      int index;

      if (question == NULL || played->answers->len >= n)
        continue;
      index = rightly ? question->right : (question->right + 1) % (int) question->choices->len;
      plg_learner_set_answer (played, question->id,
                              ((const PlgTrialChange *) question->choices->pdata[index])->id,
                              rightly, "");
    }
  return learner;
}

/* Counts the items of the list below HEADING. */
static int
items (const char *memo, const char *heading)
{
  const char *at = strstr (memo, heading);
  int n = 0;

  g_assert_nonnull (at);
  for (at += strlen (heading) + 2; g_str_has_prefix (at, "- "); at = strchr (at, '\n') + 1)
    n++;
  return n;
}

/* A learner without a design gets evidence and rejected alternatives with numbers for each
 * answered question. */
static void
test_without_design (void)
{
  g_autoptr (PlgCatalogue) catalogue = plg_catalogue_load (NULL);
  g_autoptr (GPtrArray) library = plg_lesson_library ();

  for (guint i = 0; i < library->len; i++)
    for (int rightly = 0; rightly < 2; rightly++)
      {
        g_autoptr (PlgLearner) learner = play (library->pdata[i], G_MAXUINT, rightly);
        g_autofree char *memo = plg_learner_memo (learner, NULL, catalogue);
        g_autofree char *page = plg_learner_memo_page (learner, NULL, catalogue);
        int n = plg_lesson_questions (library->pdata[i]);

        g_test_message ("%s", ((const PlgLesson *) library->pdata[i])->id);
        g_assert_cmpint (items (memo, "## Evidence"), ==, n);
        g_assert_cmpint (items (memo, "## Rejected alternatives"), ==, n);
        g_assert_cmpint (items (page, "## Rejected alternatives"), ==, n);
        g_assert_nonnull (strstr (memo, "GPUs, MFU "));
        g_assert_cmpuint (strlen (page), <=, strlen (memo));
      }
}

/* The evidence belongs to the right answer; the rejected alternative is the predicted answer if
 * possible. */
static void
test_rejected_alternative (void)
{
  g_autoptr (PlgCatalogue) catalogue = plg_catalogue_load (NULL);
  g_autoptr (GPtrArray) library = plg_lesson_library ();
  g_autoptr (PlgLearner) learner = play (library->pdata[9], G_MAXUINT, FALSE);
  g_autofree char *memo = plg_learner_memo (learner, NULL, catalogue);
  g_autofree char *evidence = section (memo, "## Evidence");
  g_autofree char *rejected = section (memo, "## Rejected alternatives");

  g_assert_true (g_str_has_prefix (evidence,
                                   "- They halve: each GPU keeps only its part. TP divi"));
  g_assert_nonnull (strstr (evidence, "(TP 8, PP 4, DP 2 on 64 GPUs, MFU "));
  g_assert_true (g_str_has_prefix (rejected,
                                   "- They double: each GPU of a larger group keeps a c"));
  g_assert_nonnull (strstr (rejected, "(FAIL); Formulas: Notebook)"));
}

/* An open question is not evidence. */
static void
test_open_question (void)
{
  g_autoptr (PlgCatalogue) catalogue = plg_catalogue_load (NULL);
  g_autoptr (GPtrArray) library = plg_lesson_library ();
  int hidden = 0;

  for (guint i = 0; i < library->len; i++)
    {
      g_autoptr (PlgLearner) learner = play (library->pdata[i], 1, TRUE);
      const PlgLearnerLesson *played = learner->lessons->pdata[0];
      const PlgLearnerAnswer *answer = played->answers->pdata[0];
      g_autoptr (GHashTable) answered = g_hash_table_new (g_str_hash, g_str_equal);
      g_autoptr (PlgPlan) plan = NULL;
      g_autofree char *memo = plg_learner_memo (learner, NULL, catalogue);
      const PlgLesson *lesson = library->pdata[i];
      int position = 0;

      g_hash_table_add (answered, answer->question);
      while (((const PlgLessonStep *) lesson->steps->pdata[position])->question == NULL)
        position++;
      plan = plg_lesson_plan_at (lesson, position, catalogue);
      if (((plg_lesson_values_asked_later (lesson, position, plan, FALSE, plan, catalogue,
                                           answered) |
            plg_lesson_values_held_back (lesson, position, answered)) &
           plg_metric_find ("mfu")->about) == 0)
        continue;
      hidden++;
      g_assert_nonnull (strstr (memo, "MFU –"));
    }
  g_assert_cmpint (hidden, >, 0);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/memo/goal", test_goal);
  g_test_add_func ("/memo/without-goal", test_without_goal);
  g_test_add_func ("/memo/design", test_design);
  g_test_add_func ("/memo/distinct-from-limit", test_distinct_from_limit);
  g_test_add_func ("/memo/hops", test_hops);
  g_test_add_func ("/memo/without-design", test_without_design);
  g_test_add_func ("/memo/rejected-alternative", test_rejected_alternative);
  g_test_add_func ("/memo/open-question", test_open_question);
  return g_test_run ();
}
