/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "drawing/export/export.h"

G_BEGIN_DECLS

/* What of a picture can be asked for, and of which pictures and files it changes anything: what
 * changes nothing is refused where people type it, and left out where their wish is put in words.
 */
typedef enum
{
  PLG_PICTURE_OPTION_SHOW,
  PLG_PICTURE_OPTION_LINK_COLOR,
  PLG_PICTURE_OPTION_LINKS, /* physical or logical */
  PLG_PICTURE_OPTION_TIME,
  PLG_PICTURE_OPTION_HIGHLIGHTED, /* pins and focus */
  PLG_PICTURE_OPTION_SELECTED,
  PLG_PICTURE_OPTION_NODES,
  PLG_PICTURE_OPTION_COLUMNS, /* of other nodes than the rows */
  PLG_PICTURE_OPTION_LEGEND,
  PLG_PICTURE_OPTION_LEGEND_RIGHT,
  PLG_PICTURE_OPTION_COLLECTIVE, /* and whose group */
  PLG_PICTURE_OPTION_FRAME,
  PLG_PICTURE_OPTION_PAIRS,       /* bandwidth or traffic */
  PLG_PICTURE_OPTION_OTHER_ORDER, /* the other one of two */
  PLG_PICTURE_OPTION_WIDTH,
  PLG_PICTURE_OPTION_ZOOM,
  PLG_PICTURE_OPTION_COLOR, /* palette and background */
  PLG_PICTURE_OPTION_SCALE,
  PLG_PICTURE_OPTION_PAGE,
  PLG_PICTURE_OPTION_PLAN, /* that a file carries */
} PlgPictureOption;
#define PLG_N_PICTURE_OPTIONS 20

/* Whether it changes anything in a PICTURE that is drawn, whatever the file. */
gboolean plg_picture_option_is_drawn (PlgPictureOption option, PlgPicture picture);
/* Whether files of FORMAT can show it. */
gboolean plg_picture_option_is_in_format (PlgPictureOption option, PlgExportFormat format);
/* Whether it changes anything in a file of FORMAT with PICTURE. */
gboolean
plg_picture_option_has_effect (PlgPictureOption option, PlgPicture picture, PlgExportFormat format);
/* "cluster, timeline": the pictures that it is of; "svg, pdf": the files. g_free(). */
char *plg_picture_option_picture_names (PlgPictureOption option);
char *plg_picture_option_format_names (PlgPictureOption option);
/* Whether THING can be lit in PICTURE. */
gboolean plg_picture_can_highlight (PlgPicture picture, PlgEntity entity);
/* Whether THING changes the picture of the cluster as the selected one. */
gboolean plg_entity_can_be_selected (PlgEntity entity);

G_END_DECLS
