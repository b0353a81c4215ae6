/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "document/lesson-run.h"
#include "engine/report/redaction.h"
#include "io/plan/catalogue-xml.h"
#include "plan/fault.h"

#include <glib/gstdio.h>
#include <math.h>
#include <string.h>

static const char text
    [] = "<lesson version='1' id='l'><title>T</title>"
         "<step id='one'><title>One</title><plan from='default'>"
         "<set key='training.global-batch' value='16'/></plan><free keys='training.*'/>"
         "<question id='q' answer='b' hides='bubble'><p>?</p>"
         "<choice id='a'><say>A</say><because><p>no</p></because></choice>"
         "<choice id='b'><say>B</say><because><p>yes</p></because>"
         "<plan><set key='training.global-batch' value='128'/></plan></choice></question></step>"
         "<step id='two'><title>Two</title>"
         "<goal><must holds='bubble&lt;10%'/></goal></step>"
         "<step id='three'><title>Three</title></step></lesson>";

typedef struct
{
  PlgCatalogue *catalogue;
  PlgDocument *document;
  PlgLessonRun *run;
  int changes;
} Fixture;

static void
changed_cb (Fixture *fixture)
{
  fixture->changes++;
}

static void
set_up (Fixture *fixture, gconstpointer data)
{
  g_autoptr (PlgLesson) lesson = plg_lesson_read (text, strlen (text), NULL);

  fixture->catalogue = plg_catalogue_load (NULL);
  fixture->document = plg_document_new (fixture->catalogue);
  fixture->run = plg_lesson_run_new (fixture->document, lesson);
  g_signal_connect_swapped (fixture->run, "changed", G_CALLBACK (changed_cb), fixture);
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
  g_object_unref (fixture->run);
  g_object_unref (fixture->document);
  plg_catalogue_unref (fixture->catalogue);
}

static int
batch (Fixture *fixture)
{
  return plg_document_plan (fixture->document)->training.global_batch;
}

static double
bubble (Fixture *fixture)
{
  return plg_document_report (fixture->document)->bubble.simulated;
}

static void
test_lock (Fixture *fixture, gconstpointer data)
{
  g_assert_cmpint (batch (fixture), ==, 16);
  g_assert_true (plg_lesson_run_needs_answer (fixture->run));
  g_assert_true (isnan (bubble (fixture)));
  g_assert_true (isnan (plg_document_committed_report (fixture->document)->bubble.simulated));
  g_assert_false (plg_lesson_run_go (fixture->run, 1));

  /* A preview does not show the number either. */
  g_assert_true (plg_document_preview (fixture->document,
                                       plg_document_committed_plan (fixture->document)));
  g_assert_true (isnan (bubble (fixture)));
  plg_document_preview (fixture->document, NULL);
  g_assert_true (isnan (bubble (fixture)));

  g_assert_true (plg_lesson_run_choose (fixture->run, 0));
  g_assert_false (plg_lesson_run_needs_answer (fixture->run));
  g_assert_cmpfloat (bubble (fixture), >, 0.2);
  g_assert_cmpint (batch (fixture), ==, 16);
  g_assert_cmpint (fixture->changes, >, 0);
}

/* The settings of a question stay locked until the answer, even if the step unlocks them. */
static void
test_settings_wait_for_answer (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GError) error = NULL;

  g_assert_false (plg_document_set (fixture->document, "training.global-batch", "32", &error));
  g_assert_cmpstr (error->message, ==,
                   "“Global batch” can be changed after the question is answered.");
  g_clear_error (&error);
  g_assert_false (plg_document_set (fixture->document, "parallelism.tp", "4", &error));
  g_assert_true (g_str_has_prefix (error->message, "This step of the lesson keeps “"));
  g_assert_cmpstr (plg_edit_policy_lock_reason (plg_document_policy (fixture->document),
                                                "training.global-batch"),
                   ==, "You can change this after you answer the question.");
  g_assert_null (plg_edit_policy_lock_reason (plg_document_policy (fixture->document),
                                              "view.show"));
  plg_lesson_run_choose (fixture->run, 0);
  g_assert_true (plg_document_set (fixture->document, "training.global-batch", "32", NULL));
  g_assert_true (isfinite (bubble (fixture)));
  plg_lesson_run_end (fixture->run);
  g_assert_true (plg_document_set (fixture->document, "parallelism.tp", "4", NULL));
}

