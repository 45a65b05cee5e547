// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <HYPRE.h>
#include <HYPRE_IJ_mv.h>
#include <HYPRE_parcsr_mv.h>
#include <_hypre_IJ_mv.h>
#include <_hypre_parcsr_mv.h>

#include <limits>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "daptor/adapter/followed_memory.hpp"
#include "daptor/adapter/form.hpp"
#include "daptor/adapter/memory.hpp"
#include "daptor/adapter/on_array.hpp"
#include "daptor/adapter/reason.hpp"
#include "daptor/buffer.hpp"
#include "daptor/call.hpp"
#include "daptor/defect.hpp"
#include "daptor/dimension.hpp"
#include "daptor/dist_array.hpp"
#include "daptor/error.hpp"
#include "daptor/hypre/error.hpp"

namespace daptor::hypre {

namespace detail {

static_assert(std::is_floating_point_v<HYPRE_Complex>, "a hypre of real numbers is needed");

inline hypre_Vector* local_vector(HYPRE_ParVector vector) {
  return hypre_ParVectorLocalVector(reinterpret_cast<hypre_ParVector*>(vector));
}

inline void require_host(HYPRE_ParVector vector) {
  const hypre_Vector* const local = local_vector(vector);
  if (hypre_GetActualMemLocation(hypre_VectorMemoryLocation(local)) == hypre_MEMORY_HOST) return;
  throw NotRepresentable(adapter::reason(
      "hypre.vector.device", "a vector of hypre in memory of a device", "memory of the host",
      "Migrate it by HYPRE_IJVectorMigrate, or set HYPRE_MEMORY_HOST before it is made."));
}

inline Section section_of(HYPRE_ParVector vector, const Comm& comm) {
  require_host(vector);
  const auto* const native = reinterpret_cast<hypre_ParVector*>(vector);
  const hypre_Vector* const local = local_vector(vector);
  const Index first = hypre_ParVectorFirstIndex(native), count = hypre_VectorSize(local);
  const Index columns = hypre_VectorNumVectors(local);
  constexpr auto bytes = static_cast<Index>(sizeof(HYPRE_Complex));
  std::vector<Dimension> dimensions{
      block(hypre_ParVectorGlobalSize(native), {comm.size(), comm.rank()}, {first, first + count})};
  std::vector<Index> shape{count};
  std::vector<Index> strides{bytes * (columns > 1 ? hypre_VectorIndexStride(local) : 1)};
  if (columns > 1) {
    dimensions.insert(dimensions.begin(), undistributed(columns));
    shape.insert(shape.begin(), columns);
    strides.insert(strides.begin(), bytes * hypre_VectorVectorStride(local));
  }
  Buffer buffer(
      DataType::of<HYPRE_Complex>(), std::move(shape), std::move(strides), hypre_VectorData(local),
      false, adapter::followed_memory([vector] { return hypre_VectorData(local_vector(vector)); }));
  return Section(protocol_0_9, std::move(buffer), std::move(dimensions));
}

/// Puts other memory under a vector that does not own its memory.
inline void put_under(HYPRE_IJVector vector, HYPRE_Complex* data) {
#if HYPRE_RELEASE_NUMBER >= 23300
  run("HYPRE_IJVectorSetData", [&] { return HYPRE_IJVectorSetData(vector, data); });
#else
  void* object = nullptr;
  run("HYPRE_IJVectorGetObject", [&] { return HYPRE_IJVectorGetObject(vector, &object); });
  hypre_VectorData(local_vector(static_cast<HYPRE_ParVector>(object))) = data;
#endif
}

}  // namespace detail

/// Describes a vector of hypre on its memory and its communicator: one block dimension, rank after
/// rank; of a vector with k > 1 components two, `{undistributed(k), block}`. Process-local; call it
/// on all processes. Nothing is copied.
///
/// hypre counts no references: the vector must outlive the array and what is made of it.
/// @param vector  initialized; not null (InvalidArgument `hypre.vector.null`, on this process)
/// @returns the array; a vector in memory of a device (`hypre.vector.device`) has the defect, which
///   the first collective call throws on all processes
inline DistArray describe(HYPRE_ParVector vector) {
  if (vector == nullptr || detail::local_vector(vector) == nullptr)
    adapter::refuse_argument("hypre.vector.null", "a null vector",
                             "an initialized vector of hypre");
  const Comm comm(hypre_ParVectorComm(reinterpret_cast<hypre_ParVector*>(vector)));
  return deferred([&] { return detail::section_of(vector, comm); },
                  [](Defect defect) { return Section(std::move(defect)); })
      .on(comm);
}

/// The same for a vector of the IJ interface, of object type HYPRE_PARCSR.
inline DistArray describe(HYPRE_IJVector vector) {
  void* object = nullptr;
  if (vector != nullptr)
    detail::run("HYPRE_IJVectorGetObject",
                [&] { return HYPRE_IJVectorGetObject(vector, &object); });
  return describe(static_cast<HYPRE_ParVector>(object));
}

/// A vector of hypre on a producer's memory. Move-only.
///
/// Owns the vector and keeps the array's memory alive: do not destroy the vector. hypre counts no
/// references, so this object must live as long as a solver uses the vector.
class ImportedVector : public adapter::OnArray<HYPRE_IJVector, HYPRE_IJVectorDestroy> {
 public:
  using OnArray::OnArray;

