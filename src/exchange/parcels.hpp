// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include <mpi.h>

#include "exchange/mpi_type.hpp"
#include "exchange/node.hpp"
#include "exchange/region.hpp"

namespace daptor::detail {

/// The elements that are transferred between this process and another: the same regions, none of
/// them empty, of each array of a batch.
struct Parcel {
  int rank = 0;
  std::vector<MemoryRuns> regions;
  Index bytes = 0;  ///< bytes of one array
};

/// How the parcels of one direction are transferred.
struct ParcelsOptions {
  std::size_t arrays = 1;  ///< number of arrays in a batch
  /// All parcels go through the buffer.
  bool buffered = false;
  /// Has room for all bytes of all parcels, for each array.
  std::byte* buffer = nullptr;
  /// Longer messages are sent in pieces.
  std::size_t piece = 0;
  /// The ranks with which this one shares pages; null for none.
  std::shared_ptr<const Node> node = nullptr;
};

/// The parcels of one direction, and how each is transferred: directly from or to the array if it
/// consists of a few long runs, otherwise through a buffer.
///
/// For a rank with which this one shares pages, a parcel can be packed there, and the message says
/// where. Two places take turns, so that one can be filled before the other has been read. If the
/// one whose turn it is has not been read, which is so if the other rank is two exchanges behind,
/// the message has the elements in it. Which of the two it has, its length tells.
///
/// Both ranks know which parcels can be in pages. The one that sends says which are, once: it knows
/// whether there is room, and whether MPI is quicker for elements that lie as its own do.
class Parcels {
 public:
  enum class Direction { send, receive };
  /// How a parcel is transferred.
  enum class Way {
    direct,   ///< one run
    derived,  ///< a derived datatype
    packed    ///< a buffer
  };

  Parcels(std::vector<Parcel> parcels, Direction direction, const ParcelsOptions& options);
  Parcels(const Parcels&) = delete;
  Parcels& operator=(const Parcels&) = delete;
  ~Parcels();

  /// Whether both ranks expect to be told, or to tell, that a parcel is in pages.
  bool may_be_in_pages(std::size_t p) const;
  /// Whether a parcel to be sent is.
  bool uses_pages(std::size_t p) const { return handlings_[p].shared != none; }
  /// The sender of a parcel says that it is. The addresses have to be bound anew.
  void expect_pages(std::size_t p);

  std::size_t size() const { return parcels_.size(); }
  const Parcel& operator[](std::size_t p) const { return parcels_[p]; }
  Way way(std::size_t p) const { return handlings_[p].way; }
  /// Where a packed parcel goes that is started next.
  std::byte* room(std::size_t p);
  /// Where the elements of a received parcel are: null if they are in the array.
  const std::byte* arrived(std::size_t p) const;
  /// Whether they are in pages of the sender, which cannot go on before `read`.
  bool in_pages(std::size_t p) const;
  /// Says that the elements that have arrived are not needed any more.
  void read(std::size_t p) const;

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
  std::size_t arrays_;
  Direction direction_;
  std::size_t piece_;
  static constexpr std::size_t none = static_cast<std::size_t>(-1);
  /// The part of a parcel that is needed during a transfer.
  struct Handling {
    Way way;
    int first;  // first request
    int count;
    std::byte* packed;
    std::size_t shared = none;  // position in shared_
  };
  /// Of a parcel for, or from, a rank with which this one shares pages.
  struct SharedParcel {
    std::size_t bytes;
    std::array<Place, 2> places;  // of a parcel to be sent
    std::size_t turn = 0;
    Letter letter{};
    bool by_letter = false;
    std::optional<Arrival> arrival = std::nullopt;
  };
  std::size_t bytes_of(std::size_t p) const {
    return static_cast<std::size_t>(parcels_[p].bytes) * arrays_;
  }
  void offer_pages(std::size_t p);
  void start_letter(std::size_t p, MPI_Comm comm, int tag);
  void add_pieces(std::byte* data, std::size_t bytes, int rank, Bound& bound) const;

  std::vector<Handling> handlings_;
  std::shared_ptr<const Node> node_;
  std::vector<SharedParcel> shared_;
  std::vector<MPI_Request> requests_;
  /// For each parcel, if it is derived and of one array: its datatype relative to the array's
  /// address, so that it is valid for any memory.
  std::vector<std::optional<MpiType>> relative_types_;
  Bound bound_;
};

}  // namespace daptor::detail
