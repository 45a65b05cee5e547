// SPDX-License-Identifier: BSD-3-Clause
// Times the product of a sparse matrix in three arrays beside PETSc's and Tpetra's on the same
// arrays.

#include <functional>
#include <string>

#include <petscmat.h>
#include <Tpetra_CrsMatrix.hpp>
#include <Tpetra_Vector.hpp>

#include <daptor/daptor.hpp>
#include <daptor/petsc.hpp>
#include <daptor/tpetra.hpp>

#include "groups.hpp"
#include "laplacian.hpp"
#include "support/pairs.hpp"

namespace bench {
namespace {

struct Case {
  MPI_Comm comm;
  bool quick;
  std::string rows;
  const Table& table;
  Mat A;
  Vec x, y;

  void row(const char* ours_name, const std::function<void()>& ours, const char* theirs_name,
           const std::function<void()>& theirs, double goal) const {
    const Pairs pairs = alternate(comm, {quick ? 5 : 41, 1, 3}, ours, theirs);
    const Quartiles ratio = pairs.ratio();
    table.row(
        {rows, ours_name, theirs_name, time_text(quartiles(pairs.ours)),
         time_text(quartiles(pairs.theirs)), ratio_text(ratio),
         goal > 0 ? judged(ratio, goal) + " (" + std::to_string(goal).substr(0, 3) + ")" : ""});
  }
};

/// The same matrix with values and columns divided evenly, whatever the rows.
daptor::CsrArrays evenly_divided(const daptor::CsrArrays& matrix) {
  daptor::CsrArrays even = matrix;
  even.values = daptor::redistributed(matrix.values, daptor::layout::natural());
  even.columns = daptor::redistributed(matrix.columns, daptor::layout::natural());
  return even;
}

void products(const Case& c, const daptor::CsrArrays& matrix) {
  const daptor::DistArray x = daptor::petsc::export_vec(c.x), y = daptor::petsc::export_vec(c.y);
  const auto mat_mult = [&] { PetscCallAbort(c.comm, MatMult(c.A, c.x, c.y)); };
  daptor::CsrProduct product(matrix, x, y);
  c.row(
      "CsrProduct::run()", [&] { product.run(); }, "MatMult", mat_mult, 1.5);
  c.row(
      "CsrProduct::run(x, y)", [&] { product.run(x, y); }, "MatMult", mat_mult, 0);
  daptor::CsrProduct straddling(evenly_divided(matrix), x, y);
  c.row(
      "the same, rows straddling ranks", [&] { straddling.run(); }, "MatMult", mat_mult, 0);
  const auto B = daptor::tpetra::import_csr<double>(matrix);
  Tpetra::Vector<double> b(B->getDomainMap()), r(B->getRangeMap());
  b.putScalar(1);
  c.row(
      "CsrProduct::run()", [&] { product.run(); }, "Tpetra's apply", [&] { B->apply(b, r); }, 0);
}

void set_up(const Case& c, const daptor::CsrArrays& matrix) {
  const daptor::DistArray x = daptor::petsc::export_vec(c.x), y = daptor::petsc::export_vec(c.y);
  const auto plan = [&] { daptor::CsrProduct product(matrix, x, y); };
  c.row(
      "making a CsrProduct", plan, "petsc::copy_csr", [&] { daptor::petsc::copy_csr(matrix); }, 0);
  c.row(
      "making a CsrProduct", plan, "tpetra::import_csr",
      [&] { daptor::tpetra::import_csr<double>(matrix); }, 0);
}

}  // namespace

void csr(MPI_Comm comm, bool quick) {
  const Table table(
      comm, "The product of a matrix in three arrays with a vector (2-d Laplacian)",
      {"rows", "call", "compared with", "time of the call", "time of the other", "ratio", "goal"});
  const PetscInt m = quick ? 100 : 1000;
  Case c{comm, quick, std::to_string(m * m), table, make_laplacian(comm, m), nullptr, nullptr};
  PetscCallAbort(comm, MatCreateVecs(c.A, &c.x, &c.y));
  PetscCallAbort(comm, VecSet(c.x, 1));
  const daptor::CsrArrays matrix = daptor::petsc::copy_csr(c.A);
  products(c, matrix);
  set_up(c, matrix);
  PetscCallAbort(comm, VecDestroy(&c.y));
  PetscCallAbort(comm, VecDestroy(&c.x));
  PetscCallAbort(comm, MatDestroy(&c.A));
}

}  // namespace bench
