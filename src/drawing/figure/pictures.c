/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "drawing/figure/pictures.h"

#include <glib/gi18n-lib.h>

typedef PlgFigure *(*Draw) (const PlgPlan *plan,
                            const PlgReport *report,
                            const PlgTheme *theme,
                            const PlgPictureOptions *options);

static const struct
{
  const char *name;
  const char *title;
  const char *aliases[3];
  Draw draw;
} pictures[PLG_N_PICTURES] = {
  [PLG_PICTURE_CLUSTER] = { "cluster", N_ ("Cluster"), { "grid", "links" }, plg_cluster_figure },
  [PLG_PICTURE_MEMORY] = { "memory", N_ ("Memory"), { NULL }, plg_memory_figure },
  [PLG_PICTURE_TIMELINE] = { "timeline", N_ ("Timeline"), { "gantt" }, plg_timeline_figure },
  [PLG_PICTURE_MFU] = { "mfu", N_ ("MFU"), { NULL }, plg_mfu_figure },
  [PLG_PICTURE_LEDGER] = { "ledger", N_ ("Link ledger"), { NULL }, plg_ledger_figure },
  [PLG_PICTURE_MATRIX] = { "matrix", N_ ("Pairs"), { "pairs" }, plg_matrix_figure },
  [PLG_PICTURE_COLLECTIVE] = { "collective",
                               N_ ("One collective"),
                               { "ring" },
                               plg_collective_figure },
  [PLG_PICTURE_SPLIT] = { "split", N_ ("TP split"), { "tp-split" }, plg_split_figure },
  [PLG_PICTURE_COMPARE] = { "compare", N_ ("Comparison"), { "orders" }, plg_compare_figure },
  [PLG_PICTURE_SWEEP] = { "sweep", N_ ("MFU and scale"), { "scaling" }, plg_sweep_figure },
  [PLG_PICTURE_SEARCH] = { "search", N_ ("Found plans"), { "plans" }, plg_search_view_figure },
};

const char *
plg_picture_name (PlgPicture picture)
{
  g_return_val_if_fail (picture < PLG_N_PICTURES, NULL);

  return pictures[picture].name;
}

const char *
plg_picture_title (PlgPicture picture)
{
  g_return_val_if_fail (picture < PLG_N_PICTURES, NULL);

  return _ (pictures[picture].title);
}

gboolean
plg_picture_from_name (const char *name, PlgPicture *picture)
{
  g_return_val_if_fail (name != NULL && picture != NULL, FALSE);

  for (int i = 0; i < PLG_N_PICTURES; i++)
    if (g_str_equal (name, pictures[i].name) || g_strv_contains (pictures[i].aliases, name))
      {
        *picture = (PlgPicture) i;
        return TRUE;
      }
  return FALSE;
}

const char *
plg_legend_place_name (PlgLegendPlace place)
{
  static const char *const names[PLG_N_LEGEND_PLACES] = { "off", "on", "right" };

  g_return_val_if_fail (place < PLG_N_LEGEND_PLACES, NULL);

  return names[place];
}

void
plg_picture_options_init (PlgPictureOptions *options, const PlgPlan *plan)
{
  *options = (PlgPictureOptions) {
    .show = plan->view.show,
    .link_color = plan->view.link_color,
    .rings = plan->view.rings,
    .pairs = plan->view.pairs,
    .legend = PLG_LEGEND_BELOW,
    .frame = 1,
  };
}

PlgFigure *
plg_picture_figure (PlgPicture picture,
                    const PlgPlan *plan,
                    const PlgReport *report,
                    const PlgTheme *theme,
                    const PlgPictureOptions *options)
{
  g_return_val_if_fail (picture < PLG_N_PICTURES, NULL);

  return pictures[picture].draw (plan, report, theme, options);
}
