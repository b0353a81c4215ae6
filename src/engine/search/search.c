/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "engine/search/search.h"

#include "engine/search/search-private.h"
#include "plan/plan-check.h"
#include "plan/quantity.h"

#include <glib/gi18n-lib.h>
#include <math.h>

/* The search tries the space in units, the plans with the same base, TP, CP, EP and ETP. Threads
 * try the units of a batch at the same time. The bound that decides which plans are skipped is
 * taken from the batches before, and from the unit itself, so it does not depend on the timing of
 * the threads. The first batches are small, so that a good bound is known early. */
#define FIRST_BATCH 1

/* Compares units so that those come first that usually contain the best plans: the unit of the
 * best seed, then small CP and ETP, TP near the number of GPUs in a node, and large EP. */
static int
compare_units (gconstpointer a, gconstpointer b, gpointer data)
{
  const PlgSearch *search = data;
  const PlgSearchUnit *first = a, *second = b;
  const PlgPlan *base = g_ptr_array_index (search->space->bases, first->base);
  double node = base->cluster.gpus_per_node;

  if (search->seeds->len > 0)
    {
      const PlgSearchPoint *seed = &g_array_index (search->seeds, PlgFoundPlan, 0).point;
      gboolean is_first = first->base == seed->base && first->tp == seed->tp &&
                          first->cp == seed->cp && first->ep == seed->ep && first->etp == seed->etp;
      gboolean is_second = second->base == seed->base && second->tp == seed->tp &&
                           second->cp == seed->cp && second->ep == seed->ep &&
                           second->etp == seed->etp;

      if (is_first != is_second)
        return is_first ? -1 : 1;
    }
  if (first->cp != second->cp)
    return first->cp - second->cp;
  if (first->etp != second->etp)
    return first->etp - second->etp;
  if (first->tp != second->tp)
    {
      double far = fabs (log2 (first->tp / node)), other = fabs (log2 (second->tp / node));

      return far != other ? (far < other ? -1 : 1) : first->tp - second->tp;
    }
  if (first->ep != second->ep)
    return second->ep - first->ep;
  return first->base - second->base;
}

static gpointer
run_thread (gpointer data)
{
  PlgSearchWorker *worker = data;
  PlgSearch *search = worker->search;

  for (;;)
    {
      guint i = (guint) g_atomic_int_add (&search->next, 1);

      if (i >= search->batch_size || g_atomic_int_get (&search->is_cancelled))
        return NULL;
      worker->result = &search->results[i];
      plg_search_worker_try (worker, &g_array_index (search->units, PlgSearchUnit,
                                                     search->batch_first + i));
    }
}

/* Adds the results of the batch to those of the search, in the order of the units. */
static void
collect_batch (PlgSearch *search)
{
  g_mutex_lock (&search->mutex);
  for (guint i = 0; i < search->batch_size; i++)
    {
      const PlgUnitResult *result = &search->results[i];
      const PlgSearchProgress *counts = &result->counts;

      for (guint j = 0; j < result->found->len; j++)
        plg_ranking_add (&search->ranking, &search->options,
                         &g_array_index (result->found, PlgFoundPlan, j));
      if (search->options.keeps_judged)
        g_array_append_vals (search->judged, result->found->data, result->found->len);
      search->progress.plans += counts->plans;
      search->progress.illegal += counts->illegal;
      search->progress.too_large += counts->too_large;
      search->progress.bounded += counts->bounded;
      search->progress.judged += counts->judged;
      search->progress.rejected += counts->rejected;
    }
  search->progress.share_done = (double) (search->batch_first + search->batch_size) /
                                search->units->len;
  g_mutex_unlock (&search->mutex);
}

/* Tries the units of the batch in N threads, of which one is the calling thread. */
static void
run_batch (PlgSearch *search, PlgSearchWorker *workers, guint n)
{
  g_autofree GThread **threads = g_new (GThread *, n);

  for (guint i = 0; i < search->batch_size; i++)
    {
      PlgUnitResult *result = &search->results[i];

      plg_ranking_copy (&result->ranking, &search->ranking);
      g_array_set_size (result->found, 0);
      result->counts = (PlgSearchProgress) { 0 };
    }
  g_atomic_int_set (&search->next, 0);
  n = MIN (n, search->batch_size);
  for (guint i = 1; i < n; i++)
    threads[i] = g_thread_new ("search", run_thread, &workers[i]);
  run_thread (&workers[0]);
  for (guint i = 1; i < n; i++)
    g_thread_join (threads[i]);
}

