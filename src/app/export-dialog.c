/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "app/export-dialog.h"

#include "drawing/export.h"
#include "drawing/paint.h"
#include "drawing/pictures.h"

#include <glib/gi18n.h>
#include <math.h>

struct _PlgExportDialog
{
  AdwWindow parent_instance;

  PlgDocument *document;
  GSettings *settings;
  PlgFigure *figure; /* as it will be written */
  PlgTheme theme;

  AdwComboRow *picture;
  AdwComboRow *format;
  AdwComboRow *palette;
  AdwComboRow *background;
  GtkSwitch *legend;
  AdwActionRow *size;
  GtkSpinButton *scale;
  GtkDrawingArea *preview;

  GtkFileChooserNative *chooser;
};

G_DEFINE_FINAL_TYPE (PlgExportDialog, plg_export_dialog, ADW_TYPE_WINDOW)

/* What is chosen
 * ------------------------------------------------------------------------------------ */

static PlgExportOptions
chosen_options (PlgExportDialog *self)
{
  return (PlgExportOptions) {
    .format = adw_combo_row_get_selected (self->format),
    .background = adw_combo_row_get_selected (self->background),
    .scale = gtk_spin_button_get_value (self->scale),
  };
}

static void
lay_out (PlgExportDialog *self)
{
  PlgPictureOptions options;

  g_clear_pointer (&self->figure, plg_figure_unref);
  plg_theme_init (&self->theme, adw_combo_row_get_selected (self->palette));
  plg_picture_options_init (&options, plg_document_plan (self->document));
  options.legend = gtk_switch_get_active (self->legend);
  self->figure = plg_picture_figure (adw_combo_row_get_selected (self->picture),
                                     plg_document_plan (self->document),
                                     plg_document_report (self->document), &self->theme, &options);
}

static const char *format_use (int i);

static void
update_size (PlgExportDialog *self)
{
  PlgExportOptions options = chosen_options (self);
  double width = plg_figure_width (self->figure);
  double height = plg_figure_height (self->figure);
  g_autofree char *text = NULL;

  if (options.format == PLG_EXPORT_PNG)
    text = g_strdup_printf (_ ("%.0f × %.0f pixels"), ceil (width * options.scale),
                            ceil (height * options.scale));
  else
    /* 96 points of ours to the inch. */
    text = g_strdup_printf (_ ("%.0f × %.0f mm, sharp at any size"), width / 96 * 25.4,
                            height / 96 * 25.4);
  adw_action_row_set_subtitle (self->size, text);
  adw_action_row_set_subtitle (ADW_ACTION_ROW (self->format), format_use (options.format));
  gtk_widget_set_sensitive (GTK_WIDGET (self->scale), options.format == PLG_EXPORT_PNG);
}

static void
changed_cb (PlgExportDialog *self)
{
  if (self->document == NULL)
    return;
  lay_out (self);
  update_size (self);
  gtk_widget_queue_draw (GTK_WIDGET (self->preview));
}

/* Light text would be lost on white paper. */
static void
palette_changed_cb (PlgExportDialog *self)
{
  PlgTheme theme;

  plg_theme_init (&theme, adw_combo_row_get_selected (self->palette));
  if (theme.dark && adw_combo_row_get_selected (self->background) == PLG_BACKGROUND_WHITE)
    adw_combo_row_set_selected (self->background, PLG_BACKGROUND_THEME);
  changed_cb (self);
}

static void
draw_preview (GtkDrawingArea *area, cairo_t *cr, int width, int height, gpointer data)
{
  PlgExportDialog *self = data;
  PlgBackground background = adw_combo_row_get_selected (self->background);
  PlgColor theme_color = self->theme.role[PLG_ROLE_BACKGROUND];
  double zoom;

  if (self->figure == NULL)
    return;
  zoom = MIN (width / plg_figure_width (self->figure), height / plg_figure_height (self->figure));
  cairo_translate (cr, (width - plg_figure_width (self->figure) * zoom) / 2,
                   (height - plg_figure_height (self->figure) * zoom) / 2);
  cairo_scale (cr, zoom, zoom);
  cairo_rectangle (cr, 0, 0, plg_figure_width (self->figure), plg_figure_height (self->figure));
  cairo_clip (cr);
  if (background == PLG_BACKGROUND_WHITE)
    cairo_set_source_rgb (cr, 1, 1, 1);
  else
    cairo_set_source_rgba (cr, theme_color.red, theme_color.green, theme_color.blue,
                           background == PLG_BACKGROUND_THEME ? 1 : 0);
  cairo_paint (cr);
  plg_paint (cr, self->figure, &self->theme, PLG_LAYERS_EXPORT, NULL);
}

