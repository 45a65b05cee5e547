// SPDX-License-Identifier: BSD-3-Clause
// A program on Global Arrays gets two solvers, in the memory that it has.
//
//   mpirun -n 4 daptor_ga_overlap [FUNCTIONS]
//
// S is the overlap matrix of Gaussian functions on a line, symmetric and positive definite, and b
// the right-hand side. PETSc solves S x = b by conjugate gradients: its dense matrix and its
// vectors are on the memory of three Global Arrays. ScaLAPACK factors a block-cyclic Global Array
// and solves the same equations. No element is copied to reach either.

#include <ga.h>
#include <macdecls.h>
#include <petscksp.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <stdexcept>
#include <string>
#include <vector>

#include <daptor/daptor.hpp>
#include <daptor/ga.hpp>
#include <daptor/petsc.hpp>
#include <daptor/scalapack.hpp>

extern "C" {
void pdgetrf_(const int* rows, const int* columns, double* a, const int* row, const int* column,
              const int* desc, int* pivots, int* info);
void pdgetrs_(const char* which, const int* size, const int* right_sides, const double* a,
              const int* row, const int* column, const int* desc, const int* pivots, double* b,
              const int* row_of_b, const int* column_of_b, const int* desc_of_b, int* info);
}

namespace {

using daptor::DistArray;
using daptor::Index;

constexpr int one = 1;

/// Of functions exp(-r^2) at a distance of 1.2 from each other.
double overlap(Index i, Index j) {
  const double distance = 1.2 * static_cast<double>(i - j);
  return std::exp(-distance * distance / 2);
}
double right_hand_side(Index i) {
  return 1 + static_cast<double>(i % 5);
}

/// Creates a Global Array, calls `set` for further properties, and fills it with `value(i, j)`,
/// each process its own part.
class Field {
 public:
  template <class Set, class Value>
  Field(std::vector<int> shape, const Set& set, const Value& value) : handle_(GA_Create_handle()) {
    GA_Set_data(handle_, static_cast<int>(shape.size()), shape.data(), C_DBL);
    set(handle_);
    if (GA_Allocate(handle_) == 0) throw std::runtime_error("GA has no memory");
    array_ = daptor::ga::export_array(handle_);
    if (!array_.described()) throw std::runtime_error("use fewer processes");
    fill(value);
  }
  Field(const Field&) = delete;
  Field& operator=(const Field&) = delete;
  ~Field() { GA_Destroy(handle_); }

  int handle() const { return handle_; }
  const DistArray& array() const { return array_; }

 private:
  template <class Value>
  void fill(const Value& value) {
    daptor::WriteLease lease(array_);
    const daptor::LocalIndexMap map(array_);
    const auto& counts = array_.local_shape();
    if (array_.ndim() == 1) {
      const auto elements = lease.view<double, 1>();
      for (Index i = 0; i < counts[0]; ++i) elements(i) = value(map.global_of({i})[0], 0);
    } else {
      const auto elements = lease.view<double, 2>();
      for (Index i = 0; i < counts[0]; ++i)
        for (Index j = 0; j < counts[1]; ++j) {
          const std::vector<Index> global = map.global_of({i, j});
          elements(i, j) = value(global[0], global[1]);
        }
    }
    lease.close();
  }

