/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "app/heap-limits.h"

#include <malloc.h>

/* The largest block size that the GNU C library accepts as the threshold between heap and mmap
 * [bytes]. */
#define LIMIT (32 * 1024 * 1024)

/* Returns the size of a full-screen frame [bytes]. */
static int
picture_size (GdkMonitor *monitor)
{
  int scale = gdk_monitor_get_scale_factor (monitor);
  GdkRectangle geometry;

  gdk_monitor_get_geometry (monitor, &geometry);
  return 4 * geometry.width * scale * geometry.height * scale;
}

/* Limits the freed memory that the C library keeps. GTK allocates and frees a buffer of the
 * window's size for every frame. This buffer must come from the heap, whose pages are already
 * mapped. By default, the C library keeps free memory at the end of the heap, up to twice the
 * size of the largest freed block, for example 34 MB after a plan with 16,384 GPUs. */
void
plg_heap_limits_set_up (GdkDisplay *display)
{
#ifdef __GLIBC__
  GListModel *monitors = gdk_display_get_monitors (display);
  int most = 0;

  for (guint i = 0; i < g_list_model_get_n_items (monitors); i++)
    {
      g_autoptr (GdkMonitor) monitor = g_list_model_get_item (monitors, i);

      most = MAX (most, picture_size (monitor));
    }
  /* The window shadow makes the buffer up to a quarter larger than the monitor. */
  if (most == 0 || most + most / 4 > LIMIT)
    return;
  mallopt (M_MMAP_THRESHOLD, most + most / 4);
  mallopt (M_TRIM_THRESHOLD, 2 * most);
#endif
}
