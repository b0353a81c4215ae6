/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "io/plan/catalogue-xml.h"
#include "io/registry/registry.h"
#include "plan/plan-check.h"
#include "plan/edit.h"
#include "plan/settings/setting.h"

#include <string.h>

/* Files of frameworks: torchtitan's TOML, DeepSpeed's and Picotron's JSON, NeMo's YAML. */

static PlgImportResult *
read_text (const char *text, const PlgCatalogue *catalogue, GError **error)
{
  g_autoptr (GBytes) bytes = g_bytes_new_static (text, strlen (text));

  return plg_format_read (bytes, "file", NULL, catalogue, error);
}

static void
assert_has (const PlgPlan *plan, const char *name, const char *assignment)
{
  g_auto (GStrv) pair = g_strsplit (assignment, "=", 2);
  g_autofree char *value = plg_setting_get (plg_setting_find (pair[0]), plan);

  if (!g_str_equal (value, pair[1]))
    g_error ("%s: %s is %s, not %s", name, pair[0], value, pair[1]);
}

#define TITAN(training, parallelism)                                                   \
  "[model]\nname = \"llama3\"\nflavor = \"8B\"\n[training]\n" training "[parallelism]" \
  "\n" parallelism

static const struct
{
  const char *format;
  const char *text;
  const char *becomes[14];
  const char *notes[3];
} files[] = {
  { "torchtitan",
    TITAN ("local_batch_size = 4\nseq_len = 4_096\nsteps = 100\n", "tensor_parallel_degree = 2\n"),
    { "model.name=llama3-8b", "parallelism.tp=2", "parallelism.pp=1", "parallelism.dp=32",
      "parallelism.zero=3", "parallelism.order=tp-cp-dp-pp", "training.micro-batch=4",
      "training.global-batch=128", "training.sequence=4096", "training.recompute=selective",
      "training.program=fsdp-eager", "parallelism.sequence=true", "training.tokens=52428800" },
    { "6: Sequence length: 4096", "Data (DP): 32. This is the number of the plan's GPUs divided "
                                  "by the other degrees." } },
  { "torchtitan",
    TITAN ("local_batch_size = 16\nglobal_batch_size = 64\n",
           "pipeline_parallel_degree = 2\npipeline_parallel_schedule = \"Interleaved1F1B\"\n"
           "pipeline_parallel_microbatch_size = 2\npipeline_parallel_layers_per_stage = 6\n"
           "data_parallel_replicate_degree = 1\ndata_parallel_shard_degree = 4\n"
           "[activation_checkpoint]\nmode = 'full'\n[compile]\nenable = true\n"),
    { "training.schedule=interleaved", "parallelism.chunks=3", "parallelism.embedding-slot=true",
      "training.micro-batch=2", "training.global-batch=64", "parallelism.zero=2",
      "parallelism.dp=4", "cluster.nodes=1", "training.recompute=full",
      "training.program=fsdp-compiled" },
    { NULL } },
  { "torchtitan",
    TITAN ("local_batch_size = 4\nseq_len = 4_096\n",
           "tensor_parallel_degree = 2\n[activation_checkpoint]\nmode = \"selective\"\n"
           "selective_ac_option = \"2\"\n"),
    { "training.recompute=full", "training.recompute-method=every", "training.recompute-layers=2" },
    { NULL } },
  { "torchtitan",
    TITAN ("local_batch_size = 4\nseq_len = 4_096\n",
           "tensor_parallel_degree = 2\n[activation_checkpoint]\nselective_ac_option = \"0\"\n"),
    { "training.recompute=full", "training.recompute-method=all" },
    { NULL } },
  { "torchtitan",
    TITAN ("local_batch_size = 4\nseq_len = 4_096\n",
           "tensor_parallel_degree = 2\n[activation_checkpoint]\nmode = \"selective\"\n"
           "selective_ac_option = \"op\"\n"),
    { "training.recompute=selective" },
    { "torchtitan recomputes some operations" } },
  { "torchtitan",
    "# an older one\n[model]\nname = \"gpt9\"\nflavor = \"1B\"\nconverters = [\"float8\",\n]\n"
    "[training]\nbatch_size = 1\ncompile = true\ntensor_parallel_degree = 8\n"
    "data_parallel_replicate_degree = 2\ndata_parallel_shard_degree = 1\n[experimental]\n"
    "pipeline_parallel_degree = 4\npipeline_parallel_schedule = \"GPipe\"\n",
    { "model.name=llama3-70b", "training.precision=fp8", "parallelism.tp=8", "parallelism.pp=4",
      "training.schedule=gpipe", "parallelism.dp=2", "parallelism.zero=0",
      "training.program=fsdp-compiled" },
    { "4: gpt9 1B is not in the catalogue, so the plan's model is kept." } },
  { "deepspeed",
    "{\n\"train_batch_size\": 256,\n\"train_micro_batch_size_per_gpu\": 2,\n"
    "\"gradient_accumulation_steps\": 16,\n\"bf16\": {\"enabled\": true},\n"
    "\"zero_optimization\": {\"stage\": 2, \"overlap_comm\": true, \"reduce_bucket_size\": 5e8}\n}",
    { "training.global-batch=256", "training.micro-batch=2", "parallelism.dp=8",
      "parallelism.zero=2", "training.precision=bf16", "parallelism.overlap-dp=true",
      "parallelism.order=tp-cp-dp-pp", "training.program=deepspeed" },
    { "6: Not part of a plan: zero_optimization.reduce_bucket_size.", "6: ZeRO stage: 2" } },
  /* Shard groups: the sizes of a group and the number of groups, and ZeRO++'s second copy of the
   * weights, which is no shard group. */
  { "torchtitan",
    TITAN ("", "tensor_parallel_degree = 2\ndata_parallel_replicate_degree = 4\n"),
    { "parallelism.tp=2", "parallelism.dp=32", "parallelism.replicate=4", "parallelism.zero=3" },
    { "7: HSDP groups: 4" } },
  { "torchtitan",
    TITAN ("", "data_parallel_shard_degree = 8\ndata_parallel_replicate_degree = 4\n"),
    { "parallelism.dp=32", "parallelism.replicate=4", "cluster.nodes=4" },
    { NULL } },
  { "deepspeed",
    "{\n\"train_batch_size\": 512,\n\"train_micro_batch_size_per_gpu\": 2,\n"
    "\"gradient_accumulation_steps\": 4,\n\"zero_optimization\": {\"stage\": 3,\n"
    "\"mics_shard_size\": 8}}",
    { "parallelism.dp=64", "parallelism.zero=3", "parallelism.replicate=8" },
    { "6: HSDP groups: 8" } },
  { "deepspeed",
    "{\n\"optimizer\": {\"type\": \"AdamW\",\n\"params\": {\"lr\": 1e-4}}, "
    "\"zero_optimization\": {\"stage\": 1}}",
    { "training.optimizer=adam" },
    { "2: Optimizer: Adam", "3: Not part of a plan: optimizer.params.lr." } },
  { "deepspeed",
    "{\n\"optimizer\": {\"type\": \"Lion\"}, \"zero_optimization\": {\"stage\": 1}}",
    { "training.optimizer=adam" },
    { "2: optimizer.type: a plan's optimizer is a kind of Adam or Muon" } },
  { "deepspeed",
    "{\n\"optimizer\": {\"type\": \"Muon\"}, \"zero_optimization\": {\"stage\": 2}}",
    { "training.optimizer=muon" },
    { "2: Optimizer: Muon" } },
  { "torchtitan",
    TITAN ("", "data_parallel_shard_degree = 8\n[optimizer]\nname = \"Muon\"\n"),
    { "training.optimizer=muon" },
    { NULL } },
  { "deepspeed",
    "{\n\"zero_optimization\": {\"stage\": 3, \"mics_shard_size\": -1,\n"
    "\"zero_hpz_partition_size\": 8}}",
    { "parallelism.zero=3", "parallelism.replicate=1" },
    { "3: zero_optimization.zero_hpz_partition_size 8: a plan has no second copy" } },
  { "nemo",
    "trainer:\n  num_nodes: 4\n  devices: 8\n"
    "model:\n  tensor_model_parallel_size: 4\n  pipeline_model_parallel_size: 2\n"
    "ddp:\n  use_distributed_optimizer: true\n  num_distributed_optimizer_instances: 2\n",
    { "parallelism.dp=4", "parallelism.zero=1", "parallelism.replicate=2" },
    { NULL } },
  /* DP covers all GPUs of the open cluster, or of a larger cluster. */
  { "deepspeed",
    "{\n\"train_batch_size\": 512,\n\"train_micro_batch_size_per_gpu\": 2,\n"
    "\"gradient_accumulation_steps\": 4,\n\"zero_optimization\": {\"stage\": 3}}",
    { "parallelism.dp=64", "parallelism.tp=1", "parallelism.pp=1", "cluster.nodes=8" },
    { "Tensor (TP): 1. It was 8" } },
  { "deepspeed",
    "{\n\"train_batch_size\": 1024,\n\"train_micro_batch_size_per_gpu\": 2,\n"
    "\"gradient_accumulation_steps\": 4,\n\"zero_optimization\": {\"stage\": 1}}",
    { "parallelism.dp=128", "parallelism.tp=1", "parallelism.pp=1", "cluster.nodes=16" },
    { "Tensor (TP): 1. Not in the file", "Nodes: 16. It was 8" } },
  { "deepspeed",
    "{\"zero_optimization\": {\"stage\": 3}, \"train_batch_size\": \"auto\",\n"
    "\"fp16\": {\"enabled\": \"auto\"}, \"tensor_parallel\": {\"autotp_size\": 4}}",
    { "parallelism.zero=3", "parallelism.overlap-dp=true", "training.precision=bf16",
      "parallelism.tp=4" },
    { "1: train_batch_size is “auto”, so the plan keeps its value.",
      "2: fp16.enabled is “auto”" } },
  /* DeepSpeed's pipelines work only with ZeRO 0 and 1. */
  { "deepspeed",
    "{\"zero_optimization\": {\"stage\": 3,\n\"offload_optimizer\": {\"device\": \"cpu\", "
    "\"pin_memory\": true},\n\"offload_param\": {\"device\": \"cpu\"}}}",
    { "parallelism.zero=3", "parallelism.pp=1", "training.offload-optimizer=1",
      "training.offload-weights=true" },
    { "2: Not part of a plan: zero_optimization.offload_optimizer.pin…." } },
  { "deepspeed",
    "{\"zero_optimization\": {\"stage\": 3,\n\"offload_optimizer\": {\"device\": \"nvme\",\n"
    "\"ratio\": 0.25}}}",
    { "training.offload-optimizer=0.25" },
    { "2: zero_optimization.offload_optimizer.device is “nvme”; the plan offloads to the memory "
      "of the host instead." } },
  { "deepspeed",
    "{\"zero_optimization\": {\"stage\": 2,\n\"offload_optimizer\": {\"device\": \"cpu\",\n"
    "\"ratio\": 0.25}}}",
    { "training.offload-optimizer=1" },
    { "3: zero_optimization.offload_optimizer.ratio works only with ZeRO 3." } },
  /* Without communication_data_type, DeepSpeed reduces gradients in the format of the weights. */
  { "deepspeed",
    "{\"bf16\": {\"enabled\": true},\n\"data_types\": {\"grad_accum_dtype\": \"fp32\"}, "
    "\"zero_optimization\": {\"stage\": 1}}",
    { "training.gradient-precision=fp32", "training.reduce-precision=bf16" },
    { "Reduction precision: BF16. Not in the file, so DeepSpeed's default is used." } },
  { "deepspeed",
    "{\"bf16\": {\"enabled\": true},\n\"data_types\": {\"grad_accum_dtype\": \"fp32\"},\n"
    "\"communication_data_type\": \"fp32\", \"zero_optimization\": {\"stage\": 1}}",
    { "training.gradient-precision=fp32", "training.reduce-precision=auto" },
    { "3: Reduction precision: Automatic. The file reduces gradients in the format in which the "
      "plan sums them.",
      "!Reduction precision: FP32" } },
  { "deepspeed",
    "{\"bf16\": {\"enabled\": true},\n\"communication_data_type\": \"bfp16\", "
    "\"zero_optimization\": {\"stage\": 1}}",
    { "training.reduce-precision=bf16" },
    { "2: Reduction precision: BF16" } },
  { "deepspeed",
    "{\"zero_optimization\": {\"stage\": 2,\n\"cpu_offload\": true}}",
    { "training.offload-optimizer=1" },
    { NULL } },
  { "torchtitan",
    TITAN ("enable_cpu_offload = true\n", ""),
    { "training.offload-optimizer=1", "training.offload-weights=true" },
    { NULL } },
  { "deepspeed",
    "{\"zero_optimization\": {\"stage\": 3,\n\"offload_optimizer\": {\"device\": \"cpu\"},\n"
    "\"offload_param\": {\"device\": \"nvme\"}}}",
    { "training.offload-optimizer=1", "training.offload-weights=true" },
    { "3: zero_optimization.offload_param.device is “nvme”; the plan offloads to the memory of the "
      "host instead." } },
  { "nemo",
    "model:\n  tensor_model_parallel_size: 2\n  cpu_offloading: false\n"
    "  cpu_offloading_num_layers: 7\n  cpu_offloading_weights: false\n",
    { "training.offload-layers=0" },
    { NULL } },
  { "nemo",
    "model:\n  tensor_model_parallel_size: 2\noptimizer:\n  optimizer_cpu_offload: true\n"
    "  optimizer_offload_fraction: 0.3\n  overlap_cpu_optimizer_d2h_h2d: true\n",
    { "training.offload-optimizer=0.3" },
    { NULL } },
  { "deepspeed",
    "{\"train_micro_batch_size_per_gpu\": 4, \"gradient_accumulation_steps\": 8}",
    { "training.micro-batch=4", "training.precision=fp32", "parallelism.zero=0" },
    { "Set the global batch to 32 × DP" } },
  { "picotron",
    "{\"distributed\": {\"tp_size\": 2, \"cp_size\": 2, \"pp_size\": 2, \"dp_size\": 4,\n"
    "\"pp_engine\": \"afab\", \"backend\": \"nccl\"},\n\"model\": {\"name\": "
    "\"meta-llama/Llama-2-7b-hf\", \"num_hidden_layers\": 16, \"dtype\": \"bfloat16\"},\n"
    "\"training\": {\"seq_length\": 1024, \"micro_batch_size\": 4, "
    "\"gradient_accumulation_steps\": 8}}",
    { "parallelism.tp=2", "parallelism.cp=2", "parallelism.dp=4", "cluster.nodes=4",
      "training.schedule=gpipe", "parallelism.order=tp-cp-pp-dp", "model.layers=16",
      "model.hidden=4096", "training.global-batch=128", "training.sequence=1024",
      "parallelism.zero=0", "training.recompute=none" },
    { "2: Not part of a plan: distributed.backend." } },
  { "nemo",
    "trainer:\n  num_nodes: 4\n  devices: 8\n  precision: bf16-mixed\n  strategy:\n"
    "    tensor_model_parallel_size: 4\n    pipeline_model_parallel_size: 2\n"
    "    virtual_pipeline_model_parallel_size: 5\n    sequence_parallel: true\n"
    "model:\n  num_layers: 40\n  hidden_size: 5120\n  num_attention_heads: 40\n"
    "  num_query_groups: null\n  activation: fast-swiglu\n  bias: false\n"
    "  share_embeddings_and_output_weights: yes\n  activations_checkpoint_granularity: null\n"
    "  micro_batch_size: 1\n  global_batch_size: 128\n  optim:\n    lr: 1e-4\n"
    "  tokenizers: [8]\n",
    { "cluster.nodes=4", "parallelism.tp=4", "parallelism.pp=2", "parallelism.chunks=5",
      "training.schedule=interleaved", "parallelism.dp=4", "model.layers=40", "model.gated=true",
      "model.biases=false", "model.tied=true", "training.recompute=none",
      "training.global-batch=128", "parallelism.order=tp-cp-dp-pp" },
    { "6: Tensor (TP): 4", "22: Not part of a plan: model.optim.lr, model.tokenizers." } },
  { "nemo",
    "# Megatron-Bridge\nmodel:\n  tensor_model_parallel_size: 2\n  gated_linear_unit: false\n"
    "mixed_precision: bf16_with_fp8_current_scaling_mixed\nddp:\n  grad_reduce_in_fp32: false\n"
    "  use_distributed_optimizer: true\ndist:\n  use_tp_pp_dp_mapping: true\n",
    { "parallelism.tp=2", "model.gated=false", "training.precision=fp8",
      "training.fp8-recipe=current", "training.gradient-precision=bf16", "parallelism.zero=1",
      "parallelism.order=tp-cp-pp-dp", "parallelism.pp=4" },
    { NULL } },
  { "nemo",
    "model:\n  tensor_model_parallel_size: 2\nmixed_precision:\n  fp8: hybrid\n"
    "  fp8_recipe: blockwise\n  bf16: true\n  fp16: false\n  fp32: false\n  fp4: null\n",
    { "training.precision=fp8", "training.fp8-recipe=blockwise" },
    { "4: Precision: FP8", "!Not part of a plan" } },
  { "nemo",
    "model:\n  tensor_model_parallel_size: 2\nmixed_precision: "
    "bf16-with-fp8-subchannel-scaling-mixed\n",
    { "training.precision=fp8", "training.fp8-recipe=blockwise" },
    { "!Not part of a plan" } },
  { "nemo",
    "model:\n  tensor_model_parallel_size: 2\nmixed_precision: bf16_with_nvfp4_mixed\n",
    { "training.precision=fp8" },
    { "3: Precision: FP8. The file has FP4, which H100 SXM cannot run. After you choose a GPU that "
      "can, set training.precision to fp4.",
      "!Not part of a plan" } },
  { "nemo",
    "model:\n  tensor_model_parallel_size: 2\nmixed_precision: foo\n",
    { "training.precision=bf16" },
    { "3: mixed_precision is “foo”, which is not a known precision, so the plan keeps its value.",
      "!Not part of a plan" } },
  { "nemo",
    "trainer:\n  precision: 32-true\n  strategy:\n    tensor_model_parallel_size: 2\n",
    { "training.precision=fp32" },
    { "2: Precision: FP32", "!Not part of a plan" } },
  /* Layers, width and heads define a model: no value of the open plan's model remains. */
  { "nemo",
    "model:\n  tensor_model_parallel_size: 8\n  num_layers: 96\n  hidden_size: 12288\n"
    "  num_attention_heads: 96\n  num_query_groups: null\n  activation: fast-swiglu\n",
    { "model.layers=96", "model.kv-heads=96", "model.ffn=49152", "model.gated=true",
      "model.head-dim=128", "model.rms-norm=false", "model.tied=true" },
    { "KV heads: 96. Not in the file", "MLP size: 49152. Not in the file, so Megatron-LM's default "
                                       "is used." } },
  { "nemo",
    "model:\n  tensor_model_parallel_size: 2\n  num_layers: 40\n",
    { "model.layers=40", "model.hidden=8192", "model.kv-heads=8" },
    { "These values are kept from the open plan: Hidden size 8192, Attention heads 64, KV heads 8, "
      "MLP size 28672" } },
  { "nemo",
    "model:\n  tensor_model_parallel_size: 1\n  num_layers: 24\n  hidden_size: 1024\n  num_attention_heads: 16\n"
    "  window_size: [127, 0]\n  window_attn_skip_freq: 2\n",
    { "model.window=128", "model.full-attention-every=2" },
    { NULL } },
  { "nemo",
    "model:\n  tensor_model_parallel_size: 1\n  num_layers: 24\n  hidden_size: 1024\n  num_attention_heads: 16\n"
    "  window_size:\n  - 127\n  - 0\n  window_attn_skip_freq: [1, 1, 0, 1, 1, 0]\n",
    { "model.window=128", "model.full-attention-every=3" },
    { NULL } },
  /* The importer resolves the references that OmegaConf would, and reports those that need other
   * sources. */
  { "nemo",
    "parallel: &parallel\n  tensor_model_parallel_size: 4\n  pipeline_model_parallel_size: 1\n"
    "trainer:\n  num_nodes: &n 2\n  devices: *n\n"
    "model:\n  <<: *parallel\n  tensor_model_parallel_size: 2\n",
    { "cluster.nodes=2", "cluster.gpus-per-node=2", "parallelism.tp=2", "parallelism.pp=1",
      "parallelism.dp=2" },
    { "9: Tensor (TP): 2", "3: Pipeline (PP): 1" } },
  /* Different keys with the same ending are the same option only for settings of a plan. */
  { "nemo",
    "trainer:\n  _target_: nemo.lightning.Trainer\n  strategy:\n"
    "    _target_: nemo.lightning.MegatronStrategy\n    tensor_model_parallel_size: 2\n",
    { "parallelism.tp=2" },
    { "2: Not part of a plan: trainer._target_, trainer.strategy._target_." } },
  { "nemo",
    "data:\n  micro_batch_size: 1\nmodel:\n  tensor_model_parallel_size: 2\n"
    "  micro_batch_size: 2\n",
    { "training.micro-batch=2" },
    { "2: data.micro_batch_size 1: line 5 repeats this option, and the last value counts." } },
  { "nemo",
    "model:\n  hidden_size: 4096\n  ffn_hidden_size: ${multiply:4, ${.hidden_size}}\n"
    "  num_layers: \"${multiply:${trainer.num_nodes}, ${multiply:2, 5}}\"\n"
    "  seq_length: ${oc.env:SEQ,2048}\n  micro_batch_size: ${.micro_batch_size}\n"
    "  pipeline_model_parallel_size: ${.missing}\n"
    "  sequence_parallel: ${oc.env:SP}\n  precision: ${trainer.precision}\n"
    "  optim:\n    overlap_grad_sync: ${...trainer.overlap}\n    lr: ${oc.env:LR}\n"
    "trainer:\n  num_nodes: 8\n  devices: 8\n  precision: fp16\n  overlap: false\n"
    "  strategy:\n    tensor_model_parallel_size: ${..devices}\n",
    { "model.hidden=4096", "model.ffn=16384", "model.layers=80", "training.sequence=8192",
      "training.micro-batch=1", "parallelism.sequence=true", "training.precision=fp16",
      "parallelism.overlap-dp=false", "parallelism.tp=8", "parallelism.pp=4" },
    { "5: model.seq_length is “${oc.env:SEQ,2048}”, which cannot be resolved from this file, so "
      "the plan keeps its value.",
      "8: model.sequence_parallel is “${oc.env:SP}”, which",
      "Not part of a plan: model.optim.lr" } },
};

