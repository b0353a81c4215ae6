/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "app/window/window-private.h"

#include <glib/gi18n.h>

#define MAX_RECENT 10

/* File choosers -------------------------------------------------------------------------------- */

static void
add_filter (GtkFileChooser *chooser, const char *name, const char *const *patterns)
{
  g_autoptr (GtkFileFilter) filter = gtk_file_filter_new ();

  gtk_file_filter_set_name (filter, name);
  for (; *patterns != NULL; patterns++)
    gtk_file_filter_add_pattern (filter, *patterns);
  gtk_file_chooser_add_filter (chooser, filter);
}

static void
show_chooser (PlgWindow *self, GtkFileChooserNative *chooser, GCallback response)
{
  g_set_object (&self->chooser, chooser);
  gtk_native_dialog_set_modal (GTK_NATIVE_DIALOG (chooser), TRUE);
  g_signal_connect_object (chooser, "response", response, self, G_CONNECT_SWAPPED);
  gtk_native_dialog_show (GTK_NATIVE_DIALOG (chooser));
}

static GPtrArray *
chosen_files (GtkFileChooser *chooser)
{
  g_autoptr (GListModel) list = gtk_file_chooser_get_files (chooser);
  GPtrArray *files = g_ptr_array_new_with_free_func (g_object_unref);

  for (guint i = 0; i < g_list_model_get_n_items (list); i++)
    g_ptr_array_add (files, g_list_model_get_item (list, i));
  return files;
}

static void
open_response_cb (PlgWindow *self, int response, GtkNativeDialog *chooser)
{
  GtkApplication *application = gtk_window_get_application (GTK_WINDOW (self));
  g_autoptr (GPtrArray) files = chosen_files (GTK_FILE_CHOOSER (chooser));

  gtk_native_dialog_hide (chooser);
  if (response == GTK_RESPONSE_ACCEPT && files->len > 0)
    plg_application_open_files (PLG_APPLICATION (application), (GFile *const *) files->pdata,
                                (int) files->len);
  g_clear_object (&self->chooser);
}

void
plg_window_choose_open (PlgWindow *self)
{
  static const char *const plans[] = { "*.xml", "*.yaml", "*.yml", "*.svg", NULL };
  static const char *const all[] = { "*", NULL };
  g_autoptr (GtkFileChooserNative)
                 chooser = gtk_file_chooser_native_new (_ ("Open Plan, Cluster, Model or Settings"),
                                                        GTK_WINDOW (self),
                                                        GTK_FILE_CHOOSER_ACTION_OPEN, NULL, NULL);

  /* Do not filter cluster and settings files by extension, because they can have many
   * extensions. The program detects their format from the content. */
  add_filter (GTK_FILE_CHOOSER (chooser), _ ("All Files"), all);
  add_filter (GTK_FILE_CHOOSER (chooser), _ ("Plans"), plans);
  gtk_file_chooser_set_select_multiple (GTK_FILE_CHOOSER (chooser), TRUE);
  show_chooser (self, chooser, G_CALLBACK (open_response_cb));
}

static void
class_response_cb (PlgWindow *self, int response, GtkNativeDialog *chooser)
{
  GtkApplication *application = gtk_window_get_application (GTK_WINDOW (self));
  g_autoptr (GPtrArray) files = chosen_files (GTK_FILE_CHOOSER (chooser));

  gtk_native_dialog_hide (chooser);
  if (response == GTK_RESPONSE_ACCEPT && files->len > 0)
    plg_application_open_class (PLG_APPLICATION (application), (GFile *const *) files->pdata,
                                (int) files->len);
  g_clear_object (&self->chooser);
}

/* Asks the user to choose learner records. The chooser starts in the folder with this user's own
 * records. */
void
plg_window_choose_class (PlgWindow *self)
{
  static const char *const ledgers[] = { "*.xml", NULL };
  g_autofree char *path = plg_learner_own_folder ();
  g_autoptr (GFile) folder = g_file_new_for_path (path);
  g_autoptr (GtkFileChooserNative)
                 chooser = gtk_file_chooser_native_new (_ ("Open Learner Records"),
                                                        GTK_WINDOW (self),
                                                        GTK_FILE_CHOOSER_ACTION_OPEN, NULL, NULL);

  add_filter (GTK_FILE_CHOOSER (chooser), _ ("Learner records"), ledgers);
  gtk_file_chooser_set_select_multiple (GTK_FILE_CHOOSER (chooser), TRUE);
  if (g_file_query_exists (folder, NULL))
    gtk_file_chooser_set_current_folder (GTK_FILE_CHOOSER (chooser), folder, NULL);
  show_chooser (self, chooser, G_CALLBACK (class_response_cb));
}

/* Saving --------------------------------------------------------------------------------------- */

