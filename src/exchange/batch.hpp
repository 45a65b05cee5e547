// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "daptor/dist_array.hpp"

/// \file
/// Requirements of an exchange on a batch, that is, on the arrays of one layout that it moves
/// together. Process-local; errors are InvalidArgument.

namespace daptor::detail {

/// How an exchange is named in its messages.
struct Wording {
  const char* rules;   ///< prefix of its rule ids: "halo"
  const char* noun;    ///< with its article: "an exchange"
  const char* object;  ///< the class: "HaloExchange"

  std::string rule(const char* name) const { return std::string(rules) + "." + name; }
};

/// All arrays must have one layout (`.layout`).
void require_one_layout(const std::vector<DistArray>& arrays, const Wording& wording);
/// The number of arrays must be the same as before (`.batch`), and so must their layout
/// (`.layout`).
void require_like(const std::vector<DistArray>& arrays, const std::vector<DistArray>& before,
                  const Wording& wording);
/// The host must be able to reach the memory (`.device`).
void require_host(const DistArray& array, const Wording& wording);
/// Each element must have its own memory (`.strides`), which the host can reach.
void require_target(const DistArray& array, const Wording& wording);

/// Addresses of the arrays' first elements
/// \{
std::vector<const std::byte*> readable(const std::vector<DistArray>& arrays);
std::vector<std::byte*> writable(const std::vector<DistArray>& arrays);
/// \}

}  // namespace daptor::detail
