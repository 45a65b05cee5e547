// SPDX-License-Identifier: BSD-3-Clause
#include "daptor/lease.hpp"

#include <utility>

#include "daptor/adapter/memory.hpp"
#include "daptor/adapter/reason.hpp"
#include "daptor/error.hpp"
#include "section/names.hpp"
#include "section/open_memory.hpp"

namespace daptor {
namespace {

Producer& producer_of(const Section& array) {
  return array.buffer().state()->producer();
}

/// An empty section is in every space.
void require_in(const Section& array, MemorySpace wanted) {
  const MemorySpace space = array.buffer().space();
  if (array.local_count() == 0 || space == wanted || (space.host() && wanted.host())) return;
  if (wanted.host()) adapter::require_host("lease.device", array);
  adapter::refuse_argument("lease.device", space.name(), wanted.name(), names::space_of_memory);
}

}  // namespace

void detail::open_memory(const Section& array, Access access) {
  if (access == Access::write && array.readonly())
    adapter::refuse_argument("lease.readonly", "a read-only array, which is to be written",
                             "a writable array",
                             "Only read it, or ask its producer for a writable array.");
  if (!array.buffer().has_memory())
    adapter::refuse_argument("lease.memory", "a description without memory", "an array with memory",
                             names::with_memory);
  if (array.buffer().state()->plain()) return;
  // The producer compares the address that it gave out; nothing is written through the pointer.
  void* const described = const_cast<void*>(array.data());
  if (producer_of(array).begin_access(access, described) == described) return;
  producer_of(array).end_access(access);
  throw Stale("memory at a different address than the description says", "Export the array again.");
}

void detail::close_memory(const Section& array, Access access) noexcept {
  if (!array.buffer().state()->plain()) producer_of(array).end_access(access);
}

ReadLease::ReadLease(const Section& array) : ReadLease(array, MemorySpace()) {}

ReadLease::ReadLease(const Section& array, MemorySpace space) : array_(array) {
  require_in(array_, space);
  detail::open_memory(array_, Access::read);
  open_ = true;
}

ReadLease::ReadLease(ReadLease&& other) noexcept
    : array_(std::move(other.array_)), open_(std::exchange(other.open_, false)) {}

ReadLease& ReadLease::operator=(ReadLease&& other) noexcept {
  if (this == &other) return *this;
  close();
  array_ = std::move(other.array_);
  open_ = std::exchange(other.open_, false);
  return *this;
}

ReadLease::~ReadLease() {
  close();
}

void ReadLease::close() noexcept {
  if (std::exchange(open_, false)) detail::close_memory(array_, Access::read);
}

WriteLease::WriteLease(const Section& array) : WriteLease(array, MemorySpace()) {}

WriteLease::WriteLease(const Section& array, MemorySpace space) : array_(array) {
  require_in(array_, space);
  detail::open_memory(array_, Access::write);
  open_ = true;
}

WriteLease::WriteLease(WriteLease&& other) noexcept
    : array_(std::move(other.array_)), open_(std::exchange(other.open_, false)) {}

WriteLease& WriteLease::operator=(WriteLease&& other) noexcept {
  if (this == &other) return *this;
  end();
  array_ = std::move(other.array_);
  open_ = std::exchange(other.open_, false);
  return *this;
}

WriteLease::~WriteLease() {
  end();
}

void WriteLease::close() {
  if (!std::exchange(open_, false)) return;
  detail::close_memory(array_, Access::write);
  array_.modified();
}

void WriteLease::end() noexcept {
  try {
    close();
  } catch (...) {
    // A destructor has no way to report this; close() reports it.
  }
}

}  // namespace daptor
