/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "drawing/charts/chart.h"

#include "drawing/charts/ledger.h"
#include "drawing/figure/text.h"

#include <glib/gi18n-lib.h>
#include <string.h>

/* What crosses a link, collective by collective, with several links side by side. */

/* Points that the four numbers of a link would like, and its brief name over one number needs. */
#define ACCOUNT_WIDTH 290.0
#define MIN_ACCOUNT 90.0
#define ACCOUNT_GAP 12.0
/* Font sizes that a number needs. */
#define NUMBER_WIDTH 5.2
/* Calls, bytes and time are always there: below each other where they have no room side by side. */
#define MIN_COLUMNS 3
/* Lines between rows of several lines, and font sizes from one of those to the next. */
#define ROW_GAP 0.4
#define STACKED_PITCH 1.4
#define STACKED_BAR 2.0
#define BAR 3.5
/* A name takes so many lines, where it would be cut on one; and each of them so many font sizes. */
#define MAX_TITLE_LINES 3
#define TITLE_PITCH 1.2
#define NO_BREAK "\u00a0"

typedef struct
{
  PlgLedger ledger;
  PlgChart chart;
  double pitch;      /* of lines */
  int n_title_lines; /* of names of accounts */
  /* Those of the columns for which there is room. */
  PlgLedgerColumn columns[PLG_N_LEDGER_COLUMNS];
  int n_columns;
  gboolean is_stacked; /* a row has a line for each of them */
  double height;       /* of rows */
} LedgerFigure;

/* One account -----------------------------------------------------------------------------------
 */

/* The first of N texts, from long to short, for which there is room; names of what is alike differ
 * at their ends. g_free(). */
static char *
longest_that_fits (const char *const *texts, int n, double room, double size, gboolean bold)
{
  int i = 0;

  while (i + 1 < n && plg_text_width (texts[i], size, bold) > room)
    i++;
  return plg_text_fit_ends (texts[i], room, size, bold);
}

/* A GPU is the end of links of two kinds, and its name alone would not tell them apart. */
static char *
kind_and_ends (const LedgerFigure *pane, const PlgLink *link)
{
  g_autofree char *ends = plg_describe_link_ends (pane->ledger.plan, link);

  if (link->tier != PLG_TIER_NVLINK && link->tier != PLG_TIER_PCIE)
    return g_steal_pointer (&ends);
  return g_strdup_printf ("%s: %s", plg_tier_title (&pane->ledger.plan->cluster, link->tier), ends);
}

/* TEXT on lines that are no longer than ROOM, none of which ends between a name and its number:
 * "node 0", "GPU 0". g_strfreev(). */
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

/* What the link joins, or where it begins, in as many words as there is room for; on as many lines
 * as would else be cut so that what is compared has the same name. g_strfreev(). */
