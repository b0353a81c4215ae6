/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "app/class-window.h"

#include "app/class-results-tables.h"
#include "app/toasts.h"

#include "document/document.h"
#include "drawing/export/export.h"
#include "drawing/charts/class-results-figure.h"
#include "lessons/class-records.h"
#include "widgets/clipboard.h"
#include "widgets/widget-theme.h"
#include "widgets/tables/table.h"
#include "widgets/lesson/class-results-view.h"

#include <glib/gi18n.h>
#include <string.h>

struct _PlgClassWindow
{
  AdwWindow parent_instance;

  PlgClassResults *results;
  char *palette;
  GPtrArray *lessons; /* lesson ids, borrowed; the first entry is NULL, which means all lessons */
  GtkFileChooserNative *chooser;
  gboolean saves_scores; /* whether the open file chooser saves the scores instead of the chart */

  AdwWindowTitle *heading;
  AdwToastOverlay *toasts;
  GtkDropDown *lesson;
  GtkWidget *unread;
  GtkBox *reasons;
  GtkStack *pages;
  PlgClassResultsView *chart;
  GtkStack *tables;
  PlgTable *answers;
  PlgTable *scores;
};

G_DEFINE_FINAL_TYPE (PlgClassWindow, plg_class_window, ADW_TYPE_WINDOW)

static const char *
shown_lesson (PlgClassWindow *self)
{
  guint i = gtk_drop_down_get_selected (self->lesson);

  return i < self->lessons->len ? self->lessons->pdata[i] : NULL;
}

/* Results -------------------------------------------------------------------------------------- */

static void
show_chosen (PlgClassWindow *self)
{
  const char *lesson;

  /* Ignore the "notify::selected" signals that the drop-down emits while the list of lessons is
   * being built. */
  if (self->results == NULL)
    return;

  /* The drop-down focuses its inner button, which has no name. Name both widgets after the
   * selected lesson, because some screen readers read the button and others read the drop-down. */
  GtkWidget *button = gtk_widget_get_first_child (GTK_WIDGET (self->lesson));
  GtkStringObject *chosen = gtk_drop_down_get_selected_item (self->lesson);
  g_autofree char *name = NULL;

  if (button != NULL && chosen != NULL)
    {
      name = g_strdup_printf (_ ("Lesson: %s"), gtk_string_object_get_string (chosen));
      gtk_accessible_update_property (GTK_ACCESSIBLE (button), GTK_ACCESSIBLE_PROPERTY_LABEL, name,
                                      -1);
      gtk_accessible_update_property (GTK_ACCESSIBLE (self->lesson), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                      name, -1);
    }

  lesson = shown_lesson (self);
  plg_class_results_view_show (self->chart, self->results, self->palette, lesson);
  plg_class_answers_fill (self->answers, self->results, lesson);
  plg_class_scores_fill (self->scores, self->results, lesson);
}

/* Returns whether the list contains LESSON or, if LESSON is NULL, the entry for all lessons. */
static gboolean
is_listed (PlgClassWindow *self, const char *lesson)
{
  for (guint i = 0; i < self->lessons->len; i++)
    if (g_strcmp0 (self->lessons->pdata[i], lesson) == 0)
      return TRUE;
  return FALSE;
}

static void
add_reasons (PlgClassWindow *self, const char *heading, const GPtrArray *reasons)
{
  GtkWidget *title = gtk_label_new (heading);

  gtk_label_set_xalign (GTK_LABEL (title), 0);
  gtk_widget_add_css_class (title, "heading");
  gtk_widget_set_visible (title, reasons->len > 0);
  gtk_box_append (self->reasons, title);
  for (guint i = 0; i < reasons->len; i++)
    {
      GtkWidget *label = gtk_label_new (reasons->pdata[i]);

      gtk_label_set_xalign (GTK_LABEL (label), 0);
      gtk_label_set_wrap (GTK_LABEL (label), TRUE);
      gtk_label_set_wrap_mode (GTK_LABEL (label), PANGO_WRAP_WORD_CHAR);
      gtk_label_set_selectable (GTK_LABEL (label), TRUE);
      gtk_box_append (self->reasons, label);
    }
}

/* Files ---------------------------------------------------------------------------------------- */

