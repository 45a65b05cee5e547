// SPDX-License-Identifier: BSD-3-Clause
#include <array>
#include <cstdint>
#include <string>

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
  if (found && found->array.same_layout(array)) return {};
  if (array.local_count() == 0) return {};
  if (found)
    return {adapter::reason(
        "ga.array.layout", "another layout than the Global Array's",
        "the dimensions and strides of its export",
        "Pass the exported array itself, or copy this one: " + std::string(copy_call) + ".")};
  return memory_reason(array.data() == nullptr ? "a description without memory"
                                               : "memory that GA has not allocated");
}

int import_array(const DistArray& array, const Comm& comm) {
  const CollectiveCall call(comm, "ga::import_array");
  const auto least = consistent_minima<2>(array, comm, [&]() -> std::array<std::int64_t, 2> {
    daptor::detail::fault_point("ga.import_array.check");
    if (array.local_count() > 0) adapter::require_same_memory(array);
    adapter::require_none(detail::array_reasons(array));
    const auto found = detail::find_export_of(array);
    if (!found) return {detail::unknown, detail::unknown};
    return {found->serial, adapter::falling(found->serial)};
  });
  if (least[0] == detail::unknown)
    adapter::require_none(memory_reason("an array without elements"));
  if (!adapter::same_on_all(least[0], least[1]))
    adapter::require_none(memory_reason("sections of different Global Arrays"));
  return agreed(comm, [&] {
    const auto found = detail::find_export_by_serial(least[0]);
    if (!found) adapter::require_none(memory_reason("an array that is not here"));
    return found->life.handle;
  });
}

}  // namespace daptor::ga
