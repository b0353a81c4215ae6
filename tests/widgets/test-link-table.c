/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "rig.h"

#include "engine/report/redaction.h"
#include "widgets/canvas/canvas-private.h"
#include "widgets/tables/link-list.h"
#include "widgets/tables/link-table.h"
#include "widgets/panels/panels.h"
#include "widgets/tables/pin-list.h"
#include "widgets/tables/table.h"

typedef struct
{
  PlgDocument *document;
  PlgHighlightModel *highlight_model;
} Rig;

static void
set_up (Rig *rig, gconstpointer data)
{
  rig->document = rig_document ();
  rig->highlight_model = plg_document_highlight_model (rig->document);
}

static void
tear_down (Rig *rig, gconstpointer data)
{
  g_assert_finalize_object (rig->document);
}

static const PlgReport *
report_of (const Rig *rig)
{
  return plg_document_report (rig->document);
}

static const PlgLink *
nth_link (const Rig *rig, PlgLinkList *list, guint position)
{
  g_autoptr (PlgLinkItem) item = g_list_model_get_item (G_LIST_MODEL (list), position);

  return &g_array_index (report_of (rig)->links, PlgLink, plg_link_item_index (item));
}

static double
value_of (const PlgLink *link, PlgLinkColumn column)
{
  switch (column)
    {
    case PLG_LINK_COLUMN_TIER:
      return link->tier;
    case PLG_LINK_COLUMN_CALLS:
      return link->calls;
    case PLG_LINK_COLUMN_OUT:
      return link->bytes_out;
    case PLG_LINK_COLUMN_IN:
      return link->bytes_in;
    case PLG_LINK_COLUMN_TIME:
    case PLG_LINK_COLUMN_SHARE:
      return link->time;
    case PLG_LINK_COLUMN_BANDWIDTH:
      return link->bandwidth;
    case PLG_LINK_COLUMN_LINK:
    case PLG_LINK_COLUMN_COLLECTIVES:
    default:
      return 0;
    }
}

/* Sorts by each column in both directions; the table always lists all links. */
static void
test_list_sorts (Rig *rig, gconstpointer data)
{
  g_autoptr (PlgLinkList) list = plg_link_list_new ();
  guint n = report_of (rig)->links->len;

  for (int down = 0; down < 2; down++)
    for (PlgLinkColumn column = PLG_LINK_COLUMN_LINK; column < PLG_N_LINK_COLUMNS; column++)
      {
        g_autofree gboolean *seen = g_new0 (gboolean, n);

        plg_link_list_sort (list, report_of (rig), column, down);
        g_assert_cmpuint (g_list_model_get_n_items (G_LIST_MODEL (list)), ==, n);
        for (guint i = 0; i < n; i++)
          {
            const PlgLink *link = nth_link (rig, list, i);
            const PlgLink *before = nth_link (rig, list, i > 0 ? i - 1 : 0);
            double step = value_of (link, column) - value_of (before, column);

            g_assert_true (down ? step <= 0 : step >= 0);
            seen[link - (const PlgLink *) (gconstpointer) report_of (rig)->links->data] = TRUE;
          }
        for (guint i = 0; i < n; i++)
          g_assert_true (seen[i]);
      }
}

/* A hidden number does not determine the order; a visible number or the index does. */
static void
test_list_hidden (Rig *rig, gconstpointer data)
{
  g_autoptr (PlgLinkList) list = plg_link_list_new ();
  g_autoptr (PlgReport) busy = plg_report_redact (report_of (rig), PLG_REDACT_BUSY);
  g_autoptr (PlgReport) all = plg_report_redact (report_of (rig), PLG_REDACT_COMMUNICATION);
  int n;

  plg_link_list_sort (list, busy, PLG_LINK_COLUMN_TIME, TRUE);
  g_assert_cmpfloat (nth_link (rig, list, 0)->bytes_out, >, 0);
  for (guint i = 1; i < busy->links->len; i++)
    g_assert_cmpfloat (nth_link (rig, list, i)->bytes_out, <=,
                       nth_link (rig, list, i - 1)->bytes_out);
  plg_link_list_sort (list, all, PLG_LINK_COLUMN_TIME, TRUE);
  for (int i = 0; i < (int) all->links->len; i++)
    g_assert_cmpint (plg_link_list_order (list, &n)[i], ==, i);
}

static void
count_cb (GListModel *model, guint position, guint removed, guint added, int *count)
{
  (*count)++;
}

