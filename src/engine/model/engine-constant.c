/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "engine/model/engine-constant.h"

#include <glib/gi18n-lib.h>

/* The groups of runs on A100 that train dense models. */
#define A100_GROUPS "sc21t1 sc21t2 sc21x kort mtnlg pythia misc zb ibm ievo bloom colm"

static const PlgEngineConstantInfo infos[] = {
  [PLG_CONSTANT_LONG_TILE] = {
    .key = "long-tile",
    .title = N_ ("long side of a tile of results"),
    .source = "NVIDIA, Matrix Multiplication Background, section 3, and 103 products in github.com/MooreThreads/SimuMax",
    .date = "2025",
  },
  [PLG_CONSTANT_SHORT_TILE] = {
    .key = "short-tile",
    .title = N_ ("short side of a tile of results"),
    .source = "NVIDIA, Matrix Multiplication Background, section 3, and 103 products in github.com/MooreThreads/SimuMax",
    .date = "2025",
  },
  [PLG_CONSTANT_LAST_WAVE] = {
    .key = "last-wave",
    .title = N_ ("cost of the empty part of the last wave"),
    .source = "Chosen on 103 products in github.com/MooreThreads/SimuMax, configs/system/a100_pcie.json",
    .date = "2025",
  },
  [PLG_CONSTANT_TRAINING_RATE] = {
    .key = "training-rate",
    .title = N_ ("rate of products in training, relative to a benchmark"),
    .source = "0.956 on 103 products in github.com/MooreThreads/SimuMax, configs/system/a100_pcie.json",
    .date = "2026-11",
    .fitted = A100_GROUPS,
  },
  [PLG_CONSTANT_REFERENCE_PRODUCT] = {
    .key = "reference-product",
    .title = N_ ("rate of products in Megatron-LM and FSDP"),
    .source = "Reference: the rate in training is that of these programs",
    .date = "2026-11",
  },
  [PLG_CONSTANT_DEEPSPEED_PRODUCT] = {
    .key = "deepspeed-product",
    .title = N_ ("rate of products in DeepSpeed, relative to Megatron-LM"),
    .source = "The host starts the products one by one, and copies run beside them",
    .date = "2026-11",
    .fitted = "pythia misc",
  },
  [PLG_CONSTANT_PLAIN_PRODUCT] = {
    .key = "plain-product",
    .title = N_ ("rate of products in plain programs and Megatron-DeepSpeed, relative to Megatron-LM"),
    .source = "The host starts the products one by one, and copies run beside them",
    .date = "2026-11",
    .fitted = "ievo colm bloom mtnlg",
  },
  [PLG_CONSTANT_DELAYED_CAST] = {
    .key = "delayed-cast",
    .title = N_ ("bytes moved per value in a cast to FP8 with delayed scaling"),
    .unit = PLG_CONSTANT_UNIT_BYTES,
    .source = "github.com/NVIDIA/TransformerEngine, common/transpose/cast_transpose.cu: one read, and two writes of one byte",
    .date = "2024",
  },
  [PLG_CONSTANT_CURRENT_CAST] = {
    .key = "current-cast",
    .title = N_ ("bytes moved per value in a cast to FP8 with current scaling"),
    .unit = PLG_CONSTANT_UNIT_BYTES,
    .source = "github.com/pytorch/ao, torchao/float8: further reads for the maximum and the transpose",
    .date = "2024",
  },
  [PLG_CONSTANT_BLOCKWISE_CAST] = {
    .key = "blockwise-cast",
    .title = N_ ("bytes moved per value in a cast to FP8 with blockwise scaling"),
    .unit = PLG_CONSTANT_UNIT_BYTES,
    .source = "github.com/NVIDIA/TransformerEngine, docs/features/low_precision_training/fp8_blockwise_scaling: one read, two writes of one byte, and scales of 4 bytes per 128 values",
    .date = "2026",
  },
  [PLG_CONSTANT_BLOCKWISE_PRODUCT] = {
    .key = "blockwise-product",
    .title = N_ ("rate of products with blockwise scaling on GPUs without MXFP8, relative to one scale per tensor"),
    .source = "github.com/NVIDIA/TransformerEngine, docs/examples/gemm_profiling/gemm_profiling.rst, H200: 22.9 ms per layer without the casts, against 16.8 ms",
    .date = "2026",
  },
  [PLG_CONSTANT_EMULATED_BLOCKWISE_CAST] = {
    .key = "emulated-blockwise-cast",
    .title = N_ ("bytes moved per value in a cast to FP8 with blockwise scaling on GPUs with MXFP8"),
    .unit = PLG_CONSTANT_UNIT_BYTES,
    .source = "github.com/NVIDIA/TransformerEngine, docs/features/low_precision_training/gemm_profiling/gemm_profiling.rst, B300: 9.60 − 6.83 ms per layer at the rate of a copy",
    .date = "2026",
  },
  [PLG_CONSTANT_MXFP8_CAST] = {
    .key = "mxfp8-cast",
    .title = N_ ("bytes moved per value in a cast to MXFP8"),
    .unit = PLG_CONSTANT_UNIT_BYTES,
    .source = "github.com/NVIDIA/TransformerEngine, docs/examples/gemm_profiling/gemm_profiling.rst and docs/features/low_precision_training/gemm_profiling/gemm_profiling.rst, B300: 1.82 and 1.18 ms per layer at the rate of a copy",
    .date = "2026",
  },
  [PLG_CONSTANT_MXFP8_PRODUCT] = {
    .key = "mxfp8-product",
    .title = N_ ("rate of products in MXFP8, relative to one scale per tensor"),
    .source = "github.com/NVIDIA/TransformerEngine, docs/examples/gemm_profiling/gemm_profiling.rst and docs/features/low_precision_training/gemm_profiling/gemm_profiling.rst, B300: 7.16 ms per layer against 6.81, and 7.32 against 6.83",
    .date = "2026",
  },
  [PLG_CONSTANT_FP4_CAST] = {
    .key = "fp4-cast",
    .title = N_ ("bytes moved per value in a cast to FP4, with its Hadamard transform"),
    .unit = PLG_CONSTANT_UNIT_BYTES,
    .source = "github.com/NVIDIA/TransformerEngine, docs/examples/gemm_profiling/gemm_profiling.rst, B300: 6.45 − 3.76 ms per layer at the rate of a copy",
    .date = "2026",
  },
  [PLG_CONSTANT_USUAL_MULTIPROCESSORS] = {
    .key = "usual-multiprocessors",
    .title = N_ ("multiprocessors of a GPU without an entry"),
    .source = "NVIDIA H100 Tensor Core GPU architecture, V1.04: 132 SMs in SXM5",
    .date = "2022",
  },
  [PLG_CONSTANT_USUAL_MATRIX_EFFICIENCY] = {
    .key = "usual-matrix-efficiency",
    .title = N_ ("matrix efficiency of a GPU without an entry"),
    .source = "Estimate: within the range of the GPUs in the catalogue",
    .date = "2026-11",
  },
  [PLG_CONSTANT_USUAL_MEMORY_EFFICIENCY] = {
    .key = "usual-memory-efficiency",
    .title = N_ ("memory efficiency of a GPU without an entry"),
    .source = "Estimate: within the range of the GPUs in the catalogue",
    .date = "2026-11",
  },
  [PLG_CONSTANT_FLASH_3_FORWARD] = {
    .key = "flash-3-forward",
    .title = N_ ("rate of FlashAttention-3 forward, relative to products"),
    .source = "Shah et al. 2024, arXiv 2407.08608, fig. 5: 560 of 680 TFLOP/s on H100",
    .date = "2024-07",
  },
  [PLG_CONSTANT_FLASH_3_BACKWARD] = {
    .key = "flash-3-backward",
    .title = N_ ("rate of FlashAttention-3 backward, relative to products"),
    .source = "Shah et al. 2024, arXiv 2407.08608, fig. 6: 460 of 680 TFLOP/s on H100",
    .date = "2024-07",
  },
  [PLG_CONSTANT_FLASH_2_FORWARD] = {
    .key = "flash-2-forward",
    .title = N_ ("rate of FlashAttention-2 forward on GPUs with FP8, relative to products"),
    .source = "Dao 2023, arXiv 2307.08691, fig. 7: 335 of 680 TFLOP/s on H100",
    .date = "2023-07",
  },
  [PLG_CONSTANT_FLASH_2_BACKWARD] = {
    .key = "flash-2-backward",
    .title = N_ ("rate of FlashAttention-2 backward on GPUs with FP8, relative to products"),
    .source = "Shah et al. 2024, arXiv 2407.08608, section 4.1: FlashAttention-3 is 1.5 to 1.75 times as fast",
    .date = "2024-07",
  },
  [PLG_CONSTANT_FLASH_EARLY_FORWARD] = {
    .key = "flash-early-forward",
    .title = N_ ("rate of FlashAttention 1 and 2, half each, forward on GPUs with FP8"),
    .source = "Dao 2023, arXiv 2307.08691, figs. 4 to 7: version 1 has half of the rate of version 2",
    .date = "2023-07",
  },
  [PLG_CONSTANT_FLASH_EARLY_BACKWARD] = {
    .key = "flash-early-backward",
    .title = N_ ("rate of FlashAttention 1 and 2, half each, backward on GPUs with FP8"),
    .source = "Dao 2023, arXiv 2307.08691, figs. 4 to 7: version 1 has half of the rate of version 2",
    .date = "2023-07",
  },
  [PLG_CONSTANT_FLASH_2_FORWARD_BEFORE_FP8] = {
    .key = "flash-2-forward-before-fp8",
    .title = N_ ("rate of FlashAttention-2 forward on GPUs without FP8, relative to products"),
    .source = "Dao 2023, arXiv 2307.08691, figs. 4 to 6: 190 of 271 TFLOP/s on A100",
    .date = "2023-07",
  },
  [PLG_CONSTANT_FLASH_2_BACKWARD_BEFORE_FP8] = {
    .key = "flash-2-backward-before-fp8",
    .title = N_ ("rate of FlashAttention-2 backward on GPUs without FP8, relative to products"),
    .source = "Dao 2023, arXiv 2307.08691, figs. 4 to 6: 165 of 271 TFLOP/s on A100",
    .date = "2023-07",
  },
  [PLG_CONSTANT_FLASH_EARLY_FORWARD_BEFORE_FP8] = {
    .key = "flash-early-forward-before-fp8",
    .title = N_ ("rate of FlashAttention 1 and 2, half each, forward on GPUs without FP8"),
    .source = "Dao 2023, arXiv 2307.08691, figs. 4 to 6: version 1 reaches 90 of 271 TFLOP/s on A100",
    .date = "2023-07",
  },
  [PLG_CONSTANT_FLASH_EARLY_BACKWARD_BEFORE_FP8] = {
    .key = "flash-early-backward-before-fp8",
    .title = N_ ("rate of FlashAttention 1 and 2, half each, backward on GPUs without FP8"),
    .source = "Dao 2023, arXiv 2307.08691, figs. 4 to 6: version 1 reaches 75 of 271 TFLOP/s on A100",
    .date = "2023-07",
  },
  [PLG_CONSTANT_FLASH_LOSS] = {
    .key = "flash-loss",
    .title = N_ ("sequence length at which flash attention has half of its rate"),
    .source = "Fit to the short sequences in Dao 2023, arXiv 2307.08691, figs. 4 to 6",
    .date = "2023-07",
  },
  [PLG_CONSTANT_FLASH_BACKWARD_PRODUCTS] = {
    .key = "flash-backward-products",
    .title = N_ ("products of flash attention backward, relative to forward"),
    .source = "Dao 2023, arXiv 2307.08691, section 3.1: five products and two",
    .date = "2023-07",
  },
  [PLG_CONSTANT_SCORE_FORWARD] = {
    .key = "score-forward",
    .title = N_ ("bytes moved per attention score forward"),
    .unit = PLG_CONSTANT_UNIT_BYTES,
    .source = "Counted: softmax with the mask, then dropout with a mask of one byte",
    .date = "2026-11",
  },
  [PLG_CONSTANT_SCORE_BACKWARD] = {
    .key = "score-backward",
    .title = N_ ("bytes moved per attention score backward"),
    .unit = PLG_CONSTANT_UNIT_BYTES,
    .source = "Counted: softmax with the mask, then dropout with a mask of one byte",
    .date = "2026-11",
  },
  [PLG_CONSTANT_DROPOUT] = {
    .key = "dropout",
    .title = N_ ("bytes that dropout moves per value in each direction"),
    .unit = PLG_CONSTANT_UNIT_BYTES,
    .source = "Counted: the value is read and written in 16 bits, and the mask is one byte (Korthikanti 2022, arXiv 2205.05198, section 4.1)",
    .date = "2022",
  },
  /* RMSNorm casts to FP32, squares, averages, scales, casts back and multiplies by its weight: 36
   * bytes per value instead of 4. Rotary positions cast, multiply and cast back: 20 instead of 4. A
   * gate is two operations: 10 instead of 6 forward, and 20 instead of 10 backward. LayerNorm and
   * GELU are one kernel in all programs. */
  [PLG_CONSTANT_EAGER_NORM] = {
    .key = "eager-norm",
    .title = N_ ("bytes of RMSNorm in single operations, relative to one kernel"),
    .source = "Counted in the operations of PyTorch: 36 bytes per value instead of 4",
    .date = "2026-11",
  },
  [PLG_CONSTANT_EAGER_ROTARY] = {
    .key = "eager-rotary",
    .title = N_ ("bytes of rotary positions in single operations, relative to one kernel"),
    .source = "Counted in the operations of PyTorch: 20 bytes per value instead of 4",
    .date = "2026-11",
  },
  [PLG_CONSTANT_EAGER_GATE] = {
    .key = "eager-gate",
    .title = N_ ("bytes of a gate in single operations, relative to one kernel"),
    .source = "Counted in the operations of PyTorch: 30 bytes per value instead of 16",
    .date = "2026-11",
  },
  /* A fused loss casts the logits to FP32, finds the maximum and computes exponentials and gradient in
   * one kernel each. A plain loss takes an operation for each of cast, maximum, difference,
   * exponential, sum and quotient, and in the backward pass multiplies and casts back. */
  [PLG_CONSTANT_FUSED_LOSS_FORWARD] = {
    .key = "fused-loss-forward",
    .title = N_ ("bytes moved per logit in a fused loss, forward"),
    .unit = PLG_CONSTANT_UNIT_BYTES,
    .source = "Megatron-LM, core/fusions/fused_cross_entropy.py",
    .date = "2024",
  },
  [PLG_CONSTANT_FUSED_LOSS_BACKWARD] = {
    .key = "fused-loss-backward",
    .title = N_ ("bytes moved per logit in a fused loss, backward"),
    .unit = PLG_CONSTANT_UNIT_BYTES,
    .source = "Megatron-LM, core/fusions/fused_cross_entropy.py",
    .date = "2024",
  },
  [PLG_CONSTANT_PLAIN_LOSS_FORWARD] = {
    .key = "plain-loss-forward",
    .title = N_ ("bytes moved per logit in a plain loss, forward"),
    .unit = PLG_CONSTANT_UNIT_BYTES,
    .source = "Megatron-LM, core/tensor_parallel/cross_entropy.py",
    .date = "2024",
  },
  [PLG_CONSTANT_PLAIN_LOSS_BACKWARD] = {
    .key = "plain-loss-backward",
    .title = N_ ("bytes moved per logit in a plain loss, backward"),
    .unit = PLG_CONSTANT_UNIT_BYTES,
    .source = "Megatron-LM, core/tensor_parallel/cross_entropy.py",
    .date = "2024",
  },
  [PLG_CONSTANT_LOSS_PIECES] = {
    .key = "loss-pieces",
    .title = N_ ("pieces of the tokens in a chunked loss"),
    .source = "torchtitan, components/loss.py, ChunkedCELoss, num_chunks",
    .date = "2026",
  },
  [PLG_CONSTANT_LOSS_VOCABULARY_PIECE] = {
    .key = "loss-vocabulary-piece",
    .title = N_ ("vocabulary entries per piece in Megatron-LM's chunked loss"),
    .source = "Megatron-LM, core/fusions/linear_cross_entropy/blackwell/entry.py, _vocab_per_split",
    .date = "2025",
  },
  [PLG_CONSTANT_LAUNCH_GAP] = {
    .key = "launch-gap",
    .title = N_ ("time between two kernels"),
    .unit = PLG_CONSTANT_UNIT_SECONDS,
    .source = "The launch, the first loads and the last stores",
    .date = "2026-11",
    .fitted = A100_GROUPS,
  },
  [PLG_CONSTANT_MUON_UPDATE] = {
    .key = "muon-update",
    .title = N_ ("bytes that the element-wise operations of Muon move per parameter"),
    .unit = PLG_CONSTANT_UNIT_BYTES,
    .source = "NVIDIA-NeMo/Emerging-Optimizers, orthogonalized_optimizer.py and muon_utils.py, counted: decay 8, momentum 12, norm and division 12, BF16 and back 12, scale 8, update 12, copy to the weights 6",
    .date = "2026",
  },
  [PLG_CONSTANT_EXPERT_WAIT] = {
    .key = "expert-wait",
    .title = N_ ("wait for the number of tokens per expert"),
    .unit = PLG_CONSTANT_UNIT_SECONDS,
    .source = "The host reads the number before it starts the products of the experts; the backward pass uses the same number",
    .date = "2026-11",
    .fitted = "zoo",
  },
  /* Fitted to zoo-002 and zoo-005: the layers of zoo-005 take 9.6 ms where kernels and collectives
   * would take 6.0. Those of bridge-moe-003 in unseen.csv take 9.6 ms, too. */
  [PLG_CONSTANT_EXPERT_HOST_FORWARD] = {
    .key = "expert-host-forward",
    .title = N_ ("launches of a layer with experts, forward"),
    .unit = PLG_CONSTANT_UNIT_SECONDS,
    .source = "The host launches many small kernels",
    .date = "2026-11",
    .fitted = "zoo",
  },
  [PLG_CONSTANT_EXPERT_HOST_BACKWARD] = {
    .key = "expert-host-backward",
    .title = N_ ("launches of a layer with experts, backward"),
    .unit = PLG_CONSTANT_UNIT_SECONDS,
    .source = "The host launches many small kernels",
    .date = "2026-11",
    .fitted = "zoo",
  },
  [PLG_CONSTANT_LAYER_HOST_FORWARD] = {
    .key = "layer-host-forward",
    .title = N_ ("wait for the host in a layer of Megatron-DeepSpeed, forward"),
    .unit = PLG_CONSTANT_UNIT_SECONDS,
    .source = "BLOOM's runs had CUDA_LAUNCH_BLOCKING=1, github.com/bigscience-workshop/bigscience, train/tr11-176B-ml",
    .date = "2026-11",
    .fitted = "bloom mtnlg",
  },
  [PLG_CONSTANT_LAYER_HOST_BACKWARD] = {
    .key = "layer-host-backward",
    .title = N_ ("wait for the host in a layer of Megatron-DeepSpeed, backward"),
    .unit = PLG_CONSTANT_UNIT_SECONDS,
    .source = "Twice the forward pass, because the backward pass has twice as many products",
    .date = "2026-11",
    .fitted = "bloom mtnlg",
  },
  [PLG_CONSTANT_CONTEXT_BYTES] = {
    .key = "context-bytes",
    .title = N_ ("memory of the CUDA context and its kernels"),
    .unit = PLG_CONSTANT_UNIT_MEMORY,
    .source = "github.com/stas00/ml-engineering, training/performance: 0.5 to 2 GiB",
    .date = "2024",
  },
  [PLG_CONSTANT_NCCL_BYTES] = {
    .key = "nccl-bytes",
    .title = N_ ("memory of NCCL"),
    .unit = PLG_CONSTANT_UNIT_MEMORY,
    .source = "github.com/stas00/ml-engineering, training/performance: 1 to 2 GiB with all communicators",
    .date = "2024",
  },
  [PLG_CONSTANT_COMMUNICATOR_BYTES] = {
    .key = "communicator-bytes",
    .title = N_ ("memory of NCCL per axis"),
    .unit = PLG_CONSTANT_UNIT_MEMORY,
    .source = "github.com/stas00/ml-engineering, training/performance: 1 to 2 GiB with all communicators",
    .date = "2024",
  },
  [PLG_CONSTANT_SLACK] = {
    .key = "slack",
    .title = N_ ("reserved memory beyond the allocated memory"),
    .source = "0.01 to 0.09 in the runs on B200 of github.com/MooreThreads/SimuMax, up to 0.15 elsewhere",
    .date = "2025",
    .fitted = "simumax",
  },
  [PLG_CONSTANT_DEEPSPEED_SLACK] = {
    .key = "deepspeed-slack",
    .title = N_ ("reserved memory beyond the allocated memory, in DeepSpeed"),
    .source = "58 readings of nvidia-smi of the BLOOM project, before allocators with expandable segments",
    .date = "2022",
    .fitted = "bloom",
  },
  [PLG_CONSTANT_PLAIN_SLACK] = {
    .key = "plain-slack",
    .title = N_ ("reserved memory beyond the allocated memory, in plain programs"),
    .source = "The rules of PyTorch's c10/cuda/CUDACachingAllocator.cpp, followed for the tensors of Aleph-Alpha/scaling in 71 layouts: 0.03 to 0.43",
    .date = "2026",
  },
  [PLG_CONSTANT_ALLOCATOR_MIN_SLACK_PART] = {
    .key = "allocator-min-slack-part",
    .title = N_ ("part of the slack that remains on a full GPU"),
    .source = "Estimate: PyTorch frees its cached blocks first; the least slack in github.com/MooreThreads/SimuMax is 0.007",
    .date = "2025",
  },
  [PLG_CONSTANT_HOST_LINK_EFFICIENCY] = {
    .key = "host-link-efficiency",
    .title = N_ ("share of the rate of the link to the host"),
    .source = "github.com/NVIDIA/nvbandwidth, README.md: 12.36 of 15.75 GB/s over PCIe 3.0",
    .date = "2023",
  },
  [PLG_CONSTANT_HOST_UPDATE_EFFICIENCY] = {
    .key = "host-update-efficiency",
    .title = N_ ("share of the host's memory rate that an update on the CPU reaches"),
    .source = "Ren 2021, arXiv 2101.06840, table 4: 10 billion parameters in 2.57 s on a DGX-2, whose two sockets have six channels of DDR4-2666, 256 GB/s",
    .date = "2021",
  },
  [PLG_CONSTANT_OFFLOAD_BACKWARD_SHARE] = {
    .key = "offload-backward-share",
    .title = N_ ("share of the schedule in which gradients travel to the host"),
    .source = "Two of three parts: a backward pass has twice the FLOPs of a forward pass",
    .date = "2026",
  },
  [PLG_CONSTANT_BASE_SIMPLE] = {
    .key = "base-simple",
    .title = N_ ("start of a call with the protocol Simple"),
    .unit = PLG_CONSTANT_UNIT_SECONDS,
    .source = "NCCL, src/graph/tuning.cc",
    .date = "2024",
  },
  [PLG_CONSTANT_BASE_LOW_LATENCY] = {
    .key = "base-low-latency",
    .title = N_ ("start of a call with the protocol LL"),
    .unit = PLG_CONSTANT_UNIT_SECONDS,
    .source = "NCCL, src/graph/tuning.cc",
    .date = "2024",
  },
  [PLG_CONSTANT_LOW_LATENCY_STEP] = {
    .key = "low-latency-step",
    .title = N_ ("latency of a step with LL, relative to Simple"),
    .source = "NCCL, src/graph/tuning.cc",
    .date = "2024",
  },
  [PLG_CONSTANT_LOW_LATENCY_BANDWIDTH] = {
    .key = "low-latency-bandwidth",
    .title = N_ ("bandwidth with LL, relative to Simple"),
    .source = "NCCL, src/graph/tuning.cc",
    .date = "2024",
  },
  [PLG_CONSTANT_TREE_BANDWIDTH] = {
    .key = "tree-bandwidth",
    .title = N_ ("bandwidth of a double binary tree, relative to a ring"),
    .source = "NCCL, src/graph/tuning.cc",
    .date = "2024",
  },
  /* nccl-tests computes the bus bandwidth of 8 GPUs, 476 GB/s, from 1.75 S per call. The link of a GPU
   * carries S + S / 8 bytes, so it reaches 476 / 1.75 × 1.125 = 306 GB/s. */
  [PLG_CONSTANT_MULTICAST_BANDWIDTH] = {
    .key = "multicast-bandwidth",
    .title = N_ ("bandwidth of NVLink SHARP, relative to a ring"),
    .source = "nccl-tests on 8 H200: 306 of 367 GB/s",
    .date = "2025",
  },
  [PLG_CONSTANT_MULTICAST_LATENCY] = {
    .key = "multicast-latency",
    .title = N_ ("latency of NVLink SHARP"),
    .unit = PLG_CONSTANT_UNIT_SECONDS,
    .source = "nccl-tests on 8 H200: 41 µs for 32 KB",
    .date = "2025",
  },
  [PLG_CONSTANT_MAX_CONCURRENT_PEERS] = {
    .key = "max-concurrent-peers",
    .title = N_ ("peers with which a GPU exchanges messages at once"),
    .source = "NCCL, src/include/device.h, NCCL_MAX_DEV_WORK_P2P_PER_BATCH",
    .date = "2024",
  },
  /* The published bandwidths of DeepEP and HybridEP also count the copies that stay on a GPU or on a
   * node, which are left out here. */
  [PLG_CONSTANT_DEEPEP_INSIDE] = {
    .key = "deepep-inside",
    .title = N_ ("bandwidth of DeepEP inside a node, relative to a ring"),
    .source = "github.com/deepseek-ai/DeepEP, docs/legacy.md: 7/8 of 153 and 158 GB/s on 8 H800, a ring 163 GB/s",
    .date = "2025",
  },
  [PLG_CONSTANT_HYBRIDEP_INSIDE] = {
    .key = "hybridep-inside",
    .title = N_ ("bandwidth of HybridEP inside a node, relative to a ring"),
    .source = "github.com/deepseek-ai/DeepEP, Hybrid-EP_Implementation.md: 580 to 669 GB/s in BF16 on 8 to 36 GB200 with 32 multiprocessors, only kernels, a ring 680 GB/s",
    .date = "2025",
  },
  [PLG_CONSTANT_FORWARD_OUTSIDE] = {
    .key = "forward-outside",
    .title = N_ ("bandwidth of DeepEP and HybridEP between nodes, relative to a ring"),
    .source = "github.com/deepseek-ai/DeepEP, docs/legacy.md and Hybrid-EP_Implementation.md: 3/4 of 58 GB/s on 4 nodes, 7/8 of 50 GB/s on 8 nodes, a ring 46 GB/s",
    .date = "2025",
  },
  /* A call takes 0.13 to 0.22 ms longer than its kernel. About half of this time copies the tokens,
   * which the kernels of a layer count. */
  [PLG_CONSTANT_HYBRIDEP_START] = {
    .key = "hybridep-start",
    .title = N_ ("start of a call of HybridEP"),
    .unit = PLG_CONSTANT_UNIT_SECONDS,
    .source = "github.com/deepseek-ai/DeepEP, Hybrid-EP_Implementation.md: calls from PyTorch and kernels alone, less the copy of the tokens",
    .date = "2025",
  },
  [PLG_CONSTANT_TCP_EFFICIENCY] = {
    .key = "tcp-efficiency",
    .title = N_ ("achieved share of a NIC without RDMA"),
    .source = "Rule of thumb: github.com/NVIDIA/nccl issues 209 and 450 report less than half to nearly all",
    .date = "2021",
  },
  [PLG_CONSTANT_TCP_LATENCY] = {
    .key = "tcp-latency",
    .title = N_ ("latency between nodes without RDMA"),
    .unit = PLG_CONSTANT_UNIT_SECONDS,
    .source = "github.com/NVIDIA/nccl-tests issue 82: 46 µs for 8 bytes",
    .date = "2021",
  },
  /* The kernel copies sent and received data, so each direction crosses the host memory three times,
   * regardless of the number of NICs. */
  [PLG_CONSTANT_TCP_OF_HOST] = {
    .key = "tcp-of-host",
    .title = N_ ("bandwidth of all NICs of a host without RDMA, in one direction"),
    .unit = PLG_CONSTANT_UNIT_BANDWIDTH,
    .source = "A sixth of the memory bandwidth of two sockets with eight channels of DDR5-4800, 614 GB/s",
    .date = "2023",
  },
  [PLG_CONSTANT_SYS_BANDWIDTH] = {
    .key = "sys-bandwidth",
    .title = N_ ("bandwidth between CPUs if a topology states none"),
    .unit = PLG_CONSTANT_UNIT_BANDWIDTH,
    .source = "NCCL, src/graph/topo.h: between 10 GB/s of Skylake and 22 GB/s of Sapphire Rapids",
    .date = "2024",
  },
  [PLG_CONSTANT_USUAL_INTRA_EFFICIENCY] = {
    .key = "usual-intra-efficiency",
    .title = N_ ("achieved share of the links of a node without an entry"),
    .source = "Estimate: within the range of the nodes in the catalogue",
    .date = "2026-11",
  },
  [PLG_CONSTANT_USUAL_INTER_EFFICIENCY] = {
    .key = "usual-inter-efficiency",
    .title = N_ ("achieved share of the NICs of a node without an entry"),
    .source = "Estimate: within the range of the nodes in the catalogue",
    .date = "2026-11",
  },
  [PLG_CONSTANT_USUAL_PCIE_BANDWIDTH] = {
    .key = "usual-pcie-bandwidth",
    .title = N_ ("PCIe bandwidth of a GPU without an entry"),
    .unit = PLG_CONSTANT_UNIT_BANDWIDTH,
    .source = "PCI Express base specification 4.0, x16, after encoding",
    .date = "2017",
  },
  [PLG_CONSTANT_NVLINK_CONTENTION] = {
    .key = "nvlink-contention",
    .title = N_ ("time of TP collectives in training, relative to a benchmark"),
    .source = "Members start late, and kernels share the memory",
    .date = "2026-11",
    .fitted = "sc21t1 kort zb bloom",
  },
  [PLG_CONSTANT_NETWORK_CONTENTION] = {
    .key = "network-contention",
    .title = N_ ("time of the DP collectives of ZeRO 3 between nodes, relative to a benchmark"),
    .source = "Members start late, and kernels share the memory",
    .date = "2026-11",
    .fitted = "ibm",
  },
  [PLG_CONSTANT_LATE_CONTENTION] = {
    .key = "late-contention",
    .title = N_ ("time of one reduction per step between nodes, relative to a benchmark"),
    .source = "Korthikanti et al. 2022, arXiv 2205.05198, section 6.3: 1.3 s, of which the links take 0.6 s",
    .date = "2022-05",
  },
  [PLG_CONSTANT_COMM_SM_SHARE_INTRA] = {
    .key = "comm-sm-share-intra",
    .title = N_ ("multiprocessors that communication takes inside a node"),
    .source = "NCCL’s rings take 20 of 132 multiprocessors",
    .date = "2024",
  },
  [PLG_CONSTANT_COMM_SM_SHARE_INTER] = {
    .key = "comm-sm-share-inter",
    .title = N_ ("multiprocessors that communication takes between nodes"),
    .source = "NCCL’s rings take 20 of 132 multiprocessors",
    .date = "2024",
  },
  /* Overlap saves 2.1 s of 19.7 s, of which the calls are about 5 s. */
  [PLG_CONSTANT_EP_OVERLAP] = {
    .key = "ep-overlap",
    .title = N_ ("share of the calls of experts that overlapping EP hides"),
    .source = "A measured pair of runs, zoo-001 and zoo-002",
    .date = "2026-11",
    .fitted = "zoo",
  },
  [PLG_CONSTANT_BUCKET] = {
    .key = "bucket",
    .title = N_ ("parameters per bucket of gradients"),
    .source = "Megatron-LM, core/distributed/distributed_data_parallel_config.py",
    .date = "2024",
  },
  [PLG_CONSTANT_BUCKET_PER_REPLICA] = {
    .key = "bucket-per-replica",
    .title = N_ ("parameters per bucket of gradients and replica"),
    .source = "Megatron-LM, core/distributed/distributed_data_parallel_config.py",
    .date = "2024",
  },
  [PLG_CONSTANT_DEEPSPEED_BUCKET] = {
    .key = "deepspeed-bucket",
    .title = N_ ("parameters per bucket of gradients in DeepSpeed"),
    .source = "DeepSpeed, runtime/zero/config.py, reduce_bucket_size",
    .date = "2024",
  },
};

