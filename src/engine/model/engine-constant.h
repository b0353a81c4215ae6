/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The constants of the engine: physical quantities that are no entry of the catalogue, because they
 * belong to a kernel, a network protocol or a program instead of a GPU, a node or a model. The
 * table in engine-constant.c has the title, the unit, the source and the date of each constant. */
#pragma once

#include "plan/cluster.h"

#include <glib.h>

G_BEGIN_DECLS

/* The names and values of all constants, in SI units. A constant NAME is PLG_NAME in code, and
 * PLG_CONSTANT_NAME is its number. */
#define PLG_ENGINE_CONSTANTS(CONSTANT)               \
  /* Matrix products */                              \
  CONSTANT (LONG_TILE, 256.0)                        \
  CONSTANT (SHORT_TILE, 128.0)                       \
  CONSTANT (LAST_WAVE, 0.7)                          \
  CONSTANT (TRAINING_RATE, 0.9)                      \
  CONSTANT (REFERENCE_PRODUCT, 1.0)                  \
  CONSTANT (DEEPSPEED_PRODUCT, 0.75)                 \
  CONSTANT (PLAIN_PRODUCT, 0.95)                     \
  CONSTANT (DELAYED_CAST, 4.0)                       \
  CONSTANT (CURRENT_CAST, 7.0)                       \
  CONSTANT (BLOCKWISE_CAST, 4.1)                     \
  CONSTANT (BLOCKWISE_PRODUCT, 0.81)                 \
  CONSTANT (EMULATED_BLOCKWISE_CAST, 8.7)            \
  CONSTANT (MXFP8_CAST, 4.7)                         \
  CONSTANT (MXFP8_PRODUCT, 0.94)                     \
  CONSTANT (FP4_CAST, 8.0)                           \
  CONSTANT (USUAL_MULTIPROCESSORS, 132.0)            \
  CONSTANT (USUAL_MATRIX_EFFICIENCY, 0.78)           \
  CONSTANT (USUAL_MEMORY_EFFICIENCY, 0.85)           \
  /* Attention */                                    \
  CONSTANT (FLASH_3_FORWARD, 0.82)                   \
  CONSTANT (FLASH_3_BACKWARD, 0.68)                  \
  CONSTANT (FLASH_2_FORWARD, 0.49)                   \
  CONSTANT (FLASH_2_BACKWARD, 0.42)                  \
  CONSTANT (FLASH_EARLY_FORWARD, 0.30)               \
  CONSTANT (FLASH_EARLY_BACKWARD, 0.25)              \
  CONSTANT (FLASH_2_FORWARD_BEFORE_FP8, 0.70)        \
  CONSTANT (FLASH_2_BACKWARD_BEFORE_FP8, 0.61)       \
  CONSTANT (FLASH_EARLY_FORWARD_BEFORE_FP8, 0.45)    \
  CONSTANT (FLASH_EARLY_BACKWARD_BEFORE_FP8, 0.38)   \
  CONSTANT (FLASH_LOSS, 430.0)                       \
  CONSTANT (FLASH_BACKWARD_PRODUCTS, 2.5)            \
  CONSTANT (SCORE_FORWARD, 9.0)                      \
  CONSTANT (SCORE_BACKWARD, 13.0)                    \
  CONSTANT (DROPOUT, 5.0)                            \
  /* Other kernels */                                \
  CONSTANT (EAGER_NORM, 9.0)                         \
  CONSTANT (EAGER_ROTARY, 5.0)                       \
  CONSTANT (EAGER_GATE, 1.9)                         \
  CONSTANT (FUSED_LOSS_FORWARD, 14.0)                \
  CONSTANT (FUSED_LOSS_BACKWARD, 6.0)                \
  CONSTANT (PLAIN_LOSS_FORWARD, 36.0)                \
  CONSTANT (PLAIN_LOSS_BACKWARD, 14.0)               \
  CONSTANT (LOSS_PIECES, 8.0)                        \
  CONSTANT (LOSS_VOCABULARY_PIECE, 3072.0)           \
  CONSTANT (LAUNCH_GAP, 10e-6)                       \
  CONSTANT (MUON_UPDATE, 70.0)                       \
  CONSTANT (EXPERT_WAIT, 0.4e-3)                     \
  CONSTANT (EXPERT_HOST_FORWARD, 3.3e-3)             \
  CONSTANT (EXPERT_HOST_BACKWARD, 6.3e-3)            \
  CONSTANT (LAYER_HOST_FORWARD, 2.1e-3)              \
  CONSTANT (LAYER_HOST_BACKWARD, 4.2e-3)             \
  /* Memory */                                       \
  CONSTANT (CONTEXT_BYTES, 1024.0 * 1024 * 1024)     \
  CONSTANT (NCCL_BYTES, 768.0 * 1024 * 1024)         \
  CONSTANT (COMMUNICATOR_BYTES, 256.0 * 1024 * 1024) \
  CONSTANT (SLACK, 0.08)                             \
  CONSTANT (DEEPSPEED_SLACK, 0.28)                   \
  CONSTANT (PLAIN_SLACK, 0.125)                      \
  CONSTANT (ALLOCATOR_MIN_SLACK_PART, 0.25)          \
  /* Offload to the host */                          \
  CONSTANT (HOST_LINK_EFFICIENCY, 0.78)              \
  CONSTANT (HOST_UPDATE_EFFICIENCY, 0.43)            \
  CONSTANT (OFFLOAD_BACKWARD_SHARE, 2.0 / 3.0)       \
  /* Network */                                      \
  CONSTANT (BASE_SIMPLE, 8.4e-6)                     \
  CONSTANT (BASE_LOW_LATENCY, 6.6e-6)                \
  CONSTANT (LOW_LATENCY_STEP, 0.2)                   \
  CONSTANT (LOW_LATENCY_BANDWIDTH, 0.5)              \
  CONSTANT (TREE_BANDWIDTH, 0.92)                    \
  CONSTANT (MULTICAST_BANDWIDTH, 0.83)               \
  CONSTANT (MULTICAST_LATENCY, 40e-6)                \
  CONSTANT (MAX_CONCURRENT_PEERS, 8.0)               \
  CONSTANT (DEEPEP_INSIDE, 0.83)                     \
  CONSTANT (HYBRIDEP_INSIDE, 0.92)                   \
  CONSTANT (FORWARD_OUTSIDE, 0.96)                   \
  CONSTANT (HYBRIDEP_START, 90e-6)                   \
  CONSTANT (TCP_EFFICIENCY, 0.7)                     \
  CONSTANT (TCP_LATENCY, 44e-6)                      \
  CONSTANT (TCP_OF_HOST, PLG_HOST_MEMORY_RATE / 6.0) \
  CONSTANT (SYS_BANDWIDTH, 16e9)                     \
  CONSTANT (USUAL_INTRA_EFFICIENCY, 0.8)             \
  CONSTANT (USUAL_INTER_EFFICIENCY, 0.9)             \
  CONSTANT (USUAL_PCIE_BANDWIDTH, PLG_PCIE_4_RATE)   \
  /* Collectives in training */                      \
  CONSTANT (NVLINK_CONTENTION, 1.2)                  \
  CONSTANT (NETWORK_CONTENTION, 1.33)                \
  CONSTANT (LATE_CONTENTION, 2.2)                    \
  CONSTANT (COMM_SM_SHARE_INTRA, 0.15)               \
  CONSTANT (COMM_SM_SHARE_INTER, 0.15)               \
  CONSTANT (EP_OVERLAP, 0.5)                         \
  CONSTANT (BUCKET, 40e6)                            \
  CONSTANT (BUCKET_PER_REPLICA, 1e6)                 \
  CONSTANT (DEEPSPEED_BUCKET, 500e6)

