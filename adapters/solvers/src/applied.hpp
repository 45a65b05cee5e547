// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <functional>
#include <memory>
#include <string>

#include <petscksp.h>

#include "daptor/comm.hpp"
#include "daptor/solvers/petsc_operator.hpp"
#include "option_set.hpp"

namespace daptor::solvers {

/// A PETSc object that makes a vector of another: a Mat, a PC or a KSP. Holds a reference of it,
/// which its destructor leaves alone after PetscFinalize.
class Applied {
 public:
  virtual ~Applied();
  Applied(const Applied&) = delete;
  Applied& operator=(const Applied&) = delete;

  PetscObject object() const { return object_; }
  /// Its class and type, as in "PC (gamg)". Process-local.
  std::string name() const;
  /// Throws Finalized.
  void require_alive() const;
  void use(std::shared_ptr<OptionSet> options) { options_ = std::move(options); }
  OptionSet* options() const { return options_.get(); }

  /// What has to be done before it is set up again, where its matrix is a copy. Collective.
  using Renewal = std::function<void(const Comm&)>;
  void renew_by(Renewal renewal) { renewal_ = std::move(renewal); }
  void renew(const Comm& comm) const {
    if (renewal_) renewal_(comm);
  }

  /// The matrix whose layouts its vectors have. Process-local; throws InvalidArgument
  /// (`operator.matrix`) where there is none.
  virtual Mat matrix() const = 0;
  /// Takes vectors as the matrix makes them, and gives vectors as it takes them.
  virtual bool inverse() const { return true; }
  virtual bool has_transpose() const = 0;

  /// The following are collective in PETSc, and throw LibraryFailed on the ranks where PETSc fails.
  /// Sets up what can be before the first application.
  virtual void set_up() = 0;
  /// Process-local: a failure in set_up that PETSc does not raise as an error. Empty: none.
  virtual std::string failure() const { return {}; }
  /// Where set_up has failed on this rank, `y` is NaN there.
  virtual void apply(Vec x, Vec y, bool transpose) = 0;

  /// `apply_columns` does more than `apply` column by column. The same on all ranks.
  virtual bool takes_columns(bool transpose) const = 0;
  /// Another number where the entries are at other places than before. Process-local.
  virtual std::int64_t pattern() const { return 0; }
  /// `x` and `y` of type dense, the same two as the last time, on the same pattern, where `same`
  /// says so.
  virtual void apply_columns(Mat x, Mat y, bool same) = 0;

  /// Adds what the last application came to.
  virtual void report(OperatorStatus& status) const { static_cast<void>(status); }

 protected:
  explicit Applied(PetscObject object);

 private:
  PetscObject object_;
  unsigned session_;
  std::shared_ptr<OptionSet> options_;
  Renewal renewal_;
};

/// Each takes a reference of its own.
std::unique_ptr<Applied> applied(Mat mat);
std::unique_ptr<Applied> applied(PC pc);
std::unique_ptr<Applied> applied(KSP ksp);

}  // namespace daptor::solvers
