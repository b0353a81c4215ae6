/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "drawing/cluster/cluster-cells.h"

#include "drawing/figure/text.h"

#include <glib/gi18n-lib.h>

/* Racks, or the nodes of a unit, seen from so far that their nodes are but hairs: bands in the
 * colours of the groups, a plate with the name and the letters of the groups, and what the busiest
 * link out of it does. */

/* Less than this many pixels high a text is left out. */
#define MIN_TEXT 6.5
#define DEFAULT_TEXT 8.5
/* Letters of groups, as on the rows of nodes. */
#define MIN_LETTERS 5.5
/* Of a tile's width that its plate may take. */
#define LABEL_SHARE 0.96
/* More stripes than this are not told apart across a tile. */
#define MAX_STRIPES 8
/* Of the link out of it, in pixels. */
#define LINK_WIDTH 3.0

/* A band of nodes that are filled alike, and how. */
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

/* The GPUs FIRST .. FIRST + N - 1, which lie beside each other. */
static Band
band_of (const PlgClusterCells *cells, int first, int n)
{
  Band band = { .n = MIN (n, MAX_STRIPES) };

  for (int i = 0; i < band.n; i++)
    band.fill[i] = plg_cluster_cells_fill (cells, first + i * n / band.n);
  return band;
}

static gboolean
same_band (const Band *a, const Band *b)
{
  gboolean same = a->n == b->n;

  for (int i = 0; same && i < a->n; i++)
    same = same_color (a->fill[i], b->fill[i]);
  return same;
}

/* Each stripe reaches to the right end and the next lies on it, so that no seams show. */
static void
add_band (const PlgClusterDrawing *drawing, const Band *band, PlgRect area, PlgEntity entity)
{
  for (int i = 0; i < band->n; i++)
    {
      double x = area.x + area.width * i / band->n;

      if (i == 0 || !same_color (band->fill[i], band->fill[i - 1]))
        plg_figure_rect (drawing->figure, x, area.y, area.x + area.width - x, area.height, 0,
                         band->fill[i])
            ->entity = entity;
    }
}

/* The rows of GPUs of N nodes from FIRST on, which fill AREA from the top on; what follows each
 * other alike is one band. */
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

      if (row < rows)
        band = band_of (cells, gpu, MIN (layout->gpu_columns, layout->gpus_per_node - before));
      if (row > 0 && same_band (&band, &last))
        continue;
      if (row > 0)
        add_band (drawing, &last,
                  (PlgRect) { area.x, area.y + area.height * begun / rows, area.width,
                              area.height * (row - begun) / rows },
                  entity);
      begun = row;
      last = band;
    }
}

/* On the screen a rack is pointed at as one; in a file each of its nodes has a name to be found by.
 */
