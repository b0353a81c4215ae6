/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "drawing/figure/pictures.h"

G_BEGIN_DECLS

/* The traffic on links, with one account per link and one row per collective. */

#define PLG_LEDGER_MAX_ACCOUNTS 8

typedef enum
{
  PLG_LEDGER_CALLS, /* calls per step */
  PLG_LEDGER_OUT,   /* sent [bytes per step] */
  PLG_LEDGER_IN,    /* received [bytes per step] */
  PLG_LEDGER_TIME,  /* busy time [seconds per step] */
} PlgLedgerColumn;
#define PLG_N_LEDGER_COLUMNS 4

typedef struct
{
  const PlgLink *link;
  int index; /* index of the link in the report */
  int pin;   /* number of the pin, or 0 if the link is not pinned */
} PlgLedgerAccount;

typedef struct
{
  const PlgPlan *plan;     /* borrowed */
  const PlgReport *report; /* borrowed */
  PlgLedgerAccount accounts[PLG_LEDGER_MAX_ACCOUNTS];
  int n_accounts;
  GArray *rows;                      /* index in the report (int) of each collective that has
                                        traffic in at least one account */
  double most[PLG_N_LEDGER_COLUMNS]; /* largest value of each column over all accounts; the bars
                                        of the column are drawn relative to it */
} PlgLedger;

/* Opens an account for each highlighted link, for each link of a highlighted GPU if the link has
 * traffic, and for the busiest link of a highlighted collective. If this yields no account,
 * opens one for the busiest link of the cluster. */
void plg_ledger_init (PlgLedger *ledger,
                      const PlgPlan *plan,
                      const PlgReport *report,
                      const PlgPictureOptions *options);
void plg_ledger_clear (PlgLedger *ledger);

/* Returns whether LINK belongs to a GPU of STAGE or to the NIC of such a GPU. */
gboolean plg_ledger_serves_stage (const PlgPlan *plan, const PlgLink *link, int stage);

/* Returns the index in the report of the collective in ROW. */
int plg_ledger_collective (const PlgLedger *ledger, int row);
/* Returns: (transfer full): the name of the collective in ROW, for example "DP all-reduce". */
char *plg_ledger_row_name (const PlgLedger *ledger, int row);
/* Returns: (nullable): the traffic of COLLECTIVE on LINK, or NULL if LINK does not carry it. */
const PlgLinkShare *plg_ledger_share (const PlgLedger *ledger, const PlgLink *link, int collective);

/* Return the value of COLUMN: calls, bytes or seconds per step; NAN while the value is hidden. */
double plg_ledger_share_value (const PlgLinkShare *share, PlgLedgerColumn column);
double plg_ledger_link_value (const PlgLink *link, PlgLedgerColumn column);
char *plg_ledger_value_describe (PlgLedgerColumn column, double value);
const char *plg_ledger_column_title (PlgLedgerColumn column);

/* Returns: (transfer full): the share of the step during which LINK is busy, for example "2.1
 *   %". */
char *plg_ledger_busy_share (const PlgLedger *ledger, const PlgLink *link);
/* Returns: (transfer full): a text such as "50 GB/s per direction · busy 2.1 % of the step". */
char *plg_ledger_busy_describe (const PlgLedger *ledger, const PlgLink *link);

/* Returns a message that explains why there is no account: the traffic is hidden, or no link has
 * traffic. */
const char *plg_ledger_empty_describe (const PlgLedger *ledger);
/* Returns footnote I (0 or 1) of a ledger. The footnotes explain why a collective can take
 * longer than its links are busy. */
#define PLG_N_LEDGER_NOTES 2
const char *plg_ledger_note (int i);

G_END_DECLS
