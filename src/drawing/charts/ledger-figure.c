/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "drawing/charts/chart.h"

#include "drawing/charts/ledger.h"
#include "drawing/figure/text.h"

#include <glib/gi18n-lib.h>
#include <string.h>

/* The traffic on one or more links, with one account per link. The accounts are side by side.
 * Each row of an account is a collective. */

/* natural width of the account of a link with four numbers per row [points] */
#define ACCOUNT_WIDTH 290.0
/* minimum width of an account: room for a short title above one number [points] */
#define MIN_ACCOUNT 90.0
#define ACCOUNT_GAP 12.0
#define NUMBER_WIDTH 5.2 /* width of a column of numbers [font sizes] */
/* The number of columns that are always shown: calls, bytes and time. If these columns do not
 * fit side by side, their numbers are stacked. */
#define MIN_COLUMNS 3
#define ROW_GAP 0.4       /* space between stacked rows [lines] */
#define STACKED_PITCH 1.4 /* distance between the lines of a stacked row [font sizes] */
#define STACKED_BAR 2.0   /* height of a bar in a stacked row [points] */
#define BAR 3.5           /* height of a bar [points] */
#define MAX_TITLE_LINES 3
#define TITLE_PITCH 1.2 /* distance between the lines of a title [font sizes] */
#define NO_BREAK "\u00a0"

typedef struct
{
  PlgLedger ledger;
  PlgChart chart;
  double pitch;                                  /* height of a row whose numbers are side by
                                                    side */
  int n_title_lines;                             /* height of the account titles [lines] */
  PlgLedgerColumn columns[PLG_N_LEDGER_COLUMNS]; /* columns that fit */
  int n_columns;
  gboolean is_stacked; /* whether the numbers of a row are stacked because they do not fit side
                          by side */
  double height;       /* height of a row, whether its numbers are stacked or side by side */
} LedgerFigure;

/* One account ---------------------------------------------------------------------------------- */

/* Returns the first of TEXTS that fits. The N texts are sorted from longest to shortest. If no
 * text fits, shortens the last text in the middle, because similar names differ at their ends. */
static char *
longest_that_fits (const char *const *texts, int n, double room, double size, gboolean bold)
{
  int i = 0;

  while (i + 1 < n && plg_text_width (texts[i], size, bold) > room)
    i++;
  return plg_text_fit_ends (texts[i], room, size, bold);
}

/* Wraps TEXT at ROOM, but keeps a word and its number ("node 0", "GPU 0") on one line. */
static char **
wrap_title (const char *text, double room, double size)
{
  g_auto (GStrv) words = g_strsplit (text, " ", -1);
  g_autoptr (GString) joined = g_string_new (words[0]);
  char **lines;

  for (int i = 1; words[0] != NULL && words[i] != NULL; i++)
    g_string_append_printf (joined, "%s%s", g_ascii_isdigit (words[i][0]) ? NO_BREAK : " ",
                            words[i]);
  lines = plg_text_wrap (joined->str, room, size, TRUE);
  for (int i = 0; lines[i] != NULL; i++)
    {
      g_auto (GStrv) parts = g_strsplit (lines[i], NO_BREAK, -1);

      g_free (lines[i]);
      lines[i] = g_strjoinv (" ", parts);
    }
  return lines;
}

/* Returns the lines of the longest title of LINK that fits. A title that is too long for one
 * line is wrapped rather than shortened, because two shortened titles could look the same. */
