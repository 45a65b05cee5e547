// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <spool.h>

#include "daptor/adapter/on_array.hpp"
#include "daptor/fields.hpp"

namespace daptor::spool {

/// A vector of the library Spool on the memory of an array, which it keeps alive.
using Vector = adapter::OnArray<spool_vector*, spool_free>;

/// For `import_vector`.
struct VectorOptions {
  bool backwards = false;
  bool allow_overlap = false;
};
constexpr auto fields(const VectorOptions&) {
  return field_list(
      field("backwards", &VectorOptions::backwards, "the last owned element comes first"),
      field("allow_overlap", &VectorOptions::allow_overlap,
            "accept elements that are on several processes"));
}

/// Collective. The owned elements of each process as a vector, on the same memory.
/// @param array  one dimension of doubles, with any stride, in memory of the host or of a CUDA
///   device
/// @throws NotRepresentable with rule `spool.vector.type`, `spool.vector.dimensions`,
///   `spool.vector.alignment`, `spool.vector.apart`, `spool.vector.shared-memory`,
///   `spool.vector.device`, `spool.vector.readonly`, `spool.vector.overlap` or
///   `spool.vector.index-range`, on all ranks
Vector import_vector(const DistArray& array, const VectorOptions& options = {});

/// Adds the target `spool.vector` to those that `daptor::explain` asks. The adapter calls this
/// itself when it is loaded. Always returns true.
bool register_targets();

}  // namespace daptor::spool
