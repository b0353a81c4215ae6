/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "io/import/format.h"
#include "io/measured/gpu-driver-names.h"
#include "io/measured/link-fit.h"
#include "io/measured/nccl-log.h"
#include "io/topology/node-type-guess.h"
#include "plan/quantity.h"

#include <glib/gi18n-lib.h>
#include <string.h>

/* Applies measurements from nccl-tests to the cluster: the largest size gives the efficiency of
 * the links, and the smallest size gives the latency. */

/* The smallest message [bytes] that reaches the full rate of the links. */
#define LARGE_BYTES (8.0 * 1024 * 1024)
/* The largest message [bytes] whose time does not depend on its size. */
#define SMALL_BYTES (32.0 * 1024)
/* A note is added if the best bandwidth of a run is at least this multiple of the bandwidth at
 * the largest size. */
#define NOTABLE_SPEEDUP 1.2

typedef struct
{
  PlgImportContext *context;
  GPtrArray *runs;
  PlgCluster cluster;
} Output;

/* Finds the number of nodes of a test and the number of GPUs per node. Fails if the hosts have
 * different numbers of ranks. */
static gboolean
find_test (const Output *output, const PlgNcclLogRun *run, PlgLinkFitTest *test, GError **error)
{
  GHashTableIter iter;
  gpointer host, ranks;

  *test = (PlgLinkFitTest) { plg_nccl_log_program_kind (run->program),
                             (int) g_hash_table_size (run->hosts), 0 };
  g_hash_table_iter_init (&iter, run->hosts);
  while (g_hash_table_iter_next (&iter, &host, &ranks))
    test->per_node = MAX (test->per_node, GPOINTER_TO_INT (ranks));
  if (test->per_node * test->nodes != run->ranks)
    return plg_format_fail (run->line, PLG_FORMAT_ERROR_CONTENT, error,
                            _ ("The %d hosts do not have the same number of ranks; run the same "
                               "number on each."),
                            test->nodes);
  if (test->nodes > PLG_MAX_NODES || test->per_node > PLG_MAX_GPUS_PER_NODE)
    return plg_format_fail (run->line, PLG_FORMAT_ERROR_CONTENT, error,
                            _ ("%d hosts with %d ranks each are more than a plan can have."),
                            test->nodes, test->per_node);

  /* The hosts of the test may be trays of the plan's multi-host nodes. If so, combine them into
   * whole nodes, or into part of one node if they are fewer than the trays of a node. */
  const PlgCluster *cluster = &output->cluster;
  int trays = plg_cluster_hosts_per_node (cluster);
  int joined = test->nodes % trays == 0 ? trays : test->nodes < trays ? test->nodes : 1;

  if (trays != 1 && test->per_node == plg_cluster_host_gpus (cluster))
    {
      test->nodes /= joined;
      test->per_node *= joined;
    }

  return TRUE;
}


static gboolean
set_value (Output *output, int line, const char *key, double value, GError **error)
{
  char text[G_ASCII_DTOSTR_BUF_SIZE];

  return plg_import_set (output->context, line, key,
                         g_ascii_formatd (text, sizeof text, "%.4g", value), error);
}

static gboolean
fit_latency (Output *output, const PlgNcclLogRun *run, const PlgLinkFitTest *test, GError **error)
{
  PlgCluster *cluster = &output->cluster;
  gboolean network = test->nodes > 1;

  if (run->small.bytes > SMALL_BYTES)
    return TRUE;
  if (!plg_link_fit_latency (test, cluster, run->small.bytes, run->small.seconds))
    {
      g_autofree char *time = plg_format_time (run->small.seconds);

      plg_import_note (output->context, PLG_NOTE_IGNORED, run->small.line,
                       _ ("The time of %s for the smallest size does not fit any latency per "
                          "hop, so the plan’s latency is kept."),
                       time);
      return TRUE;
    }
  return set_value (output, run->small.line,
                    network ? "cluster.inter-latency" : "cluster.intra-latency",
                    (network ? cluster->inter_latency : cluster->intra_latency) * 1e6, error);
}

