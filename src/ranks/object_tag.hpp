// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <memory>
#include <unordered_set>
#include <utility>

#include "daptor/call.hpp"

namespace daptor {

/// The message tags of those objects on a communicator that exchange their own messages, on this
/// rank.
class ObjectTags {
 public:
  void take(int taken);
  void give_back(int tag) noexcept { taken_.erase(tag); }

 private:
  friend class TagSearch;

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

/// The search for a tag that is free on all ranks, for an object that takes it in the call's last
/// check.
class TagSearch {
 public:
  /// Process-local. What this rank says in the next check.
  TagSearch(const ObjectTags& tags, Call& call);
  /// Collective, after that check; costs no message unless objects have failed on some ranks alone.
  /// Throws InvalidArgument (`object.tags`) on all ranks if 32000 objects exist already.
  int found(const Call& call) const;

 private:
  const ObjectTags& tags_;
  int base_, offset_;
  Agreed<std::int64_t> least_, greatest_;
};

/// The tag of one object, which keeps its messages apart from those of other objects.
class ObjectTag {
 public:
  /// Process-local. Takes `tag`, which all ranks have found by a TagSearch. Must be called within
  /// a check, because it may throw.
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
