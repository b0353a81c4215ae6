/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "widgets/setting-choice.h"

#include <glib/gi18n-lib.h>

/* Choices as people read them; a name that is missing here is a term of the field and stays. */
static const char *
choice_title (const char *name)
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

static void
add_choice (GStrvBuilder *names, GtkStringList *titles, const char *name, const char *title)
{
  g_strv_builder_add (names, name);
  gtk_string_list_append (titles, title);
}

static void
add_catalogue_choices (const PlgCatalogue *catalogue,
                       const char *key,
                       GStrvBuilder *names,
                       GtkStringList *titles)
{
  if (strcmp (key, "cluster.gpu") == 0)
    for (int i = 0; i < plg_catalogue_n_gpus (catalogue); i++)
      add_choice (names, titles, plg_catalogue_nth_gpu (catalogue, i)->name,
                  plg_catalogue_nth_gpu (catalogue, i)->title);
  else if (strcmp (key, "cluster.node") == 0)
    for (int i = 0; i < plg_catalogue_n_nodes (catalogue); i++)
      add_choice (names, titles, plg_catalogue_nth_node (catalogue, i)->name,
                  plg_catalogue_nth_node (catalogue, i)->title);
  else
    for (int i = 0; i < plg_catalogue_n_models (catalogue); i++)
      add_choice (names, titles, plg_catalogue_nth_model (catalogue, i)->name,
                  plg_catalogue_nth_model (catalogue, i)->title);
  /* A GPU has constants that no key sets, so there is none of one's own. */
  if (strcmp (key, "cluster.gpu") != 0)
    add_choice (names, titles, "custom", _ ("Custom"));
}

GtkWidget *
plg_setting_choice_new (const PlgSetting *setting, const PlgCatalogue *catalogue, char ***names)
{
  g_autoptr (GStrvBuilder) builder = g_strv_builder_new ();
  GtkStringList *titles = gtk_string_list_new (NULL);
  GtkExpression *text;
  GtkWidget *control;

  g_return_val_if_fail (setting != NULL && names != NULL, NULL);

  if (setting->kind == PLG_SETTING_NAME)
    add_catalogue_choices (catalogue, setting->key, builder, titles);
  else
    for (int i = 0; setting->choices[i] != NULL; i++)
      add_choice (builder, titles, setting->choices[i], choice_title (setting->choices[i]));
  *names = g_strv_builder_end (builder);
  /* For the search, which looks at text; the list takes it over. */
  text = gtk_property_expression_new (GTK_TYPE_STRING_OBJECT, NULL, "string");
  control = gtk_drop_down_new (G_LIST_MODEL (titles), text);
  gtk_drop_down_set_enable_search (GTK_DROP_DOWN (control), setting->kind == PLG_SETTING_NAME);
  return control;
}
