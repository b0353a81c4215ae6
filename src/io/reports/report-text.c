/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "engine/model/textbook.h"
#include "io/reports/plan-sentences.h"
#include "io/import/format.h"
#include "io/reports/report-json.h"
#include "io/reports/similar-runs-text.h"
#include "plan/quantity.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#define LINE_WIDTH 96
#define BAR_WIDTH 40
#define MAX_COLUMNS 16 /* maximum number of columns per table */

/* The cells of a table, row by row. table_print() pads them to the width of their columns. */
typedef struct
{
  GPtrArray *cells;
  const char *align; /* one letter per column: 'l' for left-aligned, 'r' for right-aligned */
} Table;

static int
display_width (const char *text)
{
  int width = 0;

  for (const char *p = text; *p != '\0'; p = g_utf8_next_char (p))
    {
      gunichar c = g_utf8_get_char (p);
      if (!g_unichar_iszerowidth (c))
        width += g_unichar_iswide (c) ? 2 : 1;
    }
  return width;
}

static void
table_init (Table *table, const char *align)
{
  table->cells = g_ptr_array_new_with_free_func (g_free);
  table->align = align;
}

static void
add (Table *table, const char *text)
{
  g_ptr_array_add (table->cells, g_strdup (text));
}

/* Adds a cell with TEXT (transfer full). */
static void
take (Table *table, char *text)
{
  g_ptr_array_add (table->cells, text);
}

/* Appends the table to OUT and clears the table. */
static void
table_print (GString *out, Table *table)
{
  guint columns = (guint) strlen (table->align);
  int widths[MAX_COLUMNS];

  g_assert (columns <= MAX_COLUMNS);
  for (guint i = 0; i < columns; i++)
    {
      widths[i] = 0;
      for (guint j = i; j < table->cells->len; j += columns)
        widths[i] = MAX (widths[i], display_width (g_ptr_array_index (table->cells, j)));
    }
  for (guint i = 0; i + columns <= table->cells->len; i += columns)
    {
      gsize start = out->len;

      for (guint j = 0; table->align[j] != '\0'; j++)
        {
          const char *cell = g_ptr_array_index (table->cells, i + j);
          int padding = widths[j] - display_width (cell);
          gboolean is_right = table->align[j] == 'r';

          g_string_append_printf (out, "  %*s%s%*s", is_right ? padding : 0, "", cell,
                                  is_right ? 0 : padding, "");
        }
      while (out->len > start && out->str[out->len - 1] == ' ')
        g_string_truncate (out, out->len - 1);
      g_string_append_c (out, '\n');
    }
  g_clear_pointer (&table->cells, g_ptr_array_unref);
}

static void
append_heading (GString *out, const char *text)
{
  g_string_append_printf (out, "\n%s\n", text);
}

/* Appends TEXT in lines of at most LINE_WIDTH columns, indented by INDENT spaces. */
static void
append_wrapped (GString *out, int indent, const char *text)
{
  g_auto (GStrv) words = g_strsplit_set (text, " \n", -1);
  int column = 0;

  for (int i = 0; words[i] != NULL; i++)
    {
      int width = display_width (words[i]);
      if (column > 0 && column + 1 + width <= LINE_WIDTH)
        g_string_append_c (out, ' ');
      else
        {
          g_string_append_printf (out, "%s%*s", column > 0 ? "\n" : "", indent, "");
          column = indent - 1;
        }
      g_string_append (out, words[i]);
      column += 1 + width;
    }
  g_string_append_c (out, '\n');
}

static char *
describe_cluster (const PlgPlan *plan, const PlgReport *report)
{
  const PlgCluster *cluster = &plan->cluster;
  g_autofree char *nodes = g_strdup_printf (g_dngettext (GETTEXT_PACKAGE, "%d node", "%d nodes",
                                                         cluster->nodes),
                                            cluster->nodes);
  g_autofree char *gpus = plg_format_count (report->world_size);

  /* Translators: "8 nodes × 8 H100 SXM = 64 GPUs". */
  return g_strdup_printf (g_dngettext (GETTEXT_PACKAGE, "%s × %d %s = %s GPU",
                                       "%s × %d %s = %s GPUs", report->world_size),
                          nodes, cluster->gpus_per_node, cluster->gpu.title, gpus);
}