static void
test_list_tier (Rig *rig, gconstpointer data)
{
  g_autoptr (PlgLinkList) list = plg_link_list_new ();
  int changes = 0;

  plg_link_list_sort (list, report_of (rig), PLG_LINK_COLUMN_TIME, TRUE);
  plg_link_list_set_tier (list, report_of (rig), PLG_TIER_NIC);
  g_assert_cmpuint (g_list_model_get_n_items (G_LIST_MODEL (list)), ==, 64);
  for (guint i = 0; i < 64; i++)
    g_assert_cmpint (nth_link (rig, list, i)->tier, ==, PLG_TIER_NIC);
  /* Unchanged items emit no signal. */
  g_signal_connect (list, "items-changed", G_CALLBACK (count_cb), &changes);
  plg_link_list_set_report (list, report_of (rig));
  g_assert_cmpint (changes, ==, 0);
  g_assert_cmpint (plg_link_list_position (list, 0), ==, -1);
}

static GtkColumnView *
view_of (GtkWidget *table)
{
  return GTK_COLUMN_VIEW (rig_find (table, GTK_TYPE_COLUMN_VIEW, NULL, NULL));
}

/* Returns the start of the first line below the titles. */
static char *
first_link (PlgLinkTable *table)
{
  g_autofree char *text = plg_link_table_text (table, '\t');
  g_auto (GStrv) lines = g_strsplit (text, "\n", 3);

  return g_strndup (lines[1], strcspn (lines[1], "\t"));
}

static GtkColumnViewColumn *
column_called (GtkColumnView *view, const char *title, int *position)
{
  GListModel *columns = gtk_column_view_get_columns (view);

  for (guint i = 0; i < g_list_model_get_n_items (columns); i++)
    {
      g_autoptr (GtkColumnViewColumn) column = g_list_model_get_item (columns, i);

      if (g_strcmp0 (gtk_column_view_column_get_title (column), title) == 0)
        {
          *position = i;
          return g_steal_pointer (&column);
        }
    }
  g_assert_not_reached ();
}

/* The rows follow the order of the selected column. */
static void
test_table_sorts (Rig *rig, gconstpointer data)
{
  GtkWidget *table = plg_link_table_new ();
  GtkColumnView *view = view_of (table);
  g_autoptr (GtkColumnViewColumn) tier = NULL, busy = NULL;
  int tier_position, busy_position;
  g_autofree char *busiest = NULL, *last = NULL, *first = NULL;
  GtkWindow *window;

  g_object_set (table, "document", rig->document, NULL);
  window = rig_show (table, 800, 400);
  busiest = first_link (PLG_LINK_TABLE (table));
  g_assert_true (g_str_has_prefix (busiest, "nvlink-"));
  tier = column_called (view, "Tier", &tier_position);
  /* A narrow table shows the most important columns. */
  busy = column_called (view, "Busy", &busy_position);
  g_assert_cmpint (busy_position, ==, 1);
  g_assert_cmpint (tier_position, >, 4);
  gtk_column_view_sort_by_column (view, tier, GTK_SORT_DESCENDING);
  last = first_link (PLG_LINK_TABLE (table));
  g_assert_false (g_str_has_prefix (last, "nvlink-"));
  gtk_column_view_sort_by_column (view, tier, GTK_SORT_ASCENDING);
  first = first_link (PLG_LINK_TABLE (table));
  g_assert_cmpstr (first, ==, "nvlink-0-0");
  gtk_column_view_sort_by_column (view, busy, GTK_SORT_ASCENDING);
  /* The first click on a numeric column sorts descending, the second ascending. */
  g_free (first);
  first = first_link (PLG_LINK_TABLE (table));
  g_assert_cmpstr (first, ==, busiest);
  gtk_column_view_sort_by_column (view, busy, GTK_SORT_ASCENDING);
  g_free (first);
  first = first_link (PLG_LINK_TABLE (table));
  g_assert_cmpstr (first, !=, busiest);
  gtk_column_view_sort_by_column (view, tier, GTK_SORT_ASCENDING);
  g_object_set (table, "tier", 1 + PLG_TIER_NIC, NULL);
  g_free (first);
  first = first_link (PLG_LINK_TABLE (table));
  g_assert_cmpstr (first, ==, "nic-0-0");
  rig_close (window);
}

