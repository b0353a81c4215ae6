/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "document/document.h"
#include "drawing/export/request.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* A picture of the open plan, for example memory, timeline or MFU, as wide as the widget.
 *
 * Properties: "document"; "palette"; "picture": a name; "description": one line, read only;
 * "time": the time of the cursor in a timeline [s], -1 for no cursor. */
#define PLG_TYPE_PICTURE_VIEW (plg_picture_view_get_type ())
G_DECLARE_FINAL_TYPE (PlgPictureView, plg_picture_view, PLG, PICTURE_VIEW, GtkWidget)

/* Sets the collective that is shown. PlgPictureOptions explains the parameters. */
void plg_picture_view_set_collective (PlgPictureView *self, int collective, int rank, int frame);

/* Sets the nesting order that the picture compares with the nesting order of the plan. */
void plg_picture_view_set_other_order (PlgPictureView *self,
                                       const PlgAxis order[PLG_N_NESTED_AXES]);

/* Sets the sweep that the picture of a sweep shows; NULL for MFU against the number of GPUs. The
 * view keeps a reference. */
void plg_picture_view_set_sweep (PlgPictureView *self, PlgSweep *sweep);
/* Sets the plan that the picture compares with the open plan; NULL compares nesting orders. Call
 * this function again when the redaction of the open plan's report has changed. */
void plg_picture_view_set_compared (PlgPictureView *self, PlgComparedPlan *compared);

/* Limits the rows of a matrix to the nodes in @nodes and its columns to the nodes in @columns.
 * PlgPictureOptions explains the ranges. */
void plg_picture_view_set_part (PlgPictureView *self, PlgRange nodes, PlgRange columns);

/* plg_picture_view_request:
 * @request: (out caller-allocates): the request; free with plg_request_clear()
 *
 * Fills a request that exports or copies the picture at the width of the widget. The picture has
 * its title and its pins but no other highlights. */
void plg_picture_view_request (PlgPictureView *self, PlgRequest *request);

/* Draws a frame around @entity; a screen reader then reads the entity instead of the picture.
 * PLG_ENTITY_NONE removes the frame. */
void plg_picture_view_mark (PlgPictureView *self, PlgEntity entity);
/* Finds the rectangle of the marked entity [pixels]. Returns FALSE if no entity is marked. */
gboolean plg_picture_view_marked_rect (PlgPictureView *self, PlgRect *rect);

/* Returns the entity at a point of the widget, or PLG_ENTITY_NONE. */
PlgEntity plg_picture_view_entity_at (PlgPictureView *self, double x, double y);
/* Sets the sentence that assistive technology reads after the title. %NULL removes the sentence. */
void plg_picture_view_announce (PlgPictureView *self, const char *sentence);
/* Returns a description of the entity at a point of the widget (transfer full). Returns %NULL or
 * an empty text if there is no entity. */
char *plg_picture_view_describe (PlgPictureView *self, double x, double y);

/* The rows of a picture in which each stage has a row of its own [pixels]. */
typedef struct
{
  int stages;
  double first; /* the middle of the row of stage 0 */
  double pitch; /* the distance between the middles of neighbouring rows */
  double left;  /* the left end of the bars; the names of the stages are to the left of it */
} PlgStageRows;

/* Returns FALSE if the picture has fewer than two such rows, and before the first layout. */
gboolean plg_picture_view_stage_rows (PlgPictureView *self, PlgStageRows *rows);
/* Draws a handle on the edge between the rows of @stage and the next stage; -1 removes it. */
void plg_picture_view_set_edge (PlgPictureView *self, int stage);
gboolean plg_picture_view_is_timeline (PlgPictureView *self);

/* plg_picture_view_time_at:
 * @x: a position in the widget [pixels]
 * @seconds: (out): the time in the step [s], limited to the part of the step that is shown
 *
 * Converts a position in a timeline to a time.
 *
 * Returns: FALSE for other pictures and before the first layout */
gboolean plg_picture_view_time_at (PlgPictureView *self, double x, double *seconds);

G_END_DECLS
