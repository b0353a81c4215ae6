/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "cli/command.h"
#include "drawing/export/request.h"

G_BEGIN_DECLS

#define PLG_EXPORT_NOT_GIVEN G_MININT

/* The options as given on the command line. */
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
  char **selected; /* values of --select; at most one is allowed */
  char **pins;
  char **focus;
  char *collective;
  char *with_order;
  char *x; /* values of --x, --y and --metric */
  char *y;
  char *metric;
  char **vary; /* values of --vary, --keep, --require, --by, --pareto and --color-by */
  char **keep;
  char **require;
  char *by;
  char *pareto;
  char *color_by;
  char *with;
  char *with_variant;
  int rank; /* this number and all numbers below are PLG_EXPORT_NOT_GIVEN if their option is
               absent */
  int frame;
  double scale;
  double dpi;
  double width;
  double zoom;
  gboolean no_legend;
  gboolean without_plan;
  gboolean force;
} PlgExportArguments;

/* Returns whether the option with the value NUMBER was given on the command line. A given option
 * may have the value 0. */
static inline gboolean
plg_export_is_given (double number)
{
  return number != PLG_EXPORT_NOT_GIVEN;
}

/* Returns whether an option of a search was given. */
gboolean plg_export_has_search_option (const PlgExportArguments *arguments);
/* Searches as the options say, and stores the found plans in REQUEST. Prints a message and returns
 * the exit status of the program if an option is wrong for PLAN, or after Ctrl+C
 * (export-search.c). */
PlgExit plg_export_search (const PlgExportArguments *arguments,
                           const PlgPlan *plan,
                           PlgCatalogue *catalogue,
                           PlgRequest *request);
/* Returns whether the output is the table of a sweep (CSV). */
gboolean plg_export_is_table (const PlgExportArguments *arguments);
/* Prints a message and returns FALSE if an option would change nothing in the view and file type
 * of REQUEST (export-option-check.c). */
gboolean plg_export_check_options (const PlgExportArguments *arguments, const PlgRequest *request);
/* Reads --collective, --rank and --frame and checks them against the collectives of PLAN. Prints
 * a message and returns FALSE if one of these values does not exist in PLAN
 * (export-collective.c). */
gboolean plg_export_read_collective (const PlgExportArguments *arguments,
                                     const PlgPlan *plan,
                                     const PlgReport *report,
                                     PlgRequest *request);

G_END_DECLS
