/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine/model/flops.h"
#include "io/plan/catalogue-xml.h"
#include "io/registry/registry.h"
#include "plan/plan-check.h"

#include <math.h>
#include <string.h>

/* Tests of the reader of Hugging Face's config.json. The configurations have the published values
 * that determine the size of a model. */

typedef struct
{
  PlgCatalogue *catalogue;
} Fixture;

static void
set_up (Fixture *fixture, gconstpointer data)
{
  fixture->catalogue = plg_catalogue_load (NULL);
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
  plg_catalogue_unref (fixture->catalogue);
}

static PlgImportResult *
import (const Fixture *fixture, const char *text, GError **error)
{
  g_autoptr (GBytes) bytes = g_bytes_new (text, strlen (text));

  return plg_format_read (bytes, "config.json", NULL, fixture->catalogue, error);
}

/* TOTAL is the number of parameters in the header of the published weights (safetensors), without
 * modules for multi-token prediction; ACTIVE is the number per token [10^9] in the model's card or
 * report. */
static const struct
{
  const char *name;
  const char *catalogue; /* NULL: the catalogue has no such model */
  double total;
  double active;
  const char *config;
} models[] = {
  { "Llama 2 7B", "llama2-7b", 6738415616.0, 0,
    "\"model_type\":\"llama\",\"hidden_act\":\"silu\",\"hidden_size\":4096,"
    "\"intermediate_size\":11008,\"max_position_embeddings\":4096,\"num_attention_heads\":32,"
    "\"num_hidden_layers\":32,\"num_key_value_heads\":32,\"tie_word_embeddings\":false,"
    "\"vocab_size\":32000" },
  /* The first Llama 2 files had no num_key_value_heads: as many as heads. */
  { "Llama 2 13B", "llama2-13b", 13015864320.0, 0,
    "\"model_type\":\"llama\",\"hidden_size\":5120,\"intermediate_size\":13824,"
    "\"num_attention_heads\":40,\"num_hidden_layers\":40,\"vocab_size\":32000" },
  { "Llama 2 70B", "llama2-70b", 68976648192.0, 0,
    "\"model_type\":\"llama\",\"hidden_size\":8192,\"intermediate_size\":28672,"
    "\"num_attention_heads\":64,\"num_hidden_layers\":80,\"num_key_value_heads\":8,"
    "\"vocab_size\":32000" },
  { "Llama 3 8B", "llama3-8b", 8030261248.0, 0,
    "\"model_type\":\"llama\",\"hidden_size\":4096,\"intermediate_size\":14336,"
    "\"num_attention_heads\":32,\"num_hidden_layers\":32,\"num_key_value_heads\":8,"
    "\"attention_bias\":false,\"mlp_bias\":false,\"vocab_size\":128256" },
  { "Llama 3 70B", "llama3-70b", 70553706496.0, 0,
    "\"model_type\":\"llama\",\"hidden_size\":8192,\"intermediate_size\":28672,"
    "\"num_attention_heads\":64,\"num_hidden_layers\":80,\"num_key_value_heads\":8,"
    "\"vocab_size\":128256" },
  { "Llama 3.1 405B", "llama3-405b", 405853388800.0, 0,
    "\"model_type\":\"llama\",\"hidden_size\":16384,\"intermediate_size\":53248,"
    "\"num_attention_heads\":128,\"num_hidden_layers\":126,\"num_key_value_heads\":8,"
    "\"head_dim\":128,\"vocab_size\":128256" },
  { "Llama 3.2 1B", NULL, 1235814400.0, 0,
    "\"model_type\":\"llama\",\"hidden_size\":2048,\"intermediate_size\":8192,"
    "\"num_attention_heads\":32,\"num_hidden_layers\":16,\"num_key_value_heads\":8,"
    "\"head_dim\":64,\"tie_word_embeddings\":true,\"vocab_size\":128256" },
  { "Mistral 7B v0.1", "mistral-7b", 7241732096.0, 0,
    "\"model_type\":\"mistral\",\"hidden_size\":4096,\"intermediate_size\":14336,"
    "\"num_attention_heads\":32,\"num_hidden_layers\":32,\"num_key_value_heads\":8,"
    "\"sliding_window\":4096,\"vocab_size\":32000" },
  { "Mixtral 8x7B", "mixtral-8x7b", 46702792704.0, 12.9,
    "\"model_type\":\"mixtral\",\"hidden_size\":4096,\"intermediate_size\":14336,"
    "\"num_attention_heads\":32,\"num_hidden_layers\":32,\"num_key_value_heads\":8,"
    "\"num_local_experts\":8,\"num_experts_per_tok\":2,\"vocab_size\":32000" },
  { "Mixtral 8x22B", "mixtral-8x22b", 140620634112.0, 39.1,
    "\"model_type\":\"mixtral\",\"hidden_size\":6144,\"intermediate_size\":16384,"
    "\"num_attention_heads\":48,\"num_hidden_layers\":56,\"num_key_value_heads\":8,"
    "\"num_local_experts\":8,\"num_experts_per_tok\":2,\"vocab_size\":32000" },
  { "Qwen2 7B", NULL, 7615616512.0, 0,
    "\"model_type\":\"qwen2\",\"hidden_size\":3584,\"intermediate_size\":18944,"
    "\"num_attention_heads\":28,\"num_hidden_layers\":28,\"num_key_value_heads\":4,"
    "\"tie_word_embeddings\":false,\"vocab_size\":152064" },
  { "Qwen2.5 72B", NULL, 72706203648.0, 0,
    "\"model_type\":\"qwen2\",\"hidden_size\":8192,\"intermediate_size\":29568,"
    "\"num_attention_heads\":64,\"num_hidden_layers\":80,\"num_key_value_heads\":8,"
    "\"vocab_size\":152064" },
  { "Qwen1.5 MoE A2.7B", NULL, 14315784192.0, 2.7,
    "\"model_type\":\"qwen2_moe\",\"hidden_size\":2048,\"intermediate_size\":5632,"
    "\"num_attention_heads\":16,\"num_hidden_layers\":24,\"num_key_value_heads\":16,"
    "\"decoder_sparse_step\":1,\"moe_intermediate_size\":1408,"
    "\"shared_expert_intermediate_size\":5632,\"num_experts\":60,\"num_experts_per_tok\":4,"
    "\"vocab_size\":151936" },
  { "Qwen3 8B", "qwen3-8b", 8190735360.0, 0,
    "\"model_type\":\"qwen3\",\"hidden_size\":4096,\"intermediate_size\":12288,"
    "\"num_attention_heads\":32,\"num_hidden_layers\":36,\"num_key_value_heads\":8,"
    "\"head_dim\":128,\"attention_bias\":false,\"tie_word_embeddings\":false,"
    "\"vocab_size\":151936" },
  { "Qwen3 30B-A3B", "qwen3-30b-a3b", 30532122624.0, 3.3,
    "\"model_type\":\"qwen3_moe\",\"hidden_size\":2048,\"intermediate_size\":6144,"
    "\"num_attention_heads\":32,\"num_hidden_layers\":48,\"num_key_value_heads\":4,"
    "\"head_dim\":128,\"decoder_sparse_step\":1,\"mlp_only_layers\":[],"
    "\"moe_intermediate_size\":768,\"num_experts\":128,\"num_experts_per_tok\":8,"
    "\"vocab_size\":151936" },
  { "Qwen3 235B-A22B", "qwen3-235b-a22b", 235093634560.0, 22.0,
    "\"model_type\":\"qwen3_moe\",\"hidden_size\":4096,\"intermediate_size\":12288,"
    "\"num_attention_heads\":64,\"num_hidden_layers\":94,\"num_key_value_heads\":4,"
    "\"head_dim\":128,\"decoder_sparse_step\":1,\"mlp_only_layers\":[],"
    "\"moe_intermediate_size\":1536,\"num_experts\":128,\"num_experts_per_tok\":8,"
    "\"vocab_size\":151936" },
  { "Qwen3 VL 235B-A22B", "qwen3-235b-a22b", 235093634560.0, 22.0,
    "\"model_type\":\"qwen3_vl_moe_text\",\"hidden_size\":4096,\"intermediate_size\":12288,"
    "\"num_attention_heads\":64,\"num_hidden_layers\":94,\"num_key_value_heads\":4,"
    "\"head_dim\":128,\"decoder_sparse_step\":1,\"mlp_only_layers\":[],"
    "\"moe_intermediate_size\":1536,\"num_experts\":128,\"num_experts_per_tok\":8,"
    "\"vocab_size\":151936" },
  { "DeepSeek-V2", NULL, 235741434880.0, 21.0,
    "\"model_type\":\"deepseek_v2\",\"hidden_size\":5120,\"intermediate_size\":12288,"
    "\"num_attention_heads\":128,\"num_hidden_layers\":60,\"num_key_value_heads\":128,"
    "\"kv_lora_rank\":512,\"q_lora_rank\":1536,\"qk_nope_head_dim\":128,"
    "\"qk_rope_head_dim\":64,\"v_head_dim\":128,\"moe_intermediate_size\":1536,"
    "\"moe_layer_freq\":1,\"n_routed_experts\":160,\"n_shared_experts\":2,"
    "\"num_experts_per_tok\":6,\"first_k_dense_replace\":1,\"vocab_size\":102400" },
  { "DeepSeek-V2-Lite", NULL, 15706484224.0, 0, /* the published 2.4 active parameters exclude
                                                   the embedding */
    "\"model_type\":\"deepseek_v2\",\"hidden_size\":2048,\"intermediate_size\":10944,"
    "\"num_attention_heads\":16,\"num_hidden_layers\":27,\"num_key_value_heads\":16,"
    "\"kv_lora_rank\":512,\"q_lora_rank\":null,\"qk_nope_head_dim\":128,"
    "\"qk_rope_head_dim\":64,\"v_head_dim\":128,\"moe_intermediate_size\":1408,"
    "\"moe_layer_freq\":1,\"n_routed_experts\":64,\"n_shared_experts\":2,"
    "\"num_experts_per_tok\":6,\"first_k_dense_replace\":1,\"vocab_size\":102400" },
  /* arXiv 2412.19437: 671 of 10^9, without the multi-token-prediction module. */
  { "DeepSeek-V3", "deepseek-v3", 671026419200.0, 37.0,
    "\"model_type\":\"deepseek_v3\",\"hidden_size\":7168,\"intermediate_size\":18432,"
    "\"num_attention_heads\":128,\"num_hidden_layers\":61,\"num_key_value_heads\":128,"
    "\"kv_lora_rank\":512,\"q_lora_rank\":1536,\"qk_nope_head_dim\":128,"
    "\"qk_rope_head_dim\":64,\"v_head_dim\":128,\"moe_intermediate_size\":2048,"
    "\"moe_layer_freq\":1,\"n_routed_experts\":256,\"n_shared_experts\":1,"
    "\"num_experts_per_tok\":8,\"first_k_dense_replace\":3,\"num_nextn_predict_layers\":1,"
    "\"n_group\":8,\"topk_group\":4,\"tie_word_embeddings\":false,\"vocab_size\":129280" },
  /* DeepSeek-V3 and 61 indexers of 13 959 424. */
  { "DeepSeek-V3.2", "deepseek-v3.2", 671877944064.0, 0,
    "\"model_type\":\"deepseek_v32\",\"hidden_size\":7168,\"intermediate_size\":18432,"
    "\"num_attention_heads\":128,\"num_hidden_layers\":61,\"num_key_value_heads\":128,"
    "\"kv_lora_rank\":512,\"q_lora_rank\":1536,\"qk_nope_head_dim\":128,"
    "\"qk_rope_head_dim\":64,\"v_head_dim\":128,\"moe_intermediate_size\":2048,"
    "\"moe_layer_freq\":1,\"n_routed_experts\":256,\"n_shared_experts\":1,"
    "\"index_head_dim\":128,\"index_n_heads\":64,\"index_topk\":2048,"
    "\"num_experts_per_tok\":8,\"first_k_dense_replace\":3,\"num_nextn_predict_layers\":1,"
    "\"n_group\":8,\"topk_group\":4,\"tie_word_embeddings\":false,\"vocab_size\":129280" },
  { "Kimi K2", "kimi-k2", 1026408235864.0, 32.0,
    "\"model_type\":\"kimi_k2\",\"hidden_size\":7168,\"intermediate_size\":18432,"
    "\"num_attention_heads\":64,\"num_hidden_layers\":61,\"num_key_value_heads\":64,"
    "\"kv_lora_rank\":512,\"q_lora_rank\":1536,\"qk_nope_head_dim\":128,"
    "\"qk_rope_head_dim\":64,\"v_head_dim\":128,\"moe_intermediate_size\":2048,"
    "\"moe_layer_freq\":1,\"n_routed_experts\":384,\"n_shared_experts\":1,"
    "\"num_experts_per_tok\":8,\"first_k_dense_replace\":1,\"num_nextn_predict_layers\":0,"
    "\"tie_word_embeddings\":false,\"vocab_size\":163840" },
  /* The header has 358337791296 parameters, with the module for multi-token prediction. */
  { "GLM-4.5", "glm-4.5", 352797829024.0, 0,
    "\"model_type\":\"glm4_moe\",\"attention_bias\":true,\"first_k_dense_replace\":3,"
    "\"head_dim\":128,\"hidden_size\":5120,\"intermediate_size\":12288,"
    "\"moe_intermediate_size\":1536,\"n_routed_experts\":160,\"n_shared_experts\":1,"
    "\"num_attention_heads\":96,\"num_experts_per_tok\":8,\"num_hidden_layers\":92,"
    "\"num_key_value_heads\":8,\"num_nextn_predict_layers\":1,\"use_qk_norm\":true,"
    "\"vocab_size\":151552" },
  { "Gemma 7B", NULL, 8537680896.0, 0,
    "\"model_type\":\"gemma\",\"hidden_size\":3072,\"intermediate_size\":24576,"
    "\"num_attention_heads\":16,\"num_hidden_layers\":28,\"num_key_value_heads\":16,"
    "\"head_dim\":256,\"hidden_act\":\"gelu\",\"vocab_size\":256000" },
  { "Gemma 2 9B", NULL, 9241705984.0, 0,
    "\"model_type\":\"gemma2\",\"hidden_size\":3584,\"intermediate_size\":14336,"
    "\"num_attention_heads\":16,\"num_hidden_layers\":42,\"num_key_value_heads\":8,"
    "\"head_dim\":256,\"vocab_size\":256000" },
  /* The text model only; gemma-3-27b-it has 27 432 406 640 parameters, including 423 404 400 for
   * the tower and the projection of images. */
  { "Gemma 3 27B", "gemma3-27b", 27009002240.0, 0,
    "\"model_type\":\"gemma3\",\"vision_config\":{\"hidden_size\":1152},\"text_config\":{"
    "\"model_type\":\"gemma3_text\",\"hidden_size\":5376,\"intermediate_size\":21504,"
    "\"num_attention_heads\":32,\"num_hidden_layers\":62,\"num_key_value_heads\":16,"
    "\"head_dim\":128,\"sliding_window\":1024}" },
  /* These files omit defaults, as transformers writes them; gemma-3-4b-it has 4 300 079 472
   * parameters, including 420 160 368 for the tower and the projection of images, llava-1.5-7b-hf 7
   * 063 427 072, including 324 487 168. */
  { "Gemma 3 4B", "gemma3-4b", 3879919104.0, 0,
    "\"model_type\":\"gemma3\",\"vision_config\":{\"hidden_size\":1152},\"text_config\":{"
    "\"model_type\":\"gemma3_text\",\"hidden_size\":2560,\"intermediate_size\":10240,"
    "\"num_hidden_layers\":34,\"sliding_window\":1024}" },
  { "LLaVA 1.5 7B", NULL, 6738939904.0, 0,
    "\"model_type\":\"llava\",\"text_config\":{\"model_type\":\"llama\","
    "\"max_position_embeddings\":4096,\"vocab_size\":32064}" },
  { "nested as in InternVL", NULL, 6738939904.0, 0,
    "\"model_type\":\"internvl_chat\",\"llm_config\":{\"model_type\":\"llama\","
    "\"max_position_embeddings\":4096,\"vocab_size\":32064}" },
  { "nested as in DeepSeek-VL", NULL, 6738939904.0, 0,
    "\"model_type\":\"multi_modality\",\"language_config\":{\"model_type\":\"llama\","
    "\"max_position_embeddings\":4096,\"vocab_size\":32064}" },
  { "GPT-2", NULL, 124439808.0, 0,
    "\"model_type\":\"gpt2\",\"n_embd\":768,\"n_layer\":12,\"n_head\":12,\"n_positions\":1024,"
    "\"n_inner\":null,\"vocab_size\":50257" },
  { "GPT-2 XL", NULL, 1557611200.0, 0,
    "\"model_type\":\"gpt2\",\"n_embd\":1600,\"n_layer\":48,\"n_head\":25,"
    "\"n_positions\":1024,\"vocab_size\":50257" },
  { "BLOOM", "bloom-176b", 176247271424.0, 0,
    "\"model_type\":\"bloom\",\"n_embed\":14336,\"n_layer\":70,\"num_attention_heads\":112,"
    "\"vocab_size\":250880" },
  /* The output layer is the embedding's weight. */
  { "Falcon 7B", NULL, 6921720704.0, 0,
    "\"model_type\":\"falcon\",\"alibi\":false,\"bias\":false,\"hidden_size\":4544,"
    "\"multi_query\":true,\"new_decoder_architecture\":false,\"num_attention_heads\":71,"
    "\"num_hidden_layers\":32,\"parallel_attn\":true,\"vocab_size\":65024" },
  { "Falcon 40B", NULL, 41303293952.0, 0,
    "\"model_type\":\"falcon\",\"bias\":false,\"hidden_size\":8192,\"multi_query\":true,"
    "\"new_decoder_architecture\":true,\"num_attention_heads\":128,\"num_kv_heads\":8,"
    "\"num_hidden_layers\":60,\"vocab_size\":65024" },
  { "OPT 6.7B", NULL, 6658473984.0, 0,
    "\"model_type\":\"opt\",\"ffn_dim\":16384,\"hidden_size\":4096,"
    "\"max_position_embeddings\":2048,\"num_attention_heads\":32,\"num_hidden_layers\":32,"
    "\"vocab_size\":50272" },
  /* Black et al. 2022, arXiv 2204.06745, section 2.1 and its table. */
  { "GPT-NeoX 20B", NULL, 20554567680.0, 0,
    "\"model_type\":\"gpt_neox\",\"hidden_size\":6144,\"intermediate_size\":24576,"
    "\"num_attention_heads\":64,\"num_hidden_layers\":44,\"tie_word_embeddings\":false,"
    "\"vocab_size\":50432" },
  /* The cards list 109 and 400 billion parameters with the tower of images, and 17 billion
   * active. */
  { "Llama 4 Scout", "llama4-scout", 107769861120.0, 17,
    "\"model_type\":\"llama4\",\"text_config\":{\"model_type\":\"llama4_text\","
    "\"hidden_size\":5120,\"intermediate_size\":8192,\"intermediate_size_mlp\":16384,"
    "\"num_attention_heads\":40,\"num_hidden_layers\":48,\"num_key_value_heads\":8,"
    "\"head_dim\":128,\"num_local_experts\":16,\"num_experts_per_tok\":1,"
    "\"interleave_moe_layer_step\":1,\"vocab_size\":202048}" },
  { "MiniMax-M2", "minimax-m2", 228689761280.0, 0,
    "\"model_type\":\"minimax_m2\",\"hidden_size\":3072,\"intermediate_size\":1536,"
    "\"num_attention_heads\":48,\"num_hidden_layers\":62,\"num_key_value_heads\":8,"
    "\"head_dim\":128,\"num_local_experts\":256,\"num_experts_per_tok\":8,\"use_qk_norm\":true,"
    "\"vocab_size\":200064" },
  { "Llama 4 Maverick", "llama4-maverick", 400711848960.0, 17,
    "\"model_type\":\"llama4\",\"text_config\":{\"model_type\":\"llama4_text\","
    "\"attention_chunk_size\":8192,\"hidden_size\":5120,\"intermediate_size\":8192,"
    "\"intermediate_size_mlp\":16384,\"num_attention_heads\":40,\"num_hidden_layers\":48,"
    "\"num_key_value_heads\":8,\"head_dim\":128,\"num_local_experts\":128,"
    "\"num_experts_per_tok\":1,\"interleave_moe_layer_step\":2,\"vocab_size\":202048}" },
  { "gpt-oss 120B", "gpt-oss-120b", 116829156672.0, 0,
    "\"model_type\":\"gpt_oss\",\"hidden_size\":2880,\"intermediate_size\":2880,"
    "\"num_attention_heads\":64,\"num_hidden_layers\":36,\"num_key_value_heads\":8,"
    "\"head_dim\":64,\"num_local_experts\":128,\"num_experts_per_tok\":4,\"sliding_window\":128,"
    "\"attention_bias\":true,\"vocab_size\":201088" },
  { "Phi-3 mini", NULL, 3821079552.0, 0,
    "\"model_type\":\"phi3\",\"hidden_size\":3072,\"intermediate_size\":8192,"
    "\"num_attention_heads\":32,\"num_hidden_layers\":32,\"num_key_value_heads\":32,"
    "\"vocab_size\":32064" },
  { "MPT 7B", NULL, 6649286656.0, 0,
    "\"model_type\":\"mpt\",\"d_model\":4096,\"expansion_ratio\":4,\"max_seq_len\":2048,"
    "\"n_heads\":32,\"n_layers\":32,\"no_bias\":true,\"vocab_size\":50432" },
};

