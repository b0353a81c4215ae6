/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "app/dialogs/convert-dialog.h"

#include "app/toasts.h"

#include "drawing/export/request.h"
#include "io/placement/launch-placement.h"
#include "io/registry/round-trip-diff.h"
#include "widgets/clipboard.h"
#include "widgets/accessible-names.h"

#include <glib/gi18n.h>
#include <string.h>

/* The maximum number of lines and bytes in the preview. Copying and saving always use the whole
 * text. */
#define SHOWN_LINES 2000
#define SHOWN_BYTES (256 << 10)

struct _PlgConvertDialog
{
  AdwWindow parent_instance;

  PlgDocument *document;
  GtkSearchEntry *search;
  GtkListBox *list;
  GtkStack *stack;  /* has the pages "text" and "problem" */
  GtkLabel *note;   /* lists the parts of the plan that the exported text omits or leaves to
                       other programs */
  GtkPopover *menu; /* offers formats that include the placement of ranks */
  GtkBox *others;   /* contains the format buttons of MENU */
  GtkWidget *others_button;
  GtkTextView *text;
  AdwStatusPage *problem;
  GtkBox *alternatives; /* contains the format buttons of the problem page; each format includes
                           the placement of ranks */
  AdwToastOverlay *toasts;
  GtkWidget *copy;
  GtkWidget *save;
  GtkFileChooserNative *chooser;
  GBytes *bytes; /* the exported text without truncation, or NULL if the export failed */
};

G_DEFINE_FINAL_TYPE (PlgConvertDialog, plg_convert_dialog, ADW_TYPE_WINDOW)

static const PlgFormat *
format_of (GtkListBoxRow *row)
{
  return row != NULL ? g_object_get_data (G_OBJECT (row), "format") : NULL;
}

static const PlgFormat *
chosen (PlgConvertDialog *self)
{
  return format_of (gtk_list_box_get_selected_row (self->list));
}

/* The preview ---------------------------------------------------------------------------------- */

/* Shows only the buttons in BOX whose formats can express the placement of the plan. */
static void
show_alternatives (PlgConvertDialog *self, GtkBox *box)
{
  const PlgPlan *plan = plg_document_committed_plan (self->document);

  for (GtkWidget *button = gtk_widget_get_first_child (GTK_WIDGET (box)); button != NULL;
       button = gtk_widget_get_next_sibling (button))
    {
      const PlgFormat *format = plg_format_find (gtk_widget_get_name (button));

      if (format != NULL)
        gtk_widget_set_visible (button, plg_format_keeps_placement (format, plan));
    }
}

static void
show_bytes (PlgConvertDialog *self)
{
  gsize size;
  const char *data = g_bytes_get_data (self->bytes, &size);
  g_autofree char *shown = NULL;
  const char *end = data, *limit = data + MIN (size, SHOWN_BYTES);
  g_autofree char *start = NULL;

  for (int line = 0; line < SHOWN_LINES && end < limit; line++)
    {
      const char *next = memchr (end, '\n', limit - end);

      end = next != NULL ? next + 1 : limit;
    }
  start = g_utf8_make_valid (data, end - data);
  shown = end == data + size
              ? g_steal_pointer (&start)
              : g_strdup_printf (_ ("%s\n… and more. Copy and Save include the full text."), start);

  /* List the parts of the plan that the exported text omits. If the text omits the placement,
   * offer other formats. */
  const PlgPlan *plan = plg_document_committed_plan (self->document);
  g_autofree char *left = plg_format_write_note (chosen (self), plan);
  g_autofree char *lost = plg_round_trip_diff_text (chosen (self), self->bytes, plan,
                                                    plg_document_catalogue (self->document));
  g_autofree char *all = g_strjoin (" ", left != NULL ? left : "", lost, NULL);

  g_strstrip (all);
  gtk_label_set_text (self->note, all);
  gtk_widget_set_visible (self->others_button, plg_format_omits_placement (chosen (self), plan));
  show_alternatives (self, self->others);
  gtk_widget_set_visible (gtk_widget_get_parent (GTK_WIDGET (self->note)), *all != '\0');

  gtk_text_buffer_set_text (gtk_text_view_get_buffer (self->text), shown, -1);
  gtk_stack_set_visible_child_name (self->stack, "text");
}

static GBytes *
draw (const char *name, gpointer data, GError **error)
{
  const PlgExportContext *export = data;

  return plg_request_document_picture (name, export->plan, export->report, error);
}

/* Shows the plan in the selected format. Ignores the row selections that the list emits before a
 * plan is set and while the dialog closes. */
