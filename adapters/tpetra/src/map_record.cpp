// SPDX-License-Identifier: BSD-3-Clause
#include "daptor/tpetra/adapter/map_record.hpp"

#include <algorithm>
#include <cstdint>

#include <Tpetra_Map.hpp>

namespace daptor::tpetra {

/// A record attached to a Map that was not made by Daptor.
struct ExtraRecord {
  std::shared_ptr<MapRecord> record;
};

}  // namespace daptor::tpetra

namespace Teuchos {

/// Teuchos finds extra data by the name of its type; this avoids that it demangles the name in each
/// search.
template <>
class TypeNameTraits<daptor::tpetra::ExtraRecord> {
 public:
  static std::string name() { return "daptor::tpetra::ExtraRecord"; }
  static std::string concreteName(const daptor::tpetra::ExtraRecord&) { return name(); }
};

}  // namespace Teuchos

namespace daptor::tpetra {
namespace {

/// Stored in the reference-counting node of a Map's RCP, so it lives as long as the Map.
struct MapDealloc {
  using ptr_t = const Map;
  MapRecord* record;
  void free(const Map* map) {
    delete map;
    delete record;
  }
};

/// While this lives, a write is being relayed; the mark prevents that it is relayed back.
class Relay {
 public:
  explicit Relay(bool& relaying) : relaying_(relaying), before_(std::exchange(relaying, true)) {}
  Relay(const Relay&) = delete;
  Relay& operator=(const Relay&) = delete;
  ~Relay() { relaying_ = before_; }

 private:
  bool& relaying_;
  bool before_;
};

constexpr const char* extra_data_name = "daptor.map-record";

}  // namespace

void MapRecord::hold(const Section& array, std::unique_ptr<HostCopy> copy) {
  watch(array.buffer().state());
  copy_ = std::move(copy);
  data_ = array.data();
  span_ = array.buffer().byte_span();
}

bool MapRecord::holds(const void* data) const {
  if (data == nullptr || data_ == nullptr || !state()) return false;
  return span_.contains(static_cast<Index>(reinterpret_cast<std::uintptr_t>(data) -
                                           reinterpret_cast<std::uintptr_t>(data_)));
}

void MapRecord::add_export(const std::shared_ptr<SharedState>& state, const Producer* producer) {
  exports_.erase(std::remove_if(exports_.begin(), exports_.end(),
                                [](const Export& entry) { return entry.state.expired(); }),
                 exports_.end());
  exports_.push_back({state, producer});
}

void MapRecord::modified_through(const Producer* producer) {
  if (relaying_ || !state()) return;
  const Relay relay(relaying_);
  source_ = producer;
  try {
    state()->modified();
  } catch (...) {
    source_ = nullptr;
    throw;
  }
  source_ = nullptr;
}

void MapRecord::modified() {
  if (copy_) copy_->outdated();
  const Relay relay(relaying_);
  for (const Export& entry : exports_) {
    if (entry.producer == source_) continue;
    if (const auto state = entry.state.lock()) state->modified();
  }
}

Teuchos::RCP<const Map> with_record(std::unique_ptr<const Map> map,
                                    std::unique_ptr<MapRecord> record) {
  return {map.release(), MapDealloc{record.release()}, true};
}

MapRecord* find_record(const Teuchos::RCP<const Map>& map) {
  if (const auto dealloc = Teuchos::get_optional_nonconst_dealloc<MapDealloc>(map);
      !dealloc.is_null())
    return dealloc->record;
  const auto extra = Teuchos::get_optional_extra_data<ExtraRecord>(map, extra_data_name);
  return extra.is_null() ? nullptr : extra->record.get();
}

MapRecord& record_of(const Teuchos::RCP<const Map>& map) {
  if (MapRecord* const record = find_record(map)) return *record;
  const ExtraRecord extra{std::make_shared<MapRecord>()};
  Teuchos::RCP<const Map> handle = map;
  Teuchos::set_extra_data(extra, extra_data_name, Teuchos::outArg(handle));
  return *extra.record;
}

Teuchos::RCP<const Map> copy_with_record(const Teuchos::RCP<const Map>& map,
                                         const MapRecord& known) {
  auto record = std::make_unique<MapRecord>();
  record->order = known.order;
  record->one_to_one = known.one_to_one;
  record->padded_rows = known.padded_rows;
  return with_record(std::make_unique<const Map>(*map), std::move(record));
}

}  // namespace daptor::tpetra