/* Returns the title of the model in the report. The notebook profile always uses the notebook's
 * model instead of the plan's. */
static const char *
model_title (const PlgPlan *plan)
{
  return plan->profile == PLG_PROFILE_NOTEBOOK ? _ ("GPT-3 175B, the notebook's model")
                                               : plan->model.title;
}

static char *
describe_model (const PlgPlan *plan, const PlgReport *report)
{
  g_autofree char *total = plg_format_count (report->parameters_total);
  g_autofree char *active = plg_format_count (report->parameters_active);

  if (!plg_transformer_is_moe (&plan->model) || plan->profile == PLG_PROFILE_NOTEBOOK)
    return g_strdup_printf (_ ("%s, %s parameters"), model_title (plan), total);
  return g_strdup_printf (_ ("%s, %s parameters, %s active"), plan->model.title, total, active);
}

static char *
describe_batch (const PlgPlan *plan, const PlgReport *report)
{
  g_autofree char *sequences = plg_batch_describe_sequences (plan);
  g_autofree char *micro_batches = plg_batch_describe_micro_batches (plan, report);

  return g_strdup_printf (_ ("%s per step; %s per replica"), sequences, micro_batches);
}

static void
append_plan (GString *out, const PlgPlan *plan, const PlgReport *report)
{
  GString *text = g_string_new (NULL);
  g_autofree char *order = plg_order_to_string (&plan->parallelism);
  Table table;

  table_init (&table, "ll");
  add (&table, _ ("Cluster"));
  take (&table, describe_cluster (plan, report));
  add (&table, _ ("Model"));
  take (&table, describe_model (plan, report));
  add (&table, _ ("Degrees"));
  for (int axis = 0; axis < PLG_N_AXES; axis++)
    if (axis != PLG_AXIS_EP)
      g_string_append_printf (text, "%s%s %d", text->len > 0 ? " × " : "", plg_axis_label (axis),
                              report->degree[axis]);
  if (report->degree[PLG_AXIS_EP] > 1)
    g_string_append_printf (text, ", EP %d", report->degree[PLG_AXIS_EP]);
  if (plg_parallelism_replicate (&plan->parallelism) > 1)
    g_string_append_printf (text, _ (", %d shard groups"),
                            plg_parallelism_replicate (&plan->parallelism));
  g_string_append (text, ", ");
  g_string_append_printf (text, _ ("order %s, innermost first"), order);
  if (plan->placement.size > 0)
    g_string_append (text, _ (", ranks moved by hand"));
  take (&table, g_string_free (text, FALSE));
  add (&table, _ ("Batch"));
  take (&table, describe_batch (plan, report));
  if (report->profile != PLG_PROFILE_STANDARD)
    {
      add (&table, _ ("Formulas"));
      if (report->profile == PLG_PROFILE_HANDBOOK)
        add (&table, _ ("from the handbook, with its own constants"));
      else if (report->degree[PLG_AXIS_TP] == 1 && report->degree[PLG_AXIS_PP] == 1)
        add (&table, _ ("from the notebook's Act I, with its own constants; memory as in Act II"));
      else
        add (&table, _ ("from the notebook, with its own constants"));
    }
  table_print (out, &table);
}

static void
append_step (GString *out,
             const PlgPlan *plan,
             const PlgReport *report,
             const PlgSimilarRuns *similar)
{
  const PlgStep *step = &report->step;
  gboolean is_notebook = plan->profile == PLG_PROFILE_NOTEBOOK;
  g_autofree char *mfu = plg_profile_share (plan->profile, step->mfu);
  g_autofree char *peak = plg_format_flops (step->peak);
  g_autofree char *tokens = plg_format_count (step->tokens_per_second);
  g_autofree char *tokens_per_gpu = plg_format_count (step->tokens_per_second_per_gpu);
  Table table;

  append_heading (out, _ ("Step"));
  table_init (&table, "ll");
  add (&table, _ ("Time"));
  take (&table, plg_format_time (step->time));
  add (&table, "MFU");
  take (&table, g_strdup_printf (is_notebook ? _ ("%s of the notebook's peak, %s per GPU")
                                             : _ ("%s of the dense peak, %s per GPU"),
                                 mfu, peak));
  if (similar != NULL)
    {
      g_autofree char *share = plg_similar_runs_share (similar, step->mfu);
      g_autofree char *times = plg_similar_runs_times (similar, step->time);

      add (&table, _ ("Error band"));
      if (share != NULL)
        take (&table,
              g_strdup_printf (g_dngettext (GETTEXT_PACKAGE,
                                            "MFU %s, time %s, from %d published run like this",
                                            "MFU %s, time %s, from %d published runs like this",
                                            similar->n),
                               share, times, similar->n));
      else
        take (&table, plg_similar_runs_describe (similar));
    }
  add (&table, "HFU");
  take (&table, plg_profile_share (plan->profile, step->hfu));
  add (&table, _ ("Rate"));
  take (&table, g_strdup_printf (_ ("%s tokens/s, %s per GPU"), tokens, tokens_per_gpu));
  if (plan->training.tokens > 0)
    {
      g_autofree char *time = plg_format_time (step->days * 86400);
      g_autofree char *hours = plg_format_count (step->gpu_hours);
      g_autofree char *training_tokens = plg_format_count (plan->training.tokens);

      add (&table, _ ("Training"));
      take (&table,
            g_strdup_printf (_ ("%s, %s GPU-hours for %s tokens"), time, hours, training_tokens));
    }
  table_print (out, &table);
}

