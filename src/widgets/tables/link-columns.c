/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "widgets/tables/link-columns.h"

#include "drawing/figure/pictures.h"
#include "widgets/tables/link-cells.h"

/* The columns in order of importance, because a narrow table shows only the first columns. */
static const PlgLinkColumn column_order[PLG_N_LINK_COLUMNS] = {
  PLG_LINK_COLUMN_LINK, PLG_LINK_COLUMN_TIME,      PLG_LINK_COLUMN_CALLS,
  PLG_LINK_COLUMN_OUT,  PLG_LINK_COLUMN_IN,        PLG_LINK_COLUMN_SHARE,
  PLG_LINK_COLUMN_TIER, PLG_LINK_COLUMN_BANDWIDTH, PLG_LINK_COLUMN_COLLECTIVES,
};

struct _PlgLinkColumns
{
  GObject parent_instance;

  PlgDocument *document;
  GtkColumnView *view; /* must outlive this object */
  GtkColumnViewColumn *columns[PLG_N_LINK_COLUMNS];
  GHashTable *cells;       /* maps each GtkListItem to its column */
  int first_sorter_column; /* the column whose sorter was called first in the last comparison; -1
                              if no sorter was called */
};

G_DEFINE_FINAL_TYPE (PlgLinkColumns, plg_link_columns, G_TYPE_OBJECT)

/* Cells ---------------------------------------------------------------------------------------- */

static void
fill_cell (PlgLinkColumns *self, GtkListItem *cell, PlgLinkColumn column)
{
  PlgLinkItem *item = gtk_list_item_get_item (cell);
  GtkLabel *label = GTK_LABEL (gtk_list_item_get_child (cell));
  int index = item != NULL ? plg_link_item_index (item) : -1;
  g_autofree char *text = NULL;

  if (self->document == NULL || index < 0 ||
      index >= (int) plg_document_report (self->document)->links->len)
    return;
  text = plg_link_cell_text (self->document, index, column);
  if (column == PLG_LINK_COLUMN_LINK)
    {
      /* Describe the row in a sentence, because the focus is on the row and GTK gives the row no
       * name. */
      GtkWidget *parent = gtk_widget_get_parent (GTK_WIDGET (label));
      GtkWidget *row = parent != NULL ? gtk_widget_get_parent (parent) : NULL;
      g_autofree char *sentence = plg_link_row_describe (self->document, index);

      if (row != NULL)
        gtk_accessible_update_property (GTK_ACCESSIBLE (row), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                        sentence, -1);
    }
  if (strcmp (gtk_label_get_text (label), text) != 0)
    gtk_label_set_text (label, text);
}

static PlgLinkColumn
column_of (GtkListItemFactory *factory)
{
  return GPOINTER_TO_INT (g_object_get_data (G_OBJECT (factory), "column"));
}

static void
set_up_cb (GtkListItemFactory *factory, GtkListItem *cell, PlgLinkColumns *self)
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
bind_cb (GtkListItemFactory *factory, GtkListItem *cell, PlgLinkColumns *self)
{
  g_hash_table_insert (self->cells, cell, GINT_TO_POINTER (column_of (factory)));
  fill_cell (self, cell, column_of (factory));
}

static void
unbind_cb (GtkListItemFactory *factory, GtkListItem *cell, PlgLinkColumns *self)
{
  g_hash_table_remove (self->cells, cell);
}

/* Records the first sorter that is called. GTK 4.8 does not report the sorting column, but the
 * view calls the sorters of the columns in turn. Therefore the first sorter and the sign of its
 * result reveal the column and the direction. */
static int
mark_sortable_cb (gconstpointer a, gconstpointer b, gpointer data)
{
  GtkColumnViewColumn *column = data;
  PlgLinkColumns *self = g_object_get_data (G_OBJECT (column), "columns");

  if (self->first_sorter_column < 0)
    self->first_sorter_column = GPOINTER_TO_INT (g_object_get_data (G_OBJECT (column), "column"));
  return 1;
}

/* Widths --------------------------------------------------------------------------------------- */

/* The longest texts that usually occur in numeric columns. The widths are fixed, because
 * automatic widths would change during scrolling. */
