// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <petscdmda.h>

#include <cstdint>
#include <cstdlib>
#include <functional>
#include <string>

#include "../solvers/support.hpp"
#include "effort.hpp"

namespace daptor::test {

/// Loads the plug-in before the program's first test, like `-dll_append`.
class Loaded : public ::testing::Environment {
 public:
  void SetUp() override {
    DAPTOR_EXPECT_OK(
        PetscDLLibraryAppend(PETSC_COMM_WORLD, &PetscDLLibrariesLoaded, DAPTOR_PLUGIN));
  }
};
inline const auto* const loaded = ::testing::AddGlobalTestEnvironment(new Loaded);

/// Options in the database until the end of the scope.
class WithOptions {
 public:
  explicit WithOptions(const char* options) {
    PetscOptionsCreate(&mine_);
    PetscOptionsPush(mine_);
    PetscOptionsInsertString(mine_, options);
  }
  WithOptions(const WithOptions&) = delete;
  WithOptions& operator=(const WithOptions&) = delete;
  ~WithOptions() {
    PetscOptionsPop();
    PetscOptionsDestroy(&mine_);
  }

 private:
  PetscOptions mine_ = nullptr;
};

inline MPI_Comm comm_of(Mat a) {
  return PetscObjectComm(reinterpret_cast<PetscObject>(a));
}

inline OwnKsp ksp_of(Mat a, const char* pc_type, KSPType type = KSPCG) {
  OwnKsp ksp;
  KSPCreate(comm_of(a), ksp.address());
  KSPSetOperators(ksp, a, a);
  KSPSetType(ksp, type);
  KSPSetTolerances(ksp, 1e-8, PETSC_DEFAULT, PETSC_DEFAULT, 500);
  PC pc = nullptr;
  KSPGetPC(ksp, &pc);
  DAPTOR_EXPECT_OK(PCSetType(pc, pc_type));
  KSPSetFromOptions(ksp);
  return ksp;
}

inline PC pc_of(KSP ksp) {
  PC pc = nullptr;
  KSPGetPC(ksp, &pc);
  return pc;
}

struct Solution {
  PetscErrorCode code = 0;
  PetscInt iterations = 0;
  KSPConvergedReason reason = KSP_CONVERGED_ITERATING;
  double error = 0;
};

/// Solves A x = b for a known x.
inline Solution solve(KSP ksp) {
  Mat a = nullptr;
  KSPGetOperators(ksp, &a, nullptr);
  const Vectors vectors = vectors_of(a);
  OwnVec x;
  VecDuplicate(vectors.right, x.address());
  MatMult(a, vectors.right, vectors.left);
  Solution solution;
  solution.code = KSPSolve(ksp, vectors.left, x);
  KSPGetIterationNumber(ksp, &solution.iterations);
  KSPGetConvergedReason(ksp, &solution.reason);
  solution.error = distance(x, vectors.right);
  return solution;
}

inline void expect_solved(KSP ksp, PetscInt most) {
  const Solution solution = solve(ksp);
  EXPECT_EQ(static_cast<int>(solution.code), 0);
  EXPECT_GT(solution.reason, 0);
  EXPECT_LE(solution.iterations, most);
  EXPECT_LT(solution.error, 1e-5);
}

/// The text of the first error that PETSc reports while this lives, without printing it.
class Reported {
 public:
  Reported() {
    text_.clear();
    PetscPushErrorHandler(keep, nullptr);
  }
  Reported(const Reported&) = delete;
  Reported& operator=(const Reported&) = delete;
  ~Reported() { PetscPopErrorHandler(); }
  bool says(const char* words) const { return text_.find(words) != std::string::npos; }
  const std::string& text() const { return text_; }

 private:
  static PetscErrorCode keep(MPI_Comm, int, const char*, const char*, PetscErrorCode code,
                             PetscErrorType type, const char* message, void*) {
    if (type == PETSC_ERROR_INITIAL && message != nullptr) text_ = message;
    return code;
  }
  inline static std::string text_;
};

/// Expects that every rank gets a PETSc error with these words.
inline void expect_refused(const char* words, const std::function<PetscErrorCode()>& call) {
  const Reported reported;
  EXPECT_NE(static_cast<int>(call()), 0);
  EXPECT_TRUE(reported.says("daptor: ") && reported.says(words)) << reported.text();
}

/// Collective. A fault at any check of a call of PETSc is a PETSc error of all ranks, after which
/// the call works.
/// @param fresh  makes what the call works on
/// @param call   the call; its argument is what `fresh` has made
template <class Fresh, class Function>
void expect_faults_refused(const Fresh& fresh, const Function& call) {
  const auto first = fresh();
  DAPTOR_EXPECT_OK(call(first));  // makes what is kept
  const auto second = fresh();
  const std::vector<Point> points = points_of([&] { DAPTOR_EXPECT_OK(call(second)); });
  for (std::size_t i = 0; i < points.size(); ++i)
    for (const int rank : ranks_to_fail(points[i], i)) {
      SCOPED_TRACE(points[i].name + " on rank " + std::to_string(rank));
      const auto next = fresh();
      {
        const Fault fault(points[i].name, rank);
        expect_refused(("injected at " + points[i].name).c_str(), [&] { return call(next); });
      }
      if (tried(static_cast<std::int64_t>(i), 3)) {
        DAPTOR_EXPECT_OK(call(next));
      }
    }
}

}  // namespace daptor::test
