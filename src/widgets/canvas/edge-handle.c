/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "widgets/canvas/edge-handle.h"

#include <glib/gi18n-lib.h>

struct _PlgEdgeHandle
{
  GtkWidget parent_instance;

  int edge; /* a PlgAxis or PLG_EDGE_SHARD */
  int degree;
  gboolean is_absent;
};

G_DEFINE_FINAL_TYPE (PlgEdgeHandle, plg_edge_handle, GTK_TYPE_WIDGET)

static void
change_degree (GtkWidget *widget, int step)
{
  gtk_widget_activate_action (widget, "canvas.change-degree", "(ii)",
                              PLG_EDGE_HANDLE (widget)->edge, step);
}

static void
grow (GtkWidget *widget, const char *action, GVariant *parameter)
{
  change_degree (widget, 1);
}

static void
shrink (GtkWidget *widget, const char *action, GVariant *parameter)
{
  change_degree (widget, -1);
}

static void
plg_edge_handle_class_init (PlgEdgeHandleClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  gtk_widget_class_install_action (widget_class, "edge.grow", NULL, grow);
  gtk_widget_class_install_action (widget_class, "edge.shrink", NULL, shrink);
  gtk_widget_class_set_css_name (widget_class, "plgedge");
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_SEPARATOR);
}

static void
plg_edge_handle_init (PlgEdgeHandle *self)
{
  gtk_widget_set_can_target (GTK_WIDGET (self), FALSE);
}

GtkWidget *
plg_edge_handle_new (int edge)
{
  PlgEdgeHandle *self = g_object_new (PLG_TYPE_EDGE_HANDLE, NULL);

  self->edge = edge;
  return GTK_WIDGET (self);
}

void
plg_edge_handle_set_degree (PlgEdgeHandle *self, int degree)
{
  g_autofree char *name = NULL;

  g_return_if_fail (PLG_IS_EDGE_HANDLE (self));

  if (self->degree == degree)
    return;
  self->degree = degree;
  /* Translators: the handle that is dragged to change the size of the TP (or PP, …) groups. */
  name = self->edge == PLG_EDGE_SHARD
             ? g_strdup_printf (g_dngettext (GETTEXT_PACKAGE, "Edge of a shard group, %d group",
                                             "Edge of a shard group, %d groups", degree),
                                degree)
             : g_strdup_printf (_ ("%s edge, degree %d"), plg_axis_label (self->edge), degree);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL, name, -1);
}

void
plg_edge_handle_set_present (PlgEdgeHandle *self, gboolean is_present)
{
  g_return_if_fail (PLG_IS_EDGE_HANDLE (self));

  if (self->is_absent == !is_present)
    return;
  self->is_absent = !is_present;
  gtk_accessible_update_state (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_STATE_HIDDEN, self->is_absent,
                               -1);
}
