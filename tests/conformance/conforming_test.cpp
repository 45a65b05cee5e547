// SPDX-License-Identifier: BSD-3-Clause
// Correct producers of every distribution, element type and order pass all checks. Their labels are
// assigned one by one, without the index maps by which the kit reads them.

#include <gtest/gtest.h>
#include <mpi.h>

#include <complex>
#include <cstring>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "../abi/c_sections.h"
#include "../core/layouts.hpp"
#include "daptor/conformance.hpp"
#include "daptor/daptor.hpp"
#include "world.hpp"

// Null in builds without a Fortran compiler.
extern "C" {
__attribute__((weak)) int fortran_make_grid(int rank, int ranks, int nx, int ny,
                                            daptor_array* array);
__attribute__((weak)) int fortran_live_grids(void);
}

namespace daptor::test {
namespace {

using conformance::Candidate;
using conformance::MultiIndex;

template <class T>
T element(Index number) {
  if constexpr (std::is_same_v<T, bool>) {
    return number % 2 != 0;
  } else if constexpr (std::is_integral_v<T> || std::is_floating_point_v<T>) {
    return static_cast<T>(number);
  } else {
    return T(static_cast<typename T::value_type>(number), 0);
  }
}

/// Gives the owned elements their numbers, walking the section by its strides.
template <class T>
void fill(const Section& array, const std::vector<Index>& numbers) {
  const std::vector<Index>& shape = array.owned_shape();
  auto* data = static_cast<char*>(array.mutable_data());
  for (std::size_t d = 0; d < shape.size(); ++d)
    data += array.owned_offset()[d] * array.byte_strides()[d];
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    Index offset = 0;
    auto rest = static_cast<Index>(i);
    for (std::size_t d = shape.size(); d-- > 0; rest /= shape[d])
      offset += rest % shape[d] * array.byte_strides()[d];
    const T value = element<T>(numbers[i]);
    std::memcpy(data + offset, &value, sizeof value);
  }
}

/// Row-major numbers in the interior, by those that count boundary padding, too. Elements of
/// boundary padding, which have none, get one that no element has. Only the first of the dimensions
/// that are divided has boundary padding.
std::vector<Index> numbers_in_interior(const Layout& layout, std::vector<Index> numbers) {
  const auto first = layout.dimensions(0), last = layout.dimensions(world_size() - 1);
  for (Index& number : numbers) {
    Index in_interior = 0, below = 1, rest = number;
    bool inside = true;
    for (std::size_t d = first.size(); d-- > 0;) {
      const Index lower = first[d].boundary_padding().lower;
      const Index size = first[d].global_size();
      const Index extent = size - lower - last[d].boundary_padding().upper;
      const Index index = rest % size - lower;
      rest /= size;
      inside = inside && index >= 0 && index < extent;
      in_interior += index * below;
      below *= extent;
    }
    number = inside ? in_interior : Index{113};
  }
  return numbers;
}

template <class T>
Candidate candidate_of(const Layout& layout, Order order) {
  const Section array = allocate<T>(layout.dimensions(world_rank()), order);
  fill<T>(array, numbers_in_interior(layout, layout.owned_numbers(world_rank())));
  auto own = std::make_shared<std::optional<Section>>(array);
  Candidate candidate{[own] { return **own; }};
  candidate.destroy = [own] { own->reset(); };
  return candidate;
}

/// Expects no finding but the warnings about the descriptions themselves.
void expect_conforming(const conformance::Subject& subject, const std::string& what,
                       const std::set<std::string>& warnings = {"B06", "C10"}) {
  const Report report = conformance::check(subject, MPI_COMM_WORLD);
  for (const Finding& finding : report.findings())
    EXPECT_TRUE(finding.severity == Severity::note || warnings.count(finding.rule) == 1)
        << what << ": " << finding;
  EXPECT_FALSE(report.has("behaviour.not-checked")) << what << ": " << report;
}

std::vector<std::pair<std::string, Layout>> layouts() {
  const Index p = world_size();
  std::vector<Index> uneven;
  for (Index r = 0; r < p; ++r) uneven.push_back((r * 5 + 3) % 7);
  const BlockPadding padded({p > 1 ? 1 : 0, p > 1 ? 1 : 0}, {2, 1});
  std::vector<std::pair<std::string, Layout>> all = {
      {"even block", {{even_axis(23, p)}, {}}},
      {"uneven blocks", {{block_axis(uneven), undistributed_axis(3)}, {}}},
      {"more ranks than elements", {{even_axis(p / 2 + 1, p)}, {}}},
      {"no elements", {{even_axis(0, p), undistributed_axis(4)}, {}}},
      {"padded", {{even_axis(5 * p, p, padded), undistributed_axis(2)}, {}}},
      {"periodic", {{undistributed_axis(3), even_axis(4 * p, p, {{2, 2}, {}, true})}, {}}},
      {"cyclic", {{cyclic_axis(19, p, 1)}, {}}},
      {"block-cyclic with an origin", {{cyclic_axis(29, p, 2, p - 1), undistributed_axis(2)}, {}}},
      {"unstructured", {{shuffled_axis(31, p, 5)}, {}}},
      {"unstructured rows", {{shuffled_axis(13, p, 7), undistributed_axis(3)}, {}}},
      {"four dimensions",
       {{undistributed_axis(2), even_axis(2 * p, p), undistributed_axis(1), undistributed_axis(3)},
        {}}},
  };
  if (p % 2 == 0) all.push_back({"two by many", {{even_axis(5, 2), even_axis(9, p / 2)}, {}}});
  if (p == 1) all.push_back({"no dimensions", {{}, {}}});
  return all;
}

TEST(Conforming, EveryDistributionInBothOrders) {
  for (const auto& [name, layout] : layouts())
    for (const Order order : {Order::c, Order::fortran})
      expect_conforming([&layout = layout, order] { return candidate_of<double>(layout, order); },
                        name + (order == Order::c ? ", C order" : ", Fortran order"));
}

template <class T>
class ElementType : public ::testing::Test {};
using ElementTypes =
    ::testing::Types<bool, std::int8_t, std::uint8_t, std::int16_t, std::uint32_t, std::int64_t,
                     float, long double, std::complex<float>, std::complex<double>>;
TYPED_TEST_SUITE(ElementType, ElementTypes, );  // the comma is for -Wpedantic of Clang

TYPED_TEST(ElementType, IsLabelled) {
  const Layout layout{{even_axis(41, world_size()), undistributed_axis(7)}, {}};
  expect_conforming([&] { return candidate_of<TypeParam>(layout, Order::c); }, "");
}

TEST(Conforming, ElementsInTheOtherByteOrder) {
  const ByteOrder other =
      native_byte_order() == ByteOrder::little ? ByteOrder::big : ByteOrder::little;
  const Dimension line = block(3 * world_size(), {world_size(), world_rank()});
  expect_conforming(
      [&] {
        const Section array = allocate(DataType(Kind::signed_integer, 4, other), {line});
        auto* bytes = static_cast<unsigned char*>(array.mutable_data());
        for (int i = 0; i < 3; ++i)
          bytes[4 * i + (other == ByteOrder::big ? 3 : 0)] =
              static_cast<unsigned char>(3 * world_rank() + i);
        Candidate candidate{[array] { return array; }};
        candidate.destroy = [] {};
        return candidate;
      },
      "");
}

TEST(Conforming, LabelsOfTheProducersOwnChoice) {
  const Layout layout{{even_axis(4 * world_size(), world_size()), undistributed_axis(3)}, {}};
  const auto make = [&] {
    Candidate candidate = candidate_of<float>(layout, Order::c);
    const auto own = candidate.describe().array();
    const auto view = daptor::view<float, 2>(own);
    for (Index i = 0; i < 4; ++i)
      for (Index j = 0; j < 3; ++j)
        view(i, j) = static_cast<float>(100 * (4 * world_rank() + i) - j);
    candidate.label = [](const MultiIndex& global) {
      return static_cast<float>(100 * global[0] - global[1]);
    };
    return candidate;
  };
  expect_conforming(make, "");
  EXPECT_TRUE(conformance::check_labels(
                  [&] {
                    Candidate candidate = make();
                    candidate.label = {};
                    return candidate;
                  },
                  MPI_COMM_WORLD)
                  .has("behaviour.labels"));
}

/// Labels count the interior, whose first element has index 0; boundary padding is not asked, and a
/// ghost has the label that its owner gives the element.
TEST(Conforming, LabelsCountTheInterior) {
  const Index p = world_size();
  const BlockPadding padded({p > 1 ? 1 : 0, p > 1 ? 1 : 0}, {2, 1});
  const Layout layout{{even_axis(5 * p, p, padded), undistributed_axis(2)}, {}};
  bool updated = true;
  const auto make = [&] {
    Candidate candidate = candidate_of<double>(layout, Order::c);
    candidate.padding_labelled = true;
    const Section own = candidate.describe().array();
    if (updated) update_padding(own.on(MPI_COMM_WORLD));
    candidate.label = [p](const MultiIndex& global) {
      EXPECT_TRUE(global[0] >= 0 && global[0] < 5 * p - 3) << global[0];
      return static_cast<double>(2 * global[0] + global[1]);
    };
    return candidate;
  };
  EXPECT_TRUE(conformance::check_labels(make, MPI_COMM_WORLD).findings().empty());
  updated = false;
  EXPECT_EQ(conformance::check_labels(make, MPI_COMM_WORLD).has("behaviour.labels"), p > 1);
}

/// What a description was accepted with when it was read is a finding of the kit as well, once.
TEST(Conforming, WarningsOfWhatWasReadAreFound) {
  const Layout layout{{even_axis(4 * world_size(), world_size())}, {}};
  const auto make = [&] {
    Candidate candidate = candidate_of<double>(layout, Order::c);
    Dictionary said = *to_value(candidate.describe().array()).as<Dictionary>();
    Sequence dimensions = *said.find("dim_data")->as<Sequence>();
    dimensions.tuple = false;
    said.set("dim_data", dimensions);
    candidate.describe = [said] { return parse_or_throw(said); };
    return candidate;
  };
  const Report report = conformance::check_description(make, MPI_COMM_WORLD);
  ASSERT_EQ(report.findings().size(), 1U) << report;
  EXPECT_EQ(report.findings()[0].rule, "T11");
  EXPECT_FALSE(conformance::check_description(make, MPI_COMM_WORLD, {Profile::strict}));
}

TEST(Conforming, ReadOnlyArrays) {
  const Layout layout{{even_axis(17, world_size())}, {}};
  expect_conforming(
      [&] {
        Candidate candidate = candidate_of<double>(layout, Order::c);
        const conformance::Exporter writable = candidate.describe;
        candidate.describe = [writable] { return writable().array().as_readonly(); };
        return candidate;
      },
      "");
}

TEST(Conforming, TheLaterVersionOfTheProtocol) {
  const Index p = world_size();
  const BlockPadding padded({p > 1 ? 2 : 0, p > 1 ? 2 : 0}, {1, 1});
  const Layout layout{{even_axis(6 * p, p, padded), undistributed_axis(2)}, {}};
  expect_conforming(
      [&] {
        Candidate candidate = candidate_of<double>(layout, Order::c);
        const conformance::Exporter old = candidate.describe;
        candidate.describe = [old] { return convert(old().array(), protocol_0_10); };
        return candidate;
      },
      "");
}

/// Adopts a foreign section as the candidate's array.
Candidate candidate_of(daptor_array* section) {
  auto own = std::make_shared<std::optional<Section>>(import_abi(section));
  Candidate candidate{[own](daptor_array* out) { export_abi(**own, out); }};
  candidate.destroy = [own] { own->reset(); };
  return candidate;
}

TEST(Conforming, AProducerInC) {
  expect_conforming(
      [] {
        daptor_array section;
        EXPECT_EQ(c_make_grid(world_rank(), world_size(), 11, 3, &section), 0);
        return candidate_of(&section);
      },
      "");
  EXPECT_EQ(c_live_grids(), 0);
}

// The array's first dimension varies fastest in memory. It varies fastest in the numbers as well,
// which are row-major in the reversed array.
TEST(Conforming, AProducerInFortran) {
  if (fortran_make_grid == nullptr) GTEST_SKIP();
  constexpr int nx = 3;
  expect_conforming(
      [] {
        daptor_array section;
        EXPECT_EQ(fortran_make_grid(world_rank(), world_size(), nx, 11, &section), 0);
        Candidate candidate = candidate_of(&section);
        candidate.label = [](const MultiIndex& global) {
          return static_cast<double>(global[0] + nx * global[1]);
        };
        return candidate;
      },
      "");
  EXPECT_EQ(fortran_live_grids(), 0);
}

}  // namespace
}  // namespace daptor::test
