/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sample.h"

#include "plan/plan-check.h"
#include "plan/settings/setting.h"

#include <math.h>
#include <string.h>

/* Each case changes values of the default plan (64 GPUs, TP 8, PP 4, DP 2, Llama 3 70B) without
 * the adjustments of plg_settings_apply(). */
typedef struct
{
  const char *changes; /* separated by spaces */
  int code;            /* -1: the plan is valid */
  const char *message; /* the whole message */
} Case;

#define GPT3 "model.name=gpt3-175b "
#define MOE "model.name=mixtral-8x7b "
#define OK -1, NULL

/* the mixer of a hybrid model, whose numbers of layers follow */
#define MIXER                                                                             \
  "model.mixer=mamba2 model.mixer-heads=64 model.mixer-head-dim=64 model.mixer-groups=8 " \
  "model.mixer-state=128 model.mixer-conv=4 "

static const Case cases[] = {
  { "", OK },
  /* hosts */
  { "cluster.gpus-per-host=4", OK },
  { "cluster.gpus-per-host=3", PLG_PLAN_ERROR_RANGE,
    "A node of 8 GPUs cannot be divided into hosts of 3 GPUs; set cluster.gpus-per-host to a divisor of 8, or to 0 if a node is one host" },
  /* heads */
  { "parallelism.tp=16 parallelism.pp=2", OK },
  { GPT3 "parallelism.tp=64 parallelism.pp=1 parallelism.dp=1", PLG_PLAN_ERROR_HEADS,
    "TP 64 does not divide 96 attention heads; use TP 48 or 96" },
  { GPT3 "parallelism.tp=64 parallelism.pp=1 parallelism.dp=1 engine.profile=notebook", OK },
  { "model.kv-heads=24", PLG_PLAN_ERROR_HEADS,
    "24 KV heads do not divide 64 attention heads; use 16 or 32 KV heads" },
  { "model.heads=48 model.kv-heads=12", PLG_PLAN_ERROR_HEADS,
    "TP 8 is neither a divisor nor a multiple of the 12 KV heads; use TP 6 or 12" },
  { "model.heads=128 model.kv-heads=2", OK },
  { "model.kv-heads=24 model.kv-rank=512 model.value-dim=128", OK },
  /* widths */
  { "model.ffn=28676", PLG_PLAN_ERROR_WIDTH, "TP 8 does not divide the MLP size 28676; use TP 4" },
  { "model.ffn=0", PLG_PLAN_ERROR_WIDTH, "80 dense layers have an MLP size of 0; set model.ffn" },
  { MOE "model.ffn=0", OK },
  { MOE "model.shared-experts=1 model.expert-ffn=1001", PLG_PLAN_ERROR_WIDTH,
    "TP 8 does not divide the shared experts' size 1001; use TP 7 or 11" },
  /* groups of experts */
  { MOE "model.expert-groups=4 model.top-groups=1", OK },
  { MOE "model.expert-groups=3 model.top-groups=1", PLG_PLAN_ERROR_EXPERTS,
    "3 groups do not divide 8 experts; set model.expert-groups to a divisor" },
  { MOE "model.expert-groups=8 model.top-groups=1", PLG_PLAN_ERROR_EXPERTS,
    "the 2 experts of a token do not fit in 1 of 8 groups with a size of 1; set model.top-groups to a "
    "number from 2 to 8" },
  { MOE "model.expert-groups=4 model.top-groups=5", PLG_PLAN_ERROR_EXPERTS,
    "the 2 experts of a token do not fit in 5 of 4 groups with a size of 2; set model.top-groups to a "
    "number from 1 to 4" },
  /* layers in BF16 */
  { "training.bf16-first-layers=1 training.bf16-last-layers=79", OK },
  { "training.bf16-first-layers=1 training.bf16-last-layers=80", PLG_PLAN_ERROR_LAYERS,
    "1 first and 80 last layers in BF16 are more than the model's 80 layers; reduce "
    "training.bf16-first-layers or training.bf16-last-layers" },
  /* an indexer without chosen keys, also in the notebook's profile */
  { "engine.profile=notebook model.index-heads=4 model.index-dim=64", PLG_PLAN_ERROR_HEADS,
    "model.index-top-k is 0, but the model has an indexer; set it to 1 or more" },
  /* layers */
  /* hybrid models */
  { MIXER "model.attention-layers=8", OK },
  { MIXER "model.attention-layers=8 model.mlp-layers=36", OK },
  { MIXER "model.ffn=0", OK },
  { MIXER "model.ffn=0 model.mlp-layers=4", PLG_PLAN_ERROR_WIDTH,
    "80 dense layers have an MLP size of 0; set model.ffn" },
  { MIXER "model.attention-layers=41 model.mlp-layers=40", PLG_PLAN_ERROR_LAYERS,
    "41 attention and 40 MLP layers are more than the model's 80 layers; reduce "
    "model.attention-layers or model.mlp-layers" },
  { MIXER "model.mixer-heads=0", PLG_PLAN_ERROR_HEADS,
    "model.mixer-heads is 0, but the model has a mixer; set it to 1 or more" },
  { MIXER "model.mixer-conv=0", PLG_PLAN_ERROR_HEADS,
    "model.mixer-conv is 0, but the model has a mixer; set it to 1 or more" },
  { MIXER "model.mixer-heads=60", PLG_PLAN_ERROR_HEADS,
    "8 mixer groups do not divide 60 mixer heads; use 6 or 10 groups" },
  { MIXER "model.mixer-groups=4", PLG_PLAN_ERROR_HEADS,
    "TP 8 does not divide the 4 mixer groups; use TP 4" },
  { MIXER "parallelism.cp=2 parallelism.dp=1", OK },
  { MIXER "model.mixer-heads=72 parallelism.cp=2 parallelism.dp=1", PLG_PLAN_ERROR_HEADS,
    "CP 2 does not divide the 9 mixer heads (1 groups) that TP leaves per GPU; use CP 1 or 3" },
  { "model.mixer-heads=3 model.attention-layers=1000", OK },
  { "model.layers=3", PLG_PLAN_ERROR_LAYERS,
    "PP 4 needs at least 4 layers, but the model has 3; use PP 3 or less" },
  { "model.layers=4", OK },
  { "model.layers=81", OK },
  { "training.schedule=interleaved parallelism.chunks=21", PLG_PLAN_ERROR_LAYERS,
    "PP 4 × 21 chunks needs at least 82 layers, but the model has 80; use 20 chunks or fewer" },
  { "training.schedule=interleaved parallelism.chunks=20", OK },
  { "training.schedule=interleaved parallelism.chunks=6 model.layers=22", OK },
  { "training.schedule=zb-v model.layers=5", PLG_PLAN_ERROR_LAYERS,
    "zb-v with PP 4 needs at least 6 layers, but the model has 5; use PP 3 or less, or 1f1b" },
  { "model.layers=3 parallelism.embedding-slot=true", OK },
  { "model.layers=2 parallelism.loss-slot=true", PLG_PLAN_ERROR_LAYERS,
    "PP 4 needs at least 3 layers, but the model has 2; use PP 3 or less" },
  { "model.layers=2 parallelism.embedding-slot=true parallelism.loss-slot=true", OK },
  /* layers by hand */
  { "parallelism.first-layers=19", OK },
  { "parallelism.first-layers=1 parallelism.last-layers=77", OK },
  { "parallelism.first-layers=78", PLG_PLAN_ERROR_LAYERS,
    "78 layers set by hand leave 2 of 80 layers to the other stages, which need 3; use 77 or "
    "fewer" },
  { "parallelism.first-layers=78 parallelism.loss-slot=true", OK },
  { "parallelism.first-layers=60 parallelism.last-layers=60", PLG_PLAN_ERROR_LAYERS,
    "120 layers set by hand leave 0 of 80 layers to the other stages, which need 2; use 78 or "
    "fewer" },
  { "parallelism.first-layers=10 parallelism.embedding-slot=true", PLG_PLAN_ERROR_LAYERS,
    "parallelism.first-layers 10 already sets the number of layers: turn parallelism.embedding-slot off, or set first-layers to 0" },
  { "parallelism.last-layers=10 parallelism.loss-slot=true", PLG_PLAN_ERROR_LAYERS,
    "parallelism.last-layers 10 already sets the number of layers: turn parallelism.loss-slot off, or set last-layers to 0" },
  { "training.schedule=interleaved parallelism.chunks=4 parallelism.last-layers=3",
    PLG_PLAN_ERROR_LAYERS, "parallelism.last-layers 3 is not enough for 4 chunks; use 4 or more" },
  { "training.schedule=zb-v parallelism.last-layers=10 parallelism.loss-slot=true", OK },
  { "training.schedule=zb-v parallelism.first-layers=10 parallelism.loss-slot=true",
    PLG_PLAN_ERROR_LAYERS,
    "parallelism.first-layers 10 already sets the number of layers: turn parallelism.loss-slot off, or set first-layers to 0" },
  { "training.schedule=zb-v parallelism.first-layers=1", PLG_PLAN_ERROR_LAYERS,
    "parallelism.first-layers 1 is not enough for 2 chunks; use 2 or more" },
  { "parallelism.pp=2 parallelism.dp=4 parallelism.first-layers=39 parallelism.last-layers=41",
    OK },
  { "parallelism.pp=2 parallelism.dp=4 parallelism.first-layers=39 parallelism.last-layers=40",
    PLG_PLAN_ERROR_LAYERS,
    "Two stages of 39 and 40 layers do not add up to the model's 80 layers; set "
    "parallelism.last-layers to 0" },
  { "parallelism.pp=1 parallelism.dp=8 parallelism.first-layers=3", OK },
  /* experts */
  { "parallelism.ep=2", PLG_PLAN_ERROR_EXPERTS,
    "EP 2 needs experts, but Llama 3 70B is a dense model; use EP 1" },
  { "parallelism.etp=2", PLG_PLAN_ERROR_EXPERTS,
    "ETP 2 needs experts, but Llama 3 70B is a dense model; use ETP 1" },
  { MOE, OK },
  { MOE "parallelism.ep=8", OK },
  { MOE "parallelism.ep=8 parallelism.etp=2", OK },
  { MOE "parallelism.ep=8 parallelism.etp=4", PLG_PLAN_ERROR_EXPERTS,
    "EP 8 × ETP 4 does not divide the 16 GPUs of a stage (TP × CP × DP); use degrees whose product divides that number" },
  { MOE "parallelism.ep=3", PLG_PLAN_ERROR_EXPERTS,
    "EP 3 does not divide 8 experts; use EP 2 or 4" },
  { MOE "parallelism.ep=16", PLG_PLAN_ERROR_EXPERTS, "EP 16 does not divide 8 experts; use EP 8" },
  { MOE "parallelism.ep=2 training.expert-load=2", OK },
  { MOE "parallelism.ep=2 training.expert-load=2.5", PLG_PLAN_ERROR_EXPERTS,
    "training.expert-load 2.5 is above EP 2, but no rank can receive more than all tokens; use at "
    "most 2" },
  { MOE "training.expert-load=2.5", OK },
  { MOE "parallelism.etp=3", PLG_PLAN_ERROR_EXPERTS,
    "ETP 3 does not divide the expert size 14336; use ETP 2 or 4" },
  { MOE "model.top-k=9", PLG_PLAN_ERROR_EXPERTS,
    "A token cannot go to 9 of 8 experts; set model.top-k to a number from 1 to 8" },
  { MOE "model.top-k=0", PLG_PLAN_ERROR_EXPERTS,
    "A token cannot go to 0 of 8 experts; set model.top-k to a number from 1 to 8" },
  { MOE "model.expert-ffn=0", PLG_PLAN_ERROR_EXPERTS,
    "8 experts have a size of 0; set model.expert-ffn" },
  { MOE "model.dense-layers=33", PLG_PLAN_ERROR_LAYERS,
    "33 dense layers are more than the model's 32 layers; use 32 or fewer" },
  /* shard groups */
  { "parallelism.replicate=2", OK },
  { "parallelism.replicate=4", PLG_PLAN_ERROR_WORLD,
    "parallelism.replicate 4 does not divide DP 2; use 2" },
  { "parallelism.pp=1 parallelism.dp=8 parallelism.replicate=3", PLG_PLAN_ERROR_WORLD,
    "parallelism.replicate 3 does not divide DP 8; use 2 or 4" },
  { "parallelism.zero=0 parallelism.replicate=2", OK },
  { MOE "parallelism.ep=8 parallelism.replicate=2", OK },
  { MOE "parallelism.ep=8 parallelism.etp=2 parallelism.replicate=2", PLG_PLAN_ERROR_EXPERTS,
    "parallelism.replicate 2 does not divide the 1 copy of each expert (TP × CP × DP / (EP × "
    "ETP)); use 1" },
  /* sequence */
  { "training.sequence=8191", PLG_PLAN_ERROR_SEQUENCE,
    "Sequence parallelism: TP 8 does not divide the 8191 tokens per GPU; use TP 1, or turn it off" },
  { "training.sequence=8191 parallelism.sequence=false", OK },
  { "parallelism.cp=2 parallelism.dp=1 training.sequence=8191", PLG_PLAN_ERROR_SEQUENCE,
    "CP 2 does not divide a sequence of 8191 tokens; use CP 1" },
  { "parallelism.cp=2 parallelism.dp=1 parallelism.cp-type=ulysses", OK },
  { "parallelism.cp=16 parallelism.pp=1 parallelism.dp=1 parallelism.tp=4 "
    "parallelism.cp-type=ulysses",
    OK },
  { "parallelism.cp=16 parallelism.pp=1 parallelism.dp=1 parallelism.tp=4 model.heads=32 "
    "parallelism.cp-type=ulysses",
    PLG_PLAN_ERROR_HEADS,
    "Ulysses CP 16 does not divide the 8 heads (2 KV heads) that TP leaves per GPU; use CP 8 or ring" },
  /* batch and schedule */
  { "training.global-batch=1", PLG_PLAN_ERROR_BATCH,
    "Global batch 1 is not a multiple of micro-batch 1 × DP 2 = 2; use a global batch of 2" },
  { "training.micro-batch=1048576", PLG_PLAN_ERROR_BATCH,
    "Global batch 64 is not a multiple of micro-batch 1048576 × DP 2 = 2097152; use a global batch of 2097152" },
  { "training.schedule=interleaved", PLG_PLAN_ERROR_SCHEDULE,
    "The interleaved schedule needs at least 2 chunks per stage; set parallelism.chunks to 2, or use 1f1b" },
  { "training.schedule=interleaved parallelism.chunks=2 training.global-batch=60",
    PLG_PLAN_ERROR_SCHEDULE,
    "The interleaved schedule needs a number of micro-batches that is a multiple of PP 4, not "
    "30; use a global batch of 56 or 64" },
  { "training.schedule=interleaved parallelism.chunks=2 training.global-batch=4",
    PLG_PLAN_ERROR_SCHEDULE,
    "The interleaved schedule needs a number of micro-batches that is a multiple of PP 4, not 2; "
    "use a global batch of 8" },
  { "training.schedule=gpipe parallelism.overlap-ep=true", PLG_PLAN_ERROR_SCHEDULE,
    "GPipe never runs a backward pass during a forward pass, so EP cannot overlap; use "
    "1f1b or interleaved, or turn overlap-ep off" },
  { "training.schedule=gpipe parallelism.chunks=2", PLG_PLAN_ERROR_SCHEDULE,
    "Only the interleaved schedule runs 2 chunks per stage; use interleaved, or 1 chunk" },
  { "training.schedule=zb-v parallelism.chunks=2", OK },
  { "training.schedule=zb-v parallelism.chunks=3", PLG_PLAN_ERROR_SCHEDULE,
    "This schedule always has 2 chunks per stage, so 3 is not possible; set 1 or 2 chunks, or "
    "use interleaved" },
  { "training.schedule=dualpipe", OK },
  { "training.schedule=dualpipe training.global-batch=14", PLG_PLAN_ERROR_SCHEDULE,
    "DualPipe needs an even number of micro-batches, at least 2 × PP = 8, not 7; use a global batch of 16" },
  { "training.schedule=dualpipe training.global-batch=30", PLG_PLAN_ERROR_SCHEDULE,
    "DualPipe needs an even number of micro-batches, at least 2 × PP = 8, not 15; use a global batch of 32" },
  { "training.schedule=dualpipe parallelism.pp=1 parallelism.dp=8", PLG_PLAN_ERROR_SCHEDULE,
    "DualPipe runs from both ends of the pipeline and needs an even PP, not 1; use PP 2, or 1f1b" },
  /* precision */
  { "cluster.gpu=a100-sxm-80 training.precision=fp8", PLG_PLAN_ERROR_PRECISION,
    "A100 SXM cannot compute in FP8; set training.precision to bf16, or set cluster.peak to a value above 0" },
  { "training.precision=fp4", PLG_PLAN_ERROR_PRECISION,
    "H100 SXM cannot compute in FP4; set training.precision to bf16, or set cluster.peak to a value above 0" },
  { "training.precision=fp8 training.fp8-recipe=mxfp8", PLG_PLAN_ERROR_PRECISION,
    "MXFP8 needs a GPU that scales every 32 values itself, and H100 SXM cannot; set training.fp8-recipe to auto" },
  { "cluster.gpu=v100-sxm-32", PLG_PLAN_ERROR_PRECISION,
    "V100 SXM2 cannot compute in BF16; set training.precision to fp16, or set cluster.peak to a value above 0" },
  { "cluster.gpu=v100-sxm-32 cluster.peak=125", OK },
  { "cluster.gpu=v100-sxm-32 training.precision=fp16", OK },
  /* world */
  { "parallelism.tp=4", PLG_PLAN_ERROR_WORLD,
    "TP 4 × CP 1 × PP 4 × DP 2 = 32, but the cluster has 64 GPUs; use DP 4" },
  { "parallelism.pp=3", PLG_PLAN_ERROR_WORLD,
    "TP 8 × CP 1 × PP 3 × DP 2 = 48, but the cluster has 64 GPUs; use degrees whose product is "
    "64" },
  { "cluster.nodes=16384 cluster.gpus-per-node=128", PLG_PLAN_ERROR_RANGE,
    "16384 nodes × 128 GPUs = 2097152 GPUs; the largest cluster has 65536" },
};

