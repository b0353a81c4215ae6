/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "app/application.h"

#include "app/class-window.h"
#include "app/heap-limits.h"
#include "app/window/window.h"
#include "io/plan/catalogue-xml.h"
#include "lessons/learner.h"
#include "lessons/lesson-library.h"
#include "plan/settings/setting-name.h"

#include <glib/gi18n.h>

struct _PlgApplication
{
  AdwApplication parent_instance;

  PlgCatalogue *catalogue;
  GSettings *settings;
  gboolean has_recovered;
};

G_DEFINE_FINAL_TYPE (PlgApplication, plg_application, ADW_TYPE_APPLICATION)

static PlgWindow *
new_window (PlgApplication *self)
{
  PlgWindow *window = plg_window_new (self);

  gtk_window_present (GTK_WINDOW (window));
  return window;
}

static PlgWindow *
free_window (PlgApplication *self)
{
  GtkWindow *active = gtk_application_get_active_window (GTK_APPLICATION (self));

  if (PLG_IS_WINDOW (active) && plg_window_is_pristine (PLG_WINDOW (active)))
    return PLG_WINDOW (active);
  return new_window (self);
}

static PlgWindow *
window_of_file (PlgApplication *self, GFile *file)
{
  for (GList *l = gtk_application_get_windows (GTK_APPLICATION (self)); l != NULL; l = l->next)
    {
      GFile *open = PLG_IS_WINDOW (l->data) ? plg_document_file (plg_window_document (l->data))
                                            : NULL;
      if (open != NULL && g_file_equal (open, file))
        return l->data;
    }
  return NULL;
}

/* Returns the active plan window or the plan window of the active dialog. If neither exists,
 * opens a new window. */
static PlgWindow *
front_window (PlgApplication *self)
{
  GtkWindow *active = gtk_application_get_active_window (GTK_APPLICATION (self));

  while (active != NULL && !PLG_IS_WINDOW (active))
    active = gtk_window_get_transient_for (active);
  return active != NULL ? PLG_WINDOW (active) : new_window (self);
}

static PlgWindow *
window_of_lesson (PlgApplication *self, const PlgLesson *lesson)
{
  for (GList *l = gtk_application_get_windows (GTK_APPLICATION (self)); l != NULL; l = l->next)
    {
      const PlgLesson *played = PLG_IS_WINDOW (l->data) ? plg_window_lesson (l->data) : NULL;

      if (played != NULL && g_str_equal (played->id, lesson->id))
        return l->data;
    }
  return NULL;
}

/* Begins LESSON. If a window already runs LESSON, that window is reused, because two windows
 * with the same lesson would overwrite each other's answers. If the lesson file has changed, the
 * lesson restarts in that window. */
void
plg_application_begin_lesson (PlgApplication *self, PlgLesson *lesson)
{
  PlgWindow *window;

  g_return_if_fail (PLG_IS_APPLICATION (self));

  window = window_of_lesson (self, lesson);
  if (window != NULL)
    gtk_window_present (GTK_WINDOW (window));
  if (window != NULL && g_str_equal (plg_window_lesson (window)->digest, lesson->digest))
    return;
  if (window == NULL)
    window = free_window (self);
  plg_window_begin_lesson (window, lesson);
  plg_window_resume_lesson (window);
}

void
plg_application_open_plan (PlgApplication *self, const PlgPlan *plan)
{
  g_return_if_fail (PLG_IS_APPLICATION (self));
  plg_document_reset (plg_window_document (free_window (self)), plan);
}

/* A file that the user opens, with its content. The file is read only once, although the content
 * is used twice: to detect the format and to open the file. */
typedef struct
{
  GFile *file; /* borrowed */
  char *name;  /* the file name for error messages */
  GBytes *bytes;
  GError *error; /* the read error; set if BYTES is NULL */
} OpenedFile;

static void
opened_file_clear (gpointer data)
{
  OpenedFile *opened = data;

  g_free (opened->name);
  g_clear_pointer (&opened->bytes, g_bytes_unref);
  g_clear_error (&opened->error);
}

/* Returns whether DETECT recognises the content of OPENED. Errors in the content are reported
 * later, by the code that reads it. */
static gboolean
opened_file_is (const OpenedFile *opened, gboolean (*detect) (const char *data, gsize size))
{
  return opened->bytes != NULL &&
         detect (g_bytes_get_data (opened->bytes, NULL), g_bytes_get_size (opened->bytes));
}

/* Opens a lesson or a plan. Previews the import of any other file, such as a cluster or a model,
 * in the active plan window. */
