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

/// Longer single runs of memory are sent from where they are: then the other rank may receive them
/// where they belong.
constexpr std::size_t most_shared_run = 32 * 1024;
/// Of longer messages MPI packs and unpacks pieces at the same time, which takes less time than one
/// after the other.
constexpr std::size_t most_shared_bytes = 256 * 1024;
/// And so it does of distant runs that are shorter on average.
constexpr Index least_shared_run = 256;

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

Parcels::Parcels(std::vector<Parcel> parcels, Direction direction, const ParcelsOptions& options)
    : parcels_(std::move(parcels)),
      arrays_(options.arrays),
      direction_(direction),
      piece_(options.piece),
      node_(options.node),
      relative_types_(parcels_.size()) {
  int first = 0;
  std::byte* buffer = options.buffer;
  for (std::size_t p = 0; p < parcels_.size(); ++p) {
    const Way way =
        options.buffered ? Way::packed : way_of(parcels_[p], options.arrays, options.piece);
    const std::size_t bytes = bytes_of(p);
    const std::size_t pieces = way == Way::derived ? 1 : (bytes + piece_ - 1) / piece_;
    handlings_.push_back({way, first, static_cast<int>(pieces), buffer});
    first += handlings_.back().count;
    buffer += bytes;
    if (direction_ == Direction::send && may_be_in_pages(p)) offer_pages(p);
    if (handlings_.back().way == Way::derived && options.arrays == 1)
      relative_types_[p].emplace(MpiType::of(parcels_[p].regions, {0}));
  }
  requests_.assign(static_cast<std::size_t>(first), MPI_REQUEST_NULL);
}

Parcels::~Parcels() {
  for (const SharedParcel& parcel : shared_)
    for (const Place& place : parcel.places) node_->outbox().give_back(place);
}

bool Parcels::may_be_in_pages(std::size_t p) const {
  const std::size_t bytes = bytes_of(p);
  return node_ != nullptr && bytes >= least_shared_bytes && bytes <= most_shared_bytes &&
         bytes <= piece_ && node_->shares_with(parcels_[p].rank);
}

/// Takes places for a parcel to be sent, if it is quicker in pages and there is room.
void Parcels::offer_pages(std::size_t p) {
  Handling& handling = handlings_[p];
  const bool long_run = handling.way == Way::direct && bytes_of(p) > most_shared_run;
  Index runs = 0;
  for (const MemoryRuns& region : parcels_[p].regions) runs += region.number();
  const bool short_runs =
      handling.way == Way::derived && parcels_[p].bytes < runs * least_shared_run;
  if (long_run || short_runs) return;
  SharedParcel shared{bytes_of(p), {}};
  for (Place& place : shared.places) place = node_->outbox().take(shared.bytes);
  if (!shared.places[0] || !shared.places[1]) {
    for (const Place& place : shared.places) node_->outbox().give_back(place);
    return;
  }
  handling.way = Way::packed;
  handling.shared = shared_.size();
  shared_.push_back(shared);
}

void Parcels::expect_pages(std::size_t p) {
  handlings_[p].way = Way::packed;
  handlings_[p].shared = shared_.size();
  shared_.push_back({bytes_of(p), {}});
}

std::byte* Parcels::room(std::size_t p) {
  const Handling& handling = handlings_[p];
  if (handling.shared == none) return handling.packed;
  SharedParcel& shared = shared_[handling.shared];
  shared.turn = 1 - shared.turn;
  const Place& place = shared.places[shared.turn];
  shared.by_letter = place.empty();
  return shared.by_letter ? place.data() : handling.packed;
}

bool Parcels::in_pages(std::size_t p) const {
  const std::size_t shared = handlings_[p].shared;
  return shared != none && shared_[shared].arrival;
}

const std::byte* Parcels::arrived(std::size_t p) const {
  if (in_pages(p)) return shared_[handlings_[p].shared].arrival->data();
  return way(p) == Way::packed ? handlings_[p].packed : nullptr;
}

void Parcels::read(std::size_t p) const {
  if (in_pages(p)) shared_[handlings_[p].shared].arrival->done();
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
  for (std::size_t p = 0; p < parcels_.size(); ++p) {
    const Parcel& parcel = parcels_[p];
    const std::size_t bytes = static_cast<std::size_t>(parcel.bytes) * arrays.size();
    switch (way(p)) {
      case Way::direct:
        add_pieces(arrays.front() + parcel.regions.front().first(), bytes, parcel.rank, bound);
        break;
      case Way::packed:
        add_pieces(handlings_[p].packed, bytes, parcel.rank, bound);
        break;
      case Way::derived:
        if (arrays.size() == 1) {
          bound.posts.push_back({arrays.front(), 1, relative_types_[p]->get(), parcel.rank});
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
  const Handling& handling = handlings_[p];
  if (handling.shared != none && shared_[handling.shared].by_letter)
    return start_letter(p, comm, tag);
  for (int i = handling.first; i < handling.first + handling.count; ++i) {
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

void Parcels::start_letter(std::size_t p, MPI_Comm comm, int tag) {
  const Handling& handling = handlings_[p];
  SharedParcel& shared = shared_[handling.shared];
  shared.letter = shared.places[shared.turn].filled();
  check_mpi(MPI_Isend(&shared.letter, sizeof shared.letter, MPI_BYTE, parcels_[p].rank, tag, comm,
                      &requests_[static_cast<std::size_t>(handling.first)]),
            "MPI_Isend");
}

void Parcels::start_all(MPI_Comm comm, int tag) {
  for (std::size_t p = 0; p < parcels_.size(); ++p) start(p, comm, tag);
}

void Parcels::wait(std::size_t p) {
  const Handling& handling = handlings_[p];
  MPI_Request* const first = requests_.data() + handling.first;
  if (handling.shared == none) {
    check_mpi(MPI_Waitall(handling.count, first, MPI_STATUSES_IGNORE), "MPI_Waitall");
    return;
  }
  SharedParcel& shared = shared_[handling.shared];
  MPI_Status status;
  check_mpi(MPI_Wait(first, &status), "MPI_Wait");
  shared.arrival =
      node_->arrival(parcels_[p].rank, status,
                     bound_.posts[static_cast<std::size_t>(handling.first)].data, shared.bytes);
}

void Parcels::wait_all() {
  check_mpi(MPI_Waitall(static_cast<int>(requests_.size()), requests_.data(), MPI_STATUSES_IGNORE),
            "MPI_Waitall");
}

void Parcels::cancel() noexcept {
  for (MPI_Request& request : requests_) cancel_request(request, direction_ == Direction::receive);
}

}  // namespace daptor::detail
