/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* What a script's tests come to, as far as its own text decides it. */

typedef enum
{
  PLG_SHELL_NO,
  PLG_SHELL_YES,
  PLG_SHELL_MAYBE, /* only a running shell knows */
} PlgShellTruth;

PlgShellTruth plg_shell_negate (PlgShellTruth truth);
PlgShellTruth plg_shell_both (PlgShellTruth a, PlgShellTruth b);
PlgShellTruth plg_shell_either (PlgShellTruth a, PlgShellTruth b);

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

/* What OPERANDS, a [ ] or [[ ]] with its brackets, come to: texts and whole numbers, with !, and in
 * [[ ]] with && and ||, of which && binds tighter. A variable that nobody sets is empty. All else
 * is MAYBE. */
PlgShellTruth plg_shell_test (const GPtrArray *operands);

G_END_DECLS
