/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* How the process's heap is kept small, with the screens that DISPLAY has now. */
void plg_heap_limits_set_up (GdkDisplay *display);

G_END_DECLS
