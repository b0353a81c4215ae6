/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "formats/shell-flow.h"
#include "formats/shell-words.h"

G_BEGIN_DECLS

/* What reading a script is made of: words with their values (shell-expansion.c,
 * shell-variables.c), and the commands that they make (shell-words.c). */

/* From OFFSET on, a text stands in LINE. */
typedef struct
{
  guint offset;
  int line;
} PlgShellMark;

/* A word in the making. */
typedef struct
{
  GString *text;
  GArray *marks; /* of PlgShellMark */
  char *unknown;
} PlgShellField;

typedef struct
{
  GPtrArray *fields; /* of PlgShellField; a plain variable has one */
  PlgShellWord word; /* the first of them, for who asks */
  gboolean array;
  gboolean used;
} PlgShellVariable;

/* What a variable was before a subshell set it. */
typedef struct
{
  char *name;                /* NULL: here the subshell began */
  PlgShellVariable variable; /* without fields: it was not there, or was added to */
  gboolean added;
  guint length; /* of one that was added to */
} PlgShellReplaced;

/* A simple command that is read. */
typedef struct
{
  gboolean begun;
  gboolean first; /* the next word may be a keyword or an assignment */
  gboolean told;  /* it only tells people something */
  gboolean negated;
  gboolean named;      /* a function's name comes next */
  gboolean tests;      /* in [[ ]], where && and || join no commands */
  gboolean counts;     /* a variable comes next that a loop counts with */
  gboolean changes;    /* what comes are names of variables that it changes */
  gboolean asked;      /* it has options, so that it is a program in an if, too */
  gboolean keeps;      /* what it sets stays set */
  gboolean ends;       /* it ends the script, or the subshell */
  GPtrArray *assigned; /* of char *: the names that it has set, or NULL */
  GPtrArray *test;     /* the words of [ ] or [[ ]], or NULL */
  char *name;          /* its only word up to here, or NULL */
  PlgShellTruth status;
} PlgShellCommand;

/* A document in the script: << END */
typedef struct
{
  char *end;
  gboolean indented; /* <<-: lines may begin with tabs */
} PlgShellDocument;

typedef struct
{
  const PlgReading *reading;
  PlgShellText *text;
  const char *start; /* of the script */
  const char *at;    /* ends with a NUL */
  int line;
  int depth;
  gsize expanded;
  GArray *flow;
  PlgShellCommand command;
  gboolean function;    /* the next group is a function's body, */
  PlgShellTruth called; /* which runs where the function is called */
  GHashTable *mentions; /* how often the script has each word; NULL until that matters */
  GPtrArray *replaced;  /* of PlgShellReplaced: what the subshells around this place have set */
  GArray *documents;    /* of PlgShellDocument: those that follow this line */
  gboolean splits;      /* unquoted variables become several words; not where a value is set */
  GPtrArray *fields;    /* of PlgShellField: the word that is read, which may become several */
  gboolean open;        /* whether the last field still goes on */
} PlgShellScanner;

/* Of PlgShellField; g_ptr_array_unref(). */
GPtrArray *plg_shell_fields_new (void);
/* The line in which the character at OFFSET is written. */
int plg_shell_field_line (const PlgShellField *field, guint offset);
/* The field that goes on, begun where there is none. */
PlgShellField *plg_shell_current_field (PlgShellScanner *scanner);

void plg_shell_variable_free (PlgShellVariable *variable);
/* NULL where there is none. */
PlgShellVariable *plg_shell_find_variable (const PlgShellScanner *scanner, const char *name);
void plg_shell_replaced_free (PlgShellReplaced *replaced);
/* NAME becomes FIELDS, which it takes, or has them added. */
gboolean plg_shell_set_variable (PlgShellScanner *scanner,
                                 const char *name,
                                 GPtrArray *fields,
                                 gboolean array,
                                 gboolean adds,
                                 GError **error);
/* A subshell begins; what it sets is gone when it ends. */
void plg_shell_begin_subshell (PlgShellScanner *scanner);
void plg_shell_end_subshell (PlgShellScanner *scanner);
/* Of no words. plg_shell_text_free(). */
PlgShellText *plg_shell_text_new (void);
/* Adds FIELD to the words, in parts where it is a command line by itself. */
void plg_shell_emit (PlgShellText *text, const PlgShellField *field);
/* Options that stand in a variable which nothing uses are meant for a program all the same. */
void plg_shell_emit_unused (PlgShellText *text);
/* Whether one of the words in TEXT is an option, as in a command line that is handed on. */
gboolean plg_shell_has_options (const char *text);

/* NAME, which may go on behind the name, is another value from here on. */
void plg_shell_doubt (PlgShellScanner *scanner, const char *name);
/* So are the variables that N characters of arithmetic at START set. */
void plg_shell_doubt_sums (PlgShellScanner *scanner, const char *start, gsize n);
/* The variable NAME is read, of which the value may be in doubt; at this place, or at all. */
void plg_shell_use (PlgShellScanner *scanner, const char *name);
void plg_shell_ask (PlgShellText *text, const char *name);
/* The command has set the variable NAME before its first WORD, which then begins it, and each WORD
 * of it may change something. */
void plg_shell_note_assigned (PlgShellScanner *scanner, const char *name);
void plg_shell_begin_changes (PlgShellScanner *scanner, const char *word);
void plg_shell_change (PlgShellScanner *scanner, const char *word);

/* Whether the word that decides a case comes here, or the patterns of a branch; and reading them.
 * FALSE with ERROR. */
gboolean plg_shell_awaits_case (const PlgShellScanner *scanner);
gboolean plg_shell_scan_case (PlgShellScanner *scanner, GError **error);
/* A command ends at AT, with ;; the branch as well: how many characters say that. */
gsize plg_shell_end_branch (PlgShellScanner *scanner, const char *at);

/* Of PlgShellDocument; g_array_unref(). */
GArray *plg_shell_documents_new (void);
/* Whether AT begins one, and taking it up. */
gboolean plg_shell_begins_document (const char *at);
void plg_shell_begin_document (PlgShellScanner *scanner);
/* Where DOCUMENT, which begins at AT, stops, and what follows its last line. */
const char *
plg_shell_find_end (const PlgShellDocument *document, const char *at, const char **stop);

/* Whether words are no program's: in a test, in what is only told, and where nothing runs. */
gboolean plg_shell_is_silent (const PlgShellScanner *scanner);

/* How many letters of TEXT are a variable's name. */
gsize plg_shell_name_length (const char *text);
/* Goes on at TO, which may be some lines further on. */
void plg_shell_skip_to (PlgShellScanner *scanner, const char *to);
/* FALSE with ERROR: WHAT is opened in LINE and never closed. */
gboolean
plg_shell_fail_open (const PlgShellScanner *scanner, int line, const char *what, GError **error);
/* What (( … )) comes to, of which START is the first of N characters in the brackets. */
PlgShellTruth plg_shell_calculate_truth (PlgShellScanner *scanner, const char *start, gsize n);
/* A word up to one of the characters ENDS, into the scanner's fields; "": to the end of the text.
 */
gboolean plg_shell_scan_word (PlgShellScanner *scanner, const char *ends, GError **error);

G_END_DECLS
