/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "app/dialogs/export-dialog.h"

#include "app/dialogs/export-part.h"
#include "app/dialogs/export-scale.h"
#include "app/dialogs/export-titles.h"
#include "app/screen-picture.h"
#include "app/toasts.h"
#include "drawing/export/paint.h"
#include "drawing/charts/ascii.h"
#include "widgets/clipboard.h"
#include "widgets/accessible-names.h"

#include <glib/gi18n.h>
#include <math.h>

struct _PlgExportDialog
{
  AdwWindow parent_instance;

  PlgDocument *document;
  PlgCanvas *canvas;
  GSettings *settings;
  AdwToastOverlay *toasts;     /* toasts in the parent window, used after the dialog has closed */
  AdwToastOverlay *own_toasts; /* toasts in the dialog */
  PlgRequest
      shown[PLG_N_PICTURES]; /* each picture as it was when the dialog opened, because playback
                                may continue */
  PlgRequest whole;          /* the picture of the whole cluster */
  int n_pictures;            /* the number of offered pictures, the first ones of PlgPicture */
  PlgFigure *figure;         /* the picture that the dialog previews and exports */
  PlgTheme theme;

  AdwComboRow *picture;
  PlgExportPart *part;
  AdwComboRow *format;
  AdwComboRow *palette;
  AdwComboRow *background;
  AdwComboRow *legend;
  AdwComboRow *page;
  GtkWidget *plan_row;
  GtkSwitch *plan_inside;
  AdwActionRow *size;
  GtkSpinButton *scale;
  GtkDrawingArea *preview;
  GtkWidget *export_button;

  GtkFileChooserNative *chooser;
};

G_DEFINE_FINAL_TYPE (PlgExportDialog, plg_export_dialog, ADW_TYPE_WINDOW)

/* Choices -------------------------------------------------------------------------------------- */

static PlgPicture
chosen_picture (PlgExportDialog *self)
{
  return adw_combo_row_get_selected (self->picture);
}

/* Embeds the plan in the picture if REQUEST asks for SVG and the user has chosen to include the
 * plan. The format must be checked here, because the name of the saved file can change the
 * format. */
static void
put_plan_inside (PlgExportDialog *self, PlgRequest *request)
{
  gboolean is_wanted = request->file.format == PLG_EXPORT_SVG &&
                       gtk_switch_get_active (self->plan_inside);

  g_clear_pointer (&request->file.attachment, g_bytes_unref);
  if (is_wanted)
    request->file.attachment = plg_document_plan_bytes (self->document);
}

/* Fills REQUEST for PICTURE; free REQUEST with plg_request_clear(). */
static void
make_request (PlgExportDialog *self, PlgPicture picture, PlgRequest *request)
{
  gboolean is_whole = picture == PLG_PICTURE_CLUSTER && !plg_export_part_is_on_screen (self->part);

  plg_request_copy (is_whole ? &self->whole : &self->shown[picture], request);
  plg_export_part_choose (self->part, request);
  request->palette = adw_combo_row_get_selected (self->palette);
  request->options.legend = adw_combo_row_get_selected (self->legend);
  request->file.format = adw_combo_row_get_selected (self->format);
  request->file.background = adw_combo_row_get_selected (self->background);
  request->file.page = adw_combo_row_get_selected (self->page);
  if (self->figure != NULL)
    request->file.scale = plg_export_scale_for (self->scale, self->figure, self->figure);
  put_plan_inside (self, request);
}

static void
update_rows (PlgExportDialog *self)
{
  PlgExportFormat format = adw_combo_row_get_selected (self->format);
  g_autofree char *size = NULL;
  double width = plg_figure_width (self->figure), height = plg_figure_height (self->figure);
  double scale = plg_export_scale_for (self->scale, self->figure, self->figure);

  if (format == PLG_EXPORT_TEXT)
    size = g_strdup_printf (_ ("Text, %d columns wide"), PLG_MONOSPACE_WIDTH);
  else
    {
      if (format == PLG_EXPORT_PNG)
        size = g_strdup_printf (_ ("%.0f × %.0f pixels"), round (width * scale),
                                round (height * scale));
      else
        {
          /* A figure has 96 points per inch. */
          size = g_strdup_printf (_ ("%.0f × %.0f mm, sharp at any size"), width / 96 * 25.4,
                                  height / 96 * 25.4);
        }
    }

  adw_action_row_set_subtitle (self->size, size);
  adw_action_row_set_subtitle (ADW_ACTION_ROW (self->format), plg_export_format_use (format));
  gtk_widget_set_sensitive (GTK_WIDGET (self->scale), format == PLG_EXPORT_PNG);
  plg_export_part_show_picture (self->part, chosen_picture (self));
  gtk_widget_set_visible (GTK_WIDGET (self->page), format == PLG_EXPORT_PDF);
  gtk_widget_set_visible (self->plan_row, format == PLG_EXPORT_SVG);
}

