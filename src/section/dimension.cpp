// SPDX-License-Identifier: BSD-3-Clause
#include "daptor/dimension.hpp"

#include <algorithm>
#include <string>
#include <type_traits>
#include <utility>

#include "daptor/error.hpp"

namespace daptor {
namespace {

template <class... F>
struct Overloaded : F... {
  using F::operator()...;
};
template <class... F>
Overloaded(F...) -> Overloaded<F...>;

void require_at_least(const char* key, Index value, Index least) {
  if (value < least)
    throw InvalidArgument(key, std::to_string(value), std::to_string(least) + " or more");
}

/// A12: an empty section has no padding, whatever the key says.
bool empty_section(const Undistributed&, Index global_size) {
  return global_size == 0;
}
bool empty_section(const Block& block, Index global_size) {
  return block.owned.start == block.owned.stop && block.owned.start == global_size;
}

void write_padding(std::ostream& out, Padding communication, Padding boundary) {
  if (communication != Padding{}) out << ", communication padding " << communication;
  if (boundary != Padding{}) out << ", boundary padding " << boundary;
}

void write_owned(std::ostream& out, const OwnedPart& owned) {
  if (owned.apart())
    out << ", " << owned.count() << " owned, between ghosts";
  else if (owned.first() == 0)
    out << ", the first " << owned.count() << " owned";
  else
    out << ", " << owned.count() << " owned from position " << owned.first();
}

std::ostream& operator<<(std::ostream& out, GridPosition grid) {
  return out << "process " << grid.rank << " of " << grid.size;
}

bool equal(const Undistributed& a, const Undistributed& b) {
  return a.boundary == b.boundary && a.communication == b.communication && a.padded == b.padded;
}
bool equal(const Block& a, const Block& b) {
  return a.grid == b.grid && a.owned == b.owned && a.boundary == b.boundary &&
         a.communication == b.communication && a.padded == b.padded;
}
bool equal(const Cyclic& a, const Cyclic& b) {
  return a.grid == b.grid && a.start == b.start && a.block_size == b.block_size;
}
bool equal(const Unstructured& a, const Unstructured& b) {
  return a.grid == b.grid && a.one_to_one == b.one_to_one && a.owned == b.owned &&
         a.indices == b.indices;
}

}  // namespace

Dimension::Dimension(Index global_size, Distribution distribution, bool periodic)
    : global_size_(global_size), distribution_(std::move(distribution)), periodic_(periodic) {
  const auto* list = as<Unstructured>();
  if (list == nullptr) return;
  defect_ = list->indices.defect();
  if (!defect_ && list->owned) defect_ = list->owned->defect();
}

Dimension::Dimension(Defect defect, Index global_size, Distribution distribution, bool periodic)
    : global_size_(global_size),
      distribution_(std::move(distribution)),
      periodic_(periodic),
      defect_(std::move(defect)) {}

char Dimension::dist_type() const {
  constexpr char letters[] = {'n', 'b', 'c', 'u'};
  return letters[distribution_.index()];
}

GridPosition Dimension::grid() const {
  return std::visit(Overloaded{[](const Undistributed&) { return GridPosition{}; },
                               [](const auto& d) { return d.grid; }},
                    distribution_);
}

Padding Dimension::communication_padding() const {
  if (const auto* n = as<Undistributed>())
    return empty_section(*n, global_size_) ? Padding{} : n->communication;
  if (const auto* b = as<Block>())
    return empty_section(*b, global_size_) ? Padding{} : b->communication;
  if (const auto* u = as<Unstructured>(); u != nullptr && u->owned)
    return {u->owned->first(), u->indices.size() - u->owned->count() - u->owned->first()};
  return {};
}

Padding Dimension::asked_communication_padding() const {
  if (const auto* b = as<Block>(); b != nullptr && b->asked) return b->asked->communication;
  return communication_padding();
}

std::optional<IndexRange> Dimension::interior() const {
  IndexRange owned{0, global_size_};
  if (const auto* b = as<Block>()) {
    owned = b->owned;
  } else if (as<Undistributed>() == nullptr) {
    return std::nullopt;
  }
  const Padding boundary = boundary_padding();
  // If the boundary padding is wider than the section (P17), no indices are left.
  const Index start = std::min(owned.start + boundary.lower, owned.stop);
  return IndexRange{start, std::max(start, owned.stop - boundary.upper)};
}

Padding Dimension::boundary_padding() const {
  if (const auto* n = as<Undistributed>())
    return empty_section(*n, global_size_) ? Padding{} : n->boundary;
  if (const auto* b = as<Block>()) return empty_section(*b, global_size_) ? Padding{} : b->boundary;
  return {};
}

Index Dimension::owned_count() const {
  if (defect_) return 0;
  return std::visit(
      Overloaded{
          [&](const Undistributed&) { return global_size_; },
          [](const Block& b) { return b.owned.size(); },
          [&](const Cyclic& c) {
            if (c.start >= global_size_) return Index{0};
            const Index position = c.start / std::max<Index>(c.block_size, 1);
            return cyclic_owned_count(global_size_, c.block_size, c.grid.size, position);
          },
          [](const Unstructured& u) { return u.owned ? u.owned->count() : u.indices.size(); }},
      distribution_);
}

OwnedPart Dimension::owned_part() const {
  if (const auto* u = as<Unstructured>(); u != nullptr && u->owned && !defect_) return *u->owned;
  return OwnedPart::run({owned_offset(), owned_offset() + owned_count()});
}

Index Dimension::local_extent() const {
  if (defect_) return 0;
  if (const auto* list = as<Unstructured>()) return list->indices.size();
  return owned_count() + communication_padding().total();
}

bool operator==(const Dimension& a, const Dimension& b) {
  if (a.global_size_ != b.global_size_ || a.periodic_ != b.periodic_ ||
      a.distribution_.index() != b.distribution_.index() ||
      static_cast<bool>(a.defect_) != static_cast<bool>(b.defect_))
    return false;
  return std::visit(
      [&](const auto& left) {
        return equal(left, std::get<std::decay_t<decltype(left)>>(b.distribution_));
      },
      a.distribution_);
}

std::ostream& operator<<(std::ostream& out, const Dimension& dimension) {
  std::visit(Overloaded{[&](const Undistributed&) { out << "undistributed"; },
                        [&](const Block& b) { out << "block " << b.owned << ", " << b.grid; },
                        [&](const Cyclic& c) {
                          out << "cyclic from " << c.start;
                          if (c.block_size != 1) out << " in blocks of " << c.block_size;
                          out << ", " << c.grid;
                        },
                        [&](const Unstructured& u) {
                          out << "unstructured, " << u.indices.size() << " indices, " << u.grid;
                          if (u.one_to_one) out << ", one to one";
                          if (u.owned) write_owned(out, *u.owned);
                        }},
             dimension.distribution());
  if (dimension.as<Unstructured>() == nullptr)
    write_padding(out, dimension.communication_padding(), dimension.boundary_padding());
  if (dimension.periodic()) out << ", periodic";
  out << ", of " << dimension.global_size();
  if (dimension.defect()) out << "; defective: " << dimension.defect().report().findings().front();
  return out;
}

IndexRange even_block(Index global_size, GridPosition grid) {
  require_at_least("proc_grid_size", grid.size, 1);
  const Index quotient = global_size / grid.size;
  const Index remainder = global_size % grid.size;
  const Index start = grid.rank * quotient + std::min(grid.rank, remainder);
  return {start, start + quotient + (grid.rank < remainder ? 1 : 0)};
}

Index cyclic_owned_count(Index global_size, Index block_size, Index grid_size, Index position) {
  require_at_least("block_size", block_size, 1);
  require_at_least("proc_grid_size", grid_size, 1);
  const Index full_blocks = global_size / block_size;
  const Index last_block = global_size % block_size;
  const Index rounds = full_blocks / grid_size * block_size;
  const Index in_last_round = full_blocks % grid_size;
  if (position < in_last_round) return rounds + block_size;
  return position == in_last_round ? rounds + last_block : rounds;
}

IndexList owned_indices(const Unstructured& list) {
  if (!list.owned) return list.indices;
  const OwnedPart& owned = *list.owned;
  if (!owned.apart())
    return {std::make_shared<IndexList>(list.indices), list.indices.data() + owned.first(),
            owned.count()};
  const IndexList positions = owned.positions();
  return IndexList(list.indices.at({positions.begin(), positions.end()}));
}

bool leaves_open_who_owns(const Dimension& dimension) {
  const auto* const list = dimension.as<Unstructured>();
  return list != nullptr && !list->one_to_one && !list->owned;
}

}  // namespace daptor
