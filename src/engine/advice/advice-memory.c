/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "engine/advice/advisor.h"

#include "engine/model/textbook.h"
#include "engine/search/part-recompute.h"
#include "plan/quantity.h"
#include "plan/settings/setting-name.h"

#include <glib/gi18n-lib.h>

/* Memory is considered tight if a plan uses more than this share of the capacity. If memory is short,
 * PyTorch calls cudaFree(), which waits for all work of the GPU (PyTorch, pull request 19222), and
 * counts the calls as num_alloc_retries. */
#define MEMORY_TIGHT 0.95

/* Tries EDITS, which set full recompute, and then full recompute of as few layers as LIMIT allows. */
static void
consider_recompute (PlgAdvisor *self, PlgTrialChange *change, double limit, const char *edits)
{
  int layers;

  plg_advisor_consider (self, change, limit, "%s training.recompute-method=all", edits);
  if (self->plan->profile != PLG_PROFILE_STANDARD || !plg_advisor_try (self, edits))
    return;
  layers = plg_fewest_recomputed_layers (self->trial, limit);
  if (layers > 0)
    plg_advisor_consider (self, change, limit,
                          "%s training.recompute-method=first training.recompute-layers=%d", edits,
                          layers);
}

/* Tries the plan with PP multiplied by DEEPER, EP multiplied by WIDER, ZeRO stage SHARDED and,
 * if RECOMPUTE is set, full recompute; with and without shard groups if the plan has them. */
static void
consider_memory_edits (PlgAdvisor *self,
                       PlgTrialChange *change,
                       double limit,
                       int deeper,
                       int wider,
                       int sharded,
                       gboolean recompute)
{
  g_autoptr (GString) edits = g_string_new (NULL);

  if (wider > 1)
    g_string_append_printf (edits, " parallelism.ep=%d",
                            wider * plg_advisor_degree (self, PLG_AXIS_EP));
  if (deeper > 1)
    g_string_append_printf (edits, " parallelism.pp=%d",
                            deeper * plg_advisor_degree (self, PLG_AXIS_PP));
  if (sharded > self->plan->parallelism.zero)
    g_string_append_printf (edits, " parallelism.zero=%d", sharded);
  if (recompute)
    g_string_append (edits, " training.recompute=full");
  if (recompute)
    consider_recompute (self, change, limit, edits->str + 1);
  else if (edits->len > 0)
    plg_advisor_consider (self, change, limit, "%s", edits->str + 1);
  /* Sharding over all replicas instead of inside groups (HSDP) takes the least memory. */
  if (plg_parallelism_replicate (&self->plan->parallelism) > 1)
    plg_advisor_consider (self, change, limit, "parallelism.replicate=1%s", edits->str);
}

/* Tries changes that save memory, alone and in combination. Keeps the fastest change with which
 * the plan needs at most LIMIT bytes. */
static void
consider_less_memory (PlgAdvisor *self, PlgTrialChange *change, double limit)
{
  gboolean full = self->plan->training.recompute == PLG_RECOMPUTE_FULL;
  int tp = plg_advisor_degree (self, PLG_AXIS_TP);

  if (self->plan->profile == PLG_PROFILE_NOTEBOOK)
    {
      /* The notebook profile models only TP and PP. In this profile, activations grow with TP,
       * so a plan with less TP and more PP may fit. */
      for (int notebook_tp = 1; notebook_tp <= MAX (8, 2 * tp); notebook_tp *= 2)
        for (int pp = 1; pp <= 64; pp *= 2)
          plg_advisor_consider (self, change, limit, "parallelism.tp=%d parallelism.pp=%d",
                                notebook_tp, pp);
      return;
    }

  if (plg_transformer_is_moe (&self->plan->model))
    for (int wider = 2; wider <= 8; wider *= 2)
      for (int deeper = 1; deeper <= 4; deeper *= 2)
        for (int recompute = 0; recompute <= 1; recompute++)
          consider_memory_edits (self, change, limit, deeper, wider, self->plan->parallelism.zero,
                                 recompute);

  for (int groups = plg_parallelism_replicate (&self->plan->parallelism) / 2; groups > 1;
       groups /= 2)
    plg_advisor_consider (self, change, limit, "parallelism.replicate=%d", groups);
  plg_advisor_consider (self, change, limit, "parallelism.sequence=true");
  if (self->plan->training.recompute == PLG_RECOMPUTE_NONE)
    plg_advisor_consider (self, change, limit, "training.recompute=selective");
  if (self->plan->training.micro_batch > 1)
    plg_advisor_consider (self, change, limit, "training.micro-batch=%d",
                          self->plan->training.micro_batch / 2);
  plg_advisor_consider (self, change, limit, "parallelism.tp=%d", 2 * tp);
  if (!full)
    plg_advisor_consider (self, change, limit, "parallelism.tp=%d training.recompute=full", 2 * tp);
  for (int deeper = 1; deeper <= 4; deeper *= 2)
    for (int sharded = self->plan->parallelism.zero; sharded <= 3; sharded++)
      for (int recompute = 0; recompute <= (full ? 0 : 1); recompute++)
        consider_memory_edits (self, change, limit, deeper, 1, sharded, recompute);
}

