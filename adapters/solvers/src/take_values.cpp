// SPDX-License-Identifier: BSD-3-Clause
#include "take_values.hpp"

#include <Tpetra_CrsMatrix.hpp>

#include "daptor/error.hpp"
#include "daptor/solvers/matrix.hpp"

namespace daptor::solvers {

bool take_values(Mat matrix, Teuchos::RCP<CrsMatrix>& copy, bool anew, Call& call) {
  Teuchos::RCP<CrsMatrix> target = copy;
  if (anew)
    target = call.library("tpetra", "Tpetra::CrsMatrix", Patience{},
                          [&] { return Teuchos::rcp(new CrsMatrix(*copy, Teuchos::Copy)); });
  const auto taken = call.all([&] {
    try {
      copy_values(matrix, *target);
    } catch (const InvalidArgument& error) {
      if (error.rule() != "matrix.pattern") throw;
      return false;
    }
    return true;
  });
  call.check();
  if (taken) copy = target;
  return taken;
}

}  // namespace daptor::solvers
