/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "engine/collective.h"
#include "formats/format-private.h"
#include "formats/gpu-names.h"
#include "formats/link-fit.h"
#include "formats/node-kind.h"
#include "plan/quantity.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

/* What nccl-tests and rccl-tests print (github.com/NVIDIA/nccl-tests, src/common.cu): the ranks
 * with their hosts, then a row for each size. The largest size says what is reached of the stated
 * rate, the smallest the latency. Several outputs may follow each other, and other lines stand
 * between.
 */

/* A smaller message is not yet as fast as the links. */
#define LARGE_BYTES (8.0 * 1024 * 1024)
/* A larger one takes time by its bytes. */
#define SMALL_BYTES (32.0 * 1024)
/* What columns of a row may miss each other by: they are rounded, and older versions counted the
 * sizes of some collectives by rank. */
#define SLACK 2.5
/* The best size is told where it was this much faster than the largest. */
#define MUCH_FASTER 1.2
#define SHOWN_CHARACTERS 40

static const struct
{
  const char *program;
  const char *title;
  PlgCollectiveKind kind;
  int rank; /* which is preferred where several say the same: the plainest */
} programs[] = {
  { "all_gather_perf", "all-gather", PLG_COLLECTIVE_ALL_GATHER, 0 },
  { "reduce_scatter_perf", "reduce-scatter", PLG_COLLECTIVE_REDUCE_SCATTER, 1 },
  { "all_reduce_perf", "all-reduce", PLG_COLLECTIVE_ALL_REDUCE, 2 },
  { "alltoall_perf", "all-to-all", PLG_COLLECTIVE_ALL_TO_ALL, 3 },
  { "sendrecv_perf", "send/recv", PLG_COLLECTIVE_SEND_RECV, 4 },
};

typedef struct
{
  int line;
  double bytes;
  double seconds;
  double bus; /* bytes/s */
} Row;

/* One output. */
typedef struct
{
  int line;
  int program; /* in the table; -1: not told yet */
  int ranks;
  GHashTable *hosts; /* name: number of its ranks */
  GHashTable *seen;  /* ranks */
  char *device;
  Row small, large, best; /* line 0: none */
  int wrong;              /* the first row with wrong results */
} Run;

typedef struct
{
  PlgReading *reading;
  GPtrArray *runs;
  int program; /* that was named last */
  PlgCluster cluster;
} Output;

static void
run_free (Run *run)
{
  g_hash_table_unref (run->hosts);
  g_hash_table_unref (run->seen);
  g_free (run->device);
  g_free (run);
}

static Run *
current_run (const Output *output)
{
  return output->runs->len > 0 ? output->runs->pdata[output->runs->len - 1] : NULL;
}

static void
begin_run (Output *output, int line)
{
  Run *run = g_new0 (Run, 1);

  run->line = line;
  run->program = output->program;
  run->hosts = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  run->seen = g_hash_table_new (NULL, NULL);
  g_ptr_array_add (output->runs, run);
}

/* Lines */

static GPtrArray *
split (const char *line)
{
  GPtrArray *words = g_ptr_array_new_with_free_func (g_free);
  g_auto (GStrv) all = g_strsplit_set (line, " \t", -1);

  for (int i = 0; all[i] != NULL; i++)
    if (*all[i] != '\0')
      g_ptr_array_add (words, g_strdup (all[i]));
  return words;
}

static const char *
word (const GPtrArray *words, guint i)
{
  return i < words->len ? words->pdata[i] : "";
}

static int
find_word (const GPtrArray *words, const char *name)
{
  for (guint i = 0; i < words->len; i++)
    if (g_str_equal (words->pdata[i], name))
      return (int) i;
  return -1;
}

static void
find_program (Output *output, const char *line)
{
  for (guint i = 0; i < G_N_ELEMENTS (programs); i++)
    if (strstr (line, programs[i].program) != NULL)
      {
        output->program = (int) i;
        /* Newer versions say it below their first line. */
        if (current_run (output) != NULL && current_run (output)->large.line == 0)
          current_run (output)->program = (int) i;
      }
}

