/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "io/plan/catalogue-xml.h"
#include "io/registry/registry.h"
#include "plan/plan-check.h"
#include "plan/settings/setting.h"

#include <string.h>

static PlgImportResult *
read_text (const char *text, const PlgPlan *base, const PlgCatalogue *catalogue, GError **error)
{
  g_autoptr (GBytes) bytes = g_bytes_new_static (text, strlen (text));

  return plg_format_read (bytes, "run.sh", base, catalogue, error);
}

static void
assert_has (const PlgPlan *plan, const char *name, const char *assignment)
{
  g_auto (GStrv) pair = g_strsplit (assignment, "=", 2);
  g_autofree char *value = plg_setting_get (plg_setting_find (pair[0]), plan);

  if (!g_str_equal (value, pair[1]))
    g_error ("%s: %s is %s, not %s", name, pair[0], value, pair[1]);
}

/* GPT-3 175B as in Megatron-LM's examples, on 1024 GPUs with 8 per node. */
#define GPT3                                                                               \
  "GPUS_PER_NODE=8\nNUM_NODES=128\nWORLD_SIZE=$(($GPUS_PER_NODE*$NUM_NODES))\n"            \
  "DISTRIBUTED_ARGS=(\n    --nproc_per_node $GPUS_PER_NODE\n    --nnodes $NUM_NODES\n"     \
  "    --master_addr $MASTER_ADDR\n)\n"                                                    \
  "GPT_MODEL_ARGS=(\n    --num-layers 96\n    --hidden-size 12288\n"                       \
  "    --num-attention-heads 96\n    --seq-length 2048\n"                                  \
  "    --max-position-embeddings 2048\n    --attention-backend auto # flash or fused\n)\n" \
  "TRAINING_ARGS=(\n    --micro-batch-size 1\n    --global-batch-size 1536\n"              \
  "    --rampup-batch-size 16 16 5859375\n    --train-iters 500000\n    --fp16\n"          \
  "    --lr 6.0e-5\n)\n"                                                                   \
  "MODEL_PARALLEL_ARGS=(\n    --tensor-model-parallel-size 8\n"                            \
  "    --pipeline-model-parallel-size 16\n)\n"                                             \
  "torchrun ${DISTRIBUTED_ARGS[@]} pretrain_gpt.py \\\n    ${GPT_MODEL_ARGS[@]} \\\n"      \
  "    ${TRAINING_ARGS[@]} \\\n    ${MODEL_PARALLEL_ARGS[@]}\n"

#define MOE                                                                                   \
  "torchrun --nnodes=4 --nproc-per-node=8 pretrain_gpt.py --num-layers=61 --hidden-size=7168" \
  " --ffn-hidden-size 18432 --num-attention-heads 128 --multi-latent-attention"               \
  " --q-lora-rank 1536 --kv-lora-rank 512 --qk-head-dim 128 --qk-pos-emb-head-dim 64"         \
  " --v-head-dim 128 --swiglu --normalization RMSNorm --disable-bias-linear"                  \
  " --untie-embeddings-and-output-weights --position-embedding-type rope"                     \
  " --vocab-size 129280 --num-experts 256 --moe-router-topk 8 --moe-ffn-hidden-size 2048"     \
  " --moe-router-num-groups 8 --moe-router-group-topk 4"                                      \
  " --moe-shared-expert-intermediate-size 2048 --moe-layer-freq [0]*3+[1]*58"                 \
  " --mtp-num-layers 1 --seq-length 4096 --micro-batch-size 1 --global-batch-size 256"        \
  " --bf16 --fp8-format hybrid --expert-model-parallel-size 8"                                \
  " --expert-tensor-parallel-size 1 --tensor-model-parallel-size 2 --sequence-parallel"       \
  " --use-distributed-optimizer --recompute-granularity selective --overlap-grad-reduce"

#define SMALL "--num-layers 24 --hidden-size 1024 --num-attention-heads 16 --seq-length 1024 "

