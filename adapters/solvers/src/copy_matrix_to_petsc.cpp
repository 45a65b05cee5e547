// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include <Tpetra_CrsMatrix.hpp>

#include "copy_matrix_blocks.hpp"
#include "copy_matrix_limits.hpp"
#include "copy_matrix_origin.hpp"
#include "daptor/adapter/reason.hpp"
#include "daptor/call.hpp"
#include "daptor/petsc/adapter/call.hpp"
#include "daptor/petsc/adapter/divided_rows.hpp"
#include "daptor/petsc/adapter/guard.hpp"
#include "daptor/petsc/adapter/state.hpp"
#include "daptor/solvers/matrix.hpp"
#include "daptor/tpetra.hpp"
#include "daptor/tpetra/adapter/kokkos.hpp"
#include "local_rows.hpp"
#include "log.hpp"
#include "map_facts.hpp"
#include "names.hpp"

namespace daptor::solvers {
namespace {

using petsc::detail::BlockAccess;

[[noreturn]] void refuse_unfilled() {
  adapter::refuse_argument("matrix.unassembled", "a CrsMatrix that is not fill-complete",
                           "a fill-complete matrix", "Call fillComplete first.");
}

template <class Scalar>
void require_copyable(const Tpetra::CrsMatrix<Scalar>& matrix) {
  static_cast<void>(petsc::detail::require_session());
  tpetra::require_trilinos();
  if (!matrix.isFillComplete())
    throw InvalidArgument(
        Report({adapter::reason("matrix.unassembled", "a CrsMatrix that is not fill-complete",
                                "a fill-complete matrix", "Call fillComplete first.")}));
  if (matrix.getRowMap() != matrix.getRangeMap() &&
      !same_here(*matrix.getRowMap(), *matrix.getRangeMap()))
    throw NotRepresentable(
        adapter::reason("matrix.maps", "a row Map and a range Map that differ",
                        "the same Map for both, as in PETSc",
                        "Export it to a matrix on the range Map (exportAndFillComplete)."));
  require_petsc_ints(static_cast<Index>(matrix.getRangeMap()->getGlobalNumElements()),
                     static_cast<Index>(matrix.getDomainMap()->getGlobalNumElements()),
                     static_cast<Index>(matrix.getLocalMatrixHost().values.extent(0)));
}

/// Collective. Requires one-to-one Maps, because a row or column of PETSc is on one rank only.
RankOrder one_to_one_order(const Teuchos::RCP<const Tpetra::Map<>>& map, Call& call) {
  const RankOrder order = rank_order(*map, call.comm());
  if (order.native) return order;
  if (one_to_one(*map, call)) return order;
  throw NotRepresentable(adapter::reason(
      "matrix.maps", "a Map with an index on several ranks",
      "one-to-one row and domain Maps, like PETSc's layouts",
      "Export the matrix to a Map made by " + names::one_to_one + " (exportAndFillComplete)."));
}

/// The rows of a fill-complete matrix (`daptor/adapter/rows.hpp`), with PETSc's numbers.
template <class Local>
class CrsRows {
 public:
  using Value = PetscScalar;

  /// @param numbers  PETSc's number of each local column
  /// @param same     number of local columns, counted from the first, that are the owned ones in
  ///                 order
  CrsRows(const Local& local, const adapter::RowLayout& layout,
          const std::vector<PetscInt>& numbers, Index same)
      : starts_(local.graph.row_map.data()),
        columns_(local.graph.entries.data()),
        values_(local.values.data()),
        layout_(layout),
        numbers_(numbers.data()),
        first_(static_cast<PetscInt>(layout.columns.start)),
        count_(static_cast<PetscInt>(layout.columns.size())),
        same_(static_cast<Ordinal>(same)) {}

  const adapter::RowLayout& layout() const { return layout_; }
  std::size_t entries() const {
    return layout_.rows.empty() ? 0 : static_cast<std::size_t>(starts_[layout_.row_count()]);
  }
  std::size_t length(std::size_t r) const {
    return static_cast<std::size_t>(starts_[r + 1] - starts_[r]);
  }
  std::size_t own_entries() const {
    std::size_t own = 0;
    for (std::size_t e = 0; e < entries(); ++e)
      if (own_column(columns_[e]) >= 0) ++own;
    return own;
  }
  template <class Own, class Other>
  void row(std::size_t r, Own&& own, Other&& other) const {
    for (auto e = starts_[r]; e < starts_[r + 1]; ++e) {
      const PetscInt column = own_column(columns_[e]);
      if (column >= 0)
        own(column, values_[e]);
      else
        other(numbers_[static_cast<std::size_t>(columns_[e])], values_[e]);
    }
  }
  Index global(PetscInt number) const { return number; }

