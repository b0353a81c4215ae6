/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* A word as the shell would pass it to a program. */
typedef struct
{
  char *text;
  int line;       /* line on which the text of the word is written; for a word from a variable,
                     the line of the assignment */
  char *unknown;  /* the part whose value is unknown until the script runs, such as "$TP" or
                     "$(hostname)"; NULL if the whole word is known */
  gboolean maybe; /* whether the word is part of a command that may or may not run */
} PlgScannerWord;

/* The words of a script. The script is never run. In an if, a case, and lists with && and ||,
 * the scanner reads only the commands that the script's own values select; in these decisions, a
 * variable that the script does not set is treated as empty. If a decision depends on anything
 * else, the scanner reads the commands of all branches, and a variable keeps the last value
 * assigned in them. The scanner leaves out functions that are never called and the text after an
 * exit that is certain to run. Assignments inside ( ) are valid only there. A here-document with
 * options is read as a script that may or may not run. The arguments of echo, printf and grep
 * are ignored. */
typedef struct
{
  GPtrArray *words;      /* owned; array of PlgScannerWord with the words of all commands in
                            sequence */
  GHashTable *variables; /* private */
  GPtrArray *names;      /* private; variable names in the order in which the script first sets
                            them */
  GHashTable *doubts;    /* private; map from the name of a variable whose value is in doubt to
                            the line that causes the doubt */
  int blind;             /* the first line that changes a used variable in a way that the scanner
                            cannot follow, or 0 */
  int ended;             /* the line of an exit that is certain to run and is followed by
                            options, or 0 */
  int choice;            /* the first line that sets a variable under a condition that cannot be
                            decided, or 0 */
} PlgScannerScript;

/* Reads words, quotes, backslashes, comments, variables and arrays with their defaults
 * (${TP:-8}), whole-number arithmetic, and `#SBATCH` lines. Adds the words of each variable that
 * contains options but is never used in the script, and splits a quoted command line with
 * options into words. Returns NULL with ERROR, which includes the line number, if quotes or
 * brackets are not closed or if the script exceeds a size limit. */
PlgScannerScript *plg_scanner_read (const char *data, gsize size, GError **error);
void plg_scanner_script_free (PlgScannerScript *text);

/* Returns the value that a variable has at the end of the script, borrowed. Returns NULL if the
 * variable is an array or is not set. */
const PlgScannerWord *plg_scanner_script_get_variable (PlgScannerScript *text, const char *name);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PlgScannerScript, plg_scanner_script_free)

G_END_DECLS
