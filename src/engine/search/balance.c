/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "engine/search/balance.h"

#include "engine/evaluate.h"
#include "engine/model/flops.h"
#include "engine/model/memory.h"
#include "engine/workload.h"
#include "plan/plan-problem.h"
#include "plan/quantity.h"

#include <glib/gi18n-lib.h>
#include <math.h>

/* The layers of a model are of one kind, or some dense layers come before layers with experts. The
 * dense layers are then called the lead and the others the rest; otherwise all layers are the
 * rest. All virtual stages of a GPU share its time and memory, so the first step finds how many
 * layers of each kind every GPU has, and the second one spreads them over its virtual stages. With
 * DualPipe, stages s and p - 1 - s are on the same GPUs. The stages on one GPU form a group. */

/* The limit of steps of dynamic programming; this many take a few seconds. */
#define MOST_STEPS 2e9
/* The number of times that the interval of times is halved. */
#define HALVINGS 30.0
/* The relative size of the interval of times at which the search ends. */
#define PRECISION 1e-9
/* The relative precision of the memory that is missing. */
#define MEMORY_PRECISION 1e-4

/* The time of a micro-batch on one stage of a group [s]. */
typedef struct
{
  double fixed; /* embedding, loss and MTP layers */
  double lead;  /* one layer of the lead */
  double rest;  /* one layer of the rest */
} StageTimes;

typedef struct
{
  int n_stages;
  int stage[2];
  StageTimes times[2];
  int *most_rest;    /* layers of the rest that fit in memory, indexed by layers of the lead; -1 if
                     not even the lead fits */
  gboolean has_lead; /* whether the group can have layers of the lead, and of the rest */
  gboolean has_rest;
  int lead; /* the layers that the search gives to the group */
  int rest;
} Group;

typedef struct
{
  const PlgPlan *plan;
  double memory; /* memory of a GPU [bytes] */
  int n;         /* virtual stages */
  int n_groups;
  Group *groups;
  int n_lead;
  int n_rest;
  PlgPiece lead_piece;
  PlgPiece rest_piece;
  int moe_every;          /* if the rest has experts, every n-th of its layers */
  PlgWorkload *workloads; /* one for each stage, or one for all of them */
  int mtp;                /* virtual stage of the MTP layers */
  int boundary; /* the last virtual stage that can have layers of the lead, and the first that can
                   have layers of the rest */
  double *most; /* scratch space: the most layers of the rest, indexed by layers of the lead */
  double *next;
  int *choice; /* layers of the lead of each group, indexed by group and layers of the lead */
} Balancer;

static int
stage_count (const PlgPlan *plan)
{
  return plan->parallelism.degree[PLG_AXIS_PP];
}

static gboolean
is_dual (const PlgPlan *plan)
{
  return plan->training.schedule == PLG_SCHEDULE_DUALPIPE;
}

/* Returns the stage of virtual stage I. */
static int
stage_of (const PlgPlan *plan, int i)
{
  int stages = stage_count (plan);

  if (plan->training.schedule == PLG_SCHEDULE_ZB_V && i >= stages)
    return 2 * stages - 1 - i;
  return i % stages;
}

static int
group_of (const Balancer *self, int i)
{
  int stage = stage_of (self->plan, i);

  return is_dual (self->plan) ? MIN (stage, stage_count (self->plan) - 1 - stage) : stage;
}

/* Returns the time of the pieces in CONTENT on STAGE, forward and backward [s]. */
static double
content_time (const Balancer *self, int stage, const PlgPieceCounts *content)
{
  const PlgPlan *plan = self->plan;
  const PlgWorkload *workload = &self->workloads[plan->cluster.n_faults > 0 ? stage : 0];
  double slow = plg_slowest_gpu_factor (plan, stage), time = 0.0;

  for (int phase = 0; phase < PLG_N_PHASES; phase++)
    time += plg_workload_slowed_time (workload, content, phase, slow);
  return time;
}

static double
piece_time (const Balancer *self, int stage, PlgPiece piece, double n)
{
  PlgPieceCounts content = { 0 };

  content.count[piece] = n;
  return n > 0.0 ? content_time (self, stage, &content) : 0.0;
}

