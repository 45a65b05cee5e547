// SPDX-License-Identifier: BSD-3-Clause
#include "words.hpp"

#include <cstring>

namespace daptor::python {
namespace {

struct Words {
  const char* cpp;
  const char* python;
};

/// Replacements. A longer phrase comes before a phrase that it contains.
constexpr Words vocabulary[] = {
    {"daptor::petsc::copy_to_dmda(a, comm, {}, {daptor::petsc::DMDAVector::global})",
     "a.copy_to_dmda(vector='global')"},
    {"daptor::petsc::copy_to_dmda(a, comm, {}, {daptor::petsc::DMDAVector::local})",
     "a.copy_to_dmda()"},
    {"daptor::petsc::copy_to_dmda(a, comm, options)", "a.copy_to_dmda(...)"},
    {"daptor::petsc::copy_to_dmda(a, comm)", "a.copy_to_dmda()"},
    {"daptor::petsc::copy_to_vec(a, comm)", "a.copy_to_petsc()"},
    {"daptor::petsc::copy_to_padded_vec(a, comm)", "a.copy_to_petsc(padded=True)"},
    {"daptor::petsc::import_dense(daptor::redistributed(a, daptor::layout::slab(0, "
     "daptor::Order::fortran), comm), comm)",
     "a.redistributed(daptor.layout.slab(0, 'F')).to_dense()"},
    {"daptor::like", "Array.like"},
    {"daptor::redistributed(source, daptor::layout::natural(), comm)",
     "source.redistributed(daptor.layout.natural())"},
    {"daptor::redistributed(destination, daptor::layout::natural(), comm)",
     "destination.redistributed(daptor.layout.natural())"},
    {"daptor::redistributed(mask, daptor::layout::natural(), comm)",
     "mask.redistributed(daptor.layout.natural())"},
    {"daptor::redistribute(mask, copy, comm)", "daptor.redistribute(mask, copy)"},
    {"daptor::redistribute(destination, copy, comm)", "daptor.redistribute(destination, copy)"},
    {"daptor::redistribute with RedistributionOptions::convert",
     "daptor.redistribute(..., convert=True)"},
    {"copy = daptor::allocate(mask.type(), source.dimensions())",
     "copy = daptor.block(numpy.zeros(source.owned_shape, mask.dtype), source.comm)"},
    {"copy = daptor::allocate(mask.type(), destination.dimensions())",
     "copy = daptor.block(numpy.zeros(destination.owned_shape, mask.dtype), destination.comm)"},
    {"copy = daptor::allocate(destination.type(), source.dimensions())",
     "copy = daptor.block(numpy.zeros(source.owned_shape, destination.dtype), source.comm)"},
    {"daptor::packed", "daptor.packed()"},
    {"(ScanOptions::before)", "(before=)"},
    {"daptor::flatten", "numpy.ravel()"},
    {"Describe the dimension with owned_then_ghosts (key 'owned' of the dictionary), or name the "
     "owners in HaloOptions::owned.",
     "Describe the array with daptor.owned_then_ghosts (key 'owned' of the dictionary), or name "
     "the owners in owned=."},
    {"import_vec and local_to_global", "to_petsc(local_to_global=True)"},
    {"import_padded_vec", "to_petsc(padded=True)"},
    {"import_vec", "to_petsc"},
    {"import_dmda", "to_dmda"},
    {"import_dense", "to_dense"},
    {"export_vec", "daptor.export(x, flat=True)"},
    {"Say one_to_one where", "Say one_to_one=True where"},
    {"VecOptions::allow_overlap", "allow_overlap=True"},
    {"DMDAOptions::allow_reorder", "allow_reorder=True"},
    {"CopyOptions::flat", "flat=True"},
    {"with trust_readonly that", "with trust_readonly=True that"},
};

}  // namespace

std::string in_python(std::string text) {
  for (const Words& words : vocabulary) {
    for (std::size_t at = text.find(words.cpp); at != std::string::npos;
         at = text.find(words.cpp, at + std::strlen(words.python)))
      text.replace(at, std::strlen(words.cpp), words.python);
  }
  return text;
}

}  // namespace daptor::python
