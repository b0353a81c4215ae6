/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "placed-plan.h"

#include "plan/edit.h"
#include "plan/settings/setting.h"

#include <stdlib.h>
#include <string.h>

/* The default plan has 8 nodes of 8 GPUs, TP 8, PP 4 and DP 2. */
const PlacedPlan placed_plans[] = {
  { "ranks in order", { NULL }, { NULL } },
  { "Megatron's order", { "parallelism.order=tp-cp-dp-pp" }, { NULL } },
  { "TP outermost", { "parallelism.order=pp-dp-cp-tp" }, { NULL } },
  { "four axes",
    { "parallelism.tp=2", "parallelism.cp=4", "parallelism.pp=4", "parallelism.order=cp-tp-pp-dp" },
    { NULL } },
  { "one node", { "cluster.nodes=1", "parallelism.pp=1" }, { NULL } },
  { "small nodes", { "cluster.gpus-per-node=4", "parallelism.tp=4" }, { NULL } },
  { "GPUs of a node exchanged", { NULL }, { "0-5", "9-10", "11-15" } },
  { "nodes exchanged", { NULL }, { "n1-n4", "n0-n7" } },
  { "ranks on another node", { NULL }, { "4-12", "60-1", "13-14" } },
  { "named nodes",
    { "cluster.node-names=0=dgx-a,1=dgx-b,2=dgx-c,3=dgx-d,4=dgx-e,5=dgx-f,6=dgx-g,7=dgx-h" },
    { NULL } },
  { "named nodes out of order, moved",
    { "cluster.node-names=0=gpu-10,1=gpu-9,2=rack2.a_1,3=b,4=node7,5=X,6=y,7=Knoten" },
    { "4-12", "n0-n2", "63-62" } },
  { "nodes named like shell keywords",
    { "cluster.node-names=0=esac,1=done,2=case,3=in" },
    { "n0-n1" } },
  { "some nodes named", { "cluster.node-names=1=dgx-a,5=dgx-b" }, { "n1-n2" } },
  { "names with numbers of other nodes",
    { "cluster.node-names=0=node1,1=node0,2=node02" },
    { "0-1" } },
  { "names that are the defaults of other nodes",
    { "cluster.node-names=0=node7,1=node7-1,3=x" },
    { "n1-n2" } },
  { "shard groups",
    { "parallelism.pp=1", "parallelism.tp=4", "parallelism.replicate=4" },
    { "3-40" } },
  { "experts",
    { "model.name=mixtral-8x7b", "parallelism.pp=1", "parallelism.tp=2", "parallelism.ep=8" },
    { "3-40" } },
  { "divided experts",
    { "model.name=mixtral-8x7b", "parallelism.pp=4", "parallelism.tp=4", "parallelism.ep=2",
      "parallelism.etp=2", "parallelism.order=pp-tp-cp-dp" },
    { NULL } },
};
const int n_placed_plans = G_N_ELEMENTS (placed_plans);

static void
move (PlgPlan *plan, const char *what)
{
  g_auto (GStrv) ends = g_strsplit (what, "-", 2);
  g_autoptr (GError) error = NULL;

  if (ends[0][0] == 'n')
    plg_edit_swap_nodes (plan, atoi (ends[0] + 1), atoi (ends[1] + 1), &error);
  else
    plg_edit_swap_ranks (plan, atoi (ends[0]), atoi (ends[1]), &error);
  g_assert_no_error (error);
}

PlgPlan *
placed_plan (const PlacedPlan *placed, const PlgCatalogue *catalogue)
{
  PlgPlan *plan = plg_catalogue_default_plan (catalogue);
  g_autoptr (GError) error = NULL;

  plg_settings_apply (plan, catalogue, placed->settings, &error);
  g_assert_no_error (error);
  for (int i = 0; placed->moves[i] != NULL; i++)
    move (plan, placed->moves[i]);
  return plan;
}

PlgPlan *
placed_plan_base (const PlgPlan *plan)
{
  PlgPlan *base = plg_plan_copy (plan);

  plg_placement_clear (&base->placement);
  plg_node_names_clear (&base->node_names);
  return base;
}

char *
placed_plan_write (const PlgPlan *plan, const char *format, GError **error)
{
  g_autoptr (GBytes) bytes = plg_format_write (plg_format_find (format),
                                               &(PlgExportContext) { .plan = plan }, error);
  gsize size;
  const char *data = bytes != NULL ? g_bytes_get_data (bytes, &size) : NULL;

  return data != NULL ? g_strndup (data, size) : NULL;
}

PlgImportResult *
placed_plan_read (const char *text,
                  const char *format,
                  const PlgPlan *base,
                  const PlgCatalogue *catalogue,
                  GError **error)
{
  g_autoptr (GBytes) bytes = g_bytes_new_static (text, strlen (text));
  PlgImportResult *import = plg_format_read (bytes, "FILE", base, catalogue, error);

  if (import != NULL)
    g_assert_cmpstr (import->format->name, ==, format);
  return import;
}

gboolean
placed_plan_same (const PlgPlan *a, const PlgPlan *b)
{
  PlgParallelism parallelism = a->parallelism;

  for (int axis = 0; axis < PLG_N_AXES; axis++)
    if (a->parallelism.degree[axis] != b->parallelism.degree[axis] ||
        (axis != PLG_AXIS_EP && a->parallelism.degree[axis] > 1 &&
         plg_axis_stride (&a->parallelism, axis) != plg_axis_stride (&b->parallelism, axis)))
      return FALSE;
  memcpy (parallelism.order, b->parallelism.order, sizeof parallelism.order);
  return plg_parallelism_equal (&parallelism, &b->parallelism) &&
         plg_placement_equal (&a->placement, &b->placement) &&
         a->cluster.nodes == b->cluster.nodes &&
         a->cluster.gpus_per_node == b->cluster.gpus_per_node;
}

void
assert_broken (const BrokenFile *files, int n, const char *format, const PlgCatalogue *catalogue)
{
  for (int i = 0; i < n; i++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (PlgImportResult)
                     import = placed_plan_read (files[i].text, format, NULL, catalogue, &error);

      if (files[i].says == NULL)
        g_assert_no_error (error);
      else if (import != NULL)
        g_error ("%s: the file was read", files[i].name);
      else if (!g_str_has_prefix (error->message, files[i].says))
        g_error ("%s: “%s” is not “%s”", files[i].name, error->message, files[i].says);
    }
}
