// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "daptor/comm.hpp"
#include "daptor/datatype.hpp"
#include "daptor/dist_array.hpp"

namespace daptor::detail {

/// What is the same on all processes of an array, and what a process without a part in it has to
/// know.
struct Outline {
  std::vector<Index> shape;
  std::string dist_types;  ///< one letter a dimension
  DataType type = DataType::of<char>();
  Index arrays = 0;  ///< in the batch

  bool unstructured() const { return dist_types.find('u') != std::string::npos; }
  /// Of all dimensions together; nothing where 64 bits do not hold it.
  std::optional<Index> elements() const;
};

Outline outline_of(const DistArray& array, Index arrays);

/// Collective over `comm`. The outline of a side that some processes have: `own` there, null on the
/// others.
Outline shared_outline(const Outline* own, const Comm& comm);

}  // namespace daptor::detail
