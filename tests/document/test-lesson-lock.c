/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "document/lesson-run.h"
#include "engine/advice/advice.h"
#include "engine/report/metric.h"
#include "engine/report/redaction.h"
#include "io/plan/catalogue-xml.h"
#include "lessons/lesson-library.h"

#include <math.h>
#include <string.h>

/* No step shows the answer of a later question. The test plays each lesson of the program, looks
 * at every answer, records all visible numbers and compares them with later questions. */

/* The visible numbers next to one answer, or in a step without a question. */
typedef struct
{
  char *where;
  PlgPlan *plan;
  PlgReport *report;
  char *text; /* NULL after a step has begun with another plan, which the text does not describe */
} SeenStep;

static void
seen_step_free (SeenStep *seen_step)
{
  g_free (seen_step->where);
  plg_plan_free (seen_step->plan);
  plg_report_unref (seen_step->report);
  g_free (seen_step->text);
  g_free (seen_step);
}

static void
add_text (GString *out, PlgLessonRun *run, PlgLessonPart part, const GPtrArray *passages)
{
  PlgCatalogue *catalogue = plg_document_catalogue (plg_lesson_run_document (run));
  PlgLessonNumbers subject = plg_lesson_run_numbers (run, part);

  for (guint i = 0; i < passages->len; i++)
    {
      g_autofree char *text = plg_passage_text (passages->pdata[i], subject.plan, subject.report,
                                                catalogue, FALSE);

      g_string_append_printf (out, "%s\n", text);
    }
}

static char *
text_of (PlgLessonRun *run)
{
  const PlgLessonStep *step = plg_lesson_run_step (run);
  int shown = plg_lesson_run_shown_choice (run);
  GString *out = g_string_new (NULL);

  add_text (out, run, PLG_LESSON_STEP, step->text);
  if (shown >= 0)
    add_text (out, run, PLG_LESSON_ANSWER,
              ((const PlgTrialChange *) step->question->choices->pdata[shown])->because);
  add_text (out, run, PLG_LESSON_AFTER, step->after);
  return g_string_free (out, FALSE);
}

static SeenStep *
see_step (PlgLessonRun *run)
{
  PlgDocument *document = plg_lesson_run_document (run);
  SeenStep *seen_step = g_new0 (SeenStep, 1);

  seen_step->where = g_strdup_printf ("%s, answer %d", plg_lesson_run_step (run)->id,
                                      plg_lesson_run_shown_choice (run) + 1);
  seen_step->plan = plg_plan_copy (plg_document_unredacted_plan (document));
  seen_step->report = plg_report_ref ((PlgReport *) plg_document_report (document));
  seen_step->text = text_of (run);
  return seen_step;
}

/* The plan and report that a question is about, and the report of the plan to which the question
 * belongs; NULL if both are the same. */
typedef struct
{
  const PlgQuestion *question;
  const PlgPlan *plan;
  PlgReport *report;
  PlgReport *own;
} Question;

static char *
metric_text (const PlgMetric *metric, const PlgReport *report)
{
  return plg_measure_text (metric->measure, plg_metric_value (metric, report));
}

/* Checks that the text does not contain the value of METRIC. A value without decimals has other
 * meanings too, the seen plan may have the same value, and an answer may leave the value
 * unchanged. */
static void
check_text (const SeenStep *seen_step, const Question *asked, const PlgMetric *metric)
{
  g_autofree char *text = metric_text (metric, asked->report);
  g_autofree char *seen = metric_text (metric, seen_step->report);
  g_autofree char *own = asked->own != NULL ? metric_text (metric, asked->own) : NULL;

  if (seen_step->text == NULL || strchr (text, '.') == NULL || g_str_equal (text, seen) ||
      g_strcmp0 (text, own) == 0)
    return;
  if (strstr (seen_step->text, text) != NULL)
    g_error ("%s asks for %s, %s: the text of step %s contains it", asked->question->id,
             metric->name, text, seen_step->where);
}

static void
check_seen_step (const SeenStep *seen_step, const Question *asked, char **names)
{
  gboolean same = plg_plan_same_design (seen_step->plan, asked->plan);

  for (int i = 0; names[i] != NULL; i++)
    {
      const PlgMetric *metric = plg_metric_find (names[i]);

      if ((metric->about & asked->question->hides) == 0 || metric->about == PLG_REDACT_ALL)
        continue;
      if (same && !isnan (plg_metric_value (metric, seen_step->report)))
        g_error ("%s asks for %s: step %s shows it", asked->question->id, metric->name,
                 seen_step->where);
      check_text (seen_step, asked, metric);
    }
}

