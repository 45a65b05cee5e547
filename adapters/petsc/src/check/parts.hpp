// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <petscis.h>

#include <string>
#include <vector>

#include "daptor/adapter/shared_index.hpp"
#include "daptor/call.hpp"
#include "daptor/types.hpp"
#include "findings.hpp"

namespace daptor::petsc::detail {

/// Index sets that together should have each row once, such as the fields of a fieldsplit. A fact
/// of an Inspection. For example, {0, 1, 2} and {2, 3} of five rows: row 2 is in both, and row 4 in
/// none.
class Parts {
 public:
  /// What findings say.
  struct Words {
    const char* repeated = "";  ///< rule
    const char* left_out = "";  ///< rule
    std::string row;            ///< what is divided: `row`
    std::string part;           ///< what it is divided into: `field`
    Terms remedy;
  };
  /// Process-local, inside a check; the same number of sets on all ranks, or none on any.
  /// @param owned  rows of this rank
  void gather(const std::vector<IS>& sets, IndexRange owned, Index size, Words words, Call& call);
  bool settled() const { return !given_ || (own_ && complete_); }
  void ask(Call& call) {
    if (given_ && !own_) shared_.ask(call);
  }
  void tell(Findings& findings) const;

 private:
  void tell_own(Findings& findings) const;

  Words words_;
  IndexRange owned_;
  std::vector<int> part_of_;  ///< for each owned row, -1 for none
  Index size_ = 0, in_parts_ = 0;
  Index twice_ = -1;  ///< the first row that is in two parts
  int other_part_ = -1;
  Agreed<bool> given_, own_, complete_;
  adapter::SharedIndex shared_;
};

}  // namespace daptor::petsc::detail
