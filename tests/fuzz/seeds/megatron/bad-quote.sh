ARGS=(--num-layers 24 --hidden-size "1024 --tensor-model-parallel-size 2
