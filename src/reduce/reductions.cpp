// SPDX-License-Identifier: BSD-3-Clause
#include "daptor/reductions.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <utility>

#include "daptor/adapter/reason.hpp"
#include "daptor/adapter/reduce.hpp"
#include "daptor/call.hpp"
#include "daptor/lease.hpp"

namespace daptor {
namespace {

using adapter::Reduce;
using adapter::ReduceArguments;
using adapter::Reduced;
using adapter::ReduceOperand;

/// One collective reduction of described arrays.
class ArrayReduction {
 public:
  ArrayReduction(const char* name, const DistArray& a, const ReductionOptions& options)
      : name_(name), a_(a), options_(options) {}

  ArrayReduction& with(const DistArray& other) {
    other_ = &other;
    return *this;
  }
  ArrayReduction& with(const Tolerance& tolerance) {
    arguments_.tolerance = tolerance;
    return *this;
  }
  ArrayReduction& around(const Scalar& centre) {
    arguments_.centre = centre;
    return *this;
  }
  ArrayReduction& in_columns(bool column_major) {
    arguments_.column_major = column_major;
    return *this;
  }
  template <class F>
  ArrayReduction& noting(const F& note) {
    note_ = note;
    return *this;
  }

  /// Collective.
  Reduced run(Reduce how) {
    arguments_.how = how;
    Call call(a_, name_);
    call.same("where", options_.where.has_value());
    call.same(arguments_.tolerance);
    if (note_) note_(call);
    adapter::Partial mine = call.check([&] {
      open(call);
      return adapter::may_repeat(a_) ? adapter::Partial()
                                     : adapter::reduce_local(a_, nullptr, arguments_);
    });
    if (adapter::may_repeat(a_)) {
      const auto counted = adapter::counted_positions(a_, call);
      mine = call.check([&] { return adapter::reduce_local(a_, counted.get(), arguments_); });
    }
    return adapter::reduced(a_, arguments_,
                            adapter::combine_partials(call.comm(), a_, arguments_, mine));
  }

 private:
  void open(Call& call) {
    leases_.push_back(adapter::open_operand(a_));
    if (other_ != nullptr) arguments_.other = operand(call, "a second array", *other_);
    if (options_.where) arguments_.where = operand(call, "a mask", *options_.where);
  }
  ReduceOperand operand(Call& call, const char* what, const DistArray& array) {
    call.require_same_processes(array);
    if (!adapter::divided_alike(a_, array))
      adapter::refuse_argument("reduction.layout",
                               std::string(what) + " in another layout than the array",
                               "one of its shape and layout",
                               "Redistribute it to an array that is made of the dimensions of the "
                               "first, and pass that.");
    leases_.push_back(adapter::open_operand(array));
    return ReduceOperand::of(array);
  }

  const char* name_;
  const DistArray& a_;
  const ReductionOptions& options_;
  const DistArray* other_ = nullptr;
  std::function<void(Call&)> note_;
  ReduceArguments arguments_;
  std::vector<ReadLease> leases_;
};

/// Of all ranks, which have the same count.
void require_an_element(const char* name, const Reduced& result) {
  if (result.count == 0)
    adapter::refuse_argument("reduction.empty", "no element",
                             std::string("an element or more, of which there is ") + name,
                             "An empty array, or a mask that is 0 everywhere, has none.");
}

/// A real number, changed.
template <class F>
Scalar changed_real(const Scalar& number, const F& change) {
  if (const auto* const value = std::get_if<long double>(&number.value()))
    return {number.type(), change(*value)};
  return {number.type(), change(number.as<double>())};
}

}  // namespace

void Scalar::refuse(const DataType& wanted) const {
  adapter::refuse_argument(
      "reduction.type", "a result of type " + type_.name() + ", asked for as " + wanted.name(),
      "a type that holds the result", "Ask for a 64-bit integer, or for a complex number.");
}

Scalar detail::sum(const DistArray& a, const ReductionOptions& options) {
  return ArrayReduction("sum", a, options).run(Reduce::sum).number;
}

Scalar detail::mean(const DistArray& a, const ReductionOptions& options) {
  return ArrayReduction("mean", a, options).run(Reduce::mean).number;
}

Scalar detail::variance(const DistArray& a, double ddof, bool root,
                        const ReductionOptions& options) {
  const char* const name = root ? "stddev" : "var";
  Call call(a.comm(), name);
  const auto same_ddof = [&](Call& within) { within.same("ddof", ddof); };
  const Scalar centre = ArrayReduction(name, a, options).noting(same_ddof).run(Reduce::mean).number;
  const Reduced squares = ArrayReduction(name, a, options).around(centre).run(Reduce::deviation);
  const double divisor = std::max(static_cast<double>(squares.count) - ddof, 0.0);
  return changed_real(squares.number, [&](auto total) {
    const auto result = total / static_cast<decltype(total)>(divisor);
    return root ? std::sqrt(result) : result;
  });
}

Scalar detail::extreme(const DistArray& a, bool greatest, const ReductionOptions& options) {
  const char* const name = greatest ? "max" : "min";
  const Reduced result = ArrayReduction(name, a, options).run(greatest ? Reduce::max : Reduce::min);
  require_an_element(greatest ? "a greatest one" : "a least one", result);
  return result.number;
}

Scalar detail::product(const DistArray& a, const DistArray& b, bool conjugate,
                       const ReductionOptions& options) {
  return ArrayReduction(conjugate ? "vdot" : "dot", a, options)
      .with(b)
      .run(conjugate ? Reduce::vdot : Reduce::dot)
      .number;
}

Scalar detail::norm(const DistArray& a, Norm which, const ReductionOptions& options) {
  const Reduce how = which == Norm::one   ? Reduce::absolute
                     : which == Norm::two ? Reduce::square
                                          : Reduce::largest;
  const Scalar result = ArrayReduction("norm", a, options)
                            .noting([&](Call& call) { call.same("which", which); })
                            .run(how)
                            .number;
  if (which != Norm::two) return result;
  return changed_real(result, [](auto square) { return std::sqrt(square); });
}

std::vector<Index> detail::place_of_extreme(const char* name, const DistArray& a, bool greatest,
                                            bool column_major, const ReductionOptions& options) {
  const Reduced result = ArrayReduction(name, a, options)
                             .in_columns(column_major)
                             .run(greatest ? Reduce::argmax : Reduce::argmin);
  require_an_element(greatest ? "a greatest one" : "a least one", result);
  return result.place;
}

std::vector<Index> argmin(const DistArray& a, const ReductionOptions& options) {
  return detail::place_of_extreme("argmin", a, false, false, options);
}

std::vector<Index> argmax(const DistArray& a, const ReductionOptions& options) {
  return detail::place_of_extreme("argmax", a, true, false, options);
}

bool any(const DistArray& a, const ReductionOptions& options) {
  return ArrayReduction("any", a, options).run(Reduce::nonzero).matches > 0;
}

bool all(const DistArray& a, const ReductionOptions& options) {
  const Reduced result = ArrayReduction("all", a, options).run(Reduce::nonzero);
  return result.matches == result.count;
}

Index count_nonzero(const DistArray& a, const ReductionOptions& options) {
  return ArrayReduction("count_nonzero", a, options).run(Reduce::nonzero).matches;
}

bool allclose(const DistArray& a, const DistArray& b, const Tolerance& tolerance,
              const ReductionOptions& options) {
  return ArrayReduction("allclose", a, options)
             .with(b)
             .with(tolerance)
             .run(Reduce::differences)
             .matches == 0;
}

}  // namespace daptor
