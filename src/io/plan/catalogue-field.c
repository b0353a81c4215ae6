/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "io/plan/catalogue-field.h"

#include "plan/catalogue.h"

static const PlgCatalogueUnit units[] = {
  { "1", PLG_CATALOGUE_QUANTITY_COUNT, 1, 1 },
  { "1", PLG_CATALOGUE_QUANTITY_SHARE, 1, 1 },
  { "10^9", PLG_CATALOGUE_QUANTITY_PARAMETERS, 1e9, 1 },
  { "TFLOP/s", PLG_CATALOGUE_QUANTITY_FLOPS, 1e12, 1 },
  { "MiB", PLG_CATALOGUE_QUANTITY_BYTES, 1048576, 1 },
  { "GiB", PLG_CATALOGUE_QUANTITY_BYTES, 1073741824, 1 },
  { "GB/s", PLG_CATALOGUE_QUANTITY_BANDWIDTH, 1e9, 1 },
  { "Gb/s", PLG_CATALOGUE_QUANTITY_BANDWIDTH, 1e9, 8 },
  { "µs", PLG_CATALOGUE_QUANTITY_TIME, 1, 1e6 },
  { "USD", PLG_CATALOGUE_QUANTITY_PRICE, 1, 1 },
  { "W", PLG_CATALOGUE_QUANTITY_POWER, 1, 1 },
};

#define PEAK(name, precision, required)                      \
  {                                                          \
    name, PLG_CATALOGUE_QUANTITY_FLOPS, required, 1e9, 1e18, \
        G_STRUCT_OFFSET (PlgGpu, peak[precision])            \
  }
#define MATRIX(name, precision, required)                      \
  {                                                            \
    name, PLG_CATALOGUE_QUANTITY_SHARE, required, 0.01, 1,     \
        G_STRUCT_OFFSET (PlgGpu, matrix_efficiency[precision]) \
  }

static const PlgCatalogueField gpu_fields[] = {
  PEAK ("peak-bf16", PLG_PRECISION_BF16, FALSE),
  PEAK ("peak-fp16", PLG_PRECISION_FP16, TRUE),
  PEAK ("peak-fp8", PLG_PRECISION_FP8, FALSE),
  PEAK ("peak-fp4", PLG_PRECISION_FP4, FALSE),
  PEAK ("peak-fp32", PLG_PRECISION_FP32, TRUE),
  { "vector-peak", PLG_CATALOGUE_QUANTITY_FLOPS, TRUE, 1e9, 1e18,
    G_STRUCT_OFFSET (PlgGpu, vector_peak) },
  MATRIX ("matrix-efficiency-bf16", PLG_PRECISION_BF16, FALSE),
  MATRIX ("matrix-efficiency-fp16", PLG_PRECISION_FP16, TRUE),
  MATRIX ("matrix-efficiency-fp8", PLG_PRECISION_FP8, FALSE),
  MATRIX ("matrix-efficiency-fp4", PLG_PRECISION_FP4, FALSE),
  MATRIX ("matrix-efficiency-fp32", PLG_PRECISION_FP32, TRUE),
  { "multiprocessors", PLG_CATALOGUE_QUANTITY_COUNT, FALSE, 1, 10000,
    G_STRUCT_OFFSET (PlgGpu, multiprocessors) },
  { "memory", PLG_CATALOGUE_QUANTITY_BYTES, TRUE, 1e6, 1e15, G_STRUCT_OFFSET (PlgGpu, memory) },
  { "memory-bandwidth", PLG_CATALOGUE_QUANTITY_BANDWIDTH, TRUE, 1e6, 1e16,
    G_STRUCT_OFFSET (PlgGpu, memory_bandwidth) },
  { "memory-efficiency", PLG_CATALOGUE_QUANTITY_SHARE, TRUE, 0.01, 1,
    G_STRUCT_OFFSET (PlgGpu, memory_efficiency) },
  { "link-bandwidth", PLG_CATALOGUE_QUANTITY_BANDWIDTH, TRUE, 0, 1e15,
    G_STRUCT_OFFSET (PlgGpu, link_bandwidth) },
  { "pcie-bandwidth", PLG_CATALOGUE_QUANTITY_BANDWIDTH, TRUE, 1e6, 1e15,
    G_STRUCT_OFFSET (PlgGpu, pcie_bandwidth) },
  { "host-bandwidth", PLG_CATALOGUE_QUANTITY_BANDWIDTH, FALSE, 1e6, 1e15,
    G_STRUCT_OFFSET (PlgGpu, host_bandwidth) },
  { "host-memory", PLG_CATALOGUE_QUANTITY_BYTES, FALSE, 1e6, 1e15,
    G_STRUCT_OFFSET (PlgGpu, host_memory) },
  { "host-memory-bandwidth", PLG_CATALOGUE_QUANTITY_BANDWIDTH, FALSE, 1e6, 1e15,
    G_STRUCT_OFFSET (PlgGpu, host_memory_bandwidth) },
  { "gpu-hour", PLG_CATALOGUE_QUANTITY_PRICE, FALSE, 0, 1e6, G_STRUCT_OFFSET (PlgGpu, gpu_hour) },
  { "power-busy", PLG_CATALOGUE_QUANTITY_POWER, FALSE, 0, 1e5,
    G_STRUCT_OFFSET (PlgGpu, power_busy) },
  { "power-idle", PLG_CATALOGUE_QUANTITY_POWER, FALSE, 0, 1e5,
    G_STRUCT_OFFSET (PlgGpu, power_idle) },
  { "power-server", PLG_CATALOGUE_QUANTITY_POWER, FALSE, 0, 1e5,
    G_STRUCT_OFFSET (PlgGpu, power_server) },
};

