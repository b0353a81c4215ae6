/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "drawing/figure/pictures.h"

G_BEGIN_DECLS

/* What crosses links, collective by collective: an account for each of them. */

#define PLG_LEDGER_MAX_ACCOUNTS 8

typedef enum
{
  PLG_LEDGER_CALLS,
  PLG_LEDGER_OUT,
  PLG_LEDGER_IN,
  PLG_LEDGER_TIME,
} PlgLedgerColumn;
#define PLG_N_LEDGER_COLUMNS 4

typedef struct
{
  const PlgLink *link;
  int index;
  int pin; /* its number, or 0 */
} PlgLedgerAccount;

typedef struct
{
  const PlgPlan *plan;
  const PlgReport *report;
  PlgLedgerAccount accounts[PLG_LEDGER_MAX_ACCOUNTS];
  int n_accounts;
  GArray *rows;                      /* int: the collectives that any of them carries */
  double most[PLG_N_LEDGER_COLUMNS]; /* the longest bar */
} PlgLedger;

/* The accounts of what is lit; where it has none, of the busiest link. */
void plg_ledger_init (PlgLedger *ledger,
                      const PlgPlan *plan,
                      const PlgReport *report,
                      const PlgPictureOptions *options);
void plg_ledger_clear (PlgLedger *ledger);

/* Whether a GPU of STAGE sends over LINK, its own or its node's. */
gboolean plg_ledger_serves_stage (const PlgPlan *plan, const PlgLink *link, int stage);

/* The collective of ROW, by its index in the report, and its name: "DP all-reduce". g_free(). */
int plg_ledger_collective (const PlgLedger *ledger, int row);
char *plg_ledger_row_name (const PlgLedger *ledger, int row);
/* What LINK carries of COLLECTIVE, or NULL. */
const PlgLinkShare *plg_ledger_share (const PlgLedger *ledger, const PlgLink *link, int collective);

/* Calls, bytes or seconds a step; NAN where they are hidden. */
double plg_ledger_share_value (const PlgLinkShare *share, PlgLedgerColumn column);
double plg_ledger_link_value (const PlgLink *link, PlgLedgerColumn column);
char *plg_ledger_value_describe (PlgLedgerColumn column, double value);
const char *plg_ledger_column_title (PlgLedgerColumn column);

/* "2.1 %" of the step, and "50 GB/s per direction · busy 2.1 % of the step". g_free(). */
char *plg_ledger_busy_share (const PlgLedger *ledger, const PlgLink *link);
char *plg_ledger_busy_describe (const PlgLedger *ledger, const PlgLink *link);

/* Why there is no account. Nothing is known of what waits for an answer, which is not the same as
 * that nothing is sent. */
const char *plg_ledger_empty_describe (const PlgLedger *ledger);
/* Why the time of a collective is more than what its links are busy. */
#define PLG_N_LEDGER_NOTES 2
const char *plg_ledger_note (int i);

G_END_DECLS
