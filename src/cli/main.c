/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "cli/command.h"

#include <glib/gi18n-lib.h>
#include <locale.h>
#include <stdio.h>
#include <string.h>

static const PlgCommand commands[] = {
  { "evaluate", N_ ("Print the report of a plan"), plg_command_evaluate },
  { "export", N_ ("Write pictures of a plan: SVG, PDF, PNG"), plg_command_export },
  { "convert", N_ ("Write a plan in another format"), plg_command_convert },
  { "check", N_ ("Tell what is wrong with a plan, and test assertions"), plg_command_check },
  { "new", N_ ("Make a plan from the catalogue"), plg_command_new },
};

static void
print_usage (FILE *stream)
{
  fprintf (stream, _ ("Usage: %s COMMAND [OPTION…] [PLAN]\n\n"), PLG_PROGRAM);
  for (gsize i = 0; i < G_N_ELEMENTS (commands); i++)
    fprintf (stream, "  %-10s %s\n", commands[i].name, _ (commands[i].summary));
  fprintf (stream, "\n%s\n",
           _ ("PLAN is a plan file, any file that can be imported, or - for standard input;\n"
              "without it, the default plan. COMMAND --help tells the options of a command.\n"
              "Exit status: 0 done, 1 the plan or an assertion fails, 2 wrong usage,\n"
              "3 a file that cannot be read or written, or is not valid."));
}

static const PlgCommand *
find_command (const char *name)
{
  for (gsize i = 0; i < G_N_ELEMENTS (commands); i++)
    if (strcmp (name, commands[i].name) == 0)
      return &commands[i];
  return NULL;
}

static PlgExit
run (int argc, char **argv)
{
  const PlgCommand *command;

  if (argc < 2)
    {
      print_usage (stderr);
      return PLG_EXIT_USAGE;
    }
  if (g_str_equal (argv[1], "--help") || g_str_equal (argv[1], "-h"))
    {
      print_usage (stdout);
      return PLG_EXIT_DONE;
    }
  if (g_str_equal (argv[1], "--version"))
    {
      printf ("%s %s\n", PLG_PROGRAM, PLG_VERSION);
      return PLG_EXIT_DONE;
    }
  command = find_command (argv[1]);
  if (command == NULL)
    {
      plg_cli_fail (PLG_EXIT_USAGE, _ ("There is no command “%s”."), argv[1]);
      print_usage (stderr);
      return PLG_EXIT_USAGE;
    }
  return command->run (argc - 1, argv + 1);
}

int
main (int argc, char **argv)
{
  const char *locale_dir;

  setlocale (LC_ALL, "");
  /* Numbers are the same bytes everywhere: people script what is printed here. */
  setlocale (LC_NUMERIC, "C");
  /* Run from the build folder, the translations are elsewhere. */
  locale_dir = g_getenv ("PLG_LOCALE_DIR");
  bindtextdomain (GETTEXT_PACKAGE, locale_dir != NULL ? locale_dir : PLG_LOCALE_DIR);
  bind_textdomain_codeset (GETTEXT_PACKAGE, "UTF-8");
  textdomain (GETTEXT_PACKAGE);
  return run (argc, argv);
}