static void
add_nodes (const PlgClusterDrawing *drawing, const PlgClusterCells *cells, int rack)
{
  PlgRect area = plg_cluster_layout_rack (&drawing->layout, rack);
  int n, first = plg_cluster_layout_rack_first (&drawing->layout, rack, &n);

  if (plg_cluster_is_without_ids (drawing))
    {
      add_bands (drawing, cells, first, n, area, (PlgEntity) { PLG_ENTITY_RACK, 0, rack });
      return;
    }
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

/* What can be written on a rack, longest first. */
typedef enum
{
  LABEL_NAME,   /* "nodes 32–63", "dgx-b" */
  LABEL_RANGE,  /* "32–63" */
  LABEL_NUMBER, /* "32" */
} LabelForm;

static char *
label_text (const PlgClusterDrawing *drawing, int rack, LabelForm plate)
{
  int n, first = plg_cluster_layout_rack_first (&drawing->layout, rack, &n);

  if (plate == LABEL_NAME && n == 1)
    return plg_plan_node_title (drawing->plan, first);
  if (plate == LABEL_NAME)
    return g_strdup_printf (_ ("nodes %d–%d"), first, first + n - 1);
  if (plate == LABEL_RANGE && n > 1)
    return g_strdup_printf ("%d–%d", first, first + n - 1);
  return g_strdup_printf ("%d", first);
}

/* The longest of them that is legible on all racks, and its size, at which the last one, whose
 * numbers are longest, fits; 0: none is. */
static LabelForm
choose_label_form (const PlgClusterDrawing *drawing, double *size)
{
  int last = plg_cluster_layout_n_racks (&drawing->layout) - 1;
  double width = plg_cluster_layout_rack (&drawing->layout, last).width * LABEL_SHARE;

  for (LabelForm plate = LABEL_NAME; plate <= LABEL_NUMBER; plate++)
    {
      g_autofree char *text = label_text (drawing, last, plate);

      *size = MIN (DEFAULT_TEXT * drawing->layout.points_per_pixel,
                   width / plg_text_width (text, 1, TRUE));
      if (*size >= MIN_TEXT * drawing->layout.points_per_pixel)
        return plate;
    }
  *size = 0;
  return LABEL_NUMBER;
}

static gboolean
is_highlighted (const PlgClusterDrawing *drawing, int rack)
{
  int n, first = plg_cluster_layout_rack_first (&drawing->layout, rack, &n);
  int per_node = drawing->layout.gpus_per_node;

  for (int gpu = first * per_node; gpu < (first + n) * per_node; gpu++)
    if (plg_cluster_is_gpu_highlighted (drawing, gpu))
      return TRUE;
  return FALSE;
}

/* How plates are, all alike: were it asked of each, some would lack what others have. */
typedef struct
{
  LabelForm what;
  double size;        /* of names; 0: there are none */
  char **letters;     /* of each rack, or NULL */
  char **more;        /* what they go on to on a line of their own, or NULL */
  double letter_size; /* 0: they cannot be read */
} RackLabels;

static void
rack_labels_clear (RackLabels *labels, int n)
{
  for (int rack = 0; rack < n; rack++)
    {
      g_free (labels->letters[rack]);
      g_free (labels->more[rack]);
    }
  g_free (labels->letters);
  g_free (labels->more);
}

/* The letters of all racks, and the size at which the widest fit. */
static void
set_letters (const PlgClusterCells *cells, RackLabels *labels, int n, gboolean is_brief)
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

static RackLabels
choose_labels (const PlgClusterCells *cells)
{
  int n = plg_cluster_layout_n_racks (&cells->drawing->layout);
  RackLabels labels = { .letters = g_new0 (char *, n), .more = g_new0 (char *, n) };

  labels.what = choose_label_form (cells->drawing, &labels.size);
  if (labels.size <= 0)
    return labels;
  set_letters (cells, &labels, n, FALSE);
  if (labels.letter_size <= 0)
    set_letters (cells, &labels, n, TRUE);
  return labels;
}

/* A line of a plate. */
typedef struct
{
  const char *text;
  double size;
  gboolean is_bold;
} Line;

static void
add_lines (const PlgClusterDrawing *drawing, int rack, const Line *lines, int n)
{
  PlgRect tile = plg_cluster_layout_rack (&drawing->layout, rack);
  const PlgEntity entity = { PLG_ENTITY_RACK, 0, rack };
  const PlgColor *role = drawing->theme->role;
  PlgColor ink = plg_cluster_dim (drawing, role[PLG_ROLE_TEXT], is_highlighted (drawing, rack));
  double width = 0, height = 0, size = lines[0].size, y;

  for (int i = 0; i < n; i++)
    {
      width = MAX (width, plg_text_width (lines[i].text, lines[i].size, lines[i].is_bold));
      height += lines[i].size * 1.35;
    }
  width = MIN (width + size * 0.6, tile.width);
  y = tile.y + (tile.height - height) / 2;
  plg_figure_rect (drawing->figure, tile.x + (tile.width - width) / 2, y, width, height,
                   size * 0.25, role[PLG_ROLE_CARD])
      ->entity = entity;
  for (int i = 0; i < n; i++)
    {
      plg_figure_text (drawing->figure, tile.x + tile.width / 2, y + lines[i].size * 1.035,
                       PLG_ANCHOR_MIDDLE, lines[i].size, lines[i].is_bold, ink, lines[i].text)
          ->entity = entity;
      y += lines[i].size * 1.35;
    }
}

/* The name of RACK, and below it, where the tile is high enough, the letters of its groups: a range
 * that is too long for one line on two. */
static void
add_label (const PlgClusterDrawing *drawing, int rack, const RackLabels *labels)
{
  PlgRect tile = plg_cluster_layout_rack (&drawing->layout, rack);
  g_autofree char *whole = label_text (drawing, rack, labels->what);
  g_autofree char *name = labels->size > 0
                              ? plg_text_fit (whole, tile.width * LABEL_SHARE, labels->size, TRUE)
                              : NULL;
  const Line lines[] = { { name, labels->size, TRUE },
                         { labels->letters[rack], labels->letter_size, FALSE },
                         { labels->more[rack], labels->letter_size, FALSE } };
  gboolean has_letters = labels->letters[rack] != NULL && labels->letter_size > 0 &&
                         tile.height >= 4 * labels->size;
  gboolean has_more = has_letters && labels->more[rack] != NULL && tile.height >= 6 * labels->size;

  if (name != NULL && tile.height >= 2 * labels->size)
    add_lines (drawing, rack, lines, has_more ? 3 : has_letters ? 2 : 1);
}

/* The busiest link by which the nodes of RACK reach others, or -1. */
static int
external_link (const PlgClusterDrawing *drawing, const PlgClusterLinkMap *link_map, int rack)
{
  int n, first = plg_cluster_layout_rack_first (&drawing->layout, rack, &n), index = -1;

  for (int nic = first * link_map->nics; nic < (first + n) * link_map->nics; nic++)
    index = plg_cluster_busier_link (drawing, index, link_map->nic_link[nic]);
  return index;
}

/* Along the lower edge, as under a node. */
static void
add_external_link (PlgClusterDrawing *drawing, const PlgClusterLinkMap *link_map, int rack)
{
  PlgRect tile = plg_cluster_layout_rack (&drawing->layout, rack);
  int index = external_link (drawing, link_map, rack);
  PlgClusterLinkStyle style = plg_cluster_link_style (drawing, index);

  if (index < 0)
    return;
  style.width = LINK_WIDTH * drawing->layout.points_per_pixel;
  plg_cluster_add_link_bar (drawing, tile.x, tile.y + tile.height + style.width / 2,
                            tile.x + tile.width, tile.y + tile.height + style.width / 2, index,
                            style);
}

/* Its link reaches over its edges. */
static gboolean
is_shown (const PlgClusterDrawing *drawing, int rack)
{
  PlgRect tile = plg_cluster_layout_rack (&drawing->layout, rack), seen = drawing->options->visible;
  double reach = LINK_WIDTH * drawing->layout.points_per_pixel;

  return seen.width <= 0 ||
         (tile.x - reach <= seen.x + seen.width && seen.x <= tile.x + 2 * tile.width &&
          tile.y <= seen.y + seen.height && seen.y <= tile.y + 2 * tile.height);
}

void
plg_cluster_add_racks (PlgClusterDrawing *drawing)
{
  PlgClusterCells *cells = plg_cluster_cells_new (drawing);
  RackLabels labels = choose_labels (cells);

  for (int rack = 0; rack < plg_cluster_layout_n_racks (&drawing->layout); rack++)
    if (is_shown (drawing, rack))
      {
        add_nodes (drawing, cells, rack);
        plg_figure_open (drawing->figure, NULL, NULL, NULL);
        add_label (drawing, rack, &labels);
        plg_figure_close (drawing->figure);
      }
  rack_labels_clear (&labels, plg_cluster_layout_n_racks (&drawing->layout));
  plg_cluster_cells_free (cells);
}

void
plg_cluster_add_rack_links (PlgClusterDrawing *drawing, const PlgClusterLinkMap *link_map)
{
  for (int rack = 0; link_map->nics > 0 && rack < plg_cluster_layout_n_racks (&drawing->layout);
       rack++)
    if (is_shown (drawing, rack))
      add_external_link (drawing, link_map, rack);
}
