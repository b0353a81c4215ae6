/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "widgets/inspector/setting-choice.h"

#include "plan/settings/setting-name.h"

#include <glib/gi18n-lib.h>

static void
add_choice (GStrvBuilder *names, GtkStringList *titles, const char *name, const char *title)
{
  g_strv_builder_add (names, name);
  gtk_string_list_append (titles, title);
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
    {
      const char *key = setting->key;

      if (strcmp (key, "cluster.gpu") == 0)
        for (int i = 0; i < plg_catalogue_n_gpus (catalogue); i++)
          add_choice (builder, titles, plg_catalogue_nth_gpu (catalogue, i)->name,
                      plg_catalogue_nth_gpu (catalogue, i)->title);
      else if (strcmp (key, "cluster.node") == 0)
        for (int i = 0; i < plg_catalogue_n_nodes (catalogue); i++)
          add_choice (builder, titles, plg_catalogue_nth_node (catalogue, i)->name,
                      plg_catalogue_nth_node (catalogue, i)->title);
      else
        for (int i = 0; i < plg_catalogue_n_models (catalogue); i++)
          add_choice (builder, titles, plg_catalogue_nth_model (catalogue, i)->name,
                      plg_catalogue_nth_model (catalogue, i)->title);
      /* Do not offer "Custom" for a GPU, because some GPU constants have no setting key and so
       * could not be customised. */
      if (strcmp (key, "cluster.gpu") != 0)
        add_choice (builder, titles, "custom", _ ("Custom"));
    }
  else
    for (int i = 0; setting->choices[i] != NULL; i++)
      add_choice (builder, titles, setting->choices[i],
                  plg_setting_choice_title (setting->choices[i]));
  *names = g_strv_builder_end (builder);
  /* The drop-down searches the item texts that this expression returns. The drop-down takes
   * ownership of the expression. */
  text = gtk_property_expression_new (GTK_TYPE_STRING_OBJECT, NULL, "string");
  control = gtk_drop_down_new (G_LIST_MODEL (titles), text);
  gtk_drop_down_set_enable_search (GTK_DROP_DOWN (control), setting->kind == PLG_SETTING_NAME);
  return control;
}
