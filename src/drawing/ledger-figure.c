/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "drawing/chart.h"

#include "drawing/letters-table.h"
#include "drawing/text.h"
#include "drawing/textual.h"
#include "engine/veil.h"
#include "plan/quantity.h"

#include <glib/gi18n-lib.h>
#include <math.h>

/* What crosses a link, collective by collective, with several links side by side. */

#define MAX_ACCOUNTS 8
/* Points that the four numbers of a link would like, and its brief name over one number needs. */
#define ACCOUNT_WIDTH 290.0
#define LEAST_ACCOUNT 90.0
#define ACCOUNT_GAP 12.0
/* Font sizes that a number needs; where there is less room, columns are left out. */
#define NUMBER_WIDTH 5.2

typedef enum
{
  CALLS,
  OUT,
  IN,
  TIME,
} Column;
#define N_COLUMNS 4

typedef struct
{
  const PlgLink *link;
  int index;
  int pin; /* its number, or 0 */
} Account;

typedef struct
{
  const PlgPlan *plan;
  const PlgReport *report;
  PlgChart chart;
  Account accounts[MAX_ACCOUNTS];
  int n_accounts;
  GArray *rows;           /* int: the collectives that any of them carries */
  double most[N_COLUMNS]; /* the longest bar */
  double pitch;
  /* Those of the columns for which there is room. */
  Column columns[N_COLUMNS];
  int n_columns;
} Ledger;

/* NAN where it is hidden. */
static double
column_of (Column column, double calls, double out, double in, double time)
{
  const double values[N_COLUMNS] = { calls, out, in, time };

  if (isnan (values[column]))
    return NAN;
  return isfinite (values[column]) ? MAX (values[column], 0) : 0;
}

static double
share_value (const PlgLinkShare *share, Column column)
{
  return column_of (column, share->calls, share->bytes_out, share->bytes_in, share->time);
}

static double
link_value (const PlgLink *link, Column column)
{
  return column_of (column, link->calls, link->bytes_out, link->bytes_in, link->time);
}

static char *
value_in_words (Column column, double value)
{
  if (isnan (value))
    return g_strdup ("–");
  if (column == CALLS)
    return plg_format_count (value);
  return column == TIME ? plg_format_time (value) : plg_format_volume (value);
}

static const PlgLinkShare *
nth_share (const Ledger *ledger, const PlgLink *link, int i)
{
  guint at = link->first_share + i;

  return at < ledger->report->link_shares->len
             ? &g_array_index (ledger->report->link_shares, PlgLinkShare, at)
             : NULL;
}

static const PlgLinkShare *
share_of (const Ledger *ledger, const PlgLink *link, int collective)
{
  for (int i = 0; i < link->n_shares; i++)
    {
      const PlgLinkShare *share = nth_share (ledger, link, i);

      if (share != NULL && share->collective == collective)
        return share;
    }
  return NULL;
}

/* Whose accounts are shown ----------------------------------------------------------------------
 */

static void
add_account (Ledger *ledger, int index, int pin)
{
  if (index < 0 || index >= (int) ledger->report->links->len || ledger->n_accounts == MAX_ACCOUNTS)
    return;
  for (int i = 0; i < ledger->n_accounts; i++)
    if (ledger->accounts[i].index == index)
      return;
  ledger->accounts[ledger->n_accounts++] = (Account) {
    &g_array_index (ledger->report->links, PlgLink, index), index, pin
  };
}

/* By what links are compared: by the time that they are busy, or as much as is told of it. */
static Column
column_of_most (const PlgReport *report)
{
  if ((report->veil & PLG_VEIL_BUSY) == 0)
    return TIME;
  return (report->veil & PLG_VEIL_BYTES) == 0 ? OUT : CALLS;
}

/* The busiest link, of those that carry COLLECTIVE where it is not -1; -1 where nothing is sent, or
 * told. */
