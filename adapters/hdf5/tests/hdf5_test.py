# SPDX-License-Identifier: BSD-3-Clause
"""daptor.save and daptor.load against NumPy and h5py, on every rank."""

import os
import pathlib
import shutil
import tempfile
from xml.etree import ElementTree

import numpy
import pytest
from mpi4py import MPI

import daptor
from daptor import hdf5
from support import raised, same_on_all

COMM = MPI.COMM_WORLD
RANK, SIZE = COMM.rank, COMM.size
SHAPE = (6, 5)


@pytest.fixture
def folder():
    path = COMM.bcast(tempfile.mkdtemp() if RANK == 0 else None)
    yield pathlib.Path(path)
    COMM.Barrier()
    if RANK == 0:
        shutil.rmtree(path)


def save(*arguments, **options):
    """Without waiting for the disk, which takes most of the time."""
    daptor.save(*arguments, sync=False, **options)


def refused(rule, function):
    """Every rank raises the same error, of this rule."""
    error = raised(function)
    assert error.rule == rule, str(error)
    assert same_on_all(COMM, error)


def whole(dtype=float, shape=SHAPE):
    return numpy.arange(numpy.prod(shape)).reshape(shape).astype(dtype)


def rows(values, ghosts=0):
    """The values in rows over the ranks, with ghost rows of zeros that no rank has set."""
    a = daptor.zeros(values.shape, COMM, dtype=values.dtype, ghosts=(ghosts, 0), grid=(SIZE, 1))
    start = sum(COMM.allgather(a.interior_shape[0])[:RANK])
    numpy.asarray(a)[a.interior_slices] = values[start:start + a.interior_shape[0]]
    return a


def gathered(a):
    """All interiors of an array in rows, on every rank."""
    return numpy.concatenate(COMM.allgather(numpy.asarray(a)[a.interior_slices]))


@pytest.mark.parametrize("dtype", ["i1", "u2", "i8", "f2", "f4", "f8", ">f8", "c8", "c16", "?"])
def test_what_is_saved_is_loaded(folder, dtype):
    values = whole(dtype)
    save(rows(values, ghosts=1), folder / "state.h5", "u")
    a = daptor.load(folder / "state.h5", "u", COMM, grid=(SIZE, 1))
    assert a.dtype == numpy.dtype(dtype).newbyteorder("=")
    assert (gathered(a) == values).all()
    for wider in ("f8", ">f4") if dtype != "f8" and values.dtype.kind in "iuf?" else ():
        b = daptor.load(folder / "state.h5", "u", COMM, grid=(SIZE, 1), dtype=wider, convert=True)
        assert b.dtype == wider and (gathered(b) == values.astype(wider)).all()
    assert hdf5.inspect(folder / "state.h5", "u", COMM).shape == SHAPE


def test_ghosts_are_filled_and_the_boundary_is_zero(folder):
    values = whole() + 1
    save(rows(values), str(folder / "state.h5"), "u")
    a = daptor.load(folder / "state.h5", "u", COMM, ghosts=(1, 0), grid=(SIZE, 1))
    section = numpy.asarray(a)
    for side, outer, inner in ((0, RANK == 0, -1), (-1, RANK == SIZE - 1, 1)):
        if outer:
            assert (section[side] == 0).all()
        else:
            mine = section[a.interior_slices][side]
            assert (section[side] == mine + inner * SHAPE[1]).all()


def test_attributes_come_back(folder):
    attrs = {"time": 0.5, "step": 3, "unit": "K", "done": True, "origin": (0, 1.5),
             "sizes": [1, 2], "numpy": numpy.float32(0.25), "count": numpy.int16(-7),
             "list": numpy.array([1.0, 2.0])}
    daptor.save(rows(whole()), folder / "state.h5", "run/u", attrs)
    found = hdf5.inspect(folder / "state.h5", "run/u", COMM)
    assert found.dtype == numpy.dtype(float).str
    for name, value in attrs.items():
        assert numpy.array_equal(found.attrs[name], value), name
    assert found.attrs["daptor_division"] == [SIZE, 1]


