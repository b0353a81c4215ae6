/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "io/reports/equivalent-plans.h"
#include "io/import/format.h"
#include "io/reports/markdown.h"
#include "io/reports/plan-sentences.h"
#include "io/reports/similar-runs-text.h"
#include "plan/quantity.h"

#include <glib/gi18n-lib.h>
#include <string.h>

/* Writes the completed worksheet for a design. The headings and row names of its two tables are
 * English in every language, because those of the blank worksheet are English. */

static const char *const tp_findings[] = { "tp-crosses-node", "tp-exposed", "tp-too-wide",
                                           "sequence-parallel-off", NULL };
static const char *const pp_findings[] = { "bubble-high", "batch-small", "pp-order",
                                           "uneven-stages", NULL };
static const char *const dp_findings[] = { "dp-exposed", "oversubscribed", "tcp", "fault", NULL };
static const char *const zero_findings[] = { "out-of-memory", "memory-tight",
                                             "optimizer-not-sharded", NULL };
/* ZeRO stage 3 has no all-reduce, so the all-gather row also shows the findings about data
 * parallelism. */
static const char *const sharded_findings[] = { "dp-exposed",    "oversubscribed", "tcp", "fault",
                                                "out-of-memory", "memory-tight",   NULL };
static const char *const no_findings[] = { NULL };
static const char *const cp_findings[] = { "cp-crosses-node", NULL };
static const char *const ep_findings[] = { "ep-crosses-node", NULL };

/* Appends TEXT (transfer full). */
static void
append_text (GString *out, char *text)
{
  plg_markdown_append (out, text);
  g_free (text);
}

static void
append_result (GString *out, const PlgPlan *plan, const PlgReport *report)
{
  g_autofree char *order = plg_order_to_string (&plan->parallelism);
  g_autofree char *time = plg_format_time (report->step.time);
  g_autofree char *mfu = plg_format_share (report->step.mfu);
  g_autofree char *peak = plg_format_memory_distinct (report->memory_peak, report->memory_capacity);
  g_autofree char *capacity = plg_format_memory_distinct (report->memory_capacity,
                                                          report->memory_peak);
  g_autofree char *bubble = plg_format_share (plg_report_bubble (report));
  g_autoptr (GArray) facts = plg_training_run_facts (plan, &report->run);
  static const char *const profiles[] = { "standard", "notebook", "handbook" };

  g_string_append (out, "- ");
  append_text (out, g_strdup_printf (plan->placement.size > 0 ? _ ("Order: %s, innermost first; "
                                                                   "ranks were also moved by hand.")
                                                              : _ ("Order: %s, innermost first."),
                                     order));
  g_string_append (out, "\n- ");
  append_text (out,
               g_strdup_printf (_ ("Result: %s per step, MFU %s, bubble %s, %s of %s per GPU."),
                                time, mfu, bubble, peak, capacity));
  for (guint i = 0; i < facts->len; i++)
    {
      const PlgRunFact *fact = &g_array_index (facts, PlgRunFact, i);

      g_string_append (out, "\n- ");
      append_text (out, g_strdup_printf ("%s: %s%s", fact->title, fact->value,
                                         g_str_has_suffix (fact->value, ".") ? "" : "."));
    }
  g_string_append (out, "\n- ");
  append_text (out, g_strdup_printf (_ ("All numbers are predictions by Parallelogram, profile "
                                        "%s; calls, bytes and times are per GPU per step."),
                                     profiles[report->profile]));
  g_string_append (out, "\n\n");
}

/* Appends the error band and the published runs like the plan. */
static void
append_similar_runs (GString *out, const PlgReport *report, const PlgSimilarRuns *similar)
{
  g_autofree char *share = plg_similar_runs_share (similar, report->step.mfu);
  g_autofree char *times = plg_similar_runs_times (similar, report->step.time);

  g_string_append (out, "\n## ");
  append_text (out, g_strdup (_ ("Published runs like this plan")));
  g_string_append (out, "\n\n");
  append_text (out, plg_similar_runs_describe (similar));
  if (share != NULL)
    {
      g_string_append_c (out, ' ');
      append_text (out, g_strdup_printf (_ ("Expect an MFU of %s and %s per step."), share, times));
    }
  g_string_append (out, similar->n > 0 ? "\n\n" : "\n");
  for (int i = 0; i < similar->n; i++)
    {
      g_auto (PlgSimilarRunText) text = plg_similar_run_text (&similar->runs[i]);

      g_string_append (out, "- ");
      append_text (out, g_strdup_printf (_ ("%s: measured %s; this engine %s, %s. Source: %s; %s."),
                                         text.title, text.measured, text.predicted, text.error,
                                         text.source, text.locator));
      g_string_append_c (out, '\n');
    }
}

