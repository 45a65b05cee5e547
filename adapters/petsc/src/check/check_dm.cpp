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
  detail::MappingChecks mappings;
  call.check([&] {
    if (mapped) mappings.begin(detail::mappings_of(dm, layout.get()), call);
  });
  if (!mapped || mappings.clean()) return {};
  mappings.ask(call);
  return adapter::merged(call, [&] { return mappings.conclude(); });
}

}  // namespace daptor::petsc
