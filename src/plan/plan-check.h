/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "plan/plan.h"

G_BEGIN_DECLS

/* Why a plan is invalid or an edit is refused. The message states the value, the limit and the
 * remedy. */
typedef enum
{
  PLG_PLAN_ERROR_RANGE,     /* a number is out of range */
  PLG_PLAN_ERROR_WORLD,     /* the degrees do not multiply to the number of GPUs */
  PLG_PLAN_ERROR_HEADS,     /* TP or Ulysses CP does not divide the (KV) heads */
  PLG_PLAN_ERROR_WIDTH,     /* TP does not divide the hidden or FFN size */
  PLG_PLAN_ERROR_LAYERS,    /* fewer layers than stages x chunks, or a required division fails */
  PLG_PLAN_ERROR_BATCH,     /* the global batch is not a multiple of micro-batch x DP */
  PLG_PLAN_ERROR_SEQUENCE,  /* CP or SP does not divide the sequence */
  PLG_PLAN_ERROR_EXPERTS,   /* EP does not divide the experts or the GPUs of a stage */
  PLG_PLAN_ERROR_SCHEDULE,  /* schedule, chunks and micro-batches do not fit together */
  PLG_PLAN_ERROR_PLACEMENT, /* a GPU is used twice, unused or unknown */
  PLG_PLAN_ERROR_PRECISION, /* the GPU cannot compute in this precision */
  PLG_PLAN_ERROR_KEY,       /* unknown key or name (setting.h, catalogue.h) */
} PlgPlanError;

#define PLG_PLAN_ERROR (plg_plan_error_quark ())
GQuark plg_plan_error_quark (void);

/* Whether the plan is complete and valid; a valid plan need not fit in memory. Layers need not
 * divide evenly over stages and chunks, and two chunks may have none (embedding and loss). The
 * profile "notebook" has its own model, so TP need not divide the heads and widths of the plan's
 * model. */
gboolean plg_plan_check (const PlgPlan *plan, GError **error);

G_END_DECLS
