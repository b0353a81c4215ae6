/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* An invisible widget for one GPU on the canvas. The widget takes the keyboard focus and
 * represents the GPU to assistive technology, because only widgets are accessible before GTK
 * 4.10. */
#define PLG_TYPE_GPU_CELL (plg_gpu_cell_get_type ())
G_DECLARE_FINAL_TYPE (PlgGpuCell, plg_gpu_cell, PLG, GPU_CELL, GtkWidget)

GtkWidget *plg_gpu_cell_new (int gpu) G_GNUC_WARN_UNUSED_RESULT;
int plg_gpu_cell_gpu (PlgGpuCell *self);
/* Sets the name and the description that a screen reader reads. */
void plg_gpu_cell_describe (PlgGpuCell *self, const char *name, const char *description);
void plg_gpu_cell_set_selected (PlgGpuCell *self, gboolean is_selected);

G_END_DECLS
