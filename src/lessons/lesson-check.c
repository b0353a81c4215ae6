/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "lessons/lesson-private.h"

#include "engine/advice/advice.h"
#include "engine/report/explanation.h"
#include "engine/report/metric.h"
#include "engine/report/redaction.h"
#include "lessons/lesson-library.h"
#include "syntax/format-error.h"
#include "plan/settings/setting.h"
#include "plan/text/similar-names.h"

#include <glib/gi18n-lib.h>

/* The state of the check, which plays a lesson step by step without a window. */
typedef struct
{
  const GPtrArray *glossary;
  const PlgCatalogue *catalogue;
  const PlgLesson *lesson;
  int position;
  PlgPlan *begun; /* the plan at the start of the step */
  PlgPlan *plan;
  PlgReport *report;
  int line;            /* line of the element that is being checked */
  GPtrArray *problems; /* array of GError, each with the line of its problem */
} Check;

static void G_GNUC_PRINTF (2, 3) add_problem (Check *check, const char *format, ...)
{
  GError *problem = NULL;
  va_list args;

  va_start (args, format);
  plg_format_fail_valist ((PlgFilePosition) { check->line, 0 }, PLG_FORMAT_ERROR_CONTENT, &problem,
                          format, args);
  va_end (args);
  g_ptr_array_add (check->problems, problem);
}

/* Checks of the numbers, terms, formulas and pictures in the text */

/* Returns whether later questions ask for any value of PLAN that is in ABOUT (PlgRedaction
 * bits). */
static gboolean
is_asked_later (const Check *check, const PlgPlan *plan, guint about)
{
  guint asked = plg_lesson_values_asked_later (check->lesson, check->position, check->begun, FALSE,
                                               plan, check->catalogue, NULL);

  return (about & (asked | plg_lesson_values_held_back (check->lesson, check->position, NULL))) !=
         0;
}

static void
check_spans (Check *check, const GPtrArray *spans)
{
  for (guint i = 0; spans != NULL && i < spans->len; i++)
    {
      const PlgTextSpan *span = spans->pdata[i];

      check->line = span->line > 0 ? span->line : check->line;
      if (span->kind == PLG_SPAN_NUMBER)
        {
          const PlgMetric *metric = plg_metric_find (span->ref);
          g_autoptr (PlgPlan) plan = plg_plan_copy (check->plan);
          g_autofree char *near = plg_metric_suggest (span->ref);
          g_autoptr (GError) error = NULL;

          if (metric == NULL && near == NULL)
            add_problem (
                check,
                _ ("<n of=\"%s\"/>: no number has this name. `parallelogram-cli check --help` "
                   "lists all names."),
                span->ref);
          else if (metric == NULL)
            add_problem (
                check,
                _ ("<n of=\"%s\"/>: no number has this name. Similar: %s. `parallelogram-cli "
                   "check --help` lists all names."),
                span->ref, near);
          else if (span->settings != NULL &&
                   !plg_settings_apply (plan, check->catalogue,
                                        (const char *const *) span->settings, &error))
            add_problem (check, "<n of=\"%s\"/>: %s", span->ref, error->message);
          else if (is_asked_later (check, plan, metric->about))
            add_problem (check, _ ("<n of=\"%s\"/>: a later question asks for this number."),
                         span->ref);
        }
      else if (span->kind == PLG_SPAN_TERM && check->glossary != NULL &&
               plg_glossary_find (check->glossary, span->ref) == NULL)
        {
          g_autofree const char **names = g_new0 (const char *, check->glossary->len + 1);
          g_autofree char *near = NULL;

          for (guint j = 0; j < check->glossary->len; j++)
            names[j] = ((const PlgGlossaryEntry *) check->glossary->pdata[j])->id;
          near = plg_similar_names (names, span->ref);
          if (near == NULL)
            add_problem (check, _ ("<term ref=\"%s\">: the glossary has no such entry."),
                         span->ref);
          else
            add_problem (check,
                         _ ("<term ref=\"%s\">: the glossary has no such entry. Similar: %s."),
                         span->ref, near);
        }
    }
}

static void
check_formula (Check *check, const char *id)
{
  g_autoptr (GArray) all = plg_explain (check->plan, check->report, NULL);
  g_autoptr (GString) known = g_string_new (NULL);

  for (guint i = 0; i < all->len; i++)
    {
      const PlgExplanation *row = &g_array_index (all, PlgExplanation, i);

      if (g_str_equal (row->id, id))
        {
          if (is_asked_later (check, check->plan, PLG_REDACT_ALL))
            add_problem (check,
                         _ ("<formula of=\"%s\"/> shows numbers that a later question asks "
                            "for."),
                         id);
          return;
        }
      g_string_append_printf (known, "%s%s", i > 0 ? ", " : "", row->id);
    }
  add_problem (check,
               _ ("<formula of=\"%s\"/>: this plan has no such formula. Available "
                  "formulas: %s."),
               id, known->str);
}

