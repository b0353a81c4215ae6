/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "engine/report/explanation.h"
#include "engine/report/redaction.h"
#include "io/reports/constant-sources.h"
#include "io/reports/equivalent-plans.h"
#include "io/import/format.h"
#include "syntax/xml-text.h"
#include "io/reports/plan-sentences.h"
#include "io/reports/similar-runs-text.h"
#include "io/runs/run-table.h"
#include "plan/quantity.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

/* Writes the report as one HTML file with tables, findings, formulas and embedded SVG pictures.
 * The file contains no scripts and loads nothing from the network, and its
 * Content-Security-Policy forbids both. */

static const char style[] =
    ":root{--text:#1f2937;--dim:#5b6472;--page:#f6f7f9;--card:#fff;--line:#dcdfe5;--accent:#1c5fb0;"
    "--good:#2e7d4f;--warn:#9a5b00;--bad:#b3261e;--bar:#8fb8e8}\n"
    "@media (prefers-color-scheme:dark){:root{--text:#e6e8ec;--dim:#a7adb8;--page:#17191d;"
    "--card:#22252b;--line:#3a3e47;--accent:#8cb8f0;--good:#7fd1a0;--warn:#f0b35a;--bad:#ff8a80;"
    "--bar:#3d6ea8}}\n"
    "*{box-sizing:border-box}\n"
    "body{margin:0 auto;max-width:1120px;padding:32px 24px 64px;background:var(--page);"
    "color:var(--text);font:15px/1.5 Cantarell,Inter,'Noto Sans','DejaVu Sans',sans-serif}\n"
    "h1{font-size:28px;line-height:1.2;margin:0 0 4px}\n"
    "h2{font-size:18px;margin:36px 0 12px}\n"
    "summary{margin:0 0 12px;cursor:pointer;color:var(--accent)}\n"
    "p{margin:0 0 12px}.dim{color:var(--dim)}\n"
    ".tiles{display:grid;grid-template-columns:repeat(auto-fit,minmax(150px,1fr));gap:12px;"
    "margin:24px 0 0}\n"
    ".tile,figure,.card{background:var(--card);border:1px solid var(--line);border-radius:10px}\n"
    ".tile{padding:14px 16px}.tile b{display:block;font-size:24px;line-height:1.25}\n"
    ".tile span{color:var(--dim);font-size:13px}\n"
    "figure{margin:0 0 16px;padding:12px;background:#fff;overflow-x:auto;text-align:center}\n"
    "figure svg{max-width:100%;height:auto}\n"
    ".card{overflow-x:auto;margin:0 0 16px}\n"
    "table{border-collapse:collapse;width:100%;font-size:14px}\n"
    "th,td{padding:7px 12px;text-align:left;vertical-align:top;border-bottom:1px solid "
    "var(--line)}\n"
    "th{color:var(--dim);font-weight:600;font-size:13px}tr:last-child td{border-bottom:0}\n"
    ".n{text-align:right;font-variant-numeric:tabular-nums;white-space:nowrap}\n"
    ".bar{display:block;height:12px;margin-top:5px;min-width:2px;border-radius:3px;background:var(-"
    "-bar)}\n"
    ".wide{width:40%}.formulas td{overflow-wrap:anywhere}\n"
    ".formulas th:nth-child(1),.formulas th:nth-child(3){width:18%}"
    ".formulas th:nth-child(4){width:16%}\n"
    ".finding{padding:12px 16px;border-bottom:1px solid var(--line)}.finding:last-child{border:0}\n"
    ".finding p{margin:2px 0 0}.error{color:var(--bad)}.warning{color:var(--warn)}"
    ".hint{color:var(--accent)}.good{color:var(--good)}.bad{color:var(--bad)}\n"
    "code{font:13px/1.5 'DejaVu Sans Mono',monospace;overflow-wrap:anywhere}\n"
    "@media print{:root{--text:#000;--dim:#444;--page:#fff;--card:#fff;--line:#bbb;--accent:#000;"
    "--good:#000;--warn:#000;--bad:#000;--bar:#999}body{max-width:none;padding:0;font-size:10pt}"
    "h2{break-after:avoid}figure,.tile,.finding,tr{break-inside:avoid}"
    ".tiles{grid-template-columns:repeat(5,1fr);gap:6px}figure svg{max-height:14cm}"
    "table{font-size:8pt}th,td{padding:4px 6px}th{font-size:8pt}.card{overflow:visible}}\n";

