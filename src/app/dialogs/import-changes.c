/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "app/dialogs/import-changes.h"

#include "io/registry/registry.h"
#include "io/placement/host-names.h"
#include "io/placement/launch-placement.h"
#include "plan/host-list.h"
#include "io/reports/plan-sentences.h"
#include "plan/fault.h"
#include "plan/quantity.h"
#include "plan/settings/setting-describe.h"

#include <glib/gi18n.h>

#define SHOWN_CHARACTERS 100

/* Keys that get no row of their own, because another row covers the key or because the key is
 * internal. */
static const char *const keys_without_row[] = {
  "model.*",
  "view.*",
  "cluster.nodes",
  "cluster.gpus-per-node",
  "cluster.gpu",
  "cluster.faults",
  "parallelism.tp",
  "parallelism.cp",
  "parallelism.ep",
  "parallelism.pp",
  "parallelism.dp",
  "cluster.node-names",
  NULL,
};

static void
change_free (PlgImportChange *change)
{
  g_free (change->title);
  g_free (change->text);
  g_free (change);
}

/* Adds a row for the change from BEFORE to AFTER, and takes ownership of both strings. Adds
 * nothing if the value has not changed. */
static void
add_change (GPtrArray *changes, const char *title, char *before, char *after)
{
  if (!g_str_equal (before, after))
    {
      g_autofree char *from = plg_text_excerpt (*before != '\0' ? before : "–", SHOWN_CHARACTERS);
      g_autofree char *to = plg_text_excerpt (*after != '\0' ? after : "–", SHOWN_CHARACTERS);
      PlgImportChange *change = g_new (PlgImportChange, 1);

      *change = (PlgImportChange) { g_strdup (title), g_strdup_printf ("%s → %s", from, to) };
      g_ptr_array_add (changes, change);
    }
  g_free (before);
  g_free (after);
}

static char *
describe_gpus (const PlgPlan *plan)
{
  return g_strdup_printf (_ ("%d × %d %s"), plan->cluster.nodes, plan->cluster.gpus_per_node,
                          plan->cluster.gpu.title);
}

/* Returns the node names in the same form as the list of imported values, for example
 * "gpu[000-015]". */
static char *
describe_node_names (const PlgPlan *plan)
{
  gboolean all = plg_launch_count_unnamed_hosts (plan) == 0;
  g_auto (GStrv) hosts = all ? plg_host_names_of_plan (plan) : plg_host_names_of_nodes (plan);

  if (plan->node_names.size == 0)
    return g_strdup ("");
  return plg_host_list_contract ((const char *const *) hosts, (int) g_strv_length (hosts));
}

/* Returns a summary of the faults, for example "The NVLink port of GPU 8 runs at 55.6 % and 7
 * more". */
static char *
describe_faults (const PlgPlan *plan)
{
  const PlgCluster *cluster = &plan->cluster;
  g_autofree char *first = NULL;
  int more = cluster->n_faults - 1;

  if (more < 0)
    return g_strdup ("");
  first = plg_fault_describe (cluster, &plan->node_names, &cluster->faults[0]);
  if (more == 0)
    return g_steal_pointer (&first);
  return g_strdup_printf (g_dngettext (GETTEXT_PACKAGE, "%s and %d more", "%s and %d more", more),
                          first, more);
}

static char *
describe_node_topology (const PlgPlan *plan)
{
  const PlgNodeTopology *map = &plan->node_topology;

  g_autofree char *gpus = g_strdup_printf (g_dngettext (GETTEXT_PACKAGE, "%d GPU", "%d GPUs",
                                                        map->gpus),
                                           map->gpus);
  g_autofree char *nics = g_strdup_printf (g_dngettext (GETTEXT_PACKAGE, "%d NIC", "%d NICs",
                                                        map->nics),
                                           map->nics);

  if (plg_node_topology_is_empty (map))
    return g_strdup ("");
  return g_strdup_printf (_ ("%s and %s"), gpus, nics);
}

GPtrArray *
plg_import_changes (const PlgPlan *before,
                    const PlgReport *report_before,
                    const PlgPlan *after,
                    const PlgReport *report_after,
                    const PlgCatalogue *catalogue)
{
  GPtrArray *changes = g_ptr_array_new_with_free_func ((GDestroyNotify) change_free);

  add_change (changes, _ ("Model"), g_strdup (before->model.title), g_strdup (after->model.title));
  add_change (changes, _ ("Parameters"), plg_format_count (report_before->parameters_total),
              plg_format_count (report_after->parameters_total));
  add_change (changes, _ ("GPUs"), describe_gpus (before), describe_gpus (after));
  add_change (changes, _ ("Degrees"),
              plg_degrees_describe (before->parallelism.degree, after->parallelism.degree),
              plg_degrees_describe (after->parallelism.degree, before->parallelism.degree));
  add_change (changes, _ ("Node names"), describe_node_names (before), describe_node_names (after));

  int n;
  const PlgSetting *settings = plg_settings (&n);

  for (int i = 0; i < n; i++)
    {
      g_autofree char *old_value = plg_setting_get (&settings[i], before);
      g_autofree char *new_value = plg_setting_get (&settings[i], after);

      if (!plg_setting_is_among (settings[i].key, keys_without_row))
        add_change (changes, _ (settings[i].title),
                    plg_setting_describe_value (&settings[i], old_value, new_value, catalogue),
                    plg_setting_describe_value (&settings[i], new_value, old_value, catalogue));
    }

  g_autofree char *old_faults = plg_faults_to_string (&before->cluster);
  g_autofree char *new_faults = plg_faults_to_string (&after->cluster);

  if (!g_str_equal (old_faults, new_faults))
    add_change (changes, _ ("Faults"), describe_faults (before), describe_faults (after));

  g_autofree char *old_topology = describe_node_topology (before);
  g_autofree char *new_topology = describe_node_topology (after);

  if (!plg_node_topology_equal (&before->node_topology, &after->node_topology))
    {
      /* The descriptions contain only counts, so they can be equal even if the paths in the
       * topologies differ. */
      if (g_str_equal (old_topology, new_topology))
        add_change (changes, _ ("Node map"), g_steal_pointer (&old_topology),
                    g_strdup_printf (_ ("%s, with different paths"), new_topology));
      else
        add_change (changes, _ ("Node map"), g_steal_pointer (&old_topology),
                    g_steal_pointer (&new_topology));
    }

  /* The ranks can be on different GPUs even if both plans have the same number of moved ranks. */
  int old_moved = plg_placement_moved (&before->placement);
  int new_moved = plg_placement_moved (&after->placement);
  gboolean alike = old_moved == new_moved &&
                   !plg_placement_equal (&before->placement, &after->placement);

  add_change (changes, _ ("Ranks moved by hand"), g_strdup_printf ("%d", old_moved),
              alike ? g_strdup_printf (_ ("%d, on different GPUs"), new_moved)
                    : g_strdup_printf ("%d", new_moved));

  add_change (changes, _ ("Step time"), plg_format_time (report_before->step.time),
              plg_format_time (report_after->step.time));
  add_change (changes, _ ("Memory of the fullest GPU"),
              plg_format_memory (report_before->memory_peak),
              plg_format_memory (report_after->memory_peak));
  return changes;
}
