/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "plan/settings/setting.h"
#include "plan/quantity.h"

#include <glib/gi18n-lib.h>

static const char *const intra_names[] = { "nvswitch", "mesh", "pcie", NULL };
static const char *const network_names[] = { "rail", "tree", "flat", NULL };
static const char *const precision_names[] = { "bf16", "fp16", "fp8", "fp32", NULL };
static const char *const gradient_names[] = { "fp32", "bf16", NULL };
static const int gradient_values[] = { PLG_PRECISION_FP32, PLG_PRECISION_BF16 };
static const char *const recompute_names[] = { "none", "selective", "full", NULL };
static const char *const loss_names[] = { "fused", "plain", "gathered", NULL };
static const char *const kernels_names[] = { "auto", "fused", "eager", NULL };
static const char *const schedule_names[] = { "gpipe", "1f1b",     "interleaved", "zb-h1",
                                              "zb-v",  "dualpipe", NULL };
static const char *const cp_type_names[] = { "ring", "ulysses", "all-gather", NULL };
static const char *const profile_names[] = { "standard", "notebook", "handbook", NULL };
static const char *const show_names[] = { "all", "tp", "cp", "ep", "pp", "dp", "memory", NULL };
static const char *const link_color_names[] = { "frequency", "bytes", "time", "off", NULL };
static const char *const pairs_names[] = { "bandwidth", "traffic", NULL };

#define MEMBER(member) G_STRUCT_OFFSET (PlgPlan, member)
#define INTEGER(key, member, from, to, unit, title, help)                                 \
  {                                                                                       \
    key, PLG_SETTING_INTEGER, MEMBER (member), from, to, 1, unit, NULL, title, help, NULL \
  }
