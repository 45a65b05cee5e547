// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "daptor/adapter/edges.hpp"

namespace daptor::python {

using adapter::Edges;
using adapter::EdgesOfAll;

/// What the dimensions of one section say about the edges of the whole array: those of the section
/// and, if a builder has made the dimensions, all that it was asked for. Process-local.
Edges edges_in(const std::vector<Dimension>& dimensions);

}  // namespace daptor::python
