// SPDX-License-Identifier: BSD-3-Clause
#include "ranks/object_tag.hpp"

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

// Ranks may destroy objects at different times, but a tag that is taken on all ranks is taken by
// the same object. If an object could not be made on one rank, that rank has not taken the tag that
// the others took, so its next tag is another one. All ranks then search from the greatest of their
// next tags.
TagSearch::TagSearch(const ObjectTags& tags, Call& call)
    : tags_(tags), base_(tags.next_), offset_(tags.free_from(base_, 0)) {
  const int tag = offset_ == ObjectTags::none ? offset_ : ObjectTags::tag(base_, offset_);
  least_ = call.least(tag);
  greatest_ = call.greatest(tag);
}

int TagSearch::found(const Call& call) const {
  const auto require_any = [](std::int64_t least) {
    if (least == ObjectTags::none)
      adapter::refuse_argument(
          "object.tags", "more objects on one communicator than there are message tags",
          "at most 32000 objects at a time", "Destroy objects that are no longer needed.");
  };
  require_any(least_);
  const auto base = static_cast<int>(static_cast<std::int64_t>(greatest_));
  if (least_ == greatest_) return base;
  for (int offset = tags_.free_from(base, 0);;) {
    std::array<std::int64_t, 2> words{offset, ~std::int64_t{offset}};
    call.comm()->allreduce(words.data(), 2, Reduction::min);
    require_any(words[0]);
    const auto greatest = static_cast<int>(~words[1]);
    if (words[0] == greatest) return ObjectTags::tag(base, greatest);
    offset = tags_.free_from(base, greatest);
  }
}

}  // namespace daptor
