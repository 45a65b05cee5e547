// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <functional>
#include <memory>
#include <string>

#include <petscksp.h>

#include "daptor/call.hpp"
#include "daptor/solvers/petsc_operator.hpp"
#include "option_set.hpp"

namespace daptor::solvers {

/// A PETSc object that maps vectors to vectors: a Mat, a PC or a KSP. Holds a reference to it,
/// which the destructor does not release after PetscFinalize.
class Applied {
 public:
  virtual ~Applied();
  Applied(const Applied&) = delete;
  Applied& operator=(const Applied&) = delete;

  PetscObject object() const { return object_; }
  /// Class and type of the object, as in "PC (gamg)". Process-local.
  std::string name() const;
  /// Throws Finalized.
  void require_alive() const;
  void use(std::shared_ptr<OptionSet> options) { options_ = std::move(options); }
  OptionSet* options() const { return options_.get(); }

  /// What must be done before the object is set up again if its matrix is a copy. Collective.
  using Renewal = std::function<void(Call&)>;
  void renew_by(Renewal renewal) { renewal_ = std::move(renewal); }
  void renew(Call& call) const {
    if (renewal_) renewal_(call);
  }

  /// The matrix that determines the layouts of the vectors. Process-local; throws InvalidArgument
  /// (`operator.matrix`) if there is none.
  virtual Mat matrix() const = 0;
  /// Whether the object maps from the matrix's range to its domain.
  virtual bool inverse() const { return true; }
  virtual bool has_transpose() const = 0;
  /// Notes whether PETSc multiplies by the transpose of `matrix` rightly.
  void note_transpose(bool right) { transpose_is_right_ = right; }
  /// What an error adds to the fact that there is no transpose: a clause, or nothing.
  std::string why_no_transpose() const {
    return transpose_is_right_ ? "" : ", since PETSc multiplies by this transpose wrongly";
  }

  // The following functions are collective in PETSc, and throw LibraryFailed on the ranks where
  // PETSc fails.

  /// The preconditioner of a PC or KSP, which has read its options; null for a Mat. Process-local.
  virtual PC preconditioner() const { return nullptr; }

  /// Sets up everything that can be set up before the first application.
  virtual void set_up() = 0;
  /// Process-local: text of a failure in set_up that PETSc does not raise as an error; empty if
  /// there is none.
  virtual std::string failure() const { return {}; }
  /// If set_up has failed on this rank, this rank's part of `y` is NaN.
  virtual void apply(Vec x, Vec y, bool transpose) = 0;

  /// Whether `apply_columns` is better than `apply` column by column. The same on all ranks.
  virtual bool takes_columns(bool transpose) const = 0;
  /// A number that changes when the positions of the entries change. Process-local.
  virtual std::int64_t pattern() const { return 0; }
  /// `x` and `y` are dense matrices; `same` says that they are the same two as in the last call and
  /// that the pattern has not changed.
  virtual void apply_columns(Mat x, Mat y, bool same) = 0;

  /// Adds information about the last application.
  virtual void report(OperatorStatus& status) const { static_cast<void>(status); }

 protected:
  explicit Applied(PetscObject object);
  bool transpose_is_right() const { return transpose_is_right_; }

 private:
  PetscObject object_;
  unsigned session_;
  std::shared_ptr<OptionSet> options_;
  Renewal renewal_;
  bool transpose_is_right_ = true;
};

/// Each function takes a reference of its own.
std::unique_ptr<Applied> applied(Mat mat);
std::unique_ptr<Applied> applied(PC pc);
std::unique_ptr<Applied> applied(KSP ksp);

}  // namespace daptor::solvers
