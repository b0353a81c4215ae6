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

/* Cairo's image surfaces end here, and so do many programs that open a PNG. */
#define MAX_SIDE 32767.0
#define MAX_PIXELS 400e6

/* A picture that nobody has given a size is twice as large as it is laid out, for screens of that
 * density, and has no more pixels than a large one of those. */
#define DEFAULT_SCALE 2.0
#define DEFAULT_PIXELS (3840.0 * 2160.0)
#define MAX_DEFAULT_SCALE 10.0

/* A figure's 96 units to the inch on paper's 72 points to the inch. */
#define POINTS_PER_UNIT 0.75
/* The largest page that readers of PDF open: 200 inches (ISO 32000-1, annex C). */
#define MAX_PAGE 14400.0

static const struct
{
  const char *name;
  const char *title;
  const char *media_type;
  const char *other_ending; /* which is read as this format too, or NULL */
} formats[PLG_N_EXPORT_FORMATS] = {
  [PLG_EXPORT_SVG] = { "svg", "SVG", "image/svg+xml", NULL },
  [PLG_EXPORT_PDF] = { "pdf", "PDF", "application/pdf", NULL },
  [PLG_EXPORT_PNG] = { "png", "PNG", "image/png", NULL },
  [PLG_EXPORT_TIKZ] = { "tex", N_ ("TikZ"), "text/x-tex", "tikz" },
  [PLG_EXPORT_DRAWIO] = { "drawio", "draw.io", "application/vnd.jgraph.mxfile", NULL },
  [PLG_EXPORT_TEXT] = { "txt", N_ ("Text"), "text/plain", NULL },
};

/* Sizes in points of 72 to the inch, upright; of a slide as it is. */
static const struct
{
  const char *name;
  const char *title;
  double width, height;
} pages[PLG_N_PAGES] = {
  [PLG_PAGE_DRAWING] = { "drawing", N_ ("As large as the picture"), 0, 0 },
  [PLG_PAGE_A4] = { "a4", "A4", 210 / 25.4 * 72, 297 / 25.4 * 72 },
  [PLG_PAGE_LETTER] = { "letter", "Letter", 8.5 * 72, 11 * 72 },
  [PLG_PAGE_SLIDE] = { "16:9", "16 : 9", 960, 540 },
};

