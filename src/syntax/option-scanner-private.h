/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "syntax/format-error.h"
#include "syntax/option-scanner-flow.h"
#include "syntax/option-scanner.h"

G_BEGIN_DECLS

/* The data for reading a script: words with their values (option-scanner-expansion.c,
 * option-scanner-variables.c), and the commands that the words form (option-scanner.c). */

/* All characters from OFFSET to the next mark come from line LINE. */
typedef struct
{
  guint offset;
  int line;
} PlgScannerMark;

/* A word and the line number of each of its characters. A field that contains a command line
 * becomes several words (plg_scanner_add_words()). */
typedef struct
{
  GString *text;
  GArray *marks; /* array of PlgScannerMark */
  char *unknown;
} PlgScannerField;

typedef struct
{
  GPtrArray *fields;   /* array of PlgScannerField; a plain variable has one field */
  PlgScannerWord word; /* the first field as a word; returned by
                          plg_scanner_script_get_variable() */
  gboolean array;
  gboolean used;
} PlgScannerVariable;

/* The value that a variable had before a subshell set it. */
typedef struct
{
  char *name;                  /* name of the variable; NULL marks the start of a subshell */
  PlgScannerVariable variable; /* the old value; has no fields if the variable did not exist or
                                  if the subshell only appended to it */
  gboolean added;
  guint length; /* number of fields that the variable had before the subshell appended to it */
} PlgScannerSavedVariable;

/* A simple command that is being read. */
typedef struct
{
  gboolean begun;
  gboolean first; /* whether the next word may be a keyword or an assignment */
  gboolean only_prints;
  gboolean negated;
  gboolean named;      /* whether the previous word is "function"; the next word is then the name
                          of a function */
  gboolean tests;      /* whether the position is inside [[ ]], where && and || do not connect
                          commands */
  gboolean counts;     /* whether the next word is the variable of a "for" or "select" loop */
  gboolean changes;    /* whether the next words are names of variables that the command changes */
  gboolean asked;      /* whether the command has options; such a command is treated as a program
                          even in a condition */
  gboolean keeps;      /* whether the assignments of the command stay in effect after the command */
  gboolean ends;       /* whether the command ends the script or the subshell */
  GPtrArray *assigned; /* array of char *: names of the variables that the command sets; NULL if
                          there are none */
  GPtrArray *test;     /* the words of [ ] or [[ ]], or NULL */
  char *name;          /* the first word until a second word is read; otherwise NULL */
  PlgScannerTruth status;
} PlgScannerCommand;

/* A here-document, which begins with << END. */
typedef struct
{
  char *end;
  gboolean indented; /* whether lines may begin with tabs (<<-) */
} PlgScannerHereDocument;

typedef struct
{
  PlgScannerScript *text;
  const char *start; /* start of the script */
  const char *at;    /* current position; the text ends with a NUL */
  int line;
  int depth;
  gsize expanded;
  GArray *flow;
  PlgScannerCommand command;
  gboolean function;      /* whether the next command group is the body of a function */
  PlgScannerTruth called; /* whether the script calls the function that is being read */
  GHashTable *mentions;   /* number of occurrences of each word in the script; NULL until needed */
  GPtrArray *replaced;    /* array of PlgScannerSavedVariable: the variables that the enclosing
                             subshells have changed */
  GArray *documents;      /* array of PlgScannerHereDocument: the here-documents whose text
                             follows the current line */
  gboolean splits;        /* whether unquoted variables are split into words; FALSE in an
                             assignment */
  GPtrArray *fields;      /* array of PlgScannerField: the word that is being read; it may become
                             several words */
  gboolean open;          /* whether text may still be appended to the last field */
} PlgOptionScanner;

/* Returns an array of PlgScannerField; free it with g_ptr_array_unref(). */
GPtrArray *plg_scanner_fields_new (void);
/* Returns the line of the character at OFFSET. */
int plg_scanner_field_line (const PlgScannerField *field, guint offset);
/* Returns the last field if text may still be appended to it, otherwise a new field. */
PlgScannerField *plg_scanner_current_field (PlgOptionScanner *scanner);

void plg_scanner_variable_free (PlgScannerVariable *variable);
/* Returns the variable NAME, or NULL if it does not exist. */
PlgScannerVariable *plg_scanner_find_variable (const PlgOptionScanner *scanner, const char *name);
void plg_scanner_saved_variable_free (PlgScannerSavedVariable *replaced);
/* Sets the variable NAME to FIELDS (transfer full), or appends FIELDS if ADDS is set. */
gboolean plg_scanner_set_variable (PlgOptionScanner *scanner,
                                   const char *name,
                                   GPtrArray *fields,
                                   gboolean array,
                                   gboolean adds,
                                   GError **error);
