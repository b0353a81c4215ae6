/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "document/document.h"
#include "document/history.h"
#include "io/runs/similar-runs.h"

G_BEGIN_DECLS

struct _PlgDocument
{
  GObject parent_instance;

  PlgCatalogue *catalogue;
  PlgHistory *history;
  PlgPlan *redacted_plan; /* the current plan without the parts that a lesson hides; NULL if
                             nothing is hidden */
  PlgReport *report;
  PlgPlan *preview;
  PlgReport *preview_report;
  PlgHighlightModel *spotlight;
  PlgDocumentDeferFunc defer_func;
  gpointer defer_data;
  /* the deferred signals that must still be emitted, and the deferred signal that was emitted
   * last; flags NUMBERS_DEFERRED and PICTURES_DEFERRED */
  guint deferred_signals, last_deferred;

  GFile *file;
  char *file_state; /* the state of the file after it was last read or written */
  PlgPlanSource *source;

  char *merge_key;
  gint64 merge_time;

  PlgEditPolicy policy;
  char **policy_keys; /* owned; the keys of POLICY */

  PlgPublishedRuns *runs; /* NULL until they are needed */
  PlgSimilarRuns similar; /* the runs like the plan with the traits in SIMILAR; needs RUNS */
  gboolean has_similar;

  char *autosave_directory;
  char *autosave_path; /* NULL if no recovery file exists */
  guint autosave_seconds;
  guint autosave_timeout_id;
  gboolean is_saved_elsewhere; /* whether the plan is saved with its lesson and therefore needs
                                  no recovery file */

  /* The values of the properties at the last notification. */
  char *was_title;
  gboolean was_modified;
  gboolean could_undo;
  gboolean could_redo;
};

/* Replaces the whole document with PLAN. FILE is the file from which PLAN was read, and SOURCE
 * is the content of FILE. Both may be NULL. */
void
plg_document_replace (PlgDocument *self, const PlgPlan *plan, GFile *file, PlgPlanSource *source);
/* Updates the report and emits "changed" after a change of the current plan or of the settings
 * that a lesson hides. The current plan must have passed plg_plan_check(). */
void plg_document_current_changed (PlgDocument *self);
/* Notifies each property that has changed since the last call. */
void plg_document_notify_state (PlgDocument *self);

/* Sets FILE as the file that contains the current plan (document-file.c). */
void plg_document_set_file (PlgDocument *self, GFile *file);

/* Writes the recovery file immediately (document-autosave.c). Returns FALSE if the file cannot
 * be written. */
gboolean plg_document_write_recovery_file (PlgDocument *self);
/* Schedules the recovery file to be written a few seconds after a change. If there are no unsaved
 * changes, cancels the scheduled write. */
void plg_document_schedule_autosave (PlgDocument *self);

G_END_DECLS
