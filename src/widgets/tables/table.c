/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "widgets/tables/table.h"
#include "widgets/widget-theme.h"

#include <string.h>

struct _PlgTable
{
  GtkWidget parent_instance;

  GtkWidget *grid;
  int n_columns;
  int left;
  GPtrArray *labels; /* the labels of the cells, borrowed, row by row */
  gboolean can_point;
  int pointed;  /* the row that is under the pointer or has the focus; -1 if there is none */
  guint marked; /* a bit mask of the marked rows (1 << row); only the first 32 rows can be marked */
};

G_DEFINE_FINAL_TYPE (PlgTable, plg_table, GTK_TYPE_WIDGET)

enum
{
  POINTED,
  ACTIVATED,
  MENU_REQUESTED,
  N_SIGNALS,
};

static guint signals[N_SIGNALS];

/* Pointing ------------------------------------------------------------------------------------- */

static void
set_pointed (PlgTable *self, int row)
{
  if (row == self->pointed)
    return;
  self->pointed = row;
  gtk_widget_queue_draw (GTK_WIDGET (self));
  g_signal_emit (self, signals[POINTED], 0, row);
}

/* Computes the bounds of ROW, from its first to its last cell. */
static gboolean
row_bounds (PlgTable *self, int row, graphene_rect_t *bounds)
{
  graphene_rect_t last;
  int first = row * self->n_columns;

  if (row < 0 || first + self->n_columns > (int) self->labels->len)
    return FALSE;
  if (!gtk_widget_compute_bounds (g_ptr_array_index (self->labels, first), GTK_WIDGET (self),
                                  bounds) ||
      !gtk_widget_compute_bounds (g_ptr_array_index (self->labels, first + self->n_columns - 1),
                                  GTK_WIDGET (self), &last))
    return FALSE;
  graphene_rect_union (bounds, &last, bounds);
  graphene_rect_inset (bounds, -4, -2);
  return TRUE;
}

static int
row_at (PlgTable *self, double y)
{
  graphene_rect_t bounds;

  for (int row = 0; row < plg_table_get_n_rows (self); row++)
    if (row_bounds (self, row, &bounds) && y >= bounds.origin.y &&
        y < bounds.origin.y + bounds.size.height)
      return row;
  return -1;
}

static int
focused_row (PlgTable *self)
{
  GtkWidget *focus = gtk_widget_get_focus_child (self->grid);

  for (int row = 0; focus != NULL && row < plg_table_get_n_rows (self); row++)
    if (gtk_widget_is_ancestor (g_ptr_array_index (self->labels, row * self->n_columns), focus))
      return row;
  return -1;
}

static void
motion_cb (PlgTable *self, double x, double y)
{
  set_pointed (self, row_at (self, y));
}

/* Highlights the focused row after the pointer has left the table or the focus has changed. */
static void
leave_cb (PlgTable *self)
{
  set_pointed (self, focused_row (self));
}

static void
pressed_cb (PlgTable *self, int n_press, double x, double y)
{
  int row = row_at (self, y);

  if (row >= 0)
    g_signal_emit (self, signals[ACTIVATED], 0, row);
}

static void
secondary_pressed_cb (PlgTable *self, int n_press, double x, double y)
{
  int row = row_at (self, y);

  if (row >= 0)
    g_signal_emit (self, signals[MENU_REQUESTED], 0, row, x, y);
}

/* Opens the menu at the start of the focused row when the Menu key is pressed. */
static gboolean
menu_cb (GtkWidget *widget, GVariant *arguments, gpointer data)
{
  PlgTable *self = PLG_TABLE (widget);
  graphene_rect_t bounds;
  int row = focused_row (self);

  if (!self->can_point || !row_bounds (self, row, &bounds))
    return FALSE;
  g_signal_emit (self, signals[MENU_REQUESTED], 0, row, (double) (bounds.origin.x + 24),
                 (double) (bounds.origin.y + bounds.size.height));
  return TRUE;
}

static gboolean
activate_cb (GtkWidget *widget, GVariant *arguments, gpointer data)
{
  PlgTable *self = PLG_TABLE (widget);
  int row = focused_row (self);

  if (!self->can_point || row < 0)
    return FALSE;
  g_signal_emit (self, signals[ACTIVATED], 0, row);
  return TRUE;
}