/* Returns the time of one layer of the rest on STAGE [s]; the mean if not all of them have experts. */
static double
rest_time (const Balancer *self, int stage)
{
  double experts = 1.0 / self->moe_every;

  if (self->rest_piece != PLG_PIECE_MOE || self->moe_every == 1)
    return piece_time (self, stage, self->rest_piece, 1.0);
  return piece_time (self, stage, PLG_PIECE_MOE, experts) +
         piece_time (self, stage, PLG_PIECE_DENSE, 1.0 - experts);
}

/* Returns the time of the parts of virtual stage I besides its layers, on STAGE [s]. */
static double
fixed_time (const Balancer *self, int stage, int i)
{
  int mtp = MAX (self->plan->model.mtp_layers, 0);
  double time = 0.0;

  if (i == 0)
    time += piece_time (self, stage, PLG_PIECE_EMBEDDING, 1.0);
  if (i == self->n - 1)
    time += piece_time (self, stage, PLG_PIECE_OUTPUT, 1.0 + mtp);
  if (i == self->mtp)
    time += piece_time (self, stage, PLG_PIECE_PROJECTION, mtp) +
            piece_time (self, stage, self->rest_piece, mtp);
  return time;
}

/* Returns whether the parts of GROUP fit in memory with LEAD and REST layers. */
static gboolean
fits (const Balancer *self, const Group *group, int lead, int rest)
{
  gboolean is_moe = self->rest_piece == PLG_PIECE_MOE;
  PlgStageParts parts[2];
  PlgStageMemory memory;

  for (int i = 0; i < group->n_stages; i++)
    {
      int stage = group->stage[i];

      parts[i] = (PlgStageParts) {
        .embedding = plg_stage_has_embedding (self->plan, stage),
        .output = plg_stage_has_output (self->plan, stage),
        .mtp_layers = stage_of (self->plan, self->mtp) == stage
                          ? MAX (self->plan->model.mtp_layers, 0)
                          : 0,
      };
    }
  parts[0].moe_layers = is_moe ? (rest + self->moe_every - 1) / self->moe_every : 0;
  parts[0].dense_layers = lead + rest - parts[0].moe_layers;
  for (int i = 0; i < group->n_stages; i++)
    plg_stage_parts_spread_repeated (self->plan, &parts[i]);
  plg_stage_memory (self->plan, group->stage[0], &parts[0], group->n_stages > 1 ? &parts[1] : NULL,
                    &memory);
  return memory.total <= self->memory;
}

/* Sets the limits that the memory sets to the layers of each group. More layers never need less
 * memory, so the largest number is found by halving. */
static void
set_memory_limits (Balancer *self)
{
  for (int g = 0; g < self->n_groups; g++)
    for (int lead = 0; lead <= self->n_lead; lead++)
      {
        Group *group = &self->groups[g];
        int low = -1, high = lead > 0 ? group->most_rest[lead - 1] : self->n_rest;

        while (low < high)
          {
            int middle = low + (high - low + 1) / 2;

            if (fits (self, group, lead, middle))
              low = middle;
            else
              high = middle - 1;
          }
        group->most_rest[lead] = low;
      }
}

static void
set_times (Balancer *self)
{
  for (int g = 0; g < self->n_groups; g++)
    for (int i = 0; i < self->groups[g].n_stages; i++)
      {
        StageTimes *times = &self->groups[g].times[i];
        int stage = self->groups[g].stage[i];

        times->lead = piece_time (self, stage, self->lead_piece, 1.0);
        times->rest = rest_time (self, stage);
        times->fixed = 0.0;
        for (int j = 0; j < self->n; j++)
          if (group_of (self, j) == g)
            times->fixed += fixed_time (self, stage, j);
      }
}

/* Sets which groups can have layers of which kind, for the boundary and the place of the MTP
 * layers. */
static void
set_kinds (Balancer *self)
{
  for (int g = 0; g < self->n_groups; g++)
    self->groups[g].has_lead = self->groups[g].has_rest = FALSE;
  for (int i = 0; i <= self->mtp; i++)
    {
      Group *group = &self->groups[group_of (self, i)];

      group->has_lead |= self->n_lead > 0 && i <= self->boundary;
      group->has_rest |= i >= self->boundary;
    }
}

