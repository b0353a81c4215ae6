#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""launchers.py ROOT CLI: files for launchers start each rank on the GPU that the plan gives it.

Each script runs for real, with stand-ins for the programs that start processes on other machines. The
stand-ins record the host of each rank. The expected placement is written here by hand, and groups follow
from their definition: the test shares no code with the program."""
import ast
import csv
import io
import itertools
import json
import os
import pathlib
import re
import shutil
import stat
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(sys.argv[1]) / 'tests' / 'house'))
import tap  # noqa: E402

CLI = sys.argv[2]
NODES, GPUS = 4, 4
WORLD = NODES * GPUS
SHAPE = [f'cluster.nodes={NODES}', f'cluster.gpus-per-node={GPUS}', 'parallelism.tp=4', 'parallelism.pp=2',
         'parallelism.dp=2']
NAMES = ['gpu-10', 'gpu-9', 'Rack.b-1', 'a']

# The exchanged ranks and the names of the nodes of each plan.
PLANS = {
    'plain order': ([], None),
    'nodes exchanged': ([(r, r + 8) for r in range(4)], None),
    'GPUs of a node exchanged': ([(4, 7), (5, 6)], None),
    'ranks on other nodes': ([(0, 13), (2, 4), (9, 10)], None),
    'named': ([], NAMES),
    'named, nodes and GPUs exchanged': ([(r, r + 12) for r in range(4)] + [(1, 2)], NAMES),
    'named as words of the shell': ([], ['esac', 'in', 'done', 'case']),
    'named in part': ([], ['gpu-10', None, 'a', None]),
    'named in part, ranks on other nodes': ([(0, 13), (2, 4)], [None, 'gpu-9', None, 'node0']),
    'named, ranks on other nodes': ([(0, 13), (2, 4), (9, 10), (15, 1)], NAMES),
}
# Nodes of two hosts each, and their names. A plan names no host of such a node, so the hosts have no names.
RACKS = {'racks': ['node0', 'node1'], 'racks, GPUs and ranks on other nodes': ['node0', 'node1'],
         'racks, named, trays exchanged': ['rack-b', 'Rack.a']}
PLANS.update({'racks': ([], None), 'racks, GPUs and ranks on other nodes': ([(0, 13), (2, 4), (9, 10)], None),
              'racks, named, trays exchanged': ([(r, r + 8) for r in range(4)], None)})
PORT = '12345'  # the port of the first rank, which the user sets
BLOCKS = [name for name in PLANS if 'ranks' not in name]

# The stand-ins. Each runs its command on “hosts”, which are only a variable, and passes on no more of the environment
# than the real program.
STUBS = {
    'record': '''#!/bin/bash
echo "$RANK ${STUB_HOST:-?} $CUDA_VISIBLE_DEVICES $WORLD_SIZE $MASTER_ADDR ${CUDA_DEVICE_ORDER:-?} ${MASTER_PORT:-?} $*" >>"$STUB_LOG"
''',
    'hostname': '''#!/bin/bash
STUB_HOST=${STUB_HOST:-login}
if [ "$1" = -s ]; then echo "${STUB_HOST%%.*}"; else echo "$STUB_HOST"; fi
''',
    'scontrol': '''#!/bin/bash
[ "$*" = "show hostnames $SLURM_JOB_NODELIST" ] || exit 9
tr ' ' '\\n' <<<"$STUB_HOSTS"
''',
    'ssh': '''#!/bin/bash
while [[ $1 == -* ]]; do [ "$1" = -o ] && shift; shift; done
export STUB_HOST=$1
shift
cd / && exec env -u RANK -u WORLD_SIZE -u MASTER_ADDR -u MASTER_PORT sh -c "$*"
''',
    'srun': '''#!/usr/bin/python3
import os, subprocess, sys
options = {}
arguments = sys.argv[1:]
while arguments[0].startswith('--'):
    name, _, value = arguments.pop(0).partition('=')
    options[name] = value
if '--nodes' in options or options.get('--gpu-bind') != 'none':
    sys.exit('srun: wrong options')
n = int(options['--ntasks'])
if options['--distribution'] == 'arbitrary':
    if os.environ.get('SLURM_NNODES') or os.environ.get('SLURM_JOB_NUM_NODES'):
        sys.exit('srun: --nodes is incompatible with --distribution=arbitrary')
    hosts = open(os.environ['SLURM_HOSTFILE']).read().split()
elif options['--distribution'].startswith('block'):
    per_node = int(options['--ntasks-per-node'])
    hosts = [host for host in os.environ['STUB_HOSTS'].split() for _ in range(per_node)]
if len(hosts) != n:
    sys.exit('srun: %d hosts for %d tasks' % (len(hosts), n))
local, running = {}, []
# A job that was submitted with --export=NONE lacks these variables.
if options.get('--export') != 'ALL':
    for name in ('MASTER_ADDR', 'MASTER_PORT'):
        os.environ.pop(name, None)
for rank, host in enumerate(hosts):
    local[host] = local.get(host, -1) + 1
    environment = dict(os.environ, SLURM_PROCID=str(rank), SLURM_LOCALID=str(local[host]),
                       SLURM_NTASKS=str(n), STUB_HOST=host)
    running.append(subprocess.Popen(arguments, env=environment))
sys.exit(max(process.wait() for process in running))
''',
    'mpirun': '''#!/usr/bin/python3
import os, re, subprocess, sys
if sys.argv[1:] == ['--version']:
    print('mpirun (Open MPI) ' + os.environ.get('STUB_MPI', '4.1.4'))
    sys.exit()
options = {}
arguments = sys.argv[1:]
while arguments[0].startswith('-'):
    name = arguments.pop(0)
    options[name] = arguments.pop(0)
if os.environ.get('STUB_MPI', '4').startswith('5'):
    path = options['--map-by'].removeprefix('rankfile:file=')
    # PMIx splits the path at these characters, because it reads the parts as options.
    assert not re.search('[-:]', path), path
else:
    path = options['-rf']
slots = dict(line.split(' slots=') for line in open(options['--hostfile']).read().splitlines())
running, cores = [], set()
lines = open(path).read().splitlines()
assert len(lines) == int(options['-np'])
for line in lines:
    rank, host, first, last = re.fullmatch(r'rank (\\d+)=(\\S+) slot=(\\d+)-(\\d+)', line).groups()
    slots[host] = int(slots[host]) - 1
    for core in range(int(first), int(last) + 1):
        assert (host, core) not in cores
        cores.add((host, core))
    environment = dict(os.environ, OMPI_COMM_WORLD_RANK=rank, STUB_HOST=host)
    for name in ('MASTER_ADDR', 'MASTER_PORT'):
        environment.pop(name, None)
    running.append(subprocess.Popen(arguments, env=environment))
assert set(slots.values()) == {0}
sys.exit(max(process.wait() for process in running))
''',
    'torchrun': '''#!/usr/bin/python3
import os, subprocess, sys
options, program = {}, sys.argv[1:]
while program[0].startswith('--'):
    name, _, value = program.pop(0)[2:].partition('=')
    options[name] = value
n = int(options['nproc-per-node'])
devices = os.environ.get('CUDA_VISIBLE_DEVICES', ','.join(str(i) for i in range(n))).split(',')
for local in range(n):
    environment = dict(os.environ, RANK=str(int(options['node-rank']) * n + local),
                       WORLD_SIZE=str(int(options['nnodes']) * n), MASTER_ADDR=options['master-addr'],
                       MASTER_PORT=options['master-port'],
                       CUDA_VISIBLE_DEVICES=devices[local])
    if os.environ.get('CUDA_VISIBLE_DEVICES') and os.environ.get('CUDA_DEVICE_ORDER') != 'PCI_BUS_ID':
        sys.exit('torchrun: the order of the GPUs is not set')
    environment['CUDA_DEVICE_ORDER'] = 'PCI_BUS_ID'
    subprocess.run(['record'] + program[1:], env=environment, check=True)
''',
}


class Folder:
    """A separate folder for a run, with the stand-ins first on PATH."""

    def __enter__(self):
        self.path = pathlib.Path(tempfile.mkdtemp(prefix='plg-launch-'))
        (self.path / 'bin').mkdir()
        for name, text in STUBS.items():
            program = self.path / 'bin' / name
            program.write_text(text)
            program.chmod(program.stat().st_mode | stat.S_IXUSR)
        self.log = self.path / 'log'
        self.log.touch()
        self.work = self.path / 'a work-folder:1'
        self.work.mkdir()
        return self

    def __exit__(self, *_):
        shutil.rmtree(self.path)

    def run(self, script, arguments, **variables):
        environment = {'PATH': f"{self.path / 'bin'}:{os.environ['PATH']}", 'LC_ALL': 'C.UTF-8',
                       'STUB_LOG': str(self.log), 'HOME': str(self.path), 'MASTER_PORT': PORT, **variables}
        file = self.work / 'launch.sh'
        file.write_text(script)
        return subprocess.run(['bash', str(file), *arguments], cwd=self.work, env=environment, text=True,
                              capture_output=True, check=False, timeout=100)

    def started(self):
        return [line.split(' ') for line in self.log.read_text().splitlines()]


def hosts_of(name):
    if name in RACKS:
        return [f'{first}-tray{tray}{dot}{rest}' for first, dot, rest in (rack.partition('.') for rack in RACKS[name])
                for tray in range(2)]
    names = PLANS[name][1] or [None] * NODES
    return [given or (f'node{i}-1' if f'node{i}' in names else f'node{i}') for i, given in enumerate(names)]


def places(name):
    """Maps each rank to its host and GPU."""
    gpu_of_rank = list(range(WORLD))
    for a, b in PLANS[name][0]:
        gpu_of_rank[a], gpu_of_rank[b] = gpu_of_rank[b], gpu_of_rank[a]
    return {rank: (hosts_of(name)[gpu // GPUS], gpu % GPUS) for rank, gpu in enumerate(gpu_of_rank)}


def plan_file(folder, name, title=''):
    """Writes the plan as XML: the default plan with a placement from PLANS."""
    arguments = [CLI, 'convert', '--to', 'xml']
    names = RACKS.get(name) if 'named' in name else None
    names = names or PLANS[name][1]
    racks = ['cluster.nodes=2', 'cluster.gpus-per-node=8', 'cluster.gpus-per-host=4'] if name in RACKS else []
    for setting in SHAPE + racks + ([f"cluster.node-names={','.join(f'{i}={n}' for i, n in enumerate(names) if n)}"] if names else []):
        arguments += ['--set', setting]
    xml = subprocess.run(arguments, text=True, capture_output=True, check=True).stdout
    rank_of = {place: rank for rank, place in places(name).items()}
    hosts = [' '.join(str(rank_of[host, gpu]) for gpu in range(GPUS)) for host in hosts_of(name)]
    nodes = hosts if name not in RACKS else [' '.join(hosts[:2]), ' '.join(hosts[2:])]
    nodes = ''.join(f'<node ranks="{ranks}"/>' for ranks in nodes)
    if PLANS[name][0]:
        xml = re.sub(r'  <engine ', f'  <placement>{nodes}</placement>\n  <engine ', xml, count=1)
    if title:
        escaped = ''.join(f'&#{ord(c)};' for c in title)
        xml = re.sub(r'(<plan version="1">\n)', rf'\1  <title>{escaped}</title>\n', xml, count=1)
    path = folder.path / 'plan.xml'
    path.write_text(xml)
    return path


def export(plan, form, check=True):
    return subprocess.run([CLI, 'convert', str(plan), '--to', form], text=True, capture_output=True, check=check)


def compare(name, form, result, started, translate=None):
    if result.returncode != 0:
        yield f'{form}, {name}: exit status {result.returncode}: {result.stderr.strip()[:300]}'
    expected = {rank: ((translate or {}).get(host, host), gpu) for rank, (host, gpu) in places(name).items()}
    found = {int(words[0]): (words[1], int(words[2])) for words in started}
    if found != expected or len(started) != WORLD:
        yield f'{form}, {name}: started {sorted(found.items())}, not {sorted(expected.items())}'
    for rank, _, _, world, master, order, port, *arguments in started:
        meeting = '29500' if form == 'torchrun' else PORT
        if (world, master, order, port) != (str(WORLD), expected[0][0], 'PCI_BUS_ID', meeting):
            yield f'{form}, {name}: rank {rank} has WORLD_SIZE {world}, MASTER_ADDR {master}:{port}, {order}'
        if arguments != ['--steps', '5', '$HOME', "it's"]:
            yield f'{form}, {name}: rank {rank} was given {arguments}'


ARGUMENTS = ['--steps', '5', '$HOME', "it's"]


def slurm_variables(name):
    """An allocation: the named hosts, and other hosts for the nodes without a name, which the script must find."""
    others = iter(f'c{i}' for i in (3, 5, 8, 9))
    hosts = [given or next(others) for given in PLANS[name][1] or [None] * NODES]
    return dict(zip(hosts_of(name), hosts)), {'SLURM_JOB_NODELIST': 'c[3,5,8-9]', 'STUB_HOSTS': ' '.join(hosts),
                                              'SLURM_NNODES': '4', 'SLURM_JOB_NUM_NODES': '4'}


def slurm_starts_the_plan():
    for name in PLANS:
        with Folder() as folder:
            script = export(plan_file(folder, name), 'slurm').stdout
            translate, variables = slurm_variables(name)
            result = folder.run(script, ['record', *ARGUMENTS], **variables)
            yield from compare(name, 'slurm', result, folder.started(), translate)
            if list(folder.work.iterdir()) != [folder.work / 'launch.sh']:
                yield f'slurm, {name}: files are left over'


def allocations_that_do_not_fit_are_refused():
    for names, there in ((None, 3), (['a', None, 'b', None], 1)):
        PLANS['short'] = ([], names)
        with Folder() as folder:
            script = export(plan_file(folder, 'short'), 'pbs').stdout
            nodefile = folder.path / 'nodefile'
            nodefile.write_text('\n'.join([n for n in names or [] if n] + [f'p{i}' for i in range(there)]) + '\n')
            result = folder.run(script, ['record'], PBS_NODEFILE=str(nodefile), PBS_O_WORKDIR=str(folder.work))
            if result.returncode == 0 or f'The plan needs {there + 1} nodes' not in result.stderr:
                yield f'{names}: {result.stderr}'
        del PLANS['short']


def nodes_without_names_are_reported():
    """Nodes without a name are reported in the file and by a message, unless an allocation provides their hosts."""
    with Folder() as folder:
        plan = plan_file(folder, 'named in part')
        if '#SBATCH --nodelist=gpu-10,a\n' not in export(plan, 'slurm').stdout:
            yield 'slurm requests hosts without a name'
        if 'select=1:host=gpu-10:ncpus=4:mpiprocs=4:ngpus=4+1:host=a:ncpus=4:mpiprocs=4:ngpus=4+2:ncpus=4:' not in \
                export(plan, 'pbs').stdout:
            yield 'pbs requests hosts without a name'
        for form in ('slurm', 'pbs', 'ssh', 'openmpi4', 'openmpi5', 'hostfile', 'rankfile', 'slurm-hostfile', 'torchrun',
                     'kubernetes'):
            result = export(plan, form)
            is_reported = '2 of 4 nodes have no name' in result.stderr
            if '# 2 of the 4 nodes have no name' not in result.stdout or is_reported == (form in ('slurm', 'pbs')) or \
                    'These formats can say so' in result.stderr:
                yield f'{form}: {result.stderr}'


def a_rack_is_many_hosts():
    """An NVL72 is 18 hosts of 4 GPUs: each launcher starts ranks on 18 hosts per rack."""
    asked = {'torchrun': ('--nnodes=36 --nproc-per-node=4 --node-rank=35 ',),
             'hostfile': ('\nnode0-tray0 slots=4\n', '\nnode1-tray17 slots=4\n'),
             'slurm': ('#SBATCH --nodes=36\n#SBATCH --ntasks=144\n#SBATCH --gpus-per-node=4\n', '--ntasks-per-node=4 '),
             'pbs': ('#PBS -l select=36:ncpus=4:mpiprocs=4:ngpus=4\n', ' slots=4"'),
             'kubernetes': ('replicas: 35\n', 'nvidia.com/gpu: 4\n', '--nnodes=36 --nproc-per-node=4 '),
             'rankfile': ('\nrank 71=node0-tray17 slot=3\n', '\nrank 72=node1-tray0 slot=0\n'),
             'slurm-hostfile': ('\nnode1-tray17\n',),
             'ssh': ('\n143\tnode1-tray17\t3\n',), 'openmpi4': ('\n143\tnode1-tray17\t3\n', ' slots=4"'),
             'openmpi5': ('\n143\tnode1-tray17\t3\n', ' slots=4"'),
             'megatron': ('\nGPUS_PER_NODE=4\nNNODES=36\n',), 'ranks': ('\n143,1,71,',)}
    with Folder() as folder:
        plan = folder.path / 'plan.xml'
        subprocess.run([CLI, 'new', '-c', '2xgb200-nvl72', '-o', str(plan)], check=True, capture_output=True)
        subprocess.run([CLI, 'convert', str(plan), '--set', 'parallelism.order=megatron', '--to', 'xml', '-f', '-o', str(plan)],
                       check=True, capture_output=True)
        for form, words in asked.items():
            text = export(plan, form).stdout
            for word in words:
                if word not in text:
                    yield f'{form}: no {word!r}'
            again = folder.path / 'again'
            again.write_text(text)
            read = subprocess.run([CLI, 'convert', '-i', str(again), '--to', 'xml'], text=True, capture_output=True,
                                  check=True).stdout
            if not re.search(r' nodes="2"\n *gpus-per-node="72"\n', read) or \
                    ('gpus-per-host="4"' not in read and form != 'ranks'):
                yield f'{form}: read back as another cluster'


def hosts_named_trays_are_nodes():
    """Names do not join hosts to racks: each host with “tray” in its name is read back as a node."""
    forms = ('slurm', 'openmpi4', 'openmpi5', 'ssh', 'pbs', 'ranks', 'ranks-json', 'slurm-hostfile', 'rankfile',
             'hostfile', 'kubernetes', 'torchrun')
    clusters = [('8xhgx-h100', [f'r{i // 4}-tray{i % 4}' for i in range(8)]),
                ('32xhgx-h100', [f'r1-tray{i}' for i in range(32)]),
                ('18xgb200-nvl72-tray', [f'nvl-tray{i}.x' for i in range(18)])]
    with Folder() as folder:
        plan, again = folder.path / 'plan.xml', folder.path / 'again'
        for cluster, names in clusters:
            subprocess.run([CLI, 'new', '-f', '-c', cluster, '-o', str(plan)], check=True, capture_output=True)
            names = ','.join(f'{i}={name}' for i, name in enumerate(names))
            subprocess.run([CLI, 'convert', str(plan), '--set', f'cluster.node-names={names}', '--to', 'xml', '-f', '-o',
                            str(plan)], check=True, capture_output=True)
            for form in forms:
                again.write_text(export(plan, form).stdout)
                read = subprocess.run([CLI, 'convert', str(plan), '--import', str(again), '--to', 'xml'], text=True,
                                      capture_output=True, check=False)
                if read.stdout != plan.read_text():
                    yield f'{form}, {cluster}: reads back as another plan: {read.stderr.strip()[:300]}'
        again.write_text(''.join(f'r-tray{i} slots=1\n' for i in range(129)))
        read = subprocess.run([CLI, 'convert', '-i', str(again), '--to', 'xml'], text=True, capture_output=True, check=False)
        if 'nodes="129"' not in read.stdout or 'gpus-per-node="1"' not in read.stdout:
            yield f'129 hosts are not 129 nodes: {read.stderr.strip()[:300]}'


def comments_on_racks_are_true():
    """The comments name hosts that the file lists, whatever the names of the racks, and one node is singular."""
    with Folder() as folder:
        plan = folder.path / 'plan.xml'
        for cluster, named, last in (('2xgb200-nvl72', True, 'rack-b-tray17'), ('1xgb200-nvl72', False, 'node0-tray17')):
            subprocess.run([CLI, 'new', '-f', '-c', cluster, '-o', str(plan)], check=True, capture_output=True)
            names = 'cluster.node-names=' + ('0=rack-a,1=rack-b' if named else '')
            subprocess.run([CLI, 'convert', str(plan), '--set', names, '--to', 'xml', '-f', '-o', str(plan)], check=True,
                           capture_output=True)
            for form in ('openmpi4', 'openmpi5'):
                text = export(plan, form).stdout
                first = 'rack-a' if named else 'node0'
                if f'replace {first}-tray0 to {first}-tray17 and so on above' not in text or 'does not name all' in text:
                    yield f'{form}: {cluster}: the comment names other hosts'
            if f'\n# NODE={last} names' not in export(plan, 'torchrun').stdout:
                yield f'torchrun, {cluster}: the example host does not exist'
            slurm = export(plan, 'slurm').stdout
            if '\n##SBATCH --segment=18\n' not in slurm or ('on 1 node of 72 GPUs, which is 18 hosts' in slurm) == named:
                yield f'slurm, {cluster}: the script does not request racks'


def axes_of_degree_one_keep_moved_ranks():
    """The place of an axis of degree 1 changes no rank number: files that name another order keep moved ranks."""
    with Folder() as folder:
        plan, table, again = (folder.path / name for name in ('plan.xml', 'ranks.csv', 'again'))
        for degrees in (['parallelism.pp=1', 'parallelism.dp=8'], ['parallelism.pp=8', 'parallelism.dp=1']):
            arguments = list(itertools.chain(*(('--set', s) for s in degrees)))
            subprocess.run([CLI, 'convert', *arguments, '--to', 'xml', '-f', '-o', str(plan)], check=True, capture_output=True)
            rows = export(plan, 'ranks').stdout.split('\n')
            first, other = (next(i for i, row in enumerate(rows) if row.startswith(f'{rank},')) for rank in (0, 1))
            rows[first], rows[other] = '1' + rows[first][1:], '0' + rows[other][1:]
            column = rows[0].split(',').index('tp')
            for i in (first, other):
                cells = rows[i].split(',')
                cells[column] = cells[0]
                rows[i] = ','.join(cells)
            table.write_text('\n'.join(rows))
            subprocess.run([CLI, 'convert', str(plan), '--import', str(table), '--to', 'xml', '-f', '-o', str(plan)], check=True,
                           capture_output=True)
            placement = re.search('<placement>.*</placement>', plan.read_text(), re.DOTALL)
            if not placement or 'ranks="1 0 2' not in placement[0]:
                yield f'{degrees}: no rank was moved'
                continue
            for form in ('megatron', 'nemo', 'deepspeed', 'torchtitan'):
                written = export(plan, form, check=False)
                if written.returncode != 0:
                    continue
                again.write_text(written.stdout)
                read = subprocess.run([CLI, 'convert', str(plan), '--import', str(again), '--to', 'xml'], text=True,
                                      capture_output=True, check=False).stdout
                if placement[0] not in read:
                    yield f'{form}, {degrees}: moved ranks are reset'


def ssh_starts_the_plan():
    for name in PLANS:
        with Folder() as folder:
            script = export(plan_file(folder, name), 'ssh').stdout
            yield from compare(name, 'ssh', folder.run(script, ['record', *ARGUMENTS]), folder.started())


def ssh_ends_when_a_rank_fails():
    with Folder() as folder:
        script = export(plan_file(folder, 'named'), 'ssh').stdout
        result = folder.run(script, ['bash', '-c', '[ "$RANK" != 5 ]'])
        if result.returncode == 0:
            yield 'rank 5 failed, but the exit status is 0'


def open_mpi_starts_the_plan():
    for version, (name, form) in itertools.product(('4.1.4', '5.0.7'), itertools.product(PLANS, ('openmpi', 'pbs'))):
        form = form + version[0] if form == 'openmpi' else form
        with Folder() as folder:
            script = export(plan_file(folder, name), form).stdout
            translate, nodefile = {}, folder.path / 'nodefile'
            if form == 'pbs':
                given = PLANS[name][1] or [None] * NODES
                translate = {host: f'p{i + 7}' for i, host in enumerate(hosts_of(name)) if not given[i]}
            nodefile.write_text(''.join(f'{translate.get(host, host)}\n' * GPUS for host in hosts_of(name)))
            result = folder.run(script, ['record', *ARGUMENTS], STUB_MPI=version, PBS_NODEFILE=str(nodefile),
                                PBS_O_WORKDIR=str(folder.work), CORES_PER_RANK='6')
            yield from compare(name, f'{form} {version}', result, folder.started(), translate)


def real_mpirun(folder):
    """The environment with which Open MPI 4 runs on “hosts”: a daemon on this machine for each host, with many cores.
    None if Open MPI 4 is missing or PLG_REAL_MPIRUN is not set, since Open MPI starts slowly on a busy machine."""
    mpirun, lstopo = shutil.which('mpirun'), shutil.which('lstopo-no-graphics')
    if not os.environ.get('PLG_REAL_MPIRUN') or not mpirun or not lstopo:
        return None
    version = subprocess.run([mpirun, '--version'], text=True, capture_output=True, check=False).stdout
    if 'Open MPI) 4.' not in version:
        return None
    (folder.path / 'bin' / 'mpirun').unlink()
    subprocess.run([lstopo, '--input', 'pack:2 core:24 pu:1', '-f', str(folder.path / 'topology.xml')],
                   capture_output=True, check=True)
    agent = folder.path / 'agent'
    # Each host has a separate folder for sessions. If two runs share a folder, the daemon of the run that ends removes the
    # session of the second run; its daemon then ends without a message, and its mpirun waits forever.
    temporary = folder.path / 'tmp'
    agent.write_text('#!/bin/bash\nwhile [[ $1 == -* ]]; do shift; done\nexport STUB_HOST=$1\nshift\n'
                     f'export TMPDIR="{temporary}/$STUB_HOST"\nmkdir -p "$TMPDIR"\n'
                     'exec env -u MASTER_PORT sh -c "$*"\n')
    temporary.mkdir(exist_ok=True)
    agent.chmod(0o700)
    return {'TMPDIR': str(temporary), 'OMPI_ALLOW_RUN_AS_ROOT': '1', 'OMPI_ALLOW_RUN_AS_ROOT_CONFIRM': '1',
            'OMPI_MCA_plm_rsh_agent': str(agent), 'OMPI_MCA_plm_rsh_no_tree_spawn': '1',
            'OMPI_MCA_orte_keep_fqdn_hostnames': '1',
            'OMPI_MCA_hwloc_base_topo_file': str(folder.path / 'topology.xml'), 'CORES_PER_RANK': '6'}


def mpirun_script(ranks, options):
    return f"mpirun -np {ranks} {options} bash -c 'RANK=$OMPI_COMM_WORLD_RANK; " \
           'echo "$RANK $STUB_HOST" >>"$STUB_LOG"\''


def real_mpirun_starts_the_plan():
    for name in ('named', 'named, ranks on other nodes'):
        with Folder() as folder:
            variables = real_mpirun(folder)
            if variables is None:
                return
            plan = plan_file(folder, name)
            result = folder.run(export(plan, 'openmpi4').stdout, ['record', *ARGUMENTS], **variables)
            yield from compare(name, 'openmpi4, real', result, folder.started())
            # The exported rankfile with the exported hostfile.
            folder.log.write_text('')
            for form in ('rankfile', 'hostfile'):
                (folder.work / form).write_text(export(plan if form == 'rankfile' else
                                                       plan_file(folder, 'named'), form).stdout)
            result = folder.run(mpirun_script(WORLD, '--hostfile hostfile -rf rankfile'), [], **variables)
            found = {int(rank): host for rank, host in folder.started()}
            if found != {rank: host for rank, (host, _) in places(name).items()}:
                yield f'rankfile, {name}: started {sorted(found.items())}: {result.stderr[:300]}'


def real_mpirun_accepts_the_same_files():
    """Open MPI and the program both refuse a host that is listed twice with slots=, and accept shared cores."""
    cases = (('a slots=2\nb slots=1\na slots=1\n', '', False),
             ('a slots=2\nb slots=2\n', 'rank 0=a slot=0-3\nrank 1=a slot=0-3\nrank 2=b slot=0\nrank 3=b slot=1\n', True))
    for hosts, ranks, started in cases:
        with Folder() as folder:
            variables = real_mpirun(folder)
            if variables is None:
                return
            (folder.work / 'hosts').write_text(hosts)
            (folder.work / 'ranks').write_text(ranks)
            read = subprocess.run([CLI, 'convert', str(folder.work / ('ranks' if ranks else 'hosts')), '--to', 'ranks'],
                                  text=True, capture_output=True, check=False)
            options = '--hostfile hosts' + (' -rf ranks' if ranks else ' --bind-to none')
            result = folder.run(mpirun_script(4, options), [], **variables)
            if (result.returncode == 0) != started or (read.returncode == 0) != started:
                yield f'{hosts}{ranks}: {result.stderr[:300]}, {read.stderr[:300]}'


def real_scontrol_knows_the_hosts():
    scontrol = shutil.which('scontrol')
    if not scontrol:
        return
    with Folder() as folder:
        script = export(plan_file(folder, 'named'), 'slurm').stdout
        hosts = re.search(r'^#SBATCH --nodelist=(.*)$', script, re.M).group(1)
        configuration = folder.path / 'slurm.conf'
        configuration.write_text('ClusterName=none\nSlurmctldHost=localhost\n')
        result = subprocess.run([scontrol, 'show', 'hostnames', hosts], text=True, capture_output=True, check=False,
                                env={**os.environ, 'SLURM_CONF': str(configuration)})
        if result.stdout.split() != NAMES:
            yield f'{hosts}: {result.stdout}{result.stderr}'


def torchrun_starts_the_plan():
    for name in BLOCKS:
        with Folder() as folder:
            script = export(plan_file(folder, name), 'torchrun').stdout
            for host in hosts_of(name):
                result = folder.run(script, ['train.py', *ARGUMENTS], STUB_HOST=host)
                if result.returncode != 0:
                    yield f'{name}, {host}: {result.stderr}'
            yield from compare(name, 'torchrun', result, folder.started())
            if folder.run(script, [], STUB_HOST='stranger').returncode == 0:
                yield f'{name}: a host of another cluster starts a rank'


def hosts_have_short_and_full_names():
    """If one node has a fully qualified name, the other nodes are still found by their short names."""
    with Folder() as folder:
        script = export(plan_file(folder, 'named'), 'torchrun').stdout
        for name in NAMES:
            host = name if '.' in name else f'{name}.cluster.example'
            result = folder.run(script, ['train.py'], STUB_HOST=host)
            if result.returncode != 0:
                yield f'{host}: {result.stderr}'
        if sorted(int(words[0]) for words in folder.started()) != list(range(WORLD)):
            yield f'{folder.started()}'


def kubernetes_starts_the_plan():
    try:
        import yaml
    except ImportError:
        return
    for name in BLOCKS:
        with Folder() as folder:
            job = yaml.safe_load(export(plan_file(folder, name), 'kubernetes').stdout)
            replicas = job['spec']['pytorchReplicaSpecs']
            if (replicas['Master']['replicas'], replicas['Worker']['replicas']) != (1, NODES - 1):
                yield f'{name}: not one pod per node'
            main = places(name)[0][0]
            blocks = [places(name)[rank][0] for rank in range(0, WORLD, GPUS)]
            for block, host in enumerate(blocks):
                pod = replicas['Master' if block == 0 else 'Worker']['template']['spec']
                if PLANS[name][1]:
                    terms = pod['affinity']['nodeAffinity']['requiredDuringSchedulingIgnoredDuringExecution']
                    values = terms['nodeSelectorTerms'][0]['matchExpressions'][0]['values']
                    if values != (blocks[:1] if block == 0 else blocks[1:]):
                        yield f'{name}: pods of block {block} may run on {values}'
                script = pod['containers'][0]['args'][0].replace('train.py', "train.py --steps 5 '$HOME' \"it's\"")
                result = folder.run(script, [], RANK=str(block), NODE_NAME=host, STUB_HOST=host, MASTER_ADDR=main)
            yield from compare(name, 'kubernetes', result, folder.started())


def moved_ranks_are_refused_for_torchrun():
    for name in PLANS:
        if name in BLOCKS:
            continue
        with Folder() as folder:
            plan = plan_file(folder, name)
            for form in ('torchrun', 'kubernetes', 'hostfile'):
                result = export(plan, form, check=False)
                if result.returncode == 0 or 'slurm, openmpi4' not in result.stderr or 'rank' not in result.stderr:
                    yield f'{form}, {name}: {result.stderr}'


def suitable_formats_are_offered():
    """A message offers the formats that can store exchanged nodes and exchanged GPUs; a hostfile cannot."""
    with Folder() as folder:
        result = export(plan_file(folder, 'named, nodes and GPUs exchanged'), 'slurm-hostfile', check=False)
        offered = result.stderr.rpartition(': ')[2].strip().rstrip('.').split(', ')
        if not {'slurm', 'torchrun', 'kubernetes', 'rankfile'} <= set(offered) or 'hostfile' in offered:
            yield result.stderr


HOSTILE = ("$(touch pwned)`touch pwned`\ntouch pwned\n'; touch pwned; '\"; touch pwned; \"\n:PLACEMENT:\ntouch pwned\n"
           ":RANK:\ntouch pwned\r\ntouch pwned\u2028touch pwned # \\")


def titles_do_not_run():
    for form in ('slurm', 'ssh', 'openmpi4', 'openmpi5', 'pbs', 'torchrun', 'kubernetes', 'megatron'):
        for name in ('plain order', 'named, nodes and GPUs exchanged'):
            with Folder() as folder:
                plan = plan_file(folder, name, HOSTILE)
                if form == 'megatron':
                    plan.write_text(re.sub('order="[^"]*"', 'order="tp-cp-dp-pp"', plan.read_text()))
                text = export(plan, form).stdout
                if '$(touch pwned)`touch pwned` ' not in text:
                    yield f'{form}: the title is missing'
                _, variables = slurm_variables(name)
                nodefile = folder.path / 'nodefile'
                nodefile.write_text('\n'.join(hosts_of(name)) + '\n')
                if form == 'kubernetes':
                    if any('touch pwned' in line and not line.startswith('#') for line in text.splitlines()):
                        yield f'{form}: the title is outside the comment'
                    continue
                result = folder.run(text, ['record'], STUB_HOST=hosts_of(name)[0], PBS_NODEFILE=str(nodefile),
                                    STUB_MPI='5.0.7' if form == 'openmpi5' else '4.1.4', PYTHON='true', **variables)
                if result.returncode != 0 or list(folder.path.rglob('pwned')):
                    yield f'{form}, {name}: {result.stderr}, {list(folder.path.rglob("*"))}'


def scripts_are_clean():
    shellcheck = shutil.which('shellcheck')
    for form in ('slurm', 'ssh', 'openmpi4', 'openmpi5', 'pbs', 'torchrun'):
        for name in ('plain order', 'named, nodes and GPUs exchanged'):
            with Folder() as folder:
                script = export(plan_file(folder, name), form).stdout
                for command in (['bash', '-n'], [shellcheck, '-s', 'bash', '-'] if shellcheck else ['true']):
                    result = subprocess.run(command, input=script, text=True, capture_output=True, check=False)
                    if result.returncode != 0:
                        yield f'{form}, {name}: {result.stdout}{result.stderr}'


def groups_by_definition(order, degree):
    """Maps each axis of ORDER, innermost first, to its groups: ranks that differ in one index only."""
    strides, stride = {}, 1
    for axis in order:
        strides[axis] = stride
        stride *= degree[axis]
    return {axis: sorted(sorted(base + i * strides[axis] for i in range(degree[axis]))
                         for base in range(stride) if base // strides[axis] % degree[axis] == 0)
            for axis in order}


def table_of(plan):
    """The table of ranks, with the values of columns that the plan does not need."""
    rows = csv.DictReader(io.StringIO(export(plan, 'ranks').stdout))
    return [{'cp': '0', 'ep': '0', 'host': f'node{row["node"]}', **row} for row in rows]


def groups_of_table(rows, axes):
    groups = {}
    for axis in axes:
        found = {}
        for row in rows:
            key = tuple(row[other] for other in axes if other != axis)
            found.setdefault(key, []).append(int(row['rank']))
        groups[axis] = sorted(sorted(group) for group in found.values())
    return groups


def groups_of_mesh(text):
    """Maps each axis of the mesh to its groups, in the numbers of the mesh. Python's parser reads the file."""
    tree = ast.parse(text)
    call = next(node for node in ast.walk(tree) if isinstance(node, ast.Call))
    keywords = {keyword.arg: ast.literal_eval(keyword.value) for keyword in call.keywords}
    names = keywords['mesh_dim_names']
    if call.func.id == 'init_device_mesh':
        shape = ast.literal_eval(call.args[1])
        flat = list(range(eval('*'.join(map(str, shape)))))
    else:
        shape, level = [], keywords['mesh']
        flat = level
        while isinstance(level, list):
            shape.append(len(level))
            level = level[0]
        for _ in shape[1:]:
            flat = list(itertools.chain.from_iterable(flat))
    places_of = list(itertools.product(*(range(n) for n in shape)))
    groups = {}
    for k, name in enumerate(names):
        found = {}
        for place, number in zip(places_of, flat):
            found.setdefault(place[:k] + place[k + 1:], []).append(number)
        groups[name] = sorted(sorted(group) for group in found.values())
    return groups