static gboolean
open_file (PlgApplication *self, OpenedFile *opened, GError **error)
{
  GFile *file = opened->file;
  PlgWindow *window = window_of_file (self, file);
  PlgImportResult *import;

  /* If a window already shows this file, bring that window to the front, because two windows
   * with the same file would overwrite each other's changes. */
  if (window != NULL)
    {
      gtk_window_present (GTK_WINDOW (window));
      return TRUE;
    }
  if (opened->bytes == NULL)
    {
      g_propagate_error (error, g_steal_pointer (&opened->error));
      return FALSE;
    }
  if (opened_file_is (opened, plg_lesson_detect))
    {
      g_autoptr (PlgLesson) lesson = plg_lesson_read_file (opened->bytes, opened->name, error);
      g_autofree char *name = g_file_get_basename (file);

      if (lesson == NULL)
        return FALSE;
      if (!plg_lesson_can_play (lesson, self->catalogue, error))
        {
          g_prefix_error (error, "%s:", name);
          return FALSE;
        }
      plg_application_begin_lesson (self, lesson);
      return TRUE;
    }
  window = front_window (self);
  import = plg_document_read_bytes (plg_window_document (window), opened->bytes, opened->name,
                                    error);
  if (import == NULL)
    return FALSE;
  if (import->format->subject != PLG_SUBJECT_PLAN)
    {
      plg_window_show_import (window, import, file);
      return TRUE;
    }
  plg_window_open (plg_window_is_pristine (window) ? window : new_window (self), file, import);
  plg_import_result_free (import);
  return TRUE;
}

static const char *
heading_of (const OpenedFile *opened)
{
  static const char *const headings[] = {
    [PLG_SUBJECT_PLAN] = N_ ("The Plan Could Not Be Opened"),
    [PLG_SUBJECT_CLUSTER] = N_ ("The Cluster Could Not Be Opened"),
    [PLG_SUBJECT_MODEL] = N_ ("The Model Could Not Be Opened"),
    [PLG_SUBJECT_TRAINING] = N_ ("The Configuration Could Not Be Opened"),
    [PLG_SUBJECT_PLACEMENT] = N_ ("The Placement Could Not Be Opened"),
    [PLG_SUBJECT_REPORT] = N_ ("The File Could Not Be Opened"),
    [PLG_SUBJECT_SIMULATOR] = N_ ("The File Could Not Be Opened"),
  };
  G_STATIC_ASSERT (G_N_ELEMENTS (headings) == PLG_N_SUBJECTS);
  const PlgFormat *format = opened->bytes != NULL ? plg_format_detect (opened->bytes) : NULL;

  if (opened_file_is (opened, plg_lesson_detect))
    return _ ("The Lesson Could Not Be Opened");
  return _ (headings[format != NULL ? format->subject : PLG_SUBJECT_REPORT]);
}

void
plg_application_open_class (PlgApplication *self, GFile *const *files, int n_files)
{
  g_autoptr (GPtrArray) paths = g_ptr_array_new_with_free_func (g_free);

  g_return_if_fail (PLG_IS_APPLICATION (self));

  for (int i = 0; i < n_files; i++)
    {
      char *path = g_file_get_path (files[i]);

      g_ptr_array_add (paths, path != NULL ? path : g_file_get_uri (files[i]));
    }
  g_ptr_array_add (paths, NULL);
  plg_class_window_present (GTK_APPLICATION (self), self->settings, self->catalogue,
                            (const char *const *) paths->pdata);
}

/* Opens FILES. If at least one file is a learner record, opens all files in a class window,
 * which lists the files that it cannot use. */
void
plg_application_open_files (PlgApplication *self, GFile *const *files, int n_files)
{
  g_autoptr (GString) text = g_string_new (NULL);
  g_autoptr (GArray) opened_files = g_array_sized_new (FALSE, TRUE, sizeof (OpenedFile),
                                                       (guint) n_files);
  int failed = 0;
  const OpenedFile *last = NULL;

  g_return_if_fail (PLG_IS_APPLICATION (self));

  g_array_set_clear_func (opened_files, opened_file_clear);
  for (int i = 0; i < n_files; i++)
    {
      OpenedFile opened = { .file = files[i] };

      opened.bytes = plg_document_load_file (files[i], &opened.name, &opened.error);
      g_array_append_val (opened_files, opened);
      /* Open the class window only for a learner record with a path, because the class window
       * reads its files by path. */
      if (g_file_peek_path (files[i]) != NULL && opened_file_is (&opened, plg_learner_detect))
        {
          plg_application_open_class (self, files, n_files);
          return;
        }
    }

  for (int i = 0; i < n_files; i++)
    {
      OpenedFile *opened = &g_array_index (opened_files, OpenedFile, i);
      g_autoptr (GError) error = NULL;

      if (open_file (self, opened, &error))
        continue;

      g_autofree char *why = plg_window_read_error_text (error);

      if (text->len > 0)
        g_string_append (text, "\n\n");
      /* Append WHY alone, because WHY already begins with the name of the file. */
      g_string_append (text, why);

      last = opened;
      failed++;
    }
  if (failed > 0)
    {
      /* If a single file failed, the heading names its type, for example plan or lesson. */
      g_autofree char *heading = failed > 1
                                     ? g_strdup_printf (_ ("%d Files Could Not Be Opened"), failed)
                                     : g_strdup (heading_of (last));

      plg_window_show_error (front_window (self), heading, text->str);
    }
}

