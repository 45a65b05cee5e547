// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// The C interface of the BLACS, which comes without a header. Only for sources of this adapter: a
// program may have declarations of its own.

#include <mpi.h>

extern "C" {
int Csys2blacs_handle(MPI_Comm comm);
MPI_Comm Cblacs2sys_handle(int handle);
void Cfree_blacs_system_handle(int handle);
void Cblacs_get(int context, int what, int* value);
void Cblacs_gridinit(int* context, const char* order, int rows, int columns);
void Cblacs_gridmap(int* context, const int* ranks, int leading_dimension, int rows, int columns);
void Cblacs_gridinfo(int context, int* rows, int* columns, int* row, int* column);
void Cblacs_gridexit(int context);
}

namespace daptor::scalapack {

/// What a context says of its grid and of this process; all -1 where it is none, or where this
/// process is not in it. Process-local.
struct GridInfo {
  int rows = -1;
  int columns = -1;
  int row = -1;
  int column = -1;

  explicit operator bool() const { return rows > 0; }
  friend bool operator==(const GridInfo& a, const GridInfo& b) {
    return a.rows == b.rows && a.columns == b.columns && a.row == b.row && a.column == b.column;
  }
};

/// The communicator that the BLACS keep for a context that exists.
inline MPI_Comm communicator_of(int context) {
  constexpr int what_system_context = 10;
  int handle = -1;
  Cblacs_get(context, what_system_context, &handle);
  return Cblacs2sys_handle(handle);
}

inline GridInfo grid_info(int context) {
  GridInfo info;
  Cblacs_gridinfo(context, &info.rows, &info.columns, &info.row, &info.column);
  return info;
}

}  // namespace daptor::scalapack
