/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "document/highlight-model.h"
#include "engine/evaluate.h"
#include "io/registry/format.h"

#include <gio/gio.h>

G_BEGIN_DECLS

/* The open plan: value, report, history, file. Everything that changes the plan passes
 * plg_document_apply(), so undo, the unsaved mark, autosave and the report cannot be forgotten. */
#define PLG_TYPE_DOCUMENT (plg_document_get_type ())
G_DECLARE_FINAL_TYPE (PlgDocument, plg_document, PLG, DOCUMENT, GObject)

/* Properties: "title" (of plan), "modified", "can-undo", "can-redo", "file". Signal "changed":
 * plan and report are new (also while a drag previews). Signal "numbers-changed": the same for all that
 * stands beside the picture, after "changed"; it may come once for several previews, and a frame
 * later (plg_document_set_defer_func()), but always comes after the last. Signal "pictures-changed": the same
 * again, yet a frame later, for what takes long to draw. Signal "data-dropped" (message), after them: a
 * step gave up a placement made by hand, since other degrees, orders or nodes have no use for it,
 * or the map of the node, since its nodes are others. */

PlgDocument *plg_document_new (PlgCatalogue *catalogue);

PlgCatalogue *plg_document_catalogue (PlgDocument *self);
/* What is shown: the preview while there is one, else the plan. Borrowed until the next change. */
const PlgPlan *plg_document_plan (PlgDocument *self);
/* Of plg_document_plan(), with links, timeline and findings. Never NULL. */
const PlgReport *plg_document_report (PlgDocument *self);
/* What people point at and have pinned, of plg_document_report(). Its things are up to date when
 * "changed" is emitted. */
PlgHighlightModel *plg_document_highlight_model (PlgDocument *self);
/* The plan without preview. */
const PlgPlan *plg_document_committed_plan (PlgDocument *self);
/* The same with what a lesson hides of it: to be kept or gone on with, not to be shown. */
const PlgPlan *plg_document_unredacted_plan (PlgDocument *self);
const PlgReport *plg_document_committed_report (PlgDocument *self);

/* PLAN (copied) becomes the current value as one step named LABEL (translated: "Tensor degree 4").
 * Steps with the same non-NULL MERGE_KEY within a second become one. Nothing happens when it
 * equals the current plan, and no step is made of what differs in the view alone. FALSE with ERROR,
 * nothing changed, when it fails plg_plan_check(). */
gboolean plg_document_apply (PlgDocument *self,
                             const PlgPlan *plan,
                             const char *label,
                             const char *merge_key,
                             GError **error);
/* "KEY=VALUE" pairs as one step. */
gboolean plg_document_set (PlgDocument *self, const char *key, const char *value, GError **error);

/* How the plan is looked at: saved with it, but no step, no reason to save, and the same through
 * undo and redo. Emits "changed". */
void plg_document_set_view (PlgDocument *self, const PlgView *view);

/* Shows PLAN without making it a step; NULL ends the preview. One evaluation at most a call. */
gboolean plg_document_preview (PlgDocument *self, const PlgPlan *plan);
gboolean plg_document_is_previewing (PlgDocument *self);

/* Asked at each preview and when it ends; TRUE: plg_document_emit_deferred() will be called soon, FALSE:
 * "numbers-changed" and "pictures-changed" are emitted at once, as they are without a PACE. */
typedef gboolean (*PlgDocumentDeferFunc) (gpointer data);
void
plg_document_set_defer_func (PlgDocument *self, PlgDocumentDeferFunc defer_func, gpointer data);
/* Emits "numbers-changed" or "pictures-changed" where that was put off; while changes go on, in turns. Returns
 * whether the other is left. */
gboolean plg_document_emit_deferred (PlgDocument *self);

/* While a lesson is played: what VEIL (PlgRedaction bits) hides is in no plan, report or file that the
 * document gives away, and only KEYS ("parallelism.pp", "training.*", "placement"; NULL: all) can
 * be changed. Emits "changed". */
