/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The work of Muon (training.optimizer=muon). Muon keeps one momentum per parameter and replaces the
 * momentum of a weight matrix by a nearby orthogonal matrix, for which a GPU needs the whole matrix.
 * Embedding, output, positions, norms and biases keep Adam. */
#pragma once

#include "engine/model/flops.h"

G_BEGIN_DECLS

/* COUNT matrices that a GPU orthogonalizes. The products X·Xᵀ have SIDE × SIDE results. */
typedef struct
{
  double count;
  double side;
  double length;
} PlgMuonMatrices;
#define PLG_MAX_MUON_MATRICES 20

/* PlgMuonShare:
 * @parameters: parameters of all matrices of the stage on a GPU
 * @owned: parameters of the matrices that the GPU with most of them orthogonalizes
 * @state: parameters whose momentum and master weight that GPU holds
 * @batches: owned matrices, each of which takes an exchange of its own
 * @flops: FLOPs of the iterations over the owned matrices
 * @kinds: the owned matrices by their shape
 * @n_kinds: number of shapes
 * @tp_calls: collectives inside the TP group that the iterations need
 * @tp_bytes: bytes of all these calls, by the convention of nccl-tests
 *
 * The part of dense parameters or of experts in the work of Muon, on one GPU of a stage. */
typedef struct
{
  double parameters;
  double owned;
  double state;
  double batches;
  double flops;
  double tp_calls;
  double tp_bytes;
  int n_kinds;
  PlgMuonMatrices kinds[PLG_MAX_MUON_MATRICES];
} PlgMuonShare;

typedef struct
{
  PlgMuonShare dense;
  PlgMuonShare expert;
} PlgMuonWork;

gboolean plg_uses_muon (const PlgPlan *plan);
/* Returns TRUE if each GPU of a shard group holds the state of whole matrices. Otherwise each holds
 * a shard of all matrices. */
gboolean plg_muon_owns_matrices (const PlgPlan *plan);
/* Returns TRUE if the GPUs of a shard group exchange shards of the momentum, so that each gets some
 * whole matrices. */
gboolean plg_muon_exchanges_shards (const PlgPlan *plan);
/* Computes the work of Muon for a stage with PARTS, the parts of both of its stages with DualPipe. */
PlgMuonWork plg_muon_work (const PlgPlan *plan, const PlgStageParts *parts);
/* Returns the share of the parameters of the model that are in matrices that Muon updates. */
double plg_muon_share_of_model (const PlgPlan *plan);

/* The bytes per parameter that travel each way when GPUs exchange shards of the momentum in BF16
 * (github.com/microsoft/dion, dion/muon.py, muon_update_batch_async). */
#define PLG_MUON_EXCHANGED_BYTES 2.0

G_END_DECLS
