/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "io/import/format.h"
#include "io/reports/links-csv.h"
#include "io/reports/markdown.h"
#include "plan/quantity.h"

#include <glib/gi18n-lib.h>
#include <math.h>

/* Writes a table of the collectives on the links of each tier and a table of the busiest links.
 * In the first table, the rows of each tier add up to the total load of that tier's links in the
 * report. */

#define TIERS 5
#define MAX_LISTED_LINKS 12
/* number of digits in a printed sum; the rows that add up to this sum get as many decimals as
 * the sum */
#define DIGITS 5

/* The amounts that are summed in the row "All". */
typedef enum
{
  CALLS,
  BYTES, /* data sent in both directions [GB] */
  TIME,  /* time summed over all links [ms] */
} Amount;
#define N_AMOUNTS 3

typedef struct
{
  int links;
  double amount[N_AMOUNTS];
  double longest; /* time of the busiest link [ms] */
} Sum;

static void
add_share (Sum *sum, const PlgLinkShare *share)
{
  sum->amount[CALLS] += share->calls;
  sum->amount[BYTES] += (share->bytes_out + share->bytes_in) / PLG_GB;
  sum->amount[TIME] += share->time * 1e3;
}


/* Returns the number of decimals with which SUM has DIGITS digits in total. Returns 0 if SUM has
 * at least DIGITS digits before the decimal point. */
static int
decimals_of (double sum)
{
  int digits = sum >= 1.0 ? (int) floor (log10 (sum)) + 1 : 1;

  return CLAMP (DIGITS - digits, 0, DIGITS - 1);
}

/* Returns VALUE with DECIMALS decimals, such as "0.05". If VALUE is 0 but the unrounded value
 * EXACT is positive, returns for example "< 0.01". Free with g_free(). */
static char *
format_rounded (double value, int decimals, double exact)
{
  if (value <= 0.0 && exact > 0.0)
    return g_strdup_printf ("< %.*f", decimals, pow (10.0, -decimals));
  return g_strdup_printf ("%.*f", decimals, value);
}

/* Returns VALUE with DIGITS digits; free with g_free(). */
static char *
format_number (double value)
{
  return format_rounded (value, decimals_of (value), value);
}

/* Rounds AMOUNT of TIER in rows 0 to N of SUMS into OUT. The method of largest remainders makes
 * the rounded values in rows 0 to N - 1 add up to the rounded sum in row N. */
static void
round_tier (const Sum *sums, Sum *out, int n, int tier, Amount amount)
{
  double all = sums[n * TIERS + tier].amount[amount];
  double unit = pow (10.0, amount == CALLS ? 0 : -decimals_of (all));
  g_autofree double *units = g_new (double, MAX (n, 1));
  double left = floor (all / unit + 0.5);

  out[n * TIERS + tier].amount[amount] = left * unit;
  for (int i = 0; i < n; i++)
    {
      units[i] = floor (sums[i * TIERS + tier].amount[amount] / unit);
      left -= units[i];
    }
  for (; n > 0 && left >= 1.0; left -= 1.0)
    {
      int best = 0;
      double largest = -1.0;

      for (int i = 0; i < n; i++)
        {
          double remainder = sums[i * TIERS + tier].amount[amount] / unit - units[i];

          if (remainder > largest)
            {
              largest = remainder;
              best = i;
            }
        }
      units[best] += 1.0;
    }
  for (int i = 0; i < n; i++)
    out[i * TIERS + tier].amount[amount] = units[i] * unit;
}


