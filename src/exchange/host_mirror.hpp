// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

#include <mpi.h>

#include "daptor/device.hpp"
#include "daptor/dist_array.hpp"
#include "exchange/array_memory.hpp"
#include "exchange/sharing.hpp"
#include "exchange/transfer.hpp"

namespace daptor::detail {

/// \name The bytes of an array that a transfer reads and writes. Some may be in several runs.
/// \{
std::vector<ByteRun> bytes_read(const Sharing& sharing, const ArrayMemory& memory);
std::vector<ByteRun> bytes_written(const Sharing& sharing, const ArrayMemory& memory);
/// \}

/// Memory of the host for all bytes to which the array's strides reach, described like the array.
/// It is not set.
Section host_memory_like(const Section& array);
/// All elements of the array.
std::vector<ByteRun> all_bytes(const Section& array);
/// A device whose memory is that of the host.
std::shared_ptr<Device> host_as_device();

/// Memory of the host for an array in memory of a device: it has the array's strides, so that
/// elements have the same offsets in both. Only what is fetched has values.
class HostMirror {
 public:
  /// Allocates; pages that are never used are never touched.
  /// @param array  with memory of a device for which a Device is registered
  explicit HostMirror(const DistArray& array);

  /// The array in the mirror's memory; writable.
  const DistArray& host() const { return host_; }
  /// From now on mirrors another array of the same layout and space.
  void follow(const DistArray& array) noexcept;

  /// \name Copies between the array and its mirror. Both wait until the copies are complete.
  /// The array's memory must be open. They throw whatever the device throws.
  /// \{
  void fetch(const std::vector<ByteRun>& runs);
  void store(const std::vector<ByteRun>& runs);
  /// \}

 private:
  Device::Place place() const { return {space_, state_->stream()}; }

  DistArray host_;
  std::shared_ptr<Device> device_;
  MemorySpace space_;
  std::byte* data_;  // of the device
  std::shared_ptr<SharedState> state_;
};

/// The arrays of one side of an exchange, of which those in memory of a device have mirrors. All
/// arrays of a side have one layout, hence one space.
class HostMirrors {
 public:
  HostMirrors() = default;
  explicit HostMirrors(const std::vector<DistArray>& arrays);

  bool empty() const { return mirrors_.empty(); }
  /// What the exchange works on: the mirrors, or `arrays` if they need none.
  const std::vector<DistArray>& reachable(const std::vector<DistArray>& arrays) const {
    return empty() ? arrays : hosts_;
  }
  void follow(const std::vector<DistArray>& arrays) noexcept;
  void fetch(const std::vector<ByteRun>& runs);
  void store(const std::vector<ByteRun>& runs);

 private:
  std::vector<HostMirror> mirrors_;
  std::vector<DistArray> hosts_;
};

/// A transfer between mirrors: fetches what it reads before it starts, and stores what it has
/// written when it has finished.
class StagedTransfer final : public Transfer {
 public:
  /// What is copied between the mirrors of one side and their arrays.
  struct Copies {
    HostMirrors* mirrors = nullptr;
    const std::vector<ByteRun>* runs = nullptr;
  };
  StagedTransfer(Transfer& inner, std::vector<Copies> fetched, std::vector<Copies> stored)
      : inner_(&inner), fetched_(std::move(fetched)), stored_(std::move(stored)) {}

  void start(MPI_Comm comm, int tag) override;
  void finish() override;
  void abandon() override { inner_->abandon(); }
  void cancel() noexcept override { inner_->cancel(); }

 private:
  Transfer* inner_;
  std::vector<Copies> fetched_, stored_;
};

}  // namespace daptor::detail
