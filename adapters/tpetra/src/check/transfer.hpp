// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include <Teuchos_RCP.hpp>
#include <Tpetra_Details_Transfer_fwd.hpp>

#include "daptor/adapter/communicator.hpp"
#include "daptor/adapter/findings.hpp"
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
/// index 3 and rank 1 puts it where its target Map has 5, vectors have wrong values there.
class TransferCheck {
 public:
  /// Process-local. Looks at what this rank knows.
  TransferCheck(const Transfer& transfer, TransferUse use, adapter::Findings findings);

  /// Whether all places are in the Maps, so that `sent` can be called. Process-local.
  bool in_range() const { return in_range_; }
  /// The indices of the elements that other ranks get. Process-local.
  std::vector<Message> sent() const;
  /// Compares what other ranks have sent with what this rank expects. Process-local.
  void receive(const std::vector<Message>& received);
  const Report& report() const { return findings_.report(); }

 private:
  struct Lists;

  bool look_at_ranges(const Lists& lists);
  void look_at_kept(const Lists& lists);
  void look_at_targets(const Lists& lists);
  void look_at_sources(const Lists& lists);
  void tell_unmoved(const Map& map, const std::vector<char>& moved, const char* of,
                    const char* other);
  void wrong_list(const Terms& found);

  const Transfer& transfer_;
  TransferUse use_;
  adapter::Findings findings_;
  bool in_range_ = false;
};

}  // namespace daptor::tpetra
