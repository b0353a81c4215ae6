/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "widgets/link-table.h"

#include "formats/links-csv.h"
#include "widgets/link-cells.h"

#include <glib/gi18n-lib.h>

/* While a drag previews, rows are told anew so often: there may be two hundred in sight of the
 * view, too many for each frame. */
#define PACE_MILLISECONDS 150

/* What says most comes first, for a narrow view shows no more. */
static const PlgLinkColumn column_order[PLG_N_LINK_COLUMNS] = {
  PLG_LINK_COLUMN_LINK, PLG_LINK_COLUMN_TIME,      PLG_LINK_COLUMN_CALLS,
  PLG_LINK_COLUMN_OUT,  PLG_LINK_COLUMN_IN,        PLG_LINK_COLUMN_SHARE,
  PLG_LINK_COLUMN_TIER, PLG_LINK_COLUMN_BANDWIDTH, PLG_LINK_COLUMN_COLLECTIVES,
};

struct _PlgLinkTable
{
  GtkWidget parent_instance;

  PlgDocument *document;
  guint tier;

  GtkWidget *scroller;
  GtkColumnView *view;
  GtkColumnViewColumn *columns[PLG_N_LINK_COLUMNS];
  GtkSingleSelection *selection;
  PlgLinkList *list;
  GHashTable *cells; /* GtkListItem -> its column */
  int asked;         /* the first column whose sorter was asked */
  int sorted_by;     /* the column by which it was sorted before; -1: none */
  gboolean is_descending;
  gboolean updating;
  PlgThing lit; /* what a row that people chose has lit up */
  guint update_id;
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

static PlgSpotlight *
spotlight_of (PlgLinkTable *self)
{
  return plg_document_spotlight (self->document);
}

/* Cells -----------------------------------------------------------------------------------------
 */

/* The whole row in a sentence: the focus is on the row, which GTK gives no name. */
static void
speak_row (PlgLinkTable *self, int index, GtkWidget *label)
{
  GtkWidget *cell = gtk_widget_get_parent (label);
  GtkWidget *row = cell != NULL ? gtk_widget_get_parent (cell) : NULL;
  g_autofree char *text = plg_link_row_in_words (self->document, index);

  if (row != NULL)
    gtk_accessible_update_property (GTK_ACCESSIBLE (row), GTK_ACCESSIBLE_PROPERTY_LABEL, text, -1);
}

static void
fill_cell (PlgLinkTable *self, GtkListItem *cell, PlgLinkColumn column)
{
  PlgLinkItem *item = gtk_list_item_get_item (cell);
  GtkLabel *label = GTK_LABEL (gtk_list_item_get_child (cell));
  int index = item != NULL ? plg_link_item_index (item) : -1;
  g_autofree char *text = NULL;

  if (self->document == NULL || index < 0 || index >= (int) report_of (self)->links->len)
    return;
  text = plg_link_cell_text (self->document, index, column);
  if (column == PLG_LINK_COLUMN_LINK)
    speak_row (self, index, GTK_WIDGET (label));
  if (strcmp (gtk_label_get_text (label), text) != 0)
    gtk_label_set_text (label, text);
}

static void
fill_cells (PlgLinkTable *self)
{
  GHashTableIter iter;
  gpointer cell, column;

  g_hash_table_iter_init (&iter, self->cells);
  while (g_hash_table_iter_next (&iter, &cell, &column))
    fill_cell (self, cell, GPOINTER_TO_INT (column));
}

static PlgLinkColumn
column_of (GtkListItemFactory *factory)
{
  return GPOINTER_TO_INT (g_object_get_data (G_OBJECT (factory), "column"));
}

static void
set_up_cb (GtkListItemFactory *factory, GtkListItem *cell, PlgLinkTable *self)
{
  GtkWidget *label = gtk_label_new (NULL);
  PlgLinkColumn column = column_of (factory);

  gtk_label_set_xalign (GTK_LABEL (label), plg_link_column_is_text (column) ? 0 : 1);
  if (column == PLG_LINK_COLUMN_LINK || column == PLG_LINK_COLUMN_COLLECTIVES)
    gtk_label_set_ellipsize (GTK_LABEL (label), PANGO_ELLIPSIZE_END);
  gtk_widget_add_css_class (label, "numeric");
  gtk_list_item_set_child (cell, label);
}

static void
bind_cb (GtkListItemFactory *factory, GtkListItem *cell, PlgLinkTable *self)
{
  g_hash_table_insert (self->cells, cell, GINT_TO_POINTER (column_of (factory)));
  fill_cell (self, cell, column_of (factory));
}

static void
unbind_cb (GtkListItemFactory *factory, GtkListItem *cell, PlgLinkTable *self)
{
  g_hash_table_remove (self->cells, cell);
}

/* Order and selection ---------------------------------------------------------------------------
 */

/* GTK 4.8 does not say by which column a view is sorted. It asks the sorters of the columns one
 * after the other, so the first that is asked, and how its answer comes back, tell it. */
static int
probe_cb (gconstpointer a, gconstpointer b, gpointer data)
{
  GtkColumnViewColumn *column = data;
  PlgLinkTable *self = g_object_get_data (G_OBJECT (column), "table");

  if (self->asked < 0)
    self->asked = GPOINTER_TO_INT (g_object_get_data (G_OBJECT (column), "column"));
  return 1;
}

static void
show_selection (PlgLinkTable *self)
{
  PlgThing thing = plg_spotlight_pointed (spotlight_of (self));
  int position = thing.kind == PLG_THING_LINK ? plg_link_list_position (self->list, thing.index)
                                              : -1;

  gtk_single_selection_set_selected (self->selection,
                                     position >= 0 ? (guint) position : GTK_INVALID_LIST_POSITION);
}

/* GTK 4.8 would leave an arrow at the title that it was sorted by. */
static void
sort_by (PlgLinkTable *self, GtkColumnViewColumn *column, GtkSortType direction)
{
  self->updating = TRUE;
  gtk_column_view_sort_by_column (self->view, NULL, GTK_SORT_ASCENDING);
  self->updating = FALSE;
  gtk_column_view_sort_by_column (self->view, column, direction);
}

/* Numbers begin with the largest, the links that matter; GTK begins with the smallest. TRUE where
 * the view now sorts anew. */
static gboolean
turn_numbers_around (PlgLinkTable *self, GtkOrdering ordering)
{
  int column = self->asked;
  gboolean is_new = column >= 0 && column != self->sorted_by;

  self->sorted_by = column;
  if (!is_new || plg_link_column_is_text ((PlgLinkColumn) column) ||
      ordering == GTK_ORDERING_SMALLER)
    return FALSE;
  sort_by (self, self->columns[column], GTK_SORT_DESCENDING);
  return TRUE;
}

/* The name of the view is heard only when the focus comes to it: the row that has it tells the
 * order, until it is filled anew. */
static void
speak_order_in_row (PlgLinkTable *self, const char *order)
{
  GtkRoot *root = gtk_widget_get_root (GTK_WIDGET (self));
  GtkWidget *focus = root != NULL ? gtk_root_get_focus (root) : NULL;
  GHashTableIter iter;
  gpointer cell, column;

  g_hash_table_iter_init (&iter, self->cells);
  while (focus != NULL && g_hash_table_iter_next (&iter, &cell, &column))
    {
      GtkWidget *label = gtk_list_item_get_child (cell);
      PlgLinkItem *item = gtk_list_item_get_item (cell);
      g_autofree char *row = NULL, *text = NULL;

      if (GPOINTER_TO_INT (column) != PLG_LINK_COLUMN_LINK || item == NULL ||
          !gtk_widget_is_ancestor (label, focus))
        continue;
      row = plg_link_row_in_words (self->document, plg_link_item_index (item));
      text = g_strdup_printf ("%s. %s", order, row);
      gtk_accessible_update_property (GTK_ACCESSIBLE (focus), GTK_ACCESSIBLE_PROPERTY_LABEL, text,
                                      -1);
      return;
    }
}

static void
speak_order (PlgLinkTable *self)
{
  GtkColumnViewColumn *column = self->columns[MAX (self->asked, 0)];
  g_autofree char *text = g_strdup_printf (self->is_descending
                                               ? _ ("Links by “%s”, largest first")
                                               : _ ("Links by “%s”, smallest first"),
                                           gtk_column_view_column_get_title (column));

  gtk_accessible_update_property (GTK_ACCESSIBLE (self->view), GTK_ACCESSIBLE_PROPERTY_LABEL, text,
                                  -1);
  speak_order_in_row (self, text);
}

static void
sorted_cb (PlgLinkTable *self)
{
  g_autoptr (PlgLinkItem) a = plg_link_item_new (0), b = plg_link_item_new (1);
  GtkOrdering ordering;
  gboolean had_focus;

  /* What nobody sees is sorted when it is shown. */
  if (self->document == NULL || self->updating || !gtk_widget_get_mapped (GTK_WIDGET (self)))
    return;
  self->asked = -1;
  ordering = gtk_sorter_compare (gtk_column_view_get_sorter (self->view), a, b);
  if (turn_numbers_around (self, ordering))
    return;
  self->is_descending = ordering == GTK_ORDERING_SMALLER;
  had_focus = gtk_widget_get_focus_child (GTK_WIDGET (self)) != NULL;
  self->updating = TRUE;
  plg_link_list_sort (self->list, report_of (self),
                      self->asked >= 0 ? (PlgLinkColumn) self->asked : PLG_LINK_COLUMN_LINK,
                      self->is_descending);
  show_selection (self);
  /* The row that had the focus is another's now. */
  if (had_focus)
    gtk_widget_grab_focus (GTK_WIDGET (self->view));
  self->updating = FALSE;
  speak_order (self);
}

static void
selected_cb (PlgLinkTable *self)
{
  PlgLinkItem *item = gtk_single_selection_get_selected_item (self->selection);
  PlgThing thing = { .kind = PLG_THING_NONE };

  if (self->updating || self->document == NULL)
    return;
  if (item != NULL)
    thing = (PlgThing) { .kind = PLG_THING_LINK, .index = plg_link_item_index (item) };
  self->lit = thing;
  plg_spotlight_point (spotlight_of (self), thing);
}

gboolean
plg_link_table_put_out (PlgLinkTable *self)
{
  PlgThing lit = self->lit, nothing = { .kind = PLG_THING_NONE };

  if (self->updating)
    return FALSE;
  self->lit = nothing;
  if (self->document == NULL || lit.kind == PLG_THING_NONE ||
      !plg_thing_equal (plg_spotlight_pointed (spotlight_of (self)), lit))
    return FALSE;
  plg_spotlight_point (spotlight_of (self), nothing);
  return TRUE;
}

/* The column to the right of that by which it is sorted. */
static GtkColumnViewColumn *
next_column (PlgLinkTable *self)
{
  int now = 0;

  while (now < PLG_N_LINK_COLUMNS && (int) column_order[now] != self->sorted_by)
    now++;
  return self->columns[column_order[(now + 1) % PLG_N_LINK_COLUMNS]];
}

/* GTK 4.8 gives the focus to no title of a column. */
static gboolean
sort_key_cb (GtkWidget *widget, GVariant *arguments, gpointer data)
{
  PlgLinkTable *self = PLG_LINK_TABLE (widget);

  if (!g_variant_get_boolean (arguments))
    sort_by (self, next_column (self), GTK_SORT_ASCENDING);
  else if (self->sorted_by >= 0)
    sort_by (self, self->columns[self->sorted_by],
             self->is_descending ? GTK_SORT_ASCENDING : GTK_SORT_DESCENDING);
  return TRUE;
}

/* As on the canvas: first what is lit, then the pins. */
static gboolean
escape_cb (GtkWidget *widget, GVariant *arguments, gpointer data)
{
  PlgLinkTable *self = PLG_LINK_TABLE (widget);

  return plg_link_table_put_out (self) ||
         (self->document != NULL && plg_spotlight_unpin_all (spotlight_of (self)));
}

static void
activate_cb (PlgLinkTable *self, guint position)
{
  g_autoptr (PlgLinkItem) item = g_list_model_get_item (G_LIST_MODEL (self->list), position);

  if (item != NULL && self->document != NULL)
    plg_spotlight_toggle (spotlight_of (self), (PlgThing) { .kind = PLG_THING_LINK,
                                                            .index = plg_link_item_index (item) });
}

/* Keeping up ------------------------------------------------------------------------------------
 */

static gboolean
update_cb (gpointer data)
{
  PlgLinkTable *self = data;

  self->update_id = 0;
  if (self->document == NULL)
    return G_SOURCE_REMOVE;
  self->updating = TRUE;
  plg_link_list_set_report (self->list, report_of (self));
  fill_cells (self);
  show_selection (self);
  self->updating = FALSE;
  return G_SOURCE_REMOVE;
}

/* What is not on screen is made new when it is shown. */
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
    self->update_id = g_timeout_add (PACE_MILLISECONDS, update_cb, self);
  else
    /* Before the frame that shows the change elsewhere: where much is painted, no idle time is left
     * in which numbers could come with the answer that shows them. */
    self->update_id = g_idle_add_full (G_PRIORITY_HIGH_IDLE, update_cb, self, NULL);
}

