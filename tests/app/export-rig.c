/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "export-rig.h"

#include <string.h>

GBytes *
export_rig_take (AppRig *rig, const char *name)
{
  g_autoptr (GFile) file = app_rig_file (rig, name);
  g_autoptr (GError) error = NULL;
  GBytes *bytes = g_file_load_bytes (file, NULL, NULL, &error);

  g_assert_no_error (error);
  g_assert_true (g_file_delete (file, NULL, NULL));
  return bytes;
}

GBytes *
export_rig_run (AppRig *rig, const char *line)
{
  const char *options = line + strlen ("parallelogram-cli ");
  g_autofree char *script = NULL;
  const char *words[] = { "sh", "-c", NULL, NULL };
  int status;

  g_assert_true (g_str_has_prefix (line, "parallelogram-cli "));
  script = g_strdup_printf ("cd '%s' && mkdir made && cd made && '%s' %s && mv * ../made.file && "
                            "rmdir ../made",
                            rig->folder, PLG_CLI, options);
  words[2] = script;
  g_assert_true (g_spawn_sync (NULL, (char **) words, NULL, G_SPAWN_SEARCH_PATH, NULL, NULL, NULL,
                               NULL, &status, NULL));
  if (!g_spawn_check_wait_status (status, NULL))
    g_error ("%s fails", line);
  return export_rig_take (rig, "made.file");
}

PlgExportDialog *
export_rig_open (AppRig *rig)
{
  g_assert_true (app_rig_act (rig, "win.export"));
  return PLG_EXPORT_DIALOG (app_rig_open_window (PLG_TYPE_EXPORT_DIALOG));
}

GObject *
export_rig_row (PlgExportDialog *dialog, const char *name)
{
  GObject *part = gtk_widget_get_template_child (GTK_WIDGET (dialog), PLG_TYPE_EXPORT_DIALOG,
                                                 "part");
  GObject *row = gtk_widget_get_template_child (GTK_WIDGET (part), PLG_TYPE_EXPORT_PART, name);

  return row != NULL
             ? row
             : gtk_widget_get_template_child (GTK_WIDGET (dialog), PLG_TYPE_EXPORT_DIALOG, name);
}

void
export_rig_choose (PlgExportDialog *dialog, const char *name, guint choice)
{
  adw_combo_row_set_selected (ADW_COMBO_ROW (export_rig_row (dialog, name)), choice);
}
