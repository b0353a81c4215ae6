/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Compares the engine with published runs: data/published.csv, to which the engine's constants
 * were fitted, and data/unseen.csv, with which no constant was optimised. Each row has its
 * source, the measured value, and the plan, in columns that are named by the keys of setting.h.
 * A cell "1|2|4" has the plausible values of a setting that the source leaves out: the fastest
 * plan that fits stands for the run, since people publish tuned runs. --rows prints every row,
 * --group only the rows of a group. --search compares 30 of the runs with the best plan that a
 * search finds for the same model, cluster and batch, and fails if that plan is slower. */
#include "../engine/megatron-rows.h"
#include "engine/evaluate.h"
#include "engine/search/quick-search.h"
#include "engine/search/search.h"
#include "io/plan/catalogue-xml.h"
#include "plan/settings/setting-difference.h"
#include "plan/settings/setting.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_COLUMNS 80
#define MAX_CHOICES 8

typedef struct
{
  char *cells[MAX_COLUMNS];
  int n;
} Row;

typedef enum
{
  MEASURE_TIME,
  MEASURE_DRIVER,    /* the value of nvidia-smi */
  MEASURE_OBSERVED,  /* "GPU memory", taken as the driver's value */
  MEASURE_PEAK,      /* "peak memory", taken as allocated bytes */
  MEASURE_ALLOCATED, /* PyTorch's counter of allocated bytes */
} Measure;
#define N_MEASURES 5

static const char *const kind_names[N_MEASURES] = { NULL, "driver", "observed", "peak",
                                                    "allocated" };

typedef struct
{
  char *name;
  GArray *errors[N_MEASURES];
  int right, wrong; /* predictions of fit or OOM */
  int missed;       /* wrong predictions of runs that ran but were predicted not to fit */
} Group;

/* A run and the error of its time. */
typedef struct
{
  char id[32];
  double error;
} Miss;

typedef struct
{
  Row head;
  GArray *misses; /* Miss */
  GPtrArray *groups;
  PlgCatalogue *catalogue;
  PlgReport *report;
  const char *only;
  gboolean rows;
} Bench;

/* Errors of public models on the same runs: Calculon from Isaev 2023 (SC23), SimuMax from its
 * documentation. */
static const struct
{
  const char *group;
  const char *text;
} others[] = {
  { "kort", "Calculon: mean 3.65 %, worst 8.87 % on the four models with both recomputes" },
  { "simumax", "SimuMax: worst 7.1 % of time, 0.4 % of memory, after measuring the machine" },
};

/* Splits LINE at commas outside of quotes, in place. */
static void
split (char *line, Row *row)
{
  char *to = line;
  gboolean quoted = FALSE;

  row->n = 0;
  row->cells[row->n++] = line;
  for (const char *from = line; *from != '\0'; from++)
    {
      if (*from == '"' && quoted && from[1] == '"')
        *to++ = *from++;
      else if (*from == '"')
        quoted = !quoted;
      else if (*from == ',' && !quoted)
        {
          *to++ = '\0';
          g_assert (row->n < MAX_COLUMNS);
          row->cells[row->n++] = to;
        }
      else
        *to++ = *from;
    }
  *to = '\0';
}

static const char *
cell (const Bench *bench, const Row *row, const char *column)
{
  for (int i = 0; i < bench->head.n; i++)
    if (strcmp (bench->head.cells[i], column) == 0)
      return row->cells[i];
  g_error ("the runs have no column %s", column);
}

static Group *
group_of (Bench *bench, const char *name)
{
  Group *group;

  for (guint i = 0; i < bench->groups->len; i++)
    if (strcmp (((Group *) bench->groups->pdata[i])->name, name) == 0)
      return bench->groups->pdata[i];
  group = g_new0 (Group, 1);
  group->name = g_strdup (name);
  for (int i = 0; i < N_MEASURES; i++)
    group->errors[i] = g_array_new (FALSE, FALSE, sizeof (double));
  g_ptr_array_add (bench->groups, group);
  return group;
}

/* Sets the columns that are settings. CHOICE, counted through all cells with several values,
 * selects the value of such a cell. */
