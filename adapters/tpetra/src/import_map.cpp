// SPDX-License-Identifier: BSD-3-Clause
#include "import_map.hpp"

#include <exception>
#include <limits>
#include <string>

#include <Tpetra_Map.hpp>

#include "communicator.hpp"
#include "daptor/adapter/extents.hpp"
#include "daptor/adapter/reason.hpp"
#include "daptor/call.hpp"
#include "daptor/error.hpp"
#include "daptor/tpetra/adapter/kokkos.hpp"
#include "daptor/tpetra/adapter/space.hpp"
#include "numbering.hpp"

namespace daptor::tpetra {
namespace {

using GlobalOrdinal = detail::GlobalOrdinal;

/// Whether the description distinguishes owned elements from copies. Versions 0.10 may do so on
/// some ranks only.
bool padded(const Section& array) {
  for (const Dimension& d : array.dimensions()) {
    const auto* block = d.as<Block>();
    const auto* whole = d.as<Undistributed>();
    const auto* list = d.as<Unstructured>();
    if ((block != nullptr && block->padded) || (whole != nullptr && whole->padded) ||
        (list != nullptr && list->owned))
      return true;
  }
  return false;
}

void check_options(const MapOptions& options) {
  constexpr auto limit = static_cast<Index>(std::numeric_limits<GlobalOrdinal>::max() / 2);
  if (options.index_base < 0 || options.index_base > limit)
    throw InvalidArgument("index_base", std::to_string(options.index_base),
                          "0 or more, and at most " + std::to_string(limit));
}

/// One import on all ranks, which makes the Map in steps.
class MapImport {
 public:
  MapImport(const DistArray& array, const Request& request, const Finish& finish)
      : array_(array),
        request_(request),
        finish_(finish),
        call_(array, request.vector ? "tpetra::import_multivector" : "tpetra::import_map") {}

  /// Collective. Proves the array consistent, and returns whether a Map without a list may be
  /// possible.
  bool check() {
    call_.same(request_.map);
    call_.same("columns", request_.columns);
    call_.same("writable", !request_.reading);
    call_.attempt([&] {
      require_trilinos();
      check_options(request_.map);
    });
    Agreed<bool> contiguous, unpadded, ordered;
    fit_ = adapter::agree(
        form_of(request_), array_, call_,
        [&] {
          first_ = first_row_dimension(array_, request_.columns);
          const bool owned = part_ == Part::owned || without_ghosts(array_, first_);
          const bool by_numbers = natural() && !nothing_to_number(array_, first_);
          if (owned && by_numbers) run_ = natural_run(array_, first_);
          contiguous = call_.all(owned && (run_ || !by_numbers));
          unpadded = call_.all(!padded(array_));
          ordered = call_.all(!by_numbers || in_rank_order(array_, first_, call_.comm()));
          record_ = make_record();
        },
        asked_by(request_));
    // If no process has padding, the owned part and the whole section are the same.
    if (unpadded) part_ = Part::owned;
    ordered_ = ordered;
    require_narrow_ordinals();
    return contiguous;
  }

  /// Collective. Makes the Map without a list; null if its numbers turn out to be different.
  Teuchos::RCP<const Map> without_list() {
    auto map = call_.library("tpetra", "Tpetra::Map", [&] {
      return std::make_unique<const Map>(global_count(), local_count(), base(),
                                         teuchos_comm(call_.comm()));
    });
    if (ordered_ && part_ == Part::owned && vector_space().host())
      return call_.library("tpetra", "Tpetra::MultiVector",
                           [&] { return finished(std::move(map)); });
    const Index start = run_ && !run_->empty() ? run_->start + request_.map.index_base : -1;
    const auto right =
        call_.all(start < 0 || map->getMinGlobalIndex() == static_cast<GlobalOrdinal>(start));
    auto result = call_.check([&] { return finished(std::move(map)); });
    if (!right) result = Teuchos::null;
    return result;
  }

  /// Collective. Makes the Map from a list.
  Teuchos::RCP<const Map> from_list() {
    std::vector<Index> indices;
    if (!natural()) indices = contiguous_rows(array_, first_, call_);
    const OrdinalList list = call_.check([&] {
      if (natural()) indices = natural_rows(array_, first_, part_);
      record_ = make_record();
      return OrdinalList(std::move(indices), request_.map.index_base);
    });
    auto map = call_.library("tpetra", "Tpetra::Map", [&] {
      return std::make_unique<const Map>(
          part_ == Part::owned ? global_count() : unknown_count(), list.data(),
          static_cast<Map::local_ordinal_type>(list.size()), base(), teuchos_comm(call_.comm()));
    });
    return call_.check([&] {
      require_unique(*map, list);
      return finished(std::move(map));
    });
  }

