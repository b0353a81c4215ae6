/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "formats/learner-words.h"

#include "engine/evaluate.h"
#include "engine/metric.h"
#include "formats/json-writer.h"
#include "formats/markdown.h"
#include "formats/plan-words.h"
#include "plan/quantity.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

/* The one that was played last, or NULL. */
static const PlgLearnerLesson *
latest (const PlgLearner *learner)
{
  const PlgLearnerLesson *found = NULL;

  for (guint i = 0; i < learner->lessons->len; i++)
    {
      const PlgLearnerLesson *lesson = learner->lessons->pdata[i];

      /* ISO 8601 in UTC sorts as text. */
      if (found == NULL || g_strcmp0 (lesson->changed, found->changed) >= 0)
        found = lesson;
    }
  return found;
}

static const PlgPlan *
last_plan (const PlgLearnerLesson *lesson)
{
  guint n = lesson->designs->len;

  return n > 0 ? ((const PlgLearnerDesign *) lesson->designs->pdata[n - 1])->plan : NULL;
}

static const PlgLearnerAnswer *
answer_at (const PlgLearnerLesson *lesson, guint i)
{
  return i < lesson->answers->len ? lesson->answers->pdata[i] : NULL;
}

/* JSON
 * -------------------------------------------------------------------------------------- */

static void
add_null (PlgJsonWriter *json, const char *name)
{
  plg_json_add_string (json, name, NULL);
}

static gboolean
leaves_node (const PlgReport *report)
{
  return plg_metric_value (plg_metric_find ("tp-in-node"), report) == 0;
}

/* The members of the design that are the plan's, in the order of the format. */
static void
add_degrees (PlgJsonWriter *json, const PlgPlan *plan)
{
  static const struct
  {
    const char *name;
    PlgAxis axis;
  } degrees[] = { { "tp_degree", PLG_AXIS_TP },
                  { "pp_degree", PLG_AXIS_PP },
                  { "dp_degree", PLG_AXIS_DP } };
  const int *degree = plan != NULL ? plan->parallelism.degree : NULL;

  if (degree != NULL)
    plg_json_add_string (json, "context",
                         degree[PLG_AXIS_TP] > 1 || degree[PLG_AXIS_PP] > 1 ? "3d_parallel"
                                                                            : "data_parallel");
  else
    add_null (json, "context");
  for (guint i = 0; i < G_N_ELEMENTS (degrees); i++)
    if (degree != NULL)
      plg_json_add_number (json, degrees[i].name, degree[degrees[i].axis]);
    else
      add_null (json, degrees[i].name);
  if (degree != NULL)
    plg_json_add_number (json, "total_gpus", plg_plan_world (plan));
  else
    add_null (json, "total_gpus");
}

static void
add_mfu (PlgJsonWriter *json, const char *name, const PlgReport *report)
{
  if (report != NULL)
    plg_json_add_number (json, name, round (report->step.mfu * 1000) / 10);
  else
    add_null (json, name);
}

/* The first prediction is the one of act 1, the second the decision of act 2, whose result is what
 * the design achieves. */
static void
add_acts (PlgJsonWriter *json, const PlgLearnerLesson *lesson, const PlgReport *report)
{
  const PlgLearnerAnswer *first = answer_at (lesson, 0);
  const PlgLearnerAnswer *second = answer_at (lesson, 1);

  plg_json_add_string (json, "act1_prediction", first != NULL ? first->choice : NULL);
  if (first != NULL)
    plg_json_add_boolean (json, "act1_correct", first->right);
  else
    add_null (json, "act1_correct");
  plg_json_add_string (json, "act1_reflect", first != NULL ? first->reflection : NULL);
  add_mfu (json, "act2_result", report);
  plg_json_add_string (json, "act2_decision", second != NULL ? second->choice : NULL);
}

