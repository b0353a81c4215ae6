/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "formats/format-private.h"
#include "formats/markdown.h"
#include "plan/quantity.h"

#include <glib/gi18n-lib.h>

/* Which collective crosses which links. A link's shares add up to it, and so do the rows here to
 * the report's links. */

#define TIERS 5
#define BUSIEST 12 /* links that are told by name */
#define DIGITS "%.9g"

typedef struct
{
  int links;
  double calls;
  double bytes; /* out and in */
  double time;  /* of all links */
  double longest;
} Sum;

/* The rows of SUMS: the report's collectives, then all together; a column a tier. */
static GArray *
add_up (const PlgReport *report)
{
  guint rows = report->collectives->len + 1;
  GArray *sums = g_array_sized_new (FALSE, TRUE, sizeof (Sum), rows * TIERS);

  g_array_set_size (sums, rows * TIERS);
  for (guint i = 0; i < report->links->len; i++)
    {
      const PlgLink *link = &g_array_index (report->links, PlgLink, i);
      Sum *all = &g_array_index (sums, Sum, (rows - 1) * TIERS + link->tier);

      all->links++;
      all->longest = MAX (all->longest, link->time);
      for (int j = 0; j < link->n_shares; j++)
        {
          const PlgLinkShare *share = &g_array_index (report->link_shares, PlgLinkShare,
                                                      link->first_share + j);
          Sum *sum = &g_array_index (sums, Sum, share->collective * TIERS + link->tier);

          sum->links++;
          sum->calls += share->calls;
          sum->bytes += share->bytes_out + share->bytes_in;
          sum->time += share->time;
          sum->longest = MAX (sum->longest, share->time);
          all->calls += share->calls;
          all->bytes += share->bytes_out + share->bytes_in;
          all->time += share->time;
        }
    }
  return sums;
}

static char *
number (double value)
{
  char text[G_ASCII_DTOSTR_BUF_SIZE];

  return g_strdup (g_ascii_formatd (text, sizeof text, DIGITS, value));
}

static void
append_sum (GString *out, const char *name, const char *tier, const Sum *sum)
{
  g_autofree char *links = g_strdup_printf ("%d", sum->links);
  g_autofree char *calls = number (sum->calls);
  g_autofree char *bytes = number (sum->bytes / PLG_GB);
  g_autofree char *time = number (sum->time * 1e3);
  g_autofree char *longest = number (sum->longest * 1e3);

  plg_markdown_row (out,
                    (const char *const[]) { name, tier, links, calls, bytes, time, longest, NULL });
}

static void
append_sums (GString *out, const PlgPlan *plan, const PlgReport *report)
{
  g_autoptr (GArray) sums = add_up (report);

  plg_markdown_heading (out,
                        (const char *const[]) { _ ("Collective"), _ ("Link"), _ ("Links"),
                                                _ ("Calls"), _ ("GB"), _ ("ms, all links"),
                                                _ ("ms, busiest link"), NULL },
                        2);
  for (guint i = 0; i < sums->len; i++)
    {
      const Sum *sum = &g_array_index (sums, Sum, i);
      guint row = i / TIERS;
      g_autofree char *name = NULL;

      if (sum->links == 0 || sum->bytes == 0.0)
        continue;
      if (row < report->collectives->len)
        {
          const PlgCollective *collective = &g_array_index (report->collectives, PlgCollective,
                                                            row);

          name = g_strdup_printf ("%s %s", plg_axis_label (collective->axis),
                                  plg_collective_kind_title (collective));
        }
      append_sum (out, name != NULL ? name : _ ("All"),
                  plg_tier_title (&plan->cluster, (PlgTier) (i % TIERS)), sum);
    }
}

/* Links */

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

static char *
collectives_of (const PlgReport *report, const PlgLink *link)
{
  GString *text = g_string_new (NULL);

  for (int i = 0; i < link->n_shares; i++)
    {
      const PlgLinkShare *share = &g_array_index (report->link_shares, PlgLinkShare,
                                                  link->first_share + i);
      const PlgCollective *collective = &g_array_index (report->collectives, PlgCollective,
                                                        share->collective);

      g_string_append_printf (text, "%s%s %s", text->len > 0 ? ", " : "",
                              plg_axis_label (collective->axis),
                              plg_collective_kind_title (collective));
    }
  return g_string_free (text, FALSE);
}

static void
append_link (GString *out, const PlgPlan *plan, const PlgReport *report, const PlgLink *link)
{
  g_autofree char *id = plg_link_id (link);
  g_autofree char *from = plg_link_from (link, plan);
  g_autofree char *to = plg_link_to (link, plan);
  g_autofree char *ends = g_strdup_printf ("%s – %s", from, to);
  g_autofree char *bytes = number ((link->bytes_out + link->bytes_in) / PLG_GB);
  g_autofree char *time = number (link->time * 1e3);
  g_autofree char *share = plg_format_share (plg_report_share_of_step (report, link->time));
  g_autofree char *who = collectives_of (report, link);

  plg_markdown_row (out, (const char *const[]) { id, ends, who, bytes, time, share, NULL });
}

static void
append_busiest (GString *out, const PlgPlan *plan, const PlgReport *report)
{
  g_autoptr (GArray) order = g_array_new (FALSE, FALSE, sizeof (guint));

  for (guint i = 0; i < report->links->len; i++)
    if (g_array_index (report->links, PlgLink, i).n_shares > 0)
      g_array_append_val (order, i);
  g_array_sort_with_data (order, compare_links, (gpointer) report);
  g_string_append_printf (out, "\n## %s\n\n", _ ("The busiest links"));
  plg_markdown_heading (out,
                        (const char *const[]) { _ ("Link"), _ ("Ends"), _ ("Collectives"), _ ("GB"),
                                                _ ("ms"), _ ("Of the step"), NULL },
                        3);
  for (guint i = 0; i < MIN (order->len, BUSIEST); i++)
    append_link (out, plan, report,
                 &g_array_index (report->links, PlgLink, g_array_index (order, guint, i)));
}

static GBytes *
write_topology_notes (const PlgWriting *writing, GError **error)
{
  const PlgReport *report = writing->report;
  g_autofree char *title = NULL;
  GString *out;

  if (!plg_need_report (writing, error))
    return NULL;
  title = plg_plan_display_title (writing->plan);
  out = g_string_new ("# ");
  plg_markdown_append (out, title);
  g_string_append_printf (out, "\n\n%s\n\n",
                          _ ("Which collective crosses which links, in one step of training. GB "
                             "count both directions; the rows of a kind of link add up to “All”."));
  append_sums (out, writing->plan, report);
  append_busiest (out, writing->plan, report);
  return plg_take_text (g_string_free (out, FALSE));
}

const PlgFormat plg_topology_notes_format = {
  .name = "topology-notes",
  .suffix = ".md",
  .title = N_ ("Which collective crosses which links (Markdown)"),
  .subject = PLG_SUBJECT_REPORT,
  .write = write_topology_notes,
};
