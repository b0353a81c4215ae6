/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "engine/report/report.h"

G_BEGIN_DECLS

/* Shared code of the advice-*.c files: trial changes of a plan and findings. Private to the
 * engine. */

/* The smallest gain that is worth a finding, as a share of the step time. */
#define PLG_MIN_GAIN_SHARE 0.01

typedef struct
{
  const PlgPlan *plan;
  PlgReport *report;
  PlgPlan *trial;     /* the plan with the change on trial */
  PlgReport *outcome; /* the report of the trial plan */
} PlgAdvisor;

/* The best change so far. */
typedef struct
{
  char *edits;   /* NULL until a change has been accepted */
  double time;   /* step time [s] */
  double memory; /* peak memory per GPU [bytes] */
} PlgTrialChange;

int plg_advisor_degree (const PlgAdvisor *self, PlgAxis axis);
/* The share of PART in the step time. */
double plg_advisor_share (const PlgAdvisor *self, PlgPart part);
/* Evaluates the plan with EDITS into the advisor's outcome; FALSE if the changed plan is
 * invalid. */
gboolean plg_advisor_try (PlgAdvisor *self, const char *edits);
/* Tries the edits of FORMAT and stores them in CHANGE if the plan then needs at most LIMIT bytes of
 * memory and is faster than the change stored before. */
void plg_advisor_consider (PlgAdvisor *self,
                           PlgTrialChange *change,
                           double limit,
                           const char *format,
                           ...) G_GNUC_PRINTF (4, 5);
/* The time that CHANGE saves per step [s]. */
double plg_advisor_saved (const PlgAdvisor *self, const PlgTrialChange *change);
gboolean plg_advisor_is_worthwhile (const PlgAdvisor *self, const PlgTrialChange *change);
/* The limit for a change that must not cost the fit: the capacity for a plan that fits, else the
 * present peak [bytes]. */
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
/* "Recompute full: then 68.1 GiB per GPU and 9.1 s per step."; free with g_free(). */
char *plg_advisor_describe (const PlgAdvisor *self, const PlgTrialChange *change);
/* "Recompute full, ZeRO 2": the edits with the inspector's labels; free with g_free(). */
char *plg_advisor_describe_edits (const char *edits);

/* Memory: plans that do not fit or barely fit, and recompute without need (advice-memory.c). */
void plg_advise_out_of_memory (PlgAdvisor *self);
void plg_advise_memory_tight (PlgAdvisor *self);
void plg_advise_recompute (PlgAdvisor *self);
/* Placement: groups that leave a node without need, and the network (advice-placement.c). The
 * function for TP runs first: the advice on the order skips axes that already have a finding. */
void plg_advise_tp_crossing (PlgAdvisor *self);
/* AXIS is CP or EP. */
void plg_advise_crossing (PlgAdvisor *self, PlgAxis axis, const char *id);
void plg_advise_order (PlgAdvisor *self);
void plg_advise_network (PlgAdvisor *self);
/* Faults and their cost (advice-faults.c). */
void plg_advise_faults (PlgAdvisor *self);

G_END_DECLS