static gboolean
press_s (GtkWidget *table, gboolean shifted)
{
  g_autoptr (GtkShortcutTrigger)
                 asked = gtk_keyval_trigger_new (GDK_KEY_s, shifted ? GDK_SHIFT_MASK : 0);
  g_autoptr (GListModel) controllers = gtk_widget_observe_controllers (table);

  for (guint i = 0; i < g_list_model_get_n_items (controllers); i++)
    {
      g_autoptr (GtkEventController) controller = g_list_model_get_item (controllers, i);
      guint n = GTK_IS_SHORTCUT_CONTROLLER (controller)
                    ? g_list_model_get_n_items (G_LIST_MODEL (controller))
                    : 0;

      for (guint k = 0; k < n; k++)
        {
          g_autoptr (GtkShortcut) shortcut = g_list_model_get_item (G_LIST_MODEL (controller), k);

          if (gtk_shortcut_trigger_equal (gtk_shortcut_get_trigger (shortcut), asked))
            return gtk_shortcut_action_activate (gtk_shortcut_get_action (shortcut),
                                                 GTK_SHORTCUT_ACTION_EXCLUSIVE, table,
                                                 gtk_shortcut_get_arguments (shortcut));
        }
    }
  return FALSE;
}

/* Returns whether the focused widget announces the order of the rows. */
static gboolean
announces_order (GtkWidget *table)
{
  GtkWidget *focus = gtk_root_get_focus (gtk_widget_get_root (table));
  g_autofree char *said = gtk_test_accessible_check_property (GTK_ACCESSIBLE (focus),
                                                              GTK_ACCESSIBLE_PROPERTY_LABEL, "");

  g_test_message ("%s: %s", G_OBJECT_TYPE_NAME (focus), said);
  return said != NULL && g_str_has_prefix (said, "Links by “");
}

/* Keys change the sorting column and direction. The focus stays in the table. */
static void
test_table_sorts_by_key (Rig *rig, gconstpointer data)
{
  GtkWidget *table = plg_link_table_new ();
  g_autofree char *busiest = NULL, *back = NULL, *least = NULL;
  GtkWindow *window;

  g_object_set (table, "document", rig->document, NULL);
  window = rig_show (table, 800, 400);
  gtk_widget_child_focus (table, GTK_DIR_TAB_FORWARD);
  gtk_widget_child_focus (table, GTK_DIR_DOWN);
  g_assert_nonnull (gtk_widget_get_focus_child (table));
  busiest = first_link (PLG_LINK_TABLE (table));
  g_assert_true (press_s (table, TRUE));
  least = first_link (PLG_LINK_TABLE (table));
  g_assert_cmpstr (least, !=, busiest);
  for (int i = 0; i < PLG_N_LINK_COLUMNS; i++)
    {
      g_assert_true (press_s (table, FALSE));
      rig_next_frame (table);
      g_assert_nonnull (gtk_widget_get_focus_child (table));
      g_assert_true (announces_order (table));
    }
  back = first_link (PLG_LINK_TABLE (table));
  g_assert_cmpstr (back, ==, busiest);
  rig_close (window);
}

/* The selected row and the highlighted link are the same; a change of the plan keeps both. */
static void
test_table_highlights_link (Rig *rig, gconstpointer data)
{
  GtkWidget *table = plg_link_table_new ();
  GtkSingleSelection *selection;
  GtkWindow *window;
  PlgEntity entity;
  int pins;

  g_object_set (table, "document", rig->document, NULL);
  window = rig_show (table, 800, 400);
  selection = GTK_SINGLE_SELECTION (gtk_column_view_get_model (view_of (table)));
  g_assert_cmpuint (gtk_single_selection_get_selected (selection), ==, GTK_INVALID_LIST_POSITION);
  gtk_single_selection_set_selected (selection, 5);
  entity = plg_highlight_model_hovered (rig->highlight_model);
  g_assert_cmpint (entity.kind, ==, PLG_ENTITY_LINK);
  g_signal_emit_by_name (view_of (table), "activate", 5);
  plg_highlight_model_entities (rig->highlight_model, NULL, &pins);
  g_assert_cmpint (pins, ==, 1);
  plg_highlight_model_set_hovered (rig->highlight_model,
                                   (PlgEntity) { .kind = PLG_ENTITY_LINK, .index = 70 });
  g_assert_cmpint (plg_link_item_index (gtk_single_selection_get_selected_item (selection)), ==,
                   70);
  g_assert_true (plg_document_set (rig->document, "training.global-batch", "128", NULL));
  rig_next_frame (table);
  g_assert_cmpint (plg_highlight_model_hovered (rig->highlight_model).index, ==, 70);
  rig_close (window);
}

