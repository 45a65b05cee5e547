// SPDX-License-Identifier: BSD-3-Clause
#include "vec_values.hpp"

#include <algorithm>
#include <cstring>

#include "daptor/petsc/adapter/call.hpp"
#include "objects.hpp"

namespace daptor::petsc::detail {

VecValues::VecValues(Vec vec) : vec_(vec) {
  readable_ = is_set_up(vec) && is_one_of(object(vec), {VECSEQ, VECMPI, VECSHARED});
  if (!readable_) return;
  count_ = static_cast<std::size_t>(local_size(vec));
  call("VecGetArrayRead", VecGetArrayRead, vec, &values_);
}

VecValues::~VecValues() {
  if (readable_) static_cast<void>(VecRestoreArrayRead(vec_, &values_));
}

// FNV-1a over words of 8 bytes; values are at least 4 bytes long.
std::uint64_t hash_of(const PetscScalar* begin, const PetscScalar* end) {
  std::uint64_t hash = 0xcbf29ce484222325;
  const auto* bytes = reinterpret_cast<const unsigned char*>(begin);
  const auto* const stop = reinterpret_cast<const unsigned char*>(end);
  while (bytes < stop) {
    std::uint64_t word = 0;
    const auto size = std::min<std::size_t>(sizeof(word), static_cast<std::size_t>(stop - bytes));
    std::memcpy(&word, bytes, size);
    hash = (hash ^ word) * 0x100000001b3;
    hash ^= hash >> 29;
    bytes += size;
  }
  return hash;
}

}  // namespace daptor::petsc::detail
