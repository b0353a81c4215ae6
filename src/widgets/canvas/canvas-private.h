/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "document/drag.h"
#include "engine/schedule/snapshot.h"
#include "widgets/canvas/canvas.h"
#include "widgets/canvas/drag-label.h"
#include "widgets/canvas/minimap.h"
#include "widgets/rendering/tiles.h"

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
  PLG_FOCUS_GPUS,
  PLG_FOCUS_NODES,
  PLG_FOCUS_RACKS,
} PlgFocusLevel;

struct _PlgCanvas
{
  GtkWidget parent_instance;

  PlgDocument *document;
  char *palette;

  /* What is drawn: a figure for one step of the zoom and, where the plan is large, for what is
   * seen and around it. Its size is the same at any zoom. */
  PlgTheme theme;
  PlgFigure *figure;
  double min_text_size; /* pixels, 0: the usual sizes */
  double figure_zoom;
  PlgRect figure_part;           /* width 0: all of it */
  gboolean figure_has_highlight; /* what is lit is in it: some of that is in sight */
  PlgTiles *tiles;
  double tiles_zoom;          /* the figure's, when it was given to the tiles */
  gboolean figure_is_changed; /* and it shows something else since */
  guint sharpen_tick_id;      /* while not all is sharp */
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
  int solo_node;     /* the node that is shown alone, or -1 */
  PlgPlan solo_plan; /* the plan, whose parts it borrows, with the nodes in rows so short
                                 that the one that is alone fills the canvas */
  PlgCanvasView view_before_solo; /* what was in sight before it */
  gboolean frame_click_zooms;
  guint notify_idle_id;

  PlgMinimap *map;
  gboolean has_map;       /* it is of the plan as it is */
  gboolean map_is_needed; /* not all is in sight */
  guint map_timeout_id;   /* it showed what is played a moment ago */
  gboolean map_is_stale;  /* and something else is played since */
  int map_corner;         /* where it is: bit 0 left, bit 1 at the top */
  PlgRect found_rect;     /* what was found, while MARK_ID is not 0 */
  guint mark_timeout_id;

  double moment; /* seconds, -1: the whole step */
  PlgSnapshot *step_snapshot;

  PlgEntity found_entity;         /* what was looked for last, until something else is selected */
  PlgEntity hovered;              /* under the pointer */
  PlgPoint pointer_rest_position; /* where the pointer was last, in the window */
  gboolean click_pins;            /* the press may become a click that pins */
  guint highlight_timeout_id;     /* what is lit up follows hover a little later */
  int selected;                   /* the GPU whose groups are outlined, or -1 */
  int hovered_gpu; /* the one that the pointer was on last, whose are instead until it leaves */

  GtkWidget *edges[PLG_N_AXES];    /* PlgEdgeHandle */
  GPtrArray *cells;                /* PlgGpuCell by GPU number, or one for all */
  PlgFocusLevel focus_level_shown; /* what that one stood for last */
  guint activity_timeout_id;       /* what GPUs do was told a moment ago */
  gboolean activity_is_stale;      /* and is something else since */
  int focused;                     /* the GPU that Tab enters */
  char *announcement;              /* what was just done there, or NULL */
  PlgEntity announcement_subject;  /* what was there then */

  /* One drag at a time, by pointer or keyboard. */
  PlgDrag *drag;
  const PlgReport *drag_report; /* of the plan it began with; the drag holds a reference */
  PlgAxis drag_axis;
  int drag_rank;
  gboolean drag_by_keyboard;
  int drag_gpu;            /* the target of a drag by keyboard */
  gboolean drag_cancelled; /* the button is still down, but what it dragged is over */
  gboolean panning;
  PlgPoint pan_start;
  gboolean keyboard_mode;       /* keys moved the focus last, and the pointer rested since */
  gboolean highlight_locked;    /* what is lit stays so until the pointer goes away from KEPT_AT */
  PlgPoint highlight_locked_at; /* x < 0: wherever it is next */
  const PlgReport
      *highlight_locked_report; /* of then, never looked into; with another it goes out */
  gboolean is_choosing_target;  /* a place to exchange with is chosen by keys, or with a click */
  PlgEntity pressed_entity;     /* what was there when the button went down */
  PlgPoint press_position;      /* where the button went down, in the widget */
  PlgPoint
      edge_drag_offset; /* from there to the middle of the last GPU inside of the edge, in the figure */
  PlgPoint pointer;     /* where it was last, in the widget */
  double pinch_zoom;
  PlgDragLabel *drag_label;

