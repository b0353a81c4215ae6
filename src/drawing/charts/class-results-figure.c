/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "drawing/charts/class-results-figure.h"

#include "drawing/charts/chart.h"
#include "drawing/figure/text.h"
#include "plan/quantity.h"

#include <glib/gi18n-lib.h>

#define NATURAL_WIDTH 760.0
#define LINE_HEIGHT 1.35 /* height of a line of text [font sizes] */
#define BAR_HEIGHT 1.3   /* height of a bar [font sizes] */
#define NAMES_SHARE 0.5  /* share of the chart's width that the text of the choices takes up */

typedef struct
{
  PlgChart chart;
  const PlgClassResults *results;
  double bars;     /* left end of the bars */
  double length;   /* length of a bar that represents the whole class */
  gboolean narrow; /* whether the text of each choice is above its bar because the chart is too
                      narrow for text to the left of the bars */
} ResultsFigure;

/* Wraps TEXT at WIDTH and adds its lines at the current y of the chart. */
static void
results_add_text (ResultsFigure *self,
                  const char *text,
                  double size,
                  gboolean bold,
                  double width,
                  PlgRole role)
{
  PlgChart *chart = &self->chart;
  g_auto (GStrv) lines = plg_text_wrap (text, width, size, bold);

  for (guint i = 0; lines[i] != NULL; i++, chart->y += size * LINE_HEIGHT)
    plg_chart_add_text (chart, chart->left, chart->y + size * LINE_HEIGHT / 2, PLG_ANCHOR_START,
                        size, bold, chart->theme->role[role], lines[i]);
}

/* Returns a label such as "12 of 30 (right)": how many students of the class chose CHOICE, and
 * whether CHOICE is right. */
static char *
results_count_text (const ResultsFigure *self, const PlgClassResultsChoice *choice)
{
  if (choice->is_right)
    return g_strdup_printf (_ ("%d of %d (right)"), choice->n, self->results->learners);
  return g_strdup_printf (_ ("%d of %d"), choice->n, self->results->learners);
}

/* Draws the bar of CHOICE on a track. The length of the track represents the whole class, so
 * that missing answers are visible. */
static void
results_add_bar (ResultsFigure *self, const PlgClassResultsChoice *choice, double middle)
{
  PlgChart *chart = &self->chart;
  double height = chart->font_size * BAR_HEIGHT, top = middle - height / 2;
  double share = self->results->learners > 0 ? (double) choice->n / self->results->learners : 0;
  g_autofree char *text = results_count_text (self, choice);

  plg_figure_rect (chart->figure, self->bars, top, self->length, height, 2,
                   chart->theme->role[PLG_ROLE_GRID]);
  if (choice->n > 0)
    plg_figure_rect (chart->figure, self->bars, top, self->length * share, height, 2,
                     chart->theme->role[choice->is_right ? PLG_ROLE_SUCCESS : PLG_ROLE_TEXT_DIM]);
  if (choice->is_right)
    {
      PlgShape *shape = plg_figure_rect (chart->figure, self->bars - 1.5, top - 1.5,
                                         self->length + 3, height + 3, 3, PLG_COLOR_NONE);

      shape->stroke = chart->theme->role[PLG_ROLE_TEXT];
      shape->stroke_width = 2;
    }
  plg_chart_add_text (chart, self->bars + self->length + 8, middle, PLG_ANCHOR_START,
                      chart->font_size, choice->is_right, chart->theme->role[PLG_ROLE_TEXT], text);
}

static void
results_add_question (ResultsFigure *self, const PlgClassResultsQuestion *question, int number)
{
  PlgChart *chart = &self->chart;
  double size = chart->font_size, room = chart->right - chart->left;
  g_autofree char *share = plg_format_share (question->answered > 0
                                                 ? (double) question->right / question->answered
                                                 : 0);
  g_autofree char *result = g_strdup_printf (_ ("answered: %d, right: %d (%s)"), question->answered,
                                             question->right, share);
  g_autofree char *text = g_strdup_printf ("%d. %s", number, question->text);

  results_add_text (self, text, size * 1.1, TRUE, room, PLG_ROLE_TEXT);
  results_add_text (self, result, size, FALSE, room, PLG_ROLE_TEXT_DIM);
  chart->y += size * 0.5;
  for (guint i = 0; i < question->choices->len; i++)
    {
      const PlgClassResultsChoice *choice = question->choices->pdata[i];
      double top = chart->y;
      double choice_room = (self->narrow ? chart->right : self->bars - size) - chart->left;
      g_autofree char *count = results_count_text (self, choice);

      plg_figure_open (chart->figure,
                       plg_figure_string (chart->figure, "%s-%s-%u", question->lesson, question->id,
                                          i),
                       choice->is_right ? "choice right" : "choice",
                       plg_figure_string (chart->figure, "%s: %s", choice->text, count));
      results_add_text (self, choice->text, size, choice->is_right, choice_room, PLG_ROLE_TEXT);
      if (self->narrow)
        {
          results_add_bar (self, choice, chart->y + size * BAR_HEIGHT / 2 + 2);
          chart->y += size * BAR_HEIGHT + 4;
        }
      else
        {
          chart->y = MAX (chart->y, top + size * LINE_HEIGHT);
          results_add_bar (self, choice, (top + chart->y) / 2);
        }
      plg_figure_close (chart->figure);
      chart->y += size * 0.6;
    }
  chart->y += size * 1.2;
}

