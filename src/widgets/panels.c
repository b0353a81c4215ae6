/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "widgets/panels.h"

#include "engine/veil.h"
#include "plan/quantity.h"
#include "plan/setting.h"
#include "widgets/card.h"
#include "widgets/collective-menu.h"
#include "widgets/look.h"
#include "widgets/picture-view.h"
#include "widgets/table-window.h"

#include <adwaita.h>
#include <glib/gi18n-lib.h>
#include <math.h>

/* Above this share of the step the bubble is called high: the teaching material's ceiling. */
#define BUBBLE_CEILING 0.10
#define MAX_ADVICE 6

struct _PlgPanels
{
  GtkWidget parent_instance;

  PlgDocument *document;

  GtkWidget *scroller;
  PlgCard *mfu;
  PlgCard *memory;
  PlgCard *bubble;
  PlgCard *communication;
  PlgCard *advice;
  PlgPictureView *mfu_picture;
  PlgPictureView *memory_picture;
  PlgTable *bubble_table;
  PlgTable *collectives;
  /* In windows of their own, and NULL while those are not there. */
  PlgTable *memory_values;
  PlgTable *collective_values;
  GtkWidget *exact_values;
  GtkWidget *findings;
  GPtrArray *shown; /* texts of the findings shown, to spare a rebuild */
};

/* At normal text size, in pixels. */
#define WIDTH 330

G_DEFINE_FINAL_TYPE (PlgPanels, plg_panels, GTK_TYPE_WIDGET)

enum
{
  REFUSED,
  N_SIGNALS,
};

static guint signals[N_SIGNALS];

static void update (PlgPanels *self);
static void update_long (PlgPanels *self);

/* MFU -------------------------------------------------------------------------------------------
 */

static void
update_mfu (PlgPanels *self, const PlgReport *report)
{
  g_autofree char *mfu = plg_format_share (report->step.mfu);
  g_autofree char *flops = plg_format_flops (report->step.flops_per_second_per_gpu);
  g_autofree char *time = plg_format_time (report->step.time);
  g_autofree char *tokens = plg_format_count (report->step.tokens_per_second);
  g_autofree char *days = plg_format_number (report->step.days, 3);
  g_autofree char *total = plg_format_count (plg_document_plan (self->document)->training.tokens);
  g_autofree char *
      subtitle = g_strdup_printf (_ ("%s per GPU · %s a step\n%s tokens/s · %s days for %s tokens"),
                                  flops, time, tokens, days, total);

  plg_card_set_value (self->mfu, mfu, NULL, NULL, subtitle);
}

/* Memory ----------------------------------------------------------------------------------------
 */

static void
set_memory_row (PlgTable *table, int row, const PlgStageMemory *stage)
{
  const double values[] = { stage->weights, stage->gradients, stage->optimizer, stage->activations,
                            stage->buffers, stage->runtime,   stage->total };
  char text[32];

  g_snprintf (text, sizeof text, "%d", row);
  plg_table_set_cell (table, row, 0, text);
  g_snprintf (text, sizeof text, "%d", stage->layers);
  plg_table_set_cell (table, row, 1, text);
  for (guint i = 0; i < G_N_ELEMENTS (values); i++)
    {
      g_ascii_formatd (text, sizeof text, "%.1f", values[i] / PLG_GIB);
      plg_table_set_cell (table, row, i + 2, text);
    }
}

static void
update_memory_values (PlgPanels *self, const PlgReport *report)
{
  if (self->memory_values == NULL)
    return;
  plg_table_set_n_rows (self->memory_values, report->stages->len);
  for (guint i = 0; i < report->stages->len; i++)
    set_memory_row (self->memory_values, i, &g_array_index (report->stages, PlgStageMemory, i));
}

/* "20 layers each", or "19 to 21 layers each" where stages differ. */
static char *
layers_of_stages (const PlgReport *report)
{
  int least = G_MAXINT, most = 0;

  for (guint i = 0; i < report->stages->len; i++)
    {
      int layers = g_array_index (report->stages, PlgStageMemory, i).layers;

      least = MIN (least, layers);
      most = MAX (most, layers);
    }
  if (least == most)
    return g_strdup_printf (g_dngettext (GETTEXT_PACKAGE, "%d layer each", "%d layers each", most),
                            most);
  return g_strdup_printf (_ ("%d to %d layers each"), least, most);
}

