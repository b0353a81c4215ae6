/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "drawing/figure/text.h"

#include <pango/pangocairo.h>
#include <string.h>

/* The size at which lines are shaped; lines are scaled when they are drawn. Widths without
 * hinting are proportional to the size, so a line is shaped only once for all zooms and text
 * sizes. */
#define REFERENCE_SIZE 64.0

/* When a thread has stored this number of shaped lines, it drops the lines that it has not used
 * since the previous drop. The number is enough for the texts of a thousand GPUs. */
#define MAX_LINES 2048

/* The maximum number of digits in a number that is drawn digit by digit. */
#define MAX_DIGITS 8

typedef struct
{
  PangoLayout *layout;
  double width; /* width at the reference size */
} Line;

/* Pango objects belong to one thread, so each drawing thread has its own shaper. */
typedef struct
{
  PangoContext *context;
  PangoFontDescription *font[2]; /* font descriptions: regular, bold */
  GHashTable *lines[2];          /* maps a text to its Line: regular, bold */
  GHashTable *older[2];          /* lines that were in LINES when it was last full */
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
      g_hash_table_unref (shaper->older[bold]);
    }
  g_object_unref (shaper->context);
  g_free (shaper);
}

static GPrivate thread_shaper = G_PRIVATE_INIT (shaper_free);

static GHashTable *
new_lines (void)
{
  return g_hash_table_new_full (g_str_hash, g_str_equal, g_free, line_free);
}

static Shaper *
shaper_new (void)
{
  Shaper *shaper = g_new0 (Shaper, 1);
  PangoContext *context = pango_font_map_create_context (pango_cairo_font_map_get_default ());
  cairo_font_options_t *options = cairo_font_options_create ();

  cairo_font_options_set_hint_style (options, CAIRO_HINT_STYLE_NONE);
  cairo_font_options_set_hint_metrics (options, CAIRO_HINT_METRICS_OFF);
  cairo_font_options_set_antialias (options, CAIRO_ANTIALIAS_GRAY);
  pango_cairo_context_set_font_options (context, options);
  pango_cairo_context_set_resolution (context, 96);
  pango_context_set_round_glyph_positions (context, FALSE);
  /* Pictures run from left to right in every language, because ranks and time grow in this
   * direction. */
  pango_context_set_base_dir (context, PANGO_DIRECTION_LTR);
  cairo_font_options_destroy (options);
  shaper->context = context;

  for (int bold = 0; bold < 2; bold++)
    {
      shaper->font[bold] = pango_font_description_from_string (PLG_TEXT_FAMILIES);
      pango_font_description_set_absolute_size (shaper->font[bold], REFERENCE_SIZE * PANGO_SCALE);
      pango_font_description_set_weight (shaper->font[bold],
                                         bold ? PANGO_WEIGHT_BOLD : PANGO_WEIGHT_NORMAL);
      shaper->lines[bold] = new_lines ();
      shaper->older[bold] = new_lines ();
    }
  return shaper;
}

static void
shaper_keep_line (Shaper *shaper, gboolean bold, char *text, Line *line)
{
  if (g_hash_table_size (shaper->lines[bold]) >= MAX_LINES)
    {
      g_hash_table_unref (shaper->older[bold]);
      shaper->older[bold] = shaper->lines[bold];
      shaper->lines[bold] = new_lines ();
    }
  g_hash_table_insert (shaper->lines[bold], text, line);
}

static Line *
get_line (const char *text, gboolean bold)
{
  Shaper *shaper = g_private_get (&thread_shaper);
  PangoRectangle logical;
  gpointer known, found;
  Line *line;

  g_assert (text != NULL && (bold == FALSE || bold == TRUE));

  if (shaper == NULL)
    {
      shaper = shaper_new ();
      g_private_set (&thread_shaper, shaper);
    }
  line = g_hash_table_lookup (shaper->lines[bold], text);
  if (line != NULL)
    return line;
  if (g_hash_table_steal_extended (shaper->older[bold], text, &known, &found))
    {
      shaper_keep_line (shaper, bold, known, found);
      return found;
    }
  line = g_new0 (Line, 1);
  line->layout = pango_layout_new (shaper->context);
  pango_layout_set_font_description (line->layout, shaper->font[bold]);
  pango_layout_set_single_paragraph_mode (line->layout, TRUE);
  pango_layout_set_text (line->layout, text, -1);
  pango_layout_line_get_extents (pango_layout_get_line_readonly (line->layout, 0), NULL, &logical);
  line->width = (double) logical.width / PANGO_SCALE;
  shaper_keep_line (shaper, bold, g_strdup (text), line);
  return line;
}

/* Returns whether TEXT is a number that can be composed of single digits. Thousands of ranks
 * differ only in their digits. In the fonts of pictures, all digits have the same width, so a
 * composed number looks the same as a number shaped as a whole. */
static gboolean
is_number (const char *text)
{
  int n = 0;

  while (n <= MAX_DIGITS && g_ascii_isdigit (text[n]))
    n++;
  return n > 1 && n <= MAX_DIGITS && text[n] == '\0';
}

static const Line *
get_digit (char digit, gboolean bold)
{
  const char text[] = { digit, '\0' };

  return get_line (text, bold);
}

/* Returns the width of TEXT at the reference size. */
static double
line_width (const char *text, gboolean bold)
{
  double width = 0;

  if (!is_number (text))
    return get_line (text, bold)->width;
  for (const char *digit = text; *digit != '\0'; digit++)
    width += get_digit (*digit, bold)->width;
  return width;
}

