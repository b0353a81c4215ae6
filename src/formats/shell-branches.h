/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Which parts of a script run, as far as its own text decides it. */

typedef enum
{
  PLG_SHELL_NO,
  PLG_SHELL_YES,
  PLG_SHELL_MAYBE, /* only a running shell knows */
} PlgShellTruth;

/* A word of a test. */
typedef struct
{
  char *text;
  gboolean unset; /* all of it is a variable that the script does not set */
  gboolean known; /* FALSE: only a running shell knows it */
} PlgShellOperand;

/* Of PlgShellOperand; g_ptr_array_unref(). */
GPtrArray *plg_shell_operands_new (void);
void plg_shell_operands_add (GPtrArray *operands, const char *text, const char *unknown);

/* What OPERANDS, the words between “if” and “then”, come to: tests in [ ] and [[ ]] of texts and
 * whole numbers, with !, && and ||. A variable that nobody sets is empty. All else is MAYBE. */
PlgShellTruth plg_shell_test (const GPtrArray *operands);

/* The branches of if, elif and else around a place; g_array_unref(). */
GArray *plg_shell_branches_new (void);
void plg_shell_branches_open (GArray *branches);                        /* if */
void plg_shell_branches_next (GArray *branches);                        /* elif, else */
void plg_shell_branches_decide (GArray *branches, PlgShellTruth truth); /* then */
void plg_shell_branches_close (GArray *branches);                       /* fi */
/* Whether this place runs. */
PlgShellTruth plg_shell_branches_run (const GArray *branches);

G_END_DECLS