static void
update_memory (PlgPanels *self, const PlgReport *report)
{
  g_autofree char *peak = plg_format_memory_beside (report->memory_peak, report->memory_capacity);
  g_autofree char *capacity = plg_format_memory (report->memory_capacity);
  g_autofree char *verdict = g_strdup_printf (report->fits ? _ ("fits %s") : _ ("exceeds %s"),
                                              capacity);
  g_autofree char *layers = layers_of_stages (report);
  gboolean hidden = (report->veil & PLG_VEIL_MEMORY) != 0;
  g_autofree char *subtitle = g_strdup_printf (_ ("Most on stage %d\n%s"),
                                               report->memory_peak_stage, layers);

  plg_card_set_value (self->memory, peak, hidden ? _ ("answer first") : verdict,
                      hidden         ? ""
                      : report->fits ? "success"
                                     : "error",
                      report->stages->len > 1 && !hidden ? subtitle : NULL);
  update_memory_values (self, report);
}

/* Bubble ----------------------------------------------------------------------------------------
 */

static void
set_bubble_row (PlgPanels *self, int row, const char *name, const char *formula, double share)
{
  g_autofree char *text = plg_format_share (share);

  plg_table_set_cell (self->bubble_table, row, 0, name);
  plg_table_set_cell (self->bubble_table, row, 1, formula);
  plg_table_set_cell (self->bubble_table, row, 2, text);
}

static void
update_bubble (PlgPanels *self, const PlgReport *report)
{
  const PlgBubble *bubble = &report->bubble;
  double shown = report->profile == PLG_PROFILE_NOTEBOOK ? bubble->notebook : bubble->judged;
  g_autofree char *share = plg_format_share (shown);
  g_autofree char *ceiling = plg_format_share (BUBBLE_CEILING);
  gboolean high = shown > BUBBLE_CEILING;
  g_autofree char *verdict = g_strdup_printf (high ? _ ("above %s") : _ ("below %s"), ceiling);
  gboolean hidden = (report->veil & PLG_VEIL_BUBBLE) != 0;
  const char *basis = bubble->closed_form ? _ ("closed form") : _ ("simulated");
  /* The line ends by itself, or it would do so inside the word. */
  g_autofree char
      *subtitle = g_strdup_printf (g_dngettext (GETTEXT_PACKAGE,
                                                "p = %d, v = %d, %s\nm = %d micro-batch",
                                                "p = %d, v = %d, %s\nm = %d micro-batches",
                                                report->micro_batches),
                                   report->degree[PLG_AXIS_PP],
                                   plg_document_plan (self->document)->parallelism.chunks, basis,
                                   report->micro_batches);

  plg_card_set_value (self->bubble, share, hidden ? _ ("answer first") : verdict,
                      hidden ? ""
                      : high ? "warning"
                             : "success",
                      subtitle);
  set_bubble_row (self, 0, _ ("Share of the step"), "(p−1)/(v·m+p−1)", bubble->share_of_step);
  set_bubble_row (self, 1, _ ("Over the ideal"), "(p−1)/(v·m)", bubble->over_ideal);
  set_bubble_row (self, 2, _ ("Notebook"), "(p−1)/(p·m)", bubble->notebook);
  set_bubble_row (self, 3, _ ("Simulated"), _ ("idle share"), bubble->simulated);
}

/* Communication -----------------------------------------------------------------------------------
 */

static void
set_row (PlgTable *table, int row, const char *const *cells, int n)
{
  for (int i = 0; i < n; i++)
    plg_table_set_cell (table, row, i, cells[i]);
}

static gboolean
is_on_stage (const PlgPlan *plan, int gpu, int stage)
{
  int rank = plg_placement_rank (&plan->placement, gpu);

  return rank >= 0 && plg_rank_coordinate (&plan->parallelism, rank).index[PLG_AXIS_PP] == stage;
}

