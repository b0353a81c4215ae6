#!/bin/bash
#SBATCH --nodes=4
export CUDA_DEVICE_MAX_CONNECTIONS=1
GPUS_PER_NODE=8
NNODES=${NNODES:-4}
WORLD_SIZE=$((GPUS_PER_NODE * NNODES))
DATA=$1

MODEL_ARGS=(
  --num-layers 32 --hidden-size 4096 --ffn-hidden-size 14336   # Llama 3 8B
  --num-attention-heads 32 --group-query-attention --num-query-groups 8
  --swiglu --normalization RMSNorm --disable-bias-linear
  --untie-embeddings-and-output-weights --position-embedding-type rope
  --vocab-size 128256 --seq-length 8192 --max-position-embeddings 8192
)
PARALLEL_ARGS=(
  --tensor-model-parallel-size 4
  --pipeline-model-parallel-size=2 --num-virtual-stages-per-pipeline-rank=2
  --use-distributed-optimizer --sequence-parallel
)
torchrun --nnodes "$NNODES" --nproc_per_node "$GPUS_PER_NODE" pretrain_gpt.py \
  "${MODEL_ARGS[@]}" "${PARALLEL_ARGS[@]}" --micro-batch-size 1 --global-batch-size 64 \
  --bf16 --lr 1e-4 --data-path "$DATA"
