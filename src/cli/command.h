/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "engine/report/assertion.h"
#include "io/registry/registry.h"

G_BEGIN_DECLS

#define PLG_PROGRAM "parallelogram-cli"

/* The exit status of every command. Scripts depend on these numbers. */
typedef enum
{
  PLG_EXIT_DONE = 0,
  PLG_EXIT_PLAN = 1,          /* the plan cannot exist, or a check or an assertion fails */
  PLG_EXIT_USAGE = 2,         /* the command line is wrong */
  PLG_EXIT_FILE = 3,          /* a file cannot be read or written, or is not valid */
  PLG_EXIT_INTERRUPTED = 130, /* Ctrl+C ended a search early; 128 + SIGINT, as in a shell */
} PlgExit;

typedef struct
{
  const char *name;
  const char *summary; /* one-line summary; marked with N_() */
  PlgExit (*run) (int argc, char **argv);
} PlgCommand;

/* Each function runs one command and is defined in the source file of that command. ARGV[0] is
 * the name of the command. */
PlgExit plg_command_balance (int argc, char **argv);
PlgExit plg_command_check (int argc, char **argv);
PlgExit plg_command_compare (int argc, char **argv);
PlgExit plg_command_convert (int argc, char **argv);
PlgExit plg_command_evaluate (int argc, char **argv);
PlgExit plg_command_export (int argc, char **argv);
PlgExit plg_command_learner (int argc, char **argv);
PlgExit plg_command_new (int argc, char **argv);
PlgExit plg_command_place (int argc, char **argv);
PlgExit plg_command_search (int argc, char **argv);
PlgExit plg_command_solve (int argc, char **argv);

/* Prints "parallelogram-cli: MESSAGE" to standard error and returns STATUS. */
PlgExit plg_cli_fail (PlgExit status, const char *format, ...) G_GNUC_PRINTF (2, 3);
/* Returns PLG_EXIT_PLAN if ERROR reports a plan that cannot exist, otherwise INVALID. */
PlgExit plg_cli_status (const GError *error, PlgExit invalid);
/* Prints MESSAGE, points to --help and returns PLG_EXIT_USAGE. */
PlgExit plg_cli_usage_error (const char *format, ...) G_GNUC_PRINTF (1, 2);
/* Returns NULL if LANGUAGE, such as "de" or "de_DE.UTF-8", has a translation. Otherwise returns
 * a message that lists the available translations (language.c); free it with g_free(). */
char *plg_cli_check_language (const char *language) G_GNUC_WARN_UNUSED_RESULT;

/* Appends to ASSERTIONS (element-type PlgAssertion) the assertions in TEXTS, the values of --assert,
 * which may be NULL and must live as long as ASSERTIONS. If a text is wrong, prints a usage message
 * and returns FALSE. */
gboolean plg_cli_read_assertions (char **texts, GArray *assertions);

/* The source of a command's plan. */
typedef enum
{
  PLG_INPUT_FILE,  /* a plan read from PLAN, --import and --set */
  PLG_INPUT_FILES, /* one or two plans; plg_input_read() reads the first */
  PLG_INPUT_NEW,   /* a plan that the command makes from --set */
  PLG_INPUT_NONE,  /* the command needs no plan */
} PlgInputKind;

/* The options that name a command's plan, and the plan itself. */
typedef struct
{
  PlgInputKind kind;
  int n_leading;        /* number of arguments that come before the plan */
  char **paths;         /* the arguments that are not options: N_LEADING arguments, then the path of
                         a plan, or of at most two plans for PLG_INPUT_FILES */
  char **imports;       /* values of --import */
  gboolean account;     /* whether --account was given */
  char **assignments;   /* values of --set */
  char *language;       /* value of --language, or NULL */
  gboolean only_values; /* TRUE for commands that replace degrees: the plan after --set must only
                           pass plg_plan_check_values() */
  char *label;          /* name of the plan at the start of messages, if there are two; or NULL */
  GBytes *bytes;        /* the content of the plan's file if the command has read it, or NULL */
  PlgCatalogue *catalogue;
  PlgPlanSource *source;
  PlgPlan *plan;
} PlgInput;

/* Reads the options of a command: ENTRIES, the options that apply to INPUT->kind, and
 * --language. --help prints DESCRIPTION above the options and ends the program. If the options
 * are wrong, prints a usage message and returns FALSE; the command must then exit with
 * PLG_EXIT_USAGE. */
gboolean plg_cli_parse (const char *description,
                        const GOptionEntry *entries,
                        PlgInput *input,
                        int argc,
                        char **argv);

/* Reads the plan file that INPUT names, then applies --import and --set. If INPUT names no file,
 * starts from INPUT->plan or, if it is NULL, from the default plan; the path "-" means standard
 * input. Loads the catalogue unless INPUT has one. Prints an error on failure.
 * Returns the exit status of the program. */
PlgExit plg_input_read (PlgInput *input);
/* Prints to standard error that some plans of a sweep or of a question do not have the layout of
 * the input. */
void plg_cli_report_lost_layout (void);
/* Returns the name of the plan in the output, for example the path of its file. Free with
 * g_free(). */
char *plg_input_name (const PlgInput *input) G_GNUC_WARN_UNUSED_RESULT;
void plg_input_clear (PlgInput *input);

/* Every command makes its pictures, files and JSON text between these two calls. Between the
 * calls, the output depends only on the input and on --language, not on the user's language.
 * Messages outside the calls are in the user's language. */
void plg_cli_begin_file (const PlgInput *input);
void plg_cli_end_file (const PlgInput *input);

/* A type of file that a command can write. */
typedef struct
{
  const char *name;      /* value of the option, such as "json"; NULL if only an extension chooses
                            the type */
  const char *extension; /* ".json" */
} PlgOutputType;

/* plg_cli_choose_type:
 * @option: the option that names the type, such as "--format"
 * @name: (nullable): the value of @option
 * @path: (nullable): the value of -o
 * @types: the types that the command can write, ended by a type without extension
 *
 * Chooses the type of the output. @name decides, but a @path with the extension of another type is
 * an error. Without @name, the extension of @path decides, and an extension of no type is an error.
 * Without both, the first type is chosen. Upper and lower case of an extension are the same.
 *
 * Returns: the index of the type, or -1 after a usage message */
int plg_cli_choose_type (const char *option,
                         const char *name,
                         const char *path,
                         const PlgOutputType *types);
/* The type of commands that only write plan files: XML. */
extern const PlgOutputType plg_cli_plan_types[];

/* Prints a message and returns PLG_EXIT_FILE if plg_cli_write() cannot create PATH, because its folder
 * is missing, or because the file exists and FORCE is not set. A command that takes long calls this
 * function first. */
PlgExit plg_cli_check_output (const char *path, gboolean force);
/* Writes BYTES to PATH. If PATH is NULL, "-" or begins with "-.", such as "-.svg", writes to
 * standard output. Replaces an existing file only if FORCE is set. */
PlgExit plg_cli_write (const char *path, GBytes *bytes, gboolean force);
/* Writes TEXT as plg_cli_write() does, and frees it. PLAIN_SPACES replaces the no-break spaces between numbers and units,
 * so that a search for "75 GiB" with an ordinary space finds the number. */
PlgExit plg_cli_write_text (const char *path, char *text, gboolean plain_spaces, gboolean force);
/* Writes TEXT to standard output, and frees it. */
PlgExit plg_cli_print (char *text, gboolean plain_spaces);
gboolean plg_cli_is_stdout (const char *path);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (PlgInput, plg_input_clear)

G_END_DECLS