/* A plan omits norms of queries and keys, biases of some products, and a third and fourth norm:
 * less than a thousandth. */
static void
test_published (Fixture *fixture, gconstpointer data)
{
  for (guint i = 0; i < G_N_ELEMENTS (models); i++)
    {
      g_autofree char *text = g_strdup_printf ("{%s}", models[i].config);
      g_autoptr (GError) error = NULL;
      g_autoptr (PlgImportResult) read = import (fixture, text, &error);
      double total, active;

      if (read == NULL)
        g_error ("%s: %s", models[i].name, error->message);
      g_assert_cmpstr (read->format->name, ==, "hf");
      total = plg_parameters_total (&read->plan->model);
      active = plg_parameters_active (&read->plan->model) / 1e9;
      if (fabs (total / models[i].total - 1.0) > 0.001)
        g_error ("%s has %.0f parameters, not %.0f", models[i].name, total, models[i].total);
      if (models[i].active > 0 && fabs (active / models[i].active - 1.0) > 0.03)
        g_error ("%s uses %.2f parameters, not %.2f", models[i].name, active, models[i].active);
      g_assert_cmpstr (read->plan->model.name, ==,
                       models[i].catalogue != NULL ? models[i].catalogue : "custom");
      g_assert_true (plg_plan_check (read->plan, NULL));
    }
}

