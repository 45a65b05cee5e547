// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <deal.II/base/partitioner.h>
#include <deal.II/lac/block_vector_base.h>
#include <deal.II/lac/la_parallel_block_vector.h>
#include <deal.II/lac/la_parallel_vector.h>

#include <memory>
#include <utility>
#include <vector>

#include "daptor/buffer.hpp"
#include "daptor/call.hpp"
#include "daptor/comm.hpp"
#include "daptor/dealii/position.hpp"
#include "daptor/dimension.hpp"
#include "daptor/dist_array.hpp"
#include "daptor/error.hpp"
#include "daptor/stale_padding.hpp"

namespace daptor::dealii {

namespace detail {

template <class Number>
using DistributedVector = ::dealii::LinearAlgebra::distributed::Vector<Number>;
using Partitioner = ::dealii::Utilities::MPI::Partitioner;

/// The first owned element. A const vector becomes a read-only array, so that nobody writes through
/// the pointer.
template <class Number>
void* memory_of(const DistributedVector<Number>& vector) {
  return const_cast<Number*>(vector.begin());
}

/// Refers to a vector, and keeps its ghost state true. deal.II has two states: ghosts have the
/// values of their owners, or they are room for contributions and begin at 0.
template <class Number>
class VectorProducer final : public Producer {
 public:
  VectorProducer(const DistributedVector<Number>& vector, std::shared_ptr<const void> owner)
      : vector_(vector), partitioner_(vector.get_partitioner()), owner_(std::move(owner)) {}

  void* begin_access(Access /*access*/, void* described) override {
    const auto& now = vector_.get_partitioner();
    if (now != partitioner_ && !now->is_compatible(*partitioner_))
      throw Stale("a vector of deal.II that was reinitialized since it was described",
                  "Describe it again.");
    return described == nullptr ? nullptr : memory_of(vector_);
  }
  void modified() override {
    if (vector_.has_ghost_elements()) vector_.zero_out_ghost_values();
  }
  void exchanged(PaddingExchange what) override {
    if (what == PaddingExchange::update)
      vector_.set_ghost_state(true);
    else
      vector_.zero_out_ghost_values();
  }

