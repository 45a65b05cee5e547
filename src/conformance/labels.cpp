// SPDX-License-Identifier: BSD-3-Clause
#include <optional>

#include "conformance/elements.hpp"
#include "conformance/trial.hpp"
#include "daptor/error.hpp"
#include "daptor/lease.hpp"
#include "daptor/local_index_map.hpp"

namespace daptor::conformance {
namespace {

constexpr const char* label_rule = "behaviour.labels";

/// Compares every element with the label of its global index.
class LabelComparison {
 public:
  LabelComparison(const Section& array, const Candidate& candidate)
      : array_(array), candidate_(candidate), map_(array), expected_(array.type().itemsize()) {
    const auto& type = candidate_.label.type();
    if (type && *type != array_.type())
      throw InvalidArgument("label", "labels of type " + type->name(),
                            "labels of type " + array_.type().name());
    if (!candidate_.label && !write_label(array_.type(), 0, expected_.data()))
      throw InvalidArgument("label", "elements of type " + array_.type().name(),
                            "a label function for this element type");
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

  void compare(const MultiIndex& local, const std::byte* element) {
    const MultiIndex global = map_.global_of(local);
    if (candidate_.label) {
      candidate_.label(global, expected_.data());
    } else {
      write_label(array_.type(), map_.natural_of(global), expected_.data());
    }
    ++compared_;
    if (same_element(array_.type(), element, expected_.data())) return;
    if (wrong_++ == 0)
      first_ = "at global " + index_text(global) + " " + element_text(array_.type(), element) +
               " instead of " + element_text(array_.type(), expected_.data());
  }

  const Section& array_;
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
  if (!trial.together([&] {
        section = trial.candidate().describe();
        static_cast<void>(section->array());
      }))
    return;
  trial.together(label_rule, "reading the labels", [&] {
    std::string text = LabelComparison(section->array(), trial.candidate()).compare();
    if (!text.empty())
      trial.find(label_rule, std::move(text), "the label of the global index in each element");
  });
}

}  // namespace

Report check_labels(const Subject& subject, const Comm& comm, const Options&) {
  return Trial::run(subject, comm, compare_labels);
}

}  // namespace daptor::conformance
