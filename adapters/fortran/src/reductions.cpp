// SPDX-License-Identifier: BSD-3-Clause
#include <complex>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "daptor/call.hpp"
#include "daptor/reductions.hpp"
#include "entries.hpp"
#include "objects.hpp"
#include "results.hpp"

namespace daptor::fortran {
namespace {

/// Numbers that stand for the reductions; those of the module daptor.
enum class Wanted { sum, mean, var, minval, maxval, dot_product, norm2, count, any, all };

/// The arrays of one call.
struct Operands {
  std::shared_ptr<const Array> a;
  DistArray other;
  ReductionOptions options;
};

/// Collective over the communicator of the array, if it is found. 0 stands for an absent mask.
/// @param other  for a product alone
Operands found(const char* name, Handle array, const Handle* other, Handle mask) {
  Operands operands;
  operands.a = found_for(name, [&] { return get<Array>(array); });
  Call here(operands.a->array.comm(), name);
  here.same("mask", mask != 0);
  here.check([&] {
    if (other != nullptr) operands.other = get<Array>(*other)->array;
    if (mask != 0) operands.options.where = get<Array>(mask)->array;
  });
  return operands;
}

Scalar reduced(const Operands& operands, Wanted wanted, const daptor_fortran_argument& ddof) {
  namespace core = daptor::detail;
  const DistArray& a = operands.a->array;
  const ReductionOptions& options = operands.options;
  const auto integer = [](Index value) { return Scalar(DataType::of<std::int64_t>(), value); };
  switch (wanted) {
    case Wanted::sum:
      return core::sum(a, options);
    case Wanted::mean:
      return core::mean(a, options);
    case Wanted::var:
      return core::variance(a, present(ddof) ? daptor::fortran::detail::number<double>(ddof) : 0,
                            false, options);
    case Wanted::minval:
    case Wanted::maxval:
      return core::extreme(a, wanted == Wanted::maxval, options);
    case Wanted::dot_product:
      return core::product(a, operands.other, true, options);
    case Wanted::norm2:
      return core::norm(a, Norm::two, options);
    case Wanted::count:
      return integer(count_nonzero(a, options));
    case Wanted::any:
      return integer(any(a, options) ? 1 : 0);
    default:
      return integer(all(a, options) ? 1 : 0);
  }
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

void array_reduce(Handle array, std::int32_t wanted, Handle other,
                  const daptor_fortran_argument& result, const daptor_fortran_argument& ddof,
                  Handle mask) {
  const char* const name = reductions[wanted];
  const auto what = static_cast<Wanted>(wanted);
  const Operands operands =
      found(name, array, what == Wanted::dot_product ? &other : nullptr, mask);
  Call here(operands.a->array.comm(), name);
  const Scalar number = reduced(operands, what, ddof);
  here.same("the kind of the variable", result.type);
  here.check([&] { store(number, result); });
}

void array_place(Handle array, std::int32_t greatest, CFI_cdesc_t& place, Handle mask) {
  const char* const name = greatest != 0 ? "array%maxloc" : "array%minloc";
  const Operands operands = found(name, array, nullptr, mask);
  const DistArray& a = operands.a->array;
  Call here(a, name);
  here.check([&] {
    if (size_of(place) != a.ndim())
      throw InvalidArgument("place", std::to_string(size_of(place)) + " elements",
                            std::to_string(a.ndim()) + ", one for each dimension");
  });
  std::vector<Index> found =
      daptor::detail::place_of_extreme(name, a, greatest != 0, true, operands.options);
  for (std::size_t d = 0; d < found.size(); ++d)
    found[d] += d < operands.a->first.size() ? operands.a->first[d] : 1;
  store("place", {{found, place}});
}

}  // namespace daptor::fortran