static void
scale_changed_cb (PlgExportDialog *self)
{
  if (self->figure != NULL)
    update_rows (self);
}

static void
changed_cb (PlgExportDialog *self)
{
  if (self->document == NULL)
    return;

  g_autoptr (PlgFigure) before = g_steal_pointer (&self->figure);
  g_auto (PlgRequest) request = { 0 };

  make_request (self, chosen_picture (self), &request);
  self->figure = plg_request_figure (&request, plg_document_plan (self->document),
                                     plg_document_report (self->document), &self->theme);
  plg_export_scale_follow (self->scale, before, self->figure);

  update_rows (self);
  gtk_widget_queue_draw (GTK_WIDGET (self->preview));
}

/* Selects the theme's background instead of white if the palette is dark, because light text
 * would be invisible on white. */
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

/* Writing -------------------------------------------------------------------------------------- */

static void
show_error (PlgExportDialog *self, const GError *error)
{
  GtkWidget *dialog = adw_message_dialog_new (GTK_WINDOW (self),
                                              _ ("The Picture Could Not Be Written"),
                                              error->message);

  adw_message_dialog_add_response (ADW_MESSAGE_DIALOG (dialog), "close", _ ("_Close"));
  gtk_window_present (GTK_WINDOW (dialog));
}

/* Returns the file to write. If FILE has the extension of a format, sets FORMAT to this format;
 * otherwise adds the extension of FORMAT. If the file with the added extension exists, returns
 * NULL, because the file chooser did not ask to overwrite that file. */
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

/* Announces the exported file in the parent window, because the dialog closes. */
static void
announce_written (PlgExportDialog *self, GFile *file)
{
  g_autofree char *path = g_file_get_basename (file);
  g_autofree char *name = g_filename_display_name (path);
  g_autofree char *message = g_strdup_printf (_ ("Written: %s"), name);

  plg_toasts_show (self->toasts, message);
}

gboolean
plg_export_dialog_write (PlgExportDialog *self, GFile *file, GError **error)
{
  g_auto (PlgRequest) request = { 0 };
  g_autoptr (GFile) named = NULL;
  g_autoptr (GBytes) bytes = NULL;

  make_request (self, chosen_picture (self), &request);
  named = named_file (self, file, &request.file.format);
  if (named == NULL)
    {
      g_set_error (error, G_IO_ERROR, G_IO_ERROR_EXISTS,
                   _ ("A file with this name and the extension .%s already exists. Choose "
                      "another name, or type the extension to replace the file."),
                   plg_export_format_name (request.file.format));
      return FALSE;
    }
  put_plan_inside (self, &request);
  bytes = plg_request_export (&request, plg_document_plan (self->document),
                              plg_document_report (self->document), error);
  if (bytes == NULL || !plg_document_write_file (named, bytes, error))
    return FALSE;
  announce_written (self, named);
  return TRUE;
}

char *
plg_export_dialog_command (PlgExportDialog *self, GError **error)
{
  g_auto (PlgRequest) request = { 0 };

  g_return_val_if_fail (PLG_IS_EXPORT_DIALOG (self), NULL);

  make_request (self, chosen_picture (self), &request);
  return plg_screen_picture_command (self->document, &request, error);
}

static void
copy_command_cb (PlgExportDialog *self)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *line = plg_export_dialog_command (self, &error);

  if (line != NULL)
    plg_clipboard_set_text (gtk_widget_get_clipboard (GTK_WIDGET (self)), line);
  plg_toasts_show (self->own_toasts, line != NULL ? _ ("Command line copied") : error->message);
}

static GFile *
file_of_picture (PlgExportDialog *self, GFile *folder, PlgPicture picture)
{
  g_autofree char
      *name = g_strdup_printf ("%s.%s", plg_picture_name (picture),
                               plg_export_format_name (adw_combo_row_get_selected (self->format)));

  return g_file_get_child (folder, name);
}

