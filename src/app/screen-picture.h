/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "drawing/export/request.h"
#include "widgets/canvas/canvas.h"

G_BEGIN_DECLS

/* What is on screen, as a picture to be exported, copied or told in words. */

/* The cluster as CANVAS shows it now: what it shows, what is lit, pinned and selected, its second
 * of the step, its palette and, where not all of it is in sight, the part that is. Another PICTURE
 * is whole, with all of that which changes it. REQUEST is to be cleared. */
void plg_screen_picture_request (PlgCanvas *canvas,
                                 PlgDocument *document,
                                 PlgPicture picture,
                                 PlgRequest *request);

/* All of the cluster in its natural size, with all that is lit and played. To be cleared. */
void
plg_screen_picture_whole_request (PlgCanvas *canvas, PlgDocument *document, PlgRequest *request);

/* The nodes that hold the groups of GPU: *N from *FIRST on. */
void plg_screen_picture_group_nodes (const PlgPlan *plan, int gpu, int *first, int *n);

/* The command line that makes the picture of REQUEST, with the plan's file or, where the plan is
 * not saved, what differs from the plan that the program opens with. NULL and an error where that
 * cannot be said: the plan must be saved first, or a lesson hides what it shows. g_free(). */
char *plg_screen_picture_command (PlgDocument *document, const PlgRequest *request, GError **error);

/* "Llama 3 70B on 64 × H100 SXM cluster.svg"; g_free(). */
char *plg_screen_picture_file_name (PlgDocument *document, const PlgRequest *request);

G_END_DECLS
