/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "io/frameworks/model-type.h"

#include <string.h>

static const PlgModelType types[] = {
  { "bamba", TRUE, TRUE, PLG_BIASES_NONE, PLG_NO_POSITIONS, FALSE, .mixer = PLG_MIXER_MAMBA2 },
  { "bloom", FALSE, FALSE, PLG_BIASES_ALL, PLG_NO_POSITIONS, TRUE },
  { "codegen", FALSE, FALSE, PLG_BIASES_NONE, PLG_NO_POSITIONS, FALSE },
  { "cohere", TRUE, FALSE, PLG_BIASES_NONE, PLG_NO_POSITIONS, TRUE },
  { "cohere2", TRUE, FALSE, PLG_BIASES_NONE, PLG_NO_POSITIONS, TRUE, .full_every = 4 },
  { "deepseek_v2", TRUE, TRUE, PLG_BIASES_NONE, PLG_NO_POSITIONS, FALSE },
  { "deepseek_v3", TRUE, TRUE, PLG_BIASES_NONE, PLG_NO_POSITIONS, FALSE },
  { "deepseek_v32", TRUE, TRUE, PLG_BIASES_NONE, PLG_NO_POSITIONS, FALSE },
  { "exaone4", TRUE, TRUE, PLG_BIASES_NONE, PLG_NO_POSITIONS, FALSE, .full_every = 4 },
  { "falcon", FALSE, FALSE, PLG_BIASES_NONE, PLG_NO_POSITIONS, TRUE },
  { "gemma", TRUE, TRUE, PLG_BIASES_NONE, PLG_NO_POSITIONS, TRUE },
  { "gemma2", TRUE, TRUE, PLG_BIASES_NONE, PLG_NO_POSITIONS, TRUE, .full_every = 2 },
  { "gemma3", TRUE, TRUE, PLG_BIASES_NONE, PLG_NO_POSITIONS, TRUE, .full_every = 6 },
  { "gemma3_text", TRUE, TRUE, PLG_BIASES_NONE, PLG_NO_POSITIONS, TRUE, .full_every = 6 },
  { "glm4_moe", TRUE, TRUE, PLG_BIASES_NONE, PLG_NO_POSITIONS, FALSE },
  { "glm_moe_dsa", TRUE, TRUE, PLG_BIASES_NONE, PLG_NO_POSITIONS, FALSE },
  { "gpt2", FALSE, FALSE, PLG_BIASES_ALL, 0, TRUE },
  { "gpt_bigcode", FALSE, FALSE, PLG_BIASES_ALL, 0, TRUE },
  { "gpt_neo", FALSE, FALSE, PLG_BIASES_ALL, 0, TRUE },
  { "gpt_neox", FALSE, FALSE, PLG_BIASES_ALL, PLG_NO_POSITIONS, FALSE },
  { "gpt_oss", TRUE, TRUE, PLG_BIASES_ALL, PLG_NO_POSITIONS, FALSE, .full_every = 2 },
  { "granite", TRUE, TRUE, PLG_BIASES_NONE, PLG_NO_POSITIONS, FALSE },
  { "granitemoehybrid", TRUE, TRUE, PLG_BIASES_NONE, PLG_NO_POSITIONS, FALSE,
    .mixer = PLG_MIXER_MAMBA2 },
  { "kimi_k2", TRUE, TRUE, PLG_BIASES_NONE, PLG_NO_POSITIONS, FALSE },
  { "llama", TRUE, TRUE, PLG_BIASES_NONE, PLG_NO_POSITIONS, FALSE },
  { "llama4", TRUE, TRUE, PLG_BIASES_NONE, PLG_NO_POSITIONS, FALSE, 1, .full_every = 4 },
  { "llama4_text", TRUE, TRUE, PLG_BIASES_NONE, PLG_NO_POSITIONS, FALSE, 1, .full_every = 4 },
  { "minimax", TRUE, TRUE, PLG_BIASES_NONE, PLG_NO_POSITIONS, FALSE },
  { "minimax_m1", TRUE, TRUE, PLG_BIASES_NONE, PLG_NO_POSITIONS, FALSE },
  { "minimax_m2", TRUE, TRUE, PLG_BIASES_NONE, PLG_NO_POSITIONS, FALSE },
  { "mistral", TRUE, TRUE, PLG_BIASES_NONE, PLG_NO_POSITIONS, FALSE },
  { "mixtral", TRUE, TRUE, PLG_BIASES_NONE, PLG_NO_POSITIONS, FALSE },
  { "mpt", FALSE, FALSE, PLG_BIASES_NONE, PLG_NO_POSITIONS, TRUE },
  { "nemotron_h", FALSE, TRUE, PLG_BIASES_NONE, PLG_NO_POSITIONS, FALSE,
    .mixer = PLG_MIXER_MAMBA2 },
  { "olmo2", TRUE, TRUE, PLG_BIASES_NONE, PLG_NO_POSITIONS, FALSE },
  { "olmo3", TRUE, TRUE, PLG_BIASES_NONE, PLG_NO_POSITIONS, FALSE, .full_every = 4 },
  { "olmoe", TRUE, TRUE, PLG_BIASES_NONE, PLG_NO_POSITIONS, FALSE },
  { "opt", FALSE, FALSE, PLG_BIASES_ALL, 2, TRUE },
  { "phi", FALSE, FALSE, PLG_BIASES_ALL, PLG_NO_POSITIONS, FALSE },
  { "phi3", TRUE, TRUE, PLG_BIASES_NONE, PLG_NO_POSITIONS, FALSE },
  { "qwen2", TRUE, TRUE, PLG_BIASES_QUERIES, PLG_NO_POSITIONS, FALSE, .window_is_off = TRUE },
  { "qwen2_5_vl", TRUE, TRUE, PLG_BIASES_QUERIES, PLG_NO_POSITIONS, FALSE, .window_is_off = TRUE },
  { "qwen2_5_vl_text", TRUE, TRUE, PLG_BIASES_QUERIES, PLG_NO_POSITIONS, FALSE,
    .window_is_off = TRUE },
  { "qwen2_moe", TRUE, TRUE, PLG_BIASES_QUERIES, PLG_NO_POSITIONS, FALSE, .window_is_off = TRUE },
  { "qwen2_vl", TRUE, TRUE, PLG_BIASES_QUERIES, PLG_NO_POSITIONS, FALSE, .window_is_off = TRUE },
  { "qwen2_vl_text", TRUE, TRUE, PLG_BIASES_QUERIES, PLG_NO_POSITIONS, FALSE,
    .window_is_off = TRUE },
  { "qwen3", TRUE, TRUE, PLG_BIASES_NONE, PLG_NO_POSITIONS, FALSE, .window_is_off = TRUE },
  { "qwen3_5", TRUE, TRUE, PLG_BIASES_NONE, PLG_NO_POSITIONS, FALSE,
    .mixer = PLG_MIXER_GATED_DELTA_NET, .gates_attention = TRUE },
  { "qwen3_5_moe", TRUE, TRUE, PLG_BIASES_NONE, PLG_NO_POSITIONS, FALSE,
    .mixer = PLG_MIXER_GATED_DELTA_NET, .gates_attention = TRUE },
  { "qwen3_5_moe_text", TRUE, TRUE, PLG_BIASES_NONE, PLG_NO_POSITIONS, FALSE,
    .mixer = PLG_MIXER_GATED_DELTA_NET, .gates_attention = TRUE },
  { "qwen3_5_text", TRUE, TRUE, PLG_BIASES_NONE, PLG_NO_POSITIONS, FALSE,
    .mixer = PLG_MIXER_GATED_DELTA_NET, .gates_attention = TRUE },
  { "qwen3_moe", TRUE, TRUE, PLG_BIASES_NONE, PLG_NO_POSITIONS, FALSE, .window_is_off = TRUE },
  { "qwen3_next", TRUE, TRUE, PLG_BIASES_NONE, PLG_NO_POSITIONS, FALSE,
    .mixer = PLG_MIXER_GATED_DELTA_NET, .gates_attention = TRUE },
  { "qwen3_vl", TRUE, TRUE, PLG_BIASES_NONE, PLG_NO_POSITIONS, FALSE, .window_is_off = TRUE },
  { "qwen3_vl_moe", TRUE, TRUE, PLG_BIASES_NONE, PLG_NO_POSITIONS, FALSE, .window_is_off = TRUE },
  { "qwen3_vl_moe_text", TRUE, TRUE, PLG_BIASES_NONE, PLG_NO_POSITIONS, FALSE,
    .window_is_off = TRUE },
  { "qwen3_vl_text", TRUE, TRUE, PLG_BIASES_NONE, PLG_NO_POSITIONS, FALSE, .window_is_off = TRUE },
  { "smollm3", TRUE, TRUE, PLG_BIASES_NONE, PLG_NO_POSITIONS, TRUE, .window_is_off = TRUE },
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
  "ernie_m",
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
  "mega",
  "mpnet",
  "mra",
  "nezha",
  "nystromformer",
  "perceiver",
  "roformer",
  "siglip",
  "siglip_text_model",
  "tapas",
  "wav2vec2",
  "wavlm",
  "xmod",
  "yoso",
};