/* The words from I on, with spaces. g_free(). */
static char *
rest_of (const GPtrArray *words, guint i)
{
  GString *text = g_string_new (NULL);

  for (; i < words->len; i++)
    g_string_append_printf (text, "%s%s", text->len > 0 ? " " : "", (char *) words->pdata[i]);
  return g_string_free (text, FALSE);
}

/* "#  Rank  0 Group  0 Pid 1887 on worker-1 device  0 [0x8d] NVIDIA H100 80GB HBM3" */
static gboolean
read_rank (Output *output, int line, const GPtrArray *words, int at, GError **error)
{
  Run *run = current_run (output);
  int on = find_word (words, "on"), device = find_word (words, "device");
  guint64 rank, group = 0;
  int ranks;

  if (!g_ascii_string_to_unsigned (word (words, at + 1), 10, 0, PLG_MAX_GPUS - 1, &rank, NULL) ||
      on < at || device != on + 2)
    return plg_reading_fail (output->reading, line, PLG_FORMAT_ERROR_SYNTAX, error,
                             _ ("This rank is cut off; a line is “Rank 0 … on HOST device 0 … "
                                "NAME”."));
  if (g_str_equal (word (words, at + 2), "Group") &&
      g_ascii_string_to_unsigned (word (words, at + 3), 10, 0, G_MAXINT, &group, NULL) && group > 0)
    return plg_reading_fail (output->reading, line, PLG_FORMAT_ERROR_CONTENT, error,
                             _ ("Several groups ran at once; run the test with one, without "
                                "NCCL_TESTS_SPLIT."));
  if (!g_hash_table_add (run->seen, GUINT_TO_POINTER ((guint) rank)))
    return plg_reading_fail (output->reading, line, PLG_FORMAT_ERROR_CONTENT, error,
                             _ ("Rank %d is there twice: the processes do not know each other. "
                                "Build nccl-tests with MPI=1."),
                             (int) rank);
  ranks = GPOINTER_TO_INT (g_hash_table_lookup (run->hosts, word (words, on + 1)));
  g_hash_table_insert (run->hosts, g_strdup (word (words, on + 1)), GINT_TO_POINTER (ranks + 1));
  run->ranks++;
  if (run->device == NULL)
    run->device = rest_of (words, device + 3);
  return TRUE;
}

static gboolean
is_type (const char *text)
{
  static const char *const types[] = { "int8",     "uint8",    "int32",  "uint32",
                                       "int64",    "uint64",   "half",   "float",
                                       "double",   "bfloat16", "f8e4m3", "f8e5m2",
                                       "fp8_e4m3", "fp8_e5m2", "char",   NULL };

  return g_strv_contains (types, text);
}

static gboolean
read_number (const char *text, double *value)
{
  char *end;

  *value = g_ascii_strtod (text, &end);
  return end > text && *end == '\0' && isfinite (*value) && *value >= 0.0;
}

/* Where the time stands behind the type: behind the operation and the root, which older versions
 * and some collectives leave out. */
static int
time_column (const GPtrArray *words, int type)
{
  int at = type + 1, numbers;

  if (g_ascii_isalpha (*word (words, at)))
    at++;
  numbers = (int) words->len - at;
  return at + (numbers == 5 || numbers >= 9);
}

