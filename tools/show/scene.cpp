// SPDX-License-Identifier: BSD-3-Clause
#include "show/scene.hpp"

#include <algorithm>

#include "daptor/builders.hpp"
#include "daptor/error.hpp"
#include "daptor/local_index_map.hpp"
#include "index_map/grid_numbers.hpp"
#include "show/palette.hpp"

namespace daptor::show {
namespace {

[[noreturn]] void throw_apart(const char* rule, int rank, const char* key, std::string found,
                              std::string expected) {
  Finding finding = error_finding(rule, -1, key, std::move(found), std::move(expected));
  finding.ranks = {rank};
  finding.rank_count = 1;
  throw Malformed(std::move(finding));
}

std::vector<Index> coordinates_of(const Section& section) {
  std::vector<Index> coordinates;
  for (const Dimension& dimension : section.dimensions())
    coordinates.push_back(dimension.grid().rank);
  return coordinates;
}

}  // namespace

void Seen::add(const Cell& cell) {
  boundary = boundary || cell.part == Part::boundary;
  communication = communication || cell.part == Part::communication;
  shared = shared || cell.shared;
  nobody = nobody || cell.kind == Cell::Kind::nobody;
  unrecorded = unrecorded || cell.kind == Cell::Kind::unrecorded;
}

Scene::Scene(std::string name, int nranks, std::vector<Section> sections, const Options& options)
    : name_(std::move(name)),
      nranks_(nranks),
      sections_(std::move(sections)),
      focus_(options.rank) {
  require_process_count();
  if (focus_ && section(*focus_) == nullptr)
    throw InvalidArgument("rank", std::to_string(*focus_),
                          "a rank from 0 up to " + std::to_string(sections_.size()));
  place_ranks();
  make_lines();
  choose_dimensions(options);
}

const Section* Scene::section(int rank) const {
  if (rank < 0 || static_cast<std::size_t>(rank) >= sections_.size()) return nullptr;
  return &sections_[static_cast<std::size_t>(rank)];
}

const Line& Scene::line(int dimension) const {
  return dimension < 0 ? *unit_ : *lines_[static_cast<std::size_t>(dimension)];
}

void Scene::require_process_count() const {
  if (any().grid_count() != nranks_)
    throw_apart("D14", 0, "proc_grid_size",
                "a grid of " + std::to_string(any().grid_count()) + " processes",
                std::to_string(nranks_));
}

void Scene::place_ranks() {
  for (const Dimension& dimension : any().dimensions()) grid_.push_back(dimension.grid().size);
  for (std::size_t i = 0; i < sections_.size(); ++i)
    seats_.emplace_back(daptor::detail::grid_number_of(grid_, coordinates_of(sections_[i])),
                        static_cast<int>(i));
  std::sort(seats_.begin(), seats_.end());
  for (std::size_t i = 1; i < seats_.size(); ++i)
    if (seats_[i].first == seats_[i - 1].first)
      throw_apart("D19", seats_[i].second, "proc_grid_rank",
                  "the coordinates of rank " + std::to_string(seats_[i - 1].second),
                  "coordinates of its own");
}

std::optional<int> Scene::rank_at(Index seat) const {
  const auto found = std::lower_bound(seats_.begin(), seats_.end(), std::pair(seat, 0));
  if (found == seats_.end() || found->first != seat) return std::nullopt;
  return found->second;
}

void Scene::make_lines() {
  for (int d = 0; d < any().ndim(); ++d) {
    std::vector<const Dimension*> by_grid_rank(
        static_cast<std::size_t>(any().dimension(d).grid().size));
    for (const Section& section : sections_) {
      const Dimension& dimension = section.dimension(d);
      const Dimension*& slot = by_grid_rank[static_cast<std::size_t>(dimension.grid().rank)];
      if (slot == nullptr) slot = &dimension;
    }
    wholes_.push_back(whole_line(by_grid_rank));
  }
  lines_ = wholes_;
  if (focus_)
    for (int d = 0; d < any().ndim(); ++d)
      lines_[static_cast<std::size_t>(d)] =
          section_line(section(*focus_)->dimension(d), wholes_[static_cast<std::size_t>(d)]);
}

Cut Scene::cut_at(int dimension, std::optional<Index> index) {
  const Line& along = line(dimension);
  if (along.extent() == 0) {
    empty_ = true;
    cut_stretches_.emplace_back();
    return {dimension, index.value_or(0)};
  }
  Index position = along.extent() / 2;
  if (index) {
    const std::optional<Index> found = along.position_of(*index);
    if (!found)
      throw InvalidArgument(
          "slice", "index " + std::to_string(*index) + " of dimension " + std::to_string(dimension),
          focus_ ? "an index in the section of rank " + std::to_string(*focus_)
                 : "an index from " + std::to_string(along.global_of(0)) + " to " +
                       std::to_string(along.global_of(along.extent() - 1)));
    position = *found;
  }
  cut_stretches_.push_back(along.at(position));
  return {dimension, along.global_of(position)};
}

void Scene::choose_dimensions(const Options& options) {
  std::vector<std::optional<Index>> wanted(static_cast<std::size_t>(any().ndim()));
  for (const Slice& slice : options.slices) {
    if (slice.dimension < 0 || slice.dimension >= any().ndim())
      throw InvalidArgument("slice", "dimension " + std::to_string(slice.dimension),
                            "one of the array's " + std::to_string(any().ndim()) + " dimensions");
    auto& index = wanted[static_cast<std::size_t>(slice.dimension)];
    if (index)
      throw InvalidArgument("slice", "dimension " + std::to_string(slice.dimension) + " twice",
                            "each dimension once");
    index = slice.index;
  }
  std::vector<int> shown;
  for (int d = 0; d < any().ndim(); ++d) {
    if (const auto& index = wanted[static_cast<std::size_t>(d)])
      cuts_.push_back(cut_at(d, index));
    else
      shown.push_back(d);
  }
  while (shown.size() > 2) {
    auto next = std::find_if(shown.begin(), shown.end(),
                             [&](int d) { return any().dimension(d).grid().size == 1; });
    if (next == shown.end()) next = shown.begin();
    cuts_.push_back(cut_at(*next, std::nullopt));
    shown.erase(next);
  }
  if (!shown.empty()) column_ = shown.back();
  if (shown.size() > 1) row_ = shown.front();
  if (rows().extent() == 0 || columns().extent() == 0) empty_ = true;
}

Cell Scene::cell(const Stretch& row, const Stretch& column) const {
  std::vector<Index> place(grid_.size(), 0);
  Cell cell;
  cell.kind = Cell::Kind::owned;
  bool owned = true;
  const auto take = [&](const Stretch& stretch, int d) {
    if (stretch.folded) cell.kind = Cell::Kind::folded;
    cell.part = std::max(cell.part, stretch.part);
    cell.shared = cell.shared || stretch.holders.count > 1;
    owned = owned && stretch.holders.count > 0;
    if (d >= 0) place[static_cast<std::size_t>(d)] = stretch.holders.first;
  };
  take(row, row_);
  take(column, column_);
  for (std::size_t i = 0; i < cuts_.size(); ++i) take(cut_stretches_[i], cuts_[i].dimension);

  Cell other;
  if (partial()) other.kind = Cell::Kind::unrecorded;
  if (cell.kind == Cell::Kind::folded) other.kind = cell.kind;
  const std::optional<int> rank =
      owned ? rank_at(daptor::detail::grid_number_of(grid_, place)) : std::nullopt;
  if (!rank || cell.kind == Cell::Kind::folded) return other;
  cell.rank = *rank;
  return cell;
}

bool Scene::in_picture(int rank) const {
  const Section* here = section(rank);
  if (here == nullptr || here->owned_count() == 0) return false;
  return std::all_of(cuts_.begin(), cuts_.end(), [&](const Cut& cut) {
    return LocalDimensionMap(here->dimension(cut.dimension)).owns(cut.index);
  });
}

int Scene::color(int rank) const {
  if (nranks_ <= palette_size) return rank;
  // A different odd step for each dimension of the grid gives neighbours different colours.
  constexpr Index steps[] = {3, 1, 5, 7};
  Index sum = 0;
  std::size_t distributed = 0;
  const Section* here = section(rank);
  for (int d = 0; here != nullptr && d < here->ndim(); ++d) {
    const GridPosition grid = here->dimension(d).grid();
    if (grid.size == 1) continue;
    sum += grid.rank % palette_size * steps[distributed % 4];
    ++distributed;
  }
  return static_cast<int>(sum % palette_size);
}

}  // namespace daptor::show
