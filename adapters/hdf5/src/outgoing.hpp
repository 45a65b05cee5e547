// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>

#include "daptor/call.hpp"
#include "daptor/dist_array.hpp"
#include "direct.hpp"
#include "file_view.hpp"
#include "meter.hpp"
#include "open_dataset.hpp"

namespace daptor::hdf5::detail {

/// An array on its way to a file, on memory that a lease of the caller keeps open.
class Outgoing {
 public:
  struct Options {
    bool boundary, read_from_any;
    std::int64_t memory_bytes;
    bool told;  ///< whether this process is told how far the call is
  };

  Outgoing() = default;
  /// Collective.
  /// @param a       proven by an earlier check, must outlive this
  /// @param memory  the element of `a` whose local indices are all zero
  Outgoing(Call& call, const DistArray& a, const void* memory, const Options& options);

  /// What the file shall have, the same on all ranks.
  const std::vector<Index>& shape() const { return view_.shape; }
  bool empty() const { return view_.empty(); }
  /// The array in the file's shape.
  const DistArray& view() const { return view_.array; }
  /// Whether all ranks are `is_regular`.
  bool regular() const { return regular_; }
  /// Collective. Writes the elements: from the array's memory if all ranks can, otherwise stage by
  /// stage in the order of the file, as also chunks that must be written whole.
  /// @param meter  is told how far it is
  void write(Call& call, OpenDataset& dataset, Meter& meter) const;

 private:
  void write_directly(Call& call, OpenDataset& dataset, Meter& meter) const;
  void write_in_stages(Call& call, OpenDataset& dataset, Meter& meter,
                       const std::vector<Index>& chunks) const;

  Options options_{};
  FileView view_;
  Direct direct_;
  bool all_direct_ = false, regular_ = false;
  Index parts_ = 1;
};

}  // namespace daptor::hdf5::detail
