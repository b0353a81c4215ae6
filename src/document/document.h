/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "document/edit-policy.h"
#include "document/highlight-model.h"
#include "engine/evaluate.h"
#include "io/registry/registry.h"
#include "io/runs/similar-runs.h"

#include <gio/gio.h>

G_BEGIN_DECLS

/* The open plan: its value, report, history and file. Every change in the plan goes through
 * plg_document_apply(), which also updates undo, the unsaved mark, autosave and the report. */
#define PLG_TYPE_DOCUMENT (plg_document_get_type ())
G_DECLARE_FINAL_TYPE (PlgDocument, plg_document, PLG, DOCUMENT, GObject)

/* Properties: "title" (of the plan), "modified", "can-undo", "can-redo", "file". Signal
 * "changed": the plan and the report have changed; also emitted during the preview of a drag.
 * Signal "numbers-changed": emitted after "changed" for widgets next to the picture. Several
 * previews may share one emission up to a frame later (plg_document_set_defer_func()), but the
 * last preview is always followed by an emission. Signal "pictures-changed": emitted another
 * frame later, for widgets that take long to draw. Signal "data-dropped" (message): emitted
 * last, if a step has dropped a manual placement that does not fit the new degrees, nesting
 * order or nodes, or has dropped the topology of a node that has changed. */

PlgDocument *plg_document_new (PlgCatalogue *catalogue);

PlgCatalogue *plg_document_catalogue (PlgDocument *self);
/* Returns the plan that the user sees: the previewed plan during a preview, otherwise the
 * committed plan. Borrowed until the next change. */
const PlgPlan *plg_document_plan (PlgDocument *self);
/* Returns a copy of the plan that the user sees, with the current view. An edit starts from it, so
 * that it changes what is on the screen, even while a found plan is previewed. Free with
 * plg_plan_free(). */
PlgPlan *plg_document_plan_to_edit (PlgDocument *self) G_GNUC_WARN_UNUSED_RESULT;
/* Returns the report of plg_document_plan() with links, timeline and findings. Never NULL. */
const PlgReport *plg_document_report (PlgDocument *self);
/* Returns the model of the pointed-at and pinned entities in plg_document_report(). The entities
 * are up to date when "changed" is emitted. */
PlgHighlightModel *plg_document_highlight_model (PlgDocument *self);
/* Returns the committed plan, even during a preview. */
const PlgPlan *plg_document_committed_plan (PlgDocument *self);
/* Returns the committed plan, even during a preview, including the parts that a lesson hides.
 * This plan may be saved or edited, but must not be shown. */
const PlgPlan *plg_document_unredacted_plan (PlgDocument *self);
const PlgReport *plg_document_committed_report (PlgDocument *self);
/* Returns the published runs that are like the committed plan, or NULL if there is no comparison:
 * with a textbook profile, or while a lesson hides the step time. Borrowed until the next call. The
 * first call takes about 10 ms, and a call after a change of model, cluster or layout about 1 ms;
 * other calls compute nothing. */
const PlgSimilarRuns *plg_document_similar_runs (PlgDocument *self);
/* Returns the result of the last call of plg_document_similar_runs(), or NULL if there was none or
 * if there is no comparison now. Computes nothing, so that a drag may call it. */
const PlgSimilarRuns *plg_document_known_similar_runs (PlgDocument *self);
/* Returns the plan as it was last read from or written to its file, or NULL if the plan has no file
 * in the format of the program. Borrowed until the next save. */
const PlgPlan *plg_document_saved_plan (PlgDocument *self);

/* Makes PLAN (copied) the current plan in one undo step named LABEL (translated, for example
 * "Tensor degree 4"). Steps with the same non-NULL MERGE_KEY within a second become one step. A
 * plan that equals the current plan changes nothing, and a change in the view alone adds no undo
 * step. If PLAN fails plg_plan_check(), returns FALSE with ERROR and changes nothing. */
gboolean plg_document_apply (PlgDocument *self,
                             const PlgPlan *plan,
                             const char *label,
                             const char *merge_key,
                             GError **error);
/* Sets the setting KEY to VALUE in one undo step. */
gboolean plg_document_set (PlgDocument *self, const char *key, const char *value, GError **error);

/* Change the variants of the committed plan, each in one undo step. The functions return FALSE with
 * ERROR if the name is not allowed, if a variant has the design already, if the plan has
 * PLG_MAX_VARIANTS variants or if a lesson forbids the change. INDEX is the index of an existing
 * variant. */
/* Adds the design of the plan that the user sees under NAME, or under a name such as "TP 8, PP 4,
 * DP 2" if NAME is NULL. */
gboolean plg_document_add_variant (PlgDocument *self, const char *name, GError **error);
gboolean
plg_document_rename_variant (PlgDocument *self, int index, const char *name, GError **error);
gboolean plg_document_remove_variant (PlgDocument *self, int index, GError **error);
/* Gives the plan the design of a variant. The variant stays in the list. */
gboolean plg_document_switch_to_variant (PlgDocument *self, int index, GError **error);

