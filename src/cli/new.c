/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "cli/command.h"
#include "engine/evaluate.h"
#include "engine/model/textbook.h"
#include "engine/search/suggest-degrees.h"
#include "io/plan/catalogue-xml.h"
#include "plan/settings/setting.h"

#include <glib/gi18n-lib.h>
#include <string.h>

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
  if (!plg_suggest_degrees (input->plan, set, &error))
    return plg_cli_fail (plg_cli_status (error, PLG_EXIT_USAGE), "%s", error->message);

  const PlgPlan *plan = input->plan;
  g_autoptr (PlgReport) report = plg_evaluate (plan, PLG_EVALUATE_TOTALS, NULL);

  if (report != NULL && !report->fits)
    {
      g_autofree char *needed = plg_profile_memory_distinct (plan->profile, report->memory_peak,
                                                             report->memory_capacity);
      g_autofree char *there = plg_profile_memory_distinct (plan->profile, report->memory_capacity,
                                                            report->memory_peak);

      plg_cli_fail (
          PLG_EXIT_DONE,
          _ ("This plan does not fit in memory (the fullest GPU needs %s but has %s), and "
             "no plan that fits was found; use more nodes."),
          needed, there);
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
  if (plg_cli_choose_type (NULL, NULL, output, plg_cli_plan_types) < 0)
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