/* The first answer counts; the other answers can be viewed. */
static void
test_answers (Fixture *fixture, gconstpointer data)
{
  plg_lesson_run_choose (fixture->run, 0);
  g_assert_true (plg_lesson_run_choose (fixture->run, 1));
  g_assert_cmpint (batch (fixture), ==, 128);
  g_assert_cmpint (plg_lesson_run_shown_choice (fixture->run), ==, 1);
  g_assert_cmpint (plg_lesson_run_answer (fixture->run, "q"), ==, 0);
  g_assert_cmpint (plg_lesson_run_count_right (fixture->run), ==, 0);
  g_assert_cmpint (plg_lesson_run_count_answered (fixture->run), ==, 1);
  g_assert_false (plg_lesson_run_choose (fixture->run, 2));
  plg_lesson_run_reflect (fixture->run, "q", "More micro-batches");
  g_assert_cmpstr (plg_lesson_run_reflection (fixture->run, "q"), ==, "More micro-batches");
}

static double
numbers_in_text (Fixture *fixture, PlgLessonPart part)
{
  return plg_lesson_run_numbers (fixture->run, part).report->bubble.simulated;
}

static int
batch_of (Fixture *fixture, PlgLessonPart part)
{
  return plg_lesson_run_numbers (fixture->run, part).plan->training.global_batch;
}

/* The text of a step has the numbers of the step's own plan, not of an answer's plan or the
 * learner's plan. */
static void
test_text_of_step (Fixture *fixture, gconstpointer data)
{
  double own;

  g_assert_true (isnan (numbers_in_text (fixture, PLG_LESSON_STEP)));
  g_assert_cmpint (batch_of (fixture, PLG_LESSON_STEP), ==, 16);
  plg_lesson_run_choose (fixture->run, 0);
  own = numbers_in_text (fixture, PLG_LESSON_STEP);
  g_assert_true (plg_document_set (fixture->document, "training.global-batch", "32", NULL));
  g_assert_cmpfloat (numbers_in_text (fixture, PLG_LESSON_STEP), ==, own);
  g_assert_cmpfloat (own, >, 0.2);
  plg_lesson_run_choose (fixture->run, 1);
  g_assert_cmpfloat (bubble (fixture), <, 0.1);
  g_assert_cmpfloat (numbers_in_text (fixture, PLG_LESSON_STEP), ==, own);
  g_assert_cmpint (batch_of (fixture, PLG_LESSON_STEP), ==, 16);
}

/* The text after a question has the numbers of the right answer, whichever answer is shown and
 * whatever plan the learner makes. */
static void
test_text_after_question (Fixture *fixture, gconstpointer data)
{
  plg_lesson_run_choose (fixture->run, 0);
  g_assert_cmpint (batch_of (fixture, PLG_LESSON_ANSWER), ==, 16);
  g_assert_cmpint (batch_of (fixture, PLG_LESSON_AFTER), ==, 128);
  g_assert_cmpfloat (numbers_in_text (fixture, PLG_LESSON_AFTER), <, 0.1);
  plg_lesson_run_choose (fixture->run, 1);
  g_assert_true (plg_document_set (fixture->document, "training.global-batch", "32", NULL));
  g_assert_cmpint (batch_of (fixture, PLG_LESSON_ANSWER), ==, 128);
  g_assert_cmpfloat (numbers_in_text (fixture, PLG_LESSON_ANSWER), <, 0.1);
  g_assert_cmpint (batch_of (fixture, PLG_LESSON_AFTER), ==, 128);
}

/* The text of a step keeps the plan of its start; the text after the goal follows the plan that
 * reaches the goal. */
