/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "io/import/plan-source.h"
#include "syntax/format-error.h"
#include "syntax/text-lines.h"

G_BEGIN_DECLS

/* The kinds of import notes. A note reports how a value was obtained from the file, or that it
 * was ignored. */
typedef enum
{
  PLG_NOTE_UNDERSTOOD, /* the file states the value */
  PLG_NOTE_INFERRED,   /* the value follows from the file or was changed to make the plan valid */
  PLG_NOTE_IGNORED,    /* the file states a value that plans do not have */
} PlgNoteKind;

typedef struct
{
  PlgNoteKind kind;
  int line;   /* line in the file, from 1; 0 if the note does not concern a single line */
  char *text; /* translated text: one sentence or "Name: value" */
} PlgNote;

/* A file and the settings read from it so far. Readers of whole plans replace PLAN. Readers of a
 * part (cluster, model, training set-up, placement) call the functions below, and PLAN keeps the
 * open plan's values for everything else. */
typedef struct
{
  const char *data; /* NUL-terminated; not necessarily UTF-8 */
  gsize size;
  const PlgCatalogue *catalogue;
  PlgPlan *plan;                 /* owned copy of the open plan or of the default plan */
  PlgPlanSource *source;         /* owned; set only by the reader of plan XML */
  GPtrArray *notes;              /* owned; element-type PlgNote */
  GPtrArray *settings;           /* owned; "KEY=VALUE" in the order of the file */
  GHashTable *lines;             /* owned; maps each setting's key to the line in the file that
                                    sets it */
  GHashTable *ignored;           /* owned set of the PLG_NOTE_IGNORED texts */
  PlgNodeTopology node_topology; /* owned; empty if the file describes no node */
  int *gpu_of_rank;              /* owned; the GPU of each rank, RANKS entries, or NULL */
  int ranks;
  gboolean is_one_host; /* whether the file describes a single host of a multi-host node */
} PlgImportContext;

/* plg_import_init:
 * @data: the file's text, borrowed and NUL-terminated
 * @size: length of @data [bytes]
 * @base: (nullable): the open plan; %NULL for the catalogue's default plan
 * @catalogue: the catalogue, borrowed
 *
 * Starts the import of a file. Free the contents with plg_import_clear(). */
void plg_import_init (PlgImportContext *context,
                      const char *data,
                      gsize size,
                      const PlgPlan *base,
                      const PlgCatalogue *catalogue);
void plg_import_clear (PlgImportContext *context);

/* plg_import_set:
 * @line: the line in the file, from 1; 0 if @value does not come from a single line
 * @key: a setting's key (setting.h)
 *
 * Records that the file sets @key to @value, replacing an earlier value of @key.
 *
 * Returns: whether @value is in range; if not, @error names the line */
gboolean plg_import_set (PlgImportContext *context,
                         int line,
                         const char *key,
                         const char *value,
                         GError **error);
gboolean plg_import_set_int (PlgImportContext *context,
                             int line,
                             const char *key,
                             gint64 value,
                             GError **error);
/* Works like plg_import_set(), but takes VALUE in the unit of the setting (GB/s, GiB, …). */
gboolean plg_import_set_number (PlgImportContext *context,
                                int line,
                                const char *key,
                                double value,
                                GError **error);
/* Records that KEY = VALUE follows from the file. WHY gives the reason in one translated
 * sentence. */
gboolean plg_import_infer (PlgImportContext *context,
                           int line,
                           const char *key,
                           const char *value,
                           const char *why,
                           GError **error);
/* Records the precision of the file. If the GPU of the plan cannot compute in it, records the next
 * precision in the order FP4, FP8, BF16, FP16, FP32 that the GPU has: a file of a training program
 * does not name the GPU. VALUE is a value of training.precision. */
gboolean
plg_import_set_precision (PlgImportContext *context, int line, const char *value, GError **error);
/* Records the recipe MXFP8 of the file, or the program's own recipe if the GPU of the plan cannot run
 * MXFP8: a file of a training program does not name the GPU. */
gboolean plg_import_set_mxfp8 (PlgImportContext *context, int line, GError **error);
/* Records that PROGRAM, a value of training.program, runs the file. The kernels are those of the
 * program, unless a comment that begins with REMARK (may be NULL) says that the exported plan had
 * chosen them. Returns FALSE with ERROR if the file contradicts PROGRAM. */
gboolean plg_import_infer_program (PlgImportContext *context,
                                   const char *program,
                                   const char *remark,
                                   GError **error);
/* If the value of KEY on LINE caused ERROR, replaces the setting's name in the message with
 * WORD, the name that the file uses. Always returns FALSE, so that a caller can return the
 * result. */
gboolean plg_import_error_rename (int line, const char *key, const char *word, GError **error);

/* Records KEY = VALUE without checking VALUE. Adds no note, because the caller has already added
 * one. */
void plg_import_set_derived (PlgImportContext *context, const char *key, const char *value);

/* Returns the recorded value of KEY, borrowed, or NULL. */
const char *plg_import_get (const PlgImportContext *context, const char *key);
/* Returns a setting's title with a value, such as "Tensor (TP): 8" or "Memory: 80 GiB"; free
 * with g_free(). */
char *
plg_import_describe_setting (const PlgImportContext *context, const char *key, const char *value);
/* Returns the open plan with the settings recorded so far. The plan may be invalid. Free with
 * plg_plan_free(). */
PlgPlan *plg_import_current_plan (const PlgImportContext *context);

/* Adds a note that does not concern a setting. PLG_NOTE_IGNORED notes with the same text are
 * added only once, for the first line, and their number is limited. */
void
plg_import_note (PlgImportContext *context, PlgNoteKind kind, int line, const char *format, ...)
    G_GNUC_PRINTF (4, 5);

/* Records that the file describes only one host, and adds a note that all HOSTS hosts of a node
 * are assumed to be identical to this host. */
void plg_import_set_one_host (PlgImportContext *context, int line, int hosts);

/* Records that each rank r runs on GPU_OF_RANK[r]. GPU_OF_RANK is an array of RANKS entries
 * (transfer full). plg_import_finish() checks the placement. */
void plg_import_set_placement (PlgImportContext *context, int *gpu_of_rank, int ranks);

/* Takes over the node topology MAP and leaves MAP empty. plg_import_finish() checks the topology
 * against the numbers of GPUs and NICs. */
void plg_import_take_node_map (PlgImportContext *context, PlgNodeTopology *map);

/* Applies the recorded settings to the plan. Makes the plan valid by changing as few of the
 * other values as possible (plg_plan_repair()), and adds an inferred note for each change.
 * Returns FALSE with ERROR if the file's own values contradict each other. */
gboolean plg_import_finish (PlgImportContext *context, GError **error);

/* Returns a note with TEXT (transfer full), which may quote the file. */
PlgNote *plg_note_new (PlgNoteKind kind, int line, char *text) G_GNUC_WARN_UNUSED_RESULT;
void plg_note_free (PlgNote *note);
/* Returns an empty array that owns its notes. */
GPtrArray *plg_notes_new (void) G_GNUC_WARN_UNUSED_RESULT;
/* plg_notes_text:
 * @kinds: a mask of 1 << #PlgNoteKind
 * @name: (nullable): the name of the file
 *
 * Returns: (transfer full) (nullable): one line "NAME:LINE: text" or "LINE: text" for each note of
 *   @kinds
 */
char *plg_notes_text (const GPtrArray *notes, guint kinds, const char *name);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (PlgImportContext, plg_import_clear)

G_END_DECLS