static gboolean
fit_efficiency (Output *output,
                const PlgNcclLogRun *run,
                const PlgLinkFitTest *test,
                GError **error)
{
  PlgCluster *cluster = &output->cluster;
  gboolean network = test->nodes > 1;
  double stated = network ? cluster->inter_bandwidth * test->per_node : cluster->intra_bandwidth;
  g_autofree char *reached = plg_format_bandwidth (run->large.bus_bandwidth);
  g_autofree char *rate = plg_format_bandwidth (stated);

  if (run->large.bytes < LARGE_BYTES)
    {
      plg_import_note (output->context, PLG_NOTE_IGNORED, run->large.line,
                       _ ("The largest size is too small to measure the bandwidth; measure up to "
                          "1 GiB or more."));
      return TRUE;
    }
  if (!plg_link_fit_efficiency (test, cluster, run->large.bytes, run->large.seconds))
    {
      /* The fit fails if the measured rate is higher than the links allow, or far too low. */
      if (test->nodes == 2 && test->kind == PLG_COLLECTIVE_ALL_REDUCE &&
          run->large.bus_bandwidth > stated)
        plg_import_note (
            output->context, PLG_NOTE_IGNORED, run->large.line,
            _ ("%s is more than the NICs of a node provide (%s), because between two nodes "
               "NCCL’s trees send only half of the data that busbw counts. The value does not "
               "apply to more nodes; measure with NCCL_ALGO=Ring."),
            reached, rate);
      else
        plg_import_note (output->context, PLG_NOTE_IGNORED, run->large.line,
                         _ ("%s does not fit the plan’s links (%s per direction); set their rate "
                            "first."),
                         reached, rate);
      return TRUE;
    }
  if (test->nodes == 2)
    plg_import_note (output->context, PLG_NOTE_INFERRED, run->large.line,
                     _ ("Two nodes reach a higher bandwidth than many nodes do, so a test with "
                        "more nodes is more reliable."));
  return set_value (output, run->large.line,
                    network ? "cluster.inter-efficiency" : "cluster.intra-efficiency",
                    network ? cluster->inter_efficiency : cluster->intra_efficiency, error);
}

/* Sets the GPU from its name in the output. If the plan has fewer nodes or fewer GPUs per node
 * than the test, raises these numbers to those of the test. If the GPU changes and the test ran
 * on several nodes, the plan gets the test's number of nodes even if the plan had more. */
static gboolean
fit_cluster (Output *output, const PlgNcclLogRun *run, const PlgLinkFitTest *test, GError **error)
{
  PlgImportContext *context = output->context;
  const char *gpu = plg_gpu_from_driver_name (run->device);
  gboolean other = gpu != NULL && !g_str_equal (gpu, output->cluster.gpu.name);
  g_autofree char *why = g_strdup_printf (_ ("The test ran on “%s”."), run->device);
  g_autofree char *nodes = g_strdup_printf ("%d", test->nodes);
  g_autofree char *gpus = g_strdup_printf ("%d", test->per_node);
  g_autofree char *shown = plg_text_excerpt (run->device, 40);
  g_autoptr (PlgPlan) plan = NULL;

  if (gpu == NULL)
    plg_import_note (context, PLG_NOTE_IGNORED, run->line,
                     _ ("“%s” is not in the catalogue, so the plan’s GPU is kept."), shown);
  if (other && !plg_import_infer_gpu (context, run->line, gpu, test->per_node, why, error))
    return FALSE;
  plan = plg_import_current_plan (context);
  if (plan->cluster.gpus_per_node < test->per_node &&
      !plg_import_infer (context, run->line, "cluster.gpus-per-node", gpus,
                         _ ("This many ranks ran on each host."), error))
    return FALSE;
  if (test->nodes > 1 && (other || plan->cluster.nodes < test->nodes) &&
      !plg_import_infer (context, run->line, "cluster.nodes", nodes,
                         _ ("The test ran on this many hosts."), error))
    return FALSE;
  plg_plan_free (plan);
  plan = plg_import_current_plan (context);
  output->cluster = plan->cluster;
  return TRUE;
}

/* If NETWORK is TRUE, fits the network to the best usable test on several nodes. Otherwise, fits
 * the links inside a node to the best usable test on one node. Call it with FALSE first, because
 * the fit of the network depends on the links inside a node. */
