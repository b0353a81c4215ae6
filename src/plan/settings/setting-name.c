/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "plan/settings/setting-name.h"

#include "plan/order-preset.h"

#include <glib/gi18n-lib.h>
#include <string.h>

/* Returns the title of a choice. If the choice has no title in the table, it is a technical
 * term, so NAME itself is returned. */
const char *
plg_setting_choice_title (const char *name)
{
  static const struct
  {
    const char *name;
    const char *title;
  } titles[] = {
    { "none", N_ ("None") },
    { "selective", N_ ("Selective") },
    { "full", N_ ("Full") },
    { "gpipe", "GPipe" },
    { "1f1b", "1F1B" },
    { "interleaved", N_ ("Interleaved") },
    { "zb-h1", "ZB-H1" },
    { "zb-v", "ZB-V" },
    { "dualpipe", "DualPipe" },
    { "bf16", "BF16" },
    { "fp16", "FP16" },
    { "fp8", "FP8" },
    { "fp4", "FP4" },
    { "fp32", "FP32" },
    { "delayed", N_ ("Delayed scaling") },
    { "current", N_ ("Current scaling") },
    { "blockwise", N_ ("Blockwise scaling") },
    { "mxfp8", "MXFP8" },
    { "adam", "Adam" },
    { "adam-bf16", N_ ("Adam, moments in BF16") },
    { "adam-8bit", N_ ("Adam, moments in 8 bits") },
    { "muon", "Muon" },
    { "sharded", N_ ("Sharded") },
    { "on", N_ ("On") },
    { "off", N_ ("Off") },
    { "distributed", N_ ("Distributed") },
    { "fused", N_ ("Fused") },
    { "plain", N_ ("Plain") },
    { "gathered", N_ ("Gathered") },
    { "auto", N_ ("Automatic") },
    { "eager", N_ ("Eager") },
    { "megatron", "Megatron-LM" },
    { "fsdp-compiled", N_ ("FSDP, compiled") },
    { "fsdp-eager", N_ ("FSDP, eager") },
    { "deepspeed", "DeepSpeed" },
    { "megatron-deepspeed", "Megatron-DeepSpeed" },
    { "ring", N_ ("Ring") },
    { "ulysses", "Ulysses" },
    { "all-gather", N_ ("All-gather") },
    { "all-to-all", N_ ("All-to-all") },
    { "deepep", "DeepEP" },
    { "hybridep", "HybridEP" },
    { "mamba2", "Mamba-2" },
    { "gated-delta-net", N_ ("Gated delta net") },
    { "all", N_ ("All") },
    { "first", N_ ("First") },
    { "every", N_ ("Every N-th") },
    { "groups", N_ ("Groups") },
    { "chunked", N_ ("Chunked") },
    { "nvswitch", "NVSwitch" },
    { "mesh", N_ ("Mesh") },
    { "pcie", "PCIe" },
    { "rail", N_ ("Rails") },
    { "tree", N_ ("Tree (ToR)") },
    { "flat", N_ ("One switch") },
    { "standard", N_ ("Standard") },
    { "notebook", N_ ("Notebook") },
    { "handbook", N_ ("Handbook") },
  };

  for (guint i = 0; i < G_N_ELEMENTS (titles); i++)
    if (strcmp (titles[i].name, name) == 0)
      return _ (titles[i].title);
  return name;
}

const char *
plg_setting_value_title (const PlgSetting *setting, const char *name)
{
  if (setting->kind == PLG_SETTING_BOOLEAN)
    return g_str_equal (name, "true") ? _ ("on") : g_str_equal (name, "false") ? _ ("off") : NULL;
  if (setting->kind == PLG_SETTING_CHOICE && g_strv_contains (setting->choices, name))
    return plg_setting_choice_title (name);
  if (setting->kind == PLG_SETTING_ORDER && plg_order_preset_find (name) != NULL)
    return plg_order_preset_find (name)->title;
  return NULL;
}

/* Names in messages */

static gboolean messages_have_titles;

void
plg_setting_use_titles (void)
{
  messages_have_titles = TRUE;
}

const char *
plg_setting_name (const char *key)
{
  const PlgSetting *setting = plg_setting_find (key);
  g_autofree char *name = NULL;

  if (!messages_have_titles || setting == NULL || setting->title == NULL)
    return key;
  /* TRANSLATORS: The name of a setting in a sentence, in quotation marks. */
  name = g_strdup_printf (_ ("“%s”"), _ (setting->title));
  return g_intern_string (name);
}

const char *
plg_setting_value_name (const char *key, const char *value)
{
  const char *title = messages_have_titles ? plg_setting_value_title (plg_setting_find (key), value)
                                           : NULL;

  return title != NULL ? title : value;
}