gboolean
plg_export_dialog_write_all (PlgExportDialog *self, GFile *folder, GError **error)
{
  g_return_val_if_fail (PLG_IS_EXPORT_DIALOG (self), FALSE);

  /* Fail if one of the files exists, because the folder chooser did not ask to overwrite files. */
  for (int i = 0; i < self->n_pictures; i++)
    {
      g_autoptr (GFile) file = file_of_picture (self, folder, i);
      g_autofree char *name = g_file_get_basename (file);

      if (!g_file_query_exists (file, NULL))
        continue;
      g_set_error (error, G_IO_ERROR, G_IO_ERROR_EXISTS,
                   _ ("This folder already contains a file “%s”. Choose another folder."), name);
      return FALSE;
    }

  for (int i = 0; i < self->n_pictures; i++)
    {
      g_autoptr (GFile) file = file_of_picture (self, folder, i);
      /* Make a figure for each picture, because self->figure shows only the picture that is
       * chosen in the dialog. */
      const PlgPlan *plan = plg_document_plan (self->document);
      const PlgReport *report = plg_document_report (self->document);
      g_autoptr (PlgFigure) figure = NULL;
      g_auto (PlgRequest) request = { 0 };
      PlgTheme theme;

      make_request (self, i, &request);
      figure = plg_request_figure (&request, plan, report, &theme);
      request.file.scale = plg_export_scale_for (self->scale, self->figure, figure);
      g_autoptr (GBytes) bytes = plg_request_write (&request, figure, &theme, plan, report, error);

      if (bytes == NULL || !plg_document_write_file (file, bytes, error))
        return FALSE;
    }
  announce_written (self, folder);
  return TRUE;
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
  if (!plg_export_dialog_write (self, file, &error))
    {
      show_error (self, error);
      return;
    }

  g_autoptr (GFile) folder = g_file_get_parent (file);
  g_autofree char *path = folder != NULL ? g_file_get_path (folder) : NULL;

  g_settings_set_string (self->settings, "last-export-directory", path != NULL ? path : "");
  g_settings_set_string (self->settings, "last-export-format",
                         plg_export_format_name (adw_combo_row_get_selected (self->format)));

  gtk_window_close (GTK_WINDOW (self));
}

static void
show_chooser (PlgExportDialog *self, GtkFileChooserNative *chooser, GCallback response_cb)
{
  g_autofree char *folder_path = g_settings_get_string (self->settings, "last-export-directory");

  g_set_object (&self->chooser, chooser);
  if (*folder_path != '\0' && g_file_test (folder_path, G_FILE_TEST_IS_DIR))
    {
      g_autoptr (GFile) folder = g_file_new_for_path (folder_path);
      gtk_file_chooser_set_current_folder (GTK_FILE_CHOOSER (chooser), folder, NULL);
    }
  gtk_native_dialog_set_modal (GTK_NATIVE_DIALOG (chooser), TRUE);
  g_signal_connect_object (chooser, "response", response_cb, self, G_CONNECT_SWAPPED);
  gtk_native_dialog_show (GTK_NATIVE_DIALOG (chooser));
}

static void
export_cb (PlgExportDialog *self)
{
  g_autoptr (GtkFileChooserNative)
                 chooser = gtk_file_chooser_native_new (_ ("Export Picture"), GTK_WINDOW (self),
                                                        GTK_FILE_CHOOSER_ACTION_SAVE, NULL, NULL);
  g_auto (PlgRequest) request = { 0 };
  g_autofree char *name = NULL;

  make_request (self, chosen_picture (self), &request);
  name = plg_screen_picture_file_name (self->document, &request);
  gtk_file_chooser_set_current_name (GTK_FILE_CHOOSER (chooser), name);
  show_chooser (self, chooser, G_CALLBACK (chooser_response_cb));
}

static void
folder_response_cb (PlgExportDialog *self, int response, GtkNativeDialog *chooser)
{
  g_autoptr (GFile) folder = gtk_file_chooser_get_file (GTK_FILE_CHOOSER (chooser));
  g_autoptr (GError) error = NULL;

  gtk_native_dialog_hide (chooser);
  g_clear_object (&self->chooser);
  if (response != GTK_RESPONSE_ACCEPT || folder == NULL)
    return;
  if (plg_export_dialog_write_all (self, folder, &error))
    gtk_window_close (GTK_WINDOW (self));
  else
    show_error (self, error);
}

static void
export_all_cb (PlgExportDialog *self)
{
  g_autoptr (GtkFileChooserNative)
                 chooser = gtk_file_chooser_native_new (_ ("Export All Pictures"),
                                                        GTK_WINDOW (self),
                                                        GTK_FILE_CHOOSER_ACTION_SELECT_FOLDER, NULL,
                                                        NULL);

  show_chooser (self, chooser, G_CALLBACK (folder_response_cb));
}

