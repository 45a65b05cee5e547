// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

#include "json/recorded.hpp"
#include "random.hpp"

namespace daptor::search {

/// Changes one thing, on one rank or in the same way on all, and returns a description of the
/// change. The result may still conform.
std::string mutate(Random& random, Recorded& recorded);

}  // namespace daptor::search
