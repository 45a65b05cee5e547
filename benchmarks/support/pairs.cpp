// SPDX-License-Identifier: BSD-3-Clause
#include "pairs.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <iomanip>
#include <iostream>
#include <sstream>

namespace bench {
namespace {

double slowest(MPI_Comm comm, double seconds) {
  MPI_Allreduce(MPI_IN_PLACE, &seconds, 1, MPI_DOUBLE, MPI_MAX, comm);
  return seconds;
}

double time_batch(MPI_Comm comm, int batch, const std::function<void()>& work) {
  MPI_Barrier(comm);
  const double start = MPI_Wtime();
  for (int i = 0; i < batch; ++i) work();
  return slowest(comm, (MPI_Wtime() - start) / batch);
}

double at(const std::vector<double>& sorted, double fraction) {
  const double position = fraction * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<std::size_t>(position);
  const std::size_t above = std::min(below + 1, sorted.size() - 1);
  const double weight = position - static_cast<double>(below);
  return (1 - weight) * sorted[below] + weight * sorted[above];
}

std::string results;  // NOLINT(cert-err58-cpp)

std::string json_text(const std::vector<double>& seconds) {
  std::ostringstream text;
  text << std::setprecision(4) << '[';
  for (std::size_t i = 0; i < seconds.size(); ++i) text << (i > 0 ? ", " : "") << seconds[i];
  return text.str() + ']';
}

}  // namespace

Quartiles quartiles(std::vector<double> values) {
  if (values.empty()) return {};
  std::sort(values.begin(), values.end());
  return {at(values, 0.25), at(values, 0.5), at(values, 0.75)};
}

Quartiles Pairs::ratio() const {
  std::vector<double> ratios;
  for (std::size_t i = 0; i < ours.size(); ++i) ratios.push_back(ours[i] / theirs[i]);
  return quartiles(std::move(ratios));
}

Quartiles Pairs::excess() const {
  std::vector<double> differences;
  for (std::size_t i = 0; i < ours.size(); ++i) differences.push_back(ours[i] - theirs[i]);
  return quartiles(std::move(differences));
}

Pairs alternate_timed(MPI_Comm comm, const Effort& effort, const std::function<double()>& ours,
                      const std::function<double()>& theirs) {
  Pairs pairs;
  for (int i = -effort.warm_up; i < effort.pairs; ++i) {
    double mine = 0;
    double other = 0;
    MPI_Barrier(comm);
    if (i % 2 == 0) {
      mine = slowest(comm, ours());
      other = slowest(comm, theirs());
    } else {
      other = slowest(comm, theirs());
      mine = slowest(comm, ours());
    }
    if (i < 0) continue;
    pairs.ours.push_back(mine);
    pairs.theirs.push_back(other);
  }
  return pairs;
}

Pairs alternate(MPI_Comm comm, const Effort& effort, const std::function<void()>& ours,
                const std::function<void()>& theirs) {
  return alternate_timed(
      comm, effort, [&] { return time_batch(comm, effort.batch, ours); },
      [&] { return time_batch(comm, effort.batch, theirs); });
}

void keep_in(const std::string& path) {
  results = path;
}

void keep(MPI_Comm comm, const Place& place, const Pairs& pairs) {
  int rank = 0;
  MPI_Comm_rank(comm, &rank);
  if (rank != 0 || results.empty()) return;
  std::ofstream(results, std::ios::app)
      << R"({"question": ")" << place.question << R"(", "what": ")" << place.what << R"(", "at": ")"
      << place.at << R"(", "beside": ")" << place.beside << R"(", "goal": )" << place.goal
      << R"(, "excess_goal": )" << place.excess_goal << R"(, "ours": )" << json_text(pairs.ours)
      << R"(, "theirs": )" << json_text(pairs.theirs) << "}\n";
}

std::string judged(const Quartiles& measured, double goal) {
  if (measured.median <= goal) return "met";
  return measured.lower > goal ? "missed" : "undecided";
}

std::string time_text(double seconds) {
  const double size = std::abs(seconds);
  std::ostringstream text;
  text << std::setprecision(3);
  if (size < 1e-6) {
    text << seconds * 1e9 << " ns";
  } else if (size < 1e-3) {
    text << seconds * 1e6 << " us";
  } else if (size < 1) {
    text << seconds * 1e3 << " ms";
  } else {
    text << seconds << " s";
  }
  return text.str();
}

std::string time_text(const Quartiles& seconds) {
  return time_text(seconds.median) + " [" + time_text(seconds.lower) + ", " +
         time_text(seconds.upper) + "]";
}

std::string ratio_text(const Quartiles& ratio) {
  std::ostringstream text;
  text << std::setprecision(3) << ratio.median << " [" << ratio.lower << ", " << ratio.upper << "]";
  return text.str();
}

Table::Table(MPI_Comm comm, const std::string& title, std::vector<std::string> columns) {
  int rank = 0;
  MPI_Comm_rank(comm, &rank);
  prints_ = rank == 0;
  if (!prints_) return;
  std::cout << "\n### " << title << "\n\n";
  row(columns);
  for (std::string& column : columns) column = "---";
  row(columns);
}

void Table::row(const std::vector<std::string>& cells) const {
  if (!prints_) return;
  std::cout << '|';
  for (const std::string& cell : cells) std::cout << ' ' << cell << " |";
  std::cout << std::endl;
}

}  // namespace bench
