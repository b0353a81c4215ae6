/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "../widgets/rig.h"

#include "app/window.h"
#include "formats/lesson.h"

/* What the tests of presenting share: a window that is presented. */

/* What the back row can read, of the window's height. */
#define SHOW_RIG_LEAST 0.02

typedef struct
{
  PlgWindow *window;
} ShowRig;

/* Fixture of 1024 x 768; DATA is the application. */
void show_rig_set_up (ShowRig *rig, gconstpointer data);
void show_rig_tear_down (ShowRig *rig, gconstpointer data);

typedef struct
{
  const char *path;
  void (*test) (ShowRig *rig, gconstpointer data);
} ShowRigCase;

/* All of main() of a test with this fixture: the exit status. */
int show_rig_run (int *argc, char ***argv, const ShowRigCase *cases, gsize n);

/* The first widget of TYPE in the window. */
GtkWidget *show_rig_find (ShowRig *rig, GType type);
gboolean show_rig_is_mapped (ShowRig *rig, GType type);

/* As the window itself gets a key that its controllers see first. TRUE where one took it. */
gboolean show_rig_press (ShowRig *rig, guint key);
/* Waits for layouts that follow each other, and for sides that come and go in some frames. */
void show_rig_come_to_rest (ShowRig *rig);
void show_rig_present (ShowRig *rig);
void show_rig_resize (ShowRig *rig, int width, int height);

/* No text below WIDGET is smaller than LEAST. */
void show_rig_check_labels (GtkWidget *widget, double least);
/* How many texts there are, none of them smaller than LEAST at ZOOM. */
int show_rig_check_figure (const PlgFigure *figure, double zoom, double least);
/* No two texts of the legend overlap. */
void show_rig_check_legend (ShowRig *rig);
/* All that the window shows can be read from the back row. */
void show_rig_check_sizes (ShowRig *rig);
/* That all texts are large enough and those of the legend apart, of whatever plan. */
void show_rig_check_all_texts (ShowRig *rig);

/* Of LESSONS, the one that asks first and has goals later. */
PlgLesson *show_rig_lesson (GPtrArray *lessons);
/* NAME of the presentation's template. */
GObject *show_rig_part (ShowRig *rig, const char *name);
/* The button of choice N of the question that is presented, and what it says. */
GtkWidget *show_rig_choice (ShowRig *rig, int n);
const char *show_rig_text (GtkWidget *choice);
/* Whether what is said of an answer is there. */
gboolean show_rig_is_answered (ShowRig *rig);
