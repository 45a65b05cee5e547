// SPDX-License-Identifier: BSD-3-Clause
#include "normal_form.hpp"

#include <sstream>

#include "daptor/local_index_map.hpp"

namespace daptor::test {
namespace {

/// Global indices at a range of local indices.
std::string indices_text(const LocalDimensionMap& map, IndexRange local) {
  std::string text = "{";
  for (Index i = local.start; i < local.stop; ++i)
    text += (i == local.start ? "" : ", ") + std::to_string(map.global_of(i));
  return text + "}";
}

std::string owned_text(const LocalDimensionMap& map) {
  const Index count = map.owned_count();
  if (count == 0) return "nothing";
  const IndexRange local{map.owned_offset(), map.owned_offset() + count};
  const char type = map.dimension().dist_type();
  if (type == 'c' || type == 'u') return indices_text(map, local);
  std::ostringstream text;
  text << IndexRange{map.global_of(local.start), map.global_of(local.stop - 1) + 1};
  return text.str();
}

void write_copies(std::ostream& out, const LocalDimensionMap& map, Padding padding) {
  const Index extent = map.local_extent();
  out << " copies ";
  if (padding.lower > 0) out << indices_text(map, {0, padding.lower});
  if (padding.lower > 0 && padding.upper > 0) out << " and ";
  if (padding.upper > 0) out << indices_text(map, {extent - padding.upper, extent});
}

}  // namespace

std::string normal_form(int rank, const Section& array) {
  std::ostringstream out;
  for (int d = 0; d < array.ndim(); ++d) {
    const LocalDimensionMap map(array.dimension(d));
    const Padding boundary = array.dimension(d).boundary_padding();
    const Padding communication = array.dimension(d).communication_padding();
    out << "rank " << rank << ", dimension " << d << ": owns " << owned_text(map) << " of "
        << map.global_size();
    if (boundary != Padding{}) out << ", boundary padding " << boundary;
    if (communication != Padding{}) {
      out << ", communication padding " << communication;
      write_copies(out, map, communication);
    }
    if (array.dimension(d).periodic()) out << ", periodic";
    out << ", extent " << map.local_extent() << '\n';
  }
  return out.str();
}

}  // namespace daptor::test