/* Appends TEXT, escaped for content or for an attribute in double quotes. */
static void
append (GString *out, const char *text)
{
  g_autofree char *clean = plg_xml_replace_controls (text);

  plg_xml_append_text (out, clean, TRUE);
}

static void
element (GString *out, const char *tag, const char *text)
{
  g_string_append_printf (out, "<%s>", tag);
  append (out, text);
  g_string_append_printf (out, "</%s>\n", tag);
}

/* Appends an element with TEXT (transfer full). */
static void
append_taken_element (GString *out, const char *tag, char *text)
{
  element (out, tag, text);
  g_free (text);
}

/* Appends a table row. Right-aligns the cells from index NUMBERS to the last one, or no cell if
 * NUMBERS is 0. */
static void
append_row (GString *out, const char *tag, const char *const *cells, int numbers)
{
  g_string_append (out, "<tr>");
  for (int i = 0; cells[i] != NULL; i++)
    {
      gboolean is_number = numbers > 0 && i >= numbers;

      g_string_append_printf (out, "<%s%s>", tag, is_number ? " class=\"n\"" : "");
      append (out, cells[i]);
      g_string_append_printf (out, "</%s>", tag);
    }
  g_string_append (out, "</tr>\n");
}

static void
begin_table (GString *out, const char *const *heading, int numbers)
{
  g_string_append (out, "<div class=\"card\"><table>\n<thead>");
  append_row (out, "th", heading, numbers);
  g_string_append (out, "</thead>\n<tbody>\n");
}

static void
end_table (GString *out)
{
  g_string_append (out, "</tbody></table></div>\n");
}


/* Appends the picture NAME, or nothing if EXPORT has no function for pictures. Prefixes all ids
 * of the picture with NAME, because ids must be unique in the document. */
static gboolean
append_picture (GString *out, const PlgExportContext *export, const char *name, GError **error)
{
  static const char *const references[] = { " id=\"", "url(#", "href=\"#", "aria-labelledby=\"",
                                            "aria-describedby=\"" };
  g_autoptr (GBytes) bytes = NULL;
  g_autofree char *svg = NULL;
  const char *p;

  if (export->picture == NULL)
    return TRUE;
  bytes = export->picture (name, export->picture_data, error);
  if (bytes == NULL)
    return FALSE;
  svg = g_strndup (g_bytes_get_data (bytes, NULL), g_bytes_get_size (bytes));
  g_string_append (out, "<figure>\n");
  p = strstr (svg, "<svg");
  while (p != NULL && *p != '\0')
    {
      const char *found = NULL;

      for (guint i = 0; i < G_N_ELEMENTS (references) && found == NULL; i++)
        found = g_str_has_prefix (p, references[i]) ? references[i] : NULL;
      if (found == NULL)
        {
          g_string_append_c (out, *p++);
          continue;
        }
      g_string_append_printf (out, "%s%s-", found, name);
      p += strlen (found);
    }
  g_string_append (out, "</figure>\n");
  return TRUE;
}


/* Appends a tile with VALUE (transfer full) and LABEL. CLASS is the whole class attribute with a
 * leading space, or "" for none. */
static void
append_key_figure (GString *out, char *value, const char *label, const char *class)
{
  g_string_append_printf (out, "<div class=\"tile\"><b%s>", class);
  append (out, value);
  g_string_append (out, "</b><span>");
  append (out, label);
  g_string_append (out, "</span></div>\n");
  g_free (value);
}