/* Visible cells show the current plan. */
static gboolean
has_text (GtkWidget *widget, gpointer text)
{
  return strcmp (gtk_label_get_text (GTK_LABEL (widget)), text) == 0;
}

static void
test_table_follows_plan (Rig *rig, gconstpointer data)
{
  GtkWidget *table = plg_link_table_new ();
  GtkWindow *window;

  g_object_set (table, "document", rig->document, NULL);
  window = rig_show (table, 900, 400);
  g_assert_null (rig_find (table, GTK_TYPE_LABEL, has_text, (gpointer) "225\u00a0GB/s"));
  g_assert_true (plg_document_set (rig->document, "cluster.faults", "port:0=0.5", NULL));
  rig_until (rig_find (table, GTK_TYPE_LABEL, has_text, (gpointer) "225\u00a0GB/s") != NULL);
  rig_close (window);
}

static gboolean
paint_cb (gpointer unused)
{
  return G_SOURCE_CONTINUE;
}

/* Revealed numbers appear together with the answer, even during painting. */
static void
test_table_while_painting (Rig *rig, gconstpointer data)
{
  GtkWidget *table = plg_link_table_new ();
  GtkWindow *window;
  guint painting;

  g_object_set (table, "document", rig->document, NULL);
  window = rig_show (table, 900, 400);
  g_assert_null (rig_find (table, GTK_TYPE_LABEL, has_text, (gpointer) "–"));
  plg_document_set_policy (rig->document,
                           &(PlgEditPolicy) { .redaction = PLG_REDACT_COMMUNICATION });
  rig_until (rig_find (table, GTK_TYPE_LABEL, has_text, (gpointer) "–") != NULL);
  painting = g_idle_add_full (GDK_PRIORITY_REDRAW, paint_cb, NULL, NULL);
  plg_document_set_policy (rig->document, NULL);
  rig_until (rig_find (table, GTK_TYPE_LABEL, has_text, (gpointer) "–") == NULL);
  g_source_remove (painting);
  rig_close (window);
}

/* Tab leaves the table from any row. */
static void
test_table_tab (Rig *rig, gconstpointer data)
{
  GtkWidget *table = plg_link_table_new ();
  GtkWindow *window;

  g_object_set (table, "document", rig->document, NULL);
  window = rig_show (table, 800, 400);
  gtk_window_set_focus (window, NULL);
  g_assert_true (gtk_widget_child_focus (table, GTK_DIR_TAB_FORWARD));
  g_assert_nonnull (gtk_widget_get_focus_child (table));
  g_assert_false (gtk_widget_child_focus (table, GTK_DIR_TAB_FORWARD));
  g_assert_false (gtk_widget_child_focus (table, GTK_DIR_TAB_BACKWARD));
  g_assert_true (gtk_widget_child_focus (table, GTK_DIR_DOWN));
  rig_close (window);
}

/* Pins are listed by name, each with a button to unpin. */
static void
test_pin_list (Rig *rig, gconstpointer data)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0), *pins = plg_pin_list_new ();
  GtkWidget *button;
  GtkWindow *window;

  gtk_box_append (GTK_BOX (box), gtk_label_new ("-"));
  gtk_box_append (GTK_BOX (box), pins);
  plg_pin_list_set_document (PLG_PIN_LIST (pins), rig->document);
  window = rig_show (box, 600, 200);
  g_assert_false (gtk_widget_get_visible (pins));
  plg_highlight_model_toggle (rig->highlight_model,
                              (PlgEntity) { .kind = PLG_ENTITY_LINK, .index = 0 });
  plg_highlight_model_toggle (rig->highlight_model,
                              (PlgEntity) { .kind = PLG_ENTITY_COLLECTIVE, .index = 1 });
  g_assert_true (gtk_widget_get_visible (pins));
  g_assert_nonnull (rig_find (pins, GTK_TYPE_LABEL, has_text,
                              (gpointer) "NVLink from GPU 0 of node 0 to its switch"));
  g_assert_nonnull (rig_find (pins, GTK_TYPE_LABEL, has_text, (gpointer) "TP reduce-scatter"));
  button = rig_find (pins, GTK_TYPE_BUTTON, NULL, NULL);
  g_signal_emit_by_name (button, "clicked");
  g_assert_null (rig_find (pins, GTK_TYPE_LABEL, has_text,
                           (gpointer) "NVLink from GPU 0 of node 0 to its switch"));
  g_assert_true (rig_press (pins, GDK_KEY_Escape, 0));
  g_assert_false (gtk_widget_get_visible (pins));
  g_assert_false (plg_highlight_model_unpin_all (rig->highlight_model));
  rig_close (window);
}

