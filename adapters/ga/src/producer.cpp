// SPDX-License-Identifier: BSD-3-Clause
#include "producer.hpp"

#include <cstdint>
#include <utility>

#include "daptor/adapter/library.hpp"
#include "daptor/error.hpp"
#include "library.hpp"

extern "C" void ARMCI_AllFence(void);

namespace daptor::ga::detail {
namespace {

/// Refers to the array by its handle: GA has no reference count.
class ArrayProducer final : public Producer {
 public:
  ArrayProducer(const Division& division, MPI_Comm part)
      : life_(division.life),
        group_(division.group),
        rank_(division.rank),
        memory_(division.memory),
        part_(part) {}

  void* begin_access(Access /*access*/, void* described) override {
    require_alive(life_);
    if (memory_ == nullptr) return described;
    void* memory = nullptr;
    std::int64_t length = 0;
    NGA_Access_block_segment64(life_.handle, rank_, static_cast<void*>(&memory), &length);
    if (memory == memory_) return described;
    NGA_Release_block_segment(life_.handle, rank_);
    throw Stale("a Global Array whose elements have moved since it was exported",
                "Export it again.");
  }

  void end_access(Access access) noexcept override {
    if (memory_ == nullptr || !alive(life_)) return;
    if (access == Access::write)
      NGA_Release_update_block_segment(life_.handle, rank_);
    else
      NGA_Release_block_segment(life_.handle, rank_);
  }

  void modified() override {
    if (!alive(life_)) return;
    if (part_ == MPI_COMM_NULL) {
      GA_Pgroup_sync(group_);
      return;
    }
    ARMCI_AllFence();
    adapter::check_mpi(MPI_Barrier(part_), "MPI_Barrier");
  }

 private:
  Life life_;
  int group_;
  int rank_;
  void* memory_;
  MPI_Comm part_;
};

}  // namespace

std::shared_ptr<SharedState> make_state(const Division& division, MPI_Comm part) {
  return std::make_shared<SharedState>(std::make_unique<ArrayProducer>(division, part));
}

}  // namespace daptor::ga::detail
