/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "drawing/charts/ledger.h"

#include "engine/report/redaction.h"
#include "plan/quantity.h"

#include <glib/gi18n-lib.h>
#include <math.h>

/* Returns the value of COLUMN, or NAN if it is hidden. Replaces a negative or infinite value
 * with 0. */
static double
select_value (PlgLedgerColumn column, double calls, double out, double in, double time)
{
  const double values[PLG_N_LEDGER_COLUMNS] = { calls, out, in, time };

  if (isnan (values[column]))
    return NAN;
  return isfinite (values[column]) ? MAX (values[column], 0) : 0;
}

double
plg_ledger_share_value (const PlgLinkShare *share, PlgLedgerColumn column)
{
  return select_value (column, share->calls, share->bytes_out, share->bytes_in, share->time);
}

double
plg_ledger_link_value (const PlgLink *link, PlgLedgerColumn column)
{
  return select_value (column, link->calls, link->bytes_out, link->bytes_in, link->time);
}

char *
plg_ledger_value_describe (PlgLedgerColumn column, double value)
{
  if (isnan (value))
    return g_strdup ("–");
  if (column == PLG_LEDGER_CALLS)
    return plg_format_count (value);
  return column == PLG_LEDGER_TIME ? plg_format_time (value) : plg_format_volume (value);
}

static const PlgLinkShare *
nth_share (const PlgLedger *ledger, const PlgLink *link, int i)
{
  guint at = link->first_share + i;

  return at < ledger->report->link_shares->len
             ? &g_array_index (ledger->report->link_shares, PlgLinkShare, at)
             : NULL;
}

const PlgLinkShare *
plg_ledger_share (const PlgLedger *ledger, const PlgLink *link, int collective)
{
  for (int i = 0; i < link->n_shares; i++)
    {
      const PlgLinkShare *share = nth_share (ledger, link, i);

      if (share != NULL && share->collective == collective)
        return share;
    }
  return NULL;
}

static void
add_account (PlgLedger *ledger, int index, int pin)
{
  if (index < 0 || index >= (int) ledger->report->links->len ||
      ledger->n_accounts == PLG_LEDGER_MAX_ACCOUNTS)
    return;
  for (int i = 0; i < ledger->n_accounts; i++)
    if (ledger->accounts[i].index == index)
      return;
  ledger->accounts[ledger->n_accounts++] = (PlgLedgerAccount) {
    &g_array_index (ledger->report->links, PlgLink, index), index, pin
  };
}

gboolean
plg_ledger_serves_stage (const PlgPlan *plan, const PlgLink *link, int stage)
{
  int per_node = plan->cluster.gpus_per_node, nics = MAX (plan->cluster.nics_per_node, 1);
  int first = link->local, end = link->local + 1;

  if (link->node < 0)
    return FALSE;
  if (link->tier == PLG_TIER_NIC)
    {
      first = link->local * per_node / nics;
      end = MAX ((link->local + 1) * per_node / nics, first + 1);
    }
  for (int local = first; local < end; local++)
    {
      int rank = plg_placement_rank (&plan->placement, link->node * per_node + local);

      if (rank >= 0 && plg_rank_coordinate (&plan->parallelism, rank).index[PLG_AXIS_PP] == stage)
        return TRUE;
    }
  return FALSE;
}

/* Returns the index of the busiest link that carries COLLECTIVE (-1: any) and is used by STAGE
 * (-1: any). Returns -1 if no such link has traffic or if all traffic is hidden. */
static int
busiest_link (const PlgLedger *ledger, int collective, int stage)
{
  PlgLedgerColumn column = !plg_report_hides (ledger->report, PLG_REDACT_BUSY) ? PLG_LEDGER_TIME
                           : !plg_report_hides (ledger->report, PLG_REDACT_BYTES)
                               ? PLG_LEDGER_OUT
                               : PLG_LEDGER_CALLS;
  int busiest = -1;
  double most = 0;

  for (guint i = 0; i < ledger->report->links->len; i++)
    {
      const PlgLink *link = &g_array_index (ledger->report->links, PlgLink, i);
      const PlgLinkShare *share = collective >= 0 ? plg_ledger_share (ledger, link, collective)
                                                  : NULL;
      double value = collective < 0  ? plg_ledger_link_value (link, column)
                     : share != NULL ? plg_ledger_share_value (share, column)
                                     : 0;

      if (value > most && (stage < 0 || plg_ledger_serves_stage (ledger->plan, link, stage)))
        {
          busiest = i;
          most = value;
        }
    }
  return busiest;
}

/* Returns whether COLLECTIVE has traffic on a pinned link of LEDGER or, if PINNED is FALSE, on a
 * link of LEDGER without a pin. */
static gboolean
is_collective_carried (const PlgLedger *ledger, int collective, gboolean pinned)
{
  for (int i = 0; i < ledger->n_accounts; i++)
    if ((ledger->accounts[i].pin > 0) == pinned &&
        plg_ledger_share (ledger, ledger->accounts[i].link, collective) != NULL)
      return TRUE;
  return FALSE;
}

