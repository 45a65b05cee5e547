#include <Tpetra_Map.hpp>
#include <Tpetra_MultiVector.hpp>
#include <Tpetra_Vector.hpp>

#include "daptor/error.hpp"
#include "finding.hpp"
#include "import_map.hpp"
#include "kokkos.hpp"
#include "native.hpp"

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
  request.columns = !IsVector<std::remove_const_t<Native>>::value;
  request.scalar = DataType::of<typename detail::ScalarOf<Native>::type>();
  request.writable = !std::is_const_v<Native>;
  return request;
}

/// A const native object is the same object behind a const reference.
template <class Native>
auto make_native(const Teuchos::RCP<const Map>& map, const Layout& layout) {
  using Object = std::remove_const_t<Native>;
  using Scalar = typename detail::ScalarOf<Native>::type;
  if constexpr (host_vectors<Scalar>) {
    return Teuchos::RCP<Native>(Teuchos::rcp(new Object(map, dual_view<Scalar>(layout))));
  } else {
    throw NotRepresentable(make_finding(
        "tpetra.device", "a Tpetra whose vectors live on a device", "vectors in host memory",
        "Use a Trilinos with a host node (Serial, OpenMP or Threads) by default."));
    return Teuchos::RCP<Native>();
  }
}

void require_same_layout(const DistArray& current, const DistArray& next) {
  if (current.same_layout(next)) return;
  throw InvalidArgument("array", "an array of another layout",
                        "the layout that was imported: rebind changes the memory only");
}

detail::Binding binding_to(const Teuchos::RCP<const Map>& map, const DistArray& array,
                           const Layout& layout) {
  detail::Binding binding;
  binding.map = map;
  if (layout.data != nullptr)
    binding.byte_offset =
        static_cast<const char*>(layout.data) - static_cast<const char*>(array.data());
  binding.rows = layout.rows;
  binding.columns = layout.columns;
  binding.stride = layout.stride;
  return binding;
}

Layout layout_in(const DistArray& array, const detail::Binding& binding) {
  const auto* const data = static_cast<const char*>(array.data());
  return {binding.rows, binding.columns, binding.stride,
          data == nullptr ? nullptr : data + binding.byte_offset};
}

/// Something else than the native object and its handle refers to the Map: perhaps a column, which
/// goes on referring to the memory that the Map keeps alive.
bool shared_with_others(const Teuchos::RCP<const Map>& map) {
  constexpr int native_and_binding = 2;
  return map.strong_count() > native_and_binding;
}

}  // namespace

template <class Native>
Imported<Native> detail::import_native(const DistArray& array, MPI_Comm comm,
                                       const MapOptions& options) {
  const Request request = request_for<Native>(options);
  Teuchos::RCP<Native> native;
  Binding binding;
  import_on_map(array, comm, request, [&](const Teuchos::RCP<const Map>& map, MapRecord& record) {
    const Layout layout = layout_of(array, request);
    native = make_native<Native>(map, layout);
    binding = binding_to(map, array, layout);
    record.hold(array);
  });
  return Imported<Native>(std::move(native), std::move(binding), array);
}

template <class Native>
void detail::rebind(Native& native, Binding& binding, const DistArray& current,
                    const DistArray& next) {
  using Object = std::remove_const_t<Native>;
  using Scalar = typename ScalarOf<Native>::type;
  require_kokkos();
  require_same_layout(current, next);
  auto findings = memory_reasons(next, DataType::of<Scalar>(), !std::is_const_v<Native>);
  if (!findings.empty()) throw NotRepresentable(Report(std::move(findings)));
  require_fresh(next);

  Teuchos::RCP<const Map> fresh;
  if (next.buffer().state() != current.buffer().state() && shared_with_others(binding.map))
    fresh = copy_with_record(binding.map);
  const Teuchos::RCP<const Map>& map = fresh.is_null() ? binding.map : fresh;
  MapRecord& record = record_of(map);
  const_cast<Object&>(native) = Object(map, dual_view<Scalar>(layout_in(next, binding)));
  record.hold(next);
  if (!fresh.is_null()) binding.map = std::move(fresh);
}

// The vectors of every scalar that the installation has.
#define DAPTOR_TPETRA_INSTANTIATE_NATIVE(NATIVE)                                      \
  template Imported<NATIVE> detail::import_native<NATIVE>(const DistArray&, MPI_Comm, \
                                                          const MapOptions&);         \
  template void detail::rebind<NATIVE>(NATIVE&, Binding&, const DistArray&, const DistArray&);
#define DAPTOR_TPETRA_INSTANTIATE(SCALAR)                             \
  DAPTOR_TPETRA_INSTANTIATE_NATIVE(Tpetra::MultiVector<SCALAR>)       \
  DAPTOR_TPETRA_INSTANTIATE_NATIVE(const Tpetra::MultiVector<SCALAR>) \
  DAPTOR_TPETRA_INSTANTIATE_NATIVE(Tpetra::Vector<SCALAR>)            \
  DAPTOR_TPETRA_INSTANTIATE_NATIVE(const Tpetra::Vector<SCALAR>)

#include "for_each_scalar.inc"

}  // namespace daptor::tpetra
