// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "daptor/dist_array.hpp"

/// \file
/// What an exchange asks of a batch, that is of the arrays of one layout that it moves together.
/// Process-local; errors are InvalidArgument.

namespace daptor::detail {

/// The words in which an exchange refuses.
struct Wording {
  const char* rules;   ///< what its rules begin with: "halo"
  const char* noun;    ///< with its article: "an exchange"
  const char* object;  ///< the class: "HaloExchange"

  std::string rule(const char* name) const { return std::string(rules) + "." + name; }
};

/// One layout for all (`.layout`).
void require_one_layout(const std::vector<DistArray>& arrays, const Wording& wording);
/// As many as before (`.batch`), of their layout (`.layout`).
void require_like(const std::vector<DistArray>& arrays, const std::vector<DistArray>& before,
                  const Wording& wording);
/// Memory that the host can reach (`.device`).
void require_host(const DistArray& array, const Wording& wording);
/// Elements that each have their own memory (`.strides`), and that the host can reach.
void require_target(const DistArray& array, const Wording& wording);

/// \name Where the arrays' first elements are
/// \{
std::vector<const std::byte*> readable(const std::vector<DistArray>& arrays);
std::vector<std::byte*> writable(const std::vector<DistArray>& arrays);
/// \}

}  // namespace daptor::detail
