// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "conformance/elements.hpp"
#include "conformance/trial.hpp"
#include "daptor/call.hpp"
#include "daptor/error.hpp"
#include "daptor/lease.hpp"
#include "daptor/local_index_map.hpp"

namespace daptor::conformance {
namespace {

constexpr const char* label_rule = "behaviour.labels";

/// The global indices of the interior along each dimension.
using Interior = std::vector<IndexRange>;

/// Collective. Finds the interior, whose ends the ranks in the middle of the array do not see.
/// @returns nothing if the ranks describe different numbers of dimensions
std::optional<Interior> interior_of(const Section& array, const Comm& comm) {
  Call call(comm, "conformance::check");
  const auto fewest = call.least(array.ndim()), most = call.greatest(array.ndim());
  auto edges = call.check([&] {
    std::vector<std::int64_t> widths;
    for (const Dimension& dimension : array.dimensions()) {
      widths.push_back(dimension.boundary_padding().lower);
      widths.push_back(dimension.boundary_padding().upper);
    }
    return widths;
  });
  if (fewest != most) return std::nullopt;
  comm->allreduce(edges.data(), static_cast<int>(edges.size()), Reduction::max);
  return call.check([&] {
    Interior interior;
    for (std::size_t d = 0; d < array.dimensions().size(); ++d)
      interior.push_back({edges[2 * d], array.dimensions()[d].global_size() - edges[2 * d + 1]});
    return interior;
  });
}

/// Compares every element of the interior with the label of its global index, which counts the
/// interior.
class LabelComparison {
 public:
  LabelComparison(const Section& array, Interior interior, const Candidate& candidate)
      : array_(array),
        interior_(std::move(interior)),
        candidate_(candidate),
        map_(array),
        expected_(array.type().itemsize()) {
    const auto& type = candidate_.label.type();
    if (type && *type != array_.type())
      throw InvalidArgument("label", "labels of type " + type->name(),
                            "labels of type " + array_.type().name());
    if (!candidate_.label && !write_label(array_.type(), 0, expected_.data()))
      throw InvalidArgument("label", "elements of type " + array_.type().name(),
                            "a label function for this element type");
    if (!candidate_.label) static_cast<void>(map_.global_count());  // whose numbers are compared
  }

  /// Describes the differences; empty if there are none.
  std::string compare() {
    const ReadLease lease(array_);
    const auto* data = static_cast<const std::byte*>(lease.data());
    for_each_element(array_, [&](const MultiIndex& local, Index offset) {
      if (candidate_.padding_labelled || owned(local)) compare(local, data + offset);
    });
    if (wrong_ == 0) return {};
    return std::to_string(wrong_) + " of " + std::to_string(compared_) + " elements, " + first_;
  }

 private:
  bool owned(const MultiIndex& local) const {
    for (std::size_t d = 0; d < local.size(); ++d)
      if (!map_.dimension(static_cast<int>(d)).is_owned(local[d])) return false;
    return true;
  }

  /// The global index in the interior; `nullopt` in boundary padding.
  std::optional<MultiIndex> index_of(const MultiIndex& local) const {
    MultiIndex global = map_.global_of(local);
    for (std::size_t d = 0; d < global.size(); ++d) {
      if (!interior_[d].contains(global[d])) return std::nullopt;
      global[d] -= interior_[d].start;
    }
    return global;
  }

  Index number_of(const MultiIndex& global) const {
    Index number = 0;
    for (std::size_t d = 0; d < global.size(); ++d)
      number = number * interior_[d].size() + global[d];
    return number;
  }

  void compare(const MultiIndex& local, const std::byte* element) {
    const std::optional<MultiIndex> inside = index_of(local);
    if (!inside) return;
    const MultiIndex& global = *inside;
    if (candidate_.label) {
      candidate_.label(global, expected_.data());
    } else {
      write_label(array_.type(), number_of(global), expected_.data());
    }
    ++compared_;
    if (same_element(array_.type(), element, expected_.data())) return;
    if (wrong_++ == 0)
      first_ = "at global " + index_text(global) + " " + element_text(array_.type(), element) +
               " instead of " + element_text(array_.type(), expected_.data());
  }

  const Section& array_;
  Interior interior_;
  const Candidate& candidate_;
  LocalIndexMap map_;
  Bytes expected_;
  Index compared_ = 0;
  Index wrong_ = 0;
  std::string first_;
};

void compare_labels(Trial& trial) {
  if (!on_all(trial.comm(), trial.candidate().labelled)) {
    trial.not_checked(
        "whether each element is at its global index: the elements have no labels",
        {"Fill the elements with their row-major global numbers, or set "
         "Candidate::label.",
         "Fill the elements with their row-major global numbers, and run "
         "daptor check --labels.",
         "Describe what the elements contain: label=, a function of the global index, or "
         "labels=True (--labels) for row-major global numbers."});
    return;
  }
  std::optional<Export> section;
  if (!trial.collectively([&] {
        section = trial.candidate().describe();
        static_cast<void>(section->array());
      }))
    return;
  const std::optional<Interior> interior = interior_of(section->array(), trial.comm());
  if (!interior) {
    trial.not_checked(
        "whether each element is at its global index: the ranks describe different numbers of "
        "dimensions",
        "Correct the descriptions.");
    return;
  }
  trial.collectively(label_rule, "reading the labels", [&] {
    std::string text = LabelComparison(section->array(), *interior, trial.candidate()).compare();
    if (!text.empty())
      trial.find(label_rule, std::move(text), "the label of the global index in each element");
  });
}

}  // namespace

Report check_labels(const Subject& subject, const Comm& comm, const Options&) {
  return Trial::run(subject, comm, compare_labels);
}

}  // namespace daptor::conformance
