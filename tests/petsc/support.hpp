// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <gtest/gtest.h>
#include <mpi.h>
#include <petsc/private/petscimpl.h>
#include <petscvec.h>

#include <functional>
#include <memory>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include <daptor/daptor.hpp>
#include <daptor/petsc.hpp>

#include "everywhere.hpp"
#include "for_each_index.hpp"

namespace daptor_test {

#define DAPTOR_EXPECT_OK(call) EXPECT_EQ(static_cast<int>(call), 0) << #call

using daptor::DistArray;
using daptor::Index;
using daptor::Section;
using daptor::test::expect_different;
using daptor::test::expect_refused_everywhere;
using daptor::test::greatest;
using daptor::test::least;
using daptor::test::line;

inline const MPI_Comm world = MPI_COMM_WORLD;

inline int rank_of(MPI_Comm comm = world) {
  int rank = 0;
  MPI_Comm_rank(comm, &rank);
  return rank;
}

inline int size_of(MPI_Comm comm = world) {
  int size = 1;
  MPI_Comm_size(comm, &size);
  return size;
}

inline PetscScalar* values_of(const Section& array) {
  return static_cast<PetscScalar*>(array.mutable_data());
}

/// The byte offset and the natural number of an owned element.
struct Element {
  Index offset;
  Index natural;
};

inline std::vector<Element> elements(const Section& array, bool padding = false) {
  const daptor::LocalIndexMap map(array);
  std::vector<Element> list;
  daptor::test::for_each_index(array.local_shape(), [&](const std::vector<Index>& local) {
    Index offset = 0;
    bool owned = true;
    for (std::size_t d = 0; d < local.size(); ++d) {
      offset += local[d] * array.byte_strides()[d];
      owned = owned && map.dimension(static_cast<int>(d)).is_owned(local[d]);
    }
    if (owned || padding) list.push_back({offset, map.natural_of(map.global_of(local))});
  });
  return list;
}

inline PetscScalar& at(const Section& array, Index offset) {
  return *reinterpret_cast<PetscScalar*>(static_cast<char*>(array.mutable_data()) + offset);
}

/// Sets the owned elements to `scale` x (their natural number + 1), all others to -1.
inline void label(const Section& array, double scale = 1) {
  for (const Element& e : elements(array, true)) at(array, e.offset) = -1.0;
  for (const Element& e : elements(array))
    at(array, e.offset) = scale * static_cast<double>(e.natural + 1);
}

/// The sum of the squares of the owned elements of all processes, computed without PETSc.
inline double square_sum(const Section& array) {
  double sum = 0;
  for (const Element& e : elements(array)) {
    const double value = PetscRealPart(at(array, e.offset));
    sum += value * value;
  }
  MPI_Allreduce(MPI_IN_PLACE, &sum, 1, MPI_DOUBLE, MPI_SUM, world);
  return sum;
}

inline double norm_of(Vec vec) {
  PetscReal norm = 0;
  EXPECT_EQ(static_cast<int>(VecNorm(vec, NORM_2, &norm)), 0);
  return static_cast<double>(norm);
}

inline const void* memory_of(Vec vec) {
  const PetscScalar* values = nullptr;
  EXPECT_EQ(static_cast<int>(VecGetArrayRead(vec, &values)), 0);
  const void* const memory = values;
  EXPECT_EQ(static_cast<int>(VecRestoreArrayRead(vec, &values)), 0);
  return memory;
}

/// The Vec lies on the array's owned part. A process that owns nothing is not checked.
inline void expect_on_memory_of(Vec vec, const Section& array) {
  if (array.owned_count() > 0) {
    EXPECT_EQ(memory_of(vec), array.owned_data());
  }
}

/// Names the instances of a suite by their layouts.
struct NameOf {
  template <class Info>
  std::string operator()(const Info& instance) const {
    return instance.param.name;
  }
};

template <class Object>
std::int64_t state_of(Object object) {
  PetscObjectState state = 0;
  EXPECT_EQ(static_cast<int>(PetscObjectStateGet(reinterpret_cast<PetscObject>(object), &state)),
            0);
  return static_cast<std::int64_t>(state);
}

template <class Object>
int references(Object object) {
  PetscInt count = 0;
  EXPECT_EQ(
      static_cast<int>(PetscObjectGetReference(reinterpret_cast<PetscObject>(object), &count)), 0);
  return static_cast<int>(count);
}

/// Equal on all ranks; otherwise a collective call that looks at the state would hang.
template <class Object>
void expect_states_equal(Object object) {
  const std::int64_t state = state_of(object);
  ASSERT_EQ(least(state), greatest(state));
}

/// Memory that counts how often it is released.
struct Tracked {
  std::shared_ptr<std::vector<PetscScalar>> values;
  std::weak_ptr<std::vector<PetscScalar>> watch;

  explicit Tracked(Index count)
      : values(std::make_shared<std::vector<PetscScalar>>(static_cast<std::size_t>(count) + 1)),
        watch(values) {}
  PetscScalar* data() const { return values->data(); }
};

/// An array on memory of its own, and a pointer that tells when the memory is released.
inline std::pair<DistArray, std::weak_ptr<std::vector<PetscScalar>>> tracked(
    std::vector<daptor::Dimension> dimensions, daptor::Order order = daptor::Order::c) {
  Tracked memory(daptor::local_count(dimensions));
  return {daptor::describe(memory.data(), std::move(dimensions), order, memory.values).on(world),
          memory.watch};
}

}  // namespace daptor_test