/* Whether a GPU of STAGE sends over LINK, its own or its node's. */
static gboolean
serves_stage (const PlgPlan *plan, const PlgLink *link, int stage)
{
  int per_node = plan->cluster.gpus_per_node, nics = MAX (plan->cluster.nics_per_node, 1);
  int first = link->local, end = link->local + 1;

  if (link->node < 0)
    return FALSE;
  if (link->tier == PLG_TIER_NIC)
    {
      first = link->local * per_node / nics;
      end = MAX ((link->local + 1) * per_node / nics, first + 1);
    }
  for (int local = first; local < end; local++)
    if (is_on_stage (plan, link->node * per_node + local, stage))
      return TRUE;
  return FALSE;
}

/* The most that a link of the row's stage is busy with it: bytes at the rate reached, as the
 * ledgers of links say it. */
static double
link_busy (const PlgPlan *plan, const PlgReport *report, int row)
{
  int stage = g_array_index (report->collectives, PlgCollective, row).stage;
  double most = 0;

  for (guint i = 0; i < report->links->len; i++)
    {
      const PlgLink *link = &g_array_index (report->links, PlgLink, i);

      for (int k = 0; k < link->n_shares; k++)
        {
          const PlgLinkShare *share = &g_array_index (report->link_shares, PlgLinkShare,
                                                      link->first_share + k);

          if (share->collective == row && share->time > most && serves_stage (plan, link, stage))
            most = share->time;
        }
    }
  return most;
}

static void
set_exact_row (PlgPanels *self, int row, const PlgCollective *collective, PlgStageCalls own)
{
  const PlgReport *report = plg_document_report (self->document);
  const PlgCluster *cluster = &plg_document_plan (self->document)->cluster;
  g_autofree char *stage = g_strdup_printf ("%d", collective->stage);
  g_autofree char *calls = plg_format_count (own.calls);
  g_autofree char *message = plg_format_volume (own.bytes_per_call);
  g_autofree char *sent = plg_format_volume (own.bytes_sent);
  g_autofree char *size = plg_format_count (collective->group_size);
  g_autofree char *nodes = plg_format_count (collective->nodes_spanned);
  g_autofree char *busy = plg_format_time (link_busy (plg_document_plan (self->document), report,
                                                      row));
  g_autofree char *time = plg_format_time (own.time);
  g_autofree char *exposed = plg_format_time (collective->exposed);
  const char *cells[] = { plg_axis_label (collective->axis),
                          plg_collective_kind_title (collective),
                          stage,
                          calls,
                          message,
                          sent,
                          size,
                          nodes,
                          plg_tier_title (cluster, collective->tier),
                          busy,
                          time,
                          exposed };

  set_row (self->collective_values, row, cells, G_N_ELEMENTS (cells));
}

/* "TP all-gather", with its stage where that is not the busiest one, of which the others are. */
static char *
row_name (const PlgReport *report, const PlgCollective *collective)
{
  const char *axis = plg_axis_label (collective->axis);
  const char *kind = plg_collective_kind_title (collective);

  if (collective->stage == report->step.busiest_stage)
    return g_strdup_printf ("%s %s", axis, kind);
  return g_strdup_printf (_ ("%s %s, stage %d"), axis, kind, collective->stage);
}

/* The row in whole words, with the bytes that its cells have no room for. */
static void
speak_row (PlgPanels *self, int row, const char *const *cells, double bytes)
{
  g_autofree char *volume = plg_format_volume (bytes);
  g_autofree char *text = g_strdup_printf (_ ("%s: %s calls, %s over %s, waited for %s"), cells[0],
                                           cells[1], volume, cells[2], cells[3]);

  plg_table_set_spoken (self->collectives, row, text);
}

