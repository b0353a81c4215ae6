/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "document/plan-search.h"

#include "engine/report/redaction.h"
#include "engine/search/search-words.h"
#include "plan/quantity.h"

#include <glib/gi18n-lib.h>

/* The interval between looks at the running search. */
#define LOOK_MILLISECONDS 50
/* The time without changes after which a changed plan is searched again. */
#define RESTART_MILLISECONDS 300

struct _PlgPlanSearch
{
  GObject parent_instance;

  PlgDocument *document;
  const PlgMetric *by;
  const PlgMetric *front[2];
  char **vary;          /* texts for plg_search_space_vary() */
  char **require;       /* texts for plg_search_requirement_read() */
  GArray *requirements; /* PlgAssertion, which borrow the texts of REQUIRE */
  char *problem;        /* the reason why VARY is wrong for the open plan, or NULL */
  gboolean is_kept[PLG_N_SEARCH_KEYS];

  PlgSearch *search;       /* NULL before the first search */
  GThread *thread;         /* runs SEARCH; NULL if no search runs */
  PlgPlan *start;          /* the plan from which SEARCH started */
  PlgPlan *compared;       /* START or TAKEN, whichever is open; NULL before the first search */
  PlgReport *start_report; /* the report on COMPARED */
  PlgPlan *taken;      /* the plan taken last, which is no reason to search again; may be NULL */
  GArray *found;       /* PlgFoundPlan */
  GArray *best;        /* PlgFoundPlan */
  GArray *front_plans; /* PlgFoundPlan */
  PlgSearchProgress progress;
  guint generation;
  gboolean is_wanted; /* whether a change of the plan starts a new search */
  guint look_id;
  guint restart_id;
};

G_DEFINE_FINAL_TYPE (PlgPlanSearch, plg_plan_search, G_TYPE_OBJECT)

enum
{
  CHANGED,
  PROGRESSED,
  N_SIGNALS,
};

static guint signals[N_SIGNALS];

static gpointer
run_thread (gpointer search)
{
  plg_search_run (search);
  return NULL;
}

/* Ends the running search and waits for its thread, which takes a few milliseconds. */
static void
end_thread (PlgPlanSearch *self)
{
  g_clear_handle_id (&self->look_id, g_source_remove);
  if (self->thread == NULL)
    return;
  plg_search_cancel (self->search);
  g_thread_join (g_steal_pointer (&self->thread));
}

static gboolean
look_cb (gpointer data)
{
  PlgPlanSearch *self = data;
  guint before = self->found->len + self->best->len;
  gint64 plans_before = self->progress.plans;

  plg_search_snapshot (self->search, &self->progress, self->best, self->front_plans, self->found);
  if (self->progress.is_complete)
    {
      self->look_id = 0;
      g_thread_join (g_steal_pointer (&self->thread));
    }
  if (self->found->len + self->best->len > before || self->progress.is_complete)
    g_signal_emit (self, signals[CHANGED], 0);
  else if (self->progress.plans > plans_before)
    g_signal_emit (self, signals[PROGRESSED], 0);
  return self->look_id != 0;
}

const char *
plg_plan_search_why_not (PlgPlanSearch *self)
{
  const PlgEditPolicy *policy;

  g_return_val_if_fail (PLG_IS_PLAN_SEARCH (self), NULL);

  policy = plg_document_policy (self->document);
  if (policy->keys != NULL || policy->awaits_answer || policy->redaction != 0 ||
      policy->redact != NULL || policy->hides_findings)
    return _ ("Plans cannot be searched during this step of the lesson");
  return self->problem;
}

/* Returns the keys that are held; free with g_ptr_array_unref(). */
static GPtrArray *
held_keys (PlgPlanSearch *self)
{
  GPtrArray *keep = g_ptr_array_new ();

  for (int key = 0; key < PLG_N_SEARCH_KEYS; key++)
    if (self->is_kept[key])
      g_ptr_array_add (keep, (gpointer) plg_search_key_setting (key));
  g_ptr_array_add (keep, NULL);
  return keep;
}

