// SPDX-License-Identifier: BSD-3-Clause
#include "daptor/adapter/memory.hpp"

#include <utility>

#include "daptor/adapter/names.hpp"
#include "daptor/detail/layout.hpp"
#include "daptor/error.hpp"

namespace daptor::adapter {
namespace {

constexpr const char* reachable = "memory that the host can reach";
Terms to_host() {
  return "Copy the array to the host (" + names::copy_to_host + "), or let its producer do so.";
}

/// An empty section has no memory, wherever that is said to be.
bool out_of_reach(const Section& array) {
  return array.local_count() > 0 && !array.buffer().space().host();
}

}  // namespace

void add_device_reason(std::string rule, const Section& array, Reasons& reasons) {
  if (out_of_reach(array))
    reasons.push_back(reason(std::move(rule), array.buffer().space().name(), reachable, to_host()));
}

void require_host(std::string rule, const Section& array) {
  if (out_of_reach(array))
    refuse_argument(std::move(rule), array.buffer().space().name(), reachable, to_host());
}

std::size_t number_size(const DataType& type) {
  return type.kind() == Kind::complex ? type.itemsize() / 2 : type.itemsize();
}

const void* first_owned(const Section& array) {
  if (!array.owned_apart()) return array.owned_data();
  const auto* data = static_cast<const char*>(array.data());
  if (data == nullptr || array.owned_count() == 0) return data;
  for (int d = 0; d < array.ndim(); ++d)
    data += array.dimension(d).owned_offset() * array.byte_strides()[static_cast<std::size_t>(d)];
  return data;
}

int parting_dimension(const Section& array) {
  const std::vector<Index>& shape = array.local_shape();
  for (const Order order : {Order::c, Order::fortran}) {
    if (!detail::gapless(shape, array.byte_strides(), array.type().itemsize(), order)) continue;
    const int ndim = array.ndim();
    const auto at = [&](int slowness) {
      return order == Order::c ? ndim - 1 - slowness : slowness;
    };
    int slowest = ndim - 1;
    while (slowest > 0 && shape[static_cast<std::size_t>(at(slowest))] == 1) --slowest;
    for (int i = 0; i < slowest; ++i)
      if (array.dimension(at(i)).communication_padding() != Padding{}) return at(i);
  }
  return -1;
}

void require_same_memory(const Section& array) {
  SharedState& state = *array.buffer().state();
  if (state.plain()) return;
  Producer& producer = state.producer();
  // The pointer is only compared; nothing is written through it.
  void* const described = const_cast<void*>(array.data());
  const bool same = producer.begin_access(Access::read, described) == described;
  producer.end_access(Access::read);
  if (!same)
    throw Stale("memory at a different address than the description says",
                "Export the array again.");
}

void require_memory(const Section& array) {
  if (!array.buffer().has_memory())
    throw InvalidArgument("array", "a description without memory", "an array with memory");
  require_same_memory(array);
}

}  // namespace daptor::adapter
