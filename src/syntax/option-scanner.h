/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "io/import/import-context.h"

G_BEGIN_DECLS

/* A word as the shell would hand it to a program. */
typedef struct
{
  char *text;
  int line;       /* where it is written, through variables too */
  char *unknown;  /* what of it only a running shell knows: "$TP", "$(hostname)"; NULL: nothing */
  gboolean maybe; /* so is whether it is there at all */
} PlgScannerWord;

/* The words of a script. Nothing is ever run. Of an if, a case and of what && and || join, only the
 * commands that the script's own values choose are read, and a variable that it does not set is
 * empty there; of what depends on anything else all is read, and of values that are set several
 * times the last counts. A function that nobody names is left out, and so is what follows
 * an exit that is certain; what ( ) sets holds in it alone. Documents (<< END) with options in them
 * are read as scripts of which only a running shell knows whether anything starts them. What echo,
 * printf and grep are given is nobody's. */
typedef struct
{
  GPtrArray *words;      /* owned; of PlgScannerWord, all commands one after the other */
  GHashTable *variables; /* private */
  GPtrArray *names;      /* private; in the order of the file */
  GHashTable *doubts;    /* private; name → line */
  int blind;             /* the first line that changes, in a way which is not followed, a variable
                            that is used, or 0 */
  int ended;             /* the line of an exit that is certain, with options behind it, or 0 */
  int choice;            /* the first line that sets a variable under an open condition, or 0 */
} PlgScannerScript;

/* Understands words, quotes, backslashes, comments, variables and arrays with their defaults
 * (${TP:-8}), whole-number arithmetic, and `#SBATCH` lines. The options in a variable that nothing
 * uses count as words too, and so do those in a quoted command line. NULL with ERROR, which has the
 * line, for quotes and brackets that are not closed and for what expands without end. */
PlgScannerScript *plg_scanner_read (const PlgImportContext *context, GError **error);
void plg_scanner_script_free (PlgScannerScript *text);

/* The value of a variable that is no array, at the end of the script, or NULL. Borrowed. */
const PlgScannerWord *plg_scanner_script_get_variable (PlgScannerScript *text, const char *name);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PlgScannerScript, plg_scanner_script_free)

G_END_DECLS
