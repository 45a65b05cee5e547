// SPDX-License-Identifier: BSD-3-Clause
#include "daptor/tpetra/copy.hpp"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <Tpetra_Map.hpp>
#include <Tpetra_MultiVector.hpp>

#include "communicator.hpp"
#include "daptor/adapter/extents.hpp"
#include "daptor/adapter/library.hpp"
#include "daptor/adapter/memory.hpp"
#include "daptor/adapter/reason.hpp"
#include "daptor/call.hpp"
#include "daptor/error.hpp"
#include "daptor/layout.hpp"
#include "daptor/redistribute.hpp"
#include "daptor/tpetra.hpp"
#include "daptor/tpetra/adapter/kokkos.hpp"
#include "daptor/tpetra/adapter/map_record.hpp"
#include "export_map.hpp"
#include "forms.hpp"
#include "names.hpp"

namespace daptor::tpetra {
namespace {

using GlobalOrdinal = detail::GlobalOrdinal;

/// The array as a matrix with rows and columns; the same on all ranks.
struct Matrix {
  Index rows = 0;
  Index columns = 1;
  bool has_columns = false;  ///< the array's first dimension gives columns
};

/// One column of an array whose first dimension is undistributed: a lease on the column is a lease
/// on the whole array.
class ColumnProducer final : public Producer {
 public:
  explicit ColumnProducer(Section whole) : whole_(std::move(whole)) {}

  void* begin_access(Access access, void* described) override {
    void* const start = const_cast<void*>(whole_.data());  // only compared
    return producer().begin_access(access, start) == start ? described : nullptr;
  }
  void end_access(Access access) noexcept override { producer().end_access(access); }
  void modified() override { whole_.modified(); }

