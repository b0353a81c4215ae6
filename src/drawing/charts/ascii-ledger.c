/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "drawing/charts/ledger.h"
#include "drawing/figure/monospace-table.h"
#include "drawing/charts/ascii.h"

#include <glib/gi18n-lib.h>

static void
add_monospace_row (PlgMonospaceTable *table,
                   const char *name,
                   const double values[PLG_N_LEDGER_COLUMNS])
{
  plg_monospace_table_add (table, name);
  for (PlgLedgerColumn column = PLG_LEDGER_CALLS; column < PLG_N_LEDGER_COLUMNS; column++)
    {
      plg_monospace_table_take (table, plg_ledger_value_describe (column, values[column]));
    }
}

void
plg_ascii_add_ledger (GString *out,
                      const PlgPlan *plan,
                      const PlgReport *report,
                      const PlgPictureOptions *options)
{
  PlgLedger ledger;

  plg_ledger_init (&ledger, plan, report, options);
  for (int i = 0; i < ledger.n_accounts; i++)
    {
      const PlgLedgerAccount *account = &ledger.accounts[i];
      g_autoptr (PlgMonospaceTable) table = plg_monospace_table_new (PLG_N_LEDGER_COLUMNS + 1);
      g_autofree char *title = plg_describe_link (ledger.plan, account->link);
      g_autofree char *busy = plg_ledger_busy_describe (&ledger, account->link);
      g_autofree char *pin = account->pin > 0 ? g_strdup_printf (_ ("Pin %d: "), account->pin)
                                              : g_strdup ("");
      g_autofree char *users = plg_describe_link_groups (ledger.plan, ledger.report,
                                                         account->index);
      const PlgLink *link = account->link;
      double values[PLG_N_LEDGER_COLUMNS];

      plg_monospace_add_line (out, "%s%s", pin, title);
      plg_monospace_add_line (out, "%s%s%s", busy, *users != '\0' ? " · " : "", users);
      plg_monospace_table_add (table, "");
      for (PlgLedgerColumn column = PLG_LEDGER_CALLS; column < PLG_N_LEDGER_COLUMNS; column++)
        plg_monospace_table_add (table, plg_ledger_column_title (column));
      for (guint row = 0; row < ledger.rows->len; row++)
        {
          const PlgLinkShare *share = plg_ledger_share (&ledger, link,
                                                        plg_ledger_collective (&ledger, row));
          g_autofree char *name = plg_ledger_row_name (&ledger, row);

          for (PlgLedgerColumn column = PLG_LEDGER_CALLS;
               share != NULL && column < PLG_N_LEDGER_COLUMNS; column++)
            values[column] = plg_ledger_share_value (share, column);
          if (share != NULL)
            add_monospace_row (table, name, values);
        }
      for (PlgLedgerColumn column = PLG_LEDGER_CALLS; column < PLG_N_LEDGER_COLUMNS; column++)
        values[column] = plg_ledger_link_value (link, column);
      add_monospace_row (table, _ ("In all"), values);
      plg_monospace_table_write (table, out);
      plg_monospace_end_line (out);
    }
  if (ledger.n_accounts == 0)
    plg_monospace_add_line (out, "%s", plg_ledger_empty_describe (&ledger));
  for (int i = 0; ledger.n_accounts > 0 && i < PLG_N_LEDGER_NOTES; i++)
    plg_monospace_add_line (out, "%s", plg_ledger_note (i));
  plg_ledger_clear (&ledger);
}
