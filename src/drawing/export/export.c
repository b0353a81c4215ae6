/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "drawing/export/export.h"

#include "drawing/export/drawio.h"
#include "drawing/export/paint.h"
#include "drawing/export/svg.h"
#include "drawing/charts/ascii.h"
#include "drawing/export/tikz.h"
#include "plan/quantity.h"

#include <cairo-pdf.h>
#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#define MIN_SCALE 0.1
#define MAX_SCALE 20.0

/* The maximum side of Cairo's image surfaces [pixels]. The maximum number of pixels is lower
 * than Cairo's limit, because many programs cannot open larger PNGs. */
#define MAX_SIDE 32767.0
#define MAX_PIXELS 400e6

/* The default scale suits a screen with two pixels per point. It is lowered if the picture would
 * otherwise have more pixels than a large screen. */
#define DEFAULT_SCALE 2.0
#define DEFAULT_PIXELS (3840.0 * 2160.0)
#define MAX_DEFAULT_SCALE 10.0

/* A figure has 96 units per inch; paper has 72 points per inch. */
#define POINTS_PER_UNIT 0.75
/* The side of the largest page that PDF readers open: 200 inches (ISO 32000-1, annex C). */
#define MAX_PAGE 14400.0

static const struct
{
  const char *name;
  const char *title;
  const char *media_type;
  const char *other_extension; /* a second extension for the format, or NULL */
} formats[PLG_N_EXPORT_FORMATS] = {
  [PLG_EXPORT_SVG] = { "svg", "SVG", "image/svg+xml", NULL },
  [PLG_EXPORT_PDF] = { "pdf", "PDF", "application/pdf", NULL },
  [PLG_EXPORT_PNG] = { "png", "PNG", "image/png", NULL },
  [PLG_EXPORT_TIKZ] = { "tex", N_ ("TikZ"), "text/x-tex", "tikz" },
  [PLG_EXPORT_DRAWIO] = { "drawio", "draw.io", "application/vnd.jgraph.mxfile", NULL },
  [PLG_EXPORT_TEXT] = { "txt", N_ ("Text"), "text/plain", NULL },
};

static const struct
{
  const char *name;
  const char *title;
  double width, height; /* size of the upright page, or of the slide in landscape [1/72 in] */
} pages[PLG_N_PAGES] = {
  [PLG_PAGE_DRAWING] = { "drawing", N_ ("As large as the picture"), 0, 0 },
  [PLG_PAGE_A4] = { "a4", "A4", 210 / 25.4 * 72, 297 / 25.4 * 72 },
  [PLG_PAGE_LETTER] = { "letter", "Letter", 8.5 * 72, 11 * 72 },
  [PLG_PAGE_SLIDE] = { "16:9", "16 : 9", 960, 540 },
};

/* The margin of a page of fixed size: 12 mm, which keeps the picture within the area that
 * printers can print. */
#define PAGE_MARGIN (12 / 25.4 * 72)

static const char *const background_names[] = { "white", "transparent", "theme" };

const char *
plg_export_format_name (PlgExportFormat format)
{
  g_return_val_if_fail (format < PLG_N_EXPORT_FORMATS, NULL);

  return formats[format].name;
}

const char *
plg_export_format_title (PlgExportFormat format)
{
  g_return_val_if_fail (format < PLG_N_EXPORT_FORMATS, NULL);

  return _ (formats[format].title);
}

const char *
plg_page_name (PlgPage page)
{
  g_return_val_if_fail (page < PLG_N_PAGES, NULL);

  return pages[page].name;
}

const char *
plg_page_title (PlgPage page)
{
  g_return_val_if_fail (page < PLG_N_PAGES, NULL);

  return _ (pages[page].title);
}

const char *
plg_export_format_media_type (PlgExportFormat format)
{
  g_return_val_if_fail (format < PLG_N_EXPORT_FORMATS, NULL);

  return formats[format].media_type;
}

