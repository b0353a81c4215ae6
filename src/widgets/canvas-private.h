/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "document/drag.h"
#include "engine/moment.h"
#include "widgets/canvas.h"
#include "widgets/drag-label.h"
#include "widgets/minimap.h"
#include "widgets/tiles.h"

G_BEGIN_DECLS

/* Shared by canvas.c (painting, properties), canvas-view.c, canvas-pointer.c and
 * canvas-keyboard.c. */

#define PLG_CANVAS_MIN_ZOOM 0.02
#define PLG_CANVAS_MAX_ZOOM 8.0

/* Above this there is one cell for assistive technology that goes about, for each costs a widget.
 */
#define PLG_CANVAS_MAX_CELLS 1024

/* What arrow keys go over: from afar, where there are very many GPUs, nodes or racks. */
typedef enum
{
  PLG_WALK_GPUS,
  PLG_WALK_NODES,
  PLG_WALK_RACKS,
} PlgWalk;

struct _PlgCanvas
{
  GtkWidget parent_instance;

  PlgDocument *document;
  char *palette;

  /* What is drawn: a figure for one step of the zoom and, where the plan is large, for what is
   * seen and around it. Its size is the same at any zoom. */
  PlgTheme theme;
  PlgFigure *figure;
  double least_text; /* pixels, 0: the usual sizes */
  double figure_zoom;
  PlgRect figure_part; /* width 0: all of it */
  gboolean figure_lit; /* what is lit is in it: some of that is in sight */
  PlgTiles *tiles;
  double tiles_zoom;   /* the figure's, when it was given to the tiles */
  gboolean is_changed; /* and it shows something else since */
  guint sharpen_id;    /* while not all is sharp */
  /* Along the lower edge, always in sight and as large at any zoom. */
  PlgFigure *legend;
  double legend_zoom; /* 0: it is to be made anew */
  PlgTiles *legend_tiles;
  guint n_layouts;
  guint n_paints;

  /* The view: widget = figure x zoom + origin. */
  double zoom;
  PlgPoint origin;
  gboolean fit;
  int alone;                  /* the node that is shown alone, or -1 */
  PlgPlan folded;             /* the plan, whose parts it borrows, with the nodes in rows so short
                                 that the one that is alone fills the canvas */
  PlgCanvasView before_alone; /* what was in sight before it */
  gboolean frames_zoom;
  guint notify_zoom_id;

  PlgMinimap *map;
  gboolean has_map;       /* it is of the plan as it is */
  gboolean shows_map;     /* not all is in sight */
  guint map_id;           /* it showed what is played a moment ago */
  gboolean map_is_behind; /* and something else is played since */
  int map_corner;         /* where it is: bit 0 left, bit 1 at the top */
  PlgRect marked;         /* what was found, while MARK_ID is not 0 */
  guint mark_id;

  double moment; /* seconds, -1: the whole step */
  PlgMoment *shown_moment;

  PlgThing found;      /* what was looked for last, until something else is selected */
  PlgThing hover;      /* under the pointer */
  PlgPoint rested_at;  /* where the pointer was last, in the window */
  gboolean click_pins; /* the press may become a click that pins */
  guint focus_id;      /* what is lit up follows hover a little later */
  int selected;        /* the GPU whose groups are outlined, or -1 */
  int looked_at;       /* the one that the pointer was on last, whose are instead until it leaves */

  GtkWidget *edges[PLG_N_AXES]; /* PlgEdge */
  GPtrArray *cells;             /* PlgCell by GPU number, or one for all */
  PlgWalk walk;                 /* what that one stood for last */
  guint tell_id;                /* what GPUs do was told a moment ago */
  gboolean has_more_to_tell;    /* and is something else since */
  int focused;                  /* the GPU that Tab enters */
  char *said;                   /* what was just done there, or NULL */
  PlgThing said_of;             /* what was there then */

