/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "plan/plan.h"

G_BEGIN_DECLS

/* Why a plan cannot exist, or an edit is refused. The message is for people: what is wrong with
 * the value and the limit, and what would be right. */
typedef enum
{
  PLG_PLAN_ERROR_RANGE,     /* a number out of its range */
  PLG_PLAN_ERROR_WORLD,     /* degrees do not multiply to the GPUs */
  PLG_PLAN_ERROR_HEADS,     /* TP or Ulysses CP does not divide (KV) heads */
  PLG_PLAN_ERROR_WIDTH,     /* TP does not divide hidden or FFN size */
  PLG_PLAN_ERROR_LAYERS,    /* fewer layers than stages x chunks, or not divisible where needed */
  PLG_PLAN_ERROR_BATCH,     /* global batch no multiple of micro-batch x DP */
  PLG_PLAN_ERROR_SEQUENCE,  /* CP or SP does not divide the sequence */
  PLG_PLAN_ERROR_EXPERTS,   /* EP does not divide experts or the GPUs of a stage */
  PLG_PLAN_ERROR_SCHEDULE,  /* schedule, chunks and micro-batches do not go together */
  PLG_PLAN_ERROR_PLACEMENT, /* a GPU used twice, not at all, or unknown */
  PLG_PLAN_ERROR_PRECISION, /* the GPU cannot compute in this precision */
  PLG_PLAN_ERROR_KEY,       /* unknown key or name (setting.h, catalogue.h) */
} PlgPlanError;

#define PLG_PLAN_ERROR (plg_plan_error_quark ())
GQuark plg_plan_error_quark (void);

/* Whether the plan is whole and can exist. A plan that does not fit in memory can exist. Layers
 * need not divide evenly over stages and chunks, and two chunks may have none (embedding and
 * loss). The profile "notebook" has a model of its own, so that TP need not divide the heads and
 * widths of the plan's. */
gboolean plg_plan_check (const PlgPlan *plan, GError **error);

G_END_DECLS
