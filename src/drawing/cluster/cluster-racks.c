/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "drawing/cluster/cluster-cells.h"
#include "drawing/cluster/cluster-drawing.h"
#include "drawing/cluster/cluster-highlight.h"
#include "drawing/cluster/cluster-link-map.h"
#include "drawing/cluster/cluster-nodes.h"

#include "drawing/figure/text.h"

#include <glib/gi18n-lib.h>

/* The picture of racks, which is used when the view is zoomed out so far that nodes are too thin
 * to be distinct. A rack consists of neighbouring nodes in one column. It has bands in the
 * colours of its groups, a label with its name and the letters of its groups, and its busiest
 * outgoing link. */

/* The minimum and the usual size of names [pixels]. */
#define MIN_TEXT 6.5
#define DEFAULT_TEXT 8.5
/* The minimum size of group letters [pixels], the same as on the rows of nodes. */
#define MIN_LETTERS 5.5
/* The maximum share of a tile's width that its label may take. */
#define LABEL_SHARE 0.96
/* The maximum number of distinct stripes across a tile. */
#define MAX_STRIPES 8
/* The width of a rack's outgoing link [pixels]. */
#define LINK_WIDTH 3.0

/* The fills of a row of GPUs. Consecutive rows with the same fills form a band. */
typedef struct
{
  PlgColor fill[MAX_STRIPES];
  int n;
} Band;

static gboolean
same_color (PlgColor a, PlgColor b)
{
  return a.red == b.red && a.green == b.green && a.blue == b.blue;
}

/* Fills AREA from top to bottom with the rows of GPUs of N nodes, starting at node FIRST.
 * Consecutive rows with the same fills form one band. */
static void
add_bands (const PlgClusterDrawing *drawing,
           const PlgClusterCells *cells,
           int first,
           int n,
           PlgRect area,
           PlgEntity entity)
{
  const PlgClusterLayout *layout = &drawing->layout;
  int rows = n * layout->gpu_rows, begun = 0;
  Band last = { .n = 0 };

  for (int row = 0; row <= rows; row++)
    {
      int before = row % layout->gpu_rows * layout->gpu_columns;
      int gpu = (first + row / layout->gpu_rows) * layout->gpus_per_node + before;
      Band band = { .n = 0 };
      gboolean is_same;

      if (row < rows)
        {
          int in_row = MIN (layout->gpu_columns, layout->gpus_per_node - before);

          band.n = MIN (in_row, MAX_STRIPES);
          for (int i = 0; i < band.n; i++)
            band.fill[i] = plg_cluster_cells_fill (cells, gpu + i * in_row / band.n);
        }
      is_same = row > 0 && band.n == last.n;
      for (int i = 0; is_same && i < band.n; i++)
        is_same = same_color (band.fill[i], last.fill[i]);
      if (is_same)
        continue;
      if (row > 0)
        {
          /* Each stripe extends to the right end of the band and is partly covered by the next
           * one, so that no gaps are visible between stripes. */
          PlgRect band_area = (PlgRect) { area.x, area.y + area.height * begun / rows, area.width,
                                          area.height * (row - begun) / rows };

          for (int i = 0; i < last.n; i++)
            {
              double x = band_area.x + band_area.width * i / last.n;

              if (i == 0 || !same_color (last.fill[i], last.fill[i - 1]))
                plg_figure_rect (drawing->figure, x, band_area.y, band_area.x + band_area.width - x,
                                 band_area.height, 0, last.fill[i])
                    ->entity = entity;
            }
        }
      begun = row;
      last = band;
    }
}

/* The forms of a rack's name, longest form first. */
typedef enum
{
  LABEL_NAME,   /* "nodes 32–63", "dgx-b" */
  LABEL_RANGE,  /* "32–63" */
  LABEL_NUMBER, /* "32" */
} LabelForm;

static char *
label_text (const PlgClusterDrawing *drawing, int rack, LabelForm form)
{
  int n, first = plg_cluster_layout_rack_first (&drawing->layout, rack, &n);

  if (form == LABEL_NAME && n == 1)
    return plg_plan_node_title (drawing->plan, first);
  if (form == LABEL_NAME)
    return g_strdup_printf (_ ("nodes %d–%d"), first, first + n - 1);
  if (form == LABEL_RANGE && n > 1)
    return g_strdup_printf ("%d–%d", first, first + n - 1);
  return g_strdup_printf ("%d", first);
}

/* Returns the longest form that is legible on all racks. Sets SIZE to the size at which the name
 * of the last rack fits, because that name has the longest numbers. If no form is legible, sets
 * SIZE to 0. */
