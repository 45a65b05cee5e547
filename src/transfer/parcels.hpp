#pragma once

#include <cstddef>
#include <utility>
#include <vector>

#include <mpi.h>

#include "transfer/region.hpp"

namespace daptor::detail {

/// What travels between this process and another: the same regions of each array of a batch.
struct Parcel {
  int rank = 0;
  std::vector<Runs> regions;
  Index bytes = 0;  ///< of one array
};

/// Persistent requests of MPI, freed with this object.
class Requests {
 public:
  Requests() = default;
  Requests(Requests&&) noexcept;
  Requests& operator=(Requests&&) noexcept;
  ~Requests() { free(); }

  /// A place for one more.
  MPI_Request* add();
  int size() const { return static_cast<int>(requests_.size()); }
  MPI_Request* data() { return requests_.data(); }

 private:
  void free() noexcept;
  std::vector<MPI_Request> requests_;
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
  /// for `bytes(parcels)` of each array. Messages longer than `piece` bytes travel in pieces.
  Parcels(std::vector<Parcel> parcels, std::size_t arrays, Direction direction, bool buffered,
          std::byte* buffer, std::size_t piece);

  std::size_t size() const { return parcels_.size(); }
  const Parcel& operator[](std::size_t p) const { return parcels_[p]; }
  Way way(std::size_t p) const { return places_[p].way; }
  /// Where a parcel lies packed.
  std::byte* packed(std::size_t p) const { return places_[p].packed; }

  /// Makes the requests for arrays that begin at these addresses. Throws LibraryFailed.
  Requests requests_for(const std::vector<std::byte*>& arrays, MPI_Comm comm, int tag) const;
  void bind(Requests requests) noexcept { requests_ = std::move(requests); }

  void start(std::size_t p);
  void start_all();
  void wait(std::size_t p);
  void wait_all();

 private:
  class Binding;

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
  std::vector<Place> places_;
  Requests requests_;
};

/// Bytes of all parcels, of one array.
Index total_bytes(const std::vector<Parcel>& parcels);

}  // namespace daptor::detail
