/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "syntax/format-error.h"
#include "syntax/option-scanner-flow.h"
#include "syntax/option-scanner.h"

G_BEGIN_DECLS

/* The data of reading a script: words with their values (option-scanner-expansion.c, option-
 * scanner-variables.c), and the commands that the words form (option-scanner.c). */

/* The text from OFFSET on comes from LINE. */
typedef struct
{
  guint offset;
  int line;
} PlgScannerMark;

/* A word that is being read. */
typedef struct
{
  GString *text;
  GArray *marks; /* array of PlgScannerMark */
  char *unknown;
} PlgScannerField;

typedef struct
{
  GPtrArray *fields;   /* array of PlgScannerField; one for a plain variable */
  PlgScannerWord word; /* the first field as a word */
  gboolean array;
  gboolean used;
} PlgScannerVariable;

/* The value of a variable before a subshell set it. */
typedef struct
{
  char *name;                  /* NULL marks the start of a subshell */
  PlgScannerVariable variable; /* without fields: the variable did not exist, or was appended to */
  gboolean added;
  guint length; /* old length of a variable that was appended to */
} PlgScannerSavedVariable;

/* A simple command that is being read. */
typedef struct
{
  gboolean begun;
  gboolean first; /* the next word may be a keyword or an assignment */
  gboolean told;  /* the command only prints something */
  gboolean negated;
  gboolean named;      /* the name of a function comes next */
  gboolean tests;      /* inside [[ ]], where && and || do not join commands */
  gboolean counts;     /* the variable of a loop comes next */
  gboolean changes;    /* the next words are names of variables that the command changes */
  gboolean asked;      /* the command has options, so it is a program, also in a condition */
  gboolean keeps;      /* the assignments of the command stay */
  gboolean ends;       /* the command ends the script or the subshell */
  GPtrArray *assigned; /* array of char *: the names that the command has set, or NULL */
  GPtrArray *test;     /* the words of [ ] or [[ ]], or NULL */
  char *name;          /* the only word so far, or NULL */
  PlgScannerTruth status;
} PlgScannerCommand;

/* A here-document: << END */
typedef struct
{
  char *end;
  gboolean indented; /* <<-: lines may begin with tabs */
} PlgScannerHereDocument;

typedef struct
{
  PlgScannerScript *text;
  const char *start; /* start of the script */
  const char *at;    /* current place; the text ends with a NUL */
  int line;
  int depth;
  gsize expanded;
  GArray *flow;
  PlgScannerCommand command;
  gboolean function;      /* the next group is the body of a function */
  PlgScannerTruth called; /* whether the function is called */
  GHashTable *mentions;   /* number of times that the script has each word; NULL until needed */
  GPtrArray *replaced;    /* array of PlgScannerSavedVariable: the variables that the enclosing
                        subshells have set */
  GArray *documents;      /* array of PlgScannerHereDocument that follow this line */
  gboolean splits;        /* unquoted variables become several words; FALSE in an assignment */
  GPtrArray *fields;      /* array of PlgScannerField: the word that is being read, which may become
                        several words */
  gboolean open;          /* the last field is still open */
} PlgOptionScanner;

/* Returns an array of PlgScannerField; free it with g_ptr_array_unref(). */
GPtrArray *plg_scanner_fields_new (void);
/* Returns the line of the character at OFFSET. */
int plg_scanner_field_line (const PlgScannerField *field, guint offset);
/* Returns the open field, or a new one. */
PlgScannerField *plg_scanner_current_field (PlgOptionScanner *scanner);

void plg_scanner_variable_free (PlgScannerVariable *variable);
/* Returns NULL when the variable does not exist. */
PlgScannerVariable *plg_scanner_find_variable (const PlgOptionScanner *scanner, const char *name);
void plg_scanner_saved_variable_free (PlgScannerSavedVariable *replaced);
/* Sets the variable NAME to FIELDS (taken), or appends FIELDS. */
gboolean plg_scanner_set_variable (PlgOptionScanner *scanner,
                                   const char *name,
                                   GPtrArray *fields,
                                   gboolean array,
                                   gboolean adds,
                                   GError **error);
