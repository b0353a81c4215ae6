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

  /* Where Cairo paints, GTK 4.8 loads the driver of OpenGL nevertheless, which without a graphics card is a compiler of 60 MB. */
  if (g_strcmp0 (g_getenv ("GSK_RENDERER"), "cairo") == 0)
    g_setenv ("GDK_DEBUG", "gl-disable", FALSE);

  application = plg_application_new ();
  return g_application_run (G_APPLICATION (application), argc, argv);
}