static void
apply_changes (PlgPlan *plan, const PlgCatalogue *catalogue, const char *changes)
{
  g_auto (GStrv) assignments = g_strsplit (changes, " ", -1);

  for (int i = 0; assignments[i] != NULL; i++)
    if (*assignments[i] != '\0')
      {
        char *equals = strchr (assignments[i], '=');
        g_autoptr (GError) error = NULL;

        *equals = '\0';
        plg_setting_set (plan, catalogue, assignments[i], equals + 1, &error);
        g_assert_no_error (error);
      }
}

static void
test_cases (void)
{
  g_autoptr (PlgCatalogue) catalogue = sample_catalogue ();

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (PlgPlan) plan = sample_plan ();
      g_autoptr (GError) error = NULL;

      apply_changes (plan, catalogue, cases[i].changes);
      g_assert_cmpint (plg_plan_check (plan, &error), ==, cases[i].code < 0);
      if (cases[i].code < 0)
        {
          g_assert_no_error (error);
          continue;
        }
      g_assert_cmpstr (error->message, ==, cases[i].message);
      g_assert_error (error, PLG_PLAN_ERROR, cases[i].code);
    }
}

/* Messages appear in a label at the pointer. */
static void
test_messages_are_short (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    if (cases[i].message != NULL)
      g_assert_cmpint (g_utf8_strlen (cases[i].message, -1), <=, 140);
}

