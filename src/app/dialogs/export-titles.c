/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "app/dialogs/export-titles.h"

#include "drawing/export/export.h"
#include "drawing/charts/page-figure.h"
#include "drawing/figure/pictures.h"

#include <glib/gi18n.h>

GListModel *
plg_export_titles_new (int n, PlgExportTitle title)
{
  GtkStringList *list = gtk_string_list_new (NULL);

  for (int i = 0; i < n; i++)
    gtk_string_list_append (list, title (i));
  return G_LIST_MODEL (list);
}

const char *
plg_export_picture_title (int i)
{
  return plg_picture_title (i);
}

const char *
plg_export_palette_title (int i)
{
  return plg_palette_title (i);
}

const char *
plg_export_choice_title (int i)
{
  return plg_export_format_title (i);
}

const char *
plg_export_format_use (int i)
{
  static const char *const uses[] = {
    [PLG_EXPORT_SVG] = N_ ("For the web and for editing"),
    [PLG_EXPORT_PDF] = N_ ("For papers"),
    [PLG_EXPORT_PNG] = N_ ("For slides and chats"),
    [PLG_EXPORT_TIKZ] = N_ ("For papers in LaTeX"),
    [PLG_EXPORT_DRAWIO] = N_ ("For editing in diagrams.net"),
    [PLG_EXPORT_TEXT] = N_ ("For tickets and mail"),
  };
  G_STATIC_ASSERT (G_N_ELEMENTS (uses) == PLG_N_EXPORT_FORMATS);

  return _ (uses[i]);
}

const char *
plg_export_background_title (int i)
{
  static const char *const titles[] = {
    [PLG_BACKGROUND_WHITE] = N_ ("White"),
    [PLG_BACKGROUND_TRANSPARENT] = N_ ("Transparent"),
    [PLG_BACKGROUND_THEME] = N_ ("From Palette"),
  };

  return _ (titles[i]);
}

const char *
plg_export_legend_title (int i)
{
  static const char *const titles[] = {
    [PLG_LEGEND_OFF] = N_ ("None"),
    [PLG_LEGEND_BELOW] = N_ ("Below"),
    [PLG_LEGEND_RIGHT] = N_ ("To the Right"),
  };
  G_STATIC_ASSERT (G_N_ELEMENTS (titles) == PLG_N_LEGEND_PLACES);

  return _ (titles[i]);
}

const char *
plg_export_page_title (int i)
{
  return plg_page_title (i);
}

const char *
plg_export_content_title (int i)
{
  static const char *const titles[] = { N_ ("Whole Plan"), N_ ("As on Screen"), N_ ("Some Nodes"),
                                        N_ ("Selected Groups") };

  return _ (titles[i]);
}