/* Says which of the four COLUMNS of a row, ascending, is missing or no number. */
static gboolean
fail_row (const Output *output,
          int line,
          const GPtrArray *words,
          const int *columns,
          GError **error)
{
  for (int i = 0; i < 4 && columns[3] < (int) words->len; i++)
    {
      static const char *const names[] = { "size", "time", "algbw", "busbw" };
      g_autofree char *shown = plg_format_excerpt (words->pdata[columns[i]], SHOWN_CHARACTERS);
      const char *text = words->pdata[columns[i]];
      double value;
      char *end;

      /* "nan", "inf" and less than 0; words are of another column. */
      g_ascii_strtod (text, &end);
      if (end > text && *end == '\0' && !read_number (text, &value))
        return plg_reading_fail (output->reading, line, PLG_FORMAT_ERROR_SYNTAX, error,
                                 _ ("%s of this row is “%s”, not a number from 0; run the test "
                                    "again."),
                                 names[i], shown);
    }
  return plg_reading_fail (output->reading, line, PLG_FORMAT_ERROR_SYNTAX, error,
                           _ ("This row is cut off; it has size, count, type, operation, root, "
                              "time, algbw and busbw."));
}

/* "8388608 2097152 float sum -1 992.6 8.45 16.20 0 986.0 8.51 16.31 0": the first time is of
 * buffers that are not the same, as most programs have them. */
static gboolean
read_row (Output *output, int line, const GPtrArray *words, int type, GError **error)
{
  int at = time_column (words, type);
  double bytes, time, algorithm, bus, wrong;
  g_autofree char *shown = NULL;
  Row row;
  Run *run = current_run (output);

  if (!read_number (word (words, type - 2), &bytes) || !read_number (word (words, at), &time) ||
      !read_number (word (words, at + 1), &algorithm) || !read_number (word (words, at + 2), &bus))
    return fail_row (output, line, words, (const int[]) { type - 2, at, at + 1, at + 2 }, error);
  if (run == NULL || run->ranks == 0)
    return plg_reading_fail (output->reading, line, PLG_FORMAT_ERROR_CONTENT, error,
                             _ ("The lines “# Rank 0 … on HOST device 0” are missing above this "
                                "row; they say how many GPUs and nodes there are."));
  if (bytes == 0.0 || time == 0.0)
    return TRUE;
  row = (Row) { line, bytes, time * 1e-6, bus * 1e9 };
  if (bus > 0.1 && (bytes / row.seconds > SLACK * run->ranks * algorithm * 1e9 ||
                    algorithm * 1e9 > SLACK * bytes / row.seconds))
    {
      shown = plg_format_bandwidth (algorithm * 1e9);
      return plg_reading_fail (output->reading, line, PLG_FORMAT_ERROR_CONTENT, error,
                               _ ("Size and time of this row are not the algbw of %s that stands "
                                  "beside them."),
                               shown);
    }
  if (read_number (word (words, at + 3), &wrong) && wrong >= 1.0)
    {
      run->wrong = run->wrong == 0 ? line : run->wrong;
      return TRUE;
    }
  if (run->small.line == 0 || row.bytes < run->small.bytes)
    run->small = row;
  if (row.bytes >= run->large.bytes)
    run->large = row;
  if (row.bus > run->best.bus)
    run->best = row;
  return TRUE;
}

/* The column of the type in a row of measurements, or -1. */
static int
type_column (const GPtrArray *words)
{
  double number;

  for (guint i = 2; i < words->len; i++)
    if (is_type (words->pdata[i]))
      return read_number (words->pdata[i - 1], &number) ? (int) i : -1;
  return -1;
}

static gboolean
read_line (Output *output, int line, const char *text, GError **error)
{
  g_autoptr (GPtrArray) words = split (text);
  int rank = find_word (words, "Rank"), type;

  find_program (output, text);
  if (find_word (words, "nThread") >= 0)
    begin_run (output, line);
  else if (rank >= 0 && find_word (words, "Pid") > rank && current_run (output) != NULL)
    return read_rank (output, line, words, rank, error);
  else if ((type = type_column (words)) >= 0)
    return read_row (output, line, words, type, error);
  return TRUE;
}