/* Checks the plan that CHOICE sets up, or the unchanged plan if CHOICE sets up nothing. */
static void
check_choice (PlgDocument *document,
              const PlgQuestion *question,
              const PlgTrialChange *choice,
              const GPtrArray *seen_steps,
              char **names)
{
  g_autoptr (PlgPlan) plan = plg_plan_copy (plg_document_unredacted_plan (document));
  g_autoptr (PlgReport) own = plg_evaluate_with_advice (plan, NULL);
  g_autoptr (PlgReport) report = NULL;

  if (choice->setup != NULL)
    plg_step_setup_apply (choice->setup, plan, plg_document_catalogue (document), NULL);
  if (plg_plan_same_design (plan, plg_document_unredacted_plan (document)))
    g_clear_pointer (&own, plg_report_unref);
  report = plg_evaluate_with_advice (plan, NULL);
  for (guint i = 0; i < seen_steps->len; i++)
    check_seen_step (seen_steps->pdata[i], &(Question) { question, plan, report, own }, names);
}

static void
check_question (PlgLessonRun *run, const GPtrArray *seen_steps, char **names)
{
  PlgDocument *document = plg_lesson_run_document (run);
  const PlgQuestion *question = plg_lesson_run_step (run)->question;

  g_assert_cmpint (plg_document_report (document)->redaction & question->hides, ==,
                   question->hides);
  for (guint i = 0; question->hides != 0 && i < question->choices->len; i++)
    check_choice (document, question, question->choices->pdata[i], seen_steps, names);
}

/* An answer shows some of the hidden numbers, unless there are no hidden numbers. */
static void
check_answer (PlgLessonRun *run)
{
  guint hides = plg_lesson_run_step (run)->question->hides;
  guint redaction = plg_document_report (plg_lesson_run_document (run))->redaction;

  if (hides != 0 && (hides & ~redaction) == 0)
    g_error ("%s: the answer shows nothing", plg_lesson_run_step (run)->id);
}

static void
forget_texts (GPtrArray *seen_steps)
{
  for (guint i = 0; i < seen_steps->len; i++)
    g_clear_pointer (&((SeenStep *) seen_steps->pdata[i])->text, g_free);
}

/* A plan for a diagnosis hides its faults until any answer is given. */
static void
check_faults (PlgLessonRun *run, guint hides)
{
  PlgDocument *document = plg_lesson_run_document (run);
  g_autoptr (GBytes) file = plg_document_plan_bytes (document);
  int n = plg_document_unredacted_plan (document)->cluster.n_faults;
  gboolean hidden = plg_lesson_run_needs_answer (run) && (hides & PLG_REDACT_FAULTS) != 0;

  g_assert_true (n > 0 || (hides & PLG_REDACT_FAULTS) == 0);
  g_assert_cmpint (plg_document_plan (document)->cluster.n_faults, ==, hidden ? 0 : n);
  g_assert_true ((strstr (g_bytes_get_data (file, NULL), "faults=") != NULL) == (n > 0 && !hidden));
}

static void
play_step (PlgLessonRun *run, GPtrArray *seen_steps, char **names)
{
  const PlgLessonStep *step = plg_lesson_run_step (run);
  const PlgQuestion *question = step->question;

  if (step->setup != NULL && step->setup->from_default)
    forget_texts (seen_steps);
  if (question == NULL)
    {
      g_ptr_array_add (seen_steps, see_step (run));
      return;
    }
  check_faults (run, question->hides);
  check_question (run, seen_steps, names);
  for (guint i = 0; i < question->choices->len; i++)
    {
      g_assert_true (plg_lesson_run_choose (run, (int) i));
      check_answer (run);
      check_faults (run, question->hides);
      g_ptr_array_add (seen_steps, see_step (run));
    }
}

static void
test_lesson (gconstpointer data)
{
  PlgLesson *lesson = (PlgLesson *) data;
  g_autoptr (PlgCatalogue) catalogue = plg_catalogue_load (NULL);
  g_autoptr (PlgDocument) document = plg_document_new (catalogue);
  g_autoptr (PlgLessonRun) run = plg_lesson_run_new (document, lesson);
  g_autoptr (GPtrArray)
                 seen_steps = g_ptr_array_new_with_free_func ((GDestroyNotify) seen_step_free);
  g_autofree char *all = plg_metric_names ();
  g_auto (GStrv) names = g_strsplit (all, ", ", -1);

  do
    play_step (run, seen_steps, names);
  while (plg_lesson_run_go (run, 1));
  g_assert_null (plg_lesson_run_next_step (run));
  g_assert_cmpint (plg_document_policy (document)->redaction, ==, 0);
}

