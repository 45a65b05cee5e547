// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <functional>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "daptor/builders.hpp"
#include "show/show.hpp"

/// \file
/// Small arrays, and their pictures.

namespace daptor::test {

using DimensionsAt = std::function<std::vector<Dimension>(const std::vector<Index>&)>;

/// One section for each position on the grid, in row-major order.
inline Recorded recorded_on(const std::vector<Index>& grid, const DimensionsAt& dimensions,
                            std::string name = "") {
  Index ranks = 1;
  for (const Index processes : grid) ranks *= processes;
  std::vector<Section> sections;
  for (Index rank = 0; rank < ranks; ++rank)
    sections.push_back(
        describe(DataType::of<double>(), nullptr, dimensions(grid_coordinates(grid, rank))));
  return record(std::move(name), sections);
}

inline BlockPadding padding(Padding communication, Padding boundary = {}, bool periodic = false) {
  return BlockPadding(communication, boundary, periodic);
}

inline std::string terminal(const Recorded& recorded, const show::Options& options = {},
                            const show::TerminalOptions& form = {}) {
  std::ostringstream out;
  write_terminal(make_picture(recorded, options), out, form);
  return out.str();
}

inline std::string svg(const Recorded& recorded, const show::Options& options = {}) {
  std::ostringstream out;
  write_svg(make_picture(recorded, options), out);
  return out.str();
}

/// \name Arrays that several tests draw
/// \{
inline Recorded blocks() {
  return recorded_on({2, 3}, [](const std::vector<Index>& at) {
    return std::vector<Dimension>{block(5, {2, at[0]}), block(8, {3, at[1]})};
  });
}

inline Recorded padded_periodic() {
  return recorded_on({2, 2}, [](const std::vector<Index>& at) {
    return std::vector<Dimension>{block(6, {2, at[0]}, padding({1, 1}, {1, 1})),
                                  block(7, {2, at[1]}, padding({1, 1}, {}, true))};
  });
}

/// The specification's third example.
inline Recorded lists() {
  const std::vector<std::vector<Index>> indices = {{19, 1, 0, 12, 2, 15, 4, 17, 3, 13},
                                                   {22, 7, 9, 14, 8, 6, 5, 18, 11, 20},
                                                   {29, 28, 27, 26, 25, 24, 23, 21, 16, 10}};
  return recorded_on({3}, [&](const std::vector<Index>& at) {
    return std::vector<Dimension>{
        unstructured(30, {3, at[0]}, IndexList(indices[static_cast<std::size_t>(at[0])]))};
  });
}

inline Recorded cube() {
  return recorded_on({2, 1, 2}, [](const std::vector<Index>& at) {
    return std::vector<Dimension>{block(4, {2, at[0]}), undistributed(3), block(5, {2, at[2]})};
  });
}

inline Recorded scalar() {
  return recorded_on({}, [](const std::vector<Index>&) { return std::vector<Dimension>(); });
}
/// \}

}  // namespace daptor::test