def test_h5py_reads_what_daptor_writes_and_the_reverse(folder):
    h5py = pytest.importorskip("h5py")
    save(rows(whole(complex)), folder / "state.h5", "u", {"time": 0.5})
    if RANK == 0:
        with h5py.File(folder / "state.h5", "a") as file:
            assert (file["u"][...] == whole()).all()
            assert file["u"].dtype == complex and file["u"].attrs["time"] == 0.5
            file.create_dataset("packed", data=whole(), chunks=(2, 2), compression="gzip")
            file["text"] = ["no", "numbers"] * 3
    COMM.Barrier()
    assert (gathered(daptor.load(folder / "state.h5", "packed", COMM, grid=(SIZE, 1)))
            == whole()).all()
    refused("hdf5.type", lambda: daptor.load(folder / "state.h5", "text", COMM))


def test_steps_are_h5py_s_too(folder):
    path = folder / "run.h5"
    for step in range(10):
        number = hdf5.append(rows(whole() + step, ghosts=1), path, "u",
                             {"time": step / 2, "count": step}, sync=False)
        assert number == step
    found = hdf5.inspect(path, "u", COMM)
    assert found.shape == (10, *SHAPE)
    assert found.steps == {"time": [step / 2 for step in range(10)], "count": list(range(10))}
    a = daptor.load(path, "u", COMM, ghosts=(1, 0), grid=(SIZE, 1), step=-3)
    assert (gathered(a) == whole() + 7).all()
    assert hdf5.append(rows(whole()), path, "u", {"time": 9, "count": 0}, step=4, sync=False) == 4
    refused("argument", lambda: hdf5.append(rows(whole()), path, "u", step=-1))
    refused("hdf5.step", lambda: daptor.load(path, "u", COMM, step=5))
    h5py = pytest.importorskip("h5py")
    if RANK == 0:
        with h5py.File(path, "a") as file:
            assert file["u"].shape == (5, *SHAPE) and file["u"].maxshape[0] is None
            assert (file["u"][...] == [whole() + [0, 1, 2, 3, 0][step] for step in range(5)]).all()
            assert list(file["u_time"]) == [0, 0.5, 1, 1.5, 9] and file["u_count"].dtype == "i8"
            theirs = {"data": [whole()], "maxshape": (None, *SHAPE)}
            file.create_dataset("plain", **theirs)
            file.create_dataset("packed", chunks=(1, 4, 3), compression="gzip", **theirs)
    COMM.Barrier()
    for name in ("plain", "packed"):
        assert hdf5.append(rows(whole() + 1), path, name, sync=False) == 1
        for step in range(2):
            a = daptor.load(path, name, COMM, grid=(SIZE, 1), step=step)
            assert (gathered(a) == whole() + step).all()


def test_several_arrays_chunks_and_compression(folder):
    path = folder / "state.h5"
    hdf5.save_all({"u": rows(whole()), "group/v": rows(whole(shape=(8, 3)))}, path, {"time": 0.5},
                  chunks=(4, 3), deflate=6, sync=False)
    for name, shape in (("u", SHAPE), ("group/v", (8, 3))):
        assert (gathered(daptor.load(path, name, COMM, grid=(SIZE, 1))) == whole(shape=shape)).all()
    refused("hdf5.taken", lambda: hdf5.save_all({"w": rows(whole()), "u": rows(whole())}, path))
    refused("argument", lambda: hdf5.save_all({"w": 3}, path))
    refused("argument", lambda: save(rows(whole()), path, "w", deflate=2.5))
    refused("argument", lambda: save(rows(whole()), path, "w", chunks="large"))
    h5py = pytest.importorskip("h5py")
    if RANK == 0:
        with h5py.File(path, "r") as file:
            assert sorted(file) == ["group", "u"] and file["group/v"].attrs["time"] == 0.5
            assert file["u"].chunks == (4, 3) and file["u"].compression == "gzip"
            assert file["u"].shuffle and (file["u"][...] == whole()).all()