static void
save_to (PlgWindow *self, GFile *file)
{
  gboolean close = self->close_after_save;
  g_autoptr (GError) error = NULL;
  g_autofree char *uri = NULL;

  self->close_after_save = FALSE;
  if (!plg_document_save (self->document, file, &error))
    {
      plg_window_show_error (self, _ ("The Plan Could Not Be Saved"), error->message);
      return;
    }
  uri = g_file_get_uri (file);
  gtk_recent_manager_add_item (gtk_recent_manager_get_default (), uri);
  if (close)
    gtk_window_close (GTK_WINDOW (self));
}

/* Adds the extension .plan.xml to the name of FILE unless the name ends in .xml, because a plan
 * with another extension would be detected as another format. Returns NULL if a file with the
 * longer name exists, because the user was asked only about overwriting FILE. */
static GFile *
with_plan_ending (GFile *file)
{
  g_autofree char *uri = g_file_get_uri (file);
  g_autofree char *longer = g_strconcat (uri, ".plan.xml", NULL);
  g_autoptr (GFile) named = NULL;

  if (g_str_has_suffix (uri, ".xml"))
    return g_object_ref (file);
  named = g_file_new_for_uri (longer);
  return g_file_query_exists (named, NULL) ? NULL : g_steal_pointer (&named);
}

static void
save_response_cb (PlgWindow *self, int response, GtkNativeDialog *chooser)
{
  g_autoptr (GFile) file = gtk_file_chooser_get_file (GTK_FILE_CHOOSER (chooser));

  gtk_native_dialog_hide (chooser);
  if (response == GTK_RESPONSE_ACCEPT && file != NULL)
    {
      g_autoptr (GFile) named = with_plan_ending (file);

      if (named != NULL)
        save_to (self, named);
      else
        {
          self->close_after_save = FALSE;
          plg_window_show_error (self, _ ("The Plan Was Not Saved"),
                                 _ ("Plans have the extension .xml, and a file with this name "
                                    "and extension already exists. Choose another name, or type "
                                    "the extension to replace the file."));
        }
    }
  else
    self->close_after_save = FALSE;
  g_clear_object (&self->chooser);
}

void
plg_window_save_as (PlgWindow *self)
{
  static const char *const plans[] = { "*.plan.xml", "*.xml", NULL };
  g_autoptr (GtkFileChooserNative)
                 chooser = gtk_file_chooser_native_new (_ ("Save Plan"), GTK_WINDOW (self),
                                                        GTK_FILE_CHOOSER_ACTION_SAVE, NULL, NULL);
  GFile *file = plg_document_file (self->document);

  add_filter (GTK_FILE_CHOOSER (chooser), _ ("Plans"), plans);
  if (file != NULL)
    gtk_file_chooser_set_file (GTK_FILE_CHOOSER (chooser), file, NULL);
  else
    gtk_file_chooser_set_current_name (GTK_FILE_CHOOSER (chooser), _ ("untitled.plan.xml"));
  show_chooser (self, chooser, G_CALLBACK (save_response_cb));
}

static void
overwrite_response_cb (PlgWindow *self, const char *response)
{
  if (strcmp (response, "overwrite") == 0)
    save_to (self, plg_document_file (self->document));
  else
    self->close_after_save = FALSE;
}

void
plg_window_save (PlgWindow *self)
{
  GFile *file = plg_document_file (self->document);

  if (plg_document_file_changed (self->document))
    {
      GtkWidget *dialog = adw_message_dialog_new (GTK_WINDOW (self), _ ("Overwrite the File?"),
                                                  NULL);

      adw_message_dialog_set_body (
          ADW_MESSAGE_DIALOG (dialog),
          _ ("Another program has changed the file since it was opened. Use Save "
             "As to keep both versions."));
      adw_message_dialog_add_responses (ADW_MESSAGE_DIALOG (dialog), "cancel", _ ("_Cancel"),
                                        "overwrite", _ ("_Overwrite"), NULL);
      adw_message_dialog_set_response_appearance (ADW_MESSAGE_DIALOG (dialog), "overwrite",
                                                  ADW_RESPONSE_DESTRUCTIVE);
      adw_message_dialog_set_close_response (ADW_MESSAGE_DIALOG (dialog), "cancel");
      g_signal_connect_object (dialog, "response", G_CALLBACK (overwrite_response_cb), self,
                               G_CONNECT_SWAPPED);
      gtk_window_present (GTK_WINDOW (dialog));
    }
  else if (file != NULL)
    save_to (self, file);
  else
    plg_window_save_as (self);
}