static const struct
{
  const char *name;
  const char *text;
  const char *becomes[16];
  const char *notes[4]; /* expected notes */
} scripts[] = {
  { "an example of Megatron-LM",
    GPT3,
    { "model.name=gpt3-175b", "cluster.nodes=128", "parallelism.tp=8", "parallelism.pp=16",
      "parallelism.dp=8", "parallelism.order=tp-cp-dp-pp", "model.layers=96", "model.ffn=49152",
      "model.gated=false", "model.tied=true", "model.biases=true", "model.positions=2048",
      "training.precision=fp16", "training.recompute=none", "training.global-batch=1536" },
    { "10: Layers: 96", "Gated MLP: off. Not in the file",
      "7: Not part of a plan: --master_addr, --rampup-batch-size, --lr." } },
  { "a certain exit, and lines after it that are ignored",
    "#!/bin/bash\n#SBATCH --nodes=4\nif [ -z \"$DATA\" ]; then\n  exit 1\nfi\n"
    "p --tensor-model-parallel-size 4 --num-layers 24",
    { "cluster.nodes=4", "parallelism.tp=8", "model.layers=80" },
    { "run.sh:4: With the values at its top, the script exits here, so the rest was not read. "
      "Change the" } },
  { "an exit at the end, and one of a subshell",
    "(exit 1)\np --tensor-model-parallel-size 4\nexit 0\n# as --num-layers says\n",
    { "parallelism.tp=4" },
    { NULL } },
  { "racks of trays",
    "# A node of the plan is 18 hosts, and these are counted here.\nNNODES=36\n"
    "GPUS_PER_NODE=4\n--tensor-model-parallel-size 4",
    { "cluster.nodes=2", "cluster.gpus-per-node=72", "cluster.gpus-per-host=4" },
    { "1: Hosts in the file: 36. The file gives each node 18 hosts.", "3: GPUs per host: 4",
      "2: Nodes: 2. This follows from the hosts in the file." } },
  { "a user's comments on hosts",
    "# Hosts of a node: 18\n# A node of the plan is 18 hosts, I think\nNNODES=36\n"
    "GPUS_PER_NODE=4\n--tensor-model-parallel-size 4",
    { "cluster.nodes=36", "cluster.gpus-per-node=4", "cluster.gpus-per-host=0" },
    { NULL } },
  { "an example that was not edited",
    "NNODES=1\nGPUS_PER_NODE=8\n--tensor-model-parallel-size 8 --pipeline-model-parallel-size 16",
    { "parallelism.tp=8", "parallelism.pp=16", "cluster.nodes=16", "parallelism.dp=1" },
    { "1: One node of 8 GPUs is too small for TP × CP × PP = 128, so the number of nodes follows "
      "from the product." } },
  { "DeepSeek-V3",
    MOE,
    { "model.name=deepseek-v3", "model.kv-rank=512", "model.dense-layers=3",
      "model.shared-experts=1", "model.ffn=18432", "training.precision=fp8", "parallelism.ep=8",
      "parallelism.etp=1", "parallelism.dp=16", "parallelism.zero=1", "parallelism.sequence=true",
      "training.recompute=selective", "cluster.nodes=4" },
    { "The catalogue has exactly this model" } },
  { "Megatron-LM's own dispatcher",
    SMALL "--num-experts 8 --expert-model-parallel-size 8",
    { "model.experts=8", "parallelism.dispatcher=all-gather" },
    { "Dispatcher: All-gather. Not in the file" } },
  { "a dispatcher with its older name",
    SMALL "--num-experts 8 --expert-model-parallel-size 8 --moe-token-dispatcher-type flex "
          "--moe-enable-deepep",
    { "parallelism.dispatcher=deepep" },
    { NULL } },
  { "a dispatcher that a plan does not have",
    SMALL "--num-experts 8 --expert-model-parallel-size 8 --moe-token-dispatcher-type flex "
          "--moe-flex-dispatcher-backend mori",
    { "parallelism.dispatcher=deepep" },
    { "A plan does not have this dispatcher." } },
  { "two words",
    "--tensor-model-parallel-size=4 --pipeline-model-parallel-size=2",
    { "parallelism.tp=4", "parallelism.pp=2", "parallelism.dp=8", "model.name=llama3-70b",
      "training.precision=bf16" },
    { NULL } },
  { "chunks given by layers",
    SMALL "--pipeline-model-parallel-size 4 --num-layers-per-virtual-pipeline-stage 2",
    { "parallelism.chunks=3", "training.schedule=interleaved", "parallelism.overlap-pp=true",
      "parallelism.tp=1" },
    { NULL } },
  { "chunks given by number",
    SMALL "--pipeline-model-parallel-size 4 --num-virtual-stages-per-pipeline-rank 6 "
          "--no-overlap-p2p-communication",
    { "parallelism.chunks=6", "training.schedule=interleaved", "parallelism.overlap-pp=false" },
    { NULL } },
  { "uneven stages",
    SMALL "--pipeline-model-parallel-size 4 --decoder-first-pipeline-num-layers 4 "
          "--decoder-last-pipeline-num-layers 6",
    { "parallelism.first-layers=4", "parallelism.last-layers=6" },
    { NULL } },
  { "a layout",
    SMALL "--pipeline-model-parallel-size 4 --pipeline-model-parallel-layout 'Et*5|(t*6|)*2,t*7L'",
    { "parallelism.layout=Et*5|(t*6|)*2t*7L", "parallelism.chunks=1", "training.schedule=1f1b" },
    { NULL } },
  { "a layout with chunks and escapes",
    SMALL "--pipeline-model-parallel-size 2 "
          "--pipeline-model-parallel-layout 'Et\\*5\\|t*6\\|t*6\\|t*7L'",
    { "parallelism.layout=Et*5|(t*6|)*2t*7L", "parallelism.chunks=2",
      "training.schedule=interleaved" },
    { "Schedule: Interleaved. This follows from the number of virtual stages of the layout." } },
  { "slots",
    "--num-layers 22 --hidden-size 1024 --num-attention-heads 16 --pipeline-model-parallel-size 4 "
    "--account-for-embedding-in-pipeline-split --account-for-loss-in-pipeline-split",
    { "parallelism.embedding-slot=true", "parallelism.loss-slot=true" },
    { NULL } },
  { "its FSDP",
    SMALL "--use-megatron-fsdp --data-parallel-sharding-strategy optim_grads_params",
    { "parallelism.zero=3" },
    { NULL } },
  { "PyTorch's FSDP", SMALL "--use-torch-fsdp2", { "parallelism.zero=3" }, { NULL } },
  { "PyTorch's FSDP that keeps weights",
    SMALL "--use-torch-fsdp2 --torch-fsdp2-no-reshard-after-forward",
    { "parallelism.zero=2" },
    { NULL } },
  { "stages first",
    SMALL "--pipeline-model-parallel-size 2 --use-tp-pp-dp-mapping --context-parallel-size 2 "
          "--cp-comm-type a2a",
    { "parallelism.order=tp-cp-pp-dp", "parallelism.cp=2", "parallelism.cp-type=ulysses" },
    { NULL } },
  { "grouped queries",
    SMALL "--group-query-attention --num-query-groups 4 --kv-channels 128",
    { "model.kv-heads=4", "model.head-dim=128" },
    { NULL } },
  { "groups without the flag",
    SMALL "--num-query-groups 4",
    { "model.kv-heads=16", "model.head-dim=64" },
    { "1: --num-query-groups has no effect without --group-query-attention." } },
  { "a gated MLP with its own size", SMALL "--swiglu", { "model.ffn=2688" }, { NULL } },
  { "recomputation of all layers",
    SMALL "--recompute-granularity full --recompute-method block --recompute-num-layers 3",
    { "training.recompute=full", "training.recompute-method=first", "training.recompute-layers=3" },
    { NULL } },
  { "a chunked loss",
    SMALL "--cross-entropy-loss-fusion --cross-entropy-fusion-impl linear",
    { "training.loss=chunked" },
    { NULL } },
  { "a fused loss",
    SMALL "--cross-entropy-loss-fusion --cross-entropy-fusion-impl te",
    { "training.loss=fused" },
    { NULL } },
  { "groups of recomputed layers",
    SMALL "--recompute-granularity full --recompute-method uniform --recompute-num-layers 2",
    { "training.recompute=full", "training.recompute-method=groups",
      "training.recompute-layers=2" },
    { NULL } },
  { "all layers recomputed",
    SMALL "--recompute-granularity full --recompute-method uniform --recompute-num-layers 1",
    { "training.recompute=full", "training.recompute-method=all" },
    { NULL } },
  { "a method of recompute that only a shell knows",
    SMALL "--recompute-granularity full --recompute-method $M --recompute-num-layers 3",
    { "training.recompute=full", "training.recompute-method=all", "training.recompute-layers=3" },
    { "1: --recompute-method is “$M”, which cannot be resolved" } },
  { "groups of recomputed layers that only a shell knows",
    SMALL "--recompute-granularity full --recompute-method uniform --recompute-num-layers $N",
    { "training.recompute=full", "training.recompute-method=all" },
    { "1: --recompute-num-layers is “$N”, which cannot be resolved" } },
  { "recomputed modules",
    SMALL "--recompute-granularity selective --recompute-modules core_attn layernorm mla_up_proj",
    { "training.recompute=selective", "training.recompute-modules=norm+mla-up" },
    { NULL } },
  { "recomputed modules without attention",
    SMALL
    "--recompute-granularity selective \\\n --recompute-modules mlp shared_experts moe_act mhc",
    { "training.recompute=none", "training.recompute-modules=activation+mlp+shared-experts" },
    { "2: --recompute-modules: a plan cannot recompute the module mhc alone." } },
  { "recomputed modules that only a shell knows",
    SMALL "--recompute-granularity selective --recompute-modules \"$X moe\" $Y core_attn",
    { "training.recompute=selective", "training.recompute-modules=experts" },
    { "1: --recompute-modules has “$X”, which cannot be resolved from this file, so the plan has "
      "only the other modules of the list.",
      "1: --recompute-modules has “$Y”" } },
  { "recomputed modules without effect",
    SMALL "--recompute-modules moe --recompute-granularity full",
    { "training.recompute=full", "training.recompute-modules=" },
    { NULL } },
  { "old names",
    "--num-layers 24 --hidden-size 1024 --num-attention-heads 16 --seq-length 1024 "
    "--model-parallel-size 4 --batch-size 2 --checkpoint-activations",
    { "parallelism.tp=4", "training.micro-batch=2", "training.recompute=full" },
    { NULL } },
  { "a pattern of layers",
    SMALL "--num-experts 8 --moe-layer-freq \"([0]*1+[1]*1)*12\"",
    { "model.experts=8", "model.top-k=2", "model.expert-ffn=4096", "parallelism.etp=1",
      "model.dense-layers=1", "model.moe-every=2" },
    { NULL } },
  { "every third layer",
    SMALL "--num-experts 8 --moe-layer-freq 3",
    { "model.dense-layers=0", "model.moe-every=3" },
    { NULL } },
  { "an irregular pattern of layers",
    SMALL "--num-experts 8 --moe-layer-freq [0,1,1,0]*6",
    { "model.dense-layers=0", "model.moe-every=0" },
    { "--moe-layer-freq is ignored: in “[0,1,1,0]*6”, experts are not in every n-th layer after "
      "the layers without experts." } },
  { "layers with experts that only a shell knows",
    SMALL "--num-experts 8 --moe-layer-freq $F",
    { "model.experts=8", "model.dense-layers=0", "model.moe-every=0" },
    { "1: --moe-layer-freq is “$F”, which cannot be resolved from this file, so the plan keeps "
      "its value." } },
  { "a number of layers that only a shell knows",
    SMALL "--num-experts 8 --moe-layer-freq \"([0]*$D+[1]*20)\"",
    { "model.dense-layers=0", "model.moe-every=0" },
    { "1: --moe-layer-freq is “([0]*$D+[1]*20)”, which cannot be resolved" } },
  { "a window in every layer",
    SMALL "--window-size 4095,0",
    { "model.window=4096", "model.full-attention-every=0", "model.window-chunked=false" },
    { NULL } },
  { "a window of gpt-oss",
    SMALL "--window-size \"(128, 0)\" --window-attn-skip-freq 2",
    { "model.window=128", "model.full-attention-every=2" },
    { NULL } },
  { "a list of windows",
    SMALL "--window-size 127,0 --window-attn-skip-freq \"([1]*5 + [0])*4\"",
    { "model.window=128", "model.full-attention-every=6" },
    { NULL } },
  { "an irregular list of windows",
    SMALL "--window-size 127,0 --window-attn-skip-freq [0,1,1,1]*6",
    { "model.window=128", "model.full-attention-every=0" },
    { "1: --window-attn-skip-freq is ignored: in “[0,1,1,1]*6”, the layers that see the whole "
      "sequence are not every n-th layer." } },
  { "a window that only a shell knows",
    SMALL "--window-size $W,0 --window-attn-skip-freq 2",
    { "model.window=0", "model.full-attention-every=2" },
    { "1: --window-size is “$W,0”, which cannot be resolved from this file, so the plan keeps its "
      "value." } },
  { "full attention that only a shell knows",
    SMALL "--window-size 128,0 --window-attn-skip-freq $F",
    { "model.window=128" },
    { "1: --window-attn-skip-freq is “$F”, which cannot be resolved" } },
  { "a norm and positions that only a shell knows",
    SMALL "--normalization $N --position-embedding-type $P",
    { "model.rms-norm=true", "model.positions=0" },
    { "1: --normalization is “$N”, which cannot be resolved",
      "1: --position-embedding-type is “$P”, which cannot be resolved" } },
  { "sparse attention",
    SMALL
    "--experimental-attention-variant dsa --dsa-indexer-n-heads 64 --dsa-indexer-head-dim 128 "
    "--dsa-indexer-topk 2048",
    { "model.index-heads=64", "model.index-dim=128", "model.index-top-k=2048" },
    { NULL } },
  { "sparse attention without an indexer",
    SMALL "\n--experimental-attention-variant dsa --dsa-indexer-n-heads 64 --dsa-indexer-topk 2048",
    { "model.index-heads=0" },
    { "2: --experimental-attention-variant is “dsa”, but the file has no "
      "--dsa-indexer-head-dim, so the plan has no indexer." } },
  { "an unknown variant of attention",
    SMALL "\n--experimental-attention-variant foo",
    { "model.index-heads=0", "model.mixer=none" },
    { "2: --experimental-attention-variant is “foo”, an attention that a plan does not have" } },
  { "a variant of attention that only a shell knows",
    SMALL "--experimental-attention-variant $V",
    { "model.index-heads=0", "model.mixer=none" },
    { "1: --experimental-attention-variant is “$V”, which cannot be resolved" } },
  { "a window to both sides", SMALL "--window-size 128,128", { "model.window=128" }, { NULL } },
  { "a window without a limit after",
    SMALL "--window-size 128,-1",
    { "model.window=128" },
    { NULL } },
  { "a window without a limit", SMALL "--window-size -1,0", { "model.window=0" }, { NULL } },
  { "Mamba-2 with experts",
    "--hidden-size 1024 --num-attention-heads 16 --hybrid-layer-pattern \"MEME*E|MEM*E/M*/M*\" "
    "--num-experts 8 --mamba-num-groups 4 --moe-ffn-hidden-size 512 --tensor-model-parallel-size 4",
    { "model.layers=11", "model.mixer=mamba2", "model.attention-layers=2", "model.mlp-layers=5",
      "model.mixer-heads=32", "model.mixer-head-dim=64", "model.mixer-groups=4",
      "model.mixer-state=128", "model.mixer-conv=4", "model.mtp-layers=2" },
    { NULL } },
  { "Mamba-2 without MLPs",
    SMALL "--is-hybrid-model --hybrid-override-pattern MM*MMM*MMM*MMM*MMM*MMM*M "
          "--mamba-num-heads 16",
    { "model.layers=24", "model.attention-layers=6", "model.mlp-layers=0", "model.mixer-heads=16",
      "model.ffn=0" },
    { NULL } },
  { "a pattern with too few letters",
    SMALL "--hybrid-override-pattern M-*-",
    { "model.layers=24", "model.attention-layers=1", "model.mlp-layers=2" },
    { "1: --hybrid-override-pattern has 4 letters for 24 layers; the other layers of the plan have "
      "the mixer." } },
  { "shares of the layers",
    SMALL "--is-hybrid-model --hybrid-attention-ratio 0.08 --hybrid-mlp-ratio 0.5",
    { "model.mixer=mamba2", "model.attention-layers=2", "model.mlp-layers=12" },
    { NULL } },
  { "gated delta nets",
    SMALL "--experimental-attention-variant gated_delta_net --linear-attention-freq 4 "
          "--linear-num-value-heads 16 --linear-num-key-heads 8 --attention-output-gate",
    { "model.mixer=gated-delta-net", "model.attention-layers=6", "model.mlp-layers=0",
      "model.mixer-heads=16", "model.mixer-groups=8", "model.mixer-head-dim=128",
      "model.mixer-state=128", "model.mixer-conv=4", "model.attention-gate=true" },
    { NULL } },
  { "a list of gated delta nets",
    SMALL "--linear-attention-type gated_delta_net --linear-attention-freq "
          "\"([1]*2+[0])*7+[1]*3\"",
    { "model.mixer=gated-delta-net", "model.attention-layers=7" },
    { NULL } },
  { "a pattern that only a shell knows",
    SMALL "--hybrid-layer-pattern $P",
    { "model.mixer=none" },
    { "1: --hybrid-layer-pattern is “$P”, which cannot be resolved" } },
  { "an unknown option",
    SMALL "--tensor-model-parallel-size $TP --global-batch-size ${GBS}",
    { "parallelism.tp=8", "training.global-batch=64" },
    { "1: --tensor-model-parallel-size is “$TP”, which cannot be resolved from this file, so the "
      "plan keeps its value.",
      "--global-batch-size is “${GBS}”" } },
  { "a repeated setting",
    "--tensor-model-parallel-size 4\n--tensor-model-parallel-size 2",
    { "parallelism.tp=2" },
    { "1: --tensor-model-parallel-size 4: line 2 repeats this option" } },
  { "a condition",
    "if [ $1 = big ]; then\n  TP=8\nelse\n  TP=4\nfi\nrun --tensor-model-parallel-size $TP",
    { "parallelism.tp=4" },
    { "2: From here on, values depend on a condition. All branches were read, and the last value "
      "counts." } },
  { "options that a test leaves out",
    "ARGS=\"--tensor-model-parallel-size 4\"\nU=0\n"
    "[[ $U == 1 ]] && ARGS=\"$ARGS --tensor-model-parallel-size 8\"\nrun $ARGS",
    { "parallelism.tp=4" },
    { NULL } },
  { "arguments in YAML",
    "MODEL_ARGS:\n  --num-layers: 24\n  --hidden-size: 1024\n  --num-attention-heads: 16\n"
    "  --tensor-model-parallel-size: 2\n  --sequence-parallel: true\n"
    "  --recompute-activations: false\n  --seq-length: 1024\nTEST_TYPE: regular\n",
    { "model.layers=24", "parallelism.tp=2", "parallelism.sequence=true", "training.recompute=none",
      "training.sequence=1024" },
    { NULL } },
  { "a comment between options",
    "run \\\n--tensor-model-parallel-size 2 \\\n# --tensor-model-parallel-size 8 \\\n",
    { "parallelism.tp=2" },
    { NULL } },
  { "a model among several",
    "SIZE=${SIZE:-8B}\nif [ $SIZE = 8B ]; then\n  TP=2\nelif [ $SIZE = 70B ]; then\n  TP=8\nfi\n"
    "if [ -z ${VP} ]; then\n  vp=\"\"\nelse\n"
    "  vp=\" --num-layers-per-virtual-pipeline-stage ${VP}\"\nfi\n"
    "echo \"try --pipeline-model-parallel-size 16\"\n"
    "run --tensor-model-parallel-size $TP $vp",
    { "parallelism.tp=2", "parallelism.pp=4" },
    { NULL } },
  { "a batch job",
    "#SBATCH --nodes=4 --gpus-per-node=4\nsrun python x --tensor-model-parallel-size 4",
    { "cluster.nodes=4", "cluster.gpus-per-node=4", "parallelism.tp=4" },
    { NULL } },
  { "mpirun",
    "mpirun -np 128 -npernode 8 python3 p.py -n 3 --tensor-model-parallel-size 4 "
    "--pipeline-model-parallel-size 4",
    { "cluster.nodes=16", "cluster.gpus-per-node=8", "parallelism.dp=8" },
    { "1: Nodes: 16" } },
  { "other options of mpirun",
    "/opt/bin/mpiexec -n 16 -N 4 p --tensor-model-parallel-size 4 --pipeline-model-parallel-size 1",
    { "cluster.nodes=4", "cluster.gpus-per-node=4", "parallelism.dp=4" },
    { NULL } },
  { "torchrun in mpirun",
    "mpirun -np 4 -npernode 1 torchrun --nnodes=4 --nproc-per-node=8 p "
    "--tensor-model-parallel-size 8 --pipeline-model-parallel-size 1",
    { "cluster.nodes=4", "cluster.gpus-per-node=8", "parallelism.dp=4" },
    { NULL } },
  { "deepspeed",
    "deepspeed --num_nodes 16 --num_gpus 8 p.py --tensor-model-parallel-size 4 "
    "--pipeline-model-parallel-size 4",
    { "cluster.nodes=16", "cluster.gpus-per-node=8", "parallelism.dp=8" },
    { NULL } },
  { "WORLD_SIZE alone",
    "WORLD_SIZE=32\n--tensor-model-parallel-size 4",
    { "cluster.nodes=4", "parallelism.pp=4", "parallelism.dp=2" },
    { NULL } },
  { "no batch",
    "NNODES=2\nGPUS_PER_NODE=8\n" SMALL "--micro-batch-size 4 --tensor-model-parallel-size 2",
    { "training.global-batch=32", "parallelism.dp=8" },
    { "one micro-batch per replica" } },
  { "a part of a vocabulary",
    SMALL "--tokenizer-type GPT2BPETokenizer",
    { "model.vocabulary=50257" },
    { NULL } },
  { "moments in BF16",
    SMALL "--bf16 --use-precision-aware-optimizer --exp-avg-dtype bf16 --exp-avg-sq-dtype bf16 "
          "--main-grads-dtype bf16",
    { "training.optimizer=adam-bf16", "training.gradient-precision=bf16" },
    { "1: Optimizer: Adam, moments in BF16" } },
  { "moments of different formats",
    SMALL "--use-precision-aware-optimizer --exp-avg-dtype fp8 --exp-avg-sq-dtype fp16 "
          "--main-params-dtype fp16",
    { "training.optimizer=adam-bf16" },
    { "1: --main-params-dtype: a plan keeps the master weights in FP32.",
      "Both moments have the same number format in a plan, so the wider format counts." } },
  { "one narrow moment",
    SMALL "--use-precision-aware-optimizer --exp-avg-sq-dtype bf16",
    { "training.optimizer=adam" },
    { "the wider format counts" } },
  { "moments without the flag",
    SMALL "--exp-avg-dtype bf16",
    { "training.optimizer=adam" },
    { "Not part of a plan: --exp-avg-dtype." } },
  { "moments of an unknown format",
    SMALL "--use-precision-aware-optimizer --exp-avg-dtype $T",
    { "training.optimizer=adam" },
    { "1: --exp-avg-dtype is “$T”, which cannot be resolved" } },
  { "dropout that is on by default", SMALL "--bf16", { "training.dropout=on" }, { "Dropout: On" } },
  { "layers in BF16",
    SMALL "--bf16 --fp8-format hybrid --fp8-recipe tensorwise --first-last-layers-bf16 "
          "--num-layers-at-end-in-bf16 4",
    { "training.bf16-first-layers=1", "training.bf16-last-layers=4" },
    { NULL } },
  { "numbers of layers in BF16 without the flag",
    SMALL "--bf16 --fp8-format hybrid --num-layers-at-end-in-bf16 4",
    { "training.bf16-first-layers=0", "training.bf16-last-layers=0" },
    { "--num-layers-at-end-in-bf16" } },
  { "no dropout",
    SMALL "--attention-dropout 0 --hidden-dropout 0.0",
    { "training.dropout=auto" },
    { NULL } },
  { "no dropout and no flash attention",
    SMALL "--attention-dropout 0 --hidden-dropout 0.0 --attention-backend unfused",
    { "training.dropout=off" },
    { "1: Dropout: Off" } },
  { "dropout of outputs alone",
    SMALL "--attention-dropout 0 --hidden-dropout 0.2",
    { "training.dropout=on" },
    { "A plan has one setting for dropout of attention and outputs, so both are on." } },
  { "an unknown rate of dropout",
    SMALL "--attention-dropout $RATE",
    { "training.dropout=auto" },
    { "1: --attention-dropout is “$RATE”, which cannot be resolved" } },
  { "Muon",
    SMALL "--optimizer muon --muon-num-ns-steps 8 --muon-tp-mode duplicated",
    { "training.optimizer=muon", "training.muon-steps=8", "training.muon-tp=gathered",
      "parallelism.zero=0" },
    { NULL } },
  { "Muon that shards its state",
    SMALL "--optimizer dist_muon",
    { "training.optimizer=muon", "training.muon-steps=5", "training.muon-tp=sharded",
      "parallelism.zero=1" },
    { NULL } },
  { "an unknown mode of Muon",
    SMALL "--optimizer muon --use-distributed-optimizer --muon-tp-mode $MODE",
    { "training.optimizer=muon", "parallelism.zero=1" },
    { "1: --muon-tp-mode is “$MODE”, which cannot be resolved" } },
  { "an optimizer that a plan does not have",
    SMALL "--optimizer lion",
    { "training.optimizer=adam" },
    { "1: --optimizer: a plan's optimizer is a kind of Adam or Muon, so the plan has Adam." } },
  { "the optimizer on the CPU",
    SMALL "--use-precision-aware-optimizer --optimizer-cpu-offload "
          "--optimizer-offload-fraction 0.3 --overlap-cpu-optimizer-d2h-h2d",
    { "training.optimizer=adam", "training.offload-optimizer=0.3" },
    { NULL } },
  { "activations on the host",
    SMALL "--cpu-offloading --cpu-offloading-num-layers 7 --cpu-offloading-weights",
    { "training.offload-layers=7" },
    { "1: --cpu-offloading-weights: a plan keeps the weights on the GPUs." } },
  { "the whole optimizer on the CPU, without overlap",
    SMALL "--optimizer-cpu-offload",
    { "training.offload-optimizer=1" },
    { "1: --optimizer-cpu-offload: a plan overlaps the CPU's work with the transfers" } },
  { "an unknown share on the CPU",
    SMALL "--optimizer-cpu-offload --optimizer-offload-fraction $F",
    { "training.offload-optimizer=0" },
    { "1: --optimizer-offload-fraction is “$F”, which cannot be resolved" } },
  { "FP8 with a scale per tensor",
    SMALL "--bf16 --fp8-format hybrid --fp8-recipe tensorwise",
    { "training.precision=fp8", "training.fp8-recipe=current" },
    { NULL } },
  { "FP8 in blocks",
    SMALL "--bf16 --fp8-format e4m3 --fp8-recipe blockwise",
    { "training.precision=fp8", "training.fp8-recipe=blockwise" },
    { NULL } },
  { "MXFP8 on a GPU without it",
    SMALL "--bf16 --fp8-format e4m3 --fp8-recipe mxfp8",
    { "training.precision=fp8", "training.fp8-recipe=auto" },
    { "FP8 recipe: Automatic. The file has MXFP8, which H100 SXM cannot run." } },
  { "FP4 on a GPU without it",
    SMALL "--bf16 --fp4-format e2m1",
    { "training.precision=fp8" },
    { "1: Precision: FP8. The file has FP4, which H100 SXM cannot run. After you choose a GPU that "
      "can, set training.precision to fp4." } },
  { "two precisions",
    SMALL "--bf16 --fp16",
    { "training.precision=bf16" },
    { "1: --fp16: a plan has a single precision, here BF16." } },
  { "an own FP8 recipe",
    SMALL "--bf16 --fp8-format e4m3 --fp8-recipe custom",
    { "training.precision=fp8", "training.fp8-recipe=auto" },
    { "1: --fp8-recipe: a plan has no custom recipe." } },
  { "an unknown FP8 recipe",
    SMALL "--bf16 --fp8-format hybrid --fp8-recipe $R",
    { "training.precision=fp8", "training.fp8-recipe=auto" },
    { "1: --fp8-recipe is “$R”, which cannot be resolved" } },
  { "a recipe without FP8",
    SMALL "--bf16 --fp8-recipe blockwise",
    { "training.precision=bf16", "training.fp8-recipe=auto" },
    { NULL } },
  { "an unknown vocabulary",
    SMALL,
    { "model.name=custom", "model.vocabulary=128256" },
    { "The plan's vocabulary is kept, because the tokenizer is not in the file." } },
};

