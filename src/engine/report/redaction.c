/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "engine/report/redaction.h"

#include "plan/fault.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

static const struct
{
  const char *name;
  guint redaction;
} names_of_bits[] = {
  { "memory", PLG_REDACT_MEMORY },
  { "bubble", PLG_REDACT_BUBBLE },
  { "time", PLG_REDACT_TIME },
  { "calls", PLG_REDACT_CALLS },
  { "bytes", PLG_REDACT_BYTES },
  { "busy", PLG_REDACT_BUSY },
  { "hops", PLG_REDACT_HOPS },
  { "faults", PLG_REDACT_FAULTS },
  { "communication", PLG_REDACT_COMMUNICATION },
};

char *
plg_redaction_names (void)
{
  const char *names[G_N_ELEMENTS (names_of_bits) + 1] = { NULL };

  for (guint i = 0; i < G_N_ELEMENTS (names_of_bits); i++)
    names[i] = names_of_bits[i].name;
  return g_strjoinv (", ", (char **) names);
}

gboolean
plg_redaction_from_string (const char *text, guint *redaction)
{
  g_auto (GStrv) parts = g_strsplit_set (text, " \n\t", -1);
  guint bits = 0;

  for (int i = 0; parts[i] != NULL; i++)
    {
      guint part = 0;

      for (guint j = 0; j < G_N_ELEMENTS (names_of_bits); j++)
        if (g_str_equal (names_of_bits[j].name, parts[i]))
          part = names_of_bits[j].redaction;
      if (part == 0 && *parts[i] != '\0')
        return FALSE;
      bits |= part;
    }
  *redaction = bits;
  return TRUE;
}

gboolean
plg_report_hides (const PlgReport *report, guint about)
{
  return (report->redaction & about) != 0;
}

gboolean
plg_redaction_is_later (guint redaction, guint about)
{
  return (redaction & PLG_REDACT_LATER (about)) != 0;
}

const char *
plg_redaction_placeholder (guint redaction, guint about)
{
  if (plg_redaction_is_later (redaction, about))
    return _ ("Shown after a later question");
  return (redaction & about) != 0 ? _ ("Shown after you answer") : NULL;
}

const char *
plg_redaction_notice (guint redaction, guint about)
{
  return plg_redaction_is_later (redaction, about) ? _ ("asked later") : _ ("answer first");
}

static void
copy_array (GArray *to, const GArray *from)
{
  g_array_set_size (to, 0);
  g_array_append_vals (to, from->data, from->len);
}

static void
hide (double *value, gboolean hidden)
{
  if (hidden)
    *value = NAN;
}

static void
hide_links (PlgReport *report, guint redaction)
{
  for (guint i = 0; i < report->links->len; i++)
    {
      PlgLink *link = &g_array_index (report->links, PlgLink, i);

      hide (&link->bandwidth, redaction & PLG_REDACT_FAULTS);
      hide (&link->calls, redaction & PLG_REDACT_CALLS);
      hide (&link->bytes_out, redaction & PLG_REDACT_BYTES);
      hide (&link->bytes_in, redaction & PLG_REDACT_BYTES);
      hide (&link->time, redaction & PLG_REDACT_BUSY);
      if (redaction & PLG_REDACT_CALLS)
        {
          link->axes = 0;
          link->n_shares = 0;
        }
    }

  /* The shares would reveal which collectives cross a link. */
  if (redaction & PLG_REDACT_CALLS)
    g_array_set_size (report->link_shares, 0);
  for (guint i = 0; i < report->link_shares->len; i++)
    {
      PlgLinkShare *share = &g_array_index (report->link_shares, PlgLinkShare, i);

      hide (&share->bytes_out, redaction & PLG_REDACT_BYTES);
      hide (&share->bytes_in, redaction & PLG_REDACT_BYTES);
      hide (&share->time, redaction & PLG_REDACT_BUSY);
    }
}

static void
hide_communication (PlgReport *report, guint redaction)
{
  /* Always hide the values that combine calls, bytes and time, because a hidden number of calls,
   * bytes or seconds could be computed from them. */
  for (guint i = 0; i < report->collectives->len; i++)
    {
      PlgCollective *row = &g_array_index (report->collectives, PlgCollective, i);

      hide (&row->calls, redaction & PLG_REDACT_CALLS);
      hide (&row->bytes_sent, redaction & PLG_REDACT_BYTES);
      hide (&row->time, redaction & PLG_REDACT_BUSY);
      hide (&row->exposed, redaction & PLG_REDACT_BUSY);
      row->bytes_per_call = row->call_bytes = row->contention_factor = NAN;
      row->cost.start = row->cost.latency = row->cost.bytes = row->cost.bandwidth = NAN;
    }
  for (guint i = 0; i < report->stage_calls->len; i++)
    {
      PlgStageCalls *row = &g_array_index (report->stage_calls, PlgStageCalls, i);

      hide (&row->calls, redaction & PLG_REDACT_CALLS);
      hide (&row->bytes_sent, redaction & PLG_REDACT_BYTES);
      hide (&row->time, redaction & PLG_REDACT_BUSY);
      row->bytes_per_call = NAN;
    }

  if (!(redaction & PLG_REDACT_BUSY))
    return;
  for (int part = PLG_PART_TP; part <= PLG_PART_DP; part++)
    report->step.part[part] = NAN;
  /* Remove the blocks, because they reveal the waiting times, and because the time from the last
   * block to the end of the step reveals the DP time. */
  g_array_set_size (report->blocks, 0);
}

