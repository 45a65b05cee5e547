// SPDX-License-Identifier: BSD-3-Clause
#include <toy.h>

#include <utility>

#include "daptor/adapter/memory.hpp"
#include "daptor/adapter/reason.hpp"
#include "daptor/builders.hpp"
#include "daptor/call.hpp"
#include "daptor/explain.hpp"
#include "daptor/toy.hpp"

namespace daptor::toy {
namespace {

LocalAssessment assess_list(const Section& array, int /*process_count*/) {
  adapter::Reasons reasons;
  const bool contiguous = array.ndim() == 1 && array.byte_strides()[0] == sizeof(double);
  if (!contiguous || array.type() != DataType::of<double>())
    reasons.push_back(adapter::reason("toy.list.contiguous",
                                      "another array than one-dimensional, contiguous doubles",
                                      "contiguous doubles in one dimension"));
  if (array.readonly())
    reasons.push_back(
        adapter::reason("toy.list.readonly", "read-only memory", "memory that may be written"));
  return {std::move(reasons), 0};
}

const Target& list_target() {
  static const Target target = {"toy.list", Name{"daptor::toy::import_list", "daptor.toy.sum(a)"},
                                assess_list};
  return target;
}

std::shared_ptr<toy_list> list_on(const Section& array) {
  toy_list* const list =
      toy_list_on(static_cast<double*>(array.mutable_data()), array.local_count());
  if (list == nullptr) throw LibraryFailed("toy", "toy_list_on", "toy_start was not called");
  return {list, toy_list_free};
}

}  // namespace

List import_list(const DistArray& array) {
  Call call(array, "toy::import_list");
  call.check([&] {
    require_representable(list_target(), array, call.comm().size());
    adapter::require_memory(array);
  });
  return call.check([&] { return List(array, list_on(array)); });
}

Section export_list(toy_list* list, std::vector<Dimension> dimensions) {
  return describe(toy_list_values(list), toy_list_count(list), std::move(dimensions));
}

bool register_targets() {
  register_target(list_target());
  return true;
}

namespace {
[[maybe_unused]] const bool registered_when_loaded = register_targets();
}  // namespace

}  // namespace daptor::toy

/// Called by Python through ctypes.
extern "C" double daptor_toy_sum(double* values, long count) {
  toy_start();
  const std::shared_ptr<toy_list> list(toy_list_on(values, count), toy_list_free);
  return toy_list_sum(list.get());
}
