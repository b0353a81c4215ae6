/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "../widgets/rig.h"

#include "app/application.h"
#include "app/window/window.h"

/* The base of tests for windows and dialogs: an application with a window and a temporary
 * folder. */

typedef struct
{
  PlgApplication *application;
  PlgWindow *window;
  char *folder;
} AppRig;

/* For main(): returns NULL without a display; the test is then skipped. */
PlgApplication *app_rig_application (int *argc, char ***argv);

typedef struct
{
  const char *path;
  void (*test) (AppRig *rig, gconstpointer data);
} AppRigCase;

/* The whole main() of a test with this fixture; returns the exit status. */
int app_rig_run (int *argc, char ***argv, const AppRigCase *cases, gsize n);

/* Fixture; DATA is the application. */
void app_rig_set_up (AppRig *rig, gconstpointer data);
/* Fails if the document outlives its window. */
void app_rig_tear_down (AppRig *rig, gconstpointer data);

/* Returns FALSE if the window has no such enabled action. */
gboolean app_rig_act (AppRig *rig, const char *action);
/* Returns the text in the clipboard (transfer full). */
char *app_rig_copied (GtkWidget *widget);

GFile *app_rig_file (AppRig *rig, const char *name);
/* Creates a file with TEXT in the folder. */
GFile *app_rig_put (AppRig *rig, const char *name, const char *text);

/* Returns the open window of TYPE, or NULL. */
GtkWidget *app_rig_open_window (GType type);
/* Returns whether a label in WIDGET contains TEXT. */
gboolean app_rig_shows (GtkWidget *widget, const char *text);
/* Returns whether a mapped label in WIDGET equals TEXT. */
gboolean app_rig_has_label (GtkWidget *widget, const char *text);
/* Appends every visible text in WIDGET to TEXT. */
void app_rig_collect (GtkWidget *widget, GString *text);
/* For rig_find(): returns whether LABEL contains TEXT. */
gboolean app_rig_label_contains (GtkWidget *label, gpointer text);