/* Copies REPORT without its findings, which would reveal hidden numbers. */
static PlgReport *
copy_report (const PlgReport *report)
{
  PlgReport *to = plg_report_new ();
  PlgReport head = *report;

  head.stages = to->stages;
  head.collectives = to->collectives;
  head.links = to->links;
  head.link_shares = to->link_shares;
  head.stage_calls = to->stage_calls;
  head.blocks = to->blocks;
  head.work = to->work;
  head.findings = to->findings;
  g_atomic_ref_count_init (&head.ref_count);
  *to = head;
  copy_array (to->stages, report->stages);
  copy_array (to->collectives, report->collectives);
  copy_array (to->links, report->links);
  copy_array (to->link_shares, report->link_shares);
  copy_array (to->stage_calls, report->stage_calls);
  copy_array (to->blocks, report->blocks);
  return to;
}

PlgReport *
plg_report_redact (const PlgReport *report, guint redaction)
{
  PlgReport *hidden = copy_report (report);

  hidden->redaction = redaction;
  if (redaction & PLG_REDACT_MEMORY)
    {
      hidden->memory_peak = NAN;
      hidden->memory_peak_stage = 0;
      hidden->fits = PLG_FIT_HIDDEN;
      for (guint i = 0; i < hidden->stages->len; i++)
        {
          PlgStageMemory *stage = &g_array_index (hidden->stages, PlgStageMemory, i);

          stage->in_flight = 0;
          stage->parameters = stage->weights = stage->gradients = stage->optimizer = NAN;
          stage->host = stage->host > 0.0 ? NAN : 0.0;
          stage->activations = stage->buffers = stage->runtime = stage->total = NAN;
        }
    }
  if (redaction & PLG_REDACT_BUBBLE)
    {
      PlgBubble *bubble = &hidden->bubble;

      bubble->share_of_step = bubble->over_ideal = bubble->notebook = NAN;
      bubble->simulated = NAN;
      hidden->step.part[PLG_PART_BUBBLE] = NAN;
      g_array_set_size (hidden->blocks, 0);
    }
  if (redaction & PLG_REDACT_TIME)
    {
      PlgStep *step = &hidden->step;

      step->time = step->ideal_time = NAN;
      step->update = (PlgOptimizerUpdate) { NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN };
      step->tokens_per_second = step->tokens_per_second_per_gpu = NAN;
      step->flops_per_second_per_gpu = step->mfu = step->hfu = NAN;
      step->days = step->gpu_hours = step->backward = NAN;
      for (int part = 0; part < PLG_N_PARTS; part++)
        step->part[part] = NAN;
      g_array_set_size (hidden->blocks, 0);
    }
  if (redaction & PLG_REDACT_RUN)
    plg_training_run_hide (&hidden->run);
  if (redaction & PLG_REDACT_COMMUNICATION)
    hide_communication (hidden, redaction);
  hide_links (hidden, redaction);
  if (redaction & PLG_REDACT_HOPS)
    for (int axis = 0; axis < PLG_N_AXES; axis++)
      hidden->hops[axis].between_nodes = PLG_HOPS_HIDDEN;
  /* Hide only the factor. The slowdown that a slow GPU causes remains part of the compute time. */
  if (redaction & PLG_REDACT_FAULTS)
    hidden->step.slowest_gpu_factor = 1.0;
  return hidden;
}

PlgPlan *
plg_plan_redact (const PlgPlan *plan, guint redaction)
{
  PlgPlan *hidden = plg_plan_copy (plan);

  if (redaction & PLG_REDACT_FAULTS)
    hidden->cluster.n_faults = 0;
  return hidden;
}

void
plg_plan_restore_redacted (PlgPlan *plan, const PlgPlan *whole, guint redaction)
{
  if ((redaction & PLG_REDACT_FAULTS) == 0)
    return;
  memcpy (plan->cluster.faults, whole->cluster.faults, sizeof plan->cluster.faults);
  plan->cluster.n_faults = whole->cluster.n_faults;
  plg_faults_prune (&plan->cluster);
}

PlgReport *
plg_report_redact_beside (PlgReport *report, guint redaction)
{
  PlgReport *redacted;

  if (redaction == 0)
    return report;
  if (redaction & PLG_REDACT_FAULTS)
    redaction |= PLG_REDACT_ALL;
  redacted = plg_report_redact (report, redaction);
  plg_report_unref (report);
  return redacted;
}
