// SPDX-License-Identifier: BSD-3-Clause
#include <exception>
#include <functional>

#include <Tpetra_Map.hpp>
#include <Tpetra_MultiVector.hpp>
#include <Tpetra_Vector.hpp>

#include "daptor/adapter/library.hpp"
#include "daptor/adapter/memory.hpp"
#include "daptor/adapter/note.hpp"
#include "daptor/adapter/reason.hpp"
#include "daptor/error.hpp"
#include "daptor/tpetra/adapter/kokkos.hpp"
#include "daptor/tpetra/adapter/native.hpp"
#include "import_map.hpp"
#include "names.hpp"

namespace daptor::tpetra {
namespace {

template <class Native>
struct IsVector : std::false_type {};
template <class S, class LO, class GO, class N>
struct IsVector<Tpetra::Vector<S, LO, GO, N>> : std::true_type {};

template <class Native>
Request request_for(const MapOptions& options) {
  Request request;
  request.map = options;
  request.vector = true;
  request.columns = !IsVector<std::remove_const_t<Native>>::value;
  request.reading = std::is_const_v<Native>;
  request.scalar = DataType::of<typename detail::ScalarOf<Native>::type>();
  return request;
}

void require_same_layout(const Section& current, const Section& next) {
  if (current.same_layout(next)) return;
  throw InvalidArgument("array", "an array of a different layout",
                        "the layout that was imported, because rebind changes only the memory");
}

detail::Binding binding_to(const Teuchos::RCP<const Map>& map, MapRecord& record,
                           const Section& array, const Layout& layout) {
  detail::Binding binding;
  binding.map = map;
  binding.record = &record;
  if (layout.data != nullptr)
    binding.byte_offset =
        static_cast<const char*>(layout.data) - static_cast<const char*>(array.data());
  binding.rows = layout.rows;
  binding.columns = layout.columns;
  binding.stride = layout.stride;
  return binding;
}

Layout layout_in(const Section& array, const detail::Binding& binding) {
  const auto* const data = static_cast<const char*>(array.data());
  return {binding.rows, binding.columns, binding.stride,
          data == nullptr ? nullptr : data + binding.byte_offset};
}

/// Both views of vectors on a device. Kokkos' references are not counted, as those to an array's
/// memory are not: Tpetra takes a view with more of them for one that is in use.
template <class Scalar>
class CopyOfColumns final : public HostCopy {
  using Host = typename DualView<Scalar>::t_host;
  using Value = typename Host::non_const_value_type;

 public:
  explicit CopyOfColumns(const Layout& layout)
      : memory_(new Value[static_cast<std::size_t>(layout.rows * layout.columns)]),
        views_(view_of<Scalar>(layout), Host(memory_.get(), static_cast<std::size_t>(layout.rows),
                                             static_cast<std::size_t>(layout.columns))) {
    views_.modify_device();
  }
  const DualView<Scalar>& views() const { return views_; }
  void outdated() override {
    if (views_.need_sync_device())
      throw Stale("memory of a device, of which a MultiVector has newer values on the host",
                  "Have Tpetra move them first: " + names::view_on_device + ".");
    views_.modify_device();
  }