G_STATIC_ASSERT (G_N_ELEMENTS (infos) == PLG_N_ENGINE_CONSTANTS);

#ifdef PLG_FIT
#define CONSTANT_VARIABLE(NAME, value) double PLG_##NAME = value;
PLG_ENGINE_CONSTANTS (CONSTANT_VARIABLE)
#endif

PLG_CONSTANT_DOUBLE *const plg_engine_constant_addresses[] = {
#define CONSTANT_ADDRESS(NAME, value) [PLG_CONSTANT_##NAME] = &PLG_##NAME,
  PLG_ENGINE_CONSTANTS (CONSTANT_ADDRESS)
};

const PlgEngineConstantInfo *
plg_engine_constant_info (PlgEngineConstant constant)
{
  g_return_val_if_fail (constant < PLG_N_ENGINE_CONSTANTS, NULL);
  return &infos[constant];
}

void
plg_used_constants_add (PlgUsedConstants *self, PlgEngineConstant constant)
{
  for (int i = 0; i < self->n; i++)
    if (self->constant[i] == constant)
      return;
  g_return_if_fail (self->n < PLG_MAX_USED_CONSTANTS);
  self->constant[self->n++] = constant;
}

#ifdef PLG_FIT
void
plg_engine_constant_set (PlgEngineConstant constant, double value)
{
  g_return_if_fail (constant < PLG_N_ENGINE_CONSTANTS);
  *plg_engine_constant_addresses[constant] = value;
}
#endif
