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
  PlgPlan *redacted_plan; /* the current value without what is hidden of it; NULL: all is shown */
  PlgReport *report;
  PlgPlan *preview;
  PlgReport *preview_report;
  PlgHighlightModel *spotlight;
  PlgDocumentDeferFunc defer_func;
  gpointer defer_data;
  guint deferred_signals, last_deferred; /* which of NUMBERS_LAG and PICTURES_LAG */

  GFile *file;
  char *file_state; /* as it was read or written last */
  PlgPlanSource *source;

  char *merge_key;
  gint64 merge_time;

  guint redaction; /* PlgRedaction bits */
  PlgDocumentRedactFunc redact_func;
  gpointer redact_data;
  gboolean hides_findings; /* a lesson keeps findings back */
  char **unlocked_keys;    /* keys that can be changed; NULL: all */
  gboolean awaits_answer;  /* none of them yet */

  char *autosave_directory;
  char *autosave_path; /* NULL while there is no such file */
  guint autosave_seconds;
  guint autosave_timeout_id;
  gboolean is_saved_elsewhere; /* nothing of it is lost in a crash */

  /* What was notified last. */
  char *was_title;
  gboolean was_modified;
  gboolean could_undo;
  gboolean could_redo;
};

/* PLAN is all there is from now on. FILE and SOURCE, what it was read from, may be NULL. */
void
plg_document_replace (PlgDocument *self, const PlgPlan *plan, GFile *file, PlgPlanSource *source);
/* The current value, which passed plg_plan_check(), or what is hidden of it is another. */
void plg_document_current_changed (PlgDocument *self);
/* Notifies of each property that changed since the last time, and of no other. */
void plg_document_notify_state (PlgDocument *self);

/* document-lesson.c: whether PLAN differs from the current one only in what can be changed. */
gboolean plg_document_check_unlocked (PlgDocument *self, const PlgPlan *plan, GError **error);

/* document-file.c: FILE holds the plan as it is now. */
void plg_document_set_file (PlgDocument *self, GFile *file);

/* document-autosave.c: writes the recovery file now; FALSE when it could not be written. */
gboolean plg_document_write_recovery_file (PlgDocument *self);
/* After each change: in some seconds, or never where nothing is unsaved. */
void plg_document_schedule_autosave (PlgDocument *self);

G_END_DECLS
