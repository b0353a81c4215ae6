/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "app/dialogs/export-part.h"

#include "app/dialogs/export-titles.h"
#include "app/screen-picture.h"
#include "drawing/export/option-applicability.h"
#include "widgets/accessible-names.h"

/* CONTENT_SELECTED comes last, because this choice is missing if no GPU is selected. */
typedef enum
{
  CONTENT_WHOLE,
  CONTENT_SCREEN,
  CONTENT_NODES,
  CONTENT_SELECTED,
} Content;

struct _PlgExportPart
{
  AdwPreferencesGroup parent_instance;

  PlgDocument *document;
  int gpu; /* the selected GPU, or -1 */
  PlgPicture picture;

  AdwComboRow *content;
  GtkWidget *first_row;
  GtkWidget *last_row;
  GtkWidget *others_row;
  GtkWidget *first_other_row;
  GtkWidget *last_other_row;
  GtkSpinButton *first_node;
  GtkSpinButton *last_node;
  GtkSwitch *others;
  GtkSpinButton *first_other;
  GtkSpinButton *last_other;
};

G_DEFINE_FINAL_TYPE (PlgExportPart, plg_export_part, ADW_TYPE_PREFERENCES_GROUP)

static guint changed_signal;

static PlgRange
chosen_range (GtkSpinButton *from, GtkSpinButton *to)
{
  int first = gtk_spin_button_get_value_as_int (from);
  int last = gtk_spin_button_get_value_as_int (to);

  return (PlgRange) { MIN (first, last), ABS (last - first) + 1 };
}

static gboolean
has_chosen_columns (PlgExportPart *self)
{
  return plg_picture_option_is_drawn (PLG_PICTURE_OPTION_COLUMNS, self->picture) &&
         gtk_switch_get_active (self->others);
}

static void
clear_highlight (PlgRequest *request)
{
  g_array_set_size (request->highlighted, 0);
  request->options.n_pins = 0;
}

/* Rows ----------------------------------------------------------------------------------------- */

static void
update_rows (PlgExportPart *self)
{
  gboolean has_parts = plg_picture_option_is_drawn (PLG_PICTURE_OPTION_NODES, self->picture);
  gboolean has_nodes = adw_combo_row_get_selected (self->content) == CONTENT_NODES;
  gboolean has_columns = plg_picture_option_is_drawn (PLG_PICTURE_OPTION_COLUMNS, self->picture) &&
                         has_nodes;

  gtk_widget_set_visible (GTK_WIDGET (self), has_parts);
  gtk_widget_set_visible (self->first_row, has_nodes);
  gtk_widget_set_visible (self->last_row, has_nodes);
  gtk_widget_set_visible (self->others_row, has_columns);
  gtk_widget_set_visible (self->first_other_row, has_columns && has_chosen_columns (self));
  gtk_widget_set_visible (self->last_other_row, has_columns && has_chosen_columns (self));
}

static void
changed_cb (PlgExportPart *self)
{
  if (self->document == NULL)
    return;
  update_rows (self);
  g_signal_emit (self, changed_signal, 0);
}

static void
name_spin_button (GtkSpinButton *spin, GtkWidget *row)
{
  gtk_accessible_update_relation (GTK_ACCESSIBLE (spin), GTK_ACCESSIBLE_RELATION_LABELLED_BY, row,
                                  NULL, -1);
  gtk_accessible_update_property (GTK_ACCESSIBLE (spin), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  adw_preferences_row_get_title (ADW_PREFERENCES_ROW (row)), -1);
}

/* Object --------------------------------------------------------------------------------------- */

static void
plg_export_part_dispose (GObject *object)
{
  g_clear_object (&PLG_EXPORT_PART (object)->document);
  G_OBJECT_CLASS (plg_export_part_parent_class)->dispose (object);
}

static void
plg_export_part_class_init (PlgExportPartClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = plg_export_part_dispose;
  changed_signal = g_signal_new ("changed", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL,
                                 NULL, NULL, G_TYPE_NONE, 0);
  gtk_widget_class_set_template_from_resource (widget_class, "/org/parallelogram/Parallelogram/ui/"
                                                             "export-part.ui");
  gtk_widget_class_bind_template_child (widget_class, PlgExportPart, content);
  gtk_widget_class_bind_template_child (widget_class, PlgExportPart, first_row);
  gtk_widget_class_bind_template_child (widget_class, PlgExportPart, last_row);
  gtk_widget_class_bind_template_child (widget_class, PlgExportPart, others_row);
  gtk_widget_class_bind_template_child (widget_class, PlgExportPart, first_other_row);
  gtk_widget_class_bind_template_child (widget_class, PlgExportPart, last_other_row);
  gtk_widget_class_bind_template_child (widget_class, PlgExportPart, first_node);
  gtk_widget_class_bind_template_child (widget_class, PlgExportPart, last_node);
  gtk_widget_class_bind_template_child (widget_class, PlgExportPart, others);
  gtk_widget_class_bind_template_child (widget_class, PlgExportPart, first_other);
  gtk_widget_class_bind_template_child (widget_class, PlgExportPart, last_other);
  gtk_widget_class_bind_template_callback (widget_class, changed_cb);
}

