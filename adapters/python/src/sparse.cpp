// SPDX-License-Identifier: BSD-3-Clause
#include "sparse.hpp"

#include <complex>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "arguments.hpp"
#include "daptor/enumerate.hpp"
#include "daptor/pack.hpp"
#include "daptor/scan.hpp"
#include "read.hpp"

namespace daptor::python {
namespace {

/// A Python argument that is an array.
struct GivenArray {
  const char* key;
  py::object object;
};

/// The arrays of one collective call, any of which may be wrong on one rank alone: Arrays, or
/// objects with `__distarray__`, which are read for the time of the call.
class Arrays {
 public:
  Arrays(const std::vector<GivenArray>& given, const py::object& comm)
      : comm_(communicator(given, comm)) {
    for (const GivenArray& each : given) failure_.attempt([&] { read_one(each); });
    if (comm_) return;
    failure_.attempt([] {
      throw InvalidArgument("comm", "None",
                            "a communicator, because no argument is a daptor.Array");
    });
    comm_ = communicator_for_failure(failure_.get());
  }

  const HeldComm& comm() const { return *comm_; }
  const FirstFailure& failure() const { return failure_; }
  /// Process-local. Throws InvalidArgument (`collective.comm`) for an array on other processes than
  /// the call.
  void require_processes_of(const Call& call) const {
    for (const DistArray& array : arrays_) call.require_same_processes(array);
  }
  /// On the communicator of the call, also where the Array is on another one of its processes.
  DistArray operator[](std::size_t i) const { return arrays_[i].on(**comm_); }

 private:
  /// The given communicator or, if it is None, that of the first Array; `nullopt` if there is none.
  static std::optional<HeldComm> communicator(const std::vector<GivenArray>& given,
                                              const py::object& comm) {
    if (!comm.is_none()) return communicator_of(comm);
    for (const GivenArray& each : given)
      if (const Array* const array = array_behind(each.object.ptr())) return array->comm;
    return std::nullopt;
  }

  void read_one(const GivenArray& given) {
    if (const Array* const array = array_behind(given.object.ptr())) {
      arrays_.push_back(array->array);
      return;
    }
    if (!py::hasattr(given.object, "__distarray__"))
      throw InvalidArgument(given.key, type_text(given.object),
                            "a daptor.Array or an object with __distarray__");
    const Reading& reading = readings_.emplace_back(read(given.object));
    const Unlocked unlocked;
    const Section section = comm_ ? reading.array_on(**comm_) : reading.array();
    if (comm_) arrays_.push_back(section.on(**comm_));  // without one the call fails
  }

  std::optional<HeldComm> comm_;
  FirstFailure failure_;
  std::vector<Reading> readings_;  ///< keep what the objects lend
  std::vector<DistArray> arrays_;
};

std::optional<IndexRange> range_of(const py::object& given) {
  if (given.is_none()) return std::nullopt;
  constexpr const char* expected = "None, or the pair (start, stop)";
  if (PySequence_Check(given.ptr()) == 0 || py::len(given) != 2)
    throw InvalidArgument("range", type_text(given), expected);
  return IndexRange{integer_of("range", given[py::int_(0)]),
                    integer_of("range", given[py::int_(1)])};
}

/// A number of Python or NumPy; an integer keeps all of its 64 bits.
Number number_of(const char* key, const py::object& given) {
  // Every NumPy array has an index, but raises if it is not one integer.
  const auto integer = py::reinterpret_steal<py::object>(
      PyIndex_Check(given.ptr()) != 0 ? PyNumber_Index(given.ptr()) : nullptr);
  PyErr_Clear();
  if (integer) {
    int overflow = 0;
    const long long value = PyLong_AsLongLongAndOverflow(integer.ptr(), &overflow);
    if (overflow == 0) return value;
    const unsigned long long large = overflow > 0 ? PyLong_AsUnsignedLongLong(integer.ptr()) : 0;
    const bool fits = overflow > 0 && PyErr_Occurred() == nullptr;
    PyErr_Clear();
    if (fits) return large;
    throw InvalidArgument(key, py::str(integer).cast<std::string>(), "an integer of 64 bits");
  }
  const bool complex =
      PyComplex_Check(given.ptr()) != 0 ||
      std::string(Py_TYPE(given.ptr())->tp_name).find("complex") != std::string::npos;
  if (!complex && PyNumber_Check(given.ptr()) != 0) {
    const double value = PyFloat_AsDouble(given.ptr());
    if (PyErr_Occurred() == nullptr) return value;
    PyErr_Clear();
  }
  if (complex || PyNumber_Check(given.ptr()) != 0) {
    const Py_complex value = PyComplex_AsCComplex(given.ptr());
    if (PyErr_Occurred() == nullptr) return std::complex<double>(value.real, value.imag);
  }
  PyErr_Clear();
  throw InvalidArgument(key, type_text(given), "a number");
}

void enumerate_array(const py::object& a, const py::object& start, const py::object& stride,
                     const py::object& comm, const py::object& range) {
  const Arrays arrays({{"a", a}}, comm);
  Collective call(arrays.comm(), "enumerate", arrays.failure());
  Number first = 0, step = 0;
  std::optional<IndexRange> within;
  call.check([&] {
    arrays.require_processes_of(call);
    first = number_of("start", start);
    step = number_of("stride", stride);
    within = range_of(range);
  });
  const Unlocked unlocked;
  enumerate(arrays[0], first, step, within);
}

ScanBy scan_by(const std::string& name) {
  if (name == "copy") return ScanBy::copy;
  if (name == "sum") return ScanBy::sum;
  if (name == "multiply") return ScanBy::multiply;
  if (name == "min") return ScanBy::min;
  if (name == "max") return ScanBy::max;
  throw InvalidArgument("combine", '"' + name + '"',
                        "\"copy\", \"sum\", \"multiply\", \"min\" or \"max\"");
}

std::optional<BeforeFirst> before_of(const py::object& given) {
  if (given.is_none()) return std::nullopt;
  const std::string name = word_of("before", given);
  if (name == "keep") return BeforeFirst::keep;
  if (name == "zero") return BeforeFirst::zero;
  if (name == "refuse") return BeforeFirst::refuse;
  throw InvalidArgument("before", '"' + name + '"', "None, \"keep\", \"zero\" or \"refuse\"");
}

/// Python arguments of a scan.
struct GivenScan {
  const char* name;
  py::object source, destination, mask, comm, range, exclusive, before;