void
plg_advise_out_of_memory (PlgAdvisor *self)
{
  PlgProfile profile = self->plan->profile;
  double peak = self->report->memory_peak, capacity = self->report->memory_capacity;
  g_autofree char *needed = plg_profile_memory_distinct (profile, peak, capacity);
  g_autofree char *available = plg_profile_memory_distinct (profile, capacity, peak);
  const char *unit;
  double unit_bytes = plg_profile_memory_unit (profile, &unit);
  PlgTrialChange change = { 0 };
  char *remedy;

  if (self->report->fits)
    return;
  consider_less_memory (self, &change, capacity);
  if (change.edits != NULL)
    remedy = plg_advisor_describe (self, &change);
  else if (profile == PLG_PROFILE_NOTEBOOK)
    remedy = g_strdup (_ ("In the notebook profile, only TP and PP change the memory, and no "
                          "combination of them on this cluster makes the plan fit."));
  else
    remedy = g_strdup (_ ("Use more GPUs or a smaller model, or combine a higher PP with ZeRO "
                          "and recompute."));
  plg_advisor_add (self, "out-of-memory", PLG_SEVERITY_ERROR,
                   g_strdup_printf (_ ("Stage %d needs %s per GPU, but a GPU has %s."),
                                    self->report->memory_peak_stage, needed, available),
                   peak / unit_bytes, capacity / unit_bytes, unit, remedy, &change);
}

void
plg_advise_host_memory (PlgAdvisor *self)
{
  double needed = plg_report_host_memory (self->report);
  double available = plg_cluster_host_memory (&self->plan->cluster);
  g_autofree char *needed_text = plg_format_memory_distinct (needed, available);
  g_autofree char *available_text = plg_format_memory_distinct (available, needed);

  if (available <= 0.0 || !(needed > available))
    return;
  plg_advisor_add (self, "host-memory-exceeded", PLG_SEVERITY_ERROR,
                   g_strdup_printf (_ ("Offloading needs %s of host memory per GPU, but the host "
                                       "has %s per GPU."),
                                    needed_text, available_text),
                   needed / PLG_GIB, available / PLG_GIB, "GiB",
                   g_strdup_printf (_ ("Lower “%s” or “%s”. If the hosts have more memory, set "
                                       "“%s”."),
                                    plg_setting_name ("training.offload-optimizer"),
                                    plg_setting_name ("training.offload-layers"),
                                    plg_setting_name ("cluster.host-memory")),
                   NULL);
}

void
plg_advise_memory_tight (PlgAdvisor *self)
{
  double peak = self->report->memory_peak, capacity = self->report->memory_capacity;
  g_autofree char *share = plg_format_share (peak / capacity);
  PlgTrialChange change = { 0 };

  if (!self->report->fits || peak <= MEMORY_TIGHT * capacity)
    return;
  consider_less_memory (self, &change, 0.9 * capacity);
  plg_advisor_add (
      self, "memory-tight", PLG_SEVERITY_WARNING,
      g_strdup_printf (_ ("Stage %d uses %s of its memory. When memory is short, PyTorch "
                          "frees its cached blocks and asks for new ones, and the GPU "
                          "waits each time. With fragmentation or a longer sequence, "
                          "the stage may run out of memory."),
                       self->report->memory_peak_stage, share),
      peak / PLG_GIB, MEMORY_TIGHT * capacity / PLG_GIB, "GiB",
      change.edits != NULL ? plg_advisor_describe (self, &change)
                           : g_strdup (_ ("Leave 5 percent of the memory free.")),
      &change);
}

void
plg_advise_recompute (PlgAdvisor *self)
{
  double limit = MEMORY_TIGHT * self->report->memory_capacity;
  g_autofree char *spent = plg_format_time (self->report->step.part[PLG_PART_RECOMPUTE]);
  PlgTrialChange change = { 0 };
  gboolean is_part = FALSE;

  if (self->report->step.part[PLG_PART_RECOMPUTE] <= 0.0 || !self->report->fits)
    return;
  plg_advisor_consider (self, &change, limit, "training.recompute=none");
  plg_advisor_consider (self, &change, limit, "training.recompute=selective");
  if (change.edits == NULL)
    {
      consider_recompute (self, &change, limit, "training.recompute=full");
      is_part = TRUE;
    }
  if (!plg_advisor_is_worthwhile (self, &change))
    {
      g_free (change.edits);
      return;
    }
  plg_advisor_add (self, "recompute-unneeded", PLG_SEVERITY_WARNING,
                   is_part ? g_strdup_printf (_ ("Recompute takes %s per step, but the memory "
                                                 "suffices to repeat fewer layers."),
                                              spent)
                           : g_strdup_printf (_ ("Recompute takes %s per step, but the activations "
                                                 "would also fit in memory without it."),
                                              spent),
                   change.memory / PLG_GIB, self->report->memory_capacity / PLG_GIB, "GiB",
                   plg_advisor_describe (self, &change), &change);
}