static gboolean
set_plan (const Bench *bench, const Row *row, int choice, PlgPlan *plan, GError **error)
{
  for (int i = 0; i < bench->head.n; i++)
    {
      g_auto (GStrv) values = g_strsplit (row->cells[i], "|", MAX_CHOICES);
      int n = (int) g_strv_length (values);

      if (strchr (bench->head.cells[i], '.') == NULL || n == 0 || *row->cells[i] == '\0')
        continue;
      if (!plg_setting_set (plan, bench->catalogue, bench->head.cells[i], values[choice % n],
                            error))
        return FALSE;
      choice /= n;
    }
  if (plan->parallelism.chunks > 1)
    plan->training.schedule = PLG_SCHEDULE_INTERLEAVED;
  return TRUE;
}

static int
count_choices (const Bench *bench, const Row *row)
{
  int choices = 1;

  for (int i = 0; i < bench->head.n; i++)
    {
      g_auto (GStrv) values = g_strsplit (row->cells[i], "|", MAX_CHOICES);

      if (strchr (bench->head.cells[i], '.') != NULL)
        choices *= MAX ((int) g_strv_length (values), 1);
    }
  return choices;
}

typedef struct
{
  double time;
  double memory;    /* the driver's value, in bytes */
  double allocated; /* bytes */
  gboolean fits;
  char *parts;
  PlgPlan *plan;
} Prediction;

static char *
parts_text (const PlgReport *report)
{
  GString *text = g_string_new (NULL);

  for (int i = 0; i < PLG_N_PARTS; i++)
    g_string_append_printf (text, " %4.1f", 100.0 * report->step.part[i] / report->step.time);
  return g_string_free (text, FALSE);
}

static void
prediction_clear (Prediction *prediction)
{
  g_free (prediction->parts);
  g_clear_pointer (&prediction->plan, plg_plan_free);
}

static gboolean
predict (Bench *bench, const Row *row, Prediction *best)
{
  int choices = count_choices (bench, row);
  gboolean found = FALSE;

  *best = (Prediction) { 0 };
  for (int choice = 0; choice < choices; choice++)
    {
      g_autoptr (PlgPlan) plan = plg_catalogue_default_plan (bench->catalogue);
      g_autoptr (GError) error = NULL;
      const PlgReport *report = bench->report;
      const PlgStageMemory *peak;

      if (!set_plan (bench, row, choice, plan, &error) ||
          !plg_evaluate_into (bench->report, plan, PLG_EVALUATE_TOTALS, &error))
        {
          if (choices == 1)
            printf ("  %s: %s\n", cell (bench, row, "id"), error->message);
          continue;
        }
      if (found && (report->fits < best->fits ||
                    (report->fits == best->fits && report->step.time >= best->time)))
        continue;
      peak = &g_array_index (report->stages, PlgStageMemory, report->memory_peak_stage);
      found = TRUE;
      prediction_clear (best);
      *best = (Prediction) { .time = report->step.time,
                             .memory = report->memory_peak,
                             .allocated = report->memory_peak - peak->runtime,
                             .fits = report->fits,
                             .parts = parts_text (report),
                             .plan = g_steal_pointer (&plan) };
    }
  return found;
}

static double
number (const Bench *bench, const Row *row, const char *column)
{
  return g_ascii_strtod (cell (bench, row, column), NULL);
}

static double
add_error (GArray *errors, double predicted, double measured)
{
  double error = predicted / measured - 1.0;

  g_array_append_val (errors, error);
  return error;
}

static double
add_memory (const Bench *bench, const Row *row, const Prediction *prediction, Group *group)
{
  const char *kind = cell (bench, row, "memory-kind");
  double measured = number (bench, row, "memory") * 1024.0 * 1024.0 * 1024.0;

  for (int i = MEASURE_DRIVER; i < N_MEASURES; i++)
    if (strcmp (kind, kind_names[i]) == 0)
      return add_error (group->errors[i],
                        i < MEASURE_PEAK ? prediction->memory : prediction->allocated, measured);
  g_error ("the runs have no kind of memory %s", kind);
}