  int handle_;
  DistArray array_;
};

/// PETSc's calls return a code, which is not 0 after an error.
void check_petsc(PetscErrorCode code) {
  if (code != 0)
    throw std::runtime_error("PETSc's error " + std::to_string(static_cast<int>(code)));
}

void as_it_comes(int /*handle*/) {}

/// The greatest |b - S x|, of an x that GA has, relative to the greatest |b|.
double residual(int x, int n) {
  std::vector<double> all(static_cast<std::size_t>(n));
  int lo = 0, hi = n - 1;
  NGA_Get(x, &lo, &hi, all.data(), &n);
  double greatest = 0;
  for (int i = 0; i < n; ++i) {
    double rest = right_hand_side(i);
    for (int j = 0; j < n; ++j) rest -= overlap(i, j) * all[static_cast<std::size_t>(j)];
    greatest = std::max(greatest, std::abs(rest));
  }
  GA_Sync();
  return greatest / 5;
}

/// PETSc's dense matrix has whole columns of its rows on a process, GA whole rows of its columns:
/// the same memory for a matrix and its transpose, which are equal here.
double with_petsc(int n) {
  const Field b({n}, as_it_comes, [](Index i, Index) { return right_hand_side(i); });
  const Field x({n}, as_it_comes, [](Index, Index) { return 0.0; });
  const daptor::Comm comm = b.array().comm();

  // The columns are divided as the elements of b.
  int blocks[] = {1, comm.size()};
  std::vector<int> starts{0};
  for (int rank = 0; rank < comm.size(); ++rank) {
    int lo = 0, hi = 0;
    NGA_Distribution(b.handle(), rank, &lo, &hi);
    starts.push_back(lo);
  }
  const Field s(
      {n, n}, [&](int handle) { GA_Set_irreg_distr(handle, starts.data(), blocks); }, overlap);

  const auto matrix = daptor::petsc::import_dense(s.array());
  const auto right = daptor::petsc::import_vec(b.array());
  const auto solution = daptor::petsc::import_vec(x.array());
  KSP solver = nullptr;
  check_petsc(KSPCreate(PETSC_COMM_WORLD, &solver));
  check_petsc(KSPSetOperators(solver, matrix.get(), matrix.get()));
  check_petsc(KSPSetType(solver, KSPCG));
  PC preconditioner = nullptr;
  check_petsc(KSPGetPC(solver, &preconditioner));
  check_petsc(PCSetType(preconditioner, PCJACOBI));
  check_petsc(KSPSetTolerances(solver, 1e-12, PETSC_DEFAULT, PETSC_DEFAULT, 10 * n));
  check_petsc(KSPSolve(solver, right.get(), solution.get()));
  x.array().modified();  // what PETSc has written, GA gets
  check_petsc(KSPDestroy(&solver));
  return residual(x.handle(), n);
}

/// GA deals blocks to a grid of processes and stores rows; ScaLAPACK stores columns. So what GA has
/// is the transposed matrix, whose equations 'T' solves, for matrices that are not symmetric too.
double with_scalapack(int n) {
  int blocks[] = {8, 8}, grid[] = {1, GA_Nnodes()};
  for (int rows = 2; rows * rows <= GA_Nnodes(); ++rows)
    if (GA_Nnodes() % rows == 0) grid[0] = rows;
  grid[1] = GA_Nnodes() / grid[0];
  const Field s(
      {n, n}, [&](int handle) { GA_Set_block_cyclic_proc_grid(handle, blocks, grid); }, overlap);
  const Field x({n}, as_it_comes, [](Index i, Index) { return right_hand_side(i); });

  const DistArray columns = daptor::scalapack::transposed(s.array());
  const auto places = daptor::scalapack::Grid::of(columns);
  const auto a = daptor::scalapack::import_matrix<double>(columns, places);
  auto b = daptor::scalapack::copy_to_matrix<double>(x.array(), places, {8, 8});
  std::vector<int> pivots(static_cast<std::size_t>(a.local_rows() + 8));
  int info = 0;
  pdgetrf_(&n, &n, a.data(), &one, &one, a.desc(), pivots.data(), &info);
  daptor::scalapack::check_info("pdgetrf", info, places.comm());
  pdgetrs_("T", &n, &one, a.data(), &one, &one, a.desc(), pivots.data(), b.data(), &one, &one,
           b.desc(), &info);
  daptor::scalapack::check_info("pdgetrs", info, places.comm());
  a.modified();
  daptor::scalapack::copy_from_matrix(b, x.array());  // one column of n numbers
  return residual(x.handle(), n);
}

bool run(int n) {
  const double by_petsc = with_petsc(n);
  const double by_scalapack = with_scalapack(n);
  if (GA_Nodeid() == 0)
    std::printf("overlap matrix of %d functions, residual by PETSc %.1e, by ScaLAPACK %.1e\n", n,
                by_petsc, by_scalapack);
  return by_petsc < 1e-10 && by_scalapack < 1e-12;
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  if (PetscInitialize(nullptr, nullptr, nullptr, nullptr) != 0) return 1;
  GA_Initialize();
  bool solved = false;
  try {
    solved = run(argc > 1 ? std::atoi(argv[1]) : 400);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    MPI_Abort(MPI_COMM_WORLD, 1);
  }
  GA_Terminate();
  const bool ended = PetscFinalize() == 0;
  MPI_Finalize();
  return solved && ended ? 0 : 1;
}