/* Object --------------------------------------------------------------------------------------- */

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
  g_clear_object (&self->canvas);
  g_clear_object (&self->settings);
  g_clear_object (&self->toasts);
  g_clear_pointer (&self->figure, plg_figure_unref);
  for (int i = 0; i < PLG_N_PICTURES; i++)
    plg_request_clear (&self->shown[i]);
  plg_request_clear (&self->whole);
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
  gtk_widget_class_bind_template_child (widget_class, PlgExportDialog, part);
  gtk_widget_class_bind_template_child (widget_class, PlgExportDialog, page);
  gtk_widget_class_bind_template_child (widget_class, PlgExportDialog, plan_row);
  gtk_widget_class_bind_template_child (widget_class, PlgExportDialog, plan_inside);
  gtk_widget_class_bind_template_child (widget_class, PlgExportDialog, size);
  gtk_widget_class_bind_template_child (widget_class, PlgExportDialog, scale);
  gtk_widget_class_bind_template_child (widget_class, PlgExportDialog, preview);
  gtk_widget_class_bind_template_child (widget_class, PlgExportDialog, export_button);
  gtk_widget_class_bind_template_child (widget_class, PlgExportDialog, own_toasts);
  gtk_widget_class_bind_template_callback (widget_class, copy_command_cb);
  gtk_widget_class_bind_template_callback (widget_class, scale_changed_cb);
  gtk_widget_class_bind_template_callback (widget_class, changed_cb);
  gtk_widget_class_bind_template_callback (widget_class, palette_changed_cb);
  gtk_widget_class_bind_template_callback (widget_class, export_cb);
  gtk_widget_class_bind_template_callback (widget_class, export_all_cb);
  gtk_widget_class_add_binding_action (widget_class, GDK_KEY_Escape, 0, "window.close", NULL);
}

static void
plg_export_dialog_init (PlgExportDialog *self)
{
  g_type_ensure (PLG_TYPE_EXPORT_PART);
  gtk_widget_init_template (GTK_WIDGET (self));
  plg_accessible_name_buttons (GTK_WIDGET (self));
  set_model (self->format, plg_export_titles_new (PLG_N_EXPORT_FORMATS, plg_export_choice_title));
  set_model (self->palette, plg_export_titles_new (PLG_N_PALETTES, plg_export_palette_title));
  set_model (self->background, plg_export_titles_new (3, plg_export_background_title));
  set_model (self->legend, plg_export_titles_new (PLG_N_LEGEND_PLACES, plg_export_legend_title));
  set_model (self->page, plg_export_titles_new (PLG_N_PAGES, plg_export_page_title));
  adw_combo_row_set_selected (self->legend, PLG_LEGEND_BELOW);

  AdwComboRow *const rows[] = { self->picture,    self->format, self->palette,
                                self->background, self->legend, self->page };

  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    plg_accessible_name_drop_down (GTK_WIDGET (rows[i]), NULL);

  gtk_drawing_area_set_draw_func (self->preview, draw_preview, self, NULL);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->scale), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _ ("Width in pixels"), -1);
}

void
plg_export_dialog_present (AdwToastOverlay *toasts,
                           PlgDocument *document,
                           PlgCanvas *canvas,
                           GSettings *settings,
                           const PlgRequest *shown,
                           PlgSearchPicture *search)
{
  GtkRoot *parent = gtk_widget_get_root (GTK_WIDGET (toasts));
  PlgExportDialog *self = g_object_new (PLG_TYPE_EXPORT_DIALOG, "transient-for", parent, NULL);

  self->toasts = g_object_ref (toasts);
  self->canvas = g_object_ref (canvas);
  self->settings = g_object_ref (settings);
  G_STATIC_ASSERT (PLG_PICTURE_SEARCH == PLG_N_PICTURES - 1);
  self->n_pictures = PLG_N_PICTURES - (search == NULL);
  set_model (self->picture, plg_export_titles_new (self->n_pictures, plg_export_picture_title));

  g_autofree char *format_name = g_settings_get_string (self->settings, "last-export-format");
  g_autofree char *file_name = g_strconcat ("x.", format_name, NULL);
  PlgExportFormat format = PLG_EXPORT_SVG;

  plg_export_format_from_path (file_name, &format);
  adw_combo_row_set_selected (self->format, format);

  if (shown != NULL)
    adw_combo_row_set_selected (self->picture, shown->picture);
  self->document = g_object_ref (document);

  /* Export the picture of the parent window exactly as SHOWN describes it. Derive every other
   * picture from the canvas. */
  plg_screen_picture_whole_request (self->canvas, self->document, &self->whole);
  for (int i = 0; i < PLG_N_PICTURES; i++)
    if (shown != NULL && i == (int) shown->picture)
      plg_request_copy (shown, &self->shown[i]);
    else
      plg_screen_picture_request (self->canvas, self->document, i, &self->shown[i]);
  if (search != NULL)
    self->shown[PLG_PICTURE_SEARCH].search = plg_search_picture_ref (search);

  adw_combo_row_set_selected (self->palette, self->shown[chosen_picture (self)].palette);
  plg_export_part_set_up (self->part, document, plg_canvas_get_selected (canvas));
  changed_cb (self);
  gtk_window_present (GTK_WINDOW (self));
  gtk_widget_grab_focus (self->export_button);
}
