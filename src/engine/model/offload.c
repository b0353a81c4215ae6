/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "engine/model/offload.h"

#include "engine/model/engine-constant.h"
#include "engine/model/kernel.h"
#include "engine/model/program.h"

double
plg_offload_link_rate (const PlgCluster *cluster)
{
  return PLG_HOST_LINK_EFFICIENCY * plg_cluster_host_bandwidth (cluster);
}

double
plg_offload_update_rate (const PlgCluster *cluster)
{
  return PLG_HOST_UPDATE_EFFICIENCY * plg_cluster_host_memory_bandwidth (cluster);
}

PlgOptimizerUpdate
plg_optimizer_update (const PlgPlan *plan, double parameters, double gradients, double schedule)
{
  const PlgProgramHabits *habits = plg_program_habits (plan);
  double share = plg_offload_share (plan), offloaded = share * parameters, passes, host;
  double transfer;
  PlgOptimizerUpdate update = { .parameters = parameters,
                                .gradients = gradients,
                                .gpu = plg_optimizer_time (plan, (1.0 - share) * parameters,
                                                           gradients) };

  update.time = update.gpu;
  if (offloaded <= 0.0)
    return update;
  /* Weights on the host stay there until they are gathered. */
  transfer = PLG_OFFLOAD_LINK_BYTES * offloaded / plg_offload_link_rate (&plan->cluster);
  update.to_gpu = plg_offloads_weights (plan) ? 0.0 : transfer;
  update.host = PLG_HOST_UPDATE_BYTES * offloaded / plg_offload_update_rate (&plan->cluster);
  passes = plg_offload_passes (plan);
  update.late = update.to_host = passes * transfer;
  if (habits->streams_gradients)
    {
      /* The last backward pass hides the reduction of gradients, and not their transfer. */
      double window = PLG_OFFLOAD_BACKWARD_SHARE * schedule * (passes - 1.0) /
                      plg_plan_micro_batches (plan);

      update.late = MAX (update.to_host - window, 0.0);
    }
  if (habits->overlaps_offload)
    host = MAX (update.late, MAX (update.host, update.to_gpu));
  else
    host = update.late + update.host + update.to_gpu;
  update.time = MAX (update.gpu, host);
  return update;
}

void
plg_optimizer_update_add_muon (const PlgPlan *plan,
                               const PlgMuonWork *work,
                               PlgOptimizerUpdate *update)
{
  double time;

  update->matrices = work->dense.owned + work->expert.owned;
  update->orthogonal_flops = work->dense.flops + work->expert.flops;
  update->orthogonal = plg_muon_product_time (plan, &work->dense) +
                       plg_muon_product_time (plan, &work->expert);
  time = update->orthogonal + plg_muon_move_time (plan, update->matrices);
  update->gpu += time;
  update->time += time;
}
