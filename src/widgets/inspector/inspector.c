/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "widgets/inspector/inspector.h"

#include "widgets/widget-theme.h"
#include "widgets/inspector/nesting-row.h"
#include "widgets/inspector/setting-row.h"

#include <glib/gi18n-lib.h>

/* An expander row, and whether the lesson step needs one of its settings. */
typedef struct
{
  GtkWidget *row;
  const char *const *keys;
  gboolean is_lesson_setting;
} ExpandableGroup;

struct _PlgInspector
{
  GtkWidget parent_instance;

  GtkWidget *scroller;
  GtkWidget *parallelism;
  GtkWidget *schedule;
  GtkWidget *model;
  GtkWidget *cluster;
  GArray *more;           /* elements of type ExpandableGroup */
  GPtrArray *rows;        /* all rows that a lesson can offer, from top to bottom */
  GPtrArray *expert_rows; /* the rows of EP and ETP */
  char *offered;   /* one character per row: 'y' if the lesson offers the row, otherwise 'n' */
  guint reveal_id; /* the tick callback that scrolls to the first offered row */
  int frames_to_reveal;
  PlgNestingRow *nesting;
  PlgDocument *document;
};

/* The minimum width of the inspector [pixels at normal text size]. */
#define WIDTH 290

G_DEFINE_FINAL_TYPE (PlgInspector, plg_inspector, GTK_TYPE_WIDGET)

enum
{
  REFUSED,
  ANNOUNCED,
  N_SIGNALS,
};

static guint signals[N_SIGNALS];

/* Frequently used settings are always visible; the other settings are in expander rows. The
 * lists contain every key from plan/settings/setting-table.c, except the nesting order, which
 * has its own row, and the view, which is set in the bar above the canvas. */
static const char *const degree_keys[] = { "parallelism.tp", "parallelism.cp", "parallelism.pp",
                                           "parallelism.dp", NULL };
/* Visible only for models with experts. */
static const char *const expert_degree_keys[] = { "parallelism.ep", "parallelism.etp", NULL };
static const char *const sharding_keys[] = { "parallelism.zero", "parallelism.replicate",
                                             "parallelism.sequence", NULL };
static const char *const more_parallelism_keys[] = {
  "parallelism.cp-type",    "parallelism.overlap-dp",
  "parallelism.overlap-tp", "parallelism.overlap-pp",
  "parallelism.overlap-ep", "parallelism.dispatcher",
  "training.expert-load",   NULL
};
static const char *const schedule_keys[] = { "training.schedule",    "parallelism.chunks",
                                             "training.micro-batch", "training.global-batch",
                                             "training.recompute",   NULL };
static const char *const more_schedule_keys[] = { "training.recompute-method",
                                                  "training.recompute-layers",
                                                  "training.recompute-modules",
                                                  "training.precision",
                                                  "training.fp8-recipe",
                                                  "training.bf16-first-layers",
                                                  "training.bf16-last-layers",
                                                  "training.gradient-precision",
                                                  "training.reduce-precision",
                                                  "training.optimizer",
                                                  "training.muon-steps",
                                                  "training.muon-tp",
                                                  "training.offload-optimizer",
                                                  "training.offload-weights",
                                                  "training.offload-layers",
                                                  "training.flash-attention",
                                                  "training.dropout",
                                                  "training.causal",
                                                  "training.loss",
                                                  "training.program",
                                                  "training.kernels",
                                                  "training.cuda-graphs",
                                                  "parallelism.first-layers",
                                                  "parallelism.last-layers",
                                                  "parallelism.layout",
                                                  "parallelism.embedding-slot",
                                                  "parallelism.loss-slot",
                                                  "training.tokens",
                                                  NULL };
static const char *const model_keys[] = { "model.name", "training.sequence", NULL };
static const char *const more_model_keys[] = {
  "model.layers",         "model.hidden",         "model.ffn",
  "model.gated",          "model.heads",          "model.kv-heads",
  "model.head-dim",       "model.vocabulary",     "model.tied",
  "model.rms-norm",       "model.biases",         "model.positions",
  "model.mtp-layers",     "model.window",         "model.full-attention-every",
  "model.window-chunked", "model.attention-gate", "model.index-heads",
  "model.index-dim",      "model.index-top-k",    NULL
};
static const char *const expert_keys[] = { "model.experts",
                                           "model.top-k",
                                           "model.expert-ffn",
                                           "model.shared-experts",
                                           "model.dense-layers",
                                           "model.moe-every",
                                           "model.expert-groups",
                                           "model.top-groups",
                                           NULL };
