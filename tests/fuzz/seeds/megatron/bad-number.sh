A=$A$A
--tensor-model-parallel-size 1e300 --num-layers $((1/0))
