/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "drawing/figure/pictures.h"

#include <gio/gio.h>

G_BEGIN_DECLS

typedef enum
{
  PLG_EXPORT_SVG,
  PLG_EXPORT_PDF,
  PLG_EXPORT_PNG,
  PLG_EXPORT_TIKZ,   /* a LaTeX document */
  PLG_EXPORT_DRAWIO, /* for diagrams.net */
  PLG_EXPORT_TEXT,   /* monospace text that can be pasted into a ticket */
} PlgExportFormat;
#define PLG_N_EXPORT_FORMATS 6

typedef enum
{
  PLG_BACKGROUND_WHITE,
  PLG_BACKGROUND_TRANSPARENT,
  PLG_BACKGROUND_THEME,
} PlgBackground;

/* The page size of a PDF. On a page of fixed size, the picture fills the area within the
 * margins. A4 and Letter pages are turned to the orientation of the picture. */
typedef enum
{
  PLG_PAGE_DRAWING, /* a page of the same size as the picture */
  PLG_PAGE_A4,      /* 210 × 297 mm */
  PLG_PAGE_LETTER,  /* 8.5 × 11 in */
  PLG_PAGE_SLIDE,   /* 16:9, 13.333 × 7.5 in */
} PlgPage;
#define PLG_N_PAGES 4

typedef struct
{
  PlgExportFormat format;
  PlgBackground background;
  double scale;                   /* resolution of a PNG [pixels per point], 0.1 .. 20 */
  PlgPage page;                   /* page size of a PDF */
  const PlgPlan *plan;            /* plan, needed for draw.io and text; nullable */
  const PlgReport *report;        /* report, needed for draw.io and text; nullable */
  PlgPicture picture;             /* the kind of picture; needed for text */
  const PlgPictureOptions *shown; /* options of the picture; needed for text, nullable */
  GBytes *attachment; /* plan XML to store in an SVG, so that the program can open the plan from
                         the SVG; nullable */
} PlgExportOptions;

/* Returns the file extension, for example "svg". */
const char *plg_export_format_name (PlgExportFormat format);
/* Returns the title, for example "SVG" or "draw.io". */
const char *plg_export_format_title (PlgExportFormat format);
const char *plg_export_format_media_type (PlgExportFormat format);
/* Finds the format by the extension of PATH; returns FALSE if the extension is unknown. */
gboolean plg_export_format_from_path (const char *path, PlgExportFormat *format);
const char *plg_page_name (PlgPage page);  /* Returns "drawing", "a4", "letter" or "16:9". */
const char *plg_page_title (PlgPage page); /* Returns the translated title. */
const char *plg_background_name (PlgBackground background);

/* Return the default and the maximum resolution of a PNG [pixels per point], 0.1 .. 20. At the
 * default resolution, a picture has no more pixels than a large screen. */
double plg_export_default_scale (const PlgFigure *figure);
double plg_export_max_scale (const PlgFigure *figure);

/* plg_export:
 * @figure: the figure
 * @theme: the colours
 * @options: the format and its options
 * @error: set (G_IO_ERROR) if the file would be too large or there is not enough memory
 *
 * Writes a figure as a file. The same input always gives a byte-for-byte identical file, because
 * the file contains no dates or random ids.
 *
 * Returns: (transfer full) (nullable): the file */
GBytes *plg_export (const PlgFigure *figure,
                    const PlgTheme *theme,
                    const PlgExportOptions *options,
                    GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* plg_export_pages:
 * @figures: (element-type PlgFigure): the figures, at least one
 * @theme: the colours
 * @page: size of the pages
 * @error: set (G_IO_ERROR) if there is not enough memory
 *
 * Writes a PDF with one figure per page.
 *
 * Returns: (transfer full) (nullable): the file */
GBytes *plg_export_pages (const GPtrArray *figures,
                          const PlgTheme *theme,
                          PlgPage page,
                          GError **error) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