  /* One drag at a time, by pointer or keyboard. */
  PlgDrag *drag;
  const PlgReport *drag_report; /* of the plan it began with; the drag holds a reference */
  PlgAxis drag_axis;
  int drag_rank;
  gboolean drag_by_keyboard;
  int drag_gpu;      /* the target of a drag by keyboard */
  gboolean given_up; /* the button is still down, but what it dragged is over */
  gboolean panning;
  PlgPoint pan_start;
  gboolean walked;              /* keys moved the focus last, and the pointer rested since */
  gboolean kept;                /* what is lit stays so until the pointer goes away from KEPT_AT */
  PlgPoint kept_at;             /* x < 0: wherever it is next */
  const PlgReport *kept_report; /* of then, never looked into; with another it goes out */
  gboolean choosing;            /* a place to exchange with is chosen by keys, or with a click */
  PlgThing pressed;             /* what was there when the button went down */
  PlgPoint press;               /* where the button went down, in the widget */
  PlgPoint offset;  /* from there to the middle of the last GPU inside of the edge, in the figure */
  PlgPoint pointer; /* where it was last, in the widget */
  double pinch_zoom;
  PlgDragLabel *drag_label;

  GtkWidget *popover;     /* the menu or question that was opened last, or NULL */
  GtkWidget *old_popover; /* the one before it; it may be in the midst of an action */
  guint old_popover_id;
  PlgPoint menu_at;
};

/* canvas-walk.c */
PlgWalk plg_canvas_walk (PlgCanvas *self);
/* The cell that is GPU's own, or stands for it now; else NULL. */
GtkWidget *plg_canvas_cell (PlgCanvas *self, int gpu);
/* GPU, or the node or rack that is seen in its place. */
PlgThing plg_canvas_stand_in (PlgCanvas *self, int gpu);
/* The GPU, or the first one of the node or rack, next to GPU on screen; -1 at the border. */
int plg_canvas_neighbour (PlgCanvas *self, int gpu, GtkDirectionType direction);
void plg_canvas_update_cells (PlgCanvas *self);
void plg_canvas_allocate_cells (PlgCanvas *self);
void plg_canvas_focus_gpu (PlgCanvas *self, int gpu);
/* Whether who walks by keys is at it, or the pointer has moved since. */
void plg_canvas_set_walked (PlgCanvas *self, gboolean walked);
/* Zooms to the node or rack that stands for GPU. */
void plg_canvas_enter (PlgCanvas *self, int gpu);

/* canvas-tell.c */
char *plg_canvas_name_gpu (PlgCanvas *self, int gpu, int rank); /* g_free() */
/* What assistive technology says of the cell of GPU; nothing where it has none. */
void plg_canvas_describe_cell (PlgCanvas *self, int gpu);
/* The same where it has one, and RANK is on it. */
void plg_canvas_describe_rank (PlgCanvas *self, int gpu, int rank);
/* That the focused GPU does something else now; soon where that was told only just before. */
void plg_canvas_tell_activity (PlgCanvas *self);

/* canvas.c */
void plg_canvas_invalidate (PlgCanvas *self);        /* the figure */
void plg_canvas_invalidate_figure (PlgCanvas *self); /* the figure, but not where things lie */
void plg_canvas_invalidate_view (PlgCanvas *self);   /* zoom or origin */
/* Why something cannot be, and what has become of something: for the eye and the ear. */
void plg_canvas_refuse (PlgCanvas *self, const GError *error);
void plg_canvas_tell (PlgCanvas *self, const char *message);
/* Makes PLAN the document's and tells what that changes, after LABEL; FALSE: refused. */
gboolean plg_canvas_apply (PlgCanvas *self, const PlgPlan *plan, const char *label);
/* The GPU whose groups are outlined now, or -1. */
int plg_canvas_outlined (PlgCanvas *self);
/* The axis whose groups a drag of a GPU moves and whose edge the keys move. */
PlgAxis plg_canvas_axis (PlgCanvas *self);
/* A GPU stands for what the view shows: itself, or its group of the axis shown alone. */
PlgDragKind plg_canvas_tile_drag (PlgCanvas *self);
int plg_canvas_rank_of_gpu (PlgCanvas *self, int gpu);

