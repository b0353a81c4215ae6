/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "../widgets/rig.h"

#include "app/window/window.h"
#include "lessons/lesson.h"

/* What the tests of presenting share: a window that is presented. */

/* What the back row can read, of the window's height. */
#define PRESENTATION_RIG_LEAST 0.02

typedef struct
{
  PlgWindow *window;
} PresentationRig;

/* Fixture of 1024 x 768; DATA is the application. */
void presentation_rig_set_up (PresentationRig *rig, gconstpointer data);
void presentation_rig_tear_down (PresentationRig *rig, gconstpointer data);

typedef struct
{
  const char *path;
  void (*test) (PresentationRig *rig, gconstpointer data);
} PresentationRigCase;

/* All of main() of a test with this fixture: the exit status. */
int presentation_rig_run (int *argc, char ***argv, const PresentationRigCase *cases, gsize n);

/* The first widget of TYPE in the window. */
GtkWidget *presentation_rig_find (PresentationRig *rig, GType type);
gboolean presentation_rig_is_mapped (PresentationRig *rig, GType type);

/* As the window itself gets a key that its controllers see first. TRUE where one took it. */
gboolean presentation_rig_press (PresentationRig *rig, guint key);
/* Waits for layouts that follow each other, and for sides that come and go in some frames. */
void presentation_rig_come_to_rest (PresentationRig *rig);
void presentation_rig_present (PresentationRig *rig);
void presentation_rig_resize (PresentationRig *rig, int width, int height);

/* No text below WIDGET is smaller than LEAST. */
void presentation_rig_check_labels (GtkWidget *widget, double least);
/* How many texts there are, none of them smaller than LEAST at ZOOM. */
int presentation_rig_check_figure (const PlgFigure *figure, double zoom, double least);
/* No two texts of the legend overlap. */
void presentation_rig_check_legend (PresentationRig *rig);
/* All that the window shows can be read from the back row. */
void presentation_rig_check_sizes (PresentationRig *rig);
/* That all texts are large enough and those of the legend apart, of whatever plan. */
void presentation_rig_check_all_texts (PresentationRig *rig);

/* Of LESSONS, the one that asks first and has goals later. */
PlgLesson *presentation_rig_lesson (GPtrArray *lessons);
/* NAME of the presentation's template. */
GObject *presentation_rig_part (PresentationRig *rig, const char *name);
/* The button of choice N of the question that is presented, and what it says. */
GtkWidget *presentation_rig_choice (PresentationRig *rig, int n);
const char *presentation_rig_text (GtkWidget *choice);
/* Whether what is said of an answer is there. */
gboolean presentation_rig_is_answered (PresentationRig *rig);