static gboolean
read_lines (Output *output, GError **error)
{
  g_autofree char **lines = plg_reading_lines (output->reading, error);

  if (lines == NULL)
    return FALSE;
  for (int i = 0; lines[i] != NULL; i++)
    if (!read_line (output, i + 1, lines[i], error))
      return FALSE;
  return TRUE;
}

/* Which test it was */

/* By the factor between busbw and algbw: 2 (n-1)/n, (n-1)/n or 1. */
static gboolean
find_kind (const Output *output, Run *run, GError **error)
{
  double n = run->ranks, factor = run->large.bus * run->large.seconds / run->large.bytes;

  if (run->program >= 0)
    return TRUE;
  if (fabs (factor - 2.0 * (n - 1.0) / n) < 0.05)
    run->program = 2;
  else if (n > 2.0 && fabs (factor - 1.0) < 0.02)
    run->program = 4;
  if (run->program < 0)
    return plg_reading_fail (output->reading, run->line, PLG_FORMAT_ERROR_CONTENT, error,
                             _ ("The output does not say which collective it is of; put the "
                                "command above it, such as all_gather_perf or alltoall_perf."));
  plg_reading_note (output->reading, PLG_NOTE_INFERRED, run->line,
                    _ ("The test is of %s, as busbw over algbw tells."),
                    programs[run->program].title);
  return TRUE;
}

/* As many ranks on each host. */
static gboolean
find_test (const Output *output, const Run *run, PlgLinkTest *test, GError **error)
{
  GHashTableIter iter;
  gpointer host, ranks;

  *test = (PlgLinkTest) { programs[run->program].kind, (int) g_hash_table_size (run->hosts), 0 };
  g_hash_table_iter_init (&iter, run->hosts);
  while (g_hash_table_iter_next (&iter, &host, &ranks))
    test->per_node = MAX (test->per_node, GPOINTER_TO_INT (ranks));
  if (test->per_node * test->nodes != run->ranks)
    return plg_reading_fail (output->reading, run->line, PLG_FORMAT_ERROR_CONTENT, error,
                             _ ("The %d hosts do not have the same number of ranks; run as many on "
                                "each."),
                             test->nodes);
  if (test->nodes > PLG_MAX_NODES || test->per_node > PLG_MAX_GPUS_PER_NODE)
    return plg_reading_fail (output->reading, run->line, PLG_FORMAT_ERROR_CONTENT, error,
                             _ ("%d hosts of %d ranks are more than a plan can have."), test->nodes,
                             test->per_node);
  return TRUE;
}

/* What it says of the cluster */

static void
tell_measured (Output *output, const Run *run, const PlgLinkTest *test)
{
  g_autofree char *bytes = plg_format_volume (run->large.bytes);
  g_autofree char *bus = plg_format_bandwidth (run->large.bus);
  g_autofree char *best = plg_format_bandwidth (run->best.bus);

  plg_reading_note (output->reading, PLG_NOTE_UNDERSTOOD, run->large.line,
                    _ ("Measured: %s of %s over %d GPUs (nodes: %d), %s of bus bandwidth."),
                    programs[run->program].title, bytes, run->ranks, test->nodes, bus);
  if (run->best.bus > MUCH_FASTER * run->large.bus)
    plg_reading_note (output->reading, PLG_NOTE_INFERRED, run->best.line,
                      _ ("A smaller size reached %s. The largest is taken, as training sends for "
                         "long."),
                      best);
}

static gboolean
set_value (Output *output, int line, const char *key, double value, GError **error)
{
  char text[G_ASCII_DTOSTR_BUF_SIZE];

  return plg_reading_set (output->reading, line, key,
                          g_ascii_formatd (text, sizeof text, "%.4g", value), error);
}

