// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "daptor/section.hpp"

/// \file
/// For authors of adapters: lets `daptor describe` describe an array from a native description that
/// fits on a command line.

namespace daptor {

/// Describes the sections of all ranks from a few words, such as the numbers of a descriptor, so
/// that users can check and draw what these mean without writing a program.
struct Describer {
  /// An option of the command line, with one argument.
  struct Option {
    std::string name;      ///< `grid`, for `--grid`
    std::string argument;  ///< shown in the help text: `ROWSxCOLUMNS`
    std::string help;      ///< one sentence without a full stop
    bool required = true;
  };
  /// The word that follows `daptor describe`, such as `scalapack`.
  std::string name;
  /// One sentence without a full stop.
  std::string help;
  std::vector<Option> options;
  /// Returns one section for each rank, without memory. `arguments` are those of the options, in
  /// their order; nullopt for an option that was left out. Throws InvalidArgument for words without
  /// a meaning, and Malformed or Unsupported, with ranks, for a wrong description. Must not need
  /// MPI.
  std::function<std::vector<Section>(const std::vector<std::optional<std::string>>& arguments)>
      describe;
};

/// Adds a describer to those that `daptor describe` knows; it replaces an earlier one of the same
/// name. Adapters call this together with `register_target`.
void register_describer(Describer describer);
const std::vector<Describer>& registered_describers();

}  // namespace daptor
