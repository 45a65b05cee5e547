// SPDX-License-Identifier: BSD-3-Clause
#include "daptor/adapter/communicator.hpp"

#include <atomic>
#include <utility>

#include "daptor/error.hpp"

namespace daptor {

std::uint64_t detail::new_communicator_number() noexcept {
  static std::atomic<std::uint64_t> last{0};
  return ++last;
}

MPI_Comm Communicator::mpi() const {
  throw InvalidArgument("comm", "ranks that are not processes of MPI", "an MPI communicator");
}

const void* Communicator::kept(const void* key) const noexcept {
  for (const Kept& each : kept_)
    if (each.key == key) return each.object.get();
  return nullptr;
}

void Communicator::keep(const void* key, std::shared_ptr<const void> object) const {
  kept_.push_back({key, std::move(object)});
}

}  // namespace daptor
