// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <utility>
#include <vector>

#include <mpi.h>

#include "exchange/mpi_type.hpp"
#include "exchange/region.hpp"

namespace daptor::detail {

/// The elements that are transferred between this process and another: the same regions, none of
/// them empty, of each array of a batch.
struct Parcel {
  int rank = 0;
  std::vector<MemoryRuns> regions;
  Index bytes = 0;  ///< bytes of one array
};

/// The parcels of one direction, and how each is transferred: directly from or to the array if it
/// consists of a few long runs, otherwise through a buffer.
class Parcels {
 public:
  enum class Direction { send, receive };
  /// How a parcel is transferred.
  enum class Way {
    direct,   ///< one run
    derived,  ///< a derived datatype
    packed    ///< a buffer
  };

  /// `arrays` is the number of arrays in a batch. If `buffered`, all parcels go through the buffer,
  /// which has room for all of their bytes, for each array. Messages longer than `piece` bytes are
  /// sent in pieces.
  Parcels(std::vector<Parcel> parcels, std::size_t arrays, Direction direction, bool buffered,
          std::byte* buffer, std::size_t piece);

  std::size_t size() const { return parcels_.size(); }
  const Parcel& operator[](std::size_t p) const { return parcels_[p]; }
  Way way(std::size_t p) const { return places_[p].way; }
  /// Address of a packed parcel.
  std::byte* packed(std::size_t p) const { return places_[p].packed; }

  /// The arguments of MPI calls for one set of addresses: a message for each piece of each parcel.
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
  /// Makes the arguments for arrays that begin at these addresses. Throws LibraryFailed.
  Bound bound_to(const std::vector<std::byte*>& arrays) const;
  void bind(Bound bound) noexcept { bound_ = std::move(bound); }

  /// Posts the messages of a parcel as plain requests, because persistent requests and
  /// neighbourhood collectives are no faster (docs/halo.md).
  void start(std::size_t p, MPI_Comm comm, int tag);
  void start_all(MPI_Comm comm, int tag);
  void wait(std::size_t p);
  void wait_all();
  /// After a failure of MPI: cancels the pending messages, so that they do not write to memory.
  void cancel() noexcept;

 private:
  std::vector<Parcel> parcels_;
  Direction direction_;
  std::size_t piece_;
  /// The part of a parcel that is needed during a transfer.
  struct Place {
    Way way;
    int first;  // first request
    int count;
    std::byte* packed;
  };
  void add_pieces(std::byte* data, std::size_t bytes, int rank, Bound& bound) const;

  std::vector<Place> places_;
  std::vector<MPI_Request> requests_;
  /// Datatypes of the derived parcels of one array, relative to its address, so that they are valid
  /// for any memory.
  std::vector<MpiType> relative_types_;
  Bound bound_;
};

}  // namespace daptor::detail