static void
test_scripts (void)
{
  g_autoptr (PlgCatalogue) catalogue = plg_catalogue_load (NULL);

  for (guint i = 0; i < G_N_ELEMENTS (scripts); i++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (PlgImportResult) import = read_text (scripts[i].text, NULL, catalogue, &error);
      g_autofree char *notes = NULL;

      if (import == NULL)
        g_error ("%s: %s", scripts[i].name, error->message);
      g_assert_cmpstr (import->format->name, ==, "megatron");
      g_assert_true (plg_plan_check (import->plan, NULL));
      for (int j = 0; scripts[i].becomes[j] != NULL; j++)
        assert_has (import->plan, scripts[i].name, scripts[i].becomes[j]);
      notes = plg_import_result_text (import, G_MAXUINT);
      for (guint j = 0; j < G_N_ELEMENTS (scripts[i].notes) && scripts[i].notes[j] != NULL; j++)
        if (strstr (notes, scripts[i].notes[j]) == NULL)
          g_error ("%s: no “%s” in\n%s", scripts[i].name, scripts[i].notes[j], notes);
    }
}

static const struct
{
  const char *text;
  const char *says;
} wrong[] = {
  { "--tensor-model-parallel-size 0", "run.sh:1: --tensor-model-parallel-size: " },
  { "echo \"--tensor-model-parallel-size 4\"", "run.sh: No program in the file receives "
                                               "Megatron-LM's arguments. The output of echo and "
                                               "lines that an if statement skips do not count." },
  { "\nexit 1\n--tensor-model-parallel-size 4",
    "run.sh:2: With the values at its top, the script exits here, so the rest was not read. "
    "Change the" },
  { "\n--tensor-model-parallel-size -8", "run.sh:2: --tensor-model-parallel-size: " },
  { "--tensor-model-parallel-size 1e300",
    "1: --tensor-model-parallel-size is “1e300”; it must be" },
  { "--tensor-model-parallel-size 99999999999999999999", "it must be a whole number" },
  { SMALL "--bf16 --fp4-format foo", "1: --fp4-format is “foo”; it must be one of: e2m1." },
  { SMALL "--bf16 --fp8-format foo", "1: --fp8-format is “foo”; it must be one of: e4m3, hybrid." },
  { "--tensor-model-parallel-size eight", "1: --tensor-model-parallel-size is “eight”" },
  { "--tensor-model-parallel-size", "1: --tensor-model-parallel-size needs a value after it" },
  { "--tensor-model-parallel-size --bf16", "needs a value after it" },
  { SMALL "--use-precision-aware-optimizer\n--exp-avg-dtype int4",
    "2: --exp-avg-dtype is “int4”; it must be one of: fp32, bf16, fp16, fp8." },
  { SMALL "--use-precision-aware-optimizer\n--exp-avg-sq-dtype",
    "2: --exp-avg-sq-dtype is “”; it must be one of" },
  { SMALL "\n--window-size wide",
    "2: --window-size is “wide”; it must be two numbers, such as 128,0." },
  { SMALL "\n--hybrid-layer-pattern MxM",
    "2: --hybrid-layer-pattern is “MxM”; it must have one letter for each layer: M, G, *, - or E." },
  { SMALL "--hybrid-layer-pattern MG*",
    "1: --hybrid-layer-pattern has 1 layers with Mamba-2 and 1 with a gated delta net. A plan has "
    "one kind of mixer." },
  { SMALL "--hybrid-layer-pattern M-E", "1: --hybrid-layer-pattern has 1 MLP layers and 1 layers" },
  { SMALL "--hybrid-layer-pattern ***", "1: --hybrid-layer-pattern has neither Mamba-2 nor" },
  { SMALL "--experimental-attention-variant gated_delta_net --linear-attention-freq often",
    "1: --linear-attention-freq is “often”" },
  { SMALL "--experimental-attention-variant gated_delta_net\n--linear-attention-freq 0",
    "2: --linear-attention-freq is 0; it must be at least 1." },
  { SMALL "--experimental-attention-variant gated_delta_net --linear-attention-freq -5",
    "1: --linear-attention-freq is -5; it must be at least 1." },
  { SMALL "--window-size 1,2,3", "--window-size is “1,2,3”; it must be two numbers" },
  { SMALL "--window-size -2,0", "--window-size is “-2,0”; it must be two numbers" },
  { SMALL "--window-size 99999999999999999999,0", "it must be two numbers" },
  { SMALL "--window-size 2147483647,0", "1: --window-size: " },
  { SMALL "--window-size 128,0 --window-attn-skip-freq often",
    "--window-attn-skip-freq is “often”; it must be a whole number, or a list with a 1 for" },
  { SMALL "--window-size 128,0 --window-attn-skip-freq \"([1]*3+[0]\"",
    "--window-attn-skip-freq is “([1]*3+[0]”; it must be a whole number, or a list" },
  { SMALL "--optimizer-cpu-offload\n--optimizer-offload-fraction 1.5",
    "2: --optimizer-offload-fraction: “1.5” is not allowed; use a number from 0 to 1" },
  { SMALL "--optimizer-cpu-offload --optimizer-offload-fraction",
    "1: --optimizer-offload-fraction needs a value after it" },
  { "--tensor-model-parallel-size 3", "TP 3" },
  { "NNODES=4\nGPUS_PER_NODE=8\n--tensor-model-parallel-size 3",
    "3: TP 3 × CP 1 × PP 1 = 3 does not divide the 32 GPUs" },
  { "WORLD_SIZE=16\nNNODES=4\nGPUS_PER_NODE=8\n--tensor-model-parallel-size 8",
    "1: WORLD_SIZE is 16, but 4 nodes (line 2) with 8 GPUs each (line 3) have 32" },
  { "NNODES=4\nmpirun -np 16 -npernode 8 p --tensor-model-parallel-size 8",
    "2: -np is 16, but 4 nodes (line 1) with 8 GPUs each (line 2) have 32" },
  { SMALL "--pipeline-model-parallel-size 4\n--num-layers-per-virtual-pipeline-stage 5",
    "2: --num-layers-per-virtual-pipeline-stage 5: 24 layers with PP 4 do not divide into chunks "
    "of this size." },
  { SMALL "--pipeline-model-parallel-size 2 --num-layers-per-virtual-pipeline-stage 0",
    "do not divide" },
  { SMALL "--pipeline-model-parallel-size 4\n--pipeline-model-parallel-layout 'Et*12|t*12L|'",
    "2: --pipeline-model-parallel-layout: " },
  { SMALL "--pipeline-model-parallel-size 4\n--pipeline-model-parallel-layout 'Et*12|t*6|t*6L'",
    "2: --pipeline-model-parallel-layout: 3 virtual stages do not divide into PP 4 stages." },
  { SMALL "--pipeline-model-parallel-size 4\n--pipeline-model-parallel-layout",
    "2: --pipeline-model-parallel-layout needs a value after it" },
  { SMALL "--pipeline-model-parallel-size 2 --pipeline-model-parallel-layout 'Et*12|t*12L'\n"
          "--num-virtual-stages-per-pipeline-rank 3",
    "2: --num-virtual-stages-per-pipeline-rank is 3, but --pipeline-model-parallel-layout has 2 "
    "virtual stages for PP 2 stages." },
  { SMALL "--pipeline-model-parallel-size 2 --pipeline-model-parallel-layout 'Et*12|t*12L'\n"
          "--decoder-first-pipeline-num-layers 12",
    "2: --decoder-first-pipeline-num-layers and --pipeline-model-parallel-layout both decide which "
    "layers a stage has. Remove one of the two options." },
  { SMALL "--pipeline-model-parallel-size 2 --pipeline-model-parallel-layout 'Et*12|t*12L'\n"
          "--decoder-last-pipeline-num-layers 12",
    "2: --decoder-last-pipeline-num-layers and --pipeline-model-parallel-layout both decide" },
  { SMALL "--pipeline-model-parallel-size 2 --pipeline-model-parallel-layout 'Et*12|t*12L'\n"
          "--num-layers-per-virtual-pipeline-stage 12",
    "2: --num-layers-per-virtual-pipeline-stage and --pipeline-model-parallel-layout both decide" },
  { SMALL "--pipeline-model-parallel-size 2\n--pipeline-model-parallel-layout 'Et*12|t*11L'",
    "has t 23 times, but the model’s number of layers is 24" },
  { SMALL "--micro-batch-size 2\n--global-batch-size 3",
    "2: --global-batch-size 3 is not a multiple" },
  { SMALL "--micro-batch-size 0", "--micro-batch-size: “0”" },
  { SMALL "--recompute-granularity some", "--recompute-granularity: " },
  { SMALL "--expert-model-parallel-size 8", "EP 8 needs experts" },
  { "--num-layers 24 --hidden-size 1024 --num-attention-heads 'x", "1: ' is opened here" },
  { "--num-layers $(reboot) --hidden-size 1024 --x \"", "1: \" is opened here" },
  { "--tensor-model-parallel-size 8 \xFF", "1: Byte 0xFF" },
};

