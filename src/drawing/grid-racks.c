/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "drawing/grid-cells.h"

#include "drawing/text.h"

#include <glib/gi18n-lib.h>

/* Racks, or the nodes of a unit, seen from so far that their nodes are but hairs: bands in the
 * colours of the groups, a plate with the name and the letters of the groups, and what the busiest
 * link out of it does. */

/* Less than this many pixels high a text is left out. */
#define LEAST_TEXT 6.5
#define USUAL_TEXT 8.5
/* Letters of groups, as on the rows of nodes. */
#define LEAST_LETTERS 5.5
/* Of a tile's width that its plate may take. */
#define PLATE_SHARE 0.96
/* More stripes than this are not told apart across a tile. */
#define MOST_STRIPES 8
/* Of the link out of it, in pixels. */
#define LINK_WIDTH 3.0

/* A band of nodes that are filled alike, and how. */
typedef struct
{
  PlgColor fill[MOST_STRIPES];
  int n;
} Band;

static gboolean
same_color (PlgColor a, PlgColor b)
{
  return a.red == b.red && a.green == b.green && a.blue == b.blue;
}

/* The GPUs FIRST .. FIRST + N - 1, which lie beside each other. */
static Band
band_of (const PlgGridCells *cells, int first, int n)
{
  Band band = { .n = MIN (n, MOST_STRIPES) };

  for (int i = 0; i < band.n; i++)
    band.fill[i] = plg_grid_cells_fill (cells, first + i * n / band.n);
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
add_band (const PlgGrid *grid, const Band *band, PlgRect area, PlgThing thing)
{
  for (int i = 0; i < band->n; i++)
    {
      double x = area.x + area.width * i / band->n;

      if (i == 0 || !same_color (band->fill[i], band->fill[i - 1]))
        plg_figure_rect (grid->figure, x, area.y, area.x + area.width - x, area.height, 0,
                         band->fill[i])
            ->thing = thing;
    }
}

/* The rows of GPUs of N nodes from FIRST on, which fill AREA from the top on; what follows each
 * other alike is one band. */
static void
add_bands (const PlgGrid *grid,
           const PlgGridCells *cells,
           int first,
           int n,
           PlgRect area,
           PlgThing thing)
{
  const PlgGridLayout *layout = &grid->layout;
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
        add_band (grid, &last,
                  (PlgRect) { area.x, area.y + area.height * begun / rows, area.width,
                              area.height * (row - begun) / rows },
                  thing);
      begun = row;
      last = band;
    }
}

/* On the screen a rack is pointed at as one; in a file each of its nodes has a name to be found by.
 */
static void
add_nodes (const PlgGrid *grid, const PlgGridCells *cells, int rack)
{
  PlgRect area = plg_grid_layout_rack (&grid->layout, rack);
  int n, first = plg_grid_layout_rack_first (&grid->layout, rack, &n);

  if (plg_grid_is_nameless (grid))
    {
      add_bands (grid, cells, first, n, area, (PlgThing) { PLG_THING_RACK, 0, rack });
      return;
    }
  area.height /= n;
  for (int node = first; node < first + n; node++, area.y += area.height)
    {
      if (!plg_grid_shows_node (grid, node))
        continue;
      plg_grid_open_node (grid, node);
      add_bands (grid, cells, node, 1, area, (PlgThing) { PLG_THING_NODE, 0, node });
      plg_figure_close (grid->figure);
    }
}

/* What can be written on a rack, longest first. */
typedef enum
{
  PLATE_NAME,   /* "nodes 32–63", "dgx-b" */
  PLATE_RANGE,  /* "32–63" */
  PLATE_NUMBER, /* "32" */
} Plate;

static char *
plate_text (const PlgGrid *grid, int rack, Plate plate)
{
  int n, first = plg_grid_layout_rack_first (&grid->layout, rack, &n);

  if (plate == PLATE_NAME && n == 1)
    return plg_plan_node_title (grid->plan, first);
  if (plate == PLATE_NAME)
    return g_strdup_printf (_ ("nodes %d–%d"), first, first + n - 1);
  if (plate == PLATE_RANGE && n > 1)
    return g_strdup_printf ("%d–%d", first, first + n - 1);
  return g_strdup_printf ("%d", first);
}

