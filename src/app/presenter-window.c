/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "app/presenter-window.h"

#include "engine/report/redaction.h"
#include "plan/quantity.h"
#include "widgets/lesson/passage-list.h"
#include "widgets/accessible-names.h"
#include "widgets/lesson/lesson-binding.h"

#include <glib/gi18n.h>

struct _PlgPresenterWindow
{
  AdwWindow parent_instance;

  PlgLessonBinding presented;
  gint64 began; /* start of the presentation [µs, monotonic] */
  guint tick_id;

  GtkWidget *scroller;
  GtkLabel *clock;
  GtkLabel *elapsed;
  GtkLabel *mfu;
  GtkLabel *memory;
  GtkLabel *bubble;
  GtkLabel *time;
  GtkWidget *lesson;
  GtkLabel *step;
  PlgPassageList *notes;
  GtkLabel *next;
};

G_DEFINE_FINAL_TYPE (PlgPresenterWindow, plg_presenter_window, ADW_TYPE_WINDOW)

static void
update (gpointer data)
{
  PlgPresenterWindow *self = data;
  const PlgReport *report = plg_document_report (self->presented.document);
  g_autofree char *mfu = plg_format_share (report->step.mfu);
  g_autofree char *memory = plg_format_memory (report->memory_peak);
  g_autofree char *bubble = plg_format_share (plg_report_bubble (report));
  g_autofree char *time = plg_format_time (report->step.time);

  gtk_label_set_label (self->mfu, plg_lesson_binding_number_text (report, PLG_REDACT_TIME, mfu));
  gtk_label_set_label (self->memory,
                       plg_lesson_binding_number_text (report, PLG_REDACT_MEMORY, memory));
  gtk_label_set_label (self->bubble,
                       plg_lesson_binding_number_text (report, PLG_REDACT_BUBBLE, bubble));
  gtk_label_set_label (self->time, plg_lesson_binding_number_text (report, PLG_REDACT_TIME, time));
  gtk_widget_set_visible (self->lesson, self->presented.run != NULL);
  if (self->presented.run == NULL)
    return;

  const PlgLessonStep *step = plg_lesson_run_step (self->presented.run);
  const PlgLessonStep *next = plg_lesson_run_next_step (self->presented.run);

  gtk_label_set_label (self->step, step->title);
  plg_passage_list_show (self->notes, self->presented.run, PLG_LESSON_STEP, step->notes);
  gtk_label_set_label (self->next, next != NULL ? next->title : _ ("End of the lesson"));
}

static gboolean
tick_cb (gpointer data)
{
  PlgPresenterWindow *self = data;
  g_autoptr (GDateTime) now = g_date_time_new_now_local ();
  g_autofree char *clock = g_date_time_format (now, "%H:%M");
  int seconds = (int) ((g_get_monotonic_time () - self->began) / G_USEC_PER_SEC);
  g_autofree char *elapsed = g_strdup_printf ("%d:%02d:%02d", seconds / 3600, seconds / 60 % 60,
                                              seconds % 60);

  gtk_label_set_label (self->clock, clock);
  gtk_label_set_label (self->elapsed, elapsed);
  return G_SOURCE_CONTINUE;
}

void
plg_presenter_window_show (PlgPresenterWindow *self, PlgDocument *document, PlgLessonRun *run)
{
  g_return_if_fail (PLG_IS_PRESENTER_WINDOW (self));

  plg_lesson_binding_set (&self->presented, document, run, update, self);
}

void
plg_presenter_window_set_start (PlgPresenterWindow *self, gint64 began)
{
  g_return_if_fail (PLG_IS_PRESENTER_WINDOW (self));

  self->began = began;
  tick_cb (self);
}

void
plg_presenter_window_focus (PlgPresenterWindow *self)
{
  g_return_if_fail (PLG_IS_PRESENTER_WINDOW (self));

  gtk_window_set_focus (GTK_WINDOW (self), self->scroller);
}

static void
plg_presenter_window_dispose (GObject *object)
{
  PlgPresenterWindow *self = PLG_PRESENTER_WINDOW (object);

  g_clear_handle_id (&self->tick_id, g_source_remove);
  plg_presenter_window_show (self, NULL, NULL);
  G_OBJECT_CLASS (plg_presenter_window_parent_class)->dispose (object);
}

static void
plg_presenter_window_class_init (PlgPresenterWindowClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = plg_presenter_window_dispose;
  g_type_ensure (PLG_TYPE_PASSAGE_LIST);
  gtk_widget_class_set_template_from_resource (
      widget_class, "/org/parallelogram/Parallelogram/ui/presenter-window.ui");
  gtk_widget_class_bind_template_child (widget_class, PlgPresenterWindow, scroller);
  gtk_widget_class_bind_template_child (widget_class, PlgPresenterWindow, clock);
  gtk_widget_class_bind_template_child (widget_class, PlgPresenterWindow, elapsed);
  gtk_widget_class_bind_template_child (widget_class, PlgPresenterWindow, mfu);
  gtk_widget_class_bind_template_child (widget_class, PlgPresenterWindow, memory);
  gtk_widget_class_bind_template_child (widget_class, PlgPresenterWindow, bubble);
  gtk_widget_class_bind_template_child (widget_class, PlgPresenterWindow, time);
  gtk_widget_class_bind_template_child (widget_class, PlgPresenterWindow, lesson);
  gtk_widget_class_bind_template_child (widget_class, PlgPresenterWindow, step);
  gtk_widget_class_bind_template_child (widget_class, PlgPresenterWindow, notes);
  gtk_widget_class_bind_template_child (widget_class, PlgPresenterWindow, next);
  gtk_widget_class_add_binding_action (widget_class, GDK_KEY_w, GDK_CONTROL_MASK, "window.close",
                                       NULL);
}

static void
plg_presenter_window_init (PlgPresenterWindow *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  plg_accessible_name_buttons (GTK_WIDGET (self));
  self->began = g_get_monotonic_time ();
  self->tick_id = g_timeout_add_seconds (1, tick_cb, self);
  tick_cb (self);
  plg_presenter_window_focus (self);
}
