/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "widgets/edge.h"

#include <glib/gi18n-lib.h>

struct _PlgEdge
{
  GtkWidget parent_instance;

  PlgAxis axis;
  int degree;
  gboolean absent;
};

G_DEFINE_FINAL_TYPE (PlgEdge, plg_edge, GTK_TYPE_WIDGET)

static void
change_degree (GtkWidget *widget, int step)
{
  gtk_widget_activate_action (widget, "canvas.change-degree", "(ii)", PLG_EDGE (widget)->axis,
                              step);
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
plg_edge_class_init (PlgEdgeClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  gtk_widget_class_install_action (widget_class, "edge.grow", NULL, grow);
  gtk_widget_class_install_action (widget_class, "edge.shrink", NULL, shrink);
  gtk_widget_class_set_css_name (widget_class, "plgedge");
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_SEPARATOR);
}

static void
plg_edge_init (PlgEdge *self)
{
  gtk_widget_set_can_target (GTK_WIDGET (self), FALSE);
}

GtkWidget *
plg_edge_new (PlgAxis axis)
{
  PlgEdge *self = g_object_new (PLG_TYPE_EDGE, NULL);

  self->axis = axis;
  return GTK_WIDGET (self);
}

void
plg_edge_set_degree (PlgEdge *self, int degree)
{
  g_autofree char *name = NULL;

  g_return_if_fail (PLG_IS_EDGE (self));

  if (self->degree == degree)
    return;
  self->degree = degree;
  /* Translators: the grip that is dragged to change the size of the TP (or PP, …) groups. */
  name = g_strdup_printf (_ ("%s edge, degree %d"), plg_axis_label (self->axis), degree);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL, name, -1);
}

void
plg_edge_set_present (PlgEdge *self, gboolean present)
{
  g_return_if_fail (PLG_IS_EDGE (self));

  if (self->absent == !present)
    return;
  self->absent = !present;
  gtk_accessible_update_state (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_STATE_HIDDEN, self->absent,
                               -1);
}
