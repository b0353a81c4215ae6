/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* An invisible stand-in for one GPU on the canvas. Before GTK 4.10 only widgets can be accessible
 * objects, so this is what assistive technology and the keyboard find. It draws the focus ring
 * and nothing else, and lets the pointer through. */
#define PLG_TYPE_GPU_CELL (plg_gpu_cell_get_type ())
G_DECLARE_FINAL_TYPE (PlgGpuCell, plg_gpu_cell, PLG, GPU_CELL, GtkWidget)

GtkWidget *plg_gpu_cell_new (int gpu);
int plg_gpu_cell_gpu (PlgGpuCell *self);
/* What a screen reader says: name, then description. */
void plg_gpu_cell_describe (PlgGpuCell *self, const char *name, const char *description);
void plg_gpu_cell_set_selected (PlgGpuCell *self, gboolean selected);

G_END_DECLS
