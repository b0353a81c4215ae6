/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "app/window/window-private.h"

#include "document/layer-balance.h"
#include "engine/report/redaction.h"

#include <glib/gi18n.h>

/* The search for the layout of layers with the least longest stage. */
typedef struct
{
  PlgPlan *before; /* the committed plan at the start */
  gboolean hides_time;
  PlgPlan *after; /* the plan with the layout, or NULL if the layers stay */
  char *text;     /* a sentence about the result */
} Balancing;

static void
balancing_free (gpointer data)
{
  Balancing *balancing = data;

  plg_plan_free (balancing->before);
  plg_plan_free (balancing->after);
  g_free (balancing->text);
  g_free (balancing);
}

static void
run_balancing (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  Balancing *balancing = data;
  g_autoptr (GError) error = NULL;

  balancing->after = plg_layer_balance (balancing->before, balancing->hides_time, &balancing->text,
                                        &error);
  if (error != NULL)
    g_task_return_error (task, g_steal_pointer (&error));
  else
    g_task_return_boolean (task, TRUE);
}

/* Applies the layout in one undo step, unless the plan has changed meanwhile. */
static void
balanced_cb (GObject *source, GAsyncResult *result, gpointer data)
{
  PlgWindow *self = PLG_WINDOW (source);
  Balancing *balancing = g_task_get_task_data (G_TASK (result));
  g_autoptr (GError) error = NULL;

  /* A window that is closing has no document. */
  if (self->document == NULL)
    return;
  if (g_task_propagate_boolean (G_TASK (result), &error) && balancing->after != NULL)
    {
      const PlgPlan *now = plg_document_committed_plan (self->document);

      if (plg_document_is_previewing (self->document) ||
          !plg_plan_same_design (balancing->before, now))
        return;
      balancing->after->view = now->view;
      plg_document_apply (self->document, balancing->after, _ ("Balanced layers"), NULL, &error);
    }
  plg_window_toast (self, error != NULL ? error->message : balancing->text);
}

static void
balance_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  PlgWindow *self = PLG_WINDOW (widget);
  const PlgReport *report = plg_document_committed_report (self->document);
  g_autoptr (GTask) task = NULL;
  Balancing *balancing;

  if (plg_document_is_previewing (self->document))
    {
      plg_window_toast (self, _ ("Leave the preview first, with Escape; then balance the layers."));
      return;
    }
  balancing = g_new0 (Balancing, 1);
  balancing->before = plg_plan_copy (plg_document_committed_plan (self->document));
  balancing->hides_time = plg_report_hides (report, PLG_REDACT_TIME | PLG_REDACT_BUSY);
  task = g_task_new (self, NULL, balanced_cb, NULL);
  g_task_set_task_data (task, balancing, balancing_free);
  g_task_run_in_thread (task, run_balancing);
}

void
plg_window_install_balancing (GtkWidgetClass *widget_class)
{
  gtk_widget_class_install_action (widget_class, "win.balance", NULL, balance_action);
}