static void
append_axes (GString *out, const PlgPlan *plan, const PlgReport *report)
{
  g_autofree char *zero = g_strdup_printf (_ ("stage %d"), plan->parallelism.zero);
  g_autofree char *zero_placement = plg_zero_describe_placement (plan);
  g_autofree char *zero_reason = plg_zero_describe_reason (plan, report);

  element (out, "h2", _ ("Placement"));
  begin_table (out,
               (const char *const[]) { _ ("Axis"), _ ("Degree"), _ ("Placement"), _ ("Reason"),
                                       NULL },
               0);
  for (int axis = 0; axis < PLG_N_AXES; axis++)
    {
      g_autofree char *degree = g_strdup_printf ("%d", plan->parallelism.degree[axis]);
      g_autofree char *placement = plg_axis_describe_placement (plan, axis);
      g_autofree char *reason = plg_axis_describe_reason (plan, report, axis);

      if (plan->parallelism.degree[axis] > 1)
        append_row (out, "td",
                    (const char *const[]) { plg_axis_label (axis), degree, placement, reason,
                                            NULL },
                    0);
    }
  append_row (out, "td", (const char *const[]) { "ZeRO", zero, zero_placement, zero_reason, NULL },
              0);
  end_table (out);
}

static void
append_memory (GString *out, const PlgPlan *plan, const PlgReport *report)
{
  begin_table (out,
               (const char *const[]) { _ ("Stage"), _ ("Layers"), _ ("Weights"), _ ("Gradients"),
                                       _ ("Optimizer"), _ ("Activations"), _ ("Buffers"),
                                       _ ("Runtime"), _ ("Total"), NULL },
               1);
  for (guint i = 0; i < report->stages->len; i++)
    {
      const PlgStageMemory *memory = &g_array_index (report->stages, PlgStageMemory, i);
      const double parts[] = { memory->weights,     memory->gradients, memory->optimizer,
                               memory->activations, memory->buffers,   memory->runtime,
                               memory->total };
      g_autoptr (GPtrArray) cells = g_ptr_array_new_with_free_func (g_free);

      g_ptr_array_add (cells, g_strdup_printf ("%u", i));
      g_ptr_array_add (cells, g_strdup_printf ("%d", memory->layers));
      for (guint j = 0; j < G_N_ELEMENTS (parts); j++)
        g_ptr_array_add (cells, plg_format_memory (parts[j]));
      g_ptr_array_add (cells, NULL);
      append_row (out, "td", (const char *const *) cells->pdata, 1);
    }
  end_table (out);
}

static void
append_run (GString *out, const PlgPlan *plan, const PlgReport *report)
{
  g_autoptr (GArray) facts = plg_training_run_facts (plan, &report->run);

  element (out, "h2", _ ("The whole training, with failures"));
  begin_table (out, (const char *const[]) { _ ("Number"), _ ("Result"), NULL }, 0);
  for (guint i = 0; i < facts->len; i++)
    {
      const PlgRunFact *fact = &g_array_index (facts, PlgRunFact, i);

      append_row (out, "td", (const char *const[]) { fact->title, fact->value, NULL }, 0);
    }
  end_table (out);
}

static void
append_collectives (GString *out, const PlgPlan *plan, const PlgReport *report)
{
  if (report->collectives->len == 0)
    return;
  element (out, "h2", _ ("Data sent per GPU per step"));
  begin_table (out,
               (const char *const[]) { _ ("Collective"), _ ("Slowest link"), _ ("Members"),
                                       _ ("Nodes"), _ ("Calls"), _ ("Sent"), _ ("Time"),
                                       _ ("Exposed"), NULL },
               2);
  for (guint i = 0; i < report->collectives->len; i++)
    {
      const PlgCollective *collective = &g_array_index (report->collectives, PlgCollective, i);
      g_autofree char *name = g_strdup_printf ("%s %s", plg_axis_label (collective->axis),
                                               plg_collective_kind_title (collective));
      g_autofree char *members = g_strdup_printf ("%d", collective->group_size);
      g_autofree char *nodes = g_strdup_printf ("%d", collective->nodes_spanned);
      g_autofree char *calls = plg_format_number (collective->calls, 6);
      g_autofree char *bytes = plg_format_volume (collective->bytes_sent);
      g_autofree char *time = plg_format_time (collective->time);
      g_autofree char *exposed = plg_format_time (collective->exposed);

      append_row (out, "td",
                  (const char *const[]) { name, plg_tier_title (&plan->cluster, collective->tier),
                                          members, nodes, calls, bytes, time, exposed, NULL },
                  2);
    }
  end_table (out);
}

