// SPDX-License-Identifier: BSD-3-Clause
#include "daptor/adapter/form.hpp"
#include "daptor/builders.hpp"
#include "daptor/toy.hpp"

namespace daptor::toy {
namespace {

const adapter::Form& list_form() {
  static const adapter::Form form = [] {
    auto list = adapter::Form::of<double>("toy.list");
    list.layout = adapter::Form::Layout::one_run;
    list.part = adapter::SectionPart::all;
    list.writable = "memory that may be written";
    return list;
  }();
  return form;
}

toy_list* list_on(const adapter::Fit& fit) {
  toy_list* const list = toy_list_on(static_cast<double*>(fit.data), fit.local);
  if (list == nullptr) throw LibraryFailed("toy", "toy_list_on", "toy_start was not called");
  return list;
}

[[maybe_unused]] const bool registered_when_loaded = register_targets();

}  // namespace

List import_list(const DistArray& array) {
  Call call(array, "toy::import_list");
  const adapter::Fit fit = adapter::agree(list_form(), array, call);
  return call.check([&] { return List(list_on(fit), array); });
}

Section export_list(toy_list* list, std::vector<Dimension> dimensions) {
  return describe(toy_list_values(list), toy_list_count(list), std::move(dimensions));
}

bool register_targets() {
  register_target(adapter::target_of(list_form(), "toy.list",
                                     Name{"daptor::toy::import_list", "daptor.toy.sum(a)"}));
  return true;
}

}  // namespace daptor::toy

/// Called by Python through ctypes.
extern "C" double daptor_toy_sum(double* values, long count) {
  toy_start();
  toy_list* const list = toy_list_on(values, count);
  const double sum = toy_list_sum(list);
  toy_list_free(list);
  return sum;
}
