/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "document/document-private.h"

#include "engine/advice/advice.h"
#include "engine/report/redaction.h"
#include "plan/edit.h"
#include "plan/settings/setting.h"

#include <glib/gi18n-lib.h>

/* Two undo steps with the same merge key become one step if the time between them is at most
 * this long [µs]. */
#define MERGE_MICROSECONDS G_USEC_PER_SEC

G_DEFINE_FINAL_TYPE (PlgDocument, plg_document, G_TYPE_OBJECT)

enum
{
  PROP_0,
  PROP_TITLE,
  PROP_MODIFIED,
  PROP_CAN_UNDO,
  PROP_CAN_REDO,
  PROP_FILE,
  N_PROPS,
};

enum
{
  CHANGED,
  NUMBERS_CHANGED,
  PICTURES_CHANGED,
  DATA_DROPPED,
  N_SIGNALS,
};

/* Flags for the signals that have not been emitted yet for the last change. */
enum
{
  NUMBERS_DEFERRED = 1,
  PICTURES_DEFERRED = 2,
  ALL_DEFERRED = NUMBERS_DEFERRED | PICTURES_DEFERRED,
};

static GParamSpec *properties[N_PROPS];
static guint signals[N_SIGNALS];

/* Changes to the plan */

static void
notify_if (PlgDocument *self, int property, gboolean *was, gboolean is)
{
  if (*was == is)
    return;
  *was = is;
  g_object_notify_by_pspec (G_OBJECT (self), properties[property]);
}

void
plg_document_notify_state (PlgDocument *self)
{
  const char *title = plg_document_committed_plan (self)->title;

  g_object_freeze_notify (G_OBJECT (self));
  if (g_strcmp0 (self->was_title, title) != 0)
    {
      g_free (self->was_title);
      self->was_title = g_strdup (title);
      g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_TITLE]);
    }
  notify_if (self, PROP_MODIFIED, &self->was_modified, plg_document_is_modified (self));
  notify_if (self, PROP_CAN_UNDO, &self->could_undo, plg_document_undo_label (self) != NULL);
  notify_if (self, PROP_CAN_REDO, &self->could_redo, plg_document_redo_label (self) != NULL);
  g_object_thaw_notify (G_OBJECT (self));
}

static void
end_preview (PlgDocument *self)
{
  g_clear_pointer (&self->preview, plg_plan_free);
  g_clear_pointer (&self->preview_report, plg_report_unref);
}

static void
begin_change (PlgDocument *self)
{
  plg_highlight_model_set_report (self->spotlight, plg_document_report (self));
  g_signal_emit (self, signals[CHANGED], 0);
  self->deferred_signals = ALL_DEFERRED;
}

static void
emit_changed (PlgDocument *self)
{
  begin_change (self);
  while (plg_document_emit_deferred (self))
    ;
}

/* PLAN was made from the visible plan, in which a lesson hides some settings. Returns a copy of
 * PLAN with these settings restored from the document's plan. */
static PlgPlan *
restore_redacted (PlgDocument *self, const PlgPlan *plan)
{
  PlgPlan *whole = plg_plan_copy (plan);

  plg_plan_restore_redacted (whole, plg_history_current (self->history), self->policy.redaction);
  return whole;
}

/* Returns REPORT (taken), which describes the complete plan WHOLE, after removing the values
 * that a lesson hides. */
static PlgReport *
redact_report (PlgDocument *self, const PlgPlan *whole, PlgReport *report)
{
  const PlgEditPolicy *policy = &self->policy;
  guint redaction = policy->redaction;
  PlgReport *hidden;

  if (policy->redact != NULL)
    redaction |= policy->redact (policy->redact_data, whole, report);
  if (redaction == 0)
    return report;
  hidden = plg_report_redact (report, redaction);
  plg_report_unref (report);
  return hidden;
}

void
plg_document_current_changed (PlgDocument *self)
{
  g_autoptr (GError) error = NULL;
  const PlgPlan *plan = plg_history_current (self->history);
  PlgReport *report = self->policy.hides_findings ? plg_evaluate (plan, PLG_EVALUATE_ALL, &error)
                                                  : plg_evaluate_with_advice (plan, &error);

  if (report == NULL)
    g_error ("A plan that was checked cannot be evaluated: %s", error->message);
  g_clear_pointer (&self->report, plg_report_unref);
  self->report = redact_report (self, plan, report);

  g_clear_pointer (&self->redacted_plan, plg_plan_free);
  if (self->policy.redaction != 0)
    self->redacted_plan = plg_plan_redact (plan, self->policy.redaction);
  end_preview (self);
  plg_document_schedule_autosave (self);
  emit_changed (self);
  plg_document_notify_state (self);
}

