// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// A producer as a project would write it, with the C interface, and the faults that it can have.

#include <mpi.h>

#include <cstdint>
#include <memory>
#include <stdexcept>
#include <utility>
#include <vector>

#include "daptor/conformance.hpp"
#include "daptor/daptor.hpp"

namespace daptor::test {

enum class Fault {
  none,
  communicates_in_export,
  copies,              ///< each export is a copy
  copies_back,         ///< the same, but written back by `modified`
  detached,            ///< all exports share memory that is not the producer's
  ignores_own_writes,  ///< the producer's own writes go to other memory
  keeps_release,       ///< release does not mark the struct
  communicates_in_release,
  exports_once,          ///< a second export fails while the first one exists
  changes_description,   ///< a second export describes other elements
  breaks_other_exports,  ///< a release takes the memory from other exports
  dies_with_producer,    ///< exports lose their memory when the producer is destroyed
  dies_with_consumer,    ///< the producer loses its data when all exports are released
  wrong_labels,          ///< elements are in another order than described
  flickers,              ///< every other export is read-only
  opens_for_writing,     ///< read-only, but opened for writing
  misses_process         ///< the grid has one process more than there are
};

/// The rows of an n x 3 array, four on each process, in C order; each element is its global number.
class Field {
 public:
  static constexpr Index columns = 3;
  static constexpr Index rows_here = 4;

  Field(int rank, int size, Fault fault) : rank_(rank), size_(size), fault_(fault) {
    for (Index i = 0; i < rows_here * columns; ++i)
      cells_.push_back(static_cast<double>(rank * rows_here * columns + i));
    if (fault == Fault::wrong_labels) std::swap(cells_[1], cells_[columns]);
    shared_ = std::make_shared<std::vector<double>>(cells_);
  }

  /// Describes the field in `*out`. `self` keeps it alive.
  static void fill(const std::shared_ptr<Field>& self, daptor_array* out);

  double& at(const std::vector<Index>& local) {
    std::vector<double>& cells = fault_ == Fault::detached ? cells_ : *shared_;
    return cells[static_cast<std::size_t>(local[0] * columns + local[1])];
  }
  void set(const std::vector<Index>& local, double value) {
    if (fault_ != Fault::ignores_own_writes) at(local) = value;
  }

  void destroy() {
    if (fault_ == Fault::dies_with_producer) poison(*shared_);
  }

 private:
  struct Section {
    std::shared_ptr<Field> field;
    std::shared_ptr<std::vector<double>> cells;
    std::int64_t shape[2];
    daptor_dimension dimensions[2];
  };

  static Section& section(daptor_array* self) { return *static_cast<Section*>(self->private_data); }
  static void poison(std::vector<double>& cells) {
    for (double& cell : cells) cell = -1e300;
  }

  static void release(daptor_array* self) {
    Field& field = *section(self).field;
    --field.out_;
    if (field.fault_ == Fault::breaks_other_exports && field.out_ > 0) poison(*field.shared_);
    if (field.fault_ == Fault::dies_with_consumer && field.out_ == 0) poison(*field.shared_);
    if (field.fault_ == Fault::communicates_in_release) MPI_Barrier(MPI_COMM_SELF);
    const bool keeps = field.fault_ == Fault::keeps_release;
    delete &section(self);
    if (!keeps) self->release = nullptr;
  }
  static std::int32_t modified(daptor_array* self) {
    Section& mine = section(self);
    if (mine.field->fault_ == Fault::copies_back) *mine.field->shared_ = *mine.cells;
    return DAPTOR_OK;
  }
  static std::int32_t begin(daptor_array* self, std::int32_t access) {
    const bool refused = access == DAPTOR_WRITE && (self->flags & DAPTOR_READ_ONLY) != 0 &&
                         section(self).field->fault_ != Fault::opens_for_writing;
    return refused ? DAPTOR_FAILED : DAPTOR_OK;
  }
  static void end(daptor_array*, std::int32_t) {}

  bool read_only() const {
    return fault_ == Fault::opens_for_writing || (fault_ == Fault::flickers && exports_ % 2 == 1);
  }

  int rank_, size_;
  Fault fault_;
  std::vector<double> cells_;
  std::shared_ptr<std::vector<double>> shared_;
  int exports_ = 0;
  int out_ = 0;
};

inline void Field::fill(const std::shared_ptr<Field>& self, daptor_array* out) {
  Field& field = *self;
  const Fault fault = field.fault_;
  if (fault == Fault::exports_once && field.out_ > 0) throw std::runtime_error("one at a time");
  if (fault == Fault::communicates_in_export) MPI_Barrier(MPI_COMM_WORLD);
  ++field.exports_;
  ++field.out_;
  auto cells = field.shared_;
  if (fault == Fault::copies || fault == Fault::copies_back)
    cells = std::make_shared<std::vector<double>>(*cells);
  const int processes = field.size_ + (fault == Fault::misses_process ? 1 : 0);
  const Index start = field.rank_ * rows_here;
  auto* section = new Section{
      self,
      cells,
      {rows_here, columns},
      {daptor_block(processes * rows_here, processes, field.rank_, start, start + rows_here),
       daptor_undistributed(columns)}};
  if (fault == Fault::changes_description && field.out_ > 1)
    section->shape[1] = section->dimensions[1].size = columns - 1;
  daptor_array_init(out, "d", sizeof(double), 2, section->shape, section->dimensions,
                    cells->data());
  out->private_data = section;
  out->release = release;
  out->modified = modified;
  out->begin_access = begin;
  out->end_access = end;
  if (field.read_only()) out->flags = DAPTOR_READ_ONLY;
}

/// A candidate with all that is known about the producer.
inline conformance::Candidate field_candidate(MPI_Comm comm, Fault fault) {
  int rank = 0;
  int size = 1;
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &size);
  auto field = std::make_shared<Field>(rank, size, fault);
  conformance::Candidate candidate;
  candidate.describe = [field](daptor_array* out) { Field::fill(field, out); };
  candidate.destroy = [field] { field->destroy(); };
  candidate.read = [field](const std::vector<Index>& local) { return field->at(local); };
  candidate.write = [field](const std::vector<Index>& local, double value) {
    field->set(local, value);
  };
  return candidate;
}

inline conformance::Subject field_subject(Fault fault) {
  return [fault](MPI_Comm comm) { return field_candidate(comm, fault); };
}

}  // namespace daptor::test
