// SPDX-License-Identifier: BSD-3-Clause
#include "daptor/adapter/shared_index.hpp"

#include "daptor/builders.hpp"
#include "daptor/one_to_one.hpp"

namespace daptor::adapter {

std::optional<Finding> shared_index(Call& call, const std::function<Dimension()>& list) {
  const DistArray lists =
      call.check([&] { return describe(DataType::of<char>(), nullptr, {list()}).on(call.comm()); });
  return prove_one_to_one(lists).against;
}

}  // namespace daptor::adapter