gboolean
plg_export_format_from_path (const char *path, PlgExportFormat *format)
{
  g_autofree char *name = NULL;
  const char *extension;

  g_return_val_if_fail (path != NULL && format != NULL, FALSE);

  name = g_path_get_basename (path);
  extension = strrchr (name, '.');
  for (int i = 0; extension != NULL && i < PLG_N_EXPORT_FORMATS; i++)
    {
      if (g_ascii_strcasecmp (extension + 1, formats[i].name) == 0 ||
          (formats[i].other_extension != NULL &&
           g_ascii_strcasecmp (extension + 1, formats[i].other_extension) == 0))
        {
          *format = (PlgExportFormat) i;
          return TRUE;
        }
    }
  return FALSE;
}

const char *
plg_background_name (PlgBackground background)
{
  g_return_val_if_fail (background < G_N_ELEMENTS (background_names), NULL);

  return background_names[background];
}

static void
paint_background (cairo_t *cr, PlgColor color)
{
  if (color.alpha <= 0)
    return;
  cairo_set_source_rgba (cr, color.red, color.green, color.blue, color.alpha);
  cairo_paint (cr);
}

static cairo_status_t
append_bytes (void *closure, const unsigned char *data, unsigned int length)
{
  g_byte_array_append (closure, data, length);
  return CAIRO_STATUS_SUCCESS;
}

/* Takes ownership of BYTES and returns its contents. If STATUS is an error, returns NULL and
 * sets ERROR. */
static GBytes *
finish_bytes (GByteArray *bytes, cairo_status_t status, GError **error)
{
  if (status == CAIRO_STATUS_SUCCESS)
    return g_byte_array_free_to_bytes (bytes);
  g_byte_array_unref (bytes);
  g_set_error (error, G_IO_ERROR,
               status == CAIRO_STATUS_NO_MEMORY ? G_IO_ERROR_NO_SPACE : G_IO_ERROR_FAILED,
               _ ("Cannot draw the picture: %s. A smaller scale needs less memory."),
               cairo_status_to_string (status));
  return NULL;
}

/* Takes ownership of TEXT and returns it as bytes. */
static GBytes *
take_text (char *text)
{
  return g_bytes_new_take (text, strlen (text));
}

/* Exports N figures as one PDF. The title of the document is the title of the first figure. */
static GBytes *
export_pdf (const PlgFigure *const *figures,
            guint n,
            const PlgTheme *theme,
            PlgColor background,
            PlgPage page,
            GError **error)
{
  GByteArray *bytes = g_byte_array_new ();
  cairo_surface_t *surface = cairo_pdf_surface_create_for_stream (append_bytes, bytes, 1, 1);
  cairo_t *cr = cairo_create (surface);
  cairo_status_t status;

  cairo_pdf_surface_set_metadata (surface, CAIRO_PDF_METADATA_TITLE, plg_figure_title (figures[0]));
  cairo_pdf_surface_set_metadata (surface, CAIRO_PDF_METADATA_SUBJECT,
                                  plg_figure_description (figures[0]));
  cairo_pdf_surface_set_metadata (surface, CAIRO_PDF_METADATA_CREATOR, "Parallelogram");
  /* Set an empty date. Cairo would otherwise write the current time, so the same input would
   * give different files. */
  cairo_pdf_surface_set_metadata (surface, CAIRO_PDF_METADATA_CREATE_DATE, "");

  for (guint i = 0; i < n; i++)
    {
      double width = plg_figure_width (figures[i]), height = plg_figure_height (figures[i]);
      double across = pages[page].width, down = pages[page].height; /* size of the page [1/72 in] */
      double scale;

      if (page == PLG_PAGE_DRAWING)
        {
          /* Scale a very large picture down to the largest page. Vector graphics lose no detail. */
          scale = MIN (POINTS_PER_UNIT, MAX_PAGE / MAX (width, height));
          across = width * scale;
          down = height * scale;
        }
      else
        {
          if (page != PLG_PAGE_SLIDE && width > height)
            {
              across = pages[page].height;
              down = pages[page].width;
            }
          scale = MIN ((across - 2 * PAGE_MARGIN) / width, (down - 2 * PAGE_MARGIN) / height);
        }
      cairo_pdf_surface_set_size (surface, across, down);
      cairo_save (cr);
      paint_background (cr, background);
      /* Clip shapes that extend beyond the figure, so that they do not appear on the page. */
      cairo_translate (cr, (across - width * scale) / 2, (down - height * scale) / 2);
      cairo_scale (cr, scale, scale);
      cairo_rectangle (cr, 0, 0, width, height);
      cairo_clip (cr);
      plg_paint (cr, figures[i], theme, PLG_LAYERS_EXPORT, NULL);
      cairo_restore (cr);
      cairo_show_page (cr);
    }
  status = cairo_status (cr);
  cairo_destroy (cr);
  cairo_surface_finish (surface);
  if (status == CAIRO_STATUS_SUCCESS)
    status = cairo_surface_status (surface);
  cairo_surface_destroy (surface);
  return finish_bytes (bytes, status, error);
}

