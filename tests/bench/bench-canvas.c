/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Measures the canvas in the whole window at 1920 × 1080, with all panels live and software
 * rendering: the time from input to painted frame, where input arrives at the start of a frame
 * as with GTK; the evaluations, layouts and paints per frame; the first frame of the window; and
 * memory. With a word as argument, such as "bench-canvas zoom", only rows that contain the word
 * run. A row that exceeds its limit, including in its first frame, fails the benchmark. */

#include "../widgets/rig.h"

#include "app/window/window.h"
#include "engine/evaluate.h"
#include "widgets/canvas/canvas-private.h"
#include "widgets/pictures/player.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define FRAMES 240

/* Pixels per frame of a drag by hand: 1,200 per second. */
#define STRIDE 20.0

/* From the start of main() with warm caches [ms]. */
#define FIRST_FRAME 400.0
#define RESIDENT 150.0 /* MB */

/* The number of checks in a row. */
#define N_JUDGED 5

/* The number of frames in which the player plays the whole step at normal speed. */
#define PLAYED 1200

typedef struct _Bench Bench;
typedef void (*Work) (Bench *bench, int frame);

/* The limits of 95 % of the frames and of all frames [ms]. */
typedef struct
{
  double most_frames, all;
  gboolean is_still; /* nothing may be painted */
} Limit;

static const Limit in_a_frame = { 16.7, G_MAXDOUBLE, FALSE };
static const Limit in_two = { 33, G_MAXDOUBLE, FALSE };
static const Limit dragged = { 16.7, 50, FALSE };
static const Limit still = { 16.7, G_MAXDOUBLE, TRUE };

struct _Bench
{
  PlgWindow *window;
  PlgDocument *document;
  PlgCanvas *canvas;
  PlgPlayer *player;
  GdkFrameClock *clock;
  const char *wanted; /* NULL: all rows */

  Work work;
  int frame;
  gint64 start;
  clock_t cpu;
  double milliseconds[FRAMES];
  double own[FRAMES];         /* time on the processor; less if the machine has other work */
  guint evaluations, layouts; /* at the start of this frame */
  guint most_evaluations, most_layouts, paints;

  PlgPoint press, points[3];
};

/* The linker redirects calls from outside the engine's evaluate.c to these functions. */
PlgReport *__real_plg_evaluate (const PlgPlan *plan, PlgEvaluateFlags flags, GError **error);
PlgReport *__wrap_plg_evaluate (const PlgPlan *plan, PlgEvaluateFlags flags, GError **error);
gboolean __real_plg_evaluate_into (PlgReport *report,
                                   const PlgPlan *plan,
                                   PlgEvaluateFlags flags,
                                   GError **error);
gboolean __wrap_plg_evaluate_into (PlgReport *report,
                                   const PlgPlan *plan,
                                   PlgEvaluateFlags flags,
                                   GError **error);

static int evaluated; /* evaluations of any plan, on any thread */

PlgReport *
__wrap_plg_evaluate (const PlgPlan *plan, PlgEvaluateFlags flags, GError **error)
{
  g_atomic_int_inc (&evaluated);
  return __real_plg_evaluate (plan, flags, error);
}

gboolean
__wrap_plg_evaluate_into (PlgReport *report,
                          const PlgPlan *plan,
                          PlgEvaluateFlags flags,
                          GError **error)
{
  g_atomic_int_inc (&evaluated);
  return __real_plg_evaluate_into (report, plan, flags, error);
}

static int
compare (gconstpointer a, gconstpointer b)
{
  double x = *(const double *) a, y = *(const double *) b;

  return (x > y) - (x < y);
}

