/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "document/key-figure.h"

#include "engine/report/redaction.h"
#include "plan/quantity.h"

#include <glib/gi18n-lib.h>
#include <math.h>

/* The metric of the key figure */

/* Returns the first metric that a goal limits, or memory if the goal only asks whether the plan
 * fits. Returns NULL if the goal has no metric. */
static const PlgMetric *
metric_of_goal (const PlgGoal *goal)
{
  gboolean is_of_memory = FALSE;

  for (guint i = 0; goal != NULL && i < goal->asserted->len; i++)
    {
      const PlgMetric *metric = g_array_index (goal->asserted, PlgAssertion, i).metric;

      if (metric->measure != PLG_MEASURE_BOOLEAN)
        return metric;
      is_of_memory |= g_str_equal (metric->name, "fits");
    }
  return is_of_memory ? plg_metric_find ("memory") : NULL;
}

static const PlgMetric *
metric_of_step (PlgLessonRun *run)
{
  const PlgLessonStep *step = plg_lesson_run_step (run);
  const PlgMetric *aim = plg_lesson_run_needs_answer (run) ? NULL : metric_of_goal (step->goal);

  if (aim != NULL)
    return aim;

  /* Use the metric that the question names or, if it names none, the metric that the question
   * hides. */
  const PlgQuestion *question = step->question;

  if (question == NULL || question->number != NULL)
    return question != NULL ? question->number : NULL;
  if (question->hides & PLG_REDACT_BUBBLE)
    return plg_metric_find ("bubble");
  if (question->hides & PLG_REDACT_TIME)
    return plg_metric_find ("mfu");
  return question->hides & PLG_REDACT_MEMORY ? plg_metric_find ("memory") : NULL;
}

static const PlgMetric *
metric_of_colouring (PlgShow show)
{
  return plg_metric_find (show == PLG_SHOW_MEMORY ? "memory"
                          : show == PLG_SHOW_PP   ? "bubble"
                                                  : "mfu");
}

/* The text of the key figure */

PlgKeyFigure
plg_key_figure (PlgDocument *document, PlgLessonRun *run)
{
  const PlgReport *report = plg_document_report (document);
  const PlgMetric *metric = run != NULL ? metric_of_step (run) : NULL;
  PlgKeyFigure headline;
  const char *hidden;

  if (metric == NULL)
    metric = metric_of_colouring (plg_document_plan (document)->view.show);

  double value = plg_metric_value (metric, report);

  if (g_str_equal (metric->name, "memory"))
    {
      double peak = report->memory_peak, capacity = report->memory_capacity;
      g_autofree char *whole = plg_format_memory_distinct (capacity, peak);

      headline = (PlgKeyFigure) { .title = g_strdup_printf (_ ("Memory, of %s"), whole),
                                  .text = plg_format_memory_distinct (peak, capacity),
                                  .share = peak / capacity };
    }
  else
    headline = (PlgKeyFigure) { .title = plg_metric_title (metric),
                                .text = plg_measure_text (metric->measure, value),
                                .share = metric->measure == PLG_MEASURE_SHARE ? value : NAN };

  /* A plan that does not fit in memory cannot run, so the verdict accompanies the figure of
   * every metric. */
  g_autofree char *peak = NULL, *capacity = NULL;

  if (report->fits == PLG_FIT_YES && g_str_equal (metric->name, "memory"))
    headline.verdict = g_strdup (plg_fit_describe (report->fits));
  else if (report->fits != PLG_FIT_NO)
    headline.verdict = NULL;
  else
    {
      peak = plg_format_memory_distinct (report->memory_peak, report->memory_capacity);
      capacity = plg_format_memory_distinct (report->memory_capacity, report->memory_peak);
      headline.verdict = g_strdup_printf (_ ("does not fit: %s of %s"), peak, capacity);
    }

  headline.fails = report->fits == PLG_FIT_NO;
  hidden = plg_redaction_placeholder (report->redaction, metric->about);
  if (hidden == NULL)
    return headline;
  g_free (headline.text);
  headline.text = g_strdup (hidden);
  headline.share = NAN;
  headline.is_hidden = TRUE;
  return headline;
}

void
plg_key_figure_clear (PlgKeyFigure *headline)
{
  g_clear_pointer (&headline->title, g_free);
  g_clear_pointer (&headline->text, g_free);
  g_clear_pointer (&headline->verdict, g_free);
}