/* Start and end a subshell. The end undoes the subshell's assignments. */
void plg_scanner_begin_subshell (PlgOptionScanner *scanner);
void plg_scanner_end_subshell (PlgOptionScanner *scanner);
/* Returns a script without words; free it with plg_scanner_script_free(). */
PlgScannerScript *plg_scanner_script_new (void);
/* Adds FIELD to the script as one word or, if FIELD is itself a command line, adds each of its
 * words. */
void plg_scanner_add_words (PlgScannerScript *text, const PlgScannerField *field);
/* Adds the words of each variable that contains options but is never used in the script, because
 * such options are also meant for a program. */
void plg_scanner_add_unused_variables (PlgScannerScript *text);
/* Returns whether any word of TEXT is an option, which suggests that TEXT is a command line for
 * another program. */
gboolean plg_scanner_has_options (const char *text);

/* Marks a variable as unknown from the current position on. NAME begins with the name of the
 * variable; the rest of NAME is ignored. */
void plg_scanner_mark_unknown (PlgOptionScanner *scanner, const char *name);
/* Marks as unknown the variables that an arithmetic expression sets. The expression has N
 * characters and begins at START. */
void plg_scanner_mark_sums_unknown (PlgOptionScanner *scanner, const char *start, gsize n);
/* Record a use of the variable NAME, whose value may be unknown. The first function ignores the
 * use if the current command only prints or certainly does not run; the second function always
 * records it. */
void plg_scanner_use_variable (PlgOptionScanner *scanner, const char *name);
void plg_scanner_script_use_variable (PlgScannerScript *text, const char *name);
/* Record three parts of a command: an assignment to NAME before the first word, the first word
 * WORD, and a later WORD, which may be the name of a variable that a builtin changes. */
void plg_scanner_record_assignment (PlgOptionScanner *scanner, const char *name);
void plg_scanner_begin_builtin (PlgOptionScanner *scanner, const char *word);
void plg_scanner_read_builtin_word (PlgOptionScanner *scanner, const char *word);

/* Returns whether the word or the patterns of a case statement come next.
 * plg_scanner_read_case_part() reads them and returns FALSE with ERROR on failure. */
gboolean plg_scanner_expects_case_part (const PlgOptionScanner *scanner);
gboolean plg_scanner_read_case_part (PlgOptionScanner *scanner, GError **error);
/* Returns the number of characters at AT that end a command. If they are ;;, ;& or ;;&, also
 * ends the branch of the case statement. */
gsize plg_scanner_end_case_branch (PlgOptionScanner *scanner, const char *at);

/* Returns an array of PlgScannerHereDocument; free it with g_array_unref(). */
GArray *plg_scanner_here_documents_new (void);
/* Returns whether a here-document begins at AT. The second function reads the << END of the
 * here-document at the current position. */
gboolean plg_scanner_is_here_document (const char *at);
void plg_scanner_begin_here_document (PlgOptionScanner *scanner);
/* Returns the end of the text of DOCUMENT, which begins at AT. Sets *STOP to the position after
 * the document's last line. */
const char *plg_scanner_find_here_end (const PlgScannerHereDocument *document,
                                       const char *at,
                                       const char **stop);

/* Returns whether words at the current position are not options for a program, because they are
 * in a test, in printed text or in a command that does not run. */
gboolean plg_scanner_ignores_words (const PlgOptionScanner *scanner);

/* Returns the number of characters at the beginning of TEXT that form the name of a variable. */
gsize plg_scanner_name_length (const char *text);
/* Moves the current position forward to TO and updates the line number. */
void plg_scanner_skip_to (PlgOptionScanner *scanner, const char *to);
/* Sets ERROR for the construct WHAT, which is opened on line LINE but never closed. Returns
 * FALSE. */
gboolean plg_scanner_set_unclosed_error (const PlgOptionScanner *scanner,
                                         int line,
                                         const char *what,
                                         GError **error);
/* Evaluates the N characters at START, the expression inside (( … )). */
PlgScannerTruth plg_scanner_calculate_truth (PlgOptionScanner *scanner, const char *start, gsize n);
/* Reads a word into the fields of the scanner. The word ends before the first unquoted character
 * of ENDS; if ENDS is "", the word extends to the end of the text. */
gboolean plg_scanner_read_word (PlgOptionScanner *scanner, const char *ends, GError **error);

G_END_DECLS