/* A frame ends at the start of the next frame, since it includes the work of idle handlers. */
static void
count (Bench *bench)
{
  guint evaluations = (guint) g_atomic_int_get (&evaluated);
  guint layouts = plg_canvas_n_layouts (bench->canvas);

  if (bench->frame > 0)
    {
      bench->most_evaluations = MAX (bench->most_evaluations, evaluations - bench->evaluations);
      bench->most_layouts = MAX (bench->most_layouts, layouts - bench->layouts);
    }
  bench->evaluations = evaluations;
  bench->layouts = layouts;
}

/* GTK delivers motion, scrolling and all other input of a frame at its start. */
static void
before_cb (Bench *bench)
{
  if (bench->frame >= FRAMES)
    return;
  count (bench);
  bench->start = g_get_monotonic_time ();
  bench->cpu = clock ();
  bench->work (bench, bench->frame);
}

static void
painted_cb (Bench *bench)
{
  if (bench->start == 0 || bench->frame >= FRAMES)
    return;
  bench->own[bench->frame] = (double) (clock () - bench->cpu) * 1e3 / CLOCKS_PER_SEC;
  bench->milliseconds[bench->frame++] = (g_get_monotonic_time () - bench->start) / 1e3;
  bench->start = 0;
}

/* Does WORK in each of the next frames, and lets the frame after them pass. */
static void
run_frames (Bench *bench, Work work)
{
  guint paints;
  gulong before, painted;

  for (int i = 0; i < 10; i++)
    rig_next_frame (GTK_WIDGET (bench->canvas));
  paints = plg_canvas_n_paints (bench->canvas);
  bench->work = work;
  bench->frame = 0;
  bench->start = 0;
  bench->most_evaluations = bench->most_layouts = 0;
  before = g_signal_connect_swapped (bench->clock, "before-paint", G_CALLBACK (before_cb), bench);
  painted = g_signal_connect_swapped (bench->clock, "after-paint", G_CALLBACK (painted_cb), bench);
  gdk_frame_clock_begin_updating (bench->clock);
  for (int frame = 0; bench->frame < FRAMES; frame = bench->frame)
    rig_until (bench->frame > frame);
  gdk_frame_clock_end_updating (bench->clock);
  g_signal_handler_disconnect (bench->clock, before);
  g_signal_handler_disconnect (bench->clock, painted);
  bench->paints = plg_canvas_n_paints (bench->canvas) - paints;
  count (bench);
}

/* Ends a row with "holds", or with the failed checks. */
static gboolean
judge (const char *const fails[N_JUDGED])
{
  gboolean holds = TRUE;

  for (int i = 0; i < N_JUDGED; i++)
    if (fails[i] != NULL)
      {
        g_print ("%s %s", holds ? "  FAILS:" : ",", fails[i]);
        holds = FALSE;
      }
  g_print ("%s\n", holds ? "  holds" : "");
  return holds;
}

/* Does WORK in each of the next frames, and prints their times and whether LIMIT holds. */
static gboolean
measure (Bench *bench, const char *what, const Limit *limit, Work work)
{
  double *ms = bench->milliseconds, *own = bench->own;
  g_autofree char *all = limit->all < G_MAXDOUBLE ? g_strdup_printf ("%.0f", limit->all) : NULL;

  if (bench->wanted != NULL && strstr (what, bench->wanted) == NULL)
    return TRUE;
  run_frames (bench, work);
  qsort (ms, FRAMES, sizeof *ms, compare);
  qsort (own, FRAMES, sizeof *own, compare);
  g_print ("  %-34s %6.1f %6.1f %6.1f %6.1f %5s %6.1f %6.1f %5u %5u %5u %5s", what, ms[FRAMES / 2],
           ms[FRAMES * 95 / 100], ms[FRAMES - 1], limit->most_frames, all != NULL ? all : "-",
           own[FRAMES * 95 / 100], own[FRAMES - 1], bench->most_evaluations, bench->most_layouts,
           bench->paints, limit->is_still ? "0" : "-");
  return judge ((const char *[N_JUDGED]) {
      ms[FRAMES * 95 / 100] > limit->most_frames ? "95 %" : NULL,
      ms[FRAMES - 1] > limit->all ? "most" : NULL,
      bench->most_evaluations > 1 ? "evaluations" : NULL,
      bench->most_layouts > 1 ? "layouts" : NULL,
      limit->is_still && bench->paints > 0 ? "paints" : NULL,
  });
}

