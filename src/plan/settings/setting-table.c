/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "plan/settings/setting.h"
#include "plan/quantity.h"

#include <glib/gi18n-lib.h>

/* The names of enum values in files and on the command line. */
static const char *const intra_names[] = {
  [PLG_INTRA_NVSWITCH] = "nvswitch",
  [PLG_INTRA_MESH] = "mesh",
  [PLG_INTRA_PCIE] = "pcie",
  NULL,
};
static const char *const network_names[] = {
  [PLG_NETWORK_RAIL] = "rail",
  [PLG_NETWORK_TREE] = "tree",
  [PLG_NETWORK_FLAT] = "flat",
  NULL,
};
static const char *const mixer_names[] = {
  [PLG_MIXER_NONE] = "none",
  [PLG_MIXER_MAMBA2] = "mamba2",
  [PLG_MIXER_GATED_DELTA_NET] = "gated-delta-net",
  NULL,
};
static const char *const precision_names[] = {
  [PLG_PRECISION_BF16] = "bf16", [PLG_PRECISION_FP16] = "fp16", [PLG_PRECISION_FP8] = "fp8",
  [PLG_PRECISION_FP4] = "fp4",   [PLG_PRECISION_FP32] = "fp32", NULL,
};
static const char *const fp8_recipe_names[] = {
  [PLG_FP8_RECIPE_AUTO] = "auto",       [PLG_FP8_RECIPE_DELAYED] = "delayed",
  [PLG_FP8_RECIPE_CURRENT] = "current", [PLG_FP8_RECIPE_BLOCKWISE] = "blockwise",
  [PLG_FP8_RECIPE_MXFP8] = "mxfp8",     NULL,
};
static const char *const gradient_names[] = { "fp32", "bf16", NULL };
static const int gradient_values[] = { PLG_PRECISION_FP32, PLG_PRECISION_BF16 };
static const char *const reduce_names[] = {
  [PLG_REDUCE_AS_SUMMED] = "auto",
  [PLG_REDUCE_FP32] = "fp32",
  [PLG_REDUCE_BF16] = "bf16",
  NULL,
};
static const char *const optimizer_names[] = {
  [PLG_OPTIMIZER_ADAM] = "adam",
  [PLG_OPTIMIZER_ADAM_BF16] = "adam-bf16",
  [PLG_OPTIMIZER_ADAM_8BIT] = "adam-8bit",
  [PLG_OPTIMIZER_MUON] = "muon",
  NULL,
};
static const char *const dropout_names[] = {
  [PLG_DROPOUT_AUTO] = "auto",
  [PLG_DROPOUT_ON] = "on",
  [PLG_DROPOUT_OFF] = "off",
  NULL,
};
static const char *const muon_tp_names[] = {
  [PLG_MUON_TP_SHARDED] = "sharded",
  [PLG_MUON_TP_GATHERED] = "gathered",
  [PLG_MUON_TP_DISTRIBUTED] = "distributed",
  NULL,
};
static const char *const recompute_names[] = {
  [PLG_RECOMPUTE_NONE] = "none",
  [PLG_RECOMPUTE_SELECTIVE] = "selective",
  [PLG_RECOMPUTE_FULL] = "full",
  NULL,
};
static const char *const recompute_method_names[] = {
  [PLG_RECOMPUTE_METHOD_ALL] = "all",
  [PLG_RECOMPUTE_METHOD_FIRST] = "first",
  [PLG_RECOMPUTE_METHOD_EVERY] = "every",
  [PLG_RECOMPUTE_METHOD_GROUPS] = "groups",
  NULL,
};
static const char *const loss_names[] = {
  [PLG_LOSS_FUSED] = "fused",
  [PLG_LOSS_PLAIN] = "plain",
  [PLG_LOSS_GATHERED] = "gathered",
  [PLG_LOSS_CHUNKED] = "chunked",
  NULL,
};
static const char *const program_names[] = {
  [PLG_PROGRAM_MEGATRON] = "megatron",
  [PLG_PROGRAM_FSDP_COMPILED] = "fsdp-compiled",
  [PLG_PROGRAM_FSDP_EAGER] = "fsdp-eager",
  [PLG_PROGRAM_DEEPSPEED] = "deepspeed",
  [PLG_PROGRAM_MEGATRON_DEEPSPEED] = "megatron-deepspeed",
  [PLG_PROGRAM_PLAIN] = "plain",
  NULL,
};
static const char *const kernels_names[] = {
  [PLG_KERNELS_AUTO] = "auto",
  [PLG_KERNELS_FUSED] = "fused",
  [PLG_KERNELS_EAGER] = "eager",
  NULL,
};
static const char *const schedule_names[] = {
  [PLG_SCHEDULE_GPIPE] = "gpipe",
  [PLG_SCHEDULE_1F1B] = "1f1b",
  [PLG_SCHEDULE_INTERLEAVED] = "interleaved",
  [PLG_SCHEDULE_ZB_H1] = "zb-h1",
  [PLG_SCHEDULE_ZB_V] = "zb-v",
  [PLG_SCHEDULE_DUALPIPE] = "dualpipe",
  NULL,
};
static const char *const cp_type_names[] = {
  [PLG_CP_RING] = "ring",
  [PLG_CP_ULYSSES] = "ulysses",
  [PLG_CP_ALL_GATHER] = "all-gather",
  NULL,
};
static const char *const dispatcher_names[] = {
  [PLG_DISPATCHER_AUTO] = "auto",
  [PLG_DISPATCHER_ALL_TO_ALL] = "all-to-all",
  [PLG_DISPATCHER_ALL_GATHER] = "all-gather",
  [PLG_DISPATCHER_DEEPEP] = "deepep",
  [PLG_DISPATCHER_HYBRIDEP] = "hybridep",
  NULL,
};
static const char *const profile_names[] = {
  [PLG_PROFILE_STANDARD] = "standard",
  [PLG_PROFILE_NOTEBOOK] = "notebook",
  [PLG_PROFILE_HANDBOOK] = "handbook",
  NULL,
};
static const char *const show_names[] = {
  [PLG_SHOW_ALL] = "all", [PLG_SHOW_TP] = "tp", [PLG_SHOW_CP] = "cp",         [PLG_SHOW_EP] = "ep",
  [PLG_SHOW_PP] = "pp",   [PLG_SHOW_DP] = "dp", [PLG_SHOW_MEMORY] = "memory", NULL,
};
static const char *const link_color_names[] = {
  [PLG_LINK_COLOR_FREQUENCY] = "frequency",
  [PLG_LINK_COLOR_BYTES] = "bytes",
  [PLG_LINK_COLOR_TIME] = "time",
  [PLG_LINK_COLOR_OFF] = "off",
  NULL,
};
static const char *const pairs_names[] = {
  [PLG_MATRIX_BANDWIDTH] = "bandwidth",
  [PLG_MATRIX_TRAFFIC] = "traffic",
  NULL,
};
G_STATIC_ASSERT (G_N_ELEMENTS (mixer_names) == PLG_N_MIXERS + 1);
G_STATIC_ASSERT (G_N_ELEMENTS (precision_names) == PLG_N_PRECISIONS + 1);
G_STATIC_ASSERT (G_N_ELEMENTS (fp8_recipe_names) == PLG_N_FP8_RECIPES + 1);
G_STATIC_ASSERT (G_N_ELEMENTS (program_names) == PLG_N_PROGRAMS + 1);
G_STATIC_ASSERT (G_N_ELEMENTS (optimizer_names) == PLG_N_OPTIMIZERS + 1);
G_STATIC_ASSERT (G_N_ELEMENTS (loss_names) == PLG_N_LOSSES + 1);
G_STATIC_ASSERT (G_N_ELEMENTS (recompute_method_names) == PLG_N_RECOMPUTE_METHODS + 1);
G_STATIC_ASSERT (G_N_ELEMENTS (dropout_names) == PLG_N_DROPOUTS + 1);
G_STATIC_ASSERT (G_N_ELEMENTS (muon_tp_names) == PLG_N_MUON_TPS + 1);
G_STATIC_ASSERT (G_N_ELEMENTS (reduce_names) == PLG_N_REDUCE_PRECISIONS + 1);
G_STATIC_ASSERT (G_N_ELEMENTS (dispatcher_names) == PLG_N_DISPATCHERS + 1);