const char *const plg_lesson_pictures[] = { "cluster",    "memory",  "timeline", "mfu",
                                            "links",      "matrix",  "ledger",   "split",
                                            "collective", "compare", "sweep",    NULL };

static void
check_passages (Check *check, const GPtrArray *passages)
{
  for (guint i = 0; passages != NULL && i < passages->len; i++)
    {
      const PlgPassage *passage = passages->pdata[i];

      check->line = passage->line;
      if (passage->kind == PLG_PASSAGE_FORMULA)
        check_formula (check, passage->of);
      else if (passage->kind == PLG_PASSAGE_FIGURE)
        {
          const char *name = passage->of;
          g_autofree char *known = NULL;

          if (g_strv_contains (plg_lesson_pictures, name))
            continue;
          known = g_strjoinv (", ", (char **) plg_lesson_pictures);
          add_problem (check,
                       _ ("<figure of=\"%s\"/>: there is no such picture. Available pictures: %s."),
                       name, known);
        }
      else if (passage->kind == PLG_PASSAGE_ROW)
        for (guint j = 0; j < passage->cells->len; j++)
          check_spans (check, passage->cells->pdata[j]);
      else
        check_spans (check, passage->spans);
    }
}

/* Checks of the setups */

/* Applies SETUP, which may be NULL, to the plan in CHECK. */
static gboolean
set_up (Check *check, const PlgStepSetup *setup, GError **error)
{
  gboolean done = setup == NULL ||
                  plg_step_setup_apply (setup, check->plan, check->catalogue, error);

  g_clear_pointer (&check->report, plg_report_unref);
  check->report = plg_evaluate_with_advice (check->plan, NULL);
  return done;
}

/* Applies SETUP and reports the problem if SETUP is invalid. */
static void
check_setup (Check *check, const PlgStepSetup *setup)
{
  g_autoptr (GError) error = NULL;
  gboolean done = set_up (check, setup, &error);

  if (setup == NULL)
    return;
  check->line = setup->line;
  if (!done)
    {
      /* If the settings are valid without the view, report the view as the problem. */
      g_autoptr (PlgPlan) plan = plg_plan_copy (check->plan);
      PlgStepSetup bare = *setup;

      bare.show = bare.links = NULL;
      if (plg_step_setup_apply (&bare, plan, check->catalogue, NULL))
        {
          check->line = setup->view_line;
          add_problem (check, "<look>: %s", error->message);
        }
      else
        add_problem (check, _ ("The plan cannot be set up: %s"), error->message);
    }
  if (setup->select < plg_plan_world (check->plan))
    return;
  check->line = setup->view_line;
  add_problem (check, _ ("The plan has no GPU %d."), setup->select);
}

static void
check_claims (Check *check, const GArray *claims)
{
  for (guint i = 0; i < claims->len; i++)
    {
      const PlgClaim *claim = &g_array_index (claims, PlgClaim, i);
      g_autoptr (PlgPlan) plan = plg_plan_copy (check->plan);
      g_autoptr (PlgReport) report = NULL;
      g_autoptr (GError) error = NULL;
      g_autofree char *value = NULL;

      check->line = claim->line;
      if (claim->settings == NULL)
        report = plg_report_ref (check->report);
      else if (plg_settings_apply (plan, check->catalogue, (const char *const *) claim->settings,
                                   &error))
        report = plg_evaluate_with_advice (plan, NULL);
      else
        add_problem (check, "<claim holds=\"%s\"/>: %s", claim->assertion.text, error->message);

      if (report == NULL || plg_assertion_holds (&claim->assertion, report))
        continue;
      value = plg_assertion_value (&claim->assertion, report);
      add_problem (check, _ ("The claim “%s” does not hold: the value is %s."),
                   claim->assertion.text, value);
    }
}

/* Checks that the goal has a fallback plan if NEXT needs one, and that this plan reaches the
 * goal. NEXT continues from this plan if the learner skips the goal. */