static double
group_time (const Group *group, int lead, int rest)
{
  double time = 0.0;

  for (int i = 0; i < group->n_stages; i++)
    time = MAX (time,
                group->times[i].fixed + lead * group->times[i].lead + rest * group->times[i].rest);
  return time;
}

/* Returns the most layers of the rest that GROUP can have besides LEAD layers within TIME [s]; -1
 * if it cannot have those. */
static int
most_rest (const Group *group, int lead, double time)
{
  double most = group->most_rest[lead];

  if (lead > 0 && !group->has_lead)
    return -1;
  for (int i = 0; i < group->n_stages; i++)
    {
      const StageTimes *times = &group->times[i];
      double left = time - times->fixed - lead * times->lead;

      if (left < 0.0)
        return -1;
      if (times->rest > 0.0)
        most = MIN (most, floor (left / times->rest));
    }
  return group->has_rest ? (int) most : MIN ((int) most, 0);
}

/* Returns whether all layers find a place if no group takes longer than TIME [s]; then sets the
 * layers of the lead of every group. */
static gboolean
is_possible (Balancer *self, double time)
{
  int n = self->n_lead;

  for (int lead = 1; lead <= n; lead++)
    self->most[lead] = -1.0;
  self->most[0] = 0.0;
  for (int g = 0; g < self->n_groups; g++)
    {
      double *last = self->most;

      for (int sum = 0; sum <= n; sum++)
        self->next[sum] = -1.0;
      for (int lead = 0; lead <= n; lead++)
        {
          int rest = most_rest (&self->groups[g], lead, time);

          for (int before = 0; rest >= 0 && before + lead <= n; before++)
            if (last[before] >= 0.0 && last[before] + rest > self->next[before + lead])
              {
                self->next[before + lead] = last[before] + rest;
                self->choice[g * (n + 1) + before + lead] = lead;
              }
        }
      self->most = self->next;
      self->next = last;
    }
  if (self->most[n] < self->n_rest)
    return FALSE;
  for (int g = self->n_groups - 1, sum = n; g >= 0; g--)
    {
      self->groups[g].lead = self->choice[g * (n + 1) + sum];
      sum -= self->groups[g].lead;
    }
  return TRUE;
}

/* Gives the layers of the rest to the groups, one by one to the group that has the least time with
 * it. Equal groups near the middle come first. No group takes longer than TIME [s]. */
static void
share_rest (Balancer *self, double time)
{
  for (int g = 0; g < self->n_groups; g++)
    self->groups[g].rest = 0;
  for (int layer = 0; layer < self->n_rest; layer++)
    {
      Group *best = NULL;
      double best_time = G_MAXDOUBLE;
      int best_distance = 0;

      for (int g = 0; g < self->n_groups; g++)
        {
          Group *group = &self->groups[g];
          double with = group_time (group, group->lead, group->rest + 1);
          int distance = ABS (2 * g - (self->n_groups - 1));

          if (group->rest >= most_rest (group, group->lead, time) ||
              with > best_time * (1.0 + PRECISION) ||
              (with > best_time * (1.0 - PRECISION) && distance >= best_distance))
            continue;
          best = group;
          best_time = with;
          best_distance = distance;
        }
      best->rest++;
    }
}

/* Spreads the layers of the groups over their virtual stages, one by one to the virtual stage with
 * the least time. */
static void
spread (const Balancer *self, PlgStageLayout *layout)
{
  g_autofree double *time = g_new0 (double, self->n);

  *layout = (PlgStageLayout) { .stages = self->n,
                               .mtp = self->mtp,
                               .mtp_layers = MAX (self->plan->model.mtp_layers, 0) };
  for (int i = 0; i < self->n; i++)
    time[i] = fixed_time (self, stage_of (self->plan, i), i);
  for (int g = 0; g < self->n_groups; g++)
    {
      const Group *group = &self->groups[g];

      for (int layer = 0; layer < group->lead + group->rest; layer++)
        {
          gboolean is_lead = layer < group->lead;
          int best = -1;

          for (int i = 0; i <= self->mtp; i++)
            if (group_of (self, i) == g && (is_lead ? i <= self->boundary : i >= self->boundary) &&
                (best < 0 || time[i] < time[best] * (1.0 - PRECISION)))
              best = i;
          time[best] += is_lead ? group->times[0].lead : group->times[0].rest;
          layout->layers[best]++;
        }
    }
}