static gboolean
judge_one (const char *what, double value, double limit, const char *unit)
{
  g_print ("  %-34s %6.1f of at most %.0f %s", what, value, limit, unit);
  return judge ((const char *[N_JUDGED]) { value > limit ? unit : NULL });
}

static void
print_head (void)
{
  g_print (
      "\n  Milliseconds from input to painted frame, as wall time and as processor time, which "
      "depends less\n  on other programs: the time within which 50 %% and 95 %% of %d frames end, "
      "and the slowest frame\n  (most). The limits apply to the wall times of 95 %% and most. Each "
      "frame may have one evaluation\n  of any plan and one layout of the canvas. Paints are the "
      "paints of the canvas in all frames,\n  with their limit.\n\n",
      FRAMES);
  g_print ("  %-34s %6s %6s %6s %12s %13s %11s %11s\n", "", "", "wall", "", "limits", "processor",
           "a frame", "paints");
  g_print ("  %-34s %6s %6s %6s %6s %5s %6s %6s %5s %5s %5s %5s\n", "", "50 %", "95 %", "most",
           "95 %", "most", "95 %", "most", "eval.", "lay.", "all", "limit");
}

/* Work in a frame ------------------------------------------------------------------------------ */

static GtkEventController *
controller (Bench *bench, GType type)
{
  return rig_controller (GTK_WIDGET (bench->canvas), type);
}

static PlgPoint
middle_of (Bench *bench, PlgRect rect)
{
  PlgPoint point;

  plg_canvas_to_widget (bench->canvas, rect.x + rect.width / 2, rect.y + rect.height / 2, &point.x,
                        &point.y);
  return point;
}

static PlgPoint
middle_of_gpu (Bench *bench, int gpu)
{
  return middle_of (bench, plg_cluster_gpu_rect (plg_document_plan (bench->document), gpu));
}

static void
begin_drag (Bench *bench)
{
  const PlgFigure *figure = plg_canvas_figure (bench->canvas);
  const PlgShape *handle = NULL;

  for (int i = 0; i < plg_figure_n_shapes (figure) && handle == NULL; i++)
    if (plg_figure_shape (figure, i)->entity.kind == PLG_ENTITY_HANDLE &&
        plg_figure_shape (figure, i)->entity.axis == PLG_AXIS_TP)
      handle = plg_figure_shape (figure, i);
  g_assert_nonnull (handle);
  bench->press = middle_of (bench, handle->rect);
  for (int i = 0; i < 3; i++)
    bench->points[i] = middle_of_gpu (bench, (2 << i) - 1);
  g_signal_emit_by_name (controller (bench, GTK_TYPE_GESTURE_DRAG), "drag-begin", bench->press.x,
                         bench->press.y);
}

/* Moves the edge to another degree in each frame, the worst case for a pointer. There are three
 * degrees, so that updates in every other frame also see a new degree. */
static void
drag (Bench *bench, int frame)
{
  PlgPoint to = bench->points[frame % 3];

  g_signal_emit_by_name (controller (bench, GTK_TYPE_GESTURE_DRAG), "drag-update",
                         to.x - bench->press.x, to.y - bench->press.y);
}

/* Moves there and back as a hand does, so that the edge crosses a degree only now and then. */
static void
sweep (Bench *bench, int frame)
{
  PlgPoint from = bench->points[1], to = bench->points[2];
  double way = hypot (to.x - from.x, to.y - from.y);
  double at = fmod (frame * STRIDE, 2 * way) / way, share = at > 1 ? 2 - at : at;

  g_signal_emit_by_name (controller (bench, GTK_TYPE_GESTURE_DRAG), "drag-update",
                         from.x + share * (to.x - from.x) - bench->press.x,
                         from.y + share * (to.y - from.y) - bench->press.y);
}

