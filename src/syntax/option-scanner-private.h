/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "syntax/option-scanner-flow.h"
#include "syntax/option-scanner.h"

G_BEGIN_DECLS

/* What reading a script is made of: words with their values (shell-expansion.c,
 * shell-variables.c), and the commands that they make (shell-words.c). */

/* From OFFSET on, a text stands in LINE. */
typedef struct
{
  guint offset;
  int line;
} PlgScannerMark;

/* A word in the making. */
typedef struct
{
  GString *text;
  GArray *marks; /* of PlgScannerMark */
  char *unknown;
} PlgScannerField;

typedef struct
{
  GPtrArray *fields;   /* of PlgScannerField; a plain variable has one */
  PlgScannerWord word; /* the first of them, for who asks */
  gboolean array;
  gboolean used;
} PlgScannerVariable;

/* What a variable was before a subshell set it. */
typedef struct
{
  char *name;                  /* NULL: here the subshell began */
  PlgScannerVariable variable; /* without fields: it was not there, or was added to */
  gboolean added;
  guint length; /* of one that was added to */
} PlgScannerSavedVariable;

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
  PlgScannerTruth status;
} PlgScannerCommand;

/* A document in the script: << END */
typedef struct
{
  char *end;
  gboolean indented; /* <<-: lines may begin with tabs */
} PlgScannerHereDocument;

typedef struct
{
  const PlgImportContext *context;
  PlgScannerScript *text;
  const char *start; /* of the script */
  const char *at;    /* ends with a NUL */
  int line;
  int depth;
  gsize expanded;
  GArray *flow;
  PlgScannerCommand command;
  gboolean function;      /* the next group is a function's body, */
  PlgScannerTruth called; /* which runs where the function is called */
  GHashTable *mentions;   /* how often the script has each word; NULL until that matters */
  GPtrArray
      *replaced;     /* of PlgScannerSavedVariable: what the subshells around this place have set */
  GArray *documents; /* of PlgScannerHereDocument: those that follow this line */
  gboolean splits;   /* unquoted variables become several words; not where a value is set */
  GPtrArray *fields; /* of PlgScannerField: the word that is read, which may become several */
  gboolean open;     /* whether the last field still goes on */
} PlgOptionScanner;

/* Of PlgScannerField; g_ptr_array_unref(). */
GPtrArray *plg_scanner_fields_new (void);
/* The line in which the character at OFFSET is written. */
int plg_scanner_field_line (const PlgScannerField *field, guint offset);
/* The field that goes on, begun where there is none. */
PlgScannerField *plg_scanner_current_field (PlgOptionScanner *scanner);

void plg_scanner_variable_free (PlgScannerVariable *variable);
/* NULL where there is none. */
PlgScannerVariable *plg_scanner_find_variable (const PlgOptionScanner *scanner, const char *name);
void plg_scanner_saved_variable_free (PlgScannerSavedVariable *replaced);
/* NAME becomes FIELDS, which it takes, or has them added. */
gboolean plg_scanner_set_variable (PlgOptionScanner *scanner,
                                   const char *name,
                                   GPtrArray *fields,
                                   gboolean array,
                                   gboolean adds,
                                   GError **error);
/* A subshell begins; what it sets is gone when it ends. */
void plg_scanner_begin_subshell (PlgOptionScanner *scanner);
void plg_scanner_end_subshell (PlgOptionScanner *scanner);
/* Of no words. plg_scanner_script_free(). */
PlgScannerScript *plg_scanner_script_new (void);
/* Adds FIELD to the words, in parts where it is a command line by itself. */
void plg_scanner_add_words (PlgScannerScript *text, const PlgScannerField *field);
/* Options that stand in a variable which nothing uses are meant for a program all the same. */
void plg_scanner_add_unused_variables (PlgScannerScript *text);
/* Whether one of the words in TEXT is an option, as in a command line that is handed on. */
gboolean plg_scanner_has_options (const char *text);

/* NAME, which may go on behind the name, is another value from here on. */
void plg_scanner_mark_unknown (PlgOptionScanner *scanner, const char *name);
/* So are the variables that N characters of arithmetic at START set. */
void plg_scanner_mark_sums_unknown (PlgOptionScanner *scanner, const char *start, gsize n);
/* The variable NAME is read, of which the value may be in doubt; at this place, or at all. */
void plg_scanner_use_variable (PlgOptionScanner *scanner, const char *name);
void plg_scanner_script_use_variable (PlgScannerScript *text, const char *name);
/* The command has set the variable NAME before its first WORD, which then begins it, and each WORD
 * of it may change something. */
void plg_scanner_record_assignment (PlgOptionScanner *scanner, const char *name);
void plg_scanner_begin_builtin (PlgOptionScanner *scanner, const char *word);
void plg_scanner_read_builtin_word (PlgOptionScanner *scanner, const char *word);

/* Whether the word that decides a case comes here, or the patterns of a branch; and reading them.
 * FALSE with ERROR. */
gboolean plg_scanner_expects_case_part (const PlgOptionScanner *scanner);
gboolean plg_scanner_read_case_part (PlgOptionScanner *scanner, GError **error);
/* A command ends at AT, with ;; the branch as well: how many characters say that. */
gsize plg_scanner_end_case_branch (PlgOptionScanner *scanner, const char *at);

/* Of PlgScannerHereDocument; g_array_unref(). */
GArray *plg_scanner_here_documents_new (void);
/* Whether AT begins one, and taking it up. */
gboolean plg_scanner_is_here_document (const char *at);
void plg_scanner_begin_here_document (PlgOptionScanner *scanner);
/* Where DOCUMENT, which begins at AT, stops, and what follows its last line. */
const char *plg_scanner_find_here_end (const PlgScannerHereDocument *document,
                                       const char *at,
                                       const char **stop);

/* Whether words are no program's: in a test, in what is only told, and where nothing runs. */
gboolean plg_scanner_ignores_words (const PlgOptionScanner *scanner);

/* How many letters of TEXT are a variable's name. */
gsize plg_scanner_name_length (const char *text);
/* Goes on at TO, which may be some lines further on. */
void plg_scanner_skip_to (PlgOptionScanner *scanner, const char *to);
/* FALSE with ERROR: WHAT is opened in LINE and never closed. */
gboolean plg_scanner_set_unclosed_error (const PlgOptionScanner *scanner,
                                         int line,
                                         const char *what,
                                         GError **error);
/* What (( … )) comes to, of which START is the first of N characters in the brackets. */
PlgScannerTruth plg_scanner_calculate_truth (PlgOptionScanner *scanner, const char *start, gsize n);
/* A word up to one of the characters ENDS, into the scanner's fields; "": to the end of the text.
 */
gboolean plg_scanner_read_word (PlgOptionScanner *scanner, const char *ends, GError **error);

G_END_DECLS
