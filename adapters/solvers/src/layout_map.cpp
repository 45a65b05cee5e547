// SPDX-License-Identifier: BSD-3-Clause
#include "layout_map.hpp"

#include <petscsys.h>

#include <Tpetra_Map.hpp>

#include "daptor/builders.hpp"
#include "daptor/tpetra.hpp"

namespace daptor::solvers {

Teuchos::RCP<const Tpetra::Map<>> layout_map(Call& call, Index global, Index first, Index count) {
  const Comm& comm = call.comm();
  const DistArray indices = call.check([&] {
    return describe(DataType::of<PetscScalar>(), nullptr,
                    {block(global, {comm.size(), comm.rank()}, IndexRange{first, first + count})})
        .on(comm);
  });
  return tpetra::import_map(indices, {tpetra::Numbering::contiguous});
}

}  // namespace daptor::solvers
