/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "widgets/canvas/gpu-cell.h"

#include <string.h>

struct _PlgGpuCell
{
  GtkWidget parent_instance;

  int gpu;
  char *name;
  char *description;
  gboolean is_selected;
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

/* Activates "canvas.X" for the action "cell.X". Assistive technology and tests find an action
 * only if it is installed on the cell and has no parameter. */
static void
cell_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  g_autofree char *target = g_strconcat ("canvas", strchr (name, '.'), NULL);

  gtk_widget_activate_action (widget, target, NULL);
}

static void
plg_gpu_cell_class_init (PlgGpuCellClass *klass)
{
  static const char *const actions[] = { "cell.pick-up",    "cell.menu",    "cell.move-left",
                                         "cell.move-right", "cell.move-up", "cell.move-down" };
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->finalize = plg_gpu_cell_finalize;
  for (guint i = 0; i < G_N_ELEMENTS (actions); i++)
    gtk_widget_class_install_action (widget_class, actions[i], NULL, cell_action);


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

/* Sets the name and the description. Does not send an unchanged string, because each update
 * sends a message on the accessibility bus. */
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
plg_gpu_cell_set_selected (PlgGpuCell *self, gboolean is_selected)
{
  g_return_if_fail (PLG_IS_GPU_CELL (self));

  if (self->is_selected == is_selected)
    return;
  self->is_selected = is_selected;
  gtk_accessible_update_state (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_STATE_SELECTED, is_selected,
                               -1);
}
