// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <utility>
#include <vector>

#include <mpi.h>

#include "exchange/mpi_type.hpp"
#include "exchange/region.hpp"

namespace daptor::detail {

/// What travels between this process and another: the same regions, none of them empty, of each
/// array of a batch.
struct Parcel {
  int rank = 0;
  std::vector<Runs> regions;
  Index bytes = 0;  ///< of one array
};

/// Parcels that go one way, and how: straight from or to the array where a parcel is few long runs,
/// through a buffer otherwise.
class Parcels {
 public:
  enum class Direction { send, receive };
  /// How a parcel meets the arrays' memory.
  enum class Way {
    direct,   ///< one run
    derived,  ///< a derived datatype
    packed    ///< a buffer
  };

  /// `arrays`: how many a batch has. `buffered`: all parcels go through the buffer, which has room
  /// for the bytes of all of them, of each array. Messages longer than `piece` bytes travel in
  /// pieces.
  Parcels(std::vector<Parcel> parcels, std::size_t arrays, Direction direction, bool buffered,
          std::byte* buffer, std::size_t piece);

  std::size_t size() const { return parcels_.size(); }
  const Parcel& operator[](std::size_t p) const { return parcels_[p]; }
  Way way(std::size_t p) const { return places_[p].way; }
  /// Where a parcel lies packed.
  std::byte* packed(std::size_t p) const { return places_[p].packed; }

  /// What MPI is given for one set of addresses, a message for each piece of each parcel.
  struct Bound {
    struct Post {
      void* data;
      int count;
      MPI_Datatype type;
      int rank;
    };
    std::vector<Post> posts;
    std::vector<MpiType> types;
  };
  /// For arrays that begin at these addresses. Throws LibraryFailed.
  Bound bound_to(const std::vector<std::byte*>& arrays) const;
  void bind(Bound bound) noexcept { bound_ = std::move(bound); }

  /// Posts the messages of a parcel. Plain requests: persistent ones and neighbourhood collectives
  /// are no faster (docs/halo.md).
  void start(std::size_t p, MPI_Comm comm, int tag);
  void start_all(MPI_Comm comm, int tag);
  void wait(std::size_t p);
  void wait_all();
  /// After a failure of MPI: nothing is written any more by what was received and did not arrive.
  void cancel() noexcept;

 private:
  std::vector<Parcel> parcels_;
  Direction direction_;
  std::size_t piece_;
  /// Of a parcel what an exchange looks at.
  struct Place {
    Way way;
    int first;  // request
    int count;
    std::byte* packed;
  };
  void add_pieces(std::byte* data, std::size_t bytes, int rank, Bound& bound) const;

  std::vector<Place> places_;
  std::vector<MPI_Request> requests_;
  /// Datatypes of the derived parcels of one array, relative to it: good for any memory.
  std::vector<MpiType> relative_types_;
  Bound bound_;
};

}  // namespace daptor::detail
