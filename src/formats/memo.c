/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "formats/learner-words.h"

#include "engine/evaluate.h"
#include "engine/metric.h"
#include "formats/alternatives.h"
#include "formats/asked.h"
#include "formats/lesson-library.h"
#include "formats/markdown.h"
#include "formats/plan-words.h"
#include "plan/quantity.h"

#include <glib/gi18n-lib.h>
#include <string.h>

/* A memo of one page, in Markdown: what was designed and what speaks for it come first, since a
 * page ends. */

/* The program's own lesson, which knows its words and goals; NULL for a teacher's. */
static PlgLesson *
find_lesson (const char *id)
{
  g_autoptr (GPtrArray) all = plg_lesson_library ();

  for (guint i = 0; i < all->len; i++)
    if (g_str_equal (((const PlgLesson *) all->pdata[i])->id, id))
      return plg_lesson_ref (all->pdata[i]);
  return NULL;
}

/* Predictions
 * ------------------------------------------------------------------------------------- */

/* Whether ANSWER is right, and which one is where it is not and the lesson is known. */
static void
append_verdict (GString *out, const PlgLearnerAnswer *answer, const PlgAsked *asked)
{
  int right = asked != NULL ? asked->question->right : -1;

  if (answer->right)
    g_string_append_printf (out, " (%s)", _ ("right"));
  else if (right < 0)
    g_string_append_printf (out, " (%s)", _ ("not right"));
  else
    {
      g_string_append_printf (out, " (%s", _ ("not right"));
      g_string_append (out, _ ("; right: "));
      plg_markdown_append (out, asked->choices[right]);
      g_string_append_c (out, ')');
    }
}

/* In the words that were read then; a ledger of before these were kept has those of the lesson. */
static void
append_answer (GString *out,
               const PlgLearnerAnswer *answer,
               const PlgLesson *lesson,
               const PlgCatalogue *catalogue)
{
  g_autoptr (PlgAsked) asked = lesson != NULL ? plg_asked_new (lesson, answer->question, catalogue)
                                              : NULL;
  gboolean kept = answer->asked != NULL;
  const char *question = asked != NULL && !kept ? asked->prompt : answer->asked;
  const char *choice = answer->said;

  for (guint i = 0; asked != NULL && !kept && asked->choices[i] != NULL; i++)
    if (g_str_equal (((const PlgChoice *) asked->question->choices->pdata[i])->id, answer->choice))
      choice = asked->choices[i];
  plg_markdown_append (out, question != NULL ? question : answer->question);
  g_string_append (out, " → ");
  plg_markdown_append (out, choice != NULL ? choice : answer->choice);
  append_verdict (out, answer, asked);
}

static void
append_answers (GString *out,
                const PlgLearnerLesson *played,
                const PlgLesson *lesson,
                const PlgCatalogue *catalogue)
{
  g_string_append_printf (out, "## %s\n\n", _ ("Predictions"));
  for (guint i = 0; i < played->answers->len; i++)
    {
      const PlgLearnerAnswer *answer = played->answers->pdata[i];

      g_string_append (out, "- ");
      append_answer (out, answer, lesson, catalogue);
      if (*answer->reflection != '\0')
        {
          g_string_append (out, ". ");
          plg_markdown_append (out, answer->reflection);
        }
      g_string_append_c (out, '\n');
    }
  g_string_append_c (out, '\n');
}

/* Design and evidence
 * ------------------------------------------------------------------------------------- */

static gboolean
leaves_node (const PlgReport *report)
{
  return plg_metric_value (plg_metric_find ("tp-in-node"), report) == 0;
}

static void
append_row (GString *out, const char *name, char *value)
{
  plg_markdown_row (out, (const char *const[]) { name, value, NULL });
  g_free (value);
}

static char *
memory_text (const PlgReport *report)
{
  g_autofree char *peak = plg_format_memory (report->memory_peak);
  g_autofree char *capacity = plg_format_memory (report->memory_capacity);

  return g_strdup_printf (_ ("%s of %s"), peak, capacity);
}

/* What the lesson's last goal asked of the design, with what was reached. */
static void
append_goals (GString *out,
              const PlgLesson *lesson,
              const PlgLearnerLesson *played,
              const PlgReport *report)
{
  const PlgLearnerDesign *last = played->designs->pdata[played->designs->len - 1];

  for (guint i = 0; lesson != NULL && i < lesson->steps->len; i++)
    {
      const PlgStepOfLesson *step = lesson->steps->pdata[i];

      if (step->goal == NULL || !g_str_equal (step->id, last->step))
        continue;
      for (guint j = 0; j < step->goal->asserted->len; j++)
        {
          const PlgAssertion *must = &g_array_index (step->goal->asserted, PlgAssertion, j);

          append_row (out, _ ("Asked"), plg_assertion_words (must, report));
        }
    }
}

