# SPDX-License-Identifier: BSD-3-Clause
"""gloo and MPI in one process, started and ended in either order.

    mpirun -n N python3 torch_script.py mpi|torch mpi|torch|none

The first is started first, and the second is ended first; none: nobody ends them.
"""

import os
import sys
import tempfile

os.environ.update(USE_LIBUV="0", GLOO_SOCKET_IFNAME="lo")
import torch  # noqa: E402
import torch.distributed as dist  # noqa: E402

first, ended = sys.argv[1:]
rank, size = (int(os.environ.get("OMPI_COMM_WORLD_" + name, os.environ.get("PMI_" + name, 0)))
              for name in ("RANK", "SIZE"))
job = os.environ.get("PMIX_NAMESPACE", str(os.getppid())).replace("/", "-")
store = os.path.join(tempfile.gettempdir(), f"daptor-torch-{job}-{first}-{ended}")


def start_torch():
    dist.init_process_group("gloo", init_method="file://" + store, rank=rank, world_size=size)


if first == "torch":
    start_torch()
from mpi4py import MPI  # noqa: E402

import daptor  # noqa: E402

comm = MPI.COMM_WORLD
if first == "mpi":
    start_torch()
from torch.distributed.device_mesh import init_device_mesh  # noqa: E402
from torch.distributed.tensor import Shard, distribute_tensor  # noqa: E402

mesh = init_device_mesh("cpu", (size,))
d = distribute_tensor(torch.arange(7.0), mesh, [Shard(0)])
a = daptor.from_dtensor(d, comm)
assert daptor.sum(a) == 21 and d.full_tensor().sum() == 21
comm.Barrier()
if rank == 0 and os.path.exists(store):
    os.remove(store)
if ended == "torch":
    dist.destroy_process_group()
    assert daptor.sum(a) == 21
elif ended == "mpi":
    MPI.Finalize()
    dist.barrier()
    assert d.to_local().sum() == a.interior.sum()
    dist.destroy_process_group()