static const char *const longest_numbers[PLG_N_LINK_COLUMNS] = {
  [PLG_LINK_COLUMN_TIME] = "88.8\u00a0ms", [PLG_LINK_COLUMN_CALLS] = "88\u202f888",
  [PLG_LINK_COLUMN_OUT] = "8.88\u00a0GB",  [PLG_LINK_COLUMN_IN] = "8.88\u00a0GB",
  [PLG_LINK_COLUMN_SHARE] = "88.8\u00a0%", [PLG_LINK_COLUMN_BANDWIDTH] = "888\u00a0GB/s",
};
/* The number of columns that fit next to the name in a narrow table. */
#define N_LEADING_COLUMNS 4
/* The minimum width of the column with the collectives [pixels]; longer texts are cut off. */
#define MIN_COLLECTIVES_WIDTH 120
/* The left and right padding of a cell, as in ui/style.css [pixels]. */
#define PADDING 6

static int
text_width (PlgLinkColumns *self, const char *text)
{
  g_autoptr (PangoLayout) layout = gtk_widget_create_pango_layout (GTK_WIDGET (self->view), text);
  int width;

  pango_layout_get_pixel_size (layout, &width, NULL);
  return width + PADDING;
}

/* The space around a title and the width of the sort arrow [pixels]. */
#define TITLE_PADDING 6
#define SORT_ARROW_WIDTH 14

/* Returns the natural width of the column title at PLACE, as measured by GTK [pixels]. */
static int
title_width (PlgLinkColumns *self, int place)
{
  GtkWidget *title = gtk_widget_get_first_child (GTK_WIDGET (self->view));
  int width = 0;

  title = title != NULL ? gtk_widget_get_first_child (title) : NULL;
  for (; title != NULL && place > 0; place--)
    title = gtk_widget_get_next_sibling (title);
  if (title != NULL)
    gtk_widget_measure (title, GTK_ORIENTATION_HORIZONTAL, -1, NULL, &width, NULL, NULL);
  return width;
}

static int
longest_titled_node (const PlgPlan *plan)
{
  glong most = 0;
  int longest = 0;

  for (int node = plan->cluster.nodes - 1; node >= 0; node--)
    {
      g_autofree char *title = plg_plan_node_title (plan, node);
      glong length = g_utf8_strlen (title, -1);

      if (length > most)
        longest = node;
      most = MAX (most, length);
    }
  return longest;
}

/* Returns the minimum width of a name. At this width, a name is cut off but can still be
 * distinguished from the other names. Names shrink to this width before numeric columns are
 * hidden. */
static int
min_name_width (PlgLinkColumns *self)
{
  const PlgLink link = { .tier = PLG_TIER_NVLINK, .local = 8, .other = -1 };
  g_autofree char *text = plg_describe_link_ends (plg_document_plan (self->document), &link);

  return text_width (self, text);
}

/* Returns the width of the widest name among the N links in ORDER. Measures only the last link
 * of each tier, because its name contains the largest numbers. Names of links at a node are
 * measured with the longest node title. */
static int
longest_name (PlgLinkColumns *self, const int *order, int n)
{
  const PlgPlan *plan = plg_document_plan (self->document);
  const GArray *links = plg_document_report (self->document)->links;
  int last[PLG_TIER_SPINE + 1], longest = longest_titled_node (plan), width = 0;

  for (int tier = 0; tier <= PLG_TIER_SPINE; tier++)
    last[tier] = -1;
  for (int i = 0; i < n; i++)
    {
      PlgTier tier = g_array_index (links, PlgLink, order[i]).tier;

      last[tier] = MAX (last[tier], order[i]);
    }
  for (int tier = 0; tier <= PLG_TIER_SPINE; tier++)
    if (last[tier] >= 0)
      {
        PlgLink link = g_array_index (links, PlgLink, last[tier]);
        g_autofree char *text = NULL;

        link.node = link.node >= 0 ? longest : link.node;
        text = plg_describe_link_ends (plan, &link);
        width = MAX (width, text_width (self, text));
      }
  return width;
}

/* Sets WIDTHS to the widths that the columns need, from left to right [pixels]. The caller
 * replaces the width of the name column. */