/* The longest of them that is legible on all racks, and its size, at which the last one, whose
 * numbers are longest, fits; 0: none is. */
static Plate
choose_plate (const PlgGrid *grid, double *size)
{
  int last = plg_grid_layout_n_racks (&grid->layout) - 1;
  double width = plg_grid_layout_rack (&grid->layout, last).width * PLATE_SHARE;

  for (Plate plate = PLATE_NAME; plate <= PLATE_NUMBER; plate++)
    {
      g_autofree char *text = plate_text (grid, last, plate);

      *size = MIN (USUAL_TEXT * grid->layout.grain, width / plg_text_width (text, 1, TRUE));
      if (*size >= LEAST_TEXT * grid->layout.grain)
        return plate;
    }
  *size = 0;
  return PLATE_NUMBER;
}

static gboolean
is_lit (const PlgGrid *grid, int rack)
{
  int n, first = plg_grid_layout_rack_first (&grid->layout, rack, &n);
  int per_node = grid->layout.gpus_per_node;

  for (int gpu = first * per_node; gpu < (first + n) * per_node; gpu++)
    if (plg_grid_gpu_lit (grid, gpu))
      return TRUE;
  return FALSE;
}

/* How plates are, all alike: were it asked of each, some would lack what others have. */
typedef struct
{
  Plate what;
  double size;        /* of names; 0: there are none */
  char **letters;     /* of each rack, or NULL */
  char **more;        /* what they go on to on a line of their own, or NULL */
  double letter_size; /* 0: they cannot be read */
} Plates;

static void
plates_clear (Plates *plates, int n)
{
  for (int rack = 0; rack < n; rack++)
    {
      g_free (plates->letters[rack]);
      g_free (plates->more[rack]);
    }
  g_free (plates->letters);
  g_free (plates->more);
}

/* The letters of all racks, and the size at which the widest fit. */
static void
set_letters (const PlgGridCells *cells, Plates *plates, int n, gboolean is_brief)
{
  double room = plg_grid_layout_rack (&cells->grid->layout, 0).width, widest = 1e-6;
  int per_node = cells->grid->layout.gpus_per_node;

  for (int rack = 0; rack < n; rack++)
    {
      int nodes, first = plg_grid_layout_rack_first (&cells->grid->layout, rack, &nodes);

      g_free (plates->letters[rack]);
      plates->letters[rack] = plg_grid_cells_span (cells, first * per_node, nodes * per_node,
                                                   is_brief, &plates->more[rack]);
      if (plates->letters[rack] != NULL)
        widest = MAX (widest, plg_text_width (plates->letters[rack], 1, FALSE));
      if (plates->more[rack] != NULL)
        widest = MAX (widest, plg_text_width (plates->more[rack], 1, FALSE));
    }
  plates->letter_size = MIN (plates->size, room / widest);
  if (plates->letter_size < LEAST_LETTERS * cells->grid->layout.grain)
    plates->letter_size = 0;
}

static Plates
choose_plates (const PlgGridCells *cells)
{
  int n = plg_grid_layout_n_racks (&cells->grid->layout);
  Plates plates = { .letters = g_new0 (char *, n), .more = g_new0 (char *, n) };

  plates.what = choose_plate (cells->grid, &plates.size);
  if (plates.size <= 0)
    return plates;
  set_letters (cells, &plates, n, FALSE);
  if (plates.letter_size <= 0)
    set_letters (cells, &plates, n, TRUE);
  return plates;
}

/* A line of a plate. */
typedef struct
{
  const char *text;
  double size;
  gboolean is_bold;
} Line;

static void
add_lines (const PlgGrid *grid, int rack, const Line *lines, int n)
{
  PlgRect tile = plg_grid_layout_rack (&grid->layout, rack);
  const PlgThing thing = { PLG_THING_RACK, 0, rack };
  const PlgColor *role = grid->theme->role;
  PlgColor ink = plg_grid_fade (grid, role[PLG_ROLE_TEXT], is_lit (grid, rack));
  double width = 0, height = 0, size = lines[0].size, y;

  for (int i = 0; i < n; i++)
    {
      width = MAX (width, plg_text_width (lines[i].text, lines[i].size, lines[i].is_bold));
      height += lines[i].size * 1.35;
    }
  width = MIN (width + size * 0.6, tile.width);
  y = tile.y + (tile.height - height) / 2;
  plg_figure_rect (grid->figure, tile.x + (tile.width - width) / 2, y, width, height, size * 0.25,
                   role[PLG_ROLE_CARD])
      ->thing = thing;
  for (int i = 0; i < n; i++)
    {
      plg_figure_text (grid->figure, tile.x + tile.width / 2, y + lines[i].size * 1.035,
                       PLG_ANCHOR_MIDDLE, lines[i].size, lines[i].is_bold, ink, lines[i].text)
          ->thing = thing;
      y += lines[i].size * 1.35;
    }
}

