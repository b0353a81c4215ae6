/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "engine/report/explainer.h"

#include "engine/model/memory.h"
#include "engine/model/program.h"
#include "engine/workload.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#define KERNELS \
  _ ("Shapes, rates of the catalogue, and the constants below the sum of the operations")


static const char *const piece_ids[PLG_N_PIECES] = {
  [PLG_PIECE_EMBEDDING] = "embedding", [PLG_PIECE_DENSE] = "layer",
  [PLG_PIECE_MOE] = "moe-layer",       [PLG_PIECE_PROJECTION] = "projection",
  [PLG_PIECE_OUTPUT] = "output",
};

static const char *
piece_title (PlgPiece piece)
{
  static const char *const titles[PLG_N_PIECES] = {
    [PLG_PIECE_EMBEDDING] = N_ ("Embedding"),    [PLG_PIECE_DENSE] = N_ ("Layer"),
    [PLG_PIECE_MOE] = N_ ("Layer with experts"), [PLG_PIECE_PROJECTION] = N_ ("MTP projection"),
    [PLG_PIECE_OUTPUT] = N_ ("Output and loss"),
  };

  return _ (titles[piece]);
}

/* Adds an explanation of the time of O. Takes all strings but ID and SOURCE. In a hybrid model, the
 * time is a mean of all layers, of which only some have the operation. */
static void
add_operation (PlgExplainer *self,
               const char *id,
               const char *title,
               const PlgOperation *o,
               char *symbols,
               char *numbers,
               char *result,
               const char *source)
{
  if (o->share != 1.0)
    {
      g_autofree char *all_symbols = symbols, *all_numbers = numbers;
      g_autofree char *share = plg_explainer_format ("{n}", o->share);

      symbols = g_strdup_printf ("(%s) · %s", all_symbols, _ ("share of the layers"));
      numbers = g_strdup_printf ("(%s) · %s", all_numbers, share);
    }
  plg_explainer_add (self, id, title, symbols, numbers, result, source);
}

static void
explain_product (PlgExplainer *self, const char *id, const char *title, const PlgOperation *o)
{
  double peak = self->report->step.peak, launch = plg_kernel_launch_gap ();
  double tiles = o->waves * o->multiprocessors * plg_kernel_tile ();
  gboolean memory_bound = tiles * (2.0 * o->k / o->rate + o->written / o->bandwidth) <
                          o->bytes / o->bandwidth;
  g_autofree char
      *product = memory_bound
                     ? plg_explainer_format ("{v} / {b} + {t}", o->bytes, o->bandwidth, launch)
                     : plg_explainer_format ("{n} · {i} · {i} · (2·{i} / {f} + {v} / {b}) + {t}",
                                             o->waves, o->multiprocessors, plg_kernel_tile (), o->k,
                                             o->rate, o->written, o->bandwidth, launch);
  g_autofree char *cast = o->cast > 0.0 ? plg_explainer_format (" + {v} / {b} + {t}", o->cast,
                                                                o->bandwidth, launch)
                                        : g_strdup ("");
  g_autofree char *symbols = g_strconcat (
      memory_bound
          ? _ ("bytes / memory bandwidth + launch")
          : _ ("waves · multiprocessors · results per tile · (2·k / best rate + bytes per result / "
               "memory bandwidth) + launch"),
      !(o->cast > 0.0)                                      ? ""
      : self->plan->training.precision == PLG_PRECISION_FP4 ? _ (" + cast to FP4")
                                                            : _ (" + cast to FP8"),
      NULL);
  char *numbers = g_strconcat (product, cast, NULL);

  add_operation (self, id, title, o, g_steal_pointer (&symbols), numbers,
                 plg_explainer_format (_ ("{t} forward, {s} of the peak; {t} backward"), o->forward,
                                       2.0 * o->share * o->times * o->m * o->n * o->k /
                                           (o->forward * peak),
                                       o->backward),
                 KERNELS);
}

