// SPDX-License-Identifier: BSD-3-Clause
#include "parts.hpp"

#include <algorithm>
#include <utility>

#include "daptor/adapter/text.hpp"
#include "daptor/petsc/adapter/call.hpp"

namespace daptor::petsc::detail {

void Parts::gather(const std::vector<IS>& sets, IndexRange owned, Index size, Words words,
                   Call& call) {
  words_ = std::move(words);
  owned_ = owned;
  size_ = size;
  part_of_.assign(static_cast<std::size_t>(owned.size()), -1);
  bool own = true, in_range = true;
  std::vector<Index> all;
  for (std::size_t part = 0; part < sets.size(); ++part) {
    PetscInt count = 0, total = 0;
    const PetscInt* list = nullptr;
    detail::call("ISGetLocalSize", ISGetLocalSize, sets[part], &count);
    detail::call("ISGetSize", ISGetSize, sets[part], &total);
    detail::call("ISGetIndices", ISGetIndices, sets[part], &list);
    in_parts_ += total;
    all.insert(all.end(), list, list + count);
    for (const PetscInt* row = list; row != list + count; ++row) {
      in_range = in_range && *row >= 0 && *row < size;
      own = own && owned.contains(*row);
      if (!owned.contains(*row)) continue;
      int& of_row = part_of_[static_cast<std::size_t>(*row - owned.start)];
      if (of_row >= 0 && twice_ < 0) {
        twice_ = *row;
        other_part_ = static_cast<int>(part);
      }
      if (of_row < 0) of_row = static_cast<int>(part);
    }
    detail::call("ISRestoreIndices", ISRestoreIndices, sets[part], &list);
  }
  const bool full = std::find(part_of_.begin(), part_of_.end(), -1) == part_of_.end();
  given_ = call.all(!sets.empty());
  own_ = call.all(own);
  complete_ = call.all(full && twice_ < 0);
  shared_.gather(in_range, size, std::move(all),
                 {words_.repeated, words_.row + "s of " + words_.part + "s: ",
                  "each " + words_.row + " in one " + words_.part, words_.remedy},
                 call);
}

void Parts::tell_own(Findings& findings) const {
  if (twice_ >= 0) {
    const int first = part_of_[static_cast<std::size_t>(twice_ - owned_.start)];
    findings.warning(words_.repeated,
                     words_.row + " " + std::to_string(twice_) + " is in " + words_.part + " " +
                         std::to_string(first) + " and in " + words_.part + " " +
                         std::to_string(other_part_),
                     "each " + words_.row + " in one " + words_.part, words_.remedy);
  }
  const auto missing = std::find(part_of_.begin(), part_of_.end(), -1);
  if (missing == part_of_.end()) return;
  const auto count = std::count(missing, part_of_.end(), -1);
  findings.warning(words_.left_out,
                   words_.row + " " + std::to_string(owned_.start + (missing - part_of_.begin())) +
                       " is in no " + words_.part +
                       adapter::such(count, (words_.row + "s").c_str()),
                   "each " + words_.row + " in one " + words_.part, words_.remedy);
}

void Parts::tell(Findings& findings) const {
  if (!given_) return;
  if (own_) return tell_own(findings);
  shared_.tell(findings);
  if (in_parts_ < size_)
    findings.warning(words_.left_out,
                     std::to_string(size_ - in_parts_) + " of " + std::to_string(size_) + " " +
                         words_.row + "s are in no " + words_.part,
                     "each " + words_.row + " in one " + words_.part, words_.remedy);
}

}  // namespace daptor::petsc::detail
