// SPDX-License-Identifier: BSD-3-Clause
// Times enumerate, the segmented scans, pack and unpack beside a copy of the local part and beside
// a loop that somebody would write for the local part alone.

#include <cstring>
#include <functional>
#include <random>
#include <string>
#include <vector>

#include <daptor/builders.hpp>
#include <daptor/enumerate.hpp>
#include <daptor/pack.hpp>
#include <daptor/scan.hpp>

#include "groups.hpp"
#include "support/pairs.hpp"

namespace bench {
namespace {

/// Arrays of 10 million elements in even blocks; the mask is set at random.
template <class T>
struct Operands {
  Operands(MPI_Comm comm, daptor::Index size, unsigned every) {
    int rank = 0, ranks = 1;
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &ranks);
    const daptor::Dimension dimension = daptor::block(size, {ranks, rank});
    const auto count = static_cast<std::size_t>(dimension.owned_count());
    from.assign(count, T(1));
    to.assign(count, T(0));
    bits.resize(count);
    std::mt19937 random(static_cast<unsigned>(rank) + 1);
    for (std::int32_t& bit : bits) bit = random() % every == 0 ? 1 : 0;
    if (rank == 0) bits[0] = 1;
    source = daptor::describe(from, {dimension}).on(comm);
    target = daptor::describe(to, {dimension}).on(comm);
    mask = daptor::describe(bits, {dimension}).on(comm);
    packed = daptor::packed(source, mask);
  }

  std::vector<T> from, to;
  std::vector<std::int32_t> bits;
  daptor::DistArray source, target, mask, packed;
};

/// The local part by a loop, without the other ranks.
template <class T>
struct ByHand {
  static void enumerate(Operands<T>& a) {
    T* const to = a.to.data();
    const auto count = static_cast<int>(a.to.size());
    for (int i = 0; i < count; ++i) to[i] = T(1) + static_cast<T>(i) * T(2);
  }
  static void scan_copy(Operands<T>& a) {
    T last{};
    for (std::size_t i = 0; i < a.to.size(); ++i) {
      if (a.bits[i] != 0) last = a.from[i];
      a.to[i] = last;
    }
  }
  static void scan_add(Operands<T>& a) {
    T sum{};
    for (std::size_t i = 0; i < a.to.size(); ++i) {
      sum = a.bits[i] != 0 ? a.from[i] : sum + a.from[i];
      a.to[i] = sum;
    }
  }
  static void exclusive_scan_add(Operands<T>& a) {
    T sum{};
    for (std::size_t i = 0; i < a.to.size(); ++i) {
      if (a.bits[i] != 0) sum = T(0);
      a.to[i] = sum;
      sum = static_cast<T>(sum + a.from[i]);
    }
  }
  static void pack(Operands<T>& a) {
    std::size_t next = 0;
    for (std::size_t i = 0; i < a.to.size(); ++i)
      if (a.bits[i] != 0) a.to[next++] = a.from[i];
  }
  static void unpack(Operands<T>& a) {
    std::size_t next = 0;
    for (std::size_t i = 0; i < a.to.size(); ++i)
      if (a.bits[i] != 0) a.to[i] = a.from[next++];
  }
};

template <class T>
struct Case {
  const char* name;
  double goal;
  std::function<void(Operands<T>&)> ours;
  void (*by_hand)(Operands<T>&);
};

template <class T>
std::vector<Case<T>> cases() {
  using O = Operands<T>&;
  daptor::ScanOptions exclusive;
  exclusive.exclusive = true;
  return {{"enumerate", 1, [](O a) { daptor::enumerate(a.target, 1, 2); }, ByHand<T>::enumerate},
          {"scan_copy", 2, [](O a) { daptor::scan_copy(a.source, a.target, a.mask); },
           ByHand<T>::scan_copy},
          {"scan_add", 2, [](O a) { daptor::scan_add(a.source, a.target, a.mask); },
           ByHand<T>::scan_add},
          {"scan_add, exclusive", 2,
           [exclusive](O a) { daptor::scan_add(a.source, a.target, a.mask, exclusive); },
           ByHand<T>::exclusive_scan_add},
          {"pack to an array of the marked elements", 1.5,
           [](O a) { daptor::pack(a.source, a.mask, a.packed); }, ByHand<T>::pack},
          {"pack to an array of the source's size", 1.5,
           [](O a) { daptor::pack(a.source, a.mask, a.target); }, ByHand<T>::pack},
          {"unpack from an array of the marked elements", 1.5,
           [](O a) { daptor::unpack(a.packed, a.mask, a.target); }, ByHand<T>::unpack},
          {"unpack from an array of the target's size", 1.5,
           [](O a) { daptor::unpack(a.source, a.mask, a.target); }, ByHand<T>::unpack}};
}

template <class T>
void measure(const Table& table, MPI_Comm comm, const char* type, unsigned every, bool quick) {
  Operands<T> a(comm, quick ? 100000 : 10000000, every);
  const Effort effort{quick ? 5 : 15, 1, 2};
  for (const Case<T>& one : cases<T>()) {
    const Pairs copy = alternate(
        comm, effort, [&] { one.ours(a); },
        [&] { std::memcpy(a.to.data(), a.from.data(), a.to.size() * sizeof(T)); });
    const Pairs loop = alternate(
        comm, effort, [&] { one.ours(a); }, [&] { one.by_hand(a); });
    table.row({one.name, type, std::to_string(every), time_text(quartiles(copy.ours)),
               ratio_text(copy.ratio()), judged(copy.ratio(), one.goal), ratio_text(loop.ratio())});
  }
}

}  // namespace

void sparse(MPI_Comm comm, bool quick) {
  const Table table(
      comm, "Operations on masked arrays of ten million elements",
      {"operation", "elements", "a mark every", "time", "ratio to a memcpy of the local part",
       "goal 1, 2 (scans), 1.5 (pack, unpack)", "ratio to a plain loop over the local part"});
  for (const unsigned every : {2u, 10u}) {
    measure<double>(table, comm, "double", every, quick);
    measure<std::int32_t>(table, comm, "int", every, quick);
  }
}

}  // namespace bench
