/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "plan/plan.h"

G_BEGIN_DECLS

/* Parameters of the model as published (no padding of the vocabulary). */
double plg_parameters_total (const PlgTransformer *model);
/* Those that one token uses: top_k of the experts. */
double plg_parameters_active (const PlgTransformer *model);

/* FLOPs a step over all GPUs: forward and backward of each matrix product once. */
double plg_model_flops (const PlgPlan *plan);
/* With what recompute does again. */
double plg_hardware_flops (const PlgPlan *plan);

G_END_DECLS