static void
append_run (GString *out, const PlgPlan *plan, const PlgReport *report)
{
  g_autoptr (GArray) facts = plg_training_run_facts (plan, &report->run);
  Table table;

  append_heading (out, _ ("The whole training, with failures"));
  table_init (&table, "ll");
  for (guint i = 0; i < facts->len; i++)
    {
      const PlgRunFact *fact = &g_array_index (facts, PlgRunFact, i);

      add (&table, fact->title);
      add (&table, fact->value);
    }
  table_print (out, &table);
}

static void
append_bubble (GString *out, const PlgPlan *plan, const PlgReport *report)
{
  const PlgBubble *bubble = &report->bubble;
  const struct
  {
    const char *name;
    const char *formula;
    double value;
  } rows[] = {
    { _ ("Share of the step"), "(p − 1) / (v·m + p − 1)", bubble->share_of_step },
    { _ ("Relative to the ideal time"), "(p − 1) / (v·m)", bubble->over_ideal },
    { _ ("By the notebook's formula"), "(p − 1) / (p·m)", bubble->notebook },
    /* Keep this row last. The loop omits it in the notebook profile, because the notebook has no
     * schedule to simulate. */
    { _ ("Idle in the simulated schedule"), _ ("1 − busy time / (p · length), over all stages"),
      bubble->simulated },
  };
  guint n = G_N_ELEMENTS (rows) - (report->profile == PLG_PROFILE_NOTEBOOK ? 1 : 0);
  Table table;

  append_heading (out, _ ("Bubble (p stages, m micro-batches, v chunks per stage)"));
  table_init (&table, "llr");
  for (guint i = 0; i < n; i++)
    {
      add (&table, rows[i].name);
      add (&table, rows[i].formula);
      take (&table, plg_profile_share (report->profile, rows[i].value));
    }
  table_print (out, &table);
}

static void
append_host_memory (GString *out, const PlgPlan *plan, const PlgReport *report)
{
  double needed = plg_report_host_memory (report);
  double available = plg_cluster_host_memory (&plan->cluster);
  g_autofree char *needed_text = plg_format_memory_distinct (needed, available);
  g_autofree char *available_text = plg_format_memory_distinct (available, needed);

  if (needed <= 0.0)
    return;
  if (available > 0.0)
    g_string_append_printf (out, _ ("  Host memory per GPU: %s of %s\n"), needed_text,
                            available_text);
  else
    g_string_append_printf (out, _ ("  Host memory per GPU: %s\n"), needed_text);
}