static void
add_design (PlgJsonWriter *json, const PlgLearnerLesson *lesson)
{
  const PlgPlan *plan = last_plan (lesson);
  g_autoptr (PlgReport) report = plan != NULL ? plg_evaluate (plan, 0, NULL) : NULL;

  plg_json_begin (json, "design", '{', TRUE);
  add_degrees (json, plan);
  add_mfu (json, "mfu_percent", report);
  add_acts (json, lesson, report);
  if (report != NULL)
    {
      plg_json_add_boolean (json, "constraint_hit", !report->fits || leaves_node (report));
      plg_json_add_boolean (json, "memory_feasible", report->fits);
    }
  else
    {
      add_null (json, "constraint_hit");
      add_null (json, "memory_feasible");
    }
  plg_json_end (json, '}');
}

char *
plg_learner_json (const PlgLearner *learner)
{
  PlgJsonWriter json = { .out = g_string_new (NULL) };
  const PlgLearnerLesson *last = latest (learner);

  plg_json_begin (&json, NULL, '{', TRUE);
  plg_json_add_string (&json, "track", "parallelogram");
  plg_json_add_string (&json, "current_chapter", last != NULL ? last->id : NULL);
  plg_json_begin (&json, "history", '[', TRUE);
  for (guint i = 0; i < learner->lessons->len; i++)
    {
      const PlgLearnerLesson *lesson = learner->lessons->pdata[i];

      plg_json_begin (&json, NULL, '{', TRUE);
      plg_json_add_string (&json, "chapter", lesson->id);
      add_design (&json, lesson);
      plg_json_end (&json, '}');
    }
  plg_json_end (&json, ']');
  plg_json_add_string (&json, "last_updated", last != NULL ? last->changed : NULL);
  plg_json_end (&json, '}');
  return plg_json_take (&json);
}

/* The memo
 * -------------------------------------------------------------------------------------- */

static void
append_plain (GString *out, const char *text)
{
  plg_markdown_append (out, text);
}

static void
append_answers (GString *out, const PlgLearnerLesson *lesson)
{
  g_string_append_printf (out, "## %s\n\n", _ ("Predictions"));
  for (guint i = 0; i < lesson->answers->len; i++)
    {
      const PlgLearnerAnswer *answer = lesson->answers->pdata[i];

      g_string_append (out, "- ");
      append_plain (out, answer->question);
      g_string_append (out, ": ");
      append_plain (out, answer->choice);
      g_string_append_printf (out, " (%s)", answer->right ? _ ("right") : _ ("not right"));
      if (*answer->reflection != '\0')
        {
          g_string_append (out, ". ");
          append_plain (out, answer->reflection);
        }
      g_string_append_c (out, '\n');
    }
  g_string_append_c (out, '\n');
}

static void
append_row (GString *out, const char *name, char *value)
{
  g_string_append_printf (out, "| %s | %s |\n", name, value);
  g_free (value);
}

static void
append_evidence (GString *out, const PlgPlan *plan, const PlgReport *report)
{
  const int *degree = plan->parallelism.degree;

  g_string_append_printf (out, "## %s\n\n| | |\n|---|---|\n", _ ("Design and evidence"));
  append_row (out, _ ("Degrees"),
              g_strdup_printf ("TP %d, CP %d, PP %d, DP %d", degree[PLG_AXIS_TP],
                               degree[PLG_AXIS_CP], degree[PLG_AXIS_PP], degree[PLG_AXIS_DP]));
  append_row (out, _ ("MFU"), plg_format_share (report->step.mfu));
  append_row (out, _ ("Bubble"), plg_format_share (report->bubble.judged));
  append_row (out, _ ("Step time"), plg_format_time (report->step.time));
  append_row (out, _ ("Memory at the peak"), plg_format_memory (report->memory_peak));
  append_row (out, _ ("Fits in memory"), g_strdup (report->fits ? _ ("PASS") : _ ("FAIL")));
  append_row (out, _ ("TP inside the node"),
              g_strdup (leaves_node (report) ? _ ("FAIL") : _ ("PASS")));
  g_string_append_c (out, '\n');
}

