// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <stdexcept>
#include <string>
#include <vector>

#include "daptor/types.hpp"
#include "scale.hpp"

/// \file
/// Parts of `all_cases`.

namespace daptor::test {

/// Ends a case whose result is wrong.
inline void require(bool holds, const std::string& what) {
  if (!holds) throw std::logic_error(what);
}

/// @param elements  the size of a section
void add_validations(std::vector<Case>& cases, Index elements);
/// Of unstructured dimensions with this many indices on each rank.
void add_validations_of_lists(std::vector<Case>& cases, Index listed);

}  // namespace daptor::test
