/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "drawing/export/export.h"
#include "drawing/figure/pictures.h"

G_BEGIN_DECLS

/* A request for a picture. It contains everything that determines the exported file, except the
 * plan and the report. The window and the command line both export from a request, and a request
 * can be written as command-line options. */
typedef struct
{
  PlgPicture picture;
  PlgPictureOptions options; /* options without the highlighted entities, which are in
                                HIGHLIGHTED, and without the compared plan, which is in
                                COMPARED */
  PlgSweep *sweep;           /* the sweep that the picture of a sweep shows, or NULL; owned */
  PlgSearchPicture *search; /* the found plans that the picture of a search shows, or NULL; owned */
  GArray *highlighted;      /* highlighted entities (PlgEntity), the pins first; owned */
  PlgComparedPlan *compared; /* the plan for PLG_PICTURE_COMPARE, or NULL; owned */
  PlgPalette palette;
  PlgRect crop; /* part of the figure to keep [points]; a width of 0 keeps the whole figure */
  PlgExportOptions file;
} PlgRequest;

/* Initialises REQUEST for an SVG of the whole cluster with the view settings of PLAN. The
 * background is white or, with a dark palette, the background of the palette. */
void plg_request_init (PlgRequest *request, const PlgPlan *plan, PlgPalette palette);
void plg_request_clear (PlgRequest *request);
/* Copies REQUEST to COPY. Free COPY with plg_request_clear(). */
void plg_request_copy (const PlgRequest *request, PlgRequest *copy);
/* Changes the picture to PICTURE, and removes the crop and the options that have no effect in
 * PICTURE. */
void plg_request_set_picture (PlgRequest *request, PlgPicture picture);
/* Adds ENTITY to the highlighted entities. Pins are marked with numbers and come before entities
 * that are not pinned. */
void plg_request_highlight (PlgRequest *request, PlgEntity entity, gboolean is_pin);

/* Returns: (transfer full): the cropped figure. Sets THEME to the theme for painting the figure. */
PlgFigure *plg_request_figure (const PlgRequest *request,
                               const PlgPlan *plan,
                               const PlgReport *report,
                               PlgTheme *theme);
/* Writes FIGURE, which plg_request_figure() returned for REQUEST, in the format of REQUEST. Sets
 * the same errors as plg_export(). */
GBytes *plg_request_write (const PlgRequest *request,
                           const PlgFigure *figure,
                           const PlgTheme *theme,
                           const PlgPlan *plan,
                           const PlgReport *report,
                           GError **error);
/* Draws and writes the picture. Sets the same errors as plg_export(), or G_IO_ERROR_NOT_FOUND if
 * the crop is outside the picture. */
GBytes *plg_request_export (const PlgRequest *request,
                            const PlgPlan *plan,
                            const PlgReport *report,
                            GError **error);

/* Draws the whole picture NAME ("cluster", "memory", …) as an SVG in the light palette, for use
 * in documents. */
GBytes *plg_request_document_picture (const char *name,
                                      const PlgPlan *plan,
                                      const PlgReport *report,
                                      GError **error);

/* Returns: (transfer full) (nullable): the entity as text, for example "gpu:17", "node:2", "tp"
 *   (all groups of the axis), "tp:3", "link:nvlink-2-5" (the id in the report), "collective:0"
 *   or "stage:1". */
char *plg_entity_to_text (const PlgReport *report, PlgEntity entity);
/* Sets ENTITY to the entity of PLAN and REPORT that TEXT names. If TEXT names no entity, returns
 * FALSE and sets an error that lists the valid forms. */
gboolean plg_entity_from_text (const PlgPlan *plan,
                               const PlgReport *report,
                               const char *text,
                               PlgEntity *entity,
                               GError **error);

/* Returns: (transfer container) (element-type utf8): the options of "parallelogram-cli export"
 *   that give the same picture as REQUEST. The names of the program, the plan and the output
 *   file are not included. */
GPtrArray *plg_request_cli_arguments (const PlgRequest *request, const PlgReport *report);
/* Returns: (transfer full): WORDS as one line, quoted for a shell. */
char *plg_shell_quote_arguments (const GPtrArray *words);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (PlgRequest, plg_request_clear)

G_END_DECLS