static void
append_axis_row (GString *out, const PlgPlan *plan, const PlgReport *report, PlgAxis axis)
{
  g_autofree char *degree = g_strdup_printf ("%d", plan->parallelism.degree[axis]);
  g_autofree char *placement = plg_axis_describe_placement (plan, axis);
  g_autofree char *reason = plg_axis_describe_reason (plan, report, axis);

  plg_markdown_row (out, (const char *const[]) { plg_axis_label (axis), degree, placement, reason,
                                                 NULL });
}

static void
append_axes (GString *out, const PlgPlan *plan, const PlgReport *report)
{
  static const PlgAxis further[] = { PLG_AXIS_CP, PLG_AXIS_EP };
  const int *degree = plan->parallelism.degree;
  g_autofree char *zero = plg_zero_describe_placement (plan);
  g_autofree char *reason = plg_zero_describe_reason (plan, report);
  g_autofree char *stage = NULL;

  stage = plan->parallelism.zero > 0
              ? g_strdup_printf (_ ("%d (stage %d)"), plg_parallelism_shards (&plan->parallelism),
                                 plan->parallelism.zero)
              : g_strdup (_ ("1 (stage 0)"));
  plg_markdown_heading (out,
                        (const char *const[]) { "Axis", "Degree", "Placement", "Reason", NULL }, 0);
  append_axis_row (out, plan, report, PLG_AXIS_TP);
  append_axis_row (out, plan, report, PLG_AXIS_PP);
  append_axis_row (out, plan, report, PLG_AXIS_DP);
  plg_markdown_row (out, (const char *const[]) { "FSDP/ZeRO", stage, zero, reason, NULL });
  for (guint i = 0; i < G_N_ELEMENTS (further); i++)
    if (degree[further[i]] > 1)
      append_axis_row (out, plan, report, further[i]);
  g_string_append_c (out, '\n');
}

static void
append_communication (GString *out,
                      const PlgPlan *plan,
                      const PlgReport *report,
                      const char *name,
                      const char *frequency,
                      PlgAxis axis,
                      gboolean is_used,
                      const char *preferred,
                      const char *const *findings)
{
  PlgAxisLoad load = plg_axis_load (report, axis);
  g_autofree char *calls = plg_format_number (load.calls, 6);
  g_autofree char *bytes = plg_format_volume (load.bytes_sent);
  g_autofree char *count = NULL, *link = NULL;
  g_autofree char *risk = plg_axis_describe_risk (report, axis, is_used, findings);

  if (load.kinds == 0 || !is_used)
    {
      count = g_strdup_printf (_ ("%s (not used)"), frequency);
      link = g_strdup (preferred);
    }
  else
    {
      count = g_strdup_printf (_ ("%s (%s calls, %s)"), frequency, calls, bytes);
      link = g_strdup_printf (_ ("%s; in this plan, at worst %s"), preferred,
                              plg_tier_title (&plan->cluster, load.tier));
    }

  plg_markdown_row (out, (const char *const[]) { name, count, link, risk, NULL });
}

static void
append_communications (GString *out, const PlgPlan *plan, const PlgReport *report)
{
  const int *degree = plan->parallelism.degree;
  gboolean sharded = plan->parallelism.zero == 3;
  g_autofree char *inside = g_strdup_printf (_ ("%s, inside a node"),
                                             plg_tier_title (&plan->cluster, PLG_TIER_NVLINK));
  const char *between = _ ("NIC with RDMA, between nodes");
  const char *rails = _ ("NIC with RDMA, on one rail");

  plg_markdown_heading (out,
                        (const char *const[]) { "Communication", "Frequency", "Preferred link",
                                                "Risk", NULL },
                        0);
  append_communication (out, plan, report, "TP collectives", "per layer", PLG_AXIS_TP, TRUE, inside,
                        tp_findings);
  append_communication (out, plan, report, "PP send/recv", "per stage boundary", PLG_AXIS_PP, TRUE,
                        between, pp_findings);
  append_communication (out, plan, report, "DP all-reduce", "per backward bucket", PLG_AXIS_DP,
                        !sharded, rails, sharded ? no_findings : dp_findings);
  append_communication (out, plan, report, "FSDP all-gather", "per wrapped unit", PLG_AXIS_DP,
                        sharded, rails, sharded ? sharded_findings : zero_findings);
  if (degree[PLG_AXIS_CP] > 1)
    append_communication (out, plan, report, "CP exchange", "per attention layer", PLG_AXIS_CP,
                          TRUE, inside, cp_findings);
  if (degree[PLG_AXIS_EP] > 1)
    append_communication (out, plan, report,
                          plan->parallelism.dispatcher == PLG_DISPATCHER_ALL_GATHER
                              ? "EP all-gather, reduce-scatter"
                              : "EP all-to-all",
                          "per layer with experts", PLG_AXIS_EP, TRUE, inside, ep_findings);
  g_string_append_c (out, '\n');
}