#define SMALL                                                                                   \
  "\"hidden_size\": 64, \"num_hidden_layers\": 4, \"num_attention_heads\": 8, \"vocab_size\": " \
  "100, \"intermediate_size\": 128"
#define LLAMA "{\"model_type\": \"llama\", " SMALL

static const struct
{
  const char *text;
  const char *error;
} broken[] = {
  { "{\n\"model_type\": \"llama\"", "config.json:2: The file ends before the “{” on line 1" },
  { "{\"model_type\": \"llama\"}", "config.json:1: num_hidden_layers is missing" },
  { "{\"model_type\": 7}", "config.json:1: model_type is 7; it must be a string" },
  { "{\"model_type\": \"t5\",\n\"is_encoder_decoder\": true}",
    "config.json:2: is_encoder_decoder is true, so this model has an encoder and a decoder. A plan "
    "describes a single stack of decoder layers; choose a decoder-only model" },
  { "{\"model_type\": \"new\",\n\"num_decoder_layers\": 24, " SMALL "}",
    "config.json:2: num_decoder_layers is 24, so this model has an encoder and a decoder." },
  { "{\n\"model_type\": \"t5\", " SMALL "}",
    "config.json:2: model_type is “t5”, so this model has an encoder and a decoder." },
  { "{\"model_type\":\n\"whisper\", \"is_encoder_decoder\": false, " SMALL "}",
    "config.json:2: model_type is “whisper”, so this model has an encoder and a decoder." },
  { "{\"architectures\": [\"NewForConditionalGeneration\"],\n\"d_kv\": 64, " SMALL "}",
    "config.json:2: d_kv is 64, so this model has an encoder and a decoder." },
  { "{\"architectures\": [\"T5ForConditionalGeneration\"], " SMALL "}",
    "config.json:1: architectures is “T5ForConditionalGeneration”, so this model has an encoder and "
    "a decoder." },
  { "{\"architectures\": [\"M2M100ForConditionalGeneration\"], " SMALL "}",
    "config.json:1: architectures is “M2M100ForConditionalGeneration”, so this model has an encoder "
    "and a decoder." },
  { "{\"architectures\": [\"BertModel\"], " SMALL "}",
    "config.json:1: architectures is “BertModel”, so this model is an encoder" },
  { "{\"architectures\": [\"XLMRobertaForSequenceClassification\"], " SMALL "}",
    "config.json:1: architectures is “XLMRobertaForSequenceClassification”, so this model is an "
    "encoder" },
  { "{\"model_type\": \"nezha\", " SMALL "}",
    "config.json:1: model_type is “nezha”, so this model is an encoder" },
  { "{\"model_type\": \"perceiver\", " SMALL "}",
    "config.json:1: model_type is “perceiver”, so this model is an encoder" },
  { "{\"model_type\": \"qwen3_next\", " SMALL "}",
    "config.json:1: linear_num_value_heads is missing; a plan needs it." },
  { "{\"model_type\": \"qwen3_next\",\n\"full_attention_interval\": 0, " SMALL "}",
    "config.json:2: full_attention_interval is 0; it must be at least 1." },
  { "{\"model_type\": \"qwen3_next\",\n\"layer_types\": [\"mamba\"], " SMALL "}",
    "config.json:2: layer_types has “mamba”, a kind of layer that a plan of this model cannot have." },
  { "{\"model_type\": \"qwen3_next\",\n\"layer_types\": [], " SMALL "}",
    "config.json:2: layer_types has 0 entries for 4 layers; it must have one for each layer." },
  { "{\"model_type\": \"nemotron_h\", " SMALL "}",
    "config.json:1: The file does not say which layers have attention; add layers_block_type." },
  { "{\"model_type\": \"nemotron_h\",\n\"moe_latent_size\": 1024, " SMALL "}",
    "config.json:2: moe_latent_size is 1024, so experts process compressed tokens." },
  { "{\"model_type\": \"nemotron_h\",\n\"hybrid_override_pattern\": \"MX*-\", " SMALL "}",
    "config.json:2: hybrid_override_pattern has “MX*-”, a kind of layer" },
  { "{\"model_type\": \"nemotron_h\",\n\"hybrid_override_pattern\": \"M-*E\", " SMALL "}",
    "config.json:2: hybrid_override_pattern has 1 MLP layers and 1 layers with experts." },
  { "{\"model_type\": \"nemotron_h\",\n\"hybrid_override_pattern\": \"*-*-\", " SMALL "}",
    "config.json:2: hybrid_override_pattern has neither Mamba-2 nor gated delta nets." },
  { "{\"model_type\": \"nemotron_h\",\n\"layers_block_type\": [\"mamba\", 7], " SMALL "}",
    "config.json:2: " },
  { "{\"model_type\": \"kimi_linear\", " SMALL "}",
    "config.json:1: model_type is “kimi_linear”, so some layers have neither attention nor a mixer "
    "that a plan supports: Mamba-2 or a gated delta net, in models of a type that is known." },
  { "{\"model_type\": \"jamba\", " SMALL "}", "config.json:1: model_type is “jamba”" },
  { "{\"model_type\": \"new_vl\",\n\"text_config\": {\"model_type\": \"qwen3_5_text\", " SMALL "}}",
    "config.json:2: linear_num_value_heads is missing" },
  { LLAMA ",\n\"full_attention_interval\": 4}", "config.json:2: full_attention_interval is 4, so" },
  { LLAMA ",\n\"attn_type_list\": [1, 0, 1, 0]}", "config.json:2: attn_type_list is 0, so" },
  { LLAMA ", \"sliding_window\": 8,\n\"layer_types\": [\"full_attention\", \"linear_attention\"]}",
    "config.json:2: layer_types is “linear_attention”, so" },
  { LLAMA ",\n\"layers_block_type\": [\"mamba\", \"attention\"]}",
    "config.json:2: layers_block_type is “mamba”, so" },
  { LLAMA ",\n\"layer_types\": [\"sliding_attention\"]}",
    "config.json:1: sliding_window is missing" },
  { LLAMA ",\n\"sliding_window\": \"x\"}", "config.json:2: sliding_window is “x”" },
  { LLAMA ", \"architectures\": [\"BartForConditionalGeneration\"],\n\"encoder_layers\": 6}",
    "config.json:2: encoder_layers is 6, so this model has an encoder and a decoder." },
  { LLAMA ",\n\"is_encoder_decoder\": \"false\"}",
    "config.json:2: is_encoder_decoder is “false”; it must be true or false." },
  /* BLIP-2 with Flan-T5 */
  { "{\"model_type\": \"blip-2\",\n\"text_config\": {\"model_type\": \"t5\", " SMALL "}}",
    "config.json:2: model_type is “t5”, so this model has an encoder and a decoder." },
  { "{\"model_type\": \"blip-2\", \"text_config\": {\"model_type\": \"llama\",\n"
    "\"is_encoder_decoder\": true, " SMALL "}}",
    "config.json:2: is_encoder_decoder is true, so this model has an encoder and a decoder." },
  { "{\"model_type\":\n\"bert\", \"architectures\": [\"BertForMaskedLM\"], " SMALL "}",
    "config.json:2: model_type is “bert”, so this model is an encoder. A plan describes a "
    "single stack of decoder layers; choose a decoder-only model" },
  { "{\"model_type\": \"xlm-roberta\", \"is_decoder\": false, " SMALL "}",
    "config.json:1: model_type is “xlm-roberta”, so this model is an encoder" },
  { "{\"model_type\": \"longformer\", " SMALL "}",
    "config.json:1: model_type is “longformer”, so this model is an encoder" },
  { "{\"model_type\": \"new\", \"architectures\": [7,\n\"NewForMaskedLM\"], " SMALL "}",
    "config.json:2: architectures is “NewForMaskedLM”, so this model is an encoder" },
  { "{\"model_type\": \"clip\",\n\"text_config\": {\"model_type\": \"clip_text_model\", " SMALL
    "}}",
    "config.json:2: model_type is “clip_text_model”, so this model is an encoder" },
  { "{\"model_type\": \"bert\",\n\"is_decoder\": 1, " SMALL "}",
    "config.json:2: is_decoder is 1; it must be true or false." },
  { "{\"model_type\": \"mamba2\",\n\"state_size\": 128, " SMALL "}",
    "config.json:2: This model has state-space layers (state_size), but its type is not one of the "
    "hybrid types that a plan supports, such as nemotron_h." },
  { "{\"num_hidden_layers\": \"x\"}",
    "config.json:1: num_hidden_layers is “x”; it must be a whole number." },
  { "{\n\"num_hidden_layers\": 1.5}",
    "config.json:2: num_hidden_layers is 1.5; it must be a whole number." },
  { "{\n\"num_hidden_layers\": 0}", "config.json:2: num_hidden_layers: " },
  { "{\n\"num_hidden_layers\": 1e15}", "config.json:2: num_hidden_layers: " },
  { "{\"n_layer\": 2,\n\"n_embd\": -1}", "config.json:2: n_embd: " },
  { "{\"text_config\": {\"model_type\": \"llama\",\n\"n_layers\": 2,\n\"d_model\": 0}}",
    "config.json:3: d_model: “0” is not allowed" },
  { "{\"n_layer\": 2, \"n_embd\": 1048576,\n\"n_head\": 1}", "config.json: head_dim: " },
  { LLAMA ", \"n_routed_experts\": 8,\n\"num_experts_per_tok\": 2,\n\"moe_layer_freq\": 0}",
    "moe_layer_freq is 0; it must be at least 1" },
  { LLAMA ",\n\"num_experts\": -8}", ": num_experts: “-8” is not allowed" },
  { "{\n\"num_hidden_layers\": -1}", "config.json:2: num_hidden_layers: " },
  { "{\n\"num_hidden_layers\": 12,\n\"n_layer\": 24}",
    "config.json:3: n_layer contradicts num_hidden_layers on line 2; remove one." },
  { "{\"model_type\": \"llama\", \"num_hidden_layers\": 2, \"hidden_size\": 4096,\n"
    "\"num_attention_heads\": 31, \"intermediate_size\": 8, \"vocab_size\": 10}",
    "config.json:2: 31 heads do not evenly divide the hidden size 4096; add head_dim to the file" },
  { "{\"text_config\": 5}", "config.json:1: text_config is 5; it must be a block" },
  { "{\"model_type\": \"llama4\", \"text_config\": {}}",
    "config.json:1: num_hidden_layers is missing" },
  { "{\n\"text_config\": {\"model_type\": \"new\", \"num_hidden_layers\": 2}}",
    "config.json:2: hidden_size is missing, and transformers' default for this model type is "
    "unknown. Add \"" },
  { "{\"model_type\": \"llama\", \"hidden_size\": 4096, \"num_attention_heads\": 32,\n"
    "\"intermediate_size\": 8, \"vocab_size\": 10}",
    "config.json:1: num_hidden_layers is missing; a plan needs it" },
  { "{\"architectures\": [\"X\"],\n\"text_config\": {" SMALL "}}",
    "config.json:2: text_config has no model_type" },
  { "{\"model_type\": \"sees-too\",\n\"llm_config\": {" SMALL "}}",
    "config.json:2: llm_config has no model_type" },
  /* An unknown type of the whole model does not affect its text model. */
  { "{\"model_type\": \"sees-too\",\n\"text_config\": {" SMALL "}}",
    "config.json:2: text_config has no model_type" },
  { LLAMA ",\n\"num_key_value_heads\": 3}", "KV heads" },
  { LLAMA ",\n\"num_key_value_heads\": {}}", "config.json:2: num_key_value_heads is a block" },
  { LLAMA ",\n\"head_dim\": 1e300}", "config.json:2: head_dim is 1e300" },
  { LLAMA ",\n\"tie_word_embeddings\": \"yes\"}",
    "config.json:2: tie_word_embeddings is “yes”; it must be true or false." },
  { LLAMA ",\n\"num_experts\": 8}", "config.json:1: num_experts_per_tok is missing" },
  { LLAMA ",\n\"num_experts\": 8, \"num_experts_per_tok\": 9}", "A token cannot go to 9 of 8" },
  { LLAMA ",\n\"num_experts\": 8, \"num_experts_per_tok\": 2,\n\"decoder_sparse_step\": 0}",
    "config.json:3: decoder_sparse_step is 0; it must be at least 1" },
  { LLAMA ",\n\"num_experts\": 8, \"num_experts_per_tok\": 2,\n\"mlp_only_layers\": \"all\"}",
    "config.json:3: mlp_only_layers is “all”; it must be a list" },
  { LLAMA ",\n\"kv_lora_rank\": 16}", "config.json:1: qk_rope_head_dim is missing" },
  { "{\"model_type\": \"gpt2\", \"n_embd\": 64, \"n_layer\": 2, \"n_head\": 8, \"vocab_size\": 10}",
    "config.json:1: max_position_embeddings is missing" },
  { LLAMA ",\n\"hidden_size\": 5}", "config.json:2: hidden_size occurs twice, first on line 1" },
};