double
plg_text_width (const char *text, double font_size, gboolean bold)
{
  g_return_val_if_fail (text != NULL, 0);

  return line_width (text, bold != FALSE) * font_size / REFERENCE_SIZE;
}

/* Returns TEXT shortened to LENGTH characters, with "…" in place of the omitted part and no
 * spaces around the "…". TAIL thirds of these characters come from the end of TEXT. */
static char *
shorten (const char *text, glong length, int tail)
{
  glong end = length * tail / 3, whole = g_utf8_strlen (text, -1);
  g_autofree char *first = g_utf8_substring (text, 0, length - end);
  g_autofree char *last = g_utf8_substring (text, whole - end, whole);

  return g_strconcat (g_strchomp (first), "…", g_strchug (last), NULL);
}

static char *
fit (const char *text, double width, double font_size, gboolean bold, int tail)
{
  glong low = 0, high;

  g_return_val_if_fail (text != NULL, NULL);

  if (plg_text_width (text, font_size, bold) <= width)
    return g_strdup (text);
  if (plg_text_width ("…", font_size, bold) > width)
    return g_strdup ("");
  /* The largest number of characters that fits into WIDTH is at least LOW and less than HIGH. */
  high = g_utf8_strlen (text, -1);
  while (high - low > 1)
    {
      glong middle = low + (high - low) / 2;
      g_autofree char *candidate = shorten (text, middle, tail);

      if (plg_text_width (candidate, font_size, bold) <= width)
        low = middle;
      else
        high = middle;
    }
  return shorten (text, low, tail);
}

char *
plg_text_fit (const char *text, double width, double font_size, gboolean bold)
{
  return fit (text, width, font_size, bold, 0);
}

char *
plg_text_fit_ends (const char *text, double width, double font_size, gboolean bold)
{
  return fit (text, width, font_size, bold, 2);
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

/* Draws TEXT digit by digit. Returns FALSE if the font does not allow that. */
static gboolean
show_number (cairo_t *cr, const char *text, gboolean bold)
{
  PangoGlyphInfo info[MAX_DIGITS];
  int clusters[MAX_DIGITS];
  PangoGlyphString glyphs = { 0, info, clusters, 0 };
  PangoFont *font = NULL;

  for (const char *digit = text; *digit != '\0'; digit++)
    {
      PangoLayout *layout = get_digit (*digit, bold)->layout;
      const PangoLayoutLine *line = pango_layout_get_line_readonly (layout, 0);
      const PangoGlyphItem *run = line->runs != NULL ? line->runs->data : NULL;

      /* Some fonts compose a digit from several glyphs; such digits cannot be drawn one by one. */
      if (run == NULL || line->runs->next != NULL || run->glyphs->num_glyphs != 1 ||
          (font != NULL && run->item->analysis.font != font))
        return FALSE;
      font = run->item->analysis.font;
      clusters[glyphs.num_glyphs] = glyphs.num_glyphs;
      info[glyphs.num_glyphs++] = run->glyphs->glyphs[0];
    }
  cairo_move_to (cr, 0, 0);
  pango_cairo_show_glyph_string (cr, font, &glyphs);
  return TRUE;
}

void
plg_text_show (cairo_t *cr,
               const char *text,
               PlgPoint at,
               PlgAnchor anchor,
               double font_size,
               gboolean bold)
{
  double scale = font_size / REFERENCE_SIZE;

  g_return_if_fail (text != NULL);

  /* Font size 0 gives a matrix that cannot be inverted, which would put the whole Cairo context
   * into an error state. */
  if (!(font_size > 0))
    return;
  bold = bold != FALSE;
  cairo_save (cr);
  cairo_translate (cr, plg_text_left (at.x, anchor, line_width (text, bold) * scale), at.y);
  cairo_scale (cr, scale, scale);
  if (!is_number (text) || !show_number (cr, text, bold))
    {
      const Line *line = get_line (text, bold);

      cairo_move_to (cr, 0, 0);
      pango_cairo_show_layout_line (cr, pango_layout_get_line_readonly (line->layout, 0));
    }
  cairo_restore (cr);
}

/* Returns the length of the first line of TEXT that fits WIDTH [bytes]. The line ends before a
 * space or at the end of TEXT and contains at least one word, even if that word is too wide. */
static gsize
line_length (const char *text, double width, double font_size, gboolean bold)
{
  gsize fits = strcspn (text, " "), end = fits;

  while (text[end] != '\0')
    {
      g_autofree char *line = NULL;

      end += 1 + strcspn (text + end + 1, " ");
      line = g_strndup (text, end);
      if (plg_text_width (line, font_size, bold) > width)
        return fits;
      fits = end;
    }
  return fits;
}

char **
plg_text_wrap (const char *text, double width, double font_size, gboolean bold)
{
  GPtrArray *lines = g_ptr_array_new ();
  g_auto (GStrv) paragraphs = g_strsplit (text, "\n", -1);

  for (guint i = 0; paragraphs[i] != NULL; i++)
    {
      const char *rest = paragraphs[i] + strspn (paragraphs[i], " ");

      while (*rest != '\0')
        {
          gsize length = line_length (rest, width, font_size, bold);
          g_autofree char *line = g_strndup (rest, length);

          g_ptr_array_add (lines, plg_text_fit (line, width, font_size, bold));
          rest += length;
          rest += strspn (rest, " ");
        }
    }
  g_ptr_array_add (lines, NULL);
  return (char **) g_ptr_array_free (lines, FALSE);
}
