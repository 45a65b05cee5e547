// SPDX-License-Identifier: BSD-3-Clause
// What a program in Fortran or C calls of a program's part in C++. No error leaves it.
#include <cstdint>
#include <cstdio>
#include <exception>

#include <daptor/ga.hpp>
#include <daptor/lease.hpp>
#include <daptor/local_index_map.hpp>

namespace {

/// Sets every element to the number of its row, counted from 1.
void number_rows_of(const daptor::DistArray& array) {
  daptor::WriteLease lease(array);
  const auto rows = lease.view<double, 2>();
  const daptor::LocalIndexMap map(array);
  for (daptor::Index i = 0; i < array.local_shape()[0]; ++i)
    for (daptor::Index j = 0; j < array.local_shape()[1]; ++j)
      rows(i, j) = static_cast<double>(map.global_of({i, j})[0] + 1);
  lease.close();
}

}  // namespace

extern "C" int number_rows(int handle, std::int64_t* rows, std::int64_t* columns) {
  try {
    const daptor::DistArray array = daptor::ga::export_array(handle);
    if (!array.described()) return 0;  // a process without elements
    *rows = array.global_shape()[0];
    *columns = array.global_shape()[1];
    number_rows_of(array);
    return 0;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}
