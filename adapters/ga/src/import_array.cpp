// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "array_reasons.hpp"
#include "daptor/adapter/memory.hpp"
#include "daptor/adapter/same.hpp"
#include "daptor/agreement.hpp"
#include "daptor/consistent.hpp"
#include "daptor/detail/fault.hpp"
#include "daptor/error.hpp"
#include "daptor/ga/array.hpp"
#include "exports.hpp"

namespace daptor::ga {
namespace {

constexpr char copy_call[] = "daptor::ga::copy_to_array(a, comm)";

adapter::Reasons memory_reason(const std::string& found) {
  return {adapter::reason(
      "ga.array.memory", found, "the memory of a Global Array",
      "Global Arrays allocates its own memory; copy the array: " + std::string(copy_call) + ".")};
}

}  // namespace

adapter::Reasons detail::array_reasons(const DistArray& array) {
  const auto found = find_export_of(array);
  if (found && array.readonly() && !found->array.readonly())
    return {adapter::reason("ga.array.readonly", "read-only memory", "memory that may be written",
                            "A handle always allows GA_Put: pass the exported array itself, or "
                            "copy this one: " +
                                std::string(copy_call) + ".")};
  if (found && found->array.same_layout(array)) return {};
  const std::vector<Index> shape = array.global_shape();
  if (std::count(shape.begin(), shape.end(), 0) > 0)
    return memory_reason("an array without elements");
  if (array.local_count() == 0) return {};
  if (found)
    return {adapter::reason(
        "ga.array.layout", "another layout than the Global Array's",
        "the dimensions and strides of its export",
        "Pass the exported array itself, or copy this one: " + std::string(copy_call) + ".")};
  return memory_reason(array.data() == nullptr ? "a description without memory"
                                               : "memory that GA has not allocated");
}

namespace {

/// The export that this process knows of the array, in both directions of a minimum.
std::array<std::int64_t, 2> serial_of(const DistArray& array) {
  const auto found = detail::find_export_of(array);
  if (!found) return {detail::unknown, detail::unknown};
  return {found->serial, adapter::falling(found->serial)};
}

void require_one_export(const std::array<std::int64_t, 2>& least) {
  if (least[0] == detail::unknown)
    adapter::require_none(memory_reason("an array without elements"));
  if (!adapter::same_on_all(least[0], least[1]))
    adapter::require_none(memory_reason("sections of different Global Arrays"));
}

}  // namespace

void detail::agree_on_array(const DistArray& array, const Comm& comm) {
  require_one_export(agreed_minima<2>(comm, [&] { return serial_of(array); }));
}

int import_array(const DistArray& array, const Comm& comm) {
  const CollectiveCall call(comm, "ga::import_array");
  const auto least = consistent_minima<2>(array, comm, [&]() -> std::array<std::int64_t, 2> {
    daptor::detail::fault_point("ga.import_array.check");
    if (array.local_count() > 0) adapter::require_same_memory(array);
    adapter::require_none(detail::array_reasons(array));
    return serial_of(array);
  });
  require_one_export(least);
  return agreed(comm, [&] {
    const auto found = detail::find_export_by_serial(least[0]);
    if (!found) adapter::require_none(memory_reason("an array that is not here"));
    return found->life.handle;
  });
}

}  // namespace daptor::ga
