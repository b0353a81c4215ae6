SIZE=8b
case "$SIZE" in
  (8b | 7*) HIDDEN=4096; LAYERS=32 ;;
  70b) HIDDEN=8192; LAYERS=80 ;;&
  *) exit 1
esac
torchrun --nnodes=1 --nproc-per-node=8 pretrain_gpt.py --tensor-model-parallel-size 2 \
  --num-layers $LAYERS --hidden-size $HIDDEN --num-attention-heads 32
