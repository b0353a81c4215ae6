/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Measures the window: the time from the start of main() to the first frame on screen, the time of
 * a frame of a drag, from the change of the plan to the painted frame with all panels, and the time
 * from pointing at a found plan to the painted frame with its preview. */

#include "../widgets/rig.h"

#include "app/window/window.h"
#include "plan/edit.h"
#include "widgets/search/plan-finder.h"
#include "widgets/search/plan-scatter.h"

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

static void
print_frames (const char *name, double *frames)
{
  g_autofree char *median = g_strdup_printf ("%s, median", name);
  g_autofree char *slow = g_strdup_printf ("%s, 95 %%", name);

  qsort (frames, FRAMES, sizeof *frames, compare);
  g_print ("  %-40s %8.1f ms\n", median, frames[FRAMES / 2]);
  g_print ("  %-40s %8.1f ms\n", slow, frames[FRAMES * 95 / 100]);
}

/* Points at the dots of the page of found plans, one after the other. */
static void
measure_pointing (PlgWindow *window)
{
  PlgPlanFinder *finder = PLG_PLAN_FINDER (rig_find (GTK_WIDGET (window), PLG_TYPE_PLAN_FINDER,
                                                     NULL, NULL));
  GtkWidget *plot = rig_find (GTK_WIDGET (finder), PLG_TYPE_PLAN_SCATTER, NULL, NULL);
  PlgPlanSearch *search = plg_plan_finder_get_search (finder);
  double frames[FRAMES];

  gtk_widget_activate_action (GTK_WIDGET (window), "win.find-plans", NULL);
  rig_until (plg_plan_search_progress (search).is_complete);
  rig_next_frame (GTK_WIDGET (window));
  for (int i = 0; i < FRAMES; i++)
    {
      int dot = (int) (plg_plan_search_found (search)->len * (guint) i / FRAMES);
      gint64 start = g_get_monotonic_time ();

      g_signal_emit_by_name (plot, "pointed", dot);
      rig_next_frame (GTK_WIDGET (window));
      frames[i] = milliseconds_since (start);
    }
  print_frames ("pointing at a plan to its preview", frames);
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
  print_frames ("drag, change to painted", frames);
  measure_pointing (window);
  gtk_window_destroy (GTK_WINDOW (window));
  return 0;
}
