// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <complex>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <pybind11/complex.h>
#include <pybind11/stl.h>

#include "arrays/place.hpp"
#include "bindings.hpp"
#include "calls/arguments.hpp"
#include "daptor/adapter/reduce.hpp"
#include "daptor/lease.hpp"
#include "daptor/local_index_map.hpp"

namespace daptor::python {
namespace {

using adapter::Reduce;
using adapter::ReduceOperand;

Reduce reduce_of(const std::string& how) {
  static const std::map<std::string, Reduce> names{
      {"sum", Reduce::sum},         {"mean", Reduce::mean},
      {"min", Reduce::min},         {"max", Reduce::max},
      {"argmin", Reduce::argmin},   {"argmax", Reduce::argmax},
      {"dot", Reduce::dot},         {"vdot", Reduce::vdot},
      {"square", Reduce::square},   {"absolute", Reduce::absolute},
      {"largest", Reduce::largest}, {"deviation", Reduce::deviation},
      {"nonzero", Reduce::nonzero}, {"differences", Reduce::differences}};
  return names.at(how);
}

/// An element type by NumPy's string for it.
DataType type_of(const char* key, const py::handle& dtype) {
  const auto text = py::cast<std::string>(dtype.attr("str"));
  if (const auto type = DataType::from_typestr(text)) return *type;
  throw InvalidArgument(key, "elements of type " + std::string(py::str(dtype)), "numbers or bools");
}

/// What the memory of an operand is kept alive by.
struct Operands {
  std::vector<ReadLease> leases;
  std::vector<py::object> arrays;