  template <class Run>
  void run(const py::object& combine, const Run& run_on) const {
    const Arrays arrays({{"source", source}, {"destination", destination}, {"mask", mask}}, comm);
    Collective call(arrays.comm(), name, arrays.failure());
    ScanOptions options;
    ScanBy how = ScanBy::copy;
    call.check([&] {
      arrays.require_processes_of(call);
      options.range = range_of(range);
      options.exclusive = flag_of("exclusive", exclusive);
      options.before = before_of(before);
      if (!combine.is_none()) how = scan_by(word_of("combine", combine));
    });
    const Unlocked unlocked;
    run_on(arrays, how, options);
  }
};

/// Calls `run` with the arrays and their communicator, and returns what it returns.
template <class Run>
auto packing(const char* name, const std::vector<GivenArray>& given, const py::object& comm,
             const py::object& range, const Run& run) {
  const Arrays arrays(given, comm);
  Collective call(arrays.comm(), name, arrays.failure());
  const auto within = call.check([&] {
    arrays.require_processes_of(call);
    return range_of(range);
  });
  const Unlocked unlocked;
  return run(arrays, within);
}

void bind_enumerate(py::module_& module) {
  module.def("enumerate", enumerate_array, py::arg("a"), py::arg("start"), py::arg("stride"),
             py::kw_only(), py::arg("comm") = py::none(), py::arg("range") = py::none(),
             R"(Writes start + k * stride to the k-th element of the range. Collective.

a              a daptor.Array of one dimension, in any layout, or an object with __distarray__
start, stride  numbers that the element type has
comm           the communicator; may be left out for a daptor.Array
range          the pair (start, stop) of global indices; None for the whole array

Integers wrap around. Only owned elements are written. Raises InvalidArgument on all ranks, before
anything is written, with a rule `sparse.*`, `collective.*` or `lease.readonly`; Malformed if the
sections do not form one array.)");
}

void bind_scans(py::module_& module) {
  module.def(
      "scan_add",
      [](py::object source, py::object destination, py::object mask, py::object comm,
         py::object range, py::object exclusive, py::object before) {
        GivenScan{"scan_add",      std::move(source), std::move(destination), std::move(mask),
                  std::move(comm), std::move(range),  std::move(exclusive),   std::move(before)}
            .run(py::none(), [](const auto& a, ScanBy, const ScanOptions& options) {
              scan_add(a[0], a[1], a[2], options);
            });
      },
      py::arg("source"), py::arg("destination"), py::arg("mask"), py::kw_only(),
      py::arg("comm") = py::none(), py::arg("range") = py::none(), py::arg("exclusive") = false,
      py::arg("before") = py::none(),
      R"(Writes the sum of its segment up to each element. Collective.

A segment begins where `mask` is not 0, and may extend over several ranks.

source, destination, mask  daptor.Arrays, or objects with __distarray__, of one dimension in blocks,
                           of which each rank owns the same indices. The mask has integers or bools.
                           Source and destination may be the same
comm                       the communicator; may be left out if one of them is a daptor.Array
range                      the pair (start, stop) of global indices; None for the whole array
exclusive                  leave out the element itself: a segment begins with 0
before                     what elements before the first segment get: "keep" (nothing), "zero", or
                           "refuse" (there must be none). None: "keep", as in Global Arrays

Raises InvalidArgument on all ranks, before anything is written, with a rule `sparse.*`,
`collective.*` or `lease.readonly`; Malformed if the sections of one of them do not form an array.)");
  module.def(
      "scan_copy",
      [](py::object source, py::object destination, py::object mask, py::object comm,
         py::object range, py::object before) {
        GivenScan{"scan_copy",     std::move(source), std::move(destination), std::move(mask),
                  std::move(comm), std::move(range),  py::bool_(false),       std::move(before)}
            .run(py::none(), [](const auto& a, ScanBy, const ScanOptions& options) {
              scan_copy(a[0], a[1], a[2], options);
            });
      },
      py::arg("source"), py::arg("destination"), py::arg("mask"), py::kw_only(),
      py::arg("comm") = py::none(), py::arg("range") = py::none(), py::arg("before") = py::none(),
      R"(Writes the source's value at the beginning of its segment to each element. Collective.

Arguments and errors as for scan_add; `before` None means "zero", as in Global Arrays.)");
  module.def(
      "scan",
      [](py::object source, py::object destination, py::object mask, const py::object& combine,
         py::object comm, py::object range, py::object exclusive, py::object before) {
        GivenScan{"scan",          std::move(source), std::move(destination), std::move(mask),
                  std::move(comm), std::move(range),  std::move(exclusive),   std::move(before)}
            .run(combine, [](const auto& a, ScanBy how, const ScanOptions& options) {
              scan(a[0], a[1], a[2], how, options);
            });
      },
      py::arg("source"), py::arg("destination"), py::arg("mask"), py::arg("combine"), py::kw_only(),
      py::arg("comm") = py::none(), py::arg("range") = py::none(), py::arg("exclusive") = false,
      py::arg("before") = py::none(),
      R"(Writes the combination of its segment up to each element. Collective.

combine  "copy", "sum", "multiply", "min" or "max". An exclusive product begins with 1, an exclusive
         minimum (maximum) with the greatest (least) value of the type

Other arguments and errors as for scan_add.)");
}

void bind_packing(py::module_& module) {
  const auto define = [&](const char* name, auto call, const char* doc) {
    module.def(name, call, py::arg("source"), py::arg("mask"), py::arg("destination"),
               py::kw_only(), py::arg("comm") = py::none(), py::arg("range") = py::none(), doc);
  };
  define(
      "pack",
      [](const py::object& source, const py::object& mask, const py::object& destination,
         const py::object& comm, const py::object& range) {
        return packing(
            "pack", {{"source", source}, {"mask", mask}, {"destination", destination}}, comm, range,
            [](const auto& a, const auto& within) { return pack(a[0], a[1], a[2], within); });
      },
      R"(Copies the elements where `mask` is not 0 to the front of `destination`. Collective.

Returns their number, on all ranks. The destination's other elements are not written.

source, mask  daptor.Arrays, or objects with __distarray__, of one dimension in blocks, of which
              each rank owns the same indices
destination   one dimension in any division, the element type of the source
comm, range   as for scan_add

Raises InvalidArgument on all ranks, before anything is written: `sparse.capacity` if the
destination is too small, other rules `sparse.*`, `collective.*`, `lease.readonly`; Malformed if the
sections of one of them do not form an array.)");
  define(
      "unpack",
      [](const py::object& source, const py::object& mask, const py::object& destination,
         const py::object& comm, const py::object& range) {
        return packing("unpack", {{"source", source}, {"mask", mask}, {"destination", destination}},
                       comm, range, [](const auto& a, const auto& within) {
                         return unpack(a[0], a[1], a[2], within);
                       });
      },
      R"(Copies the front of `source` to the elements where `mask` is not 0. Collective.

Returns their number, on all ranks. The destination's other elements are not written. Mask and
destination are divided alike, the source in any way. Errors as for pack.)");
  module.def(
      "packed",
      [](const py::object& source, const py::object& mask, const py::object& comm,
         const py::object& range) {
        return packing("packed", {{"source", source}, {"mask", mask}}, comm, range,
                       [](const auto& a, const auto& within) {
                         return Array{packed(a[0], a[1], within), a.comm()};
                       });
      },
      py::arg("source"), py::arg("mask"), py::kw_only(), py::arg("comm") = py::none(),
      py::arg("range") = py::none(),
      R"(A new Array of the elements where `mask` is not 0, in even blocks. Collective.

Arguments and errors as for pack.)");
}

}  // namespace

void bind_sparse(py::module_& module) {
  bind_enumerate(module);
  bind_scans(module);
  bind_packing(module);
}

}  // namespace daptor::python
