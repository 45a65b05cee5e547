// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <gtest/gtest.h>

#include <sundials/sundials_config.h>
#include <sundials/sundials_context.h>

#include <memory>
#include <vector>

#include <mpi.h>

#include "daptor/builders.hpp"
#include "daptor/layout.hpp"
#include "daptor/sundials.hpp"
#include "daptor/view.hpp"
#include "everywhere.hpp"
#include "form_rows.hpp"

namespace daptor::sundials::test {

using daptor::test::expect_form;
using daptor::test::expect_refused;
using daptor::test::expect_refused_everywhere;
using daptor::test::Faults;
using daptor::test::line;
using daptor::test::world_rank;
using daptor::test::world_size;

inline const MPI_Comm world = MPI_COMM_WORLD;

/// A context of SUNDIALS, which ends with this object.
class Context {
 public:
  Context() {
    MPI_Comm comm = MPI_COMM_WORLD;
#if SUNDIALS_VERSION_MAJOR >= 7
    SUNContext_Create(comm, &context_);
#else
    SUNContext_Create(&comm, &context_);
#endif
  }
  Context(const Context&) = delete;
  Context& operator=(const Context&) = delete;
  ~Context() {
    SUNContext_Free(&context_);
  }
  operator SUNContext() const {
    return context_;
  }  // not explicit: it stands for the context

 private:
  SUNContext context_ = nullptr;
};

/// Destroys an N_Vector that the test has made.
struct Destroy {
  void operator()(N_Vector vector) const { N_VDestroy(vector); }
};
using OwnedNVector = std::unique_ptr<std::remove_pointer_t<N_Vector>, Destroy>;

inline MPI_Comm communicator_in(N_Vector vector) {
#if SUNDIALS_VERSION_MAJOR >= 7
  return N_VGetCommunicator(vector);
#else
  return *static_cast<MPI_Comm*>(N_VGetCommunicator(vector));
#endif
}

/// Counts the calls of `modified` that reach a view of the memory.
class CountingView final : public NativeView {
 public:
  explicit CountingView(const Section& array) { watch(array.buffer().state()); }
  ~CountingView() override { unwatch(); }
  void modified() override { ++count; }
  int count = 0;
};

/// Rows of 3 elements, 2 on each process and none on the last one; one process has 2.
inline std::vector<Dimension> rows(BlockPadding padding = {}) {
  const Index owners = std::max(1, world_size() - 1);
  const Index start = std::min<Index>(world_rank(), owners) * 2;
  const Index stop = std::min<Index>(world_rank() + 1, owners) * 2;
  return {block(2 * owners, line(), IndexRange{start, stop}, padding), undistributed(3)};
}

/// Columns that are divided, with ghost columns, so that the owned elements are no run in C order.
inline std::vector<Dimension> padded_columns() {
  return {undistributed(2), block(4 * world_size(), line(), BlockPadding({1, 1}, {}, true))};
}

}  // namespace daptor::sundials::test