static char **
account_title (const LedgerFigure *self, const PlgLink *link, double room)
{
  g_autofree char *title = plg_describe_link (self->ledger.plan, link);
  g_autofree char *ends = plg_describe_link_ends (self->ledger.plan, link);
  /* The NVLink link and the PCIe link of a GPU have the same name, so add the kind of link to
   * the title. */
  gboolean needs_kind = link->tier == PLG_TIER_NVLINK || link->tier == PLG_TIER_PCIE;
  g_autofree char *kind = needs_kind ? g_strdup_printf ("%s: %s",
                                                        plg_tier_title (&self->ledger.plan->cluster,
                                                                        link->tier),
                                                        ends)
                                     : g_strdup (ends);
  g_auto (GStrv) end = g_strsplit (ends, " → ", 2);
  const char *const texts[] = { title, kind, ends, end[0] };
  double size = self->chart.font_size;
  g_auto (GStrv) lines = wrap_title (end[0], room, size);
  g_auto (GStrv) more_lines = wrap_title (kind, room, size);

  if (lines[0] != NULL && lines[1] == NULL)
    {
      g_free (lines[0]);
      lines[0] = longest_that_fits (texts, G_N_ELEMENTS (texts), room, size, TRUE);
    }
  else if (g_strv_length (more_lines) <= MAX_TITLE_LINES)
    return g_steal_pointer (&more_lines);
  return g_steal_pointer (&lines);
}

/* Returns the height of the title lines after the first. */
static double
title_height (const LedgerFigure *self)
{
  return (self->n_title_lines - 1) * TITLE_PITCH * self->chart.font_size;
}

/* Returns the width that the badge of PIN takes up before the title. */
static double
pin_width (const LedgerFigure *self, int pin)
{
  return pin > 0 ? 1.4 * self->chart.font_size + 3 : 0;
}

static double
ledger_cell_width (const LedgerFigure *self, double width)
{
  return self->is_stacked ? width : width / self->n_columns;
}

static double
ledger_line_pitch (const LedgerFigure *self)
{
  return self->is_stacked ? MIN (self->pitch, STACKED_PITCH * self->chart.font_size) : self->pitch;
}

/* Returns the position of the number in column I of a row. The row starts at X, and its vertical
 * centre is MIDDLE. */
static PlgPoint
ledger_cell_place (const LedgerFigure *self, double x, double width, double middle, int i)
{
  if (self->is_stacked)
    return (PlgPoint) { x, middle + (i - (self->n_columns - 1) / 2.0) * ledger_line_pitch (self) };
  return (PlgPoint) { x + i * ledger_cell_width (self, width), middle };
}

/* Adds a number and, below it, a bar. All bars of a column have the same scale. */
static void
add_cell (LedgerFigure *self,
          PlgPoint at,
          double width,
          PlgLedgerColumn column,
          double value,
          int row)
{
  PlgChart *chart = &self->chart;
  int index = plg_ledger_collective (&self->ledger, row);
  PlgAxis axis = g_array_index (self->ledger.report->collectives, PlgCollective, index).axis;
  g_autofree char *words = plg_ledger_value_describe (column, value);
  g_autofree char *text = plg_text_fit (words, width - 4, chart->font_size, FALSE);
  double length = self->ledger.most[column] > 0 ? (width - 10) * value / self->ledger.most[column]
                                                : 0;
  PlgShape *bar;

  plg_chart_add_text (chart, at.x, at.y - 2, PLG_ANCHOR_START, chart->font_size, FALSE,
                      chart->theme->role[PLG_ROLE_TEXT], text);
  if (!(value > 0))
    return;
  bar = plg_figure_rect (chart->figure, at.x, at.y + chart->font_size * 0.45, MAX (length, 1),
                         self->is_stacked ? STACKED_BAR : BAR, 1,
                         chart->theme->role[PLG_ROLE_AXIS_TP + axis]);
  bar->entity = (PlgEntity) { PLG_ENTITY_COLLECTIVE, 0, index };
}

/* Returns the y of the middle of ROW. If the numbers of the rows are stacked, the rows are tall,
 * so the totals are above the first row, where they are visible without scrolling. Otherwise the
 * totals are below the last row. */
static double
ledger_row_middle (const LedgerFigure *self, double top, guint row)
{
  return top + self->height * (row + 0.5 + (self->is_stacked ? 1 : 0));
}

