// SPDX-License-Identifier: BSD-3-Clause
#include "daptor/lease.hpp"

#include <utility>

#include "array/open_memory.hpp"
#include "daptor/error.hpp"
#include "report/refuse.hpp"

namespace daptor {
namespace {

Producer& producer_of(const DistArray& array) {
  return array.buffer().state()->producer();
}

void open(const DistArray& array, Access access) {
  if (!array.buffer().has_memory())
    detail::refuse_argument("lease.memory", "a description without its memory",
                            "an array with memory", "Give it memory with with_memory().");
  if (array.buffer().state()->plain()) return;
  // The producer compares the address that it gave out; nothing is written through it.
  void* const described = const_cast<void*>(array.data());
  if (producer_of(array).begin_access(access, described) == described) return;
  producer_of(array).end_access(access);
  throw Stale("memory at another address than described", "Export the array again.");
}

}  // namespace

void detail::open_for_writing(const DistArray& array) {
  if (array.readonly())
    detail::refuse_argument("lease.readonly", "a write lease on a read-only array", "a ReadLease",
                            "Read it, or ask its producer for a writable array.");
  open(array, Access::write);
}

void detail::close_written(const DistArray& array) {
  close_unwritten(array);
  array.modified();
}

void detail::close_unwritten(const DistArray& array) noexcept {
  if (!array.buffer().state()->plain()) producer_of(array).end_access(Access::write);
}

ReadLease::ReadLease(const DistArray& array) : array_(array) {
  open(array_, Access::read);
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
  if (std::exchange(open_, false)) producer_of(array_).end_access(Access::read);
}

WriteLease::WriteLease(const DistArray& array) : array_(array) {
  detail::open_for_writing(array_);
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
  if (std::exchange(open_, false)) detail::close_written(array_);
}

void WriteLease::end() noexcept {
  try {
    close();
  } catch (...) {
    // Nobody is left to tell; close() is the way to hear of it.
  }
}

}  // namespace daptor
