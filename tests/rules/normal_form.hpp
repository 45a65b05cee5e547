// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

#include "daptor/section.hpp"

namespace daptor::test {

/// The meaning of a section, in the words of the rules' examples, with a line for each dimension.
std::string normal_form(int rank, const Section& array);

}  // namespace daptor::test
