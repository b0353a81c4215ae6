/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "engine/report/redaction.h"
#include "lessons/lesson-private.h"

#include "engine/advice/advice.h"
#include "engine/report/explanation.h"
#include "engine/report/metric.h"
#include "engine/model/textbook.h"
#include "plan/edit.h"
#include "plan/settings/setting.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>


void
plg_text_span_free (PlgTextSpan *span)
{
  g_free (span->text);
  g_free (span->ref);
  g_strfreev (span->settings);
  g_free (span);
}

void
plg_passage_free (PlgPassage *passage)
{
  g_clear_pointer (&passage->spans, g_ptr_array_unref);
  g_clear_pointer (&passage->cells, g_ptr_array_unref);
  g_free (passage->of);
  g_free (passage);
}

void
plg_step_setup_free (PlgStepSetup *setup)
{
  g_strfreev (setup->settings);
  g_free (setup->show);
  g_free (setup->links);
  g_free (setup->page);
  g_free (setup);
}

void
plg_choice_free (PlgTrialChange *choice)
{
  g_free (choice->id);
  g_clear_pointer (&choice->label, g_ptr_array_unref);
  g_clear_pointer (&choice->because, g_ptr_array_unref);
  g_clear_pointer (&choice->setup, plg_step_setup_free);
  g_free (choice);
}

void
plg_question_free (PlgQuestion *question)
{
  g_free (question->id);
  g_clear_pointer (&question->prompt, g_ptr_array_unref);
  g_clear_pointer (&question->choices, g_ptr_array_unref);
  g_clear_pointer (&question->reflect, g_ptr_array_unref);
  g_free (question);
}

void
plg_goal_free (PlgGoal *goal)
{
  g_clear_pointer (&goal->text, g_ptr_array_unref);
  g_clear_pointer (&goal->asserted, g_array_unref);
  g_clear_pointer (&goal->fallback, plg_step_setup_free);
  g_free (goal);
}

void
plg_claim_clear (gpointer claim)
{
  g_strfreev (((PlgClaim *) claim)->settings);
}

void
plg_lesson_step_free (PlgLessonStep *step)
{
  g_free (step->id);
  g_free (step->title);
  g_clear_pointer (&step->setup, plg_step_setup_free);
  g_strfreev (step->free);
  g_clear_pointer (&step->text, g_ptr_array_unref);
  g_clear_pointer (&step->question, plg_question_free);
  g_clear_pointer (&step->goal, plg_goal_free);
  g_clear_pointer (&step->after, g_ptr_array_unref);
  g_clear_pointer (&step->claims, g_array_unref);
  g_clear_pointer (&step->notes, g_ptr_array_unref);
  g_free (step);
}

void
plg_glossary_entry_free (PlgGlossaryEntry *entry)
{
  g_free (entry->id);
  g_free (entry->term);
  g_clear_pointer (&entry->text, g_ptr_array_unref);
  g_free (entry);
}

PlgLesson *
plg_lesson_ref (PlgLesson *lesson)
{
  g_ref_count_inc (&lesson->ref_count);
  return lesson;
}

void
plg_lesson_unref (PlgLesson *lesson)
{
  if (!g_ref_count_dec (&lesson->ref_count))
    return;
  g_free (lesson->id);
  g_free (lesson->digest);
  g_free (lesson->title);
  g_free (lesson->summary);
  g_clear_pointer (&lesson->steps, g_ptr_array_unref);
  g_clear_pointer (&lesson->texts, g_ptr_array_unref);
  g_free (lesson);
}


gboolean
plg_goal_is_reached (const PlgGoal *goal, const PlgReport *report)
{
  for (guint i = 0; i < goal->asserted->len; i++)
    if (!plg_assertion_holds (&g_array_index (goal->asserted, PlgAssertion, i), report))
      return FALSE;
  return TRUE;
}

int
plg_lesson_questions (const PlgLesson *lesson)
{
  int n = 0;

  for (guint i = 0; i < lesson->steps->len; i++)
    n += ((const PlgLessonStep *) lesson->steps->pdata[i])->question != NULL;
  return n;
}

int
plg_lesson_goals (const PlgLesson *lesson)
{
  int n = 0;

  for (guint i = 0; i < lesson->steps->len; i++)
    n += ((const PlgLessonStep *) lesson->steps->pdata[i])->goal != NULL;
  return n;
}

