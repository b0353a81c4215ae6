/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "widgets/pace.h"

typedef struct
{
  GtkWidget *widget; /* owns this */
  PlgDocument *document;
  guint tick_id; /* 0: nothing is put off */
  int ticks;
} Pace;

static void
pace_free (gpointer data)
{
  Pace *pace = data;

  plg_document_set_pace (pace->document, NULL, NULL);
  g_object_unref (pace->document);
  g_free (pace);
}

/* The first tick is that of the frame that shows the cluster. */
static gboolean
tick_cb (GtkWidget *widget, GdkFrameClock *clock, gpointer data)
{
  Pace *pace = data;

  if (pace->ticks++ == 0 || plg_document_catch_up (pace->document))
    return G_SOURCE_CONTINUE;
  pace->tick_id = 0;
  return G_SOURCE_REMOVE;
}

/* Without frames there is no next one. */
static gboolean
put_off_cb (gpointer data)
{
  Pace *pace = data;

  if (!gtk_widget_get_mapped (pace->widget))
    return FALSE;
  if (pace->tick_id == 0)
    {
      pace->ticks = 0;
      pace->tick_id = gtk_widget_add_tick_callback (pace->widget, tick_cb, pace, NULL);
    }
  return TRUE;
}

void
plg_pace_install (GtkWidget *widget, PlgDocument *document)
{
  Pace *pace;

  g_return_if_fail (GTK_IS_WIDGET (widget) && PLG_IS_DOCUMENT (document));

  pace = g_new0 (Pace, 1);
  pace->widget = widget;
  pace->document = g_object_ref (document);
  g_object_set_data_full (G_OBJECT (widget), "plg-pace", pace, pace_free);
  plg_document_set_pace (document, put_off_cb, pace);
}