static gboolean
can_be_pointed_at (GtkWidget *widget, gpointer data)
{
  return gtk_widget_get_mapped (widget) && plg_table_get_n_rows (PLG_TABLE (widget)) == 6;
}

/* A row of the communication table highlights its links, by pointer and by keys. */
static void
test_panel_rows (Rig *rig, gconstpointer data)
{
  GtkWidget *panels = g_object_new (PLG_TYPE_PANELS, NULL), *table;
  GtkWindow *window;

  plg_panels_set_document (PLG_PANELS (panels), rig->document);
  window = rig_show (panels, 360, 1600);
  g_assert_cmpuint (report_of (rig)->collectives->len, ==, 6);
  table = rig_find (panels, g_type_from_name ("PlgTable"), can_be_pointed_at, NULL);
  g_assert_nonnull (table);
  g_signal_emit_by_name (table, "row-hovered", 3);
  g_assert_cmpint (plg_highlight_model_hovered (rig->highlight_model).kind, ==,
                   PLG_ENTITY_COLLECTIVE);
  g_assert_cmpint (plg_highlight_model_hovered (rig->highlight_model).index, ==, 3);
  g_signal_emit_by_name (table, "activated", 3);
  g_assert_true (plg_highlight_model_is_pinned (rig->highlight_model,
                                                (PlgEntity) { .kind = PLG_ENTITY_COLLECTIVE,
                                                              .index = 3 }));
  g_signal_emit_by_name (table, "row-hovered", -1);
  g_assert_cmpint (plg_highlight_model_hovered (rig->highlight_model).kind, ==, PLG_ENTITY_NONE);
  /* Tab focuses the first row, and an arrow key the next. */
  gtk_widget_child_focus (table, GTK_DIR_TAB_FORWARD);
  g_assert_cmpint (plg_highlight_model_hovered (rig->highlight_model).index, ==, 0);
  gtk_widget_child_focus (table, GTK_DIR_DOWN);
  g_assert_cmpint (plg_highlight_model_hovered (rig->highlight_model).index, ==, 1);
  rig_close (window);
}

static PlgCanvas *
show_canvas (Rig *rig, GtkWindow **window)
{
  PlgCanvas *canvas = PLG_CANVAS (plg_canvas_new ());

  g_object_set (canvas, "document", rig->document, NULL);
  *window = rig_show (GTK_WIDGET (canvas), 1000, 760);
  return canvas;
}

static void
click (PlgCanvas *canvas, PlgEntity entity)
{
  const PlgShape *shape = plg_figure_find_entity (plg_canvas_figure (canvas), entity);
  GtkEventController *gesture = rig_controller (GTK_WIDGET (canvas), GTK_TYPE_GESTURE_CLICK);
  double x, y;

  g_assert_nonnull (shape);
  plg_canvas_to_widget (canvas, shape->rect.x + shape->rect.width / 2,
                        shape->rect.y + shape->rect.height / 2, &x, &y);
  g_signal_emit_by_name (gesture, "pressed", 1, x, y);
  g_signal_emit_by_name (gesture, "released", 1, x, y);
}

/* A click pins, another click unpins, and Escape removes all pins. */
static void
test_click_pins (Rig *rig, gconstpointer data)
{
  PlgEntity gpu = { .kind = PLG_ENTITY_GPU, .index = 9 };
  PlgEntity link = { .kind = PLG_ENTITY_LINK, .index = 2 };
  GtkWindow *window;
  PlgCanvas *canvas = show_canvas (rig, &window);

  click (canvas, gpu);
  g_assert_true (plg_highlight_model_is_pinned (rig->highlight_model, gpu));
  click (canvas, link);
  g_assert_true (plg_highlight_model_is_pinned (rig->highlight_model, link));
  g_assert_nonnull (plg_figure_find (plg_canvas_figure (canvas), "pin-1"));
  g_assert_nonnull (plg_figure_find (plg_canvas_figure (canvas), "pin-2"));
  click (canvas, gpu);
  g_assert_false (plg_highlight_model_is_pinned (rig->highlight_model, gpu));
  g_assert_null (plg_figure_find (plg_canvas_figure (canvas), "pin-2"));
  rig_close (window);
}

