/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "plan/axis.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* An invisible stand-in for the grip on the edge of an axis' groups, as PlgGpuCell is for a GPU:
 * assistive technology finds it by name and can grow and shrink the groups. */
#define PLG_TYPE_EDGE_HANDLE (plg_edge_handle_get_type ())
G_DECLARE_FINAL_TYPE (PlgEdgeHandle, plg_edge_handle, PLG, EDGE_HANDLE, GtkWidget)

GtkWidget *plg_edge_handle_new (PlgAxis axis);
void plg_edge_handle_set_degree (PlgEdgeHandle *self, int degree);
/* Whether there is such a grip now; else nobody finds it. May be called during an allocation. */
void plg_edge_handle_set_present (PlgEdgeHandle *self, gboolean present);

G_END_DECLS
