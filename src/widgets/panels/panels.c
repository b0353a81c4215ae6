/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "widgets/panels/panels-private.h"

#include "engine/report/redaction.h"
#include "plan/quantity.h"
#include "widgets/widget-theme.h"
#include "widgets/pictures/stage-edges.h"
#include "widgets/tables/table-window.h"

#include <glib/gi18n-lib.h>
#include <math.h>

/* A bubble above this fraction of the step is called high in the teaching material. */
#define BUBBLE_CEILING 0.10

/* The minimum width of the inspector [pixels at normal text size]. */
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

/* Memory --------------------------------------------------------------------------------------- */

static void
update_memory_values (PlgPanels *self, const PlgReport *report)
{
  if (self->memory_values == NULL)
    return;
  plg_table_set_n_rows (self->memory_values, report->stages->len);
  for (guint i = 0; i < report->stages->len; i++)
    {
      const PlgStageMemory *stage = &g_array_index (report->stages, PlgStageMemory, i);
      const double values[] = { stage->weights,     stage->gradients, stage->optimizer,
                                stage->activations, stage->buffers,   stage->runtime,
                                stage->total };
      char text[32];

      g_snprintf (text, sizeof text, "%u", i);
      plg_table_set_cell (self->memory_values, i, 0, text);
      g_snprintf (text, sizeof text, "%d", stage->layers);
      plg_table_set_cell (self->memory_values, i, 1, text);
      for (guint j = 0; j < G_N_ELEMENTS (values); j++)
        {
          if (isnan (values[j])) /* NaN represents a hidden value */
            g_strlcpy (text, "–", sizeof text);
          else
            g_ascii_formatd (text, sizeof text, "%.1f", values[j] / PLG_GIB);
          plg_table_set_cell (self->memory_values, i, j + 2, text);
        }
    }
}

/* Returns a text such as "20 layers each", or "19 to 21 layers each" if the stages differ. */
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

/* Bubble --------------------------------------------------------------------------------------- */

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
  double shown = plg_report_bubble (report);
  g_autofree char *share = plg_format_share (shown);
  g_autofree char *ceiling = plg_format_share (BUBBLE_CEILING);
  gboolean high = shown > BUBBLE_CEILING;
  g_autofree char *verdict = g_strdup_printf (high ? _ ("above %s") : _ ("below %s"), ceiling);
  gboolean hidden = plg_report_hides (report, PLG_REDACT_BUBBLE);
  const char *basis = report->profile == PLG_PROFILE_NOTEBOOK ? _ ("notebook") : _ ("simulated");
  /* Use an explicit line break, because the label would otherwise break in the middle of a word. */
  g_autofree char
      *subtitle = g_strdup_printf (g_dngettext (GETTEXT_PACKAGE,
                                                "p = %d, v = %d, %s\nm = %d micro-batch",
                                                "p = %d, v = %d, %s\nm = %d micro-batches",
                                                report->micro_batches),
                                   report->degree[PLG_AXIS_PP],
                                   plg_document_plan (self->document)->parallelism.chunks, basis,
                                   report->micro_batches);

  plg_card_set_value (self->bubble, share,
                      hidden ? plg_redaction_notice (report->redaction, PLG_REDACT_BUBBLE)
                             : verdict,
                      hidden ? ""
                      : high ? "warning"
                             : "success",
                      subtitle);
  set_bubble_row (self, 0, _ ("Share of the step"), "(p−1)/(v·m+p−1)", bubble->share_of_step);
  set_bubble_row (self, 1, _ ("Over the ideal"), "(p−1)/(v·m)", bubble->over_ideal);
  set_bubble_row (self, 2, _ ("Notebook"), "(p−1)/(p·m)", bubble->notebook);
  set_bubble_row (self, 3, _ ("Simulated"), _ ("idle share"), bubble->simulated);
}

/* Exact values --------------------------------------------------------------------------------- */

/* Shows the table in a window and creates *TABLE if needed. The table is updated after each
 * change of the plan while its window is open. */
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
  const char *columns[] = { _ ("Axis"), _ ("Collective"), _ ("Stage"), _ ("Calls"), _ ("Per call"),
                            _ ("Sent"), _ ("Group"),      _ ("Nodes"), _ ("Link"),  _ ("Link Busy"),
                            _ ("Time"), _ ("Exposed"),    NULL };

  show_values (self, &self->collective_values, _ ("Communication per GPU per step"), columns, 2);
}