void
plg_document_set_policy (PlgDocument *self, const PlgEditPolicy *policy)
{
  char **keys;

  g_return_if_fail (PLG_IS_DOCUMENT (self));

  keys = policy != NULL ? g_strdupv ((char **) policy->keys) : NULL;
  self->policy = policy != NULL ? *policy : (PlgEditPolicy) { 0 };
  self->policy.keys = (const char *const *) keys;
  g_strfreev (self->policy_keys);
  self->policy_keys = keys;
  plg_document_current_changed (self);
}

const PlgEditPolicy *
plg_document_policy (PlgDocument *self)
{
  g_return_val_if_fail (PLG_IS_DOCUMENT (self), NULL);
  return &self->policy;
}

static gboolean
same_view (const PlgView *a, const PlgView *b)
{
  return a->show == b->show && a->link_color == b->link_color && !a->rings == !b->rings &&
         a->pairs == b->pairs;
}

/* Returns whether the change from BEFORE to AFTER changes the nodes and therefore drops the node
 * topology that was read from a file. */
static gboolean
drops_node_map (PlgDocument *self, const PlgPlan *before, const PlgPlan *after)
{
  return !plg_node_topology_is_empty (&before->node_topology) &&
         !plg_catalogue_gave_topology (self->catalogue, before) &&
         (plg_node_topology_is_empty (&after->node_topology) ||
          plg_catalogue_gave_topology (self->catalogue, after)) &&
         !plg_cluster_equal (&before->cluster, &after->cluster);
}

gboolean
plg_document_apply (PlgDocument *self,
                    const PlgPlan *plan,
                    const char *label,
                    const char *merge_key,
                    GError **error)
{
  g_autoptr (PlgPlan) whole = NULL;
  gboolean drops_placement_now, drops_map_now;

  g_return_val_if_fail (PLG_IS_DOCUMENT (self), FALSE);
  g_return_val_if_fail (plan != NULL && label != NULL, FALSE);

  if (!plg_plan_check (plan, error) ||
      !plg_edit_policy_check (&self->policy, plg_document_committed_plan (self), plan, error))
    return FALSE;
  whole = restore_redacted (self, plan);
  /* A change in the view is not an undo step. Apply the view first, so that the comparison below
   * ignores it. */
  if (!same_view (&whole->view, &plg_history_current (self->history)->view))
    plg_document_set_view (self, &whole->view);
  if (plg_plan_equal (whole, plg_history_current (self->history)))
    return TRUE;

  const PlgPlan *before = plg_history_current (self->history);
  const PlgParallelism *a = &before->parallelism, *b = &whole->parallelism;

  drops_placement_now = before->placement.size > 0 && whole->placement.size == 0 &&
                        (memcmp (a->degree, b->degree, sizeof a->degree) != 0 ||
                         memcmp (a->order, b->order, sizeof a->order) != 0 ||
                         before->cluster.nodes != whole->cluster.nodes ||
                         before->cluster.gpus_per_node != whole->cluster.gpus_per_node);
  drops_map_now = drops_node_map (self, plg_history_current (self->history), whole);

  gint64 now = g_get_monotonic_time ();
  gboolean merge = merge_key != NULL && g_strcmp0 (merge_key, self->merge_key) == 0 &&
                   now - self->merge_time < MERGE_MICROSECONDS;

  g_free (self->merge_key);
  self->merge_key = g_strdup (merge_key);
  self->merge_time = now;
  plg_history_push (self->history, whole, label, merge);

  plg_document_current_changed (self);

  /* List the user's data that this undo step has dropped as a side effect. */
  const char *lines[3] = { NULL };
  g_autofree char *message = NULL;
  int n = 0;

  if (drops_placement_now)
    lines[n++] = _ ("Manual placement dropped");
  if (drops_map_now)
    lines[n++] = _ ("Node map dropped, because the nodes have changed");
  if (n != 0)
    {
      message = g_strjoinv ("\n", (char **) lines);
      g_signal_emit (self, signals[DATA_DROPPED], 0, message);
    }

  return TRUE;
}

