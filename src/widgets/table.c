/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "widgets/table.h"

struct _PlgTable
{
  GtkWidget parent_instance;

  GtkWidget *grid;
  int n_columns;
  int left;
  GPtrArray *labels; /* borrowed, row by row */
};

G_DEFINE_FINAL_TYPE (PlgTable, plg_table, GTK_TYPE_WIDGET)

static GtkWidget *
new_label (PlgTable *self, int column, const char *css_class)
{
  GtkWidget *label = gtk_label_new (NULL);

  gtk_label_set_xalign (GTK_LABEL (label), column < self->left ? 0 : 1);
  /* A cell without room goes on in a second line: numbers have no place to break at. */
  gtk_label_set_wrap (GTK_LABEL (label), TRUE);
  gtk_label_set_wrap_mode (GTK_LABEL (label), PANGO_WRAP_WORD);
  gtk_widget_set_hexpand (label, column == self->left - 1);
  gtk_widget_add_css_class (label, css_class);
  return label;
}

void
plg_table_set_columns (PlgTable *self, const char *const *titles, int left)
{
  g_return_if_fail (PLG_IS_TABLE (self) && self->n_columns == 0);

  self->left = left;
  for (self->n_columns = 0; titles[self->n_columns] != NULL; self->n_columns++)
    {
      GtkWidget *label = new_label (self, self->n_columns, "caption");
      gtk_label_set_text (GTK_LABEL (label), titles[self->n_columns]);
      gtk_widget_add_css_class (label, "dim-label");
      gtk_grid_attach (GTK_GRID (self->grid), label, self->n_columns, 0, 1, 1);
    }
}

int
plg_table_get_n_rows (PlgTable *self)
{
  g_return_val_if_fail (PLG_IS_TABLE (self), 0);
  return self->n_columns > 0 ? self->labels->len / self->n_columns : 0;
}

static void
add_row (PlgTable *self)
{
  int row = plg_table_get_n_rows (self);

  for (int column = 0; column < self->n_columns; column++)
    {
      GtkWidget *label = new_label (self, column, "numeric");
      gtk_grid_attach (GTK_GRID (self->grid), label, column, row + 1, 1, 1);
      g_ptr_array_add (self->labels, label);
    }
}

void
plg_table_set_n_rows (PlgTable *self, int n_rows)
{
  g_return_if_fail (PLG_IS_TABLE (self) && n_rows >= 0);

  while (plg_table_get_n_rows (self) < n_rows)
    add_row (self);
  while (plg_table_get_n_rows (self) > n_rows)
    {
      gtk_grid_remove_row (GTK_GRID (self->grid), plg_table_get_n_rows (self));
      g_ptr_array_set_size (self->labels, self->labels->len - self->n_columns);
    }
}

void
plg_table_set_cell (PlgTable *self, int row, int column, const char *text)
{
  GtkLabel *label;

  g_return_if_fail (PLG_IS_TABLE (self) && column < self->n_columns);

  if (row >= plg_table_get_n_rows (self))
    plg_table_set_n_rows (self, row + 1);
  label = g_ptr_array_index (self->labels, row * self->n_columns + column);
  if (g_strcmp0 (gtk_label_get_text (label), text) != 0)
    gtk_label_set_text (label, text);
}

static void
append_row (PlgTable *self, GString *text, int row)
{
  for (int column = 0; column < self->n_columns; column++)
    {
      GtkWidget *label = gtk_grid_get_child_at (GTK_GRID (self->grid), column, row);

      g_string_append (text, gtk_label_get_text (GTK_LABEL (label)));
      g_string_append_c (text, column + 1 < self->n_columns ? '\t' : '\n');
    }
}

char *
plg_table_to_text (PlgTable *self)
{
  GString *text = g_string_new (NULL);

  g_return_val_if_fail (PLG_IS_TABLE (self), g_string_free (text, FALSE));

  for (int row = 0; row <= plg_table_get_n_rows (self); row++)
    append_row (self, text, row);
  return g_string_free (text, FALSE);
}

static void
plg_table_dispose (GObject *object)
{
  PlgTable *self = PLG_TABLE (object);

  g_clear_pointer (&self->grid, gtk_widget_unparent);
  G_OBJECT_CLASS (plg_table_parent_class)->dispose (object);
}

static void
plg_table_finalize (GObject *object)
{
  g_ptr_array_unref (PLG_TABLE (object)->labels);
  G_OBJECT_CLASS (plg_table_parent_class)->finalize (object);
}

static void
plg_table_class_init (PlgTableClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = plg_table_dispose;
  G_OBJECT_CLASS (klass)->finalize = plg_table_finalize;
  gtk_widget_class_set_layout_manager_type (widget_class, GTK_TYPE_BIN_LAYOUT);
  gtk_widget_class_set_css_name (widget_class, "plgtable");
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_TABLE);
}

static void
plg_table_init (PlgTable *self)
{
  self->labels = g_ptr_array_new ();
  self->grid = gtk_grid_new ();
  gtk_grid_set_column_spacing (GTK_GRID (self->grid), 6);
  gtk_grid_set_row_spacing (GTK_GRID (self->grid), 4);
  gtk_widget_set_parent (self->grid, GTK_WIDGET (self));
}

GtkWidget *
plg_table_new (void)
{
  return g_object_new (PLG_TYPE_TABLE, NULL);
}