static void
test_text_after_goal (Fixture *fixture, gconstpointer data)
{
  double own;

  plg_lesson_run_choose (fixture->run, 1);
  plg_lesson_run_go (fixture->run, 1);
  own = numbers_in_text (fixture, PLG_LESSON_STEP);
  g_assert_cmpfloat (own, ==, bubble (fixture));
  g_assert_true (plg_document_set (fixture->document, "training.global-batch", "128", NULL));
  g_assert_cmpfloat (numbers_in_text (fixture, PLG_LESSON_STEP), ==, own);
  g_assert_cmpint (batch_of (fixture, PLG_LESSON_GOAL), ==, 128);
  g_assert_cmpfloat (numbers_in_text (fixture, PLG_LESSON_AFTER), ==, bubble (fixture));
  plg_lesson_run_restart_step (fixture->run);
  g_assert_cmpint (batch_of (fixture, PLG_LESSON_AFTER), ==, 16);
}

/* The plan of an answer is discarded; the next step continues from the step's own plan. */
static void
test_steps (Fixture *fixture, gconstpointer data)
{
  g_assert_false (plg_lesson_run_can_go (fixture->run, -1));
  plg_lesson_run_choose (fixture->run, 1);
  g_assert_true (plg_lesson_run_go (fixture->run, 1));
  g_assert_cmpint (batch (fixture), ==, 16);
  g_assert_cmpint (plg_lesson_run_position (fixture->run), ==, 1);
  g_assert_true (plg_lesson_run_go (fixture->run, -1));
  g_assert_cmpint (plg_lesson_run_shown_choice (fixture->run), ==, 1);
  g_assert_cmpint (batch (fixture), ==, 128);
}

static void
test_goal (Fixture *fixture, gconstpointer data)
{
  g_autofree char *before = NULL;
  g_autofree char *after = NULL;

  plg_lesson_run_choose (fixture->run, 1);
  plg_lesson_run_go (fixture->run, 1);
  g_assert_false (plg_lesson_run_is_goal_reached (fixture->run));
  before = plg_lesson_run_goal_text (fixture->run);
  g_assert_true (g_str_has_suffix (before, "Not reached yet (FAIL)."));
  g_assert_true (plg_document_set (fixture->document, "training.global-batch", "128", NULL));
  g_assert_true (plg_lesson_run_is_goal_reached (fixture->run));
  after = plg_lesson_run_goal_text (fixture->run);
  g_assert_true (g_str_has_prefix (after, "Bubble must be below 10\u00a0% (now 7."));
  g_assert_true (g_str_has_suffix (after, "Reached (PASS)."));
  /* The learner's plan is kept in the next step. */
  g_assert_true (plg_lesson_run_go (fixture->run, 1));
  g_assert_cmpint (batch (fixture), ==, 128);
  g_assert_null (plg_lesson_run_next_step (fixture->run));
}

static void
test_locked_settings (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GError) error = NULL;

  plg_lesson_run_choose (fixture->run, 0);
  g_assert_null (plg_edit_policy_lock_reason (plg_document_policy (fixture->document),
                                              "training.micro-batch"));
  g_assert_nonnull (plg_edit_policy_lock_reason (plg_document_policy (fixture->document),
                                                 "parallelism.tp"));
  g_assert_null (plg_edit_policy_lock_reason (plg_document_policy (fixture->document),
                                              "view.show"));
  g_assert_false (plg_document_set (fixture->document, "parallelism.tp", "4", &error));
  g_assert_nonnull (strstr (error->message, "Tensor"));
  plg_lesson_run_end (fixture->run);
  g_assert_true (plg_document_set (fixture->document, "parallelism.tp", "4", NULL));
  g_assert_cmpfloat (bubble (fixture), >, 0);
}

/* Another run continues where this run stopped. */
static void
begin_again (Fixture *fixture, const char *path)
{
  g_autoptr (PlgLesson)
                 lesson = plg_lesson_ref ((PlgLesson *) plg_lesson_run_lesson (fixture->run));

  plg_lesson_run_end (fixture->run);
  g_object_unref (fixture->run);
  g_object_unref (fixture->document);
  fixture->document = plg_document_new (fixture->catalogue);
  fixture->run = plg_lesson_run_new (fixture->document, lesson);
  g_assert_true (plg_lesson_run_resume (fixture->run, path, "Ada", NULL));
}