/* The name of RACK, and below it, where the tile is high enough, the letters of its groups: a range
 * that is too long for one line on two. */
static void
add_plate (const PlgGrid *grid, int rack, const Plates *plates)
{
  PlgRect tile = plg_grid_layout_rack (&grid->layout, rack);
  g_autofree char *whole = plate_text (grid, rack, plates->what);
  g_autofree char *name = plates->size > 0
                              ? plg_text_fit (whole, tile.width * PLATE_SHARE, plates->size, TRUE)
                              : NULL;
  const Line lines[] = { { name, plates->size, TRUE },
                         { plates->letters[rack], plates->letter_size, FALSE },
                         { plates->more[rack], plates->letter_size, FALSE } };
  gboolean has_letters = plates->letters[rack] != NULL && plates->letter_size > 0 &&
                         tile.height >= 4 * plates->size;
  gboolean has_more = has_letters && plates->more[rack] != NULL && tile.height >= 6 * plates->size;

  if (name != NULL && tile.height >= 2 * plates->size)
    add_lines (grid, rack, lines, has_more ? 3 : has_letters ? 2 : 1);
}

/* The busiest link by which the nodes of RACK reach others, or -1. */
static int
link_out (const PlgGrid *grid, const PlgGridWires *wires, int rack)
{
  int n, first = plg_grid_layout_rack_first (&grid->layout, rack, &n), index = -1;

  for (int nic = first * wires->nics; nic < (first + n) * wires->nics; nic++)
    index = plg_grid_busier (grid, index, wires->nic_link[nic]);
  return index;
}

/* Along the lower edge, as under a node. */
static void
add_link_out (PlgGrid *grid, const PlgGridWires *wires, int rack)
{
  PlgRect tile = plg_grid_layout_rack (&grid->layout, rack);
  int index = link_out (grid, wires, rack);
  PlgGridLook look = plg_grid_look (grid, index);

  if (index < 0)
    return;
  look.width = LINK_WIDTH * grid->layout.grain;
  plg_grid_add_bar (grid, tile.x, tile.y + tile.height + look.width / 2, tile.x + tile.width,
                    tile.y + tile.height + look.width / 2, index, look);
}

/* Its link reaches over its edges. */
static gboolean
is_shown (const PlgGrid *grid, int rack)
{
  PlgRect tile = plg_grid_layout_rack (&grid->layout, rack), seen = grid->options->visible;
  double reach = LINK_WIDTH * grid->layout.grain;

  return seen.width <= 0 ||
         (tile.x - reach <= seen.x + seen.width && seen.x <= tile.x + 2 * tile.width &&
          tile.y <= seen.y + seen.height && seen.y <= tile.y + 2 * tile.height);
}

void
plg_grid_add_racks (PlgGrid *grid)
{
  PlgGridCells *cells = plg_grid_cells_new (grid);
  Plates plates = choose_plates (cells);

  for (int rack = 0; rack < plg_grid_layout_n_racks (&grid->layout); rack++)
    if (is_shown (grid, rack))
      {
        add_nodes (grid, cells, rack);
        plg_figure_open (grid->figure, NULL, NULL, NULL);
        add_plate (grid, rack, &plates);
        plg_figure_close (grid->figure);
      }
  plates_clear (&plates, plg_grid_layout_n_racks (&grid->layout));
  plg_grid_cells_free (cells);
}

void
plg_grid_add_links_of_racks (PlgGrid *grid, const PlgGridWires *wires)
{
  for (int rack = 0; wires->nics > 0 && rack < plg_grid_layout_n_racks (&grid->layout); rack++)
    if (is_shown (grid, rack))
      add_link_out (grid, wires, rack);
}