void
plg_ledger_init (PlgLedger *ledger,
                 const PlgPlan *plan,
                 const PlgReport *report,
                 const PlgPictureOptions *options)
{
  *ledger = (PlgLedger) { .plan = plan, .report = report };
  for (int i = 0; i < options->n_highlighted; i++)
    {
      PlgEntity entity = options->highlighted[i];
      int pin = i < options->n_pins ? i + 1 : 0;

      if (entity.kind == PLG_ENTITY_LINK)
        add_account (ledger, entity.index, pin);
      else if (entity.kind == PLG_ENTITY_GPU)
        {
          int per_node = MAX (plan->cluster.gpus_per_node, 1);
          int local = entity.index % per_node;
          int nic = local * plan->cluster.nics_per_node / per_node;

          for (guint j = 0; j < report->links->len; j++)
            {
              const PlgLink *link = &g_array_index (report->links, PlgLink, j);
              int own = link->tier == PLG_TIER_NIC ? nic : local;

              if (link->node == entity.index / per_node && link->local == own && link->calls > 0)
                add_account (ledger, j, pin);
            }
        }
      else if (entity.kind == PLG_ENTITY_COLLECTIVE && entity.index >= 0)
        {
          const GArray *collectives = report->collectives;
          int link = -1;

          if (entity.index < (int) collectives->len)
            link = busiest_link (ledger, entity.index,
                                 g_array_index (collectives, PlgCollective, entity.index).stage);
          add_account (ledger, link >= 0 ? link : busiest_link (ledger, entity.index, -1), pin);
        }
    }
  if (ledger->n_accounts == 0)
    add_account (ledger, busiest_link (ledger, -1, -1), 0);

  /* List the collectives of pinned links first, so that their rows do not move when a link
   * without a pin adds rows. */
  ledger->rows = g_array_new (FALSE, FALSE, sizeof (int));
  for (int pinned = TRUE; pinned >= FALSE; pinned--)
    for (int i = 0; i < (int) report->collectives->len; i++)
      if (is_collective_carried (ledger, i, pinned) &&
          (pinned || !is_collective_carried (ledger, i, TRUE)))
        g_array_append_val (ledger->rows, i);

  for (int i = 0; i < ledger->n_accounts; i++)
    for (int k = 0; k < ledger->accounts[i].link->n_shares; k++)
      {
        const PlgLinkShare *share = nth_share (ledger, ledger->accounts[i].link, k);

        for (PlgLedgerColumn column = PLG_LEDGER_CALLS;
             share != NULL && column < PLG_N_LEDGER_COLUMNS; column++)
          ledger->most[column] = fmax (ledger->most[column],
                                       plg_ledger_share_value (share, column));
      }
}

void
plg_ledger_clear (PlgLedger *ledger)
{
  g_clear_pointer (&ledger->rows, g_array_unref);
}

int
plg_ledger_collective (const PlgLedger *ledger, int row)
{
  return g_array_index (ledger->rows, int, row);
}

char *
plg_ledger_row_name (const PlgLedger *ledger, int row)
{
  const PlgCollective *collective = &g_array_index (ledger->report->collectives, PlgCollective,
                                                    g_array_index (ledger->rows, int, row));

  return g_strdup_printf ("%s %s", plg_axis_label (collective->axis),
                          plg_collective_kind_title (collective));
}

char *
plg_ledger_busy_share (const PlgLedger *ledger, const PlgLink *link)
{
  return plg_format_share (plg_report_share_of_step (ledger->report, link->time));
}

char *
plg_ledger_busy_describe (const PlgLedger *ledger, const PlgLink *link)
{
  g_autofree char *bandwidth = plg_format_bandwidth (link->bandwidth);
  g_autofree char *share = plg_ledger_busy_share (ledger, link);

  return g_strdup_printf (_ ("%s per direction · busy %s of the step"), bandwidth, share);
}

const char *
plg_ledger_column_title (PlgLedgerColumn column)
{
  static const char *const titles[] = {
    [PLG_LEDGER_CALLS] = N_ ("Calls"),
    [PLG_LEDGER_OUT] = N_ ("Out"),
    [PLG_LEDGER_IN] = N_ ("In"),
    [PLG_LEDGER_TIME] = N_ ("Busy"),
  };

  G_STATIC_ASSERT (G_N_ELEMENTS (titles) == PLG_N_LEDGER_COLUMNS);
  return _ (titles[column]);
}

const char *
plg_ledger_empty_describe (const PlgLedger *ledger)
{
  static const guint parts[] = { PLG_REDACT_CALLS, PLG_REDACT_BYTES, PLG_REDACT_BUSY };
  guint redaction = ledger->report->redaction;
  const char *placeholder = plg_redaction_placeholder (redaction, PLG_REDACT_COMMUNICATION);

  /* If the current question hides one of these parts of the report, return the placeholder of
   * this question instead of the placeholder of a later question. */
  for (guint i = 0; i < G_N_ELEMENTS (parts); i++)
    if (plg_report_hides (ledger->report, parts[i]) &&
        !plg_redaction_is_later (redaction, parts[i]))
      placeholder = plg_redaction_placeholder (redaction, parts[i]);
  return placeholder != NULL ? placeholder : _ ("No link has traffic");
}

const char *
plg_ledger_note (int i)
{
  static const char *const notes[PLG_N_LEDGER_NOTES] = {
    N_ ("Busy: the time to transfer the bytes at the link's full rate."),
    N_ ("A collective takes longer because of latency and waiting."),
  };

  return _ (notes[i]);
}