void
plg_search_run (PlgSearch *search)
{
  guint n = search->options.threads > 0 ? search->options.threads : g_get_num_processors ();
  guint size = FIRST_BATCH;
  g_autofree PlgSearchWorker *workers = NULL;

  n = MIN (n, PLG_LARGEST_SEARCH_BATCH);
  workers = g_new0 (PlgSearchWorker, n);
  for (guint i = 0; i < n; i++)
    plg_search_worker_init (&workers[i], search);
  /* The step time of a known plan limits the search as well as a first look. */
  if (search->options.slowest == 0.0)
    plg_search_worker_look (&workers[0]);
  g_array_sort_with_data (search->units, compare_units, search);
  while (search->batch_first < search->units->len)
    {
      search->batch_size = MIN (size, search->units->len - search->batch_first);
      run_batch (search, workers, n);
      if (g_atomic_int_get (&search->is_cancelled))
        break;
      collect_batch (search);
      search->batch_first += search->batch_size;
      size = MIN (2 * size, PLG_LARGEST_SEARCH_BATCH);
    }
  for (guint i = 0; i < n; i++)
    plg_search_worker_clear (&workers[i]);
  g_mutex_lock (&search->mutex);
  search->progress.is_complete = !g_atomic_int_get (&search->is_cancelled);
  g_mutex_unlock (&search->mutex);
}

void
plg_search_cancel (PlgSearch *search)
{
  g_atomic_int_set (&search->is_cancelled, TRUE);
}

/* Lists the units of the base plan with index BASE. Omits the degrees with which no plan is
 * legal, whatever its PP, batch and schedule. */
static void
add_units (PlgSearch *search, int base)
{
  const PlgSearchSpace *space = search->space;
  g_autoptr (PlgPlan) plan = plg_plan_copy (g_ptr_array_index (space->bases, base));
  int world = plg_plan_world (plan);
  gboolean is_moe = plg_transformer_is_moe (&plan->model);
  g_autoptr (GArray) tp = g_array_new (FALSE, FALSE, sizeof (int));
  g_autoptr (GArray) cp = g_array_new (FALSE, FALSE, sizeof (int));
  g_autoptr (GArray) ep = g_array_new (FALSE, FALSE, sizeof (int));
  g_autoptr (GArray) etp = g_array_new (FALSE, FALSE, sizeof (int));

  plg_search_space_list (space, PLG_SEARCH_TP, world, tp);
  plg_search_space_list (space, PLG_SEARCH_CP, world, cp);
  plg_search_space_list (space, PLG_SEARCH_EP, is_moe ? plan->model.experts : 1, ep);
  plg_search_space_list (space, PLG_SEARCH_ETP, is_moe ? plan->model.expert_ffn : 1, etp);
  for (guint i = 0; i < tp->len; i++)
    for (guint j = 0; j < cp->len; j++)
      for (guint k = 0; k < ep->len; k++)
        for (guint l = 0; l < etp->len; l++)
          {
            PlgSearchUnit unit = { base, g_array_index (tp, int, i), g_array_index (cp, int, j),
                                   g_array_index (ep, int, k), g_array_index (etp, int, l) };
            PlgParallelism *parallelism = &plan->parallelism;

            if ((gint64) unit.tp * unit.cp > world || world % (unit.tp * unit.cp) != 0 ||
                (gint64) unit.ep * unit.etp > world || world % (unit.ep * unit.etp) != 0)
              continue;
            parallelism->degree[PLG_AXIS_TP] = unit.tp;
            parallelism->degree[PLG_AXIS_CP] = unit.cp;
            parallelism->degree[PLG_AXIS_EP] = unit.ep;
            parallelism->degree[PLG_AXIS_PP] = 1;
            parallelism->etp = unit.etp;
            parallelism->sequence = FALSE;
            parallelism->replicate = 1;
            if (plg_plan_check_split (plan, NULL))
              g_array_append_val (search->units, unit);
          }
}

