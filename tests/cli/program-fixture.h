/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

/* A fixture that runs the command-line program as people and scripts use it: in a folder of its
 * own, without a display. */
typedef struct
{
  char *folder;
  int status;          /* the exit status of the last command */
  char *out;           /* the standard output of the last command, with a NUL byte at its end */
  gsize out_size;      /* [bytes] */
  char *err;           /* the standard error of the last command */
  const char *wrapper; /* a command that runs the program, followed by a space, or "" */
} Fixture;

void set_up (Fixture *fixture, gconstpointer data);
void tear_down (Fixture *fixture, gconstpointer data);

/* Runs LINE, the words of a command (quoted as in a shell), in the folder with INPUT on its standard
 * input, and returns its exit status. */
int run_line (Fixture *fixture, const char *input, const char *line);
/* Runs the program with the words of COMMAND and with INPUT on its standard input, and returns its
 * exit status. */
int run_with (Fixture *fixture, const char *input, const char *command);
/* Runs the program with the words of COMMAND and an empty standard input. */
int run (Fixture *fixture, const char *command);

void write_file (const Fixture *fixture, const char *name, const char *text);
/* Returns the content of a file in the folder; free with g_free(). SIZE may be NULL. */
char *read_file (const Fixture *fixture, const char *name, gsize *size);

void assert_contains (const char *text, const char *part);
void assert_lacks (const char *text, const char *part);