const PlgLessonStep *
plg_lesson_find_step (const PlgLesson *lesson, const char *id)
{
  for (guint i = 0; i < lesson->steps->len; i++)
    if (g_str_equal (((const PlgLessonStep *) lesson->steps->pdata[i])->id, id))
      return lesson->steps->pdata[i];
  return NULL;
}

const PlgQuestion *
plg_lesson_find_question (const PlgLesson *lesson, const char *id)
{
  for (guint i = 0; i < lesson->steps->len; i++)
    {
      const PlgLessonStep *step = lesson->steps->pdata[i];

      if (step->question != NULL && g_str_equal (step->question->id, id))
        return step->question;
    }
  return NULL;
}

int
plg_question_find_choice (const PlgQuestion *question, const char *id)
{
  for (guint i = 0; i < question->choices->len; i++)
    if (g_strcmp0 (((const PlgTrialChange *) question->choices->pdata[i])->id, id) == 0)
      return (int) i;
  return -1;
}

gboolean
plg_step_setup_apply (const PlgStepSetup *setup,
                      PlgPlan *plan,
                      const PlgCatalogue *catalogue,
                      GError **error)
{
  g_autoptr (PlgPlan) next = setup->from_default ? plg_catalogue_default_plan (catalogue)
                                                 : plg_plan_copy (plan);

  if (setup->settings != NULL &&
      !plg_settings_apply (next, catalogue, (const char *const *) setup->settings, error))
    return FALSE;
  if (setup->resets_placement && next->placement.size > 0 &&
      !plg_edit_reset_placement (next, error))
    return FALSE;
  if (setup->show != NULL && !plg_setting_set (next, NULL, "view.show", setup->show, error))
    return FALSE;
  if (setup->links != NULL && !plg_setting_set (next, NULL, "view.link-color", setup->links, error))
    return FALSE;
  plg_plan_assign (plan, next);
  return TRUE;
}


static char *
metric_text (const PlgMetric *metric, const PlgPlan *plan, const PlgReport *report)
{
  double value = plg_metric_value (metric, report);

  if (metric->measure == PLG_MEASURE_BYTES)
    {
      /* Use the units of the plan's profile. If the panels and the canvas use other units,
       * append the value in those units. For example, the profile "notebook" states memory in
       * GB, so the text is "64.0 GB (59.6 GiB)". */
      g_autofree char *known = plg_profile_memory (plan->profile, value);
      g_autofree char *shown = plg_measure_text (PLG_MEASURE_BYTES, value);

      return g_str_equal (known, shown) ? g_steal_pointer (&known)
                                        : g_strdup_printf ("%s (%s)", known, shown);
    }
  if (metric->measure == PLG_MEASURE_SHARE)
    return plg_profile_share (plan->profile, value);
  return plg_measure_text (metric->measure, value);
}

/* Returns the value of SPAN's metric for PLAN, as text. If SPAN has settings, applies them to a
 * copy of PLAN first. Returns "–" if the number is hidden or the settings are invalid. */
static char *
number_text (const PlgTextSpan *span,
             const PlgPlan *plan,
             const PlgReport *report,
             const PlgCatalogue *catalogue)
{
  const PlgMetric *metric = plg_metric_find (span->ref);
  g_autoptr (PlgPlan) other = NULL;
  g_autoptr (PlgReport) evaluated = NULL;

  g_assert (span->kind == PLG_SPAN_NUMBER);
  if (metric == NULL || plg_report_hides (report, metric->about))
    return g_strdup ("–");
  if (span->settings == NULL)
    return metric_text (metric, plan, report);
  other = plg_plan_copy (plan);
  if (plg_settings_apply (other, catalogue, (const char *const *) span->settings, NULL))
    evaluated = plg_evaluate_with_advice (other, NULL);
  return evaluated != NULL ? metric_text (metric, other, evaluated) : g_strdup ("–");
}

static void
append_escaped (GString *out, const char *text, gboolean markup)
{
  g_autofree char *escaped = markup ? g_markup_escape_text (text, -1) : NULL;

  g_string_append (out, escaped != NULL ? escaped : text);
}

static void
append_tagged (GString *out,
               const char *before,
               const char *text,
               const char *after,
               gboolean markup)
{
  g_string_append (out, markup ? before : "");
  append_escaped (out, text, markup);
  g_string_append (out, markup ? after : "");
}

