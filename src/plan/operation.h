/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "plan/cluster.h"

G_BEGIN_DECLS

/* How a cluster is operated: the cost and the reliability of its parts. */

/* The ratio of a data centre's whole power to the power of its computers. Uptime Institute, Global
 * Data Center Survey 2023, published in July 2023: industry average, confirmed in Uptime Intelligence
 * Update 221, 2023-11-23. New large sites reach 1.1 to 1.3. */
#define PLG_DEFAULT_PUE 1.58
/* Emissions of electricity [g CO2e/kWh]. Ember, Global Electricity Review 2025, published
 * 2025-04-08: world average of 2024. The review of 2026 says 471 for 2024 and 458 for 2025. */
#define PLG_DEFAULT_CARBON 473.0

/* The price and the power of the GPUs, and the data centre's share. Each field has a setting
 * "cost.…" with the same name. A price or a power of 0 stands for the value that the catalogue has
 * for the GPU. */
typedef struct
{
  double gpu_hour;     /* price of one GPU for one hour [USD] */
  double power_busy;   /* power of a GPU that computes [W] */
  double power_idle;   /* power of a GPU that waits [W] */
  double power_server; /* power of the server without its GPUs, divided by its GPUs [W] */
  double pue;          /* power usage effectiveness, at least 1 */
  double carbon;       /* emissions of the electricity [g CO2e/kWh] */
} PlgCost;

/* Sets COST to the default values. */
void plg_cost_init (PlgCost *cost);
gboolean plg_cost_equal (const PlgCost *a, const PlgCost *b);

/* Return the value of COST or, if COST has none, the value of GPU: a price [USD per GPU-hour] or a
 * power [W]. Return NaN if neither has a value. */
double plg_cost_gpu_hour (const PlgCost *cost, const PlgGpu *gpu);
double plg_cost_power_busy (const PlgCost *cost, const PlgGpu *gpu);
double plg_cost_power_idle (const PlgCost *cost, const PlgGpu *gpu);
/* Does the same for the server's share [W], but returns 0 if neither has a value. */
double plg_cost_power_server (const PlgCost *cost, const PlgGpu *gpu);

#define PLG_SECONDS_PER_HOUR 3600.0

/* Mean time between interruptions of a training run, for each of its GPUs [h], fitted on Llama 3
 * 405B: 419 unexpected interruptions in 54 days on 16,384 GPUs, so 16,384 × 54 × 24 h / 419.
 * Source: Llama Team 2024, arXiv 2407.21783, section 3.3.4. All causes count, software included. */
#define PLG_DEFAULT_MTBF_HOURS 50677.0
/* Rate at which each host writes a checkpoint [GB/s]. Llama 3 405B: storage that sustains 2 TB/s,
 * divided by the 2,048 hosts. Source: arXiv 2407.21783, section 3.3.1. */
#define PLG_DEFAULT_CHECKPOINT_RATE 1.0
/* Time from a failure until training continues [s]. MegaScale found and diagnosed failures in less
 * than 10 minutes on average, and the training had caught up with its progress within 15 minutes.
 * Source: Jiang et al. 2024, arXiv 2402.15627, section 6.3. */
#define PLG_DEFAULT_RESTART 600.0

/* The failures of a cluster and its way to continue after them. Each field has a setting
 * "reliability.…" with the same name. */
typedef struct
{
  double mtbf; /* mean time between failures of one GPU and its share of the cluster [s] */
  double checkpoint_rate; /* bytes/s that each host writes to the storage */
  double restart;         /* time to detect a failure, reschedule and load a checkpoint [s] */
  double repair;          /* time until a failed node returns [s]; 0 if another node always replaces
                             a failed one */
  int spares;             /* nodes that are kept ready to replace failed ones */
} PlgReliability;

/* Sets RELIABILITY to the default values. */
void plg_reliability_init (PlgReliability *reliability);
gboolean plg_reliability_equal (const PlgReliability *a, const PlgReliability *b);

G_END_DECLS