static const PlgCatalogueField node_fields[] = {
  { "gpus", PLG_CATALOGUE_QUANTITY_COUNT, TRUE, 1, PLG_MAX_GPUS_PER_NODE,
    G_STRUCT_OFFSET (PlgNode, gpus) },
  { "host-gpus", PLG_CATALOGUE_QUANTITY_COUNT, FALSE, 1, PLG_MAX_GPUS_PER_NODE,
    G_STRUCT_OFFSET (PlgNode, host_gpus) },
  { "nics", PLG_CATALOGUE_QUANTITY_COUNT, TRUE, 1, PLG_MAX_GPUS_PER_NODE,
    G_STRUCT_OFFSET (PlgNode, nics) },
  { "nic-bandwidth", PLG_CATALOGUE_QUANTITY_BANDWIDTH, TRUE, 1e6, 1e15,
    G_STRUCT_OFFSET (PlgNode, nic_bandwidth) },
  { "host-memory", PLG_CATALOGUE_QUANTITY_BYTES, FALSE, 1e6, 1e15,
    G_STRUCT_OFFSET (PlgNode, host_memory) },
  { "multicast", PLG_CATALOGUE_QUANTITY_COUNT, FALSE, 0, 1, G_STRUCT_OFFSET (PlgNode, multicast) },
  { "intra-efficiency", PLG_CATALOGUE_QUANTITY_SHARE, TRUE, 0.01, 1,
    G_STRUCT_OFFSET (PlgNode, intra_efficiency) },
  { "inter-efficiency", PLG_CATALOGUE_QUANTITY_SHARE, TRUE, 0.01, 1,
    G_STRUCT_OFFSET (PlgNode, inter_efficiency) },
  { "intra-latency", PLG_CATALOGUE_QUANTITY_TIME, TRUE, 0, 1,
    G_STRUCT_OFFSET (PlgNode, intra_latency) },
  { "inter-latency", PLG_CATALOGUE_QUANTITY_TIME, TRUE, 0, 1,
    G_STRUCT_OFFSET (PlgNode, inter_latency) },
};

#define COUNT(name, member, required, minimum, maximum)             \
  {                                                                 \
    name, PLG_CATALOGUE_QUANTITY_COUNT, required, minimum, maximum, \
        G_STRUCT_OFFSET (PlgTransformer, member)                    \
  }