static void
spotlight_changed_cb (PlgLinkTable *self)
{
  if (!gtk_widget_get_mapped (GTK_WIDGET (self)))
    return;
  self->updating = TRUE;
  show_selection (self);
  fill_cells (self);
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
  plg_link_table_put_out (PLG_LINK_TABLE (widget));
  GTK_WIDGET_CLASS (plg_link_table_parent_class)->unmap (widget);
}

/* Arrows go from row to row. GTK would have Tab do that as well, over hundreds of them. */
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

/* Columns ---------------------------------------------------------------------------------------
 */

static GtkListItemFactory *
new_factory (PlgLinkTable *self, PlgLinkColumn column)
{
  GtkListItemFactory *factory = gtk_signal_list_item_factory_new ();

  g_object_set_data (G_OBJECT (factory), "column", GINT_TO_POINTER (column));
  g_signal_connect_object (factory, "setup", G_CALLBACK (set_up_cb), self, 0);
  g_signal_connect_object (factory, "bind", G_CALLBACK (bind_cb), self, 0);
  g_signal_connect_object (factory, "unbind", G_CALLBACK (unbind_cb), self, 0);
  return factory;
}

static void
add_column (PlgLinkTable *self, PlgLinkColumn column, const char *title)
{
  GtkColumnViewColumn *added = gtk_column_view_column_new (title, new_factory (self, column));
  g_autoptr (GtkSorter) sorter = GTK_SORTER (gtk_custom_sorter_new (probe_cb, added, NULL));

  g_object_set_data (G_OBJECT (added), "table", self);
  g_object_set_data (G_OBJECT (added), "column", GINT_TO_POINTER (column));
  gtk_column_view_column_set_sorter (added, sorter);
  gtk_column_view_column_set_resizable (added, TRUE);
  gtk_column_view_column_set_expand (added, column == PLG_LINK_COLUMN_LINK);
  gtk_column_view_append_column (self->view, added);
  self->columns[column] = added;
  g_object_unref (added);
}