static void
test_wrong (void)
{
  g_autoptr (PlgCatalogue) catalogue = plg_catalogue_load (NULL);

  for (guint i = 0; i < G_N_ELEMENTS (wrong); i++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (PlgImportResult) import = read_text (wrong[i].text, NULL, catalogue, &error);

      if (import != NULL)
        g_error ("“%s” is read", wrong[i].text);
      if (strstr (error->message, wrong[i].says) == NULL)
        g_error ("“%s” instead of “%s”", error->message, wrong[i].says);
    }
}

/* Plans that are written and read back as the same plan. */
static const char *const plans[][12] = {
  { NULL },
  { "parallelism.order=tp-cp-pp-dp", NULL },
  { "parallelism.pp=2", "parallelism.replicate=4", NULL },
  { "parallelism.pp=1", "parallelism.zero=3", "parallelism.replicate=2", NULL },
  { "parallelism.tp=4", "parallelism.cp=2", "parallelism.pp=2", "parallelism.cp-type=ulysses",
    NULL },
  { "parallelism.chunks=5", "parallelism.overlap-pp=true", NULL },
  { "parallelism.first-layers=18", "parallelism.last-layers=20", NULL },
  { "parallelism.layout=Et*19|(t*20|)*2t*21|L", "parallelism.pp=5", "cluster.nodes=5",
    "parallelism.tp=8", "training.global-batch=1000", NULL },
  { "parallelism.layout=Et*9|(t*10|)*6t*11L", "parallelism.overlap-pp=true", NULL },
  { "model.layers=78", "parallelism.embedding-slot=true", "parallelism.loss-slot=true", NULL },
  { "model.name=deepseek-v3", "parallelism.ep=8", "parallelism.pp=1", "parallelism.tp=2",
    "training.precision=fp8", "parallelism.overlap-ep=true", "training.recompute=full",
    "training.cuda-graphs=true", "parallelism.dispatcher=hybridep", NULL },
  { "model.name=mixtral-8x7b", "parallelism.ep=4", "parallelism.etp=2", "model.ffn=0",
    "parallelism.dispatcher=all-to-all", NULL },
  { "model.name=mixtral-8x7b", "parallelism.ep=4", "parallelism.etp=2", "model.ffn=0",
    "parallelism.dispatcher=all-gather", NULL },
  { "training.precision=fp8", "training.fp8-recipe=delayed", NULL },
  { "training.precision=fp8", "training.fp8-recipe=current", NULL },
  { "training.precision=fp8", "training.fp8-recipe=blockwise", NULL },
  { "model.name=gpt3-175b", "training.sequence=2048", "training.precision=fp16",
    "training.gradient-precision=bf16", "parallelism.zero=0", "parallelism.sequence=false", NULL },
  { "model.name=gpt3-175b", "training.sequence=2048", "parallelism.sequence=false",
    "parallelism.overlap-tp=true", "training.precision=fp32", "training.loss=plain", NULL },
  { "parallelism.pp=1", "parallelism.tp=1", "parallelism.zero=3", "training.flash-attention=false",
    "training.recompute=none", "training.kernels=fused", NULL },
  { "parallelism.pp=1", "parallelism.zero=2", "parallelism.overlap-dp=false",
    "training.gradient-precision=bf16", "parallelism.overlap-tp=true", NULL },
  { "cluster.nodes=3", "cluster.gpus-per-node=4", "parallelism.tp=4", "parallelism.pp=1",
    "training.micro-batch=4", "training.global-batch=48", NULL },
  { "parallelism.pp=1", "parallelism.zero=3", "training.kernels=auto", NULL },
  { "training.optimizer=adam-bf16", "training.gradient-precision=bf16", NULL },
  { "training.offload-optimizer=0.5", NULL },
  { "training.offload-layers=20", "training.recompute=none", "parallelism.pp=1", NULL },
  { "training.optimizer=adam-bf16", "training.offload-optimizer=1", NULL },
  { "training.optimizer=adam-8bit", "parallelism.pp=1", "parallelism.zero=3", NULL },
  { "training.dropout=on", NULL },
  { "training.precision=fp8", "training.fp8-recipe=current", "training.bf16-first-layers=1",
    "training.bf16-last-layers=0", NULL },
  { "training.dropout=on", "training.flash-attention=false", "training.recompute=none", NULL },
  { "training.dropout=off", "training.flash-attention=false", "training.recompute=none", NULL },
  { "training.optimizer=muon", "training.muon-steps=10", "training.muon-tp=distributed", NULL },
  { "training.recompute-modules=norm+mlp", "training.recompute=selective", NULL },
  { "training.loss=chunked", NULL },
  { "model.name=deepseek-v3.2", "parallelism.tp=1", "parallelism.pp=1", "parallelism.ep=8",
    "parallelism.dispatcher=all-to-all", NULL },
  { "training.recompute=full", "training.recompute-method=first", "training.recompute-layers=3",
    NULL },
  { "training.recompute=full", "training.recompute-method=groups", "training.recompute-layers=4",
    NULL },
  { "model.name=deepseek-v3", "parallelism.ep=8", "parallelism.pp=1", "parallelism.tp=2",
    "training.recompute=none", "training.recompute-modules=norm+mla-up+activation+experts",
    "parallelism.dispatcher=deepep", NULL },
};