gboolean
plg_document_set (PlgDocument *self, const char *key, const char *value, GError **error)
{
  g_autoptr (PlgPlan) plan = NULL;
  const PlgSetting *setting = plg_setting_find (key);
  const char *label;

  g_return_val_if_fail (PLG_IS_DOCUMENT (self), FALSE);

  plan = plg_plan_copy (plg_document_committed_plan (self));
  if (!plg_edit_set (plan, self->catalogue, key, value, error))
    return FALSE;
  label = setting != NULL ? _ (setting->title) : key;
  return plg_document_apply (self, plan, label, key, error);
}

void
plg_document_set_view (PlgDocument *self, const PlgView *view)
{
  g_return_if_fail (PLG_IS_DOCUMENT (self));

  plg_history_set_view (self->history, view);
  if (self->redacted_plan != NULL)
    self->redacted_plan->view = *view;
  if (self->preview != NULL)
    self->preview->view = *view;
  emit_changed (self);
}

/* Evaluates PLAN for a preview. Reuses the memory of the last preview's report if no other owner
 * holds a reference to that report. If PLAN is impossible, returns NULL and keeps the last
 * preview. */
static PlgReport *
evaluate_preview (PlgDocument *self, const PlgPlan *plan)
{
  g_autoptr (PlgPlan) whole = self->policy.redaction != 0 ? restore_redacted (self, plan) : NULL;
  gboolean reuse = self->policy.redaction == 0 && self->policy.redact == NULL &&
                   self->preview_report != NULL &&
                   g_atomic_ref_count_compare (&self->preview_report->ref_count, 1);
  PlgReport *report = reuse ? self->preview_report : plg_report_new ();

  /* Leave out the findings, because their advice requires the evaluation of many changed plans,
   * which takes too long during a drag. */
  if (plg_evaluate_into (report, whole != NULL ? whole : plan,
                         PLG_EVALUATE_LINKS | PLG_EVALUATE_TIMELINE, NULL))
    return redact_report (self, whole != NULL ? whole : plan,
                          reuse ? plg_report_ref (report) : report);
  if (!reuse)
    plg_report_unref (report);
  return NULL;
}

gboolean
plg_document_preview (PlgDocument *self, const PlgPlan *plan)
{
  g_autoptr (PlgPlan) copy = NULL;
  PlgReport *report = NULL;

  g_return_val_if_fail (PLG_IS_DOCUMENT (self), FALSE);

  if (plan == NULL && self->preview == NULL)
    return TRUE;
  if (plan != NULL)
    {
      report = evaluate_preview (self, plan);
      if (report == NULL)
        return FALSE;
      copy = plg_plan_copy (plan);
    }
  end_preview (self);
  self->preview = g_steal_pointer (&copy);
  self->preview_report = report;
  begin_change (self);
  if (self->defer_func == NULL || !self->defer_func (self->defer_data))
    while (plg_document_emit_deferred (self))
      ;
  return TRUE;
}

void
plg_document_set_defer_func (PlgDocument *self, PlgDocumentDeferFunc defer_func, gpointer data)
{
  g_return_if_fail (PLG_IS_DOCUMENT (self));

  self->defer_func = defer_func;
  self->defer_data = data;
}

gboolean
plg_document_emit_deferred (PlgDocument *self)
{
  guint next;

  g_return_val_if_fail (PLG_IS_DOCUMENT (self), FALSE);

  next = self->deferred_signals != ALL_DEFERRED    ? self->deferred_signals
         : self->last_deferred == NUMBERS_DEFERRED ? PICTURES_DEFERRED
                                                   : NUMBERS_DEFERRED;
  if (next == 0)
    return FALSE;
  self->deferred_signals &= ~next;
  self->last_deferred = next;
  g_signal_emit (self, signals[next == NUMBERS_DEFERRED ? NUMBERS_CHANGED : PICTURES_CHANGED], 0);
  return self->deferred_signals != 0;
}

gboolean
plg_document_is_previewing (PlgDocument *self)
{
  g_return_val_if_fail (PLG_IS_DOCUMENT (self), FALSE);
  return self->preview != NULL;
}

gboolean
plg_document_undo (PlgDocument *self)
{
  g_return_val_if_fail (PLG_IS_DOCUMENT (self), FALSE);

  if (!plg_history_undo (self->history))
    return FALSE;
  g_clear_pointer (&self->merge_key, g_free);
  plg_document_current_changed (self);
  return TRUE;
}

gboolean
plg_document_redo (PlgDocument *self)
{
  g_return_val_if_fail (PLG_IS_DOCUMENT (self), FALSE);

  if (!plg_history_redo (self->history))
    return FALSE;
  g_clear_pointer (&self->merge_key, g_free);
  plg_document_current_changed (self);
  return TRUE;
}