/* The smallest bandwidth, rate or memory, in the unit of its setting. */
#define LEAST_RATE 0.001
#define MEMBER(member) G_STRUCT_OFFSET (PlgPlan, member)
#define INTEGER(key, member, from, to, unit, title, help)                                 \
  {                                                                                       \
    key, PLG_SETTING_INTEGER, MEMBER (member), from, to, 1, unit, NULL, title, help, NULL \
  }
#define NUMBER(key, member, from, to, scale, unit, title, help)                              \
  {                                                                                          \
    key, PLG_SETTING_NUMBER, MEMBER (member), from, to, scale, unit, NULL, title, help, NULL \
  }
/* A number for which 0 stands for another value. */
#define NUMBER_OR_ZERO(key, member, to, scale, unit, title, help)                          \
  {                                                                                        \
    key, PLG_SETTING_NUMBER, MEMBER (member), 0, to, scale, unit, NULL, title, help, NULL, \
        LEAST_RATE                                                                         \
  }
#define BOOLEAN(key, member, title, help)                                             \
  {                                                                                   \
    key, PLG_SETTING_BOOLEAN, MEMBER (member), 0, 1, 1, NULL, NULL, title, help, NULL \
  }
#define CHOICE(key, member, names, values, title, help)                                           \
  {                                                                                               \
    key, PLG_SETTING_CHOICE, MEMBER (member), 0, G_N_ELEMENTS (names) - 2, 1, NULL, names, title, \
        help, values                                                                              \
  }
#define NAME(key, member, title, help)                                             \
  {                                                                                \
    key, PLG_SETTING_NAME, MEMBER (member), 0, 0, 1, NULL, NULL, title, help, NULL \
  }
#define ORDER(key, member, title, help)                                             \
  {                                                                                 \
    key, PLG_SETTING_ORDER, MEMBER (member), 0, 0, 1, NULL, NULL, title, help, NULL \
  }