/* After a click on a link the cluster handles keys. */
static void
test_click_takes_focus (Rig *rig, gconstpointer data)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0), *spin, *canvas = plg_canvas_new ();
  PlgEntity link = { .kind = PLG_ENTITY_LINK, .index = 2 };
  const PlgLink *clicked = &g_array_index (report_of (rig)->links, PlgLink, link.index);
  GtkWindow *window;

  spin = gtk_spin_button_new_with_range (1, 64, 1);
  gtk_widget_set_vexpand (canvas, TRUE);
  gtk_box_append (GTK_BOX (box), spin);
  gtk_box_append (GTK_BOX (box), canvas);
  g_object_set (canvas, "document", rig->document, NULL);
  window = rig_show (box, 1000, 760);
  gtk_widget_grab_focus (spin);
  g_assert_null (gtk_widget_get_focus_child (canvas));
  click (PLG_CANVAS (canvas), link);
  g_assert_nonnull (gtk_widget_get_focus_child (canvas));
  g_assert_cmpint (plg_canvas_focused (PLG_CANVAS (canvas)), ==,
                   plg_canvas_gpu_of_link (PLG_CANVAS (canvas), clicked));
  g_assert_cmpint (plg_canvas_focused (PLG_CANVAS (canvas)), !=, 0);
  /* A click on a node or on the background also focuses the cluster. */
  gtk_widget_grab_focus (spin);
  click (PLG_CANVAS (canvas), (PlgEntity) { .kind = PLG_ENTITY_NODE, .index = 3 });
  g_assert_cmpint (plg_canvas_focused (PLG_CANVAS (canvas)) / 8, ==, 3);
  gtk_widget_grab_focus (spin);
  g_signal_emit_by_name (rig_controller (canvas, GTK_TYPE_GESTURE_CLICK), "pressed", 1, 3.0, 3.0);
  g_assert_nonnull (gtk_widget_get_focus_child (canvas));
  rig_close (window);
}

/* The highlight of a row lasts until Escape, until the focus leaves the table or until another
 * page. */
static void
test_table_clears_highlight (Rig *rig, gconstpointer data)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0), *table = plg_link_table_new ();
  GtkWidget *button = gtk_button_new_with_label ("-");
  GtkEventController *focus = gtk_event_controller_focus_new ();
  GtkSingleSelection *selection;
  GtkWindow *window;

  g_object_set (table, "document", rig->document, "vexpand", TRUE, NULL);
  g_signal_connect_swapped (focus, "leave", G_CALLBACK (plg_link_table_clear_highlight), table);
  gtk_widget_add_controller (table, focus);
  gtk_box_append (GTK_BOX (box), button);
  gtk_box_append (GTK_BOX (box), table);
  window = rig_show (box, 800, 400);
  selection = GTK_SINGLE_SELECTION (gtk_column_view_get_model (view_of (table)));
  for (int how = 0; how < 3; how++)
    {
      if (how < 2)
        gtk_widget_child_focus (table, GTK_DIR_TAB_FORWARD);
      gtk_single_selection_set_selected (selection, 5 + how);
      g_assert_cmpint (plg_highlight_model_hovered (rig->highlight_model).kind, ==,
                       PLG_ENTITY_LINK);
      if (how == 0)
        g_assert_true (rig_press (table, GDK_KEY_Escape, 0));
      if (how == 1)
        gtk_widget_grab_focus (button);
      if (how == 2)
        gtk_widget_set_visible (table, FALSE);
      g_assert_cmpint (plg_highlight_model_hovered (rig->highlight_model).kind, ==,
                       PLG_ENTITY_NONE);
    }
  /* The table keeps a highlight that another widget has set. */
  gtk_widget_set_visible (table, TRUE);
  plg_highlight_model_set_hovered (rig->highlight_model,
                                   (PlgEntity) { .kind = PLG_ENTITY_LINK, .index = 70 });
  gtk_widget_set_visible (table, FALSE);
  g_assert_cmpint (plg_highlight_model_hovered (rig->highlight_model).index, ==, 70);
  rig_close (window);
}

/* Sorting scrolls to the top and clears the highlight of the selected row, by titles and by
 * keys. */
