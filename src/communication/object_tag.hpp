// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>
#include <unordered_set>
#include <utility>

#include "daptor/comm.hpp"

namespace daptor {

/// Tags of the objects that exchange messages of their own on a communicator, on this rank.
class ObjectTags {
 public:
  static constexpr int none = -1;

  /// The tag `offset` after the last that was taken, around the end.
  int tag(int offset) const { return first + (next_ - first + offset) % count; }
  /// The first offset from `offset` on whose tag is free; `none` where there is none.
  int free_from(int offset) const;
  void take(int tag);
  void give_back(int tag) noexcept { taken_.erase(tag); }

 private:
  // Above those of the communicator itself, below the 32767 that MPI promises.
  static constexpr int first = 16;
  static constexpr int count = 32000;

  std::unordered_set<int> taken_;
  int next_ = first;
};

/// One object's tag: its messages are not taken for another's, in whatever order they begin.
class ObjectTag {
 public:
  /// Collective. The same on all ranks. Throws InvalidArgument (`object.tags`) on all ranks where
  /// 32000 objects are alive.
  static ObjectTag agreed_on(const Comm& comm, std::shared_ptr<ObjectTags> tags);

  ObjectTag(ObjectTag&& other) noexcept = default;
  ObjectTag& operator=(ObjectTag&&) = delete;
  ~ObjectTag() {
    if (tags_) tags_->give_back(tag_);
  }
  int value() const { return tag_; }

 private:
  ObjectTag(std::shared_ptr<ObjectTags> tags, int tag) : tags_(std::move(tags)), tag_(tag) {}
  std::shared_ptr<ObjectTags> tags_;
  int tag_;
};

}  // namespace daptor