/* Values that no key can set, but a program error or another source can. */
static void
test_ranges (void)
{
  int n;
  const PlgSetting *settings = plg_settings (&n);

  for (int i = 0; i < n; i++)
    {
      g_autoptr (PlgPlan) plan = sample_plan ();
      gpointer member = G_STRUCT_MEMBER_P (plan, settings[i].offset);

      if (settings[i].kind == PLG_SETTING_NUMBER)
        {
          static const double values[] = { NAN, INFINITY, -INFINITY, -1, 1e300 };

          for (guint v = 0; v < G_N_ELEMENTS (values); v++)
            {
              *(double *) member = values[v];
              g_assert_false (plg_plan_check (plan, NULL));
            }
        }
      else if (settings[i].kind == PLG_SETTING_INTEGER || settings[i].kind == PLG_SETTING_CHOICE)
        {
          static const int values[] = { G_MININT, -1, G_MAXINT };

          for (guint v = 0; v < G_N_ELEMENTS (values); v++)
            {
              g_autoptr (GError) error = NULL;

              *(int *) member = values[v];
              g_assert_false (plg_plan_check (plan, &error));
              g_assert_error (error, PLG_PLAN_ERROR, PLG_PLAN_ERROR_RANGE);
              g_assert_true (g_str_has_prefix (error->message, settings[i].key));
            }
        }
    }
}

