// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <Tpetra_Map.hpp>
#include <Tpetra_MultiVector.hpp>
#include <Tpetra_Vector.hpp>

#include "daptor/adapter/library.hpp"
#include "daptor/adapter/reason.hpp"
#include "daptor/tpetra/adapter/kokkos.hpp"
#include "daptor/tpetra/adapter/native.hpp"
#include "daptor/tpetra/adapter/space.hpp"
#include "export_map.hpp"
#include "names.hpp"

namespace daptor::tpetra {
namespace {

template <class Scalar>
using ConstVectors = Teuchos::RCP<const Tpetra::MultiVector<Scalar>>;

/// Whether the values on the host are older than those on the device (`host`), or the reverse.
template <class Scalar>
bool older(const Tpetra::MultiVector<Scalar>& x, bool host) {
  if constexpr (host_vectors<Scalar>)
    return false;
  else
    return host ? x.need_sync_host() : x.need_sync_device();
}

template <class Scalar>
void require_newest(const Tpetra::MultiVector<Scalar>& x, bool host) {
  if (!older(x, host)) return;
  throw Stale(
      std::string("a MultiVector whose newest values are on the ") + (host ? "device" : "host"),
      "Export it again, or have Tpetra move them: " +
          (host ? names::view_on_host : names::view_on_device) + ".");
}

/// The columns on the host, or on the device, where they have to be the newest: else Tpetra would
/// copy them.
template <class Scalar>
Layout layout_of(const Tpetra::MultiVector<Scalar>& x, bool host) {
  Layout layout;
  layout.rows = static_cast<Index>(x.getLocalLength());
  layout.columns = static_cast<Index>(x.getNumVectors());
  layout.stride = layout.columns > 1 ? static_cast<Index>(x.getStride()) : layout.rows;
  require_newest(x, host);
  if (host) {
    layout.data = x.getLocalViewHost(Tpetra::Access::ReadOnly).data();
  } else {
    Kokkos::fence();
    layout.data = x.getLocalViewDevice(Tpetra::Access::ReadOnly).data();
  }
  return layout;
}

/// Notes that the values in one of the places are newer now.
template <class Scalar>
void note_write(const Tpetra::MultiVector<Scalar>& x, bool host) {
  if constexpr (!host_vectors<Scalar>) {
    require_newest(x, host);
    // Who writes has described an object that is not const. To overwrite all moves nothing.
    auto& object = const_cast<Tpetra::MultiVector<Scalar>&>(x);
    if (host)
      object.getLocalViewHost(Tpetra::Access::OverwriteAll);
    else
      object.getLocalViewDevice(Tpetra::Access::OverwriteAll);
  }
}

/// Holds a reference to a MultiVector; opens its memory anew for each lease.
template <class Scalar>
class MultiVectorProducer final : public Producer {
 public:
  MultiVectorProducer(ConstVectors<Scalar> x, const Layout& layout, bool host)
      : x_(std::move(x)), layout_(layout), host_(host) {}
  ~MultiVectorProducer() override {
    if (!detail::kokkos_running())
      detail::keep_forever(
          std::make_shared<std::pair<ConstVectors<Scalar>, Teuchos::RCP<const Map>>>(x_,
                                                                                     source_map_));
  }

  /// Remembers the array whose import made the Map, according to the Map's record: the memory may
  /// be that array's.
  void come_from(const Teuchos::RCP<const Map>& map, MapRecord& record) {
    source_map_ = map;
    source_record_ = &record;
    if (!record.holds(layout_.data)) return;
    source_ = record.state();
    source_data_ = const_cast<void*>(record.held_data());  // only compared
  }

  void* begin_access(Access access, void* described) override {
    require_trilinos();
    const Layout now =
        adapter::translated("tpetra", "Tpetra::MultiVector", [&] { return layout_of(*x_, host_); });
    if (now.data != layout_.data || now.rows != layout_.rows || now.columns != layout_.columns ||
        now.stride != layout_.stride)
      throw Stale("a MultiVector whose memory has changed since it was exported",
                  "Export it again.");
    if (source_ && source_->producer().begin_access(access, source_data_) != source_data_) {
      source_->producer().end_access(access);
      throw Stale("an import whose array has moved to other memory since",
                  "Export the array, import it and export the result again.");
    }
    return described;
  }
  void end_access(Access access) noexcept override {
    if (source_) source_->producer().end_access(access);
  }
  void modified() override {
    const bool relayed = source_record_ != nullptr && source_record_->relaying();
    if (!relayed) note_write(*x_, host_);
    // A copy on the host is not the memory from which the object was imported.
    if (source_record_ != nullptr && host_ == host_vectors<Scalar>)
      source_record_->modified_through(this);
  }

