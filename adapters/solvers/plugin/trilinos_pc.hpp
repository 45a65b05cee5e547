// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>
#include <vector>

#include <petsc/private/pcimpl.h>

#include <Teuchos_RCP.hpp>

#include "daptor/call.hpp"
#include "daptor/solvers/types.hpp"
#include "options.hpp"
#include "solvers/src/fields.hpp"
#include "solvers/src/multigrid.hpp"
#include "solvers/src/operator_shell.hpp"

namespace daptor::solvers::plugin {

/// A preconditioner of Trilinos behind a PC: the base of all types that the plug-in adds.
class TrilinosPc {
 public:
  using Mode = OperatorShell::Mode;

  TrilinosPc() = default;
  TrilinosPc(const TrilinosPc&) = delete;
  TrilinosPc& operator=(const TrilinosPc&) = delete;
  virtual ~TrilinosPc() = default;

  /// Process-local. Reads the options of the PC. They take effect with `take_options`, once all
  /// ranks have read the same.
  virtual void read_options(PC pc, Options& options) = 0;
  virtual void take_options() = 0;
  /// Collective. Describes the preconditioner and its parameters.
  virtual void view(PC pc, PetscViewer viewer) = 0;

  /// Collective. Throws on all ranks; the state is then the same as before the first set-up.
  void set_up(PC pc);
  /// Releases everything except the options.
  void reset();
  /// Whether the PC has been set up, and so holds objects of Trilinos.
  bool set_up_before() const { return !matrix_.is_null(); }
  /// The reason why there is no transpose; empty if there is one.
  virtual Terms no_transpose() const;
  PetscErrorCode apply(PC pc, Vec x, Vec y, Mode mode) noexcept;
  /// Whether there is a hierarchy of grids that PETSc's own multigrid can use (`-pc_type hmg`).
  virtual bool has_grids() const { return false; }
  /// Collective. See `grids_of`.
  virtual Grids grids(PC pc, Call& call) const;
  void set_coordinates(Coordinates coordinates) { coordinates_ = std::move(coordinates); }

 protected:
  const Teuchos::RCP<CrsMatrix>& matrix() const { return matrix_; }
  const Teuchos::RCP<Operator>& preconditioner() const { return preconditioner_; }
  const Coordinates& coordinates() const { return coordinates_; }

  /// Collective. Makes the preconditioner for `matrix()`.
  virtual Teuchos::RCP<Operator> build(PC pc, Call& call) = 0;
  /// Collective. The same after the values of `matrix()` have changed; may return the old
  /// preconditioner.
  virtual Teuchos::RCP<Operator> rebuild(PC pc, Call& call) = 0;
  /// Whether `rebuild` keeps objects that know the matrix by its address and were made of its old
  /// values. The new values are then in another matrix, on the same graph.
  virtual bool keeps_parts() const { return false; }

 private:
  void hold(const Teuchos::RCP<Operator>& preconditioner, Call& call);

  struct DeleteShell {
    void operator()(OperatorShell* shell) const noexcept { delete_operator_shell(shell); }
  };
  Teuchos::RCP<CrsMatrix> matrix_;
  Teuchos::RCP<Operator> preconditioner_;
  std::unique_ptr<OperatorShell, DeleteShell> shell_;
  Coordinates coordinates_;
};

/// The functions that PETSc calls to make a PC of the types that the plug-in adds.
PetscErrorCode create_muelu(PC pc);
PetscErrorCode create_ifpack2(PC pc);
PetscErrorCode create_ml(PC pc);

/// The next check of the call proves that `pc` has one type on all ranks: two types would wait for
/// each other in calls of one name.
void require_same_type(PC pc, Call& call);

/// Makes `implementation` the implementation of `pc`. Throws LibraryFailed.
void adopt(PC pc, std::unique_ptr<TrilinosPc> implementation);

}  // namespace daptor::solvers::plugin