  /// The vector of the IJ interface, and the vector of BoomerAMG and other solvers; null if this
  /// holds none.
  HYPRE_IJVector ij() const& { return OnArray::get(); }
  HYPRE_ParVector get() const& {
    void* object = nullptr;
    if (*this) HYPRE_IJVectorGetObject(ij(), &object);
    return static_cast<HYPRE_ParVector>(object);
  }
  /// Not of a temporary, which destroys the vector at the end of the statement.
  template <class T = HYPRE_ParVector>
  HYPRE_ParVector get() && {
    return detail::refuse_temporary<T>();
  }
  template <class T = HYPRE_IJVector>
  HYPRE_IJVector ij() && {
    return detail::refuse_temporary<T>();
  }

  /// Puts the memory of another array of the same layout under the vector, such as another column.
  /// Process-local.
  /// @param array  writable, with memory, which is kept alive in place of the previous one
  /// @throws InvalidArgument (`hypre.vector.layout`) for another layout or read-only memory; then
  ///   nothing has changed
  void rebind(const Section& array) {
    if (!this->array().same_layout(array) || array.readonly())
      adapter::refuse_argument("hypre.vector.layout", "an array of another layout, or read-only",
                               "the layout of the array that was imported");
    adapter::require_memory(array);
    detail::put_under(ij(), static_cast<HYPRE_Complex*>(const_cast<void*>(array.owned_data())));
    set_array(array.on(this->array().comm()));
  }
};

namespace detail {

inline const adapter::Form& vector_form() {
  static const adapter::Form form = [] {
    auto one_run = adapter::Form::of<HYPRE_Complex>("hypre.vector");
    one_run.elements = "HYPRE_Complex";
    one_run.layout = adapter::Form::Layout::one_run;
    one_run.padded_remedy = "Import a column, or flatten() an array without gaps.";
    one_run.writable = "memory that hypre may write to";
    one_run.largest = std::numeric_limits<HYPRE_Int>::max();
    one_run.largest_global = std::numeric_limits<HYPRE_BigInt>::max();
    one_run.largest_name = "the largest number of this hypre";
    one_run.largest_remedy = "Use a hypre with 64-bit integers.";
    one_run.one_owner = "each element on one process, because norms and products count it once";
    one_run.also = [](const Section& array, adapter::Reasons& reasons) {
      if (array.ndim() != 1)
        reasons.push_back(adapter::reason(
            "hypre.vector.one-run", std::to_string(array.ndim()) + " dimensions", "one dimension",
            "Import a column, or flatten() an array without gaps."));
    };
    return one_run;
  }();
  return form;
}

/// Puts memory under a vector that has none yet.
inline void place(HYPRE_IJVector vector, HYPRE_Complex* data) {
#if HYPRE_RELEASE_NUMBER >= 23300
  run("HYPRE_IJVectorInitializeShell", [&] { return HYPRE_IJVectorInitializeShell(vector); });
  put_under(vector, data);
#else
  // Older releases have no public way. hypre allocates only where it finds no memory.
  auto* const native = reinterpret_cast<hypre_IJVector*>(vector);
  run("hypre_IJVectorCreatePar",
      [&] { return hypre_IJVectorCreatePar(native, hypre_IJVectorPartitioning(native)); });
  hypre_Vector* const local =
      local_vector(static_cast<HYPRE_ParVector>(hypre_IJVectorObject(native)));
  hypre_VectorData(local) = data;
  hypre_VectorOwnsData(local) = 0;
  run("HYPRE_IJVectorInitialize", [&] { return HYPRE_IJVectorInitialize(vector); });
#endif
}

/// Collective, a call of hypre.
inline HYPRE_IJVector make_vector(MPI_Comm comm, Index first, Index count, HYPRE_Complex* data) {
  HYPRE_IJVector vector = nullptr;
  const auto lower = static_cast<HYPRE_BigInt>(first);
  const auto upper = static_cast<HYPRE_BigInt>(first + count - 1);
  run("HYPRE_IJVectorCreate", [&] { return HYPRE_IJVectorCreate(comm, lower, upper, &vector); });
  run("HYPRE_IJVectorSetObjectType",
      [&] { return HYPRE_IJVectorSetObjectType(vector, HYPRE_PARCSR); });
  place(vector, data);
  return vector;
}

}  // namespace detail

/// Collective. Makes a vector of hypre of the owned elements of the array, on its memory and on the
/// communicator that the array was made with, which must live as long as the vector.
///
/// The array has one dimension, of any distribution; ghosts stay outside. Elements are numbered
/// rank after rank, in the order of memory, as those of a Vec of PETSc.
///
/// Example: an array of 10 elements on two processes, each with 5 and a ghost behind them. The
/// vector has the rows [0, 5) and [5, 10).
/// @param array  over MPI, with memory that can be written to, which the result keeps alive
/// @returns the vector on the array's memory; no element is copied
/// @throws Malformed if the sections do not form one array. This and all of the following is thrown
///   on all ranks
/// @throws NotRepresentable: `hypre.vector.type`, `hypre.vector.one-run`, `hypre.vector.readonly`,
///   `hypre.vector.device`, `hypre.vector.overlap`, `hypre.vector.index-range`
/// @throws InvalidArgument for an array without memory, and `hypre.not-initialized`, which hypre
///   tells from release 2.29 on; Stale
inline ImportedVector import_vector(const DistArray& array) {
  Call call(array, "hypre::import_vector");
  call.attempt([] { detail::require_initialized(); });
  const adapter::Fit fit = adapter::agree(detail::vector_form(), array, call);
  const Index first = call.comm()->exclusive_sum(fit.local);
  const MPI_Comm mpi = call.comm()->original();
  HYPRE_IJVector vector = call.library("hypre", "HYPRE_IJVectorCreate", [&] {
    return detail::make_vector(mpi, first, fit.local, static_cast<HYPRE_Complex*>(fit.data));
  });
  return ImportedVector(vector, array);
}

}  // namespace daptor::hypre