static const char *const mixer_keys[] = {
  "model.mixer",       "model.attention-layers", "model.mlp-layers",
  "model.mixer-heads", "model.mixer-head-dim",   "model.mixer-groups",
  "model.mixer-state", "model.mixer-conv",       NULL
};
static const char *const latent_keys[] = { "model.q-rank", "model.kv-rank", "model.rope-dim",
                                           "model.value-dim", NULL };
static const char *const cluster_keys[] = { "cluster.node", "cluster.nodes",
                                            "cluster.gpus-per-node", NULL };
static const char *const gpu_keys[] = { "cluster.gpu",
                                        "cluster.memory",
                                        "cluster.memory-bandwidth",
                                        "cluster.peak",
                                        "cluster.host-bandwidth",
                                        "cluster.host-memory",
                                        "cluster.host-memory-bandwidth",
                                        NULL };
static const char *const inside_keys[] = { "cluster.intra",           "cluster.multicast",
                                           "cluster.intra-bandwidth", "cluster.intra-efficiency",
                                           "cluster.intra-latency",   NULL };
static const char *const between_keys[] = { "cluster.network",          "cluster.rdma",
                                            "cluster.nics-per-node",    "cluster.inter-bandwidth",
                                            "cluster.inter-efficiency", "cluster.inter-latency",
                                            "cluster.oversubscription", NULL };
static const char *const cost_keys[] = { "cost.gpu-hour",
                                         "cost.power-busy",
                                         "cost.power-idle",
                                         "cost.power-server",
                                         "cost.pue",
                                         "cost.carbon",
                                         "reliability.mtbf",
                                         "reliability.checkpoint-rate",
                                         "reliability.restart",
                                         "reliability.repair",
                                         "reliability.spares",
                                         NULL };
static const char *const more_cluster_keys[] = { "cluster.gpus-per-host", "cluster.faults",
                                                 "cluster.node-names", "engine.profile", NULL };

static void
refused_cb (PlgInspector *self, const char *message)
{
  g_signal_emit (self, signals[REFUSED], 0, message);
}

static void
announced_cb (PlgInspector *self, const char *message)
{
  g_signal_emit (self, signals[ANNOUNCED], 0, message);
}

static GtkWidget *
new_row (PlgInspector *self, const char *key)
{
  GtkWidget *row = plg_setting_row_new (self->document, key);

  g_ptr_array_add (self->rows, row);
  return row;
}

static void
add_rows (PlgInspector *self, GtkWidget *group, const char *const *keys)
{
  for (; *keys != NULL; keys++)
    adw_preferences_group_add (ADW_PREFERENCES_GROUP (group), new_row (self, *keys));
}

/* Settings of a lesson step -------------------------------------------------------------------- */

#define SCROLL_MARGIN 60 /* space above the row for the group title [pixels] */
/* the number of frames in which to keep scrolling while the rows expand */
#define FRAMES_TO_REVEAL 24

static gboolean
is_lesson_setting (GtkWidget *row)
{
  return gtk_widget_has_css_class (row, "offered");
}

static GtkWidget *
first_lesson_setting (PlgInspector *self)
{
  for (guint i = 0; i < self->rows->len; i++)
    if (is_lesson_setting (self->rows->pdata[i]))
      return self->rows->pdata[i];
  return NULL;
}

/* Scrolls to the first offered row in every frame while the rows around it expand. */
static gboolean
reveal_cb (GtkWidget *widget, GdkFrameClock *clock, gpointer data)
{
  PlgInspector *self = PLG_INSPECTOR (widget);
  GtkScrolledWindow *scroller = GTK_SCROLLED_WINDOW (self->scroller);
  GtkAdjustment *place = gtk_scrolled_window_get_vadjustment (scroller);
  GtkWidget *row = first_lesson_setting (self);
  double y;

  if (row != NULL &&
      gtk_widget_translate_coordinates (row, gtk_scrolled_window_get_child (scroller), 0, 0, NULL,
                                        &y))
    gtk_adjustment_set_value (place, gtk_adjustment_get_value (place) + y - SCROLL_MARGIN);
  if (row != NULL && --self->frames_to_reveal > 0)
    return G_SOURCE_CONTINUE;
  self->frames_to_reveal = 0;
  self->reveal_id = 0;
  return G_SOURCE_REMOVE;
}