static LabelForm
choose_label_form (const PlgClusterDrawing *drawing, double *size)
{
  int last = plg_cluster_layout_n_racks (&drawing->layout) - 1;
  double width = plg_cluster_layout_rack (&drawing->layout, last).width * LABEL_SHARE;

  for (LabelForm form = LABEL_NAME; form <= LABEL_NUMBER; form++)
    {
      g_autofree char *text = label_text (drawing, last, form);

      *size = MIN (DEFAULT_TEXT * drawing->layout.points_per_pixel,
                   width / plg_text_width (text, 1, TRUE));
      if (*size >= MIN_TEXT * drawing->layout.points_per_pixel)
        return form;
    }
  *size = 0;
  return LABEL_NUMBER;
}

/* The labels of all racks, which share one form and one size. */
typedef struct
{
  LabelForm form;
  double size;        /* size of names; 0 if names are not legible */
  char **letters;     /* group letters of each rack, or their first line; NULL if the rack has
                         none */
  char **more;        /* second line of the group letters of each rack; NULL if one line is
                         enough */
  double letter_size; /* size of letters; 0 if letters are not legible */
} RackLabels;

/* Sets the group letters of N racks, and the text size at which the widest letters fit. If
 * IS_BRIEF, long ranges of letters are broken into two lines. */
static void
rack_labels_set_letters (const PlgClusterCells *cells, RackLabels *labels, int n, gboolean is_brief)
{
  double room = plg_cluster_layout_rack (&cells->drawing->layout, 0).width, widest = 1e-6;
  int per_node = cells->drawing->layout.gpus_per_node;

  for (int rack = 0; rack < n; rack++)
    {
      int nodes, first = plg_cluster_layout_rack_first (&cells->drawing->layout, rack, &nodes);

      g_free (labels->letters[rack]);
      labels->letters[rack] = plg_cluster_cells_tag_range (cells, first * per_node,
                                                           nodes * per_node, is_brief,
                                                           &labels->more[rack]);
      if (labels->letters[rack] != NULL)
        widest = MAX (widest, plg_text_width (labels->letters[rack], 1, FALSE));
      if (labels->more[rack] != NULL)
        widest = MAX (widest, plg_text_width (labels->more[rack], 1, FALSE));
    }
  labels->letter_size = MIN (labels->size, room / widest);
  if (labels->letter_size < MIN_LETTERS * cells->drawing->layout.points_per_pixel)
    labels->letter_size = 0;
}

typedef struct
{
  const char *text;
  double size;
  gboolean is_bold;
} Line;

/* Adds the name of RACK and, if the tile is high enough, the letters of its groups below the
 * name. A range that is too long for one line is broken into two lines. */
static void
add_label (const PlgClusterDrawing *drawing, int rack, const RackLabels *labels)
{
  PlgRect tile = plg_cluster_layout_rack (&drawing->layout, rack);
  g_autofree char *whole = label_text (drawing, rack, labels->form);
  g_autofree char *name = labels->size > 0
                              ? plg_text_fit (whole, tile.width * LABEL_SHARE, labels->size, TRUE)
                              : NULL;
  const Line lines[] = { { name, labels->size, TRUE },
                         { labels->letters[rack], labels->letter_size, FALSE },
                         { labels->more[rack], labels->letter_size, FALSE } };
  gboolean has_letters = labels->letters[rack] != NULL && labels->letter_size > 0 &&
                         tile.height >= 4 * labels->size;
  gboolean has_more = has_letters && labels->more[rack] != NULL && tile.height >= 6 * labels->size;

  const PlgEntity entity = { PLG_ENTITY_RACK, 0, rack };
  const PlgColor *role = drawing->theme->role;
  int nodes, first = plg_cluster_layout_rack_first (&drawing->layout, rack, &nodes);
  int n = has_more ? 3 : has_letters ? 2 : 1, per_node = drawing->layout.gpus_per_node;
  gboolean is_highlighted = FALSE;
  double width = 0, height = 0, y;
  PlgColor ink;

  if (name == NULL || tile.height < 2 * labels->size)
    return;
  for (int i = 0; i < n; i++)
    {
      width = MAX (width, plg_text_width (lines[i].text, lines[i].size, lines[i].is_bold));
      height += lines[i].size * 1.35;
    }
  width = MIN (width + labels->size * 0.6, tile.width);
  y = tile.y + (tile.height - height) / 2;
  plg_figure_rect (drawing->figure, tile.x + (tile.width - width) / 2, y, width, height,
                   labels->size * 0.25, role[PLG_ROLE_CARD])
      ->entity = entity;
  for (int gpu = first * per_node; gpu < (first + nodes) * per_node; gpu++)
    is_highlighted |= plg_cluster_is_gpu_highlighted (drawing, gpu);
  ink = plg_cluster_dim (drawing, role[PLG_ROLE_TEXT], is_highlighted);
  for (int i = 0; i < n; i++)
    {
      plg_figure_text (drawing->figure, tile.x + tile.width / 2, y + lines[i].size * 1.035,
                       PLG_ANCHOR_MIDDLE, lines[i].size, lines[i].is_bold, ink, lines[i].text)
          ->entity = entity;
      y += lines[i].size * 1.35;
    }
}

