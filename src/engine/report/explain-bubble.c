/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "engine/report/explainer.h"

#include "engine/model/flops.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#define BUBBLE_CEILING 0.10

/* The smallest whole number from VALUE on, in spite of the last bit of a division. */
static double
at_least (double value)
{
  return MAX (ceil (value - 1e-9), 1.0);
}

/* The chunks a stage that the report's bubble was worked out with, so that both always agree. */
static double
bubble_chunks (const PlgExplainer *self)
{
  double over_ideal = self->report->bubble.over_ideal;
  double m = self->report->micro_batches;

  if (over_ideal <= 0.0 || m <= 0.0)
    return plg_stage_chunks (self->plan);
  return MAX (round ((plg_explainer_degree (self, PLG_AXIS_PP) - 1.0) / (m * over_ideal)), 1.0);
}

/* From the boxes of the timeline what STAGE works and, in LENGTH, how long the schedule is for it.
 * With ZB-V stages begin a step when they are through with the last, one after the other. */
static double
stage_work (const PlgExplainer *self, int stage, double *length)
{
  const GArray *blocks = self->report->blocks;
  double busy = 0.0, start = G_MAXDOUBLE, end = 0.0;

  for (guint i = 0; i < blocks->len; i++)
    {
      const PlgBlock *block = &g_array_index (blocks, PlgBlock, i);

      if (block->stage != stage)
        continue;
      busy += block->end - block->start;
      start = MIN (start, block->start);
      end = MAX (end, block->end);
    }
  *length = self->plan->training.schedule == PLG_SCHEDULE_ZB_V ? MAX (end - start, 0.0) : end;
  return busy;
}

static void
explain_simulated (PlgExplainer *self)
{
  double simulated = self->report->bubble.simulated;
  double busy = 0.0, length = 0.0;
  char *numbers;

  for (int stage = 0; stage < plg_explainer_degree (self, PLG_AXIS_PP); stage++)
    {
      double own;

      busy += stage_work (self, stage, &own);
      length = MAX (length, own);
    }
  if (length > 0.0)
    numbers = plg_explainer_format ("1 − {l} / ({i} · {l})", busy,
                                    plg_explainer_degree (self, PLG_AXIS_PP), length);
  else
    numbers = plg_explainer_format ("1 − {s}", 1.0 - simulated);
  plg_explainer_add (self, "bubble.simulated", _ ("Bubble, in the simulated schedule"),
                     g_strdup (_ ("1 − time at work of all stages / (stages · time of the "
                                  "schedule)")),
                     numbers, plg_explainer_format ("{s}", simulated),
                     _ ("Simulation of the schedule, box by box"));
  plg_explainer_note (self, g_strdup (_ ("It knows what the closed forms do not: stages that "
                                         "differ, embedding and logits at the ends, and messages "
                                         "between them.")));
}

/* Why the closed forms are beside the point, where they are. */
static void
note_closed_form (PlgExplainer *self, const char *what)
{
  if (self->report->bubble.closed_form)
    plg_explainer_note (self, g_strdup (what));
  else if (self->plan->training.schedule > PLG_SCHEDULE_INTERLEAVED)
    plg_explainer_note (self, g_strdup (_ ("It is 1F1B's; this schedule fills the wait with work "
                                           "that 1F1B does later. Go by the simulated one.")));
  else
    plg_explainer_note (self, g_strdup (_ ("It is for equal stages, and those of this plan are "
                                           "not. Go by the simulated one.")));
}

static void
explain_bubble_shares (PlgExplainer *self)
{
  const PlgBubble *bubble = &self->report->bubble;
  double p = plg_explainer_degree (self, PLG_AXIS_PP), v = bubble_chunks (self);
  double m = self->report->micro_batches;

  plg_explainer_add (self, "bubble.share-of-step", _ ("Bubble, share of the step"),
                     g_strdup ("(p − 1) / (v·m + p − 1)"),
                     plg_explainer_format ("({i} − 1) / ({i}·{i} + {i} − 1) = {i}/{i}", p, v, m, p,
                                           p - 1.0, v * m + p - 1.0),
                     plg_explainer_format ("{s}", bubble->share_of_step),
                     PLG_SOURCE_NARAYANAN ", sec. 2.2");
  note_closed_form (self, _ ("Of the whole schedule: what utilization loses."));
  plg_explainer_add (self, "bubble.over-ideal", _ ("Bubble, over the ideal time"),
                     g_strdup ("(p − 1) / (v·m)"),
                     plg_explainer_format ("({i} − 1) / ({i}·{i}) = {i}/{i}", p, v, m, p - 1.0,
                                           v * m),
                     plg_explainer_format ("{s}", bubble->over_ideal),
                     PLG_SOURCE_NARAYANAN ", sec. 2.2");
  note_closed_form (self,
                    _ ("Of the schedule without a bubble: the same wait beside a shorter time, "
                       "so it is larger."));
  plg_explainer_add (self, "bubble.notebook", _ ("Bubble, as the notebook has it"),
                     g_strdup ("(p − 1) / (p·m)"),
                     plg_explainer_format ("({i} − 1) / ({i}·{i}) = {i}/{i}", p, p, m, p - 1.0,
                                           p * m),
                     plg_explainer_format ("{p}", bubble->notebook), PLG_SOURCE_NOTEBOOK);
  plg_explainer_note (self, g_strdup (_ ("It divides by p·m, as if more stages made the wait "
                                         "shorter: right for one micro-batch, too small for "
                                         "more.")));
  explain_simulated (self);
}

/* Micro-batches that bring each definition down to the ceiling. */
static void
explain_bubble_ceiling (PlgExplainer *self)
{
  double p = plg_explainer_degree (self, PLG_AXIS_PP), v = bubble_chunks (self);
  double x = BUBBLE_CEILING;

  plg_explainer_add (self, "bubble.micro-batches.share-of-step",
                     _ ("Micro-batches for a bubble of 10 %, share of the step"),
                     g_strdup ("m ≥ (p − 1)·(1 − x) / (x·v)"),
                     plg_explainer_format ("({i} − 1)·{n} / ({n}·{i})", p, 1.0 - x, x, v),
                     plg_explainer_format ("{i}", at_least ((p - 1.0) * (1.0 - x) / (x * v))),
                     PLG_SOURCE_NARAYANAN ", sec. 2.2");
  plg_explainer_add (self, "bubble.micro-batches.over-ideal",
                     _ ("Micro-batches for a bubble of 10 %, over the ideal time"),
                     g_strdup ("m ≥ (p − 1) / (x·v)"),
                     plg_explainer_format ("({i} − 1) / ({n}·{i})", p, x, v),
                     plg_explainer_format ("{i}", at_least ((p - 1.0) / (x * v))),
                     PLG_SOURCE_NARAYANAN ", sec. 2.2");
  plg_explainer_add (self, "bubble.micro-batches.notebook",
                     _ ("Micro-batches for a bubble of 10 %, as the notebook has it"),
                     g_strdup ("m ≥ (p − 1) / (p·x)"),
                     plg_explainer_format ("({i} − 1) / ({i}·{n})", p, p, x),
                     plg_explainer_format ("{i}", at_least ((p - 1.0) / (p * x))),
                     PLG_SOURCE_NOTEBOOK);
}

void
plg_explain_bubble (PlgExplainer *self)
{
  explain_bubble_shares (self);
  if (self->plan->training.schedule <= PLG_SCHEDULE_INTERLEAVED)
    explain_bubble_ceiling (self);
}
