/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "plan/catalogue.h"

/* A small catalogue made in C, so that the tests of this room read no files: GPUs h100-sxm-80,
 * a100-sxm-80 (no FP8), v100-sxm-32 (no BF16), mi300x-192 and l40s-48 (no links), a node for
 * each GPU, and the models llama3-70b, gpt3-175b and mixtral-8x7b. */
PlgCatalogue *sample_catalogue (void);

/* The default plan of the sample catalogue: 64 GPUs, TP 8, PP 4, DP 2. */
PlgPlan *sample_plan (void);
/* The default plan with other degrees, in the order tp-cp-pp-dp. */
PlgPlan *sample_plan_with (int tp, int cp, int pp, int dp);