static void
plg_export_part_init (PlgExportPart *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  self->gpu = -1;
  plg_accessible_name_drop_down (GTK_WIDGET (self->content), NULL);
  name_spin_button (self->first_node, self->first_row);
  name_spin_button (self->last_node, self->last_row);
  name_spin_button (self->first_other, self->first_other_row);
  name_spin_button (self->last_other, self->last_other_row);
}

void
plg_export_part_set_up (PlgExportPart *self, PlgDocument *document, int gpu)
{
  g_autoptr (GListModel) contents = NULL;

  g_return_if_fail (PLG_IS_EXPORT_PART (self) && self->document == NULL);

  contents = plg_export_titles_new (CONTENT_SELECTED + (gpu >= 0), plg_export_content_title);
  self->gpu = gpu;
  adw_combo_row_set_model (self->content, contents);
  adw_combo_row_set_selected (self->content, CONTENT_SCREEN);
  self->document = g_object_ref (document);

  GtkSpinButton *const spins[] = { self->first_node, self->last_node, self->first_other,
                                   self->last_other };
  int last = plg_document_plan (self->document)->cluster.nodes - 1;

  for (guint i = 0; i < G_N_ELEMENTS (spins); i++)
    gtk_spin_button_set_range (spins[i], 0, last);
  gtk_spin_button_set_value (self->last_node, last);
  gtk_spin_button_set_value (self->last_other, last);
}

void
plg_export_part_show_picture (PlgExportPart *self, PlgPicture picture)
{
  g_return_if_fail (PLG_IS_EXPORT_PART (self));

  self->picture = picture;
  update_rows (self);
}

gboolean
plg_export_part_is_on_screen (PlgExportPart *self)
{
  g_return_val_if_fail (PLG_IS_EXPORT_PART (self), TRUE);

  return adw_combo_row_get_selected (self->content) == CONTENT_SCREEN;
}

void
plg_export_part_choose (PlgExportPart *self, PlgRequest *request)
{
  Content content;

  g_return_if_fail (PLG_IS_EXPORT_PART (self));

  content = adw_combo_row_get_selected (self->content);
  if (content == CONTENT_SCREEN ||
      !plg_picture_option_is_drawn (PLG_PICTURE_OPTION_NODES, request->picture))
    return;
  request->options.nodes = request->options.columns = (PlgRange) { 0 };
  if (content == CONTENT_NODES)
    {
      /* Drop the highlights if none of them is in the exported nodes, because they would only
       * dim the picture. */
      request->options.nodes = chosen_range (self->first_node, self->last_node);
      if (has_chosen_columns (self))
        request->options.columns = chosen_range (self->first_other, self->last_other);

      const PlgPlan *plan = plg_document_plan (self->document);
      PlgPictureOptions options = request->options;
      PlgRange nodes = options.nodes;
      gboolean is_highlighted = FALSE;

      options.highlighted = (const PlgEntity *) (gconstpointer) request->highlighted->data;
      options.n_highlighted = (int) request->highlighted->len;
      for (int node = nodes.first; node < nodes.first + nodes.n && !is_highlighted; node++)
        is_highlighted = plg_cluster_is_highlighted_in (plan, plg_document_report (self->document),
                                                        &options,
                                                        plg_cluster_node_rect (plan, node));
      if (!is_highlighted)
        clear_highlight (request);
    }
  else if (content == CONTENT_SELECTED)
    {
      /* Export the nodes that the parallel groups of the selected GPU span, and highlight only
       * these groups. */
      clear_highlight (request);
      plg_request_highlight (request, (PlgEntity) { PLG_ENTITY_GPU, 0, self->gpu }, FALSE);
      plg_screen_picture_group_nodes (plg_document_plan (self->document), self->gpu,
                                      &request->options.nodes.first, &request->options.nodes.n);
    }
}