/* A GPU's calls on the stage that the row is of, which the ledgers of its links add up to. */
static void
set_collective_rows (PlgPanels *self, int row, const PlgCollective *collective)
{
  const PlgReport *report = plg_document_report (self->document);
  const PlgStageCalls *own = plg_report_stage_calls (report, row, collective->stage);
  PlgStageCalls whole = { collective->calls, collective->bytes_per_call, collective->bytes_sent,
                          collective->time };
  g_autofree char *name = row_name (report, collective);
  g_autofree char *calls = plg_format_count (own != NULL ? own->calls : whole.calls);
  g_autofree char *exposed = plg_format_time (collective->exposed);
  const PlgCluster *cluster = &plg_document_plan (self->document)->cluster;
  const char *cells[] = { name, calls, plg_tier_title (cluster, collective->tier), exposed };

  set_row (self->collectives, row, cells, G_N_ELEMENTS (cells));
  speak_row (self, row, cells, own != NULL ? own->bytes_sent : whole.bytes_sent);
  if (self->collective_values != NULL)
    set_exact_row (self, row, collective, own != NULL ? *own : whole);
}

static char *
communication_subtitle (const PlgReport *report)
{
  if (report->collectives->len == 0)
    return g_strdup (_ ("One GPU alone: nothing to send"));
  if (report->stages->len < 2)
    return g_strdup (_ ("of the step waits for links\nPer GPU and step:"));
  return g_strdup_printf (_ ("of the step waits for links\nPer GPU of stage %d and step:"),
                          report->step.busiest_stage);
}

static void
update_communication (PlgPanels *self, const PlgReport *report)
{
  double exposed = 0;
  g_autofree char *value = NULL, *subtitle = communication_subtitle (report);

  plg_table_set_n_rows (self->collectives, report->collectives->len);
  if (self->collective_values != NULL)
    plg_table_set_n_rows (self->collective_values, report->collectives->len);
  for (guint i = 0; i < report->collectives->len; i++)
    set_collective_rows (self, i, &g_array_index (report->collectives, PlgCollective, i));
  for (int part = PLG_PART_TP; part <= PLG_PART_DP; part++)
    exposed += report->step.part[part];
  gtk_widget_set_visible (GTK_WIDGET (self->collectives), report->collectives->len > 0);
  gtk_widget_set_visible (self->exact_values, report->collectives->len > 0);
  value = plg_format_share (plg_report_share_of_step (report, exposed));
  plg_card_set_value (self->communication, value, NULL, NULL, subtitle);
}

/* A row of the table stands for its collective: its links light up, and a click pins it. While the
 * table lags behind a drag, its last rows may stand for nothing. */
static PlgThing
collective (PlgPanels *self, int row)
{
  const PlgReport *report = plg_document_report (self->document);

  return row >= 0 && row < (int) report->collectives->len
             ? (PlgThing) { .kind = PLG_THING_COLLECTIVE, .index = row }
             : (PlgThing) { .kind = PLG_THING_NONE };
}

static void
collective_pointed_cb (PlgPanels *self, int row)
{
  plg_spotlight_point (plg_document_spotlight (self->document), collective (self, row));
}

static void
collective_activated_cb (PlgPanels *self, int row)
{
  PlgThing thing = collective (self, row);

  if (thing.kind != PLG_THING_NONE)
    plg_spotlight_toggle (plg_document_spotlight (self->document), thing);
}

/* Whether the lit THING is sent by the collective of this row. */
static gboolean
is_lit_by (const PlgReport *report, PlgThing thing, int row)
{
  const PlgLink *link;

  if (thing.kind == PLG_THING_COLLECTIVE)
    return thing.index == row;
  if (thing.kind != PLG_THING_LINK || thing.index >= (int) report->links->len)
    return FALSE;
  link = &g_array_index (report->links, PlgLink, thing.index);
  for (int i = link->first_share; i < link->first_share + link->n_shares; i++)
    if (g_array_index (report->link_shares, PlgLinkShare, i).collective == row)
      return TRUE;
  return FALSE;
}

/* The other way round: what crosses the links that are lit is marked in the table. */
static void
mark_collectives (PlgPanels *self)
{
  const PlgReport *report = plg_document_report (self->document);
  int n;
  const PlgThing *lit = plg_spotlight_lit (plg_document_spotlight (self->document), &n, NULL);
  guint rows = 0;

  for (int row = 0; row < MIN ((int) report->collectives->len, 32); row++)
    for (int i = 0; i < n; i++)
      if (is_lit_by (report, lit[i], row))
        rows |= 1u << row;
  plg_table_mark_rows (self->collectives, rows);
}

