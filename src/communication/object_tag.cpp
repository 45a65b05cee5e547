// SPDX-License-Identifier: BSD-3-Clause
#include "communication/object_tag.hpp"

#include <array>
#include <cstdint>

#include "daptor/adapter/communicator.hpp"
#include "daptor/adapter/same.hpp"
#include "report/refuse.hpp"

namespace daptor {

int ObjectTags::free_from(int offset) const {
  for (; offset < count; ++offset)
    if (taken_.count(tag(offset)) == 0) return offset;
  return none;
}

void ObjectTags::take(int tag) {
  taken_.insert(tag);
  next_ = first + (tag - first + 1) % count;
}

int ObjectTags::find_free(const Comm& comm) const {
  // Ranks may destroy objects at different times, but a tag that is taken on all ranks is taken by
  // the same object.
  int offset = free_from(0);
  while (true) {
    std::array<std::int64_t, 2> least{offset, adapter::falling(offset)};
    comm->allreduce(least.data(), 2, Reduction::min);
    if (least[0] == none)
      detail::refuse_argument(
          "object.tags", "more objects on one communicator than there are message tags",
          "at most 32000 objects at a time", "Destroy objects that are no longer needed.");
    if (adapter::same_on_all(least[0], least[1])) return tag(offset);
    offset = free_from(static_cast<int>(adapter::greatest(least[1])));
  }
}

}  // namespace daptor
