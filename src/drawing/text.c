/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "drawing/text.h"

#include <pango/pangocairo.h>

/* Lines are shaped at this size and scaled when drawn: without hinting, widths grow in
 * proportion, so one shaping serves every zoom and every text size. */
#define REFERENCE_SIZE 64.0

/* Shaped lines that a thread keeps, enough for the texts of a thousand GPUs. */
#define MAX_LINES 4096

typedef struct
{
  PangoLayout *layout;
  double width; /* at the reference size */
} Line;

/* Pango's objects belong to one thread, so each thread that draws has its own. */
typedef struct
{
  PangoContext *context;
  PangoFontDescription *font[2]; /* regular, bold */
  GHashTable *lines[2];          /* text to Line; regular, bold */
} Shaper;

static void
line_free (gpointer data)
{
  Line *line = data;

  g_object_unref (line->layout);
  g_free (line);
}

static void
shaper_free (gpointer data)
{
  Shaper *shaper = data;

  for (int bold = 0; bold < 2; bold++)
    {
      pango_font_description_free (shaper->font[bold]);
      g_hash_table_unref (shaper->lines[bold]);
    }
  g_object_unref (shaper->context);
  g_free (shaper);
}

static GPrivate thread_shaper = G_PRIVATE_INIT (shaper_free);

static PangoContext *
create_context (void)
{
  PangoContext *context = pango_font_map_create_context (pango_cairo_font_map_get_default ());
  cairo_font_options_t *options = cairo_font_options_create ();

  cairo_font_options_set_hint_style (options, CAIRO_HINT_STYLE_NONE);
  cairo_font_options_set_hint_metrics (options, CAIRO_HINT_METRICS_OFF);
  cairo_font_options_set_antialias (options, CAIRO_ANTIALIAS_GRAY);
  pango_cairo_context_set_font_options (context, options);
  pango_cairo_context_set_resolution (context, 96);
  pango_context_set_round_glyph_positions (context, FALSE);
  /* Pictures are read from left to right in every language: ranks and time grow that way. */
  pango_context_set_base_dir (context, PANGO_DIRECTION_LTR);
  cairo_font_options_destroy (options);
  return context;
}

static Shaper *
shaper_new (void)
{
  Shaper *shaper = g_new0 (Shaper, 1);

  shaper->context = create_context ();
  for (int bold = 0; bold < 2; bold++)
    {
      shaper->font[bold] = pango_font_description_from_string (PLG_TEXT_FAMILIES);
      pango_font_description_set_absolute_size (shaper->font[bold], REFERENCE_SIZE * PANGO_SCALE);
      pango_font_description_set_weight (shaper->font[bold],
                                         bold ? PANGO_WEIGHT_BOLD : PANGO_WEIGHT_NORMAL);
      shaper->lines[bold] = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, line_free);
    }
  return shaper;
}

static Shaper *
get_shaper (void)
{
  Shaper *shaper = g_private_get (&thread_shaper);

  if (shaper == NULL)
    {
      shaper = shaper_new ();
      g_private_set (&thread_shaper, shaper);
    }
  return shaper;
}

static Line *
line_new (const Shaper *shaper, const char *text, gboolean bold)
{
  Line *line = g_new0 (Line, 1);
  PangoRectangle logical;

  line->layout = pango_layout_new (shaper->context);
  pango_layout_set_font_description (line->layout, shaper->font[bold]);
  pango_layout_set_single_paragraph_mode (line->layout, TRUE);
  pango_layout_set_text (line->layout, text, -1);
  pango_layout_line_get_extents (pango_layout_get_line_readonly (line->layout, 0), NULL, &logical);
  line->width = (double) logical.width / PANGO_SCALE;
  return line;
}

static Line *
get_line (const char *text, gboolean bold)
{
  Shaper *shaper = get_shaper ();
  GHashTable *lines = shaper->lines[bold];
  Line *line = g_hash_table_lookup (lines, text);

  if (line != NULL)
    return line;
  if (g_hash_table_size (lines) >= MAX_LINES)
    g_hash_table_remove_all (lines);
  line = line_new (shaper, text, bold);
  g_hash_table_insert (lines, g_strdup (text), line);
  return line;
}

double
plg_text_width (const char *text, double font_size, gboolean bold)
{
  g_return_val_if_fail (text != NULL, 0);

  return get_line (text, bold != FALSE)->width * font_size / REFERENCE_SIZE;
}

/* The first LENGTH characters of TEXT, without spaces at the end, and "…". */
static char *
shorten (const char *text, glong length)
{
  g_autofree char *start = g_utf8_substring (text, 0, length);

  return g_strconcat (g_strchomp (start), "…", NULL);
}

char *
plg_text_fit (const char *text, double width, double font_size, gboolean bold)
{
  glong low = 0, high;

  g_return_val_if_fail (text != NULL, NULL);

  if (plg_text_width (text, font_size, bold) <= width)
    return g_strdup (text);
  if (plg_text_width ("…", font_size, bold) > width)
    return g_strdup ("");
  /* The longest start that fits lies in [low, high). */
  high = g_utf8_strlen (text, -1);
  while (high - low > 1)
    {
      glong middle = low + (high - low) / 2;
      g_autofree char *candidate = shorten (text, middle);

      if (plg_text_width (candidate, font_size, bold) <= width)
        low = middle;
      else
        high = middle;
    }
  return shorten (text, low);
}

double
plg_text_left (double x, PlgAnchor anchor, double width)
{
  switch (anchor)
    {
    case PLG_ANCHOR_MIDDLE:
      return x - width / 2;
    case PLG_ANCHOR_END:
      return x - width;
    case PLG_ANCHOR_START:
    default:
      return x;
    }
}

void
plg_text_show (cairo_t *cr,
               const char *text,
               PlgPoint at,
               PlgAnchor anchor,
               double font_size,
               gboolean bold)
{
  const Line *line;
  double scale = font_size / REFERENCE_SIZE;

  g_return_if_fail (text != NULL);

  /* A matrix that cannot be inverted would put the whole context into an error state. */
  if (!(font_size > 0))
    return;
  line = get_line (text, bold != FALSE);
  cairo_save (cr);
  cairo_translate (cr, plg_text_left (at.x, anchor, line->width * scale), at.y);
  cairo_scale (cr, scale, scale);
  cairo_move_to (cr, 0, 0);
  pango_cairo_show_layout_line (cr, pango_layout_get_line_readonly (line->layout, 0));
  cairo_restore (cr);
}