static void
let_point (PlgPanels *self, PlgTable *table)
{
  plg_table_let_point (table);
  g_signal_connect_object (table, "pointed", G_CALLBACK (collective_pointed_cb), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (table, "activated", G_CALLBACK (collective_activated_cb), self,
                           G_CONNECT_SWAPPED);
}

/* Advice ------------------------------------------------------------------------------------------
 */

static void
try_it_cb (GtkButton *button, PlgPanels *self)
{
  g_autoptr (PlgPlan) plan = plg_plan_copy (plg_document_committed_plan (self->document));
  g_autoptr (GError) error = NULL;
  const char *edits = g_object_get_data (G_OBJECT (button), "edits");
  g_auto (GStrv) assignments = g_strsplit (edits, " ", -1);

  if (!plg_settings_apply (plan, plg_document_catalogue (self->document),
                           (const char *const *) assignments, &error) ||
      !plg_document_apply (self->document, plan, edits, NULL, &error))
    g_signal_emit (self, signals[REFUSED], 0, error->message);
}

static GtkWidget *
new_try_button (PlgPanels *self, const PlgFinding *finding)
{
  GtkWidget *button = gtk_button_new_with_label (_ ("Try It"));
  g_autofree char *name = g_strdup_printf (_ ("Try it: %s"), finding->remedy);

  g_object_set_data_full (G_OBJECT (button), "edits", g_strdup (finding->edits), g_free);
  gtk_widget_set_halign (button, GTK_ALIGN_END);
  gtk_widget_add_css_class (button, "flat");
  gtk_accessible_update_property (GTK_ACCESSIBLE (button), GTK_ACCESSIBLE_PROPERTY_LABEL, name, -1);
  g_signal_connect_object (button, "clicked", G_CALLBACK (try_it_cb), self, 0);
  return button;
}

static const char *
severity_icon (PlgSeverity severity)
{
  switch (severity)
    {
    case PLG_SEVERITY_ERROR:
      return "dialog-error-symbolic";
    case PLG_SEVERITY_WARNING:
      return "dialog-warning-symbolic";
    case PLG_SEVERITY_HINT:
    default:
      return "dialog-information-symbolic";
    }
}

static GtkWidget *
new_text (const char *text, const char *css_class)
{
  GtkWidget *label = gtk_label_new (text);

  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_label_set_wrap (GTK_LABEL (label), TRUE);
  gtk_label_set_width_chars (GTK_LABEL (label), 16);
  if (css_class != NULL)
    gtk_widget_add_css_class (label, css_class);
  return label;
}

static GtkWidget *
new_finding (PlgPanels *self, const PlgFinding *finding)
{
  GtkWidget *row = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 8);
  GtkWidget *texts = gtk_box_new (GTK_ORIENTATION_VERTICAL, 2);
  GtkWidget *icon = gtk_image_new_from_icon_name (severity_icon (finding->severity));

  gtk_widget_set_valign (icon, GTK_ALIGN_START);
  gtk_widget_add_css_class (icon, plg_severity_name (finding->severity));
  gtk_widget_set_hexpand (texts, TRUE);
  gtk_box_append (GTK_BOX (texts), new_text (finding->text, NULL));
  if (finding->remedy != NULL)
    gtk_box_append (GTK_BOX (texts), new_text (finding->remedy, "dim-label"));
  gtk_box_append (GTK_BOX (row), icon);
  gtk_box_append (GTK_BOX (row), texts);
  /* Below the text, which has the whole width. */
  if (finding->edits != NULL)
    gtk_box_append (GTK_BOX (texts), new_try_button (self, finding));
  return row;
}

static gboolean
same_findings (PlgPanels *self, const PlgReport *report, guint n)
{
  if (self->shown->len != n)
    return FALSE;
  for (guint i = 0; i < n; i++)
    if (strcmp (g_ptr_array_index (self->shown, i),
                g_array_index (report->findings, PlgFinding, i).text) != 0)
      return FALSE;
  return TRUE;
}