static void
end_drag (Bench *bench)
{
  plg_canvas_drag_cancel (bench->canvas);
  g_signal_emit_by_name (controller (bench, GTK_TYPE_GESTURE_DRAG), "drag-end", 0.0, 0.0);
}

static void
hover (Bench *bench, int frame)
{
  PlgPoint at = middle_of_gpu (bench, frame % 64);

  g_signal_emit_by_name (controller (bench, GTK_TYPE_EVENT_CONTROLLER_MOTION), "motion", at.x,
                         at.y);
}

/* Moves to and fro, about as fast as a hand. */
static void
pan (Bench *bench, int frame)
{
  gboolean result;
  double step = frame % 60 < 30 ? 0.6 : -0.6;

  g_signal_emit_by_name (controller (bench, GTK_TYPE_EVENT_CONTROLLER_SCROLL), "scroll", step * 0.7,
                         step, &result);
}

static void
zoom (Bench *bench, int frame)
{
  plg_canvas_zoom_by (bench->canvas, frame % 80 < 40 ? 1.05 : 1 / 1.05);
}

static void
play (Bench *bench, int frame)
{
  double end = plg_snapshot_end (plg_document_report (bench->document));

  plg_player_seek (bench->player, end * (0.3 + (double) frame / PLAYED));
}

/* Plays from one event of the step to the next in each frame, the largest possible change. */
static void
play_events (Bench *bench, int frame)
{
  if (frame == 0)
    plg_player_seek (bench->player, 0);
  else
    plg_player_step (bench->player, 1);
}

static void
rest (Bench *bench, int frame)
{
  gtk_widget_queue_draw (GTK_WIDGET (bench->canvas));
}

/* The benchmark ----------------------------------------------------------------------------------
 */

static double
resident_megabytes (void)
{
  g_autofree char *text = NULL;
  long pages = 0;

  if (g_file_get_contents ("/proc/self/statm", &text, NULL, NULL))
    sscanf (text, "%*d %ld", &pages);
  return pages * (double) sysconf (_SC_PAGESIZE) / 1e6;
}

static void
set_nodes (Bench *bench, const char *nodes)
{
  g_assert_true (plg_document_set (bench->document, "cluster.nodes", nodes, NULL));
  plg_canvas_fit (bench->canvas);
  rig_next_frame (GTK_WIDGET (bench->canvas));
}

static gboolean
measure_view (Bench *bench, const char *size, const Limit *limit, const double *zooms, int n)
{
  gboolean holds = TRUE;

  for (int i = 0; i < n; i++)
    {
      g_autofree char *panning = g_strdup_printf ("pan, %s GPUs at %.0f %%", size, zooms[i] * 100);
      g_autofree char *zooming = g_strdup_printf ("zoom, %s GPUs from %.0f %%", size,
                                                  zooms[i] * 100);

      plg_canvas_set_zoom (bench->canvas, zooms[i]);
      holds = measure (bench, panning, limit, pan) && holds;
      plg_canvas_set_zoom (bench->canvas, zooms[i]);
      holds = measure (bench, zooming, limit, zoom) && holds;
    }
  return holds;
}

static gboolean
measure_play (Bench *bench, const char *size, const Limit *limit)
{
  g_autofree char *playing = g_strdup_printf ("play, %s GPUs", size);
  g_autofree char *stepping = g_strdup_printf ("play event by event, %s GPUs", size);
  g_autofree char *near = g_strdup_printf ("play with the map, %s GPUs", size);
  gboolean holds;

  gtk_widget_activate_action (GTK_WIDGET (bench->window), "win.page", "s", "timeline");
  holds = measure (bench, playing, limit, play);
  holds = measure (bench, stepping, limit, play_events) && holds;
  plg_canvas_set_zoom (bench->canvas, 1);
  holds = measure (bench, near, limit, play) && holds;
  plg_canvas_fit (bench->canvas);
  plg_player_seek (bench->player, -1);
  rig_next_frame (GTK_WIDGET (bench->canvas));
  return holds;
}