static void
append_evidence (GString *out, const PlgPlan *plan, const PlgReport *report)
{
  g_autofree char *degrees = plg_words_degrees (plan->parallelism.degree, NULL);

  g_string_append_printf (out, "## %s\n\n| | |\n|---|---|\n", _ ("Design and evidence"));
  append_row (out, _ ("Degrees"),
              g_strdup_printf (_ ("%s on %d GPUs"), degrees, plg_plan_world (plan)));
  append_row (out, _ ("MFU"), plg_format_share (report->step.mfu));
  append_row (out, _ ("Bubble"), plg_format_share (report->bubble.judged));
  append_row (out, _ ("Step time"), plg_format_time (report->step.time));
  append_row (out, _ ("Memory at the peak"), memory_text (report));
  append_row (out, _ ("Fits in memory"), g_strdup (report->fits ? _ ("PASS") : _ ("FAIL")));
  append_row (out, _ ("TP inside the node"),
              g_strdup (leaves_node (report) ? _ ("FAIL") : _ ("PASS")));
}

static void
append_section (GString *out,
                const char *title,
                const PlgReport *report,
                const PlgAlternative *alternative)
{
  g_autofree char *words = plg_words_alternative (report, alternative);

  g_string_append_printf (out, "## %s\n\n", title);
  plg_markdown_append (out, words);
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

/* The keys that the step of the last design left free; NULL: all. */
static const char *const *
free_keys (const PlgLearnerLesson *played, const PlgLesson *lesson)
{
  const PlgLearnerDesign *last = played->designs->pdata[played->designs->len - 1];

  for (guint i = 0; lesson != NULL && i < lesson->steps->len; i++)
    {
      const PlgStepOfLesson *step = lesson->steps->pdata[i];

      if (g_str_equal (step->id, last->step))
        return (const char *const *) step->free;
    }
  return NULL;
}

/* The best of those that WANTED holds of and that KEYS allow, or NULL. */
static const PlgAlternative *
find_alternative (const GArray *all,
                  gboolean (*wanted) (const PlgAlternative *, const PlgReport *),
                  const PlgReport *report,
                  const char *const *keys)
{
  for (guint i = 0; i < all->len; i++)
    {
      const PlgAlternative *alternative = &g_array_index (all, PlgAlternative, i);

      if (wanted (alternative, report) && plg_alternative_is_free (alternative, keys))
        return alternative;
    }
  return NULL;
}

/* The next best is what a careful reader asks about first, and rather one that could be chosen. One
 * that is better was not rejected but overlooked, where it could be chosen, and is told as such. */
static void
append_alternatives (GString *out,
                     const PlgPlan *plan,
                     const PlgReport *report,
                     const char *const *keys)
{
  g_autoptr (GArray) all = plg_alternatives (plan, report);
  const PlgAlternative *worse = find_alternative (all, is_worse, report, keys);
  const PlgAlternative *better = find_alternative (all, is_better, report, keys);

  if (worse == NULL)
    worse = find_alternative (all, is_worse, report, NULL);
  if (worse != NULL)
    append_section (out, _ ("Rejected alternative"), report, worse);
  if (better != NULL)
    append_section (out, _ ("Better, and not chosen"), report, better);
}

static void
append_design (GString *out, const PlgLearnerLesson *played, const PlgLesson *lesson)
{
  const PlgPlan *plan = plg_learner_last_plan (played);
  g_autoptr (PlgReport) report = plan != NULL ? plg_evaluate (plan, PLG_EVALUATE_FINDINGS, NULL)
                                              : NULL;

  if (report == NULL)
    return;
  append_evidence (out, plan, report);
  append_goals (out, lesson, played, report);
  g_string_append_c (out, '\n');
  append_alternatives (out, plan, report, free_keys (played, lesson));
}

/* "Ada · Optimal · 3 of 4 predictions right · 2026-11-21" */
static void
append_head (GString *out, const PlgLearner *learner, const PlgLearnerLesson *played)
{
  g_string_append (out, "# ");
  plg_markdown_append (out, played->title);
  g_string_append (out, "\n\n");
  plg_markdown_append (out, learner->name);
  g_string_append_printf (out, " · %s · ", plg_score_title (plg_learner_score (played)));
  g_string_append_printf (out, _ ("%d of %d predictions right"), plg_learner_right (played),
                          played->questions);
  if (played->changed != NULL && strlen (played->changed) >= 10)
    {
      g_autofree char *date = g_strndup (played->changed, 10);

      g_string_append (out, " · ");
      plg_markdown_append (out, date);
    }
  g_string_append (out, "\n\n");
}

char *
plg_learner_memo (const PlgLearner *learner, const char *id, const PlgCatalogue *catalogue)
{
  const PlgLearnerLesson *played = id != NULL ? plg_learner_find (learner, id)
                                              : plg_learner_latest (learner);
  g_autoptr (PlgLesson) lesson = NULL;
  GString *out;

  if (played == NULL)
    return NULL;
  lesson = find_lesson (played->id);
  out = g_string_new (NULL);
  append_head (out, learner, played);
  append_design (out, played, lesson);
  if (played->answers->len > 0)
    append_answers (out, played, lesson, catalogue);
  return g_string_free (out, FALSE);
}
