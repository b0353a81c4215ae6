#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""groups.py CLI: compares the program's process groups with the rule of each framework.

Megatron-LM numbers ranks along an order of axes, and ranks that differ only in the axes of a group
form this group (RankGenerator in megatron/core/parallel_state.py). The test implements this rule
again for the options that the exported script gives Megatron-LM when bash runs the script, and
compares the groups with the groups that the program draws.
"""
import argparse
import ast
import csv
import itertools
import json
import os
import re
import shutil
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'house'))
import tap  # noqa: E402

try:
    import tomllib  # Python 3.11 and later
except ImportError:
    tomllib = None
try:
    import yaml
except ImportError:
    yaml = None

CLI = sys.argv[1]

PLANS = [
    ['parallelism.order=megatron'],
    ['parallelism.order=megatron-tp-pp-dp'],
    ['parallelism.order=megatron', 'parallelism.tp=4', 'parallelism.cp=2', 'parallelism.pp=2'],
    ['parallelism.order=megatron-tp-pp-dp', 'parallelism.tp=2', 'parallelism.cp=2'],
    ['parallelism.order=megatron', 'model.name=mixtral-8x7b', 'parallelism.tp=4',
     'parallelism.pp=2', 'parallelism.ep=8', 'parallelism.etp=1'],
    ['parallelism.order=megatron', 'model.name=mixtral-8x7b', 'parallelism.tp=4',
     'parallelism.pp=2', 'parallelism.ep=4', 'parallelism.etp=2', 'parallelism.cp=2'],
    ['parallelism.order=megatron-tp-pp-dp', 'model.name=mixtral-8x7b', 'parallelism.tp=4',
     'parallelism.pp=4', 'parallelism.ep=8', 'parallelism.etp=1', 'parallelism.cp=2',
     'parallelism.dp=2'],
    ['parallelism.order=megatron', 'model.name=deepseek-v3', 'parallelism.tp=2', 'parallelism.pp=1',
     'parallelism.ep=16', 'parallelism.etp=1'],
    ['cluster.nodes=3', 'cluster.gpus-per-node=4', 'parallelism.order=megatron', 'parallelism.tp=2',
     'parallelism.pp=2'],
]


def run(*words, **more):
    done = subprocess.run(words, capture_output=True, text=True, timeout=120, **more)
    if done.returncode != 0:
        raise RuntimeError(f'{words}: {done.stderr}')
    return done.stdout


def make_plan(settings):
    return run(CLI, 'new', *itertools.chain(*(('--set', s) for s in settings)))


def parse(words):
    """Parses WORDS like megatron/training/arguments.py, with types; unknown options are errors."""
    parser = argparse.ArgumentParser(allow_abbrev=False)
    for name in ('num-layers hidden-size ffn-hidden-size num-attention-heads kv-channels '
                 'num-query-groups seq-length max-position-embeddings vocab-size mtp-num-layers '
                 'q-lora-rank kv-lora-rank qk-head-dim qk-pos-emb-head-dim v-head-dim num-experts '
                 'moe-router-topk moe-router-num-groups moe-router-group-topk '
                 'moe-ffn-hidden-size moe-shared-expert-intermediate-size '
                 'micro-batch-size global-batch-size train-samples recompute-num-layers '
                 'num-virtual-stages-per-pipeline-rank decoder-first-pipeline-num-layers '
                 'decoder-last-pipeline-num-layers').split():
        parser.add_argument('--' + name, type=int)
    for name in ('tensor-model context pipeline-model expert-model expert-tensor').split():
        parser.add_argument(f'--{name}-parallel-size', type=int, default=1)
    for name in ('position-embedding-type normalization moe-layer-freq moe-token-dispatcher-type '
                 'fp8-format recompute-granularity recompute-method '
                 'attention-backend cp-comm-type data-parallel-sharding-strategy '
                 'ckpt-format').split():
        parser.add_argument('--' + name)
    for name in 'attention-dropout hidden-dropout'.split():
        parser.add_argument('--' + name, type=float)
    parser.add_argument('--recompute-modules', nargs='+')
    for name in ('group-query-attention multi-latent-attention swiglu disable-bias-linear '
                 'untie-embeddings-and-output-weights bf16 fp16 grad-reduce-in-bf16 '
                 'accumulate-allreduce-grads-in-fp32 cross-entropy-loss-fusion sequence-parallel '
                 'tp-comm-overlap no-overlap-p2p-communication use-distributed-optimizer '
                 'overlap-grad-reduce overlap-param-gather use-tp-pp-dp-mapping '
                 'overlap-moe-expert-parallel-comm').split():
        parser.add_argument('--' + name, action='store_true')
    return parser.parse_args(words)


def groups(sizes, order, axis):
    """The groups of ranks that differ only in AXIS, numbered along ORDER, the innermost axis first."""
    found = {}
    for rank, index in enumerate(itertools.product(*(range(sizes[a]) for a in reversed(order)))):
        where = dict(zip(reversed(order), index))
        rest = tuple(where[a] for a in order if a != axis)
        found.setdefault(rest, []).append(rank)
    return list(found.values())


def megatron(world, args):
    """The groups of each axis by Megatron-LM's rule."""
    order = 'tp cp ep pp dp' if args.use_tp_pp_dp_mapping else 'tp cp ep dp pp'
    order = order.split()
    tp, cp, pp = (args.tensor_model_parallel_size, args.context_parallel_size,
                  args.pipeline_model_parallel_size)
    ep, etp = args.expert_model_parallel_size, args.expert_tensor_parallel_size
    dense = {'tp': tp, 'cp': cp, 'ep': 1, 'pp': pp, 'dp': world // (tp * cp * pp)}
    expert = {'tp': etp, 'cp': 1, 'ep': ep, 'pp': pp, 'dp': world // (etp * ep * pp)}
    all_groups = {axis: groups(dense, order, axis) for axis in ('tp', 'cp', 'pp', 'dp')}
    if args.num_experts:
        all_groups['ep'] = groups(expert, order, 'ep')
        all_groups['etp'] = groups(expert, order, 'tp')
        all_groups['edp'] = groups(expert, order, 'dp')
        if groups(expert, order, 'pp') != all_groups['pp']:
            raise RuntimeError('Megatron-LM would refuse: experts have other stages')
    return all_groups


def drawn_groups(plan):
    """The groups of each axis in the program's picture, in which the classes of a GPU are the numbers
    of its groups. Each rank is on the GPU with the same number."""
    svg = run(CLI, 'export', '-', '-o', '-.svg', input=plan)
    found = {}
    for gpu, words in re.findall(r'id="gpu-(\d+)" class="gpu ([^"]*)"', svg):
        for axis, number in re.findall(r'\b(tp|cp|ep|pp|dp)-(\d+)', words):
            found.setdefault(axis, {}).setdefault(int(number), []).append(int(gpu))
    return {axis: sorted(map(sorted, numbers.values())) for axis, numbers in found.items()}


def world_of(plan):
    nodes, gpus = (int(re.search(rf'\b{name}="(\d+)"', plan).group(1))
                   for name in ('nodes', 'gpus-per-node'))
    return nodes * gpus


def megatron_of(plan):
    """The groups of each axis for the options that the exported script gives Megatron-LM."""
    script = run(CLI, 'convert', '-', '--to', 'megatron', input=plan)
    words = run('bash', '-s', input=script, env={'PATH': os.environ['PATH'], 'PYTHON': 'echo'})
    return megatron(world_of(plan), parse(words.split()[2:]))


def compare(plan, name):
    ours = drawn_groups(plan)
    for axis, all_groups in megatron_of(plan).items():
        if axis in ours and len(all_groups[0]) > 1 and sorted(all_groups) != ours[axis]:
            yield f'{name}: {axis} is {ours[axis][:2]}, by Megatron-LM {sorted(all_groups)[:2]}'


def groups_equal_those_of_megatron():
    for settings in PLANS:
        yield from compare(make_plan(settings), ' '.join(settings))


def table_equals_groups_of_megatron():
    """The table of ranks has each rank's place in its groups."""
    for settings in PLANS:
        plan = make_plan(settings)
        rows = list(csv.DictReader(run(CLI, 'convert', '-', '--to', 'ranks',
                                       input=plan).splitlines()))
        for axis, all_groups in megatron_of(plan).items():
            for members in all_groups if axis in rows[0] else ():
                places = [int(rows[rank][axis]) for rank in members]
                if places != list(range(len(members))):
                    yield f'{settings}: {axis} {members} have the places {places}'


def moved(plan, gpus):
    """PLAN with rank R on GPU gpus[R]."""
    rank_of = [gpus.index(gpu) for gpu in range(len(gpus))]
    n = int(re.search(r'gpus-per-node="(\d+)"', plan).group(1))
    nodes = ''.join(f'<node ranks="{" ".join(map(str, rank_of[i:i + n]))}"/>'
                    for i in range(0, len(gpus), n))
    return re.sub(r'(\n  <engine )', rf'\n  <placement>{nodes}</placement>\1', plan, count=1)


def flatten(mesh):
    return [mesh] if isinstance(mesh, int) else list(itertools.chain(*map(flatten, mesh)))


def mesh_groups(text):
    """The groups of GPUs of each dimension of all meshes; the mesh of experts comes last. As in
    PyTorch, the last dimension varies fastest."""
    found = {}
    for call in (node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Call)):
        words = {keyword.arg: ast.literal_eval(keyword.value) for keyword in call.keywords}
        if call.func.id == 'init_device_mesh':
            shape = ast.literal_eval(call.args[1])
            members = range(len(list(itertools.product(*map(range, shape)))))
        else:
            shape, level = [], words['mesh']
            while not isinstance(level, int):
                shape.append(len(level))
                level = level[0]
            members = flatten(words['mesh'])
        names = words['mesh_dim_names']
        for name in names:
            places = groups(dict(zip(names, shape)), names[::-1], name)
            found[name] = sorted(sorted(members[i] for i in group) for group in places)
    return found


def meshes_equal_groups_of_megatron():
    """With moved ranks, the groups are the same as with ranks in order, but on other GPUs."""
    for settings, exchanged in itertools.product(PLANS, ([], [(0, 5), (3, 10), (1, 9), (2, 7)])):
        plan = make_plan(settings)
        gpus = list(range(world_of(plan)))
        for a, b in exchanged:
            gpus[a], gpus[b] = gpus[b], gpus[a]
        meshes = mesh_groups(run(CLI, 'convert', '-', '--to', 'device-mesh',
                                 input=moved(plan, gpus) if exchanged else plan))
        for axis, all_groups in megatron_of(plan).items():
            theirs = sorted(sorted(gpus[rank] for rank in group) for group in all_groups)
            if len(theirs[0]) > 1 and meshes.get(axis) != theirs:
                yield f'{settings}, {exchanged}: {axis} is {meshes.get(axis)}, not {theirs}'


def groups_of_nemo_equal_those_of_megatron():
    """NeMo and Megatron-Bridge number ranks like Megatron-LM, with other names of the options."""
    if yaml is None:
        return
    for settings in PLANS:
        plan = make_plan(settings)
        tree = yaml.safe_load(run(CLI, 'convert', '-', '--to', 'nemo', input=plan))
        options = argparse.Namespace(**{
            'context_parallel_size': 1, 'expert_model_parallel_size': 1,
            'expert_tensor_parallel_size': 1, 'num_experts': None, **tree['model'], **tree['dist']})
        options.num_experts = tree['model'].get('num_moe_experts')
        if megatron(world_of(plan), options) != megatron_of(plan):
            yield f'{settings}: the groups differ from those of Megatron-LM'


def torchtitan_experts(part):
    """The ranks of the expert groups (torchtitan/distributed/parallel_dims.py): whole experts are on
    GPUs of dp_shard, cp and tp, in this order; divided experts keep the groups of tp."""
    tp, ep = part['tensor_parallel_degree'], part['expert_parallel_degree']
    whole = part['expert_tensor_parallel_degree'] == 1
    inner = tp * part['context_parallel_degree'] * part['data_parallel_shard_degree']
    sizes = {'tp': 1 if whole else tp, 'ep': ep, 'outer': inner // ep // (1 if whole else tp),
             'rest': part['data_parallel_replicate_degree'] * part['pipeline_parallel_degree']}
    return groups(sizes, ['tp', 'ep', 'outer', 'rest'], 'ep')


def expert_groups_of_torchtitan():
    if tomllib is None:
        return
    for settings in (['parallelism.tp=2', 'parallelism.pp=2', 'parallelism.ep=8', 'parallelism.etp=1'],
                     ['parallelism.tp=4', 'parallelism.pp=2', 'parallelism.ep=4', 'parallelism.etp=4'],
                     ['parallelism.tp=2', 'parallelism.pp=4', 'parallelism.cp=2', 'parallelism.ep=8',
                      'parallelism.etp=1']):
        plan = make_plan(['model.name=deepseek-v3', 'parallelism.order=torchtitan',
                          'parallelism.zero=3', *settings])
        text = run(CLI, 'convert', '-', '--to', 'torchtitan', input=plan)
        theirs = sorted(torchtitan_experts(tomllib.loads(text)['parallelism']))
        if drawn_groups(plan)['ep'] != theirs:
            yield f'{settings}: ep is {drawn_groups(plan)["ep"][:2]}, by torchtitan {theirs[:2]}'


def sizes_of(text, name):
    """The degrees in a configuration, by the library of its format."""
    if name == 'torchtitan':
        part = tomllib.loads(text)['parallelism']
        return {'tp': part['tensor_parallel_degree'], 'cp': part['context_parallel_degree'],
                'pp': part['pipeline_parallel_degree'],
                'dp': part['data_parallel_replicate_degree'] * part['data_parallel_shard_degree']}
    tree = json.loads(text)
    if name == 'picotron':
        return {axis: tree['distributed'][f'{axis}_size'] for axis in ('tp', 'cp', 'pp', 'dp')}
    batch = tree['train_micro_batch_size_per_gpu'] * tree['gradient_accumulation_steps']
    return {'tp': tree['tensor_parallel']['autotp_size'], 'cp': 1, 'pp': tree['pipeline']['stages'],
            'dp': tree['train_batch_size'] // batch}


def groups_of_other_programs():
    """torchtitan has a mesh of pp, dp, cp, tp; DeepSpeed has axes pipe, data, model; Picotron has a
    grid of dp, pp, cp, tp. In each of them the last axis varies fastest."""
    others = {'torchtitan': ('tp cp dp pp', ['parallelism.zero=3', 'parallelism.cp=2',
                                             'parallelism.tp=4']),
              'deepspeed': ('tp cp dp pp', ['parallelism.tp=4']),
              'picotron': ('tp cp pp dp', ['parallelism.zero=0', 'parallelism.sequence=false',
                                           'training.recompute=none', 'parallelism.cp=2',
                                           'parallelism.tp=2'])}
    for name, (order, settings) in others.items():
        if name == 'torchtitan' and tomllib is None:
            continue
        plan = make_plan([f'parallelism.order={name}', *settings])
        sizes = sizes_of(run(CLI, 'convert', '-', '--to', name, input=plan), name)
        ours = drawn_groups(plan)
        for axis, degree in sizes.items():
            theirs = sorted(groups(sizes, order.split(), axis))
            if degree > 1 and theirs != ours[axis]:
                yield f'{name}: {axis} is {ours[axis][:2]}, by the program {theirs[:2]}'


def a_wrong_world_is_refused():
    script = run(CLI, 'convert', '-', '--to', 'megatron',
                 input=make_plan(['parallelism.order=megatron']))
    done = subprocess.run(['bash', '-s'], input=script, text=True, capture_output=True,
                          env={'PATH': os.environ['PATH'], 'PYTHON': 'echo', 'WORLD_SIZE': '32'},
                          timeout=60)
    if done.returncode != 1 or 'for 64 ranks, not 32' not in done.stderr:
        yield f'{done.returncode}: {done.stderr}'


def scripts_are_clean():
    for settings in PLANS:
        script = run(CLI, 'convert', '-', '--to', 'megatron', input=make_plan(settings))
        run('bash', '-n', input=script)
        if shutil.which('shellcheck'):
            run('shellcheck', '-', input=script)
    yield from ()


tap.run(groups_equal_those_of_megatron, table_equals_groups_of_megatron, meshes_equal_groups_of_megatron, groups_of_nemo_equal_those_of_megatron,
        groups_of_other_programs, expert_groups_of_torchtitan, a_wrong_world_is_refused, scripts_are_clean)