static void
append_findings (GString *out, const PlgPlan *plan, const PlgReport *report)
{
  element (out, "h2", _ ("Findings"));
  if (report->findings->len == 0)
    {
      element (out, "p", _ ("No findings."));
      return;
    }
  g_string_append (out, "<div class=\"card\">\n");
  for (guint i = 0; i < report->findings->len; i++)
    {
      const PlgFinding *finding = &g_array_index (report->findings, PlgFinding, i);
      const char *const titles[] = { _ ("Hint"), _ ("Warning"), _ ("Error") };

      g_string_append_printf (out, "<div class=\"finding\"><b class=\"%s\">",
                              plg_severity_name (finding->severity));
      append (out, titles[finding->severity]);
      g_string_append (out, ":</b> ");
      append (out, finding->text);
      if (finding->remedy != NULL)
        element (out, "p", finding->remedy);
      g_string_append (out, "</div>\n");
    }
  g_string_append (out, "</div>\n");
}

static void
append_alternatives (GString *out, const PlgPlan *plan, const PlgReport *report)
{
  g_autoptr (GArray) all = plg_equivalent_plans (plan, report);
  g_autofree char *best = NULL;

  if (all->len == 0)
    return;
  element (out, "h2", _ ("Other orders and degrees"));
  best = plg_equivalent_plan_describe (report, &g_array_index (all, PlgEquivalentPlan, 0));
  append_taken_element (out, "p",
                        g_strdup_printf (_ ("The best of %d alternatives: %s"), (int) all->len,
                                         best));
  if (all->len > 1)
    {
      g_autofree char *slowest = plg_equivalent_plan_describe (report,
                                                               plg_equivalent_plans_slowest (all));

      append_taken_element (out, "p", g_strdup_printf (_ ("The slowest: %s"), slowest));
    }
}

/* Appends the published runs like the plan, the measured values next to the engine's. */
static void
append_similar_runs (GString *out, const PlgSimilarRuns *similar)
{
  element (out, "h2", _ ("Published runs like this plan"));
  append_taken_element (out, "p", plg_similar_runs_describe (similar));
  if (similar->n == 0)
    return;
  begin_table (out,
               (const char *const[]) { _ ("Run"), _ ("Measured"), _ ("This engine"), _ ("Error"),
                                       _ ("Source"), NULL },
               0);
  for (int i = 0; i < similar->n; i++)
    {
      const PlgPublishedRun *run = similar->runs[i].run;
      g_auto (PlgSimilarRunText) text = plg_similar_run_text (&similar->runs[i]);
      g_autofree char *title = g_strdup_printf ("%s (%s)", text.title, run->framework);
      g_autoptr (GString) source = g_string_new (text.source);

      g_string_append_printf (source, "; %s", text.locator);
      if (run->is_fitted)
        g_string_append_printf (source, ". %s", _ ("Constants were fitted to this run."));
      append_row (out, "td",
                  (const char *const[]) { title, text.measured, text.predicted, text.error,
                                          source->str, NULL },
                  0);
    }
  end_table (out);
}

/* Returns a share from a cell of data/runs/accuracy.csv, with its sign if IS_SIGNED. */
static char *
format_error (const PlgRunTable *accuracy, int row, const char *column, gboolean is_signed)
{
  double value = g_ascii_strtod (plg_run_table_cell (accuracy, row, column), NULL);
  g_autofree char *size = plg_format_share (fabs (value));

  return g_strconcat (!is_signed ? "" : value < 0.0 ? "−" : "+", size, NULL);
}