static void
append_memory (GString *out, const PlgPlan *plan, const PlgReport *report)
{
  const char *headings[] = {
    _ ("Stage"),       _ ("Layers"),  _ ("Weights"), _ ("Gradients"), _ ("Optimizer"),
    _ ("Activations"), _ ("Buffers"), _ ("Runtime"), _ ("Total"),     ""
  };
  const char *unit;
  double unit_bytes = plg_profile_memory_unit (report->profile, &unit);
  g_autofree char *title = NULL;
  g_autofree char *capacity = plg_profile_memory_distinct (report->profile, report->memory_capacity,
                                                           report->memory_peak);
  g_autofree char *peak = plg_profile_memory_distinct (report->profile, report->memory_peak,
                                                       report->memory_capacity);
  Table table;

  if (report->fits == PLG_FIT_HIDDEN)
    title = g_strdup_printf (_ ("Memory per GPU in %s"), unit);
  else
    title = g_strdup_printf (report->fits == PLG_FIT_YES
                                 ? _ ("Memory per GPU in %s: the peak of %s fits in %s")
                                 : _ ("Memory per GPU in %s: the peak of %s does NOT fit in %s"),
                             unit, peak, capacity);
  append_heading (out, title);
  table_init (&table, "rrrrrrrrrl");
  for (guint i = 0; i < G_N_ELEMENTS (headings); i++)
    add (&table, headings[i]);
  for (guint i = 0; i < report->stages->len; i++)
    {
      const PlgStageMemory *stage = &g_array_index (report->stages, PlgStageMemory, i);
      const double sizes[] = { stage->weights,     stage->gradients, stage->optimizer,
                               stage->activations, stage->buffers,   stage->runtime,
                               stage->total };

      take (&table, g_strdup_printf ("%u", i));
      /* Show a dash in the notebook profile, because stage->layers refers to the plan's model
       * and not to the notebook's model. */
      take (&table, report->profile == PLG_PROFILE_NOTEBOOK
                        ? g_strdup ("–")
                        : g_strdup_printf ("%d", stage->layers));
      /* Write exactly one decimal, so that the decimal points align. Let plg_format_number()
       * write values above 1e15 and values that are not finite. */
      for (guint j = 0; j < G_N_ELEMENTS (sizes); j++)
        {
          char number[G_ASCII_DTOSTR_BUF_SIZE];

          if (!isfinite (sizes[j]) || fabs (sizes[j]) > 1e15)
            take (&table, plg_format_number (sizes[j] / unit_bytes, 3));
          else
            add (&table, g_ascii_formatd (number, sizeof number, "%.1f", sizes[j] / unit_bytes));
        }
      add (&table, isnan (stage->total)                      ? "–"
                   : stage->total <= report->memory_capacity ? _ ("fits")
                                                             : _ ("too large"));
    }
  table_print (out, &table);
  append_host_memory (out, plan, report);
}

static void
append_collectives (GString *out, const PlgPlan *plan, const PlgReport *report)
{
  const char *headings[] = { _ ("Axis"),           _ ("Collective"), _ ("Calls"),
                             _ ("Bytes per call"), _ ("Group"),      _ ("Nodes"),
                             _ ("Link"),           _ ("Time"),       _ ("Exposed") };
  g_autofree char *heading = NULL, *title = NULL;
  Table table;

  /* Omit the table in the notebook profile, because the notebook computes no collectives and the
   * collectives in the report are those of the plan's model. */
  if (report->collectives->len == 0 || report->profile == PLG_PROFILE_NOTEBOOK)
    return;

  /* The table shows the busiest stage, because the step waits for it. */
  title = report->stages->len > 1 ? g_strdup_printf (_ ("Collectives per GPU per step in stage %d"),
                                                     report->step.busiest_stage)
                                  : g_strdup (_ ("Collectives per GPU per step"));
  heading = report->profile == PLG_PROFILE_HANDBOOK
                ? g_strdup_printf (_ ("%s (standard engine, except DP)"), title)
                : g_steal_pointer (&title);
  append_heading (out, heading);
  table_init (&table, "llrrrrlrr");
  for (guint i = 0; i < G_N_ELEMENTS (headings); i++)
    add (&table, headings[i]);
  for (guint i = 0; i < report->collectives->len; i++)
    {
      const PlgCollective *collective = &g_array_index (report->collectives, PlgCollective, i);
      const char *kind = plg_collective_kind_title (collective);

      add (&table, plg_axis_label (collective->axis));
      if (collective->stage == report->step.busiest_stage)
        add (&table, kind);
      else
        take (&table, g_strdup_printf (_ ("%s, stage %d"), kind, collective->stage));
      take (&table, plg_format_count (collective->calls));
      take (&table, plg_format_volume (collective->bytes_per_call));
      take (&table, g_strdup_printf ("%d", collective->group_size));
      take (&table, g_strdup_printf ("%d", collective->nodes_spanned));
      add (&table, plg_tier_title (&plan->cluster, collective->tier));
      take (&table, plg_format_time (collective->time));
      take (&table, plg_format_time (collective->exposed));
    }
  table_print (out, &table);
}