def test_progress(folder, capfd):
    path = folder / "state.h5"
    told = []
    save(rows(whole()), path, "u", memory_bytes=32,
         progress=(lambda done, total: told.append((done, total))) if RANK == 0 else False)
    assert not told if RANK > 0 else len(told) > 1 and told[-1] == (240, 240)
    daptor.load(path, "u", COMM, progress=True)
    assert ("100%" in capfd.readouterr().err) == (RANK == 0)
    last = COMM.size - 1
    for moving in (lambda **more: save(rows(whole()), path, "v", **more),
                   lambda **more: daptor.load(path, "u", COMM, **more)):
        error = raised(lambda: moving(progress=RANK == last and (lambda done, total: 1 / 0)))
        assert isinstance(error, daptor.ProducerFailed) and error.rank == last
        assert "ZeroDivisionError: division by zero (hdf5_test.py:" in str(error)
        assert same_on_all(COMM, error)
        assert isinstance(error.__cause__, ZeroDivisionError) == (RANK == last)
    refused("argument", lambda: save(rows(whole()), path, "v", progress=3))


def numbers_in(element):
    return [float(word) for word in element.text.split()]


def test_xdmf_leads_to_the_elements(folder):
    h5py = pytest.importorskip("h5py")
    for step in range(3):
        hdf5.append(rows(whole("i4") + step), folder / "a&b.h5", "group/u", {"time": 0.5 * step},
                    sync=False)
    save(daptor.zeros((6, 5, 4, 3), COMM, dtype="f4"), folder / "one.h5", "v")
    written = hdf5.write_xdmf(folder / "a&b.h5", ["group/u"], COMM, spacing=(0.5, 0.25), cells=True)
    assert written == f"{folder}/a&b.xdmf"
    hdf5.write_xdmf(folder / "one.h5", "v", COMM, spacing=(1, 2, 3), origin=(4, 5, 6))
    for bad in ({"spacing": (1, 1, 1, 1)}, {"spacing": (1, 1)},
                {"spacing": (1, 1, 1), "origin": (1,)}):
        refused("hdf5.xdmf", lambda: hdf5.write_xdmf(folder / "one.h5", "v", COMM, **bad))
    save(rows(whole(complex)), folder / "one.h5", "c")
    for names in ("c", [], ["v", "c"]):
        refused("hdf5.xdmf",
                lambda: hdf5.write_xdmf(folder / "one.h5", names, COMM, spacing=(1, 1, 1)))
    for names, rule in (("w", "hdf5.dataset"), (3, "argument")):
        refused(rule, lambda: hdf5.write_xdmf(folder / "one.h5", names, COMM, spacing=(1, 1, 1)))
    if RANK > 0:
        return
    domain = ElementTree.parse(folder / "a&b.xdmf").getroot().find("Domain")
    grids = domain.find("Grid").findall("Grid")
    assert [float(grid.find("Time").get("Value")) for grid in grids] == [0, 0.5, 1]
    for step, grid in enumerate(grids):
        # One layer of three dimensions, which ParaView shows from above.
        assert grid.find("Topology").get("Dimensions") == "1 7 6"
        assert [numbers_in(item) for item in grid.find("Geometry")] == [[0, 0, 0], [1, 0.5, 0.25]]
        assert grid.find("Attribute/DataItem").get("Dimensions") == "1 6 5"
        attribute = grid.find("Attribute")
        assert attribute.get("Center") == "Cell" and attribute.get("Name") == "group/u"
        box, data = attribute.find("DataItem").findall("DataItem")
        start, stride, count = numpy.reshape(numbers_in(box), (3, 3)).astype(int)
        assert (stride == 1).all() and data.get("NumberType") == "Int"
        file, name = data.text.split(":")
        with h5py.File(folder / file) as opened:
            assert " ".join(map(str, opened[name].shape)) == data.get("Dimensions")
            chosen = opened[name][tuple(slice(*ends) for ends in zip(start, start + count))]
        assert (chosen[0] == whole() + step).all()
    grid = ElementTree.parse(folder / "one.xdmf").getroot().find("Domain/Grid")
    assert grid.find("Topology").get("Dimensions") == "6 5 4"
    assert [numbers_in(item) for item in grid.find("Geometry")] == [[4, 5, 6], [1, 2, 3]]
    assert grid.find("Attribute").get("AttributeType") == "Vector"
    item = grid.find("Attribute/DataItem")
    assert item.get("Precision") == "4" and item.text == "one.h5:/v"