/* Returns the space of PLAN with the held and varied settings, or NULL with ERROR. */
static PlgSearchSpace *
make_space (PlgPlanSearch *self, const PlgPlan *plan, const char *const *vary, GError **error)
{
  g_autoptr (PlgSearchSpace) space = plg_search_space_new (plan);
  g_autoptr (GPtrArray) keep = held_keys (self);
  const PlgSearchWords words = { .vary = vary,
                                 .keep = (const char *const *) keep->pdata,
                                 .is_form = TRUE };

  if (!plg_search_words_apply (&words, space, plg_document_catalogue (self->document), error))
    return NULL;
  return g_steal_pointer (&space);
}

static void
begin_search (PlgPlanSearch *self)
{
  PlgSearchOptions options = {
    .by = self->by,
    .requirements = (const PlgAssertion *) (void *) self->requirements->data,
    .n_requirements = self->requirements->len,
    .front = { self->front[0], self->front[1] },
    .top = PLG_SEARCH_PICTURE_TOP,
    .keeps_judged = TRUE
  };
  PlgSearchSpace *space;
  g_autoptr (GError) error = NULL;

  end_thread (self);
  g_clear_handle_id (&self->restart_id, g_source_remove);
  g_clear_pointer (&self->search, plg_search_free);
  g_clear_pointer (&self->start, plg_plan_free);
  g_clear_pointer (&self->start_report, plg_report_unref);
  g_clear_pointer (&self->compared, plg_plan_free);
  g_clear_pointer (&self->taken, plg_plan_free);
  g_array_set_size (self->found, 0);
  g_array_set_size (self->best, 0);
  g_array_set_size (self->front_plans, 0);
  self->progress = (PlgSearchProgress) { 0 };
  self->generation++;
  g_clear_pointer (&self->problem, g_free);
  if (plg_plan_search_why_not (self) == NULL)
    {
      self->start = plg_plan_copy (plg_document_committed_plan (self->document));
      self->start_report = plg_evaluate (self->start, PLG_EVALUATE_TOTALS, NULL);
      self->compared = plg_plan_copy (self->start);
      space = make_space (self, self->start, (const char *const *) self->vary, &error);
      if (space == NULL)
        {
          /* Values that were right for an earlier plan can be wrong for this one. */
          self->problem = g_strdup (error->message);
          g_clear_pointer (&self->start_report, plg_report_unref);
          g_signal_emit (self, signals[CHANGED], 0);
          return;
        }
      self->search = plg_search_new (space, &options);
      self->thread = g_thread_new ("plan-search", run_thread, self->search);
      self->look_id = g_timeout_add (LOOK_MILLISECONDS, look_cb, self);
    }
  g_signal_emit (self, signals[CHANGED], 0);
}

static gboolean
restart_cb (gpointer data)
{
  PlgPlanSearch *self = data;

  self->restart_id = 0;
  begin_search (self);
  return G_SOURCE_REMOVE;
}

gboolean
plg_plan_search_is_current (PlgPlanSearch *self)
{
  const PlgPlan *plan;

  g_return_val_if_fail (PLG_IS_PLAN_SEARCH (self), FALSE);

  plan = plg_document_committed_plan (self->document);
  return (self->start != NULL && plg_plan_same_design (plan, self->start)) ||
         (self->taken != NULL && plg_plan_same_design (plan, self->taken));
}

/* Searches again if the committed plan is neither the start of the search nor a plan that was
 * taken from it. Otherwise compares the found plans with the committed plan. */
static void
document_changed_cb (PlgPlanSearch *self)
{
  const PlgPlan *plan = plg_document_committed_plan (self->document);

  if (!self->is_wanted || plg_document_is_previewing (self->document))
    return;
  if (plg_plan_search_is_current (self))
    {
      if (self->start_report != NULL && !plg_plan_same_design (plan, self->compared))
        {
          plg_report_unref (self->start_report);
          self->start_report = plg_evaluate (plan, PLG_EVALUATE_TOTALS, NULL);
          plg_plan_assign (self->compared, plan);
          g_signal_emit (self, signals[CHANGED], 0);
        }
      return;
    }
  end_thread (self);
  g_clear_handle_id (&self->restart_id, g_source_remove);
  self->restart_id = g_timeout_add (RESTART_MILLISECONDS, restart_cb, self);
}