static void
snapshot_row (PlgTable *self, GtkSnapshot *snapshot, int row, float alpha)
{
  graphene_rect_t bounds;
  GskRoundedRect shape;
  GdkRGBA color;

  if (!row_bounds (self, row, &bounds) ||
      !gtk_style_context_lookup_color (gtk_widget_get_style_context (GTK_WIDGET (self)),
                                       "accent_bg_color", &color))
    return;
  color.alpha = alpha;
  gsk_rounded_rect_init_from_rect (&shape, &bounds, 6);
  gtk_snapshot_push_rounded_clip (snapshot, &shape);
  gtk_snapshot_append_color (snapshot, &color, &bounds);
  gtk_snapshot_pop (snapshot);
}

static void
plg_table_snapshot (GtkWidget *widget, GtkSnapshot *snapshot)
{
  PlgTable *self = PLG_TABLE (widget);

  for (int row = 0; row < plg_table_get_n_rows (self); row++)
    {
      if (row < 32 && (self->marked & (1u << row)) != 0)
        snapshot_row (self, snapshot, row, 0.25);
      if (row == self->pointed)
        snapshot_row (self, snapshot, row, 0.12);
    }
  GTK_WIDGET_CLASS (plg_table_parent_class)->snapshot (widget, snapshot);
}

