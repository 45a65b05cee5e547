// SPDX-License-Identifier: BSD-3-Clause
#include "daptor/gather.hpp"

#include <algorithm>
#include <cstddef>
#include <string>
#include <utility>

#include "daptor/adapter/reason.hpp"
#include "daptor/builders.hpp"
#include "daptor/call.hpp"
#include "daptor/layout.hpp"
#include "daptor/redistribute.hpp"

namespace daptor {
namespace {

/// Collective within a call that has proven the array. Widths of the boundary padding at both ends
/// of each dimension of the whole array, of which a rank in its middle has none.
std::vector<Padding> edges_of_all(const Section& array, Call& call) {
  auto widths = call.check([&] {
    std::vector<std::int64_t> mine;
    for (const Dimension& dimension : array.dimensions()) {
      mine.push_back(dimension.boundary_padding().lower);
      mine.push_back(dimension.boundary_padding().upper);
    }
    return mine;
  });
  call.comm()->allreduce(widths.data(), static_cast<int>(widths.size()), Reduction::max);
  std::vector<Padding> edges;
  for (std::size_t i = 0; i < widths.size(); i += 2) edges.push_back({widths[i], widths[i + 1]});
  return edges;
}

/// The dimension without boundary padding, and without communication padding of blocks.
Dimension interior_of(const Dimension& dimension, Padding edges) {
  const Index size = std::max<Index>(0, dimension.global_size() - edges.lower - edges.upper);
  const auto inside = dimension.interior();
  if (!inside) return dimension;
  if (dimension.as<Undistributed>() != nullptr) return undistributed(size);
  return block(size, dimension.grid(),
               IndexRange{std::clamp<Index>(inside->start - edges.lower, 0, size),
                          std::clamp<Index>(inside->stop - edges.lower, 0, size)});
}

/// The interior, on the same memory. Process-local.
Section interior_of(const Section& array, const std::vector<Padding>& edges) {
  std::vector<Dimension> dimensions;
  std::vector<Index> shape = array.local_shape();
  Index offset = 0;
  for (std::size_t d = 0; d < edges.size(); ++d) {
    const Dimension& dimension = array.dimensions()[d];
    dimensions.push_back(interior_of(dimension, edges[d]));
    if (!dimension.interior()) continue;
    shape[d] = dimensions.back().local_extent();
    offset +=
        (dimension.owned_offset() + dimension.boundary_padding().lower) * array.byte_strides()[d];
  }
  auto* first = static_cast<std::byte*>(const_cast<void*>(array.data()));
  if (first != nullptr && array.local_count() > 0) first += offset;
  return Section(protocol_0_9,
                 Buffer(array.type(), std::move(shape), array.byte_strides(), first, true,
                        array.buffer().state(), array.buffer().space()),
                 std::move(dimensions));
}

/// Collective within a call that has proven the array.
DistArray interior_of(const DistArray& a, Call& call) {
  const Agreed<bool> unpadded = call.all([&] {
    const auto& dimensions = a.dimensions();
    return std::all_of(dimensions.begin(), dimensions.end(), [](const Dimension& dimension) {
      return dimension.boundary_padding() == Padding{};
    });
  });
  call.check();
  if (unpadded) return a;
  const auto edges = edges_of_all(a, call);
  return call.check(
      [&] { return interior_of(static_cast<const Section&>(a), edges).on(a.comm()); });
}

DistArray on_one(const DistArray& a, const DataType& type, int rank) {
  const TargetLayout layout = layout::on_process(rank);
  const auto dimensions = layout.dimensions(a.global_shape(), a.comm().rank(), a.comm().size());
  return allocate(type, dimensions).on(a.comm());
}

}  // namespace

Gathered<std::byte> detail::gather(const DistArray& a, const DataType& type, int root) {
  Call call(a, root == -1 ? "gather_all" : "gather");
  const bool everywhere = root == -1;
  call.same("root", root);
  call.same("type", type.name());
  call.check([&] {
    if (!everywhere && (root < 0 || root >= a.comm().size()))
      adapter::refuse_argument("argument", "root " + std::to_string(root),
                               "a rank in [0, " + std::to_string(a.comm().size()) + ')');
  });
  const DistArray interior = interior_of(a, call);
  const int first = everywhere ? 0 : root;
  const DistArray whole = call.check([&] { return on_one(interior, type, first); });
  RedistributionOptions options;
  options.read_from_any = true;
  options.convert = true;
  redistribute(interior, whole, options);
  const std::vector<Index> shape = interior.global_shape();
  if (!everywhere && a.comm().rank() != first) return {shape, 0, nullptr};

  const auto share = [&](const DistArray& array) {
    const auto keeper = std::make_shared<DistArray>(array);
    return Gathered<std::byte>(
        shape, array.local_count(),
        std::shared_ptr<std::byte>(keeper, static_cast<std::byte*>(array.mutable_data())));
  };
  if (!everywhere) return share(whole);
  const DistArray here = call.check([&] {
    if (a.comm().rank() == first) return whole;
    std::vector<Dimension> all;
    for (const Index extent : shape) all.push_back(undistributed(extent));
    DistArray copy = allocate(type, std::move(all)).on(a.comm());
    static_cast<void>(copy.ndim());  // throws if there was no memory
    return copy;
  });
  call.comm()->broadcast(here.mutable_data(),
                         static_cast<std::size_t>(here.local_count()) * type.itemsize(), first);
  return share(here);
}

}  // namespace daptor