static GBytes *
write_plan (const PlgPlan *plan, GError **error)
{
  PlgExportContext export = { .plan = plan };

  return plg_format_write (plg_format_find ("megatron"), &export, error);
}

static void
assert_same (const PlgPlan *plan, const PlgPlan *back, const char *text)
{
  int n;
  const PlgSetting *settings = plg_settings (&n);

  for (int i = 0; i < n; i++)
    {
      g_autofree char *before = plg_setting_get (&settings[i], plan);
      g_autofree char *after = plg_setting_get (&settings[i], back);

      /* A changed model has no name. */
      if (g_str_equal (settings[i].key, "model.name"))
        continue;
      if (!g_str_equal (before, after))
        g_error ("%s: %s was %s\n%s", settings[i].key, after, before, text);
    }
  for (int rank = 0; rank < plg_plan_world (plan); rank++)
    g_assert_cmpint (plg_placement_gpu (&plan->placement, rank), ==,
                     plg_placement_gpu (&back->placement, rank));
}

static void
test_round_trip (void)
{
  g_autoptr (PlgCatalogue) catalogue = plg_catalogue_load (NULL);

  for (guint i = 0; i < G_N_ELEMENTS (plans); i++)
    {
      g_autoptr (PlgPlan) plan = plg_catalogue_default_plan (catalogue);
      g_autoptr (PlgImportResult) import = NULL;
      g_autoptr (GBytes) bytes = NULL;
      g_autoptr (GError) error = NULL;

      plg_order_from_string ("megatron", plan->parallelism.order);
      g_assert_true (plg_settings_apply (plan, catalogue, plans[i], &error));
      bytes = write_plan (plan, &error);
      g_assert_no_error (error);
      import = read_text (g_bytes_get_data (bytes, NULL), NULL, catalogue, &error);
      g_assert_no_error (error);
      assert_same (plan, import->plan, g_bytes_get_data (bytes, NULL));
    }
}