static void
queue_reveal (PlgInspector *self)
{
  if (self->frames_to_reveal > 0 && self->reveal_id == 0 &&
      gtk_widget_get_mapped (GTK_WIDGET (self)))
    self->reveal_id = gtk_widget_add_tick_callback (GTK_WIDGET (self), reveal_cb, NULL, NULL);
}

/* Scrolls to the first offered row when the lesson has changed the offered rows. At other times,
 * the user's scroll position is kept. */
static void
update_lesson_settings (PlgInspector *self)
{
  GString *offered = g_string_new (NULL);

  for (guint i = 0; i < self->rows->len; i++)
    g_string_append_c (offered, is_lesson_setting (self->rows->pdata[i]) ? 'y' : 'n');
  if (g_strcmp0 (offered->str, self->offered) != 0)
    {
      self->frames_to_reveal = first_lesson_setting (self) != NULL ? FRAMES_TO_REVEAL : 0;
      queue_reveal (self);
    }
  g_free (self->offered);
  self->offered = g_string_free (offered, FALSE);
}

static void
plg_inspector_map (GtkWidget *widget)
{
  GTK_WIDGET_CLASS (plg_inspector_parent_class)->map (widget);
  queue_reveal (PLG_INSPECTOR (widget));
}

static gboolean
has_lesson_setting (PlgDocument *document, const char *const *keys)
{
  for (; *keys != NULL; keys++)
    if (plg_edit_policy_lists_key (plg_document_policy (document), *keys))
      return TRUE;
  return FALSE;
}

/* Shows the degrees of experts if the model has experts. Expands the groups that the lesson step
 * needs, and collapses these groups after the step. */
static void
document_changed_cb (PlgInspector *self)
{
  gboolean has_experts = plg_transformer_is_moe (&plg_document_plan (self->document)->model);

  for (guint i = 0; i < self->expert_rows->len; i++)
    gtk_widget_set_visible (self->expert_rows->pdata[i], has_experts);
  for (guint i = 0; i < self->more->len; i++)
    {
      ExpandableGroup *more = &g_array_index (self->more, ExpandableGroup, i);
      gboolean is_lesson_setting = has_lesson_setting (self->document, more->keys);

      if (is_lesson_setting != more->is_lesson_setting)
        adw_expander_row_set_expanded (ADW_EXPANDER_ROW (more->row), is_lesson_setting);
      more->is_lesson_setting = is_lesson_setting;
    }
}

static void
add_more (PlgInspector *self, GtkWidget *group, const char *title, const char *const *keys)
{
  GtkWidget *row = adw_expander_row_new ();
  ExpandableGroup more = { row, keys, FALSE };

  adw_preferences_row_set_title (ADW_PREFERENCES_ROW (row), title);
  gtk_accessible_update_property (GTK_ACCESSIBLE (row), GTK_ACCESSIBLE_PROPERTY_LABEL, title, -1);
  for (; *keys != NULL; keys++)
    adw_expander_row_add_row (ADW_EXPANDER_ROW (row), new_row (self, *keys));
  adw_preferences_group_add (ADW_PREFERENCES_GROUP (group), row);
  g_array_append_val (self->more, more);
}

static void
plg_inspector_dispose (GObject *object)
{
  PlgInspector *self = PLG_INSPECTOR (object);

  if (self->reveal_id != 0)
    gtk_widget_remove_tick_callback (GTK_WIDGET (self), self->reveal_id);
  self->reveal_id = 0;
  g_clear_pointer (&self->rows, g_ptr_array_unref);
  g_clear_pointer (&self->expert_rows, g_ptr_array_unref);
  g_clear_pointer (&self->offered, g_free);
  g_clear_pointer (&self->scroller, gtk_widget_unparent);
  g_clear_pointer (&self->more, g_array_unref);
  g_clear_object (&self->document);
  G_OBJECT_CLASS (plg_inspector_parent_class)->dispose (object);
}