static void
append_section (GString *out,
                const char *title,
                const PlgReport *report,
                const PlgAlternative *alternative)
{
  g_autofree char *words = plg_words_alternative (report, alternative);

  g_string_append_printf (out, "## %s\n\n", title);
  append_plain (out, words);
  g_string_append (out, "\n\n");
}

/* Steps that differ by less are the same to a reader, who sees three digits. */
#define NOTICED 0.001

static gboolean
is_better (const PlgAlternative *alternative, const PlgReport *report)
{
  return alternative->fits &&
         (!report->fits || alternative->time < report->step.time * (1 - NOTICED));
}

static gboolean
is_worse (const PlgAlternative *alternative, const PlgReport *report)
{
  return alternative->fits < report->fits ||
         (alternative->fits == report->fits &&
          alternative->time > report->step.time * (1 + NOTICED));
}

/* The next best is what a careful reader asks about first. One that is better was not rejected but
 * overlooked, and is told as such. */
static void
append_alternatives (GString *out, const PlgPlan *plan, const PlgReport *report)
{
  g_autoptr (GArray) all = plg_alternatives (plan, report);
  guint n = 0;

  while (n < all->len && !is_worse (&g_array_index (all, PlgAlternative, n), report))
    n++;
  if (n < all->len)
    append_section (out, _ ("Rejected alternative"), report,
                    &g_array_index (all, PlgAlternative, n));
  if (all->len > 0 && is_better (&g_array_index (all, PlgAlternative, 0), report))
    append_section (out, _ ("Better, and not chosen"), report,
                    &g_array_index (all, PlgAlternative, 0));
}

char *
plg_learner_memo (const PlgLearner *learner, const char *id)
{
  const PlgLearnerLesson *lesson = id != NULL ? plg_learner_find (learner, id) : latest (learner);
  const PlgPlan *plan;
  g_autoptr (PlgReport) report = NULL;
  GString *out;

  if (lesson == NULL)
    return NULL;
  out = g_string_new ("# ");
  append_plain (out, lesson->title);
  g_string_append (out, "\n\n");
  append_plain (out, learner->name);
  g_string_append_printf (out, " · %s · ", plg_score_title (plg_learner_score (lesson)));
  g_string_append_printf (out, _ ("%d of %d predictions right"), plg_learner_right (lesson),
                          lesson->questions);
  g_string_append (out, "\n\n");
  if (lesson->answers->len > 0)
    append_answers (out, lesson);
  plan = last_plan (lesson);
  report = plan != NULL ? plg_evaluate (plan, PLG_EVALUATE_FINDINGS, NULL) : NULL;
  if (report != NULL)
    {
      append_evidence (out, plan, report);
      append_alternatives (out, plan, report);
    }
  return g_string_free (out, FALSE);
}

/* A class
 * -------------------------------------------------------------------------------------- */

static void
choice_clear (PlgChoiceCount *count)
{
  g_free (count->choice);
}

static void
question_free (PlgQuestionCount *count)
{
  g_free (count->lesson);
  g_free (count->question);
  g_array_unref (count->choices);
  g_free (count);
}

static PlgQuestionCount *
need_question (GPtrArray *counts, const PlgLearnerLesson *lesson, const char *question)
{
  PlgQuestionCount *count;

  for (guint i = 0; i < counts->len; i++)
    {
      count = counts->pdata[i];
      if (g_str_equal (count->lesson, lesson->title) && g_str_equal (count->question, question))
        return count;
    }
  count = g_new0 (PlgQuestionCount, 1);
  count->lesson = g_strdup (lesson->title);
  count->question = g_strdup (question);
  count->choices = g_array_new (FALSE, FALSE, sizeof (PlgChoiceCount));
  g_array_set_clear_func (count->choices, (GDestroyNotify) choice_clear);
  g_ptr_array_add (counts, count);
  return count;
}

static int
compare_choices (gconstpointer a, gconstpointer b)
{
  return strcmp (((const PlgChoiceCount *) a)->choice, ((const PlgChoiceCount *) b)->choice);
}