/* Returns the longest time of any group with the plan's own division of layers [s]. */
static double
own_time (const Balancer *self)
{
  double longest = 0.0;

  for (int stage = 0; stage < stage_count (self->plan); stage++)
    {
      PlgPieceCounts content = { 0 };
      int stages[2] = { stage, stage_count (self->plan) - 1 - stage };

      for (int i = 0; i < (is_dual (self->plan) ? 2 : 1); i++)
        {
          PlgStageParts parts = plg_stage_parts (self->plan, stages[i]);
          int mtp = MAX (self->plan->model.mtp_layers, 0);

          content.count[PLG_PIECE_DENSE] += parts.dense_layers;
          content.count[PLG_PIECE_MOE] += parts.moe_layers;
          content.count[self->rest_piece] += parts.mtp_layers;
          content.count[PLG_PIECE_PROJECTION] += parts.mtp_layers;
          content.count[PLG_PIECE_EMBEDDING] += parts.embedding;
          content.count[PLG_PIECE_OUTPUT] += parts.output ? 1.0 + mtp : 0.0;
        }
      longest = MAX (longest, content_time (self, stage, &content));
    }
  return longest;
}

static void
balancer_init (Balancer *self, const PlgPlan *plan)
{
  int stages = stage_count (plan), moe = plg_transformer_moe_layers (&plan->model);
  int n_workloads = plan->cluster.n_faults > 0 ? stages : 1;

  *self = (Balancer) { .plan = plan,
                       .memory = plan->cluster.memory,
                       .n = stages * plg_stage_chunks (plan) };
  self->rest_piece = moe > 0 ? PLG_PIECE_MOE : PLG_PIECE_DENSE;
  self->lead_piece = PLG_PIECE_DENSE;
  self->moe_every = MAX (plan->model.moe_every, 1);
  self->n_lead = moe > 0 ? plan->model.dense_layers : 0;
  self->n_rest = plan->model.layers - self->n_lead;
  self->workloads = g_new (PlgWorkload, n_workloads);
  for (int i = 0; i < n_workloads; i++)
    plg_workload_init (&self->workloads[i], plan, plg_workload_faults (plan, i), NULL);
  self->n_groups = is_dual (plan) ? stages / 2 : stages;
  self->groups = g_new0 (Group, self->n_groups);
  for (int g = 0; g < self->n_groups; g++)
    {
      Group *group = &self->groups[g];

      group->n_stages = is_dual (plan) ? 2 : 1;
      group->stage[0] = g;
      group->stage[1] = stages - 1 - g;
      group->most_rest = g_new (int, self->n_lead + 1);
    }
  self->most = g_new (double, self->n_lead + 1);
  self->next = g_new (double, self->n_lead + 1);
  self->choice = g_new0 (int, (gsize) self->n_groups *(self->n_lead + 1));
}

static void
balancer_clear (Balancer *self)
{
  for (int g = 0; g < self->n_groups; g++)
    g_free (self->groups[g].most_rest);
  g_free (self->groups);
  g_free (self->workloads);
  g_free (self->most);
  g_free (self->next);
  g_free (self->choice);
}

/* Shortens *TIME, the longest time found so far [s], with the balancer's place of the MTP layers
 * and its boundary. Returns whether it could; LAYOUT is then the layout with this time. */