/* Around the picture on a fixed page: 12 mm, which printers can print up to. */
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
  const char *ending;

  g_return_val_if_fail (path != NULL && format != NULL, FALSE);

  name = g_path_get_basename (path);
  ending = strrchr (name, '.');
  for (int i = 0; ending != NULL && i < PLG_N_EXPORT_FORMATS; i++)
    {
      if (g_ascii_strcasecmp (ending + 1, formats[i].name) == 0 ||
          (formats[i].other_ending != NULL &&
           g_ascii_strcasecmp (ending + 1, formats[i].other_ending) == 0))
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

static PlgColor
background_color (const PlgFigure *figure, const PlgTheme *theme, PlgBackground background)
{
  PlgColor own = plg_figure_background (figure);

  switch (background)
    {
    case PLG_BACKGROUND_WHITE:
      return plg_color_from_rgb (0xffffff);
    case PLG_BACKGROUND_THEME:
      return own.alpha > 0 ? own : theme->role[PLG_ROLE_BACKGROUND];
    case PLG_BACKGROUND_TRANSPARENT:
    default:
      return PLG_COLOR_NONE;
    }
}

static void
paint_page (cairo_t *cr, const PlgFigure *figure, const PlgTheme *theme, PlgColor background)
{
  if (background.alpha > 0)
    {
      cairo_set_source_rgba (cr, background.red, background.green, background.blue,
                             background.alpha);
      cairo_paint (cr);
    }
  plg_paint (cr, figure, theme, PLG_LAYERS_EXPORT, NULL);
}

static cairo_status_t
append_bytes (void *closure, const unsigned char *data, unsigned int length)
{
  g_byte_array_append (closure, data, length);
  return CAIRO_STATUS_SUCCESS;
}

/* The bytes that were written, or NULL with ERROR when Cairo had to give up. */
static GBytes *
finish_bytes (GByteArray *bytes, cairo_status_t status, GError **error)
{
  if (status == CAIRO_STATUS_SUCCESS)
    return g_byte_array_free_to_bytes (bytes);
  g_byte_array_unref (bytes);
  g_set_error (error, G_IO_ERROR,
               status == CAIRO_STATUS_NO_MEMORY ? G_IO_ERROR_NO_SPACE : G_IO_ERROR_FAILED,
               _ ("The picture could not be drawn: %s. A smaller scale needs less memory."),
               cairo_status_to_string (status));
  return NULL;
}

/* The bytes of TEXT, which is taken. */
static GBytes *
take_text (char *text)
{
  return g_bytes_new_take (text, strlen (text));
}

/* Where the picture comes to lie on its page. */
typedef struct
{
  double width, height; /* of the page, points */
  double x, y;          /* of the picture's corner */
  double scale;
} Sheet;

static Sheet
sheet_of_page (const PlgFigure *figure, PlgPage page)
{
  double width = plg_figure_width (figure), height = plg_figure_height (figure);
  Sheet sheet = { .width = pages[page].width, .height = pages[page].height };
  double across, down;

  if (page == PLG_PAGE_DRAWING)
    {
      /* A large picture is made smaller to fit the largest page: it is all lines, nothing is lost. */
      double scale = MIN (POINTS_PER_UNIT, MAX_PAGE / MAX (width, height));

      return (Sheet) { width * scale, height * scale, 0, 0, scale };
    }
  if (page != PLG_PAGE_SLIDE && width > height)
    sheet = (Sheet) { .width = pages[page].height, .height = pages[page].width };
  across = sheet.width - 2 * PAGE_MARGIN;
  down = sheet.height - 2 * PAGE_MARGIN;
  sheet.scale = MIN (across / width, down / height);
  sheet.x = (sheet.width - width * sheet.scale) / 2;
  sheet.y = (sheet.height - height * sheet.scale) / 2;
  return sheet;
}

/* The first of N figures gives the document its title. */
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
  const PlgFigure *figure = figures[0];

  cairo_pdf_surface_set_metadata (surface, CAIRO_PDF_METADATA_TITLE, plg_figure_title (figure));
  cairo_pdf_surface_set_metadata (surface, CAIRO_PDF_METADATA_SUBJECT,
                                  plg_figure_description (figure));
  cairo_pdf_surface_set_metadata (surface, CAIRO_PDF_METADATA_CREATOR, "Parallelogram");
  /* Cairo writes the time of day unless it is told otherwise; an empty one leaves it out. */
  cairo_pdf_surface_set_metadata (surface, CAIRO_PDF_METADATA_CREATE_DATE, "");

  for (guint i = 0; i < n; i++)
    {
      const PlgFigure *sheet_figure = figures[i];
      Sheet sheet = sheet_of_page (sheet_figure, page);

      cairo_pdf_surface_set_size (cairo_get_target (cr), sheet.width, sheet.height);
      cairo_save (cr);

      /* What of a cut-out lies beyond its edges is not on the page either. */
      if (background.alpha > 0)
        {
          cairo_set_source_rgba (cr, background.red, background.green, background.blue,
                                 background.alpha);
          cairo_paint (cr);
        }
      cairo_translate (cr, sheet.x, sheet.y);
      cairo_scale (cr, sheet.scale, sheet.scale);
      cairo_rectangle (cr, 0, 0, plg_figure_width (sheet_figure), plg_figure_height (sheet_figure));
      cairo_clip (cr);
      paint_page (cr, sheet_figure, theme, PLG_COLOR_NONE);

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

static gboolean
check_scale (double scale, GError **error)
{
  g_autofree char *given = NULL, *smallest = NULL, *largest = NULL;

  if (scale >= MIN_SCALE && scale <= MAX_SCALE)
    return TRUE;
  given = plg_format_number (scale, 4);
  smallest = plg_format_number (MIN_SCALE, 4);
  largest = plg_format_number (MAX_SCALE, 4);
  g_set_error (error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT,
               _ ("The scale %s is out of range: choose one from %s to %s."), given, smallest,
               largest);
  return FALSE;
}

/* The largest scale in steps of 1/10 at which FIGURE has no more PIXELS. */
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

  /* What was made smaller than it was laid out still has all of its pixels. */
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
check_pixels (const PlgFigure *figure, double scale, GError **error)
{
  double width = plg_figure_width (figure), height = plg_figure_height (figure);
  g_autofree char *remedy = NULL;

  if (width * scale <= MAX_SIDE && height * scale <= MAX_SIDE &&
      width * scale * height * scale <= MAX_PIXELS)
    return TRUE;

  /* What helps when the picture is too large for PNG. */
  double largest = scale_for_pixels (figure, MAX_PIXELS);
  g_autofree char *smaller_scale = NULL;

  if (largest < MIN_SCALE)
    remedy = g_strdup (_ ("Choose SVG or PDF."));
  else
    {
      smaller_scale = plg_format_number (largest, 4);
      remedy = g_strdup_printf (_ ("Choose a scale of %s or less, or SVG or PDF."), smaller_scale);
    }
  /* No digits after the decimal point, so no locale shows. */
  g_set_error (error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT,
               _ ("A picture of %.0f × %.0f pixels is too large for PNG, which ends at %.0f on a "
                  "side and %.0f million in all. %s"),
               width * scale, height * scale, MAX_SIDE, MAX_PIXELS / 1e6, remedy);
  return FALSE;
}

static gboolean
check_size (const PlgFigure *figure, GError **error)
{
  double width = plg_figure_width (figure), height = plg_figure_height (figure);
  g_autofree char *across = NULL, *down = NULL;

  /* Written so that sizes that are no numbers fail too. */
  if (width > 0 && height > 0 && width < 1e6 && height < 1e6)
    return TRUE;
  across = plg_format_number (width, 7);
  down = plg_format_number (height, 7);
  g_set_error (error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT,
               _ ("A picture of %s × %s cannot be a file: each side must be more than 0 and less "
                  "than a million."),
               across, down);
  return FALSE;
}

GBytes *
plg_export (const PlgFigure *figure,
            const PlgTheme *theme,
            const PlgExportOptions *options,
            GError **error)
{
  PlgColor background;

  g_return_val_if_fail (figure != NULL && theme != NULL && options != NULL, NULL);

  if (!check_size (figure, error))
    return NULL;
  background = background_color (figure, theme, options->background);
  switch (options->format)
    {
    case PLG_EXPORT_SVG:
      return take_text (plg_svg_write (figure, theme, PLG_LAYERS_EXPORT, background,
                                       options->attachment));
    case PLG_EXPORT_PDF:
      return export_pdf (&figure, 1, theme, background, options->page, error);
    case PLG_EXPORT_PNG:
      {
        double scale = options->scale;
        cairo_surface_t *surface;
        cairo_status_t status;
        GByteArray *bytes;
        cairo_t *cr;

        if (!check_scale (scale, error) || !check_pixels (figure, scale, error))
          return NULL;
        surface = cairo_image_surface_create (background.alpha < 1 ? CAIRO_FORMAT_ARGB32
                                                                   : CAIRO_FORMAT_RGB24,
                                              MAX (1, (int) lround (plg_figure_width (figure) *
                                                                    scale)),
                                              MAX (1, (int) lround (plg_figure_height (figure) *
                                                                    scale)));
        cr = cairo_create (surface);
        cairo_scale (cr, scale, scale);
        paint_page (cr, figure, theme, background);
        status = cairo_status (cr);
        cairo_destroy (cr);
        bytes = g_byte_array_new ();
        if (status == CAIRO_STATUS_SUCCESS)
          status = cairo_surface_write_to_png_stream (surface, append_bytes, bytes);
        cairo_surface_destroy (surface);
        return finish_bytes (bytes, status, error);
      }
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
