/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "io/reports/similar-runs-text.h"

#include "plan/quantity.h"

#include <glib/gi18n-lib.h>
#include <math.h>

/* From this error on, the texts name the known reason. */
#define LARGE_ERROR 0.1

char *
plg_similar_runs_share (const PlgSimilarRuns *similar, double mfu)
{
  g_autofree char *share = NULL, *half = NULL;

  if (isnan (similar->error) || isnan (mfu))
    return NULL;
  share = plg_format_number (100.0 * mfu, 3);
  half = plg_format_number (100.0 * mfu * similar->error, 2);
  return g_strdup_printf ("%s ± %s\u00a0%%", share, half);
}

char *
plg_similar_runs_times (const PlgSimilarRuns *similar, double time)
{
  PlgBand band = plg_similar_runs_time_band (similar, time);
  g_autofree char *low = plg_format_time (band.low), *high = plg_format_time (band.high);

  if (isnan (band.low))
    return NULL;
  return isinf (band.high) ? g_strdup_printf (_ ("%s or more"), low)
                           : g_strdup_printf (_ ("%s to %s"), low, high);
}

char *
plg_similar_runs_describe (const PlgSimilarRuns *similar)
{
  g_autofree char *share = plg_format_share (similar->error);
  g_autofree char *within = NULL;

  if (similar->n == 0)
    return g_strdup (_ ("No published run is near this plan, so there is no error band."));
  if (isnan (similar->error))
    return g_strdup (_ ("Only one published run is near this plan, so there is no error band."));
  within =
      g_strdup_printf (g_dngettext (GETTEXT_PACKAGE,
                                    "The engine is within %s of the measured step time in the "
                                    "%d published run that is most like this plan.",
                                    "The engine is within %s of the measured step times in the "
                                    "%d published runs that are most like this plan.",
                                    similar->n),
                       share, similar->n);
  if (similar->n_fitted == 0)
    return g_steal_pointer (&within);
  return g_strdup_printf (g_dngettext (GETTEXT_PACKAGE, "%s Constants were fitted to %d of them.",
                                       "%s Constants were fitted to %d of them.",
                                       similar->n_fitted),
                          within, similar->n_fitted);
}

/* Returns a text such as "8.53 s, MFU 50.6 %". */
static char *
describe_result (double time, double mfu)
{
  g_autofree char *seconds = plg_format_time (time), *share = plg_format_share (mfu);

  return g_strdup_printf (_ ("%s, MFU %s"), seconds, share);
}

PlgSimilarRunText
plg_similar_run_text (const PlgSimilarRun *similar)
{
  const PlgPublishedRun *run = similar->run;
  g_autofree char *gpus = plg_format_count (run->traits.gpus);
  g_autofree char *precision = g_ascii_strup (run->precision, -1);
  PlgSimilarRunText text = {
    /* Translators: "Llama-3-70B on 64 × H100 SXM, BF16". */
    .title = g_strdup_printf (_ ("%s on %s × %s, %s"), run->model, gpus, run->gpu, precision),
    .measured = describe_result (run->step_time, similar->mfu_measured),
    .predicted = describe_result (similar->time, similar->mfu),
    .error = plg_format_change (run->step_time, similar->time),
    .source = g_strdup_printf ("%s, %d", run->source, run->year),
    .locator = g_strdup (run->locator),
  };

  if (similar->remark != NULL && fabs (similar->error) > LARGE_ERROR)
    text.reason = g_strdup_printf (_ ("Reason for the error: %s"), similar->remark);
  if (run->memory_kind != PLG_RUN_MEMORY_NONE)
    {
      g_autofree char *measured = plg_format_memory (run->memory);
      g_autofree char *predicted = plg_format_memory (similar->memory);

      text.memory = g_strdup_printf (_ ("%s measured, %s by this engine"), measured, predicted);
    }
  return text;
}

void
plg_similar_run_text_clear (PlgSimilarRunText *text)
{
  g_clear_pointer (&text->title, g_free);
  g_clear_pointer (&text->measured, g_free);
  g_clear_pointer (&text->predicted, g_free);
  g_clear_pointer (&text->error, g_free);
  g_clear_pointer (&text->source, g_free);
  g_clear_pointer (&text->locator, g_free);
  g_clear_pointer (&text->reason, g_free);
  g_clear_pointer (&text->memory, g_free);
}