static gboolean
shorten (Balancer *self, double *time, PlgStageLayout *layout)
{
  double low = 0.0, high = *time * (1.0 - PRECISION);

  set_kinds (self);
  if (!is_possible (self, high))
    return FALSE;
  if (high >= G_MAXDOUBLE / 2.0)
    {
      high = 0.0;
      for (int g = 0; g < self->n_groups; g++)
        high = MAX (high, group_time (&self->groups[g], self->n_lead, self->n_rest));
      high *= 1.0 + PRECISION; /* so that rounding cannot make this time impossible */
    }
  while (high - low > PRECISION * high)
    {
      double middle = (low + high) / 2.0;

      if (is_possible (self, middle))
        high = middle;
      else
        low = middle;
    }
  is_possible (self, high);
  share_rest (self, high);
  spread (self, layout);
  *time = 0.0;
  for (int g = 0; g < self->n_groups; g++)
    *time = MAX (*time, group_time (&self->groups[g], self->groups[g].lead, self->groups[g].rest));
  return TRUE;
}

/* Returns whether any layout whose MTP layers are in virtual stage FIRST_MTP or a later one fits in
 * MEMORY per GPU [bytes]. */
static gboolean
has_layout (Balancer *self, int first_mtp, double memory)
{
  self->memory = memory;
  for (self->mtp = self->n - 1; self->mtp >= first_mtp; self->mtp--)
    {
      set_times (self);
      set_memory_limits (self);
      for (self->boundary = 0; self->boundary <= (self->n_lead > 0 ? self->mtp : 0);
           self->boundary++)
        {
          set_kinds (self);
          if (is_possible (self, G_MAXDOUBLE))
            return TRUE;
        }
    }
  return FALSE;
}

/* Returns the memory that each GPU lacks for a layout [bytes], if no layout fits. */
static double
missing_memory (Balancer *self, int first_mtp)
{
  double own = self->plan->cluster.memory, low = 0.0, high = own;

  while (!has_layout (self, first_mtp, own + high) && high < G_MAXDOUBLE / 4.0)
    {
      low = high;
      high *= 2.0;
    }
  while (high - low > MEMORY_PRECISION * high)
    {
      double middle = (low + high) / 2.0;

      if (has_layout (self, first_mtp, own + middle))
        high = middle;
      else
        low = middle;
    }
  return high;
}

/* Sets ERROR: no layout fits. Names the memory that is missing, and the remedies that PLAN has not
 * used up. */
static void
refuse_memory (Balancer *self, int first_mtp, GError **error)
{
  const PlgPlan *plan = self->plan;
  /* Without replicas, a higher degree needs more GPUs. */
  gboolean has_room = plan->parallelism.degree[PLG_AXIS_DP] > 1;
  gboolean can_split = stage_count (plan) < plan->model.layers;
  const struct
  {
    gboolean can_help;
    const char *key;
    const char *text;
  } remedies[] = {
    { has_room && can_split, "parallelism.pp", _ ("more stages") },
    { !has_room && can_split, "cluster.nodes", _ ("more nodes for more stages") },
    { plan->training.micro_batch > 1, "training.micro-batch", _ ("a smaller micro-batch") },
    { plan->training.recompute != PLG_RECOMPUTE_FULL, "training.recompute", _ ("full recompute") },
    { has_room && plan->parallelism.degree[PLG_AXIS_TP] < plan->cluster.gpus_per_node,
      "parallelism.tp", _ ("a higher TP") },
    { TRUE, "cluster.gpu", _ ("GPUs with more memory") },
  };
  const char *causes[G_N_ELEMENTS (remedies) + 1] = { NULL };
  g_autofree char *missing = plg_format_memory (missing_memory (self, first_mtp));
  g_autoptr (GString) list = g_string_new (NULL);
  int n = 0;

  for (gsize i = 0; i < G_N_ELEMENTS (remedies); i++)
    if (remedies[i].can_help)
      {
        g_string_append_printf (list, "%s%s", n > 0 ? ", " : "", remedies[i].text);
        causes[n++] = remedies[i].key;
      }
  plg_plan_problem_set (error, PLG_PLAN_ERROR_LAYERS, causes,
                        /* Translators: the second %s is a list of remedies, such as “more stages, a
                         * smaller micro-batch”. */
                        _ ("No division of the layers over the stages fits in memory: each GPU "
                           "lacks at least %s. These changes can help: %s"),
                        missing, list->str);
}