static void
test_files (void)
{
  g_autoptr (PlgCatalogue) catalogue = plg_catalogue_load (NULL);

  for (guint i = 0; i < G_N_ELEMENTS (files); i++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (PlgImportResult) import = read_text (files[i].text, catalogue, &error);
      g_autofree char *notes = NULL;

      if (import == NULL)
        g_error ("%s\n%s", files[i].text, error->message);
      g_assert_cmpstr (import->format->name, ==, files[i].format);
      g_assert_true (plg_plan_check (import->plan, NULL));
      for (int j = 0; files[i].becomes[j] != NULL; j++)
        assert_has (import->plan, files[i].text, files[i].becomes[j]);
      notes = plg_import_result_text (import, G_MAXUINT);
      for (guint j = 0; j < G_N_ELEMENTS (files[i].notes) && files[i].notes[j] != NULL; j++)
        {
          gboolean is_wanted = *files[i].notes[j] != '!';
          const char *part = files[i].notes[j] + !is_wanted;

          if ((strstr (notes, part) != NULL) != is_wanted)
            g_error ("“%s” is %s:\n%s", part, is_wanted ? "missing" : "present", notes);
        }
    }
}

static const struct
{
  const char *text;
  const char *says;
} wrong[] = {
  { TITAN ("", "tensor_parallel_degree = 0\n"), "file:6: parallelism.tensor_parallel_degree: " },
  { "[model]\nname = \"qwen3\"\nflavor = \"30B-A3B\"\n[parallelism]\nexpert_parallel_degree = 8\n",
    "file:3: qwen3 30B-A3B is not in the catalogue, and Llama 3 70B has no experts for EP 8. "
    "Open the model's config.json first, then this file." },
  { TITAN ("", "tensor_parallel_degree = 1e300\n"),
    "6: parallelism.tensor_parallel_degree is “1e300”; it must be a whole number" },
  { TITAN ("", "tensor_parallel_degree = 999999999999999999999\n"),
    "degree is “999999999999999999999”; it must be a whole number of at most 15 digits" },
  { TITAN ("", "tensor_parallel_degree = -1\n"), "6: parallelism.tensor_parallel_degree: " },
  { TITAN ("", "tensor_parallel_degree = 8\ntensor_parallel_degree = 4\n"),
    "7: parallelism.tensor_parallel_degree occurs twice, first on line 6" },
  { TITAN ("", "") "[parallelism]\n", "6: parallelism occurs twice, first on line 5" },
  { TITAN ("", "tensor_parallel_degree = \"8\"\n"),
    "6: parallelism.tensor_parallel_degree is the text \"8\"; write it without quotes" },
  { TITAN ("", "disable_loss_parallel = \"true\"\n"),
    "6: parallelism.disable_loss_parallel is the" },
  { TITAN ("", "tensor_parallel_degree = [8]\n"),
    "6: parallelism.tensor_parallel_degree is “[8]”; it must be a whole number" },
  { TITAN ("", "tensor_parallel_degree = eight\n"), "6: A word must be in quotes" },
  { TITAN ("", "tensor_parallel_degree = \"8\n"), "6: A string begins here and does not end" },
  { TITAN ("", "tensor_parallel_degree = 8 8\n"), "6: The line must end after the value" },
  { TITAN ("", "tensor_parallel_degree 8\n"), "6: “=” must follow the key" },
  { TITAN ("", "tensor_parallel_degree =\n"), "6: The key has no value" },
  { TITAN ("", "= 8\n"), "6: A key is missing here" },
  { TITAN ("", "x = [1, {a = 2]\n"), "6: This bracket is not closed" },
  { TITAN ("", "x = \"\\q\"\n"), "6: A backslash in a string" },
  { TITAN ("", "[parallelism\n"), "6: This bracket is not closed" },
  { TITAN ("", "data_parallel_shard_degree = -2\n"), "6: -2 shards and 1 copies are invalid" },
  { TITAN ("", "data_parallel_replicate_degree = 0\n"), "6: -1 shards and 0 copies" },
  { TITAN ("local_batch_size = 3\n",
           "pipeline_parallel_degree = 2\npipeline_parallel_microbatch_size = 2\n"),
    "5: A batch of 3 in micro-batches of 2" },
  { TITAN ("", "pipeline_parallel_degree = 2\npipeline_parallel_schedule = \"DualPipeV\"\n"),
    "7: parallelism.pipeline_parallel_schedule is “DualPipeV”; it must be one of: GPipe" },
  { TITAN ("",
           "pipeline_parallel_degree = 2\npipeline_parallel_schedule = \"Interleaved1F1B\"\n"
           "pipeline_parallel_layers_per_stage = 17\n"),
    "8: parallelism.pipeline_parallel_layers_per_stage 17 makes 2 chunks" },
  { TITAN ("", "x = \"\xFF\"\n"), "6: Byte 0xFF" },
  { "{\"train_batch_size\": 100,\n\"train_micro_batch_size_per_gpu\": 3}",
    "1: train_batch_size 100 is not a multiple of micro-batch 3 × accumulation 1" },
  { "{\"train_batch_size\": 512, \"train_micro_batch_size_per_gpu\": 2,\n"
    "\"gradient_accumulation_steps\": 4,\n"
    "\"zero_optimization\": {\"stage\": 3, \"mics_shard_size\": 24}}",
    "3: zero_optimization.mics_shard_size 24 does not divide the 64 replicas" },
  { TITAN ("", "data_parallel_replicate_degree = 3\n"),
    "6: parallelism.replicate 3 does not divide DP 64; use 2 or 4" },
  { "{\"zero_optimization\": {\"stage\": 4}}", "1: zero_optimization.stage: " },
  { "{\"zero_optimization\": {\"stage\": \"two\"}}", "zero_optimization.stage is “two”" },
  { "{\"zero_optimization\": {\"stage\": 1, \"overlap_comm\": 3}}", "it must be true or false" },
  { "{\"zero_optimization\": {},\n\"bf16\": {\"enabled\": true}, \"fp16\": {\"enabled\": true}}",
    "2: BF16 and FP16 are both enabled" },
  { "{\"train_batch_size\": 8,\n\"zero_optimization\": [3]}",
    "2: zero_optimization is “a list”; it must be a block" },
  { "{\"train_batch_size\": 8,\n\"bf16\": true}", "2: bf16 is “true”; it must be a block" },
  { "{\"train_batch_size\": -8}", "1: train_batch_size is “-8”" },
  { "{\"train_batch_size\": 1e300}", "train_batch_size" },
  { "{\"train_batch_size\": 8,\n\"train_batch_size\": 8}", "file:2: " },
  { "{\"zero_optimization\": {", "file:1: " },
  { "{\"distributed\": {\"tp_size\": 3, \"dp_size\": 1}}", "file" },
  { "{\"distributed\": {\"tp_size\": 0}}", "1: distributed.tp_size: " },
  { "{\"distributed\": {\"tp_size\": 1,\n\"pp_engine\": \"zb\"}}",
    "2: distributed.pp_engine is “zb”" },
  { "{\"distributed\": {\"tp_size\": 1}, \"training\": {\"gradient_accumulation_steps\": 0}}",
    "it must be from 1 to 100000000" },
  { "model:\n  tensor_model_parallel_size: &x 8\n  pipeline_model_parallel_size: *y\n",
    "3: *y has no value: there is no &y before it" },
  { "model:\n  tensor_model_parallel_size: 8\n  tensor_model_parallel_size: 4\n",
    "3: tensor_model_parallel_size occurs twice, first on line 2" },
  { "model:\n  tensor_model_parallel_size: 3\ntrainer:\n  num_nodes: 4\n  devices: 8\n",
    "2: TP 3 × CP 1 × PP 1 = 3 does not divide the 32 GPUs" },
  { "model:\n  hidden_size: 4.5\n  tensor_model_parallel_size: ${.hidden_size}\n",
    "3: model.tensor_model_parallel_size is “4.5”; it must be a whole number" },
  { "model:\n  pipeline_model_parallel_size: 2\n  tensor_model_parallel_size: [8]\n",
    "3: model.tensor_model_parallel_size is “[8]”; it must be a whole number" },
  { "model:\n  tensor_model_parallel_size: 8\n  sequence_parallel: [true, {}]\n",
    "3: model.sequence_parallel is a list; it must be a single value" },
  { "model:\n  tensor_model_parallel_size: 8\n  num_layers_in_first_pipeline_stage: [8]\n",
    "3: model.num_layers_in_first_pipeline_stage is" },
  { "model:\n  tensor_model_parallel_size: 8\n  activation: [swiglu]\n",
    "3: model.activation is a list" },
  { "model:\n  tensor_model_parallel_size: [8\n", "This is not YAML" },
  { "model:\n\ttensor_model_parallel_size: 8\n", "2: YAML does not allow a tab" },
};