static void
check_is_kept (const char *path, const char *words)
{
  g_autofree char *kept = NULL;

  g_assert_true (g_file_get_contents (path, &kept, NULL, NULL));
  g_assert_nonnull (strstr (kept, words));
}

static void
test_resume (Fixture *fixture, gconstpointer data)
{
  g_autofree char *folder = g_dir_make_tmp ("ledger-XXXXXX", NULL);
  g_autofree char *path = g_build_filename (folder, "Ada.xml", NULL);

  g_assert_true (plg_lesson_run_resume (fixture->run, path, "Ada", NULL));
  begin_again (fixture, path);
  g_assert_false (g_file_test (path, G_FILE_TEST_EXISTS));
  g_assert_true (plg_lesson_run_needs_answer (fixture->run));
  plg_lesson_run_choose (fixture->run, 0);
  plg_lesson_run_choose (fixture->run, 1);
  plg_lesson_run_reflect (fixture->run, "q", "Why");
  plg_lesson_run_flush (fixture->run);
  check_is_kept (path, "Why");
  begin_again (fixture, path);
  g_assert_cmpint (plg_lesson_run_position (fixture->run), ==, 0);
  g_assert_cmpint (plg_lesson_run_answer (fixture->run, "q"), ==, 0);
  g_assert_false (plg_lesson_run_needs_answer (fixture->run));
  g_assert_cmpstr (plg_lesson_run_reflection (fixture->run, "q"), ==, "Why");

  /* A goal that is half reached, and a goal that is reached. */
  plg_lesson_run_go (fixture->run, 1);
  g_assert_true (plg_document_set (fixture->document, "training.global-batch", "32", NULL));
  begin_again (fixture, path);
  g_assert_cmpint (plg_lesson_run_position (fixture->run), ==, 1);
  g_assert_cmpint (batch (fixture), ==, 32);
  g_assert_false (plg_lesson_run_is_goal_reached (fixture->run));
  g_assert_true (plg_document_set (fixture->document, "training.global-batch", "128", NULL));
  g_assert_true (plg_lesson_run_go (fixture->run, 1));
  begin_again (fixture, path);
  g_assert_cmpint (plg_lesson_run_position (fixture->run), ==, 2);
  g_assert_cmpint (batch (fixture), ==, 128);

  /* After its end the lesson starts again, and a reached goal stays reached if the step is only
   * viewed. */
  plg_lesson_run_finish (fixture->run);
  begin_again (fixture, path);
  g_assert_cmpint (plg_lesson_run_position (fixture->run), ==, 0);
  plg_lesson_run_go (fixture->run, 1);
  g_assert_false (plg_lesson_run_is_goal_reached (fixture->run));
  plg_lesson_run_go (fixture->run, 1);
  g_assert_cmpint (plg_learner_score (plg_lesson_run_record (fixture->run)), ==,
                   PLG_SCORE_DEVELOPING);
  g_assert_true (plg_learner_find_design (plg_lesson_run_record (fixture->run), "two")->reached);
  g_remove (path);
  g_rmdir (folder);
}

static const char
    healing[] = "<lesson version='1' id='h'><title>T</title>"
                "<step id='ill'><title>Ill</title><plan from='default'>"
                "<set key='training.global-batch' value='16'/></plan><free keys='training.*'/>"
                "<question id='q' answer='b' hides='bubble'><p>?</p>"
                "<choice id='a'><say>A</say><because><p>no</p></because></choice>"
                "<choice id='b'><say>B</say><because><p>yes</p></because>"
                "<plan><set key='training.global-batch' value='128'/></plan></choice></question>"
                "<goal><must holds='bubble&lt;10%'/></goal></step>"
                "<step id='next'><title>Next</title></step></lesson>";

/* In a step with a question and a goal, the learner's plan is a design; the plan of an answer is
 * not, even if it reaches the goal. */
