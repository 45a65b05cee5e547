// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "daptor/fields.hpp"

namespace daptor {

/// How the elements of a distributed array are numbered globally.
enum class Numbering { natural, contiguous };
constexpr auto words(Numbering) {
  return word_list(
      word("natural", Numbering::natural,
           "the index in the logical array, row-major; an unstructured dimension's own indices"),
      word("contiguous", Numbering::contiguous,
           "rank after rank, each rank's owned elements in local order: PETSc's own; a copy has "
           "the number that its owner gives the element"));
}

}  // namespace daptor
