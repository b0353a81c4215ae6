/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "plan/settings/setting-describe.h"

#include "plan/order-preset.h"
#include "plan/quantity.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#define OPTION "--set "
#define SHOWN_DIGITS 4

/* Titles of choices; a missing name is a technical term and stays unchanged. */
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
    { "fp32", "FP32" },
    { "fused", N_ ("Fused") },
    { "plain", N_ ("Plain") },
    { "gathered", N_ ("Gathered") },
    { "auto", N_ ("Automatic") },
    { "eager", N_ ("Eager") },
    { "ring", N_ ("Ring") },
    { "ulysses", "Ulysses" },
    { "all-gather", N_ ("All-gather") },
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

static gboolean
is_of_key (char c)
{
  return g_ascii_isalnum (c) || c == '-' || c == '_';
}

/* Whether KEY is at P as a whole word. */
static gboolean
stands_at (const char *p, const char *key)
{
  gsize n = strlen (key);

  return strncmp (p, key, n) == 0 && !is_of_key (p[n]) &&
         !(p[n] == '.' && g_ascii_isalpha (p[n + 1]));
}

static const PlgSetting *
find_at (const char *p)
{
  int n;
  const PlgSetting *settings = plg_settings (&n);

  for (int i = 0; i < n; i++)
    if (settings[i].title != NULL && stands_at (p, settings[i].key))
      return &settings[i];
  return NULL;
}

/* The title of a word of N letters as a value of SETTING; NULL if the word is not a value. */
static const char *
value_title (const PlgSetting *setting, const char *word, gsize n)
{
  g_autofree char *name = g_strndup (word, n);

  if (setting->kind == PLG_SETTING_BOOLEAN)
    return g_str_equal (name, "true") ? _ ("on") : g_str_equal (name, "false") ? _ ("off") : NULL;
  if (setting->kind == PLG_SETTING_CHOICE && g_strv_contains (setting->choices, name))
    return plg_setting_choice_title (name);
  if (setting->kind == PLG_SETTING_ORDER && plg_order_preset_find (name) != NULL)
    return plg_order_preset_find (name)->title;
  return NULL;
}

static gsize
word_length (const char *p)
{
  gsize n = 0;

  while (is_of_key (p[n]))
    n++;
  return n;
}

char *
plg_setting_describe_message (const char *message)
{
  GString *words = g_string_new (NULL);
  const PlgSetting *named = NULL;
  char before = ' ';

  for (const char *p = message; *p != '\0'; before = p[-1])
    {
      const PlgSetting *setting = before == '.' ? NULL : find_at (p);

      if (g_str_has_prefix (p, OPTION) && find_at (p + strlen (OPTION)) != NULL)
        p += strlen (OPTION);
      else if (setting != NULL)
        {
          /* TRANSLATORS: The name of a setting in a sentence, in quotes. */
          g_string_append_printf (words, _ ("“%s”"), _ (setting->title));
          p += strlen (setting->key);
          named = setting;
        }
      else
        {
          named = g_str_has_prefix (p, ". ") ? NULL : named;

          /* Adds the word at P, or its title if it is a value of the setting named earlier in
           * the sentence. */
          gsize n = MAX (word_length (p), 1);
          const char *title = named != NULL ? value_title (named, p, n) : NULL;

          if (title != NULL)
            g_string_append (words, title);
          else
            g_string_append_len (words, p, n);
          p = p + n;
        }
    }
  return g_string_free (words, FALSE);
}

static const char *
catalogue_title (const char *key, const char *name, const PlgCatalogue *catalogue)
{
  const PlgGpu *gpu = plg_catalogue_gpu (catalogue, name);
  const PlgNode *node = plg_catalogue_node (catalogue, name);
  const PlgTransformer *model = plg_catalogue_model (catalogue, name);

  if (g_str_equal (key, "cluster.gpu") && gpu != NULL)
    return gpu->title;
  if (g_str_equal (key, "cluster.node") && node != NULL)
    return node->title;
  if (g_str_equal (key, "model.name") && model != NULL)
    return model->title;
  return name;
}

char *
plg_setting_describe_value (const PlgSetting *setting,
                            const char *value,
                            const char *other,
                            const PlgCatalogue *catalogue)
{
  const char *title = value_title (setting, value, strlen (value));

  if (setting->kind == PLG_SETTING_INTEGER || setting->kind == PLG_SETTING_NUMBER)
    {
      double number = g_ascii_strtod (value, NULL);
      double beside = other != NULL ? g_ascii_strtod (other, NULL) : number;
      g_autofree char *text = setting->kind == PLG_SETTING_INTEGER
                                  ? g_strdup (value)
                                  : plg_format_number_distinct (number, beside, SHOWN_DIGITS);

      return setting->unit != NULL ? g_strdup_printf ("%s %s", text, _ (setting->unit))
                                   : g_steal_pointer (&text);
    }
  if (setting->kind == PLG_SETTING_NAME && catalogue != NULL)
    return g_strdup (catalogue_title (setting->key, value, catalogue));
  return g_strdup (title != NULL ? title : value);
}