static void
update (PlgConvertDialog *self)
{
  const PlgFormat *format = chosen (self);
  PlgExportContext export = { 0 };
  g_autoptr (GError) error = NULL;

  if (self->document == NULL || format == NULL)
    return;
  g_clear_pointer (&self->bytes, g_bytes_unref);
  export.plan = plg_document_committed_plan (self->document);
  export.report = plg_document_committed_report (self->document);
  export.catalogue = plg_document_catalogue (self->document);
  if (format->subject == PLG_SUBJECT_REPORT)
    export.similar = plg_document_similar_runs (self->document);
  export.picture = draw;
  export.picture_data = &export;
  self->bytes = plg_format_write (format, &export, &error);
  if (self->bytes != NULL)
    show_bytes (self);
  else
    {
      g_autofree char *escaped = g_markup_escape_text (error->message, -1);

      adw_status_page_set_description (self->problem, escaped);
      gtk_stack_set_visible_child_name (self->stack, "problem");
      show_alternatives (self, self->alternatives);
      gtk_widget_set_visible (GTK_WIDGET (self->alternatives),
                              g_error_matches (error, PLG_FORMAT_ERROR,
                                               PLG_FORMAT_ERROR_PLACEMENT));
    }
  gtk_widget_set_sensitive (self->copy, self->bytes != NULL);
  gtk_widget_set_sensitive (self->save, self->bytes != NULL);
}

/* The list ------------------------------------------------------------------------------------- */

static const char *
subject_title (PlgSubject subject)
{
  static const char *const titles[] = {
    [PLG_SUBJECT_PLAN] = N_ ("Plans"),           [PLG_SUBJECT_CLUSTER] = N_ ("Cluster"),
    [PLG_SUBJECT_MODEL] = N_ ("Model"),          [PLG_SUBJECT_TRAINING] = N_ ("Frameworks"),
    [PLG_SUBJECT_PLACEMENT] = N_ ("Launchers"),  [PLG_SUBJECT_REPORT] = N_ ("Documents"),
    [PLG_SUBJECT_SIMULATOR] = N_ ("Simulators"),
  };
  G_STATIC_ASSERT (G_N_ELEMENTS (titles) == PLG_N_SUBJECTS);

  return _ (titles[subject]);
}

static void
update_header (GtkListBoxRow *row, GtkListBoxRow *before, gpointer data)
{
  GtkWidget *label;

  if (before != NULL && format_of (before)->subject == format_of (row)->subject)
    {
      gtk_list_box_row_set_header (row, NULL);
      return;
    }
  label = gtk_label_new (subject_title (format_of (row)->subject));
  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_widget_add_css_class (label, "heading");
  gtk_widget_add_css_class (label, "listheading");
  gtk_list_box_row_set_header (row, label);
}

/* Returns the sort position of SUBJECT in the format list. Launchers and frameworks come first,
 * because engineers need their formats most often. */
static int
subject_rank (PlgSubject subject)
{
  static const PlgSubject order[] = { PLG_SUBJECT_PLACEMENT, PLG_SUBJECT_TRAINING,
                                      PLG_SUBJECT_REPORT,    PLG_SUBJECT_CLUSTER,
                                      PLG_SUBJECT_MODEL,     PLG_SUBJECT_SIMULATOR,
                                      PLG_SUBJECT_PLAN };
  int i = 0;

  while (order[i] != subject)
    i++;
  return i;
}

static int
compare_rows (GtkListBoxRow *a, GtkListBoxRow *b, gpointer data)
{
  return subject_rank (format_of (a)->subject) - subject_rank (format_of (b)->subject);
}

static gboolean
is_wanted (GtkListBoxRow *row, gpointer data)
{
  PlgConvertDialog *self = data;
  const PlgFormat *format = format_of (row);
  g_autofree char *all = g_strjoin (" ", format->name, _ (format->title), format->suffix,
                                    subject_title (format->subject), NULL);
  g_autofree char *folded = g_utf8_casefold (all, -1);
  g_autofree char *words = g_utf8_casefold (gtk_editable_get_text (GTK_EDITABLE (self->search)),
                                            -1);

  return strstr (folded, g_strstrip (words)) != NULL;
}

static void
choose (PlgConvertDialog *self, const char *name)
{
  GtkListBoxRow *row;

  for (int i = 0; (row = gtk_list_box_get_row_at_index (self->list, i)) != NULL; i++)
    if (name == NULL || g_str_equal (format_of (row)->name, name))
      {
        gtk_list_box_select_row (self->list, row);
        return;
      }
}

/* Selects the format that BUTTON offers. Moves the focus to the row of this format, because
 * BUTTON disappears with the problem page or the menu. */
