// SPDX-License-Identifier: BSD-3-Clause
#include "exchange/mpi_type.hpp"

#include <limits>

#include "ranks/mpi_duplicate.hpp"

namespace daptor::detail {
namespace {

constexpr Index largest_int = std::numeric_limits<int>::max();

}  // namespace

MpiType::~MpiType() {
  if (type_ != MPI_DATATYPE_NULL && adapter::mpi_running()) MPI_Type_free(&type_);
}

bool MpiType::can_hold(const MemoryRuns& runs) {
  for (const MemoryRuns::Loop* loop : runs.loops())
    if (loop->count > largest_int) return false;
  return runs.run_bytes() <= largest_int;
}

MpiType MpiType::contiguous(Index bytes) {
  MPI_Datatype type = MPI_DATATYPE_NULL;
  check_mpi(MPI_Type_contiguous(static_cast<int>(bytes), MPI_BYTE, &type), "MPI_Type_contiguous");
  return MpiType(type);
}

MpiType MpiType::repeated(const MemoryRuns::Loop& loop) const {
  MPI_Datatype type = MPI_DATATYPE_NULL;
  if (loop.offsets.empty()) {
    check_mpi(MPI_Type_create_hvector(static_cast<int>(loop.count), 1, loop.stride, type_, &type),
              "MPI_Type_create_hvector");
    return MpiType(type);
  }
  const std::vector<MPI_Aint> offsets(loop.offsets.begin(), loop.offsets.end());
  check_mpi(
      MPI_Type_create_hindexed_block(static_cast<int>(loop.count), 1, offsets.data(), type_, &type),
      "MPI_Type_create_hindexed_block");
  return MpiType(type);
}

MpiType MpiType::of(const MemoryRuns& runs) {
  const auto loops = runs.loops();
  std::vector<MpiType> types;
  types.push_back(contiguous(runs.run_bytes()));
  for (auto loop = loops.rbegin(); loop != loops.rend(); ++loop)
    types.push_back(types.back().repeated(**loop));
  return std::move(types.back());
}

MpiType MpiType::of(const std::vector<MemoryRuns>& regions, const std::vector<MPI_Aint>& arrays) {
  std::vector<MpiType> parts;
  std::vector<MPI_Datatype> types;
  std::vector<MPI_Aint> displacements;
  for (const MPI_Aint array : arrays)
    for (const MemoryRuns& runs : regions) {
      parts.push_back(of(runs));
      types.push_back(parts.back().get());
      displacements.push_back(array + runs.first());
    }
  const std::vector<int> lengths(types.size(), 1);
  MPI_Datatype all = MPI_DATATYPE_NULL;
  check_mpi(MPI_Type_create_struct(static_cast<int>(types.size()), lengths.data(),
                                   displacements.data(), types.data(), &all),
            "MPI_Type_create_struct");
  MpiType type(all);
  check_mpi(MPI_Type_commit(&type.type_), "MPI_Type_commit");
  return type;
}

}  // namespace daptor::detail