static void
add_row (Bench *bench, const Row *row)
{
  Group *group;
  gboolean ran = strcmp (cell (bench, row, "outcome"), "ok") == 0;
  double time = number (bench, row, "step-time"), error = NAN, memory = NAN;
  Prediction prediction;

  if (bench->only != NULL && strcmp (cell (bench, row, "group"), bench->only) != 0)
    return;
  if (!predict (bench, row, &prediction))
    return;
  group = group_of (bench, cell (bench, row, "group"));
  if (time > 0.0)
    {
      Miss miss;

      error = miss.error = add_error (group->errors[MEASURE_TIME], prediction.time, time);
      g_strlcpy (miss.id, cell (bench, row, "id"), sizeof miss.id);
      g_array_append_val (bench->misses, miss);
    }
  if (*cell (bench, row, "memory") != '\0')
    memory = add_memory (bench, row, &prediction, group);
  *(ran == prediction.fits ? &group->right : &group->wrong) += 1;
  group->missed += ran && !prediction.fits;
  if (bench->rows)
    printf ("%-16s %9.3f s -> %9.3f s %+6.1f %%  memory %5.1f GiB %+6.1f %% %s %s |%s\n",
            cell (bench, row, "id"), time, prediction.time, 100.0 * error,
            prediction.memory / 1073741824.0, 100.0 * memory, ran ? "ran" : "OOM",
            ran == prediction.fits ? "" : "WRONG", prediction.parts);
  prediction_clear (&prediction);
}

static int
compare (const void *a, const void *b)
{
  double first = *(const double *) a, second = *(const double *) b;

  return (first > second) - (first < second);
}

typedef struct
{
  guint n;
  double mean, median, bias;
} Summary;

static Summary
summarize (const GArray *errors)
{
  Summary summary = { .n = errors->len };
  g_autoptr (GArray) sizes = g_array_new (FALSE, FALSE, sizeof (double));

  for (guint i = 0; i < errors->len; i++)
    {
      double error = g_array_index (errors, double, i), size = fabs (error);

      summary.bias += error / errors->len;
      summary.mean += size / errors->len;
      g_array_append_val (sizes, size);
    }
  g_array_sort (sizes, compare);
  if (sizes->len > 0)
    summary.median = (g_array_index (sizes, double, (sizes->len - 1) / 2) +
                      g_array_index (sizes, double, sizes->len / 2)) /
                     2.0;
  return summary;
}

static void
print_summary (const char *name, const Summary *summary)
{
  printf ("  %-16s %5u %7.1f %% %7.1f %% %+7.1f %%", name, summary->n, 100.0 * summary->mean,
          100.0 * summary->median, 100.0 * summary->bias);
}

static void
print_times (const Bench *bench)
{
  g_autoptr (GArray) means = g_array_new (FALSE, FALSE, sizeof (double));
  Summary all = { 0 };
  int n = 0;

  printf ("  %-16s %5s %9s %9s %9s\n", "step time", "n", "mean |e|", "median", "bias");
  for (guint i = 0; i < bench->groups->len; i++)
    {
      const Group *group = bench->groups->pdata[i];
      Summary summary = summarize (group->errors[MEASURE_TIME]);

      if (summary.n == 0)
        continue;
      print_summary (group->name, &summary);
      for (guint j = 0; j < G_N_ELEMENTS (others); j++)
        if (strcmp (others[j].group, group->name) == 0)
          printf ("   %s", others[j].text);
      printf ("\n");
      g_array_append_val (means, summary.mean);
      all.n += summary.n;
      all.mean += summary.mean;
      all.bias += summary.bias;
      all.median += summary.median;
      n++;
    }
  all.mean /= MAX (n, 1);
  all.bias /= MAX (n, 1);
  all.median /= MAX (n, 1);
  print_summary ("macro", &all);
  all = summarize (means);
  printf ("   average of the groups; median group %.1f %%\n", 100.0 * all.median);
}

static void
print_memory (const Bench *bench)
{
  gboolean titled = FALSE;

  for (guint i = 0; i < bench->groups->len; i++)
    {
      const Group *group = bench->groups->pdata[i];

      for (int j = MEASURE_DRIVER; j < N_MEASURES; j++)
        if (group->errors[j]->len > 0)
          {
            Summary summary = summarize (group->errors[j]);

            if (!titled)
              printf ("\n  %-16s %5s %9s %9s %9s\n", "memory", "n", "mean |e|", "median", "bias");
            titled = TRUE;
            print_summary (group->name, &summary);
            printf ("   %s\n", kind_names[j]);
          }
    }
}

