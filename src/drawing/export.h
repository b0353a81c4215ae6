/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "drawing/figure.h"

#include <gio/gio.h>

G_BEGIN_DECLS

typedef enum
{
  PLG_EXPORT_SVG,
  PLG_EXPORT_PDF,
  PLG_EXPORT_PNG,
} PlgExportFormat;
#define PLG_N_EXPORT_FORMATS 3

typedef enum
{
  PLG_BACKGROUND_WHITE,
  PLG_BACKGROUND_TRANSPARENT,
  PLG_BACKGROUND_THEME,
} PlgBackground;

typedef struct
{
  PlgExportFormat format;
  PlgBackground background;
  double scale; /* pixels a point for PNG; ignored otherwise. 0.1 .. 20 */
} PlgExportOptions;

const char *plg_export_format_name (PlgExportFormat format); /* "svg" */
const char *plg_export_format_media_type (PlgExportFormat format);
/* From the ending of a file's name; FALSE when it is none of them. */
gboolean plg_export_format_from_path (const char *path, PlgExportFormat *format);
const char *plg_background_name (PlgBackground background);
gboolean plg_background_from_name (const char *name, PlgBackground *background);

/* The file as bytes: the same input gives the same bytes (no dates, no random ids). NULL with
 * ERROR (G_IO_ERROR) when it would be too large or memory is short. */
GBytes *plg_export (const PlgFigure *figure,
                    const PlgTheme *theme,
                    const PlgExportOptions *options,
                    GError **error);

G_END_DECLS