 private:
  std::unique_ptr<Value[]> memory_;
  DualView<Scalar> views_;
};

/// The object on these columns; `copy` is to be held with the array.
template <class Object>
Teuchos::RCP<Object> object_on(const Teuchos::RCP<const Map>& map, const Layout& layout,
                               std::unique_ptr<HostCopy>& copy) {
  using Scalar = typename detail::ScalarOf<Object>::type;
  if constexpr (host_vectors<Scalar>) {
    return Teuchos::rcp(new Object(map, dual_view<Scalar>(layout)));
  } else {
    auto made = std::make_unique<CopyOfColumns<Scalar>>(layout);
    const auto views = made->views();
    copy = std::move(made);
    return Teuchos::rcp(new Object(map, views));
  }
}

/// Has Tpetra move values that were written on the host to the device.
template <class Native>
void finish_writes(Native& native) {
  if constexpr (!host_vectors<typename detail::ScalarOf<Native>::type> && !std::is_const_v<Native>)
    if (native.need_sync_device()) native.getLocalViewDevice(Tpetra::Access::ReadOnly);
}

/// Makes `native` the same object on other memory. Returns its copy on the host, if it has one.
template <class Native>
std::unique_ptr<HostCopy> put(Native& native, const Teuchos::RCP<const Map>& map,
                              detail::Binding& binding, const Layout& layout) {
  using Object = std::remove_const_t<Native>;
  using Scalar = typename detail::ScalarOf<Native>::type;
  using Views = DualView<Scalar>;
  // Only the reference to the native object is const; the object itself is not.
  auto& object = const_cast<Object&>(native);
  std::unique_ptr<HostCopy> copy;
  if constexpr (host_vectors<Scalar>) {
    if (!binding.views) binding.views = std::make_shared<Views>(dual_view<Scalar>(layout));
    auto& views = *static_cast<Views*>(binding.views.get());
    set_views(views, view_of<Scalar>(layout), 0);
    object = Object(map, views);
  } else {
    finish_writes(native);
    object = *object_on<Object>(map, layout, copy);
  }
  return copy;
}

/// Whether other objects than the native object and its handle share the Map. One of them may be a
/// column, which continues to use the memory that the Map keeps alive.
bool shared_with_others(const Teuchos::RCP<const Map>& map) {
  constexpr int native_and_binding = 2;
  return map.strong_count() > native_and_binding;
}

}  // namespace

template <class Native>
Imported<Native> detail::import_native(const DistArray& array, const MapOptions& options) {
  using Object = std::remove_const_t<Native>;
  const Request request = request_for<Native>(options);
  Teuchos::RCP<Native> native;
  Binding binding;
  const auto finish = [&](const Teuchos::RCP<const Map>& map, MapRecord& record,
                          const Layout& layout) {
    std::unique_ptr<HostCopy> copy;
    native = object_on<Object>(map, layout, copy);
    binding = binding_to(map, record, array, layout);
    if (copy) record.hold(array, std::move(copy));
  };
  import_on_map(array, request, std::cref(finish));
  return Imported<Native>(std::move(native), std::move(binding), array);
}

template <class Native>
void detail::end_writes(Native& native) noexcept {
  try {
    finish_writes(native);
  } catch (const std::exception& error) {
    adapter::note(
        "values that were written to a MultiVector on the host are not on the device, because "
        "Tpetra could not move them: ",
        error.what());
  }
}

template <class Native>
void detail::rebind(Native& native, Binding& binding, const Section& current, const Section& next) {
  require_trilinos();
  require_same_layout(current, next);
  adapter::Asked asked;
  asked.reading = std::is_const_v<Native>;
  adapter::require_none(adapter::reasons(memory_form(), next, asked));
  adapter::require_same_memory(next);

  adapter::translated("tpetra", "Tpetra::MultiVector", [&] {
    std::unique_ptr<HostCopy> copy;
    if (next.buffer().state() != current.buffer().state() && shared_with_others(binding.map)) {
      const auto map = copy_with_record(binding.map, *binding.record);
      copy = put(native, map, binding, layout_in(next, binding));
      binding.map = map;
      binding.record = find_record(map);
    } else {
      copy = put(native, binding.map, binding, layout_in(next, binding));
    }
    binding.record->hold(next, std::move(copy));
  });
}

// Instantiations for every scalar type that this Tpetra has.
// NOLINTBEGIN(bugprone-macro-parentheses): the argument is a type
#define DAPTOR_TPETRA_INSTANTIATE_NATIVE(NATIVE)                                                \
  template Imported<NATIVE> detail::import_native<NATIVE>(const DistArray&, const MapOptions&); \
  template void detail::end_writes<NATIVE>(NATIVE&) noexcept;                                   \
  template void detail::rebind<NATIVE>(NATIVE&, Binding&, const Section&, const Section&);
#define DAPTOR_TPETRA_INSTANTIATE(SCALAR)                             \
  DAPTOR_TPETRA_INSTANTIATE_NATIVE(Tpetra::MultiVector<SCALAR>)       \
  DAPTOR_TPETRA_INSTANTIATE_NATIVE(const Tpetra::MultiVector<SCALAR>) \
  DAPTOR_TPETRA_INSTANTIATE_NATIVE(Tpetra::Vector<SCALAR>)            \
  DAPTOR_TPETRA_INSTANTIATE_NATIVE(const Tpetra::Vector<SCALAR>)

// NOLINTEND(bugprone-macro-parentheses)
#include "for_each_scalar.inc"

}  // namespace daptor::tpetra