static void
print_verdicts (const Bench *bench)
{
  int right = 0, wrong = 0, missed = 0;

  for (guint i = 0; i < bench->groups->len; i++)
    {
      const Group *group = bench->groups->pdata[i];

      right += group->right;
      wrong += group->wrong;
      missed += group->missed;
    }
  printf ("\n  fits or not: %d right, %d wrong (%d of them ran): %.1f %%\n", right, wrong, missed,
          100.0 * right / MAX (right + wrong, 1));
}

static int
compare_misses (const void *a, const void *b)
{
  double first = fabs (((const Miss *) a)->error), second = fabs (((const Miss *) b)->error);

  return (first < second) - (first > second);
}

/* docs/model.md explains the reason for each of these errors. */
static void
print_worst (const Bench *bench)
{
  g_array_sort (bench->misses, compare_misses);
  printf ("\n  worst:");
  for (guint i = 0; i < MIN (bench->misses->len, 10); i++)
    {
      const Miss *miss = &g_array_index (bench->misses, Miss, i);

      printf ("%s %s %+.0f %%", i > 0 ? "," : "", miss->id, 100.0 * miss->error);
    }
  printf ("\n");
}

/* Prints nothing for a file without a row of the requested group. */
static void
print_tables (const Bench *bench, const char *title)
{
  if (bench->groups->len == 0)
    return;
  printf ("\n  %s\n\n", title);
  print_times (bench);
  print_memory (bench);
  print_verdicts (bench);
  print_worst (bench);
}

static void
print_theory (void)
{
  guint exact = 0;

  for (guint i = 0; i < G_N_ELEMENTS (megatron_rows); i++)
    exact += megatron_row_is_exact (&megatron_rows[i]);
  printf ("\n  Megatron-LM theory: %u of %u rows exact\n", exact,
          (guint) G_N_ELEMENTS (megatron_rows));
}

static char **
read_lines (const char *file)
{
  g_autofree char *path = g_build_filename (g_getenv ("G_TEST_SRCDIR"), "bench", "data", file,
                                            NULL);
  g_autofree char *text = NULL;
  g_autoptr (GError) error = NULL;

  if (!g_file_get_contents (path, &text, NULL, &error))
    g_error ("%s", error->message);
  return g_strsplit (text, "\n", -1);
}

static void
group_free (void *data)
{
  Group *group = data;

  for (int i = 0; i < N_MEASURES; i++)
    g_array_unref (group->errors[i]);
  g_free (group->name);
  g_free (group);
}

static void
add_rows (Bench *bench, const char *file)
{
  g_auto (GStrv) lines = read_lines (file);

  g_clear_pointer (&bench->groups, g_ptr_array_unref);
  g_array_set_size (bench->misses, 0);
  bench->groups = g_ptr_array_new_with_free_func (group_free);
  split (lines[0], &bench->head);
  for (int i = 1; lines[i] != NULL && *lines[i] != '\0'; i++)
    {
      Row row;

      split (lines[i], &row);
      add_row (bench, &row);
    }
}

/* Runs of different models and clusters. */
static const char *const searched[] = {
  "sc21t1-001", "sc21t1-002", "sc21t1-003", "sc21t1-004", "sc21t1-005", "sc21t1-006",
  "pythia-007", "sc21t2-001", "meg20-003",  "meg20-007",  "meg20-011",  "kort-001",
  "kort-005",   "kort-007",   "pythia-004", "pythia-006", "pythia-008", "misc-001",
  "misc-002",   "zb-028",     "zb-034",     "ibm-002",    "ibm-008",    "ievo-001",
  "bloom-102",  "colm-009",   "autom-004",  "autom-007",  "zoo-001",    "mlperf-001",
};

/* A found plan may be slower than the published one by this share. */
#define MOST_SLOWER 0.03

/* A whole search of more GPUs takes minutes. */
#define MOST_GPUS 64

/* Returns the best plan of a whole search around PLAN, or of a quick search for many GPUs. Returns
 * NULL if no plan is faster. */
