// SPDX-License-Identifier: BSD-3-Clause
#include "draw.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <exception>

namespace {

constexpr int pixels = 440;

/// The grid point along one side whose cell contains the pixel's centre.
std::int64_t point_at(int pixel, int points) {
  return (2 * static_cast<std::int64_t>(pixel) + 1) * points / (2 * pixels);
}

int rank_of(MPI_Comm comm) {
  int rank = 0;
  MPI_Comm_rank(comm, &rank);
  return rank;
}

std::vector<OwnedBlock> blocks_of_all(const Box& owned, MPI_Comm comm) {
  int size = 1;
  MPI_Comm_size(comm, &size);
  const std::array<std::int64_t, 4> mine = {owned.first_column, owned.first_row, owned.columns,
                                            owned.rows};
  std::vector<std::array<std::int64_t, 4>> all(static_cast<std::size_t>(size));
  MPI_Gather(mine.data(), 4, MPI_INT64_T, all.data(), 4, MPI_INT64_T, 0, comm);
  std::vector<OwnedBlock> blocks;
  blocks.reserve(all.size());
  for (const auto& [x, y, width, height] : all)
    blocks.push_back({static_cast<int>(blocks.size()), static_cast<double>(x),
                      static_cast<double>(y), static_cast<double>(width),
                      static_cast<double>(height)});
  return blocks;
}

}  // namespace

Panel panel(const std::string& title, int points, const Box& owned,
            const std::vector<PetscScalar>& values, MPI_Comm comm) {
  Panel panel;
  panel.title = title;
  panel.pixels = pixels;
  panel.palette = wave_palette();
  for (int y = 0; y < pixels; ++y)
    for (int x = 0; x < pixels; ++x) {
      const std::int64_t i = point_at(y, points) - owned.first_row;
      const std::int64_t j = point_at(x, points) - owned.first_column;
      const bool mine = i >= 0 && i < owned.rows && j >= 0 && j < owned.columns;
      const auto at = static_cast<std::size_t>(mine ? i * owned.columns + j : 0);
      panel.values.push_back(mine ? static_cast<float>(PetscRealPart(values[at])) : 0.0F);
    }
  const bool root = rank_of(comm) == 0;
  MPI_Reduce(root ? MPI_IN_PLACE : panel.values.data(), panel.values.data(), pixels * pixels,
             MPI_FLOAT, MPI_SUM, 0, comm);
  float highest = 0.01F;
  for (const float value : panel.values) highest = std::max(highest, std::abs(value));
  panel.high = std::ceil(highest * 50) / 50;
  panel.low = -panel.high;
  for (int i = -2; i <= 2; ++i)
    panel.bar_labels.push_back(fmt::format("{:g}", i * std::round(panel.high * 100) / 200));
  return panel;
}

bool draw(const std::string& file, int points, const Box& owned, const std::vector<Panel>& panels,
          MPI_Comm comm) {
  const std::vector<OwnedBlock> blocks = blocks_of_all(owned, comm);
  int written = 1;
  if (rank_of(comm) == 0) {
    try {
      write_picture(file, "The waves of a drop in a pond with periodic edges",
                    fmt::format("{0} × {0} points on {1} ranks; the lines show who owns what",
                                points, blocks.size()),
                    panels, blocks, points);
    } catch (const std::exception& error) {
      fmt::print(stderr, "daptor_wave: {}\n", error.what());
      written = 0;
    }
  }
  MPI_Bcast(&written, 1, MPI_INT, 0, comm);
  return written == 1;
}