static void
results_add_lesson (ResultsFigure *self, const char *title)
{
  PlgChart *chart = &self->chart;
  double size = chart->font_size;

  plg_figure_line (chart->figure, chart->left, chart->y, chart->right, chart->y,
                   chart->theme->role[PLG_ROLE_GRID], 1);
  chart->y += size * 0.5;
  results_add_text (self, title, size * 1.3, TRUE, chart->right - chart->left, PLG_ROLE_ACCENT);
  chart->y += size * 0.5;
}

/* Adds the title and the result of the class, and divides the width: the text of the choices
 * gets the left half, and the bars and their counts get the rest. In a narrow chart, the bars
 * and counts get the whole width because the text is above the bars. */
static void
results_begin (ResultsFigure *self, const PlgTheme *theme, const PlgPictureOptions *options)
{
  PlgChart *chart = &self->chart;
  int learners = self->results->learners;
  g_autofree char *title = g_strdup_printf (_ ("How a class of %d answered"), learners);
  g_autofree char *result = g_strdup_printf (_ ("%d of %d first answers right"),
                                             plg_class_results_right (self->results),
                                             plg_class_results_answered (self->results));
  g_autofree char *widest = g_strdup_printf (_ ("%d of %d (right)"), learners, learners);
  double room;

  plg_chart_begin (chart, theme, options, NATURAL_WIDTH);
  /* The font is large because the chart is read from the back of a room. */
  chart->font_size = 13;
  plg_figure_describe (chart->figure, title, result);
  plg_chart_add_title (chart, title, result, PLG_ROLE_TEXT_DIM);
  room = chart->right - chart->left;
  self->narrow = room < 420;
  self->bars = chart->left + (self->narrow ? 2 : room * NAMES_SHARE);
  self->length = MAX (chart->right - plg_text_width (widest, chart->font_size, TRUE) - 10 -
                          self->bars,
                      20);
}

PlgFigure *
plg_class_results_figure (const PlgClassResults *results,
                          const PlgTheme *theme,
                          double width,
                          gboolean embedded,
                          const char *lesson)
{
  const PlgPictureOptions options = { .width = width, .embedded = embedded };
  ResultsFigure self = { .results = results };
  const char *last = NULL;

  results_begin (&self, theme, &options);
  for (guint i = 0; i < results->questions->len; i++)
    {
      const PlgClassResultsQuestion *question = results->questions->pdata[i];

      if (lesson != NULL && !g_str_equal (question->lesson, lesson))
        continue;
      if (last == NULL || !g_str_equal (last, question->lesson))
        results_add_lesson (&self, question->title);
      last = question->lesson;
      results_add_question (&self, question, (int) i + 1);
    }
  return plg_chart_end (&self.chart);
}

/* Pages ---------------------------------------------------------------------------------------- */

/* A page has the same proportions as an A4 page without its margins: 190 × 277 mm. */
#define PAGE_HEIGHT (NATURAL_WIDTH * 277 / 190)
#define FOOTER_HEIGHT 24.0 /* height of the line with the page number */

static void
results_end_page (ResultsFigure *self, GPtrArray *pages)
{
  self->chart.y = PAGE_HEIGHT - self->chart.margin;
  g_ptr_array_add (pages, plg_chart_end (&self->chart));
}

GPtrArray *
plg_class_results_pages (const PlgClassResults *results, const PlgTheme *theme, const char *lesson)
{
  GPtrArray *pages = g_ptr_array_new_with_free_func ((GDestroyNotify) plg_figure_unref);
  ResultsFigure self = { .results = results };
  const char *last = NULL;

  for (guint i = 0; i < results->questions->len; i++)
    {
      const PlgClassResultsQuestion *question = results->questions->pdata[i];
      gboolean is_same_lesson = last != NULL && g_str_equal (last, question->lesson);
      gboolean fits = FALSE;

      if (lesson != NULL && !g_str_equal (question->lesson, lesson))
        continue;
      if (is_same_lesson)
        {
          /* First draw the question on a temporary figure to find out whether it still fits on
           * the page. */
          ResultsFigure trial = self;

          trial.chart.figure = plg_figure_new (NATURAL_WIDTH, 1);
          results_add_question (&trial, question, (int) i + 1);
          plg_figure_unref (trial.chart.figure);
          fits = trial.chart.y <= PAGE_HEIGHT - MAX (self.chart.margin, FOOTER_HEIGHT);
        }
      if (!fits)
        {
          const PlgPictureOptions options = { .width = 0 };

          if (last != NULL)
            results_end_page (&self, pages);
          results_begin (&self, theme, &options);
          results_add_lesson (&self, question->title);
        }
      last = question->lesson;
      results_add_question (&self, question, (int) i + 1);
    }
  if (last != NULL)
    results_end_page (&self, pages);
  for (guint i = 0; pages->len > 1 && i < pages->len; i++)
    {
      g_autofree char *text = g_strdup_printf (_ ("%u of %u"), i + 1, pages->len);

      plg_figure_text (pages->pdata[i], NATURAL_WIDTH / 2, PAGE_HEIGHT - FOOTER_HEIGHT / 3,
                       PLG_ANCHOR_MIDDLE, FOOTER_HEIGHT / 2, FALSE, theme->role[PLG_ROLE_TEXT_DIM],
                       text);
    }
  return pages;
}
