// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdlib>
#include <memory>

#include <mpi.h>
#include <Tpetra_MultiVector.hpp>
#include <daptor/daptor.hpp>

#include "support/ranks.hpp"

namespace bench {

using MultiVector = Tpetra::MultiVector<double>;
using Map = Tpetra::Map<>;

/// n untouched doubles per rank: what is measured must not depend on their values.
struct Memory {
  explicit Memory(std::size_t n)
      : data(static_cast<double*>(std::malloc(n * sizeof(double))), std::free) {}
  std::unique_ptr<double, void (*)(void*)> data;
};

inline daptor::DistArray array_of(MPI_Comm comm, double* data, std::int64_t n) {
  const Ranks ranks(comm);
  return daptor::describe(data, {daptor::block(n * ranks.size, {ranks.size, ranks.rank})}).on(comm);
}

/// A MultiVector on existing memory, as one would make it by hand.
inline Teuchos::RCP<MultiVector> raw_multivector(const Teuchos::RCP<const Map>& map, double* data,
                                                 std::size_t n) {
  using Dual = MultiVector::dual_view_type;
  using View = Dual::t_host;
  const View view(data, n, 1);
  return Teuchos::rcp(new MultiVector(map, Dual(view, view)));
}

}  // namespace bench
