/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "engine/report/report.h"

G_BEGIN_DECLS

/* What the files that give advice share: trying changes of a plan, and saying what comes of them.
 * Private to the engine. */

/* A change that saves less of the step is not worth a line. */
#define PLG_MIN_GAIN_SHARE 0.01

typedef struct
{
  const PlgPlan *plan;
  PlgReport *report;
  PlgPlan *trial;     /* the plan with a change */
  PlgReport *outcome; /* and what comes of it */
} PlgAdvisor;

/* The best change tried so far. */
typedef struct
{
  char *edits;
  double time;
  double memory;
} PlgTrialChange;

int plg_advisor_degree (const PlgAdvisor *self, PlgAxis axis);
/* Of the seconds of a step. */
double plg_advisor_share (const PlgAdvisor *self, PlgPart part);
/* Evaluates the plan with EDITS; FALSE when there can be no such plan. */
gboolean plg_advisor_try (PlgAdvisor *self, const char *edits);
/* Keeps EDITS as CHOICE when the plan then takes no more memory than LIMIT, and is faster than the
 * best so far. */
void plg_advisor_consider (PlgAdvisor *self,
                           PlgTrialChange *change,
                           double limit,
                           const char *format,
                           ...) G_GNUC_PRINTF (4, 5);
/* Seconds a step that CHOICE saves. */
double plg_advisor_saved (const PlgAdvisor *self, const PlgTrialChange *change);
gboolean plg_advisor_is_worthwhile (const PlgAdvisor *self, const PlgTrialChange *change);
/* Plans in memory must stay there; those that are not must not grow. */
double plg_advisor_memory_limit (const PlgAdvisor *self);
/* Takes TEXT, REMEDY and what CHOICE holds. */
void plg_advisor_add (PlgAdvisor *self,
                      const char *id,
                      PlgSeverity severity,
                      char *text,
                      double value,
                      double limit,
                      const char *unit,
                      char *remedy,
                      PlgTrialChange *change);
/* "Recompute full: then 68.1 GiB a GPU and 9.1 s a step." */
char *plg_advisor_describe (const PlgAdvisor *self, const PlgTrialChange *change);
/* "Recompute full, ZeRO 2": the changes as the inspector calls them. g_free(). */
char *plg_advisor_describe_edits (const char *edits);

/* What does not fit, or hardly, and what makes room that is not needed (advice-memory.c). */
void plg_advise_out_of_memory (PlgAdvisor *self);
void plg_advise_memory_tight (PlgAdvisor *self);
void plg_advise_recompute (PlgAdvisor *self);
/* What leaves a node that could stay, and the network that it then takes (advice-placement.c). TP
 * first: the advice on orders is silent where a group has its own. */
void plg_advise_tp_crossing (PlgAdvisor *self);
/* AXIS is CP or EP: worse than inside, but often without a choice. */
void plg_advise_crossing (PlgAdvisor *self, PlgAxis axis, const char *id);
void plg_advise_order (PlgAdvisor *self);
void plg_advise_network (PlgAdvisor *self);
/* What is broken or slow, and what that costs (advice-faults.c). */
void plg_advise_faults (PlgAdvisor *self);

G_END_DECLS
