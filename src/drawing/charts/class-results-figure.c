/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "drawing/charts/class-results-figure.h"

#include "drawing/charts/chart.h"
#include "drawing/figure/text.h"
#include "plan/quantity.h"

#include <glib/gi18n-lib.h>

#define NATURAL_WIDTH 760.0
#define LINE_HEIGHT 1.35 /* of text, in font sizes */
#define BAR_HEIGHT 1.3   /* likewise */
#define NAMES_SHARE 0.5  /* of the width, for the words of the choices */

typedef struct
{
  PlgChart chart;
  const PlgClassResults *tally;
  double bars;     /* where they begin */
  double length;   /* of the bar of the whole class */
  gboolean narrow; /* words above the bars instead of beside them */
} ResultsFigure;

/* Lines of TEXT below each other from the chart's y on. */
static void
add_text (ResultsFigure *self,
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

/* "12 of 30, right" */
static char *
count_text (const ResultsFigure *self, const PlgClassResultsChoice *choice)
{
  if (choice->is_right)
    return g_strdup_printf (_ ("%d of %d, right"), choice->n, self->tally->learners);
  return g_strdup_printf (_ ("%d of %d"), choice->n, self->tally->learners);
}

/* On a track that is the whole class, so that who has not answered can be seen as well. */
static void
add_bar (ResultsFigure *self, const PlgClassResultsChoice *choice, double middle)
{
  PlgChart *chart = &self->chart;
  double height = chart->font_size * BAR_HEIGHT, top = middle - height / 2;
  double share = self->tally->learners > 0 ? (double) choice->n / self->tally->learners : 0;
  g_autofree char *text = count_text (self, choice);
  PlgShape *shape;

  plg_figure_rect (chart->figure, self->bars, top, self->length, height, 2,
                   chart->theme->role[PLG_ROLE_GRID]);
  if (choice->n > 0)
    plg_figure_rect (chart->figure, self->bars, top, self->length * share, height, 2,
                     chart->theme->role[choice->is_right ? PLG_ROLE_SUCCESS : PLG_ROLE_TEXT_DIM]);
  if (choice->is_right)
    {
      shape = plg_figure_rect (chart->figure, self->bars - 1.5, top - 1.5, self->length + 3,
                               height + 3, 3, PLG_COLOR_NONE);
      shape->stroke = chart->theme->role[PLG_ROLE_TEXT];
      shape->stroke_width = 2;
    }
  plg_chart_add_text (chart, self->bars + self->length + 8, middle, PLG_ANCHOR_START,
                      chart->font_size, choice->is_right, chart->theme->role[PLG_ROLE_TEXT], text);
}

static void
add_choice (ResultsFigure *self, const PlgClassResultsQuestion *question, int index)
{
  PlgChart *chart = &self->chart;
  const PlgClassResultsChoice *choice = question->choices->pdata[index];
  double top = chart->y, size = chart->font_size;
  double room = (self->narrow ? chart->right : self->bars - size) - chart->left;
  g_autofree char *count = count_text (self, choice);

  plg_figure_open (chart->figure,
                   plg_figure_string (chart->figure, "%s-%s-%d", question->lesson, question->id,
                                      index),
                   choice->is_right ? "choice right" : "choice",
                   plg_figure_string (chart->figure, "%s: %s", choice->text, count));
  add_text (self, choice->text, size, choice->is_right, room, PLG_ROLE_TEXT);
  if (self->narrow)
    {
      add_bar (self, choice, chart->y + size * BAR_HEIGHT / 2 + 2);
      chart->y += size * BAR_HEIGHT + 4;
    }
  else
    {
      chart->y = MAX (chart->y, top + size * LINE_HEIGHT);
      add_bar (self, choice, (top + chart->y) / 2);
    }
  plg_figure_close (chart->figure);
  chart->y += size * 0.6;
}

static char *
result_text (const PlgClassResultsQuestion *question)
{
  g_autofree char *share = plg_format_share (question->answered > 0
                                                 ? (double) question->right / question->answered
                                                 : 0);

  return g_strdup_printf (_ ("answered: %d, right: %d (%s)"), question->answered, question->right,
                          share);
}

static void
add_question (ResultsFigure *self, const PlgClassResultsQuestion *question, int number)
{
  PlgChart *chart = &self->chart;
  double size = chart->font_size, room = chart->right - chart->left;
  g_autofree char *result = result_text (question);
  g_autofree char *text = g_strdup_printf ("%d. %s", number, question->text);

  add_text (self, text, size * 1.1, TRUE, room, PLG_ROLE_TEXT);
  add_text (self, result, size, FALSE, room, PLG_ROLE_TEXT_DIM);
  chart->y += size * 0.5;
  for (guint i = 0; i < question->choices->len; i++)
    add_choice (self, question, (int) i);
  chart->y += size * 1.2;
}

static void
add_lesson (ResultsFigure *self, const char *title)
{
  PlgChart *chart = &self->chart;
  double size = chart->font_size;

  plg_figure_line (chart->figure, chart->left, chart->y, chart->right, chart->y,
                   chart->theme->role[PLG_ROLE_GRID], 1);
  chart->y += size * 0.5;
  add_text (self, title, size * 1.3, TRUE, chart->right - chart->left, PLG_ROLE_ACCENT);
  chart->y += size * 0.5;
}

/* The counts need room behind the bars; names take half, or a line of their own where that would be
 * too little for words. */
static void
add_separator (ResultsFigure *self)
{
  PlgChart *chart = &self->chart;
  g_autofree char *widest = g_strdup_printf (_ ("%d of %d, right"), self->tally->learners,
                                             self->tally->learners);
  double room = chart->right - chart->left;
  double counts = plg_text_width (widest, chart->font_size, TRUE) + 10;

  self->narrow = room < 420;
  self->bars = chart->left + (self->narrow ? 2 : room * NAMES_SHARE);
  self->length = MAX (chart->right - counts - self->bars, 20);
}

static char *
summary (const PlgClassResults *tally)
{
  int answered = plg_class_results_answered (tally);

  return g_strdup_printf (_ ("%d of %d first answers right"), plg_class_results_right (tally),
                          answered);
}

static char *
title_text (const PlgClassResults *tally)
{
  return g_strdup_printf (_ ("How a class of %d answered"), tally->learners);
}

static void
add_questions (ResultsFigure *self, const char *lesson)
{
  const char *last = NULL;

  for (guint i = 0; i < self->tally->questions->len; i++)
    {
      const PlgClassResultsQuestion *question = self->tally->questions->pdata[i];

      if (lesson != NULL && !g_str_equal (question->lesson, lesson))
        continue;
      if (last == NULL || !g_str_equal (last, question->lesson))
        add_lesson (self, question->title);
      last = question->lesson;
      add_question (self, question, (int) i + 1);
    }
}

/* Title and result of the class, on top. */
static void
begin (ResultsFigure *self, const PlgTheme *theme, const PlgPictureOptions *options)
{
  g_autofree char *title = title_text (self->tally), *result = summary (self->tally);

  plg_chart_begin (&self->chart, theme, options, NATURAL_WIDTH);
  /* It is read from the back of the room. */
  self->chart.font_size = 13;
  plg_figure_describe (self->chart.figure, title, result);
  plg_chart_add_title (&self->chart, title, result, PLG_ROLE_TEXT_DIM);
  add_separator (self);
}

PlgFigure *
plg_class_results_figure (const PlgClassResults *tally,
                          const PlgTheme *theme,
                          double width,
                          gboolean embedded,
                          const char *lesson)
{
  const PlgPictureOptions options = { .width = width, .embedded = embedded };
  ResultsFigure self = { .tally = tally };

  begin (&self, theme, &options);
  add_questions (&self, lesson);
  return plg_chart_end (&self.chart);
}

/* Pages */

/* As high to its width as A4 within its margins is. */
#define PAGE_HEIGHT (NATURAL_WIDTH * 277 / 190)
#define FOOTER_HEIGHT 24.0 /* for the page's number */

static void
begin_page (ResultsFigure *self, const PlgTheme *theme, const char *lesson)
{
  const PlgPictureOptions options = { .width = 0 };

  begin (self, theme, &options);
  add_lesson (self, lesson);
}

static void
end_page (ResultsFigure *self, GPtrArray *pages)
{
  self->chart.y = PAGE_HEIGHT - self->chart.margin;
  g_ptr_array_add (pages, plg_chart_end (&self->chart));
}

/* Whether the question still has room, which is measured by setting it elsewhere. */
static gboolean
has_room (const ResultsFigure *self, const PlgClassResultsQuestion *question, int number)
{
  ResultsFigure trial = *self;

  trial.chart.figure = plg_figure_new (NATURAL_WIDTH, 1);
  add_question (&trial, question, number);
  plg_figure_unref (trial.chart.figure);
  return trial.chart.y <= PAGE_HEIGHT - MAX (self->chart.margin, FOOTER_HEIGHT);
}

/* At its foot, so that sheets that fell apart can be put in order. */
static void
number_page (PlgFigure *page, const PlgTheme *theme, guint number, guint n)
{
  g_autofree char *text = g_strdup_printf (_ ("%u of %u"), number, n);

  plg_figure_text (page, NATURAL_WIDTH / 2, PAGE_HEIGHT - FOOTER_HEIGHT / 3, PLG_ANCHOR_MIDDLE,
                   FOOTER_HEIGHT / 2, FALSE, theme->role[PLG_ROLE_TEXT_DIM], text);
}

GPtrArray *
plg_class_results_pages (const PlgClassResults *tally, const PlgTheme *theme, const char *lesson)
{
  GPtrArray *pages = g_ptr_array_new_with_free_func ((GDestroyNotify) plg_figure_unref);
  ResultsFigure self = { .tally = tally };
  const char *last = NULL;

  for (guint i = 0; i < tally->questions->len; i++)
    {
      const PlgClassResultsQuestion *question = tally->questions->pdata[i];
      gboolean goes_on = last != NULL && g_str_equal (last, question->lesson);

      if (lesson != NULL && !g_str_equal (question->lesson, lesson))
        continue;
      if (last == NULL || !goes_on || !has_room (&self, question, (int) i + 1))
        {
          if (last != NULL)
            end_page (&self, pages);
          begin_page (&self, theme, question->title);
        }
      last = question->lesson;
      add_question (&self, question, (int) i + 1);
    }
  if (last != NULL)
    end_page (&self, pages);
  for (guint i = 0; pages->len > 1 && i < pages->len; i++)
    number_page (pages->pdata[i], theme, i + 1, pages->len);
  return pages;
}