gboolean
plg_class_window_write (PlgClassWindow *self, GFile *file, GError **error)
{
  g_autofree char *name = g_file_get_basename (file);
  g_autoptr (GBytes) bytes = NULL;
  PlgExportFormat format;
  char *csv;

  g_return_val_if_fail (PLG_IS_CLASS_WINDOW (self), FALSE);

  if (g_str_has_suffix (name, ".csv"))
    {
      csv = self->saves_scores || g_str_has_suffix (name, ".scores.csv")
                ? plg_class_results_scores_csv (self->results)
                : plg_class_results_csv (self->results);
      bytes = g_bytes_new_take (csv, strlen (csv));
    }
  else if (plg_export_format_from_path (name, &format) &&
           (format <= PLG_EXPORT_PNG || format == PLG_EXPORT_TEXT))
    {
      PlgExportOptions options = { .format = format,
                                   .background = PLG_BACKGROUND_THEME,
                                   .scale = 2 };
      g_autoptr (GPtrArray) pages = NULL;
      g_autoptr (PlgFigure) figure = NULL;
      PlgTheme theme;

      plg_widget_theme_init (self->palette, &theme);
      /* If the window is dark, export with the print palette, because a dark background is
       * unsuitable for paper. */
      if (theme.dark)
        plg_theme_init (&theme, PLG_PALETTE_PRINT);
      if (format == PLG_EXPORT_PDF && self->results->questions->len > 0)
        {
          pages = plg_class_results_pages (self->results, &theme, shown_lesson (self));
          bytes = plg_export_pages (pages, &theme, PLG_PAGE_A4, error);
        }
      else
        {
          figure = plg_class_results_figure (self->results, &theme, 0, FALSE, shown_lesson (self));
          bytes = plg_export (figure, &theme, &options, error);
        }
    }
  else
    g_set_error (error, G_IO_ERROR, G_IO_ERROR_NOT_SUPPORTED,
                 _ ("Cannot export to “%s”: the file extension must be .svg, .pdf, .png, "
                    ".txt or .csv."),
                 name);
  return bytes != NULL && plg_document_write_file (file, bytes, error);
}

static void
response_cb (PlgClassWindow *self, int response, GtkNativeDialog *chooser)
{
  g_autoptr (GFile) file = gtk_file_chooser_get_file (GTK_FILE_CHOOSER (chooser));
  g_autoptr (GError) error = NULL;

  gtk_native_dialog_hide (chooser);
  g_clear_object (&self->chooser);
  if (response != GTK_RESPONSE_ACCEPT || file == NULL)
    return;
  if (!plg_class_window_write (self, file, &error))
    plg_toasts_show (self->toasts, error->message);
}

static void
export_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  PlgClassWindow *self = PLG_CLASS_WINDOW (widget);
  g_autoptr (GtkFileChooserNative)
                 chooser = gtk_file_chooser_native_new (_ ("Export"), GTK_WINDOW (self),
                                                        GTK_FILE_CHOOSER_ACTION_SAVE, NULL, NULL);
  g_autofree char *file = g_strdup_printf ("%s.%s", _ ("class"),
                                           g_variant_get_string (parameter, NULL));

  self->saves_scores = g_str_equal (g_variant_get_string (parameter, NULL), "scores.csv");
  g_set_object (&self->chooser, chooser);
  gtk_file_chooser_set_current_name (GTK_FILE_CHOOSER (chooser), file);
  gtk_native_dialog_set_modal (GTK_NATIVE_DIALOG (chooser), TRUE);
  g_signal_connect_object (chooser, "response", G_CALLBACK (response_cb), self, G_CONNECT_SWAPPED);
  gtk_native_dialog_show (GTK_NATIVE_DIALOG (chooser));
}

static void
copy_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  PlgClassWindow *self = PLG_CLASS_WINDOW (widget);
  gboolean scores = g_str_equal (gtk_stack_get_visible_child_name (self->tables), "scores");
  g_autofree char *text = plg_table_to_text (scores ? self->scores : self->answers);

  plg_clipboard_set_text (gtk_widget_get_clipboard (widget), text);
}

/* Object --------------------------------------------------------------------------------------- */

static void
plg_class_window_dispose (GObject *object)
{
  PlgClassWindow *self = PLG_CLASS_WINDOW (object);

  g_clear_object (&self->chooser);
  if (self->chart != NULL)
    plg_class_results_view_show (self->chart, NULL, NULL, NULL);
  self->chart = NULL;
  G_OBJECT_CLASS (plg_class_window_parent_class)->dispose (object);
}