static void
test_wrong (void)
{
  g_autoptr (PlgCatalogue) catalogue = plg_catalogue_load (NULL);

  for (guint i = 0; i < G_N_ELEMENTS (wrong); i++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (PlgImportResult) import = read_text (wrong[i].text, catalogue, &error);

      if (import != NULL)
        g_error ("“%s” is read", wrong[i].text);
      if (strstr (error->message, wrong[i].says) == NULL)
        g_error ("“%s” instead of “%s”", error->message, wrong[i].says);
    }
}

/* Plans of the default cluster that are written and read back as the same plan; values that a
 * format cannot hold are the default values. */
static const struct
{
  const char *format;
  const char *settings[12];
} plans[] = {
  { "torchtitan",
    { "parallelism.order=torchtitan", "parallelism.zero=2", "training.program=fsdp-compiled" } },
  { "torchtitan",
    { "parallelism.order=torchtitan", "parallelism.zero=3", "training.program=fsdp-compiled",
      "parallelism.pp=1", "training.micro-batch=2", "parallelism.overlap-tp=true",
      "training.recompute=none", "parallelism.cp=2", "parallelism.tp=4" } },
  { "torchtitan",
    { "model.name=deepseek-v3", "parallelism.order=torchtitan", "parallelism.zero=0",
      "training.program=fsdp-eager", "training.precision=fp8", "parallelism.ep=8",
      "parallelism.etp=1", "training.recompute=full", "parallelism.embedding-slot=true",
      "parallelism.dispatcher=hybridep" } },
  { "torchtitan",
    { "parallelism.order=torchtitan", "parallelism.zero=2", "training.program=fsdp-compiled",
      "training.recompute=full", "training.recompute-method=every",
      "training.recompute-layers=3" } },
  { "torchtitan",
    { "parallelism.order=torchtitan", "parallelism.zero=2", "training.program=fsdp-compiled",
      "parallelism.chunks=2", "training.loss=gathered", "parallelism.loss-slot=true",
      "training.gradient-precision=bf16" } },
  { "torchtitan",
    { "parallelism.order=torchtitan", "parallelism.zero=3", "training.program=fsdp-compiled",
      "training.precision=fp8", "training.fp8-recipe=current" } },
  { "torchtitan",
    { "parallelism.order=torchtitan", "parallelism.zero=3", "training.program=fsdp-eager",
      "training.kernels=fused" } },
  { "torchtitan",
    { "parallelism.order=torchtitan", "parallelism.pp=1", "parallelism.tp=4", "parallelism.zero=3",
      "parallelism.replicate=4", "training.program=fsdp-compiled" } },
  { "torchtitan",
    { "parallelism.order=torchtitan", "parallelism.zero=2", "training.program=fsdp-eager",
      "training.optimizer=adam-bf16" } },
  { "deepspeed", { "parallelism.order=deepspeed", "training.program=deepspeed" } },
  { "deepspeed",
    { "parallelism.order=deepspeed", "training.program=deepspeed", "training.optimizer=muon" } },
  { "nemo", { "training.dropout=on" } },
  { "nemo",
    { "training.precision=fp8", "training.fp8-recipe=current", "training.bf16-first-layers=3",
      "training.bf16-last-layers=12" } },
  { "nemo",
    { "training.optimizer=muon", "training.muon-steps=8", "training.muon-tp=distributed" } },
  { "deepspeed",
    { "parallelism.order=deepspeed", "training.program=deepspeed", "parallelism.pp=1",
      "parallelism.tp=4", "parallelism.zero=3", "training.precision=fp16",
      "training.gradient-precision=bf16", "parallelism.overlap-dp=false" } },
  { "deepspeed",
    { "parallelism.order=deepspeed", "training.program=deepspeed", "parallelism.pp=1",
      "parallelism.tp=4", "parallelism.zero=3", "parallelism.replicate=8" } },
  { "deepspeed",
    { "parallelism.order=deepspeed", "training.program=deepspeed", "parallelism.pp=1",
      "parallelism.zero=3", "training.offload-optimizer=0.3" } },
  { "deepspeed",
    { "parallelism.order=deepspeed", "training.program=deepspeed", "parallelism.zero=1",
      "training.offload-optimizer=1" } },
  { "deepspeed",
    { "parallelism.order=deepspeed", "training.program=deepspeed",
      "training.reduce-precision=bf16" } },
  { "deepspeed",
    { "parallelism.order=deepspeed", "training.program=deepspeed",
      "training.gradient-precision=bf16", "training.reduce-precision=fp32" } },
  { "torchtitan",
    { "parallelism.order=torchtitan", "parallelism.zero=2", "training.program=fsdp-eager",
      "training.offload-optimizer=1" } },
  { "torchtitan",
    { "parallelism.order=torchtitan", "parallelism.zero=3", "training.program=fsdp-eager",
      "training.offload-optimizer=1", "training.offload-weights=true" } },
  { "deepspeed",
    { "parallelism.order=deepspeed", "parallelism.zero=3", "parallelism.pp=1",
      "training.program=deepspeed", "training.offload-optimizer=1",
      "training.offload-weights=true" } },
  { "nemo",
    { "parallelism.order=megatron", "parallelism.zero=1", "training.offload-optimizer=0.5" } },
  { "nemo",
    { "parallelism.order=megatron", "parallelism.pp=1", "training.recompute=none",
      "training.offload-layers=20" } },
  { "picotron",
    { "parallelism.order=picotron", "training.program=plain", "parallelism.zero=0",
      "parallelism.sequence=false", "training.recompute=none" } },
  { "picotron",
    { "model.name=llama2-7b", "parallelism.order=picotron", "training.program=plain",
      "parallelism.zero=0", "parallelism.sequence=false", "training.recompute=none",
      "parallelism.cp=2", "parallelism.tp=2", "training.schedule=gpipe",
      "training.flash-attention=false" } },
  { "nemo", { "parallelism.order=megatron" } },
  { "nemo", { "parallelism.order=megatron", "parallelism.tp=4", "parallelism.replicate=2" } },
  { "nemo", { "parallelism.order=megatron", "cluster.nodes=4", "parallelism.dp=1" } },
  { "nemo",
    { "parallelism.order=megatron", "cluster.nodes=16", "cluster.gpus-per-node=4",
      "parallelism.tp=4", "parallelism.dp=4" } },
  { "nemo",
    { "parallelism.order=megatron-tp-pp-dp", "parallelism.chunks=5", "parallelism.overlap-pp=true",
      "training.recompute=none", "parallelism.overlap-tp=true", "training.precision=fp8",
      "training.gradient-precision=bf16", "parallelism.cp-type=ulysses" } },
  { "nemo",
    { "model.name=deepseek-v3", "parallelism.order=megatron", "parallelism.tp=2",
      "parallelism.pp=1", "parallelism.ep=8", "parallelism.zero=3", "training.recompute=full",
      "parallelism.overlap-dp=false", "training.loss=plain", "parallelism.dispatcher=deepep" } },
  { "nemo",
    { "parallelism.order=megatron", "training.precision=fp8", "training.fp8-recipe=blockwise" } },
  { "nemo",
    { "model.name=gpt3-175b", "parallelism.order=megatron", "training.sequence=2048",
      "parallelism.zero=0", "parallelism.first-layers=22", "parallelism.last-layers=26",
      "training.precision=fp16" } },
  { "nemo",
    { "model.name=deepseek-v3", "parallelism.order=megatron", "parallelism.pp=1",
      "parallelism.ep=8", "training.recompute=none", "training.recompute-modules=mla-up+activation",
      "parallelism.dispatcher=all-gather" } },
  { "nemo",
    { "parallelism.order=megatron", "training.recompute=selective",
      "training.recompute-modules=norm" } },
  { "nemo",
    { "parallelism.order=megatron", "parallelism.layout=Et*9|(t*10|)*6t*11L",
      "parallelism.overlap-pp=true" } },
};

