/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* Limits the freed memory that the allocator keeps. The limit depends on the size of the
 * monitors of DISPLAY. */
void plg_heap_limits_set_up (GdkDisplay *display);

G_END_DECLS