  GtkWidget *popover;     /* the menu or question that was opened last, or NULL */
  GtkWidget *old_popover; /* the one before it; it may be in the midst of an action */
  guint old_popover_idle_id;
  PlgPoint menu_position;
};

/* canvas-walk.c */
PlgFocusLevel plg_canvas_focus_level (PlgCanvas *self);
/* The cell that is GPU's own, or stands for it now; else NULL. */
GtkWidget *plg_canvas_cell (PlgCanvas *self, int gpu);
/* GPU, or the node or rack that is seen in its place. */
PlgEntity plg_canvas_focus_entity (PlgCanvas *self, int gpu);
/* The GPU, or the first one of the node or rack, next to GPU on screen; -1 at the border. */
int plg_canvas_neighbour (PlgCanvas *self, int gpu, GtkDirectionType direction);
void plg_canvas_update_cells (PlgCanvas *self);
void plg_canvas_allocate_cells (PlgCanvas *self);
void plg_canvas_focus_gpu (PlgCanvas *self, int gpu);
/* Whether who walks by keys is at it, or the pointer has moved since. */
void plg_canvas_set_keyboard_mode (PlgCanvas *self, gboolean keyboard_mode);
/* Zooms to the node or rack that stands for GPU. */
void plg_canvas_zoom_to_group (PlgCanvas *self, int gpu);

/* canvas-tell.c */
char *plg_canvas_gpu_name (PlgCanvas *self, int gpu, int rank); /* g_free() */
/* What assistive technology says of the cell of GPU; nothing where it has none. */
void plg_canvas_describe_cell (PlgCanvas *self, int gpu);
/* The same where it has one, and RANK is on it. */
void plg_canvas_describe_rank (PlgCanvas *self, int gpu, int rank);
/* That the focused GPU does something else now; soon where that was told only just before. */
void plg_canvas_update_activity (PlgCanvas *self);

/* canvas.c */
void plg_canvas_invalidate (PlgCanvas *self);        /* the figure */
void plg_canvas_invalidate_figure (PlgCanvas *self); /* the figure, but not where things lie */
void plg_canvas_invalidate_view (PlgCanvas *self);   /* zoom or origin */
/* Why something cannot be, and what has become of something: for the eye and the ear. */
void plg_canvas_emit_refused (PlgCanvas *self, const GError *error);
void plg_canvas_emit_announced (PlgCanvas *self, const char *message);
/* Makes PLAN the document's and tells what that changes, after LABEL; FALSE: refused. */
gboolean plg_canvas_apply (PlgCanvas *self, const PlgPlan *plan, const char *label);
/* The GPU whose groups are outlined now, or -1. */
int plg_canvas_outlined (PlgCanvas *self);
/* The axis whose groups a drag of a GPU moves and whose edge the keys move. */
PlgAxis plg_canvas_drag_axis (PlgCanvas *self);
/* A GPU stands for what the view shows: itself, or its group of the axis shown alone. */
PlgDragKind plg_canvas_tile_drag_kind (PlgCanvas *self);
int plg_canvas_rank_of_gpu (PlgCanvas *self, int gpu);

/* canvas-view.c */
void plg_canvas_ensure_figure (PlgCanvas *self);
void plg_canvas_allocate_on_figure (PlgCanvas *self, GtkWidget *child, PlgRect rect);
/* Tells those who show zoom or height of the legend; after the allocation that changed them. */
void plg_canvas_queue_notify (PlgCanvas *self);
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
void
plg_canvas_center_rect (PlgCanvas *self, PlgRect rect, double zoom, int width, int free_height);

/* canvas-alone.c */
/* The plan as it is laid out now. Valid until the document changes. */
const PlgPlan *plg_canvas_plan (PlgCanvas *self);
/* FALSE where no node is shown alone. */
gboolean plg_canvas_fit_solo_node (PlgCanvas *self, int width, int free_height);
void plg_canvas_snapshot_solo_node (PlgCanvas *self, GtkSnapshot *snapshot);
void plg_canvas_follow_solo_node (PlgCanvas *self, int gpu);

/* canvas-legend.c */
void plg_canvas_ensure_legend (PlgCanvas *self, int width);
/* What of the canvas is above the legend, in pixels, and of its height. */
int plg_canvas_free_height (PlgCanvas *self);
int plg_canvas_free_height_of (PlgCanvas *self, int height);
int plg_canvas_legend_height (PlgCanvas *self);
void plg_canvas_snapshot_legend (PlgCanvas *self, GtkSnapshot *snapshot);
/* NULL where the legend is not, or has nothing. */
const PlgShape *plg_canvas_legend_hit (PlgCanvas *self, double x, double y);