void
plg_table_mark_rows (PlgTable *self, guint rows)
{
  g_return_if_fail (PLG_IS_TABLE (self));

  if (rows == self->marked)
    return;
  self->marked = rows;
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

void
plg_table_enable_pointing (PlgTable *self)
{
  g_return_if_fail (PLG_IS_TABLE (self) && self->labels->len == 0);

  if (!self->can_point)
    {
      GtkEventController *motion = gtk_event_controller_motion_new ();
      GtkEventController *focus = gtk_event_controller_focus_new ();
      GtkGesture *click = gtk_gesture_click_new (), *second = gtk_gesture_click_new ();

      g_signal_connect_swapped (motion, "enter", G_CALLBACK (motion_cb), self);
      g_signal_connect_swapped (motion, "motion", G_CALLBACK (motion_cb), self);
      g_signal_connect_swapped (motion, "leave", G_CALLBACK (leave_cb), self);
      g_signal_connect_swapped (focus, "leave", G_CALLBACK (leave_cb), self);
      g_signal_connect_swapped (click, "pressed", G_CALLBACK (pressed_cb), self);
      gtk_gesture_single_set_button (GTK_GESTURE_SINGLE (second), GDK_BUTTON_SECONDARY);
      g_signal_connect_swapped (second, "pressed", G_CALLBACK (secondary_pressed_cb), self);
      gtk_widget_add_controller (GTK_WIDGET (self), GTK_EVENT_CONTROLLER (second));
      gtk_widget_add_controller (GTK_WIDGET (self), motion);
      gtk_widget_add_controller (GTK_WIDGET (self), focus);
      gtk_widget_add_controller (GTK_WIDGET (self), GTK_EVENT_CONTROLLER (click));
    }
  self->can_point = TRUE;
}

/* Cells ---------------------------------------------------------------------------------------- */

/* The first cell of a row. This cell gets the focus for the whole row, because labels are not
 * focusable. */
#define PLG_TYPE_ROW_HEAD (plg_row_head_get_type ())
G_DECLARE_FINAL_TYPE (PlgRowHead, plg_row_head, PLG, ROW_HEAD, GtkWidget)

struct _PlgRowHead
{
  GtkWidget parent_instance;

  char *name;
  gboolean has_own_name; /* whether the name was set explicitly instead of being made from the
                            cells */
};

G_DEFINE_FINAL_TYPE (PlgRowHead, plg_row_head, GTK_TYPE_WIDGET)

static void
plg_row_head_dispose (GObject *object)
{
  GtkWidget *child = gtk_widget_get_first_child (GTK_WIDGET (object));

  g_clear_pointer (&child, gtk_widget_unparent);
  G_OBJECT_CLASS (plg_row_head_parent_class)->dispose (object);
}

static void
plg_row_head_finalize (GObject *object)
{
  g_free (PLG_ROW_HEAD (object)->name);
  G_OBJECT_CLASS (plg_row_head_parent_class)->finalize (object);
}

static void
plg_row_head_class_init (PlgRowHeadClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = plg_row_head_dispose;
  G_OBJECT_CLASS (klass)->finalize = plg_row_head_finalize;
  gtk_widget_class_set_layout_manager_type (GTK_WIDGET_CLASS (klass), GTK_TYPE_BIN_LAYOUT);
  gtk_widget_class_set_accessible_role (GTK_WIDGET_CLASS (klass), GTK_ACCESSIBLE_ROLE_ROW);
}

static void
plg_row_head_init (PlgRowHead *self)
{
  gtk_widget_set_focusable (GTK_WIDGET (self), TRUE);
}

static GtkWidget *
new_head (PlgTable *self, GtkWidget *label)
{
  GtkWidget *head = g_object_new (PLG_TYPE_ROW_HEAD, NULL);

  gtk_widget_set_parent (label, head);
  g_signal_connect_object (head, "notify::has-focus", G_CALLBACK (leave_cb), self,
                           G_CONNECT_SWAPPED);
  return head;
}

static PlgRowHead *
head_of (PlgTable *self, int row)
{
  return PLG_ROW_HEAD (gtk_widget_get_parent (g_ptr_array_index (self->labels,
                                                                 row * self->n_columns)));
}

/* Sets the accessible name. Does not send an unchanged name, because each update sends a message
 * on the accessibility bus. */
static void
set_head_name (PlgRowHead *head, const char *name)
{
  if (g_strcmp0 (name, head->name) == 0)
    return;
  g_free (head->name);
  head->name = g_strdup (name);
  gtk_accessible_update_property (GTK_ACCESSIBLE (head), GTK_ACCESSIBLE_PROPERTY_LABEL, name, -1);
}

static GtkWidget *
new_label (PlgTable *self, int column, const char *css_class)
{
  GtkWidget *label = gtk_label_new (NULL);

  gtk_label_set_xalign (GTK_LABEL (label), column < self->left ? 0 : 1);
  /* A narrow cell wraps only between words, so that numbers are not split. */
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

void
plg_table_set_n_rows (PlgTable *self, int n_rows)
{
  g_return_if_fail (PLG_IS_TABLE (self) && n_rows >= 0);

  while (plg_table_get_n_rows (self) < n_rows)
    {
      int row = plg_table_get_n_rows (self);

      for (int column = 0; column < self->n_columns; column++)
        {
          GtkWidget *label = new_label (self, column, "numeric");
          GtkWidget *cell = self->can_point && column == 0 ? new_head (self, label) : label;
          gtk_grid_attach (GTK_GRID (self->grid), cell, column, row + 1, 1, 1);
          g_ptr_array_add (self->labels, label);
        }
    }
  while (plg_table_get_n_rows (self) > n_rows)
    {
      gtk_grid_remove_row (GTK_GRID (self->grid), plg_table_get_n_rows (self));
      g_ptr_array_set_size (self->labels, self->labels->len - self->n_columns);
    }
  if (self->pointed >= n_rows)
    set_pointed (self, -1);
}

/* A word with more characters than this, such as a typed name, may be broken anywhere. An
 * unbroken long word would push other columns out of the window. */
#define LONG_WORD 40
/* The minimum number of characters per line in a cell with a word longer than LONG_WORD. The
 * cell could otherwise become too narrow, because its long word may be broken anywhere and its
 * other words may be short. */
#define LEAST_OF_LONG 12

static gboolean
contains_long_word (const char *text)
{
  gsize length;

  for (; *text != '\0'; text += length + (text[length] != '\0'))
    {
      length = strcspn (text, " ");
      if (g_utf8_strlen (text, length) > LONG_WORD)
        return TRUE;
    }
  return FALSE;
}

void
plg_table_set_cell (PlgTable *self, int row, int column, const char *text)
{
  GtkLabel *label;

  g_return_if_fail (PLG_IS_TABLE (self) && column < self->n_columns);

  if (row >= plg_table_get_n_rows (self))
    plg_table_set_n_rows (self, row + 1);
  label = g_ptr_array_index (self->labels, row * self->n_columns + column);
  if (g_strcmp0 (gtk_label_get_text (label), text) == 0)
    return;

  gboolean is_long = contains_long_word (text);

  /* Wrapping costs GTK several layouts, so labels that cannot be broken do not wrap. */
  gtk_label_set_wrap (label, is_long || strchr (text, ' ') != NULL);
  gtk_label_set_wrap_mode (label, is_long ? PANGO_WRAP_WORD_CHAR : PANGO_WRAP_WORD);
  gtk_label_set_width_chars (label, is_long ? LEAST_OF_LONG : -1);

  gtk_label_set_text (label, text);
  if (self->can_point)
    {
      /* By default, the accessible name consists of all cells. */
      PlgRowHead *head = head_of (self, row);
      GString *name;

      if (head->has_own_name)
        return;
      name = g_string_new (NULL);
      for (int i = 0; i < self->n_columns; i++)
        {
          GtkLabel *cell = g_ptr_array_index (self->labels, row * self->n_columns + i);
          g_string_append_printf (name, "%s%s", i > 0 ? ", " : "", gtk_label_get_text (cell));
        }
      set_head_name (head, name->str);
      g_string_free (name, TRUE);
    }
}

void
plg_table_set_accessible_name (PlgTable *self, int row, const char *text)
{
  g_return_if_fail (PLG_IS_TABLE (self) && self->can_point && row < plg_table_get_n_rows (self));

  head_of (self, row)->has_own_name = TRUE;
  set_head_name (head_of (self, row), text);
}

void
plg_table_set_heading (PlgTable *self, int row, gboolean heading)
{
  g_return_if_fail (PLG_IS_TABLE (self) && row < plg_table_get_n_rows (self));

  for (int column = 0; column < self->n_columns; column++)
    {
      GtkWidget *label = g_ptr_array_index (self->labels, row * self->n_columns + column);

      plg_widget_set_css_class (label, "heading", heading);
    }
}

char *
plg_table_to_text (PlgTable *self)
{
  GString *text = g_string_new (NULL);

  g_return_val_if_fail (PLG_IS_TABLE (self), g_string_free (text, FALSE));

  for (int row = 0; row <= plg_table_get_n_rows (self); row++)
    for (int column = 0; column < self->n_columns; column++)
      {
        /* Take a title from the grid, because the list of labels does not contain the titles.
         * Take a cell's label from the list, because the first cell of a row may be a row head
         * that contains the label. */
        GtkWidget *label = row == 0 ? gtk_grid_get_child_at (GTK_GRID (self->grid), column, 0)
                                    : self->labels->pdata[(row - 1) * self->n_columns + column];

        g_string_append (text, gtk_label_get_text (GTK_LABEL (label)));
        g_string_append_c (text, column + 1 < self->n_columns ? '\t' : '\n');
      }
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
  widget_class->snapshot = plg_table_snapshot;
  signals[POINTED] = g_signal_new ("row-hovered", PLG_TYPE_TABLE, G_SIGNAL_RUN_LAST, 0, NULL, NULL,
                                   NULL, G_TYPE_NONE, 1, G_TYPE_INT);
  signals[ACTIVATED] = g_signal_new ("activated", PLG_TYPE_TABLE, G_SIGNAL_RUN_LAST, 0, NULL, NULL,
                                     NULL, G_TYPE_NONE, 1, G_TYPE_INT);
  signals[MENU_REQUESTED] = g_signal_new ("menu-requested", PLG_TYPE_TABLE, G_SIGNAL_RUN_LAST, 0,
                                          NULL, NULL, NULL, G_TYPE_NONE, 3, G_TYPE_INT,
                                          G_TYPE_DOUBLE, G_TYPE_DOUBLE);
  gtk_widget_class_add_binding (widget_class, GDK_KEY_Menu, 0, menu_cb, NULL);
  gtk_widget_class_add_binding (widget_class, GDK_KEY_F10, GDK_SHIFT_MASK, menu_cb, NULL);
  gtk_widget_class_add_binding (widget_class, GDK_KEY_space, 0, activate_cb, NULL);
  gtk_widget_class_add_binding (widget_class, GDK_KEY_Return, 0, activate_cb, NULL);
  gtk_widget_class_add_binding (widget_class, GDK_KEY_KP_Enter, 0, activate_cb, NULL);
  gtk_widget_class_set_layout_manager_type (widget_class, GTK_TYPE_BIN_LAYOUT);
  gtk_widget_class_set_css_name (widget_class, "plgtable");
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_TABLE);
}

static void
plg_table_init (PlgTable *self)
{
  self->labels = g_ptr_array_new ();
  self->pointed = -1;
  self->grid = gtk_grid_new ();
  gtk_grid_set_column_spacing (GTK_GRID (self->grid), 6);
  gtk_grid_set_row_spacing (GTK_GRID (self->grid), 4);
  gtk_widget_set_parent (self->grid, GTK_WIDGET (self));
}