static void
test_round_trip (void)
{
  g_autoptr (PlgCatalogue) catalogue = plg_catalogue_load (NULL);
  int n;
  const PlgSetting *settings = plg_settings (&n);

  for (guint i = 0; i < G_N_ELEMENTS (plans); i++)
    {
      g_autoptr (PlgPlan) plan = plg_catalogue_default_plan (catalogue);
      PlgExportContext export = { .plan = plan };
      g_autoptr (PlgImportResult) import = NULL;
      g_autoptr (GBytes) bytes = NULL;
      g_autoptr (GError) error = NULL;

      g_assert_true (plg_settings_apply (plan, catalogue, plans[i].settings, &error));
      bytes = plg_format_write (plg_format_find (plans[i].format), &export, &error);
      g_assert_no_error (error);
      import = read_text (g_bytes_get_data (bytes, NULL), catalogue, &error);
      g_assert_no_error (error);
      g_assert_cmpstr (import->format->name, ==, plans[i].format);
      for (int j = 0; j < n; j++)
        {
          g_autofree char *before = plg_setting_get (&settings[j], plan);
          g_autofree char *after = plg_setting_get (&settings[j], import->plan);

          if (!g_str_equal (before, after))
            g_error ("%s: %s was %s\n%s", settings[j].key, after, before,
                     (const char *) g_bytes_get_data (bytes, NULL));
        }
      for (int rank = 0; rank < plg_plan_world (plan); rank++)
        g_assert_cmpint (plg_placement_gpu (&plan->placement, rank), ==,
                         plg_placement_gpu (&import->plan->placement, rank));
    }
}