static double
ledger_total_middle (const LedgerFigure *self, double top)
{
  return top + self->height * (0.5 + (self->is_stacked ? 0 : self->ledger.rows->len));
}

/* Adds the badge of the pin, the title and the subtitle of ACCOUNT. */
static void
add_account_heading (LedgerFigure *self, const PlgLedgerAccount *account, double x, double width)
{
  PlgChart *chart = &self->chart;
  const PlgLink *link = account->link;
  double size = chart->font_size, left = x + pin_width (self, account->pin);
  g_auto (GStrv) title = account_title (self, link, x + width - left);
  g_autofree char *share = plg_ledger_busy_share (&self->ledger, link);
  /* Use the longest of "50 GB/s per direction · busy 2.1 % of the step", "NIC, busy 2.1 %" and
   * "busy 2.1 %" that fits. */
  g_autofree char *full = plg_ledger_busy_describe (&self->ledger, link);
  g_autofree char *brief = g_strdup_printf (_ ("%s, busy %s"),
                                            plg_tier_title (&self->ledger.plan->cluster,
                                                            link->tier),
                                            share);
  g_autofree char *minimal = g_strdup_printf (_ ("busy %s"), share);
  const char *const texts[] = { full, brief, minimal };
  g_autofree char *subtitle = longest_that_fits (texts, G_N_ELEMENTS (texts), width, size * 0.92,
                                                 FALSE);

  if (account->pin > 0)
    {
      PlgColor accent = chart->theme->role[PLG_ROLE_ACCENT];
      double radius = size * 0.7, middle = chart->y + size * 0.6;

      plg_figure_rect (chart->figure, x, middle - radius, 2 * radius, 2 * radius, radius, accent);
      plg_chart_add_text (chart, x + radius, middle, PLG_ANCHOR_MIDDLE, size * 0.85, TRUE,
                          plg_theme_text_on (chart->theme, accent),
                          plg_figure_string (chart->figure, "%d", account->pin));
    }
  for (int i = 0; i < MAX_TITLE_LINES && title[i] != NULL; i++)
    plg_chart_add_text (chart, left, chart->y + size * (0.6 + i * TITLE_PITCH), PLG_ANCHOR_START,
                        size, TRUE, chart->theme->role[PLG_ROLE_TEXT], title[i]);
  plg_chart_add_text (chart, x, chart->y + size * 2 + title_height (self), PLG_ANCHOR_START,
                      size * 0.92, FALSE, chart->theme->role[PLG_ROLE_TEXT_DIM], subtitle);
}