static gboolean
fit_runs (Output *output, gboolean network, GError **error)
{
  static gboolean (*const fits[]) (Output *, const PlgNcclLogRun *, const PlgLinkFitTest *,
                                   GError **) = { fit_cluster, fit_latency, fit_efficiency };
  const PlgNcclLogRun *best = NULL;
  PlgLinkFitTest test, best_test = { 0 };

  for (guint i = 0; i < output->runs->len; i++)
    {
      PlgNcclLogRun *run = output->runs->pdata[i];

      if (run->large.line == 0 || run->ranks < 2)
        continue;
      if (!plg_nccl_log_identify_program (output->context, run, error) ||
          !find_test (output, run, &test, error))
        return FALSE;
      if ((test.nodes > 1) != network)
        continue;

      g_autofree char *bytes = plg_format_volume (run->large.bytes);
      g_autofree char *bus_bandwidth = plg_format_bandwidth (run->large.bus_bandwidth);
      g_autofree char *measured_best = plg_format_bandwidth (run->best.bus_bandwidth);

      plg_import_note (output->context, PLG_NOTE_UNDERSTOOD, run->large.line,
                       _ ("Measured: %s of %s over %d GPUs (nodes: %d), with a bus bandwidth of "
                          "%s."),
                       plg_nccl_log_program_title (run->program), bytes, run->ranks, test.nodes,
                       bus_bandwidth);
      if (run->best.bus_bandwidth > NOTABLE_SPEEDUP * run->large.bus_bandwidth)
        plg_import_note (
            output->context, PLG_NOTE_INFERRED, run->best.line,
            _ ("A smaller size reached %s. The result of the largest size is used, since "
               "training sends large messages."),
            measured_best);

      if (best == NULL || test.nodes > best_test.nodes ||
          (test.nodes == best_test.nodes && run->program < best->program))
        {
          best = run;
          best_test = test;
        }
    }
  for (guint i = 0; best != NULL && i < G_N_ELEMENTS (fits); i++)
    if (!fits[i](output, best, &best_test, error))
      return FALSE;
  return TRUE;
}

static gboolean
read_output (PlgImportContext *context, GError **error)
{
  g_autoptr (GPtrArray) runs = plg_nccl_log_read (context, error);
  Output output = { context, runs, context->plan->cluster };
  gboolean rows = FALSE, network = FALSE;
  int wrong = 0;

  if (runs == NULL)
    return FALSE;
  for (guint i = 0; i < runs->len; i++)
    {
      const PlgNcclLogRun *run = runs->pdata[i];

      rows |= run->large.line > 0 && run->ranks > 1;
      network |= run->large.line > 0 && g_hash_table_size (run->hosts) > 1;
      wrong = wrong == 0 ? run->wrong : wrong;
    }
  if (!rows)
    {
      if (wrong > 0)
        return plg_format_fail (
            wrong, PLG_FORMAT_ERROR_CONTENT, error,
            _ ("All rows have wrong results, starting with this one (#wrong is not 0). The links "
               "corrupt data, so their rate cannot be measured. Repair the links and measure "
               "again."));
      return plg_format_fail (0, PLG_FORMAT_ERROR_CONTENT, error,
                              _ ("Nothing was measured between GPUs: no row has a time for two "
                                 "ranks or more."));
    }
  if (wrong > 0)
    plg_import_note (context, PLG_NOTE_IGNORED, wrong,
                     _ ("Rows with wrong results are ignored. Wrong results mean that the links "
                        "corrupt data."));
  if (!fit_runs (&output, FALSE, error) || !fit_runs (&output, TRUE, error))
    return FALSE;
  if (!network)
    plg_import_note (context, PLG_NOTE_INFERRED, 0,
                     _ ("The test ran on one node, so the efficiency of the network is left "
                        "unchanged."));
  return TRUE;
}

static gboolean
is_output (const char *data, gsize size)
{
  const char *thread = g_strstr_len (data, size, "nThread ");

  return (thread != NULL && g_strstr_len (thread, MIN (data + size - thread, 200), "nGpus ")) ||
         (g_strstr_len (data, size, "algbw") != NULL && g_strstr_len (data, size, "busbw") != NULL);
}

const PlgFormat plg_nccl_tests_format = {
  .name = "nccl-tests",
  .suffix = ".txt",
  .title = N_ ("Measured links (nccl-tests output)"),
  .subject = PLG_SUBJECT_CLUSTER,
  .sign = "algbw, busbw",
  .is = is_output,
  .read = read_output,
};
