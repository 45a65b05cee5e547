// What wrapping 800 MB keeps and touches, beside the raw calls.

#include <algorithm>
#include <cstdlib>
#include <functional>
#include <memory>
#include <string>

#include <Tpetra_MultiVector.hpp>
#include <daptor/daptor.hpp>
#include <daptor/petsc.hpp>
#include <daptor/tpetra.hpp>

#include "groups.hpp"
#include "support/pairs.hpp"

namespace bench {
namespace {

struct Growth {
  std::int64_t heap = 0;
  std::int64_t resident = 0;
};

/// Bytes that `make`'s result costs while it lives, the largest of all ranks.
template <class Make>
Growth growth(MPI_Comm comm, const Make& make) {
  { const auto warm_up = make(); }
  const std::size_t heap = heap_in_use();
  const std::size_t pages = resident();
  Growth growth;
  {
    const auto kept = make();
    growth.heap = static_cast<std::int64_t>(heap_in_use()) - static_cast<std::int64_t>(heap);
    growth.resident = static_cast<std::int64_t>(resident()) - static_cast<std::int64_t>(pages);
  }
  std::int64_t words[] = {growth.heap, growth.resident};
  MPI_Allreduce(MPI_IN_PLACE, words, 2, MPI_INT64_T, MPI_MAX, comm);
  return {words[0], words[1]};
}

std::string bytes_text(std::int64_t bytes) {
  if (std::abs(bytes) < 10000) return std::to_string(bytes) + " B";
  if (std::abs(bytes) < 10000000) return std::to_string(bytes / 1000) + " kB";
  return std::to_string(bytes / 1000000) + " MB";
}

}  // namespace

void memory(MPI_Comm comm, bool quick) {
  int rank = 0;
  int size = 1;
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &size);
  const std::int64_t n = quick ? 1000000 : 100000000;
  const Table table(comm, "Memory while " + bytes_text(8 * n) + " a rank are wrapped",
                    {"object", "heap growth", "resident growth", "goal 1 MB"});
  const std::unique_ptr<double, void (*)(void*)> data(
      static_cast<double*>(std::malloc(static_cast<std::size_t>(n) * sizeof(double))), std::free);
  std::fill_n(data.get(), n, 1.0);  // resident before anything is measured
  const auto a = daptor::describe(data.get(), {daptor::block(n * size, {size, rank})});
  const auto columns = daptor::describe(
      data.get(), {daptor::block(n / 4 * size, {size, rank}), daptor::undistributed(4)},
      daptor::Order::fortran);
  const auto leading = daptor::describe(
      data.get(), {daptor::undistributed(4), daptor::block(n / 4 * size, {size, rank})});
  const auto report = [&](const std::string& name, const Growth& growth) {
    const bool met = std::max(growth.heap, growth.resident) < 1000000;
    table.row({name, bytes_text(growth.heap), bytes_text(growth.resident), met ? "met" : "missed"});
  };
  report("Vec", growth(comm, [&] { return daptor::petsc::import_vec(a, comm); }));
  report("MatDense, 4 columns",
         growth(comm, [&] { return daptor::petsc::import_dense(columns, comm); }));
  report("MultiVector, contiguous Map",
         growth(comm, [&] { return daptor::tpetra::import_multivector<double>(a, comm); }));
  report("MultiVector, 4 columns",
         growth(comm, [&] { return daptor::tpetra::import_multivector<double>(leading, comm); }));
}

}  // namespace bench
