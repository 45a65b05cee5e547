// SPDX-License-Identifier: BSD-3-Clause
#include <cstdint>
#include <memory>
#include <utility>

#include "attachment.hpp"
#include "daptor/adapter/byte_order.hpp"
#include "daptor/adapter/reason.hpp"
#include "daptor/adapter/sorted_rows.hpp"
#include "daptor/call.hpp"
#include "daptor/lease.hpp"
#include "daptor/petsc/adapter/call.hpp"
#include "daptor/petsc/adapter/guard.hpp"
#include "daptor/petsc/adapter/row_arrays.hpp"
#include "daptor/petsc/adapter/state.hpp"
#include "daptor/petsc/csr.hpp"
#include "vec_creation.hpp"

namespace daptor::petsc {
namespace {

using detail::call;
using detail::object;
using detail::RowArrays;
using detail::RowPointers;

constexpr const char* key = "daptor.csr";
constexpr const char* outer_key = "daptor.csr-whole";

void require_fitting(const CsrArrays& matrix) {
  detail::require_session();
  const DataType& type = matrix.values.type();
  if (type != DataType::of<PetscScalar>() || !type.native())
    throw NotRepresentable(
        adapter::reason("csr.scalar-type", "values of " + type.name(),
                        "values of " + DataType::of<PetscScalar>().name(),
                        adapter::remedy_for_type(type, "Use a PETSc configured for this type.")));
  const Index entries = matrix.owned_entries().size();
  for (const Index count : {matrix.global_rows, matrix.global_columns, entries})
    if (!detail::fits_petsc_int(count))
      throw NotRepresentable(
          adapter::reason("csr.index-range", std::to_string(count) + " rows, columns or entries",
                          "numbers of rows, columns and entries per process that fit in a PetscInt",
                          "Use a PETSc configured with 64-bit indices."));
}

detail::MatrixSizes sizes_of(const CsrArrays& matrix) {
  return {static_cast<PetscInt>(matrix.owned_rows().size()),
          static_cast<PetscInt>(matrix.owned_columns().size()),
          static_cast<PetscInt>(matrix.global_rows), static_cast<PetscInt>(matrix.global_columns)};
}

/// Ties a Mat to the arrays that hold its values.
class CsrView final : public NativeView {
 public:
  explicit CsrView(CsrArrays arrays) : arrays_(std::move(arrays)) {}
  ~CsrView() override { unwatch(); }

  void of(Mat mat) {
    whole_ = mat;
    const detail::AijBlocks blocks = detail::aij_blocks(mat);
    block_ = blocks.own;
    watch(arrays_.values.buffer().state());
  }
  void forget_whole() noexcept { whole_ = nullptr; }

  void modified() override {
    if (!detail::alive(session_) || block_ == nullptr) return;
    // This also invalidates what PETSc has cached about the diagonal.
    PetscScalar* values = nullptr;
    call("MatSeqAIJGetArray", MatSeqAIJGetArray, block_, &values);
    call("MatSeqAIJRestoreArray", MatSeqAIJRestoreArray, block_, &values);
    if (whole_ != nullptr && whole_ != block_) detail::increase_state(object(whole_));
  }

  RowArrays own, other;

