// SPDX-License-Identifier: BSD-3-Clause
#include "daptor/adapter/stale_copies.hpp"

#include <array>
#include <cmath>
#include <cstdio>
#include <limits>

#include "daptor/adapter/library.hpp"

namespace daptor::adapter {

void StaleCopies::differs(Index position, double difference) {
  if (count_++ == 0) first_ = position;
  if (difference > largest_) largest_ = difference;
}

void StaleCopies::ask(Call& call) {
  struct {
    double value;
    int rank;
  } largest{largest_, call.comm().rank()};
  call.library("mpi", "MPI_Allreduce", [&] {
    check_mpi(
        MPI_Allreduce(MPI_IN_PLACE, &largest, 1, MPI_DOUBLE_INT, MPI_MAXLOC, call.comm()->mpi()),
        "MPI_Allreduce");
  });
  largest_of_all_ = largest.value;
  where_ = largest.rank;
}

void StaleCopies::tell(Findings& findings) const {
  if (count_ == 0) return;
  findings.error("check.ghosts.stale",
                 first_text_ + "; " + std::to_string(count_) + " of " +
                     counted(copies_, "copy", "copies") +
                     " on this rank differ; the largest difference of all ranks is " +
                     value_text(largest_of_all_) + ", on rank " + std::to_string(where_),
                 "the values of the owners", remedy_);
}

double difference_of(double a, double b) {
  if (a == b || (std::isnan(a) && std::isnan(b))) return 0;
  const double difference = std::abs(a - b);
  return std::isnan(difference) ? std::numeric_limits<double>::infinity() : difference;
}

std::string value_text(double value) {
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "%.9g", value);
  return text.data();
}

}  // namespace daptor::adapter
