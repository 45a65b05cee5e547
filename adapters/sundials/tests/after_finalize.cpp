// SPDX-License-Identifier: BSD-3-Clause
// N_Vectors that outlive the context and MPI_Finalize can be destroyed, and calls say that it is
// over.

#include <memory>
#include <optional>

#include <mpi.h>

#include "finalized.hpp"
#include "support.hpp"

using namespace daptor;
using daptor::test::throws_finalized;

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  std::optional<daptor::sundials::test::Context> context(std::in_place);
  std::optional<DistArray> a =
      allocate<double>({block(6, daptor::test::line())}).on(MPI_COMM_WORLD);
  auto parallel = daptor::sundials::import_nvector(*a, *context);
  auto strided = daptor::sundials::import_strided_nvector(*a, *context);
  const N_Vector clone = N_VClone(strided.get());
  const SUNContext ended = *context;
  context.reset();
  MPI_Finalize();
  bool right = throws_finalized("MPI", [&] { daptor::sundials::import_nvector(*a, ended); });
  right =
      throws_finalized("MPI", [&] { daptor::sundials::export_nvector(parallel.get()); }) && right;
  a.reset();
  N_VConst(2.0, clone);
  N_VDestroy(clone);
  parallel = {};
  strided = {};
  return right ? 0 : 1;
}
