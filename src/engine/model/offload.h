/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "engine/model/muon.h"
#include "engine/report/report.h"
#include "plan/plan.h"

G_BEGIN_DECLS

/* plg_optimizer_update:
 * @parameters: parameters whose state the GPU owns
 * @gradients: gradients that the GPU holds
 * @schedule: time of all micro-batches, which can hide transfers [s]
 *
 * Computes the time of the optimizer step. training.offload-optimizer is the share of the
 * parameters that the CPU updates. The CPU has one process per GPU, so each has an equal part of
 * the host's memory bandwidth. */
PlgOptimizerUpdate
plg_optimizer_update (const PlgPlan *plan, double parameters, double gradients, double schedule);

/* Adds WORK to UPDATE, the update of all other parameters by Adam. */
void plg_optimizer_update_add_muon (const PlgPlan *plan,
                                    const PlgMuonWork *work,
                                    PlgOptimizerUpdate *update);

/* The bytes per offloaded parameter on the host: master weight, two moments and gradient in FP32
 * (DeepSpeed, ops/adam/cpu_adam.py; Megatron-LM, core/optimizer/cpu_offloading/hybrid_optimizer.py),
 * whatever the format of the state on the GPU. */
#define PLG_OFFLOADED_BYTES 16.0

/* Returns the rates that a transfer and the CPU's update reach [bytes/s]. */
double plg_offload_link_rate (const PlgCluster *cluster);
double plg_offload_update_rate (const PlgCluster *cluster);

/* The bytes that the CPU moves per parameter: it reads and writes the master weight and both
 * moments, and reads the gradient, in FP32. */
#define PLG_HOST_UPDATE_BYTES (6.0 * 4.0 + 4.0)
/* The bytes of a gradient or of a new weight on the link. A copy without waiting converts numbers
 * on the GPU, so both travel in FP32 (PyTorch, aten/src/ATen/native/cuda/Copy.cu; DeepSpeed,
 * runtime/zero/stage_1_and_2.py, async_inplace_copy_grad_to_fp32_buffer_from_gpu). */
#define PLG_OFFLOAD_LINK_BYTES 4.0

G_END_DECLS
