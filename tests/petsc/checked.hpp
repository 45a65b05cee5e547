// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Objects of PETSc that are checked, and what is expected of the reports.

#include <petscdm.h>
#include <petscksp.h>
#include <petscsf.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <daptor/petsc/check.hpp>

#include "support.hpp"

namespace daptor_test {

/// Destroys an object of PETSc at the end of its scope.
template <class Object, PetscErrorCode (*destroy)(Object*)>
class Handle {
 public:
  explicit Handle(Object object = nullptr) : object_(object) {}
  Handle(Handle&& other) noexcept : object_(std::exchange(other.object_, nullptr)) {}
  Handle& operator=(Handle&& other) noexcept {
    std::swap(object_, other.object_);
    return *this;
  }
  ~Handle() { static_cast<void>(destroy(&object_)); }
  Object get() const { return object_; }
  Object* out() { return &object_; }

 private:
  Object object_;
};
using VecHandle = Handle<Vec, VecDestroy>;
using MatHandle = Handle<Mat, MatDestroy>;
using KspHandle = Handle<KSP, KSPDestroy>;
using DmHandle = Handle<DM, DMDestroy>;
using IsHandle = Handle<IS, ISDestroy>;
using ScatterHandle = Handle<PetscSF, PetscSFDestroy>;
using SpaceHandle = Handle<MatNullSpace, MatNullSpaceDestroy>;
using MappingHandle = Handle<ISLocalToGlobalMapping, ISLocalToGlobalMappingDestroy>;

/// The indices of a layout of five for each rank.
inline std::vector<PetscInt> owned_indices() {
  std::vector<PetscInt> indices(5);
  std::iota(indices.begin(), indices.end(), 5 * rank_of());
  return indices;
}

inline VecHandle vec_of(PetscInt local_size) {
  VecHandle vec;
  DAPTOR_EXPECT_OK(VecCreate(world, vec.out()));
  DAPTOR_EXPECT_OK(VecSetSizes(vec.get(), local_size, PETSC_DETERMINE));
  DAPTOR_EXPECT_OK(VecSetType(vec.get(), VECSTANDARD));
  DAPTOR_EXPECT_OK(VecSet(vec.get(), 1));
  return vec;
}

inline VecHandle five_each() {
  return vec_of(5);
}

inline Vec local_vec(PetscInt size) {
  Vec vec = nullptr;
  DAPTOR_EXPECT_OK(VecCreateSeq(PETSC_COMM_SELF, size, &vec));
  DAPTOR_EXPECT_OK(VecSet(vec, 0));
  return vec;
}

/// A Vec of five ones for each rank with these ghosts.
inline VecHandle ghosted(const std::vector<PetscInt>& ghosts) {
  VecHandle vec;
  DAPTOR_EXPECT_OK(VecCreateGhost(world, 5, PETSC_DETERMINE, static_cast<PetscInt>(ghosts.size()),
                                  ghosts.data(), vec.out()));
  DAPTOR_EXPECT_OK(VecSet(vec.get(), 1));
  return vec;
}

/// The memory of a Vec, whose state changes, on this rank alone.
inline PetscScalar* values(Vec vec) {
  PetscScalar* memory = nullptr;
  DAPTOR_EXPECT_OK(VecGetArray(vec, &memory));
  PetscScalar* const kept = memory;
  DAPTOR_EXPECT_OK(VecRestoreArray(vec, &memory));
  return kept;
}

/// Collective. Writes one value on one rank, as PETSc wants it.
inline void write(Vec vec, int rank, int place, PetscReal value) {
  PetscScalar* const memory = values(vec);
  if (rank_of() == rank) memory[place] = value;
}

inline MappingHandle mapping_of(const std::vector<PetscInt>& indices, PetscInt block) {
  MappingHandle mapping;
  DAPTOR_EXPECT_OK(ISLocalToGlobalMappingCreate(world, block, static_cast<PetscInt>(indices.size()),
                                                indices.data(), PETSC_COPY_VALUES, mapping.out()));
  return mapping;
}

/// The matrix of (-1, 2, -1), five rows for each rank.
/// @param leave_out  entries that it lacks
inline MatHandle laplacian(const std::function<bool(PetscInt, PetscInt)>& leave_out = nullptr) {
  MatHandle mat;
  DAPTOR_EXPECT_OK(MatCreateAIJ(world, 5, 5, PETSC_DETERMINE, PETSC_DETERMINE, 3, nullptr, 2,
                                nullptr, mat.out()));
  for (const PetscInt row : owned_indices())
    for (const PetscInt column : {row - 1, row, row + 1}) {
      if (column < 0 || column >= 5 * size_of() || (leave_out && leave_out(row, column))) continue;
      DAPTOR_EXPECT_OK(MatSetValue(mat.get(), row, column, row == column ? 2 : -1, INSERT_VALUES));
    }
  DAPTOR_EXPECT_OK(MatAssemblyBegin(mat.get(), MAT_FINAL_ASSEMBLY));
  DAPTOR_EXPECT_OK(MatAssemblyEnd(mat.get(), MAT_FINAL_ASSEMBLY));
  return mat;
}

/// A diagonal matrix of ones, with one other value.
inline MatHandle diagonal(PetscInt rows, PetscReal other = 1, PetscInt place = 0) {
  MatHandle mat;
  DAPTOR_EXPECT_OK(MatCreateAIJ(world, rows, rows, PETSC_DETERMINE, PETSC_DETERMINE, 1, nullptr, 0,
                                nullptr, mat.out()));
  PetscInt start = 0, stop = 0;
  DAPTOR_EXPECT_OK(MatGetOwnershipRange(mat.get(), &start, &stop));
  for (PetscInt row = start; row < stop; ++row)
    DAPTOR_EXPECT_OK(MatSetValue(mat.get(), row, row, row == place ? other : 1, INSERT_VALUES));
  DAPTOR_EXPECT_OK(MatAssemblyBegin(mat.get(), MAT_FINAL_ASSEMBLY));
  DAPTOR_EXPECT_OK(MatAssemblyEnd(mat.get(), MAT_FINAL_ASSEMBLY));
  return mat;
}

inline SpaceHandle null_space(const std::vector<Vec>& vecs, bool constant) {
  SpaceHandle space;
  DAPTOR_EXPECT_OK(MatNullSpaceCreate(world, constant ? PETSC_TRUE : PETSC_FALSE,
                                      static_cast<PetscInt>(vecs.size()), vecs.data(),
                                      space.out()));
  return space;
}

/// A solver with the options prefix `flow_`.
inline KspHandle solver(Mat mat, const char* type, const char* preconditioner) {
  KspHandle ksp;
  PC pc = nullptr;
  DAPTOR_EXPECT_OK(KSPCreate(world, ksp.out()));
  DAPTOR_EXPECT_OK(KSPSetOptionsPrefix(ksp.get(), "flow_"));
  DAPTOR_EXPECT_OK(KSPSetOperators(ksp.get(), mat, mat));
  DAPTOR_EXPECT_OK(KSPSetType(ksp.get(), type));
  DAPTOR_EXPECT_OK(KSPGetPC(ksp.get(), &pc));
  DAPTOR_EXPECT_OK(PCSetType(pc, preconditioner));
  return ksp;
}

inline IsHandle index_set(const std::vector<PetscInt>& indices) {
  IsHandle set;
  DAPTOR_EXPECT_OK(ISCreateGeneral(PETSC_COMM_SELF, static_cast<PetscInt>(indices.size()),
                                   indices.data(), PETSC_COPY_VALUES, set.out()));
  return set;
}

inline ScatterHandle scatter_of(Vec from, const std::vector<PetscInt>& sources, Vec to,
                                const std::vector<PetscInt>& destinations) {
  const IsHandle here = index_set(sources), there = index_set(destinations);
  ScatterHandle scatter;
  DAPTOR_EXPECT_OK(VecScatterCreate(from, here.get(), to, there.get(), scatter.out()));
  return scatter;
}

inline void on_each_rank(const std::function<void(int)>& test) {
  for (int rank = 0; rank < size_of(); ++rank) {
    SCOPED_TRACE("rank " + std::to_string(rank) + " is at fault");
    test(rank);
  }
}

/// Collective. Expects one finding, the same on all ranks, and returns it.
/// @param culprit  the lowest rank at fault; absent: not looked at
inline daptor::Finding expect_report(const std::string& rule, const daptor::Report& report,
                                     std::optional<int> culprit,
                                     daptor::Severity severity = daptor::Severity::error) {
  std::ostringstream text;
  text << report;
  daptor::test::expect_same_everywhere(text.str());
  EXPECT_EQ(report.findings().size(), 1u) << report;
  if (report.findings().empty()) return {};
  const daptor::Finding& finding = report.findings().front();
  EXPECT_EQ(finding.rule, rule) << finding;
  EXPECT_EQ(finding.severity, severity) << finding;
  EXPECT_FALSE(finding.expected.empty() || finding.remedy.empty()) << finding;
  if (culprit) {
    EXPECT_EQ(finding.rank(), *culprit) << finding;
  }
  return finding;
}

template <class Object>
daptor::Finding expect_found(const std::string& rule, Object object, std::optional<int> culprit,
                             daptor::Severity severity = daptor::Severity::error) {
  return expect_report(rule, daptor::petsc::check(object), culprit, severity);
}

template <class Object>
void expect_nothing(Object object) {
  const daptor::Report report = daptor::petsc::check(object);
  EXPECT_TRUE(report.findings().empty()) << report;
}

}  // namespace daptor_test