/* Returns whether RACK or its link is in the visible part of the picture. The link extends
 * beyond the edges of RACK. */
static gboolean
is_rack_visible (const PlgClusterDrawing *drawing, int rack)
{
  PlgRect tile = plg_cluster_layout_rack (&drawing->layout, rack);
  PlgRect seen = drawing->options->visible;
  double reach = LINK_WIDTH * drawing->layout.points_per_pixel;

  return seen.width <= 0 ||
         (tile.x - reach <= seen.x + seen.width && seen.x <= tile.x + 2 * tile.width &&
          tile.y <= seen.y + seen.height && seen.y <= tile.y + 2 * tile.height);
}

void
plg_cluster_add_racks (PlgClusterDrawing *drawing)
{
  g_autoptr (PlgClusterCells) cells = plg_cluster_cells_new (drawing);
  int racks = plg_cluster_layout_n_racks (&drawing->layout);
  RackLabels labels = { .letters = g_new0 (char *, racks), .more = g_new0 (char *, racks) };

  labels.form = choose_label_form (drawing, &labels.size);
  if (labels.size > 0)
    rack_labels_set_letters (cells, &labels, racks, FALSE);
  if (labels.size > 0 && labels.letter_size <= 0)
    rack_labels_set_letters (cells, &labels, racks, TRUE);
  for (int rack = 0; rack < racks; rack++)
    if (is_rack_visible (drawing, rack))
      {
        /* On the screen, add one entity for the whole rack, so that the pointer hits the rack as
         * a whole. In a file, each node has its own id. */
        PlgRect area = plg_cluster_layout_rack (&drawing->layout, rack);
        int n, first = plg_cluster_layout_rack_first (&drawing->layout, rack, &n);

        if (plg_cluster_is_without_ids (drawing))
          add_bands (drawing, cells, first, n, area, (PlgEntity) { PLG_ENTITY_RACK, 0, rack });
        else
          {
            area.height /= n;
            for (int node = first; node < first + n; node++, area.y += area.height)
              {
                if (!plg_cluster_shows_node (drawing, node))
                  continue;
                plg_cluster_open_node (drawing, node);
                add_bands (drawing, cells, node, 1, area, (PlgEntity) { PLG_ENTITY_NODE, 0, node });
                plg_figure_close (drawing->figure);
              }
          }

        plg_figure_open (drawing->figure, NULL, NULL, NULL);
        add_label (drawing, rack, &labels);
        plg_figure_close (drawing->figure);
      }
  for (int rack = 0; rack < racks; rack++)
    {
      g_free (labels.letters[rack]);
      g_free (labels.more[rack]);
    }
  g_free (labels.letters);
  g_free (labels.more);
}

void
plg_cluster_add_rack_links (PlgClusterDrawing *drawing, const PlgClusterLinkMap *link_map)
{
  for (int rack = 0; link_map->nics > 0 && rack < plg_cluster_layout_n_racks (&drawing->layout);
       rack++)
    if (is_rack_visible (drawing, rack))
      {
        /* Draw one line for all NICs of the rack, along its lower edge, in the style of the
         * busiest NIC. */
        PlgRect tile = plg_cluster_layout_rack (&drawing->layout, rack);
        int n, first = plg_cluster_layout_rack_first (&drawing->layout, rack, &n), index = -1;
        PlgClusterLinkStyle style;

        for (int nic = first * link_map->nics; nic < (first + n) * link_map->nics; nic++)
          index = plg_cluster_busier_link (drawing, index, link_map->nic_link[nic]);
        style = plg_cluster_link_style (drawing, index);
        if (index < 0)
          continue;
        style.width = LINK_WIDTH * drawing->layout.points_per_pixel;
        plg_cluster_add_link_bar (drawing, tile.x, tile.y + tile.height + style.width / 2,
                                  tile.x + tile.width, tile.y + tile.height + style.width / 2,
                                  index, style);
      }
}
