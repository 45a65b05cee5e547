// SPDX-License-Identifier: BSD-3-Clause
#include "prints.hpp"

#include <petsc/private/petscimpl.h>
#include <petscdm.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <type_traits>
#include <vector>

#include "daptor/petsc/adapter/call.hpp"
#include "daptor/petsc/adapter/guard.hpp"
#include "daptor/petsc/adapter/mat_rows.hpp"
#include "natural_order.hpp"
#include "petsc/src/check/objects.hpp"
#include "petsc/src/check/vec_values.hpp"

namespace daptor::petsc::plugin::doctor {
namespace {

using adapter::CompensatedSum;
using adapter::ElementPlace;
using adapter::FingerprintSum;

#ifdef PETSC_USE_COMPLEX
constexpr bool complex = true;
double real_of(PetscScalar x) {
  return static_cast<double>(PetscRealPart(x));
}
double imaginary_of(PetscScalar x) {
  return static_cast<double>(PetscImaginaryPart(x));
}
#else
constexpr bool complex = false;
double real_of(PetscScalar x) {
  return static_cast<double>(x);
}
double imaginary_of(PetscScalar) {
  return 0;
}
#endif

constexpr std::size_t block = FingerprintSum::block;

/// Elements as double precision.
struct Block {
  std::array<double, block> real, imaginary;
  const double* imaginary_or_null() const { return complex ? imaginary.data() : nullptr; }
  void set(std::size_t i, PetscScalar x) {
    real[i] = real_of(x);
    if (complex) imaginary[i] = imaginary_of(x);
  }
};

/// Elements in double precision are taken where they lie.
template <class Scalar>
void take_run(FingerprintSum& sum, const Scalar* values, std::size_t count, Index first) {
  if constexpr (std::is_same_v<Scalar, double>) {
    sum.take_run(values, nullptr, count, first);
    return;
  }
  Block elements;
  for (std::size_t done = 0; done < count; done += block) {
    const std::size_t n = std::min(block, count - done);
    for (std::size_t i = 0; i < n; ++i) elements.set(i, values[done + i]);
    sum.take_run(elements.real.data(), elements.imaginary_or_null(), n,
                 first + static_cast<Index>(done));
  }
}

/// What a rank has of an object; plain bytes.
struct VecSum {
  FingerprintSum elements;
  bool readable = true;
  void merge(const VecSum& other) {
    elements.merge(other.elements);
    readable = readable && other.readable;
  }
};

struct MatSum {
  FingerprintSum entries;
  CompensatedSum diagonal, diagonal_imaginary, diagonal_magnitudes;
  std::int64_t diagonal_entries = 0;
  double row_sum = 0;
  bool readable = true;
  void merge(const MatSum& other) {
    entries.merge(other.entries);
    diagonal.merge(other.diagonal);
    diagonal_imaginary.merge(other.diagonal_imaginary);
    diagonal_magnitudes.merge(other.diagonal_magnitudes);
    diagonal_entries += other.diagonal_entries;
    row_sum = std::max(row_sum, other.row_sum);
    readable = readable && other.readable;
  }
};

/// Sums of squares.
struct ResidualSums {
  double residual = 0, right_hand_side = 0;
  bool readable = true;
  void merge(const ResidualSums& other) {
    residual += other.residual;
    right_hand_side += other.right_hand_side;
    readable = readable && other.readable;
  }
};

double norm_of(PetscScalar x) {
  const double real = real_of(x), imaginary = imaginary_of(x);
  return real * real + imaginary * imaginary;
}

/// Runs `body`; what it throws makes the sum of all ranks unreadable.
template <class Sum, class F>
Sum summed(const F& body) {
  Sum sum;
  try {
    body(sum);
  } catch (...) {
    sum.readable = false;
  }
  return sum;
}

DM dm_of(Vec vec) {
  DM dm = nullptr;
  detail::call("VecGetDM", VecGetDM, vec, &dm);
  return dm;
}

DM dm_of(Mat mat) {
  DM dm = nullptr;
  detail::call("MatGetDM", MatGetDM, mat, &dm);
  return dm;
}

void add_order(const NaturalOrder& order, adapter::JsonLine& line) {
  line.text("order", order.of_grid() ? "natural" : "global");
  if (!order.of_grid()) return;
  const auto shape = order.shape();
  line.list("grid", {shape.begin(), shape.end()});
}

/// The entries of a matrix, block by block.
class EntrySum {
 public:
  EntrySum(MatSum& sum, const NaturalOrder& rows, const NaturalOrder& columns,
           const detail::MatBlocks& blocks)
      : sum_(sum), rows_(rows), blocks_(blocks) {
    for (PetscInt c = 0; c < blocks.columns; ++c) own_.push_back(columns(blocks.first_column + c));
    for (PetscInt g = 0; g < blocks.ghosts; ++g) other_.push_back(columns(blocks.ghost(g)));
  }

