// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "daptor/comm.hpp"
#include "daptor/section.hpp"
#include "daptor/types.hpp"

/// \file
/// A sparse matrix in compressed rows, as PETSc's MATMPIAIJ and hypre's ParCSR keep it: the entries
/// of a process in two blocks.

namespace daptor {

/// The rows of one process in two blocks: the entries in columns that the process owns, and all
/// others. A cheap value that describes memory: copies share it.
///
/// Rows and columns are divided among the processes rank after rank. Each array is local: one
/// dimension, undistributed, on the host. Columns may be in any order within a row; entries in one
/// column are added. Columns and starts are integers of 4 or 8 bytes.
///
/// Example: process 0 of two has the rows 1 3 | 0 2 and 0 4 | 5 0 of a 4 x 4 matrix, and owns the
/// columns [0, 2).
///
///     own    values 1 3 4  columns 0 1 1  starts 0 2 3
///     other  values 2 5    columns 1 0    starts 0 1 2    other_columns 2 3
///
/// `csr_from_rows` describes rows whose entries are in one list (`daptor/csr_rows.hpp`).
struct SplitRows {
  struct Block {
    Section values;   ///< one element for each entry, row after row
    Section columns;  ///< the local number of the column of each entry
    Section starts;   ///< the first entry of each row, then the number of entries
  };

  Comm comm;              ///< the processes among which the matrix is divided
  IndexRange rows;        ///< owned, global
  IndexRange columns;     ///< owned, global
  Index global_rows;      ///< of the whole matrix, the same on all ranks
  Index global_columns;   ///< of the whole matrix, the same on all ranks
  Block own;              ///< columns count from the first owned column
  Block other;            ///< columns are positions in `other_columns`
  Section other_columns;  ///< global columns, which other processes own
};

}  // namespace daptor