static void
plg_class_window_finalize (GObject *object)
{
  PlgClassWindow *self = PLG_CLASS_WINDOW (object);

  g_ptr_array_unref (self->lessons);
  g_clear_pointer (&self->results, plg_class_results_free);
  g_free (self->palette);
  G_OBJECT_CLASS (plg_class_window_parent_class)->finalize (object);
}

static void
plg_class_window_class_init (PlgClassWindowClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = plg_class_window_dispose;
  G_OBJECT_CLASS (klass)->finalize = plg_class_window_finalize;
  g_type_ensure (PLG_TYPE_TABLE);
  g_type_ensure (PLG_TYPE_CLASS_RESULTS_VIEW);
  gtk_widget_class_set_template_from_resource (widget_class, "/org/parallelogram/Parallelogram/ui/"
                                                             "class-window.ui");
  gtk_widget_class_bind_template_child (widget_class, PlgClassWindow, heading);
  gtk_widget_class_bind_template_child (widget_class, PlgClassWindow, toasts);
  gtk_widget_class_bind_template_child (widget_class, PlgClassWindow, lesson);
  gtk_widget_class_bind_template_child (widget_class, PlgClassWindow, unread);
  gtk_widget_class_bind_template_child (widget_class, PlgClassWindow, reasons);
  gtk_widget_class_bind_template_child (widget_class, PlgClassWindow, pages);
  gtk_widget_class_bind_template_child (widget_class, PlgClassWindow, chart);
  gtk_widget_class_bind_template_child (widget_class, PlgClassWindow, tables);
  gtk_widget_class_bind_template_child (widget_class, PlgClassWindow, answers);
  gtk_widget_class_bind_template_child (widget_class, PlgClassWindow, scores);
  gtk_widget_class_bind_template_callback (widget_class, show_chosen);
  gtk_widget_class_install_action (widget_class, "class.export", "s", export_action);
  gtk_widget_class_install_action (widget_class, "class.copy", NULL, copy_action);
  gtk_widget_class_add_binding_action (widget_class, GDK_KEY_e, GDK_CONTROL_MASK, "class.export",
                                       "s", "svg");
  gtk_widget_class_add_binding_action (widget_class, GDK_KEY_c, GDK_CONTROL_MASK, "class.copy",
                                       NULL);
  gtk_widget_class_add_binding_action (widget_class, GDK_KEY_Escape, 0, "window.close", NULL);
}

static void
plg_class_window_init (PlgClassWindow *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  self->lessons = g_ptr_array_new ();
  plg_class_answers_set_columns (self->answers);
  plg_class_scores_set_columns (self->scores);
}

PlgClassWindow *
plg_class_window_present (GtkApplication *application,
                          GSettings *settings,
                          const PlgCatalogue *catalogue,
                          const char *const *paths)
{
  PlgClassWindow *self = g_object_new (PLG_TYPE_CLASS_WINDOW, "application", application, NULL);
  g_autoptr (PlgClassRecords) records = plg_class_records_load (paths, catalogue);

  self->palette = g_settings_get_string (settings, "palette");
  self->results = plg_class_records_results (records, catalogue);

  g_autofree char *title = g_strdup_printf (_ ("Class of %d"), self->results->learners);
  g_autofree char *result = g_strdup_printf (_ ("%d of %d first answers right"),
                                             plg_class_results_right (self->results),
                                             plg_class_results_answered (self->results));

  adw_window_title_set_title (self->heading, title);
  adw_window_title_set_subtitle (self->heading, result);

  add_reasons (self, _ ("These files are not counted:"), records->unread);
  add_reasons (self, _ ("Remarks on the counted files:"), records->remarks);
  gtk_widget_set_visible (self->unread, records->unread->len + records->remarks->len > 0);
  gtk_stack_set_visible_child_name (self->pages,
                                    self->results->questions->len > 0 ? "answers" : "nothing");

  g_autoptr (GtkStringList) titles = gtk_string_list_new (NULL);

  gtk_string_list_append (titles, _ ("All Lessons"));
  g_ptr_array_add (self->lessons, NULL);
  for (guint i = 0; i < self->results->questions->len; i++)
    {
      const PlgClassResultsQuestion *question = self->results->questions->pdata[i];

      if (is_listed (self, question->lesson))
        continue;
      g_ptr_array_add (self->lessons, question->lesson);
      gtk_string_list_append (titles, question->title);
    }
  gtk_drop_down_set_model (self->lesson, G_LIST_MODEL (titles));

  show_chosen (self);
  gtk_window_present (GTK_WINDOW (self));
  return self;
}