static void
test_sorting_clears_highlight (Rig *rig, gconstpointer data)
{
  GtkWidget *table = plg_link_table_new ();
  g_autoptr (GtkColumnViewColumn) calls = NULL;
  GtkSingleSelection *selection;
  GtkWindow *window;
  int position;

  g_object_set (table, "document", rig->document, NULL);
  window = rig_show (table, 800, 400);
  calls = column_called (view_of (table), "Calls", &position);
  selection = GTK_SINGLE_SELECTION (gtk_column_view_get_model (view_of (table)));
  for (int by_keys = 0; by_keys < 2; by_keys++)
    {
      gtk_widget_child_focus (table, GTK_DIR_TAB_FORWARD);
      gtk_single_selection_set_selected (selection, 5);
      g_assert_cmpint (plg_highlight_model_hovered (rig->highlight_model).kind, ==,
                       PLG_ENTITY_LINK);
      if (by_keys)
        g_assert_true (press_s (table, TRUE));
      else
        gtk_column_view_sort_by_column (view_of (table), calls, GTK_SORT_ASCENDING);
      g_assert_cmpint (plg_highlight_model_hovered (rig->highlight_model).kind, ==,
                       PLG_ENTITY_NONE);
      g_assert_cmpuint (gtk_single_selection_get_selected (selection), ==,
                        GTK_INVALID_LIST_POSITION);
    }
  rig_close (window);
}

/* A title wider than its numbers, as in other languages, has room for the sort arrow. */
static void
test_table_arrow (Rig *rig, gconstpointer data)
{
  GtkWidget *table = plg_link_table_new ();
  g_autoptr (GtkColumnViewColumn) calls = NULL, busy = NULL;
  g_autoptr (GtkCssProvider) style = gtk_css_provider_new ();
  g_autofree char *path = g_test_build_filename (G_TEST_DIST, "..", "ui", "style.css", NULL);
  GtkStyleProvider *provider = GTK_STYLE_PROVIDER (style);
  GtkWindow *window;
  int position, width;

  gtk_css_provider_load_from_path (style, path);
  gtk_style_context_add_provider_for_display (gdk_display_get_default (), provider,
                                              GTK_STYLE_PROVIDER_PRIORITY_APPLICATION);
  calls = column_called (view_of (table), "Calls", &position);
  busy = column_called (view_of (table), "Busy", &position);
  gtk_column_view_column_set_title (calls, "Invocations");
  g_object_set (table, "document", rig->document, NULL);
  window = rig_show (table, 800, 400);
  gtk_column_view_sort_by_column (view_of (table), busy, GTK_SORT_DESCENDING);
  for (int frame = 0; frame < 6; frame++)
    rig_next_frame (table);
  width = gtk_column_view_column_get_fixed_width (calls);
  gtk_column_view_sort_by_column (view_of (table), calls, GTK_SORT_DESCENDING);
  rig_until (gtk_column_view_column_get_fixed_width (calls) >= width + 10);
  rig_close (window);
  gtk_style_context_remove_provider_for_display (gdk_display_get_default (), provider);
}

/* Returns the visible width of a column that is cut off, or 0. */
static double
cut_column (GtkWidget *table)
{
  GtkWidget *title =
      gtk_widget_get_first_child (gtk_widget_get_first_child (GTK_WIDGET (view_of (table))));
  float room = gtk_widget_get_width (table);
  graphene_rect_t bounds;

  for (; title != NULL; title = gtk_widget_get_next_sibling (title))
    if (gtk_widget_compute_bounds (title, table, &bounds) && bounds.origin.x < room - 1 &&
        bounds.origin.x + bounds.size.width > room + 1)
      return room - bounds.origin.x;
  return 0;
}

/* A column that does not fit starts outside the visible area. */
static void
test_table_whole_columns (Rig *rig, gconstpointer data)
{
  static const int widths[] = { 480, 520, 560, 600, 640, 700, 800 };

  for (guint i = 0; i < G_N_ELEMENTS (widths); i++)
    {
      GtkWidget *table = plg_link_table_new ();
      GtkWindow *window;

      g_object_set (table, "document", rig->document, NULL);
      window = rig_show (table, widths[i], 400);
      rig_until (cut_column (table) == 0);
      rig_close (window);
    }
}

static void
append_texts (GtkWidget *widget, GString *texts)
{
  if (GTK_IS_LABEL (widget))
    g_string_append_printf (texts, "%s\n", gtk_label_get_text (GTK_LABEL (widget)));
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    append_texts (child, texts);
}