/* Writing
 * -------------------------------------------------------------------------------------------- */

static void
show_error (PlgExportDialog *self, const GError *error)
{
  GtkWidget *dialog = adw_message_dialog_new (GTK_WINDOW (self),
                                              _ ("The Picture Could Not Be Written"),
                                              error->message);

  adw_message_dialog_add_response (ADW_MESSAGE_DIALOG (dialog), "close", _ ("_Close"));
  gtk_window_present (GTK_WINDOW (dialog));
}

/* The ending that was typed decides on the format; without one, the chosen format's is added. Where
 * that makes the name of another file that is there already, which the chooser has not asked about,
 * NULL. */
static GFile *
named_file (PlgExportDialog *self, GFile *file, PlgExportFormat *format)
{
  g_autofree char *uri = g_file_get_uri (file);
  g_autofree char *longer = g_strconcat (uri, ".", plg_export_format_name (*format), NULL);
  g_autoptr (GFile) named = NULL;

  if (plg_export_format_from_path (uri, format))
    return g_object_ref (file);
  named = g_file_new_for_uri (longer);
  return g_file_query_exists (named, NULL) ? NULL : g_steal_pointer (&named);
}

static gboolean
write_picture (PlgExportDialog *self, GFile *file, GError **error)
{
  PlgExportOptions options = chosen_options (self);
  g_autoptr (GFile) named = named_file (self, file, &options.format);
  g_autoptr (GBytes) bytes = NULL;

  if (named == NULL)
    {
      g_set_error (error, G_IO_ERROR, G_IO_ERROR_EXISTS,
                   _ ("There is a file of this name with the ending .%s already. Choose another "
                      "name, or write the "
                      "ending to replace it."),
                   plg_export_format_name (options.format));
      return FALSE;
    }
  bytes = plg_export (self->figure, &self->theme, &options, error);
  return bytes != NULL && plg_document_write_file (named, bytes, error);
}

static void
remember (PlgExportDialog *self, GFile *file)
{
  g_autoptr (GFile) folder = g_file_get_parent (file);
  g_autofree char *path = folder != NULL ? g_file_get_path (folder) : NULL;

  g_settings_set_string (self->settings, "last-export-directory", path != NULL ? path : "");
  g_settings_set_string (self->settings, "last-export-format",
                         plg_export_format_name (adw_combo_row_get_selected (self->format)));
}

static void
chooser_response_cb (PlgExportDialog *self, int response, GtkNativeDialog *chooser)
{
  g_autoptr (GFile) file = gtk_file_chooser_get_file (GTK_FILE_CHOOSER (chooser));
  g_autoptr (GError) error = NULL;

  gtk_native_dialog_hide (chooser);
  g_clear_object (&self->chooser);
  if (response != GTK_RESPONSE_ACCEPT || file == NULL)
    return;
  if (!write_picture (self, file, &error))
    {
      show_error (self, error);
      return;
    }
  remember (self, file);
  gtk_window_close (GTK_WINDOW (self));
}

static char *
proposed_name (PlgExportDialog *self)
{
  g_autofree char *title = plg_plan_display_title (plg_document_plan (self->document));

  g_strdelimit (title, "/\\:*?\"<>|\n\t", '-');
  return g_strdup_printf ("%s %s.%s", title,
                          plg_picture_name (adw_combo_row_get_selected (self->picture)),
                          plg_export_format_name (adw_combo_row_get_selected (self->format)));
}

static void
export_cb (PlgExportDialog *self)
{
  g_autofree char *name = proposed_name (self);
  g_autofree char *folder_path = g_settings_get_string (self->settings, "last-export-directory");
  GtkFileChooserNative *chooser = gtk_file_chooser_native_new (_ ("Export Picture"),
                                                               GTK_WINDOW (self),
                                                               GTK_FILE_CHOOSER_ACTION_SAVE, NULL,
                                                               NULL);

  g_set_object (&self->chooser, chooser);
  g_object_unref (chooser);
  if (*folder_path != '\0' && g_file_test (folder_path, G_FILE_TEST_IS_DIR))
    {
      g_autoptr (GFile) folder = g_file_new_for_path (folder_path);
      gtk_file_chooser_set_current_folder (GTK_FILE_CHOOSER (chooser), folder, NULL);
    }
  gtk_file_chooser_set_current_name (GTK_FILE_CHOOSER (chooser), name);
  gtk_native_dialog_set_modal (GTK_NATIVE_DIALOG (chooser), TRUE);
  g_signal_connect_object (chooser, "response", G_CALLBACK (chooser_response_cb), self,
                           G_CONNECT_SWAPPED);
  gtk_native_dialog_show (GTK_NATIVE_DIALOG (chooser));
}