/* Returns the largest scale, rounded down to 1/10, at which a PNG of FIGURE has at most PIXELS
 * pixels. */
static double
scale_for_pixels (const PlgFigure *figure, double pixels)
{
  double width = plg_figure_width (figure), height = plg_figure_height (figure);
  double by_side = MAX_SIDE / MAX (width, height);
  double by_area = sqrt (pixels / (width * height));

  return floor (MIN (by_side, by_area) * 10) / 10;
}

double
plg_export_default_scale (const PlgFigure *figure)
{
  double most;

  g_return_val_if_fail (figure != NULL, DEFAULT_SCALE);

  /* If the figure was scaled down, allow a higher scale to restore its full resolution. */
  most = MIN (DEFAULT_SCALE / plg_figure_get_scale (figure), MAX_DEFAULT_SCALE);
  return CLAMP (scale_for_pixels (figure, DEFAULT_PIXELS), MIN_SCALE, most);
}

double
plg_export_max_scale (const PlgFigure *figure)
{
  g_return_val_if_fail (figure != NULL, MAX_SCALE);

  return CLAMP (scale_for_pixels (figure, MAX_PIXELS), MIN_SCALE, MAX_SCALE);
}

static gboolean
check_scale (const PlgFigure *figure, double scale, GError **error)
{
  double width = plg_figure_width (figure) * scale, height = plg_figure_height (figure) * scale;
  double largest = scale_for_pixels (figure, MAX_PIXELS);
  g_autofree char *largest_text = plg_format_number (largest, 4);
  g_autofree char *remedy = NULL;

  if (!(scale >= MIN_SCALE && scale <= MAX_SCALE))
    {
      g_autofree char *given = plg_format_number (scale, 4);
      g_autofree char *min = plg_format_number (MIN_SCALE, 4);
      g_autofree char *max = plg_format_number (MAX_SCALE, 4);

      g_set_error (error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT,
                   _ ("The scale %s is out of range: choose one from %s to %s."), given, min, max);
      return FALSE;
    }
  if (width <= MAX_SIDE && height <= MAX_SIDE && width * height <= MAX_PIXELS)
    return TRUE;
  remedy = largest < MIN_SCALE
               ? g_strdup (_ ("Choose SVG or PDF."))
               : g_strdup_printf (_ ("Choose a scale of %s or less, or SVG or PDF."), largest_text);
  /* Write the numbers without decimals, because the decimal point would depend on the locale. */
  g_set_error (error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT,
               _ ("A picture of %.0f × %.0f pixels is too large for PNG: each side can have at "
                  "most %.0f pixels, and the whole picture at most %.0f million pixels. %s"),
               width, height, MAX_SIDE, MAX_PIXELS / 1e6, remedy);
  return FALSE;
}