static void
check_fallback_plan (Check *check, const PlgGoal *goal, const PlgLessonStep *next)
{
  check->line = goal->line;
  if (goal->fallback == NULL)
    {
      if (next != NULL && (next->setup == NULL || !next->setup->from_default))
        add_problem (check,
                     _ ("The next step continues from the learner's plan, which may not reach the "
                        "goal; add a <plan> that reaches it."));
      return;
    }
  check_setup (check, goal->fallback);
  if (check->report != NULL && !plg_goal_is_reached (goal, check->report))
    add_problem (check, _ ("The <plan> of the goal does not reach the goal."));
}

/* Reports keys in <free> that match no setting. A key may be a pattern such as "training.*". */
static void
check_free (Check *check, char **keys, int line)
{
  int n;
  const PlgSetting *settings = plg_settings (&n);
  g_autofree const char **names = g_new0 (const char *, n + 2);

  for (int i = 0; i < n; i++)
    names[i] = settings[i].key;
  names[n] = "placement";
  check->line = line > 0 ? line : check->line;
  for (int i = 0; keys != NULL && keys[i] != NULL; i++)
    {
      const char *const pattern[] = { keys[i], NULL };
      gboolean is_known = g_str_equal (keys[i], "placement");
      g_autofree char *near = NULL;

      for (int j = 0; j < n; j++)
        is_known = is_known || plg_setting_is_among (settings[j].key, pattern);
      if (is_known)
        continue;
      near = plg_similar_names (names, keys[i]);
      if (g_str_has_suffix (keys[i], "*"))
        add_problem (check, _ ("<free>: no key matches “%s”."), keys[i]);
      else if (near == NULL)
        add_problem (check, _ ("<free>: there is no key “%s”."), keys[i]);
      else
        add_problem (check, _ ("<free>: there is no key “%s”. Similar: %s."), keys[i], near);
    }
}

/* Checks that the goal of STEP is not reached at the beginning, and that it can be reached. */
static void
check_goal (Check *check, const PlgLessonStep *step)
{
  const PlgGoal *goal = step->goal;
  gboolean is_fixed = step->free != NULL;

  g_assert (goal != NULL && check->report != NULL);
  check_passages (check, goal->text);
  check->line = goal->line;
  for (guint i = 0; i < goal->asserted->len; i++)
    {
      const PlgAssertion *must = &g_array_index (goal->asserted, PlgAssertion, i);

      if (is_asked_later (check, check->begun, must->metric->about))
        add_problem (check, _ ("<must holds=\"%s\"/>: a later question asks for this number."),
                     must->text);
    }
  for (int i = 0; step->free != NULL && step->free[i] != NULL; i++)
    is_fixed = is_fixed && g_str_has_prefix (step->free[i], "view.");
  if (is_fixed)
    add_problem (check, _ ("The goal cannot be reached, because this step does not let the learner "
                           "change any setting of the plan."));
  if (plg_goal_is_reached (goal, check->report))
    add_problem (check, _ ("The goal is reached before anything is changed."));
}

static void
check_step (Check *check, const PlgLessonStep *step, const PlgLessonStep *next)
{
  const PlgQuestion *question = step->question;
  guint judged = plg_goal_required_values (step->goal);
  guint held = plg_lesson_values_held_back (check->lesson, check->position, NULL);
  g_autoptr (PlgPlan) own = NULL;

  check->line = step->line;
  check_setup (check, step->setup);
  if (check->report == NULL)
    return;
  plg_plan_assign (check->begun, check->plan);

  /* Check that a later question asks for each hidden value, and that a step does not hide values
   * that its own goal needs. */
  check->line = step->line;
  if ((step->hides & judged) != 0)
    add_problem (check, _ ("The step hides a number that its own goal needs."));
  if ((step->hides & ~(held | judged)) != 0)
    add_problem (check, _ ("The step hides numbers, but no later question asks for them."));
  check_free (check, step->free, step->free_line);
  check_passages (check, step->text);
  check_claims (check, step->claims);
  if (question != NULL)
    {
      check_passages (check, question->prompt);
      check_passages (check, question->reflect);
    }
  for (guint i = 0; question != NULL && i < question->choices->len; i++)
    {
      /* Check the evidence for each answer on the plan of the step, because learners see it on
       * that plan. */
      const PlgTrialChange *choice = question->choices->pdata[i];
      g_autoptr (PlgPlan) before = plg_plan_copy (check->plan);

      check_spans (check, choice->label);
      check_setup (check, choice->setup);
      check_passages (check, choice->because);
      plg_plan_assign (check->plan, before);
      check_setup (check, NULL);
    }
  if (step->goal != NULL)
    check_goal (check, step);
  check_passages (check, step->notes);

  /* Check the text after the question on the plan of the right answer, because learners see the
   * text with that plan. Then restore the plan of this step, because the next step continues
   * from it. */
  own = plg_plan_copy (check->plan);
  if (question != NULL)
    set_up (check, ((const PlgTrialChange *) question->choices->pdata[question->right])->setup,
            NULL);
  check_passages (check, step->after);
  plg_plan_assign (check->plan, own);
  if (step->goal != NULL)
    check_fallback_plan (check, step->goal, next);
}

