/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "io/import/format.h"
#include "io/reports/links-csv.h"

#include "plan/text/csv-writer.h"

#include <glib/gi18n-lib.h>
#include <string.h>

static void
add_load (PlgCsvWriter *csv, double calls, double out, double in, double time)
{
  plg_csv_add_number (csv, calls);
  plg_csv_add_number (csv, out);
  plg_csv_add_number (csv, in);
  plg_csv_add_number (csv, time);
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
add_ends (PlgCsvWriter *csv, const PlgPlan *plan, const PlgLink *link)
{
  g_autofree char *id = plg_link_id (link);
  g_autofree char *from = plg_link_from (link, plan);
  g_autofree char *to = plg_link_to (link, plan);

  plg_csv_add_text (csv, id);
  plg_csv_add_text (csv, plg_tier_name (link->tier));
  plg_csv_add_text (csv, from);
  plg_csv_add_text (csv, to);
}

/* Adds the user's name for the node of LINK, or an empty cell. */
static void
add_node_name (PlgCsvWriter *csv, const PlgPlan *plan, const PlgLink *link)
{
  const char *name = link->node >= 0 ? plg_node_names_get (&plan->node_names, link->node) : NULL;

  plg_csv_add_text (csv, name != NULL ? name : "");
}

/* Adds the heading row. TITLES has the column titles, separated by spaces. */
static void
add_titles (PlgCsvWriter *csv, const char *titles)
{
  g_auto (GStrv) words = g_strsplit (titles, " ", -1);

  plg_csv_add_texts (csv, (const char *const *) words);
  plg_csv_end_row (csv);
}

char *
plg_links_csv (const PlgPlan *plan,
               const PlgReport *report,
               char separator,
               const int *order,
               int n)
{
  PlgCsvWriter writer = { .out = g_string_new (NULL), .separator = separator }, *csv = &writer;

  add_titles (csv, "link tier from to bandwidth_bytes_per_s calls bytes_out bytes_in busy_s "
                   "busy_share collectives node_name");
  for (int i = 0; i < (order != NULL ? n : (int) report->links->len); i++)
    {
      int index = order != NULL ? order[i] : i;
      const PlgLink *link;
      g_autofree char *collectives = NULL;

      if (index < 0 || index >= (int) report->links->len)
        continue;
      link = &g_array_index (report->links, PlgLink, index);
      collectives = plg_link_collectives (report, link);
      add_ends (csv, plan, link);
      plg_csv_add_number (csv, link->bandwidth);
      add_load (csv, link->calls, link->bytes_out, link->bytes_in, link->time);
      plg_csv_add_number (csv, plg_report_share_of_step (report, link->time));
      plg_csv_add_text (csv, collectives);
      add_node_name (csv, plan, link);
      plg_csv_end_row (csv);
    }
  return plg_csv_take (csv);
}

char *
plg_link_shares_csv (const PlgPlan *plan, const PlgReport *report, char separator)
{
  PlgCsvWriter writer = { .out = g_string_new (NULL), .separator = separator }, *csv = &writer;

  add_titles (csv, "link tier from to axis collective calls bytes_out bytes_in busy_s node_name");
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
          add_ends (csv, plan, link);
          plg_csv_add_text (csv, plg_axis_label (collective->axis));
          /* Write the argument of --collective that selects this collective, but without the
           * axis: for example "all-reduce:loss". */
          plg_csv_add_text (csv, strchr (name, ':') + 1);
          add_load (csv, share->calls, share->bytes_out, share->bytes_in, share->time);
          add_node_name (csv, plan, link);
          plg_csv_end_row (csv);
        }
    }
  return plg_csv_take (csv);
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
