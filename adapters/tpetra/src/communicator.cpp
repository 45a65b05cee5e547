#include "communicator.hpp"

#include <memory>

#include <Teuchos_DefaultMpiComm.hpp>
#include <Tpetra_Map.hpp>

#include "daptor/error.hpp"
#include "daptor/tpetra.hpp"

namespace daptor::tpetra {
namespace {

using TeuchosMpi = Teuchos::MpiComm<int>;
using Slot = std::shared_ptr<const TeuchosMpi>;

int delete_slot(MPI_Comm, int, void* value, void*) {
  delete static_cast<Slot*>(value);
  return MPI_SUCCESS;
}

int attribute_key() {
  static const int key = [] {
    int made = MPI_KEYVAL_INVALID;
    MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, delete_slot, &made, nullptr);
    return made;
  }();
  return key;
}

/// Lives in the node of an RCP that does not own, and keeps alive what the RCP refers to.
struct Holder {
  using ptr_t = const Teuchos::Comm<int>;
  Slot comm;
  std::shared_ptr<const void> duplicate;
  void free(ptr_t*) {}
};

}  // namespace

Teuchos::RCP<const Teuchos::Comm<int>> teuchos_comm(const MpiCommunicator& comm) {
  // Teuchos::MpiComm broadcasts a tag when it is made; kept as an attribute, that happens once.
  const int key = attribute_key();
  void* cached = nullptr;
  int found = 0;
  MPI_Comm_get_attr(comm.mpi(), key, &cached, &found);
  Slot native;
  if (found != 0) {
    native = *static_cast<Slot*>(cached);
  } else {
    native = std::make_shared<const TeuchosMpi>(comm.mpi());
    auto slot = std::make_unique<Slot>(native);
    MPI_Comm_set_attr(comm.mpi(), key, slot.get());
    static_cast<void>(slot.release());  // delete_slot owns it now
  }
  const TeuchosMpi* const raw = native.get();
  return {raw, Holder{std::move(native), comm.keep_alive()}, false};
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
