// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "array_reasons.hpp"
#include "copy_form.hpp"
#include "daptor/adapter/memory.hpp"
#include "daptor/call.hpp"
#include "daptor/error.hpp"
#include "daptor/ga/array.hpp"
#include "exports.hpp"
#include "names.hpp"

namespace daptor::ga {
namespace {

adapter::Reasons memory_reason(const Terms& found, Suggestion copy = {}) {
  return {adapter::reason("ga.array.memory", found, "the memory of a Global Array",
                          "Create the array with Global Arrays, which allocates its own memory.",
                          std::move(copy))};
}

}  // namespace

Suggestion detail::to_array() {
  return {"ga.copy_to_array", {}, names::copy_to_array};
}

adapter::Reasons detail::array_reasons(const Section& array) {
  const auto found = find_export_of(array);
  if (found && array.readonly() && !found->array.readonly())
    return {adapter::reason("ga.array.readonly", "read-only memory", "memory that may be written",
                            "Pass the exported array itself: a handle always allows GA_Put.",
                            to_array())};
  if (found && found->array.same_layout(array)) return {};
  const std::vector<Index> shape = array.global_shape();
  if (std::count(shape.begin(), shape.end(), 0) > 0)
    return memory_reason("an array without elements");
  if (array.local_count() == 0) return {};
  if (found)
    return {adapter::reason("ga.array.layout", "another layout than the Global Array's",
                            "the dimensions and strides of its export",
                            "Pass the exported array itself.", to_array())};
  return memory_reason(
      array.data() == nullptr ? "a description without memory" : "memory that GA has not allocated",
      copy_reasons(array).empty() ? to_array() : Suggestion());
}

namespace {

/// The exports of which the ranks know the array to be.
struct Serials {
  Agreed<std::int64_t> least, greatest;
};

/// To be called within a check.
Serials say_serial(const Section& array, Call& call) {
  const auto found = detail::find_export_of(array);
  return {call.least(found ? found->serial : detail::unknown),
          call.greatest(found ? found->serial : 0)};
}

void require_one_export(const Serials& all) {
  if (all.least == detail::unknown)
    adapter::require_none(memory_reason("an array without elements"));
  if (all.least != all.greatest)
    adapter::require_none(memory_reason("sections of different Global Arrays"));
}

}  // namespace

void detail::agree_on_array(const DistArray& array, Call& call) {
  require_one_export(call.check([&] { return say_serial(array, call); }));
}

int import_array(const DistArray& array) {
  Call call(array, "ga::import_array");
  const Serials all = call.check([&] {
    if (array.local_count() > 0) adapter::require_same_memory(array);
    adapter::require_none(detail::array_reasons(array));
    return say_serial(array, call);
  });
  require_one_export(all);
  return call.check([&] {
    const auto found = detail::find_export_by_serial(all.least);
    if (!found) adapter::require_none(memory_reason("an array that is not here"));
    return found->life.handle;
  });
}

}  // namespace daptor::ga
