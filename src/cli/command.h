/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "io/registry/format.h"

G_BEGIN_DECLS

#define PLG_PROGRAM "parallelogram-cli"

/* What every command ends with; scripts depend on these numbers. */
typedef enum
{
  PLG_EXIT_DONE = 0,
  PLG_EXIT_PLAN = 1,  /* the plan or an assertion fails */
  PLG_EXIT_USAGE = 2, /* the command line is wrong */
  PLG_EXIT_FILE = 3,  /* a file cannot be read or written, or is not valid */
} PlgExit;

typedef struct
{
  const char *name;
  const char *summary; /* N_() */
  PlgExit (*run) (int argc, char **argv);
} PlgCommand;

/* One file each. ARGV[0] is the command's name. */
PlgExit plg_command_check (int argc, char **argv);
PlgExit plg_command_convert (int argc, char **argv);
PlgExit plg_command_evaluate (int argc, char **argv);
PlgExit plg_command_export (int argc, char **argv);
PlgExit plg_command_learner (int argc, char **argv);
PlgExit plg_command_new (int argc, char **argv);

/* Prints "parallelogram-cli: MESSAGE" to standard error and returns STATUS. */
PlgExit plg_cli_fail (PlgExit status, const char *format, ...) G_GNUC_PRINTF (2, 3);
/* PLG_EXIT_PLAN where ERROR is of a plan that cannot exist, else INVALID. */
PlgExit plg_cli_status (const GError *error, PlgExit invalid);
/* Prints MESSAGE and how to learn more of the command, and returns PLG_EXIT_USAGE. */
PlgExit plg_cli_usage_error (const char *message);
/* language.c: FALSE, and people are told which there are, where LANGUAGE, such as "de" or
 * "de_DE.UTF-8", has no translation. */
gboolean plg_cli_check_language (const char *language);

/* Where the plan of a command comes from. */
typedef enum
{
  PLG_INPUT_FILE, /* from PLAN, --import and --set */
  PLG_INPUT_NEW,  /* the command makes it, as --set says */
  PLG_INPUT_NONE, /* it has none */
} PlgInputKind;

/* A plan as the command line names it, and all that is needed to read and write it. */
typedef struct
{
  PlgInputKind kind;
  char **paths;       /* what is no option: at most one plan */
  char **imports;     /* --import */
  gboolean account;   /* --account */
  char **assignments; /* --set */
  char *language;     /* --language, or NULL */
  PlgCatalogue *catalogue;
  PlgPlanSource *source;
  PlgPlan *plan;
} PlgInput;

/* Reads the options of a command: ENTRIES, those of INPUT's kind, and --language. DESCRIPTION
 * stands above them in --help, which ends the program. When they are wrong, says so and how the
 * command is used, and returns FALSE: the status is then PLG_EXIT_USAGE. */
gboolean plg_cli_parse (const char *description,
                        const GOptionEntry *entries,
                        PlgInput *input,
                        int argc,
                        char **argv);

/* Reads the plan that INPUT names (none: the default plan; "-": standard input) and makes the
 * changes of --set. What is wrong is printed, and is the status returned. */
PlgExit plg_input_read (PlgInput *input);
void plg_input_clear (PlgInput *input);

/* Around all that makes a picture, a file or json: the same bytes come from the same input whatever
 * the person's language is, unless --language asks for one. Messages before and after are in the
 * person's. */
void plg_cli_begin_file (const PlgInput *input);
void plg_cli_end_file (const PlgInput *input);

/* Writes BYTES to PATH; NULL, "-" and "-.svg" are standard output. A file that is there is only
 * replaced with FORCE. */
PlgExit plg_cli_write (const char *path, GBytes *bytes, gboolean force);
/* Prints TEXT, which is freed. With PLAIN_SPACES, spaces that hold a number and its unit together
 * become ordinary ones, so that people can search for "75 GiB" as they would type it. */
PlgExit plg_cli_print (char *text, gboolean plain_spaces);
gboolean plg_cli_is_stdout (const char *path);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (PlgInput, plg_input_clear)

G_END_DECLS