def test_random_layouts_agree_with_numpy(folder):
    random = numpy.random.default_rng(3)
    for number in range(12):
        size = int(random.integers(1, 40))
        values = random.standard_normal(size)
        order = random.permutation(size)
        mine = numpy.sort(order[RANK::SIZE]) if number % 2 else order[RANK::SIZE]
        a = daptor.unstructured(values[mine].copy(), mine, COMM, size=size, one_to_one=True)
        options = {"memory_bytes": 64} if number % 3 == 0 else {}
        save(a, folder / "state.h5", f"u{number}", **options)
        b = daptor.load(folder / "state.h5", f"u{number}", COMM, **options)
        assert (numpy.concatenate(COMM.allgather(numpy.asarray(b))) == values).all()
        other = random.permutation(size)[RANK::SIZE]
        c = daptor.unstructured(numpy.zeros(len(other)), other, COMM, size=size, one_to_one=True)
        hdf5.load_into(c, folder / "state.h5", f"u{number}", **options)
        assert (numpy.asarray(c) == values[other]).all()


def test_errors_are_the_same_on_all_ranks(folder):
    a = rows(whole())
    path = folder / "state.h5"
    save(a, path, "u", numbering="mesh 1")
    refused("hdf5.taken", lambda: save(a, path, "u"))
    save(a, path, "u", overwrite=True, numbering="mesh 2")
    refused("hdf5.numbering", lambda: daptor.load(path, "u", COMM, numbering="mesh 1"))
    refused("hdf5.dataset", lambda: daptor.load(path, "v", COMM))
    refused("hdf5.missing", lambda: daptor.load(folder / "none", "u", COMM))
    refused("hdf5.type", lambda: hdf5.load_into(rows(whole("i4")), path, "u"))
    save(daptor.zeros((0, 3), COMM), path, "nothing")
    for name in "u", "nothing":  # no elements, and the same rules
        refused("redistribute.type",
                lambda: daptor.load(path, name, COMM, dtype="i4", convert=True))
        assert daptor.load(path, name, COMM, dtype="f4", convert=True).dtype == "f4"
    refused("hdf5.shape", lambda: hdf5.load_into(rows(whole(shape=(7, 5))), path, "u"))
    refused("hdf5.attribute", lambda: save(a, path, "w", {"daptor_format": 1}))
    # On the last rank alone.
    last = RANK == SIZE - 1
    refused("argument", lambda: save(a, path, "w", {"x": object() if last else 1}))
    refused("argument", lambda: save(a, path, "w", [1] if last else None))
    refused("argument", lambda: save(a, path, 3 if last else "w"))
    refused("argument", lambda: save(a, path, "w", overwrite="no" if last else True))
    refused("argument", lambda: hdf5.load_into(a, path, "u", memory_bytes=0.5 if last else 0))
    assert same_on_all(COMM, raised(lambda: save(a, 3 if last else path, "w")))
    if SIZE > 1:
        refused("collective.different", lambda: save(a, path, f"u{RANK}"))
        refused("collective.different", lambda: save(a, path, "w", {"x": RANK}))
    assert not os.path.exists(f"{path}.daptor-part")
    assert (gathered(daptor.load(path, "u", COMM, grid=(SIZE, 1))) == whole()).all()