static const struct
{
  const char *format;
  const char *settings[6];
  const char *says;
} refused[] = {
  { "torchtitan", { "parallelism.order=torchtitan" }, "shards the weights too (FSDP)" },
  { "torchtitan",
    { "parallelism.order=torchtitan", "parallelism.zero=3", "training.recompute=full",
      "training.recompute-method=first" },
    "recomputes all layers or every n-th layer" },
  { "torchtitan", { "parallelism.order=tp-cp-pp-dp" }, "torchtitan numbers its ranks" },
  { "deepspeed",
    { "parallelism.order=deepspeed", "parallelism.replicate=2", "parallelism.zero=1" },
    "shard groups (MiCS) only with ZeRO 3" },
  { "torchtitan",
    { "parallelism.order=torchtitan", "parallelism.zero=3", "model.layers=40" },
    "other models need Python code" },
  { "torchtitan",
    { "parallelism.order=torchtitan", "parallelism.zero=3", "training.schedule=zb-h1" },
    "Set training.schedule to gpipe, 1f1b, interleaved or zb-v." },
  { "torchtitan",
    { "parallelism.order=torchtitan", "parallelism.zero=3", "training.precision=fp16" },
    "Set training.precision to bf16, fp8 or fp32." },
  { "torchtitan",
    { "parallelism.order=torchtitan", "parallelism.zero=3", "training.offload-optimizer=0.5" },
    "offloads the whole optimizer or nothing. Set training.offload-optimizer to 0 or 1." },
  { "deepspeed",
    { "parallelism.order=deepspeed", "parallelism.zero=1", "training.offload-optimizer=0.5" },
    "only with ZeRO 3. Set training.offload-optimizer to 0 or 1, or parallelism.zero to 3." },
  { "deepspeed",
    { "parallelism.order=deepspeed", "parallelism.zero=0", "training.offload-optimizer=1" },
    "only with ZeRO 1, 2 or 3. Set training.offload-optimizer to 0, or parallelism.zero to 1." },
  { "torchtitan",
    { "parallelism.order=torchtitan", "parallelism.zero=3", "training.precision=fp8",
      "training.fp8-recipe=blockwise" },
    "torchtitan has no FP8 recipe “blockwise”. Set training.fp8-recipe to current." },
  { "torchtitan",
    { "parallelism.order=torchtitan", "parallelism.zero=3", "cluster.gpu=b200-sxm-180",
      "training.precision=fp8", "training.fp8-recipe=delayed" },
    "torchtitan has no FP8 recipe “delayed”. Set training.fp8-recipe to current or mxfp8." },
  { "deepspeed", { "parallelism.order=tp-cp-pp-dp" }, "DeepSpeed numbers its ranks" },
  { "deepspeed",
    { "parallelism.order=deepspeed", "parallelism.zero=2" },
    "only with ZeRO 0 and 1" },
  { "deepspeed", { "parallelism.order=deepspeed", "parallelism.cp=2" }, "has no CP" },
  { "deepspeed",
    { "parallelism.order=tp-cp-pp-dp", "parallelism.zero=2" },
    "ranks. DeepSpeed's pipelines" },
  { "deepspeed",
    { "model.name=mixtral-8x7b", "parallelism.order=deepspeed", "parallelism.tp=2",
      "parallelism.pp=4", "parallelism.ep=8" },
    "has no EP" },
  { "picotron", { "parallelism.order=picotron" }, "Picotron does not support ZeRO" },
  { "picotron", { "model.name=gpt3-175b", "training.sequence=2048" }, "Llama-like models" },
  { "nemo", { "parallelism.order=megatron", "training.precision=fp32" }, "mixed precision" },
  /* All settings together. */
  { "torchtitan",
    { "parallelism.order=tp-cp-pp-dp", "parallelism.zero=1" },
    "FSDP) or shards nothing" },
  { "torchtitan", { "parallelism.order=tp-cp-pp-dp", "parallelism.zero=1" }, "numbers its ranks" },
  { "picotron",
    { "parallelism.order=megatron", "parallelism.zero=1", "model.name=gpt3-175b",
      "training.sequence=2048" },
    "tp-cp-pp-dp. Set parallelism.order to picotron, or write a table of ranks. "
    "Picotron does not support ZeRO." },
  { "megatron",
    { "parallelism.order=dp-tp-pp", "training.schedule=zb-h1" },
    "to 1f1b or interleaved." },
  { "megatron", { "parallelism.order=dp-tp-pp", "training.schedule=zb-h1" }, "numbers its ranks" },
  { "nemo", { "parallelism.order=dp-tp-pp" }, "Megatron-LM numbers its ranks" },
};

