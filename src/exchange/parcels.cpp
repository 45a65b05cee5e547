// SPDX-License-Identifier: BSD-3-Clause
#include "exchange/parcels.hpp"

#include <algorithm>
#include <cstdlib>
#include <utility>

#include "exchange/mpi_type.hpp"
#include "exchange/transfer.hpp"
#include "ranks/mpi_duplicate.hpp"

namespace daptor::detail {
namespace {

/// Runs at most this far apart are packed, unless there are very many; docs/halo.md has the
/// measurement.
constexpr Index near_stride = 4096;
constexpr Index most_packed = 160 * 1024;

/// Whether packing by a loop is at least as fast as a derived datatype: short runs on pages that
/// are in use anyway, or runs at irregular distances.
bool better_packed(const MemoryRuns& runs) {
  return runs.irregular() || std::abs(runs.stride()) < near_stride;
}

Parcels::Way way_of(const Parcel& parcel, std::size_t arrays, std::size_t piece) {
  if (parcel.regions.size() * arrays == 1 && parcel.regions.front().contiguous())
    return Parcels::Way::direct;
  Index near = 0;
  bool possible = !parcel.regions.empty();
  for (const MemoryRuns& runs : parcel.regions) {
    if (better_packed(runs) && !runs.contiguous()) near += runs.bytes();
    possible = possible && MpiType::can_hold(runs) && !runs.irregular();
  }
  const Index bytes = parcel.bytes * static_cast<Index>(arrays);
  const bool close = 2 * near > parcel.bytes && bytes <= most_packed;
  if (!possible || close || bytes > static_cast<Index>(piece)) return Parcels::Way::packed;
  return Parcels::Way::derived;
}

}  // namespace

Parcels::Parcels(std::vector<Parcel> parcels, std::size_t arrays, Direction direction,
                 bool buffered, std::byte* buffer, std::size_t piece)
    : parcels_(std::move(parcels)), direction_(direction), piece_(piece) {
  int first = 0;
  for (const Parcel& parcel : parcels_) {
    const Way way = buffered ? Way::packed : way_of(parcel, arrays, piece);
    const std::size_t bytes = static_cast<std::size_t>(parcel.bytes) * arrays;
    const std::size_t pieces = way == Way::derived ? 1 : (bytes + piece - 1) / piece;
    places_.push_back({way, first, static_cast<int>(pieces), buffer});
    first += places_.back().count;
    buffer += bytes;
    if (way == Way::derived && arrays == 1)
      relative_types_.push_back(MpiType::of(parcel.regions, {0}));
  }
  requests_.assign(static_cast<std::size_t>(first), MPI_REQUEST_NULL);
}

void Parcels::add_pieces(std::byte* data, std::size_t bytes, int rank, Bound& bound) const {
  for (std::size_t start = 0; start < bytes; start += piece_)
    bound.posts.push_back(
        {data + start, static_cast<int>(std::min(bytes - start, piece_)), MPI_BYTE, rank});
}

Parcels::Bound Parcels::bound_to(const std::vector<std::byte*>& arrays) const {
  std::vector<MPI_Aint> addresses(arrays.size());
  for (std::size_t i = 0; i < arrays.size(); ++i)
    check_mpi(MPI_Get_address(arrays[i], &addresses[i]), "MPI_Get_address");
  Bound bound;
  auto relative = relative_types_.begin();
  for (std::size_t p = 0; p < parcels_.size(); ++p) {
    const Parcel& parcel = parcels_[p];
    const std::size_t bytes = static_cast<std::size_t>(parcel.bytes) * arrays.size();
    switch (way(p)) {
      case Way::direct:
        add_pieces(arrays.front() + parcel.regions.front().first(), bytes, parcel.rank, bound);
        break;
      case Way::packed:
        add_pieces(packed(p), bytes, parcel.rank, bound);
        break;
      case Way::derived:
        if (arrays.size() == 1) {
          bound.posts.push_back({arrays.front(), 1, (relative++)->get(), parcel.rank});
        } else {
          bound.types.push_back(MpiType::of(parcel.regions, addresses));
          bound.posts.push_back({MPI_BOTTOM, 1, bound.types.back().get(), parcel.rank});
        }
        break;
    }
  }
  return bound;
}

void Parcels::start(std::size_t p, MPI_Comm comm, int tag) {
  const Place& place = places_[p];
  for (int i = place.first; i < place.first + place.count; ++i) {
    const Bound::Post& post = bound_.posts[static_cast<std::size_t>(i)];
    MPI_Request* const request = &requests_[static_cast<std::size_t>(i)];
    if (direction_ == Direction::send)
      check_mpi(MPI_Isend(post.data, post.count, post.type, post.rank, tag, comm, request),
                "MPI_Isend");
    else
      check_mpi(MPI_Irecv(post.data, post.count, post.type, post.rank, tag, comm, request),
                "MPI_Irecv");
  }
}

void Parcels::start_all(MPI_Comm comm, int tag) {
  for (std::size_t p = 0; p < parcels_.size(); ++p) start(p, comm, tag);
}

void Parcels::wait(std::size_t p) {
  const Place& place = places_[p];
  check_mpi(MPI_Waitall(place.count, requests_.data() + place.first, MPI_STATUSES_IGNORE),
            "MPI_Waitall");
}

void Parcels::wait_all() {
  check_mpi(MPI_Waitall(static_cast<int>(requests_.size()), requests_.data(), MPI_STATUSES_IGNORE),
            "MPI_Waitall");
}

void Parcels::cancel() noexcept {
  for (MPI_Request& request : requests_) cancel_request(request, direction_ == Direction::receive);
}

}  // namespace daptor::detail
