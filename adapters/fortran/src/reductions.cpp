// SPDX-License-Identifier: BSD-3-Clause
#include <complex>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "daptor/call.hpp"
#include "daptor/reductions.hpp"
#include "entries.hpp"
#include "objects.hpp"
#include "results.hpp"

namespace daptor::fortran {
namespace {

/// The arrays of one call, and what it is given.
struct Operands {
  DistArray a;
  DistArray other;
  ReductionOptions options;
  double ddof = 0;
};

/// Collective over the communicator of the array. 0 stands for an absent mask.
/// @param other  for a product alone
Operands operands_of(const char* name, const DistArray& array, const Handle* other, Handle mask) {
  Operands operands{array, {}, {}};
  Call here(array.comm(), name);
  here.same("mask", mask != 0);
  here.check([&] {
    if (other != nullptr) operands.other = get<Array>(*other)->array;
    if (mask != 0) operands.options.where = get<Array>(mask)->array;
  });
  return operands;
}

Scalar integer(Index value) {
  return Scalar(DataType::of<std::int64_t>(), value);
}

namespace core = daptor::detail;

struct Reduction {
  const char* name;
  Scalar (*of)(const Operands& given);
};
constexpr Reduction reductions[] = {
    {"array%sum", [](const Operands& o) { return core::sum(o.a, o.options); }},
    {"array%mean", [](const Operands& o) { return core::mean(o.a, o.options); }},
    {"array%var", [](const Operands& o) { return core::variance(o.a, o.ddof, false, o.options); }},
    {"array%minval", [](const Operands& o) { return core::extreme(o.a, false, o.options); }},
    {"array%maxval", [](const Operands& o) { return core::extreme(o.a, true, o.options); }},
    {"array%dot_product",
     [](const Operands& o) { return core::product(o.a, o.other, true, o.options); }},
    {"array%norm2", [](const Operands& o) { return core::norm(o.a, Norm::two, o.options); }},
    {"array%count", [](const Operands& o) { return integer(count_nonzero(o.a, o.options)); }},
    {"array%any", [](const Operands& o) { return integer(any(o.a, o.options) ? 1 : 0); }},
    {"array%all", [](const Operands& o) { return integer(all(o.a, o.options) ? 1 : 0); }}};

const Reduction& reduction(std::string_view name) {
  const Reduction* found = reductions;
  while (std::string_view(found->name).substr(std::string_view("array%").size()) != name) ++found;
  return *found;
}

template <class T>
void store(const Scalar& value, const daptor_fortran_argument& result) {
  *static_cast<T*>(const_cast<void*>(result.values)) = value.as<T>();
}

void store(const Scalar& number, const daptor_fortran_argument& result) {
  switch (static_cast<Type>(result.type)) {
    case Type::int32:
    case Type::logical:
      return store<std::int32_t>(number, result);
    case Type::int64:
      return store<std::int64_t>(number, result);
    case Type::real32:
      return store<float>(number, result);
    case Type::real64:
      return store<double>(number, result);
    case Type::complex32:
      return store<std::complex<float>>(number, result);
    case Type::complex64:
      return store<std::complex<double>>(number, result);
    default:
      throw InvalidArgument("value", "a variable of another type",
                            "integer of 4 or 8 bytes, real or complex of 4 or 8 bytes per number");
  }
}

}  // namespace

void array_reduce(Handle array, const char* wanted, Handle other,
                  const daptor_fortran_argument& result, const daptor_fortran_argument& ddof,
                  Handle mask) {
  const auto& [name, of] = reduction(wanted);
  const auto from = found_for(name, [&] { return array_of(array); });
  const bool product = std::string_view(wanted) == "dot_product";
  Operands operands = operands_of(name, from->array, product ? &other : nullptr, mask);
  if (present(ddof)) operands.ddof = daptor::fortran::detail::number<double>(ddof);
  Call here(from->array.comm(), name);
  const Scalar number = of(operands);
  here.same("the kind of the variable", result.type);
  here.check([&] { store(number, result); });
}

void array_place(Handle array, std::int32_t greatest, CFI_cdesc_t& place, Handle mask) {
  const char* const name = greatest != 0 ? "array%maxloc" : "array%minloc";
  const auto from = found_for(name, [&] { return array_of(array); });
  const DistArray& a = from->array;
  const Operands operands = operands_of(name, a, nullptr, mask);
  Call here(a, name);
  here.check([&] {
    if (size_of(place) != a.ndim())
      throw InvalidArgument("place", std::to_string(size_of(place)) + " elements",
                            std::to_string(a.ndim()) + ", one for each dimension");
  });
  std::vector<Index> found =
      daptor::detail::place_of_extreme(name, a, greatest != 0, true, operands.options);
  for (std::size_t d = 0; d < found.size(); ++d)
    found[d] += d < from->first.size() ? from->first[d] : 1;
  store("place", {{found, place}});
}

}  // namespace daptor::fortran