#define NUMBER(key, member, from, to, scale, unit, title, help)                              \
  {                                                                                          \
    key, PLG_SETTING_NUMBER, MEMBER (member), from, to, scale, unit, NULL, title, help, NULL \
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
#define NODE_NAMES(key, member, title, help)                                             \
  {                                                                                      \
    key, PLG_SETTING_NODE_NAMES, MEMBER (member), 0, 0, 1, NULL, NULL, title, help, NULL \
  }
#define DEGREE(key, axis, title, help) \
  INTEGER (key, parallelism.degree[axis], 1, PLG_MAX_GPUS, NULL, title, help)

/* The order is that of the plan file. A name comes before the single values that it sets, so that
 * reading a file from top to bottom ends with what was written. */
/* clang-format off */
static const PlgSetting settings[] = {
  NAME ("cluster.node", cluster.node, N_ ("Node type"),
        N_ ("A node of the catalogue: its GPUs, its network and their calibration.")),
  NAME ("cluster.gpu", cluster.gpu.name, N_ ("GPU"),
        N_ ("A GPU of the catalogue: its memory, rates and peak.")),
  INTEGER ("cluster.nodes", cluster.nodes, 1, PLG_MAX_NODES, NULL, N_ ("Nodes"),
           N_ ("Nodes in the cluster.")),
  INTEGER ("cluster.gpus-per-node", cluster.gpus_per_node, 1, PLG_MAX_GPUS_PER_NODE, NULL,
           N_ ("GPUs per node"), N_ ("GPUs that the fast links of one node join.")),
  INTEGER ("cluster.gpus-per-host", cluster.gpus_per_host, 0, PLG_MAX_GPUS_PER_NODE, NULL,
           N_ ("GPUs per host"),
           N_ ("Of a node that is several hosts, as a rack of trays is; 0: a node is one host.")),
  NUMBER ("cluster.memory", cluster.memory, 0.001, 1e6, PLG_GIB, "GiB", N_ ("Memory"),
          N_ ("Memory of a GPU as the driver reports it.")),
  NUMBER ("cluster.memory-bandwidth", cluster.memory_bandwidth, 0.001, 1e6, PLG_GB, "GB/s",
          N_ ("Memory bandwidth"), N_ ("Rate of a GPU's own memory, as the vendor states it.")),
  NUMBER ("cluster.peak", cluster.peak, 0, 1e6, PLG_TERA, "TFLOP/s", N_ ("Peak"),
          N_ ("Dense peak at the training precision; 0 takes the GPU's own.")),
  CHOICE ("cluster.intra", cluster.intra, intra_names, NULL, N_ ("Links inside a node"),
          N_ ("How the GPUs of a node reach each other.")),
  BOOLEAN ("cluster.multicast", cluster.multicast, N_ ("NVLink SHARP"),
           N_ ("The NVSwitch adds up and spreads all-reduces itself.")),
  NUMBER ("cluster.intra-bandwidth", cluster.intra_bandwidth, 0.001, 1e6, PLG_GB, "GB/s",
          N_ ("Bandwidth inside a node"), N_ ("Per GPU and direction, as the vendor states it.")),
  NUMBER ("cluster.intra-efficiency", cluster.intra_efficiency, 0.01, 1, 1, NULL,
          N_ ("Efficiency inside a node"),
          N_ ("What a large collective reaches of the stated bandwidth.")),
  NUMBER ("cluster.intra-latency", cluster.intra_latency, 0, 1e6, 1e-6, "µs",
          N_ ("Latency inside a node"), N_ ("Of one hop between two GPUs.")),
  CHOICE ("cluster.network", cluster.network, network_names, NULL, N_ ("Network"),
          N_ ("How the nodes reach each other.")),
  INTEGER ("cluster.nics-per-node", cluster.nics_per_node, 1, 1024, NULL, N_ ("NICs per node"),
           N_ ("Network cards that training uses.")),
  NUMBER ("cluster.inter-bandwidth", cluster.inter_bandwidth, 0.001, 1e6, PLG_GB, "GB/s",
          N_ ("Bandwidth between nodes"), N_ ("Per GPU and direction, as the vendor states it.")),
  NUMBER ("cluster.inter-efficiency", cluster.inter_efficiency, 0.01, 1, 1, NULL,
          N_ ("Efficiency between nodes"),
          N_ ("What a large collective reaches of the stated bandwidth.")),
  NUMBER ("cluster.inter-latency", cluster.inter_latency, 0, 1e6, 1e-6, "µs",
          N_ ("Latency between nodes"), N_ ("Of one hop between two nodes.")),
  NUMBER ("cluster.oversubscription", cluster.oversubscription, 1, 1000, 1, NULL,
          N_ ("Oversubscription"), N_ ("The leaf's uplinks carry one part in this; 1 is none.")),
  BOOLEAN ("cluster.rdma", cluster.rdma, N_ ("RDMA"),
           N_ ("The network reads GPU memory itself; otherwise TCP through the host.")),
  FAULTS ("cluster.faults", cluster.faults, N_ ("Faults"),
          N_ ("What is slow or has failed, and what is left of its rate: gpu:17=0.8, port:3=0.5, "
              "nic:2.3=0, uplink:0.1=0.5.")),
  NODE_NAMES ("cluster.node-names", node_names, N_ ("Names of nodes"),
              N_ ("What nodes are called: 0=dgx-a, 3=dgx-b.")),

  NAME ("model.name", model.name, N_ ("Model"),
        N_ ("A model of the catalogue: all of its dimensions.")),
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
           N_ ("Heads of keys and values; fewer than query heads is grouped-query attention.")),
  INTEGER ("model.head-dim", model.head_dim, 1, 1 << 16, NULL, N_ ("Head size"),
           N_ ("Width of one head.")),
  INTEGER ("model.vocabulary", model.vocabulary, 1, 100000000, NULL, N_ ("Vocabulary"),
           N_ ("Tokens that the model knows.")),
  BOOLEAN ("model.tied", model.tied, N_ ("Tied embeddings"),
           N_ ("The output layer shares the embedding's weights.")),
  BOOLEAN ("model.rms-norm", model.rms_norm, N_ ("RMSNorm"),
           N_ ("One vector a norm; LayerNorm has two.")),
  BOOLEAN ("model.biases", model.biases, N_ ("Biases"), N_ ("Linear layers have bias vectors.")),
  INTEGER ("model.positions", model.positions, 0, 100000000, NULL, N_ ("Learned positions"),
           N_ ("Learned absolute positions; 0 for rotary and the like.")),
  INTEGER ("model.experts", model.experts, 0, 1 << 16, NULL, N_ ("Experts"),
           N_ ("Experts a layer; 0 is a dense model.")),
  INTEGER ("model.top-k", model.top_k, 0, 1 << 16, NULL, N_ ("Experts a token"),
           N_ ("Experts that one token is sent to.")),
  INTEGER ("model.expert-ffn", model.expert_ffn, 0, 1 << 24, NULL, N_ ("Expert size"),
           N_ ("Inner width of one expert.")),
  INTEGER ("model.shared-experts", model.shared_experts, 0, 1024, NULL, N_ ("Shared experts"),
           N_ ("Experts that see every token.")),
  INTEGER ("model.dense-layers", model.dense_layers, 0, 10000, NULL, N_ ("Dense layers"),
           N_ ("Leading layers without experts.")),
  INTEGER ("model.q-rank", model.q_rank, 0, 1 << 20, NULL, N_ ("Query rank"),
           N_ ("Width of the compressed queries of latent attention; 0 is none.")),
  INTEGER ("model.kv-rank", model.kv_rank, 0, 1 << 20, NULL, N_ ("KV rank"),
           N_ ("Width of the compressed keys and values of latent attention; 0 is none.")),
  INTEGER ("model.rope-dim", model.rope_dim, 0, 1 << 16, NULL, N_ ("Rotary size"),
           N_ ("Part of a head with rotary position, for latent attention.")),
  INTEGER ("model.value-dim", model.value_dim, 0, 1 << 16, NULL, N_ ("Value size"),
           N_ ("Width of a head's values, for latent attention.")),
  INTEGER ("model.mtp-layers", model.mtp_layers, 0, 64, NULL, N_ ("Multi-token layers"),
           N_ ("Modules that predict further tokens, after the last layer.")),

  INTEGER ("training.sequence", training.sequence, 1, 1 << 27, N_ ("tokens"),
           N_ ("Sequence length"), N_ ("Tokens a sequence.")),
  INTEGER ("training.micro-batch", training.micro_batch, 1, 1 << 20, NULL, N_ ("Micro-batch"),
           N_ ("Sequences that one replica works on at a time.")),
  INTEGER ("training.global-batch", training.global_batch, 1, 100000000, NULL, N_ ("Global batch"),
           N_ ("Sequences a step, over all replicas.")),
  CHOICE ("training.precision", training.precision, precision_names, NULL, N_ ("Precision"),
          N_ ("Number format of the matrix products.")),
  CHOICE ("training.gradient-precision", training.gradient_precision, gradient_names,
          gradient_values, N_ ("Gradient precision"),
          N_ ("Number format in which gradients are summed and reduced.")),
  CHOICE ("training.recompute", training.recompute, recompute_names, NULL,
          N_ ("Recompute"),
          N_ ("What the backward pass computes again instead of keeping it.")),
  CHOICE ("training.schedule", training.schedule, schedule_names, NULL, N_ ("Schedule"),
          N_ ("The order of forward and backward passes in the pipeline.")),
  BOOLEAN ("training.flash-attention", training.flash_attention, N_ ("FlashAttention"),
           N_ ("Attention scores are never kept in memory.")),
  CHOICE ("training.loss", training.loss, loss_names, NULL, N_ ("Loss"),
          N_ ("Fused into one kernel; plain, with copies of the logits in FP32; or gathered, where "
              "each GPU of a TP group holds those of the whole vocabulary.")),
  CHOICE ("training.kernels", training.kernels, kernels_names, NULL, N_ ("Kernels"),
          N_ ("Fused, as in Megatron-LM with Transformer Engine; eager, one kernel an operation, as "
              "PyTorch runs a model by itself; auto is eager with ZeRO 3, and with any ZeRO on GPUs without FP8.")),
  BOOLEAN ("training.causal", training.causal, N_ ("Causal attention"),
           N_ ("Count and run only the lower half of the attention scores.")),
  NUMBER ("training.tokens", training.tokens, 0, 1e18, 1, N_ ("tokens"), N_ ("Token budget"),
          N_ ("Tokens to train on in all, for days and GPU-hours.")),

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
         N_ ("Innermost first: neighbours of the first axis have neighbouring ranks.")),
  CHOICE ("parallelism.cp-type", parallelism.cp_type, cp_type_names, NULL,
          N_ ("Context parallel attention"),
          N_ ("How the shards of a sequence see each other's keys and values.")),
  INTEGER ("parallelism.chunks", parallelism.chunks, 1, 1024, NULL, N_ ("Chunks a stage"),
           N_ ("Virtual stages a stage, for the interleaved schedule.")),
  INTEGER ("parallelism.first-layers", parallelism.first_layers, 0, 10000, NULL,
           N_ ("Layers of the first stage"),
           N_ ("Counted by hand; 0 shares all layers out evenly.")),
  INTEGER ("parallelism.last-layers", parallelism.last_layers, 0, 10000, NULL,
           N_ ("Layers of the last stage"),
           N_ ("Counted by hand; 0 shares all layers out evenly.")),
  BOOLEAN ("parallelism.embedding-slot", parallelism.embedding_slot,
           N_ ("Embedding counts as a layer"),
           N_ ("The first stage gets one layer less than its share.")),
  BOOLEAN ("parallelism.loss-slot", parallelism.loss_slot, N_ ("Loss counts as a layer"),
           N_ ("The stage with the logits gets one layer less than its share.")),
  INTEGER ("parallelism.zero", parallelism.zero, 0, 3, NULL, N_ ("ZeRO stage"),
           N_ ("1 shards the optimizer, 2 gradients too, 3 weights too (as FSDP).")),
  BOOLEAN ("parallelism.sequence", parallelism.sequence, N_ ("Sequence parallel (SP)"),
           N_ ("Norms and dropout are shared out over the TP group as well.")),
  BOOLEAN ("parallelism.overlap-dp", parallelism.overlap_dp, N_ ("Overlap DP"),
           N_ ("Gradients are reduced while the backward pass runs.")),
  BOOLEAN ("parallelism.overlap-tp", parallelism.overlap_tp, N_ ("Overlap TP"),
           N_ ("TP collectives run beside the matrix products: in pieces with sequence "
               "parallelism, without it the sums of the backward pass alone.")),
  BOOLEAN ("parallelism.overlap-pp", parallelism.overlap_pp, N_ ("Overlap PP"),
           N_ ("Activations travel while the next micro-batch computes.")),
  BOOLEAN ("parallelism.overlap-ep", parallelism.overlap_ep, N_ ("Overlap EP"),
           N_ ("Tokens travel to their experts while another micro-batch computes.")),

  CHOICE ("engine.profile", profile, profile_names, NULL, N_ ("Formulas"),
          N_ ("The engine's own, or those of the notebook or the handbook.")),

  CHOICE ("view.show", view.show, show_names, NULL, N_ ("Colours of GPUs"),
          N_ ("What the GPUs on the canvas show.")),
  CHOICE ("view.link-color", view.link_color, link_color_names, NULL, N_ ("Colours of links"),
          N_ ("What the colour of a link means.")),
  BOOLEAN ("view.rings", view.rings, N_ ("Rings"),
           N_ ("Neighbours of a group instead of physical links.")),
  CHOICE ("view.pairs", view.pairs, pairs_names, NULL, N_ ("Pairs"),
          N_ ("What the matrix of pairs shows of each two GPUs.")),
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