/* Object --------------------------------------------------------------------------------------- */

static void
update (PlgPanels *self)
{
  const PlgReport *report = plg_document_report (self->document);
  g_autofree char *peak = plg_format_memory_distinct (report->memory_peak, report->memory_capacity);
  g_autofree char *capacity = plg_format_memory_distinct (report->memory_capacity,
                                                          report->memory_peak);
  /* Write, for example, "fits in 79.6 GiB", or "just fits in 79.6 GiB" if the peak and the capacity
   * look the same after rounding. */
  g_autofree char *verdict = NULL;
  gboolean is_close = strcmp (peak, capacity) == 0;

  if (report->fits)
    verdict = g_strdup_printf (is_close ? _ ("just fits in %s") : _ ("fits in %s"), capacity);
  else
    verdict = g_strdup_printf (is_close ? _ ("just exceeds %s") : _ ("exceeds %s"), capacity);

  g_autofree char *layers = layers_of_stages (report);
  gboolean hidden = plg_report_hides (report, PLG_REDACT_MEMORY);
  g_autofree char *memory_subtitle = g_strdup_printf (_ ("Highest on stage %d\n%s"),
                                                      report->memory_peak_stage, layers);

  plg_card_set_value (self->memory, peak,
                      hidden ? plg_redaction_notice (report->redaction, PLG_REDACT_MEMORY)
                             : verdict,
                      hidden         ? ""
                      : report->fits ? "success"
                                     : "error",
                      report->stages->len > 1 && !hidden ? memory_subtitle : NULL);
  update_memory_values (self, report);

  plg_panels_update_mfu (self);
  update_bubble (self, report);
  plg_panels_update_run (self);
}

static void
update_long (PlgPanels *self)
{
  plg_panels_update_communication (self);
  plg_panels_mark_collectives (self);
  plg_panels_update_similar_runs (self);
  /* Do not update the advice during a drag, because its buttons must not change under the
   * pointer. */
  if (!plg_document_is_previewing (self->document))
    plg_panels_update_advice (self);
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
  g_object_set (self->run, "document", document, NULL);
  g_object_set (self->mfu_picture, "document", document, NULL);
  g_object_set (self->memory_picture, "document", document, NULL);
  g_signal_connect_object (document, "numbers-changed", G_CALLBACK (update), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (document, "pictures-changed", G_CALLBACK (update_long), self,
                           G_CONNECT_SWAPPED);
  plg_panels_enable_pointing (self);
  plg_panels_enable_memory_limits (self);
  plg_stage_edges_install (self->memory_picture);
  g_signal_connect_object (plg_document_highlight_model (document), "changed",
                           G_CALLBACK (plg_panels_mark_collectives), self, G_CONNECT_SWAPPED);
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
plg_panels_dispose (GObject *object)
{
  PlgPanels *self = PLG_PANELS (object);

  plg_panels_clear_advice (self);
  g_clear_handle_id (&self->runs_timeout_id, g_source_remove);
  g_clear_weak_pointer (&self->memory_values);
  g_clear_weak_pointer (&self->collective_values);
  plg_panels_forget_memory_limits (self);
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
  gtk_widget_class_bind_template_child (widget_class, PlgPanels, run);
  gtk_widget_class_bind_template_child (widget_class, PlgPanels, run_table);
  gtk_widget_class_bind_template_child (widget_class, PlgPanels, advice);
  gtk_widget_class_bind_template_child (widget_class, PlgPanels, mfu_picture);
  gtk_widget_class_bind_template_child (widget_class, PlgPanels, runs_expander);
  gtk_widget_class_bind_template_child (widget_class, PlgPanels, runs_lines);
  gtk_widget_class_bind_template_callback (widget_class, plg_panels_show_similar_runs_cb);
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
  plg_widget_set_text_width (GTK_WIDGET (self), WIDTH);

  const char *bubble[] = { _ ("Definition"), _ ("Formula"), _ ("Value"), NULL };
  const char *brief[] = { _ ("Collective"), _ ("Calls"), _ ("Link"), _ ("Exposed"), NULL };

  plg_table_set_columns (self->bubble_table, bubble, 2);
  plg_table_set_columns (self->collectives, brief, 1);
  plg_panels_init_run (self);
}
