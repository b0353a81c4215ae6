/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "app/window/window.h"
#include "app/toasts.h"
#include "widgets/canvas/pointer-spotlight.h"
#include "widgets/canvas/find-bar.h"
#include "widgets/inspector/inspector.h"
#include "widgets/lesson/lesson-pane.h"
#include "widgets/tables/link-table.h"
#include "widgets/lesson/notes-bar.h"
#include "widgets/deferred-update.h"
#include "widgets/panels/panels.h"
#include "widgets/pictures/picture-view.h"
#include "widgets/pictures/player.h"
#include "widgets/bottom-pane-layout.h"
#include "widgets/tables/pin-list.h"
#include "widgets/lesson/presentation.h"

G_BEGIN_DECLS

/* Of window-presenting.c. */
typedef struct _PlgPresentationState PlgPresentationState;
/* Of window-presenter.c. */
typedef struct _PlgPresenterView PlgPresenterView;
/* Of window-pointing.c. */
typedef struct _PlgPointing PlgPointing;

/* Shared by window.c (what it is), window-actions.c (what the menus do), window-playing.c (the
 * step, played) and window-files.c (open, save, close). */
struct _PlgWindow
{
  AdwApplicationWindow parent_instance;

  PlgDocument *document;
  GSettings *settings;

  AdwWindowTitle *title;
  AdwToastOverlay *toasts;
  AdwFlap *inspector_flap;
  GtkWidget *open_button;
  AdwFlap *panels_flap;
  PlgInspector *inspector;
  PlgFindBar *find_bar;
  PlgNotesBar *notes_bar;
  PlgCanvas *canvas;
  PlgPanels *panels;
  GtkWidget *pane; /* below the cluster */
  GtkStack *pages; /* of it */
  PlgPictureView *timeline;
  PlgPlayer *player;
  PlgLinkTable *links;
  GtkWidget *tier; /* which of them are listed */
  PlgPictureView *ledger;
  PlgPictureView *pairs;
  PlgPinList *pins;
  GtkWidget *show_cp;
  GtkWidget *show_ep;
  GMenu *recent_menu;

  GtkFileChooserNative *chooser; /* GTK keeps no reference while it is open */
  GtkStack *side;                /* of the inspector and a lesson */
  GtkWidget *side_switcher;      /* while there is a lesson */
  PlgLessonPane *lesson_pane;
  PlgLessonRun *run; /* the lesson that is played, or NULL */
  int lesson_step;   /* what the canvas was set up for */
  int lesson_choice;
  gboolean lesson_reached;

  GtkWidget *header;
  GtkWidget *canvas_bar;
  PlgPresentation *presentation; /* beside the canvas, while there is a show */
  GtkOverlay *stage;
  PlgPointerSpotlight *beam;
  GtkWidget *blank;
  PlgPresentationState *show; /* while it is presented, else NULL */
  PlgPointing *pointing;
  PlgPresenterView *notes;
  int frames_to_settle; /* frames until the sides fold by themselves again; 0: they do, or must not */
  int width_to_settle;
  gboolean
      has_lesson_layout; /* beside a lesson the panels come and go with the room that there is */

  GtkWidget *import_dialog; /* while it is open */
  GQueue *waiting;          /* of GFile: parts of plans that are shown after it */
  gboolean close_after_save;
  gboolean may_close; /* the question was answered */
};

/* window-actions.c */
void plg_window_install_actions (GtkWidgetClass *widget_class);
void plg_window_add_actions (PlgWindow *self);
/* Those of settings, which the application keeps, would speak of a window that is gone. */
void plg_window_remove_actions (PlgWindow *self);
void plg_window_update_actions (PlgWindow *self);

/* window-playing.c */
void plg_window_install_playing (GtkWidgetClass *widget_class);
void plg_window_set_up_player (PlgWindow *self);

/* window-lessons.c */
void plg_window_install_lessons (GtkWidgetClass *widget_class);
void plg_window_set_up_lessons (PlgWindow *self);

/* window-sides.c: how the inspector and the panels fold in a narrow window */
/* Whether they may, after another lesson or show. */
void plg_window_update_sidebars (PlgWindow *self);
/* They may again once the window is WIDTH wide and at rest: as soon as a side that is folded has
 * room again it would come by itself, though it was hidden before. */
void plg_window_settle_sidebars (PlgWindow *self, int width);
/* Beside a lesson there is room for the cluster, and for the panels in wide windows only; in others
 * people bring them, and then they stay as they are left. */
void plg_window_begin_lesson_layout (PlgWindow *self);
void plg_window_end_lesson_layout (PlgWindow *self);
void plg_window_set_up_sidebars (PlgWindow *self);
/* window-pairs.c */
void plg_window_install_matrix (GtkWidgetClass *widget_class);
void plg_window_set_up_matrix (PlgWindow *self);
/* Whether the matrix of pairs has the focus, so that ACTION is done with it. */
gboolean plg_window_activate_matrix_action (PlgWindow *self, const char *action);

/* window-pointing.c: while it is presented */
void plg_window_begin_pointing (PlgWindow *self);
void plg_window_end_pointing (PlgWindow *self);
/* Of the keys of presenting those that point: TRUE when KEY was one. */
gboolean plg_window_pointing_key (PlgWindow *self, guint key);
/* Gives up what was pointed at, the zoom first. FALSE: there was nothing. */
gboolean plg_window_pointing_escape (PlgWindow *self);

/* window-presenter.c: the window with the notes, while it is presented */
void plg_window_begin_presenter (PlgWindow *self);
void plg_window_open_presenter (PlgWindow *self);
void plg_window_update_presenter (PlgWindow *self);
void plg_window_end_presenter (PlgWindow *self);

/* window-presenting.c */
/* What the show does with a key before anybody else: TRUE when it was one of presenting. */
gboolean
plg_window_presentation_key (PlgWindow *self, guint key, guint code, GdkModifierType modifiers);
void plg_window_install_presenting (GtkWidgetClass *widget_class);
/* That the lesson is another, or none. */
void plg_window_update_presentation (PlgWindow *self);
/* When the window goes. */
void plg_window_clear_presentation (PlgWindow *self);

/* window.c: palette and colour scheme, as people set them or as a show needs them. */
void plg_window_update_theme (PlgWindow *self);
/* The plan's notes, where there is neither a lesson nor a show. */
void plg_window_update_notes (PlgWindow *self);

/* window-importing.c */
void plg_window_install_importing (GtkWidgetClass *widget_class);
void plg_window_clear_imports (PlgWindow *self);
/* Files, or the text that lies in a terminal or a browser. */
void plg_window_accept_drops (PlgWindow *self);

/* window-files.c */
void plg_window_save_links (PlgWindow *self);
void plg_window_choose_open (PlgWindow *self);
void plg_window_choose_class (PlgWindow *self);
void plg_window_save (PlgWindow *self);
void plg_window_save_as (PlgWindow *self);
/* TRUE when the window stays: a question is open. */
gboolean plg_window_ask_before_close (PlgWindow *self);
void plg_window_update_recent (PlgWindow *self);

G_END_DECLS
