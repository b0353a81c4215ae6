/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "engine/report/explainer.h"

#include "engine/model/flops.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#define BUBBLE_CEILING 0.10

/* Rounds VALUE up to an integer, with a minimum of 1. A tolerance absorbs the rounding error of
 * the division that produced VALUE. */
static double
at_least (double value)
{
  return MAX (ceil (value - 1e-9), 1.0);
}

/* Derives the number of chunks per stage from the report's bubble, so that the explained formula
 * gives exactly this bubble. */
static double
bubble_chunks (const PlgExplainer *self)
{
  double over_ideal = self->report->bubble.over_ideal;
  double m = self->report->micro_batches;

  if (over_ideal <= 0.0 || m <= 0.0)
    return plg_stage_chunks (self->plan);
  return MAX (round ((plg_explainer_degree (self, PLG_AXIS_PP) - 1.0) / (m * over_ideal)), 1.0);
}

static void
explain_simulated (PlgExplainer *self)
{
  double simulated = self->report->bubble.simulated;
  double busy = 0.0, length = 0.0;
  char *numbers;

  for (int stage = 0; stage < plg_explainer_degree (self, PLG_AXIS_PP); stage++)
    {
      double stage_busy = 0.0, start = G_MAXDOUBLE, end = 0.0;

      for (guint i = 0; i < self->report->blocks->len; i++)
        {
          const PlgBlock *block = &g_array_index (self->report->blocks, PlgBlock, i);

          if (block->stage != stage)
            continue;
          stage_busy += block->end - block->start;
          start = MIN (start, block->start);
          end = MAX (end, block->end);
        }
      busy += stage_busy;
      /* With ZB-V, each stage starts a step as soon as it has finished the previous step, so the
       * stages start at different times. Measure each stage from its own start. */
      if (self->plan->training.schedule == PLG_SCHEDULE_ZB_V)
        end = MAX (end - start, 0.0);
      length = MAX (length, end);
    }
  if (length > 0.0)
    numbers = plg_explainer_format ("1 − {l} / ({i} · {l})", busy,
                                    plg_explainer_degree (self, PLG_AXIS_PP), length);
  else
    numbers = plg_explainer_format ("1 − {s}", 1.0 - simulated);
  plg_explainer_add (self, "bubble.simulated", _ ("Bubble in the simulated schedule"),
                     g_strdup (_ ("1 − busy time of all stages / (stages · time of "
                                  "the schedule)")),
                     numbers, plg_explainer_format ("{s}", simulated),
                     _ ("Simulation of the schedule, block by block"));
  plg_explainer_note (self, g_strdup (_ ("The simulation includes effects that the closed "
                                         "forms ignore: unequal stages, embedding and logits "
                                         "on the outer stages, and messages between stages. "
                                         "Panels, findings and assertions show this share as "
                                         "the bubble.")));
}

/* Adds the note WHAT to the last explanation if the closed form of the bubble is meant for the
 * plan's schedule. Otherwise adds a note with the reason why it is not. */
static void
note_closed_form (PlgExplainer *self, const char *what)
{
  if (self->plan->training.schedule <= PLG_SCHEDULE_INTERLEAVED)
    plg_explainer_note (self, g_strdup (what));
  else
    plg_explainer_note (self, g_strdup (_ ("The formula is for 1F1B, but this schedule fills the "
                                           "bubble with work that 1F1B does later. The simulated "
                                           "bubble applies.")));
}

/* Explains how many micro-batches reduce the bubble to BUBBLE_CEILING, for each definition of
 * the bubble. */
static void
explain_bubble_ceiling (PlgExplainer *self)
{
  double p = plg_explainer_degree (self, PLG_AXIS_PP), v = bubble_chunks (self);
  double x = BUBBLE_CEILING;

  plg_explainer_add (self, "bubble.micro-batches.share-of-step",
                     /* xgettext:no-c-format */
                     _ ("Micro-batches for a bubble of 10 % of the step"),
                     g_strdup ("m ≥ (p − 1)·(1 − x) / (x·v)"),
                     plg_explainer_format ("({i} − 1)·{n} / ({n}·{i})", p, 1.0 - x, x, v),
                     plg_explainer_format ("{i}", at_least ((p - 1.0) * (1.0 - x) / (x * v))),
                     PLG_SOURCE_NARAYANAN ", sec. 2.2");
  plg_explainer_add (self, "bubble.micro-batches.over-ideal",
                     /* xgettext:no-c-format */
                     _ ("Micro-batches for a bubble of 10 % of the ideal time"),
                     g_strdup ("m ≥ (p − 1) / (x·v)"),
                     plg_explainer_format ("({i} − 1) / ({n}·{i})", p, x, v),
                     plg_explainer_format ("{i}", at_least ((p - 1.0) / (x * v))),
                     PLG_SOURCE_NARAYANAN ", sec. 2.2");
  plg_explainer_add (self, "bubble.micro-batches.notebook",
                     /* xgettext:no-c-format */
                     _ ("Micro-batches for a bubble of 10 % according to the notebook"),
                     g_strdup ("m ≥ (p − 1) / (p·x)"),
                     plg_explainer_format ("({i} − 1) / ({i}·{n})", p, p, x),
                     plg_explainer_format ("{i}", at_least ((p - 1.0) / (p * x))),
                     PLG_SOURCE_NOTEBOOK);
}

void
plg_explain_bubble (PlgExplainer *self)
{
  const PlgBubble *bubble = &self->report->bubble;
  double p = plg_explainer_degree (self, PLG_AXIS_PP), v = bubble_chunks (self);
  double m = self->report->micro_batches;

  plg_explainer_add (self, "bubble.share-of-step", _ ("Bubble as a share of the step"),
                     g_strdup ("(p − 1) / (v·m + p − 1)"),
                     plg_explainer_format ("({i} − 1) / ({i}·{i} + {i} − 1) = {i}/{i}", p, v, m, p,
                                           p - 1.0, v * m + p - 1.0),
                     plg_explainer_format ("{s}", bubble->share_of_step),
                     PLG_SOURCE_NARAYANAN ", sec. 2.2");
  note_closed_form (self, _ ("The share of the whole schedule that is idle, which is the loss of "
                             "utilization. The formula assumes equal stages and free messages."));
  plg_explainer_add (self, "bubble.over-ideal", _ ("Bubble relative to the ideal time"),
                     g_strdup ("(p − 1) / (v·m)"),
                     plg_explainer_format ("({i} − 1) / ({i}·{i}) = {i}/{i}", p, v, m, p - 1.0,
                                           v * m),
                     plg_explainer_format ("{s}", bubble->over_ideal),
                     PLG_SOURCE_NARAYANAN ", sec. 2.2");
  note_closed_form (self, _ ("The same idle time relative to the schedule without a bubble, so "
                             "the result is larger than the share of the step."));
  plg_explainer_add (self, "bubble.notebook", _ ("Bubble according to the notebook"),
                     g_strdup ("(p − 1) / (p·m)"),
                     plg_explainer_format ("({i} − 1) / ({i}·{i}) = {i}/{i}", p, p, m, p - 1.0,
                                           p * m),
                     plg_explainer_format ("{p}", bubble->notebook), PLG_SOURCE_NOTEBOOK);
  plg_explainer_note (self, g_strdup (_ ("The formula divides by p·m, as if more stages "
                                         "shortened the idle time. The result is correct for one "
                                         "micro-batch and too small for more.")));
  explain_simulated (self);

  if (self->plan->training.schedule <= PLG_SCHEDULE_INTERLEAVED)
    explain_bubble_ceiling (self);
}