static void
explain_operation (PlgExplainer *self, const char *id, const char *title, const PlgOperation *o)
{
  double launch = plg_kernel_launch_gap ();
  char *result = plg_explainer_format (_ ("{t} forward; {t} backward"), o->forward, o->backward);

  switch (o->kind)
    {
    case PLG_OPERATION_MOVE:
      add_operation (self, id, title, o, g_strdup (_ ("bytes / memory bandwidth + launch")),
                     plg_explainer_format ("{v} / {b} + {t}", o->bytes, o->bandwidth, launch),
                     result, KERNELS);
      break;
    case PLG_OPERATION_FLASH:
      add_operation (self, id, title, o, g_strdup (_ ("FLOPs of the scores / rate + launch")),
                     plg_explainer_format ("{k} / {f} + {t}", o->flops, o->rate, launch), result,
                     "Dao 2023, arXiv 2307.08691; Shah et al. 2024, arXiv 2407.08608");
      break;
    case PLG_OPERATION_SCAN:
    case PLG_OPERATION_INDEX:
      add_operation (self, id, title, o,
                     g_strdup (_ ("FLOPs / rate of flash attention + bytes / memory bandwidth + "
                                  "launches")),
                     plg_explainer_format ("{k} / {f} + {v} / {b} + {i}·{t}", o->flops, o->rate,
                                           o->bytes, o->bandwidth, o->times, launch),
                     result,
                     o->kind == PLG_OPERATION_INDEX ? PLG_SOURCE_INDEXER
                     : self->plan->model.mixer == PLG_MIXER_MAMBA2
                         ? "github.com/state-spaces/mamba, ops/triton/ssd_combined.py"
                         : "github.com/fla-org/flash-linear-attention, fla/ops/gated_delta_rule");
      break;
    case PLG_OPERATION_SCORES:
      add_operation (
          self, id, title, o,
          g_strdup (
              plg_training_has_dropout (&self->plan->training)
                  ? _ ("matrix products + bytes of softmax, mask and dropout / memory bandwidth + launches")
                  : _ ("matrix products + bytes of softmax and mask / "
                       "memory bandwidth + launches")),
          plg_explainer_format ("{l} + {v} / {b} + {t}", o->products, o->bytes, o->bandwidth,
                                2.0 * launch),
          result, KERNELS);
      break;
    case PLG_OPERATION_PRODUCT:
    default:
      g_free (result);
      explain_product (self, id, title, o);
    }
}

/* Counts the pieces of the model (PLG_PIECE_…) on the busiest stage. Stores in PASSES how many
 * micro-batches run through each piece. */
static PlgPieceCounts
busiest_content (const PlgExplainer *self, double *passes)
{
  g_autofree PlgLayerRun *runs = g_new (PlgLayerRun, plg_layer_runs (self->plan, NULL));
  PlgPipeline pipeline;
  PlgPieceCounts sum = { 0 };

  plg_layer_runs (self->plan, runs);
  plg_pipeline_init (&pipeline, self->plan);
  *passes = plg_pipeline_passes (&pipeline);
  for (int i = 0; i < plg_pipeline_positions (&pipeline); i++)
    if (plg_pipeline_stage (&pipeline, i) == self->report->step.busiest_stage)
      {
        PlgPieceCounts content = plg_position_piece_counts (self->plan, runs, &pipeline, i);

        for (int piece = 0; piece < PLG_N_PIECES; piece++)
          sum.count[piece] += content.count[piece];
      }
  return sum;
}

/* Explains the time of PART: the number of micro-batches times the time of all model pieces on
 * the busiest stage, divided by the relative speed of that stage's slowest GPU. */
