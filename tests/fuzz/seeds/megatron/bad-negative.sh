torchrun x --tensor-model-parallel-size -8 --num-layers $(reboot)
