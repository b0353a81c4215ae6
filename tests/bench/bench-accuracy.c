/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Compares the engine with published runs: data/runs/published.csv, to which the engine's constants
 * were fitted, and data/runs/unseen.csv, with which no constant was optimised. The fastest plan
 * that fits stands for a run whose source leaves settings open, since people publish tuned runs;
 * the column "best" has the plan whose time is closest instead. --leave-out also fits the constants
 * again to all groups but one, and scores this group, which takes 20 s. --rows prints every row, --group
 * only the rows of a group. --markdown FILE writes the tables between the markers in FILE, and
 * --csv FILE writes the figures that the HTML report shows (data/runs/accuracy.csv). --search
 * compares 30 of the runs with the best plan that a search finds for the same model, cluster and
 * batch, and fails if that plan is slower. */
#include "../engine/megatron-rows.h"
#include "leave-out.h"
#include "engine/search/quick-search.h"
#include "engine/search/search.h"
#include "io/plan/catalogue-xml.h"
#include "io/runs/similar-runs.h"
#include "plan/settings/setting-difference.h"
#include "plan/text/csv-writer.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define N_WORST 15

/* The properties by which runs are grouped. */
typedef enum
{
  KEY_GROUP,
  KEY_KIND,
  KEY_GPU,
  KEY_YEAR,
} Key;
#define N_KEYS 4

static const char *const key_titles[N_KEYS] = { "group", "model", "GPU", "year" };

/* A run and the engine's result for it. Errors are predicted / measured - 1, or NaN. */
typedef struct
{
  const PlgPublishedRun *run;
  PlgRunPrediction prediction; /* result for the fastest plan that fits */
  PlgRunPrediction closest;    /* result for the plan with the closest step time */
  double error;
  double closest_error;
  double memory_error;
  const char *keys[N_KEYS]; /* interned */
} Row;

