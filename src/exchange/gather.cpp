// SPDX-License-Identifier: BSD-3-Clause
#include "daptor/gather.hpp"

#include <cstddef>
#include <string>
#include <utility>

#include "daptor/adapter/reason.hpp"
#include "daptor/builders.hpp"
#include "daptor/call.hpp"
#include "daptor/layout.hpp"
#include "daptor/redistribute.hpp"
#include "daptor/without_padding.hpp"

namespace daptor {
namespace {

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
  const DistArray interior = without_padding(a);
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
