// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include <mpi.h>

#include "daptor/adapter/communicator.hpp"

namespace daptor {

/// The operations of a communicator over MPI. Does not own the MPI communicator.
class MpiCommunicator : public Communicator {
 public:
  explicit MpiCommunicator(MPI_Comm comm) { bind(comm); }

  int rank() const override { return rank_; }
  int size() const override { return size_; }
  void allreduce(std::int64_t* values, int count, Reduction reduction) const override;
  std::int64_t exclusive_sum(std::int64_t value) const override;
  void broadcast(void* data, std::size_t count, int root) const override;
  void sendrecv(int to, const void* send, std::size_t sent, int from, void* receive,
                std::size_t received) const override;
  std::vector<Message> exchange(const std::vector<Message>& messages) const override;
  MPI_Comm mpi() const override { return mpi_; }

 protected:
  MpiCommunicator() = default;
  /// Process-local. Takes rank and size, too.
  void bind(MPI_Comm comm);
  /// Process-local. Of a communicator with the rank and size that were measured.
  void take(MPI_Comm comm) noexcept { mpi_ = comm; }
  void unbind() noexcept { mpi_ = MPI_COMM_NULL; }
  /// Process-local. Takes rank and size from `comm`, and does not bind.
  void measure(MPI_Comm comm);

 private:
  /// Collective. Called by an operation that finds nothing bound; binds, or throws.
  virtual void bind_late() {}
  /// The communicator of an operation, which is collective.
  MPI_Comm bound() const;

  MPI_Comm mpi_ = MPI_COMM_NULL;
  int rank_ = 0;
  int size_ = 1;
  mutable int exchange_turn_ = 0;
};

}  // namespace daptor
