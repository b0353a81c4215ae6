/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "engine/report/report.h"

G_BEGIN_DECLS

/* Code shared by the advice-*.c files: trial changes of a plan, and findings. Private to the
 * engine. */

/* The smallest gain that is worth a finding, as a share of the step time. */
#define PLG_MIN_GAIN_SHARE 0.01

typedef struct
{
  const PlgPlan *plan;
  PlgReport *report;
  PlgPlan *trial;     /* the plan with the trial change */
  PlgReport *outcome; /* the report on the trial plan */
} PlgAdvisor;

/* The best change found so far. */
typedef struct
{
  char *edits;   /* NULL until a change has been accepted */
  double time;   /* step time [s] */
  double memory; /* peak memory per GPU [bytes] */
} PlgTrialChange;

int plg_advisor_degree (const PlgAdvisor *self, PlgAxis axis);
/* Returns the share of the step time that PART takes. */
double plg_advisor_share (const PlgAdvisor *self, PlgPart part);
/* Evaluates the plan with EDITS and stores the result in the advisor's outcome. Returns FALSE if
 * the changed plan is invalid. */
gboolean plg_advisor_try (PlgAdvisor *self, const char *edits);
/* Tries the edits that FORMAT and its arguments specify. Stores the edits in CHANGE if the
 * changed plan needs at most LIMIT bytes of memory and is faster than the change stored before. */
void plg_advisor_consider (PlgAdvisor *self,
                           PlgTrialChange *change,
                           double limit,
                           const char *format,
                           ...) G_GNUC_PRINTF (4, 5);
/* Returns the time that CHANGE saves per step [s]. */
double plg_advisor_saved (const PlgAdvisor *self, const PlgTrialChange *change);
gboolean plg_advisor_is_worthwhile (const PlgAdvisor *self, const PlgTrialChange *change);
/* Returns the memory limit for a trial change [bytes]. The limit is the capacity if the plan
 * fits, so that the changed plan fits too; otherwise it is the plan's peak memory. */
double plg_advisor_memory_limit (const PlgAdvisor *self);
/* Appends a finding. Takes ownership of TEXT, REMEDY and the edits of CHANGE, which may be NULL. */
void plg_advisor_add (PlgAdvisor *self,
                      const char *id,
                      PlgSeverity severity,
                      char *text,
                      double value,
                      double limit,
                      const char *unit,
                      char *remedy,
                      PlgTrialChange *change);
/* Describes CHANGE, for example "Recompute full: then 68.1 GiB per GPU and 9.1 s per step.";
 * free with g_free(). */
char *plg_advisor_describe (const PlgAdvisor *self, const PlgTrialChange *change);
/* Describes EDITS with the inspector's labels, for example "Recompute full, ZeRO 2"; free with
 * g_free(). */
char *plg_advisor_describe_edits (const char *edits);

/* Advice on memory: plans that do not fit on the GPU or the host or barely fit, and
 * unnecessary recompute
 * (advice-memory.c). */
void plg_advise_out_of_memory (PlgAdvisor *self);
void plg_advise_host_memory (PlgAdvisor *self);
void plg_advise_memory_tight (PlgAdvisor *self);
void plg_advise_recompute (PlgAdvisor *self);
/* Advice on placement: groups that cross nodes unnecessarily, and the network
 * (advice-placement.c). plg_advise_order() must run after plg_advise_tp_crossing() and
 * plg_advise_crossing(), because it skips plans for which these functions have already added a
 * finding. */
void plg_advise_tp_crossing (PlgAdvisor *self);
/* Advises on groups of AXIS that cross nodes; AXIS is CP or EP. */
void plg_advise_crossing (PlgAdvisor *self, PlgAxis axis, const char *id);
void plg_advise_order (PlgAdvisor *self);
void plg_advise_network (PlgAdvisor *self);
/* Advice on faults and their cost (advice-faults.c). */
void plg_advise_faults (PlgAdvisor *self);
/* Advice from a search (advice-plan.c): adds a finding with a faster plan, or makes the remedy of
 * the finding "out-of-memory" the fastest plan that fits. Holds the settings KEEP (nullable). */
void plg_advise_better_plan (PlgAdvisor *self, const char *const *keep);

G_END_DECLS
