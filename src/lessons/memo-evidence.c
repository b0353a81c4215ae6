/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "lessons/memo-private.h"

#include "engine/advice/advice.h"
#include "engine/report/metric.h"
#include "engine/report/redaction.h"
#include "lessons/question-preview.h"
#include "io/reports/markdown.h"
#include "io/reports/plan-sentences.h"
#include "plan/settings/setting-describe.h"

#include <glib/gi18n-lib.h>
#include <string.h>

/* Writes the evidence for a lesson without a goal. Such a lesson has no design, so the plans
 * that its answers set up are the evidence. */

typedef struct
{
  const PlgLearnerLesson *played;
  const PlgLesson *lesson;
  const PlgCatalogue *catalogue;
  GHashTable *answered; /* ids of the answered questions, borrowed */
  glong most;           /* the maximum number of characters per explanation */
} Memo;

/* The plan that results from an answer, with its report. */
typedef struct
{
  const PlgTrialChange *choice;
  PlgPlan *own;  /* the plan at the start of the step */
  PlgPlan *plan; /* the plan that the answer sets up */
  PlgReport *report;
} Answer;

static void
answer_clear (Answer *answer)
{
  plg_plan_free (answer->own);
  plg_plan_free (answer->plan);
  g_clear_pointer (&answer->report, plg_report_unref);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Answer, answer_clear)

/* Sets ANSWER to the plan that CHOICE sets up in step POSITION, with its report. Returns FALSE
 * if the settings of CHOICE are invalid or the plan cannot be evaluated. */
static gboolean
answer_init (Answer *answer, const Memo *memo, int position, const PlgTrialChange *choice)
{
  g_autoptr (PlgReport) whole = NULL;
  guint redaction;

  answer->choice = choice;
  answer->own = plg_lesson_plan_at (memo->lesson, position, memo->catalogue);
  answer->plan = plg_plan_copy (answer->own);
  if (choice->setup != NULL &&
      !plg_step_setup_apply (choice->setup, answer->plan, memo->catalogue, NULL))
    return FALSE;
  whole = plg_evaluate_with_advice (answer->plan, NULL);
  if (whole == NULL)
    return FALSE;

  guint ahead = plg_lesson_values_asked_later (memo->lesson, position, answer->own, FALSE,
                                               answer->plan, memo->catalogue, memo->answered);

  redaction = ahead | plg_lesson_values_held_back (memo->lesson, position, memo->answered);
  answer->report = redaction != 0 ? plg_report_redact (whole, redaction) : g_steal_pointer (&whole);
  return TRUE;
}

/* Numbers and explanations
 * ------------------------------------------------------------------------------------- */

static void
append_metric (GString *text, const char *name, const char *metric, const PlgReport *report)
{
  const PlgMetric *found = plg_metric_find (metric);
  g_autofree char *value = plg_measure_text (found->measure, plg_metric_value (found, report));

  g_string_append_printf (text, ", %s %s", name, value);
}