static void
append_sums (GString *out, const PlgPlan *plan, const PlgReport *report)
{
  /* The array SUMS has one row per collective and a last row for all collectives. Each row has
   * one element per tier. */
  guint rows = report->collectives->len + 1;
  g_autoptr (GArray) sums = g_array_sized_new (FALSE, TRUE, sizeof (Sum), rows * TIERS);
  g_autoptr (GArray) shown = NULL;

  g_array_set_size (sums, rows * TIERS);
  for (guint i = 0; i < report->links->len; i++)
    {
      const PlgLink *link = &g_array_index (report->links, PlgLink, i);
      Sum *all = &g_array_index (sums, Sum, (rows - 1) * TIERS + link->tier);

      all->links++;
      all->longest = MAX (all->longest, link->time * 1e3);
      for (int j = 0; j < link->n_shares; j++)
        {
          const PlgLinkShare *share = &g_array_index (report->link_shares, PlgLinkShare,
                                                      link->first_share + j);
          Sum *sum = &g_array_index (sums, Sum, share->collective * TIERS + link->tier);

          sum->links++;
          sum->longest = MAX (sum->longest, share->time * 1e3);
          add_share (sum, share);
          add_share (all, share);
        }
    }
  shown = g_array_copy (sums);
  for (int tier = 0; tier < TIERS; tier++)
    for (Amount amount = CALLS; amount < N_AMOUNTS; amount++)
      round_tier ((const Sum *) sums->data, (Sum *) shown->data, (int) rows - 1, tier, amount);

  plg_markdown_heading (out,
                        (const char *const[]) { _ ("Collective"), _ ("Link"), _ ("Links"),
                                                _ ("Calls"), _ ("GB"), _ ("ms, all links"),
                                                _ ("ms, busiest link"), NULL },
                        2);
  for (guint i = 0; i < sums->len; i++)
    {
      const Sum *sum = &g_array_index (sums, Sum, i);
      const Sum *all = &g_array_index (sums, Sum, sums->len - TIERS + i % TIERS);
      const Sum *sum_shown = &g_array_index (shown, Sum, i);
      const char *tier = plg_tier_title (&plan->cluster, (PlgTier) (i % TIERS));
      g_autofree char *name = g_strdup (_ ("All"));

      if (i / TIERS < report->collectives->len)
        {
          const PlgCollective *collective = &g_array_index (report->collectives, PlgCollective,
                                                            i / TIERS);

          g_free (name);
          name = g_strdup_printf ("%s %s", plg_axis_label (collective->axis),
                                  plg_collective_kind_title (collective));
        }
      if (sum->links > 0 && sum->amount[BYTES] > 0.0)
        {
          g_autofree char *links = g_strdup_printf ("%d", sum->links);
          g_autofree char *calls = format_rounded (sum_shown->amount[CALLS], 0, sum->amount[CALLS]);
          g_autofree char *bytes = format_rounded (sum_shown->amount[BYTES],
                                                   decimals_of (all->amount[BYTES]),
                                                   sum->amount[BYTES]);
          g_autofree char *time = format_rounded (sum_shown->amount[TIME],
                                                  decimals_of (all->amount[TIME]),
                                                  sum->amount[TIME]);
          g_autofree char *longest = format_number (sum->longest);

          plg_markdown_row (out, (const char *const[]) { name, tier, links, calls, bytes, time,
                                                         longest, NULL });
        }
    }
}


static int
compare_links (gconstpointer a, gconstpointer b, gpointer data)
{
  const PlgReport *report = data;
  const PlgLink *one = &g_array_index (report->links, PlgLink, *(const guint *) a);
  const PlgLink *other = &g_array_index (report->links, PlgLink, *(const guint *) b);

  if (one->time != other->time)
    return one->time > other->time ? -1 : 1;
  return *(const guint *) a < *(const guint *) b ? -1 : 1;
}

static GBytes *
write_topology_notes (const PlgExportContext *export, GError **error)
{
  const PlgPlan *plan = export->plan;
  const PlgReport *report = export->report;
  g_autofree char *title = plg_plan_display_title (plan);
  g_autoptr (GArray) order = g_array_new (FALSE, FALSE, sizeof (guint));
  GString *out;

  if (!plg_need_report (export, error))
    return NULL;
  out = g_string_new ("# ");
  plg_markdown_append (out, title);
  g_string_append (out, "\n\n");
  if (report->collectives->len == 0)
    {
      g_string_append_printf (out, "%s\n", _ ("Nothing is sent because there is only one GPU."));
      return plg_take_text (g_string_free (out, FALSE));
    }
  g_string_append_printf (out, "%s\n\n",
                          _ ("The collectives on each link in one training step. The GB values "
                             "count both directions. The rows for a kind of link add up to "
                             "“All”, even after rounding; “<” counts as 0."));
  append_sums (out, plan, report);

  for (guint i = 0; i < report->links->len; i++)
    if (g_array_index (report->links, PlgLink, i).n_shares > 0)
      g_array_append_val (order, i);
  g_array_sort_with_data (order, compare_links, (gpointer) report);
  g_string_append_printf (out, "\n## %s\n\n", _ ("The busiest links"));
  plg_markdown_heading (out,
                        (const char *const[]) { _ ("Link"), _ ("Ends"), _ ("Collectives"), _ ("GB"),
                                                _ ("ms"), _ ("Of the step"), NULL },
                        3);
  for (guint i = 0; i < MIN (order->len, MAX_LISTED_LINKS); i++)
    {
      const PlgLink *link = &g_array_index (report->links, PlgLink,
                                            g_array_index (order, guint, i));
      g_autofree char *id = plg_link_id (link);
      g_autofree char *from = plg_link_from (link, plan);
      g_autofree char *to = plg_link_to (link, plan);
      g_autofree char *ends = g_strdup_printf ("%s – %s", from, to);
      g_autofree char *bytes = format_number ((link->bytes_out + link->bytes_in) / PLG_GB);
      g_autofree char *time = format_number (link->time * 1e3);
      g_autofree char *share = plg_format_share (plg_report_share_of_step (report, link->time));
      g_autofree char *collectives = plg_link_collectives (report, link);

      plg_markdown_row (out,
                        (const char *const[]) { id, ends, collectives, bytes, time, share, NULL });
    }
  return plg_take_text (g_string_free (out, FALSE));
}

const PlgFormat plg_topology_notes_format = {
  .name = "topology-notes",
  .suffix = ".md",
  .title = N_ ("The collectives on each link (Markdown)"),
  .subject = PLG_SUBJECT_REPORT,
  .write = write_topology_notes,
};