/* A file has MXFP8 or FP4, and the plan that is open has a GPU that can run them. */
static void
test_blackwell (void)
{
  static const struct
  {
    const char *format;
    const char *settings[5];
  } rows[] = {
    { "megatron", { "training.precision=fp8", "training.fp8-recipe=mxfp8" } },
    { "megatron", { "training.precision=fp4" } },
    { "nemo", { "training.precision=fp8", "training.fp8-recipe=mxfp8" } },
    { "nemo", { "training.precision=fp4" } },
    { "torchtitan",
      { "training.precision=fp8", "training.fp8-recipe=mxfp8", "parallelism.order=torchtitan",
        "parallelism.zero=3" } },
  };
  static const char *const node[] = { "cluster.node=hgx-b200", NULL };
  static const char *const hopper[] = { "cluster.node=hgx-h100", NULL };
  g_autoptr (PlgCatalogue) catalogue = plg_catalogue_load (NULL);

  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_autoptr (PlgPlan) open = plg_catalogue_default_plan (catalogue);
      g_autoptr (PlgPlan) plan = NULL;
      g_autoptr (PlgImportResult) import = NULL;
      g_autoptr (GBytes) bytes = NULL;
      g_autoptr (GError) error = NULL;

      plg_order_from_string ("megatron", open->parallelism.order);
      g_assert_true (plg_settings_apply (open, catalogue, node, NULL));
      plan = plg_plan_copy (open);
      g_assert_true (plg_settings_apply (plan, catalogue, rows[i].settings, &error));
      bytes = plg_format_write (plg_format_find (rows[i].format),
                                &(PlgExportContext) { .plan = plan }, &error);
      g_assert_no_error (error);
      import = read_text (g_bytes_get_data (bytes, NULL), open, catalogue, &error);
      g_assert_no_error (error);
      g_assert_cmpint (import->plan->training.precision, ==, plan->training.precision);
      g_assert_cmpint (import->plan->training.fp8_recipe, ==, plan->training.fp8_recipe);
      /* A GPU without MXFP8 and FP4 takes the recipe of the program, and FP8. */
      g_assert_true (plg_settings_apply (plan, catalogue, hopper, NULL));
      g_assert_cmpint (plan->training.precision, ==, PLG_PRECISION_FP8);
      g_assert_cmpint (plan->training.fp8_recipe, ==, PLG_FP8_RECIPE_AUTO);
    }
}