static void
test_question_and_goal (void)
{
  g_autofree char *folder = g_dir_make_tmp ("ledger-XXXXXX", NULL);
  g_autofree char *path = g_build_filename (folder, "Ada.xml", NULL);
  Fixture fixture = { .catalogue = plg_catalogue_load (NULL) };
  g_autoptr (PlgLesson) lesson = plg_lesson_read (healing, strlen (healing), NULL);

  fixture.document = plg_document_new (fixture.catalogue);
  fixture.run = plg_lesson_run_new (fixture.document, lesson);
  g_assert_true (plg_lesson_run_resume (fixture.run, path, "Ada", NULL));
  plg_lesson_run_choose (fixture.run, 1);
  g_assert_true (plg_lesson_run_is_goal_reached (fixture.run));
  g_assert_null (plg_learner_find_design (plg_lesson_run_record (fixture.run), "ill"));
  plg_lesson_run_choose (fixture.run, 0);
  g_assert_true (plg_document_set (fixture.document, "training.global-batch", "256", NULL));
  g_assert_true (plg_learner_find_design (plg_lesson_run_record (fixture.run), "ill")->reached);

  begin_again (&fixture, path);
  g_assert_cmpint (batch (&fixture), ==, 256);
  plg_lesson_run_go (fixture.run, 1);
  g_assert_cmpint (batch (&fixture), ==, 256);
  tear_down (&fixture, NULL);
  g_remove (path);
  g_rmdir (folder);
}

static void
preview_batch (Fixture *fixture, int batch)
{
  g_autoptr (PlgPlan) plan = plg_plan_copy (plg_document_committed_plan (fixture->document));

  plan->training.global_batch = batch;
  g_assert_true (plg_document_preview (fixture->document, plan));
}

/* A preview shows that it would reach the goal, but neither reaches the goal nor is stored: only
 * a committed plan is judged. */
static void
test_preview (Fixture *fixture, gconstpointer data)
{
  g_autofree char *folder = g_dir_make_tmp ("ledger-XXXXXX", NULL);
  g_autofree char *path = g_build_filename (folder, "Ada.xml", NULL);
  const PlgLearnerLesson *record;
  const PlgLearnerDesign *made;
  g_autofree char *numbers_in_text = NULL;

  g_assert_true (plg_lesson_run_resume (fixture->run, path, "Ada", NULL));
  record = plg_lesson_run_record (fixture->run);
  plg_lesson_run_choose (fixture->run, 1);
  plg_lesson_run_go (fixture->run, 1);
  fixture->changes = 0;
  preview_batch (fixture, 128);
  numbers_in_text = plg_lesson_run_goal_text (fixture->run);
  g_assert_true (g_str_has_suffix (numbers_in_text, "Reached (PASS)."));
  g_assert_cmpint (fixture->changes, >, 0);
  g_assert_true (plg_document_is_previewing (fixture->document));
  g_assert_false (plg_lesson_run_is_goal_reached (fixture->run));
  g_assert_null (plg_learner_find_design (record, "two"));

  plg_document_preview (fixture->document, NULL);
  g_assert_false (plg_lesson_run_is_goal_reached (fixture->run));
  g_assert_null (plg_learner_find_design (record, "two"));

  preview_batch (fixture, 128);
  g_assert_true (plg_document_set (fixture->document, "training.global-batch", "128", NULL));
  made = plg_learner_find_design (record, "two");
  g_assert_true (made->reached);
  g_assert_cmpint (made->plan->training.global_batch, ==, 128);
  /* During a preview that misses the goal, the goal stays reached. */
  preview_batch (fixture, 16);
  g_assert_true (plg_lesson_run_is_goal_reached (fixture->run));
  g_assert_cmpint (batch_of (fixture, PLG_LESSON_AFTER), ==, 128);
  g_remove (path);
  g_rmdir (folder);
}

static const char
    given[] = "<lesson version='1' id='g'><title>T</title>"
              "<step id='make'><title>Make</title><plan from='default'>"
              "<set key='training.global-batch' value='16'/></plan><free keys='training.*'/>"
              "<goal><must holds='bubble&lt;10%'/>"
              "<plan><set key='training.global-batch' value='128'/></plan></goal></step>"
              "<step id='ask'><title>Ask</title></step></lesson>";

