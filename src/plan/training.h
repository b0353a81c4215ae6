/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "plan/cluster.h"

G_BEGIN_DECLS

typedef enum
{
  PLG_RECOMPUTE_NONE,
  PLG_RECOMPUTE_SELECTIVE, /* the backward pass computes core attention again */
  PLG_RECOMPUTE_FULL,      /* the backward pass computes the whole layer again */
} PlgRecompute;

/* The layers whose whole forward pass PLG_RECOMPUTE_FULL repeats. N is training.recompute-layers. */
typedef enum
{
  PLG_RECOMPUTE_METHOD_ALL,    /* every layer; the input of each layer is kept */
  PLG_RECOMPUTE_METHOD_FIRST,  /* the first N layers of each virtual stage */
  PLG_RECOMPUTE_METHOD_EVERY,  /* every N-th layer of a stage */
  PLG_RECOMPUTE_METHOD_GROUPS, /* every layer; only the input of each group of N layers is kept */
} PlgRecomputeMethod;
#define PLG_N_RECOMPUTE_METHODS 4

/* The modules of a layer whose outputs the backward pass computes again, besides PlgRecompute. A
 * set of modules is a sum of these values. */
typedef enum
{
  PLG_MODULE_NORM = 1 << 0,       /* the norms before attention and before the MLP */
  PLG_MODULE_MLA_UP = 1 << 1,     /* latent norms, up-projections and rotary positions of MLA */
  PLG_MODULE_ACTIVATION = 1 << 2, /* the activation function of MLP and experts */
  PLG_MODULE_MLP = 1 << 3,        /* the MLP of a layer without experts */
  PLG_MODULE_EXPERTS = 1 << 4,    /* router, dispatch, experts and shared experts */
  PLG_MODULE_SHARED_EXPERTS = 1 << 5,
} PlgModule;
#define PLG_N_MODULES 6

/* The kernels that compute the loss. */
typedef enum
{
  PLG_LOSS_FUSED,    /* one kernel for the loss and the gradient of the logits, without copies of
                        the logits */
  PLG_LOSS_PLAIN,    /* several kernels in FP32, with copies of the logits */
  PLG_LOSS_GATHERED, /* like plain, but each GPU of a TP group has the logits of the whole
                        vocabulary */
  PLG_LOSS_CHUNKED,  /* the logits are computed in pieces, together with the loss, and never kept */
} PlgLoss;
#define PLG_N_LOSSES 4

/* The program that runs the plan. Its habits are in engine/model/program.c. */
typedef enum
{
  PLG_PROGRAM_MEGATRON,           /* Megatron-LM or NeMo with Transformer Engine */
  PLG_PROGRAM_FSDP_COMPILED,      /* PyTorch's FSDP with torch.compile, such as torchtitan */
  PLG_PROGRAM_FSDP_EAGER,         /* PyTorch's FSDP without a compiler, such as LLM Foundry */
  PLG_PROGRAM_DEEPSPEED,          /* DeepSpeed, such as GPT-NeoX */
  PLG_PROGRAM_MEGATRON_DEEPSPEED, /* Megatron-DeepSpeed, as BLOOM and MT-NLG */
  PLG_PROGRAM_PLAIN,              /* other programs in PyTorch, one kernel per operation */
} PlgProgram;
#define PLG_N_PROGRAMS 6

/* The scales of FP8 training: how many values share a scale, and when it is computed. */
typedef enum
{
  PLG_FP8_RECIPE_AUTO,      /* that of the program */
  PLG_FP8_RECIPE_DELAYED,   /* a scale per tensor, from the maxima of earlier steps */
  PLG_FP8_RECIPE_CURRENT,   /* a scale per tensor, from its own maximum */
  PLG_FP8_RECIPE_BLOCKWISE, /* a scale per 128 inputs, and per 128 x 128 weights (DeepSeek-V3) */
  PLG_FP8_RECIPE_MXFP8,     /* a scale of 8 bits per 32 values, which the GPU applies itself */
} PlgFp8Recipe;
#define PLG_N_FP8_RECIPES 5

/* The kernels for the operations between matrix products. */
typedef enum
{
  PLG_KERNELS_AUTO,  /* those of the program */
  PLG_KERNELS_FUSED, /* several operations in one kernel, as with Transformer Engine or a
                        compiler */
  PLG_KERNELS_EAGER, /* one kernel per operation, as in plain PyTorch */
} PlgKernels;

/* The optimizer and the number format of its state. Except in FP32 training, each kind also
 * has a master weight in FP32. */
