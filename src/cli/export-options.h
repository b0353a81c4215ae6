/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "drawing/export/request.h"

G_BEGIN_DECLS

#define PLG_EXPORT_NOT_GIVEN G_MININT

/* The options as they were typed. */
typedef struct
{
  char *output;
  char *directory;
  char *format;
  char *view;
  char *show;
  char *palette;
  char *link_color;
  char *background;
  char *at;
  char *links;
  char *pairs;
  char *legend;
  char *page;
  char *nodes;
  char *columns;
  char *crop;
  char **selected; /* one at most is right */
  char **pins;
  char **focus;
  char *collective;
  char *with_order;
  int rank; /* or PLG_EXPORT_NOT_GIVEN, as in the numbers below */
  int frame;
  double scale;
  double dpi;
  double width;
  double zoom;
  gboolean no_legend;
  gboolean without_plan;
  gboolean force;
} PlgExportArguments;

/* Whether a number stood on the command line; 0 did, too, where it was typed. */
static inline gboolean
plg_export_is_given (double number)
{
  return number != PLG_EXPORT_NOT_GIVEN;
}

/* export-misuse.c: FALSE, and people are told, where something was typed that would change nothing
 * in REQUEST's view and type of file. */
gboolean plg_export_check_options (const PlgExportArguments *arguments, const PlgRequest *request);
/* export-collective.c: --collective, --rank and --frame, each of what PLAN's collectives have.
 * FALSE, and people are told, where one of them is not. */
gboolean plg_export_read_collective (const PlgExportArguments *arguments,
                                     const PlgPlan *plan,
                                     const PlgReport *report,
                                     PlgRequest *request);

G_END_DECLS
