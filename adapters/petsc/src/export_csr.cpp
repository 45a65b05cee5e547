// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "attachment.hpp"
#include "daptor/adapter/communicator.hpp"
#include "daptor/adapter/reason.hpp"
#include "daptor/builders.hpp"
#include "daptor/call.hpp"
#include "daptor/petsc/adapter/call.hpp"
#include "daptor/petsc/adapter/row_arrays.hpp"
#include "daptor/petsc/csr.hpp"
#include "names.hpp"

namespace daptor::petsc {
namespace {

using detail::call;
using detail::object;

std::string type_of(Mat mat) {
  MatType type = nullptr;
  call("MatGetType", MatGetType, mat, &type);
  return type == nullptr ? "" : type;
}

bool is_type(Mat mat, const char* type) {
  PetscBool same = PETSC_FALSE;
  call("PetscObjectBaseTypeCompare", PetscObjectBaseTypeCompare, object(mat), type, &same);
  return same == PETSC_TRUE;
}

void require_aij(Mat mat) {
  PetscBool assembled = PETSC_FALSE;
  if (!type_of(mat).empty()) call("MatAssembled", MatAssembled, mat, &assembled);
  if (assembled != PETSC_TRUE)
    throw InvalidArgument(Report(
        {adapter::reason("csr.unassembled", "a matrix that is not assembled", "an assembled matrix",
                         "Call MatAssemblyBegin and MatAssemblyEnd first.")}));
  if (is_type(mat, MATSEQAIJ) || is_type(mat, MATMPIAIJ)) return;
  Terms remedy = "Convert the matrix: MatConvert(A, MATAIJ, MAT_INITIAL_MATRIX, &B).";
  if (is_type(mat, MATMPISELL))
    remedy +=
        " If it was itself converted from a matrix of type AIJ, pass that one: in some releases of "
        "PETSc, 3.22 among them, MatConvert numbers the columns of a parallel matrix of type SELL "
        "wrongly, and keeps them when it converts back.";
  throw NotRepresentable(adapter::reason("csr.type", "a matrix of type " + type_of(mat),
                                         "a matrix of type AIJ", remedy));
}

void require_mat(Mat mat) {
  detail::require_running();
  if (mat == nullptr) throw InvalidArgument("mat", "a null Mat", "a Mat of type AIJ");
}

/// The lists of a Mat of type `seqaij` at their current addresses. Does not change the state of the
/// Mat.
struct Lists {
  PetscInt rows = 0;
  const PetscInt* starts = nullptr;
  const PetscInt* columns = nullptr;
  const PetscScalar* values = nullptr;
};

Lists lists_of(Mat mat) {
  Lists lists;
  if (mat == nullptr) return lists;
  PetscBool done = PETSC_FALSE;
  const PetscInt *starts = nullptr, *columns = nullptr;
  call("MatGetRowIJ", MatGetRowIJ, mat, 0, PETSC_FALSE, PETSC_FALSE, &lists.rows, &starts, &columns,
       &done);
  if (done != PETSC_TRUE)
    throw LibraryFailed("petsc", "MatGetRowIJ", "no access to the row lists of the matrix");
  lists.starts = starts;
  lists.columns = columns;
  PetscInt rows = lists.rows;
  call("MatRestoreRowIJ", MatRestoreRowIJ, mat, 0, PETSC_FALSE, PETSC_FALSE, &rows, &starts,
       &columns, &done);
  const PetscScalar* values = nullptr;
  call("MatSeqAIJGetArrayRead", MatSeqAIJGetArrayRead, mat, &values);
  lists.values = values;
  call("MatSeqAIJRestoreArrayRead", MatSeqAIJRestoreArrayRead, mat, &values);
  return lists;
}

/// Holds a reference to a Mat, never an open array. Other entries may come to lie at the same
/// addresses, as MatZeroRows makes them do, or the lists elsewhere, as MatAXPY makes them.
class MatLists {
 public:
  explicit MatLists(Mat mat) : session_(detail::require_session()), mat_(mat) {
    call("MatGetNonzeroState", MatGetNonzeroState, mat, &pattern_);
    call("PetscObjectReference", PetscObjectReference, object(mat));
  }
  ~MatLists() {
    if (detail::alive(session_)) {
      static_cast<void>(MatDestroy(&mat_));
    } else {
      detail::note_outlived();
    }
  }
  MatLists(const MatLists&) = delete;
  MatLists& operator=(const MatLists&) = delete;

