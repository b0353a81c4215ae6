/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Measures the pictures of the default plan: layout, paint and files, in milliseconds. */
#include "config.h"

#include "drawing/export/export.h"
#include "drawing/export/paint.h"
#include "drawing/figure/pictures.h"
#include "engine/advice/advice.h"
#include "io/plan/catalogue-xml.h"

#define MIN_RUN (G_USEC_PER_SEC / 4)

/* The measured picture with its plan, report and figure. */
typedef struct
{
  const PlgPlan *plan;
  const PlgReport *report;
  PlgTheme theme;
  PlgPicture picture;
  PlgPictureOptions options;
  PlgFigure *figure;
  cairo_t *cr;
  PlgExportFormat format;
} Subject;

/* Prints the mean time of WORK over a quarter of a second, after a first run that fills caches. */
static void
measure (const char *what, void (*work) (Subject *subject), Subject *subject)
{
  gint64 start, elapsed = 0;
  int runs = 0;

  work (subject);
  start = g_get_monotonic_time ();
  for (; elapsed < MIN_RUN; runs++, elapsed = g_get_monotonic_time () - start)
    work (subject);
  g_print ("  %-10s %-8s %9.3f ms\n", plg_picture_name (subject->picture), what,
           elapsed / 1000.0 / runs);
}

static void
lay_out (Subject *subject)
{
  g_autoptr (PlgFigure)
                 figure = plg_picture_figure (subject->picture, subject->plan, subject->report,
                                              &subject->theme, &subject->options);
}

static void
paint (Subject *subject)
{
  plg_paint (subject->cr, subject->figure, &subject->theme, PLG_LAYERS_ALL, NULL);
}

static void
hit (Subject *subject)
{
  plg_figure_hit_test (subject->figure, plg_figure_width (subject->figure) / 2,
                       plg_figure_height (subject->figure) / 2, 4);
}

static void export(Subject *subject)
{
  const PlgExportOptions options = { subject->format, PLG_BACKGROUND_WHITE, 1 };
  g_autoptr (GBytes) bytes = plg_export (subject->figure, &subject->theme, &options, NULL);

  g_assert_nonnull (bytes);
}

static void
measure_picture (Subject *subject)
{
  cairo_surface_t *surface = cairo_image_surface_create (CAIRO_FORMAT_ARGB32, 1600, 1200);

  plg_picture_options_init (&subject->options, subject->plan);
  subject->figure = plg_picture_figure (subject->picture, subject->plan, subject->report,
                                        &subject->theme, &subject->options);
  subject->cr = cairo_create (surface);
  measure ("layout", lay_out, subject);
  measure ("paint", paint, subject);
  measure ("hit", hit, subject);
  for (int format = 0; format < PLG_N_EXPORT_FORMATS; format++)
    {
      subject->format = (PlgExportFormat) format;
      measure (plg_export_format_name (subject->format), export, subject);
    }
  cairo_destroy (subject->cr);
  cairo_surface_destroy (surface);
  plg_figure_unref (subject->figure);
}

int
main (void)
{
  g_autoptr (PlgCatalogue) catalogue = plg_catalogue_load (NULL);
  g_autoptr (PlgPlan) plan = plg_catalogue_default_plan (catalogue);
  g_autoptr (PlgReport) report = plg_evaluate_with_advice (plan, NULL);
  Subject subject = { .plan = plan, .report = report };

  plg_theme_init (&subject.theme, PLG_PALETTE_LIGHT);
  for (int picture = 0; picture < PLG_N_PICTURES; picture++)
    {
      subject.picture = (PlgPicture) picture;
      measure_picture (&subject);
    }
  return 0;
}