static void
count_answer (PlgQuestionCount *count, const PlgLearnerAnswer *answer)
{
  PlgChoiceCount new = { NULL, 1 };

  count->answered++;
  count->right += answer->right;
  for (guint i = 0; i < count->choices->len; i++)
    {
      PlgChoiceCount *choice = &g_array_index (count->choices, PlgChoiceCount, i);

      if (g_str_equal (choice->choice, answer->choice))
        {
          choice->n++;
          return;
        }
    }
  new.choice = g_strdup (answer->choice);
  g_array_append_val (count->choices, new);
  g_array_sort (count->choices, compare_choices);
}

GPtrArray *
plg_learners_count (const GPtrArray *learners)
{
  GPtrArray *counts = g_ptr_array_new_with_free_func ((GDestroyNotify) question_free);

  for (guint i = 0; i < learners->len; i++)
    {
      const PlgLearner *learner = learners->pdata[i];

      for (guint j = 0; j < learner->lessons->len; j++)
        {
          const PlgLearnerLesson *lesson = learner->lessons->pdata[j];

          for (guint k = 0; k < lesson->answers->len; k++)
            count_answer (need_question (counts, lesson, answer_at (lesson, k)->question),
                          answer_at (lesson, k));
        }
    }
  return counts;
}

/* "a 3, b 12" */
static char *
choices_text (const PlgQuestionCount *count)
{
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < count->choices->len; i++)
    {
      const PlgChoiceCount *choice = &g_array_index (count->choices, PlgChoiceCount, i);

      g_string_append_printf (text, "%s%s %d", i > 0 ? ", " : "", choice->choice, choice->n);
    }
  return g_string_free (text, FALSE);
}

static void
append_cell (GString *out, const char *text)
{
  g_string_append (out, "| ");
  plg_markdown_append (out, text);
  g_string_append_c (out, ' ');
}

char *
plg_learners_markdown (const GPtrArray *learners)
{
  g_autoptr (GPtrArray) counts = plg_learners_count (learners);
  GString *out = g_string_new (NULL);

  g_string_append_printf (out, "| %s | %s | %s | %s | %s |\n|---|---|---|---:|---:|\n",
                          _ ("Lesson"), _ ("Question"), _ ("First answers"), _ ("Answered"),
                          _ ("Right"));
  for (guint i = 0; i < counts->len; i++)
    {
      const PlgQuestionCount *count = counts->pdata[i];
      g_autofree char *choices = choices_text (count);
      g_autofree char *share = plg_format_share ((double) count->right / count->answered);

      append_cell (out, count->lesson);
      append_cell (out, count->question);
      append_cell (out, choices);
      g_string_append_printf (out, "| %d | %s |\n", count->answered, share);
    }
  return g_string_free (out, FALSE);
}

char *
plg_learners_json (const GPtrArray *learners)
{
  g_autoptr (GPtrArray) counts = plg_learners_count (learners);
  PlgJsonWriter json = { .out = g_string_new (NULL) };

  plg_json_begin (&json, NULL, '{', TRUE);
  plg_json_add_number (&json, "learners", learners->len);
  plg_json_begin (&json, "questions", '[', TRUE);
  for (guint i = 0; i < counts->len; i++)
    {
      const PlgQuestionCount *count = counts->pdata[i];

      plg_json_begin (&json, NULL, '{', TRUE);
      plg_json_add_string (&json, "lesson", count->lesson);
      plg_json_add_string (&json, "question", count->question);
      plg_json_add_number (&json, "answered", count->answered);
      plg_json_add_number (&json, "right", count->right);
      plg_json_begin (&json, "choices", '{', FALSE);
      for (guint j = 0; j < count->choices->len; j++)
        {
          const PlgChoiceCount *choice = &g_array_index (count->choices, PlgChoiceCount, j);

          plg_json_add_number (&json, choice->choice, choice->n);
        }
      plg_json_end (&json, '}');
      plg_json_end (&json, '}');
    }
  plg_json_end (&json, ']');
  plg_json_end (&json, '}');
  return plg_json_take (&json);
}
