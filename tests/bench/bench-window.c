/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Measures the window: the time from the start of main() to the first frame on screen, and the
 * time of a frame of a drag, from the change of the plan to the painted frame with all panels. */

#include "../widgets/rig.h"

#include "app/window/window.h"
#include "plan/edit.h"

#define FRAMES 120

static int
compare (gconstpointer a, gconstpointer b)
{
  double x = *(const double *) a;
  double y = *(const double *) b;

  return (x > y) - (x < y);
}

static double
milliseconds_since (gint64 start)
{
  return (g_get_monotonic_time () - start) / 1e3;
}

/* Moves the pointer to another degree: one evaluation, layout and paint. */
static double
drag_frame (PlgWindow *window, int tp)
{
  PlgDocument *document = plg_window_document (window);
  g_autoptr (PlgPlan) plan = plg_plan_copy (plg_document_committed_plan (document));
  gint64 start = g_get_monotonic_time ();

  plg_edit_set_degree (plan, PLG_AXIS_TP, tp, PLG_AXIS_DP, NULL);
  plg_document_preview (document, plan);
  rig_next_frame (GTK_WIDGET (window));
  return milliseconds_since (start);
}

int
main (void)
{
  gint64 start = g_get_monotonic_time ();
  g_autoptr (PlgApplication) application = NULL;
  PlgWindow *window;
  double frames[FRAMES];

  gtk_disable_setlocale ();
  if (!gtk_init_check ())
    {
      g_printerr ("No display is available.\n");
      return 1;
    }
  adw_init ();
  application = plg_application_new ();
  g_application_set_flags (G_APPLICATION (application), G_APPLICATION_NON_UNIQUE);
  g_application_register (G_APPLICATION (application), NULL, NULL);
  window = plg_window_new (application);
  gtk_window_set_default_size (GTK_WINDOW (window), 1600, 1000);
  gtk_window_present (GTK_WINDOW (window));
  rig_until (gtk_widget_get_mapped (GTK_WIDGET (plg_window_canvas (window))));
  rig_next_frame (GTK_WIDGET (window));
  g_print ("  %-40s %8.1f ms\n", "start to first frame", milliseconds_since (start));

  for (int i = 0; i < FRAMES; i++)
    frames[i] = drag_frame (window, i % 2 == 0 ? 4 : 8);
  qsort (frames, FRAMES, sizeof *frames, compare);
  g_print ("  %-40s %8.1f ms\n", "drag, change to painted, median", frames[FRAMES / 2]);
  g_print ("  %-40s %8.1f ms\n", "drag, change to painted, 95 %", frames[FRAMES * 95 / 100]);
  gtk_window_destroy (GTK_WINDOW (window));
  return 0;
}
