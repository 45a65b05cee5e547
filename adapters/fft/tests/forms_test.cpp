// SPDX-License-Identifier: BSD-3-Clause
// What tiles and slabs ask of an array: each row of their Forms is broken once.

#include "arrays.hpp"
#include "form_rows.hpp"

namespace daptor::fft::test {
namespace {

using daptor::test::BrokenRow;

constexpr auto item = static_cast<Index>(sizeof(Complex));

/// Four rows of three elements on each rank, of which one rank has other strides.
BrokenRow broken_strides(const std::string& rule, Index row, Index column) {
  return {rule, [=](void* memory, bool broken) {
            return daptor::describe(
                static_cast<Complex*>(memory) + 8,
                {block(4 * world_size(), line()), undistributed(3)},
                std::vector<Index>{broken ? row : 3 * item, broken ? column : item});
          }};
}

/// The rows that tiles and slabs have in common.
std::vector<BrokenRow> broken_rows() {
  return {broken_strides(".strides", 3 * item + item / 2, item),
          broken_strides(".strides", 3 * item, item + item / 2),
          broken_strides(".gaps", 4 * item, item),
          broken_strides(".gaps", -3 * item, item),
          {".device", [](void* memory, bool broken) {
             return daptor::describe(static_cast<Complex*>(memory),
                                     {block(4 * world_size(), line()), undistributed(3)})
                 .in_space(broken ? MemorySpace{MemorySpace::cuda, 0} : MemorySpace{});
           }}};
}

template <class Import>
void expect_box_form(const Import& import) {
  daptor::test::expect_rows<Complex>("fft", import, broken_rows());
  const auto refused = [&](const char* rule, std::vector<Dimension> dimensions,
                           const DataType& type = complex128) {
    const DistArray a = allocate(type, std::move(dimensions)).on(world);
    expect_refused_everywhere<NotRepresentable>(rule, [&] { import(a); });
  };
  refused("fft.type", {block(4 * world_size(), line()), undistributed(3)},
          DataType::of<std::int8_t>());
  const Index first = 2 * world_rank();
  refused("fft.division",
          {unstructured(2 * world_size(), line(), IndexList({first, first + 1}), true),
           undistributed(3)});
  if (world_size() > 1)
    refused("fft.division", {cyclic(4 * world_size(), line()), undistributed(3)});
}

TEST(FftForms, OfTiles) {
  const auto import = [](const DistArray& a) { tile(a); };
  expect_box_form(import);
  const auto refused = [&](const char* rule, const Section& a) {
    expect_refused_everywhere<NotRepresentable>(rule, [&] { import(a.on(world)); });
  };
  refused("fft.ndim", allocate<Complex>({block(4 * world_size(), line())}));
  refused("fft.index-range",
          daptor::describe(complex128, nullptr, {block(Index{1} << 31, line()), undistributed(3)}));
}

TEST(FftForms, OfSlabs) {
  const auto import = [](const DistArray& a) { slab(a); };
  expect_box_form(import);
  daptor::test::expect_rows<Complex>("fft", import, {broken_strides(".order", item, 4 * item)});
}

}  // namespace
}  // namespace daptor::fft::test