  Mat mat() const { return mat_; }
  bool alive() const { return detail::alive(session_); }
  /// The lists, where they are those that were exported.
  Lists unchanged() const {
    detail::require_alive(session_);
    PetscObjectState pattern = 0;
    call("MatGetNonzeroState", MatGetNonzeroState, mat_, &pattern);
    if (pattern != pattern_)
      throw Stale("a Mat with other entries than when it was exported", "Export it again.");
    return lists_of(mat_);
  }

 private:
  unsigned session_;
  Mat mat_;
  PetscObjectState pattern_ = 0;
};

void require_place(const void* now, const void* described) {
  if (now != described)
    throw Stale("a Mat whose lists have moved since it was exported", "Export it again.");
}

class MatValues final : public Producer {
 public:
  explicit MatValues(std::shared_ptr<const MatLists> lists) : lists_(std::move(lists)) {}

  void* begin_access(daptor::Access, void* described) override {
    require_place(lists_->unchanged().values, described);
    return described;
  }
  void end_access(daptor::Access) noexcept override {}
  void modified() override {
    if (!lists_->alive()) return;
    // Counts as a write, and invalidates what PETSc has cached about the diagonal.
    PetscScalar* values = nullptr;
    call("MatSeqAIJGetArray", MatSeqAIJGetArray, lists_->mat(), &values);
    call("MatSeqAIJRestoreArray", MatSeqAIJRestoreArray, lists_->mat(), &values);
  }

 private:
  std::shared_ptr<const MatLists> lists_;
};

/// The columns, or the offsets, which nobody writes through Daptor.
class MatIndices final : public Producer {
 public:
  MatIndices(std::shared_ptr<const MatLists> lists, const PetscInt* Lists::*list)
      : lists_(std::move(lists)), list_(list) {}

  void* begin_access(daptor::Access, void* described) override {
    require_place(lists_->unchanged().*list_, described);
    return described;
  }
  void end_access(daptor::Access) noexcept override {}
  void modified() override {}

 private:
  std::shared_ptr<const MatLists> lists_;
  const PetscInt* Lists::*list_;
};

template <class T, class... A>
std::shared_ptr<SharedState> make_state(A&&... arguments) {
  return std::make_shared<SharedState>(std::make_unique<T>(std::forward<A>(arguments)...));
}

DistArray line_of(const DataType& type, const void* data, Index count, const Comm& comm,
                  bool readonly, std::shared_ptr<SharedState> state) {
  Buffer buffer(type, {count}, {static_cast<Index>(type.itemsize())}, const_cast<void*>(data),
                readonly, std::move(state));
  return Section(protocol_0_9, std::move(buffer), {block(count, {comm.size(), comm.rank()})})
      .on(comm);
}

/// Merges the entries of a row in both blocks in increasing order of their global columns.
class Merge {
 public:
  Merge(const Lists& own, const Lists& other, const PetscInt* ghosts, PetscInt first)
      : own_(own), other_(other), ghosts_(ghosts), first_(first) {}

  template <class F>
  void row(PetscInt r, F&& visit) const {
    PetscInt o = begin(other_, r);
    for (PetscInt e = own_.starts[r]; e < own_.starts[r + 1]; ++e) {
      for (; o < end(other_, r) && ghosts_[other_.columns[o]] < first_; ++o)
        visit(ghosts_[other_.columns[o]], other_.values[o]);
      visit(own_.columns[e] + first_, own_.values[e]);
    }
    for (; o < end(other_, r); ++o) visit(ghosts_[other_.columns[o]], other_.values[o]);
  }
  Index count(PetscInt r) const {
    return Index{own_.starts[r + 1]} - own_.starts[r] + end(other_, r) - begin(other_, r);
  }

