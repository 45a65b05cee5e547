// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <functional>
#include <optional>
#include <vector>

#include "daptor/adapter/findings.hpp"
#include "daptor/call.hpp"
#include "daptor/dimension.hpp"
#include "daptor/report.hpp"

/// \file
/// For authors of adapters: whether each index of the lists of all ranks is on one rank only.

namespace daptor::adapter {

/// Collective. Proves that no index is on two ranks, nor twice on one (`prove_one_to_one`).
/// @param list  makes this rank's unstructured dimension, of the same size on all ranks; may throw,
///              and must not communicate
/// @returns nothing if that is so; otherwise what speaks against it, with the rule `U09` for an
///   index on two ranks and `U04` for one that is twice on a rank
std::optional<Finding> shared_index(Call& call, const std::function<Dimension()>& list);

/// Whether that finding is about this rank, too. Process-local. It names the lowest ranks, or none
/// if all are at fault.
inline bool is_at_fault(const Finding& shared, int rank) {
  return shared.ranks.empty() ||
         std::find(shared.ranks.begin(), shared.ranks.end(), rank) != shared.ranks.end();
}

/// The same as a fact of an Inspection.
class SharedIndex {
 public:
  /// What a finding says, behind and beside the index and its ranks.
  struct Words {
    const char* rule = "";
    Terms before, expected, remedy;
  };
  /// Process-local, inside a check. The lists are compared if they can be on all ranks.
  /// @param comparable  whether this rank's list can be: its indices are in [0, size)
  void gather(bool comparable, Index size, std::vector<Index> indices, Words words, Call& call);
  bool settled() const { return !comparable_; }
  void ask(Call& call);
  void tell(Findings& findings) const;

 private:
  Index size_ = 0;
  std::vector<Index> indices_;
  Words words_;
  Agreed<bool> comparable_;
  std::optional<Finding> here_;  ///< about this rank, too
};

}  // namespace daptor::adapter
