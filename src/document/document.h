/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "document/edit-policy.h"
#include "document/highlight-model.h"
#include "engine/evaluate.h"
#include "io/registry/registry.h"

#include <gio/gio.h>

G_BEGIN_DECLS

/* The open plan: value, report, history, file. Every change of the plan passes
 * plg_document_apply(), which also handles undo, the unsaved mark, autosave and the report. */
#define PLG_TYPE_DOCUMENT (plg_document_get_type ())
G_DECLARE_FINAL_TYPE (PlgDocument, plg_document, PLG, DOCUMENT, GObject)

/* Properties: "title" (of the plan), "modified", "can-undo", "can-redo", "file". Signal
 * "changed": the plan and the report are new, also during the preview of a drag. Signal
 * "numbers-changed": emitted after "changed" for widgets beside the picture; several previews
 * may share one emission, up to a frame later (plg_document_set_defer_func()), but the last
 * preview always has one. Signal "pictures-changed": emitted yet a frame later, for widgets that
 * take long to draw. Signal "data-dropped" (message): emitted last, when a step dropped a manual
 * placement that does not fit the new degrees, order or nodes, or the map of a node that has
 * changed. */

PlgDocument *plg_document_new (PlgCatalogue *catalogue);

PlgCatalogue *plg_document_catalogue (PlgDocument *self);
/* Returns the visible plan: the preview while there is one, else the plan. Borrowed until the
 * next change. */
const PlgPlan *plg_document_plan (PlgDocument *self);
/* Returns the report of plg_document_plan() with links, timeline and findings. Never NULL. */
const PlgReport *plg_document_report (PlgDocument *self);
/* Returns the entities of plg_document_report() that people point at or have pinned. They are up
 * to date when "changed" is emitted. */
PlgHighlightModel *plg_document_highlight_model (PlgDocument *self);
/* Returns the plan without a preview. */
const PlgPlan *plg_document_committed_plan (PlgDocument *self);
/* Returns the plan without a preview, but with the parts that a lesson hides. It may be saved or
 * edited, but not shown. */
const PlgPlan *plg_document_unredacted_plan (PlgDocument *self);
const PlgReport *plg_document_committed_report (PlgDocument *self);

/* Makes PLAN (copied) the current value as one step named LABEL (translated: "Tensor degree 4").
 * Steps with the same non-NULL MERGE_KEY within a second become one. A plan that equals the
 * current one changes nothing, and a change of the view alone makes no step. Returns FALSE with
 * ERROR and changes nothing when PLAN fails plg_plan_check(). */
gboolean plg_document_apply (PlgDocument *self,
                             const PlgPlan *plan,
                             const char *label,
                             const char *merge_key,
                             GError **error);
/* Sets KEY to VALUE as one step. */
gboolean plg_document_set (PlgDocument *self, const char *key, const char *value, GError **error);

/* Sets the view, which is saved with the plan. A change of the view makes no step, needs no
 * saving, and survives undo and redo. Emits "changed". */
void plg_document_set_view (PlgDocument *self, const PlgView *view);

/* Shows PLAN without making it a step; NULL ends the preview. Evaluates at most once per call. */
gboolean plg_document_preview (PlgDocument *self, const PlgPlan *plan);
gboolean plg_document_is_previewing (PlgDocument *self);

/* Called at each preview and at its end. TRUE promises a call of plg_document_emit_deferred()
 * soon. FALSE emits "numbers-changed" and "pictures-changed" at once, which is the behaviour
 * without a function. */
typedef gboolean (*PlgDocumentDeferFunc) (gpointer data);
void
plg_document_set_defer_func (PlgDocument *self, PlgDocumentDeferFunc defer_func, gpointer data);
/* Emits the deferred "numbers-changed" or "pictures-changed", in turns while changes continue.
 * Returns whether the other signal is still deferred. */
gboolean plg_document_emit_deferred (PlgDocument *self);

/* Installs POLICY, or no policy for NULL: the document removes the hidden parts from every plan,
 * report and file that it hands out, and refuses changes of the fixed parts. Emits "changed". */
void plg_document_set_policy (PlgDocument *self, const PlgEditPolicy *policy);
/* The installed policy, never NULL. Its redaction lacks the further bits of the function; the
 * redaction of a report has both. Borrowed. */
const PlgEditPolicy *plg_document_policy (PlgDocument *self);

gboolean plg_document_undo (PlgDocument *self);
gboolean plg_document_redo (PlgDocument *self);
/* Returns the label of the step that undo would revert, such as "Tensor degree 4", or NULL. */
const char *plg_document_undo_label (PlgDocument *self);
const char *plg_document_redo_label (PlgDocument *self);

gboolean plg_document_is_modified (PlgDocument *self);
GFile *plg_document_file (PlgDocument *self);
char *plg_document_display_name (PlgDocument *self);

/* Returns whether FILE is a pipe or a device, which may never end and can be read only once.
 * Such a file is not read. */
gboolean plg_document_file_may_block (GFile *file);
/* Loads the bytes of FILE and sets *NAME (g_free()) to the name of FILE for messages. */
GBytes *plg_document_load_file (GFile *file, char **name, GError **error);
/* Reads FILE, or BYTES called NAME, and puts a partial plan into the committed plan. The
 * document does not change yet. */
PlgImportResult *plg_document_read (PlgDocument *self, GFile *file, GError **error);
PlgImportResult *
plg_document_read_bytes (PlgDocument *self, GBytes *bytes, const char *name, GError **error);

/* Replaces the document; a failure keeps the old plan. *NOTICE (may be NULL) receives a message
 * for the user, to be freed with g_free(). A file that is not plan XML opens without a file to
 * save to. */
gboolean plg_document_open (PlgDocument *self, GFile *file, char **notice, GError **error);
/* Does the same with IMPORT, which was read from FILE. */
void plg_document_open_import (PlgDocument *self,
                               GFile *file,
                               const PlgImportResult *import,
                               char **notice);
gboolean plg_document_save (PlgDocument *self, GFile *file, GError **error);
/* Returns whether another program has written the file since it was opened or saved here. */
gboolean plg_document_file_changed (PlgDocument *self);
/* Returns the plan as it would be saved. */
GBytes *plg_document_plan_bytes (PlgDocument *self);
/* Writes a file like plg_write_file(), also when the file is not on a disk of this machine. */
gboolean plg_document_write_file (GFile *file, GBytes *bytes, GError **error);

/* Opens the default plan, or PLAN (which passes plg_plan_check()), unsaved and unnamed. */
void plg_document_reset (PlgDocument *self, const PlgPlan *plan);

/* Sets up recovery: the unsaved plan is written to DIRECTORY some seconds after a change, and
 * the file is removed when the plan is saved or discarded. Recovery is off until a directory is
 * set (tests, command line). */
void plg_document_set_autosave (PlgDocument *self, const char *directory, guint seconds);
void plg_document_discard_autosave (PlgDocument *self);
/* Marks a plan that belongs to a lesson and is saved with it; no recovery file is written for
 * it. */
void plg_document_set_saved_elsewhere (PlgDocument *self, gboolean is_kept);
/* Paths of plans that a crash left in DIRECTORY; NULL-terminated. */
char **plg_document_find_recoverable (const char *directory);
gboolean plg_document_recover (PlgDocument *self, const char *path, GError **error);

G_END_DECLS
