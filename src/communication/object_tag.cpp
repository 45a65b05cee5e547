// SPDX-License-Identifier: BSD-3-Clause
#include "communication/object_tag.hpp"

#include <array>
#include <cstdint>

#include "daptor/adapter/same.hpp"
#include "daptor/agreement.hpp"
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

ObjectTag ObjectTag::agreed_on(const Comm& comm, std::shared_ptr<ObjectTags> tags) {
  // Objects are not destroyed at the same time on all ranks, but taken tags are the same ones.
  int offset = tags->free_from(0);
  while (true) {
    std::array<std::int64_t, 2> least{offset, adapter::falling(offset)};
    comm->allreduce(least.data(), 2, Reduction::min);
    if (least[0] == ObjectTags::none)
      detail::refuse_argument("object.tags", "more objects on a communicator than there are tags",
                              "at most 32000 at a time", "Destroy those that are not needed.");
    if (adapter::same_on_all(least[0], least[1])) break;
    offset = tags->free_from(static_cast<int>(adapter::greatest(least[1])));
  }
  const int tag = tags->tag(offset);
  agreed(comm, [&] { tags->take(tag); });
  return {std::move(tags), tag};
}

}  // namespace daptor