ORDERS = [('tp', 'pp', 'dp'), ('tp', 'dp', 'pp'), ('pp', 'tp', 'dp'), ('dp', 'pp', 'tp'), ('pp', 'dp', 'tp')]


def groups_follow_the_order():
    for order in ORDERS:
        with Folder() as folder:
            plan = folder.path / 'plan.xml'
            settings = ['parallelism.tp=8', 'parallelism.pp=4', 'parallelism.dp=2', f"parallelism.order={'-'.join(order)}"]
            arguments = [CLI, 'convert', '--to', 'xml', '-o', str(plan)]
            subprocess.run(arguments + [x for s in settings for x in ('--set', s)], check=True)
            expected = groups_by_definition(order, {'tp': 8, 'pp': 4, 'dp': 2})
            if groups_of_table(table_of(plan), order) != expected:
                yield f'{order}: the table has other groups'
            # With ranks in order, the numbers of the mesh are the ranks.
            if groups_of_mesh(export(plan, 'device-mesh').stdout) != expected:
                yield f'{order}: the mesh has other groups'


def groups_equal_those_of_megatron():
    """The groups in the documentation of Megatron-LM's parallel_state.py: TP 8, PP 4, DP 2 on 64 ranks."""
    published = {
        'tp': [list(range(i, i + 8)) for i in range(0, 64, 8)],
        'dp': [[i, i + 8] for q in range(0, 64, 16) for i in range(q, q + 8)],
        'pp': [[i, i + 16, i + 32, i + 48] for i in range(16)],
    }
    if groups_by_definition(('tp', 'dp', 'pp'), {'tp': 8, 'pp': 4, 'dp': 2}) != published:
        yield 'the definition gives other groups'