static void
test_refused (void)
{
  g_autoptr (PlgCatalogue) catalogue = plg_catalogue_load (NULL);

  for (guint i = 0; i < G_N_ELEMENTS (refused); i++)
    {
      g_autoptr (PlgPlan) plan = plg_catalogue_default_plan (catalogue);
      PlgExportContext export = { .plan = plan };
      g_autoptr (GError) error = NULL;

      g_assert_true (plg_settings_apply (plan, catalogue, refused[i].settings, &error));
      g_assert_null (plg_format_write (plg_format_find (refused[i].format), &export, &error));
      g_assert_error (error, PLG_FORMAT_ERROR, PLG_FORMAT_ERROR_CONTENT);
      if (strstr (error->message, refused[i].says) == NULL)
        g_error ("“%s” instead of “%s”", error->message, refused[i].says);
    }
}

/* DeepSpeed's file has the weights on the host only if the plan's estimate has them there. */
static void
test_offloaded_weights (void)
{
  static const char *const settings[][6] = {
    { "parallelism.order=deepspeed", "parallelism.zero=3", "parallelism.pp=1",
      "training.offload-weights=true", "training.offload-optimizer=1" },
    { "parallelism.order=deepspeed", "parallelism.zero=3", "parallelism.pp=1",
      "training.offload-weights=true", "training.offload-optimizer=0.5" },
  };
  g_autoptr (PlgCatalogue) catalogue = plg_catalogue_load (NULL);

  for (guint i = 0; i < G_N_ELEMENTS (settings); i++)
    {
      g_autoptr (PlgPlan) plan = plg_catalogue_default_plan (catalogue);
      g_autoptr (GBytes) bytes = NULL;
      g_autoptr (GError) error = NULL;
      const char *text;

      g_assert_true (plg_settings_apply (plan, catalogue, settings[i], &error));
      bytes = plg_format_write (plg_format_find ("deepspeed"), &(PlgExportContext) { .plan = plan },
                                &error);
      g_assert_no_error (error);
      text = g_bytes_get_data (bytes, NULL);
      g_assert_cmpint (strstr (text, "\"offload_param\"") != NULL, ==, i == 0);
    }
}