static void
explain_part (PlgExplainer *self,
              PlgPart part,
              const char *id,
              const PlgPieceCounts *content,
              double passes)
{
  g_autoptr (GString) symbols = g_string_new (NULL);
  g_autoptr (GString) numbers = g_string_new (NULL);
  g_autofree char *of_slow = NULL;
  double time = self->report->step.part[part], sum = 0.0, slow;
  gboolean is_slow;

  for (int piece = 0; piece < PLG_N_PIECES; piece++)
    {
      PlgKernelTime kernel;
      g_autofree char *term = NULL;
      double each;

      if (content->count[piece] <= 0.0)
        continue;
      kernel = plg_kernel_time (self->plan, piece);
      each = part == PLG_PART_RECOMPUTE ? kernel.recompute
                                        : kernel.forward + kernel.input + kernel.weight;
      if (each <= 0.0)
        continue;
      term = plg_explainer_format ("{i}·{l}", content->count[piece], each);
      g_string_append_printf (symbols, "%s%s", symbols->len > 0 ? " + " : "", piece_title (piece));
      g_string_append_printf (numbers, "%s%s", numbers->len > 0 ? " + " : "", term);
      sum += passes * content->count[piece] * each;
    }
  if (sum <= 0.0)
    return;
  slow = time / sum;
  is_slow = slow > 1.0 + 1e-9;
  of_slow = is_slow ? plg_explainer_format (" / {n}", 1.0 / slow) : g_strdup ("");
  plg_explainer_add (self, id, plg_part_title (part),
                     g_strdup_printf (is_slow ? _ ("micro-batches · (%s) / rate of "
                                                   "the slowest GPU")
                                              : _ ("micro-batches · (%s)"),
                                      symbols->str),
                     g_strdup_printf ("%.0f · (%s)%s", passes, numbers->str, of_slow),
                     plg_explainer_format ("{t}", time),
                     _ ("The busiest stage, which determines the step"));
  plg_explainer_note (self, g_strdup_printf (_ ("The time of stage %d, which has "
                                                "the most work."),
                                             self->report->step.busiest_stage));
}

/* Explains the time for which the busiest stage waits for the host. */
static void
explain_host (PlgExplainer *self, const PlgPieceCounts *content, double passes)
{
  g_autofree PlgWorkload *workload = NULL;
  g_autoptr (GString) numbers = g_string_new (NULL);
  int stage = self->report->step.busiest_stage;
  double time = self->report->step.part[PLG_PART_HOST];
  gboolean offloads = self->plan->training.offload_layers > 0 || plg_offloads_weights (self->plan);
  gboolean waits = plg_program_habits (self->plan)->waits_for_host;
  int n_pieces = 0;

  if (time <= 0.0)
    return;
  workload = g_new (PlgWorkload, 1);
  plg_workload_init (workload, self->plan, plg_workload_faults (self->plan, stage), NULL);
  for (PlgPiece piece = PLG_PIECE_DENSE; piece <= PLG_PIECE_MOE; piece++)
    {
      const PlgKernelTime *kernels = &workload->kernels[piece];

      if (content->count[piece] <= 0.0 || (piece == PLG_PIECE_DENSE && !offloads && !waits))
        continue;
      g_string_append_printf (numbers, "%s%.0f · (", numbers->len > 0 ? " + " : "",
                              content->count[piece]);
      for (PlgPass pass = 0; pass < PLG_N_PASSES; pass++)
        {
          const PlgHostTime *host = pass == PLG_PASS_FORWARD ? &kernels->host_forward
                                                             : &kernels->host_backward;
          double busy = plg_workload_busy (workload, piece, pass);
          double transfer = plg_workload_transfer (workload, piece, pass);
          double work = MAX (host->launches, transfer);
          g_autofree char *rest = plg_explainer_format ("({l} − {l})", work, busy);
          g_autofree char *least = plg_explainer_format ("{l}", host->least_wait);

          g_string_append_printf (numbers, "%s%s", pass > 0 ? " + " : "",
                                  work - busy > host->least_wait ? rest : least);
        }
      g_string_append_c (numbers, ')');
      n_pieces++;
    }
  plg_explainer_add (
      self, "step.host", plg_part_title (PLG_PART_HOST),
      g_strdup (offloads || waits
                    ? _ ("micro-batches · layers · (forward wait + backward wait); "
                         "wait = max (least wait, max (launches, transfers) − kernels − "
                         "exposed collectives)")
                    : _ ("micro-batches · layers with experts · (forward wait + backward "
                         "wait); wait = max (least wait, launches − kernels − exposed "
                         "collectives)")),
      g_strdup_printf (n_pieces > 1 ? "%.0f · (%s)" : "%.0f · %s", passes, numbers->str),
      plg_explainer_format ("{t}", time), _ ("Launches of kernels by the host (docs/model.md)"));
  if (offloads)
    {
      plg_explainer_uses (self, PLG_USES_HOST_LINK);
      plg_explainer_constant (self, PLG_CONSTANT_HOST_LINK_EFFICIENCY);
    }
  if (waits)
    {
      plg_explainer_constant (self, PLG_CONSTANT_LAYER_HOST_FORWARD);
      plg_explainer_constant (self, PLG_CONSTANT_LAYER_HOST_BACKWARD);
    }
  if (content->count[PLG_PIECE_MOE] <= 0.0)
    return;
  plg_explainer_constant (self, PLG_CONSTANT_EXPERT_WAIT);
  if (!self->plan->training.cuda_graphs)
    {
      plg_explainer_constant (self, PLG_CONSTANT_EXPERT_HOST_FORWARD);
      plg_explainer_constant (self, PLG_CONSTANT_EXPERT_HOST_BACKWARD);
    }
}

