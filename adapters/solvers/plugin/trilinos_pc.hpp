// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>
#include <vector>

#include <petsc/private/pcimpl.h>

#include <Teuchos_RCP.hpp>

#include "daptor/comm.hpp"
#include "daptor/solvers/types.hpp"
#include "options.hpp"
#include "solvers/src/fields.hpp"
#include "solvers/src/multigrid.hpp"
#include "solvers/src/operator_shell.hpp"

namespace daptor::solvers::plugin {

/// A preconditioner of Trilinos behind a PC: what all of them have in common.
class TrilinosPc {
 public:
  using Mode = OperatorShell::Mode;

  TrilinosPc() = default;
  TrilinosPc(const TrilinosPc&) = delete;
  TrilinosPc& operator=(const TrilinosPc&) = delete;
  virtual ~TrilinosPc() = default;

  /// Process-local. From the database, with the prefix of the PC; to be taken by `take_options`
  /// once all ranks have read the same.
  virtual void read_options(PC pc, Options& options) = 0;
  virtual void take_options() = 0;
  /// Collective. Writes what runs.
  virtual void view(PC pc, PetscViewer viewer) = 0;

  /// Collective. Throws on all ranks, and is then as before the first set-up.
  void set_up(PC pc);
  /// Lets go of everything but the options.
  void reset();
  /// Holds something of Trilinos.
  bool set_up_before() const { return !matrix_.is_null(); }
  /// Why there is no transpose; empty: there is one.
  virtual const char* no_transpose() const;
  PetscErrorCode apply(PC pc, Vec x, Vec y, Mode mode) noexcept;
  /// Has a hierarchy of grids, which PETSc's own multigrid may ask for (`-pc_type hmg`).
  virtual bool has_grids() const { return false; }
  /// Collective. See `grids_of`.
  virtual Grids grids(PC pc) const;
  void set_coordinates(Coordinates coordinates) { coordinates_ = std::move(coordinates); }

 protected:
  const Teuchos::RCP<CrsMatrix>& matrix() const { return matrix_; }
  const Teuchos::RCP<Operator>& preconditioner() const { return preconditioner_; }
  const Coordinates& coordinates() const { return coordinates_; }

  /// Collective. The preconditioner of `matrix()`.
  virtual Teuchos::RCP<Operator> build(PC pc, const Comm& comm) = 0;
  /// Collective. The same after the values of `matrix()` changed; may be the old one.
  virtual Teuchos::RCP<Operator> rebuild(PC pc, const Comm& comm) = 0;

 private:
  bool take_values(PC pc, const Comm& comm);
  void hold(const Teuchos::RCP<Operator>& preconditioner, const Comm& comm);

  struct DeleteShell {
    void operator()(OperatorShell* shell) const noexcept { delete_operator_shell(shell); }
  };
  Teuchos::RCP<CrsMatrix> matrix_;
  Teuchos::RCP<Operator> preconditioner_;
  std::unique_ptr<OperatorShell, DeleteShell> shell_;
  Coordinates coordinates_;
};

/// The types of PC that the plug-in adds: what PETSc calls to make one.
PetscErrorCode create_muelu(PC pc);
PetscErrorCode create_ifpack2(PC pc);

/// Makes `pc` one that `implementation` is behind. Throws LibraryFailed.
void adopt(PC pc, std::unique_ptr<TrilinosPc> implementation);

}  // namespace daptor::solvers::plugin
