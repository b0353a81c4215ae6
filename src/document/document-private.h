/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "document/document.h"
#include "document/history.h"

G_BEGIN_DECLS

struct _PlgDocument
{
  GObject parent_instance;

  PlgCatalogue *catalogue;
  PlgHistory *history;
  PlgPlan *redacted_plan; /* the current value without its hidden parts; NULL when nothing is
                             hidden */
  PlgReport *report;
  PlgPlan *preview;
  PlgReport *preview_report;
  PlgHighlightModel *spotlight;
  PlgDocumentDeferFunc defer_func;
  gpointer defer_data;
  guint deferred_signals, last_deferred; /* NUMBERS_LAG and PICTURES_LAG bits */

  GFile *file;
  char *file_state; /* the state of the file when it was last read or written */
  PlgPlanSource *source;

  char *merge_key;
  gint64 merge_time;

  PlgEditPolicy policy;
  char **policy_keys; /* owned; the keys of POLICY */

  char *autosave_directory;
  char *autosave_path; /* NULL while no recovery file exists */
  guint autosave_seconds;
  guint autosave_timeout_id;
  gboolean is_saved_elsewhere; /* a crash loses nothing of this plan */

  /* The values of the last notification. */
  char *was_title;
  gboolean was_modified;
  gboolean could_undo;
  gboolean could_redo;
};

/* Replaces the whole document with PLAN. FILE and SOURCE, from which PLAN was read, may be NULL. */
void
plg_document_replace (PlgDocument *self, const PlgPlan *plan, GFile *file, PlgPlanSource *source);
/* Follows a change of the current value, which passed plg_plan_check(), or of its hidden parts. */
void plg_document_current_changed (PlgDocument *self);
/* Notifies each property that changed since the last call. */
void plg_document_notify_state (PlgDocument *self);

/* Sets FILE as the file that holds the current plan (document-file.c). */
void plg_document_set_file (PlgDocument *self, GFile *file);

/* Writes the recovery file now (document-autosave.c). Returns FALSE when the file cannot be
 * written. */
gboolean plg_document_write_recovery_file (PlgDocument *self);
/* Schedules the recovery file some seconds after a change, or cancels it when everything is
 * saved. */
void plg_document_schedule_autosave (PlgDocument *self);

G_END_DECLS