/* canvas-view.c */
void plg_canvas_ensure_figure (PlgCanvas *self);
void plg_canvas_allocate_over (PlgCanvas *self, GtkWidget *child, PlgRect rect);
/* Tells those who show zoom or height of the legend; after the allocation that changed them. */
void plg_canvas_notify_later (PlgCanvas *self);
PlgPoint plg_canvas_to_figure (PlgCanvas *self, double widget_x, double widget_y);
void plg_canvas_measure (GtkWidget *widget,
                         GtkOrientation orientation,
                         int for_size,
                         int *minimum,
                         int *natural,
                         int *minimum_baseline,
                         int *natural_baseline);
void plg_canvas_allocate (GtkWidget *widget, int width, int height, int baseline);

/* RECT in the middle of WIDTH x ROOM. */
void plg_canvas_look_at (PlgCanvas *self, PlgRect rect, double zoom, int width, int room);

/* canvas-alone.c */
/* The plan as it is laid out now. Valid until the document changes. */
const PlgPlan *plg_canvas_plan (PlgCanvas *self);
/* FALSE where no node is shown alone. */
gboolean plg_canvas_fit_alone (PlgCanvas *self, int width, int room);
void plg_canvas_snapshot_alone (PlgCanvas *self, GtkSnapshot *snapshot);
void plg_canvas_follow_alone (PlgCanvas *self, int gpu);

/* canvas-legend.c */
void plg_canvas_ensure_legend (PlgCanvas *self, int width);
/* What of the canvas is above the legend, in pixels, and of its height. */
int plg_canvas_room (PlgCanvas *self);
int plg_canvas_room_of (PlgCanvas *self, int height);
int plg_canvas_legend_height (PlgCanvas *self);
void plg_canvas_snapshot_legend (PlgCanvas *self, GtkSnapshot *snapshot);
/* NULL where the legend is not, or has nothing. */
const PlgShape *plg_canvas_legend_hit (PlgCanvas *self, double x, double y);

/* canvas-travel.c */
void plg_canvas_centre_on (PlgCanvas *self, double x, double y);
/* Moves the view when RECT is not in sight. */
void plg_canvas_reveal_rect (PlgCanvas *self, PlgRect rect);
/* What stays where it is, in the widget, when keys zoom: what was looked for or is selected, else
 * the middle. */
PlgPoint plg_canvas_zoom_centre (PlgCanvas *self);
void plg_canvas_snapshot_mark (PlgCanvas *self, GtkSnapshot *snapshot);
void plg_canvas_add_map (PlgCanvas *self);
/* What is played is something else: so it will be in the map, soon. */
void plg_canvas_play_map (PlgCanvas *self);
void plg_canvas_allocate_map (PlgCanvas *self, int width, int height);
void plg_canvas_install_pages (GtkWidgetClass *widget_class);

/* canvas-moment.c */
gboolean plg_canvas_has_moment (PlgCanvas *self);
void plg_canvas_forget_moment (PlgCanvas *self);
void plg_canvas_set_moment_options (PlgCanvas *self, PlgPictureOptions *options);
char *plg_canvas_activity_of (PlgCanvas *self, int gpu); /* NULL: no moment; g_free() */

/* canvas-snapshot.c */
void plg_canvas_snapshot (GtkWidget *widget, GtkSnapshot *snapshot);

/* canvas-drag.c */
void plg_canvas_drag_start (PlgCanvas *self, PlgDragKind kind, PlgAxis axis, int rank);
/* Over which GPU a drag is with the pointer at (X, Y), or PLG_DRAG_NOWHERE. */
int plg_canvas_drag_target (PlgCanvas *self, double x, double y);
void plg_canvas_drag_to (PlgCanvas *self, int gpu, gboolean shift);
void plg_canvas_drag_drop (PlgCanvas *self);
void plg_canvas_drag_cancel (PlgCanvas *self);