char *
plg_spans_text (const GPtrArray *spans,
                const PlgPlan *plan,
                const PlgReport *report,
                const PlgCatalogue *catalogue,
                gboolean markup)
{
  GString *out = g_string_new (NULL);

  for (guint i = 0; i < spans->len; i++)
    {
      const PlgTextSpan *span = spans->pdata[i];
      g_autofree char *number = NULL;
      g_autofree char *link = NULL;

      switch (span->kind)
        {
        case PLG_SPAN_STRONG:
          append_tagged (out, "<b>", span->text, "</b>", markup);
          break;
        case PLG_SPAN_TERM:
          link = g_markup_printf_escaped ("<a href=\"term:%s\">", span->ref);
          append_tagged (out, link, span->text, "</a>", markup);
          break;
        case PLG_SPAN_LINK:
          link = g_markup_printf_escaped ("<a href=\"%s\" title=\"%s\">", span->ref, span->ref);
          append_tagged (out, link, span->text, "</a>", markup);
          break;
        case PLG_SPAN_NUMBER:
          number = number_text (span, plan, report, catalogue);
          append_tagged (out, "<b>", number, "</b>", markup);
          break;
        case PLG_SPAN_TEXT:
        default:
          append_escaped (out, span->text, markup);
        }
    }
  return g_string_free (out, FALSE);
}

char *
plg_passage_text (const PlgPassage *passage,
                  const PlgPlan *plan,
                  const PlgReport *report,
                  const PlgCatalogue *catalogue,
                  gboolean markup)
{
  if (passage->kind == PLG_PASSAGE_FORMULA)
    {
      /* Show "Bubble: (p − 1) / (v·m + p − 1) = 3/35 = 8.6 %", or a note instead if numbers are
       * hidden. */
      g_autoptr (GArray) all = !plg_report_hides (report, PLG_REDACT_ALL)
                                   ? plg_explain (plan, report, NULL)
                                   : NULL;

      for (guint i = 0; all != NULL && i < all->len; i++)
        {
          const PlgExplanation *row = &g_array_index (all, PlgExplanation, i);
          GString *out;

          if (!g_str_equal (row->id, passage->of))
            continue;
          out = g_string_new (NULL);
          append_tagged (out, "<b>", row->title, "</b>", markup);
          g_string_append (out, "\n");
          append_tagged (out, "<i>", row->symbols, "</i>", markup);
          g_string_append (out, "\n= ");
          append_escaped (out, row->numbers, markup);
          g_string_append (out, "\n= ");
          append_tagged (out, "<b>", row->result, "</b>", markup);
          return g_string_free (out, FALSE);
        }
      return g_strdup (plg_redaction_is_later (report->redaction, PLG_REDACT_ALL)
                           ? _ ("The formula is shown after a later question.")
                           : _ ("The formula is shown after you answer."));
    }
  if (passage->kind == PLG_PASSAGE_FIGURE)
    return g_strdup ("");
  if (passage->kind == PLG_PASSAGE_ROW)
    {
      /* Join the cells with middle dots, as in "TP · 8 · 1536 calls". */
      const GPtrArray *cells = passage->cells;
      GString *out = g_string_new (NULL);

      for (guint i = 0; i < cells->len; i++)
        {
          g_autofree char *cell = plg_spans_text (cells->pdata[i], plan, report, catalogue, markup);

          g_string_append_printf (out, "%s%s", i > 0 ? " · " : "", cell);
        }
      return g_string_free (out, FALSE);
    }
  return plg_spans_text (passage->spans, plan, report, catalogue, markup);
}

char *
plg_passages_text (const GPtrArray *passages,
                   const PlgPlan *plan,
                   const PlgReport *report,
                   const PlgCatalogue *catalogue)
{
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < passages->len; i++)
    {
      const PlgPassage *passage = passages->pdata[i];
      g_autofree char *part = NULL;

      if (passage->kind == PLG_PASSAGE_FORMULA || passage->kind == PLG_PASSAGE_FIGURE)
        continue;
      part = plg_passage_text (passage, plan, report, catalogue, FALSE);
      g_string_append_printf (text, "%s%s", text->len > 0 ? " " : "", part);
    }
  return g_string_free (text, FALSE);
}