static const PlgCatalogueField model_fields[] = {
  { "parameters", PLG_CATALOGUE_QUANTITY_PARAMETERS, FALSE, 1, 1e18, -1 },
  { "active-parameters", PLG_CATALOGUE_QUANTITY_PARAMETERS, FALSE, 1, 1e18, -1 },
  COUNT ("layers", layers, TRUE, 1, 10000),
  COUNT ("hidden", hidden, TRUE, 1, 1000000),
  COUNT ("ffn", ffn, TRUE, 1, 10000000),
  COUNT ("heads", heads, TRUE, 1, 10000),
  COUNT ("kv-heads", kv_heads, TRUE, 1, 10000),
  COUNT ("head-dim", head_dim, TRUE, 1, 10000),
  COUNT ("vocabulary", vocabulary, TRUE, 1, 10000000),
  COUNT ("positions", positions, FALSE, 0, 10000000),
  COUNT ("experts", experts, FALSE, 0, 65536),
  COUNT ("top-k", top_k, FALSE, 0, 65536),
  COUNT ("expert-ffn", expert_ffn, FALSE, 0, 10000000),
  COUNT ("shared-experts", shared_experts, FALSE, 0, 1024),
  COUNT ("dense-layers", dense_layers, FALSE, 0, 10000),
  COUNT ("moe-every", moe_every, FALSE, 0, 10000),
  COUNT ("expert-groups", expert_groups, FALSE, 0, 65536),
  COUNT ("top-groups", top_groups, FALSE, 0, 65536),
  COUNT ("q-rank", q_rank, FALSE, 0, 1000000),
  COUNT ("kv-rank", kv_rank, FALSE, 0, 1000000),
  COUNT ("rope-dim", rope_dim, FALSE, 0, 10000),
  COUNT ("value-dim", value_dim, FALSE, 0, 10000),
  COUNT ("mtp-layers", mtp_layers, FALSE, 0, 100),
  COUNT ("window", window, FALSE, 0, 1 << 27),
  COUNT ("window-chunked", window_chunked, FALSE, 0, 1),
  COUNT ("full-attention-every", full_attention_every, FALSE, 0, 10000),
  COUNT ("index-heads", index_heads, FALSE, 0, 65536),
  COUNT ("index-dim", index_dim, FALSE, 0, 65536),
  COUNT ("index-top-k", index_top_k, FALSE, 0, 1 << 27),
  COUNT ("attention-gate", attention_gate, FALSE, 0, 1),
  COUNT ("attention-layers", attention_layers, FALSE, 0, 10000),
  COUNT ("mlp-layers", mlp_layers, FALSE, 0, 10000),
  COUNT ("mixer-heads", mixer_heads, FALSE, 0, 65536),
  COUNT ("mixer-head-dim", mixer_head_dim, FALSE, 0, 65536),
  COUNT ("mixer-groups", mixer_groups, FALSE, 0, 65536),
  COUNT ("mixer-state", mixer_state, FALSE, 0, 65536),
  COUNT ("mixer-conv", mixer_conv, FALSE, 0, 1024),
};

static const struct
{
  const PlgCatalogueField *fields;
  int n;
} tables[PLG_N_CATALOGUE_KINDS] = {
  { gpu_fields, G_N_ELEMENTS (gpu_fields) },
  { node_fields, G_N_ELEMENTS (node_fields) },
  { model_fields, G_N_ELEMENTS (model_fields) },
};

G_STATIC_ASSERT (G_N_ELEMENTS (gpu_fields) <= PLG_CATALOGUE_MAX_FIELDS);
G_STATIC_ASSERT (G_N_ELEMENTS (node_fields) <= PLG_CATALOGUE_MAX_FIELDS);
G_STATIC_ASSERT (G_N_ELEMENTS (model_fields) <= PLG_CATALOGUE_MAX_FIELDS);

const PlgCatalogueField *
plg_catalogue_fields (PlgCatalogueKind kind, int *n)
{
  *n = tables[kind].n;
  return tables[kind].fields;
}

const PlgCatalogueField *
plg_catalogue_field (PlgCatalogueKind kind, const char *name)
{
  for (int i = 0; i < tables[kind].n; i++)
    if (g_str_equal (tables[kind].fields[i].name, name))
      return &tables[kind].fields[i];
  return NULL;
}

const PlgCatalogueUnit *
plg_catalogue_unit (const char *name, PlgCatalogueQuantity quantity)
{
  for (gsize i = 0; i < G_N_ELEMENTS (units); i++)
    if (units[i].quantity == quantity && g_str_equal (units[i].name, name))
      return &units[i];
  return NULL;
}

char *
plg_catalogue_unit_names (PlgCatalogueQuantity quantity)
{
  g_autoptr (GPtrArray) names = g_ptr_array_new ();

  for (gsize i = 0; i < G_N_ELEMENTS (units); i++)
    if (units[i].quantity == quantity)
      g_ptr_array_add (names, (gpointer) units[i].name);
  g_ptr_array_add (names, NULL);
  return g_strjoinv (", ", (char **) names->pdata);
}
