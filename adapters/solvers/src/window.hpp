#pragma once

#include <Teuchos_RCP.hpp>
#include <Tpetra_MultiVector.hpp>

#include "daptor/types.hpp"
#include "tpetra/src/native.hpp"

namespace daptor::solvers {

/// A MultiVector of one column on a Map of the operator's own, which goes where PETSc's vectors
/// are; free where that is the place of the last time.
///
/// Not an import, which would make a Map: Tpetra compares Maps by pointer first, by communication
/// else.
template <class Scalar>
class Window {
 public:
  using MultiVector = Tpetra::MultiVector<Scalar>;

  Window(Teuchos::RCP<const Tpetra::Map<>> map, Index local_count)
      : map_(std::move(map)), local_count_(local_count) {}

  const Teuchos::RCP<const Tpetra::Map<>>& map() const { return map_; }
  Index local_count() const { return local_count_; }

  const MultiVector& place(const Scalar* data) { return moved_to(data); }
  MultiVector& place(Scalar* data) { return moved_to(data); }

 private:
  MultiVector& moved_to(const Scalar* data) {
    if (!vector_.is_null() && data == data_) return *vector_;
    const MultiVector there(
        map_, tpetra::dual_view<Scalar>(tpetra::Layout{local_count_, 1, local_count_, data}));
    if (vector_.is_null()) {
      vector_ = Teuchos::rcp(new MultiVector(there));
    } else {
      *vector_ = there;
    }
    data_ = data;
    return *vector_;
  }

  Teuchos::RCP<const Tpetra::Map<>> map_;
  Index local_count_;
  const Scalar* data_ = nullptr;
  Teuchos::RCP<MultiVector> vector_;
};

}  // namespace daptor::solvers
