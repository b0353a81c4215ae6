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

  /* A write beyond the file-size limit must fail like other writes instead of ending the
   * process. */
  signal (SIGXFSZ, SIG_IGN);
  setlocale (LC_ALL, "");
  /* A program that runs from the build folder uses the translations in that folder. */
  locale_dir = g_getenv ("PLG_LOCALE_DIR");
  bindtextdomain (GETTEXT_PACKAGE, locale_dir != NULL ? locale_dir : PLG_LOCALE_DIR);
  bind_textdomain_codeset (GETTEXT_PACKAGE, "UTF-8");
  textdomain (GETTEXT_PACKAGE);

  /* Disable OpenGL if Cairo renders, because GTK 4.8 would load the OpenGL driver anyway.
   * Without a graphics card, this driver is a software renderer with a 60 MB compiler. */
  if (g_strcmp0 (g_getenv ("GSK_RENDERER"), "cairo") == 0)
    g_setenv ("GDK_DEBUG", "gl-disable", FALSE);

  application = plg_application_new ();
  return g_application_run (G_APPLICATION (application), argc, argv);
}
