// SPDX-License-Identifier: BSD-3-Clause
#include "log.hpp"

#include <array>
#include <cstddef>
#include <utility>

#include <petscsys.h>

#include "daptor/petsc/adapter/call.hpp"
#include "daptor/petsc/adapter/found.hpp"

namespace daptor::solvers {
namespace {

using petsc::detail::session_number;

constexpr std::array<const char*, 4> names{"DaptorHandOver", "DaptorSetUp", "DaptorApply",
                                           "DaptorAdapt"};
constexpr PetscLogEvent none = -1;

std::array<PetscLogEvent, names.size()> ids{none, none, none, none};
unsigned registered_session = 0;

// Events are valid only in the session in which they were registered.
void register_events(unsigned session) noexcept {
  ids.fill(none);
  if (!petsc::detail::is_running()) return;
  registered_session = session;
  PetscClassId id = 0;
  if (static_cast<int>(PetscClassIdRegister("Daptor", &id)) != 0) return;
  for (std::size_t i = 0; i < names.size(); ++i)
    if (static_cast<int>(PetscLogEventRegister(names[i], id, &ids[i])) != 0) ids[i] = none;
}

PetscErrorCode begin(PetscLogEvent id) {
  return PetscLogEventBegin(id, nullptr, nullptr, nullptr, nullptr);
}
PetscErrorCode end(PetscLogEvent id) {
  return PetscLogEventEnd(id, nullptr, nullptr, nullptr, nullptr);
}

}  // namespace

Logged::Logged(Event event) noexcept : id_(none) {
  const unsigned session = session_number.load(std::memory_order_relaxed);
  if (registered_session != session) register_events(session);
  const PetscLogEvent id = ids[static_cast<std::size_t>(event)];
  if (id != none && static_cast<int>(begin(id)) == 0) id_ = id;
}

void Logged::close() noexcept {
  const PetscLogEvent id = std::exchange(id_, none);
  if (id != none) static_cast<void>(end(id));
}

}  // namespace daptor::solvers
