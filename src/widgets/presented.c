/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "widgets/presented.h"

#include "engine/veil.h"

static void
forget (gpointer object, void (*update) (gpointer owner), gpointer owner)
{
  if (object != NULL)
    g_signal_handlers_disconnect_by_func (object, G_CALLBACK (update), owner);
}

static void
attend (gpointer object, void (*update) (gpointer owner), gpointer owner)
{
  if (object != NULL)
    g_signal_connect_object (object, "changed", G_CALLBACK (update), owner, G_CONNECT_SWAPPED);
}

void
plg_presented_follow (PlgPresented *presented,
                      PlgDocument *document,
                      PlgLessonRun *run,
                      void (*update) (gpointer owner),
                      gpointer owner)
{
  forget (presented->document, update, owner);
  forget (presented->run, update, owner);
  g_set_object (&presented->document, document);
  g_set_object (&presented->run, run);
  attend (document, update, owner);
  attend (run, update, owner);
  if (document != NULL)
    update (owner);
}

const char *
plg_presented_number (const PlgReport *report, guint about, const char *text)
{
  const char *veiled = plg_veil_words (report->veil, about);

  return veiled != NULL ? veiled : text;
}
