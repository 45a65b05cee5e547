// SPDX-License-Identifier: BSD-3-Clause
// Writes SVG pictures of all kinds of arrays into a folder, for checks by other programs.
#include <cstdio>
#include <fstream>
#include <iostream>

#include "daptor/error.hpp"
#include "large_arrays.hpp"
#include "random_arrays.hpp"

namespace {

using namespace daptor;

std::string folder;

void write(const std::string& name, const Recorded& recorded, const show::Options& options = {}) {
  std::ofstream out(folder + "/" + name + ".svg", std::ios::binary);
  write_svg(show::make_picture(recorded, options), out);
  if (!out) throw InvalidArgument("folder", folder, "a folder that can be written");
}

void write_with_sections(const std::string& name, const Recorded& recorded) {
  write(name, recorded);
  show::Options options;
  options.rank = recorded.nranks / 2;
  write(name + "_section", recorded, options);
}

/// The pictures of docs/images; the test compares them.
void write_documented() {
  const auto named = [](Recorded recorded, const char* name) {
    recorded.name = name;
    return recorded;
  };
  write("show-blocks",
        named(test::recorded_on(
                  {2, 3},
                  [](const std::vector<Index>& at) {
                    return std::vector<Dimension>{block(9, {2, at[0]}), block(14, {3, at[1]})};
                  }),
              "Blocks with a remainder"));
  const Recorded field = test::recorded_on({2, 2}, [](const std::vector<Index>& at) {
    return std::vector<Dimension>{block(10, {2, at[0]}, test::padding({1, 1}, {1, 1})),
                                  block(13, {2, at[1]}, test::padding({2, 2}, {}, true))};
  });
  write("show-padding", named(field, "Boundary and communication padding"));
  show::Options of_one_rank;
  of_one_rank.rank = 1;
  write("show-section", named(field, "What rank 1 holds"), of_one_rank);
  write(
      "show-block-cyclic",
      named(test::recorded_on(
                {2, 2},
                [](const std::vector<Index>& at) {
                  return std::vector<Dimension>{cyclic(9, {2, at[0]}, 2), cyclic(9, {2, at[1]}, 2)};
                }),
            "Block-cyclic, as ScaLAPACK deals it"));
  const auto tiling = [&](const char* file, const char* name, const std::vector<Index>& grid) {
    const auto section = [&](const std::vector<Index>& at) {
      std::vector<Dimension> dimensions;
      for (std::size_t d = 0; d < 3; ++d)
        dimensions.push_back(grid[d] == 1 ? undistributed(10) : block(10, {grid[d], at[d]}));
      return dimensions;
    };
    write(file, named(test::recorded_on(grid, section), name));
  };
  tiling("fft-slabs", "Slabs", {4, 1, 1});
  tiling("fft-pencils", "Pencils", {2, 2, 1});
  tiling("fft-bricks", "Bricks", {2, 2, 2});
  write("redistribute-rows",
        named(test::recorded_on(
                  {4, 1},
                  [](const std::vector<Index>& at) {
                    return std::vector<Dimension>{block(9, {4, at[0]}), undistributed(9)};
                  }),
              "Rows, as NumPy has them"));
  write("show-lists", named(test::lists(), "Lists of indices"));
}

void write_all() {
  write_documented();
  write_with_sections("blocks", test::blocks());
  write_with_sections("periodic", test::padded_periodic());
  write_with_sections("lists", test::lists());
  write_with_sections("cube", test::cube());
  write_with_sections("scalar", test::scalar());
  write_with_sections("many_ranks", test::many_ranks());
  write_with_sections("many_ranks_2d", test::many_ranks_2d());
  write_with_sections("many_dealt", test::many_dealt());
  write_with_sections("long_dealt", test::long_dealt());
  write_with_sections("longest", test::longest());
  write_with_sections("many_listed", test::many_listed());
  write_with_sections("wide", test::wide());
  Recorded partial = test::blocks();
  partial.ranks.resize(4);
  write("partial", partial);
  Recorded odd = test::blocks();
  odd.name = "<a & b> \"c\" \x01 ü";
  write("odd_name", odd);
  test::RandomArrays arrays(5);
  for (int i = 0; i < 60; ++i) write_with_sections("random" + std::to_string(i), arrays.next());
}

}  // namespace

int main(int argc, char** argv) try {
  if (argc != 2) return 2;
  folder = argv[1];
  write_all();
} catch (const std::exception& error) {
  std::fprintf(stderr, "%s\n", error.what());
  return 1;
}
