/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "widgets/canvas/gpu-cell.h"

struct _PlgGpuCell
{
  GtkWidget parent_instance;

  int gpu;
  char *name;
  char *description;
  gboolean selected;
};

G_DEFINE_FINAL_TYPE (PlgGpuCell, plg_gpu_cell, GTK_TYPE_WIDGET)

static void
plg_gpu_cell_finalize (GObject *object)
{
  PlgGpuCell *self = PLG_GPU_CELL (object);

  g_free (self->name);
  g_free (self->description);
  G_OBJECT_CLASS (plg_gpu_cell_parent_class)->finalize (object);
}

static void
activate (GtkWidget *widget, const char *action, const char *target)
{
  gtk_widget_activate_action (widget, target, NULL);
}

/* Actions of the canvas under names without parameters, for only such are offered to assistive
 * technology (and to tests) as actions of the cell. */
static void
pick_up (GtkWidget *widget, const char *action, GVariant *parameter)
{
  activate (widget, action, "canvas.pick-up");
}

static void
move_left (GtkWidget *widget, const char *action, GVariant *parameter)
{
  activate (widget, action, "canvas.move-left");
}

static void
move_right (GtkWidget *widget, const char *action, GVariant *parameter)
{
  activate (widget, action, "canvas.move-right");
}

static void
move_up (GtkWidget *widget, const char *action, GVariant *parameter)
{
  activate (widget, action, "canvas.move-up");
}

static void
move_down (GtkWidget *widget, const char *action, GVariant *parameter)
{
  activate (widget, action, "canvas.move-down");
}

static void
open_menu (GtkWidget *widget, const char *action, GVariant *parameter)
{
  activate (widget, action, "canvas.menu");
}

static void
plg_gpu_cell_class_init (PlgGpuCellClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->finalize = plg_gpu_cell_finalize;

  gtk_widget_class_install_action (widget_class, "cell.pick-up", NULL, pick_up);
  gtk_widget_class_install_action (widget_class, "cell.menu", NULL, open_menu);
  gtk_widget_class_install_action (widget_class, "cell.move-left", NULL, move_left);
  gtk_widget_class_install_action (widget_class, "cell.move-right", NULL, move_right);
  gtk_widget_class_install_action (widget_class, "cell.move-up", NULL, move_up);
  gtk_widget_class_install_action (widget_class, "cell.move-down", NULL, move_down);

  gtk_widget_class_set_css_name (widget_class, "gpucell");
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_GRID_CELL);
}

static void
plg_gpu_cell_init (PlgGpuCell *self)
{
  gtk_widget_set_focusable (GTK_WIDGET (self), TRUE);
  gtk_widget_set_can_target (GTK_WIDGET (self), FALSE);
}

GtkWidget *
plg_gpu_cell_new (int gpu)
{
  PlgGpuCell *self = g_object_new (PLG_TYPE_GPU_CELL, NULL);

  self->gpu = gpu;
  return GTK_WIDGET (self);
}

int
plg_gpu_cell_gpu (PlgGpuCell *self)
{
  g_return_val_if_fail (PLG_IS_GPU_CELL (self), -1);
  return self->gpu;
}

/* Each update is a message on the accessibility bus, so only what changed is told. */
void
plg_gpu_cell_describe (PlgGpuCell *self, const char *name, const char *description)
{
  g_return_if_fail (PLG_IS_GPU_CELL (self));

  if (g_strcmp0 (name, self->name) != 0)
    {
      g_free (self->name);
      self->name = g_strdup (name);
      gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL, name,
                                      -1);
    }
  if (g_strcmp0 (description, self->description) != 0)
    {
      g_free (self->description);
      self->description = g_strdup (description);
      gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_DESCRIPTION,
                                      description, -1);
    }
}

void
plg_gpu_cell_set_selected (PlgGpuCell *self, gboolean selected)
{
  g_return_if_fail (PLG_IS_GPU_CELL (self));

  if (self->selected == selected)
    return;
  self->selected = selected;
  gtk_accessible_update_state (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_STATE_SELECTED, selected, -1);
}
