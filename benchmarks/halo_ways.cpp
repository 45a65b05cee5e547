// SPDX-License-Identifier: BSD-3-Clause
// Measures what the rule of docs/halo.md is based on: sending a face by a derived datatype or
// packed by a loop, and posting the same message in four ways.

#include <algorithm>
#include <array>
#include <cstring>
#include <string>
#include <vector>

#include "groups.hpp"
#include "native.hpp"
#include "support/cold.hpp"
#include "support/pairs.hpp"

namespace bench {
namespace {

/// `count` runs of `run` bytes each, which begin `stride` bytes apart.
struct Face {
  int count, run, stride;
  std::string text() const {
    return std::to_string(count) + " x " + std::to_string(run) + " | " + std::to_string(stride);
  }
};

/// Two faces side by side in memory, one to send and one to receive.
class TwoFaces {
 public:
  TwoFaces(const Face& face, int peer, MPI_Comm comm)
      : face_(face),
        peer_(peer),
        comm_(comm),
        memory_(static_cast<std::size_t>(face.count + 1) * static_cast<std::size_t>(face.stride) +
                2 * static_cast<std::size_t>(face.run)),
        out_(static_cast<std::size_t>(face.count * face.run)),
        in_(out_.size()) {
    MPI_Type_create_hvector(face.count, face.run, face.stride, MPI_BYTE, &type_);
    MPI_Type_commit(&type_);
  }
  TwoFaces(const TwoFaces&) = delete;
  TwoFaces& operator=(const TwoFaces&) = delete;
  ~TwoFaces() { MPI_Type_free(&type_); }

  char* sent() { return memory_.data(); }
  char* received() { return memory_.data() + face_.run; }
  MPI_Datatype type() const { return type_; }

  void by_type() {
    std::array<MPI_Request, 2> requests;
    MPI_Irecv(received(), 1, type_, peer_, 0, comm_, &requests[0]);
    MPI_Isend(sent(), 1, type_, peer_, 0, comm_, &requests[1]);
    MPI_Waitall(2, requests.data(), MPI_STATUSES_IGNORE);
  }
  void packed() {
    std::array<MPI_Request, 2> requests;
    const int bytes = static_cast<int>(in_.size());
    MPI_Irecv(in_.data(), bytes, MPI_BYTE, peer_, 0, comm_, &requests[0]);
    move<true>();
    MPI_Isend(out_.data(), bytes, MPI_BYTE, peer_, 0, comm_, &requests[1]);
    MPI_Waitall(2, requests.data(), MPI_STATUSES_IGNORE);
    move<false>();
  }

 private:
  /// Like the library's own loops: the compiler knows the length of a short run.
  template <bool Pack>
  void move() {
    switch (face_.run) {
      case 8:
        return move_runs<Pack, 8>();
      case 24:
        return move_runs<Pack, 24>();
      case 48:
        return move_runs<Pack, 48>();
      case 64:
        return move_runs<Pack, 64>();
      default:
        return move_runs<Pack, 0>();
    }
  }
  template <bool Pack, int Known>
  void move_runs() {
    const int size = Known > 0 ? Known : face_.run;
    char* packed = Pack ? out_.data() : in_.data();
    char* strided = Pack ? sent() : received();
    for (int i = 0; i < face_.count; ++i, packed += size, strided += face_.stride)
      std::memcpy(Pack ? packed : strided, Pack ? strided : packed,
                  static_cast<std::size_t>(Known > 0 ? Known : size));
  }

  Face face_;
  int peer_;
  MPI_Comm comm_;
  std::vector<char> memory_, out_, in_;
  MPI_Datatype type_ = MPI_DATATYPE_NULL;
};

void ways(MPI_Comm comm, int peer, bool quick) {
  const Table table(comm, "A face by datatype and packed",
                    {"runs x bytes", "distance", "cache", "by type", "packed", "type to packed"});
  for (const bool cold : {false, true})
    for (const Face& face : {Face{2000, 8, 16016},
                             {2000, 48, 48048},
                             {128, 1024, 132096},
                             {128, 6144, 399360},
                             {500, 8, 1040},
                             {4000, 8, 1040},
                             {16384, 8, 1032},
                             {4000, 24, 1040},
                             {8000, 24, 1040},
                             {16384, 24, 3096},
                             {16384, 64, 1040}}) {
      TwoFaces faces(face, peer, comm);
      const int batch = cold ? 1 : 20;
      const Pairs pairs = alternate_timed(
          comm, {quick ? 5 : 21, batch, 2},
          [&] {
            return timed(
                comm, [&] { faces.by_type(); }, cold, batch);
          },
          [&] {
            return timed(
                comm, [&] { faces.packed(); }, cold, batch);
          });
      table.row({face.text(), cold ? "cold" : "warm", time_text(quartiles(pairs.ours)),
                 time_text(quartiles(pairs.theirs)), ratio_text(pairs.ratio())});
    }
}

/// Compares the ways of posting a message with plain MPI_Isend and MPI_Irecv.
void posts(MPI_Comm comm, int peer, bool quick) {
  const Table table(comm, "One message each way, to plain MPI_Isend and MPI_Irecv",
                    {"runs x bytes", "distance", "plain", "persistent", "MPI_Neighbor_alltoallw",
                     "MPI_Ineighbor_alltoallw"});
  MPI_Comm graph = MPI_COMM_NULL;
  MPI_Dist_graph_create_adjacent(comm, 1, &peer, MPI_UNWEIGHTED, 1, &peer, MPI_UNWEIGHTED,
                                 MPI_INFO_NULL, 0, &graph);
  for (const Face& face : {Face{1, 8, 8}, {1, 16384, 16384}, {2000, 8, 16016}}) {
    TwoFaces faces(face, peer, comm);
    const Effort effort{quick ? 5 : 41, 50, 3};
    const auto plain = [&] { faces.by_type(); };
    std::array<MPI_Request, 2> kept;
    MPI_Recv_init(faces.received(), 1, faces.type(), peer, 1, comm, &kept[0]);
    MPI_Send_init(faces.sent(), 1, faces.type(), peer, 1, comm, &kept[1]);
    const Pairs persistent = alternate(
        comm, effort,
        [&] {
          MPI_Startall(2, kept.data());
          MPI_Waitall(2, kept.data(), MPI_STATUSES_IGNORE);
        },
        plain);
    const int one = 1;
    const MPI_Aint zero = 0;
    const MPI_Datatype type = faces.type();
    const Pairs neighbour = alternate(
        comm, effort,
        [&] {
          MPI_Neighbor_alltoallw(faces.sent(), &one, &zero, &type, faces.received(), &one, &zero,
                                 &type, graph);
        },
        plain);
    const Pairs nonblocking = alternate(
        comm, effort,
        [&] {
          MPI_Request request = MPI_REQUEST_NULL;
          MPI_Ineighbor_alltoallw(faces.sent(), &one, &zero, &type, faces.received(), &one, &zero,
                                  &type, graph, &request);
          MPI_Wait(&request, MPI_STATUS_IGNORE);
        },
        plain);
    for (MPI_Request& request : kept) MPI_Request_free(&request);
    table.row({face.text(), time_text(quartiles(persistent.theirs)), ratio_text(persistent.ratio()),
               ratio_text(neighbour.ratio()), ratio_text(nonblocking.ratio())});
  }
  MPI_Comm_free(&graph);
}

}  // namespace

void halo_ways(MPI_Comm comm, bool quick) {
  const Ranks ranks(comm);
  if (ranks.size != 2) return;
  ways(comm, 1 - ranks.rank, quick);
  posts(comm, 1 - ranks.rank, quick);
}

}  // namespace bench
