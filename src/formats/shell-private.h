/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "formats/shell-branches.h"
#include "formats/shell-words.h"

G_BEGIN_DECLS

/* What reading a script is made of: words with their values (shell-expansion.c), and the commands
 * that they make (shell-words.c). */

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

typedef struct
{
  const PlgReading *reading;
  PlgShellText *text;
  const char *at; /* ends with a NUL */
  int line;
  int depth;
  gsize expanded;
  int conditions;    /* loops and cases around this place */
  GArray *branches;  /* of ifs */
  GPtrArray *test;   /* the words from “if” or “elif” to “then”, or NULL */
  gboolean told;     /* this command only tells people something */
  gboolean splits;   /* unquoted variables become several words; not where a value is set */
  GPtrArray *fields; /* of PlgShellField: the word that is read, which may become several */
  gboolean open;     /* whether the last field still goes on */
} PlgShellScanner;

/* Of PlgShellField; g_ptr_array_unref(). */
GPtrArray *plg_shell_fields_new (void);
/* The line in which the character at OFFSET is written. */
int plg_shell_field_line (const PlgShellField *field, guint offset);
/* The field that goes on, begun where there is none. */
PlgShellField *plg_shell_current_field (PlgShellScanner *scanner);

void plg_shell_variable_free (PlgShellVariable *variable);
/* NAME becomes FIELDS, which it takes, or has them added. */
gboolean plg_shell_set_variable (PlgShellScanner *scanner,
                                 const char *name,
                                 GPtrArray *fields,
                                 gboolean array,
                                 gboolean adds,
                                 GError **error);
/* Whether words are no program's: in a test, in what is only told, and where nothing runs. */
gboolean plg_shell_is_silent (const PlgShellScanner *scanner);

/* How many letters of TEXT are a variable's name. */
gsize plg_shell_name_length (const char *text);
/* Goes on at TO, which may be some lines further on. */
void plg_shell_skip_to (PlgShellScanner *scanner, const char *to);
/* FALSE with ERROR: WHAT is opened in LINE and never closed. */
gboolean
plg_shell_fail_open (const PlgShellScanner *scanner, int line, const char *what, GError **error);
/* A word up to one of the characters ENDS, into the scanner's fields; "": to the end of the text.
 */
gboolean plg_shell_scan_word (PlgShellScanner *scanner, const char *ends, GError **error);

G_END_DECLS
