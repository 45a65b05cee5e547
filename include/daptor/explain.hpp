#pragma once

#include <functional>
#include <ostream>
#include <string>
#include <vector>

#include "daptor/communicator.hpp"
#include "daptor/dist_array.hpp"
#include "daptor/error.hpp"

/// \file
/// Which native objects can hold an array without a copy, asked before anything is made. Imports
/// refuse through the same code.

namespace daptor {

/// What a target says about one process's section.
struct LocalAssessment {
  /// Why the target cannot hold the section; empty: it can.
  std::vector<Finding> reasons;
  /// Bytes of index metadata for each local element that the target itself keeps.
  double bytes_per_index = 0;
};

/// A kind of native object that an adapter can make: `petsc.vec`, `tpetra.multivector`, ….
struct Target {
  std::string name;
  /// Function that imports, for people: `daptor::petsc::import_vec`.
  std::string call;
  /// Judges this process's section. Must not communicate, and must not throw for any DistArray.
  std::function<LocalAssessment(const DistArray&, int process_count)> assess;
};

/// The verdict about one target, the same on every rank.
struct Assessment {
  std::string target;
  std::string call;
  bool representable = false;
  /// The reasons of the lowest rank that refused.
  std::vector<Finding> reasons;
  /// The largest of all ranks.
  double bytes_per_index = 0;
};

using Explanation = std::vector<Assessment>;
std::ostream& operator<<(std::ostream& out, const Assessment& assessment);
std::ostream& operator<<(std::ostream& out, const Explanation& explanation);

/// Collective. Asks every target of every adapter that this program uses.
Explanation explain(const DistArray& array, const Communicator& comm);
Explanation explain(const DistArray& array, MPI_Comm comm);

/// Collective. Asks one target.
Assessment assess(const Target& target, const DistArray& array, const Communicator& comm);

/// Local half of the refusal: throws NotRepresentable with the target's reasons. For use inside the
/// agreed preconditions of an import.
void require_representable(const Target& target, const DistArray& array, int process_count);

/// Adds a target to those that `explain` asks; the last one of a name counts. Adapters call it when
/// they are loaded.
void register_target(Target target);
const std::vector<Target>& registered_targets();

}  // namespace daptor
