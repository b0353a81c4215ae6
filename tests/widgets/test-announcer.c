/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "rig.h"

#include "widgets/announcer.h"
#include "widgets/accessible-names.h"

#include <string.h>

/* An announcement is heard on the focused widget and ends afterwards. */
typedef struct
{
  PlgDocument *document;
  GtkWidget *canvas;
  GtkWidget *spin;
  GtkWidget *choice;
  GtkWidget *menu;
  GtkWidget *item;
  GtkWindow *window;
} Rig;

static void
set_up (Rig *rig, gconstpointer data)
{
  static const char *const choices[] = { "one", "two", NULL };
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  GtkWidget *popover = gtk_popover_new ();

  rig->document = rig_document ();
  rig->canvas = g_object_new (PLG_TYPE_CANVAS, "document", rig->document, "vexpand", TRUE, NULL);
  rig->spin = gtk_spin_button_new_with_range (0, 9, 1);
  rig->choice = gtk_drop_down_new_from_strings (choices);
  plg_accessible_name_drop_down (rig->choice, "Choice");
  rig->menu = gtk_menu_button_new ();
  rig->item = gtk_button_new_with_label ("item");
  gtk_popover_set_child (GTK_POPOVER (popover), rig->item);
  gtk_menu_button_set_popover (GTK_MENU_BUTTON (rig->menu), popover);
  gtk_box_append (GTK_BOX (box), rig->canvas);
  gtk_box_append (GTK_BOX (box), rig->spin);
  gtk_box_append (GTK_BOX (box), rig->choice);
  gtk_box_append (GTK_BOX (box), rig->menu);
  rig->window = rig_show (box, 900, 700);
}

static void
tear_down (Rig *rig, gconstpointer data)
{
  rig_close (rig->window);
  g_assert_finalize_object (rig->document);
}

static void
assert_described (GtkWidget *widget, const char *words)
{
  g_autofree char *other = gtk_test_accessible_check_property (GTK_ACCESSIBLE (widget),
                                                               GTK_ACCESSIBLE_PROPERTY_DESCRIPTION,
                                                               words);

  g_assert_cmpstr (other, ==, NULL);
}

static void
assert_silent (GtkWidget *widget)
{
  g_autofree char *words = gtk_test_accessible_check_property (GTK_ACCESSIBLE (widget),
                                                               GTK_ACCESSIBLE_PROPERTY_DESCRIPTION,
                                                               "");

  g_assert_true (words == NULL || strcmp (words, "undefined") == 0);
}

/* An entry announces, not its text widget. */
static void
test_entry (Rig *rig, gconstpointer data)
{
  gtk_widget_grab_focus (rig->spin);
  plg_announcer_announce (rig->window, "Picture copied");
  assert_described (rig->spin, "Picture copied");
  plg_announcer_announce (rig->window, "Table copied");
  assert_described (rig->spin, "Table copied");
  plg_announcer_clear (rig->window, "Table copied");
  assert_silent (rig->spin);
}

/* A description follows the announcement. */
static void
test_choice (Rig *rig, gconstpointer data)
{
  GtkWidget *button = gtk_widget_get_first_child (rig->choice);

  gtk_widget_grab_focus (rig->choice);
  assert_described (button, "one");
  plg_announcer_announce (rig->window, "Picture copied");
  assert_described (button, "Picture copied. one");
  gtk_drop_down_set_selected (GTK_DROP_DOWN (rig->choice), 1);
  assert_described (button, "Picture copied. two");
  plg_announcer_clear (rig->window, "Picture copied");
  assert_described (button, "two");
}

/* An announcement ends when the focus moves, and does not return with the focus. */
static void
test_focus_moves (Rig *rig, gconstpointer data)
{
  gtk_widget_grab_focus (rig->spin);
  plg_announcer_announce (rig->window, "Picture copied");
  gtk_widget_grab_focus (rig->choice);
  assert_described (gtk_widget_get_first_child (rig->choice), "one");
  assert_silent (rig->spin);
}