/* Check of the lesson's id */

/* Returns whether answers to LESSON are also valid for OTHER, for example if OTHER is a
 * translation of LESSON. */
static gboolean
has_same_questions (const PlgLesson *lesson, const PlgLesson *other)
{
  for (guint i = 0; i < lesson->steps->len; i++)
    {
      const PlgQuestion *question = ((const PlgLessonStep *) lesson->steps->pdata[i])->question;
      const PlgQuestion *same;

      if (question == NULL)
        continue;
      same = plg_lesson_find_question (other, question->id);
      if (same == NULL || same->choices->len != question->choices->len)
        return FALSE;
      for (guint j = 0; j < question->choices->len; j++)
        if (plg_question_find_choice (same,
                                      ((const PlgTrialChange *) question->choices->pdata[j])->id) <
            0)
          return FALSE;
    }
  return plg_lesson_questions (lesson) == plg_lesson_questions (other);
}

char *
plg_lesson_check (const PlgLesson *lesson, const GPtrArray *glossary, const PlgCatalogue *catalogue)
{
  Check check = {
    .lesson = lesson,
    .begun = plg_catalogue_default_plan (catalogue),
    .glossary = glossary,
    .catalogue = catalogue,
    .plan = plg_catalogue_default_plan (catalogue),
    .problems = plg_lesson_errors_new (),
  };
  char *problems;

  /* Learner records store answers under the id of the lesson, so the id must be unique. */
  g_autoptr (GPtrArray) library = plg_lesson_library ();

  check.line = lesson->line;
  for (guint i = 0; i < library->len; i++)
    {
      const PlgLesson *other = library->pdata[i];

      if (g_str_equal (other->id, lesson->id) && !has_same_questions (lesson, other))
        add_problem (
            &check,
            _ ("The program's own lesson “%s” has the same id “%s” but different questions, so "
               "answers to one lesson would count for the other; give this lesson its own id."),
            other->title, other->id);
    }

  for (guint i = 0; i < lesson->steps->len; i++)
    {
      check.position = (int) i;
      check_step (&check, lesson->steps->pdata[i],
                  i + 1 < lesson->steps->len ? lesson->steps->pdata[i + 1] : NULL);
    }
  plg_plan_free (check.begun);
  plg_plan_free (check.plan);
  g_clear_pointer (&check.report, plg_report_unref);
  if (check.problems->len == 0)
    problems = NULL;
  else
    problems = plg_lesson_errors_text (check.problems);
  g_ptr_array_unref (check.problems);
  return problems;
}

/* Check before a lesson is played */

static gboolean
can_set_up (const PlgStepSetup *setup, PlgPlan *plan, const PlgCatalogue *catalogue, GError **error)
{
  g_autoptr (GError) why = NULL;

  if (setup == NULL || plg_step_setup_apply (setup, plan, catalogue, &why))
    return TRUE;
  return plg_format_fail (setup->line, PLG_FORMAT_ERROR_CONTENT, error,
                          _ ("The plan cannot be set up: %s"), why->message);
}

gboolean
plg_lesson_can_play (const PlgLesson *lesson, const PlgCatalogue *catalogue, GError **error)
{
  g_autoptr (PlgPlan) plan = plg_catalogue_default_plan (catalogue);

  for (guint i = 0; i < lesson->steps->len; i++)
    {
      const PlgLessonStep *step = lesson->steps->pdata[i];
      const GPtrArray *choices = step->question != NULL ? step->question->choices : NULL;

      if (!can_set_up (step->setup, plan, catalogue, error))
        return FALSE;
      for (guint j = 0; choices != NULL && j < choices->len; j++)
        {
          g_autoptr (PlgPlan) evidence = plg_plan_copy (plan);

          if (!can_set_up (((const PlgTrialChange *) choices->pdata[j])->setup, evidence, catalogue,
                           error))
            return FALSE;
        }
      if (step->goal != NULL && !can_set_up (step->goal->fallback, plan, catalogue, error))
        return FALSE;
    }
  return TRUE;
}
