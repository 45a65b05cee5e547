// SPDX-License-Identifier: BSD-3-Clause
#include "communicator.hpp"

#include <memory>
#include <utility>

#include <Teuchos_DefaultMpiComm.hpp>
#include <Tpetra_Map.hpp>

#include "daptor/adapter/communicator.hpp"
#include "daptor/error.hpp"
#include "daptor/tpetra.hpp"

namespace daptor::tpetra {
namespace {

using TeuchosMpi = Teuchos::MpiComm<int>;

/// Stored in the node of a non-owning RCP, it keeps the object alive to which the RCP refers:
/// Teuchos' communicator is kept beside that object.
struct Holder {
  using ptr_t = const Teuchos::Comm<int>;
  Comm comm;
  void free(ptr_t*) {}
};

}  // namespace

Teuchos::RCP<const Teuchos::Comm<int>> teuchos_comm(const Comm& comm) {
  // Teuchos::MpiComm broadcasts a tag when it is constructed; because the object is kept, this
  // happens only once.
  static const char key = 0;
  const auto* native = static_cast<const TeuchosMpi*>(comm->kept(&key));
  if (native == nullptr) {
    auto made = std::make_shared<const TeuchosMpi>(comm->mpi());
    native = made.get();
    comm->keep(&key, std::move(made));
  }
  return {native, Holder{comm}, false};
}

MPI_Comm communicator(const Tpetra::Map<>& map) {
  const auto comm = map.getComm();
  if (comm.is_null())
    throw InvalidArgument("map", "a Map without a communicator", "a Map that is part of one");
  const auto mpi = Teuchos::rcp_dynamic_cast<const TeuchosMpi>(comm);
  if (mpi.is_null()) return MPI_COMM_SELF;
  return *mpi->getRawMpiComm();
}

}  // namespace daptor::tpetra