typedef enum
{
#define PLG_ENGINE_CONSTANT_NUMBER(NAME, value) PLG_CONSTANT_##NAME,
  PLG_ENGINE_CONSTANTS (PLG_ENGINE_CONSTANT_NUMBER)
#undef PLG_ENGINE_CONSTANT_NUMBER
  PLG_N_ENGINE_CONSTANTS
} PlgEngineConstant;

/* bench-accuracy compiles the engine with PLG_FIT, so that it can fit constants anew. */
#ifdef PLG_FIT
#define PLG_CONSTANT_DOUBLE double
#define PLG_ENGINE_CONSTANT_VALUE(NAME, value) extern double PLG_##NAME;
#else
#define PLG_CONSTANT_DOUBLE const double
#define PLG_ENGINE_CONSTANT_VALUE(NAME, value) static const double PLG_##NAME G_GNUC_UNUSED = value;
#endif
PLG_ENGINE_CONSTANTS (PLG_ENGINE_CONSTANT_VALUE)
#undef PLG_ENGINE_CONSTANT_VALUE

typedef enum
{
  PLG_CONSTANT_UNIT_NONE, /* a ratio or a number of things */
  PLG_CONSTANT_UNIT_SECONDS,
  PLG_CONSTANT_UNIT_BYTES,
  PLG_CONSTANT_UNIT_MEMORY,    /* bytes, shown in GiB */
  PLG_CONSTANT_UNIT_BANDWIDTH, /* bytes/s */
} PlgConstantUnit;

/* PlgEngineConstantInfo:
 * @key: the name in lower case, such as "training-rate"
 * @title: the quantity in plain words, to be translated with _()
 * @source: the publication and the place in it, or the reason; the same in all languages
 * @date: year, or year and month, of the source or the fit
 * @fitted: (nullable): the groups of data/runs/published.csv to which the value was fitted,
 *   separated by spaces */
typedef struct
{
  const char *key;
  const char *title;
  PlgConstantUnit unit;
  const char *source;
  const char *date;
  const char *fitted;
} PlgEngineConstantInfo;

/* Returns the description of CONSTANT. Static. */
const PlgEngineConstantInfo *plg_engine_constant_info (PlgEngineConstant constant);

/* The addresses of all constants. */
extern PLG_CONSTANT_DOUBLE *const plg_engine_constant_addresses[PLG_N_ENGINE_CONSTANTS];

/* Returns the value of CONSTANT, in SI units. Code that knows the constant uses PLG_NAME. */
static inline double
plg_engine_constant (PlgEngineConstant constant)
{
  return *plg_engine_constant_addresses[constant];
}

/* The constants on which a number depends, each once, in the order in which they are shown. */
#define PLG_MAX_USED_CONSTANTS 12
typedef struct
{
  int n;
  PlgEngineConstant constant[PLG_MAX_USED_CONSTANTS];
} PlgUsedConstants;

/* Appends CONSTANT unless it is in SELF already. */
void plg_used_constants_add (PlgUsedConstants *self, PlgEngineConstant constant);

#ifdef PLG_FIT
/* Sets CONSTANT to VALUE for all later evaluations. */
void plg_engine_constant_set (PlgEngineConstant constant, double value);
#endif

G_END_DECLS