/* Appends the rows of data/runs/accuracy.csv that are in TABLE. */
static void
append_accuracy_table (GString *out, const PlgRunTable *accuracy, const char *table)
{
  gboolean is_worst = g_str_equal (table, "worst");

  for (int row = 1; row < (int) accuracy->rows->len; row++)
    {
      g_autofree char *mean = format_error (accuracy, row, "mean", FALSE);
      g_autofree char *bias = format_error (accuracy, row, "bias", TRUE);
      const char *title = plg_run_table_cell (accuracy, row, "title");
      const char *remark = plg_run_table_cell (accuracy, row, "remark");
      const char *runs = plg_run_table_cell (accuracy, row, "runs");
      const char *fitted = g_str_equal (plg_run_table_cell (accuracy, row, "fitted"), "1")
                               ? _ ("yes")
                               : _ ("no");
      const char *const worst_cells[] = { title, remark, fitted, bias, NULL };
      const char *left = plg_run_table_cell (accuracy, row, "left-out");
      g_autofree char *left_out = left != NULL && *left != '\0'
                                      ? format_error (accuracy, row, "left-out", FALSE)
                                      : NULL;
      const char *const cells[] = { title, fitted, runs,
                                    mean,  bias,   left_out != NULL ? left_out : "",
                                    NULL };

      if (g_str_equal (plg_run_table_cell (accuracy, row, "table"), table))
        append_row (out, "td", is_worst ? worst_cells : cells, is_worst ? 3 : 2);
    }
  end_table (out);
}

/* Appends the errors of the engine on all published runs, folded. The names of runs are in
 * English. */
static void
append_accuracy (GString *out)
{
  const struct
  {
    const char *table; /* the value of the column "table" */
    const char *title;
  } tables[] = { { "all", _ ("All groups of runs") },
                 { "group", _ ("Source") },
                 { "model", _ ("Model") },
                 { "GPU", _ ("GPU") },
                 { "year", _ ("Year") } };
  g_auto (PlgRunTable) accuracy = { 0 };

  plg_run_table_init (&accuracy, "accuracy.csv");
  g_string_append (out, "<details>\n<summary>");
  append (out, _ ("Accuracy of the engine on all published runs"));
  g_string_append (out, "</summary>\n");
  element (out, "p",
           /* xgettext:no-c-format */
           _ ("The error of a run is the engine's step time compared with the measured one: −10 % "
              "means that the engine is too fast. Errors are smaller for runs to which constants "
              "of the engine were fitted. “Left out” is the mean error of a group if the constants "
              "are fitted to the other groups."));
  for (guint i = 0; i < G_N_ELEMENTS (tables); i++)
    {
      begin_table (out,
                   (const char *const[]) { tables[i].title, _ ("Fitted"), _ ("Runs"),
                                           _ ("Mean error"), _ ("Bias"), _ ("Left out"), NULL },
                   2);
      append_accuracy_table (out, &accuracy, tables[i].table);
    }
  begin_table (out,
               (const char *const[]) { _ ("Largest errors"), _ ("Reason, if known"), _ ("Fitted"),
                                       _ ("Error"), NULL },
               3);
  append_accuracy_table (out, &accuracy, "worst");
  g_string_append (out, "</details>\n");
}

/* Appends BEFORE, which is markup, and the source of a formula or of constants, unless it is NULL. */
static void
append_source (GString *out, const char *before, const char *source)
{
  gsize start;

  if (source == NULL)
    return;
  g_string_append (out, before);
  start = out->len;
  append (out, source);
  /* Allow line breaks after "/" and "_", because a source can be a long path. */
  for (gsize i = out->len; i > start; i--)
    if (out->str[i - 1] == '/' || out->str[i - 1] == '_')
      g_string_insert (out, (gssize) i, "<wbr>");
    else if (out->str[i - 1] == '\n')
      g_string_insert (out, (gssize) i, "<br>");
}

