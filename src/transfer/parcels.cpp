#include "transfer/parcels.hpp"

#include <algorithm>
#include <cstdlib>
#include <utility>

#include "mpi_duplicate.hpp"
#include "transfer/mpi_type.hpp"

namespace daptor::detail {
namespace {

/// Runs this close are packed where there are not too many: docs/halo.md has the measurement.
constexpr Index near_stride = 4096;
constexpr Index most_packed = 160 * 1024;

/// Where a derived datatype gains nothing over a loop: little at a time from pages that are in use
/// anyway, or no regular distance.
bool better_packed(const Runs& runs) {
  return runs.irregular() || std::abs(runs.stride()) < near_stride;
}

Parcels::Way way_of(const Parcel& parcel, std::size_t arrays, std::size_t piece) {
  Index near = 0;
  bool possible = true;
  std::size_t regions = 0;
  for (const Runs& runs : parcel.regions) {
    if (runs.bytes() == 0) continue;
    ++regions;
    if (better_packed(runs) && !runs.contiguous()) near += runs.bytes();
    possible = possible && MpiType::can_hold(runs) && !runs.irregular();
  }
  const Index bytes = parcel.bytes * static_cast<Index>(arrays);
  if (regions * arrays == 1 && parcel.bytes == parcel.regions.front().run_bytes())
    return Parcels::Way::direct;
  const bool close = 2 * near > parcel.bytes && bytes <= most_packed;
  if (!possible || close || bytes == 0 || bytes > static_cast<Index>(piece))
    return Parcels::Way::packed;
  return Parcels::Way::derived;
}

}  // namespace

Index total_bytes(const std::vector<Parcel>& parcels) {
  Index bytes = 0;
  for (const Parcel& parcel : parcels) bytes += parcel.bytes;
  return bytes;
}

Requests::Requests(Requests&& other) noexcept : requests_(std::move(other.requests_)) {
  other.requests_.clear();
}

Requests& Requests::operator=(Requests&& other) noexcept {
  if (this == &other) return *this;
  free();
  requests_ = std::move(other.requests_);
  other.requests_.clear();
  return *this;
}

MPI_Request* Requests::add() {
  requests_.push_back(MPI_REQUEST_NULL);
  return &requests_.back();
}

void Requests::free() noexcept {
  int finalized = 0;
  MPI_Finalized(&finalized);
  if (finalized == 0)
    for (MPI_Request& request : requests_)
      if (request != MPI_REQUEST_NULL) MPI_Request_free(&request);
  requests_.clear();
}

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
  }
}

/// The making of requests for one set of addresses.
class Parcels::Binding {
 public:
  Binding(const Parcels& parcels, const std::vector<std::byte*>& arrays, MPI_Comm comm, int tag)
      : all_(parcels), arrays_(arrays), comm_(comm), tag_(tag) {}

  void add(std::size_t p) {
    switch (all_.way(p)) {
      case Way::direct:
        bytes(only_run(p), p);
        break;
      case Way::derived:
        derived(p);
        break;
      case Way::packed:
        bytes(all_.packed(p), p);
        break;
    }
  }

  Requests requests;

 private:
  std::byte* only_run(std::size_t p) const {
    for (const Runs& runs : all_[p].regions)
      if (runs.bytes() > 0) return arrays_.front() + runs.first();
    return nullptr;
  }

  void bytes(std::byte* data, std::size_t p) {
    const std::size_t all = static_cast<std::size_t>(all_[p].bytes) * arrays_.size();
    for (std::size_t start = 0; start < all; start += all_.piece_)
      one(data + start, static_cast<int>(std::min(all - start, all_.piece_)), MPI_BYTE, p);
  }

  void derived(std::size_t p) {
    const MpiType type = MpiType::of(all_[p].regions, arrays_);
    one(MPI_BOTTOM, 1, type.get(), p);
  }

  void one(void* data, int count, MPI_Datatype type, std::size_t p) {
    MPI_Request* const request = requests.add();
    const int rank = all_[p].rank;
    if (all_.direction_ == Direction::send)
      check_mpi(MPI_Send_init(data, count, type, rank, tag_, comm_, request), "MPI_Send_init");
    else
      check_mpi(MPI_Recv_init(data, count, type, rank, tag_, comm_, request), "MPI_Recv_init");
  }

  const Parcels& all_;
  const std::vector<std::byte*>& arrays_;
  MPI_Comm comm_;
  int tag_;
};

Requests Parcels::requests_for(const std::vector<std::byte*>& arrays, MPI_Comm comm,
                               int tag) const {
  Binding binding(*this, arrays, comm, tag);
  for (std::size_t p = 0; p < parcels_.size(); ++p) binding.add(p);
  return std::move(binding.requests);
}

void Parcels::start(std::size_t p) {
  const Place& place = places_[p];
  if (place.count > 0)
    check_mpi(MPI_Startall(place.count, requests_.data() + place.first), "MPI_Startall");
}

void Parcels::start_all() {
  if (requests_.size() > 0)
    check_mpi(MPI_Startall(requests_.size(), requests_.data()), "MPI_Startall");
}

void Parcels::wait(std::size_t p) {
  const Place& place = places_[p];
  check_mpi(MPI_Waitall(place.count, requests_.data() + place.first, MPI_STATUSES_IGNORE),
            "MPI_Waitall");
}

void Parcels::wait_all() {
  check_mpi(MPI_Waitall(requests_.size(), requests_.data(), MPI_STATUSES_IGNORE), "MPI_Waitall");
}

}  // namespace daptor::detail
