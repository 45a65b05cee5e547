// SPDX-License-Identifier: BSD-3-Clause
#include <cmath>
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

sunrealtype reduce(N_Vector vector, sunrealtype value, MPI_Op operation) {
  MPI_Allreduce(MPI_IN_PLACE, &value, 1, MPI_DOUBLE, operation, strided(vector).form->comm);
  return value;
}

// Operations on elements.

void linear_sum(sunrealtype a, N_Vector x, sunrealtype b, N_Vector y, N_Vector z) {
  const sunrealtype *const u = values(x, z), *const v = values(y, z);
  sunrealtype* const w = values(z, z);
  for_each(z, [=](Index i) { w[i] = a * u[i] + b * v[i]; });
}

void set_constant(sunrealtype c, N_Vector z) {
  sunrealtype* const w = values(z, z);
  for_each(z, [=](Index i) { w[i] = c; });
}

void multiply_elements(N_Vector x, N_Vector y, N_Vector z) {
  const sunrealtype *const u = values(x, z), *const v = values(y, z);
  sunrealtype* const w = values(z, z);
  for_each(z, [=](Index i) { w[i] = u[i] * v[i]; });
}

void divide_elements(N_Vector x, N_Vector y, N_Vector z) {
  const sunrealtype *const u = values(x, z), *const v = values(y, z);
  sunrealtype* const w = values(z, z);
  for_each(z, [=](Index i) { w[i] = u[i] / v[i]; });
}

void scale_elements(sunrealtype c, N_Vector x, N_Vector z) {
  const sunrealtype* const u = values(x, z);
  sunrealtype* const w = values(z, z);
  for_each(z, [=](Index i) { w[i] = c * u[i]; });
}

void absolute_values(N_Vector x, N_Vector z) {
  const sunrealtype* const u = values(x, z);
  sunrealtype* const w = values(z, z);
  for_each(z, [=](Index i) { w[i] = std::abs(u[i]); });
}

void invert_elements(N_Vector x, N_Vector z) {
  const sunrealtype* const u = values(x, z);
  sunrealtype* const w = values(z, z);
  for_each(z, [=](Index i) { w[i] = 1 / u[i]; });
}

void add_constant(N_Vector x, sunrealtype b, N_Vector z) {
  const sunrealtype* const u = values(x, z);
  sunrealtype* const w = values(z, z);
  for_each(z, [=](Index i) { w[i] = u[i] + b; });
}

void compare_elements(sunrealtype c, N_Vector x, N_Vector z) {
  const sunrealtype* const u = values(x, z);
  sunrealtype* const w = values(z, z);
  for_each(z, [=](Index i) { w[i] = std::abs(u[i]) >= c ? 1 : 0; });
}

// Reductions over the elements of this process, and over those of all.

sunrealtype dot_local(N_Vector x, N_Vector y) {
  const sunrealtype *const u = values(x, x), *const v = values(y, x);
  sunrealtype sum = 0;
  for_each(x, [&, u, v](Index i) { sum += u[i] * v[i]; });
  return sum;
}

sunrealtype max_norm_local(N_Vector x) {
  const sunrealtype* const u = values(x, x);
  sunrealtype greatest = 0;
  for_each(x, [&, u](Index i) {
    if (std::abs(u[i]) > greatest) greatest = std::abs(u[i]);
  });
  return greatest;
}

sunrealtype min_local(N_Vector x) {
  const sunrealtype* const u = values(x, x);
  sunrealtype least = largest_value;
  for_each(x, [&, u](Index i) {
    if (u[i] < least) least = u[i];
  });
  return least;
}

sunrealtype l1_norm_local(N_Vector x) {
  const sunrealtype* const u = values(x, x);
  sunrealtype sum = 0;
  for_each(x, [&, u](Index i) { sum += std::abs(u[i]); });
  return sum;
}

