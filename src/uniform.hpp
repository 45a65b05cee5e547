#pragma once

#include <exception>

#include "daptor/communicator.hpp"
#include "daptor/dist_array.hpp"

namespace daptor::detail {

/// Collective. Proves that all ranks describe the same array (T08, T14, T16, D05, D10, D15, D25,
/// C06, P06, U10) on as many processes as there are (D14). `local` is the failure that this rank
/// brings from what came before; where any rank brings one, all throw as `agree` does. One
/// all-reduce when nothing is wrong.
///
/// Returns, the same on all ranks, whether the array is regular: ranks row-major on the grid,
/// blocks even, cyclic dimensions dealt from process 0. Then every rank knows by arithmetic who
/// owns what.
bool require_uniform(const DistArray& array, const Communicator& comm, std::exception_ptr local);

/// The row-major number of this process's grid coordinates, or -1 where 64 bits do not hold it.
Index seat_number(const std::vector<Dimension>& dimensions);

/// True where this process's part of the dimension is the one that an even block, or a cyclic
/// distribution dealt from process 0, gives it.
bool regular_part(const Dimension& dimension);

}  // namespace daptor::detail