static void
add_account_column (LedgerFigure *self,
                    const PlgLedgerAccount *account,
                    double x,
                    double width,
                    double top)
{
  PlgChart *chart = &self->chart;
  g_autofree char *id = plg_link_id (account->link);
  g_autofree char *title = plg_describe_link (self->ledger.plan, account->link);
  double middle = top - self->height + self->pitch * 0.6 + (self->height - self->pitch) / 2;
  double total_middle = ledger_total_middle (self, top);
  double edge = total_middle + (self->is_stacked ? 1 : -1) * self->height / 2;

  plg_figure_open (chart->figure, plg_figure_string (chart->figure, "ledger-%s", id), "ledger",
                   title);
  add_account_heading (self, account, x, width);
  for (int i = 0; i < self->n_columns; i++)
    {
      PlgPoint at = ledger_cell_place (self, x, width, middle, i);

      plg_chart_add_text (chart, at.x, at.y, PLG_ANCHOR_START, chart->font_size * 0.92, FALSE,
                          chart->theme->role[PLG_ROLE_TEXT_DIM],
                          plg_ledger_column_title (self->columns[i]));
    }
  for (guint row = 0; row < self->ledger.rows->len; row++)
    {
      const PlgLinkShare *share = plg_ledger_share (&self->ledger, account->link,
                                                    plg_ledger_collective (&self->ledger, row));
      double row_middle = ledger_row_middle (self, top, row);

      if (share == NULL)
        plg_chart_add_text (chart, x, row_middle - 2, PLG_ANCHOR_START, chart->font_size, FALSE,
                            chart->theme->role[PLG_ROLE_TEXT_DIM], "–");
      for (int i = 0; share != NULL && i < self->n_columns; i++)
        add_cell (self, ledger_cell_place (self, x, width, row_middle, i),
                  ledger_cell_width (self, width), self->columns[i],
                  plg_ledger_share_value (share, self->columns[i]), row);
    }

  plg_figure_line (chart->figure, x, edge, x + width - 8, edge,
                   chart->theme->role[PLG_ROLE_CARD_BORDER], 1);
  for (int i = 0; i < self->n_columns; i++)
    {
      PlgLedgerColumn column = self->columns[i];
      double value = plg_ledger_link_value (account->link, column);
      g_autofree char *words = plg_ledger_value_describe (column, value);
      g_autofree char *text = plg_text_fit (words, ledger_cell_width (self, width) - 4,
                                            chart->font_size, TRUE);
      PlgPoint at = ledger_cell_place (self, x, width, total_middle, i);

      plg_chart_add_text (chart, at.x, at.y, PLG_ANCHOR_START, chart->font_size, TRUE,
                          chart->theme->role[PLG_ROLE_TEXT], text);
    }
  plg_figure_close (chart->figure);
}

/* The whole picture ---------------------------------------------------------------------------- */

/* Moves the accounts without a pin to the end of the first line of accounts, where they are
 * visible without scrolling. The pinned accounts that were there move to the next line. */
static void
move_unpinned_up (LedgerFigure *self, int per_row)
{
  PlgLedgerAccount sorted[PLG_LEDGER_MAX_ACCOUNTS];
  int unpinned = 0, n = 0, pins, first;

  while (unpinned < self->ledger.n_accounts &&
         self->ledger.accounts[self->ledger.n_accounts - 1 - unpinned].pin == 0)
    unpinned++;
  pins = self->ledger.n_accounts - unpinned;
  first = CLAMP (per_row - unpinned, 0, pins);
  for (int i = 0; i < first; i++)
    sorted[n++] = self->ledger.accounts[i];
  for (int i = pins; i < self->ledger.n_accounts; i++)
    sorted[n++] = self->ledger.accounts[i];
  for (int i = first; i < pins; i++)
    sorted[n++] = self->ledger.accounts[i];
  memcpy (self->ledger.accounts, sorted, n * sizeof *sorted);
}