static void
test_broken (Fixture *fixture, gconstpointer data)
{
  for (guint i = 0; i < G_N_ELEMENTS (broken); i++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (PlgImportResult) read = import (fixture, broken[i].text, &error);

      if (read != NULL || strstr (error->message, broken[i].error) == NULL)
        g_error ("%s: %s, not %s", broken[i].text, read != NULL ? "read" : error->message,
                 broken[i].error);
    }
}

/* Models with Mamba-2 or gated delta nets. */
#define NEMOTRON                                                                              \
  "{\"model_type\": \"nemotron_h\", \"hidden_size\": 2688, \"num_attention_heads\": 32, "     \
  "\"num_key_value_heads\": 2, \"attention_head_dim\": 128, \"vocab_size\": 131072, "         \
  "\"intermediate_size\": 1856, \"n_routed_experts\": 128, \"num_experts_per_tok\": 6, "      \
  "\"moe_intermediate_size\": 1856, \"n_shared_experts\": 1, \"ssm_state_size\": 128, "       \
  "\"moe_shared_expert_intermediate_size\": 3712, \"mamba_num_heads\": 64, \"n_groups\": 8, " \
  "\"mamba_head_dim\": 64, \"conv_kernel\": 4, "
#define GRANITE                                                                                  \
  "{\"model_type\": \"granitemoehybrid\", \"hidden_size\": 4096, \"num_attention_heads\": 32, "  \
  "\"num_key_value_heads\": 8, \"vocab_size\": 100352, \"intermediate_size\": 768, "             \
  "\"num_local_experts\": 72, \"num_experts_per_tok\": 10, \"shared_intermediate_size\": 1536, " \
  "\"mamba_n_heads\": 128, \"mamba_d_head\": 64, \"mamba_n_groups\": 1, "                        \
  "\"mamba_d_state\": 128, \"mamba_d_conv\": 4, \"tie_word_embeddings\": true, "
