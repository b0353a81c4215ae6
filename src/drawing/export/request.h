/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "drawing/export/export.h"
#include "drawing/figure/pictures.h"

G_BEGIN_DECLS

/* A picture that somebody asks for: all that decides on its bytes besides plan and report. The
 * window's exports and those of the command line are made from it alike, and it can be put into the
 * words of the command line. */
typedef struct
{
  PlgPicture picture;
  PlgPictureOptions options; /* what is lit is LIT */
  GArray *highlighted;       /* PlgEntity; owned */
  PlgPalette palette;
  PlgRect crop; /* of the figure, its points; a width of 0: all of it */
  PlgExportOptions file;
} PlgRequest;

/* The whole picture of the cluster as PLAN's view says, on white (on its own background for dark
 * palettes), as SVG. */
void plg_request_init (PlgRequest *request, const PlgPlan *plan, PlgPalette palette);
void plg_request_clear (PlgRequest *request);
/* COPY is to be cleared. */
void plg_request_copy (const PlgRequest *request, PlgRequest *copy);
/* Asks for PICTURE instead: what changes nothing in it is asked for no more, and the part that was
 * cut out of another picture neither. */
void plg_request_set_picture (PlgRequest *request, PlgPicture picture);
/* Lights THING up too; a pin is marked with a number. Pins come before all else. */
void plg_request_highlight (PlgRequest *request, PlgEntity entity, gboolean is_pin);

/* The figure, cut out as asked. THEME is filled in for who paints it. */
PlgFigure *plg_request_figure (const PlgRequest *request,
                               const PlgPlan *plan,
                               const PlgReport *report,
                               PlgTheme *theme);
/* FIGURE, which was made for the request but perhaps for another format, as its file. Errors are
 * those of plg_export(). */
GBytes *plg_request_write (const PlgRequest *request,
                           const PlgFigure *figure,
                           const PlgTheme *theme,
                           const PlgPlan *plan,
                           const PlgReport *report,
                           GError **error);
/* The file. Errors are those of plg_export(), and G_IO_ERROR_NOT_FOUND where the part to cut out
 * lies outside of the picture. */
GBytes *plg_request_export (const PlgRequest *request,
                            const PlgPlan *plan,
                            const PlgReport *report,
                            GError **error);

/* The whole picture NAMED ("cluster", "memory", …), light, as SVG: what documents hold. */
GBytes *plg_request_document_picture (const char *name,
                                      const PlgPlan *plan,
                                      const PlgReport *report,
                                      GError **error);

/* "gpu:17", "node:2", "tp" (all groups of it), "tp:3", "link:nvlink-2-5" (the report's id),
 * "collective:0", "stage:1"; NULL for what has no words. g_free(). */
char *plg_entity_to_text (const PlgReport *report, PlgEntity entity);
/* FALSE and an error that says what may be written where TEXT is none that PLAN and REPORT have. */
gboolean plg_entity_from_text (const PlgPlan *plan,
                               const PlgReport *report,
                               const char *text,
                               PlgEntity *entity,
                               GError **error);

/* The options of "parallelogram-cli export" that make this picture of a plan, without program, plan
 * and file; strings, owned by the array. */
GPtrArray *plg_request_cli_arguments (const PlgRequest *request, const PlgReport *report);
/* WORDS as a line that a shell reads back as the same words. g_free(). */
char *plg_shell_quote_arguments (const GPtrArray *words);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (PlgRequest, plg_request_clear)

G_END_DECLS
