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


def make_layouts(h5py, path):
    """Datasets as other programs make them, of which some have elements that nobody has written."""
    values = whole("f4", (8, 6))
    properties = {
        "early": lambda p: p.set_alloc_time(h5py.h5d.ALLOC_TIME_EARLY),
        "late": lambda p: p.set_alloc_time(h5py.h5d.ALLOC_TIME_LATE),
        "gzip": lambda p: (p.set_shuffle(), p.set_deflate(4)),
        "fletcher": lambda p: p.set_fletcher32(),
        "never": lambda p: p.set_alloc_time(h5py.h5d.ALLOC_TIME_INCR),
        "compact": lambda p: p.set_layout(h5py.h5d.COMPACT)}

    def create(name, properties=lambda p: None, chunk=None, most=(None, None)):
        made = h5py.h5p.create(h5py.h5p.DATASET_CREATE)
        made.set_fill_value(numpy.array(-7.5, "f4"))
        if chunk:
            made.set_chunk(chunk)
        properties(made)
        most = tuple(h5py.h5s.UNLIMITED if extent is None else extent for extent in most)
        space = h5py.h5s.create_simple((8, 6), most if chunk else (8, 6))
        return h5py.Dataset(h5py.h5d.create(file.id, name.encode(), h5py.h5t.IEEE_F32LE, space,
                                            made))

    values.tofile(f"{path}.raw")
    with h5py.File(path, "w") as file:
        for name, change in properties.items():
            for chunk in (None, (3, 4), (4, 6)):
                if chunk and name == "compact" or not chunk and name in ("gzip", "fletcher"):
                    continue
                made = create(f"{name} {chunk}", change, chunk)
                if name != "never":
                    made[:4] = values[:4]
        shrunk = create("shrunk", properties["gzip"], (3, 4))
        shrunk[...] = values
        shrunk.resize((5, 3))
        shrunk.resize((8, 6))
        create("external", lambda p: p.set_external(f"{path}.raw".encode(), 0, values.nbytes))
        virtual = h5py.VirtualLayout(shape=(8, 6), dtype="f4")
        virtual[4:] = h5py.VirtualSource(".", "shrunk", shape=(8, 6))[:4]
        file.create_virtual_dataset("virtual", virtual, fillvalue=-7.5)


def test_layouts_of_others_are_read_as_by_h5py(folder):
    h5py = pytest.importorskip("h5py")
    path = folder / "others.h5"
    expected = {}
    if RANK == 0:
        make_layouts(h5py, str(path))
        with h5py.File(path, "r") as file:
            expected = {name: file[name][...] for name in file}
            assert (expected["late (3, 4)"][4:] == -7.5).any()
    for name, values in COMM.bcast(expected).items():
        assert (gathered(daptor.load(path, name, COMM, grid=(SIZE, 1))) == values).all(), name
    # What is written to another file is no step.
    for name in ("external", "virtual"):
        refused("hdf5.series", lambda: hdf5.append(rows(whole("f4", (6, 1))), path, name))


def test_what_cannot_be_loaded_is_named(folder):
    h5py = pytest.importorskip("h5py")
    path = folder / "others.h5"
    if RANK == 0:
        with h5py.File(path, "w") as file:
            file["names"] = ["x", "y"]
            file["pairs"] = numpy.zeros(4, [("mass", "f8"), ("tag", "i4")])
            file["one"] = 2.5
            file.create_dataset("lzf", data=whole(), compression="lzf")
            file["u"] = whole()
            file["u"].attrs.update(flag=True, flags=[True, False], names=["x", ""],
                                   phase=1j, matrix=numpy.eye(2), hash=numpy.uint64(2**63 + 1))
    COMM.Barrier()
    found = hdf5.inspect(path, "u", COMM)
    assert found.attrs == {"flag": 1, "flags": [1, 0], "names": ["x", ""]}
    assert found.left_out == {"phase": "complex numbers", "matrix": "numbers in 2 dimensions",
                              "hash": "integers beyond 2^63 - 1"}
    for name, text in (("names", "elements are text"), ("pairs", "a compound of mass, tag")):
        error = raised(lambda: daptor.load(path, name, COMM))
        assert error.rule == "hdf5.type" and text in str(error) and "float64" not in str(error)
        assert same_on_all(COMM, error)
        error = raised(lambda: hdf5.load_into(rows(whole()), path, name))
        assert text in str(error) or error.rule == "hdf5.shape"
    if SIZE > 1:
        refused("hdf5.shape", lambda: daptor.load(path, "one", COMM))
    else:
        assert numpy.asarray(daptor.load(path, "one", COMM)) == 2.5
    try:  # h5py may have brought the filter
        assert (gathered(daptor.load(path, "lzf", COMM, grid=(SIZE, 1))) == whole()).all()
    except daptor.Error as error:
        assert error.rule == "hdf5.filter" and "'lzf' (32000)" in str(error)


def test_names_come_back_as_they_are(folder):
    a = daptor.ones((4,), COMM)
    daptor.save(a, f"{folder}/s.h5", "u")
    for odd in ("import_vec.h5", "copy_to_vec", "fft::run", "daptor::like(a)", "dimension 2",
                "[0, 4)", "{} %s", "\u00fc\u4e2d"):
        for call in (lambda: daptor.load(f"{folder}/{odd}", "u", COMM),
                     lambda: daptor.load(f"{folder}/s.h5", odd, COMM),
                     lambda: daptor.save(a, f"{folder}/{odd}/x.h5", "u")):
            assert odd in str(raised(call)), odd


def test_attributes_are_told_by_name(folder):
    path = folder / "state.h5"
    good = {"flag": numpy.bool_(True), "flags": [True, False], "list": (1, 2.5),
            "names": ["x", "y"], "wide": 2**63 - 1, "single": numpy.float32(0.5)}
    save(rows(whole()), path, "u", good)
    attrs = hdf5.inspect(path, "u", COMM).attrs
    assert {name: attrs[name] for name in good} == {**good, "flag": 1, "flags": [1, 0],
                                                    "list": [1, 2.5]}
    for value in (numpy.eye(2), 1j, numpy.complex64(1), numpy.array([1j]), numpy.array(1j),
                  [1, "x"], 2**63, numpy.uint64(2**63), [2**63], [[1, 2]], b"x", None):
        error = raised(lambda: save(rows(whole()), path, "v", {"good": 1, "bad": value}))
        assert error.rule == "argument" and "attrs['bad']" in str(error), (value, str(error))
    h5py = pytest.importorskip("h5py")
    if RANK == 0:
        with h5py.File(path, "r") as file:
            assert list(file["u"].attrs["names"]) == ["x", "y"]


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
                {"spacing": (1, 1, 1), "origin": (1,)}, {"spacing": (1, 0, 1)},
                {"spacing": (1, float("nan"), 1)}, {"spacing": (1, 1, -1)},
                {"spacing": (1, 1, 1), "origin": (0, 0, float("inf"))}):
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