def meshes_follow_the_placement():
    for name in PLANS:
        with Folder() as folder:
            plan = plan_file(folder, name)
            number = {rank: hosts_of(name).index(host) * GPUS + gpu for rank, (host, gpu) in places(name).items()}
            expected = {axis: sorted(sorted(number[rank] for rank in group) for group in groups)
                        for axis, groups in groups_by_definition(('tp', 'pp', 'dp'), {'tp': 4, 'pp': 2, 'dp': 2}).items()}
            if groups_of_mesh(export(plan, 'device-mesh').stdout) != expected:
                yield f'{name}: the mesh has other groups'


def experts_have_a_mesh():
    """Stages have 16 ranks, and experts are on 8 consecutive ranks, as in Megatron-LM."""
    settings = ['model.name=mixtral-8x7b', 'parallelism.tp=2', 'parallelism.pp=4', 'parallelism.ep=8',
                'parallelism.order=megatron']
    arguments = itertools.chain(*(('--set', s) for s in settings))
    text = subprocess.run([CLI, 'convert', '--to', 'device-mesh', *arguments], check=True, capture_output=True,
                          text=True).stdout
    groups = groups_of_mesh(text[text.index('expert_mesh'):])
    expected = {'ep': [list(range(i, i + 8)) for i in range(0, 64, 8)],
                'edp': sorted([i, i + 8] for q in range(0, 64, 16) for i in range(q, q + 8)),
                'pp': sorted([i, i + 16, i + 32, i + 48] for i in range(16))}
    if groups != expected:
        yield f'{groups}'