/* The types with layers that a plan cannot have; some files of these types have attention in all
 * layers. */
static const char *const hybrids[] = {
  "falcon_h1",
  "falcon_mamba",
  "jamba",
  "kimi_linear",
  "lfm2",
  "lfm2_moe",
  "mamba",
  "mamba2",
  "minimax",
  "minimax_m1",
  "minimax_text_01",
  "olmo_hybrid",
  "recurrent_gemma",
  "rwkv",
  "xlstm",
  "zamba",
  "zamba2",
  NULL,
};

gboolean
plg_model_type_is_hybrid (const char *name)
{
  return g_strv_contains (hybrids, name);
}

/* Returns TRUE if TYPE and NAME, with LENGTH characters, have the same letters and digits. */
static gboolean
same_letters (const char *type, const char *name, gsize length)
{
  const char *end = name + length;

  for (; *type != '\0'; type++)
    if (g_ascii_isalnum (*type) &&
        (name == end || g_ascii_tolower (*type) != g_ascii_tolower (*name++)))
      return FALSE;
  return name == end;
}

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

PlgModelStacks
plg_model_class_stacks (const char *name)
{
  static const char *const suffixes[] = { "For", "Model", "LMHead" };
  gsize length = strlen (name);
  g_autofree char *lower = NULL;

  for (guint i = 0; i < G_N_ELEMENTS (suffixes); i++)
    {
      const char *at = strstr (name, suffixes[i]);

      if (at != NULL)
        length = MIN (length, (gsize) (at - name));
    }
  for (gsize i = 0; i < G_N_ELEMENTS (encoder_decoders); i++)
    if (same_letters (encoder_decoders[i], name, length))
      return PLG_MODEL_ENCODER_DECODER;
  for (gsize i = 0; i < G_N_ELEMENTS (encoders); i++)
    if (same_letters (encoders[i], name, length))
      return PLG_MODEL_ENCODER;
  lower = g_ascii_strdown (name, length);
  return plg_model_type_stacks (lower);
}