void
plg_plan_search_start (PlgPlanSearch *self)
{
  g_return_if_fail (PLG_IS_PLAN_SEARCH (self));

  self->is_wanted = TRUE;
  if (self->start == NULL || (self->thread == NULL && !self->progress.is_complete))
    begin_search (self);
  else
    document_changed_cb (self);
}

void
plg_plan_search_stop (PlgPlanSearch *self)
{
  g_return_if_fail (PLG_IS_PLAN_SEARCH (self));

  self->is_wanted = FALSE;
  g_clear_handle_id (&self->restart_id, g_source_remove);
  if (self->thread == NULL)
    return;
  end_thread (self);
  g_signal_emit (self, signals[CHANGED], 0);
}

static void
search_again (PlgPlanSearch *self)
{
  if (self->is_wanted)
    begin_search (self);
  else
    g_clear_pointer (&self->start, plg_plan_free);
}

void
plg_plan_search_set_front (PlgPlanSearch *self, const PlgMetric *x, const PlgMetric *y)
{
  g_return_if_fail (PLG_IS_PLAN_SEARCH (self) && x != NULL && y != NULL);

  if (self->front[0] == x && self->front[1] == y)
    return;
  self->front[0] = x;
  self->front[1] = y;
  search_again (self);
}

const PlgMetric *
plg_plan_search_get_front (PlgPlanSearch *self, int axis)
{
  g_return_val_if_fail (PLG_IS_PLAN_SEARCH (self) && axis >= 0 && axis < 2, NULL);

  return self->front[axis];
}

void
plg_plan_search_set_kept (PlgPlanSearch *self, PlgSearchKey key, gboolean is_kept)
{
  g_return_if_fail (PLG_IS_PLAN_SEARCH (self) && key < PLG_N_SEARCH_KEYS);

  if (self->is_kept[key] == !!is_kept)
    return;
  self->is_kept[key] = !!is_kept;
  search_again (self);
}

gboolean
plg_plan_search_is_kept (PlgPlanSearch *self, PlgSearchKey key)
{
  g_return_val_if_fail (PLG_IS_PLAN_SEARCH (self) && key < PLG_N_SEARCH_KEYS, FALSE);

  return self->is_kept[key];
}

gboolean
plg_plan_search_holds_any (PlgPlanSearch *self)
{
  g_return_val_if_fail (PLG_IS_PLAN_SEARCH (self), FALSE);

  for (int key = 0; key < PLG_N_SEARCH_KEYS; key++)
    if (self->is_kept[key])
      return TRUE;
  return FALSE;
}

void
plg_plan_search_set_by (PlgPlanSearch *self, const PlgMetric *by)
{
  g_return_if_fail (PLG_IS_PLAN_SEARCH (self) && by != NULL);

  if (self->by == by)
    return;
  self->by = by;
  search_again (self);
}

const PlgMetric *
plg_plan_search_get_by (PlgPlanSearch *self)
{
  g_return_val_if_fail (PLG_IS_PLAN_SEARCH (self), NULL);

  return self->by;
}

gboolean
plg_plan_search_set_vary (PlgPlanSearch *self, const char *const *vary, GError **error)
{
  g_autoptr (PlgSearchSpace) space = NULL;

  g_return_val_if_fail (PLG_IS_PLAN_SEARCH (self) && vary != NULL, FALSE);

  space = make_space (self, plg_document_committed_plan (self->document), vary, error);
  if (space == NULL)
    return FALSE;
  if (g_strv_equal (vary, (const char *const *) self->vary))
    return TRUE;
  g_strfreev (self->vary);
  self->vary = g_strdupv ((char **) vary);
  search_again (self);
  return TRUE;
}

gboolean
plg_plan_search_set_requirements (PlgPlanSearch *self,
                                  const char *const *requirements,
                                  GError **error)
{
  const PlgPlan *plan;
  g_auto (GStrv) texts = NULL;
  g_autoptr (GArray) read = g_array_new (FALSE, FALSE, sizeof (PlgAssertion));

  g_return_val_if_fail (PLG_IS_PLAN_SEARCH (self) && requirements != NULL, FALSE);

  plan = plg_document_committed_plan (self->document);
  texts = g_strdupv ((char **) requirements);
  for (int i = 0; texts[i] != NULL; i++)
    {
      PlgAssertion requirement = { 0 };

      if (!plg_search_requirement_read (&requirement, NULL, texts[i], plan, error))
        return FALSE;
      g_array_append_val (read, requirement);
    }
  if (g_strv_equal (requirements, (const char *const *) self->require))
    return TRUE;
  /* The running search borrows the old requirements. */
  end_thread (self);
  g_clear_pointer (&self->search, plg_search_free);
  g_array_unref (self->requirements);
  g_strfreev (self->require);
  self->requirements = g_steal_pointer (&read);
  self->require = g_steal_pointer (&texts);
  search_again (self);
  return TRUE;
}

