#include "daptor/solvers/owned_mat.hpp"

#include <utility>

#include "petsc/src/call.hpp"

namespace daptor::solvers {

OwnedMat::OwnedMat(Mat mat) : mat_(mat), session_(petsc::detail::require_session()) {}

OwnedMat::OwnedMat(OwnedMat&& other) noexcept
    : mat_(std::exchange(other.mat_, nullptr)), session_(other.session_) {}

OwnedMat& OwnedMat::operator=(OwnedMat&& other) noexcept {
  if (this != &other) {
    OwnedMat old(std::move(*this));
    mat_ = std::exchange(other.mat_, nullptr);
    session_ = other.session_;
  }
  return *this;
}

OwnedMat::~OwnedMat() {
  if (mat_ == nullptr) return;
  if (petsc::detail::alive(session_)) {
    static_cast<void>(MatDestroy(&mat_));
  } else {
    petsc::detail::note_outlived();
  }
}

void OwnedMat::close() {
  if (mat_ == nullptr) return;
  petsc::detail::require_alive(session_);
  petsc::detail::call("MatDestroy", MatDestroy, &mat_);
}

}  // namespace daptor::solvers
