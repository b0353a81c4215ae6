options=" \
  --num-layers 24 --hidden-size 2048 --num-attention-heads 16 \
  --num-experts 64 --moe-router-topk 6 --moe-ffn-hidden-size 1408 \
  --moe-layer-freq ([0]*1+[1]*23) --multi-latent-attention --kv-lora-rank 512 \
  --expert-model-parallel-size 8 --micro-batch-size 2 --global-batch-size 128 --bf16"
srun -N 2 --ntasks-per-node=8 sh -c "cd $HOME; python -u pretrain_gpt.py ${options} $(date)"