gboolean
plg_plan_search_is_running (PlgPlanSearch *self)
{
  g_return_val_if_fail (PLG_IS_PLAN_SEARCH (self), FALSE);

  return self->thread != NULL || self->restart_id != 0;
}

PlgSearchProgress
plg_plan_search_progress (PlgPlanSearch *self)
{
  g_return_val_if_fail (PLG_IS_PLAN_SEARCH (self), (PlgSearchProgress) { 0 });

  return self->progress;
}

const GArray *
plg_plan_search_found (PlgPlanSearch *self)
{
  g_return_val_if_fail (PLG_IS_PLAN_SEARCH (self), NULL);

  return self->found;
}

const GArray *
plg_plan_search_best (PlgPlanSearch *self)
{
  g_return_val_if_fail (PLG_IS_PLAN_SEARCH (self), NULL);

  return self->best;
}

const GArray *
plg_plan_search_front (PlgPlanSearch *self)
{
  g_return_val_if_fail (PLG_IS_PLAN_SEARCH (self), NULL);

  return self->front_plans;
}

guint
plg_plan_search_generation (PlgPlanSearch *self)
{
  g_return_val_if_fail (PLG_IS_PLAN_SEARCH (self), 0);

  return self->generation;
}

const PlgReport *
plg_plan_search_start_report (PlgPlanSearch *self)
{
  g_return_val_if_fail (PLG_IS_PLAN_SEARCH (self), NULL);

  return self->start_report;
}

const PlgSearchSpace *
plg_plan_search_space (PlgPlanSearch *self)
{
  g_return_val_if_fail (PLG_IS_PLAN_SEARCH (self), NULL);

  return self->search != NULL ? plg_search_get_space (self->search) : NULL;
}

gboolean
plg_plan_search_source (PlgPlanSearch *self, PlgSearchKey key, PlgSearchPictureSource *source)
{
  g_return_val_if_fail (PLG_IS_PLAN_SEARCH (self), FALSE);

  if (self->search == NULL)
    return FALSE;
  *source = (PlgSearchPictureSource) { .metrics = { self->front[0], self->front[1] },
                                       .by = self->by,
                                       .found = self->found,
                                       .front = self->front_plans,
                                       .best = self->best,
                                       .space = plg_search_get_space (self->search),
                                       .class_key = key,
                                       .start = self->start_report,
                                       .progress = self->progress };
  return TRUE;
}

PlgSearchPicture *
plg_plan_search_picture (PlgPlanSearch *self, PlgSearchKey key)
{
  g_autoptr (GPtrArray) keep = NULL;
  g_autofree char *pareto = NULL;
  PlgSearchWords words;
  PlgSearchPictureSource source;
  PlgSearchPicture *picture;

  g_return_val_if_fail (PLG_IS_PLAN_SEARCH (self), NULL);

  if (!self->progress.is_complete ||
      !plg_plan_same_design (plg_document_committed_plan (self->document), self->start) ||
      !plg_plan_search_source (self, key, &source))
    return NULL;
  picture = plg_search_picture_new (&source);
  plg_search_picture_name_plans (picture, &source, self->start,
                                 plg_document_catalogue (self->document));
  keep = held_keys (self);
  pareto = g_strdup_printf ("%s,%s", self->front[0]->name, self->front[1]->name);
  words = (PlgSearchWords) { .vary = (const char *const *) self->vary,
                             .keep = (const char *const *) keep->pdata,
                             .require = (const char *const *) self->require,
                             .by = self->by->name,
                             .pareto = pareto };
  picture->arguments = plg_search_words_arguments (&words);
  return picture;
}