static void
plg_inspector_class_init (PlgInspectorClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = plg_inspector_dispose;
  widget_class->map = plg_inspector_map;
  signals[REFUSED] = g_signal_new ("refused", PLG_TYPE_INSPECTOR, G_SIGNAL_RUN_LAST, 0, NULL, NULL,
                                   NULL, G_TYPE_NONE, 1, G_TYPE_STRING);
  signals[ANNOUNCED] = g_signal_new ("announced", PLG_TYPE_INSPECTOR, G_SIGNAL_RUN_LAST, 0, NULL,
                                     NULL, NULL, G_TYPE_NONE, 1, G_TYPE_STRING);
  gtk_widget_class_set_template_from_resource (widget_class,
                                               "/org/parallelogram/Parallelogram/ui/inspector.ui");
  gtk_widget_class_bind_template_child (widget_class, PlgInspector, scroller);
  gtk_widget_class_bind_template_child (widget_class, PlgInspector, parallelism);
  gtk_widget_class_bind_template_child (widget_class, PlgInspector, schedule);
  gtk_widget_class_bind_template_child (widget_class, PlgInspector, model);
  gtk_widget_class_bind_template_child (widget_class, PlgInspector, cluster);
  gtk_widget_class_set_layout_manager_type (widget_class, GTK_TYPE_BIN_LAYOUT);
  gtk_widget_class_set_css_name (widget_class, "inspector");
}

static void
plg_inspector_init (PlgInspector *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  self->more = g_array_new (FALSE, FALSE, sizeof (ExpandableGroup));
  self->rows = g_ptr_array_new ();
  self->expert_rows = g_ptr_array_new ();
  plg_widget_set_text_width (GTK_WIDGET (self), WIDTH);
}

void
plg_inspector_set_document (PlgInspector *self, PlgDocument *document)
{
  GtkWidget *nesting;

  g_return_if_fail (PLG_IS_INSPECTOR (self) && PLG_IS_DOCUMENT (document));

  self->document = g_object_ref (document);
  nesting = plg_nesting_row_new (document);
  self->nesting = PLG_NESTING_ROW (nesting);
  g_signal_connect_object (nesting, "refused", G_CALLBACK (refused_cb), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (nesting, "announced", G_CALLBACK (announced_cb), self,
                           G_CONNECT_SWAPPED);
  add_rows (self, self->parallelism, degree_keys);
  for (int i = 0; expert_degree_keys[i] != NULL; i++)
    {
      GtkWidget *row = new_row (self, expert_degree_keys[i]);

      adw_preferences_group_add (ADW_PREFERENCES_GROUP (self->parallelism), row);
      g_ptr_array_add (self->expert_rows, row);
    }
  g_ptr_array_add (self->rows, nesting);
  adw_preferences_group_add (ADW_PREFERENCES_GROUP (self->parallelism), nesting);
  add_rows (self, self->parallelism, sharding_keys);
  add_more (self, self->parallelism, _ ("More"), more_parallelism_keys);
  add_rows (self, self->schedule, schedule_keys);
  add_more (self, self->schedule, _ ("More"), more_schedule_keys);
  add_rows (self, self->model, model_keys);
  add_more (self, self->model, _ ("Experts"), expert_keys);
  add_more (self, self->model, _ ("Latent attention"), latent_keys);
  add_more (self, self->model, _ ("Hybrid layers"), mixer_keys);
  add_more (self, self->model, _ ("More"), more_model_keys);
  add_rows (self, self->cluster, cluster_keys);
  add_more (self, self->cluster, _ ("GPU"), gpu_keys);
  add_more (self, self->cluster, _ ("Inside a node"), inside_keys);
  add_more (self, self->cluster, _ ("Between nodes"), between_keys);
  add_more (self, self->cluster, _ ("Cost and reliability"), cost_keys);
  add_more (self, self->cluster, _ ("More"), more_cluster_keys);
  g_signal_connect_object (document, "changed", G_CALLBACK (document_changed_cb), self,
                           G_CONNECT_SWAPPED);
  document_changed_cb (self);
  /* Connect this handler after the handlers of the rows, because it reads the style class
   * "offered" that the rows update. */
  g_signal_connect_object (document, "numbers-changed", G_CALLBACK (update_lesson_settings), self,
                           G_CONNECT_SWAPPED);
}

void
plg_inspector_open_orders (PlgInspector *self)
{
  g_return_if_fail (PLG_IS_INSPECTOR (self) && self->nesting != NULL);
  plg_nesting_row_open_orders (self->nesting);
}
