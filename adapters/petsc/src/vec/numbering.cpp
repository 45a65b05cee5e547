// SPDX-License-Identifier: BSD-3-Clause
#include "daptor/petsc/numbering.hpp"

#include <cstring>
#include <string>

#include "daptor/adapter/communicator.hpp"
#include "daptor/adapter/extents.hpp"
#include "daptor/adapter/reason.hpp"
#include "daptor/call.hpp"
#include "daptor/petsc/adapter/call.hpp"
#include "numbers.hpp"

namespace daptor::petsc {
namespace detail {
namespace {

/// Converts the numbers of blocks to PetscInt, within the memory of the list. PetscInt is no wider
/// than Index, so writing never overtakes reading.
const PetscInt* narrow_in_place(std::vector<Index>& numbers, PetscInt block) {
  static_assert(sizeof(PetscInt) <= sizeof(Index));
  auto* const bytes = reinterpret_cast<char*>(numbers.data());
  const std::size_t count = numbers.size() / static_cast<std::size_t>(block);
  for (std::size_t i = 0; i < count; ++i) {
    const PetscInt number = petsc_int(numbers[i * static_cast<std::size_t>(block)] / block);
    std::memcpy(bytes + i * sizeof(number), &number, sizeof(number));
  }
  return reinterpret_cast<const PetscInt*>(bytes);
}

template <class Object>
void destroy_with(Object object, unsigned session, PetscErrorCode (*function)(Object*)) noexcept {
  if (!alive(session)) {
    note_outlived();
    return;
  }
  const QuietErrors quiet;
  static_cast<void>(function(&object));
}

/// Requires that every natural number occurs once, because an application ordering is a
/// permutation. That no element has two owners has already been proven, or `one_to_one` states it.
void require_permutation(const Section& array, Index owned_on_all) {
  const auto global = adapter::global_count(array.dimensions());
  if (global != owned_on_all)
    throw NotRepresentable(adapter::reason(
        "petsc.numbering.permutation", std::to_string(owned_on_all) + " elements on all processes",
        std::to_string(global.value_or(0)) + " elements, each element of the array once",
        "Use local_to_global, which needs no permutation."));
}

}  // namespace

void destroy(ISLocalToGlobalMapping mapping, unsigned session) noexcept {
  destroy_with(mapping, session, ISLocalToGlobalMappingDestroy);
}

void destroy(AO ordering, unsigned session) noexcept {
  destroy_with(ordering, session, AODestroy);
}

LocalToGlobal make_mapping(const DistArray& array, Numbering numbering, PetscInt block,
                           Call& call) {
  std::vector<Index> numbers = local_numbers(array, numbering, call);
  const PetscInt* const list = call.check([&] { return narrow_in_place(numbers, block); });
  const auto count = static_cast<PetscInt>(numbers.size()) / block;
  ISLocalToGlobalMapping mapping = nullptr;
  call.library(Routine("ISLocalToGlobalMappingCreate", ISLocalToGlobalMappingCreate),
               call.comm()->original(), block, count, list, PETSC_COPY_VALUES, &mapping);
  return {mapping, require_session()};
}

}  // namespace detail

LocalToGlobal local_to_global(const DistArray& array, Numbering numbering) {
  Call call(array, "petsc::local_to_global");
  return detail::make_mapping(array, numbering, 1, call);
}

NaturalOrdering natural_ordering(const DistArray& array) {
  Call call(array, "petsc::natural_ordering");
  const Comm& comm = call.comm();
  std::vector<Index> numbers = detail::owned_natural_numbers(array, call);
  std::int64_t owned_on_all = array.owned_count();
  comm->allreduce(&owned_on_all, 1, Reduction::sum);
  const PetscInt* const list = call.check([&] {
    detail::require_permutation(array, owned_on_all);
    return detail::narrow_in_place(numbers, 1);
  });
  AO ordering = nullptr;
  call.library(detail::Routine("AOCreateMemoryScalable", AOCreateMemoryScalable), comm->original(),
               static_cast<PetscInt>(numbers.size()), list, nullptr, &ordering);
  return {ordering, detail::require_session()};
}

}  // namespace daptor::petsc
