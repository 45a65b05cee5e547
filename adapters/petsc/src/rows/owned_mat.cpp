// SPDX-License-Identifier: BSD-3-Clause
#include "daptor/petsc/owned_mat.hpp"

#include <utility>

#include "daptor/petsc/adapter/call.hpp"

namespace daptor::petsc {

OwnedMat::OwnedMat(Mat mat) : mat_(mat), session_(detail::require_session()) {}

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
  if (detail::alive(session_)) {
    static_cast<void>(MatDestroy(&mat_));
  } else {
    detail::note_outlived();
  }
}

void OwnedMat::close() {
  if (mat_ == nullptr) return;
  detail::require_alive(session_);
  detail::call("MatDestroy", MatDestroy, &mat_);
}

}  // namespace daptor::petsc
