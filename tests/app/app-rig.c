/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "app-rig.h"

#include <string.h>

PlgApplication *
app_rig_application (int *argc, char ***argv)
{
  PlgApplication *application;

  if (!rig_init (argc, argv))
    return NULL;
  application = plg_application_new ();
  g_application_set_flags (G_APPLICATION (application), G_APPLICATION_NON_UNIQUE);
  g_assert_true (g_application_register (G_APPLICATION (application), NULL, NULL));
  return application;
}

void
app_rig_set_up (AppRig *rig, gconstpointer data)
{
  rig->folder = g_dir_make_tmp ("parallelogram-XXXXXX", NULL);
  rig->application = (PlgApplication *) data;
  rig->window = plg_window_new (rig->application);
  gtk_window_present (GTK_WINDOW (rig->window));
  rig_until (gtk_widget_get_mapped (GTK_WIDGET (plg_window_canvas (rig->window))));
}

void
app_rig_tear_down (AppRig *rig, gconstpointer data)
{
  g_autofree char *remove = g_strdup_printf ("rm -r '%s'", rig->folder);
  PlgDocument *document = plg_window_document (rig->window);

  g_settings_reset (plg_application_settings (rig->application), "learner");
  g_object_add_weak_pointer (G_OBJECT (rig->window), (gpointer *) &rig->window);
  g_object_add_weak_pointer (G_OBJECT (document), (gpointer *) &document);
  rig_destroy (GTK_WINDOW (rig->window));
  rig_until (rig->window == NULL);
  g_assert_null (document);
  g_assert_true (g_spawn_command_line_sync (remove, NULL, NULL, NULL, NULL));
  g_free (rig->folder);
}

gboolean
app_rig_act (AppRig *rig, const char *action)
{
  return gtk_widget_activate_action (GTK_WIDGET (rig->window), action, NULL);
}

static void
text_cb (GObject *clipboard, GAsyncResult *result, gpointer text)
{
  *(char **) text = gdk_clipboard_read_text_finish (GDK_CLIPBOARD (clipboard), result, NULL);
}

char *
app_rig_copied (GtkWidget *widget)
{
  char *text = NULL;

  gdk_clipboard_read_text_async (gtk_widget_get_clipboard (widget), NULL, text_cb, &text);
  rig_until (text != NULL);
  return text;
}

GFile *
app_rig_file (AppRig *rig, const char *name)
{
  g_autofree char *path = g_build_filename (rig->folder, name, NULL);

  return g_file_new_for_path (path);
}

GFile *
app_rig_put (AppRig *rig, const char *name, const char *text)
{
  GFile *file = app_rig_file (rig, name);

  g_assert_true (g_file_set_contents (g_file_peek_path (file), text, -1, NULL));
  return file;
}

GtkWidget *
app_rig_open_window (GType type)
{
  GListModel *windows = gtk_window_get_toplevels ();

  for (guint i = 0; i < g_list_model_get_n_items (windows); i++)
    {
      g_autoptr (GtkWidget) window = g_list_model_get_item (windows, i);

      if (G_TYPE_CHECK_INSTANCE_TYPE (window, type) && gtk_widget_get_visible (window))
        return window;
    }
  return NULL;
}

gboolean
app_rig_label_contains (GtkWidget *label, gpointer text)
{
  return strstr (gtk_label_get_text (GTK_LABEL (label)), text) != NULL;
}

gboolean
app_rig_shows (GtkWidget *widget, const char *text)
{
  return rig_find (widget, GTK_TYPE_LABEL, app_rig_label_contains, (gpointer) text) != NULL;
}

static gboolean
is_label (GtkWidget *label, gpointer text)
{
  return gtk_widget_get_mapped (label) &&
         strcmp (gtk_label_get_label (GTK_LABEL (label)), text) == 0;
}

gboolean
app_rig_has_label (GtkWidget *widget, const char *text)
{
  return rig_find (widget, GTK_TYPE_LABEL, is_label, (gpointer) text) != NULL;
}

void
app_rig_collect (GtkWidget *widget, GString *text)
{
  if (!gtk_widget_get_visible (widget))
    return;
  if (GTK_IS_LABEL (widget))
    g_string_append_printf (text, "%s\n", gtk_label_get_text (GTK_LABEL (widget)));
  if (gtk_widget_get_tooltip_text (widget) != NULL)
    g_string_append_printf (text, "%s\n", gtk_widget_get_tooltip_text (widget));
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    app_rig_collect (child, text);
}

int
app_rig_run (int *argc, char ***argv, const AppRigCase *cases, gsize n)
{
  g_autoptr (PlgApplication) application = app_rig_application (argc, argv);

  if (application == NULL)
    return 0;
  for (gsize i = 0; i < n; i++)
    g_test_add (cases[i].path, AppRig, application, app_rig_set_up, cases[i].test,
                app_rig_tear_down);
  return g_test_run ();
}
