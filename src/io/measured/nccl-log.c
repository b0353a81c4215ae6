/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "io/measured/nccl-log.h"

#include "io/import/format.h"
#include "plan/quantity.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

/* A row is rejected if its algbw is more than this many times size / time, or if size / time is
 * more than this many times algbw × number of ranks. The tolerance is this large because the
 * columns are rounded and older versions of nccl-tests counted some sizes per rank. */
#define COLUMN_TOLERANCE 2.5
/* The relative difference and the absolute difference [bytes/s] allowed between busbw and its
 * value computed from algbw. Both columns are rounded to 0.01 GB/s. */
#define BUSBW_TOLERANCE 0.02
#define ROUNDING_ERROR 0.05e9
#define SHOWN_CHARACTERS 40

/* The programs of nccl-tests, in order of preference. If several tests ran on the same number of
 * nodes, the first of these programs is used. */
enum
{
  ALL_GATHER,
  REDUCE_SCATTER,
  ALL_REDUCE,
  ALL_TO_ALL,
  SEND_RECV,
  N_PROGRAMS
};
static const struct
{
  const char *program;
  const char *title;
  PlgCollectiveKind kind;
} programs[] = {
  [ALL_GATHER] = { "all_gather_perf", "all-gather", PLG_COLLECTIVE_ALL_GATHER },
  [REDUCE_SCATTER] = { "reduce_scatter_perf", "reduce-scatter", PLG_COLLECTIVE_REDUCE_SCATTER },
  [ALL_REDUCE] = { "all_reduce_perf", "all-reduce", PLG_COLLECTIVE_ALL_REDUCE },
  [ALL_TO_ALL] = { "alltoall_perf", "all-to-all", PLG_COLLECTIVE_ALL_TO_ALL },
  [SEND_RECV] = { "sendrecv_perf", "send/recv", PLG_COLLECTIVE_SEND_RECV },
};
G_STATIC_ASSERT (G_N_ELEMENTS (programs) == N_PROGRAMS);

typedef struct
{
  PlgImportContext *context;
  GPtrArray *runs;
  int program; /* the last program that the file named; -1 if it has not named one yet */
} Output;

PlgCollectiveKind
plg_nccl_log_program_kind (int program)
{
  g_assert (program >= 0 && program < N_PROGRAMS);
  return programs[program].kind;
}

const char *
plg_nccl_log_program_title (int program)
{
  g_assert (program >= 0 && program < N_PROGRAMS);
  return programs[program].title;
}

static void
run_free (PlgNcclLogRun *run)
{
  g_hash_table_unref (run->hosts);
  g_hash_table_unref (run->seen_ranks);
  g_free (run->device);
  g_free (run);
}