/* A script with DeepSpeed's own options is one of Megatron-DeepSpeed. */
static void
test_deepspeed_options (void)
{
  static const struct
  {
    const char *script;
    const char *program;
  } rows[] = {
    { "torchrun pretrain_gpt.py --num-layers 80 --hidden-size 8192 --num-attention-heads 64 "
      "--deepspeed --deepspeed_config ds.json\n",
      "training.program=megatron-deepspeed" },
    { "torchrun pretrain_gpt.py --num-layers 80 --hidden-size 8192 --num-attention-heads 64\n",
      "training.program=megatron" },
  };
  g_autoptr (PlgCatalogue) catalogue = plg_catalogue_load (NULL);

  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_autoptr (PlgPlan) plan = plg_catalogue_default_plan (catalogue);
      g_autoptr (GError) error = NULL;
      g_autoptr (PlgImportResult) import = read_text (rows[i].script, plan, catalogue, &error);

      g_assert_no_error (error);
      assert_has (import->plan, rows[i].script, rows[i].program);
    }
}

/* Megatron-LM is the program of its files, whatever program the plan had. A comment keeps kernels
 * that the plan sets. */
static void
test_program (void)
{
  static const char *const formats[] = { "megatron", "nemo" };
  static const char *const open_settings[] = { "training.program=fsdp-compiled", NULL };
  static const char *const fused[] = { "training.kernels=fused", NULL };
  g_autoptr (PlgCatalogue) catalogue = plg_catalogue_load (NULL);

  for (guint i = 0; i < G_N_ELEMENTS (formats); i++)
    {
      const PlgFormat *format = plg_format_find (formats[i]);
      g_autoptr (PlgPlan) plan = plg_catalogue_default_plan (catalogue);
      g_autoptr (PlgImportResult) import = NULL;
      g_autoptr (PlgImportResult) said = NULL;
      g_autoptr (GBytes) bytes = NULL;
      g_autoptr (GError) error = NULL;

      plg_order_from_string ("megatron", plan->parallelism.order);
      g_assert_true (plg_settings_apply (plan, catalogue, open_settings, &error));
      bytes = plg_format_write (format, &(PlgExportContext) { .plan = plan }, &error);
      g_assert_no_error (error);
      g_assert_null (strstr (g_bytes_get_data (bytes, NULL), "training.kernels"));
      import = read_text (g_bytes_get_data (bytes, NULL), plan, catalogue, &error);
      g_assert_no_error (error);
      assert_has (import->plan, formats[i], "training.program=megatron");
      g_assert_true (plg_settings_apply (plan, catalogue, fused, NULL));
      g_clear_pointer (&bytes, g_bytes_unref);
      bytes = plg_format_write (format, &(PlgExportContext) { .plan = plan }, &error);
      g_assert_no_error (error);
      said = read_text (g_bytes_get_data (bytes, NULL), NULL, catalogue, &error);
      g_assert_no_error (error);
      assert_has (said->plan, formats[i], "training.kernels=fused");
    }
}