gboolean
plg_balance_layers (const PlgPlan *plan,
                    PlgStageLayout *layout,
                    PlgBalance *balance,
                    GError **error)
{
  int stages = stage_count (plan), first_mtp;
  double time = G_MAXDOUBLE, steps;
  Balancer self;

  if (stages < 2)
    return plg_plan_problem_set (error, PLG_PLAN_ERROR_LAYERS, PLG_CAUSES ("parallelism.pp"),
                                 _ ("PP 1 has one stage with all layers, so there is nothing to "
                                    "balance; use PP 2 or more"));
  if (stages * plg_stage_chunks (plan) > PLG_MAX_LAYOUT_STAGES)
    return plg_plan_problem_set (
        error, PLG_PLAN_ERROR_LAYERS, PLG_CAUSES ("parallelism.pp", "parallelism.chunks"),
        _ ("PP %d × %d chunks makes more than %d virtual stages; use fewer"), stages,
        plg_stage_chunks (plan), PLG_MAX_LAYOUT_STAGES);
  balancer_init (&self, plan);
  first_mtp = self.n - 1;
  if (plan->model.mtp_layers > 0 && plan->training.schedule != PLG_SCHEDULE_ZB_V && !is_dual (plan))
    first_mtp = self.n - stages + 1;
  steps = (double) (self.n - first_mtp) * (self.n_lead > 0 ? self.n : 1) * self.n_groups *
          (self.n_lead + 1.0) * (self.n_lead + 1.0);
  steps += HALVINGS * self.n_groups * (self.n_lead + 1.0) * (self.n_lead + 1.0);
  if (steps > MOST_STEPS)
    {
      balancer_clear (&self);
      return plg_plan_problem_set (error, PLG_PLAN_ERROR_LAYERS,
                                   PLG_CAUSES ("model.dense-layers", "parallelism.pp"),
                                   _ ("%d dense layers before the layers with experts are too many "
                                      "to balance over %d virtual stages; use fewer of either"),
                                   self.n_lead, self.n);
    }
  for (self.mtp = self.n - 1; self.mtp >= first_mtp; self.mtp--)
    {
      set_times (&self);
      set_memory_limits (&self);
      for (self.boundary = 0; self.boundary <= (self.n_lead > 0 ? self.mtp : 0); self.boundary++)
        shorten (&self, &time, layout);
    }
  balance->before = own_time (&self);
  balance->after = time;
  if (time >= G_MAXDOUBLE && error != NULL)
    refuse_memory (&self, first_mtp, error);
  balancer_clear (&self);
  return time < G_MAXDOUBLE;
}

gboolean
plg_balance_plan (const PlgPlan *plan, PlgBalanceResult *result, GError **error)
{
  PlgBalance *longest = &result->longest;

  *result = (PlgBalanceResult) { 0 };
  result->before = plg_evaluate (plan, PLG_EVALUATE_TOTALS, error);
  if (result->before != NULL && plg_balance_layers (plan, &result->layout, longest, error))
    {
      result->plan = plg_plan_copy (plan);
      plg_parallelism_set_layout (&result->plan->parallelism, &result->layout);
      result->after = plg_evaluate (result->plan, PLG_EVALUATE_TOTALS, error);
    }
  if (result->after == NULL)
    {
      plg_balance_result_clear (result);
      return FALSE;
    }
  if (!result->before->fits)
    result->outcome = result->after->fits ? PLG_BALANCE_FITS : PLG_BALANCE_NOT_SHORTER;
  else if (longest->after >= longest->before * (1.0 - PRECISION))
    result->outcome = PLG_BALANCE_EVEN;
  else if (result->after->fits && result->after->step.time < result->before->step.time)
    result->outcome = PLG_BALANCE_SHORTER;
  else
    result->outcome = PLG_BALANCE_NOT_SHORTER;
  return TRUE;
}

void
plg_balance_result_clear (PlgBalanceResult *result)
{
  if (result->plan != NULL)
    plg_plan_free (result->plan);
  if (result->before != NULL)
    plg_report_unref (result->before);
  if (result->after != NULL)
    plg_report_unref (result->after);
  *result = (PlgBalanceResult) { 0 };
}
