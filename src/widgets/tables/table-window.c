/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "widgets/clipboard.h"
#include "widgets/accessible-names.h"
#include "widgets/tables/table-window.h"

struct _PlgTableWindow
{
  AdwWindow parent_instance;

  PlgTable *table;
};

G_DEFINE_FINAL_TYPE (PlgTableWindow, plg_table_window, ADW_TYPE_WINDOW)

static void
copy_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  g_autofree char *text = plg_table_to_text (PLG_TABLE_WINDOW (widget)->table);

  plg_clipboard_set_text (gtk_widget_get_clipboard (widget), text);
}

static void
plg_table_window_class_init (PlgTableWindowClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  g_type_ensure (PLG_TYPE_TABLE);
  gtk_widget_class_set_template_from_resource (widget_class, "/org/parallelogram/Parallelogram/ui/"
                                                             "table-window.ui");
  gtk_widget_class_bind_template_child (widget_class, PlgTableWindow, table);
  gtk_widget_class_install_action (widget_class, "table.copy", NULL, copy_action);
}

static void
plg_table_window_init (PlgTableWindow *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  plg_accessible_name_buttons (GTK_WIDGET (self));
}

PlgTableWindow *
plg_table_window_new (GtkWidget *parent, const char *title)
{
  g_return_val_if_fail (GTK_IS_WIDGET (parent), NULL);

  return g_object_new (PLG_TYPE_TABLE_WINDOW, "title", title, "transient-for",
                       gtk_widget_get_root (parent), NULL);
}

PlgTable *
plg_table_window_get_table (PlgTableWindow *self)
{
  g_return_val_if_fail (PLG_IS_TABLE_WINDOW (self), NULL);
  return self->table;
}
