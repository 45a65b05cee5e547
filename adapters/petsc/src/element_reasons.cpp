// SPDX-License-Identifier: BSD-3-Clause
#include "element_reasons.hpp"

#include <cstdint>
#include <utility>

#include <petscsys.h>

#include "daptor/adapter/byte_order.hpp"
#include "daptor/adapter/memory.hpp"
#include "daptor/adapter/reason.hpp"
#include "daptor/petsc/adapter/call.hpp"
#include "names.hpp"

namespace daptor::petsc::detail {

namespace {

/// Whether a redistribution converts elements of this type to PetscScalar.
bool converts_to_scalar(const DataType& type) {
  const bool complex = DataType::of<PetscScalar>().kind() == Kind::complex;
  if (type.kind() == Kind::complex) return complex;
  return type.kind() != Kind::floating || type.itemsize() >= sizeof(float);
}

Terms type_remedy(const std::string& prefix, const DataType& type) {
  Terms remedy = "Give the array that element type, or use a PETSc that is configured for it.";
  if (converts_to_scalar(type) && prefix == "petsc.vec")
    remedy = "Give the array that element type, or copy it: " + names::convert_to_vec + ".";
  if (converts_to_scalar(type) && prefix == "petsc.dmda")
    remedy = "Give the array that element type, or copy it: " + names::convert_to_dmda + ".";
  return adapter::remedy_for_type(type, std::move(remedy));
}

}  // namespace

void element_reasons(const std::string& prefix, const Section& array, adapter::Reasons& reasons) {
  element_type_reasons(prefix, array, reasons);
  adapter::add_device_reason(prefix + ".device", array, reasons);
}

void element_type_reasons(const std::string& prefix, const Section& array,
                          adapter::Reasons& reasons) {
  const DataType scalar = DataType::of<PetscScalar>();
  if (array.type() != scalar)
    reasons.push_back(adapter::reason(
        prefix + ".scalar-type", "elements of type " + array.type().name(),
        scalar.name() + ", the PetscScalar of this PETSc", type_remedy(prefix, array.type())));
  // The imports place either the section or its owned part under an object.
  std::uintptr_t excess = 0;
  for (const void* memory : {array.data(), adapter::first_owned(array)})
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
