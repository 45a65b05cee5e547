// SPDX-License-Identifier: BSD-3-Clause
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "daptor/adapter/communicator.hpp"
#include "daptor/adapter/reason.hpp"
#include "daptor/adapter/rows.hpp"
#include "daptor/builders.hpp"
#include "daptor/call.hpp"
#include "daptor/petsc/adapter/call.hpp"
#include "daptor/petsc/adapter/mat_rows.hpp"
#include "daptor/petsc/adapter/names.hpp"
#include "daptor/petsc/csr.hpp"
#include "petsc/src/native/attachment.hpp"
#include "petsc/src/native/names.hpp"

namespace daptor::petsc {
namespace {

using detail::call;
using detail::object;

using detail::is_type;

void require_aij(Mat mat) {
  PetscBool assembled = PETSC_FALSE;
  if (!detail::type_of(mat).empty()) call("MatAssembled", MatAssembled, mat, &assembled);
  if (assembled != PETSC_TRUE)
    throw InvalidArgument(
        Report({adapter::reason("csr.unassembled", "a matrix that is not assembled",
                                "an assembled matrix", "Call " + names::assemble + " first.")}));
  if (is_type(mat, MATSEQAIJ) || is_type(mat, MATMPIAIJ)) return;
  Terms remedy = "Convert the matrix: " + names::convert_to_aij + ".";
  if (is_type(mat, MATMPISELL))
    remedy +=
        " If it was itself converted from a matrix of type AIJ, pass that one: in some releases of "
        "PETSc, 3.22 among them, a conversion numbers the columns of a parallel matrix of type "
        "SELL wrongly, and keeps them when it converts back.";
  throw NotRepresentable(adapter::reason("csr.kind", "a matrix of type " + detail::type_of(mat),
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
  const detail::OpenBlock open(mat);
  return {open.rows(), open.starts(), open.columns(), open.values()};
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
    const detail::OpenBlock written(lists_->mat(), detail::BlockAccess::write);
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
  const detail::MatBlocks whole = detail::blocks_of(mat);
  const Index entries = lists.starts == nullptr ? 0 : lists.starts[lists.rows];
  const auto kept = std::make_shared<const MatLists>(mat);
  const DataType index = DataType::of<PetscInt>();
  return {line_of(DataType::of<PetscScalar>(), lists.values, entries, comm, false,
                  make_state<MatValues>(kept)),
          line_of(index, lists.columns, entries, comm, true,
                  make_state<MatIndices>(kept, &Lists::columns)),
          line_of(index, lists.starts, Index{lists.rows} + 1, comm, true,
                  make_state<MatIndices>(kept, &Lists::starts)),
          whole.global_rows,
          whole.global_columns,
          0};
}

CsrArrays copy_csr(Mat mat) {
  require_mat(mat);
  const Comm comm = detail::comm_of(object(mat));
  Call call(comm, "petsc::copy_csr");
  std::optional<detail::MatRows> rows;
  call.check([&] {
    detail::require_session();
    require_aij(mat);
    rows.emplace(detail::blocks_of(mat));
  });
  return adapter::copy_rows<PetscInt>(*rows, call);
}

}  // namespace daptor::petsc