static int
busiest_link (const Ledger *ledger, int collective)
{
  Column column = column_of_most (ledger->report);
  int busiest = -1;
  double most = 0;

  for (guint i = 0; i < ledger->report->links->len; i++)
    {
      const PlgLink *link = &g_array_index (ledger->report->links, PlgLink, i);
      const PlgLinkShare *share = collective >= 0 ? share_of (ledger, link, collective) : NULL;
      double value = collective < 0  ? link_value (link, column)
                     : share != NULL ? share_value (share, column)
                                     : 0;

      if (value > most)
        {
          busiest = i;
          most = value;
        }
    }
  return busiest;
}

/* The links that a GPU has for itself: to its switch or root, and its NIC. */
static void
add_accounts_of_gpu (Ledger *ledger, int gpu, int pin)
{
  int per_node = MAX (ledger->plan->cluster.gpus_per_node, 1);
  int nics = ledger->plan->cluster.nics_per_node;
  int local = gpu % per_node, nic = local * nics / per_node;

  for (guint i = 0; i < ledger->report->links->len; i++)
    {
      const PlgLink *link = &g_array_index (ledger->report->links, PlgLink, i);
      int own = link->tier == PLG_TIER_NIC ? nic : local;

      if (link->node == gpu / per_node && link->local == own && link->calls > 0)
        add_account (ledger, i, pin);
    }
}

static void
add_accounts_of_thing (Ledger *ledger, PlgThing thing, int pin)
{
  if (thing.kind == PLG_THING_LINK)
    add_account (ledger, thing.index, pin);
  else if (thing.kind == PLG_THING_GPU)
    add_accounts_of_gpu (ledger, thing.index, pin);
  else if (thing.kind == PLG_THING_COLLECTIVE && thing.index >= 0)
    add_account (ledger, busiest_link (ledger, thing.index), pin);
}

/* Whether an account that is pinned, or one that is not, has a row for COLLECTIVE. */
static gboolean
is_carried (const Ledger *ledger, int collective, gboolean pinned)
{
  for (int i = 0; i < ledger->n_accounts; i++)
    if ((ledger->accounts[i].pin > 0) == pinned &&
        share_of (ledger, ledger->accounts[i].link, collective) != NULL)
      return TRUE;
  return FALSE;
}

/* What is only pointed at puts its own rows below those of the pins, which stay where they are. */
static void
find_rows (Ledger *ledger)
{
  int n = (int) ledger->report->collectives->len;

  ledger->rows = g_array_new (FALSE, FALSE, sizeof (int));
  for (int i = 0; i < n; i++)
    if (is_carried (ledger, i, TRUE))
      g_array_append_val (ledger->rows, i);
  for (int i = 0; i < n; i++)
    if (is_carried (ledger, i, FALSE) && !is_carried (ledger, i, TRUE))
      g_array_append_val (ledger->rows, i);
}

static void
find_most (Ledger *ledger)
{
  for (int i = 0; i < ledger->n_accounts; i++)
    for (int k = 0; k < ledger->accounts[i].link->n_shares; k++)
      {
        const PlgLinkShare *share = nth_share (ledger, ledger->accounts[i].link, k);

        for (Column column = CALLS; share != NULL && column < N_COLUMNS; column++)
          ledger->most[column] = fmax (ledger->most[column], share_value (share, column));
      }
}

static void
choose_accounts (Ledger *ledger, const PlgPictureOptions *options)
{
  for (int i = 0; i < options->n_lit; i++)
    add_accounts_of_thing (ledger, options->lit[i], i < options->n_pins ? i + 1 : 0);
  if (ledger->n_accounts == 0)
    add_account (ledger, busiest_link (ledger, -1), 0);
  find_rows (ledger);
  find_most (ledger);
}

/* One account -----------------------------------------------------------------------------------
 */

static char *
row_name (const Ledger *ledger, int row)
{
  const PlgCollective *collective = &g_array_index (ledger->report->collectives, PlgCollective,
                                                    g_array_index (ledger->rows, int, row));

  return g_strdup_printf ("%s %s", plg_axis_label (collective->axis),
                          plg_collective_kind_title (collective));
}

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

/* What the link joins, or where it begins, in as many words as there is room for. */
static char *
account_title (const Ledger *ledger, const PlgLink *link, double room)
{
  g_autofree char *title = plg_describe_link (ledger->plan, link);
  g_autofree char *ends = plg_describe_link_ends (ledger->plan, link);
  g_auto (GStrv) end = g_strsplit (ends, " → ", 2);
  const char *const texts[] = { title, ends, end[0] };

  return longest_that_fits (texts, G_N_ELEMENTS (texts), room, ledger->chart.font_size, TRUE);
}

