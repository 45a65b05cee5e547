// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <utility>
#include <vector>

#include <Teuchos_RCP.hpp>
#include <Tpetra_Details_Transfer_fwd.hpp>

#include "daptor/adapter/communicator.hpp"
#include "daptor/adapter/findings.hpp"
#include "daptor/call.hpp"
#include "daptor/tpetra/adapter/map_record.hpp"

namespace daptor::tpetra {

/// An Import or Export of Tpetra's default types.
using Transfer = Tpetra::Details::Transfer<>;

/// How a transfer is used.
struct TransferUse {
  bool exports = false;   ///< an Export, whose sources must have a target; otherwise the reverse
  bool once = true;       ///< each target has one source
  bool of_graph = false;  ///< each element must be moved: an error, where it may be meant elsewhere
};

/// Compares the lists of an Import or Export with its Maps: that elements which stay have the same
/// index in both, that each message has the indices that its receiver expects, in the same order,
/// and that no element is without a source or target. For example, if rank 0 sends its element of
/// index 3 and rank 1 puts it where its target Map has 5, vectors have wrong values there. A fact
/// of an Inspection.
class TransferCheck {
 public:
  TransferCheck(TransferUse use, adapter::Findings findings)
      : use_(use), findings_(std::move(findings)) {}

  /// @param transfer        null if this rank has none, as where the Maps are the same
  /// @param source, target  between which it should be
  /// @param usable          whether the Maps are on the processes of the call
  void gather(const Transfer* transfer, const Map& source, const Map& target, bool usable,
              Call& call);
  static bool settled() { return false; }
  void ask(Call& call);
  /// Compares what other ranks have sent with what this rank expects. Process-local, once.
  /// @returns whether nothing is wrong on this rank
  bool compare();
  void tell(adapter::Findings& findings);

 private:
  struct Lists;

  bool look_at_ranges(const Lists& lists);
  void look_at_kept(const Lists& lists);
  void look_at_targets(const Lists& lists);
  void look_at_sources(const Lists& lists);
  void look_at_received(const Lists& lists);
  void tell_unmoved(const Map& map, const std::vector<char>& moved, const char* of,
                    const char* other);
  void wrong_list(const Terms& found);
  void wrong_transfer(const Terms& found);

  const Transfer* transfer_ = nullptr;
  TransferUse use_;
  adapter::Findings findings_;
  bool of_these_maps_ = true, compared_ = false;
  Agreed<bool> nowhere_, comparable_;
  std::vector<Message> received_;
};

}  // namespace daptor::tpetra