 private:
  CsrArrays arrays_;
  Mat whole_ = nullptr;
  Mat block_ = nullptr;
  unsigned session_ = detail::require_session();
};

/// Lives as long as the whole Mat; the blocks of the Mat may live longer.
struct WholeMat {
  std::shared_ptr<CsrView> view;
  explicit WholeMat(std::shared_ptr<CsrView> of) : view(std::move(of)) {}
  WholeMat(const WholeMat&) = delete;
  WholeMat& operator=(const WholeMat&) = delete;
  ~WholeMat() { view->forget_whole(); }
};

void require_shareable(const CsrArrays& matrix) {
  if (matrix.values.readonly())
    throw NotRepresentable(adapter::reason("csr.readonly", "read-only values",
                                           "writable values, because a Mat has no read lock",
                                           "Copy it with petsc::copy_csr."));
  if (reinterpret_cast<std::uintptr_t>(matrix.values.data()) % alignof(PetscScalar) != 0)
    throw NotRepresentable(adapter::reason("csr.alignment", "misaligned values",
                                           "memory that is aligned for PetscScalar",
                                           "Copy it with petsc::copy_csr."));
  const IndexRange own = matrix.owned_columns();
  const Index entries = matrix.owned_entries().size();
  const ReadLease lease(matrix.columns);
  visit_integers(matrix.columns, [&](const auto* columns) {
    for (Index e = 0; e < entries; ++e) {
      const Index column = static_cast<Index>(columns[e]) - matrix.index_base;
      if (own.contains(column)) continue;
      throw NotRepresentable(adapter::reason("csr.split",
                                             "an entry in column " +
                                                 std::to_string(column + matrix.index_base) +
                                                 ", which another process owns",
                                             "entries only in columns of the row's own process, "
                                             "because PETSc keeps others in another list",
                                             "Copy it with petsc::copy_csr."));
    }
  });
}

bool is_petsc_int(const Section& array) {
  return array.type() == DataType::of<PetscInt>() &&
         reinterpret_cast<std::uintptr_t>(array.data()) % alignof(PetscInt) == 0;
}

/// PETSc takes a pointer to writable indices, but does not write to them.
PetscInt* indices_of(const Section& array) {
  return static_cast<PetscInt*>(const_cast<void*>(array.owned_data()));
}

/// The row lists for PETSc: either the arrays themselves, or lists that `view` owns.
RowPointers shared_rows(const CsrArrays& matrix, CsrView& view) {
  static PetscInt no_column{};
  static PetscScalar no_value{};
  const auto rows = static_cast<std::size_t>(matrix.owned_rows().size());
  const auto entries = static_cast<std::size_t>(matrix.owned_entries().size());
  const bool whole = matrix.offsets.dimension(0).grid().size == 1 && matrix.index_base == 0;
  RowPointers pointers;
  if (whole && is_petsc_int(matrix.offsets)) {
    pointers.starts = indices_of(matrix.offsets);
  } else {
    view.own.make_starts(rows);
    const ReadLease lease(matrix.offsets);
    copy_local_offsets(matrix, view.own.starts.get());
    pointers.starts = view.own.starts.get();
  }
  if (entries == 0) return {pointers.starts, &no_column, &no_value};
  pointers.values = static_cast<PetscScalar*>(matrix.values.mutable_data());
  if (whole && is_petsc_int(matrix.columns)) {
    pointers.columns = indices_of(matrix.columns);
  } else {
    view.own.columns.reset(new PetscInt[entries]);
    const ReadLease lease(matrix.columns);
    copy_columns(matrix, view.own.columns.get());
    const auto first = static_cast<PetscInt>(matrix.owned_columns().start);
    for (std::size_t e = 0; e < entries; ++e) view.own.columns[e] -= first;
    pointers.columns = view.own.columns.get();
  }
  return pointers;
}

/// The entries in owned columns, and all others.
struct DividedRows {
  RowArrays own, other;
};

/// @param starts  first entry of each row, and the number of entries
/// @param column  the column of each entry, counted from 0, increasing within a row
/// @param values  of the entries, maybe not aligned
template <class ColumnOf>
void divide(const std::vector<Index>& starts, const ColumnOf& column, const void* values,
            IndexRange owned, DividedRows& divided) {
  auto& [own, other] = divided;
  const std::size_t rows = starts.size() - 1;
  own.make_starts(rows);
  other.make_starts(rows);
  for (std::size_t r = 0; r < rows; ++r) {
    PetscInt count = 0;
    for (Index e = starts[r]; e < starts[r + 1]; ++e) count += owned.contains(column(e)) ? 1 : 0;
    own.starts[r + 1] = own.starts[r] + count;
    other.starts[r + 1] =
        other.starts[r] + static_cast<PetscInt>(starts[r + 1] - starts[r]) - count;
  }
  own.make_entries(rows);
  other.make_entries(rows);
  std::size_t next_own = 0;
  std::size_t next_other = 0;
  for (Index e = 0; e < starts[rows]; ++e) {
    const bool here = owned.contains(column(e));
    RowArrays& to = here ? own : other;
    std::size_t& next = here ? next_own : next_other;
    to.columns[next] = static_cast<PetscInt>(here ? column(e) - owned.start : column(e));
    to.values[next++] = adapter::value_at<PetscScalar>(values, static_cast<std::size_t>(e));
  }
}

std::shared_ptr<DividedRows> copied_rows(const CsrArrays& matrix) {
  auto divided = std::make_shared<DividedRows>();
  const IndexRange owned = matrix.owned_columns();
  if (!adapter::columns_increase(matrix)) {
    const auto sorted = adapter::sorted_rows<PetscScalar>(matrix);
    divide(
        sorted.starts, [&](Index e) { return sorted.columns[static_cast<std::size_t>(e)]; },
        sorted.values.data(), owned, *divided);
    return divided;
  }
  const ReadLease values(matrix.values);
  const ReadLease columns(matrix.columns);
  const ReadLease offsets(matrix.offsets);
  std::vector<Index> starts(static_cast<std::size_t>(matrix.owned_rows().size()) + 1);
  copy_local_offsets(matrix, starts.data());
  visit_integers(matrix.columns, [&](const auto* data) {
    divide(
        starts, [&](Index e) { return static_cast<Index>(data[e]) - matrix.index_base; },
        matrix.values.data(), owned, *divided);
  });
  return divided;
}

}  // namespace

OwnedMat import_csr(const CsrArrays& matrix) {
  Call call(matrix.comm(), "petsc::import_csr");
  require_consistent(matrix);
  RowPointers own;
  const auto view = call.check([&] {
    require_fitting(matrix);
    adapter::require_increasing_columns(matrix);
    require_shareable(matrix);
    auto made = std::make_shared<CsrView>(matrix);
    own = shared_rows(matrix, *made);
    made->other.make_starts(static_cast<std::size_t>(matrix.owned_rows().size()));
    for (Index r = 0; r < matrix.owned_rows().size(); ++r)
      made->other.starts[static_cast<std::size_t>(r) + 1] = 0;
    made->other.make_entries(static_cast<std::size_t>(matrix.owned_rows().size()));
    return made;
  });
  detail::Guard<Mat> mat(
      detail::create_aij(call.comm(), sizes_of(matrix), own, pointers(view->other)));
  return call.check([&] {
    detail::keep_with(mat.get(), key, view);
    detail::keep_with_one(mat.get(), outer_key, std::make_shared<WholeMat>(view));
    view->of(mat.get());
    return OwnedMat(mat.release());
  });
}

OwnedMat copy_csr(const CsrArrays& matrix) {
  Call call(matrix.comm(), "petsc::copy_csr");
  require_consistent(matrix);
  const auto rows = call.check([&] {
    require_fitting(matrix);
    return copied_rows(matrix);
  });
  detail::Guard<Mat> mat(detail::create_aij(call.comm(), sizes_of(matrix), pointers(rows->own),
                                            pointers(rows->other)));
  return call.check([&] {
    detail::keep_with(mat.get(), key, rows);
    return OwnedMat(mat.release());
  });
}

}  // namespace daptor::petsc
