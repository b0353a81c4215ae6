/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "io/import/format.h"
#include "io/reports/links-csv.h"

#include "plan/quantity.h"

#include <glib/gi18n-lib.h>
#include <string.h>

/* Appends a cell. Quotes the text if it contains separators, quotes or line breaks. */
static void
add_text (GString *csv, char separator, const char *text)
{
  g_auto (GStrv) pieces = NULL;
  g_autofree char *doubled = NULL;

  if (csv->len > 0 && csv->str[csv->len - 1] != '\n')
    g_string_append_c (csv, separator);
  if (strchr (text, separator) == NULL && strpbrk (text, "\"\n") == NULL)
    {
      g_string_append (csv, text);
      return;
    }
  pieces = g_strsplit (text, "\"", -1);
  doubled = g_strjoinv ("\"\"", pieces);
  g_string_append_printf (csv, "\"%s\"", doubled);
}

static void
add_number (GString *csv, char separator, double value)
{
  g_autofree char *text = plg_format_exact (value);

  add_text (csv, separator, text);
}

static void
add_load (GString *csv, char separator, double calls, double out, double in, double time)
{
  add_number (csv, separator, calls);
  add_number (csv, separator, out);
  add_number (csv, separator, in);
  add_number (csv, separator, time);
}

/* Returns the PlgLinkShare with index I among those of LINK, or NULL if REPORT has no shares. */
static const PlgLinkShare *
nth_share (const PlgReport *report, const PlgLink *link, int i)
{
  guint at = link->first_share + i;

  return at < report->link_shares->len ? &g_array_index (report->link_shares, PlgLinkShare, at)
                                       : NULL;
}

char *
plg_link_collectives (const PlgReport *report, const PlgLink *link)
{
  GString *text = g_string_new (NULL);

  for (int i = 0; i < link->n_shares; i++)
    {
      const PlgLinkShare *share = nth_share (report, link, i);

      const PlgCollective *collective;

      if (share == NULL || share->collective < 0 ||
          share->collective >= (int) report->collectives->len)
        continue;
      collective = &g_array_index (report->collectives, PlgCollective, share->collective);
      g_string_append_printf (text, "%s%s %s", text->len > 0 ? ", " : "",
                              plg_axis_label (collective->axis),
                              plg_collective_kind_title (collective));
    }
  return g_string_free (text, FALSE);
}

static void
add_ends (GString *csv, const PlgPlan *plan, const PlgLink *link, char separator)
{
  g_autofree char *id = plg_link_id (link);
  g_autofree char *from = plg_link_from (link, plan);
  g_autofree char *to = plg_link_to (link, plan);

  add_text (csv, separator, id);
  add_text (csv, separator, plg_tier_name (link->tier));
  add_text (csv, separator, from);
  add_text (csv, separator, to);
}

/* Appends the user's name for the node of LINK, or an empty cell. */
static void
add_node_name (GString *csv, const PlgPlan *plan, const PlgLink *link, char separator)
{
  const char *name = link->node >= 0 ? plg_node_names_get (&plan->node_names, link->node) : NULL;

  add_text (csv, separator, name != NULL ? name : "");
}

/* Appends the heading line. TITLES has the column titles, separated by spaces. */
static void
add_titles (GString *csv, const char *titles, char separator)
{
  g_autofree char *line = g_strdelimit (g_strdup (titles), " ", separator);

  g_string_append_printf (csv, "%s\n", line);
}

char *
plg_links_csv (const PlgPlan *plan,
               const PlgReport *report,
               char separator,
               const int *order,
               int n)
{
  GString *csv = g_string_new (NULL);

  add_titles (csv,
              "link tier from to bandwidth_bytes_per_s calls bytes_out bytes_in busy_s busy_share "
              "collectives node_name",
              separator);
  for (int i = 0; i < (order != NULL ? n : (int) report->links->len); i++)
    {
      int index = order != NULL ? order[i] : i;
      const PlgLink *link;
      g_autofree char *collectives = NULL;

      if (index < 0 || index >= (int) report->links->len)
        continue;
      link = &g_array_index (report->links, PlgLink, index);
      collectives = plg_link_collectives (report, link);
      add_ends (csv, plan, link, separator);
      add_number (csv, separator, link->bandwidth);
      add_load (csv, separator, link->calls, link->bytes_out, link->bytes_in, link->time);
      add_number (csv, separator, plg_report_share_of_step (report, link->time));
      add_text (csv, separator, collectives);
      add_node_name (csv, plan, link, separator);
      g_string_append_c (csv, '\n');
    }
  return g_string_free (csv, FALSE);
}

char *
plg_link_shares_csv (const PlgPlan *plan, const PlgReport *report, char separator)
{
  GString *csv = g_string_new (NULL);

  add_titles (csv, "link tier from to axis collective calls bytes_out bytes_in busy_s node_name",
              separator);
  for (guint i = 0; i < report->links->len; i++)
    {
      const PlgLink *link = &g_array_index (report->links, PlgLink, i);

      for (int k = 0; k < link->n_shares; k++)
        {
          const PlgLinkShare *share = nth_share (report, link, k);
          const PlgCollective *collective;
          g_autofree char *name = NULL;

          if (share == NULL)
            continue;
          collective = &g_array_index (report->collectives, PlgCollective, share->collective);
          name = plg_collective_name (collective);
          add_ends (csv, plan, link, separator);
          add_text (csv, separator, plg_axis_label (collective->axis));
          /* Write the argument of --collective that selects this collective, but without the
           * axis: for example "all-reduce:loss". */
          add_text (csv, separator, strchr (name, ':') + 1);
          add_load (csv, separator, share->calls, share->bytes_out, share->bytes_in, share->time);
          add_node_name (csv, plan, link, separator);
          g_string_append_c (csv, '\n');
        }
    }
  return g_string_free (csv, FALSE);
}

static GBytes *
write_links (const PlgExportContext *export, GError **error)
{
  return plg_need_report (export, error)
             ? plg_take_text (plg_links_csv (export->plan, export->report, ',', NULL, 0))
             : NULL;
}

const PlgFormat plg_links_format = {
  .name = "links",
  .suffix = ".links.csv",
  .title = N_ ("Links and their load (CSV)"),
  .subject = PLG_SUBJECT_REPORT,
  .write = write_links,
};

static GBytes *
write_ledger (const PlgExportContext *export, GError **error)
{
  return plg_need_report (export, error)
             ? plg_take_text (plg_link_shares_csv (export->plan, export->report, ','))
             : NULL;
}

const PlgFormat plg_ledger_format = {
  .name = "ledger",
  .suffix = ".ledger.csv",
  .title = N_ ("Each collective on each link (CSV)"),
  .subject = PLG_SUBJECT_REPORT,
  .write = write_ledger,
};
