/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "document/lesson-run.h"
#include "io/plan/catalogue-xml.h"
#include "lessons/lesson-library.h"

#include <string.h>

/* Returns whether EDITS contain all settings of the right answer of STEP, whatever the profile. */
static gboolean
contains_answer (const char *edits, const PlgLessonStep *step)
{
  const PlgQuestion *question = step->question;
  const PlgTrialChange *right = question != NULL ? question->choices->pdata[question->right] : NULL;
  g_auto (GStrv) words = g_strsplit (edits, " ", -1);
  int n = 0;

  if (right == NULL || right->setup == NULL || right->setup->settings == NULL)
    return FALSE;
  for (char **set = right->setup->settings; *set != NULL; set++)
    if (!g_str_has_prefix (*set, "engine.profile="))
      {
        n++;
        if (!g_strv_contains ((const char *const *) words, *set))
          return FALSE;
      }
  return n > 0;
}

/* The step asks about a plan in which the same change does not help, so earlier advice is no
 * answer. */
static gboolean
is_of_another_plan (const PlgLessonStep *step)
{
  return g_str_equal (step->id, "seed");
}

static void
check_findings (PlgLessonRun *run, int at)
{
  const PlgLesson *lesson = plg_lesson_run_lesson (run);
  const PlgReport *report = plg_document_report (plg_lesson_run_document (run));

  for (guint i = 0; i < report->findings->len; i++)
    for (guint later = (guint) at + 1; later < lesson->steps->len; later++)
      {
        const PlgFinding *finding = &g_array_index (report->findings, PlgFinding, i);
        const PlgLessonStep *step = lesson->steps->pdata[later];

        if (finding->edits != NULL && contains_answer (finding->edits, step) &&
            !is_of_another_plan (step))
          {
            g_test_message ("%s: step %d advises %s, the answer of step “%s”", lesson->id, at + 1,
                            finding->edits, step->id);
            g_test_fail ();
          }
      }
}

/* Checks the findings with every profile that the step allows. */
static void
check_profiles (PlgLessonRun *run, int at)
{
  static const char *const profiles[] = { "notebook", "handbook", "standard" };
  PlgDocument *document = plg_lesson_run_document (run);

  check_findings (run, at);
  for (guint i = 0;
       plg_edit_policy_lock_reason (plg_document_policy (document), "engine.profile") == NULL &&
       i < 3;
       i++)
    {
      g_assert_true (plg_document_set (document, "engine.profile", profiles[i], NULL));
      check_findings (run, at);
    }
}

/* Plays STEP and shows each of its answers on the canvas. */
static void
play_step (PlgLessonRun *run, const PlgLessonStep *step, int at)
{
  check_profiles (run, at);
  for (guint i = 0; step->question != NULL && i < step->question->choices->len; i++)
    {
      plg_lesson_run_choose (run, (int) i);
      check_profiles (run, at);
    }
}

/* No advice of a step gives away the answer of a later step. */
static void
test_gives_no_answer_away (void)
{
  g_autoptr (PlgCatalogue) catalogue = plg_catalogue_load (NULL);
  g_autoptr (GPtrArray) library = plg_lesson_library ();

  for (guint i = 0; i < library->len; i++)
    {
      g_autoptr (PlgDocument) document = plg_document_new (catalogue);
      g_autoptr (PlgLessonRun) run = plg_lesson_run_new (document, library->pdata[i]);
      const PlgLesson *lesson = library->pdata[i];

      for (guint at = 0; at < lesson->steps->len; at++)
        {
          play_step (run, lesson->steps->pdata[at], (int) at);
          plg_lesson_run_go (run, 1);
        }
    }
}

static const char quiet[] = "<lesson version='1' id='q'><title>T</title>"
                            "<step id='quiet' advice='false'><title>Quiet</title>"
                            "<plan><set key='training.global-batch' value='16'/></plan></step>"
                            "<step id='loud'><title>Loud</title></step></lesson>";

static guint
n_findings (PlgDocument *document)
{
  return plg_document_report (document)->findings->len;
}

