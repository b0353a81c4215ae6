/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Reads a function call from the text of a Python program. The program is never run. */

#define PLG_PYTHON_ARGUMENTS 16

typedef struct
{
  char name[32];  /* the name in "name=value"; empty for an unnamed argument */
  const char *at; /* start of the value, after spaces and comments; borrowed */
  const char *end;
  int line;
} PlgPythonArgument;

typedef struct
{
  int line; /* line on which the function's name occurs */
  int n;
  PlgPythonArgument arguments[PLG_PYTHON_ARGUMENTS]; /* the arguments of the call, at most the
                                                        first PLG_PYTHON_ARGUMENTS */
} PlgPythonCall;

/* Finds the next call to FUNCTION outside strings and comments in *TEXT, whose first line has
 * the number *LINE. Moves *TEXT and *LINE to the position after the call. A call that is not
 * closed extends to the end of the text. */
gboolean
plg_python_next_call (const char **text, int *line, const char *function, PlgPythonCall *call);

/* Returns the argument named NAME. If it is missing, returns the unnamed argument at POSITION
 * (from 0; -1 if the argument must be named), or NULL if that is missing too. */
const PlgPythonArgument *
plg_python_argument (const PlgPythonCall *call, const char *name, int position);

/* Skips spaces and comments, and adds the number of lines skipped to *LINE. */
void plg_python_skip_space (const char **text, int *line);

G_END_DECLS