PlgPlan *
plg_plan_search_plan (PlgPlanSearch *self, const PlgSearchPoint *point)
{
  PlgPlan *plan;

  g_return_val_if_fail (PLG_IS_PLAN_SEARCH (self) && self->search != NULL, NULL);

  plan = plg_search_space_plan (plg_search_get_space (self->search), point);
  plan->view = plg_document_committed_plan (self->document)->view;
  return plan;
}

gboolean
plg_plan_search_take (PlgPlanSearch *self, const PlgSearchPoint *point, GError **error)
{
  g_autoptr (PlgPlan) plan = NULL;
  g_autofree char *time = NULL;
  g_autofree char *label = NULL;
  g_autoptr (PlgReport) report = NULL;

  g_return_val_if_fail (PLG_IS_PLAN_SEARCH (self) && self->search != NULL, FALSE);

  plan = plg_plan_search_plan (self, point);
  report = plg_evaluate (plan, PLG_EVALUATE_TOTALS, error);
  if (report == NULL)
    return FALSE;
  time = plg_format_time (report->step.time);
  label = g_strdup_printf (_ ("found plan of %s per step"), time);
  g_clear_pointer (&self->taken, plg_plan_free);
  self->taken = plg_plan_copy (plan);
  return plg_document_apply (self->document, plan, label, NULL, error);
}

static void
plg_plan_search_dispose (GObject *object)
{
  PlgPlanSearch *self = PLG_PLAN_SEARCH (object);

  end_thread (self);
  g_clear_handle_id (&self->restart_id, g_source_remove);
  g_clear_object (&self->document);
  G_OBJECT_CLASS (plg_plan_search_parent_class)->dispose (object);
}

static void
plg_plan_search_finalize (GObject *object)
{
  PlgPlanSearch *self = PLG_PLAN_SEARCH (object);

  plg_search_free (self->search);
  g_clear_pointer (&self->start, plg_plan_free);
  g_clear_pointer (&self->start_report, plg_report_unref);
  g_clear_pointer (&self->compared, plg_plan_free);
  g_clear_pointer (&self->taken, plg_plan_free);
  g_array_unref (self->found);
  g_array_unref (self->best);
  g_array_unref (self->front_plans);
  g_array_unref (self->requirements);
  g_strfreev (self->vary);
  g_strfreev (self->require);
  g_free (self->problem);
  G_OBJECT_CLASS (plg_plan_search_parent_class)->finalize (object);
}

static void
plg_plan_search_class_init (PlgPlanSearchClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  object_class->dispose = plg_plan_search_dispose;
  object_class->finalize = plg_plan_search_finalize;
  signals[CHANGED] = g_signal_new ("changed", PLG_TYPE_PLAN_SEARCH, G_SIGNAL_RUN_LAST, 0, NULL,
                                   NULL, NULL, G_TYPE_NONE, 0);
  signals[PROGRESSED] = g_signal_new ("progressed", PLG_TYPE_PLAN_SEARCH, G_SIGNAL_RUN_LAST, 0,
                                      NULL, NULL, NULL, G_TYPE_NONE, 0);
}

static void
plg_plan_search_init (PlgPlanSearch *self)
{
  self->found = g_array_new (FALSE, FALSE, sizeof (PlgFoundPlan));
  self->best = g_array_new (FALSE, FALSE, sizeof (PlgFoundPlan));
  self->front_plans = g_array_new (FALSE, FALSE, sizeof (PlgFoundPlan));
  self->requirements = g_array_new (FALSE, FALSE, sizeof (PlgAssertion));
  self->vary = g_new0 (char *, 1);
  self->require = g_new0 (char *, 1);
  self->by = self->front[0] = plg_metric_find ("step-time");
  self->front[1] = plg_metric_find ("memory");
}

PlgPlanSearch *
plg_plan_search_new (PlgDocument *document)
{
  PlgPlanSearch *self;

  g_return_val_if_fail (PLG_IS_DOCUMENT (document), NULL);

  self = g_object_new (PLG_TYPE_PLAN_SEARCH, NULL);
  self->document = g_object_ref (document);
  g_signal_connect_object (document, "changed", G_CALLBACK (document_changed_cb), self,
                           G_CONNECT_SWAPPED);
  return self;
}
