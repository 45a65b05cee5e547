// SPDX-License-Identifier: BSD-3-Clause
#include "vec_values.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <limits>
#include <type_traits>

#include "daptor/petsc/adapter/call.hpp"
#include "objects.hpp"

namespace daptor::petsc::detail {
namespace {

/// Whether all numbers are finite, without arithmetic, which would set the flags of floating-point
/// exceptions. The exponent of NaN and Inf has all bits set, so that one more reaches the sign.
template <class Real>
bool all_finite(const Real* values, std::size_t count) {
  if constexpr (std::is_same_v<Real, float> || std::is_same_v<Real, double>) {
    using Integer = std::conditional_t<sizeof(Real) == sizeof(float), std::uint32_t, std::uint64_t>;
    constexpr Integer sign = Integer{1} << (8 * sizeof(Integer) - 1);
    constexpr Integer one = Integer{1} << (std::numeric_limits<Real>::digits - 1);
    constexpr Integer exponent = sign - one;
    Integer all = 0;
    for (std::size_t i = 0; i < count; ++i) {
      Integer bits = 0;
      std::memcpy(&bits, values + i, sizeof(bits));
      all |= (bits & exponent) + one;
    }
    return (all & sign) == 0;
  } else {
    return std::none_of(values, values + count,
                        [](const Real& value) { return PetscIsInfOrNanReal(value); });
  }
}

}  // namespace

std::string not_finite_text(Vec vec, const VecValues& values) {
  constexpr std::size_t parts = sizeof(PetscScalar) / sizeof(PetscReal);
  if (all_finite(reinterpret_cast<const PetscReal*>(values.begin()), parts * values.count()))
    return {};
  Index count = 0;
  const PetscScalar* first = nullptr;
  for (const PetscScalar& value : values) {
    if (!PetscIsInfOrNanScalar(value)) continue;
    if (count++ == 0) first = &value;
  }
  if (count == 0) return {};
  PetscInt start = 0, stop = 0;
  call("VecGetOwnershipRange", VecGetOwnershipRange, vec, &start, &stop);
  return (PetscIsNanScalar(*first) ? "NaN at index " : "Inf at index ") +
         std::to_string(start + (first - values.begin())) + ", " +
         counted(count, "such value", "such values") + " on this rank";
}

void add_not_finite(const std::string& text, Findings& findings) {
  findings.error("check.vec.not-finite", text, "finite numbers",
                 "Look for a division by zero, a logarithm or root of a negative number, or memory "
                 "that was not initialised, where the values are set.");
}

VecValues::VecValues(Vec vec) : vec_(vec) {
  readable_ = is_set_up(vec) && is_one_of(object(vec), {VECSEQ, VECMPI, VECSHARED});
  if (!readable_) return;
  count_ = static_cast<std::size_t>(local_size(vec));
  call("VecGetArrayRead", VecGetArrayRead, vec, &values_);
}

VecValues::~VecValues() {
  if (readable_) static_cast<void>(VecRestoreArrayRead(vec_, &values_));
}

// FNV-1a over words of 8 bytes; values are at least 4 bytes long.
std::uint64_t hash_of(const PetscScalar* begin, const PetscScalar* end) {
  std::uint64_t hash = 0xcbf29ce484222325;
  const auto* bytes = reinterpret_cast<const unsigned char*>(begin);
  const auto* const stop = reinterpret_cast<const unsigned char*>(end);
  while (bytes < stop) {
    std::uint64_t word = 0;
    const auto size = std::min<std::size_t>(sizeof(word), static_cast<std::size_t>(stop - bytes));
    std::memcpy(&word, bytes, size);
    hash = (hash ^ word) * 0x100000001b3;
    hash ^= hash >> 29;
    bytes += size;
  }
  return hash;
}

}  // namespace daptor::petsc::detail
