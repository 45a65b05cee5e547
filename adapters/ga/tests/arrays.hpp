// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Global Arrays of all kinds, for tests, and what GA itself says of their elements.

#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <vector>

#include <ga-mpi.h>
#include <ga.h>
#include <macdecls.h>
#include <mpi.h>

#include <daptor/comm.hpp>
#include <daptor/dist_array.hpp>
#include <daptor/ga.hpp>
#include <daptor/lease.hpp>
#include <daptor/local_index_map.hpp>

#include "everywhere.hpp"
#include "for_each_index.hpp"
#include "world.hpp"
#include "world_comm.hpp"

namespace daptor::ga::test {

using daptor::test::expect_refused_everywhere;
using daptor::test::for_each_index;
using daptor::test::line;
using daptor::test::world;
using daptor::test::world_rank;
using daptor::test::world_size;

using Numbers = std::vector<int>;

/// A Global Array, destroyed with this object.
class OwnedGlobalArray {
 public:
  /// @param set  further calls between NGA_Create_handle and GA_Allocate
  /// @param zero  whether GA sets the elements to 0, which ends the job for mirrored arrays and for
  ///              block-cyclic ones on some groups
  explicit OwnedGlobalArray(Numbers shape, const std::function<void(int)>& set = {},
                            int type = C_DBL, bool zero = true)
      : shape_(std::move(shape)), handle_(GA_Create_handle()) {
    GA_Set_data(handle_, static_cast<int>(shape_.size()), shape_.data(), type);
    if (set) set(handle_);
    EXPECT_NE(GA_Allocate(handle_), 0);
    double zeroes[2] = {0, 0};
    if (zero) GA_Fill(handle_, zeroes);
  }
  /// Over the memory of another array, which has to live longer.
  OwnedGlobalArray(Numbers shape, const OwnedGlobalArray& parent)
      : shape_(std::move(shape)), handle_(GA_Create_handle()) {
    GA_Set_data(handle_, static_cast<int>(shape_.size()), shape_.data(), C_DBL);
    EXPECT_NE(NGA_Overlay(handle_, parent.handle()), 0);
  }
  OwnedGlobalArray(const OwnedGlobalArray&) = delete;
  OwnedGlobalArray& operator=(const OwnedGlobalArray&) = delete;
  ~OwnedGlobalArray() { destroy(); }
  void destroy() {
    if (alive_) GA_Destroy(handle_);
    alive_ = false;
  }
  int handle() const { return handle_; }
  const Numbers& shape() const { return shape_; }

 private:
  Numbers shape_;
  int handle_;
  bool alive_ = true;
};

/// GA's processes in two groups, the first half and the others. The processes of the second group,
/// if there are two processes, have other numbers in it than among all.
class Halves {
 public:
  Halves() {
    const int half = (world_size() + 1) / 2;
    Numbers first, second;
    for (int rank = 0; rank < world_size(); ++rank) (rank < half ? first : second).push_back(rank);
    const int low = GA_Pgroup_create(first.data(), static_cast<int>(first.size()));
    const int high =
        second.empty() ? 0 : GA_Pgroup_create(second.data(), static_cast<int>(second.size()));
    in_second_ = world_rank() >= half;
    mine_ = in_second_ ? high : low;
  }
  Halves(const Halves&) = delete;
  Halves& operator=(const Halves&) = delete;
  ~Halves() {
    GA_Sync();
    GA_Pgroup_destroy(mine_);
    GA_Sync();
  }

  /// The group of this process.
  int mine() const { return mine_; }
  bool in_second() const { return in_second_; }

 private:
  bool in_second_;
  int mine_;
};

/// Every second process, the last one first.
inline Numbers every_second_process() {
  Numbers list;
  for (int rank = world_size() - 1; rank >= 0; rank -= 2) list.push_back(rank);
  return list;
}

/// For OwnedGlobalArray: the array is on these processes alone.
inline std::function<void(int)> restricted_to(Numbers list) {
  return [list](int handle) mutable {
    GA_Set_restricted(handle, list.data(), static_cast<int>(list.size()));
  };
}

/// Whether this process is one of `every_second_process()`.
inline bool in_every_second_process() {
  return (world_size() - 1 - world_rank()) % 2 == 0;
}

/// The number of an element in row-major order.
inline double label(const std::vector<Index>& global, const Numbers& shape) {
  double number = 0;
  for (std::size_t d = 0; d < shape.size(); ++d)
    number = number * shape[d] + static_cast<double>(global[d]);
  return number + 1;
}

/// An element by its local indices, padding included.
inline double* element(const Section& array, const std::vector<Index>& local) {
  char* at = static_cast<char*>(array.mutable_data());
  for (std::size_t d = 0; d < local.size(); ++d) at += local[d] * array.byte_strides()[d];
  return reinterpret_cast<double*>(at);
}

/// Calls `visit(local, global)` for every element that this process owns.
inline void for_each_owned(
    const Section& array,
    const std::function<void(const std::vector<Index>&, const std::vector<Index>&)>& visit) {
  const LocalIndexMap map(array);
  for_each_index(array.owned_shape(), [&](const std::vector<Index>& within) {
    std::vector<Index> local = within;
    for (std::size_t d = 0; d < local.size(); ++d) local[d] += array.owned_offset()[d];
    visit(local, map.global_of(local));
  });
}

/// Writes the labels through the description.
inline void write_labels(const Section& array, const Numbers& shape) {
  WriteLease lease(array);
  for_each_owned(array, [&](const std::vector<Index>& local, const std::vector<Index>& global) {
    *element(array, local) = label(global, shape);
  });
  lease.close();
}

/// GA gets the labels from everywhere, one row at a time.
inline void expect_labels_in_ga(int handle, const Numbers& shape) {
  Numbers lo(shape.size(), 0);
  const std::vector<Index> rows(shape.begin(), shape.end() - 1);
  int wrong = 0;
  const auto look = [&](const std::vector<Index>& row) {
    Numbers hi;
    std::vector<Index> global(row);
    for (std::size_t d = 0; d + 1 < shape.size(); ++d) lo[d] = static_cast<int>(row[d]);
    hi = lo;
    hi.back() = shape.back() - 1;
    std::vector<double> values(static_cast<std::size_t>(shape.back()));
    Numbers ld(shape.size(), 1);
    ld.back() = shape.back();
    if (shape.size() > 1) ld[shape.size() - 2] = shape.back();
    NGA_Get(handle, lo.data(), hi.data(), values.data(), ld.data());
    global.push_back(0);
    for (Index i = 0; i < shape.back(); ++i) {
      global.back() = i;
      if (values[static_cast<std::size_t>(i)] != label(global, shape)) ++wrong;
    }
  };
  if (rows.empty())
    look({});
  else
    for_each_index(rows, look);
  EXPECT_EQ(wrong, 0);
}

/// The memory is GA's own, the description is right, and GA sees what is written through it.
inline void expect_exported(const OwnedGlobalArray& made) {
  const DistArray array = export_array(made.handle());
  if (array.described()) {
    EXPECT_EQ(array.global_shape(), std::vector<Index>(made.shape().begin(), made.shape().end()));
    write_labels(array, made.shape());
  }
  GA_Sync();
  expect_labels_in_ga(made.handle(), made.shape());
  GA_Sync();
}

/// As square as possible, with product `processes`.
inline Numbers square_grid(int processes) {
  int rows = 1;
  for (int i = 1; i * i <= processes; ++i)
    if (processes % i == 0) rows = i;
  return {processes / rows, rows};
}

}  // namespace daptor::ga::test