static gboolean
take_latency (Output *output, const Run *run, const PlgLinkTest *test, GError **error)
{
  PlgCluster *cluster = &output->cluster;
  gboolean network = test->nodes > 1;

  if (run->small.bytes > SMALL_BYTES)
    return TRUE;
  if (!plg_link_fit_latency (test, cluster, run->small.bytes, run->small.seconds))
    {
      g_autofree char *time = plg_format_time (run->small.seconds);

      plg_reading_note (output->reading, PLG_NOTE_IGNORED, run->small.line,
                        _ ("%s for the smallest size: no latency of a hop explains it."), time);
      return TRUE;
    }
  return set_value (output, run->small.line,
                    network ? "cluster.inter-latency" : "cluster.intra-latency",
                    (network ? cluster->inter_latency : cluster->intra_latency) * 1e6, error);
}

/* Why it could not be: faster than the links, or hardly moving. */
static void
tell_not_taken (Output *output, const Run *run, const PlgLinkTest *test)
{
  const PlgCluster *cluster = &output->cluster;
  double stated = test->nodes > 1 ? cluster->inter_bandwidth * test->per_node
                                  : cluster->intra_bandwidth;
  g_autofree char *reached = plg_format_bandwidth (run->large.bus);
  g_autofree char *rate = plg_format_bandwidth (stated);

  if (test->nodes == 2 && test->kind == PLG_COLLECTIVE_ALL_REDUCE && run->large.bus > stated)
    plg_reading_note (output->reading, PLG_NOTE_IGNORED, run->large.line,
                      _ ("%s is more than the NICs of a node have (%s): between two nodes, NCCL’s "
                         "trees send half of what busbw counts. It says nothing of more nodes; "
                         "measure with NCCL_ALGO=Ring."),
                      reached, rate);
  else
    plg_reading_note (output->reading, PLG_NOTE_IGNORED, run->large.line,
                      _ ("%s does not go with the plan’s links (%s and direction); set their rate "
                         "first."),
                      reached, rate);
}

static gboolean
take_efficiency (Output *output, const Run *run, const PlgLinkTest *test, GError **error)
{
  PlgCluster *cluster = &output->cluster;
  gboolean network = test->nodes > 1;

  if (run->large.bytes < LARGE_BYTES)
    {
      plg_reading_note (output->reading, PLG_NOTE_IGNORED, run->large.line,
                        _ ("The largest size is too small to tell the bandwidth; measure up to "
                           "1 GiB or more."));
      return TRUE;
    }
  if (!plg_link_fit_efficiency (test, cluster, run->large.bytes, run->large.seconds))
    {
      tell_not_taken (output, run, test);
      return TRUE;
    }
  if (test->nodes == 2)
    plg_reading_note (output->reading, PLG_NOTE_INFERRED, run->large.line,
                      _ ("Two nodes reach more than many do; a test on more says more."));
  return set_value (output, run->large.line,
                    network ? "cluster.inter-efficiency" : "cluster.intra-efficiency",
                    network ? cluster->inter_efficiency : cluster->intra_efficiency, error);
}

/* The GPU by its name, and as many GPUs and nodes as took part where the plan has fewer. */
static gboolean
take_cluster (Output *output, const Run *run, const PlgLinkTest *test, GError **error)
{
  PlgReading *reading = output->reading;
  const char *gpu = plg_gpu_of_name (run->device);
  gboolean other = gpu != NULL && !g_str_equal (gpu, output->cluster.gpu.name);
  g_autofree char *why = g_strdup_printf (_ ("The test ran on “%s”."), run->device);
  g_autofree char *nodes = g_strdup_printf ("%d", test->nodes);
  g_autofree char *gpus = g_strdup_printf ("%d", test->per_node);
  g_autofree char *shown = plg_format_excerpt (run->device, 40);
  g_autoptr (PlgPlan) plan = NULL;

  if (gpu == NULL)
    plg_reading_note (reading, PLG_NOTE_IGNORED, run->line,
                      _ ("“%s”: the catalogue does not have it; the plan’s GPU stays."), shown);
  if (other && !plg_reading_infer_gpu (reading, run->line, gpu, test->per_node, why, error))
    return FALSE;
  plan = plg_reading_plan_so_far (reading);
  if (plan->cluster.gpus_per_node < test->per_node &&
      !plg_reading_infer (reading, run->line, "cluster.gpus-per-node", gpus,
                          _ ("As many ranks ran on each host."), error))
    return FALSE;
  if (test->nodes > 1 && (other || plan->cluster.nodes < test->nodes) &&
      !plg_reading_infer (reading, run->line, "cluster.nodes", nodes,
                          _ ("The test ran on as many hosts."), error))
    return FALSE;
  plg_plan_free (plan);
  plan = plg_reading_plan_so_far (reading);
  output->cluster = plan->cluster;
  return TRUE;
}