static PlgPlan *
best_plan (const PlgPlan *plan, double *time)
{
  g_autoptr (GArray) best = g_array_new (FALSE, FALSE, sizeof (PlgFoundPlan));
  PlgSearchOptions options = { .by = plg_metric_find ("step-time"), .top = 1 };
  PlgPlan *quick = plg_quick_search (plan, NULL, time);
  g_autoptr (PlgSearch) search = NULL;
  PlgSearchProgress progress;
  PlgSearchSpace *space;

  if (plg_plan_world (plan) > MOST_GPUS)
    return quick;
  space = plg_search_space_new (plan);
  search = plg_search_new (space, &options);
  plg_search_run (search);
  plg_search_snapshot (search, &progress, best, NULL, NULL);
  if (best->len == 0)
    return quick;
  g_clear_pointer (&quick, plg_plan_free);
  *time = g_array_index (best, PlgFoundPlan, 0).time;
  return plg_search_space_plan (space, &g_array_index (best, PlgFoundPlan, 0).point);
}

/* Compares the run in ROW with the best plan of a search. Returns FALSE if the best plan is too
 * slow. */
static gboolean
search_row (Bench *bench, const Row *row)
{
  g_autoptr (PlgPlan) best = NULL;
  g_auto (GStrv) differences = NULL;
  g_autofree char *edits = NULL;
  Prediction published;
  double time;
  gboolean is_good;

  if (!predict (bench, row, &published))
    return FALSE;
  time = published.time;
  best = best_plan (published.plan, &time);
  if (best != NULL)
    differences = plg_settings_difference (published.plan, best, bench->catalogue);
  edits = differences != NULL ? g_strjoinv (" ", differences) : g_strdup ("");
  is_good = (best != NULL || published.fits) && time <= (1.0 + MOST_SLOWER) * published.time;
  printf ("  %-11s %-22s %5d GPUs  %8.3f s%s -> %8.3f s  %+6.1f %%  %s\n", cell (bench, row, "id"),
          cell (bench, row, "model"), plg_plan_world (published.plan), published.time,
          published.fits ? "" : " (does not fit)", time, 100.0 * (time / published.time - 1.0),
          edits);
  fflush (stdout);
  prediction_clear (&published);
  return is_good;
}

static gboolean
search_rows (Bench *bench)
{
  g_auto (GStrv) lines = read_lines ("published.csv");
  gboolean is_good = TRUE;

  printf ("  published runs by the engine, and the best plan of a search\n");
  split (lines[0], &bench->head);
  for (int i = 1; lines[i] != NULL && *lines[i] != '\0'; i++)
    {
      gboolean is_searched = FALSE;
      Row row;

      split (lines[i], &row);
      for (gsize j = 0; j < G_N_ELEMENTS (searched) && !is_searched; j++)
        is_searched = strcmp (searched[j], cell (bench, &row, "id")) == 0;
      if (bench->only != NULL && strcmp (cell (bench, &row, "group"), bench->only) != 0)
        continue;
      if (is_searched)
        is_good &= search_row (bench, &row);
    }
  return is_good;
}

int
main (int argc, char **argv)
{
  Bench bench = { .catalogue = plg_catalogue_load (NULL), .report = plg_report_new () };

  gboolean is_good = TRUE, searches = FALSE;

  bench.misses = g_array_new (FALSE, FALSE, sizeof (Miss));
  for (int i = 1; i < argc; i++)
    {
      bench.rows |= strcmp (argv[i], "--rows") == 0;
      searches |= strcmp (argv[i], "--search") == 0;
      if (strcmp (argv[i], "--group") == 0 && i + 1 < argc)
        bench.only = argv[++i];
    }
  if (searches)
    is_good = search_rows (&bench);
  else
    {
      add_rows (&bench, "published.csv");
      print_tables (&bench, "published: the constants are fitted to them");
      print_theory ();
      add_rows (&bench, "unseen.csv");
      print_tables (&bench, "unseen: in no fit, but looked at");
      g_ptr_array_unref (bench.groups);
    }
  g_array_unref (bench.misses);
  plg_catalogue_unref (bench.catalogue);
  plg_report_unref (bench.report);
  return is_good ? EXIT_SUCCESS : EXIT_FAILURE;
}
