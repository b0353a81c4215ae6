/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "io/frameworks/model-type.h"

#include <string.h>

static const PlgModelType types[] = {
  { "bloom", FALSE, FALSE, PLG_BIASES_ALL, PLG_NO_POSITIONS, TRUE },
  { "codegen", FALSE, FALSE, PLG_BIASES_NONE, PLG_NO_POSITIONS, FALSE },
  { "cohere", TRUE, FALSE, PLG_BIASES_NONE, PLG_NO_POSITIONS, TRUE },
  { "deepseek_v2", TRUE, TRUE, PLG_BIASES_NONE, PLG_NO_POSITIONS, FALSE },
  { "deepseek_v3", TRUE, TRUE, PLG_BIASES_NONE, PLG_NO_POSITIONS, FALSE },
  { "falcon", FALSE, FALSE, PLG_BIASES_NONE, PLG_NO_POSITIONS, TRUE },
  { "gemma", TRUE, TRUE, PLG_BIASES_NONE, PLG_NO_POSITIONS, TRUE },
  { "gemma2", TRUE, TRUE, PLG_BIASES_NONE, PLG_NO_POSITIONS, TRUE },
  { "gemma3", TRUE, TRUE, PLG_BIASES_NONE, PLG_NO_POSITIONS, TRUE },
  { "gemma3_text", TRUE, TRUE, PLG_BIASES_NONE, PLG_NO_POSITIONS, TRUE },
  { "glm4_moe", TRUE, TRUE, PLG_BIASES_NONE, PLG_NO_POSITIONS, FALSE },
  { "gpt2", FALSE, FALSE, PLG_BIASES_ALL, 0, TRUE },
  { "gpt_bigcode", FALSE, FALSE, PLG_BIASES_ALL, 0, TRUE },
  { "gpt_neo", FALSE, FALSE, PLG_BIASES_ALL, 0, TRUE },
  { "gpt_neox", FALSE, FALSE, PLG_BIASES_ALL, PLG_NO_POSITIONS, FALSE },
  { "gpt_oss", TRUE, TRUE, PLG_BIASES_ALL, PLG_NO_POSITIONS, FALSE },
  { "granite", TRUE, TRUE, PLG_BIASES_NONE, PLG_NO_POSITIONS, FALSE },
  { "kimi_k2", TRUE, TRUE, PLG_BIASES_NONE, PLG_NO_POSITIONS, FALSE },
  { "llama", TRUE, TRUE, PLG_BIASES_NONE, PLG_NO_POSITIONS, FALSE },
  { "llama4", TRUE, TRUE, PLG_BIASES_NONE, PLG_NO_POSITIONS, FALSE, 1 },
  { "llama4_text", TRUE, TRUE, PLG_BIASES_NONE, PLG_NO_POSITIONS, FALSE, 1 },
  { "minimax", TRUE, TRUE, PLG_BIASES_NONE, PLG_NO_POSITIONS, FALSE },
  { "minimax_m1", TRUE, TRUE, PLG_BIASES_NONE, PLG_NO_POSITIONS, FALSE },
  { "mistral", TRUE, TRUE, PLG_BIASES_NONE, PLG_NO_POSITIONS, FALSE },
  { "mixtral", TRUE, TRUE, PLG_BIASES_NONE, PLG_NO_POSITIONS, FALSE },
  { "mpt", FALSE, FALSE, PLG_BIASES_NONE, PLG_NO_POSITIONS, TRUE },
  { "olmo2", TRUE, TRUE, PLG_BIASES_NONE, PLG_NO_POSITIONS, FALSE },
  { "olmoe", TRUE, TRUE, PLG_BIASES_NONE, PLG_NO_POSITIONS, FALSE },
  { "opt", FALSE, FALSE, PLG_BIASES_ALL, 2, TRUE },
  { "phi", FALSE, FALSE, PLG_BIASES_ALL, PLG_NO_POSITIONS, FALSE },
  { "phi3", TRUE, TRUE, PLG_BIASES_NONE, PLG_NO_POSITIONS, FALSE },
  { "qwen2", TRUE, TRUE, PLG_BIASES_QUERIES, PLG_NO_POSITIONS, FALSE },
  { "qwen2_5_vl", TRUE, TRUE, PLG_BIASES_QUERIES, PLG_NO_POSITIONS, FALSE },
  { "qwen2_5_vl_text", TRUE, TRUE, PLG_BIASES_QUERIES, PLG_NO_POSITIONS, FALSE },
  { "qwen2_moe", TRUE, TRUE, PLG_BIASES_QUERIES, PLG_NO_POSITIONS, FALSE },
  { "qwen2_vl", TRUE, TRUE, PLG_BIASES_QUERIES, PLG_NO_POSITIONS, FALSE },
  { "qwen2_vl_text", TRUE, TRUE, PLG_BIASES_QUERIES, PLG_NO_POSITIONS, FALSE },
  { "qwen3", TRUE, TRUE, PLG_BIASES_NONE, PLG_NO_POSITIONS, FALSE },
  { "qwen3_moe", TRUE, TRUE, PLG_BIASES_NONE, PLG_NO_POSITIONS, FALSE },
  { "qwen3_next", TRUE, TRUE, PLG_BIASES_NONE, PLG_NO_POSITIONS, FALSE },
  { "qwen3_vl", TRUE, TRUE, PLG_BIASES_NONE, PLG_NO_POSITIONS, FALSE },
  { "qwen3_vl_moe", TRUE, TRUE, PLG_BIASES_NONE, PLG_NO_POSITIONS, FALSE },
  { "qwen3_vl_moe_text", TRUE, TRUE, PLG_BIASES_NONE, PLG_NO_POSITIONS, FALSE },
  { "qwen3_vl_text", TRUE, TRUE, PLG_BIASES_NONE, PLG_NO_POSITIONS, FALSE },
  { "smollm3", TRUE, TRUE, PLG_BIASES_NONE, PLG_NO_POSITIONS, TRUE },
  { "stablelm", TRUE, FALSE, PLG_BIASES_NONE, PLG_NO_POSITIONS, FALSE },
  { "starcoder2", FALSE, FALSE, PLG_BIASES_ALL, PLG_NO_POSITIONS, TRUE },
};

