/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "plan/axis.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* The edges: one for each PlgAxis, and the edge of a shard group (HSDP). */
#define PLG_EDGE_SHARD PLG_N_AXES
#define PLG_N_EDGES (PLG_N_AXES + 1)

/* An invisible widget for the handle on the edge of an axis's groups. Assistive technology can
 * find the handle by its name and can grow or shrink the groups. */
#define PLG_TYPE_EDGE_HANDLE (plg_edge_handle_get_type ())
G_DECLARE_FINAL_TYPE (PlgEdgeHandle, plg_edge_handle, PLG, EDGE_HANDLE, GtkWidget)

/* EDGE is a PlgAxis or PLG_EDGE_SHARD. */
GtkWidget *plg_edge_handle_new (int edge) G_GNUC_WARN_UNUSED_RESULT;
/* Sets the degree in the accessible name; for PLG_EDGE_SHARD, the number of shard groups. */
void plg_edge_handle_set_degree (PlgEdgeHandle *self, int degree);
/* Sets whether the figure contains the handle. If it does not, the handle is hidden from
 * assistive technology. May be called during an allocation. */
void plg_edge_handle_set_present (PlgEdgeHandle *self, gboolean is_present);

G_END_DECLS
