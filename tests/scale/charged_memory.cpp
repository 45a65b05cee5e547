// SPDX-License-Identifier: BSD-3-Clause
// Replaces operator new and delete of the program, so that memory is charged to the account of the
// rank that allocates it (fibers.hpp) and credited to the same account, whoever frees it.

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <new>

#include "fibers.hpp"

namespace {

using daptor::test::Account;

/// Stands before each allocation.
struct alignas(std::max_align_t) Header {
  Account* account;
  std::size_t count;
};

void* allocate(std::size_t count) {
  void* const memory = std::malloc(sizeof(Header) + count);
  if (memory == nullptr) return nullptr;
  Account* const account = daptor::test::charged_account;
  ::new (memory) Header{account, count};
  if (account != nullptr) {
    account->held += static_cast<std::int64_t>(count);
    account->most = std::max(account->most, account->held);
  }
  return static_cast<Header*>(memory) + 1;
}

void release(void* memory) noexcept {
  if (memory == nullptr) return;
  Header* const header = static_cast<Header*>(memory) - 1;
  if (header->account != nullptr) header->account->held -= static_cast<std::int64_t>(header->count);
  std::free(header);
}

}  // namespace

void* operator new(std::size_t count) {
  void* const memory = allocate(count);
  if (memory == nullptr) throw std::bad_alloc();
  return memory;
}
void* operator new[](std::size_t count) {
  return operator new(count);
}
void* operator new(std::size_t count, const std::nothrow_t&) noexcept {
  return allocate(count);
}
void* operator new[](std::size_t count, const std::nothrow_t&) noexcept {
  return allocate(count);
}
void operator delete(void* memory) noexcept {
  release(memory);
}
void operator delete[](void* memory) noexcept {
  release(memory);
}
void operator delete(void* memory, std::size_t) noexcept {
  release(memory);
}
void operator delete[](void* memory, std::size_t) noexcept {
  release(memory);
}
void operator delete(void* memory, const std::nothrow_t&) noexcept {
  release(memory);
}
void operator delete[](void* memory, const std::nothrow_t&) noexcept {
  release(memory);
}