void
plg_application_open_file (PlgApplication *self, GFile *file)
{
  plg_application_open_files (self, &file, 1);
}

/* Recovers autosaved plans after a crash, each in its own window. Runs only once, because later
 * autosaves belong to this process. */
static void
recover (PlgApplication *self)
{
  g_autofree char *directory = plg_window_autosave_directory ();
  g_auto (GStrv) paths = self->has_recovered ? NULL : plg_document_find_recoverable (directory);

  self->has_recovered = TRUE;
  for (guint i = 0; paths != NULL && paths[i] != NULL; i++)
    plg_window_recover (free_window (self), paths[i]);
}

static void
plg_application_activate (GApplication *application)
{
  GtkWindow *active = gtk_application_get_active_window (GTK_APPLICATION (application));

  if (active != NULL)
    {
      gtk_window_present (active);
      return;
    }
  new_window (PLG_APPLICATION (application));
  recover (PLG_APPLICATION (application));
}

static void
plg_application_open (GApplication *application, GFile **files, int n_files, const char *hint)
{
  /* Recover first, so that the windows of the opened files end up in front. */
  recover (PLG_APPLICATION (application));
  plg_application_open_files (PLG_APPLICATION (application), files, n_files);
}

/* Actions -------------------------------------------------------------------------------------- */

static void
new_action (GSimpleAction *action, GVariant *parameter, gpointer self)
{
  new_window (self);
}

/* Closes every window. A window with unsaved changes asks the user before it closes. The
 * application quits when its last window closes. */
static void
quit_action (GSimpleAction *action, GVariant *parameter, gpointer self)
{
  GList *windows = g_list_copy_deep (gtk_application_get_windows (self), (GCopyFunc) g_object_ref,
                                     NULL);

  for (GList *l = windows; l != NULL; l = l->next)
    gtk_window_close (l->data);
  g_list_free_full (windows, g_object_unref);
}

static void
about_action (GSimpleAction *action, GVariant *parameter, gpointer self)
{
  static const char *const developers[] = { "The Parallelogram founders", NULL };

  adw_show_about_window (gtk_application_get_active_window (self), "application-name",
                         _ ("Parallelogram"), "application-icon", PLG_APP_ID, "version",
                         PLG_VERSION, "developer-name", _ ("The Parallelogram founders"),
                         "developers", developers, "license-type", GTK_LICENSE_GPL_3_0, "comments",
                         _ ("See, shape and judge how a large model is trained across a GPU "
                            "cluster"),
                         NULL);
}

static const GActionEntry actions[] = {
  { "new", new_action },
  { "quit", quit_action },
  { "about", about_action },
};