const char *
plg_document_undo_label (PlgDocument *self)
{
  g_return_val_if_fail (PLG_IS_DOCUMENT (self), NULL);
  return plg_history_undo_label (self->history);
}

const char *
plg_document_redo_label (PlgDocument *self)
{
  g_return_val_if_fail (PLG_IS_DOCUMENT (self), NULL);
  return plg_history_redo_label (self->history);
}


gboolean
plg_document_is_modified (PlgDocument *self)
{
  g_return_val_if_fail (PLG_IS_DOCUMENT (self), FALSE);
  return !plg_history_is_saved (self->history);
}

void
plg_document_replace (PlgDocument *self, const PlgPlan *plan, GFile *file, PlgPlanSource *source)
{
  g_clear_pointer (&self->history, plg_history_free);
  self->history = plg_history_new (plan);
  g_clear_pointer (&self->source, plg_plan_source_unref);
  self->source = source != NULL ? plg_plan_source_ref (source) : NULL;
  g_clear_pointer (&self->merge_key, g_free);
  plg_document_set_file (self, file);
  plg_document_current_changed (self);
}

void
plg_document_reset (PlgDocument *self, const PlgPlan *plan)
{
  g_autoptr (PlgPlan) default_plan = NULL;

  g_return_if_fail (PLG_IS_DOCUMENT (self));

  if (plan == NULL)
    plan = default_plan = plg_catalogue_default_plan (self->catalogue);
  g_return_if_fail (plg_plan_check (plan, NULL));
  plg_document_replace (self, plan, NULL, NULL);
}


PlgCatalogue *
plg_document_catalogue (PlgDocument *self)
{
  g_return_val_if_fail (PLG_IS_DOCUMENT (self), NULL);
  return self->catalogue;
}

const PlgPlan *
plg_document_plan (PlgDocument *self)
{
  g_return_val_if_fail (PLG_IS_DOCUMENT (self), NULL);
  return self->preview != NULL ? self->preview : plg_document_committed_plan (self);
}

PlgPlan *
plg_document_plan_to_edit (PlgDocument *self)
{
  PlgPlan *plan;

  g_return_val_if_fail (PLG_IS_DOCUMENT (self), NULL);

  plan = plg_plan_copy (plg_document_plan (self));
  plan->view = plg_document_committed_plan (self)->view;
  return plan;
}

const PlgReport *
plg_document_report (PlgDocument *self)
{
  g_return_val_if_fail (PLG_IS_DOCUMENT (self), NULL);
  return self->preview_report != NULL ? self->preview_report : self->report;
}

PlgHighlightModel *
plg_document_highlight_model (PlgDocument *self)
{
  g_return_val_if_fail (PLG_IS_DOCUMENT (self), NULL);
  return self->spotlight;
}

const PlgPlan *
plg_document_committed_plan (PlgDocument *self)
{
  g_return_val_if_fail (PLG_IS_DOCUMENT (self), NULL);
  return self->redacted_plan != NULL ? self->redacted_plan : plg_history_current (self->history);
}

const PlgPlan *
plg_document_unredacted_plan (PlgDocument *self)
{
  g_return_val_if_fail (PLG_IS_DOCUMENT (self), NULL);
  return plg_history_current (self->history);
}

const PlgReport *
plg_document_committed_report (PlgDocument *self)
{
  g_return_val_if_fail (PLG_IS_DOCUMENT (self), NULL);
  return self->report;
}

static void
plg_document_get_property (GObject *object, guint id, GValue *value, GParamSpec *pspec)
{
  PlgDocument *self = PLG_DOCUMENT (object);

  switch (id)
    {
    case PROP_TITLE:
      g_value_set_string (value, plg_document_committed_plan (self)->title);
      break;
    case PROP_MODIFIED:
      g_value_set_boolean (value, plg_document_is_modified (self));
      break;
    case PROP_CAN_UNDO:
      g_value_set_boolean (value, plg_document_undo_label (self) != NULL);
      break;
    case PROP_CAN_REDO:
      g_value_set_boolean (value, plg_document_redo_label (self) != NULL);
      break;
    case PROP_FILE:
      g_value_set_object (value, self->file);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
    }
}

/* Frees the document but keeps its recovery file, because a plan that is neither saved nor
 * discarded must remain recoverable. */
