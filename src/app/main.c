/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "app/application.h"

#include <libintl.h>
#include <locale.h>
#include <signal.h>

int
main (int argc, char **argv)
{
  g_autoptr (PlgApplication) application = NULL;
  const char *locale_dir;

  /* A file that grows beyond what the system allows is an error like any other. */
  signal (SIGXFSZ, SIG_IGN);
  setlocale (LC_ALL, "");
  /* Run from the build folder, the translations are elsewhere. */
  locale_dir = g_getenv ("PLG_LOCALE_DIR");
  bindtextdomain (GETTEXT_PACKAGE, locale_dir != NULL ? locale_dir : PLG_LOCALE_DIR);
  bind_textdomain_codeset (GETTEXT_PACKAGE, "UTF-8");
  textdomain (GETTEXT_PACKAGE);

  application = plg_application_new ();
  return g_application_run (G_APPLICATION (application), argc, argv);
}