static void
update_advice (PlgPanels *self, const PlgReport *report)
{
  guint n = MIN (report->findings->len, MAX_ADVICE);
  GtkWidget *child;

  if (same_findings (self, report, n) && n > 0)
    return;
  while ((child = gtk_widget_get_first_child (self->findings)) != NULL)
    gtk_box_remove (GTK_BOX (self->findings), child);
  g_ptr_array_set_size (self->shown, 0);
  for (guint i = 0; i < n; i++)
    {
      const PlgFinding *finding = &g_array_index (report->findings, PlgFinding, i);
      gtk_box_append (GTK_BOX (self->findings), new_finding (self, finding));
      g_ptr_array_add (self->shown, g_strdup (finding->text));
    }
  plg_card_set_value (self->advice, NULL, NULL, NULL,
                      report->veil != 0 ? _ ("Given with the answer")
                      : !plg_document_is_advised (self->document)
                          ? _ ("None in this step of the lesson")
                      : n == 0 ? _ ("Nothing stands out")
                               : NULL);
}

/* Exact values ------------------------------------------------------------------------------------
 */

/* Shows *TABLE, which is made when it is not there; it follows the plan as long as it is open. */
static void
show_values (PlgPanels *self,
             PlgTable **table,
             const char *title,
             const char *const *columns,
             int left)
{
  PlgTableWindow *window;

  if (*table == NULL)
    {
      window = plg_table_window_new (GTK_WIDGET (self), title);
      g_set_weak_pointer (table, plg_table_window_get_table (window));
      plg_table_set_columns (*table, columns, left);
      update (self);
      update_long (self);
    }
  gtk_window_present (GTK_WINDOW (gtk_widget_get_root (GTK_WIDGET (*table))));
}

static void
show_memory_values_cb (PlgPanels *self)
{
  const char *columns[] = {
    _ ("Stage"),       _ ("Layers"),  _ ("Weights"), _ ("Gradients"), _ ("Optimizer"),
    _ ("Activations"), _ ("Buffers"), _ ("Runtime"), _ ("Total"),     NULL
  };

  show_values (self, &self->memory_values, _ ("Memory per GPU in GiB"), columns, 1);
}

static void
show_collective_values_cb (PlgPanels *self)
{
  const char *columns[] = { _ ("Axis"), _ ("Collective"), _ ("Stage"), _ ("Calls"), _ ("A call"),
                            _ ("Sent"), _ ("Group"),      _ ("Nodes"), _ ("Link"),  _ ("Link Busy"),
                            _ ("Time"), _ ("Exposed"),    NULL };

  show_values (self, &self->collective_values, _ ("Communication per GPU and step"), columns, 2);
}

/* Object ------------------------------------------------------------------------------------------
 */

static void
update (PlgPanels *self)
{
  const PlgReport *report = plg_document_report (self->document);

  update_mfu (self, report);
  update_memory (self, report);
  update_bubble (self, report);
}

static void
update_long (PlgPanels *self)
{
  const PlgReport *report = plg_document_report (self->document);

  update_communication (self, report);
  mark_collectives (self);
  /* Buttons must not change under the pointer of somebody who drags. */
  if (!plg_document_is_previewing (self->document))
    update_advice (self, report);
}

