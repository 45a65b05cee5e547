#pragma once

#include <memory>
#include <optional>
#include <vector>

#include <mpi.h>

#include "daptor/dist_array.hpp"

/// \file
/// From the memory of an existing code to a DistArray in one or two lines.

namespace daptor {

/// Describes memory that this process holds, in version 0.9.0: `data` is the first element of the
/// section (padding included), gapless in `order`. `owner` keeps the memory alive; null: the caller
/// does. Process-local. Throws Malformed where the dimensions break a local clause, or (T10) where
/// 64 bits do not hold the bytes of the section.
template <class T>
DistArray describe(T* data, std::vector<Dimension> dimensions, Order order = Order::c,
                   std::shared_ptr<const void> owner = nullptr);

/// The same with byte strides, one for each dimension.
template <class T>
DistArray describe(T* data, std::vector<Dimension> dimensions, std::vector<Index> byte_strides,
                   std::shared_ptr<const void> owner = nullptr);

/// Describes memory whose element type is known at run time only. `data` may be null: a description
/// without memory.
DistArray describe(const DataType& type, void* data, std::vector<Dimension> dimensions,
                   Order order = Order::c, bool readonly = false,
                   std::shared_ptr<const void> owner = nullptr);
DistArray describe(const DataType& type, void* data, std::vector<Dimension> dimensions,
                   std::vector<Index> byte_strides, bool readonly = false,
                   std::shared_ptr<const void> owner = nullptr);

/// A block array of any number of dimensions over a whole communicator.
struct BlockOptions {
  /// Processes along each dimension; empty: as MPI_Dims_create divides them. A zero is filled in.
  std::vector<Index> grid = {};
  /// Communication padding on internal and periodic edges, one entry a dimension; empty: none.
  std::vector<Padding> communication = {};
  /// Boundary padding on external edges of non-periodic dimensions, inside the global shape.
  std::vector<Padding> boundary = {};
  std::vector<bool> periodic = {};
};

/// The dimensions of this rank's section of an even n-d block array: ranks row-major on the grid,
/// remainders to the first. Process-local (asks `comm` for rank and size only). A dimension with
/// one process and no padding is still a block of one process. Where either padding is given, every
/// dimension has the padding key. Throws InvalidArgument for MPI_COMM_NULL, an intercommunicator, a
/// grid that is not the processes' and options with another number of entries; Malformed for a
/// negative size (D08) or width (P03), the same on all processes.
std::vector<Dimension> block_dimensions(const std::vector<Index>& global_shape, MPI_Comm comm,
                                        const BlockOptions& options = {});

/// Processes along each dimension that `block_dimensions` would use. Throws InvalidArgument where
/// `grid` does not divide the processes. Needs MPI where a part of the grid is to be found.
std::vector<Index> block_grid(int ndim, int process_count, const std::vector<Index>& grid = {});

/// Row-major grid coordinates of `rank` (D20). Throws InvalidArgument for a rank outside the grid.
std::vector<Index> grid_coordinates(const std::vector<Index>& grid, Index rank);

/// Elements of the section that these dimensions describe, all padding included: how much to
/// allocate. Throws Malformed where they break a local clause, or (T10) 64 bits do not hold it.
Index local_count(const std::vector<Dimension>& dimensions);

/// An array on memory of its own, zeroed, aligned to 64 bytes and freed with the last description
/// or import of it. Throws Malformed as `describe` does, and LibraryFailed (`library.c++`) where
/// there is not that much memory.
DistArray allocate(const DataType& type, std::vector<Dimension> dimensions, Order order = Order::c);
template <class T>
DistArray allocate(std::vector<Dimension> dimensions, Order order = Order::c) {
  return allocate(DataType::of<T>(), std::move(dimensions), order);
}

template <class T>
DistArray describe(T* data, std::vector<Dimension> dimensions, Order order,
                   std::shared_ptr<const void> owner) {
  // The one place where a caller's const becomes the read-only flag that every later access obeys.
  return describe(DataType::of<T>(), const_cast<std::remove_const_t<T>*>(data),
                  std::move(dimensions), order, std::is_const_v<T>, std::move(owner));
}

template <class T>
DistArray describe(T* data, std::vector<Dimension> dimensions, std::vector<Index> byte_strides,
                   std::shared_ptr<const void> owner) {
  return describe(DataType::of<T>(), const_cast<std::remove_const_t<T>*>(data),
                  std::move(dimensions), std::move(byte_strides), std::is_const_v<T>,
                  std::move(owner));
}

}  // namespace daptor