/* Saves the link table with its current sort order and filter. */
static void
links_response_cb (PlgWindow *self, int response, GtkNativeDialog *chooser)
{
  g_autoptr (GFile) file = gtk_file_chooser_get_file (GTK_FILE_CHOOSER (chooser));
  g_autoptr (GBytes) bytes = NULL;
  g_autoptr (GError) error = NULL;
  char *text;

  gtk_native_dialog_hide (chooser);
  if (response == GTK_RESPONSE_ACCEPT && file != NULL)
    {
      text = plg_link_table_text (self->links, ',');
      bytes = g_bytes_new_take (text, strlen (text));
      if (!plg_document_write_file (file, bytes, &error))
        plg_window_show_error (self, _ ("The Table Could Not Be Saved"), error->message);
    }
  g_clear_object (&self->chooser);
}

void
plg_window_save_links (PlgWindow *self)
{
  static const char *const tables[] = { "*.csv", NULL };
  g_autoptr (GtkFileChooserNative)
                 chooser = gtk_file_chooser_native_new (_ ("Save Table"), GTK_WINDOW (self),
                                                        GTK_FILE_CHOOSER_ACTION_SAVE, NULL, NULL);

  add_filter (GTK_FILE_CHOOSER (chooser), _ ("Tables (CSV)"), tables);
  gtk_file_chooser_set_current_name (GTK_FILE_CHOOSER (chooser), _ ("links.csv"));
  show_chooser (self, chooser, G_CALLBACK (links_response_cb));
}

/* Closing -------------------------------------------------------------------------------------- */

static void
question_response_cb (PlgWindow *self, const char *response)
{
  if (strcmp (response, "save") == 0)
    {
      self->close_after_save = TRUE;
      plg_window_save (self);
    }
  else if (strcmp (response, "discard") == 0)
    {
      self->may_close = TRUE;
      gtk_window_close (GTK_WINDOW (self));
    }
}

gboolean
plg_window_ask_before_close (PlgWindow *self)
{
  g_autofree char *name = NULL;
  GtkWidget *dialog;

  if (self->may_close || !plg_document_is_modified (self->document))
    return FALSE;
  name = plg_document_display_name (self->document);
  dialog = adw_message_dialog_new (GTK_WINDOW (self), _ ("Save Changes?"), NULL);
  adw_message_dialog_format_body (
      ADW_MESSAGE_DIALOG (dialog),
      _ ("The changes to “%s” will be lost permanently if you do not save them."), name);
  adw_message_dialog_add_responses (ADW_MESSAGE_DIALOG (dialog), "cancel", _ ("_Cancel"), "discard",
                                    _ ("_Discard"), "save", _ ("_Save"), NULL);
  adw_message_dialog_set_response_appearance (ADW_MESSAGE_DIALOG (dialog), "discard",
                                              ADW_RESPONSE_DESTRUCTIVE);
  adw_message_dialog_set_response_appearance (ADW_MESSAGE_DIALOG (dialog), "save",
                                              ADW_RESPONSE_SUGGESTED);
  adw_message_dialog_set_default_response (ADW_MESSAGE_DIALOG (dialog), "save");
  adw_message_dialog_set_close_response (ADW_MESSAGE_DIALOG (dialog), "cancel");
  g_signal_connect_object (dialog, "response", G_CALLBACK (question_response_cb), self,
                           G_CONNECT_SWAPPED);
  gtk_window_present (GTK_WINDOW (dialog));
  return TRUE;
}

/* Recent files --------------------------------------------------------------------------------- */

static int
compare_recent (gconstpointer a, gconstpointer b)
{
  return g_date_time_compare (gtk_recent_info_get_modified ((GtkRecentInfo *) b),
                              gtk_recent_info_get_modified ((GtkRecentInfo *) a));
}

void
plg_window_update_recent (PlgWindow *self)
{
  GList *items = gtk_recent_manager_get_items (gtk_recent_manager_get_default ());
  int n = 0;

  items = g_list_sort (items, compare_recent);
  g_menu_remove_all (self->recent_menu);
  for (GList *l = items; l != NULL && n < MAX_RECENT; l = l->next)
    if (gtk_recent_info_has_application (l->data, g_get_application_name ()) &&
        gtk_recent_info_exists (l->data))
      {
        GMenu *menu = self->recent_menu;
        GtkRecentInfo *info = l->data;
        g_autoptr (GMenuItem)
                       item = g_menu_item_new (gtk_recent_info_get_display_name (info), NULL);

        g_menu_item_set_action_and_target (item, "win.open-recent", "s",
                                           gtk_recent_info_get_uri (info));
        g_menu_append_item (menu, item);

        n++;
      }
  /* The action "win.none" does not exist, so GTK shows the item as insensitive. */
  if (n == 0)
    g_menu_append (self->recent_menu, _ ("No recent plans"), "win.none");
  g_list_free_full (items, (GDestroyNotify) gtk_recent_info_unref);
}