typedef enum
{
  PLG_OPTIMIZER_ADAM,      /* both moments in FP32 */
  PLG_OPTIMIZER_ADAM_BF16, /* both moments in BF16 */
  PLG_OPTIMIZER_ADAM_8BIT, /* both moments in 8 bits, with a scale per block */
  PLG_OPTIMIZER_MUON,      /* one momentum in FP32 for the matrices of layers; Adam for all other
                              parameters */
} PlgOptimizer;
#define PLG_N_OPTIMIZERS 4

/* Dropout of attention scores and of the outputs of attention and MLP. */
typedef enum
{
  PLG_DROPOUT_AUTO, /* without flash attention, as in programs of 2022, except for the time of the
                       dropout of outputs */
  PLG_DROPOUT_ON,
  PLG_DROPOUT_OFF,
} PlgDropout;
#define PLG_N_DROPOUTS 3

/* How Muon orthogonalizes a matrix that TP divides. */
typedef enum
{
  PLG_MUON_TP_SHARDED,     /* each GPU its own part */
  PLG_MUON_TP_GATHERED,    /* each GPU the whole matrix, which the group gathers */
  PLG_MUON_TP_DISTRIBUTED, /* all GPUs together; they add products in each iteration */
} PlgMuonTp;
#define PLG_N_MUON_TPS 3

/* The number format in which gradients travel between replicas. */
typedef enum
{
  PLG_REDUCE_AS_SUMMED, /* that of the sums */
  PLG_REDUCE_FP32,
  PLG_REDUCE_BF16,
} PlgReducePrecision;
#define PLG_N_REDUCE_PRECISIONS 3

typedef enum
{
  PLG_SCHEDULE_GPIPE,
  PLG_SCHEDULE_1F1B,
  PLG_SCHEDULE_INTERLEAVED,
  PLG_SCHEDULE_ZB_H1,
  PLG_SCHEDULE_ZB_V,
  PLG_SCHEDULE_DUALPIPE,
} PlgSchedule;

typedef struct
{
  int sequence;     /* tokens per sequence */
  int micro_batch;  /* sequences per micro-batch, in each replica */
  int global_batch; /* sequences per step, over all replicas */
  PlgPrecision precision;
  PlgFp8Recipe fp8_recipe;         /* only with PLG_PRECISION_FP8 */
  int bf16_first_layers;           /* first layers whose products stay in BF16 in FP8 and FP4
                                      training */
  int bf16_last_layers;            /* the same for the last layers */
  PlgPrecision gradient_precision; /* precision in which gradients are summed: FP32 or BF16 */
  PlgReducePrecision reduce_precision;
  PlgOptimizer optimizer;
  PlgMuonTp muon_tp;        /* only with PLG_OPTIMIZER_MUON and TP */
  int muon_steps;           /* Newton-Schulz iterations per step, only with PLG_OPTIMIZER_MUON */
  int offload_layers;       /* layers per stage whose activations are on the host */
  double offload_optimizer; /* share of the parameters that the CPU updates, 0..1 */
  gboolean offload_weights; /* TRUE if the shards of ZeRO 3 are on the host, as is their optimizer */
  PlgRecompute recompute;
  PlgRecomputeMethod recompute_method; /* only with PLG_RECOMPUTE_FULL */
  int recompute_layers;                /* N of the method, at least 1 */
  guint recompute_modules;             /* sum of PlgModule; no effect with PLG_RECOMPUTE_FULL */
  PlgSchedule schedule;
  PlgLoss loss;
  PlgProgram program;
  PlgKernels kernels;
  gboolean flash_attention;
  PlgDropout dropout;
  gboolean cuda_graphs; /* TRUE if the kernels of a layer are launched together */
  gboolean causal;      /* TRUE if only the lower half of the attention scores is computed and
                      included in the FLOPs */
  double expert_load;   /* tokens of the fullest EP rank, divided by the mean of all ranks */
  double tokens;        /* tokens of the whole training run, for training time and GPU-hours */
} PlgTraining;

gboolean plg_training_equal (const PlgTraining *a, const PlgTraining *b);

/* Returns TRUE if products are in FP8 or FP4, but those of the first or the last layers in BF16. */
gboolean plg_training_has_bf16_layers (const PlgTraining *training);
/* Returns TRUE if a layer keeps the masks of dropout. */
gboolean plg_training_has_dropout (const PlgTraining *training);

/* Sets *MODULES from TEXT, the names of modules joined with “+”, as in “norm+mla-up”. An empty TEXT
 * is the empty set. If TEXT has another name, returns FALSE with an error (#PlgPlanError) and leaves
 * *MODULES unchanged. */
gboolean plg_modules_from_string (guint *modules, const char *text, GError **error);
/* Returns the text form of MODULES, in the order of PlgModule. Free with g_free(). */
char *plg_modules_to_string (guint modules);

G_END_DECLS
