/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "widgets/tables/link-table.h"

#include "io/reports/links-csv.h"
#include "widgets/tables/link-cells.h"
#include "widgets/tables/link-columns.h"

#include <glib/gi18n-lib.h>

/* The interval between updates of the rows during a drag. Up to 200 rows are visible, which is
 * too many to update in each frame. */
#define UPDATE_INTERVAL_MILLISECONDS 150

struct _PlgLinkTable
{
  GtkWidget parent_instance;

  PlgDocument *document;
  guint tier;

  GtkWidget *scroller;
  GtkColumnView *view;
  PlgLinkColumns *columns;
  GtkSingleSelection *selection;
  PlgLinkList *list;
  int sorted_by; /* the column by which the table was last sorted, or -1 */
  gboolean is_descending;
  gboolean updating;
  PlgEntity highlighted; /* the entity that the selected row highlights */
  guint update_id;
  guint fit_id;  /* the tick callback that fits the columns */
  int fit_after; /* the number of frames to wait before the columns are fitted */
};

G_DEFINE_FINAL_TYPE (PlgLinkTable, plg_link_table, GTK_TYPE_WIDGET)

enum
{
  PROP_0,
  PROP_DOCUMENT,
  PROP_TIER,
  N_PROPS,
};

static GParamSpec *properties[N_PROPS];

static const PlgReport *
report_of (PlgLinkTable *self)
{
  return plg_document_report (self->document);
}

static PlgHighlightModel *
highlight_model_of (PlgLinkTable *self)
{
  return plg_document_highlight_model (self->document);
}

/* Widths --------------------------------------------------------------------------------------- */

static gboolean
fit_cb (GtkWidget *widget, GdkFrameClock *clock, gpointer unused)
{
  PlgLinkTable *self = PLG_LINK_TABLE (widget);
  const int *order;
  int n;

  if (self->fit_after-- > 0)
    return G_SOURCE_CONTINUE;
  self->fit_id = 0;
  if (self->document == NULL)
    return G_SOURCE_REMOVE;
  order = plg_link_list_order (self->list, &n);
  plg_link_columns_fit (self->columns, order, n, gtk_widget_get_width (widget));
  return G_SOURCE_REMOVE;
}

/* Fits the columns after the next layout, because a resize is reported during a layout, and GTK
 * measures the sort arrow only in that layout. */
static void
queue_fit (PlgLinkTable *self)
{
  self->fit_after = 1;
  if (self->fit_id == 0)
    self->fit_id = gtk_widget_add_tick_callback (GTK_WIDGET (self), fit_cb, NULL, NULL);
}

/* Sorting and selection ------------------------------------------------------------------------ */

static void
show_selection (PlgLinkTable *self)
{
  PlgEntity entity = plg_highlight_model_hovered (highlight_model_of (self));
  int position = entity.kind == PLG_ENTITY_LINK ? plg_link_list_position (self->list, entity.index)
                                                : -1;

  gtk_single_selection_set_selected (self->selection,
                                     position >= 0 ? (guint) position : GTK_INVALID_LIST_POSITION);
}

/* Sorts by COLUMN only. GTK 4.8 would otherwise leave an arrow in the previous sorting column. */
static void
sort_by (PlgLinkTable *self, GtkColumnViewColumn *column, GtkSortType direction)
{
  self->updating = TRUE;
  gtk_column_view_sort_by_column (self->view, NULL, GTK_SORT_ASCENDING);
  self->updating = FALSE;
  gtk_column_view_sort_by_column (self->view, column, direction);
}