char *
plg_similar_runs_text (const PlgSimilarRuns *similar, double mfu, double time)
{
  g_autofree char *sentence = plg_similar_runs_describe (similar);
  g_autofree char *share = plg_similar_runs_share (similar, mfu);
  g_autofree char *times = plg_similar_runs_times (similar, time);
  GString *text = g_string_new (sentence);

  g_string_append_c (text, '\n');
  if (share != NULL)
    g_string_append_printf (text, _ ("For this plan, expect an MFU of %s and %s per step.\n"),
                            share, times);
  for (int i = 0; i < similar->n; i++)
    {
      const PlgSimilarRun *run = &similar->runs[i];
      g_auto (PlgSimilarRunText) texts = plg_similar_run_text (run);
      g_autofree char *distance = plg_format_number (run->distance, 2);

      g_string_append_printf (text, _ ("\n%s (%s, %s)\n"), texts.title, run->run->id,
                              run->run->framework);
      g_string_append_printf (text, _ ("  Measured: %s\n"), texts.measured);
      g_string_append_printf (text, _ ("  This engine: %s, %s\n"), texts.predicted, texts.error);
      if (texts.reason != NULL)
        g_string_append_printf (text, "  %s\n", texts.reason);
      if (texts.memory != NULL)
        g_string_append_printf (text, _ ("  Memory: %s\n"), texts.memory);
      g_string_append_printf (text, _ ("  Source: %s; %s\n"), texts.source, texts.locator);
      g_string_append_printf (text,
                              run->run->is_fitted
                                  ? _ ("  Distance: %s; constants were fitted to this run\n")
                                  : _ ("  Distance: %s\n"),
                              distance);
    }
  return g_string_free (text, FALSE);
}

static void
add_band (PlgJsonWriter *json, const char *name, PlgBand band)
{
  plg_json_begin (json, name, '[', FALSE);
  plg_json_add_number (json, NULL, band.low);
  plg_json_add_number (json, NULL, band.high);
  plg_json_end (json, ']');
}

static void
add_run (PlgJsonWriter *json, const PlgSimilarRun *similar)
{
  const PlgPublishedRun *run = similar->run;

  plg_json_begin (json, NULL, '{', FALSE);
  plg_json_add_string (json, "id", run->id);
  plg_json_add_string (json, "group", run->group);
  plg_json_add_string (json, "model", run->model);
  plg_json_add_string (json, "gpu", run->gpu);
  plg_json_add_number (json, "gpus", run->traits.gpus);
  plg_json_add_string (json, "precision", run->precision);
  plg_json_add_string (json, "program", run->framework);
  plg_json_add_string (json, "source", run->source);
  plg_json_add_string (json, "locator", run->locator);
  plg_json_add_number (json, "year", run->year);
  plg_json_add_boolean (json, "fitted", run->is_fitted);
  plg_json_add_number (json, "distance", similar->distance);
  plg_json_add_number (json, "measured_time", run->step_time);
  plg_json_add_number (json, "time", similar->time);
  plg_json_add_number (json, "error", similar->error);
  plg_json_add_string (json, "remark", similar->remark);
  plg_json_add_number (json, "measured_mfu", similar->mfu_measured);
  plg_json_add_number (json, "mfu", similar->mfu);
  if (run->memory_kind != PLG_RUN_MEMORY_NONE)
    {
      plg_json_add_string (json, "memory_kind", plg_run_memory_name (run->memory_kind));
      plg_json_add_number (json, "measured_memory", run->memory);
      plg_json_add_number (json, "memory", similar->memory);
    }
  plg_json_end (json, '}');
}

void
plg_similar_runs_add_json (PlgJsonWriter *json,
                           const PlgSimilarRuns *similar,
                           double mfu,
                           double time)
{
  plg_json_begin (json, "band", '{', TRUE);
  plg_json_add_number (json, "error", similar->error);
  plg_json_add_number (json, "runs", similar->n);
  plg_json_add_number (json, "fitted_runs", similar->n_fitted);
  add_band (json, "mfu", plg_similar_runs_mfu_band (similar, mfu));
  add_band (json, "time", plg_similar_runs_time_band (similar, time));
  plg_json_begin (json, "like", '[', TRUE);
  for (int i = 0; i < similar->n; i++)
    add_run (json, &similar->runs[i]);
  plg_json_end (json, ']');
  plg_json_end (json, '}');
}

char *
plg_similar_runs_json (const PlgSimilarRuns *similar, double mfu, double time)
{
  PlgJsonWriter json = { .out = g_string_new (NULL) };

  plg_json_begin (&json, NULL, '{', TRUE);
  plg_json_add_number (&json, "format", 1);
  plg_similar_runs_add_json (&json, similar, mfu, time);
  plg_json_end (&json, '}');
  return plg_json_take (&json);
}