static gboolean
still_says (GtkWidget *widget, const char *before)
{
  g_autoptr (GString) texts = g_string_new (NULL);

  append_texts (widget, texts);
  return strcmp (texts->str, before) == 0;
}

/* During a drag with a new plan in each frame, the table is updated regularly. */
static void
test_table_in_a_drag (Rig *rig, gconstpointer data)
{
  GtkWidget *table = plg_link_table_new ();
  g_autoptr (GString) before = g_string_new (NULL);
  GtkWindow *window;

  g_object_set (table, "document", rig->document, NULL);
  window = rig_show (table, 800, 400);
  append_texts (table, before);
  for (int frame = 0; still_says (table, before->str); frame++)
    {
      g_autoptr (PlgPlan) plan = plg_plan_copy (plg_document_committed_plan (rig->document));

      plan->training.sequence = frame % 2 == 0 ? 4096 : 2048;
      g_assert_true (plg_document_preview (rig->document, plan));
      rig_next_frame (table);
      g_assert_cmpint (frame, <, 500);
    }
  plg_document_preview (rig->document, NULL);
  rig_until (still_says (table, before->str));
  rig_close (window);
}

/* L moves through the links of a GPU, P pins the highlighted link. */
static void
test_keys (Rig *rig, gconstpointer data)
{
  GtkWindow *window;
  GtkWidget *canvas = GTK_WIDGET (show_canvas (rig, &window));
  PlgEntity first, entity;

  gtk_widget_child_focus (canvas, GTK_DIR_TAB_FORWARD);
  g_assert_true (gtk_widget_activate_action (canvas, "canvas.next-link", NULL));
  first = plg_highlight_model_hovered (rig->highlight_model);
  g_assert_cmpint (first.kind, ==, PLG_ENTITY_LINK);
  g_assert_cmpint (g_array_index (report_of (rig)->links, PlgLink, first.index).node, ==, 0);
  gtk_widget_activate_action (canvas, "canvas.next-link", NULL);
  entity = plg_highlight_model_hovered (rig->highlight_model);
  g_assert_cmpint (entity.index, !=, first.index);
  gtk_widget_activate_action (canvas, "canvas.pin", NULL);
  g_assert_true (plg_highlight_model_is_pinned (rig->highlight_model, entity));
  gtk_widget_activate_action (canvas, "canvas.previous-link", NULL);
  g_assert_cmpint (plg_highlight_model_hovered (rig->highlight_model).index, ==, first.index);
  gtk_widget_child_focus (canvas, GTK_DIR_RIGHT);
  g_assert_cmpint (plg_highlight_model_hovered (rig->highlight_model).kind, ==, PLG_ENTITY_NONE);
  gtk_widget_activate_action (canvas, "canvas.pin", NULL);
  g_assert_true (plg_highlight_model_is_pinned (rig->highlight_model,
                                                (PlgEntity) { .kind = PLG_ENTITY_GPU,
                                                              .index = 1 }));
  rig_close (window);
}

int
main (int argc, char **argv)
{
  if (!rig_init (&argc, &argv))
    return 0;
#define ADD(name, function) g_test_add ("/link-table/" name, Rig, NULL, set_up, function, tear_down)
  ADD ("list-sorts", test_list_sorts);
  ADD ("list-hidden", test_list_hidden);
  ADD ("list-tier", test_list_tier);
  ADD ("table-sorts", test_table_sorts);
  ADD ("table-sorts-by-key", test_table_sorts_by_key);
  ADD ("table-highlights-link", test_table_highlights_link);
  ADD ("table-follows-plan", test_table_follows_plan);
  ADD ("table-while-painting", test_table_while_painting);
  ADD ("table-tab", test_table_tab);
  ADD ("pin-list", test_pin_list);
  ADD ("panel-rows", test_panel_rows);
  ADD ("click-pins", test_click_pins);
  ADD ("click-takes-focus", test_click_takes_focus);
  ADD ("table-clears-highlight", test_table_clears_highlight);
  ADD ("sorting-clears-highlight", test_sorting_clears_highlight);
  ADD ("table-whole-columns", test_table_whole_columns);
  ADD ("table-arrow", test_table_arrow);
  ADD ("table-in-a-drag", test_table_in_a_drag);
  ADD ("keys", test_keys);
#undef ADD
  return g_test_run ();
}
