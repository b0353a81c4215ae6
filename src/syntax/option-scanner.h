/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* A word as the shell would pass it to a program. */
typedef struct
{
  char *text;
  int line;       /* line where the word is written, also when it comes from a variable */
  char *unknown;  /* the part that only a running shell knows, such as "$TP" or "$(hostname)";
                     NULL when everything is known */
  gboolean maybe; /* only a running shell knows whether the word exists */
} PlgScannerWord;

/* The words of a script, which is never run. Of an if, a case, && and ||, only the commands that
 * the script's own values choose are read; a variable that the script does not set is empty
 * there. When a choice depends on anything else, all its commands are read, and the last of
 * several values counts. A function that nothing calls is left out, and so is the text after a
 * certain exit. Assignments inside ( ) hold inside it alone. A here-document with options is
 * read as a script that may or may not run. The arguments of echo, printf and grep are ignored. */
typedef struct
{
  GPtrArray *words;      /* owned; array of PlgScannerWord, all commands in sequence */
  GHashTable *variables; /* private */
  GPtrArray *names;      /* private; in the order of the file */
  GHashTable *doubts;    /* private; name → line */
  int blind;             /* the first line that changes a used variable in a way that the scanner
                            does not follow, or 0 */
  int ended;             /* the line of a certain exit with options after it, or 0 */
  int choice;            /* the first line that sets a variable under an unknown condition, or 0 */
} PlgScannerScript;

/* Reads words, quotes, backslashes, comments, variables and arrays with their defaults
 * (${TP:-8}), whole-number arithmetic, and `#SBATCH` lines. Options in a variable that nothing
 * uses count as words, and so do options in a quoted command line. Returns NULL with ERROR,
 * which has the line, for quotes and brackets that are not closed and for values that expand
 * without end. */
PlgScannerScript *plg_scanner_read (const char *data, gsize size, GError **error);
void plg_scanner_script_free (PlgScannerScript *text);

/* Returns the value of a variable that is not an array at the end of the script, or NULL.
 * Borrowed. */
const PlgScannerWord *plg_scanner_script_get_variable (PlgScannerScript *text, const char *name);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PlgScannerScript, plg_scanner_script_free)

G_END_DECLS