/* Starts a subshell; its assignments are undone when it ends. */
void plg_scanner_begin_subshell (PlgOptionScanner *scanner);
void plg_scanner_end_subshell (PlgOptionScanner *scanner);
/* Returns a script without words; free it with plg_scanner_script_free(). */
PlgScannerScript *plg_scanner_script_new (void);
/* Adds FIELD to the words, split when FIELD is a command line itself. */
void plg_scanner_add_words (PlgScannerScript *text, const PlgScannerField *field);
/* Adds the options in variables that nothing uses; such options are meant for a program as well. */
void plg_scanner_add_unused_variables (PlgScannerScript *text);
/* Returns whether a word of TEXT is an option, as in a command line that is passed on. */
gboolean plg_scanner_has_options (const char *text);

/* Marks the variable at the beginning of NAME as unknown from here on. */
void plg_scanner_mark_unknown (PlgOptionScanner *scanner, const char *name);
/* Marks the variables that the N characters of arithmetic at START set as unknown. */
void plg_scanner_mark_sums_unknown (PlgOptionScanner *scanner, const char *start, gsize n);
/* Record a use of the variable NAME, whose value may be unknown, at this place or anywhere. */
void plg_scanner_use_variable (PlgOptionScanner *scanner, const char *name);
void plg_scanner_script_use_variable (PlgScannerScript *text, const char *name);
/* Record that the command has set NAME before its first word, that WORD is its first word, and
 * that a WORD of it may change a variable. */
void plg_scanner_record_assignment (PlgOptionScanner *scanner, const char *name);
void plg_scanner_begin_builtin (PlgOptionScanner *scanner, const char *word);
void plg_scanner_read_builtin_word (PlgOptionScanner *scanner, const char *word);

/* Returns whether the word or the patterns of a case come next. The readers return FALSE with
 * ERROR. */
gboolean plg_scanner_expects_case_part (const PlgOptionScanner *scanner);
gboolean plg_scanner_read_case_part (PlgOptionScanner *scanner, GError **error);
/* Returns how many characters at AT end a command, or with ;; a branch. */
gsize plg_scanner_end_case_branch (PlgOptionScanner *scanner, const char *at);

/* Returns an array of PlgScannerHereDocument; free it with g_array_unref(). */
GArray *plg_scanner_here_documents_new (void);
/* Returns whether a here-document begins at AT; the second function starts it. */
gboolean plg_scanner_is_here_document (const char *at);
void plg_scanner_begin_here_document (PlgOptionScanner *scanner);
/* Returns where DOCUMENT, which begins at AT, ends, and sets the place after its last line. */
const char *plg_scanner_find_here_end (const PlgScannerHereDocument *document,
                                       const char *at,
                                       const char **stop);

/* Returns whether words do not belong to a program: in a test, in a printed text, and where
 * nothing runs. */
gboolean plg_scanner_ignores_words (const PlgOptionScanner *scanner);

/* Returns the number of letters at the beginning of TEXT that form a variable's name. */
gsize plg_scanner_name_length (const char *text);
/* Continues at TO, which may be several lines further. */
void plg_scanner_skip_to (PlgOptionScanner *scanner, const char *to);
/* Sets ERROR for a WHAT that is opened in LINE and never closed. Returns FALSE. */
gboolean plg_scanner_set_unclosed_error (const PlgOptionScanner *scanner,
                                         int line,
                                         const char *what,
                                         GError **error);
/* Computes (( … )), with the first of N characters at START. */
PlgScannerTruth plg_scanner_calculate_truth (PlgOptionScanner *scanner, const char *start, gsize n);
/* Reads a word up to one of the characters in ENDS into the fields of the scanner; "" means the
 * end of the text. */
gboolean plg_scanner_read_word (PlgOptionScanner *scanner, const char *ends, GError **error);

G_END_DECLS