/* Megatron Core raises an error for each of these settings if there is nothing to divide, and
 * interleaves with any number of chunks, even 1. */
static void
test_degrees_of_one (void)
{
  static const char *const settings[] = { "parallelism.order=megatron", "parallelism.tp=1",
                                          "parallelism.pp=1", "parallelism.sequence=true", NULL };
  static const char *const interleaved[] = { "parallelism.order=megatron", "parallelism.pp=4",
                                             "training.schedule=interleaved",
                                             "parallelism.chunks=2", NULL };
  static const char nothing[] = "model:\n  pipeline_model_parallel_size: 4\n"
                                "  virtual_pipeline_model_parallel_size: null\n";
  g_autoptr (PlgCatalogue) catalogue = plg_catalogue_load (NULL);
  g_autoptr (PlgPlan) plan = plg_catalogue_default_plan (catalogue);
  g_autoptr (PlgPlan) open = plg_catalogue_default_plan (catalogue);
  g_autoptr (PlgImportResult) import = NULL;
  g_autoptr (GBytes) bytes = NULL;
  g_autoptr (GBytes) part = g_bytes_new (nothing, strlen (nothing));
  g_autoptr (GError) error = NULL;

  g_assert_true (plg_settings_apply (plan, catalogue, settings, &error));
  bytes = plg_format_write (plg_format_find ("nemo"), &(PlgExportContext) { .plan = plan }, &error);
  g_assert_no_error (error);
  g_assert_nonnull (strstr (g_bytes_get_data (bytes, NULL), "sequence_parallel: false\n"));
  g_assert_nonnull (strstr (g_bytes_get_data (bytes, NULL),
                            "virtual_pipeline_model_parallel_size: null\n"));
  g_assert_true (plg_settings_apply (open, catalogue, interleaved, &error));
  import = plg_format_read (part, "f", open, catalogue, &error);
  g_assert_no_error (error);
  assert_has (import->plan, "null", "parallelism.chunks=1");
  assert_has (import->plan, "null", "training.schedule=1f1b");
}