void
plg_explain_compute (PlgExplainer *self)
{
  double passes;
  PlgPieceCounts content = busiest_content (self, &passes);
  PlgUsedConstants common = plg_kernel_constants (self->plan);

  for (int piece = 0; piece < PLG_N_PIECES; piece++)
    if (content.count[piece] > 0.0)
      {
        g_autoptr (GString) numbers = g_string_new (NULL);
        PlgOperations operations;
        PlgKernelTime time = plg_kernel_time (self->plan, piece);
        g_autofree char *id = g_strdup_printf ("compute.%s", piece_ids[piece]);
        g_autofree char *title = g_strdup_printf (_ ("%s: computation per micro-batch"),
                                                  piece_title (piece));

        plg_kernel_operations (self->plan, piece, &operations);
        for (int i = 0; i < operations.n; i++)
          {
            const PlgOperation *o = &operations.operation[i];
            g_autofree char *sum = plg_explainer_format ("{l}", o->forward + o->backward);
            g_autofree char *own = g_strdup_printf ("compute.%s.%d", piece_ids[piece], i);
            g_autofree char *name = g_strdup_printf ("%s: %s", piece_title (piece), _ (o->name));

            g_string_append_printf (numbers, "%s%s", i > 0 ? " + " : "", sum);
            explain_operation (self, own, name, o);
            plg_explainer_constants (self, &operations.constants[i]);
          }
        plg_explainer_add (self, id, title,
                           g_strdup (_ ("sum of all operations, forward and backward")),
                           g_strdup (numbers->str),
                           plg_explainer_format ("{l}", time.forward + time.input + time.weight),
                           KERNELS);
        if (piece == PLG_PIECE_MOE && plg_expert_load (self->plan) > 1.0)
          plg_explainer_note (
              self, plg_explainer_format (_ ("The experts are those of the fullest "
                                             "rank, which receives {n} times the "
                                             "mean number of tokens. All ranks wait for it."),
                                          plg_expert_load (self->plan)));
        plg_explainer_uses (self,
                            PLG_USES_PEAK | PLG_USES_MATRIX_EFFICIENCY | PLG_USES_MEMORY_RATE);
        plg_explainer_constants (self, &common);
      }
  explain_part (self, PLG_PART_COMPUTE, "step.compute", &content, passes);
  explain_part (self, PLG_PART_RECOMPUTE, "step.recompute", &content, passes);
  explain_host (self, &content, passes);
}
