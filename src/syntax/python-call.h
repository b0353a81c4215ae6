/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Reads a function call in a Python program as text. The program is never run. */

#define PLG_PYTHON_ARGUMENTS 16

typedef struct
{
  char name[32];  /* the name of "name=value", or an empty text */
  const char *at; /* the value after spaces and comments; borrowed */
  const char *end;
  int line;
} PlgPythonArgument;

typedef struct
{
  int line; /* line of the function's name */
  int n;
  PlgPythonArgument arguments[PLG_PYTHON_ARGUMENTS]; /* further arguments are left out */
} PlgPythonCall;

/* Finds the next call of FUNCTION in *TEXT, whose first line is *LINE, outside strings and
 * comments, and moves both to the place after the call. A call without an end goes to the end of
 * the text. */
gboolean
plg_python_next_call (const char **text, int *line, const char *function, PlgPythonCall *call);

/* Returns the argument called NAME, or else the unnamed argument at POSITION (from 0; -1: the
 * name is required); NULL when there is no such argument. */
const PlgPythonArgument *
plg_python_argument (const PlgPythonCall *call, const char *name, int position);

/* Skips spaces and comments and counts lines. */
void plg_python_skip_space (const char **text, int *line);

G_END_DECLS
