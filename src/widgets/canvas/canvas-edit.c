/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* Edits the document and announces the results of edits. */

#include "widgets/canvas/canvas-private.h"

#include "document/fault-impact.h"

void
plg_canvas_emit_refused (PlgCanvas *self, const GError *error)
{
  plg_canvas_announce (self, error->message);
  g_signal_emit_by_name (self, "refused", error->message);
}

void
plg_canvas_emit_announced (PlgCanvas *self, const char *message)
{
  plg_canvas_announce (self, message);
  g_signal_emit_by_name (self, "announced", message);
}

gboolean
plg_canvas_apply (PlgCanvas *self, const PlgPlan *plan, const char *label)
{
  g_autoptr (PlgReport) before = NULL;
  g_autoptr (GError) error = NULL;
  g_autofree char *message = NULL;

  before = plg_report_ref ((PlgReport *) plg_document_report (self->document));
  if (!plg_document_apply (self->document, plan, label, NULL, &error))
    {
      plg_canvas_emit_refused (self, error);
      return FALSE;
    }
  message = plg_fault_impact_describe_change (label, before,
                                              plg_document_committed_report (self->document));
  plg_canvas_emit_announced (self, message);
  return TRUE;
}
