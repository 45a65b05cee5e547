// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>
#include <utility>

#include "daptor/petsc/dmda.hpp"
#include "daptor/petsc/imported.hpp"
#include "petsc/src/native/attachment.hpp"

namespace daptor::petsc::detail {

/// Gives the adapter access to private parts of the objects that it returns.
struct Access {
  template <class Object>
  static Imported<Object> imported(Object object, std::shared_ptr<Attachment> attachment,
                                   const Comm& comm) {
    return Imported<Object>(object, std::move(attachment), comm);
  }

  // Of DMDAs, in dmda/imported_dmda.cpp.
  static std::unique_ptr<ImportedDMDA::State> dmda_state(const Comm& of_import,
                                                         const Comm& of_dmda);
  static ImportedDMDA imported_dmda(std::unique_ptr<ImportedDMDA::State> state);

  static void set_says_the_same(const ImportedVec& vec, bool says_the_same) {
    if (vec) vec.attachment_->set_says_the_same(says_the_same);
  }

  /// Imported::rebind in two steps, for objects that move to other memory together.
  static void require_rebindable(const ImportedVec& vec, const Section& array) {
    vec.require_rebindable(array);
  }
  static void require_in_place(const ImportedVec& vec) { vec.require_in_place(); }
  static void place(ImportedVec& vec, const Section& array) { vec.place(array); }
};

}  // namespace daptor::petsc::detail
