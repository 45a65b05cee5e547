// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include <Teuchos_RCP.hpp>
#include <Tpetra_Map_fwd.hpp>

#include "daptor/buffer.hpp"
#include "daptor/dist_array.hpp"

/// \file
/// For adapters that join Tpetra with another library: what Daptor knows of a Map.

namespace daptor::tpetra {

using Map = Tpetra::Map<>;

/// What Daptor knows of a Map, kept with it: how the processes share its indices, the rows that it
/// was made of where they are padded, and, for a Map that was made for an imported vector, the
/// memory that everything on this Map may refer to.
class MapRecord final : public NativeView {
 public:
  /// How the processes share the indices; the same on all of them but for `start`.
  struct Order {
    /// In rank order, from the index base on.
    bool contiguous = false;
    Index start = 0;  ///< indices on the ranks below this one
    /// Why no dimension describes the Map: a process has an index twice.
    std::optional<Finding> repeated;
  };
  /// Not known before it was asked.
  std::optional<Order> order;
  /// Every index is on one process only: said by the array that the Map was made of, or proven when
  /// it was asked.
  bool one_to_one = false;

  /// Rows with communication padding, which the Map numbers in row-major order of the section. No
  /// list says as much: which of two equal indices is the owned one.
  struct PaddedRows {
    Version version;
    std::vector<Dimension> dimensions;
  };
  std::optional<PaddedRows> padded_rows;

  /// Keeps the memory of `array` alive with this Map, and learns of writes to it.
  void hold(const DistArray& array);
  /// True where `data` lies in the memory that is held.
  bool holds(const void* data) const;
  /// What stands behind that memory, and its first described byte.
  const void* held_data() const { return data_; }

  /// An export of something on this Map: a write known to one is made known to the other. Also of
  /// vectors with memory of their own, since on a rank without elements nobody can tell them from a
  /// column of the import, and all ranks must hear of a write or none.
  void add_export(const std::shared_ptr<SharedState>& state, const Producer* producer);
  /// Makes a write known that the producer of such an export was told of.
  void modified_through(const Producer* producer);
  void modified() override;

 private:
  struct Export {
    std::weak_ptr<SharedState> state;
    const Producer* producer;
  };

  const void* data_ = nullptr;
  IndexRange span_;  // bytes from data_
  std::vector<Export> exports_;
  const Producer* source_ = nullptr;  // the export where a write was made known
  bool relaying_ = false;
};

/// Puts a record beside a new Map. Process-local.
/// @param map     a Map that has no record yet
/// @param record  what Daptor knows of it; lives as long as the Map
Teuchos::RCP<const Map> with_record(std::unique_ptr<const Map> map,
                                    std::unique_ptr<MapRecord> record);

/// The record of a Map; null where there is none. Process-local.
MapRecord* find_record(const Teuchos::RCP<const Map>& map);

/// The record of a Map, which is made where there is none. Process-local.
MapRecord& record_of(const Teuchos::RCP<const Map>& map);

/// A Map of the same indices, communicator and tables with a record of its own. Process-local.
/// @param map    the Map to copy
/// @param known  what the new record knows too; the memory that `known` holds is not held by it
Teuchos::RCP<const Map> copy_with_record(const Teuchos::RCP<const Map>& map,
                                         const MapRecord& known);

}  // namespace daptor::tpetra