static const struct
{
  const char *action;
  const char *keys[3];
} accelerators[] = {
  { "app.new", { "<Control>n" } },
  { "app.quit", { "<Control>q" } },
  { "win.open", { "<Control>o" } },
  { "win.save", { "<Control>s" } },
  { "win.save-as", { "<Control><Shift>s" } },
  { "win.undo", { "<Control>z" } },
  { "win.redo", { "<Control><Shift>z", "<Control>y" } },
  { "win.export", { "<Control>e" } },
  { "win.convert", { "<Control>t" } },
  { "win.copy-picture", { "<Control><Shift>c" } },
  { "win.copy-command", { "<Control><Shift>e" } },
  { "win.zoom-in", { "<Control>plus", "<Control>equal" } },
  { "win.zoom-out", { "<Control>minus" } },
  { "win.zoom-normal", { "<Control>0" } },
  { "win.fit", { "<Control>9" } },
  { "win.find", { "<Control>f" } },
  { "win.inspector", { "F9" } },
  { "win.panels", { "<Shift>F9" } },
  { "win.pane-visible", { "<Control>F9" } },
  { "win.page::timeline", { "<Alt>1" } },
  { "win.play", { "<Control>r" } },
  { "win.play-collective", { "<Control><Shift>r" } },
  { "win.orders", { "<Control><Shift>n" } },
  { "win.compare-orders", { "<Control><Shift>o" } },
  { "win.find-plans", { "<Control>b" } },
  { "win.sweep", { "<Control>u" } },
  { "win.compare-plans", { "<Control><Shift>d" } },
  { "win.add-variant", { "<Control>d" } },
  { "win.play-next", { "<Control>bracketright" } },
  { "win.play-previous", { "<Control>bracketleft" } },
  { "win.play-slower", { "<Control>comma" } },
  { "win.play-faster", { "<Control>period" } },
  { "win.play-again", { "<Control><Shift>l" } },
  { "win.page::links", { "<Alt>2" } },
  { "win.page::pairs", { "<Alt>3" } },
  { "win.pairs::bandwidth", { "<Alt>4" } },
  { "win.pairs::traffic", { "<Alt>5" } },
  { "win.link-color::frequency", { "<Control>1" } },
  { "win.link-color::bytes", { "<Control>2" } },
  { "win.link-color::time", { "<Control>3" } },
  { "win.link-color::off", { "<Control>4" } },
  { "win.rings", { "<Control>g" } },
  { "win.tidy", { "<Control><Shift>t" } },
  { "win.place", { "<Control><Shift>m" } },
  { "win.balance", { "<Control><Shift>b" } },
  { "win.lessons", { "<Control>l" } },
  { "win.present", { "F5", "F11" } },
  { "win.presenter", { "<Shift>F5" } },
  { "win.fullscreen", { "<Shift>F11" } },
  { "win.show-help-overlay", { "<Control>question" } },
  { "window.close", { "<Control>w" } },
};

static void
plg_application_startup (GApplication *application)
{
  PlgApplication *self = PLG_APPLICATION (application);
  g_autofree char *warnings = NULL;

  G_APPLICATION_CLASS (plg_application_parent_class)->startup (application);
  plg_heap_limits_set_up (gdk_display_get_default ());
  gtk_window_set_default_icon_name (PLG_APP_ID);
  self->settings = g_settings_new (PLG_APP_ID);
  self->catalogue = plg_catalogue_load (&warnings);
  if (warnings != NULL)
    g_printerr ("parallelogram: %s\n", warnings);
  plg_setting_use_titles ();
  g_action_map_add_action_entries (G_ACTION_MAP (self), actions, G_N_ELEMENTS (actions), self);
  for (guint i = 0; i < G_N_ELEMENTS (accelerators); i++)
    {
      const char *keys[] = { accelerators[i].keys[0], accelerators[i].keys[1],
                             accelerators[i].keys[2], NULL };
      gtk_application_set_accels_for_action (GTK_APPLICATION (self), accelerators[i].action, keys);
    }
}

static int
plg_application_handle_local_options (GApplication *application, GVariantDict *options)
{
  if (!g_variant_dict_contains (options, "version"))
    return -1;
  g_print ("parallelogram %s\n", PLG_VERSION);
  return 0;
}

static void
plg_application_finalize (GObject *object)
{
  PlgApplication *self = PLG_APPLICATION (object);

  g_clear_pointer (&self->catalogue, plg_catalogue_unref);
  g_clear_object (&self->settings);
  G_OBJECT_CLASS (plg_application_parent_class)->finalize (object);
}

static void
plg_application_class_init (PlgApplicationClass *klass)
{
  GApplicationClass *application_class = G_APPLICATION_CLASS (klass);

  G_OBJECT_CLASS (klass)->finalize = plg_application_finalize;
  application_class->startup = plg_application_startup;
  application_class->activate = plg_application_activate;
  application_class->open = plg_application_open;
  application_class->handle_local_options = plg_application_handle_local_options;
}

static void
plg_application_init (PlgApplication *self)
{
}

PlgApplication *
plg_application_new (void)
{
  PlgApplication *self = g_object_new (PLG_TYPE_APPLICATION, "application-id", PLG_APP_ID, "flags",
                                       G_APPLICATION_HANDLES_OPEN, "resource-base-path",
                                       "/org/parallelogram/Parallelogram", NULL);

  g_set_application_name (_ ("Parallelogram"));
  g_application_add_main_option (G_APPLICATION (self), "version", 0, G_OPTION_FLAG_NONE,
                                 G_OPTION_ARG_NONE, _ ("Print the version and exit"), NULL);
  g_application_set_option_context_parameter_string (G_APPLICATION (self), _ ("[PLAN…]"));
  return self;
}

PlgCatalogue *
plg_application_catalogue (PlgApplication *self)
{
  g_return_val_if_fail (PLG_IS_APPLICATION (self), NULL);
  return self->catalogue;
}

GSettings *
plg_application_settings (PlgApplication *self)
{
  g_return_val_if_fail (PLG_IS_APPLICATION (self), NULL);
  return self->settings;
}