/* A learner who skips the goal gets a plan that reaches it, with a message. A learner who
 * reached the goal keeps their plan, also after viewing the step again. */
static void
test_skipped_goal (void)
{
  g_autofree char *folder = g_dir_make_tmp ("ledger-XXXXXX", NULL);
  g_autofree char *path = g_build_filename (folder, "Ada.xml", NULL);
  Fixture fixture = { .catalogue = plg_catalogue_load (NULL) };
  g_autoptr (PlgLesson) lesson = plg_lesson_read (given, strlen (given), NULL);

  fixture.document = plg_document_new (fixture.catalogue);
  fixture.run = plg_lesson_run_new (fixture.document, lesson);
  g_assert_true (plg_lesson_run_resume (fixture.run, path, "Ada", NULL));
  g_assert_true (plg_document_set (fixture.document, "training.global-batch", "32", NULL));
  plg_lesson_run_go (fixture.run, 1);
  g_assert_cmpint (batch (&fixture), ==, 128);
  g_assert_true (plg_lesson_run_has_fallback_plan (fixture.run));
  begin_again (&fixture, path);
  g_assert_cmpint (plg_lesson_run_position (fixture.run), ==, 1);
  g_assert_cmpint (batch (&fixture), ==, 128);
  g_assert_true (plg_lesson_run_has_fallback_plan (fixture.run));

  plg_lesson_run_go (fixture.run, -1);
  g_assert_false (plg_lesson_run_has_fallback_plan (fixture.run));
  g_assert_true (plg_document_set (fixture.document, "training.global-batch", "128", NULL));
  for (int i = 0; i < 2; i++)
    {
      plg_lesson_run_go (fixture.run, 1);
      g_assert_cmpint (batch (&fixture), ==, 128);
      g_assert_false (plg_lesson_run_has_fallback_plan (fixture.run));
      plg_lesson_run_go (fixture.run, -1);
      g_assert_cmpint (batch (&fixture), ==, 128);
      plg_lesson_run_restart_step (fixture.run);
      g_assert_cmpint (batch (&fixture), ==, 16);
    }
  tear_down (&fixture, NULL);
  g_remove (path);
  g_rmdir (folder);
}

static const char
    passed[] = "<lesson version='1' id='p'><title>T</title>"
               "<step id='read'><title>Read</title><plan from='default'/><free keys='*'/></step>"
               "<step id='make'><title>Make</title><plan from='default'>"
               "<set key='training.global-batch' value='16'/></plan><free keys='training.*'/>"
               "<goal><must holds='bubble&lt;10%'/></goal></step>"
               "<step id='more'><title>More</title>"
               "<goal><must holds='bubble&lt;4%'/></goal></step></lesson>";

/* Moving back and forth over a step with a reached goal does not report a missed goal. This
 * holds only for one run: in a new run the goal must be reached again. */
static void
test_viewed_again (void)
{
  Fixture fixture = { .catalogue = plg_catalogue_load (NULL) };
  g_autoptr (PlgLesson) lesson = plg_lesson_read (passed, strlen (passed), NULL);

  fixture.document = plg_document_new (fixture.catalogue);
  fixture.run = plg_lesson_run_new (fixture.document, lesson);
  plg_lesson_run_go (fixture.run, 1);
  g_assert_true (plg_document_set (fixture.document, "training.global-batch", "128", NULL));
  g_assert_true (plg_lesson_run_is_goal_reached (fixture.run));
  plg_lesson_run_go (fixture.run, 1);
  g_assert_true (plg_document_set (fixture.document, "training.global-batch", "1024", NULL));
  g_assert_true (plg_lesson_run_is_goal_reached (fixture.run));
  plg_lesson_run_go (fixture.run, -1);
  plg_lesson_run_go (fixture.run, -1);
  for (int i = 128; i <= 1024; i *= 8)
    {
      plg_lesson_run_go (fixture.run, 1);
      g_assert_cmpint (batch (&fixture), ==, i);
      g_assert_true (plg_lesson_run_is_goal_reached (fixture.run));
    }
  /* A step that now continues from another plan starts with this plan. */
  plg_lesson_run_go (fixture.run, -1);
  g_assert_true (plg_document_set (fixture.document, "training.global-batch", "256", NULL));
  plg_lesson_run_go (fixture.run, 1);
  g_assert_cmpint (batch (&fixture), ==, 256);
  g_object_unref (fixture.run);
  fixture.run = plg_lesson_run_new (fixture.document, lesson);
  plg_lesson_run_go (fixture.run, 1);
  g_assert_cmpint (batch (&fixture), ==, 16);
  tear_down (&fixture, NULL);
}