typedef struct
{
  PlgCatalogue *catalogue;
  PlgPublishedRuns *runs;
  GArray *rows;      /* element-type Row */
  LeaveOut left_out; /* empty unless the constants were fitted again */
  const char *only;
  gboolean is_long; /* --rows */
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

static const char *const file_titles[] = { [FALSE] = "looked at", [TRUE] = "fitted" };
static const char *const files[] = { [FALSE] = "unseen.csv", [TRUE] = "published.csv" };

/* Rows ----------------------------------------------------------------------------------------- */

static const Row *
nth_row (const Bench *bench, guint i)
{
  return &g_array_index (bench->rows, Row, i);
}

static void
print_row (const Row *row)
{
  const PlgRunPrediction *prediction = &row->prediction;

  printf ("%-16s %9.3f s -> %9.3f s %+6.1f %%  memory %5.1f GiB %+6.1f %% %s %s |", row->run->id,
          row->run->step_time, prediction->time, 100.0 * row->error, prediction->memory / PLG_GIB,
          100.0 * row->memory_error, row->run->ran ? "ran" : "OOM",
          row->run->ran == prediction->fits ? "" : "WRONG");
  for (int i = 0; i < PLG_N_PARTS; i++)
    printf (" %4.1f", 100.0 * prediction->part[i] / prediction->time);
  printf ("\n");
}

static void
add_row (Bench *bench, const PlgPublishedRun *run)
{
  Row row = { .run = run, .error = NAN, .closest_error = NAN, .memory_error = NAN };
  g_autofree char *year = g_strdup_printf ("%d", run->year);

  if (bench->only != NULL && strcmp (run->group, bench->only) != 0)
    return;
  if (!plg_published_run_predict (bench->runs, run, PLG_OPEN_SETTINGS_FASTEST, &row.prediction) ||
      !plg_published_run_predict (bench->runs, run, PLG_OPEN_SETTINGS_CLOSEST, &row.closest))
    {
      printf ("  %s: no plan of the run is legal\n", run->id);
      return;
    }
  row.keys[KEY_GROUP] = g_intern_string (run->group);
  row.keys[KEY_KIND] = run->traits.has_experts ? "with experts" : "dense";
  row.keys[KEY_GPU] = g_intern_string (run->gpu);
  row.keys[KEY_YEAR] = g_intern_string (year);
  if (run->step_time > 0.0)
    {
      row.error = row.prediction.time / run->step_time - 1.0;
      row.closest_error = row.closest.time / run->step_time - 1.0;
    }
  if (run->memory_kind != PLG_RUN_MEMORY_NONE)
    row.memory_error = (run->memory_kind < PLG_RUN_MEMORY_PEAK ? row.prediction.memory
                                                               : row.prediction.allocated) /
                           run->memory -
                       1.0;
  g_array_append_val (bench->rows, row);
  if (bench->is_long)
    print_row (&row);
}

/* Errors --------------------------------------------------------------------------------------- */

/* The errors of a set of runs. */
typedef struct
{
  guint n;
  double mean, median, bias;
  double closest; /* mean absolute error of the closest plans */
} Summary;

static int
compare (const void *a, const void *b)
{
  double first = *(const double *) a, second = *(const double *) b;

  return (first > second) - (first < second);
}

static double
median (GArray *values)
{
  g_array_sort (values, compare);
  return values->len == 0 ? 0.0
                          : (g_array_index (values, double, (values->len - 1) / 2) +
                             g_array_index (values, double, values->len / 2)) /
                                2.0;
}

/* Summarizes the rows of one file whose KEY is TEXT. KIND is PLG_RUN_MEMORY_NONE for step times. */
static Summary
summarize (const Bench *bench, gboolean is_fitted, Key key, const char *text, PlgRunMemory kind)
{
  Summary summary = { 0 };
  g_autoptr (GArray) sizes = g_array_new (FALSE, FALSE, sizeof (double));

  for (guint i = 0; i < bench->rows->len; i++)
    {
      const Row *row = nth_row (bench, i);
      double error = kind == PLG_RUN_MEMORY_NONE ? row->error : row->memory_error;
      double size = fabs (error);

      if (row->run->is_fitted != is_fitted || row->keys[key] != text || isnan (error) ||
          (kind != PLG_RUN_MEMORY_NONE && row->run->memory_kind != kind))
        continue;
      summary.mean += size;
      summary.bias += error;
      summary.closest += fabs (row->closest_error);
      g_array_append_val (sizes, size);
    }
  summary.n = sizes->len;
  summary.mean /= MAX (summary.n, 1);
  summary.bias /= MAX (summary.n, 1);
  summary.closest /= MAX (summary.n, 1);
  summary.median = median (sizes);
  return summary;
}

static int
compare_texts (const void *a, const void *b)
{
  return strcmp (*(const char *const *) a, *(const char *const *) b);
}

/* Returns the texts that KEY has in the rows of one file, or in its rows with a step time: groups
 * in the order of the rows, other texts sorted. */
static GPtrArray *
texts_of_key (const Bench *bench, gboolean is_fitted, Key key, gboolean needs_time)
{
  GPtrArray *texts = g_ptr_array_new ();

  for (guint i = 0; i < bench->rows->len; i++)
    {
      const Row *row = nth_row (bench, i);

      if (row->run->is_fitted == is_fitted && (!needs_time || !isnan (row->error)) &&
          !g_ptr_array_find (texts, row->keys[key], NULL))
        g_ptr_array_add (texts, (char *) row->keys[key]);
    }
  if (key != KEY_GROUP)
    g_ptr_array_sort (texts, compare_texts);
  return texts;
}

/* Returns the mean of the summaries of all groups, whose MEDIAN is the median of their means. */
static Summary
summarize_groups (const Bench *bench, gboolean is_fitted)
{
  g_autoptr (GPtrArray) groups = texts_of_key (bench, is_fitted, KEY_GROUP, TRUE);
  g_autoptr (GArray) means = g_array_new (FALSE, FALSE, sizeof (double));
  Summary all = { 0 };

  for (guint i = 0; i < groups->len; i++)
    {
      Summary summary = summarize (bench, is_fitted, KEY_GROUP, groups->pdata[i],
                                   PLG_RUN_MEMORY_NONE);

      all.n += summary.n;
      all.mean += summary.mean;
      all.bias += summary.bias;
      all.closest += summary.closest;
      g_array_append_val (means, summary.mean);
    }
  all.mean /= MAX (means->len, 1);
  all.bias /= MAX (means->len, 1);
  all.closest /= MAX (means->len, 1);
  all.median = median (means);
  return all;
}

/* The predictions whether a plan fits into memory. */
typedef struct
{
  int right, wrong;
  int missed; /* wrong predictions of runs that ran */
} Verdicts;

static Verdicts
count_verdicts (const Bench *bench, gboolean is_fitted)
{
  Verdicts verdicts = { 0 };

  for (guint i = 0; i < bench->rows->len; i++)
    {
      const Row *row = nth_row (bench, i);

      if (row->run->is_fitted != is_fitted)
        continue;
      *(row->run->ran == row->prediction.fits ? &verdicts.right : &verdicts.wrong) += 1;
      verdicts.missed += row->run->ran && !row->prediction.fits;
    }
  return verdicts;
}

/* Sets of plans -------------------------------------------------------------------------------- */

/* Several runs of one group with the same program, model, cluster, batch and precision: the plans
 * among which somebody could choose. */
typedef struct
{
  char *key;
  GPtrArray *rows; /* Row */
} PlanSet;

static void
plan_set_clear (void *data)
{
  PlanSet *set = data;

  g_free (set->key);
  g_ptr_array_unref (set->rows);
}

static char *
plan_set_key (const Bench *bench, const PlgPublishedRun *run)
{
  static const char *const equal[] = { "group",
                                       "framework",
                                       "model",
                                       "training.sequence",
                                       "training.global-batch",
                                       "training.precision",
                                       NULL };
  GString *key = g_string_new (NULL);
  const char *column;

  for (guint i = 0; (column = plg_published_run_column (bench->runs, run, i)) != NULL; i++)
    if (g_str_has_prefix (column, "cluster.") || g_str_has_prefix (column, "model.") ||
        g_strv_contains (equal, column))
      g_string_append_printf (key, "%s,", plg_published_run_cell (bench->runs, run, column));
  return g_string_free (key, FALSE);
}

/* Returns the sets with at least two measured step times. */
static GArray *
collect_sets (const Bench *bench)
{
  GArray *sets = g_array_new (FALSE, FALSE, sizeof (PlanSet));

  g_array_set_clear_func (sets, plan_set_clear);
  for (guint i = 0; i < bench->rows->len; i++)
    {
      const Row *row = nth_row (bench, i);
      g_autofree char *key = plan_set_key (bench, row->run);
      PlanSet *set = NULL;

      if (isnan (row->error))
        continue;
      for (guint j = 0; j < sets->len && set == NULL; j++)
        if (strcmp (g_array_index (sets, PlanSet, j).key, key) == 0)
          set = &g_array_index (sets, PlanSet, j);
      if (set == NULL)
        {
          PlanSet added = { g_steal_pointer (&key), g_ptr_array_new () };

          g_array_append_val (sets, added);
          set = &g_array_index (sets, PlanSet, sets->len - 1);
        }
      g_ptr_array_add (set->rows, (Row *) row);
    }
  for (guint i = sets->len; i > 0; i--)
    if (g_array_index (sets, PlanSet, i - 1).rows->len < 2)
      g_array_remove_index (sets, i - 1);
  return sets;
}

static double
time_of_row (const Row *row, PlgOpenSettings open)
{
  return open == PLG_OPEN_SETTINGS_FASTEST ? row->prediction.time : row->closest.time;
}

/* Returns how much slower than the fastest plan of SET the plan is that the engine thinks fastest,
 * as a share of the measured time. Stores the latter plan in *CHOSEN. */
static double
set_regret (const PlanSet *set, PlgOpenSettings open, const Row **chosen)
{
  const Row *fastest = set->rows->pdata[0];

  *chosen = set->rows->pdata[0];
  for (guint i = 1; i < set->rows->len; i++)
    {
      const Row *row = set->rows->pdata[i];

      if (row->run->step_time < fastest->run->step_time)
        fastest = row;
      if (time_of_row (row, open) < time_of_row (*chosen, open))
        *chosen = row;
    }
  return (*chosen)->run->step_time / fastest->run->step_time - 1.0;
}

/* Returns Kendall's tau-b of the measured and the predicted times, from -1 to 1, or NaN if all
 * times of one kind are the same. Source: Kendall 1945, Biometrika 33, page 239. */
static double
set_tau (const PlanSet *set, PlgOpenSettings open)
{
  int sum = 0, measured_pairs = 0, predicted_pairs = 0;

  for (guint i = 0; i < set->rows->len; i++)
    for (guint j = 0; j < i; j++)
      {
        const Row *a = set->rows->pdata[i], *b = set->rows->pdata[j];
        double first = time_of_row (a, open), second = time_of_row (b, open);
        int measured = compare (&a->run->step_time, &b->run->step_time);
        int predicted = compare (&first, &second);

        sum += measured * predicted;
        measured_pairs += measured != 0;
        predicted_pairs += predicted != 0;
      }
  return sum / sqrt ((double) measured_pairs * predicted_pairs);
}

/* The engine's order of the plans in all sets. */
typedef struct
{
  guint n;       /* sets */
  guint plans;   /* in all sets */
  double regret; /* mean over the sets */
  double worst;
  const Row *worst_choice; /* the engine's choice in the set with the worst regret */
  guint n_tau;             /* sets of at least three plans */
  double tau;              /* mean over these sets */
} Ranking;

static Ranking
rank_sets (const GArray *sets, PlgOpenSettings open)
{
  Ranking ranking = { .n = sets->len };

  for (guint i = 0; i < sets->len; i++)
    {
      const PlanSet *set = &g_array_index (sets, PlanSet, i);
      const Row *chosen;
      double regret = set_regret (set, open, &chosen);

      ranking.plans += set->rows->len;
      ranking.regret += regret / sets->len;
      if (regret > ranking.worst)
        {
          ranking.worst = regret;
          ranking.worst_choice = chosen;
        }
      if (set->rows->len > 2 && !isnan (set_tau (set, open)))
        {
          ranking.n_tau++;
          ranking.tau += set_tau (set, open);
        }
    }
  ranking.tau /= MAX (ranking.n_tau, 1);
  return ranking;
}

/* Bands ---------------------------------------------------------------------------------------- */

/* The error bands that each run would get from the other runs. */
typedef struct
{
  guint n;      /* runs with a band */
  guint inside; /* runs whose error lies in the band */
  guint none;   /* runs without a band, because fewer than two others are near */
  double width; /* median half-width, a share of the MFU */
} Bands;

static Bands
count_bands (const Bench *bench, gboolean without_group)
{
  Bands bands = { 0 };
  g_autoptr (GArray) widths = g_array_new (FALSE, FALSE, sizeof (double));

  for (guint i = 0; i < bench->rows->len; i++)
    {
      const Row *row = nth_row (bench, i);
      PlgSimilarRuns similar;

      if (isnan (row->error))
        continue;
      similar = plg_similar_runs (bench->runs, &row->run->traits, row->run, without_group);
      bands.none += isnan (similar.error);
      bands.inside += fabs (row->error) <= similar.error;
      if (!isnan (similar.error))
        g_array_append_val (widths, similar.error);
    }
  bands.n = widths->len;
  bands.width = median (widths);
  return bands;
}

/* Text ----------------------------------------------------------------------------------------- */

static void
print_summary (const char *name, const Summary *summary, gboolean has_closest)
{
  printf ("  %-16s %5u %7.1f %% %7.1f %% %+7.1f %%", name, summary->n, 100.0 * summary->mean,
          100.0 * summary->median, 100.0 * summary->bias);
  if (has_closest)
    printf (" %7.1f %%", 100.0 * summary->closest);
}

static void
print_times (const Bench *bench, gboolean is_fitted, Key key)
{
  g_autoptr (GPtrArray) texts = texts_of_key (bench, is_fitted, key, TRUE);

  printf ("\n  %-16s %5s %9s %9s %9s %9s\n", key == KEY_GROUP ? "step time" : key_titles[key], "n",
          "mean |e|", "median", "bias", "best");
  for (guint i = 0; i < texts->len; i++)
    {
      const char *text = texts->pdata[i];
      Summary summary = summarize (bench, is_fitted, key, text, PLG_RUN_MEMORY_NONE);

      print_summary (text, &summary, TRUE);
      for (guint j = 0; key == KEY_GROUP && j < G_N_ELEMENTS (others); j++)
        if (strcmp (others[j].group, text) == 0)
          printf ("   %s", others[j].text);
      printf ("\n");
    }
}

static void
print_memory (const Bench *bench, gboolean is_fitted)
{
  g_autoptr (GPtrArray) groups = texts_of_key (bench, is_fitted, KEY_GROUP, FALSE);
  gboolean is_titled = FALSE;

  for (guint i = 0; i < groups->len; i++)
    for (int kind = PLG_RUN_MEMORY_DRIVER; kind < PLG_N_RUN_MEMORIES; kind++)
      {
        Summary summary = summarize (bench, is_fitted, KEY_GROUP, groups->pdata[i], kind);

        if (summary.n == 0)
          continue;
        if (!is_titled)
          printf ("\n  %-16s %5s %9s %9s %9s\n", "memory", "n", "mean |e|", "median", "bias");
        is_titled = TRUE;
        print_summary (groups->pdata[i], &summary, FALSE);
        printf ("   %s\n", plg_run_memory_name (kind));
      }
}

static int
compare_errors (const void *a, const void *b)
{
  double first = fabs ((*(Row *const *) a)->error), second = fabs ((*(Row *const *) b)->error);

  return (first < second) - (first > second);
}

/* Returns the rows with the largest errors of the step time, the largest first. */
static GPtrArray *
worst_rows (const Bench *bench, gboolean is_fitted)
{
  GPtrArray *worst = g_ptr_array_new ();

  for (guint i = 0; i < bench->rows->len; i++)
    if (nth_row (bench, i)->run->is_fitted == is_fitted && !isnan (nth_row (bench, i)->error))
      g_ptr_array_add (worst, (Row *) nth_row (bench, i));
  g_ptr_array_sort (worst, compare_errors);
  g_ptr_array_set_size (worst, (int) MIN (worst->len, N_WORST));
  return worst;
}

/* Prints nothing for a file without a row of the requested group. */
static void
print_file (const Bench *bench, gboolean is_fitted, const char *title)
{
  g_autoptr (GPtrArray) worst = worst_rows (bench, is_fitted);
  Verdicts verdicts = count_verdicts (bench, is_fitted);
  Summary all = summarize_groups (bench, is_fitted);

  if (verdicts.right + verdicts.wrong == 0)
    return;
  printf ("\n  %s\n", title);
  print_times (bench, is_fitted, KEY_GROUP);
  print_summary ("macro", &all, TRUE);
  printf ("   mean of the groups, and the median of their means\n");
  for (Key key = KEY_KIND; key < N_KEYS; key++)
    print_times (bench, is_fitted, key);
  print_memory (bench, is_fitted);
  printf ("\n  fits or not: %d right, %d wrong (%d of them ran): %.1f %%\n", verdicts.right,
          verdicts.wrong, verdicts.missed,
          100.0 * verdicts.right / MAX (verdicts.right + verdicts.wrong, 1));
  printf ("\n  worst:");
  for (guint i = 0; i < worst->len; i++)
    {
      const Row *row = worst->pdata[i];

      printf ("%s %s %+.0f %%", i > 0 ? "," : "", row->run->id, 100.0 * row->error);
    }
  printf ("\n");
}

static void
print_ranking (const Bench *bench)
{
  static const char *const titles[] = {
    [PLG_OPEN_SETTINGS_FASTEST] = "fastest that fits",
    [PLG_OPEN_SETTINGS_CLOSEST] = "best",
  };
  g_autoptr (GArray) sets = collect_sets (bench);

  if (sets->len == 0)
    return;
  printf ("\n  sets of plans for one model, cluster and batch\n\n  %-18s %5s %6s %9s %9s %6s\n",
          "open settings", "sets", "plans", "regret", "worst", "tau");
  for (PlgOpenSettings open = PLG_OPEN_SETTINGS_FASTEST; open < G_N_ELEMENTS (titles); open++)
    {
      Ranking ranking = rank_sets (sets, open);

      printf ("  %-18s %5u %6u %7.1f %% %7.1f %% %6.2f", titles[open], ranking.n, ranking.plans,
              100.0 * ranking.regret, 100.0 * ranking.worst, ranking.tau);
      if (ranking.worst_choice != NULL)
        printf ("   worst: the engine chooses %s", ranking.worst_choice->run->id);
      printf ("\n");
    }
}

/* Prints the errors of each group with constants that are fitted to the other groups. */
static void
print_left_out (const Bench *bench)
{
  const LeaveOut *left_out = &bench->left_out;
  const struct
  {
    const LeftOut *errors;
    const char *text;
  } means[] = {
    { &left_out->all, "each group with constants that are fitted to the other groups" },
    { &left_out->refit, "refit: with constants that are fitted to all groups" },
    { &left_out->unseen,
      "unseen.csv, with constants that are fitted to all groups of published.csv" },
  };

  printf ("\n  %-16s %5s %9s %9s %9s\n", "left out", "n", "mean |e|", "bias", "refit");
  for (guint i = 0; i < left_out->groups->len; i++)
    {
      const LeftOut *group = &g_array_index (left_out->groups, LeftOut, i);

      printf ("  %-16s %5u %7.1f %% %+7.1f %% %7.1f %%\n", group->group, group->n,
              100.0 * group->mean, 100.0 * group->bias, 100.0 * group->refit);
    }
  for (guint i = 0; i < G_N_ELEMENTS (means); i++)
    printf ("  %-16s %5u %7.1f %% %+7.1f %%   %s\n", "macro", means[i].errors->n,
            100.0 * means[i].errors->mean, 100.0 * means[i].errors->bias, means[i].text);
  printf ("\n%s", left_out->values->str);
}

static void
print_bands (const Bench *bench)
{
  for (int without_group = FALSE; without_group <= TRUE; without_group++)
    {
      Bands bands = count_bands (bench, without_group);

      printf ("  %s: %u of %u runs (%.0f %%) lie in the band of the nearest runs, half as wide as "
              "%.1f %%; %u runs have no band\n",
              without_group ? "without the own group" : "without the own run ", bands.inside,
              bands.n, 100.0 * bands.inside / MAX (bands.n, 1), 100.0 * bands.width, bands.none);
    }
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

/* Markdown ------------------------------------------------------------------------------------- */

/* Appends VALUE in percent, with a true minus. */
static void
append_percent (GString *out, double value, gboolean has_sign)
{
  double shown = round (1000.0 * value) / 10.0;

  g_string_append_printf (out, " %s%.1f |",
                          shown < 0.0               ? "−"
                          : has_sign && shown > 0.0 ? "+"
                                                    : "",
                          fabs (shown));
}

static void
append_summary (GString *out, const char *name, const Summary *summary, gboolean is_last)
{
  g_string_append_printf (out, " %s%s%s | %u |", is_last ? "**" : "", name, is_last ? "**" : "",
                          summary->n);
  append_percent (out, summary->mean, FALSE);
  append_percent (out, summary->bias, TRUE);
  append_percent (out, summary->closest, FALSE);
}

/* Appends a table with the fitted runs on the left and the others on the right. */
static void
append_times (GString *out, const Bench *bench, Key key)
{
  g_autoptr (GPtrArray) fitted = texts_of_key (bench, TRUE, key, TRUE);
  g_autoptr (GPtrArray) unseen = texts_of_key (bench, FALSE, key, TRUE);
  GPtrArray *const texts[] = { [FALSE] = unseen, [TRUE] = fitted };

  g_string_append_printf (out, "\n**By %s**\n\n|", key_titles[key]);
  for (int is_fitted = TRUE; is_fitted >= FALSE; is_fitted--)
    g_string_append_printf (out, " %s | n | mean | bias | best |", file_titles[is_fitted]);
  g_string_append (out, "\n|");
  for (int column = 0; column < 10; column++)
    g_string_append (out, column % 5 == 0 ? " --- |" : " ---: |");
  for (guint i = 0; i < MAX (fitted->len, unseen->len); i++)
    {
      g_string_append (out, "\n|");
      for (int is_fitted = TRUE; is_fitted >= FALSE; is_fitted--)
        {
          const char *text = i < texts[is_fitted]->len ? texts[is_fitted]->pdata[i] : NULL;
          Summary summary;

          if (text == NULL)
            {
              g_string_append (out, " | | | | |");
              continue;
            }
          summary = summarize (bench, is_fitted, key, text, PLG_RUN_MEMORY_NONE);
          append_summary (out, text, &summary, FALSE);
        }
    }
  if (key == KEY_GROUP)
    {
      g_string_append (out, "\n|");
      for (int is_fitted = TRUE; is_fitted >= FALSE; is_fitted--)
        {
          Summary all = summarize_groups (bench, is_fitted);

          append_summary (out, "mean of the groups", &all, TRUE);
        }
    }
  g_string_append_c (out, '\n');
}

/* Appends the errors with the engine's constants, and with constants that are fitted to the other
 * groups. */
static void
append_left_out (GString *out, const Bench *bench)
{
  const LeaveOut *left_out = &bench->left_out;
  Summary fitted = summarize_groups (bench, TRUE);

  g_string_append (out,
                   "\n**Leaving a group out**\n\n| group | n | mean | left out | bias, left out "
                   "|\n| --- | ---: | ---: | ---: | ---: |\n");
  for (guint i = 0; i < left_out->groups->len; i++)
    {
      const LeftOut *group = &g_array_index (left_out->groups, LeftOut, i);
      Summary summary = summarize (bench, TRUE, KEY_GROUP, group->group, PLG_RUN_MEMORY_NONE);

      g_string_append_printf (out, "| %s | %u |", group->group, group->n);
      append_percent (out, summary.mean, FALSE);
      append_percent (out, group->mean, FALSE);
      append_percent (out, group->bias, TRUE);
      g_string_append_c (out, '\n');
    }
  g_string_append_printf (out, "| **mean of the groups** | %u |", left_out->all.n);
  append_percent (out, fitted.mean, FALSE);
  append_percent (out, left_out->all.mean, FALSE);
  append_percent (out, left_out->all.bias, TRUE);
  g_string_append_printf (out,
                          "\n\nIf the constants are fitted again to all groups, the mean of the "
                          "groups is %.1f %%, and that of `unseen.csv` is %.1f %%.\n",
                          100.0 * left_out->refit.mean, 100.0 * left_out->unseen.mean);
}

static void
append_memory (GString *out, const Bench *bench)
{
  g_autoptr (GPtrArray) groups = texts_of_key (bench, TRUE, KEY_GROUP, FALSE);

  g_string_append (out, "\n**Memory**\n\n| group | value | n | mean | bias |\n"
                        "| --- | --- | ---: | ---: | ---: |\n");
  for (guint i = 0; i < groups->len; i++)
    for (int kind = PLG_RUN_MEMORY_DRIVER; kind < PLG_N_RUN_MEMORIES; kind++)
      {
        Summary summary = summarize (bench, TRUE, KEY_GROUP, groups->pdata[i], kind);

        if (summary.n == 0)
          continue;
        g_string_append_printf (out, "| %s | %s | %u |", (const char *) groups->pdata[i],
                                plg_run_memory_name (kind), summary.n);
        append_percent (out, summary.mean, FALSE);
        append_percent (out, summary.bias, TRUE);
        g_string_append_c (out, '\n');
      }
  for (int is_fitted = TRUE; is_fitted >= FALSE; is_fitted--)
    {
      Verdicts verdicts = count_verdicts (bench, is_fitted);
      int n = verdicts.right + verdicts.wrong;

      g_string_append_printf (
          out,
          "\nOf the %d runs in `%s`, the engine is right about %d (%.1f %%), whether they fit into "
          "memory. %d of the others ran.\n",
          n, files[is_fitted], verdicts.right, 100.0 * verdicts.right / MAX (n, 1),
          verdicts.missed);
    }
}

static void
append_ranking (GString *out, const Bench *bench)
{
  static const char *const titles[] = {
    [PLG_OPEN_SETTINGS_FASTEST] = "fastest plan that fits",
    [PLG_OPEN_SETTINGS_CLOSEST] = "best",
  };
  g_autoptr (GArray) sets = collect_sets (bench);

  g_string_append (out, "\n**Sets of plans**\n\n| open settings | sets | plans | mean regret | "
                        "worst regret | tau | sets with tau |\n"
                        "| --- | ---: | ---: | ---: | ---: | ---: | ---: |\n");
  for (PlgOpenSettings open = PLG_OPEN_SETTINGS_FASTEST; open < G_N_ELEMENTS (titles); open++)
    {
      Ranking ranking = rank_sets (sets, open);

      g_string_append_printf (out, "| %s | %u | %u |", titles[open], ranking.n, ranking.plans);
      append_percent (out, ranking.regret, FALSE);
      append_percent (out, ranking.worst, FALSE);
      g_string_append_printf (out, " %.2f | %u |\n", ranking.tau, ranking.n_tau);
    }
}

static void
append_bands (GString *out, const Bench *bench)
{
  g_string_append (out,
                   "\n**Error bands**\n\n| nearest runs | runs with a band | measured value in "
                   "the band | median half-width | runs without a band |\n"
                   "| --- | ---: | ---: | ---: | ---: |\n");
  for (int without_group = FALSE; without_group <= TRUE; without_group++)
    {
      Bands bands = count_bands (bench, without_group);

      g_string_append_printf (out, "| %s | %u | %.0f %% | %.1f %% | %u |\n",
                              without_group ? "of other groups" : "all but the run itself", bands.n,
                              100.0 * bands.inside / MAX (bands.n, 1), 100.0 * bands.width,
                              bands.none);
    }
}

static void
append_worst (GString *out, const Bench *bench)
{
  for (int is_fitted = TRUE; is_fitted >= FALSE; is_fitted--)
    {
      g_autoptr (GPtrArray) worst = worst_rows (bench, is_fitted);

      g_string_append_printf (out,
                              "\n**Worst rows of `%s`**\n\n| run | model | GPUs | error | "
                              "reason, if known |\n| --- | --- | --- | ---: | --- |\n",
                              files[is_fitted]);
      for (guint i = 0; i < worst->len; i++)
        {
          const Row *row = worst->pdata[i];
          const char *remark = plg_published_run_remark (bench->runs, row->run);

          g_string_append_printf (out, "| %s | %s | %d %s |", row->run->id, row->run->model,
                                  row->run->traits.gpus, row->keys[KEY_GPU]);
          append_percent (out, row->error, TRUE);
          g_string_append_printf (out, " %s |\n", remark != NULL ? remark : "");
        }
    }
}

static char *
markdown_tables (const Bench *bench)
{
  GString *out = g_string_new (NULL);

  for (Key key = 0; key < N_KEYS; key++)
    append_times (out, bench, key);
  append_left_out (out, bench);
  append_ranking (out, bench);
  append_bands (out, bench);
  append_memory (out, bench);
  append_worst (out, bench);
  return g_string_free (out, FALSE);
}

static char *
markdown_summary (const Bench *bench)
{
  Summary fitted = summarize_groups (bench, TRUE), unseen = summarize_groups (bench, FALSE);

  return g_strdup_printf (
      "Over %u published runs that constants were fitted to, the mean error of the "
      "step time is %.1f %%\n(the mean over groups of runs). Over %u runs that no "
      "constant was fitted to, it is %.1f %%.\nIf a group of runs takes no part in the fit of the "
      "constants, the mean error of this group is %.1f %%.\n",
      fitted.n, 100.0 * fitted.mean, unseen.n, 100.0 * unseen.mean,
      100.0 * bench->left_out.all.mean);
}

/* Replaces the lines between the two markers that are called NAME. */
static void
replace_marked (char **text, const char *name, const char *content)
{
  g_autofree char *begin = g_strdup_printf ("<!-- %s: made by bench-accuracy -->\n", name);
  g_autofree char *end = g_strdup_printf ("<!-- end of %s -->", name);
  const char *first = strstr (*text, begin), *last = strstr (*text, end);
  g_autofree char *head = NULL;
  char *changed;

  if (first == NULL || last == NULL || last < first)
    g_error ("the file lacks the lines “%s” and “%s”", begin, end);
  first += strlen (begin);
  head = g_strndup (*text, (gsize) (first - *text));
  changed = g_strconcat (head, content, last, NULL);
  g_free (*text);
  *text = changed;
}

static void
write_markdown (const Bench *bench, const char *file)
{
  g_autofree char *text = NULL;
  g_autofree char *tables = markdown_tables (bench);
  g_autofree char *summary = markdown_summary (bench);
  g_autoptr (GError) error = NULL;

  if (!g_file_get_contents (file, &text, NULL, &error))
    g_error ("%s", error->message);
  replace_marked (&text, "accuracy in short", summary);
  replace_marked (&text, "accuracy", tables);
  if (!g_file_set_contents (file, text, -1, &error))
    g_error ("%s", error->message);
}

/* Returns the publications of the runs of GROUP in one file of runs. Free with g_free(). */
static char *
sources_of_group (const Bench *bench, gboolean is_fitted, const char *group)
{
  g_autoptr (GPtrArray) sources = g_ptr_array_new ();

  for (guint i = 0; i < bench->rows->len; i++)
    {
      const PlgPublishedRun *run = nth_row (bench, i)->run;

      if (run->is_fitted == is_fitted && strcmp (run->group, group) == 0 &&
          !g_ptr_array_find_with_equal_func (sources, run->source, g_str_equal, NULL))
        g_ptr_array_add (sources, (char *) run->source);
    }
  g_ptr_array_add (sources, NULL);
  return g_strjoinv ("; ", (char **) sources->pdata);
}

/* Adds a row of data/runs/accuracy.csv. LEFT_OUT may be NULL. */
static void
add_csv_row (PlgCsvWriter *csv,
             const char *table,
             gboolean is_fitted,
             const char *name,
             const char *title,
             const Summary *summary,
             const LeftOut *left_out,
             const char *remark)
{
  plg_csv_add_text (csv, table);
  plg_csv_add_number (csv, is_fitted);
  plg_csv_add_text (csv, name);
  plg_csv_add_text (csv, title);
  plg_csv_add_number (csv, summary->n);
  plg_csv_add_number (csv, round (summary->mean * 1e6) / 1e6);
  plg_csv_add_number (csv, round (summary->bias * 1e6) / 1e6);
  if (left_out != NULL)
    plg_csv_add_number (csv, round (left_out->mean * 1e6) / 1e6);
  else
    plg_csv_add_text (csv, "");
  plg_csv_add_text (csv, remark);
  plg_csv_end_row (csv);
}

static void
write_csv (const Bench *bench, const char *file)
{
  static const char *const head[] = { "table", "fitted", "name",     "title",  "runs",
                                      "mean",  "bias",   "left-out", "remark", NULL };
  PlgCsvWriter csv = { .out = g_string_new (NULL), .separator = ',' };
  g_autofree char *text = NULL;
  g_autoptr (GError) error = NULL;

  plg_csv_add_texts (&csv, head);
  plg_csv_end_row (&csv);
  for (int is_fitted = TRUE; is_fitted >= FALSE; is_fitted--)
    {
      g_autoptr (GPtrArray) worst = worst_rows (bench, is_fitted);
      Summary summary = summarize_groups (bench, is_fitted);

      add_csv_row (&csv, "all", is_fitted, "", "mean of the groups", &summary,
                   is_fitted ? &bench->left_out.all : NULL, "");
      for (Key key = 0; key < N_KEYS; key++)
        {
          g_autoptr (GPtrArray) texts = texts_of_key (bench, is_fitted, key, TRUE);

          for (guint i = 0; i < texts->len; i++)
            {
              const char *name = texts->pdata[i];
              g_autofree char *title = key == KEY_GROUP ? sources_of_group (bench, is_fitted, name)
                                                        : NULL;

              summary = summarize (bench, is_fitted, key, name, PLG_RUN_MEMORY_NONE);
              add_csv_row (&csv, key_titles[key], is_fitted, name, title != NULL ? title : name,
                           &summary,
                           is_fitted && key == KEY_GROUP ? leave_out_find (&bench->left_out, name)
                                                         : NULL,
                           "");
            }
        }
      for (guint i = 0; i < worst->len; i++)
        {
          const Row *row = worst->pdata[i];
          const char *remark = plg_published_run_remark (bench->runs, row->run);
          g_autofree char *title = g_strdup_printf ("%s on %d × %s", row->run->model,
                                                    row->run->traits.gpus, row->run->gpu);

          summary = (Summary) { .n = 1, .mean = fabs (row->error), .bias = row->error };
          add_csv_row (&csv, "worst", is_fitted, row->run->id, title, &summary, NULL,
                       remark != NULL ? remark : "");
        }
    }
  text = plg_csv_take (&csv);
  if (!g_file_set_contents (file, text, -1, &error))
    g_error ("%s", error->message);
}

/* Search --------------------------------------------------------------------------------------- */

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

/* Compares RUN with the best plan of a search. Returns FALSE if the best plan is too slow. */
static gboolean
search_run (Bench *bench, const PlgPublishedRun *run)
{
  g_autoptr (PlgPlan) published = NULL;
  g_autoptr (PlgPlan) best = NULL;
  g_auto (GStrv) differences = NULL;
  g_autofree char *edits = NULL;
  PlgRunPrediction prediction;
  double time;

  if (!plg_published_run_predict (bench->runs, run, PLG_OPEN_SETTINGS_FASTEST, &prediction))
    return FALSE;
  published = plg_published_run_plan (bench->runs, run, prediction.choice, NULL);
  time = prediction.time;
  best = best_plan (published, &time);
  if (best != NULL)
    differences = plg_settings_difference (published, best, bench->catalogue);
  edits = differences != NULL ? g_strjoinv (" ", differences) : g_strdup ("");
  printf ("  %-11s %-22s %5d GPUs  %8.3f s%s -> %8.3f s  %+6.1f %%  %s\n", run->id, run->model,
          run->traits.gpus, prediction.time, prediction.fits ? "" : " (does not fit)", time,
          100.0 * (time / prediction.time - 1.0), edits);
  fflush (stdout);
  return (best != NULL || prediction.fits) && time <= (1.0 + MOST_SLOWER) * prediction.time;
}

static gboolean
search_runs (Bench *bench)
{
  guint n;
  const PlgPublishedRun *runs = plg_published_runs_all (bench->runs, &n);
  gboolean is_good = TRUE;

  printf ("  published runs by the engine, and the best plan of a search\n");
  for (guint i = 0; i < n; i++)
    {
      gboolean is_searched = FALSE;

      for (gsize j = 0; j < G_N_ELEMENTS (searched) && !is_searched; j++)
        is_searched = strcmp (searched[j], runs[i].id) == 0;
      if (is_searched && (bench->only == NULL || strcmp (runs[i].group, bench->only) == 0))
        is_good &= search_run (bench, &runs[i]);
    }
  return is_good;
}

int
main (int argc, char **argv)
{
  Bench bench = { .catalogue = plg_catalogue_load (NULL),
                  .rows = g_array_new (FALSE, FALSE, sizeof (Row)) };
  gboolean is_good = TRUE, searches = FALSE, fits = FALSE;
  const char *markdown = NULL, *csv = NULL;
  guint n;
  const PlgPublishedRun *runs;

  bench.runs = plg_published_runs_new ();
  runs = plg_published_runs_all (bench.runs, &n);
  for (int i = 1; i < argc; i++)
    {
      bench.is_long |= strcmp (argv[i], "--rows") == 0;
      searches |= strcmp (argv[i], "--search") == 0;
      fits |= strcmp (argv[i], "--leave-out") == 0;
      if (strcmp (argv[i], "--group") == 0 && i + 1 < argc)
        bench.only = argv[++i];
      else if (strcmp (argv[i], "--markdown") == 0 && i + 1 < argc)
        markdown = argv[++i];
      else if (strcmp (argv[i], "--csv") == 0 && i + 1 < argc)
        csv = argv[++i];
    }
  if (searches)
    is_good = search_runs (&bench);
  else
    {
      for (guint i = 0; i < n; i++)
        add_row (&bench, &runs[i]);
      if (fits || markdown != NULL || csv != NULL)
        bench.left_out = leave_out_run (bench.runs);
      if (markdown != NULL)
        write_markdown (&bench, markdown);
      if (csv != NULL)
        write_csv (&bench, csv);
      if (markdown == NULL && csv == NULL)
        {
          print_file (&bench, TRUE, "published: the constants are fitted to them");
          print_file (&bench, FALSE, "unseen: in no fit, but looked at");
          print_ranking (&bench);
          if (bench.left_out.groups != NULL)
            print_left_out (&bench);
          print_bands (&bench);
          print_theory ();
        }
    }
  leave_out_clear (&bench.left_out);
  g_array_unref (bench.rows);
  plg_published_runs_free (bench.runs);
  plg_catalogue_unref (bench.catalogue);
  return is_good ? EXIT_SUCCESS : EXIT_FAILURE;
}