static void
sorted_cb (PlgLinkTable *self)
{
  gboolean had_focus, is_descending;
  int column;

  /* Do not sort a hidden table, because it is sorted when it is mapped. */
  if (self->document == NULL || self->updating || !gtk_widget_get_mapped (GTK_WIDGET (self)))
    return;
  column = plg_link_columns_sorted_by (self->columns, &is_descending);

  gboolean is_new = column >= 0 && column != self->sorted_by;

  self->sorted_by = column;
  if (is_new && !plg_link_column_is_text ((PlgLinkColumn) column) && !is_descending)
    {
      sort_by (self, plg_link_columns_get (self->columns, column), GTK_SORT_DESCENDING);
      return;
    }

  self->is_descending = is_descending;
  /* Clear the highlight, because sorting scrolls to the top, where the selected link is rarely
   * visible. */
  plg_link_table_clear_highlight (self);
  had_focus = gtk_widget_get_focus_child (GTK_WIDGET (self)) != NULL;
  self->updating = TRUE;
  plg_link_list_sort (self->list, report_of (self),
                      column >= 0 ? (PlgLinkColumn) column : PLG_LINK_COLUMN_LINK,
                      self->is_descending);
  show_selection (self);
  /* Focus the view again, because the focused row now shows a different link. */
  if (had_focus)
    gtk_widget_grab_focus (GTK_WIDGET (self->view));
  self->updating = FALSE;
  queue_fit (self);

  GtkColumnViewColumn *sorted = plg_link_columns_get (self->columns, MAX (self->sorted_by, 0));
  g_autofree char *text = g_strdup_printf (self->is_descending
                                               ? _ ("Links by “%s”, largest first")
                                               : _ ("Links by “%s”, smallest first"),
                                           gtk_column_view_column_get_title (sorted));

  gtk_accessible_update_property (GTK_ACCESSIBLE (self->view), GTK_ACCESSIBLE_PROPERTY_LABEL, text,
                                  -1);
  plg_link_columns_announce_order (self->columns, text);
}

static void
selected_cb (PlgLinkTable *self)
{
  PlgLinkItem *item = gtk_single_selection_get_selected_item (self->selection);
  PlgEntity entity = { .kind = PLG_ENTITY_NONE };

  if (self->updating || self->document == NULL)
    return;
  if (item != NULL)
    entity = (PlgEntity) { .kind = PLG_ENTITY_LINK, .index = plg_link_item_index (item) };
  self->highlighted = entity;
  plg_highlight_model_set_hovered (highlight_model_of (self), entity);
}

gboolean
plg_link_table_clear_highlight (PlgLinkTable *self)
{
  PlgEntity highlighted = self->highlighted, nothing = { .kind = PLG_ENTITY_NONE };

  if (self->updating)
    return FALSE;
  self->highlighted = nothing;
  if (self->document == NULL || highlighted.kind == PLG_ENTITY_NONE ||
      !plg_entity_equal (plg_highlight_model_hovered (highlight_model_of (self)), highlighted))
    return FALSE;
  plg_highlight_model_set_hovered (highlight_model_of (self), nothing);
  return TRUE;
}

/* Sorts by the next column or, if the argument is TRUE, reverses the sort order. The keys are
 * needed because GTK 4.8 cannot focus a column title. */
static gboolean
sort_key_cb (GtkWidget *widget, GVariant *arguments, gpointer data)
{
  PlgLinkTable *self = PLG_LINK_TABLE (widget);

  if (!g_variant_get_boolean (arguments))
    sort_by (self, plg_link_columns_next (self->columns, self->sorted_by), GTK_SORT_ASCENDING);
  else if (self->sorted_by >= 0)
    sort_by (self, plg_link_columns_get (self->columns, self->sorted_by),
             self->is_descending ? GTK_SORT_ASCENDING : GTK_SORT_DESCENDING);
  return TRUE;
}

/* Clears the highlight or, if there is no highlight, removes the pins, as Escape does on the
 * canvas. */
static gboolean
escape_cb (GtkWidget *widget, GVariant *arguments, gpointer data)
{
  PlgLinkTable *self = PLG_LINK_TABLE (widget);

  return plg_link_table_clear_highlight (self) ||
         (self->document != NULL && plg_highlight_model_unpin_all (highlight_model_of (self)));
}

static void
activate_cb (PlgLinkTable *self, guint position)
{
  g_autoptr (PlgLinkItem) item = g_list_model_get_item (G_LIST_MODEL (self->list), position);

  if (item != NULL && self->document != NULL)
    plg_highlight_model_toggle (highlight_model_of (self),
                                (PlgEntity) { .kind = PLG_ENTITY_LINK,
                                              .index = plg_link_item_index (item) });
}

/* Updates -------------------------------------------------------------------------------------- */

static gboolean
update_cb (gpointer data)
{
  PlgLinkTable *self = data;

  self->update_id = 0;
  if (self->document == NULL)
    return G_SOURCE_REMOVE;
  self->updating = TRUE;
  plg_link_list_set_report (self->list, report_of (self));
  plg_link_columns_fill (self->columns);
  show_selection (self);
  self->updating = FALSE;
  if (!plg_document_is_previewing (self->document))
    queue_fit (self);
  return G_SOURCE_REMOVE;
}

