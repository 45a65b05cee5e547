// SPDX-License-Identifier: BSD-3-Clause
#include "show/words.hpp"

#include <algorithm>

namespace daptor::show {
namespace {

std::string count_text(Index count, const std::string& one) {
  return std::to_string(count) + " " + one + (count == 1 ? "" : "s");
}

std::string distribution_text(const Dimension& dimension) {
  if (dimension.as<Undistributed>() != nullptr) return "undistributed";
  if (dimension.as<Unstructured>() != nullptr) return "unstructured";
  if (dimension.as<Block>() != nullptr) return dimension.periodic() ? "periodic block" : "block";
  const Index block_size = dimension.as<Cyclic>()->block_size;
  return block_size == 1 ? "cyclic" : "cyclic in blocks of " + std::to_string(block_size);
}

template <class Part>
std::string product(const DistArray& section, const char* times, Part&& part) {
  std::string text;
  for (const Dimension& dimension : section.dimensions())
    text += (text.empty() ? "" : std::string(" ") + times + " ") + part(dimension);
  return text;
}

template <class Widths>
std::string widths_text(const DistArray& section, const char* times, Widths&& widths) {
  bool any = false;
  for (const Dimension& dimension : section.dimensions())
    any = any || widths(dimension) != Padding{};
  if (!any) return {};
  return product(section, times, [&](const Dimension& dimension) {
    const Padding padding = widths(dimension);
    return "(" + std::to_string(padding.lower) + ", " + std::to_string(padding.upper) + ")";
  });
}

LegendEntry entry_of(const Scene& scene, int rank, bool in_picture, const char* times) {
  LegendEntry entry;
  entry.rank = rank;
  entry.in_picture = in_picture;
  const DistArray* section = scene.section(rank);
  entry.recorded = section != nullptr;
  if (section == nullptr) return entry;
  entry.empty = section->owned_count() == 0;
  entry.shape = shape_text(section->local_shape(), times);
  entry.owned = std::to_string(section->owned_count());
  entry.boundary = widths_text(*section, times, [](const Dimension& dimension) {
    return dimension.owned_count() == 0 ? Padding{} : dimension.boundary_padding();
  });
  entry.communication = widths_text(*section, times, [](const Dimension& dimension) {
    return dimension.communication_padding();
  });
  return entry;
}

}  // namespace

std::string shape_text(const std::vector<Index>& shape, const char* times) {
  if (shape.empty()) return "1 value";
  std::string text;
  for (const Index extent : shape)
    text += (text.empty() ? "" : std::string(" ") + times + " ") + std::to_string(extent);
  return text;
}

std::string headline(const Scene& scene, const char* times) {
  const DistArray& any = scene.any();
  std::string text = any.type().name();
  text = any.ndim() == 0 ? "one " + text : shape_text(any.global_shape(), times) + " " + text;
  text += " on " + count_text(scene.nranks(), "rank");
  int distributed = 0;
  std::vector<Index> grid;
  for (const Dimension& dimension : any.dimensions()) {
    grid.push_back(dimension.grid().size);
    if (grid.back() > 1) ++distributed;
  }
  if (distributed > 1) text += " (" + shape_text(grid, times) + ")";
  if (any.ndim() == 0) return text;
  return text + ": " + product(any, times, distribution_text);
}

std::vector<std::string> remarks(const Scene& scene) {
  std::vector<std::string> all;
  if (scene.focus())
    all.push_back("section of rank " + std::to_string(*scene.focus()) +
                  ", all padding included; indices are global");
  std::string cuts;
  for (const Cut& cut : scene.cuts())
    cuts += (cuts.empty() ? "slice at " : ", ") + std::string("dimension ") +
            std::to_string(cut.dimension) + " = " + std::to_string(cut.index);
  if (!cuts.empty()) all.push_back(cuts);
  if (scene.partial()) all.push_back("not all ranks were recorded");
  if (scene.empty()) all.push_back("no elements");
  return all;
}

LegendRow legend_head() {
  return {"rank", "section", "owned", "boundary padding", "communication padding", ""};
}

LegendRow legend_row(const LegendEntry& entry) {
  if (!entry.recorded) return {std::to_string(entry.rank), "not recorded", "", "", "", ""};
  const char* remark = entry.empty ? "empty" : entry.in_picture ? "" : "not in this slice";
  return {std::to_string(entry.rank), entry.shape, entry.owned, entry.boundary,
          entry.communication,        remark};
}

Legend legend(const Scene& scene, std::size_t most, const char* times) {
  Legend legend;
  if (scene.focus()) {
    legend.entries.push_back(entry_of(scene, *scene.focus(), true, times));
    return legend;
  }
  std::vector<int> shown;
  std::vector<int> others;
  for (int rank = 0; rank < scene.nranks() && shown.size() < most; ++rank) {
    std::vector<int>& list = scene.in_picture(rank) ? shown : others;
    if (list.size() < most) list.push_back(rank);
  }
  for (const int rank : shown) legend.entries.push_back(entry_of(scene, rank, true, times));
  for (const int rank : others)
    if (legend.entries.size() < most) legend.entries.push_back(entry_of(scene, rank, false, times));
  std::sort(legend.entries.begin(), legend.entries.end(),
            [](const LegendEntry& a, const LegendEntry& b) { return a.rank < b.rank; });
  legend.left_out = scene.nranks() - static_cast<int>(legend.entries.size());
  return legend;
}

}  // namespace daptor::show
