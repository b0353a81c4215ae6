/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "cli/command.h"
#include "engine/evaluate.h"
#include "engine/model/textbook.h"
#include "engine/search/fitting-plan.h"
#include "io/plan/catalogue-xml.h"
#include "plan/settings/setting.h"

#include <glib/gi18n-lib.h>
#include <string.h>

/* The number of micro-batches per replica per step in a new plan, which is enough for a small
 * bubble. */
#define MICRO_BATCHES 32

static const int degrees[] = { 8, 4, 2, 1 };

static void
set_degree (PlgPlan *plan, const char *const *assignments, PlgAxis axis, int degree)
{
  g_autofree char *key = g_strconcat ("parallelism.", plg_axis_name (axis), NULL);

  if (!plg_settings_have_key (assignments, key))
    plan->parallelism.degree[axis] = degree;
}

/* Sets the DP degree that fills the cluster, and scales the batch with DP. Fills at most
 * PLG_MAX_GPUS GPUs, so that the error for a larger cluster names the cluster and not a DP
 * degree that the user never set. */
static void
fill_cluster (PlgPlan *plan, const char *const *assignments)
{
  const int *degree = plan->parallelism.degree;
  gint64 others = (gint64) degree[PLG_AXIS_TP] * degree[PLG_AXIS_CP] * degree[PLG_AXIS_PP];
  gint64 batch;

  set_degree (plan, assignments, PLG_AXIS_DP,
              (int) MAX (1, MIN (plg_cluster_gpus (&plan->cluster), PLG_MAX_GPUS) / others));
  batch = (gint64) MICRO_BATCHES * plan->training.micro_batch * degree[PLG_AXIS_DP];
  if (!plg_settings_have_key (assignments, "training.global-batch"))
    plan->training.global_batch = (int) MIN (batch, G_MAXINT);
}

/* Chooses degrees with which the plan can exist. Prefers the largest TP within a node, then the
 * largest PP, then the largest EP. Keeps the degrees from the command line. */
static gboolean
choose_degrees (PlgPlan *plan, const char *const *assignments, GError **error)
{
  gsize n = G_N_ELEMENTS (degrees);

  for (gsize i = 0; i < n * n * n; i++)
    {
      int tp = degrees[i / (n * n)], pp = degrees[i / n % n], ep = degrees[i % n];

      if ((plan->cluster.gpus_per_node % tp != 0 && tp > 1) || pp > 4 ||
          (ep > 1 && !plg_transformer_is_moe (&plan->model)))
        continue;
      set_degree (plan, assignments, PLG_AXIS_TP, tp);
      set_degree (plan, assignments, PLG_AXIS_PP, pp);
      set_degree (plan, assignments, PLG_AXIS_EP, ep);
      fill_cluster (plan, assignments);
      g_clear_error (error);
      if (plg_plan_check (plan, error))
        return TRUE;
    }
  return FALSE;
}

/* Sets the requested model and cluster in the plan of INPUT, which starts as the default plan. */
static PlgExit
design (PlgInput *input, const char *model, const char *cluster)
{
  const char *const *set = (const char *const *) input->assignments;
  /* Collect all requested values. The --set values come last, so that they can override other
   * values. */
  char **assignments_set = input->assignments;
  GPtrArray *assignments = g_ptr_array_new_with_free_func (g_free);

  if (cluster != NULL)
    {
      /* Turn "hgx-h100" or "4xhgx-h100" into assignments. */
      gsize digits = strspn (cluster, "0123456789");
      gboolean is_counted = digits > 0 && cluster[digits] == 'x';

      g_ptr_array_add (assignments,
                       g_strconcat ("cluster.node=", is_counted ? cluster + digits + 1 : cluster,
                                    NULL));
      if (is_counted)
        g_ptr_array_add (assignments,
                         g_strdup_printf ("cluster.nodes=%.*s", (int) digits, cluster));
    }
  if (model != NULL)
    g_ptr_array_add (assignments, g_strconcat ("model.name=", model, NULL));
  for (int i = 0; assignments_set != NULL && assignments_set[i] != NULL; i++)
    g_ptr_array_add (assignments, g_strdup (assignments_set[i]));
  g_ptr_array_add (assignments, NULL);
  g_autoptr (GPtrArray) all = assignments;
  g_autoptr (GError) error = NULL;

  if (!plg_settings_assign (input->plan, input->catalogue, (const char *const *) all->pdata,
                            &error))
    return plg_cli_usage_error ("%s", error->message);
  if (!choose_degrees (input->plan, set, &error))
    return plg_cli_fail (plg_cli_status (error, PLG_EXIT_USAGE), "%s", error->message);
  if (!plg_search_fitting_plan (input->plan, set, MICRO_BATCHES))
    {
      const PlgPlan *plan = input->plan;
      g_autoptr (PlgReport) report = plg_evaluate (plan, PLG_EVALUATE_TOTALS, NULL);
      g_autofree char *needed = NULL;
      g_autofree char *there = NULL;

      if (report != NULL)
        {
          needed = plg_profile_memory_distinct (plan->profile, report->memory_peak,
                                                report->memory_capacity);
          there = plg_profile_memory_distinct (plan->profile, report->memory_capacity,
                                               report->memory_peak);
          plg_cli_fail (
              PLG_EXIT_DONE,
              _ ("This plan does not fit in memory (the fullest GPU needs %s but has %s), and "
                 "no plan that fits was found; use more nodes."),
              needed, there);
        }
    }
  return PLG_EXIT_DONE;
}

PlgExit
plg_command_new (int argc, char **argv)
{
  g_auto (PlgInput) input = { .kind = PLG_INPUT_NEW };
  g_autofree char *model = NULL;
  g_autofree char *cluster = NULL;
  g_autofree char *output = NULL;
  gboolean force = FALSE;
  const GOptionEntry entries[] = {
    { "model", 'm', 0, G_OPTION_ARG_STRING, &model, N_ ("A model from the catalogue"),
      N_ ("NAME") },
    { "cluster", 'c', 0, G_OPTION_ARG_STRING, &cluster,
      N_ ("A node from the catalogue, and the number of nodes (default: 8)"), N_ ("[NODESx]NAME") },
    { "output", 'o', 0, G_OPTION_ARG_FILENAME, &output,
      N_ ("The output file; standard output if omitted or -"), N_ ("FILE") },
    { "force", 'f', 0, G_OPTION_ARG_NONE, &force, N_ ("Replace an existing FILE"), NULL },
    { NULL },
  };
  g_autoptr (GBytes) bytes = NULL;
  g_autoptr (GError) error = NULL;
  PlgExit status;

  if (!plg_cli_parse (_ ("Makes a plan from the catalogue, with degrees that suit the model and "
                         "the cluster.\n"
                         "All other values are those of the default plan."),
                      entries, &input, argc, argv))
    return PLG_EXIT_USAGE;
  input.catalogue = plg_catalogue_load (NULL);
  input.plan = plg_catalogue_default_plan (input.catalogue);
  status = design (&input, model, cluster);
  if (status != PLG_EXIT_DONE)
    return status;
  plg_cli_begin_file (&input);
  bytes = plg_format_write (plg_format_find ("xml"), &(PlgExportContext) { .plan = input.plan },
                            &error);
  plg_cli_end_file (&input);
  if (bytes == NULL)
    return plg_cli_fail (PLG_EXIT_PLAN, "%s", error->message);
  return plg_cli_write (output, bytes, force);
}
