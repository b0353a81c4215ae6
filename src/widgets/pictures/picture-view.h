/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "document/document.h"
#include "drawing/export/request.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* A picture of the open plan, for example memory, timeline or MFU, in the width of the widget.
 *
 * Properties: "document"; "palette"; "picture", a name; "description", one line, read only; "time",
 * the time of the cursor in a timeline [s], -1: none. */
#define PLG_TYPE_PICTURE_VIEW (plg_picture_view_get_type ())
G_DECLARE_FINAL_TYPE (PlgPictureView, plg_picture_view, PLG, PICTURE_VIEW, GtkWidget)

/* Sets the collective to show, as in PlgPictureOptions. */
void plg_picture_view_set_collective (PlgPictureView *self, int collective, int rank, int frame);

/* Sets the order to compare with the order of the plan. */
void plg_picture_view_set_other_order (PlgPictureView *self,
                                       const PlgAxis order[PLG_N_NESTED_AXES]);

/* Limits a matrix to these rows and columns, as in PlgPictureOptions. */
void plg_picture_view_set_part (PlgPictureView *self, PlgRange nodes, PlgRange columns);

/* plg_picture_view_request:
 * @request: (out caller-allocates): the request, for plg_request_clear()
 *
 * Requests the picture for an export or a copy, in the width of the widget, with its title and with
 * pins but no other highlight. */
void plg_picture_view_request (PlgPictureView *self, PlgRequest *request);

/* Frames @entity, which a screen reader then reads instead of the picture. PLG_ENTITY_NONE removes
 * the frame. */
void plg_picture_view_mark (PlgPictureView *self, PlgEntity entity);
/* The rectangle of the marked entity [pixels]. Returns FALSE if no entity is marked. */
gboolean plg_picture_view_marked_rect (PlgPictureView *self, PlgRect *rect);

/* The entity at a point of the widget, or PLG_ENTITY_NONE. */
PlgEntity plg_picture_view_entity_at (PlgPictureView *self, double x, double y);
/* Sets the sentence that assistive technology reads after the title; %NULL: none. */
void plg_picture_view_announce (PlgPictureView *self, const char *sentence);
/* Returns: (transfer full) (nullable): a description of the entity at a point of the widget; %NULL or
 * empty without an entity */
char *plg_picture_view_describe (PlgPictureView *self, double x, double y);

/* plg_picture_view_time_at:
 * @x: a position in the widget [pixels]
 * @seconds: (out): the time of the step [s], within the part shown
 *
 * Converts a position in a timeline to a time.
 *
 * Returns: FALSE for other pictures and before the first layout */
gboolean plg_picture_view_time_at (PlgPictureView *self, double x, double *seconds);

G_END_DECLS
