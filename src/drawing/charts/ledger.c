/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "drawing/charts/ledger.h"

#include "engine/report/redaction.h"
#include "plan/quantity.h"

#include <glib/gi18n-lib.h>
#include <math.h>

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

/* By what links are compared: by the time that they are busy, or as much as is told of it. */
static PlgLedgerColumn
column_of_most (const PlgReport *report)
{
  if ((report->redaction & PLG_REDACT_BUSY) == 0)
    return PLG_LEDGER_TIME;
  return (report->redaction & PLG_REDACT_BYTES) == 0 ? PLG_LEDGER_OUT : PLG_LEDGER_CALLS;
}

static gboolean
is_on_stage (const PlgPlan *plan, int gpu, int stage)
{
  int rank = plg_placement_rank (&plan->placement, gpu);

  return rank >= 0 && plg_rank_coordinate (&plan->parallelism, rank).index[PLG_AXIS_PP] == stage;
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
    if (is_on_stage (plan, link->node * per_node + local, stage))
      return TRUE;
  return FALSE;
}

/* The busiest link, of those that carry COLLECTIVE where it is not -1, and of those that serve
 * STAGE where that is not -1; -1 where nothing is sent, or told. */
static int
busiest_link (const PlgLedger *ledger, int collective, int stage)
{
  PlgLedgerColumn column = column_of_most (ledger->report);
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

/* The busiest link of COLLECTIVE on the stage that its row in the table is of, so that both tell
 * the same numbers. Where its GPUs have no such link of their own, the busiest of all. */
static int
link_of_collective (const PlgLedger *ledger, int collective)
{
  const GArray *collectives = ledger->report->collectives;
  int link = -1;

  if (collective < (int) collectives->len)
    link = busiest_link (ledger, collective,
                         g_array_index (collectives, PlgCollective, collective).stage);
  return link >= 0 ? link : busiest_link (ledger, collective, -1);
}

/* The links that a GPU has for itself: to its switch or root, and its NIC. */
static void
add_accounts_of_gpu (PlgLedger *ledger, int gpu, int pin)
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
add_accounts_of_thing (PlgLedger *ledger, PlgEntity entity, int pin)
{
  if (entity.kind == PLG_ENTITY_LINK)
    add_account (ledger, entity.index, pin);
  else if (entity.kind == PLG_ENTITY_GPU)
    add_accounts_of_gpu (ledger, entity.index, pin);
  else if (entity.kind == PLG_ENTITY_COLLECTIVE && entity.index >= 0)
    add_account (ledger, link_of_collective (ledger, entity.index), pin);
}

/* Whether an account that is pinned, or one that is not, has a row for COLLECTIVE. */
static gboolean
is_collective_carried (const PlgLedger *ledger, int collective, gboolean pinned)
{
  for (int i = 0; i < ledger->n_accounts; i++)
    if ((ledger->accounts[i].pin > 0) == pinned &&
        plg_ledger_share (ledger, ledger->accounts[i].link, collective) != NULL)
      return TRUE;
  return FALSE;
}

/* What is only pointed at puts its own rows below those of the pins, which stay where they are. */
static void
find_rows (PlgLedger *ledger)
{
  int n = (int) ledger->report->collectives->len;

  ledger->rows = g_array_new (FALSE, FALSE, sizeof (int));
  for (int i = 0; i < n; i++)
    if (is_collective_carried (ledger, i, TRUE))
      g_array_append_val (ledger->rows, i);
  for (int i = 0; i < n; i++)
    if (is_collective_carried (ledger, i, FALSE) && !is_collective_carried (ledger, i, TRUE))
      g_array_append_val (ledger->rows, i);
}

static void
find_most (PlgLedger *ledger)
{
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
plg_ledger_init (PlgLedger *ledger,
                 const PlgPlan *plan,
                 const PlgReport *report,
                 const PlgPictureOptions *options)
{
  *ledger = (PlgLedger) { .plan = plan, .report = report };
  for (int i = 0; i < options->n_highlighted; i++)
    add_accounts_of_thing (ledger, options->highlighted[i], i < options->n_pins ? i + 1 : 0);
  if (ledger->n_accounts == 0)
    add_account (ledger, busiest_link (ledger, -1, -1), 0);
  find_rows (ledger);
  find_most (ledger);
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
  const char *const names[PLG_N_LEDGER_COLUMNS] = { _ ("Calls"), _ ("Out"), _ ("In"), _ ("Busy") };

  return names[column];
}

const char *
plg_ledger_empty_describe (const PlgLedger *ledger)
{
  static const guint parts[] = { PLG_REDACT_CALLS, PLG_REDACT_BYTES, PLG_REDACT_BUSY };
  guint redaction = ledger->report->redaction;
  const char *veiled = plg_redaction_placeholder (redaction, PLG_REDACT_COMMUNICATION);

  /* An account begins with the first of its columns that is told. */
  for (guint i = 0; i < G_N_ELEMENTS (parts); i++)
    if ((redaction & parts[i]) != 0 && !plg_redaction_is_later (redaction, parts[i]))
      veiled = plg_redaction_placeholder (redaction, parts[i]);
  return veiled != NULL ? veiled : _ ("Nothing crosses a link");
}

const char *
plg_ledger_note (int i)
{
  static const char *const notes[PLG_N_LEDGER_NOTES] = {
    N_ ("Busy: the bytes, at the rate that the link reaches."),
    N_ ("A collective takes longer: latency and waiting come on top."),
  };

  return _ (notes[i]);
}
