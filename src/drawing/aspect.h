/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "drawing/export.h"

G_BEGIN_DECLS

/* What of a picture can be asked for, and of which pictures and files it changes anything: what
 * changes nothing is refused where people type it, and left out where their wish is put in words.
 */
typedef enum
{
  PLG_ASPECT_SHOW,
  PLG_ASPECT_LINK_COLOR,
  PLG_ASPECT_LINKS, /* physical or logical */
  PLG_ASPECT_MOMENT,
  PLG_ASPECT_LIT, /* pins and focus */
  PLG_ASPECT_SELECTED,
  PLG_ASPECT_NODES,
  PLG_ASPECT_COLUMNS, /* of other nodes than the rows */
  PLG_ASPECT_LEGEND,
  PLG_ASPECT_LEGEND_RIGHT,
  PLG_ASPECT_COLLECTIVE, /* and whose group */
  PLG_ASPECT_FRAME,
  PLG_ASPECT_PAIRS, /* bandwidth or traffic */
  PLG_ASPECT_ORDER, /* the other one of two */
  PLG_ASPECT_WIDTH,
  PLG_ASPECT_ZOOM,
  PLG_ASPECT_COLOR, /* palette and background */
  PLG_ASPECT_SCALE,
  PLG_ASPECT_PAGE,
  PLG_ASPECT_PLAN, /* that a file carries */
} PlgAspect;
#define PLG_N_ASPECTS 20

/* Whether it changes anything in a PICTURE that is drawn, whatever the file. */
gboolean plg_aspect_is_of (PlgAspect aspect, PlgPicture picture);
/* Whether files of FORMAT can show it. */
gboolean plg_aspect_is_in (PlgAspect aspect, PlgExportFormat format);
/* Whether it changes anything in a file of FORMAT with PICTURE. */
gboolean plg_aspect_is_told (PlgAspect aspect, PlgPicture picture, PlgExportFormat format);
/* "cluster, timeline": the pictures that it is of; "svg, pdf": the files. g_free(). */
char *plg_aspect_pictures (PlgAspect aspect);
char *plg_aspect_formats (PlgAspect aspect);
/* Whether THING can be lit in PICTURE. */
gboolean plg_aspect_lights (PlgPicture picture, PlgThing thing);
/* Whether THING changes the picture of the cluster as the selected one. */
gboolean plg_aspect_selects (PlgThing thing);

G_END_DECLS
