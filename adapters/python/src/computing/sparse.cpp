// SPDX-License-Identifier: BSD-3-Clause
#include <complex>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "bindings.hpp"
#include "calls/options.hpp"
#include "daptor/enumerate.hpp"
#include "daptor/pack.hpp"
#include "daptor/scan.hpp"
#include "descriptions/read.hpp"

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
  const adapter::FirstFailure& failure() const { return failure_; }
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
  adapter::FirstFailure failure_;
  std::vector<Reading> readings_;  ///< keep what the objects lend
  std::vector<DistArray> arrays_;
};

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

/// Collective. Opens the operands of a call, reads its options and what `read_more` reads, and
/// returns what `run` makes of all that.
template <class Read, class Run>
auto on_arrays(const char* name, const Given& given, const std::vector<GivenArray>& operands,
               const Read& read_more, const Run& run) {
  const Arrays arrays(operands, given["comm"]);
  Call call = python_call(arrays.comm(), name, arrays.failure());
  ScanOptions options;
  const auto more = call.check([&] {
    arrays.require_processes_of(call);
    options = given.read<ScanOptions>();
    return read_more();
  });
  const Unlocked unlocked;
  return run(arrays, options, more);
}

void enumerate_array(const Given& given, const py::object& a, const py::object& start,
                     const py::object& stride) {
  on_arrays(
      "enumerate", given, {{"a", a}},
      [&] { return std::pair(number_of("start", start), number_of("stride", stride)); },
      [](const Arrays& arrays, const ScanOptions& options, const auto& steps) {
        enumerate(arrays[0], steps.first, steps.second, options.range);
      });
}

/// A scan of three arrays.
template <class Read>
void run_scan(const char* name, const Given& given, const py::object& source,
              const py::object& destination, const py::object& mask, const Read& scan_of) {
  on_arrays(name, given, {{"source", source}, {"destination", destination}, {"mask", mask}},
            scan_of, [](const Arrays& arrays, const ScanOptions& options, const auto& run) {
              run(arrays[0], arrays[1], arrays[2], options);
            });
}

void add_by_segments(const Given& given, const py::object& source, const py::object& destination,
                     const py::object& mask) {
  run_scan("scan_add", given, source, destination, mask, [] { return scan_add; });
}

void copy_by_segments(const Given& given, const py::object& source, const py::object& destination,
                      const py::object& mask) {
  run_scan("scan_copy", given, source, destination, mask, [] { return scan_copy; });
}

void combine_by_segments(const Given& given, const py::object& source,
                         const py::object& destination, const py::object& mask,
                         const py::object& combine) {
  run_scan("scan", given, source, destination, mask, [&] {
    const auto how = OptionValue<ScanBy>::read("combine", combine);
    return [how](const DistArray& from, const DistArray& to, const DistArray& starts,
                 const ScanOptions& options) { scan(from, to, starts, how, options); };
  });
}

/// Calls `run` with the arrays and the range, and returns what it returns.
template <class Run>
auto packing(const char* name, const Given& given, const std::vector<GivenArray>& operands,
             const Run& run) {
  return on_arrays(
      name, given, operands, [] { return 0; },
      [&](const Arrays& arrays, const ScanOptions& options, int) {
        return run(arrays, options.range);
      });
}

Index pack_arrays(const Given& given, const py::object& source, const py::object& mask,
                  const py::object& destination) {
  return packing("pack", given, {{"source", source}, {"mask", mask}, {"destination", destination}},
                 [](const auto& a, const auto& within) { return pack(a[0], a[1], a[2], within); });
}

Index unpack_arrays(const Given& given, const py::object& source, const py::object& mask,
                    const py::object& destination) {
  return packing(
      "unpack", given, {{"source", source}, {"mask", mask}, {"destination", destination}},
      [](const auto& a, const auto& within) { return unpack(a[0], a[1], a[2], within); });
}

