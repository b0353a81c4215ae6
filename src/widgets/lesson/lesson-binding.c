/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "widgets/lesson/lesson-binding.h"

#include "engine/report/redaction.h"

static void
disconnect_update (gpointer object, void (*update) (gpointer owner), gpointer owner)
{
  if (object != NULL)
    g_signal_handlers_disconnect_by_func (object, G_CALLBACK (update), owner);
}

static void
connect_update (gpointer object, void (*update) (gpointer owner), gpointer owner)
{
  if (object != NULL)
    g_signal_connect_object (object, "changed", G_CALLBACK (update), owner, G_CONNECT_SWAPPED);
}

void
plg_lesson_binding_set (PlgLessonBinding *binding,
                        PlgDocument *document,
                        PlgLessonRun *run,
                        void (*update) (gpointer owner),
                        gpointer owner)
{
  disconnect_update (binding->document, update, owner);
  disconnect_update (binding->run, update, owner);
  g_set_object (&binding->document, document);
  g_set_object (&binding->run, run);
  connect_update (document, update, owner);
  connect_update (run, update, owner);
  if (document != NULL)
    update (owner);
}

const char *
plg_lesson_binding_number_text (const PlgReport *report, guint about, const char *text)
{
  const char *placeholder = plg_redaction_placeholder (report->redaction, about);

  return placeholder != NULL ? placeholder : text;
}