const PlgModelType *
plg_model_type_find (const char *name)
{
  for (gsize i = 0; i < G_N_ELEMENTS (types); i++)
    if (g_str_equal (types[i].type, name))
      return &types[i];
  return NULL;
}

/* From MODEL_FOR_SEQ_TO_SEQ_CAUSAL_LM_MAPPING_NAMES, MODEL_FOR_SPEECH_SEQ_2_SEQ_MAPPING_NAMES and
 * MODEL_FOR_MASKED_LM_MAPPING_NAMES in src/transformers/models/auto/modeling_auto.py, without the
 * types whose text model is a decoder of its own (qwen2_audio, voxtral, granite_speech). */
static const char *const encoder_decoders[] = {
  "bart",
  "bigbird_pegasus",
  "blenderbot",
  "blenderbot-small",
  "encoder-decoder",
  "fsmt",
  "led",
  "longt5",
  "m2m_100",
  "marian",
  "mbart",
  "moonshine",
  "mt5",
  "mvp",
  "nllb-moe",
  "pegasus",
  "pegasus_x",
  "pix2struct",
  "plbart",
  "pop2piano",
  "prophetnet",
  "seamless_m4t",
  "seamless_m4t_v2",
  "speech-encoder-decoder",
  "speech_to_text",
  "speecht5",
  "switch_transformers",
  "t5",
  "t5gemma",
  "udop",
  "umt5",
  "vision-encoder-decoder",
  "whisper",
  "xlm-prophetnet",
};

/* The encoders without “bert” in their names, and the text towers of contrastive models. */
static const char *const encoders[] = {
  "big_bird",
  "canine",
  "clip",
  "clip_text_model",
  "data2vec-text",
  "electra",
  "ernie",
  "esm",
  "fnet",
  "funnel",
  "layoutlm",
  "layoutlmv2",
  "layoutlmv3",
  "lilt",
  "longformer",
  "luke",
  "markuplm",
  "mpnet",
  "mra",
  "nystromformer",
  "roformer",
  "siglip",
  "siglip_text_model",
  "tapas",
  "wav2vec2",
  "wavlm",
  "xmod",
  "yoso",
};

PlgModelStacks
plg_model_type_stacks (const char *name)
{
  for (gsize i = 0; i < G_N_ELEMENTS (encoder_decoders); i++)
    if (g_str_equal (encoder_decoders[i], name))
      return PLG_MODEL_ENCODER_DECODER;
  for (gsize i = 0; i < G_N_ELEMENTS (encoders); i++)
    if (g_str_equal (encoders[i], name))
      return PLG_MODEL_ENCODER;
  /* BERT and its many descendants; bert-generation and modernbert-decoder are decoders. */
  return strstr (name, "bert") != NULL && strstr (name, "decoder") == NULL &&
                 strstr (name, "generation") == NULL
             ? PLG_MODEL_ENCODER
             : PLG_MODEL_DECODER;
}