static void
measure_columns (PlgLinkColumns *self, int *widths)
{
  gboolean is_descending;
  int sorted_by = plg_link_columns_sorted_by (self, &is_descending);

  for (int place = 0; place < PLG_N_LINK_COLUMNS; place++)
    {
      PlgLinkColumn column = column_order[place];

      widths[place] = title_width (self, place);
      if (longest_numbers[column] != NULL)
        widths[place] = MAX (widths[place], text_width (self, longest_numbers[column]));
      else if (column == PLG_LINK_COLUMN_TIER)
        {
          const PlgCluster *cluster = &plg_document_plan (self->document)->cluster;
          int width = 0;

          for (int tier = 0; tier <= PLG_TIER_SPINE; tier++)
            width = MAX (width, text_width (self, plg_tier_title (cluster, (PlgTier) tier)));
          widths[place] = MAX (widths[place], width);
        }
      else if (column == PLG_LINK_COLUMN_COLLECTIVES)
        widths[place] = MAX (widths[place], MIN_COLLECTIVES_WIDTH);
      if (sorted_by == (int) column)
        {
          /* Add the width of the arrow, because GTK 4.8 measures a title without its sort arrow. */
          GtkColumnViewColumn *title = self->columns[column];
          const char *text = gtk_column_view_column_get_title (title);
          g_autoptr (PangoLayout)
                         layout = gtk_widget_create_pango_layout (GTK_WIDGET (self->view), text);
          g_autoptr (PangoAttrList) bold = pango_attr_list_new ();
          int width;

          pango_attr_list_insert (bold, pango_attr_weight_new (PANGO_WEIGHT_BOLD));
          pango_layout_set_attributes (layout, bold);
          pango_layout_get_pixel_size (layout, &width, NULL);
          widths[place] = MAX (widths[place], width + TITLE_PADDING + SORT_ARROW_WIDTH);
        }
    }
}

/* Object --------------------------------------------------------------------------------------- */

static void
plg_link_columns_dispose (GObject *object)
{
  g_clear_object (&PLG_LINK_COLUMNS (object)->document);
  G_OBJECT_CLASS (plg_link_columns_parent_class)->dispose (object);
}

static void
plg_link_columns_finalize (GObject *object)
{
  g_hash_table_unref (PLG_LINK_COLUMNS (object)->cells);
  G_OBJECT_CLASS (plg_link_columns_parent_class)->finalize (object);
}

static void
plg_link_columns_class_init (PlgLinkColumnsClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = plg_link_columns_dispose;
  G_OBJECT_CLASS (klass)->finalize = plg_link_columns_finalize;
}

static void
plg_link_columns_init (PlgLinkColumns *self)
{
  self->cells = g_hash_table_new (NULL, NULL);
}

PlgLinkColumns *
plg_link_columns_new (GtkColumnView *view)
{
  PlgLinkColumns *self;

  g_return_val_if_fail (GTK_IS_COLUMN_VIEW (view), NULL);

  self = g_object_new (PLG_TYPE_LINK_COLUMNS, NULL);
  self->view = view;
  for (int i = 0; i < PLG_N_LINK_COLUMNS; i++)
    {
      PlgLinkColumn column = column_order[i];
      const char *title = plg_link_column_title (column);
      GtkListItemFactory *factory = gtk_signal_list_item_factory_new ();

      g_object_set_data (G_OBJECT (factory), "column", GINT_TO_POINTER (column));
      g_signal_connect_object (factory, "setup", G_CALLBACK (set_up_cb), self, 0);
      g_signal_connect_object (factory, "bind", G_CALLBACK (bind_cb), self, 0);
      g_signal_connect_object (factory, "unbind", G_CALLBACK (unbind_cb), self, 0);
      GtkColumnViewColumn *added = gtk_column_view_column_new (title, factory);
      g_autoptr (GtkSorter)
                     sorter = GTK_SORTER (gtk_custom_sorter_new (mark_sortable_cb, added, NULL));

      g_object_set_data (G_OBJECT (added), "columns", self);
      g_object_set_data (G_OBJECT (added), "column", GINT_TO_POINTER (column));
      gtk_column_view_column_set_sorter (added, sorter);
      gtk_column_view_column_set_resizable (added, TRUE);
      gtk_column_view_column_set_expand (added, column == PLG_LINK_COLUMN_LINK);
      gtk_column_view_append_column (self->view, added);
      self->columns[column] = added;
      g_object_unref (added);
    }
  /* The default widths apply until the columns are fitted. */
  gtk_column_view_column_set_fixed_width (self->columns[PLG_LINK_COLUMN_LINK], 122);
  gtk_column_view_column_set_fixed_width (self->columns[PLG_LINK_COLUMN_COLLECTIVES], 220);
  return self;
}

