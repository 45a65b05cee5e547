// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include "daptor/adapter/reduce.hpp"
#include "daptor/global_index_map.hpp"
#include "proof/proven.hpp"
#include "reduce/walk.hpp"

namespace daptor::adapter {
namespace {

bool repeats(const Dimension& dimension) {
  return dimension.grid().size > 1 && leaves_open_who_owns(dimension);
}

/// Collective. The positions along one dimension of which this rank is the first to have the index.
std::vector<Index> first_holder_of(const GlobalIndexMap& map, const Dimension& dimension, int d) {
  const IndexList& list = dimension.as<Unstructured>()->indices;
  const auto owners = map.owners_of_unstructured(d, std::vector<Index>(list.begin(), list.end()));
  std::vector<Index> positions;
  for (std::size_t i = 0; i < owners.size(); ++i)
    if (owners[i] && owners[i]->grid_rank == dimension.grid().rank &&
        owners[i]->owned_index == static_cast<Index>(i))
      positions.push_back(static_cast<Index>(i));
  return positions;
}

/// Collective.
CountedPositions find_counted(const DistArray& array) {
  const GlobalIndexMap map(array);
  CountedPositions counted(array.dimensions().size());
  for (std::size_t d = 0; d < counted.size(); ++d)
    if (repeats(array.dimensions()[d]))
      counted[d] = first_holder_of(map, array.dimensions()[d], static_cast<int>(d));
  return counted;
}

/// What builder or section say about the boundary padding of the whole dimension.
Padding edges_of(const Dimension& dimension) {
  const auto* const block = dimension.as<Block>();
  if (block != nullptr && block->asked && !block->asked->periodic) return block->asked->boundary;
  return dimension.boundary_padding();
}

/// Whether the indices of `a` are those of `b`, plus `shift`.
bool indices_differ_by(const Dimension& a, const Dimension& b, Index count, Index shift) {
  const detail::InteriorIndices of_a(a), of_b(b);
  const bool contiguous = a.interior() && b.interior();
  for (Index i = 0; i < (contiguous ? std::min<Index>(count, 1) : count); ++i)
    if (of_a(i) - of_b(i) != shift) return false;
  return true;
}

bool same_indices(const Dimension& a, const Dimension& b, Index count) {
  if (a.global_size() == b.global_size() && indices_differ_by(a, b, count, 0)) return true;
  const Padding of_a = edges_of(a), of_b = edges_of(b);
  return a.global_size() - of_a.lower - of_a.upper == b.global_size() - of_b.lower - of_b.upper &&
         indices_differ_by(a, b, count, of_a.lower - of_b.lower);
}

}  // namespace

bool may_repeat(const Section& array) {
  const auto& dimensions = array.dimensions();
  return std::any_of(dimensions.begin(), dimensions.end(), repeats);
}

std::shared_ptr<const CountedPositions> counted_positions(const DistArray& array, Call& call,
                                                          std::size_t proven) {
  const auto proof = call.proof(proven);
  const Agreed<bool> known = call.all([&] { return proof->counted != nullptr; });
  call.check();
  if (!known)
    proof->counted =
        call.relay([&] { return std::make_shared<const CountedPositions>(find_counted(array)); });
  return proof->counted;
}

bool divided_alike(const Section& a, const Section& b) {
  if (a.interior_shape() != b.interior_shape()) return false;
  for (std::size_t d = 0; d < a.dimensions().size(); ++d)
    if (!same_indices(a.dimensions()[d], b.dimensions()[d], a.interior_shape()[d])) return false;
  return true;
}

}  // namespace daptor::adapter
