/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "io/placement/host-names.h"
#include "io/placement/launch-placement.h"
#include "io/registry/registry.h"
#include "plan/settings/setting-name.h"

#include <glib/gi18n-lib.h>

GBytes *
plg_format_write (const PlgFormat *format, const PlgExportContext *export, GError **error)
{
  g_return_val_if_fail (format->write != NULL, NULL);
  if (format->can_place != NULL && !format->can_place (export->plan, error))
    return NULL;

  PlgExportContext complete = *export;
  g_autoptr (GPtrArray) titles = g_ptr_array_new ();

  if (plg_format_omits_placement (format, export->plan))
    {
      int n;
      const PlgFormat *const *formats = plg_formats (&n);

      for (int i = 0; i < n; i++)
        if (plg_format_keeps_placement (formats[i], export->plan))
          g_ptr_array_add (titles, (gpointer) formats[i]->title);
      g_ptr_array_add (titles, NULL);
      complete.placement_formats = (const char *const *) titles->pdata;
    }
  return format->write (&complete, error);
}

gboolean
plg_format_keeps_placement (const PlgFormat *format, const PlgPlan *plan)
{
  return format->subject == PLG_SUBJECT_PLACEMENT && format->write != NULL &&
         (format->can_place == NULL || format->can_place (plan, NULL));
}

gboolean
plg_format_omits_placement (const PlgFormat *format, const PlgPlan *plan)
{
  return format->subject == PLG_SUBJECT_TRAINING && !plg_launch_is_default_placement (plan);
}

char *
plg_format_write_note (const PlgFormat *format, const PlgPlan *plan)
{
  g_auto (GStrv) hosts = plg_host_names_of_plan (plan);
  int n = plg_cluster_hosts (&plan->cluster), unnamed = plg_launch_count_unnamed_hosts (plan);
  int trays = plg_cluster_hosts_per_node (&plan->cluster);

  if (plg_format_omits_placement (format, plan))
    return g_strdup (_ ("Ranks were moved by hand, but this file does not store the placement, "
                        "so the launcher will decide which GPU each rank uses."));
  if (format->subject != PLG_SUBJECT_PLACEMENT)
    return NULL;
  if (format->needs_names && trays > 1 && unnamed > 0 && (!format->has_host_numbers || unnamed < n))
    {
      int first = 0;

      while (plg_launch_is_named (plan, first))
        first += trays;
      return g_strdup_printf (_ ("Each node has %d hosts. This file calls those of the first "
                                 "unnamed node %s to %s, and so on. Name the hosts, for example "
                                 "host[1-%d] for one node (%s), or replace these names before "
                                 "you start the training."),
                              trays, hosts[first], hosts[first + trays - 1], trays,
                              plg_setting_name ("cluster.node-names"));
    }
  if (!format->needs_names || unnamed == 0 || unnamed == n)
    return plg_host_names_warning ((const char *const *) hosts, n);
  return g_strdup_printf (_ ("%d of %d nodes have no name and are called node0, node1 and so on "
                             "here, according to their numbers. Name them (%s) before you start "
                             "the training."),
                          unnamed, plan->cluster.nodes, plg_setting_name ("cluster.node-names"));
}