void
plg_panels_set_document (PlgPanels *self, PlgDocument *document)
{
  g_return_if_fail (PLG_IS_PANELS (self) && self->document == NULL);

  self->document = g_object_ref (document);
  g_object_set (self->mfu, "document", document, NULL);
  g_object_set (self->memory, "document", document, NULL);
  g_object_set (self->bubble, "document", document, NULL);
  g_object_set (self->communication, "document", document, NULL);
  g_object_set (self->mfu_picture, "document", document, NULL);
  g_object_set (self->memory_picture, "document", document, NULL);
  g_signal_connect_object (document, "caught-up", G_CALLBACK (update), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (document, "followed", G_CALLBACK (update_long), self, G_CONNECT_SWAPPED);
  let_point (self, self->collectives);
  plg_collective_menu_attach (self->collectives);
  g_signal_connect_object (plg_document_spotlight (document), "changed",
                           G_CALLBACK (mark_collectives), self, G_CONNECT_SWAPPED);
  update (self);
  update_long (self);
}

void
plg_panels_set_palette (PlgPanels *self, const char *palette)
{
  g_return_if_fail (PLG_IS_PANELS (self));

  g_object_set (self->mfu_picture, "palette", palette, NULL);
  g_object_set (self->memory_picture, "palette", palette, NULL);
}

static void
set_up_tables (PlgPanels *self)
{
  const char *bubble[] = { _ ("Definition"), _ ("Formula"), _ ("Value"), NULL };
  const char *brief[] = { _ ("Collective"), _ ("Calls"), _ ("Link"), _ ("Exposed"), NULL };

  plg_table_set_columns (self->bubble_table, bubble, 2);
  plg_table_set_columns (self->collectives, brief, 1);
}

static void
plg_panels_dispose (GObject *object)
{
  PlgPanels *self = PLG_PANELS (object);

  g_clear_weak_pointer (&self->memory_values);
  g_clear_weak_pointer (&self->collective_values);
  g_clear_object (&self->document);
  g_clear_pointer (&self->scroller, gtk_widget_unparent);
  G_OBJECT_CLASS (plg_panels_parent_class)->dispose (object);
}

static void
plg_panels_finalize (GObject *object)
{
  g_ptr_array_unref (PLG_PANELS (object)->shown);
  G_OBJECT_CLASS (plg_panels_parent_class)->finalize (object);
}

static void
plg_panels_class_init (PlgPanelsClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = plg_panels_dispose;
  G_OBJECT_CLASS (klass)->finalize = plg_panels_finalize;
  signals[REFUSED] = g_signal_new ("refused", PLG_TYPE_PANELS, G_SIGNAL_RUN_LAST, 0, NULL, NULL,
                                   NULL, G_TYPE_NONE, 1, G_TYPE_STRING);
  g_type_ensure (PLG_TYPE_CARD);
  g_type_ensure (PLG_TYPE_PICTURE_VIEW);
  g_type_ensure (PLG_TYPE_TABLE);
  gtk_widget_class_set_template_from_resource (widget_class,
                                               "/org/parallelogram/Parallelogram/ui/panels.ui");
  gtk_widget_class_bind_template_child (widget_class, PlgPanels, scroller);
  gtk_widget_class_bind_template_child (widget_class, PlgPanels, mfu);
  gtk_widget_class_bind_template_child (widget_class, PlgPanels, memory);
  gtk_widget_class_bind_template_child (widget_class, PlgPanels, bubble);
  gtk_widget_class_bind_template_child (widget_class, PlgPanels, communication);
  gtk_widget_class_bind_template_child (widget_class, PlgPanels, advice);
  gtk_widget_class_bind_template_child (widget_class, PlgPanels, mfu_picture);
  gtk_widget_class_bind_template_child (widget_class, PlgPanels, memory_picture);
  gtk_widget_class_bind_template_child (widget_class, PlgPanels, bubble_table);
  gtk_widget_class_bind_template_child (widget_class, PlgPanels, collectives);
  gtk_widget_class_bind_template_callback (widget_class, show_collective_values_cb);
  gtk_widget_class_bind_template_callback (widget_class, show_memory_values_cb);
  gtk_widget_class_bind_template_child (widget_class, PlgPanels, exact_values);
  gtk_widget_class_bind_template_child (widget_class, PlgPanels, findings);
  gtk_widget_class_set_layout_manager_type (widget_class, GTK_TYPE_BIN_LAYOUT);
  gtk_widget_class_set_css_name (widget_class, "panels");
}

static void
plg_panels_init (PlgPanels *self)
{
  self->shown = g_ptr_array_new_with_free_func (g_free);
  gtk_widget_init_template (GTK_WIDGET (self));
  plg_look_set_text_width (GTK_WIDGET (self), WIDTH);
  set_up_tables (self);
}