static char *
busy_share (const Ledger *ledger, const PlgLink *link)
{
  return plg_format_share (plg_report_share_of_step (ledger->report, link->time));
}

static char *
busy_in_words (const Ledger *ledger, const PlgLink *link)
{
  g_autofree char *bandwidth = plg_format_bandwidth (link->bandwidth);
  g_autofree char *share = busy_share (ledger, link);

  return g_strdup_printf (_ ("%s per direction · busy %s of the step"), bandwidth, share);
}

/* "50 GB/s per direction · busy 2.1 % of the step", where it is narrow "NIC, busy 2.1 %", and
 * where that does not fit either "busy 2.1 %". */
static char *
account_subtitle (const Ledger *ledger, const PlgLink *link, double room)
{
  double size = ledger->chart.font_size * 0.92;
  g_autofree char *share = busy_share (ledger, link), *text = busy_in_words (ledger, link);
  g_autofree char *brief = g_strdup_printf (_ ("%s, busy %s"),
                                            plg_tier_title (&ledger->plan->cluster, link->tier),
                                            share);
  g_autofree char *least = g_strdup_printf (_ ("busy %s"), share);
  const char *const texts[] = { text, brief, least };

  return longest_that_fits (texts, G_N_ELEMENTS (texts), room, size, FALSE);
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
add_heading (Ledger *ledger, const Account *account, double x, double width)
{
  PlgChart *chart = &ledger->chart;
  double size = chart->font_size, left = add_pin (chart, x, chart->y + size * 0.6, account->pin);
  g_autofree char *title = account_title (ledger, account->link, x + width - left);
  g_autofree char *subtitle = account_subtitle (ledger, account->link, width);

  plg_chart_add_text (chart, left, chart->y + size * 0.6, PLG_ANCHOR_START, size, TRUE,
                      chart->theme->role[PLG_ROLE_TEXT], title);
  plg_chart_add_text (chart, x, chart->y + size * 2, PLG_ANCHOR_START, size * 0.92, FALSE,
                      chart->theme->role[PLG_ROLE_TEXT_DIM], subtitle);
}

static const char *
column_title (Column column)
{
  const char *const names[N_COLUMNS] = { _ ("Calls"), _ ("Out"), _ ("In"), _ ("Busy") };

  return names[column];
}

static void
add_column_names (Ledger *ledger, double x, double width, double middle)
{
  PlgChart *chart = &ledger->chart;

  for (int i = 0; i < ledger->n_columns; i++)
    plg_chart_add_text (chart, x + i * width / ledger->n_columns, middle, PLG_ANCHOR_START,
                        chart->font_size * 0.92, FALSE, chart->theme->role[PLG_ROLE_TEXT_DIM],
                        column_title (ledger->columns[i]));
}

/* A number, and under it a bar as long as it is large among those of its column. */
static void
add_cell (Ledger *ledger,
          double x,
          double width,
          double middle,
          Column column,
          double value,
          int row)
{
  PlgChart *chart = &ledger->chart;
  const PlgCollective *collective = &g_array_index (ledger->report->collectives, PlgCollective,
                                                    g_array_index (ledger->rows, int, row));
  g_autofree char *words = value_in_words (column, value);
  g_autofree char *text = plg_text_fit (words, width - 4, chart->font_size, FALSE);
  double length = ledger->most[column] > 0 ? (width - 10) * value / ledger->most[column] : 0;
  PlgShape *bar;

  plg_chart_add_text (chart, x, middle - 2, PLG_ANCHOR_START, chart->font_size, FALSE,
                      chart->theme->role[PLG_ROLE_TEXT], text);
  if (!(value > 0))
    return;
  bar = plg_figure_rect (chart->figure, x, middle + chart->font_size * 0.45, MAX (length, 1), 3.5,
                         1, chart->theme->role[PLG_ROLE_AXIS_TP + collective->axis]);
  bar->thing = (PlgThing) { PLG_THING_COLLECTIVE, 0, g_array_index (ledger->rows, int, row) };
}

static void
add_row (Ledger *ledger, const Account *account, double x, double width, double middle, int row)
{
  const PlgLinkShare *share = share_of (ledger, account->link,
                                        g_array_index (ledger->rows, int, row));
  double cell = width / ledger->n_columns;

  if (share == NULL)
    plg_chart_add_text (&ledger->chart, x, middle - 2, PLG_ANCHOR_START, ledger->chart.font_size,
                        FALSE, ledger->chart.theme->role[PLG_ROLE_TEXT_DIM], "–");
  for (int i = 0; share != NULL && i < ledger->n_columns; i++)
    add_cell (ledger, x + i * cell, cell, middle, ledger->columns[i],
              share_value (share, ledger->columns[i]), row);
}

/* What the rows add up to. */
static void
add_total (Ledger *ledger, const Account *account, double x, double width, double middle)
{
  PlgChart *chart = &ledger->chart;

  plg_figure_line (chart->figure, x, middle - ledger->pitch / 2, x + width - 8,
                   middle - ledger->pitch / 2, chart->theme->role[PLG_ROLE_CARD_BORDER], 1);
  for (int i = 0; i < ledger->n_columns; i++)
    {
      Column column = ledger->columns[i];
      g_autofree char *words = value_in_words (column, link_value (account->link, column));
      g_autofree char *text = plg_text_fit (words, width / ledger->n_columns - 4, chart->font_size,
                                            TRUE);

      plg_chart_add_text (chart, x + i * width / ledger->n_columns, middle, PLG_ANCHOR_START,
                          chart->font_size, TRUE, chart->theme->role[PLG_ROLE_TEXT], text);
    }
}

static void
add_account_column (Ledger *ledger, const Account *account, double x, double width, double top)
{
  PlgFigure *figure = ledger->chart.figure;
  g_autofree char *id = plg_link_id (account->link);
  g_autofree char *title = plg_describe_link (ledger->plan, account->link);

  plg_figure_open (figure, plg_figure_string (figure, "ledger-%s", id), "ledger", title);
  add_heading (ledger, account, x, width);
  add_column_names (ledger, x, width, top - ledger->pitch * 0.4);
  for (guint row = 0; row < ledger->rows->len; row++)
    add_row (ledger, account, x, width, top + ledger->pitch * (row + 0.5), row);
  add_total (ledger, account, x, width, top + ledger->pitch * (ledger->rows->len + 0.5));
  plg_figure_close (figure);
}

/* The whole -------------------------------------------------------------------------------------
 */

/* Time says most, then bytes; both directions carry nearly the same. */
static void
choose_columns (Ledger *ledger, double width)
{
  int room = (int) (width / (NUMBER_WIDTH * ledger->chart.font_size));

  ledger->n_columns = 0;
  for (Column column = CALLS; column < N_COLUMNS; column++)
    if (column == TIME || (column == OUT && room >= 2) || (column == CALLS && room >= 3) ||
        room >= N_COLUMNS)
      ledger->columns[ledger->n_columns++] = column;
}

/* Accounts from FIRST on, as many as there are of BESIDE, with the names of the rows to their left.
 */
static void
add_band (Ledger *ledger, int first, int beside)
{
  PlgChart *chart = &ledger->chart;
  double width = (chart->right - chart->left - (beside - 1) * ACCOUNT_GAP) / beside;
  int n = MIN (beside, ledger->n_accounts - first);
  double top = chart->y + chart->font_size * 2.8 + ledger->pitch * 0.8;

  choose_columns (ledger, width);
  for (guint row = 0; row < ledger->rows->len; row++)
    {
      g_autofree char *name = row_name (ledger, row);

      plg_chart_add_name (chart, top + ledger->pitch * (row + 0.5) - 2, name);
    }
  plg_chart_add_name (chart, top + ledger->pitch * (ledger->rows->len + 0.5), _ ("In all"));
  for (int i = 0; i < n; i++)
    add_account_column (ledger, &ledger->accounts[first + i],
                        chart->left + i * (width + ACCOUNT_GAP), width, top);
  chart->y = top + ledger->pitch * (ledger->rows->len + 1) + chart->font_size;
}

static void
fit_names (Ledger *ledger)
{
  g_autoptr (GPtrArray) names = g_ptr_array_new_with_free_func (g_free);

  g_ptr_array_add (names, g_strdup (_ ("In all")));
  for (guint row = 0; row < ledger->rows->len; row++)
    g_ptr_array_add (names, row_name (ledger, row));
  plg_chart_fit_names (&ledger->chart, (const char *const *) names->pdata, names->len);
}

/* What is pointed at is seen at once: where there is no room for all beside each other, it stands
 * last of the first BESIDE, and the pins whose place it takes go below. */
static void
bring_pointed_up (Ledger *ledger, int beside)
{
  Account sorted[MAX_ACCOUNTS];
  int pointed = 0, n = 0, pins, first;

  while (pointed < ledger->n_accounts &&
         ledger->accounts[ledger->n_accounts - 1 - pointed].pin == 0)
    pointed++;
  pins = ledger->n_accounts - pointed;
  first = CLAMP (beside - pointed, 0, pins);
  for (int i = 0; i < first; i++)
    sorted[n++] = ledger->accounts[i];
  for (int i = pins; i < ledger->n_accounts; i++)
    sorted[n++] = ledger->accounts[i];
  for (int i = first; i < pins; i++)
    sorted[n++] = ledger->accounts[i];
  memcpy (ledger->accounts, sorted, n * sizeof *sorted);
}

static void
add_bands (Ledger *ledger)
{
  double room = ledger->chart.right - ledger->chart.left;
  /* What is to be compared stands side by side, with fewer numbers before it stands in two rows. */
  int beside = CLAMP ((int) ((room + ACCOUNT_GAP) / (LEAST_ACCOUNT + ACCOUNT_GAP)), 1,
                      MAX (ledger->n_accounts, 1));

  bring_pointed_up (ledger, beside);
  for (int first = 0; first < ledger->n_accounts; first += beside)
    add_band (ledger, first, beside);
}

/* Why the time of a collective is more than what its links are busy. */
static const char *const notes[] = {
  N_ ("Busy: the bytes, at the rate that the link reaches."),
  N_ ("A collective takes longer: latency and waiting come on top."),
};

/* Nothing is known of what waits for an answer, which is not the same as that nothing is sent. */
static const char *
nothing_in_words (const Ledger *ledger)
{
  static const guint parts[] = { PLG_VEIL_CALLS, PLG_VEIL_BYTES, PLG_VEIL_BUSY };
  guint veil = ledger->report->veil;
  const char *veiled = plg_veil_words (veil, PLG_VEIL_COMMUNICATION);

  /* An account begins with the first of its columns that is told. */
  for (guint i = 0; i < G_N_ELEMENTS (parts); i++)
    if ((veil & parts[i]) != 0 && !plg_veil_is_later (veil, parts[i]))
      veiled = plg_veil_words (veil, parts[i]);
  return veiled != NULL ? veiled : _ ("Nothing crosses a link");
}

static void
describe_ledger (const Ledger *ledger)
{
  GString *text = g_string_new (NULL);

  for (int i = 0; i < ledger->n_accounts; i++)
    {
      g_autofree char *account = plg_describe_thing (ledger->plan, ledger->report,
                                                     (PlgThing) { PLG_THING_LINK, 0,
                                                                  ledger->accounts[i].index });

      g_string_append_printf (text, "%s%s", i > 0 ? "\n\n" : "", account);
    }
  if (ledger->n_accounts == 0)
    g_string_append (text, nothing_in_words (ledger));
  plg_figure_describe (ledger->chart.figure, _ ("What crosses a link"), text->str);
  g_string_free (text, TRUE);
}

static double
natural_width (const Ledger *ledger)
{
  return 172 + (ACCOUNT_WIDTH + ACCOUNT_GAP) * CLAMP (ledger->n_accounts, 1, 3);
}

PlgFigure *
plg_ledger_figure (const PlgPlan *plan,
                   const PlgReport *report,
                   const PlgTheme *theme,
                   const PlgPictureOptions *options)
{
  Ledger ledger = { .plan = plan, .report = report };

  choose_accounts (&ledger, options);
  plg_chart_begin (&ledger.chart, theme, options, natural_width (&ledger));
  /* On the shelf below the cluster all rows are to be seen without scrolling. */
  ledger.pitch = ledger.chart.font_size * (options->embedded ? 1.75 : 2.1);
  describe_ledger (&ledger);
  plg_chart_add_title (&ledger.chart, _ ("What crosses a link"), _ ("per step"), PLG_ROLE_TEXT_DIM);
  if (ledger.n_accounts > 0)
    {
      fit_names (&ledger);
      add_bands (&ledger);
      for (guint i = 0; i < G_N_ELEMENTS (notes); i++)
        plg_chart_add_note (&ledger.chart, _ (notes[i]), ledger.chart.font_size * 0.92);
    }
  else
    {
      plg_chart_add_text (&ledger.chart, ledger.chart.left, ledger.chart.y + ledger.chart.font_size,
                          PLG_ANCHOR_START, ledger.chart.font_size, FALSE,
                          theme->role[PLG_ROLE_TEXT_DIM], nothing_in_words (&ledger));
      ledger.chart.y += 2 * ledger.chart.font_size;
    }
  g_array_unref (ledger.rows);
  return plg_chart_end (&ledger.chart);
}

/* The letters ---------------------------------------------------------------------------------- */

static void
add_letters (PlgLettersTable *table, const char *name, const double values[N_COLUMNS])
{
  plg_letters_table_add (table, name);
  for (Column column = CALLS; column < N_COLUMNS; column++)
    {
      g_autofree char *text = value_in_words (column, values[column]);

      plg_letters_table_add (table, text);
    }
}

static void
add_rows_of (PlgLettersTable *table, const Ledger *ledger, const PlgLink *link)
{
  double values[N_COLUMNS];

  for (guint row = 0; row < ledger->rows->len; row++)
    {
      const PlgLinkShare *share = share_of (ledger, link, g_array_index (ledger->rows, int, row));
      g_autofree char *name = row_name (ledger, row);

      for (Column column = CALLS; share != NULL && column < N_COLUMNS; column++)
        values[column] = share_value (share, column);
      if (share != NULL)
        add_letters (table, name, values);
    }
  for (Column column = CALLS; column < N_COLUMNS; column++)
    values[column] = link_value (link, column);
  add_letters (table, _ ("In all"), values);
}

static void
add_account_in_letters (GString *out, const Ledger *ledger, const Account *account)
{
  g_autoptr (PlgLettersTable) table = plg_letters_table_new (N_COLUMNS + 1);
  g_autofree char *title = plg_describe_link (ledger->plan, account->link);
  g_autofree char *busy = busy_in_words (ledger, account->link);
  g_autofree char *pin = account->pin > 0 ? g_strdup_printf (_ ("Pin %d: "), account->pin)
                                          : g_strdup ("");
  g_autofree char *users = plg_describe_users (ledger->plan, ledger->report, account->index);

  plg_letters_add_line (out, "%s%s", pin, title);
  plg_letters_add_line (out, "%s%s%s", busy, *users != '\0' ? " · " : "", users);
  plg_letters_table_add (table, "");
  for (Column column = CALLS; column < N_COLUMNS; column++)
    plg_letters_table_add (table, column_title (column));
  add_rows_of (table, ledger, account->link);
  plg_letters_table_write (table, out);
  plg_letters_end_line (out);
}

void
plg_textual_add_ledger (GString *out,
                        const PlgPlan *plan,
                        const PlgReport *report,
                        const PlgPictureOptions *options)
{
  Ledger ledger = { .plan = plan, .report = report };

  choose_accounts (&ledger, options);
  for (int i = 0; i < ledger.n_accounts; i++)
    add_account_in_letters (out, &ledger, &ledger.accounts[i]);
  if (ledger.n_accounts == 0)
    plg_letters_add_line (out, "%s", nothing_in_words (&ledger));
  for (guint i = 0; ledger.n_accounts > 0 && i < G_N_ELEMENTS (notes); i++)
    plg_letters_add_line (out, "%s", _ (notes[i]));
  g_array_unref (ledger.rows);
}