 private:
  static Tpetra::global_size_t unknown_count() {
    return Teuchos::OrdinalTraits<Tpetra::global_size_t>::invalid();
  }

  bool natural() const { return request_.map.numbering == Numbering::natural; }

  GlobalOrdinal base() const { return static_cast<GlobalOrdinal>(request_.map.index_base); }

  Tpetra::global_size_t global_count() const {
    if (fit_.lists) return unknown_count();
    const auto count = adapter::global_count(array_.dimensions(), static_cast<std::size_t>(first_));
    return count ? static_cast<Tpetra::global_size_t>(*count) : unknown_count();
  }

  std::size_t local_count() const {
    return static_cast<std::size_t>(row_count(array_, first_, Part::owned));
  }

  /// Collective. Checks the sum of the lengths of all lists, which may exceed ordinals of less than
  /// 64 bits.
  void require_narrow_ordinals() {
    if constexpr (sizeof(GlobalOrdinal) < sizeof(Index)) {
      const Index before = call_.comm()->exclusive_sum(static_cast<Index>(local_count()));
      call_.check([&] {
        const Index stop = before + static_cast<Index>(local_count()) + request_.map.index_base;
        if (stop - 1 <= static_cast<Index>(std::numeric_limits<GlobalOrdinal>::max())) return;
        throw NotRepresentable(
            adapter::reason("tpetra.global-ordinal", std::to_string(stop) + " global indices",
                            "a number of indices that fits in Tpetra's global ordinal",
                            "Use a Tpetra whose global ordinal is wider."));
      });
    }
  }

  /// Requires U04, which Tpetra assumes: it would find a repeated index at a different local index.
  /// The Map tells whether there may be one.
  void require_unique(const Map& map, const OrdinalList& list) const {
    if (!has_lists(array_, first_)) return;
    for (std::size_t i = 0; i < list.size(); ++i) {
      if (map.getLocalElement(list.data()[i]) == static_cast<Map::local_ordinal_type>(i)) continue;
      if (auto repeated = repeated_index(array_, first_, part_)) throw Malformed(*repeated);
      return;
    }
  }

  /// The record of a vector's Map keeps the array's memory alive.
  std::unique_ptr<MapRecord> make_record() const {
    auto record = std::make_unique<MapRecord>();
    if (request_.vector) record->hold(array_);
    return record;
  }

  Teuchos::RCP<const Map> finished(std::unique_ptr<const Map> map) {
    MapRecord& record = *record_;
    record.one_to_one = part_ == Part::owned && (!fit_.lists || known_one_to_one(array_, first_));
    if (part_ == Part::overlap)
      record.padded_rows = MapRecord::PaddedRows{array_.version(), row_dimensions(array_, first_),
                                                 first_ == 1, request_.map.numbering};
    auto result = with_record(std::move(map), std::move(record_));
    if (finish_) finish_(result, record, layout_of(array_, request_, fit_));
    return result;
  }

  const DistArray& array_;
  const Request& request_;
  const Finish& finish_;
  Call call_;
  adapter::Fit fit_;
  int first_ = 0;
  Part part_ = request_.map.part;
  std::optional<IndexRange> run_;
  bool ordered_ = false;  ///< the numbers of contiguous Maps are known to be right
  std::unique_ptr<MapRecord> record_;
};

}  // namespace

Teuchos::RCP<const Map> import_on_map(const DistArray& array, const Request& request,
                                      const Finish& finish) {
  MapImport steps(array, request, finish);
  if (steps.check()) {
    auto map = steps.without_list();
    if (!map.is_null()) return map;
  }
  return steps.from_list();
}

Teuchos::RCP<const Tpetra::Map<>> import_map(const DistArray& array, const MapOptions& options) {
  Request request;
  request.map = options;
  return import_on_map(array, request, nullptr);
}

void detail::refuse_scalar(const DataType& type) {
  throw NotRepresentable(scalar_finding(type));
}

void detail::refuse_scalar(const DataType& type, const Comm& comm, const char* name) {
  Call call(comm, name);
  call.check([&] { refuse_scalar(type); });
  std::terminate();  // the check threw
}

}  // namespace daptor::tpetra
