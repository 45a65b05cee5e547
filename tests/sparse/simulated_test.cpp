// SPDX-License-Identifier: BSD-3-Clause
// Simulated ranks, in numbers that no machine of the tests has.

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include <gtest/gtest.h>

#include <daptor/daptor.hpp>
#include <daptor/simulated.hpp>

#include "allocated_bytes.hpp"
#include "everywhere.hpp"

namespace {

using namespace daptor;
using namespace daptor::test;

TEST(SparseSimulated, ManyRanks) {
  for (const int ranks : {5, 16, 33}) {
    constexpr int size = 70;
    std::vector<std::int64_t> source(size), target(size, -1), few(size, -1);
    std::vector<std::int8_t> mask(size);
    for (std::size_t i = 0; i < size; ++i) {
      source[i] = static_cast<std::int64_t>(i) + 1;
      mask[i] = i % 9 == 4 ? 1 : 0;
    }
    const auto call = [&](auto&& body) {
      run_simulated(ranks, [&](const Comm& comm) {
        const GridPosition grid{ranks, ranks - 1 - comm.rank()};  // in the opposite order
        const IndexRange mine = even_block(size, grid);
        const auto part = [&](auto& memory) {
          return describe(memory.data() + mine.start, mine.size(), {block(size, grid)}).on(comm);
        };
        body(part(source), part(target), part(mask), part(few));
      });
    };
    call([](const auto& from, const auto& to, const auto& bits, const auto&) {
      scan_add(from, to, bits);
    });
    std::int64_t sum = 0;
    for (std::size_t i = 0; i < size; ++i) {
      sum = mask[i] != 0 ? source[i] : sum + source[i];
      EXPECT_EQ(target[i], i < 4 ? -1 : sum) << i;
    }
    call([](const auto& from, const auto&, const auto& bits, const auto& front) {
      EXPECT_EQ(pack(from, bits, front), 8);
    });
    for (std::size_t i = 0; i < size; ++i)
      EXPECT_EQ(few[i], i < 8 ? static_cast<std::int64_t>(9 * i + 5) : -1);
    std::fill(target.begin(), target.end(), 0);
    call([](const auto&, const auto& to, const auto& bits, const auto& front) {
      EXPECT_EQ(unpack(front, bits, to), 8);
    });
    for (std::size_t i = 0; i < size; ++i) EXPECT_EQ(target[i], mask[i] != 0 ? source[i] : 0);
  }
}

#ifndef DAPTOR_ADDRESS_SANITIZED  // whose heap mallinfo2 does not see

std::size_t most_allocated = 0;

void note_allocated(const char* /*point*/) {
  most_allocated = std::max(most_allocated, allocated_bytes());
}

using Operation =
    std::function<void(const DistArray& line, const DistArray& to, const DistArray& mask)>;

/// Bytes by which the heap grows in a call of all ranks, each of which has 20 elements.
std::size_t growth(int ranks, const Operation& call) {
  std::size_t before = 0;
  run_simulated(ranks, [&](const Comm& comm) {
    std::array<double, 20> line{}, to{};
    std::array<std::int8_t, 20> mask{};
    mask[3] = 1;
    const auto arrays_of = [&](Index global_size) {
      const Dimension dimension = block(global_size, {ranks, comm.rank()});
      return std::array<DistArray, 3>{describe(line.data(), {dimension}).on(comm),
                                      describe(to.data(), {dimension}).on(comm),
                                      describe(mask.data(), {dimension}).on(comm)};
    };
    // The communicator keeps what it needs for messages.
    const auto others = arrays_of(20 * ranks - 1);
    call(others[0], others[1], others[2]);
    const auto arrays = arrays_of(20 * ranks);
    std::int64_t together = 0;
    comm->allreduce(&together, 1, Reduction::sum);
    if (comm.rank() == 0) {
      before = most_allocated = allocated_bytes();
      detail::set_fault_hook(note_allocated);
    }
    comm->allreduce(&together, 1, Reduction::sum);
    call(arrays[0], arrays[1], arrays[2]);
    comm->allreduce(&together, 1, Reduction::sum);
    if (comm.rank() == 0) detail::set_fault_hook(nullptr);
    comm->allreduce(&together, 1, Reduction::sum);
  });
  return most_allocated - before;
}

/// Of 256 and 1024 ranks. With a table of a number for every rank, each further rank would take
/// 10240 bytes in them.
TEST(SparseSimulated, NoRankHasATableOfAllRanks) {
  const Operation scan = [](const auto& line, const auto& to, const auto& mask) {
    scan_add(line, to, mask);
  };
  const Operation packing = [](const auto& line, const auto& to, const auto& mask) {
    pack(line, mask, to);
  };
  const Operation unpacking = [](const auto& line, const auto& to, const auto& mask) {
    unpack(line, mask, to);
  };
  for (const Operation& call : {scan, packing, unpacking}) {
    const std::size_t few = growth(256, call), many = growth(1024, call);
    EXPECT_LT(many, few + 4096 * (1024 - 256));
  }
}

#endif

}  // namespace