static void
add_columns (PlgLinkTable *self)
{
  for (int i = 0; i < PLG_N_LINK_COLUMNS; i++)
    add_column (self, column_order[i], plg_link_column_title (column_order[i]));
  /* These are seen whole beside a ledger in a window of 1440 pixels. */
  gtk_column_view_column_set_fixed_width (self->columns[PLG_LINK_COLUMN_LINK], 122);
  gtk_column_view_column_set_fixed_width (self->columns[PLG_LINK_COLUMN_TIME], 78);
  gtk_column_view_column_set_fixed_width (self->columns[PLG_LINK_COLUMN_CALLS], 64);
  gtk_column_view_column_set_fixed_width (self->columns[PLG_LINK_COLUMN_OUT], 66);
  gtk_column_view_column_set_fixed_width (self->columns[PLG_LINK_COLUMN_IN], 66);
  gtk_column_view_column_set_fixed_width (self->columns[PLG_LINK_COLUMN_COLLECTIVES], 220);
}

/* Object ----------------------------------------------------------------------------------------
 */

static void
set_document (PlgLinkTable *self, PlgDocument *document)
{
  /* A table has one document for its life. */
  g_return_if_fail (self->document == NULL);

  if (document == NULL)
    return;
  self->document = g_object_ref (document);
  g_signal_connect_object (document, "changed", G_CALLBACK (document_changed_cb), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (plg_document_spotlight (document), "changed",
                           G_CALLBACK (spotlight_changed_cb), self, G_CONNECT_SWAPPED);
  gtk_column_view_sort_by_column (self->view, self->columns[PLG_LINK_COLUMN_TIME],
                                  GTK_SORT_DESCENDING);
  sorted_cb (self);
}

static void
set_tier (PlgLinkTable *self, guint tier)
{
  if (tier == self->tier)
    return;
  self->tier = tier;
  if (self->document != NULL)
    {
      self->updating = TRUE;
      plg_link_list_set_tier (self->list, report_of (self), (int) tier - 1);
      show_selection (self);
      self->updating = FALSE;
    }
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_TIER]);
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
    set_tier (self, g_value_get_uint (value));
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
  g_clear_object (&self->selection);
  g_clear_object (&self->list);
  G_OBJECT_CLASS (plg_link_table_parent_class)->dispose (object);
}

static void
plg_link_table_finalize (GObject *object)
{
  g_hash_table_unref (PLG_LINK_TABLE (object)->cells);
  G_OBJECT_CLASS (plg_link_table_parent_class)->finalize (object);
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
  object_class->finalize = plg_link_table_finalize;
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
  self->cells = g_hash_table_new (NULL, NULL);
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
  add_columns (self);
  self->scroller = gtk_scrolled_window_new ();
  gtk_scrolled_window_set_min_content_height (GTK_SCROLLED_WINDOW (self->scroller), 96);
  gtk_scrolled_window_set_max_content_height (GTK_SCROLLED_WINDOW (self->scroller), 220);
  gtk_scrolled_window_set_propagate_natural_height (GTK_SCROLLED_WINDOW (self->scroller), TRUE);
  gtk_widget_set_focusable (self->scroller, FALSE);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (self->scroller), GTK_WIDGET (self->view));
  gtk_widget_set_parent (self->scroller, GTK_WIDGET (self));
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
