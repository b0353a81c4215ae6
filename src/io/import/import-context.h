/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "io/plan/plan-xml.h"

G_BEGIN_DECLS

/* What a reader took from a file, line by line, so that people can judge it before they use it. */
typedef enum
{
  PLG_NOTE_UNDERSTOOD, /* the file says it */
  PLG_NOTE_INFERRED,   /* it follows from the file, or was changed so that the plan can exist */
  PLG_NOTE_IGNORED,    /* the file says it, a plan does not */
} PlgNoteKind;

typedef struct
{
  PlgNoteKind kind;
  int line;   /* of the file, from 1; 0: of no single line */
  char *text; /* translated, one sentence or "Name: value" */
} PlgNote;

/* A file as its reader sees it, and what it makes of it. Readers of whole plans put theirs into
 * PLAN. Readers of a part (a cluster, a model, a set-up, a placement) leave PLAN alone and call the
 * functions below; what they do not say stays as it is in PLAN, the plan that is open. */
typedef struct
{
  const char *data; /* UTF-8 or not; a NUL follows */
  gsize size;
  const PlgCatalogue *catalogue;
  PlgPlan *plan;                 /* owned; a copy of the open plan, or of the default one */
  PlgPlanSource *source;         /* owned; of plan XML only */
  GPtrArray *notes;              /* owned; of PlgNote */
  GPtrArray *settings;           /* owned; "KEY=VALUE" in the order of the file */
  GHashTable *lines;             /* owned; KEY: its line */
  GHashTable *ignored;           /* owned; the texts of the notes of this kind */
  PlgNodeTopology node_topology; /* owned; empty: the file tells of none */
  int *gpu_of_rank;              /* owned; RANKS entries, or NULL */
  int ranks;
  gboolean is_one_host; /* of a node of several */
} PlgImportContext;

/* DATA, BASE and CATALOGUE are borrowed. */
void plg_import_init (PlgImportContext *context,
                      const char *data,
                      gsize size,
                      const PlgPlan *base,
                      const PlgCatalogue *catalogue);
void plg_import_clear (PlgImportContext *context);

/* FALSE with a PLG_FORMAT_ERROR "LINE: MESSAGE" (without a line when LINE is 0). */
gboolean plg_import_fail (const PlgImportContext *context,
                          int line,
                          PlgFormatError code,
                          GError **error,
                          const char *format,
                          ...) G_GNUC_PRINTF (5, 6);
gboolean plg_import_fail_valist (const PlgImportContext *context,
                                 int line,
                                 PlgFormatError code,
                                 GError **error,
                                 const char *format,
                                 va_list args) G_GNUC_PRINTF (5, 0);

/* The file says in LINE that KEY (setting.h) is VALUE. FALSE with ERROR, which has the line, when
 * the value is out of range. Said again, it replaces what was said before. */
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
/* VALUE is in the setting's unit (GB/s, GiB, …). */
gboolean plg_import_set_number (PlgImportContext *context,
                                int line,
                                const char *key,
                                double value,
                                GError **error);
/* It does not say so, but it follows, for the reason WHY (translated, a sentence). */
gboolean plg_import_infer (PlgImportContext *context,
                           int line,
                           const char *key,
                           const char *value,
                           const char *why,
                           GError **error);
/* Puts WORD, by which a file says the setting KEY, in the place of that in ERROR, which one of the
 * above has set. FALSE. */
gboolean plg_import_error_rename (const char *key, const char *word, GError **error);

/* KEY is VALUE, which it can be, as a note says already that was made of something else. */
void plg_import_set_derived (PlgImportContext *context, const char *key, const char *value);

/* What the file was taken to say of KEY, or NULL. Borrowed. */
const char *plg_import_get (const PlgImportContext *context, const char *key);
/* The open plan with what was said of it so far, which need not be whole. plg_plan_free(). */
PlgPlan *plg_import_current_plan (const PlgImportContext *context);

/* What is told beside the settings. What is ignored is told once, with its first line, and only so
 * much of it. */
void
plg_import_note (PlgImportContext *context, PlgNoteKind kind, int line, const char *format, ...)
    G_GNUC_PRINTF (4, 5);

/* The file, of LINE, is of one host, and stands for all HOSTS of a node: a note says so. */
void plg_import_set_one_host (PlgImportContext *context, int line, int hosts);

/* Rank r sits on GPU_OF_RANK[r] (taken), RANKS in all: checked when the plan is made. */
void plg_import_set_placement (PlgImportContext *context, int *gpu_of_rank, int ranks);

/* MAP (taken) is what is inside a node: checked against the numbers of GPUs and NICs when the plan
 * is made. */
void plg_import_take_node_map (PlgImportContext *context, PlgNodeTopology *map);

/* Makes the plan of what was said. What the file leaves open follows, with the least change that
 * gives a plan: the number of nodes, DP, the batch, then TP and PP; each is noted as inferred.
 * FALSE with ERROR when what the file itself says cannot be. */
gboolean plg_import_finish (PlgImportContext *context, GError **error);

/* What web pages put where a space must not break a line (U+00A0). */
#define PLG_NO_BREAK_SPACE "\xC2\xA0"

/* Lines without their ends and without the escape sequences of terminals, and with plain spaces
 * where they came from web pages with hard ones. NULL with ERROR for what
 * is no UTF-8 text. All are one piece of memory: g_free(), never g_strfreev(). */
char **plg_import_lines (const PlgImportContext *context, GError **error);

void plg_note_free (PlgNote *note);
/* A line "LINE: text" for each note of the KINDS (1 << PlgNoteKind), or NULL. g_free(). */
char *plg_notes_text (const GPtrArray *notes, guint kinds);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (PlgImportContext, plg_import_clear)

G_END_DECLS
