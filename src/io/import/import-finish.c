/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "io/import/idle-settings.h"
#include "io/import/error-position.h"
#include "io/import/plan-repair.h"
#include "plan/plan-check.h"

#include <glib/gi18n-lib.h>
#include <stdlib.h>
#include <string.h>

/* Applies the file's node topology. If the file has none and the open plan's topology was
 * dropped, adds a note. */
static gboolean
apply_node_map (PlgImportContext *context, gboolean had_map, GError **error)
{
  PlgNodeTopology *map = &context->plan->node_topology;

  if (plg_node_topology_is_empty (&context->node_topology))
    {
      if (had_map && plg_node_topology_is_empty (map))
        plg_import_note (context, PLG_NOTE_INFERRED, 0,
                         _ ("The node map is dropped because it does not describe the new nodes."));
      return TRUE;
    }
  plg_node_topology_copy (map, &context->node_topology);
  return plg_plan_check (context->plan, error);
}

static int
line_of_key (const PlgImportContext *context, const char *key)
{
  return GPOINTER_TO_INT (g_hash_table_lookup (context->lines, key));
}

static gboolean
apply_placement (PlgImportContext *context, GError **error)
{
  PlgPlacement *placement = &context->plan->placement;

  if (context->gpu_of_rank == NULL)
    return TRUE;
  if (context->ranks != plg_plan_world (context->plan))
    return plg_format_fail (line_of_key (context, "cluster.nodes"), PLG_FORMAT_ERROR_CONTENT, error,
                            _ ("The file places %d ranks, but the plan has %d GPUs; the "
                               "product of the degrees must be the number of placed ranks."),
                            context->ranks, plg_plan_world (context->plan));
  plg_placement_clear (placement);
  placement->size = context->ranks;
  placement->gpu_of_rank = g_steal_pointer (&context->gpu_of_rank);
  plg_placement_simplify (placement);
  return plg_plan_check (context->plan, error);
}

/* Returns the line of the value that caused ERROR, or 0. */
static int
line_of_error (const PlgImportContext *context, const GError *error)
{
  const PlgPlanProblem *problem = plg_plan_problem (error);

  for (int i = 0; problem != NULL && i < PLG_MAX_CAUSES && problem->causes[i] != NULL; i++)
    if (line_of_key (context, problem->causes[i]) > 0)
      return line_of_key (context, problem->causes[i]);
  return 0;
}

/* Fails if the import understood nothing in the file. The error quotes the first note as the
 * reason. */
static gboolean
check_understood (const PlgImportContext *context, GError **error)
{
  const PlgNote *first = context->notes->len > 0 ? context->notes->pdata[0] : NULL;

  if (context->settings->len > 0 || context->gpu_of_rank != NULL ||
      !plg_node_topology_is_empty (&context->node_topology))
    return TRUE;
  for (guint i = 0; i < context->notes->len; i++)
    if (((const PlgNote *) context->notes->pdata[i])->kind != PLG_NOTE_IGNORED)
      return TRUE;
  return plg_format_fail (first != NULL ? first->line : 0, PLG_FORMAT_ERROR_CONTENT, error,
                          _ ("Nothing in this file was understood. %s"),
                          first != NULL ? first->text : "");
}

/* Makes each node a single host if the file changes the number of GPUs per node but does not set
 * the GPUs per host. */
static void
reset_gpus_per_host (PlgImportContext *context)
{
  const PlgCluster *cluster = &context->plan->cluster;
  const char *gpus = plg_import_get (context, "cluster.gpus-per-node");

  if (cluster->gpus_per_host == 0 || gpus == NULL || atoi (gpus) == cluster->gpus_per_node ||
      plg_import_get (context, "cluster.gpus-per-host") != NULL)
    return;
  plg_import_note (context, PLG_NOTE_INFERRED, 0,
                   _ ("Each node is assumed to be one host, because its size differs from that "
                      "of the nodes in the open plan, which have %d hosts."),
                   plg_cluster_hosts_per_node (cluster));
  plg_import_set_derived (context, "cluster.gpus-per-host", "0");
}

gboolean
plg_import_finish (PlgImportContext *context, GError **error)
{
  g_autoptr (PlgPlan) wanted = plg_plan_copy (context->plan);
  gboolean had_map = !plg_node_topology_is_empty (&context->plan->node_topology) &&
                     !plg_catalogue_gave_topology (context->catalogue, context->plan);
  gboolean had_placement = context->plan->placement.size > 0;
  const PlgSetting *settings;
  int n;

  if (!check_understood (context, error))
    return FALSE;
  reset_gpus_per_host (context);
  plg_import_keep_idle_settings (context);
  for (guint i = 0; i < context->settings->len; i++)
    if (!plg_setting_assign (wanted, context->catalogue, context->settings->pdata[i], error))
      return FALSE;
  g_ptr_array_add (context->settings, NULL);
  if (!plg_plan_repair (context->plan, context->catalogue,
                        (const char *const *) context->settings->pdata, error))
    {
      int line = error != NULL && *error != NULL ? line_of_error (context, *error) : 0;

      plg_error_add_position (error, (PlgFilePosition) { line, 0 });
      return FALSE;
    }

  /* Add a note for each setting that the repair changed. */
  settings = plg_settings (&n);
  for (int i = 0; i < n; i++)
    {
      g_autofree char *before = plg_setting_get (&settings[i], wanted);
      g_autofree char *after = plg_setting_get (&settings[i], context->plan);
      g_autofree char *changed = NULL;

      if (g_str_equal (before, after))
        continue;
      changed = plg_import_describe_setting (context, settings[i].key, after);
      plg_import_note (context, PLG_NOTE_INFERRED, 0,
                       _ ("%s. It was %s and was changed to fit the other values."), changed,
                       *before != '\0' ? before : _ ("empty"));
    }

  if (had_placement && context->plan->placement.size == 0 && context->gpu_of_rank == NULL)
    plg_import_note (context, PLG_NOTE_INFERRED, 0,
                     _ ("Ranks that were moved by hand return to the GPUs that the nesting order "
                        "gives them, because the degrees or their order have changed."));

  return apply_node_map (context, had_map, error) && apply_placement (context, error);
}