#define QWEN                                                                                     \
  "{\"model_type\": \"qwen3_next\", \"hidden_size\": 2048, \"num_attention_heads\": 16, "        \
  "\"num_key_value_heads\": 2, \"head_dim\": 256, \"vocab_size\": 151936, "                      \
  "\"intermediate_size\": 5120, \"num_experts\": 512, \"num_experts_per_tok\": 10, "             \
  "\"moe_intermediate_size\": 512, \"shared_expert_intermediate_size\": 512, "                   \
  "\"linear_num_value_heads\": 32, \"linear_num_key_heads\": 16, \"linear_key_head_dim\": 128, " \
  "\"linear_value_head_dim\": 128, \"linear_conv_kernel_dim\": 4, \"num_hidden_layers\": 48"

static void
assert_note (const PlgImportResult *read, PlgNoteKind kind, const char *expected)
{
  g_autofree char *text = plg_import_result_text (read, 1u << kind);

  if (text == NULL || strstr (text, expected) == NULL)
    g_error ("“%s” is not in: %s", expected, text);
}

static void
test_hybrids (Fixture *fixture, gconstpointer data)
{
  static const struct
  {
    const char *text;
    const char *name;
    double parameters;
    PlgMixer mixer;
    int attention, mlps, experts;
    const char *understood;
  } cases[] = {
    { NEMOTRON "\"num_hidden_layers\": 52, \"hybrid_override_pattern\": "
               "\"MEMEM*EMEMEM*EMEMEM*EMEMEM*EMEMEM*EMEMEMEM*EMEMEMEME\"}",
      "nemotron-3-nano-30b-a3b", 31577937344.0, PLG_MIXER_MAMBA2, 6, 23, 128 },
    { NEMOTRON "\"num_hidden_layers\": 4, \"layers_block_type\": "
               "[\"mamba\", \"mlp\", \"attention\", \"mlp\"]}",
      "custom", 0.0, PLG_MIXER_MAMBA2, 1, 2, 0 },
    { GRANITE "\"num_hidden_layers\": 4, \"layer_types\": "
              "[\"mamba\", \"mamba\", \"attention\", \"mamba\"]}",
      "custom", 0.0, PLG_MIXER_MAMBA2, 1, 0, 72 },
    { GRANITE "\"num_hidden_layers\": 2, \"layer_types\": [\"attention\", \"attention\"]}",
      "custom", 0.0, PLG_MIXER_NONE, 0, 0, 72 },
    { QWEN "}", "qwen3-next-80b-a3b", 79674391296.0 - 104448.0, PLG_MIXER_GATED_DELTA_NET, 12, 0,
      512 },
    { QWEN ", \"full_attention_interval\": 6, \"attn_output_gate\": false}", "custom", 0.0,
      PLG_MIXER_GATED_DELTA_NET, 8, 0, 512 },
    { "{\"model_type\": \"bamba\", \"attn_layer_indices\": [1, 3], \"mamba_n_heads\": 16, "
      "\"mamba_d_head\": 64, \"mamba_n_groups\": 8, \"mamba_d_state\": 128, \"mamba_d_conv\": 4, " SMALL
      "}",
      "custom", 0.0, PLG_MIXER_MAMBA2, 2, 0, 0 },
    { QWEN ",\n\"attn_output_gate\": true}", "qwen3-next-80b-a3b", 0.0, PLG_MIXER_GATED_DELTA_NET,
      12, 0, 512, "config.json:2: Gated attention: on" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (PlgImportResult) read = import (fixture, cases[i].text, &error);
      const PlgTransformer *model;

      g_test_message ("case %u", i);
      g_assert_no_error (error);
      model = &read->plan->model;
      g_assert_cmpstr (model->name, ==, cases[i].name);
      g_assert_cmpint (model->mixer, ==, cases[i].mixer);
      g_assert_cmpint (model->attention_layers, ==, cases[i].attention);
      g_assert_cmpint (model->mlp_layers, ==, cases[i].mlps);
      g_assert_cmpint (model->experts, ==, cases[i].experts);
      if (cases[i].understood != NULL)
        assert_note (read, PLG_NOTE_UNDERSTOOD, cases[i].understood);
      if (cases[i].parameters > 0.0)
        g_assert_cmpfloat (plg_parameters_total (model), ==, cases[i].parameters);
    }
}

/* Decoders that a file could present as encoders. */
static void
test_decoders (Fixture *fixture, gconstpointer data)
{
  static const char *const decoders[] = {
    LLAMA ", \"is_encoder_decoder\": false, \"architectures\": [\"LlamaForCausalLM\"]}",
    "{\"model_type\": \"bert\", \"is_decoder\": true, \"architectures\": [\"BertLMHeadModel\"], " SMALL
    "}",
    "{\"model_type\": \"modernbert-decoder\", " SMALL "}",
    "{\"architectures\": [\"BertLMHeadModel\"], \"is_decoder\": true, " SMALL "}",
    "{\"architectures\": [\"BertGenerationDecoder\"], " SMALL "}",
    "{\"model_type\": \"opt\", \"encoder_layers\": 0, \"max_position_embeddings\": 2048, " SMALL
    "}",
    "{\"model_type\": \"granitemoehybrid\", \"mamba_d_state\": 128, \"layer_types\": "
    "[\"attention\", \"attention\", \"attention\", \"attention\"], " SMALL "}",
    /* Images and sound have encoders outside the decoder of the text. */
    "{\"model_type\": \"llava\", \"architectures\": [\"LlavaForConditionalGeneration\"], "
    "\"is_encoder_decoder\": false, \"vision_config\": {\"model_type\": \"clip_vision_model\"}, "
    "\"text_config\": {\"model_type\": \"llama\", " SMALL "}}",
    "{\"model_type\": \"qwen2_audio\", \"architectures\": [\"Qwen2AudioForConditionalGeneration\"], "
    "\"audio_config\": {\"model_type\": \"qwen2_audio_encoder\", \"encoder_layers\": 32}, "
    "\"text_config\": {\"model_type\": \"qwen2\", \"num_key_value_heads\": 8, " SMALL "}}",
  };

  for (guint i = 0; i < G_N_ELEMENTS (decoders); i++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (PlgImportResult) read = import (fixture, decoders[i], &error);

      g_assert_no_error (error);
      g_assert_cmpint (read->plan->model.layers, ==, 4);
    }
}

static void
test_notes (Fixture *fixture, gconstpointer data)
{
  g_autoptr (PlgImportResult)
                 read = import (fixture,
                                LLAMA ",\n\"max_position_embeddings\": 2048,\n\"bos_token_id\""
                                      ": 1, \"rope_theta\": 1e4}",
                                NULL);

  assert_note (read, PLG_NOTE_UNDERSTOOD, "config.json:1: Layers: 4");
  assert_note (read, PLG_NOTE_INFERRED,
               "KV heads: 8. Not in the file, so it is assumed to be the number of query heads.");
  assert_note (read, PLG_NOTE_INFERRED, "config.json:2: Sequence length: 2048 tokens.");
  assert_note (read, PLG_NOTE_INFERRED, "Parameters: ");
  assert_note (read, PLG_NOTE_IGNORED,
               "config.json:3: Not part of a plan: bos_token_id, rope_theta.");
  g_assert_cmpint (read->plan->training.sequence, ==, 2048);
  g_assert_cmpstr (read->plan->model.title, ==, "Custom");
}

/* A nested model takes omitted values from its class, with a note; null is not a default of a
 * class. */
static void
test_defaults (Fixture *fixture, gconstpointer data)
{
  static const char *const inferred[] = {
    "config.json:2: Layers: 32. Not in the file, so transformers' default for qwen2 is used.",
    "config.json:2: MLP size: 22016. Not in the file, so transformers' default for qwen2 is used.",
    "Vocabulary: 151936. Not in the file, so transformers' default for qwen2 is used.",
    "KV heads: 16. Not in the file, so it is assumed to be the number of query heads."
  };
  g_autoptr (PlgImportResult) read = import (fixture,
                                             "{\"model_type\": \"sees-too\",\n\"text_config\": {\n"
                                             "\"model_type\": \"qwen2\", \"hidden_size\": 2048,\n"
                                             "\"num_attention_heads\": 16,\n"
                                             "\"num_key_value_heads\": null}}",
                                             NULL);

  for (guint i = 0; i < G_N_ELEMENTS (inferred); i++)
    assert_note (read, PLG_NOTE_INFERRED, inferred[i]);
  assert_note (read, PLG_NOTE_UNDERSTOOD, "config.json:3: Hidden size: 2048");
}

static void
test_default_experts (Fixture *fixture, gconstpointer data)
{
  g_autoptr (PlgImportResult)
                 read = import (fixture, "{\"text_config\": {\"model_type\": \"qwen2_moe\"}}",
                                NULL);

  g_assert_cmpint (read->plan->model.experts, ==, 60);
  g_assert_cmpint (read->plan->model.top_k, ==, 4);
  g_assert_cmpint (read->plan->model.expert_ffn, ==, 1408);
  g_assert_cmpint (read->plan->model.shared_experts, ==, 4);
  assert_note (read, PLG_NOTE_INFERRED,
               "Not in the file, so transformers' default for qwen2_moe "
               "is used.");
}

/* Windows, and the layers without a window, by a list, a period or the type. */
static void
test_attention (Fixture *fixture, gconstpointer data)
{
  static const struct
  {
    const char *type;
    const char *members;
    int window, every;
    gboolean is_chunked;
    const char *says; /* NULL: no note */
  } cases[] = {
    { "mistral", "\"sliding_window\": 4096", 4096, 0, FALSE,
      "Models of this type have this value." },
    { "new", "\"sliding_window\": 4096", 4096, 0, FALSE,
      "The file does not say which layers have the window, so all layers have it." },
    { "mistral", "\"sliding_window\": null", 0, 0, FALSE, NULL },
    { "mistral", "\"sliding_window\": 4096, \"use_sliding_window\": false", 0, 0, FALSE, NULL },
    { "gpt_oss", "\"sliding_window\": 128", 128, 2, FALSE, NULL },
    { "gpt_oss",
      "\"sliding_window\": 128, \"layer_types\": [\"sliding_attention\", \"full_attention\", "
      "\"sliding_attention\", \"full_attention\"]",
      128, 2, FALSE, NULL },
    { "gemma2", "\"sliding_window\": 1024", 1024, 2, FALSE, NULL },
    { "gemma3_text", "\"sliding_window\": 1024, \"sliding_window_pattern\": 3", 1024, 3, FALSE,
      NULL },
    { "exaone4", "\"sliding_window\": 4096, \"sliding_window_pattern\": \"LLLG\"", 4096, 4, FALSE,
      NULL },
    { "qwen2", "\"sliding_window\": 4096, \"max_window_layers\": 2", 0, 0, FALSE, NULL },
    { "qwen2", "\"sliding_window\": 4096, \"max_window_layers\": 2, \"use_sliding_window\": true",
      4096, 2, FALSE,
      "2 of 4 layers see the whole sequence, at irregular places. A plan has only every n-th layer, here 2 layers." },
    { "qwen2", "\"sliding_window\": 4096, \"max_window_layers\": 3, \"use_sliding_window\": true",
      4096, 1, FALSE,
      "3 of 4 layers see the whole sequence, at irregular places. A plan has only every n-th layer, here 4 layers." },
    { "llama", "\"layer_types\": [\"full_attention\", \"full_attention\"]", 0, 0, FALSE, NULL },
    { "minimax_m2", "\"attn_type_list\": [1, 1, 1, 1]", 0, 0, FALSE, NULL },
    { "llama", "\"full_attention_interval\": 1", 0, 0, FALSE, NULL },
    { "llama4", "\"attention_chunk_size\": 8192", 8192, 4, TRUE, NULL },
    { "llama4", "\"attention_chunk_size\": 8192, \"no_rope_layer_interval\": 2", 8192, 2, TRUE,
      NULL },
    { "llama4", "\"attention_chunk_size\": 8192, \"no_rope_layers\": [1, 1, 0, 1]", 8192, 3, TRUE,
      NULL },
    { "llama4",
      "\"attention_chunk_size\": 8192, \"layer_types\": [\"chunked_attention\", "
      "\"full_attention\", \"chunked_attention\", \"full_attention\"]",
      8192, 2, TRUE, NULL },
    { "llama4", "\"attention_chunk_size\": null", 0, 0, FALSE, NULL },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *text = g_strdup_printf ("{\"model_type\": \"%s\", " SMALL ",\n%s}",
                                               cases[i].type, cases[i].members);
      g_autoptr (GError) error = NULL;
      g_autoptr (PlgImportResult) read = import (fixture, text, &error);

      g_assert_no_error (error);
      g_test_message ("%s", text);
      g_assert_cmpint (read->plan->model.window, ==, cases[i].window);
      g_assert_cmpint (read->plan->model.full_attention_every, ==, cases[i].every);
      g_assert_cmpint (read->plan->model.window_chunked, ==, cases[i].is_chunked);
      if (cases[i].says != NULL)
        assert_note (read, PLG_NOTE_INFERRED, cases[i].says);
    }
}

/* A list of layers with a wrong length, and a window below zero. */
static void
test_wrong_windows (Fixture *fixture, gconstpointer data)
{
  static const struct
  {
    const char *members;
    int window;
    const char *says;
  } cases[] = {
    { "\"sliding_window\": 128, \"layer_types\": [\"sliding_attention\", \"full_attention\"]", 128,
      "config.json:2: layer_types has 2 entries for 4 layers, so the plan may have windows in the "
      "wrong layers." },
    { "\"layer_types\": [\"full_attention\", \"full_attention\", \"full_attention\", "
      "\"full_attention\", \"full_attention\"]",
      0, "config.json:2: layer_types has 5 entries for 4 layers" },
    { "\"sliding_window\": -5", 0,
      "config.json:2: sliding_window is -5. A window has at least 1 token, so the plan has none." },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *text = g_strdup_printf ("{\"model_type\": \"mistral\", " SMALL ",\n%s}",
                                               cases[i].members);
      g_autoptr (GError) error = NULL;
      g_autoptr (PlgImportResult) read = import (fixture, text, &error);

      g_assert_no_error (error);
      g_assert_cmpint (read->plan->model.window, ==, cases[i].window);
      assert_note (read, PLG_NOTE_IGNORED, cases[i].says);
    }
}

/* The indexer of DeepSeek V3.2 needs its heads, and GLM-5.2 has it in every fourth layer. */
static void
test_sparse_attention (Fixture *fixture, gconstpointer data)
{
  g_autoptr (PlgImportResult)
                 read = import (fixture,
                                "{\"model_type\": \"deepseek_v32\", \"index_topk\": 2048, "
                                "\"index_n_heads\": 64, \"index_head_dim\": 128, "
                                "\"index_topk_freq\": 4, \"layer_types\": "
                                "[\"deepseek_sparse_attention\"], " SMALL "}",
                                NULL);
  g_autoptr (PlgImportResult)
                 shared = import (fixture,
                                  "{\"model_type\": \"glm_moe_dsa\", \"index_topk\": 2048, "
                                  "\"index_n_heads\": 32, \"index_head_dim\": 128, "
                                  "\"index_topk_freq\": 4, \"indexer_types\": "
                                  "[\"full\", \"shared\", \"shared\"], " SMALL "}",
                                  NULL);
  g_autoptr (GError) error = NULL;

  g_assert_cmpint (read->plan->model.index_heads, ==, 64);
  g_assert_cmpint (read->plan->model.index_dim, ==, 128);
  g_assert_cmpint (read->plan->model.index_top_k, ==, 2048);
  assert_note (read, PLG_NOTE_IGNORED,
               "config.json:1: index_topk_freq: only one in 4 layers has an indexer, but");
  assert_note (shared, PLG_NOTE_IGNORED,
               "config.json:1: indexer_types: 2 of 3 layers have no indexer");
  g_assert_null (import (fixture,
                         "{\"model_type\": \"deepseek_v32\", \"index_topk\": 2048, " SMALL "}",
                         &error));
  g_assert_nonnull (strstr (error->message, "index_n_heads is missing"));
}

/* A model of images or sound is read as its model of text. */
static void
test_encoders_of_images (Fixture *fixture, gconstpointer data)
{
  g_autoptr (PlgImportResult) read =
                 import (fixture,
                         "{\"model_type\": \"llava\", \"vision_config\": {\"hidden_size\": 1152},\n"
                         "\"text_config\": {\"model_type\": \"llama\", " SMALL "}}",
                         NULL);

  g_assert_cmpint (read->plan->model.layers, ==, 4);
  assert_note (read, PLG_NOTE_IGNORED,
               "config.json:1: vision_config: a plan has only the model of text, so the parameters "
               "and the time of this encoder are not counted.");
}

/* The sequence length of training is not the largest length that the model accepts. */
static void
test_long_positions (Fixture *fixture, gconstpointer data)
{
  g_autoptr (PlgPlan) base = plg_catalogue_default_plan (fixture->catalogue);
  g_autoptr (PlgImportResult)
                 read = import (fixture, LLAMA ",\n\"max_position_embeddings\": 131072}", NULL);

  g_assert_cmpint (read->plan->training.sequence, ==, base->training.sequence);
  assert_note (read, PLG_NOTE_IGNORED,
               "config.json:2: The model supports up to 131072 tokens per sequence");
}

/* No value of the open plan's model remains. */
static void
test_replaces_model (Fixture *fixture, gconstpointer data)
{
  g_autoptr (PlgPlan) base = plg_catalogue_default_plan (fixture->catalogue);
  g_autoptr (GBytes) bytes = g_bytes_new_static (LLAMA "}", strlen (LLAMA "}"));
  g_autoptr (PlgImportResult) read = NULL;
  g_autoptr (GError) error = NULL;

  base->model = *plg_catalogue_model (fixture->catalogue, "deepseek-v3");
  base->parallelism.degree[PLG_AXIS_EP] = 2;
  read = plg_format_read (bytes, "config.json", base, fixture->catalogue, &error);
  g_assert_no_error (error);
  g_assert_cmpint (read->plan->model.experts, ==, 0);
  g_assert_cmpint (read->plan->model.kv_rank, ==, 0);
  g_assert_cmpint (read->plan->model.mtp_layers, ==, 0);
  g_assert_cmpint (read->plan->parallelism.degree[PLG_AXIS_EP], ==, 1);
  assert_note (read, PLG_NOTE_INFERRED, "Expert (EP): 1.");
}

static void
test_dense_layers (Fixture *fixture, gconstpointer data)
{
  static const struct
  {
    const char *more;
    int dense, every;
    gboolean is_irregular;
  } cases[] = {
    { "", 0, 0, FALSE },
    { ", \"decoder_sparse_step\": 2", 1, 2, FALSE },
    { ", \"interleave_moe_layer_step\": 2", 1, 2, FALSE },
    { ", \"mlp_only_layers\": [0, 1, 1, 99, -3]", 2, 0, FALSE },
    { ", \"mlp_only_layers\": [3]", 1, 0, TRUE },
    { ", \"first_k_dense_replace\": 3, \"moe_layer_freq\": 1", 3, 0, FALSE },
    { ", \"first_k_dense_replace\": 4, \"moe_layer_freq\": 1", 4, 0, FALSE },
    { ", \"first_k_dense_replace\": 1, \"moe_layer_freq\": 2", 2, 2, FALSE },
    { ", \"moe_layer_freq\": 3", 0, 3, FALSE },
    { ", \"mlp_only_layers\": [1, 2]", 0, 3, FALSE },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *text = g_strdup_printf (LLAMA
                                               ", \"num_experts\": 8, \"num_experts_per_tok\": 2, "
                                               "\"moe_intermediate_size\": 32%s}",
                                               cases[i].more);
      g_autoptr (PlgImportResult) read = import (fixture, text, NULL);

      g_assert_cmpint (read->plan->model.dense_layers, ==, cases[i].dense);
      g_assert_cmpint (read->plan->model.moe_every, ==, cases[i].every);
      if (cases[i].is_irregular)
        assert_note (
            read, PLG_NOTE_INFERRED,
            "The file alternates layers with and without experts in a way that a plan "
            "cannot describe. The plan has all layers without experts first, so the totals "
            "are right, but the stages differ slightly.");
    }
}

/* The members of an unknown type suggest its properties, with a note. */
static void
test_unknown_type (Fixture *fixture, gconstpointer data)
{
  g_autoptr (PlgImportResult)
                 modern = import (fixture,
                                  "{\"model_type\": \"new<script>\", \"rms_norm_eps\": 1e-6, " SMALL
                                  "}",
                                  NULL);
  g_autoptr (PlgImportResult)
                 older = import (fixture, "{\"architectures\": [\"X\"], " SMALL "}", NULL);

  g_assert_true (modern->plan->model.gated && modern->plan->model.rms_norm);
  g_assert_false (older->plan->model.gated || older->plan->model.rms_norm);
  g_assert_true (older->plan->model.biases);
  assert_note (modern, PLG_NOTE_INFERRED, "This model type is unknown");
}

/* The longest possible list, over the largest number of layers, is read quickly. */
static void
test_long_list (Fixture *fixture, gconstpointer data)
{
  GString *text = g_string_new ("{\"model_type\": \"qwen3_moe\", \"hidden_size\": 64, "
                                "\"num_hidden_layers\": 10000, \"num_attention_heads\": 8, "
                                "\"vocab_size\": 100, \"intermediate_size\": 128, "
                                "\"num_experts\": 8, \"num_experts_per_tok\": 2, "
                                "\"moe_intermediate_size\": 32, \"mlp_only_layers\": [");
  g_autofree char *whole = NULL;
  g_autoptr (PlgImportResult) read = NULL;

  for (int i = 0; i < 500000; i++)
    g_string_append_printf (text, "%d,", i);
  g_string_append (text, "0]}");
  whole = g_string_free (text, FALSE);
  read = import (fixture, whole, NULL);
  g_assert_cmpint (read->plan->model.dense_layers, ==, 10000);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add ("/hf/published", Fixture, NULL, set_up, test_published, tear_down);
  g_test_add ("/hf/broken", Fixture, NULL, set_up, test_broken, tear_down);
  g_test_add ("/hf/decoders", Fixture, NULL, set_up, test_decoders, tear_down);
  g_test_add ("/hf/hybrids", Fixture, NULL, set_up, test_hybrids, tear_down);
  g_test_add ("/hf/attention", Fixture, NULL, set_up, test_attention, tear_down);
  g_test_add ("/hf/wrong-windows", Fixture, NULL, set_up, test_wrong_windows, tear_down);
  g_test_add ("/hf/sparse-attention", Fixture, NULL, set_up, test_sparse_attention, tear_down);
  g_test_add ("/hf/encoders-of-images", Fixture, NULL, set_up, test_encoders_of_images, tear_down);
  g_test_add ("/hf/notes", Fixture, NULL, set_up, test_notes, tear_down);
  g_test_add ("/hf/defaults", Fixture, NULL, set_up, test_defaults, tear_down);
  g_test_add ("/hf/default-experts", Fixture, NULL, set_up, test_default_experts, tear_down);
  g_test_add ("/hf/long-positions", Fixture, NULL, set_up, test_long_positions, tear_down);
  g_test_add ("/hf/replaces-model", Fixture, NULL, set_up, test_replaces_model, tear_down);
  g_test_add ("/hf/dense-layers", Fixture, NULL, set_up, test_dense_layers, tear_down);
  g_test_add ("/hf/unknown-type", Fixture, NULL, set_up, test_unknown_type, tear_down);
  g_test_add ("/hf/long-list", Fixture, NULL, set_up, test_long_list, tear_down);
  return g_test_run ();
}