 private:
  using Ordinal = typename Local::ordinal_type;

  /// The column in the owned block, or -1.
  PetscInt own_column(Ordinal local) const {
    if (local < same_) return static_cast<PetscInt>(local);
    const PetscInt number = numbers_[static_cast<std::size_t>(local)];
    return number >= first_ && number - first_ < count_ ? number - first_ : -1;
  }

  const typename Local::row_map_type::const_value_type* starts_;
  const Ordinal* columns_;
  const typename Local::value_type* values_;
  adapter::RowLayout layout_;
  const PetscInt* numbers_;
  PetscInt first_, count_;
  Ordinal same_;
};

template <class Scalar>
OwnedMat copy(const Tpetra::CrsMatrix<Scalar>& matrix) {
  if constexpr (!tpetra::has_scalar<Scalar>) {
    static_cast<void>(matrix);
    tpetra::detail::refuse_scalar(DataType::of<Scalar>());
  } else {
    const Comm comm(tpetra::communicator(*matrix.getRowMap()));
    Call call(comm, "solvers::copy_matrix");
    call.check([&] { require_copyable(matrix); });
    const RankOrder rows = one_to_one_order(matrix.getRowMap(), call);
    const RankOrder columns = matrix.getDomainMap() == matrix.getRowMap()
                                  ? rows
                                  : one_to_one_order(matrix.getDomainMap(), call);
    std::vector<PetscInt> numbers = column_numbers(matrix, columns, call);
    auto origin = call.check([&] {
      auto made = std::make_shared<MatrixOrigin>();
      const auto local = matrix.getLocalMatrixHost();
      const adapter::RowLayout layout{
          {rows.first, rows.first + rows.count},
          {columns.first, columns.first + columns.count},
          static_cast<Index>(matrix.getRangeMap()->getGlobalNumElements()),
          static_cast<Index>(matrix.getDomainMap()->getGlobalNumElements())};
      petsc::detail::divide(CrsRows<std::decay_t<decltype(local)>>(local, layout, numbers,
                                                                   same_columns(matrix, columns)),
                            petsc::detail::Duplicates::refused, made->rows);
      made->column_numbers = std::move(numbers);
      made->column_map = matrix.getColMap();
      return made;
    });
    petsc::detail::Guard<Mat> mat(petsc::detail::create_aij(
        {static_cast<PetscInt>(rows.count), static_cast<PetscInt>(columns.count),
         static_cast<PetscInt>(matrix.getRangeMap()->getGlobalNumElements()),
         static_cast<PetscInt>(matrix.getDomainMap()->getGlobalNumElements())},
        pointers(origin->rows.own), pointers(origin->rows.other), call));
    return call.check([&] {
      keep_origin(mat.get(), origin);
      return OwnedMat(mat.release());
    });
  }
}

// Not inlined: its strings take a fifth of the time of the loop over the entries (GCC 12).
[[noreturn, gnu::cold, gnu::noinline]] void refuse_other_entries(const char* found) {
  adapter::refuse_argument(
      "matrix.pattern", found,
      "a Mat made by copy_matrix of a CrsMatrix with entries at the same positions",
      "Copy the matrix again with " + names::copy_matrix_again + ".");
}

/// Writes the values of one row of one block, in any order.
class RenewedRow {
 public:
  /// `found` is memory for all rows.
  RenewedRow(const OpenBlock& block, PetscInt row, const PetscInt* ghosts,
             std::vector<PetscInt>& found)
      : block_(block),
        found_(found),
        next_(block.begin(static_cast<std::size_t>(row))),
        begin_(next_),
        end_(block.end(static_cast<std::size_t>(row))),
        ghosts_(ghosts) {
    found_.clear();
  }