/* Megatron-Bridge rejects a key in the wrong block of its ConfigContainer, but the importer accepts
 * some keys in several blocks. The name of a block is "" at the top level. */
static void
test_nemo_blocks (void)
{
  static const char *const settings[] = { "model.name=mixtral-8x7b",
                                          "parallelism.order=megatron",
                                          "parallelism.tp=2",
                                          "parallelism.pp=1",
                                          "parallelism.ep=8",
                                          "parallelism.sequence=true",
                                          "training.offload-optimizer=0.5",
                                          NULL };
  static const char *const keys[][2] = {
    { "tensor_model_parallel_size", "model" },
    { "num_moe_experts", "model" },
    { "cross_entropy_loss_fusion", "model" },
    { "global_batch_size", "train" },
    { "sequence_length", "dataset" },
    { "use_distributed_optimizer", "ddp" },
    { "optimizer_offload_fraction", "optimizer" },
    { "use_tp_pp_dp_mapping", "dist" },
    { "tp_comm_overlap", "comm_overlap" },
    { "overlap_p2p_comm", "comm_overlap" },
    { "mixed_precision", "" },
  };
  g_autoptr (PlgCatalogue) catalogue = plg_catalogue_load (NULL);
  g_autoptr (PlgPlan) plan = plg_catalogue_default_plan (catalogue);
  g_autoptr (GHashTable) blocks = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  g_autoptr (GBytes) bytes = NULL;
  g_autoptr (GError) error = NULL;
  g_auto (GStrv) lines = NULL;
  g_autofree char *block = g_strdup ("");

  g_assert_true (plg_settings_apply (plan, catalogue, settings, &error));
  bytes = plg_format_write (plg_format_find ("nemo"), &(PlgExportContext) { .plan = plan }, &error);
  g_assert_no_error (error);
  lines = g_strsplit (g_bytes_get_data (bytes, NULL), "\n", -1);
  for (int i = 0; lines[i] != NULL; i++)
    {
      gboolean is_top = !g_str_has_prefix (lines[i], " ");
      g_autofree char *key = g_strstrip (g_strndup (lines[i], strcspn (lines[i], ":")));

      if (g_str_has_suffix (lines[i], ":") && is_top)
        {
          g_free (block);
          block = g_strdup (key);
        }
      g_hash_table_insert (blocks, g_steal_pointer (&key), g_strdup (is_top ? "" : block));
    }
  for (guint i = 0; i < G_N_ELEMENTS (keys); i++)
    {
      g_test_message ("%s", keys[i][0]);
      g_assert_cmpstr (g_hash_table_lookup (blocks, keys[i][0]), ==, keys[i][1]);
    }
}

/* The launcher determines the GPUs of moved ranks; a file with comments notes this. */
static void
test_moved (void)
{
  static const struct
  {
    const char *format;
    const char *settings[5];
    gboolean comments;
  } cases[] = {
    { "megatron", { "parallelism.order=megatron" }, TRUE },
    { "nemo", { "parallelism.order=megatron" }, TRUE },
    { "torchtitan", { "parallelism.order=torchtitan", "parallelism.zero=3" }, TRUE },
    { "deepspeed", { "parallelism.order=deepspeed" }, FALSE },
    { "picotron",
      { "parallelism.order=picotron", "parallelism.zero=0", "parallelism.sequence=false",
        "training.recompute=none" },
      FALSE },
  };
  g_autoptr (PlgCatalogue) catalogue = plg_catalogue_load (NULL);

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      const PlgFormat *format = plg_format_find (cases[i].format);
      g_autoptr (PlgPlan) plan = plg_catalogue_default_plan (catalogue);
      g_autoptr (GBytes) before = NULL, after = NULL;
      g_autofree char *note = NULL;
      g_autoptr (GError) error = NULL;
      const char *text;

      g_assert_true (plg_settings_apply (plan, catalogue, cases[i].settings, &error));
      before = plg_format_write (format, &(PlgExportContext) { .plan = plan }, &error);
      g_assert_no_error (error);
      g_assert_null (plg_format_write_note (format, plan));
      g_assert_null (strstr (g_bytes_get_data (before, NULL), "moved by hand"));
      g_assert_true (plg_edit_swap_ranks (plan, 0, 9, &error));
      after = plg_format_write (format, &(PlgExportContext) { .plan = plan }, &error);
      g_assert_no_error (error);
      note = plg_format_write_note (format, plan);
      g_assert_nonnull (strstr (note, "moved by hand"));
      text = g_bytes_get_data (after, NULL);
      g_assert_true ((strstr (text, "moved by hand") != NULL) == cases[i].comments);
      g_assert_true ((strstr (text, "#   Rankfile for Open MPI\n") != NULL) == cases[i].comments);
      /* torchrun fills nodes with consecutive ranks. */
      g_assert_null (strstr (text, "torchrun"));
    }
}

/* Importing other degrees resets moved ranks with a note; the same degrees in another notation keep
 * them. */
static void
test_keeps_moved (void)
{
  static const char torchtitan[] = "[parallelism]\ntensor_parallel_degree = %d\n"
                                   "pipeline_parallel_degree = 1\n";
  static const char *const settings[] = { "parallelism.pp=1", "parallelism.dp=8", NULL };
  g_autoptr (PlgCatalogue) catalogue = plg_catalogue_load (NULL);
  g_autoptr (PlgPlan) plan = plg_catalogue_default_plan (catalogue);

  g_assert_true (plg_settings_apply (plan, catalogue, settings, NULL));
  g_assert_true (plg_edit_swap_ranks (plan, 0, 9, NULL));
  for (int tp = 4; tp <= 8; tp += 4)
    {
      g_autofree char *text = g_strdup_printf (torchtitan, tp);
      g_autoptr (GBytes) bytes = g_bytes_new (text, strlen (text));
      g_autoptr (GError) error = NULL;
      g_autoptr (PlgImportResult) import = plg_format_read (bytes, "f", plan, catalogue, &error);
      g_autofree char *notes = NULL;

      g_assert_no_error (error);
      notes = plg_import_result_text (import, ~0u);
      g_assert_cmpint (import->plan->placement.size, ==, tp == 8 ? 64 : 0);
      g_assert_true ((strstr (notes, "moved by hand return to the GPUs") != NULL) == (tp != 8));
      g_assert_true ((strstr (notes, "is equivalent for these degrees") != NULL) == (tp == 8));
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/frameworks/files", test_files);
  g_test_add_func ("/frameworks/wrong", test_wrong);
  g_test_add_func ("/frameworks/round-trip", test_round_trip);
  g_test_add_func ("/frameworks/offloaded-weights", test_offloaded_weights);
  g_test_add_func ("/frameworks/degrees-of-one", test_degrees_of_one);
  g_test_add_func ("/frameworks/nemo-blocks", test_nemo_blocks);
  g_test_add_func ("/frameworks/refused", test_refused);
  g_test_add_func ("/frameworks/moved", test_moved);
  g_test_add_func ("/frameworks/keeps-moved", test_keeps_moved);
  return g_test_run ();
}