static PlgNcclLogRun *
current_run (const Output *output)
{
  return output->runs->len > 0 ? output->runs->pdata[output->runs->len - 1] : NULL;
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

/* Reads a line such as "# Rank 0 Group 0 Pid 1887 on worker-1 device 0 [0x8d] NVIDIA H100 80GB
 * HBM3". */
static gboolean
read_rank (Output *output, int line, const GPtrArray *words, int at, GError **error)
{
  PlgNcclLogRun *run = current_run (output);
  int on = find_word (words, "on"), device = find_word (words, "device");
  guint64 rank, group = 0;
  int ranks;

  if (!g_ascii_string_to_unsigned (word (words, at + 1), 10, 0, PLG_MAX_GPUS - 1, &rank, NULL) ||
      on < at || device != on + 2)
    return plg_format_fail (line, PLG_FORMAT_ERROR_SYNTAX, error,
                            _ ("This line is cut off; a rank's line reads “Rank 0 … on HOST "
                               "device 0 … NAME”."));
  if (g_str_equal (word (words, at + 2), "Group") &&
      g_ascii_string_to_unsigned (word (words, at + 3), 10, 0, G_MAXINT, &group, NULL) && group > 0)
    return plg_format_fail (line, PLG_FORMAT_ERROR_CONTENT, error,
                            _ ("Several groups ran at the same time. Run the test with a single "
                               "group, without NCCL_TESTS_SPLIT."));
  if (!g_hash_table_add (run->seen_ranks, GUINT_TO_POINTER ((guint) rank)))
    return plg_format_fail (line, PLG_FORMAT_ERROR_CONTENT, error,
                            _ ("Rank %d appears twice, because the processes ran independently. "
                               "Build nccl-tests with MPI=1."),
                            (int) rank);
  ranks = GPOINTER_TO_INT (g_hash_table_lookup (run->hosts, word (words, on + 1)));
  g_hash_table_insert (run->hosts, g_strdup (word (words, on + 1)), GINT_TO_POINTER (ranks + 1));
  run->ranks++;
  if (run->device == NULL)
    {
      GString *text = g_string_new (NULL);

      for (guint i = device + 3; i < words->len; i++)
        g_string_append_printf (text, "%s%s", text->len > 0 ? " " : "", (char *) words->pdata[i]);
      run->device = g_string_free (text, FALSE);
    }
  return TRUE;
}

static gboolean
read_number (const char *text, double *value)
{
  char *end;

  *value = g_ascii_strtod (text, &end);
  return end > text && *end == '\0' && isfinite (*value) && *value >= 0.0;
}

/* Sets ERROR for a row whose size, time, algbw or busbw is missing or not a number. COLUMNS has
 * the indices of these four columns, in this order. */
static gboolean
fail_row (const Output *output,
          int line,
          const GPtrArray *words,
          const int *columns,
          GError **error)
{
  double number;

  /* If the row is truncated, the column of the time contains the root, which is -1. */
  if (g_str_equal (word (words, columns[1]), "-1") &&
      !read_number (word (words, columns[1] - 1), &number) && columns[3] < (int) words->len)
    return plg_format_fail (line, PLG_FORMAT_ERROR_SYNTAX, error,
                            _ ("This row is cut off after column %d; remove the row, or run the "
                               "test again."),
                            (int) words->len);
  for (int i = 0; i < 4 && columns[3] < (int) words->len; i++)
    {
      static const char *const names[] = { "size", "time", "algbw", "busbw" };
      g_autofree char *shown = plg_text_excerpt (words->pdata[columns[i]], SHOWN_CHARACTERS);
      const char *text = words->pdata[columns[i]];
      double value;
      char *end;

      /* Report only "nan", "inf" and negative numbers as wrong values. Any other word shows that
       * the row is cut off and its columns are shifted. */
      g_ascii_strtod (text, &end);
      if (end > text && *end == '\0' && !read_number (text, &value))
        return plg_format_fail (line, PLG_FORMAT_ERROR_SYNTAX, error,
                                _ ("%s in this row is “%s”, but must be a number of at least 0; "
                                   "run the test again."),
                                names[i], shown);
    }
  return plg_format_fail (line, PLG_FORMAT_ERROR_SYNTAX, error,
                          _ ("This row is cut off; a full row has size, count, type, operation, "
                             "root, time, algbw and busbw."));
}

/* Replaces a busbw that contradicts algbw with the value computed from algbw. Adds a note for
 * the first such row of a run. */
static void
check_bus_bandwidth (PlgImportContext *context,
                     PlgNcclLogRun *run,
                     double algorithm,
                     PlgNcclLogRow *row)
{
  double expected = plg_collective_sent (programs[run->program].kind, run->ranks, algorithm);
  g_autofree char *printed = plg_format_bandwidth (row->bus_bandwidth);
  g_autofree char *computed = plg_format_bandwidth (expected);

  if (fabs (row->bus_bandwidth - expected) <= ROUNDING_ERROR + BUSBW_TOLERANCE * expected)
    return;
  if (!run->has_wrong_bus)
    plg_import_note (context, PLG_NOTE_IGNORED, row->line,
                     _ ("busbw of %s does not match algbw for %s over %d GPUs. The importer uses "
                        "%s, which is computed from algbw. Check that no column was edited and "
                        "that no ranks are missing above."),
                     printed, programs[run->program].title, run->ranks, computed);
  run->has_wrong_bus = TRUE;
  row->bus_bandwidth = expected;
}

/* Reads a row such as "8388608 2097152 float sum -1 992.6 8.45 16.20 0 986.0 8.51 16.31 0". TYPE
 * is the index of the data type, here "float". Uses the first time, that of the out-of-place
 * operation, because most programs run collectives out of place. */
static gboolean
read_row (Output *output, int line, const GPtrArray *words, int type, GError **error)
{
  PlgNcclLogRun *run = current_run (output);
  const char *operation = word (words, type + 1);
  /* The time comes after the operation and the root. Older versions of nccl-tests and some
   * collectives omit one or both of them. */
  int after_operation = type + 1 + (g_ascii_isalpha (*operation) != 0);
  int numbers = (int) words->len - after_operation;
  int at = after_operation + (numbers == 5 || numbers >= 9);
  const char *in_place = word (words, at + 7);
  double bytes, time, algorithm, bus_bandwidth, wrong, number;
  gboolean is_checked = read_number (word (words, at + 3), &wrong);
  PlgNcclLogRow row;

  if (!read_number (word (words, type - 2), &bytes) || !read_number (word (words, at), &time) ||
      !read_number (word (words, at + 1), &algorithm) ||
      !read_number (word (words, at + 2), &bus_bandwidth))
    return fail_row (output, line, words, (const int[]) { type - 2, at, at + 1, at + 2 }, error);
  if (run == NULL || run->ranks == 0)
    return plg_format_fail (line, PLG_FORMAT_ERROR_CONTENT, error,
                            _ ("The lines “# Rank 0 … on HOST device 0” are missing above this "
                               "row; they give the number of GPUs and nodes."));
  if (bytes == 0.0 || time == 0.0)
    return TRUE;

  row = (PlgNcclLogRow) { line, bytes, time * 1e-6, bus_bandwidth * 1e9 };
  algorithm *= 1e9;
  if (bus_bandwidth > 0.1 && (bytes / row.seconds > COLUMN_TOLERANCE * run->ranks * algorithm ||
                              algorithm > COLUMN_TOLERANCE * bytes / row.seconds))
    {
      g_autofree char *shown = plg_format_bandwidth (algorithm);

      return plg_format_fail (line, PLG_FORMAT_ERROR_CONTENT, error,
                              _ ("The size and time of this row do not match its algbw of %s; "
                                 "run the test again."),
                              shown);
    }
  if (is_checked && wrong >= 1.0)
    {
      run->wrong = run->wrong == 0 ? line : run->wrong;
      return TRUE;
    }

  if (g_ascii_isalpha (*operation) && !g_str_equal (operation, "none"))
    run->columns_found |= PLG_NCCL_LOG_HAS_OPERATION;
  if (at - 1 > type && g_ascii_isdigit (*word (words, at - 1)))
    run->columns_found |= PLG_NCCL_LOG_HAS_ROOT;
  if (is_checked && read_number (in_place, &number))
    run->columns_found |= PLG_NCCL_LOG_CHECKS_IN_PLACE;
  else if (is_checked && g_str_equal (in_place, "N/A"))
    run->columns_found |= PLG_NCCL_LOG_CHECKS_OUT_OF_PLACE;

  if (run->program >= 0 && run->ranks >= 2)
    check_bus_bandwidth (output->context, run, algorithm, &row);
  if (run->small.line == 0 || row.bytes < run->small.bytes)
    run->small = row;
  if (row.bytes >= run->large.bytes)
    run->large = row;
  if (row.bus_bandwidth > run->best.bus_bandwidth)
    run->best = row;
  return TRUE;
}

/* Reads one line. The line is a row of measurements if a data type follows a number and is in
 * the third or a later column. */
static gboolean
read_line (Output *output, int line, const char *text, GError **error)
{
  static const char *const types[] = { "int8",     "uint8",    "int32",  "uint32",
                                       "int64",    "uint64",   "half",   "float",
                                       "double",   "bfloat16", "f8e4m3", "f8e5m2",
                                       "fp8_e4m3", "fp8_e5m2", "char",   NULL };
  g_autoptr (GPtrArray) words = g_ptr_array_new_with_free_func (g_free);
  g_auto (GStrv) all = g_strsplit_set (text, " \t", -1);
  PlgNcclLogRun *run = current_run (output);
  guint type = 2;
  double number;
  int rank;

  for (int i = 0; all[i] != NULL; i++)
    if (*all[i] != '\0')
      g_ptr_array_add (words, g_strdup (all[i]));
  rank = find_word (words, "Rank");
  for (guint i = 0; i < G_N_ELEMENTS (programs); i++)
    if (strstr (text, programs[i].program) != NULL)
      {
        output->program = (int) i;
        /* Newer versions print the program's name only after the first line of their output. */
        if (run != NULL && run->large.line == 0)
          run->program = (int) i;
      }
  if (find_word (words, "nThread") >= 0)
    {
      run = g_new0 (PlgNcclLogRun, 1);
      run->line = line;
      run->program = output->program;
      run->hosts = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
      run->seen_ranks = g_hash_table_new (NULL, NULL);
      g_ptr_array_add (output->runs, run);
      return TRUE;
    }
  if (rank >= 0 && find_word (words, "Pid") > rank && run != NULL)
    return read_rank (output, line, words, rank, error);
  while (type < words->len && !g_strv_contains (types, words->pdata[type]))
    type++;
  return type >= words->len || !read_number (words->pdata[type - 1], &number) ||
         read_row (output, line, words, (int) type, error);
}

GPtrArray *
plg_nccl_log_read (PlgImportContext *context, GError **error)
{
  g_autoptr (GPtrArray) runs = g_ptr_array_new_with_free_func ((GDestroyNotify) run_free);
  g_autofree char **lines = plg_text_lines (context->data, context->size, error);
  Output output = { .context = context, .runs = runs, .program = -1 };

  if (lines == NULL)
    return NULL;
  for (int i = 0; lines[i] != NULL; i++)
    if (!read_line (&output, i + 1, lines[i], error))
      return NULL;
  return g_steal_pointer (&runs);
}

/* Returns whether busbw and algbw have the ratio that is expected for the collective KIND. */
static gboolean
has_factor (const PlgNcclLogRun *run, PlgCollectiveKind kind, double tolerance)
{
  double factor = run->large.bus_bandwidth * run->large.seconds / run->large.bytes;

  return fabs (factor - plg_collective_sent (kind, run->ranks, 1.0)) < tolerance;
}

gboolean
plg_nccl_log_identify_program (PlgImportContext *context, PlgNcclLogRun *run, GError **error)
{
  if (run->program >= 0)
    return TRUE;
  if ((run->columns_found & PLG_NCCL_LOG_HAS_ROOT) != 0)
    return plg_format_fail (run->line, PLG_FORMAT_ERROR_CONTENT, error,
                            _ ("This test has a root, so it measures broadcast or reduce, which "
                               "training does not wait for. Measure with all_reduce_perf."));
  /* For two ranks, all-reduce and send/recv have the same ratio of busbw to algbw, so assume
   * all-reduce. */
  if (has_factor (run, PLG_COLLECTIVE_ALL_REDUCE, 0.05))
    run->program = ALL_REDUCE;
  else if (run->ranks > 2 && has_factor (run, PLG_COLLECTIVE_SEND_RECV, 0.02))
    run->program = SEND_RECV;
  else if (has_factor (run, PLG_COLLECTIVE_REDUCE_SCATTER, 0.02))
    {
      if ((run->columns_found & PLG_NCCL_LOG_HAS_OPERATION) != 0)
        run->program = REDUCE_SCATTER;
      else if ((run->columns_found & PLG_NCCL_LOG_CHECKS_IN_PLACE) != 0)
        run->program = ALL_GATHER;
      else if ((run->columns_found & PLG_NCCL_LOG_CHECKS_OUT_OF_PLACE) != 0)
        run->program = ALL_TO_ALL;
    }
  if (run->program < 0)
    return plg_format_fail (run->line, PLG_FORMAT_ERROR_CONTENT, error,
                            _ ("The output does not name the collective; add the command above "
                               "it, such as all_gather_perf or alltoall_perf."));
  plg_import_note (context, PLG_NOTE_INFERRED, run->line,
                   _ ("The columns show that the test measured %s."), programs[run->program].title);
  return TRUE;
}
