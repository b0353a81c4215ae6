/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "drawing/export/request.h"
#include "widgets/canvas/canvas.h"

G_BEGIN_DECLS

/* Describes a picture on screen as an export request, a file name or a command line. */

/* plg_screen_picture_request:
 * @request: (out caller-allocates): free with plg_request_clear()
 *
 * Describes @picture with the settings of @canvas: highlights, pins, selection, palette and time
 * in the step. The cluster is cropped to its visible part; other pictures are not cropped. */
void plg_screen_picture_request (PlgCanvas *canvas,
                                 PlgDocument *document,
                                 PlgPicture picture,
                                 PlgRequest *request);

/* Describes the whole cluster at its natural size, with highlights and playback time. Free REQUEST
 * with plg_request_clear(). */
void
plg_screen_picture_whole_request (PlgCanvas *canvas, PlgDocument *document, PlgRequest *request);

/* Sets FIRST and N to the smallest range of nodes that contains every parallel group of GPU. */
void plg_screen_picture_group_nodes (const PlgPlan *plan, int gpu, int *first, int *n);

/*
 * plg_screen_picture_command:
 *
 * Builds the command line that draws the picture of @request. The command names the file of the
 * plan or, if the plan is not saved, lists all differences from the default plan.
 *
 * Returns: (transfer full) (nullable): the command line; %NULL with @error set if the plan must be
 *   saved first or if the lesson hides the numbers of the plan
 */
char *plg_screen_picture_command (PlgDocument *document,
                                  const PlgRequest *request,
                                  GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* Returns a default file name such as "Llama 3 70B on 64 × H100 SXM cluster.svg" (transfer
 * full). */
char *plg_screen_picture_file_name (PlgDocument *document,
                                    const PlgRequest *request) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