/* Returns a run of LESSON at step ID, with the first choice of each earlier question. */
static PlgLessonRun *
run_to (PlgDocument *document, const char *lesson, const char *id)
{
  g_autoptr (GPtrArray) lessons = plg_lesson_library ();
  PlgLessonRun *run = NULL;

  for (guint i = 0; i < lessons->len && run == NULL; i++)
    if (g_str_equal (((const PlgLesson *) lessons->pdata[i])->id, lesson))
      run = plg_lesson_run_new (document, lessons->pdata[i]);
  while (!g_str_equal (plg_lesson_run_step (run)->id, id))
    {
      if (plg_lesson_run_needs_answer (run))
        plg_lesson_run_choose (run, 0);
      g_assert_true (plg_lesson_run_go (run, 1));
    }
  return run;
}

static double
shown_bubble (PlgDocument *document)
{
  return plg_document_report (document)->bubble.simulated;
}

/* A plan that the learner makes in an earlier step, even during a drag, does not show the
 * answer: here the learner makes the plan of the right answer. Other plans show their numbers. */
static void
test_plan_of_learner (void)
{
  g_autoptr (PlgCatalogue) catalogue = plg_catalogue_load (NULL);
  g_autoptr (PlgDocument) document = plg_document_new (catalogue);
  g_autoptr (PlgLessonRun) run = run_to (document, "pipeline", "three-names");
  g_autoptr (PlgPlan) asked = NULL;

  g_assert_true (plg_lesson_run_go (run, -1));
  g_assert_true (plg_document_set (document, "training.global-batch", "54", NULL));
  g_assert_true (isnan (shown_bubble (document)));
  asked = plg_plan_copy (plg_document_plan (document));
  g_assert_true (plg_document_set (document, "training.global-batch", "48", NULL));
  g_assert_false (isnan (shown_bubble (document)));
  g_assert_true (plg_document_preview (document, asked));
  g_assert_true (isnan (shown_bubble (document)));
  plg_document_preview (document, NULL);
  g_assert_false (isnan (shown_bubble (document)));
  /* After the answer, nothing is hidden. */
  g_assert_true (plg_lesson_run_go (run, 1));
  g_assert_true (plg_lesson_run_choose (run, 1));
  g_assert_true (plg_lesson_run_go (run, -1));
  g_assert_true (plg_document_set (document, "training.global-batch", "54", NULL));
  g_assert_false (isnan (shown_bubble (document)));
}

/* The next question asks about the plan that reaches the goal: before the answer, this plan and
 * neighbouring plans with the same number of calls show only the numbers of the goal. */
static void
test_plan_of_goal (void)
{
  g_autoptr (PlgCatalogue) catalogue = plg_catalogue_load (NULL);
  g_autoptr (PlgDocument) document = plg_document_new (catalogue);
  g_autoptr (PlgLessonRun) run = run_to (document, "sixty-four-gpus", "zero");
  const PlgReport *report;

  g_assert_true (isnan (plg_document_report (document)->step.part[PLG_PART_TP]));
  g_assert_false (isnan (plg_document_report (document)->step.mfu));
  g_assert_true (plg_document_set (document, "parallelism.zero", "1", NULL));
  g_assert_true (plg_lesson_run_is_goal_reached (run));
  report = plg_document_report (document);
  g_assert_true (isnan (report->step.part[PLG_PART_TP]));
  g_assert_false (isnan (report->memory_peak));
  g_assert_true (plg_lesson_run_go (run, 1));
  g_assert_true (plg_lesson_run_needs_answer (run));
  g_assert_true (plg_lesson_run_go (run, -1));
  g_assert_true (plg_document_set (document, "parallelism.zero", "1", NULL));
  g_assert_true (isnan (plg_document_report (document)->step.part[PLG_PART_TP]));
  g_assert_true (plg_lesson_run_go (run, 1));
  g_assert_true (plg_lesson_run_choose (run, 0));
  g_assert_true (plg_lesson_run_go (run, -1));
  g_assert_true (plg_document_set (document, "parallelism.zero", "1", NULL));
  g_assert_false (isnan (plg_document_report (document)->step.part[PLG_PART_TP]));
}

int
main (int argc, char **argv)
{
  g_autoptr (GPtrArray) lessons = plg_lesson_library ();

  g_test_init (&argc, &argv, NULL);
  for (guint i = 0; i < lessons->len; i++)
    {
      const PlgLesson *lesson = lessons->pdata[i];
      g_autofree char *path = g_strdup_printf ("/lesson-lock/%s", lesson->id);

      g_test_add_data_func (path, lesson, test_lesson);
    }
  g_test_add_func ("/lesson-lock/plan-of-learner", test_plan_of_learner);
  g_test_add_func ("/lesson-lock/plan-of-goal", test_plan_of_goal);
  return g_test_run ();
}
