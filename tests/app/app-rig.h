/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "../widgets/rig.h"

#include "app/application.h"
#include "app/window/window.h"

/* What the tests of windows and dialogs share: the application with a window of its own, and a
 * folder for files, which goes with them. */

typedef struct
{
  PlgApplication *application;
  PlgWindow *window;
  char *folder;
} AppRig;

/* For main(): NULL when there is no display; the test is then skipped. */
PlgApplication *app_rig_application (int *argc, char ***argv);

typedef struct
{
  const char *path;
  void (*test) (AppRig *rig, gconstpointer data);
} AppRigCase;

/* All of main() of a test with this fixture: the exit status. */
int app_rig_run (int *argc, char ***argv, const AppRigCase *cases, gsize n);

/* Fixture; DATA is the application. */
void app_rig_set_up (AppRig *rig, gconstpointer data);
/* The document goes with its window, or something holds it still. */
void app_rig_tear_down (AppRig *rig, gconstpointer data);

/* FALSE: the window has no such action, or not now. */
gboolean app_rig_act (AppRig *rig, const char *action);
/* The text that is in the clipboard; g_free(). */
char *app_rig_copied (GtkWidget *widget);

GFile *app_rig_file (AppRig *rig, const char *name);
/* A file of the folder that says TEXT. */
GFile *app_rig_put (AppRig *rig, const char *name, const char *text);

/* The window of TYPE that is open, or NULL. */
GtkWidget *app_rig_open_window (GType type);
/* Whether TEXT is part of a label below WIDGET. */
gboolean app_rig_shows (GtkWidget *widget, const char *text);
/* Whether a label that is mapped says TEXT and no more. */
gboolean app_rig_tells (GtkWidget *widget, const char *text);
/* Adds to TEXT all that is to be read of what is shown below WIDGET. */
void app_rig_collect (GtkWidget *widget, GString *text);
/* For rig_find(): the label says TEXT somewhere. */
gboolean app_rig_has_label (GtkWidget *label, gpointer text);