 private:
  Producer& producer() const { return whole_.buffer().state()->producer(); }
  Section whole_;
};

DistArray column(const DistArray& array, Index j) {
  const auto rest = [](const auto& list) {
    return std::decay_t<decltype(list)>(list.begin() + 1, list.end());
  };
  const Index offset = (array.dimension(0).owned_offset() + j) * array.byte_strides()[0];
  // The column is read-only if the array is: Buffer has one kind of pointer and a flag.
  auto* data = static_cast<char*>(const_cast<void*>(array.data()));
  if (array.local_count() > 0) data += offset;
  Buffer buffer(array.type(), rest(array.local_shape()), rest(array.byte_strides()), data,
                array.readonly(),
                std::make_shared<SharedState>(std::make_unique<ColumnProducer>(array)),
                array.buffer().space());
  return {Section(array.version(), std::move(buffer), rest(array.dimensions())), array.comm()};
}

/// A MultiVector's only column, where its description has a dimension for it and that of the other
/// side has none.
DistArray without_column(const DistArray& array, const Section& other) {
  const bool extra = array.ndim() == other.ndim() + 1 && other.ndim() > 1 &&
                     array.dimension(0).as<Undistributed>() != nullptr &&
                     array.dimension(0).global_size() == 1;
  return extra ? column(array, 0) : array;
}

std::vector<DistArray> columns_of(const DistArray& array, Index count) {
  std::vector<DistArray> list;
  for (Index j = 0; j < count; ++j) list.push_back(column(array, j));
  return list;
}

Matrix matrix_of(const Section& array, const CopyOptions& options) {
  const auto shape = array.global_shape();
  Matrix matrix;
  matrix.has_columns = first_row_dimension(array, !options.one_column) == 1 && shape[0] > 0;
  if (matrix.has_columns) matrix.columns = shape[0];
  const std::optional<Index> rows = adapter::product(shape, matrix.has_columns ? 1 : 0);
  const auto most = static_cast<std::uint64_t>(std::numeric_limits<GlobalOrdinal>::max());
  if (!rows || static_cast<std::uint64_t>(*rows) > most)
    throw NotRepresentable(adapter::reason(
        "tpetra.global-ordinal", rows ? std::to_string(*rows) + " rows" : "more rows than 2^63 - 1",
        "a number of rows that fits in Tpetra's global ordinal",
        "Use a Tpetra whose global ordinal is wider."));
  matrix.rows = *rows;
  return matrix;
}

/// Makes all checks of a copy before anything is allocated.
Matrix checked_matrix(const Section& array, const CopyOptions& options, const DataType& scalar) {
  require_trilinos();
  adapter::Asked asked;
  asked.reading = true;
  if (!options.convert) asked.type = scalar;
  adapter::require_none(adapter::reasons(copied_form(), array, asked));
  adapter::require_same_memory(array);
  return matrix_of(array, options);
}

bool has_list(const std::vector<Dimension>& dimensions) {
  return std::any_of(dimensions.begin(), dimensions.end(), [](const Dimension& dimension) {
    return dimension.as<Unstructured>() != nullptr;
  });
}

/// Collective. Makes a block copy of the array. This is needed if lists on both sides number rows
/// differently, or if one side has lists and the other has padding to fill, because then neither
/// side knows the owners of the other. Each process has parts of all columns, as in the array.
DistArray without_lists(const DistArray& array, const Section& target, const Matrix& matrix,
                        bool fill_padding, Call& call, const CopyOptions& options) {
  if (array.global_shape() == target.global_shape() || !has_list(array.dimensions()) ||
      (!has_list(target.dimensions()) && !fill_padding))
    return array;
  DistArray blocks = call.check([&] {
    std::vector<Index> grid(array.dimensions().size(), 0);
    if (matrix.has_columns) grid.front() = 1;
    return like(array, layout::blocks(std::move(grid)));
  });
  RedistributionOptions way;
  way.read_from_any = options.read_from_any;
  redistribute(array, blocks, way);
  return blocks;
}

/// Requires as many columns as the array has.
void require_columns(Index found, const Matrix& matrix) {
  if (found != matrix.columns)
    throw InvalidArgument("x", std::to_string(found) + " columns",
                          std::to_string(matrix.columns) + " columns, as in the array");
}

/// Collective in the first call for the Map. Describes a MultiVector with as many rows as the
/// array: as the padded section if its Map numbers one, so that a copy fills the padding; otherwise
/// with one dimension.
template <class Export>
DistArray with_rows(const Teuchos::RCP<const Map>& map, const Matrix& matrix, Export&& exported) {
  const auto& padded = inspected(map).padded_rows;
  if (!padded) return exported(matrix.rows);
  const std::optional<Index> rows = adapter::global_count(padded->dimensions);
  return exported(rows == matrix.rows ? std::nullopt : std::optional<Index>(matrix.rows));
}

/// Collective. Redistributes between an array and the columns of a MultiVector. If there are
/// several columns, the first dimension of the MultiVector's description counts them.
void redistribute_columns(const DistArray& source, const DistArray& target, Index columns,
                          Call& call, const CopyOptions& options, bool fill_padding = false) {
  RedistributionOptions way;
  way.read_from_any = options.read_from_any;
  way.convert = options.convert;
  way.fill_padding = fill_padding;
  if (columns == 1 && source.ndim() != target.ndim()) {
    const auto [from, to] = call.check([&] {
      return std::make_pair(without_column(source, target), without_column(target, source));
    });
    return redistribute(from, to, way);
  }
  const bool in_one =
      columns == 1 || source.ndim() == 1 || target.ndim() == 1 || source.ndim() == target.ndim();
  if (in_one) return redistribute(source, target, way);
  const auto parts = call.check(
      [&] { return std::make_pair(columns_of(source, columns), columns_of(target, columns)); });
  Redistribution(parts.first, parts.second, way).run();
}

/// Collective over the communicator of the Map.
template <class Scalar>
ImportedMultiVector<Scalar> copy_onto(const DistArray& array, const Teuchos::RCP<const Map>& map,
                                      const Matrix& matrix, Call& call,
                                      const CopyOptions& options) {
  const auto x = call.check([&] {
    return adapter::translated("tpetra", "Tpetra::MultiVector", [&] {
      return Teuchos::rcp(
          new Tpetra::MultiVector<Scalar>(map, static_cast<std::size_t>(matrix.columns)));
    });
  });
  const DistArray target = with_rows(
      map, matrix, [&](std::optional<Index> rows) { return export_multivector(x, rows); });
  const bool fill_padding = inspected(map).padded_rows.has_value();
  redistribute_columns(without_lists(array, target, matrix, fill_padding, call, options), target,
                       matrix.columns, call, options, fill_padding);
  detail::Binding binding;
  binding.map = map;
  binding.record = find_record(map);
  binding.rows = static_cast<Index>(x->getLocalLength());
  binding.columns = matrix.columns;
  binding.stride = static_cast<Index>(x->getStride());
  return {x, std::move(binding), target};
}

/// Collective. A Map that divides the rows evenly.
Teuchos::RCP<const Map> even_map(const Matrix& matrix, Call& call) {
  constexpr auto most = static_cast<Index>(std::numeric_limits<Map::local_ordinal_type>::max());
  if ((matrix.rows - 1) / call.comm().size() >= most)
    throw NotRepresentable(adapter::reason(
        "tpetra.local-ordinal",
        std::to_string(matrix.rows) + " rows on " + std::to_string(call.comm().size()) +
            " processes",
        "at most " + std::to_string(most) + " rows on each process", "Use more processes."));
  auto map = call.library("tpetra", "Tpetra::Map", [&] {
    return std::make_unique<const Map>(static_cast<Tpetra::global_size_t>(matrix.rows), 0,
                                       teuchos_comm(call.comm()));
  });
  return call.check([&] { return with_record(std::move(map), std::make_unique<MapRecord>()); });
}

}  // namespace

template <class Scalar>
ImportedMultiVector<Scalar> detail::copy_to_map(const DistArray& array,
                                                const Teuchos::RCP<const Tpetra::Map<>>& map,
                                                const CopyOptions& options) {
  if (map.is_null()) throw InvalidArgument("map", "a null RCP", "a Map");
  const Comm comm(communicator(*map));
  Call call(comm, "tpetra::copy_to_multivector");
  call.prove(array);
  call.same(options);
  const Matrix matrix =
      call.check([&] { return checked_matrix(array, options, DataType::of<Scalar>()); });
  return copy_onto<Scalar>(array, map, matrix, call, options);
}

template <class Scalar>
ImportedMultiVector<Scalar> detail::copy_to_map(const DistArray& array,
                                                const CopyOptions& options) {
  Call call(array, "tpetra::copy_to_multivector");
  call.same(options);
  const Matrix matrix =
      call.check([&] { return checked_matrix(array, options, DataType::of<Scalar>()); });
  return copy_onto<Scalar>(array, even_map(matrix, call), matrix, call, options);
}

template <class Scalar>
void detail::copy_from_map(const Teuchos::RCP<const Tpetra::MultiVector<Scalar>>& x,
                           const DistArray& array, const CopyOptions& options) {
  if (x.is_null()) throw InvalidArgument("x", "a null RCP", "a MultiVector");
  const Comm comm(communicator(*x->getMap()));
  Call call(comm, "tpetra::copy_from_multivector");
  call.prove(array);
  call.same(options);
  const Matrix matrix = call.check([&] {
    const Matrix checked = checked_matrix(array, options, DataType::of<Scalar>());
    require_columns(static_cast<Index>(x->getNumVectors()), checked);
    return checked;
  });
  const DistArray source = with_rows(x->getMap(), matrix, [&](std::optional<Index> rows) {
    return export_multivector_readonly(x, rows);
  });
  redistribute_columns(source, array, matrix.columns, call, options);
}

// Instantiations for every scalar type that this Tpetra has.
// NOLINTBEGIN(bugprone-macro-parentheses): the argument is a type
#define DAPTOR_TPETRA_INSTANTIATE(SCALAR)                                               \
  template ImportedMultiVector<SCALAR> detail::copy_to_map<SCALAR>(                     \
      const DistArray&, const Teuchos::RCP<const Tpetra::Map<>>&, const CopyOptions&);  \
  template ImportedMultiVector<SCALAR> detail::copy_to_map<SCALAR>(const DistArray&,    \
                                                                   const CopyOptions&); \
  template void detail::copy_from_map<SCALAR>(                                          \
      const Teuchos::RCP<const Tpetra::MultiVector<SCALAR>>&, const DistArray&,         \
      const CopyOptions&);
// NOLINTEND(bugprone-macro-parentheses)
#include "for_each_scalar.inc"

}  // namespace daptor::tpetra