static void
plg_document_finalize (GObject *object)
{
  PlgDocument *self = PLG_DOCUMENT (object);

  g_clear_handle_id (&self->autosave_timeout_id, g_source_remove);
  end_preview (self);
  g_clear_pointer (&self->redacted_plan, plg_plan_free);
  g_clear_pointer (&self->history, plg_history_free);
  g_clear_pointer (&self->report, plg_report_unref);
  g_clear_pointer (&self->source, plg_plan_source_unref);
  g_clear_pointer (&self->runs, plg_published_runs_free);
  g_clear_pointer (&self->catalogue, plg_catalogue_unref);
  g_clear_object (&self->file);
  plg_highlight_model_set_report (self->spotlight, NULL);
  g_clear_object (&self->spotlight);
  g_free (self->file_state);
  g_free (self->merge_key);
  g_free (self->was_title);
  g_strfreev (self->policy_keys);
  g_free (self->autosave_directory);
  g_free (self->autosave_path);
  G_OBJECT_CLASS (plg_document_parent_class)->finalize (object);
}

static void
plg_document_class_init (PlgDocumentClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GParamFlags flags = G_PARAM_READABLE | G_PARAM_STATIC_STRINGS | G_PARAM_EXPLICIT_NOTIFY;

  object_class->get_property = plg_document_get_property;
  object_class->finalize = plg_document_finalize;
  properties[PROP_TITLE] = g_param_spec_string ("title", NULL, NULL, NULL, flags);
  properties[PROP_MODIFIED] = g_param_spec_boolean ("modified", NULL, NULL, FALSE, flags);
  properties[PROP_CAN_UNDO] = g_param_spec_boolean ("can-undo", NULL, NULL, FALSE, flags);
  properties[PROP_CAN_REDO] = g_param_spec_boolean ("can-redo", NULL, NULL, FALSE, flags);
  properties[PROP_FILE] = g_param_spec_object ("file", NULL, NULL, G_TYPE_FILE, flags);
  g_object_class_install_properties (object_class, N_PROPS, properties);
  signals[CHANGED] = g_signal_new ("changed", PLG_TYPE_DOCUMENT, G_SIGNAL_RUN_LAST, 0, NULL, NULL,
                                   NULL, G_TYPE_NONE, 0);
  signals[NUMBERS_CHANGED] = g_signal_new ("numbers-changed", PLG_TYPE_DOCUMENT, G_SIGNAL_RUN_LAST,
                                           0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  signals[PICTURES_CHANGED] = g_signal_new ("pictures-changed", PLG_TYPE_DOCUMENT,
                                            G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  signals[DATA_DROPPED] = g_signal_new ("data-dropped", PLG_TYPE_DOCUMENT, G_SIGNAL_RUN_LAST, 0,
                                        NULL, NULL, NULL, G_TYPE_NONE, 1, G_TYPE_STRING);
}

static void
plg_document_init (PlgDocument *self)
{
  self->spotlight = plg_highlight_model_new ();
}

PlgDocument *
plg_document_new (PlgCatalogue *catalogue)
{
  PlgDocument *self = g_object_new (PLG_TYPE_DOCUMENT, NULL);

  g_return_val_if_fail (catalogue != NULL, NULL);

  self->catalogue = plg_catalogue_ref (catalogue);
  plg_document_reset (self, NULL);
  return self;
}

/* Returns whether the open plan may be compared with published runs. */
static gboolean
can_compare (PlgDocument *self)
{
  return plg_document_plan (self)->profile == PLG_PROFILE_STANDARD &&
         !plg_report_hides (plg_document_report (self), PLG_REDACT_TIME);
}

const PlgSimilarRuns *
plg_document_similar_runs (PlgDocument *self)
{
  PlgRunTraits traits;

  g_return_val_if_fail (PLG_IS_DOCUMENT (self), NULL);

  if (!can_compare (self))
    return NULL;
  if (self->runs == NULL)
    self->runs = plg_published_runs_new ();
  traits = plg_run_traits (plg_document_committed_plan (self));
  if (!self->has_similar || !plg_run_traits_equal (&traits, &self->similar.traits))
    self->similar = plg_similar_runs (self->runs, &traits, NULL, FALSE);
  self->has_similar = TRUE;
  return &self->similar;
}

const PlgSimilarRuns *
plg_document_known_similar_runs (PlgDocument *self)
{
  g_return_val_if_fail (PLG_IS_DOCUMENT (self), NULL);

  return self->has_similar && can_compare (self) ? &self->similar : NULL;
}