static void
append_formulas (GString *out, const PlgExportContext *export)
{
  const PlgPlan *plan = export->plan;
  const PlgReport *report = export->report;
  g_auto (PlgConstantSources) sources = { 0 };
  g_autoptr (GArray) list = plg_explain (plan, report, NULL);
  const char *placeholder = plg_redaction_placeholder (report->redaction, PLG_REDACT_ALL);

  if (export->catalogue != NULL)
    plg_constant_sources_init (&sources, plan, export->catalogue);
  element (out, "h2", _ ("How the numbers are calculated"));
  if (list->len == 0 && placeholder != NULL)
    {
      element (out, "p", placeholder);
      return;
    }
  g_string_append (out, "<div class=\"formulas\">\n");
  begin_table (out,
               (const char *const[]) { _ ("Number"), _ ("Formula"), _ ("Result"), _ ("Source"),
                                       NULL },
               0);
  for (guint i = 0; i < list->len; i++)
    {
      const PlgExplanation *explanation = &g_array_index (list, PlgExplanation, i);
      g_autofree char *constants = NULL, *engine = NULL;

      g_string_append (out, "<tr><td>");
      append (out, explanation->title);
      g_string_append (out, "</td><td><code>");
      append (out, explanation->symbols);
      g_string_append (out, "<br>= ");
      append (out, explanation->numbers);
      g_string_append (out, "</code>");
      if (explanation->note != NULL)
        {
          g_string_append (out, "<br><span class=\"dim\">");
          append (out, explanation->note);
          g_string_append (out, "</span>");
        }
      g_string_append (out, "</td><td>");
      append (out, explanation->result);
      g_string_append (out, "</td><td class=\"dim\">");
      if (export->catalogue != NULL)
        constants = plg_constant_sources_describe (&sources, explanation->uses);
      engine = plg_constant_sources_describe_engine (plan, &explanation->constants);
      append_source (out, "", explanation->source);
      append_source (out, "<br>", constants);
      append_source (out, "<br>", engine);
      g_string_append (out, "</td></tr>\n");
    }
  end_table (out);
  g_string_append (out, "</div>\n");
}

static void
append_notes (GString *out, const PlgPlan *plan, const PlgReport *report)
{
  g_auto (GStrv) lines = g_strsplit (plan->notes, "\n", -1);

  if (*plan->notes == '\0')
    return;
  element (out, "h2", _ ("Notes"));
  g_string_append (out, "<p>");
  for (int i = 0; lines[i] != NULL; i++)
    {
      append (out, lines[i]);
      g_string_append (out, lines[i + 1] != NULL ? "<br>\n" : "");
    }
  g_string_append (out, "</p>\n");
}

static gboolean
append_body (GString *out, const PlgExportContext *export, GError **error)
{
  static void (*const last_sections[]) (GString * out, const PlgPlan *plan,
                                        const PlgReport *report) = {
    append_memory, append_run, append_collectives, append_findings, append_alternatives,
  };
  const PlgPlan *plan = export->plan;
  const PlgReport *report = export->report;
  g_autofree char *capacity = plg_format_memory_distinct (report->memory_capacity,
                                                          report->memory_peak);
  g_autofree char *memory = g_strdup_printf (report->fits == PLG_FIT_NO
                                                 ? _ ("per GPU: does not fit in %s")
                                                 : _ ("peak per GPU, of %s"),
                                             capacity);
  char *mfu = export->similar != NULL ? plg_similar_runs_share (export->similar, report->step.mfu)
                                      : NULL;

  g_string_append (out, "<div class=\"tiles\">\n");
  append_key_figure (out, plg_format_time (report->step.time), _ ("per step"), "");
  if (mfu == NULL)
    mfu = plg_format_share (report->step.mfu);
  append_key_figure (out, mfu, _ ("MFU (share of the dense peak)"), "");
  append_key_figure (out, plg_format_share (plg_report_bubble (report)), _ ("pipeline bubble"), "");
  append_key_figure (out, plg_format_memory_distinct (report->memory_peak, report->memory_capacity),
                     memory, report->fits == PLG_FIT_NO ? " class=\"bad\"" : "");
  append_key_figure (out, plg_format_count (report->step.tokens_per_second),
                     _ ("tokens per second"), "");
  g_string_append (out, "</div>\n");

  element (out, "h2", _ ("The cluster"));
  if (!append_picture (out, export, "cluster", error))
    return FALSE;
  append_axes (out, plan, report);
  element (out, "h2", _ ("Where the time goes"));
  g_string_append (out, "<div class=\"card\"><table>\n<tbody>\n");
  for (int part = 0; part < PLG_N_PARTS; part++)
    if (report->step.part[part] > 0.0)
      {
        const PlgStep *step = &report->step;
        double share = step->part[part] / step->time;
        char width[G_ASCII_DTOSTR_BUF_SIZE];
        g_autofree char *time = plg_format_time (step->part[part]);
        g_autofree char *percent = plg_format_share (share);

        g_string_append (out, "<tr><td>");
        append (out, plg_part_title (part));
        g_string_append (out, "</td><td class=\"n\">");
        append (out, time);
        g_string_append (out, "</td><td class=\"n\">");
        append (out, percent);
        g_string_append_printf (out,
                                "</td><td class=\"wide\"><span class=\"bar\" style=\"width:%s%%\">"
                                "</span></td></tr>\n",
                                g_ascii_formatd (width, sizeof width, "%.1f", 100.0 * share));
      }
  end_table (out);
  if (!append_picture (out, export, "mfu", error) ||
      !append_picture (out, export, "timeline", error))
    return FALSE;
  element (out, "h2", _ ("Memory per GPU"));
  if (!append_picture (out, export, "memory", error))
    return FALSE;
  for (guint i = 0; i < G_N_ELEMENTS (last_sections); i++)
    last_sections[i](out, plan, report);
  if (export->similar != NULL)
    {
      append_similar_runs (out, export->similar);
      append_accuracy (out);
    }
  append_notes (out, plan, report);
  append_formulas (out, export);
  return TRUE;
}

