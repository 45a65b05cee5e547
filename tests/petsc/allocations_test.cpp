// SPDX-License-Identifier: BSD-3-Clause
// Text is made for a refusal only: imports and exports that succeed ask C++ for the memory of the
// objects that they make, and for no message.

#include <gtest/gtest.h>

#include <atomic>
#include <cstdlib>
#include <functional>
#include <new>
#include <string>

#include <daptor/petsc.hpp>

#include "world.hpp"

namespace {
std::atomic<bool> counting{false};
std::atomic<int> requests{0};
}  // namespace

// What PETSc and MPI allocate is none of these: they are written in C.
void* operator new(std::size_t size) {
  if (counting) ++requests;
  if (void* const memory = std::malloc(size > 0 ? size : 1)) return memory;
  throw std::bad_alloc();
}
void operator delete(void* memory) noexcept {
  std::free(memory);
}
void operator delete(void* memory, std::size_t) noexcept {
  std::free(memory);
}

namespace daptor::petsc {
namespace {

/// Requests of a call, when one before it has found the communicator and has proven the arrays.
int requests_of(const std::function<void()>& call) {
  call();
  requests = 0;
  counting = true;
  call();
  counting = false;
  return requests;
}

TEST(Allocations, NoMessageWhereNothingIsRefused) {
  const GridPosition line = test::line();
  const auto array = [&](const BlockPadding& padding) {
    return allocate<PetscScalar>({block(8 * line.size, line, padding), undistributed(4)})
        .on(PETSC_COMM_WORLD);
  };
  const DistArray plain = array({}), padded = array({{1, 1}, {}, true});
  const auto vec = import_vec(plain);
  const auto grid = import_dmda(plain);

  // What the objects take: a message would be several more.
  EXPECT_LE(requests_of([&] { Call(PETSC_COMM_WORLD, "agreement").check(); }), 0);
  EXPECT_LE(requests_of([&] { import_vec(plain).close(); }), 6);
  EXPECT_LE(requests_of([&] { import_padded_vec(padded).close(); }), 6);
  EXPECT_LE(requests_of([&] { import_dmda(plain).close(); }), 40);
  EXPECT_LE(requests_of([&] { export_vec(vec.get()); }), 12);
  EXPECT_LE(requests_of([&] { export_dmda(grid.dm(), grid.global()); }), 1);
  EXPECT_GT(requests_of([&] {
              const std::string text(100, 'a');
              EXPECT_EQ(text.size(), 100U);
            }),
            0)
      << "requests are counted";
}

}  // namespace
}  // namespace daptor::petsc
