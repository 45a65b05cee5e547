// SPDX-License-Identifier: BSD-3-Clause
#include "communication/object_tag.hpp"

#include <array>
#include <cstdint>

#include "daptor/adapter/communicator.hpp"
#include "daptor/adapter/reason.hpp"

namespace daptor {

int ObjectTags::tag(int base, int offset) {
  return first + (base - first + offset) % count;
}

int ObjectTags::free_from(int base, int offset) const {
  for (; offset < count; ++offset)
    if (taken_.count(tag(base, offset)) == 0) return offset;
  return none;
}

void ObjectTags::take(int taken) {
  taken_.insert(taken);
  next_ = tag(taken, 1);
}

int ObjectTags::find_free(const Comm& comm) const {
  // Ranks may destroy objects at different times, but a tag that is taken on all ranks is taken by
  // the same object. If an object could not be made on one rank, that rank has not taken the tag
  // that the others took, so its next tag is another one. All ranks then search from the greatest
  // of their next tags.
  int base = next_;
  int offset = free_from(base, 0);
  for (bool common = false;; common = true) {
    const int mine = offset == none || common ? offset : tag(base, offset);
    std::array<std::int64_t, 2> least{mine, ~std::int64_t{mine}};
    comm->allreduce(least.data(), 2, Reduction::min);
    if (least[0] == none)
      adapter::refuse_argument(
          "object.tags", "more objects on one communicator than there are message tags",
          "at most 32000 objects at a time", "Destroy objects that are no longer needed.");
    if (least[0] == ~least[1]) return tag(base, offset);
    const auto greatest = static_cast<int>(~least[1]);
    if (!common) base = greatest;
    offset = free_from(base, common ? greatest : 0);
  }
}

}  // namespace daptor