static void
alternative_cb (PlgConvertDialog *self, GtkWidget *button)
{
  gtk_popover_popdown (self->menu);
  gtk_editable_set_text (GTK_EDITABLE (self->search), "");
  gtk_list_box_invalidate_filter (self->list);
  choose (self, gtk_widget_get_name (button));
  gtk_widget_grab_focus (GTK_WIDGET (gtk_list_box_get_selected_row (self->list)));
}

/* Adds a button to BOX for each format that includes the placement. */
static void
fill_alternatives (PlgConvertDialog *self, GtkBox *box)
{
  int n;
  const PlgFormat *const *formats = plg_formats (&n);

  for (int i = 0; i < n; i++)
    {
      GtkWidget *button;

      if (formats[i]->subject != PLG_SUBJECT_PLACEMENT || formats[i]->write == NULL)
        continue;
      button = gtk_button_new_with_label (_ (formats[i]->title));
      gtk_widget_set_name (button, formats[i]->name);
      gtk_button_set_has_frame (GTK_BUTTON (button), FALSE);
      g_signal_connect_object (button, "clicked", G_CALLBACK (alternative_cb), self,
                               G_CONNECT_SWAPPED);
      gtk_box_append (box, button);
    }
}

static void
search_changed_cb (PlgConvertDialog *self)
{
  GtkListBoxRow *row = gtk_list_box_get_selected_row (self->list);

  gtk_list_box_invalidate_filter (self->list);
  for (int i = 0; row == NULL || !gtk_widget_get_child_visible (GTK_WIDGET (row)); i++)
    {
      row = gtk_list_box_get_row_at_index (self->list, i);
      if (row == NULL)
        return;
      if (gtk_widget_get_child_visible (GTK_WIDGET (row)))
        gtk_list_box_select_row (self->list, row);
    }
}

/* Handles Escape, which the search entry consumes: the first press clears the search, the second
 * press closes the dialog. */
static void
stop_search_cb (PlgConvertDialog *self)
{
  if (*gtk_editable_get_text (GTK_EDITABLE (self->search)) != '\0')
    gtk_editable_set_text (GTK_EDITABLE (self->search), "");
  else
    gtk_widget_activate_action (GTK_WIDGET (self), "window.close", NULL);
}

/* Copy and save -------------------------------------------------------------------------------- */

static void
toast (PlgConvertDialog *self, const char *message)
{
  plg_toasts_show (self->toasts, message);
}

static void
copy_cb (PlgConvertDialog *self)
{
  gsize size;
  const char *data;
  g_autofree char *text = NULL;

  if (self->bytes == NULL)
    return;
  data = g_bytes_get_data (self->bytes, &size);
  text = g_utf8_make_valid (data, (gssize) size);
  plg_clipboard_set_text (gtk_widget_get_clipboard (GTK_WIDGET (self)), text);
  toast (self, _ ("Copied"));
}

static void
save_response_cb (PlgConvertDialog *self, int response, GtkNativeDialog *chooser)
{
  g_autoptr (GFile) file = gtk_file_chooser_get_file (GTK_FILE_CHOOSER (chooser));
  g_autoptr (GError) error = NULL;
  g_autofree char *name = NULL;
  g_autofree char *message = NULL;

  gtk_native_dialog_hide (chooser);
  if (response == GTK_RESPONSE_ACCEPT && file != NULL && self->bytes != NULL)
    {
      name = g_file_get_basename (file);
      if (plg_document_write_file (file, self->bytes, &error))
        message = g_strdup_printf (_ ("Saved as %s"), name);
      toast (self, message != NULL ? message : error->message);
    }
  g_clear_object (&self->chooser);
}

static void
save_cb (PlgConvertDialog *self)
{
  g_autoptr (GtkFileChooserNative) chooser = NULL;
  g_autofree char *name = NULL;

  if (self->bytes == NULL)
    return;
  chooser = gtk_file_chooser_native_new (_ ("Save"), GTK_WINDOW (self),
                                         GTK_FILE_CHOOSER_ACTION_SAVE, NULL, NULL);

  /* Suggest the file name of the plan with the extension of the format, such as "plan.sbatch". */
  GFile *file = plg_document_file (self->document);
  g_autofree char *base = file != NULL ? g_file_get_basename (file) : g_strdup ("plan");
  char *ending = strstr (base, ".plan.xml");

  if (ending == NULL)
    ending = strrchr (base, '.');
  if (ending != NULL && ending != base)
    *ending = '\0';
  name = g_strconcat (base, chosen (self)->suffix, NULL);

  gtk_file_chooser_set_current_name (GTK_FILE_CHOOSER (chooser), name);
  g_set_object (&self->chooser, chooser);
  gtk_native_dialog_set_modal (GTK_NATIVE_DIALOG (chooser), TRUE);
  g_signal_connect_object (chooser, "response", G_CALLBACK (save_response_cb), self,
                           G_CONNECT_SWAPPED);
  gtk_native_dialog_show (GTK_NATIVE_DIALOG (chooser));
}