static GBytes *
write_html (const PlgExportContext *export, GError **error)
{
  static const char *const profiles[] = { "standard", "notebook", "handbook" };
  const PlgPlan *plan = export->plan;
  const PlgReport *report = export->report;
  const PlgCluster *cluster = &plan->cluster;
  const int *degree = plan->parallelism.degree;
  g_autoptr (GString) out = g_string_new (NULL);
  g_autofree char *title = plg_plan_display_title (plan);
  g_autofree char *order = plg_order_to_string (&plan->parallelism);
  g_autofree char *sequences = plg_batch_describe_sequences (plan);
  g_autofree char *micro_batches = NULL;
  g_autofree char *nodes = g_strdup_printf (g_dngettext (GETTEXT_PACKAGE, "%d node", "%d nodes",
                                                         cluster->nodes),
                                            cluster->nodes);
  g_autofree char *parameters = NULL;

  if (!plg_need_report (export, error))
    return NULL;
  parameters = plg_format_count (report->parameters_total);
  micro_batches = plg_batch_describe_micro_batches (plan, report);
  /* Translators: the language code of your language, such as de. */
  g_string_append_printf (out, "<!DOCTYPE html>\n<html lang=\"%s\">\n<head>\n", _ ("en"));
  g_string_append (out, "<meta charset=\"utf-8\">\n"
                        "<meta http-equiv=\"Content-Security-Policy\" "
                        "content=\"default-src 'none'; style-src 'unsafe-inline'\">\n"
                        "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
                        "<meta name=\"generator\" content=\"Parallelogram\">\n");
  element (out, "title", title);
  g_string_append_printf (out, "<style>\n%s</style>\n</head>\n<body>\n", style);
  element (out, "h1", title);
  append_taken_element (
      out, "p",
      g_strdup_printf (_ ("%s with %s parameters on %s of %d %s. TP %d × CP %d × PP %d × DP "
                          "%d, EP %d, order %s, innermost first. %s per step, in %s "
                          "per replica."),
                       plan->model.title, parameters, nodes, cluster->gpus_per_node,
                       cluster->gpu.title, degree[PLG_AXIS_TP], degree[PLG_AXIS_CP],
                       degree[PLG_AXIS_PP], degree[PLG_AXIS_DP], degree[PLG_AXIS_EP], order,
                       sequences, micro_batches));
  if (plan->placement.size > 0)
    element (out, "p",
             _ ("Some ranks were moved by hand, so not all are where the nesting order "
                "places them."));
  g_string_append (out, "<p class=\"dim\">");
  g_string_append_printf (out, _ ("Predicted by Parallelogram, profile %s."),
                          profiles[report->profile]);
  g_string_append (out, "</p>\n");
  if (!append_body (out, export, error))
    return NULL;
  g_string_append (out, "</body>\n</html>\n");
  return plg_take_text (g_strdup (out->str));
}

const PlgFormat plg_html_format = {
  .name = "html",
  .suffix = ".html",
  .title = N_ ("Report with pictures, for a browser (HTML)"),
  .subject = PLG_SUBJECT_REPORT,
  .write = write_html,
};