  void write(PetscInt number, PetscScalar value) {
    PetscInt at = next_;
    if (searched_ || at == end_ || number_at(at) != number) at = search(number);
    block_.values()[at] = value;
    ++next_;
  }
  void close() const {
    if (next_ != end_) refuse_other_entries("a row with fewer entries");
    if (searched_) require_each_once();
  }

 private:
  /// Columns of the off-diagonal block are numbers of ghosts.
  PetscInt number_at(PetscInt entry) const {
    return ghosts_ == nullptr ? block_.columns()[entry] : ghosts_[block_.columns()[entry]];
  }
  PetscInt search(PetscInt number) {
    if (!searched_) {
      // Up to here the entries came in the order of the block.
      for (PetscInt e = begin_; e < next_; ++e) found_.push_back(e);
      searched_ = true;
    }
    found_.push_back(find(number));
    return found_.back();
  }
  /// As many entries as the row has came at positions of the row; an entry that came twice leaves
  /// another one with its old value.
  void require_each_once() const {
    std::sort(found_.begin(), found_.end());
    if (std::adjacent_find(found_.begin(), found_.end()) != found_.end())
      refuse_other_entries("an entry twice");
  }
  PetscInt find(PetscInt number) const {
    PetscInt low = begin_;
    PetscInt high = end_;
    while (low < high) {
      const PetscInt middle = low + (high - low) / 2;
      if (number_at(middle) < number) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    if (low == end_ || number_at(low) != number || next_ == end_)
      refuse_other_entries("an entry at a new position");
    return low;
  }

  const OpenBlock& block_;
  bool searched_ = false;
  std::vector<PetscInt>& found_;
  PetscInt next_, begin_, end_;
  const PetscInt* ghosts_;
};

template <class Local>
void renew_rows(const Local& local, const std::vector<PetscInt>& numbers, const Blocks& blocks) {
  const OpenBlock diagonal(blocks.own, BlockAccess::write);
  const OpenBlock off_diagonal(blocks.other, BlockAccess::write);
  std::vector<PetscInt> found_own, found_other;
  for (PetscInt r = 0; r < blocks.rows; ++r) {
    RenewedRow own(diagonal, r, nullptr, found_own);
    RenewedRow other(off_diagonal, r, blocks.ghosts_of, found_other);
    const auto row = static_cast<std::size_t>(r);
    for (auto e = local.graph.row_map(row); e < local.graph.row_map(row + 1); ++e) {
      const PetscInt number = numbers[static_cast<std::size_t>(local.graph.entries(e))];
      const PetscInt column = number - blocks.first_column;
      if (column >= 0 && column < blocks.columns) {
        own.write(column, local.values(e));
      } else {
        other.write(number, local.values(e));
      }
    }
    own.close();
    other.close();
  }
}

template <class Scalar>
void renew_values(const Tpetra::CrsMatrix<Scalar>& matrix, Mat copy) {
  if constexpr (tpetra::has_scalar<Scalar>) {
    static_cast<void>(petsc::detail::require_session());
    tpetra::require_trilinos();
    if (!matrix.isFillComplete()) refuse_unfilled();
    require_assembled(copy);
    const MatrixOrigin* const origin = origin_of(copy);
    if (origin == nullptr) refuse_other_entries("a Mat that was not made from a CrsMatrix");
    const auto map = matrix.getColMap();
    if (map != origin->column_map && !map->locallySameAs(*origin->column_map))
      refuse_other_entries("a different column Map");
    const auto local = matrix.getLocalMatrixHost();
    const Blocks blocks = blocks_of(copy);
    if (Index{local.numRows()} != Index{blocks.rows})
      refuse_other_entries("a different number of rows");
    renew_rows(local, origin->column_numbers, blocks);
    // The blocks know that they were written to, but the Mat that consists of them does not.
    if (blocks.other != nullptr) petsc::detail::increase_state(petsc::detail::object(copy));
  }
}

}  // namespace

void copy_values(const CrsMatrix& matrix, Mat copy) {
  require_matrix(copy);
  const Logged logged(Event::hand_over);
  renew_values<PetscScalar>(matrix, copy);
}

OwnedMat copy_matrix(const CrsMatrix& matrix) {
  const Logged logged(Event::hand_over);
  return copy<PetscScalar>(matrix);
}

}  // namespace daptor::solvers
