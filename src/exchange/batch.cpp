// SPDX-License-Identifier: BSD-3-Clause
#include "exchange/batch.hpp"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>

#include "daptor/adapter/memory.hpp"
#include "daptor/adapter/names.hpp"
#include "daptor/adapter/reason.hpp"
#include "daptor/adapter/share_memory.hpp"
#include "daptor/builders.hpp"
#include "daptor/device.hpp"

namespace daptor::detail {
namespace {

/// Arrays of one form at equal distances in memory, such as the columns of a matrix, as one array
/// with a further dimension; `nullopt` for others. It has the arrays' elements, so a question about
/// the memory of all of them needs one look instead of one at each pair.
std::optional<Section> joined(const std::vector<DistArray>& arrays) {
  const Section& first = arrays.front();
  if (arrays.size() == 1) return first;
  const auto address = [](const Section& array) {
    return reinterpret_cast<std::intptr_t>(array.data());
  };
  const std::intptr_t distance = address(arrays[1]) - address(first);
  for (std::size_t i = 1; i < arrays.size(); ++i)
    if (!arrays[i].buffer().same_form(first.buffer()) ||
        address(arrays[i]) - address(arrays[i - 1]) != distance)
      return std::nullopt;
  std::vector<Dimension> dimensions{undistributed(static_cast<Index>(arrays.size()))};
  std::vector<Index> strides{distance};
  for (std::size_t d = 0; d < first.local_shape().size(); ++d) {
    dimensions.push_back(undistributed(first.local_shape()[d]));
    strides.push_back(first.byte_strides()[d]);
  }
  Section all = describe(first.type(), const_cast<void*>(first.data()), std::move(dimensions),
                         std::move(strides));  // only its addresses are looked at
  return all.defect() ? std::nullopt : std::optional(std::move(all));
}

/// An array of a batch, by the bytes that it reaches over.
struct Reach {
  std::uintptr_t start, stop;
  const Section* array;
  bool written;
};

void add_reaches(const std::vector<DistArray>& arrays, bool written, std::vector<Reach>& all) {
  for (const Section& array : arrays) {
    if (array.local_count() == 0) continue;
    const auto data = reinterpret_cast<std::uintptr_t>(array.data());
    const IndexRange bytes = array.buffer().byte_span();
    all.push_back({data + static_cast<std::uintptr_t>(bytes.start),
                   data + static_cast<std::uintptr_t>(bytes.stop), &array, written});
  }
}

/// Whether two of the arrays share memory for which `matters` holds. Only pairs that reach over the
/// same bytes are looked at.
template <class Matters>
bool any_pair_shares(std::vector<Reach> all, const Matters& matters) {
  std::sort(all.begin(), all.end(),
            [](const Reach& a, const Reach& b) { return a.start < b.start; });
  for (auto a = all.begin(); a != all.end(); ++a)
    for (auto b = a + 1; b != all.end() && b->start < a->stop; ++b)
      if (matters(*a, *b) && adapter::share_memory(*a->array, *b->array)) return true;
  return false;
}

/// In what the layouts of two arrays differ, as a phrase.
std::string difference(const Section& a, const Section& b) {
  if (a.type() != b.type()) return "element types " + a.type().name() + " and " + b.type().name();
  if (a.dimensions() != b.dimensions()) return "different dimensions";
  if (a.byte_strides() != b.byte_strides()) return "different strides in memory";
  return "different protocol versions or memory spaces";
}

}  // namespace

void require_one_layout(const std::vector<DistArray>& arrays, const Wording& wording) {
  for (const Section& array : arrays)
    if (!array.same_layout(arrays.front()))
      adapter::refuse_argument(
          wording.rule("layout"),
          "arrays of different layouts: " + difference(arrays.front(), array),
          "one layout for all arrays of a batch: dimensions, element type and strides",
          "Make a " + wording.object + " for each layout.");
}

void require_like(const std::vector<DistArray>& arrays, const std::vector<DistArray>& before,
                  const Wording& wording) {
  if (arrays.size() != before.size())
    adapter::refuse_argument(wording.rule("batch"), std::to_string(arrays.size()) + " arrays",
                             "as many arrays as before, " + std::to_string(before.size()));
  for (const Section& array : arrays)
    if (!array.same_layout(before.front()))
      adapter::refuse_argument(
          wording.rule("layout"),
          "an array of a different layout: " + difference(before.front(), array),
          "the layout that the " + wording.object + " was made for",
          "Make a " + wording.object + " for the new layout.");
}

void require_reachable(const Section& array, const Wording& wording, bool through_host) {
  const MemorySpace space = array.buffer().space();
  if (array.local_count() == 0 || space.host()) return;
  if (!through_host)
    adapter::refuse_argument(wording.rule("device"), space.name(), "memory that the host can reach",
                             terms::set_option("through_host") +
                                 ", to copy what is sent and received through the host.");
  if (!device_of(space))
    adapter::refuse_argument(wording.rule("device"), space.name(),
                             "memory of a device that Daptor can copy from and to",
                             names::register_device);
}

void require_separate(const Section& array, const Wording& wording) {
  if (adapter::elements_share_memory(array))
    adapter::refuse_argument(wording.rule("strides"),
                             "strides that put several elements on the same memory",
                             "separate memory for each element, because elements are written");
}

void require_target(const Section& array, const Wording& wording) {
  adapter::require_host(wording.rule("device"), array);
  require_separate(array, wording);
}

void require_apart(const std::vector<DistArray>& arrays, const Wording& wording) {
  if (arrays.size() < 2) return;
  if (const auto all = joined(arrays); all && !adapter::elements_share_memory(*all)) return;
  std::vector<Reach> reaches;
  add_reaches(arrays, true, reaches);
  if (any_pair_shares(std::move(reaches), [](const Reach&, const Reach&) { return true; }))
    adapter::refuse_argument(wording.rule("memory"),
                             "two arrays that are written and overlap in memory",
                             "separate memory for each array of a batch");
}

bool any_share_memory(const std::vector<DistArray>& read, const std::vector<DistArray>& written) {
  if (read.empty() || written.empty()) return false;
  const auto sources = joined(read), targets = joined(written);
  if (sources && targets && !adapter::share_memory(*sources, *targets)) return false;
  std::vector<Reach> reaches;
  add_reaches(read, false, reaches);
  add_reaches(written, true, reaches);
  return any_pair_shares(std::move(reaches),
                         [](const Reach& a, const Reach& b) { return a.written != b.written; });
}

std::vector<std::byte*> writable(const std::vector<DistArray>& arrays) {
  std::vector<std::byte*> data;
  data.reserve(arrays.size());
  for (const Section& array : arrays) data.push_back(static_cast<std::byte*>(array.mutable_data()));
  return data;
}

}  // namespace daptor::detail
