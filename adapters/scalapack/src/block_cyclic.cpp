// SPDX-License-Identifier: BSD-3-Clause
#include "daptor/scalapack/block_cyclic.hpp"

#include <limits>
#include <optional>
#include <string>

#include "daptor/adapter/block_cyclic.hpp"
#include "daptor/adapter/reason.hpp"
#include "names.hpp"
#include "text.hpp"

namespace daptor::scalapack {
namespace {

constexpr Index most_processes = std::numeric_limits<std::int32_t>::max();

[[noreturn]] void refuse_mapping(const Terms& found, const Terms& expected) {
  adapter::refuse_argument("scalapack.block-cyclic", found, expected, names::correct_block_cyclic);
}

[[noreturn]] void refuse_place(const Terms& found, const Terms& expected) {
  adapter::refuse_argument("scalapack.block-place", found, expected);
}

}  // namespace

BlockCyclic::BlockCyclic(Index size, Index block_size, Index processes, Index source)
    : size_(size), block_size_(block_size), processes_(processes), source_(source) {
  if (size < 0) refuse_mapping("size " + text(size), "a size of at least 0");
  if (block_size < 1)
    refuse_mapping("block size " + text(block_size), "a block size of at least 1");
  if (processes < 1 || processes > most_processes)
    refuse_mapping(text(processes) + " processes", "at least 1 process and fewer than 2^31");
  if (source < 0 || source >= processes)
    refuse_mapping("process " + text(source) + " as the first",
                   "a process in [0, " + text(processes) + ")");
}

BlockCyclic BlockCyclic::blocks(Index size, Index processes) {
  if (processes < 1) return {size, 1, processes};  // refused there
  return {size, adapter::one_block_each(size, processes), processes};
}

void BlockCyclic::require_process(Index process) const {
  if (process < 0 || process >= processes_)
    refuse_place("process " + text(process), "a process in [0, " + text(processes_) + ")");
}

Index BlockCyclic::local_count(Index process) const {
  require_process(process);
  const Index position = (process - source_ + processes_) % processes_;
  return cyclic_owned_count(size_, block_size_, processes_, position);
}

BlockPlace BlockCyclic::place_of(Index global, BlockNumbering numbering) const {
  if (global < 0 || global >= size_)
    refuse_place("global index " + text(global), "an index in [0, " + text(size_) + ")");
  const Index block = global / block_size_;
  const Index position = block % processes_ + source_;  // of the block, before turning round
  BlockPlace place;
  place.process = position % processes_;
  place.block = block / processes_;
  place.index = global % block_size_;
  if (numbering == BlockNumbering::turns && position >= processes_) ++place.block;
  return place;
}

Index BlockCyclic::global_of(const BlockPlace& place, BlockNumbering numbering) const {
  require_process(place.process);
  if (place.index < 0 || place.index >= block_size_)
    refuse_place("index " + text(place.index) + " within a block",
                 "an index in [0, " + text(block_size_) + ")");
  const bool before_source = place.process < source_;
  const bool later = numbering == BlockNumbering::turns && before_source;
  if (later && place.block == 0)
    refuse_place("block 0 of process " + text(place.process),
                 "a block from 1 on: dealing begins at process " + text(source_) +
                     ", and processes before it have no block in the first turn");
  const Index turn = place.block - (later ? 1 : 0);
  const Index position = place.process - source_ + (before_source ? processes_ : 0);
  std::optional<Index> global;
  if (turn >= 0) global = checked_multiply(turn, processes_);
  if (global) global = checked_add(*global, position);
  if (global) global = checked_multiply(*global, block_size_);
  if (global) global = checked_add(*global, place.index);
  if (!global || *global >= size_)
    refuse_place("block " + text(place.block) + ", index " + text(place.index) + " of process " +
                     text(place.process),
                 "a place of one of the " + text(size_) + " indices");
  return *global;
}

Index BlockCyclic::local_of(Index global) const {
  const BlockPlace place = place_of(global, BlockNumbering::stored);
  return place.block * block_size_ + place.index;
}

Dimension BlockCyclic::dimension(Index process) const {
  return cyclic(size_, {processes_, process}, block_size_, source_);
}

}  // namespace daptor::scalapack
