/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* Limits how much freed memory the allocator keeps, depending on the size of the monitors of
 * DISPLAY. */
void plg_heap_limits_set_up (GdkDisplay *display);

G_END_DECLS