 private:
  const DistributedVector<Number>& vector_;
  std::shared_ptr<const Partitioner> partitioner_;
  std::shared_ptr<const void> owner_;
};

/// Collective, unless a process has ghosts, which is known of all together. The first index of this
/// process. deal.II says [0, 0) of a process without elements, wherever it is among the others.
inline Index first_index(const Partitioner& partitioner, const Comm& comm) {
  const auto first = static_cast<Index>(partitioner.local_range().first);
  if (partitioner.ghost_indices_initialized()) return first;
  const auto count = static_cast<Index>(partitioner.locally_owned_size());
  const Index before = comm->exclusive_sum(count);
  return count == 0 ? before : first;
}

/// The indices of a vector in the order of its memory: a block, or its range and then its ghosts.
inline Dimension dimension_of(const Partitioner& partitioner, Index first, const Comm& comm) {
  const auto size = static_cast<Index>(partitioner.size());
  const IndexRange owned{first, first + static_cast<Index>(partitioner.locally_owned_size())};
  const GridPosition grid{comm.size(), comm.rank()};
  if (!partitioner.ghost_indices_initialized()) return block(size, grid, owned);
  return block_then_ghosts(size, grid, owned, list_of(partitioner.ghost_indices()));
}

/// This process's part of a vector.
template <class Number>
Section section_of(const DistributedVector<Number>& vector, std::vector<Dimension> dimensions,
                   bool readonly, std::shared_ptr<const void> owner) {
  auto producer = std::make_unique<VectorProducer<Number>>(vector, std::move(owner));
  Buffer buffer(DataType::of<Number>(), {dimensions.front().local_extent()},
                {static_cast<Index>(sizeof(Number))}, memory_of(vector), readonly,
                std::make_shared<SharedState>(std::move(producer)));
  return Section(protocol_0_9, std::move(buffer), std::move(dimensions));
}

template <class Number>
DistArray describe(const DistributedVector<Number>& vector, bool readonly,
                   std::shared_ptr<const void> owner) {
  const Partitioner& partitioner = *vector.get_partitioner();
  Call call(partitioner.get_mpi_communicator(), "dealii::describe");
  const Comm& comm = call.comm();
  const Index first = first_index(partitioner, comm);
  return call
      .check([&] {
        return section_of(vector, {dimension_of(partitioner, first, comm)}, readonly,
                          std::move(owner));
      })
      .on(comm);
}

}  // namespace detail

/// \name LinearAlgebra::distributed::Vector
///
/// The vector as an array of one dimension, on its memory and its communicator: a block if no
/// process has ghosts, otherwise a list of the owned indices followed by the ghosts
/// (`block_then_ghosts`; 8 bytes per index). Collective: one small all-reduce, and one more without
/// ghosts. Nothing is copied, and the vector is unchanged.
///
/// Example: 20 elements on two processes, of which process 0 reads element 10. Process 0 has 11
/// elements in memory, [0, 10) and the ghost 10, and process 1 has [10, 20).
///
/// The ghost state follows what Daptor does. After a halo exchange of the array
/// `has_ghost_elements()` is true. After any other write (`modified()`, a write lease, a
/// redistribution) it is false and ghosts are 0, since they no longer had the values of their
/// owners. After `HaloExchange::accumulate` they are 0, as after deal.II's `compress`. Constraints,
/// such as those of hanging nodes, stay the caller's (`AffineConstraints::distribute`).
///
/// The vector must live as long as the array and what is made of it. If it has other memory or
/// another layout by then (`reinit`, `swap`), leases and imports throw Stale. Another vector of the
/// same layout, as in a Krylov method, takes the same description: `array.with_memory(v.begin())`,
/// which does not know the ghost state.
/// @param vector  in host memory; a const one gives a read-only array
/// @throws LibraryFailed (`library.c++`) for a lack of memory, on all processes
/// \{
template <class Number>
DistArray describe(::dealii::LinearAlgebra::distributed::Vector<Number>& vector) {
  return detail::describe(vector, false, nullptr);
}
template <class Number>
DistArray describe(const ::dealii::LinearAlgebra::distributed::Vector<Number>& vector) {
  return detail::describe(vector, true, nullptr);
}
/// The same, and the array keeps the vector alive.
/// @param vector  not null
template <class Number>
DistArray describe(
    const std::shared_ptr<::dealii::LinearAlgebra::distributed::Vector<Number>>& vector) {
  return detail::describe(*vector, false, vector);
}
template <class Number>
DistArray describe(const ::dealii::LinearAlgebra::distributed::Vector<Number>&& vector) = delete;
/// \}

/// Collective. Whether each ghost of a vector has the value of its owner (`stale_padding`). Ghosts
/// of a vector without ghost values (`has_ghost_elements()` is false) are 0 or contributions, and
/// rightly differ. The vector is unchanged. Block vectors: ask it of each block. Vectors of
/// PETScWrappers: `daptor::petsc::check_ghosts(v.petsc_vector())`.
/// @returns the same report on all ranks, true if the ghosts are right
template <class Number>
Report check_ghosts(const ::dealii::LinearAlgebra::distributed::Vector<Number>& vector) {
  return stale_padding(describe(vector));
}

namespace detail {
/// How a block of a block vector is described; each header of this adapter has that of its vectors.
template <class Vector>
struct Describer;
template <class Number>
struct Describer<DistributedVector<Number>> {
  template <class Vector>
  static DistArray describe(Vector& vector) {
    return dealii::describe(vector);
  }
};

/// How Preconditioner applies an operator to vectors of a kind; each header of this adapter has
/// that of its vectors. All functions are process-local.
/// - `comm(v)`, `count(v)` (owned elements), `memory(v)` (equal for two vectors on the same memory)
/// - `layout(v)`: equal for vectors of one layout; null if that is not known
/// - `hold(v)`: keeps the object behind `layout(v)` alive
/// - `obstacle(v)`: why the owned elements cannot be handed over; null if they can
/// - `before_write(v)`: called before the owned elements are replaced
/// - `Reading`, `Writing`: of a vector, with a member `data`, for the time of the application
template <class Vector>
struct Applied;
template <class Number>
struct Applied<DistributedVector<Number>> {
  using Vector = DistributedVector<Number>;
  static MPI_Comm comm(const Vector& v) { return v.get_partitioner()->get_mpi_communicator(); }
  static Index count(const Vector& v) { return static_cast<Index>(v.locally_owned_size()); }
  static const void* memory(const Vector& v) { return v.begin(); }
  static const void* layout(const Vector& v) { return v.get_partitioner().get(); }
  static std::shared_ptr<const void> hold(const Vector& v) { return v.get_partitioner(); }
  static const char* obstacle(const Vector& /*v*/) { return nullptr; }
  static void before_write(Vector& v) {
    if (v.has_ghost_elements()) v.zero_out_ghost_values();
  }
  struct Reading {
    explicit Reading(const Vector& v) : data(v.begin()) {}
    const Number* data;
  };
  struct Writing {
    explicit Writing(Vector& v) : data(v.begin()) {}
    Number* data;
  };
};

template <class Vector, class Blocks>
std::vector<DistArray> describe_blocks(Blocks& vector) {
  std::vector<DistArray> blocks;
  blocks.reserve(vector.n_blocks());
  for (unsigned int b = 0; b < vector.n_blocks(); ++b)
    blocks.push_back(Describer<Vector>::describe(vector.block(b)));
  return blocks;
}
}  // namespace detail

/// The blocks of a block vector, each described as a vector of its kind is (TrilinosWrappers' and
/// PETScWrappers' with the headers for these). Collective.
/// @returns one array for each block
template <class Vector>
std::vector<DistArray> describe(::dealii::BlockVectorBase<Vector>& vector) {
  return detail::describe_blocks<Vector>(vector);
}
template <class Vector>
std::vector<DistArray> describe(const ::dealii::BlockVectorBase<Vector>& vector) {
  return detail::describe_blocks<Vector>(vector);
}

}  // namespace daptor::dealii
