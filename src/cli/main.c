/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "cli/command.h"

#include <glib/gi18n-lib.h>
#include <locale.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>

static const PlgCommand commands[] = {
  { "evaluate", N_ ("Print the report of a plan"), plg_command_evaluate },
  { "export", N_ ("Write pictures of a plan: SVG, PDF, PNG, TikZ, draw.io, text"),
    plg_command_export },
  { "convert", N_ ("Write a plan in another format"), plg_command_convert },
  { "check", N_ ("Check a plan, and test assertions"), plg_command_check },
  { "search", N_ ("Find the best plans for a model and a cluster"), plg_command_search },
  { "compare", N_ ("Compare two plans, and test assertions with both"), plg_command_compare },
  { "place", N_ ("Find the fastest placement on the nodes of a cluster"), plg_command_place },
  { "balance", N_ ("Find the fastest division of the layers over the stages"),
    plg_command_balance },
  { "learner", N_ ("Print the answers and designs of learners"), plg_command_learner },
  { "solve", N_ ("Find the smallest or largest value that meets conditions"), plg_command_solve },
  { "new", N_ ("Make a plan from the catalogue"), plg_command_new },
};

static char *
usage (void)
{
  GString *text = g_string_new (NULL);

  g_string_append_printf (text, _ ("Usage: %s COMMAND [OPTION…] [PLAN]\n\n"), PLG_PROGRAM);
  for (gsize i = 0; i < G_N_ELEMENTS (commands); i++)
    g_string_append_printf (text, "  %-10s %s\n", commands[i].name, _ (commands[i].summary));
  g_string_append_printf (
      text, "\n%s\n",
      _ ("PLAN is a plan file, any file that can be imported, or - for standard input;\n"
         "without PLAN, the default plan is used. COMMAND --help lists the options of a "
         "command.\n"
         "Exit status: 0 success, 1 the plan or an assertion fails, 2 wrong usage,\n"
         "3 a file that cannot be read or written, or is not valid, 130 Ctrl+C."));
  return g_string_free (text, FALSE);
}

static PlgExit
usage_error (void)
{
  g_autofree char *text = usage ();

  fputs (text, stderr);
  return PLG_EXIT_USAGE;
}

int
main (int argc, char **argv)
{
  const char *locale_dir;

  /* A file that grows beyond the system's limit causes an ordinary write error instead of a
   * signal. */
  signal (SIGXFSZ, SIG_IGN);

  static const char option[] = "--language";
  const char *language = NULL;

  for (int i = 1; i < argc; i++)
    if (g_str_equal (argv[i], option) && i + 1 < argc)
      language = argv[i + 1];
    else if (g_str_has_prefix (argv[i], option) && argv[i][strlen (option)] == '=')
      language = argv[i] + strlen (option) + 1;
  if (language != NULL)
    g_setenv ("LANGUAGE", language, TRUE);
  setlocale (LC_ALL, "");
  /* Format numbers the same way in every locale, because scripts read the output. */
  setlocale (LC_NUMERIC, "C");
  if (language != NULL && g_str_equal (setlocale (LC_MESSAGES, NULL), "C"))
    setlocale (LC_MESSAGES, "C.UTF-8");
  /* PLG_LOCALE_DIR lets a program in the build folder find its translations. */
  locale_dir = g_getenv ("PLG_LOCALE_DIR");
  bindtextdomain (GETTEXT_PACKAGE, locale_dir != NULL ? locale_dir : PLG_LOCALE_DIR);
  bind_textdomain_codeset (GETTEXT_PACKAGE, "UTF-8");
  textdomain (GETTEXT_PACKAGE);

  if (argc < 2)
    return usage_error ();
  if (g_str_equal (argv[1], "--help") || g_str_equal (argv[1], "-h"))
    return plg_cli_print (usage (), FALSE);
  if (g_str_equal (argv[1], "--version"))
    return plg_cli_print (g_strdup_printf ("%s %s\n", PLG_PROGRAM, PLG_VERSION), FALSE);
  for (gsize i = 0; i < G_N_ELEMENTS (commands); i++)
    if (strcmp (argv[1], commands[i].name) == 0)
      return commands[i].run (argc - 1, argv + 1);
  plg_cli_fail (PLG_EXIT_USAGE, _ ("There is no command “%s”."), argv[1]);
  return usage_error ();
}