 private:
  ConstVectors<Scalar> x_;
  Layout layout_;
  bool host_;
  Teuchos::RCP<const Map> source_map_;
  MapRecord* source_record_ = nullptr;
  std::shared_ptr<SharedState> source_;
  void* source_data_ = nullptr;
};

template <class Scalar>
std::shared_ptr<SharedState> state_for(const ConstVectors<Scalar>& x, const Layout& layout,
                                       bool host, MapRecord& record) {
  auto producer = std::make_unique<MultiVectorProducer<Scalar>>(x, layout, host);
  auto* const made = producer.get();
  const bool imported = record.state() != nullptr;
  if (imported) made->come_from(x->getMap(), record);
  auto state = std::make_shared<SharedState>(std::move(producer));
  if (imported) record.add_export(state, made);
  return state;
}

/// Throws the reason why the columns cannot be described.
template <class Scalar>
void check_vectors(const Tpetra::MultiVector<Scalar>& x) {
  require_trilinos();
  if (!x.isConstantStride())
    throw NotRepresentable(adapter::reason(
        "tpetra.stride", "columns that were selected from a MultiVector, without a constant stride",
        "columns at a constant stride",
        "Export the MultiVector from which they were selected, or each column by itself "
        "(getVectorNonConst)."));
}

template <class Scalar>
DistArray describe_vectors(const ConstVectors<Scalar>& x, std::optional<Index> rows, bool readonly,
                           MapRecord& record) {
  constexpr auto itemsize = static_cast<Index>(sizeof(Scalar));
  const bool host = host_vectors<Scalar> || older(*x, false);
  const Layout layout = layout_of(*x, host);
  const bool padded = record.padded_rows && !rows;
  const Version version = padded ? record.padded_rows->version : protocol_0_9;
  std::vector<Dimension> dimensions =
      padded ? record.padded_rows->dimensions
             : std::vector<Dimension>{dimension_of(x->getMap(), record, rows)};
  std::vector<Index> shape(dimensions.size());
  std::vector<Index> strides(dimensions.size());
  Index stride = itemsize;
  for (std::size_t d = dimensions.size(); d-- > 0;) {
    shape[d] = dimensions[d].local_extent();
    strides[d] = stride;
    stride *= std::max<Index>(shape[d], 1);
  }
  const bool vector = dynamic_cast<const Tpetra::Vector<Scalar>*>(x.get()) != nullptr;
  if (layout.columns != 1 || (padded && record.padded_rows->after_columns && !vector)) {
    dimensions.insert(dimensions.begin(), undistributed(layout.columns));
    shape.insert(shape.begin(), layout.columns);
    strides.insert(strides.begin(), layout.stride * itemsize);
  }
  Buffer buffer(DataType::of<Scalar>(), std::move(shape), std::move(strides),
                const_cast<void*>(layout.data), readonly,
                state_for<Scalar>(x, layout, host, record), host ? MemorySpace{} : vector_space());
  return Section(version, std::move(buffer), std::move(dimensions)).on(communicator(*x->getMap()));
}

template <class Scalar>
DistArray export_vectors(const ConstVectors<Scalar>& x, std::optional<Index> rows, bool readonly) {
  if (x.is_null()) throw InvalidArgument("x", "a null RCP", "a MultiVector");
  return described(
      x->getMap(), [&] { check_vectors(*x); },
      [&](MapRecord& record) { return describe_vectors<Scalar>(x, rows, readonly, record); });
}

}  // namespace

template <class Scalar>
DistArray detail::export_multivector(const Teuchos::RCP<Tpetra::MultiVector<Scalar>>& x,
                                     std::optional<Index> rows) {
  return export_vectors<Scalar>(x, rows, false);
}

template <class Scalar>
DistArray detail::export_multivector_readonly(
    const Teuchos::RCP<const Tpetra::MultiVector<Scalar>>& x, std::optional<Index> rows) {
  return export_vectors<Scalar>(x, rows, true);
}

// Instantiations for every scalar type that this Tpetra has.
// NOLINTBEGIN(bugprone-macro-parentheses): the argument is a type
#define DAPTOR_TPETRA_INSTANTIATE(SCALAR)                                      \
  template DistArray detail::export_multivector<SCALAR>(                       \
      const Teuchos::RCP<Tpetra::MultiVector<SCALAR>>&, std::optional<Index>); \
  template DistArray detail::export_multivector_readonly<SCALAR>(              \
      const Teuchos::RCP<const Tpetra::MultiVector<SCALAR>>&, std::optional<Index>);
// NOLINTEND(bugprone-macro-parentheses)
#include "for_each_scalar.inc"

}  // namespace daptor::tpetra
