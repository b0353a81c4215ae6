/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "widgets/inspector/order-menu.h"

#include "widgets/accessible-names.h"

#include <glib/gi18n-lib.h>

/* The maximum height as a fraction of the window height, so that the menu stays on screen. */
#define MAX_HEIGHT_SHARE 0.42

struct _PlgOrderMenu
{
  GtkPopover parent_instance;

  GtkWidget *list;
  GtkWidget *scroller;
};

G_DEFINE_FINAL_TYPE (PlgOrderMenu, plg_order_menu, GTK_TYPE_POPOVER)

enum
{
  CHOSEN,
  N_SIGNALS,
};

static guint signals[N_SIGNALS];

static const PlgOrderPreset *
preset_of (GtkListBoxRow *row)
{
  int n;

  return &plg_order_presets (&n)[gtk_list_box_row_get_index (row)];
}

static void
row_activated_cb (PlgOrderMenu *self, GtkListBoxRow *row)
{
  gtk_popover_popdown (GTK_POPOVER (self));
  g_signal_emit (self, signals[CHOSEN], 0, preset_of (row)->name);
}

static GtkWidget *
new_label (const char *text, const char *css_class, gboolean wraps)
{
  GtkWidget *label = gtk_label_new (text);

  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_label_set_wrap (GTK_LABEL (label), wraps);
  gtk_label_set_max_width_chars (GTK_LABEL (label), 46);
  gtk_widget_add_css_class (label, css_class);
  return label;
}

/* Shows the menu at the height that its wrapped labels need, up to MAX_HEIGHT_SHARE. A popover
 * would otherwise use the height of the unwrapped labels. */
static void
plg_order_menu_show (GtkWidget *widget)
{
  PlgOrderMenu *self = PLG_ORDER_MENU (widget);
  GtkWidget *window = GTK_WIDGET (gtk_widget_get_root (widget));
  int width, height;

  gtk_widget_measure (self->list, GTK_ORIENTATION_HORIZONTAL, -1, NULL, &width, NULL, NULL);
  gtk_widget_measure (self->list, GTK_ORIENTATION_VERTICAL, width, NULL, &height, NULL, NULL);
  if (window != NULL)
    height = MIN (height, (int) (MAX_HEIGHT_SHARE * gtk_widget_get_height (window)));
  gtk_scrolled_window_set_min_content_height (GTK_SCROLLED_WINDOW (self->scroller), height);
  GTK_WIDGET_CLASS (plg_order_menu_parent_class)->show (widget);
}

static void
plg_order_menu_class_init (PlgOrderMenuClass *klass)
{
  GTK_WIDGET_CLASS (klass)->show = plg_order_menu_show;
  signals[CHOSEN] = g_signal_new ("chosen", PLG_TYPE_ORDER_MENU, G_SIGNAL_RUN_LAST, 0, NULL, NULL,
                                  NULL, G_TYPE_NONE, 1, G_TYPE_STRING);
}

static void
plg_order_menu_init (PlgOrderMenu *self)
{
  int n;
  const PlgOrderPreset *presets = plg_order_presets (&n);
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 6);

  self->list = gtk_list_box_new ();
  gtk_list_box_set_selection_mode (GTK_LIST_BOX (self->list), GTK_SELECTION_NONE);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->list), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _ ("Nesting orders of training programs"), -1);
  for (int i = 0; i < n; i++)
    {
      const PlgOrderPreset *preset = &presets[i];
      GtkWidget *row = gtk_list_box_row_new ();
      GtkWidget *row_box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 2);
      GtkWidget *top = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 12);
      GtkWidget *title = new_label (preset->title, "heading", FALSE);
      g_autofree char *order = plg_order_title (preset->order, NULL);
      g_autofree char *name = g_strdup_printf ("%s: %s. %s", preset->title, order,
                                               _ (preset->reason));

      gtk_widget_set_hexpand (title, TRUE);
      gtk_box_append (GTK_BOX (top), title);
      gtk_box_append (GTK_BOX (top), new_label (order, "numeric", FALSE));
      gtk_box_append (GTK_BOX (top), gtk_image_new_from_icon_name ("object-select-symbolic"));
      gtk_box_append (GTK_BOX (row_box), top);
      gtk_box_append (GTK_BOX (row_box), new_label (_ (preset->reason), "dim-label", TRUE));
      gtk_widget_add_css_class (row_box, "preset");
      gtk_widget_set_tooltip_text (row, preset->source);
      gtk_list_box_row_set_child (GTK_LIST_BOX_ROW (row), row_box);
      gtk_accessible_update_property (GTK_ACCESSIBLE (row), GTK_ACCESSIBLE_PROPERTY_LABEL, name,
                                      -1);
      gtk_list_box_append (GTK_LIST_BOX (self->list), row);
    }
  g_signal_connect_object (self->list, "row-activated", G_CALLBACK (row_activated_cb), self,
                           G_CONNECT_SWAPPED);
  gtk_widget_add_css_class (GTK_WIDGET (self), "menu");
  self->scroller = gtk_scrolled_window_new ();
  gtk_scrolled_window_set_policy (GTK_SCROLLED_WINDOW (self->scroller), GTK_POLICY_NEVER,
                                  GTK_POLICY_AUTOMATIC);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (self->scroller), self->list);
  gtk_box_append (GTK_BOX (box), self->scroller);

  GtkWidget *button = gtk_button_new_with_mnemonic (_ ("_Compare Orders…"));

  gtk_actionable_set_action_name (GTK_ACTIONABLE (button), "win.compare-orders");
  gtk_widget_add_css_class (button, "flat");
  plg_accessible_name_buttons (button);
  g_signal_connect_object (button, "clicked", G_CALLBACK (gtk_popover_popdown), self,
                           G_CONNECT_SWAPPED);
  gtk_box_append (GTK_BOX (box), button);

  gtk_popover_set_child (GTK_POPOVER (self), box);
}

GtkWidget *
plg_order_menu_new (void)
{
  return g_object_new (PLG_TYPE_ORDER_MENU, NULL);
}

void
plg_order_menu_update (PlgOrderMenu *self, const PlgParallelism *parallelism)
{
  GtkListBoxRow *row;

  g_return_if_fail (PLG_IS_ORDER_MENU (self));

  for (int i = 0; (row = gtk_list_box_get_row_at_index (GTK_LIST_BOX (self->list), i)) != NULL; i++)
    {
      gboolean is_used = plg_order_preset_is_used (preset_of (row), parallelism);
      GtkWidget *top = gtk_widget_get_first_child (gtk_list_box_row_get_child (row));

      /* If the plan does not use the order, make the check mark transparent rather than hiding
       * it, so that the width of the list does not change. */
      gtk_widget_set_opacity (gtk_widget_get_last_child (top), is_used ? 1 : 0);
      gtk_accessible_update_state (GTK_ACCESSIBLE (row), GTK_ACCESSIBLE_STATE_SELECTED, is_used,
                                   -1);
    }
}

void
plg_order_menu_set_locked (PlgOrderMenu *self, gboolean held)
{
  g_return_if_fail (PLG_IS_ORDER_MENU (self));
  gtk_widget_set_sensitive (self->list, !held);
}
