// SPDX-License-Identifier: BSD-3-Clause
#include "reducing.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <deque>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <pybind11/stl.h>

#include "arguments.hpp"
#include "daptor/global_index_map.hpp"
#include "place.hpp"

namespace daptor::python {
namespace {

/// What a reduction knows of the elements of consecutive ranks.
struct Partial {
  static constexpr std::int64_t failed = -1;

  std::int64_t size = 0;  ///< bytes in use; 0 without elements, `failed` after an error
  std::array<char, 104> bytes{};

  static Partial of(const py::object& given) {
    const auto text = py::cast<std::string>(given);
    Partial partial;
    if (text.size() > partial.bytes.size()) throw std::length_error("a partial result too long");
    partial.size = static_cast<std::int64_t>(text.size());
    std::memcpy(partial.bytes.data(), text.data(), text.size());
    return partial;
  }
  py::bytes written() const { return py::bytes(bytes.data(), static_cast<std::size_t>(size)); }
};

/// The partials of two neighbouring groups of ranks as one.
Partial joined(const Partial& lower, const Partial& upper, const py::object& combine,
               FirstFailure& failure) {
  if (lower.size == Partial::failed || upper.size == 0) return lower;
  if (upper.size == Partial::failed || lower.size == 0) return upper;
  Partial result;
  result.size = Partial::failed;
  failure.attempt([&] { result = Partial::of(combine(lower.written(), upper.written())); });
  return result;
}

/// Collective. Combines the partials of all ranks in the order of the ranks, in pairs, so that the
/// result depends on their number alone. Takes 2 log2(P) messages; no rank holds more than two.
///
/// Example: of five ranks, rank 0 combines itself with 1 and rank 2 with 3, then rank 0 those of
/// 0 1 with those of 2 3, and at last with that of 4.
Partial combined(const Comm& comm, Partial mine, const py::object& combine, FirstFailure& failure) {
  const int rank = comm.rank(), ranks = comm.size();
  for (std::int64_t step = 1; step < ranks; step *= 2) {
    Partial theirs;
    if (rank % (2 * step) != 0) {
      const Unlocked unlocked;
      comm->sendrecv(static_cast<int>(rank - step), &mine, sizeof mine, -1, nullptr, 0);
      break;
    }
    if (rank + step >= ranks) continue;
    {
      const Unlocked unlocked;
      comm->sendrecv(-1, nullptr, 0, static_cast<int>(rank + step), &theirs, sizeof theirs);
    }
    mine = joined(mine, theirs, combine, failure);
  }
  const Unlocked unlocked;
  comm->broadcast(&mine, sizeof mine, 0);
  return mine;
}

/// Collective. Calls `local` on each rank, and combines what the ranks say.
/// @param local    returns bytes, empty for a rank without elements, and a list of arguments that
///                 must be the same on all ranks, each a pair of name and text
/// @param combine  takes the bytes of lower and of upper ranks, and returns those of both together
/// @returns the bytes of all ranks together, the same on all
py::bytes reduce_ranks(const py::object& given, const std::vector<py::object>& others,
                       const std::string& name, const py::object& local,
                       const py::object& combine) {
  const Array& array = array_of("a", given);
  std::deque<std::string> names;  // which outlive the call
  Collective call(array.comm, name.c_str());
  call.prove(array.array);
  Partial mine = call.check([&] {
    for (const py::object& other : others)
      if (const Array* const known = array_behind(other.ptr()))
        call.require_same_processes(known->array);
    const py::tuple said = local();
    for (const py::handle pair : py::list(said[1])) {
      const auto [key, text] = py::cast<std::pair<std::string, std::string>>(pair);
      call.same(names.emplace_back(key).c_str(), text);
    }
    return Partial::of(said[0]);
  });
  FirstFailure failure;
  mine = combined(*call.comm(), mine, combine, failure);
  if (mine.size == Partial::failed)
    call.check([&] {
      if (failure.get()) std::rethrow_exception(failure.get());
    });
  return mine.written();
}

/// Whether several ranks may have an index of this dimension without a word about its owner.
bool may_repeat(const Dimension& dimension) {
  const auto* const list = dimension.as<Unstructured>();
  return list != nullptr && dimension.grid().size > 1 && !list->one_to_one && !list->owned;
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
Counted find_counted(const DistArray& array) {
  const GlobalIndexMap map(array);
  Counted counted(array.dimensions().size());
  for (std::size_t d = 0; d < counted.size(); ++d)
    if (may_repeat(array.dimensions()[d]))
      counted[d] = first_holder_of(map, array.dimensions()[d], static_cast<int>(d));
  return counted;
}

/// Collective, within the call of this name, if lists leave it open who owns an index that several
/// ranks have; process-local otherwise.
/// @returns for each dimension an array of the positions that count here, or None for all; None if
///   all dimensions have None
py::object counted_positions(const py::object& given, const std::string& name) {
  const Array& array = array_of("a", given);
  const auto& dimensions = array.array.dimensions();
  if (std::none_of(dimensions.begin(), dimensions.end(), may_repeat)) return py::none();
  Collective call(array.comm, name.c_str());
  const Agreed<bool> known = call.all(array.counted != nullptr);
  call.check([] {});
  std::shared_ptr<const Counted> counted = array.counted;
  if (!known) {
    const Unlocked unlocked;
    counted =
        call.relay([&] { return std::make_shared<const Counted>(find_counted(array.array)); });
  }
  py::list result;
  call.check([&] {
    for (const auto& positions : *counted)
      result.append(positions ? numpy_of(*positions) : py::object(py::none()));
  });
  array.counted = std::move(counted);
  return py::object(result);
}

/// Whether the interiors of both, which are as long, have the same indices along a dimension.
bool same_indices(const Dimension& a, const Dimension& b, Index edge_a, Index edge_b) {
  const LocalDimensionMap map_a(a), map_b(b);
  const OwnedPart owned_a = a.owned_part(), owned_b = b.owned_part();
  const Index lower_a = a.boundary_padding().lower, lower_b = b.boundary_padding().lower;
  const Index count = std::min(owned_a.count() - lower_a - a.boundary_padding().upper,
                               owned_b.count() - lower_b - b.boundary_padding().upper);
  const bool contiguous = a.interior() && b.interior();
  for (Index i = 0; i < (contiguous ? std::min<Index>(count, 1) : count); ++i)
    if (map_a.global_of(owned_a.position(lower_a + i)) - edge_a !=
        map_b.global_of(owned_b.position(lower_b + i)) - edge_b)
      return false;
  return true;
}

/// Whether both arrays have the same shape, and this rank the same elements of both. Process-local.
bool divided_alike(const Array& a, const Array& b) {
  if (interior_extents(a) != interior_extents(b) ||
      a.array.interior_shape() != b.array.interior_shape())
    return false;
  const Edges edges_a = edges_of(a), edges_b = edges_of(b);
  for (std::size_t d = 0; d < edges_a.size(); ++d)
    if (!same_indices(a.array.dimensions()[d], b.array.dimensions()[d], edges_a[d].lower,
                      edges_b[d].lower))
      return false;
  return true;
}

}  // namespace

void bind_reducing(py::module_& module) {
  module.def("_reduced", reduce_ranks);
  module.def("_counted", counted_positions);
  module.def("_divided_alike", divided_alike);
}

}  // namespace daptor::python