static void
append_answer (GString *out,
               const Memo *memo,
               int position,
               const PlgQuestion *question,
               int choice)
{
  g_autoptr (PlgQuestionPreview)
                 asked = plg_question_preview_new (memo->lesson, question->id, memo->catalogue);
  const PlgTrialChange *right = question->choices->pdata[question->right];
  g_auto (Answer) answer = { 0 };
  g_auto (Answer) best = { 0 };
  g_autofree char *explanation = NULL;

  g_assert (choice >= 0 && choice < (int) question->choices->len);
  if (asked == NULL || !answer_init (&answer, memo, position, question->choices->pdata[choice]))
    return;
  explanation = plg_passages_text (answer.choice->because, answer.plan, answer.report,
                                   memo->catalogue);
  if (g_utf8_strlen (explanation, -1) > memo->most)
    {
      g_autofree char *part = g_utf8_substring (explanation, 0, memo->most);

      g_free (explanation);
      explanation = g_strconcat (g_strchomp (part), " …", NULL);
    }
  g_string_append (out, "- ");
  plg_markdown_append (out, asked->choices[choice]);
  g_string_append (out, ". ");
  plg_markdown_append (out, explanation);

  /* Show numbers for the right choice. If it sets up no plan, take them from the step's plan.
   * Show numbers for a wrong choice only if it sets up a plan that differs from the plan of the
   * right choice. */
  if (answer.choice == right ||
      (answer.choice->setup != NULL && answer_init (&best, memo, position, right) &&
       !plg_plan_same_design (best.plan, answer.plan)))
    {
      /* Write "TP 8, PP 4, DP 2 on 64 GPUs: MFU 41.2 %, bubble 8.6 %, 5.31 s per step, 53.1 GiB
       * of 79.6 GiB (PASS)". */
      const PlgReport *report = answer.report;
      g_autofree char *degrees = plg_degrees_describe (answer.plan->parallelism.degree, NULL);
      g_autofree char *where = g_strdup_printf (_ ("%s on %d GPUs"), degrees,
                                                plg_plan_world (answer.plan));
      g_autofree char *memory = plg_metric_basis (plg_metric_find ("fits"), report);
      g_autofree char *order = plg_order_to_string (&answer.plan->parallelism);
      g_autoptr (GString) text = g_string_new (where);

      if (!g_str_equal (order, "tp-cp-pp-dp"))
        g_string_append_printf (text, ", %s", order);
      append_metric (text, _ ("MFU"), "mfu", report);
      append_metric (text, _ ("Bubble"), "bubble", report);
      append_metric (text, _ ("Step time"), "step-time", report);
      if (memory != NULL && report->fits != PLG_FIT_HIDDEN)
        g_string_append_printf (text, ", %s (%s)", memory,
                                report->fits == PLG_FIT_YES ? _ ("PASS") : _ ("FAIL"));

      /* Name the profile that supplies the formulas, unless it is the default profile. */
      const PlgSetting *setting = plg_setting_find ("engine.profile");
      g_autofree char *value = plg_setting_get (setting, answer.plan);
      g_autofree char *words = NULL;

      if (!g_str_equal (value, "standard"))
        {
          words = plg_setting_describe_value (setting, value, NULL, NULL);
          g_string_append_printf (text, "; %s: %s", _ ("Formulas"), words);
        }
      g_string_append (out, " (");
      plg_markdown_append (out, text->str);
      g_string_append_c (out, ')');
    }
  g_string_append_c (out, '\n');
}

/* Choices
 * ----------------------------------------------------------------------------------- */

/* Returns the index of the learner's choice if that choice is wrong. Otherwise returns the index
 * of the first wrong choice that sets up a plan. If no wrong choice sets up a plan, returns the
 * index of the first wrong choice. */
static int
find_rejected (const PlgQuestion *question, const PlgLearnerAnswer *answer)
{
  int found = -1;

  for (guint i = 0; i < question->choices->len; i++)
    {
      const PlgTrialChange *choice = question->choices->pdata[i];

      if ((int) i == question->right)
        continue;
      if (g_str_equal (choice->id, answer->choice))
        return (int) i;
      if (found < 0 || (choice->setup != NULL &&
                        ((const PlgTrialChange *) question->choices->pdata[found])->setup == NULL))
        found = (int) i;
    }
  return found;
}

/* Appends the right choice of each answered question. If REJECTED is set, appends the rejected
 * choice instead. */
static void
append_section (GString *out, const Memo *memo, const char *title, gboolean rejected)
{
  g_string_append_printf (out, "## %s\n\n", title);
  for (guint i = 0; i < memo->lesson->steps->len; i++)
    {
      const PlgLessonStep *step = memo->lesson->steps->pdata[i];
      const PlgQuestion *question = step->question;
      const PlgLearnerAnswer *answer = question != NULL
                                           ? plg_learner_find_answer (memo->played, question->id)
                                           : NULL;

      if (answer != NULL)
        append_answer (out, memo, (int) i, question,
                       rejected ? find_rejected (question, answer) : question->right);
    }
  g_string_append_c (out, '\n');
}

void
plg_memo_append_evidence (GString *out,
                          const PlgLearnerLesson *played,
                          const PlgLesson *lesson,
                          const PlgCatalogue *catalogue,
                          glong most)
{
  g_autoptr (GHashTable) answered = g_hash_table_new (g_str_hash, g_str_equal);
  Memo memo = { played, lesson, catalogue, answered, most };
  guint n = 0;

  for (guint i = 0; i < played->answers->len; i++)
    {
      const char *question = ((const PlgLearnerAnswer *) played->answers->pdata[i])->question;

      if (plg_lesson_find_question (lesson, question) != NULL)
        n += g_hash_table_add (answered, (gpointer) question);
    }
  if (n == 0)
    return;
  memo.most = most / (2 * (glong) n);
  append_section (out, &memo, _ ("Evidence"), FALSE);
  append_section (out, &memo, _ ("Rejected alternatives"), TRUE);
}
