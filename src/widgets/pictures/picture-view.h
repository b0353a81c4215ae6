/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "document/document.h"
#include "drawing/export/request.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* One of the pictures (memory, timeline, MFU) of the open plan, as wide as there is room.
 * Properties: "document", "palette", "picture" (its name), "description"
 * (read only: what the picture shows, in a line), "time" (seconds of the step, -1: none), where
 * a timeline has its cursor. */
#define PLG_TYPE_PICTURE_VIEW (plg_picture_view_get_type ())
G_DECLARE_FINAL_TYPE (PlgPictureView, plg_picture_view, PLG, PICTURE_VIEW, GtkWidget)


/* What a view of one collective, or of the split, shows; as the members of PlgPictureOptions. */
void plg_picture_view_set_collective (PlgPictureView *self, int collective, int rank, int frame);

/* The order beside the plan's own in a comparison of two. */
void plg_picture_view_set_other_order (PlgPictureView *self,
                                       const PlgAxis order[PLG_N_NESTED_AXES]);

/* Of a matrix, only from these nodes to those COLUMNS, as in PlgPictureOptions. */
void plg_picture_view_set_part (PlgPictureView *self, PlgRange nodes, PlgRange columns);

/* The picture as it stands here, as wide, to be exported or copied: it gets its title, and of what
 * is lit only what is pinned. REQUEST is to be cleared. */
void plg_picture_view_request (PlgPictureView *self, PlgRequest *request);

/* Frames THING, which a screen reader then reads instead of the picture; kind NONE: nothing. */
void plg_picture_view_mark (PlgPictureView *self, PlgEntity entity);
/* Where what is marked stands, in pixels; FALSE where nothing is. */
gboolean plg_picture_view_marked_rect (PlgPictureView *self, PlgRect *rect);

PlgEntity plg_picture_view_entity_at (PlgPictureView *self, double x, double y);
/* Assistive technology hears SENTENCE after the title, until another is said; NULL: none. */
void plg_picture_view_announce (PlgPictureView *self, const char *sentence);
/* What is at (X, Y), in pixels, in words; NULL or empty where nothing is. g_free(). */
char *plg_picture_view_describe (PlgPictureView *self, double x, double y);

/* The second of a timeline at X, clamped to what is shown; FALSE for other pictures, and before
 * there is one. */
gboolean plg_picture_view_time_at (PlgPictureView *self, double x, double *seconds);

G_END_DECLS