static void
append_time (GString *out, const PlgPlan *plan, const PlgReport *report)
{
  const PlgStep *step = &report->step;
  Table table;

  append_heading (out, _ ("Where the time goes"));
  table_init (&table, "lrrl");
  for (int part = 0; part < PLG_N_PARTS; part++)
    {
      double share = step->time > 0 ? step->part[part] / step->time : 0;
      GString *bar;

      if (step->part[part] == 0 && part != PLG_PART_COMPUTE)
        continue;
      add (&table, plg_part_title (part));
      take (&table, plg_format_time (step->part[part]));
      take (&table, plg_profile_share (report->profile, share));
      bar = g_string_new (NULL);
      for (int i = 0; i < (int) lround (CLAMP (share, 0, 1) * BAR_WIDTH); i++)
        g_string_append (bar, "█");
      take (&table, g_string_free (bar, FALSE));
    }
  table_print (out, &table);
}

static void
append_findings (GString *out, const PlgPlan *plan, const PlgReport *report)
{
  const char *const titles[] = { [PLG_SEVERITY_HINT] = _ ("Hint"),
                                 [PLG_SEVERITY_WARNING] = _ ("Warning"),
                                 [PLG_SEVERITY_ERROR] = _ ("Error") };

  if (report->findings->len > 0)
    append_heading (out, _ ("Findings"));
  for (guint i = 0; i < report->findings->len; i++)
    {
      const PlgFinding *finding = &g_array_index (report->findings, PlgFinding, i);
      g_autofree char *text = g_strdup_printf ("%s: %s", titles[finding->severity],
                                               finding->text != NULL ? finding->text : finding->id);
      g_autoptr (GString) remedy = g_string_new (finding->remedy);
      g_autofree char *gain = plg_format_time (finding->gain);

      if (finding->edits != NULL && strstr (remedy->str, finding->edits) == NULL)
        g_string_append_printf (remedy, " (%s)", finding->edits);
      if (finding->gain > 0)
        {
          g_string_append_c (remedy, ' ');
          g_string_append_printf (remedy, _ ("This saves %s per step."), gain);
        }
      append_wrapped (out, 2, text);
      if (remedy->len > 0)
        append_wrapped (out, 4, remedy->str);
    }
}

char *
plg_report_text (const PlgPlan *plan,
                 const PlgReport *report,
                 const PlgSimilarRuns *similar,
                 guint sections)
{
  static const struct
  {
    guint section; /* PlgReportSections */
    void (*append) (GString *out, const PlgPlan *plan, const PlgReport *report);
  } parts[] = {
    { PLG_REPORT_STEP, append_time },
    { PLG_REPORT_STEP, append_bubble },
    { PLG_REPORT_MEMORY, append_memory },
    { PLG_REPORT_RUN, append_run },
    { PLG_REPORT_COMMUNICATION, append_collectives },
    { PLG_REPORT_FINDINGS, append_findings },
  };
  GString *out = g_string_new (NULL);
  gboolean has_own_model = plan->profile == PLG_PROFILE_NOTEBOOK && *plan->title == '\0';
  g_autofree char *title = has_own_model ? g_strdup (model_title (plan))
                                         : plg_plan_display_title (plan);

  g_string_append_printf (out, "%s\n", title);
  append_plan (out, plan, report);
  if ((sections & PLG_REPORT_STEP) != 0)
    append_step (out, plan, report, (sections & PLG_REPORT_BAND) != 0 ? similar : NULL);
  for (guint i = 0; i < G_N_ELEMENTS (parts); i++)
    if ((sections & parts[i].section) != 0)
      parts[i].append (out, plan, report);
  return g_string_free (out, FALSE);
}

static GBytes *
write_report (const PlgExportContext *export, GError **error)
{
  return plg_need_report (export, error)
             ? plg_take_text (plg_report_text (export->plan, export->report, export->similar,
                                               PLG_REPORT_ALL))
             : NULL;
}

const PlgFormat plg_report_text_format = {
  .name = "text",
  .suffix = ".txt",
  .title = N_ ("Report, for people (text)"),
  .subject = PLG_SUBJECT_REPORT,
  .write = write_report,
};