/* canvas-travel.c */
void plg_canvas_center_on (PlgCanvas *self, double x, double y);
/* Moves the view when RECT is not in sight. */
void plg_canvas_reveal_rect (PlgCanvas *self, PlgRect rect);
/* What stays where it is, in the widget, when keys zoom: what was looked for or is selected, else
 * the middle. */
PlgPoint plg_canvas_zoom_center (PlgCanvas *self);
void plg_canvas_snapshot_mark (PlgCanvas *self, GtkSnapshot *snapshot);
void plg_canvas_add_map (PlgCanvas *self);
/* What is played is something else: so it will be in the map, soon. */
void plg_canvas_update_map_time (PlgCanvas *self);
void plg_canvas_allocate_map (PlgCanvas *self, int width, int height);
void plg_canvas_install_page_keys (GtkWidgetClass *widget_class);

/* canvas-moment.c */
gboolean plg_canvas_is_playing_step (PlgCanvas *self);
void plg_canvas_clear_step_snapshot (PlgCanvas *self);
void plg_canvas_fill_time_options (PlgCanvas *self, PlgPictureOptions *options);
char *plg_canvas_gpu_activity (PlgCanvas *self, int gpu); /* NULL: no moment; g_free() */

/* canvas-snapshot.c */
void plg_canvas_snapshot (GtkWidget *widget, GtkSnapshot *snapshot);

/* canvas-drag.c */
void plg_canvas_drag_start (PlgCanvas *self, PlgDragKind kind, PlgAxis axis, int rank);
/* Over which GPU a drag is with the pointer at (X, Y), or PLG_DRAG_NO_GPU. */
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
void plg_canvas_open_menu (PlgCanvas *self, PlgEntity entity, PlgPoint at);
GArray *plg_canvas_ranks_of (PlgCanvas *self, PlgEntity entity);

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
void plg_canvas_rename_node (PlgCanvas *self, int node, const char *name);

/* canvas-ask.c */
void plg_canvas_open_rate_popover (PlgCanvas *self, const PlgFault *fault);
void plg_canvas_open_name_popover (PlgCanvas *self, int node);

/* canvas-pointer.c */
PlgEntity plg_canvas_entity_at (PlgCanvas *self, double x, double y);
int plg_canvas_gpu_near (PlgCanvas *self, double x, double y);
void plg_canvas_add_controllers (PlgCanvas *self);
/* What is lit only because the pointer rests on it is so no longer, until the pointer moves. */
void plg_canvas_clear_hover (PlgCanvas *self);
/* THING and its groups are lit up until the pointer or the focus goes elsewhere, the plan changes,
 * or Escape. */
void plg_canvas_lock_highlight (PlgCanvas *self, PlgEntity entity);
/* Whether something is lit, but not for the pointer that rests on it. */
gboolean plg_canvas_has_locked_highlight (PlgCanvas *self);
/* The link of the focused GPU that keys have lit up, or -1. One that the pointer only crosses is no
 * place to go on from. */
int plg_canvas_focused_link (PlgCanvas *self);

/* canvas-travel.c */
/* The keys are the cluster's, and go on from THING, which may be nothing in particular. */
void plg_canvas_grab_focus_at (PlgCanvas *self, PlgEntity entity);

/* canvas-links.c: by keys, what the pointer does with links */
void plg_canvas_install_link_keys (GtkWidgetClass *widget_class);
/* The focus goes to another GPU: what was lit goes out. */
void plg_canvas_clear_link_focus (PlgCanvas *self);
/* The first GPU that LINK ends at, or one below its leaf. */
int plg_canvas_gpu_of_link (PlgCanvas *self, const PlgLink *link);

/* canvas-keyboard.c */
void plg_canvas_install_keys (GtkWidgetClass *widget_class);
/* The middle of the lower edge of GPU, in the widget. */
PlgPoint plg_canvas_point_of_gpu (PlgCanvas *self, int gpu);
/* What sits on GPU is picked up; arrows and Space, or the pointer and a click, say where to. */
void plg_canvas_begin_keyboard_drag (PlgCanvas *self, PlgDragKind kind, int gpu);
gboolean plg_canvas_move_focus (PlgCanvas *self, GtkDirectionType direction);

G_END_DECLS
