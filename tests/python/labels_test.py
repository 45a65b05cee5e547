# SPDX-License-Identifier: BSD-3-Clause
"""Objects of xarray and pandas: their memory, names and coordinates."""

import numpy
import pytest

import daptor
from support import address, raised, same_on_all

xarray = pytest.importorskip("xarray")
pandas = pytest.importorskip("pandas")


def field(rank, extents=(3, 4)):
    """Returns this rank's section: rows and columns with coordinates, and heights at points."""
    u = numpy.arange(float(numpy.prod(extents))).reshape(extents)
    rows = numpy.arange(extents[0]) + 100.0 * rank
    return xarray.DataArray(
        u, dims=("lat", "lon"), name="T", attrs={"units": "K"},
        coords={"lat": rows, "lon": 2.0 * numpy.arange(extents[1]),
                "height": (("lat", "lon"), u + 0.5), "time": 7})


def test_xarray_in_and_out(comm, rank, size):
    x = field(rank)
    a = daptor.block(x, comm)
    assert a.shape == (3 * size, 4) and address(a) == address(x.values)
    assert a.dims == ("lat", "lon") and (a.coords["lat"] == x.lat.values).all()
    out = a.to_xarray()
    assert out.identical(x) and numpy.shares_memory(out.values, x.values)
    out[0, 0] = 9.0
    assert a.max() == x.max() == 11.0 and a.interior[0, 0] == 9.0
    for like in (daptor.zeros_like(a), a.copy(), a.astype("f4"), a.as_readonly()):
        assert like.to_xarray().height.identical(x.height)
    assert daptor.block(x.variable, comm).dims == ("lat", "lon")
    assert a.to_xarray(dims=("y", "x"), name="U").dims == ("y", "x")


def test_ghost_cells_are_left_out(comm, rank, size):
    x = field(rank, (5, 6))
    a = daptor.block(x, comm, shape=(3 * size, 4), grid=(size, 1), ghosts=1)
    assert a.to_xarray().identical(x[1:-1, 1:-1])
    b = daptor.zeros((2 * size, 3), comm, grid=(size, 1), ghosts=1)
    assert b.dims == ("dim_0", "dim_1") and b.coords == {} and b.to_xarray().shape == (2, 3)
    y = b.to_xarray(dims=("y", "x"), coords={"y": numpy.arange(2 * size)[b.global_slices[0]]})
    assert list(y.y) == [2 * rank, 2 * rank + 1]


def test_pandas(comm, rank, size):
    series = pandas.Series([1.0, 2.0], index=pandas.Index([rank, rank + 1], name="node"), name="u")
    a = daptor.block(series, comm)
    assert a.dims == ("node",) and list(a.coords["node"]) == [rank, rank + 1]
    assert address(a) == address(series.values) and a.sum() == 3 * size
    frame = pandas.DataFrame(numpy.ones((2, 3)), columns=list("xyz"))
    a = daptor.block(frame, comm)
    assert a.shape == (2 * size, 3) and list(a.to_xarray().columns) == ["x", "y", "z"]
    assert daptor.block(series.index, comm).dims == ("dim_0",)
    if not a.readonly:  # pandas 3 lends its memory for reading
        a.interior[0, 1] = 5.0
        assert frame["y"][0] == 5.0


@pytest.mark.parametrize("make, instead", [
    (lambda: field(0).to_dataset(), "x['name']"),
    (lambda: pandas.DataFrame({"i": [1, 2], "x": [0.5, 1.5]}), "x.to_numpy(dtype=float)"),
    (lambda: pandas.Series([1, None], dtype="Int64"), "x.to_numpy(dtype=float)"),
    (lambda: xarray.Variable(("x",), pandas.date_range("2020-01-01", periods=3)), "view('i8')")])
def test_what_is_not_one_numpy_array(comm, rank, size, make, instead):
    for at in {0, size - 1}:
        for options in ({}, {"shape": 3 * size}):
            x = make() if rank == at else numpy.zeros(3)
            error = raised(lambda: daptor.block(x, comm, **options))
            assert same_on_all(comm, error)
            if size == 1 and not options:
                assert instead in error.finding.remedy, error


def test_dask_behind_xarray(comm):
    dask = pytest.importorskip("dask.array")
    x = xarray.DataArray(dask.ones(3, chunks=2))
    error = raised(lambda: daptor.block(x, comm))
    assert "x.compute()" in error.finding.remedy and same_on_all(comm, error)
    assert daptor.block(x.compute(), comm).sum() == 3 * comm.size


def test_names_differ(comm, rank, size):
    """One rank's dimensions in another order would mix them up."""
    for at in {0, size - 1}:
        for other in (field(rank).T, field(rank).values):
            x = other if rank == at else field(rank)
            if size == 1:
                continue
            error = raised(lambda: daptor.block(x, comm))
            assert error.rule == "collective.different" and error.finding.key == "dims"
            assert same_on_all(comm, error)