static void
test_order (void)
{
  g_autoptr (PlgPlan) plan = sample_plan ();
  g_autoptr (GError) error = NULL;

  plan->parallelism.order[3] = PLG_AXIS_TP;
  g_assert_false (plg_plan_check (plan, &error));
  g_assert_error (error, PLG_PLAN_ERROR, PLG_PLAN_ERROR_RANGE);
  plan->parallelism.order[3] = PLG_AXIS_EP;
  g_assert_false (plg_plan_check (plan, NULL));
  plan->parallelism.order[3] = (PlgAxis) 77;
  g_assert_false (plg_plan_check (plan, NULL));
}

static void
test_placement (void)
{
  static const struct
  {
    int rank;
    int gpu;
    const char *message;
  } wrong[] = {
    { 5, 6, "GPU 6 has two ranks, rank 6 and an earlier rank; place each rank on its own GPU" },
    { 5, 64, "Rank 5 is on GPU 64, but GPUs are numbered from 0 to 63" },
    { 5, -1, "Rank 5 is on GPU -1, but GPUs are numbered from 0 to 63" },
    { 63, G_MAXINT, "Rank 63 is on GPU 2147483647, but GPUs are numbered from 0 to 63" },
  };
  g_autoptr (GError) error = NULL;

  for (guint i = 0; i < G_N_ELEMENTS (wrong); i++)
    {
      g_autoptr (PlgPlan) plan = sample_plan ();

      plg_placement_expand (&plan->placement, 64);
      g_assert_true (plg_plan_check (plan, NULL));
      plan->placement.gpu_of_rank[wrong[i].rank] = wrong[i].gpu;
      g_assert_false (plg_plan_check (plan, &error));
      g_assert_error (error, PLG_PLAN_ERROR, PLG_PLAN_ERROR_PLACEMENT);
      g_assert_cmpstr (error->message, ==, wrong[i].message);
      g_clear_error (&error);
    }
}

static void
test_placement_size (void)
{
  g_autoptr (PlgPlan) plan = sample_plan ();
  g_autoptr (GError) error = NULL;

  plg_placement_expand (&plan->placement, 32);
  g_assert_false (plg_plan_check (plan, &error));
  g_assert_cmpstr (
      error->message, ==,
      "The placement has 32 ranks, but the cluster has 64 GPUs; place all ranks or none");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/plan-check/cases", test_cases);
  g_test_add_func ("/plan-check/messages-are-short", test_messages_are_short);
  g_test_add_func ("/plan-check/ranges", test_ranges);
  g_test_add_func ("/plan-check/order", test_order);
  g_test_add_func ("/plan-check/placement", test_placement);
  g_test_add_func ("/plan-check/placement-size", test_placement_size);
  return g_test_run ();
}
