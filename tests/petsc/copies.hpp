// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Elements by which a copy can be told from any other, and what explain() says about copies.

#include <cmath>
#include <cstring>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "daptor/petsc/copy.hpp"
#include "grids.hpp"

namespace daptor_test {

/// A value that no other element has, with all its bits in use.
inline PetscScalar value_of(Index natural) {
  return std::sqrt(static_cast<double>(natural) + 2.0);
}

/// The values of a Vec on this process.
inline std::vector<PetscScalar> values(Vec vec) {
  const PetscScalar* data = nullptr;
  PetscInt count = 0;
  DAPTOR_EXPECT_OK(VecGetLocalSize(vec, &count));
  DAPTOR_EXPECT_OK(VecGetArrayRead(vec, &data));
  std::vector<PetscScalar> list(data, data + count);
  DAPTOR_EXPECT_OK(VecRestoreArrayRead(vec, &data));
  return list;
}

inline bool same_bits(const std::vector<PetscScalar>& a, const std::vector<PetscScalar>& b) {
  return a.size() == b.size() &&
         (a.empty() || std::memcmp(a.data(), b.data(), a.size() * sizeof(PetscScalar)) == 0);
}

inline void expect_equal(Vec found, Vec expected) {
  EXPECT_TRUE(same_bits(values(found), values(expected)));
}

/// Sets element i of the whole Vec to value_of(i + shift).
inline void number(Vec vec, Index shift = 0) {
  PetscInt start = 0, stop = 0;
  PetscScalar* data = nullptr;
  DAPTOR_EXPECT_OK(VecGetOwnershipRange(vec, &start, &stop));
  DAPTOR_EXPECT_OK(VecGetArray(vec, &data));
  for (PetscInt i = start; i < stop; ++i) data[i - start] = value_of(i + shift);
  DAPTOR_EXPECT_OK(VecRestoreArray(vec, &data));
}

inline Vec make_vec(PetscInt local, PetscInt global, PetscInt block) {
  Vec vec = nullptr;
  DAPTOR_EXPECT_OK(VecCreate(world, &vec));
  DAPTOR_EXPECT_OK(VecSetSizes(vec, local, global));
  DAPTOR_EXPECT_OK(VecSetBlockSize(vec, block));
  DAPTOR_EXPECT_OK(VecSetType(vec, VECSTANDARD));
  return vec;
}

/// Gives each owned element the value of its natural number, and all others -1.
inline DistArray numbered(const DistArray& array) {
  for (const Element& e : elements(array, true)) at(array, e.offset) = -1.0;
  for (const Element& e : elements(array)) at(array, e.offset) = value_of(e.natural);
  return array;
}

/// The verdict on one target.
inline daptor::Assessment asked(const std::string& target, const DistArray& a) {
  for (const daptor::Assessment& each : daptor::explain(a))
    if (each.target == target) return each;
  ADD_FAILURE() << "no target " << target;
  return {};
}

/// Collective. The bytes that all processes together send in a redistribution.
inline std::int64_t bytes_sent(const DistArray& from, const DistArray& to, bool padding = false) {
  daptor::RedistributionOptions options;
  options.fill_padding = padding;
  std::int64_t bytes = daptor::Redistribution(from, to, options).bytes_sent();
  MPI_Allreduce(MPI_IN_PLACE, &bytes, 1, MPI_INT64_T, MPI_SUM, world);
  return bytes;
}

/// The refusal names the call, and explain() the bytes that it copies; neither does if the array
/// can be held.
inline void expect_offered(const std::string& target, const std::string& call, const DistArray& a,
                           const std::function<std::int64_t()>& bytes) {
  const daptor::Assessment verdict = asked(target, a);
  if (verdict.representable) {
    EXPECT_EQ(verdict.copy.text, "");
    EXPECT_FALSE(verdict.bytes_to_move.has_value());
    return;
  }
  EXPECT_EQ(verdict.copy.text, call);
  EXPECT_EQ(verdict.bytes_to_move, std::optional<std::int64_t>(bytes()));
  const daptor::Terms remedy = advice(verdict.reasons.front());
  EXPECT_NE(remedy.str().find(" Or copy: daptor::petsc::"), std::string::npos) << remedy;
}

}  // namespace daptor_test
