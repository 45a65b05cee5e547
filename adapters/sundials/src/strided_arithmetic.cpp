// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

#include "daptor/adapter/library.hpp"
#include "daptor/error.hpp"
#include "strided_content.hpp"

namespace daptor::sundials::detail {
namespace {

constexpr sunrealtype largest_value = std::numeric_limits<sunrealtype>::max();

/// SUNDIALS' operations cannot tell of an error, so this one ends the job.
[[noreturn]] void abort_for_layout(N_Vector vector) noexcept {
  try {
    throw InvalidArgument("N_Vector", "N_Vectors of arrays with different layouts",
                          "clones of one N_Vector, or N_Vectors of arrays with the same dimensions "
                          "and strides");
  } catch (...) {
    adapter::abort_in(strided(vector).array.comm(), "an operation of N_Vectors");
  }
}

/// The elements of an operand, which has the layout of the vector `of`.
sunrealtype* values(N_Vector vector, N_Vector of) {
  const StridedContent& operand = strided(vector);
  const StridedContent& first = strided(of);
  if (operand.form != first.form && !operand.array.same_layout(first.array)) abort_for_layout(of);
  return operand.values;
}

template <class F>
void for_each(N_Vector vector, F&& body) {
  strided(vector).form->runs.for_each(body);
}

/// Sets each element of z to f of those of the operands.
template <class F, class... Operands>
void set(N_Vector z, F&& f, Operands... operands) {
  sunrealtype* const w = values(z, z);
  [&](const auto*... u) {
    for_each(z, [=](Index i) { w[i] = f(u[i]...); });
  }(values(operands, z)...);
}

/// Calls f with the elements of x and of the others, one place after another.
template <class F, class... Others>
void visit(F&& f, N_Vector x, Others... others) {
  [&](const auto* u, const auto*... v) {
    for_each(x, [&f, u, v...](Index i) { f(u[i], v[i]...); });
  }(values(x, x), values(others, x)...);
}

/// The sum of f over the elements of this process.
template <class F, class... Others>
sunrealtype sum(F&& f, N_Vector x, Others... others) {
  sunrealtype total = 0;
  visit([&](const auto... u) { total += f(u...); }, x, others...);
  return total;
}

// Operations on elements.

void linear_sum(sunrealtype a, N_Vector x, sunrealtype b, N_Vector y, N_Vector z) {
  set(
      z, [=](sunrealtype u, sunrealtype v) { return a * u + b * v; }, x, y);
}
void set_constant(sunrealtype c, N_Vector z) {
  set(z, [=] { return c; });
}
void multiply_elements(N_Vector x, N_Vector y, N_Vector z) {
  set(z, std::multiplies<>(), x, y);
}
void divide_elements(N_Vector x, N_Vector y, N_Vector z) {
  set(z, std::divides<>(), x, y);
}
void scale_elements(sunrealtype c, N_Vector x, N_Vector z) {
  set(
      z, [=](sunrealtype u) { return c * u; }, x);
}
void absolute_values(N_Vector x, N_Vector z) {
  set(
      z, [](sunrealtype u) { return std::abs(u); }, x);
}
void invert_elements(N_Vector x, N_Vector z) {
  set(
      z, [](sunrealtype u) { return 1 / u; }, x);
}
void add_constant(N_Vector x, sunrealtype b, N_Vector z) {
  set(
      z, [=](sunrealtype u) { return u + b; }, x);
}
void compare_elements(sunrealtype c, N_Vector x, N_Vector z) {
  set(
      z, [=](sunrealtype u) { return std::abs(u) >= c ? 1 : 0; }, x);
}

// Reductions over the elements of this process.

sunrealtype square(sunrealtype u) {
  return u * u;
}

sunrealtype dot_local(N_Vector x, N_Vector y) {
  return sum(std::multiplies<>(), x, y);
}
sunrealtype max_norm_local(N_Vector x) {
  sunrealtype greatest = 0;
  visit([&](sunrealtype u) { greatest = std::max(greatest, std::abs(u)); }, x);
  return greatest;
}
sunrealtype min_local(N_Vector x) {
  sunrealtype least = largest_value;
  visit([&](sunrealtype u) { least = std::min(least, u); }, x);
  return least;
}
sunrealtype l1_norm_local(N_Vector x) {
  return sum([](sunrealtype u) { return std::abs(u); }, x);
}
sunrealtype weighted_squares_local(N_Vector x, N_Vector w) {
  return sum([](sunrealtype u, sunrealtype v) { return square(u * v); }, x, w);
}
sunrealtype masked_squares_local(N_Vector x, N_Vector w, N_Vector mask) {
  return sum([](sunrealtype u, sunrealtype v, sunrealtype m) { return m > 0 ? square(u * v) : 0; },
             x, w, mask);
}

sunbooleantype invert_test_local(N_Vector x, N_Vector z) {
  const sunrealtype* const u = values(x, z);
  sunrealtype* const w = values(z, z);
  bool all = true;
  for_each(z, [&, u, w](Index i) {
    if (u[i] == 0)
      all = false;
    else
      w[i] = 1 / u[i];
  });
  return all ? SUNTRUE : SUNFALSE;
}

/// Whether a value breaks the constraint c: 2 and -2 are for > 0 and < 0, 1 and -1 for >= and <=.
bool breaks(sunrealtype value, sunrealtype c) {
  return (std::abs(c) > 1.5 && value * c <= 0) || (std::abs(c) > 0.5 && value * c < 0);
}

sunbooleantype constraint_mask_local(N_Vector c, N_Vector x, N_Vector m) {
  bool all = true;
  const auto mask = [&](sunrealtype u, sunrealtype constraint) {
    const bool broken = breaks(u, constraint);
    all = all && !broken;
    return broken ? 1 : 0;
  };
  set(m, std::ref(mask), x, c);
  return all ? SUNTRUE : SUNFALSE;
}

sunrealtype min_quotient_local(N_Vector numerator, N_Vector denominator) {
  sunrealtype least = largest_value;
  visit(
      [&](sunrealtype u, sunrealtype v) {
        if (v != 0) least = std::min(least, u / v);
      },
      numerator, denominator);
  return least;
}

// The same over those of all processes.

enum class Over { sum, max, min };

sunrealtype reduce(N_Vector vector, sunrealtype value, MPI_Op operation) {
  MPI_Allreduce(MPI_IN_PLACE, &value, 1, MPI_DOUBLE, operation, strided(vector).form->comm);
  return value;
}

/// The reduction `local` of all processes.
template <auto local, Over over, class... Others>
sunrealtype reduced(N_Vector x, Others... others) {
  const MPI_Op operation = over == Over::sum ? MPI_SUM : over == Over::max ? MPI_MAX : MPI_MIN;
  return reduce(x, local(x, others...), operation);
}
template <auto local, class... Others>
sunrealtype root_of_sum(N_Vector x, Others... others) {
  return std::sqrt(reduced<local, Over::sum>(x, others...));
}
template <auto squares, class... Others>
sunrealtype root_mean(N_Vector x, Others... others) {
  const auto count = static_cast<sunrealtype>(strided(x).form->global_count);
  return std::sqrt(reduced<squares, Over::sum>(x, others...) / count);
}
/// Whether the test `local` holds on all processes.
template <auto local, class... Operands>
sunbooleantype on_all_ranks(N_Vector x, Operands... operands) {
  const sunrealtype here = local(x, operands...) == SUNFALSE ? 0 : 1;
  return reduce(x, here, MPI_MIN) == 0 ? SUNFALSE : SUNTRUE;
}

}  // namespace

// Operations on several vectors are made of these by SUNDIALS.
void attach_arithmetic(N_Vector vector) {
  auto& operations = *vector->ops;
  operations.nvlinearsum = linear_sum;
  operations.nvconst = set_constant;
  operations.nvprod = multiply_elements;
  operations.nvdiv = divide_elements;
  operations.nvscale = scale_elements;
  operations.nvabs = absolute_values;
  operations.nvinv = invert_elements;
  operations.nvaddconst = add_constant;
  operations.nvcompare = compare_elements;
  operations.nvdotprod = reduced<dot_local, Over::sum>;
  operations.nvmaxnorm = reduced<max_norm_local, Over::max>;
  operations.nvmin = reduced<min_local, Over::min>;
  operations.nvl1norm = reduced<l1_norm_local, Over::sum>;
  operations.nvwl2norm = root_of_sum<weighted_squares_local>;
  operations.nvwrmsnorm = root_mean<weighted_squares_local>;
  operations.nvwrmsnormmask = root_mean<masked_squares_local>;
  operations.nvinvtest = on_all_ranks<invert_test_local>;
  operations.nvconstrmask = on_all_ranks<constraint_mask_local>;
  operations.nvminquotient = reduced<min_quotient_local, Over::min>;
  operations.nvdotprodlocal = dot_local;
  operations.nvmaxnormlocal = max_norm_local;
  operations.nvminlocal = min_local;
  operations.nvl1normlocal = l1_norm_local;
  operations.nvwsqrsumlocal = weighted_squares_local;
  operations.nvwsqrsummasklocal = masked_squares_local;
  operations.nvinvtestlocal = invert_test_local;
  operations.nvconstrmasklocal = constraint_mask_local;
  operations.nvminquotientlocal = min_quotient_local;
}

}  // namespace daptor::sundials::detail
