// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include <Teuchos_RCP.hpp>
#include <Tpetra_Map_fwd.hpp>

#include "daptor/buffer.hpp"
#include "daptor/numbering.hpp"
#include "daptor/section.hpp"

/// \file
/// For adapters that join Tpetra with another library: what Daptor knows about a Map.

namespace daptor::tpetra {

using Map = Tpetra::Map<>;

/// Memory of the host for vectors on a device, as Tpetra has it for each.
class HostCopy {
 public:
  HostCopy() = default;
  HostCopy(const HostCopy&) = delete;
  HostCopy& operator=(const HostCopy&) = delete;
  virtual ~HostCopy() = default;
  /// Tells Tpetra that the values on the device are newer now. Throws Stale if it has newer ones
  /// here.
  virtual void outdated() = 0;
};

/// Daptor's knowledge about a Map, stored with it: how the processes share its indices, the rows of
/// which it was made if they are padded, and, for the Map of an imported vector, the memory to
/// which objects on this Map may refer.
class MapRecord final : public NativeView {
 public:
  /// How the processes share the indices. All members except `start` are the same on all processes.
  struct Order {
    /// The indices are contiguous in rank order, from the index base on.
    bool contiguous = false;
    Index start = 0;  ///< number of indices on the ranks below this one
    /// If a process has an index twice, the reason why no dimension describes the Map.
    std::optional<Finding> repeated;
  };
  /// `nullopt` until it is needed for the first time.
  std::optional<Order> order;
  /// Whether every index is on one process only: the array from which the Map was made says so, or
  /// it was proven.
  bool one_to_one = false;

  /// Rows with communication padding or ghosts, which the Map lists in row-major order of the
  /// section. Unlike a list of indices, they say which of two equal indices is the owned one.
  struct PaddedRows {
    Version version;
    std::vector<Dimension> dimensions;
    /// Whether the array had a dimension of columns before them. The export of a MultiVector of one
    /// column has one, too: otherwise an undistributed first dimension of the rows would take its
    /// place.
    bool after_columns = false;
    /// Which global indices the Map has for them.
    Numbering numbering = Numbering::natural;
  };
  std::optional<PaddedRows> padded_rows;

  /// Keeps the memory of `array` alive as long as the Map lives, and is notified of writes to it.
  /// @param copy  that of the vectors on it; null if they are on the host
  void hold(const Section& array, std::unique_ptr<HostCopy> copy = nullptr);
  /// Whether `data` points into the memory that is held.
  bool holds(const void* data) const;
  /// The first described byte of that memory; null if no memory is held.
  const void* held_data() const { return data_; }

  /// Registers an export of an object on this Map, so that a write that is notified to one of the
  /// two is relayed to the other. Vectors with memory of their own are registered too: on a rank
  /// without elements they cannot be told from a column of the import, and either all ranks or none
  /// must be notified of a write.
  void add_export(const std::shared_ptr<SharedState>& state, const Producer* producer);
  /// Relays a write of which the producer of such an export was notified.
  void modified_through(const Producer* producer);
  void modified() override;
  /// Whether a write is being relayed at the moment.
  bool relaying() const { return relaying_; }

 private:
  struct Export {
    std::weak_ptr<SharedState> state;
    const Producer* producer;
  };

  std::unique_ptr<HostCopy> copy_;
  const void* data_ = nullptr;
  IndexRange span_;  // in bytes from data_
  std::vector<Export> exports_;
  const Producer* source_ = nullptr;  // the export that was notified of a write
  bool relaying_ = false;
};

/// Stores a record with a new Map. Process-local.
/// @param map     a Map that has no record yet
/// @param record  what Daptor knows about it; lives as long as the Map
Teuchos::RCP<const Map> with_record(std::unique_ptr<const Map> map,
                                    std::unique_ptr<MapRecord> record);

/// The record of a Map; null if there is none. Process-local.
MapRecord* find_record(const Teuchos::RCP<const Map>& map);

/// The record of a Map; if there is none, one is made. Process-local.
MapRecord& record_of(const Teuchos::RCP<const Map>& map);

/// A Map with the same indices, communicator and tables, and a record of its own. Process-local.
/// @param map    the Map to copy
/// @param known  what the new record also knows; the new record does not keep the memory alive that
///               `known` keeps alive
Teuchos::RCP<const Map> copy_with_record(const Teuchos::RCP<const Map>& map,
                                         const MapRecord& known);

}  // namespace daptor::tpetra
