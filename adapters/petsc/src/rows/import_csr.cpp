// SPDX-License-Identifier: BSD-3-Clause
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <string>
#include <utility>

#include "daptor/adapter/byte_order.hpp"
#include "daptor/adapter/memory.hpp"
#include "daptor/adapter/reason.hpp"
#include "daptor/adapter/rows.hpp"
#include "daptor/adapter/split_rows.hpp"
#include "daptor/call.hpp"
#include "daptor/lease.hpp"
#include "daptor/petsc/adapter/call.hpp"
#include "daptor/petsc/adapter/divided_rows.hpp"
#include "daptor/petsc/adapter/guard.hpp"
#include "daptor/petsc/adapter/mat_rows.hpp"
#include "daptor/petsc/adapter/row_arrays.hpp"
#include "daptor/petsc/adapter/state.hpp"
#include "daptor/petsc/csr.hpp"
#include "petsc/src/native/attachment.hpp"
#include "petsc/src/native/names.hpp"

namespace daptor::petsc {
namespace {

using detail::call;
using detail::object;
using detail::RowArrays;
using detail::RowPointers;

constexpr const char* key = "daptor.csr";
constexpr const char* outer_key = "daptor.csr-whole";

void require_fitting(const Section& values, std::initializer_list<Index> counts) {
  detail::require_session();
  const DataType& type = values.type();
  if (type != DataType::of<PetscScalar>() || !type.native())
    throw NotRepresentable(adapter::reason(
        "csr.type", "values of " + type.name(), "values of " + DataType::of<PetscScalar>().name(),
        adapter::remedy_for_type(type, "Use a PETSc configured for this type.")));
  for (const Index count : counts)
    if (!detail::fits_petsc_int(count))
      throw NotRepresentable(adapter::reason(
          "csr.index-range", std::to_string(count) + " rows, columns or entries",
          "numbers of rows, columns and entries per process that fit in a " + names::integer,
          "Use a PETSc configured with 64-bit indices."));
}

void require_fitting(const CsrArrays& matrix) {
  require_fitting(matrix.values,
                  {matrix.global_rows, matrix.global_columns, matrix.owned_entries().size()});
}

void require_fitting(const SplitRows& rows) {
  for (const SplitRows::Block* block : {&rows.own, &rows.other})
    require_fitting(block->values,
                    {rows.global_rows, rows.global_columns, block->values.owned_count()});
}

/// Ties a Mat to the arrays that hold its values.
class CsrView final : public NativeView {
 public:
  explicit CsrView(CsrArrays arrays) : arrays_(std::move(arrays)) {}
  ~CsrView() override { unwatch(); }

  void of(Mat mat) {
    whole_ = mat;
    block_ = detail::blocks_of(mat).own;
    watch(arrays_.values.buffer().state());
  }
  void forget_whole() noexcept { whole_ = nullptr; }

  void modified() override {
    if (!detail::alive(session_) || block_ == nullptr) return;
    const detail::OpenBlock written(block_, detail::BlockAccess::write);
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

void require_own_columns(const CsrArrays& matrix) {
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
                                             "Copy it with " + names::copy_csr_rows + "."));
    }
  });
}

bool is_petsc_int(const Section& array) {
  return array.type() == DataType::of<PetscInt>() &&
         adapter::bytes_past(array.data(), alignof(PetscInt)) == 0;
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

}  // namespace

OwnedMat import_csr(const CsrArrays& matrix) {
  Call call(matrix.comm(), "petsc::import_csr");
  require_consistent(matrix);
  RowPointers own;
  const auto view = call.check([&] {
    require_fitting(matrix);
    adapter::require_increasing_columns(matrix, names::copy_csr_rows);
    adapter::require_shareable(matrix.values, alignof(PetscScalar), names::copy_csr_rows);
    require_own_columns(matrix);
    auto made = std::make_shared<CsrView>(matrix);
    own = shared_rows(matrix, *made);
    made->other.make_empty(static_cast<std::size_t>(matrix.owned_rows().size()));
    return made;
  });
  detail::Guard<Mat> mat(
      detail::create_aij(adapter::layout_of(matrix), own, pointers(view->other), call));
  return call.check([&] {
    detail::keep_with(mat.get(), key, view);
    detail::keep_with_one(mat.get(), outer_key, std::make_shared<WholeMat>(view));
    view->of(mat.get());
    return OwnedMat(mat.release());
  });
}

namespace {

/// Collective. Copies the rows, and makes a Mat on the copy.
template <class Rows>
OwnedMat copy_to_mat(const Rows& matrix, Call& call) {
  const auto rows = call.check([&] {
    require_fitting(matrix);
    auto divided = std::make_shared<detail::DividedRows>();
    adapter::with_rows<PetscScalar>(matrix,
                                    [&](const auto& given) { detail::divide(given, *divided); });
    return divided;
  });
  detail::Guard<Mat> mat(detail::create_aij(adapter::layout_of(matrix), pointers(rows->own),
                                            pointers(rows->other), call));
  return call.check([&] {
    detail::keep_with(mat.get(), key, rows);
    return OwnedMat(mat.release());
  });
}

}  // namespace

OwnedMat copy_csr(const CsrArrays& matrix) {
  Call call(matrix.comm(), "petsc::copy_csr");
  require_consistent(matrix);
  return copy_to_mat(matrix, call);
}

OwnedMat copy_csr(const SplitRows& rows) {
  Call call(rows.comm, "petsc::copy_csr");
  adapter::prove_layout(rows, call);
  return copy_to_mat(rows, call);
}

}  // namespace daptor::petsc
