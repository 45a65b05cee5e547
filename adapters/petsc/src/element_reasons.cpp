// SPDX-License-Identifier: BSD-3-Clause
#include "element_reasons.hpp"

#include <cstdint>

#include <petscsys.h>

#include "daptor/adapter/reason.hpp"
#include "daptor/petsc/adapter/call.hpp"

namespace daptor::petsc::detail {

void element_reasons(const std::string& prefix, const DistArray& array, adapter::Reasons& reasons) {
  const DataType scalar = DataType::of<PetscScalar>();
  if (array.type() != scalar)
    reasons.push_back(adapter::reason(
        prefix + ".scalar-type", "elements of type " + array.type().name(),
        scalar.name() + ", the PetscScalar of this PETSc",
        "Give the array that element type, or use a PETSc that is configured for it."));
  if (!array.buffer().space().host())
    reasons.push_back(adapter::reason(
        prefix + ".device",
        "memory of device type " + std::to_string(array.buffer().space().device_type),
        "memory that the host can reach", "Let the producer copy the array to the host first."));
  // The imports place either the section or its owned part under an object.
  std::uintptr_t excess = 0;
  for (const void* memory : {array.data(), array.owned_data()})
    if (excess == 0) excess = reinterpret_cast<std::uintptr_t>(memory) % alignof(PetscScalar);
  if (excess != 0)
    reasons.push_back(adapter::reason(
        prefix + ".alignment",
        "memory at " + std::to_string(excess) + " bytes past a multiple of " +
            std::to_string(alignof(PetscScalar)),
        "memory that is aligned for PetscScalar", "Allocate aligned memory for the array."));
}

void count_reason(const std::string& prefix, const char* what, std::optional<Index> count,
                  adapter::Reasons& reasons) {
  if (count && fits_petsc_int(*count)) return;
  reasons.push_back(adapter::reason(
      prefix + ".index-range",
      std::string(what) + " of " + (count ? std::to_string(*count) : "more than 2^63 - 1"),
      "at most " + std::to_string(largest_petsc_int) + ", the largest PetscInt",
      "Use a PETSc configured with 64-bit indices."));
}

}  // namespace daptor::petsc::detail
