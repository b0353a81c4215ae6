/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "app/window/window-private.h"

#include "document/fault-impact.h"
#include "io/reports/place-report.h"
#include "widgets/announcer.h"

#include <glib/gi18n.h>

/* A search that takes longer than this shows its progress. */
#define PROGRESS_DELAY_MILLISECONDS 100

/* The number of moves that the bar lists. */
#define MOST_LISTED 3

/* A search for the fastest placement, which runs in its own thread. The window and the thread each
 * have a reference. */
typedef struct
{
  gatomicrefcount ref_count;
  PlgPlan *plan; /* the committed plan at the start */
  PlgPlaceControl control;
  PlgPlaceResult result;
} Search;

/* The placement that the window is finding or showing. */
struct _PlgPlacing
{
  Search *search;            /* the running search, or NULL */
  PlgPlan *proposal;         /* the plan with the placement that was found, during its preview */
  guint progress_timeout_id; /* shows the bar if the search takes long */
};

static void
search_unref (gpointer data)
{
  Search *search = data;

  if (!g_atomic_ref_count_dec (&search->ref_count))
    return;
  plg_plan_free (search->plan);
  plg_place_result_clear (&search->result);
  g_free (search);
}

static void
run_search (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  Search *search = data;
  g_autoptr (GError) error = NULL;

  if (plg_place_search (search->plan, &search->control, &search->result, &error))
    g_task_return_boolean (task, TRUE);
  else
    g_task_return_error (task, g_steal_pointer (&error));
}

/* Hides the bar, and gives the focus to the canvas if the bar has it. */
static void
hide_bar (PlgWindow *self)
{
  GtkWidget *focus = gtk_root_get_focus (GTK_ROOT (self));

  if (focus != NULL && gtk_widget_is_ancestor (focus, self->place_bar))
    gtk_widget_grab_focus (GTK_WIDGET (self->canvas));
  gtk_spinner_stop (self->place_spinner);
  gtk_widget_set_visible (self->place_bar, FALSE);
}

/* Cancels the search, or ends the preview. Returns FALSE if there is neither. */
static gboolean
leave (PlgWindow *self)
{
  PlgPlacing *placing = self->placing;
  gboolean is_active = placing->search != NULL || placing->proposal != NULL;

  g_clear_handle_id (&placing->progress_timeout_id, g_source_remove);
  if (placing->search != NULL)
    {
      g_atomic_int_set (&placing->search->control.is_cancelled, TRUE);
      g_clear_pointer (&placing->search, search_unref);
    }
  if (placing->proposal != NULL)
    {
      g_clear_pointer (&placing->proposal, plg_plan_free);
      plg_document_preview (self->document, NULL);
    }
  hide_bar (self);
  return is_active;
}

static void
show_bar (PlgWindow *self, const char *text, gboolean is_searching)
{
  gtk_label_set_text (self->place_text, text);
  gtk_widget_set_visible (GTK_WIDGET (self->place_spinner), is_searching);
  gtk_widget_set_visible (self->place_apply, !is_searching);
  if (is_searching)
    gtk_spinner_start (self->place_spinner);
  else
    gtk_spinner_stop (self->place_spinner);
  gtk_widget_set_visible (self->place_bar, TRUE);
  gtk_widget_grab_focus (is_searching ? self->place_leave : self->place_apply);
  plg_announcer_announce (GTK_WINDOW (self), text);
}

static gboolean
show_progress_cb (gpointer data)
{
  PlgWindow *self = data;

  self->placing->progress_timeout_id = 0;
  show_bar (self, _ ("Finding the fastest placement…"), TRUE);
  return G_SOURCE_REMOVE;
}

/* Shows the placement that SEARCH has found, or reports that the plan's placement stays. */
static void
propose (PlgWindow *self, const Search *search)
{
  PlgPlacing *placing = self->placing;
  g_autoptr (PlgPlan) proposal = plg_plan_copy (search->plan);
  g_autofree char *gap = plg_place_describe_gap (&search->result);
  g_autofree char *moves = NULL;
  g_autofree char *change = NULL;
  g_autofree char *text = NULL;

  plg_placement_copy (&proposal->placement, &search->result.placement);
  if (plg_placement_equal (&proposal->placement, &search->plan->placement))
    {
      text = search->result.is_optimal
                 ? g_strdup (gap)
                 : g_strdup_printf (_ ("No faster placement was found. %s"), gap);
      hide_bar (self);
      plg_window_toast (self, text);
      return;
    }
  moves = plg_place_describe_moves (search->plan, &search->result, MOST_LISTED);
  placing->proposal = g_steal_pointer (&proposal);
  plg_document_preview (self->document, placing->proposal);
  change = plg_fault_impact_describe_change (moves, plg_document_committed_report (self->document),
                                             plg_document_report (self->document));
  text = g_strdup_printf ("%s. %s", change, gap);
  show_bar (self, text, FALSE);
}