static gboolean
measure_drag (Bench *bench)
{
  gboolean holds;

  begin_drag (bench);
  holds = measure (bench, "drag of TP, 64 GPUs", &dragged, sweep);
  holds = measure (bench, "drag, one degree per frame, 64 GPUs", &dragged, drag) && holds;
  end_drag (bench);
  return holds;
}

static gboolean
run (Bench *bench)
{
  static const double near[] = { 0.25, 0.4, 1 }, far[] = { 0.08, 0.2, 0.4, 1 };
  gboolean holds;

  print_head ();
  holds = measure_drag (bench);
  holds = measure (bench, "hover, 64 GPUs", &in_a_frame, hover) && holds;
  holds = measure (bench, "no change, 64 GPUs", &still, rest) && holds;
  holds = measure_play (bench, "64", &in_a_frame) && holds;
  g_assert_true (plg_document_set (bench->document, "training.global-batch", "4096", NULL));
  set_nodes (bench, "128");
  holds = measure_play (bench, "1,024", &in_two) && holds;
  plg_canvas_fit (bench->canvas);
  rig_next_frame (GTK_WIDGET (bench->canvas));
  holds = measure_view (bench, "1,024", &in_a_frame, near, G_N_ELEMENTS (near)) && holds;
  set_nodes (bench, "2048");
  holds = measure_play (bench, "16,384", &in_two) && holds;
  holds = measure_view (bench, "16,384", &in_two, far, G_N_ELEMENTS (far)) && holds;
  return holds;
}

static PlgWindow *
open_window (PlgApplication **application)
{
  PlgWindow *window;

  *application = plg_application_new ();
  g_application_set_flags (G_APPLICATION (*application), G_APPLICATION_NON_UNIQUE);
  g_application_register (G_APPLICATION (*application), NULL, NULL);
  window = plg_window_new (*application);
  gtk_window_set_default_size (GTK_WINDOW (window), 1920, 1080);
  gtk_window_present (GTK_WINDOW (window));
  rig_until (gtk_widget_get_mapped (GTK_WIDGET (plg_window_canvas (window))));
  rig_next_frame (GTK_WIDGET (window));
  return window;
}

int
main (int argc, char **argv)
{
  gint64 start = g_get_monotonic_time ();
  g_autoptr (PlgApplication) application = NULL;
  Bench bench = { 0 };
  gboolean holds;

  gtk_disable_setlocale ();
  if (!gtk_init_check ())
    {
      g_printerr ("No display is available.\n");
      return 1;
    }
  adw_init ();
  bench.window = open_window (&application);
  holds = judge_one ("start to first frame", (g_get_monotonic_time () - start) / 1e3, FIRST_FRAME,
                     "ms");
  bench.document = plg_window_document (bench.window);
  bench.canvas = plg_window_canvas (bench.window);
  bench.wanted = argc > 1 ? argv[1] : NULL;
  bench.player = PLG_PLAYER (rig_find (GTK_WIDGET (bench.window), PLG_TYPE_PLAYER, NULL, NULL));
  bench.clock = gtk_widget_get_frame_clock (GTK_WIDGET (bench.canvas));
  for (int i = 0; i < 60; i++)
    rig_next_frame (GTK_WIDGET (bench.window));
  holds = judge_one ("resident, 64 GPUs", resident_megabytes (), RESIDENT, "MB") && holds;
  holds = run (&bench) && holds;
  holds = judge_one ("resident, at the end", resident_megabytes (), RESIDENT, "MB") && holds;
  gtk_window_destroy (GTK_WINDOW (bench.window));
  return holds ? 0 : 1;
}