static void
test_broken_learner_record (Fixture *fixture, gconstpointer data)
{
  g_autofree char *folder = g_dir_make_tmp ("ledger-XXXXXX", NULL);
  g_autofree char *path = g_build_filename (folder, "Ada.xml", NULL);
  g_autofree char *kept = NULL;
  g_autoptr (GError) error = NULL;

  g_assert_true (g_file_set_contents (path, "<learner>", -1, NULL));
  g_assert_false (plg_lesson_run_resume (fixture->run, path, "Ada", &error));
  g_assert_nonnull (error);
  plg_lesson_run_choose (fixture->run, 0);
  plg_lesson_run_end (fixture->run);
  g_assert_true (g_file_get_contents (path, &kept, NULL, NULL));
  g_assert_cmpstr (kept, ==, "<learner>");
  g_remove (path);
  g_rmdir (folder);
}

/* Runs due sources: with a delay of 0 seconds, the autosave. */
static gboolean
has_recovery_file (const char *folder)
{
  g_autoptr (GDir) files = NULL;

  while (g_main_context_iteration (NULL, FALSE))
    ;
  files = g_dir_open (folder, 0, NULL);
  return files != NULL && g_dir_read_name (files) != NULL;
}

/* The learner record restores a lesson after a crash, so there is no second window with only its
 * plan. After the end of the lesson, the plan is autosaved like any other. */
static void
test_recovery (Fixture *fixture, gconstpointer data)
{
  g_autofree char *folder = g_dir_make_tmp ("recovery-XXXXXX", NULL);

  plg_lesson_run_choose (fixture->run, 0);
  plg_document_set_autosave (fixture->document, folder, 0);
  g_assert_true (plg_document_set (fixture->document, "training.global-batch", "32", NULL));
  g_assert_true (plg_document_is_modified (fixture->document));
  g_assert_false (has_recovery_file (folder));
  plg_lesson_run_end (fixture->run);
  g_assert_true (has_recovery_file (folder));
  plg_document_discard_autosave (fixture->document);
  g_assert_false (has_recovery_file (folder));
  g_rmdir (folder);
}

static const char
    sick_text[] = "<lesson version='1' id='s'><title>S</title>"
                  "<step id='one'><title>One</title><plan from='default'>"
                  "<set key='cluster.faults' value='gpu:17=0.5'/></plan>"
                  "<question id='q' answer='a' hides='faults'><p>?</p>"
                  "<choice id='a'><say>A</say><because><p>yes</p></because></choice>"
                  "<choice id='b'><say>B</say><because><p>no</p></because></choice></question>"
                  "<goal><must holds='mfu&gt;36%'/></goal></step></lesson>";

static char *
faults_of (const PlgPlan *plan)
{
  return plg_faults_to_string (&plan->cluster);
}

static void
assert_hidden (PlgDocument *document)
{
  g_autofree char *shown = faults_of (plg_document_plan (document));
  g_autofree char *committed = faults_of (plg_document_committed_plan (document));
  g_autofree char *whole = faults_of (plg_document_unredacted_plan (document));

  g_assert_cmpstr (shown, ==, "");
  g_assert_cmpstr (committed, ==, "");
  g_assert_cmpstr (whole, ==, "gpu:17=0.5");
  g_assert_cmpfloat (plg_document_report (document)->step.slowest_gpu_factor, ==, 1);
  g_assert_cmpfloat (plg_document_report (document)->step.mfu, <, 0.25);
}

/* Hidden faults of a diagnosis are invisible, are not repaired by other changes, and cannot be
 * changed. */
