/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "drawing/export/export.h"

G_BEGIN_DECLS

/* The options of a picture. Each option has an effect only in certain pictures and file formats.
 * The command line rejects an option that has no effect, and plg_request_cli_arguments() leaves
 * it out. */
typedef enum
{
  PLG_PICTURE_OPTION_SHOW,
  PLG_PICTURE_OPTION_LINK_COLOR,
  PLG_PICTURE_OPTION_LINKS, /* physical or logical links */
  PLG_PICTURE_OPTION_TIME,
  PLG_PICTURE_OPTION_HIGHLIGHTED, /* pinned and focused entities */
  PLG_PICTURE_OPTION_SELECTED,
  PLG_PICTURE_OPTION_NODES,
  PLG_PICTURE_OPTION_COLUMNS, /* nodes in the columns of the matrix, if they differ from the
                                 nodes in its rows */
  PLG_PICTURE_OPTION_LEGEND,
  PLG_PICTURE_OPTION_LEGEND_RIGHT,
  PLG_PICTURE_OPTION_COLLECTIVE, /* the collective and its group */
  PLG_PICTURE_OPTION_FRAME,
  PLG_PICTURE_OPTION_PAIRS,       /* bandwidth or traffic between pairs of GPUs */
  PLG_PICTURE_OPTION_SWEEP,       /* keys and metric of a sweep */
  PLG_PICTURE_OPTION_SEARCH,      /* space and metrics of a search */
  PLG_PICTURE_OPTION_OTHER_ORDER, /* nesting order to compare with the order of the plan */
  PLG_PICTURE_OPTION_OTHER_PLAN,  /* plan to compare with the plan */
  PLG_PICTURE_OPTION_WIDTH,
  PLG_PICTURE_OPTION_ZOOM,
  PLG_PICTURE_OPTION_COLOR, /* palette and background */
  PLG_PICTURE_OPTION_SCALE,
  PLG_PICTURE_OPTION_PAGE,
  PLG_PICTURE_OPTION_PLAN, /* plan that is stored in an SVG */
} PlgPictureOption;
#define PLG_N_PICTURE_OPTIONS 23

/* Returns whether OPTION has an effect in PICTURE in at least one format. */
gboolean plg_picture_option_is_drawn (PlgPictureOption option, PlgPicture picture);
/* Returns whether OPTION has an effect in files of FORMAT. */
gboolean plg_picture_option_is_in_format (PlgPictureOption option, PlgExportFormat format);
/* Returns whether OPTION has an effect in a file of FORMAT that shows PICTURE. */
gboolean
plg_picture_option_has_effect (PlgPictureOption option, PlgPicture picture, PlgExportFormat format);
/* Returns: (transfer full): the pictures or the formats in which OPTION has an effect, for
 *   example "cluster, timeline" or "svg, pdf". */
char *plg_picture_option_picture_names (PlgPictureOption option);
char *plg_picture_option_format_names (PlgPictureOption option);
/* Returns whether ENTITY can be highlighted in PICTURE. */
gboolean plg_picture_can_highlight (PlgPicture picture, PlgEntity entity);
/* Returns whether the cluster picture can show ENTITY as selected. */
gboolean plg_entity_can_be_selected (PlgEntity entity);

G_END_DECLS
