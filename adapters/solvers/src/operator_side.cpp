// SPDX-License-Identifier: BSD-3-Clause
#include "operator_side.hpp"

#include <string>

#include "daptor/adapter/reason.hpp"
#include "daptor/error.hpp"
#include "local_count.hpp"

namespace daptor::solvers {
void require_fitting(const Tpetra::Map<>& map, const Comm& comm, Index count, const char* rule) {
  const auto ranks = map.getComm();
  if (ranks.is_null() || ranks->getSize() != comm.size() || ranks->getRank() != comm.rank())
    adapter::refuse_argument("operator.communicator",
                             "a Map on different ranks, or on the same ranks in a different order",
                             "the ranks of the PETSc object, in the same order",
                             "Make the Map on the communicator of the PETSc object.");
  if (local_count(map) != count)
    adapter::refuse_argument(rule, std::to_string(local_count(map)) + " local elements of the Map",
                             std::to_string(count) + " local elements, as in the PETSc object",
                             "Divide the vectors like the layout of the PETSc object.");
}

OperatorSide::OperatorSide(const Teuchos::RCP<const Tpetra::Map<>>& map, Index count)
    : count_(count) {
  seen_[0] = {map, tpetra::find_record(map)};
}

const OperatorSide::Seen* OperatorSide::find(const Tpetra::Map<>& map) const {
  for (const Seen& seen : seen_)
    if (seen.map.get() == &map) return &seen;
  return nullptr;
}

void OperatorSide::require(const Teuchos::RCP<const Tpetra::Map<>>& map, Call& call) {
  if (find(*map) != nullptr) return;
  call.check([&] { require_fitting(*map, call.comm(), count_, "operator.vectors"); });
  seen_[next_] = {map, tpetra::find_record(map)};
  next_ = next_ + 1 < seen_.size() ? next_ + 1 : 1;
}

void OperatorSide::tell_views(const Tpetra::Map<>& map) const {
  const Seen* const seen = find(map);
  if (seen == nullptr || seen->record == nullptr) return;
  if (const auto& state = seen->record->state()) state->modified();
}

}  // namespace daptor::solvers