 private:
  static PetscInt begin(const Lists& lists, PetscInt r) {
    return lists.starts == nullptr ? 0 : lists.starts[r];
  }
  static PetscInt end(const Lists& lists, PetscInt r) {
    return lists.starts == nullptr ? 0 : lists.starts[r + 1];
  }
  const Lists& own_;
  const Lists& other_;
  const PetscInt* ghosts_;
  PetscInt first_;
};

struct Whole {
  PetscInt rows = 0, columns = 0, first_row = 0, first_column = 0;
};

Whole whole_of(Mat mat) {
  Whole whole;
  call("MatGetSize", MatGetSize, mat, &whole.rows, &whole.columns);
  call("MatGetOwnershipRange", MatGetOwnershipRange, mat, &whole.first_row, nullptr);
  call("MatGetOwnershipRangeColumn", MatGetOwnershipRangeColumn, mat, &whole.first_column, nullptr);
  return whole;
}

}  // namespace

CsrArrays export_csr(Mat mat) {
  require_mat(mat);
  detail::require_session();
  require_aij(mat);
  const Comm comm = detail::comm_of(object(mat));
  if (!is_type(mat, MATSEQAIJ) || comm.size() != 1)
    throw NotRepresentable(
        adapter::reason("csr.split", "a Mat on several processes",
                        "a Mat of type seqaij, which has all entries of a row in one list",
                        "Copy it: " + names::copy_csr + "."));
  const Lists lists = lists_of(mat);
  const Whole whole = whole_of(mat);
  const Index entries = lists.starts == nullptr ? 0 : lists.starts[lists.rows];
  const auto kept = std::make_shared<const MatLists>(mat);
  const DataType index = DataType::of<PetscInt>();
  return {line_of(DataType::of<PetscScalar>(), lists.values, entries, comm, false,
                  make_state<MatValues>(kept)),
          line_of(index, lists.columns, entries, comm, true,
                  make_state<MatIndices>(kept, &Lists::columns)),
          line_of(index, lists.starts, Index{lists.rows} + 1, comm, true,
                  make_state<MatIndices>(kept, &Lists::starts)),
          whole.rows,
          whole.columns,
          0};
}

CsrArrays copy_csr(Mat mat) {
  require_mat(mat);
  const Comm comm = detail::comm_of(object(mat));
  Call call(comm, "petsc::copy_csr");
  const GridPosition grid{comm.size(), comm.rank()};
  Lists own, other;
  detail::AijBlocks blocks;
  Whole whole;
  const Index entries = call.check([&]() -> Index {
    detail::require_session();
    require_aij(mat);
    blocks = detail::aij_blocks(mat);
    own = lists_of(blocks.own);
    other = lists_of(blocks.other);
    whole = whole_of(mat);
    if (own.rows == 0) return 0;
    return Index{own.starts[own.rows]} + (other.starts == nullptr ? 0 : other.starts[own.rows]);
  });
  const Index start = comm->exclusive_sum(entries);
  std::int64_t all = entries;
  comm->allreduce(&all, 1, Reduction::sum);
  return call.check([&] {
    const IndexRange range{start, start + entries};
    const Index stop = Index{whole.first_row} + own.rows + (grid.last() ? 1 : 0);
    CsrArrays copy{
        allocate<PetscScalar>({block(all, grid, range)}).on(comm),
        allocate<PetscInt>({block(all, grid, range)}).on(comm),
        allocate<Index>({block(Index{whole.rows} + 1, grid, IndexRange{whole.first_row, stop})})
            .on(comm),
        whole.rows,
        whole.columns,
        0};
    auto* value = static_cast<PetscScalar*>(copy.values.mutable_data());
    auto* column = static_cast<PetscInt*>(copy.columns.mutable_data());
    auto* offset = static_cast<Index*>(copy.offsets.mutable_data());
    const Merge merge(own, other, blocks.ghosts, whole.first_column);
    Index next = start;
    for (PetscInt r = 0; r < own.rows; ++r) {
      *offset++ = next;
      next += merge.count(r);
      merge.row(r, [&](PetscInt c, PetscScalar v) {
        *column++ = c;
        *value++ = v;
      });
    }
    if (grid.last()) *offset = next;
    return copy;
  });
}

}  // namespace daptor::petsc