/* Object
 * --------------------------------------------------------------------------------------------- */

static GListModel *
new_titles (int n, const char *(*title) (int) )
{
  GtkStringList *list = gtk_string_list_new (NULL);

  for (int i = 0; i < n; i++)
    gtk_string_list_append (list, title (i));
  return G_LIST_MODEL (list);
}

static const char *
picture_title (int i)
{
  return plg_picture_title (i);
}

static const char *
palette_title (int i)
{
  return plg_palette_title (i);
}

static const char *
format_title (int i)
{
  return plg_export_format_title (i);
}

static const char *
format_use (int i)
{
  static const char *const uses[PLG_N_EXPORT_FORMATS] = {
    [PLG_EXPORT_SVG] = N_ ("For the web and for editing"),
    [PLG_EXPORT_PDF] = N_ ("For papers"),
    [PLG_EXPORT_PNG] = N_ ("For slides and chats"),
    [PLG_EXPORT_TIKZ] = N_ ("For papers in LaTeX"),
    [PLG_EXPORT_DRAWIO] = N_ ("For diagrams.net, to be edited"),
    [PLG_EXPORT_TEXT] = N_ ("For tickets and mail"),
  };

  return _ (uses[i]);
}

static const char *
background_title (int i)
{
  static const char *const titles[] = { N_ ("White"), N_ ("Transparent"), N_ ("Of the palette") };

  return _ (titles[i]);
}

static void
set_model (AdwComboRow *row, GListModel *model)
{
  adw_combo_row_set_model (row, model);
  g_object_unref (model);
}

static void
plg_export_dialog_dispose (GObject *object)
{
  PlgExportDialog *self = PLG_EXPORT_DIALOG (object);

  g_clear_object (&self->chooser);
  g_clear_object (&self->document);
  g_clear_object (&self->settings);
  g_clear_pointer (&self->figure, plg_figure_unref);
  G_OBJECT_CLASS (plg_export_dialog_parent_class)->dispose (object);
}

static void
plg_export_dialog_class_init (PlgExportDialogClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = plg_export_dialog_dispose;
  gtk_widget_class_set_template_from_resource (widget_class, "/org/parallelogram/Parallelogram/ui/"
                                                             "export-dialog.ui");
  gtk_widget_class_bind_template_child (widget_class, PlgExportDialog, picture);
  gtk_widget_class_bind_template_child (widget_class, PlgExportDialog, format);
  gtk_widget_class_bind_template_child (widget_class, PlgExportDialog, palette);
  gtk_widget_class_bind_template_child (widget_class, PlgExportDialog, background);
  gtk_widget_class_bind_template_child (widget_class, PlgExportDialog, legend);
  gtk_widget_class_bind_template_child (widget_class, PlgExportDialog, size);
  gtk_widget_class_bind_template_child (widget_class, PlgExportDialog, scale);
  gtk_widget_class_bind_template_child (widget_class, PlgExportDialog, preview);
  gtk_widget_class_bind_template_callback (widget_class, changed_cb);
  gtk_widget_class_bind_template_callback (widget_class, palette_changed_cb);
  gtk_widget_class_bind_template_callback (widget_class, export_cb);
  gtk_widget_class_add_binding_action (widget_class, GDK_KEY_Escape, 0, "window.close", NULL);
}

static void
plg_export_dialog_init (PlgExportDialog *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  set_model (self->picture, new_titles (PLG_N_PICTURES, picture_title));
  set_model (self->format, new_titles (PLG_N_EXPORT_FORMATS, format_title));
  set_model (self->palette, new_titles (PLG_N_PALETTES, palette_title));
  set_model (self->background, new_titles (3, background_title));
  gtk_drawing_area_set_draw_func (self->preview, draw_preview, self, NULL);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->scale), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _ ("Pixels per point"), -1);
}

void
plg_export_dialog_present (GtkWindow *parent, PlgDocument *document, GSettings *settings)
{
  PlgExportDialog *self = g_object_new (PLG_TYPE_EXPORT_DIALOG, "transient-for", parent, NULL);
  g_autofree char *format_name = g_settings_get_string (settings, "last-export-format");
  g_autofree char *file_name = g_strconcat ("x.", format_name, NULL);
  PlgExportFormat format = PLG_EXPORT_SVG;

  self->document = g_object_ref (document);
  self->settings = g_object_ref (settings);
  plg_export_format_from_path (file_name, &format);
  adw_combo_row_set_selected (self->format, format);
  changed_cb (self);
  gtk_window_present (GTK_WINDOW (self));
}
