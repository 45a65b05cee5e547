// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "daptor/adapter/columns.hpp"
#include "daptor/adapter/order.hpp"
#include "daptor/adapter/reason.hpp"

namespace daptor::petsc::detail {

/// Memory orders in which the slowest dimension can be the columns and the other dimensions
/// together the rows.
adapter::OrderFit dense_order(const Section& array);

/// The columns of this process, whose length is the number of its rows.
adapter::Columns dense_columns(const Section& array, Order order);

/// Number of rows of the whole matrix; `nullopt` if a dimension is unstructured.
std::optional<Index> global_rows(const Section& array, Order order);

/// Collective. Number of rows of the whole matrix. Throws NotRepresentable (rule
/// `petsc.dense.index-range`) if the lists of an unstructured dimension together have more indices
/// than a PetscInt can count.
Index count_rows(const DistArray& array, Order order);

/// The reasons why the elements of this section do not lie as those of the local part of a dense
/// Mat.
void dense_layout_reasons(const Section& array, adapter::Reasons& reasons);

}  // namespace daptor::petsc::detail
