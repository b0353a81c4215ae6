/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "widgets/deferred-update.h"

typedef struct
{
  GtkWidget *widget; /* the owner of this struct */
  PlgDocument *document;
  guint tick_id; /* 0 if no update is deferred */
  int ticks;
} DeferredUpdate;

static void
deferred_update_free (gpointer data)
{
  DeferredUpdate *update = data;

  plg_document_set_defer_func (update->document, NULL, NULL);
  g_object_unref (update->document);
  g_free (update);
}

/* Emits the deferred signals from the second tick on, because the first tick belongs to the
 * frame that draws the cluster. */
static gboolean
tick_cb (GtkWidget *widget, GdkFrameClock *clock, gpointer data)
{
  DeferredUpdate *update = data;

  if (update->ticks++ == 0 || plg_document_emit_deferred (update->document))
    return G_SOURCE_CONTINUE;
  update->tick_id = 0;
  return G_SOURCE_REMOVE;
}

/* Defers the signals until tick_cb() emits them. An unmapped widget has no ticks, so its signals
 * are not deferred. */
static gboolean
defer_cb (gpointer data)
{
  DeferredUpdate *update = data;

  if (!gtk_widget_get_mapped (update->widget))
    return FALSE;
  if (update->tick_id == 0)
    {
      update->ticks = 0;
      update->tick_id = gtk_widget_add_tick_callback (update->widget, tick_cb, update, NULL);
    }
  return TRUE;
}

void
plg_deferred_update_install (GtkWidget *widget, PlgDocument *document)
{
  DeferredUpdate *update;

  g_return_if_fail (GTK_IS_WIDGET (widget) && PLG_IS_DOCUMENT (document));

  update = g_new0 (DeferredUpdate, 1);
  update->widget = widget;
  update->document = g_object_ref (document);
  g_object_set_data_full (G_OBJECT (widget), "plg-deferred-update", update, deferred_update_free);
  plg_document_set_defer_func (document, defer_cb, update);
}
