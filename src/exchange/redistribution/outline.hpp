// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "daptor/call.hpp"
#include "daptor/comm.hpp"
#include "daptor/datatype.hpp"
#include "daptor/section.hpp"

namespace daptor::detail {

/// Properties that are the same on all processes of an array, and that a process without a section
/// must know.
struct Outline {
  std::vector<Index> shape;
  std::string dist_types;  ///< one letter per dimension
  DataType type = DataType::of<char>();
  Index arrays = 0;  ///< number of arrays in the batch

  bool unstructured() const { return dist_types.find('u') != std::string::npos; }
  /// Number of elements of the array; `nullopt` if it does not fit in 64 bits.
  std::optional<Index> elements() const;
};

Outline outline_of(const Section& array, Index arrays);

/// Collective over `comm`. The outline of a side: `own` is set on the processes that take part in
/// it, and null on the others.
Outline shared_outline(const Outline* own, Call& call);

}  // namespace daptor::detail
