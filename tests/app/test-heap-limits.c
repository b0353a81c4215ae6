/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "app-rig.h"

#include <malloc.h>

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define HAS_OWN_ALLOCATOR TRUE
#else
#define HAS_OWN_ALLOCATOR FALSE
#endif

/* Returns the size of a full-screen frame [bytes]. */
static gsize
picture_size (AppRig *rig)
{
  GdkDisplay *display = gtk_widget_get_display (GTK_WIDGET (rig->window));
  g_autoptr (GdkMonitor) monitor = g_list_model_get_item (gdk_display_get_monitors (display), 0);
  int scale = gdk_monitor_get_scale_factor (monitor);
  GdkRectangle geometry;

  gdk_monitor_get_geometry (monitor, &geometry);
  return (gsize) 4 * geometry.width * scale * geometry.height * scale;
}

static gboolean
is_from_heap (gsize size)
{
  size_t before = mallinfo2 ().hblks;
  volatile char *block = g_malloc (size);
  gboolean is = mallinfo2 ().hblks == before;

  block[0] = 1;
  g_free ((gpointer) block);
  return is;
}

/* The limit also holds after a larger block has been freed. */
static void
test_blocks (AppRig *rig, gconstpointer data)
{
  if (HAS_OWN_ALLOCATOR)
    {
      g_test_skip ("The sanitizer has its own allocator");
      return;
    }
  for (int i = 0; i < 3; i++)
    {
      g_assert_true (is_from_heap (picture_size (rig)));
      g_assert_false (is_from_heap (3 * picture_size (rig)));
    }
}

int
main (int argc, char **argv)
{
  g_autoptr (PlgApplication) application = app_rig_application (&argc, &argv);

  if (application == NULL)
    return 0;
  g_test_add ("/heap-limits/blocks", AppRig, application, app_rig_set_up, test_blocks,
              app_rig_tear_down);
  return g_test_run ();
}