  void take_row(PetscInt row, const detail::MatRows& matrix) {
    const PetscInt global = blocks_.first_row + row;
    row_ = rows_(global);
    double magnitudes = 0;
    const auto take = [&](Index column, const PetscScalar& value) {
      const double size = std::abs(value);
      magnitudes += size;
      if (column == row_ && std::isfinite(size)) take_diagonal(value, size);
      if (filled_ == block) flush();
      elements_.set(filled_, value);
      keys_[filled_] = FingerprintSum::key(row_, column);
      places_[filled_++] = {row_, column};
    };
    matrix.row(
        static_cast<std::size_t>(row),
        [&](PetscInt c, const PetscScalar& value) {
          take(own_[static_cast<std::size_t>(c)], value);
        },
        [&](PetscInt g, const PetscScalar& value) {
          take(other_[static_cast<std::size_t>(g)], value);
        });
    if (std::isfinite(magnitudes)) sum_.row_sum = std::max(sum_.row_sum, magnitudes);
  }
  void flush() {
    sum_.entries.take(elements_.real.data(), elements_.imaginary_or_null(), keys_.data(), filled_,
                      [&](std::size_t i) { return places_[i]; });
    filled_ = 0;
  }

 private:
  void take_diagonal(const PetscScalar& value, double size) {
    sum_.diagonal.add(real_of(value));
    sum_.diagonal_imaginary.add(imaginary_of(value));
    sum_.diagonal_magnitudes.add(size);
    ++sum_.diagonal_entries;
  }