/* canvas-drop.c */
void plg_canvas_add_drop_target (PlgCanvas *self);

/* canvas-menu.c */
void plg_canvas_add_menu (PlgCanvas *self);
void plg_canvas_install_menu (GtkWidgetClass *widget_class);
/* Takes POPOVER and opens it at a point of the widget; the last one goes. */
void plg_canvas_set_popover (PlgCanvas *self, GtkWidget *popover, PlgPoint at);
void plg_canvas_clear_popovers (PlgCanvas *self);
void plg_canvas_open_menu (PlgCanvas *self, PlgThing thing, PlgPoint at);
GArray *plg_canvas_ranks_of (PlgCanvas *self, PlgThing thing);

/* Into MENU: an item; SECTION, where it has items. */
void plg_canvas_add_item (GMenu *menu, const char *label, const char *action, GVariant *target);
void plg_canvas_add_section (GMenu *menu, const char *label, GMenu *section);

/* canvas-fault.c */
/* Into MENU: what can befall GPU, under NAME, and the links by which it is reached. */
void plg_canvas_add_gpu_faults (PlgCanvas *self, GMenu *menu, const char *name, int gpu);
/* The same of the link with this number. */
void plg_canvas_add_link_faults (PlgCanvas *self, GMenu *menu, int index);
void plg_canvas_set_fault (PlgCanvas *self, const PlgFault *fault);
void plg_canvas_install_faults (GtkWidgetClass *widget_class);

/* canvas-node.c */
void plg_canvas_add_node_items (PlgCanvas *self, GMenu *menu, int node);
void plg_canvas_install_node (GtkWidgetClass *widget_class);
void plg_canvas_name_node (PlgCanvas *self, int node, const char *name);

/* canvas-ask.c */
void plg_canvas_ask_rate (PlgCanvas *self, const PlgFault *fault);
void plg_canvas_ask_name (PlgCanvas *self, int node);

/* canvas-pointer.c */
PlgThing plg_canvas_thing_at (PlgCanvas *self, double x, double y);
int plg_canvas_gpu_near (PlgCanvas *self, double x, double y);
void plg_canvas_add_controllers (PlgCanvas *self);
/* What is lit only because the pointer rests on it is so no longer, until the pointer moves. */
void plg_canvas_let_go (PlgCanvas *self);
/* THING and its groups are lit up until the pointer or the focus goes elsewhere, the plan changes,
 * or Escape. */
void plg_canvas_keep_lit (PlgCanvas *self, PlgThing thing);
/* Whether something is lit, but not for the pointer that rests on it. */
gboolean plg_canvas_is_held (PlgCanvas *self);
/* The link of the focused GPU that keys have lit up, or -1. One that the pointer only crosses is no
 * place to go on from. */
int plg_canvas_link_held (PlgCanvas *self);

/* canvas-travel.c */
/* The keys are the cluster's, and go on from THING, which may be nothing in particular. */
void plg_canvas_take_focus (PlgCanvas *self, PlgThing thing);

/* canvas-links.c: by keys, what the pointer does with links */
void plg_canvas_install_link_keys (GtkWidgetClass *widget_class);
/* The focus goes to another GPU: what was lit goes out. */
void plg_canvas_leave_link (PlgCanvas *self);
/* The first GPU that LINK ends at, or one below its leaf. */
int plg_canvas_gpu_of_link (PlgCanvas *self, const PlgLink *link);

/* canvas-keyboard.c */
void plg_canvas_install_keys (GtkWidgetClass *widget_class);
/* The middle of the lower edge of GPU, in the widget. */
PlgPoint plg_canvas_point_of_gpu (PlgCanvas *self, int gpu);
/* What sits on GPU is picked up; arrows and Space, or the pointer and a click, say where to. */
void plg_canvas_choose_place (PlgCanvas *self, PlgDragKind kind, int gpu);
gboolean plg_canvas_move_focus (PlgCanvas *self, GtkDirectionType direction);

G_END_DECLS
