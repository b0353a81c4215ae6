/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "io/frameworks/hf-defaults.h"

static const char *const members[] = {
  "num_hidden_layers",
  "hidden_size",
  "num_attention_heads",
  "num_key_value_heads",
  "head_dim",
  "intermediate_size",
  "vocab_size",
  "max_position_embeddings",
  "num_local_experts",
  "num_experts_per_tok",
  "moe_intermediate_size",
  "shared_expert_intermediate_size",
  "intermediate_size_mlp",
  "sliding_window",
  "attention_chunk_size",
};

/* The defaults in transformers' configuration classes, one column for each name in members. The
 * comment above each row names its source file under src/transformers/models/. A 0 for key-value
 * heads or head_dim means that the class derives the number. Members at the end that a row leaves
 * out are 0. */
static const struct
{
  const char *type;
  int number[G_N_ELEMENTS (members)];
} classes[] = {
  /* gemma/configuration_gemma.py */
  { "gemma", { 28, 3072, 16, 16, 256, 24576, 256000, 8192 } },
  /* gemma2/configuration_gemma2.py */
  { "gemma2", { 26, 2304, 8, 4, 256, 9216, 256000, 8192, 0, 0, 0, 0, 0, 4096 } },
  /* gemma3/configuration_gemma3.py */
  { "gemma3_text", { 26, 2304, 8, 4, 256, 9216, 262208, 131072, 0, 0, 0, 0, 0, 4096 } },
  /* granite/configuration_granite.py */
  { "granite", { 32, 4096, 32, 0, 0, 11008, 32000, 2048 } },
  /* llama/configuration_llama.py */
  { "llama", { 32, 4096, 32, 0, 0, 11008, 32000, 2048 } },
  /* llama4/configuration_llama4.py */
  { "llama4_text", { 48, 5120, 40, 8, 128, 8192, 202048, 131072, 16, 1, 0, 0, 16384, 0, 8192 } },
  /* mistral/configuration_mistral.py */
  { "mistral", { 32, 4096, 32, 8, 0, 14336, 32000, 131072, 0, 0, 0, 0, 0, 4096 } },
  /* mixtral/configuration_mixtral.py */
  { "mixtral", { 32, 4096, 32, 8, 0, 14336, 32000, 131072, 8, 2 } },
  /* opt/configuration_opt.py */
  { "opt", { 12, 768, 12, 0, 0, 3072, 50272, 2048 } },
  /* phi3/configuration_phi3.py */
  { "phi3", { 32, 3072, 32, 0, 0, 8192, 32064, 4096 } },
  /* qwen2/configuration_qwen2.py */
  { "qwen2", { 32, 4096, 32, 32, 0, 22016, 151936, 32768 } },
  /* qwen2_5_vl/configuration_qwen2_5_vl.py */
  { "qwen2_5_vl_text", { 80, 8192, 64, 8, 0, 29568, 152064, 32768 } },
  /* qwen2_moe/configuration_qwen2_moe.py */
  { "qwen2_moe", { 24, 2048, 16, 16, 0, 5632, 151936, 32768, 60, 4, 1408, 5632 } },
  /* qwen3/configuration_qwen3.py */
  { "qwen3", { 32, 4096, 32, 32, 128, 22016, 151936, 32768 } },
  /* qwen3_moe/configuration_qwen3_moe.py */
  { "qwen3_moe", { 24, 2048, 32, 4, 0, 6144, 151936, 32768, 128, 8, 768 } },
  /* qwen3_vl/configuration_qwen3_vl.py */
  { "qwen3_vl_text", { 32, 4096, 32, 32, 128, 22016, 151936, 128000 } },
  /* qwen3_vl_moe/configuration_qwen3_vl_moe.py */
  { "qwen3_vl_moe_text", { 24, 2048, 16, 16, 0, 5632, 151936, 128000, 60, 4, 1408 } },
};

gint64
plg_hf_default (const char *type, const char *member)
{
  for (guint i = 0; i < G_N_ELEMENTS (classes); i++)
    for (guint j = 0; g_str_equal (classes[i].type, type) && j < G_N_ELEMENTS (members); j++)
      if (g_str_equal (members[j], member))
        return classes[i].number[j];
  return 0;
}
