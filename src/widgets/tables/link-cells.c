/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "widgets/tables/link-cells.h"

#include "drawing/figure/pictures.h"
#include "engine/report/redaction.h"
#include "io/reports/links-csv.h"
#include "plan/quantity.h"

#include <glib/gi18n-lib.h>

/* Returns the number of the pin on link INDEX, or 0 if the link is not pinned. */
static int
pin_number (PlgDocument *document, int index)
{
  int pins;
  const PlgEntity
      *highlighted = plg_highlight_model_entities (plg_document_highlight_model (document), NULL,
                                                   &pins);

  for (int i = 0; i < pins; i++)
    if (highlighted[i].kind == PLG_ENTITY_LINK && highlighted[i].index == index)
      return i + 1;
  return 0;
}

/* Returns the name of the link, preceded by the number of its pin if the link is pinned. The
 * number is a short mark such as "①", as on the canvas, to leave room for the name. */
static char *
marked_text (PlgDocument *document, const PlgLink *link, int index)
{
  static const char *const marks[] = { "①", "②", "③", "④", "⑤", "⑥", "⑦", "⑧", "⑨" };
  g_autofree char *words = plg_describe_link_ends (plg_document_plan (document), link);
  int pin = pin_number (document, index);

  if (pin > (int) G_N_ELEMENTS (marks))
    return g_strdup_printf ("(%d) %s", pin, words);
  return pin > 0 ? g_strconcat (marks[pin - 1], " ", words, NULL) : g_steal_pointer (&words);
}

char *
plg_link_cell_text (PlgDocument *document, int index, PlgLinkColumn column)
{
  const PlgReport *report = plg_document_report (document);
  const PlgLink *link = &g_array_index (report->links, PlgLink, index);

  switch (column)
    {
    case PLG_LINK_COLUMN_LINK:
      return marked_text (document, link, index);
    case PLG_LINK_COLUMN_TIER:
      return g_strdup (plg_tier_title (&plg_document_plan (document)->cluster, link->tier));
    case PLG_LINK_COLUMN_BANDWIDTH:
      return plg_format_bandwidth (link->bandwidth);
    case PLG_LINK_COLUMN_CALLS:
      return plg_format_count (link->calls);
    case PLG_LINK_COLUMN_OUT:
      return plg_format_volume (link->bytes_out);
    case PLG_LINK_COLUMN_IN:
      return plg_format_volume (link->bytes_in);
    case PLG_LINK_COLUMN_TIME:
      return plg_format_time (link->time);
    case PLG_LINK_COLUMN_SHARE:
      return plg_format_share (plg_report_share_of_step (report, link->time));
    case PLG_LINK_COLUMN_COLLECTIVES:
    default:
      return plg_report_hides (report, PLG_REDACT_CALLS) ? g_strdup ("–")
                                                         : plg_link_collectives (report, link);
    }
}

char *
plg_link_row_describe (PlgDocument *document, int index)
{
  const PlgLink *link = &g_array_index (plg_document_report (document)->links, PlgLink, index);
  g_autofree char *words = plg_describe_link_ends (plg_document_plan (document), link);
  int pin = pin_number (document, index);
  g_autofree char *name = pin > 0 ? g_strdup_printf (_ ("pin %d: %s"), pin, words)
                                  : g_steal_pointer (&words);
  g_autofree char *calls = plg_describe_calls (link->calls);
  g_autofree char *out = plg_format_volume (link->bytes_out);
  g_autofree char *in = plg_format_volume (link->bytes_in);
  g_autofree char *time = plg_format_time (link->time);

  return g_strdup_printf (_ ("%s: %s, %s out, %s in, busy %s"), name, calls, out, in, time);
}

const char *
plg_link_column_title (PlgLinkColumn column)
{
  static const char *const titles[] = {
    [PLG_LINK_COLUMN_LINK] = N_ ("Link"),
    [PLG_LINK_COLUMN_TIER] = N_ ("Tier"),
    [PLG_LINK_COLUMN_BANDWIDTH] = N_ ("Rate"),
    [PLG_LINK_COLUMN_CALLS] = N_ ("Calls"),
    [PLG_LINK_COLUMN_OUT] = N_ ("Out"),
    [PLG_LINK_COLUMN_IN] = N_ ("In"),
    [PLG_LINK_COLUMN_TIME] = N_ ("Busy"),
    [PLG_LINK_COLUMN_SHARE] = N_ ("Of the step"),
    [PLG_LINK_COLUMN_COLLECTIVES] = N_ ("Collectives"),
  };
  G_STATIC_ASSERT (G_N_ELEMENTS (titles) == PLG_N_LINK_COLUMNS);

  return _ (titles[column]);
}

gboolean
plg_link_column_is_text (PlgLinkColumn column)
{
  return column == PLG_LINK_COLUMN_LINK || column == PLG_LINK_COLUMN_TIER ||
         column == PLG_LINK_COLUMN_COLLECTIVES;
}
