// SPDX-License-Identifier: BSD-3-Clause
#include "daptor/adapter/merged.hpp"
#include "daptor/call.hpp"
#include "daptor/petsc/adapter/call.hpp"
#include "daptor/petsc/adapter/guard.hpp"
#include "daptor/petsc/check.hpp"
#include "object_mappings.hpp"

namespace daptor::petsc {

Report check(DM dm) {
  Call call(detail::comm_of(detail::object(dm)), "petsc::check");
  Agreed<bool> mapped;
  call.check([&] {
    detail::require_session();
    mapped = call.all(detail::known_mapping(dm) != nullptr);
  });
  detail::Guard<Vec> layout;
  if (mapped)
    detail::collective(call.comm(), "DMCreateGlobalVector", DMCreateGlobalVector, dm, layout.out());
  Report report = detail::judge_mappings(call, [&]() -> std::vector<detail::MappingCheck> {
    if (!mapped) return {};
    return detail::mappings_of(dm, layout.get());
  });
  return adapter::merged(call, [&] { return report; });
}

}  // namespace daptor::petsc
