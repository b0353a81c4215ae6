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

/* A prediction really locks: what a question asks for has been shown by no step before it. Each
 * lesson of the program is played with every answer looked at, and all that was to be seen is kept
 * to be held against the questions that follow. */

/* What stood in the window beside one answer, or in a step that asks nothing. */
typedef struct
{
  char *where;
  PlgPlan *plan;
  PlgReport *report;
  char *text; /* NULL once a step began with another plan, of which it says nothing */
} Sight;

static void
sight_free (Sight *sight)
{
  g_free (sight->where);
  plg_plan_free (sight->plan);
  plg_report_unref (sight->report);
  g_free (sight->text);
  g_free (sight);
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

static Sight *
look (PlgLessonRun *run)
{
  PlgDocument *document = plg_lesson_run_document (run);
  Sight *sight = g_new0 (Sight, 1);

  sight->where = g_strdup_printf ("%s, answer %d", plg_lesson_run_step (run)->id,
                                  plg_lesson_run_shown_choice (run) + 1);
  sight->plan = plg_plan_copy (plg_document_unredacted_plan (document));
  sight->report = plg_report_ref ((PlgReport *) plg_document_report (document));
  sight->text = text_of (run);
  return sight;
}

/* A plan that a question is about, and the report of the one that it is asked of; NULL where that
 * is the same. */
typedef struct
{
  const PlgQuestion *question;
  const PlgPlan *plan;
  PlgReport *report;
  PlgReport *own;
} Asked;

static char *
written (const PlgMetric *metric, const PlgReport *report)
{
  return plg_measure_text (metric->measure, plg_metric_value (metric, report));
}

/* What is asked for, as it is written. What has no decimals stands for other things too, the plan
 * that was looked at may have the same, and what an answer does not change was there before. */
static void
check_text (const Sight *sight, const Asked *asked, const PlgMetric *metric)
{
  g_autofree char *text = written (metric, asked->report);
  g_autofree char *seen = written (metric, sight->report);
  g_autofree char *own = asked->own != NULL ? written (metric, asked->own) : NULL;

  if (sight->text == NULL || strchr (text, '.') == NULL || g_str_equal (text, seen) ||
      g_strcmp0 (text, own) == 0)
    return;
  if (strstr (sight->text, text) != NULL)
    g_error ("%s asks for %s, %s: step %s says it", asked->question->id, metric->name, text,
             sight->where);
}

static void
check_sight (const Sight *sight, const Asked *asked, char **names)
{
  gboolean same = plg_plan_same_design (sight->plan, asked->plan);

  for (int i = 0; names[i] != NULL; i++)
    {
      const PlgMetric *metric = plg_metric_find (names[i]);

      if ((metric->about & asked->question->hides) == 0 || metric->about == PLG_REDACT_ALL)
        continue;
      if (same && !isnan (plg_metric_value (metric, sight->report)))
        g_error ("%s asks for %s: step %s shows it", asked->question->id, metric->name,
                 sight->where);
      check_text (sight, asked, metric);
    }
}

/* Of what CHOICE sets up; where it sets nothing up, of the plan as it is. */
static void
check_choice (PlgDocument *document,
              const PlgQuestion *question,
              const PlgTrialChange *choice,
              const GPtrArray *sights,
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
  for (guint i = 0; i < sights->len; i++)
    check_sight (sights->pdata[i], &(Asked) { question, plan, report, own }, names);
}

static void
check_question (PlgLessonRun *run, const GPtrArray *sights, char **names)
{
  PlgDocument *document = plg_lesson_run_document (run);
  const PlgQuestion *question = plg_lesson_run_step (run)->question;

  g_assert_cmpint (plg_document_report (document)->redaction & question->hides, ==,
                   question->hides);
  for (guint i = 0; question->hides != 0 && i < question->choices->len; i++)
    check_choice (document, question, question->choices->pdata[i], sights, names);
}

/* An answer shows something of what was hidden, unless that was nothing. */
static void
check_answer (PlgLessonRun *run)
{
  guint hides = plg_lesson_run_step (run)->question->hides;
  guint redaction = plg_document_report (plg_lesson_run_document (run))->redaction;

  if (hides != 0 && (hides & ~redaction) == 0)
    g_error ("%s: the answer shows nothing", plg_lesson_run_step (run)->id);
}

static void
forget_texts (GPtrArray *sights)
{
  for (guint i = 0; i < sights->len; i++)
    g_clear_pointer (&((Sight *) sights->pdata[i])->text, g_free);
}

/* A plan that is to be diagnosed shows none of its faults, and shows them with any answer. */
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
play_step (PlgLessonRun *run, GPtrArray *sights, char **names)
{
  const PlgLessonStep *step = plg_lesson_run_step (run);
  const PlgQuestion *question = step->question;

  if (step->setup != NULL && step->setup->from_default)
    forget_texts (sights);
  if (question == NULL)
    {
      g_ptr_array_add (sights, look (run));
      return;
    }
  check_faults (run, question->hides);
  check_question (run, sights, names);
  for (guint i = 0; i < question->choices->len; i++)
    {
      g_assert_true (plg_lesson_run_choose (run, (int) i));
      check_answer (run);
      check_faults (run, question->hides);
      g_ptr_array_add (sights, look (run));
    }
}

static void
test_lesson (gconstpointer data)
{
  PlgLesson *lesson = (PlgLesson *) data;
  g_autoptr (PlgCatalogue) catalogue = plg_catalogue_load (NULL);
  g_autoptr (PlgDocument) document = plg_document_new (catalogue);
  g_autoptr (PlgLessonRun) run = plg_lesson_run_new (document, lesson);
  g_autoptr (GPtrArray) sights = g_ptr_array_new_with_free_func ((GDestroyNotify) sight_free);
  g_autofree char *all = plg_metric_names ();
  g_auto (GStrv) names = g_strsplit (all, ", ", -1);

  do
    play_step (run, sights, names);
  while (plg_lesson_run_go (run, 1));
  g_assert_null (plg_lesson_run_next_step (run));
  g_assert_cmpint (plg_document_redaction (document), ==, 0);
}

/* The run of LESSON, played on to step ID with first answers. */
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
  return plg_document_report (document)->bubble.effective_share;
}

/* Nor does a plan that people make of an earlier step show it, be it only while they drag: here the
 * very one that the right answer sets up. Other plans are as free as before. */
static void
test_made (void)
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
  /* Once it is answered, nothing waits for it. */
  g_assert_true (plg_lesson_run_go (run, 1));
  g_assert_true (plg_lesson_run_choose (run, 1));
  g_assert_true (plg_lesson_run_go (run, -1));
  g_assert_true (plg_document_set (document, "training.global-batch", "54", NULL));
  g_assert_false (isnan (shown_bubble (document)));
}

/* What reaches a goal is what the next question is asked of: before it is answered, neither that
 * nor its neighbours, which call as often, show more than the goal needs. */
static void
test_reached (void)
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
  g_test_add_func ("/lesson-lock/made", test_made);
  g_test_add_func ("/lesson-lock/reached", test_reached);
  return g_test_run ();
}
