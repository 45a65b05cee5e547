// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "daptor/dist_array.hpp"

/// \file
/// For authors of adapters: what `daptor describe` makes of a native description that fits on a
/// command line.

namespace daptor {

/// Describes the sections of all ranks from a few words, such as the numbers of a descriptor, so
/// that somebody can check and draw what they mean without a program.
struct Describer {
  /// An option of the command line, with one argument.
  struct Option {
    std::string name;      ///< `grid`, for `--grid`
    std::string argument;  ///< as help shows it: `ROWSxCOLUMNS`
    std::string help;      ///< one sentence without a full stop
    bool required = true;
  };
  /// `scalapack`: what follows `daptor describe`.
  std::string name;
  /// One sentence without a full stop.
  std::string help;
  std::vector<Option> options;
  /// One array for each rank, without memory. `arguments`: of the options, in their order; nullopt
  /// where one was left out. Throws InvalidArgument for words that mean nothing, and Malformed or
  /// Unsupported, with ranks, for a description that is wrong. Must not need MPI.
  std::function<std::vector<DistArray>(const std::vector<std::optional<std::string>>& arguments)>
      describe;
};

/// Adds a describer to those that `daptor describe` knows; the last one of a name counts. Adapters
/// call it together with `register_target`.
void register_describer(Describer describer);
const std::vector<Describer>& registered_describers();

}  // namespace daptor