static void
test_diagnosis (void)
{
  g_autoptr (PlgCatalogue) catalogue = plg_catalogue_load (NULL);
  g_autoptr (PlgDocument) document = plg_document_new (catalogue);
  g_autoptr (GError) error = NULL;

  g_assert_true (plg_document_set (document, "cluster.faults", "gpu:17=0.5", NULL));
  plg_document_set_policy (document, &(PlgEditPolicy) { .redaction = PLG_REDACT_FAULTS });
  assert_hidden (document);
  g_assert_true (plg_document_set (document, "training.global-batch", "256", NULL));
  assert_hidden (document);
  g_assert_true (plg_document_preview (document, plg_document_committed_plan (document)));
  assert_hidden (document);
  g_assert_true (plg_document_preview (document, NULL));
  g_assert_false (plg_document_set (document, "cluster.faults", "gpu:3=0.5", &error));
  g_assert_cmpstr (error->message, ==, "Faults can be changed after the lesson shows them.");
  g_assert_true (plg_document_undo (document));
  assert_hidden (document);
}

/* A faulty plan is repaired after the diagnosis, and not before. */
static void
test_repair_after_diagnosis (void)
{
  g_autoptr (PlgCatalogue) catalogue = plg_catalogue_load (NULL);
  g_autoptr (PlgDocument) document = plg_document_new (catalogue);
  g_autoptr (PlgLesson) lesson = plg_lesson_read (sick_text, strlen (sick_text), NULL);
  g_autoptr (PlgLessonRun) run = plg_lesson_run_new (document, lesson);
  g_autofree char *answered = NULL;

  assert_hidden (document);
  g_assert_false (plg_document_set (document, "training.global-batch", "256", NULL));
  assert_hidden (document);
  plg_lesson_run_choose (run, 1);
  answered = faults_of (plg_document_plan (document));
  g_assert_cmpstr (answered, ==, "gpu:17=0.5");
  g_assert_true (plg_document_set (document, "cluster.faults", "", NULL));
  g_assert_true (plg_lesson_run_is_goal_reached (run));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add ("/lesson-run/lock", Fixture, NULL, set_up, test_lock, tear_down);
  g_test_add ("/lesson-run/settings-wait-for-answer", Fixture, NULL, set_up,
              test_settings_wait_for_answer, tear_down);
  g_test_add ("/lesson-run/answers", Fixture, NULL, set_up, test_answers, tear_down);
  g_test_add ("/lesson-run/steps", Fixture, NULL, set_up, test_steps, tear_down);
  g_test_add ("/lesson-run/goal", Fixture, NULL, set_up, test_goal, tear_down);
  g_test_add ("/lesson-run/locked-settings", Fixture, NULL, set_up, test_locked_settings,
              tear_down);
  g_test_add ("/lesson-run/text-of-step", Fixture, NULL, set_up, test_text_of_step, tear_down);
  g_test_add ("/lesson-run/text-after-question", Fixture, NULL, set_up, test_text_after_question,
              tear_down);
  g_test_add ("/lesson-run/text-after-goal", Fixture, NULL, set_up, test_text_after_goal,
              tear_down);
  g_test_add ("/lesson-run/preview", Fixture, NULL, set_up, test_preview, tear_down);
  g_test_add_func ("/lesson-run/question-and-goal", test_question_and_goal);
  g_test_add_func ("/lesson-run/diagnosis", test_diagnosis);
  g_test_add_func ("/lesson-run/repair-after-diagnosis", test_repair_after_diagnosis);
  g_test_add_func ("/lesson-run/skipped-goal", test_skipped_goal);
  g_test_add_func ("/lesson-run/viewed-again", test_viewed_again);
  g_test_add ("/lesson-run/resume", Fixture, NULL, set_up, test_resume, tear_down);
  g_test_add ("/lesson-run/broken-learner-record", Fixture, NULL, set_up,
              test_broken_learner_record, tear_down);
  g_test_add ("/lesson-run/recovery", Fixture, NULL, set_up, test_recovery, tear_down);
  return g_test_run ();
}
