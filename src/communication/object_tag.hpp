// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>
#include <unordered_set>
#include <utility>

#include "daptor/comm.hpp"

namespace daptor {

/// The message tags of those objects on a communicator that exchange their own messages, on this
/// rank.
class ObjectTags {
 public:
  /// Collective. A tag that is free on all ranks, for an object that takes it in the agreement that
  /// follows. Throws InvalidArgument (`object.tags`) on all ranks if 32000 objects exist already.
  int find_free(const Comm& comm) const;
  void take(int taken);
  void give_back(int tag) noexcept { taken_.erase(tag); }

 private:
  // Above the tags of the communicator itself, and at most 32767, which MPI guarantees.
  static constexpr int first = 16;
  static constexpr int count = 32000;
  static constexpr int none = -1;

  /// The tag that is `offset` places after the tag `base`, wrapping around.
  static int tag(int base, int offset);
  /// The first offset, from `offset` on, whose tag is free; `none` if there is none.
  int free_from(int base, int offset) const;

  std::unordered_set<int> taken_;
  int next_ = first;  // after the last one taken on this rank
};

/// The tag of one object, which keeps its messages apart from those of other objects.
class ObjectTag {
 public:
  /// Process-local. Takes `tag`, which all ranks have found with `ObjectTags::find_free`. Must be
  /// called within an agreement, because it may throw.
  ObjectTag(std::shared_ptr<ObjectTags> tags, int tag) : tags_(std::move(tags)), tag_(tag) {
    tags_->take(tag_);
  }
  ObjectTag(ObjectTag&& other) noexcept = default;
  ObjectTag& operator=(ObjectTag&&) = delete;
  ~ObjectTag() {
    if (tags_) tags_->give_back(tag_);
  }
  int value() const { return tag_; }

 private:
  std::shared_ptr<ObjectTags> tags_;
  int tag_;
};

}  // namespace daptor