Array packed_array(const Given& given, const py::object& source, const py::object& mask) {
  return packing("packed", given, {{"source", source}, {"mask", mask}},
                 [](const auto& a, const auto& within) {
                   return Array{packed(a[0], a[1], within), a.comm()};
                 });
}

/// The communicator, the range and those of the further options that a call has.
Keywords scan_keywords(std::initializer_list<std::string_view> without = {}) {
  return Keywords()
      .with("comm", "Any", "None",
            "the communicator; may be left out if one of the arrays is a daptor.Array")
      .of<ScanOptions>(without);
}

const std::initializer_list<std::string_view> not_of_scans = {"exclusive", "before"};

void bind_enumerate(py::module_& module) {
  define(module, "enumerate", scan_keywords(not_of_scans), enumerate_array, py::arg("a"),
         py::arg("start"), py::arg("stride"),
         R"(Writes start + k * stride to the k-th element of the range. Collective.

a              a daptor.Array of one dimension, in any layout, or an object with __distarray__
start, stride  numbers that the element type has
{options}

Integers wrap around. Only owned elements are written. Raises InvalidArgument on all ranks, before
anything is written, with a rule `sparse.*`, `collective.*` or `lease.readonly`; Malformed if the
sections do not form one array.)");
}

void bind_scans(py::module_& module) {
  define(module, "scan_add", scan_keywords(), add_by_segments, py::arg("source"),
         py::arg("destination"), py::arg("mask"),
         R"(Writes the sum of its segment up to each element. Collective.

A segment begins where `mask` is not 0, and may extend over several ranks.

source, destination, mask  daptor.Arrays, or objects with __distarray__, of one dimension in blocks,
                           of which each rank owns the same indices. The mask has integers or bools.
                           Source and destination may be the same
{options}

Raises InvalidArgument on all ranks, before anything is written, with a rule `sparse.*`,
`collective.*` or `lease.readonly`; Malformed if the sections of one of them do not form an array.)");
  define(module, "scan_copy", scan_keywords({"exclusive"}), copy_by_segments, py::arg("source"),
         py::arg("destination"), py::arg("mask"),
         R"(Writes the source's value at the beginning of its segment to each element. Collective.

Arguments and errors as for scan_add; `before` None means "zero", as in Global Arrays.)");
  define(module, "scan", scan_keywords(), combine_by_segments, py::arg("source"),
         py::arg("destination"), py::arg("mask"), py::arg("combine"),
         R"(Writes the combination of its segment up to each element. Collective.

combine  "copy", "sum", "multiply", "min" or "max". An exclusive product begins with 1, an exclusive
         minimum (maximum) with the greatest (least) value of the type

Other arguments and errors as for scan_add.)");
}

void bind_packing(py::module_& module) {
  const Keywords keywords = scan_keywords(not_of_scans);
  define(module, "pack", keywords, pack_arrays, py::arg("source"), py::arg("mask"),
         py::arg("destination"),
         R"(Copies the elements where `mask` is not 0 to the front of `destination`. Collective.

Returns their number, on all ranks. The destination's other elements are not written.

source, mask  daptor.Arrays, or objects with __distarray__, of one dimension in blocks, of which
              each rank owns the same indices
destination   one dimension in any division, the element type of the source
{options}

Raises InvalidArgument on all ranks, before anything is written: `sparse.capacity` if the
destination is too small, other rules `sparse.*`, `collective.*`, `lease.readonly`; Malformed if the
sections of one of them do not form an array.)");
  define(module, "unpack", keywords, unpack_arrays, py::arg("source"), py::arg("mask"),
         py::arg("destination"),
         R"(Copies the front of `source` to the elements where `mask` is not 0. Collective.

Returns their number, on all ranks. The destination's other elements are not written. Mask and
destination are divided alike, the source in any way. Errors as for pack.)");
  define(module, "packed", keywords, packed_array, py::arg("source"), py::arg("mask"),
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