/* All outputs that can be used: those of one node first, since what the network has depends on what
 * is inside. */
static gboolean
take_runs (Output *output, gboolean network, GError **error)
{
  const Run *best = NULL;
  PlgLinkTest test, best_test = { 0 };

  for (guint i = 0; i < output->runs->len; i++)
    {
      Run *run = output->runs->pdata[i];

      if (run->large.line == 0 || run->ranks < 2)
        continue;
      if (!find_kind (output, run, error) || !find_test (output, run, &test, error))
        return FALSE;
      if ((test.nodes > 1) != network)
        continue;
      tell_measured (output, run, &test);
      if (best == NULL || test.nodes > best_test.nodes ||
          (test.nodes == best_test.nodes &&
           programs[run->program].rank < programs[best->program].rank))
        {
          best = run;
          best_test = test;
        }
    }
  return best == NULL || (take_cluster (output, best, &best_test, error) &&
                          take_latency (output, best, &best_test, error) &&
                          take_efficiency (output, best, &best_test, error));
}

static gboolean
fail_unmeasured (const Output *output, int wrong, GError **error)
{
  if (wrong > 0)
    return plg_reading_fail (output->reading, wrong, PLG_FORMAT_ERROR_CONTENT, error,
                             _ ("All rows have wrong results, the first of them here (#wrong is "
                                "not 0): the links damage data, and nothing can be told of their "
                                "rate. Repair them and measure again."));
  return plg_reading_fail (output->reading, 0, PLG_FORMAT_ERROR_CONTENT, error,
                           _ ("Nothing was measured between GPUs: there is no row with a time "
                              "for two ranks or more."));
}

static gboolean
take_output (Output *output, GError **error)
{
  gboolean rows = FALSE, network = FALSE;
  int wrong = 0;

  for (guint i = 0; i < output->runs->len; i++)
    {
      const Run *run = output->runs->pdata[i];

      rows |= run->large.line > 0 && run->ranks > 1;
      network |= run->large.line > 0 && g_hash_table_size (run->hosts) > 1;
      wrong = wrong == 0 ? run->wrong : wrong;
    }
  if (!rows)
    return fail_unmeasured (output, wrong, error);
  if (wrong > 0)
    plg_reading_note (output->reading, PLG_NOTE_IGNORED, wrong,
                      _ ("Rows with wrong results are not taken; the links damage data."));
  if (!take_runs (output, FALSE, error) || !take_runs (output, TRUE, error))
    return FALSE;
  if (!network)
    plg_reading_note (output->reading, PLG_NOTE_INFERRED, 0,
                      _ ("The test ran on one node: what the network reaches stays as it is."));
  return TRUE;
}

static gboolean
read_output (PlgReading *reading, GError **error)
{
  Output output = { .reading = reading, .program = -1, .cluster = reading->plan->cluster };
  gboolean read;

  output.runs = g_ptr_array_new_with_free_func ((GDestroyNotify) run_free);
  read = read_lines (&output, error) && take_output (&output, error);
  g_ptr_array_unref (output.runs);
  return read;
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
  .title = N_ ("Measured links (output of nccl-tests)"),
  .subject = PLG_SUBJECT_CLUSTER,
  .is = is_output,
  .read = read_output,
};
