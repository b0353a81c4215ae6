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
  PLG_EXPORT_TIKZ,   /* tex: a LaTeX document */
  PLG_EXPORT_DRAWIO, /* for diagrams.net */
  PLG_EXPORT_TEXT,   /* letters of one width, for a ticket */
} PlgExportFormat;
#define PLG_N_EXPORT_FORMATS 6

typedef enum
{
  PLG_BACKGROUND_WHITE,
  PLG_BACKGROUND_TRANSPARENT,
  PLG_BACKGROUND_THEME,
} PlgBackground;

/* The page of a PDF. On a fixed one the picture is as large as its margins leave room for, in the
 * middle; the page lies on the side that suits it. */
typedef enum
{
  PLG_PAGE_DRAWING, /* as large as the picture */
  PLG_PAGE_A4,      /* 210 × 297 mm */
  PLG_PAGE_LETTER,  /* 8.5 × 11 in */
  PLG_PAGE_SLIDE,   /* 16:9, 13.333 × 7.5 in, as slides are */
} PlgPage;
#define PLG_N_PAGES 4

typedef struct
{
  PlgExportFormat format;
  PlgBackground background;
  double scale; /* pixels a point for PNG; ignored otherwise. 0.1 .. 20 */
  PlgPage page; /* of a PDF; ignored otherwise */
  /* What the figure shows: draw.io and text tell more with both. May be NULL. */
  const PlgPlan *plan;
  const PlgReport *report;
  /* Which picture it is and how it was asked for: text tells more with it. SHOWN may be NULL. */
  PlgPicture picture;
  const PlgPictureOptions *shown;
  /* Plan XML that an SVG carries, so that it can be opened again; NULL: none. */
  GBytes *attachment;
} PlgExportOptions;

const char *plg_export_format_name (PlgExportFormat format);  /* "svg": the ending of files */
const char *plg_export_format_title (PlgExportFormat format); /* "SVG", "draw.io" */
const char *plg_export_format_media_type (PlgExportFormat format);
/* From the ending of a file's name; FALSE when it is none of them. */
gboolean plg_export_format_from_path (const char *path, PlgExportFormat *format);
const char *plg_page_name (PlgPage page);  /* "drawing", "a4", "letter", "16:9" */
const char *plg_page_title (PlgPage page); /* translated */
const char *plg_background_name (PlgBackground background);

/* Pixels a point for a PNG of FIGURE: what is proposed where nobody has said more, about as many
 * pixels as a screen has at most; and the most that there can be. 0.1 .. 20 */
double plg_export_default_scale (const PlgFigure *figure);
double plg_export_max_scale (const PlgFigure *figure);

/* The file as bytes: the same input gives the same bytes (no dates, no random ids). NULL with
 * ERROR (G_IO_ERROR) when it would be too large or memory is short. */
GBytes *plg_export (const PlgFigure *figure,
                    const PlgTheme *theme,
                    const PlgExportOptions *options,
                    GError **error);
/* A PDF of several FIGURES (PlgFigure), each on a sheet of its own; at least one. */
GBytes *
plg_export_pages (const GPtrArray *figures, const PlgTheme *theme, PlgPage page, GError **error);

G_END_DECLS