/* Object --------------------------------------------------------------------------------------- */

static void
plg_convert_dialog_dispose (GObject *object)
{
  PlgConvertDialog *self = PLG_CONVERT_DIALOG (object);

  g_clear_object (&self->chooser);
  g_clear_object (&self->document);
  g_clear_pointer (&self->bytes, g_bytes_unref);
  G_OBJECT_CLASS (plg_convert_dialog_parent_class)->dispose (object);
}

static void
plg_convert_dialog_class_init (PlgConvertDialogClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = plg_convert_dialog_dispose;
  gtk_widget_class_set_template_from_resource (widget_class, "/org/parallelogram/Parallelogram/ui/"
                                                             "convert-dialog.ui");
  gtk_widget_class_bind_template_child (widget_class, PlgConvertDialog, search);
  gtk_widget_class_bind_template_child (widget_class, PlgConvertDialog, list);
  gtk_widget_class_bind_template_child (widget_class, PlgConvertDialog, stack);
  gtk_widget_class_bind_template_child (widget_class, PlgConvertDialog, note);
  gtk_widget_class_bind_template_child (widget_class, PlgConvertDialog, menu);
  gtk_widget_class_bind_template_child (widget_class, PlgConvertDialog, others);
  gtk_widget_class_bind_template_child (widget_class, PlgConvertDialog, others_button);
  gtk_widget_class_bind_template_child (widget_class, PlgConvertDialog, text);
  gtk_widget_class_bind_template_child (widget_class, PlgConvertDialog, problem);
  gtk_widget_class_bind_template_child (widget_class, PlgConvertDialog, alternatives);
  gtk_widget_class_bind_template_child (widget_class, PlgConvertDialog, toasts);
  gtk_widget_class_bind_template_child (widget_class, PlgConvertDialog, copy);
  gtk_widget_class_bind_template_child (widget_class, PlgConvertDialog, save);
  gtk_widget_class_bind_template_callback (widget_class, update);
  gtk_widget_class_bind_template_callback (widget_class, search_changed_cb);
  gtk_widget_class_bind_template_callback (widget_class, stop_search_cb);
  gtk_widget_class_bind_template_callback (widget_class, copy_cb);
  gtk_widget_class_bind_template_callback (widget_class, save_cb);
  gtk_widget_class_add_binding_action (widget_class, GDK_KEY_Escape, 0, "window.close", NULL);
}

static void
plg_convert_dialog_init (PlgConvertDialog *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  plg_accessible_name_buttons (GTK_WIDGET (self));
  /* Start a search when the user types anywhere in the dialog. */
  gtk_search_entry_set_key_capture_widget (self->search, GTK_WIDGET (self));
  gtk_list_box_set_sort_func (self->list, compare_rows, self, NULL);
  gtk_list_box_set_header_func (self->list, update_header, self, NULL);
  gtk_list_box_set_filter_func (self->list, is_wanted, self, NULL);

  int n;
  const PlgFormat *const *formats = plg_formats (&n);

  for (int i = 0; i < n; i++)
    if (formats[i]->write != NULL)
      {
        const PlgFormat *format = formats[i];
        GtkWidget *row = gtk_list_box_row_new ();
        GtkWidget *label = gtk_label_new (_ (format->title));

        gtk_label_set_xalign (GTK_LABEL (label), 0);
        gtk_label_set_wrap (GTK_LABEL (label), TRUE);
        gtk_list_box_row_set_child (GTK_LIST_BOX_ROW (row), label);
        gtk_widget_add_css_class (row, "listentry");
        gtk_accessible_update_property (GTK_ACCESSIBLE (row), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                        _ (format->title), -1);
        g_object_set_data (G_OBJECT (row), "format", (gpointer) format);
        gtk_list_box_append (self->list, row);
      }

  fill_alternatives (self, self->alternatives);
  fill_alternatives (self, self->others);
}

void
plg_convert_dialog_present (GtkWindow *parent, PlgDocument *document, const char *name)
{
  PlgConvertDialog *self = g_object_new (PLG_TYPE_CONVERT_DIALOG, "transient-for", parent, NULL);

  self->document = g_object_ref (document);
  g_signal_connect_object (document, "changed", G_CALLBACK (update), self, G_CONNECT_SWAPPED);
  choose (self, name);
  update (self);
  gtk_window_present (GTK_WINDOW (self));
  gtk_widget_grab_focus (GTK_WIDGET (gtk_list_box_get_selected_row (self->list)));
}