sunrealtype weighted_squares_local(N_Vector x, N_Vector w) {
  const sunrealtype *const u = values(x, x), *const v = values(w, x);
  sunrealtype sum = 0;
  for_each(x, [&, u, v](Index i) { sum += u[i] * v[i] * (u[i] * v[i]); });
  return sum;
}

sunrealtype masked_squares_local(N_Vector x, N_Vector w, N_Vector mask) {
  const sunrealtype *const u = values(x, x), *const v = values(w, x), *const m = values(mask, x);
  sunrealtype sum = 0;
  for_each(x, [&, u, v, m](Index i) {
    if (m[i] > 0) sum += u[i] * v[i] * (u[i] * v[i]);
  });
  return sum;
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
  const sunrealtype *const constraint = values(c, m), *const u = values(x, m);
  sunrealtype* const w = values(m, m);
  bool all = true;
  for_each(m, [&, constraint, u, w](Index i) {
    const bool broken = breaks(u[i], constraint[i]);
    w[i] = broken ? 1 : 0;
    all = all && !broken;
  });
  return all ? SUNTRUE : SUNFALSE;
}

sunrealtype min_quotient_local(N_Vector numerator, N_Vector denominator) {
  const sunrealtype* const u = values(numerator, numerator);
  const sunrealtype* const v = values(denominator, numerator);
  sunrealtype least = largest_value;
  for_each(numerator, [&, u, v](Index i) {
    if (v[i] != 0 && u[i] / v[i] < least) least = u[i] / v[i];
  });
  return least;
}

sunrealtype dot(N_Vector x, N_Vector y) {
  return reduce(x, dot_local(x, y), MPI_SUM);
}
sunrealtype max_norm(N_Vector x) {
  return reduce(x, max_norm_local(x), MPI_MAX);
}
sunrealtype min_element(N_Vector x) {
  return reduce(x, min_local(x), MPI_MIN);
}
sunrealtype l1_norm(N_Vector x) {
  return reduce(x, l1_norm_local(x), MPI_SUM);
}
sunrealtype weighted_l2_norm(N_Vector x, N_Vector w) {
  return std::sqrt(reduce(x, weighted_squares_local(x, w), MPI_SUM));
}
sunrealtype root_mean(N_Vector x, sunrealtype squares) {
  const auto count = static_cast<sunrealtype>(strided(x).form->global_count);
  return std::sqrt(reduce(x, squares, MPI_SUM) / count);
}
sunrealtype weighted_rms_norm(N_Vector x, N_Vector w) {
  return root_mean(x, weighted_squares_local(x, w));
}
sunrealtype masked_rms_norm(N_Vector x, N_Vector w, N_Vector mask) {
  return root_mean(x, masked_squares_local(x, w, mask));
}
sunbooleantype on_all_ranks(N_Vector vector, sunbooleantype here) {
  return reduce(vector, here == SUNFALSE ? 0 : 1, MPI_MIN) == 0 ? SUNFALSE : SUNTRUE;
}
sunbooleantype invert_test(N_Vector x, N_Vector z) {
  return on_all_ranks(z, invert_test_local(x, z));
}
sunbooleantype constraint_mask(N_Vector c, N_Vector x, N_Vector m) {
  return on_all_ranks(m, constraint_mask_local(c, x, m));
}
sunrealtype min_quotient(N_Vector numerator, N_Vector denominator) {
  return reduce(numerator, min_quotient_local(numerator, denominator), MPI_MIN);
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
  operations.nvdotprod = dot;
  operations.nvmaxnorm = max_norm;
  operations.nvmin = min_element;
  operations.nvl1norm = l1_norm;
  operations.nvwl2norm = weighted_l2_norm;
  operations.nvwrmsnorm = weighted_rms_norm;
  operations.nvwrmsnormmask = masked_rms_norm;
  operations.nvinvtest = invert_test;
  operations.nvconstrmask = constraint_mask;
  operations.nvminquotient = min_quotient;
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
