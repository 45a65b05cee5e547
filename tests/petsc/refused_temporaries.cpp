// SPDX-License-Identifier: BSD-3-Clause
// Members of temporaries that own an object of PETSc: they must not compile, and the first line of
// each error says what to write (tests/support/refused.sh).
#include "daptor/petsc.hpp"

using daptor::DistArray;

Vec vec(const DistArray& a) {
  return daptor::petsc::import_vec(a).get();  // refused: auto x = import_...(a), and call x.get()
}

DM dm(const DistArray& a) {
  return daptor::petsc::import_dmda(a).dm();  // refused: auto field = import_dmda(a)
}

Mat mat(const daptor::CsrArrays& arrays) {
  return daptor::petsc::copy_csr(arrays).get();  // refused: auto A = copy_csr(a), and call A.get()
}

AO ordering(const DistArray& a) {
  return daptor::petsc::natural_ordering(a).get();  // refused: auto mapping = local_to_global(a,
}
