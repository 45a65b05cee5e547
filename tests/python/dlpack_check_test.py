# SPDX-License-Identifier: BSD-3-Clause
"""The check of producers of DLPack: producers that are wrong in one way each, and good ones."""

import ctypes

import numpy
import pytest

import daptor
import daptor.conformance
from daptor._command import producers
from daptor._testing import dlpack as _dlpack

API = ctypes.pythonapi
Destructor = ctypes.CFUNCTYPE(None, ctypes.c_void_p)
new_capsule = ctypes.PYFUNCTYPE(ctypes.py_object, ctypes.c_void_p, ctypes.c_char_p, Destructor)(
    ("PyCapsule_New", API))
is_valid = ctypes.PYFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_char_p)(
    ("PyCapsule_IsValid", API))


class Exported:
    """A tensor, whose struct stays in memory until the test ends."""

    kept = []

    def __init__(self, owner, values, versioned, fields):
        self.owner, self.fields = owner, {"calls": 1, "used_calls": 0, **fields}
        ndim = max(values.ndim, 1)
        self.shape = (ctypes.c_int64 * ndim)(*fields.get("shape", values.shape))
        elements = [stride // values.itemsize for stride in values.strides]
        self.strides = (ctypes.c_int64 * ndim)(*fields.get("strides", elements))
        struct = _dlpack._Versioned if versioned else _dlpack._Managed
        self.name = fields.get("name", _dlpack.VERSIONED if versioned else _dlpack.PLAIN)
        self.managed = struct()
        if versioned:
            self.managed.major, self.managed.minor = fields.get("version", (1, 0))
            self.managed.flags = fields.get("flags", 0 if values.flags.writeable else 1)
        self.fill(self.managed.tensor, values)
        self.deleter, self.destructor = Destructor(self.delete), Destructor(self.destroy)
        if not fields.get("no_deleter"):
            self.managed.deleter = ctypes.cast(self.deleter, ctypes.c_void_p)
        self.kept.append(self)

    def fill(self, tensor, values):
        kinds = {"i": 0, "u": 1, "f": 2, "c": 5, "b": 6}
        given = {"data": values.ctypes.data, "ndim": values.ndim, "lanes": 1, "byte_offset": 0,
                 "code": kinds[values.dtype.kind], "bits": 8 * values.itemsize}
        for key in given:
            setattr(tensor, key, self.fields.get(key, given[key]))
        tensor.device = _dlpack._Device(*self.fields.get("device", (1, 0)))
        tensor.shape = None if "no_shape" in self.fields else ctypes.addressof(self.shape)
        tensor.strides = None if "no_strides" in self.fields else ctypes.addressof(self.strides)

    def capsule(self):
        return new_capsule(ctypes.addressof(self.managed), self.name, self.destructor)

    def delete(self, _):
        if not self.fields.get("leak"):
            self.owner = None

    def destroy(self, capsule):
        valid = is_valid(capsule, self.name)
        for _ in range(self.fields["calls" if valid else "used_calls"]):
            if self.managed.deleter:
                Destructor(self.managed.deleter)(ctypes.addressof(self.managed))


class Good:
    """Keeps to the standard, but for what the fields of its tensors say."""

    def __init__(self, values=None, **fields):
        self.values = numpy.arange(6.0).reshape(2, 3) if values is None else values
        self.fields = fields

    def __array__(self, dtype=None, copy=None):
        return self.values

    def __dlpack_device__(self):
        return (1, 0)

    def __dlpack__(self, *, stream=None, max_version=None, dl_device=None, copy=None):
        if dl_device not in (None, self.__dlpack_device__()):
            raise BufferError("another device")
        return self.export(max_version is not None and max_version[0] >= 1, copy)

    def export(self, versioned, copy):
        if not versioned and not self.values.flags.writeable and not copy:
            raise BufferError("read-only")
        fields = self.fields
        if copy:
            fields = {**fields, "flags": fields.get("copy_flags", 2 | fields.get("flags", 0))}
        values = self.values.copy() if copy else self.values
        owner = None if "no_deleter" in fields else (self, values)
        return Exported(owner, values, versioned, fields).capsule()


def wrong(rule, name=None, **fields):
    """A producer with such tensors."""
    return pytest.param(lambda _: Good(**fields), rule, id=name or "-".join(fields))


class NoDevice:
    def __dlpack__(self):
        raise BufferError


class OneNumber(Good):
    def __dlpack_device__(self):
        return 1


class AnyDevice(Good):
    def __dlpack__(self, *, dl_device=None, **named):
        return super().__dlpack__(**named)


class Old(Good):
    """Before version 1.0."""

    def __dlpack__(self, stream=None):
        return self.export(False, None)


class NoStream(Good):
    def __dlpack__(self, *, max_version=None, dl_device=None, copy=None):
        return super().__dlpack__(max_version=max_version, dl_device=dl_device, copy=copy)


class Raises(Good):
    def export(self, versioned, copy):
        raise RuntimeError("no tensor")


class NoCapsule(Good):
    def export(self, versioned, copy):
        return self.values


class AlwaysVersioned(Good):
    def export(self, versioned, copy):
        return super().export(True, copy)


class NeverVersioned(Good):
    def export(self, versioned, copy):
        return super().export(False, copy)


class OneCapsule(Good):
    def export(self, versioned, copy):
        self.capsule = getattr(self, "capsule", None) or super().export(versioned, copy)
        return self.capsule


class OneStruct(Good):
    """New capsules on one struct, whose tensor would be deleted twice."""

    def export(self, versioned, copy):
        self.exported = getattr(self, "exported", None) or Exported(
            self, self.values, versioned, {"calls": 0})
        return self.exported.capsule()


class KeepsNothing(Good):
    """Its tensors are on memory that goes with it."""

    def export(self, versioned, copy):
        values = self.values.copy() if copy else self.values
        return Exported(values if copy else None, values, versioned,
                        {"flags": 2} if copy else {}).capsule()


class Silent(Good):
    """Copies, and does not say so."""

    def export(self, versioned, copy):
        values = self.values.copy()
        return Exported(values, values, versioned, {"flags": 2} if copy else {}).capsule()


class NeverCopies(Good):
    def export(self, versioned, copy):
        return super().export(versioned, None)


class AlwaysCopies(Good):
    def export(self, versioned, copy):
        return super().export(versioned, True)


class CopiesOther(Good):
    def export(self, versioned, copy):
        return Good(self.values + 1).export(versioned, copy) if copy else super().export(
            versioned, copy)


class Other(Good):
    """NumPy sees other elements."""

    def __array__(self, dtype=None, copy=None):
        return self.values + 1


def read_only(_, kind=Good, **fields):
    values = numpy.arange(4.0)
    values.flags.writeable = False
    return kind(values, **fields)


class Writable(Good):
    """Exports read-only memory as though it could be written."""

    def export(self, versioned, copy):
        fields = {"flags": 2 if copy else 0}
        return Exported(self.values, self.values.copy() if copy else self.values, versioned,
                        fields).capsule()


def gone(_):
    """Memory that is not there."""
    return Good(data=4096)


def misaligned(_):
    return Good(numpy.frombuffer(bytearray(33), "f8", 4, 1))


def kept_beyond(comm):
    return KeepsNothing(numpy.arange(1000.0) + comm.rank)


def per_rank(comm):
    return Good(numpy.zeros(3, "f4" if comm.rank == comm.size - 1 else "f8"))


ERRORS = [
    pytest.param(lambda _: numpy, "dlpack.methods", id="no methods"),
    pytest.param(lambda _: NoDevice(), "dlpack.methods", id="no device"),
    pytest.param(lambda _: OneNumber(), "dlpack.device", id="one number"),
    pytest.param(lambda _: AnyDevice(), "dlpack.device", id="any device"),
    wrong("dlpack.device", device=(1, 7)),
    pytest.param(lambda _: Raises(), "dlpack.refusal", id="raises"),
    pytest.param(lambda _: NoCapsule(), "dlpack.capsule", id="no capsule"),
    pytest.param(lambda _: Good(name=b"tensor"), "dlpack.capsule", id="another name"),
    pytest.param(lambda _: AlwaysVersioned(), "dlpack.version", id="always versioned"),
    wrong("dlpack.version", version=(2, 0)),
    pytest.param(lambda _: OneCapsule(), "dlpack.twice", id="one capsule"),
    pytest.param(lambda _: OneStruct(), "dlpack.twice", id="one struct"),
    wrong("dlpack.deleter", calls=2),
    wrong("dlpack.deleter", calls=0),
    wrong("dlpack.deleter", used_calls=1),
    wrong("dlpack.leak", leak=True),
    pytest.param(kept_beyond, "dlpack.lifetime", id="lifetime"),
    wrong("dlpack.shape", ndim=-1),
    wrong("dlpack.shape", ndim=1),
    wrong("dlpack.shape", shape=(3, 2)),
    wrong("dlpack.shape", "extent", shape=(2, -3)),
    wrong("dlpack.shape", "beyond memory", shape=(2 ** 40, 2 ** 40)),
    wrong("dlpack.shape", no_shape=True),
    wrong("dlpack.strides", "bytes", strides=(24, 8)),
    wrong("dlpack.strides", "beyond memory", strides=(2 ** 61, 1)),
    wrong("dlpack.strides", no_strides=True, version=(1, 2)),
    wrong("dlpack.offset", byte_offset=8),
    wrong("dlpack.offset", "beyond memory", byte_offset=2 ** 63),
    wrong("dlpack.type", code=0),
    wrong("dlpack.type", bits=32),
    wrong("dlpack.type", "3 bits", bits=3),
    wrong("dlpack.type", lanes=0),
    wrong("dlpack.type", lanes=2, bits=32),
    pytest.param(lambda _: read_only(_, Writable), "dlpack.readonly", id="writable"),
    pytest.param(lambda _: Silent(), "dlpack.copy", id="silent"),
    pytest.param(lambda _: NeverCopies(), "dlpack.copy", id="never"),
    pytest.param(lambda _: AlwaysCopies(), "dlpack.copy", id="always"),
    pytest.param(lambda _: CopiesOther(), "dlpack.copy", id="another copy"),
    wrong("dlpack.copy", copy_flags=0),
    wrong("dlpack.memory", data=None),
    pytest.param(gone, "dlpack.memory", id="gone"),
    pytest.param(lambda _: Other(), "dlpack.values", id="other"),
]

STATIC = numpy.arange(3.0)  # memory that nobody has to delete

WARNINGS = [
    pytest.param(lambda _: Old(), "dlpack.arguments", id="old"),
    pytest.param(lambda _: NoStream(), "dlpack.arguments", id="no stream"),
    pytest.param(lambda _: NeverVersioned(), "dlpack.version", id="never versioned"),
    pytest.param(lambda _: Good(STATIC, no_deleter=True), "dlpack.deleter", id="no deleter"),
    pytest.param(lambda _: Good(flags=256), "dlpack.flags", id="flags"),
    pytest.param(misaligned, "dlpack.alignment", id="misaligned"),
    pytest.param(lambda _: Good(flags=1), "dlpack.readonly", id="writable memory"),
]


@pytest.fixture(autouse=True)
def nothing_left():
    yield
    Exported.kept.clear()


def checked(comm, make, **options):
    """The report, which is the same on all ranks, and whose order the test does not know."""
    report = daptor.conformance.check_dlpack(make, comm, **options)
    assert comm.allgather(str(report)) == [str(report)] * comm.size
    return report


@pytest.mark.parametrize("make, rule", ERRORS)
def test_what_is_wrong_on_one_rank(comm, rank, size, make, rule):
    report = checked(comm, make if rank == size - 1 else lambda _: Good())
    found = {finding.rule: finding for finding in report if finding.severity == "error"}
    assert not report and rule in found, str(report)
    assert found[rule].ranks == (size - 1,) and found[rule].remedy, str(report)


@pytest.mark.parametrize("make, rule", WARNINGS)
def test_what_consumers_can_do_without(comm, make, rule):
    report = checked(comm, make)
    assert report and [finding.rule for finding in report] == [rule], str(report)


class OneWrong(Good):
    """Gives good tensors by one of the calls alone."""

    def __init__(self, values, versioned, fields):
        super().__init__(values)
        self.versioned, self.wrong = versioned, fields

    def export(self, versioned, copy):
        self.fields = self.wrong if versioned == self.versioned and not copy else {}
        return super().export(versioned, copy)


class LeftWritable(Good):
    """Read-only memory as dltensor, which cannot say so."""

    def export(self, versioned, copy):
        return Exported(self, self.values.copy() if copy else self.values, versioned,
                        {"flags": 2} if copy else {}).capsule()


@pytest.mark.parametrize("versioned", [False, True], ids=["dltensor", "dltensor_versioned"])
@pytest.mark.parametrize("rule, fields", [
    ("dlpack.strides", {"strides": (48, 16)}), ("dlpack.shape", {"shape": (5, 3)}),
    ("dlpack.values", {}), ("dlpack.type", {"code": 0}),
    ("dlpack.offset", {"byte_offset": 8}), ("dlpack.memory", {"data": None}),
    ("dlpack.type", {"lanes": 2}), ("dlpack.capsule", {"name": b"tensor"}),
    ("dlpack.deleter", {"no_deleter": True}), ("dlpack.deleter", {"calls": 2}),
    ("dlpack.deleter", {"used_calls": 1}), ("dlpack.leak", {"leak": True}),
])
def test_what_one_kind_of_consumers_gets(comm, versioned, rule, fields):
    """Both tensors are judged, and a finding says whose tensor is wrong."""
    values = numpy.arange(24.0).reshape(4, 6)[:, ::2]
    other = numpy.arange(24.0).reshape(4, 6) + 1
    fields = {**fields, "data": other.ctypes.data} if rule == "dlpack.values" else fields
    report = checked(comm, lambda _: OneWrong(values, versioned, fields))
    found = [finding for finding in report if finding.rule == rule]
    mine, others = (("max_version=(1, 0)", "__dlpack__()") if versioned
                    else ("__dlpack__()", "max_version=(1, 0)"))
    assert found and all(mine in finding.found for finding in found), str(report)
    assert not any(others in finding.found for finding in report), str(report)
    assert rule == "dlpack.capsule" or {finding.key for finding in found} == {mine}, str(report)


def test_what_all_consumers_get_is_said_once(comm):
    report = checked(comm, lambda _: Good(byte_offset=8))
    offsets = [finding for finding in report if finding.rule == "dlpack.offset"]
    assert len(offsets) == 1 and offsets[0].found.endswith("(for all consumers)"), str(report)
    report = checked(comm, lambda _: Old())
    assert "consumers" not in str(report), str(report)


def test_read_only_memory_as_dltensor(comm):
    report = checked(comm, lambda _: read_only(_, LeftWritable))
    assert [finding.rule for finding in report] == ["dlpack.readonly"], str(report)
    assert "(for consumers before version 1, by __dlpack__(), as petsc4py" in str(report)


def test_strict(comm, rank, size):
    assert not checked(comm, lambda _: Old(), strict=True)
    if size > 1:
        with pytest.raises(daptor.InvalidArgument, match="strict"):
            daptor.conformance.check_dlpack(lambda _: Good(), comm, strict=rank == 0)


@pytest.mark.parametrize("make", [
    lambda _: Good(),
    lambda _: Good(numpy.arange(24.0).reshape(4, 6)[1::2, ::-2]),
    lambda _: Good(numpy.broadcast_to(numpy.arange(3), (2, 3)).copy()[:, :1]),
    lambda _: Good(numpy.zeros((0, 3), "c8")),
    lambda _: Good(numpy.array(True)),
    read_only,
    lambda comm: daptor.block(numpy.arange(12.0).reshape(3, 4), comm, padding=0),
    lambda comm: daptor.block(numpy.arange(4.0), comm).as_readonly(),
])
def test_who_keeps_to_it(comm, make):
    report = checked(comm, make)
    assert not report.findings, str(report)


@pytest.mark.parametrize("name", ["numpy_array", "numpy_strided", "numpy_empty", "daptor_array"])
def test_libraries(comm, name):
    """NumPy before 2.1 does not know all arguments; 2.2 raises a ValueError for other devices."""
    report = checked(comm, producers.load(f"dlpack_objects:{name}"))
    rules = {finding.rule for finding in report}
    assert report and rules <= {"dlpack.arguments", "dlpack.refusal"}, str(report)


def test_torch(comm):
    """2.14 has no flag on its copies."""
    pytest.importorskip("torch")
    report = checked(comm, producers.load("dlpack_objects:torch_strided"))
    errors = [finding.found for finding in report if finding.severity == "error"]
    assert errors in ([], ["a copy without the copied flag for copy=True"]), str(report)


def test_memory_of_a_device_is_not_read(comm):
    """The address leads nowhere."""
    class OnDevice(Good):
        __array__ = None

        def __dlpack_device__(self):
            return (2, 0)

        def export(self, versioned, copy):
            if copy:
                raise BufferError("no copies here")
            return super().export(versioned, copy)

    report = checked(comm, lambda _: OnDevice(data=4096, device=(2, 0)))
    assert report and [finding.rule for finding in report] == ["dlpack.not-checked"], str(report)


def test_ranks_that_differ(comm, size):
    report = checked(comm, per_rank)
    if size > 1:
        assert [finding.rule for finding in report] == ["dlpack.ranks"], str(report)
        assert report.findings[0].ranks == (size - 1,) and "float64" in report.findings[0].found
    else:
        assert report


def fails(comm):
    if comm.rank == comm.size - 1:
        raise ZeroDivisionError("on the last rank")
    return Good()


def leaves(comm):
    class Leaves(Good):
        def export(self, versioned, copy):
            raise SystemExit(3)

    return Leaves() if comm.rank == 0 else Good()


@pytest.mark.parametrize("make, text", [(fails, "ZeroDivisionError"), (leaves, "SystemExit")])
def test_exceptions_are_findings(comm, make, text):
    report = checked(comm, make)
    assert report.verdict == "producer failed", str(report)
    assert report.findings[0].rule == "producer" and text in report.findings[0].found


def test_the_object_is_as_it_was(comm):
    values = numpy.arange(6.0)
    held = Silent(values)
    assert not checked(comm, lambda _: held)
    assert (values == numpy.arange(6.0)).all()


ready = Good()


def test_the_command(comm, capfd):
    tools = pytest.importorskip("daptor._tools")

    def run(*arguments):
        return tools.run(["check", "--dlpack", *arguments], producers)

    subjects = [f"dlpack_check_test:{name}" for name in ("ready", "Silent", "gone", "fails")]
    assert run(*subjects[:1]) == 0
    assert run(*subjects[:3]) == 1 and run(*subjects) == 5
    written = capfd.readouterr().out
    assert all(text in written for text in ("dlpack.copy", "dlpack.memory", "ZeroDivisionError")
               ) == (comm.rank == 0)
