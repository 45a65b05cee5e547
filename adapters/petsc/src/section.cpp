// SPDX-License-Identifier: BSD-3-Clause
#include "section.hpp"

#include <cstdint>
#include <cstdlib>

#include <petscvec.h>

#include "call.hpp"
#include "daptor/detail/layout.hpp"

namespace daptor::petsc::detail {
namespace {

bool try_locks() {
  Vec vec = nullptr;
  call("VecCreateSeq", VecCreateSeq, PETSC_COMM_SELF, PetscInt{1}, &vec);
  lock_for_reading(vec);
  PetscScalar* values = nullptr;
  const QuietErrors quiet;
  const bool refused = static_cast<int>(VecGetArray(vec, &values)) != 0;
  if (!refused) check(VecRestoreArray(vec, &values), "VecRestoreArray");
  check(static_cast<PetscErrorCode>(VecLockReadPop(vec)), "VecLockReadPop");
  check(VecDestroy(&vec), "VecDestroy");
  return refused;
}

}  // namespace

// The lock calls are macros that leave their argument out where the library has no locks.
void lock_for_reading([[maybe_unused]] Vec vec) {
  const QuietErrors quiet;
  check(static_cast<PetscErrorCode>(VecLockReadPush(vec)), "VecLockReadPush");
}

int lock_depth([[maybe_unused]] Vec vec) {
  const QuietErrors quiet;
  PetscInt depth = 0;
  check(static_cast<PetscErrorCode>(VecLockGet(vec, &depth)), "VecLockGet");
  return static_cast<int>(depth);
}

OrderFit gapless(const DistArray& array, const std::vector<Index>& shape) {
  const auto fits = [&](Order order) {
    return daptor::detail::gapless(shape, array.byte_strides(), array.type().itemsize(), order);
  };
  return {fits(Order::c), fits(Order::fortran)};
}

OrderFit owned_run(const DistArray& array) {
  return gapless(array, array.owned_shape());
}

OrderFit local_run(const DistArray& array) {
  return gapless(array, array.local_shape());
}

OrderFit memory_order(const DistArray& array) {
  OrderFit fit{true, true};
  if (array.local_count() == 0) return fit;
  Index previous = -1;
  for (int d = 0; d < array.ndim(); ++d) {
    const auto u = static_cast<std::size_t>(d);
    if (array.local_shape()[u] == 1) continue;
    const Index stride = std::abs(array.byte_strides()[u]);
    if (previous >= 0 && stride > previous) fit.c = false;
    if (previous >= 0 && stride < previous) fit.fortran = false;
    previous = stride;
  }
  return fit;
}

int fastest(const DistArray& array, Order order) {
  return order == Order::c ? array.ndim() - 1 : 0;
}

int slowest(const DistArray& array, Order order) {
  return order == Order::c ? 0 : array.ndim() - 1;
}

bool whole_on_each_process(const Dimension& dimension) {
  return dimension.as<Undistributed>() != nullptr && dimension.communication_padding() == Padding{};
}

Index block_size(const DistArray& array, Order order) {
  if (array.ndim() < 2) return 1;
  const Dimension& dimension = array.dimension(fastest(array, order));
  return whole_on_each_process(dimension) && dimension.global_size() > 0 ? dimension.global_size()
                                                                         : 1;
}

int overlapping_dimension(const DistArray& array) {
  for (int d = 0; d < array.ndim(); ++d)
    if (leaves_open_who_owns(array.dimension(d)) && array.dimension(d).grid().size > 1) return d;
  return -1;
}

bool has_unstructured(const DistArray& array) {
  for (const Dimension& dimension : array.dimensions())
    if (dimension.as<Unstructured>() != nullptr) return true;
  return false;
}

Finding reason(std::string rule, int dimension, std::string found, std::string expected,
               std::string remedy) {
  Finding finding;
  finding.rule = std::move(rule);
  finding.dimension = dimension;
  finding.found = std::move(found);
  finding.expected = std::move(expected);
  finding.remedy = std::move(remedy);
  return finding;
}

void require_none(Reasons reasons) {
  if (!reasons.empty()) throw NotRepresentable(Report(std::move(reasons)));
}

void element_reasons(const std::string& prefix, const DistArray& array, Reasons& reasons) {
  const DataType scalar = DataType::of<PetscScalar>();
  if (array.type() != scalar)
    reasons.push_back(reason(prefix + ".scalar-type", -1, "elements of type " + array.type().name(),
                             scalar.name() + ", this PETSc's PetscScalar",
                             "Make the array of that type, or use a PETSc configured for it."));
  if (!array.buffer().space().host())
    reasons.push_back(reason(
        prefix + ".memory-space", -1,
        "memory of device type " + std::to_string(array.buffer().space().device_type),
        "memory that the host reaches", "Let the producer bring the array to the host first."));
  const auto address = reinterpret_cast<std::uintptr_t>(array.data());
  if (address % alignof(PetscScalar) != 0)
    reasons.push_back(reason(prefix + ".alignment", -1,
                             "memory at " + std::to_string(address % alignof(PetscScalar)) +
                                 " bytes past a multiple of " +
                                 std::to_string(alignof(PetscScalar)),
                             "memory aligned for PetscScalar", "Allocate the array aligned."));
}

void count_reason(const std::string& prefix, const char* what, std::optional<Index> count,
                  Reasons& reasons) {
  if (count && fits_petsc_int(*count)) return;
  reasons.push_back(
      reason(prefix + ".index-range", -1,
             std::string(what) + " of " + (count ? std::to_string(*count) : "more than 2^63 - 1"),
             "at most " + std::to_string(largest_petsc_int) + ", the largest PetscInt",
             "Use a PETSc configured with 64-bit indices."));
}

std::optional<Index> global_count(const DistArray& array) {
  bool overflow = false;
  Index count = 1;
  for (const Dimension& dimension : array.dimensions()) {
    if (dimension.global_size() == 0) return 0;
    const auto product = checked_multiply(count, dimension.global_size());
    overflow = overflow || !product;
    count = product.value_or(1);
  }
  if (overflow) return std::nullopt;
  return count;
}

void readonly_reason(const std::string& prefix, const DistArray& array, bool lock_asked,
                     bool trusted, Reasons& reasons) {
  if (!(array.readonly() || lock_asked) || trusted || locks_enforced()) return;
  reasons.push_back(
      reason(prefix + ".read-only", -1,
             array.readonly() ? "read-only memory" : "a vector asked to be locked for reading",
             "a PETSc that enforces its read locks: this one lets everybody write",
             "Import a writable array, use a PETSc that enforces locks (a debug build, or 3.22), "
             "or promise "
             "with trust_readonly that nobody writes."));
}

bool locks_enforced() {
  static bool known = false;
  static bool enforced = false;
  PetscBool initialized = PETSC_FALSE;
  PetscBool finalized = PETSC_FALSE;
  static_cast<void>(PetscInitialized(&initialized));
  static_cast<void>(PetscFinalized(&finalized));
  if (!known && initialized == PETSC_TRUE && finalized == PETSC_FALSE) {
    try {
      enforced = try_locks();
    } catch (const Error&) {
      return false;
    }
    known = true;
  }
  return enforced;
}

void require_memory(const DistArray& array) {
  if (!array.buffer().has_memory())
    throw InvalidArgument("array", "a description without memory",
                          "an array with memory (DistArray::with_memory)");
  void* const described = const_cast<void*>(array.data());
  Producer& producer = array.buffer().state()->producer();
  void* const found = producer.begin_access(Access::read, described);
  producer.end_access(Access::read);
  if (found != described)
    throw Stale("memory that has moved since it was described", "Export the array again.");
}

}  // namespace daptor::petsc::detail