static GBytes *
export_png (const PlgFigure *figure,
            const PlgTheme *theme,
            PlgColor background,
            double scale,
            GError **error)
{
  int width = (int) lround (plg_figure_width (figure) * scale);
  int height = (int) lround (plg_figure_height (figure) * scale);
  cairo_surface_t *surface;
  cairo_status_t status;
  GByteArray *bytes;
  cairo_t *cr;

  if (!check_scale (figure, scale, error))
    return NULL;
  surface = cairo_image_surface_create (background.alpha < 1 ? CAIRO_FORMAT_ARGB32
                                                             : CAIRO_FORMAT_RGB24,
                                        MAX (width, 1), MAX (height, 1));
  cr = cairo_create (surface);
  cairo_scale (cr, scale, scale);
  paint_background (cr, background);
  plg_paint (cr, figure, theme, PLG_LAYERS_EXPORT, NULL);
  status = cairo_status (cr);
  cairo_destroy (cr);
  bytes = g_byte_array_new ();
  if (status == CAIRO_STATUS_SUCCESS)
    status = cairo_surface_write_to_png_stream (surface, append_bytes, bytes);
  cairo_surface_destroy (surface);
  return finish_bytes (bytes, status, error);
}

GBytes *
plg_export (const PlgFigure *figure,
            const PlgTheme *theme,
            const PlgExportOptions *options,
            GError **error)
{
  PlgColor background = PLG_COLOR_NONE;
  double width, height;

  g_return_val_if_fail (figure != NULL && theme != NULL && options != NULL, NULL);

  width = plg_figure_width (figure);
  height = plg_figure_height (figure);
  /* Test that the size is valid, not that it is invalid: every comparison with NaN is false, so
   * this test also rejects NaN. */
  if (!(width > 0 && height > 0 && width < 1e6 && height < 1e6))
    {
      g_autofree char *across = plg_format_number (width, 7);
      g_autofree char *down = plg_format_number (height, 7);

      g_set_error (
          error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT,
          _ ("Cannot write a picture of %s × %s: each side must be more than 0 and less than a "
             "million."),
          across, down);
      return NULL;
    }
  if (options->background == PLG_BACKGROUND_WHITE)
    background = plg_color_from_rgb (0xffffff);
  else if (options->background == PLG_BACKGROUND_THEME)
    background = plg_figure_background (figure).alpha > 0 ? plg_figure_background (figure)
                                                          : theme->role[PLG_ROLE_BACKGROUND];
  switch (options->format)
    {
    case PLG_EXPORT_SVG:
      return take_text (plg_svg_write (figure, theme, PLG_LAYERS_EXPORT, background,
                                       options->attachment));
    case PLG_EXPORT_PDF:
      return export_pdf (&figure, 1, theme, background, options->page, error);
    case PLG_EXPORT_PNG:
      return export_png (figure, theme, background, options->scale, error);
    case PLG_EXPORT_TIKZ:
      return take_text (plg_tikz_write (figure, theme, PLG_LAYERS_EXPORT, background));
    case PLG_EXPORT_DRAWIO:
      return take_text (plg_drawio_write (figure, theme, PLG_LAYERS_EXPORT, background,
                                          options->plan, options->report));
    case PLG_EXPORT_TEXT:
      {
        const PlgAsciiSubject subject = { options->picture, options->plan, options->report,
                                          options->shown };
        gboolean is_known = subject.plan != NULL && subject.report != NULL &&
                            subject.options != NULL;

        return take_text (plg_ascii_write (figure, is_known ? &subject : NULL));
      }
    default:
      g_return_val_if_reached (NULL);
    }
}

GBytes *
plg_export_pages (const GPtrArray *figures, const PlgTheme *theme, PlgPage page, GError **error)
{
  g_return_val_if_fail (figures != NULL && figures->len > 0, NULL);

  return export_pdf ((const PlgFigure *const *) figures->pdata, figures->len, theme,
                     theme->role[PLG_ROLE_BACKGROUND], page, error);
}
