/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "widgets/panels/panels-private.h"

#include "document/memory-limit.h"

#include <glib/gi18n-lib.h>

/* The tooltip of the memory panel shows how far single settings can go before the memory is full.
 * The limits are computed on another thread when the pointer first rests on the panel. */

static const char *const keys[] = { "training.sequence", "training.micro-batch", "model.layers",
                                    "cluster.nodes", NULL };

static void
found_cb (GObject *source, GAsyncResult *result, gpointer data)
{
  g_autoptr (PlgPanels) self = data;
  g_autoptr (GPtrArray) limits = plg_memory_limits_find_finish (result, NULL);
  g_autoptr (GString) text = NULL;

  /* Cancelled work belongs to a former plan. */
  if (limits == NULL || self->document == NULL)
    return;
  text = g_string_new (limits->len > 0 ? _ ("With all other settings as they are:") : NULL);
  for (guint i = 0; i < limits->len; i++)
    {
      const PlgMemoryLimit *limit = g_ptr_array_index (limits, i);

      g_string_append_printf (text, "\n%s: %s", _ (limit->setting->title), limit->text);
      if (limit->reason != NULL)
        g_string_append_printf (text, ". %s", limit->reason);
    }
  g_clear_object (&self->limits_cancellable);
  self->memory_limits = g_string_free (g_steal_pointer (&text), FALSE);
  gtk_widget_trigger_tooltip_query (GTK_WIDGET (self->memory));
}

static gboolean
query_tooltip_cb (PlgPanels *self, int x, int y, gboolean is_keyboard, GtkTooltip *tooltip)
{
  /* A drag must not wait for the limits. */
  if (plg_document_is_previewing (self->document))
    return FALSE;
  if (self->memory_limits == NULL && self->limits_cancellable == NULL)
    {
      self->limits_cancellable = g_cancellable_new ();
      plg_memory_limits_find_async (self->document, keys, self->limits_cancellable, found_cb,
                                    g_object_ref (self));
    }
  if (self->memory_limits == NULL || *self->memory_limits == '\0')
    return FALSE;
  gtk_tooltip_set_text (tooltip, self->memory_limits);
  return TRUE;
}

void
plg_panels_forget_memory_limits (PlgPanels *self)
{
  if (self->limits_cancellable != NULL)
    g_cancellable_cancel (self->limits_cancellable);
  g_clear_object (&self->limits_cancellable);
  g_clear_pointer (&self->memory_limits, g_free);
}

void
plg_panels_enable_memory_limits (PlgPanels *self)
{
  gtk_widget_set_has_tooltip (GTK_WIDGET (self->memory), TRUE);
  g_signal_connect_object (self->memory, "query-tooltip", G_CALLBACK (query_tooltip_cb), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (self->document, "changed", G_CALLBACK (plg_panels_forget_memory_limits),
                           self, G_CONNECT_SWAPPED);
}
