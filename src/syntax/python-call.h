/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* A call of a function in a program in Python, as it is written: nothing is run. */

#define PLG_PYTHON_ARGUMENTS 16

typedef struct
{
  char name[32];  /* of "name=value", or nothing */
  const char *at; /* the value, behind space and comments; borrowed */
  const char *end;
  int line;
} PlgPythonArgument;

typedef struct
{
  int line; /* of the name of the function */
  int n;
  PlgPythonArgument arguments[PLG_PYTHON_ARGUMENTS]; /* those behind are left out */
} PlgPythonCall;

/* The next call of FUNCTION in *TEXT, whose first line is *LINE, outside of texts and comments;
 * both go to behind it. A call that does not end goes to the end. */
gboolean
plg_python_next_call (const char **text, int *line, const char *function, PlgPythonCall *call);

/* The argument with NAME, or the one at POSITION (from 0; -1: it must have its name) without any;
 * NULL: there is none. */
const PlgPythonArgument *
plg_python_argument (const PlgPythonCall *call, const char *name, int position);

/* Goes over space and comments, and counts lines. */
void plg_python_skip_space (const char **text, int *line);

G_END_DECLS