void
plg_link_columns_set_document (PlgLinkColumns *self, PlgDocument *document)
{
  g_return_if_fail (PLG_IS_LINK_COLUMNS (self));

  g_set_object (&self->document, document);
}

void
plg_link_columns_fill (PlgLinkColumns *self)
{
  GHashTableIter iter;
  gpointer cell, column;

  g_hash_table_iter_init (&iter, self->cells);
  while (g_hash_table_iter_next (&iter, &cell, &column))
    fill_cell (self, cell, GPOINTER_TO_INT (column));
}

void
plg_link_columns_fit (PlgLinkColumns *self, const int *order, int n, int room)
{
  int widths[PLG_N_LINK_COLUMNS], name, left = room;

  g_return_if_fail (PLG_IS_LINK_COLUMNS (self) && self->document != NULL);

  measure_columns (self, widths);
  for (int place = 1; place <= N_LEADING_COLUMNS; place++)
    left -= widths[place];
  name = MAX (min_name_width (self), MIN (left, longest_name (self, order, n)));
  left -= name;
  for (int place = N_LEADING_COLUMNS + 1; place < PLG_N_LINK_COLUMNS && widths[place] <= left;
       place++)
    {
      if (place == PLG_N_LINK_COLUMNS - 1)
        widths[place] = left;
      left -= widths[place];
    }
  /* Give the remaining width to the name column. The first column that does not fit completely
   * then starts at the right edge, where it is not visible. */
  widths[0] = name + MAX (left, 0);
  for (int place = 0; place < PLG_N_LINK_COLUMNS; place++)
    gtk_column_view_column_set_fixed_width (self->columns[column_order[place]], widths[place]);
}

GtkColumnViewColumn *
plg_link_columns_get (PlgLinkColumns *self, PlgLinkColumn column)
{
  g_return_val_if_fail (PLG_IS_LINK_COLUMNS (self), NULL);

  return self->columns[column];
}

GtkColumnViewColumn *
plg_link_columns_next (PlgLinkColumns *self, int column)
{
  int now = 0;

  g_return_val_if_fail (PLG_IS_LINK_COLUMNS (self), NULL);

  while (now < PLG_N_LINK_COLUMNS && (int) column_order[now] != column)
    now++;
  return self->columns[column_order[(now + 1) % PLG_N_LINK_COLUMNS]];
}

int
plg_link_columns_sorted_by (PlgLinkColumns *self, gboolean *is_descending)
{
  g_autoptr (PlgLinkItem) a = plg_link_item_new (0), b = plg_link_item_new (1);

  g_return_val_if_fail (PLG_IS_LINK_COLUMNS (self), -1);

  self->first_sorter_column = -1;
  *is_descending = gtk_sorter_compare (gtk_column_view_get_sorter (self->view), a, b) ==
                   GTK_ORDERING_SMALLER;
  return self->first_sorter_column;
}

/* Adds the sort order to the accessible text of the focused row, because screen readers read the
 * name of the view only when the focus enters the view. */
void
plg_link_columns_announce_order (PlgLinkColumns *self, const char *order)
{
  GtkRoot *root = gtk_widget_get_root (GTK_WIDGET (self->view));
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
      row = plg_link_row_describe (self->document, plg_link_item_index (item));
      text = g_strdup_printf ("%s. %s", order, row);
      gtk_accessible_update_property (GTK_ACCESSIBLE (focus), GTK_ACCESSIBLE_PROPERTY_LABEL, text,
                                      -1);
      return;
    }
}