/* Schedules an update. A hidden table is updated when it is mapped. */
static void
document_changed_cb (PlgLinkTable *self)
{
  gboolean previews = plg_document_is_previewing (self->document);

  if (self->update_id != 0 && previews)
    return;
  g_clear_handle_id (&self->update_id, g_source_remove);
  if (!gtk_widget_get_mapped (GTK_WIDGET (self)))
    return;
  if (previews)
    self->update_id = g_timeout_add (UPDATE_INTERVAL_MILLISECONDS, update_cb, self);
  else
    /* Run the update before the next frame. With a lower priority, the update would wait until
     * the canvas has finished painting, so numbers that an answer reveals would appear later
     * than the answer. */
    self->update_id = g_idle_add_full (G_PRIORITY_HIGH_IDLE, update_cb, self, NULL);
}

static void
highlight_changed_cb (PlgLinkTable *self)
{
  if (!gtk_widget_get_mapped (GTK_WIDGET (self)))
    return;
  self->updating = TRUE;
  show_selection (self);
  plg_link_columns_fill (self->columns);
  self->updating = FALSE;
}

static void
plg_link_table_map (GtkWidget *widget)
{
  PlgLinkTable *self = PLG_LINK_TABLE (widget);

  GTK_WIDGET_CLASS (plg_link_table_parent_class)->map (widget);
  g_clear_handle_id (&self->update_id, g_source_remove);
  sorted_cb (self);
  update_cb (self);
}

static void
plg_link_table_unmap (GtkWidget *widget)
{
  plg_link_table_clear_highlight (PLG_LINK_TABLE (widget));
  GTK_WIDGET_CLASS (plg_link_table_parent_class)->unmap (widget);
}

/* Lets Tab leave the table, because the arrow keys move between rows. By default, Tab would stop
 * at each of the hundreds of rows. */
static gboolean
plg_link_table_focus (GtkWidget *widget, GtkDirectionType direction)
{
  gboolean is_tab = direction == GTK_DIR_TAB_FORWARD || direction == GTK_DIR_TAB_BACKWARD;

  if (is_tab && gtk_widget_get_focus_child (widget) != NULL)
    return FALSE;
  return GTK_WIDGET_CLASS (plg_link_table_parent_class)->focus (widget, direction);
}

char *
plg_link_table_text (PlgLinkTable *self, char separator)
{
  const int *order;
  int n;

  g_return_val_if_fail (PLG_IS_LINK_TABLE (self) && self->document != NULL, NULL);

  plg_link_list_set_report (self->list, report_of (self));
  order = plg_link_list_order (self->list, &n);
  return plg_links_csv (plg_document_plan (self->document), report_of (self), separator, order, n);
}

/* Object --------------------------------------------------------------------------------------- */

static void
set_document (PlgLinkTable *self, PlgDocument *document)
{
  /* The document of a table is set only once. */
  g_return_if_fail (self->document == NULL);

  if (document == NULL)
    return;
  self->document = g_object_ref (document);
  plg_link_columns_set_document (self->columns, document);
  g_signal_connect_object (document, "changed", G_CALLBACK (document_changed_cb), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (plg_document_highlight_model (document), "changed",
                           G_CALLBACK (highlight_changed_cb), self, G_CONNECT_SWAPPED);
  gtk_column_view_sort_by_column (self->view,
                                  plg_link_columns_get (self->columns, PLG_LINK_COLUMN_TIME),
                                  GTK_SORT_DESCENDING);
  sorted_cb (self);
}

static void
plg_link_table_get_property (GObject *object, guint id, GValue *value, GParamSpec *pspec)
{
  PlgLinkTable *self = PLG_LINK_TABLE (object);

  if (id == PROP_DOCUMENT)
    g_value_set_object (value, self->document);
  else if (id == PROP_TIER)
    g_value_set_uint (value, self->tier);
  else
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
}

static void
plg_link_table_set_property (GObject *object, guint id, const GValue *value, GParamSpec *pspec)
{
  PlgLinkTable *self = PLG_LINK_TABLE (object);

  if (id == PROP_DOCUMENT)
    set_document (self, g_value_get_object (value));
  else if (id == PROP_TIER)
    {
      guint tier = g_value_get_uint (value);

      if (tier == self->tier)
        return;
      self->tier = tier;
      if (self->document != NULL)
        {
          self->updating = TRUE;
          plg_link_list_set_tier (self->list, report_of (self), (int) tier - 1);
          show_selection (self);
          self->updating = FALSE;
          queue_fit (self);
        }
      g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_TIER]);
    }
  else
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
}