static char **
account_title (const LedgerFigure *pane, const PlgLink *link, double room)
{
  g_autofree char *kind = kind_and_ends (pane, link);
  g_autofree char *title = plg_describe_link (pane->ledger.plan, link);
  g_autofree char *ends = plg_describe_link_ends (pane->ledger.plan, link);
  g_auto (GStrv) end = g_strsplit (ends, " → ", 2);
  const char *const texts[] = { title, kind, ends, end[0] };
  double size = pane->chart.font_size;
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

/* "50 GB/s per direction · busy 2.1 % of the step", where it is narrow "NIC, busy 2.1 %", and
 * where that does not fit either "busy 2.1 %". */
static char *
account_subtitle (const LedgerFigure *pane, const PlgLink *link, double room)
{
  double size = pane->chart.font_size * 0.92;
  g_autofree char *share = plg_ledger_busy_share (&pane->ledger, link),
                  *text = plg_ledger_busy_describe (&pane->ledger, link);
  g_autofree char *brief = g_strdup_printf (_ ("%s, busy %s"),
                                            plg_tier_title (&pane->ledger.plan->cluster,
                                                            link->tier),
                                            share);
  g_autofree char *least = g_strdup_printf (_ ("busy %s"), share);
  const char *const texts[] = { text, brief, least };

  return longest_that_fits (texts, G_N_ELEMENTS (texts), room, size, FALSE);
}

/* What names of accounts take above one line of them. */
static double
title_height (const LedgerFigure *pane)
{
  return (pane->n_title_lines - 1) * TITLE_PITCH * pane->chart.font_size;
}

/* What the badge of PIN takes before the name. */
static double
pin_width (const LedgerFigure *pane, int pin)
{
  return pin > 0 ? 1.4 * pane->chart.font_size + 3 : 0;
}

static double
add_pin (PlgChart *chart, double x, double middle, int pin)
{
  PlgColor accent = chart->theme->role[PLG_ROLE_ACCENT];
  double radius = chart->font_size * 0.7;

  if (pin == 0)
    return x;
  plg_figure_rect (chart->figure, x, middle - radius, 2 * radius, 2 * radius, radius, accent);
  plg_chart_add_text (chart, x + radius, middle, PLG_ANCHOR_MIDDLE, chart->font_size * 0.85, TRUE,
                      plg_theme_text_on (chart->theme, accent),
                      plg_figure_string (chart->figure, "%d", pin));
  return x + 2 * radius + 3;
}

static void
add_heading (LedgerFigure *pane, const PlgLedgerAccount *account, double x, double width)
{
  PlgChart *chart = &pane->chart;
  double size = chart->font_size, left = add_pin (chart, x, chart->y + size * 0.6, account->pin);
  g_auto (GStrv) title = account_title (pane, account->link, x + width - left);
  g_autofree char *subtitle = account_subtitle (pane, account->link, width);

  for (int i = 0; i < MAX_TITLE_LINES && title[i] != NULL; i++)
    plg_chart_add_text (chart, left, chart->y + size * (0.6 + i * TITLE_PITCH), PLG_ANCHOR_START,
                        size, TRUE, chart->theme->role[PLG_ROLE_TEXT], title[i]);
  plg_chart_add_text (chart, x, chart->y + size * 2 + title_height (pane), PLG_ANCHOR_START,
                      size * 0.92, FALSE, chart->theme->role[PLG_ROLE_TEXT_DIM], subtitle);
}

static double
cell_width (const LedgerFigure *pane, double width)
{
  return pane->is_stacked ? width : width / pane->n_columns;
}

/* From one number to the next below it. */
static double
line_pitch (const LedgerFigure *pane)
{
  return pane->is_stacked ? MIN (pane->pitch, STACKED_PITCH * pane->chart.font_size) : pane->pitch;
}

/* Where the I-th number of a row stands that begins at X, and whose middle is there. */
static PlgPoint
cell_place (const LedgerFigure *pane, double x, double width, double middle, int i)
{
  if (pane->is_stacked)
    return (PlgPoint) { x, middle + (i - (pane->n_columns - 1) / 2.0) * line_pitch (pane) };
  return (PlgPoint) { x + i * cell_width (pane, width), middle };
}

static void
add_column_names (LedgerFigure *pane, double x, double width, double middle)
{
  PlgChart *chart = &pane->chart;

  for (int i = 0; i < pane->n_columns; i++)
    {
      PlgPoint at = cell_place (pane, x, width, middle, i);

      plg_chart_add_text (chart, at.x, at.y, PLG_ANCHOR_START, chart->font_size * 0.92, FALSE,
                          chart->theme->role[PLG_ROLE_TEXT_DIM],
                          plg_ledger_column_title (pane->columns[i]));
    }
}

/* A number, and under it a bar as long as it is large among those of its column. */
static void
add_cell (LedgerFigure *pane,
          PlgPoint at,
          double width,
          PlgLedgerColumn column,
          double value,
          int row)
{
  PlgChart *chart = &pane->chart;
  const PlgCollective *collective = &g_array_index (pane->ledger.report->collectives, PlgCollective,
                                                    plg_ledger_collective (&pane->ledger, row));
  g_autofree char *words = plg_ledger_value_describe (column, value);
  g_autofree char *text = plg_text_fit (words, width - 4, chart->font_size, FALSE);
  double length = pane->ledger.most[column] > 0 ? (width - 10) * value / pane->ledger.most[column]
                                                : 0;
  PlgShape *bar;

  plg_chart_add_text (chart, at.x, at.y - 2, PLG_ANCHOR_START, chart->font_size, FALSE,
                      chart->theme->role[PLG_ROLE_TEXT], text);
  if (!(value > 0))
    return;
  bar = plg_figure_rect (chart->figure, at.x, at.y + chart->font_size * 0.45, MAX (length, 1),
                         pane->is_stacked ? STACKED_BAR : BAR, 1,
                         chart->theme->role[PLG_ROLE_AXIS_TP + collective->axis]);
  bar->entity = (PlgEntity) { PLG_ENTITY_COLLECTIVE, 0,
                              plg_ledger_collective (&pane->ledger, row) };
}

static void
add_row (LedgerFigure *pane,
         const PlgLedgerAccount *account,
         double x,
         double width,
         double middle,
         int row)
{
  const PlgLinkShare *share = plg_ledger_share (&pane->ledger, account->link,
                                                plg_ledger_collective (&pane->ledger, row));

  if (share == NULL)
    plg_chart_add_text (&pane->chart, x, middle - 2, PLG_ANCHOR_START, pane->chart.font_size, FALSE,
                        pane->chart.theme->role[PLG_ROLE_TEXT_DIM], "–");
  for (int i = 0; share != NULL && i < pane->n_columns; i++)
    add_cell (pane, cell_place (pane, x, width, middle, i), cell_width (pane, width),
              pane->columns[i], plg_ledger_share_value (share, pane->columns[i]), row);
}

/* What the rows add up to. */
static void
add_total (LedgerFigure *pane,
           const PlgLedgerAccount *account,
           double x,
           double width,
           double middle)
{
  PlgChart *chart = &pane->chart;

  double edge = middle + (pane->is_stacked ? 1 : -1) * pane->height / 2;

  plg_figure_line (chart->figure, x, edge, x + width - 8, edge,
                   chart->theme->role[PLG_ROLE_CARD_BORDER], 1);
  for (int i = 0; i < pane->n_columns; i++)
    {
      PlgLedgerColumn column = pane->columns[i];
      g_autofree char *words = plg_ledger_value_describe (column,
                                                          plg_ledger_link_value (account->link,
                                                                                 column));
      g_autofree char *text = plg_text_fit (words, cell_width (pane, width) - 4, chart->font_size,
                                            TRUE);
      PlgPoint at = cell_place (pane, x, width, middle, i);

      plg_chart_add_text (chart, at.x, at.y, PLG_ANCHOR_START, chart->font_size, TRUE,
                          chart->theme->role[PLG_ROLE_TEXT], text);
    }
}

/* The middle of the row ROW, or of what they add up to: that is at their foot, and at their head
 * where rows are so high that one might not see it. */
static double
row_middle (const LedgerFigure *pane, double top, guint row)
{
  return top + pane->height * (row + 0.5 + (pane->is_stacked ? 1 : 0));
}

static double
total_middle (const LedgerFigure *pane, double top)
{
  return top + pane->height * (0.5 + (pane->is_stacked ? 0 : pane->ledger.rows->len));
}

static void
add_account_column (LedgerFigure *pane,
                    const PlgLedgerAccount *account,
                    double x,
                    double width,
                    double top)
{
  PlgFigure *figure = pane->chart.figure;
  g_autofree char *id = plg_link_id (account->link);
  g_autofree char *title = plg_describe_link (pane->ledger.plan, account->link);

  plg_figure_open (figure, plg_figure_string (figure, "ledger-%s", id), "ledger", title);
  add_heading (pane, account, x, width);
  add_column_names (pane, x, width,
                    top - pane->height + pane->pitch * 0.6 + (pane->height - pane->pitch) / 2);
  for (guint row = 0; row < pane->ledger.rows->len; row++)
    add_row (pane, account, x, width, row_middle (pane, top, row), row);
  add_total (pane, account, x, width, total_middle (pane, top));
  plg_figure_close (figure);
}

/* The whole -------------------------------------------------------------------------------------
 */

/* Both directions carry nearly the same, so that one of them can be left out. */
static void
choose_columns (LedgerFigure *pane, double width)
{
  int room = (int) (width / (NUMBER_WIDTH * pane->chart.font_size));

  pane->n_columns = 0;
  for (PlgLedgerColumn column = PLG_LEDGER_CALLS; column < PLG_N_LEDGER_COLUMNS; column++)
    if (column != PLG_LEDGER_IN || room >= PLG_N_LEDGER_COLUMNS)
      pane->columns[pane->n_columns++] = column;
  pane->is_stacked = room < MIN_COLUMNS;
  pane->height = pane->is_stacked ? line_pitch (pane) * (pane->n_columns + ROW_GAP) : pane->pitch;
}

static void
choose_title_lines (LedgerFigure *pane, int first, int n, double width)
{
  pane->n_title_lines = 1;
  for (int i = first; i < first + n; i++)
    {
      const PlgLedgerAccount *account = &pane->ledger.accounts[i];
      g_auto (GStrv) title = account_title (pane, account->link,
                                            width - pin_width (pane, account->pin));

      pane->n_title_lines = CLAMP ((int) g_strv_length (title), pane->n_title_lines,
                                   MAX_TITLE_LINES);
    }
}

/* Accounts from FIRST on, as many as there are of BESIDE, with the names of the rows to their left.
 */
static void
add_column_row (LedgerFigure *pane, int first, int beside)
{
  PlgChart *chart = &pane->chart;
  double width = (chart->right - chart->left - (beside - 1) * ACCOUNT_GAP) / beside;
  int n = MIN (beside, pane->ledger.n_accounts - first);
  double top;

  choose_columns (pane, width);
  choose_title_lines (pane, first, n, width);
  top = chart->y + chart->font_size * 2.8 + title_height (pane) + pane->height - pane->pitch * 0.2;
  for (guint row = 0; row < pane->ledger.rows->len; row++)
    {
      g_autofree char *name = plg_ledger_row_name (&pane->ledger, row);

      plg_chart_add_name (chart, row_middle (pane, top, row) - 2, name);
    }
  plg_chart_add_name (chart, total_middle (pane, top), _ ("In all"));
  for (int i = 0; i < n; i++)
    add_account_column (pane, &pane->ledger.accounts[first + i],
                        chart->left + i * (width + ACCOUNT_GAP), width, top);
  chart->y = top + pane->height * (pane->ledger.rows->len + 1) + chart->font_size;
}

static void
fit_names (LedgerFigure *pane)
{
  g_autoptr (GPtrArray) names = g_ptr_array_new_with_free_func (g_free);

  g_ptr_array_add (names, g_strdup (_ ("In all")));
  for (guint row = 0; row < pane->ledger.rows->len; row++)
    g_ptr_array_add (names, plg_ledger_row_name (&pane->ledger, row));
  plg_chart_fit_names (&pane->chart, (const char *const *) names->pdata, names->len);
}

/* What is pointed at is seen at once: where there is no room for all beside each other, it stands
 * last of the first BESIDE, and the pins whose place it takes go below. */
static void
move_unpinned_up (LedgerFigure *pane, int beside)
{
  PlgLedgerAccount sorted[PLG_LEDGER_MAX_ACCOUNTS];
  int unpinned = 0, n = 0, pins, first;

  while (unpinned < pane->ledger.n_accounts &&
         pane->ledger.accounts[pane->ledger.n_accounts - 1 - unpinned].pin == 0)
    unpinned++;
  pins = pane->ledger.n_accounts - unpinned;
  first = CLAMP (beside - unpinned, 0, pins);
  for (int i = 0; i < first; i++)
    sorted[n++] = pane->ledger.accounts[i];
  for (int i = pins; i < pane->ledger.n_accounts; i++)
    sorted[n++] = pane->ledger.accounts[i];
  for (int i = first; i < pins; i++)
    sorted[n++] = pane->ledger.accounts[i];
  memcpy (pane->ledger.accounts, sorted, n * sizeof *sorted);
}

static void
add_column_rows (LedgerFigure *pane)
{
  double room = pane->chart.right - pane->chart.left;
  /* What is to be compared stands side by side, its numbers below each other before it is parted.
   */
  int beside = CLAMP ((int) ((room + ACCOUNT_GAP) / (MIN_ACCOUNT + ACCOUNT_GAP)), 1,
                      MAX (pane->ledger.n_accounts, 1));

  move_unpinned_up (pane, beside);
  for (int first = 0; first < pane->ledger.n_accounts; first += beside)
    add_column_row (pane, first, beside);
}

static void
describe_ledger (const LedgerFigure *pane)
{
  GString *text = g_string_new (NULL);

  for (int i = 0; i < pane->ledger.n_accounts; i++)
    {
      g_autofree char *account = plg_describe_entity (pane->ledger.plan, pane->ledger.report,
                                                      (PlgEntity) {
                                                          PLG_ENTITY_LINK, 0,
                                                          pane->ledger.accounts[i].index });

      g_string_append_printf (text, "%s%s", i > 0 ? "\n\n" : "", account);
    }
  if (pane->ledger.n_accounts == 0)
    g_string_append (text, plg_ledger_empty_describe (&pane->ledger));
  plg_figure_describe (pane->chart.figure, _ ("What crosses a link"), text->str);
  g_string_free (text, TRUE);
}

static double
natural_width (const LedgerFigure *pane)
{
  return 172 + (ACCOUNT_WIDTH + ACCOUNT_GAP) * CLAMP (pane->ledger.n_accounts, 1, 3);
}

PlgFigure *
plg_ledger_figure (const PlgPlan *plan,
                   const PlgReport *report,
                   const PlgTheme *theme,
                   const PlgPictureOptions *options)
{
  LedgerFigure pane = { 0 };

  plg_ledger_init (&pane.ledger, plan, report, options);
  plg_chart_begin (&pane.chart, theme, options, natural_width (&pane));
  /* On the shelf below the cluster all rows are to be seen without scrolling. */
  pane.pitch = pane.chart.font_size * (options->embedded ? 1.75 : 2.1);
  describe_ledger (&pane);
  plg_chart_add_title (&pane.chart, _ ("What crosses a link"), _ ("per step"), PLG_ROLE_TEXT_DIM);
  if (pane.ledger.n_accounts > 0)
    {
      fit_names (&pane);
      add_column_rows (&pane);
      for (int i = 0; i < PLG_N_LEDGER_NOTES; i++)
        plg_chart_add_note (&pane.chart, plg_ledger_note (i), pane.chart.font_size * 0.92);
    }
  else
    {
      plg_chart_add_text (&pane.chart, pane.chart.left, pane.chart.y + pane.chart.font_size,
                          PLG_ANCHOR_START, pane.chart.font_size, FALSE,
                          theme->role[PLG_ROLE_TEXT_DIM], plg_ledger_empty_describe (&pane.ledger));
      pane.chart.y += 2 * pane.chart.font_size;
    }
  plg_ledger_clear (&pane.ledger);
  return plg_chart_end (&pane.chart);
}
