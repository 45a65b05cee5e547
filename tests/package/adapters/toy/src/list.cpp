// SPDX-License-Identifier: BSD-3-Clause
#include <toy.h>

#include <optional>
#include <utility>

#include "daptor/agreement.hpp"
#include "daptor/explain.hpp"
#include "daptor/toy.hpp"

namespace daptor::toy {
namespace {

LocalAssessment assess_list(const DistArray& array, int /*process_count*/) {
  LocalAssessment assessment;
  const bool contiguous = array.ndim() == 1 && array.byte_strides()[0] == sizeof(double);
  if (!contiguous || array.type() != DataType::of<double>()) {
    Finding reason;
    reason.rule = "toy.contiguous";
    reason.found = "another array than one-dimensional, contiguous doubles";
    reason.expected = "contiguous doubles in one dimension";
    assessment.reasons.push_back(std::move(reason));
  }
  return assessment;
}

const Target& list_target() {
  static const Target target = {"toy.list", "daptor::toy::import_list", assess_list};
  return target;
}

std::shared_ptr<toy_list> list_on(const DistArray& array) {
  toy_list* const list =
      toy_list_on(static_cast<double*>(array.mutable_data()), array.local_count());
  if (list == nullptr) throw LibraryFailed("toy", "toy_list_on", "toy_start was not called");
  return {list, toy_list_free};
}

}  // namespace

List import_list(const DistArray& array, const Comm& comm) {
  const CollectiveCall call(comm, "daptor::toy::import_list");
  std::shared_ptr<toy_list> list = agreed(comm, [&] {
    require_representable(list_target(), array, comm.size());
    return list_on(array);
  });
  return {array, std::move(list)};
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