#define FAULTS(key, member, title, help)                                             \
  {                                                                                  \
    key, PLG_SETTING_FAULTS, MEMBER (member), 0, 0, 1, NULL, NULL, title, help, NULL \
  }
#define LAYOUT(key, member, title, help)                                             \
  {                                                                                  \
    key, PLG_SETTING_LAYOUT, MEMBER (member), 0, 0, 1, NULL, NULL, title, help, NULL \
  }
#define MODULES(key, member, title, help)                                             \
  {                                                                                   \
    key, PLG_SETTING_MODULES, MEMBER (member), 0, 0, 1, NULL, NULL, title, help, NULL \
  }
#define NODE_NAMES(key, member, title, help)                                             \
  {                                                                                      \
    key, PLG_SETTING_NODE_NAMES, MEMBER (member), 0, 0, 1, NULL, NULL, title, help, NULL \
  }
#define DEGREE(key, axis, title, help) \
  INTEGER (key, parallelism.degree[axis], 1, PLG_MAX_GPUS, NULL, title, help)

/* The settings are in the order of the plan file. Catalogue names such as cluster.gpu come
 * before the keys whose values they set. When a file is read from top to bottom, its own values
 * therefore replace those of the catalogue. */
/* clang-format off */
static const PlgSetting settings[] = {
  NAME ("cluster.node", cluster.node, N_ ("Node type"),
        N_ ("A node type from the catalogue; sets the GPUs, the network and their calibration.")),
  NAME ("cluster.gpu", cluster.gpu.name, N_ ("GPU"),
        N_ ("A GPU from the catalogue; sets the memory, the rates and the peak.")),
  INTEGER ("cluster.nodes", cluster.nodes, 1, PLG_MAX_NODES, NULL, N_ ("Nodes"),
           N_ ("Nodes in the cluster.")),
  INTEGER ("cluster.gpus-per-node", cluster.gpus_per_node, 1, PLG_MAX_GPUS_PER_NODE, NULL,
           N_ ("GPUs per node"), N_ ("GPUs connected by the fast links of one node.")),
  INTEGER ("cluster.gpus-per-host", cluster.gpus_per_host, 0, PLG_MAX_GPUS_PER_NODE, NULL,
           N_ ("GPUs per host"),
           N_ ("GPUs of one host if a node consists of several hosts, such as a rack of trays; "
               "0: a node is one host.")),
  NUMBER ("cluster.memory", cluster.memory, 0.001, 1e6, PLG_GIB, "GiB", N_ ("Memory"),
          N_ ("Memory of a GPU as the driver reports it.")),
  NUMBER ("cluster.memory-bandwidth", cluster.memory_bandwidth, 0.001, 1e6, PLG_GB, "GB/s",
          N_ ("Memory bandwidth"), N_ ("Rate of a GPU's own memory, as the vendor states it.")),
  NUMBER_OR_ZERO ("cluster.peak", cluster.peak, 1e6, PLG_TERA, "TFLOP/s", N_ ("Peak"),
                  N_ ("Dense peak at the training precision; 0 uses the GPU's own peak.")),
  NUMBER_OR_ZERO ("cluster.host-bandwidth", cluster.host_bandwidth, 1e6, PLG_GB, "GB/s",
                  N_ ("Link to the host"),
                  N_ ("Rate between a GPU and the memory of its host, per direction; 0 uses the rate of PCIe or NVLink-C2C in the catalogue.")),
  NUMBER_OR_ZERO ("cluster.host-memory", cluster.host_memory, 1e6, PLG_GIB, "GiB",
                  N_ ("Memory of the host"),
                  N_ ("Memory of a host, divided by the number of its GPUs; 0 uses the value of a usual server with this GPU.")),
  NUMBER_OR_ZERO ("cluster.host-memory-bandwidth", cluster.host_memory_bandwidth, 1e6,
                  PLG_GB, "GB/s",
                  N_ ("Memory bandwidth of the host"),
                  N_ ("Rate of the host's memory, divided by the number of its GPUs; 0 uses the value of a usual server with this GPU.")),
  CHOICE ("cluster.intra", cluster.intra, intra_names, NULL, N_ ("Links inside a node"),
          N_ ("How the GPUs of a node reach each other.")),
  BOOLEAN ("cluster.multicast", cluster.multicast, N_ ("NVLink SHARP"),
           N_ ("The NVSwitch sums and distributes all-reduces itself.")),
  NUMBER ("cluster.intra-bandwidth", cluster.intra_bandwidth, 0.001, 1e6, PLG_GB, "GB/s",
          N_ ("Bandwidth inside a node"), N_ ("Per GPU and direction, as the vendor states it.")),
  NUMBER ("cluster.intra-efficiency", cluster.intra_efficiency, 0.01, 1, 1, NULL,
          N_ ("Efficiency inside a node"),
          N_ ("Share of the stated bandwidth that a large collective reaches.")),
  NUMBER ("cluster.intra-latency", cluster.intra_latency, 0, 1e6, 1e-6, "µs",
          N_ ("Latency inside a node"), N_ ("Latency of one hop between two GPUs.")),
  CHOICE ("cluster.network", cluster.network, network_names, NULL, N_ ("Network"),
          N_ ("How the nodes reach each other.")),
  INTEGER ("cluster.nics-per-node", cluster.nics_per_node, 1, 1024, NULL, N_ ("NICs per node"),
           N_ ("Network cards used for training in each node.")),
  NUMBER ("cluster.inter-bandwidth", cluster.inter_bandwidth, 0.001, 1e6, PLG_GB, "GB/s",
          N_ ("Bandwidth between nodes"), N_ ("Per GPU and direction, as the vendor states it.")),
  NUMBER ("cluster.inter-efficiency", cluster.inter_efficiency, 0.01, 1, 1, NULL,
          N_ ("Efficiency between nodes"),
          N_ ("Share of the stated bandwidth that a large collective reaches.")),
  NUMBER ("cluster.inter-latency", cluster.inter_latency, 0, 1e6, 1e-6, "µs",
          N_ ("Latency between nodes"), N_ ("Latency of one hop between two nodes.")),
  NUMBER ("cluster.oversubscription", cluster.oversubscription, 1, 1000, 1, NULL,
          N_ ("Oversubscription"), N_ ("The leaf's uplinks carry the NIC bandwidth divided by "
                                       "this number; 1: no oversubscription.")),
  BOOLEAN ("cluster.rdma", cluster.rdma, N_ ("RDMA"),
           N_ ("NICs access GPU memory directly; if off, data goes through the host over TCP.")),
  FAULTS ("cluster.faults", cluster.faults, N_ ("Faults"),
          N_ ("Slow or failed parts, each with the remaining share of its rate: gpu:17=0.8, "
              "port:3=0.5, nic:2.3=0, uplink:0.1=0.5.")),
  NODE_NAMES ("cluster.node-names", node_names, N_ ("Node names"),
              N_ ("Names of the nodes: 0=dgx-a, 3=dgx-b.")),

  NAME ("model.name", model.name, N_ ("Model"),
        N_ ("A model from the catalogue; sets all of its dimensions.")),
  INTEGER ("model.layers", model.layers, 1, 10000, NULL, N_ ("Layers"), N_ ("Transformer layers.")),
  INTEGER ("model.hidden", model.hidden, 1, 1 << 20, NULL, N_ ("Hidden size"),
           N_ ("Width of the residual stream.")),
  INTEGER ("model.ffn", model.ffn, 0, 1 << 24, NULL, N_ ("MLP size"),
           N_ ("Inner width of the dense MLP.")),
  BOOLEAN ("model.gated", model.gated, N_ ("Gated MLP"),
           N_ ("Three matrices (SwiGLU) instead of two.")),
  INTEGER ("model.heads", model.heads, 1, 1 << 14, NULL, N_ ("Attention heads"),
           N_ ("Query heads.")),
  INTEGER ("model.kv-heads", model.kv_heads, 1, 1 << 14, NULL, N_ ("KV heads"),
           N_ ("Heads of keys and values; fewer KV heads than query heads mean grouped-query "
               "attention.")),
  INTEGER ("model.head-dim", model.head_dim, 1, 1 << 16, NULL, N_ ("Head size"),
           N_ ("Width of one head.")),
  INTEGER ("model.vocabulary", model.vocabulary, 1, 100000000, NULL, N_ ("Vocabulary"),
           N_ ("Tokens in the vocabulary of the model.")),
  BOOLEAN ("model.tied", model.tied, N_ ("Tied embeddings"),
           N_ ("The output layer shares the embedding's weights.")),
  BOOLEAN ("model.rms-norm", model.rms_norm, N_ ("RMSNorm"),
           N_ ("One vector per norm; LayerNorm has two.")),
  BOOLEAN ("model.biases", model.biases, N_ ("Biases"), N_ ("Linear layers have bias vectors.")),
  INTEGER ("model.positions", model.positions, 0, 100000000, NULL, N_ ("Learned positions"),
           N_ ("Learned absolute positions; 0: rotary or similar positions.")),
  INTEGER ("model.experts", model.experts, 0, 1 << 16, NULL, N_ ("Experts"),
           N_ ("Experts per layer; 0: a dense model.")),
  INTEGER ("model.top-k", model.top_k, 0, 1 << 16, NULL, N_ ("Experts per token"),
           N_ ("Number of experts that process each token.")),
  INTEGER ("model.expert-ffn", model.expert_ffn, 0, 1 << 24, NULL, N_ ("Expert size"),
           N_ ("Inner width of one expert.")),
  INTEGER ("model.shared-experts", model.shared_experts, 0, 1024, NULL, N_ ("Shared experts"),
           N_ ("Experts that process every token.")),
  INTEGER ("model.dense-layers", model.dense_layers, 0, 10000, NULL, N_ ("Dense layers"),
           N_ ("Leading layers without experts.")),
  INTEGER ("model.moe-every", model.moe_every, 0, 10000, N_ ("layers"), N_ ("Experts every"),
           N_ ("After the dense layers, the first and then every n-th layer has experts; 0 or 1: every "
               "layer.")),
  INTEGER ("model.expert-groups", model.expert_groups, 0, 65536, NULL, N_ ("Groups of experts"),
           N_ ("Groups of consecutive experts, of which the router chooses a few for each token; 0 or "
               "1: any experts.")),
  INTEGER ("model.top-groups", model.top_groups, 0, 65536, NULL, N_ ("Groups per token"),
           N_ ("Groups of experts that one token uses.")),
  INTEGER ("model.q-rank", model.q_rank, 0, 1 << 20, NULL, N_ ("Query rank"),
           N_ ("Width of the compressed queries of latent attention; 0: not compressed.")),
  INTEGER ("model.kv-rank", model.kv_rank, 0, 1 << 20, NULL, N_ ("KV rank"),
           N_ ("Width of the compressed keys and values of latent attention; 0: no latent "
               "attention.")),
  INTEGER ("model.rope-dim", model.rope_dim, 0, 1 << 16, NULL, N_ ("Rotary size"),
           N_ ("Rotary part of a head, for latent attention.")),
  INTEGER ("model.value-dim", model.value_dim, 0, 1 << 16, NULL, N_ ("Value size"),
           N_ ("Width of a head's values, for latent attention.")),
  INTEGER ("model.mtp-layers", model.mtp_layers, 0, 64, NULL, N_ ("Multi-token layers"),
           N_ ("Modules after the last layer that predict further tokens.")),
  INTEGER ("model.window", model.window, 0, 1 << 27, N_ ("tokens"), N_ ("Attention window"),
           N_ ("Tokens that each token sees in layers with local attention; 0: all layers see the "
               "whole sequence.")),
  BOOLEAN ("model.window-chunked", model.window_chunked, N_ ("Chunked attention"),
           N_ ("The sequence is cut into pieces of the window, and tokens see only their piece; "
               "if off, the window slides.")),
  INTEGER ("model.full-attention-every", model.full_attention_every, 0, 10000, N_ ("layers"),
           N_ ("Full attention every"),
           N_ ("Every n-th layer sees the whole sequence instead of a window; 0: no layer does.")),
  INTEGER ("model.index-heads", model.index_heads, 0, 1 << 16, NULL, N_ ("Indexer heads"),
           N_ ("Heads of the indexer of sparse attention, which chooses the keys of each query; 0: none.")),
  INTEGER ("model.index-dim", model.index_dim, 0, 1 << 16, NULL, N_ ("Indexer head size"),
           N_ ("Width of the queries and keys of the indexer.")),
  INTEGER ("model.index-top-k", model.index_top_k, 0, 1 << 27, N_ ("tokens"), N_ ("Chosen keys"),
           N_ ("Keys that the indexer chooses for each query.")),
  BOOLEAN ("model.attention-gate", model.attention_gate, N_ ("Gated attention"),
           N_ ("A further projection of the input gates the output of attention.")),
  CHOICE ("model.mixer", model.mixer, mixer_names, NULL, N_ ("Mixer"),
          N_ ("Layers without attention of a hybrid model: Mamba-2 or gated delta net; none: all "
              "layers have attention.")),
  INTEGER ("model.attention-layers", model.attention_layers, 0, 10000, N_ ("layers"),
           N_ ("Layers with attention"),
           N_ ("Number of layers with attention in a hybrid model; the others have the mixer.")),
  INTEGER ("model.mlp-layers", model.mlp_layers, 0, 10000, N_ ("layers"), N_ ("MLP layers"),
           N_ ("Number of layers that are only an MLP or experts, so that the other layers have "
               "none; 0: each layer has an MLP or experts besides its attention or mixer.")),
  INTEGER ("model.mixer-heads", model.mixer_heads, 0, 1 << 16, NULL, N_ ("Mixer heads"),
           N_ ("Heads of the mixer; in a gated delta net, heads of the values.")),
  INTEGER ("model.mixer-head-dim", model.mixer_head_dim, 0, 1 << 16, NULL, N_ ("Mixer head size"),
           N_ ("Width of the values of a mixer head.")),
  INTEGER ("model.mixer-groups", model.mixer_groups, 0, 1 << 16, NULL, N_ ("Mixer groups"),
           N_ ("Groups of mixer heads that share keys and queries; in a gated delta net, heads of "
               "the keys.")),
  INTEGER ("model.mixer-state", model.mixer_state, 0, 1 << 16, NULL, N_ ("Mixer state"),
           N_ ("Width of the keys of a mixer head, which is the state size of Mamba-2.")),
  INTEGER ("model.mixer-conv", model.mixer_conv, 0, 1024, N_ ("tokens"), N_ ("Mixer convolution"),
           N_ ("Width of the convolution before the mixer's recurrence.")),

  INTEGER ("training.sequence", training.sequence, 1, 1 << 27, N_ ("tokens"),
           N_ ("Sequence length"), N_ ("Tokens per sequence.")),
  INTEGER ("training.micro-batch", training.micro_batch, 1, 1 << 20, NULL, N_ ("Micro-batch"),
           N_ ("Sequences that one replica processes at a time.")),
  INTEGER ("training.global-batch", training.global_batch, 1, 100000000, NULL, N_ ("Global batch"),
           N_ ("Sequences per step, over all replicas.")),
  CHOICE ("training.precision", training.precision, precision_names, NULL, N_ ("Precision"),
          N_ ("Number format of the matrix products.")),
  CHOICE ("training.fp8-recipe", training.fp8_recipe, fp8_recipe_names, NULL, N_ ("FP8 recipe"),
          N_ ("The scales of FP8: delayed and current have one per tensor, blockwise one per 128 "
              "values, MXFP8 one per 32 values; auto: that of the program.")),
  INTEGER ("training.bf16-first-layers", training.bf16_first_layers, 0, 10000, N_ ("layers"),
           N_ ("First layers in BF16"),
           N_ ("First layers whose matrix products stay in BF16 in FP8 and FP4 training.")),
  INTEGER ("training.bf16-last-layers", training.bf16_last_layers, 0, 10000, N_ ("layers"),
           N_ ("Last layers in BF16"),
           N_ ("Last layers whose matrix products stay in BF16 in FP8 and FP4 training.")),
  CHOICE ("training.gradient-precision", training.gradient_precision, gradient_names,
          gradient_values, N_ ("Gradient precision"),
          N_ ("Number format in which gradients are summed.")),
  CHOICE ("training.reduce-precision", training.reduce_precision, reduce_names, NULL,
          N_ ("Reduction precision"),
          N_ ("Number format in which gradients travel between replicas; auto: that of the sums.")),
  CHOICE ("training.optimizer", training.optimizer, optimizer_names, NULL, N_ ("Optimizer"),
          N_ ("Adam, whose two moments are in FP32, in BF16, or in 8 bits with a scale per block; or "
              "Muon with one momentum for the matrices of layers. Except in FP32 training, each "
              "also has a master weight in FP32.")),
  INTEGER ("training.muon-steps", training.muon_steps, 1, 100, NULL, N_ ("Muon iterations"),
           N_ ("Newton-Schulz iterations with which Muon orthogonalizes a matrix.")),
  CHOICE ("training.muon-tp", training.muon_tp, muon_tp_names, NULL, N_ ("Muon with TP"),
          N_ ("Sharded: each GPU of a TP group orthogonalizes its part of a matrix; gathered: "
              "each gathers the whole matrix; distributed: all work together and add products.")),
  NUMBER ("training.offload-optimizer", training.offload_optimizer, 0, 1, 1, NULL,
          N_ ("Optimizer on the host"),
          N_ ("Share of the parameters whose optimizer state is in the memory of the host and which "
              "the CPU updates.")),
  BOOLEAN ("training.offload-weights", training.offload_weights, N_ ("Weights on the host"),
           N_ ("The shards of the weights are in the memory of the host, and travel to the GPU for each "
               "gather. With ZeRO 3, if the whole optimizer is on the host too.")),
  INTEGER ("training.offload-layers", training.offload_layers, 0, 10000, N_ ("layers"),
           N_ ("Activations on the host"),
           N_ ("Layers of each stage whose activations move to the memory of the host after the "
               "forward pass, and back for the backward pass.")),
  CHOICE ("training.recompute", training.recompute, recompute_names, NULL,
          N_ ("Recompute"),
          N_ ("Activations that the backward pass computes again instead of keeping.")),
  CHOICE ("training.recompute-method", training.recompute_method, recompute_method_names, NULL,
          N_ ("Recomputed layers"),
          N_ ("The layers that full recompute repeats. All: every layer; first: the first N layers of "
              "each virtual stage; every: every N-th layer of a stage; groups: every layer, but only "
              "the input of each group of N layers is kept.")),
  INTEGER ("training.recompute-layers", training.recompute_layers, 1, 10000, N_ ("layers"),
           N_ ("N of recomputed layers"),
           N_ ("N in the recomputed layers: the first N layers, every N-th layer, or groups of N "
               "layers.")),
  MODULES ("training.recompute-modules", training.recompute_modules, N_ ("Recomputed modules"),
           N_ ("Modules of each layer whose outputs the backward pass also computes again, as in norm+mla-up: norm, mla-up, activation, mlp, experts, shared-experts. Empty: none.")),
  CHOICE ("training.schedule", training.schedule, schedule_names, NULL, N_ ("Schedule"),
          N_ ("The order of forward and backward passes in the pipeline.")),
  BOOLEAN ("training.flash-attention", training.flash_attention, N_ ("FlashAttention"),
           N_ ("Attention scores are never stored in memory.")),
  CHOICE ("training.dropout", training.dropout, dropout_names, NULL, N_ ("Dropout"),
          N_ ("Dropout of attention scores and of the outputs of attention and MLP, with a mask of one "
              "byte per value; auto: on without FlashAttention, off with it.")),
  CHOICE ("training.loss", training.loss, loss_names, NULL, N_ ("Loss"),
          N_ ("Fused: one kernel; plain: several kernels with copies of the logits in FP32; "
              "gathered: each GPU of a TP group holds the logits of the whole vocabulary; "
              "chunked: the logits are computed in pieces and never kept.")),
  CHOICE ("training.program", training.program, program_names, NULL, N_ ("Program"),
          N_ ("The program that runs the plan, and its habits: Megatron-LM with Transformer "
              "Engine, FSDP with or without a compiler, DeepSpeed, Megatron-DeepSpeed, or plain PyTorch.")),
  CHOICE ("training.kernels", training.kernels, kernels_names, NULL, N_ ("Kernels"),
          N_ ("Fused: as in Megatron-LM with Transformer Engine; eager: one kernel per "
              "operation, as in plain PyTorch; auto: those of the program.")),
  BOOLEAN ("training.cuda-graphs", training.cuda_graphs, N_ ("CUDA graphs"),
           N_ ("The kernels of a layer are launched together, so that the GPU does not wait for the "
               "host.")),
  BOOLEAN ("training.causal", training.causal, N_ ("Causal attention"),
           N_ ("Only the lower half of the attention scores is computed and counted.")),
  NUMBER ("training.expert-load", training.expert_load, 1, PLG_MAX_GPUS, 1, NULL,
          N_ ("Load of the fullest rank"),
          N_ ("Tokens of the EP rank with the most tokens, divided by the mean of all ranks; 1: all "
              "ranks receive the same number of tokens.")),
  NUMBER ("training.tokens", training.tokens, 0, 1e18, 1, N_ ("tokens"), N_ ("Token budget"),
          N_ ("Tokens in the whole training run, from which the training time in days and GPU-hours "
              "is computed.")),

  DEGREE ("parallelism.tp", PLG_AXIS_TP, N_ ("Tensor (TP)"),
          N_ ("GPUs that share every matrix product.")),
  DEGREE ("parallelism.cp", PLG_AXIS_CP, N_ ("Context (CP)"),
          N_ ("GPUs that share a sequence.")),
  DEGREE ("parallelism.ep", PLG_AXIS_EP, N_ ("Expert (EP)"),
          N_ ("GPUs that share the experts of a layer.")),
  DEGREE ("parallelism.pp", PLG_AXIS_PP, N_ ("Pipeline (PP)"),
          N_ ("Stages that share the layers.")),
  DEGREE ("parallelism.dp", PLG_AXIS_DP, N_ ("Data (DP)"),
          N_ ("Replicas that share the batch.")),
  INTEGER ("parallelism.etp", parallelism.etp, 1, PLG_MAX_GPUS, NULL,
           N_ ("Tensor in experts (ETP)"),
           N_ ("GPUs that share the matrix products of one expert.")),
  ORDER ("parallelism.order", parallelism.order, N_ ("Nesting order"),
         N_ ("Innermost axis first: neighbours on the first axis have consecutive ranks.")),
  CHOICE ("parallelism.cp-type", parallelism.cp_type, cp_type_names, NULL,
          N_ ("Context parallel attention"),
          N_ ("How the GPUs of a CP group exchange keys and values.")),
  INTEGER ("parallelism.chunks", parallelism.chunks, 1, 1024, NULL, N_ ("Chunks per stage"),
           N_ ("Virtual stages per stage, for the interleaved schedule.")),
  INTEGER ("parallelism.first-layers", parallelism.first_layers, 0, 10000, NULL,
           N_ ("Layers of the first stage"),
           N_ ("Number of layers, set by hand; 0: all layers are divided evenly.")),
  INTEGER ("parallelism.last-layers", parallelism.last_layers, 0, 10000, NULL,
           N_ ("Layers of the last stage"),
           N_ ("Number of layers, set by hand; 0: all layers are divided evenly.")),
  BOOLEAN ("parallelism.embedding-slot", parallelism.embedding_slot,
           N_ ("Embedding counts as a layer"),
           N_ ("The first stage gets one layer less than its share.")),
  BOOLEAN ("parallelism.loss-slot", parallelism.loss_slot, N_ ("Loss counts as a layer"),
           N_ ("The stage with the logits gets one layer less than its share.")),
  LAYOUT ("parallelism.layout", parallelism.layout, N_ ("Layers of each stage"),
          N_ ("Layers of every virtual stage, set by hand, as in Et*3|tttt|tttL: E is the embedding, t a layer, m an MTP layer, L the loss. Empty: all layers are divided evenly.")),
  INTEGER ("parallelism.zero", parallelism.zero, 0, 3, NULL, N_ ("ZeRO stage"),
           N_ ("1 shards the optimizer, 2 also the gradients, 3 also the weights (as FSDP).")),
  INTEGER ("parallelism.replicate", parallelism.replicate, 1, PLG_MAX_GPUS, NULL,
           N_ ("HSDP groups"),
           N_ ("Number of shard groups. ZeRO shards only inside each group, and the groups all-reduce their gradients.")),
  BOOLEAN ("parallelism.sequence", parallelism.sequence, N_ ("Sequence parallel (SP)"),
           N_ ("Norms and dropout are also split across the TP group.")),
  BOOLEAN ("parallelism.overlap-dp", parallelism.overlap_dp, N_ ("Overlap DP"),
           N_ ("Gradients are reduced during the backward pass.")),
  BOOLEAN ("parallelism.overlap-tp", parallelism.overlap_tp, N_ ("Overlap TP"),
           N_ ("TP collectives overlap with the matrix products. With sequence parallelism, the "
               "collectives are split into tiles; otherwise, only the all-reduces of the "
               "backward pass overlap.")),
  BOOLEAN ("parallelism.overlap-pp", parallelism.overlap_pp, N_ ("Overlap PP"),
           N_ ("Activations are sent while the next micro-batch is being computed.")),
  BOOLEAN ("parallelism.overlap-ep", parallelism.overlap_ep, N_ ("Overlap EP"),
           N_ ("Tokens are sent to their experts while another micro-batch is being computed.")),
  CHOICE ("parallelism.dispatcher", parallelism.dispatcher, dispatcher_names, NULL,
          N_ ("Dispatcher"),
          N_ ("How tokens reach their experts. All-to-all: one copy per expert; all-gather: all "
              "tokens to all GPUs of the EP group; deepep and hybridep: one copy per node, which "
              "the node forwards; auto: the faster of one copy per expert and one per node.")),

  NUMBER ("cost.gpu-hour", cost.gpu_hour, 0, 1e6, 1, "USD", N_ ("Price of a GPU-hour"),
          N_ ("Price of one GPU for one hour; 0 uses the list price in the catalogue.")),
  NUMBER ("cost.power-busy", cost.power_busy, 0, 1e5, 1, "W", N_ ("Power of a busy GPU"),
          N_ ("Power of a GPU that computes; 0 uses the value in the catalogue.")),
  NUMBER ("cost.power-idle", cost.power_idle, 0, 1e5, 1, "W", N_ ("Power of an idle GPU"),
          N_ ("Power of a GPU that waits; 0 uses the value in the catalogue.")),
  NUMBER ("cost.power-server", cost.power_server, 0, 1e5, 1, "W", N_ ("Power of the server"),
          N_ ("Power of a server without its GPUs, divided by the number of its GPUs; 0 uses the "
              "value in the catalogue.")),
  NUMBER ("cost.pue", cost.pue, 1, 10, 1, NULL, N_ ("PUE"),
          N_ ("Power of the whole data centre divided by the power of its servers.")),
  NUMBER ("cost.carbon", cost.carbon, 0, 1e4, 1, "g/kWh", N_ ("Carbon intensity"),
          N_ ("CO₂-equivalent emissions of the electricity.")),

  NUMBER ("reliability.mtbf", reliability.mtbf, 0.001, 1e9, PLG_SECONDS_PER_HOUR, "h",
          N_ ("MTBF of a GPU"),
          N_ ("Mean time between the interruptions of a run, multiplied by its number of GPUs.")),
  NUMBER ("reliability.checkpoint-rate", reliability.checkpoint_rate, 0.001, 1e6, PLG_GB, "GB/s",
          N_ ("Checkpoint rate"), N_ ("Rate at which each host writes a checkpoint to storage.")),
  NUMBER ("reliability.restart", reliability.restart, 0, 1e7, 1, "s", N_ ("Restart time"),
          N_ ("Time to detect a failure, start the run again and load the checkpoint.")),
  NUMBER ("reliability.repair", reliability.repair, 0, 1e6, PLG_SECONDS_PER_HOUR, "h",
          N_ ("Repair time"),
          N_ ("Time until a failed node can be used again; 0: another node always replaces it.")),
  INTEGER ("reliability.spares", reliability.spares, 0, PLG_MAX_NODES, NULL, N_ ("Spare nodes"),
           N_ ("Nodes that wait to replace failed nodes, and that are paid for.")),

  CHOICE ("engine.profile", profile, profile_names, NULL, N_ ("Formulas"),
          N_ ("Formulas of the engine, the notebook or the handbook.")),

  CHOICE ("view.show", view.show, show_names, NULL, N_ ("Colours of GPUs"),
          N_ ("Meaning of the GPU colours on the canvas.")),
  CHOICE ("view.link-color", view.link_color, link_color_names, NULL, N_ ("Colours of links"),
          N_ ("Meaning of the link colours.")),
  BOOLEAN ("view.rings", view.rings, N_ ("Rings"),
           N_ ("Shows the neighbours in a group instead of the physical links.")),
  CHOICE ("view.pairs", view.pairs, pairs_names, NULL, N_ ("Pairs"),
          N_ ("Values in the matrix of GPU pairs.")),
};
/* clang-format on */

const PlgSetting *
plg_settings (int *n)
{
  *n = G_N_ELEMENTS (settings);
  return settings;
}

const PlgSetting *
plg_setting_find (const char *key)
{
  for (guint i = 0; i < G_N_ELEMENTS (settings); i++)
    if (g_strcmp0 (settings[i].key, key) == 0)
      return &settings[i];
  return NULL;
}

gboolean
plg_setting_is_among (const char *key, const char *const *keys)
{
  for (int i = 0; keys[i] != NULL; i++)
    {
      gsize n = strlen (keys[i]);

      if (g_str_equal (keys[i], key) ||
          (n > 0 && keys[i][n - 1] == '*' && strncmp (keys[i], key, n - 1) == 0))
        return TRUE;
    }
  return FALSE;
}