static void
add_accounts (LedgerFigure *self)
{
  PlgChart *chart = &self->chart;
  double room = chart->right - chart->left;
  /* Keep the accounts side by side if they fit, even if their numbers have to be stacked. */
  int per_row = CLAMP ((int) ((room + ACCOUNT_GAP) / (MIN_ACCOUNT + ACCOUNT_GAP)), 1,
                       MAX (self->ledger.n_accounts, 1));
  double width = (room - (per_row - 1) * ACCOUNT_GAP) / per_row;
  int n_fitting = (int) (width / (NUMBER_WIDTH * chart->font_size));

  move_unpinned_up (self, per_row);
  /* If the columns do not all fit, leave out the received bytes, because both directions carry
   * nearly the same traffic. */
  self->n_columns = 0;
  for (PlgLedgerColumn column = PLG_LEDGER_CALLS; column < PLG_N_LEDGER_COLUMNS; column++)
    if (column != PLG_LEDGER_IN || n_fitting >= PLG_N_LEDGER_COLUMNS)
      self->columns[self->n_columns++] = column;
  self->is_stacked = n_fitting < MIN_COLUMNS;
  self->height = self->is_stacked ? ledger_line_pitch (self) * (self->n_columns + ROW_GAP)
                                  : self->pitch;

  for (int first = 0; first < self->ledger.n_accounts; first += per_row)
    {
      int n = MIN (per_row, self->ledger.n_accounts - first);
      double top;

      self->n_title_lines = 1;
      for (int i = first; i < first + n; i++)
        {
          const PlgLedgerAccount *account = &self->ledger.accounts[i];
          g_auto (GStrv) title = account_title (self, account->link,
                                                width - pin_width (self, account->pin));

          self->n_title_lines = CLAMP ((int) g_strv_length (title), self->n_title_lines,
                                       MAX_TITLE_LINES);
        }
      top = chart->y + chart->font_size * 2.8 + title_height (self) + self->height -
            self->pitch * 0.2;
      for (guint row = 0; row < self->ledger.rows->len; row++)
        {
          g_autofree char *name = plg_ledger_row_name (&self->ledger, row);

          plg_chart_add_name (chart, ledger_row_middle (self, top, row) - 2, name);
        }
      plg_chart_add_name (chart, ledger_total_middle (self, top), _ ("In all"));
      for (int i = 0; i < n; i++)
        add_account_column (self, &self->ledger.accounts[first + i],
                            chart->left + i * (width + ACCOUNT_GAP), width, top);
      chart->y = top + self->height * (self->ledger.rows->len + 1) + chart->font_size;
    }
}

PlgFigure *
plg_ledger_figure (const PlgPlan *plan,
                   const PlgReport *report,
                   const PlgTheme *theme,
                   const PlgPictureOptions *options)
{
  LedgerFigure self = { 0 };
  PlgChart *chart = &self.chart;
  g_autoptr (GString) description = g_string_new (NULL);

  plg_ledger_init (&self.ledger, plan, report, options);
  plg_chart_begin (chart, theme, options,
                   172 + (ACCOUNT_WIDTH + ACCOUNT_GAP) * CLAMP (self.ledger.n_accounts, 1, 3));
  /* In the pane below the cluster, make the rows shorter so that all of them are visible without
   * scrolling. */
  self.pitch = chart->font_size * (options->embedded ? 1.75 : 2.1);
  for (int i = 0; i < self.ledger.n_accounts; i++)
    {
      PlgEntity link = { PLG_ENTITY_LINK, 0, self.ledger.accounts[i].index };
      g_autofree char *account = plg_describe_entity (plan, report, link);

      g_string_append_printf (description, "%s%s", i > 0 ? "\n\n" : "", account);
    }
  if (self.ledger.n_accounts == 0)
    g_string_append (description, plg_ledger_empty_describe (&self.ledger));
  plg_figure_describe (chart->figure, _ ("Traffic on a link"), description->str);
  plg_chart_add_title (chart, _ ("Traffic on a link"), _ ("per step"), PLG_ROLE_TEXT_DIM);
  if (self.ledger.n_accounts > 0)
    {
      g_autoptr (GPtrArray) names = g_ptr_array_new_with_free_func (g_free);

      g_ptr_array_add (names, g_strdup (_ ("In all")));
      for (guint row = 0; row < self.ledger.rows->len; row++)
        g_ptr_array_add (names, plg_ledger_row_name (&self.ledger, row));
      plg_chart_fit_names (chart, (const char *const *) names->pdata, names->len);
      add_accounts (&self);
      for (int i = 0; i < PLG_N_LEDGER_NOTES; i++)
        plg_chart_add_note (chart, plg_ledger_note (i), chart->font_size * 0.92);
    }
  else
    {
      plg_chart_add_text (chart, chart->left, chart->y + chart->font_size, PLG_ANCHOR_START,
                          chart->font_size, FALSE, theme->role[PLG_ROLE_TEXT_DIM],
                          plg_ledger_empty_describe (&self.ledger));
      chart->y += 2 * chart->font_size;
    }
  plg_ledger_clear (&self.ledger);
  return plg_chart_end (chart);
}