/* A step without advice hides no number, and the next step has advice again. */
static void
test_step_without_advice (void)
{
  g_autoptr (PlgCatalogue) catalogue = plg_catalogue_load (NULL);
  g_autoptr (PlgDocument) document = plg_document_new (catalogue);
  g_autoptr (PlgLesson) lesson = plg_lesson_read (quiet, strlen (quiet), NULL);
  PlgLessonRun *run = plg_lesson_run_new (document, lesson);

  g_assert_cmpint (n_findings (document), ==, 0);
  g_assert_true (plg_document_policy (document)->hides_findings);
  g_assert_cmpint (plg_document_policy (document)->redaction, ==, 0);
  g_assert_true (plg_document_set (document, "training.micro-batch", "2", NULL));
  g_assert_cmpint (n_findings (document), ==, 0);
  plg_lesson_run_go (run, 1);
  g_assert_cmpint (n_findings (document), >, 0);
  plg_lesson_run_go (run, -1);
  plg_lesson_run_end (run);
  g_assert_false (plg_document_policy (document)->hides_findings);
  g_object_unref (run);
}

static const char remedy[] = "<lesson version='1' id='r'><title>T</title>"
                             "<step id='heal' advice='false'><title>Heal</title>"
                             "<plan><set key='training.global-batch' value='16'/></plan>"
                             "<goal><p>Fill it.</p><must holds='bubble&lt;10%'/></goal></step>"
                             "</lesson>";

/* If the learner must find the remedy, advice appears after the remedy is found. */
static void
test_remedy (void)
{
  g_autoptr (PlgCatalogue) catalogue = plg_catalogue_load (NULL);
  g_autoptr (PlgDocument) document = plg_document_new (catalogue);
  g_autoptr (PlgLesson) lesson = plg_lesson_read (remedy, strlen (remedy), NULL);
  PlgLessonRun *run = plg_lesson_run_new (document, lesson);

  g_assert_true (plg_document_policy (document)->hides_findings);
  g_assert_true (plg_document_set (document, "training.global-batch", "32", NULL));
  g_assert_false (plg_lesson_run_is_goal_reached (run));
  g_assert_cmpint (n_findings (document), ==, 0);
  g_assert_true (plg_document_set (document, "training.global-batch", "1024", NULL));
  g_assert_true (plg_lesson_run_is_goal_reached (run));
  g_assert_false (plg_document_policy (document)->hides_findings);
  g_assert_cmpint (n_findings (document), >, 0);
  plg_lesson_run_end (run);
  g_object_unref (run);
}

/* In the program's own lessons, no step that asks for a remedy offers the remedy as a button. */
static void
test_no_remedy_button_in_lessons (void)
{
  static const char *const steps[] = { "fill", "memory", "ethernet", "slow-gpu", "limping", "few" };
  g_autoptr (GPtrArray) library = plg_lesson_library ();
  guint n = 0;

  for (guint i = 0; i < library->len; i++)
    {
      const PlgLesson *lesson = library->pdata[i];

      for (guint j = 0; j < lesson->steps->len; j++)
        {
          const PlgLessonStep *step = lesson->steps->pdata[j];

          if ((!g_str_equal (lesson->id, "bottleneck") &&
               !g_str_equal (lesson->id, "three-dimensions")) ||
              step->goal == NULL || g_str_equal (step->id, "design"))
            continue;
          g_assert_cmpstr (step->id, ==, steps[n++]);
          g_assert_true (step->hides_advice);
        }
    }
  g_assert_cmpuint (n, ==, G_N_ELEMENTS (steps));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/lesson-advice/gives-no-answer-away", test_gives_no_answer_away);
  g_test_add_func ("/lesson-advice/step-without-advice", test_step_without_advice);
  g_test_add_func ("/lesson-advice/remedy", test_remedy);
  g_test_add_func ("/lesson-advice/no-remedy-button-in-lessons", test_no_remedy_button_in_lessons);
  return g_test_run ();
}