/* After a menu closes, the next focused widget announces the result. */
static void
test_menu (Rig *rig, gconstpointer data)
{
  gtk_widget_grab_focus (rig->menu);
  gtk_menu_button_popup (GTK_MENU_BUTTON (rig->menu));
  rig_until (gtk_widget_get_mapped (rig->item));
  gtk_widget_grab_focus (rig->item);
  plg_announcer_announce (rig->window, "Picture copied");
  gtk_menu_button_popdown (GTK_MENU_BUTTON (rig->menu));
  rig_until (!gtk_widget_get_mapped (rig->item));
  gtk_widget_grab_focus (rig->spin);
  assert_described (rig->spin, "Picture copied");
}

/* The name of a canvas cell includes the announcement and is restored afterwards. */
static void
test_cell (Rig *rig, gconstpointer data)
{
  GtkWidget *cell;

  gtk_widget_grab_focus (rig->canvas);
  cell = gtk_widget_get_focus_child (rig->canvas);
  g_assert_nonnull (cell);
  plg_announcer_announce (rig->window, "Picture copied");
  gtk_test_accessible_assert_property (GTK_ACCESSIBLE (cell), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                       "Node 0 GPU 0, rank 0. Picture copied");
  plg_announcer_clear (rig->window, "Picture copied");
  gtk_test_accessible_assert_property (GTK_ACCESSIBLE (cell), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                       "Node 0 GPU 0, rank 0");
  plg_canvas_announce (PLG_CANVAS (rig->canvas), "Given up");
  gtk_widget_grab_focus (rig->spin);
  gtk_widget_grab_focus (rig->canvas);
  gtk_test_accessible_assert_property (GTK_ACCESSIBLE (cell), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                       "Node 0 GPU 0, rank 0");
}

/* After the menu of a cell closes, the cell announces the result. */
static void
test_cell_and_back (Rig *rig, gconstpointer data)
{
  GtkWidget *cell;

  gtk_widget_grab_focus (rig->canvas);
  cell = gtk_widget_get_focus_child (rig->canvas);
  plg_canvas_announce (PLG_CANVAS (rig->canvas), "GPU 0 runs at half");
  gtk_window_set_focus (rig->window, NULL);
  gtk_widget_grab_focus (cell);
  gtk_test_accessible_assert_property (GTK_ACCESSIBLE (cell), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                       "Node 0 GPU 0, rank 0. GPU 0 runs at half");
  gtk_window_set_focus (rig->window, NULL);
  gtk_widget_grab_focus (rig->spin);
  gtk_widget_grab_focus (cell);
  gtk_test_accessible_assert_property (GTK_ACCESSIBLE (cell), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                       "Node 0 GPU 0, rank 0");
}

/* An announcement ends with its toast, but a newer announcement stays. */
static void
test_newer_announcement (Rig *rig, gconstpointer data)
{
  gtk_widget_grab_focus (rig->spin);
  plg_announcer_announce (rig->window, "Picture copied");
  plg_announcer_announce (rig->window, "Table copied");
  plg_announcer_clear (rig->window, "Picture copied");
  assert_described (rig->spin, "Table copied");
}

/* An announcement without a focus is not repeated for a later focus. */
static void
test_no_focus (Rig *rig, gconstpointer data)
{
  gtk_widget_grab_focus (rig->spin);
  plg_canvas_announce (PLG_CANVAS (rig->canvas), "Given up");
  gtk_widget_grab_focus (rig->canvas);
  gtk_test_accessible_assert_property (GTK_ACCESSIBLE (gtk_widget_get_focus_child (rig->canvas)),
                                       GTK_ACCESSIBLE_PROPERTY_LABEL, "Node 0 GPU 0, rank 0");
}

int
main (int argc, char **argv)
{
  if (!rig_init (&argc, &argv))
    return 0;
#define ADD(name, function) g_test_add ("/announcer/" name, Rig, NULL, set_up, function, tear_down)
  ADD ("entry", test_entry);
  ADD ("choice", test_choice);
  ADD ("focus-moves", test_focus_moves);
  ADD ("menu", test_menu);
  ADD ("cell", test_cell);
  ADD ("cell-and-back", test_cell_and_back);
  ADD ("newer-announcement", test_newer_announcement);
  ADD ("no-focus", test_no_focus);
#undef ADD
  return g_test_run ();
}
