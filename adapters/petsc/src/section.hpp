// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <petscvec.h>

#include "daptor/communicator.hpp"
#include "daptor/dist_array.hpp"
#include "daptor/error.hpp"
#include "daptor/one_to_one.hpp"

/// \file
/// What the memory of a section looks like, and the reasons against a target that follow from it.

namespace daptor::petsc::detail {

using Reasons = std::vector<Finding>;

/// Which of the two dense orders something has; both where fewer than two extents exceed 1.
struct OrderFit {
  bool c = false;
  bool fortran = false;

  bool any() const { return c || fortran; }
  bool has(Order order) const { return order == Order::c ? c : fortran; }
};

/// As many elements as `shape` says, apart as those of the section are, are one gapless run.
OrderFit gapless(const DistArray& array, const std::vector<Index>& shape);
/// The owned part is one gapless run.
OrderFit owned_run(const DistArray& array);
/// The whole section is one gapless run.
OrderFit local_run(const DistArray& array);
/// In which order dimensions follow each other in memory, gaps or not.
OrderFit memory_order(const DistArray& array);

int fastest(const DistArray& array, Order order);
int slowest(const DistArray& array, Order order);
/// Undistributed, without padding outside its size.
bool whole_on_each_process(const Dimension& dimension);
/// Extent of a fastest varying dimension that is whole on each process, in an array of two
/// dimensions or more; else 1.
Index block_size(const DistArray& array, Order order);
/// An unstructured dimension that says neither that its indices are one-to-one nor which of them
/// are owned, or -1.
int overlapping_dimension(const DistArray& array);
bool has_unstructured(const DistArray& array);

Finding reason(std::string rule, int dimension, std::string found, std::string expected,
               std::string remedy);
/// Throws NotRepresentable where there are reasons.
void require_none(Reasons reasons);

/// The order that sections have on all ranks, from the least of 1 and 0 of all ranks for each
/// order. Throws NotRepresentable with what `otherwise` returns where there is none.
template <class F>
Order common_order(std::int64_t c, std::int64_t fortran, F&& otherwise) {
  if (c == 0 && fortran == 0) throw NotRepresentable(std::forward<F>(otherwise)());
  return c != 0 ? Order::c : Order::fortran;
}
/// Collective. The same, asked by itself.
template <class F>
Order agree_on_order(const OrderFit& orders, const Communicator& comm, F&& otherwise) {
  std::int64_t least[] = {orders.c ? 1 : 0, orders.fortran ? 1 : 0};
  comm.allreduce(least, 2, Reduction::min);
  return common_order(least[0], least[1], std::forward<F>(otherwise));
}

/// Collective. Proves that no index of the array, whose sections make one array, is on two
/// processes, where it does not say so itself. Throws `reasons()`, which leave it open, on all
/// ranks, with what was found.
template <class F>
void require_one_to_one(const DistArray& array, const MpiCommunicator& comm, F&& reasons) {
  if (overlapping_dimension(array) < 0) return;
  const OneToOne proof = prove_one_to_one(array, comm);
  if (!proof.against) return;
  Reasons found = std::forward<F>(reasons)();
  for (Finding& finding : found) {
    finding.found = proof.against->found;
    finding.ranks = proof.against->ranks;
    finding.rank_count = proof.against->rank_count;
    finding.dimension = proof.against->dimension;
  }
  require_none(std::move(found));
}

/// What every target asks of the elements: PetscScalar, native order, aligned, on the host. Rules
/// `<prefix>.scalar-type`, `<prefix>.alignment`, `<prefix>.device`.
void element_reasons(const std::string& prefix, const DistArray& array, Reasons& reasons);
/// A count that PetscInt must hold: rule `<prefix>.index-range`. Nothing: 64 bits do not hold it.
void count_reason(const std::string& prefix, const char* what, std::optional<Index> count,
                  Reasons& reasons);
/// Elements of the logical array, where no dimension is unstructured.
std::optional<Index> global_count(const DistArray& array);

/// Rule `<prefix>.readonly`: read-only memory, or an object asked to be locked, under a PETSc that
/// does not enforce its locks.
void readonly_reason(const std::string& prefix, const DistArray& array, bool lock_asked,
                     bool trusted, Reasons& reasons);
/// PETSc refuses to write a Vec that is locked for reading. Tried once; false while PETSc is not
/// initialized.
bool locks_enforced();
void lock_for_reading(Vec vec);
/// Positive: locked for reading; negative: for writing; 0 where nothing is enforced.
int lock_depth(Vec vec);

/// The array has memory (InvalidArgument), and its producer still stands behind it (Stale).
void require_memory(const DistArray& array);

}  // namespace daptor::petsc::detail
