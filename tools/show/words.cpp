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
std::string product(const Section& section, const char* times, Part&& part) {
  std::string text;
  for (const Dimension& dimension : section.dimensions())
    text += (text.empty() ? "" : std::string(" ") + times + " ") + part(dimension);
  return text;
}

template <class Widths>
std::string widths_text(const Section& section, const char* times, Widths&& widths) {
  bool any = false;
  for (const Dimension& dimension : section.dimensions())
    any = any || widths(dimension) != Padding{};
  if (!any) return {};
  return product(section, times, [&](const Dimension& dimension) {
    const Padding padding = widths(dimension);
    return "(" + std::to_string(padding.lower) + ", " + std::to_string(padding.upper) + ")";
  });
}

std::string shape_text(const std::vector<Index>& shape, const char* times) {
  if (shape.empty()) return "1 value";
  std::string text;
  for (const Index extent : shape)
    text += (text.empty() ? "" : std::string(" ") + times + " ") + std::to_string(extent);
  return text;
}

LegendEntry entry_of(const Scene& scene, int rank, bool in_picture, const char* times) {
  LegendEntry entry;
  entry.rank = rank;
  entry.in_picture = in_picture;
  const Section* section = scene.section(rank);
  const std::string name = std::to_string(rank);
  entry.row = {name, "not recorded", "", "", "", ""};
  if (section == nullptr) return entry;
  entry.holds = section->owned_count() > 0;
  const auto boundary = [](const Dimension& dimension) {
    return dimension.owned_count() == 0 ? Padding{} : dimension.boundary_padding();
  };
  const auto communication = [](const Dimension& dimension) {
    return dimension.communication_padding();
  };
  entry.row = {name,
               shape_text(section->local_shape(), times),
               std::to_string(section->owned_count()),
               widths_text(*section, times, boundary),
               widths_text(*section, times, communication),
               !entry.holds ? "empty"
               : in_picture ? ""
                            : "not in this slice"};
  return entry;
}

/// The ranks whose entries are shown, in order.
std::vector<int> ranks_of_legend(const Scene& scene) {
  constexpr std::size_t all = 24;  // as many as are listed all
  constexpr std::size_t few = 12;
  if (scene.focus()) return {*scene.focus()};
  const std::size_t most = scene.nranks() <= static_cast<int>(all) ? all : few;
  std::vector<int> shown;
  std::vector<int> others;
  for (int rank = 0; rank < scene.nranks() && shown.size() < most; ++rank) {
    std::vector<int>& list = scene.in_picture(rank) ? shown : others;
    if (list.size() < most) list.push_back(rank);
  }
  others.resize(std::min(others.size(), most - shown.size()));
  shown.insert(shown.end(), others.begin(), others.end());
  std::sort(shown.begin(), shown.end());
  return shown;
}

}  // namespace

std::size_t columns_of(std::string_view text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) {
    return (static_cast<unsigned char>(c) & 0xc0) != 0x80;
  }));
}

std::string headline(const Scene& scene, const char* times) {
  const Section& any = scene.any();
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

Legend legend(const Scene& scene, const char* times) {
  Legend legend;
  legend.head = {"rank", "section", "owned", "boundary padding", "communication padding", ""};
  for (const int rank : ranks_of_legend(scene)) {
    const bool in_picture = scene.focus() || scene.in_picture(rank);
    legend.entries.push_back(entry_of(scene, rank, in_picture, times));
  }
  for (std::size_t i = 0; i < legend_columns; ++i) {
    std::size_t& width = legend.widths[i];
    width = 0;
    for (const LegendEntry& entry : legend.entries)
      width = std::max(width, columns_of(entry.row[i]));
    if (width > 0) width = std::max(width, columns_of(legend.head[i]));
  }
  if (!scene.focus()) legend.left_out = scene.nranks() - static_cast<int>(legend.entries.size());
  return legend;
}

}  // namespace daptor::show
