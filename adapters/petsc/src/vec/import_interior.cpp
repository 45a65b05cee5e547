// SPDX-License-Identifier: BSD-3-Clause
#include "import_interior.hpp"

#include <string>
#include <utility>
#include <vector>

#include "daptor/error.hpp"
#include "daptor/terms.hpp"
#include "daptor/without_padding.hpp"

namespace daptor::petsc::detail {
namespace {

/// The copy of the interior, as a program calls it for the array itself.
Terms copy_of_interior(bool read_from_any) {
  const std::string cpp = "daptor::petsc::copy_to_vec(daptor::without_padding(a)";
  const std::string python = "a.copy_to_petsc(", fortran = "call daptor_redistribute(inside, b";
  const std::string behind = "), where a%without_padding(inside) has made inside, and import b";
  if (!read_from_any) return terms::call(cpp + ")", python + "interior=True)", fortran + behind);
  return terms::call(cpp + ", {PETSC_DECIDE, false, true})",
                     python + "read_from_any=True, interior=True)",
                     fortran + ", read_from_any=.true." + behind);
}

/// Reasons against a Vec of the interior, with what to call on the array itself.
[[noreturn]] void refuse_interior(const Report& report) {
  std::vector<Finding> reasons = report.findings();
  for (Finding& reason : reasons) {
    if (reason.rule == "petsc.vec.one-run") {
      reason.found = "padding between the elements of the interior";
      reason.remedy.clear();
    }
    if (reason.copy.function != "petsc.copy_to_vec") continue;
    reason.copy.text = copy_of_interior(reason.copy.has("read_from_any"));
    reason.copy.options.emplace_back("interior", "true");
  }
  throw NotRepresentable(Report(std::move(reasons)));
}

}  // namespace

ImportedVec import_interior(const DistArray& array, VecOptions options, Call& call) {
  call.same(options);
  call.check();
  options.interior = false;
  const DistArray inside = without_padding(array);
  try {
    return import_vec(inside, options);
  } catch (const NotRepresentable& refusal) {
    refuse_interior(refusal.report());
  }
}

void require_no_interior(const VecOptions& options) {
  if (options.interior)
    throw InvalidArgument("interior",
                          "the interior as a Vec of the whole section, with its padding",
                          "this option for a Vec of the owned part");
}

}  // namespace daptor::petsc::detail