static void
plg_link_table_dispose (GObject *object)
{
  PlgLinkTable *self = PLG_LINK_TABLE (object);

  g_clear_handle_id (&self->update_id, g_source_remove);
  g_clear_object (&self->document);
  g_clear_pointer (&self->scroller, gtk_widget_unparent);
  g_clear_object (&self->columns);
  g_clear_object (&self->selection);
  g_clear_object (&self->list);
  G_OBJECT_CLASS (plg_link_table_parent_class)->dispose (object);
}

static void
plg_link_table_class_init (PlgLinkTableClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);
  GParamFlags flags = G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS | G_PARAM_EXPLICIT_NOTIFY;

  object_class->get_property = plg_link_table_get_property;
  object_class->set_property = plg_link_table_set_property;
  object_class->dispose = plg_link_table_dispose;
  widget_class->map = plg_link_table_map;
  widget_class->unmap = plg_link_table_unmap;
  widget_class->focus = plg_link_table_focus;
  properties[PROP_DOCUMENT] = g_param_spec_object ("document", NULL, NULL, PLG_TYPE_DOCUMENT,
                                                   flags);
  properties[PROP_TIER] = g_param_spec_uint ("tier", NULL, NULL, 0, PLG_TIER_SPINE + 1, 0, flags);
  g_object_class_install_properties (object_class, N_PROPS, properties);
  gtk_widget_class_set_layout_manager_type (widget_class, GTK_TYPE_BIN_LAYOUT);
  gtk_widget_class_set_css_name (widget_class, "linktable");
  gtk_widget_class_add_binding_action (widget_class, GDK_KEY_c, GDK_CONTROL_MASK, "win.copy-links",
                                       NULL);
  gtk_widget_class_add_binding (widget_class, GDK_KEY_Escape, 0, escape_cb, NULL);
  gtk_widget_class_add_binding (widget_class, GDK_KEY_s, 0, sort_key_cb, "b", FALSE);
  gtk_widget_class_add_binding (widget_class, GDK_KEY_s, GDK_SHIFT_MASK, sort_key_cb, "b", TRUE);
}

static void
plg_link_table_init (PlgLinkTable *self)
{
  self->sorted_by = -1;
  self->list = plg_link_list_new ();
  self->selection = gtk_single_selection_new (g_object_ref (G_LIST_MODEL (self->list)));
  gtk_single_selection_set_autoselect (self->selection, FALSE);
  gtk_single_selection_set_can_unselect (self->selection, TRUE);
  gtk_single_selection_set_selected (self->selection, GTK_INVALID_LIST_POSITION);
  self->view =
      GTK_COLUMN_VIEW (gtk_column_view_new (g_object_ref (GTK_SELECTION_MODEL (self->selection))));
  gtk_widget_add_css_class (GTK_WIDGET (self->view), "data-table");
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->view), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _ ("Links"), -1);
  self->columns = plg_link_columns_new (self->view);
  self->scroller = gtk_scrolled_window_new ();
  gtk_scrolled_window_set_min_content_height (GTK_SCROLLED_WINDOW (self->scroller), 96);
  gtk_scrolled_window_set_max_content_height (GTK_SCROLLED_WINDOW (self->scroller), 220);
  gtk_scrolled_window_set_propagate_natural_height (GTK_SCROLLED_WINDOW (self->scroller), TRUE);
  gtk_widget_set_focusable (self->scroller, FALSE);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (self->scroller), GTK_WIDGET (self->view));
  gtk_widget_set_parent (self->scroller, GTK_WIDGET (self));
  g_signal_connect_object (
      gtk_scrolled_window_get_hadjustment (GTK_SCROLLED_WINDOW (self->scroller)),
      "notify::page-size", G_CALLBACK (queue_fit), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->selection, "notify::selected", G_CALLBACK (selected_cb), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (self->view, "activate", G_CALLBACK (activate_cb), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (gtk_column_view_get_sorter (self->view), "changed",
                           G_CALLBACK (sorted_cb), self, G_CONNECT_SWAPPED);
}

GtkWidget *
plg_link_table_new (void)
{
  return g_object_new (PLG_TYPE_LINK_TABLE, NULL);
}