/* Features that Megatron-LM lacks. */
static const struct
{
  const char *settings[8];
  const char *says;
} refused[] = {
  { { "parallelism.order=dp-tp-pp" }, "not dp-tp-cp-pp" },
  { { "training.schedule=zb-h1" }, "Set training.schedule to 1f1b or interleaved." },
  { { "parallelism.overlap-pp=true" }, "only in the interleaved schedule" },
  { { "model.layers=81" }, "81 layers do not divide evenly into 4 stages" },
  { { "training.loss=gathered" }, "never gathers the logits" },
  { { "training.kernels=eager" }, "fused kernels" },
  { { "training.optimizer=adam-bf16", "parallelism.zero=0" },
    "Set training.optimizer to adam, or parallelism.zero to 1." },
  { { "training.precision=fp8", "training.bf16-last-layers=2" },
    "no layers in BF16 with delayed scaling" },
  { { "training.optimizer=muon", "training.precision=fp16" }, "does not support Muon in FP16" },
  { { "training.optimizer=muon", "parallelism.replicate=2" }, "Set parallelism.replicate to 1." },
  { { "training.recompute-modules=norm+activation" }, "only in experts" },
  { { "training.recompute=full", "training.recompute-method=every" }, "not every n-th layer" },
  { { "training.offload-layers=1", "training.recompute=none" },
    "in a pipeline. Set training.offload-layers to 0, or parallelism.pp to 1." },
  { { "training.offload-layers=80", "training.recompute=none", "parallelism.pp=1",
      "parallelism.dp=8" },
    "at least one layer on the GPUs. Set training.offload-layers to at most 79." },
  { { "training.offload-layers=1", "training.recompute=full", "parallelism.pp=1",
      "parallelism.dp=8" },
    "with recompute. Set training.offload-layers to 0, or training.recompute to none." },
  { { "training.offload-layers=1", "training.recompute=none", "training.recompute-modules=norm",
      "parallelism.pp=1", "parallelism.dp=8" },
    "modules. Set training.offload-layers to 0, or clear training.recompute-modules." },
  { { "training.offload-optimizer=1", "parallelism.zero=0" },
    "Set training.offload-optimizer to 0, or parallelism.zero to 1." },
  { { "model.name=qwen3-next-80b-a3b", "model.index-heads=64", "model.index-dim=128",
      "model.index-top-k=2048" },
    "Set model.index-heads to 0, or model.mixer to none." },
  { { "model.positions=4096" }, "fewer than the 8192 tokens" },
  { { "model.name=mixtral-8x7b", "parallelism.ep=8", "parallelism.etp=1", "parallelism.tp=4",
      "parallelism.pp=2", "parallelism.order=tp-cp-pp-dp" },
    "ETP 1 × EP 8 must equal TP × CP = 4" },
  { { "model.name=mixtral-8x7b", "parallelism.ep=8", "parallelism.etp=1", "parallelism.tp=4",
      "parallelism.pp=2", "training.precision=fp16", "parallelism.order=megatron" },
    "expert parallelism in FP16" },
};

static void
test_refused (void)
{
  g_autoptr (PlgCatalogue) catalogue = plg_catalogue_load (NULL);

  for (guint i = 0; i < G_N_ELEMENTS (refused); i++)
    {
      g_autoptr (PlgPlan) plan = plg_catalogue_default_plan (catalogue);
      g_autoptr (GError) error = NULL;

      g_assert_true (plg_settings_apply (plan, catalogue, refused[i].settings, &error));
      g_assert_null (write_plan (plan, &error));
      g_assert_error (error, PLG_FORMAT_ERROR, PLG_FORMAT_ERROR_CONTENT);
      if (strstr (error->message, refused[i].says) == NULL)
        g_error ("“%s” instead of “%s”", error->message, refused[i].says);
    }
}

/* A title is a comment, whatever characters it contains. */
static void
test_title (void)
{
  g_autoptr (PlgCatalogue) catalogue = plg_catalogue_load (NULL);
  g_autoptr (PlgPlan) plan = plg_catalogue_default_plan (catalogue);
  g_autoptr (GBytes) bytes = NULL;

  g_free (plan->title);
  plan->title = g_strdup ("A\nreboot\r$(reboot)`reboot`");
  bytes = write_plan (plan, NULL);
  g_assert_nonnull (strstr (g_bytes_get_data (bytes, NULL),
                            "\n# Plan: A reboot $(reboot)`reboot`\n# 64 ranks"));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/megatron/scripts", test_scripts);
  g_test_add_func ("/megatron/wrong", test_wrong);
  g_test_add_func ("/megatron/round-trip", test_round_trip);
  g_test_add_func ("/megatron/blackwell", test_blackwell);
  g_test_add_func ("/megatron/program", test_program);
  g_test_add_func ("/megatron/deepspeed-options", test_deepspeed_options);
  g_test_add_func ("/megatron/refused", test_refused);
  g_test_add_func ("/megatron/title", test_title);
  return g_test_run ();
}
