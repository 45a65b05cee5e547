// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "daptor/dist_array.hpp"
#include "exchange/names.hpp"

/// \file
/// What an exchange requires of a batch, that is, of the arrays of one layout that it moves
/// together. Process-local; errors are InvalidArgument.

namespace daptor::detail {

/// How messages name an exchange.
struct Wording {
  const char* rules;  ///< prefix of its rule ids: "halo"
  const char* noun;   ///< with its article: "an exchange"
  Name object;        ///< the class

  std::string rule(const char* name) const { return std::string(rules) + "." + name; }
};

/// Requires that all arrays have one layout (`.layout`).
void require_one_layout(const std::vector<DistArray>& arrays, const Wording& wording);
/// Requires that the number of arrays (`.batch`) and their layout (`.layout`) are the same as
/// before.
void require_like(const std::vector<DistArray>& arrays, const std::vector<DistArray>& before,
                  const Wording& wording);
/// Requires memory that the host can reach or, with `through_host`, copy (`.device`).
void require_reachable(const Section& array, const Wording& wording, bool through_host);
/// Requires that each element has its own memory (`.strides`); `require_target` also that the host
/// can reach it (`.device`).
void require_separate(const Section& array, const Wording& wording);
void require_target(const Section& array, const Wording& wording);

/// Requires that no two of the arrays, which are written, share memory (`.memory`).
void require_apart(const std::vector<DistArray>& arrays, const Wording& wording);

/// Whether one of the arrays that are read shares memory with one that is written. Like
/// `require_apart` it looks at each pair only where no order of the arrays in memory tells more.
bool any_share_memory(const std::vector<DistArray>& read, const std::vector<DistArray>& written);

/// Addresses of the arrays' first elements
std::vector<std::byte*> writable(const std::vector<DistArray>& arrays);

}  // namespace daptor::detail
