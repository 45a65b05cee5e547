// SPDX-License-Identifier: BSD-3-Clause
#include "describe_descriptor.hpp"

#include <algorithm>
#include <charconv>
#include <string>
#include <utility>
#include <vector>

#include "daptor/adapter/reason.hpp"
#include "daptor/builders.hpp"
#include "daptor/error.hpp"
#include "daptor/scalapack/block_cyclic.hpp"
#include "daptor/scalapack/matrix.hpp"
#include "descriptor_findings.hpp"
#include "text.hpp"

namespace daptor::scalapack {
namespace {

namespace entry = detail::entry;

constexpr Index most_ranks = 16384;  // as many as a file of descriptions may have

/// The integers between separators; empty where a word is none.
std::vector<int> integers(const std::string& words, char separator) {
  std::vector<int> list;
  const char* next = words.data();
  const char* const end = next + words.size();
  while (true) {
    int value = 0;
    const auto [stop, error] = std::from_chars(next, end, value);
    if (error != std::errc()) return {};
    list.push_back(value);
    if (stop == end) return list;
    if (*stop != separator) return {};
    next = stop + 1;
  }
}

Descriptor descriptor_from(const std::string& words) {
  const std::vector<int> list = integers(words, ',');
  Descriptor desc{};
  if (list.size() != desc.size())
    adapter::refuse_argument("scalapack.desc.words", "'" + words + "'",
                             "nine integers, separated by commas",
                             "Write DTYPE_,CTXT_,M_,N_,MB_,NB_,RSRC_,CSRC_,LLD_.");
  std::copy(list.begin(), list.end(), desc.begin());
  return desc;
}

GridInfo grid_from(const std::string& words) {
  const std::vector<int> list = integers(words, 'x');
  const bool right =
      list.size() == 2 && list[0] >= 1 && list[1] >= 1 && Index{list[0]} * list[1] <= most_ranks;
  if (!right)
    adapter::refuse_argument(
        "scalapack.grid.shape", "'" + words + "'",
        "rows x columns of a grid of at most " + text(most_ranks) + " processes",
        "Write 2x3, for instance.");
  return {list[0], list[1], 0, 0};
}

bool by_columns(const std::optional<std::string>& order) {
  if (!order || *order == "row") return false;
  if (*order == "column") return true;
  adapter::refuse_argument("scalapack.grid.order", "'" + *order + "'", "row or column",
                           "Say how ranks follow each other on the grid.");
}

/// All processes, by rank.
std::vector<GridInfo> places_on(const GridInfo& grid, bool column_order) {
  std::vector<GridInfo> places;
  for (int rank = 0; rank < grid.rows * grid.columns; ++rank) {
    GridInfo place = grid;
    place.row = column_order ? rank % grid.rows : rank / grid.columns;
    place.column = column_order ? rank / grid.rows : rank % grid.columns;
    places.push_back(place);
  }
  return places;
}

/// Throws what is wrong on any process: each finding of the lowest one, with all ranks that have
/// it.
void require_right(const Descriptor& desc, const std::vector<GridInfo>& places) {
  std::vector<Finding> merged;
  for (std::size_t rank = 0; rank < places.size(); ++rank)
    for (Finding& finding : detail::descriptor_findings(desc.data(), places[rank])) {
      auto known = std::find_if(merged.begin(), merged.end(),
                                [&](const Finding& each) { return each.rule == finding.rule; });
      if (known == merged.end()) known = merged.insert(merged.end(), std::move(finding));
      if (known->ranks.size() < 8) known->ranks.push_back(static_cast<int>(rank));
      ++known->rank_count;
    }
  if (merged.empty()) return;
  Report report(std::move(merged));
  if (report.has(entry::rules[entry::dtype])) throw Unsupported(report);
  throw Malformed(report);
}

Section described_part(const Descriptor& desc, const GridInfo& place) {
  const BlockCyclic rows(desc[entry::m], desc[entry::mb], place.rows, desc[entry::rsrc]);
  const BlockCyclic columns(desc[entry::n], desc[entry::nb], place.columns, desc[entry::csrc]);
  constexpr auto item = static_cast<Index>(sizeof(double));
  Section array = describe(DataType::of<double>(), nullptr,
                           {rows.dimension(place.row), columns.dimension(place.column)},
                           {item, item * desc[entry::lld]});
  array.defect().raise();
  return array;
}

std::vector<Section> describe_all(const std::vector<std::optional<std::string>>& arguments) {
  const Descriptor desc = descriptor_from(*arguments[0]);
  const std::vector<GridInfo> places =
      places_on(grid_from(*arguments[1]), by_columns(arguments[2]));
  require_right(desc, places);
  std::vector<Section> arrays;
  arrays.reserve(places.size());
  for (const GridInfo& place : places) arrays.push_back(described_part(desc, place));
  return arrays;
}

}  // namespace

Describer detail::descriptor_describer() {
  return {
      "scalapack",
      "A dense matrix of ScaLAPACK by its descriptor",
      {{"desc", "NUMBERS", "DTYPE_,CTXT_,M_,N_,MB_,NB_,RSRC_,CSRC_,LLD_"},
       {"grid", "ROWSxCOLUMNS", "Processes of the grid"},
       {"order", "row|column", "How ranks follow each other on the grid; row if left out", false}},
      describe_all};
}

}  // namespace daptor::scalapack
