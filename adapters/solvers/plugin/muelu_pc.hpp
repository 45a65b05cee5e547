// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

#include <Teuchos_ParameterList.hpp>

#include "hints.hpp"
#include "known.hpp"
#include "solvers/src/multigrid.hpp"
#include "trilinos_pc.hpp"

namespace daptor::solvers::plugin {

/// Where the near-null vectors come from.
enum class NearNull {
  any,        ///< the matrix, or the rigid body modes of coordinates
  of_matrix,  ///< the matrix alone
  required,   ///< the matrix, which must have them
  none        ///< MueLu's own: a constant for each unknown of a node
};

/// What another type of PC needs of MueLu. Options of MueLu (`-pc_muelu_...`) override it, and a
/// file with parameters takes its place.
struct MueluRequest {
  Teuchos::ParameterList parameters;
  NearNull near_null = NearNull::any;
  /// Whether entries that are stored and zero are no couplings in aggregation.
  bool without_zeros = false;
  /// Whether to stop where each process with rows has one node left. MueLu would go on to make
  /// levels of the same size, whose entries may overflow.
  bool stops_at_one_node = false;
  /// Whether to scale the damping factor (`damping_scale`).
  bool damps_as_ml = false;
  /// Whether to say once what MueLu was not told.
  bool hints = true;
};

class MueluPc final : public TrilinosPc {
 public:
  void request(const MueluRequest& request) { request_ = request; }
  void read_options(PC pc, Options& options) override;
  void take_options() override { asked_ = read_; }
  void view(PC pc, PetscViewer viewer) override;
  Terms no_transpose() const override;
  bool has_grids() const override { return true; }
  Grids grids(PC pc, Call& call) const override;
  /// Whether a matrix of this size, of which more levels may be made, is small enough to be the
  /// coarsest. For what `request` has asked for.
  bool is_coarsest(PetscInt rows) const;
  /// Whether the next set-up can keep something of this one.
  bool reuses() const { return kept_parts(parameters_) != "none"; }

 private:
  Teuchos::RCP<Operator> build(PC pc, Call& call) override;
  Teuchos::RCP<Operator> rebuild(PC pc, Call& call) override;
  bool keeps_parts() const override { return reuses() && !preconditioner().is_null(); }
  Known known_of(PC pc, const Teuchos::ParameterList& parameters) const;
  MatrixFacts facts(PC pc) const;
  Told told(PC pc, const Teuchos::ParameterList& parameters) const;
  void hint(PC pc) const noexcept;
  Teuchos::RCP<Tpetra::MultiVector<PetscScalar>> modes_of(const Known& known, Call& call) const;
  bool drops_zeros(const Teuchos::ParameterList& parameters, Call& call) const;
  void scale_damping(PC pc, Teuchos::ParameterList& list, Call& call) const;
  void stop_at_one_node(PC pc, Teuchos::ParameterList& list, Call& call) const;
  Teuchos::ParameterList parameters_of(PC pc, Call& call) const;

  /// The values of the options.
  struct Asked {
    std::string xml;
    Teuchos::ParameterList database;
    CoarseSolver coarse;
    bool hints = true;
  };
  MueluRequest request_;
  Asked asked_;
  Asked read_;
  Teuchos::ParameterList parameters_;
};

}  // namespace daptor::solvers::plugin
