// SPDX-License-Identifier: BSD-3-Clause
#include "daptor/adapter/share_memory.hpp"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <numeric>
#include <utility>
#include <vector>

namespace daptor::adapter {
namespace {

/// Steps of one length, of which at least `least` and at most `most` are made.
struct Steps {
  Index stride;  ///< in bytes, more than 0
  Index least, most;
};

/// Elements of a section in memory.
struct Elements {
  std::uintptr_t start = 0;  ///< of the element with the lowest address
  Index span = 0;  ///< bytes from `start` to the end of the last element; 0 without elements
  Index itemsize = 0;
  const std::vector<Index>* shape = nullptr;
  const std::vector<Index>* byte_strides = nullptr;
};

Elements elements_of(const Section& array, SectionPart part) {
  const bool all = part == SectionPart::all || array.owned_apart();
  Elements elements;
  if ((all ? array.local_count() : array.owned_count()) == 0) return elements;
  elements.shape = &(all ? array.local_shape() : array.owned_shape());
  elements.byte_strides = &array.byte_strides();
  elements.start = reinterpret_cast<std::uintptr_t>(all ? array.data() : array.owned_data());
  elements.itemsize = static_cast<Index>(array.type().itemsize());
  elements.span = elements.itemsize;
  for (std::size_t d = 0; d < elements.shape->size(); ++d) {
    const Index reach = (*elements.byte_strides)[d] * ((*elements.shape)[d] - 1);
    if (reach < 0) elements.start -= static_cast<std::uintptr_t>(-reach);
    elements.span += std::abs(reach);
  }
  return elements;
}

/// Several elements at one address.
bool has_zero_stride(const Elements& elements) {
  if (elements.span == 0) return false;
  for (std::size_t d = 0; d < elements.shape->size(); ++d)
    if ((*elements.byte_strides)[d] == 0 && (*elements.shape)[d] > 1) return true;
  return false;
}

/// From the element with the lowest address forwards, hence with strides made positive.
std::vector<Steps> steps_of(const Elements& elements) {
  std::vector<Steps> steps;
  if (elements.span == 0) return steps;
  for (std::size_t d = 0; d < elements.shape->size(); ++d) {
    const Index stride = std::abs((*elements.byte_strides)[d]), most = (*elements.shape)[d] - 1;
    if (stride != 0 && most != 0) steps.push_back({stride, 0, most});
  }
  return steps;
}

/// Searches for a number of steps of each length that lead from a distance to a short one.
///
/// Example: the distance from x[0] to y[0] is 8 bytes, and both have four elements of 8 bytes, 16
/// bytes apart. Steps of 16 bytes, from -3 (forwards in x) to 3 (forwards in y), never lead to less
/// than 8 bytes: the arrays interleave.
class Search {
 public:
  /// Distances strictly between `-before` and `after` bytes are sought.
  Search(std::vector<Steps> steps, Index before, Index after)
      : steps_(std::move(steps)), before_(before), after_(after) {
    std::sort(steps_.begin(), steps_.end(),
              [](const Steps& a, const Steps& b) { return a.stride < b.stride; });
    for (const Steps& each : steps_) {
      reaches_.push_back({lowest_, highest_});
      lowest_ += each.least * each.stride;
      highest_ += each.most * each.stride;
    }
  }

  /// From a distance of 0 no steps at all do not count.
  bool found(Index distance) { return search(steps_.size(), distance, distance != 0); }
  /// Where each stride leaves room for all steps of smaller ones, no search is needed to know that
  /// the elements of one array are apart.
  bool nested() const {
    for (std::size_t d = 0; d < steps_.size(); ++d)
      if (steps_[d].stride <= reaches_[d].highest + after_ - 1) return false;
    return true;
  }

 private:
  /// How far the steps of smaller strides lead.
  struct Reach {
    Index lowest, highest;
  };

  /// `n / divisor`, rounded down, for a positive divisor.
  static Index floor_of(Index n, Index divisor) { return n / divisor - (n % divisor < 0 ? 1 : 0); }

  /// Whether steps along the first `d` strides lead from `distance` to one that is sought.
  bool search(std::size_t d, Index distance, bool moved) {
    if (d == 0) return moved && -before_ < distance && distance < after_;
    if (++tried_ > most_tried) return true;
    const auto [stride, least, most] = steps_[d - 1];
    const auto [lowest, highest] = reaches_[d - 1];
    // -before < distance + k * stride + highest, and distance + k * stride + lowest < after
    const Index first = std::max(least, floor_of(-before_ - highest - distance, stride) + 1);
    const Index last = std::min(most, floor_of(after_ - 1 - lowest - distance, stride));
    for (Index k = first; k <= last; ++k)
      if (search(d - 1, distance + k * stride, moved || k != 0)) return true;
    return false;
  }

  static constexpr Index most_tried = 1000000;
  std::vector<Steps> steps_;
  std::vector<Reach> reaches_;
  Index before_, after_;
  Index lowest_ = 0, highest_ = 0;
  Index tried_ = 0;
};

/// Sums of distances within spans of this size fit in 64 bits.
bool searchable(Index span) {
  return span < std::numeric_limits<Index>::max() / 8;
}

/// Steps along `a` backwards and along `b` forwards; those of the same length together.
std::vector<Steps> steps_between(const Elements& a, const Elements& b) {
  std::vector<Steps> steps = steps_of(a);
  for (Steps& each : steps) each = {each.stride, -each.most, 0};
  for (const Steps& each : steps_of(b)) {
    const auto same = std::find_if(steps.begin(), steps.end(),
                                   [&](const Steps& of_a) { return of_a.stride == each.stride; });
    if (same != steps.end())
      same->most += each.most;
    else
      steps.push_back(each);
  }
  return steps;
}

/// Whether no steps can lead to a short distance, as all of them are multiples of one length.
bool interleave_at_every_step(const std::vector<Steps>& steps, Index distance, Index before,
                              Index after) {
  Index common = 0;
  for (const Steps& each : steps) common = std::gcd(common, each.stride);
  if (common == 0) return false;
  const Index between = (distance % common + common) % common;
  return between >= after && common - between >= before;
}

}  // namespace

bool elements_share_memory(const Section& array, SectionPart part) {
  const Elements elements = elements_of(array, part);
  if (has_zero_stride(elements)) return true;
  std::vector<Steps> steps = steps_of(elements);
  if (Search(steps, elements.itemsize, elements.itemsize).nested()) return false;
  if (!searchable(elements.span)) return true;
  for (Steps& each : steps) each.least = -each.most;  // backwards too
  return Search(std::move(steps), elements.itemsize, elements.itemsize).found(0);
}

bool share_memory(const Section& a, const Section& b, SectionPart part) {
  const Elements first = elements_of(a, part), second = elements_of(b, part);
  if (first.span == 0 || second.span == 0) return false;
  if (first.start + static_cast<std::uintptr_t>(first.span) <= second.start ||
      second.start + static_cast<std::uintptr_t>(second.span) <= first.start)
    return false;
  if (first.start == second.start) return true;
  if (!searchable(first.span) || !searchable(second.span)) return true;
  // From an element of `a` to one of `b`: negative if that one comes before.
  const auto distance = static_cast<Index>(second.start - first.start);
  std::vector<Steps> steps = steps_between(first, second);
  if (interleave_at_every_step(steps, distance, second.itemsize, first.itemsize)) return false;
  return Search(std::move(steps), second.itemsize, first.itemsize).found(distance);
}

}  // namespace daptor::adapter
