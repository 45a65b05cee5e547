// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "daptor/adapter/reason.hpp"
#include "order.hpp"

namespace daptor::petsc::detail {

/// Orders in which the slowest dimension can be the columns and all others together the rows.
OrderFit dense_order(const DistArray& array);

/// Rows of this process, columns, and the distance of two columns, in elements.
struct DenseLayout {
  Index owned_rows = 0;
  Index columns = 0;
  Index leading_dimension = 1;
};
DenseLayout dense_layout(const DistArray& array, Order order);

/// Rows of the whole matrix where no dimension is unstructured.
std::optional<Index> global_rows(const DistArray& array, Order order);

/// Why sections that can be, each by itself, cannot be together (rule `petsc.dense.columns`).
Finding mixed_columns_reason();
/// Collective. Rows of the whole matrix. Throws NotRepresentable (rule `petsc.dense.index-range`)
/// where the lists of an unstructured dimension are more together than a PetscInt holds.
Index count_rows(const DistArray& array, Order order, const Comm& comm);

/// Why this section cannot be that of a dense Mat. `overlap`: indices on several processes are one
/// reason.
adapter::Reasons dense_reasons(const DistArray& array, bool overlap = true);

}  // namespace daptor::petsc::detail