/* Sets the view, which is saved with the plan. A change in the view adds no undo step, does not
 * mark the plan as unsaved, and survives undo and redo. Emits "changed". */
void plg_document_set_view (PlgDocument *self, const PlgView *view);

/* Shows PLAN as a preview, which adds no undo step. NULL ends the preview. Each call evaluates
 * at most one plan. */
gboolean plg_document_preview (PlgDocument *self, const PlgPlan *plan);
gboolean plg_document_is_previewing (PlgDocument *self);

/* Called at each preview and at the end of the preview. By returning TRUE, the function promises
 * that plg_document_emit_deferred() will be called soon. If it returns FALSE, or if no function
 * is set, "numbers-changed" and "pictures-changed" are emitted immediately. */
typedef gboolean (*PlgDocumentDeferFunc) (gpointer data);
void
plg_document_set_defer_func (PlgDocument *self, PlgDocumentDeferFunc defer_func, gpointer data);
/* Emits one of the deferred signals "numbers-changed" and "pictures-changed". While changes
 * continue, the calls alternate between the two signals. Returns whether the other signal is
 * still deferred. */
gboolean plg_document_emit_deferred (PlgDocument *self);

/* Installs POLICY; NULL removes the current policy. The parts that POLICY hides are removed from
 * every plan, report and file that the document hands out, and changes to the locked parts are
 * refused. Emits "changed". */
void plg_document_set_policy (PlgDocument *self, const PlgEditPolicy *policy);
/* Returns the installed policy (borrowed), never NULL. The bits that the policy's PlgRedactFunc
 * adds for a particular plan are not in the policy's redaction but in the redaction of that
 * plan's report. */
const PlgEditPolicy *plg_document_policy (PlgDocument *self);

gboolean plg_document_undo (PlgDocument *self);
gboolean plg_document_redo (PlgDocument *self);
/* Returns the label of the step that undo would revert, such as "Tensor degree 4", or NULL if
 * there is nothing to undo. */
const char *plg_document_undo_label (PlgDocument *self);
const char *plg_document_redo_label (PlgDocument *self);

gboolean plg_document_is_modified (PlgDocument *self);
GFile *plg_document_file (PlgDocument *self);
char *plg_document_display_name (PlgDocument *self);

/* Returns whether FILE is a pipe or a device. Such a file is never read, because it may be
 * endless and can be read only once. */
gboolean plg_document_file_may_block (GFile *file);
/* Loads the bytes of FILE and sets *NAME (g_free()) to the name of FILE for messages. */
GBytes *plg_document_load_file (GFile *file, char **name, GError **error);
/* Reads FILE, or BYTES called NAME. Values that are missing in the file come from the committed
 * plan. Does not change the document. */
PlgImportResult *plg_document_read (PlgDocument *self, GFile *file, GError **error);
PlgImportResult *
plg_document_read_bytes (PlgDocument *self, GBytes *bytes, const char *name, GError **error);

/* Replaces the document with the plan in FILE; after a failure the old plan is kept. *NOTICE
 * (may be NULL) receives a message for the user; free it with g_free(). If FILE is not plan XML,
 * the document has no file to save to. */
gboolean plg_document_open (PlgDocument *self, GFile *file, char **notice, GError **error);
/* Replaces the document like plg_document_open(), but with IMPORT, which was read from FILE. */
void plg_document_open_import (PlgDocument *self,
                               GFile *file,
                               const PlgImportResult *import,
                               char **notice);
gboolean plg_document_save (PlgDocument *self, GFile *file, GError **error);
/* Returns whether another program has written the file since this document last opened or saved
 * it. */
gboolean plg_document_file_changed (PlgDocument *self);
/* Returns the content that saving the plan would write to its file. */
GBytes *plg_document_plan_bytes (PlgDocument *self);
/* Writes BYTES like plg_write_file(), even if FILE is not on a local disk. */
gboolean plg_document_write_file (GFile *file, GBytes *bytes, GError **error);

/* Opens a copy of PLAN as an unsaved plan without a name; NULL opens the default plan. PLAN must
 * pass plg_plan_check(). */
void plg_document_reset (PlgDocument *self, const PlgPlan *plan);

/* Turns on recovery: SECONDS after a change, the unsaved plan is written to a file in DIRECTORY.
 * The file is removed when the plan is saved or discarded. Without a directory, recovery is off
 * (tests, command line). */
void plg_document_set_autosave (PlgDocument *self, const char *directory, guint seconds);
void plg_document_discard_autosave (PlgDocument *self);
/* Sets whether the plan belongs to a lesson and is saved with the lesson. Such a plan gets no
 * recovery file. */
void plg_document_set_saved_elsewhere (PlgDocument *self, gboolean is_kept);
/* Returns a NULL-terminated array with the paths of the plans that a crash left in DIRECTORY. */
char **plg_document_find_recoverable (const char *directory);
gboolean plg_document_recover (PlgDocument *self, const char *path, GError **error);

G_END_DECLS