PlgSearch *
plg_search_new (PlgSearchSpace *space, const PlgSearchOptions *options)
{
  PlgSearch *search = g_new0 (PlgSearch, 1);

  g_return_val_if_fail (options->by != NULL && options->top > 0, NULL);
  search->space = space;
  search->options = *options;
  search->units = g_array_new (FALSE, FALSE, sizeof (PlgSearchUnit));
  search->seeds = g_array_new (FALSE, FALSE, sizeof (PlgFoundPlan));
  search->ranking = plg_ranking_new ();
  search->judged = g_array_new (FALSE, FALSE, sizeof (PlgFoundPlan));
  for (guint i = 0; i < PLG_LARGEST_SEARCH_BATCH; i++)
    {
      search->results[i].ranking = plg_ranking_new ();
      search->results[i].found = g_array_new (FALSE, FALSE, sizeof (PlgFoundPlan));
    }
  g_mutex_init (&search->mutex);
  for (guint i = 0; i < space->bases->len; i++)
    add_units (search, (int) i);
  return search;
}

void
plg_search_free (PlgSearch *search)
{
  if (search == NULL)
    return;
  for (guint i = 0; i < PLG_LARGEST_SEARCH_BATCH; i++)
    {
      plg_ranking_clear (&search->results[i].ranking);
      g_array_unref (search->results[i].found);
    }
  plg_ranking_clear (&search->ranking);
  g_array_unref (search->seeds);
  g_array_unref (search->judged);
  g_array_unref (search->units);
  g_mutex_clear (&search->mutex);
  plg_search_space_free (search->space);
  g_free (search);
}

const PlgSearchSpace *
plg_search_get_space (const PlgSearch *search)
{
  return search->space;
}

/* Replaces the contents of TO, which may be NULL, with those of FROM. */
static void
copy_found (GArray *to, const GArray *from)
{
  if (to == NULL)
    return;
  g_array_set_size (to, 0);
  g_array_append_vals (to, from->data, from->len);
}

void
plg_search_snapshot (PlgSearch *search,
                     PlgSearchProgress *progress,
                     GArray *best,
                     GArray *front,
                     GArray *judged)
{
  g_mutex_lock (&search->mutex);
  *progress = search->progress;
  /* Until the first batch is done, the seeds are the best plans. */
  copy_found (best, search->ranking.best->len > 0 || search->progress.is_complete
                        ? search->ranking.best
                        : search->seeds);
  copy_found (front, search->ranking.front);
  if (judged != NULL)
    g_array_append_vals (judged, &g_array_index (search->judged, PlgFoundPlan, judged->len),
                         search->judged->len - judged->len);
  g_mutex_unlock (&search->mutex);
}

char *
plg_search_progress_describe (const PlgSearchProgress *progress)
{
  g_autofree char *plans = plg_format_count (progress->plans);
  g_autofree char *illegal = plg_format_count (progress->illegal);
  g_autofree char *too_large = plg_format_count (progress->too_large);
  g_autofree char *bounded = plg_format_count (progress->bounded);
  g_autofree char *judged = plg_format_count (progress->judged);

  return g_strdup_printf (
      g_dngettext (GETTEXT_PACKAGE,
                   "%s plan: %s not possible, %s do not fit in memory, %s too slow by a lower "
                   "bound, %s evaluated.",
                   "%s plans: %s not possible, %s do not fit in memory, %s too slow by a lower "
                   "bound, %s evaluated.",
                   (gulong) progress->plans),
      plans, illegal, too_large, bounded, judged);
}

const char *
plg_search_progress_describe_failure (const PlgSearchProgress *progress, gboolean holds)
{
  if (progress->rejected > 0)
    return holds ? _ ("No plan fits in memory and meets the requirements. Relax a requirement, use "
                      "more nodes, or hold fewer settings fixed.")
                 : _ ("No plan fits in memory and meets the requirements. Relax a requirement, or "
                      "use more nodes.");
  return holds ? _ ("No plan fits in memory. Use more nodes, or hold fewer settings fixed.")
               : _ ("No plan fits in memory. Use more nodes.");
}