  /// @param given  an Array of the same processes, or an array of NumPy of the interior's shape
  ReduceOperand open(const char* key, const py::object& given, Call& call) {
    if (const Array* const array = array_behind(given.ptr())) {
      call.require_same_processes(array->array);
      leases.push_back(adapter::open_operand(array->array));
      return ReduceOperand::of(array->array);
    }
    arrays.push_back(given);
    const auto address = py::cast<std::uintptr_t>(given.attr("ctypes").attr("data"));
    return ReduceOperand::of(type_of(key, given.attr("dtype")),
                             reinterpret_cast<const void*>(address),
                             py::cast<std::vector<Index>>(given.attr("strides")));
  }
};

/// A number of Python, of one of NumPy's types.
Scalar scalar_of(const py::tuple& typed) {
  const DataType type = type_of("b", typed[0]);
  if (type.kind() == Kind::complex) return {type, py::cast<std::complex<double>>(typed[1])};
  return {type, py::cast<double>(typed[1])};
}

/// The value of a number as Python has it, or its bytes if Python's numbers have fewer digits.
py::object python_of(const Scalar& number) {
  return std::visit(
      [](const auto& value) -> py::object {
        using W = std::decay_t<decltype(value)>;
        if constexpr (std::is_same_v<W, long double> ||
                      std::is_same_v<W, std::complex<long double>>)
          return py::bytes(reinterpret_cast<const char*>(&value), sizeof value);
        else
          return py::cast(value);
      },
      number.value());
}

/// The row-major number of an element of the interior, by its global indices.
py::object number_of_place(const Array& array, const std::vector<Index>& place) {
  const Edges edges = edges_of(array);
  const auto extents = interior_extents(array);
  py::object number = py::int_(0);
  for (std::size_t d = 0; d < place.size(); ++d)
    number = number * py::int_(extents[d]) + py::int_(place[d] - edges[d].lower);
  return number;
}

/// Reads the arguments that Python has prepared on this rank.
adapter::ReduceArguments arguments_of(const std::string& how, const py::dict& said,
                                      Operands& operands, Call& call,
                                      std::deque<std::string>& names) {
  adapter::ReduceArguments arguments;
  arguments.how = reduce_of(said.contains("how") ? py::cast<std::string>(said["how"]) : how);
  for (const py::handle pair : py::list(said["same"])) {
    const auto [key, text] = py::cast<std::pair<std::string, std::string>>(pair);
    call.same(names.emplace_back(key).c_str(), text);
  }
  if (said.contains("where")) arguments.where = operands.open("where", said["where"], call);
  if (said.contains("b")) arguments.other = operands.open("b", said["b"], call);
  if (said.contains("number")) arguments.number = scalar_of(said["number"]);
  if (said.contains("tolerance")) {
    const auto [relative, absolute, equal_nan] =
        py::cast<std::tuple<double, double, bool>>(said["tolerance"]);
    arguments.tolerance = {relative, absolute, equal_nan};
  }
  return arguments;
}

/// The results of a reduction that a further one begins with.
struct Centre {
  Scalar number;
};

/// Collective. A reduction of all elements.
/// @param how      what is made of them
/// @param others   further operands, for errors about different ranks
/// @param prepare  called in the first check: returns a dictionary of the operands of this rank
/// @param centre   null, or what `deviation` is measured from
/// @returns type of the result, its value, number of elements, matches, number of the place,
/// whether
///   arithmetic overflowed or was invalid, and the result as a Centre; the same on all ranks
py::tuple reduce_ranks(const py::object& given, const std::string& how,
                       const std::vector<py::object>& others, const std::string& name,
                       const py::object& prepare, const Centre* centre) {
  const Array& array = array_of("a", given);
  std::deque<std::string> names;  // which outlive the call
  Operands operands;
  adapter::ReduceArguments arguments;
  Call call = python_call(array.comm, name.c_str());
  call.prove(array.array);
  adapter::Partial mine = call.check([&] {
    for (const py::object& other : others)
      if (const Array* const known = array_behind(other.ptr()))
        call.require_same_processes(known->array);
    arguments = arguments_of(how, prepare(), operands, call, names);
    if (centre != nullptr) arguments.centre = centre->number;
    operands.leases.push_back(adapter::open_operand(array.array));
    return adapter::may_repeat(array.array)
               ? adapter::Partial()
               : adapter::reduce_local(array.array, nullptr, arguments);
  });
  if (adapter::may_repeat(array.array)) {
    const auto counted = [&] {
      const Unlocked unlocked;
      return adapter::counted_positions(array.array, call);
    }();
    mine = call.check([&] { return adapter::reduce_local(array.array, counted.get(), arguments); });
  }
  {
    const Unlocked unlocked;
    mine = adapter::combine_partials(call.comm(), array.array, arguments, mine);
  }
  const adapter::Reduced result = adapter::reduced(array.array, arguments, mine);
  return py::make_tuple(
      result.number.type().typestr(), python_of(result.number), result.count, result.matches,
      result.place.empty() ? py::object(py::int_(0)) : number_of_place(array, result.place),
      result.overflow, result.invalid, Centre{result.number});
}

/// Whether the interiors of both, which are as long, have the same indices along a dimension.
bool same_indices(const Dimension& a, const Dimension& b, Index edge_a, Index edge_b) {
  const LocalDimensionMap map_a(a), map_b(b);
  const OwnedPart owned_a = a.owned_part(), owned_b = b.owned_part();
  const Index lower_a = a.boundary_padding().lower, lower_b = b.boundary_padding().lower;
  const Index count = std::min(owned_a.count() - lower_a - a.boundary_padding().upper,
                               owned_b.count() - lower_b - b.boundary_padding().upper);
  const bool contiguous = a.interior() && b.interior();
  for (Index i = 0; i < (contiguous ? std::min<Index>(count, 1) : count); ++i)
    if (map_a.global_of(owned_a.position(lower_a + i)) - edge_a !=
        map_b.global_of(owned_b.position(lower_b + i)) - edge_b)
      return false;
  return true;
}

/// Whether both arrays have the same shape, and this rank the same elements of both. Process-local.
/// By the widths of the boundary padding that all ranks have found, as an Array has them.
bool divided_alike(const Array& a, const Array& b) {
  if (interior_extents(a) != interior_extents(b) ||
      a.array.interior_shape() != b.array.interior_shape())
    return false;
  const Edges edges_a = edges_of(a), edges_b = edges_of(b);
  for (std::size_t d = 0; d < edges_a.size(); ++d)
    if (!same_indices(a.array.dimensions()[d], b.array.dimensions()[d], edges_a[d].lower,
                      edges_b[d].lower))
      return false;
  return true;
}

}  // namespace

void bind_reducing(py::module_& module) {
  py::class_<Centre>(module, "_Centre", not_made_by_python());
  module.def("_reduced", reduce_ranks);
  module.def("_divided_alike", divided_alike);
}

}  // namespace daptor::python
