/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "app/dialogs/import-changes.h"

#include "io/registry/format.h"
#include "io/placement/host-names.h"
#include "io/placement/launch-placement.h"
#include "plan/host-list.h"
#include "io/reports/plan-sentences.h"
#include "plan/fault.h"
#include "plan/quantity.h"
#include "plan/settings/setting-describe.h"

#include <glib/gi18n.h>

#define SHOWN_CHARACTERS 100

/* Keys without their own row, because a row above covers the key or the key is internal. */
static const char *const told[] = {
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

/* Takes ownership of BEFORE and AFTER. An unchanged value gets no row. */
static void
add (GPtrArray *changes, const char *title, char *before, char *after)
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
gpus_in_words (const PlgPlan *plan)
{
  return g_strdup_printf (_ ("%d × %d %s"), plan->cluster.nodes, plan->cluster.gpus_per_node,
                          plan->cluster.gpu.title);
}

/* "gpu[000-015]", as in the list of imported values */
static char *
names_in_words (const PlgPlan *plan)
{
  gboolean all = plg_launch_count_unnamed_hosts (plan) == 0;
  g_auto (GStrv) hosts = all ? plg_host_names_of_plan (plan) : plg_host_names_of_nodes (plan);

  if (plan->node_names.size == 0)
    return g_strdup ("");
  return plg_host_list_contract ((const char *const *) hosts, (int) g_strv_length (hosts));
}

/* "The NVLink port of GPU 8 runs at 55.6 % and 7 more" */
static char *
faults_in_words (const PlgPlan *plan)
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
map_in_words (const PlgPlan *plan)
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
                    const PlgReport *was,
                    const PlgPlan *after,
                    const PlgReport *becomes,
                    const PlgCatalogue *catalogue)
{
  GPtrArray *changes = g_ptr_array_new_with_free_func ((GDestroyNotify) change_free);

  add (changes, _ ("Model"), g_strdup (before->model.title), g_strdup (after->model.title));
  add (changes, _ ("Parameters"), plg_format_count (was->parameters_total),
       plg_format_count (becomes->parameters_total));
  add (changes, _ ("GPUs"), gpus_in_words (before), gpus_in_words (after));
  add (changes, _ ("Degrees"),
       plg_degrees_describe (before->parallelism.degree, after->parallelism.degree),
       plg_degrees_describe (after->parallelism.degree, before->parallelism.degree));
  add (changes, _ ("Names of nodes"), names_in_words (before), names_in_words (after));

  int n;
  const PlgSetting *settings = plg_settings (&n);

  for (int i = 0; i < n; i++)
    {
      g_autofree char *settings_was = plg_setting_get (&settings[i], before);
      g_autofree char *settings_becomes = plg_setting_get (&settings[i], after);

      if (!plg_setting_is_among (settings[i].key, told))
        add (changes, _ (settings[i].title),
             plg_setting_describe_value (&settings[i], settings_was, settings_becomes, catalogue),
             plg_setting_describe_value (&settings[i], settings_becomes, settings_was, catalogue));
    }

  g_autofree char *faults_was = plg_faults_to_string (&before->cluster);
  g_autofree char *faults_becomes = plg_faults_to_string (&after->cluster);

  if (!g_str_equal (faults_was, faults_becomes))
    add (changes, _ ("Faults"), faults_in_words (before), faults_in_words (after));

  g_autofree char *map_was = map_in_words (before);
  g_autofree char *map_becomes = map_in_words (after);

  if (!plg_node_topology_equal (&before->node_topology, &after->node_topology))
    {
      /* Equal counts with other paths are another topology. */
      if (g_str_equal (map_was, map_becomes))
        add (changes, _ ("Map of the node"), g_steal_pointer (&map_was),
             g_strdup_printf (_ ("%s, with other paths"), map_becomes));
      else
        add (changes, _ ("Map of the node"), g_steal_pointer (&map_was),
             g_steal_pointer (&map_becomes));
    }

  /* Counts the ranks moved by hand, both removed and added ones. */
  int placement_was = plg_placement_moved (&before->placement);
  int placement_becomes = plg_placement_moved (&after->placement);
  gboolean alike = placement_was == placement_becomes &&
                   !plg_placement_equal (&before->placement, &after->placement);

  add (changes, _ ("Ranks moved by hand"), g_strdup_printf ("%d", placement_was),
       alike ? g_strdup_printf (_ ("%d, on other GPUs"), placement_becomes)
             : g_strdup_printf ("%d", placement_becomes));

  add (changes, _ ("Step time"), plg_format_time (was->step.time),
       plg_format_time (becomes->step.time));
  add (changes, _ ("Memory of the fullest GPU"), plg_format_memory (was->memory_peak),
       plg_format_memory (becomes->memory_peak));
  return changes;
}