  MatSum& sum_;
  const NaturalOrder& rows_;
  const detail::MatBlocks& blocks_;
  std::vector<Index> own_, other_;
  Index row_ = 0;
  std::size_t filled_ = 0;
  Block elements_;
  std::array<std::uint64_t, block> keys_;
  std::array<ElementPlace, block> places_;
};

/// Whether the lists of the matrix have entries alone: it is assembled, and nothing was set since.
bool is_complete(Mat mat) {
  PetscBool assembled = PETSC_FALSE;
  detail::call("MatAssembled", MatAssembled, mat, &assembled);
  return assembled == PETSC_TRUE && detail::is_set_up(mat);
}

bool has_rows(Mat mat) {
  return detail::is_one_of(detail::object(mat), {MATSEQAIJ, MATMPIAIJ, MATSEQBAIJ, MATMPIBAIJ});
}

void take_rows(Mat mat, const NaturalOrder& rows, const NaturalOrder& columns, MatSum& sum) {
  const detail::MatBlocks blocks = detail::blocks_of(mat);
  const detail::MatRows matrix(blocks);
  const auto entries = std::make_unique<EntrySum>(sum, rows, columns, blocks);
  for (PetscInt r = 0; r < blocks.rows; ++r) entries->take_row(r, matrix);
  entries->flush();
}

void take_dense(Mat mat, MatSum& sum) {
  PetscInt rows = 0, columns = 0, first = 0, leading = 0;
  const PetscScalar* values = nullptr;
  detail::call("MatGetLocalSize", MatGetLocalSize, mat, &rows, nullptr);
  detail::call("MatGetSize", MatGetSize, mat, nullptr, &columns);
  detail::call("MatGetOwnershipRange", MatGetOwnershipRange, mat, &first, nullptr);
  detail::call("MatDenseGetLDA", MatDenseGetLDA, mat, &leading);
  detail::call("MatDenseGetArrayRead", MatDenseGetArrayRead, mat, &values);
  Block elements;
  std::array<std::uint64_t, block> keys;
  const auto height = static_cast<std::size_t>(rows);
  for (PetscInt c = 0; c < columns; ++c) {
    const PetscScalar* const column =
        values + static_cast<std::size_t>(c) * static_cast<std::size_t>(leading);
    for (std::size_t done = 0; done < height; done += block) {
      const std::size_t n = std::min(block, height - done);
      const Index row = Index{first} + static_cast<Index>(done);
      for (std::size_t i = 0; i < n; ++i) {
        elements.set(i, column[done + i]);
        keys[i] = FingerprintSum::key(row + static_cast<Index>(i), c);
      }
      sum.entries.take(elements.real.data(), elements.imaginary_or_null(), keys.data(), n,
                       [&](std::size_t i) {
                         return ElementPlace{row + static_cast<Index>(i), c};
                       });
    }
  }
  detail::call("MatDenseRestoreArrayRead", MatDenseRestoreArrayRead, mat, &values);
}

NaturalOrder order_of(Vec vec) {
  return {dm_of(vec), detail::layout_of_vec(vec)};
}

}  // namespace

std::optional<adapter::JsonLine> print_of(const Comm& comm, Vec vec) {
  std::optional<NaturalOrder> order;
  auto sum = summed<VecSum>([&](VecSum& own) {
    const detail::VecValues values(vec);
    own.readable = values.readable();
    if (!own.readable) return;
    order.emplace(order_of(vec));
    order->for_each_run([&](std::size_t local, std::size_t count, Index natural) {
      take_run(own.elements, values.begin() + local, count, natural);
    });
  });
  adapter::combine_at_first(comm, sum);
  if (comm.rank() != 0 || !sum.readable) return std::nullopt;
  adapter::JsonLine line;
  line.fingerprint(sum.elements.result(1), complex);
  add_order(*order, line);
  return line;
}

std::optional<adapter::JsonLine> print_of(const Comm& comm, Mat mat) {
  std::optional<NaturalOrder> rows, columns;
  auto sum = summed<MatSum>([&](MatSum& own) {
    const bool dense = detail::is_one_of(detail::object(mat), {MATSEQDENSE, MATMPIDENSE});
    own.readable = is_complete(mat) && (dense || has_rows(mat));
    if (!own.readable) return;
    PetscLayout of_rows = nullptr, of_columns = nullptr;
    detail::call("MatGetLayouts", MatGetLayouts, mat, &of_rows, &of_columns);
    // The rows and columns of an interpolation belong to two grids, of which it knows one.
    PetscInt height = 0, width = 0;
    detail::call("MatGetSize", MatGetSize, mat, &height, &width);
    DM const dm = height == width && !dense ? dm_of(mat) : nullptr;
    rows.emplace(dm, of_rows);
    columns.emplace(dm, of_columns);
    dense ? take_dense(mat, own) : take_rows(mat, *rows, *columns, own);
  });
  adapter::combine_at_first(comm, sum);
  if (comm.rank() != 0 || !sum.readable) return std::nullopt;
  PetscInt height = 0, width = 0;
  detail::call("MatGetSize", MatGetSize, mat, &height, &width);
  adapter::JsonLine line;
  line.integer("rows", height).integer("columns", width);
  line.fingerprint(sum.entries.result(2), complex);
  if (has_rows(mat)) {
    line.number("diagonal", sum.diagonal.total()).integer("diagonal_entries", sum.diagonal_entries);
    line.number("diagonal_magnitudes", sum.diagonal_magnitudes.total());
    line.number("row_sum", sum.row_sum);
  }
  add_order(*rows, line);
  return line;
}

std::optional<ResidualNorms> residual_of(const Comm& comm, Mat a, Vec x, Vec b) {
  if (!detail::is_one_of(detail::object(a), {MATSEQAIJ, MATMPIAIJ})) return std::nullopt;
  detail::Guard<Vec> product;
  detail::call("VecDuplicate", VecDuplicate, b, product.out());
  detail::call("MatMult", MatMult, a, x, product.get());
  auto sums = summed<ResidualSums>([&](ResidualSums& own) {
    const detail::VecValues right(b), left(product.get());
    own.readable = right.readable() && left.readable();
    if (!own.readable) return;
    for (std::size_t i = 0; i < right.count(); ++i) {
      const PetscScalar whole = right.begin()[i];
      own.residual += norm_of(whole - left.begin()[i]);
      own.right_hand_side += norm_of(whole);
    }
  });
  adapter::combine_at_first(comm, sums);
  if (comm.rank() != 0 || !sums.readable) return std::nullopt;
  return ResidualNorms{std::sqrt(sums.residual), std::sqrt(sums.right_hand_side)};
}

}  // namespace daptor::petsc::plugin::doctor