/* Appends the best and the slowest equivalent plan. */
static void
append_alternatives (GString *out, const PlgPlan *plan, const PlgReport *report)
{
  g_autoptr (GArray) all = plg_equivalent_plans (plan, report);
  const PlgEquivalentPlan *best, *worst;

  g_string_append (out, "## ");
  append_text (out, g_strdup (_ ("Rejected alternative")));
  g_string_append (out, "\n\n");
  if (all->len == 0)
    {
      append_text (out, g_strdup (_ ("No other order or degrees are possible.")));
      g_string_append (out, "\n");
      return;
    }
  best = &g_array_index (all, PlgEquivalentPlan, 0);
  worst = plg_equivalent_plans_slowest (all);
  append_text (out, plg_equivalent_plan_describe (report, best));
  if (best->fits && best->time < report->step.time)
    {
      g_string_append_c (out, ' ');
      append_text (out,
                   g_strdup (_ ("It is faster, so explain why it was rejected, or choose it.")));
    }
  g_string_append (out, "\n\n");
  append_text (out, g_strdup_printf (_ ("It is the best of %d alternatives."), (int) all->len));
  if (worst != best)
    {
      g_autofree char *slowest = plg_equivalent_plan_describe (report, worst);

      g_string_append_c (out, ' ');
      append_text (out, g_strdup_printf (_ ("The slowest: %s"), slowest));
    }
  g_string_append (out, "\n");
}

static void
append_notes (GString *out, const PlgPlan *plan, const PlgReport *report)
{
  g_auto (GStrv) lines = g_strsplit (plan->notes, "\n", -1);

  if (*plan->notes == '\0')
    return;
  g_string_append (out, "\n## ");
  append_text (out, g_strdup (_ ("Notes")));
  g_string_append (out, "\n\n");
  for (int i = 0; lines[i] != NULL; i++)
    {
      g_string_append (out, "> ");
      plg_markdown_append (out, lines[i]);
      g_string_append (out, lines[i + 1] != NULL ? "  \n" : "\n");
    }
}

static void
append_design (GString *out, const PlgPlan *plan, const PlgReport *report)
{
  const PlgCluster *cluster = &plan->cluster;
  g_autofree char *title = plg_plan_display_title (plan);
  g_autofree char *parameters = plg_format_count (report->parameters_total);
  g_autofree char *inside = plg_format_bandwidth (cluster->intra_bandwidth);
  g_autofree char *between = plg_format_bandwidth (cluster->inter_bandwidth);
  g_autofree char *sequences = plg_batch_describe_sequences (plan);
  g_autofree char *micro_batches = plg_batch_describe_micro_batches (plan, report);
  g_autofree char *nodes = g_strdup_printf (g_dngettext (GETTEXT_PACKAGE, "%d node", "%d nodes",
                                                         cluster->nodes),
                                            cluster->nodes);

  g_string_append (out, "# ");
  plg_markdown_append (out, title);
  g_string_append (out, "\n\n- ");
  append_text (out, g_strdup_printf (_ ("Cluster: %s of %d %s; bandwidth per GPU and direction: "
                                        "%s inside a node, %s between nodes."),
                                     nodes, cluster->gpus_per_node, cluster->gpu.title, inside,
                                     between));
  g_string_append (out, "\n- ");
  append_text (out,
               g_strdup_printf (_ ("Model: %s, %s parameters."), plan->model.title, parameters));
  g_string_append (out, "\n- ");
  append_text (out, g_strdup_printf (_ ("Batch: %s per step, in %s per replica."), sequences,
                                     micro_batches));
  g_string_append (out, "\n");
}

static void
append_findings (GString *out, const PlgPlan *plan, const PlgReport *report)
{
  if (report->findings->len == 0)
    return;
  g_string_append (out, "\n## ");
  append_text (out, g_strdup (_ ("Findings")));
  g_string_append (out, "\n\n");
  for (guint i = 0; i < report->findings->len; i++)
    {
      const PlgFinding *finding = &g_array_index (report->findings, PlgFinding, i);

      g_string_append (out, "- ");
      plg_markdown_append (out, finding->text);
      if (finding->remedy != NULL)
        {
          g_string_append_c (out, ' ');
          plg_markdown_append (out, finding->remedy);
        }
      g_string_append_c (out, '\n');
    }
}

static GBytes *
write_worksheet (const PlgExportContext *export, GError **error)
{
  static void (*const sections[]) (GString * out, const PlgPlan *plan, const PlgReport *report) = {
    append_design, append_result, append_axes, append_communications, append_alternatives,
  };
  GString *out;

  if (!plg_need_report (export, error))
    return NULL;
  out = g_string_new (NULL);
  for (guint i = 0; i < G_N_ELEMENTS (sections); i++)
    sections[i](out, export->plan, export->report);
  if (export->similar != NULL)
    append_similar_runs (out, export->report, export->similar);
  append_findings (out, export->plan, export->report);
  append_notes (out, export->plan, export->report);
  return plg_take_text (g_string_free (out, FALSE));
}

const PlgFormat plg_worksheet_format = {
  .name = "worksheet",
  .suffix = ".md",
  .title = N_ ("Worksheet of the design, filled in (Markdown)"),
  .subject = PLG_SUBJECT_REPORT,
  .write = write_worksheet,
};