def tables_agree():
    for name in PLANS:
        with Folder() as folder:
            plan = plan_file(folder, name)
            rows = table_of(plan)
            listed = json.loads(export(plan, 'ranks-json').stdout)['ranks']
            if [{key: str(value) for key, value in row.items()} for row in listed] != rows:
                yield f'{name}: CSV and JSON differ'
            expected = places(name)
            if name in RACKS:
                number = {host: i for i, host in enumerate(hosts_of(name))}
                expected = {rank: (host, number[host] % 2 * GPUS + gpu)
                            for rank, (host, gpu) in expected.items()}
            if {int(r['rank']): (r['host'], int(r['local_gpu'])) for r in rows} != expected:
                yield f'{name}: the table is not the plan'
            lines = export(plan, 'rankfile').stdout.splitlines()
            ranks = dict(re.fullmatch(r'rank (\d+)=(\S+) slot=\d+', line).groups() for line in lines if line[0] != '#')
            if {int(rank): host for rank, host in ranks.items()} != {r: host for r, (host, _) in places(name).items()}:
                yield f'{name}: the rankfile is not the plan'


tap.run(a_rack_is_many_hosts, hosts_named_trays_are_nodes, comments_on_racks_are_true, axes_of_degree_one_keep_moved_ranks, slurm_starts_the_plan,
        allocations_that_do_not_fit_are_refused, nodes_without_names_are_reported,
        ssh_starts_the_plan, ssh_ends_when_a_rank_fails, open_mpi_starts_the_plan,
        real_mpirun_starts_the_plan, real_mpirun_accepts_the_same_files, real_scontrol_knows_the_hosts,
        torchrun_starts_the_plan, hosts_have_short_and_full_names, kubernetes_starts_the_plan, moved_ranks_are_refused_for_torchrun,
        suitable_formats_are_offered, titles_do_not_run,
        scripts_are_clean, groups_follow_the_order, groups_equal_those_of_megatron, meshes_follow_the_placement,
        experts_have_a_mesh, tables_agree)