static void
search_done_cb (GObject *source, GAsyncResult *result, gpointer data)
{
  PlgWindow *self = PLG_WINDOW (source);
  Search *search = g_task_get_task_data (G_TASK (result));
  g_autoptr (GError) error = NULL;
  gboolean is_done = g_task_propagate_boolean (G_TASK (result), &error);

  /* A search that was cancelled, or whose window is closing, has no owner in the window. */
  if (self->placing == NULL || self->placing->search != search)
    return;
  g_clear_handle_id (&self->placing->progress_timeout_id, g_source_remove);
  g_clear_pointer (&self->placing->search, search_unref);
  if (!is_done)
    {
      hide_bar (self);
      plg_window_toast (self, error->message);
    }
  else
    propose (self, search);
}

/* Applies the placement that is shown, in one undo step. */
static void
apply (PlgWindow *self)
{
  g_autoptr (PlgPlan) proposal = g_steal_pointer (&self->placing->proposal);
  g_autoptr (PlgReport)
                 before = plg_report_ref ((PlgReport *)
                                              plg_document_committed_report (self->document));
  g_autoptr (GError) error = NULL;
  g_autofree char *message = NULL;

  hide_bar (self);
  plg_document_preview (self->document, NULL);
  if (plg_document_apply (self->document, proposal, _ ("Fastest placement"), NULL, &error))
    message = plg_fault_impact_describe_change (_ ("Fastest placement"), before,
                                                plg_document_committed_report (self->document));
  plg_window_toast (self, message != NULL ? message : error->message);
}

static void
place_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  PlgWindow *self = PLG_WINDOW (widget);
  PlgPlacing *placing = self->placing;
  g_autoptr (GTask) task = NULL;
  Search *search;

  if (placing->proposal != NULL)
    {
      apply (self);
      return;
    }
  if (placing->search != NULL || plg_document_is_previewing (self->document))
    return;
  search = g_new0 (Search, 1);
  g_atomic_ref_count_init (&search->ref_count);
  g_atomic_ref_count_inc (&search->ref_count);
  search->plan = plg_plan_copy (plg_document_committed_plan (self->document));
  placing->search = search;
  placing->progress_timeout_id = g_timeout_add (PROGRESS_DELAY_MILLISECONDS, show_progress_cb,
                                                self);
  task = g_task_new (self, NULL, search_done_cb, NULL);
  g_task_set_task_data (task, search, search_unref);
  g_task_run_in_thread (task, run_search);
}

static void
place_apply_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  if (PLG_WINDOW (widget)->placing->proposal != NULL)
    apply (PLG_WINDOW (widget));
}

static void
place_leave_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  leave (PLG_WINDOW (widget));
}

/* A change in the plan makes the search and the proposal obsolete. */
static void
document_changed_cb (PlgWindow *self)
{
  PlgPlacing *placing = self->placing;

  if (placing == NULL)
    return;
  if (placing->proposal != NULL && !plg_document_is_previewing (self->document))
    leave (self);
  else if (placing->search != NULL &&
           !plg_plan_same_design (placing->search->plan,
                                  plg_document_committed_plan (self->document)))
    leave (self);
}

static gboolean
escape_cb (GtkWidget *widget, GVariant *value, gpointer data)
{
  return leave (PLG_WINDOW (widget));
}

void
plg_window_install_placing (GtkWidgetClass *widget_class)
{
  gtk_widget_class_install_action (widget_class, "win.place", NULL, place_action);
  gtk_widget_class_install_action (widget_class, "win.place-apply", NULL, place_apply_action);
  gtk_widget_class_install_action (widget_class, "win.place-leave", NULL, place_leave_action);
  gtk_widget_class_add_binding (widget_class, GDK_KEY_Escape, 0, escape_cb, NULL);
  gtk_widget_class_bind_template_child (widget_class, PlgWindow, place_bar);
  gtk_widget_class_bind_template_child (widget_class, PlgWindow, place_spinner);
  gtk_widget_class_bind_template_child (widget_class, PlgWindow, place_text);
  gtk_widget_class_bind_template_child (widget_class, PlgWindow, place_leave);
  gtk_widget_class_bind_template_child (widget_class, PlgWindow, place_apply);
}

void
plg_window_set_up_placing (PlgWindow *self)
{
  self->placing = g_new0 (PlgPlacing, 1);
  g_signal_connect_object (self->document, "changed", G_CALLBACK (document_changed_cb), self,
                           G_CONNECT_SWAPPED);
}

void
plg_window_clear_placing (PlgWindow *self)
{
  PlgPlacing *placing = self->placing;

  if (placing == NULL)
    return;
  g_clear_handle_id (&placing->progress_timeout_id, g_source_remove);
  if (placing->search != NULL)
    g_atomic_int_set (&placing->search->control.is_cancelled, TRUE);
  g_clear_pointer (&placing->search, search_unref);
  g_clear_pointer (&placing->proposal, plg_plan_free);
  g_clear_pointer (&self->placing, g_free);
}