void plg_document_set_lesson (PlgDocument *self, guint redaction, const char *const *keys);
/* What is hidden besides of PLAN, as soon as that is open or previewed, since a question asks for
 * it; REPORT is the whole one. The plan itself is not hidden so. NULL: no more for DATA. */
typedef guint (*PlgDocumentRedactFunc) (gpointer data,
                                        const PlgPlan *plan,
                                        const PlgReport *report);
void
plg_document_set_redact_func (PlgDocument *self, PlgDocumentRedactFunc redact_func, gpointer data);
/* Without what is hidden besides: the veil of a report has both. */
guint plg_document_redaction (PlgDocument *self);
/* Whether what is free waits for an answer, as all else is kept, from the next
 * plg_document_set_lesson() on; at first it does not. */
void plg_document_set_awaits_answer (PlgDocument *self, gboolean awaits_answer);
/* Whether reports have findings, from the next plg_document_set_lesson() on; at first they have. A
 * step of a lesson keeps them back that would tell what a later one asks. */
void plg_document_set_has_findings (PlgDocument *self, gboolean advised);
gboolean plg_document_has_findings (PlgDocument *self);
gboolean plg_document_can_change (PlgDocument *self, const char *key);
/* Why KEY cannot be changed, for people; NULL where it can. */
const char *plg_document_lock_reason (PlgDocument *self, const char *key);
/* Whether a lesson holds the plan and names KEY itself as what can be changed: what a step is
 * about, where "training.*" only gives room. */
gboolean plg_document_is_lesson_setting (PlgDocument *self, const char *key);

gboolean plg_document_undo (PlgDocument *self);
gboolean plg_document_redo (PlgDocument *self);
/* What would be undone: "Tensor degree 4", or NULL. */
const char *plg_document_undo_label (PlgDocument *self);
const char *plg_document_redo_label (PlgDocument *self);

gboolean plg_document_is_modified (PlgDocument *self);
GFile *plg_document_file (PlgDocument *self);
char *plg_document_display_name (PlgDocument *self);

/* Whether FILE is a pipe or a device: it may never end, and what was read from it once is gone. It
 * is not read. */
gboolean plg_document_file_may_block (GFile *file);
/* Reads FILE, or BYTES called NAME, putting a part of a plan into the committed plan. Nothing is
 * changed yet. */
PlgImportResult *plg_document_read (PlgDocument *self, GFile *file, GError **error);
PlgImportResult *
plg_document_read_bytes (PlgDocument *self, GBytes *bytes, const char *name, GError **error);

/* Replaces everything; the old plan is kept when this fails. *NOTICE (may be NULL): what people
 * should know, g_free(). A file that is not plan XML opens without a file to save to. */
gboolean plg_document_open (PlgDocument *self, GFile *file, char **notice, GError **error);
gboolean plg_document_save (PlgDocument *self, GFile *file, GError **error);
/* Whether another program has written the file since it was opened or saved here. */
gboolean plg_document_file_changed (PlgDocument *self);
/* The plan as it would be saved. */
GBytes *plg_document_plan_bytes (PlgDocument *self);
/* plg_write_file(), also for files that are not on a disk of this machine. */
gboolean plg_document_write_file (GFile *file, GBytes *bytes, GError **error);

/* The default plan, or PLAN (which passes plg_plan_check()), unsaved and unnamed. */
void plg_document_reset (PlgDocument *self, const PlgPlan *plan);

/* Recovery: writes the unsaved plan to the state directory some seconds after a change, and
 * removes it when saved or given up. Off until a directory is set (tests, command line). */
void plg_document_set_autosave (PlgDocument *self, const char *directory, guint seconds);
void plg_document_discard_autosave (PlgDocument *self);
/* Of a lesson's plan, which comes back with the lesson: no recovery file is written for it. */
void plg_document_set_saved_elsewhere (PlgDocument *self, gboolean is_kept);
/* Paths of plans that a crash left in DIRECTORY; NULL-terminated. */
char **plg_document_find_recoverable (const char *directory);
gboolean plg_document_recover (PlgDocument *self, const char *path, GError **error);

G_END_DECLS
